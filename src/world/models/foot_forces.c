// SPDX-License-Identifier: Apache-2.0
// From the wrench of a foot to impulses at its points.
//
// Normal impulses: those of least squares that have the force and the moments of the wrench; if the
// centre of pressure is inside of what is clamped none of them pulls. Friction: the force in
// proportion to the normal impulses, so that no point leaves the cone that the foot is in; the
// moment about the normal as a turn about their centre. Points lie a little above or below the
// plane, so that friction has moments in it: a second pass takes these off.
#include <math.h>
#include <string.h>

#include "world/models/foot.h"
#include "world/models/signed_quadratic.h"

enum { POINTS_MOST = 64, PASSES = 3 };

typedef struct Points {
  int count;
  const double* place[POINTS_MOST];
  double n[POINTS_MOST], t[POINTS_MOST][2];
} Points;

// Touches that carry: vertices that are clamped, all points of a sole.
static Points carrying(const Foot* f, int code, int* which) {
  Points p = {0};
  const unsigned clamped = heft_foot_clamped(f, code);
  for (int i = 0; i < f->count; ++i) {
    int carries = code > 2 * f->vertices;
    for (int v = 0; v < f->vertices; ++v)
      carries |= f->touch[v] == f->first + i && (clamped >> v & 1);
    if (!carries) continue;
    which[p.count] = i;
    p.place[p.count++] = f->place[i];
  }
  return p;
}

// Least |G n - (force, moments)|² + tiny |n|², n >= 0 if nothing should pull.
static void share_normal(Points* p, double force, double m1, double m2, int pushes) {
  double h[POINTS_MOST * POINTS_MOST], g[POINTS_MOST], scratch[POINTS_MOST * (POINTS_MOST + 4)];
  unsigned char bounded[POINTS_MOST];
  double size = 0;
  for (int i = 0; i < p->count; ++i) size = fmax(size, fabs(p->place[i][1]) + fabs(p->place[i][2]));
  const double unit = size > 0 ? 1 / (size * size) : 0;
  for (int i = 0; i < p->count; ++i) {
    const double* a = p->place[i];
    bounded[i] = (unsigned char)pushes;
    g[i] = force + unit * (a[2] * m1 - a[1] * m2);
    for (int j = 0; j < p->count; ++j) {
      const double* b = p->place[j];
      h[i * p->count + j] = 1 + unit * (a[1] * b[1] + a[2] * b[2]) + (i == j ? 1e-11 : 0);
    }
  }
  if (heft_signed_quadratic(p->count, h, g, bounded, p->n, scratch) < 0)
    memset(p->n, 0, sizeof p->n);
}

static void share_friction(Points* p, const double* wrench) {
  double sum = 0, c[2] = {0, 0}, moment = wrench[3], arms = 0;
  for (int i = 0; i < p->count; ++i) sum += fabs(p->n[i]);
  for (int i = 0; i < p->count; ++i) {
    const double share = sum > 0 ? fabs(p->n[i]) / sum : 1.0 / p->count;
    for (int k = 0; k < 2; ++k) {
      p->t[i][k] = share * wrench[1 + k];
      c[k] += share * p->place[i][1 + k];
    }
    moment -= p->place[i][1] * p->t[i][1] - p->place[i][2] * p->t[i][0];
  }
  for (int pass = 0; pass < 2 && !(arms > 0); ++pass) {  // evenly, where all weight is on one point
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
      p->t[i][0] -= moment / arms * share * (p->place[i][2] - c[1]);
      p->t[i][1] += moment / arms * share * (p->place[i][1] - c[0]);
    }
  }
}

static void share_foot(const ModelTask* t, const Foot* f, const Stand* s, int code) {
  int which[POINTS_MOST];
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
    const HeftContact* c = &t->problem->contacts[f->first + which[i]];
    const HeftTouch* touch = heft_model_touch(t, f->first + which[i]);
    HeftVec3 force = heft_vec3_scale(p.n[i], f->normal);
    force = heft_vec3_add_scaled(force, p.t[i][0], f->tangent1);
    force = heft_vec3_add_scaled(force, p.t[i][1], f->tangent2);
    t->impulse[c->row] = heft_vec3_dot(force, touch->normal);
    if (heft_contact_type_rows(c->type) < 3) continue;
    t->impulse[c->row + 1] = heft_vec3_dot(force, touch->tangent1);
    t->impulse[c->row + 2] = heft_vec3_dot(force, touch->tangent2);
  }
}

static void remember(const ModelTask* t, const Foot* f, int now, int next) {
  const unsigned coming = heft_foot_clamped(f, next), clamped = heft_foot_clamped(f, now);
  for (int i = 0; i < f->count; ++i) {
    double* memory = heft_model_memory(t, f->first + i);
    memory[0] = next > 2 * f->vertices;
    memory[1] = now > 2 * f->vertices;
    memory[2] = 1;  // it has been here before
  }
  for (int v = 0; v < f->vertices; ++v) {
    heft_model_memory(t, f->touch[v])[0] = coming >> v & 1;
    heft_model_memory(t, f->touch[v])[1] = clamped >> v & 1;
  }
}

void heft_feet_share(const ModelTask* t, const Feet* feet, const Trial* trial, const int* next) {
  memset(t->impulse, 0, (size_t)t->touch_rows * sizeof(double));
  for (int i = 0; i < feet->count; ++i) {
    share_foot(t, &feet->foot[i], &trial->stand[i], trial->code[i]);
    remember(t, &feet->foot[i], trial->code[i], next[i]);
  }
}
