// SPDX-License-Identifier: Apache-2.0
// A world that is stepped by a thread of its own in real time, accepts commands between two steps,
// and publishes pictures. The thread never waits for another one.
#ifndef HEFT_SRC_SERVE_STATION_H
#define HEFT_SRC_SERVE_STATION_H

#include <pthread.h>
#include "serve/serve.h"

#include "base/triple_buffer.h"
#include "serve/command_queue.h"
#include "serve/picture.h"
#include "serve/sharing.h"

enum { STATION_BINS = 400 };

/// The pull of a user.
typedef struct StationHand {
  int body;  ///< -1: none
  HeftVec3 at, target;
  uint64_t heard_ns;  ///< when the user last sent them
  int coupling;       ///< its index in the step, -1: none
} StationHand;

typedef struct Station {
  HeftAllocator allocator;
  HeftWorld* world;
  const HeftModel* model;
  HeftServeDef def;
  CommandQueue queue;  ///< written by the network thread
  Sharing* sharing;    ///< NULL: the world is not shared
  Picture picture[3];
  TripleBuffer pictures;  ///< of `picture`, read by the network thread
  atomic_long steps, late;
  _Atomic double time;
  atomic_int quit;
  pthread_t thread;
  int started;
  // used only by the thread
  StationHand hand[PICTURE_HANDS];
  HeftStepReport report;
  long not_solved, dropped;  ///< steps and contact points since the start
  int running, pending, dirty;
  uint64_t anchor_ns, published_ns, window_ns;
  double anchor_time, window_time, speed, p99;
  long bins[STATION_BINS];  ///< times of steps
} Station;

/// Sets up a station and publishes the first picture. The world is set to the start of the def.
/// HEFT_ERR_MEMORY: station_free() is still due.
HeftStatus station_make(Station* station, HeftWorld* world, const HeftServeDef* def,
                        HeftError* error);
HeftStatus station_start(Station* station, HeftError* error);
/// Ends the thread.
void station_stop(Station* station);
void station_free(Station* station);
/// One turn of the thread, for tests: commands, the steps that are due, a picture. Returns the time
/// at which the next one is due (heft_clock_ns()).
uint64_t station_turn(Station* station, uint64_t now_ns);

#endif
