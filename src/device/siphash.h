// SPDX-License-Identifier: Apache-2.0
#ifndef HEFT_SRC_DEVICE_SIPHASH_H
#define HEFT_SRC_DEVICE_SIPHASH_H

#include <stddef.h>
#include <stdint.h>

/// SipHash-2-4 of some bytes under a key of 16 bytes: it cannot be computed without the key.
uint64_t siphash(const unsigned char key[16], const unsigned char* bytes, size_t size);

#endif
