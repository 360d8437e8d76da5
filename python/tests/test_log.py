# SPDX-License-Identifier: Apache-2.0
"""Logs are read as they were written; files that are cut off, damaged or made up are refused with their place."""

import json
import os
import pickle
import struct
import sys
import types
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import heft

SCENE = """<mujoco><option timestep="0.002"/><worldbody><geom name="floor" type="plane" size="5 5 1"/>
<body name="box" pos="0 0 0.1"><freejoint/><geom name="box" type="box" size=".1 .1 .1" mass="2"/>
<body name="arm" pos="0 0 .2"><joint name="pin" axis="0 1 0"/><geom size=".05" mass=".1"/><site name="hand"/></body>
</body></worldbody><actuator><motor name="pull" joint="pin"/></actuator>
<sensor><jointpos name="angle" joint="pin"/><gyro name="gyro" site="hand"/></sensor></mujoco>"""


def write(path: Path, steps: int = 50) -> list[dict[str, Any]]:
    """Writes a log. Returns what its rows should be."""
    world = heft.World(heft.loads(SCENE))
    rows = []
    with heft.Log(path, world.model) as log:
        for i in range(steps):
            world.controls[0] = 0.1 * np.sin(i)
            report = world.step()
            log.write(world, report)
            rows.append({"time": world.time, "q": world.q.copy(), "v": world.v.copy(), "kinetic": report.kinetic,
                         "control": world.controls[0], "force": world.actuator_force(0), "sensors": world.sensors.copy(),
                         "contacts": [c.force for c in world.contacts]})
    return rows


def test_rows_are_those_of_the_run(tmp_path: Path) -> None:
    path = tmp_path / "run.mcap"
    rows, log = write(path), heft.read_log(path)
    assert log.complete and log.model.hash() == heft.loads(SCENE).hash() and log.info["joints"][1]["name"] == "pin"
    for name in ("time", "q", "v"):
        np.testing.assert_array_equal(log[name], [row[name] for row in rows])
    np.testing.assert_array_equal(log["report"]["kinetic"], [row["kinetic"] for row in rows])
    np.testing.assert_array_equal(log["controls"]["pull"], [row["control"] for row in rows])
    np.testing.assert_array_equal(log["forces"]["pull"], [row["force"] for row in rows])
    np.testing.assert_array_equal(log["sensors"]["angle"], [row["sensors"][0] for row in rows])
    np.testing.assert_array_equal(log["sensors"]["gyro"], [row["sensors"][1:] for row in rows])
    contacts = log["contacts"]
    assert len(contacts) == sum(len(row["contacts"]) for row in rows) > 100
    last = contacts[contacts["row"] == len(rows) - 1]
    np.testing.assert_array_equal(last["force"], rows[-1]["contacts"])
    assert set(last["b"]) == {"box"} and (last["time"] == rows[-1]["time"]).all()
    again = pickle.loads(pickle.dumps(log))
    assert again.model.hash() == log.model.hash() and (again["q"] == log["q"]).all() and list(again) == list(log)
    columns = log.columns()
    assert columns["q2"].shape == (50,) and (columns["sensors.gyro.1"] == log["sensors"]["gyro"][:, 1]).all()


def test_a_log_without_rows(tmp_path: Path) -> None:
    path = tmp_path / "empty.mcap"
    write(path, 0)
    log = heft.read_log(path)
    assert log["q"].shape == (0, 8) and len(log["contacts"]) == 0 and "0 rows" in repr(log)


def test_frame_is_that_of_pandas(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "run.mcap"
    write(path, 5)
    log = heft.read_log(path)
    if "pandas" not in sys.modules:
        modules: Any = sys.modules
        monkeypatch.setitem(modules, "pandas", None)
        with pytest.raises(ImportError, match="needs pandas: pip install pandas"):
            log.frame()
        made = types.SimpleNamespace(DataFrame=lambda columns, index: (columns, index), Index=lambda x, name: (name, x))
        monkeypatch.setitem(modules, "pandas", made)
        columns, (name, index) = log.frame()
        assert name == "time" and (index == log["time"]).all() and list(columns) == list(log.columns())


def test_a_cut_off_log_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    path, part = tmp_path / "run.mcap", tmp_path / "part.mcap"
    rows = write(path, 800)  # several chunks
    data = path.read_bytes()
    counts: list[int] = []
    for size in np.linspace(9, len(data) - 1, 16).astype(int):
        part.write_bytes(data[:size])
        try:
            log = heft.read_log(part)
        except heft.Error as error:
            assert "part.mcap" in str(error) and not counts  # not even the model is there
            continue
        counts.append(len(log["time"]))
        assert not log.complete or counts[-1] == len(rows)
        assert all((a == row["q"]).all() for a, row in zip(log["q"], rows))
    assert counts == sorted(counts) and counts[-1] == len(rows) and 0 < counts[len(counts) // 2] < len(rows)


def test_damaged_logs_name_their_file(tmp_path: Path) -> None:
    path, bad = tmp_path / "run.mcap", tmp_path / "bad.mcap"
    write(path, 20)
    data, random, refused = path.read_bytes(), np.random.default_rng(0), 0
    for _ in range(300):
        broken = bytearray(data)
        for place in random.integers(0, len(data), random.integers(1, 4)):
            broken[place] ^= 1 << int(random.integers(8))
        bad.write_bytes(broken)
        try:
            heft.read_log(bad)
        except heft.Error as error:
            refused += 1
            assert isinstance(error, (heft.DataError, heft.FileError)) and "bad.mcap" in str(error), repr(error)
    assert refused > 50


# ---- a writer of MCAP files with any messages, without compression


def record(opcode: int, body: bytes) -> bytes:
    return struct.pack("<BQ", opcode, len(body)) + body


def text(value: str) -> bytes:
    return struct.pack("<I", len(value.encode())) + value.encode()


def forge(path: Path, messages: dict[str, list[Any]], model: bytes | None = None) -> None:
    count = len(messages.get("/state", ()))
    whole = {"/report": {"kinetic": 0}, "/contacts": {"contacts": []}, "/controls": {"pull": {"control": 0, "force": 0}},
             "/sensors": {"angle": 0}}
    messages = {**{topic: [row] * count for topic, row in whole.items()}, **messages}
    magic = b"\x89MCAP0\r\n"
    out = magic + record(1, text("") + text(""))
    if model is not None:
        out += record(9, struct.pack("<QQ", 0, 0) + text("model.heft") + text("") + struct.pack("<Q", len(model)) + model
                      + struct.pack("<I", 0))
    for number, topic in enumerate(messages, 1):
        out += record(4, struct.pack("<HH", number, 0) + text(topic) + text("json") + struct.pack("<I", 0))
    for number, rows in enumerate(messages.values(), 1):
        chunk = places = b""
        for i, row in enumerate(rows):
            places += struct.pack("<QQ", i, len(chunk))
            data = row if isinstance(row, bytes) else json.dumps(row).encode()
            chunk += record(5, struct.pack("<HIQQ", number, i, i, i) + data)
        out += record(6, struct.pack("<QQQI", 0, len(rows), len(chunk), 0) + text("") + struct.pack("<Q", len(chunk)) + chunk)
        out += record(7, struct.pack("<HI", number, len(places)) + places)
    path.write_bytes(out + record(15, struct.pack("<I", 0)) + record(2, struct.pack("<QQI", 0, 0, 0)) + magic)


GOOD = {"time": 0.0, "q": [0.0] * 8, "v": [0.0] * 7}


@pytest.mark.parametrize("messages, words", [
    ({"/state": [b"{"]}, "/state, message 0"),
    ({"/state": [GOOD, b"\xff\xfe"]}, "/state, message 1"),
    ({"/state": [[1, 2]]}, "/state, message 0: expected an object"),
    ({"/state": [{"time": 0}]}, "/state: there is no 'q'"),
    ({"/state": [{**GOOD, "q": [0.0] * 3}]}, "/state: message 0: expected a list of 8 numbers"),
    ({"/state": [{**GOOD, "q": "zero"}]}, "/state: message 0: expected a list of 8 numbers"),
    ({"/state": [{**GOOD, "v": [True] * 7}]}, "/state: expected a number, got 'True'"),
    ({"/state": [{**GOOD, "time": {}}]}, "/state: expected a number"),
    ({"/state": [b"[" * 100000]}, "/state, message 0"),
    ({"/state": [{**GOOD, "time": 10**400}]}, "/state"),
    ({"/state": [GOOD], "/contacts": [{"contacts": [{"a": "x"}]}]}, "/contacts: there is no 'b'"),
    ({"/state": [GOOD], "/contacts": [{"contacts": 3}]}, "/contacts"),
    ({"/state": [GOOD], "/controls": [{"pull": 3}]}, "/controls"),
    ({"/state": [GOOD] * 2, "/sensors": [{"s": [1, 2]}, {"s": [1]}]}, "/sensors: message 1: expected a list of 2 numbers"),
    ({"/state": [GOOD] * 2, "/sensors": [{"s": 1}, {"t": 1}]}, "/sensors: there is no 's'"),
    ({"/session": [{}]}, "this is a recorded session"),
])
def test_made_up_messages_are_refused(tmp_path: Path, messages: dict[str, list[Any]], words: str) -> None:
    path = tmp_path / "forged.mcap"
    forge(path, messages, heft.loads(SCENE).pack())
    with pytest.raises(heft.DataError) as caught:
        heft.read_log(path)
    assert str(caught.value).startswith(str(path)) and words in str(caught.value), str(caught.value)
    assert caught.value.file == str(path)


def test_a_made_up_log_that_is_right(tmp_path: Path) -> None:
    path = tmp_path / "forged.mcap"
    forge(path, {"/state": [GOOD, {**GOOD, "time": None}]}, heft.loads(SCENE).pack())
    log = heft.read_log(path)
    assert log["time"][0] == 0 and np.isnan(log["time"][1]) and log["v"].shape == (2, 7)
    forge(path, {"/state": [GOOD]}, b"no model")
    with pytest.raises(heft.DataError, match="forged.mcap"):
        heft.read_log(path)
    forge(path, {"/state": [GOOD]})
    with pytest.raises(heft.DataError, match="forged.mcap: model.heft"):
        heft.read_log(path)


def test_files_that_are_no_logs(tmp_path: Path) -> None:
    with pytest.raises(heft.FileError, match="nothing.mcap"):
        heft.read_log(tmp_path / "nothing.mcap")
    with pytest.raises(heft.DataError, match="quadruped.xml: this is no log"):
        heft.read_log(os.path.join(os.environ["HEFT_SOURCE_DIR"], "scenes/quadruped.xml"))
