// SPDX-License-Identifier: Apache-2.0
/// @file emulate.h
/// Devices that are not there: the other end of a driver, in a hand that is worked out, speaking as
/// the real device, its service or its daemon does. For `heft emulate` and the tests; not
/// installed.
#ifndef HEFT_EMULATE_H
#define HEFT_EMULATE_H

#include <heft/device.h>
#include <math.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What every stand-in begins with.
typedef struct HeftEmulated {
  HeftEmulator hand;
  char place[108];  ///< where it is found: a port, or the path of a socket or a terminal
  int wait_on;      ///< file descriptor that has something when somebody speaks, -1: none
} HeftEmulated;

/// One kind of stand-in. Functions get `self`, memory of `size` bytes that begins with a
/// HeftEmulated and that open() finds zeroed. None waits.
typedef struct HeftStandIn {
  const char* name;     ///< as people type it: "udp"
  const char* text;     ///< what it stands for, one line
  const char* driver;   ///< that it is for
  const char* device;   ///< model of the device in the hand, for heft_emulator_read_text()
  const char* address;  ///< what an address looks like, with the default
  size_t size;
  HeftStatus (*open)(void* self, const char* address, const HeftEmulator* hand, HeftError* error);
  void (*close)(void* self);
  /// Lets the hand live until now, takes what came, and answers.
  void (*turn)(void* self, uint64_t now_ns);
} HeftStandIn;

/// The stand-ins that there are: 0 to count - 1, NULL beyond.
const HeftStandIn* heft_stand_in_at(int index);
/// By name; NULL if there is none.
const HeftStandIn* heft_stand_in_find(const char* name);

/// The cap of a SpaceMouse in a hand: how far it is pushed and turned, 350 at full: to the right,
/// up and away, and about these. Full is a centimetre of the hand; while the second button is
/// pressed the cap is also twisted by half.
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
