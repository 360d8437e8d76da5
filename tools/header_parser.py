# SPDX-License-Identifier: Apache-2.0
"""Reads the public headers: functions with their comments, structs with their fields, enums with their
members. Used by tests/api/misuse.py (wrong calls of every function), tools/python_bindings.py and
tools/js_bindings.py."""
import os
import re

# Headers of programs, which are not installed.
NOT_PUBLIC = {'view.h', 'emulate.h', 'identify.h', 'link.h', 'mcap.h', 'serve.h', 'session_log.h'}


def strip_comments(text):
    return re.sub(r'//[^\n]*', '', text)


def split_parameters(text):
    parts, depth, part = [], 0, ''
    for c in text:
        depth += (c == '(') - (c == ')')
        if c == ',' and depth == 0:
            parts.append(part)
            part = ''
        else:
            part += c
    return [' '.join(p.split()) for p in parts + [part]]


class Header:
    """Functions with their comments, and the kinds of types, of all headers together."""

    def __init__(self, folder, without=NOT_PUBLIC):
        self.functions, self.enums, self.bodies, texts = [], set(), {}, ''
        for name in sorted(os.listdir(folder)):
            if not name.endswith('.h') or name in without:
                continue
            with open(os.path.join(folder, name)) as file:
                text = file.read()
            texts += text
            first = len(self.functions)
            self.read_functions(text)
            for function in self.functions[first:]:
                function['header'] = name
        self.text = texts
        plain = strip_comments(texts)
        self.enums = set(re.findall(r'typedef enum (\w+)', plain))
        for m in re.finditer(r'typedef struct (\w+) \{(.*?)^\} \1;', plain, re.S | re.M):
            self.bodies[m.group(1)] = m.group(2)
        self.hooks = set(re.findall(r'typedef \w+ (Heft\w+)\(', plain))
        self.read_defs(plain)
        self.enders = {f['parameters'][0][0][:-1]: f['name'] for f in self.functions
                       if re.search(r'_(destroy|close)$', f['name'])}

    def read_defs(self, plain):
        """The default function of each def; those that HEFT_DEF_FUNCTIONS declares have an exported init."""
        self.defaults = {f['type']: f for f in self.functions if f['name'].endswith('_default')}
        for kind, usual, init in re.findall(r'^HEFT_DEF_FUNCTIONS\((\w+),\s*(\w+),\s*(\w+)\);', plain, re.M):
            self.defaults[kind] = {'name': usual, 'parameters': []}
            self.functions.append({'name': init, 'type': 'void', 'comment': '', 'own': False,
                                   'parameters': [(kind + '*', 'def'), ('uint32_t', 'cookie')]})
        for kind, usual, parameters in re.findall(r'^static inline (\w+) (heft_\w+_default)\((.*?)\) \{', plain, re.M):
            self.defaults[kind] = {'name': usual, 'parameters': [] if parameters == 'void' else [parameters]}

    def read_functions(self, text):
        pattern = re.compile(r'((?:^[ ]*//[^\n]*\n)*)^HEFT_API\s+([^;{(]*?)\b(heft_\w+)\s*\(([^;]*?)\)\s*;', re.S | re.M)
        last = ''
        for m in pattern.finditer(text):
            comment, kind, name, parameters = m.groups()
            # A comment also speaks of the functions that follow it without one of their own.
            between = text[:m.start()].rstrip().endswith(';') if not comment else False
            words = ' '.join(comment.replace('///', ' ').split())
            last = words if words else (last if between else '')
            self.functions.append({'name': name, 'type': ' '.join(kind.split()), 'comment': last, 'own': bool(comment),
                                   'parameters': [self.parameter(p) for p in split_parameters(strip_comments(parameters))
                                                  if p != 'void']})

    @staticmethod
    def parameter(text):
        m = re.match(r'^(.*)\(\*(\w+)\)\[\d+\]$', text)
        if m:
            return m.group(1).strip() + '(*)[]', m.group(2)
        m = re.match(r'^(.*?)(\w+)\[\w*\]$', text)
        if m:
            return m.group(1).strip() + '*', m.group(2)
        m = re.match(r'^(.*?)(\w+)$', text)
        return m.group(1).strip().replace(' *', '*'), m.group(2)

    # ---- lists, enums and structs, for bindings

    def lists(self):
        """Rows of every list macro: {'HEFT_STATUS_LIST': [['HEFT_OK', '"all is well"'], ...]}."""
        rows = {}
        for m in re.finditer(r'^#define (HEFT_\w+_LIST)\(X\)((?:.*\\\n)*.*)$', self.text, re.M):
            body = re.sub(r'\\\n', ' ', m.group(2))
            rows[m.group(1)] = [split_arguments(row) for row in calls_of_macro(body, 'X')]
        return rows

    def enum_members(self):
        """Enums with their comment and members (name, comment), the counts at their ends left out."""
        lists, enums = self.lists(), {}
        for m in re.finditer(r'((?:^///[^\n]*\n)*)^typedef enum (\w+) \{(.*?)\} \2;', self.text, re.S | re.M):
            comment, name, body = m.groups()
            members = []
            for part in re.finditer(r'^#(?:define|undef)[^\n]*$|(HEFT_\w+_LIST)\(\w+\)|\b(HEFT_[A-Z0-9_]+)\b(?:\s*=\s*(\d+))?'
                                    r'\s*,?[ ]*(?:///<([^\n]*(?:\n\s*///<[^\n]*)*))?', body, re.M):
                if part.group(1):
                    members += [(row[0], text_of_row(row)) for row in lists[part.group(1)]]
                elif part.group(2) and not part.group(2).endswith('_COUNT'):
                    members.append((part.group(2), plain_comment(part.group(4))))
            enums[name] = {'comment': plain_comment(comment), 'members': members}
        return enums

    def structs(self):
        """Structs with their comment and fields: name, C type, dimensions, comment, in the order of the header."""
        lists, structs = self.lists(), {}
        for m in re.finditer(r'((?:^///[^\n]*\n)*)^typedef struct (\w+) \{\n(.*?)^\} \2;', self.text, re.S | re.M):
            comment, name, body = m.groups()
            fields = []
            macro = re.search(r'#define (\w+)\(([^)]*)\)\s*(\w+)[^\n]*\n\s*(HEFT_\w+_LIST)\(\1\)', body)
            if macro and name != 'HeftModel':
                columns, kind = macro.group(2).split(', '), macro.group(3)  # kind: "type", or that of all fields
                fields = [{'name': row[columns.index('name')], 'dims': [], 'comment': text_of_cell(row[-1]),
                           'type': row[columns.index('type')] if kind == 'type' else kind}
                          for row in lists[macro.group(4)]]
            elif name != 'HeftModel':
                fields = read_fields(body)
            structs[name] = {'comment': plain_comment(comment), 'fields': fields}
        return structs


def optional_parameters(function):
    """Parameters that may be NULL by the comment: "x may be NULL", "x and y may be NULL", "x (nv, may be NULL)";
    "each may be NULL" and "NULL is allowed" speak of all."""
    comment = function['comment']
    names = set()
    for _, name in function['parameters']:
        if re.search(r'\b%s\b(`?,? which|,? \([^)]*\)| and \w+| or \w+)* may be NULL' % name, comment) or \
                re.search(r'\b%s \([^)]*may be NULL' % name, comment):
            names.add(name)
    if 'each may be NULL' in comment:
        names |= {n for k, n in function['parameters'][1:] if k.endswith('*')}
    if function['own'] and re.search(r'(^|[.] )NULL is allowed', comment):
        names |= {n for k, n in function['parameters'] if k.endswith('*')}
    return names


def member_names(members):
    """Members without the words that all of them begin with: HEFT_STEP_SOLVED is SOLVED."""
    parts = [m.split('_') for m, _ in members]
    common = 0
    while len(members) > 1 and all(len(p) > common + 1 and p[common] == parts[0][common] for p in parts):
        common += 1
    names = ['_'.join(p[common if len(members) > 1 else 1:]) for p in parts]
    return [('N' + n if n[0].isdigit() else n) for n in names]


def plain_comment(text):
    return ' '.join(re.sub(r'///<?', ' ', text or '').split())


def text_of_cell(cell):
    return ' '.join(re.findall(r'"((?:[^"\\]|\\.)*)"', cell))


def text_of_row(row):
    strings = [' '.join(re.findall(r'"((?:[^"\\]|\\.)*)"', part)) for part in row[1:] if '"' in part]
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


def split_arguments(text):
    parts, depth, quoted, part = [], 0, False, ''
    for i, c in enumerate(text):
        quoted ^= c == '"' and text[i - 1] != '\\'
        depth += 0 if quoted else (c == '(') - (c == ')')
        if c == ',' and depth == 0 and not quoted:
            parts.append(part)
            part = ''
        else:
            part += c
    return [' '.join(p.split()) for p in parts + [part]]


def read_fields(body):
    """Fields of a struct. Pointers to functions have the type 'function'."""
    fields = []
    body = re.sub(r'^[ ]*//(?!/)[^\n]*\n', '', body, flags=re.M)
    statement = re.compile(r'\s*((?:[ ]*///(?!<)[^\n]*\n)*)([^;]*?);[ ]*((?:///<[^\n]*(?:\n\s*|$))*)', re.S)
    for m in statement.finditer(body):
        before, text, after = m.groups()
        inner = re.findall(r'///<[^\n]*', text)
        declaration = ' '.join(strip_comments(text).split())
        if not declaration or declaration.startswith('#'):
            continue
        comment = plain_comment(before + ' '.join(inner) + after)
        if '(*' in declaration:
            fields.append({'name': re.search(r'\(\*(\w+)\)', declaration).group(1), 'type': 'function', 'dims': [],
                           'comment': comment})
            continue
        first, *others = split_parameters(declaration)
        kind = re.match(r'^(.*?)\s*(\**\s*\w+(?:\[\w+\])*)$', first)
        base = kind.group(1).rstrip()
        base = base.rstrip('* ')  # "char* name": the star belongs to the name
        stars = '*' * kind.group(1).count('*')
        for one in [stars + kind.group(2)] + others:
            one = one.replace(' ', '')
            name = re.match(r'^(\**)(\w+)((?:\[\w+\])*)$', one)
            fields.append({'name': name.group(2), 'type': base + name.group(1),
                           'dims': re.findall(r'\[(\w+)\]', name.group(3)), 'comment': comment})
    return fields
