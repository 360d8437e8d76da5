// SPDX-License-Identifier: Apache-2.0
// Springs and dampers of tendons.
//
// A tendon pulls with -k (l - l_rest) - c l̇, at rest anywhere between two lengths. In the theta
// scheme both are taken at t + θh like servos (actuators.c), where the dofs of the tendon lie on
// one path of a tree; a tendon across branches or trees is explicit, and must not be stiffer than
// the step allows. Which side of its slack a tendon is on is decided at the middle of the step.
#include "world/tendons.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "world/world_internal.h"

static int is_passive(const HeftModel* m, int t) {
  return m->tendon_stiffness[t] != 0 || m->tendon_damping[t] != 0;
}

// ---- memory

static void place(Tendons* t, Arena* arena, const HeftModel* m) {
  t->rest = arena_take_bytes(arena, (size_t)m->ntendon, sizeof *t->rest);
}

// The lengths at q_spring, for which the kinematics go there and back.
static void find_rest(HeftWorld* w) {
  const HeftModel* m = w->model;
  Tendons* tendons = w->tendons;
  int asked = 0;
  for (int t = 0; t < m->ntendon; ++t) asked |= m->tendon_spring[2L * t] < 0;
  if (asked) heft_dynamics_kinematics(w->dynamics, m->q_spring);
  for (int t = 0; t < m->ntendon; ++t) {
    const double* spring = m->tendon_spring + 2L * t;
    tendons->rest[t][0] = spring[0];
    tendons->rest[t][1] = spring[1];
    if (spring[0] >= 0) continue;
    tendons->rest[t][0] = tendons->rest[t][1] =
        heft_dynamics_tendon_length(w->dynamics, t, m->q_spring, NULL);
  }
  if (asked) heft_dynamics_kinematics(w->dynamics, m->q_default);
}

HeftStatus heft_tendons_create(HeftWorld* w, HeftError* error) {
  const HeftModel* m = w->model;
  const HeftAllocator* allocator = &w->def.allocator;
  Tendons measured = {0};
  Arena sizes = arena_measure();
  arena_take(&sizes, 1, Tendons);
  place(&measured, &sizes, m);
  Tendons* t = allocator->allocate(allocator->user, sizes.used, ARENA_ALIGNMENT);
  if (!t)
    return heft_error_set(error, HEFT_ERR_MEMORY, "no memory for tendons of %zu bytes", sizes.used);
  memset(t, 0, sizes.used);
  Arena arena = arena_make(t, sizes.used, NULL);
  arena_take(&arena, 1, Tendons);
  place(t, &arena, m);
  t->memory_size = sizes.used;
  w->tendons = t;
  for (int i = 0; i < m->ntendon; ++i) {
    if (!is_passive(m, i)) continue;
    t->any = w->lines->line[i].wanted = 1;
  }
  find_rest(w);
  return HEFT_OK;
}

void heft_tendons_destroy(HeftWorld* w) {
  if (!w->tendons) return;
  w->def.allocator.release(w->def.allocator.user, w->tendons, w->tendons->memory_size);
  w->tendons = NULL;
}

// ---- forces

// How far the spring is stretched (or pressed, negative); 0 while it is slack.
static double stretch_of(const HeftWorld* w, int t) {
  const double length = w->lines->length[t], *rest = w->tendons->rest[t];
  return length > rest[1] ? length - rest[1] : length < rest[0] ? length - rest[0] : 0;
}

// Where the response of a line goes.
static int stiffen(const HeftWorld* w, int t, double scale, double* extra, Stiffening* more) {
  const Lines* l = w->lines;
  const Line* line = &l->line[t];
  const double* arm = l->arm + line->first;
  if (line->count == 1) {
    extra[l->dof[line->first]] += scale * arm[0] * arm[0];
    return 0;
  }
  *more =
      (Stiffening){.count = line->count, .dof = l->dof + line->first, .arm = arm, .scale = scale};
  return 1;
}

int heft_tendons_act(HeftWorld* w, double* tau, double* extra, Stiffening* more) {
  const HeftModel* m = w->model;
  const Lines* l = w->lines;
  const double h = w->def.time_step;
  int count = 0;
  for (int t = 0; t < m->ntendon && w->tendons->any; ++t) {
    const Line* line = &l->line[t];
    if (!is_passive(m, t) || line->count == 0) continue;
    const double stretch = stretch_of(w, t), speed = heft_line_speed(l, t, w->state->v);
    const double spring = stretch != 0 ? m->tendon_stiffness[t] : 0, damper = m->tendon_damping[t];
    double force = -spring * stretch - damper * speed;
    if (line->one_path) {
      const double theta = w->theta[l->dof[line->first]];
      force -= spring * h * (2 * theta - 1) * speed;
      const double reach = h * theta;
      count += stiffen(w, t, reach * damper + reach * reach * spring, extra, more + count);
    }
    heft_line_pull(l, t, force, tau);
  }
  return count;
}

double heft_tendons_damping(const HeftWorld* w, const double* middle) {
  const HeftModel* m = w->model;
  double sum = 0;
  for (int t = 0; t < m->ntendon && w->tendons->any; ++t) {
    if (m->tendon_damping[t] == 0) continue;
    const double speed = heft_line_speed(w->lines, t, middle);
    sum += w->def.time_step * m->tendon_damping[t] * speed * speed;
  }
  return sum;
}

double heft_tendons_stage(HeftWorld* w, const double* v, double* tau) {
  const HeftModel* m = w->model;
  double power = 0;
  for (int t = 0; t < m->ntendon && w->tendons->any; ++t) {
    if (!is_passive(m, t)) continue;
    const double speed = heft_line_speed(w->lines, t, v);
    const double damping = m->tendon_damping[t] * speed;
    heft_line_pull(w->lines, t, -m->tendon_stiffness[t] * stretch_of(w, t) - damping, tau);
    power += damping * speed;
  }
  return power;
}

double heft_tendons_energy(const HeftWorld* w) {
  const HeftModel* m = w->model;
  double energy = 0;
  for (int t = 0; t < m->ntendon && w->tendons->any; ++t) {
    if (m->tendon_stiffness[t] == 0) continue;
    const double stretch = stretch_of(w, t);
    energy += 0.5 * m->tendon_stiffness[t] * stretch * stretch;
  }
  return energy;
}
