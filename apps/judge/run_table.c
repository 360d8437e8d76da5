// SPDX-License-Identifier: Apache-2.0
// Rows of the states are read as they are; the contacts of a row have its time, to a
// millionth of the step before. Angular velocities of free joints are in the world's axes, as most
// engines have them, and are turned into the body's.
#include "judge/run_table.h"

#include <heft/math.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "judge/columns.h"

enum { TIME, A, B, X, Y, Z, NX, NY, NZ, FX, FY, FZ, TX, TY, TZ, PARTS };
static const char* const parts[PARTS] = {"time", "a",  "b",  "x",  "y",  "z",  "nx", "ny",
                                         "nz",   "fx", "fy", "fz", "tx", "ty", "tz"};

struct RunTable {
  const HeftModel* m;
  const Csv *states, *contacts;
  const char *states_name, *contacts_name;
  Columns map;
  int part[PARTS];
  int64_t contact;  ///< next row of contacts
  double *q, *v, *actuator, *push;
  RefereeContact* list;
  int capacity;
};

static HeftStatus map_contacts(RunTable* t, HeftError* error) {
  for (int i = 0; i < PARTS; ++i) {
    t->part[i] = csv_find(t->contacts, parts[i]);
    if (t->part[i] < 0 && i < TX)
      return heft_error_set_at(error, HEFT_ERR_NAME, t->contacts_name, 1, 0,
                               "the column '%s' is missing; contacts have the columns time, a, b, "
                               "x, y, z, nx, ny, nz, fx, fy, fz",
                               parts[i]);
  }
  return HEFT_OK;
}

static HeftStatus find_columns(RunTable* t, HeftError* error) {
  const HeftModel* m = t->m;
  HeftStatus status = columns_map(&t->map, m, t->states, 1, t->states_name, error);
  if (status != HEFT_OK) return status;
  if (t->map.time < 0)
    return heft_error_set_at(error, HEFT_ERR_NAME, t->states_name, 1, 0,
                             "the column 'time' is missing");
  for (int i = 0; i < m->nq; ++i)
    if (t->map.q[i] < 0)
      return heft_error_set_at(
          error, HEFT_ERR_NAME, t->states_name, 1, 0,
          "joint '%.60s' of the model has no column; a log has the coordinates of all joints",
          heft_model_name(m, HEFT_NAMED_JOINT,
                          m->nv > 0 ? m->dof_joint[i < m->nv ? i : m->nv - 1] : 0));
  return t->contacts ? map_contacts(t, error) : HEFT_OK;
}

HeftStatus run_table_open(RunTable** out, const HeftModel* m, const Csv* states,
                          const char* states_name, const Csv* contacts, const char* contacts_name,
                          HeftError* error) {
  *out = NULL;
  RunTable* t = calloc(1, sizeof *t);
  if (!t) return heft_error_set(error, HEFT_ERR_MEMORY, "no memory for a log");
  t->m = m;
  t->states = states;
  t->contacts = contacts;
  t->states_name = states_name;
  t->contacts_name = contacts_name;
  t->q = calloc((size_t)m->nq + 1, sizeof(double));
  t->v = calloc((size_t)m->nv + 1, sizeof(double));
  t->actuator = calloc((size_t)m->nactuator + 1, sizeof(double));
  t->push = calloc(6 * (size_t)m->nbody, sizeof(double));
  HeftStatus status = t->q && t->v && t->actuator && t->push
                          ? find_columns(t, error)
                          : heft_error_set(error, HEFT_ERR_MEMORY, "no memory for a log");
  if (status == HEFT_OK)
    *out = t;
  else
    run_table_close(t);
  return status;
}

void run_table_close(RunTable* t) {
  if (!t) return;
  columns_release(&t->map);
  free(t->q);
  free(t->v);
  free(t->actuator);
  free(t->push);
  free(t->list);
  free(t);
}

int64_t run_table_rows(const RunTable* t) { return t->states->rows; }

static void take(double* out, const int* column, int count, const double* row) {
  for (int i = 0; i < count; ++i) out[i] = column[i] >= 0 ? row[column[i]] : 0;
}

// Angular velocities from the world's axes to the body's.
static void turn_velocities(const RunTable* t) {
  const HeftModel* m = t->m;
  for (int j = 0; j < m->njoint; ++j) {
    if (m->joint_type[j] != HEFT_JOINT_FREE) continue;
    const double* q = t->q + m->joint_q[j] + 3;
    double* w = t->v + m->joint_dof[j] + 3;
    const HeftQuat quat = heft_quat_normalize(heft_quat_from(q));
    const HeftVec3 own = heft_quat_rotate(heft_quat_conjugate(quat), heft_vec3_from(w));
    w[0] = own.x;
    w[1] = own.y;
    w[2] = own.z;
  }
}

static int body_of(double x, int count) { return x >= 0 && x < count ? (int)x : -1; }

// Adds a row of contacts to the list. 0: no memory.
static int add_contact(RunTable* t, int count, const double* row) {
  if (count == t->capacity) {
    const int capacity = 2 * t->capacity + 16;
    RefereeContact* larger = realloc(t->list, (size_t)capacity * sizeof *larger);
    if (!larger) return 0;
    t->list = larger;
    t->capacity = capacity;
  }
  double x[PARTS];
  for (int k = 0; k < PARTS; ++k) x[k] = t->part[k] >= 0 ? row[t->part[k]] : 0;
  t->list[count] = (RefereeContact){body_of(x[A], t->m->nbody),     body_of(x[B], t->m->nbody),
                                    heft_vec3(x[X], x[Y], x[Z]),    heft_vec3(x[NX], x[NY], x[NZ]),
                                    heft_vec3(x[FX], x[FY], x[FZ]), heft_vec3(x[TX], x[TY], x[TZ])};
  return 1;
}

static int take_contacts(RunTable* t, double time, double step, HeftError* error) {
  int count = 0;
  for (; t->contact < t->contacts->rows; ++t->contact) {
    const double* row = t->contacts->number + t->contact * t->contacts->columns;
    if (row[t->part[TIME]] > time + 1e-6 * step + 1e-12) break;
    if (row[t->part[TIME]] < time - 1e-6 * step - 1e-12) {
      heft_error_set_at(error, HEFT_ERR_VALUE, t->contacts_name, (int)t->contact + 2, 0,
                        "no row of the log has the time %.9g s; contacts are in the order of time",
                        row[t->part[TIME]]);
      return -1;
    }
    if (!add_contact(t, count++, row)) {
      heft_error_set(error, HEFT_ERR_MEMORY, "no memory for contacts");
      return -1;
    }
  }
  return count;
}

int run_table_read(RunTable* t, int64_t i, RefereeRow* out, HeftError* error) {
  const HeftModel* m = t->m;
  const Csv* s = t->states;
  const double *row = s->number + i * s->columns, *before = i > 0 ? row - s->columns : row;
  const double time = row[t->map.time], step = i > 0 ? time - before[t->map.time] : 1e-3;
  take(t->q, t->map.q, m->nq, row);
  take(t->v, t->map.v, m->nv, row);
  take(t->actuator, t->map.actuator, m->nactuator, row);
  take(t->push, t->map.push, 6 * m->nbody, row);
  if (t->map.has_v && !t->map.is_log) turn_velocities(t);
  *out = (RefereeRow){.time = time,
                      .q = t->q,
                      .v = t->map.has_v ? t->v : NULL,
                      .actuator = t->map.has_actuators ? t->actuator : NULL,
                      .push = t->map.has_pushes ? t->push : NULL,
                      .contact_count = -1};
  if (!t->contacts) return 1;
  out->contact_count = take_contacts(t, time, fabs(step), error);
  out->contact = t->list;
  return out->contact_count >= 0;
}
