// SPDX-License-Identifier: Apache-2.0
// Papers: R7, R24, U10.
// Soft contact points: a spring and a damper give the normal force of a point at the end of the
// step. With the depth d, the normal velocity u (d falls by h u) and the force f(d) with slope k,
// the impulse of a step is
//
//     r = h (f(d) - k h u - c u) >= 0
//     0 <= r  ⊥  u + R r - R h f(d) >= 0,       R = 1 / (h² k + h c).                         (1)
//
// So softness is a number on the diagonal of the contact problem and a bias velocity. Coulomb's
// cone, its certificate and the position of sticking stay exact: the tangential rows are rigid.
// The spring is implicit: any stiffness is stable, and one that the step cannot resolve is damped.
//
// A point that is still open by the gap g touches within the step if g + h u < 0. Spring and damper
// act on the rest of the way: r = (h k + c) (-g - h u), which is (1) with the bias g / h.
//
// Contact points have the stiffness and damping of their materials; two materials act in series.
// Points of area contact represent an area A of a patch (HeftContactPoint::area). A layer of
// thickness H and modulus E yields by w under the pressure p = E (w / H)^n, n = 1 or 1/2:
//
//     w = p H / E  for n = 1,      w = p² H / E²  for n = 1/2.
//
// Two layers that press on each other have one pressure and share the depth: d = a p + b p² with
// the sums a and b of these coefficients, so p = 2 d / (a + √(a² + 4 b d)) and dp/dd = 1 / (a + 2 b
// p). The force of a point is f = A p, its slope k = A dp/dd, and the damper is Hunt and Crossley's
// ([Hunt 1975]), c = e f with the dissipation e [s/m], which vanishes where the patch ends. The
// stored energy is A ∫ p dd = A (p d - a p² / 2 - b p³ / 3). Force and slope are taken at the depth
// at which the velocity of the start would end, which (1) continues linearly; for n = 1 that makes
// no difference.
#include "world/softness.h"

#include <math.h>
#include <string.h>

#include "world/contacts.h"

// Slopes are taken at this depth or more: the slope of √d has no limit [m].
static const double least_depth = 1e-9;

// The force of a contact point at its depth, its slope, damping and energy.
typedef struct Spring {
  double force, stiffness, damping, energy;
} Spring;

int heft_softness_any(const HeftModel* m) {
  for (int k = 0; k < m->nmaterial; ++k) {
    if (m->material_soft[2L * k] > 0 || m->material_area[4L * k] > 0) return 1;
  }
  return 0;
}

int heft_softness_any_area(const HeftModel* m) {
  for (int k = 0; k < m->nmaterial; ++k) {
    if (m->material_area[4L * k] > 0) return 1;
  }
  return 0;
}

// The materials of a contact point, one or two. Returns how many.
static int materials_of(const HeftModel* m, const HeftContactPoint* p, int material[2]) {
  material[0] = p->pair >= 0 ? m->pair_material[p->pair] : m->shape_material[p->shape_a];
  material[1] = m->shape_material[p->shape_b];
  return p->pair >= 0 ? 1 : 2;
}

static double in_series(double x, double y) { return x > 0 && y > 0 ? x * y / (x + y) : x + y; }

static Spring spring_of_point(const HeftModel* m, const HeftContactPoint* p, double depth) {
  int material[2];
  const int count = materials_of(m, p, material);
  Spring s = {0};
  for (int k = 0; k < count; ++k) {
    const double* soft = m->material_soft + 2L * material[k];
    if (!(soft[0] > 0)) continue;
    s.damping = s.stiffness > 0 ? in_series(s.damping, soft[1]) : soft[1];
    s.stiffness = in_series(s.stiffness, soft[0]);
  }
  s.force = s.stiffness * depth;
  s.energy = 0.5 * s.force * depth;
  return s;
}

// d(xy / (x + y))/dx = y² / (x + y)².
double heft_softness_rate(const HeftModel* m, const HeftContactPoint* p, int number) {
  int material[2];
  const int count = materials_of(m, p, material), part = number % 2;
  double value[2] = {0, 0}, sum = 0, rate = 0;
  for (int k = 0; k < count; ++k) {
    const double* soft = m->material_soft + 2L * material[k];
    if (soft[0] > 0) sum += value[k] = soft[part];
  }
  for (int k = 0; k < count; ++k) {
    const double other = value[1 - k] / sum;
    if (material[k] != number / 2 || !(m->material_soft[2L * material[k]] > 0)) continue;
    rate += value[0] > 0 && value[1] > 0 ? other * other : 1;
  }
  return rate;
}

double heft_softness_stiffness(const HeftModel* m, const HeftContactPoint* p) {
  return spring_of_point(m, p, 0).stiffness;
}

static Spring spring_of_area(const HeftModel* m, const HeftContactPoint* p, double depth) {
  int material[2];
  const int count = materials_of(m, p, material);
  double a = 0, b = 0, dissipation = 0;
  for (int k = 0; k < count; ++k) {
    const double *area = m->material_area + 4L * material[k], modulus = area[0];
    if (!(modulus > 0)) continue;
    if (area[3] == 1) {
      a += area[1] / modulus;
    } else {
      b += area[1] / (modulus * modulus);
    }
    dissipation = fmax(dissipation, area[2]);
  }
  if (!(a + b > 0)) return (Spring){0};
  const double pressure = 2 * depth / (a + sqrt(a * a + 4 * b * depth));
  const double energy = pressure * (depth - pressure * (0.5 * a + pressure * b / 3));
  return (Spring){.force = p->area * pressure,
                  .stiffness = p->area / (a + 2 * b * pressure),
                  .damping = p->area * pressure * dissipation,
                  .energy = p->area * energy};
}

static Spring spring_at(const HeftModel* m, const HeftContactPoint* p, double depth) {
  return p->area > 0 ? spring_of_area(m, p, fmax(depth, least_depth))
                     : spring_of_point(m, p, fmax(depth, 0));
}

// Softness and bias of a contact point, for a depth d that is expected at the end of the step.
static void soften(ConstraintSet* set, Constraint* k, const Spring* s, double h, double depth,
                   double area) {
  const double now = -k->gap;
  k->softness = 1 / (h * (h * s->stiffness + s->damping));
  k->restitution = 0;
  k->fresh = 0;  // its force is determined: there is none to choose (island_solve.c)
  set->bias[k->row] = -k->softness * h * (s->force + s->stiffness * (now - depth));
  if (now < 0 && !(area > 0)) set->bias[k->row] = -now / h;
  set->soft = 1;
}

void heft_softness_apply(ConstraintSet* set, const StepInput* in, const HeftDynamics* dynamics) {
  const HeftModel* m = in->model;
  if (set->contact_point_count == 0 || !heft_softness_any(m)) return;
  for (int i = 0; i < set->contact_point_count; ++i) {
    const HeftContactPoint* p = &set->contact_points.point[i];
    Constraint* k = &set->list[i];
    double depth = -k->gap;
    if (p->area > 0)
      depth -= in->h * heft_vec3_dot(heft_contact_velocity(set, in, dynamics, i), p->normal);
    depth = fmax(depth, p->area > 0 ? least_depth : 0);
    const Spring s = spring_at(m, p, depth);
    if (s.stiffness > 0) soften(set, k, &s, in->h, depth, p->area);
  }
}

// Energy of a contact point at the end of the step, or at its start without velocity.
static double energy_of(const ConstraintSet* set, const StepInput* in, int index,
                        const double* velocity, const double* bias) {
  const Constraint* k = &set->list[index];
  const double way = velocity ? in->h * (velocity[k->row] - bias[k->row]) : 0;
  const double depth = -(k->gap + way);
  if (!(k->softness > 0 && depth > 0)) return 0;
  return spring_at(in->model, &set->contact_points.point[index], depth).energy;
}

double heft_softness_energy(const ConstraintSet* set, const StepInput* in, const double* velocity,
                            const double* bias) {
  double sum = 0;
  for (int i = 0; i < set->contact_point_count && set->soft; ++i)
    sum += energy_of(set, in, i, velocity, bias);
  return sum;
}

int heft_softness_stores(const HeftModel* m) { return m->ndeformable == 0 && heft_softness_any(m); }

void heft_softness_store(const ConstraintSet* set, const StepInput* in, const double* velocity,
                         const double* bias, double* stored) {
  const HeftModel* m = in->model;
  memset(stored, 0, (size_t)heft_link_count(m) * sizeof(double));
  for (int i = 0; i < set->contact_point_count && set->soft; ++i) {
    const int *link = set->list[i].link, both = link[0] != 0 && link[1] != 0;
    const double energy = energy_of(set, in, i, velocity, bias);
    for (int s = 0; s < 2 && energy > 0; ++s) {
      if (link[s] != 0) stored[heft_link_root(m, link[s])] += both ? 0.5 * energy : energy;
    }
  }
}
