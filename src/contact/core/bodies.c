// SPDX-License-Identifier: Apache-2.0
// A problem file has blocks W_ij and no bodies. But W = Σ_b J_b J_bᵀ, one term of rank six for each
// free body b, with rows for the contacts that it has: J_b = X M_b^(-1/2). With the J_b a
// sweep costs the same for any number of neighbours of a contact, and a Newton step has six rows
// per body. They are found one after the other:
//
// A contact between a body and something fixed shares that body with all its neighbours, so that
// its neighbours are neighbours of each other. Let G be such contacts of one body, S all contacts
// of it. Then W_GG = J_G J_Gᵀ holds only that body, and Cholesky's method with the largest pivots
// gives its rows, up to a rotation of the six coordinates, which has no effect. The others follow,
//
//   J_j = W_jP L_P^(-T),    P the six rows with pivots, L_P their rows of J_G,
//
// since j ∈ S shares only this body with G. Subtracting J_a J_bᵀ removes the body from W. Its
// contacts with another body then belong only to that body, and the next body can be found.
//
// The method needs six independent contact directions of each body with static or removed bodies:
// boxes and planks that stand on faces have them, balls do not. The remainder of W at the end
// bounds the error, and is large if a group of contacts was not one body.
#include "contact/core/bodies.h"
#include "base/assert.h"

#include <math.h>
#include <string.h>

#include "math/simd.h"

enum { ROWS = 3, BLOCK = 9, SIX = 6, OWN = ROWS * SIX, COLUMNS = 4 * SIX, TAKES = 12 };
static const double NOTHING = 1e-7;  // of W: less is rounding
static const double STEADY = 1e-4;   // of W: a pivot that others may be divided by

void bodies_take(Bodies* b, Arena* arena, int constraints, int blocks, int effectors) {
  const int any = constraints > 0 && blocks > 0 && effectors > 0;
  const size_t n = any ? (size_t)constraints : 0, m = any ? (size_t)effectors : 0;
  b->constraint_capacity = any ? constraints : 0;
  b->block_capacity = any ? blocks : 0;
  b->body_max = any ? effectors : 0;
  b->left = arena_take(arena, BLOCK * (any ? (size_t)blocks : 0), double);
  b->linked = arena_take(arena, any ? (size_t)blocks : 0, int);
  b->links = arena_take(arena, n, int);
  b->sides = arena_take(arena, n, int);
  b->scale = arena_take(arena, n, double);
  b->place = arena_take(arena, n, int);
  b->member = arena_take(arena, n, int);
  b->rows = arena_take(arena, OWN * n, double);
  b->columns = arena_take(arena, COLUMNS * n, double);
  b->rest = arena_take(arena, ROWS * n, double);
  b->queue = arena_take(arena, n, int);
  b->constraints = arena_take(arena, n, HeftConstraintBlock);
  b->trees = arena_take(arena, m, HeftContactTree);
  b->jacobian = arena_take(arena, TAKES * ROWS * n, double);
}

static double between(const Bodies* b, int i, int j) { return sqrt(b->scale[i] * b->scale[j]); }

// ---- beginning

static int fits(const Bodies* b, const HeftContactProblem* p) {
  if (!p->block_start || heft_contact_problem_yields(p) ||
      p->constraint_count > b->constraint_capacity ||
      p->block_start[p->constraint_count] > b->block_capacity)
    return 0;
  for (int i = 0; i < p->constraint_count; ++i) {
    if (p->constraints[i].type != HEFT_CONSTRAINT_POINT) return 0;
  }
  return 1;
}

// Returns 0 if a contact cannot be moved, or W is no operator.
static int begin(Bodies* b, const HeftContactProblem* p) {
  const int n = p->constraint_count;
  int fine = 1;
  b->found = b->queued = b->taken = 0;
  b->worst = 0;
  memcpy(b->left, p->blocks, BLOCK * (size_t)p->block_start[n] * sizeof(double));
  memcpy(b->constraints, p->constraints, (size_t)n * sizeof *b->constraints);
  memset(b->jacobian, 0, TAKES * ROWS * (size_t)n * sizeof(double));
  for (int i = 0; i < n; ++i) {
    b->sides[i] = 0;
    b->place[i] = -1;
    b->scale[i] = 0;
    b->constraints[i].effector[0] = b->constraints[i].effector[1] = -1;
    for (int k = p->block_start[i]; k < p->block_start[i + 1]; ++k) {
      const double* own = b->left + BLOCK * (size_t)k;
      if (p->block_column[k] == i) b->scale[i] = (own[0] + own[4] + own[8]) / ROWS;
      b->linked[k] = 1;
    }
    b->links[i] = p->block_start[i + 1] - p->block_start[i];
    fine &= b->scale[i] > 0;
  }
  return fine;
}

// ---- one body

// All contacts linked with i, into member and place. Returns how many.
static int gather(Bodies* b, const HeftContactProblem* p, int i) {
  int count = 0;
  for (int k = p->block_start[i]; k < p->block_start[i + 1]; ++k) {
    if (b->linked[k]) b->member[count++] = p->block_column[k];
  }
  for (int s = 0; s < count; ++s) b->place[b->member[s]] = s;
  HEFT_ASSERT(count == b->links[i]);
  return count;
}

static void scatter(Bodies* b, int count) {
  for (int s = 0; s < count; ++s) b->place[b->member[s]] = -1;
}

// Returns whether all members are linked with each other.
static int all_linked(const Bodies* b, const HeftContactProblem* p, int count) {
  for (int s = 0; s < count; ++s) {
    const int i = b->member[s];
    int inside = 0;
    if (b->links[i] < count) return 0;
    for (int k = p->block_start[i]; k < p->block_start[i + 1]; ++k)
      inside += b->linked[k] && b->place[p->block_column[k]] >= 0;
    if (inside < count) return 0;
  }
  return 1;
}

// Sorts members without another unknown body first; `sides` of their bodies are known. Returns
// their number.
static int put_own_first(Bodies* b, int count, int sides) {
  int own = 0;
  for (int s = 0; s < count; ++s) {
    const int i = b->member[s];
    if (b->links[i] != count || b->sides[i] != sides) continue;
    b->member[s] = b->member[own];
    b->member[own++] = i;
  }
  for (int s = 0; s < count; ++s) b->place[b->member[s]] = s;
  return own;
}

typedef struct Pivot {
  int member, row;  // which row of W it is
  double inverse;   // 1 / its number in J
} Pivot;

// Column c of J for the members from first to last - 1: the column of the pivot, less what earlier
// columns explain, over the root of the pivot.
static void add_column(Bodies* b, const HeftContactProblem* p, Pivot pivot, int c, int first,
                       int last) {
  const int i = b->member[pivot.member];
  HEFT_ASSERT(c >= 0 && c < SIX && pivot.row < ROWS && pivot.inverse > 0);
  const double* from = b->rows + OWN * pivot.member + SIX * pivot.row;
  for (int k = p->block_start[i]; k < p->block_start[i + 1]; ++k) {
    const int s = b->linked[k] ? b->place[p->block_column[k]] : -1;
    if (s < first || s >= last) continue;
    const double* w = b->left + BLOCK * (size_t)k + ROWS * pivot.row;
    for (int a = 0; a < ROWS; ++a) {
      double *to = b->rows + OWN * s + SIX * a, sum = w[a];
      for (int e = 0; e < c; ++e) sum -= from[e] * to[e];
      to[c] = sum * pivot.inverse;
      b->rest[ROWS * s + a] -= to[c] * to[c];
    }
  }
}

// The row of the own members with the largest relative remainder.
static double find_pivot(const Bodies* b, int own, Pivot* pivot) {
  double max = 0;
  for (int s = 0; s < own; ++s) {
    for (int a = 0; a < ROWS; ++a) {
      const double rest = b->rest[ROWS * s + a], part = rest / b->scale[b->member[s]];
      if (!(part > max)) continue;
      max = part;
      *pivot = (Pivot){s, a, 1 / sqrt(rest)};
    }
  }
  return max;
}

static void begin_rest(Bodies* b, const HeftContactProblem* p, int count) {
  memset(b->rows, 0, OWN * (size_t)count * sizeof(double));
  for (int s = 0; s < count; ++s) {
    const int i = b->member[s];
    int k = p->block_start[i];
    while (p->block_column[k] != i) ++k;
    for (int a = 0; a < ROWS; ++a)
      b->rest[ROWS * s + a] = b->left[BLOCK * (size_t)k + (size_t)(4 * a)];
  }
}

// Computes the rows of all members from the own ones' rows. Returns 0 if these do not belong to one
// body, or do not have six independent directions.
static int factor(Bodies* b, const HeftContactProblem* p, int own, int count) {
  Pivot pivots[SIX], next;
  int rank = 0;
  HEFT_ASSERT(own <= count && count <= b->constraint_capacity);
  begin_rest(b, p, count);
  while (rank < SIX && find_pivot(b, own, &pivots[rank]) > STEADY) {
    add_column(b, p, pivots[rank], rank, 0, own);
    ++rank;
  }
  if (find_pivot(b, own, &next) > NOTHING || (rank < SIX && own < count)) return 0;
  for (int c = 0; c < rank; ++c) add_column(b, p, pivots[c], c, own, count);
  return 1;
}

// ---- removing it

// Subtracts X Yᵀ from a block, X by rows of six, Y by six columns of four. Returns the largest
// number that remains.
HEFT_INLINE double subtract(double* block, const double* x, const double* y) {
  V4 max = v4_all(0);
  for (int a = 0; a < ROWS; ++a, block += ROWS, x += SIX) {
    V4 row = {block[0], block[1], block[2], 0};
    for (int k = 0; k < SIX; ++k) row -= v4_load(y + 4 * k) * x[k];
    for (int c = 0; c < ROWS; ++c) block[c] = row[c];
    max = v4_select(v4_abs(row) > max, v4_abs(row), max);
  }
  return v4_greatest(max);
}

static void fill_columns(Bodies* b, int count) {
  for (int s = 0; s < count; ++s) {
    const double* row = b->rows + OWN * s;
    for (int k = 0; k < SIX; ++k)
      v4_store(b->columns + COLUMNS * s + 4 * k, (V4){row[k], row[SIX + k], row[2 * SIX + k], 0});
  }
}

HEFT_CLONES
static void take_away(Bodies* b, const HeftContactProblem* p, int count) {
  for (int s = 0; s < count; ++s) {
    const int i = b->member[s];
    for (int k = p->block_start[i]; k < p->block_start[i + 1]; ++k) {
      const int j = p->block_column[k], t = b->place[j];
      if (!b->linked[k] || t < 0) continue;
      const double left = subtract(b->left + BLOCK * (size_t)k, b->rows + OWN * s,
                                   b->columns + COLUMNS * t),
                   whole = between(b, i, j);
      if (left > NOTHING * whole) continue;
      b->linked[k] = 0;
      --b->links[i];
      HEFT_ASSERT(b->links[i] >= 0);
      if (left > b->worst * whole) b->worst = left / whole;
    }
  }
}

// Makes the body an effector. Returns 0 if a contact has two already.
static int keep(Bodies* b, int count) {
  if (b->found == b->body_max) return 0;
  for (int s = 0; s < count; ++s) {
    const int i = b->member[s], side = b->sides[i]++;
    HEFT_ASSERT(side > 0 || b->queued < b->constraint_capacity);
    if (side > 1) return 0;
    b->constraints[i].effector[side] = b->found;
    for (int a = 0; a < ROWS; ++a)
      memcpy(b->jacobian + TAKES * (ROWS * (size_t)i + (size_t)a) + (size_t)(SIX * side),
             b->rows + OWN * s + SIX * a, SIX * sizeof(double));
    if (side == 0 && b->links[i] > 0) b->queue[b->queued++] = i;
  }
  b->trees[b->found] = (HeftContactTree){.effector_first = b->found, .effector_count = 1};
  ++b->found;
  HEFT_ASSERT(b->found <= b->body_max);
  return 1;
}

// Searches the body that contact i does not share, `sides` of its bodies are known. Returns 0 if W
// is no operator of free bodies.
static int peel(Bodies* b, const HeftContactProblem* p, int i, int sides) {
  int fine = 1;
  if (b->sides[i] != sides || b->links[i] == 0) return 1;
  const int count = gather(b, p, i);
  if (sides > 0 || all_linked(b, p, count)) {
    const int own = put_own_first(b, count, sides);
    if (factor(b, p, own, count)) {
      fill_columns(b, count);
      take_away(b, p, count);
      fine = keep(b, count);
    }
  }
  scatter(b, count);
  return fine;
}

static int all_explained(const Bodies* b, int constraints) {
  for (int i = 0; i < constraints; ++i) {
    if (b->links[i] > 0) return 0;
  }
  return 1;
}

static const HeftContactProblem* by_effectors(Bodies* b, const HeftContactProblem* p) {
  for (int k = 0; k < 36; ++k) b->unit[k] = k % 7 == 0;
  HEFT_ASSERT(b->found > 0 && b->found <= b->body_max);
  b->problem = *p;
  b->problem.constraints = b->constraints;
  b->problem.block_start = b->problem.block_column = NULL;
  b->problem.blocks = NULL;
  b->problem.effector_count = b->problem.tree_count = b->found;
  b->problem.trees = b->trees;
  b->problem.omega = b->unit;
  b->problem.jacobian = b->jacobian;
  return &b->problem;
}

// Continues from body to body. Returns 0 if W is no operator of free bodies.
static int spread(Bodies* b, const HeftContactProblem* p) {
  while (b->taken < b->queued) {
    HEFT_ASSERT(b->queued <= p->constraint_count);
    if (!peel(b, p, b->queue[b->taken++], 1)) return 0;
  }
  return 1;
}

// Contacts at the top of a tower share all their neighbours, as those at its foot do. There are
// three ways to start: at all such contacts at once, which is the most exact because bodies are
// then found from all sides; at the first one, following its bodies before the next; and the same
// from the other end.
typedef enum Variant { FROM_ALL, FROM_FIRST, FROM_LAST, VARIANTS } Variant;

static int search(Bodies* b, const HeftContactProblem* p, Variant displacement) {
  const int n = p->constraint_count;
  if (!begin(b, p)) return 0;
  for (int k = 0; k < n; ++k) {
    if (!peel(b, p, displacement == FROM_LAST ? n - 1 - k : k, 0)) return 0;
    if (displacement != FROM_ALL && !spread(b, p)) return 0;
  }
  return spread(b, p) && all_explained(b, n);
}

const HeftContactProblem* bodies_find(Bodies* b, const HeftContactProblem* p, double accuracy) {
  if (!fits(b, p)) return NULL;
  for (int displacement = 0; displacement < VARIANTS; ++displacement) {
    if (search(b, p, (Variant)displacement))
      return b->worst <= accuracy ? by_effectors(b, p) : NULL;
    if (b->found == 0) return NULL;  // no other start would find any
  }
  return NULL;
}
