// SPDX-License-Identifier: Apache-2.0
// Sweeps in single precision over heaps of free bodies, eight contacts at a time.
//
// A sweep needs no more digits than it gains. So a base point (r0, u0 = W r0 + b) is computed in
// double precision, and sweeps in single precision change it: δ = r - r0, with all numbers of size
// δ relative to δ. When they have gained what single precision can give, r0 + δ is the next base
// point. Every tolerance can be reached in this way, as by iterative refinement of a linear system.
//
// Coordinates: Ω = L Lᵀ of each body, V = L z, X̂ = X L. Then
//   u = u0 + X̂ z,   z += X̂ᵀ Δr:
// one matrix serves both directions, half of the memory that X and Ω Xᵀ need. Velocities are
// relative to the problem's reference, impulses to reference / w of a mean body, so that neither
// tiny nor huge masses leave the range of a float.
//
// One contact: the normal, then the disc. With λ the larger eigenvalue of the tangential block,
//   r_n' = max(0, r_n - u_n / W_nn),   u_t' = u_t + W_tn Δr_n,
//   r_t' = the point of the disc |r_t| <= µ r_n' next to r_t - u_t' / λ.
// Its fixed point is the law of contact itself: it needs no secular equation.
//
// Threads share a sweep by domains (base/domains.h). The start of a sweep, δ with momentum, is
// computed where it is read, so there is no other pass over all contacts.
#ifndef HEFT_SRC_CONTACT_SWEEP_FLOAT_SWEEP_H
#define HEFT_SRC_CONTACT_SWEEP_FLOAT_SWEEP_H

#include <heft/contact.h>

#include "base/arena.h"
#include "base/share.h"
#include "contact/sweep/heap_order.h"
#include "math/simd_float.h"

enum {
  FLOAT_X = 36,      // packets of X̂ of a group: side, row, column
  FLOAT_CHANGE = 3,  // packets of δ of a group
  FLOAT_TWIST = 8    // floats per body in z
};

/// The other numbers of a group, one packet each.
typedef struct FloatLaw {
  F8 u0[3], r0[3];
  F8 slack;  // µ² r0_n² - |r0_t|², >= 0
  F8 mu;
  F8 w;         // W_nn (1 + κ)
  F8 w1, w2;    // the rest of the normal row
  F8 iw;        // 1 / w
  F8 tangent;   // λ (1 + κ)
  F8 itangent;  // 1 / tangent
  F8 mean;      // the weight of changes: trace of W_ii / rows
} FloatLaw;

/// The residual that a sweep finds for the iterate before it.
typedef struct FloatResidual {
  double worst;    // the largest residual of a contact when it was visited, relative
  double norm;     // |f|, the weighted change of all impulses
  double onwards;  // f · (g_k - g_{k-1}), weighted: below 0 the sweep points back
} FloatResidual;

typedef struct FloatSweep {
  Share share;      // the threads of the solver
  HeapOrder order;  // groups of F8_SIZE contacts
  int* source;      // (places) contact of the problem, -1: a filler
  int groups, bodies;
  double velocity, impulse;  // units of velocities and impulses
  float* x;
  FloatLaw* law;
  int* body;       // (2 F8_SIZE per group) where the twists of both sides are in z
  double* w;       // (places) trace of W_ii / rows [1/kg]
  double* factor;  // (48 per body) L by rows of 8
  float* delta;    // δ after the last sweep: g_k
  float* z;        // (bodies, then one of zeros for each job: where static bodies are)
  // momentum
  float *last, *z_last;          // δ and z after the sweep before: g_{k-1}
  double theta, norm;            // θ, and |f| of the last sweep, infinite after a restart
  double lowest;                 // least |f| since momentum started
  double beta;                   // the next sweep starts from g_k + β (g_k - g_{k-1})
  FloatResidual part[JOBS_MAX];  // of each job; squares
  double* worst;                 // (ranges of places) scratch of stage_heap.c
} FloatSweep;

/// Arrays for so many contacts and effectors.
void float_sweep_take(FloatSweep* s, Arena* arena, int constraints, int effectors);
/// Whether a problem is a heap of free bodies with dry friction: all that these sweeps can solve.
int float_sweep_fits(const HeftContactProblem* problem);
/// Fills everything but the base point. proximal: κ of the local problems (gauss_seidel.c).
/// Returns 0 if it cannot.
int float_sweep_load(FloatSweep* s, const HeftContactProblem* problem, double reference,
                     double proximal);
/// The base point r (in the cones) with its velocities u, by rows of the problem; δ = 0, without
/// momentum.
void float_sweep_base(FloatSweep* s, const HeftContactProblem* problem, const double* r,
                      const double* u);
/// As float_sweep_base() after a sweep, before its momentum: r is its result, δ counts from there.
void float_sweep_rebase(FloatSweep* s, const HeftContactProblem* problem, const double* r,
                        const double* u);
/// One sweep, from the start that float_momentum() chose.
FloatResidual float_sweep(FloatSweep* s);
/// r0 + δ after the last sweep, in the cones. `base`: r0, by rows; may be r itself.
void float_sweep_impulses(const FloatSweep* s, const HeftContactProblem* problem,
                          const double* base, double* r);
/// Chooses the next start, after a sweep. Returns 1 if it has momentum, 0 if it is the result of
/// the sweep. Impulses with momentum may be outside of their cones: the next sweep projects all.
int float_momentum(FloatSweep* s, const FloatResidual* found);

#endif
