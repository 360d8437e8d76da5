// SPDX-License-Identifier: Apache-2.0
// Papers: U4.
// Logs without forces: whether any contact forces explain a step, inside the friction cones, and
// then with full friction against the slip where bodies slip.
//
// The points that touch at either end of the step, or meet within it, may carry forces. For each
// island the forces λ in their cones that come closest to the needed interval [lo, hi] are found
// (force_share.h, with the half widths as slack). Rows are divided by √M_ii, so that a rest is an
// acceleration. If the rest is zero, forces exist that explain the step. Otherwise none does,
// whatever the engine chose: this is a finding. The second time, a point that slips by all readings
// of the log has only the forces of its rays: normal plus friction against the slip at the start
// and at the end. If only this fails, the bodies slip although friction could hold them, or it
// brakes them less than fully.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "control/force_share.h"
#include "judge/referee_parts.h"

enum { POINTS = 2 * REACH_POINTS, RAYS = 4 };

struct Reach {
  int dof[REACH_ROWS], row_of_dof_count;
  const HeftContactPoint* point[REACH_POINTS];
  int points, rows;
  double slip[REACH_POINTS];  ///< least of the readings, 0: it may stick
  HeftVec3 ray[REACH_POINTS][RAYS];
  int rays[REACH_POINTS];
  double a[REACH_ROWS * 3 * POINTS], b[REACH_ROWS], slack[REACH_ROWS], y[REACH_ROWS];
  double scale[REACH_ROWS], mu[POINTS], ease[POINTS], force[3 * POINTS];
  double scratch[REACH_ROWS * (REACH_ROWS + 3)];
  double jacobian[];  ///< 3 nv of a, then 6 nv of one body
};

struct Reach* reach_create(const HeftModel* m) {
  return calloc(1, sizeof(struct Reach) + 9 * ((size_t)m->nv + 1) * sizeof(double));
}

void reach_destroy(struct Reach* reach) { free(reach); }

// ---- the island

// 0: too large.
static int collect(Referee* r, int island) {
  struct Reach* x = r->reach;
  const HeftModel* m = r->m;
  x->rows = x->points = 0;
  for (int i = 0; i < m->nv; ++i) {
    if (r->island[m->joint_body[m->dof_joint[i]]] != island) continue;
    if (x->rows == REACH_ROWS) return 0;
    x->dof[x->rows++] = i;
  }
  for (int end = 0; end < 2; ++end)
    for (int i = 0; i < r->point_count[end]; ++i) {
      const HeftContactPoint* p = &r->point[end][i];
      const int moves_a = r->island[p->body_a] == island, moves_b = r->island[p->body_b] == island;
      if (!(moves_a || moves_b) || !referee_touches(r, p)) continue;
      if (x->points == REACH_POINTS || p->dim > 3) return 0;  // torques of friction
      x->point[x->points++] = p;
    }
  return x->rows > 0;
}

static void find_rays(Referee* r, int i) {
  struct Reach* x = r->reach;
  const HeftContactPoint* p = x->point[i];
  HeftVec3 slip[3];
  const double turning = referee_turning(r, p->body_a, p->body_b, p->pos);
  x->rays[i] = 0;
  x->slip[i] = 0;
  if (p->anisotropy != 1 || r->belt[p->body_a] || r->belt[p->body_b] || p->dim == 1) return;
  referee_slips(r, p->body_a, p->body_b, p->pos, p->normal, slip);
  double least = (double)INFINITY;
  for (int k = 0; k < 3; ++k) least = fmin(least, heft_vec3_norm(slip[k]));
  if (least <= r->def.creep + turning) return;
  if (heft_vec3_dot(slip[0], slip[1]) < 0.5 * heft_vec3_norm(slip[0]) * heft_vec3_norm(slip[1]))
    return;  // it turns by more than 60 degrees
  x->slip[i] = least;
  for (int k = 0; k < 2; ++k) {
    const HeftVec3 back = heft_vec3_scale(-1 / heft_vec3_norm(slip[k]), slip[k]);
    x->ray[i][x->rays[i]++] = heft_vec3_add_scaled(p->normal, p->kinetic, back);
    if (p->friction != p->kinetic)
      x->ray[i][x->rays[i]++] = heft_vec3_add_scaled(p->normal, p->friction, back);
  }
}

// Joint forces of a unit force on b along a direction.
static void add_column(Referee* r, const HeftContactPoint* p, HeftVec3 direction, int end,
                       int column, int width) {
  struct Reach* x = r->reach;
  const int nv = r->m->nv;
  double *sum = x->jacobian, *one = sum + nv;
  const double e[3] = {direction.x, direction.y, direction.z};
  memset(sum, 0, (size_t)nv * sizeof *sum);
  for (int side = 0; side < 2; ++side) {
    const int body = side == 0 ? p->body_a : p->body_b;
    if (r->tree[body] == 0) continue;
    heft_dynamics_body_jacobian(r->d[end], body, p->pos, one);
    for (int i = 0; i < nv; ++i)
      for (int k = 0; k < 3; ++k) sum[i] += (side == 0 ? -1 : 1) * e[k] * one[(3L + k) * nv + i];
  }
  for (int row = 0; row < x->rows; ++row)
    x->a[(long)row * width + column] = sum[x->dof[row]] * x->scale[row];
}

// Scales the three columns of a contact by one number.
static void even_out(struct Reach* x, int contact, int width) {
  double largest = 0;
  for (int k = 0; k < 3; ++k) {
    double square = 0;
    for (int row = 0; row < x->rows; ++row) {
      const double c = x->a[(long)row * width + 3L * contact + k];
      square += c * c;
    }
    largest = fmax(largest, sqrt(square));
  }
  for (int row = 0; row < x->rows; ++row)
    for (int k = 0; k < 3 && largest > 0; ++k)
      x->a[(long)row * width + 3L * contact + k] /= largest;
}

static int count_columns(const struct Reach* x, int slipping) {
  int count = 0;
  for (int i = 0; i < x->points; ++i) count += slipping && x->rays[i] > 0 ? x->rays[i] : 1;
  return count;
}

static int fill(Referee* r, int slipping) {
  struct Reach* x = r->reach;
  const int count = count_columns(x, slipping), width = 3 * count;
  if (count > POINTS) return -1;
  memset(x->a, 0, (size_t)x->rows * (size_t)width * sizeof *x->a);
  int at = 0;
  for (int i = 0; i < x->points; ++i) {
    const HeftContactPoint* p = x->point[i];
    const int end = referee_row_of(r, p);
    for (int k = 0; slipping && k < x->rays[i]; ++k, ++at) {
      x->mu[at] = 0;
      add_column(r, p, x->ray[i][k], end, 3 * at, width);
      even_out(x, at, width);
    }
    if (slipping && x->rays[i] > 0) continue;
    const HeftVec3 axes[3] = {p->normal, p->tangent1, p->tangent2};
    for (int k = 0; k < (p->dim == 1 ? 1 : 3); ++k)
      add_column(r, p, axes[k], end, 3 * at + k, width);
    x->mu[at] = p->dim == 1 ? 0 : fmax(p->friction, p->kinetic) * fmax(1, p->anisotropy);
    even_out(x, at++, width);
  }
  return count;
}

// The rest of forces in the scaled rows: its norm, and by dof.
static double rest_of(const Referee* r, int width, double* out) {
  const struct Reach* x = r->reach;
  double square = 0;
  memset(out, 0, (size_t)r->m->nv * sizeof *out);
  for (int row = 0; row < x->rows; ++row) {
    double rest = x->b[row];
    for (int c = 0; c < width; ++c) rest -= x->a[(long)row * width + c] * x->force[c];
    rest = rest > 0 ? fmax(0, rest - x->slack[row]) : fmin(0, rest + x->slack[row]);
    out[x->dof[row]] = rest / x->scale[row];
    square += rest * rest;
  }
  return sqrt(square);
}

// The joint forces that are missing, by dof. Returns the norm of the rest in the scaled rows, 0 if
// it is at most `small`, or -1 if the search did not end. Large prices of forces come first: forces
// that explain the step do so at any price. That none does is believed only if the dual function
// bounds the rest from below by half of it.
static double missing(Referee* r, int slipping, double small, double* out) {
  struct Reach* x = r->reach;
  const int count = fill(r, slipping);
  if (count < 0) return -1;
  const ForceShare problem = {.count = count,
                              .rows = x->rows,
                              .a = x->a,
                              .b = x->b,
                              .mu = x->mu,
                              .r = x->ease,
                              .slack = x->slack,
                              .scratch = x->scratch};
  memset(x->y, 0, sizeof x->y);
  double norm = 0, bound = 0;
  for (double ease = 1e-4; ease > 1e-9; ease *= 1e-2) {
    for (int i = 0; i < count; ++i) x->ease[i] = ease;
    heft_force_share(&problem, x->y, x->force);
    norm = rest_of(r, 3 * count, out);
    if (norm <= small) return 0;
    bound = heft_force_share_bound(&problem, x->y, x->force);
  }
  return bound >= 0.125 * norm * norm ? norm : -1;
}

// ---- verdicts

static void scale_rows(Referee* r) {
  struct Reach* x = r->reach;
  const int nv = r->m->nv;
  for (int row = 0; row < x->rows; ++row) {
    const int i = x->dof[row];
    const double big = 1e9;
    double lo = r->lo[i], hi = r->hi[i];
    x->scale[row] = 1 / sqrt(fmax(r->mass[(long)i * nv + i], 1e-12));
    if (!isfinite(lo) && !isfinite(hi)) lo = -big, hi = big;
    if (!isfinite(lo)) lo = fmin(hi, 0) - big;
    if (!isfinite(hi)) hi = fmax(lo, 0) + big;
    x->b[row] = 0.5 * (lo + hi) * x->scale[row];
    x->slack[row] = 0.5 * (hi - lo) * x->scale[row];
  }
}

// The body whose acceleration is explained least; -1: all are explained.
static int worst_body(Referee* r, double* rest, int island, double* value, double* allowed) {
  int worst = -1;
  double ratio = 1;
  referee_solve(r, rest);
  referee_accelerations(r, rest, r->lin_e);
  referee_accelerations(r, r->a, r->lin_a);
  for (int b = 1; b < r->m->nbody; ++b) {
    if (r->island[b] != island || r->lin_e[b] <= r->def.momentum * r->gravity) continue;
    const double bound = referee_allowed(r, r->island, b);
    if (!(r->lin_e[b] > ratio * bound)) continue;
    ratio = r->lin_e[b] / bound;
    worst = b;
    *value = r->lin_e[b];
    *allowed = bound;
  }
  return worst;
}

// The width of the intervals as an acceleration of a body.
static double left_open(Referee* r, int body) {
  const struct Reach* x = r->reach;
  double* wide = r->work[1];
  memset(wide, 0, (size_t)r->m->nv * sizeof *wide);
  for (int row = 0; row < x->rows; ++row)
    if (x->slack[row] / x->scale[row] < 1e8) wide[x->dof[row]] = x->slack[row] / x->scale[row];
  referee_solve(r, wide);
  referee_accelerations(r, wide, r->lin_e);
  return r->lin_e[body];
}

// The fastest slip of the island, at the body if it slips at all.
static int fastest(const Referee* r, int body) {
  const struct Reach* x = r->reach;
  int best = -1;
  for (int own = 1; own >= 0 && best < 0; --own)
    for (int i = 0; i < x->points; ++i) {
      const HeftContactPoint* p = x->point[i];
      const int touches = p->body_a == body || p->body_b == body;
      if ((own && !touches) || x->slip[i] <= 0 || x->rays[i] == 0) continue;
      if (best < 0 || x->slip[i] > x->slip[best]) best = i;
    }
  return best;
}

static void judge_island(Referee* r, int island) {
  struct Reach* x = r->reach;
  double value = 0, allowed = 0, *rest = r->work[0];
  if (!collect(r, island)) {
    ++r->report.unexplained;
    return;
  }
  int slips = 0;
  for (int i = 0; i < x->points; ++i) {
    find_rays(r, i);
    slips += x->rays[i] > 0;
  }
  scale_rows(r);
  const double small = 1e-4 * r->def.momentum * r->gravity;
  const double norm = missing(r, slips > 0, small, rest);  // the stricter question first
  if (norm == 0) return;
  const int strict = norm < 0 ? -1 : worst_body(r, rest, island, &value, &allowed);
  r->report.unexplained += norm < 0;
  if (strict < 0) return;
  double loose_value = value;
  int loose = strict;
  if (slips > 0) {
    const double left = missing(r, 0, small, rest);
    loose = left > 0 ? worst_body(r, rest, island, &loose_value, &allowed) : -1;
    r->report.unexplained += left < 0;
    if (left < 0) return;
  }
  const double open = left_open(r, strict) + allowed;
  if (loose >= 0) {
    referee_find(r, REFEREE_MOMENTUM, loose, -1, loose_value, open);
    return;
  }
  const int at = fastest(r, strict);
  if (at < 0) return;
  const HeftContactPoint* p = x->point[at];
  // the confidence is the one of the acceleration, the value the speed
  referee_find(r, REFEREE_CREEP, p->body_a, p->body_b, x->slip[at], x->slip[at] * open / value);
}

void referee_reach(Referee* r) {
  heft_dynamics_crba(r->d[r->now]);
  heft_dynamics_mass_matrix(r->d[r->now], r->mass);
  for (int b = 1; b < r->m->nbody; ++b)
    if (r->tree[b] && r->island[b] == b) judge_island(r, b);
}
