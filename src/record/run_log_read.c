// SPDX-License-Identifier: Apache-2.0
// Reading a log of a run: messages of a channel as they are in the file. The reader of MCAP checks
// every length; what is in a message is the caller's to check.
#include <heft/run_log.h>
#include <stdio.h>
#include <string.h>
#include "record/mcap.h"

#include "base/allocator.h"
#include "base/assert.h"
#include "base/error.h"

static HeftStatus fail(HeftError* error, const char* path, HeftStatus status, const char* text) {
  heft_error_set(error, status, "%s", text);
  if (error) snprintf(error->file, sizeof error->file, "%.200s", path);
  return status;
}

// The reason of the reader: memory, or something in the file.
static HeftStatus damaged(HeftError* error, const char* path, const char* place, const char* what) {
  char text[200];
  snprintf(text, sizeof text, "%.80s: %.100s", place, what);
  return fail(error, path,
              strcmp(what, HEFT_MCAP_NO_MEMORY) == 0 ? HEFT_ERR_MEMORY : HEFT_ERR_SYNTAX, text);
}

static HeftStatus read_model(HeftMcapReader* reader, const char* path, HeftRunLogMessage* message,
                             void* user, HeftError* error) {
  const char* what = "";
  const HeftAllocator allocator = heft_allocator_default();
  HeftBytes bytes = {.allocator = &allocator};
  const int found = heft_mcap_reader_attachment(reader, HEFT_MCAP_MODEL, &bytes, &what);
  if (found) message(user, 0, (const char*)bytes.bytes, bytes.size);
  heft_bytes_free(&bytes);
  return found ? HEFT_OK : damaged(error, path, HEFT_MCAP_MODEL, what);
}

static HeftStatus read_channel(HeftMcapReader* reader, const char* path, const char* name,
                               HeftRunLogMessage* message, void* user, HeftError* error) {
  const int channel = heft_mcap_reader_channel(reader, name);
  const long count = heft_mcap_reader_count(reader, channel);
  for (long i = 0; i < count; ++i) {
    HeftMcapMessage m;
    const char* what = "";
    if (!heft_mcap_reader_message(reader, channel, i, &m, &what)) {
      char place[100];
      snprintf(place, sizeof place, "%.40s, message %ld of %ld", name, i, count);
      return damaged(error, path, place, what);
    }
    if (!message(user, m.time, m.data, m.size)) break;
  }
  return HEFT_OK;
}

HeftStatus heft_run_log_read(const char* path, const char* channel, HeftRunLogMessage* message,
                             void* user, bool* cut_off, HeftError* error) {
  HEFT_REQUIRE(path && channel && message, HEFT_ERR_ARGUMENT);
  FILE* file = fopen(path, "rb");
  if (!file) return fail(error, path, HEFT_ERR_FILE, "the file cannot be opened");
  const char* what = "";
  HeftMcapReader* reader = heft_mcap_reader_open(file, &what);
  if (!reader) return damaged(error, path, "this is no log", what);
  if (cut_off) *cut_off = heft_mcap_reader_cut_off(reader) != 0;
  HeftStatus status = HEFT_OK;
  if (strcmp(channel, HEFT_MCAP_MODEL) == 0) {
    status = read_model(reader, path, message, user, error);
  } else {
    status = read_channel(reader, path, channel, message, user, error);
  }
  heft_mcap_reader_close(reader);
  return status;
}
