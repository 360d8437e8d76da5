// SPDX-License-Identifier: Apache-2.0
// 4x4 matrices as OpenGL reads them: floats, column after column.
#ifndef HEFT_APPS_VIEW_MATRIX_H
#define HEFT_APPS_VIEW_MATRIX_H

#include <heft/math.h>

typedef struct Matrix4 {
  float m[16];
} Matrix4;

Matrix4 matrix_mul(Matrix4 a, Matrix4 b);
/// From the frame of the pose to the world.
Matrix4 matrix_pose(HeftPose pose);
/// matrix_pose() with the axes of the frame scaled first.
Matrix4 matrix_scaled(HeftPose pose, HeftVec3 scale);
/// From the world to the frame of the pose.
Matrix4 matrix_view(HeftPose pose);
Matrix4 matrix_perspective(double fov, double aspect, double near, double far);
/// Moves the middle of the picture of a perspective, in units of half its size.
Matrix4 matrix_shift(Matrix4 perspective, double x, double y);
/// A box around the origin of the view, looking along -z.
Matrix4 matrix_box(double half, double near, double far);
/// Mirrors at the plane z = 0 of a frame.
Matrix4 matrix_mirror(HeftPose plane);

#endif
