// SPDX-License-Identifier: Apache-2.0
// Each list holds one object a line, with its name first, so that a client in C finds a name by
// search. Names of a list have the order of the numbers.
#include "link/description.h"

#include <string.h>

#include "base/decimal.h"
#include "robot/packet.h"

typedef struct Writer {
  char* text;
  size_t size, used;
} Writer;

static void add_bytes(Writer* w, const char* bytes, size_t count) {
  for (size_t i = 0; i < count; ++i, ++w->used) {
    if (w->used < w->size) w->text[w->used] = bytes[i];
  }
}

static void add(Writer* w, const char* text) { add_bytes(w, text, strlen(text)); }

static void add_number(Writer* w, double x) {
  char digits[HEFT_DECIMAL_SIZE];
  heft_decimal_write(x, digits);
  add(w, digits);
}

// ,"name":
static void add_key(Writer* w, const char* name) {
  add(w, ",\"");
  add(w, name);
  add(w, "\":");
}

static void add_field(Writer* w, const char* name, double x) {
  add_key(w, name);
  add_number(w, x);
}

static void add_text(Writer* w, const char* text) {
  static const char digit[] = "0123456789abcdef";
  add(w, "\"");
  for (; *text; ++text) {
    const unsigned char c = (unsigned char)*text;
    if (c < 32 || c == '"' || c == '\\') {
      const char code[6] = {'\\', 'u', '0', '0', digit[c >> 4], digit[c & 15]};
      add_bytes(w, code, sizeof code);
    } else {
      add_bytes(w, text, 1);
    }
  }
  add(w, "\"");
}

static void add_numbers(Writer* w, const char* name, const double* x, int count) {
  add_key(w, name);
  add(w, "[");
  for (int i = 0; i < count; ++i) {
    if (i > 0) add(w, ",");
    add_number(w, x[i]);
  }
  add(w, "]");
}

// Begins an object of a list.
static void add_name(Writer* w, const HeftModel* m, HeftNamed kind, int i) {
  add(w, i > 0 ? ",\n{\"name\":" : "\n{\"name\":");
  add_text(w, heft_model_name(m, kind, i));
}

// ---- joints

static const char* unit_of_joint(HeftJointType type) {
  switch (type) {
    case HEFT_JOINT_SLIDE:
      return "m";
    case HEFT_JOINT_HINGE:
    case HEFT_JOINT_UNIVERSAL:
      return "rad";
    case HEFT_JOINT_BALL:
      return "quaternion";
    case HEFT_JOINT_FREE:
      return "m, quaternion";
    case HEFT_JOINT_FIXED:
    case HEFT_JOINT_PLANAR:
    case HEFT_JOINT_CYLINDRICAL:
    case HEFT_JOINT_TYPE_COUNT:
      break;
  }
  return "m, rad";
}

static void add_joints(Writer* w, const HeftModel* m) {
  add(w, ",\n\"joints\":[");
  for (int i = 0; i < m->njoint; ++i) {
    const HeftJointType type = m->joint_type[i];
    const int dof = m->joint_dof[i], dofs = heft_joint_type_dof_count(type);
    add_name(w, m, HEFT_NAMED_JOINT, i);
    add_key(w, "type");
    add_text(w, heft_joint_type_name(type));
    add_field(w, "q", m->joint_q[i]);
    add_field(w, "nq", heft_joint_type_q_count(type));
    add_field(w, "v", dof);
    add_field(w, "nv", dofs);
    add_key(w, "unit");
    add_text(w, unit_of_joint(m->joint_type[i]));
    if (dofs == 1 && m->dof_limited[dof]) add_numbers(w, "range", m->dof_range + 2L * dof, 2);
    if (m->joint_force_limited[i]) add_numbers(w, "force_range", m->joint_force_range + 2L * i, 2);
    add(w, "}");
  }
  add(w, "]");
}

// ---- actuators

static bool drives_joint(const HeftModel* m, int i) {
  return m->actuator_transmission[i] == HEFT_TRANSMISSION_JOINT ||
         m->actuator_transmission[i] == HEFT_TRANSMISSION_JOINT_IN_PARENT;
}

// A control is a target of the position or the velocity if the gain is the stiffness or the damping
// of the bias, and a force if there is no bias. Otherwise its unit is not known.
static const char* unit_of_control(const HeftModel* m, int i) {
  static const char* const units[2][3] = {{"rad", "rad/s", "N m"}, {"m", "m/s", "N"}};
  const double gain = m->actuator_gain[i], *bias = m->actuator_bias + 3L * i;
  const double* rate = m->actuator_gain_rate + 2L * i;
  const bool slides =
      drives_joint(m, i) && m->joint_type[m->actuator_target[i]] == HEFT_JOINT_SLIDE;
  if (rate[0] != 0 || rate[1] != 0 || m->actuator_activation[i] != HEFT_ACTIVATION_NONE) return "";
  if (bias[1] != 0) return bias[1] == -gain ? units[slides][0] : "";
  if (bias[2] != 0) return bias[2] == -gain ? units[slides][1] : "";
  return gain == 1 ? units[slides][2] : "";
}

static void add_actuators(Writer* w, const HeftModel* m) {
  add(w, ",\n\"actuators\":[");
  for (int i = 0; i < m->nactuator; ++i) {
    add_name(w, m, HEFT_NAMED_ACTUATOR, i);
    add_key(w, "unit");
    add_text(w, unit_of_control(m, i));
    if (drives_joint(m, i)) {
      add_key(w, "joint");
      add_text(w, heft_model_name(m, HEFT_NAMED_JOINT, m->actuator_target[i]));
    }
    if (m->actuator_control_limited[i])
      add_numbers(w, "range", m->actuator_control_range + 2L * i, 2);
    if (m->actuator_force_limited[i])
      add_numbers(w, "force_range", m->actuator_force_range + 2L * i, 2);
    add(w, "}");
  }
  add(w, "]");
}

// ---- sensors

static const char* unit_of_sensor(const HeftModel* m, int i) {
  const bool slides = heft_sensor_type_object(m->sensor_type[i]) == HEFT_SENSOR_OF_JOINT &&
                      m->joint_type[m->sensor_object[i]] == HEFT_JOINT_SLIDE;
  switch (m->sensor_type[i]) {
    case HEFT_SENSOR_JOINT_POSITION:
      return slides ? "m" : "rad";
    case HEFT_SENSOR_JOINT_VELOCITY:
      return slides ? "m/s" : "rad/s";
    case HEFT_SENSOR_JOINT_ACTUATOR_FORCE:
      return slides ? "N" : "N m";
    case HEFT_SENSOR_FORCE:
    case HEFT_SENSOR_TOUCH:
      return "N";
    case HEFT_SENSOR_TORQUE:
      return "N m";
    case HEFT_SENSOR_ACCELEROMETER:
    case HEFT_SENSOR_FRAME_ACCELERATION:
      return "m/s^2";
    case HEFT_SENSOR_GYRO:
    case HEFT_SENSOR_FRAME_ANGULAR_VELOCITY:
    case HEFT_SENSOR_BALL_ANGULAR_VELOCITY:
      return "rad/s";
    case HEFT_SENSOR_FRAME_ANGULAR_ACCELERATION:
      return "rad/s^2";
    case HEFT_SENSOR_VELOCIMETER:
    case HEFT_SENSOR_FRAME_VELOCITY:
    case HEFT_SENSOR_SUBTREE_VELOCITY:
    case HEFT_SENSOR_TENDON_VELOCITY:
      return "m/s";
    case HEFT_SENSOR_FRAME_POSITION:
    case HEFT_SENSOR_RANGE_FINDER:
    case HEFT_SENSOR_TENDON_POSITION:
    case HEFT_SENSOR_SUBTREE_COM:
      return "m";
    case HEFT_SENSOR_FRAME_QUATERNION:
    case HEFT_SENSOR_BALL_QUATERNION:
      return "quaternion";
    case HEFT_SENSOR_SUBTREE_ANGULAR_MOMENTUM:
      return "N m s";
    case HEFT_SENSOR_CLOCK:
      return "s";
    case HEFT_SENSOR_ACTUATOR_FORCE:
    case HEFT_SENSOR_FRAME_X_AXIS:
    case HEFT_SENSOR_FRAME_Y_AXIS:
    case HEFT_SENSOR_FRAME_Z_AXIS:
    case HEFT_SENSOR_MAGNETOMETER:
    case HEFT_SENSOR_ACTUATOR_POSITION:
    case HEFT_SENSOR_ACTUATOR_VELOCITY:
    case HEFT_SENSOR_TYPE_COUNT:
      break;
  }
  return "";
}

static void add_sensors(Writer* w, const HeftModel* m) {
  add(w, ",\n\"sensors\":[");
  for (int i = 0; i < m->nsensor; ++i) {
    const HeftSensorType type = m->sensor_type[i];
    add_name(w, m, HEFT_NAMED_SENSOR, i);
    add_key(w, "type");
    add_text(w, heft_sensor_type_name(type));
    add_field(w, "at", m->sensor_address[i]);
    add_field(w, "count", heft_sensor_type_value_count(type));
    add_key(w, "unit");
    add_text(w, unit_of_sensor(m, i));
    if (m->sensor_cutoff[i] > 0) {
      const double range[2] = {-m->sensor_cutoff[i], m->sensor_cutoff[i]};
      add_numbers(w, "range", range, 2);
    }
    add(w, "}");
  }
  add(w, "]");
}

static void add_keys(Writer* w, const HeftModel* m) {
  add(w, ",\n\"keys\":[");
  for (int i = 0; i < m->nkey; ++i) {
    add_name(w, m, HEFT_NAMED_KEY, i);
    add_numbers(w, "q", m->key_q + (size_t)i * (size_t)m->nq, m->nq);
    add_numbers(w, "controls", m->key_control + (size_t)i * (size_t)m->nactuator, m->nactuator);
    add(w, "}");
  }
  add(w, "]");
}

size_t description_write(const HeftModel* m, const DescriptionTimes* times, char* text,
                         size_t size) {
  Writer w = {text, size, 0};
  add(&w, "{\"version\":");
  add_number(&w, LINK_VERSION);
  add_field(&w, "nq", m->nq);
  add_field(&w, "nv", m->nv);
  add_field(&w, "ncontrol", m->nactuator);
  add_field(&w, "nsensor", m->nsensordata);
  add_field(&w, "step", times->step);
  add_field(&w, "period", times->period);
  add_key(&w, "mode");
  add_text(&w, times->free ? "free" : "lockstep");
  add_numbers(&w, "q", m->q_default, m->nq);
  add_joints(&w, m);
  add_actuators(&w, m);
  add_sensors(&w, m);
  add_keys(&w, m);
  add(&w, "}\n");
  return w.used;
}
