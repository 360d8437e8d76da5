// SPDX-License-Identifier: Apache-2.0
// The middle of a step, q_m = q ⊕ h (1 - θ) v.
//
// Trees of first order (midpoint.c, lasting.c) have θ = 1, so that the laws of contact, which are
// laws of velocities, hold for positions too; all others have the θ of the def.
#include "world/middle.h"
#include "base/assert.h"

#include <string.h>

#include "dynamics/links.h"

void heft_middle_place(Middle* x, Arena* arena, const HeftModel* m, double* scratch) {
  x->theta = arena_take(arena, m->nv, double);
  x->implicit = arena_take(arena, m->nv, double);
  x->q = arena_take(arena, m->nq, double);
  x->lead = scratch;
}

static void choose_theta(Middle* x, const StepInput* in, const int* first_order) {
  const HeftModel* m = in->model;
  const double h = in->h, free = in->def->theta;
  const int links = heft_link_count(m);
  x->early = 0;
  for (int k = 1; k < links; ++k) {
    const double theta = first_order[heft_link_root(m, k)] ? 1 : free, ahead = h * theta;
    HEFT_ASSERT(theta >= 0.5 && theta <= 1);
    const int first = heft_link_dof(m, k), end = first + heft_link_dof_count(m, k);
    for (int i = first; i < end; ++i) {
      x->theta[i] = theta;
      x->implicit[i] = ahead * m->dof_damping[i] + ahead * ahead * m->dof_stiffness[i];
      HEFT_ASSERT(!(x->implicit[i] < 0));
    }
    x->early |= theta < 1;
  }
}

// q_m, and the kinematics there.
static void move_to_middle(Middle* x, const StepInput* in, HeftDynamics* dynamics) {
  const HeftModel* m = in->model;
  for (int i = 0; i < m->nv; ++i) x->lead[i] = (1 - x->theta[i]) * in->start->v[i];
  heft_q_integrate(m, in->start->q, x->lead, in->h, x->q);
  heft_dynamics_kinematics(dynamics, x->q);
}

// The constraints of islands of second order at q_m.
static void pose_constraints(Middle* x, const StepInput* in, HeftDynamics* dynamics,
                             const Drives* drives, Constraints* c) {
  heft_constraints_turn(&c->set, in, dynamics, drives, x->q);
  const int hit = heft_lasting_turn(c, in, dynamics);
  if (heft_midpoint_find_torn(&c->midpoint, &c->set, &c->islands, in, dynamics) | hit) {
    choose_theta(x, in, c->midpoint.first_order);
    move_to_middle(x, in, dynamics);
    heft_constraints_turn(&c->set, in, dynamics, drives, x->q);
    heft_lasting_turn_back(c, dynamics);
  }
  heft_midpoint_pose(&c->midpoint, &c->set, in);
}

void heft_middle_find(Middle* x, const StepInput* in, HeftDynamics* dynamics, const Drives* drives,
                      Constraints* c) {
  choose_theta(x, in, c->midpoint.first_order);
  if (x->early)
    move_to_middle(x, in, dynamics);
  else
    memcpy(x->q, in->start->q, (size_t)in->model->nq * sizeof(double));
  if (c->midpoint.any || c->lasting.any) pose_constraints(x, in, dynamics, drives, c);
  heft_lasting_pose(c, in);
}
