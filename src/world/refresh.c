// SPDX-License-Identifier: Apache-2.0
// Kinematics and energies at the present state.
#include "world/world_internal.h"

void heft_world_refresh(HeftWorld* w) {
  const double *q = w->state->q, *v = w->state->v;
  if (w->fresh) return;
  heft_dynamics_kinematics(w->dynamics, q);
  heft_dynamics_velocities(w->dynamics, v);
  w->kinetic = heft_dynamics_kinetic_energy(w->dynamics, v);
  w->potential = heft_dynamics_potential_energy(w->dynamics, q);
  if (w->drives->tendons->any) {
    heft_transmissions_update(w->drives->transmissions, w->dynamics, q);
    w->potential += heft_tendons_energy(w->drives->tendons);
  }
  w->fresh = 1;
}
