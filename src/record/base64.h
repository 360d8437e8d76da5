// SPDX-License-Identifier: Apache-2.0
// Converts bytes to text and back (RFC 4648, with padding).
#ifndef HEFT_SRC_SESSION_LOG_BASE64_H
#define HEFT_SRC_SESSION_LOG_BASE64_H

#include <stddef.h>

/// Number of characters for `size` bytes, without the terminating zero.
static inline size_t base64_size(size_t bytes) { return (bytes + 2) / 3 * 4; }
/// text: base64_size(size) + 1 characters.
void base64_write(const unsigned char* bytes, size_t size, char* text);
/// Returns the number of bytes written, at most length / 4 * 3; -1 if the text is not base64.
long base64_read(const char* text, size_t length, unsigned char* bytes);

#endif
