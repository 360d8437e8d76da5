# SPDX-License-Identifier: Apache-2.0
"""Scenes have the bits that C has: tests/world/golden_scenes.txt."""

import os
import struct

import pytest

import heft

ROOT = os.environ["HEFT_SOURCE_DIR"]

with open(os.path.join(ROOT, "tests/world/golden_scenes.txt")) as _file:
    GOLDEN = {name: int(number, 16) for name, number in (line.split() for line in _file)}


def run(world: heft.World, steps: int) -> int:
    """The hash of test_golden.c: of the state and the residual after each step."""
    number = 0
    for _ in range(steps):
        report = world.step()
        number = heft.hash_bytes(struct.pack("<Q", world.hash()), number)
        number = heft.hash_bytes(struct.pack("<d", report.relative), number)
    return number


@pytest.mark.parametrize("scene", GOLDEN)
def test_bits_are_those_of_c(scene: str) -> None:
    model = heft.load(os.path.join(ROOT, "scenes", scene + ".xml"))
    with heft.World(model) as world:
        assert run(world, 200) == GOLDEN[scene]
