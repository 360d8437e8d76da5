# SPDX-License-Identifier: Apache-2.0
"""A robot that Heft simulates, for a controller in a process of its own (docs/manual/controllers.md).

    from heft_robot import Robot
    robot = Robot('unix:/tmp/robot')            # or udp:7480, udp:192.168.1.5:7480
    for state in robot:                         # until the simulation ends
        robot.send([-100 * state.q[0] - 10 * state.v[0]])

The key of a UDP place is the argument key, or HEFT_UDP_KEY of the environment: 32 hexadecimal digits.
"""
import collections
import json
import os
import select
import socket
import struct
import time

JOIN, HELLO, READY, STATE, CONTROLS, BYE = range(1, 7)
HEAD = struct.Struct('<4sBBHQQII')
RESTARTED, FREE, BURST, DATAGRAM = 1, 2, 8, 65000
State = collections.namedtuple('State', 'time q v sensors restarted')


def siphash(key, data):
    """SipHash-2-4, for places with a key."""
    mask = (1 << 64) - 1
    k0, k1 = struct.unpack('<QQ', key)
    a, b, c, d = k0 ^ 0x736f6d6570736575, k1 ^ 0x646f72616e646f6d, k0 ^ 0x6c7967656e657261, k1 ^ 0x7465646279746573
    data = data + bytes(-(len(data) + 1) % 8) + bytes([len(data) & 255])
    for word in struct.unpack('<%dQ' % (len(data) // 8), data) + (None,):
        c, d = (c ^ 255, d) if word is None else (c, d ^ word)
        for _ in range(4 if word is None else 2):
            a, c = (a + b) & mask, (c + d) & mask
            b, d = (b << 13 | b >> 51) & mask ^ a, (d << 16 | d >> 48) & mask ^ c
            a, c = ((a << 32 | a >> 32) & mask) + d & mask, c + b & mask
            b, d = (b << 17 | b >> 47) & mask ^ c, (d << 21 | d >> 43) & mask ^ a
            c = (c << 32 | c >> 32) & mask
        a ^= word or 0
    return struct.pack('<Q', a ^ b ^ c ^ d)


class Robot:
    """model is the description: names, units and ranges of joints, actuators and sensors."""

    def __init__(self, place, wait=10.0, key=None):
        kind, _, where = place.partition(':')
        key = key or os.environ.get('HEFT_UDP_KEY', '') if kind == 'udp' else ''
        self.kind, self.key = kind, bytes.fromhex(key)
        ip, _, port = where.rpartition(':')
        self.where = where if kind == 'unix' else (ip or '127.0.0.1', int(port))
        self.session, self.number, self.last, self.socket = 0, 0, None, None
        self.model = json.loads(self._describe(time.monotonic() + wait))
        self.nq, self.nv = self.model['nq'], self.model['nv']
        self.numbers = struct.Struct('<%dd' % (1 + self.nq + self.nv + self.model['nsensor']))
        self._put(READY)

    def index(self, name, of='actuators'):
        """Place of a name in a list of the model: joints, actuators, sensors, keys."""
        return [entry['name'] for entry in self.model[of]].index(name)

    def __iter__(self):
        return iter(self.wait, None)

    def wait(self):
        """The next state; None if the simulation has ended. If the world does not wait, the last of several."""
        found = None
        while True:
            try:
                datagram = self._get(0.0 if found else 0.5)
                if datagram is None and not found:
                    self._put(READY)  # still there?
            except OSError:
                return found
            if datagram is None and found:
                return found
            kind, flags, session, number, _, _, body = datagram or (0,) * 7
            if kind == BYE:
                return found
            if kind != STATE or session != self.session or len(body) != self.numbers.size:
                continue
            if number == self.number and self.last:
                self.socket.send(self.last)  # the answer was lost
                continue
            x = self.numbers.unpack(body)
            q, v = 1 + self.nq, 1 + self.nq + self.nv
            restarted = bool(flags & RESTARTED) or bool(found and found.restarted)
            found = State(x[0], x[1:q], x[q:v], x[v:], restarted)
            self.number, self.last = number, None
            if not flags & FREE:
                return found

    def send(self, controls, forces=()):
        """Answers the last state: all controls and, if there are any, forces on all degrees of freedom."""
        body = struct.pack('<%dd' % (len(controls) + len(forces)), *controls, *forces)
        try:
            self.last = self._put(CONTROLS, self.number, len(controls), len(forces), body)
        except OSError:
            pass  # wait() notices that the simulation has ended

    def close(self):
        try:
            self._put(BYE)
        except OSError:
            pass
        self.socket.close()

    def _put(self, kind, number=0, a=0, b=0, body=b''):
        datagram = HEAD.pack(b'HFTC', 1, kind, 0, self.session, number, a, b) + body
        datagram += siphash(self.key, datagram) if self.key else b''
        self.socket.send(datagram)
        return datagram

    def _get(self, seconds):
        if not select.select([self.socket], [], [], seconds)[0]:
            return None
        data = self.socket.recv(DATAGRAM)
        if self.key:
            data, tag = data[:-8], data[-8:]
            data = data if siphash(self.key, data) == tag else b''
        if len(data) < HEAD.size or data[:5] != b'HFTC\1':
            return (0,) * 7
        return HEAD.unpack_from(data)[2:] + (data[HEAD.size:],)

    def _describe(self, until):
        """Waits for the simulation, and asks for its description, part by part."""
        parts, count = [], 1
        while len(parts) < count:
            if time.monotonic() > until:
                raise TimeoutError('no simulation at %s' % (self.where,))
            try:
                if not self.socket:
                    self.socket = socket.socket(socket.AF_UNIX if self.kind == 'unix' else socket.AF_INET, socket.SOCK_DGRAM)
                    self.socket.bind('' if self.kind == 'unix' else ('', 0))
                    self.socket.connect(self.where)
                self._put(JOIN, a=len(parts))
                for _ in range(BURST):
                    datagram = self._get(0.1)
                    if datagram and datagram[0] == HELLO and datagram[3] == len(parts):
                        parts = parts if datagram[2] == self.session else []  # another simulation
                        self.session, count = datagram[2], datagram[4]
                        parts += [datagram[6]] if datagram[3] == len(parts) else []
                    if not datagram or len(parts) == count:
                        break
            except OSError:
                self.socket = None
                time.sleep(0.1)
        return b''.join(parts).decode(errors='replace')
