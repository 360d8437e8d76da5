// SPDX-License-Identifier: Apache-2.0
// The law of examples/controller in the process of the world.
#include <heft/plugin.h>

#include "hold.h"

static HeftStatus create(void* self, HeftWorld* world, HeftError* error) {
  Hold* hold = (Hold*)self;
  const HeftModel* m = heft_world_model(world);
  const double* pose = m->nkey > 0 ? m->key_q : m->q_default;
  (void)error;
  for (int i = 0; i < m->nactuator; ++i) {
    const int joint = m->actuator_target[i], q = m->joint_q[joint];
    hold_add(hold, i, heft_model_name(m, HEFT_NAMED_JOINT, joint), q, m->joint_dof[joint],
             m->actuator_bias[3 * i + 1] != 0, pose[q]);
  }
  return HEFT_OK;
}

static void before_step(void* self, HeftWorld* world) {
  const HeftState* state = heft_world_state(world);
  hold_act((const Hold*)self, state->q, state->v, heft_world_controls(world));
}

static const HeftPlugin hold = {.cookie = HEFT_DEF_COOKIE(HeftPlugin),
                                .name = "hold",
                                .help = "a robot keeps its pose",
                                .size = sizeof(Hold),
                                .create = create,
                                .before_step = before_step};
HEFT_PLUGIN(hold)
