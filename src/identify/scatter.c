// SPDX-License-Identifier: Apache-2.0
// Scatter of impacts. Real impacts of one body with one velocity end differently, because its
// faces, edges and the floor are not those of the model. Errors grow with the size of the impact,
// so that the random part is a share of the change of velocity. Its shares of rate and velocity, 4
// to 1, and the threshold of 1 rad/s were chosen on tosses of a cube (validation/forecast.c).
#include <heft/math.h>
#include <math.h>

#include "base/assert.h"
#include "identify/identify.h"

void heft_impact_scatter(HeftWorld* world, int dof, const double* before, double share,
                         double (*normal)(void* user), void* user) {
  HEFT_REQUIRE_VOID(world && before && normal && dof >= 0 &&
                    dof + 6 <= heft_world_model(world)->nv);
  const double *v = heft_world_state(world)->v + dof, h = heft_world_time_step(world);
  const HeftVec3 g = heft_world_gravity(world);
  const double gravity[3] = {g.x, g.y, g.z};
  double change = 0, turn = 0, after[6];
  for (int k = 0; k < 3; ++k) {
    const double dv = v[k] - before[k] - gravity[k] * h;
    change += dv * dv;
    turn += (v[3 + k] - before[3 + k]) * (v[3 + k] - before[3 + k]);
  }
  if (turn <= 1) return;
  for (int k = 0; k < 3; ++k) {
    after[k] = v[k] + 0.25 * share * sqrt(change) * normal(user);
    after[3 + k] = v[3 + k] + share * sqrt(turn) * normal(user);
  }
  heft_world_set_v(world, dof, after, 6, NULL);
}
