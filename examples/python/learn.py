# SPDX-License-Identifier: Apache-2.0
"""A task of heft.gym is learned: augmented random search of a linear policy (Mania et al., arXiv:1803.07055).

Each generation tries random changes of the policy, forwards and backwards, all of them in one vector
environment, and moves the policy along the differences of the better ones. Observations are normalised by mean
and deviation of all that were seen. No derivative is needed. The first policy of the hopper falls at once; after half
a minute it hops at 1 m/s or more.
"""

import argparse
import time

import numpy as np

import heft
from film import Film

DIRECTIONS, BEST = 16, 8  # changes of the policy in a generation, and how many of them move it
STEP, NOISE = 0.03, 0.05  # how far the policy moves, and how far the changes are from it
JUDGES = 16  # episodes that judge a policy


class Normal:
    """Mean and standard deviation of all observations so far."""

    def __init__(self, size):
        self.count, self.mean, self.squares = 0, np.zeros(size), np.zeros(size)

    def add(self, rows):
        both, shift = self.count + len(rows), rows.mean(0) - self.mean
        self.squares += ((rows - rows.mean(0)) ** 2).sum(0) + shift**2 * self.count * len(rows) / both
        self.mean, self.count = self.mean + shift * len(rows) / both, both

    def __call__(self, rows):
        return (rows - self.mean) / (np.sqrt(self.squares / max(self.count, 1)) + 1e-3)


def episode(env, policies, normal, seeds, each=None):
    """Return of each world, with a policy for each one, and the observations of all."""
    observation, _ = env.reset(seed=seeds)
    total, seen, done = np.zeros(env.num_envs), [], np.zeros(env.num_envs, bool)
    while not done.all():
        seen.append(observation[~done])
        action = np.einsum("nij,nj->ni", policies, normal(observation))
        observation, reward, terminated, truncated, _ = env.step(np.clip(action, -1, 1))
        total += reward
        done = terminated | truncated
        if each is not None:
            each(env)
    return total, np.concatenate(seen)


def make(name, count, steps, threads):
    return heft.gym.make_vec(name, count, threads=threads, autoreset_mode="Disabled", dtype=np.float64, steps_max=steps)


def judge(name, policy, normal, steps, threads=1, seed=10**6):
    """Mean return over episodes with starts that the search has not seen."""
    env = make(name, JUDGES, steps, threads)
    seeds = [seed + i for i in range(JUDGES)]
    return float(episode(env, np.tile(policy, (JUDGES, 1, 1)), normal, seeds)[0].mean())


def learn(name, seed, generations, steps, threads, goal=np.inf, say=print):
    """The policy and its normalisation, after a number of generations or when it reaches the goal."""
    env = make(name, 2 * DIRECTIONS, steps, threads)
    if hasattr(env.task, "alive"):
        env.task.alive = 0.0  # otherwise it learns to stand still
    random, begin = np.random.default_rng(seed), time.process_time()
    policy = np.zeros(env.single_action_space.shape + env.single_observation_space.shape)
    normal = Normal(policy.shape[1])
    for generation in range(1, generations + 1):
        changes = random.standard_normal((DIRECTIONS, *policy.shape))
        policies = np.concatenate([policy + NOISE * changes, policy - NOISE * changes])
        start = int(random.integers(2**31))
        returns, seen = episode(env, policies, normal, [start] * env.num_envs)
        normal.add(seen)
        forwards, backwards = returns.reshape(2, DIRECTIONS)
        best = np.argsort(-np.maximum(forwards, backwards))[:BEST]
        spread = np.concatenate([forwards[best], backwards[best]]).std() + 1e-9
        policy = policy + STEP / (BEST * spread) * np.einsum("k,kij->ij", (forwards - backwards)[best], changes[best])
        if generation % 10 == 0:
            result = judge(name, policy, normal, steps, threads)
            say(f"generation {generation}: return {result:.0f}; {time.process_time() - begin:.0f} s of processor time")
            if result >= goal:
                break
    return policy, normal, generation


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("task", nargs="?", default="hopper", help="one of " + ", ".join(heft.gym.names()))
    parser.add_argument("--seed", type=int, default=0, help="first seed")
    parser.add_argument("--seeds", type=int, default=1, help="number of seeds, one run for each")
    parser.add_argument("--generations", type=int, default=200, help="at most so many")
    parser.add_argument("--steps", type=int, default=300, help="actions of an episode")
    parser.add_argument("--goal", type=float, default=600, help="learning ends at this mean return")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--film", help="draw the last policy to this file, such as hop.mp4")
    args = parser.parse_args()
    for seed in range(args.seed, args.seed + args.seeds):
        policy, normal, generation = learn(args.task, seed, args.generations, args.steps, args.threads, args.goal,
                                           lambda text: print(text, flush=True))
        result = judge(args.task, policy, normal, args.steps, args.threads, seed=2 * 10**6)
        print(f"seed {seed}: return {result:.0f} after {generation} generations", flush=True)
    if args.film:
        env = make(args.task, 1, args.steps, 1)
        film = Film(args.film, env.metadata["render_fps"])
        side = lambda batch: (-90, 8, 3.5, batch.q[0, 0], 0, 0.6)
        episode(env, policy[None], normal, [0], lambda env: film.add(env.batch.world(0), side(env.batch)))
        film.close()


if __name__ == "__main__":
    main()
