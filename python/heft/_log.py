# SPDX-License-Identifier: Apache-2.0
"""Logs of a run in MCAP: writing and reading."""
from __future__ import annotations

import importlib
import json
import os
from collections.abc import Callable
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._enums import Status
from ._errors import DataError, Error, FileError, LoadError, _fill
from ._model import Model


class Log(_core.Log):
    """The log of a run, for `heft view`, Foxglove, PlotJuggler and read_log()::

        with heft.Log("run.mcap", model) as log:
            log.write(world)
            for _ in range(1000):
                log.write(world, world.step())

    >>> world = heft.World(heft.load("examples/gripper.xml"))
    >>> with heft.Log("/dev/null", world.model) as log:
    ...     log.write(world, world.step())
    """

    def __init__(self, path: str | os.PathLike[str], model: Model,
                 model_path: str | os.PathLike[str] | None = None) -> None:
        """model_path: file of the model, for the images of its textures."""
        super().__init__(os.fspath(path), model, None if model_path is None else os.fspath(model_path))

    def __enter__(self) -> Log:
        return self

    def __exit__(self, *unused: object) -> None:
        self.close()


class RunLog(dict[str, NDArray[Any]]):
    """The rows of a log as arrays, by name.

    "time" (n), "q" (n, nq), "v" (n, nv); "report" (n), "controls" (n), "forces" (n) of the actuators, "sensors" (n) and
    "plugins" (n) are structured arrays whose fields are the names of the model: ``log["sensors"]["gyro"]``.
    "contacts" has one row for each contact, with the row of the log that it belongs to: ``contacts["row"]``.

    >>> import os, tempfile
    >>> world = heft.World(heft.gym.make("hopper").task.model)
    >>> path = os.path.join(tempfile.mkdtemp(), "run.mcap")
    >>> with heft.Log(path, world.model) as log:
    ...     for _ in range(3):
    ...         log.write(world, world.step())
    >>> log = heft.read_log(path)
    >>> log["controls"]["knee"], log["q"].shape, log.model.joints[-1], log.complete
    (array([0., 0., 0.]), (3, 6), 'ankle', True)
    """

    model: Model  #: the model of the run
    info: dict[str, Any]  #: version of Heft, path, hash and joints of the model
    complete: bool  #: False: the run was interrupted, and the last rows are missing

    def __init__(self, model: Model, info: dict[str, Any], complete: bool) -> None:
        """A log without rows; read_log() makes one with them."""
        super().__init__()
        self.model, self.info, self.complete = model, info, complete

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.model, self.info, self.complete), None, None, iter(self.items())

    def frame(self) -> Any:
        """A pandas.DataFrame with a column for each number, and the time as its index; needs pandas.

        >>> heft.read_log("run.mcap").frame()  # doctest: +SKIP
        """
        try:
            pandas: Any = importlib.import_module("pandas")
        except ImportError as error:
            raise ImportError("RunLog.frame() needs pandas: pip install pandas") from error
        return pandas.DataFrame(self.columns(), index=pandas.Index(self["time"], name="time"))

    def columns(self) -> dict[str, NDArray[Any]]:
        """Every number of the rows as a vector (n), without the contacts: q0, q1, ..., report.kinetic, sensors.gyro.0.

        >>> sorted(heft.read_log("run.mcap").columns())  # doctest: +SKIP
        """
        found: dict[str, NDArray[Any]] = {}

        def add(name: str, rows: NDArray[Any], joint: str) -> None:
            for field in rows.dtype.names or ():
                add(f"{name}.{field}", rows[field], ".")
            if not rows.dtype.names and rows.ndim == 1:
                found[name] = rows
            elif not rows.dtype.names:
                found.update({f"{name}{joint}{i}": rows[:, i] for i in range(rows.shape[1])})

        for name, rows in self.items():
            if name not in ("time", "contacts"):
                add(name, rows, "")
        return found

    def __repr__(self) -> str:
        end = "" if self.complete else ", cut off"
        return f"<heft.RunLog of {len(self['time'])} rows: {', '.join(self)}{end}>"


_VECTORS = ("pos", "normal", "force", "torque", "slip")
_CONTACT = np.dtype([("row", "i8"), ("time", "f8"), ("a", object), ("b", object), ("shape_a", "i4"), ("shape_b", "i4"),
                     ("state", "i4"), ("gap", "f8"), *((name, "f8", 3) for name in _VECTORS)])


def _numbers(values: list[Any]) -> NDArray[np.float64]:
    """Numbers of JSON; null is one that was not finite."""
    for kind in set(map(type, values)) - {int, float, type(None)}:
        raise ValueError(f"expected a number, got {str(next(v for v in values if type(v) is kind))[:40]!r}")
    return np.array(values, float)


def _lists(values: list[Any], width: int) -> NDArray[np.float64]:
    """Rows of as many numbers."""
    for i, row in enumerate(values):
        if not isinstance(row, list) or len(row) != width:
            raise ValueError(f"message {i}: expected a list of {width} numbers, got {str(row)[:40]!r}")
    return _numbers([*chain.from_iterable(values)]).reshape(len(values), width)


def _flat(value: Any) -> list[Any]:
    """The numbers of an entry: one, or those of a list or object."""
    return value if isinstance(value, list) else [*value.values()] if isinstance(value, dict) else [value]


def _named(messages: list[Any], part: Callable[[Any], Any]) -> NDArray[Any]:
    """Rows with a field for each entry of the first message; part(entry): what is kept, None: nothing."""
    first = {name: part(entry) for name, entry in messages[0].items()} if messages else {}
    widths = {name: len(_flat(entry)) for name, entry in first.items() if entry is not None and _flat(entry)}
    rows = np.zeros(len(messages), [(name, "f8", () if width == 1 else width) for name, width in widths.items()])
    for name, width in widths.items():
        rows[name] = _lists([_flat(part(message[name])) for message in messages], width).reshape(rows[name].shape)
    return rows


def _contacts(messages: list[Any], times: NDArray[Any]) -> NDArray[Any]:
    found = [(i, contact) for i, message in enumerate(messages) for contact in message["contacts"]]
    rows = np.zeros(len(found), _CONTACT)
    rows["row"] = [i for i, _ in found]
    rows["time"] = times[rows["row"]]
    for name in ("a", "b"):
        rows[name] = [str(contact[name]) for _, contact in found]
    for name in ("shape_a", "shape_b", "state", "gap"):
        rows[name] = _numbers([contact[name] for _, contact in found])
    for name in _VECTORS:
        rows[name] = _lists([[contact[name][axis] for axis in "xyz"] for _, contact in found], 3)
    return rows


def read_log(path: str | os.PathLike[str], *, contacts: bool = True) -> RunLog:
    """Reads a log that `heft run --log run.mcap` or heft.Log wrote. contacts: False leaves them out, which is faster.

    >>> import os, tempfile
    >>> world = heft.World(heft.load("scenes/quadruped.xml"))
    >>> path = os.path.join(tempfile.mkdtemp(), "run.mcap")
    >>> with heft.Log(path, world.model) as log:
    ...     for _ in range(100):
    ...         log.write(world, world.step())
    >>> log = heft.read_log(path)
    >>> log
    <heft.RunLog of 100 rows: time, q, v, report, contacts>
    >>> bool((log["q"][-1] == world.q).all()), log["report"]["kinetic"].shape
    (True, (100,))

    A log that ends early is read as far as it goes (complete is False). A file that is damaged, or is no log, raises
    DataError with its name and the place.
    """
    reader = _Reader(os.fspath(path))
    try:
        return _rows(reader, contacts)
    except Error:
        raise
    except (KeyError, IndexError, TypeError, ValueError, RecursionError, OverflowError) as error:
        raise reader.fail(f"there is no {error}" if isinstance(error, KeyError) else str(error)) from None


class _Reader:
    """Messages of the channels of a file, and the place of the one at hand, for errors."""

    def __init__(self, file: str) -> None:
        self.file, self.place, self.cut = file, "", False

    def fail(self, text: str) -> Error:
        message = f"{self.place}: {text}" if self.place else text
        return _fill(DataError(message), Status.ERR_SYNTAX, message, self.file, 0, 0)

    def read(self, channel: str) -> list[Any]:
        found, self.cut = _core._read_log(self.file, channel)
        messages = []
        for i, (_, data) in enumerate(found):
            self.place = f"{channel}, message {i}"
            messages.append(json.loads(data))
            if not isinstance(messages[-1], dict):
                raise ValueError("expected an object")
        self.place = channel
        return messages


def _rows(reader: _Reader, contacts: bool) -> RunLog:
    if _core._read_log(reader.file, "/session")[0]:
        raise reader.fail("this is a recorded session, which heft.replay() repeats")
    try:
        reader.place = "model.heft"
        model = _core.unpack(Model, _core._read_log(reader.file, "model.heft")[0][0][1])
    except LoadError as error:
        raise error if isinstance(error, FileError) else reader.fail(error.message) from None
    log = RunLog(model, (reader.read("/model") or [{}])[0], not reader.cut)
    names = ["state", "report", *["contacts"] * contacts, "controls", "sensors", "plugins"]
    channels = {name: reader.read(f"/{name}") for name in names}
    absent = {"controls": not model.nactuator, "sensors": not model.nsensor, "plugins": not channels["plugins"]}
    rows = min(len(messages) for name, messages in channels.items() if not absent.get(name))
    for name, messages in channels.items():
        reader.place, messages = f"/{name}", messages[:rows]
        if name == "state":
            log["time"] = _numbers([m["time"] for m in messages])
            for part, count in (("q", model.nq), ("v", model.nv)):
                log[part] = _lists([m[part] for m in messages], count)
        elif name == "contacts":
            log[name] = _contacts(messages, log["time"])
        elif name == "controls" and messages:
            log[name] = _named(messages, lambda entry: entry["control"])
            log["forces"] = _named(messages, lambda entry: entry["force"])
        elif name == "report":
            log[name] = _named(messages, lambda entry: None if isinstance(entry, (str, dict)) else entry)
        elif messages:
            log[name] = _named(messages, lambda entry: entry)
    return log


__all__ = ["Log", "RunLog", "read_log"]
