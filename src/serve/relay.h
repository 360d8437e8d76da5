// SPDX-License-Identifier: Apache-2.0
// Decides which inputs the steps of a shared world have. Plain data; the caller has the clock.
#ifndef HEFT_SRC_SERVE_RELAY_H
#define HEFT_SRC_SERVE_RELAY_H

#include "serve/frame.h"

typedef struct RelaySeat {
  int taken;
  uint64_t since;  ///< the first step that this user has
  FrameInput input[FRAME_RING];
  uint64_t stamp[FRAME_RING];  ///< step of the input + 1, 0: none
} RelaySeat;

typedef struct Relay {
  int users;                                  ///< seats
  int patience;                               ///< steps for which a missing input is awaited
  uint64_t closed;                            ///< steps before this one have their final inputs
  FrameInput ring[FRAME_RING * FRAME_USERS];  ///< of the last FRAME_RING closed steps
  RelaySeat seat[FRAME_USERS];
  long held;  ///< inputs that did not come in time: the one before was used again
} Relay;

/// A relay whose first open step is `step`, with empty seats.
void relay_init(Relay* relay, int users, int patience, uint64_t step);
/// The user of a seat sends inputs from `since` on.
void relay_join(Relay* relay, int seat, uint64_t since);
void relay_leave(Relay* relay, int seat);
/// The input of a user for a step. One for a closed step, or for a step that is FRAME_RING / 2 or
/// more ahead of the closed ones, is ignored.
void relay_put(Relay* relay, int seat, uint64_t step, const FrameInput* input);
/// The first step of which the input of a user is missing.
uint64_t relay_missing(const Relay* relay, int seat);
/// Closes the steps before `now` whose inputs are complete, or that have waited long enough.
void relay_close(Relay* relay, uint64_t now);

#endif
