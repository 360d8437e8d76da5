// SPDX-License-Identifier: Apache-2.0
// Papers: U12.
// Mobility of a touched point, from the Delassus blocks of the world's last step.
//
// With M̂ as factored for the step, p the touched point and c the contacts near it with a force,
//
//     W_pp = J_p M̂⁻¹ J_pᵀ,   C = W_pp - W_pc W_cc⁻¹ W_cp
//
// is the velocity of p by an impulse while the contacts hold. A sticking contact holds in three
// directions, a slipping one along its normal. W_cc is singular if contacts are redundant, so a
// small number is added to its diagonal. M̂ contains the spring of the hand, which adds
// s = h c + h² k at p; without it the mobility is
//
//     W⁻¹ = C⁻¹ - s I,   W = (I - s C)⁻¹ C,
//
// which needs no inverse of C: C of a static point has none.
#include "interact/mobility.h"

#include <math.h>
#include <string.h>

#include "math/dense.h"

enum { ROWS = 3 * MOBILITY_CONTACTS, SPAN = 3 * MOBILITY_POINTS, ROOM = (SPAN * SPAN + 7) / 8 * 8 };

static const double trifle = 1e-6;

typedef struct Near {
  HeftContact contact;
  double distance;
} Near;

// ---- contacts that carry, the nearest first

static int find_near(const HeftWorld* w, HeftVec3 point, Near near[MOBILITY_CONTACTS]) {
  int count = 0;
  for (int i = 0; i < heft_world_contact_count(w); ++i) {
    const HeftContact c = heft_world_contact(w, i);
    if (c.state == HEFT_CONTACT_OPEN) continue;
    const double far = heft_vec3_norm(heft_vec3_sub(c.pos, point));
    int at = count < MOBILITY_CONTACTS ? count : MOBILITY_CONTACTS;
    while (at > 0 && near[at - 1].distance > far) --at;
    if (at == MOBILITY_CONTACTS) continue;
    const int last = count < MOBILITY_CONTACTS ? count++ : MOBILITY_CONTACTS - 1;
    for (int k = last; k > at; --k) near[k] = near[k - 1];
    near[at] = (Near){c, far};
  }
  return count;
}

static HeftMat3 frame_of(HeftVec3 normal) {
  const HeftVec3 other = fabs(normal.x) < 0.7 ? heft_vec3(1, 0, 0) : heft_vec3(0, 1, 0);
  const HeftVec3 u = heft_vec3_normalize(heft_vec3_cross(normal, other));
  return heft_mat3_from_columns(normal, u, heft_vec3_cross(normal, u));
}

// ---- blocks

// Row i of a contact: the velocity of b against a, in its frame.
typedef struct Row {
  int a, b;  // rows of the points' matrix; -1: a static body
} Row;

static double entry(const double* lambda, int n, Row x, Row y) {
  double sum = 0;
  const int xs[2] = {x.a, x.b}, ys[2] = {y.a, y.b};
  for (int i = 0; i < 2; ++i)
    for (int k = 0; k < 2; ++k)
      if (xs[i] >= 0 && ys[k] >= 0)
        sum += (i == k ? 1 : -1) * lambda[(size_t)xs[i] * (size_t)n + (size_t)ys[k]];
  return sum;
}

static int add_point(HeftDelassusPoint* points, int* count, int body, HeftVec3 pos,
                     HeftMat3 frame) {
  if (body == 0) return -1;
  points[*count] = (HeftDelassusPoint){body, pos, frame};
  return 3 * (*count)++;
}

static int add_rows(const Near* near, HeftDelassusPoint* points, int* count, Row* rows, int have) {
  const HeftContact* c = &near->contact;
  const HeftMat3 frame = frame_of(c->normal);
  const int a = add_point(points, count, c->body_a, c->pos, frame);
  const int b = add_point(points, count, c->body_b, c->pos, frame);
  const int held = c->state == HEFT_CONTACT_STICKING ? 3 : 1;
  for (int i = 0; i < held; ++i) rows[have++] = (Row){a < 0 ? -1 : a + i, b < 0 ? -1 : b + i};
  return have;
}

// C from the matrix of all points; the touched one is the first.
static HeftMat3 held_back(const double* lambda, int n, const Row* rows, int count) {
  double cc[ROWS * ROWS], pc[3][ROWS], x[ROWS], out[9];
  double trace = 0;
  for (int i = 0; i < count; ++i) trace += entry(lambda, n, rows[i], rows[i]);
  for (int i = 0; i < count; ++i)
    for (int k = 0; k < count; ++k)
      cc[i * count + k] =
          entry(lambda, n, rows[i], rows[k]) + (i == k ? trifle * trace / count : 0);
  const int known = count > 0 && trace > 0 && heft_cholesky_factor(count, cc, count) == 0;
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < count; ++k) pc[i][k] = entry(lambda, n, (Row){-1, i}, rows[k]);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) out[3 * i + j] = lambda[(size_t)i * (size_t)n + (size_t)j];
    if (!known) continue;
    memcpy(x, pc[i], sizeof x);
    heft_cholesky_solve(count, cc, count, x);
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < count; ++k) out[3 * i + j] -= x[k] * pc[j][k];
  }
  HeftMat3 c;
  memcpy(&c, out, sizeof c);
  return c;
}

// Columns of (I - s C)⁻¹ C by Cramer's rule.
static HeftMat3 without_spring(HeftMat3 c, double spring) {
  HeftMat3 a = heft_mat3_identity();
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) a.m[i][k] -= spring * c.m[i][k];
  const HeftVec3 r[3] = {heft_mat3_row(a, 0), heft_mat3_row(a, 1), heft_mat3_row(a, 2)};
  const HeftVec3 x[3] = {heft_vec3_cross(r[1], r[2]), heft_vec3_cross(r[2], r[0]),
                         heft_vec3_cross(r[0], r[1])};
  const double det = heft_vec3_dot(r[0], x[0]);
  HeftMat3 inverse = heft_mat3_from_columns(x[0], x[1], x[2]);
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) inverse.m[i][k] /= det;
  return heft_mat3_mul(inverse, c);
}

// ----

size_t mobility_scratch(const HeftDynamics* dynamics) {
  return heft_dynamics_delassus_scratch(dynamics, HEFT_DELASSUS_LTL, MOBILITY_POINTS) + ROOM;
}

HeftMat3 mobility_at(const HeftWorld* w, int body, HeftVec3 point, double spring, double* scratch) {
  const HeftMat3 none = {{{0}}};
  if (body <= 0) return none;
  Near near[MOBILITY_CONTACTS];
  Row rows[ROWS];
  HeftDelassusPoint points[MOBILITY_POINTS];
  int count = 0, have = 0;
  add_point(points, &count, body, point, heft_mat3_identity());
  const int contacts = find_near(w, point, near);
  for (int i = 0; i < contacts; ++i) have = add_rows(&near[i], points, &count, rows, have);
  double* lambda = scratch;
  heft_dynamics_delassus(heft_world_dynamics(w), HEFT_DELASSUS_LTL, count, points, scratch + ROOM,
                         lambda);
  const HeftMat3 c = held_back(lambda, 3 * count, rows, have);
  const HeftMat3 free = without_spring(c, spring);
  for (int i = 0; i < 3; ++i) {
    const HeftVec3 row = heft_mat3_row(free, i);
    if (!(isfinite(row.x) && isfinite(row.y) && isfinite(row.z))) return none;
  }
  return free;
}
