# SPDX-License-Identifier: Apache-2.0
"""A step as a function of PyTorch: its gradients against differences, through one step and through a hundred."""

import os
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import heft

torch: Any = pytest.importorskip("torch", reason="PyTorch is not installed")
import heft.torch  # noqa: E402

SOURCE = Path(os.environ["HEFT_SOURCE_DIR"])
BALL = "<geom type='sphere' size='.02' pos='{}' mass='.1'/>"
TRIPOD = ("<mujoco><option timestep='0.001'/><worldbody><geom type='plane' size='9 9 1' friction='.5 0 0'/><body><freejoint/>"
          "<geom type='box' size='.1 .07 .05' pos='0 0 .06' mass='1'/>" + "".join(map(BALL.format, (".1 0 -.08", "-.1 .07 -.08", "-.1 -.07 -.08")))
          + "<body pos='0 0 .12'><joint type='ball' damping='.02'/><geom type='capsule' fromto='0 0 0 .05 0 .2' size='.02' mass='.3' "
          "contype='0' conaffinity='0'/><body pos='.05 0 .2'><joint name='j' axis='0 1 0'/><geom size='.02' contype='0' conaffinity='0'/>"
          "</body></body></body></worldbody><actuator><motor joint='j' gear='2'/></actuator></mujoco>")


@pytest.fixture(autouse=True)
def exact() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("error", heft.torch.InexactGradient)
        yield


def tripods() -> tuple[heft.World, list[Any]]:
    """A tripod with an arm on a ball joint, three times: it slides, slides turned, and flies."""
    model = heft.loads(TRIPOD)
    random = np.random.default_rng(0)
    q = np.tile(model.q_default, (3, 1))
    q[:, 2] = [.1 - 1e-4, .1 - 1e-4, 1]
    q[1, 3:7], q[2, 3:7] = heft.math.quat_exp((0, 0, .7)), heft.math.quat_exp((.3, .2, -1))
    q[:, 7:11] = [heft.math.quat_exp(x) for x in random.standard_normal((3, 3))]
    v = np.array([[.1], [.1], [.5]]) * random.standard_normal((3, model.nv))
    v[:2, :6] = [[1, 0, 0, 0, 0, .5], [.3, -1, 0, 0, 0, 0]]
    rows = [q, v, random.standard_normal((3, 1)), .1 * random.standard_normal((3, model.nv))]
    world = heft.World(model, tolerance=1e-12, sleep=0, rest=0)
    return world, [torch.from_dlpack(np.ascontiguousarray(x)).requires_grad_() for x in rows]


def test_gradients_are_the_differences() -> None:
    """By all numbers that a step gets, quaternions among them."""
    world, rows = tripods()
    assert torch.autograd.gradcheck(lambda *x: heft.torch.step(world, *x), rows, eps=1e-5, atol=1e-5, rtol=1e-6)
    bad = heft.loads(TRIPOD.replace("gear='2'", "gear='3'"))  # the check can fail
    other = heft.World(bad, tolerance=1e-12, sleep=0, rest=0)
    found = torch.autograd.grad(heft.torch.step(world, *rows)[1].sum(), rows[2])[0]
    wrong = torch.autograd.grad(heft.torch.step(other, *rows)[1].sum(), rows[2])[0]
    assert not torch.allclose(found, wrong, rtol=1e-2)


def test_a_row_is_a_step_by_itself() -> None:
    world, rows = tripods()
    q, v = heft.torch.step(world, *rows)
    for i in (2, 0, 1):
        one = heft.torch.step(world, *(x[i] for x in rows))
        assert torch.equal(one[0], q[i]) and torch.equal(one[1], v[i])
        fresh = heft.World(world.model, tolerance=1e-12, sleep=0, rest=0)
        fresh.q, fresh.v, fresh.controls, fresh.joint_forces = (x[i].detach().numpy() for x in rows)
        fresh.step()
        assert (fresh.q == q[i].detach().numpy()).all() and (fresh.v == v[i].detach().numpy()).all()
    assert torch.equal(heft.torch.step(world, rows[0], rows[1])[1],
                       heft.torch.step(world, rows[0], rows[1], 0 * rows[2], 0 * rows[3])[1])
    assert [x.shape for x in heft.torch.step(world, *(x[:0] for x in rows))] == [(0, 12), (0, 10)]


def test_a_gradient_through_a_hundred_steps() -> None:
    """Of two humanoids on their feet by their motors, all at once, against a central difference."""
    sys.path.insert(0, str(SOURCE / "examples" / "python"))
    import stand  # type: ignore[import]
    world = heft.World(heft.gym.make("humanoid").task.model, rest=0, sleep=0, tolerance=1e-12)
    stand.pose(world)
    _, rest = stand.regulator(world)
    stand.pose(world)
    model, random = world.model, np.random.default_rng(0)
    start, slope = torch.tensor(world.q).repeat(2, 1), torch.tensor(random.standard_normal(model.nq + model.nv))
    change = torch.tensor(random.standard_normal((2, rest.size)))

    def at_the_end(controls: Any) -> Any:
        q, v = start, torch.zeros(2, model.nv).double()
        for _ in range(100):
            q, v = heft.torch.step(world, q, v, controls)
        return torch.cat([q, v], 1) @ slope

    middle, eps = torch.tensor(rest).repeat(2, 1), 1e-8  # a larger change lets corners of the feet slip
    controls = middle.clone().requires_grad_()
    gradient = torch.autograd.grad(at_the_end(controls).sum(), controls)[0]
    sides = [at_the_end(middle + sign * eps * change) for sign in (1, -1)]
    assert ((gradient * change).sum(1)).tolist() == pytest.approx(((sides[0] - sides[1]) / (2 * eps)).tolist(), rel=1e-4)


def test_flags_and_wrong_tensors_are_named() -> None:
    world, rows = tripods()
    for index in range(world.model.nmaterial):
        world.set_material(index, heft.Material(friction=.5, restitution=.5))
    down = rows[1].detach().clone()
    down[0, 2] = -1
    with pytest.raises(heft.torch.InexactGradient, match="bounce"):
        heft.torch.step(world, rows[0], down)[0].sum().backward()
    for wrong, error, words in (((rows[0].float(), rows[1]), TypeError, "q: expected float64"),
                                ((rows[0], rows[1][:2]), ValueError, r"v: expected a tensor of shape \(3, 10\), got"),
                                ((rows[0], rows[1], 3.0), TypeError, "controls: expected a tensor, got float"),
                                ((rows[0][None], rows[1][None]), ValueError, "q: expected a tensor of shape"),
                                ((0 * rows[0], rows[1]), ValueError, "quaternion"),
                                ((rows[0], rows[1] * np.nan), ValueError, "nan")):
        with pytest.raises(error, match=words):
            heft.torch.step(world, *wrong)
    with pytest.raises(TypeError, match="world"):
        heft.torch.step(world.model, *rows)  # type: ignore[arg-type]


def test_stones_are_thrown_to_their_places() -> None:
    sys.path.insert(0, str(SOURCE / "examples" / "python"))
    import curl  # type: ignore[import]
    world = heft.World(heft.loads(curl.STONE), theta=1, rest=0, sleep=0)
    throws, count = curl.search(world, curl.PLACES[:1])
    assert abs(curl.lying(world, throws) - curl.PLACES[:1]).max() < 1e-5 and count < 40
