// SPDX-License-Identifier: Apache-2.0
// Every request for memory fails of devices, servos, plug-ins, links to controllers and the
// controllers' end.
#include <heft/device.h>
#include <heft/heft.h>
#include <heft/io.h>
#include <heft/plugin.h>
#include <heft/robot.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "link/link.h"

#include "faults/starved.h"
#include "support/check.h"
#include "support/scene.h"

static const char text[] =
    "<mujoco><worldbody><body name='arm'><joint name='turn' axis='0 1 0'/>"
    "<inertial pos='0.1 0 0' mass='1' diaginertia='1 1 1'/></body></worldbody>"
    "<actuator><motor name='drive' joint='turn'/></actuator>"
    "<keyframe><key name='bent' qpos='0.5'/></keyframe></mujoco>";

static HeftModel* model;
static HeftWorld* world;
static char place[100];

static int begin(void** state) {
  (void)state;
  model = scene_model(text);
  world = scene_world(model);
  snprintf(place, sizeof place, "unix:/tmp/heft_test_starved_%d", (int)getpid());
  return 0;
}

static int end(void** state) {
  (void)state;
  heft_world_destroy(world);
  heft_model_destroy(model);
  return 0;
}

// ---- devices

static HeftStatus open_device(const char* driver, const char* address, HeftError* error) {
  HeftStatus status;
  HeftDevice* made = NULL;
  STARVED(status, heft_device_open(&made, heft_driver_find(driver), address, NULL, error));
  assert_true((status == HEFT_OK) == (made != NULL));
  heft_device_close(made);
  return status;
}

static HeftStatus emulated(HeftError* error) { return open_device("emulated", "omega", error); }

static HeftStatus udp(HeftError* error) {
  char address[40];
  snprintf(address, sizeof address, "127.0.0.1:%d", 20000 + (int)getpid() % 20000);
  return open_device("udp", address, error);
}

static HeftServoDef calm_servo(void) {
  HeftServoDef def = heft_servo_def_default();
  def.priority = def.lock_memory = 0;
  return def;
}

static HeftStatus servo(HeftError* error) {
  HeftStatus status;
  HeftServo* made = NULL;
  const HeftServoDef def = calm_servo();
  STARVED(status, heft_servo_create(&made, &def, error));
  heft_servo_destroy(made);
  return status;
}

static HeftStatus servo_start(HeftError* error) {
  HeftStatus status;
  HeftServo* made = NULL;
  HeftDevice* device = NULL;
  const HeftServoDef def = calm_servo();
  const HeftMapping mapping = heft_mapping_default();
  assert_int_equal(heft_device_open(&device, heft_driver_find("emulated"), "", NULL, NULL),
                   HEFT_OK);
  assert_int_equal(heft_servo_create(&made, &def, NULL), HEFT_OK);
  assert_int_equal(heft_servo_add(made, device, &mapping), 0);
  STARVED(status, heft_servo_start(made, error));
  heft_servo_destroy(made);
  heft_device_close(device);
  return status;
}

static HeftStatus emulator_text(HeftError* error) {
  HeftStatus status;
  const HeftEmulatorDef def = heft_emulator_def_default();
  HeftEmulator emulator = heft_emulator_make(&def);
  return STARVED(status, heft_emulator_read_text(&emulator, "touch:0 0 0 0.05; 1 0 0 0", error));
}

// ---- plug-ins

typedef struct Count {
  double gain;
} Count;

static const HeftOption count_options[] = {
    HEFT_PLUGIN_OPTION(Count, gain, -10, 10, 1, "N m", "torque")};

static HeftStatus build(const void* self, HeftBuilder* builder, HeftError* error) {
  const HeftBodyDef body = heft_body_def_default();
  (void)self;
  (void)error;
  heft_builder_add_body(builder, &body);
  return HEFT_OK;
}

static const HeftPlugin plugin = {.cookie = HEFT_DEF_COOKIE(HeftPlugin),
                                  .name = "count",
                                  .help = "does nothing",
                                  .size = sizeof(Count),
                                  .options = {count_options, 1},
                                  .build = build};

static HeftStatus set_create(HeftError* error) {
  HeftStatus status;
  HeftPluginSet* made = NULL;
  STARVED(status, heft_plugin_set_create(&made, NULL, error));
  heft_plugin_set_destroy(made);
  return status;
}

static HeftPluginSet* new_set(int filled) {
  HeftPluginSet* made = NULL;
  assert_int_equal(heft_plugin_set_create(&made, NULL, NULL), HEFT_OK);
  if (filled) {
    assert_int_equal(heft_plugin_set_add(made, &plugin, "gain=2", NULL), HEFT_OK);
    assert_int_equal(heft_plugin_set_attach(made, world, NULL), HEFT_OK);
  }
  return made;
}

#define OF_SET(name, filled, ...)            \
  static HeftStatus name(HeftError* error) { \
    HeftStatus status;                       \
    HeftPluginSet* set = new_set(filled);    \
    STARVED(status, __VA_ARGS__);            \
    heft_plugin_set_destroy(set);            \
    return status;                           \
  }

OF_SET(set_add, 0, heft_plugin_set_add(set, &plugin, "gain=2", error))
OF_SET(set_load, 0, heft_plugin_set_load(set, PULSE, error))
OF_SET(set_reset, 1, heft_plugin_set_reset(set, error))
OF_SET(set_before_step, 1, heft_plugin_set_before_step(set, error))
OF_SET(set_replay, 1, heft_plugin_set_replay(set, NULL, 0, error))
OF_SET(set_option, 1, heft_plugin_set_set_option(set, 0, 0, 3, error))
OF_SET(set_reload, 1, heft_plugin_set_reload(set, &(int){0}, error))

static HeftStatus set_build(HeftError* error) {
  HeftStatus status;
  HeftModel* built = NULL;
  HeftPluginSet* set = new_set(1);
  STARVED(status, heft_plugin_set_build(set, &built, error));
  heft_model_destroy(built);
  heft_plugin_set_destroy(set);
  return status;
}

static HeftStatus set_attach(HeftError* error) {
  HeftStatus status;
  HeftPluginSet* set = new_set(0);
  assert_int_equal(heft_plugin_set_add(set, &plugin, NULL, NULL), HEFT_OK);
  STARVED(status, heft_plugin_set_attach(set, world, error));
  heft_plugin_set_destroy(set);
  return status;
}

// ---- controllers

static HeftStatus new_link(HeftError* error) {
  HeftStatus status;
  HeftLink* made = NULL;
  STARVED(status, heft_link_create(&made, place, false, NULL, error));
  heft_link_destroy(made);
  return status;
}

static atomic_int ended;

// The simulation at the other end: runs freely until the test has ended.
static void* simulate(void* user) {
  HeftLink* l = user;
  HeftWorld* w = scene_world(model);
  HeftPluginSet* set = NULL;
  const struct timespec pause = {0, 200000};
  const int well =
      heft_plugin_set_create(&set, NULL, NULL) == HEFT_OK &&
      heft_plugin_set_add(set, heft_link_plugin(l), heft_link_options(l), NULL) == HEFT_OK &&
      heft_plugin_set_attach(set, w, NULL) == HEFT_OK &&
      heft_plugin_set_reset(set, NULL) == HEFT_OK;
  while (well && !atomic_load(&ended)) {
    if (heft_plugin_set_before_step(set, NULL) != HEFT_OK) break;
    const HeftStepReport report = heft_world_step(w);
    heft_plugin_set_after_step(set, &report);
    nanosleep(&pause, NULL);
  }
  heft_plugin_set_destroy(set);
  heft_world_destroy(w);
  return NULL;
}

static HeftStatus robot(HeftError* error) {
  HeftStatus status;
  HeftRobot* made = NULL;
  STARVED(status, heft_robot_open(&made, place, 60, NULL, error));
  assert_true((status == HEFT_OK) == (made != NULL));
  heft_robot_close(made);
  return status;
}

static HeftStatus find(int joint, HeftError* error) {
  HeftStatus status;
  HeftRobot* made = NULL;
  int index;
  assert_int_equal(heft_robot_open(&made, place, 60, NULL, NULL), HEFT_OK);
  STARVED(status, joint ? heft_robot_find_joint(made, "turn", &index, error)
                        : heft_robot_find_actuator(made, "drive", &index, error));
  heft_robot_close(made);
  return status;
}

static HeftStatus find_joint(HeftError* error) { return find(1, error); }
static HeftStatus find_actuator(HeftError* error) { return find(0, error); }

static void devices(void** state) {
  (void)state;
  static const StarvedRow all[] = {
      STARVED_ROW(heft_device_open, emulated, 0),
      STARVED_ROW(heft_device_open, udp, 0),
      STARVED_ROW(heft_servo_create, servo, 0),
      STARVED_ROW(heft_servo_start, servo_start, 0),
      STARVED_ROW(heft_emulator_read_text, emulator_text, 0),
  };
  starved_rows(all, (int)(sizeof all / sizeof *all));
}

static void plugins(void** state) {
  (void)state;
  static const StarvedRow all[] = {
      STARVED_ROW(heft_plugin_set_create, set_create, 0),
      STARVED_ROW(heft_plugin_set_add, set_add, 0),
      STARVED_ROW(heft_plugin_set_load, set_load, 0),
      STARVED_ROW(heft_plugin_set_build, set_build, 0),
      STARVED_ROW(heft_plugin_set_attach, set_attach, 0),
      STARVED_ROW(heft_plugin_set_reset, set_reset, 0),
      STARVED_ROW(heft_plugin_set_before_step, set_before_step, 0),
      STARVED_ROW(heft_plugin_set_replay, set_replay, 0),
      STARVED_ROW(heft_plugin_set_set_option, set_option, 0),
      STARVED_ROW(heft_plugin_set_reload, set_reload, 0),
  };
  starved_rows(all, (int)(sizeof all / sizeof *all));
}

static void controllers(void** state) {
  (void)state;
  static const StarvedRow before[] = {STARVED_ROW(heft_link_create, new_link, 0)};
  static const StarvedRow all[] = {
      STARVED_ROW(heft_robot_open, robot, STARVED_HERE),
      STARVED_ROW(heft_robot_find_joint, find_joint, STARVED_HERE),
      STARVED_ROW(heft_robot_find_actuator, find_actuator, STARVED_HERE),
  };
  char spec[120];
  HeftLink* l = NULL;
  pthread_t thread;
  starved_rows(before, 1);
  snprintf(spec, sizeof spec, "%s,free", place);
  assert_int_equal(heft_link_create(&l, spec, false, NULL, NULL), HEFT_OK);
  assert_int_equal(pthread_create(&thread, NULL, simulate, l), 0);
  starved_rows(all, (int)(sizeof all / sizeof *all));
  atomic_store(&ended, 1);
  pthread_join(thread, NULL);
  heft_link_destroy(l);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(devices), cmocka_unit_test(plugins),
                                     cmocka_unit_test(controllers)};
  return cmocka_run_group_tests(tests, begin, end);
}
