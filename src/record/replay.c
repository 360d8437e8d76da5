// SPDX-License-Identifier: Apache-2.0
// Repeats a session. Its steps are single ones with inputs (/step), or runs of plain steps whose
// last state has a hash (/steps). An action is made when as many steps were made as it states.
#include <stdio.h>
#include <string.h>
#include "record/session_log.h"

#include "base/allocator.h"
#include "base/assert.h"
#include "base/error.h"
#include "record/session_read.h"
#include "record/session_text.h"

struct HeftReplay {
  HeftAllocator allocator;
  HeftMcapReader* file;
  int single, runs, changes;  // channels
  HeftSessionStart start;
  HeftReplayHooks hooks;
  HeftModel *first, *model;  // at the start and now; the same if no object was added or removed
  HeftWorld* world;
  HeftSession* session;
  HeftUserForces forces;
  HeftBytes bits, inputs;  // of the current message
  long step_count, done;
  long next_action;  // index in its channel
  long run,
      run_end;  // the run of plain steps after the current one: its message, and its last step
  uint64_t run_hash;
  long compared, different;
};

static HeftStatus damaged(HeftError* error, const char* what) {
  const int memory = strcmp(what, HEFT_MCAP_NO_MEMORY) == 0;
  return heft_error_set(error, memory ? HEFT_ERR_MEMORY : HEFT_ERR_SYNTAX, "%s", what);
}

// ---- the file

// The bytes of a field. *has is 0 if they are not there or are damaged.
static HeftStatus read_bits(HeftJsonSpan m, const char* name, HeftBytes* out, int* has,
                            HeftError* error) {
  out->failed = 0;
  *has = session_read_bits(m, name, out);
  return !*has && out->failed ? damaged(error, HEFT_MCAP_NO_MEMORY) : HEFT_OK;
}

static HeftStatus message(HeftReplay* r, int channel, long index, HeftJsonSpan* out,
                          HeftError* error) {
  const char* what = "";
  HeftMcapMessage m;
  *out = (HeftJsonSpan){NULL, NULL};
  if (!heft_mcap_reader_message(r->file, channel, index, &m, &what)) return damaged(error, what);
  *out = (HeftJsonSpan){m.data, m.data + m.size};
  return HEFT_OK;
}

static HeftStatus read_run(HeftReplay* r, long index, long* count, HeftError* error) {
  HeftJsonSpan m;
  const HeftStatus status = message(r, r->runs, index, &m, error);
  if (status != HEFT_OK) return status;
  return session_read_steps(m, count, &r->run_hash)
             ? HEFT_OK
             : damaged(error, "the data of a run of steps is damaged");
}

static HeftStatus count_steps(HeftReplay* r, HeftError* error) {
  const long runs = heft_mcap_reader_count(r->file, r->runs);
  r->step_count = heft_mcap_reader_count(r->file, r->single);
  if (r->step_count > 0 && runs > 0)
    return damaged(error, "the session has single steps and runs of steps");
  for (long i = 0; i < runs; ++i) {
    long count;
    const HeftStatus status = read_run(r, i, &count, error);
    if (status != HEFT_OK) return status;
    if (count > 2000000000 - r->step_count) return damaged(error, "the session has too many steps");
    r->step_count += count;
  }
  return HEFT_OK;
}

static HeftStatus read_file(HeftReplay* r, HeftError* error) {
  HeftJsonSpan m;
  const int start = heft_mcap_reader_channel(r->file, "/session");
  r->single = heft_mcap_reader_channel(r->file, "/step");
  r->runs = heft_mcap_reader_channel(r->file, "/steps");
  r->changes = heft_mcap_reader_channel(r->file, "/change");
  if (heft_mcap_reader_count(r->file, start) == 0)
    return damaged(error, heft_mcap_reader_channel(r->file, "/state") >= 0
                              ? "this is the log of a run, which 'heft view' shows"
                              : "the file contains no session");
  if (heft_mcap_reader_count(r->file, start) > 1)
    return damaged(error, "the session contains two initial states");
  const HeftStatus status = message(r, start, 0, &m, error);
  const char* wrong = status == HEFT_OK ? session_read_start(m, &r->start) : NULL;
  if (wrong) return damaged(error, wrong);
  return status == HEFT_OK ? count_steps(r, error) : status;
}

HeftStatus heft_replay_open(HeftReplay** out, FILE* file, HeftError* error) {
  HEFT_REQUIRE(out && file, HEFT_ERR_ARGUMENT);
  const HeftAllocator a = heft_allocator_default();
  const char* what = "";
  HeftReplay* r = a.allocate(a.user, sizeof *r, 64);
  *out = NULL;
  if (!r) {
    fclose(file);
    return heft_error_set(error, HEFT_ERR_MEMORY, "no memory for a replay");
  }
  memset(r, 0, sizeof *r);
  r->allocator = a;
  r->bits.allocator = r->inputs.allocator = &r->allocator;
  r->file = heft_mcap_reader_open(file, &what);
  const HeftStatus status = r->file ? read_file(r, error) : damaged(error, what);
  if (status != HEFT_OK) {
    heft_replay_destroy(r);
    return status;
  }
  *out = r;
  return HEFT_OK;
}

HeftStatus heft_replay_stored_model(HeftReplay* r, HeftModel** model, HeftError* error) {
  HEFT_REQUIRE(r && model, HEFT_ERR_ARGUMENT);
  const char* what = "";
  *model = NULL;
  if (!heft_mcap_reader_attachment(r->file, HEFT_MCAP_MODEL, &r->bits, &what))
    return strcmp(what, HEFT_MCAP_NO_MEMORY) == 0
               ? damaged(error, what)
               : heft_error_set(error, HEFT_ERR_NAME, "the session has no model: %s", what);
  return heft_model_load(model, r->bits.bytes, r->bits.size, NULL, error);
}

// ---- the world

static void release_objects(HeftReplay* r) {
  HeftModel* model = r->model != r->first ? r->model : NULL;
  heft_session_destroy(r->session);
  if (r->world && r->hooks.left) {
    r->hooks.left(r->hooks.user, r->world, model);
  } else {
    heft_world_destroy(r->world);
    heft_model_destroy(model);
  }
  r->session = NULL;
  r->world = NULL;
  r->model = NULL;
}

void heft_replay_destroy(HeftReplay* r) {
  if (!r) return;
  r->hooks.left = NULL;
  release_objects(r);
  heft_model_destroy(r->first);
  heft_mcap_reader_close(r->file);
  heft_bytes_free(&r->bits);
  heft_bytes_free(&r->inputs);
  const HeftAllocator a = r->allocator;
  a.release(a.user, r, sizeof *r);
}

// Makes world and session of a model; the world goes on from the present one, if there is one.
// Takes over the model, unless it is the first one.
static HeftStatus make_world(HeftReplay* r, HeftModel* model, HeftError* error) {
  HeftWorld* world = NULL;
  HeftSession* session = NULL;
  HeftStatus status = heft_world_create(&world, model, &r->start.world, error);
  if (status == HEFT_OK && r->world) status = heft_world_transfer(world, r->world, error);
  if (status == HEFT_OK)
    status = heft_session_create(&session, world, r->start.probes, r->start.probe, NULL, error);
  if (status == HEFT_OK && r->hooks.attach) status = r->hooks.attach(r->hooks.user, world, error);
  if (status != HEFT_OK) {
    heft_session_destroy(session);
    heft_world_destroy(world);
    if (model != r->first) heft_model_destroy(model);
    return status;
  }
  release_objects(r);
  r->model = model;
  r->world = world;
  r->session = session;
  return HEFT_OK;
}

static HeftStatus restore_start(HeftReplay* r, HeftError* error) {
  HeftJsonSpan m;
  HeftStatus status = message(r, heft_mcap_reader_channel(r->file, "/session"), 0, &m, error);
  if (status != HEFT_OK) return status;
  for (int i = 0; i < r->start.parameter_count && status == HEFT_OK; ++i)
    status = heft_world_apply_change(r->world, &r->start.parameter[i], error);
  if (status != HEFT_OK) return status;
  int plugins, has_bits;
  status = read_bits(m, "plugin_bits", &r->inputs, &plugins, error);
  HeftJsonSpan bits;
  if (status == HEFT_OK && heft_json_span_field(m, "bits", &bits)) {
    status = read_bits(m, "bits", &r->bits, &has_bits, error);
    if (status != HEFT_OK) return status;
    if (!has_bits) return damaged(error, "the initial state of the session is damaged");
    status = heft_session_restore(r->session, r->bits.bytes, r->bits.size);
    if (status == HEFT_ERR_VERSION)
      return heft_error_set(error, status,
                            "the session began in another model, with other parameters, or with "
                            "another contact law or detector of a plug-in");
    if (status != HEFT_OK)
      return heft_error_set(error, status, "the initial state of the session: %s",
                            heft_status_text(status));
  }
  if (status != HEFT_OK || !r->hooks.start) return status;
  return r->hooks.start(r->hooks.user, plugins ? r->inputs.bytes : NULL, r->inputs.size, error);
}

static HeftStatus restart(HeftReplay* r, HeftError* error) {
  release_objects(r);
  r->forces = (HeftUserForces){0};
  r->done = r->next_action = 0;
  r->run = r->run_end = 0;
  r->compared = r->different = 0;
  const HeftStatus status = make_world(r, r->first, error);
  return status == HEFT_OK ? restore_start(r, error) : status;
}

HeftStatus heft_replay_begin(HeftReplay* r, HeftModel* model, const HeftReplayHooks* hooks,
                             HeftError* error) {
  HEFT_REQUIRE(r && model && !r->first, HEFT_ERR_ARGUMENT);
  r->first = model;
  if (hooks) r->hooks = *hooks;
  return restart(r, error);
}

// The model of the file, without plug-ins.
static HeftStatus begin_stored(HeftReplay* r, const HeftReplayHooks* hooks, HeftError* error) {
  HeftModel* model = NULL;
  HEFT_REQUIRE(r, HEFT_ERR_ARGUMENT);
  if (r->start.plugins[0])
    return heft_error_set(error, HEFT_ERR_SYNTAX,
                          "the session needs plug-ins, which 'heft replay --plugin FILE' loads: "
                          "%.200s",
                          r->start.plugins);
  const HeftStatus status = heft_replay_stored_model(r, &model, error);
  if (status == HEFT_ERR_NAME)
    return heft_error_set(error, HEFT_ERR_SYNTAX,
                          "the session has no model; 'heft replay --model FILE' takes it from a "
                          "file");
  return status == HEFT_OK ? heft_replay_begin(r, model, hooks, error) : status;
}

HeftStatus heft_replay_load(HeftReplay** out, const char* path, HeftReplayLeft* left, void* user,
                            HeftError* error) {
  HEFT_REQUIRE(out, heft_error_set(error, HEFT_ERR_ARGUMENT, "out must not be NULL"));
  *out = NULL;
  HEFT_REQUIRE(path, heft_error_set(error, HEFT_ERR_ARGUMENT, "path must not be NULL"));
  const HeftReplayHooks hooks = {.user = user, .left = left};
  FILE* file = fopen(path, "rb");
  HeftStatus status = file ? heft_replay_open(out, file, error)
                           : heft_error_set(error, HEFT_ERR_FILE, "the file cannot be opened");
  if (status == HEFT_OK) status = begin_stored(*out, &hooks, error);
  if (status == HEFT_OK) return status;
  if (error) snprintf(error->file, sizeof error->file, "%.200s", path);
  heft_replay_destroy(*out);
  *out = NULL;
  return status;
}

// ---- actions

static HeftStatus change_objects(HeftReplay* r, const HeftChange* change, HeftError* error) {
  HeftModel *part = NULL, *model = NULL;
  if (change->kind == HEFT_CHANGE_FILE) {
    part = r->hooks.load ? r->hooks.load(r->hooks.user, change->file) : NULL;
    if (!part)
      return heft_error_set(error, HEFT_ERR_NAME,
                            "the session added the file '%.200s', which is not in it and was not "
                            "loaded",
                            change->file);
  }
  HeftStatus status = heft_model_apply_change(&model, r->model, change, part, error);
  heft_model_destroy(part);
  if (status == HEFT_OK) status = make_world(r, model, error);
  return status;
}

HeftStatus heft_replay_action(HeftReplay* r, long index, HeftAction* action, long* step,
                              HeftError* error) {
  HEFT_REQUIRE(r && action && step && index >= 0 && index < heft_replay_action_count(r),
               HEFT_ERR_ARGUMENT);
  HeftJsonSpan m;
  const HeftStatus status = message(r, r->changes, index, &m, error);
  if (status != HEFT_OK) return status;
  const char* wrong = session_text_read_action(m, action, step);
  return wrong ? damaged(error, wrong) : HEFT_OK;
}

// Makes the actions up to a number of steps.
static HeftStatus act(HeftReplay* r, long until, HeftError* error) {
  HeftAction action;
  long step;
  for (; r->next_action < heft_replay_action_count(r); ++r->next_action) {
    HeftStatus status = heft_replay_action(r, r->next_action, &action, &step, error);
    if (status != HEFT_OK) return status;
    if (step > until) return HEFT_OK;
    const int object =
        action.kind == HEFT_ACTION_CHANGE && heft_change_is_object(action.change.kind);
    status = object ? change_objects(r, &action.change, error)
                    : heft_action_apply(&action, r->world, &r->forces, error);
    if (status != HEFT_OK) return status;
  }
  return HEFT_OK;
}

static HeftStatus has_objects(HeftReplay* r, int* found, HeftError* error) {
  HeftAction action;
  long step;
  *found = 0;
  for (long i = 0; i < heft_replay_action_count(r); ++i) {
    const HeftStatus status = heft_replay_action(r, i, &action, &step, error);
    if (status != HEFT_OK) return status;
    *found |= action.kind == HEFT_ACTION_CHANGE && heft_change_is_object(action.change.kind);
  }
  return HEFT_OK;
}

// ---- steps

static HeftStatus before_step(HeftReplay* r, int has_inputs, HeftError* error) {
  HeftProbeInput inputs[HEFT_SESSION_PROBES];
  HeftHand hands[HEFT_SESSION_PROBES + HEFT_ACTION_SLOTS];
  if (!r->hooks.before_step) return HEFT_OK;
  const int probes = heft_session_probe_count(r->session);
  if (probes > 0) {
    if (heft_session_record_inputs(r->session, r->bits.bytes, r->bits.size, inputs) != HEFT_OK)
      return damaged(error, "the data of a step is damaged");
    heft_session_hands(r->session, inputs, hands);
  }
  const int count = probes + heft_user_forces_hands(&r->forces, r->world, hands + probes);
  return r->hooks.before_step(r->hooks.user, hands, count, has_inputs ? r->inputs.bytes : NULL,
                              has_inputs ? r->inputs.size : 0, error);
}

static HeftStatus count_comparison(HeftReplay* r, int same, HeftError* error) {
  ++r->compared;
  if (same) return HEFT_OK;
  ++r->different;
  return heft_error_set(error, HEFT_ERR_CHECKSUM, "step %ld: the bits differ", r->done);
}

static HeftStatus step_single(HeftReplay* r, HeftStepReport* report, HeftError* error) {
  HeftJsonSpan m;
  HeftStatus status = message(r, r->single, r->done, &m, error);
  if (status != HEFT_OK) return status;
  int has_bits, has_inputs = 0;
  status = read_bits(m, "bits", &r->bits, &has_bits, error);
  if (status == HEFT_OK && !has_bits) return damaged(error, "the data of a step is damaged");
  if (status == HEFT_OK) status = read_bits(m, "plugin_inputs", &r->inputs, &has_inputs, error);
  if (status == HEFT_OK) status = before_step(r, has_inputs, error);
  if (status != HEFT_OK) return status;
  heft_user_forces_apply(&r->forces, r->world);
  status = heft_session_replay(r->session, r->bits.bytes, r->bits.size, report);
  if (status == HEFT_ERR_SYNTAX) return damaged(error, "the data of a step is damaged");
  ++r->done;
  if (r->hooks.after_step) r->hooks.after_step(r->hooks.user, report);
  return count_comparison(r, status == HEFT_OK, error);
}

// Finds the run that contains the next step.
static HeftStatus find_run(HeftReplay* r, HeftError* error) {
  while (r->run_end <= r->done) {
    long count;
    const HeftStatus status = read_run(r, r->run++, &count, error);
    if (status != HEFT_OK) return status;
    r->run_end += count;
  }
  return HEFT_OK;
}

static HeftStatus step_of_run(HeftReplay* r, HeftStepReport* report, HeftError* error) {
  HeftStatus status = find_run(r, error);
  if (status != HEFT_OK) return status;
  heft_user_forces_apply(&r->forces, r->world);
  status = before_step(r, 0, error);  // behind the forces of users, as a page records
  if (status != HEFT_OK) return status;
  *report = heft_world_step(r->world);
  ++r->done;
  if (r->hooks.after_step) r->hooks.after_step(r->hooks.user, report);
  if (r->done < r->run_end) return HEFT_OK;
  return count_comparison(r, heft_world_hash(r->world) == r->run_hash, error);
}

HeftStatus heft_replay_step(HeftReplay* r, HeftStepReport* report, HeftError* error) {
  HEFT_REQUIRE(r && report && r->world, HEFT_ERR_ARGUMENT);
  if (r->done == r->step_count)
    return heft_error_set(error, HEFT_ERR_ARGUMENT, "the session has no more steps");
  const HeftStatus status = act(r, r->done, error);
  if (status != HEFT_OK) return status;
  return heft_mcap_reader_count(r->file, r->single) > 0 ? step_single(r, report, error)
                                                        : step_of_run(r, report, error);
}

HeftStatus heft_replay_go(HeftReplay* r, long step, const void* snapshot, size_t size,
                          HeftError* error) {
  HEFT_REQUIRE(r && r->first && step >= 0 && step <= r->step_count, HEFT_ERR_ARGUMENT);
  HeftStepReport report;
  int objects;
  HeftStatus status = has_objects(r, &objects, error);
  if (status == HEFT_OK) status = restart(r, error);
  if (status != HEFT_OK) return status;
  if (snapshot && !objects) {
    status = act(r, step - 1, error);
    if (status == HEFT_OK) status = heft_session_restore(r->session, snapshot, size);
    r->done = step;
  }
  while (status == HEFT_OK && r->done < step) {
    status = heft_replay_step(r, &report, error);
    if (status == HEFT_ERR_CHECKSUM) status = HEFT_OK;
  }
  return status;
}

// ---- access

const HeftSessionStart* heft_replay_start(const HeftReplay* r) { return &r->start; }

long heft_replay_step_count(const HeftReplay* r) {
  HEFT_REQUIRE(r, 0);
  return r->step_count;
}

long heft_replay_steps_done(const HeftReplay* r) {
  HEFT_REQUIRE(r, 0);
  return r->done;
}

long heft_replay_action_count(const HeftReplay* r) {
  return heft_mcap_reader_count(r->file, r->changes);
}

long heft_replay_compared(const HeftReplay* r) { return r->compared; }

long heft_replay_different(const HeftReplay* r) {
  HEFT_REQUIRE(r, 0);
  return r->different;
}

bool heft_replay_cut_off(const HeftReplay* r) {
  HEFT_REQUIRE(r, false);
  return heft_mcap_reader_cut_off(r->file) != 0;
}

HeftWorld* heft_replay_world(const HeftReplay* r) {
  HEFT_REQUIRE(r, NULL);
  return r->world;
}

HeftSession* heft_replay_session(const HeftReplay* r) { return r->session; }

const HeftModel* heft_replay_model(const HeftReplay* r) { return r->model; }
