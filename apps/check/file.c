// SPDX-License-Identifier: Apache-2.0
// MCAP (https://mcap.dev/spec), as far as evidence needs it: records of an opcode, a length of 64
// bits and a content, little-endian. A chunk without compression is a head and then records, so the
// head is read and the records follow as if there were no chunk. Other records are skipped.
#include <string.h>

#include "check.h"

enum { FOOTER = 2, CHANNEL = 4, MESSAGE = 5, CHUNK = 6, TOPIC = 16, MESSAGE_HEAD = 22 };

static double numbers[NUMBERS];

static unsigned long long from_bytes(const unsigned char b[8]) {
  unsigned long long out = 0;
  for (int i = 0; i < 8; ++i) out |= (unsigned long long)b[i] << (8 * i);
  return out;
}

// An unsigned number of `bytes` bytes. 0: the file ends.
static int read_number(FILE* file, size_t bytes, unsigned long long* out) {
  unsigned char b[8] = {0};
  const size_t read = fread(b, 1, bytes, file);
  *out = from_bytes(b);
  return read == bytes;
}

static int skip(FILE* file, unsigned long long bytes) {
  static unsigned char waste[4096];
  while (bytes > 0) {
    const size_t n = bytes < sizeof waste ? (size_t)bytes : sizeof waste;
    if (fread(waste, 1, n, file) != n) return 0;
    bytes -= n;
  }
  return 1;
}

// A channel: number, schema, topic, and more that is skipped.
static int read_channel(File* f, unsigned long long length) {
  FILE* file = f->from;
  unsigned long long id, schema, size;
  char topic[TOPIC] = "";
  if (length < 8 || !read_number(file, 2, &id) || !read_number(file, 2, &schema) ||
      !read_number(file, 4, &size) || size > length - 8)
    return 0;
  const size_t kept = size < TOPIC - 1 ? (size_t)size : TOPIC - 1;
  if (fread(topic, 1, kept, file) != kept) return 0;
  if (size == 6 && strcmp(topic, "/model") == 0) f->channel[0] = (unsigned long)id + 1;
  if (size == 5 && strcmp(topic, "/step") == 0) f->channel[1] = (unsigned long)id + 1;
  return skip(file, length - 8 - kept);
}

// The head of a chunk: times, size, checksum, name of the compression, size.
static int read_chunk(FILE* file, unsigned long long length) {
  unsigned long long name, size;
  return length >= 40 && skip(file, 28) && read_number(file, 4, &name) && name == 0 &&
         read_number(file, 8, &size) && size == length - 40;
}

static int read_numbers(FILE* file, size_t count) {
  const size_t read = fread(numbers, sizeof *numbers, count, file);
  for (size_t i = 0; i < read; ++i) {
    unsigned char b[8];
    memcpy(b, &numbers[i], sizeof b);
    const unsigned long long bits = from_bytes(b);
    memcpy(&numbers[i], &bits, sizeof bits);
  }
  return read == count;
}

static int fail(const char** what, const char* text) {
  *what = text;
  return -1;
}

int file_next(File* f, const double** out, long* count, const char** what) {
  FILE* file = f->from;
  unsigned long long opcode, length, id;
  static const unsigned char magic[8] = {0x89, 'M', 'C', 'A', 'P', '0', '\r', '\n'};
  unsigned char head[8];
  if (!f->begun && (fread(head, 1, 8, file) != 8 || memcmp(head, magic, 8) != 0))
    return fail(what, "no MCAP file");
  f->begun = 1;
  while (read_number(file, 1, &opcode)) {
    if (opcode == FOOTER) return 0;
    if (!read_number(file, 8, &length)) return fail(what, "a record ends early");
    if (opcode == CHANNEL) {
      if (!read_channel(f, length)) return fail(what, "a channel is damaged");
    } else if (opcode == CHUNK) {
      if (!read_chunk(file, length)) return fail(what, "a chunk is damaged or compressed");
    } else if (opcode == MESSAGE && length >= MESSAGE_HEAD) {
      if (!read_number(file, 2, &id) || !skip(file, MESSAGE_HEAD - 2))
        return fail(what, "a message ends early");
      const int kind = id + 1 == f->channel[0] ? 1 : id + 1 == f->channel[1] ? 2 : 0;
      length -= MESSAGE_HEAD;
      if (kind && (length % 8 != 0 || length / 8 > NUMBERS))
        return fail(what, "a message is too long or has half a number");
      if (!(kind ? read_numbers(file, (size_t)(length / 8)) : skip(file, length)))
        return fail(what, "a message ends early");
      *out = numbers;
      *count = (long)(length / 8);
      if (kind) return kind;
    } else if (!skip(file, length)) {
      return fail(what, "a record ends early");
    }
  }
  return fail(what, "the file ends before its footer");
}
