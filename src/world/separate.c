// SPDX-License-Identifier: Apache-2.0
// Separating many free bodies: normals only, by Gauss-Seidel.
//
// Each contact point requires u = b + x · V >= 0, V being the twists of its two bodies, with an
// impulse r >= 0. An impulse changes V by y = Ω xᵀ, and u by w = x · y. One contact point after the
// other gets
//
//     r⁺ = max(0, r - u / w),        V += y (r⁺ - r),
//
// forwards and backwards through the list, until no impulse changes noticeably. From r = 0 every
// such step decreases ½ r W r + b r, so whenever it stops, no body has moved further than asked.
// This is the same as the contact solver does on one row. It is done here because a pile spends
// more time on handing that row over than on solving it, and a share of each depth is left for the
// next step anyway. It serves bodies that touch at single points, as balls do. Boxes that lie face
// to face tilt slightly if their four points are not solved together, and a pyramid then takes a
// thousand times longer to solve.
//
// x and b are divided by w beforehand. Numbers of the two bodies stand as [a0 .. a3][a4 a5 b4 b5]
// [b0 .. b3], three vectors without a gap. Neighbours in the list often share a body and would wait
// for each other; so the list is dealt out in four parts, and rows of different parts alternate.
#include "world/separate.h"

#include <math.h>
#include <string.h>

#include "collision/contact_pair.h"
#include "math/simd.h"

enum { LARGE = 64, PARTS = 4, TWIST = 8, SWEEPS = 10 };
static const double enough = 0.03;  // of the largest impulse: smaller changes end the sweeps

typedef struct SeparationRow {
  double x[12], y[12];
  double b, r;
  int effector[2];
  int row;
  int unused;
} SeparationRow;

size_t heft_separate_scratch(int effectors) { return TWIST * ((size_t)effectors + 1); }

static int same_shapes(const ConstraintSet* c, int a, int b) {
  return contact_same_pair(&c->contact_points.point[a], &c->contact_points.point[b]);
}

int heft_separate_fits(const ConstraintSet* c, const IslandSet* islands, const Island* island) {
  if (island->count < LARGE || island->effector_count != island->tree_count) return 0;
  if (sizeof(SeparationRow) * (size_t)island->count > 12 * sizeof(double) * (size_t)island->rows)
    return 0;
  for (int t = island->tree_first; t < island->tree_first + island->tree_count; ++t) {
    if (islands->tree_dofs[t] > 0 || islands->tree_directions[t] > 0) return 0;
  }
  for (int i = 0, last = -1; i < island->count; ++i) {
    const Constraint* k = &c->list[island->order[i]];
    if (k->kind != CONSTRAINT_CONTACT || (last >= 0 && same_shapes(c, last, k->source))) return 0;
    last = k->source;
  }
  return 1;
}

// ---- filling

HEFT_INLINE void v2_store(double* p, V2 v) { memcpy(p, &v, sizeof v); }

HEFT_INLINE V4 join(V2 a, V2 b) { return __builtin_shufflevector(a, b, 0, 1, 2, 3); }

typedef struct Sides {
  V4 a, tails, b;
} Sides;

HEFT_INLINE double sides_dot(Sides x, Sides y) {
  return v4_sum((x.a * y.a + x.b * y.b) + x.tails * y.tails);
}

HEFT_INLINE Sides sides_load(const double* x) {
  return (Sides){v4_load(x), v4_load(x + 4), v4_load(x + 8)};
}

HEFT_INLINE void sides_store(double* x, Sides s) {
  v4_store(x, s.a);
  v4_store(x + 4, s.tails);
  v4_store(x + 8, s.b);
}

// Ω x of one body: the rows of Ω, which is symmetric, weighed by x.
HEFT_INLINE void answer(const double* omega, const double* x, V4* head, V2* tail) {
  *head = v4_all(0);
  *tail = (V2){0, 0};
  for (int k = 0; k < 6; ++k) {
    *head += v4_load(omega + 6 * k) * x[k];
    *tail += v2_load(omega + 6 * k + 4) * x[k];
  }
}

// Returns 0 if neither side can move.
HEFT_INLINE int fill(const SolveRequest* request, const IslandSet* islands, const Island* island,
                     const double* omegas, const Constraint* k, SeparationRow* out) {
  static const double still[6] = {0};
  const double* x[2];
  V4 head[2] = {v4_all(0), v4_all(0)};
  V2 tail[2] = {{0, 0}, {0, 0}};
  for (int s = 0; s < 2; ++s) {
    const int moves = k->link[s] != 0;
    x[s] = moves ? request->set->axis[k->row] + 6L * s : still;
    out->effector[s] = moves ? islands->link_effector[k->link[s]] : island->effector_count;
    if (moves) answer(omegas + 36L * out->effector[s], x[s], &head[s], &tail[s]);
  }
  const Sides along = {v4_load(x[0]), join(v2_load(x[0] + 4), v2_load(x[1] + 4)), v4_load(x[1])};
  const Sides moved = {head[0], join(tail[0], tail[1]), head[1]};
  const double w = sides_dot(along, moved);
  if (!(w > 0)) return 0;
  const double part = 1 / w;
  sides_store(out->x, (Sides){along.a * part, along.tails * part, along.b * part});
  sides_store(out->y, moved);
  out->b = request->velocity[k->row] * part;
  out->r = 0;
  out->row = k->row;
  return 1;
}

// ---- sweeps

// One contact point; returns the change of its impulse.
HEFT_INLINE double separate_one(SeparationRow* p, double* twists) {
  double *a = twists + (long)TWIST * p->effector[0], *b = twists + (long)TWIST * p->effector[1];
  const Sides v = {v4_load(a), join(v2_load(a + 4), v2_load(b + 4)), v4_load(b)};
  const double wanted = p->r - (p->b + sides_dot(sides_load(p->x), v));
  const double r = wanted > 0 ? wanted : 0, change = r - p->r;
  if (change == 0) return 0;
  const Sides y = sides_load(p->y);
  const V4 tails = v.tails + y.tails * change;
  p->r = r;
  v4_store(a, v.a + y.a * change);
  v4_store(b, v.b + y.b * change);
  v2_store(a + 4, __builtin_shufflevector(tails, tails, 0, 1));
  v2_store(b + 4, __builtin_shufflevector(tails, tails, 2, 3));
  return change;
}

// Returns the largest change of an impulse, relative to the largest impulse.
HEFT_CLONES_V4
static double separate_all(SeparationRow* list, int count, int back, double* twists) {
  double max = 0, largest = 0;
  for (int i = 0; i < count; ++i) {
    SeparationRow* p = &list[back ? count - 1 - i : i];
    const double change = fabs(separate_one(p, twists));
    max = change > max ? change : max;
    largest = p->r > largest ? p->r : largest;
  }
  return largest > 0 ? max / largest : 0;
}

HEFT_CLONES_V4
static int fill_all(const SolveRequest* request, const IslandSet* islands, const Island* island,
                    const double* omegas, SeparationRow* list) {
  const int share = (island->count + PARTS - 1) / PARTS;
  int count = 0;
  for (int i = 0; i < share; ++i) {
    for (int at = i; at < island->count; at += share) {
      const int place = island->order[at];
      if (request->waiting[place]) continue;
      count += fill(request, islands, island, omegas, &request->set->list[place], &list[count]);
    }
  }
  return count;
}

void heft_separate_solve(const SolveRequest* request, const IslandSet* islands,
                         const Island* island, const IslandProblem* problem, double* twists,
                         IslandResult* solved) {
  const HeftContactTermination* stop = &solved->stop;
  const int effort_max = stop->effort_max < SWEEPS ? stop->effort_max : SWEEPS;
  SeparationRow* list = (SeparationRow*)problem->jacobian[island->row_first];
  const int count = fill_all(request, islands, island, problem->omega + island->omega_first, list);
  HeftContactResult* result = &solved->result;
  memset(twists, 0, sizeof(double) * TWIST * ((size_t)island->effector_count + 1));
  result->status = HEFT_CONTACT_EFFORT_SPENT;
  while (result->effort < effort_max) {
    if (result->effort >= stop->effort_min && stop->deadline_ns &&
        heft_clock_ns() >= stop->deadline_ns) {
      result->status = HEFT_CONTACT_DEADLINE;
      break;
    }
    if (separate_all(list, count, result->effort++ % 2, twists) <= enough) break;
  }
  for (int i = 0; i < island->count; ++i)
    request->impulse[request->set->list[island->order[i]].row] = 0;
  for (int i = 0; i < count; ++i) request->impulse[list[i].row] = list[i].r;
}
