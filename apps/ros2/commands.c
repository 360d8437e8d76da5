// SPDX-License-Identifier: Apache-2.0
// An actuator applies gear * (gain * u + b0 + b1 * gear * q + b2 * gear * v) to its joint. It is a
// servo of positions if b1 = -gain: it rests at u = gear * q. It is one of velocities if b1 = 0 and
// b2 = -gain, and a motor if both are 0: its effort is gear * gain * u.
#include "ros2/commands.h"

#include <math.h>

#include "model/joint_kind.h"

// The kind of command that an actuator of a joint follows, or -1.
static int kind_of(const HeftModel* m, int actuator) {
  const double gain = m->actuator_gain[actuator], *bias = m->actuator_bias + 3 * actuator;
  if (!(fabs(gain) > 0)) return -1;
  if (bias[1] != 0) return bias[1] == -gain ? COMMAND_POSITION : -1;
  if (bias[2] != 0) return bias[2] == -gain ? COMMAND_VELOCITY : -1;
  return COMMAND_EFFORT;
}

static int find_actuator(const HeftModel* m, int joint, CommandKind kind) {
  for (int i = 0; i < m->nactuator; ++i) {
    const HeftTransmission way = m->actuator_transmission[i];
    if ((way == HEFT_TRANSMISSION_JOINT || way == HEFT_TRANSMISSION_JOINT_IN_PARENT) &&
        m->actuator_target[i] == joint && m->actuator_gear[6 * i] != 0 &&
        kind_of(m, i) == (int)kind)
      return i;
  }
  return -1;
}

int command_set(const HeftModel* m, const char* joint, CommandKind kind, double value,
                double* command) {
  const int j = heft_model_find(m, HEFT_NAMED_JOINT, joint);
  if (j < 0 || !joint_is_scalar(m->joint_type[j]) || isinf(value)) return 0;
  if (isnan(value)) return 1;
  const int i = find_actuator(m, j, kind);
  if (i >= 0) {
    const double gear = m->actuator_gear[6 * i];
    command[i] = kind == COMMAND_EFFORT ? value / (gear * m->actuator_gain[i]) : value * gear;
  } else if (kind == COMMAND_EFFORT) {
    command[m->nactuator + m->joint_dof[j]] = value;
  }
  return i >= 0 || kind == COMMAND_EFFORT;
}
