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
import tty

def skip(why):
    print('skipped: ' + why)
    sys.exit(77)


def packet(values):
    """d and six numbers of four digits each, one in the low four bits of a letter; 8000 hex is zero."""
    text = 'd'
    for value in values:
        number = value + 0x8000
        text += ''.join(chr(0x40 | number >> shift & 15) for shift in (12, 8, 4, 0))
    return (text + '\r').encode()


class Mouse:
    """The device: says who it is when asked, and then tells how far its cap is pushed."""

    def __init__(self):
        self.master, slave = os.openpty()
        tty.setraw(slave)
        self.name = os.ttyname(slave)
        os.set_blocking(self.master, False)
        self.asked = False
        self.heard = b''

    def live(self, push):
        try:
            self.heard += os.read(self.master, 1000)
        except BlockingIOError:
            pass
        if not self.asked and b'vQ\r' in self.heard:
            os.write(self.master, b'vMAGELLAN  Version 6.70  by LOGITECH INC. 10/10/00\r')
            self.asked = True
        elif self.asked:
            os.write(self.master, packet(push))


def main():
    daemon = shutil.which('spacenavd') or '/usr/bin/spacenavd'
    if not os.path.exists(daemon):
        skip('spacenavd is not installed')
    work = tempfile.mkdtemp()
    os.mkdir(os.path.join(work, 'run'))  # Debian's spacenavd makes its socket below the folder it runs in
    socket = os.path.join(work, 'run', 'spnav.sock')
    mouse = Mouse()
    with open(os.path.join(work, 'rc'), 'w') as file:
        file.write('serial = %s\n' % mouse.name)
    with open(os.path.join(work, 'log.txt'), 'w') as log:
        server = subprocess.Popen([daemon, '-d', '-v', '-c', os.path.join(work, 'rc'), '-l', os.path.join(work, 'log')],
                                  stdout=log, stderr=log, cwd=work)
    reader = None
    try:
        end = time.time() + 15
        while time.time() < end and not (mouse.asked and os.path.exists(socket)):
            mouse.live([0] * 6)
            time.sleep(0.01)
        if not mouse.asked or not os.path.exists(socket):
            print(open(os.path.join(work, 'log.txt')).read())
            skip('this spacenavd does not take the emulated SpaceMouse, or keeps its socket elsewhere')
        time.sleep(0.5)
        reader = subprocess.Popen([sys.argv[1], 'devices', 'spacemouse', '--time', '3'], stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, text=True,
                                  env=dict(os.environ, SPNAV_SOCKET=socket))
        turn = 0
        while reader.poll() is None:
            turn += 1
            mouse.live([200 + turn % 2, 0, 0, 0, 0, 0])  # to the right; never quite the same twice
            time.sleep(0.02)
        text = reader.stdout.read()
        print(text)
        if 'is not installed' in text:
            skip('libspnav is not installed')
        if 'moved' not in text:
            print('FAILED: no sample came')
            return 1
        moved = [float(word) for word in text.split('moved')[1].split('mm')[0].replace('x', ' ').split()]
        if not (moved[0] > 50 and moved[1] < 10 and moved[2] < 10):
            print('FAILED: the probe should have gone to the right')
            return 1
        print('spacenavd, libspnav and the driver are well')
        return 0
    finally:
        for process in (reader, server):
            if process and process.poll() is None:
                process.terminate()
                process.wait()
        shutil.rmtree(work, ignore_errors=True)


sys.exit(main())
