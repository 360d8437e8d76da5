// SPDX-License-Identifier: Apache-2.0
// Recordings of sessions and logs of runs: any bytes as an MCAP file. Its messages are read as a
// session, whose steps a small world takes, and as the rows of a run of that world. A compiled
// model has a checksum, so that random bytes would be refused with it.
#include <heft/heft.h>
#include <heft/io.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../../apps/heft/loading.h"
#include "../../apps/heft/mcap_read.h"
#include "../../apps/heft/run_read.h"
#include "../../apps/heft/session_read.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

enum { STEPS_MAX = 8, CONTACTS = 16 };

static const char scene[] =
    "<mujoco><option timestep='0.002'/><worldbody><geom type='plane' size='0 0 1'/>"
    "<body pos='0 0 0.05'><freejoint/><geom type='box' size='0.05 0.05 0.05' mass='0.3'/></body>"
    "</worldbody></mujoco>";

typedef struct Life {
  HeftModel* model;
  HeftWorld* world;
  HeftSession* session;
  SessionBits bits;
} Life;

// With the model that we have, whatever the recording names.
static int begin(Life* l, const char* data, size_t size) {
  static SessionStart start;
  HeftWorldDef def = heft_world_def_default();
  if (l->session || session_read_start(data, size, &start) != NULL) return 0;
  const long bytes = session_read_bits(&l->bits, data, size);
  def.time_step = start.time_step;
  if (bytes < 0 || heft_world_create(&l->world, l->model, &def, NULL) != HEFT_OK ||
      heft_session_create(&l->session, l->world, start.probes, start.probe, NULL, NULL) != HEFT_OK)
    return 0;
  return heft_session_restore(l->session, l->bits.bytes, (size_t)bytes) == HEFT_OK;
}

// Changes of the world: parameters stay, objects are made and destroyed.
static void apply_changes(Life* l, McapReader* file) {
  const int changes = mcap_reader_channel(file, "/change");
  const char* what = "";
  McapMessage m;
  HeftChange change;
  long step = 0;
  for (long i = 0; i < mcap_reader_count(file, changes) && i < STEPS_MAX; ++i) {
    HeftModel* changed = NULL;
    if (!mcap_reader_message(file, changes, i, &m, &what) ||
        session_read_change(m.data, m.size, &change, &step) != NULL)
      return;
    if (heft_change_is_object(change.kind)) {
      heft_model_apply_change(&changed, l->model, &change, NULL, NULL);
    } else {
      heft_world_apply_change(l->world, &change, NULL);
    }
    heft_model_destroy(changed);
  }
}

// A session and its first steps.
static void replay(Life* l, McapReader* file) {
  HeftStepReport report;
  McapMessage m;
  const char* what = "";
  const int start = mcap_reader_channel(file, "/session"),
            steps = mcap_reader_channel(file, "/step");
  if (mcap_reader_count(file, start) == 0 || !mcap_reader_message(file, start, 0, &m, &what) ||
      !begin(l, m.data, m.size))
    return;
  apply_changes(l, file);
  for (long i = 0; i < mcap_reader_count(file, steps) && i < STEPS_MAX; ++i) {
    if (!mcap_reader_message(file, steps, i, &m, &what)) return;
    const long bytes = session_read_bits(&l->bits, m.data, m.size);
    if (bytes < 0 ||
        heft_session_replay(l->session, l->bits.bytes, (size_t)bytes, &report) == HEFT_ERR_SYNTAX)
      return;
  }
}

static double* numbers(int count) {
  double* x = calloc((size_t)count + 1, sizeof *x);
  if (!x) abort();
  return x;
}

// The first and the last rows of a run.
static void show(const RunRead* log) {
  const HeftModel* m = run_read_model(log);
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
}

// Options of loading in a session: what is accepted is in range.
static void read_loading(const char* data, size_t size) {
  static Loading l;
  if (loading_read(&l, (JsonSpan){data, data + size}) != NULL) return;
  if (l.servos < 0 || l.servos > HEFT_URDF_SERVOS_BY_GAINS || !(l.gains[0] >= 0 && l.gains[1] >= 0))
    __builtin_trap();
  for (int i = 0; i < l.exclude_count; ++i)
    if ((size_t)l.exclude[i][1] >= l.text_used) __builtin_trap();
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  read_loading((const char*)data, size);
  Life l = {0};
  const char* what = "";
  const HeftLoadDef load = heft_load_def_default();
  FILE* bytes = size > 0 ? fmemopen((void*)data, size, "rb") : NULL;
  if (!bytes) return 0;
  if (heft_model_load_bytes(&l.model, scene, sizeof scene - 1, "s.xml", &load, NULL) != HEFT_OK)
    abort();
  McapReader* file = mcap_reader_open(bytes, &what);
  if (!file && !what[0]) abort();
  if (file) replay(&l, file);
  mcap_reader_close(file);
  HeftError error = {0};
  bytes = fmemopen((void*)data, size, "rb");
  heft_session_destroy(l.session);
  heft_world_destroy(l.world);
  if (!bytes) abort();
  RunRead* log = run_read_open(bytes, l.model, &error);  // takes the model
  if (!log && !error.message[0]) abort();
  if (log) show(log);
  run_read_close(log);
  // With the model that it says to contain.
  bytes = fmemopen((void*)data, size, "rb");
  if (!bytes) abort();
  log = run_read_open(bytes, NULL, &error);
  if (log) show(log);
  run_read_close(log);
  free(l.bits.bytes);
  return 0;
}
