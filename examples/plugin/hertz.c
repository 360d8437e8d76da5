// SPDX-License-Identifier: Apache-2.0
// A contact law of one's own: bodies touch as elastic balls do, by the law of Hertz,
//     n = k d^1.5 (1 + c v)    at the depth d and the speed of approach v,
// and friction grows with the speed of slip up to Coulomb's.
//     heft run balls.xml --contact-model ./hertz.so:stiffness=1e5
#include <heft/plugin.h>
#include <math.h>

typedef struct Hertz {
  double stiffness, damping, creep;
} Hertz;

static const HeftOption options[] = {
    HEFT_PLUGIN_OPTION(Hertz, stiffness, 0, 1e12, 3e5, "N/m^1.5", "k: force over depth^1.5"),
    HEFT_PLUGIN_OPTION(Hertz, damping, 0, 1e3, 5, "s/m", "c: share of it per speed of approach"),
    HEFT_PLUGIN_OPTION(Hertz, creep, 1e-9, 1, 1e-3, "m/s", "slip with half of the friction")};

static double solve(const void* self, const HeftContactIsland* island) {
  const Hertz* h = (const Hertz*)self;
  for (int i = 0; i < island->count; ++i) {
    const HeftConstraintBlock* c = &island->problem->constraints[i];
    const double *u = island->start + c->row, depth = -island->point[i]->gap;
    double* r = island->impulse + c->row;  // zero so far
    if (!(depth > 0)) continue;
    const double n = h->stiffness * depth * sqrt(depth) * (1 - h->damping * u[0]);
    if (!(n > 0)) continue;
    r[0] = island->time_step * n;
    if (heft_constraint_type_row_count(c->type) < 3) continue;
    const double slip = sqrt(u[1] * u[1] + u[2] * u[2]);
    for (int k = 1; k < 3; ++k) {
      const double stop = 1 / island->mobility[c->row + k];  // impulse per speed that ends it
      r[k] = -u[k] * fmin(c->mu * r[0] / (slip + h->creep), stop);
    }
  }
  return 0;  // forces follow from the start of the step: there are no equations to be solved
}

static const HeftContactLaw law = {.name = "hertz", .yields = true, .solve = solve};
static const HeftPlugin hertz = {.cookie = HEFT_DEF_COOKIE(HeftPlugin),
                                 .name = "hertz",
                                 .help = "contact by the law of Hertz",
                                 .size = sizeof(Hertz),
                                 .options = {options, 3},
                                 .contact_law = &law};
HEFT_PLUGIN(hertz)
