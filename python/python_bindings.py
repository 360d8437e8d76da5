#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the parts of the Python package that follow from the C interface (api.json of tools/api.py):

    tables.h, tables.c, functions.c       structs with their fields, names of enums; functions and methods
    signatures.c                          signatures of the stub and examples, for help()
    _enums.py                             enums
    _structs.py, _functions.py, math.py   what the package exports
    _core.pyi                             types of the extension module

usage: python_bindings.py API.json FOLDER_OF_C FOLDER_OF_THE_PACKAGE
"""
import ast
import os
import re
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..')
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(ROOT, 'tools'))
from api import NOT_INSTALLED, Api, comment_of, load, member_names, strip_comments, write  # noqa: E402
from python_functions import HANDLES, Function, Refused, in_python, python_name, safe, snake  # noqa: E402

NOTE = 'Written by python/python_bindings.py; the build makes it from the public headers.'

KINDS = {'bool': 'BOOL', 'int': 'INT', 'unsigned': 'UNSIGNED', 'uint32_t': 'UNSIGNED', 'long': 'LONG',
         'int64_t': 'INT64', 'uint64_t': 'UINT64', 'size_t': 'SIZE', 'double': 'DOUBLE', 'float': 'FLOAT',
         'const char*': 'STRING'}
PYTHON_TYPES = {'BOOL': 'bool', 'DOUBLE': 'float', 'FLOAT': 'float', 'STRING': 'str', 'TEXT': 'str'}
# Structs that Python reads and makes in another way, or never meets.
NO_STRUCT = {'HeftError', 'HeftAllocator', 'HeftNames', 'HeftOption', 'HeftOptions', 'HeftModel', 'HeftState',
             'HeftVec3', 'HeftQuat', 'HeftMat3', 'HeftSym3', 'HeftDraw', 'HeftFiles', 'HeftWriteDef', 'HeftLoadDef',
             'HeftRollout', 'HeftRays', 'HeftWorldDef', 'HeftBatchDef', 'HeftModelArray', 'HeftModelSize', 'HeftLinkPair',
             'HeftPackage', 'HeftContactPoints', 'HeftContactProblem', 'HeftIslands', 'HeftPrescribedMotion'}
# Headers of parts that Python reaches in another way, or not at all.
WITHOUT = NOT_INSTALLED | {'robot.h', 'run_log.h', 'device.h', 'plugin.h'}
KEPT = {('HeftBipedGoal', 'posture')}  # arrays that a struct points to while it lives
HAND_CLASSES = {'HeftModel', 'HeftWorld', 'HeftBatch'}
# Files of the extension whose calls are not the Python form of a function (they use it on the way).
ALSO_USED = {'heft_world_dynamics', 'heft_query_filter_all', 'heft_constraint_type_row_count',
             'heft_sensor_type_value_count', 'heft_joint_type_q_count', 'heft_joint_type_dof_count', 'heft_world_set_gravity', 'heft_world_set_material', 'heft_world_material', 'heft_world_set_mass_factors',
             'heft_world_set_actuator_gains', 'heft_world_set_seed', 'heft_dynamics_body_pose',
             'heft_dynamics_body_velocity', 'heft_world_contact_wrench', 'heft_world_apply_wrench', 'heft_step_taken',
             'heft_clock_ns', 'heft_status_text'}
# Getters without arguments that are properties.
PROPERTIES = {'heft_world_dynamics', 'heft_whole_body_dynamics', 'heft_estimator_dynamics', 'heft_biped_whole_body', 'heft_world_gravity', 'heft_world_time_step', 'heft_world_min_step_ns', 'heft_world_contact_model',
              'heft_world_contact_options', 'heft_world_memory', 'heft_collider_memory',
              'heft_collider_contact_capacity', 'heft_spline_channels', 'heft_spline_end', 'heft_walk_duration',
              'heft_whole_body_mass', 'heft_state_hash', 'heft_state_finite', 'heft_session_probe_count',
              'heft_probe_state', 'heft_probe_def', 'heft_world_snapshot_size_max'}


def words(text):
    return in_python(text).replace('\\', '\\\\').replace('"', '\\"')


def docstring(text):
    return '"""%s"""' % in_python(text).replace('\\', '\\\\').replace('"', "'")


class Bindings:
    def __init__(self, description):
        self.api = Api(description, WITHOUT)
        self.enums, self.lists, self.number = self.api.enums, self.api.lists, self.api.number
        every = {k: v for k, v in self.api.structs.items() if k not in NO_STRUCT}
        # A struct comes after the structs that it holds.
        self.structs, left = {}, dict(every)
        while left:
            ready = [k for k, v in left.items()
                     if not any(f['type'] in left and f['type'] != k for f in v['fields'])]
            for k in ready:
                self.structs[k] = left.pop(k)
        self.struct_number = {k: i for i, k in enumerate(self.structs)}
        self.enum_number = {k: i for i, k in enumerate(self.enums)}

    def field(self, struct, field):
        """The row of a field, or None for a pointer, a function or an allocator, which Python does not see."""
        kind, dims, other = field['type'], [self.number(d) for d in field['dims']], -1
        if field['name'] in ('cookie', 'allocator', 'user'):
            return None
        if any(field['name'] in f.get('length', []) for f in self.structs[struct]['fields'] if self.array(struct, f)):
            return None  # set with its array
        pointer = self.array(struct, field)
        if pointer:
            other = self.struct_number[re.sub(r'const |\*', '', kind)] if pointer[0] == 'STRUCTS' else -1
            return {'name': field['name'], 'python': field['name'], 'code': pointer[0], 'dims': [0, pointer[1]],
                    'other': other, 'meaning': field['text'], 'type': kind, 'counts': pointer[2]}
        if self.api.vector(kind):
            dims, code = dims + list(self.api.vector(kind)), 'DOUBLE'
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
        return {'name': field['name'], 'python': safe(field['name']), 'code': code, 'dims': dims, 'other': other, 'meaning': field['text'],
                'type': kind}

    def array(self, struct, field):
        """A pointer that is written from an array: kind, width (0: the second count), fields of the counts; None for another."""
        if (struct, field['name']) in KEPT:
            return 'KEPT', 0, []
        names, length = {f['name'] for f in self.structs[struct]['fields']}, field.get('length', [])
        if not length or len(length) > 2 or not field['type'].startswith('const') or length[0] not in names:
            return None
        base = re.sub(r'const |\*', '', field['type'])
        code = {'double': 'DOUBLES', 'int': 'INTS'}.get(base, 'STRUCTS' if base in self.api.structs else None)
        width = int(length[1]) if len(length) == 2 and length[1].isdigit() else 0
        return code and (code, width, length[:1] if width else length)

    def fields(self, struct):
        return [f for f in (self.field(struct, f) for f in self.structs[struct]['fields']) if f]

    def init(self, struct):
        """The function that fills in a def, without arguments."""
        default = self.api.defaults.get(struct)
        return default['name'] if default and not default['parameters'] else None

    # ---- C

    def tables_h(self):
        out = ['// SPDX-License-Identifier: Apache-2.0', '// ' + NOTE, '// clang-format off',
               '#ifndef HEFT_PYTHON_TABLES_H',
               '#define HEFT_PYTHON_TABLES_H', '', 'enum {']
        out += ['  STRUCT_%s = %d,' % (snake(k).upper(), i) for k, i in self.struct_number.items()]
        out += ['  STRUCT_COUNT = %d' % len(self.structs), '};', '', 'enum {']
        out += ['  CLASS_%s = %d,' % (snake(k).upper(), i) for i, k in enumerate(HANDLES)]
        out += ['  CLASS_COUNT = %d' % len(HANDLES), '};', '', 'enum {']
        out += ['  ENUM_%s = %d,' % (snake(k).upper(), i) for k, i in self.enum_number.items()]
        out += ['  ENUM_COUNT = %d' % len(self.enums), '};', '', '#endif']
        return '\n'.join(out) + '\n'

    def tables_c(self):
        out = ['// SPDX-License-Identifier: Apache-2.0', '// ' + NOTE, '// clang-format off', '#include <stddef.h>', '',
               '#include "core.h"', '#include "tables.h"', '']
        for name in self.structs:
            fields = self.fields(name)
            if fields:
                out.append('static const Field fields_%s[] = {' % snake(name))
                for f in fields:
                    rows, columns = (f['dims'] + [0, 0])[:2]
                    size = 'sizeof(void*)' if 'counts' in f else 'sizeof(((%s*)0)->%s)' % (name, f['name'])
                    counts = ', '.join('offsetof(%s, %s)' % (name, c) for c in f.get('counts', [])) or '0'
                    out.append('    {"%s",\n     "%s",\n     offsetof(%s, %s), %s, {%s}, FIELD_%s, %d, %d, %d},' %
                               (f['python'], words(f['meaning']), name, f['name'], size, counts, f['code'], rows, columns,
                                f['other']))
                out += ['};']
            init = self.init(name)
            if init:
                out += ['static void init_%s(void* object) { *(%s*)object = %s(); }' % (snake(name), name, init)]
            out.append('')
        out.append('const Struct core_structs[] = {')
        for name, struct in self.structs.items():
            fields = self.fields(name)
            out.append('    {"%s", "%s",\n     sizeof(%s), %s, %d, %s},' %
                       (python_name(name), words(comment_of(struct)), name, 'fields_' + snake(name) if fields else 'NULL',
                        len(fields), 'init_' + snake(name) if self.init(name) else 'NULL'))
        out += ['};', 'const int core_struct_count = STRUCT_COUNT;', '', 'const char* const core_enums[] = {']
        out += ['    "%s",' % python_name(k) for k in self.enums]
        out += ['};', 'const int core_enum_count = ENUM_COUNT;']
        return '\n'.join(out) + '\n'

    # ---- Python

    def enums_py(self):
        out = ['# SPDX-License-Identifier: Apache-2.0', '"""Enums of Heft. %s"""' % NOTE, 'from enum import IntEnum', '', '',
               'class _Named(IntEnum):', '    """A number that prints its name: JointType.HINGE."""', '',
               '    def __str__(self) -> str:', '        return "%s.%s" % (type(self).__name__, self.name)', '',
               '    def __format__(self, spec: str) -> str:', '        return int.__format__(self, spec) if spec else str(self)', '']
        for name, enum in self.enums.items():
            out += ['', 'class %s(_Named):' % python_name(name)]
            out += ['    """%s"""' % (re.split(r'(?<=[.])\s', in_python(comment_of(enum)))[0].rstrip('.') + '.'), '']
            out[-2:] = ['    """%s' % out[-2].strip().strip('"'), '',
                        '    >>> heft.%s.%s.value' % (python_name(name), member_names(enum['members'])[0]),
                        '    %d' % enum['members'][0]['value'], '    """', '']
            for name, member in zip(member_names(enum['members']), enum['members']):
                out.append('    %s = %d%s' % (name, member['value'], '  # ' + member['doc'] if member['doc'] else ''))
            out.append('')
        out += ['', '__all__ = [']
        out += ['    "%s",' % python_name(k) for k in self.enums]
        out += [']']
        return '\n'.join(out) + '\n'

    def python_type(self, field, write=False):
        code, array = field['code'], 'ArrayLike' if write else 'NDArray[Any]'
        if code in ('DOUBLES', 'INTS', 'STRUCTS', 'KEPT'):
            return 'Any'
        if field['dims'] and code not in ('STRUCT', 'TEXT'):
            return array
        if code == 'STRUCT':
            base = python_name(field['type'])
        elif code == 'INT' and field['other'] >= 0:
            base = python_name(field['type']) + (' | str' if write and not field['dims'] else '')
        else:
            base = PYTHON_TYPES.get(code, 'int')
        return 'tuple[%s, ...]' % base if field['dims'] else base

    def structs_pyi(self):
        out = []
        for name, struct in self.structs.items():
            out += ['class %s:' % python_name(name), '    ' + docstring(comment_of(struct))]
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
        sizes = ''.join('    @property\n    def %s(self) -> int:\n        """%s"""\n' % (row[0], in_python(row[1].strip('"')))
                        for row in self.lists['HEFT_MODEL_SIZE_LIST'])
        arrays = ''.join('    @property\n    def %s(self) -> NDArray[Any]:\n        """%s%s"""\n' %
                         ('name_pool' if row[1] == 'names' else row[1], ' '.join(re.findall(r'"([^"]*)"', row[5])),
                          ' [%s]' % row[4].strip('"') if row[4] != '""' else '')
                         for row in self.lists['HEFT_MODEL_ARRAY_LIST'])
        return text.replace('@NOTE@', NOTE).replace('@ENUMS@', '\n'.join('    %s as %s,' % (u, u) for u in used)) \
            .replace('@SIZES@', sizes).replace('@ARRAYS@', arrays).replace('@STRUCTS@', self.structs_pyi()) \
            .replace('@CLASSES@', self.classes_pyi()).replace('@FUNCTIONS@', self.functions_pyi()) \
            .replace('@MODEL@', self.methods_pyi('HeftModel')).replace('@WORLD@', self.methods_pyi('HeftWorld')) \
            .replace('@BATCH@', self.methods_pyi('HeftBatch')) \
            .replace('@DYNAMICS@', self.methods_pyi('HeftDynamics')).replace('@STATE@', self.methods_pyi('HeftState')) \
            .replace('@COLLIDER@', self.methods_pyi('HeftCollider')).replace('@BIPED@', self.methods_pyi('HeftBiped')) \
            .replace('@SPLINE@', self.methods_pyi('HeftSpline'))

    # ---- functions

    def sources(self):
        """Text of the files that are written by hand."""
        folder = os.path.join(ROOT, 'python/src')
        text = ''
        for base, _, names in os.walk(folder):
            for name in sorted(names):
                if name.endswith('.c'):
                    with open(os.path.join(base, name)) as file:
                        text += strip_comments(file.read())
        return text

    def unreachable(self):
        """Functions that Python does not have, with the reason: lines 'name | reason'."""
        with open(os.path.join(ROOT, 'python/unreachable.txt')) as file:
            rows = [line.split('|') for line in file if '|' in line and not line.startswith('#')]
        return {name.strip(): reason.strip() for name, reason in rows}

    def choose(self):
        """All functions: by hand, generated, or on the list. Anything else is an error."""
        text, listed = self.sources(), self.unreachable()
        called = set(re.findall(r'\b(heft_\w+)\b', text)) - ALSO_USED
        called |= {'heft_world_create_for'} if 'heft_world_create' in called else set()
        defaults = {d['name']: re.sub('_default$', '_init', d['name']) for d in self.api.defaults.values()}
        tables = self.tables_c()
        called |= {init for usual, init in defaults.items() if usual in called or usual + '(' in tables}
        called |= {usual for usual in defaults if usual + '(' in tables}
        made, refused = [], []
        for function in self.api.functions:
            name = function['name']
            if name in called or name in listed or name.endswith('_destroy'):
                continue
            try:
                one = Function(self, function)
                one.text = one.text_c()
                made.append(one)
            except Refused as reason:
                refused.append(str(reason))
        if refused:
            raise SystemExit('neither generated, nor called in python/src, nor in python/unreachable.txt:\n  ' +
                             '\n  '.join(refused))
        idle = set(listed) & (called | {f.c for f in made})
        if idle:
            raise SystemExit('python/unreachable.txt lists functions that Python has: ' + ', '.join(sorted(idle)))
        return made

    def functions_c(self):
        made = self.made
        out = ['// SPDX-License-Identifier: Apache-2.0', '// ' + NOTE, '// clang-format off', '#include <string.h>', '',
               '#include "bind.h"', '#include "tables.h"', '']
        out += [f.text for f in made]
        for f in made:
            if f.c in PROPERTIES:
                out += ['static PyObject* get_%s(PyObject* self, void* closure) {' % f.c, '  (void)closure;',
                        '  return py_%s(self, core.no_arguments, NULL);' % f.c, '}']
        function = '    {"%s", (PyCFunction)(void (*)(void))py_%s, METH_VARARGS | METH_KEYWORDS,\n     "%s"},'
        end = '    {NULL, NULL, 0, NULL}};'
        out.append('PyMethodDef core_functions[] = {')
        out += [function % (f.name, f.c, words(f.doc())) for f in made if not f.kind and not f.creates] + [end]
        for handle in HANDLES:
            mine = [f for f in made if f.kind == handle]
            out.append('static PyMethodDef methods_%s[] = {' % snake(handle))
            out += [function % (f.name, f.c, words(f.doc())) for f in mine if f.c not in PROPERTIES] + [end]
            out.append('static PyGetSetDef getset_%s[] = {' % snake(handle))
            out += ['    {"%s", get_%s, NULL, "%s", NULL},' % (f.name, f.c, words(f.doc())) for f in mine
                    if f.c in PROPERTIES] + ['    {NULL, NULL, NULL, NULL, NULL}};']
        for handle in HANDLES:
            ender = self.api.enders[handle]
            out.append('static void end_%s(void* object) { %s(object); }' % (snake(handle), ender))
        out.append('const Class core_classes[] = {')
        for handle, name in HANDLES.items():
            create = [f for f in made if f.creates == handle]
            out.append('    {"heft._core.%s", %s, end_%s, methods_%s, getset_%s},' %
                       (name, 'py_' + create[0].c if create else 'NULL', snake(handle), snake(handle), snake(handle)))
        out += ['};', 'const int core_class_count = CLASS_COUNT;']
        return '\n'.join(out) + '\n'

    def method_pyi(self, f):
        if f.c in PROPERTIES:
            out = ['    @property', '    def %s(self) -> %s:' % (f.name, f.type)]
        else:
            out = ['    def %s(%s) -> %s:' % (f.name, f.signature(True), f.type)]
        return out + ['        ' + docstring(f.doc())]

    def methods_pyi(self, handle):
        lines = []
        for f in self.made:
            if f.kind == handle:
                lines += self.method_pyi(f)
        return '\n'.join(lines)

    def classes_pyi(self):
        out = []
        with open(os.path.join(ROOT, 'python/src/core/core.pyi.in')) as file:
            template = file.read()
        for handle, name in HANDLES.items():
            if 'class %s:' % name in template:
                continue
            out += ['class %s:' % name]
            create = [f for f in self.made if f.creates == handle]
            if create:
                out += ['    def __init__(%s) -> None:' % create[0].signature(True), '        ' + docstring(create[0].doc())]
            out += ['    def close(self) -> None: ...', '    @property', '    def closed(self) -> bool: ...']
            out += [self.methods_pyi(handle), '']
        return '\n'.join(out)

    def functions_pyi(self):
        out = []
        for f in self.made:
            if not f.kind and not f.creates:
                out += ['def %s(%s) -> %s:' % (f.name, f.signature(False), f.type), '    ' + docstring(f.doc())]
        return '\n'.join(out)

    def exports(self, names, meaning):
        out = ['# SPDX-License-Identifier: Apache-2.0', '"""%s %s"""' % (meaning, NOTE), 'from ._core import (']
        out += ['    %s as %s,' % (n, n) for n in names] + [')', '', '__all__ = [']
        return '\n'.join(out + ['    "%s",' % n for n in names] + [']']) + '\n'

    # ---- what help() shows: the signatures of the stub, and examples

    def examples(self):
        """Examples by the name of a function, Class or Class.method: those of python/examples.txt, and one of each struct."""
        found = {}
        for name in self.structs:
            found[python_name(name)] = self.struct_example(name)
        with open(os.path.join(ROOT, 'python/examples.txt')) as file:
            for block in re.split(r'(?m)^## ', file.read())[1:]:
                name, example = block.split('\n', 1)
                found[name.strip()] = example.strip()
        return found

    def struct_example(self, name):
        """A field that is set and read again."""
        for wanted, value in (('DOUBLE', '0.5'), ('INT', '1'), ('BOOL', 'True')):
            for f in self.fields(name):
                if f['code'] == wanted and not f['dims'] and (wanted != 'INT' or f['other'] < 0):
                    return '>>> heft.%s(%s=%s).%s\n%s' % (python_name(name), f['python'], value, f['python'], value)
        return '>>> type(heft.%s()).__name__\n%r' % (python_name(name), python_name(name))

    def signatures_c(self, stub):
        rows = {}
        for node in ast.parse(stub).body:
            if isinstance(node, ast.FunctionDef):
                rows.setdefault(node.name, text_signature(node, '$module'))
            if not isinstance(node, ast.ClassDef):
                continue
            for method in node.body:
                if isinstance(method, ast.FunctionDef) and not method.decorator_list:
                    key = node.name if method.name == '__init__' else node.name + '.' + method.name
                    rows.setdefault(key, text_signature(method, None if method.name == '__init__' else '$self'))
            rows.setdefault(node.name, None)
        examples = self.examples()
        strange = sorted(set(examples) - set(rows))
        if strange:
            sys.exit('python/examples.txt has examples of what is not there: %s' % ', '.join(strange))
        out = ['// SPDX-License-Identifier: Apache-2.0', '// Signatures and examples, sorted by name. %s' % NOTE, '#include "signatures.h"',
               '', 'const Signature core_signatures[] = {']
        for name in sorted(rows, key=lambda n: n.encode()):
            out.append('    {"%s", %s, %s},' % (name, c_text(rows[name]), c_text(examples.get(name))))
        return '\n'.join(out + ['};', 'const int core_signature_count = %d;' % len(rows)]) + '\n'

    def files(self):
        self.made = self.choose()
        classes = [python_name(k) for k in self.structs] + [v for k, v in HANDLES.items() if k not in HAND_CLASSES]
        plain = [f for f in self.made if not f.kind and not f.creates]
        stub = self.core_pyi()
        return {'_structs.py': self.exports(sorted(classes), 'Structs and objects of the library.'),
                '_functions.py': self.exports(
                    sorted(f.name for f in plain if f.f['header'] not in ('math.h', 'spatial.h')), 'Functions of the library.'),
                'math.py': self.exports(
                    [f.name for f in plain if f.f['header'] in ('math.h', 'spatial.h')],
                    'Vectors, rotations and elementary functions, with the same bits on every machine.'),
                'functions.c': self.functions_c(), 'tables.h': self.tables_h(), 'tables.c': self.tables_c(),
                'signatures.c': self.signatures_c(stub), '_enums.py': self.enums_py(), '_core.pyi': stub}


def c_text(text):
    return 'NULL' if text is None else '"%s"' % text.replace('\\', '\\\\').replace('"', '\\"').replace('\n', '\\n')


def text_signature(node, first):
    """(a, b=1) as inspect.signature() reads it from a docstring; first replaces self."""
    args = node.args
    for one in args.posonlyargs + args.args + args.kwonlyargs + [a for a in (args.vararg, args.kwarg) if a]:
        one.annotation = None
    text = ast.unparse(args)
    names = [a.arg for a in args.posonlyargs + args.args]
    if names[:1] == ['self']:
        text = re.sub(r'^self(, )?', '', text)
    return '(%s)' % ', '.join(part for part in (first, text) if part)


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    for name, text in Bindings(load(sys.argv[1])).files().items():
        write(os.path.join(sys.argv[2 if name.endswith(('.c', '.h')) else 3], name), text)


if __name__ == '__main__':
    main()
