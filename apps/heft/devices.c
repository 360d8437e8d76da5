// SPDX-License-Identifier: Apache-2.0
// heft devices: lists drivers and tests a device.
#define _POSIX_C_SOURCE 200809L
#include <heft/device.h>
#include <heft/heft.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "device_key.h"
#include "option_names.h"
#include "users.h"
#include "verbs.h"

static const char help[] =
    "usage: heft devices [NAME[:ADDRESS] [--time SECONDS] [--push N]]\n"
    "Without NAME: lists the drivers and tries to open a device with each of them.\n"
    "With NAME: opens one device and measures its sample rate, its longest gap and its motion.\n"
    "\n"
    "  --time SECONDS         duration of the measurement (default 3)\n"
    "  --push N               apply an upward force of N newtons to the handle, with a slow ramp\n";

static void pause_ms(long ms) {
  const struct timespec t = {ms / 1000, ms % 1000 * 1000000};
  nanosleep(&t, NULL);
}

// ---- the list

// Waits up to ms milliseconds, since some devices send their first sample late.
static int answers(HeftDevice* d, int ms) {
  HeftDeviceSample sample;
  for (int i = 0; i < ms; ++i) {
    if (heft_device_read(d, heft_clock_ns(), &sample) == HEFT_DEVICE_FRESH) return 1;
    pause_ms(1);
  }
  return 0;
}

static int list(void) {
  for (int i = 0; heft_driver_at(i); ++i) {
    const HeftDriver* driver = heft_driver_at(i);
    HeftDevice* d = NULL;
    HeftError error = {0};
    printf("%-12s %s\n", driver->name, driver->text);
    if (driver->address[0]) printf("%-12s address: %s\n", "", driver->address);
    if (users_open_device(&d, driver, "", NULL, &error) != HEFT_OK) {
      printf("%-12s not available: %s\n", "", error.message);
    } else if (answers(d, 300)) {
      printf("%-12s device found: %s\n", "", heft_device_info(d).name);
    } else {
      printf("%-12s driver ready, no device answers\n", "");
    }
    heft_device_close(d);
  }
  return 0;
}

// ---- one device

typedef struct Look {
  long samples;
  double gap_max;
  HeftVec3 low, high;
  unsigned buttons;
} Look;

static void print_info(const HeftDeviceInfo* i) {
  printf("%s: %d axes sensed, %d axes actuated\n", i->name, i->axes_sensed, i->axes_driven);
  printf("  workspace    %.0f x %.0f x %.0f mm\n", 1e3 * (i->highest.x - i->lowest.x),
         1e3 * (i->highest.y - i->lowest.y), 1e3 * (i->highest.z - i->lowest.z));
  printf("  force        up to %.1f N; damping %.2g N s/m, friction %.2g N\n", i->force_max,
         i->damping, i->friction);
  const double bound = heft_device_stiffness_bound(i, 1e-3, 0);
  if (bound > 0) printf("  stiffness    up to %.0f N/m at 1 kHz (passive)\n", bound);
}

static Look look(HeftDevice* d, double seconds, double push) {
  Look l = {.low = {1e9, 1e9, 1e9}, .high = {-1e9, -1e9, -1e9}};
  HeftDeviceSample s;
  const uint64_t start = heft_clock_ns();
  uint64_t last = start, now = start;
  while ((double)(now - start) * 1e-9 < seconds) {
    pause_ms(1);
    now = heft_clock_ns();
    const HeftDeviceForce force = {.force = {0, 0, push}};
    const HeftDeviceRead read = heft_device_read(d, now, &s);
    heft_device_write(d, now, &force, NULL);
    if (read != HEFT_DEVICE_FRESH) continue;
    if (l.samples++ > 0) l.gap_max = fmax(l.gap_max, (double)(now - last) * 1e-9);
    last = now;
    l.low = heft_vec3(fmin(l.low.x, s.pos.x), fmin(l.low.y, s.pos.y), fmin(l.low.z, s.pos.z));
    l.high = heft_vec3(fmax(l.high.x, s.pos.x), fmax(l.high.y, s.pos.y), fmax(l.high.z, s.pos.z));
    l.buttons |= s.buttons;
  }
  return l;
}

static int look_at(const char* spec, double seconds, double push) {
  const char* address = "";
  const HeftDriver* driver = users_driver("devices", spec, &address);
  HeftDevice* d = NULL;
  HeftError error = {0};
  if (!driver) return 2;
  HeftDeviceDef def = heft_device_def_default();
  if (push != 0) def.guard.passivity = 0;  // a push adds energy by intention
  if (users_open_device(&d, driver, address, &def, &error) != HEFT_OK) {
    fprintf(stderr, "heft devices: error: %.*s: %s\n", (int)strcspn(spec, "#"), spec,
            error.message);
    return 1;
  }
  const Look l = look(d, seconds, push);
  const HeftDeviceInfo info = heft_device_info(d);
  print_info(&info);
  printf("  samples      %ld in %.1f s (%.0f per second), longest gap %.1f ms\n", l.samples,
         seconds, (double)l.samples / seconds, 1e3 * l.gap_max);
  if (l.samples > 0)
    printf("  moved        %.1f x %.1f x %.1f mm; buttons pressed: %x\n",
           1e3 * (l.high.x - l.low.x), 1e3 * (l.high.y - l.low.y), 1e3 * (l.high.z - l.low.z),
           l.buttons);
  if (push != 0) printf("  pushed       with up to %.2f N\n", heft_device_report(d).force_peak);
  heft_device_close(d);
  return l.samples > 0 ? 0 : 1;
}

int heft_verb_devices(int argc, char** argv) {
  const char* spec = NULL;
  double seconds = 3, push = 0;
  for (int i = 1; i < argc; ++i) {
    if (strcmp(argv[i], "--help") == 0) {
      printf("%s%s", help, device_key_help);
      return 0;
    }
    if (strcmp(argv[i], "--time") == 0 && i + 1 < argc) {
      seconds = atof(argv[++i]);
    } else if (strcmp(argv[i], "--push") == 0 && i + 1 < argc) {
      push = atof(argv[++i]);
    } else if (argv[i][0] == '-' || spec) {
      option_names_wrong("devices", help, "", argv[i]);
      return 2;
    } else {
      spec = argv[i];
    }
  }
  if (!(seconds > 0 && seconds < 1e6) || !(fabs(push) <= 100)) {
    fprintf(stderr, "heft devices: error: --time must be in (0, 1e6) s and --push within 100 N\n");
    return 2;
  }
  return spec ? look_at(spec, seconds, push) : list();
}
