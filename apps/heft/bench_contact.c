// SPDX-License-Identifier: Apache-2.0
// heft bench contact: complete steps with contact, from collision to certificate.
#include <heft/heft.h>
#include <heft/io.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "data_folder.h"
#include "joint_springs.h"
#include "json_rows.h"
#include "measure.h"
#include "names.h"
#include "option_names.h"
#include "peers.h"
#include "piece_cache.h"
#include "scenes/motion.h"
#include "validation/engine.h"
#include "verbs.h"

static const char help[] =
    "usage: heft bench contact [OPTIONS] [NAME...]\n"
    "Times complete steps with contact: collision, dynamics, contact forces, certificate. Each "
    "scene\n"
    "comes to rest first; then single steps are timed.\n"
    "\n"
    "  NAME                   one of the scenes (default: all)\n"
    "  --steps N              timed steps (default 500)\n"
    "  --instructions         count instructions with valgrind, too\n"
    "  --peers                time the other engines that were built (bench/peers)\n"
    "  --mujoco FOLDER        folder of heft_peer_mujoco, built with another MuJoCo (default: "
    "beside\n"
    "                         this command; bench/peers/README.md)\n"
    "  --box3d FOLDER         folder of heft_peer_box3d (default: beside this command)\n"
    "  --timeout S            max time of another engine for a scene [s] (default 120)\n"
    "  --models FOLDER        folder of third-party robots (default: HEFT_ROBOTS)\n"
    "  --scenes FOLDER        folder of the scene files (default: HEFT_SCENES, or as installed)\n";

typedef struct BenchCase {
  const char *name, *text;
  const char* file;  ///< of the scenes; with the prefix models/: a third-party model
  double tolerance;
  double step;       ///< [s]; 0: of the file
  double goal_us;    ///< 0: none
  double offset;     ///< between copies [m]
  double decompose;  ///< > 0: its meshes collide as convex pieces with this error [m]
  const char* of;    ///< the case that it is compared with; NULL: none
  int copies;        ///< of its first body, in a row; 0: as it is
  int stiff;         ///< 1: springs and dampers hold its joints
  int settle;        ///< steps before timing
  int peers;         ///< 1: other engines are timed, too
} BenchCase;

static const BenchCase bench_cases[] = {
    {"humanoid27", "MuJoCo's humanoid of 27 DoF, standing",
     "models/mjcf/mujoco/humanoid/humanoid.xml", .stiff = 1, .tolerance = 1e-6, .settle = 500,
     .goal_us = 10, .peers = 1},
    {"g1", "Unitree G1, standing", "models/mjcf/unitree_g1/scene.xml", .stiff = 1,
     .tolerance = 1e-6, .settle = 500, .goal_us = 20, .peers = 1},
    {"g1-pieces", "the same, its meshes as convex pieces", "models/mjcf/unitree_g1/scene.xml",
     .stiff = 1, .tolerance = 1e-6, .settle = 500, .decompose = 0.005, .of = "g1"},
    {"talos", "PAL Talos, standing", "models/mjcf/pal_talos/scene_motor.xml", .stiff = 1,
     .tolerance = 1e-6, .settle = 500},
    {"talos-pieces", "the same, its meshes as convex pieces",
     "models/mjcf/pal_talos/scene_motor.xml", .stiff = 1, .tolerance = 1e-6, .settle = 500,
     .decompose = 0.005, .of = "talos"},
    {"softfoot", "IIT Softfoot, standing", "models/mjcf/iit_softfoot/scene.xml", .stiff = 1,
     .tolerance = 1e-6, .settle = 500},
    {"softfoot-pieces", "the same, its meshes as convex pieces",
     "models/mjcf/iit_softfoot/scene.xml", .stiff = 1, .tolerance = 1e-6, .settle = 500,
     .decompose = 0.005, .of = "softfoot"},
    {"humanoid8", "humanoid of 36 DoF on 8 contacts", "humanoid_8.xml", .tolerance = 1e-6,
     .settle = 1000, .peers = 1},
    {"humanoid40", "humanoid of 36 DoF on 40 contacts", "humanoid_40.xml", .tolerance = 1e-6,
     .settle = 1000, .goal_us = 60, .peers = 1},
    {"humanoid120", "humanoid of 36 DoF on 120 contacts", "humanoid_120.xml", .tolerance = 1e-6,
     .settle = 1000, .goal_us = 200, .peers = 1},
    {"humanoids100", "100 humanoids of 36 DoF on 8 contacts", "humanoid_8.xml", .copies = 100,
     .offset = 1.5, .tolerance = 1e-6, .settle = 200},
    {"pyramid", "pyramid of 120 boxes", "pyramid.xml", .step = 0.001, .tolerance = 1e-6,
     .settle = 300, .goal_us = 1000, .peers = 1},
    {"pyramid4", "the same, solved to 1e-4 only", "pyramid.xml", .step = 0.001, .tolerance = 1e-4,
     .settle = 20, .goal_us = 1000},
    {"pile", "pile of 700 balls", "load/balls_700.xml", .tolerance = 1e-3, .settle = 400,
     .goal_us = 2000, .peers = 1},
    {"boxes", "250 separate boxes", "boxes.xml", .tolerance = 1e-6, .settle = 100, .goal_us = 300,
     .peers = 1},
    {"boxes25", "25 separate boxes", "slope.xml", .copies = 25, .offset = 0.3, .tolerance = 1e-6,
     .settle = 100},
    {"boxes125", "125 separate boxes", "slope.xml", .copies = 125, .offset = 0.3, .tolerance = 1e-6,
     .settle = 100},
    {"boxes500", "500 separate boxes", "slope.xml", .copies = 500, .offset = 0.3, .tolerance = 1e-6,
     .settle = 100},
    {"boxes1250", "1250 separate boxes", "slope.xml", .copies = 1250, .offset = 0.3,
     .tolerance = 1e-6, .settle = 100},
};
static const int bench_case_count = (int)(sizeof bench_cases / sizeof *bench_cases);

enum { NAMES_MAX = 32 };

typedef struct BenchOptions {
  const char *scenes, *models;
  const char* names[NAMES_MAX];
  const char *mujoco, *box3d;  ///< folders of peers; NULL: beside the command
  int name_count, steps, instructions, peers;
  double timeout;  ///< of a peer, for one scene [s]
  long repeat;     ///< of the child process that valgrind counts
} BenchOptions;

// ---- models

// The text of a scene with its first body inside <replicate>. NULL if it has no body.
static char* replicate(const char* path, int copies, double offset, size_t* length) {
  FILE* file = fopen(path, "rb");
  if (!file) return NULL;
  char* text = calloc(1, 1 << 20);
  char* out = calloc(1, (1 << 20) + 256);
  const size_t size = text ? fread(text, 1, (1 << 20) - 1, file) : 0;
  fclose(file);
  char* body = text && size ? strstr(text, "<body ") : NULL;
  char* end = body ? strstr(body, "</worldbody>") : NULL;
  if (out && end) {
    *length = (size_t)snprintf(
        out, (1 << 20) + 256, "%.*s<replicate count=\"%d\" offset=\"0 %g 0\">%.*s</replicate>%s",
        (int)(body - text), text, copies, offset, (int)(end - body), body, end);
  }
  free(text);
  if (out && *length > 0) return out;
  free(out);
  return NULL;
}

// The path of the file. 0 if it is a third-party model that is not installed.
static int case_path(const BenchCase* c, const BenchOptions* o, char* path, size_t size) {
  const int foreign = strncmp(c->file, "models/", 7) == 0;
  if (foreign && !o->models) return 0;
  snprintf(path, size, "%s/%s", foreign ? o->models : o->scenes, foreign ? c->file + 7 : c->file);
  return !foreign || access(path, R_OK) == 0;
}

static HeftModel* load_case(const BenchCase* c, const BenchOptions* o) {
  char path[1200];
  HeftError error = {0};
  HeftModel* model = NULL;
  HeftLoadDef def = heft_load_def_default();
  def.decompose = c->decompose;
  def.piece_store = &piece_cache;
  if (!case_path(c, o, path, sizeof path)) return NULL;
  if (c->copies > 0) {
    size_t length = 0;
    char* text = replicate(path, c->copies, c->offset, &length);
    if (text) heft_model_load_bytes(&model, text, length, path, &def, &error);
    free(text);
  } else {
    heft_model_load_file(&model, path, &def, &error);
  }
  if (!model) fprintf(stderr, "heft bench contact: error: %s: %s\n", path, error.message);
  if (model && c->stiff) joint_springs_add(model, motion_held_stiffness, motion_held_damping);
  return model;
}

static HeftWorld* open_case(const BenchCase* c, const HeftModel* m) {
  HeftWorldDef def = heft_world_def_default();
  HeftError error = {0};
  HeftWorld* w = NULL;
  def.tolerance = c->tolerance;
  def.time_step = c->step;
  if (heft_world_create(&w, m, &def, &error) != HEFT_OK)
    fprintf(stderr, "heft bench contact: error: %s\n", error.message);
  return w;
}

// ---- measuring

typedef struct Timing {
  double min, middle, relative, contacts, sweeps, newton_steps;
  long uncertified;
} Timing;

static int compare(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

static Timing time_steps(HeftWorld* w, int steps, double tolerance) {
  Timing t = {0};
  double* us = calloc((size_t)steps, sizeof *us);
  if (!us) return t;
  for (int i = 0; i < steps; ++i) {
    const uint64_t start = heft_clock_ns();
    const HeftStepReport r = heft_world_step(w);
    us[i] = 1e-3 * (double)(heft_clock_ns() - start);
    t.relative = fmax(t.relative, r.relative);
    t.uncertified += !(r.relative <= tolerance);
    t.contacts += (double)r.contact_count / steps;
    t.sweeps += (double)r.sweeps / steps;
    t.newton_steps += (double)r.newton_steps / steps;
  }
  qsort(us, (size_t)steps, sizeof *us, compare);
  t.min = us[0];
  t.middle = us[steps / 2];
  free(us);
  return t;
}

static void settle(HeftWorld* w, const BenchCase* c) {
  const int show = isatty(STDERR_FILENO);
  for (int i = 0; i < c->settle; ++i) {
    heft_world_step(w);
    if (show && i % 50 == 0) fprintf(stderr, "\r%s %d %% ", c->name, 100 * i / c->settle);
  }
  if (show) fprintf(stderr, "\r%40s\r", "");
}

static int time_peer(Engine* e, const BenchCase* c, const char* path, double times[3]) {
  enum { TIMED = 50 };
  const int steps = c->settle < 300 ? c->settle : 300;
  EngineSettings s = engine_settings();
  if (c->step > 0) s.step = c->step;
  if (!e->type->open(e, path, &s)) return 0;
  if (c->stiff && !engine_pipe_hold(e, motion_held_stiffness, motion_held_damping)) return 0;
  return e->type->step(e, steps) && engine_pipe_time(e, TIMED, times);
}

static void print_peers(const BenchCase* c, const BenchOptions* o, const Peers* peers) {
  char path[1200];
  if (!c->peers || !case_path(c, o, path, sizeof path)) return;
  for (int i = 0; i < peers->count; ++i) {
    Engine e = {.type = &engine_pipe,
                .name = peers->peer[i].name,
                .command = peers->peer[i].command,
                .until_ns = heft_clock_ns() + (uint64_t)(1e9 * o->timeout)};
    double times[3] = {0};
    if (time_peer(&e, c, path, times)) {
      json_row_begin(c->name);
      json_row_text("engine", e.name);
      json_row_number("contacts", times[2]);
      json_row_number("min_us", times[0]);
      json_row_number("median_us", times[1]);
      json_row_end();
      printf("  %-14s min %10.1f  median %10.1f µs, %.0f contacts\n", e.name, times[0], times[1],
             times[2]);
    } else {
      printf("  %-14s %s\n", e.name, e.reason);
    }
    fflush(stdout);
    engine_pipe_end(&e);
  }
}

static double print_instructions(const char* name) {
  const double count = measure_instructions("contact", name, 20);
  if (count > 0) json_row_number("instructions", count);
  if (count > 0) printf("  %.0f instructions", count);
  if (!(count > 0)) printf("  instructions not counted: %s", measure_instructions_failure());
  return count;
}

/// Measurements of each case, by its number: median [µs] and instructions; 0: not yet.
typedef struct Measured {
  double median, instructions;
} Measured;

static void print_ratio(const BenchCase* c, Measured* all, Measured now) {
  for (int i = 0; i < bench_case_count; ++i) {
    const BenchCase* other = &bench_cases[i];
    if (other == c) all[i] = now;
    if (!c->of || strcmp(other->name, c->of) != 0 || !(all[i].median > 0)) continue;
    const double instructions = now.instructions / all[i].instructions;
    printf("  %.2f times the median of %s", now.median / all[i].median, c->of);
    json_row_number("ratio_median", now.median / all[i].median);
    if (!(instructions > 0)) continue;
    printf(", %.2f times its instructions", instructions);
    json_row_number("ratio_instructions", instructions);
  }
}

static void write_row(const BenchCase* c, const Timing* t, const BenchOptions* o) {
  json_row_begin(c->name);
  json_row_text("engine", "heft");
  json_row_text("text", c->text);
  json_row_number("contacts", t->contacts);
  json_row_number("min_us", t->min);
  json_row_number("median_us", t->middle);
  json_row_number("relative", t->relative);
  json_row_number("sweeps", t->sweeps);
  json_row_number("newton_steps", t->newton_steps);
  json_row_number("steps", o->steps);
  json_row_number("uncertified", (double)t->uncertified);
  if (c->goal_us > 0) json_row_number("goal_us", c->goal_us);
}

static void run_case(const BenchCase* c, const BenchOptions* o, const Peers* peers,
                     Measured* measured) {
  HeftModel* m = load_case(c, o);
  if (!m) {
    printf("%-13s skipped: its model was not found (set HEFT_ROBOTS)\n", c->name);
    return;
  }
  HeftWorld* w = open_case(c, m);
  if (w) {
    settle(w, c);
    if (o->repeat > 0) {
      for (long i = 0; i < o->repeat; ++i) heft_world_step(w);
    } else {
      const Timing t = time_steps(w, o->steps, c->tolerance);
      write_row(c, &t, o);
      printf("%-13s %8.1f %9.1f %9.1f %9.3f %8.1e %7.1f %6.2f", c->name, t.contacts, t.min,
             t.middle, t.min / fmax(1, t.contacts), t.relative, t.sweeps, t.newton_steps);
      if (c->goal_us > 0)
        printf("  goal %.0f µs %s", c->goal_us, t.min <= c->goal_us ? "met" : "missed");
      if (t.uncertified > 0)
        printf("  (%ld of %d steps not to tolerance)", t.uncertified, o->steps);
      const double count = o->instructions ? print_instructions(c->name) : 0;
      print_ratio(c, measured, (Measured){t.middle, count > 0 ? count : 0});
      json_row_end();
      printf("  %s\n", c->text);
      print_peers(c, o, peers);
    }
  }
  fflush(stdout);
  heft_world_destroy(w);
  heft_model_destroy(m);
}

// ---- options

static int take_case(BenchOptions* o, const char* name) {
  if (o->name_count == NAMES_MAX) return 0;
  o->names[o->name_count++] = name;
  return 1;
}

static int take_option(BenchOptions* o, const char* name, const char* value) {
  if (strcmp(name, "--scenes") == 0) return (o->scenes = value) != NULL;
  if (strcmp(name, "--models") == 0) return (o->models = value) != NULL;
  if (strcmp(name, "--mujoco") == 0) return (o->mujoco = value) != NULL;
  if (strcmp(name, "--box3d") == 0) return (o->box3d = value) != NULL;
  if (strcmp(name, "--steps") == 0) return (o->steps = atoi(value)) > 0;
  if (strcmp(name, "--timeout") == 0) return (o->timeout = strtod(value, NULL)) > 0;
  if (strcmp(name, "--repeat") == 0) return (o->repeat = atol(value)) > 0;
  if (strcmp(name, "--case") == 0) return take_case(o, value);
  return 0;
}

static int read_options(BenchOptions* o, int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    if (strcmp(argv[i], "--help") == 0) return 2;
    if (strcmp(argv[i], "--instructions") == 0) {
      o->instructions = 1;
    } else if (strcmp(argv[i], "--peers") == 0) {
      o->peers = 1;
    } else if (argv[i][0] == '-' && i + 1 < argc && take_option(o, argv[i], argv[i + 1])) {
      ++i;
    } else if (argv[i][0] != '-' && take_case(o, argv[i])) {
      continue;
    } else {
      return option_names_wrong("bench contact", help, "", argv[i]);
    }
  }
  return 1;
}

static int is_wanted(const BenchOptions* o, const char* name) {
  for (int i = 0; i < o->name_count; ++i) {
    if (strcmp(o->names[i], name) == 0) return 1;
  }
  return o->name_count == 0;
}

static const char* case_name(const void* from, int index) {
  (void)from;
  return bench_cases[index].name;
}

// 0: a given name is not a scene (reported).
static int all_exist(const BenchOptions* o) {
  for (int i = 0; i < o->name_count; ++i) {
    int found = 0;
    for (int k = 0; k < bench_case_count; ++k) found |= !strcmp(o->names[i], bench_cases[k].name);
    if (!found)
      return names_wrong("bench contact", "unknown scene", o->names[i],
                         (Names){case_name, NULL, bench_case_count});
  }
  return 1;
}

int heft_bench_contact(int argc, char** argv) {
  char folder[1024];
  BenchOptions o = {.steps = 500, .timeout = 120, .models = getenv("HEFT_ROBOTS")};
  const int asked = read_options(&o, argc, argv);
  if (asked == 0) return 2;
  if (asked == 2) {
    printf("%s\n", help);
    for (int i = 0; i < bench_case_count; ++i)
      printf("  %-14s %s\n", bench_cases[i].name, bench_cases[i].text);
    return 0;
  }
  if (!all_exist(&o)) return 2;
  if (o.models) setenv("HEFT_ROBOTS", o.models, 1);  // for the process that valgrind counts
  if (!o.scenes) o.scenes = scene_folder(folder, sizeof folder);
  if (!o.scenes) {
    fprintf(stderr,
            "heft bench contact: error: the scene files were not found; name their folder with "
            "--scenes\n");
    return 1;
  }
  Peers peers = {0};
  if (o.peers) peers_find(&peers, (const char* [PEERS_MUJOCO]){o.mujoco}, o.box3d);
  if (o.repeat == 0)
    printf("%-13s %8s %9s %9s %9s %8s %7s %6s\n", "scene", "contacts", "min µs", "median µs",
           "per cont.", "worst", "sweeps", "newton");
  Measured measured[sizeof bench_cases / sizeof *bench_cases] = {{0}};
  for (int i = 0; i < bench_case_count; ++i) {
    if (is_wanted(&o, bench_cases[i].name)) run_case(&bench_cases[i], &o, &peers, measured);
  }
  return 0;
}
