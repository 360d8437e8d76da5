// SPDX-License-Identifier: Apache-2.0
// Judges the trajectory of a robot that comes from elsewhere: whether its motors, its joints and
// its contacts can do it ([Chardonnet 2012], section 5.2).
//
// A trajectory is a table of coordinates over time. Velocities and accelerations are differences.
// Inverse dynamics gives the wrench that must act on the root and the torques at the joints. The
// contacts are those that the shapes have with static bodies at each time. Their forces, inside
// their exact friction cones, are those that come closest to the wrench at the root
// (force_share.h):
//   - if they give it, the motion is feasible, and the torques at the joints follow;
//   - if they would give it with unlimited friction, friction is missing;
//   - if not even then, the robot would tip over, or would have to pull at the floor.
#ifndef HEFT_APPS_JUDGE_JUDGE_H
#define HEFT_APPS_JUDGE_JUDGE_H

#include <heft/model.h>

#include "sweep/csv.h"

/// Conditions that can be violated: X(id, word, meaning).
#define JUDGE_KIND_LIST(X)                                                     \
  X(JUDGE_SUPPORT, "support", "a force is needed and nothing touches")         \
  X(JUDGE_BALANCE, "balance", "the pressure would leave the contacts")         \
  X(JUDGE_FRICTION, "friction", "more friction is needed than the cones have") \
  X(JUDGE_TORQUE, "torque", "an actuator is too weak")                         \
  X(JUDGE_RANGE, "range", "a joint is beyond its range")                       \
  X(JUDGE_SPEED, "speed", "a joint is faster than --speed")                    \
  X(JUDGE_GAP, "gap", "the bar between the loads touches the robot")

typedef enum JudgeKind { JUDGE_KIND_LIST(HEFT_ENUM_ENTRY) JUDGE_KIND_COUNT } JudgeKind;

const char* judge_kind_word(JudgeKind kind);
const char* judge_kind_meaning(JudgeKind kind);

enum { JUDGE_LOADS = 8 };

/// A mass at a point of a body, without inertia of its own: a share of what the robot carries.
typedef struct JudgeLoad {
  int body;
  double mass;     ///< [kg]
  HeftVec3 point;  ///< in the frame of the body [m]
} JudgeLoad;

typedef struct JudgeDef {
  double touch;      ///< surfaces closer than this carry forces [m]
  double speed;      ///< max speed of joints [rad/s, m/s]; 0: not judged
  double tolerance;  ///< wrench that may be missing, as a share of the weight
  int support;       ///< body that stays in place if the table has no base; -1: none
  JudgeLoad load[JUDGE_LOADS];
  int load_count;
  double bar;  ///< radius of a straight bar from the first load to the second [m]; 0: none
} JudgeDef;

/// A time during which something is violated.
typedef struct JudgeViolation {
  JudgeKind kind;
  int dof;  ///< of the joint, or -1
  double from, to;
  double worst, at;  ///< the worst value, and when
  double limit;
} JudgeViolation;

/// One row of the table.
typedef struct JudgeSample {
  double time;
  int contacts;
  double missing;   ///< wrench that the contacts cannot give, as a share of the weight
  double margin;    ///< of the zero-moment point inside the hull of the contacts [m]; NaN: none
  double friction;  ///< largest share of friction that a contact uses, 1 at the cone
  double torque;    ///< largest torque as a share of its limit
  int torque_dof;   ///< its joint, or -1
  double speed;     ///< fastest joint [rad/s, m/s]
  double gap;       ///< between the middle of the bar and the robot [m]; NaN: not within 0.2 m
} JudgeSample;

typedef struct JudgeReport {
  JudgeSample* sample;
  int sample_count;
  JudgeViolation* violation;  ///< by time
  int violation_count;
  int root;       ///< body of the free joint, or -1: the base is fixed
  double weight;  ///< [N]
} JudgeReport;

JudgeDef judge_def_default(void);
/// The table has the columns time and coordinates: q0, q1, ... as logs have them, or names of
/// joints; a free joint has NAME.x, .y, .z, .qw, .qx, .qy, .qz. Joints without a column stay as in
/// the model. file: for messages.
HeftStatus judge_trajectory(const HeftModel* model, const Csv* table, const char* file,
                            const JudgeDef* def, JudgeReport* out, HeftError* error);
void judge_release(JudgeReport* report);

#endif
