// SPDX-License-Identifier: Apache-2.0
#include "sweep_log.h"

#include <heft/run_log.h>
#include <stdio.h>
#include <string.h>

#include "evidence.h"
#include "run_log.h"
#include "sweep_input.h"

typedef struct Files {
  RunLog* log;  // or NULL
  const char* evidence_path;
  Evidence* evidence;
  HeftWorldDef def;
} Files;

static void write_step(void* user, HeftWorld* w, const HeftStepReport* report) {
  Files* f = user;
  const HeftStepReport start = heft_run_log_start_report(w);
  if (f->log) run_log_step(f->log, w, report ? report : &start);
  if (report && heft_step_taken(report->status)) evidence_after(f->evidence, w, report);
  if (!report && f->evidence_path) f->evidence = evidence_open(f->evidence_path, w, &f->def);
  evidence_before(f->evidence, w);
}

static void copy_row(const Sweep* s, const Hdf5File* from, int64_t row, Hdf5File* to) {
  for (int i = 0; i < s->column_count; ++i)
    memcpy(to->bytes + to->offset[i],
           from->bytes + from->offset[i] + 8 * (size_t)row * (size_t)s->column[i].width,
           8 * (size_t)s->column[i].width);
}

int sweep_log_run(const Sweep* s, int64_t run, const char* path, const char* evidence,
                  Hdf5File* row) {
  HeftError error = {0};
  SweepWorker* worker = NULL;
  Hdf5File file = {0};
  int64_t at = 0;
  Files files = {.evidence_path = evidence, .def = heft_world_def_default()};
  if (s->plan->tolerance > 0) files.def.tolerance = s->plan->tolerance;
  if (path) files.log = run_log_open(path, s->model, s->plan->model, NULL, NULL);
  if (path && !files.log) return 0;
  HeftStatus status = sweep_worker_create(&worker, s, &error);
  if (status == HEFT_OK)
    status = sweep_worker_replay(worker, run, write_step, &files, &file, &at, &error);
  int well = evidence_close(files.evidence) && (!evidence || files.evidence);
  if (files.log) well &= run_log_close(files.log);
  if (status == HEFT_OK && row) {
    SweepTable t;
    sweep_table(s, run, 1, &t);
    if (hdf5_make(row, &t.table))
      copy_row(s, &file, at, row);
    else
      well = 0;
  }
  if (status != HEFT_OK) sweep_report(&error);
  hdf5_release(&file);
  sweep_worker_destroy(worker);
  return well && status == HEFT_OK;
}
