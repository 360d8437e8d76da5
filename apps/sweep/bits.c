// SPDX-License-Identifier: Apache-2.0
// Results have the same bits for every compiler, processor and number of threads, so that a number
// of the build itself would be too strict: it would part machines that agree. Two things
// distinguish builds that disagree:
//
// - the hash of the golden files (tests/world/golden_*.txt), which hold the final states of all
//   named scenes and change if and only if a change of the source alters results;
// - the final state of a small scene, which is computed here and now. It notices a build whose
//   golden files were not written, and a machine or a flag of a compiler that computes otherwise.
#include "sweep/bits.h"

#include <heft/io.h>
#include <heft/world.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "sweep/sha256.h"

static const char golden[] = "heft golden " HEFT_GOLDEN_HASH;

// Friction, restitution, GJK, a joint at its limit, a spring and an actuator.
static const char scene[] =
    "<mujoco><compiler angle='radian'/><option timestep='0.002'/><worldbody>"
    "<geom type='plane' size='0 0 1' friction='0.6 0.01 0.001'/>"
    "<body pos='0 0 0.3' euler='0.3 0.5 0.1'><freejoint/>"
    "<geom type='box' size='0.1 0.06 0.04' mass='1.3'/></body>"
    "<body pos='0.05 0.02 0.55' euler='1 0.2 0.4'><freejoint/>"
    "<geom type='cylinder' size='0.05 0.1' mass='0.7'/></body>"
    "<body pos='-0.04 0 0.8'><freejoint/><geom type='ellipsoid' size='0.05 0.08 0.06' mass='0.4'/>"
    "</body><body pos='0.6 0 0.5'><joint name='a' axis='0 1 0' range='-0.4 0.4' limited='true' "
    "damping='0.1'/><geom type='capsule' fromto='0 0 0 0.3 0 0' size='0.03' mass='0.5'/>"
    "<body pos='0.3 0 0'><joint name='b' axis='0 0 1' stiffness='3'/>"
    "<geom type='capsule' fromto='0 0 0 0.2 0 0.1' size='0.02' mass='0.2'/></body></body>"
    "</worldbody><actuator><position joint='b' kp='5' kv='0.1'/></actuator></mujoco>";

static HeftStatus compute(uint64_t* out, HeftError* error) {
  enum { STEPS = 150 };
  HeftModel* model = NULL;
  HeftWorld* world = NULL;
  HeftStatus status =
      heft_model_load_bytes(&model, scene, strlen(scene), "the scene of bits.c", NULL, error);
  const HeftWorldDef def = heft_world_def_default();
  if (status == HEFT_OK) status = heft_world_create(&world, model, &def, error);
  for (int i = 0; i < STEPS && status == HEFT_OK; ++i) heft_world_step(world);
  if (status == HEFT_OK) *out = heft_world_hash(world);
  heft_world_destroy(world);
  heft_model_destroy(model);
  return status;
}

HeftStatus sweep_bits(char out[SWEEP_BITS + 1], HeftError* error) {
  uint64_t state = 0;
  char number[24], text[65];
  const HeftStatus status = compute(&state, error);
  Sha256 hash = sha256_begin();
  snprintf(number, sizeof number, "%016llx", (unsigned long long)state);
  sha256_add(&hash, golden, sizeof golden);
  sha256_add(&hash, number, strlen(number));
  sha256_text(&hash, text);
  snprintf(out, SWEEP_BITS + 1, "%.*s", SWEEP_BITS, text);
  return status;
}
