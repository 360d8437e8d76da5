// SPDX-License-Identifier: Apache-2.0
// Signals of a running world, what measures keep of them, and events.
#ifndef HEFT_APPS_SWEEP_SIGNAL_H
#define HEFT_APPS_SWEEP_SIGNAL_H

#include "sweep/sweep.h"

/// The value of a signal after a step; report NULL: at the start.
double signal_value(PlanSignal what, const SweepPlace* place, HeftWorld* world,
                    const HeftStepReport* report);

/// The values that a measure has seen so far.
typedef struct SignalTally {
  double min, max, sum, squares, last;
  int64_t count;
} SignalTally;
void signal_tally_add(SignalTally* tally, double x);
/// NaN if nothing was seen.
double signal_tally_value(const SignalTally* tally, PlanKeep keep);

/// An event of a run.
typedef struct SignalEvent {
  double before;  ///< the signal after the last step
  double since;   ///< when the condition began to hold; NaN: it does not [s]
  int happened;
  double time;  ///< when the event began [s]
} SignalEvent;
/// After a step of length h; report NULL and h 0: at the start. Returns 1 if the event happens now.
/// Between two steps the time is that at which a straight line crosses the value.
int signal_event_step(SignalEvent* event, const PlanEvent* plan, const SweepPlace* place, int other,
                      HeftWorld* world, const HeftStepReport* report, double h);

#endif
