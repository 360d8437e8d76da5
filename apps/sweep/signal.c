// SPDX-License-Identifier: Apache-2.0
#include "sweep/signal.h"

#include <math.h>

double signal_value(PlanSignal what, const SweepPlace* p, HeftWorld* w, const HeftStepReport* r) {
  const HeftDynamics* d = heft_world_dynamics(w);
  const HeftState* s = heft_world_state(w);
  const int i = p->index + p->component;
  switch (what) {
    case SIGNAL_BODY_X:
      return heft_dynamics_body_pose(d, i).pos.x;
    case SIGNAL_BODY_Y:
      return heft_dynamics_body_pose(d, i).pos.y;
    case SIGNAL_BODY_Z:
      return heft_dynamics_body_pose(d, i).pos.z;
    case SIGNAL_BODY_UP: {
      const HeftPose pose = heft_dynamics_body_pose(d, i);
      return heft_pose_apply(pose, heft_vec3(0, 0, 1)).z - pose.pos.z;
    }
    case SIGNAL_BODY_SPEED: {
      const HeftVec3 v = heft_dynamics_body_velocity(d, i, heft_dynamics_body_pose(d, i).pos).lin;
      return sqrt(heft_vec3_dot(v, v));
    }
    case SIGNAL_CONTACT_FORCE:
      return heft_world_body_contact(w, i).force;
    case SIGNAL_Q:
      return s->q[i];
    case SIGNAL_V:
      return s->v[p->dof + p->component];
    case SIGNAL_SENSOR:
      return heft_world_sensors(w)[i];
    case SIGNAL_CONTROL:
      return heft_world_controls(w)[i];
    case SIGNAL_ACTUATOR_FORCE:
      return heft_world_actuator_force(w, i);
    case SIGNAL_KINETIC:
      return r ? r->kinetic : (double)NAN;
    case SIGNAL_POTENTIAL:
      return r ? r->potential : (double)NAN;
    case SIGNAL_CONTACTS:
      return r ? r->contact_count : 0;
    case SIGNAL_PENETRATION:
      return r ? r->penetration : 0;
    case SIGNAL_RESIDUAL:
      return r ? r->residual : 0;
    case SIGNAL_COUNT:
      break;
  }
  return (double)NAN;
}

// ---- measures

void signal_tally_add(SignalTally* t, double x) {
  if (t->count == 0 || x < t->min) t->min = x;
  if (t->count == 0 || x > t->max) t->max = x;
  t->sum += x;
  t->squares += x * x;
  t->last = x;
  ++t->count;
}

double signal_tally_value(const SignalTally* t, PlanKeep keep) {
  if (t->count == 0) return (double)NAN;
  switch (keep) {
    case KEEP_MIN:
      return t->min;
    case KEEP_MAX:
      return t->max;
    case KEEP_MEAN:
      return t->sum / (double)t->count;
    case KEEP_RMS:
      return sqrt(t->squares / (double)t->count);
    case KEEP_FINAL:
      return t->last;
    case KEEP_COUNT:
      break;
  }
  return (double)NAN;
}

// ---- events

static int touches(HeftWorld* w, int body, int other) {
  const int n = heft_world_contact_count(w);
  for (int i = 0; i < n; ++i) {
    const HeftContact c = heft_world_contact(w, i);
    if (c.state == HEFT_CONTACT_OPEN) continue;
    if (c.body_a == body && (other < 0 || c.body_b == other)) return 1;
    if (c.body_b == body && (other < 0 || c.body_a == other)) return 1;
  }
  return 0;
}

static int at_limit(HeftWorld* w, int dof) {
  enum { ROOM = 512 };
  HeftConstraintForce force[ROOM];
  const int all = heft_world_constraint_forces(w, force, ROOM), n = all < ROOM ? all : ROOM;
  for (int i = 0; i < n; ++i)
    if (force[i].kind == HEFT_CONSTRAINT_LIMIT && force[i].index == dof && force[i].force > 0)
      return 1;
  return 0;
}

// Share of the step after which a signal crossed the value.
static double crossing(double before, double now, double value) {
  const double change = now - before;
  if (!(fabs(change) > 0) || !isfinite(before)) return 1;
  const double share = (value - before) / change;
  return share >= 0 && share <= 1 ? share : 1;
}

int signal_event_step(SignalEvent* e, const PlanEvent* plan, const SweepPlace* place, int other,
                      HeftWorld* w, const HeftStepReport* report, double h) {
  const double now = *heft_world_state(w)->time;
  double x = 0, share = 1;
  int holds;
  if (e->happened) return 0;
  if (plan->when == WHEN_TOUCHES) {
    holds = touches(w, place->index, other);
  } else if (plan->when == WHEN_AT_LIMIT) {
    holds = at_limit(w, place->dof + place->component);
  } else {
    x = signal_value(plan->what, place, w, report);
    holds = plan->when == WHEN_BELOW ? x < plan->value : x > plan->value;
    share = crossing(e->before, x, plan->value);
  }
  if (!holds)
    e->since = (double)NAN;
  else if (isnan(e->since))
    e->since = now - h + share * h;
  e->before = x;
  if (!holds || now - e->since < plan->for_time) return 0;
  e->happened = 1;
  e->time = e->since;
  return 1;
}
