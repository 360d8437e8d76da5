#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measure the numbers of the stages of the contact solver (src/contact/stages.h) at half and at twice their values.

usage: tune_constants.py BUILD PROBLEMS [NAME...]
    BUILD     a build folder with libheft.a, libheft_io.a and bench_solver_effort (preset ci)
    PROBLEMS  a folder with scenes/*.dat and fc3d/*.dat
    NAME      only these numbers

A number is changed in a copy of the header, and the room is compiled and linked before the libraries. Three sets
are solved: `cold` (problem files from zero impulses), `warm` (consecutive steps from the last answer) and
`steps` (200 steps of each of eight scenes). The table has for each set the ratio of effort to that with the present value, as a geometric mean
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
SLOW = '/fc2d_granularflowonwall_07002|/RockPile|/(ws_)?pile(216|343|512)'  # take as long as all others together
FILE = 'stages.h'  # StageNumbers: all numbers of the stages


def run(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(' '.join(command) + '\n' + done.stderr)
    return done.stdout


def changed(text, name, factor):
    """The text with the number times the factor, and the old and the new value."""
    found = re.search(r'\.%s =\s+([0-9.e+-]+)' % name, text)
    if not found:
        sys.exit('no number %s' % name)
    old = found.group(1)
    new = repr(float(old) * factor) if re.search(r'[.e]', old) else '%g' % max(1, math.floor(int(old) * factor))
    return text[:found.start(1)] + new + text[found.end(1):], old, new


def program(build, driver, work, file, text):
    """The measuring program with another text of a file of src/contact."""
    tree = os.path.join(work, 'src')
    shutil.copytree(os.path.join(ROOT, 'src'), tree)
    with open(os.path.join(tree, 'contact', file), 'w') as out:
        out.write(text)
    sources = [os.path.basename(name) for name in glob.glob(os.path.join(tree, 'contact', '*.c'))]
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


def measure(effort, problems):
    """Set -> problem -> (solved, effort)."""
    files = sorted(glob.glob(os.path.join(problems, 'scenes', '*.dat'))) + sorted(
        glob.glob(os.path.join(problems, 'fc3d', '*.dat')))
    lines = run([effort, '20000'] + [name for name in files if not re.search(SLOW, name)] +
                [os.path.join(ROOT, 'scenes', name + '.xml') for name in SCENES])
    sets = {}
    for line in lines.splitlines():
        name, kind, solved, units = line.split()
        sets.setdefault(kind, {})[name] = (int(solved), int(units))
    return sets


def compare(now, base):
    """Columns of the table: the mean ratio of effort, and the change of unsolved problems."""
    cells = []
    for kind in ('cold', 'warm', 'steps'):
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

    with open(os.path.join(ROOT, 'src', 'contact', FILE)) as source:
        text = source.read()
    names = [name for name in re.findall(r'^    \.(\w+) = ', text, re.M) if not only or name in only]

    def job(name, factor):
        with_change, old, new = changed(text, name, factor) if name else (text, '', '')
        with tempfile.TemporaryDirectory() as work:
            return old, new, measure(program(build, driver, work, FILE, with_change), problems)

    shared = tempfile.TemporaryDirectory()
    driver = os.path.join(shared.name, 'driver.o')
    run(['cc'] + FLAGS + ['-c', os.path.join(ROOT, 'bench', 'solver_effort.c'), '-o', driver])
    base = job(None, 1)[2]
    for kind in base:
        print('%s: %d problems, %d unsolved, effort %d' % (
            kind, len(base[kind]), sum(not s for s, _ in base[kind].values()), sum(e for _, e in base[kind].values())))
    print('| number | value | half | twice |\n|---|---|---|---|')
    with concurrent.futures.ThreadPoolExecutor(int(os.environ.get('JOBS', '1'))) as pool:
        results = pool.map(lambda name: [job(name, factor) for factor in (0.5, 2)], names)
        for name, both in zip(names, results):
            cells = ['%s: %s' % (new, ', '.join(compare(sets, base))) for _, new, sets in both]
            print('| `%s` | %s | %s |' % (name, both[0][0], ' | '.join(cells)), flush=True)


main()
