// SPDX-License-Identifier: Apache-2.0
// heft sweep export, hash and merge: results as a table, their hash, folders of shards in one.
#include <dirent.h>
#include <heft/io.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sweep/engine.h"
#include "sweep/parquet.h"
#include "sweep/results.h"
#include "sweep_input.h"
#include "sweep_verbs.h"
#include "whole_file.h"

// ---- export

static const char export_help[] =
    "usage: heft sweep export [OPTIONS] FOLDER\n"
    "Writes all results as one table: a row for each run, inputs first. Runs that are missing are "
    "left\n"
    "out.\n"
    "\n"
    "  --csv FILE.csv         as text (default: to standard output)\n"
    "  --parquet FILE         as Parquet, whose columns can be read in parts\n";

static void write_header(FILE* out, const Sweep* s) {
  fprintf(out, "run");
  for (int i = 0; i < s->column_count; ++i)
    for (int k = 0; k < s->column[i].width; ++k) {
      fprintf(out, ",%s", s->column[i].name);
      if (s->column[i].width > 1) fprintf(out, "_%d", k);
    }
  fprintf(out, "\n");
}

static void write_number(FILE* out, const Sweep* s, const Hdf5File* f, int column, int64_t at) {
  const uint64_t bits = hdf5_get(f, column, at);
  if (s->column[column].type == HDF5_INT64)
    fprintf(out, ",%lld", (long long)bits);
  else if (s->column[column].type == HDF5_UINT64)
    fprintf(out, ",%llu", (unsigned long long)bits);
  else
    fprintf(out, ",%.17g", hdf5_get_double(f, s->column, column, at));
}

static int write_csv(FILE* out, const char* folder, const Sweep* s) {
  HeftError error = {0};
  write_header(out, s);
  for (int64_t k = 0; k < plan_chunk_count(s->plan); ++k) {
    Hdf5File f;
    if (!results_has(folder, k)) continue;
    if (results_read(folder, s, k, &f, &error) != HEFT_OK) return !sweep_report(&error);
    for (int64_t row = 0; row < plan_chunk_runs(s->plan, k); ++row) {
      const int64_t run = plan_chunk_first(s->plan, k) + row;
      fprintf(out, "%lld", (long long)run);
      for (int i = 0; i < s->column_count; ++i)
        for (int c = 0; c < s->column[i].width; ++c)
          write_number(out, s, &f, i, row * s->column[i].width + c);
      fprintf(out, "\n");
    }
    hdf5_release(&f);
  }
  return 1;
}

// Columns of the file: the number of the run, then each number of each column of the sweep.
static int parquet_columns(ParquetColumn* to, const Sweep* s) {
  int n = 0;
  to[n++] = (ParquetColumn){.name = "run", .unit = "", .type = HDF5_INT64};
  for (int i = 0; i < s->column_count; ++i)
    for (int k = 0; k < s->column[i].width; ++k, ++n) {
      const Hdf5Column* c = &s->column[i];
      to[n] = (ParquetColumn){.unit = c->unit, .type = c->type};
      snprintf(to[n].name, sizeof to[n].name, c->width > 1 ? "%s_%d" : "%s", c->name, k);
    }
  return n;
}

static int write_runs(Parquet* p, const Sweep* s, const Hdf5File* f, int64_t chunk) {
  for (int64_t row = 0; row < plan_chunk_runs(s->plan, chunk); ++row) {
    int n = 0;
    *parquet_number(p, n++) = (uint64_t)(plan_chunk_first(s->plan, chunk) + row);
    for (int i = 0; i < s->column_count; ++i)
      for (int k = 0; k < s->column[i].width; ++k)
        *parquet_number(p, n++) = hdf5_get(f, i, row * s->column[i].width + k);
    if (!parquet_next(p)) return 0;
  }
  return 1;
}

static int write_parquet(FILE* out, const char* folder, const Sweep* s) {
  HeftError error = {0};
  SweepTable t;
  int well = 1, told = 0;
  ParquetColumn* columns = calloc((size_t)s->width_sum + 1, sizeof *columns);
  sweep_table(s, 0, s->plan->runs, &t);
  const int count = columns ? parquet_columns(columns, s) : 0;
  Parquet* p =
      columns ? parquet_begin(out, columns, count, t.attribute, t.table.attribute_count) : NULL;
  for (int64_t k = 0; p && well && k < plan_chunk_count(s->plan); ++k) {
    Hdf5File f;
    if (!results_has(folder, k)) continue;
    if (results_read(folder, s, k, &f, &error) != HEFT_OK) {
      told = sweep_report(&error);
      well = 0;
    } else {
      well = write_runs(p, s, &f, k);
      hdf5_release(&f);
    }
  }
  well = parquet_end(p) && well;
  free(columns);
  if (!well && !told)
    fprintf(stderr, "heft sweep export: error: memory or space for the file ran out\n");
  return well;
}

int heft_sweep_export(int argc, char** argv) {
  const char *folder = NULL, *csv = NULL, *parquet = NULL;
  const SweepOption options[] = {{"--csv", &csv, NULL}, {"--parquet", &parquet, NULL}};
  const int found = sweep_arguments("export", export_help, options, 2, argc, argv, &folder, 1);
  if (found < 0) return found == -2 ? 0 : 2;
  if (found == 0 || (csv && parquet)) {
    fprintf(stderr,
            "heft sweep export: error: expected the folder of results, and one of --csv "
            "and --parquet\n");
    return 2;
  }
  const char* path = parquet ? parquet : csv;
  SweepInput in;
  int code = 1;
  if (sweep_input_open_results(&in, folder)) {
    WholeFile file = {0};
    FILE* out = path ? whole_file_open(&file, path) : stdout;
    if (!out) {
      fprintf(stderr, "heft sweep export: error: '%s' cannot be written\n", path);
    } else {
      code = parquet ? !write_parquet(out, folder, in.sweep) : !write_csv(out, folder, in.sweep);
      const int well = path ? whole_file_close(&file, code == 0) : fflush(out) == 0;
      if (code == 0 && !well)
        fprintf(stderr, "heft sweep export: error: the file is not complete\n");
      code |= !well;
    }
  }
  sweep_input_close(&in);
  return code;
}

// ---- hash

static const char hash_help[] =
    "usage: heft sweep hash FOLDER\n"
    "Prints the SHA-256 of all results in the order of the runs. It does not depend on workers,\n"
    "shards, machines and interruptions. All chunks must be there.\n";

int heft_sweep_hash(int argc, char** argv) {
  const char* folder = NULL;
  const int found = sweep_arguments("hash", hash_help, NULL, 0, argc, argv, &folder, 1);
  if (found < 0) return found == -2 ? 0 : 2;
  if (found == 0) {
    fprintf(stderr, "heft sweep hash: error: the folder of results is missing\n");
    return 2;
  }
  SweepInput in;
  HeftError error = {0};
  char text[65];
  int code = 1;
  if (sweep_input_open_results(&in, folder)) {
    if (results_hash(folder, in.sweep, text, &error) == HEFT_OK)
      code = printf("%s\n", text) < 0;
    else
      sweep_report(&error);
  }
  sweep_input_close(&in);
  return code;
}

// ---- merge

static const char merge_help[] =
    "usage: heft sweep merge --out FOLDER FOLDER...\n"
    "Gathers the chunks of several folders of one plan in one folder. If two folders have the "
    "same\n"
    "chunk, its bytes must be the same.\n"
    "\n"
    "  --out FOLDER           where to; it may be one of the others\n";

enum { FOLDERS_MAX = 4096 };

// The chunks of a folder, checked and stored in another. Damaged ones are named and left out, and
// in the other folder removed.
static int take_chunks(const Sweep* s, const char* from, const char* to, int64_t* taken) {
  HeftError error = {0};
  int well = sweep_remove_damaged(s, to) >= 0;
  for (int64_t k = 0; k < plan_chunk_count(s->plan); ++k) {
    Hdf5File f;
    if (!results_has(from, k)) continue;
    HeftStatus status = results_read(from, s, k, &f, &error);
    if (status == HEFT_ERR_SYNTAX || status == HEFT_ERR_CHECKSUM) {
      well = !sweep_report(&error);
      continue;
    }
    if (status == HEFT_OK) status = results_store(to, k, f.bytes, f.size, &error);
    hdf5_release(&f);
    if (status != HEFT_OK) return !sweep_report(&error);
    ++*taken;
  }
  return well;
}

static int merge_one(const char* from, const char* to, int64_t* taken) {
  SweepInput in;
  HeftError error = {0};
  int well = sweep_input_open_results(&in, from);
  if (well && results_open(to, in.sweep, &error) != HEFT_OK) well = !sweep_report(&error);
  if (well) well = take_chunks(in.sweep, from, to, taken);
  sweep_input_close(&in);
  return well;
}

static int finish_merge(const char* folder) {
  SweepInput in;
  HeftError error = {0};
  int64_t missing = 0;
  int well = sweep_input_open_results(&in, folder);
  for (int64_t k = 0; well && k < plan_chunk_count(in.plan); ++k)
    missing += !results_has(folder, k);
  if (well && missing == 0 && results_write_virtual(folder, in.sweep, &error) != HEFT_OK)
    well = !sweep_report(&error);
  if (well && missing > 0)
    printf("  missing             %lld of %lld chunks\n", (long long)missing,
           (long long)plan_chunk_count(in.plan));
  sweep_input_close(&in);
  return well;
}

int heft_sweep_merge(int argc, char** argv) {
  static const char* folders[FOLDERS_MAX];
  const char* out = NULL;
  const SweepOption options[] = {{"--out", &out, NULL}};
  const int found =
      sweep_arguments("merge", merge_help, options, 1, argc, argv, folders, FOLDERS_MAX);
  if (found < 0) return found == -2 ? 0 : 2;
  if (found == 0 || !out) {
    fprintf(stderr, "heft sweep merge: error: expected --out FOLDER and folders of results\n");
    return 2;
  }
  int64_t taken = 0;
  int well = 1;
  for (int i = 0; i < found; ++i) well &= merge_one(folders[i], out, &taken);
  printf("%s\n  merged              %lld chunks of %d folders\n", out, (long long)taken, found);
  return finish_merge(out) && well ? 0 : 1;
}
