// SPDX-License-Identifier: Apache-2.0
// Live scenes: what a page needs to run cases of the validation set and to show the exact answers
// beside its own. `heft validate --live FOLDER` writes them (docs/manual/javascript.md).
//
// Exact answers and limits come from the rows that the case reports; nothing is computed
// twice. A scene is written as the case opened and placed it. A row is measured by a gauge, which
// is plain data, so that a page can read it: a sum of terms in each step, and what is taken of it.
// Each gauge is checked when it is written: the scene is read back, stepped, and the gauge must
// show the figure of the case.
#ifndef HEFT_VALIDATION_LIVE_H
#define HEFT_VALIDATION_LIVE_H

#include "validation/cases.h"

/// Quantities of a term. X(constant, word)
#define LIVE_QUANTITY_LIST(X)                                                               \
  X(LIVE_POS, "pos")       /* position of a body along an axis [m] */                       \
  X(LIVE_VEL, "vel")       /* velocity of its origin along an axis [m/s] */                 \
  X(LIVE_OMEGA, "omega")   /* angular velocity about an axis of the world [rad/s] */        \
  X(LIVE_SPEED, "speed")   /* norm of the velocity of its point `arm` [m/s] */              \
  X(LIVE_TILT, "tilt")     /* angle between its z axis and the vertical [degrees] */        \
  X(LIVE_FORCE, "force")   /* contact force of body `from` on it along an axis [N] */       \
  X(LIVE_LOAD, "load")     /* sum of all contact forces of the world on bodies, axis [N] */ \
  X(LIVE_ENERGY, "energy") /* kinetic plus potential energy [J] */
/// What is taken of the values x of all steps. X(constant, word)
#define LIVE_TAKE_LIST(X)                                                                \
  X(LIVE_END, "end")       /* the last one */                                            \
  X(LIVE_FIRST, "first")   /* time of the first step with |x| below the threshold [s] */ \
  X(LIVE_CROSS, "cross")   /* time of the first step with x below the threshold [s] */   \
  X(LIVE_LAST, "last")     /* time of the last step with x above the threshold [s] */    \
  X(LIVE_MAX, "max")       /* the largest x, at least 0 */                               \
  X(LIVE_CHANGE, "change") /* the last one minus that of the start */                    \
  X(LIVE_DRIFT, "drift")   /* the largest |x - a| / |a|, a after the first step, each tenth step */
#define LIVE_CONSTANT(constant, word) constant,
typedef enum LiveQuantity { LIVE_QUANTITY_LIST(LIVE_CONSTANT) LIVE_QUANTITY_COUNT } LiveQuantity;
typedef enum LiveTake { LIVE_TAKE_LIST(LIVE_CONSTANT) LIVE_TAKE_COUNT } LiveTake;
#undef LIVE_CONSTANT

enum { LIVE_TERMS = 2, LIVE_ROWS = 3 };

typedef struct LiveTerm {
  LiveQuantity quantity;
  double factor;
  int body, axis;  ///< axis: 0, 1, 2
  int from;        ///< force: the other body
  double arm[3];   ///< speed: a point relative to the origin, in world axes [m]
} LiveTerm;

typedef struct LiveGauge {
  const char* what;  ///< of the row of the case
  LiveTake take;
  double threshold;
  double offset;  ///< added to the sum of the terms
  int relative;   ///< 1: the error is relative to the exact value
  LiveTerm term[LIVE_TERMS];
} LiveGauge;

typedef struct LiveScene {
  const char* name;       ///< of its files
  const char* case_name;  ///< a case of the table
  int opening;            ///< which of the scenes that the case opens, from 0
  const char* title;
  double speed;  ///< of the page, relative to real time
  LiveGauge gauge[LIVE_ROWS];
} LiveScene;

extern const LiveScene live_scenes[];
extern const int live_scene_count;
const char* live_quantity_name(LiveQuantity quantity);
const char* live_take_name(LiveTake take);

/// A scene as its case opened it, with the rows of its gauges.
typedef struct LiveRecord {
  const LiveScene* scene;
  HeftModel* model;  ///< with the keyframe "start"
  EngineSettings settings;
  int steps;
  Row row[LIVE_ROWS];
  int row_count;
} LiveRecord;

/// Runs the case of a scene and records it. 0 on failure, with the reason. Release it in any case.
int live_record(LiveRecord* record, const LiveScene* scene, const char* scenes, char* reason,
                size_t reason_size);
void live_release(LiveRecord* record);
/// Steps the file of a scene, and compares its gauges with the rows. 0 on failure, with the reason.
int live_check(const LiveRecord* record, const char* path, char* reason, size_t reason_size);

#endif
