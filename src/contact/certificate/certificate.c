// SPDX-License-Identifier: Apache-2.0
// Papers: R20, U3.
// The certificate: how far given impulses are from the exact law of contact.
//
// The certificate is computed only from the problem and shares no code with the solvers: it has its
// own product W r, its own projection (over the breakpoints of a piecewise linear equation) and its
// own scaling. Only the formulas are the same:
//
//   û_i = u_i + Σ_g µ_g |u_g| n            g runs over the friction groups: slip, roll, spin
//   e_i = w_i | r_i - P_K(r_i - û_i / w_i) |   [m/s]
//
// e_i is zero if and only if K* ∋ û_i ⊥ r_i ∈ K (the natural map of the variational inequality,
// [Facchinei 2003], section 1.5, with the change of variable of [De Saxcé 1998]). With w_i =
// trace(W_ii) / rows it does not depend on the units of mass, length and time. Rows of moments are
// first scaled by a length ℓ of the contact, ℓ² = w_translation / w_rotation, which does not depend
// on these units either.
//
// e_i is known to ε w_i |r_i|. Where impulses are so large that this is more than 1e-10 of the
// reference velocity, it counts as residual: impulses of 1e20 N s, which rows without mobility may
// ask for, would otherwise hide every error.
//
// Compliance is part of the problem and adds compliance w_i r_i to u_i. This part of u is reported
// as `yield`.
#include "contact/certificate/certificate.h"

#include <float.h>
#include <heft/math.h>
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "contact/certificate/certificate_points.h"
#include "math/invariant.h"
#include "math/scalar.h"
#include "math/simd.h"

static inline int rows_of(const HeftConstraintBlock* c) {
  return c->type == HEFT_CONSTRAINT_POINT ? 3 : heft_constraint_type_row_count(c->type);
}

static const double hidden = 1e-10;  // errors that rounding may hide, of the reference velocity

typedef struct Group {
  int first, size;  // rows of the group inside the contact
  double mu;        // [1] for slip, [1] after scaling by ℓ for moments
} Group;

// One contact, unpacked: up to six rows, up to three friction groups.
typedef struct Law {
  int rows, group_count;
  Group groups[3];
  double w;         // trace of the scaled diagonal block / rows [1/kg]
  double scale[6];  // ℓ for rows of moments, 1 for others: u' = ℓ u, r' = r / ℓ
  double r[6], u[6];
} Law;

static void add_group(Law* law, int first, int size, double mu) {
  HEFT_ASSERT(law->group_count < 3 && first + size <= law->rows && !(mu < 0));
  law->groups[law->group_count].first = first;
  law->groups[law->group_count].size = size;
  law->groups[law->group_count].mu = mu;
  law->group_count++;
}

// The usual case, without loops.
static inline void lay_out_point(Law* law, const HeftConstraintBlock* c, const double* diagonal) {
  law->rows = 3;
  law->group_count = 1;
  law->groups[0] = (Group){1, 2, c->mu};
  law->w = certificate_weight(diagonal[0] + diagonal[1] + diagonal[2], 3);
  HEFT_ASSERT(law->w > 0);
  for (int k = 0; k < 3; ++k) law->scale[k] = 1.0;
}

// The friction groups of a contact; coefficients of moments are divided by ℓ.
static void lay_out(Law* law, const HeftConstraintBlock* c, const double* diagonal) {
  if (c->type == HEFT_CONSTRAINT_POINT) {
    lay_out_point(law, c, diagonal);
    return;
  }
  const int rows = rows_of(c);
  const int force_rows = rows < 3 ? rows : 3;
  double force = 0, torque = 0;
  for (int k = 0; k < rows; ++k) {
    if (k < force_rows) force += diagonal[k];
    if (k >= force_rows) torque += diagonal[k];
  }
  law->rows = rows;
  law->group_count = 0;
  law->w = certificate_weight(force, force_rows);
  const double l = rows > 3 && torque > 0 ? sqrt(law->w * (rows - 3) / torque) : 1.0;
  HEFT_ASSERT(law->w > 0 && !(l < 0));
  for (int k = 0; k < rows; ++k) law->scale[k] = k < force_rows ? 1.0 : l;
  switch (c->type) {
    case HEFT_CONSTRAINT_PLANAR:
      add_group(law, 1, 1, c->mu);
      break;
    case HEFT_CONSTRAINT_TORSIONAL:
      add_group(law, 1, 2, c->mu);
      add_group(law, 3, 1, c->mu_spin / l);
      break;
    case HEFT_CONSTRAINT_ROLLING:
      add_group(law, 1, 2, c->mu);
      add_group(law, 3, 2, c->mu_roll / l);
      break;
    case HEFT_CONSTRAINT_FULL:
      add_group(law, 1, 2, c->mu);
      add_group(law, 3, 2, c->mu_roll / l);
      add_group(law, 5, 1, c->mu_spin / l);
      break;
    case HEFT_CONSTRAINT_POINT:
    case HEFT_CONSTRAINT_FRICTIONLESS:
    case HEFT_CONSTRAINT_BILATERAL:
    case HEFT_CONSTRAINT_BOX:
    case HEFT_CONSTRAINT_TYPE_COUNT:
      break;
  }
}

static double length_of(const double* x, const Group* g) {
  if (g->size == 1) return fabs(x[g->first]);
  return sqrt(x[g->first] * x[g->first] + x[g->first + 1] * x[g->first + 1]);
}

// The normal component of the projection of x on K: the root of the rising, piecewise linear
//   n - x_n - Σ_g µ_g max(|x_g| - µ_g n, 0) = 0,
// found by walking down over the breakpoints |x_g| / µ_g.
static double projected_normal(const Law* law, const double* x) {
  double slope = 1, level = x[0];
  unsigned used = 0;
  for (;;) {
    const double n = level / slope;
    HEFT_ASSERT(!(slope < 1));
    int next = -1;
    double highest = n > 0 ? n : 0;
    for (int g = 0; g < law->group_count; ++g) {
      const double mu = law->groups[g].mu, t = length_of(x, &law->groups[g]);
      if (used >> g & 1u || mu <= 0 || t <= mu * highest) continue;
      next = g;
      highest = t / mu;
    }
    if (next < 0) return n > 0 ? n : 0;
    used |= 1u << next;
    slope += law->groups[next].mu * law->groups[next].mu;
    level += law->groups[next].mu * length_of(x, &law->groups[next]);
  }
}

static void project(const Law* law, double* x) {
  const double n = projected_normal(law, x);
  HEFT_ASSERT(!(n < 0));
  for (int g = 0; g < law->group_count; ++g) {
    const Group* group = &law->groups[g];
    const double t = length_of(x, group), coupled = group->mu * n;
    for (int k = 0; k < group->size; ++k) {
      if (t > coupled) x[group->first + k] *= coupled / t;
    }
  }
  x[0] = n;
}

static double natural_map(const Law* law, double w) {
  HEFT_ASSERT(w > 0);
  double x[6], sum = 0, shift = 0;
  for (int g = 0; g < law->group_count; ++g)
    shift += law->groups[g].mu * length_of(law->u, &law->groups[g]);
  for (int k = 0; k < law->rows; ++k) x[k] = law->r[k] - (law->u[k] + (k == 0 ? shift : 0)) / w;
  project(law, x);
  for (int k = 0; k < law->rows; ++k) sum += (law->r[k] - x[k]) * (law->r[k] - x[k]);
  return w * sqrt(sum);
}

static double scalar_residual(const HeftConstraintBlock* c, const Law* law) {
  double x = law->r[0] - law->u[0] / law->w;
  if (c->type == HEFT_CONSTRAINT_FRICTIONLESS && x < 0) x = 0;
  if (c->type == HEFT_CONSTRAINT_BOX && x < c->lower) x = c->lower;
  if (c->type == HEFT_CONSTRAINT_BOX && x > c->upper) x = c->upper;
  return law->w * fabs(law->r[0] - x);
}

// With static friction above kinetic friction a contact may also stick between the two cones.
static double residual_of(const HeftConstraintBlock* c, Law* law) {
  if (law->group_count == 0) return scalar_residual(c, law);
  const double sliding = natural_map(law, law->w);
  if (c->mu_static <= c->mu) return sliding;
  const double slip = length_of(law->u, &law->groups[0]);
  law->groups[0].mu = c->mu_static;
  const double map = natural_map(law, law->w), sticking = map > slip ? map : slip;
  law->groups[0].mu = sticking < sliding ? c->mu_static : c->mu;
  return sticking < sliding ? sticking : sliding;
}

static double cone_exit(const HeftConstraintBlock* c, const Law* law) {
  const double n = law->r[0];
  double worst = 0;
  if (c->type == HEFT_CONSTRAINT_BILATERAL) return 0;
  if (c->type == HEFT_CONSTRAINT_BOX) return fmax(0, fmax(c->lower - n, n - c->upper));
  if (-n > worst) worst = -n;
  for (int g = 0; g < law->group_count; ++g) {
    const double out = length_of(law->r, &law->groups[g]) - law->groups[g].mu * n;
    if (out > worst) worst = out;
  }
  return worst;
}

static double product_with_shifted(const HeftConstraintBlock* c, const Law* law) {
  double sum = 0;
  if (c->type == HEFT_CONSTRAINT_BOX || c->type == HEFT_CONSTRAINT_BILATERAL) return 0;
  for (int g = 0; g < law->group_count; ++g)
    sum += law->r[0] * law->groups[g].mu * length_of(law->u, &law->groups[g]);
  for (int k = 0; k < law->rows; ++k) sum += law->r[k] * law->u[k];
  return fabs(sum);
}

// The angle between -u_t and r_t where slip and friction are well above rounding.
static double slip_angle(const Law* law, double reference) {
  if (law->group_count == 0 || law->groups[0].size != 2) return 0;
  const double slip = length_of(law->u, &law->groups[0]),
               friction = length_of(law->r, &law->groups[0]);
  if (slip <= 1e-3 * reference || law->w * friction <= 1e-3 * reference) return 0;
  const double cross = law->u[1] * law->r[2] - law->u[2] * law->r[1];
  const double dot = law->u[1] * law->r[1] + law->u[2] * law->r[2];
  return heft_atan2(fabs(cross), -dot);
}

// ---- u = W r + b

static void velocity_explicit(const HeftContactProblem* p, const double* r, double* u,
                              double* diagonal) {
  const double* block = p->blocks;
  for (int i = 0; i < p->constraint_count; ++i) {
    const int row = p->constraints[i].row,
              rows = heft_constraint_type_row_count(p->constraints[i].type);
    for (int a = 0; a < rows; ++a) u[row + a] = p->bias[row + a];
    for (int k = p->block_start[i]; k < p->block_start[i + 1]; ++k) {
      const HeftConstraintBlock* other = &p->constraints[p->block_column[k]];
      const int columns = heft_constraint_type_row_count(other->type);
      for (int a = 0; a < rows; ++a) {
        double sum = 0;
        for (int b = 0; b < columns; ++b) sum += block[a * columns + b] * r[other->row + b];
        u[row + a] += sum;
        if (p->block_column[k] == i) diagonal[row + a] = block[a * columns + a];
      }
      block += rows * columns;
    }
  }
}

// ---- by effectors. A wrench has 6 numbers per effector, a twist as many in a place of 8; tree_of
// is found by walking over the trees. Plain points go four at a time (certificate_points.c).

enum { TWIST = 8 };  // doubles from one twist to the next

// Six numbers in vectors of four and two.
typedef double Pair2 __attribute__((vector_size(16)));

typedef struct Sextet {
  V4 a;
  Pair2 b;
} Sextet;

HEFT_INLINE Sextet sextet(const double* x) { return (Sextet){v4_load(x), {x[4], x[5]}}; }

HEFT_INLINE void sextet_add(Sextet* sum, const double* x, double s) {
  sum->a += v4_load(x) * s;
  sum->b += (Pair2){x[4], x[5]} * s;
}

HEFT_INLINE double sextet_dot(Sextet x, const double* y) {
  const V4 p = x.a * v4_load(y);
  const Pair2 q = x.b * (Pair2){y[4], y[5]};
  return ((p[0] + p[1]) + (p[2] + p[3])) + (q[0] + q[1]);
}

HEFT_INLINE void sextet_store(double* out, Sextet x) {
  v4_store(out, x.a);
  out[4] = x.b[0];
  out[5] = x.b[1];
}

// The wrench of the rows of a contact on one of its sides.
HEFT_INLINE void sextet_press(const HeftContactProblem* p, const double* r, int contact, int side,
                              Sextet* sum) {
  const HeftConstraintBlock* c = &p->constraints[contact];
  const int rows = rows_of(c);
  for (int a = c->row; a < c->row + rows; ++a)
    sextet_add(sum, p->jacobian + 12L * a + 6L * side, r[a]);
}

HEFT_INLINE void apply_wrenches(const HeftContactProblem* p, const double* r, double* wrench) {
  for (int k = 0; k < 6 * p->effector_count; ++k) wrench[k] = 0;
  for (int i = 0; i < p->constraint_count; ++i) {
    const HeftConstraintBlock* c = &p->constraints[i];
    for (int s = 0; s < 2; ++s) {
      if (c->effector[s] < 0) continue;
      Sextet sum = sextet(wrench + 6 * c->effector[s]);
      sextet_press(p, r, i, s, &sum);
      sextet_store(wrench + 6 * c->effector[s], sum);
    }
  }
}

// Ω is symmetric: its rows, weighed by the wrench.
HEFT_INLINE void twists_of(const HeftContactProblem* p, const double* wrench, int tree_first,
                           int tree_end, double* twist) {
  for (int t = tree_first; t < tree_end; ++t) {
    const int first = 6 * p->trees[t].effector_first, n = 6 * p->trees[t].effector_count;
    const double* omega = p->omega + p->trees[t].omega;
    for (int a = 0; a < n; a += 6) {
      Sextet sum = {v4_all(0), {0, 0}};
      for (int b = 0; b < n; ++b) sextet_add(&sum, omega + b * n + a, wrench[first + b]);
      sextet_store(twist + TWIST * (first + a) / 6, sum);
    }
  }
}

// x_sᵀ Ω_st x_t for rows of two effectors of one tree.
HEFT_INLINE double mobility(const HeftContactTree* tree, const double* omegas, int ms, int mt,
                            const double* xs, const double* xt) {
  const int n = 6 * tree->effector_count;
  const double* omega =
      omegas + tree->omega + 6 * (ms - tree->effector_first) * n + 6 * (mt - tree->effector_first);
  Sextet sum = {v4_all(0), {0, 0}};
  for (int k = 0; k < 6; ++k) sextet_add(&sum, omega + k * n, xs[k]);
  return sextet_dot(sum, xt);
}

HEFT_INLINE double diagonal_of(const HeftContactProblem* p, const int* tree_of,
                               const HeftConstraintBlock* c, const double* x) {
  double sum = 0;
  for (int s = 0; s < 2; ++s) {
    for (int t = 0; t < 2; ++t) {
      const int ms = c->effector[s], mt = c->effector[t];
      if (ms < 0 || mt < 0 || tree_of[ms] != tree_of[mt]) continue;
      sum += mobility(&p->trees[tree_of[ms]], p->omega, ms, mt, x + 6 * s, x + 6 * t);
    }
  }
  return sum;
}

// ---- by factors: Ω = F Fᵀ, rows of F are `stride` apart

static inline int has_factors(const HeftContactProblem* p) {
  return p->tree_count > 0 && p->trees[0].dof_count > 0;
}

// y = Fᵀ f, then V = F y, tree after tree.
HEFT_INLINE void twists_by_factors(const HeftContactProblem* p, const double* wrench, double* y,
                                   double* twist) {
  for (int t = 0; t < p->tree_count; ++t) {
    const HeftContactTree* tree = &p->trees[t];
    const int stride = heft_contact_factor_stride(tree->dof_count), rows = 6 * tree->effector_count;
    const double *factor = p->omega + tree->omega, *f = wrench + 6 * tree->effector_first;
    for (int j = 0; j < stride; j += 4) {
      V4 sum = v4_all(0);
      for (int a = 0; a < rows; ++a) sum += f[a] * v4_load(factor + a * stride + j);
      v4_store(y + j, sum);
    }
    for (int a = 0; a < rows; ++a) {
      V4 sum = v4_all(0);
      for (int j = 0; j < stride; j += 4) sum += v4_load(y + j) * v4_load(factor + a * stride + j);
      twist[TWIST * (tree->effector_first + a / 6) + a % 6] = (sum[0] + sum[1]) + (sum[2] + sum[3]);
    }
  }
}

// Six rows of F, weighed, at four columns.
HEFT_INLINE V4 six_at(const double* rows, int stride, const double* x) {
  V4 sum = x[0] * v4_load(rows);
#pragma GCC unroll 5
  for (int k = 1; k < 6; ++k) sum += x[k] * v4_load(rows + k * stride);
  return sum;
}

// |Fᵀ x|² of one side, or of two sides in one tree; other: rows of the second, or NULL. The row of
// a single dof has one number.
HEFT_INLINE double mobility_by_factors(const double* rows, const double* other, int stride,
                                       const double* x, const double* y) {
  V4 sum = v4_all(0);
  int dof = -1;
  for (int k = 0; k < 6; ++k) {
    if (x[k] != 0) dof = dof == -1 ? k : 6;
  }
  if (!other && dof >= 0 && dof < 6) {
    for (int j = 0; j < stride; j += 4) {
      const V4 a = x[dof] * v4_load(rows + dof * stride + j);
      sum += a * a;
    }
  } else {
    for (int j = 0; j < stride; j += 4) {
      V4 a = six_at(rows + j, stride, x);
      if (other) a += six_at(other + j, stride, y);
      sum += a * a;
    }
  }
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

HEFT_INLINE double diagonal_by_factors(const HeftContactProblem* p, const int* tree_of,
                                       const HeftConstraintBlock* c, const double* x) {
  const double* rows[2] = {NULL, NULL};
  int stride[2] = {0, 0}, tree[2] = {-1, -1};
  for (int s = 0; s < 2; ++s) {
    if (c->effector[s] < 0) continue;
    const HeftContactTree* own = &p->trees[tree_of[c->effector[s]]];
    tree[s] = tree_of[c->effector[s]];
    stride[s] = heft_contact_factor_stride(own->dof_count);
    rows[s] = p->omega + own->omega + 6 * (c->effector[s] - own->effector_first) * stride[s];
  }
  if (rows[0] && tree[0] == tree[1])
    return mobility_by_factors(rows[0], rows[1], stride[0], x, x + 6);
  return (rows[0] ? mobility_by_factors(rows[0], NULL, stride[0], x, NULL) : 0) +
         (rows[1] ? mobility_by_factors(rows[1], NULL, stride[1], x + 6, NULL) : 0);
}

HEFT_CLONES
static void certified_diagonals(const HeftContactProblem* p, const int* tree_of, double* diagonal) {
  for (int i = 0; i < p->constraint_count; ++i) {
    const HeftConstraintBlock* c = &p->constraints[i];
    for (int a = c->row; a < c->row + rows_of(c); ++a)
      diagonal[a] = diagonal_by_factors(p, tree_of, c, p->jacobian + 12 * (size_t)a);
  }
}

HEFT_CLONES
static void certified_twists(const HeftContactProblem* p, const double* r, double* wrench,
                             double* y, double* twist) {
  apply_wrenches(p, r, wrench);
  if (has_factors(p)) {
    twists_by_factors(p, wrench, y, twist);
  } else {
    twists_of(p, wrench, 0, p->tree_count, twist);
  }
}

// ---- the same effector by effector, by threads

enum { SHARED_MIN = 1024, TREE_RANGE = 64, POINT_RANGE = 256 };

// The entries of an effector are its contacts, 2 contact + side, in rising order: the sums have
// the order of apply_wrenches().
typedef struct Pressing {
  const HeftContactProblem* p;
  const double* r;
  int *first, *entry;
  double *wrench, *twist;
} Pressing;

static void list_entries(const HeftContactProblem* p, int* first, int* entry) {
  int* next = first + 1;  // of each effector
  memset(first, 0, sizeof(int) * ((size_t)p->effector_count + 2));
  for (int side = 0; side < 2 * p->constraint_count; ++side) {
    const int m = p->constraints[side / 2].effector[side % 2];
    if (m >= 0) ++next[m + 1];
  }
  for (int m = 0; m < p->effector_count; ++m) next[m + 1] += next[m];
  for (int side = 0; side < 2 * p->constraint_count; ++side) {
    const int m = p->constraints[side / 2].effector[side % 2];
    if (m >= 0) entry[next[m]++] = side;
  }
  HEFT_ASSERT(heft_is_rising(first, p->effector_count));
}

HEFT_CLONES
static void certified_twists_of_trees(const Pressing* t, int first, int end) {
  const HeftContactProblem* p = t->p;
  for (int k = first; k < end; ++k) {
    const int begin = p->trees[k].effector_first, count = p->trees[k].effector_count;
    for (int m = begin; m < begin + count; ++m) {
      Sextet sum = {v4_all(0), {0, 0}};
      for (int e = t->first[m]; e < t->first[m + 1]; ++e)
        sextet_press(p, t->r, t->entry[e] / 2, t->entry[e] % 2, &sum);
      sextet_store(t->wrench + 6L * m, sum);
    }
  }
  twists_of(p, t->wrench, first, end, t->twist);
}

static void press_range(void* arg, int first, int end) {
  certified_twists_of_trees(arg, first, end);
}

static void find_twists(const HeftContactProblem* p, const double* r, int* lists, Share share,
                        double* wrench, double* y, double* twist) {
  Pressing pressing = {p, r, lists, lists + p->effector_count + 2, wrench, twist};
  if (p->constraint_count < SHARED_MIN || has_factors(p)) {
    certified_twists(p, r, wrench, y, twist);
    return;
  }
  list_entries(p, pressing.first, pressing.entry);
  share_ranges(share, p->tree_count, TREE_RANGE, press_range, &pressing);
}

static void certify_other(const HeftContactProblem* p, const int* tree_of,
                          const HeftConstraintBlock* c, const double* twist, double* u,
                          double* diagonal) {
  const int factors = has_factors(p);
  for (int a = c->row; a < c->row + rows_of(c); ++a) {
    const double* x = p->jacobian + 12 * a;
    double sum = p->bias[a];
    for (int s = 0; s < 2; ++s) {
      if (c->effector[s] >= 0) sum += sextet_dot(sextet(twist + TWIST * c->effector[s]), x + 6 * s);
    }
    u[a] = sum;
    if (!factors) diagonal[a] = diagonal_of(p, tree_of, c, x);
  }
}

size_t heft_contact_certify_scratch(const HeftContactProblem* p) {
  HEFT_REQUIRE(p, 0);
  const size_t rows = (size_t)p->row_count, effectors = (size_t)p->effector_count,
               constraints = (size_t)p->constraint_count;
  size_t dofs = 0;
  for (int t = 0; t < p->tree_count && !p->block_start; ++t) {
    const size_t stride = (size_t)heft_contact_factor_stride(p->trees[t].dof_count);
    if (stride > dofs) dofs = stride;
  }
  const size_t lists = constraints < SHARED_MIN ? 0 : effectors / 2 + 2 + constraints;
  return 2 * rows + 2 * constraints + 6 * effectors + TWIST * (effectors + 1) + dofs +
         (effectors + constraints) / 2 + 1 + lists;
}

// Lays out residuals, weights, the diagonal, wrenches, twists, trees and the list of plain points
// behind u in scratch. Points of an explicit operator are not listed.
static CertificateTask velocities(const HeftContactProblem* p, const double* r, double* scratch,
                                  Share share) {
  double *u = scratch, *residual = u + p->row_count, *weight = residual + p->constraint_count,
         *diagonal = weight + p->constraint_count, *wrench = diagonal + p->row_count,
         *twist = wrench + 6 * p->effector_count, *end = twist + TWIST * (p->effector_count + 1);
  int *tree_of = (int*)end, *list = tree_of + p->effector_count;
  double* y = end + (p->effector_count + p->constraint_count) / 2 + 1;
  HEFT_ASSERT((size_t)(y - scratch) <= heft_contact_certify_scratch(p));
  CertificateTask task = {.problem = p,
                          .impulse = r,
                          .twist = twist,
                          .tree_of = tree_of,
                          .list = list,
                          .u = u,
                          .residual = residual,
                          .weight = weight,
                          .diagonal = diagonal};
  if (p->block_start) {
    velocity_explicit(p, r, u, diagonal);
    return task;
  }
  for (int t = 0; t < p->tree_count; ++t) {
    for (int m = 0; m < p->trees[t].effector_count; ++m)
      tree_of[p->trees[t].effector_first + m] = t;
  }
  find_twists(p, r, list + p->constraint_count, share, wrench, y, twist);
  if (has_factors(p)) certified_diagonals(p, tree_of, diagonal);
  for (int k = 0; k < TWIST; ++k) twist[TWIST * p->effector_count + k] = 0;
  for (int i = 0; i < p->constraint_count; ++i) {
    const HeftConstraintBlock* c = &p->constraints[i];
    const int plain = certificate_is_plain(p, tree_of, i);
    if (plain) list[task.count++] = i;
    if (!plain || has_factors(p)) certify_other(p, tree_of, c, twist, u, diagonal);
    if (plain && has_factors(p))
      diagonal[c->row] += diagonal[c->row + 1] + diagonal[c->row + 2];  // certificate_points.h
  }
  HEFT_ASSERT(task.count <= p->constraint_count);
  if (!has_factors(p))
    share_ranges(share, task.count, POINT_RANGE, certificate_points_velocity, &task);
  return task;
}

// ---- putting it together

static double reference_velocity(const HeftContactProblem* p, const double* diagonal) {
  double greatest = p->velocity_scale * p->velocity_scale;
  for (int i = 0; i < p->constraint_count; ++i) {
    const double *b = p->bias + p->constraints[i].row, *d = diagonal + p->constraints[i].row;
    double sum = 0;
    if (rows_of(&p->constraints[i]) <= 3) {
      for (int k = 0; k < rows_of(&p->constraints[i]); ++k) sum += b[k] * b[k];
    } else {
      Law law;
      lay_out(&law, &p->constraints[i], d);
      for (int k = 0; k < law.rows; ++k) sum += law.scale[k] * b[k] * law.scale[k] * b[k];
    }
    greatest = heft_max(greatest, sum);
  }
  return greatest > 0 ? sqrt(greatest) : 1;
}

// Fills r and u of a contact, with the velocities of compliance and softness. Returns the yield.
static double fill_law(const HeftContactProblem* p, Law* law, int contact, const double* r,
                       const double* u) {
  const int row = p->constraints[contact].row;
  const int soft = p->compliance > 0;
  double yield = 0;
  for (int k = 0; k < law->rows; ++k) {
    law->r[k] = law->rows > 3 ? r[row + k] / law->scale[k] : r[row + k];
    law->u[k] = law->scale[k] * u[row + k];
  }
  for (int k = 0; k < law->rows && soft; ++k) {
    const double give = law->w * p->compliance * law->r[k];
    law->u[k] += give;
    yield += give * give;
  }
  if (p->softness) law->u[0] += p->softness[contact] * law->r[0];
  return soft ? sqrt(yield) : 0;
}

// w |r| of a contact.
static double impulse_size(const Law* law) {
  double square = 0;
  for (int k = 0; k < law->rows; ++k) square += law->r[k] * law->r[k];
  return law->w * sqrt(square);
}

// Returns its residual.
static double count_contact(HeftContactCertificate* out, const HeftConstraintBlock* c, Law* law,
                            double reference, int i) {
  const double residual = residual_of(c, law);
  if (residual > out->residual || out->worst < 0) {
    out->residual = residual;
    out->worst = i;
  }
  out->finite = out->finite && residual < HUGE_VAL;
  out->cone = heft_max(out->cone, cone_exit(c, law));
  out->complementarity = heft_max(out->complementarity, product_with_shifted(c, law));
  out->slip_angle = heft_max(out->slip_angle, slip_angle(law, reference));
  if (c->type != HEFT_CONSTRAINT_BOX && c->type != HEFT_CONSTRAINT_BILATERAL)
    out->normal = heft_max(out->normal, -law->u[0]);
  return residual;
}

// The certificate of impulses that are not finite: the largest errors.
static HeftContactCertificate not_certified(void) {
  return (HeftContactCertificate){.residual = HUGE_VAL,
                                  .relative = HUGE_VAL,
                                  .normal = HUGE_VAL,
                                  .cone = HUGE_VAL,
                                  .complementarity = HUGE_VAL,
                                  .worst = -1};
}

HeftContactCertificate certificate_make(const HeftContactProblem* p, const double* impulse,
                                        const double* velocity, double* scratch, Share share) {
  HeftContactCertificate out = {.worst = -1, .finite = 1};
  const CertificateTask task = velocities(p, impulse, scratch, share);
  const double *u = task.u, *diagonal = task.diagonal;
  const double reference = reference_velocity(p, diagonal);
  HEFT_ASSERT(reference > 0);
  double size = 0;
  for (int i = 0, next = 0; i < p->constraint_count; ++i) {
    if (next < task.count && task.list[next] == i) {
      ++next;
      continue;
    }
    Law law;
    lay_out(&law, &p->constraints[i], diagonal + p->constraints[i].row);
    out.yield = heft_max(out.yield, fill_law(p, &law, i, impulse, u));
    task.residual[i] = count_contact(&out, &p->constraints[i], &law, reference, i);
    task.weight[i] = law.w;
    size = heft_max(size, impulse_size(&law));
  }
  const double rounding =
      DBL_EPSILON * heft_max(size, certificate_points_judge(&task, reference, &out));
  if (rounding > hidden * reference) out.residual = heft_max(out.residual, rounding);
  for (int k = 0; k < p->row_count; ++k) {
    out.energy_change += 0.5 * impulse[k] * (p->bias[k] + u[k]);
    if (velocity) out.momentum = heft_max(out.momentum, fabs(u[k] - velocity[k]));
  }
  out.finite = out.finite && fabs(out.energy_change) < HUGE_VAL;
  if (!out.finite) out.residual = out.normal = out.cone = out.complementarity = HUGE_VAL;
  out.relative = out.residual / reference;
  HEFT_ASSERT(out.worst >= -1 && out.worst < p->constraint_count);
  HEFT_ASSERT(!(out.residual < 0 || out.cone < 0 || out.normal < 0 || out.complementarity < 0));
  return out;
}

HeftContactCertificate heft_contact_certify(const HeftContactProblem* p, const double* impulse,
                                            const double* velocity, double* scratch) {
  HEFT_REQUIRE(p && (impulse || p->row_count == 0) && scratch, not_certified());
  return certificate_make(p, impulse, velocity, scratch, (Share){0});
}

double heft_contact_natural_map_error(const HeftContactProblem* p, const double* impulse,
                                      double* scratch) {
  HEFT_REQUIRE(p && (impulse || p->row_count == 0) && scratch, HUGE_VAL);
  double *u = scratch, sum = 0, bias = 0;
  velocities(p, impulse, scratch, (Share){0});
  for (int i = 0; i < p->constraint_count; ++i) {
    Law law;
    const double ones[6] = {1, 1, 1, 1, 1, 1};
    lay_out(&law, &p->constraints[i], ones);  // no scaling: ℓ = 1
    fill_law(p, &law, i, impulse, u);
    const double map = natural_map(&law, 1.0);
    sum += map * map;
  }
  for (int k = 0; k < p->row_count; ++k) bias += p->bias[k] * p->bias[k];
  return bias > 0 ? sqrt(sum / bias) : sqrt(sum);
}
