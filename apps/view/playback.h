// SPDX-License-Identifier: Apache-2.0
// A recorded run, and possibly a second one: rows by time as frames, and samples of the whole run
// for plots. Used by one thread.
#ifndef HEFT_APPS_VIEW_PLAYBACK_H
#define HEFT_APPS_VIEW_PLAYBACK_H

#include <heft/view.h>

typedef struct Playback {
  const HeftModel* model;
  HeftRecording run, other;  ///< other.row_count 0: none
  HeftDynamics *dynamics, *ghost;
  HeftViewFrame* scratch;  ///< of the caller: a row that is not shown
  int contact_capacity;
  int dof, actuator;  ///< of the plots
  long sampled;       ///< rows that were sampled
  long stride;        ///< rows from sample to sample
} Playback;

/// The dynamics and the scratch frame belong to the caller.
void playback_make(Playback* p, const HeftModel* model, const HeftRecording* run,
                   const HeftRecording* other);
/// Last row at or before a time; the first one if there is none.
long playback_row(const HeftRecording* recording, double time);
double playback_first(const Playback* p);
double playback_last(const Playback* p);
/// Fills a frame by a row, and by the ghost at the same time. Returns 0 if the row is damaged.
int playback_fill(Playback* p, long row, HeftViewFrame* frame);
/// Begins the samples anew.
void playback_choose(Playback* p, int dof, int actuator);
/// The next sample of the run, and of the other one. Returns 0 if there are no more.
int playback_sample(Playback* p, HeftSample* out, HeftSample* other);

#endif
