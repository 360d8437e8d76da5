// SPDX-License-Identifier: Apache-2.0
// Every request for memory of every function that reads or writes files fails: also those of
// expat, libpng, zstd and the C library.
#include <errno.h>
#include <heft/heft.h>
#include <heft/io.h>
#include <heft/run_log.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "io/bvh.h"
#include "io/c3d.h"
#include "record/bag.h"
#include "record/mcap.h"
#include "record/session_log.h"

#include "faults/starved.h"
#include "support/check.h"
#include "support/scene.h"

static const char text[] =
    "<mujoco><option timestep='0.002'/>"
    "<asset><mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/></asset>"
    "<worldbody><geom type='plane' size='0 0 1'/>"
    "<body name='box' pos='0 0 0.05'><freejoint/><geom type='box' size='0.05 0.05 0.05' mass='1'/>"
    "<body pos='0.1 0 0'><joint name='arm' axis='0 1 0'/><geom size='0.02' mass='0.1'/></body>"
    "</body><body pos='0 0 3'><freejoint/><geom type='mesh' mesh='m'/></body></worldbody>"
    "<actuator><motor name='m' joint='arm'/></actuator></mujoco>";

static const char mjcf[] = "tests/fuzz/corpus/mjcf/everything.xml";
static const char tetrahedra[] =
    "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n"
    "$EndNodes\n$Elements\n1\n1 4 0 1 2 3 4\n$EndElements\n";

static HeftModel* model;
static HeftWorld* world;
static char folder[] = "/tmp/heft_test_starved_XXXXXX";
static char path[6][80];  // of the files below

enum { MSH, XML, URDF, LOG, SESSION, OTHER };

static void write_session(const char* to) {
  HeftWorld* w = scene_world(model);
  const HeftSessionInfo info = {.model_path = "box.xml",
                                .model = model,
                                .world = heft_world_def_default(),
                                .time_step = heft_world_time_step(w)};
  HeftSessionLog* log = heft_session_log_open(to, &info);
  assert_non_null(log);
  const HeftAction action = {.kind = HEFT_ACTION_CHANGE,
                             .change = {.kind = HEFT_CHANGE_FRICTION, .value = 0.5}};
  heft_session_log_action(log, 0, &action);
  assert_int_equal(heft_action_apply(&action, w, &(HeftUserForces){0}, NULL), HEFT_OK);
  for (int i = 0; i < 4; ++i) heft_world_step(w);
  heft_session_log_steps(log, 4, heft_world_hash(w));
  assert_true(heft_session_log_close(log));
  heft_world_destroy(w);
}

static int begin(void** state) {
  (void)state;
  static const char* const names[] = {"a.msh", "a.xml", "a.urdf", "log.mcap", "s.mcap", "t.mcap"};
  if (!mkdtemp(folder)) return 1;
  for (int i = 0; i < 6; ++i) snprintf(path[i], sizeof path[i], "%s/%s", folder, names[i]);
  FILE* file = fopen(path[MSH], "w");
  if (!file || fputs(tetrahedra, file) < 0 || fclose(file) != 0) return 1;
  model = scene_model(text);
  world = scene_world(model);
  write_session(path[SESSION]);
  return 0;
}

static int end(void** state) {
  (void)state;
  char command[120];
  heft_world_destroy(world);
  heft_model_destroy(model);
  snprintf(command, sizeof command, "rm -r '%s'", folder);
  return system(command) != 0;
}

// ---- models

static HeftStatus load_file(const char* from, HeftError* error) {
  HeftStatus status;
  HeftModel* made = model;
  HeftLoadDef def = heft_load_def_default();
  STARVED(status, heft_model_load_file(&made, from, &def, error));
  assert_true((status == HEFT_OK) == (made != NULL));
  heft_model_destroy(made);
  return status;
}

static HeftStatus load_mjcf(HeftError* error) { return load_file("examples/gripper.xml", error); }
static HeftStatus load_textures(HeftError* error) { return load_file("scenes/cup.xml", error); }
static HeftStatus load_meshes(HeftError* error) {
  return load_file("scenes/mesh_rings.xml", error);
}
static HeftStatus load_urdf(HeftError* error) {
  return load_file("scenes/turned_inertia.urdf", error);
}
static HeftStatus load_text(const char* from, HeftError* error) {
  HeftStatus status;
  HeftModel* made = model;
  const HeftLoadDef def = heft_load_def_default();
  STARVED(status, heft_model_load_bytes(&made, from, strlen(from), "a.xml", &def, error));
  assert_true((status == HEFT_OK) == (made != NULL));
  heft_model_destroy(made);
  return status;
}

static HeftStatus load_bytes(HeftError* error) { return load_text(text, error); }

static HeftStatus load_deformable(HeftError* error) {
  return load_text(
      "<mujoco><worldbody><body><flexcomp name='f' type='grid' dim='3' count='3 2 2' "
      "spacing='1 1 1' mass='1' radius='0.01'><elasticity young='1e4'/></flexcomp></body>"
      "</worldbody></mujoco>",
      error);
}

static HeftStatus tetrahedra_file(HeftError* error) {
  HeftStatus status;
  HeftTetrahedra made = {0};
  STARVED(status, heft_tetrahedra_load_file(&made, path[MSH], NULL, error));
  heft_tetrahedra_release(&made, NULL);
  return status;
}

static HeftStatus tetrahedra_bytes(HeftError* error) {
  HeftStatus status;
  HeftTetrahedra made = {0};
  STARVED(status, heft_tetrahedra_load_bytes(&made, tetrahedra, sizeof tetrahedra - 1, "a.msh",
                                             NULL, error));
  heft_tetrahedra_release(&made, NULL);
  return status;
}

static HeftStatus model_overlaps(HeftError* error) {
  (void)error;
  HeftStatus status;
  HeftOverlapCounts counts;
  STARVED(status, heft_model_overlaps(model, -1, 0, NULL, &counts, NULL));
  return status;
}

static HeftStatus bvh_read(HeftError* error) {
  static const char motion[] =
      "HIERARCHY ROOT a { OFFSET 0 0 0 CHANNELS 1 Xrotation End Site { OFFSET 0 0 1 } } MOTION "
      "Frames: 2 Frame Time: 1 3 4";
  HeftC3d made;
  HeftStatus status;
  STARVED(status, heft_bvh_read(&made, motion, sizeof motion - 1, "a.bvh", heft_allocator_default(),
                                error));
  heft_c3d_release(&made);
  return status;
}

static HeftStatus c3d_read(HeftError* error) {
  HeftStatus status;
  HeftC3d made;
  char bytes[4096];
  FILE* file = fopen("tests/fuzz/corpus/c3d/dec_3", "rb");
  assert_non_null(file);
  const size_t size = fread(bytes, 1, sizeof bytes, file);
  fclose(file);
  STARVED(status, heft_c3d_read(&made, bytes, size, "dec_3", heft_allocator_default(), error));
  heft_c3d_release(&made);
  return status;
}

static HeftStatus file_read(HeftError* error) {
  HeftStatus status;
  void* bytes = NULL;
  size_t size = 0;
  const HeftAllocator a = heft_allocator_default();
  STARVED(status, heft_file_read(&bytes, &size, mjcf, 1 << 20, &a, error));
  if (bytes) a.release(a.user, bytes, size + 1);
  return status;
}

static HeftStatus take(void* user, const char* name, const void* bytes, size_t size,
                       HeftError* error) {
  (void)user, (void)name, (void)bytes, (void)size, (void)error;
  return HEFT_OK;
}

static HeftStatus write_mjcf(HeftError* error) {
  HeftStatus status;
  HeftWriteDef def = heft_write_def_default();
  def.put = take;
  return STARVED(status, heft_model_write_mjcf(model, &def, error));
}

static HeftStatus write_urdf(HeftError* error) {
  HeftStatus status;
  HeftWriteDef def = heft_write_def_default();
  def.put = take;
  return STARVED(status, heft_model_write_urdf(model, &def, error));
}

static HeftStatus write_file(HeftError* error) {
  HeftStatus status;
  return STARVED(status, heft_model_write_file(model, path[XML], NULL, NULL, error));
}

// ---- MCAP

static HeftStatus json_text(HeftError* error) {
  HeftStatus status;
  (void)error;
  const HeftAllocator allocator = heft_allocator_default();
  HeftJsonText t = heft_json_text_make(&allocator);
  starved_begin();
  for (int i = 0; i < 1000; ++i) heft_json_text_number(&t, i);
  status = *heft_json_text_string(&t) && !t.text.failed ? HEFT_OK : HEFT_ERR_MEMORY;
  starved_end(status);
  heft_json_text_free(&t);
  return status;
}

static HeftStatus mcap(HeftError* error) {
  HeftStatus status = HEFT_ERR_MEMORY;
  (void)error;
  starved_begin();
  HeftMcap* m = heft_mcap_open(path[OTHER], HEFT_MCAP_JSON, "test", NULL);
  if (m) {
    const int channel = heft_mcap_channel(m, "/a", "a", "{}");
    for (uint64_t i = 0; i < 3; ++i) heft_mcap_message(m, channel, i * 1000000000u, "{}", 2);
    heft_mcap_attachment(m, "b", "text/plain", "hello", 5);
    status = heft_mcap_close(m) ? HEFT_OK : HEFT_ERR_FILE;
  }
  return starved_end(status);
}

static HeftStatus mcap_reader(HeftError* error) {
  HeftStatus status = HEFT_ERR_MEMORY;
  const char* what = NULL;
  FILE* file = fopen(path[SESSION], "rb");
  assert_non_null(file);
  starved_begin();
  HeftMcapReader* r = heft_mcap_reader_open(file, &what);
  if (r) status = HEFT_OK;
  starved_end(status);
  snprintf(error->message, sizeof error->message, "%s", what ? what : "");
  heft_mcap_reader_close(r);
  return status;
}

static HeftStatus bag(HeftError* error) {
  HeftStatus status;
  HeftBag* made = NULL;
  STARVED(status, heft_bag_open(&made, path[OTHER], model, error));
  if (status != HEFT_OK) return status;
  starved_begin();
  heft_bag_write(made, world);
  starved_end(HEFT_OK);
  const HeftStatus closed = heft_bag_close(made);
  if (closed != HEFT_OK) snprintf(error->message, sizeof error->message, "the bag is cut");
  return closed == HEFT_OK ? HEFT_OK : HEFT_ERR_MEMORY;
}

static HeftStatus run_log(HeftError* error) {
  HeftStatus status;
  HeftRunLog* made = NULL;
  HeftRunLogDef def = heft_run_log_def_default();
  STARVED(status, heft_run_log_open(&made, path[LOG], model, &def, error));
  if (status != HEFT_OK) return status;
  STARVED(status, heft_run_log_write(made, world, NULL));
  const HeftStatus written = status;
  STARVED(status, heft_run_log_close(made));
  assert_true(written == HEFT_OK || status != HEFT_OK);  // it says so, too
  if (status != HEFT_OK) snprintf(error->message, sizeof error->message, "the log is cut");
  return status;
}

static bool any_message(void* user, uint64_t time, const char* data, size_t size) {
  (void)user;
  (void)time;
  (void)data;
  return size > 0;
}

// Reads what run_log() wrote: the row before this one ends with an attempt that succeeds.
static HeftStatus run_log_read(HeftError* error) {
  HeftStatus status;
  STARVED(status, heft_run_log_read(path[LOG], "/state", any_message, NULL, NULL, error));
  return status;
}

// ---- sessions

static HeftStatus session_log(HeftError* error) {
  (void)error;
  const HeftSessionInfo info = {.model_path = "box.xml",
                                .model = model,
                                .world = heft_world_def_default(),
                                .time_step = heft_world_time_step(world)};
  starved_begin();
  HeftSessionLog* log = heft_session_log_open(path[OTHER], &info);
  if (log) heft_session_log_steps(log, 1, 2);
  const int well = log && heft_session_log_close(log);
  return starved_end(well ? HEFT_OK : HEFT_ERR_MEMORY);
}

static HeftStatus action(HeftError* error) {
  HeftStatus status;
  HeftWorld* w = scene_world(model);
  const HeftAction change = {.kind = HEFT_ACTION_CHANGE,
                             .change = {.kind = HEFT_CHANGE_FRICTION, .value = 0.5}};
  STARVED(status, heft_action_apply(&change, w, &(HeftUserForces){0}, error));
  heft_world_destroy(w);
  return status;
}

typedef enum Moment { OPEN, STORED, BEGIN, ACTION, STEP, GO } Moment;

// A replay, in which requests fail at one moment.
static HeftStatus replay_to(Moment moment, HeftError* error) {
  HeftStatus status;
  HeftReplay* r = NULL;
  HeftModel* stored = NULL;
  HeftStepReport report;
  HeftAction done;
  long step;
  FILE* file = fopen(path[SESSION], "rb");
  assert_non_null(file);
#define AT(which, call) \
  (status == HEFT_OK ? (moment == (which) ? STARVED(status, call) : (status = (call))) : status)
  status = HEFT_OK;
  AT(OPEN, heft_replay_open(&r, file, error));
  AT(STORED, heft_replay_stored_model(r, &stored, error));
  AT(BEGIN, heft_replay_begin(r, stored, NULL, error));
  AT(ACTION, heft_replay_action(r, 0, &done, &step, error));
  AT(STEP, heft_replay_step(r, &report, error));
  AT(GO, heft_replay_go(r, 0, NULL, 0, error));
#undef AT
  heft_replay_destroy(r);
  return status;
}

static HeftStatus replay_load(HeftError* error) {
  HeftStatus status;
  HeftReplay* r = NULL;
  STARVED(status, heft_replay_load(&r, path[SESSION], NULL, NULL, error));
  heft_replay_destroy(r);
  return status;
}

static HeftStatus replay_open(HeftError* error) { return replay_to(OPEN, error); }
static HeftStatus replay_stored(HeftError* error) { return replay_to(STORED, error); }
static HeftStatus replay_begin(HeftError* error) { return replay_to(BEGIN, error); }
static HeftStatus replay_action(HeftError* error) { return replay_to(ACTION, error); }
static HeftStatus replay_step(HeftError* error) { return replay_to(STEP, error); }
static HeftStatus replay_go(HeftError* error) { return replay_to(GO, error); }

static void memory_may_run_out(void** state) {
  (void)state;
  static const StarvedRow all[] = {
      STARVED_ROW(heft_model_load_file, load_mjcf, 0),
      STARVED_ROW(heft_model_load_file, load_textures, 0),
      STARVED_ROW(heft_model_load_file, load_meshes, STARVED_LEAK),
      STARVED_ROW(heft_model_load_file, load_urdf, 0),
      STARVED_ROW(heft_model_load_bytes, load_bytes, STARVED_LEAK),
      STARVED_ROW(heft_model_load_bytes, load_deformable, 0),
      STARVED_ROW(heft_tetrahedra_load_file, tetrahedra_file, 0),
      STARVED_ROW(heft_tetrahedra_load_bytes, tetrahedra_bytes, 0),
      STARVED_ROW(heft_model_overlaps, model_overlaps, STARVED_SILENT),
      STARVED_ROW(heft_file_read, file_read, 0),
      STARVED_ROW(heft_bvh_read, bvh_read, 0),
      STARVED_ROW(heft_c3d_read, c3d_read, 0),
      STARVED_ROW(heft_model_write_mjcf, write_mjcf, 0),
      STARVED_ROW(heft_model_write_urdf, write_urdf, 0),
      STARVED_ROW(heft_model_write_file, write_file, 0),
      STARVED_ROW(heft_json_text_make, json_text, STARVED_SILENT),
      STARVED_ROW(heft_mcap_open, mcap, STARVED_SILENT),
      STARVED_ROW(heft_mcap_reader_open, mcap_reader, 0),
      STARVED_ROW(heft_bag_open, bag, 0),
      STARVED_ROW(heft_run_log_open, run_log, 0),
      STARVED_ROW(heft_run_log_read, run_log_read, 0),
      STARVED_ROW(heft_session_log_open, session_log, STARVED_SILENT),
      STARVED_ROW(heft_action_apply, action, 0),
      STARVED_ROW(heft_replay_load, replay_load, 0),
      STARVED_ROW(heft_replay_open, replay_open, 0),
      STARVED_ROW(heft_replay_stored_model, replay_stored, 0),
      STARVED_ROW(heft_replay_begin, replay_begin, 0),
      STARVED_ROW(heft_replay_action, replay_action, 0),
      STARVED_ROW(heft_replay_step, replay_step, 0),
      STARVED_ROW(heft_replay_go, replay_go, 0),
  };
  starved_rows(all, (int)(sizeof all / sizeof *all));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(memory_may_run_out)};
  return cmocka_run_group_tests(tests, begin, end);
}
