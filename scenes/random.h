// SPDX-License-Identifier: Apache-2.0
// Random numbers that are the same on every machine: splitmix64 [Steele 2014].
#ifndef HEFT_SCENES_RANDOM_H
#define HEFT_SCENES_RANDOM_H

#include <heft/math.h>
#include <stdint.h>

typedef struct Random {
  uint64_t state;
} Random;

static inline uint64_t random_bits(Random* r) {
  uint64_t x = (r->state += 0x9E3779B97F4A7C15u);
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

/// Uniform in [0, 1).
static inline double random_unit(Random* r) { return (double)(random_bits(r) >> 11) * 0x1p-53; }

/// Uniform in [low, high).
static inline double random_between(Random* r, double low, double high) {
  return low + (high - low) * random_unit(r);
}

/// 0 to count - 1.
static inline int random_index(Random* r, int count) {
  return (int)(random_bits(r) % (uint64_t)count);
}

static inline HeftVec3 random_vec3(Random* r, double size) {
  const double x = random_between(r, -size, size), y = random_between(r, -size, size);
  return heft_vec3(x, y, random_between(r, -size, size));
}

static inline HeftQuat random_quat(Random* r) {
  double w, x, y, z, square;
  do {
    w = random_between(r, -1, 1);
    x = random_between(r, -1, 1);
    y = random_between(r, -1, 1);
    z = random_between(r, -1, 1);
    square = w * w + x * x + y * y + z * z;
  } while (square > 1 || square < 0.01);
  return heft_quat_normalize(heft_quat(w, x, y, z));
}

static inline HeftVec3 random_direction(Random* r) {
  return heft_quat_rotate(random_quat(r), heft_vec3(0, 0, 1));
}

#endif
