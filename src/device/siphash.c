// SPDX-License-Identifier: Apache-2.0
// SipHash-2-4 [Aumasson 2012]: two rounds for each eight bytes, four at the end.
#include "device/siphash.h"

typedef struct Sip {
  uint64_t v0, v1, v2, v3;
} Sip;

static uint64_t rotate(uint64_t x, int by) { return x << by | x >> (64 - by); }

static uint64_t word(const unsigned char* p, size_t count) {
  uint64_t x = 0;
  for (size_t i = 0; i < count; ++i) x |= (uint64_t)p[i] << (8 * i);
  return x;
}

static void mix(Sip* s, int rounds) {
  for (int i = 0; i < rounds; ++i) {
    s->v0 += s->v1;
    s->v2 += s->v3;
    s->v1 = rotate(s->v1, 13) ^ s->v0;
    s->v3 = rotate(s->v3, 16) ^ s->v2;
    s->v0 = rotate(s->v0, 32);
    s->v2 += s->v1;
    s->v0 += s->v3;
    s->v1 = rotate(s->v1, 17) ^ s->v2;
    s->v3 = rotate(s->v3, 21) ^ s->v0;
    s->v2 = rotate(s->v2, 32);
  }
}

static void absorb(Sip* s, uint64_t m) {
  s->v3 ^= m;
  mix(s, 2);
  s->v0 ^= m;
}

uint64_t siphash(const unsigned char key[16], const unsigned char* bytes, size_t size) {
  const uint64_t k0 = word(key, 8), k1 = word(key + 8, 8);
  Sip s = {k0 ^ 0x736f6d6570736575u, k1 ^ 0x646f72616e646f6du, k0 ^ 0x6c7967656e657261u,
           k1 ^ 0x7465646279746573u};
  size_t at = 0;
  for (; at + 8 <= size; at += 8) absorb(&s, word(bytes + at, 8));
  absorb(&s, word(bytes + at, size - at) | (uint64_t)(size & 255u) << 56);
  s.v2 ^= 255;
  mix(&s, 4);
  return s.v0 ^ s.v1 ^ s.v2 ^ s.v3;
}
