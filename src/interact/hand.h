// SPDX-License-Identifier: Apache-2.0
// The mouse of a user as a coupling of the world (heft_world_add_coupling()). Spring and damper
// scale with the mass of the tree, so that a cup and a robot follow with the same time constant.
#ifndef HEFT_SRC_INTERACT_HAND_H
#define HEFT_SRC_INTERACT_HAND_H

#include <heft/world.h>

/// Mass of the tree of a body [kg].
static inline double hand_tree_mass(const HeftModel* model, int body) {
  int root = body;
  double mass = 0;
  while (root > 0 && model->body_parent[root] > 0) root = model->body_parent[root];
  for (int b = 1; b < model->nbody; ++b) {
    int up = b;
    while (up > root) up = model->body_parent[up];
    if (up == root) mass += model->body_mass[b];
  }
  return mass;
}

/// Largest force of a careful pull [N]: half the weight of a machine with joints, twice the weight
/// of a single body, so that it can be lifted.
static inline double hand_gentle_force(const HeftModel* model, int body) {
  const double mass = hand_tree_mass(model, body);
  return (mass > 1.000001 * model->body_mass[body] ? 0.5 : 2) * 9.81 * mass;
}

/// The coupling of a point of a body, in its frame, to a target in the world; its stiffness follows
/// from the mass of the tree.
static inline HeftCoupling hand_coupling(const HeftModel* model, int body, HeftVec3 point,
                                         HeftVec3 target) {
  const double mass = hand_tree_mass(model, body), rate = 8.5;  // [1/s]
  return (HeftCoupling){.body = body,
                        .at = {heft_mat3_identity(), point},
                        .target = {heft_mat3_identity(), target},
                        .stiffness = mass * rate * rate,
                        .damping = mass * rate,
                        .force_max = 30 * 9.81 * mass};
}

#endif
