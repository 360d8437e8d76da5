// SPDX-License-Identifier: Apache-2.0
// heft optimise: a motion between two poses that the robot can do with what it carries.
#include "judge/optimise.h"

#include <errno.h>
#include <heft/io.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "arguments.h"
#include "load_option.h"
#include "log_table.h"
#include "model_options.h"
#include "names.h"
#include "verbs.h"

static const char help[] =
    "usage: heft optimise MODEL KNOTS.csv [OPTIONS]\n"
    "Searches for a motion from the first to the last knot that the robot can do, and judges it "
    "like\n"
    "'heft judge': torques far from their limits, feet that stay, joints in their ranges. Nothing "
    "is\n"
    "simulated. The exit code is 1 if a motion that was found is not feasible.\n"
    "\n"
    "The first line of the table names its columns: time [s] and joints [rad, m], where '*' stands "
    "for\n"
    "any text: '*_knee' moves both knees. Joints without a column stay as in the model.\n"
    "\n"
    "  --support BODY   this body stays in place; the robot needs it if its base floats\n"
    "  --load BODY=MASS@X,Y,Z   the robot carries this mass [kg] at a point of a body [m]; repeat "
    "it\n"
    "                   for two hands\n"
    "  --bar R          a bar of radius R [m] from the first load to the second keeps clear of the "
    "robot\n"
    "  --mass LIST      search for each of these masses [kg] of all loads together: A,B,C or "
    "A:B:COUNT\n"
    "  --rounds N       of the search, at most (default 100)\n"
    "  --margin D       keep the zero-moment point so far inside the contacts [m] (default 0.05)\n"
    "  --slow F         judge the motion also F times slower\n"
    "  --out FOLDER     write MASS-knots.csv and MASS-motion.csv, which 'heft judge' reads\n";

enum { MASSES = 100 };

typedef struct Options {
  OptimiseDef def;
  LoadOptions loads;
  const char *support, *out;
  double mass[MASSES], slow;
  int mass_count;
} Options;

static int read_masses(Options* o, const char* text) {
  double from, to;
  int count, used = 0;
  if (sscanf(text, "%lf:%lf:%d%n", &from, &to, &count, &used) == 3 && !text[used] && from > 0 &&
      to >= from && to < 1e6 && count >= 2 && count <= MASSES) {
    o->mass_count = count;
    for (int i = 0; i < count; ++i) o->mass[i] = from + (to - from) * i / (count - 1);
    return 1;
  }
  for (o->mass_count = 0; o->mass_count < MASSES;) {
    char* end = NULL;
    const double mass = strtod(text, &end);
    if (end == text || !(mass > 0 && mass < 1e6)) break;
    o->mass[o->mass_count++] = mass;
    if (!*end) return 1;
    if (*end != ',') break;
    text = end + 1;
  }
  return arguments_wrong("optimise", "expected masses A,B,C or A:B:COUNT, found", text);
}

static int take_value(void* context, const char* name, const char* value) {
  Options* o = context;
  double number = 0;
  if (strcmp(name, "--support") == 0) return (o->support = value) != NULL;
  if (strcmp(name, "--out") == 0) return (o->out = value) != NULL;
  if (strcmp(name, "--load") == 0) return load_options_take(&o->loads, "optimise", value);
  if (strcmp(name, "--mass") == 0) return read_masses(o, value);
  if (strcmp(name, "--bar") == 0) return arguments_positive("optimise", value, &o->def.judge.bar);
  if (strcmp(name, "--margin") == 0) return arguments_positive("optimise", value, &o->def.margin);
  if (strcmp(name, "--slow") == 0) return arguments_positive("optimise", value, &o->slow);
  if (strcmp(name, "--rounds") != 0) return -1;
  if (!arguments_positive("optimise", value, &number)) return 0;
  if (number > 1e6) return arguments_wrong("optimise", "expected at most 1000000, found", value);
  o->def.rounds = (int)number;
  return 1;
}

// ---- files

static FILE* open_out(const char* folder, double mass, const char* what) {
  char path[1200];
  snprintf(path, sizeof path, "%.1000s/%g-%s.csv", folder, mass, what);
  if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
    fprintf(stderr, "heft optimise: error: '%s' cannot be created: %s\n", folder, strerror(errno));
    return NULL;
  }
  FILE* file = fopen(path, "w");
  if (!file)
    fprintf(stderr, "heft optimise: error: '%s' cannot be written: %s\n", path, strerror(errno));
  return file;
}

static int close_out(FILE* file) {
  if (fclose(file) == 0) return 1;
  fprintf(stderr, "heft optimise: error: a file cannot be written: %s\n", strerror(errno));
  return 0;
}

static int write_knots(const Options* o, const Knots* k, double mass) {
  FILE* file = open_out(o->out, mass, "knots");
  if (!file) return 0;
  fprintf(file, "time");
  for (int c = 0; c < k->channels; ++c) fprintf(file, ",%s", k->name[c]);
  for (int i = 0; i < k->count; ++i) {
    fprintf(file, "\n%.4f", k->time[i]);
    for (int c = 0; c < k->channels; ++c) fprintf(file, ",%.4f", k->value[i][c]);
  }
  fprintf(file, "\n");
  return close_out(file);
}

static int write_motion(const Options* o, const Csv* t, double mass) {
  FILE* file = open_out(o->out, mass, "motion");
  if (!file) return 0;
  for (int c = 0; c < t->columns; ++c) fprintf(file, "%s%s", c ? "," : "", t->name[c]);
  for (int64_t i = 0; i < t->rows; ++i)
    for (int c = 0; c < t->columns; ++c)
      fprintf(file, "%s%.12g", c ? "," : "\n", t->number[i * t->columns + c]);
  fprintf(file, "\n");
  return close_out(file);
}

// ---- a mass

static void round_knots(Knots* k) {  // as they are written
  for (int i = 0; i < k->count; ++i) {
    k->time[i] = floor(1e4 * k->time[i] + 0.5) / 1e4;
    for (int c = 0; c < k->channels; ++c) k->value[i][c] = floor(1e4 * k->value[i][c] + 0.5) / 1e4;
  }
}

static int judge_at(const HeftModel* m, const Options* o, const Knots* k, double mass,
                    double stretch, HeftError* error) {
  Csv table;
  JudgeReport r;
  double torque = 0, margin = (double)NAN, gap = (double)NAN;
  int dof = -1;
  if (knots_motion(&table, k, m, knots_rows(k, 0.01), stretch, error) != HEFT_OK) return -1;
  int well = stretch != 1 || !o->out || write_motion(o, &table, mass);
  if (judge_trajectory(m, &table, "motion", &o->def.judge, &r, error) != HEFT_OK) well = 0;
  csv_release(&table);
  if (!well) return -1;
  for (int i = 0; i < r.sample_count; ++i) {
    const JudgeSample* s = &r.sample[i];
    if (s->torque > torque) dof = s->torque_dof;
    torque = fmax(torque, s->torque);
    margin = fmin(margin, s->margin);
    gap = fmin(gap, s->gap);
  }
  printf("  %-10s torque %.3f of the limit (%s), pressure %.1f mm inside the contacts",
         stretch == 1 ? "found" : "slow", torque,
         dof < 0 ? "-" : heft_model_name(m, HEFT_NAMED_JOINT, m->dof_joint[dof]), 1e3 * margin);
  if (isfinite(gap)) printf(", bar clear by %.1f mm", 1e3 * gap);
  printf(": %s", r.violation_count == 0 ? "feasible\n" : "not feasible");
  for (int i = 0; i < r.violation_count; ++i)
    if (i == 0 || r.violation[i].kind != r.violation[i - 1].kind)
      printf(" %s", judge_kind_word(r.violation[i].kind));
  if (r.violation_count > 0) printf("\n");
  const int feasible = r.violation_count == 0;
  judge_release(&r);
  return feasible;
}

// 1: feasible, 0: not feasible, -1: failed.
static int search_mass(const HeftModel* m, Options* o, Knots* k, double mass, HeftError* error) {
  printf("%g kg\n", mass);
  fflush(stdout);
  for (int i = 0; i < o->def.judge.load_count; ++i)
    o->def.judge.load[i].mass = mass / o->def.judge.load_count;
  if (optimise_knots(m, k, &o->def, error) != HEFT_OK) return -1;
  round_knots(k);
  if (o->out && !write_knots(o, k, mass)) return -1;
  const int feasible = judge_at(m, o, k, mass, 1, error);
  if (feasible >= 0 && o->slow > 0 && judge_at(m, o, k, mass, o->slow, error) < 0) return -1;
  return feasible;
}

static int search(const HeftModel* m, Options* o, const char* path) {
  Csv table;
  Knots knots;
  HeftError error = {0};
  double total = 0;
  int worst = -1;
  for (int i = 0; i < o->def.judge.load_count; ++i) total += o->def.judge.load[i].mass;
  if (o->mass_count == 0) o->mass[o->mass_count++] = total;
  if (log_table_read_csv(&table, path, 1, &error)) {
    worst = knots_read(&knots, m, &table, path, &error) == HEFT_OK ? 1 : -1;
    for (int i = 0; worst >= 0 && i < o->mass_count; ++i) {
      const int found = search_mass(m, o, &knots, o->mass[i], &error);
      worst = found < worst ? found : worst;
    }
    csv_release(&table);
  }
  if (worst < 0 && error.status != HEFT_OK) model_options_report(&error, "error");
  return worst > 0 ? 0 : worst == 0 ? 1 : 2;
}

int heft_verb_optimise(int argc, char** argv) {
  Options o = {.def = optimise_def_default()};
  ModelOptions options;
  const char *path = NULL, *table = NULL;
  model_options_init(&options);
  const Arguments arguments = {.verb = "optimise",
                               .help = help,
                               .model = &options,
                               .options = &o,
                               .value = take_value,
                               .path = &path,
                               .other = &table};
  const int asked = arguments_read(&arguments, argc, argv);
  int code = asked == 2 ? 0 : 2;
  if (asked == 2) printf("%s%s", help, model_options_help);
  if (asked == 1 && !table) {
    fprintf(stderr,
            "heft optimise: error: the table of knots is missing; try 'heft optimise --help'\n");
  } else if (asked == 1) {
    HeftModel* model = model_options_load(&options, path);
    if (model && load_options_apply(&o.loads, "optimise", model, o.support, &o.def.judge))
      code = search(model, &o, table);
    heft_model_destroy(model);
  }
  model_options_release(&options);
  return code;
}
