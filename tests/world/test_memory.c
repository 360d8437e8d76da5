// SPDX-License-Identifier: Apache-2.0
// The memory of a world follows from what its model can need: contact points of its shapes, and
// limits, dry friction and equalities that it really has.
#include <stdlib.h>

#include "contact_scene.h"

typedef struct Meter {
  size_t bytes, most;
} Meter;

static void* meter_allocate(void* user, size_t size, size_t alignment) {
  Meter* m = user;
  m->bytes += size;
  if (m->bytes > m->most) m->most = m->bytes;
  return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static void meter_release(void* user, void* memory, size_t size) {
  Meter* m = user;
  if (memory) m->bytes -= size;
  free(memory);
}

// A square of free bodies on a floor.
static Scene open_bodies(HeftShapeType type, int count) {
  Scene s = scene_open(heft_vec3(0, 0, -g), 0.001);
  const int material = add_material(&s, 0.5, 0);
  int side = 1;
  while (side * side < count) ++side;
  add_floor(&s, material);
  for (int i = 0; i < count; ++i)
    add_free(&s, type, 0.1, 1, heft_vec3(0.3 * (i % side), 0.3 * (double)(i / side), 0.1),
             material);
  return s;
}

// Bytes of a world of so many bodies, for each of them. The sum over all its parts is what the
// allocator gave.
static double bytes_of_body(HeftShapeType type, int count, int threads) {
  Meter meter = {0};
  HeftWorldDef def = heft_world_def_default();
  def.allocator = (HeftAllocator){meter_allocate, meter_release, &meter};
  def.threads = threads;
  Scene s = open_bodies(type, count);
  scene_start_with(&s, &def);
  const size_t bytes = meter.bytes;
  assert_int_equal(bytes, heft_world_memory(s.world));
  const HeftStepReport report = heft_world_step(s.world);
  assert_int_equal(report.status, HEFT_STEP_SOLVED);
  assert_int_equal(report.contact_dropped, 0);
  assert_int_equal(meter.bytes, bytes);
  scene_close(&s);
  assert_int_equal(meter.bytes, 0);
  return (double)bytes / count;
}

// The first hundreds of bodies have room for the Newton steps of a heap of all of them.
static void memory_of_a_body_does_not_grow_with_their_number(void** state) {
  (void)state;
  static const struct {
    int count;
    double box, ball;
  } most[] = {{100, 58500, 46500}, {1000, 40000, 32000}, {10000, 35500, 27500}};
  for (int i = 0; i < 3; ++i) {
    const double box = bytes_of_body(HEFT_SHAPE_BOX, most[i].count, 1),
                 ball = bytes_of_body(HEFT_SHAPE_SPHERE, most[i].count, 1);
    printf("%d: %.1f bytes of a box, %.1f of a ball\n", most[i].count, box, ball);
    assert_true(box <= most[i].box);
    assert_true(ball <= most[i].ball);
  }
}

// Another thread adds a solver for small islands and a second list of contact points.
static void a_thread_costs_little(void** state) {
  (void)state;
  const double alone = bytes_of_body(HEFT_SHAPE_BOX, 4000, 1),
               two = bytes_of_body(HEFT_SHAPE_BOX, 4000, 2);
  assert_true(two <= 1.2 * alone);
}

// Boxes side by side and on top of each other have more contact points than shapes let expect; a
// world reserves for those that it starts with.
static void contact_points_of_the_start_have_room(void** state) {
  (void)state;
  enum { SIDE = 6 };
  Scene s = scene_open(heft_vec3(0, 0, -g), 0.001);
  const int material = add_material(&s, 0.5, 0);
  add_floor(&s, material);
  for (int i = 0; i < SIDE * SIDE * SIDE; ++i)
    add_free(&s, HEFT_SHAPE_BOX, 0.1, 1,
             heft_vec3(0.2 * (i % SIDE), 0.2 * (double)(i / SIDE % SIDE),
                       0.1 + 0.2 * (double)(i / (SIDE * SIDE))),
             material);
  HeftWorldDef def = heft_world_def_default();
  def.effort_max = 1;
  scene_start_with(&s, &def);
  const HeftStepReport report = heft_world_step(s.world);
  assert_true(report.contact_count > 8 * SIDE * SIDE * SIDE);
  assert_int_equal(report.contact_dropped, 0);
  scene_close(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(memory_of_a_body_does_not_grow_with_their_number),
      cmocka_unit_test(a_thread_costs_little),
      cmocka_unit_test(contact_points_of_the_start_have_room),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
