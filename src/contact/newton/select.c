// SPDX-License-Identifier: Apache-2.0
// Papers: U3.
// The weight of a table on four legs can be distributed in infinitely many ways with the same
// motion. This file computes the solution of
//
//   min ½ Σ m_i |r_i|²   such that   W r = W r*,   r_i ∈ C_i,
//
// where m_i is the same for all contacts with friction (the mean of their w_i: they are
// all forces at points) and w_i for the others, which may have other units; r* is a solution and
// C_i preserves the contact state: {0} if it opens, the ray (1, -µ û_t) if it slides, the cone K if
// it sticks. The objective is strictly convex, so the result is unique and does not depend
// on how r* was found. For four legs without friction it is the formula N_i = m g (1/4 + x_c x_i /
// Σx² + y_c y_i / Σy²).
//
// With a multiplier z in the range of W, r_i(z) = P_{C_i}(z_i / m_i), and z minimises the
// convex dual
//   φ(z) = z · (r(z) - r*) - ½ Σ m_i |r_i(z)|²,   ∇φ = r(z) - r*  (seen through W).
// Newton: z += Δ with (ε + W S) Δ = W (r* - r(z)), S_i = DP_{C_i} / m_i; ε keeps the
// system solvable where S is zero.
//
// The contact states come from r*, which has a residual: slow velocities may be zero.
#include "contact/newton/select.h"

#include <math.h>
#include <string.h>

enum { STEPS_MAX = 16, HALVINGS = 30 };

// The contact state. The impulse is kept if it has no freedom: open contacts, rows at a bound that
// move, contacts with spin or rolling that slip in any group.
typedef enum Doing { KEEPS = -1, STICKS = 0, SLIDES = 1 } Doing;

typedef struct Selection {
  Newton* newton;
  Core* core;
  double* doing;  // slots: Doing first, which is the first number of a slider's ray, too
  double *z, *r, *goal;
  double weight;  // m_i of contacts with friction
  double still;   // slower than this is at rest
} Selection;

static double weight_of(const Selection* s, int i) {
  return s->core->cone[i].groups > 0 ? s->weight : s->core->w[i];
}

static double mean_weight(const Core* core) {
  double sum = 0;
  int count = 0;
  for (int i = 0; i < core->constraints; ++i) {
    if (core->cone[i].groups == 0) continue;
    sum += core->w[i];
    ++count;
  }
  return count > 0 ? sum / count : 1;
}

static Doing what_it_does(const Selection* s, int i, const double* r, const double* u) {
  const Core* core = s->core;
  double square = 0;
  for (int k = 0; k < core->rows[i]; ++k) square += u[k] * u[k];
  if (square <= s->still * s->still) return STICKS;
  const int carries = core->w[i] * r[0] > 1e-9 * core->reference;
  return core->is_point[i] && carries && fabs(u[0]) <= s->still ? SLIDES : KEEPS;
}

// A slider keeps the direction of its impulse.
static void classify(Selection* s, const double* r, const double* u) {
  for (int i = 0; i < s->core->constraints; ++i) {
    const int at = s->core->slot[i];
    const Doing doing = what_it_does(s, i, r + at, u + at);
    s->doing[at] = doing;
    for (int k = 1; k < 3 && doing == SLIDES; ++k) s->doing[at + k] = r[at + k] / r[at];
  }
}

// x := P_C(x); d := its derivative.
static void project(const Selection* s, int i, double* x, double* d) {
  const int n = s->core->rows[i], at = s->core->slot[i];
  const Doing doing = (Doing)(int)s->doing[at];
  if (doing == STICKS) {
    cone_derivative(&s->core->cone[i], x, d);
    cone_project(&s->core->cone[i], x);
    return;
  }
  double along = 0, square = 0;
  const double* ray = s->doing + at;
  for (int k = 0; k < n && doing == SLIDES; ++k) {
    along += ray[k] * x[k];
    square += ray[k] * ray[k];
  }
  const int on = doing == SLIDES && along > 0;
  for (int a = 0; a < n; ++a) {
    x[a] = on ? along / square * ray[a] : doing == KEEPS ? s->goal[at + a] : 0;
    for (int b = 0; b < n; ++b) d[a * n + b] = on ? ray[a] * ray[b] / square : 0;
  }
}

// r(z) and S; returns φ.
static double evaluate(Selection* s, const double* z) {
  double phi = 0;
  for (int i = 0; i < s->core->constraints; ++i) {
    const int at = s->core->slot[i], n = s->core->rows[i];
    double x[CONE_ROWS], *d = s->newton->e + 36 * i;
    const double weight = weight_of(s, i);
    for (int k = 0; k < n; ++k) x[k] = z[at + k] / weight;
    project(s, i, x, d);
    for (int k = 0; k < n * n; ++k) d[k] /= weight;
    for (int k = 0; k < n; ++k) {
      s->r[at + k] = x[k];
      const double away = x[k];
      phi += z[at + k] * (x[k] - s->goal[at + k]) - 0.5 * weight * away * away;
    }
  }
  return phi;
}

// Block (i, j) = ε δ_ij + W_ij S_j.
static int solve_contacts(Selection* s, double scale, const double* f) {
  Newton* newton = s->newton;
  const Core* core = s->core;
  size_t at = 0;
  int place = 0;
  memset(newton->trial_z, 0, sizeof(double) * (size_t)core->states);
  for (int i = 0; i < core->constraints; ++i) {
    newton->dim[i] = core->rows[i];
    newton->at[i] = place;
    place += core->rows[i];
    core_apply_impulse(core, i, f + core->slot[i], newton->trial_z);
    for (int k = core->row_start[i]; k < core->row_start[i + 1]; ++k) {
      const int j = core->row_column[k], columns = core->rows[j];
      const double *w = core->value + core->row_value[k], *d = newton->e + 36 * j;
      newton->offset[k] = at;
      for (int a = 0; a < core->rows[i]; ++a) {
        for (int b = 0; b < columns; ++b, ++at) {
          double sum = i == j && a == b ? scale : 0;
          for (int c = 0; c < columns; ++c)
            sum += w[c * core_stride(core, i) + a] * d[c * columns + b];
          newton->values[at] = sum;
        }
      }
    }
  }
  if (!block_lu_factor(&newton->lu, newton->dim, newton->offset, newton->values)) return 0;
  for (int i = 0; i < core->constraints; ++i) {
    for (int a = 0; a < core->rows[i]; ++a)
      newton->rhs[newton->at[i] + a] = newton->trial_z[core->slot[i] + a];
  }
  block_lu_solve(&newton->lu, newton->at, newton->rhs);
  for (int i = 0; i < core->constraints; ++i) {
    for (int a = 0; a < core->rows[i]; ++a)
      newton->step[core->slot[i] + a] = newton->rhs[newton->at[i] + a];
  }
  return 1;
}

// max |W (r - goal)|, the change of velocity.
static double velocity_change(Selection* s) {
  const Core* core = s->core;
  double worst = 0;
  double *u = s->newton->u, *difference = s->newton->f;
  for (int k = 0; k < core->slots; ++k) difference[k] = s->r[k] - s->goal[k];
  core_state(s->core, difference, s->newton->trial_z);
  core_velocity(core, difference, s->newton->trial_z, u);
  for (int i = 0; i < core->constraints; ++i) {
    for (int k = core->slot[i]; k < core->slot[i] + core->rows[i]; ++k)
      worst = fmax(worst, fabs(u[k] - core->b[k]));
  }
  return worst;
}

static int take_step(Selection* s, double scale, double* phi) {
  double* f = s->newton->f;
  double slope = 0, length = 1;
  for (int k = 0; k < s->core->slots; ++k) f[k] = s->goal[k] - s->r[k];
  if (!(s->core->by_effectors ? newton_velocities(s->newton, s->core, scale, f, s->newton->step)
                              : solve_contacts(s, scale, f)))
    return 0;
  for (int k = 0; k < s->core->slots; ++k) slope -= f[k] * s->newton->step[k];
  for (int k = 0; k < HALVINGS; ++k, length *= 0.5) {
    for (int j = 0; j < s->core->slots; ++j)
      s->newton->trial[j] = s->z[j] + length * s->newton->step[j];
    const double next = evaluate(s, s->newton->trial);
    if (next > *phi + 1e-4 * length * slope + 1e-14 * fabs(*phi)) continue;
    memcpy(s->z, s->newton->trial, sizeof(double) * (size_t)s->core->slots);
    *phi = next;
    return 1;
  }
  evaluate(s, s->z);
  return 0;
}

// r* in the order and units of the solver, and the contact states.
static void read_goal(Selection* s, const double* impulse) {
  Core* core = s->core;
  memset(s->goal, 0, sizeof(double) * (size_t)core->slots);
  memset(s->doing, 0, sizeof(double) * (size_t)core->slots);
  for (int i = 0; i < core->constraints; ++i) {
    for (int a = 0; a < core->rows[i] && core->source[i] >= 0; ++a) {
      s->goal[core->slot[i] + a] = impulse[core->problem->constraints[core->source[i]].row + a] /
                                   (a < 3 ? 1 : core->length[i]);
    }
  }
  core_state(core, s->goal, core->z);
  core_velocity(core, s->goal, core->z, s->newton->u);
  classify(s, s->goal, s->newton->u);
}

double select_min_norm(Newton* newton, Core* core, double still, double* goal,
                       const double* impulse) {
  const size_t bytes = sizeof(double) * (size_t)core->slots;
  Selection s = {.newton = newton, .core = core, .weight = mean_weight(core)};
  if (!newton_prepare(newton, core)) return SELECT_FAILED;
  s.doing = newton->x;
  s.z = newton->center;
  s.r = core->r;
  s.goal = goal;
  memset(s.z, 0, bytes);
  memset(newton->step, 0, bytes);
  memset(newton->trial, 0, bytes);
  s.still = still * core->reference;
  read_goal(&s, impulse);
  double phi = evaluate(&s, s.z), change = velocity_change(&s);
  for (int k = 0; k < STEPS_MAX && change > 1e-12 * core->reference; ++k) {
    if (!take_step(&s, k < 4 ? 1e-6 : 1e-9, &phi)) break;
    change = velocity_change(&s);
  }
  return change <= 1e-9 * core->reference ? change / core->reference : SELECT_FAILED;
}
