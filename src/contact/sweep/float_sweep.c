// SPDX-License-Identifier: Apache-2.0
// The sweep in single precision: every contact in turn, eight that share no body side by side.
//
// The disc in terms of δ: with x = r0_t + y the point to project, R = µ (r0_n + δ_n) the radius and
//   s = R² - |x|² = (µ² r0_n² - |r0_t|²) + µ² (2 r0_n δ_n + δ_n²) - (2 r0_t · y + |y|²),
// the projection of an x outside is y + (R / |x| - 1) x, R / |x| - 1 = s / (|x| (R + |x|)). The
// first bracket is computed in double precision, so that no large numbers cancel.
#include "contact/sweep/float_sweep.h"
#include "base/assert.h"

#include <math.h>

HEFT_INLINE F8 float_row(const float* x, int row, const Six8* v) {
  const float* at = x + 6 * F8_SIZE * row;
  return ((f8_load(at) * v->v[0] + f8_load(at + F8_SIZE) * v->v[1]) +
          (f8_load(at + 2 * F8_SIZE) * v->v[2] + f8_load(at + 3 * F8_SIZE) * v->v[3])) +
         (f8_load(at + 4 * F8_SIZE) * v->v[4] + f8_load(at + 5 * F8_SIZE) * v->v[5]);
}

HEFT_INLINE void float_apply(const float* x, F8 d0, F8 d1, F8 d2, Six8* v) {
#pragma GCC unroll 6
  for (int k = 0; k < 6; ++k)
    v->v[k] += (f8_load(x + F8_SIZE * k) * d0 + f8_load(x + F8_SIZE * (6 + k)) * d1) +
               f8_load(x + F8_SIZE * (12 + k)) * d2;
}

// δ_t of the point of the disc next to r0_t + (y1, y2).
HEFT_INLINE void float_disc(const FloatLaw* law, F8 n, F8* y1, F8* y2) {
  const F8 mu = law->mu, r1 = law->r0[1], r2 = law->r0[2], a = *y1, b = *y2;
  const F8 inside =
      law->slack + mu * mu * (n * (2 * law->r0[0] + n)) - (a * (2 * r1 + a) + b * (2 * r2 + b));
  const F8 x1 = r1 + a, x2 = r2 + b, square = x1 * x1 + x2 * x2, before = mu * law->r0[0];
  const F8 inverse = f8_inverse_root(square), size = square * inverse;
  const F8 radius = before + mu * n, sum = radius + size;
  const F8 room = f8_select(2 * radius > before, inside / sum, radius - size);
  const F8 less = room * inverse;
  const M8 out = (room < f8_all(0)) & (square > f8_all(1e-30f));
  *y1 = f8_select(out, a + less * x1, a);
  *y2 = f8_select(out, b + less * x2, b);
}

typedef struct Sums {
  F8 worst, norm, onwards;
} Sums;

// One group on its way through a sweep.
typedef struct Visit {
  const float *x, *y;  // X̂ of both sides
  const int *body0, *body1;
  const FloatLaw* law;
  Six8 v0, v1;
  F8 u0, u1, u2, d0, d1, d2;
} Visit;

// Twists and velocities.
HEFT_INLINE void visit(const FloatSweep* s, int group, Visit* v) {
  v->x = s->x + (size_t)group * FLOAT_X * F8_SIZE;
  v->y = v->x + 18 * F8_SIZE;
  v->body0 = s->body + 2 * F8_SIZE * (size_t)group;
  v->body1 = v->body0 + F8_SIZE;
  v->law = &s->law[group];
  v->v0 = six8_gather(s->z, v->body0);
  v->v1 = six8_gather(s->z, v->body1);
  v->u0 = v->law->u0[0] + (float_row(v->x, 0, &v->v0) + float_row(v->y, 0, &v->v1));
  v->u1 = v->law->u0[1] + (float_row(v->x, 1, &v->v0) + float_row(v->y, 1, &v->v1));
  v->u2 = v->law->u0[2] + (float_row(v->x, 2, &v->v0) + float_row(v->y, 2, &v->v1));
}

// The new impulses, in the place of those before the last ones.
HEFT_INLINE void solve_contacts(const FloatSweep* s, int group, F8 beta, Visit* v, Sums* sums) {
  const float* from = s->delta + (size_t)group * FLOAT_CHANGE * F8_SIZE;
  float* to = s->last + (size_t)group * FLOAT_CHANGE * F8_SIZE;
  const FloatLaw* law = v->law;
  const F8 g0 = f8_load(from), g1 = f8_load(from + F8_SIZE), g2 = f8_load(from + 2 * F8_SIZE);
  const F8 old0 = g0 + beta * (g0 - f8_load(to)), old1 = g1 + beta * (g1 - f8_load(to + F8_SIZE)),
           old2 = g2 + beta * (g2 - f8_load(to + 2 * F8_SIZE));
  const F8 n = f8_max(old0 - v->u0 * law->iw, -law->r0[0]), d0 = n - old0;
  F8 t1 = old1 - (v->u1 + law->w1 * d0) * law->itangent,
     t2 = old2 - (v->u2 + law->w2 * d0) * law->itangent;
  float_disc(law, n, &t1, &t2);
  v->d0 = d0, v->d1 = t1 - old1, v->d2 = t2 - old2;
  f8_store(to, n);
  f8_store(to + F8_SIZE, t1);
  f8_store(to + 2 * F8_SIZE, t2);
  const F8 tangent = v->d1 * v->d1 + v->d2 * v->d2, e0 = law->w * d0;
  const F8 e = e0 * e0 + (law->tangent * law->tangent) * tangent;
  sums->worst = f8_select((e > sums->worst) | (e != e), e, sums->worst);
  sums->norm += law->mean * (d0 * d0 + tangent);
  sums->onwards += law->mean * (d0 * (n - g0) + (v->d1 * (t1 - g1) + v->d2 * (t2 - g2)));
}

// Their effect on the twists.
HEFT_INLINE void leave(const FloatSweep* s, Visit* v) {
  float_apply(v->x, v->d0, v->d1, v->d2, &v->v0);
  float_apply(v->y, v->d0, v->d1, v->d2, &v->v1);
  six8_scatter(s->z, v->body0, &v->v0);
  six8_scatter(s->z, v->body1, &v->v1);
}

// Bodies from first to end - 1: their twists go on along the change of the last sweep.
HEFT_INLINE void go_on(const FloatSweep* s, int first, int end, F8 beta) {
  for (int m = FLOAT_TWIST * first; m < FLOAT_TWIST * end; m += FLOAT_TWIST) {
    const F8 z = f8_load(s->z + m);
    f8_store(s->z + m, z + beta * (z - f8_load(s->z_last + m)));
    f8_store(s->z_last + m, z);
  }
}

// Two groups of a colour side by side: the processor works on one while the other waits.
HEFT_CLONES
static void float_sweep_job(const FloatSweep* s, int job, FloatResidual* out) {
  const HeapOrder* o = &s->order;
  const Domains* d = &o->domains;
  const F8 beta = f8_all((float)s->beta);
  HEFT_ASSERT(job < d->jobs && o->job[job] <= o->job[job + 1]);
  Sums sums = {f8_all(0), f8_all(0), f8_all(0)};
  Visit v, w;
  if (job < d->count) go_on(s, d->body[job], d->body[job + 1], beta);
  for (int c = o->job[job]; c < o->job[job + 1]; ++c) {
    int g = o->run[c];
    const int end = o->run[c + 1];
    HEFT_ASSERT(g < end && end <= s->groups);
    for (; g + 1 < end; g += 2) {
      visit(s, g, &v);
      visit(s, g + 1, &w);
      solve_contacts(s, g, beta, &v, &sums);
      solve_contacts(s, g + 1, beta, &w, &sums);
      leave(s, &v);
      leave(s, &w);
    }
    if (g == end) continue;
    visit(s, g, &v);
    solve_contacts(s, g, beta, &v, &sums);
    leave(s, &v);
  }
  out->worst = (double)f8_greatest(sums.worst);
  out->norm = f8_sum(sums.norm);
  out->onwards = f8_sum(sums.onwards);
}

typedef struct Stage {
  FloatSweep* s;
  int first;  // job
} Stage;

static void sweep_job(void* arg, int index) {
  const Stage* stage = arg;
  const int job = stage->first + index;
  float_sweep_job(stage->s, job, &stage->s->part[job]);
}

FloatResidual float_sweep(FloatSweep* s) {
  const Domains* d = &s->order.domains;
  HEFT_ASSERT(d->jobs <= JOBS_MAX && d->stage[d->stages] == d->jobs);
  FloatResidual sum = {0};
  for (int k = 0; k < d->stages; ++k) {
    Stage stage = {s, d->stage[k]};
    share_tasks(s->share, d->stage[k + 1] - d->stage[k], sweep_job, &stage);
  }
  for (int j = 0; j < d->jobs; ++j) {
    const FloatResidual* own = &s->part[j];
    if (own->worst > sum.worst || own->worst != own->worst) sum.worst = own->worst;
    sum.norm += own->norm;
    sum.onwards += own->onwards;
  }
  float* other = s->last;
  s->last = s->delta;
  s->delta = other;
  sum.worst = sqrt(sum.worst);
  sum.norm = sqrt(sum.norm);
  return sum;
}
