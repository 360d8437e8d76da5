// SPDX-License-Identifier: Apache-2.0
#ifndef HEFT_SRC_INTERACT_HAPLY_H
#define HEFT_SRC_INTERACT_HAPLY_H

#include <heft/interact.h>

/// A message of the service: name of the first device (size bytes) and where it is. Returns 0 if it
/// is not JSON or does not say.
int haply_parse(const char* text, char* id, size_t size, HeftDeviceSample* sample);

#endif
