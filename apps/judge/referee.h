// SPDX-License-Identifier: Apache-2.0
// Judges the log of a simulation, row by row, whatever engine wrote it: whether the laws hold from
// each row to the next. The state of a row is the one at its time; forces and contacts of a row
// belong to the step that led to it.
//
// Schemes evaluate inertia forces, dampers and arms at different instants of a step, and a log does
// not tell at which. So all of them are computed at both ends, and a number counts as explained if
// it lies between the two. Only the rest is a finding.
#ifndef HEFT_APPS_JUDGE_REFEREE_H
#define HEFT_APPS_JUDGE_REFEREE_H

#include <heft/collision.h>
#include <heft/dynamics.h>

/// Laws that a step can break: X(id, word, unit, meaning).
#define REFEREE_LIST(X)                                                                           \
  X(REFEREE_MOMENTUM, "momentum", "m/s²", "acceleration that no force explains")                  \
  X(REFEREE_CREEP, "creep", "m/s", "slips although friction could hold, or does not brake fully") \
  X(REFEREE_CONE, "cone", "1", "tangential force over normal force, beyond the friction")         \
  X(REFEREE_PULL, "pull", "N", "a contact pulls")                                                 \
  X(REFEREE_GAP, "gap", "m", "a force between surfaces that are this far apart")                  \
  X(REFEREE_DIRECTION, "direction", "rad", "friction does not oppose the slip")                   \
  X(REFEREE_APART, "apart", "m/s",                                                                \
    "a contact pushes bodies that part faster than they may bounce")                              \
  X(REFEREE_ENERGY, "energy", "J", "contacts add energy in a step")                               \
  X(REFEREE_OVERLAP, "overlap", "m", "bodies overlap more than at the start")                     \
  X(REFEREE_MOTION, "motion", "m, rad", "positions change otherwise than the velocities")         \
  X(REFEREE_RANGE, "range", "m, rad", "a joint is beyond its range by this much")                 \
  X(REFEREE_LIMIT, "limit", "N, N m", "an actuator exceeds its force range by this much")

typedef enum RefereeKind { REFEREE_LIST(HEFT_ENUM_ENTRY) REFEREE_KIND_COUNT } RefereeKind;

const char* referee_word(RefereeKind kind);
const char* referee_unit(RefereeKind kind);
const char* referee_meaning(RefereeKind kind);

typedef struct RefereeDef {
  double touch;     ///< surfaces closer than this may carry forces [m]
  double overlap;   ///< depth that is allowed beyond the depth at the start [m]
  double creep;     ///< slip that counts as none [m/s]
  double momentum;  ///< acceleration without a cause that is allowed, as a share of gravity
  double motion;    ///< displacement without velocity that is allowed in a step [m, rad]
  int infer;        ///< 1: infer forces even if the log has them
} RefereeDef;

typedef struct RefereeContact {
  int a, b;                     ///< bodies
  HeftVec3 pos, normal, force;  ///< in the world; unit, from a to b; on b
  HeftVec3 torque;              ///< on b at pos, of spinning and rolling friction
} RefereeContact;

/// A row of a log.
typedef struct RefereeRow {
  double time;
  const double* q;         ///< nq
  const double* v;         ///< nv; NULL: differences of q over the step before
  const double* moved;     ///< nmoved x 13, as in HeftState; NULL: as in the model
  const double* actuator;  ///< nactuator: forces; NULL: unknown
  const double* push;      ///< nbody x 6: forces at the centres of mass, torques; NULL: none
  const RefereeContact* contact;
  int contact_count;  ///< -1: the log has no contact forces
} RefereeRow;

/// A law that steps break, at one pair of bodies or one joint or actuator.
typedef struct RefereeFinding {
  RefereeKind kind;
  int a, b;      ///< bodies, b >= 0; or a body (momentum, motion), dof (range), actuator (limit)
                 ///< and -1
  int64_t rows;  ///< that break it
  double first;  ///< time of the first [s]
  double worst, at;   ///< largest value, and when
  double sum;         ///< of the values, for the mean
  double confidence;  ///< largest, 0 to 1: 1 - (what readings of the log leave open) / value
} RefereeFinding;

enum { REFEREE_FINDINGS = 256 };

typedef struct RefereeReport {
  int64_t rows, steps;
  int64_t broken;                          ///< steps with at least one finding
  int64_t broken_law[REFEREE_KIND_COUNT];  ///< steps with at least one finding of this kind
  int64_t inferred;                        ///< steps whose forces were inferred
  int64_t unexplained;     ///< parts of steps with too many dofs or contacts to infer forces
  int64_t without_forces;  ///< steps without known actuator forces
  int open_dofs;           ///< dofs whose balance is not judged: loops, tendons
  double first, last;      ///< times
  double broken_first;     ///< time of the first broken step
  RefereeFinding finding[REFEREE_FINDINGS];
  int finding_count;
  int64_t more;  ///< findings that did not fit
} RefereeReport;

typedef struct Referee Referee;

RefereeDef referee_def_default(void);
/// The model must outlive it.
HeftStatus referee_create(Referee** out, const HeftModel* model, const RefereeDef* def,
                          HeftError* error);
void referee_destroy(Referee* referee);
/// Times must rise. 0: the numbers of the row are not finite or too large, error says which.
int referee_row(Referee* referee, const RefereeRow* row, HeftError* error);
const RefereeReport* referee_report(const Referee* referee);

#endif
