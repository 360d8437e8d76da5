// SPDX-License-Identifier: Apache-2.0
// Sessions of actions: written, repeated with the same bits from any moment, and refused where they
// are wrong.
#include <heft/heft.h>
#include <heft/session_log.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "support/check.h"
#include "support/scene.h"

static const char scene[] =
    "<mujoco><option timestep='0.002'/><worldbody><geom type='plane' size='0 0 1'/>"
    "<body name='box' pos='0 0 0.05'><freejoint/><geom type='box' size='0.05 0.05 0.05' mass='1'/>"
    "<body pos='0.1 0 0'><joint name='arm' axis='0 1 0'/><geom size='0.02' mass='0.1'/></body>"
    "</body></worldbody><actuator><motor name='m' joint='arm'/></actuator></mujoco>";

enum { STEPS = 300, EVERY = 100, ACTIONS = 7 };

static char path[100];
static HeftModel* model;

static int begin(void** state) {
  (void)state;
  model = scene_model(scene);
  snprintf(path, sizeof path, "/tmp/heft_test_session_log_%d.mcap", (int)getpid());
  return 0;
}

static int end(void** state) {
  (void)state;
  heft_model_destroy(model);
  unlink(path);
  return 0;
}

typedef struct Timed {
  long step;
  HeftAction action;
} Timed;

static const Timed actions[ACTIONS] = {
    {10, {.kind = HEFT_ACTION_CONTROL, .index = 0, .value = 0.02}},
    {50,
     {.kind = HEFT_ACTION_PULL,
      .index = 1,
      .slot = 3,
      .at = {0.05, 0, 0},
      .target = {0.3, 0.1, 0.4},
      .stiffness = 200,
      .damping = 5}},
    {120, {.kind = HEFT_ACTION_FORCE, .index = 1, .at = {0.1, 0, 0.1}, .force = {0, 300, 0}}},
    {150, {.kind = HEFT_ACTION_CHANGE, .change = {.kind = HEFT_CHANGE_GRAVITY, .value = 0.5}}},
    {160, {.kind = HEFT_ACTION_RELEASE, .slot = 3}},
    {170, {.kind = HEFT_ACTION_JOINT_FORCE, .index = 6, .value = -0.01}},
    {210, {.kind = HEFT_ACTION_CONTROL, .index = 0, .value = -0.02}}};

// Plays the actions and writes the session. Returns the last hash.
static uint64_t record(const HeftWorldDef* def, int from_snapshot) {
  HeftUserForces forces = {0};
  HeftWorld* world = NULL;
  unsigned char snapshot[8192];
  assert_int_equal(heft_world_create(&world, model, def, NULL), HEFT_OK);
  if (from_snapshot) {
    for (int i = 0; i < 20; ++i) heft_world_step(world);
    assert_true(heft_world_snapshot_size(world) <= sizeof snapshot);
    heft_world_snapshot(world, snapshot);
  }
  const HeftSessionInfo info = {.model_path = "box.xml",
                                .model = model,
                                .world = *def,
                                .time_step = heft_world_time_step(world),
                                .start = from_snapshot ? snapshot : NULL,
                                .start_size = heft_world_snapshot_size(world)};
  HeftSessionLog* log = heft_session_log_open(path, &info);
  assert_non_null(log);
  int next = 0;
  for (long i = 0; i < STEPS; ++i) {
    for (; next < ACTIONS && actions[next].step == i; ++next) {
      heft_session_log_action(log, i, &actions[next].action);
      assert_int_equal(heft_action_apply(&actions[next].action, world, &forces, NULL), HEFT_OK);
    }
    heft_user_forces_apply(&forces, world);
    heft_world_step(world);
    if ((i + 1) % EVERY == 0) heft_session_log_steps(log, EVERY, heft_world_hash(world));
  }
  const uint64_t hash = heft_world_hash(world);
  heft_world_destroy(world);
  assert_true(heft_session_log_close(log));
  return hash;
}

static HeftReplay* open_replay(void) {
  HeftReplay* r = NULL;
  HeftModel* stored = NULL;
  HeftError error = {0};
  FILE* file = fopen(path, "rb");
  assert_non_null(file);
  if (heft_replay_open(&r, file, &error) != HEFT_OK ||
      heft_replay_stored_model(r, &stored, &error) != HEFT_OK ||
      heft_replay_begin(r, stored, NULL, &error) != HEFT_OK)
    fail_msg("%s", error.message);
  return r;
}

static void step_to(HeftReplay* r, long step) {
  HeftStepReport report;
  HeftError error = {0};
  while (heft_replay_steps_done(r) < step)
    if (heft_replay_step(r, &report, &error) != HEFT_OK) fail_msg("%s", error.message);
}

static void the_same_bits_from_any_moment(void** state) {
  (void)state;
  unsigned char moment[8192];
  HeftStepReport report;
  HeftError error = {0};
  for (int from_snapshot = 0; from_snapshot < 2; ++from_snapshot) {
    HeftWorldDef def = heft_world_def_default();
    def.tolerance = 1e-8;
    def.substeps = 2;
    const uint64_t hash = record(&def, from_snapshot);
    HeftReplay* r = open_replay();
    assert_int_equal(heft_replay_step_count(r), STEPS);
    assert_int_equal(heft_replay_action_count(r), ACTIONS);
    assert_int_equal(heft_replay_start(r)->world.substeps, 2);
    step_to(r, 130);
    const size_t size = heft_session_snapshot_size(heft_replay_session(r));
    assert_true(size <= sizeof moment);
    heft_session_snapshot(heft_replay_session(r), moment);
    step_to(r, STEPS);
    assert_true(heft_world_hash(heft_replay_world(r)) == hash);
    assert_int_equal(heft_replay_compared(r), STEPS / EVERY);
    assert_int_equal(heft_replay_step(r, &report, &error), HEFT_ERR_ARGUMENT);
    // Back to a moment within a pull and before a parameter was changed, by a snapshot and without.
    for (int by_steps = 0; by_steps < 2; ++by_steps) {
      assert_int_equal(heft_replay_go(r, 130, by_steps ? NULL : moment, size, &error), HEFT_OK);
      step_to(r, STEPS);
      assert_true(heft_world_hash(heft_replay_world(r)) == hash);
      assert_int_equal(heft_replay_different(r), 0);
    }
    heft_replay_destroy(r);
  }
}

static void wrong_actions_change_nothing(void** state) {
  (void)state;
  HeftWorld* world = scene_world(model);
  HeftUserForces forces = {0};
  const HeftUserForces none = {0};
  const uint64_t hash = heft_world_hash(world);
  const HeftAction wrong[] = {
      {.kind = HEFT_ACTION_CONTROL, .index = 1, .value = 1},
      {.kind = HEFT_ACTION_CONTROL, .index = -1, .value = 1},
      {.kind = HEFT_ACTION_CONTROL, .index = 0, .value = NAN},
      {.kind = HEFT_ACTION_JOINT_FORCE, .index = 7, .value = 1},
      {.kind = HEFT_ACTION_PULL, .index = 3},
      {.kind = HEFT_ACTION_PULL, .index = 1, .slot = HEFT_ACTION_SLOTS},
      {.kind = HEFT_ACTION_PULL, .index = 1, .slot = -1},
      {.kind = HEFT_ACTION_PULL, .index = 1, .stiffness = -1},
      {.kind = HEFT_ACTION_PULL, .index = 1, .target = {INFINITY, 0, 0}},
      {.kind = HEFT_ACTION_RELEASE, .slot = 99},
      {.kind = HEFT_ACTION_FORCE, .index = -1},
      {.kind = HEFT_ACTION_FORCE, .index = 1, .force = {0, NAN, 0}},
      {.kind = HEFT_ACTION_CHANGE, .change = {.kind = HEFT_CHANGE_FRICTION, .index = 9}},
      {.kind = HEFT_ACTION_CHANGE, .change = {.kind = HEFT_CHANGE_BOX, .value = 0.1}},
      {.kind = (HeftActionKind)77}};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    HeftError error = {0};
    if (heft_action_apply(&wrong[i], world, &forces, &error) == HEFT_OK || !error.message[0])
      fail_msg("action %d was taken", (int)i);
  }
  assert_memory_equal(&forces, &none, sizeof none);
  assert_true(heft_world_hash(world) == hash);
  heft_world_destroy(world);
}

// A file whose settings ask for more than a machine should give.
static void settings_are_checked(void** state) {
  (void)state;
  HeftWorldDef def = heft_world_def_default();
  HeftReplay* r = NULL;
  def.contact_capacity = 1 << 20;
  record(&def, 0);
  FILE* file = fopen(path, "rb");
  assert_non_null(file);
  HeftError error = {0};
  assert_int_equal(heft_replay_open(&r, file, &error), HEFT_ERR_SYNTAX);
  assert_null(r);
  assert_non_null(strstr(error.message, "settings"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(the_same_bits_from_any_moment, begin, end),
      cmocka_unit_test_setup_teardown(wrong_actions_change_nothing, begin, end),
      cmocka_unit_test_setup_teardown(settings_are_checked, begin, end)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
