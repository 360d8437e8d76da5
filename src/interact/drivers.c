// SPDX-License-Identifier: Apache-2.0
// The table of drivers.
#include <string.h>

#include "interact/driver_list.h"

static const HeftDriver* const drivers[] = {
    &heft_driver_emulated,    &heft_driver_udp,          &heft_driver_haply,
    &heft_driver_space_mouse, &heft_driver_open_haptics, &heft_driver_force_dimension,
    &heft_driver_joystick,
};

const HeftDriver* heft_driver(int index) {
  const int count = (int)(sizeof drivers / sizeof *drivers);
  return index >= 0 && index < count ? drivers[index] : NULL;
}

const HeftDriver* heft_driver_named(const char* name) {
  for (int i = 0; heft_driver(i); ++i) {
    if (strcmp(heft_driver(i)->name, name) == 0) return heft_driver(i);
  }
  return NULL;
}
