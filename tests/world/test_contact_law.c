// SPDX-License-Identifier: Apache-2.0
// Papers: R58.
// A contact law and a detector of the user's: they act, also together with joints; broken ones end
// in a status; snapshots know them; threads do not change bits.
#include <string.h>

#include "contact_scene.h"

// ---- laws

typedef struct Spring {
  double k, c;
  double poison;  // is added to every normal impulse
} Spring;

static double push(const void* user, const HeftContactIsland* island) {
  const Spring* s = user;
  for (int i = 0; i < island->count; ++i) {
    const int row = island->problem->constraints[i].row;
    const double depth = -island->point[i]->gap, n = s->k * depth - s->c * island->start[row];
    if (!(depth > 0)) continue;
    island->impulse[row] = island->time_step * fmax(n, 0) + s->poison;
    island->store[i][0] = island->memory[i][0] + 1;
  }
  return 0;
}

// Rigid points without friction: Gauss-Seidel by the response of the world.
static double stop(const void* user, const HeftContactIsland* island) {
  double change = 0, velocity[64];
  (void)user;
  if (island->rows > 64) return -1;
  for (int sweep = 0; sweep < 500; ++sweep) {
    change = 0;
    for (int i = 0; i < island->count; ++i) {
      const int row = island->problem->constraints[i].row;
      island->respond(island, island->impulse, velocity);
      const double old = island->impulse[row], speed = island->free[row] + velocity[row];
      island->impulse[row] = fmax(0, old - speed / island->mobility[row]);
      change = fmax(change, fabs(island->impulse[row] - old) * island->mobility[row]);
    }
    if (change < 1e-13 * island->weight_speed) break;
  }
  return change / island->weight_speed < 1e-10 ? 0 : 1;
}

static double refuse(const void* user, const HeftContactIsland* island) {
  (void)user;
  island->impulse[0] = 1e3;
  return -1;
}

static double not_solved(const void* user, const HeftContactIsland* island) {
  push(user, island);
  return NAN;
}

static const HeftContactLaw springs = {.name = "springs", .yields = true, .solve = push};
static const HeftContactLaw other = {.name = "other", .yields = true, .solve = push};
static const HeftContactLaw rigid = {.name = "rigid", .yields = false, .solve = stop};
static const HeftContactLaw refusal = {.name = "refusal", .yields = false, .solve = refuse};
static const HeftContactLaw unsolved = {.name = "unsolved", .yields = true, .solve = not_solved};

static Scene box_on_floor(void) {
  Scene s = scene_open(heft_vec3(0, 0, -g), 1e-3);
  add_floor(&s, add_material(&s, 0.5, 0));
  add_free(&s, HEFT_SHAPE_BOX, 0.1, 1, heft_vec3(0, 0, 0.1), 1);
  scene_start(&s);
  return s;
}

static HeftStepReport run(HeftWorld* w, int steps) {
  HeftStepReport r = {0};
  for (int i = 0; i < steps; ++i) r = heft_world_step(w);
  return r;
}

static void springs_hold_a_box(void** state) {
  (void)state;
  Scene s = box_on_floor();
  const Spring spring = {1e4, 100, 0};
  assert_int_equal(heft_world_set_contact_law(s.world, &springs, &spring, NULL), HEFT_OK);
  assert_ptr_equal(heft_world_contact_law(s.world), &springs);
  const HeftStepReport r = run(s.world, 2000);
  assert_int_equal(r.status, HEFT_STEP_SOLVED);
  assert_float_equal(heft_world_state(s.world)->q[2], 0.1 - g / 4e4, 1e-9);
  assert_int_equal(heft_world_set_contact_law(s.world, NULL, NULL, NULL), HEFT_OK);
  run(s.world, 1000);
  assert_float_equal(heft_world_state(s.world)->q[2], 0.1, 2e-5);  // exact again: it is pushed out
  scene_close(&s);
}

// A box on a slider: the law and the limit of the joint carry it together.
static void joints_stay_exact(void** state) {
  (void)state;
  Scene s = scene_open(heft_vec3(0, 0, -g), 1e-3);
  add_floor(&s, add_material(&s, 0.5, 0));
  HeftBodyDef body = heft_body_def_default();
  body.pos = heft_vec3(0, 0, 0.1);
  body.mass = 2;
  body.inertia = (HeftSym3){1, 1, 1, 0, 0, 0};
  const int base = heft_builder_add_body(s.builder, &body);
  HeftJointDef joint = heft_joint_def_default();
  joint.body = base;
  joint.type = HEFT_JOINT_SLIDE;
  joint.axis = heft_vec3(0, 0, 1);
  heft_builder_add_joint(s.builder, &joint);
  body.parent = base;
  body.pos = heft_vec3(0, 0, 0.3);
  body.mass = 3;
  joint.body = heft_builder_add_body(s.builder, &body);
  joint.limited[0] = 1;
  joint.range[0][0] = 0;
  joint.range[0][1] = 1;
  heft_builder_add_joint(s.builder, &joint);
  HeftShapeDef shape = heft_shape_def_default();
  shape.body = base;
  shape.type = HEFT_SHAPE_BOX;
  shape.size[0] = shape.size[1] = shape.size[2] = 0.1;
  heft_builder_add_shape(s.builder, &shape);
  scene_start(&s);
  assert_int_equal(heft_world_set_contact_law(s.world, &rigid, NULL, NULL), HEFT_OK);
  const HeftStepReport r = run(s.world, 100);
  double force = 0;
  for (int i = 0; i < heft_world_contact_count(s.world); ++i)
    force += heft_world_contact(s.world, i).force.z;
  assert_int_equal(r.status, HEFT_STEP_SOLVED);
  assert_float_equal(fabs(force), 5 * g, 1e-6);
  assert_float_equal(heft_world_state(s.world)->q[1], 0, 1e-6);
  scene_close(&s);
}

static void broken_laws_end_in_a_status(void** state) {
  (void)state;
  static const double poison[] = {NAN, INFINITY, -INFINITY, 1e300, 1e12};
  for (size_t k = 0; k < sizeof poison / sizeof *poison; ++k) {
    Scene s = box_on_floor();
    Spring spring = {1e4, 100, 0};
    assert_int_equal(heft_world_set_contact_law(s.world, &springs, &spring, NULL), HEFT_OK);
    run(s.world, 50);
    const uint64_t before = heft_world_hash(s.world);
    spring.poison = poison[k];
    const HeftStepReport r = heft_world_step(s.world);
    assert_true(r.status == HEFT_STEP_NOT_FINITE || r.status == HEFT_STEP_OUT_OF_RANGE);
    assert_int_equal(heft_world_hash(s.world), before);
    spring.poison = 0;
    assert_true(heft_step_taken(heft_world_step(s.world).status));
    scene_close(&s);
  }
  Scene s = box_on_floor();
  const Spring spring = {1e4, 100, 0};
  HeftError error = {0};
  assert_int_equal(heft_world_set_contact_law(s.world, &refusal, NULL, NULL), HEFT_OK);
  HeftStepReport r = run(s.world, 10);
  assert_int_equal(r.fallbacks, 1);
  assert_int_equal(r.status, HEFT_STEP_SOLVED);
  assert_int_equal(heft_world_set_contact_law(s.world, &unsolved, &spring, NULL), HEFT_OK);
  r = run(s.world, 10);
  assert_int_equal(r.status, HEFT_STEP_INEXACT);
  const HeftContactLaw empty = {.name = "empty"};
  assert_int_equal(heft_world_set_contact_law(s.world, &empty, NULL, &error), HEFT_ERR_VALUE);
  assert_ptr_equal(heft_world_contact_law(s.world), &unsolved);
  scene_close(&s);
}

static void snapshots_know_the_law(void** state) {
  (void)state;
  Scene s = box_on_floor();
  const Spring spring = {1e4, 100, 0};
  HeftWorld* copy = NULL;
  unsigned char bytes[4096];
  assert_int_equal(heft_world_set_contact_law(s.world, &springs, &spring, NULL), HEFT_OK);
  run(s.world, 20);
  const size_t size = heft_world_snapshot_size(s.world);
  assert_true(size <= sizeof bytes);
  heft_world_snapshot(s.world, bytes);
  run(s.world, 20);
  const uint64_t end = heft_world_hash(s.world);
  assert_int_equal(heft_world_set_contact_law(s.world, &other, &spring, NULL), HEFT_OK);
  assert_int_equal(heft_world_restore(s.world, bytes, size), HEFT_ERR_VERSION);
  assert_int_equal(heft_world_set_contact_law(s.world, NULL, NULL, NULL), HEFT_OK);
  assert_int_equal(heft_world_restore(s.world, bytes, size), HEFT_ERR_VERSION);
  assert_int_equal(heft_world_set_contact_law(s.world, &springs, &spring, NULL), HEFT_OK);
  assert_int_equal(heft_world_restore(s.world, bytes, size), HEFT_OK);
  assert_int_equal(heft_world_clone(&copy, s.world, NULL), HEFT_OK);
  assert_ptr_equal(heft_world_contact_law(copy), &springs);
  run(s.world, 20);
  run(copy, 20);
  assert_int_equal(heft_world_hash(s.world), end);
  assert_int_equal(heft_world_hash(copy), end);
  assert_int_equal(heft_world_reserve_contacts(s.world, 1000, NULL), HEFT_OK);
  run(s.world, 5);
  run(copy, 5);
  assert_int_equal(heft_world_hash(s.world), heft_world_hash(copy));
  heft_world_destroy(copy);
  scene_close(&s);
}

// ---- detectors

typedef struct Table {
  double height;  // of the floor that the detector sees
  int mode;       // what it does wrong
} Table;

enum { RIGHT, NOT_FINITE, NO_UNIT, TWICE, NEGATIVE, MANY, HIGH_FEATURE };

// Balls on planes. The world comes first.
static bool takes_balls(const void* user, const HeftModel* m, int a, int b) {
  (void)user;
  return m->shape_type[a] == HEFT_SHAPE_PLANE && m->shape_type[b] == HEFT_SHAPE_SPHERE;
}

static int touch(const void* user, const HeftDetectorPair* pair, HeftDetectedPoint* out) {
  const Table* t = user;
  const double radius = pair->model->shape_size[3 * pair->shape_b];
  const HeftVec3 at = pair->b_in_a.pos;
  const double gap = at.z - radius - t->height;
  out[0] = (HeftDetectedPoint){heft_vec3(at.x, at.y, t->height + 0.5 * gap), {0, 0, 1}, gap, 7};
  out[1] = out[0];
  if (t->mode == NOT_FINITE) out[0].pos.x = NAN;
  if (t->mode == NO_UNIT) out[0].normal.z = 1.1;
  if (t->mode == HIGH_FEATURE) out[0].feature = UINT64_MAX;
  return t->mode == TWICE ? 2 : t->mode == NEGATIVE ? -1 : t->mode == MANY ? 1 << 20 : 1;
}

static const HeftDetector table = {.name = "table", .takes = takes_balls, .collide = touch};
static const HeftDetector desk = {.name = "desk", .takes = takes_balls, .collide = touch};

// Balls on a floor and a box, which the detector does not take.
static Scene balls_and_box(int balls, int threads) {
  Scene s = scene_open(heft_vec3(0, 0, -g), 1e-3);
  const int material = add_material(&s, 0.5, 0);
  add_floor(&s, material);
  for (int i = 0; i < balls; ++i) {
    const int row = i / 20;
    add_free(&s, HEFT_SHAPE_SPHERE, 0.1, 1, heft_vec3(0.3 * (i % 20), 0.3 * row, 0.1005), material);
  }
  add_free(&s, HEFT_SHAPE_BOX, 0.1, 1, heft_vec3(-1, 0, 0.1), material);
  HeftWorldDef def = heft_world_def_default();
  def.tolerance = 1e-12;
  def.threads = threads;
  scene_start_with(&s, &def);
  return s;
}

static void a_detector_sees_another_floor(void** state) {
  (void)state;
  Scene s = balls_and_box(1, 1);
  Table t = {-0.003, RIGHT};
  assert_int_equal(heft_world_set_detector(s.world, &table, &t, NULL), HEFT_OK);
  assert_ptr_equal(heft_world_detector(s.world), &table);
  const HeftStepReport r = run(s.world, 200);
  assert_int_equal(r.status, HEFT_STEP_SOLVED);
  assert_float_equal(heft_world_state(s.world)->q[2], 0.097, 2e-5);
  assert_float_equal(heft_world_state(s.world)->q[9], 0.1, 2e-5);
  // another answer, to be set again: the ball may sleep
  t.height = 0;
  assert_int_equal(heft_world_set_detector(s.world, &table, &t, NULL), HEFT_OK);
  run(s.world, 200);
  assert_float_equal(heft_world_state(s.world)->q[2], 0.1, 2e-5);
  unsigned char bytes[4096];
  const size_t size = heft_world_snapshot_size(s.world);
  assert_true(size <= sizeof bytes);
  heft_world_snapshot(s.world, bytes);
  assert_int_equal(heft_world_set_detector(s.world, &desk, &t, NULL), HEFT_OK);
  assert_int_equal(heft_world_restore(s.world, bytes, size), HEFT_ERR_VERSION);
  assert_int_equal(heft_world_set_detector(s.world, NULL, NULL, NULL), HEFT_OK);
  assert_int_equal(heft_world_restore(s.world, bytes, size), HEFT_ERR_VERSION);
  scene_close(&s);
}

static void broken_detectors_end_in_a_status(void** state) {
  (void)state;
  for (int mode = NOT_FINITE; mode <= HIGH_FEATURE; ++mode) {
    for (int threads = 1; threads <= 2; ++threads) {
      Scene s = balls_and_box(100, threads);
      const Table t = {0, mode};
      assert_int_equal(heft_world_set_detector(s.world, &table, &t, NULL), HEFT_OK);
      const HeftStepReport r = heft_world_step(s.world);
      assert_int_equal(r.status, HEFT_STEP_CONTACTS_DROPPED);
      assert_int_equal(r.contact_dropped, 100);
      scene_close(&s);
    }
  }
}

static void threads_change_no_bits(void** state) {
  (void)state;
  uint64_t hash[2];
  const Table t = {-0.003, RIGHT};
  const Spring spring = {1e4, 100, 0};
  for (int k = 0; k < 2; ++k) {
    Scene s = balls_and_box(100, 1 + 2 * k);
    assert_int_equal(heft_world_set_detector(s.world, &table, &t, NULL), HEFT_OK);
    assert_int_equal(heft_world_set_contact_law(s.world, &springs, &spring, NULL), HEFT_OK);
    run(s.world, 50);
    hash[k] = heft_world_hash(s.world);
    scene_close(&s);
  }
  assert_int_equal(hash[0], hash[1]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(springs_hold_a_box),
      cmocka_unit_test(joints_stay_exact),
      cmocka_unit_test(broken_laws_end_in_a_status),
      cmocka_unit_test(snapshots_know_the_law),
      cmocka_unit_test(a_detector_sees_another_floor),
      cmocka_unit_test(broken_detectors_end_in_a_status),
      cmocka_unit_test(threads_change_no_bits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
