// SPDX-License-Identifier: Apache-2.0
// Spatial vectors and inertias at a common point ([Featherstone 2008], chapter 2).
//
//   motion × motion:  (ω, v) × (ω', v')  = (ω × ω', ω × v' + v × ω')
//   motion ×* force:  (ω, v) ×* (n, f)   = (ω × n + v × f, ω × f)
//   moving by d:      motion (ω, v + ω × d), force (n - d × f, f)
//   momentum:         f = m (v + ω × c),  n = I_c ω + c × f
#include <heft/math.h>

#include "base/assert.h"

HeftSpatial heft_spatial_cross_motion(HeftSpatial a, HeftSpatial b) {
  return heft_spatial(heft_vec3_cross(a.ang, b.ang),
                      heft_vec3_add(heft_vec3_cross(a.ang, b.lin), heft_vec3_cross(a.lin, b.ang)));
}

HeftSpatial heft_spatial_cross_force(HeftSpatial a, HeftSpatial f) {
  return heft_spatial(heft_vec3_add(heft_vec3_cross(a.ang, f.ang), heft_vec3_cross(a.lin, f.lin)),
                      heft_vec3_cross(a.ang, f.lin));
}

HeftSpatial heft_spatial_move_motion(HeftSpatial motion, HeftVec3 offset) {
  return heft_spatial(motion.ang, heft_vec3_add(motion.lin, heft_vec3_cross(motion.ang, offset)));
}

HeftSpatial heft_spatial_move_force(HeftSpatial force, HeftVec3 offset) {
  return heft_spatial(heft_vec3_sub(force.ang, heft_vec3_cross(offset, force.lin)), force.lin);
}

HeftVec3 heft_sym3_mul_vec(HeftSym3 a, HeftVec3 v) {
  return heft_vec3(a.xx * v.x + a.xy * v.y + a.xz * v.z, a.xy * v.x + a.yy * v.y + a.yz * v.z,
                   a.xz * v.x + a.yz * v.y + a.zz * v.z);
}

HeftSym3 heft_sym3_add(HeftSym3 a, HeftSym3 b) {
  return (HeftSym3){a.xx + b.xx, a.yy + b.yy, a.zz + b.zz, a.xy + b.xy, a.xz + b.xz, a.yz + b.yz};
}

static HeftMat3 sym3_to_mat3(HeftSym3 a) {
  return (HeftMat3){{{a.xx, a.xy, a.xz}, {a.xy, a.yy, a.yz}, {a.xz, a.yz, a.zz}}};
}

HeftSym3 heft_sym3_rotate(HeftSym3 a, HeftMat3 r) {
  const HeftMat3 b = heft_mat3_mul(heft_mat3_mul(r, sym3_to_mat3(a)), heft_mat3_transpose(r));
  return (HeftSym3){b.m[0][0],
                    b.m[1][1],
                    b.m[2][2],
                    0.5 * (b.m[0][1] + b.m[1][0]),
                    0.5 * (b.m[0][2] + b.m[2][0]),
                    0.5 * (b.m[1][2] + b.m[2][1])};
}

HeftSym3 heft_sym3_point_mass(double mass, HeftVec3 d) {
  return (HeftSym3){mass * (d.y * d.y + d.z * d.z),
                    mass * (d.x * d.x + d.z * d.z),
                    mass * (d.x * d.x + d.y * d.y),
                    -mass * d.x * d.y,
                    -mass * d.x * d.z,
                    -mass * d.y * d.z};
}

// One Jacobi rotation in the plane (p, q) that makes a[p][q] zero; v collects the rotations.
static void jacobi_rotate(HeftMat3* a, HeftMat3* v, int p, int q) {
  const double apq = a->m[p][q];
  if (apq == 0) return;
  const double theta = (a->m[q][q] - a->m[p][p]) / (2 * apq);
  const double t = copysign(1.0, theta) / (fabs(theta) + sqrt(theta * theta + 1));
  const double c = 1 / sqrt(t * t + 1), s = t * c;
  for (int k = 0; k < 3; ++k) {
    const double akp = a->m[k][p], akq = a->m[k][q];
    a->m[k][p] = c * akp - s * akq;
    a->m[k][q] = s * akp + c * akq;
  }
  for (int k = 0; k < 3; ++k) {
    const double apk = a->m[p][k], aqk = a->m[q][k];
    a->m[p][k] = c * apk - s * aqk;
    a->m[q][k] = s * apk + c * aqk;
  }
  for (int k = 0; k < 3; ++k) {
    const double vkp = v->m[k][p], vkq = v->m[k][q];
    v->m[k][p] = c * vkp - s * vkq;
    v->m[k][q] = s * vkp + c * vkq;
  }
  a->m[p][q] = a->m[q][p] = 0;
}

void heft_sym3_eigen(HeftSym3 a, HeftVec3* eigenvalues, HeftMat3* r) {
  HEFT_REQUIRE_VOID(eigenvalues && r);
  HeftMat3 m = sym3_to_mat3(a), v = heft_mat3_identity();
  for (int sweep = 0; sweep < 16;
       ++sweep) {  // converges quadratically: six sweeps are the most ever seen
    if (m.m[0][1] == 0 && m.m[0][2] == 0 && m.m[1][2] == 0) break;
    jacobi_rotate(&m, &v, 0, 1);
    jacobi_rotate(&m, &v, 0, 2);
    jacobi_rotate(&m, &v, 1, 2);
  }
  int order[3] = {0, 1, 2};
  for (int i = 0; i < 2; ++i) {  // stable selection sort, largest first
    for (int j = 2; j > i; --j) {
      if (m.m[order[j]][order[j]] > m.m[order[j - 1]][order[j - 1]]) {
        const int swap = order[j];
        order[j] = order[j - 1];
        order[j - 1] = swap;
      }
    }
  }
  *eigenvalues =
      heft_vec3(m.m[order[0]][order[0]], m.m[order[1]][order[1]], m.m[order[2]][order[2]]);
  const HeftVec3 c0 = heft_mat3_column(v, order[0]), c1 = heft_mat3_column(v, order[1]);
  *r = heft_mat3_from_columns(c0, c1, heft_vec3_cross(c0, c1));
}

HeftInertia heft_inertia_transform(HeftInertia inertia, HeftPose pose) {
  return (HeftInertia){inertia.mass, heft_pose_apply(pose, inertia.com),
                       heft_sym3_rotate(inertia.inertia, pose.rot)};
}

HeftInertia heft_inertia_add(HeftInertia a, HeftInertia b) {
  const double mass = a.mass + b.mass;
  if (!(mass > 0)) return (HeftInertia){mass, a.com, heft_sym3_add(a.inertia, b.inertia)};
  const double wa = a.mass / mass, wb = b.mass / mass;
  const HeftVec3 com = heft_vec3_add(heft_vec3_scale(wa, a.com), heft_vec3_scale(wb, b.com));
  const HeftSym3 da = heft_sym3_point_mass(a.mass, heft_vec3_sub(a.com, com));
  const HeftSym3 db = heft_sym3_point_mass(b.mass, heft_vec3_sub(b.com, com));
  return (HeftInertia){mass, com,
                       heft_sym3_add(heft_sym3_add(a.inertia, da), heft_sym3_add(b.inertia, db))};
}

HeftSpatial heft_inertia_mul(HeftInertia inertia, HeftSpatial motion) {
  const HeftVec3 velocity = heft_vec3_add(motion.lin, heft_vec3_cross(motion.ang, inertia.com));
  const HeftVec3 linear = heft_vec3_scale(inertia.mass, velocity);
  const HeftVec3 spin = heft_sym3_mul_vec(inertia.inertia, motion.ang);
  return heft_spatial(heft_vec3_add(spin, heft_vec3_cross(inertia.com, linear)), linear);
}
