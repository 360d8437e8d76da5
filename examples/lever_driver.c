// SPDX-License-Identifier: Apache-2.0
// A complete driver of a haptic device: a lever with one axis, on a spring. The program presses it
// against a wall of 300 N/m.
#include <heft/device.h>
#include <math.h>
#include <stdio.h>

// ---- the device: in a real driver these are calls to hardware

typedef struct Lever {
  double pos, vel, force;
  uint64_t number, last_ns;
} Lever;

static HeftStatus lever_open(void* self, const char* address, HeftError* error) {
  (void)address, (void)error;
  ((Lever*)self)->pos = 0.01;
  return HEFT_OK;
}

static void lever_close(void* self) { ((Lever*)self)->force = 0; }

static void lever_info(void* self, HeftDeviceInfo* info) {
  (void)self;
  *info = (HeftDeviceInfo){.name = "lever",
                           .axes_sensed = 3,
                           .axes_driven = 3,
                           .lowest = {0, 0, -0.05},
                           .highest = {0, 0, 0.05},
                           .force_max = 4,
                           .damping = 0.5,
                           .rate = 1000};
}

// A finger of 100 N/m waits for half a second and then moves to 20 mm below the start.
static void advance(Lever* l, uint64_t now_ns) {
  const double dt = l->last_ns ? 1e-9 * (double)(now_ns - l->last_ns) : 0;
  const double target = now_ns < 500000000 ? 0.01 : -0.02;
  const double pull = l->force + 100 * (target - l->pos) - 4 * l->vel;
  l->vel += dt * pull / 0.1;
  l->pos += dt * l->vel;
  l->last_ns = now_ns;
}

static HeftDeviceRead lever_read(void* self, uint64_t now_ns, HeftDeviceSample* sample) {
  Lever* l = self;
  advance(l, now_ns);
  *sample = (HeftDeviceSample){.time_ns = now_ns,
                               .number = ++l->number,
                               .pos = {0, 0, l->pos},
                               .rot = {1, 0, 0, 0},
                               .vel = {0, 0, l->vel}};
  return HEFT_DEVICE_FRESH;
}

static bool lever_write(void* self, uint64_t now_ns, const HeftDeviceForce* force) {
  (void)now_ns;
  ((Lever*)self)->force = force->force.z;
  return 1;
}

static const HeftDriver lever_driver = {.name = "lever",
                                        .text = "a lever with one axis",
                                        .address = "",
                                        .size = sizeof(Lever),
                                        .open = lever_open,
                                        .close = lever_close,
                                        .info = lever_info,
                                        .read = lever_read,
                                        .write = lever_write};

// ---- a test: a wall through the origin

int main(void) {
  HeftDevice* device = NULL;
  HeftError error = {0};
  if (heft_device_open(&device, &lever_driver, "", NULL, &error) != HEFT_OK) return 1;
  const HeftLocalModel wall = {
      .kind = HEFT_LOCAL_SURFACE, .turn = {1, 0, 0, 0}, .normal = {0, 0, 1}, .stiffness = 300};
  HeftDeviceSample sample = {.rot = {1, 0, 0, 0}};
  for (uint64_t ms = 1; ms <= 3000; ++ms) {
    const uint64_t now = ms * 1000000;
    heft_device_read(device, now, &sample);
    const HeftDeviceForce command = heft_local_model_force(&wall, now, &sample);
    heft_device_write(device, now, &command, NULL);
  }
  printf("%.2f mm deep\n", -1e3 * sample.pos.z);
  heft_device_close(device);
  return fabs(sample.pos.z + 0.005) < 1e-5 ? 0 : 1;  // 100 N/m * 15 mm = 300 N/m * 5 mm
}
