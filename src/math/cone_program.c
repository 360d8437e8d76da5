// SPDX-License-Identifier: Apache-2.0
// Which forces balance a load, and how large may it be?
//
//     max a   over forces f_i in their cones |f_t| <= µ f_n and g_j in [-half_j, half_j],
//             Σ coneᵀ f + Σ boxᵀ g + Σ fixedᵀ h + a along = cost,   Σ f_n <= bound, any h.
//
// Its dual has as many unknowns as there are degrees of freedom, few for a stance of many contacts:
//
//     min cost · y + Σ half |box y| + bound t   over y and t >= 0,
//         along · y = 1,   fixed y = 0,   cone y + t n in the dual cones s_n >= µ |s_t|.
//
// y is the motion in which the stance fails: its power against the load is 1, and all contacts
// open or slide in it. Both problems have the same value (strong duality: t makes the inside of the
// cones reachable), and every y gives an upper bound of a.
//
// Both are solved together by an interior-point method ([Mehrotra 1992], [Nesterov Todd 1998]). All
// conditions are s = at + A x in symmetric cones: (s_n, µ s_t) in Lorentz' cone, t >= 0, and for a
// box r - z >= 0, r + z >= 0 with the cost half r. Forces f in the same cones are the multipliers:
// Aᵀ f = c, and s ∘ f = 0 at the solution. A scaling W with W f = W⁻¹ s = λ makes Newton's
// equations of s ∘ f = σ m e symmetric: with λ ∘ η = σ m e - λ ∘ λ - (W⁻¹ ds) ∘ (W df) and what s
// lacks, l = at + A x - s,
//
//     (Aᵀ W⁻² A) dx = Aᵀ (W⁻¹ η - (1 - σ) W⁻² l) - (1 - σ) (c - Aᵀ f),
//     ds = A dx + (1 - σ) l,     df = W⁻¹ η - W⁻² ds.
//
// Each iteration factors the matrix once and solves twice: without σ and the last term, to see how
// far that leads, and with them. It starts with forces of the usual size and s to match, in the
// middle of the cones: neither l nor c - Aᵀ f is zero. Both are from the first whole step on. Then
// s · f is the distance of both values: the answer carries its own proof, whatever way led to it.
// |x_i| <= R keeps x where nothing holds. The start depends on the program only, so that equal
// programs have equal bits.
//
// Four cones are computed at once, one in each lane. Contacts move few bodies: each packet has a
// list of the unknowns in which its rows have numbers, and the factor of the matrix has, in each
// row, no number before the first of the matrix.
#include "math/cone_program.h"

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "math/dense.h"
#include "math/simd_packet.h"
#include "math/skyline.h"

enum { STEPS_MAX = 60, PATIENCE = 3 };
static const double REACH = 1e5,  // of x, relative to a velocity of the size of the problem
    OPEN = 1,                     // speeds of the start, relative to the contacts
    INACTIVE = 0.01,              // share of the value
    SHORT = 1e-4,                 // of a step that leads nowhere
    DEPENDENT = 1e-9,             // part of a row that is left, if it depends on others
    MORE = 10,                    // forces of an answer, relative to those at hand
    ROUGH = 1e-3;                 // relative gap of a value that is of use

static inline double smaller(double a, double b) { return b < a ? b : a; }
static inline double larger(double a, double b) { return b > a ? b : a; }

// A half line: s >= 0 with its force. Its scaling is w² = s / f.
typedef struct Ray {
  double s, f, ds, df;
} Ray;

// Lorentz' cones of four contacts, and their scalings W² = b² (2 w wᵀ - J) = (b (2 v vᵀ - J))².
typedef struct Four {
  V4 s[3], f[3], ds[3], df[3], w[3], v[3], lambda[3], b;
  V4 at[3];    // s of x = 0
  V4 lack[3];  // at + A x - s
  V4 used;     // 1; 0: no cone is in this lane
  int columns;
  const int* column;  // unknowns in which rows have numbers, rising; the last is t
  const V4* row;      // three for each of them
} Four;

// A box, and the rays r + z and r - z.
typedef struct Box {
  double at, half;  // half 0: not used
  int columns;
  const int* column;
  const double* row;
  Ray up, down;
  double g;  // force, or what takes its place in a product
} Box;

// The program in coordinates x of the plane along · y = 1, fixed y = 0, and t as the last unknown.
// Each reflection takes one axis from the space of y; the axes that are left are the plane.
typedef struct Program {
  const ConeProgram* p;
  int n;  // unknowns: x and t
  int packets;
  int turns;            // reflections
  double* frame;        // turns x unknowns: their vectors, of length √2
  int *low, *high;      // turns: where their numbers begin and end
  int *taken, *axis;    // unknowns: 1: not part of the plane; n - 1: axes of the plane
  double* origin;       // unknowns: y of x = 0
  double *work, *cost;  // 12 rows; n
  int *lists, *first;   // room for columns; n: where the rows of the matrix begin
  V4* rows;             // room for rows of packets
  double* box_rows;     // and of boxes
  double fixed;         // cost of x = 0
  double reach;         // R
  double *x, *step, *right, *left, *hessian;
  Four* four;
  Box* box;
  Ray *below, *above;  // n - 1: R + x, R - x
  Ray t;
} Program;

static int take(Program* b, const ConeProgram* p, Arena* arena) {
  const size_t all = (size_t)p->unknowns + 1, packets = ((size_t)p->cones + 3) / 4;
  b->p = p;
  b->packets = (int)packets;
  b->frame = arena_take(arena, all * all, double);
  b->low = arena_take(arena, all, int);
  b->high = arena_take(arena, all, int);
  b->taken = arena_take(arena, all, int);
  b->axis = arena_take(arena, all, int);
  b->origin = arena_take(arena, all, double);
  b->work = arena_take(arena, 12 * all, double);
  b->cost = arena_take(arena, all, double);
  b->lists = arena_take(arena, (packets + (size_t)p->boxes) * all, int);
  b->first = arena_take(arena, all, int);
  b->rows = arena_take(arena, packets * 3 * all, V4);
  b->box_rows = arena_take(arena, (size_t)p->boxes * all, double);
  b->x = arena_take(arena, all, double);
  b->step = arena_take(arena, all, double);
  b->right = arena_take(arena, all, double);
  b->left = arena_take(arena, all, double);
  b->hessian = arena_take(arena, all * all, double);
  b->four = arena_take(arena, packets, Four);
  b->box = arena_take(arena, p->boxes, Box);
  b->below = arena_take(arena, all, Ray);
  b->above = arena_take(arena, all, Ray);
  return !arena->overflow;
}

size_t cone_program_scratch(int unknowns, int cones, int boxes) {
  const ConeProgram p = {.unknowns = unknowns, .cones = cones, .boxes = boxes};
  Arena arena = arena_measure();
  Program b;
  take(&b, &p, &arena);
  return arena.used + ARENA_ALIGNMENT;
}

// ---- coordinates

static void reflect(const Program* b, int turn, double* row) {
  const double* v = b->frame + (size_t)turn * (size_t)b->p->unknowns;
  const int low = b->low[turn], high = b->high[turn];
  const double share = heft_dot(high - low, v + low, row + low);
  for (int i = low; i < high && share != 0; ++i) row[i] -= share * v[i];
}

// row := its part that the reflections so far leave.
static void reduce(const Program* b, double* row) {
  for (int k = 0; k < b->turns; ++k) reflect(b, k, row);
  for (int i = 0; i < b->p->unknowns; ++i) row[i] = b->taken[i] ? 0 : row[i];
}

// Adds a reflection that turns the rest of a row to one of the axes that are left, the nearest: so
// rows without numbers there keep their zeros. Does nothing if no rest is left.
static void add_turn(Program* b, const double* row) {
  const int n = b->p->unknowns;
  double* v = b->frame + (size_t)b->turns * (size_t)n;
  int axis = 0;
  memcpy(v, row, sizeof(double) * (size_t)n);
  reduce(b, v);
  const double rest = sqrt(heft_dot(n, v, v));
  if (!(rest > DEPENDENT * sqrt(heft_dot(n, row, row)))) return;
  for (int i = 1; i < n; ++i) axis = fabs(v[i]) > fabs(v[axis]) ? i : axis;
  const double size = sqrt(1 + fabs(v[axis]) / rest);
  v[axis] += v[axis] < 0 ? -rest : rest;
  b->low[b->turns] = n;
  for (int i = 0; i < n; ++i) {
    if (v[i] == 0) continue;
    v[i] /= rest * size;  // |v|² = 2 (1 + |v_axis|) before
    b->low[b->turns] = i < b->low[b->turns] ? i : b->low[b->turns];
    b->high[b->turns] = i + 1;
  }
  b->taken[axis] = 1;
  b->turns++;
}

static void to_unknowns(const Program* b, const double* x, double* y) {
  const int n = b->p->unknowns;
  memset(y, 0, sizeof(double) * (size_t)n);
  for (int i = 0; i < n - b->turns; ++i) y[b->axis[i]] = x[i];
  for (int k = b->turns - 1; k >= 0; --k) reflect(b, k, y);
  for (int i = 0; i < n; ++i) y[i] += b->origin[i];
}

static void list_axes(Program* b) {
  for (int i = 0, k = 0; i < b->p->unknowns; ++i)
    if (!b->taken[i]) b->axis[k++] = i;
}

// The reflections, and y of x = 0: the part of `along` that is free of `fixed`, divided by its
// square. Returns 0 if there is none: no motion has along · y = 1.
static int make_frame(Program* b) {
  const ConeProgram* p = b->p;
  const int n = p->unknowns;
  b->turns = 0;
  memset(b->origin, 0, sizeof(double) * (size_t)n);
  memset(b->taken, 0, sizeof(int) * (size_t)n);
  for (int r = 0; r < p->fixed; ++r) add_turn(b, p->fixed_rows + (size_t)r * (size_t)n);
  if (p->along) {
    double* rest = b->work;
    memcpy(rest, p->along, sizeof(double) * (size_t)n);
    reduce(b, rest);
    const double square = heft_dot(n, rest, rest), size = heft_dot(n, p->along, p->along);
    if (!(square > DEPENDENT * DEPENDENT * size)) return 0;
    list_axes(b);
    for (int i = 0; i < n - b->turns; ++i) b->x[i] = rest[b->axis[i]] / square;
    to_unknowns(b, b->x, b->work);
    memcpy(b->origin, b->work, sizeof(double) * (size_t)n);
    add_turn(b, p->along);
  }
  list_axes(b);
  b->n = n - b->turns + 1;
  return 1;
}

// out (n - 1) := scale times the coordinates of a row: how it changes with x. Returns its value at
// x = 0.
static double to_plane(const Program* b, const double* row, double scale, double* out) {
  const int n = b->p->unknowns;
  double* turned = b->step;
  memcpy(turned, row, sizeof(double) * (size_t)n);
  reduce(b, turned);
  for (int i = 0; i < b->n - 1; ++i) out[i] = scale * turned[b->axis[i]];
  return scale * heft_dot(n, row, b->origin);
}

// Lists the columns in which one of some rows has a number, and the last. Returns their count.
static int list_columns(Program* b, int rows, int with_t, int* list) {
  const size_t n = (size_t)b->n;
  int count = 0;
  for (size_t d = 0; d < n - 1; ++d) {
    int any = 0;
    for (size_t r = 0; r < (size_t)rows; ++r) any |= b->work[r * n + d] != 0;
    if (any) list[count++] = (int)d;
  }
  if (with_t) list[count++] = (int)n - 1;
  for (int k = 0; k < count; ++k)
    b->first[list[k]] = list[0] < b->first[list[k]] ? list[0] : b->first[list[k]];
  return count;
}

// Tangential rows are scaled by µ, so that all cones are Lorentz'.
static void load_four(Program* b, int packet) {
  const ConeProgram* p = b->p;
  Four* k = &b->four[packet];
  const size_t n = (size_t)b->n;
  *k = (Four){.used = v4_all(0)};
  memset(b->work, 0, sizeof(double) * 12 * n);
  for (int lane = 0; lane < 4 && 4 * packet + lane < p->cones; ++lane) {
    const int i = 4 * packet + lane;
    k->used[lane] = 1;
    for (int r = 0; r < 3; ++r) {
      const double scale = r == 0 ? 1 : p->mu[i];
      double* to = b->work + (size_t)(3 * lane + r) * n;
      const double* from = p->cone + (size_t)(3 * i + r) * (size_t)p->unknowns;
      k->at[r][lane] = to_plane(b, from, scale, to) + (p->shift ? scale * p->shift[3 * i + r] : 0);
    }
    b->work[3 * (size_t)lane * n + n - 1] = 1;
  }
  k->columns = list_columns(b, 12, 1, b->lists);
  k->column = b->lists;
  k->row = b->rows;
  for (int c = 0; c < k->columns; ++c)
    for (int r = 0; r < 3; ++r)
      for (int lane = 0; lane < 4; ++lane)
        b->rows[3 * c + r][lane] = b->work[(size_t)(3 * lane + r) * n + (size_t)k->column[c]];
  b->lists += k->columns;
  b->rows += 3L * k->columns;
}

static void load_box(Program* b, int j) {
  Box* k = &b->box[j];
  *k = (Box){.half = b->p->half[j], .column = b->lists, .row = b->box_rows};
  if (!(k->half > 0)) return;
  k->at = to_plane(b, b->p->box + (size_t)j * (size_t)b->p->unknowns, 1, b->work);
  k->columns = list_columns(b, 1, 0, b->lists);
  for (int c = 0; c < k->columns; ++c) b->box_rows[c] = b->work[k->column[c]];
  b->lists += k->columns;
  b->box_rows += k->columns;
}

static void load(Program* b) {
  for (int d = 0; d < b->n; ++d) b->first[d] = d;
  for (int i = 0; i < b->packets; ++i) load_four(b, i);
  for (int j = 0; j < b->p->boxes; ++j) load_box(b, j);
  b->fixed = to_plane(b, b->p->cost, 1, b->cost);
  b->cost[b->n - 1] = b->p->bound;
}

// ---- cones

HEFT_INLINE V4 dot3(const V4* a, const V4* b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

// s_0² - |s_1|², without cancellation of squares.
HEFT_INLINE V4 det3(const V4* s) {
  const V4 length = v4_root(s[1] * s[1] + s[2] * s[2]);
  return (s[0] - length) * (s[0] + length);
}

HEFT_INLINE V4 lesser(V4 a, V4 b) { return v4_select(b < a, b, a); }

// The largest step along d that stays in the cone: of length² det(d) + 2 length b + det(s) = 0.
HEFT_INLINE V4 cone_reach(const V4* s, const V4* d) {
  const V4 zero = v4_all(0), one = v4_all(1), never = v4_all(HUGE_VAL);
  const V4 a = det3(d), b = s[0] * d[0] - s[1] * d[1] - s[2] * d[2], c = det3(s),
           square = b * b - a * c, root = v4_root(v4_select(square > zero, square, zero));
  const I4 falls = b < zero, ends = (a < zero) | (falls & (square >= zero));
  const V4 q = v4_select(falls, root - b, root + b),
           over = v4_select(ends, v4_select(falls, q, zero - a), one),
           length = v4_select(falls, c, q) / over,
           down = v4_select(d[0] < zero, zero - s[0] / v4_select(d[0] < zero, d[0], one), never);
  return lesser(down, v4_select(ends & (length > zero), length, never));
}

// out := b (2 v vᵀ - J) in: W in, or W⁻¹ in with 1 / b and the other sign of v_1.
HEFT_INLINE void scale(const Four* k, int inverse, const V4* in, V4* out) {
  const V4 b = inverse ? v4_all(1) / k->b : k->b, v0 = k->v[0],
           v1 = inverse ? v4_all(0) - k->v[1] : k->v[1],
           v2 = inverse ? v4_all(0) - k->v[2] : k->v[2];
  const V4 along = v4_all(2) * (v0 * in[0] + v1 * in[1] + v2 * in[2]);
  out[0] = b * (along * v0 - in[0]);
  out[1] = b * (along * v1 + in[1]);
  out[2] = b * (along * v2 + in[2]);
}

// out := W⁻² in = b⁻² (2 (J w) (J w)ᵀ - J) in.
HEFT_INLINE void scale_twice(const Four* k, const V4* in, V4* out) {
  const V4 over = v4_all(1) / (k->b * k->b),
           along = v4_all(2) * (k->w[0] * in[0] - k->w[1] * in[1] - k->w[2] * in[2]);
  out[0] = over * (along * k->w[0] - in[0]);
  out[1] = over * (in[1] - along * k->w[1]);
  out[2] = over * (in[2] - along * k->w[2]);
}

HEFT_CLONES static void cone_scaling_kernel(Four* four, int packets) {
  for (Four* k = four; k < four + packets; ++k) {
    const V4 one = v4_all(1), s = v4_root(det3(k->s)), f = v4_root(det3(k->f));
    const V4 c = v4_root(v4_all(0.5) * (one + dot3(k->s, k->f) / (s * f)));
    k->b = v4_root(s / f);
    const V4 of_s = v4_all(0.5) / (c * s), of_f = v4_all(0.5) / (c * f);
    k->w[0] = k->s[0] * of_s + k->f[0] * of_f;
    k->w[1] = k->s[1] * of_s - k->f[1] * of_f;
    k->w[2] = k->s[2] * of_s - k->f[2] * of_f;
    const V4 over = one / v4_root(v4_all(2) * (k->w[0] + one));
    k->v[0] = (k->w[0] + one) * over;
    k->v[1] = k->w[1] * over;
    k->v[2] = k->w[2] * over;
    scale(k, 0, k->f, k->lambda);
  }
}

// ---- the linear system

// out := A in, of a packet.
HEFT_INLINE void multiply(const Four* k, const double* in, V4* out) {
  V4 sum[3] = {v4_all(0), v4_all(0), v4_all(0)};
  for (int c = 0; c < k->columns; ++c) {
    const V4 x = v4_all(in[k->column[c]]);
    for (int r = 0; r < 3; ++r) sum[r] += k->row[3 * c + r] * x;
  }
  for (int r = 0; r < 3; ++r) out[r] = sum[r];
}

// out += sign Aᵀ in, of a packet.
HEFT_INLINE void add_transposed(const Four* k, double sign, const V4* in, double* out) {
  for (int c = 0; c < k->columns; ++c)
    out[k->column[c]] += sign * v4_sum(dot3(k->row + 3L * c, in));
}

// hessian += Aᵀ W⁻² A, lower triangle.
HEFT_CLONES static void cone_hessian_kernel(const Four* four, int packets, int n, double* hessian) {
  for (const Four* k = four; k < four + packets; ++k) {
    for (int c = 0; c < k->columns; ++c) {
      V4 turned[3];
      double* to = hessian + (size_t)k->column[c] * (size_t)n;
      scale_twice(k, k->row + 3L * c, turned);
      for (int d = 0; d <= c; ++d) to[k->column[d]] += v4_sum(dot3(k->row + 3L * d, turned));
    }
  }
}

// Boxes, where r has been eliminated.
static void add_boxes(const Program* b) {
  for (const Box* k = b->box; k < b->box + b->p->boxes; ++k) {
    const double x = k->up.f / k->up.s, y = k->down.f / k->down.s, share = 4 * x * y / (x + y);
    for (int c = 0; c < k->columns; ++c)
      for (int d = 0; d <= c; ++d)
        b->hessian[(size_t)k->column[c] * (size_t)b->n + (size_t)k->column[d]] +=
            share * k->row[c] * k->row[d];
  }
}

// The matrix, factored. Returns 0 if it has no factor.
static int factor(const Program* b) {
  const int n = b->n, last = n - 1;
  static const double bumps[] = {1e-14, 1e-12, 1e-10, 1e-8};
  for (int i = 0; i < 4; ++i) {
    for (int d = 0; d < n; ++d)
      memset(b->hessian + (size_t)d * (size_t)n + b->first[d], 0,
             sizeof(double) * (size_t)(d + 1 - b->first[d]));
    cone_hessian_kernel(b->four, b->packets, n, b->hessian);
    add_boxes(b);
    b->hessian[(size_t)n * (size_t)n - 1] += b->t.f / b->t.s;
    for (int d = 0; d < n; ++d) {
      double* diagonal = &b->hessian[(size_t)d * (size_t)(n + 1)];
      *diagonal *= 1 + bumps[i];
      if (d < last) *diagonal += b->below[d].f / b->below[d].s + b->above[d].f / b->above[d].s;
    }
    if (skyline_factor(n, n, b->first, b->hessian)) return 1;
  }
  return 0;
}

// ---- directions

HEFT_CLONES static void cone_left_kernel(const Four* four, int packets, double* left) {
  for (const Four* k = four; k < four + packets; ++k) add_transposed(k, -1, k->f, left);
}

// b->left := c - Aᵀ f.
static void find_left(const Program* b) {
  memcpy(b->left, b->cost, sizeof(double) * (size_t)b->n);
  cone_left_kernel(b->four, b->packets, b->left);
  for (const Box* k = b->box; k < b->box + b->p->boxes; ++k)
    for (int c = 0; c < k->columns; ++c) b->left[k->column[c]] -= (k->up.f - k->down.f) * k->row[c];
  for (int d = 0; d < b->n - 1; ++d) b->left[d] += b->above[d].f - b->below[d].f;
  b->left[b->n - 1] -= b->t.f;
}

// df := W⁻¹ η - rest W⁻² l, where η solves λ ∘ η = target e - λ ∘ λ - (W⁻¹ ds) ∘ (W df); aims: at
// s ∘ f = 0 without the last term, so that W⁻¹ η = -f. right += Aᵀ df.
HEFT_CLONES static void cone_right_kernel(Four* four, int packets, int aims, double target,
                                          double rest, double* right) {
  for (Four* k = four; k < four + packets; ++k) {
    V4 lacks[3];
    scale_twice(k, k->lack, lacks);
    if (aims) {
      for (int r = 0; r < 3; ++r) k->df[r] = v4_all(0) - k->f[r];
    } else {
      const V4* l = k->lambda;
      V4 s[3], f[3], all[3], eta[3];
      scale(k, 1, k->ds, s);
      scale(k, 0, k->df, f);
      all[0] = v4_all(target) - dot3(s, f) - dot3(l, l);
      for (int r = 1; r < 3; ++r)
        all[r] = v4_all(0) - s[0] * f[r] - f[0] * s[r] - v4_all(2) * l[0] * l[r];
      eta[0] = (l[0] * all[0] - l[1] * all[1] - l[2] * all[2]) / det3(l);
      for (int r = 1; r < 3; ++r) eta[r] = (all[r] - eta[0] * l[r]) / l[0];
      scale(k, 1, eta, k->df);
    }
    for (int r = 0; r < 3; ++r) k->df[r] -= v4_all(rest) * lacks[r];
    add_transposed(k, 1, k->df, right);
  }
}

// ds and df of a step dx.
HEFT_CLONES static void cone_change_kernel(Four* four, int packets, double rest, const double* dx) {
  for (Four* k = four; k < four + packets; ++k) {
    V4 moved[3], turned[3];
    multiply(k, dx, moved);
    scale_twice(k, moved, turned);
    for (int r = 0; r < 3; ++r) {
      k->ds[r] = k->used * (moved[r] + v4_all(rest) * k->lack[r]);
      k->df[r] = k->used * (k->df[r] - turned[r]);
    }
  }
}

static double right_of_ray(const Ray* r, int aims, double target) {
  return aims ? -r->f : (target - r->ds * r->df) / r->s - r->f;
}

// The equation of r of a box leaves this for z.
static double free_of(const Box* k, double rest) {
  return k->up.df + k->down.df - rest * (k->half - k->up.f - k->down.f);
}

static void change_box(Box* k, double rest, const double* dx) {
  double dz = 0;
  const double a = k->up.f / k->up.s, c = k->down.f / k->down.s;
  for (int i = 0; i < k->columns; ++i) dz += k->row[i] * dx[k->column[i]];
  const double dr = (free_of(k, rest) - (a - c) * dz) / (a + c);
  k->up.ds = dr + dz;
  k->down.ds = dr - dz;
  k->up.df -= a * k->up.ds;
  k->down.df -= c * k->down.ds;
}

static void change_ray(Ray* r, double ds) {
  r->ds = ds;
  r->df -= r->f / r->s * ds;
}

// A direction: ds, df of all cones and b->step, to s ∘ f = m σ e. The last direction corrects it,
// except where σ < 0: that one aims at s ∘ f = 0. In between, df is what it is without dx.
static void find_direction(Program* b, double m, double sigma) {
  const int n = b->n, aims = sigma < 0;
  const double rest = aims ? 1 : 1 - sigma, target = m * sigma;
  for (int d = 0; d < n; ++d) b->step[d] = -rest * b->left[d];
  cone_right_kernel(b->four, b->packets, aims, target, rest, b->step);
  for (Box* k = b->box; k < b->box + b->p->boxes; ++k) {
    if (!(k->half > 0)) continue;
    k->up.df = right_of_ray(&k->up, aims, target);
    k->down.df = right_of_ray(&k->down, aims, target);
    const double a = k->up.f / k->up.s, c = k->down.f / k->down.s,
                 g = k->up.df - k->down.df - (a - c) / (a + c) * free_of(k, rest);
    for (int i = 0; i < k->columns; ++i) b->step[k->column[i]] += g * k->row[i];
  }
  for (int d = 0; d < n - 1; ++d) {
    b->below[d].df = right_of_ray(&b->below[d], aims, target);
    b->above[d].df = right_of_ray(&b->above[d], aims, target);
    b->step[d] += b->below[d].df - b->above[d].df;
  }
  b->t.df = right_of_ray(&b->t, aims, target);
  b->step[n - 1] += b->t.df;
  skyline_solve(n, n, b->first, b->hessian, b->step);
  cone_change_kernel(b->four, b->packets, rest, b->step);
  for (Box* k = b->box; k < b->box + b->p->boxes; ++k)
    if (k->half > 0) change_box(k, rest, b->step);
  for (int d = 0; d < n - 1; ++d) {
    change_ray(&b->below[d], b->step[d]);
    change_ray(&b->above[d], -b->step[d]);
  }
  change_ray(&b->t, b->step[n - 1]);
}

// ---- steps

HEFT_CLONES static void cone_reach_kernel(const Four* four, int packets, double* s, double* f) {
  V4 of_s = v4_all(HUGE_VAL), of_f = of_s;
  for (const Four* k = four; k < four + packets; ++k) {
    of_s = lesser(of_s, cone_reach(k->s, k->ds));
    of_f = lesser(of_f, cone_reach(k->f, k->df));
  }
  *s = v4_min(of_s);
  *f = v4_min(of_f);
}

static void ray_reach(const Ray* r, double* s, double* f) {
  if (r->s + *s * r->ds < 0) *s = -r->s / r->ds;
  if (r->f + *f * r->df < 0) *f = -r->f / r->df;
}

// The largest steps of s and f that stay in all cones, at most 2.
static void find_reach(const Program* b, double* s, double* f) {
  cone_reach_kernel(b->four, b->packets, s, f);
  *s = smaller(*s, 2);
  *f = smaller(*f, 2);
  for (const Box* k = b->box; k < b->box + b->p->boxes; ++k) {
    if (!(k->half > 0)) continue;
    ray_reach(&k->up, s, f);
    ray_reach(&k->down, s, f);
  }
  for (int d = 0; d < b->n - 1; ++d) {
    ray_reach(&b->below[d], s, f);
    ray_reach(&b->above[d], s, f);
  }
  ray_reach(&b->t, s, f);
}

// s · f, the largest part of s that is lacking, and the sum of normal forces.
HEFT_CLONES static double cone_product_kernel(const Four* four, int packets, double* lack,
                                              double* forces) {
  V4 sum = v4_all(0), most = sum, all = sum;
  for (const Four* k = four; k < four + packets; ++k) {
    sum += k->used * dot3(k->s, k->f);
    all += k->used * k->f[0];
    for (int r = 0; r < 3; ++r) {
      const V4 size = k->used * v4_abs(k->lack[r]);
      most = v4_select(size > most, size, most);
    }
  }
  *lack = v4_greatest(most);
  *forces = v4_sum(all);
  return v4_sum(sum);
}

static double product(const Program* b, double* lack, double* forces) {
  double sum = b->t.s * b->t.f + cone_product_kernel(b->four, b->packets, lack, forces);
  for (const Box* k = b->box; k < b->box + b->p->boxes; ++k)
    sum += k->up.s * k->up.f + k->down.s * k->down.f;  // zero where it is not used
  for (int d = 0; d < b->n - 1; ++d)
    sum += b->below[d].s * b->below[d].f + b->above[d].s * b->above[d].f;
  return sum;
}

// Takes steps of s and f; x has moved with s.
HEFT_CLONES static void cone_move_kernel(Four* four, int packets, double s, double f,
                                         const double* x) {
  for (Four* k = four; k < four + packets; ++k) {
    V4 now[3];
    multiply(k, x, now);
    for (int r = 0; r < 3; ++r) {
      k->s[r] += v4_all(s) * k->ds[r];
      k->f[r] += v4_all(f) * k->df[r];
      k->lack[r] = k->used * (k->at[r] + now[r] - k->s[r]);
    }
  }
}

static void move_ray(Ray* r, double s, double f) {
  r->s += s * r->ds;
  r->f += f * r->df;
}

static void move(Program* b, double s, double f) {
  for (int d = 0; d < b->n; ++d) b->x[d] += s * b->step[d];
  cone_move_kernel(b->four, b->packets, s, f, b->x);
  for (Box* k = b->box; k < b->box + b->p->boxes; ++k) {
    move_ray(&k->up, s, f);
    move_ray(&k->down, s, f);
  }
  for (int d = 0; d < b->n - 1; ++d) {
    move_ray(&b->below[d], s, f);
    move_ray(&b->above[d], s, f);
  }
  move_ray(&b->t, s, f);
}

// ---- the method

// The cost of x, without t.
static double cost_of(const Program* b) {
  double sum = b->fixed + heft_dot(b->n - 1, b->cost, b->x);
  for (const Box* k = b->box; k < b->box + b->p->boxes; ++k) {
    double z = k->at;
    for (int c = 0; c < k->columns; ++c) z += k->row[c] * b->x[k->column[c]];
    sum += k->half * fabs(z);
  }
  return sum;
}

// In the middle of all cones, s ∘ f = m e, near y of the origin: normal forces of the usual size,
// and speeds of the size that contacts have there.
static void begin(Program* b) {
  const ConeProgram* p = b->p;
  double largest = 0, most = 0;
  for (int r = 0; r < 3 * p->cones; ++r) {
    const double* row = p->cone + (size_t)r * (size_t)p->unknowns;
    largest = larger(largest, heft_dot(p->unknowns, row, row));
  }
  for (const Four* k = b->four; k < b->four + b->packets; ++k)
    for (int r = 0; r < 3; ++r) most = larger(most, v4_greatest(v4_abs(k->at[r])));
  const double square = heft_dot(p->unknowns, b->origin, b->origin),
               speed = OPEN * most + 1e-3 * (square > 0 ? sqrt(square) : 1), m = speed * p->usual;
  b->reach = REACH * sqrt(larger(square, largest > 0 ? 1 / largest : 1));
  memset(b->x, 0, sizeof(double) * (size_t)b->n);
  b->t = (Ray){.s = m / p->bound, .f = p->bound};
  b->x[b->n - 1] = b->t.s;
  for (Four* k = b->four; k < b->four + b->packets; ++k) {
    k->s[0] = v4_all(1) + k->used * v4_all(speed - 1);
    k->f[0] = v4_all(1) + k->used * v4_all(p->usual - 1);
    for (int r = 0; r < 3; ++r) {
      if (r > 0) k->s[r] = k->f[r] = v4_all(0);
      k->lack[r] = k->used * (k->at[r] - k->s[r] + v4_all(r == 0 ? b->t.s : 0));
    }
  }
  for (Box* k = b->box; k < b->box + p->boxes; ++k) {
    if (!(k->half > 0)) continue;
    const double z = k->at, e = m / k->half, r = e + sqrt(e * e + z * z);
    k->up = (Ray){.s = r + z, .f = m / (r + z)};
    k->down = (Ray){.s = r - z, .f = m / (r - z)};
  }
  for (int d = 0; d < b->n - 1; ++d)
    b->below[d] = b->above[d] = (Ray){.s = b->reach, .f = m / b->reach};
}

// One iteration. Returns 0 if it leads nowhere.
static int iterate(Program* b, double parts) {
  double s, f, lack, forces;
  const double m = product(b, &lack, &forces) / parts;
  cone_scaling_kernel(b->four, b->packets);
  if (!(m > 0) || !factor(b)) return 0;
  find_direction(b, m, -1);
  find_reach(b, &s, &f);
  const double left = 1 - smaller(1, smaller(s, f));
  find_direction(b, m, left * left * left);
  find_reach(b, &s, &f);
  const double whole = 1 - smaller(0.01, larger(1e-3, left * left));
  s = smaller(1, whole * s);
  f = smaller(1, whole * f);
  if (!(s > SHORT || f > SHORT)) return 0;
  move(b, s, f);
  return 1;
}

// Multipliers of the cones, in the units of the program.
static void read_forces(const Program* b, double* force) {
  for (int i = 0; i < b->p->cones; ++i) {
    for (int r = 0; r < 3; ++r)
      force[3 * i + r] = b->four[i / 4].f[r][i % 4] * (r == 0 ? 1 : b->p->mu[i]);
  }
}

// Cones, rays of boxes, of the reach, and t.
static double count_parts(const Program* b) {
  double parts = b->p->cones + 1 + 2 * (b->n - 1);
  for (int j = 0; j < b->p->boxes; ++j) parts += b->box[j].half > 0 ? 2 : 0;
  return parts;
}

int cone_program_solve(const ConeProgram* p, double tolerance, Arena scratch, double* y,
                       double* force, ConeAnswer* answer) {
  double lowest = HUGE_VAL, lack, forces;
  Program b = {0};
  *answer = (ConeAnswer){.gap = HUGE_VAL};
  if (!take(&b, p, &scratch)) return 0;
  if (!make_frame(&b)) {
    *answer = (ConeAnswer){.value = HUGE_VAL, .bounded = 1};
    memset(y, 0, sizeof(double) * (size_t)p->unknowns);
    memset(force, 0, 3 * sizeof(double) * (size_t)p->cones);
    return 1;
  }
  load(&b);
  begin(&b);
  find_left(&b);
  const double parts = count_parts(&b);
  for (int worse = 0; worse < PATIENCE && answer->steps++ < STEPS_MAX && iterate(&b, parts);) {
    const double apart = product(&b, &lack, &forces), value = cost_of(&b), most = MORE * forces,
                 held = p->bound * b.x[b.n - 1] + most * lack,
                 wanted = tolerance * larger(fabs(value + held), p->scale);
    lowest = smaller(lowest, value + held);
    if (lowest < -p->bound) break;  // no forces balance the cost, with or without the load
    find_left(&b);
    const double gap =
        apart + most * lack + sqrt(heft_dot(b.n, b.left, b.left) * heft_dot(b.n, b.x, b.x));
    if (!(gap < answer->gap)) {
      worse += answer->gap <= ROUGH * larger(fabs(answer->value), p->scale);
      continue;
    }
    worse = 0;
    answer->value = value + held;
    answer->gap = gap;
    answer->bounded = held > INACTIVE * larger(fabs(value), p->scale);
    to_unknowns(&b, b.x, y);
    read_forces(&b, force);
    if (gap <= wanted) break;
  }
  const int found = answer->gap <= ROUGH * larger(fabs(answer->value), p->scale);
  if (!found) *answer = (ConeAnswer){.value = lowest, .gap = HUGE_VAL, .steps = answer->steps};
  return found;
}
