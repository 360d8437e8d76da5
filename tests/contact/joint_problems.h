// SPDX-License-Identifier: Apache-2.0
// Random mechanisms of one to three trees with dry friction, limits, equalities and contacts of
// several types, within a tree and between two: by effectors, and in joint space.
#ifndef HEFT_TESTS_CONTACT_JOINT_PROBLEMS_H
#define HEFT_TESTS_CONTACT_JOINT_PROBLEMS_H

#include "contact/problems.h"

enum { TREES = 3, EFFECTORS = 4, CONTACTS = 24 };

typedef struct Pair {
  Made made;                  // by effectors
  HeftContactTree* trees;     // the same trees, with factors
  double* factor;             // F
  HeftContactProblem joints;  // the same problem in joint space
} Pair;

// F of a tree: each effector reaches the first dofs of the tree and a range of its own, as branches
// do. Effectors of dofs have a 1 in X, so nothing else distinguishes them.
static inline void fill_factor(Random* random, int effectors, int dofs, double* factor) {
  const int stride = heft_contact_factor_stride(dofs), common = dofs / 3;
  for (int m = 0; m < effectors; ++m) {
    const int first = common + (dofs - common) * m / effectors,
              last = common + (dofs - common) * (m + 1) / effectors;
    for (int k = 0; k < 6; ++k) {
      for (int j = 0; j < stride; ++j) {
        const int reached = j < common || (j >= first && j < last);
        factor[(6 * m + k) * stride + j] = reached ? random_between(random, -1, 1) : 0;
      }
    }
  }
}

static inline void multiply_factor(int effectors, int dofs, const double* factor, double* omega) {
  const int n = 6 * effectors, stride = heft_contact_factor_stride(dofs);
  for (int a = 0; a < n; ++a) {
    for (int b = 0; b < n; ++b) {
      double sum = 0;
      for (int j = 0; j < dofs; ++j) sum += factor[a * stride + j] * factor[b * stride + j];
      omega[a * n + b] = sum;
    }
  }
}

static inline void place_trees(Pair* pair, Random* random, int trees) {
  size_t omega = 0, factor = 0;
  int effector = 0;
  for (int t = 0; t < trees; ++t) {
    const int effectors = 1 + (int)(EFFECTORS * random_unit(random)),
              dofs = 7 + (int)(20 * random_unit(random));
    pair->made.trees[t] =
        (HeftContactTree){.effector_first = effector, .effector_count = effectors, .omega = omega};
    pair->trees[t] = (HeftContactTree){.effector_first = effector,
                                       .effector_count = effectors,
                                       .omega = factor,
                                       .dof_count = dofs};
    fill_factor(random, effectors, dofs, pair->factor + factor);
    multiply_factor(effectors, dofs, pair->factor + factor, pair->made.omega + omega);
    omega += 36 * (size_t)effectors * (size_t)effectors;
    factor += 6 * (size_t)effectors * (size_t)heft_contact_factor_stride(dofs);
    effector += effectors;
  }
  pair->made.problem.tree_count = trees;
  pair->made.problem.effector_count = effector;
}

// A row along one number of an effector: dry friction, a limit or, once in a problem, an equality.
static inline void add_dof(Pair* pair, Random* random, int effector) {
  const HeftConstraintType types[] = {
      pair->made.problem.constraint_count ? HEFT_CONSTRAINT_BOX : HEFT_CONSTRAINT_BILATERAL,
      HEFT_CONSTRAINT_BOX, HEFT_CONSTRAINT_BOX, HEFT_CONSTRAINT_FRICTIONLESS};
  Made* m = &pair->made;
  HeftConstraintBlock* c = &m->constraints[m->problem.constraint_count++];
  *c = (HeftConstraintBlock){.type = types[(int)(4 * random_unit(random))],
                             .row = m->problem.row_count++,
                             .effector = {effector, -1}};
  c->upper = c->type == HEFT_CONSTRAINT_BOX ? 0.2 * random_unit(random) : 0;
  c->lower = -c->upper;
  const double sign = c->type == HEFT_CONSTRAINT_FRICTIONLESS && random_unit(random) < 0.5 ? -1 : 1;
  m->jacobian[12 * c->row + (int)(6 * random_unit(random))] = sign;
}

static inline void add_contact(Pair* pair, Random* random, int a, int b) {
  static const HeftConstraintType types[] = {HEFT_CONSTRAINT_POINT, HEFT_CONSTRAINT_POINT,
                                             HEFT_CONSTRAINT_PLANAR, HEFT_CONSTRAINT_TORSIONAL};
  const double at[3] = {random_between(random, -0.2, 0.2), random_between(random, -0.2, 0.2), 0.1};
  const double friction =
      random_between(random, 0.2, 1);  // one draw a line: compilers choose orders
  const HeftConstraintType type = types[(int)(4 * random_unit(random))];
  HeftConstraintBlock* c = made_add(&pair->made, type, a, at, b, at, MADE_UP, friction);
  c->mu_spin = 0.01;
}

// The free velocities of some motion of the joints, so that limits do not contradict each other.
static inline void set_bias(Pair* pair, Random* random) {
  double twists[6 * TREES * EFFECTORS] = {0};
  for (int t = 0; t < pair->made.problem.tree_count; ++t) {
    const HeftContactTree* tree = &pair->trees[t];
    const int stride = heft_contact_factor_stride(tree->dof_count);
    for (int j = 0; j < tree->dof_count; ++j) {
      const double y = random_between(random, -1, 1);
      for (int k = 0; k < 6 * tree->effector_count; ++k)
        twists[6 * tree->effector_first + k] += pair->factor[tree->omega + k * stride + j] * y;
    }
  }
  made_bias(&pair->made, twists);
}

static inline Pair pair_create(uint64_t seed) {
  Random random = {seed * 2654435761u + 17};
  const int most = TREES * EFFECTORS;
  Pair pair = {.made = made_create(CONTACTS, most, 36 * most * EFFECTORS)};
  Made* m = &pair.made;
  pair.trees = calloc(TREES, sizeof *pair.trees);
  pair.factor = calloc(6 * (size_t)most * 28, sizeof(double));
  place_trees(&pair, &random, 1 + (int)(seed % TREES));
  const int effectors = m->problem.effector_count, constraints = 4 + (int)(seed % (CONTACTS - 4));
  for (int i = 0; i < constraints; ++i) {
    const int a = (int)(effectors * random_unit(&random)),
              b = (int)((effectors + 1) * random_unit(&random)) - 1;
    if (random_unit(&random) < 0.5) {
      add_dof(&pair, &random, a);
    } else {
      add_contact(&pair, &random, a, b == a ? -1 : b);
    }
  }
  set_bias(&pair, &random);
  for (int i = 0; i < m->problem.constraint_count; ++i) {
    const HeftConstraintBlock* c = &m->constraints[i];
    m->warm[c->row] = c->type == HEFT_CONSTRAINT_BOX ? 0 : 0.05 * random_unit(&random);
  }
  pair.joints = m->problem;
  pair.joints.trees = pair.trees;
  pair.joints.omega = pair.factor;
  return pair;
}

static inline void pair_destroy(Pair* pair) {
  made_destroy(&pair->made);
  free(pair->trees);
  free(pair->factor);
}

#endif
