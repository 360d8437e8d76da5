# SPDX-License-Identifier: Apache-2.0
"""Policies of 24 to 70 numbers for the tasks of heft.gym: limbs that follow an oscillator and feel the trunk.

A limb turns its joints towards targets W f. Its features f are 1, sine and cosine of its phase and of twice its phase,
and what the robot feels. Limbs of one kind share W. A limb on the other side feels roll, yaw and sideways speed with
the other sign, and turns its sideways joints with the other sign, so that the policy is its own mirror image.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np


def plane(observation, nq):
    """Pitch, its rate and the speed of a robot in a vertical plane; nothing is sideways."""
    v = observation[:, nq:]
    return np.stack([observation[:, 1], 0.3 * v[:, 2], v[:, 0]], 1), observation[:, :0]


def trunk(observation, nq):
    """Pitch, its rate and the speed of a trunk; roll, its rate, speed to the left and yaw, which are sideways."""
    (w, x, y, z), v = observation[:, 1:5].T, observation[:, nq:]
    yaw = 2 * np.arctan2(z, w)
    forward, left = np.cos(yaw) * v[:, 0] + np.sin(yaw) * v[:, 1], np.cos(yaw) * v[:, 1] - np.sin(yaw) * v[:, 0]
    even = np.stack([2 * (w * y - z * x), 0.3 * v[:, 4], forward], 1)
    return even, np.stack([2 * (w * x + y * z), 0.3 * v[:, 3], left, yaw], 1)


def target(observation, nq):
    """Direction, height and distance of the target of an arm, and the place of the hand beside it, seen from there."""
    (x, y, z), beside = observation[:, nq - 3:nq].T, observation[:, 2 * nq:].T
    yaw = np.arctan2(y, x)
    polar = yaw, np.arctan2(z, np.hypot(x, y)), np.sqrt(x**2 + y**2 + z**2)
    return np.stack([*polar, np.cos(yaw) * beside[0] + np.sin(yaw) * beside[1],
                     np.cos(yaw) * beside[1] - np.sin(yaw) * beside[0], beside[2]], 1), observation[:, :0]


def nothing(observation, nq):
    return observation[:, :0], observation[:, :0]


class Lesson(NamedTuple):
    """How a task is learned, and the return that counts as learned."""

    goal: float  # mean return of episodes that were not trained
    steps: int  # actions of these episodes
    limbs: tuple  # (name, kind, phase, side) of each
    joints: tuple  # of a limb: the actuator is LIMB_JOINT, or JOINT if the limb has no name
    sideways: tuple = ()  # joints whose axis is mirrored on the other side
    rate: float = 1.5  # of the oscillator [1/s]; 0: none
    kp: float = 0.0  # action by angle from the target; 0: the targets are the actions
    kd: float = 0.0  # action by joint velocity
    feel: Callable = nothing
    training: int = 150  # actions of an episode of training
    alive: float = 1.0  # reward for being alive, in training
    bend: tuple = ()  # first targets of the joints [rad]; zeros if empty
    spread: float = 0.05  # of the changes that a generation tries, and how far it moves
    starts: int = 1  # in a generation; each change is tried forwards and backwards from the same one


TWO_LEGS = ("left", 0, 0.0, 1), ("right", 0, 0.5, -1)
TROT = ("left_front", 0, 0.0, 1), ("right_front", 0, 0.5, -1), ("left_back", 1, 0.5, 1), ("right_back", 1, 0.0, -1)
FINGERS = ("first", 0, 0.0, 1), ("second", 0, 0.0, 1), ("third", 0, 0.0, 1)

LESSONS = {
    "hopper": Lesson(600, 300, (("", 0, 0.0, 1),), ("hip", "knee", "ankle"), (), 2.0, 2.0, 0.03, plane),
    "walker": Lesson(900, 500, TWO_LEGS, ("hip", "knee", "ankle"), (), 1.25, 3.0, 0.1, plane),
    "cheetah": Lesson(800, 500, (("back", 0, 0.0, 1), ("front", 1, 0.0, 1)), ("hip", "knee", "ankle"), (), 2.0, 2.0, 0.03,
                      plane),
    "ant": Lesson(800, 500, TROT, ("hip", "ankle"), ("hip",), 1.5, 1.0, 0.03, trunk),
    "quadruped": Lesson(900, 500, TROT, ("roll", "pitch", "knee"), ("roll",), 2.0, 3.0, 0.06, trunk),
    "humanoid": Lesson(2300, 500, TWO_LEGS, ("hip_roll", "hip_pitch", "knee", "ankle"), ("hip_roll",), 1.25, 5.0, 0.03,
                       trunk, 200, 5.0, (0.0, -0.25, 0.5, -0.25), 0.03),
    "reach": Lesson(-14, 100, (("", 0, 0.0, 1),), ("yaw", "shoulder", "elbow", "wrist_roll", "wrist_pitch", "wrist_yaw"),
                    (), 0.0, 2.0, 0.15, target, 100, 1.0, (0.0, -0.6, 1.2, 0.0, 0.0, 0.0), 0.12, 16),
    "cube": Lesson(350, 500, FINGERS, ("swing", "bend", "curl"), (), 1.0),
}


class Policy:
    """`policy(W, observations, step)` gives an action for each row of observations; W (rows, *policy.shape)."""

    def __init__(self, task, lesson):
        model, self.lesson, self.dt = task.model, lesson, task.dt
        actuators, place = list(model.actuators), getattr(task, "place", 0)
        self.nq, self.count = model.nq - place, len(actuators)
        joints = [model.find("joint", name) for name in actuators]
        self.q, self.v = model.joint_q[joints] - place, self.nq + model.joint_dof[joints]
        self.limbs = []
        for name, kind, phase, side in lesson.limbs:
            which = [actuators.index(f"{name}_{joint}" if name else joint) for joint in lesson.joints]
            sign = np.array([side if joint in lesson.sideways else 1 for joint in lesson.joints])
            self.limbs.append((kind, phase, side, which, sign))
        felt = sum(part.shape[1] for part in lesson.feel(np.zeros((1, 2 * self.nq + model.nsensordata)), self.nq))
        self.waves = 5 if lesson.rate else 1
        self.shape = 1 + max(limb[0] for limb in self.limbs), len(lesson.joints), self.waves + felt

    def first(self):
        """Parameters to begin with: the limbs hold the first targets."""
        W = np.zeros(self.shape)
        W[..., 0] = self.lesson.bend or 0
        return W

    def __call__(self, W, observation, step):
        targets = np.zeros((len(observation), self.count))
        even, odd = self.lesson.feel(observation, self.nq)
        for kind, phase, side, which, sign in self.limbs:
            angle = 2 * np.pi * (self.lesson.rate * step * self.dt + phase)
            wave = [1, np.sin(angle), np.cos(angle), np.sin(2 * angle), np.cos(2 * angle)][:self.waves]
            features = np.concatenate([np.tile(wave, (len(observation), 1)), even, side * odd], 1)
            targets[:, which] = sign * np.einsum("njf,nf->nj", W[:, kind], features)
        if self.lesson.kp:
            targets = self.lesson.kp * (targets - observation[:, self.q]) - self.lesson.kd * observation[:, self.v]
        return np.clip(targets, -1, 1)
