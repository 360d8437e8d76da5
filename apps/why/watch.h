// SPDX-License-Identifier: Apache-2.0
// Watches the pairs of bodies that touch each other: which of them rest on each other, and which
// give way afterwards. A pair rests when its bodies have moved together for a while; it has then an
// anchor, a point of both bodies. It gives way when the two places of the anchor are WHY_DISTANCE
// apart, or the bodies have turned against each other by WHY_ANGLE. The forces of single contact
// points play no part: where contacts are redundant, they do not decide whether something holds.
#ifndef HEFT_APPS_WHY_WATCH_H
#define HEFT_APPS_WHY_WATCH_H

#include <heft/world.h>

#define WHY_DISTANCE 1e-3 /**< [m] */
#define WHY_ANGLE 2e-2    /**< [rad] */

/// How a pair gives way: X(id, word of the sentence).
#define WHY_END_LIST(X)     \
  X(WHY_SLIPS, "slips on")  \
  X(WHY_TURNS, "turns on")  \
  X(WHY_LIFTS, "comes off") \
  X(WHY_TIPS, "tips on")    \
  X(WHY_MISSES, "is never held by")

typedef enum WhyEnd { WHY_END_LIST(HEFT_ENUM_ENTRY) WHY_END_COUNT } WhyEnd;

const char* why_end_word(WhyEnd end);

/// A pair that gave way.
typedef struct WhyEvent {
  int body[2];     ///< the first one has the smaller number
  int shape[2];    ///< of their first contact
  WhyEnd end;      ///< how
  long held;       ///< step from which on it had rested
  long onset;      ///< first step of its motion
  long step;       ///< step in which it had given way
  HeftVec3 place;  ///< of the anchor [m]
} WhyEvent;

enum { WHY_EVENTS = 256, WHY_PAIRS = 1024 };

/// A pair of bodies that touched. For the watch.
typedef struct WhyPair {
  int body[2], shape[2];
  int loaded;            // contact points with a force in this step
  double force;          // their normal forces
  HeftVec3 sum, normal;  // weighted by them
  int holds, still;      // it has an anchor; steps without motion
  int ended;             // how often it has given way
  long held, quiet;      // first step of the rest; last one without a motion of the anchor
  HeftVec3 anchor[2], axis;
  HeftMat3 turn;
  double measure, speed;  // motion of the anchor, relative to what counts as giving way
} WhyPair;

typedef struct WhyWatch {
  int body;                          ///< only pairs with this body; -1: all
  long from, until;                  ///< events outside of these steps do not count
  long slack;                        ///< steps by which events may differ from the reference
  const struct WhyWatch* reference;  ///< a run whose events are part of the task; NULL: none
  int first_only;                    ///< 1: stop at the first event
  WhyPair* pair;                     ///< (WHY_PAIRS)
  int pair_count;
  WhyEvent event[WHY_EVENTS];
  int event_count;
  long step;   ///< steps seen
  int broken;  ///< 1: a step was rolled back, and the run ended there
} WhyWatch;

/// Watches all pairs from the start. NULL: no memory.
WhyWatch* why_watch_create(void);
void why_watch_destroy(WhyWatch* watch);
/// Forgets everything that was seen, and keeps the settings.
void why_watch_restart(WhyWatch* watch);
/// After a step. Returns 1 if nothing else has to be seen.
int why_watch_step(WhyWatch* watch, const HeftWorld* world);
/// After the last step: pairs that are giving way, and those that the reference holds at its end.
void why_watch_end(WhyWatch* watch);
/// The event that began first; NULL: nothing gave way.
const WhyEvent* why_watch_first(const WhyWatch* watch);

#endif
