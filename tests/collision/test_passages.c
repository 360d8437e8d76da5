// SPDX-License-Identifier: Apache-2.0
// Passages: what is skipped changes no answer. Shapes move at random, and end near to where they
// were predicted, or far from it. The times at which they are stopped must be those of a collider
// that knows no prediction; pairs of which a direction shows that they stay apart do not meet.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "collision/stay_apart.h"
#include "collision/sweep.h"
#include "models.h"
#include "shapes.h"

enum { BODIES = 12, LINKS = BODIES + 1 };

static HeftModel* make_model(void) {
  HeftBuilder* b = new_builder();
  static const HeftShapeType type[] = {HEFT_SHAPE_SPHERE, HEFT_SHAPE_CAPSULE, HEFT_SHAPE_CYLINDER,
                                       HEFT_SHAPE_ELLIPSOID, HEFT_SHAPE_BOX};
  parts_shape(b, 0, HEFT_SHAPE_PLANE, 0, 0, 0);
  parts_shape(b, 0, HEFT_SHAPE_BOX, 0.3, 0.02, 0.3);
  static const double ring[3][2] = {{0.01, -0.07}, {0.06, 0.01}, {0.04, 0.04}};
  const int hull = parts_rings(b, 3, 8, ring, 0.5, 1);
  parts_mesh_shape(b, parts_free_body(b), hull);
  parts_mesh_shape(b, parts_free_body(b), hull);
  for (int i = 2; i < BODIES; ++i)
    parts_shape(b, parts_free_body(b), type[i % 5], 0.03, i % 5 == 1 ? 0.1 : 0.05, 0.08);
  return finish_model(b);
}

static void write_frame(HeftPose x, double* frame) {
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) frame[4 * j + i] = x.rot.m[i][j];
  }
  frame[12] = x.pos.x, frame[13] = x.pos.y, frame[14] = x.pos.z;
}

// Shapes within a cube of 0.4 m, and where they go.
typedef struct Flight {
  double start[16 * LINKS], end[16 * LINKS];
  StepMotion motion[LINKS];
} Flight;

static void random_flight(Random* r, Flight* f) {
  const double speed = pow(10, random_between(r, -3, -1));
  const double off = pow(10, random_between(r, -3.5, -1.5)), limp = random_between(r, 0, 1);
  for (int k = 0; k < LINKS; ++k) {
    const HeftPose x = {heft_quat_to_mat3(random_rotation(r)), random_vector(r, 0, 0.4)};
    const HeftVec3 arm = random_vector(r, -0.2, 0.2);
    f->motion[k] = (StepMotion){.pivot = heft_vec3_add(x.pos, arm),
                                .shift = random_vector(r, -speed, speed),
                                .turn = random_vector(r, -4 * speed, 4 * speed)};
    const int free = k > 0 && random_between(r, 0, 1) < limp;
    const StepMotion drift = {.pivot = x.pos,
                              .shift = random_vector(r, -off, off),
                              .turn = random_vector(r, -4 * off, 4 * off)};
    const HeftPose there = heft_motion_pose(&f->motion[k], x, 1);
    write_frame(x, f->start + 16 * k);
    write_frame(free ? heft_motion_pose(&drift, there, 1) : there, f->end + 16 * k);
  }
}

static int is_stopped(const double* stop) {
  for (int k = 0; k < LINKS; ++k) {
    if (stop[k] < 1) return 1;
  }
  return 0;
}

static void predictions_change_no_answer(void** state) {
  (void)state;
  HeftModel* m = make_model();
  HeftCollider* c = new_collider(m, 1e-3, 4);
  Random r = {7};
  int stopped = 0, free = 0;
  Flight f;
  assert_int_equal(c->nlink, LINKS);
  for (int trial = 0; trial < 1500; ++trial) {
    double plain[LINKS] = {0}, known[LINKS] = {0};
    random_flight(&r, &f);
    heft_collider_update_links(c, f.start);
    const int any = heft_collider_find_passages(c, f.end, plain);
    heft_collider_update_links(c, f.start);
    heft_collider_sweep(c, f.motion);
    heft_collider_collide(c);
    assert_int_equal(heft_collider_find_passages(c, f.end, known), any);
    if (any) assert_memory_equal(plain, known, sizeof plain);
    stopped += any && is_stopped(plain);
    free += !any;
  }
  assert_true(stopped > 200 && free > 200);
  heft_collider_destroy(c);
  heft_model_destroy(m);
}

// The number of pairs that stay apart, as a direction shows. None of them may meet.
static int check_pairs(HeftCollider* c) {
  int apart = 0;
  for (int a = 0; a < c->slot_count; ++a) {
    for (int b = a + 1; b < c->slot_count; ++b) {
      HeftVec3 normal = {0, 0, 0};
      if (c->slot[a].link == c->slot[b].link) continue;
      if (!heft_collider_stay_apart(c, a, b, 1e-3, 1e-6, c->separating_axis)) continue;
      assert_true(heft_collider_impact(c, a, b, c->narrow, &normal) == NEVER);
      ++apart;
    }
  }
  return apart;
}

static void pairs_that_stay_apart_do_not_meet(void** state) {
  (void)state;
  HeftModel* m = make_model();
  HeftCollider* c = new_collider(m, 1e-3, 4);
  Random r = {8};
  int apart = 0, contacts = 0;
  Flight f;
  for (int trial = 0; trial < 500; ++trial) {
    random_flight(&r, &f);
    heft_collider_update_links(c, f.start);
    heft_collider_sweep(c, f.motion);
    for (int k = 0; k < 2; ++k) {  // the second time with directions of the first
      contacts += heft_collider_collide(c).count;
      apart += check_pairs(c);
    }
  }
  assert_true(apart > 10000 && contacts > 1000);
  heft_collider_destroy(c);
  heft_model_destroy(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(predictions_change_no_answer),
                                     cmocka_unit_test(pairs_that_stay_apart_do_not_meet)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
