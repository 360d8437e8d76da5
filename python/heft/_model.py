# SPDX-License-Identifier: Apache-2.0
"""Models: loading, names, writing."""
from __future__ import annotations

import difflib
import os
import warnings
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from . import _core
from ._check import instance, numbers, vector
from ._core import quat_mul, quat_rotate
from ._enums import Base, JointType, Named, UrdfServos
from ._errors import ArgumentError, LoadWarning, UnknownName


class Model(_core.Model):
    """A model: the constant description of robots and their environment.

    Sizes (``model.nq``) and arrays (``model.body_mass``) have the names of the C header model.h;
    arrays are read-only views. A model may be shared by any number of worlds and threads.

    >>> model = heft.loads("<mujoco><worldbody><body name='ball'><freejoint/>"
    ...                    "<geom size='.1'/></body></worldbody></mujoco>")
    >>> model.nq, model.bodies
    (7, ['world', 'ball'])
    """

    __slots__ = ("__weakref__",)

    @property
    def bodies(self) -> list[str]:
        """Names of the bodies, the world first."""
        return self.names(Named.BODY)

    @property
    def joints(self) -> list[str]:
        """Names of the joints."""
        return self.names(Named.JOINT)

    @property
    def actuators(self) -> list[str]:
        """Names of the actuators."""
        return self.names(Named.ACTUATOR)

    @property
    def sensors(self) -> list[str]:
        """Names of the sensors."""
        return self.names(Named.SENSOR)

    @property
    def sites(self) -> list[str]:
        """Names of the sites."""
        return self.names(Named.SITE)

    @property
    def keys(self) -> list[str]:
        """Names of the keyframes."""
        return self.names(Named.KEY)

    def write(self, path: str | os.PathLike[str]) -> None:
        """Writes the model: .heft the compiled form, .urdf URDF, any other ending MJCF.

        >>> heft.load("examples/gripper.xml").write("gripper.urdf")  # doctest: +SKIP
        """
        _warn(self._write(os.fspath(path)))

    # ---- edits: a model is constant, so that each makes another one

    def attach(self, part: Model, to: str = "world", *, pos: ArrayLike = (0.0, 0.0, 0.0),
               quat: ArrayLike = (1.0, 0.0, 0.0, 0.0), prefix: str = "", world: bool = False,
               keys: bool = False) -> Model:
        """A model with another one attached to a body or a site, at a pose in its frame [m].

        prefix: in front of all names of the part. world: with what is fixed to the part's world, such as a
        floor; keys: with its keyframes. Bodies that float can be attached to the world only.

        >>> hand = heft.load("examples/gripper.xml").remove("ball")
        >>> robot = heft.load("scenes/quadruped.xml").attach(hand, "trunk", pos=(0.3, 0, 0), prefix="hand/")
        >>> robot.bodies[-1], robot.actuators
        ('hand/right_finger', ['hand/lift', 'hand/left', 'hand/right'])
        """
        instance("part", part, Model)
        instance("prefix", prefix, str)
        facing = vector("quat", quat, 4)
        if not facing.any():
            raise ValueError("quat: expected a quaternion (w, x, y, z), got zeros")
        body, place, turn = 0, np.zeros(3), np.array([1.0, 0.0, 0.0, 0.0])
        if to in self.sites and to not in self.bodies:
            site = self.find(Named.SITE, to)
            body, place, turn = int(self.site_body[site]), self.site_pos[site], self.site_quat[site]
        elif to != "world":
            body = self.find(Named.BODY, to)
        at = place + quat_rotate(turn, vector("pos", pos, 3))
        try:
            return self._attach(part, body, at, quat_mul(turn, facing), prefix, world, keys)
        except UnknownName as error:
            raise ArgumentError(f"{error}: attach(..., prefix='hand/') puts a word in front of those of the part") from None

    def remove(self, *bodies: str) -> Model:
        """A model without these bodies, what hangs on them and what refers to them.

        >>> heft.load("examples/gripper.xml").remove("ball").bodies
        ['world', 'palm', 'left_finger', 'right_finger']
        """
        model: Any = self
        for name in bodies:
            if name == "world":
                raise ArgumentError("bodies: the world cannot be removed; name bodies that are in it")
            model = _core.model_apply_change(model, _core.Change(kind="remove", index=model.find(Named.BODY, name)))
        return model  # type: ignore[no-any-return]

    def replace(self, array: str, which: str | int, value: ArrayLike) -> Model:
        """A model in which one row of an array of real numbers is another one: a mass, a size, a limit, a gain.

        which: the index of the row, or the name of its object.

        >>> model = heft.load("examples/gripper.xml").replace("body_mass", "ball", 0.5)
        >>> float(model.body_mass[model.find("body", "ball")])
        0.5
        """
        if _core.model_array_find(array) < 0:
            near = difflib.get_close_matches(array, dir(self), 1)
            raise UnknownName(f"a model has no array {array!r}" + (f"; did you mean {near[0]!r}?" if near else ""))
        row = which
        if isinstance(which, str):
            kind = array.split("_")[0]
            if kind == "dof":
                row = int(self.joint_dof[self.find(Named.JOINT, which)])
            elif kind.upper() in Named.__members__:
                row = self.find(kind, which)
            else:
                raise ArgumentError(f"the rows of {array!r} have no names; give an index")
        return self._replace(array, int(row), np.atleast_1d(numbers("value", value)))

    def builder(self) -> _core.Builder:
        """A builder that has everything of the model, to add objects: finish() makes the model with them.

        >>> builder = heft.load("examples/gripper.xml").builder()
        >>> site = builder.add_site(heft.SiteDef(name="tip", body=2))
        >>> builder.finish().sites
        ['tip']
        """
        return self._builder()

    def servos(self, kp: ArrayLike, kd: ArrayLike, joints: Iterable[str] | None = None, *,
               force_max: ArrayLike = np.inf) -> Model:
        """A model with a position servo (PD) at each of these joints, or at every hinge and slide.

        force = kp * (control - q) - kd * v, at most force_max; a number for all joints or one for each [N m/rad or
        N/m, N m s/rad or N s/m, N m or N]. The step integrates both terms implicitly (integrator "moreau"), so that
        any gain is stable at any time step. If the inertia is much less than kd * time_step, World(theta=0.55) keeps
        the velocity from ringing after a jump of the target. Controls are targets [rad, m], limited to the range of
        the joint. A servo has the name of its joint, with "_servo" if an actuator has that name. It comes after the
        actuators of the model, which stay. In keyframes it holds the pose.

        >>> robot = heft.load("scenes/quadruped.xml").servos(200, 5)
        >>> world = heft.World(robot)
        >>> world.controls[:] = world.q[7:]
        >>> world.step(400).status.name, robot.actuators[:3]
        ('SOLVED', ['lf_haa', 'lf_hfe', 'lf_kfe'])
        """
        scalar = [i for i, kind in enumerate(self.joint_type) if kind in (JointType.HINGE, JointType.SLIDE)]
        named = [joints] if isinstance(joints, str) else joints
        if named is not None and not isinstance(named, Iterable):
            raise TypeError(f"joints: expected names of joints, got {named!r}")
        chosen = scalar if named is None else [self.find(Named.JOINT, name) for name in named]
        for joint in chosen:
            if joint not in scalar:
                raise ArgumentError(f"joints: {self.joints[joint]!r} is no hinge or slide; a servo has one angle or length")
        gains = [_each(name, given, len(chosen)) for name, given in (("kp", kp), ("kd", kd), ("force_max", force_max))]
        builder, taken = self.builder(), set(self.actuators) - {""}
        for joint, p, d, force in zip(chosen, *gains):
            name, dof = self.joints[joint], int(self.joint_dof[joint])
            limits: dict[str, Any] = {}
            if self.dof_limited[dof]:
                limits.update(control_limited=1, control_range=self.dof_range[dof])
            if force < np.inf:
                limits.update(force_limited=1, force_range=(-force, force))
            builder.add_actuator(_core.ActuatorDef(name=name + "_servo" if name in taken else name, target=joint,
                                                   transmission="joint", gain=p, bias=(0.0, -p, -d), **limits))
        model: Any = builder.finish()
        for key in range(len(self.key_q)):
            controls = np.array(model.key_control[key])
            controls[self.nactuator:] = self.key_q[key, self.joint_q[chosen]]
            model = model.replace("key_control", key, controls)
        return model  # type: ignore[no-any-return]

    def __reduce__(self) -> tuple[Any, ...]:
        return _core.unpack, (type(self), self.pack())

    def _repr_html_(self) -> str:
        """A picture for notebooks, with the page that simulates the model."""
        from ._html import of
        return of(self)

    def __repr__(self) -> str:
        return f"<heft.Model: {self.nbody - 1} bodies, {self.nv} degrees of freedom, {self.nactuator} actuators>"


def _each(name: str, given: ArrayLike, count: int) -> list[float]:
    """A number of 0 or more for each joint."""
    values = numbers(name, given, finite=name != "force_max")
    if values.shape not in ((), (count,)) or not (values >= 0).all():
        raise ValueError(f"{name}: expected a number of 0 or more, or {count} of them, got {given!r}")
    return [float(value) for value in np.broadcast_to(values, (count,))]


def _warn(found: list[tuple[str, int]]) -> None:
    for text, count in found:
        times = f" ({count} times)" if count > 1 else ""
        warnings.warn(text + times, LoadWarning, stacklevel=3)


def _options(options: Mapping[str, Any]) -> dict[str, Any]:
    chosen = {k: v for k, v in options.items() if v is not None}
    if "root" in chosen:
        chosen["root"] = os.fspath(chosen["root"])
    if "srdf" in chosen:
        chosen["srdf"] = os.fspath(chosen["srdf"])
    if "packages" in chosen:
        instance("packages", chosen["packages"], Mapping)
        chosen["packages"] = {k: os.fspath(v) for k, v in chosen["packages"].items()}
    if chosen.get("excludes") == "overlaps":
        chosen["overlaps"] = "exclude"
        del chosen["excludes"]
    if "excludes" in chosen:
        chosen["excludes"] = [tuple(pair) for pair in chosen["excludes"]]
    return chosen


def load(path: str | os.PathLike[str], *, strict: bool | None = None, hulls: bool | None = None,
         root: str | os.PathLike[str] | None = None, limits: dict[str, int] | None = None,
         base: Base | str | None = None, packages: Mapping[str, str | os.PathLike[str]] | None = None,
         srdf: str | os.PathLike[str] | None = None, floor: bool | None = None,
         place: bool | None = None, height: float | None = None,
         servos: UrdfServos | str | None = None, gains: tuple[float, float] | None = None,
         excludes: Iterable[tuple[str, str]] | str | None = None,
         soft_contacts: bool | None = None) -> Model:
    """Loads a model from a MJCF, URDF or compiled file.

    strict: warnings are errors. hulls: compute convex hulls of meshes. root: folder that holds all
    files. limits: names and numbers of LoadLimits. Of URDF alone: base ("fixed" or "floating"),
    packages (folders by name), srdf, floor (add one), place and height (of the lowest point), servos
    ("none", "by_effort", "by_gains"), gains (stiffness, damping), excludes (pairs of links that do not
    collide, or "overlaps": links that overlap at the start). Of MJCF alone: soft_contacts (contacts yield as
    solref and solimp say).

    Packages of a URDF that are not given are looked for in the folders above the file.

    A file that is not valid raises LoadError with file, line and column; what a model cannot hold is a
    LoadWarning.

    >>> heft.load("examples/gripper.xml")
    <heft.Model: 4 bodies, 9 degrees of freedom, 3 actuators>
    """
    options = _options({"strict": strict, "hulls": hulls, "root": root, "limits": limits, "base": base,
                        "packages": packages, "srdf": srdf, "floor": floor, "place": place,
                        "height": height, "servos": servos, "gains": gains, "excludes": excludes,
                        "soft_contacts": soft_contacts})
    model, found = _core.load(Model, os.fspath(path), None, None, options)
    _warn(found)
    return model


def loads(text: str | bytes, *, name: str | None = None, files: dict[str, bytes] | None = None,
          strict: bool | None = None, hulls: bool | None = None, limits: dict[str, int] | None = None,
          base: Base | str | None = None, floor: bool | None = None, place: bool | None = None,
          height: float | None = None, servos: UrdfServos | str | None = None,
          gains: tuple[float, float] | None = None,
          excludes: Iterable[tuple[str, str]] | str | None = None,
          soft_contacts: bool | None = None) -> Model:
    """Loads a model from text or bytes. files: what it names, as bytes, instead of the disk; name:
    stands in messages.

    >>> heft.loads("<mujoco><worldbody><geom size='1'/></worldbody></mujoco>").nshape
    1
    """
    if not isinstance(text, (str, bytes)):
        raise TypeError(f"text: expected str or bytes, got {type(text).__name__}")
    for file, content in files.items() if isinstance(files, dict) else ():
        if not isinstance(content, bytes):
            raise TypeError(f"files[{file!r}]: expected bytes, got {type(content).__name__}")
    data = text.encode() if isinstance(text, str) else text
    options = _options({"files": files, "strict": strict, "hulls": hulls, "limits": limits, "base": base,
                        "floor": floor, "place": place, "height": height, "servos": servos, "gains": gains,
                        "excludes": excludes, "soft_contacts": soft_contacts})
    model, found = _core.load(Model, None, data, name, options)
    _warn(found)
    return model


__all__ = ["Model", "load", "loads"]
