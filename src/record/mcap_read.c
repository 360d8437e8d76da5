// SPDX-License-Identifier: Apache-2.0
// The reader trusts no length: each one is compared with the bytes that are left. The index of a
// channel is made from the records that follow each chunk; the summary at the end is not used, so
// that files without an end can be read.
#include <stdio.h>
#include <string.h>
#include "record/mcap.h"

#include "base/allocator.h"
#include "record/bytes_out.h"
#include "record/crc32.h"

#ifdef HEFT_READ_ZSTD
#include <zstd.h>
#include <zstd_errors.h>
#endif

enum {
  OP_CHANNEL = 0x04,
  OP_MESSAGE = 0x05,
  OP_CHUNK = 0x06,
  OP_MESSAGE_INDEX = 0x07,
  OP_ATTACHMENT = 0x09,
  OP_DATA_END = 0x0F,
  CHANNELS = 64,
  TOPIC = 64,
  SLOTS = 4,  // chunks in memory: the messages of a row may lie in two of them
  HEAD = 256  // bytes of a record in front of its data
};

// Small files may unpack to much: so a chunk, of which SLOTS are in memory, and an attachment have
// a largest size. Writers make chunks of about 1 MB.
static const size_t chunk_max = (size_t)40 << 20, attachment_max = (size_t)192 << 20;

typedef struct Span {
  const unsigned char* at;
  size_t left;
} Span;

typedef struct Chunk {
  uint64_t offset;  // of the data in the file
  uint64_t packed, size;
  int zstd;
  uint32_t crc;    // of the data as it is in memory; 0: unknown
  uint32_t begun;  // the checksum of what comes before the data and is part of it
} Chunk;

// Where a message is.
typedef struct Place {
  uint64_t time;
  uint32_t chunk, offset;
} Place;

typedef struct Channel {
  char topic[TOPIC];  // "": there is none
  HeftBytes places;   // Place
} Channel;

// A chunk in memory.
typedef struct Slot {
  HeftBytes data;
  long chunk;  // -1: none
  unsigned long used;
} Slot;

struct HeftMcapReader {
  HeftAllocator allocator;
  FILE* file;
  uint64_t size;
  Channel channel[CHANNELS];
  HeftBytes chunks;     // Chunk
  uint64_t attachment;  // offset of the first one; 0: none
  Slot slot[SLOTS];
  unsigned long turn;
  HeftBytes packed;
  int cut_off;
  const char* what;
};

// ---- bytes

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

static int fail(HeftMcapReader* r, const char* what) {
  r->what = what;
  return 0;
}

static int is(Span text, const char* word) {
  return text.left == strlen(word) && memcmp(text.at, word, text.left) == 0;
}

// Makes room for `size` bytes; what was there is lost.
static int make_room(HeftBytes* b, size_t size) {
  b->size = 0;
  return bytes_out_reserve(b, size + 1);
}

static size_t chunk_count(const HeftMcapReader* r) { return r->chunks.size / sizeof(Chunk); }

static Chunk* chunk_at(const HeftMcapReader* r, size_t index) {
  return (Chunk*)(void*)r->chunks.bytes + index;
}

static const Place* place_at(const HeftMcapReader* r, int channel, long index) {
  return (const Place*)(const void*)r->channel[channel].places.bytes + index;
}

// Reads bytes of the file that were compared with its size.
static int read_at(HeftMcapReader* r, uint64_t offset, void* to, size_t size) {
  if (offset > r->size || size > r->size - offset) return 0;
  if (fseeko(r->file, (off_t)offset, SEEK_SET) != 0) return 0;
  return fread(to, 1, size, r->file) == size;
}

// Reads data that is stored as it is, or compressed. 0: damaged.
static int unpack(HeftMcapReader* r, const Chunk* c, unsigned char* to) {
  if (!c->zstd)
    return (c->packed == c->size && read_at(r, c->offset, to, (size_t)c->size)) ||
           fail(r, "a chunk is damaged");
#ifdef HEFT_READ_ZSTD
  if (c->packed > r->size) return fail(r, "a chunk is too large");
  if (!make_room(&r->packed, (size_t)c->packed)) return fail(r, HEFT_MCAP_NO_MEMORY);
  if (!read_at(r, c->offset, r->packed.bytes, (size_t)c->packed))
    return fail(r, "a chunk is cut off");
  const size_t got = ZSTD_decompress(to, (size_t)c->size, r->packed.bytes, (size_t)c->packed);
  if (ZSTD_isError(got) && ZSTD_getErrorCode(got) == ZSTD_error_memory_allocation)
    return fail(r, HEFT_MCAP_NO_MEMORY);
  return (!ZSTD_isError(got) && got == c->size) || fail(r, "a chunk is damaged");
#else
  return fail(r, "the file is compressed, and this program was built without zstd (libzstd-dev)");
#endif
}

static int read_data(HeftMcapReader* r, const Chunk* c, unsigned char* to) {
  if (!unpack(r, c, to)) return 0;
  return c->crc == 0 || heft_crc32(c->begun, to, (size_t)c->size) == c->crc ||
         fail(r, "a chunk is damaged");
}

// ---- the index

static int read_channel(HeftMcapReader* r, Span s) {
  uint64_t id, schema;
  Span topic;
  if (!number(&s, 2, &id) || !number(&s, 2, &schema) || !text(&s, &topic))
    return fail(r, "a channel is cut off");
  if (id >= CHANNELS || topic.left >= TOPIC)
    return fail(r, "too many channels, or a channel name is too long");
  memcpy(r->channel[id].topic, topic.at, topic.left);
  r->channel[id].topic[topic.left] = '\0';
  return 1;
}

static int add_chunk(HeftMcapReader* r, uint64_t offset, Span s) {
  uint64_t skip, size, crc, packed;
  Span compression;
  const size_t before = s.left;
  if (!number(&s, 8, &skip) || !number(&s, 8, &skip) || !number(&s, 8, &size) ||
      !number(&s, 4, &crc) || !text(&s, &compression) || !number(&s, 8, &packed))
    return fail(r, "a chunk is cut off");
  if (compression.left > 0 && !is(compression, "zstd"))
    return fail(r, "the file has a compression other than zstd");
  const Chunk chunk = {offset + (before - s.left), packed,        size,
                       compression.left > 0,       (uint32_t)crc, 0};
  bytes_out_put(&r->chunks, &chunk, sizeof chunk);
  return !r->chunks.failed || fail(r, HEFT_MCAP_NO_MEMORY);
}

// The messages of the chunk before this record.
static int add_messages(HeftMcapReader* r, Span s) {
  uint64_t id, bytes, time, offset;
  if (!number(&s, 2, &id) || !number(&s, 4, &bytes) || bytes > s.left)
    return fail(r, "an index is cut off");
  if (id >= CHANNELS || chunk_count(r) == 0) return fail(r, "an index has no channel or no chunk");
  s.left = (size_t)bytes;
  HeftBytes* places = &r->channel[id].places;
  const uint32_t chunk = (uint32_t)(chunk_count(r) - 1);
  while (s.left > 0) {
    if (!number(&s, 8, &time) || !number(&s, 8, &offset)) return fail(r, "an index is cut off");
    if (offset > UINT32_MAX || offset >= chunk_at(r, chunk)->size)
      return fail(r, "an index leaves its chunk");
    const Place place = {time, chunk, (uint32_t)offset};
    bytes_out_put(places, &place, sizeof place);
  }
  return !places->failed || fail(r, HEFT_MCAP_NO_MEMORY);
}

// A record whose whole content is needed.
static int read_whole(HeftMcapReader* r, int opcode, uint64_t offset, uint64_t length) {
  if (length > chunk_max) return fail(r, "a record is too large");
  if (!make_room(&r->packed, (size_t)length)) return fail(r, HEFT_MCAP_NO_MEMORY);
  if (!read_at(r, offset, r->packed.bytes, (size_t)length)) return fail(r, "a record is cut off");
  const Span s = {r->packed.bytes, (size_t)length};
  return opcode == OP_CHANNEL ? read_channel(r, s) : add_messages(r, s);
}

static int read_index(HeftMcapReader* r) {
  uint64_t offset = 8;
  while (offset < r->size) {
    unsigned char head[9], start[HEAD];
    uint64_t opcode, length;
    Span s = {head, sizeof head};
    if (r->size - offset < sizeof head || !read_at(r, offset, head, sizeof head)) break;
    number(&s, 1, &opcode);
    number(&s, 8, &length);
    offset += sizeof head;
    if (length > r->size - offset) break;
    if (opcode == OP_DATA_END) return 1;
    if (opcode == OP_ATTACHMENT && r->attachment == 0) r->attachment = offset;
    if (opcode == OP_CHUNK) {
      const size_t size = length < sizeof start ? (size_t)length : sizeof start;
      if (!read_at(r, offset, start, size)) break;
      if (!add_chunk(r, offset, (Span){start, size})) return 0;
      const Chunk* c = chunk_at(r, chunk_count(r) - 1);
      if (c->packed > length - (c->offset - offset)) return fail(r, "a chunk is cut off");
    }
    if ((opcode == OP_CHANNEL || opcode == OP_MESSAGE_INDEX) &&
        !read_whole(r, (int)opcode, offset, length))
      return 0;
    offset += length;
  }
  r->cut_off = 1;
  return 1;
}

// ---- chunks

static const Slot* find_chunk(HeftMcapReader* r, long chunk) {
  Slot* oldest = &r->slot[0];
  for (int i = 0; i < SLOTS; ++i) {
    Slot* s = &r->slot[i];
    if (s->chunk == chunk) {
      s->used = ++r->turn;
      return s;
    }
    if (s->used < oldest->used) oldest = s;
  }
  const Chunk* c = chunk_at(r, (size_t)chunk);
  oldest->chunk = -1;
  if (c->size > chunk_max || !make_room(&oldest->data, (size_t)c->size)) {
    fail(r, c->size > chunk_max ? "a chunk is too large" : HEFT_MCAP_NO_MEMORY);
    return NULL;
  }
  if (!read_data(r, c, oldest->data.bytes)) return NULL;
  oldest->chunk = chunk;
  oldest->data.size = (size_t)c->size;
  oldest->used = ++r->turn;
  return oldest;
}

// A writer puts the channels into the first chunk, and again behind the last one.
static int read_first_chunk(HeftMcapReader* r) {
  const Slot* slot = chunk_count(r) > 0 ? find_chunk(r, 0) : NULL;
  if (!slot) return chunk_count(r) == 0 ? fail(r, "the file has no messages") : 0;
  Span s = {slot->data.bytes, slot->data.size};
  while (s.left > 0) {
    uint64_t opcode, length;
    Span content;
    if (!number(&s, 1, &opcode) || !number(&s, 8, &length) || length > s.left)
      return fail(r, "a record is cut off");
    content.left = (size_t)length;
    take(&s, content.left, &content.at);
    if (opcode == OP_CHANNEL && !read_channel(r, content)) return 0;
  }
  return 1;
}

// ---- the reader

static void set_allocator(HeftMcapReader* r) {
  for (int i = 0; i < CHANNELS; ++i) r->channel[i].places.allocator = &r->allocator;
  for (int i = 0; i < SLOTS; ++i) {
    r->slot[i].data.allocator = &r->allocator;
    r->slot[i].chunk = -1;
  }
  r->chunks.allocator = r->packed.allocator = &r->allocator;
}

HeftMcapReader* heft_mcap_reader_open(FILE* file, const char** what) {
  static const unsigned char magic[8] = {0x89, 'M', 'C', 'A', 'P', '0', '\r', '\n'};
  unsigned char begin[8] = {0};
  const HeftAllocator a = heft_allocator_default();
  HeftMcapReader* r = a.allocate(a.user, sizeof *r, 64);
  *what = HEFT_MCAP_NO_MEMORY;
  if (!r) {
    fclose(file);
    return NULL;
  }
  memset(r, 0, sizeof *r);
  r->allocator = a;
  r->file = file;
  set_allocator(r);
  const off_t end = fseeko(file, 0, SEEK_END) == 0 ? ftello(file) : -1;
  r->size = end > 0 ? (uint64_t)end : 0;
  if (!read_at(r, 0, begin, sizeof begin) || memcmp(begin, magic, sizeof magic) != 0)
    r->what = "this is not an MCAP file";
  if (!r->what && read_index(r) && read_first_chunk(r)) return r;
  *what = r->what;
  heft_mcap_reader_close(r);
  return NULL;
}

void heft_mcap_reader_close(HeftMcapReader* reader) {
  if (!reader) return;
  fclose(reader->file);
  for (int i = 0; i < CHANNELS; ++i) bytes_out_free(&reader->channel[i].places);
  for (int i = 0; i < SLOTS; ++i) bytes_out_free(&reader->slot[i].data);
  bytes_out_free(&reader->chunks);
  bytes_out_free(&reader->packed);
  const HeftAllocator a = reader->allocator;
  a.release(a.user, reader, sizeof *reader);
}

int heft_mcap_reader_cut_off(const HeftMcapReader* reader) { return reader->cut_off; }

int heft_mcap_reader_channel(const HeftMcapReader* reader, const char* topic) {
  for (int i = 0; i < CHANNELS; ++i)
    if (strcmp(reader->channel[i].topic, topic) == 0) return i;
  return -1;
}

long heft_mcap_reader_count(const HeftMcapReader* reader, int channel) {
  return channel < 0 ? 0 : (long)(reader->channel[channel].places.size / sizeof(Place));
}

uint64_t heft_mcap_reader_time(const HeftMcapReader* reader, int channel, long index) {
  return place_at(reader, channel, index)->time;
}

int heft_mcap_reader_message(HeftMcapReader* reader, int channel, long index, HeftMcapMessage* out,
                             const char** what) {
  HeftMcapReader* r = reader;
  const Place place = *place_at(r, channel, index);
  const Slot* slot = find_chunk(r, (long)place.chunk);
  *what = r->what;
  if (!slot) return 0;
  uint64_t opcode, length, id, sequence, published;
  Span s = {slot->data.bytes + place.offset, slot->data.size - place.offset};
  *what = "a message is damaged";
  if (!number(&s, 1, &opcode) || !number(&s, 8, &length) || opcode != OP_MESSAGE || length > s.left)
    return 0;
  s.left = (size_t)length;
  if (!number(&s, 2, &id) || !number(&s, 4, &sequence) || !number(&s, 8, &out->time) ||
      !number(&s, 8, &published) || id != (uint64_t)channel)
    return 0;
  out->data = (const char*)s.at;
  out->size = s.left;
  return 1;
}

// ---- attachments

// The checksum at the end of an attachment, of `size` bytes before it. 0: none.
static uint32_t attachment_crc(HeftMcapReader* r, uint64_t offset, uint64_t length, uint64_t size) {
  unsigned char bytes[4];
  uint64_t crc;
  if (length - size != sizeof bytes || !read_at(r, offset + size, bytes, sizeof bytes)) return 0;
  Span s = {bytes, sizeof bytes};
  return number(&s, 4, &crc) ? (uint32_t)crc : 0;
}

// The attachment whose content begins at an offset. Returns 0 if its name is another one.
static int find_attachment(HeftMcapReader* r, uint64_t offset, uint64_t length, const char* name,
                           Chunk* out) {
  unsigned char start[HEAD];
  char packed_name[TOPIC];
  uint64_t skip, size;
  Span title, type;
  const size_t head = length < sizeof start ? (size_t)length : sizeof start;
  if (!read_at(r, offset, start, head)) return 0;
  Span s = {start, head};
  snprintf(packed_name, sizeof packed_name, "%.50s.zst", name);
  if (!number(&s, 8, &skip) || !number(&s, 8, &skip) || !text(&s, &title) || !text(&s, &type) ||
      !number(&s, 8, &size))
    return 0;
  const uint64_t before = head - s.left;
  *out = (Chunk){offset + before,        size, size,
                 is(title, packed_name), 0,    heft_crc32(0, start, (size_t)before)};
  if ((!out->zstd && !is(title, name)) || size > length - before) return 0;
  if (!out->zstd) out->crc = attachment_crc(r, offset, length, before + size);
  return 1;
}

// The size after decompression, as the first bytes of the data state it. 0: unknown.
static uint64_t unpacked_size(HeftMcapReader* r, const Chunk* c) {
  if (!c->zstd) return c->size;
#ifdef HEFT_READ_ZSTD
  unsigned char start[32];
  const size_t head = c->packed < sizeof start ? (size_t)c->packed : sizeof start;
  if (!read_at(r, c->offset, start, head)) return 0;
  const unsigned long long size = ZSTD_getFrameContentSize(start, head);
  return size == ZSTD_CONTENTSIZE_UNKNOWN || size == ZSTD_CONTENTSIZE_ERROR ? 0 : size;
#else
  (void)r;
  return 1;
#endif
}

int heft_mcap_reader_attachment(HeftMcapReader* reader, const char* name, HeftBytes* out,
                                const char** what) {
  HeftMcapReader* r = reader;
  uint64_t offset = r->attachment;
  *what = "the file has no such attachment";
  // Attachments follow each other at the beginning of the file.
  while (offset > 9 && offset < r->size) {
    unsigned char head[9];
    uint64_t opcode, length;
    Chunk c;
    Span s = {head, sizeof head};
    if (!read_at(r, offset - 9, head, sizeof head)) return 0;
    number(&s, 1, &opcode);
    number(&s, 8, &length);
    if (opcode != OP_ATTACHMENT || length > r->size - offset) return 0;
    if (find_attachment(r, offset, length, name, &c)) {
      c.size = unpacked_size(r, &c);
      *what = "an attachment is too large";
      if (c.size == 0 || c.size > attachment_max) return 0;
      *what = HEFT_MCAP_NO_MEMORY;
      if (!make_room(out, (size_t)c.size)) return 0;
      if (!read_data(r, &c, out->bytes)) {
        if (strcmp(r->what, HEFT_MCAP_NO_MEMORY) != 0) *what = "an attachment is damaged";
        return 0;
      }
      out->size = (size_t)c.size;
      return 1;
    }
    offset += length + 9;
  }
  return 0;
}
