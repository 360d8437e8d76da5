// SPDX-License-Identifier: Apache-2.0
// Papers: R23.
// The model `lcp`: Coulomb's cone with facets ([Stewart 1996]; [Anitescu 1997]).
//
// Friction is a sum of impulses β_k >= 0 along F directions d_k around the normal, Σ β_k <= µ n.
// With the slip speed λ of the contact,
//     0 <= u_n           ⊥ n >= 0
//     0 <= d_kᵀ u + λ    ⊥ β_k >= 0
//     0 <= µ n - Σ β_k   ⊥ λ >= 0
// and u = W r + b, r = n + Σ d_k β_k: a linear complementarity problem with F + 2 unknowns for each
// contact, solved by Lemke's method. The faceted cone lies inside the round one; between two
// directions it is smaller by 1 - cos(π/F). Friction opposes the nearest direction, not the slip.
// Spinning and rolling friction are further groups of directions with coefficients of their own.
//
// Rows of joints are part of the same problem: r >= 0 for limits, r = r⁺ - r⁻ for equalities, and
// for dry friction r = lower + x with 0 <= u + y ⊥ x, 0 <= (upper - lower) - x ⊥ y.
//
// The model has one coefficient of friction, the kinetic one.
#include <math.h>
#include <string.h>

#include "world/models/contact_model.h"
#include "world/models/lemke.h"

// One unknown: an impulse along a direction of one or two rows, or the λ or y of other unknowns.
typedef struct Unknown {
  int row[2];  ///< -1: none
  double along[2];
  int slack;    ///< the unknown whose λ or y adds to this one's speed, -1: none
  int normal;   ///< of a λ: the unknown of its normal; of a y: x's; else -1
  double mu;    ///< of a λ; 0: a y
  double unit;  ///< unit of its impulse, the same for all unknowns of a contact
} Unknown;

typedef struct Pose {
  int count, max, rows;
  Unknown* unknown;
  double *w, *m, *q, *z, *scratch;
  double unit;  ///< of the contact that is being added
} Pose;

static size_t bytes_as_doubles(size_t bytes) {
  return (bytes + sizeof(double) - 1) / sizeof(double);
}

static size_t count_scratch(int constraint_capacity, const HeftContactOptions* o) {
  (void)constraint_capacity;
  const size_t n = (size_t)o->size;
  return bytes_as_doubles(n * sizeof(Unknown)) + n * n + 2 * n + heft_lemke_scratch(o->size);
}

static Pose lay_out(const ModelTask* t) {
  const size_t n = (size_t)t->options->size;
  Pose p = {.max = t->options->size, .rows = t->problem->row_count};
  double* next = t->scratch->numbers;
  p.unknown = (Unknown*)next;
  next += bytes_as_doubles(n * sizeof(Unknown));
  p.m = next;
  p.q = p.m + n * n;
  p.z = p.q + n;
  p.scratch = p.w = p.z + n;  // W is not needed any more when the pivots begin
  return p;
}

// ---- unknowns

static int add(Pose* p, int row, double along) {
  if (p->count == p->max) return -1;
  p->unknown[p->count] =
      (Unknown){.row = {row, -1}, .along = {along, 0}, .slack = -1, .normal = -1, .unit = p->unit};
  return p->count++;
}

// Friction in one plane (two rows) or about one axis (one row): directions, then their λ.
static int add_group(Pose* p, int normal, int row, int rows, double mu, int facets) {
  if (!(mu > 0)) return 1;
  const int count = rows == 1 ? 2 : facets, first = p->count;
  for (int k = 0; k < count; ++k) {
    const double angle = 2 * 3.14159265358979323846 * k / count;
    const int u = add(p, row, rows == 1 ? 1 - 2 * k : heft_cos(angle));
    if (u < 0) return 0;
    p->unknown[u].slack = first + count;
    if (rows == 1) continue;
    p->unknown[u].row[1] = row + 1;
    p->unknown[u].along[1] = heft_sin(angle);
  }
  const int lambda = add(p, -1, 0);
  if (lambda < 0) return 0;
  p->unknown[lambda].normal = normal;
  p->unknown[lambda].mu = mu;
  return 1;
}

static int add_box(Pose* p, const HeftConstraintBlock* c) {
  const int x = add(p, c->row, 1), y = add(p, -1, 0);
  if (y < 0) return 0;
  p->unknown[x].slack = y;
  p->unknown[y].normal = x;
  return 1;
}

static int add_contact(Pose* p, const HeftConstraintBlock* c, int facets) {
  if (c->type == HEFT_CONSTRAINT_BOX) return add_box(p, c);
  const int normal = add(p, c->row, 1);
  if (normal < 0) return 0;
  switch (c->type) {
    case HEFT_CONSTRAINT_BILATERAL:
      return add(p, c->row, -1) >= 0;
    case HEFT_CONSTRAINT_POINT:
      return add_group(p, normal, c->row + 1, 2, c->mu, facets);
    case HEFT_CONSTRAINT_PLANAR:
      return add_group(p, normal, c->row + 1, 1, c->mu, facets);
    case HEFT_CONSTRAINT_TORSIONAL:
      return add_group(p, normal, c->row + 1, 2, c->mu, facets) &&
             add_group(p, normal, c->row + 3, 1, c->mu_spin, facets);
    case HEFT_CONSTRAINT_ROLLING:
    case HEFT_CONSTRAINT_FULL:
      return add_group(p, normal, c->row + 1, 2, c->mu, facets) &&
             add_group(p, normal, c->row + 3, 2, c->mu_roll, facets) &&
             (c->type == HEFT_CONSTRAINT_ROLLING ||
              add_group(p, normal, c->row + 5, 1, c->mu_spin, facets));
    case HEFT_CONSTRAINT_FRICTIONLESS:
    case HEFT_CONSTRAINT_BOX:
    case HEFT_CONSTRAINT_TYPE_COUNT:
      break;
  }
  return 1;
}

// ---- the problem

static double lower_of(const ModelTask* t, const Unknown* u) {
  for (int i = t->contact_points; i < t->problem->constraint_count; ++i) {
    const HeftConstraintBlock* c = &t->problem->constraints[i];
    if (c->row == u->row[0]) return c->type == HEFT_CONSTRAINT_BOX ? c->lower : 0;
  }
  return 0;
}

static double range_of(const ModelTask* t, const Unknown* u) {
  for (int i = t->contact_points; i < t->problem->constraint_count; ++i) {
    const HeftConstraintBlock* c = &t->problem->constraints[i];
    if (c->row == u->row[0]) return c->upper - c->lower;
  }
  return 0;
}

// The speed along an unknown if rows have the speeds `speed`.
static double along(const Unknown* u, const double* speed) {
  double sum = 0;
  for (int k = 0; k < 2; ++k) sum += u->row[k] >= 0 ? u->along[k] * speed[u->row[k]] : 0;
  return sum;
}

// M and q. The unit of impulses is 1/√w of their contact, the unit of its velocities √w, so that
// the diagonal of M is about 1 for light joints and for heavy bodies.
static void pose(const ModelTask* t, Pose* p, double* start) {
  const int n = p->count;
  memset(p->m, 0, (size_t)n * (size_t)n * sizeof *p->m);
  for (int i = 0; i < n; ++i) {
    const Unknown* u = &p->unknown[i];
    double* row = p->m + (size_t)i * (size_t)n;
    if (u->row[0] < 0) {
      p->q[i] = u->mu > 0 ? 0 : range_of(t, &p->unknown[u->normal]) / u->unit;
      row[u->normal] = u->mu > 0 ? u->mu : -1;
      for (int k = 0; k < n && u->mu > 0; ++k) row[k] -= p->unknown[k].slack == i;
      continue;
    }
    p->q[i] = u->unit * along(u, start);
    for (int k = 0; k < n; ++k) {
      for (int s = 0; s < 2; ++s) {
        const Unknown* v = &p->unknown[k];
        if (v->row[s] < 0) continue;
        // W is symmetric: its row v is its column v
        row[k] +=
            u->unit * v->unit * v->along[s] * along(u, p->w + (size_t)v->row[s] * (size_t)p->rows);
      }
    }
    if (u->slack >= 0) row[u->slack] = 1;
  }
}

// The impulses of joint rows if all unknowns are zero, and the velocities that follow.
static void begin(const ModelTask* t, Pose* p, double* start) {
  memset(t->impulse, 0, (size_t)p->rows * sizeof(double));
  for (int i = 0; i < p->count; ++i) {
    const Unknown* u = &p->unknown[i];
    if (u->slack >= 0 && u->row[1] < 0 && p->unknown[u->slack].mu == 0)
      t->impulse[u->row[0]] = lower_of(t, u);
  }
  heft_operator_apply(t->problem, t->impulse, start, t->scratch->twist);
}

static double unit_of(const Pose* p, const HeftConstraintBlock* c) {
  const int rows =
      heft_constraint_type_row_count(c->type) < 3 ? 1 : 3;  // rotations have other units
  double sum = 0;
  for (int r = 0; r < rows; ++r) sum += p->w[(size_t)(c->row + r) * (size_t)(p->rows + 1)];
  return sum > 0 ? 1 / sqrt(sum / rows) : 1;
}

static int solve(ModelTask* t) {
  Pose p = lay_out(t);
  if (p.rows > p.max) return 0;
  heft_operator_dense(t->problem, p.w, t->scratch->twist);
  for (int i = 0; i < t->problem->constraint_count; ++i) {
    p.unit = unit_of(&p, &t->problem->constraints[i]);
    if (!add_contact(&p, &t->problem->constraints[i], 2 * (t->options->facets / 2))) return 0;
  }
  begin(t, &p, t->scratch->before);
  pose(t, &p, t->scratch->before);
  const int pivots = heft_lemke(p.count, p.m, p.q, p.z, p.scratch);
  if (pivots < 0) return 0;
  for (int i = 0; i < p.count; ++i) {
    const Unknown* u = &p.unknown[i];
    for (int k = 0; k < 2; ++k) {
      if (u->row[k] >= 0) t->impulse[u->row[k]] += u->unit * u->along[k] * p.z[i];
    }
  }
  heft_operator_apply(t->problem, t->impulse, t->velocity, t->scratch->twist);
  t->result->effort = t->result->newton_steps = pivots;
  return 1;
}

const ContactModel heft_contact_lcp = {.model = HEFT_CONTACT_MODEL_LCP,
                                       .bounces = 1,
                                       .rebounds = 1,
                                       .corrects = 1,
                                       .scratch = count_scratch,
                                       .solve = solve};
