// SPDX-License-Identifier: Apache-2.0
// Stands for libspnav: a cap that is pushed to the right and turned, and a button.
#include <string.h>

#include "stub_hand.h"

#pragma GCC diagnostic ignored "-Wmissing-prototypes"

typedef struct Event {
  int type;
  int value[6];
  unsigned period;
  int* data;
} Event;

static int looks;

STUB int spnav_open(void) {
  looks = 0;
  return stub_gone ? -1 : 0;
}
STUB int spnav_close(void) { return 0; }
STUB int spnav_poll_event(Event* e) {
  ++looks;
  memset(e, 0, sizeof *e);
  if (looks == 1) {
    e->type = 2;
    e->value[0] = 1;
    e->value[1] = 0;
    return 2;
  }
  if (looks % 2 == 1) return 0;
  e->type = 1;
  e->value[0] = 350;  // to the right
  e->value[1] = -35;  // down
  e->value[2] = 70;   // away
  e->value[4] = 175;  // about the axis that points up
  return 1;
}
