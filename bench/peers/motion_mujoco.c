// SPDX-License-Identifier: Apache-2.0
// MuJoCo for `heft bench motion`: steps one file as scenes/motion.h says.
// usage: heft_motion_mujoco FILE RUN...
// Prints "ok STEP NV WARNINGS COUNT" and a line "TIME CONTACTS" for each step [µs], or "no REASON".
// With several worlds: "ok TIME", the mean of a step [µs].
#define _XOPEN_SOURCE 700  // nftw
#include "mujoco_model.h"
#include "scenes/motion.h"

static mjModel* m;

static int is_servo(int actuator) {
  return m->actuator_biasprm[mjNBIAS * actuator + 1] < 0 &&
         m->actuator_trntype[actuator] == mjTRN_JOINT;
}

static void find_range(int actuator, double* low, double* high) {
  const double* range = NULL;
  const int joint = m->actuator_trnid[2 * actuator];
  *low = -1;
  *high = 1;
  if (m->actuator_ctrllimited[actuator]) {
    range = m->actuator_ctrlrange + 2 * actuator;
  } else if (is_servo(actuator) && m->jnt_limited[joint]) {
    range = m->jnt_range + 2 * joint;
  }
  if (range) {
    *low = range[0];
    *high = range[1];
  }
}

// The state at the start, and the controls that belong to it.
static void start(mjData* d, MotionDrive* drive) {
  const int key = drive->run->key, has_key = key >= 0 && key < m->nkey;
  if (has_key) {
    mj_resetDataKeyframe(m, d, key);
  } else {
    mj_resetData(m, d);
  }
  mj_normalizeQuat(m, d->qpos);
  for (int i = 0; i < m->nu; ++i) {
    double* hold = drive->hold + i;
    find_range(i, drive->low + i, drive->high + i);
    *hold = d->ctrl[i];
    if (!has_key && is_servo(i)) *hold = d->qpos[m->jnt_qposadr[m->actuator_trnid[2 * i]]];
    if (!isnan(drive->run->control)) *hold = drive->run->control;
  }
  if (drive->run->kind != MOTION_FALL) return;
  for (int j = 0; j < m->njnt; ++j) {
    if (m->jnt_type[j] != mjJNT_FREE) continue;
    motion_tilt(d->qpos + m->jnt_qposadr[j]);
    return;
  }
}

// Damping of servos is stable if it is implicit. Versions from 3.0 on have an integrator for that
// (implicitfast), which files ask for; 2.2 has not, but it integrates the damping of joints so. Its
// own implicit integrator takes twice the time.
#if MUJOCO_HAS_ARENA
static void move_damping(void) {}
#else
static void move_damping(void) {
  for (int i = 0; i < m->nu; ++i) {
    double* rate = m->actuator_biasprm + mjNBIAS * i + 2;
    const int joint = m->actuator_trnid[2 * i], gear = m->actuator_gear[6 * i] != 0;
    if (*rate >= 0 || m->actuator_trntype[i] != mjTRN_JOINT || !gear) continue;
    m->dof_damping[m->jnt_dofadr[joint]] -=
        *rate * m->actuator_gear[6 * i] * m->actuator_gear[6 * i];
    *rate = 0;
  }
}

#endif

static double time_step(mjData* d, MotionDrive* drive, int k) {
  motion_drive(drive, k, d->ctrl);
  if (drive->run->kind == MOTION_PUSH)
    memcpy(d->xfrc_applied + 6, drive->force, sizeof drive->force);
  const double begin = motion_us();
  mj_step(m, d);
  return motion_us() - begin;
}

// Contacts and rows for which it had no room.
static int lost(const mjData* d) {
  return d->warning[mjWARN_CONTACTFULL].number + d->warning[mjWARN_CNSTRFULL].number;
}

static int warnings(const mjData* d) {
  int count = 0;
  for (int i = 0; i < mjNWARNING; ++i) count += d->warning[i].number;
  return count - lost(d);
}

// Position, quaternion and velocity of the bodies, if all are free.
static void print_end(const mjData* d) {
  const int count = (int)m->nq / 7;
  if (m->njnt != m->nbody - 1 || m->nq != 7 * m->njnt || m->njnt == 0) return;
  printf("end %d\n", count);
  for (int i = 0; i < 10 * count; ++i)
    printf("%.17g\n",
           i % 10 < 7 ? d->qpos[7 * (i / 10) + i % 10] : d->qvel[6 * (i / 10) + i % 10 - 7]);
}

static void run_one(MotionDrive* drive) {
  const MotionRun* run = drive->run;
  int n = motion_step_count(run, m->opt.timestep);
  mjData* d = mj_makeData(m);
  double* us = calloc((size_t)n + 1, sizeof *us);
  int* contacts = calloc((size_t)n + 1, sizeof *contacts);
  const double last = motion_wall_us() + 1e6 * run->budget;
  for (int r = 0; r < run->repeats; ++r) {
    start(d, drive);
    motion_begin(drive, m->opt.timestep, 0);
    for (int k = 0; k < n; ++k) {
      if (k == run->counted_from) MOTION_COUNT;
      const double took = time_step(d, drive, k);
      us[k] = r > 0 ? fmin(us[k], took) : took;
      contacts[k] = d->ncon;
      if (r == 0 && run->budget > 0 && motion_wall_us() > last) n = k + 1;
    }
    if (run->budget > 0 && motion_wall_us() > last) break;
  }
  if (lost(d) > 0) {
    printf("no it has no room for all contacts\n");
  } else {
    printf("ok %.17g %d %d %d\n", m->opt.timestep, (int)m->nv, warnings(d), n);
    for (int k = 0; k < n; ++k) printf("%.3f %d\n", us[k], contacts[k]);
    print_end(d);
  }
  free(us);
  free(contacts);
  mj_deleteData(d);
}

// Runs with other random numbers each: in turn a step each, or one after another.
static void run_many(MotionDrive* drive) {
  const int n = abs(drive->run->worlds), steps = motion_step_count(drive->run, m->opt.timestep);
  const int in_turn = drive->run->worlds > 0, made = in_turn ? n : 1;
  mjData** d = calloc((size_t)made, sizeof(mjData*));
  MotionDrive* own = calloc((size_t)n, sizeof *own);
  double us = 0;
  for (int w = 0; w < n; ++w) {
    if (w < made) d[w] = mj_makeData(m);
    own[w] = *drive;
    if (in_turn) start(d[w], own + w);
    motion_begin(own + w, m->opt.timestep, w);
  }
  for (int i = 0; i < n * steps; ++i) {
    const int w = in_turn ? i % n : i / steps, k = in_turn ? i / n : i % steps;
    mjData* at = d[in_turn ? w : 0];
    if (k == 0 && !in_turn) start(at, own + w);
    us += time_step(at, own + w, k);
  }
  printf("ok %.17g\n", us / steps / n);
  for (int w = 0; w < made; ++w) mj_deleteData(d[w]);
  free(d);
  free(own);
}

static void stop(const char* text) {
  printf("no %s\n", text);
  exit(1);
}

int main(int argc, char** argv) {
  char message[1000] = "";
  if (print_version(argc, argv)) return 0;
  if (argc != 2 + MOTION_ARGUMENTS) return 2;
  mju_user_warning = be_quiet;
  mju_user_error = stop;
  m = load_model(argv[1], message, sizeof message);
  if (!m) {
    printf("no %s\n", message);
    return 1;
  }
  const MotionRun run = motion_read_run(argv + 2);
  const size_t size = ((size_t)m->nu + 1) * sizeof(double);
  MotionDrive drive = {.run = &run,
                       .low = malloc(size),
                       .high = malloc(size),
                       .hold = malloc(size),
                       .actuators = m->nu};
  if (run.step > 0) m->opt.timestep = run.step;
  move_damping();
  if (run.held) hold_joints(m, motion_held_stiffness, motion_held_damping);
  if (run.worlds != 0) run_many(&drive);
  if (run.worlds == 0) run_one(&drive);
  free(drive.low);
  free(drive.high);
  free(drive.hold);
  mj_deleteModel(m);
  return 0;
}
