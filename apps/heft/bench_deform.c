// SPDX-License-Identifier: Apache-2.0
// heft bench deform: every step of deformable bodies that fall on a floor and come to rest. The
// meshes are computed, so that every machine steps the same ones.
#include <heft/deform.h>
#include <heft/heft.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data_folder.h"
#include "json_rows.h"
#include "measure.h"
#include "motion_steps.h"
#include "names.h"
#include "option_names.h"
#include "verbs.h"

static const char help[] =
    "usage: heft bench deform [OPTIONS] [NAME...]\n"
    "Times every step of deformable bodies that fall on a floor and come to rest, in steps of 5 "
    "ms:\n"
    "in flight, in the 20 steps (0.1 s) from the first contact on, and afterwards. All runs have "
    "the\n"
    "same bits, so each step counts with its shortest time.\n"
    "\n"
    "  NAME                   one of the bodies (default: all)\n"
    "  --threads N            threads of the world (default 1); with 1 the processor time of the\n"
    "                         thread is measured, with more the time that passes\n"
    "  --runs N               runs that are timed (default 3)\n"
    "  --instructions         count instructions with valgrind, too: minutes\n";

typedef struct DeformCase {
  const char *name, *text;
  double young;  ///< [Pa]
  int cells[3];  ///< of 1 cm, six tetrahedra each
  int held;      ///< 1: a plate of 1 kg holds its upper side
} DeformCase;

static const DeformCase deform_cases[] = {
    {"block750", "a block of rubber (1 MPa), 5 x 5 x 5 cells", 1e6, {5, 5, 5}, 0},
    {"block2400", "the same, 10 x 8 x 5 cells", 1e6, {10, 8, 5}, 0},
    {"block5040", "the same, 12 x 10 x 7 cells", 1e6, {12, 10, 7}, 0},
    {"sole5040", "the same, under a plate of 1 kg", 1e6, {12, 10, 7}, 1},
    {"sponge5040", "the same without the plate, a sponge (5 kPa)", 5e3, {12, 10, 7}, 0},
};
static const int deform_case_count = (int)(sizeof deform_cases / sizeof *deform_cases);

enum { NAMES_MAX = 16, STEPS = 80, TOUCH_STEPS = 20 };
static const double time_step = 0.005, cell_size = 0.01;  // [s], [m]

typedef struct DeformOptions {
  const char* names[NAMES_MAX];
  int name_count, threads, runs, instructions;
  long repeat;  ///< steps of the child process that valgrind counts
} DeformOptions;

// ---- models

static int build_holder(HeftBuilder* builder, const double half[3], double z) {
  HeftBodyDef body = heft_body_def_default();
  HeftJointDef joint = heft_joint_def_default();
  body.pos = heft_vec3(0, 0, z + half[2]);
  body.mass = 1;
  body.inertia = (HeftSym3){half[1] * half[1] / 3,
                            half[0] * half[0] / 3,
                            (half[0] * half[0] + half[1] * half[1]) / 3,
                            0,
                            0,
                            0};
  joint.body = heft_builder_add_body(builder, &body);
  joint.type = HEFT_JOINT_FREE;
  heft_builder_add_joint(builder, &joint);
  return joint.body;
}

static int add_body(HeftBuilder* builder, const DeformCase* c, const HeftTetrahedra* mesh,
                    const double half[3]) {
  HeftDeformableDef def = heft_deformable_def_default();
  int* bonds = calloc(2 * (size_t)mesh->vertex_count, sizeof *bonds);
  int* holders = bonds + mesh->vertex_count;
  if (!bonds) return -1;
  def.name = "body";
  def.radius = 0.002;
  def.pos = heft_vec3(0, 0, half[2] + def.radius + 0.008);  // falls by 8 mm
  def.vertex_count = mesh->vertex_count;
  def.vertices = mesh->vertices;
  def.tetrahedron_count = mesh->tetrahedron_count;
  def.tetrahedra = mesh->tetrahedra;
  def.young = c->young;
  def.damping = 0.01;
  if (c->held) {
    const int holder = build_holder(builder, half, def.pos.z);
    for (int i = 0; i < mesh->vertex_count; ++i) {
      if (mesh->vertices[3L * i + 2] < half[2]) continue;
      holders[def.bond_count] = holder;
      bonds[def.bond_count++] = i;
    }
    def.bonds = bonds;
    def.bond_bodies = holders;
  }
  const int added = heft_builder_add_deformable(builder, &def);
  free(bonds);
  return added;
}

static HeftModel* build_case(const DeformCase* c, HeftError* error) {
  HeftBuilder* builder = NULL;
  HeftModel* model = NULL;
  HeftTetrahedra mesh = {0};
  double half[3];
  for (int i = 0; i < 3; ++i) half[i] = 0.5 * cell_size * c->cells[i];
  if (heft_tetrahedra_box(&mesh, half, c->cells, NULL, error) != HEFT_OK) return NULL;
  if (heft_builder_create(&builder, NULL, error) == HEFT_OK) {
    HeftShapeDef plane = heft_shape_def_default();
    plane.type = HEFT_SHAPE_PLANE;
    heft_builder_set_physics(builder,
                             (HeftPhysics){.gravity = {0, 0, -9.81}, .time_step = time_step});
    heft_builder_add_shape(builder, &plane);
    add_body(builder, c, &mesh, half);
    heft_builder_finish(builder, &model, error);  // reports earlier errors, too
  }
  heft_tetrahedra_release(&mesh, NULL);
  return model;
}

// ---- memory of a world

static void* count_allocate(void* user, size_t size, size_t alignment) {
  const HeftAllocator own = heft_allocator_default();
  *(double*)user += (double)size;
  return own.allocate(own.user, size, alignment);
}

static void count_release(void* user, void* memory, size_t size) {
  const HeftAllocator own = heft_allocator_default();
  *(double*)user -= memory ? (double)size : 0;
  own.release(own.user, memory, size);
}

// ---- measuring

typedef struct DeformRun {
  MotionSteps steps;  ///< times of all steps
  int contacts[STEPS], newton[STEPS], solved[STEPS];
  double bytes, relative;
} DeformRun;

static HeftWorld* open_world(const HeftModel* m, int threads, double* bytes) {
  HeftWorldDef def = heft_world_def_default();
  HeftError error = {0};
  HeftWorld* w = NULL;
  def.threads = threads;
  def.allocator = (HeftAllocator){count_allocate, count_release, bytes};
  if (heft_world_create(&w, m, &def, &error) != HEFT_OK)
    fprintf(stderr, "heft bench deform: error: %s\n", error.message);
  return w;
}

static int time_run(DeformRun* run, const HeftModel* m, int threads) {
  double bytes = 0;
  HeftWorld* w = open_world(m, threads, &bytes);
  if (!w) return 0;
  run->bytes = bytes;
  for (int k = 0; k < STEPS; ++k) {
    const uint64_t start = threads > 1 ? heft_clock_ns() : measure_cpu_ns();
    const HeftStepReport r = heft_world_step(w);
    const uint64_t end = threads > 1 ? heft_clock_ns() : measure_cpu_ns();
    motion_steps_note(&run->steps, k, 1e-3 * (double)(end - start));
    run->contacts[k] = r.contact_count;
    run->newton[k] = r.newton_steps;
    run->solved[k] = r.status == HEFT_STEP_SOLVED;
    run->relative = fmax(run->relative, r.relative);
  }
  ++run->steps.repeats;
  heft_world_destroy(w);
  return 1;
}

typedef struct Phase {
  const char* name;
  int first, end;  ///< steps
} Phase;

// Divides the run into flight, touch and rest. The first step of all also finds the first factor.
static void find_phases(const DeformRun* run, Phase phase[3]) {
  int touch = 0;
  while (touch < STEPS && run->contacts[touch] == 0) ++touch;
  const int rest = touch + TOUCH_STEPS < STEPS ? touch + TOUCH_STEPS : STEPS;
  phase[0] = (Phase){"flight", touch > 0 ? 1 : 0, touch};
  phase[1] = (Phase){"touch", touch, rest};
  phase[2] = (Phase){"rest", rest, STEPS};
}

static double count_steps(const char* name, int steps) {
  char self[512], command[1024];
  if (!program_path(self, sizeof self)) return -1;
  snprintf(command, sizeof command, "'%s' bench deform --repeat %d %s", self, steps, name);
  return measure_command(command, false);
}

static void print_instructions(const DeformCase* c, const Phase* p) {
  const double before = count_steps(c->name, p->first), after = count_steps(c->name, p->end);
  if (!(before > 0 && after > before)) {
    printf("  instructions not counted: %s", measure_instructions_failure());
    return;
  }
  const double each = (after - before) / (p->end - p->first);
  json_row_number("instructions", each);
  printf("  %.3g instructions per step", each);
}

static void print_phase(const DeformCase* c, const HeftModel* m, const DeformRun* run,
                        const Phase* p, const DeformOptions* o) {
  const MotionSteps part = {.us = run->steps.us + p->first, .count = p->end - p->first};
  const MotionTimes t = motion_times(&part, part.count);
  const double limit = 1e6 * time_step;
  int contacts = 0, newton = 0, solved = 0, real_time = 0;
  for (int k = p->first; k < p->end; ++k) {
    contacts = run->contacts[k] > contacts ? run->contacts[k] : contacts;
    newton = run->newton[k] > newton ? run->newton[k] : newton;
    solved += run->solved[k];
    real_time += run->steps.us[k] <= limit;
  }
  json_row_begin(c->name);
  json_row_text("phase", p->name);
  json_row_number("tetrahedra", m->ntetrahedron);
  json_row_number("nodes", m->nnode);
  json_row_number("contacts", contacts);
  json_row_number("steps", part.count);
  json_row_number("solved", solved);
  json_row_number("real_time", real_time);
  json_row_number("median_ms", 1e-3 * t.median);
  json_row_number("p90_ms", 1e-3 * t.p90);
  json_row_number("longest_ms", 1e-3 * t.longest);
  json_row_number("newton_steps_max", newton);
  json_row_number("bytes", run->bytes);
  printf("%-11s %-7s %5d %9d %9.2f %9.2f %9.2f %6d %4d of %-3d %4d of %-3d %6.1f", c->name, p->name,
         m->ntetrahedron, contacts, 1e-3 * t.median, 1e-3 * t.p90, 1e-3 * t.longest, newton,
         real_time, part.count, solved, part.count, 1e-6 * run->bytes);
  fflush(stdout);
  if (o->instructions) print_instructions(c, p);
  json_row_end();
  printf("\n");
}

static int run_case(const DeformCase* c, const DeformOptions* o) {
  HeftError error = {0};
  DeformRun run = {0};
  HeftModel* m = build_case(c, &error);
  if (!m) {
    fprintf(stderr, "heft bench deform: error: %s: %s\n", c->name, error.message);
    return 0;
  }
  int good = 1;
  if (o->repeat >= 0) {  // for the process that valgrind counts
    double bytes = 0;
    HeftWorld* w = open_world(m, o->threads, &bytes);
    for (long k = 0; k < o->repeat && w; ++k) heft_world_step(w);
    heft_world_destroy(w);
  } else {
    good = motion_steps_reserve(&run.steps, STEPS);
    for (int i = 0; i < o->runs && good; ++i) {
      motion_progress(c->name, "heft", i, o->runs);
      good = time_run(&run, m, o->threads);
    }
    motion_progress(c->name, "heft", 1, 1);
    Phase phase[3];
    find_phases(&run, phase);
    for (int i = 0; i < 3 && good; ++i) {
      if (phase[i].end > phase[i].first) print_phase(c, m, &run, &phase[i], o);
    }
    motion_steps_free(&run.steps);
  }
  heft_model_destroy(m);
  return good;
}

// ---- options

static int read_options(DeformOptions* o, int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const char* value = i + 1 < argc ? argv[i + 1] : "";
    if (strcmp(argv[i], "--help") == 0) return 2;
    if (strcmp(argv[i], "--instructions") == 0) {
      o->instructions = 1;
    } else if (strcmp(argv[i], "--threads") == 0 && atoi(value) > 0) {
      o->threads = atoi(argv[++i]);
    } else if (strcmp(argv[i], "--runs") == 0 && atoi(value) > 0) {
      o->runs = atoi(argv[++i]);
    } else if (strcmp(argv[i], "--repeat") == 0 && *value) {
      o->repeat = atol(argv[++i]);
    } else if (argv[i][0] != '-' && o->name_count < NAMES_MAX) {
      o->names[o->name_count++] = argv[i];
    } else {
      return option_names_wrong("bench deform", help, "", argv[i]);
    }
  }
  return 1;
}

static const char* case_name(const void* from, int index) {
  (void)from;
  return deform_cases[index].name;
}

static int is_wanted(const DeformOptions* o, const char* name) {
  for (int i = 0; i < o->name_count; ++i) {
    if (strcmp(o->names[i], name) == 0) return 1;
  }
  return o->name_count == 0;
}

// 0: a given name is not a body (reported).
static int all_exist(const DeformOptions* o) {
  for (int i = 0; i < o->name_count; ++i) {
    int found = 0;
    for (int k = 0; k < deform_case_count; ++k) found |= !strcmp(o->names[i], deform_cases[k].name);
    if (!found)
      return names_wrong("bench deform", "unknown body", o->names[i],
                         (Names){case_name, NULL, deform_case_count});
  }
  return 1;
}

int heft_bench_deform(int argc, char** argv) {
  DeformOptions o = {.threads = 1, .runs = 3, .repeat = -1};
  const int asked = read_options(&o, argc, argv);
  if (asked == 0) return 2;
  if (asked == 2) {
    printf("%s\n", help);
    for (int i = 0; i < deform_case_count; ++i)
      printf("  %-14s %s\n", deform_cases[i].name, deform_cases[i].text);
    return 0;
  }
  if (!all_exist(&o)) return 2;
  int good = 1;
  if (o.repeat < 0)
    printf("%-11s %-7s %5s %9s %9s %9s %9s %6s %11s %11s %6s\n", "body", "phase", "tetr.",
           "contacts", "median ms", "p90 ms", "longest", "newton", "within 5 ms", "solved", "MB");
  for (int i = 0; i < deform_case_count; ++i) {
    if (is_wanted(&o, deform_cases[i].name)) good &= run_case(&deform_cases[i], &o);
  }
  return !good;
}
