// SPDX-License-Identifier: Apache-2.0
// MCAP: magic, header, attachments, chunks each followed by the index of its messages, data end,
// summary, footer, magic. A record is an opcode, the length of its content in 64 bits, and the
// content; numbers are little-endian, strings have their length in 32 bits before them. Chunks and
// attachments have a checksum: zstd's where they are compressed, otherwise MCAP's. The latter is 0,
// which means none, where they are compressed.
//
// A chunk is given to the operating system as a whole. It has at most CHUNK_BYTES, or chunk_time of
// the messages' own time, so that a program that is killed loses no more than that, and the same
// messages make the same file.
#include "record/mcap.h"
#include <stdio.h>
#include <string.h>
#include "base/assert.h"

#include "base/allocator.h"
#include "record/bytes_out.h"
#include "record/crc32.h"

#ifdef HEFT_HAVE_ZSTD
#include <zstd.h>
#endif

enum {
  OP_HEADER = 0x01,
  OP_FOOTER = 0x02,
  OP_SCHEMA = 0x03,
  OP_CHANNEL = 0x04,
  OP_MESSAGE = 0x05,
  OP_CHUNK = 0x06,
  OP_MESSAGE_INDEX = 0x07,
  OP_CHUNK_INDEX = 0x08,
  OP_ATTACHMENT = 0x09,
  OP_ATTACHMENT_INDEX = 0x0A,
  OP_STATISTICS = 0x0B,
  OP_DATA_END = 0x0F,
  CHANNELS_MAX = 16,
  CHUNK_BYTES = 1 << 20,
  PARTS = 6,
  LEVEL = 1  // of zstd
};

static const uint64_t chunk_time = 1000000000u;  // [ns]

static const unsigned char magic[8] = {0x89, 'M', 'C', 'A', 'P', '0', '\r', '\n'};

struct HeftMcap {
  HeftAllocator allocator;
  FILE* file;
  int failed;
  uint64_t offset;  // bytes written so far
  HeftBytes chunk, record,
      definitions;  // records of the chunk; the current record; schemas and channels
  HeftBytes index[CHANNELS_MAX + 1];     // of the chunk, by channel: time and offset
  HeftBytes chunk_index;                 // records for the summary
  HeftBytes attachment_index;            // the same
  HeftBytes packed;                      // the chunk, compressed
  const char* schema[CHANNELS_MAX + 1];  // names, by the number of the schema
  uint64_t first, last;                  // times of the chunk
  uint64_t begin, end;                   // times of the file
  uint64_t counts[CHANNELS_MAX + 1];
#ifdef HEFT_HAVE_ZSTD
  ZSTD_CCtx* zstd;
#endif
  int channel_count, schema_count, chunk_count, attachment_count;
  HeftMcapKind kind;
};

// ---- bytes

static void put_number(HeftBytes* b, uint64_t value, int bytes) {
  unsigned char x[8];
  HEFT_ASSERT(bytes > 0 && bytes <= 8);
  for (int i = 0; i < bytes; ++i) x[i] = (unsigned char)(value >> (8 * i));
  bytes_out_put(b, x, (size_t)bytes);
}

static void put_string(HeftBytes* b, const char* text) {
  put_number(b, strlen(text), 4);
  bytes_out_put(b, text, strlen(text));
}

// After a failure nothing more goes to the file: it ends with its last whole record, as if the
// program had been killed.
static void write_bytes(HeftMcap* m, const void* bytes, size_t size) {
  if (m->failed) return;
  if (size > 0 && fwrite(bytes, 1, size, m->file) != size) m->failed = 1;
  m->offset += size;
}

// Writes a record with its content to a buffer, or to the file.
static void put_record(HeftBytes* to, int opcode, const HeftBytes* content) {
  put_number(to, (uint64_t)opcode, 1);
  put_number(to, content->size, 8);
  bytes_out_put(to, content->bytes, content->size);
}

static void write_record(HeftMcap* m, int opcode, HeftBytes* content) {
  unsigned char head[9] = {(unsigned char)opcode};
  for (int i = 0; i < 8; ++i) head[1 + i] = (unsigned char)((uint64_t)content->size >> (8 * i));
  m->failed |= content->failed;
  write_bytes(m, head, sizeof head);
  write_bytes(m, content->bytes, content->size);
}

// Compresses bytes. Returns the name of the compression; "": the program was built without zstd, or
// it failed, and *out is the input.
static const char* pack(HeftMcap* m, const void* bytes, size_t size, const unsigned char** out,
                        size_t* out_size) {
  *out = bytes;
  *out_size = size;
  if (m->kind == HEFT_MCAP_PLAIN) return "";  // for readers without libraries
#ifdef HEFT_HAVE_ZSTD
  m->packed.size = 0;
  if (!m->zstd && !(m->zstd = ZSTD_createCCtx())) return "";
  ZSTD_CCtx_setParameter(m->zstd, ZSTD_c_compressionLevel, LEVEL);
  ZSTD_CCtx_setParameter(m->zstd, ZSTD_c_checksumFlag, 1);
  if (!bytes_out_reserve(&m->packed, ZSTD_compressBound(size))) return "";
  const size_t packed = ZSTD_compress2(m->zstd, m->packed.bytes, m->packed.capacity, bytes, size);
  if (ZSTD_isError(packed)) return "";
  *out = m->packed.bytes;
  *out_size = packed;
  return "zstd";
#else
  return "";
#endif
}

// ---- chunks

static void write_index(HeftMcap* m, HeftBytes* offsets) {
  for (int c = 1; c <= m->channel_count; ++c) {
    if (m->index[c].size == 0) continue;
    put_number(offsets, (uint64_t)c, 2);
    HEFT_ASSERT(c <= CHANNELS_MAX);
    put_number(offsets, m->offset, 8);
    m->record.size = 0;
    put_number(&m->record, (uint64_t)c, 2);
    put_number(&m->record, m->index[c].size, 4);
    bytes_out_put(&m->record, m->index[c].bytes, m->index[c].size);
    write_record(m, OP_MESSAGE_INDEX, &m->record);
    m->index[c].size = 0;
  }
}

// A chunk of the file.
typedef struct Chunk {
  uint64_t start, length;
  const char* compression;
  size_t packed_size;
} Chunk;

static void remember_chunk(HeftMcap* m, const Chunk* c, const HeftBytes* offsets,
                           uint64_t index_length) {
  m->record.size = 0;
  HEFT_ASSERT(m->first <= m->last);
  put_number(&m->record, m->first, 8);
  put_number(&m->record, m->last, 8);
  put_number(&m->record, c->start, 8);
  put_number(&m->record, c->length, 8);
  put_number(&m->record, offsets->size, 4);
  bytes_out_put(&m->record, offsets->bytes, offsets->size);
  put_number(&m->record, index_length, 8);
  put_string(&m->record, c->compression);
  put_number(&m->record, c->packed_size, 8);
  put_number(&m->record, m->chunk.size, 8);
  put_record(&m->chunk_index, OP_CHUNK_INDEX, &m->record);
  ++m->chunk_count;
}

void heft_mcap_flush(HeftMcap* m) {
  if (m->chunk.size == 0) return;
  m->failed |= heft_mcap_failed(m);
  HeftBytes offsets = {.allocator = &m->allocator};
  const unsigned char* packed;
  Chunk c = {.start = m->offset};
  c.compression = pack(m, m->chunk.bytes, m->chunk.size, &packed, &c.packed_size);
  const int plain = c.compression[0] == '\0';
  m->record.size = 0;
  put_number(&m->record, m->first, 8);
  put_number(&m->record, m->last, 8);
  put_number(&m->record, m->chunk.size, 8);
  put_number(&m->record, plain ? heft_crc32(0, packed, c.packed_size) : 0, 4);
  put_string(&m->record, c.compression);
  put_number(&m->record, c.packed_size, 8);
  bytes_out_put(&m->record, packed, c.packed_size);
  write_record(m, OP_CHUNK, &m->record);
  c.length = m->offset - c.start;
  HEFT_ASSERT(m->offset >= c.start);
  write_index(m, &offsets);
  remember_chunk(m, &c, &offsets, m->offset - c.start - c.length);
  m->failed |= offsets.failed;
  bytes_out_free(&offsets);
  m->chunk.size = 0;
  m->first = m->last = 0;
  m->failed |= fflush(m->file) != 0;
}

// ---- the file

// All bytes but the indices of the channels.
static void list_bytes(HeftMcap* m, HeftBytes* out[PARTS]) {
  out[0] = &m->chunk;
  out[1] = &m->record;
  out[2] = &m->definitions;
  out[3] = &m->chunk_index;
  out[4] = &m->attachment_index;
  out[5] = &m->packed;
}

static void set_allocator(HeftMcap* m) {
  HeftBytes* parts[PARTS];
  list_bytes(m, parts);
  for (int i = 0; i < PARTS; ++i) parts[i]->allocator = &m->allocator;
  for (int c = 0; c <= CHANNELS_MAX; ++c) m->index[c].allocator = &m->allocator;
}

// Words of the file, by its kind.
static const struct {
  const char *profile, *schema, *message;
} words[] = {[HEFT_MCAP_JSON] = {"", "jsonschema", "json"},
             [HEFT_MCAP_PLAIN] = {"", "text", "f64le"},
             [HEFT_MCAP_ROS2] = {"ros2", "ros2msg", "cdr"}};

HeftMcap* heft_mcap_open(const char* path, HeftMcapKind kind, const char* library,
                         const HeftAllocator* allocator) {
  const HeftAllocator a = allocator_or_default(allocator);
  FILE* file = fopen(path, "wb");
  HeftMcap* m = file ? a.allocate(a.user, sizeof *m, 64) : NULL;
  if (!m) {
    if (file) fclose(file);
    return NULL;
  }
  *m = (HeftMcap){.allocator = a, .file = file, .begin = UINT64_MAX, .kind = kind};
  set_allocator(m);
  write_bytes(m, magic, sizeof magic);
  put_string(&m->record, words[kind].profile);
  put_string(&m->record, library);
  write_record(m, OP_HEADER, &m->record);
  return m;
}

int heft_mcap_failed(const HeftMcap* m) {
  int failed = m->failed | m->chunk.failed | m->record.failed | m->definitions.failed;
  for (int c = 0; c <= CHANNELS_MAX; ++c) failed |= m->index[c].failed;
  return failed;
}

// The number of a schema, which is written if it is new.
static int schema_number(HeftMcap* m, const char* name, const char* schema) {
  for (int i = 1; i <= m->schema_count; ++i)
    if (strcmp(m->schema[i], name) == 0) return i;
  HeftBytes content = {.allocator = &m->allocator};
  m->schema[++m->schema_count] = name;
  HEFT_ASSERT(m->schema_count <= CHANNELS_MAX);
  put_number(&content, (uint64_t)m->schema_count, 2);
  put_string(&content, name);
  put_string(&content, words[m->kind].schema);
  put_string(&content, schema);
  put_record(&m->definitions, OP_SCHEMA, &content);
  m->failed |= content.failed;
  bytes_out_free(&content);
  return m->schema_count;
}

int heft_mcap_channel(HeftMcap* m, const char* topic, const char* schema_name, const char* schema) {
  if (m->channel_count == CHANNELS_MAX) return 0;
  const size_t before = m->definitions.size;
  const int number = ++m->channel_count, of = schema_number(m, schema_name, schema);
  HeftBytes content = {.allocator = &m->allocator};
  put_number(&content, (uint64_t)number, 2);
  put_number(&content, (uint64_t)of, 2);
  put_string(&content, topic);
  put_string(&content, words[m->kind].message);
  put_number(&content, 0, 4);
  put_record(&m->definitions, OP_CHANNEL, &content);
  if (m->definitions.bytes)  // there was memory
    bytes_out_put(&m->chunk, m->definitions.bytes + before, m->definitions.size - before);
  m->failed |= content.failed | m->definitions.failed;
  bytes_out_free(&content);
  return number;
}

void heft_mcap_message(HeftMcap* m, int channel, uint64_t time, const void* data, size_t size) {
  if (channel <= 0 || channel > m->channel_count) return;
  int empty = 1;
  for (int c = 1; c <= m->channel_count; ++c) empty &= m->index[c].size == 0;
  if (m->chunk.size > CHUNK_BYTES || (!empty && time > m->first && time - m->first >= chunk_time)) {
    heft_mcap_flush(m);
    empty = 1;
  }
  if (empty) m->first = m->last = time;
  m->first = time < m->first ? time : m->first;
  m->last = time > m->last ? time : m->last;
  m->begin = time < m->begin ? time : m->begin;
  m->end = time > m->end ? time : m->end;
  put_number(&m->index[channel], time, 8);
  put_number(&m->index[channel], m->chunk.size, 8);
  put_number(&m->chunk, OP_MESSAGE, 1);
  put_number(&m->chunk, 2 + 4 + 8 + 8 + size, 8);
  put_number(&m->chunk, (uint64_t)channel, 2);
  put_number(&m->chunk, m->counts[channel]++, 4);
  put_number(&m->chunk, time, 8);
  put_number(&m->chunk, time, 8);
  bytes_out_put(&m->chunk, data, size);
}

void heft_mcap_attachment(HeftMcap* m, const char* name, const char* media_type, const void* bytes,
                          size_t size) {
  const unsigned char* packed;
  size_t packed_size;
  char full[128], type[64];
  const int zstd = pack(m, bytes, size, &packed, &packed_size)[0] != '\0';
  snprintf(full, sizeof full, "%.100s%s", name, zstd ? ".zst" : "");
  snprintf(type, sizeof type, "%.60s", zstd ? "application/zstd" : media_type);
  const uint64_t start = m->offset;
  m->record.size = 0;
  put_number(&m->record, 0, 8);
  put_number(&m->record, 0, 8);
  put_string(&m->record, full);
  put_string(&m->record, type);
  put_number(&m->record, packed_size, 8);
  bytes_out_put(&m->record, packed, packed_size);
  put_number(&m->record, zstd ? 0 : heft_crc32(0, m->record.bytes, m->record.size), 4);
  write_record(m, OP_ATTACHMENT, &m->record);
  m->record.size = 0;
  put_number(&m->record, start, 8);
  put_number(&m->record, m->offset - start, 8);
  put_number(&m->record, 0, 8);
  put_number(&m->record, 0, 8);
  put_number(&m->record, packed_size, 8);
  put_string(&m->record, full);
  put_string(&m->record, type);
  put_record(&m->attachment_index, OP_ATTACHMENT_INDEX, &m->record);
  ++m->attachment_count;
}

static void write_statistics(HeftMcap* m) {
  uint64_t messages = 0;
  for (int c = 1; c <= m->channel_count; ++c) messages += m->counts[c];
  m->record.size = 0;
  put_number(&m->record, messages, 8);
  put_number(&m->record, (uint64_t)m->schema_count, 2);
  put_number(&m->record, (uint64_t)m->channel_count, 4);
  put_number(&m->record, (uint64_t)m->attachment_count, 4);
  put_number(&m->record, 0, 4);
  put_number(&m->record, (uint64_t)m->chunk_count, 4);
  put_number(&m->record, messages > 0 ? m->begin : 0, 8);
  put_number(&m->record, m->end, 8);
  put_number(&m->record, 10 * (uint64_t)m->channel_count, 4);
  for (int c = 1; c <= m->channel_count; ++c) {
    put_number(&m->record, (uint64_t)c, 2);
    put_number(&m->record, m->counts[c], 8);
  }
  write_record(m, OP_STATISTICS, &m->record);
}

int heft_mcap_close(HeftMcap* m) {
  heft_mcap_flush(m);
  m->record.size = 0;
  put_number(&m->record, 0, 4);
  write_record(m, OP_DATA_END, &m->record);
  const uint64_t summary = m->offset;
  write_bytes(m, m->definitions.bytes, m->definitions.size);
  write_statistics(m);
  write_bytes(m, m->chunk_index.bytes, m->chunk_index.size);
  write_bytes(m, m->attachment_index.bytes, m->attachment_index.size);
  m->record.size = 0;
  put_number(&m->record, summary, 8);
  put_number(&m->record, 0, 8);
  put_number(&m->record, 0, 4);
  write_record(m, OP_FOOTER, &m->record);
  write_bytes(m, magic, sizeof magic);
  m->failed |= heft_mcap_failed(m) | m->chunk_index.failed | m->attachment_index.failed;
  const int well = (fclose(m->file) == 0) & !m->failed;
  HeftBytes* parts[PARTS];
  list_bytes(m, parts);
  for (int i = 0; i < PARTS; ++i) bytes_out_free(parts[i]);
  for (int c = 0; c <= CHANNELS_MAX; ++c) bytes_out_free(&m->index[c]);
#ifdef HEFT_HAVE_ZSTD
  ZSTD_freeCCtx(m->zstd);
#endif
  const HeftAllocator a = m->allocator;
  a.release(a.user, m, sizeof *m);
  return well;
}
