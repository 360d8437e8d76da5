# SPDX-License-Identifier: Apache-2.0
"""A world, and its parts by name."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core, math
from ._core import Dynamics, Pose
from ._enums import JointType, Named, StepParameterKind
from ._errors import ArgumentError
from ._model import Model
from ._sight import Sees

if TYPE_CHECKING:
    from ._control import Linearization, StepDerivative

Array = NDArray[np.float64]
_T = TypeVar("_T", bound="World")


class _Part:
    """An object of a world, by its name or index."""

    _kind: Named
    __slots__ = ("world", "index")

    def __init__(self, world: World, which: str | int) -> None:
        self.world = world
        model = world.model
        self.index = model.find(self._kind, which) if isinstance(which, str) else which
        model.name(self._kind, self.index)  # raises if there is no such object

    @property
    def name(self) -> str:
        """Its name, "" if it has none."""
        return self.world.model.name(self._kind, self.index)

    def __repr__(self) -> str:
        return f"<heft.{type(self).__name__} {self.index} {self.name!r}>"


class _Frame(_Part):
    __slots__ = ()

    def _pose(self) -> Pose:
        raise NotImplementedError

    def _body(self) -> int:
        return self.index

    @property
    def position(self) -> Array:
        """Origin in the world [m]."""
        return self._pose().pos

    @property
    def rotation(self) -> Array:
        """Rotation matrix (3, 3)."""
        return self._pose().rot

    @property
    def quaternion(self) -> Array:
        """Orientation (w, x, y, z)."""
        return math.quat_from_mat3(self.rotation)

    @property
    def jacobian(self) -> Array:
        """Jacobian (6, nv) of the motion of its origin: angular, then linear."""
        return self.world.dynamics.body_jacobian(self._body(), self.position)

    @property
    def velocity(self) -> Array:
        """Velocity of the origin in world axes [m/s]."""
        return self.world.dynamics.body_velocity(self._body(), self.position).lin

    @property
    def angular_velocity(self) -> Array:
        """Angular velocity in world axes [rad/s]."""
        return self.world.dynamics.body_velocity(self._body(), self.position).ang


class Body(_Frame):
    """A body of a world: ``world.body("pelvis")``.

    >>> world = heft.World(heft.load("examples/gripper.xml"))
    >>> world.body("palm").name
    'palm'
    """

    _kind = Named.BODY
    __slots__ = ()

    def _pose(self) -> Pose:
        return self.world.dynamics.body_pose(self.index)

    @property
    def mass(self) -> float:
        """Mass in this world [kg]."""
        return self.world.body_mass(self.index)

    @property
    def contact_force(self) -> Array:
        """Sum of the contact forces on the body in the last step [N]."""
        return self.world.contact_wrench(self.index, self.position).lin

    @property
    def contact_torque(self) -> Array:
        """Torque of the contact forces about the origin of the body in the last step [N m]."""
        return self.world.contact_wrench(self.index, self.position).ang

    @property
    def centre_of_mass(self) -> Array:
        """Centre of mass of the body in the world [m]."""
        com: Array = self.position + self.rotation @ self.world.model.body_com[self.index]
        return com

    def apply_force(self, force: ArrayLike, torque: ArrayLike = (0.0, 0.0, 0.0),
                    point: ArrayLike | None = None) -> None:
        """Applies a force [N] at a point of the world (default: the centre of mass of the body) and a torque
        [N m] during the next step.

        >>> world = heft.World(heft.load("examples/gripper.xml"))
        >>> world.body("ball").apply_force((0, 0, 1))
        """
        self.world.apply_wrench(self.index, self.centre_of_mass if point is None else point, force, torque)


class Site(_Frame):
    """A site of a world: ``world.site("foot")``.

    >>> world = heft.World(heft.loads("<mujoco><worldbody><site name='tip' pos='0 0 1'/></worldbody></mujoco>"))
    >>> world.site("tip").name
    'tip'
    """

    _kind = Named.SITE
    __slots__ = ()

    def _pose(self) -> Pose:
        return self.world.dynamics.site_pose(self.index)

    def _body(self) -> int:
        return int(self.world.model.site_body[self.index])


class Joint(_Part):
    """A joint of a world: ``world.joint("knee")``; a joint without a name by its number.

    >>> world = heft.World(heft.load("examples/gripper.xml"))
    >>> world.joint("lift").name
    'lift'
    """

    _kind = Named.JOINT
    __slots__ = ()

    @property
    def type(self) -> JointType:
        """Hinge, slide, ball, free, ..."""
        return JointType(int(self.world.model.joint_type[self.index]))

    def _range(self, velocities: bool) -> slice:
        model = self.world.model
        count = _core.joint_type_dof_count(self.type) if velocities else _core.joint_type_q_count(self.type)
        first = int((model.joint_dof if velocities else model.joint_q)[self.index])
        return slice(first, first + count)

    @property
    def position(self) -> Array:
        """Coordinates, a read-only view; assign to set them."""
        return self.world.q[self._range(False)]

    @position.setter
    def position(self, value: ArrayLike) -> None:
        q = self.world.q.copy()
        q[self._range(False)] = value
        self.world.q = q

    @property
    def velocity(self) -> Array:
        """Velocities, a read-only view; assign to set them."""
        return self.world.v[self._range(True)]

    @velocity.setter
    def velocity(self, value: ArrayLike) -> None:
        v = self.world.v.copy()
        v[self._range(True)] = value
        self.world.v = v


class Actuator(_Part):
    """An actuator of a world: ``world.actuator("knee")``.

    >>> world = heft.World(heft.load("examples/gripper.xml"))
    >>> world.actuator("lift").name
    'lift'
    """

    _kind = Named.ACTUATOR
    __slots__ = ()

    @property
    def control(self) -> float:
        """Its control, in the unit that its gain expects."""
        return float(self.world.controls[self.index])

    @control.setter
    def control(self, value: float) -> None:
        if not np.isfinite(value):
            raise ValueError(f"control: expected a finite number, got {value!r}")
        self.world.controls[self.index] = value

    @property
    def force(self) -> float:
        """Its force along the transmission, mean over the last step [N, N m]."""
        return self.world.actuator_force(self.index)


class Sensor(_Part):
    """A sensor of a world: ``heft.Sensor(world, "imu").value``.

    >>> world = heft.World(heft.gym.make("hopper").task.model)
    >>> heft.Sensor(world, 0).name == world.model.sensors[0]
    True
    """

    _kind = Named.SENSOR
    __slots__ = ()

    @property
    def value(self) -> Array:
        """Its values."""
        return self.world.sensor(self.name)


_PARAMETER_PARTS = {"bias": ("constant", "length", "speed"), "com": ("x", "y", "z"),
                    "inertia": ("xx", "yy", "zz", "xy", "xz", "yz"), "softness": ("stiffness", "damping")}


class World(_core.World, Sees):
    """A world steps one model through time.

    >>> model = heft.loads("<mujoco><worldbody><body name='ball' pos='0 0 1'><freejoint/>"
    ...                    "<geom size='.1'/></body></worldbody></mujoco>")
    >>> world = heft.World(model, time_step=0.01)
    >>> report = world.step(10)
    >>> round(world.time, 3), round(float(world.body("ball").position[2]), 3)
    (0.1, 0.951)

    Settings (heft.options("world") lists them all): time_step, integrator ("moreau",
    "rk4"), contact_model ("exact", "penalty", "lcp", ...), contact_options (a dict), tolerance, substeps, threads,
    seed, margin, bounds (a dict: heft.options("step_bounds") lists them), ...

    A world is used by one thread at a time. The interpreter's lock is released during steps, so worlds of
    different threads step at the same time.
    """

    __slots__ = ("_options", "_own_dynamics", "__weakref__")
    model: Model

    def __init__(self, model: Model, **options: Any) -> None:
        super().__init__(model, **options)
        self._options = options
        self._own_dynamics: Dynamics | None = None

    def body(self, which: str | int) -> Body:
        """A body by name or index.

        >>> world = heft.World(heft.load("examples/gripper.xml"))
        >>> world.body("palm").name
        'palm'
        """
        return Body(self, which)

    def site(self, which: str | int) -> Site:
        """A site by name or index.

        >>> world = heft.World(heft.loads("<mujoco><worldbody><site name='tip' pos='0 0 1'/></worldbody></mujoco>"))
        >>> world.site("tip").name
        'tip'
        """
        return Site(self, which)

    def joint(self, which: str | int) -> Joint:
        """A joint by name or index.

        >>> world = heft.World(heft.load("examples/gripper.xml"))
        >>> world.joint("lift").name
        'lift'
        """
        return Joint(self, which)

    def actuator(self, which: str | int) -> Actuator:
        """An actuator by name or index.

        >>> world = heft.World(heft.load("examples/gripper.xml"))
        >>> world.actuator("lift").name
        'lift'
        """
        return Actuator(self, which)

    # ---- dynamics at the present state

    def _at_state(self) -> Dynamics:
        dynamics = getattr(self, "_own_dynamics", None)
        if dynamics is None:
            dynamics = self._own_dynamics = Dynamics(self.model)
        dynamics.set_moved(self.moved)
        dynamics.kinematics(self.q)
        return dynamics

    def mass_matrix(self) -> Array:
        """Mass matrix (nv, nv) of the model at the present coordinates.

        >>> world = heft.World(heft.load("examples/gripper.xml"))
        >>> world.mass_matrix().shape
        (9, 9)
        """
        dynamics = self._at_state()
        dynamics.crba()
        return dynamics.mass_matrix()

    def bias_forces(self) -> Array:
        """Gravity, Coriolis and centrifugal forces (nv) of the model at the present state.

        >>> world = heft.World(heft.load("examples/gripper.xml"))
        >>> world.bias_forces().shape
        (9,)
        """
        return self._at_state().rnea(self.v)

    def inverse_dynamics(self, acceleration: ArrayLike) -> Array:
        """Joint forces (nv) of the model that give an acceleration (nv) at the present state, without contact.

        >>> world = heft.World(heft.load("examples/gripper.xml"))
        >>> world.inverse_dynamics(np.zeros(9)).shape
        (9,)
        """
        return self._at_state().rnea(self.v, acceleration)

    def forward_dynamics(self, forces: ArrayLike) -> Array:
        """Acceleration (nv) of the model under joint forces (nv) at the present state, without contact.

        >>> world = heft.World(heft.load("examples/gripper.xml"))
        >>> world.forward_dynamics(np.zeros(9)).shape
        (9,)
        """
        return self._at_state().aba(self.v, forces)

    def center_of_mass(self) -> Array:
        """Centre of mass of the model [m].

        >>> world = heft.World(heft.load("examples/gripper.xml"))
        >>> world.center_of_mass().shape
        (3,)
        """
        return self.dynamics.center_of_mass(0)

    def derivative(self) -> StepDerivative:
        """Derivative of the last step: of (q, v) at its end by (q, v) at its start, joint forces and controls.

        Positions change in tangent coordinates, as of heft.q_difference(). ``flags`` names what is not exact.

        >>> world = heft.World(heft.loads("<mujoco><worldbody><body><joint type='slide' axis='1 0 0'/>"
        ...                               "<geom size='.1' mass='2'/></body></worldbody></mujoco>"), time_step=0.01)
        >>> _ = world.step()
        >>> one = world.derivative()
        >>> one.state.round(6).tolist(), one.force[1].round(6).tolist(), one.flags
        ([[1.0, 0.01], [0.0, 1.0]], [0.005], [])
        """
        from ._control import StepDerivative
        info, state, force, control = self._derivative()
        return StepDerivative.of(info, state, force, control)

    def derivative_transposed(self, end: ArrayLike) -> StepDerivative:
        """Gradients by the start of the last step, joint forces and controls of a function of (q, v) at its end whose
        gradient is ``end`` (2 nv): the transposed derivative() times it, for less than derivative() costs.

        >>> world = heft.World(heft.load("scenes/quadruped.xml"))
        >>> _ = world.step()
        >>> type(world.derivative_transposed(np.ones(2 * world.model.nv))).__name__
        'StepDerivative'
        """
        from ._control import StepDerivative
        info, start, force, control = self._derivative_transposed(end)
        return StepDerivative.of(info, start, force, control)

    def derivative_by(self, *parameters: tuple[str, str]) -> tuple[Array, list[str]]:
        """Derivative (2 nv, n) of (q, v) at the end of the last step by n parameters, and reasons why it is not exact.

        A parameter is ("friction", MATERIAL), ("damping", JOINT), ("stiffness", JOINT), ("armature", JOINT),
        ("dry friction", JOINT), ("gain", ACTUATOR), ("gear", ACTUATOR), ("mass", BODY), or one with a part:
        ("bias", "ACTUATOR.constant"), .length, .speed; ("com", "BODY.x"), .y, .z; ("inertia", "BODY.xx"), .yy, .zz,
        .xy, .xz, .yz; ("softness", "MATERIAL.stiffness"), .damping. A joint means its first dof; "" is all materials.

        >>> world = heft.World(heft.loads("<mujoco><worldbody><body><joint name='x' type='slide' axis='1 0 0'/>"
        ...                               "<geom size='.1' mass='2'/></body></worldbody></mujoco>"), time_step=0.01)
        >>> world.v = [3]
        >>> _ = world.step()
        >>> matrix, flags = world.derivative_by(("damping", "x"))  # -h v / m
        >>> float(matrix[1, 0].round(6)), flags
        (-0.015, [])
        """
        from ._control import derivative_flags
        for one in parameters:
            if not isinstance(one, tuple) or len(one) != 2 or not all(isinstance(word, str) for word in one):
                raise TypeError(f"parameters: expected pairs such as ('damping', 'knee'), got {one!r}")
        info, matrix = self._derivative_by([self._parameter(*one) for one in parameters])
        return matrix, derivative_flags(info)

    def derivative_sensors(self) -> tuple[Array, Array]:
        """How the sensors change with (q, v) at the end of the last step (nsensordata, 2 nv), and with v at its start
        (nsensordata, nv): accelerometers measure (v at the end - v at the start) / h.

        Rows of sensors of forces, ranges and time are NaN. With derivative() both give the derivative by the start.

        >>> world = heft.World(heft.loads("<mujoco><worldbody><body><joint name='x' type='slide' axis='1 0 0'/>"
        ...                               "<geom size='.1'/></body></worldbody><sensor><jointvel joint='x'/></sensor></mujoco>"))
        >>> _ = world.step()
        >>> end, _ = world.derivative_sensors()
        >>> end.tolist()
        [[0.0, 1.0]]
        """
        return self._derivative_sensors()

    def _parameter(self, kind: str, name: str) -> tuple[int, int]:
        kinds = {one.name.lower().replace("_", " "): int(one) for one in StepParameterKind}
        if kind not in kinds:
            raise ArgumentError(f"parameters: kind {kind!r} is unknown; expected one of {', '.join(kinds)}")
        parts = _PARAMETER_PARTS.get(kind, ())
        if parts:
            name, _, part = name.rpartition(".")
            if part not in parts:
                raise ArgumentError(f"parameters: {kind} needs a name and a part, such as "
                                    f"{(kind, 'NAME.' + parts[0])}; parts are {', '.join(parts)}; got {part!r}")
            of = {"bias": Named.ACTUATOR, "softness": Named.MATERIAL}.get(kind, Named.BODY)
            index = len(parts) * self.model.find(of, name) + parts.index(part)
        elif kind == "friction":
            index = -1 if name == "" else self.model.find(Named.MATERIAL, name)
        elif kind in ("gain", "gear"):
            index = self.model.find(Named.ACTUATOR, name)
        elif kind == "mass":
            index = self.model.find(Named.BODY, name)
        else:
            index = int(self.model.joint_dof[self.model.find(Named.JOINT, name)])
        return kinds[kind], index

    def linearize(self, steps: int = 1, *, eps: float = 1e-5, threads: int = 1) -> Linearization:
        """Linear model of a number of steps at the present state, controls and joint forces: x' = A x + B u.

        One step of a model without sensors and activations is differentiated, if that is exact and no contact opens,
        closes or begins to slip within eps. Otherwise the result is of central differences of size eps, all in one
        batch whose contacts are solved to 1e-11: where a contact changes within eps, it is the mean of both sides.
        ``differences`` of the result is True then. Callbacks are left out.

        >>> cart = heft.loads("<mujoco><worldbody><body><joint name='x' type='slide' axis='1 0 0'/>"
        ...                   "<geom size='.1' mass='2'/></body></worldbody>"
        ...                   "<actuator><motor joint='x'/></actuator></mujoco>")
        >>> model = heft.World(cart, time_step=0.01).linearize()
        >>> model
        <heft.Linearization over 0.01 s: 2 states, 1 controls, 0 sensor values>
        >>> model.A.round(6).tolist(), model.B[1].round(6).tolist()
        ([[1.0, 0.01], [0.0, 1.0]], [0.005])
        """
        from ._control import linearize
        return linearize(self, steps, eps, threads)

    # ---- copies

    def clone(self: _T) -> _T:
        """A second world in the same state, without callbacks.

        >>> world = heft.World(heft.load("examples/gripper.xml"))
        >>> world.clone().hash() == world.hash()
        True
        """
        other = super().clone()
        other._options, other._own_dynamics = self._options, None
        return other

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (type(self), self.model, self._options, self.snapshot(), self.controls.copy(),
                          self.joint_forces.copy())

    def __enter__(self: _T) -> _T:
        return self

    def __exit__(self, *unused: object) -> None:
        self.close()

    def _repr_html_(self) -> str:
        """A picture for notebooks, with the page that simulates the model."""
        from ._html import of
        return of(self)

    def __repr__(self) -> str:
        return "<heft.World, closed>" if self.closed else f"<heft.World at {self.time:g} s of {self.model!r}>"


def _rebuild(kind: type[World], model: Model, options: dict[str, Any], snapshot: bytes, controls: Array,
             joint_forces: Array) -> World:
    world = kind(model, **options)
    world.restore(snapshot)
    world.controls, world.joint_forces = controls, joint_forces
    return world


__all__ = ["World", "Body", "Site", "Joint", "Actuator", "Sensor"]
