// SPDX-License-Identifier: Apache-2.0
// Moving apart many free bodies: normals only, by Gauss-Seidel.
//
// Each touch asks for u = b + x · V >= 0, V being the twists of its two bodies, and may push with
// r >= 0. An impulse changes V by y = Ω xᵀ, and u by w = x · y. Touch after touch gets what it
// lacks,
//
//     r⁺ = max(0, r - u / w),        V += y (r⁺ - r),
//
// forth and back through the list, until no touch gets noticeably more. From r = 0 every such step
// takes something off ½ r W r + b r, so whatever ends it, nothing moves further than it was asked
// to. This is the whole work of the contact solver on one row; done here, because a pile spends
// more on handing that row over than on solving it, and a share of each depth is left for the next
// step anyway. It is for bodies that touch at single points, as balls do. Boxes that lie on each
// other face to face tilt by a hair when their four points are not solved together, and a pyramid
// then takes a thousand times longer to solve.
//
// x and b are divided by w beforehand. Numbers of the two bodies stand as [a0 .. a3][a4 a5 b4 b5]
// [b0 .. b3], three vectors without a gap. Neighbours in the list often share a body and would wait
// for each other; so the list is dealt out in four parts, and rows of different parts take turns.
#include "world/apart.h"

#include <math.h>
#include <string.h>

#include "math/simd.h"

enum { LARGE = 64, PARTS = 4, TWIST = 8, SWEEPS = 10 };
static const double enough = 0.03;  // of the largest impulse: smaller changes are not waited for

typedef struct SeparatingAxis {
  double x[12], y[12];
  double b, r;
  int effector[2];
  int row;
  int unused;
} SeparatingAxis;

size_t heft_apart_scratch(int constraints, int effectors) {
  return sizeof(SeparatingAxis) / sizeof(double) * (size_t)constraints +
         TWIST * ((size_t)effectors + 1);
}

static int same_shapes(const Constraints* c, int a, int b) {
  const HeftContactPoint *p = &c->contact_points.point[a], *q = &c->contact_points.point[b];
  return p->shape_a == q->shape_a && p->shape_b == q->shape_b;
}

int heft_apart_fits(const HeftWorld* w, const Island* island) {
  const Constraints* c = w->constraints;
  if (island->count < LARGE || island->effector_count != island->tree_count) return 0;
  for (int t = island->tree_first; t < island->tree_first + island->tree_count; ++t) {
    if (c->tree_dofs[t] > 0 || c->tree_wires[t] > 0) return 0;
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

// 0 if this touch has nothing that moves.
HEFT_INLINE int fill(const Constraints* c, const Island* island, const Constraint* k,
                     SeparatingAxis* out) {
  static const double still[6] = {0};
  const double* omegas = c->omega + island->omega_first;
  const double* x[2];
  V4 head[2] = {v4_all(0), v4_all(0)};
  V2 tail[2] = {{0, 0}, {0, 0}};
  for (int s = 0; s < 2; ++s) {
    const int moves = k->link[s] != 0;
    x[s] = moves ? c->axis[k->row] + 6L * s : still;
    out->effector[s] = moves ? c->link_effector[k->link[s]] : island->effector_count;
    if (moves) answer(omegas + 36L * out->effector[s], x[s], &head[s], &tail[s]);
  }
  const Sides along = {v4_load(x[0]), join(v2_load(x[0] + 4), v2_load(x[1] + 4)), v4_load(x[1])};
  const Sides moved = {head[0], join(tail[0], tail[1]), head[1]};
  const double w = sides_dot(along, moved);
  if (!(w > 0)) return 0;
  const double part = 1 / w;
  sides_store(out->x, (Sides){along.a * part, along.tails * part, along.b * part});
  sides_store(out->y, moved);
  out->b = c->velocity[k->row] * part;
  out->r = 0;
  out->row = k->row;
  return 1;
}

// ---- sweeps

// One touch; returns the change of its impulse.
HEFT_INLINE double part_touch(SeparatingAxis* p, double* twists) {
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
static double part_all(SeparatingAxis* list, int count, int back, double* twists) {
  double max = 0, largest = 0;
  for (int i = 0; i < count; ++i) {
    SeparatingAxis* p = &list[back ? count - 1 - i : i];
    const double change = fabs(part_touch(p, twists));
    max = change > max ? change : max;
    largest = p->r > largest ? p->r : largest;
  }
  return largest > 0 ? max / largest : 0;
}

HEFT_CLONES_V4
static int fill_partings(const Constraints* c, const Island* island, SeparatingAxis* list) {
  const int share = (island->count + PARTS - 1) / PARTS;
  int count = 0;
  for (int i = 0; i < share; ++i) {
    for (int at = i; at < island->count; at += share) {
      const Constraint* k = &c->list[island->order[at]];
      if (!k->waiting) count += fill(c, island, k, &list[count]);
    }
  }
  return count;
}

void heft_apart_solve(const HeftWorld* w, Island* island, double* scratch, double* impulse) {
  const Constraints* c = w->constraints;
  const HeftContactTermination* stop = &island->stop;
  const int effort_max = stop->effort_max < SWEEPS ? stop->effort_max : SWEEPS;
  SeparatingAxis* list = (SeparatingAxis*)scratch;
  const int count = fill_partings(c, island, list);
  double* twists = (double*)(list + count);
  HeftContactResult* result = &island->result;
  memset(twists, 0, sizeof(double) * TWIST * ((size_t)island->effector_count + 1));
  result->status = HEFT_CONTACT_EFFORT_SPENT;
  while (result->effort < effort_max) {
    if (result->effort >= stop->effort_min && stop->deadline_ns &&
        heft_clock_ns() >= stop->deadline_ns) {
      result->status = HEFT_CONTACT_DEADLINE;
      break;
    }
    if (part_all(list, count, result->effort++ % 2, twists) <= enough) break;
  }
  for (int i = 0; i < island->count; ++i) impulse[c->list[island->order[i]].row] = 0;
  for (int i = 0; i < count; ++i) impulse[list[i].row] = list[i].r;
}
