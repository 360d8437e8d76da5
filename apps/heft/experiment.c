// SPDX-License-Identifier: Apache-2.0
// heft experiment: published experiments, with a log, a figure and a verdict on each claim.
#include <errno.h>
#include <heft/heft.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "contact_options.h"
#include "data_folder.h"
#include "experiment_peer.h"
#include "experiment_picture.h"
#include "experiments/experiments.h"
#include "experiments/hands.h"
#include "experiments/trace.h"
#include "measured_file.h"
#include "names.h"
#include "option_names.h"
#include "plot.h"
#include "verbs.h"
#include "whole_file.h"

static const char help[] =
    "usage: heft experiment [OPTIONS] NAME...\n"
    "Repeats published experiments and reports which claims hold.\n"
    "\n"
    "  --list                 list the experiments\n"
    "  --all                  run all experiments\n"
    "  --brief                short form, as in the tests\n"
    "  --check                exit code 1 if a claim fails\n"
    "  --contact-model NAME   run all worlds under this contact model, instead of those that the\n"
    "                         experiment chooses: NAME or NAME:OPTION=VALUE,... (list: heft run "
    "--help)\n"
    "  --out FOLDER           write NAME.csv (log), NAME.svg (figure), NAME.png (pictures, if the\n"
    "                         viewer was built) and claims.md to FOLDER\n"
    "  --starts N             run N perturbed initial states (2 mm, 1 degree) and count the "
    "successes\n"
    "  --hands N              run the tasks sofa, carry, table, follow and welcome with N users "
    "whose\n"
    "                         hands no script moves: up to 3 cm off, at half to twice the usual\n"
    "                         speed. With --out FOLDER, NAME.mp4 is a film of the first\n"
    "  --measured FILE        draw the measured force plates and markers of a C3D or CSV file\n"
    "                         beside the curves, and print how far the curves are from them\n"
    "  --measured-at TIME     time of the experiment at which the file begins [s] (default: 0)\n"
    "  --lead MARKER          the centre of mass of sway and squat moves as this marker does\n"
    "  --peer mujoco          run pillar, squat and sway in MuJoCo, too, and compare\n"
    "  --models FOLDER        folder of the models (default: HEFT_MODELS, or as installed)\n";

typedef struct ExperimentOptions {
  const char *out, *models;
  const char* names[64];
  int name_count, all, list, check, brief, starts, hands;
  const char *measured, *lead;  ///< a file and its marker, or NULL
  double measured_at;
  int peer;            ///< 1: MuJoCo
  MeasuredFile* file;  ///< what was read, or NULL
  int forced;          ///< 1: model and options hold for all worlds
  HeftContactModel model;
  HeftContactOptions model_options;
} ExperimentOptions;

// ---- options

static int wrong(const char* what, const char* value) {
  fprintf(stderr, "heft experiment: error: %s '%s'; try 'heft experiment --help'\n", what, value);
  return 0;
}

static int take_count(int* out, const char* value) {
  char* end = NULL;
  const long n = strtol(value, &end, 10);
  if (*end || n < 1 || n > 1000000) return wrong("expected a number of 1 to 1000000, found", value);
  return *out = (int)n;
}

static int take_time(double* out, const char* value) {
  char* end = NULL;
  *out = strtod(value, &end);
  return (end != value && !*end && isfinite(*out)) || wrong("expected a time [s], found", value);
}

static int take_value(ExperimentOptions* o, const char* name, const char* value) {
  if (strcmp(name, "--out") == 0) return (o->out = value) != NULL;
  if (strcmp(name, "--contact-model") == 0)
    return o->forced = contact_options_read("experiment", value, &o->model, &o->model_options);
  if (strcmp(name, "--models") == 0) return (o->models = value) != NULL;
  if (strcmp(name, "--measured") == 0) return (o->measured = value) != NULL;
  if (strcmp(name, "--measured-at") == 0) return take_time(&o->measured_at, value);
  if (strcmp(name, "--lead") == 0) return (o->lead = value) != NULL;
  if (strcmp(name, "--peer") == 0)
    return (o->peer = strcmp(value, "mujoco") == 0) || wrong("expected mujoco, found", value);
  if (strcmp(name, "--starts") == 0) return take_count(&o->starts, value);
  if (strcmp(name, "--hands") == 0) return take_count(&o->hands, value);
  return option_names_wrong("experiment", help, "", name);
}

static int take_flag(ExperimentOptions* o, const char* name) {
  if (strcmp(name, "--list") == 0) return o->list = 1;
  if (strcmp(name, "--all") == 0) return o->all = 1;
  if (strcmp(name, "--brief") == 0) return o->brief = 1;
  if (strcmp(name, "--check") == 0) return o->check = 1;
  return 0;
}

static const char* experiment_name(const void* from, int index) {
  (void)from;
  return experiment_at(index)->name;
}

static Names experiments(void) {
  int count = 0;
  while (experiment_at(count)) ++count;
  return (Names){experiment_name, NULL, count};
}

static const char* task_name(const void* from, int index) {
  (void)from;
  return person_task(index);
}

static Names tasks(void) {
  int count = 0;
  while (person_task(count)) ++count;
  return (Names){task_name, NULL, count};
}

// 1: continue, 0: wrong (reported), 2: help requested.
static int read_options(ExperimentOptions* o, int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    if (strcmp(argv[i], "--help") == 0) return 2;
    if (take_flag(o, argv[i])) continue;
    if (argv[i][0] == '-') {
      if (i + 1 == argc) return option_names_wrong("experiment", help, "", argv[i]);
      if (!take_value(o, argv[i], argv[i + 1])) return 0;
      ++i;
    } else if (o->name_count < 64) {
      o->names[o->name_count++] = argv[i];
    }
  }
  for (int i = 0; i < o->name_count; ++i) {
    if (o->hands > 0 && !person_plan(o->names[i]))
      return names_wrong("experiment", "no task with a person is", o->names[i], tasks());
    if (o->hands == 0 && !experiment_find(o->names[i]))
      return names_wrong("experiment", "unknown experiment", o->names[i], experiments());
  }
  if (o->all || o->list || o->name_count > 0) return 1;
  fprintf(stderr, "heft experiment: error: the name is missing; try 'heft experiment --list'\n");
  return 0;
}

// Folder of the models: from the option, or as installed.
static const char* model_folder(const ExperimentOptions* o, char* out, size_t size) {
  if (o->models) return holds_robots(o->models) ? o->models : NULL;
  return robot_folder(out, size);
}

// ---- output files

enum { POINTS_MAX = 700 };  // of a curve

static FILE* open_file(WholeFile* file, const char* folder, const char* name, const char* kind) {
  char path[1200];
  snprintf(path, sizeof path, "%.1000s/%.80s%.20s", folder, name, kind);
  FILE* f = whole_file_open(file, path);
  if (!f) fprintf(stderr, "heft experiment: error: cannot write '%s': %s\n", path, strerror(errno));
  return f;
}

static int write_log(const Lab* lab, const char* folder, const char* name) {
  WholeFile file;
  FILE* f = open_file(&file, folder, name, ".csv");
  if (!f) return 0;
  const LabLog* log = &lab->log;
  for (int k = 0; k < log->channel_count; ++k) fprintf(f, "%s%s", k > 0 ? "," : "", log->name[k]);
  fprintf(f, "\n");
  for (int i = 0; i < log->rows; ++i)
    for (int k = 0; k < log->channel_count; ++k)
      fprintf(f, "%.9g%s", lab_value(lab, i, k), k + 1 < log->channel_count ? "," : "\n");
  return whole_file_close(&file, 1);
}

// The columns of the log one after the other, so that curves can point at them. Only every
// stride-th row is taken, to keep figures small.
static double* columns_of(const LabLog* log, int rows, int stride) {
  double* out = malloc((size_t)rows * (size_t)log->channel_count * sizeof(double) + 1);
  for (int k = 0; out && k < log->channel_count; ++k)
    for (int i = 0; i < rows; ++i)
      out[(long)k * rows + i] = log->data[(long)i * stride * log->channel_count + k];
  return out;
}

// Curves to compare with are dashed.
static int is_reference(const char* name) {
  return strncmp(name, "planned", 7) == 0 || strncmp(name, "fit", 3) == 0 ||
         strncmp(name, "source", 6) == 0 || strncmp(name, "measured", 8) == 0 ||
         strncmp(name, "MuJoCo", 6) == 0;
}

static int write_figure(const Lab* lab, const char* folder, const Experiment* e) {
  const LabLog* log = &lab->log;
  char path[1200];
  if (lab->panels == 0 || log->rows == 0) return 1;
  const int stride = 1 + log->rows / POINTS_MAX, rows = (log->rows + stride - 1) / stride;
  double* column = columns_of(log, rows, stride);
  if (!column) return 0;
  PlotCurve curves[LAB_PANELS_MAX][8];
  PlotPanel panels[LAB_PANELS_MAX];
  memset(panels, 0, sizeof panels);
  for (int p = 0; p < lab->panels; ++p) {
    const LabPanel* from = &lab->panel[p];
    for (int c = 0; c < from->count; ++c) {
      const int k = from->channel[c];
      curves[p][c] = (PlotCurve){.name = log->name[k],
                                 .x = column,
                                 .y = column + (long)k * rows,
                                 .count = (size_t)rows,
                                 .color = c,
                                 .style = is_reference(log->name[k]) ? PLOT_DASHED
                                          : from->scatter            ? PLOT_POINTS
                                                                     : PLOT_LINE};
    }
    panels[p] =
        (PlotPanel){.title = from->title,
                    .x_label = strcmp(log->name[0], "time") == 0 ? "time [s]" : log->name[0],
                    .y_label = from->unit,
                    .curves = curves[p],
                    .curve_count = from->count};
  }
  const Plot plot = {.title = e->text,
                     .note = e->source,
                     .panels = panels,
                     .panel_count = lab->panels,
                     .columns = lab->panels > 1 ? 2 : 1,
                     .panel_width = lab->panels > 1 ? 430 : 640,
                     .panel_legends = 1};
  snprintf(path, sizeof path, "%.1000s/%.80s.svg", folder, e->name);
  const int done = plot_write(path, &plot);
  free(column);
  return done;
}

static const char* const verdict_words[] = {"**fails**", "holds", "differs", "contradiction"};

static void print_claims(FILE* out, const Lab* lab, const char* name) {
  for (int i = 0; i < lab->claims; ++i) {
    const LabClaim* c = &lab->claim[i];
    fprintf(out, "| %s | %s | %s | %s | %s |\n", name, c->claim, c->where, c->figure,
            verdict_words[c->verdict]);
  }
}

// ---- running

typedef struct Sum {
  int claims, failed, differ, broken;
} Sum;

static Lab make_lab(const ExperimentOptions* o, const char* models) {
  Lab lab = lab_make(models);
  lab.brief = o->brief;
  if (o->forced) lab_force(&lab, o->model, &o->model_options);
  if (o->file) lab.measured = &o->file->measured;
  return lab;
}

static void compare(Lab* lab, const LabMeasured* measured) {
  LabDifference d[LAB_CHANNELS_MAX];
  const int count = lab_compare(lab, measured, d);
  for (int i = 0; i < count; ++i)
    printf("  measured  %-26s RMS %.4g apart, of changes of %.4g (%d rows)\n",
           lab->log.name[d[i].channel], d[i].rms, d[i].signal, d[i].rows);
  if (count == 0) printf("  measured  no column of the file is a quantity of this experiment\n");
}

static void run_one(const Experiment* e, const ExperimentOptions* o, const char* models,
                    FILE* table, Sum* sum) {
  Lab lab = make_lab(o, models);
  ExperimentPicture* picture = o->out ? experiment_picture_open(&lab, models) : NULL;
  const uint64_t started = heft_clock_ns();
  LabTrace trace = trace_make(5);
  const int peer = o->peer && experiment_peer_has(e->name);
  if (peer) lab.record = trace_record;
  lab.trace = &trace;
  experiment_run(e, &lab);
  if (peer && !lab.error[0]) experiment_peer_run(&lab, e->name, models, &trace);
  trace_release(&trace);
  printf("\n%s: %s (%.1f s)\n", e->name, e->text, (double)(heft_clock_ns() - started) * 1e-9);
  for (int i = 0; i < lab.claims; ++i)
    printf("  %-13s %-58s %s\n", verdict_words[lab.claim[i].verdict], lab.claim[i].claim,
           lab.claim[i].figure);
  if (lab.measured) compare(&lab, lab.measured);
  if (lab.error[0]) {
    printf("  BROKEN %s\n", lab.error);
    ++sum->broken;
  }
  sum->claims += lab.claims;
  sum->failed += lab.failed;
  sum->differ += lab.differ;
  if (o->out && !(write_log(&lab, o->out, e->name) && write_figure(&lab, o->out, e))) ++sum->broken;
  if (!experiment_picture_close(picture, o->out, e->name)) ++sum->broken;
  if (table) print_claims(table, &lab, e->name);
  fflush(stdout);
  lab_release(&lab);
}

static void run_starts(const Experiment* e, const ExperimentOptions* o, const char* models,
                       Sum* sum) {
  int good = 0;
  double worst = 0;
  const int show = isatty(STDERR_FILENO);
  for (int i = 1; i <= o->starts; ++i) {
    Lab lab = make_lab(o, models);
    lab.seed = (uint64_t)i;
    experiment_run(e, &lab);
    good += lab.success && lab.error[0] == 0;
    worst = fmax(worst, lab.worst_relative);
    if (!lab.success) printf("  start %d did not succeed\n", i);
    if (show) fprintf(stderr, "\r%s: %d of %d succeeded ", e->name, good, i);
    lab_release(&lab);
  }
  if (show) fprintf(stderr, "\r%60s\r", "");
  printf("%-12s %d of %d perturbed starts succeed, worst certificate %.1e\n", e->name, good,
         o->starts, worst);
  fflush(stdout);
  ++sum->claims;
  sum->failed += good < 0.95 * o->starts;
}

static void run_hands(const char* task, const ExperimentOptions* o, const char* models, Sum* sum) {
  int good = 0, falls = 0;
  const int show = isatty(STDERR_FILENO);
  for (int i = 0; i < o->hands; ++i) {
    Lab lab = make_lab(o, models);
    Hands h;
    ExperimentPicture* film =
        o->out && i == 0 ? experiment_film_open(&lab, models, o->out, task) : NULL;
    const int ran = hands_run(&lab, task, (uint64_t)i, 0, &h);
    sum->broken += !experiment_film_close(film);
    good += ran && h.success;
    falls += ran && !h.upright;
    if (!ran) printf("  user %d: BROKEN %s\n", i, lab.error);
    if (ran && !h.success)
      printf("  user %d fails: lifted %.0f mm, %.2f of a way%s; the robot %s%s%s\n", i,
             1e3 * h.lifted, h.least, h.upright ? "" : ", fallen", task_state(&h.task),
             h.task.reason ? ": " : "", task_reason(h.task.reason));
    if (show) fprintf(stderr, "\r%s: %d of %d users succeeded ", task, good, i + 1);
    lab_release(&lab);
  }
  if (show) fprintf(stderr, "\r%60s\r", "");
  printf("%-12s %d of %d users succeed, the robot falls %d times\n", task, good, o->hands, falls);
  fflush(stdout);
  ++sum->claims;
  sum->failed += good < 0.95 * o->hands || falls > 0;
}

static int chosen(const ExperimentOptions* o, const char* name) {
  for (int i = 0; i < o->name_count; ++i)
    if (strcmp(o->names[i], name) == 0) return 1;
  return o->all;
}

static FILE* open_table(WholeFile* file, const ExperimentOptions* o) {
  if (!o->out || o->starts > 0) return NULL;
  if (mkdir(o->out, 0777) != 0 && errno != EEXIST)
    fprintf(stderr, "heft experiment: error: cannot create the folder '%s': %s\n", o->out,
            strerror(errno));
  if (o->hands > 0) return NULL;
  FILE* f = open_file(file, o->out, "claims", ".md");
  if (f) fprintf(f, "| experiment | claim | where | figure | verdict |\n|---|---|---|---|---|\n");
  return f;
}

static int run_all(const ExperimentOptions* o) {
  char folder[1024];
  const char* models = model_folder(o, folder, sizeof folder);
  Sum sum = {0};
  if (!models)
    return wrong("the models were not found; name their folder with --models, not",
                 o->models ? o->models : "");
  WholeFile file;
  FILE* table = open_table(&file, o);
  if (o->out && !o->starts && !o->hands && !table) return 0;
  for (int i = 0; o->hands > 0 && person_task(i); ++i)
    if (chosen(o, person_task(i))) run_hands(person_task(i), o, models, &sum);
  for (int i = 0; o->hands == 0 && experiment_at(i); ++i) {
    const Experiment* e = experiment_at(i);
    if (!chosen(o, e->name)) continue;
    if (o->starts > 0)
      run_starts(e, o, models, &sum);
    else
      run_one(e, o, models, table, &sum);
  }
  if (table && !whole_file_close(&file, 1)) return wrong("the table cannot be written to", o->out);
  printf("\n%d claims: %d hold, %d differ from the publication, %d fail\n", sum.claims,
         sum.claims - sum.differ - sum.failed, sum.differ, sum.failed);
  return sum.broken == 0 && !(o->check && sum.failed > 0);
}

static int list_all(void) {
  for (int i = 0; experiment_at(i); ++i)
    printf("%-12s %s (%s)\n", experiment_at(i)->name, experiment_at(i)->text,
           experiment_at(i)->source);
  return 1;
}

static int open_measured(ExperimentOptions* o, MeasuredFile* file) {
  HeftError error = {0};
  if (measured_file_read(file, o->measured, &error) != HEFT_OK) {
    char text[1024];
    fprintf(stderr, "heft experiment: error: %s\n", heft_error_format(&error, text, sizeof text));
    return 0;
  }
  file->measured.begin = o->measured_at;
  file->measured.marker = o->lead;
  o->file = file;
  double x;
  char column[80];
  snprintf(column, sizeof column, "%.60s.z", o->lead ? o->lead : "");
  if (!o->lead || measured_at(&file->measured, column, o->measured_at, &x)) return 1;
  return wrong("the file has no marker of that name in its first frame:", o->lead);
}

int heft_verb_experiment(int argc, char** argv) {
  ExperimentOptions o = {0};
  MeasuredFile file = {0};
  const int asked = read_options(&o, argc, argv);
  if (asked == 0) return 2;
  if (asked == 2) {
    printf("%s", help);
    return 0;
  }
  if (o.measured && !open_measured(&o, &file)) return 1;
  const int done = o.list ? list_all() : run_all(&o);
  measured_file_release(&file);
  return !done;
}
