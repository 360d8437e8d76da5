// SPDX-License-Identifier: Apache-2.0
// ConstraintSet: the constraints of a substep, as rows u = J v. These are contact points, joint
// limits, dry friction, equalities and tendons.
//
// All constraints act on *effectors* (heft_dynamics_delassus_effectors): a contact point on the
// twists of two links, a joint row on up to six joint velocities of one tree, so that one operator
// serves them all.
#ifndef HEFT_SRC_WORLD_CONSTRAINT_SET_H
#define HEFT_SRC_WORLD_CONSTRAINT_SET_H

#include <heft/collision.h>
#include <heft/contact.h>
#include <heft/world.h>
#include <limits.h>

#include "collision/skin.h"

/// The origin of a constraint. Kind and source together identify it from step to step, so that its
/// impulse of the last step is found again.
typedef enum ConstraintKind {
  CONSTRAINT_CONTACT,       ///< source: index among the contact points of this step
  CONSTRAINT_LIMIT,         ///< source: 2 dof, plus 1 for the upper end
  CONSTRAINT_DRY,           ///< source: dof
  CONSTRAINT_EQUALITY,      ///< source: 6 equality + component
  CONSTRAINT_TENDON_LIMIT,  ///< source: 2 tendon, plus 1 for the upper end
  CONSTRAINT_TENDON_DRY,    ///< source: tendon
  CONSTRAINT_KIND_COUNT
} ConstraintKind;

typedef struct Constraint {
  ConstraintKind kind;
  int source;
  HeftConstraintType type;
  int rows;          ///< of that type
  int link[2];       ///< the links that it acts on, 0: the world or none
  int skin[2];       ///< or the point of a skin that a side is, -1: none; link is one of its nodes
  int dof[3];        ///< or the dofs, all of one tree, -1: none
  int direction[2];  ///< or the tendon directions, of one tree each, -1: none; their common sign
                     ///< is first in axis
  int middle;        ///< 1: its island moves with second order, its rows are at q_m
                     ///< (midpoint.c, lasting.c)
  double mu, mu_static, mu_roll, mu_spin, lower, upper;
  double gap;          ///< of the first row: distance, or error of an equality [m, rad]
  double restitution;  ///< coefficient of a contact point or of a joint limit, 0 to 1
  int fresh;           ///< 1: a contact point that the last step did not have
  int row;             ///< first row
  double softness;     ///< of the normal row of a soft contact point (softness.c), 0: rigid [1/kg]
} Constraint;

/// Filled by constraint_rows.c; midpoint.c and lasting.c turn the rows of islands of second order
/// to the middle of the step. Const afterwards. The position correction has a set of its own, which
/// correction.c derives from the first.
typedef struct ConstraintSet {
  int capacity, row_capacity;
  HeftContactPoints contact_points;  ///< contact points, as the collider returned them
  int count, row_count;
  int contact_point_count;  ///< contact points among the constraints, the first of the list
  int any_restitution;      ///< 1 if a constraint has restitution
  const HeftJointDirection* direction;  ///< tendon directions (tendon_constraints.c)
  const int* direction_root;            ///< root of the tree of each direction
  Constraint* list;
  SkinSide* skin;      ///< 2 x contact points: side s of the contact point i is 2 i + s; NULL if
                       ///< there is no deformable body
  double (*axis)[12];  ///< rows: numbers for the two effectors (or for the dofs), signs included
  double* bias;        ///< rows: bias velocity, gap / h while a gap is open [m/s, rad/s]
  double* warm;        ///< rows: impulses of the step before
  double* start;       ///< constraints: J(q_m) v at the start of the step, of the first row, if
                       ///< they have `middle`
  double* surface;     ///< rows: velocity by the prescribed motion of surfaces, u = J v + surface;
                       ///< valid if carried
  int soft;            ///< 1 if a contact point yields (softness.c)
  int carried;         ///< 1 if a surface moves by prescription: moved bodies, conveyors
  int* tied;           ///< nlink: 1 at the root of each tree that a cross-tree tendon or a coupling
                       ///< acts on; these are no constraints of the list. TIED_BY_ELASTICITY if
                       ///< nothing does but the tree has nodes of deformable bodies
} ConstraintSet;

enum { TIED_BY_ELASTICITY = 2 };

/// Constraints that a thread treats in one go.
enum { CONSTRAINT_RANGE = 128 };

/// Writes a constraint at a place of the list and of the rows. Its bias and warm impulses are zero.
Constraint* heft_constraint_set_put(ConstraintSet* set, int index, int row, ConstraintKind kind,
                                    int source, HeftConstraintType type);
/// Appends a constraint; NULL when there is no room. Its bias, warm impulses and axes are zero.
Constraint* heft_constraint_set_add(ConstraintSet* set, ConstraintKind kind, int source,
                                    HeftConstraintType type);
/// A link that a constraint acts on, of the tree that it acts on first.
int heft_constraint_set_link(const ConstraintSet* set, const HeftModel* model,
                             const Constraint* constraint);
/// out[root] = value for the trees that a constraint acts on.
void heft_constraint_set_roots(const ConstraintSet* set, const HeftModel* model,
                               const Constraint* constraint, int value, int* out);
/// The place of a constraint in a report: contact points: the two shapes; limits and dry friction:
/// the joint; else the equality or the tendon. The second is -1 if there is none.
void heft_constraint_set_place(const ConstraintSet* set, const HeftModel* model, int index,
                               int place[2]);
/// velocity (rows) = J v + surface + bias; bias may be NULL. Computes the link velocities at v.
void heft_constraint_set_measure(const ConstraintSet* set, HeftDynamics* dynamics,
                                 const double* bias, const double* v, double* velocity);

/// heft_constraint_set_measure() for constraints first <= i < set->count only.
void heft_constraint_set_measure_from(const ConstraintSet* set, int first, HeftDynamics* dynamics,
                                      const double* bias, const double* v, double* velocity);

/// 1 for limits of joints and tendons.
static inline int heft_constraint_is_limit(const Constraint* k) {
  return k->kind == CONSTRAINT_LIMIT || k->kind == CONSTRAINT_TENDON_LIMIT;
}

/// 1 for loops and closed limits, which do no work.
static inline int heft_constraint_is_workless(const Constraint* k) {
  return k->kind == CONSTRAINT_EQUALITY || (heft_constraint_is_limit(k) && k->gap <= 0);
}

/// The place of the velocity J(q_m) v of a constraint.
static inline double* heft_constraint_set_start(const ConstraintSet* set, const Constraint* k) {
  return &set->start[k - set->list];
}

/// Writes the rows of a contact point, at the kinematics of the dynamics (constraint_rows.c).
void heft_constraints_write_contact(ConstraintSet* set, const HeftDynamics* dynamics,
                                    const HeftContactPoint* point, const Constraint* constraint);

/// Contact points that found no room; pairs of shapes that found none count as one each.
static inline int heft_constraint_set_dropped(const ConstraintSet* set) {
  const int64_t dropped = set->contact_points.dropped + set->contact_points.pairs_missed;
  return dropped < INT_MAX ? (int)dropped : INT_MAX;
}

/// The kinds of rows whose residuals are reported separately: the first quantities of a step.
typedef enum RowKind {
  ROW_CONTACT = HEFT_QUANTITY_CONTACT_RESIDUAL,
  ROW_LIMIT = HEFT_QUANTITY_LIMIT_RESIDUAL,
  ROW_FRICTION = HEFT_QUANTITY_FRICTION_RESIDUAL,
  ROW_LOOP = HEFT_QUANTITY_LOOP_RESIDUAL,
  ROW_TENDON = HEFT_QUANTITY_TENDON_RESIDUAL,
  ROW_KIND_COUNT
} RowKind;

static inline RowKind heft_constraint_row_kind(const Constraint* k) {
  if (k->direction[0] >= 0) return ROW_TENDON;
  switch (k->kind) {
    case CONSTRAINT_LIMIT:
      return ROW_LIMIT;
    case CONSTRAINT_DRY:
      return ROW_FRICTION;
    case CONSTRAINT_EQUALITY:
      return ROW_LOOP;
    case CONSTRAINT_CONTACT:
    case CONSTRAINT_TENDON_LIMIT:
    case CONSTRAINT_TENDON_DRY:
    case CONSTRAINT_KIND_COUNT:
      break;
  }
  return ROW_CONTACT;
}

/// Enters an error of a step, if it is larger than the ones before.
static inline void heft_step_report_raise(HeftStepReport* report, HeftStepQuantity quantity,
                                          double value, int place, int other) {
  HeftStepError* error = &report->error[quantity];
  if (value <= error->value) return;
  error->value = value;
  error->place[0] = place;
  error->place[1] = other;
}

/// Copies the numbers of a constraint's rows.
static inline void heft_rows_copy(const Constraint* k, const double* from, double* to) {
  for (int r = 0; r < k->rows; ++r) to[r] = from[r];
}

#endif
