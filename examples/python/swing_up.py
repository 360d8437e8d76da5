# SPDX-License-Identifier: Apache-2.0
"""A cart swings a pole up and holds it: trajectory optimisation (iLQR), then a linear regulator.

Each iteration linearises the world along the trajectory (world.linearize()), solves the linear-quadratic problem
backwards in time, and tries its step in eight lengths at once, each in a world of a batch (Li and Todorov, 2004).
"""

import argparse

import numpy as np

import heft
from balance import riccati

CART = """<mujoco><compiler angle="radian"/><option timestep="0.005"/><worldbody>
  <body name="cart"><joint name="x" type="slide" axis="1 0 0" damping="0.1"/><geom type="box" size=".15 .1 .05" mass="1" contype="0"/>
    <body name="pole"><joint name="pin" axis="0 1 0" damping="0.002"/><geom type="capsule" fromto="0 0 0 0 0 -.6" size=".02" mass=".3" contype="0"/>
    </body></body></worldbody>
  <actuator><motor name="drive" joint="x" ctrllimited="true" ctrlrange="-15 15"/></actuator></mujoco>"""
KNOTS, STEPS = 100, 4  # controls of the trajectory, and steps of the world for each
GOAL = np.array([0, np.pi, 0, 0])  # the pole up, everything at rest
LAST = np.diag([200.0, 400, 20, 20])  # cost of the end
EFFORT = 1e-3  # cost of the squared force
LENGTHS = 0.5 ** np.arange(8)  # of the step that an iteration tries


def run(batch, start, states, controls, gains, steps):
    """Trajectories of all worlds of a batch: u = controls + length * steps + gains (x - states)."""
    batch.reset()
    batch.set_states(np.tile(start[:2], (batch.count, 1)), np.tile(start[2:], (batch.count, 1)))
    x, u = np.zeros((batch.count, KNOTS + 1, 4)), np.zeros((batch.count, KNOTS))
    x[:, 0] = start
    for k in range(KNOTS):
        u[:, k] = controls[k] + LENGTHS * steps[k] + (x[:, k] - states[k]) @ gains[k]
        batch.controls[:, 0] = u[:, k] = np.clip(u[:, k], -15, 15)
        batch.step(STEPS)
        x[:, k + 1] = np.concatenate([batch.q, batch.v], 1)
    off = x[:, -1] - GOAL
    return x, u, EFFORT * (u**2).sum(1) + np.einsum("ni,ij,nj->n", off, LAST, off)


def backwards(world, x, u, damping):
    """Steps of the controls and gains on the state, from the last knot to the first."""
    value, slope = 2 * LAST, 2 * LAST @ (x[-1] - GOAL)
    steps, gains = np.zeros(KNOTS), np.zeros((KNOTS, 4))
    for k in reversed(range(KNOTS)):
        world.q, world.v, world.controls[0] = x[k, :2], x[k, 2:], u[k]
        linear = world.linearize(STEPS)
        A, B = linear.A, linear.B[:, 0]
        bent = 2 * EFFORT + B @ value @ B + damping
        steps[k], gains[k] = -(2 * EFFORT * u[k] + B @ slope) / bent, -(B @ value @ A) / bent
        slope = A.T @ slope + A.T @ value @ B * steps[k]
        value = A.T @ value @ A + np.outer(A.T @ value @ B, gains[k])
        value = (value + value.T) / 2
    return steps, gains


def optimise(model, start, iterations=60, say=print):
    """States, controls and gains of a trajectory from a start to the goal."""
    world, batch = heft.World(model), heft.Batch(model, LENGTHS.size)
    x, u, gains, damping = np.zeros((KNOTS + 1, 4)), np.zeros(KNOTS), np.zeros((KNOTS, 4)), 1e-2
    swing = 3 * np.sin(np.arange(KNOTS) * 0.1)  # something to begin with
    states, controls, costs = run(batch, start, x, swing, gains, np.zeros(KNOTS))
    x, u, cost = states[0], controls[0], costs[0]
    for iteration in range(1, iterations + 1):
        steps, new = backwards(world, x, u, damping)
        states, controls, costs = run(batch, start, x, u, new, steps)
        best = costs.argmin()
        gain = cost - costs[best]
        if gain <= 0:  # no step helps: shorter ones
            damping *= 10
            continue
        x, u, cost, gains, damping = states[best], controls[best], costs[best], new, damping / 3
        if gain < 2e-3 * cost:
            break
    say(f"{iteration} iterations: cost {cost:.3f}, end {np.round(x[-1] - GOAL, 3)}")
    return x, u, gains


def follow(model, start, x, u, gains, push=0.0):
    """Swings up with the gains, then holds with the regulator. Returns the last distance from the goal."""
    world = heft.World(model)
    world.q = GOAL[:2]
    linear = world.linearize(STEPS)
    hold, _ = riccati(linear.A, linear.B, np.diag([10.0, 100, 1, 1]), np.array([[0.05]]))
    world.q, world.v = start[:2], start[2:]
    for k in range(KNOTS + 200):
        now = np.concatenate([world.q, world.v])
        world.controls[0] = u[k] + gains[k] @ (now - x[k]) if k < KNOTS else -hold[0] @ (now - GOAL)
        if k == KNOTS // 2:
            world.body("pole").apply_force([push, 0, 0])  # during one step
        world.step(STEPS)
    return np.abs(np.concatenate([world.q, world.v]) - GOAL).max()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--starts", type=int, default=2, help="random starts besides rest")
    args = parser.parse_args()
    model, random = heft.loads(CART), np.random.default_rng(0)
    for case in range(args.starts + 1):
        start = np.zeros(4) if case == 0 else random.uniform(-0.5, 0.5, 4)
        x, u, gains = optimise(model, start)
        for push in (0.0, 20.0):
            print(f"start {start.round(2)}, push of {push * 0.005:.1f} N s: {follow(model, start, x, u, gains, push):.4f} from the goal")


if __name__ == "__main__":
    main()
