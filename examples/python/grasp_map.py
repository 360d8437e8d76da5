# SPDX-License-Identifier: Apache-2.0
"""A map of grasps: for which squeeze and friction does a gripper lift a ball?

Each point of the map is a world of its own. The answer is known: two fingers carry the ball if
2 mu F >= m g. The program draws the map with this line.
"""

import argparse

import numpy as np

import heft

WEIGHT = 0.3 * 9.81  # of the ball [N]
FRICTION = 0.8  # of the model


def lift(model, squeeze, friction, threads):
    """Height of the ball [m] after the lift, for each squeeze [N] and friction coefficient."""
    batch = heft.Batch(model, squeeze.size, threads=threads, friction_scale=friction / FRICTION)
    left, right, up = (model.find(heft.Named.ACTUATOR, name) for name in ("left", "right", "lift"))
    batch.controls[:, left] = squeeze
    batch.controls[:, right] = squeeze
    batch.step(300)
    for height in np.linspace(0, 0.1, 50):
        batch.controls[:, up] = height
        batch.step(20)
    batch.step(300)
    ball = model.joint_q[model.body_joint[model.find(heft.Named.BODY, "ball")]]
    return batch.q[:, ball + 2]


def draw(path, squeeze, friction, held):
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(6, 4.5), layout="constrained")
    axes.pcolormesh(squeeze, friction, held, cmap="RdYlGn", vmin=-0.3, vmax=1.3, shading="nearest")
    line = np.linspace(friction.min(), friction.max(), 200)
    axes.plot(WEIGHT / (2 * line), line, "k", label="2 \u00b5 F = m g")
    axes.set(xlim=(squeeze.min(), squeeze.max()), xlabel="squeeze of each finger F [N]", ylabel="friction coefficient \u00b5")
    axes.set_title("green: the gripper lifts the ball")
    axes.legend()
    figure.savefig(path, dpi=100)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=40, help="points in each direction")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--model", default="examples/gripper.xml")
    parser.add_argument("--out", help="draw the map to this file")
    args = parser.parse_args()
    squeeze, friction = np.meshgrid(np.linspace(1, 12, args.size), np.linspace(0.1, 1, args.size))
    height = lift(heft.load(args.model), squeeze.ravel(), friction.ravel(), args.threads)
    held = (height > 0.1).reshape(squeeze.shape)
    known = 2 * friction * squeeze >= WEIGHT
    print(f"{held.sum()} of {held.size} grasps hold; {np.sum(held != known)} differ from 2 mu F >= m g")
    if args.out:
        draw(args.out, squeeze, friction, held)


if __name__ == "__main__":
    main()
