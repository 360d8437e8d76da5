# SPDX-License-Identifier: Apache-2.0
"""The Python form of one C function, as C code: arguments are read by their types, directions and lengths, outputs become the
result, and a status becomes an exception. python/python_bindings.py uses it for every function that is not written by hand."""
import keyword
import os
import re

from api import ROOT, comment_of

# Objects that Python holds.
HANDLES = {'Heft' + name: name for name in (
    'Model', 'World', 'Batch', 'Dynamics', 'Collider', 'Builder', 'State', 'WholeBody', 'Biped', 'Walk', 'Spline', 'PoseSolver',
    'Compliance', 'Gaze', 'Probe', 'Estimator')}
# What a callback of a step may do with its world.
IN_CALLBACKS = {'heft_world_apply_wrench', 'heft_world_apply_force', 'heft_world_set_control',
                'heft_world_add_coupling', 'heft_world_move_body', 'heft_world_set_body_velocity',
                'heft_world_set_conveyor'}
# The C type into which a number is read.
SCALARS = {'int': 'long long', 'int64_t': 'long long', 'double': 'double', 'float': 'double', 'bool': 'int',
           **dict.fromkeys(('uint64_t', 'size_t', 'unsigned', 'uint32_t'), 'unsigned long long')}


def snake(name):
    return re.sub(r'(?<!^)(?=[A-Z])', '_', python_name(name)).lower()


def python_name(name):
    return re.sub(r'^Heft', '', name)


def safe(name):
    return name + '_' if keyword.iskeyword(name) else name


# The exception of a status, from the table of the package.
with open(os.path.join(ROOT, 'python/heft/_errors.py')) as _file:
    RAISED = dict(re.findall(r'Status\.ERR_(\w+): (\w+),', _file.read().partition('_CLASSES')[2].partition('}')[0]))
# What a Python program has nothing to do with.
ONLY_C = [r'\*out is NULL on failure\.', r'Static strings?, never NULL\.',
          r'(?:allocator may be NULL \([^)]*\), )?(?:\b(?:def|error|def and error) may be NULL(?: \([^)]*\)|: the default one)?(?:, |; )?)+\.?']


def in_python(text):
    """A comment of a header in the words of Python."""
    for piece in ONLY_C:
        text = re.sub(r'\s*' + piece, '', text)
    handles = '|'.join(sorted((snake(h) for h in HANDLES), key=len, reverse=True))
    classes = {snake(h): python_name(h) for h in HANDLES}
    text = re.sub(r'\bheft_(%s)_create\(' % handles, lambda m: classes[m.group(1)] + '(', text)
    text = re.sub(r'\bheft_(%s)_(\w+)\(' % handles, lambda m: '%s.%s(' % (classes[m.group(1)], m.group(2)), text)
    text = re.sub(r'\bheft_(\w+)\(', r'\1(', text)
    text = re.sub(r'\bHEFT_ERR_(\w+)(:?)', lambda m: ('Raises ' if m.group(2) else '') + RAISED.get(m.group(1), 'ArgumentError') + m.group(2), text)
    text = re.sub(r'\bHEFT_OK\b', 'Status.OK', text)
    text = re.sub(r'\bHeft([A-Z]\w*)::(\w+)', r'\1.\2', text)
    text = re.sub(r'\bHeft([A-Z]\w*)', r'\1', text)
    text = re.sub(r'\bHEFT_([A-Z_0-9]+)', r'\1', text)
    text = re.sub(r'(?<![\w)])\*(?=[a-z]\w*\b)', '', text)
    return text.replace('NULL', 'None').strip()


class Refused(Exception):
    """A function that has no generated form."""


class Function:
    """The Python form of one C function."""

    def __init__(self, bindings, function):
        self.b, self.f, self.c = bindings, function, function['name']
        self.declare, self.parse, self.call, self.outputs = [], [], [], []
        self.arguments, self.held, self.model = [], 0, None  # arguments: (name, type, optional)
        self.creates, self.kind, self.keeps = None, None, None
        parameters = function['parameters']
        first = parameters[0]['base'] if parameters else ''
        if first in HANDLES and not parameters[0]['type'].endswith('**') and self.c.startswith('heft_%s_' % snake(first)):
            self.kind = first
        elif parameters and parameters[0]['type'].endswith('**') and self.c.endswith('_create'):
            self.creates = first
            if self.creates not in HANDLES:
                raise Refused('%s: makes a %s' % (self.c, self.creates))
        names = {p['name'] for p in parameters}
        # Sequences of structs with their counts: parameter of the count, parameter of the array.
        self.counted = {p['length'][0]: p['name'] for p in parameters if p['length'] and p['length'][0] in names and
                        p['base'] in bindings.struct_number and p['direction'] == 'in'}
        for index, parameter in enumerate(parameters):
            self.parameter(index, parameter)

    @property
    def name(self):
        prefix = 'heft_%s_' % snake(self.kind) if self.kind else 'heft_'
        return safe(self.c[len(prefix):])

    def hold(self):
        self.held += 1
        return 'held[%d]' % (self.held - 1)

    def argument(self, name, kind, optional):
        self.arguments.append((safe(name), kind, optional))
        return 'a_' + name

    def use_model(self, expression):
        if not self.model:
            self.model = expression

    def parameter(self, index, p):
        kind, name, base, optional = p['type'], p['name'], p['base'], p.get('nullable', False)
        if kind == 'HeftError*':
            return self.call.append('&error')
        if base == 'HeftAllocator':
            return self.call.append('NULL' if '*' in kind else 'heft_allocator_default()')
        if index == 0 and self.kind:
            self.use_model('((Object*)self)->model')
            return self.call.append('object')
        if index == 0 and self.creates:
            return self.call.append('&made')
        if name in self.counted:
            return self.call.append('count_%s' % self.counted[name])
        if name in self.counted.values():
            return self.structs(base, name)
        if kind.endswith('**') and base in HANDLES:
            self.declare.append('%s* out_%s = NULL;' % (base, name))
            self.outputs.append(('handle', base, 'out_' + name))
            return self.call.append('&out_' + name)
        if base in HANDLES and kind.endswith('*'):
            return self.handle(base, kind, name, optional)
        if base == 'char' and kind == 'const char*':
            return self.text(name, optional)
        if base == 'double' and kind.endswith('*'):
            return self.doubles(p)
        if base in self.b.struct_number or self.b.api.vector(base):
            return self.struct(p)
        if base in self.b.enums and '*' not in kind:
            a = self.argument(name, '%s | str' % python_name(base), False)
            self.declare.append('int %s = 0;' % name)
            self.parse.append('core_read_enum(%d, %s, "%s", &%s)' % (self.b.enum_number[base], a, name, name))
            return self.call.append('(%s)%s' % (base, name))
        if base in self.b.enums and kind.endswith('*') and 'const' not in kind:
            self.declare.append('%s out_%s = (%s)0;' % (base, name, base))
            self.outputs.append(('enum', base, 'out_' + name))
            return self.call.append('&out_' + name)
        if base in SCALARS and '*' not in kind:
            return self.scalar(p)
        raise Refused('%s: %s %s' % (self.c, kind, name))

    def handle(self, base, kind, name, optional):
        a = self.argument(name, HANDLES[base] + (' | None' if optional else ''), optional)
        c = 'h_' + name
        self.declare.append('%s* %s = NULL;' % (base, c))
        if not kind.startswith('const'):
            self.parse.append('core_refuse_constant(%s, "%s")' % (a, name))
        use = '!(%s = core_use_as(%s, core_class(CLASS_%s), "%s"))' % (c, a, snake(base).upper(), name)
        self.parse.append('(%s != Py_None && %s)' % (a, use) if optional else use)
        self.use_model('(%s ? ((Object*)%s)->model : NULL)' % (c, a) if optional else '((Object*)%s)->model' % a)
        if not self.keeps:
            self.keeps = a
        self.call.append(c)

    def text(self, name, optional):
        a = self.argument(name, 'str' + (' | None' if optional else ''), optional)
        self.declare.append('const char* %s = NULL;' % name)
        self.parse.append('core_read_text(%s, "%s", %d, &%s)' % (a, name, optional, name))
        self.call.append(name)

    def shape(self, p):
        """Sizes of an array as C code; m is the model."""
        return [self.size(p, length) for length in p['length']]

    def size(self, p, length):
        call = re.fullmatch(r'(heft_\w+)\((\w+)\)', length)
        if length in self.b.api.sizes:
            return 'm->' + length
        if length.isdigit() or length in self.b.api.constants:
            return length
        if call and self.kind and call.group(2) == self.f['parameters'][0]['name']:
            return '%s(object)' % call.group(1)
        raise Refused('%s: %s has the length %s' % (self.c, p['name'], length))

    def doubles(self, p):
        name, optional, sizes = p['name'], p['nullable'], self.shape(p)
        if p['direction'] == 'in':
            a = self.argument(name, 'ArrayLike' + (' | None' if optional else ''), optional)
            self.declare.append('const double* %s = NULL;' % name)
            self.parse.append('%s!(%s = core_doubles(%s, "%s", core_shape%d(%s), 1, &%s))%s' % (
                '(%s != Py_None && ' % a if optional else '', self.hold(), a, name, len(sizes), ', '.join(sizes), name,
                ')' if optional else ''))
            return self.call.append(name)
        if p['direction'] == 'in,out':  # Python gives an array and gets another
            a = self.argument(name, 'ArrayLike', False)
            held = self.hold()
            self.declare.append('double* %s = NULL;' % name)
            self.parse.append('!(%s = core_copy(%s, "%s", %s, &%s))' % (held, a, name, sizes[0], name))
            self.outputs.append(('array', None, held))
            return self.call.append(name)
        if not sizes:
            self.declare.append('double out_%s = 0;' % name)
            self.outputs.append(('double', None, 'out_' + name))
            return self.call.append('&out_' + name)
        held = self.hold()
        self.declare.append('void* %s = NULL;' % name)
        self.parse.append('!(%s = core_array(core_shape%d(%s), "d", &%s))' % (held, len(sizes), ', '.join(sizes), name))
        if p['direction'] != 'scratch':  # memory that Python does not see
            self.outputs.append(('array', None, held))
        self.call.append(name)

    def structs(self, base, name):
        a = self.argument(name, 'Sequence[%s]' % python_name(base), False)
        self.declare += ['%s* %s = NULL;' % (base, name), 'int count_%s = 0;' % name]
        self.parse.append('!(%s = core_struct_array(%s, %d, "%s", (void**)&%s, &count_%s))' %
                          (self.hold(), a, self.b.struct_number[base], name, name, name))
        self.call.append(name)

    def vector_shape(self, base):
        shape = self.b.api.vector(base)
        return shape and 'core_shape%d(%s)' % (len(shape), ', '.join(str(n) for n in shape))

    def struct(self, p):
        kind, name, base, optional = p['type'], p['name'], p['base'], p.get('nullable', False)
        if p['length']:
            raise Refused('%s: %s is an array' % (self.c, name))
        vector, shape = self.b.api.vector(base), self.vector_shape(base)
        if p['direction'] == 'out':
            self.declare.append('%s out_%s = {0};' % (base, name))
            self.outputs.append(('vector' if vector else 'struct', base, 'out_' + name))
            return self.call.append('&out_' + name)
        if vector:
            a = self.argument(name, 'ArrayLike', False)
            self.declare.append('%s %s = {0};' % (base, 's_' + name))
            self.parse.append('core_read_shape(%s, "%s", &s_%s, %s, sizeof s_%s)' % (a, name, name, shape, name))
            return self.call.append('s_' + name)
        a = self.argument(name, python_name(base) + (' | None' if optional else ''), optional)
        self.declare.append('%s* s_%s = NULL;' % (base, name))
        read = '!(s_%s = core_struct_data(%s, %d, "%s"))' % (name, a, self.b.struct_number[base], name)
        self.parse.append('(%s != Py_None && %s)' % (a, read) if optional else read)
        self.call.append('s_' + name if kind.endswith('*') else '*s_' + name)

    def scalar(self, p):
        name, base = p['name'], p['base']
        indexed = 'index_of' in p and bool(self.model or self.kind)
        named = p['index_of'][1:].upper() if indexed and p['index_of'] != 'nv' else None  # its name does as well
        a = self.argument(name, 'float' if base in ('double', 'float') else 'bool' if base == 'bool' else
                          'int | str' if named else 'int', False)
        c = 'n_' + name
        self.declare.append('%s %s = 0;' % (SCALARS[base], c))
        if base in ('double', 'float'):
            self.parse.append('core_read_double(%s, "%s", &%s)' % (a, name, c))
        elif base == 'bool':
            self.parse.append('(%s = PyObject_IsTrue(%s)) < 0' % (c, a))
        elif base in ('int', 'int64_t'):
            limits = '%d, m->%s - 1' % (p['min'], p['index_of']) if indexed else 'INT32_MIN, INT32_MAX'
            self.parse.append('core_read_index(%s, "%s", m, HEFT_NAMED_%s, %d, &%s)' % (a, name, named, p['min'], c) if named else
                              'core_read_int(%s, "%s", %s, &%s)' % (a, name, limits, c))
        else:
            self.parse.append('core_read_unsigned(%s, "%s", &%s)' % (a, name, c))
        self.call.append('(%s)%s' % (base, c))

    # ---- result

    def value(self, kind, base, c):
        """C code of a new reference, and the type in Python."""
        if kind == 'array':
            return 'core_take(&%s)' % c, 'NDArray[Any]'
        if kind == 'double':
            return 'PyFloat_FromDouble(%s)' % c, 'float'
        if kind == 'enum':
            return 'core_enum(%d, (int)%s)' % (self.b.enum_number[base], c), python_name(base)
        if kind == 'vector':
            return 'core_numbers(&%s, %s)' % (c, self.vector_shape(base)), 'NDArray[Any]'
        if kind == 'struct':
            return 'core_struct(%d, &%s)' % (self.b.struct_number[base], c), python_name(base)
        if kind == 'handle':
            return 'core_new(CLASS_%s, %s, %s)' % (snake(base).upper(), c, self.keeps or 'NULL'), HANDLES[base]
        raise Refused(self.c)

    def returned(self):
        """Declaration of the result, C code of its Python form, and its type."""
        kind = self.f['type']
        base = re.sub(r'const |\*', '', kind).strip()
        if kind == 'void':
            return '', None, None
        if kind == 'HeftStatus':
            return 'const HeftStatus returned = ', None, None
        if kind in ('int', 'long', 'int64_t'):
            return 'const long long returned = ', 'PyLong_FromLongLong(returned)', 'int'
        if kind in ('size_t', 'uint64_t', 'unsigned'):
            return 'const unsigned long long returned = ', 'PyLong_FromUnsignedLongLong(returned)', 'int'
        if kind == 'double':
            return 'const double returned = ', 'PyFloat_FromDouble(returned)', 'float'
        if kind == 'bool':
            return 'const bool returned = ', 'PyBool_FromLong(returned)', 'bool'
        if kind == 'const char*':
            return 'const char* returned = ', 'PyUnicode_FromString(returned)', 'str'
        if kind in self.b.enums:
            return 'const %s returned = ' % kind, 'core_enum(%d, (int)returned)' % self.b.enum_number[kind], python_name(kind)
        if kind == 'const double*' and self.f.get('length'):
            sizes = [self.size({'name': 'the result'}, length) for length in self.f['length']]
            return ('const double* returned = ', 'core_view(((Object*)self)->memory, returned, \'d\', core_shape%d(%s), "copy() gives an array to change")'
                    % (len(sizes), ', '.join(sizes)), 'NDArray[Any]')
        if base in HANDLES and kind.endswith('*'):
            return ('const %s* returned = ' % base, 'core_borrow(CLASS_%s, (void*)(uintptr_t)returned, self)' % snake(base).upper(),
                    HANDLES[base])
        if base in self.b.struct_number and kind.endswith('*'):
            return 'const %s* returned = ' % base, 'core_struct(%d, returned)' % self.b.struct_number[base], python_name(base)
        if self.b.api.vector(kind):
            code, text = self.value('vector', kind, 'returned')
            return 'const %s returned = ' % kind, code, text
        if kind in self.b.struct_number:
            return 'const %s returned = ' % kind, 'core_struct(%d, &returned)' % self.b.struct_number[kind], python_name(kind)
        raise Refused('%s: returns %s' % (self.c, kind))

    def finish(self):
        self.declaration, self.result, self.result_type = self.returned()
        values = [self.value(*o) for o in self.outputs]
        if self.creates:
            self.results, self.type = [], 'None'
            return
        if self.f['type'] == 'bool' and values:  # false: nothing was found
            self.results, self.type = [values[0][0]], values[0][1] + ' | None'
            return
        self.results = ([self.result] if self.result else []) + [v[0] for v in values]
        types = ([self.result_type] if self.result else []) + [v[1] for v in values]
        self.type = 'None' if not types else types[0] if len(types) == 1 else 'tuple[%s]' % ', '.join(types)

    def text_c(self):
        self.finish()
        return '\n'.join(self.opening() + self.reading() + self.calling() + [''])

    @property
    def failed(self):
        return '-1' if self.creates else 'NULL'

    def opening(self):
        """The head, the object, and the arguments as Python gives them."""
        optional = 0
        while optional < len(self.arguments) and self.arguments[-1 - optional][2]:
            optional += 1
        form = 'O' * (len(self.arguments) - optional) + ('|' + 'O' * optional if optional else '')
        out = ['static %s py_%s(PyObject* self, PyObject* args, PyObject* keywords) {' %
               ('int' if self.creates else 'PyObject*', self.c)]
        if self.kind:
            out.append('  %s* object = core_use%s(self);\n  if (!object) return NULL;' % (self.kind, self.access()))
        elif not self.creates:
            out.append('  (void)self;')
        names = ['a_' + n.rstrip('_') if keyword.iskeyword(n.rstrip('_')) else 'a_' + n for n, _, _ in self.arguments]
        out += ['  PyObject* %s = Py_None;' % n for n in names]
        out.append('  static const char* const names[] = {%s};' % ', '.join(['"%s"' % n for n, _, _ in self.arguments] + ['NULL']))
        out.append('  if (!PyArg_ParseTupleAndKeywords(args, keywords, "%s:%s", core_keywords(names)%s)) return %s;' %
                   (form, self.name if not self.creates else HANDLES[self.creates], ''.join(', &' + n for n in names), self.failed))
        return out

    def reading(self):
        """Declarations, and the arguments as C needs them. Handles are first: the model comes from them."""
        out = ['  PyObject* held[%d] = {NULL};' % self.held] if self.held else []
        out.append('  %s result = %s;' % ('int' if self.creates else 'PyObject*', self.failed))
        out += ['  ' + d for d in self.declare]
        if self.creates:
            out.append('  %s* made = NULL;' % self.creates)
        if '&error' in self.call:
            out.append('  HeftError error = {.status = HEFT_OK};')
        out += ['  if (%s) goto end;' % p for p in self.parse if 'core_use_as' in p]  # these check the types
        if any('m->' in p or 'core_read_index' in p for p in self.parse) or (self.result and 'm->' in self.result):
            out.append('  const HeftModel* m = %s;' % self.model)
            out.append('  if (!m) {\n    core_no_model();\n    goto end;\n  }')
        return out + ['  if (%s) goto end;' % p for p in self.parse if 'core_use_as' not in p]

    def calling(self):
        """The call, its result and the end."""
        out = ['  {', '    %s%s(%s);' % (self.declaration, self.c, ', '.join(self.call))]
        if self.f['type'] == 'HeftStatus':
            out.append('    if (returned != HEFT_OK) {\n      core_fail(returned, %s);\n      goto end;\n    }' %
                       ('&error' if '&error' in self.call else 'NULL'))
        out += ['    if (core_contract_broken()) goto end;', '    result = %s;' % self.result_c(), '  }', 'end:']
        if self.held:
            out.append('  for (int i = 0; i < %d; ++i) Py_XDECREF(held[i]);' % self.held)
        return out + ['  return result;', '}']

    def result_c(self):
        if self.creates:
            return 'core_start((Object*)self, CLASS_%s, made, %s)' % (snake(self.creates).upper(), self.keeps or 'NULL')
        if self.f['type'] == 'bool' and self.outputs:
            return 'returned ? %s : core_none()' % self.results[0]
        if len(self.results) < 2:
            return self.results[0] if self.results else 'core_none()'
        return 'core_tuple(%d, (PyObject*[]){%s})' % (len(self.results), ', '.join(self.results))

    def access(self):
        if self.f['parameters'][0]['type'].startswith('const'):
            return ''
        return '_alone' if self.kind == 'HeftWorld' and self.c not in IN_CALLBACKS else '_to_change'

    def doc(self):
        shapes = ['%s (%s)' % (p['name'], ' x '.join(p['length'])) for p in self.f['parameters']
                  if p['base'] == 'double' and p['length'] and p['direction'] != 'scratch']
        if self.f.get('length'):
            shapes.append('result (%s)' % ' x '.join(self.f['length']))
        return comment_of(self.f) + (' Arrays: %s.' % ', '.join(shapes) if shapes else '')

    def signature(self, method):
        given, rest = [], False
        for name, kind, optional in self.arguments:
            trailing = all(o for _, _, o in self.arguments[self.arguments.index((name, kind, optional)):])
            given.append('%s: %s%s' % (name, kind, ' = None' if trailing else ''))
        return ', '.join((['self'] if method else []) + given)
