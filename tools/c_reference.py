#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the reference of the C interface, one Markdown page for each public header.

    tools/c_reference.py FOLDER     writes HEADER.md for each header, and index.md with all symbols
    tools/c_reference.py --check    exit code 1 if a function, type, field, member or constant has no
                                    text, if a field of real numbers has no unit, or if a function of
                                    the headers is on no page; also the fifty names of docs/manual/fifty-names.md
    ... [ROOT]                      default: this repository

The text is that of the description of the interface (tools/api.py): comments before a declaration, and behind a field or
a member. A section ("// ---- name") becomes a heading. A page says for each field its type and unit, for each
pointer of a function its direction and length, and for each type which functions take, return and release it."""
import glob
import os
import re
import sys
import textwrap

import api

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
INCLUDE = os.path.join(ROOT, 'include', 'heft')
HEADER_NAMES = 60
FUNCTION = re.compile(r'\b(heft_\w+)\b(?!/)')
REAL = re.compile(r'(?:const )?(?:double|float|HeftVec3|HeftMat3|HeftSym3|HeftSpatial)\b(?!.*\(\*)')


class Entry:
    def __init__(self, kind, name, text, declaration='', rows=()):
        self.kind, self.name, self.text, self.own = kind, name, text, text
        self.declaration, self.rows = declaration, list(rows)


def prose(comment):
    """The comment as Markdown: lists and tables keep their lines, other lines flow together."""
    lines = comment.splitlines()
    out, table, program = [], [], []
    for line in lines + ['']:
        if line.startswith('|'):
            table.append(line)
            continue
        if table:
            out += ['', *as_table(table), '']
            table = []
        if line.startswith('    ') and (program or not out or out[-1] == '' or out[-1].endswith(':')):
            program.append(line[4:])
            continue
        if program:
            out += ['', '```c', *program, '```', '']
            program = []
        out.append(line)
    text, inside = [], False
    for line in out:
        inside ^= line.startswith('```')
        text.append(line if inside else escape(line))
    return re.sub(r'\n{3,}', '\n\n', '\n'.join(text)).strip()


def as_table(lines):
    """A comment's table: its first line is the head; a line that begins with an empty cell goes on with the one before."""
    rows = []
    for line in lines:
        cells = [c.strip() for c in line.strip().strip('|').split('|')]
        if rows and not cells[0] and len(cells) <= len(rows[-1]):
            rows[-1] = [(a + ' ' + b).strip() for a, b in zip(rows[-1], cells + [''] * len(rows[-1]))]
        elif not all(set(c) <= set('-: ') for c in cells):
            rows.append(cells)
    width = max(len(r) for r in rows)
    rows = [r + [''] * (width - len(r)) for r in rows]
    return ['| ' + ' | '.join(rows[0]) + ' |', '|' + '---|' * width] + ['| ' + ' | '.join(r) + ' |' for r in rows[1:]]


def escape(line):
    """No HTML and no template in the text; names in code."""
    if line.startswith(('```', '|---')):
        return line
    parts = re.split(r'(`[^`]*`)', line)
    for i in range(0, len(parts), 2):
        parts[i] = parts[i].replace('&', '&amp;').replace('<', '&lt;').replace('>', '&gt;').replace('{{', '{ {')
        parts[i] = re.sub(r'(?<![\w`])(heft_\w+(?:\(\))?|HEFT_[A-Z0-9_]+|Heft[A-Z]\w+)', r'`\1`', parts[i])
        parts[i] = parts[i].replace('*', r'\*').replace('_', r'\_') if '`' not in parts[i] else parts[i]
    return ''.join(parts)


def cell(text):
    return escape(text).replace('|', r'\|')


def bare(text):
    return re.sub(r'[ ]*\n[ ]*', '\n' + ' ' * 4, api.strip_comments(text).strip())


def declaration_of(function):
    """The declaration, in lines of at most 100 characters."""
    def shown(p):
        rows = re.fullmatch(r'(.*)\(\*\)\[\]', p['type'])
        text = '%s (*%s)[%s]' % (rows.group(1), p['name'], p['length'][1]) if rows else '%s %s' % (p['type'], p['name'])
        return text.replace(' ', '\0')  # no line ends inside of a parameter
    text = '%s %s(%s);' % (function['type'], function['name'], ', '.join(shown(p) for p in function['parameters']) or 'void')
    return '\n'.join(textwrap.wrap(text, 96, subsequent_indent='    ', break_long_words=False)).replace('\0', ' ')


def pointers_of(function, handles):
    """Directions and lengths of arrays, and which other pointers are written."""
    rows = []
    words = {'in': 'read', 'out': 'written', 'in,out': 'read and written', 'scratch': 'scratch memory'}
    for p in function['parameters']:
        written = p['direction'] != 'in' and not p['type'].endswith('**') and p['base'] not in handles | {'HeftError'}
        if p['length'] or written:
            rows.append('`%s%s` %s' % (p['name'], ''.join('[%s]' % n for n in p['length']), words.get(p['direction'], '')))
    if function.get('length'):
        rows.append('the result has the length `%s`' % ''.join('[%s]' % n for n in function['length']))
    return 'Pointers: %s.' % '; '.join(rows) if rows else ''


class Page:
    def __init__(self, header, description):
        self.name, self.functions, self.entries = header['name'], description.functions, []
        self.handles = set(description.enders)
        self.intro = prose(header['doc'])
        for e in header['entries']:
            self.entries.append(self.entry(e))

    def entry(self, e):
        kind, name = e['kind'], e['name']
        text = prose(e.get('doc', ''))
        if kind == 'section':
            return Entry(kind, name, 'x')
        if kind == 'enum':
            return Entry(kind, name, text, rows=[(m['name'], m['doc']) for m in e['members']])
        if kind == 'struct':
            rows = [(f['name'], self.field_type(f), f['unit'], f['text']) for f in e['fields']]
            entry = Entry(kind, name, text, rows=rows)
        elif kind == 'handle':
            entry = Entry(kind, name, text, 'typedef struct %s %s;' % (name, name))
        elif kind == 'callback':
            return Entry(kind, name, text, 'typedef %s %s(%s);' % (e['type'], name, bare(e['parameters'])))
        elif kind == 'function':
            entry = Entry(kind, name, text, declaration_of(e))
            entry.text = '\n\n'.join(filter(None, [text, pointers_of(e, self.handles)]))
            return entry
        elif kind == 'constant':
            return Entry(kind, name, text, 'enum { %s = %s };' % (name, e['value']))
        else:
            return Entry(kind, name, text, ('#define %s%s %s' % (name, e['parameters'], e['value'])).rstrip())
        entry.text = '\n\n'.join(filter(None, [text, self.uses(name)]))
        return entry

    @staticmethod
    def field_type(field):
        """Type of a field; of a pointer to a function its whole declaration."""
        return field.get('declaration') or field['type'] + ''.join('[%s]' % d for d in field['dims'])

    def uses(self, kind):
        """Functions that make, release, take or return a type."""
        made, ended, takes = [], [], []
        for f in self.functions:
            types = [p['type'].replace('const ', '') for p in f['parameters']]
            if f['type'].replace('const ', '') in (kind, kind + '*') or kind + '**' in types:
                made.append(f['name'])
            elif re.search(r'_(destroy|close)$', f['name']) and types[:1] == [kind + '*']:
                ended.append(f['name'])
            elif kind + '*' in types or kind in types:
                takes.append(f['name'])
        parts = []
        for verb, names in (('Made by', made), ('Released by', ended), ('Taken by', takes)):
            if names and len(names) <= 6:
                parts.append('%s %s.' % (verb, ', '.join('`%s()`' % n for n in names)))
            elif names:
                parts.append('%s %s and %d others.' % (verb, ', '.join('`%s()`' % n for n in names[:5]), len(names) - 5))
        return ' '.join(parts)

    def markdown(self):
        out = ['---', 'title: "%s"' % self.name, 'description: "C interface of Heft: functions, types and constants of heft/%s"'
               % self.name, '---', '', '# heft/%s' % self.name, '', self.intro, '', '```c', '#include <heft/%s>' % self.name, '```', '']
        for e in self.entries:
            if e.kind == 'section':
                out += ['## ' + e.name[0].upper() + e.name[1:], '']
                continue
            out += ['### ' + e.name.replace('_', r'\_') + ' {#%s}' % e.name, '']
            if e.declaration:
                out += ['```c', e.declaration, '```', '']
            if e.text:
                out += [e.text, '']
            if e.kind == 'enum':
                out += ['| value | meaning |', '|---|---|'] + ['| `%s` | %s |' % (n, cell(t)) for n, t in e.rows] + ['']
            elif e.kind == 'struct':
                out += ['| field | type | unit | meaning |', '|---|---|---|---|']
                out += ['| `%s` | `%s` | %s | %s |' % (n, t, cell(u), cell(c)) for n, t, u, c in e.rows] + ['']
        return '\n'.join(out)

    def missing(self):
        """What has no text."""
        for e in self.entries:
            if e.kind != 'section' and not e.own:
                yield '%s: %s %s has no text' % (self.name, e.kind, e.name)
            for row in e.rows:
                if not row[-1]:
                    yield '%s: %s.%s has no text' % (self.name, e.name, row[0])
                elif e.kind == 'struct' and REAL.match(row[1]) and not row[2]:
                    yield '%s: %s.%s has no unit: say [m], [1] for a pure number, or "in the unit of ..."' % (self.name, e.name, row[0])


def pages():
    description = api.Api(api.load(INCLUDE))
    found = [Page(h, description) for h in description.headers if h['name'] not in api.NO_PAGE]
    return description, found


def index(all_pages):
    rows = sorted((e.name, p.name[:-2], e.kind) for p in all_pages for e in p.entries if e.kind != 'section')
    out = ['---', 'title: "C reference"', 'description: "Every function, type and constant of the C interface of Heft"', '---', '',
           '# C reference', '', 'Include `<heft/heft.h>` for all of the core, or one header for a part of it.', '',
           '| header | what it is about |', '|---|---|']
    for p in all_pages:
        first = re.split(r'(?<=[.:])\s', p.intro.replace('\n', ' '))[0].rstrip(':')
        out.append('| [%s](%s.md) | %s |' % (p.name, p.name[:-2], first))
    out += ['', '## All symbols', '', '| symbol | kind | header |', '|---|---|---|']
    out += ['| [`%s`](%s.md#%s) | %s | %s.h |' % (n, h, n, k, h) for n, h, k in rows]
    return '\n'.join(out) + '\n'


def first_names(known, root):
    """Mistakes of docs/manual/fifty-names.md: its table has at most 50 functions, its programs use each of them and no other, and
    examples and tutorials use only those and what its last paragraph names."""
    page = os.path.join(root, 'docs', 'manual', 'fifty-names.md')
    with open(page, encoding='utf-8') as file:
        text = file.read()
    code = re.compile(r'^```c\n(.*?)^```', re.M | re.S)
    names = set(re.findall(r'^\| `(heft_\w+)`', text, re.M))
    programs = set(FUNCTION.findall(''.join(code.findall(text))))
    beside = [re.compile(n.replace('...', r'\w*') + '$') for n in re.findall(r'`(heft_[\w.]+)`', text.rsplit('\n\n', 1)[1])]
    if len(names) > 50:
        yield 'fifty-names.md: %d names in the table, at most 50' % len(names)
    for name in sorted(names - known):
        yield 'fifty-names.md: there is no %s' % name
    for name in sorted(names ^ programs):
        yield 'fifty-names.md: %s is %s' % (name, 'in no program' if name in names else 'in no row of the table')
    for path in glob.glob(os.path.join(root, 'examples', '*.c')) + glob.glob(os.path.join(root, 'docs', 'tutorials', '*.md')):
        with open(path, encoding='utf-8') as file:
            source = file.read()
        used = FUNCTION.findall(source if path.endswith('.c') else ''.join(code.findall(source)))
        for name in sorted(set(used) - names):
            if not any(pattern.match(name) for pattern in beside):
                yield '%s: %s is not among the first names, nor in the last paragraph of fifty-names.md' % (os.path.relpath(path, root), name)


def main():
    global INCLUDE
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    if len(sys.argv) == 3:
        INCLUDE = os.path.join(sys.argv[2], 'include', 'heft')
    description, all_pages = pages()
    if sys.argv[1] == '--check':
        known = {e.name for p in all_pages for e in p.entries}
        wrong = [w for p in all_pages for w in p.missing()]
        wrong += ['%s: %s is on no page' % (f['header'], f['name']) for f in description.functions if f['name'] not in known]
        wrong += first_names(known, sys.argv[2] if len(sys.argv) == 3 else ROOT)
        sizes = {p.name: sum(e.kind != 'section' for e in p.entries) for p in all_pages}
        wrong += ['%s: %d names, at most %d' % (name, n, HEADER_NAMES) for name, n in sizes.items() if n > HEADER_NAMES]
        for line in wrong:
            print(line)
        entries = sum(e.kind != 'section' for p in all_pages for e in p.entries)
        print('c_reference: %d symbols in %d headers, %d without a text or a unit' % (entries, len(all_pages), len(wrong)))
        sys.exit(1 if wrong else 0)
    os.makedirs(sys.argv[1], exist_ok=True)
    for page in all_pages:
        with open(os.path.join(sys.argv[1], page.name[:-2] + '.md'), 'w', encoding='utf-8') as file:
            file.write(page.markdown() + '\n')
    with open(os.path.join(sys.argv[1], 'index.md'), 'w', encoding='utf-8') as file:
        file.write(index(all_pages))


if __name__ == '__main__':
    main()
