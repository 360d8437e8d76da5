// SPDX-License-Identifier: Apache-2.0
// The constraints of a step: what touches, joints at their limits, dry friction in joints, loops.
// They are gathered into one list, sorted into islands, solved island by island, and turned back
// into joint velocities.
//
// All constraints speak of *effectors* (heft_dynamics_delassus_effectors): a touch of the twists
// of two links, a
// joint row of up to six joint velocities of one tree, so that one operator carries them all.
#ifndef HEFT_SRC_WORLD_CONSTRAINTS_H
#define HEFT_SRC_WORLD_CONSTRAINTS_H

#include <heft/collision.h>
#include <heft/contact.h>
#include <heft/world.h>

#include "base/arena.h"
#include "base/pool.h"
#include "world/budget.h"

/// What a constraint comes from. With its source it is the name by which its impulse is found again
/// in the next step.
typedef enum ConstraintKind {
  CONSTRAINT_CONTACT,       ///< source: index among the touches of this step
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
  int rows;     ///< of that type
  int link[2];  ///< the links that it pushes, 0: the world or none
  int dof[3];   ///< or the dofs, all of one tree, -1: none
  int wire[2];  ///< or the wires, of one tree each, -1: none; its sign stands first in axis
  double mu, mu_static, mu_roll, mu_spin, lower, upper;
  double gap;   ///< of the first row: distance, or error of a loop [m, rad]
  int bounces;  ///< a touch that gives back some of its speed in this step
  int waiting;  ///< a touch that is left out in this round of impacts
  int fresh;    ///< a touch that the last step did not have
  int row;      ///< first row
  int island;
} Constraint;

/// Numbers that a contact model may keep for each touch from step to step.
enum { MODEL_MEMORY = 4 };

/// The impulse of a touch, kept under its name for the next step. Plain data: it goes into
/// snapshots as it is.
typedef struct Remembered {
  int name[4];  ///< bodies and shapes
  int dim, unused;
  uint64_t feature;
  double pos[3];  ///< where it was
  double impulse[6];
  double memory[MODEL_MEMORY];  ///< what the contact model keeps
} Remembered;

/// An island: what it holds, where its share of the sorted arrays begins, and how it was solved.
typedef struct Island {
  const int* order;  ///< its constraints
  const int* links;  ///< its links, ascending
  int count, link_count;
  int contact_first, row_first;  ///< its shares, counted from the start of the arrays
  int tree_first, tree_count;
  int effector_first, effector_count;
  size_t omega_first;
  int placed, rows;  ///< contacts and rows that the solver got
  int mobile;        ///< 1 if Ω of its trees is worked out
  int asleep;        ///< 1 if its solution was known from the last step
  int settled;       ///< 1 if its velocities were put to zero
  int fell_back;     ///< 1 if the contact model could not solve it
  uint64_t hash;     ///< of all that its solution depends on; 0: not known
  HeftContactTermination stop;
  HeftContactResult result;
  HeftContactCertificate proof;
} Island;

/// What is known of an island that did not change in the last step, at its lowest link.
typedef struct Dream {
  uint64_t hash;  ///< of what it was given then; 0: it was not at rest
  HeftContactCertificate proof;
} Dream;

typedef struct ContactModel ContactModel;  ///< contact_model.h
typedef struct ModelScratch ModelScratch;  ///< contact_model.h

/// What each thread has of its own.
typedef struct Worker {
  HeftContactSolver* solver;
  double* scratch;      ///< of the Delassus operator, and of the certificate
  ModelScratch* model;  ///< of the contact model; NULL: it needs none
} Worker;

/// What constraints did to a tree in a step; how it goes on follows from that (moreau.c).
typedef enum Hold {
  HOLD_LOOSE,  ///< none acts on it, or it bounces
  HOLD_FAST,   ///< they act, and nothing bounces
  HOLD_FLIGHT  ///< loose, and nothing but others that fly as well touches it
} Hold;

typedef struct Constraints {
  HeftCollider* collider;
  const ContactModel* model;  ///< NULL: the exact one
  HeftPool* pool;             ///< NULL: one thread
  int sharing;                ///< 1 while the threads share out islands
  Worker* workers;            ///< one per thread
  int worker_count;
  HeftContactPoints contact_points;
  int constraint_capacity, row_capacity, effector_capacity;

  // Gathered, in the order in which they were found
  int count, row_count;
  int any_restitution;      ///< 1 if a touch could bounce
  double* drift;            ///< nv: what the forces of this step add to the joint velocities
  int cold;                 ///< 1 in later rounds of impacts, which have no impulses to start from
  int contact_point_count;  ///< touches among them, the first of the list
  Constraint* list;
  double (*axis)[12];  ///< rows: numbers for the two effectors (or for the dofs), signs included
  double* push;        ///< rows: what is added to the free velocity: gap / h, restitution
  double* warm;        ///< rows: impulses of the step before
  double* impulse;     ///< rows: result, sum of all rounds
  double* round;       ///< rows: result of one round of impacts
  double* velocity;    ///< rows: u + push; the free one, after the solution that of the end
  double* kept;        ///< rows: velocities put aside
  double* start;       ///< rows: velocities at the start of the step; for contact models
  double (*memory)[MODEL_MEMORY];  ///< touches: what the contact model keeps
  double* correction;              ///< rows: impulses that move bodies apart
  double (*wrench)[8];  ///< nlink: impulses of all constraints on a link: moment and force, padded

  // Sorted by island
  int island_count;
  HeftIslands islands;
  Island* island;
  int* again;         ///< nlink: not 0 for islands with impacts in this round (impacts.c)
  Dream* dream;       ///< nlink
  int (*joined)[2];   ///< links that loops tie together
  int* order;         ///< constraints
  int* island_first;  ///< island_count + 1
  HeftConstraintBlock* contacts;
  int* source;  ///< the constraint that each of them is
  double *bias, *sorted_warm, *sorted_impulse, *sorted_velocity;
  double (*jacobian)[12];
  HeftEffector* effectors;
  HeftContactTree* trees;
  int* tree_links;  ///< links pushed, by tree
  int* tree_dofs;   ///< dofs pushed, by tree
  int* tree_wires;  ///< wires pushed, by tree
  int* found_link;  ///< links pushed, as they were found
  int* found_dof;   ///< dofs pushed, as they were found
  int* found_wire;  ///< wires pushed, as they were found
  int found_links, found_dofs, found_wires;
  int* root_place;     ///< nlink: place of a root among the trees
  int* link_effector;  ///< nlink: effector of a link in its island, -1
  int* dof_effector;   ///< nv: effector of a dof in its island, -1
  int* dof_slot;       ///< nv: its place in that effector
  double* omega;
  size_t omega_max, scratch_max;

  // Memory of the last step, for warm starts
  Remembered* old_contact;
  int old_count;
  double* old_joint[CONSTRAINT_KIND_COUNT];  ///< by source; NULL for touches

  int* active;  ///< nlink: 1 at the root of every tree that has a constraint in this step
  int* held;    ///< nlink: Hold of every tree, at its root
  size_t memory_size;
} Constraints;

/// How many effectors so many dofs or wires of a tree take: six fit into one.
enum { EFFECTOR_DOFS = 6 };
static inline int heft_effectors_of(int count) {
  return (count + EFFECTOR_DOFS - 1) / EFFECTOR_DOFS;
}

HeftStatus heft_constraints_create(HeftWorld* world, HeftError* error);
void heft_constraints_destroy(HeftWorld* world);
/// Forgets the impulses of the last step.
void heft_constraints_forget(HeftWorld* world);

/// Finds everything that may become active during a step from the present state (kinematics and
/// velocities at q, v).
void heft_constraints_gather(HeftWorld* world);
/// Sorts them into islands and marks the trees that have any.
void heft_constraints_group(HeftWorld* world);
/// Solves for the impulses and adds what they do to the joint velocities v (nv, the free velocity
/// on entry). Needs the factor of the mass matrix, and kinematics that for active trees are still
/// those of gather().
void heft_constraints_solve(HeftWorld* world, double* v, HeftStepReport* report);
/// The velocity (nv) with which positions, and only they, move during the step so that bodies come
/// out of each other and loops close. Spends the list: call it last, after remember().
void heft_constraints_correct(HeftWorld* world, double* shift, HeftStepReport* report);
/// out[root] = value for the trees that a constraint pushes.
void heft_constraint_set_roots(const HeftWorld* world, const Constraint* constraint, int value,
                               int* out);
/// Poses the impacts of the start of the step; v (nv) is the free velocity.
void heft_impacts_begin(HeftWorld* world, const double* v);
/// Poses those that follow from the joint velocities v after `round` rounds. Returns 0 if there are
/// none; otherwise constraints->again says in which islands.
int heft_impacts_next(HeftWorld* world, const double* v, int round);
/// Finds out on which trees constraints act, into constraints->held. Needs the flocks of this step.
void heft_constraints_find_held(HeftWorld* world);
/// Keeps the impulses for the next step.
void heft_constraints_remember(HeftWorld* world);

/// Solves all islands for the impulses (rows) that make up for constraints->velocity, and leaves
/// the velocities of the end there. Certificates are made, and sleeping islands left alone, only if
/// a report is given. stage: which time it has.
void heft_islands_solve(HeftWorld* world, const HeftContactTermination* stop, BudgetStage stage,
                        double* impulse, HeftStepReport* report);
/// Ω of the trees of an island, which stays as it is until the mass matrix is factored again.
void heft_island_mobility(const HeftWorld* world, Island* island, double* scratch);
/// The contact problem of an island, in its share of the arrays. scratch: of the worker.
HeftContactProblem heft_island_problem(const HeftWorld* world, Island* island, double* scratch);
/// Impulses and velocities of its end, back at the rows of the list.
void heft_island_read_back(Constraints* constraints, const Island* island, double* impulse);
/// To be called when the mass matrix was factored again since the islands were grouped.
void heft_islands_refactored(HeftWorld* world);

/// 1 if an island is slow and small enough to be brought to rest: its impulses are worth finding to
/// the last digits.
int heft_rest_is_near(const HeftWorld* world, const Island* island);
/// Velocities (nv) of islands that were and are slower than the speed of rest become zero.
void heft_rest_settle(HeftWorld* world, double* v);
/// 1 if the solution of an island is known from the last step; it is then written. Others get their
/// hash.
int heft_rest_asleep(const HeftWorld* world, Island* island, double* impulse);
/// Notes the islands that this step left as they were.
void heft_rest_fall_asleep(HeftWorld* world);
/// v += M̂⁻¹ Jᵀ impulse: what the impulses of all constraints do to the joint velocities.
void heft_constraints_apply(HeftWorld* world, const double* impulse, double* v);

/// Velocities of all rows at the joint velocities v, push included, into constraints->velocity.
void heft_constraints_measure(HeftWorld* world, const double* v);
/// Copies the numbers of a constraint's rows.
static inline void heft_rows_copy(const Constraint* k, const double* from, double* to) {
  for (int r = 0; r < k->rows; ++r) to[r] = from[r];
}
/// Appends a constraint; NULL when there is no room. Its push and warm impulses are zero, and so
/// are its axes, unless it is a touch.
Constraint* heft_constraints_add(Constraints* constraints, ConstraintKind kind, int source,
                                 HeftConstraintType type);

#endif
