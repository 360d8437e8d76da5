// SPDX-License-Identifier: Apache-2.0
// What `heft bench motion` does to a model, in numbers alone, so that every engine gets the same:
// the same random targets for the actuators, the same pushes, drawn from the same generator in the
// same order. An engine fills in the ranges of its actuators, calls motion_drive() before each
// step, and hands controls and push to its world.
//
//   stand    state and controls of a keyframe; without one, servos hold the joints where they are
//   fall     the same, lifted by 0.5 m and tilted by 0.5 rad
//   random   each actuator gets a random target every 0.2 s: within its range of controls, within
//            the limits of its joint if it is a servo without one, or within -1 and 1
//   push     as stand, and a random horizontal force on the first body every 0.05 s
#ifndef HEFT_SCENES_MOTION_H
#define HEFT_SCENES_MOTION_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// In valgrind, instructions are counted from where a run says: loading a model is not its step.
#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#define MOTION_COUNT CALLGRIND_START_INSTRUMENTATION
#else
#define MOTION_COUNT (void)0
#endif

typedef enum MotionKind {
  MOTION_STAND,
  MOTION_FALL,
  MOTION_RANDOM,
  MOTION_PUSH,
  MOTION_KIND_COUNT
} MotionKind;

static const char* const motion_kind_names[MOTION_KIND_COUNT] = {"stand", "fall", "random", "push"};

/// One run, as the command line of an engine's program gives it.
typedef struct MotionRun {
  MotionKind kind;
  double step;     ///< [s]; 0: as in the file
  double push;     ///< largest force along x and along y [N]
  double control;  ///< of all actuators; NaN: as the kind says
  double seconds;  ///< simulated time of one repeat [s]
  int steps;       ///< of one repeat; negative: as many as the seconds say
  int repeats;     ///< identical ones; each step counts with its shortest time
  int key;         ///< keyframe at the start; -1, or one that is not there: none
  int held;        ///< 1: springs and dampers hold all joints
  /// 0: one world, each step timed. Above: so many worlds with other random numbers each, which are
  /// stepped in turn. Below: so many runs of the same kind in one world, one after another.
  int worlds;
  int counted_from;  ///< from this step on valgrind counts instructions; -1: never
  double budget;     ///< no step begins after so much time [s]; 0: any
  int threads;       ///< of Heft's world; 0: one
} MotionRun;

enum { MOTION_ARGUMENTS = 12 };

/// The run as arguments of a command line, and back.
static inline void motion_write_run(char* out, size_t size, const MotionRun* r) {
  snprintf(out, size, "%d %.17g %.17g %.17g %.17g %d %d %d %d %d %d %.17g", (int)r->kind, r->step,
           r->push, r->control, r->seconds, r->steps, r->repeats, r->key, r->held, r->worlds,
           r->counted_from, r->budget);
}
static inline MotionRun motion_read_run(char** at) {
  return (MotionRun){.kind = (MotionKind)atoi(at[0]),
                     .step = strtod(at[1], NULL),
                     .push = strtod(at[2], NULL),
                     .control = strtod(at[3], NULL),
                     .seconds = strtod(at[4], NULL),
                     .steps = atoi(at[5]),
                     .repeats = atoi(at[6]),
                     .key = atoi(at[7]),
                     .held = atoi(at[8]),
                     .worlds = atoi(at[9]),
                     .counted_from = atoi(at[10]),
                     .budget = strtod(at[11], NULL)};
}

/// Steps of one repeat, of `step` seconds each.
static inline int motion_step_count(const MotionRun* r, double step) {
  return r->steps >= 0 ? r->steps : (int)(r->seconds / step + 0.5);
}

static const double motion_held_stiffness = 1000, motion_held_damping = 50;  // [N m/rad, N m s/rad]
static const double motion_lift = 0.5;                                       // of MOTION_FALL [m]

/// The drive of a run. low, high and hold belong to the engine: a number per actuator.
typedef struct MotionDrive {
  const MotionRun* run;
  double *low, *high;  ///< of random targets
  double* hold;        ///< controls at the start
  int actuators;
  int every;        ///< steps from one target or push to the next
  uint64_t state;   ///< of the generator
  double force[2];  ///< the push along x and y [N]
} MotionDrive;

static inline uint64_t motion_next(uint64_t* state) {  // Marsaglia's xorshift64
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state;
}

/// Begins a repeat of a world (0: the first). step: [s].
static inline void motion_begin(MotionDrive* d, double step, int world) {
  const double seconds = d->run->kind == MOTION_PUSH ? 0.05 : 0.2;
  d->every = (int)fmax(1, floor(seconds / step + 0.5));
  d->state = 88172645463325252u + (uint64_t)world;
  d->force[0] = d->force[1] = 0;
}

/// Before step `k` of a repeat: controls and push of the step.
static inline void motion_drive(MotionDrive* d, int k, double* controls) {
  if (k == 0 && d->actuators > 0)
    memcpy(controls, d->hold, (size_t)d->actuators * sizeof *controls);
  if (k % d->every != 0) return;
  if (d->run->kind == MOTION_RANDOM) {
    for (int i = 0; i < d->actuators; ++i) {
      const double share = (double)(motion_next(&d->state) >> 11) * 0x1p-53;  // [0, 1)
      controls[i] = d->low[i] + (d->high[i] - d->low[i]) * share;
    }
  } else if (d->run->kind == MOTION_PUSH) {
    for (int i = 0; i < 2; ++i)
      d->force[i] = d->run->push * ((double)(int64_t)motion_next(&d->state) * 0x1p-63);
  }
}

/// The start of MOTION_FALL for a free joint with position and quaternion q.
static inline void motion_tilt(double q[7]) {
  const double c = cos(0.25), s = sin(0.25) / sqrt(2.0);  // half of 0.5 rad about x + y
  const double w = q[3], x = q[4], y = q[5], z = q[6];
  q[2] += motion_lift;
  q[3] = c * w - s * x - s * y;
  q[4] = c * x + s * w + s * z;
  q[5] = c * y - s * z + s * w;
  q[6] = c * z + s * y - s * x;
}

static inline double motion_clock(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return 1e6 * (double)t.tv_sec + 1e-3 * (double)t.tv_nsec;
}
/// Processor time of this thread, and time [µs].
static inline double motion_us(void) { return motion_clock(CLOCK_THREAD_CPUTIME_ID); }
static inline double motion_wall_us(void) { return motion_clock(CLOCK_MONOTONIC); }

#endif
