// SPDX-License-Identifier: Apache-2.0
// From the wrench of a foot to impulses at its points.
//
// Normal impulses: the least squares solution with the force and the torques of the wrench; if the
// centre of pressure is inside the clamped vertices, all are >= 0. Friction: the force is
// distributed in proportion to the normal impulses, so that every point is in the cone if the foot
// is; the torque about the normal is a rotation about their centre. Points lie slightly above or
// below the plane, so friction has torques in it: further passes subtract these.
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "world/models/foot.h"

enum { POINTS_MAX = 64, PASSES = 3 };
static const double tiny = 1e-11;

typedef struct Points {
  int count;
  const double* place[POINTS_MAX];
  double n[POINTS_MAX], t[POINTS_MAX][2];
  uint64_t loaded;  ///< those with a normal impulse, as bits
} Points;

// Loaded contact points: vertices that are clamped, all points of a sole.
static Points carrying(const Foot* f, int code, int* which) {
  Points p = {0};
  const unsigned clamped = heft_foot_clamped(f, code);
  for (int i = 0; i < f->count; ++i) {
    int carries = code > 2 * f->vertices;
    for (int v = 0; v < f->vertices; ++v)
      carries |= f->contact_point[v] == f->first + i && (clamped >> v & 1);
    if (!carries) continue;
    which[p.count] = i;
    p.place[p.count++] = f->place[i];
  }
  return p;
}

// Effect of a point on the force and on the two torques, these divided by the size of the foot.
static void effect_of(const Points* p, int i, double unit, double out[3]) {
  out[0] = 1;
  out[1] = unit * p->place[i][2];
  out[2] = -unit * p->place[i][1];
}

// The normal impulses of y, and the gradient of the objective at y (see share_normal()), whose
// value is returned.
static double answer(Points* p, double unit, int only_pressure, const double y[3],
                     const double w[3], double gradient[3]) {
  double value = 0;
  p->loaded = 0;
  for (int k = 0; k < 3; ++k) {
    gradient[k] = tiny * y[k] - w[k];
    value += 0.5 * tiny * y[k] * y[k] - w[k] * y[k];
  }
  for (int i = 0; i < p->count; ++i) {
    double g[3];
    effect_of(p, i, unit, g);
    p->n[i] = g[0] * y[0] + g[1] * y[1] + g[2] * y[2];
    if (only_pressure && !(p->n[i] > 0)) p->n[i] = 0;
    if (p->n[i] != 0) p->loaded |= UINT64_C(1) << i;
    for (int k = 0; k < 3; ++k) gradient[k] += p->n[i] * g[k];
    value += 0.5 * p->n[i] * p->n[i];
  }
  return value;
}

// step = -H⁻¹ gradient, H = tiny + the sum of g gᵀ over the loaded points.
static void newton_step(const Points* p, double unit, const double gradient[3], double step[3]) {
  double h[3][3] = {{tiny, 0, 0}, {0, tiny, 0}, {0, 0, tiny}};
  for (int i = 0; i < p->count; ++i) {
    double g[3];
    effect_of(p, i, unit, g);
    if (!(p->loaded >> i & 1)) continue;
    for (int k = 0; k < 3; ++k)
      for (int j = 0; j <= k; ++j) h[k][j] += g[k] * g[j];
  }
  for (int k = 0; k < 3; ++k) {  // h becomes L D, lower triangle
    for (int j = 0; j < k; ++j) {
      for (int i = k; i < 3; ++i) h[i][k] -= h[i][j] * h[k][j] / h[j][j];
    }
  }
  for (int k = 0; k < 3; ++k) {
    step[k] = -gradient[k];
    for (int j = 0; j < k; ++j) step[k] -= h[k][j] / h[j][j] * step[j];
  }
  for (int k = 2; k >= 0; --k) {
    step[k] /= h[k][k];
    for (int j = k + 1; j < 3; ++j) step[k] -= h[j][k] / h[k][k] * step[j];
  }
}

// Minimises |G n - w|² + tiny |n|², with n >= 0 if only_pressure, for w = (force, torques). The
// solution is n = max(0, Gᵀ y), where y has three numbers and minimises
//     ½ tiny |y|² + ½ |max(0, Gᵀ y)|² - w · y,
// which Newton's method does in a few steps for any number of points.
static void share_normal(Points* p, double force, double m1, double m2, int only_pressure) {
  enum { STEPS_MAX = 40, HALVES_MAX = 20 };
  double size = 0, y[3] = {0, 0, 0}, gradient[3], step[3];
  for (int i = 0; i < p->count; ++i) size = fmax(size, fabs(p->place[i][1]) + fabs(p->place[i][2]));
  const uint64_t all = p->count < POINTS_MAX ? (UINT64_C(1) << p->count) - 1 : ~UINT64_C(0);
  const double unit = size > 0 ? 1 / size : 0, w[3] = {force, unit * m1, unit * m2};
  double value = answer(p, unit, only_pressure, y, w, gradient);
  p->loaded = all;  // at first
  for (int round = 0; round < STEPS_MAX; ++round) {
    const uint64_t were = p->loaded;
    newton_step(p, unit, gradient, step);
    double share = 1, next[3], now = 0;
    for (int half = 0; half < HALVES_MAX; ++half, share *= 0.5) {
      for (int k = 0; k < 3; ++k) next[k] = y[k] + share * step[k];
      now = answer(p, unit, only_pressure, next, w, gradient);
      if (now <= value) break;
    }
    memcpy(y, next, sizeof y);
    value = now;
    if (p->loaded == were) return;  // one step minimises a quadratic
  }
}

static void share_friction(Points* p, const double* wrench) {
  double sum = 0, c[2] = {0, 0}, torque = wrench[3], arms = 0;
  for (int i = 0; i < p->count; ++i) sum += fabs(p->n[i]);
  for (int i = 0; i < p->count; ++i) {
    const double share = sum > 0 ? fabs(p->n[i]) / sum : 1.0 / p->count;
    for (int k = 0; k < 2; ++k) {
      p->t[i][k] = share * wrench[1 + k];
      c[k] += share * p->place[i][1 + k];
    }
    torque -= p->place[i][1] * p->t[i][1] - p->place[i][2] * p->t[i][0];
  }
  for (int pass = 0; pass < 2 && !(arms > 0); ++pass) {  // evenly, if one point carries all
    for (int i = 0; i < p->count; ++i) {
      const double x = p->place[i][1] - c[0], y = p->place[i][2] - c[1];
      arms += (pass == 0 && sum > 0 ? fabs(p->n[i]) / sum : 1.0 / p->count) * (x * x + y * y);
    }
    if (!(arms > 1e-8)) {
      arms = 0;
      continue;
    }
    for (int i = 0; i < p->count; ++i) {
      const double share = pass == 0 && sum > 0 ? fabs(p->n[i]) / sum : 1.0 / p->count;
      p->t[i][0] -= torque / arms * share * (p->place[i][2] - c[1]);
      p->t[i][1] += torque / arms * share * (p->place[i][1] - c[0]);
    }
  }
}

static void share_foot(const ModelTask* t, const Foot* f, const Stand* s, int code) {
  int which[POINTS_MAX];
  Points p = carrying(f, code, which);
  const double* w = s->wrench;
  for (int pass = 0; pass < PASSES && p.count > 0; ++pass) {
    double m1 = w[4], m2 = w[5];
    for (int i = 0; i < p.count; ++i) {  // r × t has -c_n t_2 about t1 and c_n t_1 about t2
      m1 += p.place[i][0] * p.t[i][1];
      m2 -= p.place[i][0] * p.t[i][0];
    }
    share_normal(&p, w[0], m1, m2, s->keeps);
    share_friction(&p, w);
  }
  for (int i = 0; i < p.count; ++i) {
    const HeftConstraintBlock* c = &t->problem->constraints[f->first + which[i]];
    const HeftContactPoint* contact_point = heft_model_contact_point(t, f->first + which[i]);
    HeftVec3 force = heft_vec3_scale(p.n[i], f->normal);
    force = heft_vec3_add_scaled(force, p.t[i][0], f->tangent1);
    force = heft_vec3_add_scaled(force, p.t[i][1], f->tangent2);
    t->impulse[c->row] = heft_vec3_dot(force, contact_point->normal);
    if (heft_constraint_type_row_count(c->type) < 3) continue;
    t->impulse[c->row + 1] = heft_vec3_dot(force, contact_point->tangent1);
    t->impulse[c->row + 2] = heft_vec3_dot(force, contact_point->tangent2);
  }
}

static void remember(const ModelTask* t, const Foot* f, int now, int next) {
  const unsigned coming = heft_foot_clamped(f, next), clamped = heft_foot_clamped(f, now);
  for (int i = 0; i < f->count; ++i) {
    double* memory = heft_model_memory(t, f->first + i);
    memory[0] = next > 2 * f->vertices;
    memory[1] = now > 2 * f->vertices;
    memory[2] = 1;  // the point existed in this step
  }
  for (int v = 0; v < f->vertices; ++v) {
    heft_model_memory(t, f->contact_point[v])[0] = coming >> v & 1;
    heft_model_memory(t, f->contact_point[v])[1] = clamped >> v & 1;
  }
}

void heft_feet_share(const ModelTask* t, const Feet* feet, const Trial* trial, const int* next) {
  memset(t->impulse, 0, (size_t)t->contact_rows * sizeof(double));
  for (int i = 0; i < feet->count; ++i) {
    share_foot(t, &feet->foot[i], &trial->stand[i], trial->code[i]);
    remember(t, &feet->foot[i], trial->code[i], next[i]);
  }
}
