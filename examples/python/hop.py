# SPDX-License-Identifier: Apache-2.0
"""A hopper hops by trajectory optimisation: every 0.1 s, iLQR (ilqr.py) betters a plan of 0.5 s through contact.

The plan is to go forward at 1 m/s, trunk upright, while the height of the trunk swings by 0.12 m twice a second. Nothing
says when the foot is on the floor: the exact derivative of a step through contact leads there.
"""

import argparse

import numpy as np

import heft
from film import Film
from ilqr import Problem

KNOTS, STEPS = 25, 5  # of a plan: 0.5 s
USED = 5  # knots until the next plan
POSTURE = [-0.3, 0.6, -0.3]  # hip, knee and ankle [rad]
WEIGHTS = [0, 20, 10, 0.5, 0.5, 0.5, 1, 0, 0.2, 0.002, 0.002, 0.002]  # of place, height, pitch, joints; of their rates
EFFORT = 0.02


def goals(model, time):
    """States that a plan from a time on is to come near to."""
    wanted = np.zeros((KNOTS + 1, 12))
    t = time + STEPS * model.time_step * np.arange(KNOTS + 1)
    wanted[:, 1], wanted[:, 3:6], wanted[:, 6] = 0.12 * np.sin(4 * np.pi * t), POSTURE, 1
    return wanted


def hop(model, seconds, iterations=4, differences=False, each=None):
    """The problem, states (knots, 12) and forces at the sole (knots) [N]."""
    problem = Problem(model, goals(model, 0), np.tile(WEIGHTS, (KNOTS + 1, 1)), EFFORT, STEPS, differences)
    world, u, path, sole = heft.World(model), np.zeros((KNOTS, 3)), [], []
    while world.time < seconds - 1e-9:
        problem.goals = goals(model, world.time)
        plan = problem.run(np.concatenate([world.q, world.v]), lambda k, x: u[k])
        x, u, gains, _ = problem.solve(*plan, iterations, damping=0.1)
        for k in range(USED):
            path.append(np.concatenate([world.q, world.v]))
            world.controls = np.clip(u[k] + gains[k] @ (path[-1] - x[k]), problem.low, problem.high)
            world.step(STEPS)
            sole.append(world.sensors[0])
            if each is not None:
                each(world)
        u = np.concatenate([u[USED:], np.zeros((USED, 3))])
        if abs(world.q[2]) > 1:
            break  # it falls
    return problem, np.array(path), np.array(sole)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--differences", action="store_true", help="linear models by differences, for comparison")
    parser.add_argument("--film", help="draw it to this file, such as hop.mp4")
    args = parser.parse_args()
    model = heft.gym.make("hopper").task.model
    film = Film(args.film, 50) if args.film else None
    each = (lambda world: film.add(world, (-90, 8, 3.5, world.q[0], 0, 0.6))) if film else None
    problem, path, sole = hop(model, args.seconds, differences=args.differences, each=each)
    jumps = int(((sole[1:] == 0) & (sole[:-1] > 0)).sum())
    print(f"{path[-1, 0]:.2f} m in {len(path) * STEPS * model.time_step:.1f} s, {jumps} jumps, pitch at most "
          f"{np.degrees(abs(path[:, 2]).max()):.0f} degrees; {problem.simulated['linear']} steps for linear models and "
          f"{problem.simulated['tries']} for trajectories")
    if film:
        film.close()


if __name__ == "__main__":
    main()
