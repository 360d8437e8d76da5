# SPDX-License-Identifier: Apache-2.0
# An independent reader of the inertias of a URDF: one line per link with its name, mass, centre of mass and the
# moments xx yy zz xy xz yz about it, along the link's axes. Python's XML, its numbers, its sine.
import sys
import xml.etree.ElementTree as tree
from math import cos, sin


def numbers(text, default):
    return [float(x) for x in text.split()] if text else list(default)


def rotation(rpy):
    (cr, cp, cy), (sr, sp, sy) = [cos(a) for a in rpy], [sin(a) for a in rpy]
    return [
        [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
        [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
        [-sp, cp * sr, cp * cr],
    ]


def product(a, b):
    return [[sum(a[i][k] * b[k][j] for k in range(3)) for j in range(3)] for i in range(3)]


for link in tree.parse(sys.argv[1]).getroot().findall("link"):
    inertial = link.find("inertial")
    if inertial is None:
        continue
    origin = inertial.find("origin")
    origin = origin.attrib if origin is not None else {}
    i = {k: float(v) for k, v in inertial.find("inertia").attrib.items()}
    r = rotation(numbers(origin.get("rpy"), (0.0, 0.0, 0.0)))
    m = [[i["ixx"], i["ixy"], i["ixz"]], [i["ixy"], i["iyy"], i["iyz"]], [i["ixz"], i["iyz"], i["izz"]]]
    t = product(product(r, m), [list(row) for row in zip(*r)])
    values = [float(inertial.find("mass").attrib["value"])] + numbers(origin.get("xyz"), (0.0, 0.0, 0.0))
    values += [t[0][0], t[1][1], t[2][2], t[0][1], t[0][2], t[1][2]]
    print(link.attrib["name"], *[v.hex() for v in values])
