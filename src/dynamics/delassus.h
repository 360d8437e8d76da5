// SPDX-License-Identifier: Apache-2.0
// Common parts of the Delassus methods. Most of them compute 6x6 blocks Ω_ab between links, which
// the caller projects on the contact points; some compute Λ directly.
#ifndef HEFT_SRC_DYNAMICS_DELASSUS_H
#define HEFT_SRC_DYNAMICS_DELASSUS_H

#include "dynamics/workspace.h"

/// Six columns of an operator on spatial vectors: (angular | linear) in lanes 0-2 and 4-6.
typedef struct Block {
  V8 column[6];
} Block;

/// A request: the different links that are touched, and the caller's scratch.
typedef struct DelassusRequest {
  const HeftDynamics* dynamics;
  const int* links;  ///< group_count, ascending, none of them the world
  int group_count;
  double* scratch;  ///< as many doubles as the method asked for
} DelassusRequest;

/// A method that works link by link.
typedef struct DelassusBlocks {
  size_t (*scratch)(const HeftDynamics* dynamics, int group_count);
  void (*prepare)(const DelassusRequest* request);
  /// Ω_ab for two of the links, by their place in the request; a <= b. Zero for links of different
  /// trees.
  void (*block)(const DelassusRequest* request, int a, int b, Block* out);
} DelassusBlocks;

extern const DelassusBlocks heft_delassus_ltl;
extern const DelassusBlocks heft_delassus_chang_khatib;
extern const DelassusBlocks heft_delassus_body;

size_t heft_delassus_direct_scratch(const HeftDynamics* dynamics, int count);
void heft_delassus_direct(const HeftDynamics* dynamics, int count, const HeftDelassusPoint* points,
                          double* scratch, double* lambda);
size_t heft_delassus_unit_forces_scratch(const HeftDynamics* dynamics, int count);
void heft_delassus_unit_forces(const HeftDynamics* dynamics, int count,
                               const HeftDelassusPoint* points, double* scratch, double* lambda);

/// The unit force along axis r of a point's frame, at the origin of its tree; its product with a
/// motion is the point's velocity along that axis.
HEFT_INLINE Pair point_axis(const HeftDynamics* d, const HeftDelassusPoint* point, int r) {
  const int link = d->tree->body_link[point->body];
  const V4 arm = v4_from_vec3(point->point) - d->origin[d->tree->link[link].root];
  const V4 along = v4_from_vec3(heft_mat3_column(point->frame, r));
  return (Pair){v4_cross(arm, along), along};
}

/// The last dof of a link.
HEFT_INLINE int last_dof(const Link* link) {
  return link->dof_count > 0 ? link->dof + link->dof_count - 1 : -1;
}

HEFT_INLINE size_t round_up_8(size_t n) { return (n + 7) / 8 * 8; }

#endif
