#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads a Parquet file by the words of the format, with no library: every page has the checksum of its numbers, every number
is the one of the CSV file beside it, to the last bit. Of a file of any length one column is read by itself; the cost is printed.
usage: read_parquet.py FILE.parquet FILE.csv
       read_parquet.py FILE.parquet --column NAME"""
import array
import math
import resource
import struct
import sys
import time
import zlib


class Reader:
    """Thrift's compact protocol: a struct is a dictionary by the numbers of its fields."""

    def __init__(self, data, at):
        self.data, self.at = data, at

    def byte(self):
        self.at += 1
        return self.data[self.at - 1]

    def varint(self):
        n = shift = 0
        while True:
            b = self.byte()
            n |= (b & 127) << shift
            shift += 7
            if b < 128:
                return n

    def value(self, kind):
        if kind in (4, 5, 6):
            n = self.varint()
            return n >> 1 ^ -(n & 1)
        if kind == 8:
            size = self.varint()
            self.at += size
            return self.data[self.at - size:self.at].decode()
        if kind == 9:
            head = self.byte()
            count = head >> 4 if head >> 4 < 15 else self.varint()
            return [self.value(head & 15) for _ in range(count)]
        assert kind == 12, kind
        fields, last = {}, 0
        while True:
            head = self.byte()
            if head == 0:
                return fields
            assert head >> 4, "field by its whole number"
            last += head >> 4
            fields[last] = self.value(head & 15)


def kind(schema):
    return "d" if schema[1] == 5 else "Q" if schema.get(6) == 14 else "q"


def read_page(data, at=0):
    """The head of a page, its numbers, and where they end."""
    page = Reader(data, at)
    header = page.value(12)
    numbers = data[page.at:page.at + header[3]]
    assert header[4] & 0xffffffff == zlib.crc32(numbers), "the checksum of a page is wrong"
    return header, numbers, page.at + len(numbers)


def read_column(parquet, name):
    with open(parquet, "rb") as file:
        file.seek(-8, 2)
        size, = struct.unpack("<I4x", file.read(8))
        file.seek(-8 - size, 2)
        meta = Reader(file.read(size), 0).value(12)
        at = [s[4] for s in meta[2][1:]].index(name)
        numbers = array.array(kind(meta[2][at + 1]))
        for group in meta[4]:
            about = group[1][at][3]
            file.seek(about[9])
            numbers.frombytes(read_page(file.read(about[7]))[1])
    assert len(numbers) == meta[3]
    return numbers


def main(parquet, csv, name=None):
    if csv == "--column":
        numbers = read_column(parquet, name)
        return print("%d numbers, mean %.17g: %.3f s of processor time, %.0f MB" % (
            len(numbers), sum(numbers) / len(numbers), time.process_time(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024))
    data = open(parquet, "rb").read()
    assert data[:4] == data[-4:] == b"PAR1"
    size, = struct.unpack("<I", data[-8:-4])
    footer = Reader(data, len(data) - 8 - size)
    meta = footer.value(12)
    assert footer.at == len(data) - 8
    schema = meta[2]
    columns, place = {s[4]: [] for s in schema[1:]}, 4
    for group in meta[4]:
        for s, chunk in zip(schema[1:], group[1]):
            about = chunk[3]
            assert about[3] == [s[4]] and about[1] == s[1] and about[9] == place and about[5] == group[3]
            header, numbers, place = read_page(data, place)
            columns[s[4]] += struct.unpack("<%d%s" % (header[5][1], kind(s)), numbers)
            assert place - about[9] == about[7]
    assert place == len(data) - 8 - size
    lines = open(csv).read().splitlines()
    assert list(columns) == lines[0].split(",") and meta[3] == len(lines) - 1
    for i, line in enumerate(lines[1:]):
        for (name, column), text in zip(columns.items(), line.split(",")):
            x = column[i]
            assert str(x) == text if isinstance(x, int) else x == float(text) or math.isnan(x) and math.isnan(float(text)), (name, i, x, text)
    for name, numbers in columns.items():
        assert read_column(parquet, name).tobytes() == array.array(kind(next(s for s in schema if s[4] == name)), numbers).tobytes(), name
    print("%d rows, %d columns, %d groups" % (meta[3], len(columns), len(meta[4])))


if __name__ == "__main__":
    main(*sys.argv[1:4])
