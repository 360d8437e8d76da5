// SPDX-License-Identifier: Apache-2.0
// Names of contact points while a world steps: a box that rests, and one that slides slowly, keep
// the same four for 100,000 steps, on a plane and on another box.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <heft/world.h>
#include <cmocka.h>

#include "models.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { STEPS = 10000 };
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
enum { STEPS = 10000 };
#else
enum { STEPS = 100000 };
#endif
#else
enum { STEPS = 100000 };
#endif

enum { SETTLING = 500 };

typedef struct Case {
  int on_box;   // else on a plane
  double push;  // pushed along x while slower than this [m/s]
} Case;

// A floor, and a brick of 2 kg on it.
static HeftModel* make_brick(const Case* k) {
  HeftBuilder* b = new_builder();
  HeftShapeDef floor = k->on_box ? parts_shape_def(0, HEFT_SHAPE_BOX, 60, 5, 0.5)
                                 : parts_shape_def(0, HEFT_SHAPE_PLANE, 0, 0, 0);
  if (k->on_box) floor.pos.z = -0.5;
  heft_builder_add_shape(b, &floor);
  HeftBodyDef body = heft_body_def_default();
  body.mass = 2;
  body.inertia = (HeftSym3){0.01, 0.015, 0.02, 0, 0, 0};
  body.pos = heft_vec3(-40 * k->on_box, 0, 0.1);
  const int brick = heft_builder_add_body(b, &body);
  HeftJointDef joint = heft_joint_def_default();
  joint.body = brick;
  joint.type = HEFT_JOINT_FREE;
  heft_builder_add_joint(b, &joint);
  parts_shape(b, brick, HEFT_SHAPE_BOX, 0.2, 0.15, 0.1);
  return finish_model(b);
}

static int names_of(HeftCollider* c, const HeftWorld* w, uint64_t* name) {
  HeftPose pose[2] = {heft_pose_identity(), heft_dynamics_body_pose(heft_world_dynamics(w), 1)};
  heft_collider_update(c, pose);
  const HeftContactPoints f = heft_collider_collide(c);
  for (int i = 0; i < f.count && i < 4; ++i) name[i] = f.point[i].feature;
  return f.count;
}

static void check_case(const Case* k) {
  HeftModel* m = make_brick(k);
  HeftWorld* w = NULL;
  HeftError e = {0};
  HeftWorldDef def = heft_world_def_default();
  def.time_step = 1e-3;
  if (heft_world_create(&w, m, &def, &e) != HEFT_OK) fail_msg("%s", e.message);
  HeftCollider* c = new_collider(m, 1e-3, 4);
  uint64_t first[4] = {0}, now[4] = {0};
  for (int step = 0; step < SETTLING + STEPS; ++step) {
    // More than friction holds, given and taken: it slides at about that speed.
    const double speed = heft_world_state(w)->v[0];
    const double push = k->push > 0 && speed < k->push ? 100 : 0;
    heft_world_apply_wrench(w, 1, heft_dynamics_body_pose(heft_world_dynamics(w), 1).pos,
                            heft_vec3(push, 0, 0), heft_vec3(0, 0, 0));
    heft_world_step(w);
    if (step < SETTLING) continue;
    assert_int_equal(names_of(c, w, now), 4);
    if (step == SETTLING) memcpy(first, now, sizeof first);
    if (memcmp(first, now, sizeof now) != 0) fail_msg("other names after %d steps", step);
  }
  const double way = heft_dynamics_body_pose(heft_world_dynamics(w), 1).pos.x + 40 * k->on_box;
  print_message("%s: moved by %.3f m\n", k->on_box ? "on a box" : "on a plane", way);
  assert_true(k->push > 0 ? way > 1e-5 * STEPS : fabs(way) < 1e-6);
  heft_collider_destroy(c);
  heft_world_destroy(w);
  heft_model_destroy(m);
}

static void test_names_stay(void** state) {
  (void)state;
  static const Case cases[4] = {{0, 0}, {0, 0.05}, {1, 0}, {1, 0.05}};
  for (int i = 0; i < 4; ++i) check_case(&cases[i]);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_names_stay)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
