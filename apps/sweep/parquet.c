// SPDX-License-Identifier: Apache-2.0
// Apache Parquet (format 2.10: parquet.thrift, Encodings.md), the part that a table of numbers
// needs: required columns of 64 bits, encoding PLAIN, no compression, one page for each column of
// a group of rows:
//
//     "PAR1"  { page header, CRC-32, numbers }...  footer  length of the footer (u32)  "PAR1"
//
// Headers and footer are structs of Thrift in its compact protocol: a field is its number, as a
// difference from the field before, and its type in one byte, then its value; integers are zigzag
// varints, a zero byte ends a struct.
#include "sweep/parquet.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "record/crc32.h"
#include "record/mcap.h"

enum { GROUP_ROWS = 65536, GROUP_BYTES = 1 << 25 };
enum { FORMAT_INT64 = 2, FORMAT_DOUBLE = 5, FORMAT_UINT_64 = 14 };  // the last: a converted type
enum { PLAIN = 0, RLE = 3 };

struct Parquet {
  FILE* file;
  const ParquetColumn* columns;
  const Hdf5Attribute* attributes;
  HeftAllocator allocator;
  int column_count, attribute_count, group_count;
  int64_t group_rows, rows, all_rows, at;  // rows: of the group that is gathered; at: in the file
  uint64_t* numbers;                       // column by column, group_rows each
  unsigned char* page;                     // the numbers of a page, little-endian
  HeftBytes groups, header;                // of the footer, for each group; of a page
};

// ---- Thrift

static void put(HeftBytes* t, const void* bytes, size_t size) {
  if (size == 0 || !heft_bytes_reserve(t, size)) return;
  memcpy(t->bytes + t->size, bytes, size);
  t->size += size;
}

static void put_byte(HeftBytes* t, unsigned byte) {
  const unsigned char b = (unsigned char)byte;
  put(t, &b, 1);
}

static void put_varint(HeftBytes* t, uint64_t n) {
  for (; n > 127; n >>= 7) put_byte(t, (unsigned)(n & 127) | 128);
  put_byte(t, (unsigned)n);
}

static void put_zigzag(HeftBytes* t, int64_t n) {
  put_varint(t, n < 0 ? 2 * (uint64_t)(-(n + 1)) + 1 : 2 * (uint64_t)n);
}

static void put_text(HeftBytes* t, const char* text) {
  put_varint(t, strlen(text));
  put(t, text, strlen(text));
}

enum { T_I32 = 5, T_I64 = 6, T_TEXT = 8, T_LIST = 9, T_STRUCT = 12 };

// The head of a field; `step`: its number less that of the field before.
static void put_field(HeftBytes* t, int step, int type) {
  put_byte(t, (unsigned)(step << 4 | type));
}

static void put_i32(HeftBytes* t, int step, int32_t n) {
  put_field(t, step, T_I32);
  put_zigzag(t, n);
}

static void put_i64(HeftBytes* t, int step, int64_t n) {
  put_field(t, step, T_I64);
  put_zigzag(t, n);
}

static void put_list(HeftBytes* t, int step, int type, int count) {
  put_field(t, step, T_LIST);
  put_byte(t, (unsigned)((count < 15 ? count : 15) << 4 | type));
  if (count >= 15) put_varint(t, (uint64_t)count);
}

static void put_end(HeftBytes* t) { put_byte(t, 0); }

// ---- pages and groups

static int write_bytes(Parquet* p, const void* bytes, size_t size) {
  p->at += (int64_t)size;
  return fwrite(bytes, 1, size, p->file) == size;
}

static int format_type(Hdf5Type type) { return type == HDF5_DOUBLE ? FORMAT_DOUBLE : FORMAT_INT64; }

// ColumnChunk with its ColumnMetaData.
static void note_column(HeftBytes* t, const ParquetColumn* c, int64_t rows, int64_t place,
                        int64_t bytes) {
  put_i64(t, 2, place);
  put_field(t, 1, T_STRUCT);
  put_i32(t, 1, format_type(c->type));
  put_list(t, 1, T_I32, 1);  // encodings
  put_zigzag(t, PLAIN);
  put_list(t, 1, T_TEXT, 1);  // path in the schema
  put_text(t, c->name);
  put_i32(t, 1, 0);  // no compression
  put_i64(t, 1, rows);
  put_i64(t, 1, bytes);
  put_i64(t, 1, bytes);
  put_i64(t, 2, place);
  put_end(t);
  put_end(t);
}

static void make_page_header(HeftBytes* t, const unsigned char* numbers, size_t size,
                             int32_t rows) {
  t->size = 0;
  put_i32(t, 1, 0);  // data page
  put_i32(t, 1, (int32_t)size);
  put_i32(t, 1, (int32_t)size);
  put_i32(t, 1, (int32_t)heft_crc32(0, numbers, size));
  put_field(t, 1, T_STRUCT);
  put_i32(t, 1, rows);
  put_i32(t, 1, PLAIN);
  put_i32(t, 1, RLE);  // levels, which required columns do not have
  put_i32(t, 1, RLE);
  put_end(t);
  put_end(t);
}

static int write_group(Parquet* p) {
  HeftBytes* g = &p->groups;
  const int64_t start = p->at;
  const size_t size = 8 * (size_t)p->rows;
  if (p->rows == 0) return 1;
  put_list(g, 1, T_STRUCT, p->column_count);
  for (int i = 0; i < p->column_count; ++i) {
    const int64_t place = p->at;
    bytes_put_array(p->page, p->numbers + i * p->group_rows, (size_t)p->rows, 8);
    make_page_header(&p->header, p->page, size, (int32_t)p->rows);
    if (p->header.failed || !write_bytes(p, p->header.bytes, p->header.size) ||
        !write_bytes(p, p->page, size))
      return 0;
    note_column(g, &p->columns[i], p->rows, place, p->at - place);
  }
  put_i64(g, 1, p->at - start);
  put_i64(g, 1, p->rows);
  put_end(g);
  p->all_rows += p->rows;
  p->rows = 0;
  ++p->group_count;
  return !g->failed;
}

// ---- footer

static void put_schema(HeftBytes* t, const Parquet* p) {
  put_list(t, 1, T_STRUCT, p->column_count + 1);
  put_field(t, 4, T_TEXT);
  put_text(t, "runs");
  put_i32(t, 1, p->column_count);
  put_end(t);
  for (int i = 0; i < p->column_count; ++i) {
    put_i32(t, 1, format_type(p->columns[i].type));
    put_i32(t, 2, 0);  // required
    put_field(t, 1, T_TEXT);
    put_text(t, p->columns[i].name);
    if (p->columns[i].type == HDF5_UINT64) put_i32(t, 2, FORMAT_UINT_64);
    put_end(t);
  }
}

static void put_pair(HeftBytes* t, const char* key, const char* of, const char* value) {
  char name[100];
  snprintf(name, sizeof name, "%s%s", key, of);
  put_field(t, 1, T_TEXT);
  put_text(t, name);
  put_field(t, 1, T_TEXT);
  put_text(t, value);
  put_end(t);
}

static void put_pairs(HeftBytes* t, const Parquet* p) {
  int count = p->attribute_count;
  for (int i = 0; i < p->column_count; ++i) count += p->columns[i].unit[0] != 0;
  put_list(t, 1, T_STRUCT, count);
  for (int i = 0; i < p->attribute_count; ++i)
    put_pair(t, p->attributes[i].name, "", p->attributes[i].text);
  for (int i = 0; i < p->column_count; ++i)
    if (p->columns[i].unit[0]) put_pair(t, "unit of ", p->columns[i].name, p->columns[i].unit);
}

static int write_footer(Parquet* p) {
  HeftBytes t = {.allocator = &p->allocator};
  put_i32(&t, 1, 1);  // version
  put_schema(&t, p);
  put_i64(&t, 1, p->all_rows);
  put_list(&t, 1, T_STRUCT, p->group_count);
  put(&t, p->groups.bytes, p->groups.size);
  put_pairs(&t, p);
  put_field(&t, 1, T_TEXT);
  put_text(&t, "Heft");
  put_end(&t);
  const uint32_t size = (uint32_t)t.size;
  unsigned char four[4];
  bytes_put(four, size, 4);
  put(&t, four, 4);
  put(&t, "PAR1", 4);
  const int well = !t.failed && t.size <= INT32_MAX && write_bytes(p, t.bytes, t.size);
  heft_bytes_free(&t);
  return well;
}

// ---- the file

static void release(Parquet* p) {
  heft_bytes_free(&p->groups);
  heft_bytes_free(&p->header);
  free(p->page);
  free(p->numbers);
  free(p);
}

Parquet* parquet_begin(FILE* file, const ParquetColumn* columns, int column_count,
                       const Hdf5Attribute* attributes, int attribute_count) {
  const int64_t fit = GROUP_BYTES / 8 / column_count;
  Parquet* p = calloc(1, sizeof *p);
  if (!p) return NULL;
  *p = (Parquet){.file = file,
                 .columns = columns,
                 .attributes = attributes,
                 .allocator = heft_allocator_default(),
                 .column_count = column_count,
                 .attribute_count = attribute_count,
                 .group_rows = fit < 1            ? 1
                               : fit < GROUP_ROWS ? fit
                                                  : GROUP_ROWS};
  p->groups.allocator = p->header.allocator = &p->allocator;
  p->numbers = calloc((size_t)(p->group_rows * column_count), sizeof *p->numbers);
  p->page = malloc(8 * (size_t)p->group_rows);
  if (p->numbers && p->page && write_bytes(p, "PAR1", 4)) return p;
  release(p);
  return NULL;
}

uint64_t* parquet_number(Parquet* p, int column) {
  return &p->numbers[column * p->group_rows + p->rows];
}

int parquet_next(Parquet* p) { return ++p->rows < p->group_rows || write_group(p); }

int parquet_end(Parquet* p) {
  if (!p) return 0;
  const int well = write_group(p) && write_footer(p);
  release(p);
  return well;
}
