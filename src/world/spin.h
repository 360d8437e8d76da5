// SPDX-License-Identifier: Apache-2.0
// Fast rotation: trees that turn by a large angle in a step must not gain energy from it.
//
// - spin.c: in contact, the bias force adds no energy.
// - spin_parts.c: the number of parts into which a step is divided.
// - spin_energy.c: after a part, the energy of the tree obeys the balance.
#ifndef HEFT_SRC_WORLD_SPIN_H
#define HEFT_SRC_WORLD_SPIN_H

#include "base/arena.h"
#include "world/balance.h"
#include "world/constraint_set.h"
#include "world/momentum.h"
#include "world/step_input.h"

/// Motion of a tree relative to its own centre of mass.
typedef struct InternalEnergy {
  double mass;    ///< of the tree [kg]
  double u[3];    ///< velocity of the centre of mass, of floating trees [m/s]
  double energy;  ///< kinetic, without the centre of mass's [J]
} InternalEnergy;

/// Scratch of spin.c.
typedef struct BiasSpin {
  int* fast;                       ///< nlink: 1 at the roots of trees that spin fast
  InternalEnergy *before, *after;  ///< nlink: of a step along the bias, by root
  double* at_rest;                 ///< nv: zero velocity
  double* weight;                  ///< nv: joint forces that carry the weight
  double* turned;                  ///< nv: velocity after a step along the bias only; then the
                                   ///< force that restrains, if `restrains`
  double* momentum;                ///< nv: M times a velocity; then the acceleration that
                                   ///< restrains, if `restrains`
  int restrains;                   ///< 1 if a tree is restrained in this step
} BiasSpin;

/// Energies of trees, by root.
typedef struct TreeEnergies {
  double* kinetic;    ///< nlink [J]
  double* potential;  ///< nlink: of weight and of joint springs [J]
} TreeEnergies;

typedef struct SpinScratch {
  BiasSpin bias;
  int any;               ///< 1 if a tree turns fast in this part
  int* fast;             ///< nlink: 1 at the roots of these trees
  int* touches;          ///< nlink: 1 at the roots of trees with contact points
  double* reach;         ///< nlink: how often the angle of a link counts, squared: at least once,
                         ///< not for a free rigid body
  double bound;          ///< of the squared angular velocities of all links [rad²/s²]
  double counted_bound;  ///< the same, as they count
  double turn;           ///< largest rotation of a link in this part, as it counts [rad]
  TreeEnergies start;    ///< at the start of the part
  TreeEnergies end;      ///< at its end
  double* work;          ///< nlink: work on the tree beside weight and springs [J]
  double* q;             ///< nq: positions of a trial
  double* restraint;     ///< nv: acceleration that spin.c added
} SpinScratch;

void heft_spin_place(SpinScratch* spin, Arena* arena, const HeftModel* model);

/// Reads the lengths of the branches. To be called once.
void heft_spin_measure(SpinScratch* spin, const HeftModel* model);

/// Corrects the accelerations (nv), so that the bias of trees in contact that spin fast adds no
/// energy. v: the velocity of the trees; the kinematics belong to the bias. active: by root.
void heft_spin_restrain(SpinScratch* spin, const StepInput* in, HeftDynamics* dynamics,
                        const int* active, int soft, const FloatingGroups* groups, const double* v,
                        double* acceleration);

/// Finds the trees with a link that turns fast in a part of length in->h that begins at `state`,
/// at which the kinematics and velocities are.
void heft_spin_find(SpinScratch* spin, const StepInput* in, const HeftDynamics* dynamics,
                    const HeftState* state);
/// 1 if these trees turn so far in a step that it may need parts.
int heft_spin_may_divide(const SpinScratch* spin, int max);
/// The number of equal parts, 1 to max, that a step of length in->h needs because of these trees,
/// if it may need any. Moves the kinematics.
int heft_spin_parts(SpinScratch* spin, const StepInput* in, HeftDynamics* dynamics, int max);

/// Adds the work on these trees in the step, but what limits and dry friction of joints seem to
/// give at the mean velocity. The kinematics are at the middle. Moves the velocities.
void heft_spin_work(SpinScratch* spin, const StepInput* in, HeftDynamics* dynamics,
                    const ConstraintSet* set, const BalanceStep* step, const RowSolution* rows);
/// Adds the work of joint forces at a velocity, of the trees that turn fast.
void heft_spin_add_work(SpinScratch* spin, const HeftModel* model, double time,
                        const double* joint_force, const double* v);
/// Scales the velocities of these trees, so that their energy is the start's plus the work; in
/// contact (held, by root) only if it is far larger. active, by root: trees with constraints. Moves
/// kinematics and velocities to the state, and computes the momentum of the groups anew. Returns
/// the number of trees with large corrections.
int heft_spin_project(SpinScratch* spin, const StepInput* in, HeftDynamics* dynamics,
                      const int* active, const int* held, FloatingGroups* groups, HeftState* state);
/// Energies of all trees. Needs kinematics and velocities at q and v.
void heft_spin_find_energies(const HeftDynamics* dynamics, const double* q, const double* v,
                             TreeEnergies* out);
/// 1 if no tree of a model can turn too fast: it has only free rigid bodies.
int heft_spin_is_harmless(const HeftModel* model);

#endif
