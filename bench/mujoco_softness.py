#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Translates solref and solimp of MuJoCo to stiffness and damping of a soft contact point (heft_soft_NAME).

    bench/mujoco_softness.py MASS TAU ZETA [DMIN DMAX WIDTH] [--friction MU] [--pyramidal] [--points N]
    bench/mujoco_softness.py --check

A row of MuJoCo with the impedance d(x) at the depth x and the mobility A yields by

    f = K d² x / ((1 - d) A),    K = 1 / (dmax tau zeta)², or -tau / dmax² if tau <= 0,

times 2 / (mu² (1 + mu²)) for a pyramidal cone. A is 1 / MASS for a body that floats and touches the world; of two bodies it is
the sum, and of links the translational body_invweight0 of MuJoCo. The stiffness printed is f / x at the depth of the body's own
weight: the deflection under that load is MuJoCo's, under other loads it differs as far as d changes with the depth. MuJoCo also
adds a virtual mass d / ((1 - d) A) to the motion, which has no counterpart here.

--check compares the depths with those of MuJoCo 2.2.2 at rest, as measured."""
import argparse
import sys

GRAVITY = 9.81
DEFAULT = (0.9, 0.95, 0.001)
# tau, zeta, solimp, friction, pyramidal, points, depth of 2 kg in MuJoCo 2.2.2 [m]
MEASURED = [((0.02, 1), DEFAULT, 1, True, 1, 3.671818e-04), ((0.02, 1), DEFAULT, 1, False, 1, 3.671818e-04),
            ((0.02, 1), DEFAULT, 0.5, True, 1, 6.792933e-05), ((0.02, 1), DEFAULT, 0.5, False, 1, 3.671818e-04),
            ((0.1, 1), (0.9, 0.9, 0.001), 0.5, False, 1, 9.810000e-03),
            ((0.1, 0.5), (0.5, 0.5, 0.001), 0.5, False, 1, 1.226250e-02),
            ((-1000, -20), (0.9, 0.9, 0.001), 0.5, False, 1, 9.810000e-04),
            ((0.05, 1), DEFAULT, 0.5, False, 4, 4.914319e-04), ((0.05, 1), DEFAULT, 0.5, True, 4, 1.052979e-04),
            ((0.2, 1), (0.6, 0.95, 0.02), 0.5, False, 1, 1.969202e-02)]


def impedance(x, limits):
    """d(x) with MuJoCo's default midpoint 0.5 and power 2."""
    low, high, width = limits
    y = min(x / width, 1)
    return low + (high - low) * (2 * y * y if y <= 0.5 else 1 - 2 * (1 - y) ** 2)


def spring(x, ref, limits, mass, friction, pyramidal):
    """Stiffness and damping of a point at the depth x."""
    d, most = impedance(x, limits), limits[1]
    k = 1 / (most * ref[0] * ref[1]) ** 2 if ref[0] > 0 else -ref[0] / most ** 2
    b = 2 / (most * ref[0]) if ref[0] > 0 else -ref[1] / most
    more = 2 / (friction ** 2 * (1 + friction ** 2)) if pyramidal else 1
    return more * mass * k * d * d / (1 - d), more * mass * b * d / (1 - d)


def depth(ref, limits, mass, friction, pyramidal, points):
    """The depth at which the points carry the weight."""
    low, high = 0, 10
    for _ in range(200):
        x = (low + high) / 2
        if points * spring(x, ref, limits, mass, friction, pyramidal)[0] * x > mass * GRAVITY:
            high = x
        else:
            low = x
    return x


def check():
    worst = max(abs(depth(ref, limits, 2, friction, pyramidal, points) / found - 1)
                for ref, limits, friction, pyramidal, points, found in MEASURED)
    print('softness: %d depths differ from those of MuJoCo by at most %.1e' % (len(MEASURED), worst))
    return worst < 1e-6


def main():
    if sys.argv[1:] == ['--check']:
        sys.exit(0 if check() else 1)
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('mass', type=float)
    parser.add_argument('solref', type=float, nargs=2)
    parser.add_argument('solimp', type=float, nargs='*')
    parser.add_argument('--friction', type=float, default=1)
    parser.add_argument('--pyramidal', action='store_true')
    parser.add_argument('--points', type=int, default=1)
    args = parser.parse_args()
    limits = tuple(args.solimp) or DEFAULT
    if len(limits) != 3 or not (args.mass > 0 and args.points > 0 and 0 < limits[0] <= limits[1] < 1 and limits[2] > 0):
        parser.error('expected a mass above 0, one point or more, and three numbers of solimp: 0 < dmin <= dmax < 1, width > 0')
    law = (tuple(args.solref), limits, args.mass, args.friction, args.pyramidal)
    x = depth(*law, args.points)
    print('heft_soft: %.9g %.9g    depth under its weight: %.6g m' % (*spring(x, *law), x))


main()
