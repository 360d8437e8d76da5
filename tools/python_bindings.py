#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the parts of the Python package that follow from the public headers:

    python/src/core/tables.h, tables.c   structs with their fields, names of enums
    python/heft/_enums.py                enums
    python/heft/_core.pyi                types of the extension module

usage: python_bindings.py [--check]     --check: compares with the files instead of writing them
"""
import keyword
import os
import re
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..')
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(ROOT, 'tools'))
from header_parser import Header  # noqa: E402

NOTE = 'Written by tools/python_bindings.py from the public headers.'

# Small structs of numbers are arrays in Python: shape.
VECTORS = {'HeftVec3': (3,), 'HeftQuat': (4,), 'HeftMat3': (3, 3), 'HeftSym3': (6,)}
KINDS = {'bool': 'BOOL', 'int': 'INT', 'unsigned': 'UNSIGNED', 'uint32_t': 'UNSIGNED', 'long': 'LONG',
         'int64_t': 'INT64', 'uint64_t': 'UINT64', 'size_t': 'SIZE', 'double': 'DOUBLE', 'float': 'FLOAT',
         'const char*': 'STRING'}
PYTHON_TYPES = {'BOOL': 'bool', 'DOUBLE': 'float', 'FLOAT': 'float', 'STRING': 'str', 'TEXT': 'str'}
# Structs that Python reads and makes in another way, or never meets.
NO_STRUCT = {'HeftError', 'HeftAllocator', 'HeftNames', 'HeftOption', 'HeftOptions', 'HeftModel', 'HeftState',
             'HeftVec3', 'HeftQuat', 'HeftMat3', 'HeftSym3', 'HeftDraw', 'HeftFiles', 'HeftWriteDef', 'HeftLoadDef',
             'HeftRollout', 'HeftWorldDef', 'HeftBatchDef', 'HeftModelArray', 'HeftModelSize', 'HeftLinkPair',
             'HeftPackage', 'HeftContactPoints', 'HeftContactProblem', 'HeftIslands', 'HeftPrescribedMotion'}
CONSTANTS = re.compile(r'\benum \{ (HEFT_\w+) = (\d+) \};')


def words(text):
    return text.replace('\\', '\\\\').replace('"', '\\"')


def docstring(text):
    return '"""%s"""' % text.replace('\\', '\\\\').replace('"', "'")


def python_name(name):
    return re.sub(r'^Heft', '', name)


def member_names(members):
    """Members without the words that all of them begin with: HEFT_STEP_SOLVED is SOLVED."""
    parts = [m.split('_') for m, _ in members]
    common = 0
    while len(members) > 1 and all(len(p) > common + 1 and p[common] == parts[0][common] for p in parts):
        common += 1
    names = ['_'.join(p[common if len(members) > 1 else 1:]) for p in parts]
    return [('N' + n if n[0].isdigit() else n) for n in names]


class Bindings:
    def __init__(self, folder):
        self.header = Header(folder, {'emulate.h', 'link.h', 'mcap.h', 'robot.h', 'run_log.h', 'view.h', 'device.h',
                                      'plugin.h'})
        self.enums = self.header.enum_members()
        self.lists = self.header.lists()
        self.constants = {k: int(v) for k, v in CONSTANTS.findall(self.header.text)}
        every = {k: v for k, v in self.header.structs().items() if k not in NO_STRUCT}
        # A struct stands after those that it holds.
        self.structs, left = {}, dict(every)
        while left:
            ready = [k for k, v in left.items()
                     if not any(f['type'] in left and f['type'] != k for f in v['fields'])]
            for k in ready:
                self.structs[k] = left.pop(k)
        self.struct_number = {k: i for i, k in enumerate(self.structs)}
        self.enum_number = {k: i for i, k in enumerate(self.enums)}

    def number(self, text):
        return int(text) if text.isdigit() else self.constants[text]

    def field(self, struct, field):
        """The row of a field, or None for a pointer, a function or an allocator, which Python does not see."""
        kind, dims, other = field['type'], [self.number(d) for d in field['dims']], -1
        if field['name'] in ('cookie', 'allocator', 'user'):
            return None
        if kind in VECTORS:
            dims, code = dims + list(VECTORS[kind]), 'DOUBLE'
        elif kind == 'char' and dims:
            dims, code = dims[:-1], 'TEXT'
        elif kind in self.enums:
            code, other = 'INT', self.enum_number[kind]
        elif kind in self.struct_number:
            code, other = 'STRUCT', self.struct_number[kind]
        elif kind in KINDS:
            code = KINDS[kind]
        else:
            return None
        if len(dims) > 2:
            return None
        return {'name': field['name'], 'python': self.safe(field['name']), 'code': code, 'dims': dims, 'other': other, 'meaning': field['comment'],
                'type': kind}

    @staticmethod
    def safe(name):
        return name + '_' if keyword.iskeyword(name) else name

    def fields(self, struct):
        return [f for f in (self.field(struct, f) for f in self.structs[struct]['fields']) if f]

    def init(self, struct):
        """The function that fills in a def, without arguments."""
        default = self.header.defaults.get(struct)
        return default['name'] if default and not default['parameters'] else None

    # ---- C

    def tables_h(self):
        out = ['// SPDX-License-Identifier: Apache-2.0', '// ' + NOTE, '// clang-format off',
               '#ifndef HEFT_PYTHON_TABLES_H',
               '#define HEFT_PYTHON_TABLES_H', '', 'enum {']
        out += ['  STRUCT_%s = %d,' % (k, i) for k, i in self.struct_number.items()]
        out += ['  STRUCT_COUNT = %d' % len(self.structs), '};', '', 'enum {']
        out += ['  ENUM_%s = %d,' % (k, i) for k, i in self.enum_number.items()]
        out += ['  ENUM_COUNT = %d' % len(self.enums), '};', '', '#endif']
        return '\n'.join(out) + '\n'

    def tables_c(self):
        out = ['// SPDX-License-Identifier: Apache-2.0', '// ' + NOTE, '// clang-format off', '#include <stddef.h>', '',
               '#include "core.h"', '#include "tables.h"', '']
        for name in self.structs:
            fields = self.fields(name)
            if fields:
                out.append('static const Field fields_%s[] = {' % name)
                for f in fields:
                    rows, columns = (f['dims'] + [0, 0])[:2]
                    out.append('    {"%s", FIELD_%s, offsetof(%s, %s), sizeof(((%s*)0)->%s), %d, %d, %d,\n     "%s"},' %
                               (f['python'], f['code'], name, f['name'], name, f['name'], rows, columns, f['other'],
                                words(f['meaning'])))
                out += ['};']
            init = self.init(name)
            if init:
                out += ['static void init_%s(void* object) { *(%s*)object = %s(); }' % (name, name, init)]
            out.append('')
        out.append('const Struct core_structs[] = {')
        for name, struct in self.structs.items():
            fields = self.fields(name)
            out.append('    {"%s", "%s",\n     sizeof(%s), %s, %d, %s},' %
                       (python_name(name), words(struct['comment']), name, 'fields_' + name if fields else 'NULL',
                        len(fields), 'init_' + name if self.init(name) else 'NULL'))
        out += ['};', 'const int core_struct_count = STRUCT_COUNT;', '', 'const char* const core_enums[] = {']
        out += ['    "%s",' % python_name(k) for k in self.enums]
        out += ['};', 'const int core_enum_count = ENUM_COUNT;']
        return '\n'.join(out) + '\n'

    # ---- Python

    def enums_py(self):
        out = ['# SPDX-License-Identifier: Apache-2.0', '"""Enums of Heft. %s"""' % NOTE, 'from enum import IntEnum', '']
        for name, enum in self.enums.items():
            out += ['', 'class %s(IntEnum):' % python_name(name)]
            out += ['    """%s"""' % (enum['comment'].split(': X(')[0].rstrip('.') + '.' if enum['comment'] else
                                      'See the C header.'), '']
            for number, (member, comment) in enumerate(zip(member_names(enum['members']), enum['members'])):
                text = comment[1]
                out.append('    %s = %d%s' % (member, number, '  # ' + text if text else ''))
            out.append('')
        out += ['', '__all__ = [']
        out += ['    "%s",' % python_name(k) for k in self.enums]
        out += [']']
        return '\n'.join(out) + '\n'

    def python_type(self, field, write=False):
        code, array = field['code'], 'ArrayLike' if write else 'NDArray[Any]'
        if field['dims'] and code not in ('STRUCT', 'TEXT'):
            return array
        if code == 'STRUCT':
            base = python_name(field['type'])
        elif code == 'INT' and field['other'] >= 0:
            base = python_name(field['type'])
        else:
            base = PYTHON_TYPES.get(code, 'int')
        return 'tuple[%s, ...]' % base if field['dims'] else base

    def structs_pyi(self):
        out = []
        for name, struct in self.structs.items():
            out += ['class %s:' % python_name(name), '    ' + docstring(struct['comment'])]
            fields = self.fields(name)
            given = ['%s: %s = ...' % (f['python'], self.python_type(f, True)) for f in fields]
            out.append('    def __init__(self%s) -> None: ...' % (', *, ' + ', '.join(given) if given else ''))
            for f in fields:
                out += ['    @property', '    def %s(self) -> %s:' % (f['python'], self.python_type(f)),
                        '        ' + docstring(f['meaning'])]
                out += ['    @%s.setter' % f['python'],
                        '    def %s(self, value: %s) -> None: ...' % (f['python'], self.python_type(f, True))]
            out += ['    def as_dict(self) -> dict[str, Any]: ...', '']
        return '\n'.join(out)

    def core_pyi(self):
        with open(os.path.join(ROOT, 'python/src/core/core.pyi.in')) as file:
            text = file.read()
        used = sorted(python_name(k) for k in self.enums)
        sizes = ''.join('    @property\n    def %s(self) -> int:\n        """%s"""\n' % (row[0], row[1].strip('"'))
                        for row in self.lists['HEFT_MODEL_SIZE_LIST'])
        arrays = ''.join('    @property\n    def %s(self) -> NDArray[Any]:\n        """%s%s"""\n' %
                         ('name_pool' if row[1] == 'names' else row[1], ' '.join(re.findall(r'"([^"]*)"', row[5])),
                          ' [%s]' % row[4].strip('"') if row[4] != '""' else '')
                         for row in self.lists['HEFT_MODEL_ARRAY_LIST'])
        return text.replace('@NOTE@', NOTE).replace('@ENUMS@', '\n'.join('    %s as %s,' % (u, u) for u in used)) \
            .replace('@SIZES@', sizes).replace('@ARRAYS@', arrays).replace('@STRUCTS@', self.structs_pyi())

    def files(self):
        return {'python/src/core/tables.h': self.tables_h(), 'python/src/core/tables.c': self.tables_c(),
                'python/heft/_enums.py': self.enums_py(), 'python/heft/_core.pyi': self.core_pyi()}


def main():
    bindings, old = Bindings(os.path.join(ROOT, 'include/heft')), []
    for name, text in bindings.files().items():
        path = os.path.join(ROOT, name)
        before = open(path).read() if os.path.exists(path) else None
        if before == text:
            continue
        if '--check' in sys.argv:
            old.append(name)
        else:
            with open(path, 'w') as file:
                file.write(text)
    if old:
        raise SystemExit('the headers changed: run tools/python_bindings.py, which writes ' + ', '.join(old))


main()
