// SPDX-License-Identifier: Apache-2.0
// The steps of a run of `heft bench motion`, as an engine made them, and their statistics.
#ifndef HEFT_APPS_MOTION_STEPS_H
#define HEFT_APPS_MOTION_STEPS_H

#include <stdbool.h>

#include "peer_program.h"
#include "scenes/motion.h"

enum { MOTION_REASON = 200, MOTION_BODY = 10 };

/// Steps of an engine. Only Heft reports how exact its steps are.
typedef struct MotionSteps {
  int count, repeats;  ///< repeats: made so far
  double* us;          ///< processor time of each step, the shortest of the repeats [µs]
  double step;         ///< length of a step [s]
  int nv;
  double contacts;   ///< mean
  int contacts_max;  ///< in one step
  long dropped;      ///< contact points, of all steps
  int inexact;       ///< steps above the tolerance
  int rough;         ///< steps above 1e-3
  int not_unique;    ///< steps with an island that has other motions, too
  int failed;        ///< steps that were rolled back; MuJoCo: its warnings
  int asleep;        ///< steps in which an island slept
  int changed;       ///< repeats that ended in another state than the first
  double worst;      ///< relative residual
  double tolerance;  ///< to which Heft solved
  double*
      end;  ///< poses and velocities (MOTION_BODY numbers) of the bodies in the end; NULL: unknown
  int end_count;               ///< of these bodies
  double overlap;              ///< of the deepest contact point in the end [m]; NaN: unknown
  double speed;                ///< mean of the bodies in the end [m/s]; NaN: unknown
  double instructions;         ///< mean of a step, as valgrind counts; 0: not counted
  char reason[MOTION_REASON];  ///< why there are no steps; "": there are
} MotionSteps;

/// Statistics of the times of the steps [µs].
typedef struct MotionTimes {
  double median, mean, p90, p99, p999, longest;
} MotionTimes;

/// Of the first `count` steps.
MotionTimes motion_times(const MotionSteps* steps, int count);

/// Memory for the steps of a run. 0: out of memory (reason).
int motion_steps_reserve(MotionSteps* steps, int count);
void motion_steps_free(MotionSteps* steps);
/// Notes the time of a step of the repeat at hand.
void motion_steps_note(MotionSteps* steps, int k, double us);

/// Shows the progress on the standard error, if that is a terminal.
void motion_progress(const char* name, const char* engine, int done, int of);

/// Steps the model of a file with Heft. deadline_us above 0: each step gets so much time.
void motion_heft(MotionSteps* out, const char* name, const char* path, const MotionRun* run,
                 double tolerance, double deadline_us);
/// Overlap and speed in the end of another engine, from its poses and velocities: overlaps are
/// found by Heft for both engines.
void motion_heft_end(MotionSteps* out, const char* path, const MotionRun* run);
/// Mean time of a step if run->worlds is not 0 [µs]; 0: failed.
double motion_heft_worlds(const char* path, const MotionRun* run, double tolerance);

/// One thread and several in the same run.
typedef struct MotionThreads {
  int threads;
  int steps;
  MotionTimes one, many;       ///< not of the processor, but as a clock on the wall shows it [µs]
  int same;                    ///< 1: both runs ended in the same state, bit for bit
  char reason[MOTION_REASON];  ///< why there are no steps; "": there are
} MotionThreads;

/// Steps the model of a file with one thread and with out->threads, in turn if there are repeats.
void motion_heft_threads(MotionThreads* out, const char* path, const MotionRun* run,
                         double tolerance);

/// motion_heft() with another engine, by its program. seconds: at most so long.
void motion_peer(MotionSteps* out, const PeerProgram* peer, const char* path, const MotionRun* run,
                 double seconds);
double motion_peer_worlds(const PeerProgram* peer, const char* path, const MotionRun* run,
                          double seconds);
/// Instructions of a run of the peer from its step counted_from on; negative: failed.
double motion_peer_instructions(const PeerProgram* peer, const char* path, const MotionRun* run);

#endif
