// SPDX-License-Identifier: Apache-2.0
// The texts of the queue: written and read again, and refused where they are wrong.
#include "queue/message.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static QueueJob make_job(void) {
  QueueJob j = {.chunks = 12, .shared = 0, .ack_wait = 30, .deliveries = 5, .file_count = 2};
  snprintf(j.version, sizeof j.version, "0.1.0");
  snprintf(j.bits, sizeof j.bits, "0123456789abcdef");
  memset(j.plan, 'a', 64);
  memset(j.model, 'b', 64);
  snprintf(j.folder, sizeof j.folder, "results/a \"b\" \\c");
  snprintf(j.file[0], sizeof j.file[0], "plan.toml");
  snprintf(j.file[1], sizeof j.file[1], "inputs/lift.csv");
  j.file_size[1] = 300000;
  queue_job_name(&j);
  return j;
}

static void job_comes_back(void** state) {
  (void)state;
  const QueueJob j = make_job();
  QueueJob again;
  HeftError error = {0};
  char text[QUEUE_TEXT_MAX];
  const size_t size = queue_job_write(&j, text, sizeof text);
  assert_int_equal(queue_job_read(&again, text, size, &error), HEFT_OK);
  assert_memory_equal(&j, &again, sizeof j);
}

// Replaces a text in a written job and reads it.
static HeftStatus read_changed(const char* from, const char* to) {
  const QueueJob j = make_job();
  QueueJob again;
  HeftError error = {0};
  char text[QUEUE_TEXT_MAX], changed[QUEUE_TEXT_MAX + 300];
  queue_job_write(&j, text, sizeof text);
  const char* at = strstr(text, from);
  assert_non_null(at);
  const int size =
      snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
  const HeftStatus status = queue_job_read(&again, changed, (size_t)size, &error);
  assert_true(status == HEFT_OK || error.message[0]);
  return status;
}

static void wrong_jobs_are_refused(void** state) {
  (void)state;
  assert_int_equal(read_changed("format = 2", "format = 2"), HEFT_OK);
  assert_int_not_equal(read_changed("format = 2", "format = 1"), HEFT_OK);
  assert_int_not_equal(read_changed("chunks = 12", "chunks = 13"), HEFT_OK);  // the hash has it
  assert_int_not_equal(read_changed("chunks = 12", "chunks = -1"), HEFT_OK);
  assert_int_not_equal(read_changed("0.1.0", "0.1.1"), HEFT_OK);
  assert_int_not_equal(read_changed("0123456789abcdef", "0123456789abcdee"), HEFT_OK);
  assert_int_not_equal(read_changed("files = 2", "files = 9"), HEFT_OK);
  assert_int_not_equal(read_changed("files = 2", "files = 3"), HEFT_OK);
  assert_int_not_equal(read_changed("size_1 = 300000", "size_1 = 3e12"), HEFT_OK);
  assert_int_not_equal(read_changed("ack_wait = 30", "ack_wait = 0"), HEFT_OK);
  assert_int_not_equal(read_changed("inputs/lift.csv", "../lift.csv"), HEFT_OK);
  assert_int_not_equal(read_changed("inputs/lift.csv", "inputs/../../lift.csv"), HEFT_OK);
  assert_int_not_equal(read_changed("inputs/lift.csv", "inputs/.profile"), HEFT_OK);
  assert_int_not_equal(read_changed("plan.toml", "/etc/passwd"), HEFT_OK);
  assert_int_not_equal(read_changed("inputs/lift.csv", "inputs/a/lift.csv"), HEFT_OK);
  char blanks[QUEUE_TEXT_MAX + 300];
  QueueJob job = make_job();
  HeftError error = {0};
  size_t size = queue_job_write(&job, blanks, QUEUE_TEXT_MAX);
  memset(blanks + size, '\n', sizeof blanks - size);
  assert_int_equal(queue_job_read(&job, blanks, QUEUE_TEXT_MAX, &error), HEFT_OK);
  assert_int_equal(queue_job_read(&job, blanks, QUEUE_TEXT_MAX + 1, &error), HEFT_ERR_SYNTAX);
}

static void chunk_comes_back(void** state) {
  (void)state;
  QueueChunk c = {.chunk = 999999999999, .present = 1}, again;
  HeftError error = {0};
  char text[256];
  memset(c.sweep, 'c', 64);
  size_t size = queue_chunk_write(&c, text, sizeof text);
  assert_int_equal(queue_chunk_read(&again, text, size, &error), HEFT_OK);
  assert_memory_equal(&c, &again, sizeof c);
  assert_int_not_equal(queue_chunk_read(&again, text, size / 2, &error), HEFT_OK);
  assert_int_not_equal(queue_chunk_read(&again, "", 0, &error), HEFT_OK);
  c.chunk = -1;
  size = queue_chunk_write(&c, text, sizeof text);
  assert_int_not_equal(queue_chunk_read(&again, text, size, &error), HEFT_OK);
}

static void notes_hold_no_control_characters(void** state) {
  (void)state;
  static const char written[] =
      "worker = \"w\"\nchunk = 1\ndelivery = 0\ndone = 0\nseconds = 0\ntext = \"a\\tb\"\n";
  QueueNote strange;
  HeftError why = {0};
  assert_int_equal(queue_note_read(&strange, written, sizeof written - 1, &why), HEFT_OK);
  assert_string_equal(strange.text, "a b");
  QueueNote n = {.chunk = -1, .delivery = 2, .done = 7, .seconds = 1.5}, again;
  HeftError error = {0};
  char text[QUEUE_TEXT_MAX];
  snprintf(n.worker, sizeof n.worker, "host-1");
  snprintf(n.text, sizeof n.text, "a\033[2Jb\n\"c\\");
  const size_t size = queue_note_write(&n, text, sizeof text);
  assert_int_equal(queue_note_read(&again, text, size, &error), HEFT_OK);
  assert_string_equal(again.text, "a [2Jb \"c\\");
  assert_int_equal(again.chunk, -1);
}

static void parts_are_counted(void** state) {
  (void)state;
  int64_t index, part, parts;
  assert_true(queue_part_read("heft.0123.result.17.1.3", &index, &part, &parts));
  assert_true(index == 17 && part == 1 && parts == 3);
  assert_false(queue_part_read("heft.0123.result.17.3.3", &index, &part, &parts));
  assert_false(queue_part_read("heft.0123.result.17.x.3", &index, &part, &parts));
  assert_false(queue_part_read("heft.0123.result.-17.1.3", &index, &part, &parts));
  assert_false(queue_part_read("1.2", &index, &part, &parts));
  assert_false(queue_part_read("a.99999999999999999999.1.2", &index, &part, &parts));
  char hash[QUEUE_RESULT_HASH + 1];
  assert_true(
      queue_result_read("heft.0-1.result.0123456789abcdef.17.1.3", hash, &index, &part, &parts));
  assert_true(index == 17 && part == 1 && parts == 3);
  assert_string_equal(hash, "0123456789abcdef");
  assert_false(
      queue_result_read("heft.0-1.result.0123456789abcde.17.1.3", hash, &index, &part, &parts));
  assert_false(
      queue_result_read("heft.0-1.result.0123456789abcdefa.17.1.3", hash, &index, &part, &parts));
  assert_false(queue_result_read("heft.0-1.result.17.1.3", hash, &index, &part, &parts));
  assert_false(queue_result_read("heft.0-1.result.0123456789abcdef", hash, &index, &part, &parts));
  assert_int_equal(queue_part_count(0), 1);
  assert_int_equal(queue_part_count(QUEUE_PART), 1);
  assert_int_equal(queue_part_count(QUEUE_PART + 1), 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(job_comes_back), cmocka_unit_test(wrong_jobs_are_refused),
      cmocka_unit_test(chunk_comes_back), cmocka_unit_test(notes_hold_no_control_characters),
      cmocka_unit_test(parts_are_counted)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
