# SPDX-License-Identifier: Apache-2.0
"""Mistakes that people make: each raises an exception of the right kind that says what was expected. A row of the
table is a statement, the exception, and words that its message holds."""

import math
import os
import warnings

import numpy as np
import pytest

import heft

MJCF = """<mujoco><worldbody><geom name="floor" type="plane" size="5 5 .1"/><camera name="eye" pos="0 -3 1"/>
<body name="cart" pos="0 0 1"><joint name="rail" type="slide" axis="1 0 0"/><geom name="box" type="box" size=".2 .1 .1"/>
  <body name="rod"><joint name="pin" type="hinge" axis="0 1 0"/><geom name="bar" type="capsule" fromto="0 0 0 0 0 -.4" size=".05"/>
    <site name="tip" pos="0 0 -.4"/></body></body>
<body name="ball" pos="1 0 2"><freejoint name="fly"/><geom name="sphere" size=".1"/></body></worldbody>
<actuator><motor name="pull" joint="rail"/><motor name="turn" joint="pin"/></actuator>
<sensor><jointpos name="angle" joint="pin"/><framepos name="place" objtype="site" objname="tip"/></sensor>
<keyframe><key name="home" qpos="0 0.3 1 0 2 1 0 0 0"/></keyframe></mujoco>"""


def setting() -> dict[str, object]:
    model = heft.loads(MJCF)
    world = heft.World(model, time_step=1e-3)
    closed = heft.World(model)
    closed.close()
    batch = heft.Batch(model, 3, 2, time_step=1e-3)
    shut = heft.Batch(model, 2)
    shut.close()
    dynamics = heft.Dynamics(model)
    dynamics.kinematics(world.q)
    collider = heft.Collider(model)
    collider.update(world.dynamics)
    return {"heft": heft, "np": np, "math": math, "nan": math.nan, "inf": math.inf, "m": model, "w": world, "c": closed,
            "b": batch, "s": shut, "d": dynamics, "col": collider, "z": np.zeros, "other": heft.loads("<mujoco/>"),
            "e": heft.Env(model), "p": heft.ContactProblem(np.eye(3), [-1, 0, 0], [0.5]), "build": heft.Builder(),
            "spline": heft.Spline([0, 1], [[0, 0], [1, 2]]), "path": os.path.join}


SHAPE, READ_ONLY, CLOSED = "expected an array of shape", "read-only", "closed"
V, T, K, C, L = ValueError, TypeError, KeyError, heft.ClosedError, heft.LoadError

TABLE: list[tuple[str, type[BaseException], str]] = [
    # ---- files
    ("heft.load('no/such/file.xml')", heft.FileError, "no/such/file.xml"),
    ("heft.load('no/such/file.xml')", OSError, "there is no file"),
    ("heft.load('scenes')", L, "scenes"),
    ("heft.load(3)", T, "str"),
    ("heft.load(None)", T, "str"),
    ("heft.load('x.xml', stict=True)", T, "stict"),
    ("heft.load('x.xml', base='floting')", V, "FLOATING"),
    ("heft.load('x.xml', servos='strong')", V, "BY_EFFORT"),
    ("heft.load('x.xml', gains=(1, 2, 3))", V, r"gains: expected an array of shape \(2,\)"),
    ("heft.load('x.xml', gains='high')", T, "gains: expected numbers"),
    ("heft.load('x.xml', height='tall')", T, "height: expected a number"),
    ("heft.load('x.xml', packages=['a'])", AttributeError, "items"),
    ("heft.load('x.xml', excludes=[('a',)])", T, "excludes: expected pairs"),
    ("heft.load('x.xml', limits={'bodys': 3})", AttributeError, "bodys"),
    ("heft.load('x.xml', limits={'bodies': 'many'})", T, "bodies: expected a whole number"),
    ("heft.loads('')", L, "line 1, column 1: .*no element found"),
    ("heft.loads('<mujoco>')", L, ""),
    ("heft.loads('<mujoco><worldbody><geom size=\"a\"/></worldbody></mujoco>')", L, "line 1, column"),
    ("heft.loads('<mujoco><worldbody><body><joint/></body></worldbody></mujoco>')", L, ""),
    ("heft.loads('<robot name=\"r\"></robot>')", L, ""),
    ("heft.loads('hello')", L, "not well-formed XML"),
    ("heft.loads(b'\\x00\\x01')", L, ""),
    ("heft.loads(7)", T, "bytes"),
    ("heft.loads('<mujoco><foo/></mujoco>', strict=True)", L, "foo"),
    ("heft.loads('<mujoco><asset><mesh file=\"a.obj\"/></asset></mujoco>', files={})", L, "a.obj"),
    ("heft.loads('<mujoco/>', files=['a'])", T, "files: expected a dict"),
    ("heft.loads('<mujoco/>', limits={'bodies': 1, 'xml_depth': -1})", L, ""),
    ("heft._core.unpack(heft.Model, b'no model')", L, ""),
    ("heft._core.unpack(heft.Model, m.pack()[:-8])", L, ""),
    ("heft._core.unpack(heft.Model, 'text')", T, "bytes-like"),
    ("m.write('/no/such/folder/a.xml')", heft.FileError, "/no/such/folder"),
    ("m.write(5)", T, "str"),
    ("m.files('stl')", V, "expected 'mjcf' or 'urdf'"),
    # ---- models
    ("heft.Model().nq", C, CLOSED),
    ("m.body_mass[0] = 1", V, READ_ONLY),
    ("m.joint_axis[0, 0] = 1", V, READ_ONLY),
    ("m.nq = 3", AttributeError, "nq"),
    ("m.body_mas", AttributeError, "body_mas"),
    ("m.find('body', 'carts')", K, "did you mean 'cart'"),
    ("m.find('body', 'x')", K, "these exist: world, cart, rod, ball"),
    ("m.find('bod', 'cart')", V, "BODY"),
    ("m.find('joint', 'pinn')", K, "did you mean 'pin'"),
    ("m.find('body', 3)", T, "str"),
    ("m.name('body', 4)", V, "from 0 to 3"),
    ("m.name('body', -1)", V, "from 0 to 3"),
    ("m.name('body', 1.5)", T, "whole number"),
    ("m.name('body', 'cart')", T, "whole number"),
    ("m.names('things')", V, "BODY"),
    ("m.names(99)", V, "from 0 to"),
    # ---- worlds
    ("heft.World()", T, "model"),
    ("heft.World('g1.xml')", T, "expected a heft.Model, got str"),
    ("heft.World(None)", T, "expected a heft.Model, got NoneType"),
    ("heft.World(heft.Model())", C, CLOSED),
    ("heft.World(m, timestep=1e-3)", T, "did you mean 'time_step'"),
    ("heft.World(m, time_step='small')", T, "time_step: expected a number"),
    ("heft.World(m, time_step=-1)", V, "time_step"),
    ("heft.World(m, time_step=100)", V, "time_step"),
    ("heft.World(m, time_step=nan)", V, "time_step"),
    ("heft.World(m, time_step=None)", T, "time_step: expected a number"),
    ("heft.World(m, substeps=1.5)", V, "substeps"),
    ("heft.World(m, substeps=0)", V, "substeps"),
    ("heft.World(m, threads=0)", V, "threads"),
    ("heft.World(m, threads=1000)", V, "threads"),
    ("heft.World(m, integrator='euler')", V, r"expected one of \['MOREAU', 'RK4'\]"),
    ("heft.World(m, integrator=7)", V, "from 0 to 1"),
    ("heft.World(m, contact_model='soft')", V, "PENALTY"),
    ("heft.World(m, contact_options={'stifness': 1})", K, "did you mean 'stiffness'"),
    ("heft.World(m, contact_options={'stiffness': -5})", V, "stiffness"),
    ("heft.World(m, contact_options=[1])", T, "contact_options: expected a dict"),
    ("heft.World(m, contact_options={'facets': 'a'})", T, "facets: expected a number"),
    ("heft.World(m, seed=-1)", V, r"from 0 to 2\*\*64 - 1"),
    ("heft.World(m, seed='dice')", V, "seed: expected a whole number"),
    ("heft.World(m, tolerance=inf)", V, "tolerance"),
    ("w.q = [1, 2]", V, r"q: expected an array of shape \(9,\), got shape \(2,\)"),
    ("w.q = z((9, 1))", V, SHAPE),
    ("w.q = 1.0", V, SHAPE),
    ("w.q = 'zero'", T, "q: expected numbers"),
    ("w.q = [nan] * 9", V, "q: number 0 is nan"),
    ("w.q = [0, 0, 1, 0, inf, 1, 0, 0, 0]", V, "number 4 is infinite"),
    ("w.q = z(9)", V, ""),
    ("w.q = z(9, complex)", T, "got dtype complex128"),
    ("w.q = [None] * 9", T, "got dtype object"),
    ("w.q = [[1], [1, 2]]", T, "q: expected an array of numbers"),
    ("w.q[0] = 1", V, READ_ONLY),
    ("w.q += 1", V, READ_ONLY),
    ("del w.q", AttributeError, "cannot be deleted"),
    ("w.v = z(9)", V, r"shape \(8,\)"),
    ("w.v = [nan] * 8", V, "v: number 0 is nan"),
    ("w.v[:] = 0", V, READ_ONLY),
    ("w.controls = [1]", V, r"controls: expected an array of shape \(2,\)"),
    ("w.controls = [0, nan]", V, "number 1 is nan"),
    ("w.controls = ['a', 'b']", T, "controls: expected numbers"),
    ("w.controls[:] = [1, 2, 3]", V, "broadcast"),
    ("w.controls[5] = 1", IndexError, "out of bounds"),
    ("w.controls[0] = nan; w.step()", V, r"controls\[0\] is nan.*step was not taken"),
    ("w.joint_forces[3] = inf; w.step()", V, r"joint_forces\[3\] is infinite"),
    ("w.joint_forces = z(3)", V, SHAPE),
    ("w.activations[0] = 1", V, READ_ONLY),
    ("w.sensors[0] = 1", V, READ_ONLY),
    ("w.time = 3", AttributeError, "time"),
    ("w.step('ten')", T, "n: expected a whole number"),
    ("w.step(1.0)", T, "n: expected a whole number"),
    ("w.step(-1)", V, "n: expected a whole number from 0"),
    ("w.step(True)", T, "n: expected a whole number"),
    ("w.step(1, 2)", T, "number of steps"),
    ("w.step(steps=3)", T, "number of steps"),
    ("w.step_until('soon')", V, "deadline_ns: expected a whole number"),
    ("w.step_replay([[1]])", V, SHAPE),
    ("w.reset('hom')", K, "did you mean 'home'"),
    ("w.reset('start')", K, "these exist: home"),
    ("w.reset(1)", V, "key: expected a whole number from 0 to 0"),
    ("w.reset(1.5)", T, "key: expected a whole number"),
    ("w.restore(b'junk')", heft.DataError, "expected the bytes of snapshot"),
    ("w.restore(w.snapshot()[:-1])", heft.DataError, "damaged"),
    ("w.restore('text')", T, "bytes-like"),
    ("w.restore(heft.World(other).snapshot())", heft.DataError, "another model"),
    ("w.body('cat')", K, "did you mean 'cart'"),
    ("w.body(99)", V, "from 0 to 3"),
    ("w.body(-1)", V, "from 0 to 3"),
    ("w.body(None)", T, "whole number"),
    ("w.body('rod').position = [0, 0, 0]", AttributeError, ""),
    ("w.body('rod').apply_force([1, 2])", V, r"force: expected an array of shape \(3,\)"),
    ("w.body('rod').apply_force([1, 2, nan])", V, "force: number 2 is nan"),
    ("w.body('rod').apply_force(5)", V, "force: expected an array"),
    ("w.body('rod').apply_force([0, 0, 1], torque='x')", T, "torque: expected numbers"),
    ("w.joint('pn')", K, "did you mean 'pin'"),
    ("w.joint('pin').position = [1, 2]", V, "broadcast"),
    ("w.joint('pin').velocity = nan", V, "is nan"),
    ("w.joint_position('pinn')", K, "did you mean 'pin'"),
    ("w.joint_position(3)", T, "joint: expected a str"),
    ("w.set_joint_position('fly', [1, 2, 3])", V, r"shape \(7,\)"),
    ("w.set_joint_position('pin', [nan])", V, "nan"),
    ("w.set_joint_velocity('fly', z(7))", V, r"shape \(6,\)"),
    ("w.site('tp')", K, "tip"),
    ("w.actuator('push')", K, "pull"),
    ("w.actuator('pull').control = nan", V, "expected a finite number"),
    ("w.sensor('angl')", K, "did you mean 'angle'"),
    ("w.set_control('pul', 1.0)", K, "did you mean 'pull'"),
    ("w.set_control('pull', 'hard')", T, "value: expected a number"),
    ("w.set_gravity([0, 0])", V, r"gravity: expected an array of shape \(3,\)"),
    ("w.set_gravity([0, 0, nan])", V, "gravity: number 2 is nan"),
    ("w.gravity = [0, 0, -1]", AttributeError, ""),
    ("w.set_material(99, heft.Material())", V, "material: expected a whole number from 0"),
    ("w.set_material(0, 0.5)", T, "expected a heft.Material"),
    ("w.set_material(0, heft.Material(friction=-1))", V, "friction"),
    ("w.set_mass_factors(1, -1.0, 1.0)", V, ""),
    ("w.set_mass_factors(77, 1.0, 1.0)", V, "body: expected a whole number from 0 to 3"),
    ("w.set_actuator_gains(0, None)", T, "expected a heft.ActuatorGains"),
    ("w.actuator_force(2)", V, "actuator: expected a whole number from 0 to 1"),
    ("w.contact(0)", V, "index"),
    ("w.reserve_contacts(-5)", V, ""),
    ("w.set_contact_model('jelly')", V, "expected one of"),
    ("w.controller = 5", T, "controller: expected a callable"),
    ("w.contact_filter = 'all'", T, "contact_filter: expected a callable"),
    ("w.controller = lambda world, substep: 1 / 0; w.step()", ZeroDivisionError, "division"),
    ("w.contact_filter = lambda: True; w.reset(); w.step(700)", T, "argument"),
    ("w.controller = lambda world, substep: world.step(); w.step()", RuntimeError, "callback"),
    ("w.inverse_dynamics(z(3))", V, r"a: expected an array of shape \(8,\)"),
    ("w.forward_dynamics('none')", T, "tau: expected numbers"),
    ("w.transfer(5)", T, "expected a heft.World, got int"),
    ("w.apply_change(heft.Change(kind='friction', index=88, value=1.0))", V, ""),
    # ---- closed worlds
    ("c.step()", C, CLOSED),
    ("c.q", C, CLOSED),
    ("c.v = z(8)", C, CLOSED),
    ("c.controls", C, CLOSED),
    ("c.time", C, CLOSED),
    ("c.contacts", C, CLOSED),
    ("c.snapshot()", C, CLOSED),
    ("c.hash()", C, CLOSED),
    ("c.reset()", C, CLOSED),
    ("c.body('rod')", C, CLOSED),
    ("c.clone()", C, CLOSED),
    ("c.gravity", C, CLOSED),
    ("c.dynamics", C, CLOSED),
    ("heft.World.__new__(heft.World).step()", C, "never initialised"),
    # ---- batches
    ("heft.Batch(m)", T, "count"),
    ("heft.Batch(m, 0)", V, "count: expected a whole number from 1"),
    ("heft.Batch(m, 2.5)", T, "count: expected a whole number"),
    ("heft.Batch(m, 2, 0)", V, "threads: expected a whole number from 1 to 64"),
    ("heft.Batch(m, 2, timestep=1)", T, "did you mean 'time_step'"),
    ("heft.Batch('m', 2)", T, "expected a heft.Model"),
    ("heft.Batch(m, 2, gravity=[0, 0, -1])", V, r"gravity: expected an array of shape \(2, 3\), got shape \(3,\)"),
    ("heft.Batch(m, 2, gravity=[[0, 0, nan]] * 2)", V, "gravity: number 2 is nan"),
    ("heft.Batch(m, 2, friction_scale=[1, 2, 3])", V, "friction_scale: expected an array of shape"),
    ("heft.Batch(m, 2, mass_scale=[[1]] * 2)", V, r"mass_scale: expected an array of shape \(2, 4\)"),
    ("heft.Batch(m, 2, mass_scale=[1, -1]).step()", V, ""),
    ("heft.Batch(m, 2, gain_scale='strong')", T, "gain_scale: expected numbers"),
    ("heft.Batch(m, 2, before=3)", T, "before: expected a callable"),
    ("heft.Batch(m, 2, after=lambda i, w, r: 1 / 0).step()", ZeroDivisionError, "division"),
    ("heft.Batch(m, 2, before=lambda i: 0).step()", T, "argument"),
    ("heft.Batch(m, 2, ends=[heft.End('hight', 'ball')])", V, "expected one of"),
    ("heft.Batch(m, 2, ends=[heft.End('height', 'bal')])", K, "did you mean 'ball'"),
    ("heft.Batch(m, 2, ends=[heft.End('q', 99)])", V, "ends: a row is out of range"),
    ("b.controls = z((3, 3))", V, r"controls: expected an array of shape \(3, 2\)"),
    ("b.controls[0, 0] = 1; b.q[0, 0] = 1", V, READ_ONLY),
    ("b.step('a')", T, "n: expected a whole number"),
    ("b.step(-2)", V, "n: expected a whole number from 0"),
    ("b.reset('hme')", K, "home"),
    ("b.reset(which=[True])", V, r"which: expected an array of shape \(3,\)"),
    ("b.reset(5)", V, "key: expected a whole number from -1 to 0"),
    ("b.set_states(z((2, 9)))", V, r"q: expected an array of shape \(3, 9\)"),
    ("b.set_states(None, [[nan] * 8] * 3)", V, "v: number 0 is nan"),
    ("b.rollout()", V, "expected controls or steps"),
    ("b.rollout(z((3, 5)))", V, r"controls: expected an array of shape \(3, any, 2\), got shape \(3, 5\)"),
    ("b.rollout(z((3, 5, 2)), steps=4)", V, "controls"),
    ("b.rollout(steps=-1)", V, "steps: expected a whole number"),
    ("b.hash(3)", V, "index: expected a whole number from 0 to 2"),
    ("b.world(-1)", V, "index"),
    ("x = b.world(0); b.step(); x.q", C, CLOSED),
    ("s.step()", C, CLOSED),
    ("s.q", C, CLOSED),
    ("s.rollout(steps=2)", C, CLOSED),
    ("heft.rollout(m, z((2, 5)), steps=3)", V, r"states: expected an array of shape \(n, 17\)"),
    ("heft.rollout(m, (z((2, 9)), z((2, 8))), steps=3)", V, ""),
    # ---- dynamics, collision, contact, control
    ("heft.Dynamics('m')", T, "expected a heft.Model"),
    ("d.kinematics(z(3))", V, r"q: expected an array of shape \(9,\)"),
    ("d.rnea(None)", T, "v: expected numbers"),
    ("d.body_pose(9)", V, "body: expected a whole number from 0 to 3"),
    ("d.body_jacobian(1, [0, 0])", V, r"point: expected an array of shape \(3,\)"),
    ("d.tendon_path(0)", V, "tendon: got 0, but the model has none"),
    ("d.delassus([9], [[0, 0, 0]], [np.eye(3)])", V, "bodies: expected indices from 0 to 3"),
    ("d.delassus([1], [[0, 0, 0]], [np.eye(2)])", V, "frames: expected an array of shape"),
    ("d.delassus([1], [[0, 0, 0]], [np.eye(3)], 'magic')", V, "method: expected one of"),
    ("w.dynamics.kinematics(w.q)", T, READ_ONLY),
    ("heft.Collider(m, 5)", T, "expected a heft.ColliderDef"),
    ("col.update(w)", T, "expected a heft.Dynamics, got World"),
    ("col.update(heft.Dynamics(other))", V, "same model"),
    ("col.ray([0, 0, 1], [0, 0], 1.0, heft.query_filter_all())", V, "direction"),
    ("col.inside([0, 0, 1], 3)", T, "expected a heft.QueryFilter"),
    ("col.distance(0, 99)", V, "shape_b"),
    ("col.draw('lines')", V, "expected 'shapes'"),
    ("heft.solve(np.eye(2), [0, 0, 0], [1])", V, r"W: expected an array of shape \(3, 3\)"),
    ("heft.solve(np.eye(3), [0, 0], [1])", V, r"b: expected an array of shape \(3,\)"),
    ("heft.solve(np.eye(3), [0, 0, nan], [1])", V, "b: number 2 is nan"),
    ("heft.solve(np.eye(3), [0, 0, 0], [-1])", V, "friction coefficient"),
    ("heft.solve(np.eye(3), [0, 0, 0], [1], types=['point'] * 2)", V, "types: expected 1 types"),
    ("heft.solve(np.eye(3), [0, 0, 0], [1], types=['ball'])", V, "POINT"),
    ("heft.solve(np.eye(3))", T, "expected W, b and mu"),
    ("heft.solve(p, method='guess')", V, "method: expected one of"),
    ("heft.solve(p, select='best')", V, "expected None, 'min_norm' or 'nearest'"),
    ("heft.solve(p, select='nearest')", V, "warm"),
    ("p.certify([0, 0])", V, "impulse: expected an array"),
    ("heft.contact_problem_parse('nonsense')", L, ""),
    ("heft.Spline([0, 1], [[0]])", V, r"values: expected an array of shape \(2, any\)"),
    ("heft.Spline([1, 0], [[0], [1]])", V, ""),
    ("heft.spline_read('1, x')", heft.Error, ""),
    ("spline.at('now')", T, "time: expected a number"),
    ("heft.pd_torques(m, z(8), z(8), z(9), None, None, w.q, z(3))", V, r"v: expected an array of shape \(8,\)"),
    ("heft.butterworth_make(99, 1.0, 10.0)", V, "order"),
    ("heft.Material(fricton=1)", AttributeError, "fricton"),
    ("heft.Material(1, 2)", T, "by their names"),
    ("heft.Material(friction='high')", T, "friction: expected a number"),
    ("heft.JointDef(type='elbow')", V, "expected one of"),
    ("heft.BodyDef(name=5)", T, "name: expected a str"),
    ("heft.BodyDef(pos=[1])", V, r"pos: expected an array of shape \(3,\)"),
    ("build.add_body(heft.JointDef())", T, "expected a heft.BodyDef"),
    ("build.add_joint(heft.JointDef(body=7)); build.finish()", heft.Error, ""),
    ("heft.math.quat_rotate([1, 0, 0], [0, 0, 1])", V, r"q: expected an array of shape \(4,\)"),
    ("heft.q_integrate(m, w.q, w.v, 'dt')", T, "dt: expected a number"),
    ("heft.options('worlds')", K, "these exist: world"),
    # ---- pictures and environments
    ("heft.render(w, 3, 3)", V, "width: expected a whole number from 16"),
    ("heft.render(c)", (C, ImportError), ""),  # type: ignore[list-item]
    ("e.step([1, 2, 3])", V, r"controls: expected an array of shape \(2,\)"),
    ("e.step([nan, 0])", V, "number 0 is nan"),
    ("heft.Env(m, key='no').reset()", K, "home"),
]


@pytest.mark.parametrize("number", range(len(TABLE)))
def test_mistake(number: int) -> None:
    statement, kind, message = TABLE[number]
    names = setting()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with pytest.raises(kind, match="(?s)" + message) as caught:
            exec(statement, names)
    assert str(caught.value), "a message"


def test_there_are_200() -> None:
    assert len(TABLE) >= 200 and len({row[0] for row in TABLE}) >= 200
