// SPDX-License-Identifier: Apache-2.0
// Prints the hash of the state after 10,000 steps of several models, by both integrators, and those
// of convex pieces, one per line. compare.sh builds this with many compilers and options and wants
// the same lines from all.
#include <heft/world.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/hash.h"
#include "scenes/block.h"
#include "scenes/scenes.h"
#include "tests/determinism/cuts.h"

enum { STEPS = 10000, FALL_STEPS = 1000 };

static void fail(const char* what) {
  fprintf(stderr, "%s\n", what);
  exit(1);
}

// Without contact if the integrator refuses it. Kicks it, pulls at its joints and pushes its first
// body about, so that every part of the step works.
static void run(const char* name, HeftModel* model, HeftIntegrator integrator) {
  HeftWorldDef def = heft_world_def_default();
  HeftWorld* world = NULL;
  HeftState* start = NULL;
  def.integrator = integrator;
  def.time_step = 0.001;
  if (model && integrator == HEFT_INTEGRATOR_RK4) scene_disable_contact(model);
  if (!model || heft_world_create(&world, model, &def, NULL) != HEFT_OK ||
      heft_state_create(&start, model, NULL, NULL) != HEFT_OK)
    fail(name);
  scene_random_state(model, 51, 0.5, start->q, start->v);
  if (heft_world_set_state(world, start) != HEFT_OK) fail(name);
  int taken = 0;
  for (int i = 0; i < STEPS; ++i) {
    double* tau = heft_world_joint_forces(world);
    for (int k = 0; k < model->nv; ++k) tau[k] = 1e-3 * ((i / 100 + k) % 5 - 2);
    if (i % 7 == 0)
      heft_world_apply_wrench(world, 1, heft_vec3(0.1, 0, 0), heft_vec3(0.01, 0.02, -0.03),
                              heft_vec3(0, 0.001, 0));
    taken += heft_step_taken(heft_world_step(world).status);
  }
  printf("%-14s %-6s %016" PRIx64 "\n", name, heft_integrator_name(integrator),
         heft_world_hash(world));
  if (taken != STEPS) fail("a step was rolled back: choose a calmer case");
  heft_state_destroy(start);
  heft_world_destroy(world);
  heft_model_destroy(model);
}

// Falls onto the floor and comes to rest: contact, limits, dry friction.
static void fall(const char* name, HeftModel* model) {
  HeftWorld* world = NULL;
  if (!model || heft_world_create(&world, model, NULL, NULL) != HEFT_OK) fail(name);
  for (int i = 0; i < FALL_STEPS; ++i) {
    if (!heft_step_taken(heft_world_step(world).status)) fail("a step was rolled back");
  }
  printf("%-14s %-6s %016" PRIx64 "\n", name, "moreau", heft_world_hash(world));
  heft_world_destroy(world);
  heft_model_destroy(model);
}

// Actuators, tendons, sensors: controls that jump, readings that are hashed, noise included.
static void drive(const char* name, HeftModel* model, HeftIntegrator integrator) {
  HeftWorldDef def = heft_world_def_default();
  HeftWorld* world = NULL;
  uint64_t readings = 0;
  def.integrator = integrator;
  def.seed = 5;
  if (model && integrator == HEFT_INTEGRATOR_RK4) scene_disable_contact(model);
  if (!model || heft_world_create(&world, model, &def, NULL) != HEFT_OK) fail(name);
  for (int i = 0; i < FALL_STEPS; ++i) {
    for (int k = 0; k < model->nactuator; ++k)
      heft_world_controls(world)[k] = 0.1 * ((i / 50 + k) % 7 - 3);
    if (!heft_step_taken(heft_world_step(world).status)) fail("a step was rolled back");
    readings =
        hash_array(heft_world_sensors(world), (size_t)model->nsensordata, sizeof(double), readings);
  }
  printf("%-14s %-6s %016" PRIx64 "\n", name, heft_integrator_name(integrator),
         heft_world_hash(world));
  printf("%-14s %-6s %016" PRIx64 "\n", "its sensors", heft_integrator_name(integrator), readings);
  heft_world_destroy(world);
  heft_model_destroy(model);
}

// A block of tetrahedra falls on an edge, bends and rolls over; or a free body falls on it that
// holds its upper face.
static HeftModel* make_block(int held) {
  Block b = block_falling();
  b.quat = heft_quat_normalize(held ? heft_quat(1, 0.1, 1, 0.05) : heft_quat(1, 0.5, 0.1, 0.05));
  b.pos.z = 0.09;
  b.damping = 0.005;
  b.held = b.holder = held;
  b.joint = HEFT_JOINT_FREE;
  return block_model(&b, NULL);
}

enum { LINKED = 6 };

// A ring of free boxes above a floor. Each is tied to the next at two points of one edge, so that
// the loops ask for one thing twice.
static HeftModel* make_ring(void) {
  HeftBuilder* b = NULL;
  HeftModel* model = NULL;
  if (heft_builder_create(&b, NULL, NULL) != HEFT_OK) fail("ring");
  HeftShapeDef floor = heft_shape_def_default();
  floor.type = HEFT_SHAPE_PLANE;
  heft_builder_add_shape(b, &floor);
  for (int i = 0; i < LINKED; ++i) {
    HeftBodyDef body = heft_body_def_default();
    body.pos = heft_vec3(0.2 * i, 0, 0.3 + 0.02 * i);
    body.mass = 1 + i % 3;
    body.inertia = (HeftSym3){0.01, 0.01, 0.01, 0, 0, 0};
    HeftJointDef joint = heft_joint_def_default();
    HeftShapeDef box = heft_shape_def_default();
    joint.body = box.body = heft_builder_add_body(b, &body);
    joint.type = HEFT_JOINT_FREE;
    box.type = HEFT_SHAPE_BOX;
    box.size[0] = box.size[1] = box.size[2] = 0.08;
    heft_builder_add_joint(b, &joint);
    heft_builder_add_shape(b, &box);
  }
  for (int i = 0; i < 2 * LINKED; ++i) {
    HeftEqualityDef tie = heft_equality_def_default();
    const double side = i < LINKED ? 0.08 : -0.08;
    tie.type = HEFT_EQUALITY_CONNECT;
    tie.object[0] = 1 + i % LINKED;
    tie.object[1] = 1 + (i + 1) % LINKED;
    tie.anchor[0] = heft_vec3(0.1, side, 0);
    tie.anchor[1] = heft_vec3(-0.1, side, 0);
    heft_builder_add_equality(b, &tie);
  }
  if (heft_builder_finish(b, &model, NULL) != HEFT_OK) fail("ring");
  heft_builder_destroy(b);
  return model;
}

// With hardly any effort: impulses that the certificate rejects are replaced.
static void hurry(const char* name, HeftModel* model) {
  HeftWorldDef def = heft_world_def_default();
  HeftWorld* world = NULL;
  int inexact = 0;
  def.effort_max = 2;
  if (heft_world_create(&world, model, &def, NULL) != HEFT_OK) fail(name);
  for (int i = 0; i < FALL_STEPS; ++i) {
    const HeftStepReport report = heft_world_step(world);
    if (!heft_step_taken(report.status)) fail("a step was rolled back");
    inexact += report.inexact > 0;
  }
  if (inexact < FALL_STEPS / 10) fail("nearly all steps were solved: choose a harder case");
  printf("%-14s %-6s %016" PRIx64 "\n", name, "moreau", heft_world_hash(world));
  heft_world_destroy(world);
  heft_model_destroy(model);
}

int main(void) {
  static const char* const scenes[] = {"crowd", "humanoid"};
  static const RandomTreeDef trees[] = {
      {.seed = 61, .bodies = 10, .floating = 0, .passive = 1},
      {.seed = 62, .bodies = 14, .floating = 1, .passive = 1},
      {.seed = 63, .bodies = 6, .floating = 0, .passive = 0},
  };
  static const char* const names[] = {"passive roots", "passive float", "bare roots"};
  for (int integrator = 0; integrator < HEFT_INTEGRATOR_COUNT; ++integrator) {
    for (int k = 0; k < 2; ++k)
      run(scenes[k], scene_create(scenes[k], NULL), (HeftIntegrator)integrator);
    for (int k = 0; k < 3; ++k)
      run(names[k], scene_random_tree(&trees[k], NULL), (HeftIntegrator)integrator);
  }
  fall("heap", scene_create("heap", NULL));
  fall("soft block", make_block(0));
  fall("soft sole", make_block(1));
  hurry("ring in haste", make_ring());
  for (int integrator = 0; integrator < HEFT_INTEGRATOR_COUNT; ++integrator)
    drive("walker", scene_create("walker", NULL), (HeftIntegrator)integrator);
  print_cuts();
  return 0;
}
