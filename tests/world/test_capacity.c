// SPDX-License-Identifier: Apache-2.0
// Room for contact points: what a pile of sheets needs, what is kept if there is too little, and
// more room between two steps.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "world/contact_scene.h"

// ---- sheets

static const double thickness = 5e-5;

// A pile of sheets of paper size on a floor, each exactly on the one below.
static Scene open_sheets(int count, double margin, int threads) {
  Scene s = scene_open(heft_vec3(0, 0, -g), 0.002);
  const int material = add_material(&s, 0.6, 0);
  add_floor(&s, material);
  for (int i = 0; i < count; ++i) {
    HeftBodyDef body = heft_body_def_default();
    body.pos = heft_vec3(0, 0, thickness * (0.5 + i));
    body.mass = 2.5e-3;
    body.inertia = (HeftSym3){1.9e-5, 9.2e-6, 2.8e-5, 0, 0, 0};
    HeftJointDef joint = heft_joint_def_default();
    joint.body = heft_builder_add_body(s.builder, &body);
    joint.type = HEFT_JOINT_FREE;
    heft_builder_add_joint(s.builder, &joint);
    HeftShapeDef shape = heft_shape_def_default();
    shape.body = joint.body;
    shape.type = HEFT_SHAPE_BOX;
    shape.size[0] = 0.105;
    shape.size[1] = 0.15;
    shape.size[2] = 0.5 * thickness;
    shape.material = material;
    heft_builder_add_shape(s.builder, &shape);
  }
  HeftWorldDef def = heft_world_def_default();
  def.margin = margin;
  def.threads = threads;
  scene_start_with(&s, &def);
  return s;
}

static double sunk(const Scene* s, int count) {
  double most = 0;
  for (int i = 0; i < count; ++i) most = fmax(most, thickness * (0.5 + i) - q_of(s)[7L * i + 2]);
  return most;
}

// Each sheet lies within the margin of 20 others on each side.
static void sheets_stand(void** state) {
  (void)state;
  enum { SHEETS = 100 };
  Scene s = open_sheets(SHEETS, heft_world_def_default().margin, 1);
  for (int i = 0; i < 20; ++i) {
    const HeftStepReport r = heft_world_step(s.world);
    assert_int_equal(r.contact_dropped, 0);
    assert_int_equal(r.contact_count, 4 * SHEETS);
    CHECK_AT_MOST(r.penetration, 1e-8);
  }
  printf("%d sheets sank by %.1e m; %.0f bytes for each\n", SHEETS, sunk(&s, SHEETS),
         (double)heft_world_memory(s.world) / SHEETS);
  CHECK_AT_MOST(sunk(&s, SHEETS), 1e-7);
  CHECK_AT_MOST((double)heft_world_memory(s.world) / SHEETS, 58500);
  scene_close(&s);
}

// What others imply changes nothing: with the margin of a fifth of a sheet only neighbours meet.
static void implied_contacts_change_no_bit(void** state) {
  (void)state;
  enum { SHEETS = 70 };
  uint64_t hash[3];
  for (int i = 0; i < 3; ++i) {
    Scene s = open_sheets(SHEETS, i == 0 ? 1e-5 : 1e-3, i == 2 ? 2 : 1);
    for (int k = 0; k < 10; ++k) heft_world_step(s.world);
    hash[i] = heft_world_hash(s.world);
    scene_close(&s);
  }
  assert_true(hash[0] == hash[1] && hash[0] == hash[2]);
}

// ---- too little room

enum { BOXES = 10 };

static Scene open_boxes(const HeftWorldDef* def) {
  Scene s = scene_open(heft_vec3(0, 0, -g), 0.002);
  const int material = add_material(&s, 0.5, 0);
  add_floor(&s, material);
  for (int i = 0; i < BOXES; ++i)
    add_free(&s, HEFT_SHAPE_BOX, 0.1, 1 + i, heft_vec3(0.3 * i, 0, 0.1), material);
  scene_start_with(&s, def);
  return s;
}

static void every_pair_keeps_a_share(void** state) {
  (void)state;
  HeftWorldDef def = heft_world_def_default();
  for (def.contact_capacity = 2 * BOXES; def.contact_capacity <= 4 * BOXES;
       def.contact_capacity += 7) {
    Scene s = open_boxes(&def);
    for (int i = 0; i < 200; ++i) {
      const HeftStepReport r = heft_world_step(s.world);
      const int dropped = 4 * BOXES - def.contact_capacity;
      assert_true(r.contact_dropped <= dropped || dropped < 0);
      assert_true((r.status == HEFT_STEP_CONTACTS_DROPPED) == (r.contact_dropped > 0));
      int points[BOXES + 1] = {0};
      for (int k = 0; k < heft_world_contact_count(s.world); ++k)
        ++points[heft_world_contact(s.world, k).body_b];
      for (int k = 1; k <= BOXES; ++k) assert_true(points[k] >= 2);
    }
    for (int k = 0; k < BOXES; ++k) CHECK_AT_MOST(fabs(q_of(&s)[7 * k + 2] - 0.1), 1e-3);
    scene_close(&s);
  }
}

// ---- shapes in one another

// Balls at one place: 19,900 pairs with a contact point each. The room of the world is bounded, the
// steps tell what it lacks, and a capacity that is asked for is given.
static void a_knot_of_shapes_is_bounded(void** state) {
  (void)state;
  enum { BALLS = 200, PAIRS = BALLS * (BALLS - 1) / 2, POINTS_FEW = 1 << 14 };
  for (int asked = 0; asked <= 20000; asked += 20000) {
    HeftWorldDef def = heft_world_def_default();
    def.contact_capacity = asked;
    Scene s = scene_open(heft_vec3(0, 0, 0), 0.002);
    const int material = add_material(&s, 0.5, 0);
    for (int i = 0; i < BALLS; ++i)
      add_free(&s, HEFT_SHAPE_SPHERE, 0.1, 1, heft_vec3(0, 0, 1), material);
    scene_start_with(&s, &def);
    const HeftStepReport r = heft_world_step(s.world);
    const int kept = asked ? PAIRS : POINTS_FEW;
    printf("room %d: %d points, %d dropped, %.0f MB\n", asked, r.contact_count, r.contact_dropped,
           (double)heft_world_memory(s.world) * 1e-6);
    assert_int_equal(r.contact_count, kept);
    assert_int_equal(r.contact_dropped, PAIRS - kept);
    assert_int_equal(r.status, asked ? HEFT_STEP_OVERLAP : HEFT_STEP_CONTACTS_DROPPED);
    CHECK_AT_MOST((double)heft_world_memory(s.world), 90e6);
    scene_close(&s);
  }
}

// ---- more room

typedef struct Meter {
  size_t bytes;
  long left;  ///< allocations until one fails; below zero: none fails
} Meter;

static void* meter_allocate(void* user, size_t size, size_t alignment) {
  Meter* m = user;
  if (m->left == 0) return NULL;
  if (m->left > 0) --m->left;
  m->bytes += size;
  return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static void meter_release(void* user, void* memory, size_t size) {
  Meter* m = user;
  if (memory) m->bytes -= size;
  free(memory);
}

static HeftWorldDef metered_def(Meter* meter, int capacity, int threads) {
  HeftWorldDef def = heft_world_def_default();
  def.allocator = (HeftAllocator){meter_allocate, meter_release, meter};
  def.contact_capacity = capacity;
  def.threads = threads;
  return def;
}

// The bits are those of a world that had the room from the start.
static void room_grows_between_steps(void** state) {
  (void)state;
  for (int threads = 1; threads <= 2; ++threads) {
    Meter meter = {.left = -1};
    HeftWorldDef def = metered_def(&meter, 25, threads);
    Scene small = open_boxes(&def);
    def.contact_capacity = 80;
    Scene large = open_boxes(&def);
    HeftStepReport r = {0};
    for (int i = 0; i < 20; ++i) r = heft_world_step(small.world);
    assert_int_equal(r.status, HEFT_STEP_CONTACTS_DROPPED);

    void* bytes = malloc(heft_world_snapshot_size(small.world));
    const size_t size = heft_world_snapshot_size(small.world);
    heft_world_snapshot(small.world, bytes);
    assert_int_equal(heft_world_restore(large.world, bytes, size), HEFT_OK);
    free(bytes);
    const uint64_t before = heft_world_hash(small.world);
    assert_int_equal(heft_world_reserve_contacts(small.world, 80, NULL), HEFT_OK);
    assert_true(heft_world_hash(small.world) == before);
    assert_int_equal(meter.bytes, heft_world_memory(small.world) + heft_world_memory(large.world));

    const size_t grown = meter.bytes;
    assert_int_equal(heft_world_reserve_contacts(small.world, 30, NULL), HEFT_OK);  // has more
    assert_int_equal(meter.bytes, grown);
    for (int i = 0; i < 50; ++i) {
      r = heft_world_step(small.world);
      assert_int_equal(r.status, HEFT_STEP_SOLVED);
      heft_world_step(large.world);
      assert_true(heft_world_hash(small.world) == heft_world_hash(large.world));
    }
    assert_int_equal(meter.bytes, grown);
    scene_close(&small);
    scene_close(&large);
    assert_int_equal(meter.bytes, 0);
  }
}

// Without memory the world stays as it was.
static void a_failure_changes_nothing(void** state) {
  (void)state;
  Meter meter = {.left = -1};
  const HeftWorldDef def = metered_def(&meter, 25, 1);
  Scene s = open_boxes(&def), twin = open_boxes(&def);
  HeftStatus status = HEFT_ERR_MEMORY;
  const size_t bytes = meter.bytes;
  int failures = 0;
  heft_world_step(s.world);
  heft_world_step(twin.world);
  for (long left = 0; status != HEFT_OK; ++left) {
    HeftError error = {0};
    meter.left = left;
    status = heft_world_reserve_contacts(s.world, 200, &error);
    meter.left = -1;
    if (status == HEFT_OK) break;
    ++failures;
    assert_int_equal(status, HEFT_ERR_MEMORY);
    assert_int_equal(meter.bytes, bytes);
    heft_world_step(s.world);
    heft_world_step(twin.world);
    assert_true(heft_world_hash(s.world) == heft_world_hash(twin.world));
  }
  assert_true(failures > 2);
  HeftError error = {0};
  assert_int_equal(heft_world_reserve_contacts(s.world, 2000000000, &error), HEFT_ERR_VALUE);
  scene_close(&s);
  scene_close(&twin);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sheets_stand),
      cmocka_unit_test(implied_contacts_change_no_bit),
      cmocka_unit_test(every_pair_keeps_a_share),
      cmocka_unit_test(a_knot_of_shapes_is_bounded),
      cmocka_unit_test(room_grows_between_steps),
      cmocka_unit_test(a_failure_changes_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
