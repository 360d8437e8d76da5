// SPDX-License-Identifier: Apache-2.0
// Moved bodies: what the program prescribes, and their motion during a step.
#ifndef HEFT_SRC_WORLD_MOVED_H
#define HEFT_SRC_WORLD_MOVED_H

#include <heft/world.h>

/// A command has only doubles: snapshots hold it as numbers.
enum { MOVED_NUMBERS = sizeof(HeftMovedCommand) / sizeof(double) };

/// The commands of the start: the velocities of the model.
void heft_moved_reset(HeftMovedCommand* commands, const HeftModel* model);
/// Writes the velocities of the coming substep into the state, and those that it replaces into
/// before (6 nmoved). left: time until the end of the step, this substep included [s]. Returns 0,
/// and writes nothing, if a command is not finite.
int heft_moved_begin(const HeftMovedCommand* commands, double left, HeftState* state,
                     double* before);
/// Moves the poses of the state by their velocities for h. last: 1 in the last substep of a step,
/// in which bodies arrive at their targets.
void heft_moved_advance(const HeftMovedCommand* commands, double h, int last, HeftState* state);
/// After a step: bodies that have arrived rest.
void heft_moved_end(HeftMovedCommand* commands, int count);
/// 1 if the quaternions of all moved bodies can be normalised.
int heft_moved_sound(const HeftState* state);
void heft_moved_normalize(HeftState* state);

#endif
