// SPDX-License-Identifier: Apache-2.0
// Most islands of most worlds are at rest: their warm impulses are the solution. This check needs
// neither W_ii nor any factor.
//
// Let r be in K and û* any velocity that obeys the law with r exactly: K* ∋ û* ⊥ r, so that
// P_K(r - û*/w) = r for every w. Projections do not stretch, hence
//
//   e = w |r - P_K(r - û/w)| = w |P_K(r - û*/w) - P_K(r - û/w)| <= |û - û*|.
//
// So |û - û*| bounds the residual of a contact for any w. The check uses this û*:
//   r inside the cone        û* = 0
//   r on its flank           û* = λ (µ, -r_t / |r_t|), λ = the slip against friction if positive
//   r = 0                    û* = û where u_n >= 0, else û without its negative part
// The velocities come from the problem's own arrays: wrenches Σ Xᵀ r, twists Ω Σ Xᵀ r, u = X V + b.
// With a factor, Ω = F Fᵀ, the joint velocities y = Fᵀ Σ Xᵀ r come between the two.
// In large problems without one, threads share both: wrenches by effectors, velocities by contacts.
#include "contact/warm_check.h"
#include "base/assert.h"

#include <math.h>

#include "contact/core/energy_bound.h"
#include "math/six.h"

enum { PAD = 8, TREE_RANGE = 64, CONTACT_RANGE = 256 };

HEFT_INLINE int rows_end(const HeftContactProblem* p, int contact) {
  return contact + 1 < p->constraint_count ? p->constraints[contact + 1].row : p->row_count;
}

HEFT_INLINE void add_wrench(const HeftContactProblem* p, const double* r, int contact, int side,
                            Six* sum) {
  const int end = rows_end(p, contact);
  HEFT_ASSERT(end - p->constraints[contact].row >= 1 &&
              end - p->constraints[contact].row <= HEFT_CONSTRAINT_ROWS_MAX);
  for (int a = p->constraints[contact].row; a < end; ++a)
    *sum = six_add_scaled(*sum, p->jacobian + 12L * a + 6L * side, r[a]);
}

HEFT_INLINE void add_wrenches(const HeftContactProblem* p, const double* r, double* wrench) {
  for (int m = 0; m < p->effector_count; ++m) v8_store(wrench + PAD * m, v8_all(0));
  for (int i = 0; i < p->constraint_count; ++i) {
    for (int s = 0; s < 2; ++s) {
      if (p->constraints[i].effector[s] < 0) continue;
      double* own = wrench + PAD * p->constraints[i].effector[s];
      Six sum = six_load(own);
      add_wrench(p, r, i, s, &sum);
      six_store(own, sum);
    }
  }
}

// V = F y with y = Fᵀ f, which goes to `joints`, tree after tree.
HEFT_INLINE void twists_by_factors(const HeftContactProblem* p, const double* wrench,
                                   double* joints, double* twist) {
  for (int t = 0; t < p->tree_count; ++t) {
    const HeftContactTree* tree = &p->trees[t];
    const int n = heft_contact_factor_stride(tree->dof_count), first = tree->effector_first;
    const double* row = p->omega + tree->omega;
    for (int j = 0; j < n; j += 4) v4_store(joints + j, v4_all(0));
    for (int m = first; m < first + tree->effector_count; ++m) {
      for (int k = 0; k < 6; ++k, row += n) {
        const double f = wrench[PAD * m + k];
        if (f == 0) continue;
        for (int j = 0; j < n; j += 4)
          v4_store(joints + j, v4_load(joints + j) + f * v4_load(row + j));
      }
    }
    row = p->omega + tree->omega;
    for (int m = first; m < first + tree->effector_count; ++m) {
      double* own = twist + PAD * m;
      for (int k = 0; k < 6; ++k, row += n) {
        V4 sum = v4_all(0);
        for (int j = 0; j < n; j += 4) sum += v4_load(row + j) * v4_load(joints + j);
        own[k] = v4_sum(sum);
      }
      own[6] = own[7] = 0;
    }
    joints += n;
  }
}

// Behind twists and wrenches there is room for joint velocities.
HEFT_INLINE int has_factors(const HeftContactProblem* p) {
  return p->tree_count > 0 && p->trees[0].dof_count > 0;
}

HEFT_INLINE void twists_of(const HeftContactProblem* p, const double* wrench, int tree_first,
                           int tree_end, double* twist) {
  for (int t = tree_first; t < tree_end; ++t) {
    const int first = p->trees[t].effector_first, count = p->trees[t].effector_count, n = 6 * count;
    for (int to = 0; to < count; ++to) {
      Six sum = {v4_all(0), {0, 0}};
      for (int from = 0; from < count; ++from) {
        const double *f = wrench + PAD * (first + from),
                     *omega = p->omega + p->trees[t].omega + 6 * from * n + 6 * to;
        for (int k = 0; k < 6; ++k) sum = six_add_scaled(sum, omega + k * n, f[k]);
      }
      double* own = twist + PAD * (first + to);
      six_store(own, sum);
      own[6] = own[7] = 0;
    }
  }
}

// One problem, as threads see it.
typedef struct Motion {
  const HeftContactProblem* p;
  const Incidence* incidence;
  const double* r;
  double *twist, *wrench, *u;
  double enough;  ///< max of |û - û*|²
} Motion;

static Motion motion_of(const HeftContactProblem* p, const Incidence* incidence, const double* r,
                        double* twists, double* u) {
  return (Motion){.p = p,
                  .incidence = incidence,
                  .r = r,
                  .twist = twists,
                  .wrench = twists + PAD * p->effector_count,
                  .u = u};
}

HEFT_CLONES
static void warm_twists_of_all(const Motion* m) {
  add_wrenches(m->p, m->r, m->wrench);
  if (has_factors(m->p)) {
    twists_by_factors(m->p, m->wrench, m->twist + 2 * PAD * m->p->effector_count, m->twist);
  } else {
    twists_of(m->p, m->wrench, 0, m->p->tree_count, m->twist);
  }
}

// Effector by effector: the same sums in the same order.
HEFT_CLONES
static void warm_twists_of_trees(const Motion* m, int first, int end) {
  const HeftContactProblem* p = m->p;
  for (int t = first; t < end; ++t) {
    const int begin = p->trees[t].effector_first, count = p->trees[t].effector_count;
    for (int e = begin; e < begin + count; ++e) {
      HEFT_ASSERT(m->incidence->first[e] <= m->incidence->first[e + 1]);
      Six sum = {v4_all(0), {0, 0}};
      for (int k = m->incidence->first[e]; k < m->incidence->first[e + 1]; ++k)
        add_wrench(p, m->r, m->incidence->entry[k] / 2, m->incidence->entry[k] % 2, &sum);
      six_store(m->wrench + PAD * e, sum);
    }
  }
  twists_of(p, m->wrench, first, end, m->twist);
}

static void twist_range(void* arg, int first, int end) { warm_twists_of_trees(arg, first, end); }

static void find_twists(Motion* m, Share share) {
  if (m->incidence->entry) {
    share_ranges(share, m->p->tree_count, TREE_RANGE, twist_range, m);
  } else {
    warm_twists_of_all(m);
  }
}

// |û - û*|² for a point contact; infinite if r is not in the cone.
HEFT_INLINE double point_bound(double mu, const double* r, const double* u) {
  const double friction = r[1] * r[1] + r[2] * r[2], coupled = mu * r[0];
  if (!(r[0] >= 0 && friction <= coupled * coupled)) return HUGE_VAL;
  if (r[0] == 0) return u[0] < 0 ? u[0] * u[0] : 0;
  double n = u[0], t1 = u[1], t2 = u[2];
  const double slip = t1 * t1 + t2 * t2;
  if (slip > 0) n += mu * sqrt(slip);
  if (slip > 0 && friction > 0 && friction >= (1 - 1e-14) * (coupled * coupled)) {
    const double size = sqrt(friction), e1 = r[1] / size, e2 = r[2] / size;
    const double against = -(t1 * e1 + t2 * e2), lambda = against > 0 ? against : 0;
    n -= mu * lambda;
    t1 += lambda * e1;
    t2 += lambda * e2;
  }
  return n * n + (t1 * t1 + t2 * t2);
}

// |û - û*|² for one row, which may lie between any bounds.
HEFT_INLINE double scalar_bound(const HeftConstraintBlock* c, double r, double u) {
  double lower = 0, upper = HUGE_VAL;
  if (c->type == HEFT_CONSTRAINT_BILATERAL) lower = -HUGE_VAL;
  if (c->type == HEFT_CONSTRAINT_BOX) lower = c->lower, upper = c->upper;
  if (!(r >= lower && r <= upper)) return HUGE_VAL;
  if ((r == lower && u > 0) || (r == upper && u < 0)) return 0;
  return u * u;
}

// u = X V + b of one contact, into u.
HEFT_INLINE void velocity_of(const HeftContactProblem* p, const HeftConstraintBlock* c, int rows,
                             const double* twist, double* u) {
  for (int a = 0; a < rows; ++a) u[a] = p->bias[c->row + a];
  for (int s = 0; s < 2; ++s) {
    if (c->effector[s] < 0) continue;
    const Six v = six_load(twist + PAD * c->effector[s]);
    for (int a = 0; a < rows; ++a) u[a] += six_dot(v, p->jacobian + 12 * (c->row + a) + 6 * s);
  }
}

// Infinite for contacts that need more than this (moments, static friction).
HEFT_INLINE double bound_of(const HeftConstraintBlock* c, const double* r, const double* u) {
  if (c->type == HEFT_CONSTRAINT_POINT)
    return c->mu_static > c->mu ? HUGE_VAL : point_bound(c->mu, r, u);
  return scalar_bound(c, r[0], u[0]);
}

HEFT_INLINE int rows_of(const HeftConstraintBlock* c) {
  if (c->type == HEFT_CONSTRAINT_POINT) return 3;
  return c->type == HEFT_CONSTRAINT_FRICTIONLESS || c->type == HEFT_CONSTRAINT_BILATERAL ||
                 c->type == HEFT_CONSTRAINT_BOX
             ? 1
             : 0;
}

HEFT_INLINE double reference_of(const HeftContactProblem* p) {
  double greatest = p->velocity_scale * p->velocity_scale;
  for (int i = 0; i < p->constraint_count; ++i) {
    const double* b = p->bias + p->constraints[i].row;
    double sum = b[0] * b[0];
    if (p->constraints[i].type == HEFT_CONSTRAINT_POINT) sum = (sum + b[1] * b[1]) + b[2] * b[2];
    if (sum > greatest) greatest = sum;
  }
  return greatest > 0 ? greatest : 1;
}

// Contacts from first to end - 1, until one is above m->enough.
HEFT_CLONES
static void check_rest(const Motion* m, int first, int end, Rest* out) {
  const HeftContactProblem* p = m->p;
  const double* r = m->r;
  double worst = 0, energy = 0;
  out->solved = 0;
  for (int i = first; i < end; ++i) {
    const HeftConstraintBlock* c = &p->constraints[i];
    const int rows = rows_of(c);
    double* u = m->u + c->row;
    if (rows == 0) return;
    if (rows == 3) {
      velocity_of(p, c, 3, m->twist, u);
    } else {
      velocity_of(p, c, 1, m->twist, u);
    }
    const double square = bound_of(c, r + c->row, u);
    HEFT_ASSERT(!(square < 0));
    if (!(square <= m->enough)) return;
    if (square > worst) worst = square;
    for (int a = 0; a < rows; ++a) energy += r[c->row + a] * (p->bias[c->row + a] + u[a]);
  }
  out->solved = 1;
  out->relative = worst;
  out->energy = energy;
}

HEFT_CLONES
static void velocity_of_contacts(const Motion* m, int first, int end) {
  const HeftContactProblem* p = m->p;
  for (int i = first; i < end; ++i) {
    const HeftConstraintBlock* c = &p->constraints[i];
    const int rows = rows_end(p, i) - c->row;
    if (rows == 3) {
      velocity_of(p, c, 3, m->twist, m->u + c->row);
    } else {
      velocity_of(p, c, rows, m->twist, m->u + c->row);
    }
  }
}

static void velocity_range(void* arg, int first, int end) { velocity_of_contacts(arg, first, end); }

void problem_velocity(const HeftContactProblem* p, const double* r, Share share,
                      const Incidence* incidence, double* twists, double* velocity) {
  Motion m = motion_of(p, incidence, r, twists, velocity);
  find_twists(&m, share);
  share_ranges(share, p->constraint_count, CONTACT_RANGE, velocity_range, &m);
}

double problem_reference(const HeftContactProblem* p) { return sqrt(reference_of(p)); }

Rest rest_check(const HeftContactProblem* p, double tolerance, Share share,
                const Incidence* incidence, double* twists, double* velocity) {
  Rest rest = {0};
  if (!p->warm || p->block_start || heft_contact_problem_yields(p)) return rest;
  const double reference = reference_of(p);  // squares
  HEFT_ASSERT(reference > 0);
  Motion m = motion_of(p, incidence, p->warm, twists, velocity);
  m.enough = tolerance * tolerance * reference;
  find_twists(&m, share);
  check_rest(&m, 0, p->constraint_count, &rest);
  rest.known = 1;
  rest.relative = sqrt(rest.relative / reference);
  if (rest.solved && rest.energy > 0) {
    const double size = energy_size(p->row_count, p->warm, p->bias, velocity),
                 allowed = energy_bound(rest.relative, size);
    rest.gains = !(rest.energy <= allowed);
    rest.solved = !rest.gains;
  }
  HEFT_ASSERT(!(rest.solved && rest.gains));
  return rest;
}
