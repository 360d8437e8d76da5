# SPDX-License-Identifier: Apache-2.0
"""A quadruped trots forward by sampling: model-predictive control with a batch.

A fixed pattern lifts diagonal pairs of legs; alone it trots on the spot. Every 40 ms the controller
tries 48 changes of the pattern over the next 0.3 s, each in a world of its own that starts at the
present state, and takes their mean, weighted by cost (path integral control, Williams 2016).
Goal: 0.4 m/s for 5 s, upright, less than 0.5 m off the line, with a push of 60 N after 2 s.
"""

import argparse
import time

import numpy as np

import heft
from film import Film

SAMPLES = 48
PERIOD = 0.04  # a new plan so often [s]
PLAN_STEP = 0.01  # time step of the planning worlds [s]; the robot itself has 1 ms
HORIZON = 30  # planning steps
KNOTS = 4  # of the change of each joint's target, linear in between
SPEED = 0.6  # wanted [m/s]
STEPS = 2.0  # of each leg per second
SPREAD = np.tile([0.12, 0.2, 0.25], 4)  # of the changes: hip roll, hip pitch, knee [rad]


def pattern(t):
    """Targets of the twelve servos at the times t: diagonal legs lift in turn."""
    t = np.asarray(t)
    targets = np.zeros(t.shape + (12,))
    for leg, (phase, bend) in enumerate([(0, 1), (0.5, 1), (0.5, -1), (0, -1)]):
        lift = np.maximum(0, np.sin(2 * np.pi * (STEPS * t + phase)))
        targets[..., 3 * leg + 1] = 0.35 * bend * lift
        targets[..., 3 * leg + 2] = -0.7 * bend * lift
    return targets


def cost(q, v, t):
    """Mean cost of each sample over its horizon."""
    roll_pitch = q[..., 4] ** 2 + q[..., 5] ** 2
    each = (
        4 * (v[..., 0] - SPEED) ** 2
        + 4 * (v[..., 1] + q[..., 1]) ** 2  # back to the line
        + 60 * (q[..., 2] - 0.55) ** 2
        + 40 * roll_pitch
        + 20 * q[..., 6] ** 2
        + 0.3 * (v[..., 3:6] ** 2).sum(-1)
        + 0.3 * ((q[..., 7:] - pattern(t)) ** 2).sum(-1)
    )
    return each.mean(-1) + 50 * (q[:, -1, 2] < 0.4)


class Planner:
    """Holds the changes of the pattern, as knots over the horizon."""

    def __init__(self, model, rng, threads):
        self.batch = heft.Batch(
            model, SAMPLES, threads=threads, time_step=PLAN_STEP, tolerance=1e-4
        )
        self.rng = rng
        self.knots = np.zeros((KNOTS, 12))
        ends = np.linspace(0, 1, KNOTS)
        along = np.linspace(0, 1, HORIZON)
        self.hats = np.maximum(0, 1 - np.abs(along[:, None] - ends) * (KNOTS - 1))

    def change(self, after):
        """Change of the targets, `after` seconds after the last plan."""
        place = min(after / (PLAN_STEP * (HORIZON - 1)), 1) * (KNOTS - 1)
        first = min(int(place), KNOTS - 2)
        return self.knots[first] + (place - first) * (self.knots[first + 1] - self.knots[first])

    def plan(self, q, v, now):
        """Shifts the last plan by one period and betters it from the state q, v."""
        span = PLAN_STEP * (HORIZON - 1) / (KNOTS - 1)
        self.knots = np.array([self.change(PERIOD + k * span) for k in range(KNOTS)])
        noise = self.rng.normal(size=(SAMPLES, KNOTS, 12)) * SPREAD
        noise[0] = 0
        tried = self.knots + noise
        t = now + PLAN_STEP * (1 + np.arange(HORIZON))
        self.batch.set_states(np.tile(q, (SAMPLES, 1)), np.tile(v, (SAMPLES, 1)))
        run = self.batch.rollout(pattern(t) + np.einsum("hk,nkj->nhj", self.hats, tried))
        costs = cost(run.q, run.v, t)
        spread = 0.02 + 0.3 * (np.median(costs) - costs.min())
        weights = np.exp((costs.min() - costs) / spread)
        self.knots = np.einsum("n,nkj->kj", weights / weights.sum(), tried)


def trot(model, seed=0, seconds=5.0, threads=2, push=60.0, planning=True, each=None):
    """Path of the trunk (time, x, y, z), and the time of planning by that of the robot."""
    world = heft.World(model)
    planner = Planner(model, np.random.default_rng(seed), threads)
    path, busy = [], 0.0
    steps = round(PERIOD / model.time_step)
    for period in range(round(seconds / PERIOD)):
        now = world.time
        if planning:
            begin = time.monotonic()
            planner.plan(world.q, world.v, now)
            busy += time.monotonic() - begin
        for k in range(steps):
            after = k * model.time_step
            world.controls[:] = pattern(now + after) + planner.change(after)
            if 2.0 <= now + after < 2.2:
                world.body("trunk").apply_force((0, push, 0))
            world.step()
        path.append((world.time, *world.q[:3]))
        if each is not None:
            each(world)
        if world.q[2] < 0.35:
            break
    return np.array(path), busy / world.time


def reached(path, seconds):
    """Whether the run met the goal."""
    t, x, y, z = path[-1]
    return t > seconds - PERIOD and x >= 0.4 * seconds and abs(y) < 0.5 and z > 0.4


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=0, help="first seed")
    parser.add_argument("--seeds", type=int, default=1, help="number of seeds, one run for each")
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--push", type=float, default=60.0, help="sideways force after 2 s [N]")
    parser.add_argument("--pattern-alone", action="store_true", help="no planning")
    parser.add_argument("--film", help="draw the last run to this file, such as trot.mp4")
    parser.add_argument("--model", default="examples/quadruped.xml")
    args = parser.parse_args()
    model = heft.load(args.model)
    film = Film(args.film, round(1 / PERIOD)) if args.film else None
    good = 0
    for seed in range(args.seed, args.seed + args.seeds):
        planning = not args.pattern_alone
        each = None
        if film and seed == args.seed + args.seeds - 1:
            each = lambda world: film.add(world, (-60, 15, 2.2, world.q[0], 0, 0.35), ["forces"])
        path, load = trot(model, seed, args.seconds, args.threads, args.push, planning, each)
        if args.seeds == 1:
            for t, x, y, z in path[11::12]:
                print(f"{t:.2f} s: x {x:.2f} m, y {y:+.2f} m, height {z:.3f} m")
        t, x, y, z = path[-1]
        good += reached(path, args.seconds)
        print(f"seed {seed}: {x:.2f} m in {t:.2f} s, {y:+.2f} m off; planning took {load:.2f} of the time", flush=True)
    if film:
        film.close()
    print(f"goal reached with {good} of {args.seeds} seeds")


if __name__ == "__main__":
    main()
