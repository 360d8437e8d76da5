// SPDX-License-Identifier: Apache-2.0
// Papers: R71.
// Springs and dampers of contact points. The law of the normal force is a function in a table:
//     linear            f_n = k d + c ḋ
//     Hunt, Crossley    f_n = k d^p (1 + c ḋ)                                [Hunt 1975]
//     Poisson           f_n = k d while the point sinks, e² k d while it rises
// and never negative. The spring of Poisson's law gives back the share e² of the energy, so that
// the impulse of restitution is e times the impulse of compression. For Hunt and Crossley the
// default k makes both forces equal at a depth of 1 mm.
//
// By default k = (0.15 / h)² / w and a damping ratio of 0.7, well inside the limit h² k w + 2 h c w
// < 4 of explicit steps for a point of mobility w.
//
// Along the surface a spring and a damper act against the displacement ξ of the point since contact
// began:
//     f_t = -(k_t ξ + c_t ξ̇),
// limited to the cone of static friction while the point sticks. When the force leaves that cone,
// the point slips with kinetic friction, and ξ is reset to the stretch that gives this force.
#include "world/models/spring.h"

#include <math.h>

static const double pace = 0.15;  // h times the circular frequency of default springs
static const double ratio = 0.7;  // of damping

static const double usual_depth = 1e-3;  // at which the laws are equal by default [m]
static const double usual_rate = 1;      // default damping of Hunt and Crossley [s/m]

enum { ANCHOR = 0, SLIDES = 3 };  // places in the stored numbers of a contact point

Spring heft_spring_choose(double k, double c, double mobility, double h) {
  const double own = pace * pace / (h * h * mobility), used = k >= 0 ? k : own;
  return (Spring){used, c >= 0 ? c : 2 * ratio * sqrt(used / mobility)};
}

typedef double SpringLaw(const SpringPoint* p, double d, double rate);

static double linear(const SpringPoint* p, double d, double rate) {
  const Spring s = heft_spring_choose(p->k, p->c, p->mobility, p->h);
  return s.k * d + s.c * rate;
}

static double hunt_crossley(const SpringPoint* p, double d, double rate) {
  const double like = heft_spring_choose(-1, -1, p->mobility, p->h).k;
  const double k = p->k >= 0 ? p->k : like * heft_exp((1 - p->exponent) * heft_log(usual_depth));
  const double c = p->c >= 0 ? p->c : usual_rate;
  return d > 0 ? k * heft_exp(p->exponent * heft_log(d)) * (1 + c * rate) : 0;
}

static double poisson(const SpringPoint* p, double d, double rate) {
  const double k = heft_spring_choose(p->k, 0, p->mobility, p->h).k;
  return k * d * (rate > 0 ? 1 : p->restitution * p->restitution);
}

static SpringLaw* const laws[HEFT_PENALTY_LAW_COUNT] = {linear, hunt_crossley, poisson};

double heft_spring_normal(HeftPenaltyLaw law, const SpringPoint* point, double d, double rate) {
  return fmax(0, laws[law](point, d, rate));
}

void heft_spring_friction(const ModelTask* t, int contact, double n, double mobility,
                          double out[2]) {
  const HeftContactPoint* contact_point = heft_model_contact_point(t, contact);
  const double* u = heft_model_start(t, contact) + 1;
  double* memory = heft_model_memory(t, contact);
  const HeftContactOptions* o = t->options;
  const Spring s = heft_spring_choose(o->tangent_stiffness, o->tangent_damping, mobility, t->h);
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
