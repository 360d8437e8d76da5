// SPDX-License-Identifier: Apache-2.0
// The distance of a body from itself in the other run is the distance of its origins, and its turn
// times its radius of gyration. A cause counts until the runs part: what differs later follows from
// that. The referee judges both runs, so that a law that only one of them breaks is a cause, too.
#include "judge/divergence.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

static const char* const meanings[DIVERGENCE_KIND_COUNT] = {
#define MEANING(id, text) text,
    DIVERGENCE_LIST(MEANING)
#undef MEANING
};

static const double same = 1e-12;  // distances below are rounding [m]

const char* divergence_meaning(DivergenceKind kind) { return meanings[kind]; }

struct Divergence {
  const HeftModel* model[2];
  HeftDynamics* d[2];
  Referee* referee[2];
  HeftVec3* force[2];  ///< nbody x nbody: sum of the contact forces of the row, on the second
  int64_t broken[2];
  double tolerance, last;
  DivergenceReport report;
};

HeftStatus divergence_create(Divergence** out, const HeftModel* const model[2], double tolerance,
                             HeftError* error) {
  const RefereeDef def = referee_def_default();
  const size_t nb = (size_t)model[0]->nbody;
  *out = NULL;
  Divergence* p = calloc(1, sizeof *p);
  HeftStatus status = p ? HEFT_OK : heft_error_set(error, HEFT_ERR_MEMORY, "no memory");
  for (int i = 0; i < 2 && status == HEFT_OK; ++i) {
    p->model[i] = model[i];
    if (nb <= 2000) p->force[i] = calloc(nb * nb, sizeof *p->force[i]);
    if (!p->force[i])
      status = heft_error_set(error, HEFT_ERR_MEMORY, "no memory for %zu bodies", nb);
    if (status == HEFT_OK) status = heft_dynamics_create(&p->d[i], model[i], NULL, error);
    if (status == HEFT_OK) status = referee_create(&p->referee[i], model[i], &def, error);
  }
  if (status != HEFT_OK) {
    divergence_destroy(p);
    return status;
  }
  p->tolerance = tolerance;
  p->report.onset = (double)NAN;
  *out = p;
  return HEFT_OK;
}

void divergence_destroy(Divergence* p) {
  if (!p) return;
  for (int i = 0; i < 2; ++i) {
    free(p->force[i]);
    heft_dynamics_destroy(p->d[i]);
    referee_destroy(p->referee[i]);
  }
  free(p);
}

static double distance_of(const Divergence* p, int body) {
  const HeftModel* m = p->model[0];
  const HeftPose x = heft_dynamics_body_pose(p->d[0], body),
                 y = heft_dynamics_body_pose(p->d[1], body);
  const double* inertia = m->body_inertia + 6L * body;
  const double mass = m->body_mass[body];
  const double radius = mass > 0 ? sqrt((inertia[0] + inertia[1] + inertia[2]) / (2 * mass)) : 0;
  double turn = 0;  // |R - S|², 4 (1 - cos) of the angle
  for (int k = 0; k < 3; ++k) {
    const HeftVec3 e = heft_vec3(k == 0, k == 1, k == 2);
    const HeftVec3 by = heft_vec3_sub(heft_mat3_mul_vec(x.rot, e), heft_mat3_mul_vec(y.rot, e));
    turn += heft_vec3_dot(by, by);
  }
  return heft_vec3_norm(heft_vec3_sub(x.pos, y.pos)) + radius * sqrt(0.5 * turn);
}

static void note(Divergence* p, DivergenceKind kind, double time, int a, int b, double first,
                 double second) {
  DivergenceCause* c = &p->report.cause[kind];
  if (c->found || p->report.parted) return;
  *c = (DivergenceCause){.found = 1, .time = time, .a = a, .b = b, .value = {first, second}};
}

static void compare_actuators(Divergence* p, const RefereeRow* const row[2]) {
  for (int i = 0; i < p->model[0]->nactuator && row[0]->actuator && row[1]->actuator; ++i) {
    const double x = row[0]->actuator[i], y = row[1]->actuator[i];
    if (fabs(x - y) > 1e-6 * (1 + fabs(x) + fabs(y)))
      note(p, DIVERGENCE_ACTUATOR, row[0]->time, i, -1, x, y);
  }
  for (int i = 0; i < 6 * p->model[0]->nbody; ++i) {
    const double x = row[0]->push ? row[0]->push[i] : 0, y = row[1]->push ? row[1]->push[i] : 0;
    if (fabs(x - y) > 1e-6 * (1 + fabs(x) + fabs(y)))
      note(p, DIVERGENCE_PUSH, row[0]->time, i / 6, -1, x, y);
  }
}

static void sum_forces(Divergence* p, int run, const RefereeRow* row) {
  const long nb = p->model[0]->nbody;
  memset(p->force[run], 0, (size_t)(nb * nb) * sizeof *p->force[run]);
  for (int i = 0; i < row->contact_count; ++i) {
    const RefereeContact* c = &row->contact[i];
    const int straight = c->a < c->b;
    HeftVec3* f = &p->force[run][straight ? c->a * nb + c->b : c->b * nb + c->a];
    *f = straight ? heft_vec3_add(*f, c->force) : heft_vec3_sub(*f, c->force);
  }
}

static void compare_contacts(Divergence* p, const RefereeRow* const row[2]) {
  const long nb = p->model[0]->nbody;
  const double light = 1e-4 * heft_model_mass(p->model[0]) *
                       fmax(1, heft_vec3_norm(heft_vec3_from(p->model[0]->physics.gravity)));
  if (row[0]->contact_count < 0 || row[1]->contact_count < 0) return;
  for (int i = 0; i < 2; ++i) sum_forces(p, i, row[i]);
  for (int a = 0; a < nb; ++a)
    for (int b = a + 1; b < nb; ++b) {
      const HeftVec3 x = p->force[0][a * nb + b], y = p->force[1][a * nb + b];
      const double nx = heft_vec3_norm(x), ny = heft_vec3_norm(y);
      if (nx + ny <= light) continue;
      if (nx <= 0.01 * light || ny <= 0.01 * light)
        note(p, DIVERGENCE_TOUCH, row[0]->time, a, b, nx, ny);
      else if (heft_vec3_norm(heft_vec3_sub(x, y)) > 0.01 * fmax(nx, ny))
        note(p, DIVERGENCE_FORCE, row[0]->time, a, b, nx, ny);
    }
}

static void compare_bodies(Divergence* p, double time) {
  DivergenceReport* out = &p->report;
  double most = 0;
  int body = 0;
  for (int b = 1; b < p->model[0]->nbody; ++b) {
    const double distance = distance_of(p, b);
    if (distance > most) {
      most = distance;
      body = b;
    }
  }
  if (most > out->most) {
    out->most = most;
    out->most_time = time;
    out->most_body = body;
  }
  if (most > same && isnan(out->onset)) {
    out->onset = time;
    out->onset_distance = most;
    out->onset_body = body;
    if (out->rows == 0) note(p, DIVERGENCE_START, time, body, -1, most, 0);
  }
  if (most <= p->tolerance || out->parted) return;
  out->parted = 1;
  out->body = body;
  out->time = time;
  out->before = out->rows > 0 ? p->last : time;
  out->distance = most;
}

int divergence_row(Divergence* p, int run, const RefereeRow* row, HeftError* error) {
  // No later cause counts, and to infer forces costs more than to compare.
  if (p->report.parted || row->contact_count < 0) return 1;
  if (!referee_row(p->referee[run], row, error)) return 0;
  const RefereeReport* mine = referee_report(p->referee[run]);
  if (mine->broken > 0 && p->broken[run] == 0 && mine->finding_count > 0) {
    const RefereeFinding* f = &mine->finding[0];
    note(p, DIVERGENCE_LAW, row->time, f->a, f->b, run == 0, run == 1);
    if (p->report.cause[DIVERGENCE_LAW].time == row->time)
      p->report.cause[DIVERGENCE_LAW].law = f->kind;
  }
  p->broken[run] = mine->broken;
  return 1;
}

int divergence_rows(Divergence* p, const RefereeRow* const row[2], HeftError* error) {
  for (int i = 0; i < 2; ++i)
    if (!divergence_row(p, i, row[i], error)) return 0;
  if (p->broken[0] > 0 && p->broken[1] > 0 && p->report.cause[DIVERGENCE_LAW].found &&
      p->report.cause[DIVERGENCE_LAW].time == row[0]->time)
    p->report.cause[DIVERGENCE_LAW].found = 0;  // both do
  for (int i = 0; i < 2; ++i) {
    heft_dynamics_set_moved(p->d[i], row[i]->moved);
    heft_dynamics_kinematics(p->d[i], row[i]->q);
  }
  compare_actuators(p, row);
  compare_contacts(p, row);
  compare_bodies(p, row[0]->time);
  p->last = row[0]->time;
  ++p->report.rows;
  return 1;
}

const DivergenceReport* divergence_report(Divergence* p) { return &p->report; }
