# SPDX-License-Identifier: Apache-2.0
"""Linear models against analytic ones and other differences; inverse kinematics; frames by name."""

import os

import numpy as np
import pytest

import heft

ROOT = os.environ["HEFT_SOURCE_DIR"]
H = 0.002
CART = f"""<mujoco><option timestep="{H}"/><worldbody><body name="cart"><joint name="x" type="slide" axis="1 0 0"/>
<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>
<body name="pole"><joint name="pin" type="hinge" axis="0 1 0"/><inertial pos="0 0 0.5" mass="0.2" diaginertia="1e-3 1e-3 1e-3"/>
</body></body></worldbody><actuator><motor joint="x" gear="10"/></actuator>
<sensor><jointpos joint="pin"/><jointvel joint="x"/></sensor></mujoco>"""


def continuous(linear: heft.Linearization) -> tuple[np.ndarray, np.ndarray]:  # type: ignore[type-arg]
    """Rates at the start of the step, up to terms of the order dt."""
    return (linear.A - np.eye(len(linear.A))) / linear.dt, linear.B / linear.dt


def test_cart_and_pole_against_the_equations_of_motion() -> None:
    world = heft.World(heft.loads(CART), time_step=1e-5)
    linear = world.linearize()
    rates, inputs = continuous(linear)
    m, big, length, inertia, g = 0.2, 1.0, 0.5, 1e-3, 9.81
    mass = np.array([[big + m, m * length], [m * length, inertia + m * length**2]])
    expected = np.block([[np.zeros((2, 2)), np.eye(2)],
                         [np.linalg.solve(mass, np.diag([0, m * g * length])), np.zeros((2, 2))]])
    np.testing.assert_allclose(rates, expected, atol=2e-3)  # of the order dt and of rounding, eps_machine / (eps dt)
    np.testing.assert_allclose(inputs[2:, 0], np.linalg.solve(mass, [10, 0]), atol=2e-4)
    np.testing.assert_allclose(linear.C[0], linear.A[1], atol=1e-9)  # the sensors read the state after the step
    np.testing.assert_allclose(linear.D[1], linear.B[2], atol=1e-9)


def settled(name: str, steps: int) -> heft.World:
    world = heft.World(heft.load(os.path.join(ROOT, name)), sleep=0)
    world.step(steps)
    return world


@pytest.mark.parametrize("height", [0.0, 1.0])
def test_differences_of_another_size(height: float) -> None:
    """A quadruped whose feet stick, and one in flight."""
    world = settled("scenes/quadruped.xml", 400)
    q = world.q.copy()
    q[2] += height
    world.q = q
    fine, coarse = world.linearize(eps=1e-6), world.linearize(eps=1e-5)
    scale = max(1.0, abs(coarse.A).max())
    free = [i for i in range(2 * world.model.nv)] if height else list(range(world.model.nv, 2 * world.model.nv))
    assert abs(fine.A - coarse.A)[:, free].max() / scale < (1e-6 if height else 1e-4)


def test_a_free_body_turns_in_its_tangent_space() -> None:
    model = heft.loads("<mujoco><worldbody><body><freejoint/><geom type='box' size='.1 .2 .3'/></body></worldbody></mujoco>")
    world = heft.World(model, time_step=0.01)
    world.q = np.array([0, 0, 1, *heft.math.quat_from_axis_angle([1, 0, 0], 0.7)])
    A = world.linearize().A
    np.testing.assert_allclose(A[:6, :6], np.eye(6), atol=1e-8)
    np.testing.assert_allclose(A[:6, 6:], 0.01 * np.eye(6), atol=1e-8)


def test_the_prediction_is_that_of_the_world() -> None:
    world = heft.World(heft.loads(CART))
    world.q, world.v = np.array([0.1, 0.2]), np.array([0.3, -0.1])
    world.controls[0] = 0.4
    world.joint_forces[1] = 0.05
    linear = world.linearize(10)
    first, second = world.clone(), world.clone()
    for one in (first, second):
        one.controls, one.joint_forces = world.controls, world.joint_forces
    dx, du = 1e-4 * np.array([1.0, -2, 3, 1]), 2e-4
    second.q, second.v = world.q + dx[:2], world.v + dx[2:]
    second.controls[0] += du
    first.step(10)
    second.step(10)
    moved = np.concatenate([second.q - first.q, second.v - first.v])
    np.testing.assert_allclose(linear.A @ dx + linear.B[:, 0] * du, moved, atol=2e-7)
    assert linear.dt == pytest.approx(10 * H) and world.time == 0


def test_linearize_keeps_changed_parameters_and_activations() -> None:
    text = CART.replace('<motor joint="x" gear="10"/>', '<general joint="x" gear="10" dyntype="filter" dynprm="0.1"/>')
    world = heft.World(heft.loads(text))
    light = world.linearize()
    world.set_mass_factors(1, 3.0, 3.0)
    heavy = world.linearize()
    assert light.A.shape == (5, 5) and light.B[4, 0] == pytest.approx(1 - light.A[4, 4], abs=1e-9)
    assert heavy.A[2, 4] < 0.5 * light.A[2, 4]


def arm() -> heft.World:
    return heft.World(heft.gym.make("reach").task.model)


def test_ik_reaches_position_and_orientation() -> None:
    world, random = arm(), np.random.default_rng(3)
    model = world.model
    low, high = model.dof_range[:6].T
    for _ in range(20):
        q = world.q.copy()
        q[:6] = random.uniform(low, high)
        world.q = q
        pos, quat = world.site("hand").position, world.site("hand").quaternion
        world.reset()
        before = world.q.copy()
        found = heft.ik(world, "hand", pos, quat, tries=40)
        assert found.distance < 1e-6 and found.angle < 1e-6 and (world.q == before).all()
        assert (found.q[:6] >= low - 1e-9).all() and (found.q[:6] <= high + 1e-9).all()
        world.q = found.q
        np.testing.assert_allclose(world.site("hand").position, pos, atol=2e-6)
    assert heft.ik(world, "hand", quat=[1, 0, 0, 0]).angle < 1e-6


def test_ik_says_how_far_it_stays() -> None:
    world = arm()
    found = heft.ik(world, "wrist", [2, 0, 0])
    assert found.distance == pytest.approx(2 - 0.6, abs=1e-3) and "m and" in repr(found)


def test_ik_leaves_a_free_base() -> None:
    world = heft.World(heft.gym.make("humanoid").task.model)
    q = world.q.copy()
    q[-3:] = [-1.2, -0.4, -0.9]  # the right arm
    bent = heft.World(world.model)
    bent.q = q
    pos = bent.body("right_forearm").position
    found = heft.ik(world, "right_forearm", pos)
    assert found.distance < 1e-6 and (found.q[:7] == world.q[:7]).all()


def test_jacobian_of_a_site() -> None:
    world = arm()
    world.q = np.concatenate([[0.3, -0.5, 0.8, 0.2, 0.1, -0.4], [0.0, 0, 0]])
    world.v = np.linspace(0.1, 0.9, 9)
    site = world.site("hand")
    np.testing.assert_allclose(site.jacobian @ world.v, [*site.angular_velocity, *site.velocity], atol=1e-12)
    assert abs(site.velocity).max() > 0.1


def test_worlds_of_a_batch_can_be_linearised_and_cloned() -> None:
    batch = heft.Batch(heft.loads(CART), 2, time_step=0.01)
    batch.set_states(batch.q + [[0, 0], [0, 0.3]])
    alone = heft.World(batch.model, time_step=0.01)
    alone.q = batch.q[1]
    np.testing.assert_array_equal(batch.world(1).linearize().A, alone.linearize().A)
    assert batch.world(1).clone().time_step == 0.01
