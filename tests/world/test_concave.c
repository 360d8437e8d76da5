// SPDX-License-Identifier: Apache-2.0
// Bodies whose hollows matter: a ball in a cup, a ring on a hook, rings that hang in each other,
// gears, a bolt in its nut. None passes through another, all steps are solved. The long forms are
// `heft validate cup hook rings bolt gears`.
#include <heft/access.h>
#include <heft/io.h>
#include <stdio.h>

#include "world/stage.h"

enum { SHORT = STAGE_SANITIZED ? 10 : 1 };  // sanitizers: a tenth of the steps

static Stage open_scene(const char* scene) {
  char path[64];
  HeftError error = {0};
  HeftModel* model = NULL;
  const HeftLoadDef def = heft_load_def_default();
  snprintf(path, sizeof path, "scenes/%s.xml", scene);
  if (heft_model_load_file(&model, path, &def, &error) != HEFT_OK) fail_msg("%s", error.message);
  const HeftWorldDef world = heft_world_def_default();
  Stage s = stage_on(model, &world);
  if (model->nkey > 0) assert_int_equal(heft_world_set_key(s.world, 0), HEFT_OK);
  return s;
}

// Steps, all of them solved and none with a deep contact point.
static void run(Stage* s, int steps, double deepest) {
  for (int i = 0; i < steps / SHORT; ++i) {
    const HeftStepReport r = heft_world_step(s->world);
    assert_int_equal(r.status, HEFT_STEP_SOLVED);
    assert_true(r.penetration < deepest);
  }
}

static HeftVec3 place_of(const Stage* s, const char* body) {
  HeftPose pose;
  assert_int_equal(heft_world_body_pose(s->world, body, &pose, NULL), HEFT_OK);
  return pose.pos;
}

static void ball_rests_in_the_cup(void** state) {
  (void)state;
  Stage s = open_scene("cup");
  run(&s, 400, 1e-4);
  if (SHORT == 1) {
    const HeftVec3 p = place_of(&s, "ball"), cup = place_of(&s, "cup");
    assert_true(fabs(p.z - 0.021) < 1e-6);
    run(&s, 100, 1e-4);
    const HeftVec3 q = place_of(&s, "cup");
    assert_true(heft_vec3_norm(heft_vec3_sub(cup, q)) < 1e-9);
  }
  stage_close(&s);
}

static void hook_carries_the_ring(void** state) {
  (void)state;
  Stage s = open_scene("hook");
  run(&s, 1000, 1e-4);
  const HeftVec3 p = place_of(&s, "ring");
  assert_true(fabs(p.z + 0.0365) < 0.002 && fabs(p.x) < 0.01);
  stage_close(&s);
}

static void rings_hang_in_each_other(void** state) {
  (void)state;
  Stage s = open_scene("ring_chain");
  run(&s, 600, 1e-4);
  char name[16];
  for (int i = 1; i <= 6; ++i) {
    snprintf(name, sizeof name, "ring%d", i);
    assert_true(fabs(place_of(&s, name).z + 0.034 * i) < 0.001 * i);
  }
  stage_close(&s);
}

static void gears_keep_their_ratio(void** state) {
  (void)state;
  Stage s = open_scene("gears");
  run(&s, 100, 1e-4);
  const double* q = heft_world_state(s.world)->q;
  const double small = q[0], large = q[1];
  run(&s, 100, 1e-4);
  if (SHORT == 1) assert_true(fabs((q[1] - large) / (q[0] - small) + 20.0 / 30) < 1e-3);
  stage_close(&s);
}

// The bolt goes down by the pitch with each turn.
static void bolt_turns_into_the_nut(void** state) {
  (void)state;
  Stage s = open_scene("bolt");
  double turned = 0, start = 0;
  HeftQuat last = heft_quat_identity();
  for (int i = 0; i < (SHORT == 1 ? 260 : 10); ++i) {
    run(&s, SHORT, 2e-5);
    const double* q = heft_world_state(s.world)->q;
    const HeftQuat now = heft_quat(q[3], q[4], q[5], q[6]);
    turned += 2 * (now.z * last.w - now.w * last.z);
    last = now;
    if (i == 20) start = q[2], turned = 0;
  }
  const double* q = heft_world_state(s.world)->q;
  assert_true(sqrt(q[0] * q[0] + q[1] * q[1]) < 1e-4);
  if (SHORT == 1) {
    const double turns = turned / (2 * HEFT_PI);
    assert_true(turns < -0.8);
    assert_true(fabs((q[2] - start) / turns / 0.0015 - 1) < 0.01);
  }
  stage_close(&s);
}

// A surface that is given by samples of a file.
static void egg_lies_on_the_floor(void** state) {
  (void)state;
  Stage s = open_scene("egg");
  run(&s, 600, 2e-4);
  const HeftVec3 p = place_of(&s, "egg");
  if (SHORT == 1) assert_true(p.z > 0.016 && p.z < 0.025);
  stage_close(&s);
}

// Two meshes, a mesh on a plane, and convex shapes in a mesh.
static void meshes_meet_as_they_are(void** state) {
  (void)state;
  Stage s = open_scene("mesh_rings");
  run(&s, 200, 1e-4);
  assert_true(fabs(place_of(&s, "ring4").z + 0.136) < 0.002);
  stage_close(&s);
  s = open_scene("mesh_cup");
  run(&s, 250, 1e-3);
  const HeftVec3 cup = place_of(&s, "cup");
  assert_true(fabs(cup.z) < 1e-3);
  if (SHORT == 1) assert_true(fabs(place_of(&s, "ball").z - 0.02) < 1e-3);
  if (SHORT == 1) assert_true(fabs(place_of(&s, "ring").z - 0.0089) < 5e-4);
  stage_close(&s);
}

// The setting of a URDF; without it the mesh has a hull.
static void urdf_asks_for_triangles(void** state) {
  (void)state;
  static const char* const wishes[2] = {"", "<heft triangles='1'/>"};
  for (int i = 0; i < 2; ++i) {
    char text[400];
    HeftModel* model = NULL;
    HeftError error = {0};
    snprintf(text, sizeof text,
             "<robot name='r'><link name='a'><collision>%s<geometry><mesh filename='ring.obj'/>"
             "</geometry></collision></link></robot>",
             wishes[i]);
    if (heft_model_load_bytes(&model, text, strlen(text), "scenes/r.urdf", NULL, &error) != HEFT_OK)
      fail_msg("%s", error.message);
    assert_int_equal(model->nmesh, 1);
    assert_true((model->mesh_hull_count[0] == 0) == (i == 1));
    heft_model_destroy(model);
  }
}

// ---- memory

static void* count_take(void* user, size_t size, size_t alignment) {
  ++*(int*)user;
  return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static void count_release(void* user, void* memory, size_t size) {
  (void)user, (void)size;
  free(memory);
}

// Distance shapes, pairs of meshes, convex pieces, soft bodies: no step asks the allocator.
static void steps_take_no_memory(void** state) {
  (void)state;
  static const char* const paths[] = {"scenes/cup.xml", "scenes/mesh_cup.xml",
                                      "scenes/piece_hook.xml", "examples/sponge.xml"};
  for (int i = 0; i < 4; ++i) {
    int taken = 0;
    HeftModel* model = NULL;
    HeftWorld* world = NULL;
    HeftLoadDef load = heft_load_def_default();
    HeftWorldDef def = heft_world_def_default();
    load.limits.work = (double)INFINITY;
    def.allocator = (HeftAllocator){count_take, count_release, &taken};
    assert_int_equal(heft_model_load_file(&model, paths[i], &load, NULL), HEFT_OK);
    assert_int_equal(heft_world_create(&world, model, &def, NULL), HEFT_OK);
    const int before = taken;
    int contacts = 0;
    for (int k = 0; k < 120; ++k) contacts += heft_world_step(world).contact_count;
    assert_true(before > 0 && contacts > 0);
    assert_int_equal(taken, before);
    heft_world_destroy(world);
    heft_model_destroy(model);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ball_rests_in_the_cup),    cmocka_unit_test(hook_carries_the_ring),
      cmocka_unit_test(rings_hang_in_each_other), cmocka_unit_test(gears_keep_their_ratio),
      cmocka_unit_test(bolt_turns_into_the_nut),  cmocka_unit_test(egg_lies_on_the_floor),
      cmocka_unit_test(meshes_meet_as_they_are),  cmocka_unit_test(urdf_asks_for_triangles),
      cmocka_unit_test(steps_take_no_memory)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
