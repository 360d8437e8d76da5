// SPDX-License-Identifier: Apache-2.0
// Separating axes of two boxes: the normals of three faces of each, and the nine products of an
// edge of a with an edge of b [Gottschalk 1996].
//
// In a's frame, with R the rotation of b and t its position, the axis e_i × r_j has two entries of
// R as its components, so it is exact also where the edges are nearly parallel and its length is
// tiny; products with b's axes are taken in full, since the usual short forms rely on R being
// orthogonal, which rounding spoils when divided by that length.
//
// Three axes are tested together, one in each SIMD element: faces of a (over columns of R), faces
// of b, and for each edge of a its products with the edges of b (over rows of R).
#include "collision/box_axes.h"

#include "math/simd.h"

HEFT_INLINE V4 three(double x, double y, double z) { return (V4){x, y, z, 0}; }

// Element j of the result is element j + 1, or j + 2, modulo 3; element 3 stays.
HEFT_INLINE V4 next_of(V4 v) { return V4_SHUFFLE(v, v, 1, 2, 0, 3); }
HEFT_INLINE V4 second_of(V4 v) { return V4_SHUFFLE(v, v, 2, 0, 1, 3); }

// The lanes j in which e_i × r_j has the boxes apart by more than `target`: whether excess / length
// > target, without a root. rp and rq are the rows p and q of R, with (i, p, q) in cyclic order.
HEFT_INLINE unsigned edges_beyond(V4 rp, V4 rq, double tp, double tq, double ap, double aq, V4 b,
                                  double target) {
  const V4 np = -rq, nq = rp;
  const V4 square = np * np + nq * nq;
  const V4 along = tp * np + tq * nq;
  const V4 reach = ap * v4_abs(np) + aq * v4_abs(nq) +
                   next_of(b) * v4_abs(np * next_of(rp) + nq * next_of(rq)) +
                   second_of(b) * v4_abs(np * second_of(rp) + nq * second_of(rq));
  const V4 excess = v4_abs(along) - reach;
  const V4 mine = excess * excess, theirs = target * target * square;
  const I4 overlap = excess <= 0;
  I4 beyond = target >= 0 ? ~overlap : (~overlap | (mine < theirs));
  if (target > 0) beyond &= mine > theirs;
  return v4_bits(beyond & (square > 1e-24));
}

HEFT_CLONES static int box_axes_lanes(const double* ha, const double* hb, const double (*r)[3],
                                      const double* t, double margin, const double* bias,
                                      BoxAxes* out) {
  const V4 row0 = three(r[0][0], r[0][1], r[0][2]), row1 = three(r[1][0], r[1][1], r[1][2]);
  const V4 row2 = three(r[2][0], r[2][1], r[2][2]), pos = three(t[0], t[1], t[2]);
  const V4 col0 = three(r[0][0], r[1][0], r[2][0]), col1 = three(r[0][1], r[1][1], r[2][1]);
  const V4 col2 = three(r[0][2], r[1][2], r[2][2]);
  // The fourth lane is never apart.
  const V4 a = {ha[0], ha[1], ha[2], HUGE_VAL}, b = {hb[0], hb[1], hb[2], HUGE_VAL};
  const V4 reach_a = a + v4_abs(col0) * hb[0] + v4_abs(col1) * hb[1] + v4_abs(col2) * hb[2];
  const V4 along_b = t[0] * row0 + t[1] * row1 + t[2] * row2;
  const V4 reach_b = b + v4_abs(row0) * ha[0] + v4_abs(row1) * ha[1] + v4_abs(row2) * ha[2];
  const V4 of_a = v4_abs(pos) - reach_a, of_b = v4_abs(along_b) - reach_b;
  if (v4_bits((of_a > margin) | (of_b > margin))) return 0;
  const double s[6] = {of_a[0], of_a[1], of_a[2], of_b[0], of_b[1], of_b[2]};
  const double along[6] = {t[0], t[1], t[2], along_b[0], along_b[1], along_b[2]};
  double best = -HUGE_VAL;
  int face = 0;
  for (int k = 0; k < 6; ++k) {
    const int better = s[k] > best + bias[0];
    best = better ? s[k] : best;
    face = better ? k : face;
  }
  const double target = best + bias[0] > bias[1] ? best + bias[0] : bias[1];
  const V4 half_b = three(hb[0], hb[1], hb[2]);
  out->edges = edges_beyond(row1, row2, t[1], t[2], ha[1], ha[2], half_b, target) |
               edges_beyond(row2, row0, t[2], t[0], ha[2], ha[0], half_b, target) << 4 |
               edges_beyond(row0, row1, t[0], t[1], ha[0], ha[1], half_b, target) << 8;
  out->face = face;
  out->back = along[face] < 0;
  out->separation = best;
  return 1;
}

int heft_box_axes(const double half_a[3], const double half_b[3], const HeftMat3* rot, HeftVec3 pos,
                  double margin, double bias, double min, BoxAxes* out) {
  const double t[3] = {pos.x, pos.y, pos.z}, biases[2] = {bias, min};
  return box_axes_lanes(half_a, half_b, rot->m, t, margin, biases, out);
}
