# SPDX-License-Identifier: Apache-2.0
"""A task of heft.gym is learned: augmented random search (Mania et al., arXiv:1803.07055) of a policy of few numbers.

Each generation tries random changes of the policy, forwards and backwards from the same start, all of them in one
vector environment, and moves the policy along the differences of the better ones. No derivative is needed. policies.py has the
policy of each task and the return that counts as learned; learned.json has one policy of each that reaches it.
"""

import argparse
import json
import pathlib
import time

import numpy as np

import heft
from film import Film
from policies import LESSONS, Policy

DIRECTIONS, BEST = 16, 8  # changes of the policy in a generation, and how many of them move it
JUDGES = 16  # episodes that judge a policy
STORED = pathlib.Path(__file__).with_name("learned.json")


def make(name, count, steps, threads=1):
    return heft.gym.make_vec(name, count, threads=threads, autoreset_mode="Disabled", dtype=np.float64, steps_max=steps)


def episode(env, policy, parameters, seeds, each=None):
    """Return of each world, with parameters for each one."""
    observation, _ = env.reset(seed=seeds)
    total, done, step = np.zeros(env.num_envs), np.zeros(env.num_envs, bool), 0
    while not done.all():
        observation, reward, terminated, truncated, _ = env.step(policy(parameters, observation, step))
        total += reward
        done, step = terminated | truncated, step + 1
        if each is not None:
            each(env)
    return total


def judge(name, parameters, threads=1, seed=10**6, count=JUDGES):
    """Mean return of episodes whose starts the search has not seen, and the same in words."""
    env = make(name, count, LESSONS[name].steps, threads)
    every = np.broadcast_to(parameters, (count, *np.shape(parameters)))
    total = episode(env, Policy(env.task, LESSONS[name]), every, [seed + i for i in range(count)])
    way = f", {env.batch.q[:, 0].mean():.1f} m forward" if hasattr(env.task, "place") else ""
    return float(total.mean()), f"return {total.mean():.0f}{way}"


def learn(name, seed, generations, threads=1, say=print):
    """Parameters, return and number of generations when it reaches the goal, or else the best that it found."""
    lesson, begin = LESSONS[name], time.process_time()
    env = make(name, 2 * DIRECTIONS, lesson.training, threads)
    if hasattr(env.task, "alive"):
        env.task.alive = lesson.alive  # more of it teaches to stay where it is
    policy, random = Policy(env.task, lesson), np.random.default_rng(seed)
    parameters, best = policy.first(), (policy.first(), -np.inf, 0)
    for generation in range(1, generations + 1):
        changes = random.standard_normal((DIRECTIONS, *policy.shape))
        tried = parameters + lesson.spread * np.concatenate([changes, -changes])
        start = int(random.integers(2**31))
        seeds = [start + i % lesson.starts for i in range(DIRECTIONS)] * 2
        forwards, backwards = episode(env, policy, tried, seeds).reshape(2, DIRECTIONS)
        good = np.argsort(-np.maximum(forwards, backwards))[:BEST]
        scale = np.concatenate([forwards[good], backwards[good]]).std() + 1e-9
        move = np.einsum("k,k...->...", (forwards - backwards)[good], changes[good])
        parameters = parameters + lesson.spread / (BEST * scale) * move
        if generation % 10 == 0 or generation == generations:
            result, words = judge(name, parameters, threads)
            say(f"generation {generation}: {words}; {time.process_time() - begin:.0f} s of processor time")
            if result > best[1]:
                best = parameters, result, generation
            # a few starts may be lucky ones: four times as many others confirm it
            if result >= lesson.goal and judge(name, parameters, threads, 3 * 10**6, 4 * JUDGES)[0] >= lesson.goal:
                best = parameters, result, generation
                break
    return best


def stored(name):
    """Parameters that were learned before."""
    return np.array(json.loads(STORED.read_text())[name])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("task", nargs="?", default="hopper", help="one of " + ", ".join(LESSONS))
    parser.add_argument("--seed", type=int, default=0, help="first seed")
    parser.add_argument("--seeds", type=int, default=1, help="number of seeds, one run for each")
    parser.add_argument("--generations", type=int, default=200, help="at most so many; 0: the policy of learned.json")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--film", help="draw the last policy to this file, such as hop.mp4")
    parser.add_argument("--store", action="store_true", help="write the last policy to learned.json")
    args = parser.parse_args()
    lesson, parameters = LESSONS[args.task], None
    for seed in range(args.seed, args.seed + args.seeds):
        begin, generation = time.process_time(), 0
        if args.generations:
            parameters, _, generation = learn(args.task, seed, args.generations, args.threads,
                                              lambda text: print(text, flush=True))
        else:
            parameters = stored(args.task)
        used = time.process_time() - begin
        result, words = judge(args.task, parameters, args.threads, seed=2 * 10**6)
        print(f"{args.task}, seed {seed}: {words}; {generation} generations, {used:.0f} s of processor time; the goal is "
              f"{lesson.goal}{'' if result >= lesson.goal else ': NOT REACHED'}", flush=True)
    if args.store:
        known = json.loads(STORED.read_text()) if STORED.exists() else {}
        known[args.task] = np.round(parameters, 4).tolist()
        STORED.write_text("{\n" + ",\n".join(f"{json.dumps(k)}: {json.dumps(v)}" for k, v in sorted(known.items())) + "\n}\n")
    if args.film:
        env = make(args.task, 1, lesson.steps)
        film = Film(args.film, env.metadata["render_fps"])
        side = lambda q: (-90, 8, 3.5, q[0], 0, 0.6)
        episode(env, Policy(env.task, lesson), parameters[None], [0],
                lambda env: film.add(env.batch.world(0), side(env.batch.q[0])))
        film.close()


if __name__ == "__main__":
    main()
