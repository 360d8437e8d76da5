#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# An independent reader of the logs of `heft run`, for the tests: reads a .csv, an .npy and an .mcap of the same run and
# compares them number by number. The MCAP file is read both ways, from its beginning and through its index. Chunks are
# decompressed by the shared library of zstd.
# usage: read_log.py FILE.csv FILE.npy FILE.mcap
#        read_log.py FILE.mcap TOPIC      prints the messages of a topic
import ast
import csv
import ctypes
import json
import struct
import sys


def decompress(data, size):
    zstd = ctypes.CDLL('libzstd.so.1')
    zstd.ZSTD_decompress.restype = ctypes.c_size_t
    zstd.ZSTD_decompress.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_size_t]
    out = ctypes.create_string_buffer(size)
    assert zstd.ZSTD_decompress(out, size, data, len(data)) == size, 'a chunk is damaged'
    return out.raw


def read_npy(path):
    data = open(path, 'rb').read()
    assert data[:8] == b'\x93NUMPY\x01\x00', 'not version 1.0'
    length, = struct.unpack_from('<H', data, 8)
    assert (10 + length) % 64 == 0, 'the header is not aligned'
    head = ast.literal_eval(data[10:10 + length].decode())
    rows, columns = head['shape']
    assert head['descr'] == '<f8' and not head['fortran_order']
    assert len(data) == 10 + length + 8 * rows * columns, 'the file has another length than its header says'
    flat = struct.unpack_from('<%dd' % (rows * columns), data, 10 + length)
    return [flat[i * columns:(i + 1) * columns] for i in range(rows)]


class Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def number(self, size):
        value = int.from_bytes(self.data[self.at:self.at + size], 'little')
        self.at += size
        return value

    def bytes(self, size):
        self.at += size
        assert self.at <= len(self.data), 'a record ends after the file'
        return self.data[self.at - size:self.at]

    def string(self):
        return self.bytes(self.number(4)).decode()

    def records(self):
        while self.at < len(self.data):
            start, opcode = self.at, self.number(1)
            yield start, opcode, Reader(self.bytes(self.number(8)))


def take_definition(opcode, r, schemas, channels):
    if opcode == 3:
        number, name, encoding = r.number(2), r.string(), r.string()
        assert encoding == 'jsonschema'
        schemas[number] = (name, json.loads(r.string()))
    elif opcode == 4:
        number, schema, topic, encoding = r.number(2), r.number(2), r.string(), r.string()
        assert encoding == 'json' and schema in schemas
        channels[number] = topic


def take_message(r, channels):
    channel, sequence, log_time, publish_time = r.number(2), r.number(4), r.number(8), r.number(8)
    assert log_time == publish_time
    return channels[channel], sequence, log_time, json.loads(r.data[r.at:])


def read_mcap(path):
    data = open(path, 'rb').read()
    magic = b'\x89MCAP0\r\n'
    assert data[:8] == magic and data[-8:] == magic, 'no magic'
    schemas, channels, messages, chunks, indexed, stats = {}, {}, [], {}, [], None
    for start, opcode, r in Reader(data[8:-8]).records():
        start += 8
        if opcode == 6:  # chunk
            first, last, size, crc, compression = r.number(8), r.number(8), r.number(8), r.number(4), r.string()
            content = r.bytes(r.number(8))
            if compression == 'zstd':
                content, compression = decompress(content, size), ''
            assert len(content) == size and compression == '' and crc == 0 and first <= last
            chunks[start] = (content, first, last)
            for _, op, inner in Reader(content).records():
                take_definition(op, inner, schemas, channels)
                if op == 5:
                    messages.append(take_message(inner, channels))
        elif opcode == 8:  # chunk index
            first, last, offset, length = r.number(8), r.number(8), r.number(8), r.number(8)
            content, f, l = chunks[offset]
            assert (f, l) == (first, last)
            pairs = Reader(r.bytes(r.number(4)))
            while pairs.at < len(pairs.data):
                channel, where = pairs.number(2), pairs.number(8)
                _, op, index = next(Reader(data[where:]).records())
                assert op == 7 and index.number(2) == channel
                entries = Reader(index.bytes(index.number(4)))
                while entries.at < len(entries.data):
                    time, at = entries.number(8), entries.number(8)
                    _, op, inner = next(Reader(content[at:]).records())
                    message = take_message(inner, channels)
                    assert op == 5 and message[0] == channels[channel] and message[2] == time
                    indexed.append(message)
        elif opcode == 11:
            stats = r.number(8)
        elif opcode == 2:
            summary = r.number(8)
            assert 0 < summary < start
        else:
            take_definition(opcode, r, schemas, channels)
    assert len(messages) == len(indexed) == stats, 'the index misses messages'
    assert sorted(map(str, messages)) == sorted(map(str, indexed))
    return schemas, channels, messages


def main():
    if len(sys.argv) == 3:
        for topic, _, time, message in read_mcap(sys.argv[1])[2]:
            if topic == sys.argv[2]:
                print(time, json.dumps(message))
        return
    table = list(csv.reader(open(sys.argv[1])))
    names, rows = table[0], [[float(x) for x in row] for row in table[1:]]
    npy = read_npy(sys.argv[2])
    assert len(npy) == len(rows) and all(len(a) == len(b) for a, b in zip(npy, rows))
    for a, b in zip(npy, rows):
        assert all(x == y or abs(x - y) < 1e-9 * abs(x) for x, y in zip(a, b)), 'csv and npy differ'
    schemas, channels, messages = read_mcap(sys.argv[3])
    named = {'/contacts', '/forces', '/joints', '/model', '/report', '/scene', '/state', '/tf'}
    assert named <= set(channels.values()) <= named | {'/controls', '/sensors', '/plugins'}
    assert 'foxglove.FrameTransforms' in [name for name, _ in schemas.values()]
    nq = sum(name[0] == 'q' and name[1:].isdigit() for name in names)
    states = [m for m in messages if m[0] == '/state']
    reports = [m for m in messages if m[0] == '/report']
    contacts = [m for m in messages if m[0] == '/contacts']
    assert len(states) == len(reports) == len(contacts) == len(rows)
    assert rows[0][0] == 0 == states[0][2], 'the first row is not the start'
    for row, state, report, contact in zip(rows, states, reports, contacts):
        assert state[3]['q'] == row[1:1 + nq], 'csv and mcap differ'
        for name in ('kinetic', 'relative', 'status', 'inexact', 'dropped'):
            assert report[3][name] == row[names.index(name)], 'csv and mcap differ'
        assert len(contact[3]['contacts']) == row[names.index('contacts')]
    print('%d rows of %d numbers, %d messages on %d channels agree' %
          (len(rows), len(names), len(messages), len(channels)))


main()
