// SPDX-License-Identifier: Apache-2.0
#include "view/playback.h"

#include <math.h>
#include <string.h>

#include "view/ground_force.h"

enum { SAMPLES_MAX = 16000 };  // of a run: the window keeps so many

void playback_make(Playback* p, const HeftModel* model, const HeftRecording* run,
                   const HeftRecording* other) {
  p->model = model;
  p->run = *run;
  p->other = other ? *other : (HeftRecording){0};
  p->stride = 1 + (run->row_count - 1) / SAMPLES_MAX;
}

long playback_row(const HeftRecording* recording, double time) {
  long low = 0, high = recording->row_count - 1;
  while (low < high) {
    const long middle = (low + high + 1) / 2;
    if (recording->time(recording->user, middle) <= time + 1e-9) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

static long nearest_row(const HeftRecording* r, double time) {
  const long row = playback_row(r, time);
  if (row + 1 == r->row_count) return row;
  return time - r->time(r->user, row) <= r->time(r->user, row + 1) - time ? row : row + 1;
}

double playback_first(const Playback* p) { return p->run.time(p->run.user, 0); }

double playback_last(const Playback* p) { return p->run.time(p->run.user, p->run.row_count - 1); }

// ---- frames

static double ghost_distance(Playback* p, const HeftViewFrame* f) {
  double most = 0;
  heft_dynamics_set_moved(p->dynamics, f->moved);
  heft_dynamics_kinematics(p->dynamics, f->q);
  heft_dynamics_set_moved(p->ghost, f->ghost_moved);
  heft_dynamics_kinematics(p->ghost, f->ghost_q);
  for (int b = 1; b < p->model->nbody; ++b) {
    const HeftVec3 way = heft_vec3_sub(heft_dynamics_body_pose(p->dynamics, b).pos,
                                       heft_dynamics_body_pose(p->ghost, b).pos);
    most = fmax(most, heft_vec3_norm(way));
  }
  return most;
}

int playback_fill(Playback* p, long row, HeftViewFrame* frame) {
  const HeftModel* m = p->model;
  frame->ghost = 0;
  if (!p->run.read(p->run.user, row, frame, p->contact_capacity)) return 0;
  frame->step = row;
  frame->row_count = p->run.row_count;
  if (p->other.row_count == 0) return 1;
  const long there = nearest_row(&p->other, frame->time);
  if (!p->other.read(p->other.user, there, p->scratch, p->contact_capacity)) return 1;
  memcpy(frame->ghost_q, p->scratch->q, (size_t)m->nq * sizeof(double));
  if (m->nmoved > 0)
    memcpy(frame->ghost_moved, p->scratch->moved, 13 * (size_t)m->nmoved * sizeof(double));
  frame->ghost = 1;
  frame->ghost_distance = ghost_distance(p, frame);
  return 1;
}

// ---- samples

void playback_choose(Playback* p, int dof, int actuator) {
  p->dof = dof;
  p->actuator = actuator;
  p->sampled = 0;
}

static void chosen_values(const Playback* p, const HeftViewFrame* f, float* value) {
  const HeftModel* m = p->model;
  if (p->dof >= 0 && p->dof < m->nv) {
    const int joint = m->dof_joint[p->dof];
    const int q = m->joint_q[joint] + p->dof - m->joint_dof[joint];
    value[HEFT_PLOT_CHOSEN_Q] = (float)(q < m->nq ? f->q[q] : 0);
    value[HEFT_PLOT_CHOSEN_V] = (float)f->v[p->dof];
  }
  if (p->actuator >= 0 && p->actuator < m->nactuator)
    value[HEFT_PLOT_CHOSEN_FORCE] = (float)f->actuator_forces[p->actuator];
}

static void sample_row(Playback* p, const HeftRecording* recording, long row, HeftSample* out) {
  HeftViewFrame* f = p->scratch;
  *out = (HeftSample){.time = recording->time(recording->user, row)};
  if (!recording->read(recording->user, row, f, p->contact_capacity)) return;
  const HeftStepReport* r = &f->report;
  float* value = out->value;
  heft_dynamics_set_moved(p->dynamics, f->moved);
  heft_dynamics_kinematics(p->dynamics, f->q);
  value[HEFT_PLOT_RESIDUAL] = (float)r->residual;
  value[HEFT_PLOT_INEXACT] = (float)r->inexact;
  value[HEFT_PLOT_DROPPED] = (float)r->contact_dropped;
  value[HEFT_PLOT_ENERGY] = (float)(r->kinetic + r->potential);
  value[HEFT_PLOT_KINETIC] = (float)r->kinetic;
  value[HEFT_PLOT_GROUND_FORCE] = (float)ground_force(p->model, f->contact, f->contact_count);
  value[HEFT_PLOT_PEAK_PRESSURE] = (float)heft_snapshot_peak_pressure(f->contact, f->contact_count);
  value[HEFT_PLOT_CONTACTS] = (float)r->contact_count;
  value[HEFT_PLOT_PENETRATION] = (float)r->penetration;
  value[HEFT_PLOT_EFFORT] = (float)(r->sweeps + r->newton_steps);
  value[HEFT_PLOT_COM_HEIGHT] = (float)heft_dynamics_center_of_mass(p->dynamics, 0).z;
  chosen_values(p, f, value);
  for (int i = 0; i < f->plugin_value_count; ++i)
    out->plugin_value[i] = (float)f->plugin_value[i].value;
}

// At the same time as the first run; not a number after the end of the second.
static void sample_other(Playback* p, double time, HeftSample* out) {
  const HeftRecording* o = &p->other;
  sample_row(p, o, nearest_row(o, time), out);
  out->time = time;
  if (time <= o->time(o->user, o->row_count - 1) + 1e-9) return;
  for (int i = 0; i < HEFT_PLOT_COUNT; ++i) out->value[i] = NAN;
  for (int i = 0; i < HEFT_FRAME_FIELDS; ++i) out->plugin_value[i] = NAN;
}

int playback_sample(Playback* p, HeftSample* out, HeftSample* other) {
  if (p->sampled >= p->run.row_count) return 0;
  sample_row(p, &p->run, p->sampled, out);
  if (p->other.row_count > 0) sample_other(p, out->time, other);
  // The last row is always one of the samples.
  const long last = p->run.row_count - 1;
  p->sampled = p->sampled < last && p->sampled + p->stride > last ? last : p->sampled + p->stride;
  return 1;
}
