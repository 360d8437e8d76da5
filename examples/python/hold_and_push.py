# SPDX-License-Identifier: Apache-2.0
"""Servos hold an arm in the pose of a keyframe; a force of 20 N pushes the hand for 0.2 s."""

import heft

world = heft.World(heft.load("examples/desk_arm.xml"))
world.reset("ready")
hand = world.body("hand")
for step in range(3000):
    if 1000 <= step < 1200:
        hand.apply_force((0, 20, 0))
    report = world.step()
    if step % 250 == 99:
        print(f"{report.time:.1f} s: hand at y = {hand.position[1]:+.4f} m, residual {report.residual:.1e} m/s")
