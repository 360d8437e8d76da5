// SPDX-License-Identifier: Apache-2.0
// What is asked of an iterate between two sweeps, for groups of four contacts: what moves, is it in
// the cones, and how far is it from the law?
#include <string.h>

#include "contact/core/packet_inline.h"

HEFT_INLINE int any(I4 mask) { return i4_or(mask) != 0; }

// ---- twists and velocities

HEFT_CLONES
static void push_all_groups(const Core* core, const double* r, double* z) {
  for (int g = 0; g < core->colouring.groups; ++g) {
    const int *side0 = core->lane_mover + 2 * LANES * g, *side1 = side0 + LANES;
    const double *y0 = core->lane + (size_t)LANE_DOUBLES * (size_t)g + LANE_Y,
                 *y1 = y0 + 18 * LANES;
    const Lanes3 own = gather_slots(r + 16 * g);
    Six4 v0 = gather(z, side0), v1 = gather(z, side1);
    lane_push(y0, own.n, own.t1, own.t2, &v0);
    lane_push(y1, own.n, own.t1, own.t2, &v1);
    scatter(z, side0, core->movers, &v0);
    scatter(z, side1, core->movers, &v1);
  }
}

void lane_push_all(const Core* core, const double* r, double* z) { push_all_groups(core, r, z); }

HEFT_CLONES
static void velocities_of_groups(const Core* core, const double* r, const double* z, double* u) {
  for (int g = 0; g < core->colouring.groups; ++g) {
    const int *side0 = core->lane_mover + 2 * LANES * g, *side1 = side0 + LANES;
    const Six4 v0 = gather(z, side0), v1 = gather(z, side1);
    const Lanes3 own = gather_slots(r + 16 * g);
    scatter_slots(u + 16 * g, lane_velocity(core, g, &own, &v0, &v1));
  }
}

void lane_velocities(const Core* core, const double* r, const double* z, double* u) {
  velocities_of_groups(core, r, z, u);
}

// ---- back into the cones

// As cone_project() does it for a point; lanes inside of their cones stay as they are.
HEFT_INLINE Lanes3 project(V4 mu, I4 inside, Lanes3 r) {
  const V4 zero = v4_all(0), t = v4_root(r.t1 * r.t1 + r.t2 * r.t2);
  const V4 n = (r.n + mu * t) / (1 + mu * mu);
  const I4 flank = t > mu * n, pushes = v4_select(flank, n, r.n) > zero;
  const V4 cut = v4_select(flank, mu * n / t, v4_all(1));
  const I4 gone = ~inside & ~((n > zero) & pushes);
  Lanes3 out = {v4_select(flank, n, r.n), r.t1 * cut, r.t2 * cut};
  out.n = v4_select(inside, r.n, v4_select(gone, zero, out.n));
  out.t1 = v4_select(inside, r.t1, v4_select(gone, r.t1 * zero, out.t1));
  out.t2 = v4_select(inside, r.t2, v4_select(gone, r.t2 * zero, out.t2));
  return out;
}

HEFT_INLINE void repair_group(const Core* core, int group, double* r, double* z) {
  const Lanes3 own = gather_slots(r + 16 * group);
  const double* numbers = core->lane + (size_t)LANE_DOUBLES * (size_t)group;
  const Cone* cone = core->cone + LANES * group;
  const V4 mu = {cone[0].mu[0], cone[1].mu[0], cone[2].mu[0], cone[3].mu[0]};
  const V4 reach = mu * own.n;
  const I4 inside = (own.n >= v4_all(0)) & (own.t1 * own.t1 + own.t2 * own.t2 <= reach * reach);
  if (!any(~inside)) return;
  const int *side0 = core->lane_mover + 2 * LANES * group, *side1 = side0 + LANES;
  const double *y0 = numbers + LANE_Y, *y1 = y0 + 18 * LANES;
  const Lanes3 next = project(mu, inside, own);
  const V4 d0 = next.n - own.n, d1 = next.t1 - own.t1, d2 = next.t2 - own.t2;
  Six4 v0 = gather(z, side0), v1 = gather(z, side1);
  lane_push(y0, d0, d1, d2, &v0);
  lane_push(y1, d0, d1, d2, &v1);
  scatter_slots(r + 16 * group, next);
  scatter(z, side0, core->movers, &v0);
  scatter(z, side1, core->movers, &v1);
}

HEFT_CLONES
static void repair_groups(const Core* core, double* r, double* z) {
  for (int g = 0; g < core->colouring.groups; ++g) repair_group(core, g, r, z);
}

void lane_repair(const Core* core, double* r, double* z) { repair_groups(core, r, z); }

// ---- the residual

HEFT_INLINE V4 group_residual(const Core* core, int group, const double* r, const double* z,
                              double* u) {
  const int *side0 = core->lane_mover + 2 * LANES * group, *side1 = side0 + LANES;
  const Six4 v0 = gather(z, side0), v1 = gather(z, side1);
  const Lanes3 own = gather_slots(r + 16 * group),
               velocity = lane_velocity(core, group, &own, &v0, &v1);
  scatter_slots(u + 16 * group, velocity);
  return lane_residual(core, LANES * group, &own, &velocity);
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
  double most = 0;
  for (int k = 0; k < LANES; ++k) most = worst[k] > most || worst[k] != worst[k] ? worst[k] : most;
  return most;
}

double lane_worst(const Core* core, const double* r, const double* z, double* u, double enough,
                  int* first) {
  if (core->colouring.groups == 0) return 0;
  if (*first >= core->colouring.groups) *first = 0;
  return worst_of_groups(core, r, z, u, enough, first);
}
