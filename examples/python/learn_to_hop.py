# SPDX-License-Identifier: Apache-2.0
"""A hopper learns to hop: evolution of a linear policy, all members of a generation in one batch.

Goal: 2 m forward in 4 s without a fall, from three starts with the trunk turned forward, upright and
backward. The first policy falls at once.
"""

import argparse
import time

import numpy as np

import heft
from evolution import Evolution
from film import Film

POPULATION = 32
TURNED = np.array([-0.05, 0, 0.05])  # the trunk at the three starts [rad]
STEP = 0.004  # [s]
CONTROL = 0.02  # the policy acts so often [s]
SECONDS = 4.0
GOAL = 2.0  # [m]
HOPS = 2.0  # rhythm that the policy sees [1/s]
POSE = np.array([-0.5, 1.0, -0.5])  # hip, knee and ankle at the start
REACH = np.array([0.6, 0.8, 0.6])  # largest deviation of the servos from it
OBSERVED = 14  # height, pitch, three joints, six velocities, clock (2), one
TRUNK = 0.98  # height of the trunk at q = 0
FALLS = [heft.End("q", "up", min=0.6 - TRUNK), heft.End("q", "pitch", min=-0.7, max=0.7)]


def start(batch, turned):
    """The leg bent, the foot 2 mm above the floor; one angle of the trunk for each world."""
    height = (0.42 + 0.46) * np.cos(0.5) + 0.08 + 0.002
    q = np.tile([0, height - TRUNK, 0, *POSE], (batch.count, 1))
    q[:, 2] = turned
    return q, np.zeros_like(batch.v)


def observe(batch, t):
    clock = 2 * np.pi * HOPS * t
    fixed = np.tile([np.sin(clock), np.cos(clock), 1.0], (batch.count, 1))
    return np.concatenate([batch.q[:, 1:], np.clip(0.1 * batch.v, -3, 3), fixed], axis=1)


def episode(batch, policies, turned, each=None):
    """Reward of each world, and whether it reaches the goal; one policy per world."""
    batch.reset()
    batch.set_states(*start(batch, turned))
    reward = np.zeros(batch.count)
    steps = round(CONTROL / STEP)
    for k in range(round(SECONDS / CONTROL)):
        acts = np.einsum("nij,nj->ni", policies, observe(batch, k * CONTROL))
        batch.controls[:] = POSE + REACH * np.tanh(acts)
        batch.step(steps)
        reward += ~batch.ended * CONTROL * (0.3 + np.clip(batch.v[:, 0], -1, 1))
        if each is not None:
            each(batch)
        if batch.ended.all():
            break
    return reward, ~batch.ended & (batch.q[:, 0] >= GOAL)


def learn(model, seed, generations, threads, say=print):
    """The policy, and mean and best reward of each generation. Ends when a policy reaches the goal."""
    worlds = POPULATION * TURNED.size
    batch = heft.Batch(model, worlds, threads=threads, time_step=STEP, ends=FALLS)
    shape = (model.nactuator, OBSERVED)
    search = Evolution(np.zeros(shape[0] * shape[1]), 0.3, POPULATION, np.random.default_rng(seed))
    rewards, begin = [], time.monotonic()
    for generation in range(1, generations + 1):
        policies = search.ask().reshape(POPULATION, *shape)
        reward, reached = episode(batch, policies.repeat(TURNED.size, 0), np.tile(TURNED, POPULATION))
        reward = reward.reshape(POPULATION, -1).mean(1)
        good = reached.reshape(POPULATION, -1).sum(1)
        search.tell(reward)
        best = (reward + 100 * good).argmax()
        rewards.append((reward.mean(), reward.max()))
        if good[best] == TURNED.size or generation % 10 == 0:
            say(
                f"generation {generation}: reward {reward.mean():.2f}, best {reward.max():.2f}; goal "
                f"reached from {good[best]} of {TURNED.size} starts; {time.monotonic() - begin:.0f} s"
            )
        if good[best] == TURNED.size:
            break
    return policies[best], np.array(rewards)


def judge(model, policy, turned, each=None):
    """From how many starts the policy reaches the goal, and the distance from the first [m]."""
    batch = heft.Batch(model, len(turned), time_step=STEP, ends=FALLS)
    _, reached = episode(batch, np.tile(policy, (len(turned), 1, 1)), turned, each)
    return int(reached.sum()), float(batch.q[0, 0])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=0, help="first seed")
    parser.add_argument("--seeds", type=int, default=1, help="number of seeds, one run for each")
    parser.add_argument("--generations", type=int, default=300, help="at most so many")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--model", default="examples/hopper.xml")
    parser.add_argument("--save", help="write the last policy to this .npy file")
    parser.add_argument("--film", help="draw the last policy to this file, such as hop.mp4")
    args = parser.parse_args()
    model = heft.load(args.model)
    good = 0
    for seed in range(args.seed, args.seed + args.seeds):
        policy, rewards = learn(model, seed, args.generations, args.threads)
        reached, distance = judge(model, policy, TURNED)
        others, _ = judge(model, policy, np.linspace(TURNED.min(), TURNED.max(), 20))
        good += reached == TURNED.size
        print(
            f"seed {seed}: {len(rewards)} generations, {distance:.2f} m; goal reached from {reached} of "
            f"{TURNED.size} starts, and from {others} of 20 between them",
            flush=True,
        )
    print(f"goal reached with {good} of {args.seeds} seeds")
    if args.save:
        np.save(args.save, policy)
    if args.film:
        film = Film(args.film, round(1 / CONTROL))
        side = lambda batch: (-90, 8, 3, batch.q[0, 0], 0, 0.6)
        judge(model, policy, [0.0], lambda batch: film.add(batch.world(0), side(batch)))
        film.close()


if __name__ == "__main__":
    main()
