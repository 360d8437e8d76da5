// SPDX-License-Identifier: Apache-2.0
// heft sweep run: computes the chunks of a plan that are missing in a folder of results.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "run_log.h"
#include "sweep/engine.h"
#include "sweep/quarantine.h"
#include "sweep/results.h"
#include "sweep_input.h"
#include "sweep_log.h"
#include "sweep_verbs.h"

static const char help[] =
    "usage: heft sweep run [OPTIONS] PLAN.toml\n"
    "Computes all runs of a plan on this machine, and stores results in a folder. Stopped by "
    "Ctrl-C\n"
    "or by a crash, the same command goes on with the chunks that are missing.\n"
    "\n"
    "  --out FOLDER           results (default: the name of the plan with .results)\n"
    "  --workers N            threads (default: all processors)\n"
    "  --shard I/N            compute only part I (from 0) of N parts; --shard auto takes it from\n"
    "                         Slurm, Kubernetes or GNU parallel\n"
    "  --retry                compute chunks of the quarantine, too\n"
    "  --quiet                no progress\n";

void sweep_default_folder(const char* plan, char* out, size_t size) {
  const size_t length = strlen(plan);
  const int cut = length > 5 && strcmp(plan + length - 5, ".toml") == 0 ? 5 : 0;
  snprintf(out, size, "%.*s.results", (int)length - cut, plan);
}

static int processors(void) {
  const long n = sysconf(_SC_NPROCESSORS_ONLN);
  return n > 0 ? (int)n : 1;
}

static int read_workers(const char* text, int* out) {
  char* end = NULL;
  *out = processors();
  if (!text) return 1;
  const long n = strtol(text, &end, 10);
  if (end == text || *end || n < 1 || n > 1024) {
    fprintf(stderr, "heft sweep run: error: --workers '%s': expected 1 to 1024\n", text);
    return 0;
  }
  *out = (int)n;
  return 1;
}

/// The work to compute, and where.
typedef struct Task {
  const char* folder;
  SweepShard shard;
  int workers, retry, quiet;
  int64_t *chunks, count;  ///< that are missing
  int64_t away;            ///< in quarantine
} Task;

// The chunks of a shard that are missing. Chunks that are there are read and checked; damaged ones
// are named and count as missing.
static int find_missing(const Sweep* s, Task* t, SweepTally* present) {
  HeftError error = {0};
  const char* folder = t->folder;
  for (int64_t k = t->shard.index; k < plan_chunk_count(s->plan); k += t->shard.count) {
    Hdf5File file;
    if (quarantine_has(folder, k)) {
      if (!t->retry) {
        ++t->away;
        continue;
      }
      if (quarantine_lift(folder, k, &error) != HEFT_OK) return !sweep_report(&error);
    }
    if (!results_has(folder, k)) {
      t->chunks[t->count++] = k;
      continue;
    }
    int gone = 0;
    if (results_read_or_remove(folder, s, k, &file, &gone, &error) != HEFT_OK) {
      sweep_report(&error);
      if (!gone) return 0;
      t->chunks[t->count++] = k;
      continue;
    }
    sweep_tally_add(present, s, &file, plan_chunk_runs(s->plan, k));
    hdf5_release(&file);
  }
  return 1;
}

static int complete(const Sweep* s, const char* folder) {
  for (int64_t k = 0; k < plan_chunk_count(s->plan); ++k)
    if (!results_has(folder, k)) return 0;
  return 1;
}

// The virtual file and the chosen logs, when all chunks are there.
int sweep_finish(const SweepInput* in, const char* folder, int quiet) {
  HeftError error = {0};
  char path[4096];
  if (!complete(in->sweep, folder)) return 1;
  if (results_write_virtual(folder, in->sweep, &error) != HEFT_OK) {
    sweep_report(&error);
    return 0;
  }
  for (int i = 0; i < in->plan->log_count; ++i) {
    snprintf(path, sizeof path, "%s/logs", folder);
    if (mkdir(path, 0777) != 0 && errno != EEXIST) {
      fprintf(stderr, "heft sweep run: error: %s: %s\n", path, strerror(errno));
      return 0;
    }
    snprintf(path, sizeof path, "%s/logs/run-%lld.mcap", folder, (long long)in->plan->log[i]);
    if (access(path, F_OK) == 0) continue;
    if (!sweep_log_run(in->sweep, in->plan->log[i], path, NULL, NULL)) return 0;
    if (!quiet) printf("  log                 %s\n", path);
  }
  return 1;
}

static int run(const SweepInput* in, Task* t) {
  HeftError error = {0};
  SweepTally tally = {0}, present = {0};
  const char* folder = t->folder;
  if (results_open(folder, in->sweep, &error) != HEFT_OK) return sweep_report(&error);
  const size_t room = (size_t)(plan_chunk_count(in->plan) / t->shard.count + 1);
  t->chunks = malloc(room * sizeof *t->chunks);
  if (!t->chunks) {
    fprintf(stderr, "heft sweep run: error: not enough memory\n");
    return 1;
  }
  if (!find_missing(in->sweep, t, &present)) {
    free(t->chunks);
    return 1;
  }
  const SweepJob job = {in->sweep, folder, t->chunks, t->count, t->workers, t->quiet, 0};
  const HeftStatus status = sweep_engine_run(&job, &tally, &error);
  free(t->chunks);
  if (status != HEFT_OK && status != HEFT_ERR_STOPPED) return sweep_report(&error);
  printf("%s\n", folder);
  if (present.chunks > 0)
    printf("  present before      %lld of %lld chunks\n", (long long)present.chunks,
           (long long)present.chunks + (long long)t->count + (long long)t->away);
  printf("  computed            %lld runs in %.2f s by %d workers: %.5g runs/s, %.5g steps/s\n",
         (long long)tally.runs, tally.seconds, t->workers,
         tally.seconds > 0 ? (double)tally.runs / tally.seconds : 0,
         tally.seconds > 0 ? (double)tally.steps / tally.seconds : 0);
  sweep_tally_join(&present, &tally);
  sweep_tally_print(&present, in->sweep);
  if (status == HEFT_ERR_STOPPED) {
    printf("  stopped             %lld chunks are missing; the same command goes on\n",
           (long long)t->count - (long long)tally.chunks);
    return 130;
  }
  if (t->away > 0) {
    printf("  quarantine          %lld chunks, see %s/quarantine; --retry computes them\n",
           (long long)t->away, folder);
    return 1;
  }
  return sweep_finish(in, folder, t->quiet) ? 0 : 1;
}

int heft_sweep_run(int argc, char** argv) {
  const char *out = NULL, *workers_text = NULL, *shard_text = NULL, *plan = NULL;
  Task t = {.workers = 1};
  const SweepOption options[] = {{"--out", &out, NULL},
                                 {"--workers", &workers_text, NULL},
                                 {"--shard", &shard_text, NULL},
                                 {"--retry", NULL, &t.retry},
                                 {"--quiet", NULL, &t.quiet}};
  const int found = sweep_arguments("run", help, options, 5, argc, argv, &plan, 1);
  if (found < 0) return found == -2 ? 0 : 2;
  if (found == 0) {
    fprintf(stderr, "heft sweep run: error: the plan is missing; try 'heft sweep run --help'\n");
    return 2;
  }
  char folder[1024];
  SweepInput in;
  if (strlen(out ? out : plan) > sizeof folder - 20) {
    fprintf(stderr, "heft sweep run: error: the path of the folder is too long\n");
    return 2;
  }
  if (!read_workers(workers_text, &t.workers) || !sweep_shard_read(&t.shard, shard_text)) return 2;
  if (out)
    snprintf(folder, sizeof folder, "%s", out);
  else
    sweep_default_folder(plan, folder, sizeof folder);
  const int opened = sweep_input_open(&in, plan);
  t.folder = folder;
  const int code = opened ? run(&in, &t) : 1;
  sweep_input_close(&in);
  return code;
}
