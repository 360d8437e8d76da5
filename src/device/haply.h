// SPDX-License-Identifier: Apache-2.0
#ifndef HEFT_SRC_DEVICE_HAPLY_H
#define HEFT_SRC_DEVICE_HAPLY_H

#include <heft/device.h>

/// Content of a message about the first device.
typedef struct HaplyNews {
  char id[64];  ///< its name, of plain letters
  HeftDeviceSample sample;
  int has_velocity;  ///< 0: the message had a position only
  int has_session;   ///< 1: the service keeps sessions (3.5 and newer)
  int small;         ///< 1: it is a Minverse
} HaplyNews;

/// Returns 0 if the text is not JSON, or has no position of a device.
int haply_parse(const char* text, HaplyNews* news);

#endif
