// SPDX-License-Identifier: Apache-2.0
// A block is u64 first step, u16 steps, u16 users, and for each step a byte with a bit for each
// user whose input has changed, then these inputs, 13 x f32 and u32. Before the first step all
// hands are absent, so that a block can be read without any other.
//
// Numbers have 32 bits: a position of 1 m is rounded by 6e-8 m, and a float becomes the same double
// on every machine. A user's own world gets the rounded input, too.
#include "serve/frame.h"

#include <math.h>

#include "base/assert.h"
#include "base/bytes.h"

static const float number_max = 1e4f;  // [m, m/s, rad/s]

static int is_sound(const FrameInput* in) {
  float turn = 0;
  for (int i = 0; i < 13; ++i)
    if (!(in->value[i] >= -number_max && in->value[i] <= number_max)) return 0;
  for (int i = 3; i < 7; ++i) turn += in->value[i] * in->value[i];
  return turn > 0.99f && turn < 1.01f;
}

FrameInput frame_input(const HeftProbeInput* in) {
  HEFT_REQUIRE(in, ((FrameInput){{0}, 0}));
  const double value[13] = {in->pos.x,  in->pos.y,  in->pos.z, in->rot.w, in->rot.x,
                            in->rot.y,  in->rot.z,  in->vel.x, in->vel.y, in->vel.z,
                            in->spin.x, in->spin.y, in->spin.z};
  FrameInput out = {{0}, FRAME_HERE | in->buttons};
  for (int i = 0; i < 13; ++i) out.value[i] = (float)value[i];
  return in->present && is_sound(&out) ? out : (FrameInput){{0}, 0};
}

size_t frame_write(const FrameInput* ring, int users, uint64_t first, int count, unsigned char* out,
                   size_t room) {
  HEFT_REQUIRE(ring && out && users > 0 && users <= FRAME_USERS && room >= FRAME_HEAD, 0);
  Frame last = {{{{0}, 0}}};
  unsigned char* at = out + FRAME_HEAD;
  int written = 0;
  for (; written < count; ++written) {
    const FrameInput* now = ring + (size_t)((first + (uint64_t)written) % FRAME_RING) * users;
    if ((size_t)(at - out) + 1 + (size_t)users * FRAME_RECORD > room) break;
    unsigned char* mask = at++;
    *mask = 0;
    for (int i = 0; i < users; ++i) {
      if (memcmp((const void*)&now[i], (const void*)&last.user[i], sizeof now[i]) == 0)
        continue;  // bits
      *mask |= (unsigned char)(1u << i);
      at = bytes_put_array(at, now[i].value, 13, 4);
      at = bytes_put(at, now[i].flags, 4);
      last.user[i] = now[i];
    }
  }
  bytes_put(bytes_put(bytes_put(out, first, 8), (uint64_t)written, 2), (uint64_t)users, 2);
  return (size_t)(at - out);
}

static const unsigned char* read_input(const unsigned char* at, FrameInput* out) {
  at = bytes_get_array(at, out->value, 13, 4);
  out->flags = (uint32_t)bytes_get(&at, 4);
  if (out->flags & FRAME_HERE) return is_sound(out) ? at : NULL;
  *out = (FrameInput){{0}, 0};
  return at;
}

int frame_read(const unsigned char* bytes, size_t size, int users, uint64_t* first,
               FrameInput* out) {
  HEFT_REQUIRE(bytes && first && out && users > 0 && users <= FRAME_USERS, -1);
  const unsigned char *at = bytes, *end = bytes + size;
  Frame last = {{{{0}, 0}}};
  if (size < FRAME_HEAD) return -1;
  *first = bytes_get(&at, 8);
  const int count = (int)bytes_get(&at, 2);
  if (count > FRAME_RING || bytes_get(&at, 2) != (uint64_t)users || *first > UINT64_MAX / 2)
    return -1;
  for (int k = 0; k < count; ++k) {
    if (at == end) return -1;
    const unsigned mask = *at++;
    if (mask >> users) return -1;
    for (int i = 0; i < users; ++i) {
      if (!(mask >> i & 1u)) continue;
      if (end - at < FRAME_RECORD) return -1;
      at = read_input(at, &last.user[i]);
      if (!at) return -1;
    }
    memcpy(out + (size_t)((*first + (uint64_t)k) % FRAME_RING) * users, last.user,
           (size_t)users * sizeof *out);
  }
  return at == end ? count : -1;
}
