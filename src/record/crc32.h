// SPDX-License-Identifier: Apache-2.0
// CRC-32 of MCAP, zip and PNG: the remainder of a polynomial over two elements.
#ifndef HEFT_MCAP_CRC32_H
#define HEFT_MCAP_CRC32_H

#include <stddef.h>
#include <stdint.h>

/// Continues a checksum with more bytes; 0 begins one.
uint32_t heft_crc32(uint32_t crc, const void* bytes, size_t size);

#endif
