// SPDX-License-Identifier: Apache-2.0
// Threads that compute chunks: the same results for any number of them, after a stop, and if two
// engines work in one folder. ThreadSanitizer runs this test.
#include "sweep/engine.h"

#include <heft/io.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/check.h"
#include "sweep/quarantine.h"
#include "sweep/results.h"

static const char scene[] =
    "<mujoco><worldbody><geom name='floor' type='plane' size='0 0 1' friction='0.5'/>"
    "<body name='block' pos='0 0 0.1'><freejoint name='block'/>"
    "<geom type='box' size='0.1 0.1 0.1' mass='1'/></body></worldbody></mujoco>";
static const char text[] =
    "model = 'm'\nduration = 0.04\nruns = 64\nchunk = 4\n"
    "[[vary]]\nname = 'v'\nwhat = 'v'\nof = 'block'\nmin = 0\nmax = 3\n"
    "[[event]]\nname = 'far'\nwhen = 'above'\nwhat = 'body_x'\nof = 'block'\nvalue = 0.05\n";
enum { CHUNKS = 16 };

typedef struct Bench {
  HeftModel* model;
  Plan* plan;
  Sweep* sweep;
  char folder[64];
  int64_t chunks[CHUNKS];
} Bench;

static int open_bench(void** state) {
  HeftError error = {0};
  Bench* b = calloc(1, sizeof *b);
  FILE* file;
  if (!b) return 1;
  *state = b;
  snprintf(b->folder, sizeof b->folder, "/tmp/heft-engine-test-XXXXXX");
  if (!mkdtemp(b->folder)) return 1;
  char path[100];
  snprintf(path, sizeof path, "%s/source.toml", b->folder);
  file = fopen(path, "w");
  if (!file) return 1;
  fputs(text, file);
  fclose(file);
  for (int i = 0; i < CHUNKS; ++i) b->chunks[i] = i;
  if (heft_model_load_bytes(&b->model, scene, strlen(scene), "scene", NULL, &error) != HEFT_OK ||
      plan_read_bytes(&b->plan, text, strlen(text), path, 0, &error) != HEFT_OK ||
      sweep_create(&b->sweep, b->plan, b->model, &error) != HEFT_OK) {
    print_error("%s\n", error.message);
    return 1;
  }
  return 0;
}

static int close_bench(void** state) {
  Bench* b = *state;
  char command[100];
  snprintf(command, sizeof command, "rm -r %s", b->folder);
  const int code = system(command);
  sweep_destroy(b->sweep);
  plan_destroy(b->plan);
  heft_model_destroy(b->model);
  free(b);
  return code;
}

static void open_folder(const Bench* b, const char* name, char* out, size_t size) {
  HeftError error = {0};
  snprintf(out, size, "%s/%s", b->folder, name);
  if (results_open(out, b->sweep, &error) != HEFT_OK) fail_msg("%s", error.message);
}

static void hash_folder(const Bench* b, const char* folder, char out[65]) {
  HeftError error = {0};
  if (results_hash(folder, b->sweep, out, &error) != HEFT_OK) fail_msg("%s", error.message);
}

static void test_workers(void** state) {
  const Bench* b = *state;
  static const int workers[] = {1, 2, 4};
  char hash[3][65], folder[100], name[16];
  SweepTally tally[3];
  for (int i = 0; i < 3; ++i) {
    HeftError error = {0};
    snprintf(name, sizeof name, "workers%d", workers[i]);
    open_folder(b, name, folder, sizeof folder);
    const SweepJob job = {b->sweep, folder, b->chunks, CHUNKS, workers[i], 1, 0};
    assert_int_equal(sweep_engine_run(&job, &tally[i], &error), HEFT_OK);
    hash_folder(b, folder, hash[i]);
    assert_string_equal(hash[i], hash[0]);
    assert_int_equal(tally[i].runs, 64);
    assert_int_equal(tally[i].status[SWEEP_DONE], 64);
    assert_true(tally[i].event[0] > 0 && tally[i].event[0] == tally[0].event[0]);
    assert_true(tally[i].steps == tally[0].steps);
  }
}

static void* press_stop(void* argument) {
  const char* folder = argument;
  while (!results_has(folder, 0)) sched_yield();
  kill(getpid(), SIGINT);
  return NULL;
}

// Ctrl-C from elsewhere while threads compute. What is stored is whole.
static void test_stop(void** state) {
  const Bench* b = *state;
  enum { REPEATED = 4096 };
  int64_t chunks[REPEATED];
  char folder[100];
  HeftError error = {0};
  SweepTally tally;
  pthread_t thread;
  for (int i = 0; i < REPEATED; ++i) chunks[i] = i % CHUNKS;
  open_folder(b, "stop", folder, sizeof folder);
  assert_int_equal(pthread_create(&thread, NULL, press_stop, folder), 0);
  const SweepJob job = {b->sweep, folder, chunks, REPEATED, 3, 1, 0};
  assert_int_equal(sweep_engine_run(&job, &tally, &error), HEFT_ERR_STOPPED);
  pthread_join(thread, NULL);
  assert_true(tally.chunks >= 1 && tally.chunks < REPEATED);
  for (int64_t k = 0; k < CHUNKS; ++k) {
    Hdf5File f;
    if (!results_has(folder, k)) continue;
    assert_int_equal(results_read(folder, b->sweep, k, &f, &error), HEFT_OK);
    hdf5_release(&f);
  }
}

// A stored chunk has other bytes: the engine ends, tells it, and takes neither.
static void test_different(void** state) {
  const Bench* b = *state;
  char folder[100];
  HeftError error = {0};
  SweepTally tally;
  Hdf5File f;
  open_folder(b, "different", folder, sizeof folder);
  const SweepJob one = {b->sweep, folder, b->chunks + 5, 1, 1, 1, 0};
  assert_int_equal(sweep_engine_run(&one, &tally, &error), HEFT_OK);
  assert_int_equal(results_read(folder, b->sweep, 5, &f, &error), HEFT_OK);
  char path[200];
  results_path(folder, 5, path, sizeof path);
  const SweepJob job = {b->sweep, folder, b->chunks, CHUNKS, 2, 1, 0};
  f.bytes[f.size - HDF5_SEAL - 3] ^= 1;
  assert_int_equal(results_write_file(path, f.bytes, f.size, &error), HEFT_OK);
  assert_int_equal(sweep_engine_run(&job, &tally, &error), HEFT_OK);  // damaged: no other result
  hdf5_seal(&f);
  assert_int_equal(results_write_file(path, f.bytes, f.size, &error), HEFT_OK);
  hdf5_release(&f);
  assert_int_equal(sweep_engine_run(&job, &tally, &error), HEFT_ERR_VALUE);
  assert_non_null(strstr(error.message, "different bytes"));
  assert_false(results_has(folder, 5));
  assert_true(quarantine_disputed(folder, 5));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_workers), cmocka_unit_test(test_stop),
                                     cmocka_unit_test(test_different)};
  return cmocka_run_group_tests(tests, open_bench, close_bench);
}
