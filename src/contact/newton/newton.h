// SPDX-License-Identifier: Apache-2.0
// Proximal-point iterations with a semismooth Newton method: fast near a solution, where sweeps are
// slow.
#ifndef HEFT_SRC_CONTACT_NEWTON_NEWTON_H
#define HEFT_SRC_CONTACT_NEWTON_NEWTON_H

#include "contact/core/core.h"
#include "contact/newton/newton_joints.h"
#include "contact/newton/sparse.h"
#include "math/block_lu.h"

#define NEWTON_KINK 0.1  // the kink of |u_t| is rounded off by this share of tau

struct Newton {
  Arena pool;    // all memory of this phase, reused by every solve
  Arena rest;    // what the vectors leave for the factor
  int ready;     // prepared for the problem at hand: 1, could not be: -1, not yet: 0
  int blocks;    // the same for the factor by blocks
  int fronts;    // the same for that by fronts; blocks and fronts share `rest`
  double kappa;  // proximal parameter α relative to w_i
  double sigma;  // 1 / (ρ w_i), at least sigma_min
  double sigma_min;
  double tau;      // how far the cones are rounded off [m/s]
  double merit;    // √Σ w_i |F_i|² at r
  double first;    // the same when the present proximal point was begun
  int inner;       // Newton steps at the present proximal point
  int rests;       // primal.c: the law of rest in place of Coulomb's (equal.c)
  double* center;  // the proximal point r^k
  double *f, *x;   // F = r - P(x) (slots)
  double* u;       // velocities at the last evaluation
  double *step, *trial, *trial_z, *push;
  double *e, *own;         // E_i and what is beside it on the diagonal, 36 per contact
  double *base, *tangent;  // stage_equal.c: a solution, and its motion
  double *point, *slope;   // primal.c
  double* stiffness;       // (2 per contact) normal row, other rows (primal.c)
  double* rhs;             // node after node
  int *dim, *at;           // of the nodes: rows, or 0 where E_i = 0; their places in rhs
  size_t* offset;          // where the blocks are in values
  double* values;
  BlockLu lu;
  Sparse sparse;
  // by effectors: nodes are trees (newton_effectors.c)
  int *edge_start, *edge;      // which trees are joined by contacts
  int *own_edge, *cross_edge;  // (trees) diagonal block; (2 per contact) from its first tree to its
                               // second, and back
  int tallest;                 // scalars of the largest tree
  double* column;              // (6 tallest)
  double* wrench;              // (6 per effector)
  NewtonJoints joints;
};

/// Result of one step.
typedef enum NewtonEnd { NEWTON_STEP, NEWTON_POINT, NEWTON_REJECTED, NEWTON_UNABLE } NewtonEnd;

void newton_take(Newton* newton, Arena* arena, size_t bytes);
/// Discards the last problem.
void newton_begin(Newton* newton);
/// Starts at core->r with the parameters kappa and sigma, and with cones rounded off by tau,
/// relative to the reference velocity (newton.c). Returns 0 if there is not enough memory.
int newton_smooth_start(Newton* newton, Core* core, double kappa, double sigma, double tau);
/// One Newton step from core->r; keeps core->z up to date. tau falls as the smoothed law is met.
/// NEWTON_POINT: a proximal point was reached and the next one begun; NEWTON_REJECTED: no descent,
/// back at the last proximal point with a larger parameter.
NewtonEnd newton_smooth_step(Newton* newton, Core* core);
/// Allocates memory, and analyses the pattern unless the factor is dense, if that has not been
/// done for this problem: for newton_velocities(). Returns 0 if it does not fit.
int newton_prepare(Newton* newton, const Core* core);
/// out (slots) := J (scale M + Σ Jᵀ e_i J)⁻¹ Σ Jᵀ f, for e (36 per contact) and f (slots): the
/// velocities that f gives to all contacts. Returns 0 if the factor fails.
int newton_velocities(Newton* newton, const Core* core, double scale, const double* f, double* out);
/// The parts of the above that differ for operators given by effectors.
int newton_effectors_prepare(Newton* newton, const Core* core, Arena* pool, BlockGraph* graph,
                             int* dim_max);
/// newton->rhs := (scale M + Σ Jᵀ e_i J)⁻¹ Σ Jᵀ f by blocks.
int newton_effectors_twists(Newton* newton, const Core* core, double scale, const double* f);
/// newton->wrench := Σ Xᵀ f (slots).
void newton_effectors_wrenches(Newton* newton, const Core* core, const double* f);
/// u := X w of contact i, for the twists newton->rhs.
void newton_effectors_velocity(const Newton* newton, const Core* core, int i, double* u);
/// Multiplications of a step, roughly.
double newton_effort(const Newton* newton);

#endif
