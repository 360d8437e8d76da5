// SPDX-License-Identifier: Apache-2.0
// The service of Haply's Inverse3, and what may go wrong with it.
#ifndef HEFT_SRC_EMULATE_HAPLY_SERVICE_H
#define HEFT_SRC_EMULATE_HAPLY_SERVICE_H

#include <stdatomic.h>
#include "emulate/emulate.h"

#include "device/websocket.h"

typedef enum HaplyMood {
  HAPLY_WELL,
  HAPLY_WRONG_KEY,  ///< answers the handshake with a key of its own
  HAPLY_GARBAGE,    ///< sends what is no frame
  HAPLY_TOO_LONG,   ///< sends a message of a hundred thousand blanks
  HAPLY_NOT_JSON,   ///< sends half of a message
  HAPLY_HANGS_UP    ///< closes every connection after its first message
} HaplyMood;

enum { HAPLY_IN = 8192 };

typedef struct HaplyService {
  HeftEmulated head;
  int listener, client;  ///< -1: none
  int old;               ///< 1: speaks as releases 3.1 to 3.4 did, 0: as 3.5 does
  int greeted, asked;
  atomic_int mood;  ///< HaplyMood
  uint64_t heard_ns;
  HeftDeviceSample sample;
  size_t used;
  unsigned char in[HAPLY_IN];
} HaplyService;

#endif
