// SPDX-License-Identifier: Apache-2.0
// Papers: R23, R60.
// The model `penalty`: springs and dampers at every contact point.
//
// The normal force follows from the depth d = -gap > 0 and its rate ḋ, both at the start of the
// step, by a law of spring.c. Friction comes from a spring along the surface.
//
// Forces are taken at the start, times h: the method is explicit, and has a stability limit. A
// point of mobility w = W_nn is a mass 1/w on a spring; steps are stable while h² k w + 2 h c w <
// 4. If an option is not given, its value is well inside this limit.
#include <math.h>

#include "world/models/contact_model.h"
#include "world/models/spring.h"

static size_t count_scratch(int constraint_capacity, const HeftContactOptions* o) {
  (void)constraint_capacity;
  (void)o;
  return 0;
}

static void apply_contact(ModelTask* t, int contact) {
  const HeftConstraintBlock* c = &t->problem->constraints[contact];
  const HeftContactPoint* contact_point = heft_model_contact_point(t, contact);
  const int rows = heft_constraint_type_row_count(c->type);
  double *r = t->impulse + c->row, *memory = heft_model_memory(t, contact), mobility[6];
  for (int i = 0; i < rows; ++i) r[i] = 0;
  if (!(contact_point->gap < 0)) {
    for (int i = 0; i < MODEL_MEMORY; ++i) memory[i] = 0;
    return;
  }
  heft_operator_diagonal(t->problem, c, mobility);
  const HeftContactOptions* o = t->options;
  const SpringPoint p = {.k = o->stiffness,
                         .c = o->damping,
                         .exponent = o->exponent,
                         .restitution = contact_point->restitution,
                         .mobility = mobility[0],
                         .h = t->h};
  const double speed = -heft_model_start(t, contact)[0];
  const double n = heft_spring_normal(o->law, &p, -contact_point->gap, speed);
  r[0] = t->h * n;
  if (rows < 3) return;
  double friction[2];
  heft_spring_friction(t, contact, n, 0.5 * (mobility[1] + mobility[2]), friction);
  r[1] = t->h * friction[0];
  r[2] = t->h * friction[1];
}

static int solve(ModelTask* t) {
  for (int i = 0; i < t->contact_points; ++i) apply_contact(t, i);
  heft_model_finish(t);
  return 1;
}

const ContactModel heft_contact_penalty = {.model = HEFT_CONTACT_MODEL_PENALTY,
                                           .bounces = 0,
                                           .corrects = 0,
                                           .scratch = count_scratch,
                                           .solve = solve};
