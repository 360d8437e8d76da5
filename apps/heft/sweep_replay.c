// SPDX-License-Identifier: Apache-2.0
// heft sweep replay: repeats one run with its exact inputs, compares it with the stored results,
// and logs or shows it.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "names.h"
#include "sweep/results.h"
#include "sweep/sample.h"
#include "sweep_data.h"
#include "sweep_input.h"
#include "sweep_log.h"
#include "sweep_verbs.h"
#include "verbs.h"

static const char help[] =
    "usage: heft sweep replay [OPTIONS] FOLDER RUN\n"
    "Repeats one run of a folder of results, prints its inputs and results, and compares all bits\n"
    "with those that are stored.\n"
    "RUN is a number; or EVENT[:K], the first run (or the one after K others) with this event; or\n"
    "EVENT@INPUT=VALUE,..., the run with this event that is nearest to a point of a map. Without "
    "EVENT it\n"
    "is the nearest run.\n"
    "\n"
    "  --view                 show it in the window\n"
    "  --log FILE             write its log: .mcap, .csv or .npy\n"
    "  --evidence FILE.mcap   write all that 'heft-check' needs to recompute each step\n";

// The column of an event; -1: there is none (reported).
static int event_column(const Sweep* s, const char* name) {
  for (int i = 0; i < s->plan->event_count; ++i)
    if (strcmp(s->plan->event[i].name, name) == 0) return sweep_find_column(s, name);
  fprintf(stderr,
          "heft sweep replay: error: '%s' is neither the number of a run nor an event; the "
          "events are:",
          name);
  for (int i = 0; i < s->plan->event_count; ++i) fprintf(stderr, " %s", s->plan->event[i].name);
  fprintf(stderr, "\n");
  return -1;
}

// ---- the run that is nearest to a point

typedef struct Point {
  int event;  ///< its column, or -1: any run
  int count;
  int input[PLAN_VARY_MAX];
  double value[PLAN_VARY_MAX];
} Point;

static const char* input_name(const void* from, int i) {
  return ((const Sweep*)from)->column[i].name;
}

// INPUT=VALUE,... 0: wrong (reported).
static int read_point(const Sweep* s, const char* text, Point* out) {
  for (const char* at = text; *at;) {
    const char* equals = strchr(at, '=');
    char name[80], *end = NULL;
    snprintf(name, sizeof name, "%.*s", equals ? (int)(equals - at) : (int)strlen(at), at);
    const double value = equals ? strtod(equals + 1, &end) : 0;
    if (!equals || end == equals + 1 || (*end && *end != ',') || out->count == PLAN_VARY_MAX) {
      fprintf(stderr, "heft sweep replay: error: '@%s': expected @INPUT=VALUE,INPUT=VALUE\n", text);
      return 0;
    }
    int input = 0;
    while (input < s->plan->vary_count && strcmp(s->column[input].name, name) != 0) ++input;
    if (input == s->plan->vary_count) {
      names_wrong("sweep replay", "the plan has no input", name,
                  (Names){input_name, s, s->plan->vary_count});
      return 0;
    }
    out->input[out->count] = input;
    out->value[out->count++] = value;
    at = *end ? end + 1 : end;
  }
  return 1;
}

// Distances are those on a map: each axis counts by its length.
static int64_t nearest(const SweepData* d, const Point* p) {
  SweepRange range[PLAN_VARY_MAX];
  int64_t best = -1;
  double least = (double)INFINITY;
  for (int k = 0; k < p->count; ++k) range[k] = sweep_range(d, p->input[k]);
  for (int64_t i = 0; i < d->runs; ++i) {
    double sum = 0;
    if (p->event >= 0 && d->column[p->event][i] != 1) continue;
    for (int k = 0; k < p->count; ++k) {
      const double x = sweep_range_share(&range[k], d->column[p->input[k]][i]) -
                       sweep_range_share(&range[k], p->value[k]);
      sum += x * x;
    }
    if (!(sum < least)) continue;
    least = sum;
    best = d->run[i];
  }
  return best;
}

// EVENT@INPUT=VALUE,... -1: there is no such run (reported).
static int64_t find_nearest(const Sweep* s, const char* folder, const char* text) {
  char name[80];
  const char* at = strchr(text, '@');
  Point p = {.event = -1};
  int64_t run = -1;
  snprintf(name, sizeof name, "%.*s", (int)(at - text), text);
  if (name[0] && (p.event = event_column(s, name)) < 0) return -1;
  if (!read_point(s, at + 1, &p)) return -1;
  SweepData* d = calloc(1, sizeof *d);
  if (!d) return -1;
  d->sweep = s;
  d->run = malloc((size_t)s->plan->runs * sizeof *d->run + 1);
  int well = d->run && (p.event < 0 || sweep_data_ask(d, p.event));
  for (int k = 0; k < p.count && well; ++k) well = sweep_data_ask(d, p.input[k]);
  if (well && sweep_data_load(d, folder, 1)) {
    run = nearest(d, &p);
    if (run < 0) fprintf(stderr, "heft sweep replay: error: no stored run fits '%s'\n", text);
  }
  sweep_data_release(d);
  free(d);
  return run;
}

// ---- the run with an event

// The first run with an event, after some others; -1: there is none (reported).
static int64_t find_event(const Sweep* s, const char* folder, const char* text) {
  char name[80];
  const char* colon = strchr(text, ':');
  int64_t skip = colon ? strtoll(colon + 1, NULL, 10) : 0;
  HeftError error = {0};
  snprintf(name, sizeof name, "%.*s", colon ? (int)(colon - text) : (int)strlen(text), text);
  const int column = event_column(s, name);
  if (column < 0) return -1;
  for (int64_t k = 0; k < plan_chunk_count(s->plan); ++k) {
    Hdf5File f;
    if (!results_has(folder, k)) continue;
    if (results_read(folder, s, k, &f, &error) != HEFT_OK) return -sweep_report(&error);
    for (int64_t row = 0; row < plan_chunk_runs(s->plan, k); ++row)
      if (hdf5_get(&f, column, row) == 1 && skip-- == 0) {
        hdf5_release(&f);
        return plan_chunk_first(s->plan, k) + row;
      }
    hdf5_release(&f);
  }
  fprintf(stderr, "heft sweep replay: error: no stored run, or not so many, has the event '%s'\n",
          name);
  return -1;
}

static int64_t read_run(const Sweep* s, const char* folder, const char* text) {
  char* end = NULL;
  const int64_t run = strtoll(text, &end, 10);
  if (strchr(text, '@')) return find_nearest(s, folder, text);
  if (end == text || *end) return find_event(s, folder, text);
  if (run >= 0 && run < s->plan->runs) return run;
  fprintf(stderr, "heft sweep replay: error: run %s: expected 0 to %lld\n", text,
          (long long)s->plan->runs - 1);
  return -1;
}

static void print_row(const Sweep* s, const Hdf5File* f) {
  for (int i = 0; i < s->column_count; ++i) {
    const Hdf5Column* c = &s->column[i];
    printf("  %s %-*s", i < s->first_result ? "input " : "result", 20, c->name);
    for (int k = 0; k < c->width && k < 8; ++k)
      if (c->type == HDF5_UINT64)
        printf(" %016llx", (unsigned long long)hdf5_get(f, i, k));
      else
        printf(" %.10g", hdf5_get_double(f, s->column, i, k));
    if (i == s->first_result) printf(" (%s)", sweep_status_name((int)hdf5_get(f, i, 0)));
    printf("%s %s\n", c->width > 8 ? " ..." : "", c->unit);
  }
}

// 1: all numbers of the run are those that are stored, or none are.
static int compare(const Sweep* s, const char* folder, int64_t run, const Hdf5File* f) {
  HeftError error = {0};
  Hdf5File stored;
  int same = 1;
  const int64_t chunk = run / s->plan->chunk, row = run % s->plan->chunk;
  if (!results_has(folder, chunk)) {
    printf("  stored results      none: its chunk is missing\n");
    return 1;
  }
  if (results_read(folder, s, chunk, &stored, &error) != HEFT_OK) return !sweep_report(&error);
  for (int i = 0; i < s->column_count; ++i)
    for (int k = 0; k < s->column[i].width; ++k)
      same &= hdf5_get(f, i, k) == hdf5_get(&stored, i, row * s->column[i].width + k);
  hdf5_release(&stored);
  printf("  stored results      %s\n",
         same ? "the same, bit for bit" : "DIFFERENT: this machine computes other bits");
  return same;
}

static int show(const char* log) {
  char verb[] = "view", *path = strdup(log);
  char* argv[] = {verb, path, NULL};
  const int code = path ? heft_verb_view(2, argv) : 1;
  free(path);
  return code;
}

static int replay(const SweepInput* in, const char* folder, const char* text, const char* log,
                  const char* evidence, int view) {
  char folder_of_log[] = "/tmp/heft-sweep-XXXXXX", path[64] = "";
  Hdf5File row = {0};
  const int64_t run = read_run(in->sweep, folder, text);
  if (run < 0) return 1;
  if (view && !log) {
    if (!mkdtemp(folder_of_log)) {
      fprintf(stderr, "heft sweep replay: error: no folder for the log in /tmp\n");
      return 1;
    }
    snprintf(path, sizeof path, "%s/run-%lld.mcap", folder_of_log, (long long)run);
    log = path;
  }
  int code = !sweep_log_run(in->sweep, run, log, evidence, &row);
  if (!code) {
    printf("run %lld of %s\n", (long long)run, folder);
    print_row(in->sweep, &row);
    code = !compare(in->sweep, folder, run, &row);
    if (log && !path[0]) printf("  log                 %s\n", log);
    if (view) code |= show(log);
  }
  if (path[0]) {
    unlink(path);
    rmdir(folder_of_log);
  }
  hdf5_release(&row);
  return code;
}

int heft_sweep_replay(int argc, char** argv) {
  const char *given[2] = {NULL, NULL}, *log = NULL, *evidence = NULL;
  int view = 0;
  const SweepOption options[] = {
      {"--view", NULL, &view}, {"--log", &log, NULL}, {"--evidence", &evidence, NULL}};
  const int found = sweep_arguments("replay", help, options, 3, argc, argv, given, 2);
  if (found < 0) return found == -2 ? 0 : 2;
  if (found < 2) {
    fprintf(stderr,
            "heft sweep replay: error: expected a folder of results and a run; try 'heft "
            "sweep replay --help'\n");
    return 2;
  }
  SweepInput in;
  const int code = sweep_input_open_results(&in, given[0])
                       ? replay(&in, given[0], given[1], log, evidence, view)
                       : 1;
  sweep_input_close(&in);
  return code;
}
