// SPDX-License-Identifier: Apache-2.0
// The mouse as a coupling of the world (heft_world_add_coupling()). Spring and damper scale with
// the mass of the tree, so that a cup and a robot follow with the same time constant.
#include "view/hand.h"

double hand_tree_mass(const HeftModel* model, int body) {
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

HeftCoupling hand_coupling(const HeftModel* model, const HeftGrab* grab) {
  const double mass = hand_tree_mass(model, grab->body), rate = 8.5;  // [1/s]
  return (HeftCoupling){.body = grab->body,
                        .at = {heft_mat3_identity(), grab->point},
                        .target = {heft_mat3_identity(), grab->target},
                        .stiffness = mass * rate * rate,
                        .damping = mass * rate,
                        .force_max = 30 * 9.81 * mass};
}
