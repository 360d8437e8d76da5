// SPDX-License-Identifier: Apache-2.0
// A sweep is a map r -> g(r) whose fixed point is the solution. Anderson acceleration (type II;
// [Anderson 1965], [Walker 2011]) stores the last few pairs of changes ΔF of f = g - r and ΔG of g,
// computes the γ that minimises |f - ΔF γ|, and continues from g - ΔG γ. The norm weights each
// contact by its w_i, so that it is an energy and does not depend on units.
//
// The state z is affine in r, so it is extrapolated with the same γ; only contacts that the
// extrapolation moves out of their cones are projected, and their change is applied to z. That
// saves a product with W.
//
// An extrapolation may fail. If |f| grows to more than twice the last, the extrapolation is undone:
// the iterate returns to the result of the sweep before it, with an empty history.
#include "contact/sweep/anderson.h"
#include "base/assert.h"

#include <math.h>
#include <string.h>

#include "contact/core/packet.h"
#include "math/dense.h"
#include "math/slot_vector.h"

// The table in docs/internals/contact.md states the effect of half and twice each value.
static const double BAD = 2,  // growth of |f| at which an extrapolation is undone
    REGULAR = 1e-12,          // added to the normal equations, of their trace
    LARGEST = 1e6;            // of γ: beyond it the rounding of z, which follows r, would be seen

static size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

// Doubles of `memory` columns, of which small problems and large trees have more.
static size_t history(size_t length, int memory, int large_trees) {
  const size_t all = length * (size_t)memory, small = ANDERSON_SMALL * smaller(length, SMALL_SLOTS),
               tree = large_trees ? ANDERSON_MEMORY * smaller(length, TREE_SLOTS) : 0,
               most = tree > small ? tree : small;
  return all > most ? all : most;
}

static int columns_of(const Core* core) {
  if (core->slots < SMALL_SLOTS) return ANDERSON_SMALL;
  if (!core->by_effectors) return ANDERSON_MEMORY;
  const int fits = core->slots <= TREE_SLOTS && core->states <= TREE_SLOTS;
  return core->hanging && fits ? ANDERSON_MEMORY : ANDERSON_EFFECTORS;
}

void anderson_take(Anderson* a, Arena* arena, size_t slots, size_t states, int explicit,
                   int large_trees) {
  const int memory = explicit ? ANDERSON_MEMORY : ANDERSON_EFFECTORS;
  a->weight = arena_take(arena, slots, double);
  a->start = arena_take(arena, slots, double);
  a->f = arena_take(arena, slots, double);
  a->f_last = arena_take(arena, slots, double);
  a->g_last = arena_take(arena, slots, double);
  a->z_last = arena_take(arena, states, double);
  a->df = arena_take(arena, history(slots, memory, large_trees), double);
  a->dg = arena_take(arena, history(slots, memory, large_trees), double);
  a->dz = arena_take(arena, history(states, memory, large_trees), double);
}

// Discards the history; the next sweep starts a new one.
static void restart(Anderson* a) {
  a->count = a->head = 0;
  a->norm = HUGE_VAL;
}

void anderson_begin(Anderson* a, const Core* core) {
  a->slots = core->slots;
  a->states = core->states;
  a->memory = columns_of(core);
  HEFT_ASSERT(a->memory <= ANDERSON_MEMORY && a->slots % 4 == 0);
  for (int i = 0; i < core->constraints; ++i) {
    const double weight = sqrt(core->w[i]);
    for (int k = 0; k < core->pad[i]; ++k) a->weight[core->slot[i] + k] = weight;
  }
  a->raised = 0;
  restart(a);
}

void anderson_refresh(Anderson* a, Core* core, const double* r, double* z) {
  core_state(core, r, z);
  a->raised = 0;
  if (a->norm < HUGE_VAL) core_state(core, a->g_last, a->z_last);
}

void anderson_before(Anderson* a, const double* r) { packed_copy(a->start, r, a->slots); }

static inline void add_column(Anderson* a, const double* g, const double* z) {
  const int c = a->head;
  HEFT_ASSERT(c >= 0 && c < a->memory);
  double* df = a->df + (size_t)c * (size_t)a->slots;
  packed_subtract(df, a->f, a->f_last, a->slots);
  packed_subtract(a->dg + (size_t)c * (size_t)a->slots, g, a->g_last, a->slots);
  packed_subtract(a->dz + (size_t)c * (size_t)a->states, z, a->z_last, a->states);
  a->head = c + 1 < a->memory ? c + 1 : 0;
  if (a->count < a->memory) a->count++;
  HEFT_ASSERT(a->head < a->memory && a->count <= a->memory);
  // ΔF · f of the columns that were there before: f has grown by df since
  for (int k = 0; k < a->count; ++k) {
    double product;
    if (k == c) {
      packed_two_dots(df, df, a->f, a->slots, &product, &a->right[k]);
    } else {
      product = packed_dot(a->df + (size_t)k * (size_t)a->slots, df, a->slots);
      a->right[k] += product;
    }
    a->gram[c * ANDERSON_MEMORY + k] = a->gram[k * ANDERSON_MEMORY + c] = product;
  }
}

// γ from the normal equations; 0 if they are not positive definite, or if γ would raise rounding
// to the size of what it adds up.
static inline int coefficients(Anderson* a, double* gamma) {
  double m[ANDERSON_MEMORY * ANDERSON_MEMORY], trace = 0;
  const int n = a->count;
  for (int i = 0; i < n; ++i) trace += a->gram[i * ANDERSON_MEMORY + i];
  HEFT_ASSERT(!(trace < 0));
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j <= i; ++j)
      m[i * n + j] = a->gram[i * ANDERSON_MEMORY + j] + (i == j ? REGULAR * trace : 0);
    gamma[i] = a->right[i];
  }
  if (!(trace > 0) || heft_cholesky_factor(n, m, n)) return 0;
  heft_cholesky_solve(n, m, n, gamma);
  double most = 0;
  for (int i = 0; i < n; ++i) most = fmax(most, fabs(gamma[i]));
  if (!(most <= LARGEST)) return 0;
  a->raised = fmax(a->raised, most);
  HEFT_ASSERT(a->raised <= LARGEST);
  return 1;
}

// Projects contacts that left their cones, and applies the change to z.
static void repair(const Core* core, double* r, double* z) {
  packet_repair(core, r, z);
  for (int i = PACKET_SIZE * core->colouring.groups; i < core->constraints; ++i) {
    double *own = r + core->slot[i], old[8], d[8];
    if (core->is_point[i]) {
      const double coupled = core->cone[i].mu[0] * own[0];
      if (own[0] >= 0 && own[1] * own[1] + own[2] * own[2] <= coupled * coupled) continue;
    }
    memcpy(old, own, sizeof(double) * core->rows[i]);
    cone_project(&core->cone[i], own);
    for (int k = 0; k < core->rows[i]; ++k) d[k] = own[k] - old[k];
    core_apply_impulse(core, i, d, z);
  }
}

static inline void swap(double** a, double** b) {
  double* c = *a;
  *a = *b;
  *b = c;
}

// Exchanges the vectors: g becomes the last one without a copy, and the next iterate uses the
// memory of the one before.
static void turn(Anderson* a, Core* core) {
  swap(&core->r, &a->g_last);
  swap(&core->z, &a->z_last);
}

// f, the weighted change that the sweep made; returns |f|.
HEFT_INLINE double change_of(Anderson* a, const double* r) {
  V4 sum0 = {0}, sum1 = {0};  // in the order of packed_dot()
  int k = 0;
  for (; k + 8 <= a->slots; k += 8) {
    const V4 f0 = (v4_load(r + k) - v4_load(a->start + k)) * v4_load(a->weight + k),
             f1 = (v4_load(r + k + 4) - v4_load(a->start + k + 4)) * v4_load(a->weight + k + 4);
    v4_store(a->f + k, f0);
    v4_store(a->f + k + 4, f1);
    sum0 += f0 * f0;
    sum1 += f1 * f1;
  }
  for (; k < a->slots; k += 4) {
    const V4 f = (v4_load(r + k) - v4_load(a->start + k)) * v4_load(a->weight + k);
    v4_store(a->f + k, f);
    sum0 += f * f;
  }
  sum0 += sum1;
  return sqrt((sum0[0] + sum0[1]) + (sum0[2] + sum0[3]));
}

// Back to the last g, from which no extrapolation starts.
static int step_back(Anderson* a, Core* core) {
  turn(a, core);
  restart(a);
  return -1;
}

HEFT_CLONES
static int anderson_extrapolate(Anderson* a, Core* core) {
  const int n = a->slots, m = a->states;
  const double norm = change_of(a, core->r);
  if (a->count > 0 && norm > BAD * a->norm) return step_back(a, core);
  if (a->norm < HUGE_VAL) add_column(a, core->r, core->z);
  a->norm = norm;
  swap(&a->f, &a->f_last);
  turn(a, core);
  double gamma[ANDERSON_MEMORY] = {0};
  const int found = a->count > 0 && coefficients(a, gamma);
  if (!found) a->count = a->head = 0;
  packed_extrapolate(core->r, a->g_last, a->count, gamma, a->dg, (size_t)n, n);
  packed_extrapolate(core->z, a->z_last, a->count, gamma, a->dz, (size_t)m, m);
  return found;
}

int anderson_after(Anderson* a, Core* core) {
  const int end = anderson_extrapolate(a, core);
  if (end > 0) repair(core, core->r, core->z);
  return end;
}
