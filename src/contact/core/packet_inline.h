// SPDX-License-Identifier: Apache-2.0
// A packet of four contacts that share no body: impulses, twists, velocities and residuals. Each
// component does the operations of the scalar code in the same order.
//
// Twists are gathered from and scattered to eight numbers per effector by 4x4 transpositions. An
// extra effector at the end represents static bodies; its twist stays zero.
#ifndef HEFT_SRC_CONTACT_CORE_PACKET_INLINE_H
#define HEFT_SRC_CONTACT_CORE_PACKET_INLINE_H

#include "contact/core/packet.h"
#include "math/simd_packet.h"

HEFT_INLINE Six4 gather(const double* z, const int* effector) {
  const double *p = z + EFFECTOR_PAD * effector[0], *q = z + EFFECTOR_PAD * effector[1],
               *r = z + EFFECTOR_PAD * effector[2], *s = z + EFFECTOR_PAD * effector[3];
  Six4 six;
  V4 a = v4_load(p), b = v4_load(q), c = v4_load(r), d = v4_load(s);
  transpose(&a, &b, &c, &d);
  six.v[0] = a, six.v[1] = b, six.v[2] = c, six.v[3] = d;
  a = v4_load(p + 4), b = v4_load(q + 4), c = v4_load(r + 4), d = v4_load(s + 4);
  transpose(&a, &b, &c, &d);
  six.v[4] = a, six.v[5] = b;
  return six;
}

HEFT_INLINE void store_twist(double* z, int effector, int effectors, V4 first, V4 second) {
  if (effector >= effectors) return;
  v4_store(z + EFFECTOR_PAD * effector, first);
  v4_store(z + EFFECTOR_PAD * effector + 4, second);
}

// The place behind the last effector is for static bodies and is never written.
HEFT_INLINE void scatter(double* z, const int* effector, int effectors, const Six4* six) {
  V4 a = six->v[0], b = six->v[1], c = six->v[2], d = six->v[3];
  V4 e = six->v[4], f = six->v[5], g = v4_all(0), h = v4_all(0);
  transpose(&a, &b, &c, &d);
  transpose(&e, &f, &g, &h);
  store_twist(z, effector[0], effectors, a, e);
  store_twist(z, effector[1], effectors, b, f);
  store_twist(z, effector[2], effectors, c, g);
  store_twist(z, effector[3], effectors, d, h);
}

HEFT_INLINE V4 packet(const double* at, int k) { return v4_load_aligned(at + PACKET_SIZE * k); }

// Σ_k X_ka V_k, as core_velocity4() adds it.
HEFT_INLINE V4 row_times(const double* x, int a, const Six4* v) {
  return ((packet(x, a) * v->v[0] + packet(x, 3 + a) * v->v[1]) +
          (packet(x, 6 + a) * v->v[2] + packet(x, 9 + a) * v->v[3])) +
         (packet(x, 12 + a) * v->v[4] + packet(x, 15 + a) * v->v[5]);
}

HEFT_INLINE void packet_apply_impulse(const double* y, V4 d0, V4 d1, V4 d2, Six4* v) {
  for (int k = 0; k < 6; ++k)
    v->v[k] += (packet(y, 3 * k) * d0 + packet(y, 3 * k + 1) * d1) + packet(y, 3 * k + 2) * d2;
}

// u = b + soft r + X V, as core_velocity4() adds it. Rows of problems with softness are in no
// packet.
HEFT_INLINE Packet3 packet_velocity(const Core* core, int group, const Packet3* r, const Six4* v0,
                                    const Six4* v1) {
  const double *x0 = core->packet + (size_t)PACKET_DOUBLES * (size_t)group + PACKET_X,
               *x1 = x0 + 18 * PACKET_SIZE;
  const Packet3 b = gather_slots(core->b + 16 * group);
  const V4 soft = core->problem->compliance * v4_load(core->w + PACKET_SIZE * group);
  return (Packet3){((b.n + soft * r->n) + row_times(x0, 0, v0)) + row_times(x1, 0, v1),
                   ((b.t1 + soft * r->t1) + row_times(x0, 1, v0)) + row_times(x1, 1, v1),
                   ((b.t2 + soft * r->t2) + row_times(x0, 2, v0)) + row_times(x1, 2, v1)};
}

// point_residual() of the four contacts from i on, operation by operation.
HEFT_INLINE V4 packet_residual(const Core* core, int i, const Packet3* r, const Packet3* u) {
  const Cone* cone = core->cone + i;
  const V4 mu = {cone[0].mu[0], cone[1].mu[0], cone[2].mu[0], cone[3].mu[0]};
  const V4 iw = v4_load(core->iw + i), zero = v4_all(0);
  V4 x0 = r->n - (u->n + mu * v4_root(u->t1 * u->t1 + u->t2 * u->t2)) * iw;
  V4 x1 = r->t1 - u->t1 * iw, x2 = r->t2 - u->t2 * iw;
  const V4 t = v4_root(x1 * x1 + x2 * x2);
  const V4 n = (x0 + mu * t) / (1 + mu * mu), cut = mu * n / t;
  const I4 outside = (t > mu * x0) | (x0 < zero), pressing = n > zero;
  x0 = v4_select(outside, v4_select(pressing, n, zero), x0) - r->n;
  x1 = v4_select(outside, v4_select(pressing, x1 * cut, zero), x1) - r->t1;
  x2 = v4_select(outside, v4_select(pressing, x2 * cut, zero), x2) - r->t2;
  return v4_load(core->w + i) * v4_root(x0 * x0 + x1 * x1 + x2 * x2);
}

#endif
