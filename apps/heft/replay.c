// SPDX-License-Identifier: Apache-2.0
// heft replay: replays a recorded session and compares the bits of every step.
#include <errno.h>
#include <heft/heft.h>
#include <heft/io.h>
#include <stdio.h>
#include <string.h>
#include "record/session_log.h"

#include "builtin.h"
#include "evidence.h"
#include "model_options.h"
#include "option_names.h"
#include "plugin_options.h"
#include "progress.h"
#include "verbs.h"

static const char help[] =
    "usage: heft replay [OPTIONS] FILE.mcap\n"
    "Replays a session recorded by 'heft feel', 'heft run', 'heft view' or in a browser, and "
    "compares\n"
    "the bits of the state wherever the session has their hash. Exit code 0 if all bits are equal, "
    "1 if\n"
    "not.\n"
    "\n"
    "  --model FILE           model file (default: the model in the session)\n"
    "                         It is loaded with the options of the recording (--floor, --servo "
    "and\n"
    "                         others), unless some of them are given here. Folders (--root,\n"
    "                         --package) are not in a recording: give them again.\n"
    "\n"
    "  --evidence FILE.mcap   write all that 'heft-check' needs to recompute each step\n"
    "  --plugin FILE.so       a plug-in of the recording; in the same order, if there are "
    "several.\n"
    "  --contact-model FILE.so, --detector FILE.so\n"
    "                         the same, for a plug-in that brings a contact law or a detector.\n"
    "                         Their options come from the recording. Controllers in other\n"
    "                         processes are not needed: the recording holds their answers.\n";

enum { PLUGIN_FILES = 64 };

typedef struct Replay {
  ModelOptions* options;
  PluginOptions plugins;
  const char* files[PLUGIN_FILES];  // of the user
  int file_count;
  const char* model_path;  // NULL: the model in the session
  const char* evidence_path;
  Evidence* evidence;  // from the first step on, or NULL
  HeftReplay* replay;
  HeftStepTally tally;
  int loaded_otherwise;  // the user gave options of loading
  int failed;
} Replay;

// ---- messages

static int stop(Replay* r, const char* what) {
  fprintf(stderr, "heft replay: error: %s\n", what);
  r->failed = 1;
  return 0;
}

// An act of the command: its code is ours, so the recording may name it. It plans with its options,
// which are behind its name.
static int add_builtin(Replay* r, const char* name, const char* item, size_t length,
                       char file[BUILTIN_PATH]) {
  char options[1400] = "";
  const size_t n = strlen(name);
  if (length > n + 1)
    snprintf(options, sizeof options, "%.*s", (int)(length - n - 1), item + n + 1);
  const int added = builtin_model(&r->plugins, "replay", name, options, file);
  if (added < 0) return stop(r, "this version does not have the act of the recording");
  return added > 0 || (r->failed = 1, 0);
}

// Whether an item of the list of plug-ins, "NAME:OPTIONS", has this name.
static int is_named(const char* item, size_t length, const char* name) {
  const size_t n = strlen(name);
  return length >= n && memcmp(item, name, n) == 0 && (length == n || item[n] == ':');
}

// Adds one plug-in of the list. Code is never loaded because a file names it: the user names the
// files. The answers of the controller of a link are in the recording, so that it needs no socket.
// builtin: the act of the recording, or ""; `file` gets its model.
static int add_plugin(Replay* r, const char* item, size_t length, const char* builtin, char* file,
                      int* given) {
  if (is_named(item, length, HEFT_LINK_NAME))
    return plugin_options_add_controller(&r->plugins, "replay", NULL);
  if (*builtin && !*file && is_named(item, length, builtin))
    return add_builtin(r, builtin, item, length, file);
  if (*given < r->file_count)
    return plugin_options_load(&r->plugins, "replay", r->files[(*given)++]);
  ++*given;
  return 1;
}

// The list is "FIRST","SECOND", with \" and \\ in the texts.
static int add_plugins(Replay* r, const HeftSessionStart* start, const char* builtin, char* file) {
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

// ---- hooks of the replay

static HeftStatus refuse(HeftError* error, const char* text) {
  if (error) snprintf(error->message, sizeof error->message, "%s", text);
  return HEFT_ERR_VALUE;
}

static HeftStatus attach(void* user, HeftWorld* world, HeftError* error) {
  const Replay* r = user;
  if (r->evidence)
    return refuse(error, "evidence has one model, but objects were added or removed");
  if (!r->plugins.set) return HEFT_OK;
  return heft_plugin_set_attach(r->plugins.set, world, error);
}

static HeftStatus restore_plugins(void* user, const void* bytes, size_t size, HeftError* error) {
  const Replay* r = user;
  if (!r->plugins.set) return HEFT_OK;
  if (bytes && heft_plugin_set_restore(r->plugins.set, bytes, size) == HEFT_OK) return HEFT_OK;
  char text[300];
  snprintf(text, sizeof text,
           "the data of the plug-ins in the recording does not fit: it is damaged, or they are not "
           "those that it lists, %.150s",
           heft_replay_start(r->replay)->plugins);
  return refuse(error, text);
}

// Plug-ins act as they did: they see the hands of the users, and those that read something from
// outside of the world read it from the recording.
static HeftStatus before_step(void* user, const HeftHand* hands, int count, const void* bytes,
                              size_t size, HeftError* error) {
  Replay* r = user;
  HeftStatus status = HEFT_OK;
  if (r->plugins.set) {
    heft_plugin_set_hands(r->plugins.set, hands, count);
    status = bytes ? heft_plugin_set_replay(r->plugins.set, bytes, size, error)
                   : heft_plugin_set_before_step(r->plugins.set, error);
  }
  if (status != HEFT_OK || !r->evidence_path) return status;
  const HeftWorld* world = heft_replay_world(r->replay);
  if (!r->evidence)
    r->evidence = evidence_open(r->evidence_path, world, &heft_replay_start(r->replay)->world);
  evidence_before(r->evidence, world);
  return r->evidence ? HEFT_OK : refuse(error, "no evidence");
}

static void after_step(void* user, const HeftStepReport* report) {
  Replay* r = user;
  if (heft_step_taken(report->status))
    evidence_after(r->evidence, heft_replay_world(r->replay), report);
  plugin_options_after_step(&r->plugins, report);
}

static HeftModel* load_part(void* user, const char* file) {
  return model_options_load(((Replay*)user)->options, file);
}

// ---- the model

// The model of the session, or the user's.
static HeftModel* load_model(Replay* r, const char* path) {
  const HeftSessionStart* start = heft_replay_start(r->replay);
  HeftModel* model = NULL;
  HeftError error = {0};
  if (!r->model_path && !r->loaded_otherwise) {
    const HeftStatus status = heft_replay_stored_model(r->replay, &model, &error);
    if (status == HEFT_OK) return model;
    if (status != HEFT_ERR_NAME) return stop(r, error.message), NULL;
  }
  model_options_use(r->options, &start->loading);
  model = model_options_load(r->options, r->model_path ? r->model_path : path);
  if (!model)
    stop(r, start->loading.folders
                ? "the model of the session was not loaded; it was recorded with --root or "
                  "--package: give them again"
                : "the model of the session was not loaded; name it with --model FILE");
  return model;
}

static int begin(Replay* r) {
  const HeftSessionStart* start = heft_replay_start(r->replay);
  const size_t prefix = strlen(HEFT_SESSION_BUILTIN);
  const int builtin = strncmp(start->model, HEFT_SESSION_BUILTIN, prefix) == 0;
  const HeftReplayHooks hooks = {.user = r,
                                 .attach = attach,
                                 .start = restore_plugins,
                                 .before_step = before_step,
                                 .after_step = after_step,
                                 .load = load_part};
  HeftError error = {0};
  char file[BUILTIN_PATH] = "";
  if (!add_plugins(r, start, builtin ? start->model + prefix : "", file)) return 0;
  HeftModel* model = load_model(r, builtin ? file : start->model);
  if (!model) return 0;
  return heft_replay_begin(r->replay, model, &hooks, &error) == HEFT_OK || stop(r, error.message);
}

// ---- the file

static int damaged(Replay* r, const char* path, const char* what) {
  fprintf(stderr, "heft replay: error: %s: %s\n", path, what);
  r->failed = 1;
  return 0;
}

static int step_all(Replay* r, const char* path) {
  HeftStepReport report;
  HeftError error = {0};
  const long count = heft_replay_step_count(r->replay);
  Progress progress = progress_begin();
  HeftStatus status = HEFT_OK;
  for (long i = 0; i < count && (status == HEFT_OK || status == HEFT_ERR_CHECKSUM); ++i) {
    progress_show(&progress, path, (double)i / (double)count);
    status = heft_replay_step(r->replay, &report, &error);
    if (status == HEFT_OK || status == HEFT_ERR_CHECKSUM) heft_step_tally_add(&r->tally, &report);
    if (status == HEFT_ERR_CHECKSUM && heft_replay_different(r->replay) == 1) {
      progress_end(&progress);
      printf("step %ld, at %.4f s: the bits differ\n", i + 1, report.time);
    }
  }
  progress_end(&progress);
  if (status != HEFT_OK && status != HEFT_ERR_CHECKSUM) return damaged(r, path, error.message);
  if (!heft_replay_cut_off(r->replay)) return 1;
  printf("%ld steps before the end of the file\n", heft_replay_steps_done(r->replay));
  return damaged(r, path, "the recording was interrupted: the file ends before its last record");
}

static int play(Replay* r, const char* path) {
  HeftError error = {0};
  FILE* opened = fopen(path, "rb");
  if (!opened) return damaged(r, path, strerror(errno)), 1;
  const uint64_t started = heft_clock_ns();
  if (heft_replay_open(&r->replay, opened, &error) != HEFT_OK)
    return damaged(r, path, error.message), 1;
  if (!begin(r) || !step_all(r, path)) return 1;
  const double wall = (double)(heft_clock_ns() - started) * 1e-9;
  const HeftWorld* world = heft_replay_world(r->replay);
  const long different = heft_replay_different(r->replay);
  char text[2000];
  printf("%ld steps, %s; %.3f s in %.2f s, state hash %016llx\n", heft_replay_steps_done(r->replay),
         different == 0 ? "all with the same bits" : "bits differ", *heft_world_state(world)->time,
         wall, (unsigned long long)heft_world_hash(world));
  if (heft_replay_action_count(r->replay) > 0)
    printf("%ld changes of the world\n", heft_replay_action_count(r->replay));
  printf("%s\n", heft_step_tally_text(&r->tally, heft_world_model(world), text, sizeof text));
  return different > 0;
}

int heft_verb_replay(int argc, char** argv) {
  ModelOptions options;
  model_options_init(&options);
  Replay r = {.options = &options};
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
    } else if ((strcmp(argv[i], "--plugin") == 0 || strcmp(argv[i], "--contact-model") == 0 ||
                strcmp(argv[i], "--detector") == 0) &&
               i + 1 < argc && r.file_count < PLUGIN_FILES) {
      r.files[r.file_count++] = argv[++i];
    } else if (strcmp(argv[i], "--evidence") == 0 && i + 1 < argc) {
      r.evidence_path = argv[++i];
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
  r.loaded_otherwise = model_options_given(&options);
  if (result < 0) result = play(&r, path);
  if (!evidence_close(r.evidence)) result = 1;
  plugin_options_release(&r.plugins);
  heft_replay_destroy(r.replay);
  model_options_release(&options);
  return result;
}
