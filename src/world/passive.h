// SPDX-License-Identifier: Apache-2.0
// Impulses that add no energy, from impulses that the certificate rejects.
#ifndef HEFT_SRC_WORLD_PASSIVE_H
#define HEFT_SRC_WORLD_PASSIVE_H

#include <heft/contact.h>

/// Doubles of scratch that heft_passive_impulses() needs for so many rows and effectors.
size_t heft_passive_scratch(int rows, int effectors);

/// The energy that impulses with these velocities W r + b add [J]; 0 if it is rounding.
double heft_passive_energy(const HeftContactProblem* problem, const double* impulse,
                           const double* velocity);

/// The fastest velocity of a row of a loop at the velocities of the rows; 0 if there are no loops.
double heft_passive_loop_speed(const HeftContactProblem* problem, const double* velocity);

/// Replaces impulses inside their cones by such that add no energy and hold all loops, and fills in
/// the velocities W r + b that they give. If a number is not finite, all count as zero. Returns the
/// number of products with W, each about as much work as a sweep.
int heft_passive_impulses(const HeftContactProblem* problem, double* scratch, double* impulse,
                          double* velocity);

#endif
