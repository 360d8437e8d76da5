// SPDX-License-Identifier: Apache-2.0
// Papers: R52, R65, R66.
// Acts as plug-ins: each runs, returns to a snapshot and repeats the same bits, follows into
// another world, and survives a push that makes its robot fall.
#include <heft/io.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/act_plugin.h"
#include "support/check.h"

// Sanitizers make thousands of steps with a hundred contact points too slow.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || defined(HEFT_SANITIZED)
#define SANITIZED 1
#else
#define SANITIZED 0
#endif

static HeftModel* model;
static HeftWorld* world;
static HeftPluginSet* set;

static void open_act(const Act* act) {
  char path[600];
  HeftError error = {0};
  snprintf(path, sizeof path, "%s/%s", HEFT_MODEL_DIR, act->file);
  if (heft_model_load_file(&model, path, NULL, &error) != HEFT_OK ||
      heft_world_create(&world, model, NULL, &error) != HEFT_OK ||
      heft_plugin_set_create(&set, NULL, &error) != HEFT_OK ||
      heft_plugin_set_add(set, act_plugin(act), NULL, &error) != HEFT_OK ||
      heft_plugin_set_attach(set, world, &error) != HEFT_OK ||
      heft_plugin_set_reset(set, &error) != HEFT_OK)
    fail_msg("%s: %s", act->name, error.message);
}

static void close_act(void) {
  heft_plugin_set_destroy(set);
  heft_world_destroy(world);
  heft_model_destroy(model);
}

// A hand that taps the first body, for the acts that react to users.
static HeftHand hand_at(const HeftWorld* w) {
  const double t = *heft_world_state(w)->time, phase = t - floor(t);
  const HeftVec3 at = heft_dynamics_body_pose(heft_world_dynamics(w), 1).pos;
  HeftHand hand = {.pos = heft_vec3(at.x + 0.3, at.y, at.z), .present = 1, .body = -1};
  if (phase < 0.1) return hand;
  hand.body = 1;
  hand.point = at;
  hand.force = heft_vec3(-5, 0, 2);
  return hand;
}

// Head and hands of a tracked person, for the act that mirrors them.
static int track(const HeftWorld* w, HeftHand* hands) {
  static const HeftVec3 head[3] = {{0.1, 0, 1.6}, {0.1, 0, 1.7}, {0.2, 0, 1.6}},
                        hand[3] = {{0.3, 0, 1.2}, {0.4, 0, 1.2}, {0.3, 0, 1.3}};
  const double up = 0.1 * heft_sin(5 * *heft_world_state(w)->time);
  for (int k = 0; k < 9; ++k) {
    const HeftVec3 moved = {0, k < 6 ? 0.2 : -0.2, up};
    hands[k] = (HeftHand){.present = 1, .body = -2 - k};
    hands[k].pos = k < 3 ? head[k] : heft_vec3_add(hand[k % 3], moved);
  }
  return 9;
}

static void run(HeftWorld* w, int steps, double push) {
  HeftError error = {0};
  const HeftVec3 none = {0, 0, 0}, force = {0, push, 0};
  for (int i = 0; i < steps; ++i) {
    HeftHand hands[10] = {hand_at(w)};
    heft_plugin_set_hands(set, hands, 1 + track(w, hands + 1));
    if (heft_plugin_set_before_step(set, &error) != HEFT_OK) fail_msg("%s", error.message);
    const HeftVec3 at = heft_dynamics_body_pose(heft_world_dynamics(w), 1).pos;
    if (push != 0) heft_world_apply_wrench(w, 1, at, force, none);
    const HeftStepReport report = heft_world_step(w);
    assert_true(heft_step_taken(report.status));
    heft_plugin_set_after_step(set, &report);
  }
}

// The data survives a snapshot, bit for bit, also in the middle of a reaction to a user. The jump
// is in the air after 1.3 s, and its supports have changed.
static void an_act_goes_back_in_time(void** state) {
  (void)state;
  for (int i = 0; act_at(i); ++i) {
    open_act(act_at(i));
    // a hundred contact points take long, and the slow acts show all within a short time
    run(world, strcmp(act_at(i)->name, "jump") == 0 ? 1250 : 400, 0);
    const size_t size = heft_world_snapshot_size(world), more = heft_plugin_set_save_size(set);
    void *snapshot = malloc(size), *data = malloc(more);
    assert_non_null(snapshot);
    assert_non_null(data);
    heft_world_snapshot(world, snapshot);
    heft_plugin_set_save(set, data);
    run(world, 150, 0);
    const uint64_t end = heft_world_hash(world);
    run(world, 100, 60);
    assert_int_equal(heft_world_restore(world, snapshot, size), HEFT_OK);
    assert_int_equal(heft_plugin_set_restore(set, data, more), HEFT_OK);
    run(world, 150, 0);
    if (heft_world_hash(world) != end) fail_msg("%s: other bits", act_at(i)->name);
    // another world of the same model, as after a change of settings
    HeftWorld* other = NULL;
    assert_int_equal(heft_world_create(&other, model, NULL, NULL), HEFT_OK);
    assert_int_equal(heft_plugin_set_restore(set, data, more), HEFT_OK);
    assert_int_equal(heft_plugin_set_attach(set, other, NULL), HEFT_OK);
    assert_int_equal(heft_world_restore(other, snapshot, size), HEFT_OK);
    run(other, 150, 0);
    if (heft_world_hash(other) != end) fail_msg("%s: other bits elsewhere", act_at(i)->name);
    heft_plugin_set_detach(set);
    heft_world_destroy(other);
    free(snapshot);
    free(data);
    close_act();
  }
}

// A user who pulls the box of `follow` to the side.
static void lead(HeftWorld* w, int steps, double force) {
  HeftError error = {0};
  const HeftVec3 none = {0, 0, 0}, pull = {0, force, 0};
  const int box = heft_model_find(model, HEFT_NAMED_BODY, "box");
  for (int i = 0; i < steps; ++i) {
    const HeftVec3 at = heft_dynamics_body_pose(heft_world_dynamics(w), box).pos;
    const HeftHand hand = {
        .pos = at, .present = 1, .body = box, .point = at, .force = pull, .buttons = 1};
    heft_plugin_set_hands(set, &hand, force != 0);
    if (heft_plugin_set_before_step(set, &error) != HEFT_OK) fail_msg("%s", error.message);
    if (force != 0) heft_world_apply_wrench(w, box, at, pull, none);
    const HeftStepReport report = heft_world_step(w);
    assert_true(heft_step_taken(report.status));
    heft_plugin_set_after_step(set, &report);
  }
}

// A plan of steps that was made during the act is made again after a return to the middle of it.
static void steps_go_back_in_time(void** state) {
  (void)state;
  if (SANITIZED || getenv("HEFT_SHORT")) skip();
  open_act(act_find("follow"));
  const int foot = heft_model_find(model, HEFT_NAMED_BODY, "left_foot");
  lead(world, 3100, 0);
  double up = 0;
  for (int i = 0; i < 30 && up < 0.03; ++i) {
    lead(world, 60, 5);
    up = heft_dynamics_body_pose(heft_world_dynamics(world), foot).pos.z - 0.08;
  }
  assert_true(up >= 0.03);  // a foot is in the air
  const size_t size = heft_world_snapshot_size(world), more = heft_plugin_set_save_size(set);
  void *snapshot = malloc(size), *data = malloc(more);
  heft_world_snapshot(world, snapshot);
  heft_plugin_set_save(set, data);
  lead(world, 200, 5);
  const uint64_t end = heft_world_hash(world);
  HeftWorld* other = NULL;
  assert_int_equal(heft_world_create(&other, model, NULL, NULL), HEFT_OK);
  assert_int_equal(heft_plugin_set_restore(set, data, more), HEFT_OK);
  assert_int_equal(heft_plugin_set_attach(set, other, NULL), HEFT_OK);
  assert_int_equal(heft_world_restore(other, snapshot, size), HEFT_OK);
  lead(other, 200, 5);
  assert_true(heft_world_hash(other) == end);
  heft_plugin_set_detach(set);
  heft_world_destroy(other);
  free(snapshot);
  free(data);
  close_act();
}

// The second button of `carry` asks for the can, which is near: the hand goes there and closes.
// Pressed again, it opens.
static void a_button_asks_for_the_can(void** state) {
  (void)state;
  open_act(act_find("carry"));
  const int thumb = model->joint_q[heft_model_find(model, HEFT_NAMED_JOINT, "right_gripper")];
  static const unsigned buttons[4] = {0, 2, 0, 2};
  static const int steps[4] = {250, 250, 2750, 500};
  double angle[4];
  for (int k = 0; k < 4; ++k) {
    const HeftHand hand = {
        .pos = {0.3, -0.3, 1.2}, .present = 1, .body = -1, .buttons = buttons[k]};
    for (int i = 0; i < steps[k]; ++i) {
      heft_plugin_set_hands(set, &hand, 1);
      assert_int_equal(heft_plugin_set_before_step(set, NULL), HEFT_OK);
      const HeftStepReport report = heft_world_step(world);
      heft_plugin_set_after_step(set, &report);
    }
    angle[k] = heft_world_state(world)->q[thumb];
  }
  assert_true(angle[0] < -0.3);            // open
  assert_true(angle[2] > -0.05);           // closed, also when the button is released
  assert_true(angle[3] < angle[2] - 0.2);  // opens
  close_act();
}

static void a_robot_that_falls_stays_finite(void** state) {
  (void)state;
  open_act(act_find("walk"));
  run(world, 300, 600);
  run(world, 1500, 0);
  assert_true(heft_world_state(world)->q[2] < 0.4);
  // and stands again after a restart
  heft_world_reset(world);
  assert_int_equal(heft_plugin_set_reset(set, NULL), HEFT_OK);
  run(world, 500, 0);
  assert_true(heft_world_state(world)->q[2] > 0.5);
  close_act();
}

static void refuse(const char* name, unsigned char* data, size_t size, size_t at, int number) {
  unsigned char kept[4];
  memcpy(kept, data + at, sizeof kept);
  memcpy(data + at, &number, sizeof number);
  if (heft_plugin_set_restore(set, data, size) == HEFT_OK)
    fail_msg("%s: %d at byte %zu of %zu is accepted", name, number, at, size);
  memcpy(data + at, kept, sizeof kept);
}

// Numbers of elements, lengths of lists and places in memory, if a recording says what it likes.
static void forged_numbers_are_refused(void** state) {
  (void)state;
  for (int i = 0; act_at(i); ++i) {
    const Act* act = act_at(i);
    open_act(act);
    const size_t size = heft_plugin_set_save_size(set);
    // The goal is stored without its two pointers; their places come behind it.
    const size_t goal = 8 * (4 + (size_t)act->options.count), rest = goal - 2 * sizeof(double*),
                 lists[] = {rest + offsetof(HeftBipedGoal, point_task_count),
                            rest + offsetof(HeftBipedGoal, load_count),
                            rest + offsetof(HeftBipedGoal, support_count),
                            rest + sizeof(HeftBipedGoal)};
    unsigned char* data = malloc(size);
    assert_non_null(data);
    heft_plugin_set_save(set, data);
    for (int k = 0; k < 4; ++k) {
      refuse(act->name, data, size, lists[k], 0x7fffffff);
      refuse(act->name, data, size, lists[k], 1 - 0x7fffffff);
    }
    for (int k = 0; k < act->parts.count; ++k) {
      const ActPart* part = &act->parts.part[k];
      const size_t list = part->kind == ACT_PART_GOAL ? offsetof(HeftBipedGoal, load_count) : 0;
      refuse(act->name, data, size, size - act->size + part->offset + list, 0x7fffffff);
    }
    assert_int_equal(heft_plugin_set_restore(set, data, size), HEFT_OK);
    run(world, 1, 0);
    free(data);
    close_act();
  }
}

static void names_are_found(void** state) {
  (void)state;
  assert_non_null(act_find("walk"));
  assert_ptr_equal(act_find("share"), act_find("carry"));
  assert_null(act_find("fly"));
  for (int i = 0; act_at(i); ++i) assert_non_null(act_plugin(act_at(i)));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_act_goes_back_in_time),
      cmocka_unit_test(steps_go_back_in_time),
      cmocka_unit_test(a_button_asks_for_the_can),
      cmocka_unit_test(a_robot_that_falls_stays_finite),
      cmocka_unit_test(forged_numbers_are_refused),
      cmocka_unit_test(names_are_found),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
