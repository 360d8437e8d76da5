// SPDX-License-Identifier: Apache-2.0
// Which forces balance a load, and how large may it be?
//
//     max a   over forces f_i in their cones |f_t| <= µ f_n and g_j in [-half_j, half_j],
//             Σ coneᵀ f + Σ boxᵀ g + a along = cost,   Σ f_n <= bound.
//
// Its dual has as many unknowns as there are degrees of freedom, few for a stance of many contacts:
//
//     min cost · y + Σ half |box y| + bound t   over y and t >= 0,
//         along · y = 1,   cone y + t n in the dual cones s_n >= µ |s_t|.
//
// y is the motion in which the stance fails: its power against the load is 1, and all contacts
// open or slide in it. Both problems have the same value (strong duality: t makes the inside of the
// cones reachable), and every y gives an upper bound of a. y stays in a large ball: where nothing
// holds at all, y would grow for ever at no cost.
//
// The barrier method: Newton steps on T cost - Σ log(s_n² - µ² |s_t|²) - log t - log(R² - |x|²) for
// growing T. Where the next step has the length δ in the norm of the barrier, the cost is at most
// (ν + √ν δ / (1 - δ)) / T above the value, ν = 2 cones + 2 boxes + 2. Newton steps of length
// 1 / (1 + δ) need no value of the barrier (self-concordance: Nesterov and Nemirovskii 1994). A
// box adds c |z|, whose barrier form min_s c (2 s - z) - (log s + log(s - z)) / T has a closed
// solution: with e = 1 / (c T) and ρ = (e + √(e² + z²)) / 2 the gradient is c z / (2 ρ).
#include "math/cone_program.h"

#include <math.h>
#include <string.h>

#include "math/dense.h"

enum { STEPS_MAX = 400, HALVINGS = 60 };
static const double GROW = 100,  // of T
    CENTRED = 0.5,               // δ² near a minimum
    FAST = 0.25,                 // δ² below which steps are whole
    INACTIVE = 0.01,             // share of the value
    REACH = 1e6,                 // R, relative to a velocity of the size of the problem
    ROUGH = 1e-3;                // relative gap of a value that is of use

// The program in coordinates x of the plane along · y = 1, and t as the last unknown.
typedef struct Barrier {
  const ConeProgram* p;
  int n;              // unknowns: x and t
  double* frame;      // unknowns: the vector of the reflection that turns `along` to the first axis
  double size;        // its square
  double* origin;     // unknowns: y of x = 0
  double *rows, *at;  // of cones and boxes: n numbers each; their values at x = 0
  double* cost;       // n
  double fixed;       // cost of x = 0
  double reach;       // R²
  double *x, *trial, *step, *gradient, *hessian, *s, *rate, *edge;
} Barrier;

static int row_count(const ConeProgram* p) { return 3 * p->cones + p->boxes; }

static int take(Barrier* b, const ConeProgram* p, Arena* arena) {
  const size_t all = (size_t)p->unknowns + 1, rows = (size_t)row_count(p);
  b->p = p;
  b->n = p->unknowns + (p->along ? 0 : 1);
  b->frame = arena_take(arena, all, double);
  b->origin = arena_take(arena, all, double);
  b->rows = arena_take(arena, rows * all, double);
  b->at = arena_take(arena, rows, double);
  b->cost = arena_take(arena, all, double);
  b->x = arena_take(arena, all, double);
  b->trial = arena_take(arena, all, double);
  b->step = arena_take(arena, all, double);
  b->gradient = arena_take(arena, all, double);
  b->edge = arena_take(arena, all, double);
  b->hessian = arena_take(arena, all * all, double);
  b->s = arena_take(arena, rows, double);
  b->rate = arena_take(arena, rows, double);
  return !arena->overflow;
}

size_t cone_program_scratch(int unknowns, int cones, int boxes) {
  const ConeProgram p = {.unknowns = unknowns, .cones = cones, .boxes = boxes};
  Arena arena = arena_measure();
  Barrier b;
  take(&b, &p, &arena);
  return arena.used + ARENA_ALIGNMENT;
}

// ---- coordinates

// y of x = 0 is along / |along|², and the other coordinates are columns of a reflection.
static int make_frame(Barrier* b) {
  const int n = b->p->unknowns;
  const double* along = b->p->along;
  memset(b->origin, 0, sizeof(double) * (size_t)n);
  if (!along) return 1;
  const double square = heft_dot(n, along, along), length = sqrt(square);
  if (!(square > 0)) return 0;
  for (int i = 0; i < n; ++i) {
    b->origin[i] = along[i] / square;
    b->frame[i] = along[i] / length;
  }
  b->frame[0] += b->frame[0] < 0 ? -1 : 1;
  b->size = heft_dot(n, b->frame, b->frame);
  return 1;
}

// out (n - 1) := coordinates of a row: how it changes with x.
static void to_plane(const Barrier* b, const double* row, double* out) {
  const int n = b->p->unknowns;
  if (!b->p->along) {
    memcpy(out, row, sizeof(double) * (size_t)n);
    return;
  }
  const double share = 2 * heft_dot(n, row, b->frame) / b->size;
  for (int i = 1; i < n; ++i) out[i - 1] = row[i] - share * b->frame[i];
}

static void to_unknowns(const Barrier* b, const double* x, double* y) {
  const int n = b->p->unknowns;
  if (!b->p->along) {
    memcpy(y, x, sizeof(double) * (size_t)n);
    return;
  }
  const double share = 2 * heft_dot(n - 1, b->frame + 1, x) / b->size;
  for (int i = 0; i < n; ++i) y[i] = b->origin[i] + (i > 0 ? x[i - 1] : 0) - share * b->frame[i];
}

static void load(Barrier* b) {
  const ConeProgram* p = b->p;
  const int n = b->n, last = n - 1;
  for (int r = 0; r < row_count(p); ++r) {
    const int is_box = r >= 3 * p->cones;
    const double* from = is_box ? p->box + (size_t)(r - 3 * p->cones) * (size_t)p->unknowns
                                : p->cone + (size_t)r * (size_t)p->unknowns;
    double* to = b->rows + (size_t)r * (size_t)n;
    to_plane(b, from, to);
    to[last] = !is_box && r % 3 == 0;
    b->at[r] = heft_dot(p->unknowns, from, b->origin) + (!is_box && p->shift ? p->shift[r] : 0);
  }
  to_plane(b, p->cost, b->cost);
  b->cost[last] = p->bound;
  b->fixed = heft_dot(p->unknowns, p->cost, b->origin);
}

// ---- the barrier

// b->s := values of the rows at x. Returns the least distance from the edge of a cone.
static double measure(const Barrier* b, const double* x) {
  const ConeProgram* p = b->p;
  double least = fmin(x[b->n - 1], b->reach - heft_dot(b->n - 1, x, x));
  for (int r = 0; r < row_count(p); ++r)
    b->s[r] = b->at[r] + heft_dot(b->n, b->rows + (size_t)r * (size_t)b->n, x);
  for (int i = 0; i < p->cones; ++i) {
    const double* s = b->s + 3 * i;
    least = fmin(least, s[0] - p->mu[i] * sqrt(s[1] * s[1] + s[2] * s[2]));
  }
  return least;
}

// hessian += factor a aᵀ, lower triangle.
static void add_square(const Barrier* b, double factor, const double* a) {
  const int n = b->n;
  for (int i = 0; i < n; ++i) {
    const double scaled = factor * a[i];
    for (int j = 0; j <= i; ++j) b->hessian[(size_t)i * (size_t)n + (size_t)j] += scaled * a[j];
  }
}

static void add_cone(const Barrier* b, int i) {
  const int n = b->n;
  const double *a = b->rows + 3 * (size_t)i * (size_t)n, *s = b->s + 3 * i,
               square = b->p->mu[i] * b->p->mu[i];
  const double q = s[0] * s[0] - square * (s[1] * s[1] + s[2] * s[2]);
  for (int d = 0; d < n; ++d) {
    b->edge[d] = 2 * (s[0] * a[d] - square * (s[1] * a[n + d] + s[2] * a[2 * n + d])) / q;
    b->gradient[d] -= b->edge[d];
  }
  add_square(b, 1, b->edge);
  add_square(b, -2 / q, a);
  if (!(square > 0)) return;
  add_square(b, 2 * square / q, a + n);
  add_square(b, 2 * square / q, a + 2 * (size_t)n);
}

static void add_box(const Barrier* b, int j, double weight) {
  const int r = 3 * b->p->cones + j;
  const double *a = b->rows + (size_t)r * (size_t)b->n, z = b->s[r], c = b->p->half[j];
  if (!(c > 0)) return;
  const double e = 1 / (c * weight), root = sqrt(e * e + z * z), rho = 0.5 * (e + root);
  const double slope = z / (2 * rho), bend = (1 - z * z / (2 * rho * root)) / (2 * rho);
  for (int d = 0; d < b->n; ++d) b->gradient[d] += slope / e * a[d];
  add_square(b, bend / e, a);
}

static void add_ball(const Barrier* b) {
  const int n = b->n - 1;
  const double q = b->reach - heft_dot(n, b->x, b->x);
  for (int d = 0; d < n; ++d) {
    b->edge[d] = -2 * b->x[d] / q;
    b->gradient[d] -= b->edge[d];
    b->hessian[(size_t)d * (size_t)(b->n + 1)] += 2 / q;
  }
  b->edge[n] = 0;
  add_square(b, 1, b->edge);
}

// A Newton step at the weight T of the cost. Returns the squared length of the step in the norm of
// the barrier, or -1 if there is none.
static double newton_step(Barrier* b, double weight) {
  const int n = b->n, last = n - 1;
  memset(b->hessian, 0, sizeof(double) * (size_t)n * (size_t)n);
  for (int d = 0; d < n; ++d) b->gradient[d] = weight * b->cost[d];
  measure(b, b->x);
  for (int i = 0; i < b->p->cones; ++i) add_cone(b, i);
  for (int j = 0; j < b->p->boxes; ++j) add_box(b, j, weight);
  b->gradient[last] -= 1 / b->x[last];
  b->hessian[(size_t)last * (size_t)n + (size_t)last] += 1 / (b->x[last] * b->x[last]);
  add_ball(b);
  for (int d = 0; d < n; ++d) {
    b->hessian[(size_t)d * (size_t)(n + 1)] *= 1 + 1e-13;
    b->step[d] = -b->gradient[d];
  }
  if (heft_cholesky_factor(n, b->hessian, n) != 0) return -1;
  heft_cholesky_solve(n, b->hessian, n, b->step);
  return -heft_dot(n, b->gradient, b->step);
}

// Whether x + length step is inside of all cones and the barrier function still falls there. b->s
// has the rows at x, b->rate their change along the step.
static int falls(const Barrier* b, double weight, double length) {
  const ConeProgram* p = b->p;
  const int last = b->n - 1;
  const double t = b->x[last] + length * b->step[last];
  double radius = b->reach, turn = 0, slope = weight * heft_dot(b->n, b->cost, b->step);
  if (!(t > 0)) return 0;
  slope -= b->step[last] / t;
  for (int d = 0; d < last; ++d) {
    const double x = b->x[d] + length * b->step[d];
    radius -= x * x;
    turn += 2 * x * b->step[d];
  }
  if (!(radius > 0)) return 0;
  slope += turn / radius;
  for (int i = 0; i < p->cones; ++i) {
    const double *at = b->s + 3 * i, *rate = b->rate + 3 * i, square = p->mu[i] * p->mu[i];
    const double s0 = at[0] + length * rate[0], s1 = at[1] + length * rate[1],
                 s2 = at[2] + length * rate[2], q = s0 * s0 - square * (s1 * s1 + s2 * s2);
    if (!(q > 0) || !(s0 > 0)) return 0;
    slope -= 2 * (s0 * rate[0] - square * (s1 * rate[1] + s2 * rate[2])) / q;
  }
  for (int j = 3 * p->cones; j < row_count(p); ++j) {
    const double c = p->half[j - 3 * p->cones], z = b->s[j] + length * b->rate[j];
    if (!(c > 0)) continue;
    const double e = 1 / (c * weight), rho = 0.5 * (e + sqrt(e * e + z * z));
    slope += z / (2 * rho * e) * b->rate[j];
  }
  return slope < 0;
}

// Moves x along the step: by 1 / (1 + δ), which is inside of all cones, or farther as long as the
// barrier function falls.
static int move(Barrier* b, double weight, double decrement) {
  double length = decrement > FAST ? 1 / (1 + sqrt(decrement)) : 1;
  for (int r = 0; r < row_count(b->p); ++r)
    b->rate[r] = heft_dot(b->n, b->rows + (size_t)r * (size_t)b->n, b->step);
  while (length < 1 && falls(b, weight, 2 * length)) length *= 2;
  for (int k = 0; k < HALVINGS; ++k, length *= 0.5) {
    for (int d = 0; d < b->n; ++d) b->trial[d] = b->x[d] + length * b->step[d];
    if (!(measure(b, b->trial) > 0)) continue;
    memcpy(b->x, b->trial, sizeof(double) * (size_t)b->n);
    return 1;
  }
  return 0;
}

// The cost of the boxes, at the rows that were measured last.
static double cost_of_boxes(const Barrier* b) {
  double sum = 0;
  for (int j = 0; j < b->p->boxes; ++j) sum += b->p->half[j] * fabs(b->s[3 * b->p->cones + j]);
  return sum;
}

// The cost of x, without t.
static double cost_of(const Barrier* b) {
  measure(b, b->x);
  return b->fixed + heft_dot(b->n - 1, b->cost, b->x) + cost_of_boxes(b);
}

// Inside of all cones: y of the origin, and t so large that all contacts open.
static double begin(Barrier* b) {
  double largest = 0;
  for (int r = 0; r < row_count(b->p); ++r) {
    const double* row = b->rows + (size_t)r * (size_t)b->n;
    largest = fmax(largest, heft_dot(b->n - 1, row, row));
  }
  const double size =
      fmax(heft_dot(b->p->unknowns, b->origin, b->origin), largest > 0 ? 1 / largest : 1);
  b->reach = REACH * REACH * size;
  memset(b->x, 0, sizeof(double) * (size_t)b->n);
  const double least = measure(b, b->x),
               length = sqrt(heft_dot(b->p->unknowns, b->origin, b->origin));
  b->x[b->n - 1] = fmax(0, -1.5 * least) + 1e-3 * (length > 0 ? length : 1);
  return fabs(b->fixed) + cost_of_boxes(b) + b->p->bound * b->x[b->n - 1];
}

// Newton steps at one weight of the cost. Returns 1 if they come near its minimum.
static int centre(Barrier* b, double weight, ConeAnswer* answer) {
  for (double decrement = 1; decrement > CENTRED;) {
    if (answer->steps++ == STEPS_MAX) return 0;
    decrement = newton_step(b, weight);
    if (!(decrement >= 0) || !move(b, weight, decrement)) return 0;
  }
  return 1;
}

int cone_program_solve(const ConeProgram* p, double tolerance, Arena scratch, double* y,
                       ConeAnswer* answer) {
  const double parts = 2 * p->cones + 2 * p->boxes + 2, far = sqrt(CENTRED) / (1 - sqrt(CENTRED));
  int found = 0;
  Barrier b;
  *answer = (ConeAnswer){0};
  if (!take(&b, p, &scratch) || !make_frame(&b)) return 0;
  load(&b);
  for (double weight = parts / begin(&b); centre(&b, weight, answer); weight *= GROW) {
    const double held = p->bound * b.x[b.n - 1], value = cost_of(&b);
    found = 1;
    answer->value = value + held;
    answer->gap = (parts + sqrt(parts) * far) / weight;
    answer->bounded = held > INACTIVE * fmax(fabs(value), p->scale);
    to_unknowns(&b, b.x, y);
    if (answer->gap <= tolerance * fmax(fabs(answer->value), p->scale)) break;
  }
  return found && answer->gap <= ROUGH * fmax(fabs(answer->value), p->scale);
}
