// SPDX-License-Identifier: Apache-2.0
// Heft for `heft bench motion`: steps one file as scenes/motion.h defines. Islands never sleep
// here, so each step is a whole one.
#include <heft/heft.h>
#include <heft/io.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "joint_springs.h"
#include "motion_steps.h"

typedef struct Mover {
  HeftModel* model;
  HeftWorld* world;
  HeftState* state;  ///< at the start
  MotionDrive drive;
  double step;  ///< [s]
} Mover;

static int is_servo(const HeftModel* m, int actuator) {
  return m->actuator_bias[3 * actuator + 1] < 0 &&
         m->actuator_transmission[actuator] == HEFT_TRANSMISSION_JOINT;
}

static void find_range(const HeftModel* m, int actuator, double* low, double* high) {
  const double* range = NULL;
  *low = -1;
  *high = 1;
  if (m->actuator_control_limited[actuator]) {
    range = m->actuator_control_range + 2 * actuator;
  } else if (is_servo(m, actuator)) {
    const int dof = m->joint_dof[m->actuator_target[actuator]];
    if (m->dof_limited[dof]) range = m->dof_range + 2 * dof;
  }
  if (range) {
    *low = range[0];
    *high = range[1];
  }
}

static void tilt_first(const HeftModel* m, double* q) {
  for (int j = 0; j < m->njoint; ++j) {
    if (m->joint_type[j] != HEFT_JOINT_FREE) continue;
    motion_tilt(q + m->joint_q[j]);
    return;
  }
}

// The state at the start, and the controls that belong to it.
static int prepare(Mover* mover, const MotionRun* run) {
  const HeftModel* m = mover->model;
  MotionDrive* d = &mover->drive;
  const size_t size = ((size_t)m->nactuator + 1) * sizeof(double);
  const int has_key = run->key >= 0 && run->key < m->nkey;
  *d = (MotionDrive){.run = run,
                     .low = malloc(size),
                     .high = malloc(size),
                     .hold = malloc(size),
                     .actuators = m->nactuator};
  if (heft_state_create(&mover->state, m, NULL, NULL) != HEFT_OK || !d->low || !d->high || !d->hold)
    return 0;
  if (has_key) heft_state_set_key(mover->state, m, run->key);
  heft_q_normalize(m, mover->state->q);
  for (int i = 0; i < m->nactuator; ++i) {
    find_range(m, i, d->low + i, d->high + i);
    d->hold[i] = has_key ? m->key_control[run->key * m->nactuator + i] : 0;
    if (!has_key && is_servo(m, i)) d->hold[i] = mover->state->q[m->joint_q[m->actuator_target[i]]];
    if (!isnan(run->control)) d->hold[i] = run->control;
  }
  if (run->kind == MOTION_FALL) tilt_first(m, mover->state->q);
  return 1;
}

static HeftWorldDef world_def(const MotionRun* run, double tolerance) {
  HeftWorldDef def = heft_world_def_default();
  def.tolerance = tolerance;
  def.time_step = run->step;
  def.sleep = 0;
  if (run->threads > 0) def.threads = run->threads;
  return def;
}

static int open_mover(Mover* mover, const char* path, const MotionRun* run, double tolerance,
                      HeftError* error) {
  HeftLoadDef load = heft_load_def_default();
  const HeftWorldDef def = world_def(run, tolerance);
  load.limits.file_bytes = (size_t)1 << 30;  // generated scenes are large
  load.limits.total_bytes = (size_t)1 << 34;
  load.limits.work = (double)INFINITY;
  load.limits.xml_elements = 1 << 22;
  load.limits.bodies = 1 << 20;
  load.limits.dofs = 1 << 22;
  load.limits.mass_entries = 1 << 28;
  if (heft_model_load_file(&mover->model, path, &load, error) != HEFT_OK) return 0;
  if (run->held) joint_springs_add(mover->model, motion_held_stiffness, motion_held_damping);
  if (heft_world_create(&mover->world, mover->model, &def, error) != HEFT_OK) return 0;
  mover->step = run->step > 0 ? run->step : mover->model->physics.time_step;
  if (prepare(mover, run)) return 1;
  snprintf(error->message, sizeof error->message, "out of memory");
  return 0;
}

static void close_mover(Mover* mover) {
  free(mover->drive.low);
  free(mover->drive.high);
  free(mover->drive.hold);
  heft_state_destroy(mover->state);
  heft_world_destroy(mover->world);
  heft_model_destroy(mover->model);
}

static void start(HeftWorld* world, MotionDrive* drive, const Mover* mover, int which) {
  heft_world_reset(world);
  heft_world_set_state(world, mover->state);
  motion_begin(drive, mover->step, which);
}

// At the centre of mass, where MuJoCo applies its forces, too.
static void push(HeftWorld* w, const double force[2]) {
  const HeftModel* m = heft_world_model(w);
  const double* com = m->body_com + 3;
  const HeftVec3 at = heft_pose_apply(heft_dynamics_body_pose(heft_world_dynamics(w), 1),
                                      (HeftVec3){com[0], com[1], com[2]});
  heft_world_apply_wrench(w, 1, at, (HeftVec3){force[0], force[1], 0}, (HeftVec3){0});
}

static HeftStepReport time_step(HeftWorld* w, MotionDrive* drive, int k, double deadline_us,
                                double* us) {
  motion_drive(drive, k, heft_world_controls(w));
  if (drive->run->kind == MOTION_PUSH && heft_world_model(w)->nbody > 1) push(w, drive->force);
  const double begin = motion_us();
  const HeftStepReport r =
      deadline_us > 0 ? heft_world_step_until(w, heft_clock_ns() + (uint64_t)(1e3 * deadline_us))
                      : heft_world_step(w);
  *us = motion_us() - begin;
  return r;
}

static void note_report(MotionSteps* out, const HeftStepReport* r) {
  out->contacts += (double)r->contact_count / out->count;
  if (r->contact_count > out->contacts_max) out->contacts_max = r->contact_count;
  out->dropped += r->contact_dropped;
  out->inexact += !(r->relative <= out->tolerance);
  out->rough += !(r->relative <= 1e-3);
  out->not_unique += r->not_unique > 0;
  out->failed += r->status == HEFT_STEP_NOT_FINITE || r->status == HEFT_STEP_SINGULAR;
  out->asleep += r->sleeping > 0;
  out->worst = fmax(out->worst, r->relative);
}

// One repeat; the reports are from the first.
static void repeat(MotionSteps* out, Mover* mover, const char* name, double deadline_us) {
  const int all = out->count * mover->drive.run->repeats;
  start(mover->world, &mover->drive, mover, 0);
  for (int k = 0; k < out->count; ++k) {
    double us = 0;
    if (k == mover->drive.run->counted_from) MOTION_COUNT;
    const HeftStepReport r = time_step(mover->world, &mover->drive, k, deadline_us, &us);
    motion_steps_note(out, k, us);
    if (out->repeats == 0) note_report(out, &r);
    motion_progress(name, "Heft", out->repeats * out->count + k + 1, all);
  }
}

static int is_free(const HeftModel* m, int body) {
  return m->body_joint_count[body] == 1 && m->joint_type[m->body_joint[body]] == HEFT_JOINT_FREE;
}

// Poses and velocities of the bodies of a world, if all are free.
static void keep_end(MotionSteps* out, HeftWorld* w) {
  const HeftModel* m = heft_world_model(w);
  const HeftState* s = heft_world_state(w);
  const int count = m->nbody - 1;
  for (int i = 1; i <= count; ++i) {
    if (!is_free(m, i)) return;
  }
  out->end = count > 0 ? calloc((size_t)count, MOTION_BODY * sizeof *out->end) : NULL;
  out->end_count = out->end ? count : 0;
  for (int i = 0; i < out->end_count; ++i) {
    const int joint = m->body_joint[i + 1];
    memcpy(out->end + (long)MOTION_BODY * i, s->q + m->joint_q[joint], 7 * sizeof(double));
    memcpy(out->end + (long)MOTION_BODY * i + 7, s->v + m->joint_dof[joint], 3 * sizeof(double));
  }
}

// The step that finds the overlaps begins at rest.
static void judge_end(MotionSteps* out, const Mover* mover) {
  const HeftModel* m = mover->model;
  double speed = 0;
  if (!out->end || out->end_count != m->nbody - 1) return;
  memset(mover->state->v, 0, (size_t)m->nv * sizeof(double));
  for (int i = 0; i < out->end_count; ++i) {
    const double *x = out->end + (long)MOTION_BODY * i, *v = x + 7;
    if (!is_free(m, i + 1)) return;
    memcpy(mover->state->q + m->joint_q[m->body_joint[i + 1]], x, 7 * sizeof(double));
    speed += sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) / out->end_count;
  }
  heft_q_normalize(m, mover->state->q);
  heft_world_reset(mover->world);
  heft_world_set_state(mover->world, mover->state);
  out->overlap = heft_world_step(mover->world).penetration;
  out->speed = speed;
}

void motion_heft_end(MotionSteps* out, const char* path, const MotionRun* run) {
  Mover mover = {0};
  HeftError error = {0};
  if (open_mover(&mover, path, run, 1e-3, &error)) judge_end(out, &mover);
  close_mover(&mover);
}

void motion_heft(MotionSteps* out, const char* name, const char* path, const MotionRun* run,
                 double tolerance, double deadline_us) {
  Mover mover = {0};
  HeftError error = {0};
  uint64_t first = 0;
  *out = (MotionSteps){.tolerance = tolerance};
  if (!open_mover(&mover, path, run, tolerance, &error)) {
    snprintf(out->reason, sizeof out->reason, "%.190s", error.message);
  } else if (motion_steps_reserve(out, motion_step_count(run, mover.step))) {
    out->step = mover.step;
    out->nv = mover.model->nv;
    for (; out->repeats < run->repeats; ++out->repeats) {
      repeat(out, &mover, name, deadline_us);
      const uint64_t hash = heft_world_hash(mover.world);
      if (out->repeats == 0) first = hash;
      out->changed += hash != first;
    }
    keep_end(out, mover.world);
    judge_end(out, &mover);
  }
  close_mover(&mover);
}

// Runs with other random numbers each: in turn a step each, or one after another in one world.
static double step_worlds(const Mover* mover, HeftWorld** worlds, MotionDrive* drives,
                          const MotionRun* run) {
  const int n = abs(run->worlds), steps = motion_step_count(run, mover->step);
  const int in_turn = run->worlds > 0;
  double us = 0;
  for (int i = 0; i < n * steps; ++i) {
    const int w = in_turn ? i % n : i / steps, k = in_turn ? i / n : i % steps;
    HeftWorld* at = in_turn ? worlds[w] : mover->world;
    double took = 0;
    if (k == 0) {
      drives[w] = mover->drive;
      start(at, drives + w, mover, w);
    }
    time_step(at, drives + w, k, 0, &took);
    us += took;
  }
  return us / steps / n;
}

double motion_heft_worlds(const char* path, const MotionRun* run, double tolerance) {
  Mover mover = {0};
  HeftError error = {0};
  const HeftWorldDef def = world_def(run, tolerance);
  const size_t n = (size_t)abs(run->worlds);
  HeftWorld** worlds = calloc(n, sizeof(HeftWorld*));
  MotionDrive* drives = calloc(n, sizeof *drives);
  int ready = worlds && drives && open_mover(&mover, path, run, tolerance, &error), made = 0;
  double us = 0;
  while (ready && made < run->worlds) {
    ready = heft_world_create(worlds + made, mover.model, &def, &error) == HEFT_OK;
    made += ready;
  }
  if (ready) us = step_worlds(&mover, worlds, drives, run);
  if (!ready) fprintf(stderr, "heft bench motion: error: %s\n", error.message);
  while (made > 0) heft_world_destroy(worlds[--made]);
  free(worlds);
  free(drives);
  close_mover(&mover);
  return us;
}

// ---- threads

// One repeat of a world: the time of each step on the wall. Returns the hash of the end.
static uint64_t time_repeat(MotionSteps* out, HeftWorld* world, Mover* mover) {
  start(world, &mover->drive, mover, 0);
  for (int k = 0; k < out->count; ++k) {
    double us = 0;
    const double begin = motion_wall_us();
    time_step(world, &mover->drive, k, 0, &us);
    motion_steps_note(out, k, motion_wall_us() - begin);
  }
  return heft_world_hash(world);
}

void motion_heft_threads(MotionThreads* out, const char* path, const MotionRun* run,
                         double tolerance) {
  Mover mover = {0};
  HeftError error = {0};
  HeftWorld* many = NULL;
  MotionSteps one_steps = {0}, many_steps = {0};
  MotionRun shared = *run;
  shared.threads = out->threads;
  const HeftWorldDef def = world_def(&shared, tolerance);
  if (!open_mover(&mover, path, run, tolerance, &error) ||
      heft_world_create(&many, mover.model, &def, &error) != HEFT_OK) {
    snprintf(out->reason, sizeof out->reason, "%.190s", error.message);
  } else {
    out->steps = motion_step_count(run, mover.step);
    out->same = 1;
    if (motion_steps_reserve(&one_steps, out->steps) &&
        motion_steps_reserve(&many_steps, out->steps)) {
      for (int i = 0; i < run->repeats; ++i, ++one_steps.repeats, ++many_steps.repeats) {
        const uint64_t hash = time_repeat(&one_steps, mover.world, &mover);
        out->same &= time_repeat(&many_steps, many, &mover) == hash;
      }
    }
    out->one = motion_times(&one_steps, out->steps);
    out->many = motion_times(&many_steps, out->steps);
  }
  motion_steps_free(&one_steps);
  motion_steps_free(&many_steps);
  heft_world_destroy(many);
  close_mover(&mover);
}
