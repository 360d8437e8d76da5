# SPDX-License-Identifier: Apache-2.0
"""A cart swings a pole up and holds it: trajectory optimisation (iLQR, ilqr.py), then a linear regulator."""

import argparse

import numpy as np

import heft
from balance import riccati
from ilqr import Problem

CART = """<mujoco><compiler angle="radian"/><option timestep="0.005"/><worldbody>
  <body name="cart"><joint name="x" type="slide" axis="1 0 0" damping="0.1"/><geom type="box" size=".15 .1 .05" mass="1" contype="0"/>
    <body name="pole"><joint name="pin" axis="0 1 0" damping="0.002"/><geom type="capsule" fromto="0 0 0 0 0 -.6" size=".02" mass=".3" contype="0"/>
    </body></body></worldbody>
  <actuator><motor name="drive" joint="x" ctrllimited="true" ctrlrange="-15 15"/></actuator></mujoco>"""
KNOTS, STEPS = 100, 4  # controls of the trajectory, and steps of the world for each
GOAL = np.array([0, np.pi, 0, 0])  # the pole up, everything at rest
LAST = [200.0, 400, 20, 20]  # cost of the end
EFFORT = 1e-3  # cost of the squared force


def optimise(model, start, iterations=60, differences=False, enough=2e-3):
    """The problem, and states, controls, gains and iterations of a trajectory from a start to the goal."""
    goals, weights = np.tile(GOAL, (KNOTS + 1, 1)), np.zeros((KNOTS + 1, 4))
    weights[-1] = LAST
    problem = Problem(model, goals, weights, EFFORT, STEPS, differences)
    swing = problem.run(start, lambda k, x: np.array([3 * np.sin(0.1 * k)]))  # something to begin with
    return problem, *problem.solve(*swing, iterations, enough=enough)


def follow(model, start, x, u, gains, push=0.0):
    """Swings up with the gains, then holds with the regulator. Returns the last distance from the goal."""
    world = heft.World(model)
    world.q = GOAL[:2]
    linear = world.linearize(STEPS)
    hold, _ = riccati(linear.A, linear.B, np.diag([10.0, 100, 1, 1]), np.array([[0.05]]))
    world.q, world.v = start[:2], start[2:]
    for k in range(KNOTS + 200):
        now = np.concatenate([world.q, world.v])
        world.controls = u[k] + gains[k] @ (now - x[k]) if k < KNOTS else -hold @ (now - GOAL)
        if k == KNOTS // 2:
            world.body("pole").apply_force([push, 0, 0])  # during one step
        world.step(STEPS)
    return np.abs(np.concatenate([world.q, world.v]) - GOAL).max()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--starts", type=int, default=2, help="random starts besides rest")
    parser.add_argument("--differences", action="store_true", help="linear models by differences, for comparison")
    args = parser.parse_args()
    model, random = heft.loads(CART), np.random.default_rng(0)
    for case in range(args.starts + 1):
        start = np.zeros(4) if case == 0 else random.uniform(-0.5, 0.5, 4)
        problem, x, u, gains, iterations = optimise(model, start, differences=args.differences)
        print(f"start {start.round(2)}: {iterations} iterations, {problem.simulated['linear']} steps for linear models and "
              f"{problem.simulated['tries']} for trajectories, cost {problem.cost(x, u):.3f}")
        for push in (0.0, 20.0):
            print(f"  push of {push * 0.005:.1f} N s: {follow(model, start, x, u, gains, push):.4f} from the goal")


if __name__ == "__main__":
    main()
