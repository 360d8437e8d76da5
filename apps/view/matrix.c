// SPDX-License-Identifier: Apache-2.0
#include "view/matrix.h"

Matrix4 matrix_mul(Matrix4 a, Matrix4 b) {
  Matrix4 c;
  for (int j = 0; j < 4; ++j) {
    for (int i = 0; i < 4; ++i) {
      float sum = 0;
      for (int k = 0; k < 4; ++k) sum += a.m[4 * k + i] * b.m[4 * j + k];
      c.m[4 * j + i] = sum;
    }
  }
  return c;
}

Matrix4 matrix_scaled(HeftPose pose, HeftVec3 scale) {
  const double s[3] = {scale.x, scale.y, scale.z}, p[3] = {pose.pos.x, pose.pos.y, pose.pos.z};
  Matrix4 a = {{0}};
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) a.m[4 * j + i] = (float)(pose.rot.m[i][j] * s[j]);
    a.m[12 + i] = (float)p[i];
  }
  a.m[15] = 1;
  return a;
}

Matrix4 matrix_pose(HeftPose pose) { return matrix_scaled(pose, heft_vec3(1, 1, 1)); }

Matrix4 matrix_view(HeftPose pose) { return matrix_pose(heft_pose_inverse(pose)); }

Matrix4 matrix_shift(Matrix4 perspective, double x, double y) {
  perspective.m[8] -= (float)x;
  perspective.m[9] -= (float)y;
  return perspective;
}

Matrix4 matrix_perspective(double fov, double aspect, double near, double far) {
  const double f = heft_cos(0.5 * fov) / heft_sin(0.5 * fov);
  Matrix4 a = {{0}};
  a.m[0] = (float)(f / aspect);
  a.m[5] = (float)f;
  a.m[10] = (float)((far + near) / (near - far));
  a.m[11] = -1;
  a.m[14] = (float)(2 * far * near / (near - far));
  return a;
}

Matrix4 matrix_box(double half, double near, double far) {
  Matrix4 a = {{0}};
  a.m[0] = a.m[5] = (float)(1 / half);
  a.m[10] = (float)(2 / (near - far));
  a.m[14] = (float)((far + near) / (near - far));
  a.m[15] = 1;
  return a;
}

// x - 2 n (n·(x - p)).
Matrix4 matrix_mirror(HeftPose plane) {
  const HeftVec3 n = heft_mat3_column(plane.rot, 2);
  const double v[3] = {n.x, n.y, n.z}, d = 2 * heft_vec3_dot(n, plane.pos);
  Matrix4 a = {{0}};
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) a.m[4 * j + i] = (float)((i == j) - 2 * v[i] * v[j]);
    a.m[12 + i] = (float)(d * v[i]);
  }
  a.m[15] = 1;
  return a;
}
