// SPDX-License-Identifier: Apache-2.0
// Vectors and rotations.
#ifndef HEFT_CHECK_VEC_H
#define HEFT_CHECK_VEC_H

#include <math.h>

typedef struct Vec {
  double x, y, z;
} Vec;
typedef struct Mat {
  Vec x, y, z;  // columns
} Mat;
typedef struct Pose {
  Mat r;
  Vec p;
} Pose;

static inline Vec vec(double x, double y, double z) { return (Vec){x, y, z}; }
static inline Vec add(Vec a, Vec b) { return (Vec){a.x + b.x, a.y + b.y, a.z + b.z}; }
static inline Vec sub(Vec a, Vec b) { return (Vec){a.x - b.x, a.y - b.y, a.z - b.z}; }
static inline Vec scale(double s, Vec a) { return (Vec){s * a.x, s * a.y, s * a.z}; }
static inline Vec cross(Vec a, Vec b) {
  return (Vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static inline double dot(Vec a, Vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline double norm(Vec a) { return sqrt(dot(a, a)); }
// Zero stays zero.
static inline Vec unit(Vec a) {
  const double n = norm(a);
  return n > 0 ? scale(1 / n, a) : a;
}
// r a, rᵀ a.
static inline Vec turn(Mat r, Vec a) {
  return add(add(scale(a.x, r.x), scale(a.y, r.y)), scale(a.z, r.z));
}
static inline Vec turn_back(Mat r, Vec a) { return (Vec){dot(r.x, a), dot(r.y, a), dot(r.z, a)}; }
static inline Mat product(Mat a, Mat b) { return (Mat){turn(a, b.x), turn(a, b.y), turn(a, b.z)}; }
static inline Mat identity(void) { return (Mat){{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}; }
static inline Vec place(Pose x, Vec a) { return add(turn(x.r, a), x.p); }
static inline double larger(double a, double b) { return a > b ? a : b; }
static inline double smaller(double a, double b) { return a < b ? a : b; }
static inline double clamp(double x, double low, double high) {
  return x < low ? low : x > high ? high : x;
}

// Of any length above zero.
static inline Mat from_quaternion(const double* q) {
  const double n = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3], s = n > 0 ? 2 / n : 0;
  const double w = q[0], x = q[1], y = q[2], z = q[3];
  return (Mat){{1 - s * (y * y + z * z), s * (x * y + w * z), s * (x * z - w * y)},
               {s * (x * y - w * z), 1 - s * (x * x + z * z), s * (y * z + w * x)},
               {s * (x * z + w * y), s * (y * z - w * x), 1 - s * (x * x + y * y)}};
}

// Exponential map: the unit quaternion (cos φ/2, sin φ/2 · axis).
static inline void exponential(Vec a, double q[4]) {
  const double angle = norm(a), s = angle > 1e-8 ? sin(angle / 2) / angle : 0.5;
  q[0] = cos(angle / 2), q[1] = s * a.x, q[2] = s * a.y, q[3] = s * a.z;
}

// a exp(angle) = b. The axis of aᵀ b from its skew part, its angle from sine and cosine.
static inline Vec angle_between(Mat a, Mat b) {
  const Vec x = turn_back(a, b.x), y = turn_back(a, b.y), z = turn_back(a, b.z);
  const Vec s = scale(0.5, vec(y.z - z.y, z.x - x.z, x.y - y.x));
  const double sine = norm(s), angle = atan2(sine, 0.5 * (x.x + y.y + z.z - 1));
  return scale(sine > 1e-12 ? angle / sine : 1, s);
}

#endif
