// SPDX-License-Identifier: Apache-2.0
// What comes out of a queue: jobs, chunks, notes and subjects. They are refused with a reason, or
// all that they say is in range and can be written and read again.
#include <stdlib.h>
#include <string.h>

#include "fuzz/fuzz.h"
#include "queue/message.h"

static void check(HeftStatus status, const HeftError* error) {
  if (status != HEFT_OK && !error->message[0]) __builtin_trap();
}

static void read_job(const uint8_t* data, size_t size) {
  QueueJob job, again;
  HeftError error = {0};
  char text[QUEUE_TEXT_MAX];
  const HeftStatus status = queue_job_read(&job, data, size, &error);
  check(status, &error);
  if (status != HEFT_OK) return;
  if (job.chunks < 1 || job.file_count < 0 || job.file_count > QUEUE_FILES_MAX) __builtin_trap();
  for (int i = 0; i < job.file_count; ++i)
    if (!queue_file_allowed(job.file[i]) || strstr(job.file[i], "..") == job.file[i] ||
        job.file_size[i] > QUEUE_FILE_MAX)
      __builtin_trap();
  const size_t written = queue_job_write(&job, text, sizeof text);
  if (queue_job_read(&again, text, written, &error) != HEFT_OK) __builtin_trap();
  if (strcmp(again.sweep, job.sweep) != 0 || again.chunks != job.chunks) __builtin_trap();
}

static void read_chunk(const uint8_t* data, size_t size) {
  QueueChunk chunk, again;
  HeftError error = {0};
  char text[256];
  const HeftStatus status = queue_chunk_read(&chunk, data, size, &error);
  check(status, &error);
  if (status != HEFT_OK) return;
  const size_t written = queue_chunk_write(&chunk, text, sizeof text);
  if (queue_chunk_read(&again, text, written, &error) != HEFT_OK || again.chunk != chunk.chunk ||
      strcmp(again.sweep, chunk.sweep) != 0 || again.present != chunk.present)
    __builtin_trap();
}

static void read_note(const uint8_t* data, size_t size) {
  QueueNote note, again;
  HeftError error = {0};
  char text[QUEUE_TEXT_MAX];
  const HeftStatus status = queue_note_read(&note, data, size, &error);
  check(status, &error);
  if (status != HEFT_OK) return;
  for (const char* at = note.text; *at; ++at)
    if ((unsigned char)*at < 32 || *at == 127) __builtin_trap();
  const size_t written = queue_note_write(&note, text, sizeof text);
  if (queue_note_read(&again, text, written, &error) != HEFT_OK || again.chunk != note.chunk ||
      strcmp(again.text, note.text) != 0)
    __builtin_trap();
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  int64_t index, part, parts;
  char* text = malloc(size + 1);
  read_job(data, size);
  read_chunk(data, size);
  read_note(data, size);
  memcpy(text, data, size);
  text[size] = '\0';
  if (queue_part_read(text, &index, &part, &parts) &&
      (index < 0 || part < 0 || part >= parts || parts > (int64_t)1e15))
    __builtin_trap();
  char hash[QUEUE_RESULT_HASH + 1];
  if (queue_result_read(text, hash, &index, &part, &parts) &&
      (strlen(hash) != QUEUE_RESULT_HASH || index < 0 || part >= parts))
    __builtin_trap();
  free(text);
  return 0;
}
