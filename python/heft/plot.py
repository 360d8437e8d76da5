# SPDX-License-Identifier: Apache-2.0
"""Plots with Matplotlib, which is imported when a plot is made."""
from __future__ import annotations

import importlib
import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ._check import instance as _instance
from ._core import StepReport
from ._log import RunLog
from ._model import Model
from ._world import World


def _axes(axes: Any) -> Any:
    if axes is not None:
        return axes
    try:
        plt: Any = importlib.import_module("matplotlib.pyplot")
    except ImportError as error:
        raise ImportError("heft.plot needs Matplotlib: pip install matplotlib") from error
    return plt.subplots()[1]


def _panels(count: int) -> list[Any]:
    """Axes below each other, with one time."""
    figure = _axes(None).figure
    figure.clear()
    figure.set_size_inches(6.4, 1.2 + 1.8 * count)
    return list(figure.subplots(count, 1, sharex=True))


def _coordinate_names(model: Model) -> list[str]:
    names = []
    for joint, first in enumerate(model.joint_q):
        last = model.joint_q[joint + 1] if joint + 1 < model.njoint else model.nq
        name = model.joints[joint] or f"joint {joint}"
        names += [name] if last - first == 1 else [f"{name}[{i}]" for i in range(last - first)]
    return names


def trajectory(model: Model, times: ArrayLike, q: ArrayLike, joints: Sequence[str] | None = None,
               axes: Any = None) -> Any:
    """Coordinates q (steps, nq) over time, all or those of some joints. Returns the axes.

    >>> heft.plot.trajectory(model, times, q)  # doctest: +SKIP
    """
    names, q = _coordinate_names(model), np.asarray(q)
    chosen = range(model.nq) if joints is None else [int(model.joint_q[model.find("joint", j)]) for j in joints]
    axes = _axes(axes)
    for i in chosen:
        axes.plot(times, q[:, i], label=names[i])
    axes.set_xlabel("time [s]")
    axes.set_ylabel("coordinate [m, rad]")
    axes.legend(fontsize="small")
    return axes


def log(log: RunLog, *names: str, axes: Any = None) -> Any:
    """Columns of a log over time, a panel for each name: "q", "v", "sensors", "sensors.gyro", "report.kinetic", "q3",
    by default "q". Returns the axes, an array of them for several names.

    >>> heft.plot.log(heft.read_log("run.mcap"), "q", "report.kinetic")  # doctest: +SKIP
    """
    _instance("log", log, RunLog)
    columns, wanted = log.columns(), names or ("q",)
    chosen = []
    for name in wanted:
        found = [c for c in columns if re.fullmatch(re.escape(name) + r"(\d+|\..+)", c) and name not in columns or c == name]
        if not found:
            groups = sorted({re.split(r"[\d.]", c)[0] for c in columns})
            raise ValueError(f"names: the log has no column {name!r}; it has columns of {', '.join(groups)} "
                             "(log.columns() lists them)")
        chosen.append(found)
    panels = [_axes(axes)] if len(wanted) == 1 else _panels(len(wanted)) if axes is None else list(axes)
    if len(panels) != len(wanted):
        raise ValueError(f"axes: expected {len(wanted)}, one for each name, got {len(panels)}")
    labels = dict(zip((f"q{i}" for i in range(log.model.nq)), _coordinate_names(log.model)))
    for panel, name, found in zip(panels, wanted, chosen):
        for column in found:
            panel.plot(log["time"], columns[column], label=labels.get(column, column))
        panel.set_ylabel(name)
        if len(found) <= 12:
            panel.legend(fontsize="small")
    panels[-1].set_xlabel("time [s]")
    return panels[0] if len(wanted) == 1 else np.array(panels, object)


def energy(reports: Sequence[StepReport], axes: Any = None) -> Any:
    """Kinetic, potential and total energy of reports over time. Returns the axes.

    >>> heft.plot.energy(reports)  # doctest: +SKIP
    """
    axes = _axes(axes)
    times = [r.time for r in reports]
    axes.plot(times, [r.kinetic for r in reports], label="kinetic")
    axes.plot(times, [r.potential for r in reports], label="potential")
    axes.plot(times, [r.kinetic + r.potential for r in reports], label="total")
    axes.set_xlabel("time [s]")
    axes.set_ylabel("energy [J]")
    axes.legend(fontsize="small")
    return axes


def contacts(world: World, scale: float = 0.001, axes: Any = None) -> Any:
    """Contact points of the last step from above, with horizontal forces [m/N: scale]. Returns the axes.

    >>> heft.plot.contacts(world)  # doctest: +SKIP
    """
    axes = _axes(axes)
    found = world.contacts
    if found:
        pos, force = np.array([c.pos for c in found]), np.array([c.force for c in found])
        axes.scatter(pos[:, 0], pos[:, 1], s=5 + force[:, 2].clip(0) * 0.2)
        axes.quiver(pos[:, 0], pos[:, 1], scale * force[:, 0], scale * force[:, 1], angles="xy", scale_units="xy",
                    scale=1)
    axes.set_aspect("equal")
    axes.set_xlabel("x [m]")
    axes.set_ylabel("y [m]")
    return axes


__all__ = ["trajectory", "log", "energy", "contacts"]
