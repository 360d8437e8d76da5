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
from . import models as models
from ._core import StepReport as StepReport, Contact as Contact, Material as Material
from ._core import ActuatorGains as ActuatorGains, ConstraintForce as ConstraintForce
from ._model import Model as Model, load as load, loads as loads
from ._world import Body as Body, World as World
from ._batch import Batch as Batch, End as End, Rollout as Rollout, rollout as rollout

__version__ = _core.version()
