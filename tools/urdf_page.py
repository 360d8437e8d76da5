#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes docs/manual/urdf-attributes.md from the table of the reader (src/io/urdf_table.h).

    tools/urdf_page.py            writes the page
    tools/urdf_page.py --check    exit code 1 if the page is out of date, if the reader reads an element or an
                                  attribute that the table lacks, or if the table has one that the reader lacks
    ... [ROOT]                    default: this repository

The reader warns about names that the table lacks. So that it never warns about what it reads, names in its
calls (xml_child(node, "limit"), urdf_need(u, node, "name")) must be rows of the table."""
import glob
import os
import re
import sys

PAGE = 'docs/manual/urdf-attributes.md'
ROW = re.compile(r'^  ([EA])\((".*")\)\s*\\?$', re.M)
ELEMENT = re.compile(r'\b(?:xml_child|xml_next|xml_is|urdf_need_child|read_kind)\([^;{]*?"(\w+)"')
ATTRIBUTE = re.compile(r'\b(?:xml_get|urdf_need|urdf_need_number|urdf_read_numbers?|need_positive)\([^;{"]*?"(\w+)"')
WORDS = re.compile(r'const char\* const (?:ends)\[\] = \{([^}]*)\}')
# Rows that accept what other programs write and that have no effect here: the reader need not look at them.
IDLE = re.compile(r'no effect|not stored')


def rows_of(root):
    with open(os.path.join(root, 'src/io/urdf_table.h'), encoding='utf-8') as file:
        return [(kind, re.findall(r'"((?:[^"\\]|\\.)*)"', text)) for kind, text in ROW.findall(file.read())]


def page_of(rows):
    """A list: an element with its meaning, below it its attributes with default and meaning."""
    out = ['# URDF elements and attributes', '',
           '`tools/urdf_page.py` writes this page from the table of the reader. If a file has an element or an attribute that is not here,',
           'the reader skips it and reports a warning. Defaults are in brackets. [Model files](models-and-files.md#urdf) describes how a robot comes',
           'to stand and to hold its pose.', '']
    for kind, row in rows:
        if kind == 'E':
            place = 'the file' if not row[1] else ', '.join(row[1].split()) if ' of ' not in row[1] else row[1]
            out.append('- **%s** (in %s): %s' % (row[0], place, row[2]))
        else:
            out.append('  - `%s`%s: %s' % (row[0], ' (%s)' % row[2] if row[2] else '', row[3]))
    return '\n'.join(out) + '\n'


def read_names(root):
    """Names of elements and attributes in the calls of the reader."""
    elements, attributes = set(), set()
    for path in sorted(glob.glob(os.path.join(root, 'src/io/urdf*.c'))):
        if path.endswith('urdf_write.c'):
            continue
        with open(path, encoding='utf-8') as file:
            text = re.sub(r'//[^\n]*', '', file.read())
        elements |= set(ELEMENT.findall(text))
        attributes |= set(ATTRIBUTE.findall(re.sub(r'\bxml_child\([^()]*\)', 'child', text)))
        for words in WORDS.findall(text):
            names = re.findall(r'"(\w+)"', words)
            (elements if 'parent' in names else attributes).update(names)
    return elements, attributes


def mistakes(root):
    rows = rows_of(root)
    known = {kind: {row[0] for k, row in rows if k == kind} for kind in 'EA'}
    needed = {row[0] for kind, row in rows if kind == 'A' and not IDLE.search(row[3])}
    elements, attributes = read_names(root)
    for what, read, listed in (('element', elements, known['E']), ('attribute', attributes, known['A'])):
        for name in sorted(read - listed):
            yield 'src/io/urdf_table.h: the reader reads the %s "%s", which has no row' % (what, name)
    for name in sorted(needed - attributes):
        yield 'src/io/urdf_table.h: the reader does not read the attribute "%s"; the row must say "no effect"' % name
    for name in sorted(known['E'] - elements):
        yield 'src/io/urdf_table.h: the reader does not read the element "%s"' % name
    with open(os.path.join(root, PAGE), encoding='utf-8') as file:
        if file.read() != page_of(rows):
            yield '%s is out of date; run tools/urdf_page.py' % PAGE


def main():
    arguments = [a for a in sys.argv[1:] if a != '--check']
    root = arguments[0] if arguments else os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    if '--check' in sys.argv:
        wrong = list(mistakes(root))
        print('\n'.join(wrong + ['urdf page: %d rows, %d mistakes' % (len(rows_of(root)), len(wrong))]))
        sys.exit(1 if wrong else 0)
    with open(os.path.join(root, PAGE), 'w', encoding='utf-8') as file:
        file.write(page_of(rows_of(root)))


if __name__ == '__main__':
    main()
