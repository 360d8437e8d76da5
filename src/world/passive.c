// SPDX-License-Identifier: Apache-2.0
// Impulses that add no energy.
//
// Impulses r add the energy E(r) = r · (b + W r / 2); an exact solution has E <= 0. The solver ends
// with such impulses, unless large impulses cancel each other, as they may in redundant loops: then
// its velocities are not W r + b. Scaling all impulses down would remove the energy and open the
// loops. So the loops are solved for the impulses of all other rows, and only these are scaled:
//
//   r_0   loops only: E is minimal among impulses that are zero in all other rows, so E(r_0) <= 0
//   r_1   the given impulses, with the loop impulses that make E minimal
//   r_0 + θ (r_1 - r_0), 0 <= θ <= 1, with minimal E: at most E(r_0)
//
// The loops hold for each θ, and the other rows stay in their cones, which contain 0. The minimum
// for loops, W_ee r_e = -(b_e + W_ec r_c), is found by conjugate gradients. Each of their steps
// lowers E, so that they may end early; rows that ask for one thing twice do not disturb them.
//
// If θ = 0, the given impulses are useless. Normal impulses r_n = max(0, -u_n) / w_n at the
// velocities of r_0 replace them: their E falls from θ = 0 on wherever a contact closes.
#include "world/passive.h"

#include <math.h>
#include <string.h>

#include "world/models/contact_model.h"

enum { ARRAYS = 6, PRODUCTS_PER_ROW = 4 };

static const double closed = 1e-12;    // residual of the loops, relative to the first one
static const double rounding = 1e-12;  // of E, relative to its terms
static const double still = 1e-24;     // mobility along a lever arm of rounding, of the largest
static const double flattest = 1e-13;  // less curvature of W is rounding, relative to its diagonal

typedef struct Work {
  const HeftContactProblem* problem;
  HeftContactProblem unbiased;  // the same with b = 0
  double *zero, *base, *base_velocity, *weight, *step, *change, *twist;
  int products;
} Work;

size_t heft_passive_scratch(int rows, int effectors) {
  return ARRAYS * (size_t)rows + 12 * (size_t)effectors;
}

static Work lay_out(const HeftContactProblem* p, double* scratch) {
  const size_t n = (size_t)p->row_count;
  Work w = {.problem = p, .unbiased = *p, .zero = scratch};
  w.base = w.zero + n;
  w.base_velocity = w.base + n;
  w.weight = w.base_velocity + n;
  w.step = w.weight + n;
  w.change = w.step + n;
  w.twist = w.change + n;
  memset(w.zero, 0, n * sizeof(double));
  memset(w.base, 0, n * sizeof(double));
  w.unbiased.bias = w.zero;
  for (int i = 0; i < p->constraint_count; ++i)
    heft_operator_diagonal(p, &p->constraints[i], w.weight + p->constraints[i].row);
  return w;
}

static void apply(Work* w, const HeftContactProblem* p, const double* r, double* u) {
  heft_operator_apply(p, r, u, w->twist);
  ++w->products;
}

static int is_loop(const HeftConstraintBlock* c) { return c->type == HEFT_CONSTRAINT_BILATERAL; }

double heft_passive_loop_speed(const HeftContactProblem* p, const double* velocity) {
  double max = 0;
  for (int i = 0; i < p->constraint_count; ++i) {
    if (is_loop(&p->constraints[i])) max = fmax(max, fabs(velocity[p->constraints[i].row]));
  }
  return max;
}

double heft_passive_energy(const HeftContactProblem* p, const double* impulse,
                           const double* velocity) {
  double energy = 0, size = 0;
  for (int i = 0; i < p->row_count; ++i) {
    energy += 0.5 * impulse[i] * (p->bias[i] + velocity[i]);
    size += 0.5 * fabs(impulse[i]) * (fabs(p->bias[i]) + fabs(velocity[i]));
  }
  return fabs(energy) <= rounding * size ? 0 : energy;
}

// ---- loops

// Sum of a²/w over the rows of loops.
static double loop_norm(const Work* w, const double* a) {
  const HeftContactProblem* p = w->problem;
  double sum = 0;
  for (int i = 0; i < p->constraint_count; ++i) {
    const int r = p->constraints[i].row;
    if (is_loop(&p->constraints[i]) && w->weight[r] > 0) sum += a[r] * a[r] / w->weight[r];
  }
  return sum;
}

// The next direction of the conjugate gradients: -u / w + β step, in the rows of loops.
static void turn(const Work* w, const double* u, double beta) {
  const HeftContactProblem* p = w->problem;
  for (int i = 0; i < p->constraint_count; ++i) {
    const int r = p->constraints[i].row;
    if (is_loop(&p->constraints[i]) && w->weight[r] > 0)
      w->step[r] = beta * w->step[r] - u[r] / w->weight[r];
  }
}

// Makes E minimal over the rows of loops; u = W r + b.
static void hold_loops(Work* w, double* r, double* u) {
  const int rows = w->problem->row_count;
  apply(w, w->problem, r, u);
  const double first = loop_norm(w, u);
  memset(w->step, 0, (size_t)rows * sizeof(double));
  double now = first, before = 0;
  for (int k = 0; k < PRODUCTS_PER_ROW * rows && now > closed * closed * first; ++k) {
    double along = 0, curvature = 0, size = 0;
    turn(w, u, before > 0 ? now / before : 0);
    apply(w, &w->unbiased, w->step, w->change);
    for (int i = 0; i < rows; ++i) {
      along -= w->step[i] * u[i];
      curvature += w->step[i] * w->change[i];
      size += w->weight[i] * w->step[i] * w->step[i];
    }
    if (!(curvature > flattest * size)) break;
    for (int i = 0; i < rows; ++i) {
      r[i] += along / curvature * w->step[i];
      u[i] += along / curvature * w->change[i];
    }
    before = now;
    now = loop_norm(w, u);
  }
  apply(w, w->problem, r, u);
}

// ---- the other rows

// From r_0 towards r, with loops held. Returns θ.
static double go_towards(Work* w, double* r, double* u) {
  const HeftContactProblem* p = w->problem;
  const int rows = p->row_count;
  double slope = 0, curvature = 0;
  for (int i = 0; i < p->constraint_count; ++i) {  // impulses that cancel each other stay behind
    const int row = p->constraints[i].row;
    if (is_loop(&p->constraints[i])) r[row] = w->base[row];
  }
  hold_loops(w, r, u);
  for (int i = 0; i < p->constraint_count; ++i) {  // loops have no velocity
    const HeftConstraintBlock* c = &p->constraints[i];
    for (int k = 0; k < heft_constraint_type_row_count(c->type) && !is_loop(c); ++k)
      slope += r[c->row + k] * w->base_velocity[c->row + k];
  }
  for (int i = 0; i < rows; ++i) curvature += (r[i] - w->base[i]) * (u[i] - w->base_velocity[i]);
  const double theta = slope < 0 ? (curvature > 0 ? fmin(1, -slope / curvature) : 1) : 0;
  for (int i = 0; i < rows; ++i) r[i] = w->base[i] + theta * (r[i] - w->base[i]);
  apply(w, w->problem, r, u);
  return theta;
}

// The largest mobility of a row.
static double most_movable(const Work* w) {
  double most = 0;
  for (int i = 0; i < w->problem->row_count; ++i) most = fmax(most, w->weight[i]);
  return most;
}

static void push_normals(const Work* w, double* r) {
  const HeftContactProblem* p = w->problem;
  const double least = still * most_movable(w);
  memcpy(r, w->base, (size_t)p->row_count * sizeof(double));
  for (int i = 0; i < p->constraint_count; ++i) {
    const HeftConstraintBlock* c = &p->constraints[i];
    if (is_loop(c) || c->type == HEFT_CONSTRAINT_BOX || !(w->weight[c->row] > least)) continue;
    r[c->row] = fmax(0, -w->base_velocity[c->row]) / w->weight[c->row];
  }
}

int heft_passive_impulses(const HeftContactProblem* p, double* scratch, double* impulse,
                          double* velocity) {
  Work w = lay_out(p, scratch);
  int finite = 1;
  for (int i = 0; i < p->row_count; ++i) finite &= isfinite(impulse[i]) != 0;
  if (!finite) memset(impulse, 0, (size_t)p->row_count * sizeof(double));
  hold_loops(&w, w.base, w.base_velocity);
  if (go_towards(&w, impulse, velocity) > 0) return w.products;
  push_normals(&w, impulse);
  go_towards(&w, impulse, velocity);
  return w.products;
}
