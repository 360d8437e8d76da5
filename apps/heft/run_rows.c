// SPDX-License-Identifier: Apache-2.0
#include "run_rows.h"

#include <stdio.h>
#include <stdlib.h>

#include "log_table.h"

enum { CONTACTS_MAX = 16384 };

static int fail(HeftError* error, HeftStatus status, const char* text) {
  *error = (HeftError){.status = status};
  snprintf(error->message, sizeof error->message, "%s", text);
  return 0;
}

static double* zeros(int count) { return calloc((size_t)count + 1, sizeof(double)); }

static int open_mcap(RunRows* r, const char* path, HeftError* error) {
  HeftViewFrame* f = &r->frame;
  r->run = run_read_open_path(path, error);
  r->own = r->run ? run_read_copy_model(r->run, error) : NULL;
  const HeftModel* m = r->own;
  if (!m) return 0;
  if (!r->model) r->model = m;
  if (r->model->nq != m->nq || r->model->nv != m->nv || r->model->nbody != m->nbody ||
      r->model->nactuator != m->nactuator || r->model->nmoved != m->nmoved)
    return fail(error, HEFT_ERR_ARGUMENT, "the log is of another model than the one of --model");
  r->rows = run_read_recording(r->run)->row_count;
  f->q = zeros(m->nq);
  f->v = zeros(m->nv);
  f->controls = zeros(m->nactuator);
  f->actuator_forces = zeros(m->nactuator);
  f->moved = zeros(13 * m->nmoved);
  f->contact = calloc(CONTACTS_MAX, sizeof *f->contact);
  r->contact = calloc(CONTACTS_MAX, sizeof *r->contact);
  if (f->q && f->v && f->controls && f->actuator_forces && f->moved && f->contact && r->contact)
    return 1;
  return fail(error, HEFT_ERR_MEMORY, "there is not enough memory for the log");
}

static int open_csv(RunRows* r, const char* path, const char* contacts, HeftError* error) {
  if (!r->model) return fail(error, HEFT_ERR_ARGUMENT, "a log in CSV needs --model FILE");
  const int good = log_table_read_csv(&r->states, path, 1, error) &&
                   (!contacts || log_table_read_csv(&r->contacts, contacts, 0, error)) &&
                   run_table_open(&r->table, r->model, &r->states, path,
                                  contacts ? &r->contacts : NULL, contacts, error) == HEFT_OK;
  if (good) r->rows = run_table_rows(r->table);
  return good;
}

int run_rows_open(RunRows* out, const char* path, const char* contacts, const HeftModel* model,
                  HeftError* error) {
  *out = (RunRows){.model = model};
  const int good =
      run_read_is_log(path) ? open_mcap(out, path, error) : open_csv(out, path, contacts, error);
  if (!good) run_rows_close(out);
  if (!good && error->file[0] == '\0')
    snprintf(error->file, sizeof error->file, "%.*s", (int)sizeof error->file - 1, path);
  return good;
}

void run_rows_close(RunRows* r) {
  HeftViewFrame* f = &r->frame;
  free(f->q);
  free(f->v);
  free(f->controls);
  free(f->actuator_forces);
  free(f->moved);
  free(f->contact);
  free(r->contact);
  run_read_close(r->run);
  run_table_close(r->table);
  csv_release(&r->states);
  csv_release(&r->contacts);
  heft_model_destroy(r->own);
  *r = (RunRows){0};
}

int run_rows_read(RunRows* r, int64_t row, HeftError* error) {
  HeftViewFrame* f = &r->frame;
  if (r->table) return run_table_read(r->table, row, &r->row, error);
  const HeftRecording* all = run_read_recording(r->run);
  if (!all->read(all->user, (long)row, f, CONTACTS_MAX))
    return fail(error, HEFT_ERR_SYNTAX, "a row of the log is damaged");
  for (int k = 0; k < f->contact_count; ++k) {
    const HeftContact* c = &f->contact[k];
    r->contact[k] = (RefereeContact){c->body_a, c->body_b, c->pos, c->normal, c->force, c->torque};
  }
  r->row = (RefereeRow){.time = f->time,
                        .q = f->q,
                        .v = f->v,
                        .moved = f->moved,
                        .actuator = f->actuator_forces,
                        .contact = r->contact,
                        .contact_count = f->contact_count};
  return 1;
}
