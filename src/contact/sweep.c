// SPDX-License-Identifier: Apache-2.0
// One sweep of Gauss-Seidel: contact after contact is solved exactly, all others held still, and
// what its impulse changes is pushed at once to everyone it reaches [Jourdan 1998].
//
// Plain Gauss-Seidel can run in circles when several contacts share one body. The block-proximal
// term cures that: each local problem is solved with W_ii + α and q_i - α r_i, α = κ trace(W_ii) /
// rows. A fixed point of the sweep is an exact solution whatever κ is, because there the term
// vanishes.
#include "contact/sweep.h"

#include <string.h>

#include "contact/lane.h"
#include "math/dense.h"

enum { CHUNK = 16 };  // groups per task

// ---- the operator

static inline void push_blocks(const Core* core, int j, const double* d, double* z) {
  const double* value = core->value + core->value_start[core->column_start[j]];
  for (int k = core->column_start[j]; k < core->column_start[j + 1]; ++k) {
    double* at = z + core->slot[core->target[k]];
    v4_store(at, v4_load(at) + ((v4_load(value) * d[0] + v4_load(value + 4) * d[1]) +
                                v4_load(value + 8) * d[2]));
    value += 12;
  }
}

static inline void push_dense(const Core* core, int j, const double* d, double* z) {
  const int n = core->slots;
  const double *c0 = core->value + 3 * (size_t)n * (size_t)j, *c1 = c0 + n, *c2 = c1 + n;
  int k = 0;
  for (; k + 8 <= n; k += 8) {
    v8_store(z + k, v8_load(z + k) + ((v8_load(c0 + k) * d[0] + v8_load(c1 + k) * d[1]) +
                                      v8_load(c2 + k) * d[2]));
  }
  if (k < n)
    v4_store(z + k, v4_load(z + k) + ((v4_load(c0 + k) * d[0] + v4_load(c1 + k) * d[1]) +
                                      v4_load(c2 + k) * d[2]));
}

static void push_tall_blocks(const Core* core, int j, const double* d, double* z) {
  for (int k = core->column_start[j]; k < core->column_start[j + 1]; ++k) {
    const int i = core->target[k], pad = core->pad[i];
    const double* value = core->value + core->value_start[k];
    double* at = z + core->slot[i];
    for (int b = 0; b < core->rows[j]; ++b) {
      for (int a = 0; a < pad; ++a) at[a] += value[b * pad + a] * d[b];
    }
  }
}

// A mover in a tree of several: the wrench Xᵀ d, then Ω for everyone in the tree.
static inline void push_tree(const Core* core, const double* x, int rows, int pad, int mover,
                             const double* d, double* z) {
  const int tree = core->tree_of[mover], first = core->tree_first[tree],
            count = core->tree_first[tree + 1] - first;
  double f[6];
  for (int k = 0; k < 6; ++k) {
    double sum = x[k * pad] * d[0];
    for (int a = 1; a < rows; ++a) sum += x[k * pad + a] * d[a];
    f[k] = sum;
  }
  const double* omega =
      core->omega + core->tree_omega[tree] + (size_t)(mover - first) * 6 * MOVER_PAD;
  double* v = z + MOVER_PAD * first;
  for (int to = 0; to < count; ++to, omega += (size_t)count * 6 * MOVER_PAD, v += MOVER_PAD) {
    v8_store(v, v8_load(v) + (((v8_load(omega) * f[0] + v8_load(omega + 8) * f[1]) +
                               (v8_load(omega + 16) * f[2] + v8_load(omega + 24) * f[3])) +
                              (v8_load(omega + 32) * f[4] + v8_load(omega + 40) * f[5])));
  }
}

// V += Y d for everyone reached.
HEFT_INLINE void push_movers(const Core* core, int i, int rows, const double* d, double* z) {
  const Reach* reach = &core->reach[i];
  const double* y = core->y + MOVER_PAD * (size_t)reach->y;
  for (int s = 0; s < 2; ++s) {
    double* v = z + MOVER_PAD * reach->first[s];
    for (int m = 0; m < reach->count[s]; ++m, v += MOVER_PAD, y += MOVER_PAD * rows) {
      V8 sum = v8_load(v);
      if (rows == 3) {
        sum += (v8_load(y) * d[0] + v8_load(y + 8) * d[1]) + v8_load(y + 16) * d[2];
      } else {
        for (int b = 0; b < rows; ++b) sum += v8_load(y + 8 * b) * d[b];
      }
      v8_store(v, sum);
    }
  }
  for (int s = 0; s < 2 && core->hanging; ++s) {
    const int m = core->mover[2 * i + s], pad = core->pad[i];
    const int run = s == 1 && reach->count[1] == 0 ? 0 : s;
    if (m >= 0 && reach->count[run] == HANGS)
      push_tree(core, core->x + 12 * (size_t)core->slot[i] + 6 * s * pad, rows, pad, m, d, z);
  }
}

HEFT_INLINE void push(const Core* core, int i, const double* d, double* z) {
  if (core->by_movers) {
    if (core->is_point[i]) {
      push_movers(core, i, 3, d, z);
    } else {
      push_movers(core, i, core->rows[i], d, z);
    }
  } else if (core->dense) {
    push_dense(core, i, d, z);
  } else if (core->plain) {
    push_blocks(core, i, d, z);
  } else {
    push_tall_blocks(core, i, d, z);
  }
}

void core_push(const Core* core, int i, const double* d, double* z) { push(core, i, d, z); }

// Groups whose lanes have been filled.
static int filled_groups(const Core* core) {
  return core->proximal > 0 ? core->colouring.groups : 0;
}

HEFT_CLONES
static void push_contacts(const Core* core, int first, const double* r, double* z) {
  for (int i = first; i < core->contacts; ++i) {
    const double* d = r + core->slot[i];
    int moves = 0;
    for (int a = 0; a < core->rows[i]; ++a) moves |= d[a] != 0;
    if (moves) push(core, i, d, z);
  }
}

void core_state(Core* core, const double* r, double* z) {
  const int groups = filled_groups(core);
  if (core->by_movers) {
    memset(z, 0, sizeof(double) * (size_t)core->states);
  } else {
    memcpy(z, core->b, sizeof(double) * (size_t)core->slots);
  }
  if (groups > 0) lane_push_all(core, r, z);
  push_contacts(core, LANES * groups, r, z);
}

// The velocity of a contact with any number of rows.
static void tall_velocity(const Core* core, int i, const double* r, const double* z, double* u) {
  const int at = core->slot[i], pad = core->pad[i];
  if (!core->by_movers) {
    for (int a = 0; a < pad; ++a) u[a] = z[at + a];
    return;
  }
  for (int a = 0; a < pad; ++a) u[a] = core->b[at + a] + core->soft[i] * r[at + a];
  for (int s = 0; s < 2; ++s) {
    const int m = core->mover[2 * i + s];
    for (int k = 0; k < 6 && m >= 0; ++k) {
      const double* x = core->x + 12 * (size_t)at + (6 * s + k) * pad;
      for (int a = 0; a < pad; ++a) u[a] += x[a] * z[MOVER_PAD * m + k];
    }
  }
}

HEFT_INLINE void velocity(const Core* core, int i, const double* r, const double* z, double* u) {
  if (core->pad[i] == 4) {
    v4_store(u, core_velocity4(core, i, r, z));
  } else {
    tall_velocity(core, i, r, z, u);
  }
}

HEFT_CLONES
static void velocities_from(const Core* core, int first, const double* r, const double* z,
                            double* u) {
  for (int i = first; i < core->contacts; ++i) velocity(core, i, r, z, u + core->slot[i]);
}

void core_velocity(const Core* core, const double* r, const double* z, double* u) {
  const int groups = filled_groups(core);
  if (groups > 0) lane_velocities(core, r, z, u);
  velocities_from(core, LANES * groups, r, z, u);
}

HEFT_INLINE double worse(double a, double b) { return b > a || b != b ? b : a; }

// Of the contacts from `first` on.
HEFT_CLONES
static double worst_of_contacts(const Core* core, int first, const double* r, const double* z,
                                double* u) {
  double worst = 0;
  V4 lanes = v4_all(0);
  int i = first;
  for (; core->plain && i + 4 <= core->contacts; i += 4) {
    for (int k = 0; k < 4; ++k) velocity(core, i + k, r, z, u + 4 * (i + k));
    const Lanes3 own = gather_slots(r + 4 * i), moves = gather_slots(u + 4 * i);
    const V4 e = lane_residual(core, i, &own, &moves);
    lanes = v4_select((e > lanes) | (e != e), e, lanes);
  }
  for (int k = 0; k < 4; ++k) worst = worse(worst, lanes[k]);
  for (; i < core->contacts; ++i) {
    const double* own = r + core->slot[i];
    double* v = u + core->slot[i];
    velocity(core, i, r, z, v);
    const double e = core->is_point[i]
                         ? point_residual(core->cone[i].mu[0], core->w[i], core->iw[i], own, v)
                         : cone_residual(&core->cone[i], core->w[i], own, v);
    worst = worse(worst, e);
  }
  return worst;
}

double core_residual_until(const Core* core, const double* r, const double* z, double* u,
                           double limit, int* first) {
  const int lanes = filled_groups(core);
  const double enough = limit * core->reference;
  const double worst = lanes > 0 ? lane_worst(core, r, z, u, enough, first) : 0;
  if (!(worst <= enough)) return worst / core->reference;
  return worse(worst, worst_of_contacts(core, LANES * lanes, r, z, u)) / core->reference;
}

double core_residual(const Core* core, const double* r, const double* z, double* u) {
  int first = 0;
  return core_residual_until(core, r, z, u, HUGE_VAL, &first);
}

void core_project(const Core* core, double* r) {
  for (int i = 0; i < core->contacts; ++i) {
    double* own = r + core->slot[i];
    if (core->is_point[i]) {
      const double reach = core->cone[i].mu[0] * own[0];
      if (own[0] >= 0 && own[1] * own[1] + own[2] * own[2] <= reach * reach) continue;
    }
    cone_project(&core->cone[i], own);
  }
}

// ---- local problems of contacts that are no plain points

static void scalar_solve(const Core* core, int i, double u, double* r) {
  const double g = core->diagonal[36 * i] + core->proximal * core->w[i];
  double x = r[0] - u / g;
  if (x < core->cone[i].lower) x = core->cone[i].lower;
  if (x > core->cone[i].upper) x = core->cone[i].upper;
  r[0] = x;
}

typedef struct Small {
  int n;
  double g[36], q[6], w;
} Small;

static double small_residual(const Small* p, const Cone* cone, const double* r, double* u) {
  for (int a = 0; a < p->n; ++a) {
    u[a] = p->q[a];
    for (int b = 0; b < p->n; ++b) u[a] += p->g[6 * a + b] * r[b];
  }
  return cone_residual(cone, p->w, r, u);
}

// One semismooth Newton step on r - P_K(r - û / w); 0 if it does not make the residual smaller.
static int small_newton(const Small* p, const Cone* cone, double* r, double* u, double* residual) {
  const int n = p->n;
  double x[6] = {0}, d[36], a[36], step[6];
  int pivot[6];
  for (int k = 0; k < n; ++k) x[k] = r[k] - u[k] / p->w;
  x[0] -= cone_shift(cone, u) / p->w;
  cone_derivative(cone, x, d);
  double image[6];
  memcpy(image, x, sizeof image);
  cone_project(cone, image);
  double e[36];
  memcpy(e, d, sizeof(double) * (size_t)(n * n));
  cone_shift_derivative(cone, u, e);
  for (int i = 0; i < n; ++i) {
    step[i] = image[i] - r[i];
    for (int j = 0; j < n; ++j) {
      double sum = (i == j) - d[i * n + j];
      for (int k = 0; k < n; ++k) sum += e[i * n + k] * p->g[6 * k + j] / p->w;
      a[i * n + j] = sum;
    }
  }
  if (heft_lu_factor(n, a, n, pivot)) return 0;
  heft_lu_solve(n, a, n, pivot, step);
  double length = 1;
  for (int half = 0; half < 5; ++half, length *= 0.5) {
    double trial[6], trial_u[6];
    for (int k = 0; k < n; ++k) trial[k] = r[k] + length * step[k];
    cone_project(cone, trial);
    const double e_trial = small_residual(p, cone, trial, trial_u);
    if (!(e_trial < (1 - 0.1 * length) * *residual)) continue;
    memcpy(r, trial, sizeof(double) * (size_t)n);
    memcpy(u, trial_u, sizeof(double) * (size_t)n);
    *residual = e_trial;
    return 1;
  }
  return 0;
}

// Projected steps r := P(r - û / λ) with λ >= |G|: slow and sure.
static void small_projected(const Small* p, const Cone* cone, double* r, double* u,
                            double* residual) {
  double norm = 0;
  for (int a = 0; a < p->n; ++a) {
    double sum = 0;
    for (int b = 0; b < p->n; ++b) sum += fabs(p->g[6 * a + b]);
    if (sum > norm) norm = sum;
  }
  for (int k = 0; k < 8; ++k) {
    r[0] -= cone_shift(cone, u) / norm;
    for (int a = 0; a < p->n; ++a) r[a] -= u[a] / norm;
    cone_project(cone, r);
    *residual = small_residual(p, cone, r, u);
  }
}

static void cone_solve(const Core* core, int i, const double* u, double* r) {
  Small p = {.n = core->rows[i], .w = core->w[i]};
  const Cone* cone = &core->cone[i];
  double v[6] = {0};
  for (int a = 0; a < p.n; ++a) {
    p.q[a] = u[a];
    for (int b = 0; b < p.n; ++b) {
      p.g[6 * a + b] = core->diagonal[36 * i + 6 * a + b] + (a == b ? core->proximal * p.w : 0);
      p.q[a] -= p.g[6 * a + b] * r[b];
    }
  }
  double residual = small_residual(&p, cone, r, v);
  const double enough = 1e-14 * core->reference;
  for (int k = 0; k < 12 && residual > enough; ++k) {
    if (!small_newton(&p, cone, r, v, &residual)) small_projected(&p, cone, r, v, &residual);
  }
}

// ---- the sweep

HEFT_CONTACT_CLONES
void sweep_serial(const Core* core, int first, int last, double* r, double* z) {
  for (int i = first; i < last; ++i) {
    double u[8] = {0}, d[8];
    double* own = r + core->slot[i];
    velocity(core, i, r, z, u);
    if (core->is_point[i]) {
      const double r0 = own[0], r1 = own[1], r2 = own[2];
      local_solve(&core->local[i], u, LOCAL_NEAR, own);
      d[0] = own[0] - r0;
      d[1] = own[1] - r1;
      d[2] = own[2] - r2;
      if (d[0] == 0 && d[1] == 0 && d[2] == 0) continue;
    } else {
      double old[8];
      memcpy(old, own, sizeof(double) * core->rows[i]);
      if (core->rows[i] == 1) {
        scalar_solve(core, i, u[0], own);
      } else {
        cone_solve(core, i, u, own);
      }
      for (int a = 0; a < core->rows[i]; ++a) d[a] = own[a] - old[a];
    }
    push(core, i, d, z);
  }
}

// Groups of one colour in chunks, one task each.
typedef struct Colour {
  const Core* core;
  double *r, *z;
  int first, last;
} Colour;

static void sweep_chunk(void* arg, int index) {
  const Colour* colour = arg;
  const int first = colour->first + CHUNK * index, end = first + CHUNK;
  lane_sweep(colour->core, first, end < colour->last ? end : colour->last, colour->r, colour->z);
}

static void sweep_colour(const Core* core, int colour, double* r, double* z) {
  const int first = core->colouring.first[colour], last = core->colouring.first[colour + 1];
  Colour job = {core, r, z, first, last};
  if (core->run && last - first >= 2 * CHUNK) {
    core->run(core->run_user, (last - first + CHUNK - 1) / CHUNK, sweep_chunk, &job);
  } else {
    lane_sweep(core, first, last, r, z);
  }
}

void sweep(const Core* core, double* r, double* z) {
  for (int c = 0; c < core->colouring.colours; ++c) sweep_colour(core, c, r, z);
  sweep_serial(core, LANES * core->colouring.groups, core->contacts, r, z);
}
