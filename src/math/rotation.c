// SPDX-License-Identifier: Apache-2.0
// Vectors, 3x3 matrices, quaternions and poses.
//
// A unit quaternion q = (w, u) with w = cos(θ/2), u = sin(θ/2) n turns a vector by θ about n:
//   R v = v + 2 w (u × v) + 2 u × (u × v).
// ([Keith 2008], Eq. 13 lacks the factor 2 and prints the transpose; this is the active rotation.)
#include <heft/math.h>

#include "base/assert.h"

HeftVec3 heft_vec3_normalize(HeftVec3 a) {
  if (a.x == 0 && a.y == 0 && a.z == 0) return heft_vec3(0, 0, 0);
  // Scaled first, so that neither huge nor tiny vectors lose their direction.
  const double largest = fmax(fabs(a.x), fmax(fabs(a.y), fabs(a.z)));
  const HeftVec3 s = heft_vec3(a.x / largest, a.y / largest, a.z / largest);
  const double norm = heft_vec3_norm(s);
  return heft_vec3(s.x / norm, s.y / norm, s.z / norm);
}

// An orthonormal basis from one vector [Duff 2017].
void heft_vec3_tangents(HeftVec3 n, HeftVec3* t1, HeftVec3* t2) {
  HEFT_REQUIRE_VOID(t1 && t2);
  const double sign = copysign(1.0, n.z);
  const double a = -1.0 / (sign + n.z);
  const double b = n.x * n.y * a;
  *t1 = heft_vec3(1.0 + sign * n.x * n.x * a, sign * b, -sign * n.x);
  *t2 = heft_vec3(b, sign + n.y * n.y * a, -n.y);
}

HeftMat3 heft_mat3_from_columns(HeftVec3 a, HeftVec3 b, HeftVec3 c) {
  return (HeftMat3){{{a.x, b.x, c.x}, {a.y, b.y, c.y}, {a.z, b.z, c.z}}};
}

HeftMat3 heft_mat3_transpose(HeftMat3 a) {
  return heft_mat3_from_columns(heft_mat3_row(a, 0), heft_mat3_row(a, 1), heft_mat3_row(a, 2));
}

HeftMat3 heft_mat3_mul(HeftMat3 a, HeftMat3 b) {
  return heft_mat3_from_columns(heft_mat3_mul_vec(a, heft_mat3_column(b, 0)),
                                heft_mat3_mul_vec(a, heft_mat3_column(b, 1)),
                                heft_mat3_mul_vec(a, heft_mat3_column(b, 2)));
}

HeftMat3 heft_mat3_skew(HeftVec3 v) {
  return (HeftMat3){{{0, -v.z, v.y}, {v.z, 0, -v.x}, {-v.y, v.x, 0}}};
}

double heft_mat3_determinant(HeftMat3 a) {
  return heft_vec3_dot(heft_mat3_row(a, 0),
                       heft_vec3_cross(heft_mat3_row(a, 1), heft_mat3_row(a, 2)));
}

HeftQuat heft_quat_mul(HeftQuat a, HeftQuat b) {
  return heft_quat(
      a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
      a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w);
}

// Non-finite values stay non-finite, so that a later check detects them.
HeftQuat heft_quat_normalize(HeftQuat q) {
  double square = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
  if (!(square >= 1e-280 && square <= 1e280)) {  // too small or large to be squared: scaled first
    const double largest = fmax(fmax(fabs(q.w), fabs(q.x)), fmax(fabs(q.y), fabs(q.z)));
    if (largest == 0 && square == 0) return heft_quat_identity();
    q = heft_quat(q.w / largest, q.x / largest, q.y / largest, q.z / largest);
    square = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
  }
  const double norm = sqrt(square);
  return heft_quat(q.w / norm, q.x / norm, q.y / norm, q.z / norm);
}

HeftVec3 heft_quat_rotate(HeftQuat q, HeftVec3 v) {
  const HeftVec3 u = heft_vec3(q.x, q.y, q.z);
  const HeftVec3 t = heft_vec3_scale(2, heft_vec3_cross(u, v));
  return heft_vec3_add(heft_vec3_add_scaled(v, q.w, t), heft_vec3_cross(u, t));
}

HeftMat3 heft_quat_to_mat3(HeftQuat q) {
  const double xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
  const double xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
  const double wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
  return (HeftMat3){{{1 - 2 * (yy + zz), 2 * (xy - wz), 2 * (xz + wy)},
                     {2 * (xy + wz), 1 - 2 * (xx + zz), 2 * (yz - wx)},
                     {2 * (xz - wy), 2 * (yz + wx), 1 - 2 * (xx + yy)}}};
}

// Of the four ways to read q off R, the one that divides by the largest component [Shepperd 1978].
HeftQuat heft_quat_from_mat3(HeftMat3 r) {
  const double x = r.m[0][0], y = r.m[1][1], z = r.m[2][2];
  const double trace = x + y + z;
  HeftQuat q;
  if (trace >= x && trace >= y && trace >= z) {
    q = heft_quat(1 + trace, r.m[2][1] - r.m[1][2], r.m[0][2] - r.m[2][0], r.m[1][0] - r.m[0][1]);
  } else if (x >= y && x >= z) {
    q = heft_quat(r.m[2][1] - r.m[1][2], 1 + x - y - z, r.m[1][0] + r.m[0][1],
                  r.m[0][2] + r.m[2][0]);
  } else if (y >= z) {
    q = heft_quat(r.m[0][2] - r.m[2][0], r.m[1][0] + r.m[0][1], 1 - x + y - z,
                  r.m[2][1] + r.m[1][2]);
  } else {
    q = heft_quat(r.m[1][0] - r.m[0][1], r.m[0][2] + r.m[2][0], r.m[2][1] + r.m[1][2],
                  1 - x - y + z);
  }
  q = heft_quat_normalize(q);
  return q.w < 0 ? heft_quat(-q.w, -q.x, -q.y, -q.z) : q;
}

HeftQuat heft_quat_from_axis_angle(HeftVec3 axis, double angle) {
  double s, c;
  heft_sincos(0.5 * angle, &s, &c);
  return heft_quat(c, s * axis.x, s * axis.y, s * axis.z);
}

// sin(θ/2)/θ near zero by its series: 1/2 - θ²/48 + θ⁴/3840; the next term is below 1e-20 where it
// is used.
HeftQuat heft_quat_exp(HeftVec3 v) {
  const double square = heft_vec3_dot(v, v);
  if (square < 1e-6) {
    const double half_sinc = 0.5 - square * (1.0 / 48 - square * (1.0 / 3840));
    const double c = 1 - square * (1.0 / 8 - square * (1.0 / 384));
    return heft_quat(c, half_sinc * v.x, half_sinc * v.y, half_sinc * v.z);
  }
  const double angle = sqrt(square);
  double s, c;
  heft_sincos(0.5 * angle, &s, &c);
  return heft_quat(c, s * v.x / angle, s * v.y / angle, s * v.z / angle);
}

HeftVec3 heft_quat_log(HeftQuat q) {
  const HeftVec3 u = q.w < 0 ? heft_vec3(-q.x, -q.y, -q.z) : heft_vec3(q.x, q.y, q.z);
  const double s = heft_vec3_norm(u), c = fabs(q.w);
  // For small s: 2 atan2(s, c)/s = 2/c (1 - s²/(3c²) + ...), and c is close to 1.
  const double scale = s < 1e-8 ? 2 / c : 2 * heft_atan2(s, c) / s;
  return heft_vec3_scale(scale, u);
}

// The half-way direction a + b gives all: |a + b|² = 2 (1 + cos θ), a × (a + b) = a × b. Near half
// a turn it is small but exact, where 1 + cos θ and a × b would lose their digits.
HeftQuat heft_quat_between(HeftVec3 a, HeftVec3 b) {
  const HeftVec3 from = heft_vec3_normalize(a), to = heft_vec3_normalize(b);
  const HeftVec3 sum = heft_vec3_add(from, to);
  const double square = heft_vec3_dot(sum, sum);
  if (square < 1e-28) {  // opposite: half a turn about anything perpendicular
    HeftVec3 t1, t2;
    heft_vec3_tangents(from, &t1, &t2);
    return heft_quat(0, t1.x, t1.y, t1.z);
  }
  const HeftVec3 u = heft_vec3_cross(from, sum);
  return heft_quat_normalize(heft_quat(0.5 * square, u.x, u.y, u.z));
}

HeftPose heft_pose_mul(HeftPose outer, HeftPose inner) {
  return (HeftPose){heft_mat3_mul(outer.rot, inner.rot), heft_pose_apply(outer, inner.pos)};
}

HeftPose heft_pose_inverse(HeftPose x) {
  return (HeftPose){heft_mat3_transpose(x.rot), heft_vec3_neg(heft_mat3_tmul_vec(x.rot, x.pos))};
}
