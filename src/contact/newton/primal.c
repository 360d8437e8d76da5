// SPDX-License-Identifier: Apache-2.0
// The proximal point of c, written for the velocities: with v = u + κ w (r - c) in place of u, the
// law of a contact gives its impulse in closed form,
//
//   r_i(u) = Π(c_i - u_i / (κ w_i)),    Π(x) = (x_n⁺, the point nearest to x_t of |r_t| <= µ x_n⁺),
//
// because a contact sticks where v = 0 (r = x), slips where v_n = 0 and v_t is opposite to r_t, and
// opens where x_n <= 0; De Saxcé's shift is not needed. Rows without friction are clamped to their
// bounds. This is the function of [Alart 1991]. An impulse ρ = r(W ρ + b) is sought; where r = c it
// is a solution of the problem itself, for every κ.
//
// If the radii of the discs are frozen, this is where a convex function of the velocities is least,
// φ = ½ ρ·Wρ + Σ ψ_i(u_i) with ∇ψ_i = -r_i: the augmented Lagrangian ([Rockafellar 1976]). Its
// Newton step is, with H_i = -∂r_i/∂u_i,
//
//   g = r(u) - ρ,    Δu = X (1 + Ω S)⁻¹ Ω Xᵀ g,  S = Σ Xᵀ H X,    Δρ = g - H Δu,
//
// and φ along a step has the slope
//
//   φ'(t) = Σ_i (ρ_i + t Δρ_i - r_i(u + t Δu)) · Δu_i,                                       (1)
//
// which rises with t. Its root is found by secants: each value costs one projection per contact, no
// factor and no product with W. So contacts may open, close, stick and slip by the dozen in one
// step, where a line search on |F| of newton.c needs many short ones. H contains the coupling of
// the radius to the normal impulse; if the step does not descend because of it, the coupling is
// left out, and it does.
//
// Equalities have no state to be found, so their κ is small from the start.
//
// A compliance s adds s w r to u: v = u + (κ + s) w (r - c κ / (κ + s)). So its proximal points are
// points of the rigid problem with κ + s about a smaller c, and u is the velocity without it. The
// normal row may have more softness than the others: the disc asks for nothing but equal tangents.
//
// The iterate is (ρ, u). The impulses that are handed out are r(u), which are in their cones.
#include "contact/newton/primal.h"
#include "base/assert.h"

#include <math.h>
#include <string.h>

// The table in docs/internals/contact.md states the effect of half and twice each value.
static const double KAPPA_EQUALITY = 1e-3,  // κ of equalities, at most
    INEXACT = 0.1;  // error of a point, relative to its distance from the last
// Along the steps of a proximal point.
static const PrimalSearch ROUGH = {.count = 6, .flat = 0.2, .margin = 0.05};

typedef struct Errors {
  double inner;  // max w_i |r_i - ρ_i|
  double outer;  // max κ w_i |r_i - c_i|, without compliance
} Errors;

// κ.
static double rigid_kappa(const Newton* newton, const Core* core, int i) {
  const int equality = core->cone[i].lower == -HUGE_VAL;
  return equality && newton->kappa > KAPPA_EQUALITY ? KAPPA_EQUALITY : newton->kappa;
}

// s of the normal row of a contact; s of its other rows is the problem's compliance.
static double normal_softness(const Core* core, int i) {
  return core->problem->softness ? core->soft[core->slot[i]] * core->iw[i]
                                 : core->problem->compliance;
}

// ---- impulses from velocities

// 1 / (κ w) of all contacts: of the normal row, and of the others.
static void set_stiffness(Newton* newton, const Core* core) {
  const double soft = core->problem->compliance;
  for (int i = 0; i < core->constraints; ++i) {
    const double kappa = rigid_kappa(newton, core, i);
    newton->stiffness[2 * i] = core->iw[i] / (kappa + normal_softness(core, i));
    newton->stiffness[2 * i + 1] = core->iw[i] / (kappa + soft);
    HEFT_ASSERT(!(newton->stiffness[2 * i] < 0 || newton->stiffness[2 * i + 1] < 0));
  }
}

HEFT_INLINE double clamped(const Cone* cone, double x) {
  return x < cone->lower ? cone->lower : x > cone->upper ? cone->upper : x;
}

HEFT_INLINE void impulse_of(const Newton* newton, const Core* core, int i, const double* u,
                            double* x, double* r) {
  const Cone* cone = &core->cone[i];
  const int rows = core->rows[i];
  const double *step = newton->stiffness + 2 * i, *c = newton->center + core->slot[i];
  for (int k = 0; k < rows; ++k) x[k] = c[k] - step[k > 0] * u[k];
  if (newton->rests) {
    for (int k = 0; k < rows; ++k) r[k] = x[k];
    cone_project(cone, r);
    return;
  }
  r[0] = clamped(cone, x[0]);
  for (int g = 0; g < cone->groups; ++g) {
    const double radius = cone->mu[g] * r[0], *v = x + cone->first[g];
    HEFT_ASSERT(!(radius < 0));
    double* to = r + cone->first[g];
    const double square = v[0] * v[0] + (cone->size[g] == 2 ? v[1] * v[1] : 0);
    const double cut = square <= radius * radius ? 1 : radius / sqrt(square);
    for (int k = 0; k < cone->size[g]; ++k) to[k] = cut * v[k];
  }
}

// x and r at the velocities u + t Δu; returns the slope (1) there.
HEFT_CLONES
static double evaluate_primal(const Newton* newton, const Core* core, double t) {
  const double *u = newton->u, *du = newton->slope, *rho = newton->point, *drho = newton->step;
  double sum = 0;
  for (int i = 0; i < core->constraints; ++i) {
    const int at = core->slot[i], rows = core->rows[i];
    if (rows == 1) {
      const double x = newton->center[at] - newton->stiffness[2 * i] * (u[at] + t * du[at]);
      newton->x[at] = x;
      newton->f[at] = clamped(&core->cone[i], x);
      sum += (rho[at] + t * drho[at] - newton->f[at]) * du[at];
      continue;
    }
    double there[CONE_ROWS];
    for (int k = 0; k < rows; ++k) there[k] = u[at + k] + t * du[at + k];
    impulse_of(newton, core, i, there, newton->x + at, newton->f + at);
    for (int k = 0; k < rows; ++k)
      sum += (rho[at + k] + t * drho[at + k] - newton->f[at + k]) * du[at + k];
  }
  return sum;
}

double primal_evaluate(const Newton* newton, const Core* core, double t) {
  return evaluate_primal(newton, core, t);
}

// ---- the step

// H of a contact at x: of its disc, µ t ∂r_n and (µ r_n / |x_t|) (1 - t tᵀ) if it slips.
void primal_linearize(Newton* newton, const Core* core, int coupled) {
  for (int i = 0; i < core->constraints; ++i) {
    const int rows = core->rows[i], at = core->slot[i];
    double* h = newton->e + 36 * i;
    const double normal_step = newton->stiffness[2 * i], step = newton->stiffness[2 * i + 1],
                 *x = newton->x + at;
    const Cone* cone = &core->cone[i];
    const double normal = newton->f[at];
    HEFT_ASSERT(rows == cone->rows);
    if (rows == 1) {
      h[0] = x[0] > cone->lower && x[0] < cone->upper ? normal_step : 0;
      continue;
    }
    if (newton->rests) {
      cone_derivative(cone, x, h);
      for (int k = 0; k < rows * rows; ++k) h[k] *= step;
      continue;
    }
    for (int k = 0; k < rows * rows; ++k) h[k] = 0;
    if (!(x[0] > cone->lower && x[0] < cone->upper)) continue;
    h[0] = normal_step;
    for (int g = 0; g < cone->groups; ++g) {
      const int first = cone->first[g], size = cone->size[g];
      const double radius = cone->mu[g] * normal, *v = x + first;
      const double square = v[0] * v[0] + (size == 2 ? v[1] * v[1] : 0);
      if (square <= radius * radius) {
        for (int k = first; k < first + size; ++k) h[k * rows + k] = step;
        continue;
      }
      const double length = sqrt(square), turn = step * radius / length;
      HEFT_ASSERT(!(turn < 0) && length > 0);
      for (int a = 0; a < size; ++a) {
        const double t = v[a] / length;
        if (coupled) h[(first + a) * rows] = normal_step * cone->mu[g] * t;
        for (int b = 0; b < size; ++b)
          h[(first + a) * rows + first + b] = turn * ((a == b) - t * v[b] / length);
      }
    }
  }
}

// Δρ = g - H Δu, from Δu; returns the slope -g · Δu.
static double find_changes(Newton* newton, const Core* core, const double* g) {
  double slope = 0;
  for (int i = 0; i < core->constraints; ++i) {
    const int at = core->slot[i], rows = core->rows[i];
    const double* h = newton->e + 36 * i;
    const double* u = newton->slope + at;
    if (rows == 1) {
      newton->step[at] = g[at] - h[0] * u[0];
      slope -= g[at] * u[0];
      continue;
    }
    for (int a = 0; a < rows; ++a) {
      double sum = g[at + a];
      for (int b = 0; b < rows; ++b) sum -= h[a * rows + b] * u[b];
      newton->step[at + a] = sum;
      slope -= g[at + a] * u[a];
    }
  }
  return slope;
}

double primal_solve(Newton* newton, const Core* core) {
  double* g = newton->trial;
  for (int k = 0; k < core->slots; ++k) g[k] = newton->f[k] - newton->point[k];
  return newton_velocities(newton, core, 1, g, newton->slope) ? find_changes(newton, core, g)
                                                              : HUGE_VAL;
}

double primal_direction(Newton* newton, const Core* core) {
  for (int coupled = 1; coupled >= newton->rests; --coupled) {
    primal_linearize(newton, core, coupled);
    const double slope = primal_solve(newton, core);
    if (slope < 0) return slope;
    if (slope == HUGE_VAL) return 0;
  }
  return 0;
}

void primal_advance(Newton* newton, const Core* core, double t) {
  HEFT_ASSERT(t >= 0 && t <= 1);
  for (int k = 0; k < core->slots; ++k) {
    newton->point[k] += t * newton->step[k];
    newton->u[k] += t * newton->slope[k];
  }
}

void primal_stay(Newton* newton, const Core* core) {
  memset(newton->slope, 0, sizeof(double) * (size_t)core->slots);
  memset(newton->step, 0, sizeof(double) * (size_t)core->slots);
  primal_evaluate(newton, core, 0);
}

// Every third point halves the interval: where κ is tiny, φ is piecewise quadratic with many kinks,
// and secants creep.
double primal_search(const Newton* newton, const Core* core, double first, PrimalSearch how) {
  const double flat = how.flat * -first;
  HEFT_ASSERT(first < 0);
  double low = 0, high = 1, at_low = first, at_high = primal_evaluate(newton, core, 1);
  if (at_high <= flat) return 1;
  for (int k = 0; k < how.count; ++k) {
    double t = k % 3 == 2 ? 0.5 * (low + high) : low - at_low * (high - low) / (at_high - at_low);
    const double margin = how.margin * (high - low);
    t = fmin(fmax(t, low + margin), high - margin);
    HEFT_ASSERT(!(t < low || t > high));
    const double slope = primal_evaluate(newton, core, t);
    if (fabs(slope) <= flat) return t;
    if (slope < 0) {
      low = t;
      at_low = slope;
    } else {
      high = t;
      at_high = slope;
    }
  }
  primal_evaluate(newton, core, low > 0 ? low : high);
  return low > 0 ? low : high;
}

static Errors errors_of(const Newton* newton, const Core* core) {
  double worst_inner = 0, worst_outer = 0;  // squares
  const double soft = core->problem->compliance;
  for (int i = 0; i < core->constraints; ++i) {
    const double rigid = rigid_kappa(newton, core, i), square = core->w[i] * core->w[i];
    double inner = 0, outer = 0, own = normal_softness(core, i);
    for (int k = core->slot[i]; k < core->slot[i] + core->rows[i]; ++k) {
      const double a = newton->f[k] - newton->point[k];
      const double b = (rigid + own) * (newton->f[k] - newton->center[k]) - own * newton->f[k];
      own = soft;
      inner += a * a;
      outer += b * b;
    }
    inner *= square;
    outer *= square;
    if (!(inner <= worst_inner)) worst_inner = inner;
    if (!(outer <= worst_outer)) worst_outer = outer;
  }
  return (Errors){.inner = sqrt(worst_inner), .outer = sqrt(worst_outer)};
}

// The centre and the velocities of the rigid problem.
static void soften(Newton* newton, const Core* core) {
  for (int i = 0; i < core->constraints; ++i) {
    const double rigid = rigid_kappa(newton, core, i);
    double share = rigid / (rigid + normal_softness(core, i));
    HEFT_ASSERT(!(share < 0 || share > 1));
    for (int k = core->slot[i]; k < core->slot[i] + core->rows[i]; ++k) {
      newton->u[k] -= core->soft[k] * core->r[k];
      newton->center[k] *= share;
      share = rigid / (rigid + core->problem->compliance);
    }
  }
}

void primal_begin(Newton* newton, const Core* core, double kappa, const double* u) {
  const size_t bytes = sizeof(double) * (size_t)core->slots;
  HEFT_ASSERT(newton->ready == 1 && kappa > 0);
  newton->kappa = kappa;
  newton->inner = 0;
  memcpy(newton->center, core->r, bytes);
  memcpy(newton->point, core->r, bytes);
  memcpy(newton->u, u, bytes);
  set_stiffness(newton, core);
  if (heft_contact_problem_yields(core->problem)) soften(newton, core);
  newton->rests = 0;
  memset(newton->f, 0, bytes);
  primal_stay(newton, core);
}

PrimalEnd primal_step(Newton* newton, Core* core, double done) {
  const double first = primal_direction(newton, core);
  if (!(first < 0)) return PRIMAL_FAILED;
  newton->inner++;
  primal_advance(newton, core, primal_search(newton, core, first, ROUGH));
  const Errors errors = errors_of(newton, core);
  if (!(errors.inner <= fmax(done, INEXACT * errors.outer))) return PRIMAL_STEP;
  memcpy(core->r, newton->f, sizeof(double) * (size_t)core->slots);
  core_state(core, core->r, core->z);
  return PRIMAL_POINT;
}
