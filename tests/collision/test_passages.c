// SPDX-License-Identifier: Apache-2.0
// Passages: what is skipped changes no answer. Shapes move at random, and end near to where they
// were predicted, or far from it. The times at which they are stopped must be those of a collider
// that knows no prediction; pairs of which a direction shows that they stay apart do not meet.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "collision/nearness.h"
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

// ---- shapes that roll or slide: their times are not too late, and bounds of turns settle

static const double tolerance = 1e-6;

static HeftVec3 lowest_point(const Geometry* g, HeftPose x) {
  const HeftVec3 down = heft_mat3_tmul_vec(x.rot, heft_vec3(0, 0, -1));
  const HeftVec3 point = heft_pose_apply(x, heft_geometry_support(g, down));
  return heft_vec3_add_scaled(point, -g->radius, heft_vec3(0, 0, 1));
}

// Two shapes with their motions; a may be a plane that stays.
typedef struct Pair {
  const Geometry *a, *b;
  HeftPose at_a, at_b;
  StepMotion of_a, of_b;
} Pair;

static double gap_at(const Pair* p, double s, EpaScratch* scratch) {
  const HeftPose x = heft_motion_pose(&p->of_a, p->at_a, s),
                 y = heft_motion_pose(&p->of_b, p->at_b, s);
  const HeftPose b_in_a = {heft_mat3_mul(heft_mat3_transpose(x.rot), y.rot),
                           heft_pose_apply_inverse(x, y.pos)};
  Nearness near;
  if (p->a->kind == KIND_PLANE) return lowest_point(p->b, y).z;
  assert_true(heft_nearness(p->a, p->b, &b_in_a, HUGE_VAL, scratch, &near));
  return near.gap - p->a->radius - p->b->radius;
}

// Returns 1 if the shapes meet. *early: how far apart they are then, the most so far.
static int check_time(const Pair* p, NarrowScratch* narrow, double* early) {
  enum { SAMPLES = 10 };
  EpaScratch* scratch = &narrow->epa;
  const ShapeMotion a = heft_shape_motion(p->a, p->at_a, &p->of_a),
                    b = heft_shape_motion(p->b, p->at_b, &p->of_b);
  HeftVec3 normal = {0, 0, 0};
  const double s = heft_time_of_impact(&(Mover){p->a, p->at_a, &a}, &(Mover){p->b, p->at_b, &b}, 0,
                                       tolerance, narrow, &normal);
  const double end = s == NEVER ? 1 : s;
  for (int k = 0; k <= SAMPLES; ++k)
    assert_true(gap_at(p, end * k / SAMPLES, scratch) > -1e-3 * tolerance);
  if (s == NEVER) return 0;
  *early = fmax(*early, gap_at(p, s, scratch));
  return 1;
}

// A shape close above a plane turns about its lowest point, and sinks by up to twice its height or
// not at all.
static Pair rolling_pair(Random* r, const Geometry* plane, const Geometry* g) {
  const double height = pow(10, random_between(r, -5, -3)), sinks = random_between(r, 0, 2);
  const HeftPose still = {heft_quat_to_mat3(heft_quat(1, 0, 0, 0)), {0, 0, 0}};
  Pair p = {.a = plane, .b = g, .at_a = still, .at_b = {.rot = still.rot}};
  p.at_b.rot = heft_quat_to_mat3(random_rotation(r));
  p.at_b.pos.z = height - lowest_point(g, p.at_b).z;
  p.of_b.pivot = lowest_point(g, p.at_b);
  p.of_b.shift = heft_vec3(random_between(r, -0.02, 0.02), 0, sinks > 1 ? -sinks * height : 0);
  p.of_b.turn = heft_vec3(random_between(r, -0.1, 0.1), 0.03, 0);
  return p;
}

// A capsule slides with its end over a face of a box while both turn.
static Pair sliding_pair(Random* r, const Geometry* capsule, const Geometry* box) {
  const HeftVec3 tilt = heft_vec3(random_between(r, -0.5, 0.5), 0, 0);
  const double height = pow(10, random_between(r, -5, -4)), sinks = random_between(r, 0, 2);
  Pair p = {.a = capsule, .b = box};
  p.at_a.rot = heft_quat_to_mat3(heft_quat_exp(tilt));
  p.at_a.pos.z = height - lowest_point(capsule, p.at_a).z;
  p.at_b = (HeftPose){heft_quat_to_mat3(heft_quat(1, 0, 0, 0)), {0, 0, -box->half.z}};
  p.of_a.pivot = p.of_b.pivot = random_vector(r, -0.2, 0.2);
  p.of_a.turn = p.of_b.turn = random_vector(r, -0.05, 0.05);
  p.of_a.shift = heft_vec3(random_between(r, -1e-3, 1e-3), 0, -sinks * height);
  return p;
}

// An edge of a box lies across an edge of another one; both turn.
static Pair crossing_pair(Random* r, const Geometry* box) {
  const double quarter = 0.25 * 3.141592653589793, size = box->half.y + box->half.z;
  const double height = pow(10, random_between(r, -5, -4)), sinks = random_between(r, 0, 2);
  Pair p = {.a = box, .b = box};
  p.at_a.rot = heft_quat_to_mat3(heft_quat_exp(heft_vec3(quarter, 0, 0)));
  p.at_a.pos = heft_vec3(0, (box->half.z - box->half.y) * sqrt(0.5), -size * sqrt(0.5));
  p.at_b.rot = heft_quat_to_mat3(heft_quat_exp(heft_vec3(0, quarter, 0)));
  p.at_b.pos = heft_vec3_neg(lowest_point(box, p.at_b));
  p.at_b.pos.z += height;
  p.of_a.turn = random_vector(r, -0.05, 0.05);
  p.of_b = p.of_a;
  p.of_b.turn = heft_vec3_add(p.of_b.turn, random_vector(r, -0.01, 0.01));
  p.of_b.shift = heft_vec3(random_between(r, -2e-3, 2e-3), 0, -sinks * height);
  return p;
}

static void times_are_neither_late_nor_early(void** state) {
  (void)state;
  HeftModel* m = make_model();
  HeftCollider* c = new_collider(m, 1e-3, 4);
  Random r = {9};
  int rolled = 0, slid = 0, crossed = 0;
  double rolling = 0, sliding = 0, crossing = 0;
  const Geometry *capsule = &c->slot[2].geometry, *box = capsule;
  for (int i = 2; i < c->slot_count; ++i) {
    if (c->slot[i].geometry.kind == KIND_CAPSULE) capsule = &c->slot[i].geometry;
    if (c->slot[i].geometry.kind == KIND_BOX) box = &c->slot[i].geometry;
  }
  for (int trial = 0; trial < 2000; ++trial) {
    const Geometry* g = &c->slot[2 + trial % (c->slot_count - 2)].geometry;
    const Pair rolls = rolling_pair(&r, &c->slot[0].geometry, g),
               slides = sliding_pair(&r, capsule, box), crosses = crossing_pair(&r, box);
    rolled += check_time(&rolls, c->narrow, &rolling);
    slid += check_time(&slides, c->narrow, &sliding);
    crossed += check_time(&crosses, c->narrow, &crossing);
  }
  assert_true(rolled > 200 && slid > 200 && crossed > 200);
  assert_true(rolling <= tolerance && sliding <= tolerance && crossing <= tolerance);
  heft_collider_destroy(c);
  heft_model_destroy(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(predictions_change_no_answer),
                                     cmocka_unit_test(pairs_that_stay_apart_do_not_meet),
                                     cmocka_unit_test(times_are_neither_late_nor_early)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
