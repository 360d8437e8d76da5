// SPDX-License-Identifier: Apache-2.0
// Effort of a solve. Its unit is one sweep over all contacts; other stages are counted by their
// multiplications.
#include <limits.h>
#include <math.h>

#include "contact/stages.h"

// Trees of many effectors, like deformable bodies, meet the tolerance after some tens of Newton
// steps, each of which counts as many sweeps.
enum { EFFORT_WIDE_TREES = 8000, EFFORT = 4000, JOINT_COST = 4 };

int stages_usual_effort(const HeftContactProblem* p) {
  if (p->block_start) return EFFORT_LONG;
  for (int t = 0; t < p->tree_count; ++t) {
    if (p->trees[t].effector_count > 1 && p->trees[t].dof_count == 0) return EFFORT_WIDE_TREES;
  }
  return EFFORT;
}

// Multiplications of a sweep, by twenty. A contact of a large tree multiplies its wrench by the Ω
// of all effectors of the tree.
static double blocks_of_sweep(const Core* core) {
  if (core->dense) return (double)core->constraints * core->constraints;
  if (!core->by_effectors) return core->row_start[core->constraints];
  double blocks = 12.0 * core->constraints;
  for (int i = 0; i < core->constraints && core->hanging; ++i) {
    for (int s = 0; s < 2; ++s) {
      const int m = core->effector[2 * i + s], tree = m >= 0 ? core->tree_of[m] : 0;
      if (m >= 0 && core->coupled[i].count[s] == HANGS)
        blocks += 36.0 / 20 * (core->tree_first[tree + 1] - core->tree_first[tree]);
    }
  }
  return blocks;
}

// By counting multiplications.
int newton_cost(Run* run) {
  const Core* core = &run->s->core;
  Newton* newton = &run->s->newton;
  if (!newton_prepare(newton, core)) return INT_MAX;
  if (newton->joints.dense) return JOINT_COST;
  return 2 + (int)fmin(1e6, newton_effort(newton) / (20 * blocks_of_sweep(core)));
}
