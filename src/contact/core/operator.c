// SPDX-License-Identifier: Apache-2.0
// The operator over all contacts (core.h): the state from the impulses, the velocities from the
// state.
#include "contact/core/operator.h"
#include "base/assert.h"

#include <string.h>

#include "contact/core/packet.h"

void core_apply_impulse(const Core* core, int i, const double* d, double* z) {
  push(core, i, d, z);
}

HEFT_CLONES
static void apply_constraints(const Core* core, int first, const double* r, double* z) {
  for (int i = first; i < core->constraints; ++i) {
    const double* d = r + core->slot[i];
    int moves = 0;
    for (int a = 0; a < core->rows[i]; ++a) moves |= d[a] != 0;
    if (moves) push(core, i, d, z);
  }
}

void core_state(Core* core, const double* r, double* z) {
  const int groups = filled_groups(core);
  HEFT_ASSERT(core->problem && groups * PACKET_SIZE <= core->constraints);
  if (!core->is_explicit) {
    memset(z, 0, sizeof(double) * (size_t)core->states);
  } else {
    memcpy(z, core->b, sizeof(double) * (size_t)core->slots);
  }
  if (groups > 0) packet_apply_all(core, r, z);
  apply_constraints(core, PACKET_SIZE * groups, r, z);
}

HEFT_CLONES
static void velocities_from(const Core* core, int first, const double* r, const double* z,
                            double* u) {
  for (int i = first; i < core->constraints; ++i) velocity(core, i, r, z, u + core->slot[i]);
}

void core_velocity(const Core* core, const double* r, const double* z, double* u) {
  const int groups = filled_groups(core);
  if (groups > 0) packet_velocities(core, r, z, u);
  velocities_from(core, PACKET_SIZE * groups, r, z, u);
}
