# SPDX-License-Identifier: Apache-2.0
"""Cameras, lidars and rays: depth in closed form and against the drawn picture, batches, threads, environments."""

import os

import numpy as np
import pytest
from numpy.typing import NDArray

import heft

ROOM = """<mujoco><worldbody><geom name="floor" type="plane" size="0 0 1" rgba="1 0 0 1"/>
<geom name="wall" type="box" pos="3 0 1" size=".5 4 1" rgba="0 1 0 1"/>
<camera name="fixed" pos="0 0 1" xyaxes="0 -1 0 0 0 1" fovy="60"/>
<camera name="top" pos="0 0 5" mode="targetbody" target="cart"/>
<body name="cart" pos="0 0 1"><freejoint/><geom name="hull" size=".1"/><site name="eye" pos="0 0 .2" zaxis="0 0 1"/>
<camera name="front" pos=".3 0 0" xyaxes="0 -1 0 0 0 1"/></body></worldbody></mujoco>"""
SHAPES = """<mujoco><asset><mesh name="cube" vertex="{corners}"/></asset><worldbody>
<geom name="{name}" {geom} pos="1 2 3" euler="20 30 40"/></worldbody></mujoco>"""
CORNERS = " ".join(f"{x} {y} {z}" for x in (-0.5, 0.5) for y in (-0.4, 0.4) for z in (-0.3, 0.3))


def test_depth_and_shapes_in_closed_form() -> None:
    world = heft.World(heft.loads(ROOM))
    sight = world.look("fixed", 33, 25, colour=True)
    wall, floor = (world.model.find(heft.Named.SHAPE, name) for name in ("wall", "floor"))
    assert sight.shape[12, 16] == wall and sight.depth[12, 16] == pytest.approx(2.5)
    assert (sight.depth[sight.shape == wall] == pytest.approx(2.5)), "depth is along the axis, not along the ray"
    slope = np.tan(np.radians(30)) * (2 * 24.5 / 25 - 1)
    assert sight.shape[24, 16] == floor and sight.depth[24, 16] == pytest.approx(1 / slope)
    assert sight.colour is not None and sight.colour[12, 16].tolist() == [0, 217, 0]
    assert (sight.shape[0] == -1).all() and np.isinf(sight.depth[0]).all()
    assert np.isinf(world.look("fixed", 33, 25, max_distance=2.0).depth[12, 16])


def test_camera_follows() -> None:
    world = heft.World(heft.loads(ROOM))
    world.q = np.array([1, 0.5, 1, 1, 0, 0, 0])
    hull = world.model.find(heft.Named.SHAPE, "hull")
    assert world.look("top", 31, 31).shape[15, 15] == hull
    assert world.look("front", 31, 31).depth[15, 15] == pytest.approx(1.2)


def test_lidar_and_rays() -> None:
    world = heft.World(heft.loads(ROOM))
    ranges = world.lidar("eye", [0.0, np.pi / 4, np.pi], [0.0, -np.pi / 6])
    np.testing.assert_allclose(ranges, [[2.5, 2.5 * 2**0.5, np.inf], [2.4, 2.4, 2.4]], rtol=1e-12)
    hits = world.rays([[0, 0, -2], [0, 0, 1]], body="cart")
    assert hits.distance.tolist() == [1.0, np.inf], "a shape that contains the origin is not met"
    assert world.rays([[0, 0, -1]], [[0, 0, 0.5]], body="cart").shape[0] == world.model.find(heft.Named.SHAPE, "hull")
    assert world.rays([[0, 0, -1]], [[0, 0, 0.5]], body="cart", except_body="cart").distance[0] == 1.5


def test_hull_is_a_box() -> None:
    """A hull of eight corners and a box meet the same rays at the same place."""
    box = heft.World(heft.loads(SHAPES.format(corners=CORNERS, name="box", geom='type="box" size=".5 .4 .3"')))
    hull = heft.World(heft.loads(SHAPES.format(corners=CORNERS, name="hull", geom='type="mesh" mesh="cube"')))
    random = np.random.default_rng(3)
    origins = np.array([1.0, 2, 3]) + 2 * random.standard_normal((2000, 3))
    ways = np.array([1.0, 2, 3]) + 0.6 * random.standard_normal((2000, 3)) - origins
    one, two = box.rays(ways, origins), hull.rays(ways, origins)
    assert 500 < (one.shape >= 0).sum() < 1800
    np.testing.assert_array_equal(one.shape, two.shape)
    np.testing.assert_allclose(one.distance, two.distance, atol=1e-12)
    np.testing.assert_allclose(one.normal, two.normal, atol=1e-12)
    reach = box.rays(ways, origins, max_distance=1.5)
    np.testing.assert_array_equal(reach.shape >= 0, one.distance <= 1.5)
    np.testing.assert_array_equal(hull.rays(ways, origins, max_distance=1.5).shape, reach.shape)


def _bounds(world: heft.World, camera: str, width: int, height: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Smallest and largest depth of rays in each pixel and half a pixel around it."""
    parts = 4
    fine = np.pad(world.look(camera, parts * width, parts * height).depth, parts // 2, mode="edge")
    many = [fine[i:i + parts * height:parts, j:j + parts * width:parts] for i in range(2 * parts)
            for j in range(2 * parts)]
    return np.minimum.reduce(many), np.maximum.reduce(many)


@pytest.mark.skipif("HEFT_NO_PICTURES" in os.environ, reason="no OpenGL")
def test_drawn_depth_is_the_depth_of_rays() -> None:
    world = heft.World(heft.load(heft.models.path("moved")))
    world.step(200)
    try:
        drawn = heft.render_depth(world, 64, 48, camera="overview")
    except (ImportError, heft.HeftError) as error:
        pytest.skip(str(error))
    low, high = _bounds(world, "overview", 64, 48)
    seen = np.isfinite(drawn)  # the floor is drawn up to its size, rays meet it everywhere
    assert seen.sum() > 2000
    assert (drawn[seen] > low[seen] - 5e-3).all() and (drawn[seen] < high[seen] + 5e-3).all(), "facets differ by mm"


def test_batch_is_the_worlds() -> None:
    model = heft.loads(ROOM)
    q = np.tile(model.q_default, (5, 1)) + np.arange(5)[:, None] * np.eye(7)[1] * 0.3
    sights = []
    for threads in (1, 2):
        batch = heft.Batch(model, 5, threads)
        batch.set_states(q)
        before = [batch.hash(i) for i in range(5)]
        sights.append((batch.look("front", 16, 12, colour=True), batch.lidar("eye", np.linspace(0, 6, 50))))
        assert [batch.hash(i) for i in range(5)] == before
    (one, far), (two, also_far) = sights
    assert one.depth.shape == (5, 12, 16) and one.colour is not None and one.colour.shape == (5, 12, 16, 3)
    assert far.shape == (5, 1, 50) and far.tobytes() == also_far.tobytes()
    assert one.depth.tobytes() == two.depth.tobytes() and one.shape.tobytes() == two.shape.tobytes()
    world = heft.World(model)
    for i in range(5):
        world.q = q[i]
        assert world.look("front", 16, 12).depth.tobytes() == one.depth[i].tobytes()


def test_looking_changes_nothing() -> None:
    model = heft.load(heft.models.path("quadruped"))
    one, two = heft.World(model), heft.World(model)
    for _ in range(60):
        one.step()
        two.step()
        two.rays([[0, 0, -1]], body="trunk")
    assert one.hash() == two.hash()


class Sighted(heft.gym.Task):
    """Sees the wall: the observation is a depth picture, nearness in 0 to 1."""

    def observe(self, batch: heft.Batch) -> list[NDArray[np.float64]]:
        return [1 / (1 + batch.look("front", 8, 6).depth.reshape(batch.count, -1).astype(float)), batch.v]


def test_environment_with_eyes() -> None:
    task = Sighted(heft.loads(ROOM), noise=0.01)
    runs = []
    for threads in (1, 2):
        env = heft.gym.VectorEnv(task, 3, threads=threads)
        first, _ = env.reset(seed=5)
        assert env.single_observation_space.shape == (54,) and env.observation_space.contains(first)
        runs.append([first, *(env.step(np.zeros((3, 0)))[0] for _ in range(5))])
    assert all(a.tobytes() == b.tobytes() for a, b in zip(*runs))
