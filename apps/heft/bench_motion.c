// SPDX-License-Identifier: Apache-2.0
// heft bench motion: whole steps of models that move, of Heft and of MuJoCo or Box3D. Means hide
// what an interactive program feels, so every step of a run is timed, and the table lists the long
// ones and the inexact ones. A run is repeated; the same step has the same work in each repeat, so
// its shortest time is the one that the machine disturbed least.
#include <heft/heft.h>
#include <stdio.h>
#include <stdlib.h>

#include "data_folder.h"
#include "measure.h"
#include "motion_cases.h"
#include "motion_steps.h"
#include "motion_table.h"
#include "names.h"
#include "option_names.h"
#include "verbs.h"

static const char help[] =
    "usage: heft bench motion [OPTIONS] [NAME...]\n"
    "Times every step of models that move, with Heft and with MuJoCo (if heft_motion_mujoco was "
    "built).\n"
    "Both get the same random targets and pushes. Islands never sleep here.\n"
    "\n"
    "  NAME                   a model, a motion (stand, fall, random, push), MODEL/MOTION, or a "
    "group\n"
    "                         (default: all robots of HEFT_ROBOTS; without it the group shipped)\n"
    "  --seconds S            simulated time of each case [s] (default: robots 10, heaps less)\n"
    "  --repeat N             identical runs; a step counts with its shortest time (default: "
    "robots 3,\n"
    "                         large heaps 1)\n"
    "  --tolerance T          relative residual (default: as the case says, mostly 1e-6)\n"
    "  --instructions         count instructions with valgrind, too: of the first steps, in heaps "
    "of\n"
    "                         later ones\n"
    "  --counted N            count so many steps (default 300)\n"
    "  --deadline US          give each step so much time [µs], Heft alone\n"
    "  --rollouts N           mean step of N worlds in turn, and of the same runs in one world\n"
    "  --threads N            time of a step with one thread and with N, Heft alone; the results "
    "must\n"
    "                         have the same bits\n"
    "  --alone                no MuJoCo\n"
    "  --mujoco FOLDER        folder of heft_motion_mujoco, built with another MuJoCo\n"
    "                         (default: beside this command; bench/peers/README.md)\n"
    "  --box3d FOLDER         Box3D instead of MuJoCo: folder of heft_peer_box3d. Heaps of balls, "
    "boxes\n"
    "                         and capsules only\n"
    "  --timeout S            max time of MuJoCo for a case [s] (default 60); after 70 % of it,\n"
    "                         MuJoCo begins no more steps\n"
    "  --csv, --markdown, --json  print the table in this form\n"
    "  --quick                few cases, one second of each, once\n"
    "  --models FOLDER        folder of third-party robots (default: HEFT_ROBOTS); 'heft bench "
    "robots'\n"
    "                         lists where they come from\n"
    "  --scenes FOLDER        folder of the scene files (default: HEFT_SCENES, or as installed)\n";

enum { NAMES_MAX = 64 };

typedef struct MotionOptions {
  MotionFolders folders;
  MotionTable table;
  const char* mujoco;  ///< folder of the peer; NULL: beside the command
  const char* box3d;   ///< the same of Box3D; NULL: the peer is MuJoCo
  PeerProgram peer;
  const char* names[NAMES_MAX];
  int name_count, instructions, counted, alone, quick;
  int repeats;                ///< 0: from the case
  int worlds;                 ///< of rollouts; 0: none
  int threads;                ///< of a world, compared with one; 0: none
  int ran;                    ///< cases whose model was found
  int count_steps;            ///< of the process that valgrind counts; -1: this is none
  double seconds, tolerance;  ///< 0: from the case
  double timeout;
} MotionOptions;

static int is_wanted(const MotionOptions* o, const MotionModel* model, MotionKind kind) {
  const int bit = 1 << kind;
  if (!(model->kinds & bit)) return 0;
  for (int i = 0; i < o->name_count; ++i) {
    if (motion_means(o->names[i], model, kind)) return 1;
  }
  if (o->name_count > 0) return 0;
  if (o->quick) return (model->quick & bit) != 0;
  return strcmp(model->group, o->folders.models ? "robots" : "shipped") == 0;
}

static int wants_robot(const MotionOptions* o) {
  int found = 0;
  for (int i = 0; i < motion_model_count; ++i) {
    for (int kind = 0; kind < MOTION_KIND_COUNT; ++kind)
      found |=
          motion_is_robot(motion_models + i) && is_wanted(o, motion_models + i, (MotionKind)kind);
  }
  return found;
}

static MotionRun make_run(const MotionOptions* o, const MotionModel* model, MotionKind kind) {
  const int repeats = model->repeats > 0 ? model->repeats : 3;
  MotionRun run = {.kind = kind,
                   .push = model->push,
                   .control = model->control != 0 ? model->control : (double)NAN,
                   .seconds = model->seconds > 0 ? model->seconds : 10,
                   .steps = -1,
                   .repeats = o->repeats > 0 ? o->repeats : repeats,
                   .key = model->key,
                   .held = (model->held >> kind) & 1,
                   .counted_from = -1,
                   .budget = 0.7 * o->timeout};
  if (o->seconds > 0) run.seconds = o->seconds;
  if (o->quick) run.seconds = fmin(run.seconds, 1);
  if (o->quick) run.repeats = 1;
  return run;
}

// A case that is at hand.
typedef struct MotionCase {
  const MotionModel* model;
  char name[64], path[MOTION_PATH];
  MotionRun run;
  double tolerance;
} MotionCase;

// ---- instructions

// Of a process that makes the first steps of the case, and counts from one of them on.
static double count_heft(const MotionCase* c, int steps) {
  char self[512], command[1024];
  if (!program_path(self, sizeof self)) return -1;
  snprintf(command, sizeof command, "'%s' bench motion --alone --tolerance %.17g --count %d %s",
           self, c->tolerance, steps, c->name);
  return measure_command(command, true);
}

static void count_both(const MotionOptions* o, const MotionCase* c, MotionSteps* heft,
                       MotionSteps* peer) {
  const int from = c->model->counted_from;
  const int steps = heft->count < from + o->counted ? heft->count : from + o->counted;
  if (steps <= from) return;
  heft->instructions = fmax(0, count_heft(c, steps)) / (steps - from);
  if (!peer || peer->reason[0] || peer->count < steps) return;
  MotionRun run = c->run;
  run.repeats = 1;
  run.steps = steps;
  run.counted_from = from;
  run.budget = 0;
  peer->instructions = fmax(0, motion_peer_instructions(&o->peer, c->path, &run)) / (steps - from);
}

// The process that is counted.
static void run_counted(const MotionOptions* o, MotionCase* c) {
  MotionSteps steps = {0};
  c->run.steps = o->count_steps;
  c->run.counted_from = c->model->counted_from;
  c->run.repeats = 1;
  c->run.threads = o->threads;
  motion_heft(&steps, c->name, c->path, &c->run, c->tolerance, 0);
  motion_steps_free(&steps);
}

// ---- many worlds

// Both engines: so many runs one after another in one world, and in turn in as many worlds.
static int run_worlds(MotionOptions* o, const MotionCase* c) {
  double us[2][2] = {{0}};
  for (int i = 0; i < 2; ++i) {
    MotionRun run = c->run;
    run.worlds = i ? o->worlds : -o->worlds;
    run.seconds = o->seconds > 0 ? o->seconds : 0.2;
    us[0][i] = motion_heft_worlds(c->path, &run, c->tolerance);
    if (!o->alone) us[1][i] = motion_peer_worlds(&o->peer, c->path, &run, o->timeout);
  }
  motion_table_worlds(&o->table, c->name, us);
  return us[0][0] > 0 && us[0][1] > 0;
}

// ---- threads of a world

static int run_threads(MotionOptions* o, const MotionCase* c) {
  MotionThreads result = {.threads = o->threads};
  motion_heft_threads(&result, c->path, &c->run, c->tolerance);
  motion_table_threads(&o->table, c->name, &result);
  return !result.reason[0] && result.same;
}

// ---- a case

// 0: Heft failed.
static int run_both(MotionOptions* o, const MotionCase* c) {
  MotionSteps heft = {0}, peer = {0};
  motion_heft(&heft, c->name, c->path, &c->run, c->tolerance, o->table.deadline_us);
  if (!o->alone) motion_peer(&peer, &o->peer, c->path, &c->run, o->timeout);
  if (peer.end && !peer.reason[0] && peer.count == heft.count)  // ends at the same time
    motion_heft_end(&peer, c->path, &c->run);
  if (o->instructions) count_both(o, c, &heft, o->alone ? NULL : &peer);
  motion_table_row(&o->table, c->name, &heft, o->alone ? NULL : &peer);
  const int fine = !heft.reason[0] && !heft.changed;
  motion_steps_free(&heft);
  motion_steps_free(&peer);
  return fine;
}

static int run_case(MotionOptions* o, const MotionModel* model, MotionKind kind) {
  int fine = 1;
  MotionCase c = {.model = model,
                  .run = make_run(o, model, kind),
                  .tolerance = o->tolerance > 0 ? o->tolerance : model->tolerance};
  motion_case_name(model, kind, c.name, sizeof c.name);
  if (!motion_model_open(model, &o->folders, c.path)) {
    motion_table_skip(&o->table, c.name, "its model was not found (heft bench robots)");
    return 1;
  }
  ++o->ran;
  if (o->count_steps >= 0) {
    run_counted(o, &c);
  } else if (o->threads > 0) {
    fine = run_threads(o, &c);
  } else if (o->worlds > 0) {
    fine = run_worlds(o, &c);
  } else {
    fine = run_both(o, &c);
  }
  motion_model_close(model, c.path);
  return fine;
}

// ---- options

static int take_flag(MotionOptions* o, const char* name) {
  if (strcmp(name, "--instructions") == 0) return o->instructions = 1;
  if (strcmp(name, "--alone") == 0) return o->alone = 1;
  if (strcmp(name, "--quick") == 0) return o->quick = 1;
  if (strcmp(name, "--csv") == 0) return (o->table.format = MOTION_CSV) != 0;
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
  if (strcmp(name, "--mujoco") == 0) return (o->mujoco = value) != NULL;
  if (strcmp(name, "--box3d") == 0) return (o->box3d = value) != NULL;
  if (strcmp(name, "--scenes") == 0) return (o->folders.scenes = value) != NULL;
  if (strcmp(name, "--rollouts") == 0) return (o->worlds = atoi(value)) > 0;
  if (strcmp(name, "--threads") == 0) return (o->threads = atoi(value)) > 0;
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
    return option_names_wrong("bench motion", help, "", argv[i]);
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

static int find_peer(MotionOptions* o) {
  return o->box3d ? peer_program_find(&o->peer, "Box3D", "heft_peer_box3d", o->box3d)
                  : peer_program_find(&o->peer, "MuJoCo", "heft_motion_mujoco", o->mujoco);
}

int heft_bench_motion(int argc, char** argv) {
  char folder[1024];
  MotionOptions o = {.folders = {.models = getenv("HEFT_ROBOTS")},
                     .counted = 300,
                     .count_steps = -1,
                     .timeout = 60};
  const int asked = read_options(&o, argc, argv);
  if (asked == 0) return 2;
  if (asked == 2) return print_help();
  if (!all_exist(&o)) return 2;
  if (o.table.deadline_us > 0) o.alone = o.repeats = 1;              // runs with a deadline differ
  if (o.folders.models) setenv("HEFT_ROBOTS", o.folders.models, 1);  // for the counted process
  if (!o.folders.scenes) o.folders.scenes = scene_folder(folder, sizeof folder);
  if (o.threads > 0) o.alone = 1;
  if (!o.alone && !find_peer(&o)) {
    if (o.mujoco || o.box3d) return 1;
    o.alone = 1;
  }
  o.table.peer = o.alone ? "MuJoCo" : o.peer.name;
  int fine = 1;
  o.table.worlds = o.worlds;
  o.table.ends = !wants_robot(&o);
  o.table.threads = o.threads;
  if (o.count_steps < 0) motion_table_begin(&o.table);
  for (int i = 0; i < motion_model_count; ++i) {
    for (int kind = 0; kind < MOTION_KIND_COUNT; ++kind) {
      if (is_wanted(&o, motion_models + i, (MotionKind)kind))
        fine &= run_case(&o, motion_models + i, (MotionKind)kind);
    }
  }
  if (o.count_steps < 0) motion_table_end(&o.table);
  if (o.ran > 0) return fine ? 0 : 1;
  fprintf(
      stderr,
      "heft bench motion: error: no case ran, since no model was found; 'heft bench robots' says "
      "where they are\n");
  return 1;
}
