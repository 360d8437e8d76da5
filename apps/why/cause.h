// SPDX-License-Identifier: Apache-2.0
// The cause of an event. A deviation is an input of the run that differs from a reference: from
// another run, or from the numbers that the model states. A deviation is a cause if the run holds
// with this one undone and all others as they were. The smallest share of it that has to be undone
// orders the causes: the less, the stronger the cause. A remedy is the smallest change of one input
// that would have held, whether the input deviates or not.
//
// Shares are found by bisection on trials, each with the bits of the run up to its change. The
// answer has the last share that fails and the first that holds.
#ifndef HEFT_APPS_WHY_CAUSE_H
#define HEFT_APPS_WHY_CAUSE_H

#include "why/trial.h"

typedef struct WhyCause {
  WhyChange change;
  int holds;            ///< 1: with all of it the run holds
  double share, fails;  ///< smallest share that holds, largest one below it that fails
  double later;         ///< time by which the event comes later with all of it [s]
} WhyCause;

enum { WHY_CAUSES = 256, WHY_REMEDIES = 8, WHY_FOLLOWERS = 8 };

typedef struct WhyQuestion {
  const WhyRun *run, *reference;  ///< reference NULL: the numbers that the model states
  int body;                       ///< only events with this body; -1: all
  double from;                    ///< only events from this time on [s]
  int remedies;                   ///< 1: find remedies, too
} WhyQuestion;

typedef struct WhyAnswer {
  int found;                         ///< 1: something gave way
  WhyEvent event;                    ///< the first
  int object;                        ///< the body of the pair that can move, or the lighter one
  WhyEvent follower[WHY_FOLLOWERS];  ///< what gave way afterwards
  int follower_count;
  WhyCause* cause;  ///< (cause_count), the strongest first
  int cause_count;
  WhyCause remedy[WHY_REMEDIES];  ///< the smallest relative change first
  int remedy_count;
  long trials, steps;  ///< that it took
  double step;         ///< time step [s]
} WhyAnswer;

/// Finds what gave way first, and why. Returns 0 on failure. Release by why_answer_release().
int why_find(const WhyQuestion* question, WhyAnswer* answer, HeftError* error);
void why_answer_release(WhyAnswer* answer);
/// The value of an input of which a share is changed.
double why_value(const WhyChange* change, double share);

#endif
