// SPDX-License-Identifier: Apache-2.0
// Papers: R19, R20, U2.
#include "contact/core/cone.h"
#include "base/assert.h"

#include <math.h>

static void add_group(Cone* cone, int first, int size, double mu) {
  HEFT_ASSERT(cone->groups < 3 && first + size <= cone->rows && !(mu < 0));
  cone->first[cone->groups] = first;
  cone->size[cone->groups] = size;
  cone->mu[cone->groups] = mu;
  cone->groups++;
}

Cone cone_make(const HeftConstraintBlock* c, double length) {
  Cone cone = {.type = c->type,
               .rows = heft_constraint_type_row_count(c->type),
               .lower = 0,
               .upper = HUGE_VAL};
  HEFT_ASSERT(cone.rows >= 1 && cone.rows <= CONE_ROWS && !(length < 0));
  if (c->type == HEFT_CONSTRAINT_BILATERAL) cone.lower = -HUGE_VAL;
  if (c->type == HEFT_CONSTRAINT_BOX) cone.lower = c->lower;
  if (c->type == HEFT_CONSTRAINT_BOX) cone.upper = c->upper;
  HEFT_ASSERT(cone.lower <= cone.upper);
  if (cone.rows > 1) add_group(&cone, 1, cone.rows == 2 ? 1 : 2, c->mu);
  if (cone.rows == 5 || cone.rows == 6) add_group(&cone, 3, 2, c->mu_roll / length);
  if (cone.rows == 4 || cone.rows == 6) add_group(&cone, cone.rows - 1, 1, c->mu_spin / length);
  return cone;
}

static double group_length(const Cone* cone, int g, const double* x) {
  const double* v = x + cone->first[g];
  return cone->size[g] == 1 ? fabs(v[0]) : sqrt(v[0] * v[0] + v[1] * v[1]);
}

// The normal of the projection and the groups outside of the cone. Starts with all groups outside
// and removes those that are inside: the normal only falls, so no group has to be added again.
static double projected_normal(const Cone* cone, const double* x, const double* length,
                               unsigned* outside) {
  *outside = (1u << cone->groups) - 1u;
  for (;;) {
    double level = x[0], slope = 1;
    unsigned stays = 0;
    for (int g = 0; g < cone->groups; ++g) {
      if (!(*outside >> g & 1u)) continue;
      level += cone->mu[g] * length[g];
      slope += cone->mu[g] * cone->mu[g];
    }
    HEFT_ASSERT(!(slope < 1));
    const double n = level / slope;
    if (n <= 0) return 0;
    for (int g = 0; g < cone->groups; ++g) {
      if (*outside >> g & 1u && length[g] > cone->mu[g] * n) stays |= 1u << g;
    }
    if (stays == *outside) return n;
    *outside = stays;
  }
}

void cone_project(const Cone* cone, double* x) {
  if (cone->groups == 0) {
    if (x[0] < cone->lower) x[0] = cone->lower;
    if (x[0] > cone->upper) x[0] = cone->upper;
    HEFT_ASSERT(!(x[0] < cone->lower || x[0] > cone->upper));
    return;
  }
  double length[3] = {0};
  unsigned outside;
  for (int g = 0; g < cone->groups; ++g) length[g] = group_length(cone, g, x);
  const double n = projected_normal(cone, x, length, &outside);
  for (int g = 0; g < cone->groups; ++g) {
    const double cut = n <= 0 ? 0.0 : outside >> g & 1u ? cone->mu[g] * n / length[g] : 1.0;
    for (int k = 0; k < cone->size[g]; ++k) x[cone->first[g] + k] *= cut;
  }
  x[0] = n;
  HEFT_ASSERT(cone_contains(cone, x));
}

// Rows of group g: µ t ∂n + (µ n / |x|)(1 - t tᵀ), or the identity if it is inside.
static void group_derivative(const Cone* cone, int g, const double* x, double length, double n,
                             int outside, double* d) {
  const int rows = cone->rows, first = cone->first[g], size = cone->size[g];
  HEFT_ASSERT(!outside || length > 0);
  for (int a = 0; a < size; ++a) {
    double* row = d + (first + a) * rows;
    if (!outside) {
      row[first + a] = 1;
      continue;
    }
    const double t = x[first + a] / length, turn = cone->mu[g] * n / length;
    for (int k = 0; k < rows; ++k) row[k] = cone->mu[g] * t * d[k];
    for (int b = 0; b < size; ++b) row[first + b] += turn * ((a == b) - t * x[first + b] / length);
  }
}

void cone_derivative(const Cone* cone, const double* x, double* d) {
  const int rows = cone->rows;
  for (int k = 0; k < rows * rows; ++k) d[k] = 0;
  if (cone->groups == 0) {
    d[0] = x[0] > cone->lower && x[0] < cone->upper ? 1 : 0;
    return;
  }
  double length[3] = {0}, slope = 1;
  unsigned outside;
  for (int g = 0; g < cone->groups; ++g) length[g] = group_length(cone, g, x);
  const double n = projected_normal(cone, x, length, &outside);
  if (n <= 0) return;
  for (int g = 0; g < cone->groups; ++g) slope += outside >> g & 1u ? cone->mu[g] * cone->mu[g] : 0;
  d[0] = 1 / slope;
  HEFT_ASSERT(!(d[0] < 0 || d[0] > 1));
  for (int g = 0; g < cone->groups; ++g) {
    for (int k = 0; k < cone->size[g] && outside >> g & 1u; ++k) {
      d[cone->first[g] + k] = cone->mu[g] * x[cone->first[g] + k] / (length[g] * slope);
    }
  }
  for (int g = 0; g < cone->groups; ++g)
    group_derivative(cone, g, x, length[g], n, outside >> g & 1u, d);
}

double cone_shift(const Cone* cone, const double* u) {
  double shift = 0;
  for (int g = 0; g < cone->groups; ++g) shift += cone->mu[g] * group_length(cone, g, u);
  HEFT_ASSERT(!(shift < 0));
  return shift;
}

void cone_shift_derivative(const Cone* cone, const double* u, double* d) {
  for (int g = 0; g < cone->groups; ++g) {
    const double length = group_length(cone, g, u);
    if (!(length > 1e-300)) continue;
    for (int k = 0; k < cone->size[g]; ++k) {
      const double slope = cone->mu[g] * u[cone->first[g] + k] / length;
      for (int a = 0; a < cone->rows; ++a)
        d[a * cone->rows + cone->first[g] + k] += d[a * cone->rows] * slope;
    }
  }
}

double cone_residual(const Cone* cone, double w, const double* r, const double* u) {
  HEFT_ASSERT(w > 0);
  double x[CONE_ROWS] = {0}, sum = 0;
  for (int k = 0; k < cone->rows; ++k) x[k] = r[k] - u[k] / w;
  x[0] -= cone_shift(cone, u) / w;
  cone_project(cone, x);
  for (int k = 0; k < cone->rows; ++k) sum += (r[k] - x[k]) * (r[k] - x[k]);
  return w * sqrt(sum);
}
