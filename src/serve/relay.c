// SPDX-License-Identifier: Apache-2.0
// A step is closed as soon as the input of every user is there, and at the latest `patience` steps
// after its time: a user whose connection is slow or cut holds up nobody for longer. The input of a
// missing user is the one of the step before. A closed step is final. Everybody, its sender
// included, gets it from here, so that all have the same inputs whatever was lost on the way.
#include "serve/relay.h"

#include <string.h>

#include "base/assert.h"

void relay_init(Relay* r, int users, int patience, uint64_t step) {
  HEFT_REQUIRE_VOID(r && users > 0 && users <= FRAME_USERS && patience > 0 &&
                    patience < FRAME_RING / 2);
  memset(r, 0, sizeof *r);
  r->users = users;
  r->patience = patience;
  r->closed = step;
}

void relay_join(Relay* r, int seat, uint64_t since) {
  HEFT_REQUIRE_VOID(r && seat >= 0 && seat < r->users);
  RelaySeat* s = &r->seat[seat];
  memset(s, 0, sizeof *s);
  s->taken = 1;
  s->since = since;
}

void relay_leave(Relay* r, int seat) {
  HEFT_REQUIRE_VOID(r && seat >= 0 && seat < r->users);
  memset(&r->seat[seat], 0, sizeof r->seat[seat]);
}

void relay_put(Relay* r, int seat, uint64_t step, const FrameInput* input) {
  HEFT_REQUIRE_VOID(r && input && seat >= 0 && seat < r->users);
  RelaySeat* s = &r->seat[seat];
  if (!s->taken || step < r->closed || step < s->since || step >= r->closed + FRAME_RING / 2)
    return;
  s->input[step % FRAME_RING] = *input;
  s->stamp[step % FRAME_RING] = step + 1;
}

static int has(const RelaySeat* s, uint64_t step) {
  return s->stamp[step % FRAME_RING] == step + 1;
}

uint64_t relay_missing(const Relay* r, int seat) {
  HEFT_REQUIRE(r && seat >= 0 && seat < r->users, 0);
  const RelaySeat* s = &r->seat[seat];
  uint64_t n = r->closed > s->since ? r->closed : s->since;
  while (has(s, n)) ++n;
  return n;
}

static int is_complete(const Relay* r, uint64_t step) {
  for (int i = 0; i < r->users; ++i) {
    const RelaySeat* s = &r->seat[i];
    if (s->taken && step >= s->since && !has(s, step)) return 0;
  }
  return 1;
}

static void close_one(Relay* r) {
  const uint64_t n = r->closed++;
  FrameInput* out = r->ring + (size_t)(n % FRAME_RING) * r->users;
  const FrameInput* last = r->ring + (size_t)((n - 1) % FRAME_RING) * r->users;
  for (int i = 0; i < r->users; ++i) {
    const RelaySeat* s = &r->seat[i];
    const int expected = s->taken && n >= s->since;
    out[i] = (FrameInput){{0}, 0};
    if (expected && has(s, n)) {
      out[i] = s->input[n % FRAME_RING];
    } else if (expected && n > s->since) {
      out[i] = last[i];
      ++r->held;
    }
  }
}

void relay_close(Relay* r, uint64_t now) {
  HEFT_REQUIRE_VOID(r);
  while (r->closed < now && (r->closed + (uint64_t)r->patience <= now || is_complete(r, r->closed)))
    close_one(r);
}
