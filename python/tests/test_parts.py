# SPDX-License-Identifier: Apache-2.0
"""Dynamics, collision, contact problems, control, builders, environments and pictures, against each other and C's laws."""

import gc
import inspect
import os
import pickle
import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import heft

ROOT = os.environ["HEFT_SOURCE_DIR"]
NO_GRAVITY = """<mujoco><option gravity="0 0 0"/><worldbody><body name="ball"><freejoint/><geom size=".1" mass="2"/></body>
</worldbody></mujoco>"""


@pytest.fixture
def world() -> heft.World:
    world = heft.World(heft.load(os.path.join(ROOT, "scenes/humanoid.xml")), time_step=1e-3)
    world.step(50)
    return world


def test_dynamics_agree(world: heft.World) -> None:
    mass, bias = world.mass_matrix(), world.bias_forces()
    a = np.random.default_rng(1).standard_normal(world.model.nv)
    tau = world.inverse_dynamics(a)
    np.testing.assert_allclose(tau, mass @ a + bias, rtol=1e-9, atol=1e-8)
    np.testing.assert_allclose(world.forward_dynamics(tau), a, rtol=1e-7, atol=1e-7)
    body = world.body(3)
    np.testing.assert_allclose(body.jacobian @ world.v, np.r_[body.angular_velocity, body.velocity], atol=1e-12)
    dynamics = heft.Dynamics(world.model)
    dynamics.kinematics(world.q)
    dynamics.crba()
    dynamics.factor()
    np.testing.assert_allclose(mass @ dynamics.solve(a), a, rtol=1e-8, atol=1e-9)
    jacobian = dynamics.body_jacobian(3, body.position)[3:]
    point = dynamics.delassus([3], [body.position], [np.eye(3)])
    np.testing.assert_allclose(point, jacobian @ np.linalg.solve(mass, jacobian.T), rtol=1e-7, atol=1e-10)


def test_forces_carry_the_weight() -> None:
    world = heft.World(heft.load(os.path.join(ROOT, "scenes/quadruped.xml")), time_step=1e-3)
    world.step(1500)
    contacts = world.contacts
    total = sum(c.force for c in contacts)
    assert len(contacts) == 4 and all(c.state == heft.ContactState.STICKING for c in contacts)
    np.testing.assert_allclose(total, [0, 0, 9.81 * world.model.mass], atol=0.05)
    shank = world.body("lf_shank")
    np.testing.assert_allclose(shank.contact_force, contacts[0].force, atol=1e-12)
    assert world.body_contact(shank.index).points == world.body_contact("lf_shank").points == 1


def test_forces_and_callbacks_move() -> None:
    world = heft.World(heft.loads(NO_GRAVITY), time_step=0.01)
    world.body("ball").apply_force([2, 0, 0])
    world.step()
    np.testing.assert_allclose(world.body("ball").velocity, [0.01, 0, 0], atol=1e-12)
    world.controller = lambda w, substep: w.joint_forces.__setitem__(1, 2.0)
    world.step(10)
    np.testing.assert_allclose(world.v[:2], [0.01, 0.1], atol=1e-12)
    world.controller = None
    world.set_gravity([0, 0, -3])
    world.joint_forces[:] = 0
    world.step(10)
    np.testing.assert_allclose(world.v[2], -0.3, atol=1e-12)
    assert (world.model.gravity == 0).all() and (world.gravity == [0, 0, -3]).all()


def test_contact_filter() -> None:
    text = """<mujoco><worldbody><geom name="floor" type="plane" size="5 5 .1"/>
    <body pos="0 0 .1"><freejoint/><geom size=".1"/></body></worldbody></mujoco>"""
    through, rests = (heft.World(heft.loads(text), time_step=1e-3) for _ in range(2))
    through.contact_filter = lambda point: False
    through.step(100)
    rests.step(100)
    assert through.q[2] < 0.06 and abs(rests.q[2] - 0.1) < 1e-6


def test_contact_problem_has_a_certificate() -> None:
    random = np.random.default_rng(3)
    for _ in range(5):
        j = random.standard_normal((30, 20))
        solution = heft.solve(j @ j.T + 0.1 * np.eye(30), random.standard_normal(30), np.full(10, 0.6))
        assert solution.result.status == heft.ContactSolveStatus.SOLVED and solution.certificate.relative < 1e-9
        r, u = solution.impulse.reshape(-1, 3), solution.velocity.reshape(-1, 3)
        assert (np.linalg.norm(r[:, 1:], axis=1) <= 0.6 * r[:, 0] + 1e-9).all() and (u[:, 0] > -1e-8).all()
    problem = heft.ContactProblem(np.eye(3), [-1, 2, 0], [0.3])
    again = heft.contact_problem_parse(problem.text())
    assert again.row_count == 3
    np.testing.assert_allclose(heft.solve(again).impulse, heft.solve(problem).impulse, atol=1e-12)


def test_collider_and_builder() -> None:
    builder = heft.Builder()
    ball = builder.add_body(heft.BodyDef(name="ball", pos=[0, 0, 2], mass=1.0, inertia=[0.1, 0.1, 0.1, 0, 0, 0]))
    builder.add_joint(heft.JointDef(name="fly", body=ball, type="free"))
    builder.add_shape(heft.ShapeDef(name="round", body=ball, type="sphere", size=[0.5, 0, 0]))
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 0)], float)
    faces = [[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1], [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4],
             [1, 5, 7], [1, 7, 3]]
    mesh = builder.add_mesh(heft.MeshDef(name="block", vertices=corners, faces=faces, hull=faces))
    builder.add_shape(heft.ShapeDef(name="ground", body=0, type="mesh", mesh=mesh))
    model = builder.finish()
    assert isinstance(model, heft.Model) and model.bodies == ["world", "ball"] and model.nvertex == 8
    world = heft.World(model)
    collider = heft.Collider(model)
    collider.update(world.dynamics)
    assert collider.collide() == []
    hit = collider.ray([0, 0, 5], [0, 0, -1], 10.0, heft.query_filter_all())
    assert hit.body == ball and abs(hit.distance - 2.5) < 1e-12
    assert collider.inside([0, 0, 2]) == [0] and collider.inside([3, 3, 3]) == []
    lines, colors = collider.draw("shapes")
    assert lines.shape[1:] == (2, 3) and len(lines) == len(colors) > 0
    builder.close()
    del builder, corners
    gc.collect()
    world.step(2000)
    assert abs(world.q[2] - 0.5) < 1e-3


def test_control_and_tables() -> None:
    spline = heft.Spline([0, 1, 2], [[0, 1], [2, 3], [0, 1]])
    value, velocity, _ = spline.at(1.0)
    assert value.tolist() == [2, 3] and abs(velocity[0]) < 1e-12 and spline.channels == 2
    low_pass = heft.butterworth_make(2, 5.0, 100.0)
    for _ in range(100):
        filtered = heft.butterworth_step(low_pass, 1.0)
    assert abs(filtered - 1) < 1e-6
    assert {row["name"] for row in heft.options("world")} >= {"time_step", "tolerance", "substeps"}
    tally = heft.StepTally()
    heft.step_tally_add(tally, heft.World(heft.loads(NO_GRAVITY)).step())
    assert tally.steps == 1 and "1 step" in heft.step_tally_text(tally)


def test_steps_are_judged_by_bounds() -> None:
    text = ("<mujoco><worldbody><geom name='floor' type='plane' size='0 0 1'/><body pos='0 0 .099'><freejoint/>"
            "<geom name='ball' size='.1'/></body></worldbody></mujoco>")
    world = heft.World(heft.loads(text), bounds={"overlap": 1e-3})
    report = world.step()
    error = report.error[heft.StepQuantity.OVERLAP]
    assert report.status == heft.StepStatus.OVERLAP and error.value > error.bound == 1e-3
    assert "shape 'floor' and shape 'ball'" in heft.step_report_text(report, world.model)
    assert heft.World(heft.loads(text)).step().status == heft.StepStatus.SOLVED
    motion = world.step_motion
    assert motion["h"] == world.time_step and motion["v_correction"][2] > 0
    assert heft.math.sin(0.5) == pytest.approx(np.sin(0.5)) and heft.math.quat_to_mat3([1, 0, 0, 0]).tolist()[0] == [1, 0, 0]


def test_biped_stands() -> None:
    path = os.path.join(ROOT, "models/hrp2.xml")
    models = [f for f in sorted(os.listdir(os.path.join(ROOT, "models"))) if f.endswith(".xml")]
    for name in [os.path.basename(path), *models]:
        try:
            model = heft.load(os.path.join(ROOT, "models", name))
            biped = heft.Biped(model)
            break
        except heft.Error:
            continue
    else:
        pytest.skip("no biped in models/")
    world = heft.World(model, time_step=2e-3)
    if model.nkey:
        world.reset(0)
    goal = biped.stand(world.q)
    goal.posture[:] = world.q
    del model
    gc.collect()
    for _ in range(50):
        biped.step(goal, world)
        world.step()
    assert np.isfinite(world.q).all()


def test_struct_fields() -> None:
    material = heft.Material(friction=0.5, restitution=0.1)
    material.friction = 0.7
    assert material.as_dict()["friction"] == 0.7 and "friction=0.7" in repr(material)
    assert heft.Material(friction=0.5) == heft.Material(friction=0.5) != material
    joint = heft.JointDef(name="x" * 1000, type=heft.JointType.HINGE)
    assert joint.name == "x" * 1000 and joint.type == heft.JointType.HINGE
    report = heft.World(heft.loads(NO_GRAVITY)).step()
    assert report.status is heft.StepStatus.SOLVED and "status=SOLVED" in repr(report)


def test_a_struct_is_changed_in_place() -> None:
    options = heft.ContactOptions()
    before = options.as_dict()
    heft.contact_options_set(options, "candidates", 7)
    after = options.as_dict()
    assert after.pop("candidates") == 7 and before.pop("candidates") == 300 and after == before
    with pytest.raises(heft.Error):
        heft.contact_options_set(options, "nothing", 7)


def test_enums_print_their_names(world: heft.World) -> None:
    status = world.step().status
    assert isinstance(status, heft.StepStatus) and int(status) == 0
    assert str(status) == f"{status}" == "%s" % status == "StepStatus.SOLVED"
    assert f"{status:d}" == "%d" % status == "0" and f"{heft.JointType.HINGE:3}" == "  1"
    for name in heft._enums.__all__:
        for member in getattr(heft, name):
            assert str(member) == f"{name}.{member.name}" and pickle.loads(pickle.dumps(member)) is member


def test_worlds_are_pickled(world: heft.World) -> None:
    again = pickle.loads(pickle.dumps(world))
    assert again.hash() == world.hash() and again.time_step == world.time_step
    again.step(5)
    world.step(5)
    assert again.hash() == world.hash()


def test_files_of_a_model(tmp_path: os.PathLike[str]) -> None:
    model = heft.loads(NO_GRAVITY)
    files = model.files("mjcf")
    assert heft.loads(files[""]).hash() == model.hash()
    model.write(os.path.join(tmp_path, "ball.heft"))
    assert heft.load(os.path.join(tmp_path, "ball.heft")).hash() == model.hash()


def test_picture_shows_the_world(tmp_path: os.PathLike[str]) -> None:
    try:
        from heft import _view  # noqa: F401
    except ImportError:
        pytest.skip("built without pictures")
    world = heft.World(heft.load(os.path.join(ROOT, "scenes/quadruped.xml")), time_step=1e-3)
    try:
        picture = heft.render(world, 64, 48, path=os.path.join(tmp_path, "a.png"))
    except heft.Error as error:
        pytest.skip(f"no OpenGL here: {error}")
    assert picture.shape == (48, 64, 3) and picture.dtype == np.uint8 and picture.std() > 1
    world.step(300)
    assert (heft.render(world, 64, 48, show=["contacts"]) != picture).any()
    assert os.path.getsize(os.path.join(tmp_path, "a.png")) > 100
    other = heft.World(heft.loads(NO_GRAVITY))
    assert (heft.render(other, 64, 48) != picture).any()  # another model, and the first again
    world.reset()
    assert (heft.render(world, 64, 48) == picture).all()
    with pytest.raises(ValueError, match="these exist: contacts"):
        heft.render(world, 64, 48, show=["arrows"])
    with pytest.raises(KeyError):
        heft.render(world, 64, 48, camera="front")


def test_log_of_a_run(tmp_path: os.PathLike[str]) -> None:
    world = heft.World(heft.loads(NO_GRAVITY), time_step=0.01)
    path = os.path.join(tmp_path, "run.mcap")
    with heft.Log(path, world.model) as log:
        log.write(world)
        for _ in range(5):
            log.write(world, world.step())
        with pytest.raises(ValueError, match="model of the log"):
            log.write(heft.World(heft.loads(NO_GRAVITY)))
    with pytest.raises(heft.ClosedError):
        log.write(world)
    with open(path, "rb") as file:
        data = file.read()
    assert data[:5] == b"\x89MCAP" and data[-8:-3] == b"\x89MCAP"
    with pytest.raises(heft.FileError):
        heft.Log("/no/such/folder/run.mcap", world.model)


def test_plots(tmp_path: os.PathLike[str]) -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    import heft.plot

    world = heft.World(heft.load(os.path.join(ROOT, "scenes/quadruped.xml")), time_step=1e-2)
    reports = [world.step() for _ in range(5)]
    axes = heft.plot.energy(reports)
    assert len(axes.lines) == 3
    rows = heft.rollout(world.model, (world.q[None], world.v[None]), steps=4)
    assert heft.plot.trajectory(world.model, range(4), rows.q[0], joints=[world.model.joints[1]]).lines
    heft.plot.contacts(world)


def test_objects_for_learning_control_and_logs_have_signature_and_example() -> None:
    found = [getattr(heft.gym, name) for name in heft.gym.__all__]
    found += [heft.ik, heft.read_log, heft.Linearization, heft.Reached, heft.RunLog, heft.World.linearize,
              heft.Batch.reset, heft.Batch.set_states, heft.Batch.world]
    for thing in found:
        if thing.__module__.startswith("heft"):  # Gymnasium has its own texts
            assert ">>>" in (thing.__doc__ or "") and inspect.signature(thing), thing
            assert "NULL" not in thing.__doc__, thing


def _documented(thing: Any, seen: set[int]) -> Iterator[tuple[str, str]]:
    """All texts of a module or class, with the names that they belong to."""
    for name, value in vars(thing).items():
        if name.startswith("_") or id(value) in seen:
            continue
        seen.add(id(value))
        if isinstance(getattr(value, "__doc__", None), str) and not isinstance(value, (int, float, str)):
            yield f"{thing.__name__}.{name}", value.__doc__
        if isinstance(value, type) and value.__module__.startswith("heft"):
            yield from _documented(value, seen)


def test_texts_speak_python() -> None:
    texts = dict(_documented(heft, set()))
    assert len(texts) > 500
    foreign = [f"{name}: {text}" for name, text in texts.items() if re.search(r"\bNULL\b|\bHEFT_[A-Z]|\bheft_[a-z]+_|\bHeft[A-Z]", text)]
    assert not foreign, "\n".join(foreign[:20])
