#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Memory that runs out while the command works (docs/manual/trust.md). Each request for memory of a command fails, alone
and with all after it. The command must end with a message and a code other than 0, or have the same results as with
the memory; the files that it leaves can be opened.

    memory.py HEFT SCENES FAULTY.so PLUGIN.so CONTROLLER [NAME...] [--full]

FAULTY.so is tests/faults/faulty.c, PLUGIN.so tests/plugin/modules/pulse.c, CONTROLLER examples/controller/hold.c.
NAME is a row of the table below. Short form: some requests of each row. --full: all requests."""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

full = '--full' in sys.argv
arguments = [a for a in sys.argv[1:] if a != '--full']
heft, scenes, faulty, plugin, controller = (os.path.abspath(a) for a in arguments[:5])
root = os.path.dirname(scenes)
examples = os.path.join(root, 'examples')
slide, boxes, cup = (os.path.join(scenes, name) for name in ('slide.xml', 'two_boxes.xml', 'mesh_cup.xml'))
quadruped, sponge = (os.path.join(examples, name) for name in ('quadruped.xml', 'sponge.xml'))
robot = os.path.join(root, 'models', 'hoap_like.xml')
touch = 'emulated:touch:0 0 0 0.05; 0.3 0 0 -0.04; 1 0.03 0 -0.02'
failures = []


class Row:
    """A command and the files that it writes. share: how many requests fail in the short form, alone and with all
    after them. own: only requests of the program itself fail, since drivers of OpenGL do not check theirs.
    controlled: a controller runs beside it. timed: the last column of its table is a time."""

    def __init__(self, name, command, files=(), share=2, own=False, controlled=False, timed=False):
        self.name, self.command, self.files, self.share = name, command, list(files), share
        self.own, self.controlled, self.timed = own, controlled, timed


ROWS = [
    Row('run', ['run', slide, '--time', '0.02', '--quiet', '--log', 'log.mcap', '--log', 'log.csv', '--log', 'log.npy', '--record',
                'record.mcap'], ['log.mcap', 'log.csv', 'log.npy', 'record.mcap'], share=10),
    Row('controller', ['run', robot, '--time', '0.01', '--quiet', '--plugin', plugin, '--controller', 'unix:robot,wait=20,timeout=20',
                       '--log', 'log.mcap', '--record', 'record.mcap'], ['log.mcap', 'record.mcap'], share=6, controlled=True),
    Row('deformable', ['run', sponge, '--time', '0.005', '--quiet', '--json']),
    Row('meshes', ['run', cup, '--time', '0.01', '--quiet']),
    Row('replay', ['replay', 'whole.mcap']),
    Row('feel', ['feel', boxes, '--virtual', '--time', '0.02', '--at', '0,0,0.45', '--device', touch, '--record', 'record.mcap'],
        ['record.mcap'], share=4),
    Row('serve', ['serve', slide, '--listen', '127.0.0.1:0', '--paused', '--seconds', '0.02']),
    Row('check', ['check', quadruped]),
    Row('info', ['info', '--json', quadruped]),
    Row('urdf', ['convert', quadruped, 'out.urdf'], ['out.urdf']),
    Row('mjcf', ['convert', quadruped, 'out.xml'], ['out.xml']),
    Row('compiled', ['convert', quadruped, 'out.heft'], ['out.heft']),
    Row('compare', ['compare', slide, '--time', '0.02', '--figure', 'out.svg'], ['out.svg'], timed=True),
    Row('generate', ['generate', quadruped, '-o', 'out.c'], ['out.c', 'out.h']),
    Row('solve', ['solve', 'problem.dat'], timed=True),
    Row('judge', ['judge', quadruped, 'motion.csv']),
    Row('sweep', ['sweep', 'run', 'grasp.toml', '--workers', '1', '--quiet', '--out', 'results'], ['results'], share=4),
    Row('sweep-check', ['sweep', 'check', 'grasp.toml']),
    Row('sweep-show', ['sweep', 'show', 'whole', '--histogram', 'height_max', '-o', 'out.svg'], ['out.svg']),
    Row('sweep-export', ['sweep', 'export', 'whole', '--csv', 'out.csv'], ['out.csv']),
    Row('sweep-parquet', ['sweep', 'export', 'whole', '--parquet', 'out.parquet'], ['out.parquet']),
    Row('render', ['render', slide, '-o', 'out.png', '--size', '64x48', '--time', '0.01', '--quiet'], ['out.png'], own=True, share=1),
]


def fail(text):
    failures.append(text)
    print('FAILED:', text, flush=True)


def call(*command, **environment):
    return subprocess.run([heft, *command], capture_output=True, text=True, errors='replace', timeout=100,
                          env=dict(os.environ, **environment))


def read(path):
    with open(path, 'rb') as file:
        return file.read()


def prepare():
    """Inputs of the rows: a short sweep and its results, a recording, a contact problem, a trajectory."""
    for name in ('grasp.xml', 'grasp.csv'):
        shutil.copy(os.path.join(examples, 'sweep', name), name)
    with open(os.path.join(examples, 'sweep', 'grasp.toml')) as file:
        text = re.sub(r'(?m)^runs = .*$', 'runs = 20\nchunk = 10', file.read().replace('duration = 0.3', 'duration = 0.01'))
    with open('grasp.toml', 'w') as file:
        file.write(text)
    shutil.copy(os.path.join(root, 'tests', 'fuzz', 'corpus', 'problem', 'blocks'), 'problem.dat')
    for command in (['sweep', 'run', 'grasp.toml', '--workers', '1', '--quiet', '--out', 'whole'],
                    ['run', slide, '--time', '0.02', '--quiet', '--record', 'whole.mcap'],
                    ['run', quadruped, '--time', '0.02', '--quiet', '--log', 'motion.csv']):
        done = call(*command)
        if done.returncode != 0:
            sys.exit('memory.py: %s: %s' % (' '.join(command), done.stderr))


# ---- files that a command leaves

def check_csv(name):
    lines = read(name).split(b'\n')
    return 'has a damaged line' if any(line.count(b',') != lines[0].count(b',') for line in lines[1:-1]) else None


def check_npy(name):
    data = read(name)
    if len(data) < 128:
        return None  # it ends before its first row
    rows, columns = (int(n) for n in data[:128].split(b"'shape': (")[1].split(b')')[0].split(b','))
    return 'has fewer rows than its head says' if len(data) < 128 + 8 * rows * columns else None


def check_mcap(name):
    """A recording replays up to its last whole chunk or is refused with a message; a log is drawn or refused."""
    verb = ['replay', name] if name.startswith('record') else ['identify', '--pulls', 'a,b', name]
    done = call(*verb)
    if 'bits differ' in done.stdout or done.returncode < 0 or not (done.stdout + done.stderr).strip():
        return 'cannot be opened: code %d, %s %s' % (done.returncode, done.stdout.strip(), done.stderr.strip())
    return None


def check_model(name):
    done = call('check', name)
    return None if done.returncode in (0, 1) and (done.stdout + done.stderr).strip() else 'ends a check with code %d' % done.returncode


def check_png(name):
    start = b'\x89PNG\r\n\x1a\n'
    return None if read(name)[:8] == start[:len(read(name)[:8])] else 'does not begin like a PNG'


def check_results(name):
    """Results that a failure cut: the same sweep goes on from there and has the same results."""
    done = call('sweep', 'run', 'grasp.toml', '--workers', '1', '--quiet', '--out', name)
    if done.returncode == 0 and call('sweep', 'hash', name).stdout == call('sweep', 'hash', 'whole').stdout:
        return None
    return 'cannot be completed: %s' % done.stderr.strip()


CHECKS = {'.csv': check_csv, '.npy': check_npy, '.mcap': check_mcap, '.urdf': check_model, '.xml': check_model,
          '.heft': check_model, '.png': check_png, '': check_results, '.svg': lambda name: None, '.c': lambda name: None,
          '.h': lambda name: None}


def check_files(names):
    """The first thing that is wrong with files that are there, or None."""
    for name in names:
        wrong = CHECKS[os.path.splitext(name)[1]](name) if os.path.exists(name) else None
        if wrong:
            return '%s %s' % (name, wrong)
    return None


def remove(names):
    for name in names:
        if os.path.isdir(name):
            shutil.rmtree(name)
        elif os.path.lexists(name):
            os.remove(name)


# ---- a command

def steady(row, text):
    """What a command prints, without times."""
    if row.timed:
        text = re.sub(r'(?m)\S+$', '', text)
    kept = [line for line in text.splitlines() if not re.match(r' +(speed|time|controller) ', line)]
    return re.sub(r'"\w+_(ms|us|s|factor)":[^,}]*|[0-9.]+ (s|ms|µs)\b|[0-9.]+ x real time|[0-9.]+ (runs|steps)/s|port \d+|127.0.0.1:\d+', '', '\n'.join(kept))


def run(row, **environment):
    """Runs the command of a row, with its controller beside it."""
    remove(row.files + ['robot'])
    beside = None
    if row.controlled:
        beside = subprocess.Popen([controller, 'unix:robot'], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        return call(*row.command, LD_PRELOAD=faulty, HEFT_FAIL_OWN=str(int(row.own)), **environment)
    finally:
        if beside:
            beside.kill()
            beside.wait()


def starve(row, whole, k):
    """One run in which request k fails, or -k and all after it. Returns whether it ended with a message."""
    what = '%s: request %d' % (row.name, k)
    try:
        done = run(row, HEFT_FAIL_AT=str(k))
    except subprocess.TimeoutExpired:
        return fail(what + ': it does not end')
    wrong = check_files(row.files)
    if wrong:
        fail('%s: %s' % (what, wrong))
    if done.returncode == 0 and 'error:' in done.stderr:
        fail('%s: code 0 and "%s"' % (what, done.stderr.strip()))
    if done.returncode == whole.returncode == 0 and steady(row, done.stdout) == steady(row, whole.stdout):
        return False
    if done.returncode not in (1, 2) or not done.stderr.strip():
        fail('%s: code %d, "%s"' % (what, done.returncode, (done.stdout + done.stderr).strip()[-300:]))
    return True


def starve_all(row):
    before = time.monotonic()
    whole = run(row, HEFT_FAIL_COUNT='count')
    if whole.returncode != 0:
        if row.own:
            return print('%s: left out, there are no pictures on this machine' % row.name)
        return fail('%s: without a fault: code %d, %s' % (row.name, whole.returncode, whole.stderr.strip()))
    total = int(read('count'))
    step = 1 if full else max(1, total // row.share)
    told = [starve(row, whole, sign * k) for sign in (1, -1) for k in range(1 if full else 1 + total % step, total + 1, step)]
    print('%-12s %5d requests, %5d runs: %5d with a message, %3d with the same results; %.0f s' %
          (row.name, total, len(told), sum(map(bool, told)), told.count(False), time.monotonic() - before), flush=True)


names = arguments[5:] or [row.name for row in ROWS]
unknown = [n for n in names if n not in [row.name for row in ROWS]]
if unknown:
    sys.exit('memory.py: unknown row %s; these exist: %s' % (unknown[0], ', '.join(row.name for row in ROWS)))
folder = tempfile.mkdtemp()
os.chdir(folder)
try:
    prepare()
    for row in ROWS:
        if row.name in names:
            starve_all(row)
finally:
    os.chdir('/')
    shutil.rmtree(folder)
sys.exit(1 if failures else 0)
