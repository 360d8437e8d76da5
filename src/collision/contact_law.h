// SPDX-License-Identifier: Apache-2.0
// Coefficients and names that all contact points of two shapes have.
#ifndef HEFT_SRC_COLLISION_CONTACT_LAW_H
#define HEFT_SRC_COLLISION_CONTACT_LAW_H

#include "collision/collider.h"

typedef struct ContactLaw {
  double friction, kinetic, torsion, rolling, restitution;
  int dim, pair;
  double anisotropy;  ///< HeftContactPoint
} ContactLaw;

/// a, b: slots; pair: the contact pair of the model that rules them, or -1.
ContactLaw heft_law_of_pair(const HeftCollider* c, int a, int b, int pair);
/// Fills a contact point of two slots, the lower one first, but its place and its directions.
void heft_law_name(const HeftCollider* c, int a, int b, const ContactLaw* law,
                   HeftContactPoint* out);

#endif
