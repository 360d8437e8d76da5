#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Runs what the manual shows. In the pages given:
#   ```c     blocks with a main() are compiled against the libraries and run;
#   ```sh    blocks are run by sh, with heft on the path;
#   ```python blocks are run by HEFT_PACKAGE_PYTHON (default python3), with the package of the build;
#   ```xml   blocks that hold a whole model (<mujoco> or <robot>) are checked by heft;
#   ```text  a block right after one of these is what it must print: "..." stands for anything, lines in between too.
#   <!-- compiled: DECLARATIONS --> right before a block: it is compiled after these declarations ("none": as it is), not run;
#   <!-- inside: MODEL --> right before a block: MODEL with the block in place of "@" is checked by heft;
#   <!-- FILE --> right before a block: the block must be that file of the source tree, less its licence line.
# Everything runs in a scratch folder that holds a copy of the scenes, models, examples and apps/check. What needs OpenGL or the Python
# package is left out where that is missing, and the last line counts it.
# usage: run_snippets.py SOURCE BUILD COMPILER PAGE...
import os
import re
import shutil
import subprocess
import sys
import tempfile

import code_blocks

BLOCK = re.compile(r'^```(\w+)\n(.*?)^```$', re.S | re.M)
FILE = re.compile(r'<!-- (\S+) -->\n$')


def libraries(build):
    folder = os.path.join(build, 'lib')
    return ['-L', folder, '-lheft_io', '-lheft_device', '-lheft', '-lm', '-Wl,-rpath,' + folder, '-Wl,-rpath-link,' + folder]


def run_c(text, source, build, compiler, work):
    with open(os.path.join(work, 'snippet.c'), 'w') as file:
        file.write(text)
    command = [compiler, '-std=c17', '-Wall', '-Wextra', '-Werror', '-I', os.path.join(source, 'include'), 'snippet.c',
               '-o', 'snippet'] + libraries(build)
    made = subprocess.run(command, cwd=work, capture_output=True, text=True)
    if made.returncode:
        return 1, made.stderr
    done = subprocess.run(['./snippet'], cwd=work, capture_output=True, text=True, timeout=120)
    return done.returncode, done.stdout + done.stderr


def compile_c(text, declarations, source, compiler, work):
    """Compiles a part of a program; values that it does not use are no mistake."""
    if declarations != 'none':
        text = '#include <heft/heft.h>\n#include <heft/io.h>\nvoid snippet(void);\nvoid snippet(void) {\n%s\n%s}\n' % (declarations, text)
    with open(os.path.join(work, 'snippet.c'), 'w') as file:
        file.write(text)
    made = subprocess.run([compiler, '-std=c17', '-Wall', '-Wextra', '-Werror', '-Wno-unused', '-fsyntax-only', '-I',
                           os.path.join(source, 'include'), 'snippet.c'], cwd=work, capture_output=True, text=True)
    return made.returncode, made.stderr


def run(command, build, work):
    env = dict(os.environ, PATH=os.path.join(build, 'bin') + ':' + os.environ['PATH'], PYTHONPATH=os.path.join(build, 'python'),
               PYTHONDONTWRITEBYTECODE='1', MPLBACKEND='Agg')
    done = subprocess.run(command, cwd=work, env=env, capture_output=True, text=True, timeout=280)
    return done.returncode, done.stdout + done.stderr


def run_sh(text, build, work):
    return run(['sh', '-eu', '-c', text], build, work)


def run_python(text, build, work):
    return run([PYTHON, '-c', text], build, work)


def run_xml(text, build, work):
    """Checks a model in a file of its own."""
    with open(os.path.join(work, 'snippet.xml'), 'w') as file:
        file.write(text)
    return run(['heft', 'check', '--strict', 'snippet.xml'], build, work)


PYTHON = os.environ.get('HEFT_PACKAGE_PYTHON') or 'python3'


class Missing:
    """What this machine cannot run: asked once."""

    def __init__(self, build, work):
        self.needs = {
            'heft render': lambda: run_sh('heft render scenes/slope.xml --size 64x48 -o missing.png', build, work)[0],
            'import heft': lambda: run_python('import heft', build, work)[0],
            'numpy': lambda: run_python('import numpy', build, work)[0],
            'matplotlib': lambda: run_python('import matplotlib', build, work)[0],
        }
        self.needs['heft.render'] = self.needs['heft render']
        self.known = {}

    def any(self, text):
        found = [need for need in self.needs if need in text]
        for need in found:
            if need not in self.known:
                self.known[need] = self.needs[need]() != 0
        return any(self.known[need] for need in found)


def matches(wanted, printed):
    pattern = '.*?'.join(re.escape(part) for part in wanted.strip().split('...'))
    return re.fullmatch(pattern, printed.strip(), re.S) is not None


def differs_from_file(text, block, source):
    """The name of the file that a block should be and is not, or None."""
    named = FILE.search(text[:block.start()])
    if not named:
        return None
    lines = open(os.path.join(source, named.group(1))).read().split('\n')
    return None if block.group(2) == '\n'.join(lines[1:]) else named.group(1)


def check_page(page, source, build, compiler, work, missing):
    count, wrong, left_out, last = 0, 0, 0, None
    text = open(page).read()
    for block in code_blocks.blocks(text):
        if block.marker not in ('compiled', 'inside'):
            continue
        code, printed = (compile_c(block.body, block.remark, source, compiler, work) if block.marker == 'compiled'
                         else run_xml(block.remark.replace('@', block.body), build, work))
        count += 1
        if code:
            print('%s:%d: the block is wrong:\n%s' % (os.path.relpath(page, source), block.line, printed))
            wrong += 1
    for block in BLOCK.finditer(text):
        if code_blocks.MARKER.search(text[:block.start()].rstrip('\n').rsplit('\n', 1)[-1]):
            last = None
            continue
        kind, body = block.group(1), block.group(2)
        where = '%s:%d' % (os.path.relpath(page, source), text.count('\n', 0, block.start()) + 1)
        other = differs_from_file(text, block, source)
        if other:
            print('%s: the block is not the file %s' % (where, other))
            wrong += 1
        if kind == 'text' and last is not None:
            if not matches(body, last):
                print('%s: it prints something else:\n%s' % (where, last))
                wrong += 1
            last = None
            continue
        last = None
        if kind == 'c' and '<heft/view.h>' in body:
            continue  # needs a screen: tests/view runs it
        if kind in ('sh', 'python') and missing.any(body):
            left_out += 1
            continue
        if kind == 'c' and re.search(r'\bint main\(', body):
            code, printed = run_c(body, source, build, compiler, work)
        elif kind == 'sh':
            code, printed = run_sh(body, build, work)
        elif kind == 'python':
            code, printed = run_python(body, build, work)
        elif kind == 'xml' and re.search(r'^<(mujoco|robot)\b', body, re.M):
            code, printed = run_xml(body, build, work)
        else:
            continue
        count += 1
        last = printed
        if code:
            print('%s: ends with %d:\n%s' % (where, code, printed))
            wrong += 1
    return count, wrong, left_out


def main():
    source, build, compiler = (os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]), sys.argv[3])
    work = tempfile.mkdtemp()
    for folder in ('scenes', 'models', 'examples', 'apps/check'):
        shutil.copytree(os.path.join(source, folder), os.path.join(work, folder))
    count = wrong = left_out = 0
    try:
        missing = Missing(build, work)
        for page in sys.argv[4:]:
            n, k, out = check_page(page, source, build, compiler, work, missing)
            count, wrong, left_out = count + n, wrong + k, left_out + out
    finally:
        shutil.rmtree(work)
    print('snippets: %d run, %d wrong, %d left out: they need something that is not here' % (count, wrong, left_out))
    return 1 if wrong or not count else 0


sys.exit(main())
