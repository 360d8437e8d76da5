#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs every input and program of an audit, ../shared/adversarial/hostile, and prints what comes of it as the table of
docs/manual/trust.md. Without that folder it says so and ends with code 77.

    hostile.py HEFT [FOLDER]

Files of models are checked, and run for 0.05 s of simulated time, at most 4 s of a processor, where they load. Programs that speak version 1 of the
UDP protocol or give keys on the command line are run as they are: they are refused. Programs in C that use names of
earlier versions are named with the test that took their place."""
import os
import resource
import shutil
import subprocess
import sys
import tempfile

# Programs that no longer compile, or need what is not there: the test that asks the same.
successors = {
    'allocfail.c': '`api/allocation`, `io/memory`, `faults/memory`: every allocation',
    'flips.c': '`faults/crafted` (`compiled_*`) and the fuzz target `compiled`: cut, flipped, flipped with a repaired checksum',
    'f_problem.c': 'fuzz target `problem`', 'f_session.c': 'fuzz target `mcap`', 'f_step.c': 'fuzz target `step`',
    'udp/flood.c': '`heft validate --full lateness`: 100,000 packets a second', 'udp/flood.sh': '`heft validate --full lateness`'}
parts = {'my.dict': 'words for a fuzzer', 'circle9000.stl': 'mesh of circle9000.xml', 'circle30000.stl': 'mesh of circle30000.xml',
         'udp/proto.py': 'version 1 of the protocol, for the programs below', 'include_bomb/b.xml': 'part of include_bomb/main.xml',
         'include_bomb/c.xml': 'part of include_bomb/main.xml', 'toctou/in.xml': 'part of toctou/race.py', 'toctou/main.xml': 'part of toctou/race.py'}


RUN_SECONDS = 4  # of a processor, for a simulation


def limits():
    resource.setrlimit(resource.RLIMIT_CPU, (RUN_SECONDS, RUN_SECONDS))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def call(words, **more):
    """Code, output, processor seconds, megabytes."""
    with tempfile.TemporaryFile() as out:
        process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT, preexec_fn=limits, **more)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        return process.returncode, out.read(100000).decode('utf-8', 'replace'), used.ru_utime + used.ru_stime, used.ru_maxrss / 1e3


def error_of(text):
    line = next((line for line in text.splitlines() if 'error: ' in line), text.strip().split('\n')[-1])
    return line.split('error: ')[-1][:110].replace('|', '/')


def model(heft, name):
    code, text, seconds, size = call([heft, 'check', name])
    outcome = 'loaded' if code == 0 else 'refused: ' + error_of(text)
    used = '%.2f s, %.0f MB' % (seconds, size)
    if code == 0:
        code, text, seconds, size = call([heft, 'run', name, '--time', '0.05', '--quiet'])
        ended = code == 0 or code < 0 and seconds >= RUN_SECONDS - 1
        outcome += ', 0.05 s simulated' if code == 0 else ', simulated for %d s without reaching 0.05 s' % RUN_SECONDS if ended else ', not run: ' + error_of(text)
        used += '; %.2f s, %.0f MB' % (seconds, size)
        return outcome, used, ended or code in (1, 2)
    return outcome, used, code in (1, 2) and seconds < 1


def program(heft, folder, name, root):
    """A program in Python, beside a copy of the folder at the place that it expects."""
    if name == 'toctou/race.py':
        text = open(os.path.join(folder, name)).read().replace("'build/release/bin/heft'", repr(heft)).replace('range(200)', 'range(50)')
        with open(os.path.join(root, 'race.py'), 'w') as file:
            file.write(text)
        name_there = os.path.join(root, 'race.py')
    else:
        name_there = os.path.join('..', 'shared', 'adversarial', 'hostile', name)
    code, text, seconds, _ = call([sys.executable, name_there, heft], cwd=root)
    lines = [line for line in text.strip().split('\n') if line.strip()]
    shown = error_of(text) if 'error: ' in text else '; '.join(lines[-2:])[:160] if lines else ''
    return shown.replace('|', '/'), '%.1f s' % seconds, code >= 0


def main():
    heft = os.path.abspath(sys.argv[1])
    here = os.path.dirname(os.path.abspath(__file__))
    source = os.path.dirname(os.path.dirname(here))
    folder = os.path.abspath(sys.argv[2] if len(sys.argv) > 2 else os.path.join(source, '..', 'shared', 'adversarial', 'hostile'))
    if not os.path.isdir(folder):
        print('hostile: skipped, there is no folder %s' % os.path.relpath(folder))
        return 77
    place, bad = tempfile.mkdtemp(), 0
    try:
        copy = os.path.join(place, 'shared', 'adversarial', 'hostile')
        shutil.copytree(folder, copy)
        for base, folders, names in os.walk(copy):
            for name in folders + names:
                os.chmod(os.path.join(base, name), 0o755)
        root = os.path.join(place, 'root')
        os.makedirs(root)
        os.symlink(os.path.join(source, 'scenes'), os.path.join(root, 'scenes'))
        os.chdir(copy)
        print('| input | now | takes |\n|---|---|---|')
        for base, _, names in sorted(os.walk('.')):
            for name in sorted(os.path.relpath(os.path.join(base, n)) for n in names):
                if name in successors or name in parts:
                    row = successors.get(name) or parts[name], '', True
                elif name.endswith(('.xml', '.urdf', '.heft')):
                    row = model(heft, name)
                else:
                    row = program(heft, copy, name, root)
                print('| `%s` | %s | %s |' % (name, row[0], row[1]), flush=True)
                bad += not row[2]
    finally:
        os.chdir('/')
        shutil.rmtree(place)
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main())
