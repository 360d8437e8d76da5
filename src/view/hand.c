// SPDX-License-Identifier: Apache-2.0
// The hand: a damped spring between a point x of a body and where the mouse is, t.
//
//     f = k (t - x⁺) - c v⁺,   x⁺ = x + h v⁺,   v⁺ = v + h Λ f
//
// Λ = J M⁻¹ Jᵀ is how easily the point moves. Taking position and velocity at the end of the step
// makes the spring stable whatever it pulls on:
//
//     (1 + (h c + h² k) Λ) f = k (t - x - h v) - c v
//
// Contacts and joint limits only make the point harder to move, which is on the safe side.
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

size_t hand_scratch(const HeftDynamics* dynamics) {
  return heft_delassus_scratch(dynamics, HEFT_DELASSUS_LTL, 1);
}

// a x = b by Cramer's rule; zero where a is singular.
static HeftVec3 solve3(HeftMat3 a, HeftVec3 b) {
  const HeftVec3 x = heft_mat3_column(a, 0), y = heft_mat3_column(a, 1), z = heft_mat3_column(a, 2);
  const double d = heft_mat3_determinant(a);
  if (!(fabs(d) > 0)) return heft_vec3(0, 0, 0);
  return heft_vec3(heft_vec3_dot(b, heft_vec3_cross(y, z)) / d,
                   heft_vec3_dot(x, heft_vec3_cross(b, z)) / d,
                   heft_vec3_dot(x, heft_vec3_cross(y, b)) / d);
}

HeftVec3 hand_force(HeftDynamics* dynamics, const HeftModel* model, const HeftState* state,
                    const HeftGrab* grab, double h, double* memory, HeftVec3* point) {
  const double mass = hand_tree_mass(model, grab->body), rate = 8.5;  // [1/s]
  const double k = mass * rate * rate, c = mass * rate;
  HeftMat3 a = heft_mat3_identity();
  double lambda[9] = {0};
  heft_kinematics(dynamics, state->q);
  heft_velocities(dynamics, state->v);
  *point = heft_pose_apply(heft_body_pose(dynamics, grab->body), grab->point);
  heft_crba(dynamics);
  if (heft_factor(dynamics, NULL) != 0) return heft_vec3(0, 0, 0);
  const HeftContactPoint at = {grab->body, *point, heft_mat3_identity()};
  heft_delassus(dynamics, HEFT_DELASSUS_LTL, 1, &at, memory, lambda);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) a.m[i][j] += (h * c + h * h * k) * lambda[3 * i + j];
  }
  const HeftVec3 v = heft_body_velocity(dynamics, grab->body, *point).lin;
  const HeftVec3 stretch = heft_vec3_sub(grab->target, heft_vec3_add_scaled(*point, h, v));
  const HeftVec3 f = solve3(a, heft_vec3_add_scaled(heft_vec3_scale(k, stretch), -c, v));
  const double most = 30 * 9.81 * mass, size = heft_vec3_norm(f);
  if (!isfinite(size)) return heft_vec3(0, 0, 0);
  return size > most ? heft_vec3_scale(most / size, f) : f;
}
