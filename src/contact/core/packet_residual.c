// SPDX-License-Identifier: Apache-2.0
// Evaluation of an iterate between two sweeps, in packets of four contacts: velocities, projection
// on the cones, and residual.
#include <string.h>

#include "base/assert.h"
#include "contact/core/packet_inline.h"

HEFT_INLINE int any(I4 mask) { return i4_or(mask) != 0; }

// ---- twists and velocities

HEFT_CLONES
static void apply_all_packets(const Core* core, const double* r, double* z) {
  for (int g = 0; g < core->colouring.groups; ++g) {
    const int *side0 = core->packet_effector + 2 * PACKET_SIZE * g, *side1 = side0 + PACKET_SIZE;
    const double *y0 = core->packet + (size_t)PACKET_DOUBLES * (size_t)g + PACKET_Y,
                 *y1 = y0 + 18 * PACKET_SIZE;
    const Packet3 own = gather_slots(r + 16 * g);
    Six4 v0 = gather(z, side0), v1 = gather(z, side1);
    packet_apply_impulse(y0, own.n, own.t1, own.t2, &v0);
    packet_apply_impulse(y1, own.n, own.t1, own.t2, &v1);
    scatter(z, side0, core->effectors, &v0);
    scatter(z, side1, core->effectors, &v1);
  }
}

void packet_apply_all(const Core* core, const double* r, double* z) {
  apply_all_packets(core, r, z);
}

HEFT_CLONES
static void velocities_of_groups(const Core* core, const double* r, const double* z, double* u) {
  for (int g = 0; g < core->colouring.groups; ++g) {
    const int *side0 = core->packet_effector + 2 * PACKET_SIZE * g, *side1 = side0 + PACKET_SIZE;
    const Six4 v0 = gather(z, side0), v1 = gather(z, side1);
    const Packet3 own = gather_slots(r + 16 * g);
    scatter_slots(u + 16 * g, packet_velocity(core, g, &own, &v0, &v1));
  }
}

void packet_velocities(const Core* core, const double* r, const double* z, double* u) {
  velocities_of_groups(core, r, z, u);
}

// ---- back into the cones

// As cone_project() for a point; components inside of their cones stay unchanged.
HEFT_INLINE Packet3 project(V4 mu, I4 inside, Packet3 r) {
  const V4 zero = v4_all(0), t = v4_root(r.t1 * r.t1 + r.t2 * r.t2);
  const V4 n = (r.n + mu * t) / (1 + mu * mu);
  const I4 flank = t > mu * n, pressing = v4_select(flank, n, r.n) > zero;
  const V4 cut = v4_select(flank, mu * n / t, v4_all(1));
  const I4 gone = ~inside & ~((n > zero) & pressing);
  Packet3 out = {v4_select(flank, n, r.n), r.t1 * cut, r.t2 * cut};
  out.n = v4_select(inside, r.n, v4_select(gone, zero, out.n));
  out.t1 = v4_select(inside, r.t1, v4_select(gone, r.t1 * zero, out.t1));
  out.t2 = v4_select(inside, r.t2, v4_select(gone, r.t2 * zero, out.t2));
  return out;
}

HEFT_INLINE void repair_group(const Core* core, int group, double* r, double* z) {
  const Packet3 own = gather_slots(r + 16 * group);
  const double* numbers = core->packet + (size_t)PACKET_DOUBLES * (size_t)group;
  const Cone* cone = core->cone + PACKET_SIZE * group;
  const V4 mu = {cone[0].mu[0], cone[1].mu[0], cone[2].mu[0], cone[3].mu[0]};
  const V4 coupled = mu * own.n;
  const I4 inside = (own.n >= v4_all(0)) & (own.t1 * own.t1 + own.t2 * own.t2 <= coupled * coupled);
  if (!any(~inside)) return;
  const int *side0 = core->packet_effector + 2 * PACKET_SIZE * group, *side1 = side0 + PACKET_SIZE;
  const double *y0 = numbers + PACKET_Y, *y1 = y0 + 18 * PACKET_SIZE;
  const Packet3 next = project(mu, inside, own);
  const V4 d0 = next.n - own.n, d1 = next.t1 - own.t1, d2 = next.t2 - own.t2;
  Six4 v0 = gather(z, side0), v1 = gather(z, side1);
  packet_apply_impulse(y0, d0, d1, d2, &v0);
  packet_apply_impulse(y1, d0, d1, d2, &v1);
  scatter_slots(r + 16 * group, next);
  scatter(z, side0, core->effectors, &v0);
  scatter(z, side1, core->effectors, &v1);
}

HEFT_CLONES
static void repair_groups(const Core* core, double* r, double* z) {
  for (int g = 0; g < core->colouring.groups; ++g) repair_group(core, g, r, z);
}

void packet_repair(const Core* core, double* r, double* z) { repair_groups(core, r, z); }

// ---- the residual

HEFT_INLINE V4 group_residual(const Core* core, int group, const double* r, const double* z,
                              double* u) {
  const int *side0 = core->packet_effector + 2 * PACKET_SIZE * group, *side1 = side0 + PACKET_SIZE;
  const Six4 v0 = gather(z, side0), v1 = gather(z, side1);
  const Packet3 own = gather_slots(r + 16 * group),
                velocity = packet_velocity(core, group, &own, &v0, &v1);
  scatter_slots(u + 16 * group, velocity);
  return packet_residual(core, PACKET_SIZE * group, &own, &velocity);
}

HEFT_CLONES
static double worst_of_groups(const Core* core, const double* r, const double* z, double* u,
                              double enough, int* first) {
  V4 worst = v4_all(0);
  const V4 limit = v4_all(enough);
  for (int k = -1; k < core->colouring.groups; ++k) {
    const int g = k < 0 ? *first : k;
    const V4 e = group_residual(core, g, r, z, u);
    const I4 worse = (e > worst) | (e != e);
    if (any(worse)) *first = g;
    worst = v4_select(worse, e, worst);
    if (any((e > limit) | (e != e))) break;
  }
  double max = 0;
  for (int k = 0; k < PACKET_SIZE; ++k)
    max = worst[k] > max || worst[k] != worst[k] ? worst[k] : max;
  return max;
}

double packet_worst(const Core* core, const double* r, const double* z, double* u, double enough,
                    int* first) {
  if (core->colouring.groups == 0) return 0;
  if (*first >= core->colouring.groups) *first = 0;
  HEFT_ASSERT(*first >= 0 && *first < core->colouring.groups);
  return worst_of_groups(core, r, z, u, enough, first);
}
