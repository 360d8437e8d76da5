#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the parts of the npm package that follow from the C interface (api.json of tools/api.py), into a folder of the build:

    tables.c     places of the fields of structs, for the module of WebAssembly: the compiler knows them
    tables.js    names and kinds of the same fields, in the same order; names of enums
    types.d.ts   TypeScript types of structs, enums and the arrays of a model
    exports.txt  options of the linker: the functions that js/lib calls

Names of fields become camelCase, enums become words: HEFT_STEP_SOLVED is 'solved'.
usage: js_bindings.py API.json OUTPUT_FOLDER
"""
import json
import math
import os
import re
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..')
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(ROOT, 'tools'))
from api import NOT_INSTALLED, Api, comment_of, load, member_names, write  # noqa: E402

NOTE = 'Written by js/js_bindings.py from the public headers.'
# Structs that the package reads and writes.
STRUCTS = ['HeftError', 'HeftStepError', 'HeftStepBounds', 'HeftStepReport', 'HeftContact', 'HeftContactOptions', 'HeftWorldDef', 'HeftLoadDef',
           'HeftLoadLimits', 'HeftBatchDef', 'HeftCoupling', 'HeftPose', 'HeftSpatial', 'HeftState', 'HeftModelArray',
           'HeftModelSize', 'HeftBodyContact', 'HeftConstraintForce', 'HeftChange', 'HeftAction']
KINDS = {'bool': 'bool', 'int': 'int32', 'unsigned': 'uint32', 'uint32_t': 'uint32', 'long': 'int32', 'size_t': 'uint32',
         'int64_t': 'int64', 'uint64_t': 'uint64', 'double': 'double', 'const char*': 'string'}
TYPES = {'bool': 'boolean', 'int64': 'bigint', 'uint64': 'bigint', 'string': 'string', 'text': 'string'}
# Settings that a program in JavaScript cannot give, because they are pointers or have another way.
HIDDEN = {'cookie', 'allocator', 'user'}


def camel(name):
    return re.sub(r'_([a-z0-9])', lambda m: m.group(1).upper(), name)


class Bindings:
    def __init__(self, description):
        self.api = Api(description, NOT_INSTALLED - {'session_log.h'})  # session_log.h: for programs, not installed
        self.enums, self.structs, self.lists = self.api.enums, self.api.structs, self.api.lists

    def words(self, enum):
        return [n.lower() for n in member_names(self.enums[enum]['members'])]

    def field(self, field):
        """A field as (name, kind, count or name of the other type); None for a pointer to something else."""
        kind, dims = field['type'], [self.api.constants.get(d, 0) if not d.isdigit() else int(d) for d in field['dims']]
        if self.api.vector(kind) and not dims:
            return field['name'], 'doubles', math.prod(self.api.vector(kind))
        if kind == 'double' and len(dims) == 1:
            return field['name'], 'doubles', dims[0]
        if kind == 'int' and len(dims) == 1:
            return field['name'], 'ints', dims[0]
        if kind == 'char' and len(dims) == 1:
            return field['name'], 'text', dims[0]
        if kind in STRUCTS and len(dims) == 1:
            return field['name'], 'structs', [kind, dims[0]]
        if dims:
            return None
        if kind in self.enums:
            return field['name'], 'enum', kind
        if kind in STRUCTS:
            return field['name'], 'struct', kind
        if kind in KINDS:
            return field['name'], KINDS[kind], 0
        if kind.endswith('*') or kind in self.api.hooks or kind == 'function':
            return field['name'], 'pointer', 0
        return None

    def fields(self, struct):
        found = [(self.field(f), f.get('text', f['doc'])) for f in self.structs[struct]['fields']]
        return [(f, comment) for f, comment in found if f and f[0] != 'allocator']

    # ---- C

    def tables_c(self):
        rows = []
        for struct in STRUCTS:
            rows.append('    sizeof(%s),' % struct)
            rows += ['    offsetof(%s, %s),' % (struct, f[0]) for f, _ in self.fields(struct)]
        return '\n'.join(['// SPDX-License-Identifier: Apache-2.0', '// ' + NOTE, '// clang-format off', '#include <heft/batch.h>',
                          '#include <heft/heft.h>', '#include <heft/io.h>', '#include "record/session_log.h"', '#include <stddef.h>', '',
                          '#include "tables.h"', '', 'const unsigned heft_js_places[] = {'] + rows + ['};', ''])

    # ---- JavaScript

    def tables_js(self):
        structs = {s: [[camel(f[0]), f[1], f[2]] for f, _ in self.fields(s)] for s in STRUCTS}
        used = sorted({f[2] for s in STRUCTS for f, _ in self.fields(s) if f[1] == 'enum'} | {'HeftStatus', 'HeftNamed', 'HeftStepQuantity'})
        return ('// SPDX-License-Identifier: Apache-2.0\n// %s\n'
                '/** Fields of structs: name, kind, count or other type; heft_js_places has their places. */\n'
                'export const structs = %s;\n/** Words of enums, by value. */\nexport const enums = %s;\n' %
                (NOTE, json.dumps(structs, indent=1), json.dumps({e: self.words(e) for e in used}, indent=1)))

    # ---- TypeScript

    def type_of(self, f):
        _, kind, other = f
        if kind == 'doubles':
            return {3: 'Vec3', 4: 'Quat', 9: 'Mat3'}.get(other, 'number[]')
        if kind in ('enum', 'struct'):
            return other[4:]
        if kind == 'structs':
            return other[0][4:] + '[]'
        if kind == 'ints':
            return 'number[]'
        return TYPES.get(kind, 'number')

    def interface(self, struct, name, optional):
        out = ['/** %s */' % (comment_of(self.structs[struct]) or struct), 'export interface %s {' % name]
        for f, comment in self.fields(struct):
            if f[1] == 'pointer' or f[0] in HIDDEN or (optional and f[1] == 'string'):
                continue
            kind = self.type_of(f)
            if optional and f[1] == 'struct':
                kind = 'Partial<%s>' % kind
            out += ['  /** %s */' % comment.replace('*/', '')] if comment else []
            out.append('  %s%s: %s;' % (camel(f[0]), '?' if optional else '', kind))
        return out + ['}', '']

    def types(self):
        out = ['// SPDX-License-Identifier: Apache-2.0', '// ' + NOTE, '',
               'export type Vec3 = [number, number, number];', '/** (w, x, y, z) */',
               'export type Quat = [number, number, number, number];', '/** Rotation matrix, row by row. */',
               'export type Mat3 = [number, number, number, number, number, number, number, number, number];', '']
        used = {f[2] for s in STRUCTS for f, _ in self.fields(s) if f[1] == 'enum'} | {'HeftStatus', 'HeftNamed', 'HeftStepQuantity'}
        for enum in sorted(used):
            out += ['/** %s */' % comment_of(self.enums[enum])] if self.enums[enum]['doc'] else []
            out.append('export type %s = %s;' % (enum[4:], ' | '.join("'%s'" % w for w in self.words(enum))))
        out.append('')
        for struct, name, optional in [
                ('HeftStepError', 'StepError', False), ('HeftStepBounds', 'StepBounds', False), ('HeftStepReport', 'StepReport', False), ('HeftContact', 'Contact', False),
                ('HeftConstraintForce', 'ConstraintForce', False), ('HeftBodyContact', 'BodyContact', False),
                ('HeftPose', 'Pose', False), ('HeftSpatial', 'Spatial', False), ('HeftCoupling', 'Coupling', True),
                ('HeftContactOptions', 'ContactOptions', False), ('HeftWorldDef', 'WorldOptions', True),
                ('HeftLoadLimits', 'LoadLimits', False), ('HeftLoadDef', 'LoadOptions', True)]:
            out += self.interface(struct, name, optional)
        out += ['/** Sizes of a model. */', 'export interface ModelSizes {']
        for name, meaning in self.lists['HEFT_MODEL_SIZE_LIST']:
            out += ['  /** %s */' % meaning.strip('"'), '  readonly %s: number;' % camel(name)]
        out += ['}', '', '/** Arrays of a model, each a view of its memory. */', 'export interface ModelArrays {']
        for kind, name, count, width, unit, *meaning in self.lists['HEFT_MODEL_ARRAY_LIST']:
            text = ' '.join(re.findall(r'"((?:[^"\\]|\\.)*)"', ' '.join(meaning)))
            view = {'double': 'Float64Array', 'char': 'Uint8Array'}.get(kind, 'Int32Array')
            out += ['  /** (%s x %s) %s%s */' % (count.replace('m->', ''), width, text,
                                                 ' [%s]' % unit.strip('"') if unit.strip('"') else ''),
                    '  readonly %s: %s;' % (camel(name), view)]
        return '\n'.join(out + ['}', ''])

    def exports(self):
        """Functions that the JavaScript calls: all must be public, or of js/port/api.c."""
        called = set()
        for name in sorted(os.listdir(os.path.join(ROOT, 'js', 'lib'))):
            if name.endswith('.js'):
                with open(os.path.join(ROOT, 'js', 'lib', name)) as file:
                    called |= set(re.findall(r'\bc\.(heft_\w+)', file.read()))
        public = {f['name'] for f in self.api.all_functions}
        unknown = [n for n in called if n not in public and not n.startswith('heft_js_')]
        if unknown:
            raise SystemExit('js_bindings.py: js/lib calls functions that no header has: ' + ', '.join(sorted(unknown)))
        return ''.join('-Wl,--export=%s\n' % n for n in sorted(called | {'malloc', 'free', 'heft_js_places'}))


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    folder = sys.argv[2]
    bindings = Bindings(load(sys.argv[1]))
    write(os.path.join(folder, 'tables.c'), bindings.tables_c())
    write(os.path.join(folder, 'tables.js'), bindings.tables_js())
    write(os.path.join(folder, 'types.d.ts'), bindings.types())
    write(os.path.join(folder, 'exports.txt'), bindings.exports())


if __name__ == '__main__':
    main()
