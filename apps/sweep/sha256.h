// SPDX-License-Identifier: Apache-2.0
// SHA-256 (FIPS 180-4): names of cached files that nobody can make collide on purpose, and hashes
// of plans, models and results.
#ifndef HEFT_APPS_SWEEP_SHA256_H
#define HEFT_APPS_SWEEP_SHA256_H

#include <stddef.h>
#include <stdint.h>

typedef struct Sha256 {
  uint32_t state[8];
  unsigned char block[64];
  uint64_t size;  ///< bytes so far
} Sha256;

Sha256 sha256_begin(void);
void sha256_add(Sha256* hash, const void* bytes, size_t size);
/// The 32 bytes of the hash, which is then used up.
void sha256_bytes(Sha256* hash, unsigned char out[32]);
/// sha256_bytes() as 64 hexadecimal digits and a zero.
void sha256_text(Sha256* hash, char out[65]);

#endif
