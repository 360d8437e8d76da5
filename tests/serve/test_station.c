// SPDX-License-Identifier: Apache-2.0
// The world of a server without a network: commands at step borders, pictures and their changes.
#include "serve/station.h"

#include <heft/io.h>
#include <stdlib.h>
#include <string.h>

#include "interact/hand.h"
#include "support/check.h"

static const char text[] =
    "<mujoco><option timestep='0.001'/><worldbody><geom type='plane' size='5 5 1'/>"
    "<body name='box' pos='0 0 0.1'><freejoint/><geom type='box' size='.1 .1 .1' mass='2'/></body>"
    "<body name='arm' pos='2 0 1'><joint name='j' axis='0 1 0'/><geom type='capsule' size='.05 .3' "
    "mass='1'/></body></worldbody>"
    "<actuator><position joint='j' kp='50' ctrllimited='true' ctrlrange='-1 1'/></actuator>"
    "<keyframe><key name='high' qpos='0 0 1 1 0 0 0 0.5'/></keyframe></mujoco>";

typedef struct Fixture {
  HeftModel* model;
  HeftWorld* world;
  Station station;
  uint64_t now;
} Fixture;

static void open_it(Fixture* f, const HeftServeDef* def) {
  f->model = NULL;
  f->world = NULL;
  assert_int_equal(heft_model_load_bytes(&f->model, text, sizeof text - 1, "m.xml", NULL, NULL),
                   HEFT_OK);
  assert_int_equal(heft_world_create(&f->world, f->model, NULL, NULL), HEFT_OK);
  assert_int_equal(station_make(&f->station, f->world, def, NULL), HEFT_OK);
  f->now = f->station.anchor_ns;
}

static void close_it(Fixture* f) {
  station_free(&f->station);
  heft_world_destroy(f->world);
  heft_model_destroy(f->model);
}

// Turns of simulated clock.
static void live(Fixture* f, double seconds) {
  const uint64_t end = f->now + (uint64_t)(1e9 * seconds);
  while (f->now < end) {
    const uint64_t due = station_turn(&f->station, f->now);
    f->now = due > f->now ? due : f->now + 1;
  }
}

static void command(Fixture* f, Command c) {
  assert_true(command_queue_put(&f->station.queue, &c));
}

static double box_height(const Fixture* f) {
  return heft_dynamics_body_pose(heft_world_dynamics(f->world), 1).pos.z;
}

static Fixture fixture;

static void test_pace(void** state) {
  (void)state;
  HeftServeDef def = heft_serve_def_default();
  Fixture* f = &fixture;
  def.speed = 2;
  open_it(f, &def);
  live(f, 0.5);
  CHECK_AT_MOST(fabs(*heft_world_state(f->world)->time - 1), 0.0021);
  f->now += 3000000000u;  // the machine slept
  station_turn(&f->station, f->now);
  live(f, 0.1);
  assert_int_equal(atomic_load(&f->station.late), 1);
  CHECK_AT_MOST(fabs(*heft_world_state(f->world)->time - 1.2), 0.0051);
  close_it(f);
}

static void test_pause(void** state) {
  (void)state;
  const HeftServeDef def = heft_serve_def_default();
  Fixture* f = &fixture;
  open_it(f, &def);
  live(f, 0.1);
  command(f, (Command){.kind = MESSAGE_RUN, .index = 0});
  live(f, 0.1);
  const uint64_t hash = heft_world_hash(f->world);
  const long steps = atomic_load(&f->station.steps);
  live(f, 1);
  assert_true(heft_world_hash(f->world) == hash);
  command(f, (Command){.kind = MESSAGE_STEP, .index = 7});
  live(f, 0.2);
  assert_int_equal(atomic_load(&f->station.steps), steps + 7);
  command(f, (Command){.kind = MESSAGE_RUN, .index = 1});
  live(f, 0.2);
  CHECK_AT_MOST(fabs((double)(atomic_load(&f->station.steps) - steps - 7 - 200)), 2);
  close_it(f);
}

static int hands_seen;

static void see_hands(void* user, const HeftHand* hands, int count) {
  (void)user;
  if (count == 1 && hands[0].present && hands[0].body == 1 && hands[0].force.z > 0) ++hands_seen;
}

// A pull acts as long as it is repeated, and ends a second after the last word of the user.
static void test_pull(void** state) {
  (void)state;
  HeftServeDef def = heft_serve_def_default();
  Fixture* f = &fixture;
  const Command pull = {.kind = MESSAGE_PULL, .user = 5, .index = 1, .vector = {0, 0, 2}};
  def.hooks.hands = see_hands;
  open_it(f, &def);
  for (int i = 0; i < 8; ++i) {
    command(f, pull);
    live(f, 0.25);
  }
  assert_true(box_height(f) > 1.5);
  assert_true(hands_seen > 1000);
  assert_true(triple_buffer_take(&f->station.pictures));
  const Picture* p = &f->station.picture[f->station.pictures.reading];
  assert_int_equal(p->hand_count, 1);
  assert_int_equal(p->hand[0].user, 5);
  assert_int_equal(p->hand[0].body, 1);
  live(f, 0.7);
  assert_int_equal(f->station.hand[5].body, 1);
  live(f, 0.5);
  assert_int_equal(f->station.hand[5].body, -1);
  live(f, 1);
  CHECK_AT_MOST(box_height(f), 0.11);
  command(f, pull);
  live(f, 0.1);
  command(f, (Command){.kind = MESSAGE_RELEASE, .user = 5});
  live(f, 0.01);
  assert_int_equal(f->station.hand[5].body, -1);
  close_it(f);
}

// However large the push, the speed of the tree changes by 2 m/s at most.
static void test_push(void** state) {
  (void)state;
  const HeftServeDef def = heft_serve_def_default();
  Fixture* f = &fixture;
  open_it(f, &def);
  live(f, 0.01);
  command(f, (Command){.kind = MESSAGE_PUSH, .index = 1, .at = {0, 0, 0.1}, .vector = {0, 0, 1e9}});
  station_turn(&f->station, f->now + 1000000u);
  CHECK_AT_MOST(fabs(heft_world_state(f->world)->v[2] - 2), 0.011);
  close_it(f);
}

static void test_controls_and_reset(void** state) {
  (void)state;
  const HeftServeDef def = heft_serve_def_default();
  Fixture* f = &fixture;
  open_it(f, &def);
  command(f, (Command){.kind = MESSAGE_CONTROL, .index = 0, .value = 0.75});
  live(f, 0.05);
  assert_true(heft_world_controls(f->world)[0] == 0.75);
  assert_true(triple_buffer_take(&f->station.pictures));
  assert_true(f->station.picture[f->station.pictures.reading].control[0] == 0.75F);
  command(f, (Command){.kind = MESSAGE_RESET, .index = 0});
  station_turn(&f->station, f->now);
  assert_true(box_height(f) > 0.99);
  command(f, (Command){.kind = MESSAGE_RESET, .index = -1});
  station_turn(&f->station, f->now);
  CHECK_AT_MOST(fabs(box_height(f) - 0.1), 1e-4);
  close_it(f);
}

// ---- pictures

static double get(const unsigned char* at, int size) {
  uint64_t bits = 0;
  for (int i = 0; i < size; ++i) bits |= (uint64_t)at[i] << (8 * i);
  if (size <= 2) return (double)bits;
  if (size == 4) {
    const uint32_t half = (uint32_t)bits;
    float x;
    memcpy(&x, &half, 4);
    return (double)x;
  }
  double x;
  memcpy(&x, &bits, 8);
  return x;
}

// Applies a picture to the poses that a watcher has (7 numbers per body).
static void apply(const unsigned char* bytes, size_t size, double (*pose)[7]) {
  const int bodies = (int)get(bytes + 24, 2), contacts = (int)get(bytes + 26, 2);
  const int hands = (int)get(bytes + 28, 2), controls = (int)get(bytes + 30, 2);
  assert_int_equal(size, PICTURE_HEAD + bodies * PICTURE_BODY + contacts * PICTURE_CONTACT +
                             hands * PICTURE_HAND + 4 * controls);
  for (int i = 0; i < bodies; ++i) {
    const unsigned char* at = bytes + PICTURE_HEAD + i * PICTURE_BODY;
    double* p = pose[(int)get(at, 2)];
    for (int k = 0; k < 4; ++k)
      p[3 + k] = (double)(int16_t)(uint16_t)get(at + 2 + 2 * k, 2) / 32767;
    for (int k = 0; k < 3; ++k) p[k] = get(at + 12 + 4 * k, 4);
  }
}

static void check_poses(const Fixture* f, double (*pose)[7]) {
  for (int b = 0; b < f->model->nbody; ++b) {
    const HeftPose is = heft_dynamics_body_pose(heft_world_dynamics(f->world), b);
    const HeftPose seen =
        heft_pose(heft_vec3(pose[b][0], pose[b][1], pose[b][2]),
                  heft_quat_normalize(heft_quat(pose[b][3], pose[b][4], pose[b][5], pose[b][6])));
    CHECK_AT_MOST(heft_vec3_norm(heft_vec3_sub(is.pos, seen.pos)), 1e-6);
    for (int k = 0; k < 9; ++k)
      CHECK_AT_MOST(fabs(is.rot.m[k / 3][k % 3] - seen.rot.m[k / 3][k % 3]), 2e-4);
  }
}

// A watcher that gets changes alone sees the same as one that gets whole pictures.
static void test_pictures(void** state) {
  (void)state;
  const HeftServeDef def = heft_serve_def_default();
  Fixture* f = &fixture;
  double pose[8][7] = {{0}};
  Picture now, before;
  open_it(f, &def);
  heft_world_set_key(f->world, 0);
  assert_true(picture_make(&now, f->model, &def.allocator));
  assert_true(picture_make(&before, f->model, &def.allocator));
  unsigned char* bytes = malloc(picture_size_max(&now));
  size_t whole = 0, changes = 0;
  for (int i = 0; i < 200; ++i) {
    picture_copy(&before, &now);
    picture_take(&now, f->world);
    const PictureLabel label = {.number = (uint32_t)i + 1, .watchers = 3, .users = 1};
    const size_t size = picture_write(&now, i > 0 ? &before : NULL, label, bytes);
    assert_int_equal(bytes[0], PICTURE_KIND);
    assert_int_equal((int)get(bytes + 32, 2), 3);
    apply(bytes, size, pose);
    check_poses(f, pose);
    if (i > 0) changes += size;
    whole += picture_write(&now, NULL, label, bytes);
    for (int k = 0; k < 33; ++k) heft_world_step(f->world);
  }
  assert_true(changes < whole);
  free(bytes);
  picture_free(&now, &def.allocator);
  picture_free(&before, &def.allocator);
  close_it(f);
}

static void* refuse(void* user, size_t size, size_t alignment) {
  (void)user, (void)size, (void)alignment;
  return NULL;
}

static void test_no_memory(void** state) {
  (void)state;
  HeftServeDef def = heft_serve_def_default();
  Fixture* f = &fixture;
  open_it(f, &def);
  Station station;
  HeftError error = {0};
  def.allocator.allocate = refuse;
  assert_int_equal(station_make(&station, f->world, &def, &error), HEFT_ERR_MEMORY);
  station_free(&station);
  close_it(f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_pace),
      cmocka_unit_test(test_pause),
      cmocka_unit_test(test_pull),
      cmocka_unit_test(test_push),
      cmocka_unit_test(test_controls_and_reset),
      cmocka_unit_test(test_pictures),
      cmocka_unit_test(test_no_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
