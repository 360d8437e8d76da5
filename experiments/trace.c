// SPDX-License-Identifier: Apache-2.0
#include "experiments/trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char* const fixed[] = {"time",      "plate1.fx", "plate1.fy", "plate1.fz", "plate2.fx",
                                    "plate2.fy", "plate2.fz", "hand.fx",   "hand.fy",   "hand.fz",
                                    "com.x",     "com.y",     "com.z"};
enum { FIXED = sizeof fixed / sizeof *fixed };

LabTrace trace_make(int every) { return (LabTrace){.every = every}; }

// The joint of an actuator that turns or moves one; -1: none.
static int motor_joint(const HeftModel* m, int actuator) {
  if (m->actuator_transmission[actuator] != HEFT_TRANSMISSION_JOINT) return -1;
  const int joint = m->actuator_target[actuator];
  return heft_joint_type_dof_count((HeftJointType)m->joint_type[joint]) == 1 ? joint : -1;
}

static int begin(LabTrace* t, const Lab* lab) {
  const HeftModel* m = lab->model;
  trace_release(t);
  t->name = calloc(FIXED + 2 * (size_t)m->nactuator, sizeof *t->name);
  if (!t->name) return 0;
  for (int i = 0; i < FIXED; ++i) snprintf(t->name[i], sizeof *t->name, "%s", fixed[i]);
  t->columns = FIXED;
  for (int k = 0; k < 2; ++k) {
    for (int i = 0; i < m->nactuator; ++i) {
      const int joint = motor_joint(m, i);
      if (joint < 0) continue;
      snprintf(t->name[t->columns++], sizeof *t->name, "%s.%.36s", k ? "torque" : "angle",
               heft_model_name(m, HEFT_NAMED_JOINT, joint));
    }
  }
  return 1;
}

// Of the contacts of the open world.
static void contact_forces(const Lab* lab, HeftVec3 out[TRACE_FORCES]) {
  static const char* const parts[2] = {"right_hand", "right_thumb"};
  for (int k = 0; k < 2; ++k) lab_foot_force(lab, k, &out[k]);
  out[2] = heft_vec3(0, 0, 0);
  for (int k = 0; k < 2; ++k) {
    const int body = heft_model_find(lab->model, HEFT_NAMED_BODY, parts[k]);
    if (body > 0)
      out[2] = heft_vec3_add(out[2],
                             heft_world_contact_wrench(lab->world, body, heft_vec3(0, 0, 0)).lin);
  }
}

static void put(double** at, HeftVec3 v) {
  *(*at)++ = v.x;
  *(*at)++ = v.y;
  *(*at)++ = v.z;
}

void trace_row(LabTrace* t, const Lab* lab, const HeftVec3 force[TRACE_FORCES]) {
  const HeftModel* m = lab->model;
  if (!t->name || ++t->step % t->every != 0) return;
  if (t->rows == t->room) {
    t->room = t->room ? 2 * t->room : 512;
    double* more = realloc(t->number, (size_t)t->room * (size_t)t->columns * sizeof(double));
    if (!more) return;
    t->number = more;
  }
  double* at = t->number + t->rows++ * t->columns;
  *at++ = lab_time(lab);
  for (int k = 0; k < TRACE_FORCES; ++k) put(&at, force[k]);
  put(&at, lab_com(lab));
  for (int i = 0; i < m->nactuator; ++i)
    if (motor_joint(m, i) >= 0)
      *at++ = heft_world_state(lab->world)->q[m->joint_q[motor_joint(m, i)]];
  for (int i = 0; i < m->nactuator; ++i)
    if (motor_joint(m, i) >= 0)
      *at++ = heft_world_controls(lab->world)[i] * m->actuator_gear[6L * i];
}

int trace_record(Lab* lab, int begins) {
  HeftVec3 force[TRACE_FORCES];
  if (begins) return begin(lab->trace, lab);
  contact_forces(lab, force);
  trace_row(lab->trace, lab, force);
  return 1;
}

void trace_release(LabTrace* t) {
  free(t->name);
  free(t->number);
  *t = trace_make(t->every);
}
