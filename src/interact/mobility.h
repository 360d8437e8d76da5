// SPDX-License-Identifier: Apache-2.0
// Mobility of a touched point: its velocity by an impulse.
#ifndef HEFT_SRC_INTERACT_MOBILITY_H
#define HEFT_SRC_INTERACT_MOBILITY_H

#include <heft/world.h>

enum { MOBILITY_CONTACTS = 8, MOBILITY_POINTS = 1 + 2 * MOBILITY_CONTACTS };

/// How many doubles of scratch mobility_at() needs, aligned to 64 bytes.
size_t mobility_scratch(const HeftDynamics* dynamics);
/// The velocity that a point of a body gets from a unit impulse there [1/kg], with the contacts of
/// the last step in place: those that carry hold on, those that slip do so along their normals.
/// spring: what a spring of the hand at that very point was worth in that step, h c + h² k [kg]; it
/// is taken out again.
HeftMat3 mobility_at(const HeftWorld* world, int body, HeftVec3 point, double spring,
                     double* scratch);

#endif
