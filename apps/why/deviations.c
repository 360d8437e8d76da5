// SPDX-License-Identifier: Apache-2.0
#include "why/deviations.h"

#include <math.h>
#include <stdlib.h>

typedef struct List {
  WhyChange* out;
  int count, capacity;
} List;

static void add(List* l, WhyKind kind, int index, double from, double to, double when) {
  if (l->count == l->capacity) return;
  l->out[l->count++] =
      (WhyChange){.kind = kind, .index = index, .from = from, .to = to, .when = when};
}

static int differ(double a, double b) { return fabs(a - b) > 1e-9 * fmax(fabs(a), fabs(b)); }

// ---- parameters

// Friction of a shape, of which the world may have changed the material of only this shape.
static int own_friction(const HeftWorld* w, int shape) {
  const int material = heft_world_model(w)->shape_material[shape];
  return differ(heft_world_shape_material(w, shape).friction,
                heft_world_material(w, material).friction);
}

static void add_frictions(List* l, const HeftWorld* w, const HeftWorld* other) {
  const HeftModel* m = heft_world_model(w);
  for (int i = 0; i < m->nmaterial; ++i) {
    const double from = heft_world_material(w, i).friction,
                 to = other ? heft_world_material(other, i).friction : m->material_friction[i];
    if (differ(from, to)) add(l, WHY_FRICTION, i, from, to, 0);
  }
  for (int i = 0; i < m->nshape; ++i) {
    const double from = heft_world_shape_material(w, i).friction,
                 to = other ? heft_world_shape_material(other, i).friction
                            : m->material_friction[m->shape_material[i]];
    if (differ(from, to) && (own_friction(w, i) || (other && own_friction(other, i))))
      add(l, WHY_SHAPE_FRICTION, i, from, to, 0);
  }
  for (int i = 0; i < m->npair; ++i) {
    const double from = heft_world_pair_material(w, i).friction,
                 to = other ? heft_world_pair_material(other, i).friction
                            : m->material_friction[m->pair_material[i]];
    if (differ(from, to) && differ(from, heft_world_material(w, m->pair_material[i]).friction))
      add(l, WHY_PAIR_FRICTION, i, from, to, 0);
  }
}

static void add_masses(List* l, const HeftWorld* w, const HeftWorld* other) {
  const HeftModel* m = heft_world_model(w);
  for (int i = 1; i < m->nbody; ++i) {
    const double from = heft_world_body_mass(w, i),
                 to = other ? heft_world_body_mass(other, i) : m->body_mass[i];
    if (differ(from, to)) add(l, WHY_MASS, i, from, to, 0);
  }
}

static void add_gains(List* l, const HeftWorld* w, const HeftWorld* other) {
  const HeftModel* m = heft_world_model(w);
  for (int i = 0; i < m->nactuator; ++i) {
    const HeftActuatorGains a = heft_world_actuator_gains(w, i),
                            b = other ? heft_world_actuator_gains(other, i)
                                      : why_stated_gains(m, i);
    if (differ(a.gain, b.gain))
      add(l, WHY_GAIN, i, a.gain, b.gain, 0);
    else if (differ(a.bias[1], b.bias[1]))
      add(l, WHY_GAIN, i, -a.bias[1], -b.bias[1], 0);
    else if (differ(a.bias[2], b.bias[2]))
      add(l, WHY_GAIN, i, -a.bias[2], -b.bias[2], 0);
  }
}

static void add_gravity(List* l, const HeftWorld* w, const HeftWorld* other) {
  const double from = heft_vec3_norm(heft_world_gravity(w)),
               to = heft_vec3_norm(other ? heft_world_gravity(other)
                                         : heft_vec3_from(heft_world_model(w)->physics.gravity));
  if (differ(from, to)) add(l, WHY_GRAVITY, 0, from, to, 0);
}

// ---- the start

// How far a joint starts from its place in the reference: a joint with one coordinate has values,
// others a distance (or, if they are only turned, an angle).
static void add_joint(List* l, const HeftModel* m, int joint, const HeftState* a,
                      const HeftState* b, const double* difference) {
  double moved = 0, turned = 0, faster = 0;
  int dofs = 0;
  for (int d = m->joint_dof[joint]; d < m->nv && m->dof_joint[d] == joint; ++d, ++dofs) {
    const int linear = m->joint_type[joint] == HEFT_JOINT_FREE && dofs < 3;
    *(linear ? &moved : &turned) += difference[d] * difference[d];
    faster += fabs(a->v[d] - b->v[d]);
  }
  if (moved + turned < 1e-20 && faster < 1e-12) return;
  if (dofs == 1)
    add(l, WHY_START, joint, a->q[m->joint_q[joint]], b->q[m->joint_q[joint]], 0);
  else
    add(l, WHY_START, joint, sqrt(moved > 1e-20 ? moved : turned), 0, 0);
}

static void add_starts(List* l, const HeftWorld* w, const HeftWorld* other) {
  const HeftModel* m = heft_world_model(w);
  const HeftState *a = heft_world_state(w), *b = heft_world_state(other);
  double* difference = calloc((size_t)m->nv + 1, sizeof *difference);
  if (!difference) return;
  heft_q_difference(m, b->q, a->q, difference);
  for (int j = 0; j < m->njoint; ++j) add_joint(l, m, j, a, b, difference);
  free(difference);
}

// ---- signals

typedef struct Signal {
  long count;
  double first;  // time of the first action
  int late, other_values;
  double delay;        // mean [s]
  double value, want;  // at the largest difference
  double when;
} Signal;

static double initial(HeftWorld* w, int signal) {
  const int n = heft_world_model(w)->nactuator;
  return signal < n ? heft_world_controls(w)[signal] : heft_world_joint_forces(w)[signal - n];
}

static Signal compare_signal(const WhyRun* run, const WhyRun* other, int signal) {
  const HeftModel* m = heft_world_model(run->start);
  const double h = heft_world_time_step(run->start);
  Signal s = {.value = initial(run->start, signal), .want = initial(other->start, signal)};
  s.other_values = differ(s.value, s.want);
  for (long i = 0, k = 0;; ++s.count) {
    const WhyAction *a = why_next_of(run, m, signal, &i), *b = why_next_of(other, m, signal, &k);
    if (!a && !b) break;
    if (!a || !b) {  // another number of actions: timing cannot be told from values
      s.late = 0;
      s.other_values = 1;
      const WhyAction* extra = a ? a : b;
      s.when = h * (double)extra->step;
      *(a ? &s.value : &s.want) = extra->action.value;
      return s;
    }
    s.late |= a->step != b->step;
    s.delay += h * (double)(a->step - b->step);
    if (!differ(a->action.value, b->action.value)) continue;
    if (!s.other_values || fabs(a->action.value - b->action.value) > fabs(s.value - s.want)) {
      s.value = a->action.value;
      s.want = b->action.value;
      s.when = h * (double)a->step;
    }
    s.other_values = 1;
  }
  s.delay /= s.count > 0 ? (double)s.count : 1;
  return s;
}

static void add_signals(List* l, const WhyRun* run, const WhyRun* other) {
  const int count = why_signal_count(heft_world_model(run->start));
  for (int i = 0; i < count; ++i) {
    const Signal s = compare_signal(run, other, i);
    if (s.late) add(l, WHY_TIMING, i, s.delay, 0, 0);
    if (s.other_values) add(l, WHY_COMMAND, i, s.value, s.want, s.when);
  }
}

// ---- pushes and changes

static double push_size(const HeftAction* a) {
  if (a->kind == HEFT_ACTION_FORCE) return heft_vec3_norm(a->force);
  return a->kind == HEFT_ACTION_PULL ? a->force_max : 0;
}

typedef struct Push {
  double size, sum, when;
  long count;
} Push;

static Push push_on(const WhyRun* run, int body) {
  Push p = {0};
  for (long i = 0; i < run->action_count; ++i) {
    const HeftAction* a = &run->actions[i].action;
    if (a->index != body || (a->kind != HEFT_ACTION_FORCE && a->kind != HEFT_ACTION_PULL)) continue;
    if (p.count++ == 0) p.when = heft_world_time_step(run->start) * (double)run->actions[i].step;
    p.size = fmax(p.size, push_size(a));
    p.sum += a->force.x + 2 * a->force.y + 3 * a->force.z + a->stiffness +
             1e-3 * (double)run->actions[i].step;  // tells different pushes apart
  }
  return p;
}

static void add_pushes(List* l, const WhyRun* run, const WhyRun* other) {
  const HeftModel* m = heft_world_model(run->start);
  for (int b = 0; b < m->nbody && run->action_count + (other ? other->action_count : 0) > 0; ++b) {
    const Push a = push_on(run, b), o = other ? push_on(other, b) : (Push){0};
    if (a.count != o.count || differ(a.sum, o.sum)) add(l, WHY_PUSH, b, a.size, o.size, a.when);
  }
}

// The value of a parameter before the first change of it during a run.
static double value_before(const HeftWorld* w, const HeftChange* c) {
  switch (c->kind) {
    case HEFT_CHANGE_FRICTION:
      return heft_world_material(w, c->index).friction;
    case HEFT_CHANGE_PAIR_FRICTION:
      return heft_world_pair_material(w, c->index).friction;
    case HEFT_CHANGE_RESTITUTION:
      return heft_world_material(w, c->index).restitution;
    case HEFT_CHANGE_PAIR_RESTITUTION:
      return heft_world_pair_material(w, c->index).restitution;
    case HEFT_CHANGE_MASS:
      return heft_world_body_mass(w, c->index) / heft_world_model(w)->body_mass[c->index];
    case HEFT_CHANGE_GRAVITY:
    case HEFT_CHANGE_GAIN:
    case HEFT_CHANGE_BOX:
    case HEFT_CHANGE_BALL:
    case HEFT_CHANGE_FILE:
    case HEFT_CHANGE_REMOVE:
    case HEFT_CHANGE_COUNT:
      break;
  }
  return 1;
}

static void add_altered(List* l, const WhyRun* run) {
  for (long i = 0; i < run->action_count; ++i) {
    const HeftAction* a = &run->actions[i].action;
    if (a->kind != HEFT_ACTION_CHANGE || i > 1000000) continue;
    add(l, WHY_ALTERED, (int)i, a->change.value, value_before(run->start, &a->change),
        heft_world_time_step(run->start) * (double)run->actions[i].step);
  }
}

int why_deviations(const WhyRun* run, const WhyRun* reference, WhyChange* out, int capacity) {
  List l = {out, 0, capacity};
  const HeftWorld* other = reference ? reference->start : NULL;
  add_frictions(&l, run->start, other);
  add_masses(&l, run->start, other);
  add_gains(&l, run->start, other);
  add_gravity(&l, run->start, other);
  if (reference) add_starts(&l, run->start, other);
  if (reference) add_signals(&l, run, reference);
  add_pushes(&l, run, reference);
  add_altered(&l, run);
  return l.count;
}
