// SPDX-License-Identifier: Apache-2.0
// heft bench motion: whole steps of models that move, of Heft and of MuJoCo. Means hide what an
// interactive program feels, so every step of a run is timed, and the table tells the long ones and
// the inexact ones. A run is repeated; the same step has the same work in each repeat, so its
// shortest time is the one that the machine disturbed least.
#include <heft/heft.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "data_folder.h"
#include "measure.h"
#include "motion_cases.h"
#include "motion_steps.h"
#include "motion_table.h"
#include "names.h"
#include "verbs.h"

static const char help[] =
    "usage: heft bench motion [OPTIONS] [NAME...]\n"
    "Times every step of models that move, with Heft and with MuJoCo (if heft_motion_mujoco was "
    "built).\n"
    "Both get the same random targets and pushes. Islands never sleep here.\n"
    "\n"
    "  NAME                   a model, a motion (stand, fall, random, push), MODEL/MOTION, or a "
    "group\n"
    "                         (default: all robots)\n"
    "  --seconds S            simulated time of each case [s] (default 10)\n"
    "  --repeat N             identical runs; a step counts with its shortest time (default 3)\n"
    "  --tolerance T          relative residual (default: as the case says, mostly 1e-6)\n"
    "  --instructions         count the instructions of the first steps with valgrind, too\n"
    "  --counted N            so many of them (default 300)\n"
    "  --deadline US          give each step so much time [µs], Heft alone\n"
    "  --alone                no MuJoCo\n"
    "  --timeout S            max time of MuJoCo for a case [s] (default 300)\n"
    "  --csv, --json, --markdown  print the table in this form\n"
    "  --quick                few cases, one second of each, once\n"
    "  --models FOLDER        folder of third-party robots (default: HEFT_MODELS)\n"
    "  --scenes FOLDER        folder of the scene files (default: HEFT_SCENES, or as installed)\n";

enum { NAMES_MAX = 64 };

typedef struct MotionOptions {
  MotionFolders folders;
  MotionTable table;
  const char* names[NAMES_MAX];
  int name_count, repeats, instructions, counted, alone, quick;
  int count_steps;  ///< of the process that valgrind counts; -1: this is none
  double seconds, tolerance, timeout;
} MotionOptions;

static void case_name(char out[64], const MotionModel* model, MotionKind kind) {
  snprintf(out, 64, "%s/%s", model->name, motion_kind_names[kind]);
}

static int is_wanted(const MotionOptions* o, const MotionModel* model, MotionKind kind) {
  const int bit = 1 << kind;
  if (!(model->kinds & bit)) return 0;
  for (int i = 0; i < o->name_count; ++i) {
    if (motion_means(o->names[i], model, kind)) return 1;
  }
  if (o->name_count > 0) return 0;
  return o->quick ? (model->quick & bit) != 0 : strcmp(model->group, "robots") == 0;
}

static MotionRun make_run(const MotionOptions* o, const MotionModel* model, MotionKind kind) {
  return (MotionRun){.kind = kind,
                     .push = model->push,
                     .control = NAN,
                     .seconds = o->seconds,
                     .steps = -1,
                     .repeats = o->repeats,
                     .key = model->key,
                     .held = (model->held >> kind) & 1};
}

// ---- instructions: the difference between a run with steps and one without

static double count_heft(const char* name, double tolerance, int steps) {
  char self[512], command[1024];
  const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
  if (length <= 0) return -1;
  self[length] = '\0';
  snprintf(command, sizeof command, "'%s' bench motion --alone --tolerance %.17g --count %d %s",
           self, tolerance, steps, name);
  return measure_command(command);
}

static double per_step(double with, double without, int steps) {
  return with > 0 && without > 0 && with > without ? (with - without) / steps : 0;
}

static void count_both(const MotionOptions* o, const char* name, const char* path, MotionRun run,
                       MotionSteps* heft, MotionSteps* peer) {
  const int steps = heft->count < o->counted ? heft->count : o->counted;
  heft->counted = steps;
  heft->instructions = per_step(count_heft(name, heft->tolerance, steps),
                                count_heft(name, heft->tolerance, 0), steps);
  if (!peer || peer->reason[0]) return;
  run.repeats = 1;
  run.steps = steps;
  const double with = motion_peer_instructions(path, &run);
  run.steps = 0;
  peer->counted = steps;
  peer->instructions = per_step(with, motion_peer_instructions(path, &run), steps);
}

// ---- a case

// 0: Heft failed.
static int run_case(MotionOptions* o, const MotionModel* model, MotionKind kind) {
  char name[64], path[1200];
  MotionSteps heft = {0}, peer = {0};
  case_name(name, model, kind);
  if (!motion_model_path(model, &o->folders, path, sizeof path)) {
    motion_table_skip(&o->table, name, "its model was not found (set HEFT_MODELS)");
    return 1;
  }
  const double tolerance = o->tolerance > 0 ? o->tolerance : model->tolerance;
  MotionRun run = make_run(o, model, kind);
  if (o->count_steps >= 0) {
    run.steps = o->count_steps;
    run.repeats = 1;
    motion_heft(&heft, name, path, &run, tolerance, 0);
    motion_steps_free(&heft);
    return 1;
  }
  motion_heft(&heft, name, path, &run, tolerance, o->table.deadline_us);
  if (!o->alone) motion_peer(&peer, path, &run, o->timeout);
  if (o->instructions) count_both(o, name, path, run, &heft, o->alone ? NULL : &peer);
  motion_table_row(&o->table, name, &heft, o->alone ? NULL : &peer);
  const int fine = !heft.reason[0] && !heft.changed;
  motion_steps_free(&heft);
  motion_steps_free(&peer);
  return fine;
}

// ---- options

static int take_flag(MotionOptions* o, const char* name) {
  if (strcmp(name, "--instructions") == 0) return o->instructions = 1;
  if (strcmp(name, "--alone") == 0) return o->alone = 1;
  if (strcmp(name, "--quick") == 0) return o->quick = 1;
  if (strcmp(name, "--csv") == 0) return (o->table.format = MOTION_CSV) != 0;
  if (strcmp(name, "--json") == 0) return (o->table.format = MOTION_JSON) != 0;
  if (strcmp(name, "--markdown") == 0) return (o->table.format = MOTION_MARKDOWN) != 0;
  return 0;
}

static int take_value(MotionOptions* o, const char* name, const char* value) {
  if (strcmp(name, "--seconds") == 0) return (o->seconds = strtod(value, NULL)) > 0;
  if (strcmp(name, "--repeat") == 0) return (o->repeats = atoi(value)) > 0;
  if (strcmp(name, "--tolerance") == 0) return (o->tolerance = strtod(value, NULL)) > 0;
  if (strcmp(name, "--counted") == 0) return (o->counted = atoi(value)) > 0;
  if (strcmp(name, "--deadline") == 0) return (o->table.deadline_us = strtod(value, NULL)) > 0;
  if (strcmp(name, "--timeout") == 0) return (o->timeout = strtod(value, NULL)) > 0;
  if (strcmp(name, "--models") == 0) return (o->folders.models = value) != NULL;
  if (strcmp(name, "--scenes") == 0) return (o->folders.scenes = value) != NULL;
  if (strcmp(name, "--count") == 0) return (o->count_steps = atoi(value)) >= 0;
  return 0;
}

static int take_name(MotionOptions* o, const char* name) {
  if (o->name_count == NAMES_MAX) return 0;
  o->names[o->name_count++] = name;
  return 1;
}

static int read_options(MotionOptions* o, int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    if (strcmp(argv[i], "--help") == 0) return 2;
    if (argv[i][0] != '-' && take_name(o, argv[i])) continue;
    if (argv[i][0] == '-' && take_flag(o, argv[i])) continue;
    if (argv[i][0] == '-' && i + 1 < argc && take_value(o, argv[i], argv[i + 1])) {
      ++i;
      continue;
    }
    fprintf(stderr,
            "heft bench motion: unknown option '%s', or its value is wrong; try 'heft bench motion "
            "--help'\n",
            argv[i]);
    return 0;
  }
  return 1;
}

static const char* model_name(const void* from, int index) {
  (void)from;
  return motion_models[index].name;
}

// 0: a given name means no case (reported).
static int all_exist(const MotionOptions* o) {
  for (int i = 0; i < o->name_count; ++i) {
    int found = 0;
    for (int k = 0; k < motion_model_count; ++k) {
      for (int kind = 0; kind < MOTION_KIND_COUNT; ++kind)
        found |= (motion_models[k].kinds >> kind & 1) &&
                 motion_means(o->names[i], motion_models + k, (MotionKind)kind);
    }
    if (!found)
      return names_wrong("bench motion", "unknown case", o->names[i],
                         (Names){model_name, NULL, motion_model_count});
  }
  return 1;
}

static int print_help(void) {
  printf("%s\n", help);
  for (int i = 0; i < motion_model_count; ++i)
    printf("  %-14s %s\n", motion_models[i].name, motion_models[i].text);
  return 0;
}

int heft_bench_motion(int argc, char** argv) {
  char folder[1024];
  MotionOptions o = {.folders = {.models = getenv("HEFT_MODELS")},
                     .repeats = 3,
                     .counted = 300,
                     .count_steps = -1,
                     .seconds = 10,
                     .timeout = 300};
  const int asked = read_options(&o, argc, argv);
  if (asked == 0) return 2;
  if (asked == 2) return print_help();
  if (!all_exist(&o)) return 2;
  if (o.quick) o.seconds = fmin(o.seconds, 1), o.repeats = 1;
  if (o.table.deadline_us > 0) o.alone = o.repeats = 1;              // runs with a deadline differ
  if (o.folders.models) setenv("HEFT_MODELS", o.folders.models, 1);  // for the counted process
  if (!o.folders.scenes) o.folders.scenes = scene_folder(folder, sizeof folder);
  if (!o.alone && !motion_peer_exists()) {
    fprintf(stderr, "MuJoCo is missing (heft_motion_mujoco was not built)\n");
    o.alone = 1;
  }
  int fine = 1;
  if (o.count_steps < 0) motion_table_begin(&o.table);
  for (int i = 0; i < motion_model_count; ++i) {
    for (int kind = 0; kind < MOTION_KIND_COUNT; ++kind) {
      if (is_wanted(&o, motion_models + i, (MotionKind)kind))
        fine &= run_case(&o, motion_models + i, (MotionKind)kind);
    }
  }
  if (o.count_steps < 0) motion_table_end(&o.table);
  return fine ? 0 : 1;
}
