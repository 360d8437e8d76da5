// SPDX-License-Identifier: Apache-2.0
// Repeats a run with one of its inputs changed. A run is a world at its start, and the actions
// between its steps; with the same inputs it has the same bits, so that every difference of two
// trials comes from the change.
#ifndef HEFT_APPS_WHY_TRIAL_H
#define HEFT_APPS_WHY_TRIAL_H

#include "record/session_log.h"
#include "why/watch.h"

/// An action, and the number of steps before it.
typedef struct WhyAction {
  long step;
  HeftAction action;
} WhyAction;

typedef struct WhyRun {
  HeftWorld* start;    ///< at its start; never stepped
  WhyAction* actions;  ///< by step (action_count)
  long action_count;
  long steps;
} WhyRun;

/// Inputs that can be changed: X(id, word, what `index` is).
#define WHY_KIND_LIST(X)                                           \
  X(WHY_FRICTION, "friction", "material")                          \
  X(WHY_SHAPE_FRICTION, "friction", "shape")                       \
  X(WHY_PAIR_FRICTION, "friction", "pair")                         \
  X(WHY_MASS, "mass", "body")                                      \
  X(WHY_GAIN, "gain", "actuator")                                  \
  X(WHY_GRAVITY, "gravity", "none")                                \
  X(WHY_START, "start", "joint")                                   \
  X(WHY_COMMAND, "command", "signal")                              \
  X(WHY_TIMING, "timing", "signal")                                \
  X(WHY_PUSH, "push", "body")                                      \
  X(WHY_ALTERED, "change during the run", "action")                \
  X(WHY_STANCE_FRICTION, "friction", "body whose contacts change") \
  X(WHY_GRIP, "grip", "body that is gripped")                      \
  X(WHY_SHIFT, "start", "coordinate")

typedef enum WhyKind { WHY_KIND_LIST(HEFT_ENUM_ENTRY) WHY_KIND_COUNT } WhyKind;

const char* why_kind_word(WhyKind kind);

enum { WHY_MEMBERS = 64 };

/// A change of an input. A signal is a control (its actuator), or the force of a dof (the number of
/// actuators + dof).
typedef struct WhyChange {
  WhyKind kind;
  int index;                ///< see WHY_KIND_LIST
  double from, to;          ///< value in the run; value to which it is changed
  double when;              ///< push, command: time of it [s]
  int member[WHY_MEMBERS];  ///< stance: shapes; grip: signals or, from nactuator + nv on, gains
  int member_count;
} WhyChange;

/// Repeats a run with a share of a change, 0: as it was, 1: all of it. other: the run that it is
/// changed towards, for starts, commands and pushes; NULL: towards none. change NULL: no change.
/// seen: called after each step; NULL: none. Returns 0 on failure.
typedef struct WhyTrial {
  const WhyRun *run, *other;
  const WhyChange* change;
  double share;
  WhyWatch* watch;
  void (*seen)(void* user, HeftWorld* world, long step);
  void* user;
} WhyTrial;

int why_trial(const WhyTrial* trial, HeftError* error);

/// Gains of an actuator as the model states them.
HeftActuatorGains why_stated_gains(const HeftModel* model, int actuator);
/// Number of signals.
int why_signal_count(const HeftModel* model);
/// The next action of a signal from *at on, which becomes the place behind it; NULL: none is left.
const WhyAction* why_next_of(const WhyRun* run, const HeftModel* model, int signal, long* at);

#endif
