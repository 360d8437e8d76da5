// SPDX-License-Identifier: Apache-2.0
// PNG images made byte by byte, for tests.
#ifndef HEFT_TESTS_IO_PNG_BYTES_H
#define HEFT_TESTS_IO_PNG_BYTES_H

#include <stdint.h>
#include <string.h>

#include "support/check.h"

typedef struct Image {
  unsigned char bytes[2000];
  size_t size;
} Image;

static inline void put(Image* image, const void* bytes, size_t size) {
  assert_true(image->size + size <= sizeof image->bytes);
  memcpy(image->bytes + image->size, bytes, size);
  image->size += size;
}

static inline void put_u32(Image* image, uint32_t x) {
  const unsigned char bytes[4] = {(unsigned char)(x >> 24), (unsigned char)(x >> 16),
                                  (unsigned char)(x >> 8), (unsigned char)x};
  put(image, bytes, 4);
}

static inline uint32_t crc(const unsigned char* bytes, size_t size) {
  uint32_t x = 0xffffffffu;
  for (size_t i = 0; i < size; ++i) {
    x ^= bytes[i];
    for (int k = 0; k < 8; ++k) x = x & 1 ? x >> 1 ^ 0xedb88320u : x >> 1;
  }
  return ~x;
}

static inline void put_chunk(Image* image, const char* type, const void* bytes, size_t size) {
  put_u32(image, (uint32_t)size);
  const size_t start = image->size;
  put(image, type, 4);
  if (size > 0) put(image, bytes, size);
  put_u32(image, crc(image->bytes + start, size + 4));
}

// Pixels as they are, in one stored block of zlib.
static inline void make_png(Image* image, unsigned width, unsigned height, int bits, int type,
                            const unsigned char* pixels, size_t row) {
  static const unsigned char signature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
  Image head = {.size = 0}, data = {.size = 0};
  image->size = 0;
  put(image, signature, 8);
  put_u32(&head, width);
  put_u32(&head, height);
  const unsigned char rest[5] = {(unsigned char)bits, (unsigned char)type, 0, 0, 0};
  put(&head, rest, 5);
  put_chunk(image, "IHDR", head.bytes, head.size);
  const unsigned length = (unsigned)(height * (row + 1));
  const unsigned char begin[7] = {0x78,
                                  1,
                                  1,
                                  (unsigned char)length,
                                  (unsigned char)(length >> 8),
                                  (unsigned char)~length,
                                  (unsigned char)(~length >> 8)};
  put(&data, begin, 7);
  uint32_t a = 1, b = 0;
  for (unsigned y = 0; y < height; ++y) {
    for (size_t x = 0; x <= row; ++x) {  // each row begins with its filter: none
      const unsigned char byte = x == 0 ? 0 : pixels[y * row + x - 1];
      put(&data, &byte, 1);
      a = (a + byte) % 65521;
      b = (b + a) % 65521;
    }
  }
  put_u32(&data, b << 16 | a);
  put_chunk(image, "IDAT", data.bytes, data.size);
  put_chunk(image, "IEND", NULL, 0);
}

#endif
