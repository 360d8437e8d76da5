#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Debian's spacenavd, fed by an emulated Magellan SpaceMouse on a pseudo terminal, read by
# `heft devices spacemouse` through libspnav.
# usage: spacenavd.py HEFT
import os
import shutil
import subprocess
import sys
import tempfile
import time

def skip(why):
    print('skipped: ' + why)
    sys.exit(77)


class Mouse:
    """`heft emulate magellan`: a SpaceMouse on a pseudo terminal, whose name it tells."""

    def __init__(self, heft):
        self.process = subprocess.Popen([heft, 'emulate', 'magellan', '--hand', 'spacemouse:0 0.006 0 0'],
                                        stderr=subprocess.PIPE, text=True)
        self.name = self.process.stderr.readline().split()[-1]


def main():
    daemon = shutil.which('spacenavd') or '/usr/bin/spacenavd'
    if not os.path.exists(daemon):
        skip('spacenavd is not installed')
    work = tempfile.mkdtemp()
    os.mkdir(os.path.join(work, 'run'))  # Debian's spacenavd makes its socket below the folder it runs in
    socket = os.path.join(work, 'run', 'spnav.sock')
    mouse = Mouse(sys.argv[1])
    with open(os.path.join(work, 'rc'), 'w') as file:
        file.write('serial = %s\n' % mouse.name)
    with open(os.path.join(work, 'log.txt'), 'w') as log:
        server = subprocess.Popen([daemon, '-d', '-v', '-c', os.path.join(work, 'rc'), '-l', os.path.join(work, 'log')],
                                  stdout=log, stderr=log, cwd=work)
    reader = None
    try:
        end = time.time() + 15
        while time.time() < end and not os.path.exists(socket):
            time.sleep(0.01)
        if not os.path.exists(socket):
            print(open(os.path.join(work, 'log.txt')).read())
            skip('this spacenavd does not take the emulated SpaceMouse, or keeps its socket elsewhere')
        # How soon the daemon has read the mouse is up to the machine: a later reading is as good.
        moved = None
        for seconds in (3, 3, 6, 12, 24):
            reader = subprocess.Popen([sys.argv[1], 'devices', 'spacemouse', '--time', str(seconds)],
                                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                      env=dict(os.environ, SPNAV_SOCKET=socket))
            text = reader.communicate()[0]
            print(text)
            if 'is not installed' in text:
                skip('libspnav is not installed')
            if 'moved' not in text:
                continue
            moved = [float(word) for word in text.split('moved')[1].split('mm')[0].replace('x', ' ').split()]
            if moved[0] > 50:
                break
        if moved is None:
            print('FAILED: no sample came')
            return 1
        if not (moved[0] > 50 and moved[1] < 10 and moved[2] < 10):
            print('FAILED: the probe should have gone to the right')
            return 1
        print('spacenavd, libspnav and the driver are well')
        return 0
    finally:
        for process in (reader, server, mouse.process):
            if process and process.poll() is None:
                process.terminate()
                process.wait()
        shutil.rmtree(work, ignore_errors=True)


sys.exit(main())
