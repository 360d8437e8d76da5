// SPDX-License-Identifier: Apache-2.0
// The joint is the one whose velocity is or will be largest after a step: |v| + h |f| / m, with the
// forces of its actuators and the external force on it, and a rough inertia m: the armature, and
// the mass of the body at 0.1 m from a hinge. Only the order of joints depends on it.
#include "view/diverged.h"

#include <math.h>
#include <stdio.h>

typedef struct Culprit {
  int dof, actuator;  // actuator -1: none of its actuators acts on it
  double force;       // of the actuator, or the external one [N, N m]
} Culprit;

// The force that an actuator of a joint would exert now.
static double actuator_force(HeftWorld* world, int i, double q, double v) {
  const HeftModel* m = heft_world_model(world);
  const double gear = m->actuator_gear[6 * i], *bias = &m->actuator_bias[3 * i];
  const double *range = &m->actuator_force_range[2 * i],
               f = m->actuator_gain[i] * heft_world_controls(world)[i] + bias[0] +
                   bias[1] * gear * q + bias[2] * gear * v;
  return gear * (m->actuator_force_limited[i] ? fmin(range[1], fmax(range[0], f)) : f);
}

static int is_larger(double a, double b) { return !isfinite(a) || fabs(a) > fabs(b); }

// The actuator that pushes hardest on a joint of one degree of freedom; *force is its force.
static int strongest(HeftWorld* world, int joint, double* force) {
  const HeftModel* m = heft_world_model(world);
  const HeftState* s = heft_world_state(world);
  int best = -1;
  *force = 0;
  if (heft_joint_type_dof_count(m->joint_type[joint]) != 1) return -1;
  for (int i = 0; i < m->nactuator; ++i) {
    if (m->actuator_transmission[i] != HEFT_TRANSMISSION_JOINT || m->actuator_target[i] != joint)
      continue;
    const double f = actuator_force(world, i, s->q[m->joint_q[joint]], s->v[m->joint_dof[joint]]);
    if (best >= 0 && !is_larger(f, *force)) continue;
    best = i;
    *force = f;
  }
  return best;
}

static double inertia(const HeftModel* m, int dof) {
  const int joint = m->dof_joint[dof];
  const double mass = m->body_mass[m->joint_body[joint]];
  return m->dof_armature[dof] +
         fmax(1e-9, m->joint_type[joint] == HEFT_JOINT_SLIDE ? mass : 0.01 * mass);
}

static Culprit find(HeftWorld* world) {
  const HeftModel* m = heft_world_model(world);
  const double* v = heft_world_state(world)->v;
  Culprit c = {-1, -1, 0};
  double worst = -1;
  for (int i = 0; i < m->nv; ++i) {
    double force;
    int actuator = strongest(world, m->dof_joint[i], &force);
    const double external = heft_world_joint_forces(world)[i];
    if (actuator < 0 || is_larger(external, force)) {
      actuator = -1;
      force = external;
    }
    const double speed = fabs(v[i]) + m->physics.time_step * fabs(force) / inertia(m, i);
    if (!is_larger(speed, worst)) continue;
    worst = isfinite(speed) ? speed : HUGE_VAL;
    c = (Culprit){i, actuator, force};
  }
  return c;
}

void diverged_text(HeftWorld* world, const HeftPluginSet* plugins, HeftStepStatus status,
                   double hand, char* out, size_t size) {
  const HeftModel* m = heft_world_model(world);
  const HeftState* s = heft_world_state(world);
  const Culprit c = find(world);
  const char* by = plugins && heft_plugin_set_count(plugins) > 0
                       ? heft_plugin_set_plugin(plugins, 0)->name
                       : NULL;
  size_t n = (size_t)snprintf(out, size, "%s.", heft_step_status_text(status));
  if (c.dof < 0 || n >= size) return;
  const int joint = m->dof_joint[c.dof];
  const int one = heft_joint_type_dof_count(m->joint_type[joint]) == 1;
  n += (size_t)snprintf(out + n, size - n, " Joint '%.40s'",
                        heft_model_name(m, HEFT_NAMED_JOINT, joint));
  if (n < size && one)
    n += (size_t)snprintf(out + n, size - n, " at %.3g", s->q[m->joint_q[joint]]);
  if (n < size) n += (size_t)snprintf(out + n, size - n, ", velocity %.3g", s->v[c.dof]);
  if (n < size && c.actuator >= 0)
    n += (size_t)snprintf(out + n, size - n, ": actuator '%.40s' exerts %.3g, control %.3g%s%.30s",
                          heft_model_name(m, HEFT_NAMED_ACTUATOR, c.actuator), c.force,
                          heft_world_controls(world)[c.actuator], by ? " of " : "", by ? by : "");
  if (n < size && c.actuator < 0 && c.force != 0)
    n += (size_t)snprintf(out + n, size - n, ": joint force %.3g%s%.30s", c.force, by ? " of " : "",
                          by ? by : "");
  if (n < size && hand > 0) snprintf(out + n, size - n, "; the mouse pulls with %.3g N", hand);
}
