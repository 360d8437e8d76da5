// SPDX-License-Identifier: Apache-2.0
// Springs and dampers of contact points.
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

enum { ANCHOR = 0, SLIDES = 3 };  // places in the stored numbers of a contact point

Spring heft_spring_choose(double k, double c, double mobility, double h) {
  const double own = pace * pace / (h * h * mobility), used = k >= 0 ? k : own;
  return (Spring){used, c >= 0 ? c : 2 * ratio * sqrt(used / mobility)};
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
