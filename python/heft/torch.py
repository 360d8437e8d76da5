# SPDX-License-Identifier: Apache-2.0
"""A step as a function that PyTorch differentiates. PyTorch is imported with this module.

A row of a tensor is a step by itself: a function of (q, v, controls, forces) without a memory of earlier steps. Its
gradient is the adjoint of World.derivative_transposed(), after the same step once more: gradients need no memory but
the tensors. Tensors and arrays share memory by DLPack.

Tensors have the coordinates q as they are, and derivatives have tangent coordinates: a rotation Q turns by the vector r as
Q exp(r / 2), so that dQ = L(Q) r / 2, with the three columns L(Q) = Q i, Q j, Q k. The step normalises Q, and
r = 2 L(Q)' dQ / |Q|.
"""
from __future__ import annotations

import importlib
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._check import instance
from ._core import step_taken
from ._enums import JointType, StepStatus
from ._model import Model
from ._world import World

torch: Any
try:
    torch = importlib.import_module("torch")
except ImportError as error:
    raise ImportError("heft.torch needs PyTorch: apt install python3-torch, or pip install torch") from error

Array = NDArray[np.float64]


class InexactGradient(UserWarning):
    """A step whose derivative has a flag passed a gradient back: World.derivative() names the flags.

    >>> import warnings
    >>> warnings.simplefilter("error", heft.torch.InexactGradient)  # doctest: +SKIP
    """


class _Tangent:
    """Gradients by coordinates q, in rows, to and from gradients by tangent coordinates."""

    def __init__(self, model: Model) -> None:
        offset = {JointType.BALL: 0, JointType.FREE: 3}
        turns = [(int(model.joint_q[j]) + offset[t], int(model.joint_dof[j]) + offset[t])
                 for j, t in enumerate(map(JointType, model.joint_type)) if t in offset]
        self.turns = [(slice(q, q + 4), slice(v, v + 3)) for q, v in turns]
        self.q = np.delete(np.arange(model.nq), [q + i for q, _ in turns for i in range(4)])
        self.v = np.delete(np.arange(model.nv), [v + i for _, v in turns for i in range(3)])
        self.sizes = model.nq, model.nv

    @staticmethod
    def _columns(quat: Array) -> Array:
        w, x, y, z = quat.T
        return np.array([[-x, -y, -z], [w, -z, y], [z, w, -x], [-y, x, w]]).transpose(2, 0, 1)

    def of(self, q: Array, gradient: Array) -> Array:
        out = np.empty((len(q), self.sizes[1]))
        out[:, self.v] = gradient[:, self.q]
        for quat, turn in self.turns:
            out[:, turn] = 0.5 * np.einsum("nij,ni->nj", self._columns(q[:, quat]), gradient[:, quat])
        return out

    def back(self, q: Array, gradient: Array) -> Array:
        out = np.empty((len(q), self.sizes[0]))
        out[:, self.q] = gradient[:, self.v]
        for quat, turn in self.turns:
            length2 = (q[:, quat]**2).sum(1, keepdims=True)
            out[:, quat] = 2 / length2 * np.einsum("nij,nj->ni", self._columns(q[:, quat]), gradient[:, turn])
        return out


def _array(tensor: Any) -> Array:
    """The memory of a tensor as rows."""
    array: Array = np.from_dlpack(tensor.detach())
    return np.atleast_2d(array)


def _read(model: Model, inputs: Sequence[Any]) -> list[Array]:
    """Rows of q, v, controls and forces."""
    first = inputs[0].shape[:-1] if isinstance(inputs[0], torch.Tensor) else ()
    rows = []
    for name, tensor, width in zip(("q", "v", "controls", "forces"), inputs, (model.nq, model.nv, model.nactuator, model.nv)):
        if not isinstance(tensor, torch.Tensor):
            raise TypeError(f"{name}: expected a tensor, got {type(tensor).__name__}")
        if tensor.dtype != torch.float64 or tensor.device.type != "cpu":
            raise TypeError(f"{name}: expected float64 of the processor, got {tensor.dtype} of {tensor.device}; "
                            f"{name}.double().cpu() passes gradients back, too")
        if tensor.shape != (*first, width) or len(first) > 1:
            raise ValueError(f"{name}: expected a tensor of shape {(*first[:1], width)}, got shape {tuple(tensor.shape)}")
        rows.append(_array(tensor))
    return rows


def _step(world: World, row: Sequence[Array]) -> None:
    world.q, world.v, world.controls, world.joint_forces = row
    status = StepStatus(int(world.step().status))
    if not step_taken(status):
        raise ValueError(f"step: it was not taken: {status.name}")


class _Step(torch.autograd.Function):  # type: ignore[misc]
    @staticmethod
    def forward(context: Any, world: World, *inputs: Any) -> Any:
        context.set_materialize_grads(True)
        rows = _read(world.model, inputs)
        q, v = np.empty_like(rows[0]), np.empty_like(rows[1])
        for i, row in enumerate(zip(*rows)):
            _step(world, row)
            q[i], v[i] = world.q, world.v
        out = [torch.from_dlpack(x).reshape(old.shape) for x, old in zip((q, v), inputs)]
        context.world = world
        context.save_for_backward(*inputs, out[0])
        return tuple(out)

    @staticmethod
    @torch.autograd.function.once_differentiable  # type: ignore[misc]
    def backward(context: Any, by_q: Any, by_v: Any) -> Any:
        *inputs, end = context.saved_tensors
        world, rows = context.world, _read(context.world.model, inputs)
        tangent, nv = _Tangent(world.model), world.model.nv
        ends = np.hstack([tangent.of(_array(end), _array(by_q)), _array(by_v)])
        starts, controls, forces = (np.empty((len(ends), n)) for n in (2 * nv, world.model.nactuator, nv))
        flags: set[str] = set()
        for i, row in enumerate(zip(*rows)):
            _step(world, row)
            found = world.derivative_transposed(ends[i])
            starts[i], controls[i], forces[i] = found.state, found.control, found.force
            flags.update(found.flags)
        if flags:
            warnings.warn(f"the gradient of a step is not exact: {'; '.join(sorted(flags))}", InexactGradient, stacklevel=2)
        found_all = tangent.back(rows[0], starts[:, :nv]), starts[:, nv:].copy(), controls, forces
        return None, *(torch.from_dlpack(x).reshape(old.shape) for x, old in zip(found_all, inputs))


def step(world: World, q: Any, v: Any, controls: Any = None, forces: Any = None) -> tuple[Any, Any]:
    """Tensors (q, v) after one step from q (n, nq), v (n, nv) with controls (n, nactuator) and joint forces (n, nv): one
    row for each of n worlds, or vectors for one world. None: zeros.

    The world gives model, options and parameters. It computes the rows in turn, and is left in the state of the last one.

    >>> world = heft.World(heft.load("scenes/quadruped.xml"))
    >>> q = torch.tensor(world.q).repeat(8, 1)  # doctest: +SKIP
    >>> q, v = heft.torch.step(world, q, torch.zeros(8, world.model.nv).double())  # doctest: +SKIP
    """
    instance("world", world, World)
    if world.model.nact:
        raise ValueError("world: its actuators have activations, by which no step is differentiated")
    given = [x if x is not None else torch.zeros((*q.shape[:-1], n), dtype=torch.float64)
             for x, n in ((controls, world.model.nactuator), (forces, world.model.nv))]
    out: tuple[Any, Any] = _Step.apply(world, q, v, *given)
    return out


__all__ = ["InexactGradient", "step"]
