# SPDX-License-Identifier: Apache-2.0
"""Heft: exact contact, fast multibody dynamics.

>>> model = heft.load("scenes/quadruped.xml")
>>> world = heft.World(model, time_step=1e-3)
>>> report = world.step(500)
>>> report.status.name
'SOLVED'
"""
from ._errors import *
from ._enums import *
from . import _core
from ._core import StepReport, Contact, Material, ActuatorGains, ConstraintForce
from ._model import Model, load, loads
from ._world import Body, World
from ._batch import Batch, End, Rollout, rollout

__version__ = _core.version()
