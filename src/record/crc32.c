// SPDX-License-Identifier: Apache-2.0
// The bits of the message, the lowest of each byte first, are the coefficients of a polynomial over
// two elements. Its remainder by x³² + x²⁶ + x²³ + x²² + x¹⁶ + x¹² + x¹¹ + x¹⁰ + x⁸ + x⁷ + x⁵ +
// x⁴ + x² + x + 1, written with x³¹ as the lowest bit, begins and ends with all bits inverted. The
// table has the remainders of four bits: n shifted right four times, where the polynomial, which is
// 0xEDB88320 in this order, is added for each bit that leaves.
#include "record/crc32.h"

static const uint32_t remainder_of[16] = {
    0x00000000, 0x1DB71064, 0x3B6E20C8, 0x26D930AC, 0x76DC4190, 0x6B6B51F4, 0x4DB26158, 0x5005713C,
    0xEDB88320, 0xF00F9344, 0xD6D6A3E8, 0xCB61B38C, 0x9B64C2B0, 0x86D3D2D4, 0xA00AE278, 0xBDBDF21C};

uint32_t heft_crc32(uint32_t crc, const void* bytes, size_t size) {
  const unsigned char* p = bytes;
  uint32_t rest = ~crc;
  for (size_t i = 0; i < size; ++i) {
    rest ^= p[i];
    rest = rest >> 4 ^ remainder_of[rest & 15];
    rest = rest >> 4 ^ remainder_of[rest & 15];
  }
  return ~rest;
}
