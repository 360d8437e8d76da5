#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measure the tuning constants of the contact solver at half and at twice their values.

usage: tune_constants.py BUILD PROBLEMS [NAME...]
    BUILD     a build folder with libheft.a, libheft_io.a and bench_solver_effort (preset ci)
    PROBLEMS  a folder with scenes/*.dat and fc3d/*.dat
    NAME      only these constants

A constant is changed in a copy of its file, which is compiled and linked before the libraries. Four sets
are solved: `cold` (problem files from zero impulses), `warm` (consecutive steps from the last answer),
`steps` (200 steps of each of eight scenes) and `piles` (balls in the middle of an impact, with an effort of up to
100000). The table has for each set the ratio of effort to that with the present value, as a geometric mean
over the problems, and the change of the number of unsolved problems where it is not zero. Effort is counted in
sweeps, so the table does not depend on the machine; a Newton step of the set `steps` counts as four.
"""
import concurrent.futures
import glob
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FLAGS = ['-O2', '-DNDEBUG', '-DHEFT_NO_CLONES', '-std=c17', '-ffp-contract=off', '-fno-math-errno', '-fno-tree-vectorize', '-fPIC',
         '-D_POSIX_C_SOURCE=200809L', '-w', '-I' + os.path.join(ROOT, 'include')]
SCENES = 'pyramid humanoid_8 humanoid_40 stack kapla pile heap quadruped'.split()
SLOW = '/fc2d_granularflowonwall_07002'  # takes as long as all others together
# File, names, and whether the set `piles` is solved too.
CONSTANTS = [
    ('phases.c', 'REFRESH EXPENSIVE FINISH_STEPS FINISH_SWEEPS FINISH_TREES FIRST_SWEEPS FIRST_PATIENCE '
                 'MANY_PATIENCE SMOOTH_STEPS SMOOTH_PATIENCE ZERO_STEPS KAPPA_SMOOTH KAPPA_WARM ROUNDED ROUNDED_WARM '
                 'FAR COLD NEAR NEARER GROWTH STICKING', False),
    ('phases.c', 'MOMENTUM_SWEEPS', True),
    ('newton/newton.c', 'SMOOTH_INNER_MAX HALVINGS_MAX KAPPA_MAX SMOOTH_DONE SMOOTH_KAPPA_MIN TAU_MET TAU_FALL', False),
    ('sweep/anderson.c', 'BAD REGULAR', False),
    ('sweep/anderson.h', 'ANDERSON_MEMORY ANDERSON_SMALL ANDERSON_EFFECTORS', False),
    ('core/colouring.h', 'PACKETS_MIN', False),
    ('solver.c', 'proximal', False),
]


def run(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(' '.join(command) + '\n' + done.stderr)
    return done.stdout


def changed(text, name, factor):
    """The text with the constant times the factor, and the old and the new value."""
    found = re.search(r'\b%s =\s+([0-9.e+-]+)' % name, text)
    if not found:
        sys.exit('no constant %s' % name)
    old = found.group(1)
    new = repr(float(old) * factor) if re.search(r'[.e]', old) else '%g' % max(1, math.floor(int(old) * factor))
    return text[:found.start(1)] + new + text[found.end(1):], old, new


def program(build, driver, work, file, text):
    """The measuring program with another text of a file of src/contact."""
    tree = os.path.join(work, 'src')
    shutil.copytree(os.path.join(ROOT, 'src'), tree)
    with open(os.path.join(tree, 'contact', file), 'w') as out:
        out.write(text)
    sources = [file] if file.endswith('.c') else [
        os.path.relpath(name, os.path.join(tree, 'contact'))
        for name in glob.glob(os.path.join(tree, 'contact', '**', '*.c'), recursive=True)]
    objects = []
    for source in sources:
        objects.append(os.path.join(work, source.replace('/', '_') + '.o'))
        run(['cc'] + FLAGS + ['-I' + tree, '-c', os.path.join(tree, 'contact', source), '-o', objects[-1]])
    out = os.path.join(work, 'effort')
    lib = os.path.join(build, 'lib')
    run(['cc', driver] + objects + [
        os.path.join(lib, 'libheft_io.a'), os.path.join(lib, 'libheft.a'), '-lexpat', '-lpng', '-lqhull_r', '-lm',
         '-lpthread', '-o', out])
    return out


def measure(effort, problems, with_piles):
    """Set -> problem -> (solved, effort)."""
    files = sorted(glob.glob(os.path.join(problems, 'scenes', '*.dat'))) + sorted(
        glob.glob(os.path.join(problems, 'fc3d', '*.dat')))
    piles = [name for name in files if re.search(r'/(ws_)?pile(216|343|512)', name)]
    lines = run([effort, '20000'] + [name for name in files if name not in piles and SLOW not in name] +
                [os.path.join(ROOT, 'scenes', name + '.xml') for name in SCENES])
    if with_piles:
        few = [name for name in piles if re.search(r'/(pile216|ws_pile216_1)', name)]
        lines += run([effort, '100000'] + few).replace(' cold ', ' piles ')
    sets = {}
    for line in lines.splitlines():
        name, kind, solved, units = line.split()
        sets.setdefault(kind, {})[name] = (int(solved), int(units))
    return sets


def compare(now, base):
    """Columns of the table: the mean ratio of effort, and the change of unsolved problems."""
    cells = []
    for kind in ('cold', 'warm', 'steps', 'piles'):
        if kind not in now:
            cells.append('')
            continue
        logs = [math.log((1 + now[kind][name][1]) / (1 + base[kind][name][1])) for name in base[kind]]
        unsolved = sum(base[kind][name][0] - now[kind][name][0] for name in base[kind])
        cell = '%.2f' % math.exp(sum(logs) / len(logs))
        cells.append(cell + (' (%+d unsolved)' % unsolved if unsolved else ''))
    return cells


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    build, problems, only = sys.argv[1], sys.argv[2], sys.argv[3:]

    def job(file, name, factor, with_piles):
        with open(os.path.join(ROOT, 'src', 'contact', file)) as source:
            text = source.read()
        text, old, new = changed(text, name, factor) if name else (text, '', '')
        with tempfile.TemporaryDirectory() as work:
            return old, new, measure(program(build, driver, work, file, text), problems, with_piles)

    shared = tempfile.TemporaryDirectory()
    driver = os.path.join(shared.name, 'driver.o')
    run(['cc'] + FLAGS + ['-c', os.path.join(ROOT, 'bench', 'solver_effort.c'), '-o', driver])
    base = job('phases.c', None, 1, True)[2]
    for kind in base:
        print('%s: %d problems, %d unsolved, effort %d' % (
            kind, len(base[kind]), sum(not s for s, _ in base[kind].values()), sum(e for _, e in base[kind].values())))
    print('| constant | value | | cold | warm | steps | piles |\n|---|---|---|---|---|---|---|')
    with concurrent.futures.ThreadPoolExecutor(int(os.environ.get('JOBS', '1'))) as pool:
        wanted = [(file, name, factor, piles) for file, names, piles in CONSTANTS for name in names.split()
                  if not only or name in only for factor in (0.5, 2)]
        results = pool.map(lambda one: job(*one), wanted)
        for (file, name, factor, _), (old, new, sets) in zip(wanted, results):
            stem = os.path.basename(file)
            print('| %s | %s | %s | %s |' % ('`%s` (%s)' % (name, stem) if factor < 1 else '', old if factor < 1 else '',
                                             new, ' | '.join(compare(sets, base))), flush=True)


main()
