#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes measurements of others as tables for Heft.

usage: measurements.py drops ellipse_uniform.mat >ellipse.csv
       measurements.py tosses tosses.txt FOLDER
       measurements.py film tosses.txt film.mcap
       measurements.py cassie jumping_data/data >cassie.txt

drops: impacts of planar drops (N. Fazeli's experiments, DAIRLab/ImpactModeling, BSD-3), for `heft identify --impacts` and
`heft validate drops`. Signs of the arms differ between the files: those are written by which the change of angular momentum has
the torque of the impulse.
tosses: 570 tosses of a cube (ContactNets, BSD-3; xz -d makes the text) as plan.toml, cube.xml, list.csv and seen.csv in FOLDER,
for `heft sweep run` and `heft predict --observed`. Every fourth toss, on which the scales of the plan were chosen, is left out.
film: every hundredth toss, the real cube (grey) beside the simulated one (orange), as a log for `heft render`; needs the
Python package. Friction is 0.175, which halves of the tosses choose.
cassie: impacts of jumps (DAIRLab/cassie_impact_dataset, BSD-3) as text for `heft validate cassie`: the number of jumps; for each
the number of rows, and rows of time, 45 states and 10 motor torques.
"""
import ast
import math
import os
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


def drops(path):
    rows = impacts(path)
    signs = max(((a, b) for a in (1, -1) for b in (1, -1)), key=lambda s: balance(rows, *s))
    print(COLUMNS)
    for r in rows:
        s = r["states"]
        row = (signs[0] * r["n"][2], signs[1] * r["d"][2]) + s[3:6] + s[9:12]
        print(",".join("%.9g" % x for x in row))



# ---- tosses

CUBE = """<mujoco><option timestep="%.17g"/><worldbody><geom type="plane" size="9 9 1"/><body name="cube" pos="0 0 1">
<freejoint name="free"/><inertial pos="0 0 0" mass=".37" diaginertia="8.1e-4 8.1e-4 8.1e-4"/>
<geom type="box" size=".0524 .0524 .0524"/></body></worldbody></mujoco>
"""
PLAN = """model = "cube.xml"
duration = 2.5
repeat = %d
list = "list.csv"
method = "random"
"""
VARY = """[[vary]]
name = "%s"
what = "%s"
of = "%s"
%s
"""
EVENTS = """[[measure]]
name = "x"
what = "body_x"
of = "cube"
keep = ["final"]
[[measure]]
name = "up"
what = "body_up"
of = "cube"
keep = ["final"]
[[event]]
name = "top"
when = "above"
what = "body_up"
of = "cube"
value = 0.9
for = 0.5
[[event]]
name = "bottom"
when = "below"
what = "body_up"
of = "cube"
value = -0.9
for = 0.5
"""


def read_tosses(path):
    with open(path) as file:
        numbers = iter(file.read().split())
    return [[[float(next(numbers)) for _ in range(13)] for _ in range(int(next(numbers)))] for _ in range(int(next(numbers)))]


def tosses(path, folder, runs=40):
    columns = ["q%d" % k for k in range(7)] + ["v%d" % k for k in range(6)]
    kept = [(rows[0], rows[-1]) for toss, rows in enumerate(read_tosses(path)) if toss % 4]
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "cube.xml"), "w") as file:
        file.write(CUBE % (1 / 148))
    with open(os.path.join(folder, "list.csv"), "w") as file:
        print(",".join(columns), file=file)
        for start, _ in kept:
            start[2] += 0.0015  # the floor gives way: the cube rests 1.2 mm deep
            print(",".join("%.9g" % x for x in start), file=file)
    with open(os.path.join(folder, "seen.csv"), "w") as file:
        print("top,bottom,x_final", file=file)
        for _, end in kept:
            up = 1 - 2 * (end[4] ** 2 + end[5] ** 2) / math.fsum(x * x for x in end[3:7])
            print("%d,%d,%.9g" % (up > 0.9, up < -0.9, end[0]), file=file)
    with open(os.path.join(folder, "plan.toml"), "w") as file:
        file.write(PLAN % runs)
        for k, name in enumerate(columns):
            file.write(VARY % (name, name[0], "free", 'component = %s\ncolumn = "%s"' % (name[1], name)))
        for k in range(6):
            text = "component = %d\nmean = 0\ndeviation = %g\nshape = \"normal\"" % (k, 0.03 if k < 3 else 0.3)
            file.write(VARY % ("e%d" % k, "v_offset", "free", text))
        file.write(VARY % ("friction", "friction", "*", 'mean = 0.19\ndeviation = 0.03\nmin = 0.02\nmax = 1\nshape = "normal"'))
        file.write(VARY % ("restitution", "restitution", "*", "min = 0\nmax = 0.4"))
        file.write(VARY % ("scatter", "impact_scatter", "cube", "values = [0.2]"))
        file.write(EVENTS)


# ---- a film of tosses

FACES = ("0 0 .053", ".04 .04 .0005"), ("0 0 -.053", ".02 .02 .0005"), (".053 0 0", ".0005 .04 .015"), ("0 .053 0", ".015 .0005 .04")
ACTOR = """<body name="%s" pos="0 0 1"><freejoint name="%s"/><inertial pos="0 0 0" mass=".37" diaginertia="8.1e-4 8.1e-4 8.1e-4"/>
<geom type="box" size=".0524 .0524 .0524" friction=".175" rgba="%s 1" contype="%d" conaffinity="0"/>%s</body>
"""


def film(path, out):
    import heft

    tosses = read_tosses(path)[::100]
    marks = "".join('<geom type="box" pos="%s" size="%s" rgba=".1 .1 .1 1" contype="0" conaffinity="0" mass="0"/>' % f for f in FACES)
    actors = [("real", ".75 .75 .75", 0), ("simulated", "1 .55 .1", 2)]
    text = "".join(ACTOR % (2 * (name + str(k),) + (color, kind, marks)) for k in range(len(tosses)) for name, color, kind in actors)
    model = heft.loads(
        '<mujoco><option timestep="%.17g"/><worldbody><geom type="plane" size="3 3 1" friction=".1" conaffinity="2" rgba=".35 .4 .45 1"/>%s'
        "</worldbody></mujoco>" % (1 / 740, text)
    )
    world = heft.World(model)
    # The place of rest of each real cube, so that all pairs are in view.
    shift = [(0.9 * (k % 3 - 1) - rows[-1][0], 0.7 * (0.5 - k // 3) - rows[-1][1], 0.0012) for k, rows in enumerate(tosses)]
    for k, rows in enumerate(tosses):
        place = [x + s for x, s in zip(rows[0], shift[k])]
        world.set_joint_position("simulated%d" % k, [place[0] + 0.35] + place[1:3] + rows[0][3:7])
        world.set_joint_velocity("simulated%d" % k, rows[0][7:])
    with heft.Log(out, model) as log:
        for row in range(max(len(rows) for rows in tosses)):
            if row:
                world.step(5)
            for k, rows in enumerate(tosses):
                now = rows[min(row, len(rows) - 1)]
                world.set_joint_position("real%d" % k, [x + s for x, s in zip(now, shift[k])] + now[3:7])
                world.set_joint_velocity("real%d" % k, [0] * 6)
            log.write(world)


# ---- Cassie


def npy(path):
    """Shape and numbers of a file of NumPy, version 1, little-endian double."""
    with open(path, "rb") as file:
        data = file.read()
    size = struct.unpack_from("<H", data, 8)[0]
    head = ast.literal_eval(data[10 : 10 + size].decode())
    if head["descr"] != "<f8":
        sys.exit("%s: expected little-endian doubles, found %s" % (path, head["descr"]))
    values = struct.unpack_from("<%dd" % math.prod(head["shape"]), data, 10 + size)
    shape = head["shape"]
    if head["fortran_order"] and len(shape) == 2:
        values = tuple(values[c * shape[0] + r] for r in range(shape[0]) for c in range(shape[1]))
    return shape, values


def cassie(folder):
    jumps = sorted(name[2:4] for name in os.listdir(folder) if name.startswith("x_"))
    print(len(jumps))
    for jump in jumps:
        parts = [npy(os.path.join(folder, "%s_%s.npy" % (part, jump))) for part in "txu"]
        rows = math.prod(parts[0][0])
        print(rows)
        for r in range(rows):
            row = []
            for shape, values in parts:
                wide = len(values) // rows
                by_row = shape[0] == rows
                row += [values[r * wide + c] if by_row else values[c * rows + r] for c in range(wide)]
            print(" ".join("%.9g" % x for x in row))


def main():
    verbs = {"drops": (drops, 1), "tosses": (tosses, 2), "film": (film, 2), "cassie": (cassie, 1)}
    if len(sys.argv) < 2 or sys.argv[1] not in verbs or len(sys.argv) != 2 + verbs[sys.argv[1]][1]:
        sys.exit(__doc__)
    verbs[sys.argv[1]][0](*sys.argv[2:])


main()
