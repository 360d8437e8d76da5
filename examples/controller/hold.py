# SPDX-License-Identifier: Apache-2.0
"""Holds a robot in its first keyframe, or in the pose of its file: python3 hold.py unix:/tmp/robot"""
import sys
from heft_robot import Robot

robot = Robot(sys.argv[1], wait=30)
actuators = robot.model['actuators']
joints = {joint['name']: joint for joint in robot.model['joints']}
pose = (robot.model['keys'] or [robot.model])[0]['q']


def turn(name):
    """Place in v of the rotation of the trunk that a hip or an ankle follows."""
    return 4 if 'hip_pitch' in name or 'ankle_pitch' in name else 3 if 'hip_roll' in name else None


law = []  # of each actuator: a servo, place of its joint in q and v, rotation that it follows
for actuator in actuators:
    joint = joints[actuator['joint']]
    law.append((actuator['unit'] == 'rad', joint['q'], joint['v'], turn(joint['name'])))

states = 0
for state in robot:
    controls = []
    for servo, q, v, rotation in law:
        if not servo:  # a motor: spring and damper
            controls.append(15 * (pose[q] - state.q[q]) - 0.25 * state.v[v])
        elif rotation is None:
            controls.append(pose[q])
        else:
            controls.append(pose[q] + 0.1 * state.v[rotation])
    robot.send(controls)
    states += 1
print(states, 'states')
