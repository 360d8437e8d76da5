# SPDX-License-Identifier: Apache-2.0
"""A robot that Heft simulates, for a controller in a process of its own (docs/manual/controllers.md).

    from heft_robot import Robot
    robot = Robot('unix:/tmp/robot')            # or udp:7480, udp:192.168.1.5:7480
    for state in robot:                         # until the simulation ends
        robot.send([-100 * state.q[0] - 10 * state.v[0]])

A UDP place needs libsodium (Debian: libsodium23). Its key is the argument key, or HEFT_UDP_KEY of the environment: 64
hexadecimal digits.
"""
import collections
import ctypes
import ctypes.util
import hashlib
import hmac
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


class Clear:
    """Datagrams of a Unix socket, as they are."""
    open = True

    def seal(self, datagram):
        return datagram

    def unseal(self, datagram):
        return datagram, None


class Tunnel:
    """Datagrams over UDP, encrypted: docs/manual/writing-a-driver.md, with the letters HFTC and the context heftlnk2."""

    def __init__(self, key):
        name = ctypes.util.find_library('sodium')
        if not name:
            raise RuntimeError('a UDP place needs libsodium (Debian: libsodium23)')
        self.sodium = ctypes.CDLL(name)
        self.keys = [hashlib.blake2b(key=key, digest_size=32, salt=struct.pack('<QQ', i, 0), person=b'heftlnk2').digest() for i in range(1, 5)]
        self.ours, self.secret = ctypes.create_string_buffer(32), ctypes.create_string_buffer(32)
        self.sodium.crypto_kx_keypair(self.ours, self.secret)
        self.open, self.sent, self.taken = False, 0, 0

    def hello(self):
        return self._tag(self._head(3, 104) + self.ours.raw + bytes(48), 0)

    def seal(self, datagram):
        self.sent += 1
        head = self._head(1, len(datagram) + 32) + struct.pack('<Q', self.sent)
        return head + self._encrypt(head, datagram, self.sent)

    def unseal(self, packet):
        """(a datagram, an answer that is to be sent): one of them or both are None."""
        size = len(packet)
        if packet[:6] == b'HFTC\2\4' and size == 104 and not self.open:
            return None, self._confirm(packet)
        if packet[:6] != b'HFTC\2\2' or size < 32 or not self.open or packet[6:8] != struct.pack('<H', size):
            return None, None
        number = struct.unpack_from('<Q', packet, 8)[0]
        body = ctypes.create_string_buffer(size)
        nonce = struct.pack('<IQ', 0, number)
        if number <= self.taken or self.sodium.crypto_aead_chacha20poly1305_ietf_decrypt(
                body, None, None, packet[16:], ctypes.c_ulonglong(size - 16), packet[:16], ctypes.c_ulonglong(16), nonce, self.into):
            return None, None
        self.taken = number
        return body.raw[:size - 32], None

    def _confirm(self, welcome):
        host, into, out = welcome[40:72], ctypes.create_string_buffer(32), ctypes.create_string_buffer(32)
        if welcome[8:40] != self.ours.raw or not hmac.compare_digest(self._tag(welcome[:-16], 1), welcome) or \
                self.sodium.crypto_kx_client_session_keys(into, out, self.ours, self.secret, host):
            return None
        self.into, self.out = (hashlib.blake2b(k.raw + self.ours.raw + host, key=self.keys[3], digest_size=32).digest() for k in (into, out))
        self.open = True
        head = self._head(5, 120) + welcome[8:88]
        return self._tag(head + self._encrypt(head, b'', 0), 2)

    def _head(self, kind, size):
        return struct.pack('<4sBBH', b'HFTC', 2, kind, size)

    def _tag(self, packet, key):
        return packet + hashlib.blake2b(packet, key=self.keys[key], digest_size=16).digest()

    def _encrypt(self, head, body, number):
        out = ctypes.create_string_buffer(len(body) + 16)
        self.sodium.crypto_aead_chacha20poly1305_ietf_encrypt(
            out, None, body, ctypes.c_ulonglong(len(body)), head, ctypes.c_ulonglong(len(head)), None, struct.pack('<IQ', 0, number), self.out)
        return out.raw


class Robot:
    """model is the description: names, units and ranges of joints, actuators and sensors."""

    def __init__(self, place, wait=10.0, key=None):
        kind, _, where = place.partition(':')
        key = key or os.environ.get('HEFT_UDP_KEY', '') if kind == 'udp' else ''
        self.kind, self.key, self.tunnel, self.probe = kind, bytes.fromhex(key) or bytes(32), Clear(), None
        if len(self.key) != 32:
            raise ValueError('a key has 64 hexadecimal digits')
        ip, _, port = where.rpartition(':')
        self.where = where if kind == 'unix' else (ip or '127.0.0.1', int(port))
        self.session, self.number, self.last, self.socket, self.offers = 0, 0, None, None, 0
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
                    self._ask()
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
                self._send(self.last)  # the answer was lost
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
        self._send(datagram)
        return datagram

    def _send(self, datagram):
        self.socket.send(self.tunnel.seal(datagram))

    def _ask(self):
        """Is the simulation still there? One that was started anew answers the hello of another session."""
        self._put(READY)
        if self.kind == 'udp':
            self.probe = Tunnel(self.key)
            self.socket.send(self.probe.hello())

    def _get(self, seconds):
        if not select.select([self.socket], [], [], seconds)[0]:
            return None
        data = self.socket.recv(DATAGRAM + 32)
        if self.probe and self.probe.unseal(data)[1]:
            self.offers += 1
            if self.offers > 1:
                raise ConnectionResetError('the simulation has another session')
        data, answer = self.tunnel.unseal(data)
        if answer:
            self.socket.send(answer)
        data = data or b''
        self.offers = 0 if data else self.offers
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
                    self.tunnel = Clear() if self.kind == 'unix' else Tunnel(self.key)
                if not self.tunnel.open:
                    self.socket.send(self.tunnel.hello())
                    self._get(0.1)
                    continue
                self._put(JOIN, a=len(parts))
                for _ in range(BURST):
                    datagram = self._get(0.1)
                    if datagram and datagram[0] == HELLO and datagram[3] == len(parts):
                        parts = parts if datagram[2] == self.session else []  # another simulation
                        self.session, count = datagram[2], datagram[4]
                        parts += [datagram[6]] if datagram[3] == len(parts) else []
                    if not datagram and self.kind == 'udp':
                        self.tunnel = Tunnel(self.key)  # the confirm was lost, or the simulation was started anew
                    if not datagram or len(parts) == count:
                        break
            except OSError:
                self.socket = None
                time.sleep(0.1)
        return b''.join(parts).decode(errors='replace')
