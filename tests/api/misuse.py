#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Reads the description of the public headers (api.json of tools/api.py) and writes calls that break the contract of every public function, for
# test_misuse.c. For each function:
#   - everything wrong at once: NULL, -1, NaN;
#   - everything right but one argument: a pointer NULL, an index -1 or INT_MAX, a count -1, an enum -1 or
#     1000, a number NaN, a def filled with zeros or with garbage.
# A call must be noticed (assert hook, a status other than HEFT_OK, or index -1) where the header does not allow the
# value: a pointer may be NULL if the comment of the function says so. All others must only not crash.
# A parameter of a type that is not known here is an error, so that no new function goes untested.
# usage: misuse.py API.json OUTPUT.h
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', 'tools'))
sys.dont_write_bytecode = True
from api import INDEX, Api, comment_of, load  # noqa: E402

# Objects of the fixture (test_misuse.c).
HANDLES = {'HeftModel', 'HeftState', 'HeftBuilder', 'HeftDynamics', 'HeftCollider', 'HeftContactSolver',
           'HeftWorld', 'HeftWholeBody', 'HeftBiped', 'HeftEstimator', 'HeftWalk', 'HeftSpline', 'HeftPoseSolver',
           'HeftCompliance', 'HeftGaze', 'HeftDevice', 'HeftProbe', 'HeftSession', 'HeftServo',
           'HeftPluginSet', 'HeftBatch', 'HeftRobot', 'HeftRunLog', 'HeftReplay'}

# Only called with everything wrong: a right call would end the fixture, start a thread, take the hook away, need
# another process, write a file or need a recording.
NEVER_RIGHT = re.compile(r'_(destroy|close|release)$|^heft_servo_start$|^heft_(log|assert)_set_hook$|^heft_robot_'
                         r'|^heft_run_log_(open|write)$|^heft_replay_')
# Every pointer is right, NULL too; the comment of the function says what it means.
ANY_POINTER = re.compile(r'_(destroy|close|release)$|^heft_(log|assert)_set_hook$')

# Wrong arguments that a function answers without the assert hook, with the reason.
HARMLESS = {
    ('heft_world_coupling_wrench', 'coupling'): 'zero for a coupling that was not there',
    ('heft_contact_solver_bytes', 'def'): '0 for a def that no solver can have',
    ('heft_driver_at', 'index'): 'NULL beyond the last one, so that a loop needs no count',
    ('heft_behaviour_at', 'index'): 'NULL beyond the last one, so that a loop needs no count',
    ('heft_contact_certify', 'impulse'): 'the empty problem of this test has no impulses',
    ('heft_contact_solver_certify', 'impulse'): 'the empty problem of this test has no impulses',
    ('heft_contact_natural_map_error', 'impulse'): 'the empty problem of this test has no impulses',
    ('heft_contact_solver_solve', 'impulse'): 'the empty problem of this test has no impulses',
}

COUNTS = re.compile(r'(^|_)(count|most|max|capacity|size|n|channels|steps|rows|columns|probes|order)$')
ENUM_WORDS = ('-1', '1000')


class Argument:
    """One parameter: what is right, and what is wrong with a name and whether it must be noticed."""

    def __init__(self, header, function, parameter):
        kind, name = parameter['type'], parameter['name']
        self.name, self.kind, self.before, self.after = name, kind, '', ''
        base = kind.replace('const ', '').strip()
        must = not parameter.get('nullable') and not ANY_POINTER.search(function['name']) and \
            (function['name'], name) not in HARMLESS
        if base.endswith('**'):
            self.out(header, function, base[:-2], must)
        elif base.endswith('(*)[]'):
            self.right, self.wrong = '(void*)buffer(0)', [('NULL', must)]
        elif base.endswith('*'):
            self.pointer(header, base[:-1].strip(), must, not function['name'].endswith('_init') and
                         (function['name'], name) not in HARMLESS)
        else:
            self.value(header, function, base, name)

    def out(self, header, function, base, must):
        ender = header.enders.get(base)
        if base in HANDLES and ender:
            self.before, self.after = '%s* made = NULL;' % base, '%s(made);' % ender
            self.right = '&made'
        elif base in ('void', 'char'):  # contents of a file that does not exist: stays NULL
            self.before, self.right = '%s* bytes = NULL;' % base, '&bytes'
        else:
            raise SystemExit('misuse.py: %s: no object of the type %s' % (function['name'], base))
        self.wrong = [('NULL', must)]

    def pointer(self, header, base, must, must_check):
        self.wrong = [('NULL', must)]
        if base in HANDLES:
            self.right = 'fresh_builder()' if base == 'HeftBuilder' else 'fixture.%s' % base
        elif base in header.defaults:
            default = header.defaults[base]
            given = ', '.join('fixture.HeftModel' for _ in default['parameters'])
            self.right = '&(%s[1]){%s(%s)}[0]' % (base, default['name'], given)
            cookie = any(f['name'] == 'cookie' for f in header.structs[base]['fields'])
            has_cookie = must_check and cookie
            self.wrong += [('(%s*)zeros()' % base, has_cookie or base == 'HeftAllocator')]
            if cookie:  # without one nothing tells garbage
                self.wrong += [('(%s*)garbage()' % base, has_cookie)]
        elif base in header.structs:
            self.right = '(%s*)blank(sizeof(%s))' % (base, base)
        elif base in header.enums or base in ('double', 'int', 'unsigned', 'void', 'size_t', 'int64_t', 'uint64_t'):
            self.right = '(%s*)buffer(sizeof(double))' % base
        elif base == 'char':
            self.right = 'text()'
        elif base == 'bool':
            self.right = '(bool*)buffer(sizeof(double))'
        elif base in header.hooks:
            self.right, self.wrong = 'NULL', [('NULL', False)]
        else:
            raise SystemExit('misuse.py: no value of the type %s*' % base)

    def value(self, header, function, base, name):
        told = (function['name'], name) not in HARMLESS
        if base in header.enums:
            self.right, self.wrong = '(%s)0' % base, [('(%s)(%s)' % (base, w), False) for w in ENUM_WORDS]
        elif base == 'int' and COUNTS.search(name):
            self.right, self.wrong = '1', [('-1', told)]
        elif base == 'int':
            self.right = '1' if name in ('body', 'on', 'of', 'root', 'facets') else '0'
            self.wrong = [('-1', False), ('INT_MAX', told and is_index(name))]
        elif base in ('double', 'float'):
            self.right, self.wrong = '1.0', [('(double)NAN', False), ('-1.0', False)]
        elif base in ('size_t', 'uint64_t', 'uint32_t', 'unsigned', 'int64_t', 'long'):
            self.right, self.wrong = '8', [('0', False)]
        elif base == 'bool':
            self.right, self.wrong = 'true', [('false', False)]
        elif base in header.defaults and not header.defaults[base]['parameters']:
            self.right, self.wrong = '%s()' % header.defaults[base]['name'], [('(%s){0}' % base, False)]
        elif base in header.structs:
            self.right, self.wrong = '(%s){0}' % base, []
        else:
            raise SystemExit('misuse.py: %s: no value of the type %s' % (function['name'], base))


INDICES = set(INDEX) - {'base'} | {'index', 'contact', 'device', 'coupling'}


def is_index(name):
    return name in INDICES


def call(function, values, arguments, must, what):
    before = ' '.join(a.before for a, v in zip(arguments, values) if a.before and v == a.right)
    after = ' '.join(a.after for a, v in zip(arguments, values) if a.after and v == a.right)
    text = '%s(%s)' % (function['name'], ', '.join(values))
    is_index_or_none = function['type'] == 'int' and re.search(r'(?<![\w.])-1\b', comment_of(function))
    kind = 'STATUS' if function['type'] == 'HeftStatus' else 'INDEX' if is_index_or_none else 'OTHER'
    return '  { %s %s("%s", %d, %s); %s }' % (before, kind, what.replace('"', "'"), must, text, after)


def calls_of(header, function):
    arguments = [Argument(header, function, p) for p in function['parameters']]
    lines = []
    if not arguments:
        return [call(function, [], [], 0, 'no arguments')]
    worst = [a.wrong[0][0] if a.wrong else a.right for a in arguments]
    must = any(a.wrong and a.wrong[0][1] for a in arguments)
    lines.append(call(function, worst, arguments, must, 'all wrong'))
    if NEVER_RIGHT.search(function['name']):
        return lines
    for i, argument in enumerate(arguments):
        for value, must in argument.wrong:
            values = [a.right for a in arguments]
            values[i] = value
            lines.append(call(function, values, arguments, must, '%s = %s' % (argument.name, value)))
    return lines


def main():
    header = Api(load(sys.argv[1]))
    out = ['// Generated by tests/api/misuse.py from include/heft.']
    for function in header.functions:
        out.append('static void misuse_%s(void) {' % function['name'])
        out += calls_of(header, function)
        out.append('}')
    out.append('static const Misuse misuses[] = {')
    out += ['  {"%s", misuse_%s},' % (f['name'], f['name']) for f in header.functions]
    out.append('};')
    with open(sys.argv[2], 'w') as file:
        file.write('\n'.join(out) + '\n')


main()
