# SPDX-License-Identifier: Apache-2.0
"""A quadruped drops and prints the force under each foot."""

import heft

world = heft.World(heft.load("examples/quadruped.xml"))
world.step(2000)
for contact in world.contacts:
    name = world.model.name(heft.Named.SHAPE, contact.shape_b)
    print(f"{name}: {contact.force[2]:.1f} N")
