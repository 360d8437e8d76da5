// SPDX-License-Identifier: Apache-2.0
// The residual of an iterate over all contacts, as cone_residual() has it for one, and the
// projection on all cones.
#include "base/assert.h"
#include "contact/core/operator.h"
#include "contact/core/packet_inline.h"
#include "math/scalar.h"

// Of the contacts from `first` on.
HEFT_CLONES
static double worst_of_contacts(const Core* core, int first, const double* r, const double* z,
                                double* u) {
  double worst = 0;
  V4 packets = v4_all(0);
  int i = first;
  for (; core->plain && i + 4 <= core->constraints; i += 4) {
    for (int k = 0; k < 4; ++k) velocity(core, i + k, r, z, u + 4 * (i + k));
    const Packet3 own = gather_slots(r + 4 * i), moves = gather_slots(u + 4 * i);
    const V4 e = packet_residual(core, i, &own, &moves);
    packets = v4_select((e > packets) | (e != e), e, packets);
  }
  for (int k = 0; k < 4; ++k) worst = heft_max_or_nan(worst, packets[k]);
  for (; i < core->constraints; ++i) {
    const double* own = r + core->slot[i];
    double* v = u + core->slot[i];
    velocity(core, i, r, z, v);
    const double e = core->is_point[i]
                         ? point_residual(core->cone[i].mu[0], core->w[i], core->iw[i], own, v)
                     : core->rows[i] == 1
                         ? scalar_residual(&core->cone[i], core->w[i], core->iw[i], own[0], v[0])
                         : cone_residual(&core->cone[i], core->w[i], own, v);
    worst = heft_max_or_nan(worst, e);
  }
  return worst;
}

double core_residual_until(const Core* core, const double* r, const double* z, double* u,
                           double limit, int* first) {
  const int packets = filled_groups(core);
  const double enough = limit * core->reference;
  HEFT_ASSERT(core->reference > 0);
  const double worst = packets > 0 ? packet_worst(core, r, z, u, enough, first) : 0;
  HEFT_ASSERT(!(worst < 0));
  if (!(worst <= enough)) return worst / core->reference;
  return heft_max_or_nan(worst, worst_of_contacts(core, PACKET_SIZE * packets, r, z, u)) /
         core->reference;
}

double core_residual(const Core* core, const double* r, const double* z, double* u) {
  int first = 0;
  return core_residual_until(core, r, z, u, HUGE_VAL, &first);
}

void core_project(const Core* core, double* r) {
  for (int i = 0; i < core->constraints; ++i) {
    double* own = r + core->slot[i];
    if (core->is_point[i]) {
      const double coupled = core->cone[i].mu[0] * own[0];
      if (own[0] >= 0 && own[1] * own[1] + own[2] * own[2] <= coupled * coupled) continue;
    }
    cone_project(&core->cone[i], own);
    HEFT_ASSERT(cone_contains(&core->cone[i], own));
  }
}
