// SPDX-License-Identifier: Apache-2.0
// IslandSet, IslandProblem, IslandSolution: constraints sorted into islands, the contact problem of
// each island, and its solution.
#ifndef HEFT_SRC_WORLD_ISLAND_H
#define HEFT_SRC_WORLD_ISLAND_H

#include "base/pool.h"
#include "world/constraint_set.h"
#include "world/step_input.h"

/// An island: its constraints and links, and its share of the sorted arrays.
typedef struct Island {
  const int* order;  ///< its constraints
  const int* links;  ///< its links, ascending
  int count, link_count;
  int rows;                      ///< of all its constraints
  int contact_first, row_first;  ///< its shares, counted from the start of the arrays
  int tree_first, tree_count;
  int effector_first, effector_count;
  int has_nodes;  ///< 1 if constraints act on nodes of deformable bodies
  size_t omega_first;
} Island;

/// The three velocities of a point of a skin, along the slides of its nodes, as directions in joint
/// space.
typedef struct SkinAxes {
  HeftJointDirection along[3];
  int dof[3][3];
  double arm[3];
} SkinAxes;

/// Filled by island.c and const afterwards.
typedef struct IslandSet {
  const HeftModel* model;
  int count;
  HeftIslands groups;  ///< links by island, as the collider returned them
  Island* list;
  int* of_constraint;  ///< the island of each constraint
  int* order;          ///< constraints, sorted by island
  int* first;          ///< count + 1: where the constraints of an island begin
  int* active;         ///< nlink: 1 at the root of every tree that has a constraint in this step
  HeftEffector* effectors;
  HeftContactTree* trees;
  int *tree_links, *tree_dofs, *tree_directions;  ///< how many of each are constrained, by tree
  int* tree_nodes;      ///< the same of links that are nodes of deformable bodies
  int* tree_skins;      ///< the same of points of skins
  int* skin_place;      ///< sides (ConstraintSet::skin): number within its tree
  int* skin_effector;   ///< sides: effector in its island; it begins there at 3 (place % 2)
  SkinAxes* skin_axes;  ///< sides: what its effector refers to
  int* tree_size;       ///< number of dofs, by tree
  int* link_effector;   ///< nlink: effector of a link in its island, -1
  int* node_slot;  ///< nlink: where the dofs of a node begin in its effector; -1: it is no node
  int *dof_effector, *dof_slot;  ///< nv: effector of a dof in its island, -1; its place in it
  int *direction_effector, *direction_slot;  ///< the same for tendon directions
  int direction_count;                       ///< how many there are
  int* root_place;                           ///< nlink: place of a root among the trees
  int (*joined)[2];                          ///< scratch: links that equalities join
} IslandSet;

/// How many effectors hold so many dofs or tendon directions of a tree: six fit into one.
enum { EFFECTOR_DOFS = 6 };
static inline int heft_effectors_of(int count) {
  return (count + EFFECTOR_DOFS - 1) / EFFECTOR_DOFS;
}

/// How many effectors hold so many nodes: nodes move along three dofs, so that two fit into one.
static inline int heft_effectors_of_nodes(int count) { return (count + 1) / 2; }

/// Islands that a thread treats in one go.
enum { ISLAND_RANGE = 32 };
/// Numbers in Ω of a tree, or in its factor F (HeftContactTree).
static inline size_t heft_tree_numbers(int effectors, int dofs) {
  const size_t n = 6 * (size_t)effectors;
  return n * (dofs > 0 ? (size_t)heft_contact_factor_stride(dofs) : n);
}

/// Sorts the constraints into islands and numbers the effectors of each; the threads of the pool,
/// if there is one, share them.
void heft_islands_group(IslandSet* islands, const ConstraintSet* set, const HeftModel* model,
                        HeftCollider* collider, HeftPool* pool);

/// The contact problems of all islands, each in its own share of the arrays. Filled by
/// island_problem.c.
typedef struct IslandProblem {
  HeftConstraintBlock* blocks;
  int* source;  ///< the constraint that each of them is
  double *bias, *warm;
  double* softness;  ///< of each of them, if a material yields
  double (*jacobian)[12];
  double* omega;   ///< Ω of the trees
  HeftMat3* turn;  ///< per equality two: the directions of its rows, as columns
  int* mobile;     ///< nlink: 1 if Ω of an island belongs to the present factor
  int* turned;     ///< nlink: 1 if `turn` and `idle` of its constraints do, too
  uint8_t* idle;  ///< constraints: 1 if nothing can move along the row of an equality, or along the
                  ///< normal of a contact point
  int* placed;    ///< nlink: contacts of an island that the solver got
} IslandProblem;

/// The request for a solution of all islands. Filled by constraints.c for the impulses, and by
/// correction.c for the position correction.
typedef struct SolveRequest {
  const ConstraintSet* set;
  const double* bias;  ///< rows: bias velocity that `velocity` contains
  const int* waiting;  ///< constraints: 1 if it is left out
  const int* again;    ///< islands: 0 if it is left out; NULL: all are solved
  int cold;            ///< 1: warm impulses are not used
  int corrects;        ///< 1: positions are corrected, and no link shall be moved far for little
  int certify;         ///< 1: certificates are made, and sleeping islands are recognised
  double* velocity;    ///< rows: the free velocity on entry, the final one on return
  double* impulse;     ///< rows: result
} SolveRequest;

/// The velocities (nv) of an island's joints times `scale`.
void heft_island_scale(const HeftModel* model, const Island* island, double scale, double* v);

/// Rows of all islands, the rows of the constraints: a condition of asserts.
static inline int heft_islands_row_sum(const IslandSet* islands) {
  int sum = 0;
  for (int i = 0; i < islands->count; ++i) sum += islands->list[i].rows;
  return sum;
}

/// Ω of the trees of an island. It is valid until the mass matrix is factored again.
void heft_island_mobility(IslandProblem* problem, const IslandSet* islands, int island,
                          const HeftDynamics* dynamics, HeftPool* pool, double* scratch);
/// The contact problem of an island, in its share of the arrays. scratch: of the worker. pool:
/// threads that share the work, or NULL.
HeftContactProblem heft_island_problem(IslandProblem* problem, const IslandSet* islands, int island,
                                       const SolveRequest* request, const StepInput* in,
                                       const HeftDynamics* dynamics, HeftPool* pool,
                                       double* scratch);
/// 1 if all constraints of an island are contact points.
static inline int heft_island_is_contact(const Island* island, const ConstraintSet* set) {
  return island->order[island->count - 1] < set->contact_point_count;  // which come first
}
/// 1 if the row is one of three between bodies that are turned: direction `source` % 3 of
/// IslandProblem::turn [source / 3]. The three have successive rows.
int heft_equality_is_turned(const Constraint* constraint);
/// To be called when the mass matrix was factored again since the islands were grouped.
void heft_islands_refactored(IslandProblem* problem, const IslandSet* islands);

/// The largest residual of the rows of one kind, relative to their velocities.
typedef struct RowError {
  double relative;
  int constraint;  ///< -1: not known
} RowError;

/// How far the impulse of a constraint is from its law, by the certificate. Zero if its island
/// sleeps, or if it was left out.
typedef struct RowCheck {
  double residual;  ///< [m/s, rad/s]
  double weight;    ///< w [1/kg, 1/kg m²]
  double scale;     ///< velocity to which the residual is relative [m/s, rad/s]
} RowCheck;

/// How an island was solved.
typedef struct IslandResult {
  int asleep;     ///< 1 if its solution was known from the last step
  int settled;    ///< 1 if its velocities were set to zero
  int fell_back;  ///< 1 if the contact model could not solve it
  int trials;     ///< contact states of feet that the contact model tried
  int inexact;    ///< 1 if it does not meet the tolerance: by the certificate, or by the residual
                  ///< of the contact model that solved it
  int left_out;   ///< 1 if a deadline left out another solution
  uint64_t after_ns;  ///< with a deadline: time of what follows the search [ns]
  uint64_t hash;      ///< of everything that its solution depends on; 0: not known
  HeftContactTermination stop;
  HeftContactResult result;
  HeftContactCertificate certificate;
  RowError row[ROW_KIND_COUNT];  ///< the same, by kinds of rows
} IslandResult;

/// Filled by island_solve.c; rest.c sets the velocities of islands at rest.
typedef struct IslandSolution {
  IslandResult* island;                      ///< nlink
  double* impulse;                           ///< rows: sum of all rounds
  double* velocity;                          ///< rows: u + bias at the end
  double *sorted_impulse, *sorted_velocity;  ///< rows, sorted by island
  RowCheck* check;                           ///< constraints
} IslandSolution;

/// Results of an island that did not change in the last step, at its lowest link.
typedef struct SleepCache {
  uint64_t hash;  ///< of the island's inputs then; 0: it was not at rest
  HeftContactCertificate certificate;
  double row[ROW_KIND_COUNT];  ///< relative residuals by kinds of rows
} SleepCache;

#endif
