// SPDX-License-Identifier: Apache-2.0
#include "record/base64.h"
#include "base/assert.h"

static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

void base64_write(const unsigned char* bytes, size_t size, char* text) {
  for (size_t i = 0; i < size; i += 3) {
    const unsigned long left = size - i;
    HEFT_ASSERT(left > 0);
    const unsigned long n = (unsigned long)bytes[i] << 16 |
                            (left > 1 ? (unsigned long)bytes[i + 1] << 8 : 0) |
                            (left > 2 ? (unsigned long)bytes[i + 2] : 0);
    *text++ = letters[n >> 18 & 63];
    *text++ = letters[n >> 12 & 63];
    *text++ = left > 1 ? letters[n >> 6 & 63] : '=';
    *text++ = left > 2 ? letters[n & 63] : '=';
  }
  *text = '\0';
}

static int value(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  return c == '+' ? 62 : c == '/' ? 63 : -1;
}

long base64_read(const char* text, size_t length, unsigned char* bytes) {
  long count = 0;
  if (length % 4 != 0) return -1;
  for (size_t i = 0; i < length; i += 4) {
    const int last = i + 4 == length;
    const int pad = last ? (text[i + 3] == '=') + (text[i + 2] == '=' && text[i + 3] == '=') : 0;
    unsigned long n = 0;
    for (size_t k = 0; k < 4; ++k) {
      const int v = (int)k >= 4 - pad ? 0 : value(text[i + k]);
      if (v < 0) return -1;
      n = n << 6 | (unsigned long)v;
      HEFT_ASSERT(n < (unsigned long)1 << 24);
    }
    for (int k = 0; k < 3 - pad; ++k) bytes[count++] = (unsigned char)(n >> (16 - 8 * k));
  }
  return count;
}
