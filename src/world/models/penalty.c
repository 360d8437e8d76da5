// SPDX-License-Identifier: Apache-2.0
// Papers: R23, R60.
// The model `penalty`: springs and dampers at every contact point.
//
// With the depth d = -gap > 0 and its rate ḋ, both at the start of the step,
//     linear            f_n = k d + c ḋ
//     Hunt, Crossley    f_n = k d^p (1 + c ḋ)                  [Hunt 1975]
// and never negative. Friction comes from a spring along the surface (spring.c).
//
// Forces are taken at the start, times h: the method is explicit, and has a stability limit. A
// point of mobility w = W_nn is a mass 1/w on a spring; steps are stable while h² k w + 2 h c w <
// 4. If an option is not given, its value is well inside this limit (spring.c). For Hunt and
// Crossley the default k makes the two laws equal at a depth of 1 mm.
#include <math.h>

#include "world/models/contact_model.h"
#include "world/models/spring.h"

static const double depth = 1e-3;  // at which both laws are equal by default [m]
static const double rate = 1;      // default damping of Hunt and Crossley [s/m]

static size_t count_scratch(int constraint_capacity, const HeftContactOptions* o) {
  (void)constraint_capacity;
  (void)o;
  return 0;
}

static double linear_force(const ModelTask* t, double d, double speed, double mobility) {
  const Spring s = heft_spring_choose(t->options->stiffness, t->options->damping, mobility, t->h);
  return fmax(0, s.k * d + s.c * speed);
}

static double hunt_crossley_force(const ModelTask* t, double d, double speed, double mobility) {
  const HeftContactOptions* o = t->options;
  const double p = o->exponent, like = heft_spring_choose(-1, -1, mobility, t->h).k;
  const double k = o->stiffness >= 0 ? o->stiffness : like * heft_exp((1 - p) * heft_log(depth));
  const double c = o->damping >= 0 ? o->damping : rate;
  return d > 0 ? fmax(0, k * heft_exp(p * heft_log(d)) * (1 + c * speed)) : 0;
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
  const double speed = -heft_model_start(t, contact)[0];
  const double n = t->options->law == HEFT_PENALTY_HUNT_CROSSLEY
                       ? hunt_crossley_force(t, -contact_point->gap, speed, mobility[0])
                       : linear_force(t, -contact_point->gap, speed, mobility[0]);
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
