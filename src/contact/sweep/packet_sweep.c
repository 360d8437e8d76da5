// SPDX-License-Identifier: Apache-2.0
// The sweep of gauss_seidel.c over packets of four contacts that share no body (colouring.c), one
// contact per component. Every component does the operations of the scalar code in the same order,
// so the bits are the same. Where the four differ (open, stick, slip, number of Newton steps), all
// are computed to the end and each keeps its own result.
#include "contact/sweep/packet_sweep.h"
#include "base/assert.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "contact/core/packet_inline.h"

HEFT_INLINE int any(I4 mask) { return ((mask[0] | mask[1]) | (mask[2] | mask[3])) != 0; }

// ---- the local problem, as local_solve() and local_slip() do it

#define L(name) packet(l, (int)(offsetof(Local, name) / sizeof(double)))

typedef struct Secular4 {
  V4 n, g, step;
} Secular4;

HEFT_INLINE Secular4 secular4(const double* l, V4 qn, V4 e0, V4 e1, V4 k, V4 lambda) {
  const V4 d0 = 1 / (L(a0) + lambda), d1 = 1 / (L(a1) + lambda);
  const V4 y0 = -e0 * d0, y1 = -e1 * d1, z0 = y0 * d0, z1 = y1 * d1;
  Secular4 x;
  x.n = v4_root(y0 * y0 + y1 * y1);
  x.g = -k * (qn + L(w0) * y0 + L(w1) * y1);
  const V4 dn = y0 * z0 + y1 * z1, dg = k * (L(w0) * z0 + L(w1) * z1);
  const V4 n2 = x.n * x.n, g2 = x.g * x.g;
  const V4 above = (x.g - x.n) * n2 * x.g / (dn * g2 + dg * n2 * x.n);
  const V4 below = (x.n - x.g) / (-dn / x.n - dg);
  x.step = v4_select(x.g > v4_all(0), above, below);
  return x;
}

// λ of the components that slip; the others keep their value.
HEFT_INLINE V4 find_lambda(const double* l, I4 slips, V4 qn, V4 e0, V4 e1, V4 shift, double near) {
  const V4 zero = v4_all(0), a0 = L(a0), a1 = L(a1), k = L(mu) * L(ia);
  const V4 min = v4_select(a0 < a1, a0, a1);
  V4 lo = zero, hi = v4_all(HUGE_VAL), lambda = L(lambda);
  V4 guess = v4_root(e0 * e0 + e1 * e1) / (-L(mu) * shift) - 0.5 * (a0 + a1);
  guess = v4_select((guess > zero) & (guess < v4_all(1e300)), guess, zero);
  lambda = v4_select(lambda > zero, lambda, guess);
  I4 active = slips;
  for (int steps = 0; steps < LOCAL_STEPS_MAX && any(active); ++steps) {
    const Secular4 x = secular4(l, qn, e0, e1, k, lambda);
    const I4 low = x.n > x.g;
    lo = v4_select(low, lambda, lo);
    hi = v4_select(low, hi, lambda);
    V4 next = lambda - x.step;
    const I4 inside = (next > lo) & (next < hi);
    const V4 size = lambda + min;
    I4 last = inside & (v4_abs(x.step) <= near * size);
    const I4 ends =
        ~inside & ((v4_abs(x.n - x.g) <= 4e-16 * x.n) | (v4_abs(x.step) <= 1e-14 * size));
    const V4 middle = v4_select(hi < v4_all(HUGE_VAL), 0.5 * (lo + hi), 4 * lambda + a0 + a1);
    next = v4_select(inside, next, v4_select(ends, lambda, middle));
    last |= ends | (~inside & (next == lambda));
    lambda = v4_select(active, next, lambda);
    active &= ~last;
  }
  return lambda;
}

HEFT_INLINE Packet3 slip4(double* l, I4 slips, V4 qn, V4 q1, V4 q2, double near) {
  const V4 zero = v4_all(0), mu = L(mu), c = L(c), s = L(s);
  const V4 shift = qn * L(ia), b1 = q1 - L(g01) * shift, b2 = q2 - L(g02) * shift;
  const V4 e0 = c * b1 + s * b2, e1 = -s * b1 + c * b2;
  const I4 rubs = slips & (mu > zero);
  Packet3 r = {-qn * L(ia), zero, zero};
  if (!any(rubs)) return r;
  const V4 lambda = find_lambda(l, rubs, qn, e0, e1, shift, near);
  const int at = PACKET_SIZE * (int)(offsetof(Local, lambda) / sizeof(double));
  v4_store(l + at, v4_select(rubs, lambda, v4_load(l + at)));
  const V4 y0 = -e0 / (L(a0) + lambda), y1 = -e1 / (L(a1) + lambda);
  r.n = v4_select(rubs, v4_root(y0 * y0 + y1 * y1) * L(imu), r.n);
  r.t1 = v4_select(rubs, c * y0 - s * y1, zero);
  r.t2 = v4_select(rubs, s * y0 + c * y1, zero);
  return r;
}

HEFT_INLINE Packet3 local_solve4(double* l, V4 u0, V4 u1, V4 u2, Packet3 r, double near) {
  const V4 zero = v4_all(0);
  const V4 qn = u0 - (L(g00) * r.n + L(g01) * r.t1 + L(g02) * r.t2);
  const I4 opens = qn >= zero;
  const V4 s0 = r.n - (L(i00) * u0 + L(i01) * u1 + L(i02) * u2);
  const V4 s1 = r.t1 - (L(i01) * u0 + L(i11) * u1 + L(i12) * u2);
  const V4 s2 = r.t2 - (L(i02) * u0 + L(i12) * u1 + L(i22) * u2);
  const V4 coupled = L(mu) * s0;
  const I4 sticks = ~opens & (s0 >= zero) & (s1 * s1 + s2 * s2 <= coupled * coupled);
  const I4 slips = ~(opens | sticks);
  Packet3 out = {v4_select(sticks, s0, zero), v4_select(sticks, s1, zero),
                 v4_select(sticks, s2, zero)};
  if (!any(slips)) return out;
  const V4 q1 = u1 - (L(g01) * r.n + L(g11) * r.t1 + L(g12) * r.t2);
  const V4 q2 = u2 - (L(g02) * r.n + L(g12) * r.t1 + L(g22) * r.t2);
  const Packet3 slid = slip4(l, slips, qn, q1, q2, near);
  out.n = v4_select(slips, slid.n, out.n);
  out.t1 = v4_select(slips, slid.t1, out.t1);
  out.t2 = v4_select(slips, slid.t2, out.t2);
  return out;
}

// ---- the sweep

HEFT_INLINE void sweep_group(const Core* core, int group, double* r, double* z) {
  double* numbers = core->packet + (size_t)PACKET_DOUBLES * (size_t)group;
  const int *side0 = core->packet_effector + 2 * PACKET_SIZE * group, *side1 = side0 + PACKET_SIZE;
  const double *y0 = numbers + PACKET_Y, *y1 = y0 + 18 * PACKET_SIZE;
  Six4 v0 = gather(z, side0), v1 = gather(z, side1);
  const Packet3 own = gather_slots(r + 16 * group),
                u = packet_velocity(core, group, &own, &v0, &v1);
  const Packet3 next = local_solve4(numbers + PACKET_LOCAL, u.n, u.t1, u.t2, own, LOCAL_NEAR);
  const V4 d0 = next.n - own.n, d1 = next.t1 - own.t1, d2 = next.t2 - own.t2;
  scatter_slots(r + 16 * group, next);
  packet_apply_impulse(y0, d0, d1, d2, &v0);
  packet_apply_impulse(y1, d0, d1, d2, &v1);
  scatter(z, side0, core->effectors, &v0);
  scatter(z, side1, core->effectors, &v1);
}

HEFT_CLONES
static void sweep_groups(const Core* core, int first, int last, double* r, double* z) {
  for (int g = first; g < last; ++g) sweep_group(core, g, r, z);
}

void packet_sweep(const Core* core, int first, int last, double* r, double* z) {
  HEFT_ASSERT(first >= 0 && first <= last && last <= core->colouring.groups);
  sweep_groups(core, first, last, r, z);
}
