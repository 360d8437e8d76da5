// SPDX-License-Identifier: Apache-2.0
// Commands of peers as controls and joint forces. For the thread of DDS.
#ifndef HEFT_APPS_ROS2_COMMANDS_H
#define HEFT_APPS_ROS2_COMMANDS_H

#include <heft/model.h>

/// Which quantity of a joint.
typedef enum CommandKind { COMMAND_POSITION, COMMAND_VELOCITY, COMMAND_EFFORT } CommandKind;

/// Writes the control that makes the joint follow `value`, or, for an effort without a motor, the
/// joint force. NaN commands nothing. Returns 0 if there is no such joint, it has no actuator for
/// this quantity, or the value is infinite.
/// [out] command[nactuator + nv]
int command_set(const HeftModel* m, const char* joint, CommandKind kind, double value,
                double* command);

#endif
