// SPDX-License-Identifier: Apache-2.0
// Papers: R22, U2.
// Friction that depends on the slip speed v ([Olsson 1998], the Stribeck curve and a viscous term):
//
//     µ(v) = µ_k + (µ_s - µ_k) exp(-(v / v_s)²) + c v.
//
// The coefficient of a step is µ at the slip speed of its start, and the law of the step is
// Coulomb's with this coefficient: exact and certified as always, and of first order in the step as
// a whole. A point that sticks at the start holds by µ(0), which is µ_s with a Stribeck speed;
// without one heft_static_friction_choose() decides. Of two surfaces the larger numbers count,
// unless the model has a pair with a material of its own.
#include "world/slip_law.h"

#include <math.h>

#include "world/contacts.h"

static int any_law(const HeftModel* m) {
  for (int k = 0; k < m->nmaterial; ++k) {
    if (m->material_slip[2L * k] > 0 || m->material_slip[2L * k + 1] > 0) return 1;
  }
  return 0;
}

double heft_slip_law_curve(const HeftContactPoint* p, const double law[2], double speed) {
  const double ratio = law[0] > 0 ? speed / law[0] : 0;
  const double more = law[0] > 0 ? (p->friction - p->kinetic) * heft_exp(-ratio * ratio) : 0;
  return p->kinetic + more;
}

void heft_slip_law_read(const HeftModel* m, const HeftContactPoint* p, double law[2]) {
  const double* a = m->material_slip + 2L * m->shape_material[p->shape_a];
  const double* b = m->material_slip + 2L * m->shape_material[p->shape_b];
  if (p->pair >= 0) a = b = m->material_slip + 2L * m->pair_material[p->pair];
  law[0] = fmax(a[0], b[0]);
  law[1] = fmax(a[1], b[1]);
}

void heft_slip_law_apply(ConstraintSet* set, const StepInput* in, const HeftDynamics* dynamics) {
  const HeftModel* m = in->model;
  if (set->contact_point_count == 0 || !any_law(m)) return;
  const double limit = heft_slip_limit(in);
  for (int i = 0; i < set->contact_point_count; ++i) {
    const HeftContactPoint* p = &set->contact_points.point[i];
    Constraint* k = &set->list[i];
    double law[2];
    heft_slip_law_read(m, p, law);
    if (k->rows < 3 || !(law[0] > 0 || law[1] > 0)) continue;
    const double speed = heft_vec3_norm(heft_contact_slip(set, in, dynamics, i));
    if (speed > limit) {
      k->mu = k->mu_static = heft_slip_law_curve(p, law, speed) + law[1] * speed;
    } else if (law[0] > 0) {
      k->mu = k->mu_static = p->friction;
    }
  }
}
