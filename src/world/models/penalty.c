// SPDX-License-Identifier: Apache-2.0
// Papers: R23, R60.
// The model `penalty`: springs and dampers at every contact point.
//
// With the depth d = -gap > 0 and its rate ḋ, both at the start of the step,
//     linear            f_n = k d + c ḋ
//     Hunt, Crossley    f_n = k d^p (1 + c ḋ)                  [Hunt 1975]
// and never negative. Along the surface a spring and a damper act against the displacement ξ of the
// point since contact began:
//     f_t = -(k_t ξ + c_t ξ̇),
// limited to the cone of static friction while the point sticks. When the force leaves that cone,
// the point slips with kinetic friction, and ξ is reset to the stretch that gives this force.
//
// Forces are those of the start, times h: the method is explicit, and has a stability limit. A
// point of mobility w = W_nn is a mass 1/w on a spring; steps are stable while h² k w + 2 h c w <
// 4. If an option is not given, its value is well inside this limit: k = (0.15 / h)² / w and a
// damping ratio of 0.7. For Hunt and Crossley the default k makes the two laws equal at a depth of
// 1 mm.
#include <math.h>

#include "world/models/contact_model.h"

static const double pace = 0.15;   // h times the circular frequency of default springs
static const double ratio = 0.7;   // of damping
static const double depth = 1e-3;  // at which both laws are equal by default [m]
static const double rate = 1;      // default damping of Hunt and Crossley [s/m]

enum { ANCHOR = 0, SLIDES = 3 };  // places in the stored numbers of a contact point

typedef struct Spring {
  double k, c;
} Spring;

static size_t count_scratch(int constraint_capacity, const HeftContactOptions* o) {
  (void)constraint_capacity;
  (void)o;
  return 0;
}

static Spring chosen(double k, double c, double mobility, double h) {
  const double own = pace * pace / (h * h * mobility), used = k >= 0 ? k : own;
  return (Spring){used, c >= 0 ? c : 2 * ratio * sqrt(used / mobility)};
}

static double linear_force(const ModelTask* t, double d, double speed, double mobility) {
  const Spring s = chosen(t->options->stiffness, t->options->damping, mobility, t->h);
  return fmax(0, s.k * d + s.c * speed);
}

static double hunt_crossley_force(const ModelTask* t, double d, double speed, double mobility) {
  const HeftContactOptions* o = t->options;
  const double p = o->exponent, like = pace * pace / (t->h * t->h * mobility);
  const double k = o->stiffness >= 0 ? o->stiffness : like * heft_exp((1 - p) * heft_log(depth));
  const double c = o->damping >= 0 ? o->damping : rate;
  return d > 0 ? fmax(0, k * heft_exp(p * heft_log(d)) * (1 + c * speed)) : 0;
}

// Friction of a contact point with the normal force n, along its two tangents.
static void pull_back(const ModelTask* t, int contact, double n, double mobility, double out[2]) {
  const HeftContactPoint* contact_point = heft_model_contact_point(t, contact);
  const double* u = heft_model_start(t, contact) + 1;
  double* memory = heft_model_memory(t, contact);
  const HeftContactOptions* o = t->options;
  const Spring s = chosen(o->tangent_stiffness, o->tangent_damping, mobility, t->h);
  const HeftVec3 old = heft_vec3_from(memory + ANCHOR);
  double displacement[2] = {heft_vec3_dot(old, contact_point->tangent1) + t->h * u[0],
                            heft_vec3_dot(old, contact_point->tangent2) + t->h * u[1]};
  for (int i = 0; i < 2; ++i) out[i] = -(s.k * displacement[i] + s.c * u[i]);
  const double size = sqrt(out[0] * out[0] + out[1] * out[1]);
  const double hold = memory[SLIDES] > 0 ? contact_point->kinetic
                                         : fmax(contact_point->friction, contact_point->kinetic);
  memory[SLIDES] = size > hold * n;
  for (int i = 0; i < 2 && memory[SLIDES] > 0; ++i) {
    out[i] *= contact_point->kinetic * n / size;
    displacement[i] = s.k > 0 ? -(out[i] + s.c * u[i]) / s.k : 0;
  }
  const HeftVec3 kept =
      heft_vec3_add_scaled(heft_vec3_scale(displacement[0], contact_point->tangent1),
                           displacement[1], contact_point->tangent2);
  memory[ANCHOR] = kept.x;
  memory[ANCHOR + 1] = kept.y;
  memory[ANCHOR + 2] = kept.z;
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
  pull_back(t, contact, n, 0.5 * (mobility[1] + mobility[2]), friction);
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
