#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The one description of the C interface: reads the headers of include/heft and writes api.json, from which the
bindings of Python, JavaScript and Rust, the C reference and the misuse tests are made.

    tools/api.py OUTPUT.json [INCLUDE_FOLDER]     writes the description
    tools/api.py --check [INCLUDE_FOLDER]         exit code 1 if a pointer of a public function has no stated
                                                  direction, or an array no stated length

The facts are in the headers. C types say most of them: a pointer to a struct is one object, const is read, a T** of an
opaque type is a new object of the caller's, `const char*` is a terminated string. A line of the comment that begins with a
direction says the rest:

    /// [in] q[nq], v[nv]; [out] tau[nv]

[in] is read, [out] written, [in,out] both, [scratch] is memory of the caller whose content means nothing; [return] is about
the result. A length is a size of the model (nq), a parameter (count), a constant, a number or an expression; two
of them make a matrix, row by row. Prose says what may be NULL: "x may be NULL", "x and y may be NULL".

Form of api.json: {"lists": {name: rows}, "headers": [{"name", "installed", "doc", "entries": [...]}]}. An entry has a
"kind" (section, function, enum, struct, handle, callback, constant, macro), a name and a doc; see the functions below.
"""
import json
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# Headers that are not installed: for the command, the tests and, of sessions, the package of JavaScript.
with open(os.path.join(ROOT, 'tools', 'layers.txt'), encoding='utf-8') as table:
    INSIDE = re.search(r'^open headers:(.*)$', table.read(), re.M).group(1).split()
NOT_INSTALLED = {'view.h', 'view_picture.h', 'view_simulation.h'} | {os.path.basename(path) for path in INSIDE}
# Headers without a declaration of their own.
NO_PAGE = {'export.h', 'heft.h'}

COMMENT = r'((?:^[ ]*///(?!<)[^\n]*\n)*)'
DECLARATION = re.compile('|'.join([
    r'^// ---- (?P<section>[^\n]+)\n',
    COMMENT.replace('(', '(?P<enum_comment>', 1) + r'^typedef enum (?P<enum>\w+) \{(?P<members>.*?)\} (?P=enum);',
    COMMENT.replace('(', '(?P<constant_comment>', 1) + r'^enum \{(?P<constants>[^}]*)\};(?P<constant_after>[ ]*///<[^\n]*)?',
    COMMENT.replace('(', '(?P<struct_comment>', 1) + r'^typedef struct (?P<struct>\w+) \{\n(?P<fields>.*?)^\} (?P=struct);',
    COMMENT.replace('(', '(?P<handle_comment>', 1) + r'^typedef struct (?P<handle>Heft\w+) (?P=handle);(?P<handle_after>[ ]*///<[^\n]*)?',
    COMMENT.replace('(', '(?P<hook_comment>', 1) + r'^typedef (?P<hook_type>[\w ]+?\**) ?(?P<hook>Heft\w+)\((?P<hook_parameters>[^;]*)\);',
    COMMENT.replace('(', '(?P<call_comment>', 1) + r'^(?!typedef|extern|return|static (?!inline))(?P<mark>HEFT_API\s+|static inline\s+)?'
    r'(?P<type>[A-Za-z_][^;{}()#/]*?)\b(?P<call>heft_\w+)\s*\((?P<parameters>[^;{]*?)\)\s*[;{]',
    COMMENT.replace('(', '(?P<def_comment>', 1)
    + r'^HEFT_DEF_FUNCTIONS\((?P<def>\w+),\s*(?P<default>\w+),\s*(?P<init>\w+)\);',
    COMMENT.replace('(', '(?P<list_comment>', 1) + r'^#define (?P<list>HEFT_\w+_LIST)\(X\)',
    COMMENT.replace('(', '(?P<macro_comment>', 1)
    + r'^#define (?P<macro>HEFT_\w+)(?P<macro_parameters>\([^)]*\))?[ ](?P<value>[^\n]*?)[ ]*(?P<macro_after>///<[^\n]*)?\n',
]), re.S | re.M)
PRIVATE = re.compile(r'HEFT_API|\w+_H|HEFT_\w+_(ENUM|FIELD|ENTRY)|HEFT_ENUM_ENTRY|HEFT_PLUGIN_EXPORT|HEFT_DEF_FUNCTIONS')

# Parameters of the type int that are indexes into a model, by their names in all headers.
INDEX = {'body': 'nbody', 'on': 'nbody', 'of': 'nbody', 'other': 'nbody', 'root': 'nbody', 'base': 'nbody', 'site': 'nsite',
         'shape': 'nshape', 'shape_a': 'nshape', 'shape_b': 'nshape', 'material': 'nmaterial', 'pair': 'npair', 'joint': 'njoint',
         'tendon': 'ntendon', 'actuator': 'nactuator', 'sensor': 'nsensor', 'camera': 'ncamera', 'equality': 'nequality',
         'dof': 'nv', 'key': 'nkey'}
ENDS = re.compile(r'_(destroy|close|release)$')
DIRECTION = re.compile(r'\[(in,out|in|out|scratch|return)\]')
PASSED_THROUGH = {'user', 'data'}  # names of void* that Heft hands back and never reads


# ---- text

def strip_comments(text):
    return re.sub(r'//[^\n]*', '', text)


def split_top(text, quotes=False):
    """Parts between the commas that no bracket and, with quotes, no string holds."""
    parts, depth, quoted, part = [], 0, False, ''
    for i, c in enumerate(text):
        quoted ^= quotes and c == '"' and text[i - 1] != '\\'
        depth += 0 if quoted else (c in '([') - (c in ')]')
        if c == ',' and depth == 0 and not quoted:
            parts.append(part)
            part = ''
        else:
            part += c
    return [' '.join(p.split()) for p in parts + [part]]


def plain_comment(text):
    return ' '.join(re.sub(r'///<?', ' ', text or '').split())


def text_of_cell(cell):
    return ' '.join(re.findall(r'"((?:[^"\\]|\\.)*)"', cell))


def text_of_row(row):
    strings = [text_of_cell(part) for part in row[1:] if '"' in part]
    return ': '.join([s for s in strings if s][:2]) or (row[1] if len(row) == 2 else '')


def calls_of_macro(text, macro):
    """Arguments of each MACRO(...) in the text."""
    for m in re.finditer(r'\b%s\(' % macro, text):
        depth, quoted, i = 1, False, m.end()
        while depth:
            c = text[i]
            quoted ^= c == '"' and text[i - 1] != '\\'
            depth += 0 if quoted else (c == '(') - (c == ')')
            i += 1
        yield text[m.end():i - 1]


def read_comment(comment):
    """Lines of a comment without their marks, and its statements about parameters: {name: (direction, lengths)}."""
    lines = [re.sub(r'^[ ]*///<?[ ]?', '', line) for line in (comment or '').splitlines()]
    doc, stated = [], {}
    for line in lines:
        if not DIRECTION.match(line):
            doc.append(line)
            continue
        parts = DIRECTION.split(line)[1:]
        for direction, items in zip(parts[::2], parts[1::2]):
            for item in split_top(items.strip(' ;.')):
                m = re.fullmatch(r'(\w+)((?:\[.*?\])*)', item)
                if not m:
                    raise SystemExit('api.py: "%s": expected a name and lengths, for example q[nq]' % line)
                stated['return' if direction == 'return' else m.group(1)] = (direction, re.findall(r'\[(.*?)\]', m.group(2)))
    return '\n'.join(line for line in doc if not line.startswith('@file')).strip('\n'), stated


# ---- declarations

def read_parameter(text):
    """Name, type and the lengths that C states: a [3], and the columns of (*a)[2]."""
    m = re.match(r'^(.*)\(\*(\w+)\)\[(\w+)\]$', text)
    if m:
        return {'name': m.group(2), 'type': m.group(1).strip() + '(*)[]', 'length': ['', m.group(3)]}
    m = re.match(r'^(.*?)(\w+)\[(\w*)\]$', text)
    if m:
        return {'name': m.group(2), 'type': m.group(1).strip() + '*', 'length': [m.group(3)] if m.group(3) else []}
    m = re.match(r'^([\w *]*?)(\w+)$', text)
    if not m:  # "..." and pointers to functions, in headers that are not installed
        return {'name': '', 'type': 'other', 'length': []}
    return {'name': m.group(2), 'type': m.group(1).strip().replace(' *', '*'), 'length': []}


def read_fields(body):
    """Fields of a struct. Pointers to functions have the type 'function' and their declaration."""
    fields = []
    body = re.sub(r'^[ ]*//(?!/)[^\n]*\n', '', body, flags=re.M)
    statement = re.compile(r'\s*((?:[ ]*///(?!<)[^\n]*\n)*)([^;]*?);[ ]*((?:///<[^\n]*(?:\n\s*|$))*)', re.S)
    for m in statement.finditer(body):
        before, text, after = m.groups()
        inner = re.findall(r'///<[^\n]*', text)
        declaration = ' '.join(strip_comments(text).split())
        if not declaration or declaration.startswith('#'):
            continue
        doc = plain_comment(before + ' '.join(inner) + after)
        if '(*' in declaration:
            fields.append({'name': re.search(r'\(\*(\w+)\)', declaration).group(1), 'type': 'function', 'dims': [], 'doc': doc,
                           'declaration': declaration})
            continue
        first, *others = split_top(declaration)
        kind = re.match(r'^(.*?)\s*(\**\s*\w+(?:\[[^]]+\])*)$', first)
        if not kind:
            raise SystemExit('api.py: field "%s"' % first)
        base = kind.group(1).rstrip('* ')  # "char* name": the star belongs to the name
        stars = '*' * kind.group(1).count('*')
        for one in [stars + kind.group(2)] + others:
            name = re.match(r'^(\**)(\w+)((?:\[[^]]+\])*)$', one.replace(' ', ''))
            fields.append({'name': name.group(2), 'type': base + name.group(1),
                           'dims': re.findall(r'\[([^]]+)\]', name.group(3)), 'doc': doc})
    for field in fields:
        if field['type'].endswith('*') and not field['dims']:
            field['length'] = field_length(field, {f['name'] for f in fields if re.match(r'int|size_t', f['type'])})
    return fields


def field_length(field, counts):
    """Lengths of an array that a field points to, which its text begins with or has in parentheses: "vertex_count x 3, copied",
    "coordinates (nq)"; [] for one object. counts: fields that may be lengths."""
    for m in re.finditer(r'^((?:\w+)(?: x \w+)*)\b(?= ?\[|[,:;]|$)|\(((?:\w+)(?: x \w+)*)\)', field['doc']):
        lengths = (m.group(1) or m.group(2)).split(' x ')
        if all(re.fullmatch(r'\d+|n[a-z]+', n) or n in counts for n in lengths) and not lengths[0].isdigit():
            return lengths
    return []


def list_fields(body, lists):
    """Fields that the rows of a list become: of a struct of one list, or of HeftModel, which has sizes, arrays and more."""
    macro = re.search(r'#define (\w+)\(([^)]*)\)\s*(\w+)[^\n]*\n\s*(HEFT_\w+_LIST)\(\1\)', body)
    if not macro:
        return read_fields(body)
    columns, kind = macro.group(2).split(', '), macro.group(3)  # kind: "type", or that of all fields
    if 'HEFT_MODEL_ARRAY_LIST' not in body:
        return [{'name': row[columns.index('name')], 'dims': [], 'doc': text_of_cell(row[-1]),
                 'type': row[columns.index('type')] if kind == 'type' else kind} for row in lists[macro.group(4)]]
    fields = []
    for name in re.findall(r'^\s*(HEFT_\w+_LIST)\(', body, re.M):
        for row in lists[name]:
            if len(row) == 2:
                fields.append({'name': row[0], 'type': 'int', 'dims': [], 'doc': row[1].strip('"')})
                continue
            length = [row[2].replace('m->', '')] + ([] if row[3] == '1' else [row[3].replace('m->', '')])
            unit = row[4].strip('"')
            fields.append({'name': row[1], 'type': row[0] + '*', 'dims': [], 'length': length, 'doc': '%s%s; %s values' % (
                text_of_cell(row[5]), ' [%s]' % unit if unit else '', ' x '.join(length))})
    return fields + read_fields(re.sub(r'^(#|\s*HEFT_\w+_LIST\().*\n', '', body, flags=re.M))


def read_members(body, lists):
    """Members of an enum, without the count at its end, and the name of that count."""
    members, count = [], ''
    for part in re.finditer(r'^#(?:define|undef)[^\n]*$|(HEFT_\w+_LIST)\(\w+\)|\b(HEFT_[A-Z0-9_]+)\b(?:\s*=\s*(\d+))?'
                            r'\s*,?[ ]*(?:///<([^\n]*(?:\n\s*///<[^\n]*)*))?', body, re.M):
        if part.group(1):
            members += [{'name': row[0], 'doc': text_of_row(row)} for row in lists[part.group(1)]]
        elif part.group(2) and part.group(2).endswith('_COUNT'):
            count = part.group(2)
        elif part.group(2):
            members.append({'name': part.group(2), 'doc': plain_comment(part.group(4))})
            if part.group(3):
                members[-1]['value'] = int(part.group(3))
    for i, member in enumerate(members):
        member.setdefault('value', members[i - 1]['value'] + 1 if i else 0)
    return members, count


# ---- headers

class Reader:
    """Reads headers one after another; the lists of one serve the next."""

    def __init__(self, folder):
        self.folder, self.lists, self.list_doc, self.headers = folder, {}, {}, []
        paths = [os.path.join(folder, n) for n in os.listdir(folder) if n.endswith('.h')]
        inside = [os.path.join(folder, '..', '..', 'src', path) for path in INSIDE]
        paths += [path for path in inside if os.path.exists(path)]
        texts = {}
        for path in sorted(paths, key=os.path.basename):
            with open(path, encoding='utf-8') as file:
                texts[os.path.basename(path)] = file.read()
        for text in texts.values():
            for m in re.finditer(r'^#define (HEFT_\w+_LIST)\(X\)((?:.*\\\n)*.*)$', text, re.M):
                body = re.sub(r'\\\n', ' ', m.group(2))
                self.lists[m.group(1)] = [split_top(row, quotes=True) for row in calls_of_macro(body, 'X')]
        for name, text in texts.items():
            self.headers.append(self.read(name, text))

    def read(self, name, text):
        self.entries, self.last = [], ''
        intro = re.match(r'(?:// [^\n]*\n)((?:///[^\n]*\n)*)', text)
        end = 0
        for m in DECLARATION.finditer(text):
            between = text[end:m.start()]
            end = m.end()
            self.add({k: v for k, v in m.groupdict().items() if v is not None}, between)
        for e in self.entries:
            e['header'] = name
        return {'name': name, 'installed': name not in NOT_INSTALLED, 'doc': read_comment(intro.group(1))[0] if intro else '',
                'entries': self.entries}

    def entry(self, kind, name, doc, **more):
        if not any(e['name'] == name for e in self.entries if e['kind'] == kind):
            self.entries.append({'kind': kind, 'name': name, 'doc': doc, **more})

    def add(self, g, between):
        if 'section' in g:
            self.entries.append({'kind': 'section', 'name': g['section'].strip(' -')})
            self.last = ''
            return
        doc, stated = read_comment(next(v for k, v in g.items() if k.endswith('_comment')))
        if 'list' in g:
            self.list_doc[g['list']] = doc
            return
        own = bool(doc)
        # The comment above a run of declarations without a blank line speaks of all of them.
        if not own and 'call' in g and between.strip() == '' and between.count('\n') <= 1:
            doc = self.last
        self.last = doc
        if 'call' in g:
            self.function(g, doc, stated, own)
        elif 'def' in g:
            self.def_functions(g, doc)
        else:
            self.type(g, doc)

    def function(self, g, doc, stated, own):
        parameters = [read_parameter(p) for p in split_top(strip_comments(g['parameters'])) if p not in ('void', '')]
        mark = g.get('mark', '').strip()
        known = {p['name'] for p in parameters} | {'return'}
        for name in stated:
            if name not in known:
                raise SystemExit('api.py: %s has no parameter %s' % (g['call'], name))
        self.entry('function', g['call'], doc, own=own, exported=mark == 'HEFT_API', inline=mark.startswith('static'),
                   type=' '.join(g['type'].split()).replace(' *', '*'), parameters=parameters, stated=stated)

    def def_functions(self, g, doc):
        self.entry('function', g['default'], doc or 'The usual values of a `%s`.' % g['def'], own=True, exported=False, inline=True,
                   type=g['def'], parameters=[], stated={})
        self.entry('function', g['init'], 'Used by `%s()`: sets the usual values and the cookie.' % g['default'], own=True,
                   exported=True, inline=False, type='void', stated={'def': ('out', [])}, parameters=[
                       {'name': 'def', 'type': g['def'] + '*', 'length': []},
                       {'name': 'cookie', 'type': 'uint32_t', 'length': []}])

    def type(self, g, doc):
        if 'enum' in g:
            used = re.search(r'(HEFT_\w+_LIST)', g['members'])
            doc = doc or (self.list_doc.get(used.group(1), '') if used else '')
            members, count = read_members(g['members'], self.lists)
            self.entry('enum', g['enum'], re.sub(r':?\s*X\([^)]*\)', '', doc), members=members, count=count)
        elif 'constants' in g:
            after = plain_comment(g.get('constant_after'))
            for m in re.finditer(r'(HEFT_\w+) = ([^,/}]+?)\s*(?:,|$|(?=///))[ ]*(///<[^\n]*)?', g['constants'].strip(), re.M):
                self.entry('constant', m.group(1), doc or plain_comment(m.group(3)) or after, value=m.group(2).strip())
        elif 'struct' in g:
            self.entry('struct', g['struct'], doc, fields=list_fields(g['fields'], self.lists))
        elif 'handle' in g:
            self.entry('handle', g['handle'], doc or read_comment(g.get('handle_after'))[0])
        elif 'hook' in g:
            self.entry('callback', g['hook'], doc, type=g['hook_type'], parameters=g['hook_parameters'])
        elif 'macro' in g and not PRIVATE.fullmatch(g['macro']):
            value = '' if g['value'].endswith('\\') else g['value'].strip()
            self.entry('macro', g['macro'], doc or read_comment(g.get('macro_after'))[0], value=value,
                       parameters=g.get('macro_parameters', ''))


# ---- facts about parameters

def nullable_parameters(function):
    """Parameters that may be NULL by the comment: "x may be NULL", "x and y may be NULL", "x (nv, may be NULL)";
    "each may be NULL" and "NULL is allowed" speak of all."""
    comment, names = ' '.join(function['doc'].split()), set()
    for name in [p['name'] for p in function['parameters']]:
        if re.search(r'\b%s\b(`?,? which|,? \([^)]*\)| and \w+| or \w+)* may be NULL' % name, comment) or \
                re.search(r'\b%s \([^)]*may be NULL' % name, comment):
            names.add(name)
    if 'each may be NULL' in comment:
        names |= {p['name'] for p in function['parameters'][1:] if p['type'].endswith('*')}
    if function['own'] and re.search(r'(^|[.] )NULL is allowed', comment):
        names |= {p['name'] for p in function['parameters'] if p['type'].endswith('*')}
    return names


class Facts:
    """Completes the parameters of all functions."""

    def __init__(self, headers):
        entries = [e for h in headers for e in h['entries']]
        self.structs = {e['name'] for e in entries if e['kind'] == 'struct'}
        self.hooks = {e['name'] for e in entries if e['kind'] == 'callback'}
        functions = [e for e in entries if e['kind'] == 'function']
        self.enders = {f['parameters'][0]['type'][:-1]: f['name'] for f in functions
                       if re.search(r'_(destroy|close)$', f['name']) and f['parameters']}
        self.handles = {e['name'] for e in entries if e['kind'] == 'handle'} - self.structs | set(self.enders)
        self.missing = []
        for f in functions:
            self.function(f)
        releasers = {f['parameters'][0]['base']: f['name'] for f in functions if f['name'].endswith('_release')}
        for f in functions:  # a struct whose memory the caller releases
            for p in f['parameters']:
                if p['direction'] == 'out' and p['base'] in releasers:
                    p['ownership'] = 'created'
        for e in entries:
            if e['name'] in releasers:
                e['released_by'] = releasers[e['name']]
            if e['name'] in self.enders and e['kind'] in ('handle', 'struct'):
                e['destroyed_by'] = self.enders[e['name']]

    def function(self, f):
        nullable, stated = nullable_parameters(f), f.pop('stated')
        if 'return' in stated:
            f['length'] = stated['return'][1]
        elif re.fullmatch(r'(const )?(double|int|int64_t|bool|float)\*', f['type']):
            self.missing.append((f, {'name': 'return', 'direction': 'out'}))
        if '*' in f['type']:
            f['ownership'] = 'created' if not f['type'].startswith('const') and f['name'].endswith('_create') else 'borrowed'
        for p in f['parameters']:
            direction, length = stated.get(p['name'], ('', []))
            if '' in p['length']:  # rows of a matrix
                p['length'] = [length[0] if length else '', p['length'][1]]
            else:
                p['length'] = p['length'] or length
            p['base'] = re.sub(r'const |\*|\(\*\)\[\]', '', p['type']).strip()
            if '*' in p['type']:
                self.pointer(f, p, direction, p['name'] in nullable)
            else:
                self.value(f, p)

    @staticmethod
    def value(f, p):
        p['direction'] = 'in'
        if p['type'] == 'int' and p['name'] in INDEX:
            p['index_of'] = INDEX[p['name']]
            # "base: body at which the neck begins; -1: the chest"
            p['min'] = -1 if re.search(r'\b%s: [^.]*; -1:' % p['name'], ' '.join(f['doc'].split())) else 0

    def pointer(self, f, p, direction, nullable):
        base = p['base']
        const = p['type'].startswith('const') and not p['type'].endswith('**')
        p['nullable'] = nullable or base in ('HeftError', 'HeftAllocator') or (base == 'void' and p['name'] in PASSED_THROUGH) \
            or base in self.hooks or bool(ENDS.search(f['name']))
        p['ownership'] = 'borrowed'
        if p['type'].endswith('**'):
            p['ownership'], implied = ('borrowed' if p['type'].startswith('const') else 'created'), 'out'
        elif ENDS.search(f['name']) and p is f['parameters'][0]:
            p['ownership'], implied = 'destroyed', 'in'
        elif base == 'HeftError':
            implied = 'in' if const else 'out'
        elif base in self.handles:
            implied = 'in' if const else 'in,out'
        elif base in self.hooks or (base == 'void' and p['name'] in PASSED_THROUGH):
            implied = 'in'
        elif const and base in self.structs | {'char'}:
            implied = '' if base != 'char' and re.search('[^s]s$', p['name']) else 'in'  # "loads" may be several
        elif f['name'].endswith('_init') and base in self.structs:
            implied = 'out'
        else:
            implied = 'in' if const and p['length'] else ''
        p['direction'] = direction or implied
        one = p['type'].endswith('**') or base in self.structs | self.handles | self.hooks or \
            (base == 'void' and p['name'] in PASSED_THROUGH) or p['type'] == 'const char*' or \
            (direction == 'out' and base not in ('void', 'char'))
        if not p['direction'] or (not one and not p['length']) or (p['length'] and not p['length'][0]):
            self.missing.append((f, p))
        if const and p['direction'] not in ('in', ''):
            raise SystemExit('api.py: %s: %s is const and cannot be [%s]' % (f['name'], p['name'], p['direction']))


# ---- units and texts of fields

# Words of a comment that make a number a pure one.
PURE = re.compile(r"\bunit\b|coefficient|Coulomb|\bshare\b|fraction|relative|ratio\b|weight|colour|red, green|orientation|rotation|0 to 1|"
                  r"factor|exponent|repetitions|dimensionless|emission|normal ×|outward|texture coordinates|operations|"
                  r"per (?:metre|newton|turn)|turns of the motor")


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


def field_text(field, names, array, types):
    """The text of a field that its header gives elsewhere: that of the model's array, of its type, or of the field that it counts."""
    name, base = field['name'], re.sub(r'const |\*', '', field['type']).strip()
    if array:
        return array
    if base == 'HeftAllocator':
        return 'source of all memory'
    if base in types:
        return 'see %s' % base
    if name.endswith('_count'):
        stem = name[:-6]
        for other in names:
            if other in (stem, stem + 's') or other == re.sub(r'(ex|ix)$', 'ices', stem):
                return 'number of elements of %s' % other
    if name == 'count' and len(names) == 2:
        return 'number of elements of %s' % next(n for n in names if n != name)
    return ''


def complete_fields(headers):
    entries = [e for h in headers if h['installed'] for e in h['entries']]
    arrays = {f['name']: f['doc'] for e in entries if e['name'] == 'HeftModel' and e['kind'] == 'struct' for f in e['fields']}
    arrays = {n: 'unique name' if n.endswith('_name') else re.sub(r'; n\w+( x .*)? values$', '', d) for n, d in arrays.items()}
    types = {e['name'] for e in entries if e['kind'] in ('enum', 'struct', 'callback')}
    for e in entries:
        if e['kind'] != 'struct':
            continue
        thing = re.sub(r'(?<!^)(?=[A-Z])', '_', re.sub(r'^Heft|Def$', '', e['name'])).lower()
        names = [f['name'] for f in e['fields']]
        for f in e['fields']:
            f['text'] = f['doc'] or field_text(f, names, arrays.get('%s_%s' % (thing, f['name'])), types)
            f['unit'] = '1' if f['type'] == 'HeftQuat' else unit_of(f['text'], arrays)


# ---- the description, and a view of it for the programs that use it

def describe(folder):
    reader = Reader(folder)
    facts = Facts(reader.headers)
    complete_fields(reader.headers)
    return {'lists': reader.lists, 'headers': reader.headers}, facts


class Api:
    """What api.json holds, by kind. headers: names of headers to leave out."""

    def __init__(self, description, without=NOT_INSTALLED):
        self.headers = [h for h in description['headers'] if h['name'] not in without]
        self.lists = description['lists']
        entries = [e for h in self.headers for e in h['entries']]
        self.all_functions = [e for e in entries if e['kind'] == 'function']
        self.functions = [f for f in self.all_functions if f['exported']]
        self.enums = {e['name']: e for e in entries if e['kind'] == 'enum'}
        self.structs = {e['name']: e for e in entries if e['kind'] == 'struct'}
        self.hooks = {e['name'] for e in entries if e['kind'] == 'callback'}
        self.enders = {e['name']: e['destroyed_by'] for e in entries if 'destroyed_by' in e}
        self.defaults = {f['type']: f for f in self.all_functions if f['name'].endswith('_default')}
        self.sizes = {row[0] for row in self.lists.get('HEFT_MODEL_SIZE_LIST', [])}
        self.constants = {e['name']: int(e['value']) for e in entries if e['kind'] == 'constant' and e['value'].isdigit()}
        self.constants.update({e['count']: len(e['members']) for e in self.enums.values() if e['count']})

    def number(self, text):
        """A dimension: a number, a constant, or the count at the end of an enum."""
        return int(text) if text.isdigit() else self.constants[text]

    def vector(self, name):
        """Shape of a struct of plain numbers of math.h, which languages with arrays show as an array; None for another type."""
        struct = self.structs.get(name)
        if not struct or struct['header'] not in ('math.h', 'spatial.h') or any(f['type'] != 'double' for f in struct['fields']):
            return None
        fields = struct['fields']
        return tuple(int(d) for d in fields[0]['dims']) if len(fields) == 1 else (len(fields),)


def comment_of(entry):
    """The doc of an entry in one line."""
    return ' '.join(entry['doc'].split())


def member_names(members):
    """Members without the words that all of them begin with: HEFT_STEP_SOLVED is SOLVED."""
    parts = [m['name'].split('_') for m in members]
    common = 0
    while len(members) > 1 and all(len(p) > common + 1 and p[common] == parts[0][common] for p in parts):
        common += 1
    names = ['_'.join(p[common if len(members) > 1 else 1:]) for p in parts]
    return [('N' + n if n[0].isdigit() else n) for n in names]


def load(path):
    """The description of a file api.json, or of the headers of a folder."""
    if os.path.isdir(path):
        return describe(path)[0]
    with open(path, encoding='utf-8') as file:
        return json.load(file)


def write(path, text):
    """Writes a file if it changed, so that nothing is built again for nothing."""
    if os.path.islink(path):
        os.remove(path)
    if os.path.exists(path):
        with open(path, encoding='utf-8') as file:
            if file.read() == text:
                return
    os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
    with open(path, 'w', encoding='utf-8') as file:
        file.write(text)


def unknown_lengths(description):
    """Lengths that are one word, but neither a number nor the name of a parameter, a constant or a size of a model."""
    api = Api(description)
    counts = {f['name'] for s in api.structs.values() for f in s['fields'] if f['type'] == 'int'} | set(api.constants)
    for f in api.all_functions:
        known = counts | {p['name'] for p in f['parameters']}
        for name, lengths in [(p['name'], p['length']) for p in f['parameters']] + [('return', f.get('length', []))]:
            for length in lengths:
                if re.fullmatch(r'[A-Za-z_]\w*', length) and length not in known:
                    yield '%s: %s: %s has the length %s, which is no size, constant or parameter' % (f['header'], f['name'], name, length)


def check(description, facts):
    wrong = ['%s: %s: pointer %s has no stated %s; write a line such as "/// [out] %s[nv]" above the function' % (
        f['header'], f['name'], p['name'], 'length' if p['direction'] else 'direction', p['name'])
        for f, p in facts.missing if f['header'] not in NOT_INSTALLED]
    wrong += unknown_lengths(description)
    for line in wrong:
        print(line)
    print('api: %d pointers without a stated direction or a known length' % len(wrong))
    return 1 if wrong else 0


def main():
    if len(sys.argv) not in (2, 3) or sys.argv[1].startswith('-') and sys.argv[1] != '--check':
        sys.exit(__doc__)
    description, facts = describe(sys.argv[2] if len(sys.argv) == 3 else os.path.join(ROOT, 'include', 'heft'))
    if sys.argv[1] == '--check':
        sys.exit(check(description, facts))
    write(sys.argv[1], json.dumps(description, indent=1, ensure_ascii=False) + '\n')


if __name__ == '__main__':
    main()
