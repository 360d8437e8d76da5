// SPDX-License-Identifier: Apache-2.0
// Sessions of actions: written, repeated with the same bits from any moment, and refused where they
// are wrong.
#include <heft/heft.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "record/session_log.h"

#include "support/check.h"
#include "support/scene.h"

static const char scene[] =
    "<mujoco><option timestep='0.002'/><worldbody><geom type='plane' size='0 0 1'/>"
    "<body name='box' pos='0 0 0.05'><freejoint/><geom type='box' size='0.05 0.05 0.05' mass='1'/>"
    "<body pos='0.1 0 0'><joint name='arm' axis='0 1 0'/><geom size='0.02' mass='0.1'/></body>"
    "</body></worldbody><actuator><motor name='m' joint='arm'/></actuator></mujoco>";

enum { STEPS = 300, EVERY = 100, ACTIONS = 8 };

static char path[100];
static HeftModel* model;

static int begin(void** state) {
  (void)state;
  model = scene_model(scene);
  snprintf(path, sizeof path, "/tmp/heft_test_session_log_%d.mcap", (int)getpid());
  return 0;
}

static int end(void** state) {
  (void)state;
  heft_model_destroy(model);
  unlink(path);
  return 0;
}

typedef struct Timed {
  long step;
  HeftAction action;
} Timed;

static const Timed actions[ACTIONS] = {
    {10, {.kind = HEFT_ACTION_CONTROL, .index = 0, .value = 0.02}},
    {50,
     {.kind = HEFT_ACTION_PULL,
      .index = 1,
      .slot = 3,
      .at = {0.05, 0, 0},
      .target = {0.3, 0.1, 0.4},
      .stiffness = 200,
      .damping = 5}},
    {120, {.kind = HEFT_ACTION_FORCE, .index = 1, .at = {0.1, 0, 0.1}, .force = {0, 300, 0}}},
    {150, {.kind = HEFT_ACTION_CHANGE, .change = {.kind = HEFT_CHANGE_GRAVITY, .value = 0.5}}},
    {155, {.kind = HEFT_ACTION_TRACK, .slot = 13, .target = {0.1, -0.2, 1.5}}},
    {160, {.kind = HEFT_ACTION_RELEASE, .slot = 3}},
    {170, {.kind = HEFT_ACTION_JOINT_FORCE, .index = 6, .value = -0.01}},
    {210, {.kind = HEFT_ACTION_CONTROL, .index = 0, .value = -0.02}}};

// Plays the actions and writes the session. Returns the last hash.
static uint64_t record(const HeftWorldDef* def, int from_snapshot) {
  HeftUserForces forces = {0};
  HeftWorld* world = NULL;
  unsigned char snapshot[8192];
  assert_int_equal(heft_world_create(&world, model, def, NULL), HEFT_OK);
  if (from_snapshot) {
    for (int i = 0; i < 20; ++i) heft_world_step(world);
    assert_true(heft_world_snapshot_size(world) <= sizeof snapshot);
    heft_world_snapshot(world, snapshot);
  }
  const HeftSessionInfo info = {.model_path = "box.xml",
                                .model = model,
                                .world = *def,
                                .time_step = heft_world_time_step(world),
                                .start = from_snapshot ? snapshot : NULL,
                                .start_size = heft_world_snapshot_size(world)};
  HeftSessionLog* log = heft_session_log_open(path, &info);
  assert_non_null(log);
  int next = 0;
  for (long i = 0; i < STEPS; ++i) {
    for (; next < ACTIONS && actions[next].step == i; ++next) {
      heft_session_log_action(log, i, &actions[next].action);
      assert_int_equal(heft_action_apply(&actions[next].action, world, &forces, NULL), HEFT_OK);
    }
    heft_user_forces_apply(&forces, world);
    heft_world_step(world);
    if ((i + 1) % EVERY == 0) heft_session_log_steps(log, EVERY, heft_world_hash(world));
  }
  const uint64_t hash = heft_world_hash(world);
  heft_world_destroy(world);
  assert_true(heft_session_log_close(log));
  return hash;
}

static HeftReplay* open_replay(void) {
  HeftReplay* r = NULL;
  HeftModel* stored = NULL;
  HeftError error = {0};
  FILE* file = fopen(path, "rb");
  assert_non_null(file);
  if (heft_replay_open(&r, file, &error) != HEFT_OK ||
      heft_replay_stored_model(r, &stored, &error) != HEFT_OK ||
      heft_replay_begin(r, stored, NULL, &error) != HEFT_OK)
    fail_msg("%s", error.message);
  return r;
}

static void step_to(HeftReplay* r, long step) {
  HeftStepReport report;
  HeftError error = {0};
  while (heft_replay_steps_done(r) < step)
    if (heft_replay_step(r, &report, &error) != HEFT_OK) fail_msg("%s", error.message);
}

static void the_same_bits_from_any_moment(void** state) {
  (void)state;
  unsigned char moment[8192];
  HeftStepReport report;
  HeftError error = {0};
  for (int from_snapshot = 0; from_snapshot < 2; ++from_snapshot) {
    HeftWorldDef def = heft_world_def_default();
    def.tolerance = 1e-8;
    def.substeps = 2;
    const uint64_t hash = record(&def, from_snapshot);
    HeftReplay* r = open_replay();
    assert_int_equal(heft_replay_step_count(r), STEPS);
    assert_int_equal(heft_replay_action_count(r), ACTIONS);
    assert_int_equal(heft_replay_start(r)->world.substeps, 2);
    step_to(r, 130);
    const size_t size = heft_session_snapshot_size(heft_replay_session(r));
    assert_true(size <= sizeof moment);
    heft_session_snapshot(heft_replay_session(r), moment);
    step_to(r, STEPS);
    assert_true(heft_world_hash(heft_replay_world(r)) == hash);
    assert_int_equal(heft_replay_compared(r), STEPS / EVERY);
    assert_int_equal(heft_replay_step(r, &report, &error), HEFT_ERR_ARGUMENT);
    // Back to a moment within a pull and before a parameter was changed, by a snapshot and without.
    for (int by_steps = 0; by_steps < 2; ++by_steps) {
      assert_int_equal(heft_replay_go(r, 130, by_steps ? NULL : moment, size, &error), HEFT_OK);
      step_to(r, STEPS);
      assert_true(heft_world_hash(heft_replay_world(r)) == hash);
      assert_int_equal(heft_replay_different(r), 0);
    }
    heft_replay_destroy(r);
  }
}

static void wrong_actions_change_nothing(void** state) {
  (void)state;
  HeftWorld* world = scene_world(model);
  HeftUserForces forces = {0};
  const HeftUserForces none = {0};
  const uint64_t hash = heft_world_hash(world);
  const HeftAction wrong[] = {
      {.kind = HEFT_ACTION_CONTROL, .index = 1, .value = 1},
      {.kind = HEFT_ACTION_CONTROL, .index = -1, .value = 1},
      {.kind = HEFT_ACTION_CONTROL, .index = 0, .value = NAN},
      {.kind = HEFT_ACTION_JOINT_FORCE, .index = 7, .value = 1},
      {.kind = HEFT_ACTION_PULL, .index = 3},
      {.kind = HEFT_ACTION_PULL, .index = 1, .slot = HEFT_ACTION_SLOTS},
      {.kind = HEFT_ACTION_PULL, .index = 1, .slot = -1},
      {.kind = HEFT_ACTION_PULL, .index = 1, .stiffness = -1},
      {.kind = HEFT_ACTION_PULL, .index = 1, .target = {INFINITY, 0, 0}},
      {.kind = HEFT_ACTION_TRACK},
      {.kind = HEFT_ACTION_TRACK, .slot = HEFT_ACTION_SLOTS},
      {.kind = HEFT_ACTION_TRACK, .slot = 1, .target = {0, NAN, 0}},
      {.kind = HEFT_ACTION_RELEASE, .slot = 99},
      {.kind = HEFT_ACTION_FORCE, .index = -1},
      {.kind = HEFT_ACTION_FORCE, .index = 1, .force = {0, NAN, 0}},
      {.kind = HEFT_ACTION_CHANGE, .change = {.kind = HEFT_CHANGE_FRICTION, .index = 9}},
      {.kind = HEFT_ACTION_CHANGE, .change = {.kind = HEFT_CHANGE_BOX, .value = 0.1}},
      {.kind = (HeftActionKind)77}};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    HeftError error = {0};
    if (heft_action_apply(&wrong[i], world, &forces, &error) == HEFT_OK || !error.message[0])
      fail_msg("action %d was taken", (int)i);
  }
  assert_memory_equal(&forces, &none, sizeof none);
  assert_true(heft_world_hash(world) == hash);
  heft_world_destroy(world);
}

// A file whose settings ask for more than a machine should give.
static void settings_are_checked(void** state) {
  (void)state;
  HeftWorldDef def = heft_world_def_default();
  HeftReplay* r = NULL;
  def.contact_capacity = 1 << 20;
  record(&def, 0);
  FILE* file = fopen(path, "rb");
  assert_non_null(file);
  HeftError error = {0};
  assert_int_equal(heft_replay_open(&r, file, &error), HEFT_ERR_SYNTAX);
  assert_null(r);
  assert_non_null(strstr(error.message, "settings"));
}

// ---- hands, plug-ins, parameters and how the model was loaded

enum { TOUCHES = 40, PLUGIN_START = 3, PLUGIN_INPUT = 2 };

static const char* plugin_spec(const void* user, int index, char* text, size_t size) {
  (void)user, (void)index;
  snprintf(text, size, "plug.so:speed=1");
  return text;
}

static size_t plugin_start_size(const void* user) {
  (void)user;
  return PLUGIN_START;
}

static void plugin_start(const void* user, void* bytes) { memcpy(bytes, user, PLUGIN_START); }

// What the plug-in took: its bytes before every other step, nothing before the others.
static size_t plugin_input_size(const void* user) {
  return ((const char*)user)[0] % 2 == 0 ? PLUGIN_INPUT : 0;
}

static void plugin_input(const void* user, void* bytes) {
  memcpy(bytes, (const char*)user + 1, PLUGIN_INPUT);
}

static HeftProbeInput hand_at(int step) {
  // From above onto the box, and along it.
  return (HeftProbeInput){.time_ns = (uint64_t)step * 2000000u,
                          .pos = {0.001 * step, 0, 0.13 - 0.002 * step},
                          .rot = {1, 0, 0, 0},
                          .vel = {0.5, 0, -1},
                          .present = step > 2};
}

// Returns the last hash.
static uint64_t record_touch(void) {
  char plugin[PLUGIN_START] = {0, 7, 9};
  const HeftChange parameter[] = {{.kind = HEFT_CHANGE_GRAVITY, .value = 0.5},
                                  {.kind = HEFT_CHANGE_MASS, .index = 1, .value = 2}};
  const HeftSessionPlugins plugins = {
      plugin, 1, plugin_spec, plugin_start_size, plugin_start, plugin_input_size, plugin_input};
  HeftProbeDef probe = heft_probe_def_default();
  HeftLoading* loading = calloc(1, sizeof *loading);
  HeftWorld* world = scene_world(model);
  HeftSession* session = NULL;
  probe.radius = 0.01;
  probe.point = (HeftVec3){0.01, 0, 0};
  assert_true(loading && heft_loading_exclude(loading, "a", "b"));
  loading->floor = 1;
  for (int i = 0; i < 2; ++i)
    assert_int_equal(heft_world_apply_change(world, &parameter[i], NULL), HEFT_OK);
  assert_int_equal(heft_session_create(&session, world, 1, &probe, NULL, NULL), HEFT_OK);
  const HeftSessionInfo info = {.model_path = "box.xml",
                                .loading = loading,
                                .model = model,
                                .world = heft_world_def_default(),
                                .time_step = heft_world_time_step(world),
                                .session = session,
                                .parameters = parameter,
                                .parameter_count = 2,
                                .plugins = &plugins};
  HeftSessionLog* log = heft_session_log_open(path, &info);
  assert_non_null(log);
  for (int i = 0; i < TOUCHES; ++i) {
    const HeftProbeInput hand = hand_at(i);
    plugin[0] = (char)i;
    const HeftStepReport report = heft_session_step(session, &hand, 0, NULL);
    heft_session_log_step(log, session, &report);
  }
  const uint64_t hash = heft_world_hash(world);
  assert_true(heft_session_log_close(log));
  heft_session_destroy(session);
  heft_world_destroy(world);
  free(loading);
  return hash;
}

typedef struct Seen {
  int attached, started, before, after, inputs;
} Seen;

static HeftStatus see_attach(void* user, HeftWorld* world, HeftError* error) {
  (void)world, (void)error;
  ++((Seen*)user)->attached;
  return HEFT_OK;
}

static HeftStatus see_start(void* user, const void* bytes, size_t size, HeftError* error) {
  (void)error;
  ++((Seen*)user)->started;
  assert_int_equal(size, PLUGIN_START);
  assert_memory_equal(bytes, "\0\7\11", PLUGIN_START);
  return HEFT_OK;
}

static HeftStatus see_before(void* user, const HeftHand* hands, int count, const void* bytes,
                             size_t size, HeftError* error) {
  Seen* seen = user;
  (void)error;
  assert_int_equal(count, 1);
  assert_int_equal(hands[0].present, hand_at(seen->before).present);
  if (bytes) assert_memory_equal(bytes, "\7\11", PLUGIN_INPUT);
  assert_int_equal(size, bytes ? PLUGIN_INPUT : 0);
  seen->inputs += bytes != NULL;
  ++seen->before;
  return HEFT_OK;
}

static void see_after(void* user, const HeftStepReport* report) {
  ((Seen*)user)->after += heft_step_taken(report->status);
}

static void hands_are_repeated(void** state) {
  (void)state;
  Seen seen = {0};
  const HeftReplayHooks hooks = {&seen, see_attach, see_start, see_before, see_after, NULL, NULL};
  HeftReplay* r = NULL;
  HeftModel* stored = NULL;
  HeftError error = {0};
  const uint64_t hash = record_touch();
  FILE* file = fopen(path, "rb");
  assert_non_null(file);
  assert_int_equal(heft_replay_open(&r, file, &error), HEFT_OK);
  const HeftSessionStart* start = heft_replay_start(r);
  assert_int_equal(start->probes, 1);
  assert_true(start->probe[0].point.x == 0.01 && start->probe[0].radius == 0.01);
  assert_int_equal(start->parameter_count, 2);
  assert_int_equal(start->parameter[1].kind, HEFT_CHANGE_MASS);
  assert_int_equal(start->loading.floor, 1);
  assert_int_equal(start->loading.exclude_count, 1);
  assert_non_null(strstr(start->plugins, "plug.so:speed=1"));
  assert_int_equal(heft_replay_stored_model(r, &stored, &error), HEFT_OK);
  assert_int_equal(heft_replay_begin(r, stored, &hooks, &error), HEFT_OK);
  assert_int_equal(heft_replay_cut_off(r), 0);
  step_to(r, TOUCHES);
  assert_true(heft_world_hash(heft_replay_world(r)) == hash);
  assert_int_equal(heft_replay_compared(r), TOUCHES);
  assert_int_equal(heft_replay_different(r), 0);
  assert_int_equal(seen.attached, 1);
  assert_int_equal(seen.started, 1);
  assert_int_equal(seen.after, TOUCHES);
  assert_int_equal(seen.inputs, TOUCHES / 2);
  // The hand has touched the box.
  assert_true(heft_probe_state(heft_session_probe(heft_replay_session(r), 0))->depth > 0);
  heft_replay_destroy(r);
}

// ---- objects that come and go

static HeftModel* load_part(void* user, const char* file) {
  assert_string_equal(file, "ball.xml");
  return *(int*)user ? scene_model(
                           "<mujoco><worldbody><body name='x' pos='0 1 1'><freejoint/>"
                           "<geom size='0.05' mass='1'/></body></worldbody></mujoco>")
                     : NULL;
}

static void objects_are_added_again(void** state) {
  (void)state;
  const HeftAction change[] = {
      {.kind = HEFT_ACTION_CHANGE,
       .change = {.kind = HEFT_CHANGE_BOX, .value = 0.05, .pos = {0, 0.5, 0.3}, .name = "new"}},
      {.kind = HEFT_ACTION_CHANGE,
       .change = {.kind = HEFT_CHANGE_FILE, .name = "part", .file = "ball.xml"}}};
  const HeftWorldDef def = heft_world_def_default();
  const HeftSessionInfo info = {
      .model_path = "box.xml", .model = model, .world = def, .time_step = 0.002};
  HeftSessionLog* log = heft_session_log_open(path, &info);
  HeftWorld* world = scene_world(model);
  HeftModel* now = NULL;
  int found = 1;
  assert_non_null(log);
  for (int i = 0; i < 2; ++i) {
    HeftModel *part = i == 1 ? load_part(&found, "ball.xml") : NULL, *next = NULL;
    HeftWorld* changed = NULL;
    heft_session_log_action(log, -1, &change[i]);
    assert_int_equal(
        heft_model_apply_change(&next, now ? now : model, &change[i].change, part, NULL), HEFT_OK);
    assert_int_equal(heft_world_create(&changed, next, &def, NULL), HEFT_OK);
    assert_int_equal(heft_world_transfer(changed, world, NULL), HEFT_OK);
    heft_world_destroy(world);
    heft_model_destroy(now);
    heft_model_destroy(part);
    world = changed;
    now = next;
    for (int k = 0; k < 20; ++k) heft_world_step(world);
    heft_session_log_steps(log, 20, heft_world_hash(world));
  }
  const uint64_t hash = heft_world_hash(world);
  assert_true(heft_session_log_close(log));
  heft_world_destroy(world);

  const HeftReplayHooks hooks = {.user = &found, .load = load_part};
  HeftReplay* r = NULL;
  HeftModel* stored = NULL;
  HeftStepReport report;
  HeftError error = {0};
  FILE* file = fopen(path, "rb");
  assert_non_null(file);
  assert_int_equal(heft_replay_open(&r, file, &error), HEFT_OK);
  assert_int_equal(heft_replay_stored_model(r, &stored, &error), HEFT_OK);
  assert_int_equal(heft_replay_begin(r, stored, &hooks, &error), HEFT_OK);
  step_to(r, 40);
  assert_true(heft_world_hash(heft_replay_world(r)) == hash);
  assert_int_equal(heft_replay_model(r)->nbody, now->nbody);
  // Without the file, the session goes as far as it can.
  found = 0;
  assert_int_equal(heft_replay_go(r, 20, NULL, 0, &error), HEFT_OK);
  assert_int_equal(heft_replay_step(r, &report, &error), HEFT_ERR_NAME);
  assert_non_null(strstr(error.message, "'ball.xml'"));
  assert_int_equal(heft_replay_steps_done(r), 20);
  heft_replay_destroy(r);
  heft_model_destroy(now);
}

static void keep_left(void* user, HeftWorld* world, HeftModel* left) {
  HeftWorld** kept = user;
  assert_int_equal(left != NULL, kept[0] != NULL);  // the first model is of the replay
  kept[kept[0] != NULL] = world;
}

// The box is added before the first step, so that the replay leaves its first world there.
static void the_program_keeps_worlds_that_are_left(void** state) {
  (void)state;
  const HeftAction change[2] = {
      {.kind = HEFT_ACTION_CHANGE,
       .change = {.kind = HEFT_CHANGE_BOX, .value = 0.05, .pos = {0, 0.5, 0.3}, .name = "new"}},
      {.kind = HEFT_ACTION_CHANGE, .change = {.kind = HEFT_CHANGE_REMOVE, .index = 1}}};
  const HeftSessionInfo info = {.model_path = "box.xml",
                                .model = model,
                                .world = heft_world_def_default(),
                                .time_step = 0.002};
  HeftSessionLog* log = heft_session_log_open(path, &info);
  assert_non_null(log);
  heft_session_log_action(log, 0, &change[0]);
  heft_session_log_action(log, 1, &change[1]);
  heft_session_log_steps(log, 2, 1);  // another hash than that of the world
  assert_true(heft_session_log_close(log));
  HeftReplay* r = NULL;
  HeftStepReport report;
  HeftError error = {0};
  HeftWorld* kept[2] = {NULL};
  assert_int_equal(heft_replay_load(&r, path, keep_left, kept, &error), HEFT_OK);
  const HeftWorld* first = heft_replay_world(r);
  assert_int_equal(heft_replay_step(r, &report, &error), HEFT_OK);
  assert_ptr_equal(kept[0], first);
  assert_int_equal(heft_replay_step(r, &report, &error), HEFT_ERR_CHECKSUM);
  assert_int_equal(heft_replay_different(r), 1);
  assert_int_equal(heft_world_model(kept[1])->nbody, model->nbody + 1);
  heft_world_destroy(kept[0]);  // its model is of the replay
  heft_replay_destroy(r);
  const HeftModel* second = heft_world_model(kept[1]);
  assert_true(heft_step_taken(heft_world_step(kept[1]).status));
  heft_world_destroy(kept[1]);
  heft_model_destroy((HeftModel*)(uintptr_t)second);
  assert_int_equal(heft_replay_load(&r, "none.mcap", NULL, NULL, &error), HEFT_ERR_FILE);
  assert_null(r);
}

// ---- damaged files

#define START "\"model\":\"box.xml\",\"time_step\":0.002"
#define PROBE                                                                                   \
  "{\"mode\":0,\"radius\":0.01,\"stiffness\":100,\"damping\":1,\"rotational_stiffness\":1,"     \
  "\"friction\":1,\"force_max\":10,\"torque_max\":1,\"hold_button\":0,\"body\":1,\"point\":[0," \
  "0,0]}"
#define WHOLE "{" START ",\"probes\":[]}"
#define RUN "{\"count\":2,\"hash\":\"0123456789abcdef\"}"

// The messages of /session, /step, /steps and /change, each NULL or once; of /session, twice where
// `twice` says so. Opening the file, beginning it or its first step must fail with the message.
static const struct {
  const char *start, *step, *steps, *change;
  int twice;
  const char* message;
} damages[] = {
    {NULL, NULL, RUN, NULL, 0, "contains no session"},
    {WHOLE, NULL, RUN, NULL, 1, "two initial states"},
    {WHOLE, "{\"bits\":\"\"}", RUN, NULL, 0, "single steps and runs"},
    {"{\"time_step\":1}", NULL, RUN, NULL, 0, "names no model"},
    {"{\"model\":1}", NULL, RUN, NULL, 0, "names no model"},
    {"{\"model\":\"a\"}", NULL, RUN, NULL, 0, "no time step"},
    {"{" START "}", NULL, RUN, NULL, 0, "no list of probes"},
    {"{" START ",\"probes\":[{}]}", NULL, RUN, NULL, 0, "a damaged probe"},
    {"{" START ",\"probes\":[{\"mode\":1e9}]}", NULL, RUN, NULL, 0, "a damaged probe"},
    {"{" START ",\"probes\":[" PROBE "," PROBE "," PROBE "," PROBE "," PROBE "," PROBE "," PROBE
     "," PROBE "," PROBE "]}",
     NULL, RUN, NULL, 0, "too many probes"},
    {"{" START ",\"world\":{\"threads\":9},\"probes\":[]}", NULL, RUN, NULL, 0, "settings"},
    {"{" START ",\"world\":{\"tolerance\":\"a\"},\"probes\":[]}", NULL, RUN, NULL, 0, "settings"},
    {"{" START ",\"world\":3,\"probes\":[]}", NULL, RUN, NULL, 0, "settings"},
    {"{" START ",\"parameters\":[{\"kind\":\"gravity\"}],\"probes\":[]}", NULL, RUN, NULL, 0,
     "a damaged parameter"},
    {"{" START ",\"parameters\":[{\"kind\":\"box\",\"index\":0,\"value\":1}],\"probes\":[]}", NULL,
     RUN, NULL, 0, "a damaged parameter"},
    {"{" START ",\"parameters\":4,\"probes\":[]}", NULL, RUN, NULL, 0, "a damaged parameter"},
    {"{" START ",\"parameters\":[{\"kind\":\"mass\",\"index\":77,\"value\":1}],\"probes\":[]}",
     NULL, RUN, NULL, 0, ""},
    {"{" START ",\"loading\":[],\"probes\":[]}", NULL, RUN, NULL, 0, "load"},
    {"{" START ",\"bits\":\"!\",\"probes\":[]}", NULL, RUN, NULL, 0, "initial state"},
    {"{" START ",\"bits\":\"AAAA\",\"probes\":[]}", NULL, RUN, NULL, 0, "initial state"},
    {"{" START ",\"time_step\":-1,\"probes\":[]}", NULL, RUN, NULL, 0, "the bits differ"},
    {WHOLE, NULL, "{\"count\":0,\"hash\":\"0123456789abcdef\"}", NULL, 0, "a run of steps"},
    {WHOLE, NULL, "{\"count\":1,\"hash\":\"0123456789abcdeg\"}", NULL, 0, "a run of steps"},
    {WHOLE, NULL, "{\"count\":1,\"hash\":\"0\"}", NULL, 0, "a run of steps"},
    {WHOLE, NULL, "{\"count\":1.5,\"hash\":\"0123456789abcdef\"}", NULL, 0, "a run of steps"},
    {WHOLE, NULL, RUN, "{}", 0, "a damaged action"},
    {WHOLE, NULL, RUN, "{\"step\":0,\"kind\":\"dance\"}", 0, "does not know"},
    {WHOLE, NULL, RUN, "{\"step\":0,\"kind\":\"pull\"}", 0, "a damaged action"},
    {WHOLE, NULL, RUN, "{\"step\":-1,\"kind\":\"pull\"}", 0, "a damaged action"},
    {WHOLE, NULL, RUN, "{\"step\":0,\"kind\":\"box\",\"index\":0,\"value\":-1}", 0, ""},
    {WHOLE, "{}", NULL, NULL, 0, "the data of a step"},
    {WHOLE, "{\"bits\":\"AA\"}", NULL, NULL, 0, "the data of a step"},
    {"{" START ",\"probes\":[" PROBE "]}", "{\"bits\":\"AAAA\"}", NULL, NULL, 0,
     "the data of a step"},
    {WHOLE, NULL, RUN, NULL, 0, "the bits differ"},
};

static void put_message(HeftMcap* file, const char* topic, const char* text, int count) {
  if (!text) return;
  const int channel = heft_mcap_channel(file, topic, "any", "{}");
  for (int i = 0; i < count; ++i) heft_mcap_message(file, channel, 0, text, strlen(text));
}

// As far as the file goes. NULL: to its end.
static const char* play(HeftError* error) {
  static HeftError told;
  HeftStepReport report;
  HeftReplay* r = NULL;
  FILE* file = fopen(path, "rb");
  assert_non_null(file);
  HeftStatus status = heft_replay_open(&r, file, error);
  if (status == HEFT_OK) {
    HeftModel* copy = scene_model(scene);
    const HeftReplayHooks hooks = {0};
    status = heft_replay_begin(r, copy, &hooks, error);
    while (status == HEFT_OK && heft_replay_steps_done(r) < heft_replay_step_count(r))
      status = heft_replay_step(r, &report, error);
  }
  told = *error;
  heft_replay_destroy(r);
  return status == HEFT_OK ? NULL : told.message;
}

static void damages_are_told(void** state) {
  (void)state;
  for (size_t i = 0; i < sizeof damages / sizeof *damages; ++i) {
    HeftError error = {0};
    HeftMcap* file = heft_mcap_open(path, HEFT_MCAP_JSON, "heft", NULL);
    assert_non_null(file);
    put_message(file, "/session", damages[i].start, damages[i].twice + 1);
    put_message(file, "/step", damages[i].step, 1);
    put_message(file, "/steps", damages[i].steps, 1);
    put_message(file, "/change", damages[i].change, 1);
    assert_true(heft_mcap_close(file));
    const char* message = play(&error);
    if (!message || !message[0] || !strstr(message, damages[i].message))
      fail_msg("file %d: '%s', expected '%s'", (int)i, message ? message : "(accepted)",
               damages[i].message);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(hands_are_repeated, begin, end),
      cmocka_unit_test_setup_teardown(objects_are_added_again, begin, end),
      cmocka_unit_test_setup_teardown(the_program_keeps_worlds_that_are_left, begin, end),
      cmocka_unit_test_setup_teardown(damages_are_told, begin, end),
      cmocka_unit_test_setup_teardown(the_same_bits_from_any_moment, begin, end),
      cmocka_unit_test_setup_teardown(wrong_actions_change_nothing, begin, end),
      cmocka_unit_test_setup_teardown(settings_are_checked, begin, end)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
