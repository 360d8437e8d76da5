// SPDX-License-Identifier: Apache-2.0
// Contact points of one pair of shapes, and the selection of few from many.
#ifndef HEFT_SRC_COLLISION_MANIFOLD_H
#define HEFT_SRC_COLLISION_MANIFOLD_H

#include "collision/geometry.h"

/// Share of a contact's size by which a point must be deeper than others to be chosen for it. Two
/// solutions of a step that agree to the tolerance have gaps that differ by some 1e-9 m; a choice
/// by less would make them differ by a contact point.
#define CLEARLY_DEEPER 1e-6

enum { MANIFOLD_MAX = 32, CANDIDATE_MAX = 160 };

/// One contact point, in the frame of shape a.
typedef struct Point {
  HeftVec3 pos;      ///< halfway between the two surfaces
  HeftVec3 normal;   ///< unit, from a to b
  double gap;        ///< along the normal; negative: depth
  uint64_t feature;  ///< which feature of a (upper half) meets which of b (lower half)
} Point;

typedef struct Manifold {
  int count;
  Point point[MANIFOLD_MAX];
} Manifold;

typedef struct Candidates {
  int count;
  Point point[CANDIDATE_MAX];
} Candidates;

/// A feature as 32 bits: its type and its index.
enum { PART_CORNER = 0, PART_EDGE = 1, PART_FACE = 2, PART_SURFACE = 3 };

static inline uint32_t part_id(int part, int index) {
  return (uint32_t)part << 30 | ((uint32_t)index & 0x3fffffffu);
}

static inline uint64_t feature_pair(uint32_t a, uint32_t b) { return (uint64_t)a << 32 | b; }

static inline uint64_t feature_swap(uint64_t f) { return f << 32 | f >> 32; }

/// A contact with a and b exchanged: b_in_a is where b was in a.
static inline Point point_swap(Point p, const HeftPose* b_in_a) {
  p.pos = heft_pose_apply_inverse(*b_in_a, p.pos);
  p.normal = heft_vec3_neg(heft_mat3_tmul_vec(b_in_a->rot, p.normal));
  p.feature = feature_swap(p.feature);
  return p;
}

static inline void candidate_add(Candidates* c, HeftVec3 pos, HeftVec3 normal, double gap,
                                 uint64_t feature) {
  if (c->count < CANDIDATE_MAX) c->point[c->count++] = (Point){pos, normal, gap, feature};
}

/// At most `most` (4 or 8) of the candidates: the deepest, and those that span the largest area.
/// Candidates share one normal, nearly.
void heft_manifold_reduce(const Candidates* from, int max, Manifold* out);

/// Groups of candidates whose normals differ by less than the angle of that cosine, the deepest
/// first, each reduced as above. The candidates are used up.
void heft_manifold_reduce_groups(Candidates* from, double cosine, int max, Manifold* out);

/// The best four (or three) of the m <= 8 corners (u, v) of a convex polygon with their gaps: as
/// heft_manifold_reduce(), faster. turn: 1 if they run counter-clockwise, otherwise -1. Returns how
/// many were chosen.
int heft_polygon_choose(const double u[8], const double v[8], const double gap[8], int m, int turn,
                        int chosen[4]);

/// Corners of the overlap of the two faces (or edges) that look at each other along the normal from
/// a to b, as seen along it. origin is any point nearby; no gap of the cores is smaller than floor.
/// Returns the smallest gap of the cores among all corners, also those beyond the margin; infinity
/// if no face lies squarely to the normal.
double heft_manifold_clip(const Geometry* a, const Geometry* b, const HeftPose* b_in_a,
                          HeftVec3 normal, HeftVec3 origin, double floor, double margin,
                          Candidates* out);

/// All points where the features of two cores that look at each other meet. normal is the unit
/// normal from a to b; witness (halfway, in a's frame) and gap belong to the closest or deepest
/// points of the cores. Radii are taken off here. Points farther apart than margin are left out.
void heft_manifold_of_features(const Geometry* a, const Geometry* b, const HeftPose* b_in_a,
                               HeftVec3 normal, HeftVec3 witness, double gap, double margin,
                               Candidates* out);

#endif
