// SPDX-License-Identifier: Apache-2.0
#include "why/trial.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char* const kind_words[] = {
#define NAME(id, word, index) word,
    WHY_KIND_LIST(NAME)
#undef NAME
};

const char* why_kind_word(WhyKind kind) { return kind_words[kind]; }

static int no_memory(HeftError* error) {
  snprintf(error->message, sizeof error->message, "not enough memory");
  return 0;
}

// ---- signals

int why_signal_count(const HeftModel* m) { return m->nactuator + m->nv; }

// 1 if the action sets this signal.
static int is_signal(const HeftModel* m, const HeftAction* a, int signal) {
  return signal < m->nactuator
             ? a->kind == HEFT_ACTION_CONTROL && a->index == signal
             : a->kind == HEFT_ACTION_JOINT_FORCE && a->index == signal - m->nactuator;
}

static double* signal_of(HeftWorld* w, int signal) {
  const int n = heft_world_model(w)->nactuator;
  return signal < n ? &heft_world_controls(w)[signal] : &heft_world_joint_forces(w)[signal - n];
}

// ---- parameters

static double blend(const WhyChange* c, double share) {
  return c->from + share * (c->to - c->from);
}

// Kinetic friction changes with the static one.
static HeftMaterial with_friction(HeftMaterial m, double friction) {
  m.kinetic = m.friction > 0 ? fmin(friction, m.kinetic / m.friction * friction) : friction;
  m.friction = friction;
  return m;
}

static HeftStatus set_shape_friction(HeftWorld* w, int shape, double friction, HeftError* error) {
  const HeftMaterial m = with_friction(heft_world_shape_material(w, shape), friction);
  return heft_world_set_shape_material(w, shape, &m, error);
}

static HeftStatus set_gain(HeftWorld* w, int actuator, double factor, HeftError* error) {
  HeftActuatorGains g = heft_world_actuator_gains(w, actuator);
  g.gain *= factor;
  for (int k = 0; k < 2; ++k) g.gain_rate[k] *= factor;
  for (int k = 0; k < 3; ++k) g.bias[k] *= factor;
  return heft_world_set_actuator_gains(w, actuator, &g, error);
}

HeftActuatorGains why_stated_gains(const HeftModel* m, int i) {
  return (HeftActuatorGains){
      m->actuator_gain[i],
      {m->actuator_gain_rate[2L * i], m->actuator_gain_rate[2L * i + 1]},
      {m->actuator_bias[3L * i], m->actuator_bias[3L * i + 1], m->actuator_bias[3L * i + 2]}};
}

static HeftStatus blend_gains(HeftWorld* w, const WhyTrial* t, int actuator, HeftError* error) {
  const HeftActuatorGains to = t->other ? heft_world_actuator_gains(t->other->start, actuator)
                                        : why_stated_gains(heft_world_model(w), actuator);
  HeftActuatorGains g = heft_world_actuator_gains(w, actuator);
  g.gain += t->share * (to.gain - g.gain);
  for (int k = 0; k < 2; ++k) g.gain_rate[k] += t->share * (to.gain_rate[k] - g.gain_rate[k]);
  for (int k = 0; k < 3; ++k) g.bias[k] += t->share * (to.bias[k] - g.bias[k]);
  return heft_world_set_actuator_gains(w, actuator, &g, error);
}

static HeftStatus set_mass(HeftWorld* w, int body, double mass, HeftError* error) {
  const double factor = mass / heft_world_model(w)->body_mass[body];
  return heft_world_set_mass_factors(w, body, factor, factor, error);
}

static HeftStatus set_start(HeftWorld* w, const WhyTrial* t, int joint, HeftError* error) {
  const HeftModel* m = heft_world_model(w);
  const HeftState *a = heft_world_state(t->run->start), *b = heft_world_state(t->other->start);
  double* memory = calloc((size_t)m->nq + (size_t)m->nv, sizeof *memory);
  if (!memory) return HEFT_ERR_MEMORY;
  double *q = memory, *v = memory + m->nq;
  heft_q_difference(m, a->q, b->q, v);
  for (int d = 0; d < m->nv; ++d) v[d] = m->dof_joint[d] == joint ? t->share * v[d] : 0;
  heft_q_integrate(m, a->q, v, 1, q);
  HeftStatus status = heft_world_set_q(w, 0, q, m->nq, error);
  for (int d = 0; d < m->nv; ++d)
    v[d] = a->v[d] + (m->dof_joint[d] == joint ? t->share * (b->v[d] - a->v[d]) : 0);
  if (status == HEFT_OK) status = heft_world_set_v(w, 0, v, m->nv, error);
  free(memory);
  return status;
}

static HeftStatus shift_start(HeftWorld* w, int coordinate, double by, HeftError* error) {
  const double q = heft_world_state(w)->q[coordinate] + by;
  return heft_world_set_q(w, coordinate, &q, 1, error);
}

// A state that is set ends the contacts of the start: the same in every trial of the change.
static HeftStatus prepare(HeftWorld* w, const WhyTrial* t, HeftError* error) {
  const WhyChange* c = t->change;
  const double value = blend(c, t->share);
  HeftMaterial m;
  HeftStatus status = HEFT_OK;
  switch (c->kind) {
    case WHY_FRICTION:
      m = with_friction(heft_world_material(w, c->index), value);
      return heft_world_set_material(w, c->index, &m, error);
    case WHY_SHAPE_FRICTION:
      return set_shape_friction(w, c->index, value, error);
    case WHY_PAIR_FRICTION:
      m = with_friction(heft_world_pair_material(w, c->index), value);
      return heft_world_set_pair_material(w, c->index, &m, error);
    case WHY_STANCE_FRICTION:
      for (int k = 0; k < c->member_count && status == HEFT_OK; ++k)
        status = set_shape_friction(w, c->member[k], value, error);
      return status;
    case WHY_MASS:
      return set_mass(w, c->index, value, error);
    case WHY_GAIN:
      return blend_gains(w, t, c->index, error);
    case WHY_GRAVITY:
      return heft_world_set_gravity(
          w, heft_vec3_scale(c->from != 0 ? value / c->from : 1, heft_world_gravity(w)), error);
    case WHY_START:
      return set_start(w, t, c->index, error);
    case WHY_SHIFT:
      return shift_start(w, c->index, value - c->from, error);
    case WHY_COMMAND:
      if (t->other) {
        double* mine = signal_of(w, c->index);
        *mine += t->share * (*signal_of(t->other->start, c->index) - *mine);
      }
      return HEFT_OK;
    case WHY_GRIP:
      for (int k = 0; k < c->member_count && status == HEFT_OK; ++k) {
        const int gain = c->member[k] - why_signal_count(heft_world_model(w));
        if (gain >= 0)
          status = set_gain(w, gain, value, error);
        else
          *signal_of(w, c->member[k]) *= value;
      }
      return status;
    case WHY_TIMING:
    case WHY_PUSH:
    case WHY_ALTERED:
    case WHY_KIND_COUNT:
      return HEFT_OK;
  }
  return HEFT_OK;
}

// ---- actions

typedef struct Actions {
  WhyAction* list;
  long count;
} Actions;

static int is_push(const HeftAction* a, int body) {
  return a->index == body && (a->kind == HEFT_ACTION_FORCE || a->kind == HEFT_ACTION_PULL);
}

static WhyAction scaled(const WhyAction* a, double factor) {
  WhyAction out = *a;
  out.action.force = heft_vec3_scale(factor, a->action.force);
  out.action.stiffness *= factor;
  out.action.damping *= factor;
  out.action.force_max *= factor;
  if (factor == 0 && out.action.kind == HEFT_ACTION_PULL) out.action.kind = HEFT_ACTION_RELEASE;
  return out;
}

static int by_step(const void* a, const void* b) {
  const WhyAction *x = *(const WhyAction*const*)a, *y = *(const WhyAction*const*)b;
  if (x->step != y->step) return x->step < y->step ? -1 : 1;
  return x < y ? -1 : x > y;
}

// Orders actions by their steps and keeps the order within one step.
static int sort_actions(Actions* a) {
  WhyAction** at = calloc((size_t)a->count + 1, sizeof(WhyAction*));
  WhyAction* list = calloc((size_t)a->count + 1, sizeof *list);
  for (long i = 0; at && i < a->count; ++i) at[i] = &a->list[i];
  if (at && list) {
    qsort(at, (size_t)a->count, sizeof(WhyAction*), by_step);
    for (long i = 0; i < a->count; ++i) list[i] = *at[i];
    free(a->list);
    a->list = list;
  } else {
    free(list);
  }
  free(at);
  return at && list;
}

// The signal of both runs at all steps at which one of them changes.
static void blend_signal(const WhyTrial* t, Actions* out) {
  const HeftModel* m = heft_world_model(t->run->start);
  const WhyRun* run[2] = {t->run, t->other};
  const int signal = t->change->index;
  double value[2] = {*signal_of(run[0]->start, signal), *signal_of(run[1]->start, signal)};
  long at[2] = {0, 0};
  for (;;) {
    int next = -1;
    for (int r = 0; r < 2; ++r) {
      while (at[r] < run[r]->action_count && !is_signal(m, &run[r]->actions[at[r]].action, signal))
        ++at[r];
      if (at[r] < run[r]->action_count &&
          (next < 0 || run[r]->actions[at[r]].step < run[next]->actions[at[next]].step))
        next = r;
    }
    if (next < 0) return;
    WhyAction a = run[next]->actions[at[next]++];
    value[next] = a.action.value;
    a.action.value = value[0] + t->share * (value[1] - value[0]);
    out->list[out->count++] = a;
  }
}

const WhyAction* why_next_of(const WhyRun* run, const HeftModel* m, int signal, long* at) {
  while (*at < run->action_count && !is_signal(m, &run->actions[*at].action, signal)) ++*at;
  return *at < run->action_count ? &run->actions[(*at)++] : NULL;
}

static long count_signal(const WhyRun* run, const HeftModel* m, int signal) {
  long count = 0;
  for (long i = 0; i < run->action_count; ++i)
    count += is_signal(m, &run->actions[i].action, signal);
  return count;
}

// 1 if both runs set the signal as often: then each action has its counterpart, and size and time
// of commands are told apart.
static int is_paired(const WhyTrial* t) {
  const HeftModel* m = heft_world_model(t->run->start);
  return t->other &&
         count_signal(t->run, m, t->change->index) == count_signal(t->other, m, t->change->index);
}

static double altered_from(const WhyChange* c, double share, double value) {
  return value + share * (c->to - value);
}

static void take_own(const WhyTrial* t, Actions* out) {
  const HeftModel* m = heft_world_model(t->run->start);
  const WhyChange* c = t->change;
  const int is_command = c && c->kind == WHY_COMMAND, paired = is_command && is_paired(t);
  long moved = 0;
  for (long i = 0; i < t->run->action_count; ++i) {
    const WhyAction* a = &t->run->actions[i];
    WhyAction mine = *a;
    const int is_own = c && c->kind != WHY_PUSH && c->index >= 0 &&
                       c->index < why_signal_count(m) && is_signal(m, &a->action, c->index);
    if (is_command && is_own && t->other && !paired) continue;  // blend_signal() has it
    if (is_own && t->other && (is_command || c->kind == WHY_TIMING)) {
      const WhyAction* theirs = why_next_of(t->other, m, c->index, &moved);
      if (theirs && is_command)
        mine.action.value += t->share * (theirs->action.value - a->action.value);
      else if (theirs)
        mine.step += lround(t->share * (double)(theirs->step - a->step));
    }
    if (c && c->kind == WHY_PUSH && is_push(&a->action, c->index)) mine = scaled(a, 1 - t->share);
    if (c && c->kind == WHY_ALTERED && c->index == i)
      mine.action.change.value = altered_from(c, t->share, a->action.change.value);
    if (c && c->kind == WHY_GRIP)
      for (int k = 0; k < c->member_count; ++k)
        if (c->member[k] < why_signal_count(m) && is_signal(m, &a->action, c->member[k]))
          mine.action.value *= blend(c, t->share);
    out->list[out->count++] = mine;
  }
}

static int make_actions(const WhyTrial* t, Actions* out) {
  const long most = t->run->action_count + (t->other ? t->other->action_count : 0);
  *out = (Actions){calloc((size_t)most + 1, sizeof(WhyAction)), 0};
  if (!out->list) return 0;
  take_own(t, out);
  if (!t->change || !t->other) return 1;
  if (t->change->kind == WHY_COMMAND && !is_paired(t)) blend_signal(t, out);
  for (long i = 0; t->change->kind == WHY_PUSH && i < t->other->action_count; ++i)
    if (t->other->actions[i].action.kind == HEFT_ACTION_FORCE &&
        is_push(&t->other->actions[i].action, t->change->index))
      out->list[out->count++] = scaled(&t->other->actions[i], t->share);
  return sort_actions(out);
}

// ---- the run

static int play(const WhyTrial* t, HeftWorld* w, const Actions* actions, HeftError* error) {
  HeftUserForces forces = {0};
  long next = 0;
  for (long i = 0; i < t->run->steps; ++i) {
    for (; next < actions->count && actions->list[next].step <= i; ++next)
      if (heft_action_apply(&actions->list[next].action, w, &forces, error) != HEFT_OK) return 0;
    heft_user_forces_apply(&forces, w);
    if (!heft_step_taken(heft_world_step(w).status)) {
      if (t->watch) t->watch->broken = 1;
      break;
    }
    if (t->seen) t->seen(t->user, w, i + 1);
    if (t->watch && why_watch_step(t->watch, w)) break;
  }
  if (t->watch) why_watch_end(t->watch);
  return 1;
}

int why_trial(const WhyTrial* t, HeftError* error) {
  HeftWorld* w = NULL;
  Actions actions = {0};
  if (t->watch) why_watch_restart(t->watch);
  if (heft_world_clone(&w, t->run->start, error) != HEFT_OK) return 0;
  int well = !t->change || prepare(w, t, error) == HEFT_OK;
  if (well && !make_actions(t, &actions)) well = no_memory(error);
  if (well) well = play(t, w, &actions, error);
  free(actions.list);
  heft_world_destroy(w);
  return well;
}
