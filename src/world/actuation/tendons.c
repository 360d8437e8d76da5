// SPDX-License-Identifier: Apache-2.0
// Springs and dampers of tendons.
//
// A tendon pulls with -k (l - l_rest) - c l̇, at rest anywhere between two lengths. In the theta
// scheme both are evaluated at t + θh like servos (actuators.c) if the dofs of the tendon lie on
// one path of a tree. A tendon across branches or trees is explicit, so its stiffness is limited by
// the step. The side of its slack that a tendon is on is decided at the middle of the step.
#include "world/actuation/tendons.h"
#include "base/assert.h"

static int is_passive(const HeftModel* m, int t) {
  return m->tendon_stiffness[t] != 0 || m->tendon_damping[t] != 0;
}

// ---- memory

static void place(void* object, Arena* arena, const void* user) {
  Tendons* t = object;
  t->rest = arena_take_bytes(arena, (size_t)((const HeftModel*)user)->ntendon, sizeof *t->rest);
}

// Rest lengths that the model does not give are those at q_spring. The kinematics return to
// q_default.
static void find_rest(Tendons* tendons, HeftDynamics* dynamics) {
  const HeftModel* m = tendons->model;
  int asked = 0;
  for (int t = 0; t < m->ntendon; ++t) asked |= m->tendon_spring[2L * t] < 0;
  if (asked) heft_dynamics_kinematics(dynamics, m->q_spring);
  for (int t = 0; t < m->ntendon; ++t) {
    const double* spring = m->tendon_spring + 2L * t;
    tendons->rest[t][0] = spring[0];
    tendons->rest[t][1] = spring[1];
    if (spring[0] >= 0) continue;
    tendons->rest[t][0] = tendons->rest[t][1] =
        heft_dynamics_tendon_length(dynamics, t, m->q_spring, NULL);
  }
  if (asked) heft_dynamics_kinematics(dynamics, m->q_default);
}

Tendons* heft_tendons_create(const HeftModel* m, Transmissions* transmissions,
                             HeftDynamics* dynamics, const HeftAllocator* allocator,
                             HeftError* error) {
  Tendons start = {.model = m, .transmissions = transmissions};
  Tendons* t = heft_block_create(&start, sizeof start, place, m, allocator, "tendons", error);
  if (!t) return NULL;
  for (int i = 0; i < m->ntendon; ++i) {
    if (!is_passive(m, i)) continue;
    t->any = transmissions->list[i].wanted = 1;
  }
  find_rest(t, dynamics);
  return t;
}

// ---- forces

// Length beyond the rest lengths, negative if the tendon is shorter; 0 while it is slack.
static double stretch_of(const Tendons* tendons, int t) {
  const double length = tendons->transmissions->length[t], *rest = tendons->rest[t];
  HEFT_ASSERT(!(rest[0] > rest[1]));
  return length > rest[1] ? length - rest[1] : length < rest[0] ? length - rest[0] : 0;
}

// Adds the implicit term of a tendon: to the diagonal, or as a path to *more. Returns the number of
// paths.
static int stiffen(const Transmissions* l, int t, double scale, double* extra, Stiffening* more) {
  const Transmission* line = &l->list[t];
  const double* arm = l->arm + line->first;
  HEFT_ASSERT(line->count > 0 && !(scale < 0));
  if (line->count == 1) {
    extra[l->dof[line->first]] += scale * arm[0] * arm[0];
    return 0;
  }
  *more =
      (Stiffening){.count = line->count, .dof = l->dof + line->first, .arm = arm, .scale = scale};
  return 1;
}

int heft_tendons_act(const Tendons* tendons, double h, const double* v, const double* thetas,
                     double* tau, double* extra, Stiffening* more) {
  const HeftModel* m = tendons->model;
  const Transmissions* l = tendons->transmissions;
  int count = 0;
  for (int t = 0; t < m->ntendon && tendons->any; ++t) {
    const Transmission* line = &l->list[t];
    if (!is_passive(m, t) || line->count == 0) continue;
    const double stretch = stretch_of(tendons, t), speed = heft_transmission_speed(l, t, v);
    const double spring = stretch != 0 ? m->tendon_stiffness[t] : 0, damper = m->tendon_damping[t];
    double force = -spring * stretch - damper * speed;
    if (line->one_path) {
      const double theta = thetas[l->dof[line->first]];
      HEFT_ASSERT(theta >= 0.5 && theta <= 1);
      force -= spring * h * (2 * theta - 1) * speed;
      const double ahead = h * theta;
      count += stiffen(l, t, ahead * damper + ahead * ahead * spring, extra, more + count);
    }
    heft_transmission_pull(l, t, force, tau);
  }
  return count;
}

double heft_tendons_damping(const Tendons* tendons, double h, const double* v_mean) {
  const HeftModel* m = tendons->model;
  double sum = 0;
  for (int t = 0; t < m->ntendon && tendons->any; ++t) {
    if (m->tendon_damping[t] == 0) continue;
    const double speed = heft_transmission_speed(tendons->transmissions, t, v_mean);
    sum += h * m->tendon_damping[t] * speed * speed;
    HEFT_ASSERT(!(sum < 0));
  }
  return sum;
}

double heft_tendons_stage(const Tendons* tendons, const double* v, double* tau) {
  const HeftModel* m = tendons->model;
  const Transmissions* l = tendons->transmissions;
  double power = 0;
  for (int t = 0; t < m->ntendon && tendons->any; ++t) {
    if (!is_passive(m, t)) continue;
    const double speed = heft_transmission_speed(l, t, v);
    const double damping = m->tendon_damping[t] * speed;
    heft_transmission_pull(l, t, -m->tendon_stiffness[t] * stretch_of(tendons, t) - damping, tau);
    power += damping * speed;
  }
  return power;
}

double heft_tendons_energy(const Tendons* tendons) {
  const HeftModel* m = tendons->model;
  double energy = 0;
  for (int t = 0; t < m->ntendon && tendons->any; ++t) {
    if (m->tendon_stiffness[t] == 0) continue;
    const double stretch = stretch_of(tendons, t);
    energy += 0.5 * m->tendon_stiffness[t] * stretch * stretch;
    HEFT_ASSERT(!(energy < 0));
  }
  return energy;
}
