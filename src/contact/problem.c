// SPDX-License-Identifier: Apache-2.0
// Checking a contact problem before anything relies on it.
#include <heft/contact.h>
#include <math.h>

#include "base/assert.h"
#include "base/error.h"

enum { DOFS_MAX = 1 << 24 };

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
  return HEFT_OK;
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
  for (int i = 0; p->softness && i < p->constraint_count; ++i) {
    if (!(p->softness[i] >= 0 && p->softness[i] < 1e300))
      return heft_error_set(err, HEFT_ERR_VALUE,
                            "the softness of contact %d is %g, expected a finite number >= 0", i,
                            p->softness[i]);
  }
  return HEFT_OK;
}
