// SPDX-License-Identifier: Apache-2.0
// heft replay: replays a recorded session and compares the bits of every step.
#include <errno.h>
#include <heft/heft.h>
#include <heft/io.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "builtin.h"
#include "mcap_read.h"
#include "model_options.h"
#include "option_names.h"
#include "plugin_options.h"
#include "progress.h"
#include "session_read.h"
#include "verbs.h"

static const char help[] =
    "usage: heft replay [OPTIONS] FILE.mcap\n"
    "Replays a session recorded by 'heft feel' or 'heft run', and compares the bits of the state\n"
    "after each step. Exit code 0 if all bits are equal, 1 if not.\n"
    "\n"
    "  --model FILE           model file (default: the file named in the recording)\n"
    "                         It is loaded with the options of the recording (--floor, --servo "
    "and\n"
    "                         others), unless some of them are given here. Folders (--root,\n"
    "                         --package) are not in a recording: give them again.\n"
    "\n"
    "  --plugin FILE.so       a plug-in of the recording; in the same order, if there are "
    "several.\n"
    "                         Their options come from the recording. Controllers in other\n"
    "                         processes are not needed: the recording holds their answers.\n";

enum { PLUGIN_FILES = 64 };

typedef struct Replay {
  ModelOptions* options;
  PluginOptions plugins;
  const char* files[PLUGIN_FILES];  // of the user
  int file_count;
  const char* model_path;  // NULL: the file named in the recording
  HeftModel* model;
  HeftWorld* world;
  HeftSession* session;
  SessionStart start;
  SessionBits bits, inputs;
  HeftStepTally tally;
  long steps, different, changes;
  int failed;
} Replay;

// ---- messages

static int stop(Replay* r, const char* what) {
  fprintf(stderr, "heft replay: error: %s\n", what);
  r->failed = 1;
  return 0;
}

// An act of the command: its code is ours, so the recording may name it.
static int add_builtin(Replay* r, const char* name, char file[BUILTIN_PATH]) {
  const int added = builtin_model(&r->plugins, "replay", name, "", file);
  if (added < 0) return stop(r, "this version does not have the act of the recording");
  return added > 0 || (r->failed = 1, 0);
}

// Whether an item of the list of plug-ins, "NAME:OPTIONS", has this name.
static int is_named(const char* item, size_t length, const char* name) {
  const size_t n = strlen(name);
  return length >= n && memcmp(item, name, n) == 0 && (length == n || item[n] == ':');
}

// Adds one plug-in of the list. Code is never loaded because a file says so: the user names the
// files. What the controller of a link answered stands in the recording, so that it needs no
// socket. builtin: the act of the recording, or ""; `file` gets its model.
static int add_plugin(Replay* r, const char* item, size_t length, const char* builtin, char* file,
                      int* given) {
  if (is_named(item, length, HEFT_LINK_NAME))
    return plugin_options_add_controller(&r->plugins, "replay", NULL);
  if (*builtin && !*file && is_named(item, length, builtin)) return add_builtin(r, builtin, file);
  if (*given < r->file_count)
    return plugin_options_load(&r->plugins, "replay", r->files[(*given)++]);
  ++*given;
  return 1;
}

// The list is "FIRST","SECOND", with \" and \\ in the texts.
static int add_plugins(Replay* r, const SessionStart* start, const char* builtin, char* file) {
  char text[900];
  int given = 0;
  for (const char* at = start->plugins; *at;) {
    const char* end = ++at;
    while (*end && *end != '"') end += *end == '\\' && end[1] ? 2 : 1;
    if (!add_plugin(r, at, (size_t)(end - at), builtin, file, &given)) return r->failed = 1, 0;
    at = *end ? end + 1 : end;
    if (*at) ++at;
  }
  if (*builtin && !*file) return stop(r, "the recording does not list its act as a plug-in");
  if (given == r->file_count) return 1;
  snprintf(text, sizeof text,
           given < r->file_count
               ? "the recording has fewer plug-ins: leave out --plugin; it lists %.700s"
               : "the recording was made with plug-ins: name each of them with --plugin FILE; it "
                 "lists %.700s",
           start->plugins[0] ? start->plugins : "none");
  return stop(r, text);
}

static int restore_plugins(Replay* r, const SessionStart* start, const char* data, size_t size) {
  char text[900];
  if (!r->plugins.set) return 1;
  const long bytes = session_read_plugin_bits(&r->bits, data, size);
  if (bytes >= 0 &&
      heft_plugin_set_restore(r->plugins.set, r->bits.bytes, (size_t)bytes) == HEFT_OK)
    return 1;
  snprintf(text, sizeof text, "the plug-ins are not those of the recording, which lists %.700s",
           start->plugins);
  return stop(r, text);
}

// The session of the recording in the world, with its plug-ins, in its initial state.
static int begin_session(Replay* r, const SessionStart* start, const char* data, size_t size) {
  HeftError error = {0};
  if (heft_session_create(&r->session, r->world, start->probes, start->probe, NULL, &error) !=
      HEFT_OK)
    return stop(r, error.message);
  if (!plugin_options_attach(&r->plugins, "replay", r->world)) return r->failed = 1, 0;
  const long bytes = session_read_bits(&r->bits, data, size);
  if (bytes < 0) return stop(r, "the recording has no initial state");
  const HeftStatus status = heft_session_restore(r->session, r->bits.bytes, (size_t)bytes);
  if (status != HEFT_OK) return stop(r, heft_status_text(status));
  return restore_plugins(r, start, data, size);
}

static HeftWorldDef world_def(const Replay* r) {
  HeftWorldDef def = heft_world_def_default();
  def.time_step = r->start.time_step;
  return def;
}

static int begin(Replay* r, const char* data, size_t size) {
  SessionStart* const begun = &r->start;
  HeftError error = {0};
  const char* wrong = session_read_start(data, size, begun);
  if (wrong) return stop(r, wrong);
  const size_t prefix = strlen(session_builtin);
  char file[BUILTIN_PATH] = "";
  const int builtin = strncmp(begun->model, session_builtin, prefix) == 0;
  if (!add_plugins(r, begun, builtin ? begun->model + prefix : "", file)) return 0;
  const char* path = builtin ? file : begun->model;
  const HeftWorldDef def = world_def(r);
  model_options_use(r->options, &begun->loading);
  r->model = model_options_load(r->options, r->model_path ? r->model_path : path);
  if (!r->model)
    return stop(r, begun->loading.folders
                       ? "the model of the session was not loaded; it was recorded with --root or "
                         "--package: give them again"
                       : "the model of the session was not loaded; name it with --model FILE");
  if (heft_world_create(&r->world, r->model, &def, &error) != HEFT_OK)
    return stop(r, error.message);
  return begin_session(r, begun, data, size);
}

// Plug-ins see the hands of the users, as they did when the session was recorded.
static int show_hands(Replay* r, size_t bytes) {
  HeftProbeInput inputs[HEFT_SESSION_PROBES];
  HeftHand hands[HEFT_SESSION_PROBES];
  if (!r->plugins.set) return 1;
  if (heft_session_record_inputs(r->session, r->bits.bytes, bytes, inputs) != HEFT_OK) return 0;
  heft_session_hands(r->session, inputs, hands);
  heft_plugin_set_hands(r->plugins.set, hands, heft_session_probe_count(r->session));
  return 1;
}

// Plug-ins act as they did: those that took something from outside of the world take it from the
// recording.
static int act_plugins(Replay* r, const char* data, size_t size) {
  HeftError error = {0};
  const long bytes = session_read_plugin_inputs(&r->inputs, data, size);
  if (!r->plugins.set || bytes < 0) return plugin_options_before_step(&r->plugins, "replay");
  return heft_plugin_set_replay(r->plugins.set, r->inputs.bytes, (size_t)bytes, &error) ==
             HEFT_OK ||
         stop(r, error.message);
}

static int step(Replay* r, const char* data, size_t size) {
  const long bytes = session_read_bits(&r->bits, data, size);
  if (bytes < 0) return stop(r, "the data of a step is damaged");
  HeftStepReport report;
  if (!show_hands(r, (size_t)bytes)) return stop(r, "the data of a step is damaged");
  if (!act_plugins(r, data, size)) return r->failed = 1, 0;
  const HeftStatus status = heft_session_replay(r->session, r->bits.bytes, (size_t)bytes, &report);
  if (status != HEFT_ERR_SYNTAX) plugin_options_after_step(&r->plugins, &report);
  if (status == HEFT_ERR_SYNTAX) return stop(r, "the data of a step is damaged");
  ++r->steps;
  heft_step_tally_add(&r->tally, &report);
  if (status == HEFT_OK) return 1;
  if (r->different++ == 0) printf("step %ld, at %.4f s: the bits differ\n", r->steps, report.time);
  return 1;
}

// ---- changes of the world

static HeftModel* changed_model(Replay* r, const HeftChange* change, HeftError* error) {
  HeftModel *part = NULL, *model = NULL;
  if (change->kind == HEFT_CHANGE_FILE) part = model_options_load(r->options, change->file);
  heft_model_apply_change(&model, r->model, change, part, error);
  heft_model_destroy(part);
  return model;
}

// The world goes on in the changed model, with new probes, as it did in the window.
static int change_objects(Replay* r, const HeftChange* change) {
  HeftError error = {0};
  HeftWorld* world = NULL;
  HeftSession* session = NULL;
  const HeftWorldDef def = world_def(r);
  HeftModel* model = changed_model(r, change, &error);
  int well = model && heft_world_create(&world, model, &def, &error) == HEFT_OK &&
             heft_world_transfer(world, r->world, &error) == HEFT_OK &&
             heft_session_create(&session, world, r->start.probes, r->start.probe, NULL, &error) ==
                 HEFT_OK;
  if (!well) stop(r, error.message);
  if (well) well = plugin_options_attach(&r->plugins, "replay", world) || (r->failed = 1, 0);
  if (!well) {
    heft_session_destroy(session);
    heft_world_destroy(world);
    heft_model_destroy(model);
    return 0;
  }
  heft_session_destroy(r->session);
  heft_world_destroy(r->world);
  heft_model_destroy(r->model);
  r->session = session;
  r->world = world;
  r->model = model;
  return 1;
}

static int apply(Replay* r, const HeftChange* change) {
  HeftError error = {0};
  ++r->changes;
  if (heft_change_is_object(change->kind)) return change_objects(r, change);
  return heft_world_apply_change(r->world, change, &error) == HEFT_OK || stop(r, error.message);
}

// Changes that were made after as many steps as were repeated so far.
static int apply_changes(Replay* r, McapReader* file, int channel, long* next) {
  const char* what = "";
  McapMessage m;
  HeftChange change;
  long step = 0;
  for (; *next < mcap_reader_count(file, channel); ++*next) {
    if (!mcap_reader_message(file, channel, *next, &m, &what)) return stop(r, what);
    const char* wrong = session_read_change(m.data, m.size, &change, &step);
    if (wrong) return stop(r, wrong);
    if (step > r->steps) return 1;
    if (!apply(r, &change)) return 0;
  }
  return 1;
}

// ---- the file

static int damaged(Replay* r, const char* path, const char* what) {
  fprintf(stderr, "heft replay: error: %s: %s\n", path, what);
  r->failed = 1;
  return 0;
}

// All messages: the initial state, then the steps.
static int read_all(Replay* r, McapReader* file, const char* path) {
  const char* what = "";
  McapMessage m;
  const int start = mcap_reader_channel(file, "/session"),
            steps = mcap_reader_channel(file, "/step"),
            changes = mcap_reader_channel(file, "/change");
  long change = 0;
  if (mcap_reader_count(file, start) == 0)
    return damaged(r, path,
                   mcap_reader_channel(file, "/state") >= 0
                       ? "this is the log of a run, which 'heft view' shows"
                       : "the file contains no session");
  if (mcap_reader_count(file, start) > 1)
    return damaged(r, path, "the recording contains two initial states");
  if (!mcap_reader_message(file, start, 0, &m, &what)) return damaged(r, path, what);
  if (!begin(r, m.data, m.size)) return 0;
  Progress progress = progress_begin();
  for (long i = 0; i < mcap_reader_count(file, steps); ++i) {
    progress_show(&progress, path, (double)i / (double)mcap_reader_count(file, steps));
    const int changed = changes < 0 || apply_changes(r, file, changes, &change);
    const int read = changed && mcap_reader_message(file, steps, i, &m, &what);
    if (read && step(r, m.data, m.size)) continue;
    progress_end(&progress);
    return read || !changed ? 0 : damaged(r, path, what);
  }
  progress_end(&progress);
  if (!mcap_reader_cut_off(file)) return 1;
  printf("%ld steps before the end of the file\n", r->steps);
  return damaged(r, path, "the recording was interrupted: the file ends before its last record");
}

static int play(Replay* r, const char* path) {
  const char* what = "";
  FILE* opened = fopen(path, "rb");
  if (!opened) return damaged(r, path, strerror(errno)), 1;
  const uint64_t started = heft_clock_ns();
  McapReader* file = mcap_reader_open(opened, &what);
  if (!file) return damaged(r, path, what), 1;
  read_all(r, file, path);
  mcap_reader_close(file);
  if (r->failed) return 1;
  const double wall = (double)(heft_clock_ns() - started) * 1e-9;
  const double time = *heft_world_state(r->world)->time;
  char text[400];
  printf("%ld steps, %s; %.3f s in %.2f s, state hash %016llx\n", r->steps,
         r->different == 0 ? "all with the same bits" : "bits differ", time, wall,
         (unsigned long long)heft_world_hash(r->world));
  if (r->changes > 0) printf("%ld changes of the world\n", r->changes);
  printf("%s\n", heft_step_tally_text(&r->tally, text, sizeof text));
  return r->different > 0;
}

int heft_verb_replay(int argc, char** argv) {
  ModelOptions options;
  model_options_init(&options);
  static Replay r;  // large: contains the start of the recording
  r = (Replay){.options = &options};
  const char* path = NULL;
  int result = -1;
  for (int i = 1; i < argc && result < 0; ++i) {
    const int taken =
        strcmp(argv[i], "--help") == 0 ? 0 : model_options_take(&options, argc, argv, &i);
    if (taken < 0) result = 2;
    if (taken != 0) continue;
    if (strcmp(argv[i], "--help") == 0) {
      printf("%s%s", help, model_options_help);
      result = 0;
    } else if (strcmp(argv[i], "--plugin") == 0 && i + 1 < argc && r.file_count < PLUGIN_FILES) {
      r.files[r.file_count++] = argv[++i];
    } else if (strcmp(argv[i], "--model") == 0 && i + 1 < argc) {
      r.model_path = argv[++i];
    } else if (argv[i][0] == '-' || path) {
      option_names_wrong("replay", help, model_options_help, argv[i]);
      result = 2;
    } else {
      path = argv[i];
    }
  }
  if (result < 0 && !path) {
    fprintf(stderr, "heft replay: error: the file is missing; try 'heft replay --help'\n");
    result = 2;
  }
  if (result < 0) result = play(&r, path);
  heft_session_destroy(r.session);
  plugin_options_release(&r.plugins);
  heft_world_destroy(r.world);
  heft_model_destroy(r.model);
  free(r.bits.bytes);
  free(r.inputs.bytes);
  model_options_release(&options);
  return result;
}
