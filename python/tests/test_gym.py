# SPDX-License-Identifier: Apache-2.0
"""Environments: the rules of Gymnasium's checker, autoreset, randomisation, the same bits for all threads.

The rules are tested without Gymnasium; where it is installed, its own checker and its SyncVectorEnv judge, too.
"""

import importlib.util
import os
import pickle
import warnings
from typing import Any

import numpy as np
import pytest

import heft
import heft.gym

NAMES = heft.gym.names()
EPISODES = 1000 if os.environ.get("HEFT_FULL") else 100


def actions_of(env: heft.gym.VectorEnv, steps: int, seed: int = 0) -> np.ndarray[Any, Any]:
    shape = (steps, env.num_envs, *env.single_action_space.shape)
    return np.random.default_rng(seed).uniform(-1, 1, shape).astype(np.float32)


@pytest.mark.parametrize("name", NAMES)
def test_rules_of_the_environment_checker(name: str) -> None:
    env = heft.gym.make(name)
    space = env.observation_space
    assert space.dtype == np.float32 and (env.action_space.low == -1).all() and (env.action_space.high == 1).all()
    first, info = env.reset(seed=123)
    state = env.unwrapped._np_random.bit_generator.state
    second, _ = env.reset()
    assert first in space and second in space and info == {}
    again, _ = env.reset(seed=123)
    assert (first == again).all() and env.np_random.bit_generator.state == state and (second == env.reset()[0]).all()
    other, _ = env.reset(seed=456)
    assert (other != first).any() and env.np_random.bit_generator.state != state
    env.reset(options={})
    env.action_space.seed(123)
    action = env.action_space.sample()
    assert action in env.action_space
    rows = []
    for _ in range(2):
        env.reset(seed=123)
        observation, reward, terminated, truncated, info = env.step(action)
        assert observation in space and np.isfinite(observation).all() and info == {}
        assert type(reward) is float and np.isfinite(reward) and terminated is False and truncated is False
        rows.append((observation.tobytes(), reward))
    assert rows[0] == rows[1] and env.render() is None
    env.close()
    env.close()


@pytest.mark.skipif(not importlib.util.find_spec("gymnasium"), reason="Gymnasium is not installed")
@pytest.mark.parametrize("name", NAMES)
def test_gymnasium_accepts(name: str) -> None:
    import gymnasium
    from gymnasium.utils.env_checker import check_env
    env = gymnasium.make(f"heft/{name}-v0").unwrapped
    with warnings.catch_warnings():
        warnings.filterwarnings("error")
        warnings.filterwarnings("ignore", ".*infinity.*")
        check_env(env, skip_render_check=True)
    for mode in ("NextStep", "SameStep"):
        one = [lambda: heft.gym.make(name, steps_max=5)] * 3
        theirs = gymnasium.vector.SyncVectorEnv(one, autoreset_mode=mode)
        ours = heft.gym.make_vec(name, 3, autoreset_mode=mode, steps_max=5)
        assert theirs.action_space == ours.action_space and theirs.observation_space == ours.observation_space
        assert (theirs.reset(seed=4)[0] == ours.reset(seed=4)[0]).all()
        for action in actions_of(ours, 13):
            a, b = theirs.step(action), ours.step(action)
            assert all((x == y).all() and x.dtype == y.dtype for x, y in zip(a[:4], b[:4]))
            assert a[4].keys() == b[4].keys()
            for x, y in zip(a[4].get("final_obs", ()), b[4].get("final_obs", ())):
                assert (x is None and y is None) or (x == y).all()


def test_worlds_are_single_environments() -> None:
    env = heft.gym.make_vec("ant", 3, autoreset_mode="Disabled", dtype=np.float64)
    observations, _ = env.reset(seed=8)
    for action in actions_of(env, 5):
        observations, rewards, *_ = env.step(action)
    for i in range(3):
        one = heft.gym.make("ant", dtype=np.float64)
        one.reset(seed=8 + i)
        for action in actions_of(env, 5):
            observation, reward, *_ = one.step(action[i])
        assert observation.tobytes() == observations[i].tobytes() and reward == rewards[i]


def test_seeds_as_number_list_and_array() -> None:
    env = heft.gym.make_vec("hopper", 3)
    first = env.reset(seed=4)[0].tobytes()
    for seeds in ([4, 5, 6], np.array([4, 5, 6]), np.int64(4)):
        assert env.reset(seed=seeds)[0].tobytes() == first  # type: ignore[arg-type]
    kept = env.reset(seed=[None, 5, 6])[0]
    assert kept.tobytes() != first and (kept[1:].tobytes() == env.reset(seed=4)[0][1:].tobytes())


def test_next_step_ignores_the_action_after_an_end() -> None:
    env = heft.gym.make_vec("reach", 2, steps_max=3)
    env.reset(seed=1)
    for step in range(1, 5):
        observations, rewards, terminated, truncated, infos = env.step(np.ones((2, 6)))
        assert truncated.tolist() == [step == 3] * 2 and not terminated.any() and infos == {}
    single = heft.gym.make("reach")
    single.reset(seed=1)
    assert (rewards == 0).all() and (observations[0] == single.reset()[0]).all()


def test_same_step_gives_the_last_observation() -> None:
    env = heft.gym.make_vec("hopper", 2, autoreset_mode="SameStep", steps_max=2)
    env.reset(seed=[1, 50])
    env.step(np.zeros((2, 3)))
    observations, _, _, truncated, infos = env.step(np.zeros((2, 3)))
    assert truncated.all() and infos["_final_obs"].all() and infos["_final_info"].all()
    single = heft.gym.make("hopper")
    single.reset(seed=50)
    single.step(np.zeros(3))
    assert (infos["final_obs"][1] == single.step(np.zeros(3))[0]).all()
    assert (observations[1] == single.reset()[0]).all()


def test_disabled_needs_a_reset() -> None:
    env = heft.gym.make_vec("hopper", 3, autoreset_mode="Disabled", steps_max=1)
    env.reset(seed=0)
    env.step(np.zeros((3, 3)))
    with pytest.raises(RuntimeError, match="world 0: its episode has ended; call reset()"):
        env.step(np.zeros((3, 3)))
    env.reset(options={"reset_mask": np.array([True, True, False])})
    with pytest.raises(RuntimeError, match="world 2"):
        env.step(np.zeros((3, 3)))


def test_falls_terminate() -> None:
    env = heft.gym.make("hopper")
    env.reset(seed=0)
    for count in range(1, 1000):
        _, _, terminated, truncated, _ = env.step([1, -1, 1])
        if terminated:
            break
    assert terminated and not truncated and count < 200


def test_each_episode_has_its_parameters() -> None:
    ranges: dict[str, Any] = {"mass_scale": (0.5, 2.0), "friction_scale": (0.2, 1.0), "gain_scale": (0.5, 1.5),
              "restitution": lambda random: random.uniform(0, 0.5), "gravity": ([0, 0, -12], [0, 0, -8])}
    env = heft.gym.make_vec("hopper", 3, randomize=ranges, steps_max=1, autoreset_mode="SameStep")
    env.reset(seed=2)
    seen: list[list[float]] = []
    for _ in range(3):
        seen.append([env.batch.world(i).body_mass(1) for i in range(3)] + [env.batch.world(0).gravity[2]])
        env.step(np.zeros((3, 3)))
    base = heft.World(env.task.model).body_mass(1)
    masses = np.array(seen)[:, :3]
    assert np.unique(masses).size == 9 and (masses >= 0.5 * base).all() and (masses <= 2 * base).all()
    assert len({row[3] for row in seen}) == 3 and all(-12 <= row[3] <= -8 for row in seen)
    env.reset(options={"mass_scale": [1, 1.5, 2]})
    assert [env.batch.world(i).body_mass(1) for i in range(3)] == pytest.approx([base, 1.5 * base, 2 * base])


def test_noise_of_sensors_is_that_of_the_seed() -> None:
    model = heft.loads("<mujoco><worldbody><body><joint name='pin' type='hinge' axis='0 1 0'/><geom size='.1'/></body>"
                       "</worldbody><sensor><jointpos joint='pin' noise='0.1'/></sensor></mujoco>")
    env = heft.gym.VectorEnv(model, 2)
    empty = np.zeros((2, 0))
    rows = []
    for seed in (1, 1, 2):
        env.reset(seed=seed)
        rows.append(env.step(empty)[0][:, 2].copy())
    assert (rows[0] == rows[1]).all() and rows[0][0] != rows[0][1] == rows[2][0]


def play(env: heft.gym.VectorEnv, pickled: bool) -> tuple[int, list[bytes]]:
    """Numbers of episodes, and everything that the steps gave."""
    episodes, seen = 0, [env.reset(seed=11)[0].tobytes()]
    rows = actions_of(env, 4 * EPISODES)
    for k, action in enumerate(rows):
        if pickled and k % (len(rows) // 4) == 3:
            former, env = env, pickle.loads(pickle.dumps(env))
            former.close()
        observations, rewards, terminated, truncated, infos = env.step(action)
        episodes += int((terminated | truncated).sum())
        seen.append(observations.tobytes() + rewards.tobytes() + terminated.tobytes() + truncated.tobytes())
        seen += [x.tobytes() for x in infos.get("final_obs", ()) if x is not None]
    env.close()
    return episodes, seen


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_same_bits_with_threads_and_after_pickling(mode: str) -> None:
    def make(threads: int) -> heft.gym.VectorEnv:
        return heft.gym.make_vec("hopper", 4, threads=threads, autoreset_mode=mode, steps_max=15,
                                 randomize={"friction_scale": (0.5, 1.5), "mass_scale": (0.9, 1.1)})
    episodes, seen = play(make(1), False)
    assert episodes >= EPISODES
    assert play(make(2), False)[1] == seen
    assert play(make(2), True)[1] == seen


def test_arrays_can_be_shared() -> None:
    env = heft.gym.make_vec("hopper", 2, copy=False)
    first, _ = env.reset(seed=0)
    again = env.step(np.zeros((2, 3)))[0]
    assert first is again and np.shares_memory(np.from_dlpack(again), first) and first.dtype == np.float32
    copies = heft.gym.make_vec("hopper", 2)
    assert not np.shares_memory(copies.reset(seed=0)[0], copies.step(np.zeros((2, 3)))[0])


def test_own_task_and_picture() -> None:
    class Tall(heft.gym.Task):
        def terminated(self, batch: heft.Batch) -> Any:
            return batch.q[:, 2] > 100

    model = heft.load(heft.models.path("quadruped"))
    env = heft.gym.VectorEnv(Tall(model, noise=0.01, key=None), 2, render_mode="rgb_array")
    env.reset(seed=1)
    assert not env.step(np.zeros((2, 0)))[2].any()
    try:
        pictures = env.render()
    except (heft.Error, ImportError) as error:
        pytest.skip(f"no pictures here: {error}")
    assert pictures is not None and len(pictures) == 2 and pictures[0].shape[2] == 3
