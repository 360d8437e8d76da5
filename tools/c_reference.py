#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the reference of the C interface, one Markdown page for each public header.

    tools/c_reference.py FOLDER     writes HEADER.md for each header, and index.md with all symbols
    tools/c_reference.py --check    exit code 1 if a function, type, field, member or constant has no
                                    text, if a field of real numbers has no unit, or if a function of
                                    the headers is on no page
    ... [ROOT]                      default: this repository

The text is that of the headers: comments before a declaration, and behind a field or a member. A comment
also speaks of the functions that follow it without a blank line, and a section ("// ---- name") becomes a
heading. A page says for each field its type and, where the comment has one, its unit.

Where a header need not repeat itself, the page takes what the header says elsewhere: a field of a
HeftThingDef has the text of the model's array thing_field; a field of a Heft type that of its type; x_count is
the number of elements of the field x; a type tells which functions take, return and release it."""
import os
import re
import sys

import header_parser
from header_parser import plain_comment, read_fields, strip_comments

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
INCLUDE = os.path.join(ROOT, 'include', 'heft')
COMMENT = r'((?:^[ ]*///(?!<)[^\n]*\n)*)'
DECLARATION = re.compile('|'.join([
    r'^// ---- (?P<section>[^\n]+)\n',
    COMMENT.replace('(', '(?P<enum_comment>', 1) + r'^typedef enum (?P<enum>\w+) \{(?P<members>.*?)\} (?P=enum);',
    COMMENT.replace('(', '(?P<struct_comment>', 1) + r'^typedef struct (?P<struct>\w+) \{\n(?P<fields>.*?)^\} (?P=struct);',
    COMMENT.replace('(', '(?P<handle_comment>', 1) + r'^typedef struct (?P<handle>Heft\w+) (?P=handle);(?P<handle_after>[ ]*///<[^\n]*)?',
    COMMENT.replace('(', '(?P<hook_comment>', 1) + r'^typedef (?P<hook_type>[\w ]+?\**) ?(?P<hook>Heft\w+)\((?P<hook_parameters>[^;]*)\);',
    COMMENT.replace('(', '(?P<call_comment>', 1)
    + r'^(?:HEFT_API|static inline)\s+(?P<type>[^;{(]*?)\b(?P<call>heft_\w+)\s*\((?P<parameters>[^;{]*?)\)\s*[;{]',
    COMMENT.replace('(', '(?P<def_comment>', 1)
    + r'^HEFT_DEF_FUNCTIONS\((?P<def>\w+),\s*(?P<default>\w+),\s*(?P<init>\w+)\);',
    COMMENT.replace('(', '(?P<list_comment>', 1) + r'^#define (?P<list>HEFT_\w+_LIST)\(X\)',
    COMMENT.replace('(', '(?P<macro_comment>', 1)
    + r'^#define (?P<macro>HEFT_\w+)(?P<macro_parameters>\([^)]*\))?[ ](?P<value>[^\n]*?)[ ]*(?P<macro_after>///<[^\n]*)?\n',
]), re.S | re.M)
PRIVATE = re.compile(r'HEFT_API|\w+_H|HEFT_\w+_(ENUM|FIELD|ENTRY)|HEFT_ENUM_ENTRY|HEFT_PLUGIN_EXPORT|HEFT_DEF_FUNCTIONS')


class Entry:
    def __init__(self, kind, name, text, declaration='', rows=(), at=0):
        self.kind, self.name, self.text, self.declaration, self.rows, self.at = kind, name, text, declaration, list(rows), at


def prose(comment):
    """The comment as Markdown: lists and tables keep their lines, other lines flow together."""
    lines = [re.sub(r'^[ ]*///<?[ ]?', '', line) for line in (comment or '').splitlines()]
    lines = [line for line in lines if not line.startswith('@file')]
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


# Words of a comment that make a number a pure one.
PURE = re.compile(r"\bunit\b|coefficient|Coulomb|\bshare\b|fraction|relative|ratio\b|weight|colour|red, green|orientation|rotation|0 to 1|"
                  r"factor|exponent|repetitions|dimensionless|emission|normal ×|outward|texture coordinates|operations|"
                  r"per (?:metre|newton|turn)|turns of the motor")
REAL = re.compile(r'(?:const )?(?:double|float|HeftVec3|HeftMat3|HeftSym3|HeftSpatial)\b(?!.*\(\*)')


def unit_of(text, others=None):
    """The unit of a field, from its comment: in brackets ("length of a step [s], up to 10"); in words ("in the unit of the sensor");
    1 for a pure number ("coefficient of friction"). others: texts of other fields that it may refer to ("see shape_size")."""
    for found in re.findall(r'\[([^\][]*)\]', text):
        if found == '1' or not re.fullmatch(r'[\w ]*\d+[\w ]*', found):
            return found
    words = re.search(r'\bin ((?:any|its|their|the same) units?\b|the units? of [\w\' ]+)', text)
    if words:
        return words.group(1)
    for name in re.findall(r'\bsee (\w+)', text):
        if others and name in others:
            return unit_of(others[name])
    return '1' if PURE.search(text) else ''


def bare(text):
    return re.sub(r'[ ]*\n[ ]*', '\n' + ' ' * 4, strip_comments(text).strip())


class Page:
    def __init__(self, name, header):
        with open(os.path.join(INCLUDE, name), encoding='utf-8') as file:
            self.text = file.read()
        self.name, self.header, self.entries, self.list_text = name, header, [], {}
        lists, enums, structs = header.lists(), header.enum_members(), header.structs()
        self.intro = prose(re.match(r'(?:// [^\n]*\n)((?:///[^\n]*\n)*)', self.text).group(1))
        last, end = '', 0
        for m in DECLARATION.finditer(self.text):
            g = {k: v for k, v in m.groupdict().items() if v is not None}
            between = self.text[end:m.start()]
            end = m.end()
            if 'section' in g:
                self.entries.append(Entry('section', g['section'].strip(' -'), 'x'))
                last = ''
                continue
            if 'list' in g:
                self.list_text[g['list']] = prose(g['list_comment'])
                continue
            comment = next(v for k, v in m.groupdict().items() if k.endswith('_comment') and v is not None)
            own = prose(comment)
            # The comment above a run of declarations without a blank line speaks of all of them.
            if not own and 'call' in g and '\n\n' not in between.lstrip('\n') and between.strip() == '' and between.count('\n') <= 1:
                own = last
            last = own
            self.add(g, own, lists, enums, structs)

    def add(self, g, text, lists, enums, structs):
        if 'enum' in g:
            members = enums[g['enum']]['members']
            used = re.search(r'(HEFT_\w+_LIST)', g['members'])
            text = text or (self.list_text.get(used.group(1), '') if used else '')
            text = re.sub(r':?\s*X\([^)]*\)', '', text)
            self.entries.append(Entry('enum', g['enum'], text, rows=members))
        elif 'struct' in g:
            fields = structs[g['struct']]['fields'] or self.listed_fields(g, lists)
            rows = [(f['name'], self.field_type(f, g['fields']), f['comment']) for f in fields]
            self.entries.append(Entry('struct', g['struct'], text, rows=rows))
        elif 'handle' in g:
            if not any(e.name == g['handle'] for e in self.entries):
                self.entries.append(Entry('handle', g['handle'], text or prose(g.get('handle_after')),
                                          'typedef struct %s %s;' % (g['handle'], g['handle'])))
        elif 'hook' in g:
            self.entries.append(Entry('callback', g['hook'], text,
                                      'typedef %s %s(%s);' % (g['hook_type'], g['hook'], bare(g['hook_parameters']))))
        elif 'call' in g:
            kind = ' '.join(g['type'].split())
            self.entries.append(Entry('function', g['call'], text, '%s %s(%s);' % (kind, g['call'], bare(g['parameters']))))
        elif 'def' in g:
            self.entries.append(Entry('function', g['default'], text or 'The usual values of a `%s`.' % g['def'],
                                      '%s %s(void);' % (g['def'], g['default'])))
            self.entries.append(Entry('function', g['init'],
                                      'Used by `%s()`: sets the usual values and the cookie.' % g['default'],
                                      'void %s(%s* def, uint32_t cookie);' % (g['init'], g['def'])))
        elif 'macro' in g and not PRIVATE.fullmatch(g['macro']):
            text = text or prose(g.get('macro_after'))
            value = '' if g['value'].endswith('\\') else ' ' + g['value'].strip()
            if not any(e.name == g['macro'] for e in self.entries):
                self.entries.append(Entry('macro', g['macro'], text, '#define %s%s%s' % (
                    g['macro'], g.get('macro_parameters', ''), value)))

    @staticmethod
    def field_type(field, body):
        """Type of a field; of a pointer to a function its whole declaration."""
        if field['type'] != 'function':
            return field['type'] + ''.join('[%s]' % d for d in field['dims'])
        found = re.search(r'^[ ]*(\w[^;/]*?\(\*%s\)[^;]*);' % field['name'], body, re.M)
        return ' '.join(found.group(1).split())

    def listed_fields(self, g, lists):
        """The fields of HeftModel: sizes and arrays from the lists, then those that are written out."""
        fields = []
        for name in re.findall(r'^\s*(HEFT_\w+_LIST)\(', g['fields'], re.M):
            for row in lists[name]:
                if len(row) == 2:
                    fields.append({'name': row[0], 'type': 'int', 'dims': [], 'comment': row[1].strip('"')})
                else:
                    meaning = ' '.join(re.findall(r'"((?:[^"\\]|\\.)*)"', row[5]))
                    size = row[2].replace('m->', '') + ('' if row[3] == '1' else ' x ' + row[3].replace('m->', ''))
                    unit = row[4].strip('"')
                    fields.append({'name': row[1], 'type': row[0] + '*', 'dims': [],
                                   'comment': '%s%s; %s values' % (meaning, ' [%s]' % unit if unit else '', size)})
        rest = re.sub(r'^(#|\s*HEFT_\w+_LIST\().*\n', '', g['fields'], flags=re.M)
        return fields + read_fields(rest)

    def complete(self, texts, arrays):
        """Texts that the headers give elsewhere. texts: first sentence of each type; arrays: those of the model."""
        self.others = arrays
        for e in self.entries:
            if e.kind == 'struct':
                thing = re.sub(r'(?<!^)(?=[A-Z])', '_', re.sub(r'^Heft|Def$', '', e.name)).lower()
                names = [row[0] for row in e.rows]
                e.rows = [(n, t, c or self.field_text(n, t, names, arrays.get('%s_%s' % (thing, n)), texts))
                          for n, t, c in e.rows]
            e.own = e.text
            if e.kind in ('struct', 'handle'):
                uses = self.uses(e.name)
                e.text = '\n\n'.join(filter(None, [e.text, uses]))

    @staticmethod
    def field_text(name, kind, names, array, texts):
        base = re.sub(r'const |\*|\[.*', '', kind).strip()
        if array:
            return array
        if base == 'HeftAllocator':
            return 'source of all memory'
        if base in texts:
            return 'see %s' % base
        if name.endswith('_count'):
            stem = name[:-6]
            for other in names:
                if other in (stem, stem + 's') or other == re.sub(r'(ex|ix)$', 'ices', stem):
                    return 'number of elements of %s' % other
        if name == 'count' and len(names) == 2:
            return 'number of elements of %s' % next(n for n in names if n != name)
        return ''

    def uses(self, kind):
        """Functions that make, release, take or return a type."""
        made, ended, takes = [], [], []
        for f in self.header.functions:
            types = [t.replace('const ', '') for t, _ in f['parameters']]
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
                out += ['| `%s` | `%s` | %s | %s |' % (n, t, cell('1' if t.startswith('HeftQuat') else unit_of(c, self.others)), cell(c)) for n, t, c in e.rows] + ['']
        return '\n'.join(out)

    def missing(self):
        """What has no text."""
        for e in self.entries:
            if e.kind != 'section' and not e.own:
                yield '%s: %s %s has no text' % (self.name, e.kind, e.name)
            for row in e.rows:
                if not row[-1]:
                    yield '%s: %s.%s has no text' % (self.name, e.name, row[0])
                elif e.kind == 'struct' and REAL.match(row[1]) and not unit_of(row[-1], self.others):
                    yield '%s: %s.%s has no unit: say [m], [1] for a pure number, or "in the unit of ..."' % (self.name, e.name, row[0])


def pages():
    header = header_parser.Header(INCLUDE)
    found = [Page(name, header) for name in sorted(os.listdir(INCLUDE))
             if name.endswith('.h') and name not in header_parser.NOT_PUBLIC | {'export.h', 'heft.h'}]
    arrays = {row[0]: row[2] for p in found for e in p.entries if e.name == 'HeftModel' for row in e.rows}
    arrays = {n: 'unique name' if n.endswith('_name') else re.sub(r'; n\w+( x .*)? values$', '', c) for n, c in arrays.items()}
    types = {e.name for p in found for e in p.entries if e.kind in ('enum', 'struct', 'callback')}
    for page in found:
        page.complete(types, arrays)
    return header, found


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


def main():
    global INCLUDE
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    if len(sys.argv) == 3:
        INCLUDE = os.path.join(sys.argv[2], 'include', 'heft')
    header, all_pages = pages()
    if sys.argv[1] == '--check':
        known = {e.name for p in all_pages for e in p.entries}
        wrong = [w for p in all_pages for w in p.missing()]
        wrong += ['%s: %s is on no page' % (f.get('header', '?'), f['name']) for f in header.functions if f['name'] not in known]
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
