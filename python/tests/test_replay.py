# SPDX-License-Identifier: Apache-2.0
"""Recorded sessions: the worlds have the bits of worlds that Python steps itself; damaged recordings are refused."""

import gc
import json
import struct
import threading
import warnings
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import heft

MODEL = heft.loads("<mujoco><option timestep='0.002'/><worldbody><geom type='plane' size='5 5 .1'/>"
                   "<body name='box' pos='0 0 .12'><freejoint/><geom type='box' size='.1 .1 .1'/></body>"
                   "<body name='arm' pos='1 0 1'><joint name='pin' axis='0 1 0'/><geom type='capsule' "
                   "fromto='0 0 0 .4 0 0' size='.03'/></body></worldbody>"
                   "<actuator><motor name='pin' joint='pin'/></actuator></mujoco>")
STEPS = 60


def session(path: Path, changes: list[dict[str, Any]], hashes: list[int], model: heft.Model | None = MODEL,
            start: dict[str, Any] | None = None) -> Path:
    """Writes a session of single runs of steps, record by record as the MCAP specification has them."""
    def text(t: str) -> bytes:
        return struct.pack("<I", len(t)) + t.encode()

    def record(kind: int, data: bytes) -> bytes:
        return struct.pack("<BQ", kind, len(data)) + data

    out = b"\x89MCAP0\r\n" + record(1, text("") + text("test"))
    if model:
        data = struct.pack("<QQ", 0, 0) + text("model.heft") + text("") + struct.pack("<Q", len(model.pack())) + model.pack()
        out += record(9, data + struct.pack("<I", zlib.crc32(data)))
    begin = {"model": "m.xml", "time_step": 0.002, "probes": [], **(start or {})}
    channels = {"/session": [begin], "/change": changes, "/steps": [{"count": 1, "hash": f"{h:016x}"} for h in hashes]}
    chunk, index = b"", b""
    for number, (name, messages) in enumerate(channels.items(), 1):
        chunk += record(3, struct.pack("<H", number) + text(name) + text("jsonschema") + text("{}"))
        chunk += record(4, struct.pack("<HH", number, number) + text(name) + text("json") + struct.pack("<I", 0))
        places = []
        for i, message in enumerate(messages):
            places.append(struct.pack("<QQ", 0, len(chunk)))
            chunk += record(5, struct.pack("<HIQQ", number, i, 0, 0) + json.dumps(message).encode())
        index += record(7, struct.pack("<HI", number, 16 * len(places)) + b"".join(places))
    head = struct.pack("<QQQI", 0, 0, len(chunk), zlib.crc32(chunk)) + text("") + struct.pack("<Q", len(chunk))
    out += record(6, head + chunk) + index
    out += record(15, struct.pack("<I", 0)) + record(2, struct.pack("<QQI", 0, 0, 0)) + b"\x89MCAP0\r\n"
    path.write_bytes(out)
    return path


def change(step: int, kind: str, index: int = 0, value: float = 0.0, **more: Any) -> dict[str, Any]:
    return {"step": step, "kind": kind, "index": index, "value": value, "x": 0, "y": 0, "z": 0, "name": "", "file": "",
            **more}


def steps_of(world: heft.World, count: int) -> list[int]:
    return [(world.step(), world.hash())[1] for _ in range(count)]


def test_a_session_has_the_bits_of_the_same_steps(tmp_path: Path) -> None:
    world = heft.World(MODEL)
    hashes = steps_of(world, 20)
    world.controls[0] = 1.5
    hashes += steps_of(world, STEPS - 20)
    replay = heft.replay(session(tmp_path / "s.mcap", [change(20, "control", 0, 1.5)], hashes))
    assert len(replay) == STEPS and replay.done == 0 and replay.complete and replay.world.time == 0
    q = replay.world.q
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        seen = [w.hash() for w in replay]
    assert seen == hashes and replay.different == 0 and replay.report is not None
    assert (q == world.q).all() and len(replay.world.contacts) == len(world.contacts) > 0
    assert replay.report.time == world.time and repr(replay) == f"<heft.Replay: {STEPS} of {STEPS} steps, the same bits>"
    with pytest.raises(TypeError, match="read-only"):
        replay.world.step()
    clone = replay.world.clone()
    clone.step()
    world.step()
    assert clone.hash() == world.hash()


def test_other_bits_warn_once_and_are_counted(tmp_path: Path) -> None:
    hashes = steps_of(heft.World(MODEL), 5)
    replay = heft.replay(session(tmp_path / "s.mcap", [], [*hashes[:2], 1, 2, hashes[4]]))
    with pytest.warns(RuntimeWarning, match="step 3: the bits differ") as found:
        last = [w.hash() for w in replay][-1]
    assert len(found) == 1 and replay.different == 2 and last == hashes[4]


def test_worlds_before_an_object_was_added_stay_valid(tmp_path: Path) -> None:
    changes = [change(2, "box", 0, 0.05, z=0.5, name="new"), change(3, "remove", 1), change(3, "remove", 1),
               change(4, "box", 0, 0.05, z=0.9, name="newer")]
    replay = heft.replay(session(tmp_path / "s.mcap", changes, [0] * 6))
    kept = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for world in replay:
            kept.append((world, world.model, world.q, world.q.copy(), world.clone()))
    assert [w.model.nbody for w, *_ in kept] == [3, 3, 4, 2, 3, 3]
    del replay, world
    gc.collect()
    for i in (1, 2, 3, 5):  # the last moments of each world
        world, model, q, copy, clone = kept[i]
        assert (q == copy).all() and model.bodies[0] == "world" and np.isfinite(clone.step().time)
    kept[2] = kept[3] = kept[0]  # in any order
    gc.collect()
    assert (kept[1][2] == kept[1][3]).all() and kept[5][1].bodies[-1] == "newer"


def test_a_closed_world_is_given_again(tmp_path: Path) -> None:
    replay = heft.replay(session(tmp_path / "s.mcap", [change(1, "box", 0, 0.05, z=0.5, name="new")], [0] * 3))
    q = replay.world.q
    replay.world.close()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert [w.model.nbody for w in replay] == [3, 4, 4] and q.shape == (8,)


def test_threads_do_not_share_a_replay(tmp_path: Path) -> None:
    hashes = steps_of(heft.World(MODEL), STEPS)
    replay, failed = heft.replay(session(tmp_path / "s.mcap", [], hashes)), []

    def run() -> None:
        try:
            for _ in replay:
                pass
        except RuntimeError as error:
            failed.append(str(error))

    threads = [threading.Thread(target=run) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert replay.different == 0 and all("another thread" in text for text in failed)


def test_recordings_that_cannot_be_repeated(tmp_path: Path) -> None:
    path = tmp_path / "s.mcap"
    with pytest.raises(heft.FileError, match="cannot be opened"):
        heft.replay(tmp_path / "none.mcap")
    with pytest.raises(heft.DataError, match="has no model"):
        heft.replay(session(path, [], [1], model=None))
    with pytest.raises(heft.DataError, match="needs plug-ins"):
        heft.replay(session(path, [], [1], start={"plugins": ["a.so"]}))
    with heft.Log(path, MODEL) as log:
        log.write(heft.World(MODEL))
    with pytest.raises(heft.DataError, match="log of a run"):
        heft.replay(path)
    with pytest.raises(heft.DataError, match="no index 9|actuator|control"):
        next(heft.replay(session(path, [change(0, "control", 9, 1.0)], [1])))
    with pytest.raises(heft.DataError, match="'b.xml', which is not in it"):
        next(heft.replay(session(path, [change(0, "file", 0, 0, file="b.xml", name="b")], [1])))


def test_damaged_recordings_are_refused(tmp_path: Path) -> None:
    path = session(tmp_path / "s.mcap", [change(1, "control", 0, 1.5)], steps_of(heft.World(MODEL), 4))
    whole, random, refused = path.read_bytes(), np.random.default_rng(0), 0
    for trial in range(300):
        data = bytearray(whole)
        for place in random.integers(8, len(data), random.integers(1, 4)):
            data[place] ^= 1 << int(random.integers(8))
        path.write_bytes(data[:random.integers(8, len(data))] if trial % 3 == 0 else data)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                for _ in heft.replay(path):
                    pass
        except heft.Error as error:
            refused += 1
            assert isinstance(error, heft.DataError) and len(str(error)) > 10
    assert refused > 100
