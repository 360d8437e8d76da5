// SPDX-License-Identifier: Apache-2.0
// Replaces libspnav; the device is a SpaceMouse. Needs neither the library nor the daemon.
#include <string.h>
#include "emulate/emulate.h"

#include "hand.h"

#pragma GCC diagnostic ignored "-Wmissing-prototypes"

enum { MOTION = 1, BUTTON = 2 };

typedef struct Event {
  int type;
  int value[6];
  unsigned period;
  int* data;
} Event;

static int reported;  // 1: this poll has reported the cap
static unsigned known;

MAKER int spnav_open(void) {
  reported = 0;
  known = 0;
  return hand_start("spacemouse") ? 0 : -1;
}
MAKER int spnav_close(void) { return 0; }

static int changed_button(Event* e) {
  for (int i = 0; i < 32; ++i) {
    const unsigned bit = 1u << i;
    if (((hand_at.buttons ^ known) & bit) == 0) continue;
    known ^= bit;
    e->type = BUTTON;
    e->value[0] = (known & bit) != 0;
    e->value[1] = i;
    return BUTTON;
  }
  return 0;
}

// Every second poll returns an event, as an emptied queue does.
MAKER int spnav_poll_event(Event* e) {
  memset(e, 0, sizeof *e);
  if (reported) {
    reported = 0;
    return 0;
  }
  hand_live();
  if (changed_button(e)) return BUTTON;
  reported = 1;
  e->type = MOTION;
  heft_emulated_cap(&hand_at, e->value);
  return MOTION;
}
