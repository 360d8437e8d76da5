// SPDX-License-Identifier: Apache-2.0
// Papers: R57, R74.
// Plug-ins of the program: options, order, data that follows a world back in time and into another
// world, what a plug-in may claim about itself, and numbers that it must not write.
#include <heft/io.h>
#include <heft/plugin.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"
#include "support/scene.h"

static HeftModel* model;
static HeftWorld* world;

static const char text[] =
    "<mujoco><worldbody>"
    "<body name='arm'><joint name='turn' axis='0 1 0'/>"
    "<inertial pos='0.1 0 0' mass='1' diaginertia='1 1 1'/></body></worldbody>"
    "<actuator><motor name='drive' joint='turn'/></actuator></mujoco>";

static int open_world(void** state) {
  (void)state;
  model = scene_model(text);
  world = scene_world(model);
  return 0;
}

static int close_world(void** state) {
  (void)state;
  heft_world_destroy(world);
  heft_model_destroy(model);
  return 0;
}

// ---- a plug-in with plain data: counts steps and pushes in proportion

typedef struct Count {
  double gain, limit, total;
  int steps, created;
} Count;

static const HeftOption count_options[] = {
    HEFT_PLUGIN_OPTION(Count, gain, -10, 10, 1, "N m", "torque for each step"),
    HEFT_PLUGIN_OPTION(Count, limit, 0, 1000, 100, "N m", "largest torque")};
static const HeftOption count_values[] = {
    HEFT_PLUGIN_VALUE(Count, total, "N m s", "sum of all torques")};

static HeftStatus count_create(void* self, HeftWorld* w, HeftError* error) {
  Count* c = self;
  ++c->created;
  return heft_model_lookup(heft_world_model(w), HEFT_NAMED_JOINT, "turn", &(int){0}, error);
}

static void count_before(void* self, HeftWorld* w) {
  const Count* c = self;
  heft_world_controls(w)[0] += fmin(c->limit, c->gain * c->steps);
}

static void count_after(void* self, const HeftWorld* w, const HeftStepReport* report) {
  Count* c = self;
  (void)report;
  ++c->steps;
  c->total += 1e-3 * heft_world_actuator_force(w, 0);
}

static void count_draw(const void* self, const HeftWorld* w, const HeftPluginCanvas* canvas) {
  (void)self;
  (void)w;
  canvas->arrow(canvas->user, heft_vec3(0, 0, 0), heft_vec3(1, 0, 0), 0xff0000ff);
}

static const HeftPlugin count_plugin = {.cookie = HEFT_DEF_COOKIE(HeftPlugin),
                                        .name = "count",
                                        .help = "counts",
                                        .size = sizeof(Count),
                                        .options = {count_options, 2},
                                        .values = {count_values, 1},
                                        .create = count_create,
                                        .before_step = count_before,
                                        .after_step = count_after,
                                        .draw = count_draw};

// ---- a plug-in with memory of its own: the controls of all steps

typedef struct Diary {
  double* number;
  int count;
} Diary;

enum { DIARY_MAX = 64 };

static HeftStatus diary_create(void* self, HeftWorld* w, HeftError* error) {
  Diary* d = self;
  (void)w;
  (void)error;
  d->number = calloc(DIARY_MAX, sizeof *d->number);
  return d->number ? HEFT_OK : HEFT_ERR_MEMORY;
}
static void diary_destroy(void* self) { free(((Diary*)self)->number); }
static void diary_before(void* self, HeftWorld* w) {
  Diary* d = self;
  if (d->count < DIARY_MAX) d->number[d->count++] = heft_world_controls(w)[0];
  heft_world_controls(w)[0] = 0;
}
static size_t diary_size(const void* self) {
  (void)self;
  return (DIARY_MAX + 1) * sizeof(double);
}
static void diary_save(const void* self, void* bytes) {
  const Diary* d = self;
  const double count = d->count;
  memcpy(bytes, &count, sizeof count);
  memcpy((double*)bytes + 1, d->number, DIARY_MAX * sizeof(double));
}
static bool diary_load(void* self, const void* bytes, size_t size) {
  Diary* d = self;
  double count = 0;
  if (size != diary_size(self)) return false;
  memcpy(&count, bytes, sizeof count);
  if (!(count >= 0 && count <= DIARY_MAX)) return false;
  d->count = (int)count;
  memcpy(d->number, (const double*)bytes + 1, DIARY_MAX * sizeof(double));
  return true;
}

static const HeftPlugin diary_plugin = {.cookie = HEFT_DEF_COOKIE(HeftPlugin),
                                        .name = "diary",
                                        .help = "remembers",
                                        .size = sizeof(Diary),
                                        .create = diary_create,
                                        .destroy = diary_destroy,
                                        .before_step = diary_before,
                                        .save_size = diary_size,
                                        .save = diary_save,
                                        .load = diary_load};

// ---- tests

static HeftPluginSet* make_set(const char* options) {
  HeftPluginSet* set = NULL;
  HeftError error = {0};
  assert_int_equal(heft_plugin_set_create(&set, NULL, NULL), HEFT_OK);
  if (heft_plugin_set_add(set, &count_plugin, options, &error) != HEFT_OK)
    fail_msg("%s", error.message);
  return set;
}

static HeftStepReport step(HeftPluginSet* set) {
  HeftError error = {0};
  if (heft_plugin_set_before_step(set, &error) != HEFT_OK) fail_msg("%s", error.message);
  const HeftStepReport report = heft_world_step(world);
  heft_plugin_set_after_step(set, &report);
  return report;
}

static void options_are_read_and_checked(void** state) {
  (void)state;
  HeftError error = {0};
  char spec[200];
  HeftPluginSet* set = make_set("limit=7,gain=-0.25");
  assert_true(heft_plugin_set_option(set, 0, 0) == -0.25);
  assert_string_equal(heft_plugin_set_spec(set, 0, spec, sizeof spec), "count:gain=-0.25,limit=7");
  assert_int_equal(heft_plugin_set_add(set, &count_plugin, "gian=3", &error), HEFT_ERR_NAME);
  assert_non_null(strstr(error.message, "gain"));
  assert_int_equal(heft_plugin_set_add(set, &count_plugin, "gain=11", &error), HEFT_ERR_VALUE);
  assert_int_equal(heft_plugin_set_add(set, &count_plugin, "gain", &error), HEFT_ERR_SYNTAX);
  assert_int_equal(heft_plugin_set_add(set, &count_plugin, "gain=1x", &error), HEFT_ERR_SYNTAX);
  assert_int_equal(heft_plugin_set_count(set), 1);
  assert_int_equal(heft_plugin_set_set_option(set, 0, 0, 12, &error), HEFT_ERR_VALUE);
  assert_int_equal(heft_plugin_set_set_option(set, 0, 0, 2, &error), HEFT_OK);
  assert_true(heft_plugin_set_option(set, 0, 0) == 2);
  heft_plugin_set_destroy(set);
}

static void plugins_act_in_order(void** state) {
  (void)state;
  // `diary` clears the control: behind `count` it stores what count wrote
  HeftPluginSet* set = make_set("gain=1");
  assert_int_equal(heft_plugin_set_add(set, &diary_plugin, NULL, NULL), HEFT_OK);
  assert_int_equal(heft_plugin_set_attach(set, world, NULL), HEFT_OK);
  for (int i = 0; i < 5; ++i) step(set);
  double bytes[200];
  const size_t size = heft_plugin_set_save_size(set);
  assert_true(size <= sizeof bytes);
  heft_plugin_set_save(set, bytes);
  const double* diary = (const double*)((char*)bytes + size) - DIARY_MAX;
  for (int i = 0; i < 5; ++i) assert_true(diary[i] == i);
  heft_plugin_set_destroy(set);
}

static void data_goes_back_in_time(void** state) {
  (void)state;
  HeftPluginSet* set = make_set("gain=0.5");
  assert_int_equal(heft_plugin_set_attach(set, world, NULL), HEFT_OK);
  for (int i = 0; i < 20; ++i) step(set);
  char data[400], *snapshot = malloc(heft_world_snapshot_size(world));
  const size_t size = heft_plugin_set_save_size(set);
  assert_true(size <= sizeof data);
  heft_plugin_set_save(set, data);
  heft_world_snapshot(world, snapshot);
  for (int i = 0; i < 30; ++i) step(set);
  const uint64_t end = heft_world_hash(world);
  assert_int_equal(heft_world_restore(world, snapshot, heft_world_snapshot_size(world)), HEFT_OK);
  assert_int_equal(heft_plugin_set_restore(set, data, size), HEFT_OK);
  for (int i = 0; i < 30; ++i) step(set);
  assert_true(heft_world_hash(world) == end);
  // without its data the plug-in does something else
  assert_int_equal(heft_world_restore(world, snapshot, heft_world_snapshot_size(world)), HEFT_OK);
  for (int i = 0; i < 30; ++i) step(set);
  assert_true(heft_world_hash(world) != end);
  // damaged data
  assert_int_equal(heft_plugin_set_restore(set, data, size - 1), HEFT_ERR_SYNTAX);
  data[0] ^= 1;
  assert_int_equal(heft_plugin_set_restore(set, data, size), HEFT_ERR_SYNTAX);
  free(snapshot);
  heft_plugin_set_destroy(set);
}

static void data_follows_into_another_world(void** state) {
  (void)state;
  HeftWorld* other = NULL;
  HeftPluginSet* set = make_set("gain=0.5");
  assert_int_equal(heft_plugin_set_add(set, &diary_plugin, NULL, NULL), HEFT_OK);
  assert_int_equal(heft_plugin_set_attach(set, world, NULL), HEFT_OK);
  for (int i = 0; i < 7; ++i) step(set);
  char before[800], after[800];
  heft_plugin_set_save(set, before);
  assert_int_equal(heft_world_create(&other, model, NULL, NULL), HEFT_OK);
  assert_int_equal(heft_plugin_set_attach(set, other, NULL), HEFT_OK);
  const size_t size = heft_plugin_set_save_size(set);
  heft_plugin_set_save(set, after);
  assert_memory_equal(before, after, size);
  heft_plugin_set_detach(set);
  assert_false(heft_plugin_set_attached(set));
  heft_world_destroy(other);
  heft_plugin_set_destroy(set);
}

static void a_world_without_the_joint_is_refused(void** state) {
  (void)state;
  static const char empty[] = "<mujoco><worldbody/></mujoco>";
  HeftModel* none = NULL;
  HeftWorld* bare = NULL;
  HeftError error = {0};
  assert_int_equal(heft_model_load_bytes(&none, empty, strlen(empty), "none", NULL, NULL), HEFT_OK);
  assert_int_equal(heft_world_create(&bare, none, NULL, NULL), HEFT_OK);
  HeftPluginSet* set = make_set("gain=0.5");
  assert_int_equal(heft_plugin_set_attach(set, bare, &error), HEFT_ERR_NAME);
  assert_non_null(strstr(error.message, "plug-in count"));
  assert_false(heft_plugin_set_attached(set));
  assert_int_equal(heft_plugin_set_before_step(set, NULL), HEFT_OK);  // nothing acts
  assert_int_equal(heft_plugin_set_attach(set, world, &error), HEFT_OK);
  assert_true(heft_plugin_set_option(set, 0, 0) == 0.5);
  heft_world_destroy(bare);
  heft_model_destroy(none);
  heft_plugin_set_destroy(set);
}

static void a_reset_begins_anew(void** state) {
  (void)state;
  HeftPluginSet* set = make_set("gain=0.5");
  char first[400], later[400];
  assert_int_equal(heft_plugin_set_attach(set, world, NULL), HEFT_OK);
  heft_plugin_set_save(set, first);
  for (int i = 0; i < 3; ++i) step(set);
  assert_true(heft_plugin_set_value(set, 0, 0) > 0);
  assert_int_equal(heft_plugin_set_reset(set, NULL), HEFT_OK);
  heft_plugin_set_save(set, later);
  assert_memory_equal(first, later, heft_plugin_set_save_size(set));
  heft_plugin_set_destroy(set);
}

static void write_nan(void* self, HeftWorld* w) {
  (void)self;
  heft_world_controls(w)[0] = (double)NAN;
}

static void numbers_that_are_not_finite_are_named(void** state) {
  (void)state;
  const HeftPlugin wild = {.cookie = HEFT_DEF_COOKIE(HeftPlugin),
                           .name = "wild",
                           .help = "writes NaN",
                           .before_step = write_nan};
  HeftError error = {0};
  HeftPluginSet* set = NULL;
  assert_int_equal(heft_plugin_set_create(&set, NULL, NULL), HEFT_OK);
  assert_int_equal(heft_plugin_set_add(set, &wild, NULL, &error), HEFT_OK);
  assert_int_equal(heft_plugin_set_attach(set, world, &error), HEFT_OK);
  assert_int_equal(heft_plugin_set_before_step(set, &error), HEFT_ERR_VALUE);
  assert_string_equal(error.message, "plug-in wild wrote a number that is not finite to control 0");
  assert_true(heft_world_controls(world)[0] == 0);
  heft_plugin_set_destroy(set);
}

static void wrong_claims_are_refused(void** state) {
  (void)state;
  HeftError error = {0};
  HeftPluginSet* set = NULL;
  assert_int_equal(heft_plugin_set_create(&set, NULL, NULL), HEFT_OK);
  HeftPlugin p = count_plugin;
  p.cookie = 0;
  assert_int_equal(heft_plugin_set_add(set, &p, NULL, &error), HEFT_ERR_ARGUMENT);
  p.cookie = HEFT_DEF_COOKIE(HeftPlugin) + 8;
  assert_int_equal(heft_plugin_set_add(set, &p, NULL, &error), HEFT_ERR_VERSION);
  p = count_plugin;
  p.size = sizeof(double);
  assert_int_equal(heft_plugin_set_add(set, &p, NULL, &error), HEFT_ERR_VALUE);
  p = count_plugin;
  p.name = "";
  assert_int_equal(heft_plugin_set_add(set, &p, NULL, &error), HEFT_ERR_VALUE);
  p = diary_plugin;
  p.load = NULL;
  assert_int_equal(heft_plugin_set_add(set, &p, NULL, &error), HEFT_ERR_VALUE);
  p = count_plugin;
  p.size = (size_t)1 << 40;
  assert_int_equal(heft_plugin_set_add(set, &p, NULL, &error), HEFT_ERR_LIMIT);
  assert_int_equal(heft_plugin_set_count(set), 0);
  heft_plugin_set_destroy(set);
}

// ---- a plug-in that listens to something outside of the world

typedef struct Ear {
  const double* outside;
  double heard;
} Ear;

static void ear_bind(void* self, void* user) { ((Ear*)self)->outside = user; }
static void ear_before(void* self, HeftWorld* w) {
  Ear* e = self;
  e->heard = *e->outside;
  heft_world_controls(w)[0] = e->heard;
}
static size_t ear_size(const void* self) {
  (void)self;
  return sizeof(double);
}
static void ear_record(const void* self, void* bytes) {
  memcpy(bytes, &((const Ear*)self)->heard, sizeof(double));
}
static bool ear_replay(void* self, HeftWorld* w, const void* bytes, size_t size) {
  if (size != sizeof(double)) return false;
  memcpy(&((Ear*)self)->heard, bytes, size);
  heft_world_controls(w)[0] = ((Ear*)self)->heard;
  return true;
}

static void a_record_repeats_what_was_heard(void** state) {
  (void)state;
  enum { STEPS = 20 };
  double outside = 0;
  const HeftPlugin ear = {.cookie = HEFT_DEF_COOKIE(HeftPlugin),
                          .name = "ear",
                          .help = "listens",
                          .size = sizeof(Ear),
                          .before_step = ear_before,
                          .bind = ear_bind,
                          .user = &outside,
                          .record_size = ear_size,
                          .record = ear_record,
                          .replay = ear_replay};
  unsigned char record[STEPS][16], first[400], *snapshot = malloc(heft_world_snapshot_size(world));
  HeftPluginSet* set = NULL;
  assert_int_equal(heft_plugin_set_create(&set, NULL, NULL), HEFT_OK);
  assert_int_equal(heft_plugin_set_add(set, &ear, NULL, NULL), HEFT_OK);
  assert_int_equal(heft_plugin_set_add(set, &count_plugin, "gain=0.1", NULL), HEFT_OK);
  assert_int_equal(heft_plugin_set_record_size(set), 0);  // nothing acts yet
  assert_int_equal(heft_plugin_set_attach(set, world, NULL), HEFT_OK);
  assert_int_equal(heft_plugin_set_record_size(set), sizeof record[0]);
  heft_plugin_set_save(set, first);
  const size_t size = heft_world_snapshot_size(world);
  heft_world_snapshot(world, snapshot);
  for (int i = 0; i < STEPS; ++i) {
    outside = 1 + 0.1 * i;
    step(set);
    heft_plugin_set_record(set, record[i]);
  }
  const uint64_t end = heft_world_hash(world);
  assert_int_equal(heft_world_restore(world, snapshot, size), HEFT_OK);
  assert_int_equal(heft_plugin_set_restore(set, first, heft_plugin_set_save_size(set)), HEFT_OK);
  outside = -5;
  for (int i = 0; i < STEPS; ++i) {
    assert_int_equal(heft_plugin_set_replay(set, record[i], sizeof record[i], NULL), HEFT_OK);
    const HeftStepReport report = heft_world_step(world);
    heft_plugin_set_after_step(set, &report);
  }
  assert_true(heft_world_hash(world) == end);
  // damaged records
  HeftError error = {0};
  assert_int_equal(heft_plugin_set_replay(set, record[0], 15, &error), HEFT_ERR_SYNTAX);
  assert_non_null(strstr(error.message, "ear"));
  assert_int_equal(heft_plugin_set_replay(set, record, 17, NULL), HEFT_ERR_SYNTAX);
  record[0][0] = 7;
  assert_int_equal(heft_plugin_set_replay(set, record[0], 16, NULL), HEFT_ERR_SYNTAX);
  HeftPlugin half = ear;
  half.replay = NULL;
  assert_int_equal(heft_plugin_set_add(set, &half, NULL, NULL), HEFT_ERR_VALUE);
  free(snapshot);
  heft_plugin_set_destroy(set);
}

static void count_arrow(void* user, HeftVec3 from, HeftVec3 along, uint32_t color) {
  (void)from;
  (void)along;
  (void)color;
  ++*(int*)user;
}

static void plugins_draw(void** state) {
  (void)state;
  int arrows = 0;
  const HeftPluginCanvas canvas = {.user = &arrows, .arrow = count_arrow};
  HeftPluginSet* set = make_set("");
  heft_plugin_set_draw(set, &canvas);
  assert_int_equal(arrows, 0);  // no world yet
  assert_int_equal(heft_plugin_set_attach(set, world, NULL), HEFT_OK);
  heft_plugin_set_draw(set, &canvas);
  assert_int_equal(arrows, 1);
  heft_plugin_set_destroy(set);
}

// ---- plug-ins that build

typedef struct Ball {
  double height, mass;
} Ball;

static const HeftOption ball_options[] = {
    HEFT_PLUGIN_OPTION(Ball, height, 0, 10, 1, "m", "height"),
    HEFT_PLUGIN_OPTION(Ball, mass, -1, 10, 2, "kg", "mass; 0: refuse")};

static HeftStatus ball_build(const void* self, HeftBuilder* builder, HeftError* error) {
  const Ball* b = self;
  HeftBodyDef body = heft_body_def_default();
  HeftJointDef joint = heft_joint_def_default();
  if (b->mass == 0) {
    snprintf(error->message, sizeof error->message, "a ball without mass");
    return HEFT_ERR_VALUE;
  }
  body.pos.z = b->height;
  body.mass = b->mass;
  body.inertia.xx = body.inertia.yy = body.inertia.zz = 0.1;
  joint.body = heft_builder_add_body(builder, &body);
  joint.type = HEFT_JOINT_FREE;
  heft_builder_add_joint(builder, &joint);
  return HEFT_OK;
}

static const HeftPlugin ball_plugin = {.cookie = HEFT_DEF_COOKIE(HeftPlugin),
                                       .name = "ball",
                                       .help = "builds a ball",
                                       .size = sizeof(Ball),
                                       .options = {ball_options, 2},
                                       .build = ball_build};

static void plugins_build_one_scene_in_order(void** state) {
  (void)state;
  HeftPluginSet* set = NULL;
  HeftModel* built = NULL;
  HeftWorld* scene = NULL;
  HeftError error = {0};
  assert_int_equal(heft_plugin_set_create(&set, NULL, NULL), HEFT_OK);
  assert_int_equal(heft_plugin_set_add(set, &count_plugin, NULL, NULL), HEFT_OK);
  assert_int_equal(heft_plugin_set_build(set, &built, &error), HEFT_ERR_NAME);
  assert_null(built);
  assert_int_equal(heft_plugin_set_add(set, &ball_plugin, "height=3", NULL), HEFT_OK);
  assert_int_equal(heft_plugin_set_add(set, &ball_plugin, "mass=5", NULL), HEFT_OK);
  assert_int_equal(heft_plugin_set_build(set, &built, &error), HEFT_OK);
  assert_int_equal(built->nbody, 3);
  scene = scene_world(built);
  assert_true(heft_world_state(scene)->q[2] == 3 && heft_world_state(scene)->q[9] == 1);
  assert_true(built->body_mass[1] == 2 && built->body_mass[2] == 5);
  heft_world_destroy(scene);
  heft_model_destroy(built);
  heft_plugin_set_destroy(set);
}

static void a_scene_may_be_refused(void** state) {
  (void)state;
  static const char* const wrong[] = {"mass=0", "mass=-1"};
  static const char* const words[] = {"plug-in ball: a ball without mass", "mass"};
  for (int i = 0; i < 2; ++i) {
    HeftPluginSet* set = NULL;
    HeftModel* built = NULL;
    HeftError error = {0};
    assert_int_equal(heft_plugin_set_create(&set, NULL, NULL), HEFT_OK);
    assert_int_equal(heft_plugin_set_add(set, &ball_plugin, wrong[i], NULL), HEFT_OK);
    assert_int_not_equal(heft_plugin_set_build(set, &built, &error), HEFT_OK);
    assert_null(built);
    assert_non_null(strstr(error.message, words[i]));
    heft_plugin_set_destroy(set);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(options_are_read_and_checked, open_world, close_world),
      cmocka_unit_test_setup_teardown(plugins_act_in_order, open_world, close_world),
      cmocka_unit_test_setup_teardown(data_goes_back_in_time, open_world, close_world),
      cmocka_unit_test_setup_teardown(data_follows_into_another_world, open_world, close_world),
      cmocka_unit_test_setup_teardown(a_world_without_the_joint_is_refused, open_world,
                                      close_world),
      cmocka_unit_test_setup_teardown(a_reset_begins_anew, open_world, close_world),
      cmocka_unit_test_setup_teardown(numbers_that_are_not_finite_are_named, open_world,
                                      close_world),
      cmocka_unit_test_setup_teardown(wrong_claims_are_refused, open_world, close_world),
      cmocka_unit_test_setup_teardown(a_record_repeats_what_was_heard, open_world, close_world),
      cmocka_unit_test_setup_teardown(plugins_draw, open_world, close_world),
      cmocka_unit_test(plugins_build_one_scene_in_order),
      cmocka_unit_test(a_scene_may_be_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
