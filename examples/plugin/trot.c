// SPDX-License-Identifier: Apache-2.0
// A plug-in: a quadruped trots in place; diagonal legs bend in turn.
#include <heft/plugin.h>
#include <stdio.h>

typedef struct Trot {
  double frequency, bend, height;
  int thigh[4], knee[4];  // dofs of the legs
} Trot;

static const HeftOption options[] = {
    HEFT_PLUGIN_OPTION(Trot, frequency, 0, 5, 2, "Hz", "strides per second"),
    HEFT_PLUGIN_OPTION(Trot, bend, 0, 1, 0.5, "rad", "angle by which a leg bends")};
static const HeftOption values[] = {HEFT_PLUGIN_VALUE(Trot, height, "m", "height of the trunk")};

static const char* const legs[4] = {"lf", "rh", "rf", "lh"};  // diagonal legs side by side

static HeftStatus create(void* self, HeftWorld* world, HeftError* error) {
  Trot* t = (Trot*)self;
  const HeftModel* m = heft_world_model(world);
  for (int k = 0; k < 8; ++k) {
    char name[16];
    int joint;
    snprintf(name, sizeof name, "%s_%s", legs[k / 2], k % 2 ? "kfe" : "hfe");
    const HeftStatus status = heft_model_lookup(m, HEFT_NAMED_JOINT, name, &joint, error);
    if (status != HEFT_OK) return status;
    (k % 2 ? t->knee : t->thigh)[k / 2] = m->joint_dof[joint];
  }
  return HEFT_OK;
}

static void before_step(void* self, HeftWorld* world) {
  Trot* t = (Trot*)self;
  const HeftState* state = heft_world_state(world);
  const double stiffness = 40;  // of the joints of the model [N m]
  const double wave = heft_sin(2 * HEFT_PI * t->frequency * *state->time);
  double* force = heft_world_joint_forces(world);
  for (int leg = 0; leg < 4; ++leg) {
    const double lift = leg < 2 ? wave : -wave, side = legs[leg][1] == 'f' ? 1 : -1;
    const double angle = lift > 0 ? side * t->bend * lift : 0;
    force[t->thigh[leg]] = stiffness * angle;
    force[t->knee[leg]] = -2 * stiffness * angle;
  }
  t->height = state->q[2];
}

static const HeftPlugin trot = {.cookie = HEFT_DEF_COOKIE(HeftPlugin),
                                .name = "trot",
                                .help = "a quadruped trots in place",
                                .size = sizeof(Trot),
                                .options = {options, 2},
                                .values = {values, 1},
                                .create = create,
                                .before_step = before_step};
HEFT_PLUGIN(trot)
