# SPDX-License-Identifier: Apache-2.0
"""Linear models of a world, and inverse kinematics by names."""
from __future__ import annotations

from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import math
from ._batch import Batch
from ._check import instance, vector
from ._core import (Derivative, Dynamics, PoseSolver, PoseTarget, State, derivative_flag_name, q_difference, q_integrate,
                    step_taken, world_key_model)
from ._enums import DerivativeFlag, JointType, Named, StepStatus
from ._errors import Error, UnknownName
from ._model import Model
from ._world import World

Array = NDArray[np.float64]


def derivative_flags(info: Derivative) -> list[str]:
    """Reasons why a derivative is not exact.

    >>> world = heft.World(heft.load("scenes/quadruped.xml"))
    >>> _ = world.step()
    >>> type(world.derivative().flags).__name__
    'list'
    """
    return [derivative_flag_name(flag) for flag in DerivativeFlag if info.flags >> int(flag) & 1]


class StepDerivative(NamedTuple):
    """Derivative of a step, or its transposed times a vector: see World.derivative().

    >>> world = heft.World(heft.load("scenes/quadruped.xml"))
    >>> _ = world.step()
    >>> world.derivative().state.shape == (2 * world.model.nv, 2 * world.model.nv)
    True
    """

    state: Array  #: (2 nv, 2 nv), or (2 nv) if transposed
    force: Array  #: (2 nv, nv), or (nv)
    control: Array  #: (2 nv, nactuator), or (nactuator)
    flags: list[str]  #: reasons why it is not exact; empty: it is
    radius_q: float  #: smallest change of a coordinate of q that changes the state of a contact [m, rad]
    radius_v: float  #: the same of v [m/s, rad/s]

    @classmethod
    def of(cls, info: Derivative, state: Array, force: Array, control: Array) -> StepDerivative:
        """From what the library returns.

        >>> type(heft.StepDerivative.of).__name__
        'method'
        """
        return cls(state, force, control, derivative_flags(info), info.radius_q, info.radius_v)

    def __repr__(self) -> str:
        return f"<heft.StepDerivative: {'; '.join(self.flags) or 'exact'}>"


class Linearization(NamedTuple):
    """A linear model of some steps of a world: x' = A x + B u and y = C x + D u, for small changes of the state x =
    (q, v, activations), the controls u, the state x' after the steps, and the sensors y after them.

    q has nv numbers: rotations are vectors of heft.q_difference().

    >>> linear = heft.World(heft.gym.make("hopper").task.model).linearize(5)
    >>> linear.A.shape, linear.B.shape, linear.C.shape, round(linear.dt, 6)
    ((12, 12), (12, 3), (1, 12), 0.02)
    """

    A: Array  #: (n, n), n = 2 nv + nact
    B: Array  #: (n, nactuator)
    C: Array  #: (nsensordata, n)
    D: Array  #: (nsensordata, nactuator)
    dt: float  #: time of the steps [s]
    differences: bool = True  #: True: by differences; False: by World.derivative()

    def __repr__(self) -> str:
        return (f"<heft.Linearization over {self.dt:g} s: {self.A.shape[0]} states, {self.B.shape[1]} controls, "
                f"{self.C.shape[0]} sensor values>")


def _differentiated(world: World, model: Model, state: State, eps: float, options: dict[str, Any]
                    ) -> Linearization | None:
    """The linear model of one step by its derivative, or None if that is not exact within eps."""
    if model.nact:
        return None
    with World(model, **options) as twin:
        twin.set_state(state)
        twin.controls = world.controls
        twin.joint_forces = world.joint_forces
        twin.step()
        try:
            found, (end, start) = twin.derivative(), twin.derivative_sensors()
        except Error:
            return None
    if found.flags or min(found.radius_q, found.radius_v) < 2 * eps:
        return None
    if np.isnan(end).any():  # forces and ranges
        return None
    seen = end @ found.state
    seen[:, model.nv:] += start
    return Linearization(found.state, found.control, seen, end @ found.control, world.time_step, False)


def linearize(world: World, steps: int = 1, eps: float = 1e-5, threads: int = 1, tolerance: float = 1e-11
              ) -> Linearization:
    """Linear model of a world at its present state, controls and joint forces: see World.linearize()."""
    if not eps > 0 or steps < 1:
        raise ValueError(f"eps, steps: expected eps > 0 and steps >= 1, got {eps} and {steps}")
    key, forces = "linearize", world.joint_forces.copy()
    while key in world.model.keys:
        key += "_"
    model = cast(Model, world_key_model(world, key))
    options = {k: v for k, v in world._options.items() if k != "threads"}
    options["tolerance"] = min(tolerance, options.get("tolerance", tolerance))

    state = State(model)
    state.set_key(model, model.find(Named.KEY, key))
    state.q[:], state.v[:], state.act[:] = world.q, world.v, world.activations
    exact = _differentiated(world, model, state, eps, options) if steps == 1 else None
    if exact:
        return exact

    def push(index: int, one: World) -> None:
        one.joint_forces = forces

    nv, na = model.nv, model.nact
    n = 2 * nv + na + model.nactuator
    delta = eps * np.concatenate([np.eye(n), -np.eye(n)])
    with Batch(model, 2 * n, threads, before=push if forces.any() else None, **options) as batch:
        for i, row in enumerate(delta):
            state.q[:] = q_integrate(model, world.q, row[:nv], 1.0)
            state.v[:] = world.v + row[nv:2 * nv]
            state.act[:] = world.activations + row[2 * nv:2 * nv + na]
            batch.world(i).set_state(state)
            batch.store()
        batch.controls = world.controls + delta[:, 2 * nv + na:]
        batch.step(steps)
        status = batch.reports["status"]
        for i in range(2 * n):
            if not step_taken(StepStatus(int(status[i]))):
                raise ValueError(f"linearize: a step from the changed state {i} was not taken: "
                                 f"{StepStatus(int(status[i])).name}; choose a smaller eps or another state")
        acts = np.stack([batch.world(i).activations.copy() for i in range(2 * n)]) if na else np.zeros((2 * n, 0))
        moved = np.stack([q_difference(model, batch.q[n + i], batch.q[i]) for i in range(n)])
        change = np.concatenate([moved, batch.v[:n] - batch.v[n:], acts[:n] - acts[n:]], axis=1).T / (2 * eps)
        seen = (batch.sensors[:n] - batch.sensors[n:]).T / (2 * eps)
    x = 2 * nv + na
    return Linearization(change[:, :x], change[:, x:], seen[:, :x], seen[:, x:], steps * world.time_step)


class Reached(NamedTuple):
    """Coordinates that inverse kinematics found, and how far they are from the target.

    >>> world = heft.World(heft.gym.make("reach").task.model)
    >>> heft.ik(world, "wrist", pos=[0.8, 0, 0])
    <heft.Reached: 0.2 m and 0 rad from the target>
    """

    q: Array  #: coordinates (nq), for ``world.q = reached.q``
    distance: float  #: from the wanted position [m]; 0 if none was wanted
    angle: float  #: from the wanted orientation [rad]; 0 if none was wanted

    def __repr__(self) -> str:
        return f"<heft.Reached: {self.distance:.2g} m and {self.angle:.2g} rad from the target>"


def _chain_root(model: Model, body: int) -> int:
    """The body that moves first on the way to a body, without a free joint."""
    root = body
    while model.body_parent[root] > 0:
        parent = int(model.body_parent[root])
        joints = range(int(model.body_joint[parent]), int(model.body_joint[parent] + model.body_joint_count[parent]))
        if any(model.joint_type[j] == JointType.FREE for j in joints):
            break
        root = parent
    return root


def _frame(model: Model, name: str) -> tuple[int, Array, Array]:
    """Body, place and orientation on it of a site or body."""
    if name in model.sites:
        site = model.find(Named.SITE, name)
        return int(model.site_body[site]), model.site_pos[site], model.site_quat[site]
    try:
        return model.find(Named.BODY, name), np.zeros(3), np.array([1.0, 0, 0, 0])
    except UnknownName as error:
        error.message += f"; sites: {', '.join(s for s in model.sites if s) or 'none'}"
        raise


def ik(world: World, name: str, pos: ArrayLike | None = None, quat: ArrayLike | None = None, *, tries: int = 10,
       tolerance: float = 1e-6) -> Reached:
    """Coordinates that bring a site or body to a position [m], an orientation (w, x, y, z), or both.

    The search (damped least squares, Sugihara 2011) starts at the coordinates of the world, which stays as it is, and
    keeps the ranges of the joints. If it does not reach the target within `tolerance` [m, rad], it starts again at
    random coordinates, `tries` times in all, and the nearest result counts. Joints between the base and the name move;
    a free base, and joints with springs, do not.

    >>> world = heft.World(heft.gym.make("reach").task.model)
    >>> reached = heft.ik(world, "hand", pos=[0.3, 0.2, 0.3])
    >>> reached.distance < 1e-6
    True
    >>> world.q = reached.q
    >>> world.site("hand").position.round(6).tolist()
    [0.3, 0.2, 0.3]
    """
    if pos is None and quat is None:
        raise TypeError("ik: expected pos, quat or both")
    instance("world", world, World)
    instance("name", name, str)
    model = world.model
    body, point, turned = _frame(model, name)
    if body == 0:
        raise ValueError(f"name: {name!r} is fixed in the world")
    goal = vector("pos", (0, 0, 0) if pos is None else pos, 3)
    facing = vector("quat", (1, 0, 0, 0) if quat is None else quat, 4)
    if not facing.any():
        raise ValueError("quat: expected a quaternion (w, x, y, z), got zeros")
    facing = math.quat_normalize(facing)
    target = PoseTarget(body=body, point=point, pos=goal, move=np.full(3, 0.0 if pos is None else 1.0),
                        quat=math.quat_mul(facing, turned * [1, -1, -1, -1]), turn=0.0 if quat is None else 1.0)
    solver, dynamics = PoseSolver(model, _chain_root(model, body)), Dynamics(model)
    dynamics.set_moved(world.moved)

    def judge(q: Array) -> Reached:
        dynamics.kinematics(q)
        pose = dynamics.body_pose(body)
        off = 0.0 if pos is None else float(np.linalg.norm(pose.pos + pose.rot @ point - goal))
        rest = math.quat_mul(math.quat_from_mat3(pose.rot), target.quat * [1, -1, -1, -1])
        angle = 0.0 if quat is None else 2 * float(np.arctan2(np.linalg.norm(rest[1:]), abs(rest[0])))
        return Reached(q, off, angle)

    random, best = np.random.default_rng(0), None
    for attempt in range(max(tries, 1)):
        start = world.q if attempt == 0 else _anywhere(model, world.q, body, random)
        found = judge(solver.solve([target], start)[1])
        if best is None or found.distance + found.angle < best.distance + best.angle:
            best = found
        if best.distance <= tolerance and best.angle <= tolerance:
            break
    assert best is not None
    return best


def _anywhere(model: Model, q: Array, body: int, random: np.random.Generator) -> Array:
    """Random coordinates of the hinges and slides on the way to a body; others stay."""
    q = q.copy()
    root = _chain_root(model, body)
    while body >= root:
        for j in range(int(model.body_joint[body]), int(model.body_joint[body] + model.body_joint_count[body])):
            dof = int(model.joint_dof[j])
            if model.joint_type[j] in (JointType.HINGE, JointType.SLIDE) and model.dof_stiffness[dof] == 0:
                low, high = model.dof_range[dof] if model.dof_limited[dof] else (-np.pi, np.pi)
                q[model.joint_q[j]] = random.uniform(low, high)
        if body == root:
            break
        body = int(model.body_parent[body])
    return q


__all__ = ["Linearization", "Reached", "StepDerivative", "ik"]
