# SPDX-License-Identifier: Apache-2.0
"""Friction from a log: a block slides on a table, a camera measures it, and a fit finds mu.

The log has times and positions with noise, in a CSV file as any laboratory writes it. Each step of
the fit simulates the block for all changed parameters at once, in a batch (Gauss-Newton method).
"""

import argparse
import io

import numpy as np

import heft

BLOCK = """
<mujoco>
  <option timestep="0.001"/>
  <worldbody>
    <geom type="plane" size="5 5 1" friction="1"/>
    <body name="block" pos="0 0 0.05"><freejoint/>
      <geom type="box" size="0.1 0.1 0.05" mass="1" friction="1"/></body>
  </worldbody>
</mujoco>
"""
EVERY = 10  # steps between two pictures of the camera: 100 a second
STEPS = 800


def slide(model, friction, speed):
    """Positions of the block [m] at the times of the camera, one row for each pair of parameters."""
    batch = heft.Batch(model, len(friction), friction_scale=np.asarray(friction))
    q, v = batch.q.copy(), batch.v.copy()
    v[:, 0] = speed
    batch.set_states(q, v)
    return batch.rollout(steps=STEPS).q[:, EVERY - 1 :: EVERY, 0]


def record(model, friction, speed, noise, seed):
    """A log as text: what a camera with this noise [m] would see."""
    seen = slide(model, [friction], [speed])[0]
    seen = seen + np.random.default_rng(seed).normal(scale=noise, size=seen.size)
    times = 0.001 * EVERY * (1 + np.arange(seen.size))
    log = io.StringIO()
    np.savetxt(log, np.column_stack([times, seen]), delimiter=",", header="time [s], x [m]")
    return log.getvalue()


def fit(model, log):
    """Friction, starting speed, and their standard deviations."""
    times, seen = np.loadtxt(io.StringIO(log), delimiter=",", unpack=True)
    guess = np.array([0.5, (seen[4] - seen[0]) / (times[4] - times[0])])
    change = 1e-4
    for _ in range(20):
        rows = slide(model, guess[0] + change * np.array([0, 1, 0]), guess[1] + change * np.array([0, 0, 1]))
        slopes = (rows[1:] - rows[0]).T / change
        left = seen - rows[0]
        better, *_ = np.linalg.lstsq(slopes, left, rcond=None)
        guess = np.maximum(guess + better, 1e-3)
        if np.abs(better).max() < 1e-9:
            break
    variance = left @ left / (seen.size - 2)
    return guess, np.sqrt(variance * np.diag(np.linalg.inv(slopes.T @ slopes)))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--friction", type=float, default=0.37, help="of the block in the log")
    parser.add_argument("--noise", type=float, default=0.0005, help="of the camera [m]")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    model = heft.loads(BLOCK)
    (friction, speed), (friction_off, speed_off) = fit(model, record(model, args.friction, 2.0, args.noise, args.seed))
    print(f"friction {friction:.4f} +- {friction_off:.4f} (in the log: {args.friction})")
    print(f"speed    {speed:.4f} +- {speed_off:.4f} m/s (in the log: 2)")


if __name__ == "__main__":
    main()
