// SPDX-License-Identifier: Apache-2.0
// The table of drivers.
#include <string.h>

#include "base/assert.h"
#include "device/driver_list.h"

static const HeftDriver* const drivers[] = {
    &heft_driver_emulated,     &heft_driver_udp,
    &heft_driver_haply,        &heft_driver_space_mouse,
    &heft_driver_open_haptics, &heft_driver_force_dimension,
    &heft_driver_joystick,     NULL,
};

const HeftDriver* heft_driver_at(int index) {
  for (int i = 0; drivers[i]; ++i) {
    if (i == index) return drivers[i];
  }
  return NULL;
}

const HeftDriver* heft_driver_find(const char* name) {
  HEFT_REQUIRE(name, NULL);
  for (int i = 0; heft_driver_at(i); ++i) {
    if (strcmp(heft_driver_at(i)->name, name) == 0) return heft_driver_at(i);
  }
  return NULL;
}
