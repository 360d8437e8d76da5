// SPDX-License-Identifier: Apache-2.0
/// @file math.h
/// Vectors, rotations, spatial vectors and inertias, and elementary functions with the same bits
/// everywhere.
///
/// - `double` only; SI units; angles in radians; matrices row-major; quaternions (w, x, y, z),
///   active rotations.
/// - Everything is passed by value and is pure: no memory, no state, safe from any thread.
/// - A spatial vector is written (angular, linear) at a point O: a motion is (ω, velocity of the
///   point at O), a force is (torque about O, force) ([Featherstone 2008], chapter 2;
///   docs/references.md).
#ifndef HEFT_MATH_H
#define HEFT_MATH_H

#include <heft/export.h>
#include <math.h>

#ifdef __cplusplus
extern "C" {
#endif

/// π, rounded to double.
#define HEFT_PI 3.14159265358979323846

/// A vector or a point.
typedef struct HeftVec3 {
  double x, y, z;  ///< components, in any unit
} HeftVec3;

/// A quaternion; a rotation if its length is 1.
typedef struct HeftQuat {
  double w, x, y, z;  ///< real part first [1]
} HeftQuat;

/// Row-major: m[row][column].
typedef struct HeftMat3 {
  double m[3][3];  ///< row, column, in any unit
} HeftMat3;

/// A symmetric 3x3 matrix.
typedef struct HeftSym3 {
  double xx, yy, zz, xy, xz, yz;  ///< entries, in any unit
} HeftSym3;

/// Position and orientation of a frame: x_outside = rot x_inside + pos [m].
typedef struct HeftPose {
  HeftMat3 rot;  ///< rotation from inside to outside
  HeftVec3 pos;  ///< origin of the inner frame [m]
} HeftPose;

/// A spatial motion (angular velocity, linear velocity) or force (torque, force) at a stated point.
typedef struct HeftSpatial {
  HeftVec3 ang, lin;  ///< angular and linear part, in the units of motions or forces
} HeftSpatial;

/// The inertia of a rigid body in a stated frame.
typedef struct HeftInertia {
  double mass;       ///< [kg]
  HeftVec3 com;      ///< centre of mass [m]
  HeftSym3 inertia;  ///< about the centre of mass, along the frame's axes [kg m²]
} HeftInertia;

// ---- elementary functions: at most 1 ulp from the exact value, the same bits with every compiler
// and machine, over their whole range. A result that is not a number is always the same NaN.
// Rounding to nearest is expected.

/// Sine and cosine of any finite angle [rad], however large.
HEFT_API double heft_sin(double x);
HEFT_API double heft_cos(double x);
/// Both with one call; equal bits.
/// [out] s, c
HEFT_API void heft_sincos(double x, double* s, double* c);
/// Sine and cosine of n angles; equal bits. The arrays must not overlap.
/// [in] x[n]; [out] s[n], c[n]
HEFT_API void heft_sincos_many(int n, const double* x, double* s, double* c);
/// Angle of the point (x, y) in [-π, π]; signed zeros and infinities as in the C standard.
HEFT_API double heft_atan2(double y, double x);
/// Angles in [-π/2, π/2] and [0, π]; NaN outside of -1 <= x <= 1.
HEFT_API double heft_asin(double x);
HEFT_API double heft_acos(double x);
/// eˣ, down to the subnormal numbers and up to infinity.
HEFT_API double heft_exp(double x);
/// Natural logarithm; -infinity at zero, NaN below.
HEFT_API double heft_log(double x);

// ---- vectors

/// (x, y, z).
static inline HeftVec3 heft_vec3(double x, double y, double z) {
  HeftVec3 v = {x, y, z};
  return v;
}
/// Three numbers in a row, as the arrays of a model hold them.
/// [in] x[3]
static inline HeftVec3 heft_vec3_from(const double* x) { return heft_vec3(x[0], x[1], x[2]); }
/// a + b.
static inline HeftVec3 heft_vec3_add(HeftVec3 a, HeftVec3 b) {
  return heft_vec3(a.x + b.x, a.y + b.y, a.z + b.z);
}
/// a - b.
static inline HeftVec3 heft_vec3_sub(HeftVec3 a, HeftVec3 b) {
  return heft_vec3(a.x - b.x, a.y - b.y, a.z - b.z);
}
/// -a.
static inline HeftVec3 heft_vec3_neg(HeftVec3 a) { return heft_vec3(-a.x, -a.y, -a.z); }
/// s a.
static inline HeftVec3 heft_vec3_scale(double s, HeftVec3 a) {
  return heft_vec3(s * a.x, s * a.y, s * a.z);
}
/// a + s b.
static inline HeftVec3 heft_vec3_add_scaled(HeftVec3 a, double s, HeftVec3 b) {
  return heft_vec3(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}
/// a · b.
static inline double heft_vec3_dot(HeftVec3 a, HeftVec3 b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
/// a × b.
static inline HeftVec3 heft_vec3_cross(HeftVec3 a, HeftVec3 b) {
  return heft_vec3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
/// |a|.
static inline double heft_vec3_norm(HeftVec3 a) { return sqrt(heft_vec3_dot(a, a)); }
/// a / |a|, of any finite length; the zero vector stays zero.
HEFT_API HeftVec3 heft_vec3_normalize(HeftVec3 a);
/// Two unit vectors that make (n, t1, t2) a right-handed frame, for a unit vector n; continuous in
/// n except where n.z changes its sign.
/// [out] t1, t2
HEFT_API void heft_vec3_tangents(HeftVec3 n, HeftVec3* t1, HeftVec3* t2);

// ---- 3x3 matrices

/// The unit matrix.
static inline HeftMat3 heft_mat3_identity(void) {
  HeftMat3 a = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  return a;
}
/// Column c of a matrix, from 0.
static inline HeftVec3 heft_mat3_column(HeftMat3 a, int j) {
  return heft_vec3(a.m[0][j], a.m[1][j], a.m[2][j]);
}
/// Row r of a matrix, from 0.
static inline HeftVec3 heft_mat3_row(HeftMat3 a, int i) {
  return heft_vec3(a.m[i][0], a.m[i][1], a.m[i][2]);
}
/// a v.
static inline HeftVec3 heft_mat3_mul_vec(HeftMat3 a, HeftVec3 v) {
  return heft_vec3(heft_vec3_dot(heft_mat3_row(a, 0), v), heft_vec3_dot(heft_mat3_row(a, 1), v),
                   heft_vec3_dot(heft_mat3_row(a, 2), v));
}
/// aᵀ v.
static inline HeftVec3 heft_mat3_tmul_vec(HeftMat3 a, HeftVec3 v) {
  return heft_vec3(heft_vec3_dot(heft_mat3_column(a, 0), v),
                   heft_vec3_dot(heft_mat3_column(a, 1), v),
                   heft_vec3_dot(heft_mat3_column(a, 2), v));
}
/// The matrix with these columns.
HEFT_API HeftMat3 heft_mat3_from_columns(HeftVec3 a, HeftVec3 b, HeftVec3 c);
/// aᵀ: the inverse of a rotation.
HEFT_API HeftMat3 heft_mat3_transpose(HeftMat3 a);
/// a b.
HEFT_API HeftMat3 heft_mat3_mul(HeftMat3 a, HeftMat3 b);
/// [v]× with [v]× w = v × w.
HEFT_API HeftMat3 heft_mat3_skew(HeftVec3 v);
HEFT_API double heft_mat3_determinant(HeftMat3 a);

// ---- rotations

/// (w, x, y, z).
static inline HeftQuat heft_quat(double w, double x, double y, double z) {
  HeftQuat q = {w, x, y, z};
  return q;
}
/// Four numbers in a row, w first, as the arrays of a model hold them.
/// [in] q[4]
static inline HeftQuat heft_quat_from(const double* q) { return heft_quat(q[0], q[1], q[2], q[3]); }
/// No rotation.
static inline HeftQuat heft_quat_identity(void) { return heft_quat(1, 0, 0, 0); }
/// (w, -x, -y, -z): the inverse of a rotation.
static inline HeftQuat heft_quat_conjugate(HeftQuat q) { return heft_quat(q.w, -q.x, -q.y, -q.z); }
/// a b: first b turns, then a.
HEFT_API HeftQuat heft_quat_mul(HeftQuat a, HeftQuat b);
/// q / |q|, of any finite length; the zero quaternion becomes the identity.
HEFT_API HeftQuat heft_quat_normalize(HeftQuat q);
HEFT_API HeftVec3 heft_quat_rotate(HeftQuat q, HeftVec3 v);
/// The rotation matrix of a unit quaternion.
HEFT_API HeftMat3 heft_quat_to_mat3(HeftQuat q);
/// The unit quaternion of a rotation matrix, w >= 0.
HEFT_API HeftQuat heft_quat_from_mat3(HeftMat3 r);
/// Rotation by `angle` about the unit vector `axis`.
HEFT_API HeftQuat heft_quat_from_axis_angle(HeftVec3 axis, double angle);
/// Rotation by |v| about v: the exponential map of SO(3).
HEFT_API HeftQuat heft_quat_exp(HeftVec3 v);
/// The shortest v with heft_quat_exp(v) = ±q, |v| <= π: the logarithm.
HEFT_API HeftVec3 heft_quat_log(HeftQuat q);
/// The shortest rotation that turns the direction a to the direction b.
HEFT_API HeftQuat heft_quat_between(HeftVec3 a, HeftVec3 b);

#ifdef __cplusplus
}
#endif

#include <heft/spatial.h>

#endif
