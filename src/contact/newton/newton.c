// SPDX-License-Identifier: Apache-2.0
// The law of contact is the variational inequality 0 ∈ û(r) + N_K(r). The proximal-point method
// ([Rockafellar 1976]; for friction [Acary 2018]) replaces it by a sequence of easier ones,
//
//   0 ∈ û(r) + α (r - r^k) + N_K(r)    <=>    F(r) = r - P_K(x) = 0,
//                                             x = r - ρ (û(r) + α (r - r^k)),
//
// whose solution is the next r^k. The added α makes them regular even if many contacts share one
// body and W has no inverse. Each is solved by a semismooth Newton method with D = DP_K(x) and S =
// 1 + n ∂(µ|u_t|)/∂u,
//
//   (1 - (1 - ρα) D + ρ D S W) d = -F,
//
// and a line search with descent of √Σ w_i |F_i|². An open contact has D = 0: its row is trivial
// and is removed. α falls after each proximal point, so convergence is superlinear in the end.
//
// Any ρ > 0 has the same solutions, but not the same Newton steps. With α = κ w and ρ = 1 / (σ w),
// σ = κ is the choice of the literature. For small κ it magnifies every velocity into a change of
// the contact state, and the line search takes tiny steps. With σ >= 0.01 stacks of boxes took
// about ten steps instead of hundreds.
//
// If many contacts are redundant, the line search takes tiny steps along the edges of the cones,
// because each step changes which contacts stick, slip and open. With cones rounded by τ
// (smooth_cone.c) the law is smooth, and its solution is unique even if W leaves impulses open. It
// is followed from a large τ, where it is easy, to a small one. The proximal term stays, for curves
// with turning points.
#include "contact/newton/newton.h"

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "contact/newton/smooth_cone.h"

// The table in docs/internals/contact.md states the effect of half and twice each value.
enum {
  SMOOTH_INNER_MAX = 8,  // Newton steps of one proximal problem
  HALVINGS_MAX = 10      // of a step in the line search
};
static const double SMOOTH_DONE = 0.03,       // |F| of a solved proximal problem, relative
    SMOOTH_KAPPA_MIN = 1e-9, KAPPA_MAX = 10,  // bounds of κ
    TAU_MET = 0.1,                            // residual, relative to τ, at which τ may fall
    TAU_FALL = 0.3;                           // factor of τ: few steps against safe ones

void newton_take(Newton* newton, Arena* arena, size_t bytes) {
  void* memory = arena_take_bytes(arena, bytes, 1);
  newton->pool = arena_make(memory, bytes, NULL);
}

void newton_begin(Newton* newton) {
  newton->ready = newton->blocks = newton->fronts = 0;
  newton->joints.dense = 0;
}

// The pattern of W must be symmetric; the pattern of a rigid-body problem always is.
static int pattern_is_symmetric(const Core* core) {
  for (int i = 0; i < core->constraints; ++i) {
    if (core->row_start[i + 1] - core->row_start[i] !=
        core->column_start[i + 1] - core->column_start[i])
      return 0;
    for (int k = 0; k < core->row_start[i + 1] - core->row_start[i]; ++k) {
      if (core->row_column[core->row_start[i] + k] != core->target[core->column_start[i] + k])
        return 0;
    }
  }
  return 1;
}

// By contacts: one node per contact, one block per block of W.
static int prepare_contacts(Newton* newton, const Core* core, Arena* pool, BlockGraph* graph,
                            int* dim_max) {
  size_t numbers = 0;
  if (!pattern_is_symmetric(core)) return 0;
  for (int i = 0; i < core->constraints; ++i) {
    if (core->rows[i] > *dim_max) *dim_max = core->rows[i];
    for (int k = core->row_start[i]; k < core->row_start[i + 1]; ++k) {
      numbers += (size_t)core->rows[i] * core->rows[core->row_column[k]];
    }
  }
  HEFT_ASSERT(*dim_max <= CONE_ROWS);
  newton->dim = arena_take(pool, core->constraints, int);
  newton->at = arena_take(pool, core->constraints, int);
  newton->rhs = arena_take(pool, core->slots, double);
  newton->offset = arena_take(pool, core->row_start[core->constraints], size_t);
  newton->values = arena_take(pool, numbers, double);
  *graph = (BlockGraph){core->constraints, core->row_start, core->row_column, 0};
  return !pool->overflow;
}

static int prepare(Newton* newton, const Core* core) {
  Arena pool = newton->pool;
  const size_t n = (size_t)core->constraints, slots = (size_t)core->slots,
               states = (size_t)core->states;
  newton->center = arena_take(&pool, slots, double);
  newton->f = arena_take(&pool, slots, double);
  newton->x = arena_take(&pool, slots, double);
  newton->step = arena_take(&pool, slots, double);
  newton->trial = arena_take(&pool, slots, double);
  newton->trial_z = arena_take(&pool, states, double);
  newton->push = arena_take(&pool, states > slots ? states : slots, double);
  newton->e = arena_take(&pool, 36 * n, double);
  newton->own = arena_take(&pool, 36 * n, double);
  newton->u = arena_take(&pool, slots, double);
  newton->base = arena_take(&pool, slots, double);
  newton->tangent = arena_take(&pool, slots, double);
  newton->point = arena_take(&pool, slots, double);
  newton->slope = arena_take(&pool, slots, double);
  newton->stiffness = arena_take(&pool, 2 * n, double);
  if (core->by_effectors) {
    newton->rhs = arena_take(&pool, core->by_joints ? core->dofs : 6 * core->effectors, double);
    newton->wrench = arena_take(&pool, core->by_joints ? 0 : 6 * core->effectors, double);
  }
  if (pool.overflow || (core->by_joints && !newton_joints_prepare(newton, core, &pool))) return 0;
  newton->rest = pool;
  return 1;
}

// The factor by blocks.
static int prepare_blocks(Newton* newton, const Core* core) {
  Arena pool = newton->rest;
  int dim_max = 1;
  BlockGraph graph;
  const int fits = core->by_effectors
                       ? newton_effectors_prepare(newton, core, &pool, &graph, &dim_max)
                       : prepare_contacts(newton, core, &pool, &graph, &dim_max);
  if (!fits) return 0;
  pool.base += pool.used;
  pool.size -= pool.used;
  pool.used = 0;
  HEFT_ASSERT(dim_max >= 1);
  return block_lu_analyze(&newton->lu, pool, graph, dim_max);
}

// With T_i = τ / (w_i √σ) the smoothed law is r û = τ² / w_i whatever σ is.
static double rounding_radius(const Newton* newton, const Core* core, int i) {
  HEFT_ASSERT(newton->sigma > 0 && !(newton->tau < 0));
  return newton->tau * core->iw[i] / sqrt(newton->sigma);
}

static double shift(const Newton* newton, const Cone* cone, const double* u) {
  return smooth_cone_shift(cone, NEWTON_KINK * newton->tau, u);
}

// F at r, where the state is z; leaves velocities in newton->u. Returns the merit.
static double evaluate(Newton* newton, const Core* core, const double* r, const double* z,
                       double* f) {
  double sum = 0;
  const double* u = newton->u;
  core_velocity(core, r, z, newton->u);
  HEFT_ASSERT(newton->sigma > 0 && newton->kappa >= 0);
  for (int i = 0; i < core->constraints; ++i) {
    const int at = core->slot[i], rows = core->rows[i];
    const Cone* cone = &core->cone[i];
    const double step = core->iw[i] / newton->sigma, back = newton->kappa / newton->sigma;
    double image[CONE_ROWS], part = 0;
    for (int a = 0; a < rows; ++a) {
      image[a] = r[at + a] - step * u[at + a] - back * (r[at + a] - newton->center[at + a]);
    }
    image[0] -= step * shift(newton, cone, u + at);
    for (int a = 0; a < rows; ++a) newton->x[at + a] = image[a];
    smooth_cone_project(cone, rounding_radius(newton, core, i), image);
    for (int a = 0; a < rows; ++a) {
      f[at + a] = r[at + a] - image[a];
      part += f[at + a] * f[at + a];
    }
    sum += core->w[i] * part;
  }
  return sqrt(sum);
}

static void cone_slopes(const Newton* newton, const Core* core, int i, double* d) {
  const double* x = newton->x + core->slot[i];
  smooth_cone_derivative(&core->cone[i], rounding_radius(newton, core, i), x, d);
}

static void shift_slopes(const Newton* newton, const Cone* cone, const double* u, double* d) {
  smooth_cone_shift_derivative(cone, NEWTON_KINK * newton->tau, u, d);
}

// E = ρ D S and 1 - (1 - ρα) D at the x of the last evaluation, and the active contacts.
static void linearize(Newton* newton, const Core* core) {
  const double* u = newton->u;
  int at = 0;
  for (int i = 0; i < core->constraints; ++i) {
    const int slot = core->slot[i], rows = core->rows[i];
    const double step = core->iw[i] / newton->sigma, keep = 1 - newton->kappa / newton->sigma;
    double *e = newton->e + 36 * i, *own = newton->own + 36 * i, size = 0;
    cone_slopes(newton, core, i, e);
    for (int k = 0; k < rows * rows; ++k) own[k] = (k % (rows + 1) == 0) - keep * e[k];
    shift_slopes(newton, &core->cone[i], u + slot, e);
    for (int k = 0; k < rows * rows; ++k) {
      e[k] *= step;
      size += fabs(e[k]);
    }
    newton->dim[i] = size > 0 ? rows : 0;
    newton->at[i] = at;
    at += newton->dim[i];
  }
  HEFT_ASSERT(at <= core->slots);
}

// The block of two points: the same sums as below, without loops.
static inline void fill_point_block(const double* e, const double* own, int stride, const double* w,
                                    double* out) {
  for (int a = 0; a < 3; ++a) {
    const double e0 = e[3 * a], e1 = e[3 * a + 1], e2 = e[3 * a + 2];
    for (int b = 0; b < 3; ++b) {
      double sum = own ? own[3 * a + b] : 0;
      sum += e0 * w[b * stride];
      sum += e1 * w[b * stride + 1];
      sum += e2 * w[b * stride + 2];
      out[3 * a + b] = sum;
    }
  }
}

// Block (i, j) = own_i δ_ij + E_i W_ij; W_ij is stored by columns. own is NULL off the diagonal.
static void fill_block(const Core* core, const double* e, const double* own, int i, int j,
                       const double* w, double* out) {
  const int rows = core->rows[i], columns = core->rows[j], stride = core_stride(core, i);
  if (rows == 3 && columns == 3) {
    fill_point_block(e, own, stride, w, out);
    return;
  }
  for (int a = 0; a < rows; ++a) {
    for (int b = 0; b < columns; ++b) {
      double sum = own ? own[a * rows + b] : 0;
      for (int k = 0; k < rows; ++k) sum += e[a * rows + k] * w[b * stride + k];
      out[a * columns + b] = sum;
    }
  }
}

static void assemble(Newton* newton, const Core* core) {
  size_t at = 0;
  for (int i = 0; i < core->constraints; ++i) {
    for (int k = core->row_start[i]; k < core->row_start[i + 1] && newton->dim[i]; ++k) {
      const int j = core->row_column[k];
      newton->offset[k] = at;
      HEFT_ASSERT(j >= 0 && j < core->constraints);
      if (!newton->dim[j]) continue;
      fill_block(core, newton->e + 36 * i, i == j ? newton->own + 36 * i : NULL, i, j,
                 core->value + core->row_value[k], newton->values + at);
      at += (size_t)core->rows[i] * core->rows[j];
    }
  }
}

// The right-hand side f. Contacts with E = 0 step by f; the others see that through W.
static void right_side(Newton* newton, const Core* core, const double* f, double* out) {
  memset(newton->push, 0, sizeof(double) * (size_t)core->states);
  memset(out, 0, sizeof(double) * (size_t)core->slots);
  for (int i = 0; i < core->constraints; ++i) {
    const int slot = core->slot[i];
    int moves = 0;
    for (int a = 0; a < core->rows[i] && !newton->dim[i]; ++a) {
      out[slot + a] = f[slot + a];
      moves |= f[slot + a] != 0;
    }
    if (moves) core_apply_impulse(core, i, out + slot, newton->push);
  }
  for (int i = 0; i < core->constraints; ++i) {
    const int slot = core->slot[i], rows = core->rows[i];
    for (int a = 0; a < newton->dim[i]; ++a) {
      double sum = f[slot + a];
      for (int k = 0; k < rows; ++k)
        sum -= newton->e[36 * i + a * rows + k] * newton->push[slot + k];
      newton->rhs[newton->at[i] + a] = sum;
    }
  }
}

// Factors the derivative of F at the last evaluation. Returns 0 if that fails.
static int factor_system(Newton* newton, const Core* core) {
  linearize(newton, core);
  assemble(newton, core);
  return block_lu_factor(&newton->lu, newton->dim, newton->offset, newton->values);
}

// out := (derivative of F)⁻¹ f (slots).
static void solve_system(Newton* newton, const Core* core, const double* f, double* out) {
  right_side(newton, core, f, out);
  block_lu_solve(&newton->lu, newton->at, newton->rhs);
  for (int i = 0; i < core->constraints; ++i) {
    for (int a = 0; a < newton->dim[i]; ++a)
      out[core->slot[i] + a] = newton->rhs[newton->at[i] + a];
  }
}

// The Newton step at the last evaluation. Returns 0 if the factor fails.
static int direction(Newton* newton, const Core* core) {
  if (!factor_system(newton, core)) return 0;
  for (int k = 0; k < core->slots; ++k) newton->trial[k] = -newton->f[k];
  solve_system(newton, core, newton->trial, newton->step);
  return 1;
}

// Halves newton->step until the merit falls, and takes it. Returns 0 if it never does.
static int line_search(Newton* newton, Core* core) {
  double length = 1;
  HEFT_ASSERT(!(newton->merit < 0));
  for (int k = 0; k < HALVINGS_MAX; ++k, length *= 0.5) {
    for (int j = 0; j < core->slots; ++j) newton->trial[j] = core->r[j] + length * newton->step[j];
    core_state(core, newton->trial, newton->trial_z);
    const double merit = evaluate(newton, core, newton->trial, newton->trial_z, newton->f);
    if (!(merit < (1 - 1e-4 * length) * newton->merit)) continue;
    memcpy(core->r, newton->trial, sizeof(double) * (size_t)core->slots);
    memcpy(core->z, newton->trial_z, sizeof(double) * (size_t)core->states);
    newton->merit = merit;
    return 1;
  }
  return 0;
}

// r becomes the proximal point.
static void begin_point(Newton* newton, Core* core) {
  newton->sigma = fmax(newton->kappa, newton->sigma_min);
  HEFT_ASSERT(newton->sigma > 0);
  memcpy(newton->center, core->r, sizeof(double) * (size_t)core->slots);
  newton->merit = newton->first = evaluate(newton, core, core->r, core->z, newton->f);
  newton->inner = 0;
}

static int prepare_vectors(Newton* newton, const Core* core) {
  if (newton->ready == 0) newton->ready = prepare(newton, core) ? 1 : -1;
  return newton->ready > 0;
}

static int prepare_factor(Newton* newton, const Core* core) {
  if (!prepare_vectors(newton, core)) return 0;
  if (newton->blocks == 0) newton->blocks = prepare_blocks(newton, core) ? 1 : -1;
  newton->fronts = 0;
  return newton->blocks > 0;
}

static int prepare_fronts(Newton* newton, const Core* core) {
  if (newton->fronts == 0)
    newton->fronts = sparse_prepare(&newton->sparse, core, newton->rest) ? 1 : -1;
  newton->blocks = 0;
  return newton->fronts > 0;
}

int newton_prepare(Newton* newton, const Core* core) {
  if (!prepare_vectors(newton, core)) return 0;
  if (newton->joints.dense) return 1;
  return sparse_fits(core) ? prepare_fronts(newton, core) : prepare_factor(newton, core);
}

// newton->rhs := (scale M + Σ Jᵀ e_i J)⁻¹ Σ Jᵀ f: joint velocities in joint space, otherwise
// twists.
static int find_twists(Newton* newton, const Core* core, double scale, const double* f) {
  if (newton->fronts <= 0) return newton_effectors_twists(newton, core, scale, f);
  if (core->by_joints) {
    newton_joints_force(newton, core, f);
  } else {
    newton_effectors_wrenches(newton, core, f);
  }
  return sparse_solve(&newton->sparse, core, newton->e, scale,
                      core->by_joints ? newton->rhs : newton->wrench, newton->rhs);
}

int newton_velocities(Newton* newton, const Core* core, double scale, const double* f,
                      double* out) {
  const int dense = newton->joints.dense;
  HEFT_ASSERT(newton->ready == 1 && scale > 0);
  if (!(dense ? newton_joints_solve(newton, core, scale, f) : find_twists(newton, core, scale, f)))
    return 0;
  if (core->by_joints) newton_joints_velocities(core, dense ? newton->joints.y : newton->rhs, out);
  for (int i = 0; i < core->constraints && !core->by_joints; ++i)
    newton_effectors_velocity(newton, core, i, out + core->slot[i]);
  return 1;
}

int newton_smooth_start(Newton* newton, Core* core, double kappa, double sigma, double tau) {
  if (!prepare_factor(newton, core)) return 0;
  HEFT_ASSERT(kappa > 0 && sigma > 0 && !(tau < 0));
  newton->kappa = kappa;
  newton->tau = tau * core->reference;
  newton->sigma_min = sigma;
  core_state(core, core->r, core->z);
  begin_point(newton, core);
  return 1;
}

// How far r is from the smoothed law, as a relative residual.
static double smooth_residual(Newton* newton, const Core* core) {
  const double kappa = newton->kappa, sigma = newton->sigma;
  double worst = 0;
  newton->kappa = 0;
  newton->sigma = 1;
  evaluate(newton, core, core->r, core->z, newton->f);
  newton->kappa = kappa;
  newton->sigma = sigma;
  for (int i = 0; i < core->constraints; ++i) {
    double sum = 0;
    for (int a = 0; a < core->rows[i]; ++a) {
      const double f = newton->f[core->slot[i] + a];
      sum += f * f;
    }
    worst = fmax(worst, core->w[i] * sqrt(sum));
  }
  return worst;
}

NewtonEnd newton_smooth_step(Newton* newton, Core* core) {
  HEFT_ASSERT(newton->ready == 1);
  if (!direction(newton, core)) return NEWTON_UNABLE;
  newton->inner++;
  const int fell = line_search(newton, core), done = newton->merit <= SMOOTH_DONE * newton->first;
  if (fell && !done && newton->inner < SMOOTH_INNER_MAX) return NEWTON_STEP;
  if (!fell || !done) {
    memcpy(core->r, newton->center, sizeof(double) * (size_t)core->slots);
    core_state(core, core->r, core->z);
    newton->kappa = fmin(KAPPA_MAX, newton->kappa * 3);
    begin_point(newton, core);
    return NEWTON_REJECTED;
  }
  if (newton->inner <= 3) newton->kappa = fmax(SMOOTH_KAPPA_MIN, 0.5 * newton->kappa);
  if (newton->inner > 6) newton->kappa *= 1.5;
  core_project(core, core->r);
  core_state(core, core->r, core->z);
  if (smooth_residual(newton, core) < TAU_MET * newton->tau) newton->tau *= TAU_FALL;
  HEFT_ASSERT(newton->kappa > 0);
  begin_point(newton, core);
  return NEWTON_POINT;
}

double newton_effort(const Newton* newton) {
  return newton->fronts > 0 ? 2 * newton->sparse.effort : block_lu_effort(&newton->lu);
}
