// SPDX-License-Identifier: Apache-2.0
// heft compare: one scene from one initial state under several contact models; one table and one
// figure of motion, forces, residual, energy and time.
#include <errno.h>
#include <heft/heft.h>
#include <heft/io.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arguments.h"
#include "contact_options.h"
#include "model_options.h"
#include "plot.h"
#include "progress.h"
#include "verbs.h"

static const char help[] =
    "usage: heft compare [OPTIONS] FILE\n"
    "Simulates a scene under several contact models from the same initial state. Prints a table "
    "and\n"
    "writes a figure: motion, forces, residual of the exact law, energy, time per step. The first\n"
    "contact model is the reference for the others.\n"
    "\n"
    "  --models A,B,C         contact models, each NAME or NAME:OPTION=VALUE,OPTION=VALUE...\n"
    "                         (default: all)\n"
    "  --time SECONDS         simulated time (default 2)\n"
    "  --step SECONDS         time step (default: from the model)\n"
    "  --key NAME             initial keyframe (default: the pose in the file)\n"
    "  --figure FILE          write the figure to FILE, as SVG (default compare.svg)\n"
    "  --no-figure            print the table only\n";

static const double min_residual = 1e-18;  // lower end of the logarithmic axis [m/s]

enum { MODELS_MAX = 8, SPEC_MAX = 512, CURVES = 6 };

typedef struct Run {
  char spec[SPEC_MAX];
  HeftContactModel model;
  HeftContactOptions options;
  long count;             ///< steps without failure
  double* curve[CURVES];  ///< height, distance, force, residual, energy, time of every step
  double (*center)[3];    ///< of mass, after every step
  double deepest, worst, rough;
  long fallbacks;
  HeftStepTally tally;
  HeftStepStatus status;
} Run;

typedef struct Compare {
  ModelOptions model;
  const char *path, *key, *figure;
  double seconds;
  HeftWorldDef def;
  Run run[MODELS_MAX];
  int run_count;
  long steps;
  double* time;
  double* sorted;  // for medians
} Compare;

static int wrong(const char* what, const char* value) {
  return arguments_wrong("compare", what, value);
}

// ---- options

static int add_spec(Compare* c, const char* text, size_t length) {
  if (c->run_count == MODELS_MAX)
    return wrong("too many contact models, the first that does not fit is", text);
  if (length == 0 || length >= SPEC_MAX) return wrong("expected a contact model, found", text);
  Run* run = &c->run[c->run_count++];
  memcpy(run->spec, text, length);
  run->spec[length] = '\0';
  return contact_options_read("compare", run->spec, &run->model, &run->options);
}

// A comma separates models, unless an option follows (NAME=VALUE without a colon).
static int continues(const char* text) {
  const size_t length = strcspn(text, ",");
  return memchr(text, '=', length) && !memchr(text, ':', length);
}

static int read_models(Compare* c, const char* text) {
  c->run_count = 0;
  while (*text) {
    size_t length = strcspn(text, ",");
    while (text[length] == ',' && continues(text + length + 1))
      length += 1 + strcspn(text + length + 1, ",");
    if (!add_spec(c, text, length)) return 0;
    text += length + (text[length] == ',');
  }
  return c->run_count > 0 ? 1 : wrong("expected a contact model, found", text);
}

static int take_all_models(Compare* c) {
  for (int i = HEFT_CONTACT_MODEL_EXACT; i < HEFT_CONTACT_MODEL_COUNT; ++i) {
    const char* name = heft_contact_model_name((HeftContactModel)i);
    if (!add_spec(c, name, strlen(name))) return 0;
  }
  return 1;
}

static int read_positive(const char* text, double* out) {
  return arguments_positive("compare", text, out);
}

// 1: taken, 0: wrong (reported), -1: unknown.
static int take_value(void* options, const char* name, const char* value) {
  Compare* c = options;
  if (strcmp(name, "--models") == 0) return read_models(c, value);
  if (strcmp(name, "--time") == 0) return read_positive(value, &c->seconds);
  if (strcmp(name, "--step") == 0) return read_positive(value, &c->def.time_step);
  if (strcmp(name, "--key") == 0) return (c->key = value) != NULL;
  if (strcmp(name, "--figure") == 0) {
    c->figure = value;
    return arguments_ending("compare", value, ".svg");
  }
  return -1;
}

static int take_flag(void* options, const char* name) {
  Compare* c = options;
  if (strcmp(name, "--no-figure") != 0) return 0;
  c->figure = NULL;
  return 1;
}

// 1: continue, 0: wrong (reported), 2: help requested.
static int read_options(Compare* c, int argc, char** argv) {
  const Arguments arguments = {.verb = "compare",
                               .help = help,
                               .model = &c->model,
                               .options = c,
                               .flag = take_flag,
                               .value = take_value,
                               .path = &c->path};
  const int asked = arguments_read_file(&arguments, argc, argv);
  return asked == 1 && c->run_count == 0 ? take_all_models(c) : asked;
}

// ---- running

static double normal_force(const HeftWorld* w) {
  double sum = 0;
  for (int i = 0; i < heft_world_contact_count(w); ++i) {
    const HeftContact c = heft_world_contact(w, i);
    sum += heft_vec3_dot(c.force, c.normal);
  }
  return sum;
}

static double center_of_mass(const HeftWorld* w, double out[3]) {
  const HeftVec3 c = heft_dynamics_center_of_mass(heft_world_dynamics(w), 0);
  out[0] = c.x;
  out[1] = c.y;
  out[2] = c.z;
  return c.z;
}

static void note(Run* run, const HeftWorld* w, const HeftStepReport* r, double energy, double us) {
  const long i = run->count;
  run->curve[0][i] = center_of_mass(w, run->center[i]);
  run->curve[2][i] = normal_force(w);
  run->curve[3][i] = fmax(r->residual, min_residual);
  run->curve[4][i] = r->kinetic + r->potential - energy;
  run->curve[5][i] = us;
  run->deepest = fmax(run->deepest, r->penetration);
  run->worst = fmax(run->worst, r->residual);
  run->fallbacks += r->fallbacks;
  const double change = i > 0 ? run->curve[2][i] - run->curve[2][i - 1] : 0;
  run->rough += change * change;
}

static double energy_of(const HeftWorld* w, const HeftState* state) {
  const HeftDynamics* d = heft_world_dynamics(w);
  return heft_dynamics_kinetic_energy(d, state->v) + heft_dynamics_potential_energy(d, state->q);
}

static int step_through(Compare* c, Run* run, const HeftModel* m) {
  HeftError error = {0};
  HeftWorld* w = NULL;
  HeftWorldDef def = c->def;
  def.contact_model = run->model;
  def.contact_options = run->options;
  if (heft_world_create(&w, m, &def, &error) != HEFT_OK) {
    fprintf(stderr, "heft compare: error: %s: %s\n", run->spec, error.message);
    return 0;
  }
  const int well = arguments_start("compare", w, c->key ? c->key : c->model.start);
  const double energy = well ? energy_of(w, heft_world_state(w)) : 0;
  Progress progress = progress_begin();
  for (long i = 0; well && i < c->steps; ++i) {
    progress_show(&progress, run->spec, (double)i / (double)c->steps);
    const uint64_t before = heft_clock_ns();
    const HeftStepReport r = heft_world_step(w);
    const uint64_t after = heft_clock_ns();
    run->status = r.status;
    if (!heft_step_taken(r.status)) break;
    heft_step_tally_add(&run->tally, &r);
    note(run, w, &r, energy, (double)(after - before) * 1e-3);
    c->time[run->count++] = r.time;
  }
  progress_end(&progress);
  heft_world_destroy(w);
  return well;
}

static void measure_distances(Compare* c) {
  const Run* lead = &c->run[0];
  for (int k = 0; k < c->run_count; ++k) {
    Run* run = &c->run[k];
    for (long i = 0; i < run->count; ++i) {
      double square = 0;
      for (int a = 0; a < 3 && i < lead->count; ++a) {
        const double apart = run->center[i][a] - lead->center[i][a];
        square += apart * apart;
      }
      run->curve[1][i] = sqrt(square);
    }
  }
}

static int reserve(Compare* c) {
  c->time = calloc((size_t)c->steps, sizeof *c->time);
  c->sorted = calloc((size_t)c->steps, sizeof *c->sorted);
  int well = c->time && c->sorted;
  for (int k = 0; k < c->run_count; ++k) {
    for (int i = 0; i < CURVES; ++i)
      well &= (c->run[k].curve[i] = calloc((size_t)c->steps, sizeof(double))) != NULL;
    well &= (c->run[k].center = calloc((size_t)c->steps, sizeof *c->run[k].center)) != NULL;
  }
  if (!well) fprintf(stderr, "heft compare: error: not enough memory for %ld steps\n", c->steps);
  return well;
}

static void release(Compare* c) {
  free(c->time);
  free(c->sorted);
  for (int k = 0; k < c->run_count; ++k) {
    for (int i = 0; i < CURVES; ++i) free(c->run[k].curve[i]);
    free(c->run[k].center);
  }
}

// ---- output

static int compare_numbers(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return x < y ? -1 : x > y;
}

static double median(const Compare* c, const double* x, long count) {
  if (count == 0) return 0;
  memcpy(c->sorted, x, (size_t)count * sizeof *x);
  qsort(c->sorted, (size_t)count, sizeof *x, compare_numbers);
  return c->sorted[count / 2];
}

static void print_row(const Compare* c, const Run* r, double h) {
  const long last = r->count > 0 ? r->count - 1 : 0;
  const double rough = sqrt(r->rough / (double)(r->count > 1 ? r->count - 1 : 1));
  printf("  %-24.24s %9.4f %10.1e %9.1e %9.2f %8.2f %9.1e %10.1e %9.2e %8.1f", r->spec,
         r->curve[0][last], r->curve[1][last], r->deepest, median(c, r->curve[2], r->count), rough,
         r->worst, median(c, r->curve[3], r->count), r->curve[4][last],
         median(c, r->curve[5], r->count));
  if (r->fallbacks > 0) printf("  %ld islands solved exactly", r->fallbacks);
  if (r->tally.inexact > 0) printf("  %ld steps inexact", r->tally.inexact);
  if (r->tally.dropping > 0) printf("  %ld contact points dropped", r->tally.dropped);
  if (!heft_step_taken(r->status))
    printf("  after %.3f s: %s", (double)r->count * h, heft_step_status_text(r->status));
  printf("\n");
}

static void print_table(const Compare* c, double h) {
  printf("%s: %g s in steps of %g s\n\n", c->path, c->seconds, h);
  printf("  %-24s %9s %10s %9s %9s %8s %9s %10s %9s %8s\n", "contact model", "height m",
         "distance m", "depth m", "force N", "change N", "max m/s", "median m/s", "energy J", "µs");
  for (int i = 0; i < c->run_count; ++i) print_row(c, &c->run[i], h);
  printf(
      "\n  height of the centre of mass at the end; its distance from that of the first model; "
      "max\n"
      "  penetration; sum of normal forces (median) and its change from step to step (rms);\n"
      "  residual of the exact law, max and median; energy at the end minus energy at the start;\n"
      "  time of a step (median)\n");
}

// Impact forces may be a hundred times the weight; the figure is scaled for the time after them.
static double force_shown(const Compare* c) {
  double max = 0, usual = 0;
  for (int k = 0; k < c->run_count; ++k) {
    usual = fmax(usual, median(c, c->run[k].curve[2], c->run[k].count));
    for (long i = 0; i < c->run[k].count; ++i) max = fmax(max, c->run[k].curve[2][i]);
  }
  return usual > 0 && max > 6 * usual ? 3 * usual : 0;
}

static int draw(const Compare* c) {
  static const struct {
    const char *title, *unit;
    int curve, logarithmic;
  } views[CURVES] = {
      {"Height of the centre of mass", "m", 0, 0}, {"Distance from the first model", "m", 1, 1},
      {"Sum of normal forces", "N", 2, 0},         {"Residual of the exact law", "m/s", 3, 1},
      {"Energy minus initial energy", "J", 4, 0},  {"Time of a step", "µs", 5, 1}};
  PlotCurve curves[CURVES][MODELS_MAX];
  PlotPanel panels[CURVES];
  char title[256];
  for (int v = 0; v < CURVES; ++v) {
    for (int k = 0; k < c->run_count; ++k)
      curves[v][k] = (PlotCurve){.name = c->run[k].spec,
                                 .x = c->time,
                                 .y = c->run[k].curve[views[v].curve],
                                 .count = (size_t)c->run[k].count,
                                 .color = k};
    panels[v] = (PlotPanel){.title = views[v].title,
                            .x_label = "time [s]",
                            .y_label = views[v].unit,
                            .curves = curves[v],
                            .curve_count = c->run_count,
                            .log_y = views[v].logarithmic};
  }
  panels[2].y_high = force_shown(c);
  panels[2].y_low = -0.05 * panels[2].y_high;
  snprintf(title, sizeof title, "Contact models on %.200s", c->path);
  const Plot plot = {.title = title, .panels = panels, .panel_count = CURVES, .columns = 3};
  if (!plot_write(c->figure, &plot)) return 0;
  printf("\n  figure: %s\n", c->figure);
  return 1;
}

static int compare(Compare* c, const HeftModel* m) {
  const double h = c->def.time_step > 0 ? c->def.time_step : m->physics.time_step;
  const double steps = ceil(c->seconds / h - 1e-9);
  if (!(steps <= 1e7)) return wrong("too many steps for", c->path);
  c->steps = (long)steps;
  int well = reserve(c);
  for (int i = 0; well && i < c->run_count; ++i) well = step_through(c, &c->run[i], m);
  if (well) {
    measure_distances(c);
    print_table(c, h);
    if (c->figure) well = draw(c);
  }
  release(c);
  return well;
}

int heft_verb_compare(int argc, char** argv) {
  Compare c = {.seconds = 2, .figure = "compare.svg", .def = heft_world_def_default()};
  model_options_init(&c.model);
  const int asked = read_options(&c, argc, argv);
  int result = asked == 0 ? 2 : 0;
  if (asked == 2) {
    printf("%s%s", help, model_options_help);
    contact_options_print();
  }
  if (asked == 1) {
    HeftModel* model = model_options_load(&c.model, c.path);
    result = model && compare(&c, model) ? 0 : 1;
    heft_model_destroy(model);
  }
  model_options_release(&c.model);
  return result;
}
