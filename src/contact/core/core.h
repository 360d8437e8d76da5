// SPDX-License-Identifier: Apache-2.0
// A contact problem in the form of the solvers.
//
// Rows of a contact are stored in a slot of four doubles (eight if it has more than four rows). The
// rest of the slot is zero, so that a contact is one or two vector registers and no loop has a
// tail. Rows of moments are scaled by a length of the contact, which makes all its rows comparable:
// u' = ℓ u, r' = r / ℓ, ℓ² = w_force / w_moment.
//
// The operator is stored by columns: the effect of one impulse on all coupled contacts or
// effectors. Gauss-Seidel applies changes of impulses, needs no sums over a register, and skips
// contacts whose impulse does not change.
//   explicit:  state z = u, the velocities of all contacts;
//              z_i += W_ij Δr_j for the contacts i coupled with j
//   effectors: state z = V, the twists of all effectors;
//              V_a += (Ω X_jaᵀ) Δr_j,   u_i = b_i + X_i V
//   joints:    state z = y, the joint velocities, if Ω = F Fᵀ is given by its factor;
//              y += J_jᵀ Δr_j,   u_i = b_i + J_i y,   J = X F   (load_joints.c)
// Points of a large tree, as on a deformable body, are explicit even if they come with effectors:
// an impulse then costs three numbers for each point instead of 36 for each effector.
#ifndef HEFT_SRC_CONTACT_CORE_CORE_H
#define HEFT_SRC_CONTACT_CORE_CORE_H

#include <heft/contact.h>

#include "base/arena.h"
#include "contact/core/colouring.h"
#include "contact/core/cone.h"
#include "contact/core/local.h"
#include "math/simd.h"

enum { EFFECTOR_PAD = 8 };

/// Sizes for which memory is taken.
typedef struct CoreSize {
  int constraints, rows, blocks, effectors, tree_effectors;
  size_t omega;          // numbers of Ω of trees of more than one effector
  int tall;              // how many contacts have more than four rows
  int wide;              // some have more than three
  int dofs;              // of all trees if the problem has their factors, each rounded up to four
  size_t joint_numbers;  // of the rows of all contacts in joint space
  int packets;           // there is room for groups, with fillers among the contacts
  size_t dense;          // numbers of W if it is computed from the Ω of large trees, else 0
} CoreSize;

/// The effectors that an impulse of a contact moves: up to two runs, with their columns in y. The
/// count HANGS marks a side in a larger tree, whose impulses are multiplied by the tree's Ω.
typedef struct CoupledEffectors {
  int first[2], count[2];
  int y;  // where its columns start in y, in columns
} CoupledEffectors;

enum { HANGS = -1, COUPLED_MAX = 4 };

/// The rows of a contact for the dofs of one of its trees.
typedef struct JointRows {
  const double* rows;  // NULL: it has no such tree
  int stride;          // from row to row
  int at;              // where the dofs of the tree begin in y
  int count;           // numbers from there on that may differ from zero, a multiple of four
} JointRows;

typedef struct Core {
  CoreSize size;
  const HeftContactProblem* problem;  // only during a solve
  int constraints;                    // places of the problem at hand: contacts and fillers
  int slots;                          // doubles in a slot vector
  int states;                         // doubles in z
  int by_effectors;                   // which form: not explicit
  int by_joints;                      // ... and in joint space
  int plain;                          // all contacts are points
  int holds;                          // some contact has static friction above kinetic
  int dense;                          // plain, all contacts coupled: columns of W without holes
  int is_explicit;                    // z is u: by blocks, or dense
  double reference;                   // velocity that residuals are relative to [m/s]
  double proximal;                    // κ of the present local factors, 0: there are none yet

  // groups of four contacts without a common body, at the first places
  Colouring colouring;
  int* source;     // (contacts) contact of the problem at this place, -1: a filler without any
                   // effect
  double* packet;  // packet_sweep.c
  int* packet_effector;  // (8 per group)
  void (*run)(void* user, int count, void (*task)(void* arg, int index), void* arg);  // or NULL
  void* run_user;

  // per contact
  int* slot;  // where its slot starts
  unsigned char* rows;
  unsigned char* pad;       // 4 or 8
  unsigned char* is_point;  // three rows, Coulomb
  unsigned char* held;      // has static friction above kinetic, and has not slipped yet
  double* w;                // trace of W_ii / rows [1/kg]
  double* iw;               // 1 / w
  double* length;           // ℓ
  Cone* cone;
  Local* local;      // of G = W_ii + κ w 1, point contacts that are in no group
  double* diagonal;  // W_ii, 36 numbers per contact, row-major with 6 columns

  // slot vectors
  double *r, *b, *warm;
  double* soft;  // added to the diagonal of W_ii: compliance w, and the softness of normal rows
  double* z;     // u (slots) or V (8 per effector)

  // explicit
  int* column_start;  // (contacts + 1) where the column of a contact starts in target
  int* target;        // coupled contact
  size_t* value_start;
  double* value;   // per block: rows of the source columns, pad of the target each; if dense, per
                   // contact three columns of all slots
  int* row_start;  // (contacts + 1) the blocks of a row, and where they are in value
  int* row_column;
  size_t* row_value;

  // effectors
  int effectors, trees;
  int* effector;              // (2 per contact)
  int hanging;                // some contact belongs to a tree that is too large for y
  CoupledEffectors* coupled;  // (contacts) effectors that an impulse moves
  double* x;                  // X by columns: 12 * pad per contact (first side, then second)
  double* y;           // effect of impulses: per contact and coupled effector, `rows` columns of 8
  int* tree_of;        // (effectors)
  double* twists;      // (16 per effector) scratch of warm_check.c; the solver's (solver.c)
  int* tree_first;     // (trees + 1)
  size_t* tree_omega;  // (trees) where the blocks of Ω start: [to][from][column] of 8
  double* omega;       // per tree: blocks [to][from], six columns of 8

  // joints
  int dofs;            // of all trees, each rounded up to a multiple of four
  int* joint_at;       // (trees + 1) where the dofs of a tree begin in y
  int* reach;          // (effectors) numbers of their rows of F up to the last that is not zero
  JointRows* part;     // (2 per contact) the second has another tree than the first
  double* joint_rows;  // what they point to, but for rows of F itself
} Core;

/// Doubles of the longest slot vector: a slot has at most 8, and 4 if it has fewer than 5 rows.
static inline size_t core_slots_max(CoreSize size) {
  return 4 * (size_t)size.constraints + 4 * (size_t)size.tall;
}
/// Doubles of the longest state.
static inline size_t core_states_max(CoreSize size) {
  const size_t slots = core_slots_max(size), twists = EFFECTOR_PAD * ((size_t)size.effectors + 1),
               most = slots > twists ? slots : twists;
  return most > (size_t)size.dofs ? most : (size_t)size.dofs;
}
/// Allocates the arrays from the arena.
void core_take(Core* core, Arena* arena, CoreSize size);
/// Fills everything from the problem; r starts at zero.
void core_load(Core* core, const HeftContactProblem* problem);
/// The parts of core_load() for operators given by effectors: the tree of each effector, and all
/// quantities that depend on W_ii.
void core_load_trees(Core* core, const HeftContactProblem* problem);
void core_load_effectors(Core* core, const HeftContactProblem* problem);
/// As core_load_effectors(), in joint space.
void core_load_joints(Core* core, const HeftContactProblem* problem);
/// w, length, softness and cone of contact i, from W_ii.
void core_scale_contact(Core* core, const HeftContactProblem* problem, int i);
/// Local factors for the proximal term κ. Call it before the first sweep.
void core_factor(Core* core, double proximal);
/// Factors of the points from `first` on, one by one, for core->proximal; not of packets.
void core_factor_serial(Core* core, int first);
/// z from r, from scratch.
void core_state(Core* core, const double* r, double* z);
/// u of all contacts from z and r, as a slot vector.
void core_velocity(const Core* core, const double* r, const double* z, double* u);
/// Adds the effect of the change d (a slot) of contact i to z.
void core_apply_impulse(const Core* core, int i, const double* d, double* z);
/// Worst relative residual of (r, z); leaves the velocities in u, a slot vector.
double core_residual(const Core* core, const double* r, const double* z, double* u);
/// As core_residual(), but if the residual exceeds `limit`, any number above it may be returned,
/// and u is not complete. *first: group to evaluate first; the worst group is stored for the next
/// call.
double core_residual_until(const Core* core, const double* r, const double* z, double* u,
                           double limit, int* first);
/// Projects every contact of r onto its cone.
void core_project(const Core* core, double* r);
/// All contacts of r are in their cones, but for rounding: a condition of asserts.
static inline int core_in_cones(const Core* core, const double* r) {
  for (int i = 0; i < core->constraints; ++i) {
    if (!cone_contains(&core->cone[i], r + core->slot[i])) return 0;
  }
  return 1;
}
/// Copies slots to rows and removes the scaling of moments.
void core_unpack(const Core* core, const HeftContactProblem* problem, const double* slots,
                 int impulse, double* rows);

/// The scale of row a of contact i: its length for moments, otherwise 1.
static inline double core_row_scale(const Core* core, int i, int a) {
  return a < 3 ? 1.0 : core->length[i];
}

/// Doubles from one column of a block of `value` to the next; i is the coupled contact.
static inline int core_stride(const Core* core, int i) {
  return core->dense ? core->slots : core->pad[i];
}

/// The velocity of contact i, up to eight numbers.
HEFT_INLINE V4 core_velocity4(const Core* core, int i, const double* r, const double* z) {
  const int at = core->slot[i];
  if (core->is_explicit) return v4_load(z + at);
  V4 u = v4_load(core->b + at) + v4_load(core->soft + at) * v4_load(r + at);
  const double* x = core->x + 12 * (size_t)at;
  const int* effector = core->effector + 2 * i;
  for (int s = 0; s < 2; ++s, x += 24) {
    if (effector[s] < 0) continue;
    const double* v = z + EFFECTOR_PAD * effector[s];
    u += ((v4_load(x) * v[0] + v4_load(x + 4) * v[1]) +
          (v4_load(x + 8) * v[2] + v4_load(x + 12) * v[3])) +
         (v4_load(x + 16) * v[4] + v4_load(x + 20) * v[5]);
  }
  return u;
}

/// The residual of one row, as cone_residual().
static inline double scalar_residual(const Cone* cone, double w, double iw, double r, double u) {
  double x = r - u * iw;
  if (x < cone->lower) x = cone->lower;
  if (x > cone->upper) x = cone->upper;
  return w * fabs(r - x);
}

/// The residual of a point contact, as cone_residual().
static inline double point_residual(double mu, double w, double iw, const double* r,
                                    const double* u) {
  const double slip = sqrt(u[1] * u[1] + u[2] * u[2]);
  double x0 = r[0] - (u[0] + mu * slip) * iw;
  double x1 = r[1] - u[1] * iw, x2 = r[2] - u[2] * iw;
  const double t = sqrt(x1 * x1 + x2 * x2);
  if (t > mu * x0 || x0 < 0) {
    const double n = (x0 + mu * t) / (1 + mu * mu);
    const double cut = n > 0 ? mu * n / t : 0;
    x0 = n > 0 ? n : 0;
    x1 *= cut;
    x2 *= cut;
  }
  x0 -= r[0];
  x1 -= r[1];
  x2 -= r[2];
  return w * sqrt(x0 * x0 + x1 * x1 + x2 * x2);
}

// The weight of a contact, from the mean of the diagonal of W_ii. No impulse moves a contact with
// W_ii = 0: any weight serves. Below CORE_STILL, velocities over weights would leave the range of
// numbers.
#define CORE_STILL 1e-100
HEFT_INLINE double core_weight(double mean) { return mean > CORE_STILL ? mean : 1; }

// A normal through the centre of a joint, or a contact on the axis of a hinge, has a lever arm of
// rounding, 1e-17 m, and moves nothing: a mobility below this share of the weight. An impulse that
// stops it would be 1e20 N s.
#define CORE_FLAT 1e-24

#endif
