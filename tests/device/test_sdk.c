// SPDX-License-Identifier: Apache-2.0
// Papers: R40.
// Drivers of makers' libraries, against the libraries of `heft emulate`: a hand that presses on a
// wall, axes, buttons, a plug that is pulled and put in again.
#define _POSIX_C_SOURCE 200809L
#include <dlfcn.h>
#include <heft/device.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "support/check.h"

typedef struct Case {
  const char* driver;
  const char* address;  // before the path
  const char* library;
  const char* hand;
  HeftVec3 wall;  // normal of a wall through the origin
  unsigned buttons;
  const char* name;
  double coarse;  // tolerance [m]
} Case;

#define PLAIN ",mass=0,damping=0,friction=0,resolution=0,hand-damping=3"
static const Case cases[] = {
    {"dhd",
     "",
     "heft_emulated_dhd.so",
     "omega" PLAIN ":0 0 0 0 1; 0.001 0 0 -0.02 1",
     {0, 0, 1},
     1,
     "emulated omega",
     1e-6},
    {"openhaptics",
     "@",
     "heft_emulated_hd.so",
     "touch" PLAIN ":0 0 0 0 1; 0.001 0 0 -0.02 1",
     {0, 0, 1},
     1,
     "touch",
     1e-6},
    {"joystick",
     "0@",
     "heft_emulated_sdl2.so",
     "joystick" PLAIN ":0 0 0 0 4; 0.001 0 -0.02 0 4",
     {0, 1, 0},
     4,
     "emulated joystick",
     2e-4},
};

static HeftDevice* open_case(const Case* c) {
  char address[600];
  HeftDevice* device = NULL;
  HeftError error = {0};
  HeftDeviceDef def = heft_device_def_default();
  def.retry = 0.05;
  setenv("HEFT_EMULATED_HAND", c->hand, 1);
  snprintf(address, sizeof address, "%s%s/%s", c->address, HEFT_MODULE_DIR, c->library);
  if (heft_device_open(&device, heft_driver_find(c->driver), address, &def, &error) != HEFT_OK)
    fail_msg("%s: %s", c->driver, error.message);
  return device;
}

// A library of ours, and what it has for tests.
typedef struct Library {
  void* handle;
  void (*unplug)(int gone);
  void (*time)(uint64_t now_ns);
} Library;

static Library library_of(const Case* c) {
  char path[600];
  Library l = {0};
  snprintf(path, sizeof path, "%s/%s", HEFT_MODULE_DIR, c->library);
  l.handle = dlopen(path, RTLD_NOW);
  assert_non_null(l.handle);
  void* address = dlsym(l.handle, "heft_emulated_unplug");
  assert_non_null(address);
  memcpy(&l.unplug, &address, sizeof address);
  address = dlsym(l.handle, "heft_emulated_time");
  assert_non_null(address);
  memcpy(&l.time, &address, sizeof address);
  return l;
}

static void part_with(Library* l) {
  l->unplug(0);
  l->time(0);
  dlclose(l->handle);
}

static uint64_t press(HeftDevice* device, const Case* c, const Library* l, uint64_t now, int ms,
                      HeftDeviceSample* sample, HeftDeviceForce* given) {
  const HeftLocalModel wall = {
      .kind = HEFT_LOCAL_SURFACE, .turn = {1, 0, 0, 0}, .normal = c->wall, .stiffness = 400};
  for (int i = 0; i < ms; ++i) {
    now += 1000000u;
    l->time(now);
    heft_device_read(device, now, sample);
    const HeftDeviceForce command = heft_local_model_force(&wall, now, sample);
    *given = heft_device_write(device, now, &command, NULL);
  }
  return now;
}

static void walls_are_felt(void** state) {
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    const Case* c = &cases[i];
    Library l = library_of(c);
    l.time(1000000000u);
    HeftDevice* device = open_case(c);
    HeftDeviceSample s = {.rot = {1, 0, 0, 0}};
    HeftDeviceForce f;
    press(device, c, &l, 1000000000u, 5000, &s, &f);
    const double depth = -heft_vec3_dot(s.pos, c->wall);
    print_message("%s: %.4f mm deep, %.4f N\n", c->driver, 1e3 * depth,
                  heft_vec3_dot(f.force, c->wall));
    CHECK_AT_MOST(fabs(depth - 100 * 0.02 / 500), c->coarse);
    CHECK_AT_MOST(fabs(heft_vec3_dot(f.force, c->wall) - 1.6), 400 * c->coarse);
    assert_int_equal(s.buttons, c->buttons);
    assert_string_equal(heft_device_info(device).name, c->name);
    heft_device_close(device);
    part_with(&l);
  }
}

static void plugs_may_be_pulled(void** state) {
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    const Case* c = &cases[i];
    Library l = library_of(c);
    l.time(1000000000u);
    HeftDevice* device = open_case(c);
    HeftDeviceSample s = {.rot = {1, 0, 0, 0}};
    HeftDeviceForce f;
    uint64_t now = press(device, c, &l, 1000000000u, 2000, &s, &f);
    assert_true(heft_vec3_norm(f.force) > 1);
    l.unplug(1);
    now = press(device, c, &l, now, 100, &s, &f);
    assert_true(heft_vec3_norm(f.force) == 0);
    assert_false(heft_device_alive(device));
    l.unplug(0);
    now = press(device, c, &l, now, 3000, &s, &f);
    assert_true(heft_device_alive(device));
    assert_true(heft_vec3_norm(f.force) > 1);
    heft_device_close(device);
    part_with(&l);
  }
}

// The SDK's own thread turns the servo.
static void a_scheduler_turns_the_servo(void** state) {
  (void)state;
  HeftDevice* device = open_case(&cases[1]);
  HeftServo* servo = NULL;
  HeftError error = {0};
  assert_int_equal(heft_servo_create(&servo, NULL, &error), HEFT_OK);
  heft_servo_add(servo, device, NULL);
  assert_int_equal(heft_servo_start(servo, &error), HEFT_OK);
  HeftProbeInput input = {0};
  int fresh = 0;
  for (int i = 0; i < 400; ++i) {
    const struct timespec t = {0, 1000000};
    const HeftLocalModel wall = {.kind = HEFT_LOCAL_SURFACE,
                                 .time_ns = heft_clock_ns(),
                                 .turn = {1, 0, 0, 0},
                                 .normal = {0, 0, 1},
                                 .stiffness = 400};
    heft_servo_model(servo, 0, &wall);
    nanosleep(&t, NULL);
    fresh += heft_servo_input(servo, 0, &input);
  }
  heft_servo_stop(servo);
  assert_true(fresh > 50);
  assert_true(input.present);
  assert_true(input.pos.z < -0.001);
  heft_servo_destroy(servo);
  heft_device_close(device);
}

static void a_space_mouse_drives(void** state) {
  (void)state;
  const Case c = {
      "spacemouse", "", "heft_emulated_spnav.so", "spacemouse:0 0.01 0.002 -0.001 3", {0, 0, 1}, 3,
      "SpaceMouse", 0};
  Library l = library_of(&c);
  l.time(1000000000u);
  HeftDevice* device = open_case(&c);
  HeftDeviceSample s = {.rot = {1, 0, 0, 0}};
  uint64_t now = 1000000000u;
  for (int i = 0; i < 1000; ++i) {
    now += 1000000u;
    l.time(now);
    assert_int_equal(heft_device_read(device, now, &s), HEFT_DEVICE_FRESH);
  }
  CHECK_AT_MOST(fabs(s.pos.x - 0.1), 2e-4);  // 0.1 m/s for a second
  CHECK_AT_MOST(fabs(s.pos.y - 0.02), 2e-4);
  CHECK_AT_MOST(fabs(s.pos.z + 0.01), 2e-4);
  const HeftVec3 turn = heft_quat_log(s.rot);
  CHECK_AT_MOST(fabs(turn.z - 0.5), 2e-3);
  assert_int_equal(s.buttons, 3);
  for (int i = 0; i < 3000; ++i) {
    now += 1000000u;
    l.time(now);
    heft_device_read(device, now, &s);
  }
  CHECK_AT_MOST(s.pos.x, 0.15);
  heft_device_close(device);
  part_with(&l);
}

static void what_is_missing_is_named(void** state) {
  (void)state;
  const char* const names[] = {"dhd", "openhaptics", "joystick", "spacemouse"};
  const char* const addresses[] = {"/nowhere/lib.so", "@/nowhere/lib.so", "@/nowhere/lib.so",
                                   "/nowhere/lib.so"};
  char wrong[600];
  for (int i = 0; i < 4; ++i) {
    HeftDevice* device = NULL;
    HeftError error = {0};
    assert_int_not_equal(
        heft_device_open(&device, heft_driver_find(names[i]), addresses[i], NULL, &error), HEFT_OK);
    assert_non_null(strstr(error.message, "not installed"));
    // A library that is another one.
    error = (HeftError){0};
    snprintf(wrong, sizeof wrong, "%s%s/%s", addresses[i][0] == '@' ? "@" : "", HEFT_MODULE_DIR,
             i == 0 ? "heft_emulated_hd.so" : "heft_emulated_dhd.so");
    assert_int_equal(
        heft_device_open(&device, heft_driver_find(names[i]), wrong, NULL, &error) == HEFT_OK, 0);
    assert_non_null(strstr(error.message, "has no function"));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(walls_are_felt),
      cmocka_unit_test(plugs_may_be_pulled),
      cmocka_unit_test(a_scheduler_turns_the_servo),
      cmocka_unit_test(a_space_mouse_drives),
      cmocka_unit_test(what_is_missing_is_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
