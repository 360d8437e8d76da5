// SPDX-License-Identifier: Apache-2.0
// Recordings of sessions: any bytes as an MCAP file, what its messages say as a session, and its
// steps taken by a small world.
#include <heft/heft.h>
#include <heft/io.h>
#include <stdlib.h>
#include <string.h>

#include "../../apps/heft/mcap_read.h"
#include "../../apps/heft/session_read.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

enum { STEPS_MAX = 8 };

static const char scene[] =
    "<mujoco><option timestep='0.002'/><worldbody><geom type='plane' size='0 0 1'/>"
    "<body pos='0 0 0.05'><freejoint/><geom type='box' size='0.05 0.05 0.05' mass='0.3'/></body>"
    "</worldbody></mujoco>";

typedef struct Life {
  HeftModel* model;
  HeftWorld* world;
  HeftSession* session;
  SessionBits bits;
  int steps;
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

static int message(void* user, const char* topic, uint64_t time, const char* data, size_t size) {
  Life* l = user;
  HeftStepReport report;
  (void)time;
  if (strcmp(topic, "/session") == 0) return begin(l, data, size);
  if (strcmp(topic, "/step") != 0 || !l->session) return 1;
  const long bytes = session_read_bits(&l->bits, data, size);
  if (bytes < 0 || ++l->steps > STEPS_MAX) return 0;
  return heft_session_replay(l->session, l->bits.bytes, (size_t)bytes, &report) != HEFT_ERR_SYNTAX;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Life l = {0};
  const char* what = NULL;
  const HeftLoadDef load = heft_load_def_default();
  if (heft_model_load_bytes(&l.model, scene, sizeof scene - 1, "s.xml", &load, NULL) != HEFT_OK)
    abort();
  if (!mcap_read(data, size, message, &l, &what) && !what[0]) abort();
  heft_session_destroy(l.session);
  heft_world_destroy(l.world);
  heft_model_destroy(l.model);
  free(l.bits.bytes);
  return 0;
}
