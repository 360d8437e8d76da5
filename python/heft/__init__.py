# SPDX-License-Identifier: Apache-2.0
"""Heft: dynamic simulation of multibody systems with exact Coulomb friction."""

from heft import _core

__version__ = _core.version()
