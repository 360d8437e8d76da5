// SPDX-License-Identifier: Apache-2.0
// Fast spin in contact.
//
// The bias of a tree in contact, c(q, v), is evaluated at its velocity v. The bias does no work,
// but a step along it does: v - h M⁻¹ c has more kinetic energy than v by h² cᵀ M⁻¹ c / 2. This is
// negligible for a body that rotates by a small angle in a step. A leaf that hits the floor on its
// edge rotates by radians, and would gain energy without end.
//
// So if a joint of a tree rotates fast, the step along the bias keeps its energy: the motion
// relative to the centre of mass is scaled back to its energy before. The velocity of the centre of
// mass of a floating tree is left as the bias makes it: if the frame of its base is at a distance r
// from the centre of mass, the velocity of the frame turns by -h ω × (ω × r), which keeps the
// centre of mass on its way once the frame has turned, too. The correction is of the order of the
// scheme's own error, (ω h)², and never adds energy.
#include "world/spin.h"

#include <math.h>
#include <string.h>

#include "model/joint_kind.h"

void heft_spin_place(SpinScratch* s, Arena* arena, const HeftModel* m) {
  const int nlink = heft_link_count(m);
  s->bias.fast = arena_take(arena, nlink, int);
  Arena overlay = *arena;  // a trial is over before the step begins
  s->q = arena_take(&overlay, m->nq, double);
  s->bias.before = arena_take(arena, nlink, InternalEnergy);
  s->bias.after = arena_take(arena, nlink, InternalEnergy);
  if (overlay.used > arena->used) *arena = overlay;
  s->bias.at_rest = arena_take(arena, m->nv, double);
  s->bias.weight = arena_take(arena, m->nv, double);
  s->bias.turned = arena_take(arena, m->nv, double);
  s->bias.momentum = arena_take(arena, m->nv, double);
  s->fast = arena_take(arena, nlink, int);
  s->touches = arena_take(arena, nlink, int);
  s->start.kinetic = arena_take(arena, nlink, double);
  s->start.potential = arena_take(arena, nlink, double);
  s->end.kinetic = arena_take(arena, nlink, double);
  s->end.potential = arena_take(arena, nlink, double);
  s->work = arena_take(arena, nlink, double);
  s->reach = arena_take(arena, nlink, double);
  s->restraint = arena_take(arena, m->nv, double);
}

static const double fast_turn = 0.02;  // in a step [rad]
static const double soft_turn = 1e-3;  // the same for trees in soft contact, which lasts and loses
                                       // little energy

// The first dof of a joint whose speed is judged; all after it are.
static int first_turn(HeftJointType type) {
  switch (type) {
    case HEFT_JOINT_FREE:
      return joint_rotation(type);
    case HEFT_JOINT_SLIDE:
      return 1;  // none
    case HEFT_JOINT_FIXED:
    case HEFT_JOINT_HINGE:
    case HEFT_JOINT_BALL:
    case HEFT_JOINT_PLANAR:
    case HEFT_JOINT_UNIVERSAL:
    case HEFT_JOINT_CYLINDRICAL:
    case HEFT_JOINT_TYPE_COUNT:
      break;
  }
  return 0;
}

// Marks the roots of trees in contact with a fast rotation. Returns 1 if there are any.
static int find_fast(const StepInput* in, const int* active, double turn, const double* v,
                     int* fast) {
  const HeftModel* m = in->model;
  const double max = turn / in->h;
  int any = 0;
  for (int j = 0; j < m->njoint; ++j) {
    const HeftJointType type = m->joint_type[j];
    const int dof = m->joint_dof[j];
    for (int i = first_turn(type); i < heft_joint_type_dof_count(type); ++i) {
      if (!(fabs(v[dof + i]) > max)) continue;
      const int root = heft_dof_root(m, dof + i);
      if (!active[root] || heft_link_deforms(m, root)) continue;
      if (!any) memset(fast, 0, (size_t)heft_link_count(m) * sizeof(int));
      fast[root] = any = 1;
    }
  }
  return any;
}

// x: velocities, p: momenta M x. The momentum of a floating tree is p of its base along its first
// three dofs.
static void find_energies(const HeftModel* m, const FloatingGroups* groups, const int* fast,
                          const double* x, const double* p, InternalEnergy* out) {
  memset(out, 0, (size_t)heft_link_count(m) * sizeof *out);
  for (int k = 1; k < heft_link_count(m); ++k)
    out[heft_link_root(m, k)].mass += heft_link_mass(m, k);
  for (int i = 0; i < m->nv; ++i) {
    const int root = heft_dof_root(m, i);
    if (fast[root]) out[root].energy += 0.5 * x[i] * p[i];
  }
  for (int f = 0; f < groups->root_count; ++f) {
    const int root = groups->root[f], dof = heft_link_dof(m, root);
    if (!fast[root]) continue;
    const double mass = out[root].mass;
    for (int i = 0; i < 3; ++i) {
      out[root].u[i] = p[dof + i] / mass;
      out[root].energy -= 0.5 * mass * out[root].u[i] * out[root].u[i];
    }
  }
}

// M x: the forces of an acceleration x from rest, less those that carry the weight.
static void find_momenta(const BiasSpin* s, HeftDynamics* dynamics, int nv, const double* x,
                         double* out) {
  heft_dynamics_rnea(dynamics, s->at_rest, x, out);
  for (int i = 0; i < nv; ++i) out[i] -= s->weight[i];
}

// The velocity after a step along the bias only, and the energies before and after it.
static void step_along_bias(BiasSpin* s, const StepInput* in, HeftDynamics* dynamics,
                            const FloatingGroups* groups, const double* v) {
  const int nv = in->model->nv;
  double* turned = s->turned;
  memset(s->at_rest, 0, (size_t)nv * sizeof(double));
  heft_dynamics_rnea(dynamics, s->at_rest, NULL, s->weight);
  find_momenta(s, dynamics, nv, v, s->momentum);
  find_energies(in->model, groups, s->fast, v, s->momentum, s->before);
  heft_dynamics_rnea(dynamics, v, NULL, turned);
  for (int i = 0; i < nv; ++i) turned[i] -= s->weight[i];
  heft_dynamics_solve(dynamics, turned);
  for (int i = 0; i < nv; ++i) turned[i] = v[i] - in->h * turned[i];
  find_momenta(s, dynamics, nv, turned, s->momentum);
  find_energies(in->model, groups, s->fast, turned, s->momentum, s->after);
}

void heft_spin_restrain(SpinScratch* spin, const StepInput* in, HeftDynamics* dynamics,
                        const int* active, int soft, const FloatingGroups* groups, const double* v,
                        double* acceleration) {
  const double turn = soft ? soft_turn : fast_turn;
  const HeftModel* m = in->model;
  BiasSpin* s = &spin->bias;
  const InternalEnergy *before = s->before, *after = s->after;
  s->restrains = 0;
  if (spin->any) memset(spin->restraint, 0, (size_t)m->nv * sizeof(double));
  // The velocity of a joint is the difference of two links' velocities.
  if (4 * spin->bound * in->h * in->h <= turn * turn) return;
  if (!find_fast(in, active, turn, v, s->fast)) return;
  step_along_bias(s, in, dynamics, groups, v);
  for (int i = 0; i < m->nv; ++i) {
    const int root = heft_dof_root(m, i), along = i - heft_link_dof(m, root);
    s->momentum[i] = 0;
    if (!s->fast[root] || !(after[root].energy > before[root].energy)) continue;
    s->restrains = 1;
    const double u = along < 3 ? after[root].u[along] : 0;
    const double share = sqrt(fmax(0, before[root].energy) / after[root].energy);
    const double change = (share - 1) * (s->turned[i] - u) / in->h;
    acceleration[i] += s->momentum[i] = change;
    if (spin->any) spin->restraint[i] = change;
  }
  if (s->restrains) find_momenta(s, dynamics, m->nv, s->momentum, s->turned);
}
