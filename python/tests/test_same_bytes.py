# SPDX-License-Identifier: Apache-2.0
"""A batch with one seed gives the same bytes in Python and in C, with one thread and with two.

`heft bench batch` is the program in C. With HEFT_FULL=1 the batch takes 10^6 steps.
"""
import os
import re
import struct
import subprocess
from pathlib import Path

import numpy as np
import pytest

import heft

SOURCE = Path(os.environ.get("HEFT_SOURCE_DIR", Path(__file__).resolve().parents[2]))
COMMAND = Path(heft.__file__).absolute().parents[2] / "bin" / "heft"
SCENE = SOURCE / "examples" / "quadruped.xml"
HOLD = 10  # steps, as in scenes/batch_controls.h
WORLDS, STEPS = (100, 10000) if os.environ.get("HEFT_FULL") else (6, 60)


def control(world: int, step: int, actuator: int) -> float:
    """A number of -1 to 1 that depends on its place alone, as scenes/batch_controls.h has it."""
    bits = heft.hash_bytes(struct.pack("=QQQ", world, step, actuator), 1)
    return (bits >> 11) * 2.0**-53 * 2 - 1


def hash_in_python(threads: int) -> int:
    model = heft.load(SCENE)
    with heft.Batch(model, WORLDS, threads=threads) as batch:
        for step in range(0, STEPS, HOLD):
            batch.controls[:] = [[control(w, step, a) for a in range(model.nactuator)] for w in range(WORLDS)]
            batch.step(HOLD)
        assert not np.any(batch.ended)
        value = 0
        for world in range(WORLDS):
            value = heft.hash_bytes(struct.pack("=Q", batch.hash(world)), value)
    return value


def test_python_has_the_bytes_of_c() -> None:
    if not COMMAND.exists():
        pytest.skip("the command heft was not built")
    # The command has a sanitizer of its own, where Python needs one to be loaded before it (sanitized.py).
    alone = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
    done = subprocess.run([COMMAND, "bench", "batch", "--worlds", str(WORLDS), "--steps", str(STEPS), "--threads", "2",
                           SCENE], check=True, capture_output=True, text=True, env=alone)
    in_c = {int(x, 16) for x in re.findall(r"\b[0-9a-f]{16}\b", done.stdout)}
    assert in_c == {hash_in_python(1)} == {hash_in_python(2)}
