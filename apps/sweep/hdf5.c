// SPDX-License-Identifier: Apache-2.0
// The subset of the HDF5 File Format Specification, version 3.0, that tables need: superblock of
// version 2, object headers of version 2 with compact links, contiguous and virtual datasets.
//
// A file is written in two passes by the same code. The first finds out where each object lies, the
// second writes the addresses; no size depends on an address.
#include "sweep/hdf5.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sweep/sha256.h"

enum {
  MESSAGE_DATASPACE = 1,
  MESSAGE_LINK_INFO = 2,
  MESSAGE_DATATYPE = 3,
  MESSAGE_FILL = 5,
  MESSAGE_LINK = 6,
  MESSAGE_LAYOUT = 8,
  MESSAGE_GROUP_INFO = 10,
  MESSAGE_ATTRIBUTE = 12,
  GROUPS_MAX = 8,
  NAME_MAX_BYTES = 255
};
static const uint64_t undefined = ~0ull;

typedef struct Put {
  unsigned char* bytes;  ///< NULL: measure only
  size_t at;
  size_t object;   ///< start of the object header that is open
  size_t message;  ///< start of the message that is open
} Put;

static void put_bytes(Put* p, const void* bytes, size_t size) {
  if (p->bytes && size > 0) memcpy(p->bytes + p->at, bytes, size);
  p->at += size;
}

static void put_int(Put* p, uint64_t x, int size) {
  unsigned char bytes[8];
  for (int i = 0; i < size; ++i) bytes[i] = (unsigned char)(x >> (8 * i));
  put_bytes(p, bytes, (size_t)size);
}

static void patch(const Put* p, size_t at, uint64_t x, int size) {
  for (int i = 0; p->bytes && i < size; ++i)
    p->bytes[at + (size_t)i] = (unsigned char)(x >> (8 * i));
}

// ---- checksum: lookup3 of Bob Jenkins (public domain), as the specification asks

static uint32_t turn(uint32_t x, int k) { return x << k | x >> (32 - k); }

static void stir(uint32_t* a, uint32_t* b, uint32_t* c) {
  static const int k[6] = {4, 6, 8, 16, 19, 4};
  uint32_t* x[3] = {a, b, c};
  for (int i = 0; i < 6; ++i) {
    uint32_t *u = x[i % 3], *v = x[(i + 1) % 3], *w = x[(i + 2) % 3];
    *u -= *w;
    *u ^= turn(*w, k[i]);
    *w += *v;
  }
}

static uint32_t checksum(const unsigned char* bytes, size_t size) {
  uint32_t a = 0xdeadbeef + (uint32_t)size, b = a, c = a;
  if (size == 0) return c;
  for (; size > 12; size -= 12, bytes += 12) {
    uint32_t word[3];
    for (int i = 0; i < 3; ++i)
      word[i] = bytes[4 * i] | (uint32_t)bytes[4 * i + 1] << 8 | (uint32_t)bytes[4 * i + 2] << 16 |
                (uint32_t)bytes[4 * i + 3] << 24;
    a += word[0];
    b += word[1];
    c += word[2];
    stir(&a, &b, &c);
  }
  uint32_t rest[3] = {0};
  for (size_t i = 0; i < size; ++i) rest[i / 4] += (uint32_t)bytes[i] << (8 * (i % 4));
  a += rest[0];
  b += rest[1];
  c += rest[2];
  c = (c ^ b) - turn(b, 14);
  a = (a ^ c) - turn(c, 11);
  b = (b ^ a) - turn(a, 25);
  c = (c ^ b) - turn(b, 16);
  a = (a ^ c) - turn(c, 4);
  b = (b ^ a) - turn(a, 14);
  return (c ^ b) - turn(b, 24);
}

static void put_checksum(Put* p, size_t from) {
  put_int(p, p->bytes ? checksum(p->bytes + from, p->at - from) : 0, 4);
}

// ---- object headers and messages

static void begin_object(Put* p) {
  p->object = p->at;
  put_bytes(p, "OHDR\2\2\0\0\0\0", 10);  // version 2; flags: 4 bytes of size
}

static void end_object(Put* p) {
  patch(p, p->object + 6, p->at - p->object - 10, 4);
  put_checksum(p, p->object);
}

static void begin_message(Put* p, int type) {
  put_int(p, (uint64_t)type, 1);
  p->message = p->at;
  put_int(p, 0, 3);  // size, flags
}

static void end_message(const Put* p) { patch(p, p->message, p->at - p->message - 3, 2); }

static void put_number_type(Put* p, Hdf5Type type) {
  if (type ==
      HDF5_DOUBLE) {  // IEEE 754, little-endian: sign 63, exponent 11 at 52, mantissa 52 at 0
    put_bytes(p, "\x11\x20\x3f\0", 4);
    put_int(p, 8, 4);
    put_int(p, 0, 2);
    put_int(p, 64, 2);
    put_bytes(p, "\x34\x0b\0\x34", 4);
    put_int(p, 1023, 4);
  } else {
    put_bytes(p, type == HDF5_INT64 ? "\x10\x08\0\0" : "\x10\0\0\0", 4);
    put_int(p, 8, 4);
    put_int(p, 0, 2);
    put_int(p, 64, 2);
  }
}

static void put_dataspace(Put* p, int rank, const uint64_t* size) {
  put_int(p, 2, 1);
  put_int(p, (uint64_t)rank, 1);
  put_int(p, 0, 1);
  put_int(p, rank > 0, 1);  // simple or scalar
  for (int i = 0; i < rank; ++i) put_int(p, size[i], 8);
}

static void put_attribute(Put* p, const char* name, const char* text) {
  const size_t size = strlen(text), length = strlen(name) + 1;
  if (size == 0) return;
  begin_message(p, MESSAGE_ATTRIBUTE);
  put_int(p, 3, 1);
  put_int(p, 0, 1);
  put_int(p, length, 2);
  put_int(p, 8, 2);  // of the type
  put_int(p, 4, 2);  // of the space
  put_int(p, 0, 1);
  put_bytes(p, name, length);
  put_bytes(p, "\x13\x11\0\0", 4);  // a text of fixed length, padded by zeros, UTF-8
  put_int(p, size, 4);
  put_dataspace(p, 0, NULL);
  put_bytes(p, text, size);
  end_message(p);
}

static void begin_group(Put* p) {
  begin_object(p);
  begin_message(p, MESSAGE_LINK_INFO);
  put_int(p, 0, 2);
  put_int(p, undefined, 8);
  put_int(p, undefined, 8);
  end_message(p);
  begin_message(p, MESSAGE_GROUP_INFO);
  put_int(p, 0, 2);
  end_message(p);
}

static void put_link(Put* p, const char* name, uint64_t address) {
  begin_message(p, MESSAGE_LINK);
  put_int(p, 1, 1);
  put_int(p, 0, 1);
  put_int(p, strlen(name), 1);
  put_bytes(p, name, strlen(name));
  put_int(p, address, 8);
  end_message(p);
}

// ---- a file

typedef struct Places {
  uint64_t root, end, heap;
  uint64_t group[GROUPS_MAX];
  uint64_t* object;  ///< of each column
  size_t* data;      ///< of each column
} Places;

typedef struct Writer {
  Put put;
  const Hdf5Table* table;
  const Hdf5Parts* parts;  ///< NULL: the numbers are in the file
  Places* at;
} Writer;

static uint64_t number_count(const Hdf5Table* t, int column) {
  return (uint64_t)t->rows * (uint64_t)t->columns[column].width;
}

static int same_group(const Hdf5Table* t, int a, int b) {
  return strcmp(t->columns[a].group, t->columns[b].group) == 0;
}

static void write_superblock(Writer* w) {
  Put* p = &w->put;
  put_bytes(p, "\x89HDF\r\n\x1a\n\2\x08\x08\0", 12);  // version 2, 8 bytes for offsets and lengths
  put_int(p, 0, 8);
  put_int(p, undefined, 8);
  put_int(p, w->at->end, 8);
  put_int(p, w->at->root, 8);
  put_checksum(p, 0);
}

static void write_groups(Writer* w) {
  const Hdf5Table* t = w->table;
  Put* p = &w->put;
  int group = 0;
  w->at->root = p->at;
  begin_group(p);
  for (int i = 0; i < t->column_count; ++i)
    if (i == 0 || !same_group(t, i, i - 1)) put_link(p, t->columns[i].group, w->at->group[group++]);
  for (int i = 0; i < t->attribute_count; ++i)
    put_attribute(p, t->attributes[i].name, t->attributes[i].text);
  end_object(p);
  for (int i = 0, k = 0; i < t->column_count; ++k) {
    const int first = i;
    w->at->group[k] = p->at;
    begin_group(p);
    for (; i < t->column_count && same_group(t, i, first); ++i)
      put_link(p, t->columns[i].name, w->at->object[i]);
    end_object(p);
  }
}

static void write_fill(Writer* w, const Hdf5Column* c) {
  Put* p = &w->put;
  double nan_value = (double)NAN;
  uint64_t bits = undefined;
  if (c->type == HDF5_DOUBLE) memcpy(&bits, &nan_value, sizeof bits);
  begin_message(p, MESSAGE_FILL);
  put_int(p, 3, 1);
  put_int(p, w->parts ? 0x29 : 0x0a, 1);  // when to allocate and to fill; with a value or without
  if (w->parts) {
    put_int(p, 8, 4);
    put_int(p, bits, 8);
  }
  end_message(p);
}

static void write_layout(Writer* w, int column) {
  Put* p = &w->put;
  begin_message(p, MESSAGE_LAYOUT);
  if (w->parts) {
    put_bytes(p, "\4\3", 2);
    put_int(p, w->at->heap, 8);
    put_int(p, (uint64_t)column + 1, 4);
  } else {
    put_bytes(p, "\3\1", 2);
    put_int(p, w->at->data[column], 8);
    put_int(p, 8 * number_count(w->table, column), 8);
  }
  end_message(p);
}

static void write_dataset(Writer* w, int column) {
  const Hdf5Column* c = &w->table->columns[column];
  const uint64_t size[2] = {(uint64_t)w->table->rows, (uint64_t)c->width};
  Put* p = &w->put;
  w->at->object[column] = p->at;
  begin_object(p);
  begin_message(p, MESSAGE_DATASPACE);
  put_dataspace(p, c->width > 1 ? 2 : 1, size);
  end_message(p);
  begin_message(p, MESSAGE_DATATYPE);
  put_number_type(p, c->type);
  end_message(p);
  write_fill(w, c);
  write_layout(w, column);
  put_attribute(p, "unit", c->unit);
  put_attribute(p, "meaning", c->meaning);
  end_object(p);
}

// ---- virtual datasets

static void put_selection(Put* p, const Hdf5Column* c, int64_t first, int64_t rows) {
  const int rank = c->width > 1 ? 2 : 1;
  const uint64_t corner[2][2] = {{(uint64_t)first, 0},
                                 {(uint64_t)(first + rows - 1), (uint64_t)c->width - 1}};
  put_int(p, 2, 4);  // hyperslab, version 1
  put_int(p, 1, 4);
  put_int(p, 0, 4);
  put_int(p, 8 + 8 * (uint64_t)rank, 4);
  put_int(p, (uint64_t)rank, 4);
  put_int(p, 1, 4);  // one block
  for (int i = 0; i < 2; ++i)
    for (int k = 0; k < rank; ++k) put_int(p, corner[i][k], 4);
}

// Where the parts lie, for one column: an object of the global heap.
static void write_parts(Writer* w, int column) {
  const Hdf5Column* c = &w->table->columns[column];
  const Hdf5Parts* s = w->parts;
  Put* p = &w->put;
  char name[1024], path[2 * NAME_MAX_BYTES + 3];
  put_int(p, (uint64_t)column + 1, 2);
  put_int(p, 1, 2);
  put_int(p, 0, 4);
  const size_t size_at = p->at;
  put_int(p, 0, 8);
  const size_t start = p->at;
  snprintf(path, sizeof path, "/%s/%s", c->group, c->name);
  put_int(p, 0, 1);
  put_int(p, (uint64_t)s->count, 8);
  for (int64_t i = 0; i < s->count; ++i) {
    const int64_t first = i * s->rows, left = w->table->rows - first;
    const int64_t rows = left < s->rows ? left : s->rows;
    s->name(s->user, i, name, sizeof name);
    put_bytes(p, name, strlen(name) + 1);
    put_bytes(p, path, strlen(path) + 1);
    put_selection(p, c, 0, rows);
    put_selection(p, c, first, rows);
  }
  put_checksum(p, start);
  patch(p, size_at, p->at - start, 8);
  while (p->at % 8 != 0) put_int(p, 0, 1);
}

static void align(Put* p) {
  while (p->at % 8 != 0) put_int(p, 0, 1);
}

static void write_heap(Writer* w) {
  Put* p = &w->put;
  align(p);
  const size_t start = p->at;
  w->at->heap = start;
  put_bytes(p, "GCOL\1\0\0\0", 8);
  put_int(p, 0, 8);
  for (int i = 0; i < w->table->column_count; ++i) write_parts(w, i);
  size_t room = 16;  // the free space: at least a header, and 4096 bytes of heap in all
  if (p->at + room - start < 4096) room = 4096 - (p->at - start);
  put_int(p, 0, 8);
  put_int(p, room, 8);
  for (size_t i = 16; i < room; ++i) put_int(p, 0, 1);
  patch(p, start + 8, p->at - start, 8);
}

static void write_all(Writer* w) {
  w->put.at = 0;
  write_superblock(w);
  write_groups(w);
  for (int i = 0; i < w->table->column_count; ++i) write_dataset(w, i);
  if (w->parts) write_heap(w);
  align(&w->put);
}

void hdf5_release(Hdf5File* f) {
  free(f->bytes);
  free(f->offset);
  *f = (Hdf5File){0};
}

static int make(Hdf5File* out, const Hdf5Table* t, const Hdf5Parts* parts) {
  const size_t n = (size_t)t->column_count + 1;
  uint64_t* object = calloc(n, sizeof *object);
  size_t* data = calloc(n, sizeof *data);
  Places at = {.object = object, .data = data};
  Writer w = {.table = t, .parts = parts, .at = &at};
  *out = (Hdf5File){0};
  if (object && data) {
    write_all(&w);
    out->data = at.end = w.put.at;
    for (int i = 0; i < t->column_count && !parts; ++i) {
      data[i] = (size_t)at.end;
      at.end += 8 * number_count(t, i);
    }
    out->size = (size_t)at.end + (parts ? 0 : HDF5_SEAL);
    out->bytes = w.put.bytes = calloc(1, out->size);
    if (out->bytes) write_all(&w);
  }
  free(object);
  out->offset = data;
  if (out->bytes) return 1;
  hdf5_release(out);
  return 0;
}

int hdf5_make(Hdf5File* out, const Hdf5Table* table) { return make(out, table, NULL); }

int hdf5_make_virtual(Hdf5File* out, const Hdf5Table* table, const Hdf5Parts* parts) {
  return make(out, table, parts);
}

// ---- the seal

static void hash(const unsigned char* bytes, size_t size, unsigned char out[HDF5_SEAL]) {
  Sha256 h = sha256_begin();
  sha256_add(&h, bytes, size);
  sha256_bytes(&h, out);
}

void hdf5_seal(Hdf5File* f) { hash(f->bytes, f->size - HDF5_SEAL, f->bytes + f->size - HDF5_SEAL); }

int hdf5_is_sealed(const unsigned char* bytes, size_t size) {
  unsigned char right[HDF5_SEAL];
  if (size < HDF5_SEAL) return 0;
  hash(bytes, size - HDF5_SEAL, right);
  return memcmp(right, bytes + size - HDF5_SEAL, HDF5_SEAL) == 0;
}

// ---- numbers

uint64_t hdf5_get(const Hdf5File* f, int column, int64_t at) {
  const unsigned char* b = f->bytes + f->offset[column] + 8 * (size_t)at;
  uint64_t x = 0;
  for (int i = 0; i < 8; ++i) x |= (uint64_t)b[i] << (8 * i);
  return x;
}

void hdf5_put(Hdf5File* f, int column, int64_t at, uint64_t x) {
  unsigned char* b = f->bytes + f->offset[column] + 8 * (size_t)at;
  for (int i = 0; i < 8; ++i) b[i] = (unsigned char)(x >> (8 * i));
}

void hdf5_put_double(Hdf5File* f, int column, int64_t at, double x) {
  uint64_t bits;
  if (x != x) x = (double)NAN;  // one pattern of bits for all
  memcpy(&bits, &x, sizeof bits);
  hdf5_put(f, column, at, bits);
}

double hdf5_get_double(const Hdf5File* f, const Hdf5Column* columns, int column, int64_t at) {
  const uint64_t bits = hdf5_get(f, column, at);
  double x;
  if (columns[column].type == HDF5_INT64) return (double)(int64_t)bits;
  if (columns[column].type == HDF5_UINT64) return (double)bits;
  memcpy(&x, &bits, sizeof x);
  return x;
}
