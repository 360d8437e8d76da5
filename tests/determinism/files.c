// SPDX-License-Identifier: Apache-2.0
// Files that go from one machine to another of a different byte order: a compiled model, a moment
// of a simulation, a recording and a log. processors.sh writes them on both machines, compares
// their bytes, and reads those of each on the other one.
// usage: files write FOLDER     writes them
//        files read FOLDER      reads them, goes on from them, and compares all bits
#include <heft/run_log.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "record/mcap.h"
#include "record/session_log.h"

#include "base/hash.h"
#include "scenes/scenes.h"

enum { STEPS_BEFORE = 100, STEPS = 300, EVERY = 50, PATH = 4096 };

static const char* folder;

static void fail(const char* what, const char* why) {
  fprintf(stderr, "files: %s: %s\n", what, why);
  exit(1);
}

static const char* path_of(const char* name) {
  static char path[PATH];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return path;
}

static void write_all(const char* name, const void* bytes, size_t size) {
  FILE* file = fopen(path_of(name), "wb");
  if (!file || fwrite(bytes, 1, size, file) != size || fclose(file) != 0)
    fail(name, "cannot be written");
}

static unsigned char* read_all(const char* name, size_t* size) {
  FILE* file = fopen(path_of(name), "rb");
  if (!file || fseek(file, 0, SEEK_END) != 0) fail(name, "cannot be read");
  *size = (size_t)ftell(file);
  rewind(file);
  unsigned char* bytes = malloc(*size + 1);
  if (!bytes || fread(bytes, 1, *size, file) != *size) fail(name, "cannot be read");
  bytes[*size] = 0;
  fclose(file);
  return bytes;
}

static HeftWorld* make_world(const HeftModel* model) {
  HeftWorld* world = NULL;
  HeftError error = {0};
  if (heft_world_create(&world, model, NULL, &error) != HEFT_OK) fail("world", error.message);
  return world;
}

// ---- writing

static void write_recording(const HeftModel* model, HeftWorld* world, void* moment, size_t size) {
  const HeftSessionInfo info = {.model_path = "humanoid",
                                .model = model,
                                .world = heft_world_def_default(),
                                .time_step = heft_world_time_step(world),
                                .start = moment,
                                .start_size = size};
  HeftSessionLog* record = heft_session_log_open(path_of("record.mcap"), &info);
  HeftRunLog* log = NULL;
  HeftError error = {0};
  if (!record) fail("record.mcap", "cannot be written");
  if (heft_run_log_open(&log, path_of("log.mcap"), model, NULL, &error) != HEFT_OK)
    fail("log.mcap", error.message);
  for (int i = 1; i <= STEPS; ++i) {
    const HeftStepReport report = heft_world_step(world);
    heft_run_log_write(log, world, &report);
    if (i % EVERY == 0) heft_session_log_steps(record, EVERY, heft_world_hash(world));
  }
  if (!heft_session_log_close(record)) fail("record.mcap", "is not complete");
  if (heft_run_log_close(log) != HEFT_OK) fail("log.mcap", "is not complete");
}

static void write_files(void) {
  HeftModel* model = scene_create("humanoid", NULL);
  if (!model) fail("model", "cannot be made");
  const size_t size = heft_model_save_size(model);
  unsigned char* bytes = malloc(size);
  if (!bytes) fail("model.heft", "no memory");
  heft_model_save(model, bytes);
  write_all("model.heft", bytes, size);
  HeftWorld* world = make_world(model);
  for (int i = 0; i < STEPS_BEFORE; ++i) heft_world_step(world);
  const size_t moment_size = heft_world_snapshot_size(world);
  unsigned char* moment = calloc(1, moment_size);
  if (!moment) fail("moment", "no memory");
  heft_world_snapshot(world, moment);
  write_all("moment", moment, moment_size);
  write_recording(model, world, moment, moment_size);
  char text[32];
  snprintf(text, sizeof text, "%016" PRIx64 "\n", heft_world_hash(world));
  write_all("hash", text, strlen(text));
  free(moment);
  free(bytes);
  heft_world_destroy(world);
  heft_model_destroy(model);
}

// ---- reading

// Read and saved again, the model has the same bytes.
static HeftModel* read_model(void) {
  HeftModel* model = NULL;
  HeftError error = {0};
  size_t size;
  unsigned char* bytes = read_all("model.heft", &size);
  if (heft_model_load(&model, bytes, size, NULL, &error) != HEFT_OK)
    fail("model.heft", error.message);
  unsigned char* again = malloc(size);
  if (!again || heft_model_save_size(model) != size) fail("model.heft", "has another size");
  heft_model_save(model, again);
  if (memcmp(bytes, again, size) != 0) fail("model.heft", "has other bytes when saved again");
  free(again);
  free(bytes);
  return model;
}

static void go_on(const HeftModel* model) {
  char text[32];
  size_t size, hash_size;
  unsigned char *moment = read_all("moment", &size), *hash = read_all("hash", &hash_size);
  HeftWorld* world = make_world(model);
  if (heft_world_restore(world, moment, size) != HEFT_OK) fail("moment", "cannot be restored");
  for (int i = 0; i < STEPS; ++i) heft_world_step(world);
  snprintf(text, sizeof text, "%016" PRIx64 "\n", heft_world_hash(world));
  if (strcmp(text, (const char*)hash) != 0) fail("moment", "goes on with other bits");
  heft_world_destroy(world);
  free(hash);
  free(moment);
}

static void replay(void) {
  HeftReplay* r = NULL;
  HeftModel* model = NULL;
  HeftError error = {0};
  HeftStepReport report;
  FILE* file = fopen(path_of("record.mcap"), "rb");
  if (!file) fail("record.mcap", "cannot be read");
  if (heft_replay_open(&r, file, &error) != HEFT_OK ||
      heft_replay_stored_model(r, &model, &error) != HEFT_OK ||
      heft_replay_begin(r, model, NULL, &error) != HEFT_OK)
    fail("record.mcap", error.message);
  while (heft_replay_steps_done(r) < heft_replay_step_count(r))
    if (heft_replay_step(r, &report, &error) != HEFT_OK) fail("record.mcap", error.message);
  if (heft_replay_step_count(r) != STEPS || heft_replay_compared(r) != STEPS / EVERY ||
      heft_replay_different(r) != 0)
    fail("record.mcap", "repeats other steps");
  heft_replay_destroy(r);
}

// The bytes of all messages; their checksums are compared by the reader.
static uint64_t read_log(void) {
  static const char* const topics[] = {"/state",  "/report", "/contacts",
                                       "/joints", "/tf",     "/forces"};
  const char* what = "";
  FILE* file = fopen(path_of("log.mcap"), "rb");
  HeftMcapReader* r = file ? heft_mcap_reader_open(file, &what) : NULL;
  long count = 0;
  uint64_t hash = 0;
  if (!r) fail("log.mcap", what);
  for (size_t t = 0; t < sizeof topics / sizeof *topics; ++t) {
    const int channel = heft_mcap_reader_channel(r, topics[t]);
    for (long i = 0; i < heft_mcap_reader_count(r, channel); ++i, ++count) {
      HeftMcapMessage message;
      if (!heft_mcap_reader_message(r, channel, i, &message, &what)) fail("log.mcap", what);
      hash = heft_hash(message.data, message.size, hash);
    }
  }
  heft_mcap_reader_close(r);
  if (count < STEPS) fail("log.mcap", "has too few messages");
  return hash;
}

int main(int argc, char** argv) {
  if (argc != 3) fail("usage", "files write|read FOLDER");
  folder = argv[2];
  if (strcmp(argv[1], "write") == 0) {
    write_files();
    return 0;
  }
  HeftModel* model = read_model();
  go_on(model);
  replay();
  printf("%016" PRIx64 "\n", read_log());
  heft_model_destroy(model);
  return 0;
}
