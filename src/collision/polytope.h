// SPDX-License-Identifier: Apache-2.0
// A polytope that grows inside of the difference of two cores, for their depth.
#ifndef HEFT_SRC_COLLISION_POLYTOPE_H
#define HEFT_SRC_COLLISION_POLYTOPE_H

#include "collision/difference.h"

enum { EPA_VERTEX_MAX = 128, EPA_FACE_MAX = 2 * EPA_VERTEX_MAX };

enum { EPA_DEAD, EPA_ALIVE, EPA_SEEN };

typedef struct EpaFace {
  HeftVec3 normal;  ///< outward
  double distance;  ///< of the origin below the face; infinite for slivers
  int vertex[3];
  int next[3];  ///< face across the edge from vertex k to k + 1
  int state;    ///< alive, dead, or seen while the horizon is sought
  int final;    ///< cannot be grown: it is as far as D's boundary
} EpaFace;

/// Memory of one narrow-phase call.
typedef struct EpaScratch {
  Difference vertex[EPA_VERTEX_MAX];
  EpaFace face[EPA_FACE_MAX];
  double rank[EPA_FACE_MAX];  ///< distance of living faces, infinite for others
  int stack[EPA_FACE_MAX];
  int horizon[EPA_FACE_MAX][2];  ///< (face, edge) just outside of what is visible
} EpaScratch;

/// Grows a polytope until the depth is known to `tolerance` [m]; it stays in the scratch, with
/// *faces faces, dead ones among them, and p->floor becomes the least that D can reach. Returns 0
/// if D is flat.
int heft_polytope_depth(Cores* p, double tolerance, EpaScratch* scratch, int* faces, Nearness* out);

/// Normal, gap and points of face f. A flat side of D may be several triangles of the same plane;
/// the foot of the origin is taken from the one that it lies in.
void heft_polytope_read(const EpaScratch* m, int faces, int f, double scale, Nearness* out);

#endif
