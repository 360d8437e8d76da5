// SPDX-License-Identifier: Apache-2.0
/// @file spatial.h
/// Poses, spatial vectors and inertias. A spatial vector is written (angular, linear) at a point O:
/// a motion is (ω, velocity of the point at O), a force is (torque about O, force).
#ifndef HEFT_SPATIAL_H
#define HEFT_SPATIAL_H

#include <heft/math.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- poses

/// The pose of the outer frame itself.
static inline HeftPose heft_pose_identity(void) {
  HeftPose x = {heft_mat3_identity(), {0, 0, 0}};
  return x;
}
/// A pose by its rotation and position.
static inline HeftPose heft_pose(HeftVec3 pos, HeftQuat rot) {
  HeftPose x = {heft_quat_to_mat3(rot), pos};
  return x;
}
/// The pose of the inner frame seen from outside of the outer one: outer ∘ inner.
HEFT_API HeftPose heft_pose_mul(HeftPose outer, HeftPose inner);
HEFT_API HeftPose heft_pose_inverse(HeftPose x);
static inline HeftVec3 heft_pose_apply(HeftPose x, HeftVec3 point) {
  return heft_vec3_add(heft_mat3_mul_vec(x.rot, point), x.pos);
}
/// The point of the outer frame in the inner one: rotᵀ (x - pos).
static inline HeftVec3 heft_pose_apply_inverse(HeftPose x, HeftVec3 point) {
  return heft_mat3_tmul_vec(x.rot, heft_vec3_sub(point, x.pos));
}

// ---- spatial vectors

/// A spatial vector by its angular and linear parts.
static inline HeftSpatial heft_spatial(HeftVec3 ang, HeftVec3 lin) {
  HeftSpatial s = {ang, lin};
  return s;
}
/// a + b, both at the same point.
static inline HeftSpatial heft_spatial_add(HeftSpatial a, HeftSpatial b) {
  return heft_spatial(heft_vec3_add(a.ang, b.ang), heft_vec3_add(a.lin, b.lin));
}
/// a - b, both at the same point.
static inline HeftSpatial heft_spatial_sub(HeftSpatial a, HeftSpatial b) {
  return heft_spatial(heft_vec3_sub(a.ang, b.ang), heft_vec3_sub(a.lin, b.lin));
}
/// s a.
static inline HeftSpatial heft_spatial_scale(double s, HeftSpatial a) {
  return heft_spatial(heft_vec3_scale(s, a.ang), heft_vec3_scale(s, a.lin));
}
/// Power of a force on a motion, both at the same point [W].
static inline double heft_spatial_dot(HeftSpatial motion, HeftSpatial force) {
  return heft_vec3_dot(motion.ang, force.ang) + heft_vec3_dot(motion.lin, force.lin);
}
/// a × b for two motions.
HEFT_API HeftSpatial heft_spatial_cross_motion(HeftSpatial a, HeftSpatial b);
/// a ×* f for a motion and a force.
HEFT_API HeftSpatial heft_spatial_cross_force(HeftSpatial a, HeftSpatial f);
/// A motion, described at a point that lies `offset` from the old one.
HEFT_API HeftSpatial heft_spatial_move_motion(HeftSpatial motion, HeftVec3 offset);
/// A force, described at a point that lies `offset` from the old one.
HEFT_API HeftSpatial heft_spatial_move_force(HeftSpatial force, HeftVec3 offset);

// ---- symmetric matrices and inertias

/// a v.
HEFT_API HeftVec3 heft_sym3_mul_vec(HeftSym3 a, HeftVec3 v);
/// a + b.
HEFT_API HeftSym3 heft_sym3_add(HeftSym3 a, HeftSym3 b);
/// r a rᵀ.
HEFT_API HeftSym3 heft_sym3_rotate(HeftSym3 a, HeftMat3 r);
/// Eigenvalues in descending order and the rotation whose columns are the eigenvectors: a = r
/// diag(e) rᵀ.
/// [out] eigenvalues, r
HEFT_API void heft_sym3_eigen(HeftSym3 a, HeftVec3* eigenvalues, HeftMat3* r);
/// mass (|d|² 1 - d dᵀ): what a point mass at d adds about the origin.
HEFT_API HeftSym3 heft_sym3_point_mass(double mass, HeftVec3 d);
/// The inertia seen from a frame in which its old frame has this pose.
HEFT_API HeftInertia heft_inertia_transform(HeftInertia inertia, HeftPose pose);
/// Two bodies as one, both given in the same frame.
HEFT_API HeftInertia heft_inertia_add(HeftInertia a, HeftInertia b);
/// Momentum at the frame's origin of a body that moves with `motion` (given at the frame's origin).
HEFT_API HeftSpatial heft_inertia_mul(HeftInertia inertia, HeftSpatial motion);

#ifdef __cplusplus
}
#endif
#endif
