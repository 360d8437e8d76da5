// SPDX-License-Identifier: Apache-2.0
// Checksums of MCAP in chunks and attachments that are not compressed: a byte that was changed is
// noticed, and files without checksums are read.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
// cmocka.h needs the headers above
#include <cmocka.h>
#include "record/mcap.h"

#include "record/crc32.h"

static void remainders(void** state) {
  (void)state;
  assert_int_equal(heft_crc32(0, "", 0), 0);
  assert_int_equal(heft_crc32(0, "123456789", 9), 0xCBF43926u);  // the check value of the standard
  assert_int_equal(heft_crc32(heft_crc32(0, "1234", 4), "56789", 5), 0xCBF43926u);
  assert_int_equal(heft_crc32(0, "\xff\xff\xff\xff", 4), 0xFFFFFFFFu);
}

// ---- a file

typedef struct Text {
  unsigned char bytes[1024];
  size_t size;
} Text;

static void put(Text* t, const void* bytes, size_t size) {
  assert_true(size <= sizeof t->bytes - t->size);
  memcpy(t->bytes + t->size, bytes, size);
  t->size += size;
}

static void put_number(Text* t, uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) {
    const unsigned char byte = (unsigned char)(value >> (8 * i));
    put(t, &byte, 1);
  }
}

static void put_string(Text* t, const char* text) {
  put_number(t, strlen(text), 4);
  put(t, text, strlen(text));
}

static void put_record(Text* t, int opcode, const Text* content) {
  put_number(t, (uint64_t)opcode, 1);
  put_number(t, content->size, 8);
  put(t, content->bytes, content->size);
}

static const char payload[] = "{\"step\": 1}", attached[] = "how it began";

static void put_attachment(Text* file, int with_crc) {
  Text content = {.size = 0};
  put_number(&content, 0, 8);
  put_number(&content, 0, 8);
  put_string(&content, "start");
  put_string(&content, "text/plain");
  put_number(&content, strlen(attached), 8);
  put(&content, attached, strlen(attached));
  put_number(&content, with_crc ? heft_crc32(0, content.bytes, content.size) : 0, 4);
  put_record(file, 0x09, &content);
}

static void put_chunk(Text* file, int with_crc) {
  Text channel = {.size = 0}, message = {.size = 0}, records = {.size = 0}, chunk = {.size = 0},
       index = {.size = 0};
  put_number(&channel, 1, 2);
  put_number(&channel, 0, 2);
  put_string(&channel, "/steps");
  put_string(&channel, "json");
  put_number(&channel, 0, 4);
  put_record(&records, 0x04, &channel);
  const uint64_t offset = records.size;
  put_number(&message, 1, 2);
  put_number(&message, 0, 4);
  put_number(&message, 7, 8);
  put_number(&message, 7, 8);
  put(&message, payload, strlen(payload));
  put_record(&records, 0x05, &message);
  put_number(&chunk, 7, 8);
  put_number(&chunk, 7, 8);
  put_number(&chunk, records.size, 8);
  put_number(&chunk, with_crc ? heft_crc32(0, records.bytes, records.size) : 0, 4);
  put_string(&chunk, "");
  put_number(&chunk, records.size, 8);
  put(&chunk, records.bytes, records.size);
  put_record(file, 0x06, &chunk);
  put_number(&index, 1, 2);
  put_number(&index, 16, 4);
  put_number(&index, 7, 8);
  put_number(&index, offset, 8);
  put_record(file, 0x07, &index);
}

static Text make_file(int with_crc) {
  static const unsigned char magic[8] = {0x89, 'M', 'C', 'A', 'P', '0', '\r', '\n'};
  Text file = {.size = 0}, end = {.size = 0};
  put(&file, magic, sizeof magic);
  put_attachment(&file, with_crc);
  put_chunk(&file, with_crc);
  put_number(&end, 0, 4);
  put_record(&file, 0x0F, &end);
  return file;
}

static size_t place_of(const Text* file, const char* text) {
  for (size_t i = 0; i + strlen(text) <= file->size; ++i)
    if (memcmp(file->bytes + i, text, strlen(text)) == 0) return i;
  fail_msg("the file has no '%s'", text);
  return 0;
}

// ---- reading

static char path[100];

static HeftMcapReader* open_file(const Text* file, const char** what) {
  FILE* stream = fopen(path, "wb");
  assert_non_null(stream);
  assert_int_equal(fwrite(file->bytes, 1, file->size, stream), file->size);
  assert_int_equal(fclose(stream), 0);
  stream = fopen(path, "rb");
  assert_non_null(stream);
  return heft_mcap_reader_open(stream, what);
}

static int reads_attachment(HeftMcapReader* r, const char** what) {
  const HeftAllocator allocator = heft_allocator_default();
  HeftBytes bytes = {.allocator = &allocator};
  const int good = heft_mcap_reader_attachment(r, "start", &bytes, what);
  if (good) {
    assert_int_equal(bytes.size, strlen(attached));
    assert_memory_equal(bytes.bytes, attached, bytes.size);
  }
  heft_bytes_free(&bytes);
  return good;
}

static void whole_files_are_read(void** state) {
  (void)state;
  for (int with_crc = 0; with_crc <= 1; ++with_crc) {
    const Text file = make_file(with_crc);
    const char* what = "";
    HeftMcapMessage message;
    HeftMcapReader* r = open_file(&file, &what);
    assert_non_null(r);
    assert_true(
        heft_mcap_reader_message(r, heft_mcap_reader_channel(r, "/steps"), 0, &message, &what));
    assert_int_equal(message.size, strlen(payload));
    assert_memory_equal(message.data, payload, message.size);
    assert_true(reads_attachment(r, &what));
    heft_mcap_reader_close(r);
  }
}

static void a_changed_chunk_is_noticed(void** state) {
  (void)state;
  Text file = make_file(1);
  const char* what = "";
  file.bytes[place_of(&file, payload) + 9] ^= 4;
  assert_null(open_file(&file, &what));
  assert_string_equal(what, "a chunk is damaged");
}

static void a_changed_attachment_is_noticed(void** state) {
  (void)state;
  Text file = make_file(1);
  const char* what = "";
  file.bytes[place_of(&file, attached)] ^= 1;
  HeftMcapReader* r = open_file(&file, &what);
  assert_non_null(r);
  assert_false(reads_attachment(r, &what));
  assert_string_equal(what, "an attachment is damaged");
  heft_mcap_reader_close(r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(remainders),
      cmocka_unit_test(whole_files_are_read),
      cmocka_unit_test(a_changed_chunk_is_noticed),
      cmocka_unit_test(a_changed_attachment_is_noticed),
  };
  snprintf(path, sizeof path, "/tmp/heft_test_checksums_%d.mcap", (int)getpid());
  const int failures = cmocka_run_group_tests(tests, NULL, NULL);
  unlink(path);
  return failures;
}
