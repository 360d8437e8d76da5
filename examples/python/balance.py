# SPDX-License-Identifier: Apache-2.0
"""A cart balances two poles, one on top of the other, and is pushed: a linear regulator (LQR).

world.linearize() gives x' = A x + B u at the upright pose. The discrete Riccati equation, solved by iteration,
gives the gain K of u = -K x that is optimal for the costs Q and R.
"""

import numpy as np

import heft

CART = """<mujoco><compiler angle="radian"/><option timestep="0.005"/><worldbody>
  <body name="cart"><joint name="x" type="slide" axis="1 0 0" damping="0.2"/><geom type="box" size=".15 .1 .05" mass="1" contype="0"/>
    <body name="lower"><joint name="lower" axis="0 1 0" damping="0.002"/><geom type="capsule" fromto="0 0 0 0 0 .6" size=".02" mass=".3" contype="0"/>
      <body name="upper" pos="0 0 .6"><joint name="upper" axis="0 1 0" damping="0.002"/>
        <geom type="capsule" fromto="0 0 0 0 0 .4" size=".02" mass=".2" contype="0"/></body></body></body>
  </worldbody><actuator><motor name="drive" joint="x" ctrllimited="true" ctrlrange="-40 40"/></actuator></mujoco>"""
Q = np.diag([10.0, 100, 100, 1, 1, 1])  # costs of place, angles and their rates
R = np.array([[0.05]])  # of the force of the drive


def riccati(A, B, Q, R, tolerance=1e-10):
    """The gain K and the cost P of u = -K x: P = Q + A'P(A - B K) with K = (R + B'P B)^-1 B'P A."""
    P = Q
    while True:
        K = np.linalg.solve(R + B.T @ P @ B, B.T @ P @ A)
        former, P = P, Q + A.T @ P @ (A - B @ K)
        if abs(P - former).max() < tolerance * abs(P).max():
            return K, P


def balance(world, K, impulse, seconds=6.0):
    """The largest angle of a pole [rad] and the last distance from the start [m], after a push at 1 s [N s]."""
    world.reset()
    largest = 0.0
    for step in range(round(seconds / world.time_step)):
        world.controls[:] = -K @ np.concatenate([world.q, world.v])
        if abs(world.time - 1) < 0.05:
            world.body("upper").apply_force([impulse / 0.1, 0, 0])
        world.step()
        largest = max(largest, abs(world.q[1]), abs(world.q[1] + world.q[2]))
    return largest, abs(world.q[0]) + abs(world.q[1:]).max()


def main():
    world = heft.World(heft.loads(CART))
    linear = world.linearize()
    K, _ = riccati(linear.A, linear.B, Q, R)
    print(linear, "eigenvalues:", sep="\n")
    print("without control:", np.sort(abs(np.linalg.eigvals(linear.A))).round(4))
    print("with control:   ", np.sort(abs(np.linalg.eigvals(linear.A - linear.B @ K))).round(4))
    for impulse in (0.05, -0.1, 0.14, 0.2):
        largest, rest = balance(world, K, impulse)
        result = f"comes back, {rest:.4f} from the start" if rest < 0.05 else "falls"
        print(f"push of {impulse:+.2f} N s: a pole leans by {np.degrees(largest):.1f} degrees, {result}")


if __name__ == "__main__":
    main()
