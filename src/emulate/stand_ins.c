// SPDX-License-Identifier: Apache-2.0
// The table of stand-ins.
#include "emulate/stand_ins.h"

#include <string.h>

static const HeftStandIn* const stand_ins[] = {&heft_stand_in_udp, &heft_stand_in_haply,
                                               &heft_stand_in_spacenav, &heft_stand_in_magellan,
                                               NULL};

const HeftStandIn* heft_stand_in_at(int index) {
  for (int i = 0; stand_ins[i]; ++i) {
    if (i == index) return stand_ins[i];
  }
  return NULL;
}

const HeftStandIn* heft_stand_in_find(const char* name) {
  for (int i = 0; heft_stand_in_at(i); ++i) {
    if (strcmp(heft_stand_in_at(i)->name, name) == 0) return heft_stand_in_at(i);
  }
  return NULL;
}
