// SPDX-License-Identifier: Apache-2.0
#include "sweep_input.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model_names.h"
#include "sweep/results.h"

int sweep_report(const HeftError* error) {
  char text[1024];
  fprintf(stderr, "heft sweep: error: %s\n", heft_error_format(error, text, sizeof text));
  return 1;
}

// The plan gives options of loading as the command line does.
static int take_options(SweepInput* in) {
  char* argv[PLAN_LOAD_MAX + 1];
  const int argc = in->plan->load_count;
  for (int i = 0; i < argc; ++i) argv[i] = (char*)(uintptr_t)in->plan->load[i];
  argv[argc] = NULL;
  for (int i = 0; i < argc; ++i) {
    const int taken = model_options_take(&in->options, argc, argv, &i);
    if (taken > 0) continue;
    if (taken == 0)
      fprintf(stderr, "heft sweep: error: %s: 'load': unknown option '%s' of loading\n",
              in->plan->path, argv[i]);
    return 0;
  }
  return 1;
}

int sweep_input_open(SweepInput* in, const char* plan_path) {
  HeftError error = {0};
  char beside[2048], found[MODEL_NAME_PATH];
  memset(in, 0, sizeof *in);
  model_options_init(&in->options);
  if (plan_read(&in->plan, plan_path, &error) != HEFT_OK) {
    sweep_report(&error);
    return 0;
  }
  if (!take_options(in)) return 0;
  plan_file(in->plan, in->plan->model, beside, sizeof beside);
  const char* path = access(beside, F_OK) == 0 ? beside : model_name_find(in->plan->model, found);
  in->model = model_options_load(&in->options, path);
  if (!in->model) return 0;
  if (sweep_create(&in->sweep, in->plan, in->model, &error) == HEFT_OK) return 1;
  sweep_report(&error);
  return 0;
}

int sweep_input_open_results(SweepInput* in, const char* folder) {
  HeftError error = {0};
  memset(in, 0, sizeof *in);
  model_options_init(&in->options);
  if (results_load(folder, &in->plan, &in->model, &in->sweep, &error) == HEFT_OK) return 1;
  sweep_report(&error);
  return 0;
}

int64_t sweep_remove_damaged(const Sweep* s, const char* folder) {
  HeftError error = {0};
  int64_t count = 0;
  for (int64_t k = 0; k < plan_chunk_count(s->plan); ++k) {
    Hdf5File file;
    int gone = 0;
    if (!results_has(folder, k)) continue;
    const HeftStatus status = results_read_or_remove(folder, s, k, &file, &gone, &error);
    hdf5_release(&file);
    if (status == HEFT_OK) continue;
    sweep_report(&error);
    if (!gone) return -1;
    ++count;
  }
  return count;
}

void sweep_input_close(SweepInput* in) {
  sweep_destroy(in->sweep);
  heft_model_destroy(in->model);
  plan_destroy(in->plan);
  model_options_release(&in->options);
}

// ---- shards

static int read_whole(const char* text, const char** end, int64_t* out) {
  char* after = NULL;
  errno = 0;
  *out = strtoll(text, &after, 10);
  *end = after;
  return !errno && after != text && *out >= 0;
}

static int wrong(const char* name, const char* value) {
  fprintf(stderr, "heft sweep: error: %s '%s': expected a shard i/n with 0 <= i < n\n", name,
          value);
  return 0;
}

static int read_number(const char* name, int64_t* out, int64_t usual) {
  const char *text = getenv(name), *end;
  *out = usual;
  if (!text || !text[0]) return 1;
  return (read_whole(text, &end, out) && *end == '\0') || wrong(name, text);
}

// Slurm: tasks from SLURM_ARRAY_TASK_MIN on. Kubernetes: an Indexed job has its index, and the job
// file repeats the number of completions. GNU parallel: jobs from 1 on.
static int read_environment(SweepShard* s) {
  int64_t first = 0;
  if (getenv("SLURM_ARRAY_TASK_ID")) {
    if (!read_number("SLURM_ARRAY_TASK_ID", &s->index, 0) ||
        !read_number("SLURM_ARRAY_TASK_MIN", &first, 0) ||
        !read_number("SLURM_ARRAY_TASK_COUNT", &s->count, 1))
      return 0;
    s->index -= first;
  } else if (getenv("JOB_COMPLETION_INDEX")) {
    if (!read_number("JOB_COMPLETION_INDEX", &s->index, 0) ||
        !read_number("HEFT_SHARD_COUNT", &s->count, 0))
      return 0;
    if (s->count == 0) {
      fprintf(stderr,
              "heft sweep: error: JOB_COMPLETION_INDEX is set, but HEFT_SHARD_COUNT, the number of "
              "completions, is not\n");
      return 0;
    }
  } else if (getenv("PARALLEL_SEQ")) {
    if (!read_number("PARALLEL_SEQ", &s->index, 1) ||
        !read_number("HEFT_SHARD_COUNT", &s->count, 0))
      return 0;
    if (s->count == 0) {
      fprintf(
          stderr,
          "heft sweep: error: PARALLEL_SEQ is set, but HEFT_SHARD_COUNT, the number of jobs, is "
          "not\n");
      return 0;
    }
    --s->index;
  } else {
    fprintf(stderr,
            "heft sweep: error: '--shard auto', but none of SLURM_ARRAY_TASK_ID, "
            "JOB_COMPLETION_INDEX and PARALLEL_SEQ is set\n");
    return 0;
  }
  if (s->index >= 0 && s->index < s->count) return 1;
  fprintf(stderr, "heft sweep: error: the environment says shard %lld of %lld\n",
          (long long)s->index, (long long)s->count);
  return 0;
}

int sweep_shard_read(SweepShard* out, const char* text) {
  const char* end;
  *out = (SweepShard){0, 1};
  if (!text) return 1;
  if (strcmp(text, "auto") == 0) return read_environment(out);
  if (!read_whole(text, &end, &out->index) || *end != '/' ||
      !read_whole(end + 1, &end, &out->count) || *end != '\0' || out->index >= out->count)
    return wrong("--shard", text);
  return 1;
}
