// SPDX-License-Identifier: Apache-2.0
#include "run_frames.h"

#include <stdio.h>
#include <stdlib.h>

static double* zeros(int count) { return calloc((size_t)count + 1, sizeof(double)); }

int run_frames_open(RunFrames* out, const char* path, int contact_capacity, HeftError* error) {
  *out = (RunFrames){.run = run_read_open_path(path, error)};
  out->model = out->run ? run_read_copy_model(out->run, error) : NULL;
  const HeftModel* m = out->model;
  if (!m) {
    run_frames_close(out);
    return 0;
  }
  HeftViewFrame* f = &out->frame;
  f->q = zeros(m->nq);
  f->v = zeros(m->nv);
  f->controls = zeros(m->nactuator);
  f->actuator_forces = zeros(m->nactuator);
  f->moved = zeros(13 * m->nmoved);
  f->contact = calloc((size_t)contact_capacity, sizeof *f->contact);
  out->contact_capacity = contact_capacity;
  out->rows = run_read_recording(out->run)->row_count;
  if (f->q && f->v && f->controls && f->actuator_forces && f->moved && f->contact) return 1;
  *error = (HeftError){.status = HEFT_ERR_MEMORY};
  snprintf(error->message, sizeof error->message, "there is not enough memory for the log");
  run_frames_close(out);
  return 0;
}

void run_frames_close(RunFrames* r) {
  HeftViewFrame* f = &r->frame;
  free(f->q);
  free(f->v);
  free(f->controls);
  free(f->actuator_forces);
  free(f->moved);
  free(f->contact);
  heft_model_destroy(r->model);
  run_read_close(r->run);
  *r = (RunFrames){0};
}

int run_frames_read(RunFrames* r, long row, HeftError* error) {
  const HeftRecording* all = run_read_recording(r->run);
  if (all->read(all->user, row, &r->frame, r->contact_capacity)) return 1;
  *error = (HeftError){.status = HEFT_ERR_SYNTAX};
  snprintf(error->message, sizeof error->message, "row %ld of the log is damaged", row + 1);
  return 0;
}
