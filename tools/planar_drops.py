#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes impacts of planar drops (N. Fazeli's experiments, DAIRLab/ImpactModeling, BSD-3) as a table.

usage: planar_drops.py ellipse_uniform.mat >ellipse.csv

The table is for `heft identify --impacts` and `heft validate drops`. Signs of the arms differ between
the files: those are written by which the change of angular momentum has the torque of the impulse.
"""
import struct
import sys
import zlib

FORMATS = {1: "b", 2: "B", 3: "h", 4: "H", 5: "i", 6: "I", 7: "f", 9: "d", 12: "q", 13: "Q"}
COLUMNS = "arm_away,arm_along,along0,away0,rate0,along1,away1,rate1"


def elements(data):
    """Type and bytes of each element of a MATLAB file of version 5."""
    at = 0
    while at + 8 <= len(data):
        kind, size = struct.unpack_from("<II", data, at)
        if kind >> 16:  # small: the type and at most four bytes in one word each
            yield kind & 0xFFFF, data[at + 4 : at + 4 + (kind >> 16)]
            at += 8
        else:
            yield kind, data[at + 8 : at + 8 + size]
            at += 8 + size + (-size % 8 if kind != 15 else 0)


def numbers(kind, data):
    return struct.unpack("<%d%s" % (len(data) // struct.calcsize(FORMATS[kind]), FORMATS[kind]), data)


def matrix(data):
    parts = list(elements(data))
    if parts[0][1][0] != 2:  # an array of numbers
        return numbers(*parts[3])
    size = numbers(*parts[3])[0]
    text = parts[4][1]
    names = [text[i : i + size].split(b"\0")[0].decode() for i in range(0, len(text), size)]
    values = [matrix(part) for _, part in parts[5:]]
    return [dict(zip(names, values[i:])) for i in range(0, len(values), len(names))]


def impacts(path):
    with open(path, "rb") as file:
        kind, data = next(elements(file.read()[128:]))
    if kind == 15:
        data = next(elements(zlib.decompress(data)))[1]
    return matrix(data)


def balance(rows, away, along):
    """How well torques with these signs explain the changes of the rate."""
    pairs = []
    for r in rows:
        s = r["states"]
        torque = away * r["n"][2] * (s[10] - s[4]) + along * r["d"][2] * (s[9] - s[3])
        pairs.append((torque, s[11] - s[5]))
    product = sum(x * y for x, y in pairs)
    return product / (sum(x * x for x, _ in pairs) * sum(y * y for _, y in pairs)) ** 0.5


def main():
    rows = impacts(sys.argv[1])
    signs = max(((a, b) for a in (1, -1) for b in (1, -1)), key=lambda s: balance(rows, *s))
    print(COLUMNS)
    for r in rows:
        s = r["states"]
        row = (signs[0] * r["n"][2], signs[1] * r["d"][2]) + s[3:6] + s[9:12]
        print(",".join("%.9g" % x for x in row))


main()
