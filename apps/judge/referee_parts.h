// SPDX-License-Identifier: Apache-2.0
// The referee's memory of two rows. Index 0 or 1 of an array is a row; `now` is the later one.
#ifndef HEFT_APPS_JUDGE_REFEREE_PARTS_H
#define HEFT_APPS_JUDGE_REFEREE_PARTS_H

#include "judge/referee.h"

/// Bounds of an island whose forces are inferred.
enum { REACH_ROWS = 120, REACH_POINTS = 384, REFEREE_POINTS = 4096 };

typedef struct RefereeOverlap {
  int a, b;
  double depth;
} RefereeOverlap;

struct Referee {
  const HeftModel* m;
  RefereeDef def;
  RefereeReport report;
  HeftDynamics* d[2];
  HeftDynamics*
      mixed;  ///< at the present q, with v of the row before: J(q) v changes by this alone
  HeftCollider* collider;
  HeftPose* pose[2];    ///< nbody
  double *q[2], *v[2];  ///< nq, nv
  double* reached;      ///< nq: from the row before, by v of the row
  double time[2];
  int known[2];                ///< 1: the row has velocities
  HeftContactPoint* point[2];  ///< REFEREE_POINTS, of the row's pose
  int point_count[2];
  int now;
  int broken;                 ///< bits: 1 << kind of the findings of the present step
  int* link;                  ///< nbody: the body that carries it by welds; 0: static
  int* tree;                  ///< nbody: root body, 0: static
  int* island;                ///< nbody: union of trees, by root body
  int* open;                  ///< nv: 1: the balance of the dof is not judged
  int* belt;                  ///< nbody: 1: has a conveyor
  double *lo, *hi;            ///< nv: the joint forces of contacts lie between
  double *free_lo, *free_hi;  ///< nv: the same, before limits and dry friction
  double *a, *work[4];        ///< nv
  double *lin_e, *lin_a;      ///< nbody: accelerations of centres of mass
  double* arm;                ///< 6 nv: rows of a Jacobian
  double* mass;               ///< nv x nv
  RefereeOverlap* overlap;    ///< at the start, by pairs of links
  int overlap_count;
  double gravity, h;
  struct Reach* reach;
};

/// Adds a finding of the present step. value: above 0; open: what readings of the log leave open.
void referee_find(Referee* r, RefereeKind kind, int a, int b, double value, double open);
/// Accelerations of bodies for joint accelerations: of the centre of mass, and of rotations by the
/// moment of inertia over the mass.
void referee_accelerations(Referee* r, const double* a, double* out);
/// Acceleration of a body that may remain without a cause, for the largest acceleration of the
/// bodies that move with it. Needs lin_a.
double referee_allowed(const Referee* r, const int* group, int body);
/// Joint accelerations of joint forces, in place, by the mass matrix of the present row.
void referee_solve(Referee* r, double* x);
/// Slip of b against a at a point, by three readings: at the row before, at this row, and by the
/// displacement between them.
void referee_slips(const Referee* r, int a, int b, HeftVec3 point, HeftVec3 normal,
                   HeftVec3 out[3]);
/// The row that a contact point of the geometry is from.
int referee_row_of(const Referee* r, const HeftContactPoint* p);
/// 1 if a point is closer than `touch`, or may be so within the step by its normal velocity: bodies
/// that bounce within a step are apart at both ends.
int referee_touches(const Referee* r, const HeftContactPoint* p);
/// Slip that turning leaves open [m/s].
double referee_turning(const Referee* r, int a, int b, HeftVec3 point);

/// Laws of contacts whose forces the log has.
void referee_laws(Referee* r, const RefereeRow* row);
/// Balance of momentum with given forces.
void referee_balance(Referee* r, const RefereeRow* row);
/// Balance with forces that are inferred.
void referee_reach(Referee* r);
struct Reach* reach_create(const HeftModel* model);
void reach_destroy(struct Reach* reach);

#endif
