#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Gives thirty tasks to all engines that the build found, writes a log of each run as CSV, has 'heft judge --log' score it, and
writes the tables of bench/results/referee.md.

usage: referee.py BIN PAGE [--keep FOLDER] [--check] [task...]

BIN: folder of the programs heft and heft_peer_*. mujoco.mjs takes part if HEFT_NODE_MODULES names a folder with the package
@mujoco/mujoco. --keep: logs stay there, and logs that are there are judged again. --check: Heft only, no page; exit code 1 if a step of it breaks a law."""
import json
import math
import os
import re
import subprocess
import sys
import tempfile
import time

import importlib.util
spec = importlib.util.spec_from_file_location(
    'speed_page', os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'tools', 'speed_page.py'))
speed_page = importlib.util.module_from_spec(spec)
spec.loader.exec_module(speed_page)

STEP = 0.001
PATIENCE = 120  # for a run [s]


class Task:
    """A scene of bodies with names, velocities at the start and constant pushes."""

    def __init__(self, name, seconds=0.5, friction=0.5, floor='<geom type="plane" size="20 20 1"/>'):
        self.name, self.seconds, self.friction, self.floor = name, seconds, friction, floor
        self.bodies, self.speeds, self.pushes, self.slides, self.servos, self.tilt = [], {}, {}, {}, '', 0.0

    def add(self, kind, size, mass, pos, turn='0 0 0', speed=None, push=None, slide=None, servo=None):
        """slide: an axis on which the body slides, instead of moving freely. servo: its force there [N] and stiffness [N/m].
        turn: Euler angles [degrees]."""
        name = 'b%d' % (len(self.bodies) + 1)
        joint = '<freejoint/>'
        if slide:
            joint = '<joint name="%s.slide" type="slide" axis="%g %g %g" damping="20"/>' % ((name,) + slide)
            self.slides[name] = (pos, slide)
        if servo:
            self.servos += '<general joint="%s.slide" biastype="affine" gainprm="0" biasprm="%g %g 0"/>' % (name, servo[0], -servo[1])
        self.bodies.append('<body name="%s" pos="%.12g %.12g %.12g" euler="%s">%s<geom type="%s" size="%s" mass="%g"/></body>' % (
            (name,) + tuple(pos) + (turn, joint, kind, size, mass)))
        if speed:
            self.speeds[len(self.bodies)] = speed
        if push:
            self.pushes[len(self.bodies)] = push
        return self

    def xml(self):
        g = 9.81
        return ('<mujoco><compiler angle="degree"/><option timestep="%g" gravity="%.17g 0 %.17g" cone="elliptic" impratio="10"/>'
                '<default><geom friction="%g 0.005 0.0001"/></default>\n<worldbody>%s\n%s\n</worldbody><actuator>%s</actuator></mujoco>\n') % (
                    STEP, g * math.sin(self.tilt), -g * math.cos(self.tilt), self.friction, self.floor, '\n'.join(self.bodies), self.servos)

    def slope(self, tangent):
        self.tilt = math.atan(tangent)
        return self


def tasks():
    """Thirty tasks; names are those of the page."""
    half, cube = 0.05, '0.05 0.05 0.05'
    box = lambda t, z=half, x=0.0, y=0.0, m=1.0, **k: t.add('box', cube, m, (x, y, z), **k)
    out = [
        box(Task('cube rests')),
        box(Task('cube slides to rest'), speed=(1, 0, 0, 0, 0, 0)),
        box(Task('cube spins to rest'), speed=(0, 0, 0, 0, 0, 10)),
        box(Task('cube slides and spins'), speed=(1, 0.5, 0, 0, 0, 10)),
        box(Task('cube on ice', friction=0), speed=(1, 0, 0, 0, 0, 0)),
        box(Task('cube holds on a slope').slope(0.45)),
        box(Task('cube slides down a slope').slope(0.6)),
        box(Task('push that friction holds'), push=(4.5, 0, 0)),
        box(Task('push that friction does not hold'), push=(5.5, 0, 0)),
        box(Task('cube falls flat'), z=0.2),
        box(Task('cube falls on a corner', 0.7), z=0.2, turn='35 20 0'),
        box(Task('thrown cube', 0.8), z=0.2, turn='10 30 0', speed=(2, 0, 0, 3, 8, 1)),
        box(Task('cube flies', floor=''), speed=(1, 0, 3, 4, 5, 6)),
        Task('long brick turns in flight', floor='').add('box', '0.02 0.05 0.11', 1, (0, 0, 1), speed=(0, 0, 0, 0.01, 9, 0.01)),
        Task('ball rolls').add('sphere', '0.05', 1, (0, 0, half), speed=(1, 0, 0, 0, 20, 0)),
        Task('ball slides until it rolls').add('sphere', '0.05', 1, (0, 0, half), speed=(2, 0, 0, 0, 0, 0)),
        Task('ball with back spin').add('sphere', '0.05', 1, (0, 0, half), speed=(1, 0, 0, 0, -60, 0)),
        Task('capsule rolls down').slope(0.2).add('capsule', '0.03 0.1', 1, (0, 0, 0.03), turn='90 0 0'),
        Task('capsule slides lengthwise').add('capsule', '0.03 0.1', 1, (0, 0, 0.03), turn='0 90 0', speed=(1, 0, 0, 0, 0, 0)),
        Task('plank tips').add('box', '0.01 0.05 0.2', 1, (0, 0, 0.2), speed=(0, 0, 0, 0, 1.2, 0)),
    ]
    stack = Task('three cubes in a stack')
    tower = Task('ten cubes in a stack')
    for i in range(10):
        if i < 3:
            box(stack, half + 2 * half * i)
        box(tower, half + 2 * half * i)
    heavy = Task('100 kg on 1 kg')
    box(heavy)
    box(heavy, 3 * half, m=100)
    shot = Task('ball hits a stack', 0.4)
    for i in range(3):
        box(shot, half + 2 * half * i)
    shot.add('sphere', '0.05', 1, (-0.3, 0, 0.15), speed=(3, 0, 0.5, 0, 0, 0))
    pyramid = Task('pyramid of six')
    for row in range(3):
        for i in range(3 - row):
            box(pyramid, half + 2 * half * row, x=0.11 * i + 0.055 * row)
    house = Task('two planks lean on each other', friction=0.7)
    lean = 15
    c, s = math.cos(math.radians(lean)), math.sin(math.radians(lean))
    for side in (-1, 1):
        house.add('box', '0.005 0.05 0.1', 0.2, (side * (0.1 * s + 0.005 * c), 0, 0.1 * c + 0.005 * s), turn='0 %d 0' % (-side * lean))
    row = Task('five dominoes', 0.6)
    for i in range(5):
        row.add('box', '0.004 0.012 0.025', 0.01, (0.02 * i, 0, 0.025), speed=(0, 0, 0, 0, 8, 0) if i == 0 else None)
    heap = Task('twelve bodies fall on a heap', 0.6)
    for i in range(12):
        x, y, z = 0.08 * (i % 3 - 1), 0.05 * (i // 3 % 2) - 0.025, 0.06 + 0.09 * (i // 3) + 0.01 * (i % 3)
        if i % 2:
            heap.add('sphere', '0.03', 0.2, (x, y, z))
        else:
            heap.add('box', '0.03 0.025 0.02', 0.3, (x, y, z), turn='%d %d 0' % (20 * i, 35 * i))
    groove = Task('ball in a groove', floor='<geom type="plane" size="20 20 1" euler="0 45 0"/><geom type="plane" size="20 20 1" '
                  'euler="0 -45 0"/>').add('sphere', '0.05', 1, (0, 0, 0.05 * math.sqrt(2)), speed=(0, 1, 0, 0, 0, 0))
    # MuJoCo's issue 3328: 155 µm/s published, 141 with version 2.2.2
    pinch = Task('capsule held by two jaws', friction=0.7, floor='')
    for side in (-1, 1):
        pinch.add('box', '0.01 0.02 0.02', 0.1, (0.014 * side, 0, 0), slide=(-side, 0, 0), servo=(20, 10000))
    pinch.add('capsule', '0.004 0.01', 0.045, (0, 0, 0), turn='90 0 0')
    return out + [stack, tower, heavy, shot, pyramid, house, row, heap, groove, pinch]


class Peer:
    """An engine behind a pipe (bench/peers/README.md)."""

    def __init__(self, command):
        self.pipe = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)

    def ask(self, line):
        self.pipe.stdin.write(line + '\n')
        self.pipe.stdin.flush()
        answer = self.pipe.stdout.readline().strip()
        if not answer.startswith('ok'):
            raise RuntimeError(answer[3:] or 'it ended')
        return [float(x) for x in answer[2:].split()]

    def close(self):
        self.pipe.stdin.close()
        self.pipe.wait(10)


def text(numbers):
    return ','.join('%.17g' % x for x in numbers)


def columns(task):
    names = ['time']
    for i in range(len(task.bodies)):
        body = 'b%d' % (i + 1)
        parts = ('x', 'y', 'z', 'qw', 'qx', 'qy', 'qz', 'vx', 'vy', 'vz', 'wx', 'wy', 'wz')
        names += [body + '.slide', body + '.slide.v'] if body in task.slides else [body + '.' + p for p in parts]
    for i in task.pushes:
        names += ['push.b%d.%s' % (i, p) for p in ('x', 'y', 'z', 'tx', 'ty', 'tz')]
    return names


def state(peer, task):
    row = []
    for i in range(len(task.bodies)):
        x = peer.ask('read %d' % (i + 1))
        if 'b%d' % (i + 1) in task.slides:
            pos, axis = task.slides['b%d' % (i + 1)]
            x = [sum(a * (x[k] - pos[k]) for k, a in enumerate(axis)), sum(a * x[7 + k] for k, a in enumerate(axis))]
        row += x
    for force in task.pushes.values():
        row += list(force) + [0, 0, 0]
    return row


def run(peer, task, scene, states, contacts):
    """Writes the log of a run. An engine that cannot run the task raises RuntimeError."""
    until = time.monotonic() + PATIENCE
    peer.ask('open nan nan nan nan nan nan ' + scene)
    for i, speed in task.speeds.items():
        peer.ask('place %d %s' % (i, ' '.join('%.17g' % x for x in peer.ask('read %d' % i)[:7] + list(speed))))
    for i, force in task.pushes.items():
        peer.ask('push %d %g %g %g' % ((i,) + force))
    with open(states, 'w', encoding='utf-8') as s, open(contacts, 'w', encoding='utf-8') as c:
        s.write(','.join(columns(task)) + '\n0,' + text(state(peer, task)) + '\n')
        c.write('time,a,b,x,y,z,nx,ny,nz,fx,fy,fz\n')
        for i in range(1, round(task.seconds / STEP) + 1):
            if time.monotonic() > until:
                raise RuntimeError('it takes more than %d s' % PATIENCE)
            peer.ask('step 1')
            s.write('%.9g,%s\n' % (i * STEP, text(state(peer, task))))
            for k in range(int(peer.ask('contacts')[0])):
                c.write('%.9g,%s\n' % (i * STEP, text(peer.ask('contact %d' % k))))
    peer.ask('close')


def judge(heft, model, states, contacts, infer):
    command = [heft, 'judge', '--json', '--log', states, '--model', model]
    command += ['--infer'] if infer else ['--contacts', contacts]
    answer = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    if answer.returncode > 1:
        raise RuntimeError('%s: %s' % (' '.join(command), answer.stderr))
    return json.loads(answer.stdout)


def engines(binaries, only_heft):
    """(name, command) of the engines that the build found."""
    here = os.path.dirname(os.path.abspath(__file__))
    found = []
    for name, words in (('Heft', ['heft_peer_heft']), ('MuJoCo 2.2.2', ['heft_peer_mujoco', 'elliptic']),
                        ('Bullet 3.24', ['heft_peer_bullet']), ('ODE 0.16.2', ['heft_peer_ode']),
                        ('DART 6.12', ['heft_peer_dart']), ('Siconos 4.4', ['heft_peer_siconos'])):
        program = os.path.join(binaries, words[0])
        if os.path.exists(program) and (name == 'Heft' or not only_heft):
            found.append((name, [program] + words[1:]))
    modules = os.environ.get('HEFT_NODE_MODULES')
    if modules and not only_heft:
        with open(os.path.join(modules, '@mujoco/mujoco/package.json'), encoding='utf-8') as file:
            version = json.load(file)['version']
        found.insert(2, ('MuJoCo ' + version, ['node', os.path.join(here, 'peers/mujoco.mjs'), 'elliptic']))
    return found


def cell(result):
    """Percentage of the steps that break a law."""
    if result is None:
        return '–'
    share = 100.0 * result['broken'] / (result['rows'] - 1)
    return '%.0f' % share if share >= 1 or share == 0 else '%.1f' % share


def log_base(folder, engine, number):
    words = engine.split()
    return os.path.join(folder, '%s-%02d' % (words[0] + words[-1].replace('.', ''), number))


def score(binaries, folder, chosen, only_heft):
    """{engine: {task: (with forces, without forces)}}."""
    heft = os.path.join(binaries, 'heft')
    table = {}
    for name, command in engines(binaries, only_heft):
        table[name] = {}
        for number, task in enumerate(chosen):
            base = log_base(folder, name, number)
            scene = os.path.join(folder, 'task%02d.xml' % number)
            with open(scene, 'w', encoding='utf-8') as file:
                file.write(task.xml())
            peer = Peer(command)
            try:
                if not os.path.exists(base + '.csv'):
                    run(peer, task, scene, base + '.csv', base + '-contacts.csv')
                table[name][task.name] = tuple(judge(heft, scene, base + '.csv', base + '-contacts.csv', infer) for infer in (0, 1))
            except RuntimeError as error:
                for path in (base + '.csv', base + '-contacts.csv'):
                    if os.path.exists(path):
                        os.remove(path)
                print('%s, %s: %s' % (name, task.name, error), file=sys.stderr)
                table[name][task.name] = (None, None)
            peer.close()
            print('%-14s %-36s %-20s %s' % ((name, task.name) + tuple(cell(x) for x in table[name][task.name])), flush=True)
    return table


def page(table, chosen):
    names = list(table)
    lines = ['| task | ' + ' | '.join(names) + ' |', '|---' * (len(names) + 1) + '|']
    for task in chosen:
        cells = []
        for name in names:
            given, inferred = (cell(x) for x in table[name][task.name])
            cells.append(given if given == '–' else '%s/%s' % (given, inferred))
        lines.append('| %s | %s |' % (task.name, ' | '.join(cells)))
    lines += ['', '| steps that break | ' + ' | '.join(names) + ' |', '|---' * (len(names) + 1) + '|']
    for infer, suffix in ((0, ''), (1, ', without forces')):
        done = {name: [x[infer] for x in table[name].values() if x[infer]] for name in names}
        words = sorted({word for name in names for x in done[name] for word, rows in x['laws'].items() if rows})
        for word in words:
            counts = ' | '.join(str(sum(x['laws'][word] for x in done[name])) for name in names)
            if not infer or '| %s | %s |' % (word, counts) not in lines:  # states show these
                lines.append('| %s%s | %s |' % (word, suffix, counts))
        lines.append('| any law%s | %s |' % (suffix, ' | '.join(
            '**%d**/%d' % (sum(x['broken'] for x in done[name]), sum(x['rows'] - 1 for x in done[name])) for name in names)))
    return '\n'.join(lines)


def second_half(path):
    """Writes the second half of a log beside it; its rows begin with the time. Returns the path, the head and the rows."""
    with open(path, encoding='utf-8') as file:
        head, *lines = file.read().splitlines()
    until = float(lines[-1].split(',')[0]) / 2
    lines = [line for line in lines if float(line.split(',')[0]) >= until]
    with open(path + '.half', 'w', encoding='utf-8') as file:
        file.write('\n'.join([head] + lines) + '\n')
    return path + '.half', head.split(','), [[float(x) for x in line.split(',')] for line in lines]


def creep(heft, table, folder, chosen):
    """The creep of the capsule between jaws, once they are closed: the referee's figure, and the displacement over the time."""
    words = []
    number = next((i for i, t in enumerate(chosen) if t.name == 'capsule held by two jaws'), None)
    for name, results in table.items():
        if number is None or not (results[chosen[number].name][0] or {'broken': 0})['broken']:
            continue
        base = log_base(folder, name, number)
        states, head, rows = second_half(base + '.csv')
        contacts = second_half(base + '-contacts.csv')[0]
        found = judge(heft, os.path.join(folder, 'task%02d.xml' % number), states, contacts, 0)['findings']
        z = head.index('b3.z')
        words.append('%s: %.2f µm/s by the referee, %.2f by the displacement' % (
            name, 1e6 * max([f['mean'] for f in found if f['kind'] == 'creep'] or [0]),
            1e6 * abs(rows[-1][z] - rows[0][z]) / (rows[-1][0] - rows[0][0])))
    return '. '.join(words)


def main():
    words = sys.argv[1:]
    check = '--check' in words
    words = [w for w in words if w != '--check']
    folder = tempfile.mkdtemp()
    if '--keep' in words:
        at = words.index('--keep')
        folder = words[at + 1]
        os.makedirs(folder, exist_ok=True)
        del words[at:at + 2]
    if len(words) < 2 - check:
        sys.exit(__doc__)
    names = words[2 - check:]
    chosen = [t for t in tasks() if not names or any(n in t.name for n in names)]
    loads = [speed_page.load()]
    table = score(words[0], folder, chosen, check)
    loads.append(speed_page.load())
    if check:
        broken = sum(x['broken'] for pair in table['Heft'].values() for x in pair if x)
        missing = sum(x is None for pair in table['Heft'].values() for x in pair)
        print('Heft: %d steps break a law, %d runs are missing' % (broken, missing))
        return broken > 0 or missing > 0
    made = '%s\n\n%s\n\nCreep between the jaws is measured in the second half of the run. %s.\n' % (
        page(table, chosen), speed_page.stamp(os.path.join(words[0], 'heft'), loads),
        creep(os.path.join(words[0], 'heft'), table, folder, chosen))
    with open(words[1], encoding='utf-8') as file:
        old = file.read()
    with open(words[1], 'w', encoding='utf-8') as file:
        file.write(re.sub(r'(<!-- measured: bench/referee.py -->).*?(<!-- end -->)', lambda m: m[1] + '\n\n' + made + '\n' + m[2], old, flags=re.S))
    return 0


if __name__ == '__main__':
    sys.exit(main())
