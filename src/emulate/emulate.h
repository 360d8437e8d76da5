// SPDX-License-Identifier: Apache-2.0
/// @file emulate.h
/// Emulated devices: the other end of each driver, with an emulated hand. They use the protocol of
/// the real device, its service or its daemon. For `heft emulate` and the tests; not installed.
#ifndef HEFT_EMULATE_H
#define HEFT_EMULATE_H

#include <heft/device.h>
#include <math.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The first member of every stand-in.
typedef struct HeftEmulated {
  HeftEmulator hand;
  char place[108];  ///< address: a port, or the path of a socket or a terminal
  int wait_on;      ///< file descriptor that is readable when a request arrives, -1: none
} HeftEmulated;

/// One kind of stand-in. `self` is memory of `size` bytes that begins with a HeftEmulated, zeroed
/// before open(). The functions do not wait.
typedef struct HeftStandIn {
  const char* name;     ///< on the command line, e.g. "udp"
  const char* text;     ///< description, one line
  const char* driver;   ///< name of the driver
  const char* device;   ///< model of the device in the hand, for heft_emulator_read_text()
  const char* address;  ///< format of an address, with the default
  size_t size;
  HeftStatus (*open)(void* self, const char* address, const HeftEmulator* hand, HeftError* error);
  void (*close)(void* self);
  /// Advances the hand to now, reads requests, and answers them.
  void (*turn)(void* self, uint64_t now_ns);
} HeftStandIn;

/// The stand-ins: 0 to count - 1, NULL beyond.
const HeftStandIn* heft_stand_in_at(int index);
/// Finds a stand-in by name; NULL if it is unknown.
const HeftStandIn* heft_stand_in_find(const char* name);

/// The cap of an emulated SpaceMouse: counts of translation to the right, up and away, then of
/// rotation about these axes; 350 is full scale. A centimetre of the hand is full scale. While the
/// second button is pressed, the cap is also twisted by half of full scale.
static inline void heft_emulated_cap(const HeftDeviceSample* s, int counts[6]) {
  const double push[3] = {s->pos.x, s->pos.z, s->pos.y};
  for (int i = 0; i < 3; ++i) {
    const double share = push[i] / 0.01;
    counts[i] = (int)floor((share > 1 ? 1 : share < -1 ? -1 : share) * 350 + 0.5);
    counts[3 + i] = 0;
  }
  if (s->buttons & 2u) counts[4] = 175;
}

#ifdef __cplusplus
}
#endif
#endif
