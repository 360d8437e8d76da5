// SPDX-License-Identifier: Apache-2.0
// The file format of zip (APPNOTE 6.3.10): a header and the bytes of each member, the headers again
// with their places (the directory), and an end that has the place of the directory.
#include "zip_file.h"

#include <string.h>

#include "record/crc32.h"

enum { HEADER_SIZE = 30, ENTRY_SIZE = 46, END_SIZE = 22, DAY_ONE = 0x21 };  // 1 January 1980

static unsigned char* put(unsigned char* to, uint32_t x, int size) {
  for (int i = 0; i < size; ++i) *to++ = (unsigned char)(x >> (8 * i));
  return to;
}

// The 26 bytes that the header of a member and its entry in the directory share.
static unsigned char* put_member(unsigned char* to, const ZipMember* m) {
  to = put(to, 20, 2);  // version to read it
  to = put(to, 0, 4);   // flags; stored
  to = put(to, 0, 2);   // time
  to = put(to, DAY_ONE, 2);
  to = put(to, heft_crc32(0, m->bytes, m->size), 4);
  to = put(to, (uint32_t)m->size, 4);
  to = put(to, (uint32_t)m->size, 4);
  to = put(to, (uint32_t)strlen(m->name), 2);
  return put(to, 0, 2);
}

int zip_file_write(FILE* out, const ZipMember* members, int count) {
  unsigned char head[ENTRY_SIZE];
  uint32_t at = 0, directory = 0;
  size_t done = 1;
  for (int i = 0; i < count && done; ++i) {
    const ZipMember* m = &members[i];
    put_member(put(head, 0x04034b50, 4), m);
    done = fwrite(head, HEADER_SIZE, 1, out) == 1 && fputs(m->name, out) >= 0 &&
           fwrite(m->bytes, 1, m->size, out) == m->size;
    at += HEADER_SIZE + (uint32_t)(strlen(m->name) + m->size);
  }
  uint32_t place = 0;
  for (int i = 0; i < count && done; ++i) {
    const ZipMember* m = &members[i];
    unsigned char* to = put_member(put(put(head, 0x02014b50, 4), 20, 2), m);
    put(put(put(to, 0, 4), 0, 4), 0, 2);  // comment, disk, attributes
    put(head + 42, place, 4);
    done = fwrite(head, ENTRY_SIZE, 1, out) == 1 && fputs(m->name, out) >= 0;
    place += HEADER_SIZE + (uint32_t)(strlen(m->name) + m->size);
    directory += ENTRY_SIZE + (uint32_t)strlen(m->name);
  }
  unsigned char* to = put(put(head, 0x06054b50, 4), 0, 4);
  to = put(put(to, (uint32_t)count, 2), (uint32_t)count, 2);
  put(put(put(to, directory, 4), at, 4), 0, 2);
  return done && fwrite(head, END_SIZE, 1, out) == 1;
}
