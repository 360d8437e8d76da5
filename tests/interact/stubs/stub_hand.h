// SPDX-License-Identifier: Apache-2.0
// A hand inside of a stub: 0.2 kg on a spring of 100 N/m that wants to be 20 mm below the start.
// Each look lets a millisecond pass.
#ifndef HEFT_TESTS_STUB_HAND_H
#define HEFT_TESTS_STUB_HAND_H

static double stub_pos[3], stub_vel[3], stub_force[3];
static double stub_wish[3];
static int stub_gone;

static inline void stub_move(void) {
  for (int part = 0; part < 10; ++part) {
    for (int i = 0; i < 3; ++i) {
      const double pull = stub_force[i] + 100 * (stub_wish[i] - stub_pos[i]) - 3 * stub_vel[i];
      stub_vel[i] += 1e-4 * pull / 0.2;
      stub_pos[i] += 1e-4 * stub_vel[i];
    }
  }
}

#define STUB __attribute__((visibility("default")))

/// For the tests: pulls the plug, or puts it in again.
STUB void stub_unplug(int gone);
STUB void stub_unplug(int gone) { stub_gone = gone; }

#endif
