# SPDX-License-Identifier: Apache-2.0
"""A humanoid stands and is pushed: a linear regulator (LQR) over two feet that stick to the floor.

world.derivative() gives x' = A x + B u of one step at the upright pose, exact through the contacts: no other state is
simulated. Changes of posture that move a foot cannot be undone while it sticks, so the regulator sees the others: x = N z,
J N = 0 with the Jacobian J of the feet. The torques at rest solve gravity = torques + J' forces of the floor.
"""

import argparse

import numpy as np

import heft
from balance import riccati

FEET = "left_foot", "right_foot"
POSE = {"hip_pitch": -0.3, "knee": 0.6, "ankle": -0.35, "elbow": -0.5}  # no joint is at a limit [rad]
LEAN = 0.05  # of the whole body, so that its weight is over the middle of the feet [rad]
SOLE = 0.0749  # height of the ankles [m]: the soles are 0.1 mm deep, so that contacts last under small changes
EFFORT = 0.05  # cost of the squared controls; a squared angle [rad] costs 1, a squared rate [rad/s] 0.01


def pose(world):
    """Puts the humanoid on its feet, knees bent."""
    world.reset()
    q = world.q.copy()
    q[3:7] = heft.math.quat_from_axis_angle([0, 1, 0], LEAN)
    for joint in world.model.joints:
        bend = [angle for name, angle in POSE.items() if joint.endswith(name)]
        if bend:
            q[world.model.joint_q[world.model.find("joint", joint)]] = bend[0]
    world.q = q
    q[2] -= world.body(FEET[0]).position[2] - SOLE
    world.q = q


def regulator(world, differences=False):
    """Gain K and controls u0 of u = u0 - K x, at the present state of a world that is at rest on its feet.

    differences: A and B by central differences of 126 steps, for comparison."""
    model = world.model
    gear = np.zeros((model.nv, model.nactuator))
    for actuator in range(model.nactuator):
        gear[model.joint_dof[model.actuator_target[actuator]], actuator] = model.actuator_gear[actuator, 0]
    jacobian = np.concatenate([world.body(foot).jacobian for foot in FEET])
    forces = np.linalg.lstsq(np.concatenate([gear, jacobian.T], 1), world.bias_forces(), rcond=None)[0]
    rest = forces[:model.nactuator]
    free = np.linalg.svd(jacobian)[2][np.linalg.matrix_rank(jacobian):].T  # postures that leave the feet where they are
    both = np.kron(np.eye(2), free)
    world.controls = rest
    if differences:
        A, B = world.linearize(eps=1e-6)[:2]
    else:
        world.step()
        A, _, B = world.derivative()[:3]
    cost = np.diag(np.repeat([1.0, 0.01], free.shape[1]))
    K, _ = riccati(both.T @ A @ both, both.T @ B, cost, EFFORT * np.eye(model.nactuator), 1e-8)
    return K @ both.T, rest


def push(world, K, rest, impulse, seconds=4.0):
    """Lowest height of the trunk and its last distance from the start [m], after a push for 0.1 s [N s]."""
    pose(world)
    start, lowest = world.q.copy(), np.inf
    for step in range(round(seconds / world.time_step)):
        x = np.concatenate([heft.q_difference(world.model, start, world.q), world.v])
        world.controls = rest - K @ x
        if 0.5 <= world.time < 0.6:
            world.body("torso").apply_force([*(np.asarray(impulse) / 0.1), 0])
        world.step()
        lowest = min(lowest, world.q[2])
    return lowest, float(np.linalg.norm(world.q[:3] - start[:3]))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--impulse", type=float, nargs="*", default=[4.0, 6.0, 8.0, 12.0], help="of the pushes [N s]")
    args = parser.parse_args()
    world = heft.World(heft.gym.make("humanoid").task.model, rest=0)
    pose(world)
    K, rest = regulator(world)
    pose(world)
    other, _ = regulator(world, differences=True)
    print(f"{world.model.nv} degrees of freedom, {K.shape[0]} motors, {world.model.mass:.1f} kg; by differences the gain "
          f"differs by {abs(other - K).max() / abs(K).max():.0e} of its largest number")
    for impulse in args.impulse:
        angles = np.radians(np.arange(0, 360, 45))
        ends = [push(world, K, rest, impulse * np.array([np.cos(a), np.sin(a)])) for a in angles]
        print(f"{impulse:.0f} N s: holds in {sum(off < 0.01 for _, off in ends)} of {len(ends)} directions, "
              f"falls in {sum(lowest < 1.0 for lowest, _ in ends)}")


if __name__ == "__main__":
    main()
