# SPDX-License-Identifier: Apache-2.0
"""Heft: dynamic simulation of multibody systems with exact Coulomb friction.

>>> model = heft.load("scenes/quadruped.xml")
>>> world = heft.World(model, time_step=1e-3)
>>> world.step(500).status.name
'SOLVED'
>>> len(world.contacts)
4
"""
from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from . import _core, math as math, models as models
from ._batch import Batch as Batch, End as End, Rollout as Rollout, rollout as rollout
from ._contact import ContactProblem as ContactProblem, Solution as Solution, solve as solve
from ._control import Linearization as Linearization, Reached as Reached, StepDerivative as StepDerivative, ik as ik
from ._core import (
    biped_def as biped_def,
    compliance_def as compliance_def,
    estimator_def as estimator_def,
    contact_problem_parse as contact_problem_parse,
    hash_bytes as hash_bytes,
    options as options,
    spline_read as spline_read,
    step_report_text as step_report_text,
    step_tally_text as step_tally_text,
)
from ._enums import *
from ._errors import *
from ._functions import *
from ._log import Log as Log, RunLog as RunLog, read_log as read_log
from ._model import Model as Model, load as load, loads as loads
from ._picture import render as render, render_depth as render_depth, view as view
from ._replay import Replay as Replay, replay as replay
from ._sight import Hits as Hits, Sight as Sight
from ._structs import *
from ._world import Actuator as Actuator, Body as Body, Joint as Joint, Sensor as Sensor, Site as Site, World as World

_core._choose("Model", Model)
_core._choose("World", World)

__version__ = _core.version()

if TYPE_CHECKING:
    from . import gym as gym, plot as plot, torch as torch


def __getattr__(name: str) -> Any:
    """Modules that import others (Gymnasium, Matplotlib, PyTorch) are loaded when they are used."""
    if name in ("gym", "plot", "torch"):
        return importlib.import_module(f"heft.{name}")
    raise AttributeError(f"module 'heft' has no attribute {name!r}")
