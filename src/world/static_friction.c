// SPDX-License-Identifier: Apache-2.0
// Papers: R22.
// Static friction above kinetic friction: which contact points may hold by it.
//
// Coulomb's static coefficient µ_s holds for points at rest: while a point slips, friction is
// µ_k r_n. In continuous time a point that slips on a slope with µ_k < tan α < µ_s therefore goes
// on and accelerates, however slowly it moves. The impulses of a step of length h do not show this:
// µ_s would stop every point slower than about (µ_s - tan α) g h cos α, because stopping it needs
// an impulse between both cones. So the law of a step is
//
//     a point that slips at the start of the step: |r_t| <= µ_k r_n, also if it stops in it,
//     a point that sticks at the start:            |r_t| <= µ_s r_n while it sticks.
//
// A point that slips can stop within µ_k, as it does in continuous time, where |r_t| = µ_k r_n up
// to that moment; from the next step on µ_s holds it. A point slips at the start of a step if it
// did at the end of the last one. This is judged there, not by the velocity at the start, because
// the velocity of a moved surface (surface.c) is constant during a step and jumps between two:
// under a block that an accelerated platform carries, it would differ by a h in every step. Points
// that the last step did not have are judged by their velocity, with the velocities that moved
// bodies had before the step.
//
// A point sticks below the limit of the report (contacts.c), or below the residual of its island,
// which bounds the velocity of each point that the certificate accepts as sticking.
#include "world/static_friction.h"

#include <math.h>

#include "world/contacts.h"
#include "world/surface.h"

// The velocity of a moved body at x before the step, less that in the step; zero for other bodies.
static HeftVec3 change_before(const StepInput* in, int body, HeftVec3 x) {
  const int moved = heft_surface_moved(in->model, body);
  if (moved < 0) return heft_vec3(0, 0, 0);
  const double *state = in->start->moved + 13L * moved, *before = in->moved_before + 6L * moved;
  const HeftVec3 ang = heft_vec3_sub(heft_vec3_from(before), heft_vec3_from(state + 7));
  const HeftVec3 lin = heft_vec3_sub(heft_vec3_from(before + 3), heft_vec3_from(state + 10));
  const HeftVec3 arm = heft_vec3_sub(x, heft_vec3_from(state));
  return heft_vec3_add(lin, heft_vec3_cross(ang, arm));
}

// The speed along the surface at the start, as the last step left it.
static double slip_before(const ConstraintSet* set, const StepInput* in,
                          const HeftDynamics* dynamics, int index) {
  const HeftContactPoint* t = &set->contact_points.point[index];
  HeftVec3 slip = heft_contact_slip(set, in, dynamics, index);
  slip = heft_vec3_add(slip, change_before(in, t->body_b, t->pos));
  slip = heft_vec3_sub(slip, change_before(in, t->body_a, t->pos));
  return heft_vec3_norm(heft_vec3_add_scaled(slip, -heft_vec3_dot(slip, t->normal), t->normal));
}

void heft_static_friction_choose(ConstraintSet* set, const StepInput* in,
                                 const HeftDynamics* dynamics) {
  const double limit = heft_slip_limit(in);
  for (int i = 0; i < set->contact_point_count; ++i) {
    Constraint* k = &set->list[i];
    if (!k->fresh || !(k->mu_static > k->mu) || k->rows < 3) continue;
    if (slip_before(set, in, dynamics, i) > limit) k->mu_static = k->mu;
  }
}

void heft_static_friction_note(const ConstraintSet* set, const StepInput* in,
                               const int* island_of_constraint, const IslandSolution* solution,
                               WarmStart* warm) {
  const double limit = heft_slip_limit(in);
  for (int i = 0; i < set->contact_point_count; ++i) {
    const HeftContactPoint* point = &set->contact_points.point[i];
    if (!(point->friction > point->kinetic) || point->dim < 3) continue;
    const double* u = solution->velocity + set->list[i].row;
    const double residual = solution->island[island_of_constraint[i]].certificate.residual;
    const double slip = sqrt(u[1] * u[1] + u[2] * u[2]);
    warm->contact[i].slips = slip > fmax(limit, residual);
  }
}
