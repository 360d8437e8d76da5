// SPDX-License-Identifier: Apache-2.0
// Checking a contact problem before anything relies on it.
//
// W = J M⁻¹ Jᵀ of a mechanism is symmetric and positive semidefinite, so that |W_ab|² <= W_aa W_bb.
// The solver relies on both. Rounding may disturb them, and files do more: in files of Siconos W_ab
// and W_ba differ by up to 0.02 √(W_aa W_bb) (RockPile), because inertia was taken at two poses.
// There solver and certificate compute their residuals from the given W. A W that is farther from
// both than that is refused. All pairs of entries are compared; larger minors are not.
#include <heft/contact.h>
#include <math.h>
#include <stdio.h>

#include "base/assert.h"
#include "base/error.h"

enum { DOFS_MAX = 1 << 24, MARKS = 256 };

static const double skew_max = 0.05;   // of |W_ab - W_ba|, relative to √(W_aa W_bb)
static const double coupling = 1.001;  // of |W_ab|, the same
static const double rounding = 1e-12;  // of both, relative to the larger of W_aa and W_bb
static const double friction_min = 1e-100, friction_max = 1e6;  // of µ² digits are left
static const double bias_max = 1e150;  // velocities beyond it have no square

int heft_constraint_type_row_count(HeftConstraintType type) {
  static const int rows[HEFT_CONSTRAINT_TYPE_COUNT] = {
#define ROWS(name, rows, text) rows,
      HEFT_CONSTRAINT_TYPE_LIST(ROWS)
#undef ROWS
  };
  HEFT_REQUIRE(type >= 0 && type < HEFT_CONSTRAINT_TYPE_COUNT, 0);
  return rows[type];
}

static int all_finite(const double* x, size_t count) {
  double sum = 0;
  for (size_t k = 0; k < count; ++k) sum += x[k] * 0.0;
  return sum == 0;
}

static HeftStatus check_material(const HeftConstraintBlock* c, int i, HeftError* err) {
  const double numbers[] = {c->mu, c->mu_static, c->mu_roll, c->mu_spin};
  if (!all_finite(numbers, 4) || c->mu < 0 || c->mu_static < 0 || c->mu_roll < 0 ||
      c->mu_spin < 0) {
    return heft_error_set(err, HEFT_ERR_VALUE,
                          "contact %d has a friction coefficient that is negative or not finite",
                          i);
  }
  for (int k = 0; k < 4; ++k) {
    if (numbers[k] == 0 || (numbers[k] >= friction_min && numbers[k] <= friction_max)) continue;
    return heft_error_set(
        err, HEFT_ERR_VALUE,
        "contact %d has a friction coefficient of %g, expected 0 or 1e-100 to 1e6", i, numbers[k]);
  }
  if (c->type == HEFT_CONSTRAINT_BOX && !(c->lower <= c->upper)) {
    return heft_error_set(err, HEFT_ERR_VALUE, "contact %d has a lower bound above its upper bound",
                          i);
  }
  return HEFT_OK;
}

static HeftStatus check_contacts(const HeftContactProblem* p, HeftError* err) {
  int row = 0;
  for (int i = 0; i < p->constraint_count; ++i) {
    const HeftConstraintBlock* c = &p->constraints[i];
    if ((int)c->type < 0 || c->type >= HEFT_CONSTRAINT_TYPE_COUNT) {
      return heft_error_set(err, HEFT_ERR_VALUE, "contact %d has the unknown type %d", i,
                            (int)c->type);
    }
    if (c->row != row) {
      return heft_error_set(err, HEFT_ERR_VALUE, "contact %d starts at row %d, expected %d", i,
                            c->row, row);
    }
    row += heft_constraint_type_row_count(c->type);
    for (int s = 0; s < 2 && !p->block_start; ++s) {
      if (c->effector[s] < -1 || c->effector[s] >= p->effector_count) {
        return heft_error_set(err, HEFT_ERR_VALUE, "contact %d touches effector %d of %d", i,
                              c->effector[s], p->effector_count);
      }
    }
    const HeftStatus status = check_material(c, i, err);
    if (status != HEFT_OK) return status;
  }
  if (row != p->row_count) {
    return heft_error_set(err, HEFT_ERR_VALUE, "the contacts have %d rows, the problem says %d",
                          row, p->row_count);
  }
  return HEFT_OK;
}

// ---- symmetric and positive semidefinite

static HeftStatus check_pair(const char* name, int a, int b, double ab, double ba, double aa,
                             double bb, HeftError* err) {
  if (!(aa >= 0 && bb >= 0))
    return heft_error_set(err, HEFT_ERR_VALUE,
                          "%s is not positive semidefinite: its diagonal is %g in row %d", name,
                          aa >= 0 ? bb : aa, aa >= 0 ? b : a);
  const double scale = sqrt(aa) * sqrt(bb), slack = rounding * fmax(aa, bb);
  if (!(fabs(ab - ba) <= skew_max * scale + slack))
    return heft_error_set(err, HEFT_ERR_VALUE,
                          "%s is not symmetric: %g in row %d, column %d, and %g in row %d, column "
                          "%d",
                          name, ab, a, b, ba, b, a);
  if (!(fabs(ab) <= coupling * scale + slack))
    return heft_error_set(err, HEFT_ERR_VALUE,
                          "%s is not positive semidefinite: %g in row %d, column %d, with %g and "
                          "%g on the diagonal",
                          name, ab, a, b, aa, bb);
  return HEFT_OK;
}

static int rows_of(const HeftContactProblem* p, int i) {
  return heft_constraint_type_row_count(p->constraints[i].type);
}

// Where the numbers of blocks begin, without memory for each: blocks of one size by counting,
// others from marks at every `stride`-th row of blocks on.
typedef struct Places {
  const HeftContactProblem* p;
  int size;  // numbers of each block, 0: they differ
  int stride;
  size_t mark[MARKS];
} Places;

static size_t row_numbers(const HeftContactProblem* p, int i, int end) {
  size_t columns = 0;
  for (int k = p->block_start[i]; k < end; ++k) columns += (size_t)rows_of(p, p->block_column[k]);
  return columns * (size_t)rows_of(p, i);
}

static void find_places(const HeftContactProblem* p, Places* out) {
  out->p = p;
  out->stride = p->constraint_count / MARKS + 1;
  HEFT_ASSERT((p->constraint_count - 1) / out->stride < MARKS);
  out->size = p->constraint_count > 0 ? rows_of(p, 0) * rows_of(p, 0) : 0;
  for (int i = 0; i < p->constraint_count; ++i)
    if (p->constraints[i].type != p->constraints[0].type) out->size = 0;
  size_t at = 0;
  for (int i = 0; i < p->constraint_count && !out->size; ++i) {
    if (i % out->stride == 0) out->mark[i / out->stride] = at;
    at += row_numbers(p, i, p->block_start[i + 1]);
  }
}

// The block of contacts i and j; NULL if it is zero.
static const double* find_block(const Places* places, int i, int j) {
  const HeftContactProblem* p = places->p;
  int low = p->block_start[i], high = p->block_start[i + 1];
  const int end = high;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (p->block_column[middle] < j) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  HEFT_ASSERT(low >= p->block_start[i] && low <= end);
  if (low == end || p->block_column[low] != j) return NULL;
  if (places->size) return p->blocks + (size_t)low * (size_t)places->size;
  int row = i - i % places->stride;
  size_t at = places->mark[row / places->stride];
  for (; row < i; ++row) at += row_numbers(p, row, p->block_start[row + 1]);
  return p->blocks + at + row_numbers(p, i, low);
}

static HeftStatus check_block(const Places* places, int i, int j, HeftError* err) {
  const HeftContactProblem* p = places->p;
  const int ni = rows_of(p, i), nj = rows_of(p, j);
  const double *ij = find_block(places, i, j), *ji = find_block(places, j, i),
               *ii = find_block(places, i, i), *jj = find_block(places, j, j);
  HEFT_ASSERT(ij && ii && jj);
  for (int a = 0; a < ni; ++a) {
    for (int b = 0; b < nj; ++b) {
      const HeftStatus status =
          check_pair("W", p->constraints[i].row + a, p->constraints[j].row + b, ij[a * nj + b],
                     ji ? ji[b * ni + a] : 0, ii[a * ni + a], jj[b * nj + b], err);
      if (status != HEFT_OK) return status;
    }
  }
  return HEFT_OK;
}

static HeftStatus check_explicit_operator(const HeftContactProblem* p, HeftError* err) {
  Places places;
  find_places(p, &places);
  for (int i = 0; i < p->constraint_count; ++i) {
    for (int k = p->block_start[i]; k < p->block_start[i + 1]; ++k) {
      const HeftStatus status = check_block(&places, i, p->block_column[k], err);
      if (status != HEFT_OK) return status;
    }
  }
  return HEFT_OK;
}

// A tree without a factor, which would be both by its form.
static HeftStatus check_tree_operator(const double* omega, int tree, size_t n, HeftError* err) {
  char name[64];
  snprintf(name, sizeof name, "the operator of tree %d", tree);
  for (size_t a = 0; a < n; ++a) {
    for (size_t b = 0; b <= a; ++b) {
      const HeftStatus status = check_pair(name, (int)a, (int)b, omega[a * n + b], omega[b * n + a],
                                           omega[a * n + a], omega[b * n + b], err);
      if (status != HEFT_OK) return status;
    }
  }
  return HEFT_OK;
}

// ---- all

static HeftStatus check_blocks(const HeftContactProblem* p, HeftError* err) {
  size_t numbers = 0;
  if (p->block_start[0] != 0)
    return heft_error_set(err, HEFT_ERR_VALUE, "the blocks do not start at 0");
  for (int i = 0; i < p->constraint_count; ++i) {
    int previous = -1, diagonal = 0;
    if (p->block_start[i + 1] < p->block_start[i]) {
      return heft_error_set(err, HEFT_ERR_VALUE, "block_start falls at contact %d", i);
    }
    for (int k = p->block_start[i]; k < p->block_start[i + 1]; ++k) {
      const int j = p->block_column[k];
      if (j <= previous || j >= p->constraint_count) {
        return heft_error_set(err, HEFT_ERR_VALUE, "row %d of the blocks: column %d after %d", i, j,
                              previous);
      }
      previous = j;
      diagonal |= j == i;
      numbers += (size_t)heft_constraint_type_row_count(p->constraints[i].type) *
                 (size_t)heft_constraint_type_row_count(p->constraints[j].type);
    }
    if (!diagonal)
      return heft_error_set(err, HEFT_ERR_VALUE, "contact %d has no diagonal block", i);
  }
  if (!all_finite(p->blocks, numbers))
    return heft_error_set(err, HEFT_ERR_VALUE, "a block is not finite");
  return check_explicit_operator(p, err);
}

static HeftStatus check_effectors(const HeftContactProblem* p, HeftError* err) {
  int effector = 0;
  for (int t = 0; t < p->tree_count; ++t) {
    const HeftContactTree* tree = &p->trees[t];
    if (tree->effector_first != effector || tree->effector_count < 1) {
      return heft_error_set(err, HEFT_ERR_VALUE, "tree %d does not follow the one before it", t);
    }
    effector += tree->effector_count;
    if (tree->dof_count < 0 || tree->dof_count > DOFS_MAX)
      return heft_error_set(err, HEFT_ERR_VALUE, "tree %d has %d degrees of freedom", t,
                            tree->dof_count);
    if ((tree->dof_count > 0) != (p->trees[0].dof_count > 0))
      return heft_error_set(err, HEFT_ERR_VALUE,
                            "tree %d differs from tree 0: all have a factor, or none", t);
    const size_t n = 6 * (size_t)tree->effector_count;
    const size_t width =
        tree->dof_count > 0 ? (size_t)heft_contact_factor_stride(tree->dof_count) : n;
    if (!all_finite(p->omega + tree->omega, n * width)) {
      return heft_error_set(err, HEFT_ERR_VALUE, "the operator of tree %d is not finite", t);
    }
    const HeftStatus status =
        tree->dof_count > 0 ? HEFT_OK : check_tree_operator(p->omega + tree->omega, t, n, err);
    if (status != HEFT_OK) return status;
  }
  if (effector != p->effector_count) {
    return heft_error_set(err, HEFT_ERR_VALUE, "the trees have %d effectors, the problem %d",
                          effector, p->effector_count);
  }
  if (!all_finite(p->jacobian, 12 * (size_t)p->row_count)) {
    return heft_error_set(err, HEFT_ERR_VALUE, "a Jacobian row is not finite");
  }
  return HEFT_OK;
}

HeftStatus heft_contact_problem_check(const HeftContactProblem* p, HeftError* err) {
  HEFT_REQUIRE(p, HEFT_ERR_ARGUMENT);
  if (p->constraint_count < 0 || p->row_count < 0 || p->effector_count < 0 || p->tree_count < 0) {
    return heft_error_set(err, HEFT_ERR_VALUE, "a count of the contact problem is negative");
  }
  if (!(p->compliance >= 0 && p->velocity_scale >= 0) || !(p->compliance < 1e300) ||
      !(p->velocity_scale < 1e300)) {
    return heft_error_set(err, HEFT_ERR_VALUE,
                          "compliance and velocity_scale must be finite and >= 0");
  }
  HeftStatus status = check_contacts(p, err);
  if (status == HEFT_OK) status = p->block_start ? check_blocks(p, err) : check_effectors(p, err);
  if (status != HEFT_OK) return status;
  const size_t rows = (size_t)p->row_count;
  if (!all_finite(p->bias, rows) || (p->warm && !all_finite(p->warm, rows))) {
    return heft_error_set(err, HEFT_ERR_VALUE, "a free velocity or a warm impulse is not finite");
  }
  for (size_t i = 0; i < rows; ++i) {
    if (fabs(p->bias[i]) > bias_max)
      return heft_error_set(err, HEFT_ERR_VALUE, "the free velocity of row %d is beyond 1e150",
                            (int)i);
  }
  for (int i = 0; p->softness && i < p->constraint_count; ++i) {
    if (!(p->softness[i] >= 0 && p->softness[i] < 1e300))
      return heft_error_set(err, HEFT_ERR_VALUE,
                            "the softness of contact %d is %g, expected a finite number >= 0", i,
                            p->softness[i]);
  }
  return HEFT_OK;
}
