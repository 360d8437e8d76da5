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
// equations of s ∘ f = σ m e symmetric: with λ ∘ η = σ m e - λ ∘ λ - (W⁻¹ ds) ∘ (W df)
//
//     (Aᵀ W⁻² A) dx = Aᵀ W⁻¹ η - (1 - σ) (c - Aᵀ f),     df = W⁻¹ η - W⁻² A dx.
//
// Each iteration factors the matrix once and solves twice: without σ and the last term, to see how
// far that leads, and with them. x is inside of its cones from the start; Aᵀ f = c holds from the
// first whole step of f on. Then s · f is the distance of both values: the answer carries its own
// proof, whatever way led to it. |x_i| <= R keeps x where nothing holds. The start depends on the
// program only, so that equal programs have equal bits; about 10 iterations suffice.
#include "math/cone_program.h"

#include <math.h>
#include <string.h>

#include "math/dense.h"
#include "math/simd.h"

enum { STEPS_MAX = 60, PATIENCE = 3 };
static const double REACH = 1e5,  // of x, relative to a velocity of the size of the problem
    OPEN = 10,                    // t of the start, relative to the speeds of the contacts
    INACTIVE = 0.01,              // share of the value
    SHORT = 1e-4,                 // of a step that leads nowhere
    DEPENDENT = 1e-9,             // part of a row that is left, if it depends on others
    ROUGH = 1e-3;                 // relative gap of a value that is of use

static inline double smaller(double a, double b) { return b < a ? b : a; }
static inline double larger(double a, double b) { return b > a ? b : a; }

// A half line: s >= 0 with its force. Its scaling is w² = s / f.
typedef struct Ray {
  double s, f, ds, df;
} Ray;

// Lorentz' cone of a contact, and its scaling W² = b² (2 w wᵀ - J).
typedef struct Lorentz {
  double s[3], f[3], ds[3], df[3], w[3], v[3], lambda[3], b;
} Lorentz;

// The program in coordinates x of the plane along · y = 1, fixed y = 0, and t as the last unknown.
// The first rows of a product of reflections span `fixed` and `along`, the others are the plane.
// Rows are padded with zeros to blocks of four numbers. Contacts move few bodies: each cone and
// each box has a list of the blocks in which its rows have numbers.
typedef struct Program {
  const ConeProgram* p;
  int n;                // unknowns: x and t
  int wide;             // n, padded
  int *blocks, *block;  // cones and boxes: how many, and which; wide / 4 places for each
  int turns;            // reflections
  double* frame;   // turns x unknowns: their vectors, of length √2, zero before their own place
  double* origin;  // unknowns: y of x = 0
  double *rows, *at;  // of cones and boxes: n numbers each; their values at x = 0
  double* cost;       // n
  double fixed;       // cost of x = 0
  double reach;       // R
  double *x, *step, *right, *hessian, *left, *u, *edge;
  double* force;  // rows: multipliers, or what takes their place in a product
  Lorentz* cone;
  Ray *up, *down;   // boxes: r + z, r - z
  Ray *low, *high;  // n - 1: R + x, R - x
  Ray t;
} Program;

static int row_count(const ConeProgram* p) { return 3 * p->cones + p->boxes; }

static int take(Program* b, const ConeProgram* p, Arena* arena) {
  const size_t all = ((size_t)p->unknowns + 4) & ~(size_t)3, rows = (size_t)row_count(p);
  b->p = p;
  b->n = p->unknowns + 1;
  b->frame = arena_take(arena, all * all, double);
  b->origin = arena_take(arena, all, double);
  b->rows = arena_take(arena, rows * all, double);
  b->at = arena_take(arena, rows, double);
  b->cost = arena_take(arena, all, double);
  b->x = arena_take(arena, all, double);
  b->step = arena_take(arena, all, double);
  b->right = arena_take(arena, all, double);
  b->left = arena_take(arena, all, double);
  b->edge = arena_take(arena, all, double);
  b->force = arena_take(arena, rows, double);
  b->blocks = arena_take(arena, p->cones + p->boxes, int);
  b->block = arena_take(arena, (size_t)(p->cones + p->boxes) * (all / 4), int);
  b->hessian = arena_take(arena, all * all, double);
  b->u = arena_take(arena, rows, double);
  b->cone = arena_take(arena, p->cones, Lorentz);
  b->up = arena_take(arena, p->boxes, Ray);
  b->down = arena_take(arena, p->boxes, Ray);
  b->low = arena_take(arena, all, Ray);
  b->high = arena_take(arena, all, Ray);
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

// row := the product of the first reflections of row.
static void reflect(const Program* b, int turns, double* row) {
  const int n = b->p->unknowns;
  for (int k = 0; k < turns; ++k) {
    const double* v = b->frame + (size_t)k * (size_t)n;
    const double share = heft_dot(n - k, v + k, row + k);
    for (int i = k; i < n; ++i) row[i] -= share * v[i];
  }
}

// Adds a reflection that turns the rest of a row to the next axis. Returns 0 if nothing is left.
static int add_turn(Program* b, const double* row) {
  const int n = b->p->unknowns, k = b->turns;
  double* v = b->frame + (size_t)k * (size_t)n;
  if (k == n) return 0;
  memcpy(v, row, sizeof(double) * (size_t)n);
  reflect(b, k, v);
  const double rest = sqrt(heft_dot(n - k, v + k, v + k));
  if (!(rest > DEPENDENT * sqrt(heft_dot(n, row, row)))) return 0;
  for (int i = 0; i < n; ++i) v[i] = i < k ? 0 : v[i] / rest;
  const double sign = v[k] < 0 ? -1 : 1, size = sqrt(1 + fabs(v[k]));
  v[k] += sign;
  for (int i = k; i < n; ++i) v[i] /= size;  // |v|² = 2 (1 + |v_k|) before
  b->turns++;
  return 1;
}

static void to_unknowns(const Program* b, const double* x, double* y) {
  const int n = b->p->unknowns;
  for (int i = 0; i < n; ++i) y[i] = i < b->turns ? 0 : x[i - b->turns];
  for (int k = b->turns - 1; k >= 0; --k) {
    const double* v = b->frame + (size_t)k * (size_t)n;
    const double share = heft_dot(n - k, v + k, y + k);
    for (int i = k; i < n; ++i) y[i] -= share * v[i];
  }
  for (int i = 0; i < n; ++i) y[i] += b->origin[i];
}

// The reflections, and y of x = 0: the part of `along` that is free of `fixed`, divided by its
// square. Returns 0 if there is none: no motion has along · y = 1.
static int make_frame(Program* b) {
  const ConeProgram* p = b->p;
  const int n = p->unknowns;
  b->turns = 0;
  memset(b->origin, 0, sizeof(double) * (size_t)n);
  for (int r = 0; r < p->fixed; ++r) add_turn(b, p->fixed_rows + (size_t)r * (size_t)n);
  if (p->along) {
    memcpy(b->step, p->along, sizeof(double) * (size_t)n);
    reflect(b, b->turns, b->step);
    const double* rest = b->step + b->turns;
    const int left = n - b->turns;
    const double square = heft_dot(left, rest, rest), size = heft_dot(n, p->along, p->along);
    if (!(square > DEPENDENT * DEPENDENT * size)) return 0;
    for (int i = 0; i < left; ++i) b->x[i] = rest[i] / square;
    to_unknowns(b, b->x, b->right);
    memcpy(b->origin, b->right, sizeof(double) * (size_t)n);
    add_turn(b, p->along);
  }
  b->n = n - b->turns + 1;
  b->wide = (b->n + 3) & ~3;
  return 1;
}

// out (n - 1) := coordinates of a row: how it changes with x.
static void to_plane(const Program* b, const double* row, double* out) {
  const int n = b->p->unknowns;
  memcpy(b->edge, row, sizeof(double) * (size_t)n);
  reflect(b, b->turns, b->edge);
  memcpy(out, b->edge + b->turns, sizeof(double) * (size_t)(n - b->turns));
}

// Lists the blocks in which the rows of a cone or box have numbers.
static void list_blocks(Program* b, int group, const double* rows, int count) {
  const size_t wide = (size_t)b->wide;
  int* list = b->block + (size_t)group * (wide / 4);
  b->blocks[group] = 0;
  for (size_t d = 0; d < wide; d += 4) {
    int any = 0;
    for (size_t k = 0; k < 4 * (size_t)count; ++k) any |= rows[k / 4 * wide + d + k % 4] != 0;
    if (any) list[b->blocks[group]++] = (int)d;
  }
}

// Tangential rows are scaled by µ, so that all cones are Lorentz'.
static void load(Program* b) {
  const ConeProgram* p = b->p;
  const int n = b->n, wide = b->wide, last = n - 1;
  for (int r = 0; r < row_count(p); ++r) {
    const int is_box = r >= 3 * p->cones, is_normal = !is_box && r % 3 == 0;
    const double* from = is_box ? p->box + (size_t)(r - 3 * p->cones) * (size_t)p->unknowns
                                : p->cone + (size_t)r * (size_t)p->unknowns;
    const double scale = is_box || is_normal ? 1 : p->mu[r / 3];
    double* to = b->rows + (size_t)r * (size_t)wide;
    to_plane(b, from, to);
    for (int d = last; d < wide; ++d) to[d] = 0;
    to[last] = is_normal;
    b->at[r] = heft_dot(p->unknowns, from, b->origin) + (!is_box && p->shift ? p->shift[r] : 0);
    if (scale == 1) continue;
    b->at[r] *= scale;
    for (int d = 0; d < n; ++d) to[d] *= scale;
  }
  for (int i = 0; i < p->cones; ++i) list_blocks(b, i, b->rows + 3 * (size_t)i * (size_t)wide, 3);
  for (int j = 0; j < p->boxes; ++j)
    list_blocks(b, p->cones + j, b->rows + (size_t)(3 * p->cones + j) * (size_t)wide, 1);
  to_plane(b, p->cost, b->cost);
  for (int d = last; d < wide; ++d) b->cost[d] = 0;
  b->cost[last] = p->bound;
  b->fixed = heft_dot(p->unknowns, p->cost, b->origin);
}

// ---- cones

static double dot3(const double* a, const double* b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// s_0² - |s_1|², without cancellation of squares.
static double det3(const double* s) {
  const double length = sqrt(s[1] * s[1] + s[2] * s[2]);
  return (s[0] - length) * (s[0] + length);
}

// The largest step along d that stays in the cone.
static double cone_reach(const double* s, const double* d) {
  const double a = det3(d), b = s[0] * d[0] - s[1] * d[1] - s[2] * d[2], c = det3(s),
               root = b * b - a * c;
  double most = d[0] < 0 ? -s[0] / d[0] : HUGE_VAL;
  if (a < 0 || (b < 0 && root >= 0)) {
    const double q = b < 0 ? -b + sqrt(larger(root, 0)) : b + sqrt(larger(root, 0));
    const double length = b < 0 ? c / q : -q / a;  // of a length² + 2 b length + c = 0
    if (length > 0) most = smaller(most, length);
  }
  return most;
}

// out := b (2 v vᵀ - J) in: W in, or W⁻¹ in with 1 / b and the other sign of v_1.
static void scale(const Lorentz* k, int inverse, const double* in, double* out) {
  const double sign = inverse ? -1 : 1, b = inverse ? 1 / k->b : k->b;
  const double v[3] = {k->v[0], sign * k->v[1], sign * k->v[2]}, along = 2 * dot3(v, in);
  out[0] = b * (along * v[0] - in[0]);
  for (int i = 1; i < 3; ++i) out[i] = b * (along * v[i] + in[i]);
}

static void find_scaling(Lorentz* k) {
  const double s = sqrt(det3(k->s)), f = sqrt(det3(k->f));
  const double c = sqrt(0.5 * (1 + dot3(k->s, k->f) / (s * f)));
  k->b = sqrt(s / f);
  for (int i = 0; i < 3; ++i) k->w[i] = (k->s[i] / s + (i == 0 ? 1 : -1) * k->f[i] / f) / (2 * c);
  const double length = sqrt(2 * (k->w[0] + 1));
  for (int i = 0; i < 3; ++i) k->v[i] = (k->w[i] + (i == 0)) / length;
  scale(k, 0, k->f, k->lambda);
}

// df := W⁻¹ η, η the solution of λ ∘ η = σ m e - λ ∘ λ - (W⁻¹ ds) ∘ (W df).
static void correct(Lorentz* k, double target) {
  const double* l = k->lambda;
  double s[3], f[3], right[3], eta[3];
  scale(k, 1, k->ds, s);
  scale(k, 0, k->df, f);
  right[0] = target - dot3(s, f) - dot3(l, l);
  for (int i = 1; i < 3; ++i) right[i] = -s[0] * f[i] - f[0] * s[i] - 2 * l[0] * l[i];
  eta[0] = (l[0] * right[0] - l[1] * right[1] - l[2] * right[2]) / det3(l);
  for (int i = 1; i < 3; ++i) eta[i] = (right[i] - eta[0] * l[i]) / l[0];
  scale(k, 1, eta, k->df);
}

static double correct_ray(const Ray* r, double target) {
  return (target - r->ds * r->df) / r->s - r->f;
}

static void ray_reach(const Ray* r, double* s, double* f) {
  if (r->ds < 0) *s = smaller(*s, -r->s / r->ds);
  if (r->df < 0) *f = smaller(*f, -r->f / r->df);
}

static int is_used(const Program* b, int j) { return b->p->half[j] > 0; }

// ---- the linear system

// out (rows) := A in.
HEFT_CLONES static void cone_multiply_kernel(const Program* b, const double* in, double* out) {
  const size_t wide = (size_t)b->wide;
  const int cones = b->p->cones;
  for (int g = 0; g < cones + b->p->boxes; ++g) {
    const int count = g < cones ? 3 : 1;
    const size_t row = (size_t)(g < cones ? 3 * g : 2 * cones + g);
    const int* list = b->block + (size_t)g * (wide / 4);
    for (int r = 0; r < count; ++r) {
      const double* a = b->rows + (row + (size_t)r) * wide;
      V4 sum = v4_all(0);
      for (int k = 0; k < b->blocks[g]; ++k) sum += v4_load(a + list[k]) * v4_load(in + list[k]);
      out[row + (size_t)r] = v4_sum(sum);
    }
  }
}

static void multiply(const Program* b, const double* in, double* out) {
  cone_multiply_kernel(b, in, out);
}

// out (n) += scale Aᵀ in.
HEFT_CLONES static void cone_transposed_kernel(const Program* b, double scale, const double* in,
                                               double* out) {
  const size_t wide = (size_t)b->wide;
  const int cones = b->p->cones;
  for (int g = 0; g < cones + b->p->boxes; ++g) {
    const int count = g < cones ? 3 : 1;
    const size_t row = (size_t)(g < cones ? 3 * g : 2 * cones + g);
    const int* list = b->block + (size_t)g * (wide / 4);
    const double* a = b->rows + row * wide;
    for (int k = 0; k < b->blocks[g]; ++k) {
      V4 sum = v4_load(out + list[k]);
      for (int r = 0; r < count; ++r)
        sum += v4_load(a + (size_t)r * wide + list[k]) * (scale * in[row + (size_t)r]);
      v4_store(out + list[k], sum);
    }
  }
}

static void add_transposed(const Program* b, double scale, const double* in, double* out) {
  cone_transposed_kernel(b, scale, in, out);
}

// hessian += Σ factor_k a_k a_kᵀ, in the blocks of a cone or box, lower triangle.
HEFT_INLINE void add_squares(const Program* b, int group, int count, const double* const* a,
                             const double* factor) {
  const size_t wide = (size_t)b->wide;
  const int* list = b->block + (size_t)group * (wide / 4);
  for (int k = 0; k < b->blocks[group]; ++k) {
    for (int d = list[k]; d < list[k] + 4; ++d) {
      double* to = b->hessian + (size_t)d * wide;
      double scaled[4];
      for (int r = 0; r < count; ++r) scaled[r] = factor[r] * a[r][d];
      for (int j = 0; j <= k; ++j) {
        V4 sum = v4_load(to + list[j]);
        for (int r = 0; r < count; ++r) sum += v4_load(a[r] + list[j]) * scaled[r];
        v4_store(to + list[j], sum);
      }
    }
  }
}

// W⁻² = b⁻² (2 (J w) (J w)ᵀ - J) of all cones, and what eliminating r leaves of all boxes.
HEFT_CLONES static void cone_hessian_kernel(const Program* b) {
  const size_t wide = (size_t)b->wide;
  const int cones = b->p->cones;
  for (int g = 0; g < cones + b->p->boxes; ++g) {
    if (g >= cones) {
      const Ray *up = &b->up[g - cones], *down = &b->down[g - cones];
      const double* a[1] = {b->rows + (size_t)(2 * cones + g) * wide};
      if (!(b->p->half[g - cones] > 0)) continue;
      const double x = up->f / up->s, y = down->f / down->s, factor[1] = {4 * x * y / (x + y)};
      add_squares(b, g, 1, a, factor);
      continue;
    }
    const Lorentz* c = &b->cone[g];
    const double square = 1 / (c->b * c->b), *rows = b->rows + 3 * (size_t)g * wide;
    const double* a[4] = {b->edge, rows, rows + wide, rows + 2 * wide};
    const double factor[4] = {2 * square, -square, square, square};
    const int* list = b->block + (size_t)g * (wide / 4);
    for (int k = 0; k < b->blocks[g]; ++k)
      v4_store(b->edge + list[k], v4_load(a[1] + list[k]) * c->w[0] -
                                      v4_load(a[2] + list[k]) * c->w[1] -
                                      v4_load(a[3] + list[k]) * c->w[2]);
    add_squares(b, g, b->p->mu[g] > 0 ? 4 : 2, a, factor);
  }
}

// The matrix, factored. Returns 0 if it has no factor.
static int factor(const Program* b) {
  const int n = b->n, wide = b->wide, last = n - 1;
  const size_t bytes = sizeof(double) * (size_t)wide * (size_t)wide;
  static const double bumps[] = {1e-14, 1e-12, 1e-10, 1e-8};
  for (int i = 0; i < 4; ++i) {
    memset(b->hessian, 0, bytes);
    cone_hessian_kernel(b);
    b->hessian[(size_t)last * (size_t)(wide + 1)] += b->t.f / b->t.s;
    for (int d = 0; d < n; ++d) {
      double* diagonal = &b->hessian[(size_t)d * (size_t)(wide + 1)];
      *diagonal *= 1 + bumps[i];
      if (d < last) *diagonal += b->low[d].f / b->low[d].s + b->high[d].f / b->high[d].s;
    }
    if (heft_cholesky_factor(n, b->hessian, wide) == 0) return 1;
  }
  return 0;
}

// b->left := c - Aᵀ f.
static void find_left(const Program* b) {
  const int cones = b->p->cones;
  memcpy(b->left, b->cost, sizeof(double) * (size_t)b->wide);
  for (int i = 0; i < cones; ++i) memcpy(b->force + 3 * i, b->cone[i].f, sizeof b->cone[i].f);
  for (int j = 0; j < b->p->boxes; ++j)
    b->force[3 * cones + j] = is_used(b, j) ? b->up[j].f - b->down[j].f : 0;
  add_transposed(b, -1, b->force, b->left);
  for (int d = 0; d < b->n - 1; ++d) b->left[d] += b->high[d].f - b->low[d].f;
  b->left[b->n - 1] -= b->t.f;
}

// A direction: ds, df of all cones and b->step, to s ∘ f = m σ e. The last direction corrects it,
// except where σ < 0: that one aims at s ∘ f = 0.
static void find_direction(Program* b, double m, double sigma) {
  const ConeProgram* p = b->p;
  const int n = b->n, aims = sigma < 0;
  const double rest = aims ? 1 : 1 - sigma, target = m * sigma;
  for (int d = 0; d < b->wide; ++d) b->right[d] = -rest * b->left[d];
  // W⁻¹ η is kept in df until dx is known
  for (int i = 0; i < p->cones; ++i) {
    Lorentz* k = &b->cone[i];
    if (aims)
      for (int r = 0; r < 3; ++r) k->df[r] = -k->f[r];
    else
      correct(k, target);
    memcpy(b->force + 3 * i, k->df, sizeof k->df);
  }
  for (int j = 0; j < p->boxes; ++j) {
    Ray *up = &b->up[j], *down = &b->down[j];
    b->force[3 * p->cones + j] = 0;
    if (!is_used(b, j)) continue;
    up->df = aims ? -up->f : correct_ray(up, target);
    down->df = aims ? -down->f : correct_ray(down, target);
    const double a = up->f / up->s, c = down->f / down->s,
                 free = up->df + down->df - rest * (p->half[j] - up->f - down->f);
    b->force[3 * p->cones + j] = up->df - down->df - (a - c) / (a + c) * free;
  }
  add_transposed(b, 1, b->force, b->right);
  for (int d = 0; d < n - 1; ++d) {
    Ray *low = &b->low[d], *high = &b->high[d];
    low->df = aims ? -low->f : correct_ray(low, target);
    high->df = aims ? -high->f : correct_ray(high, target);
    b->right[d] += low->df - high->df;
  }
  Ray* t = &b->t;
  t->df = aims ? -t->f : correct_ray(t, target);
  b->right[n - 1] += t->df;
  memcpy(b->step, b->right, sizeof(double) * (size_t)b->wide);
  heft_cholesky_solve(n, b->hessian, b->wide, b->step);
  multiply(b, b->step, b->u);
  for (int i = 0; i < p->cones; ++i) {
    Lorentz* k = &b->cone[i];
    double half[3], scaled[3];
    for (int r = 0; r < 3; ++r) k->ds[r] = b->u[3 * i + r];
    scale(k, 1, k->ds, half);
    scale(k, 1, half, scaled);
    for (int r = 0; r < 3; ++r) k->df[r] -= scaled[r];
  }
  for (int j = 0; j < p->boxes; ++j) {
    Ray *up = &b->up[j], *down = &b->down[j];
    if (!is_used(b, j)) continue;
    const double a = up->f / up->s, c = down->f / down->s, dz = b->u[3 * p->cones + j],
                 free = up->df + down->df - rest * (p->half[j] - up->f - down->f),
                 dr = (free - (a - c) * dz) / (a + c);
    up->ds = dr + dz;
    down->ds = dr - dz;
    up->df -= a * up->ds;
    down->df -= c * down->ds;
  }
  for (int d = 0; d < n - 1; ++d) {
    Ray *low = &b->low[d], *high = &b->high[d];
    low->ds = b->step[d];
    high->ds = -b->step[d];
    low->df -= low->f / low->s * low->ds;
    high->df -= high->f / high->s * high->ds;
  }
  t->ds = b->step[n - 1];
  t->df -= t->f / t->s * t->ds;
}

// The largest steps of s and f that stay in all cones.
static void find_reach(const Program* b, double* s, double* f) {
  *s = *f = HUGE_VAL;
  for (int i = 0; i < b->p->cones; ++i) {
    *s = smaller(*s, cone_reach(b->cone[i].s, b->cone[i].ds));
    *f = smaller(*f, cone_reach(b->cone[i].f, b->cone[i].df));
  }
  for (int j = 0; j < b->p->boxes; ++j) {
    if (!is_used(b, j)) continue;
    ray_reach(&b->up[j], s, f);
    ray_reach(&b->down[j], s, f);
  }
  for (int d = 0; d < b->n - 1; ++d) {
    ray_reach(&b->low[d], s, f);
    ray_reach(&b->high[d], s, f);
  }
  ray_reach(&b->t, s, f);
}

static double ray_product(const Ray* r, double s, double f) {
  return (r->s + s * r->ds) * (r->f + f * r->df);
}

// s · f after steps of both.
static double product(const Program* b, double s, double f) {
  double sum = ray_product(&b->t, s, f);
  for (int i = 0; i < b->p->cones; ++i) {
    const Lorentz* k = &b->cone[i];
    for (int r = 0; r < 3; ++r) sum += (k->s[r] + s * k->ds[r]) * (k->f[r] + f * k->df[r]);
  }
  for (int j = 0; j < b->p->boxes; ++j)
    if (is_used(b, j)) sum += ray_product(&b->up[j], s, f) + ray_product(&b->down[j], s, f);
  for (int d = 0; d < b->n - 1; ++d)
    sum += ray_product(&b->low[d], s, f) + ray_product(&b->high[d], s, f);
  return sum;
}

static void move_ray(Ray* r, double s, double f) {
  r->s += s * r->ds;
  r->f += f * r->df;
}

static void move(Program* b, double s, double f) {
  for (int d = 0; d < b->n; ++d) b->x[d] += s * b->step[d];
  for (int i = 0; i < b->p->cones; ++i) {
    Lorentz* k = &b->cone[i];
    for (int r = 0; r < 3; ++r) {
      k->s[r] += s * k->ds[r];
      k->f[r] += f * k->df[r];
    }
  }
  for (int j = 0; j < b->p->boxes; ++j) {
    if (!is_used(b, j)) continue;
    move_ray(&b->up[j], s, f);
    move_ray(&b->down[j], s, f);
  }
  for (int d = 0; d < b->n - 1; ++d) {
    move_ray(&b->low[d], s, f);
    move_ray(&b->high[d], s, f);
  }
  move_ray(&b->t, s, f);
}

// ---- the method

// The cost of x, without t, and b->u: rows at x.
static double cost_of(const Program* b) {
  double sum = b->fixed + heft_dot(b->n - 1, b->cost, b->x);
  multiply(b, b->x, b->u);
  for (int r = 0; r < row_count(b->p); ++r) b->u[r] += b->at[r];
  for (int j = 0; j < b->p->boxes; ++j) sum += b->p->half[j] * fabs(b->u[3 * b->p->cones + j]);
  return sum;
}

// Inside of all cones, with s ∘ f near m e: y of the origin, and t so large that all contacts open
// alike; normal forces that share the bound.
static void begin(Program* b) {
  const ConeProgram* p = b->p;
  double largest = 0, most = 0;
  for (int r = 0; r < 3 * p->cones; ++r) {
    const double* row = p->cone + (size_t)r * (size_t)p->unknowns;
    largest = larger(largest, heft_dot(p->unknowns, row, row));
  }
  const double square = heft_dot(p->unknowns, b->origin, b->origin),
               force = p->bound / (p->cones + 1);
  b->reach = REACH * sqrt(larger(square, largest > 0 ? 1 / largest : 1));
  memset(b->x, 0, sizeof(double) * (size_t)b->wide);
  cost_of(b);
  for (int r = 0; r < 3 * p->cones; ++r) most = larger(most, fabs(b->u[r]));
  const double t = OPEN * most + 1e-3 * (square > 0 ? sqrt(square) : 1), m = t * force;
  b->x[b->n - 1] = t;
  b->t = (Ray){.s = t, .f = force};
  for (int i = 0; i < p->cones; ++i) {
    Lorentz* k = &b->cone[i];
    for (int r = 0; r < 3; ++r) {
      k->s[r] = b->u[3 * i + r] + (r == 0 ? t : 0);
      k->f[r] = r == 0 ? force : 0;
    }
  }
  for (int j = 0; j < p->boxes; ++j) {
    if (!is_used(b, j)) continue;
    const double z = b->u[3 * p->cones + j], e = m / p->half[j], r = e + sqrt(e * e + z * z);
    b->up[j] = (Ray){.s = r + z, .f = m / (r + z)};
    b->down[j] = (Ray){.s = r - z, .f = m / (r - z)};
  }
  for (int d = 0; d < b->n - 1; ++d)
    b->low[d] = b->high[d] = (Ray){.s = b->reach, .f = m / b->reach};
}

// One iteration. Returns 0 if it leads nowhere.
static int iterate(Program* b, double parts) {
  double s, f;
  const double m = product(b, 0, 0) / parts;
  for (int i = 0; i < b->p->cones; ++i) find_scaling(&b->cone[i]);
  find_left(b);
  if (!(m > 0) || !factor(b)) return 0;
  find_direction(b, m, -1);
  find_reach(b, &s, &f);
  const double left = 1 - smaller(1, smaller(s, f));
  find_direction(b, m, left * left * left);
  find_reach(b, &s, &f);
  s = smaller(1, 0.99 * s);
  f = smaller(1, 0.99 * f);
  if (!(s > SHORT || f > SHORT)) return 0;
  move(b, s, f);
  return 1;
}

// Multipliers of the cones, in the units of the program.
static void read_forces(const Program* b, double* force) {
  for (int i = 0; i < b->p->cones; ++i) {
    for (int r = 0; r < 3; ++r) force[3 * i + r] = b->cone[i].f[r] * (r == 0 ? 1 : b->p->mu[i]);
  }
}

int cone_program_solve(const ConeProgram* p, double tolerance, Arena scratch, double* y,
                       double* force, ConeAnswer* answer) {
  double parts = p->cones + 1, lowest = HUGE_VAL;
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
  for (int j = 0; j < p->boxes; ++j) parts += is_used(&b, j) ? 2 : 0;
  parts += 2 * (b.n - 1);
  begin(&b);
  for (int worse = 0; worse < PATIENCE && answer->steps++ < STEPS_MAX && iterate(&b, parts);) {
    const double value = cost_of(&b), held = p->bound * b.x[b.n - 1],
                 wanted = tolerance * larger(fabs(value + held), p->scale);
    lowest = smaller(lowest, value + held);
    if (lowest < -p->bound) break;  // no forces balance the cost, with or without the load
    find_left(&b);
    const double gap =
        product(&b, 0, 0) + sqrt(heft_dot(b.n, b.left, b.left) * heft_dot(b.n, b.x, b.x));
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
