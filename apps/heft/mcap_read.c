// SPDX-License-Identifier: Apache-2.0
// The reader trusts no length: each one is compared with the bytes that are left.
#include "mcap_read.h"

#include <string.h>

enum { CHANNELS = 64, TOPIC = 64 };

typedef struct Span {
  const unsigned char* at;
  size_t left;
} Span;

typedef struct Reader {
  McapMessage* message;
  void* user;
  char topic[CHANNELS][TOPIC];  // by channel number; "" if there is none
  const char* what;
  int stopped;
} Reader;

static int take(Span* s, size_t count, const unsigned char** out) {
  if (count > s->left) return 0;
  *out = s->at;
  s->at += count;
  s->left -= count;
  return 1;
}

static int number(Span* s, int bytes, uint64_t* out) {
  const unsigned char* p;
  if (!take(s, (size_t)bytes, &p)) return 0;
  *out = 0;
  for (int i = 0; i < bytes; ++i) *out |= (uint64_t)p[i] << (8 * i);
  return 1;
}

static int text(Span* s, Span* out) {
  uint64_t length;
  if (!number(s, 4, &length) || length > s->left) return 0;
  out->left = (size_t)length;
  return take(s, out->left, &out->at);
}

static int fail(Reader* r, const char* what) {
  r->what = what;
  return 0;
}

static int read_channel(Reader* r, Span s) {
  uint64_t id, schema;
  Span topic;
  if (!number(&s, 2, &id) || !number(&s, 2, &schema) || !text(&s, &topic))
    return fail(r, "a channel is cut off");
  if (id >= CHANNELS || topic.left >= TOPIC)
    return fail(r, "too many channels, or a channel name is too long");
  memcpy(r->topic[id], topic.at, topic.left);
  r->topic[id][topic.left] = '\0';
  return 1;
}

static int read_message(Reader* r, Span s) {
  uint64_t id, sequence, time, published;
  if (!number(&s, 2, &id) || !number(&s, 4, &sequence) || !number(&s, 8, &time) ||
      !number(&s, 8, &published))
    return fail(r, "a message is cut off");
  if (id >= CHANNELS || r->topic[id][0] == '\0') return fail(r, "a message has no channel");
  if (!r->message(r->user, r->topic[id], time, (const char*)s.at, s.left)) r->stopped = 1;
  return 1;
}

static int read_records(Reader* r, Span s, int depth);

static int read_chunk(Reader* r, Span s) {
  uint64_t skip, size, crc, length;
  Span compression;
  if (!number(&s, 8, &skip) || !number(&s, 8, &skip) || !number(&s, 8, &size) ||
      !number(&s, 4, &crc) || !text(&s, &compression) || !number(&s, 8, &length) || length > s.left)
    return fail(r, "a chunk is cut off");
  if (compression.left != 0) return fail(r, "the file is compressed, which is not supported");
  s.left = (size_t)length;
  return read_records(r, s, 1);
}

static int read_records(Reader* r, Span s, int depth) {
  while (s.left > 0 && !r->stopped) {
    uint64_t opcode, length;
    if (!number(&s, 1, &opcode) || !number(&s, 8, &length) || length > s.left)
      return fail(r, "a record is cut off");
    const Span content = {s.at, (size_t)length};
    s.at += content.left;
    s.left -= content.left;
    if (opcode == 0x0F) return 1;  // the end of the data
    if (opcode == 0x04 && !read_channel(r, content)) return 0;
    if (opcode == 0x05 && !read_message(r, content)) return 0;
    if (opcode == 0x06 && (depth > 0 || !read_chunk(r, content)))
      return depth > 0 ? fail(r, "a chunk contains a chunk") : 0;
  }
  return 1;
}

int mcap_read(const unsigned char* bytes, size_t size, McapMessage* message, void* user,
              const char** what) {
  static const unsigned char magic[8] = {0x89, 'M', 'C', 'A', 'P', '0', '\r', '\n'};
  Reader r = {.message = message, .user = user};
  *what = "";
  if (size < 8 || memcmp(bytes, magic, 8) != 0) {
    *what = "this is not an MCAP file";
    return 0;
  }
  const Span all = {bytes + 8, size - 8};
  const int well = read_records(&r, all, 0);
  if (!well) *what = r.what;
  return well;
}
