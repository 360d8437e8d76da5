#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Faults while the command works, and what it promises (docs/manual/trust.md): full
disks, signals, kill -9, a home that cannot be written, clocks that jump.

    faults.py HEFT SCENES FAULTY.so [CASE...] [--full]

Short form: ten kills. --full: 200 kills. memory.py has memory that runs out."""
import base64
import json
import os
import random
import re
import resource
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

full = '--full' in sys.argv
arguments = [a for a in sys.argv[1:] if a != '--full']
heft, scenes, faulty = (os.path.abspath(a) for a in arguments[:3])
scene = os.path.join(scenes, 'slide.xml')
failures = []


def fail(text):
    failures.append(text)
    print('FAILED:', text)


def call(*command, **options):
    environment = dict(os.environ, **options.pop('env', {}))
    return subprocess.run([heft, *command], capture_output=True, text=True, errors='replace', timeout=300,
                          env=environment, **options)


def read(path):
    with open(path, 'rb') as file:
        return file.read()


def hash_of(text):
    return next((line.split()[-1] for line in text.splitlines() if 'state hash' in line), None)


def run_command(seconds):
    return ['run', scene, '--time', str(seconds), '--quiet', '--log', 'log.mcap', '--log', 'log.csv', '--record', 'record.mcap']


def limit_files(size):
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def disk():
    """A full disk, or a limit on the size of files: a message that names the file, code 1, no signal."""
    cases = [(['run', scene, '--time', '2', '--quiet', option, 'full' + ending], 'full' + ending)
             for option, ending in (('--log', '.mcap'), ('--log', '.csv'), ('--log', '.npy'), ('--record', '.mcap'))]
    cases.append((['convert', scene, 'full.xml'], 'full.xml'))
    for command, name in cases:
        for way in ('limit', 'full'):
            if os.path.lexists(name):
                os.remove(name)
            if way == 'full':
                if name.endswith('.npy') or name == 'full.xml':
                    continue  # which need a file that can be renamed or written twice
                os.symlink('/dev/full', name)
            size = 100 if name == 'full.xml' else 20000
            run = call(*command, preexec_fn=limit_files(size) if way == 'limit' else None)
            if run.returncode != 1 or name not in run.stderr:
                fail('disk: %s %s: code %d, "%s"' % (way, ' '.join(command[2:]), run.returncode, run.stderr.strip()))
    drawings = [name for name in ('full.png', 'full.mp4') if (name.endswith('png') or shutil.which('ffmpeg')) and
                call('render', scene, '-o', name, '--size', '160x120', '--time', '0.2', '--quiet').returncode == 0]
    for name in drawings:
        os.remove(name)
        run = call('render', scene, '-o', name, '--size', '160x120', '--time', '0.2', '--quiet', preexec_fn=limit_files(300))
        if run.returncode != 1 or name not in run.stderr:
            fail('disk: render %s: code %d, "%s"' % (name, run.returncode, run.stderr.strip()))
    # what reached the disk can be used
    if os.path.lexists('full.mcap'):
        os.remove('full.mcap')
    call('run', scene, '--time', '20', '--quiet', '--record', 'full.mcap', preexec_fn=limit_files(60000))
    check_recording('disk', 'full.mcap')
    print('disk: %d commands report a disk that is full' % (len(cases) + len(drawings)))


def check_recording(what, path):
    """The steps before the interruption have the same bits."""
    replay = call('replay', path)
    steps = next((line for line in replay.stdout.splitlines() if 'steps before the end of the file' in line), None)
    if replay.returncode == 0:
        return int(replay.stdout.split()[0])
    if 'bits differ' in replay.stdout or steps is None or 'interrupted' not in replay.stderr:
        fail('%s: %s cannot be replayed: %s %s' % (what, path, replay.stdout.strip(), replay.stderr.strip()))
        return 0
    return int(steps.split()[0])


def wait_for_size(process, path, size):
    end = time.monotonic() + 120
    while time.monotonic() < end and process.poll() is None:
        if os.path.exists(path) and os.path.getsize(path) >= size:
            return True
        time.sleep(0.002)
    return False


def signals():
    """Ctrl-C, a request to end, a closed terminal: all files are complete."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        process = subprocess.Popen([heft, *run_command(100000), '--log', 'log.npy'], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if not wait_for_size(process, 'record.mcap', 20000):
            fail('signals: the run did not begin: %s' % process.communicate()[1])
            continue
        process.send_signal(number)
        out, _ = process.communicate(timeout=120)
        replay = call('replay', 'record.mcap')
        if process.returncode != 0 or hash_of(out.decode()) is None:
            fail('signals: %s: code %d' % (number.name, process.returncode))
        elif replay.returncode != 0 or hash_of(replay.stdout.replace(', state', '\nstate')) != hash_of(out.decode()):
            fail('signals: %s: the recording is not complete: %s %s' % (number.name, replay.stdout, replay.stderr))
        rows = read('log.csv').count(b'\n') - 1
        if not read('log.csv').endswith(b'\n') or ("'shape': (%d," % rows).encode() not in read('log.npy')[:128]:
            fail('signals: %s: the logs are not complete' % number.name)
        for name in ('record.mcap', 'log.mcap', 'log.csv', 'log.npy'):
            os.remove(name)
    # a session with a device ends as a run does
    process = subprocess.Popen([heft, 'feel', os.path.join(scenes, 'two_boxes.xml'), '--virtual', '--time', '100000', '--record',
                                'record.mcap'], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if wait_for_size(process, 'record.mcap', 20000):
        process.send_signal(signal.SIGTERM)
    out, error = process.communicate(timeout=120)
    if process.returncode != 0 or call('replay', 'record.mcap').returncode != 0:
        fail('signals: feel: code %d, %s' % (process.returncode, error))
    os.remove('record.mcap')
    # nohup: a closed terminal does not end the run, which a later signal does
    process = subprocess.Popen([heft, *run_command(100000)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
    if wait_for_size(process, 'record.mcap', 20000):
        process.send_signal(signal.SIGHUP)
        if not wait_for_size(process, 'record.mcap', os.path.getsize('record.mcap') + 20000):
            fail('signals: SIGHUP ended a run that ignores it')
        process.send_signal(signal.SIGINT)
    process.communicate(timeout=120)
    if process.returncode != 0:
        fail('signals: with nohup: code %d' % process.returncode)
    print('signals: SIGINT, SIGTERM and SIGHUP leave complete files')


def kill():
    """kill -9 at random moments: the recording replays up to its last whole chunk, bit for bit, and the logs
    open up to theirs."""
    source = random.Random(20261116)
    moments = 200 if full else 10
    begun = replayed = rows = 0
    for _ in range(moments):
        for name in ('record.mcap', 'log.mcap', 'log.csv', 'log.npy'):
            if os.path.exists(name):
                os.remove(name)
        process = subprocess.Popen([heft, *run_command(100000), '--log', 'log.npy'], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        # a moment of the file, so that a slow machine comes to all of them
        wait_for_size(process, 'record.mcap', source.choice((0, 1, 4000, 30000, 100000)))
        time.sleep(source.uniform(0, 0.05))
        process.kill()
        process.wait()
        if not os.path.exists('record.mcap') or os.path.getsize('record.mcap') == 0:
            continue  # killed before the first byte
        begun += 1
        replayed += check_recording('kill', 'record.mcap')
        for name in ('log.csv', 'log.npy'):
            if not os.path.exists(name) or os.path.getsize(name) < 128:
                continue
            data = read(name)
            if name == 'log.csv':
                width = data.split(b'\n')[0].count(b',')
                lines = data.split(b'\n')[1:-1]
                rows += len(lines)
                if any(line.count(b',') != width for line in lines):
                    fail('kill: a whole line of log.csv is damaged')
            else:
                shape = data[:128].split(b"'shape': (")[1].split(b')')[0].split(b',')
                if len(data) < 128 + 8 * int(shape[0]) * int(shape[1]):
                    fail('kill: log.npy has fewer rows than its head says')
    if begun == 0 or replayed == 0:
        fail('kill: no recording had begun')
    print('kill: %d of %d killed runs left a recording; %d steps replayed with the same bits; %d whole lines' %
          (begun, moments, replayed, rows))


def sweep_plan(runs):
    """The grasps of the examples, in chunks of ten."""
    examples = os.path.join(os.path.dirname(scenes), 'examples', 'sweep')
    for name in (n for n in os.listdir(examples) if n.endswith(('.toml', '.xml', '.csv'))):
        shutil.copy(os.path.join(examples, name), name)
    with open('grasp.toml') as file:
        lines = ['runs = %d\nchunk = 10\n' % runs if line.startswith('runs = ') else line for line in file]
    with open('grasp.toml', 'w') as file:
        file.writelines(lines)


def chunks(folder):
    place = os.path.join(folder, 'chunks')
    return len(os.listdir(place)) if os.path.isdir(place) else 0


def wait_for_chunks(process, folder, count):
    end = time.monotonic() + 120
    while time.monotonic() < end and process.poll() is None:
        if chunks(folder) >= count:
            return True
        time.sleep(0.001)
    return False


def sweep():
    """A sweep that is killed again and again goes on and has the same results; SIGHUP ends it in order."""
    source = random.Random(20261117)
    moments = 200 if full else 5
    sweep_plan(10 * moments + 50)
    begin = ['sweep', 'run', 'grasp.toml', '--workers', '2', '--quiet', '--out']
    whole = call(*begin, 'whole')
    if whole.returncode != 0:
        return fail('sweep: the sweep without a fault fails: ' + whole.stderr)
    killed = 0
    for _ in range(moments):
        process = subprocess.Popen([heft, *begin, 'killed'], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_for_chunks(process, 'killed', chunks('killed') + source.choice((0, 1)))
        time.sleep(source.uniform(0, 0.01))
        process.kill()
        killed += process.wait() < 0
    process = subprocess.Popen([heft, *begin, 'killed'], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    process.communicate(timeout=300)
    hashes = [call('sweep', 'hash', folder).stdout for folder in ('whole', 'killed')]
    if process.returncode != 0 or hashes[0] != hashes[1] or not hashes[0].strip():
        fail('sweep: after %d kills the results differ: %s' % (killed, hashes))
    if killed == 0:
        fail('sweep: none was killed')
    sweep_plan(100000)
    process = subprocess.Popen([heft, *begin, 'closed-terminal'], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    if wait_for_chunks(process, 'closed-terminal', 2):
        process.send_signal(signal.SIGHUP)
    if process.wait(timeout=120) < 0:
        fail('sweep: SIGHUP killed it')
    print('sweep: killed %d times, then the same results; SIGHUP ends it in order' % killed)


def kill_after(process, seconds):
    """kill -9 after so many seconds of a processor, so that a loaded machine comes to all moments. Returns 1 if it ended before."""
    ticks = os.sysconf('SC_CLK_TCK')
    begin = time.monotonic()
    while process.poll() is None and time.monotonic() - begin < 120:
        try:
            times = read('/proc/%d/stat' % process.pid).rsplit(b')', 1)[1].split()
        except OSError:
            break
        if (int(times[11]) + int(times[12])) / ticks >= seconds:
            break
        time.sleep(0.001)
    process.kill()
    return process.wait() >= 0


def render():
    """A picture or a video whose program is killed: a picture is there as a whole or not complete, which its
    end shows; the next command writes it as if nothing had been."""
    if call('render', scene, '-o', 'whole.png', '--size', '160x120', '--time', '0.1', '--quiet').returncode != 0:
        print('render: left out, there are no pictures on this machine')
        return
    # libepoxy ends a program that has no EGL; heft must say what is missing
    for absent in ('libEGL', 'GL'):
        run = call('render', scene, '-o', 'absent.png', '--size', '160x120', '--quiet', env={'LD_PRELOAD': faulty, 'HEFT_NO_LIBRARY': absent})
        if run.returncode != 1 or 'EGL' not in run.stderr or 'apt install' not in run.stderr:
            fail('render: without %s: code %d, "%s"' % (absent, run.returncode, run.stderr.strip()))
    source = random.Random(20261118)
    moments, killed = (200 if full else 5), 0
    command = ['render', scene, '-o', 'killed.png', '--size', '160x120', '--time', '0.1', '--quiet']
    call(*command)
    lasts = 0.05  # the processor seconds at which it is killed go up to this; they grow until it ends before
    while killed < moments:
        process = subprocess.Popen([heft, *command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        ended = kill_after(process, source.uniform(0, lasts))
        killed += not ended
        lasts = max(0.01, 0.9 * lasts) if ended else min(5, 1.1 * lasts)
        if read('killed.png') != read('whole.png') and read('killed.png').endswith(b'IEND\xaeB`\x82'):
            fail('render: a picture that looks complete is another one')
    if call(*command).returncode != 0 or read('killed.png') != read('whole.png'):
        fail('render: the picture after %d kills differs' % killed)
    print('render: killed %d of %d times' % (killed, moments))


def count_frames(path):
    """Frames that a player shows; None if it complains."""
    run = subprocess.run(['ffprobe', '-v', 'error', '-count_frames', '-select_streams', 'v:0', '-show_entries', 'stream=nb_read_frames',
                          '-of', 'csv=p=0', path], capture_output=True, text=True)
    text = run.stdout.strip().rstrip(',')
    return int(text) if run.returncode == 0 and not run.stderr.strip() and text.isdigit() else None


def film():
    """A video whose program is killed: ffmpeg, which writes it, sees the end of the frames and completes the file, so that a player
    shows what was drawn. Killed before the first frame there is no video. The same command writes it again."""
    if not shutil.which('ffmpeg') or not shutil.which('ffprobe'):
        print('film: left out, ffmpeg is not installed')
        return
    frames = 25  # of one second
    command = ['render', scene, '--size', '64x48', '--time', '1', '--fps', str(frames), '--quiet', '-o']
    if call(*command, 'whole.mp4').returncode != 0:
        print('film: left out, there are no pictures on this machine')
        return
    expected = count_frames('whole.mp4')
    source = random.Random(20261119)
    moments, killed, shown, empty = (200 if full else 2), 0, 0, 0
    lasts = 0.3  # as in render()
    for i in range(10 * moments):
        name = 'killed%d.%s' % (i, ('mp4', 'mkv')[i % 2])
        process = subprocess.Popen([heft, *command, name], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        ended = kill_after(process, source.uniform(0, lasts))
        killed += not ended
        lasts = max(0.02, 0.9 * lasts) if ended else min(5, 1.1 * lasts)
        # ffmpeg goes on for a moment; a file that it has not begun is not there
        end, count = time.monotonic() + 60, None
        while count is None and time.monotonic() < end and (os.path.exists(name) or writes(name)):
            if not writes(name):
                # without a frame there is a head of some hundred bytes, at most
                count = count_frames(name) if os.path.exists(name) and os.path.getsize(name) > 1000 else 0
                break
            time.sleep(0.01)
        if ended and count != expected:
            fail('film: a whole video has %s of %d frames' % (count, expected))
        elif count is None and os.path.exists(name):
            fail('film: a player cannot show %s, %d bytes' % (name, os.path.getsize(name)))
        elif not ended:
            empty += not count
            shown += count or 0
        if os.path.exists(name):
            os.remove(name)
        if killed == moments:
            break
    if call(*command, 'again.mp4').returncode != 0 or count_frames('again.mp4') != expected:
        fail('film: after %d kills the video cannot be written' % killed)
    if killed == 0:
        fail('film: none was killed')
    print('film: killed %d times; %d videos with %d frames play, %d were killed before the first frame' %
          (killed, killed - empty, shown, empty))


def writes(name):
    """Whether an ffmpeg has this file as its output."""
    for process in os.listdir('/proc'):
        try:
            if process.isdigit() and name.encode() in read('/proc/%s/cmdline' % process) and b'ffmpeg' in read('/proc/%s/cmdline' % process):
                return True
        except OSError:
            pass
    return False


def home():
    """A home that does not exist or cannot be written: a run does not need it."""
    os.makedirs('closed', exist_ok=True)
    os.chmod('closed', 0o500)
    for place in ('/nonexistent', os.path.abspath('closed'), ''):
        run = call('run', scene, '--time', '0.01', '--quiet', env={'HOME': place, 'XDG_CACHE_HOME': place})
        if run.returncode != 0:
            fail('home: "%s": %s' % (place, run.stderr))
    environment = {k: v for k, v in os.environ.items() if k not in ('HOME', 'XDG_CACHE_HOME')}
    run = subprocess.run([heft, 'run', scene, '--time', '0.01', '--quiet'], env=environment, capture_output=True)
    if run.returncode != 0:
        fail('home: without HOME: %s' % run.stderr)
    # glTF is converted into a cache
    data = struct.pack('<12f', 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1) + struct.pack('<12H', 0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3)
    with open('mesh.gltf', 'w') as file:
        json.dump({'asset': {'version': '2.0'}, 'scene': 0, 'scenes': [{'nodes': [0]}], 'nodes': [{'mesh': 0}],
                   'meshes': [{'primitives': [{'attributes': {'POSITION': 0}, 'indices': 1}]}],
                   'buffers': [{'byteLength': len(data), 'uri': 'data:application/octet-stream;base64,' + base64.b64encode(data).decode()}],
                   'bufferViews': [{'buffer': 0, 'byteOffset': 0, 'byteLength': 48}, {'buffer': 0, 'byteOffset': 48, 'byteLength': 24}],
                   'accessors': [{'bufferView': 0, 'componentType': 5126, 'count': 4, 'type': 'VEC3', 'min': [0, 0, 0], 'max': [1, 1, 1]},
                                 {'bufferView': 1, 'componentType': 5123, 'count': 12, 'type': 'SCALAR'}]}, file)
    with open('robot.urdf', 'w') as file:
        file.write('<robot name="r"><link name="a"><collision><geometry><mesh filename="mesh.gltf"/></geometry></collision></link></robot>')
    if call('check', 'robot.urdf', env={'XDG_CACHE_HOME': os.path.abspath('cache')}).returncode == 0:
        check = call('check', 'robot.urdf', env={'HOME': '/dev/null', 'XDG_CACHE_HOME': '/dev/null/none'})
        if check.returncode != 1 or "the cache '/dev/null/none/heft/meshes' cannot be made" not in check.stderr:
            fail('home: glTF without a cache: code %d %s' % (check.returncode, check.stderr))
    else:
        print('home: glTF is left out: heft-mesh-convert is not here')
    print('home: not needed')


def clock():
    """Clocks that jump by a day, ahead and back, change no bit of a run or of a session in virtual time. If the date alone jumps, devices
    go on, a sweep has the same results and ends by Ctrl-C, and a server answers and ends."""
    device = 'emulated:touch:0 0 0 0.05; 0.3 0 0 -0.04; 1 0.03 0 -0.02'
    for command in (['run', scene, '--time', '0.2', '--quiet'],
                    ['feel', os.path.join(scenes, 'two_boxes.xml'), '--virtual', '--time', '0.3', '--at', '0,0,0.45', '--device', device]):
        plain = call(*command)
        for every in (1, 7, 100):
            run = call(*command, env={'LD_PRELOAD': faulty, 'HEFT_CLOCK_JUMP': str(every)})
            if run.returncode != 0 or hash_of(run.stdout) != hash_of(plain.stdout) or hash_of(plain.stdout) is None:
                fail('clock: %s, every %d readings: code %d %s' % (command[0], every, run.returncode, run.stderr))
    # in real time the date may jump
    run = call('feel', os.path.join(scenes, 'two_boxes.xml'), '--time', '0.3', '--quiet', '--at', '0,0,0.45', '--device', device,
               env={'LD_PRELOAD': faulty, 'HEFT_DATE_JUMP': '3'})
    if run.returncode != 0:
        fail('clock: feel in real time: code %d %s' % (run.returncode, run.stderr))
    jumps = {'LD_PRELOAD': faulty, 'HEFT_DATE_JUMP': '1'}
    run = call('emulate', 'udp:7493', '--hand', 'omega', '--', heft, 'devices', 'udp:7493', '--time', '1', env=jumps)
    if run.returncode != 0 or not re.search(r'samples +[1-9]', run.stdout):
        fail('clock: a device over UDP: code %d %s' % (run.returncode, run.stdout + run.stderr))
    sweep_plan(60)
    hashes = set()
    for folder, env in (('date', {}), ('date-jumps', jumps)):
        call('sweep', 'run', 'grasp.toml', '--workers', '2', '--quiet', '--out', folder, env=env)
        hashes.add(call('sweep', 'hash', folder).stdout)
    if len(hashes) != 1 or not hashes.pop().strip():
        fail('clock: a sweep has other results')
    sweep_plan(100000)
    end_by_signal(['sweep', 'run', 'grasp.toml', '--workers', '2', '--quiet', '--out', 'stopped'], jumps, lambda p: wait_for_chunks(p, 'stopped', 2))
    end_by_signal(['serve', scene, '--listen', '127.0.0.1:7494'], jumps, lambda p: all(answers('http://127.0.0.1:7494/', p) for _ in range(3)))
    print('clock: jumps change no bit; a device, a sweep and a server go on')


def end_by_signal(command, env, ready):
    process = subprocess.Popen([heft, *command], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=dict(os.environ, **env))
    works = ready(process)
    process.send_signal(signal.SIGINT)
    try:
        process.wait(timeout=60)
    except subprocess.TimeoutExpired:
        fail('clock: %s does not end by Ctrl-C' % command[0])
        process.kill()
    said = process.communicate()[1].decode(errors='replace')
    if 'without libwebsockets' in said:
        print('clock: %s is left out: heft was built without libwebsockets' % command[0])
    elif not works:
        fail('clock: %s does not work: %s' % (command[0], said))


def answers(address, process):
    end = time.monotonic() + 60
    while time.monotonic() < end and process.poll() is None:
        try:
            urllib.request.urlopen(address, timeout=10).close()
            return True
        except urllib.error.HTTPError:
            return True
        except OSError:
            time.sleep(0.05)
    return False


cases = {'disk': disk, 'signals': signals, 'kill': kill, 'sweep': sweep, 'render': render, 'film': film, 'home': home, 'clock': clock}
names = arguments[3:] or list(cases)
unknown = [n for n in names if n not in cases]
if unknown:
    sys.exit('faults.py: unknown case %s; these exist: %s' % (unknown[0], ', '.join(cases)))
folder = tempfile.mkdtemp()
os.chdir(folder)
try:
    for name in names:
        before = time.monotonic()
        cases[name]()
        print('  %.1f s' % (time.monotonic() - before))
finally:
    os.chdir('/')
    if os.path.isdir(os.path.join(folder, 'closed')):
        os.chmod(os.path.join(folder, 'closed'), 0o700)
    shutil.rmtree(folder)
sys.exit(1 if failures else 0)
