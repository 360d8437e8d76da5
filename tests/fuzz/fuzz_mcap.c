// SPDX-License-Identifier: Apache-2.0
// Recordings of sessions and logs of runs: any bytes as an MCAP file. Its messages are read as a
// session, whose steps a small world takes, and as the rows of a run of that world. A compiled
// model has a checksum, so that random bytes would be refused with it.
#include <heft/heft.h>
#include <heft/io.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "record/session_log.h"

#include "../../apps/heft/run_read.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

enum { STEPS_MAX = 8, CONTACTS = 16 };

static const char scene[] =
    "<mujoco><option timestep='0.002'/><worldbody><geom type='plane' size='0 0 1'/>"
    "<body pos='0 0 0.05'><freejoint/><geom type='box' size='0.05 0.05 0.05' mass='0.3'/></body>"
    "</worldbody></mujoco>";

// The model of the scene. It is read once and kept in its compiled form, which loads fast.
static HeftModel* scene_model(void) {
  static void* bytes;
  static size_t size;
  HeftModel* model = NULL;
  if (!bytes) {
    const HeftLoadDef load = heft_load_def_default();
    if (heft_model_load_bytes(&model, scene, sizeof scene - 1, "s.xml", &load, NULL) != HEFT_OK)
      abort();
    size = heft_model_save_size(model);
    bytes = malloc(size);
    if (!bytes) abort();
    heft_model_save(model, bytes);
    heft_model_destroy(model);
  }
  if (heft_model_load(&model, bytes, size, NULL, NULL) != HEFT_OK) abort();
  return model;
}

// A session and its first steps, with the model that it stores and with ours, whatever it names;
// forward, back, and forward again. Runs may be long, so settings that make a step slow are left
// out.
static void replay(const uint8_t* data, size_t size, int stored) {
  HeftModel* model = NULL;
  HeftStepReport report;
  HeftReplay* r = NULL;
  HeftError error = {0};
  FILE* bytes = fmemopen((void*)data, size, "rb");
  if (!bytes) abort();
  const HeftStatus opened = heft_replay_open(&r, bytes, &error);
  if ((opened == HEFT_OK) != (r != NULL) || (!r && !error.message[0])) abort();
  if (r && stored) heft_replay_stored_model(r, &model, &error);
  if (r && !stored) model = scene_model();
  if (r && model && heft_replay_start(r)->world.substeps > 4) {
    heft_model_destroy(model);
    model = NULL;
  }
  if (r && model && heft_replay_begin(r, model, NULL, &error) == HEFT_OK) {
    const long count = heft_replay_step_count(r);
    for (long i = 0; i < count && i < STEPS_MAX; ++i) {
      const HeftStatus status = heft_replay_step(r, &report, &error);
      if (status != HEFT_OK && status != HEFT_ERR_CHECKSUM) break;
      if (heft_replay_steps_done(r) != i + 1) abort();
    }
    const long middle = heft_replay_steps_done(r) / 2;
    if (heft_replay_go(r, middle, NULL, 0, &error) == HEFT_OK &&
        heft_replay_steps_done(r) != middle)
      abort();
  }
  heft_replay_destroy(r);
}

static double* numbers(int count) {
  double* x = calloc((size_t)count + 1, sizeof *x);
  if (!x) abort();
  return x;
}

// The first and the last rows of a run.
static void show(const RunRead* log) {
  HeftError error = {0};
  HeftModel* m = run_read_copy_model(log, &error);
  if (!m) abort();
  const HeftRecording* run = run_read_recording(log);
  HeftViewFrame* f = calloc(1, sizeof *f);
  HeftContact contact[CONTACTS];
  if (!f) abort();
  f->q = numbers(m->nq);
  f->v = numbers(m->nv);
  f->moved = numbers(13 * m->nmoved);
  f->controls = numbers(m->nactuator);
  f->actuator_forces = numbers(m->nactuator);
  f->contact = contact;
  for (long i = 0; i < run->row_count; ++i) {
    if (i == STEPS_MAX && run->row_count > 2 * STEPS_MAX) i = run->row_count - STEPS_MAX;
    if (!run->read(run->user, i, f, CONTACTS)) continue;
    if (f->contact_count > CONTACTS || f->plugin_value_count > HEFT_FRAME_FIELDS) abort();
    for (int k = 0; k < m->nq; ++k)
      if (!isfinite(f->q[k])) abort();
    for (int k = 0; k < f->contact_count; ++k)
      if (contact[k].body_a < 0 || contact[k].body_a >= m->nbody) abort();
  }
  free(f->q);
  free(f->v);
  free(f->moved);
  free(f->controls);
  free(f->actuator_forces);
  free(f);
  heft_model_destroy(m);
}

// Options of loading in a session: what is accepted is in range.
static void read_loading(const char* data, size_t size) {
  static HeftLoading l;
  if (heft_loading_read(&l, (HeftJsonSpan){data, data + size}) != NULL) return;
  if (l.servos < 0 || l.servos > HEFT_URDF_SERVOS_BY_GAINS || !(l.gains[0] >= 0 && l.gains[1] >= 0))
    __builtin_trap();
  for (int i = 0; i < l.exclude_count; ++i)
    if ((size_t)l.exclude[i][1] >= l.text_used) __builtin_trap();
}

static void read_run(const uint8_t* data, size_t size, HeftModel* model) {
  HeftError error = {0};
  FILE* bytes = fmemopen((void*)data, size, "rb");
  if (!bytes) abort();
  RunRead* log = run_read_open(bytes, model, &error);  // takes the model
  if (!log && !error.message[0]) abort();
  if (log) show(log);
  run_read_close(log);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  read_loading((const char*)data, size);
  if (size == 0) return 0;
  replay(data, size, 1);
  read_run(data, size, NULL);  // with the model that it says to contain
  // What is no file of this format is refused in the same way with any model.
  if (size < 8 || memcmp(data, "\x89MCAP0\r\n", 8) != 0) return 0;
  replay(data, size, 0);
  read_run(data, size, scene_model());
  return 0;
}
