// SPDX-License-Identifier: Apache-2.0
// The plan of a dynamic lift: knots of a spline, the joint angles that follow from them, and what
// these would cost by inverse dynamics.
#ifndef HEFT_EXPERIMENTS_SNATCH_PLAN_H
#define HEFT_EXPERIMENTS_SNATCH_PLAN_H

#include "experiments/lab.h"

enum { SNATCH_KNOTS = 9, SNATCH_CHANNELS = 4 };

/// Numbers of a knot.
enum { SNATCH_X, SNATCH_Z, SNATCH_PITCH, SNATCH_COM };

/// Bar forward and up [m], pitch of the hands [deg], height of the centre of mass [m], over time.
typedef struct SnatchPlan {
  double time[SNATCH_KNOTS];
  double value[SNATCH_KNOTS][SNATCH_CHANNELS];
} SnatchPlan;

/// What a plan takes, by inverse dynamics of the planned motion.
typedef struct SnatchCost {
  double error;   ///< largest error of inverse kinematics [m, rad]
  double torque;  ///< largest torque over its limit
  double energy;  ///< ∫ Σ |τ v| dt [J]
  double margin;  ///< least distance of the zero-moment point from the ends of the feet [m]
  double lift, release;  ///< largest and least force on the bar over its weight, on the way up
} SnatchCost;

/// Position of the bar in a hand.
extern const HeftVec3 snatch_grip;

/// Computes joint angles every 10 ms into lab->motion, from lab->start on, for a bar of this mass.
/// Returns 0, with lab->error, on failure. cost may be NULL.
int snatch_make(Lab* lab, const SnatchPlan* plan, double bar_mass, SnatchCost* cost);
/// The stored plan for a bar of this mass: up to 15 kg that of 8.4 kg, else that of 23.4 kg
/// (snatch_knots.h).
SnatchPlan snatch_stored(double bar_mass);
/// Bar and its velocity and acceleration at a time.
void snatch_at(const SnatchPlan* plan, double time, double value[SNATCH_CHANNELS],
               double rate[SNATCH_CHANNELS], double acceleration[SNATCH_CHANNELS]);

#endif
