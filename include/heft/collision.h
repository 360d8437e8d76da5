// SPDX-License-Identifier: Apache-2.0
/// @file collision.h
/// Collision: who touches whom, where, along which normal, how deep, and which point of this step
/// is the same as which point of the last.
///
/// - A HeftCollider looks at one const model. All its memory is taken when it is created; no other
///   function allocates, locks, prints or aborts. Use one per thread.
/// - Give it the poses of this moment (heft_collider_update), then ask: heft_collider_collide() for
///   contacts, or any of the queries. Answers depend on the model, the def and the poses alone,
///   never on what was asked before, and have the same bits with every compiler and machine.
/// - Points and directions are in the world's frame [m]. Distances are measured between nearby
///   points, so a world that lies far from its origin loses no more than the poses themselves do.
/// - A mesh with a convex hull (HeftModel.mesh_hull_count > 0) collides as its hull, one without as
///   its triangles, one-sided. Planes are endless and solid below. Planes, triangle meshes and
///   height fields do not touch each other.
#ifndef HEFT_COLLISION_H
#define HEFT_COLLISION_H

#include <heft/model.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Finds contacts of one model. Opaque.
typedef struct HeftCollider HeftCollider;

typedef struct HeftColliderDef {
  uint32_t cookie;                 ///< set by heft_collider_def_default(); see HEFT_DEF_COOKIE
  const HeftAllocator* allocator;  ///< may be NULL: the default one; copied
  int contact_capacity;  ///< contacts kept, the deepest if there are more; 0: from the model's size
  int pair_capacity;  ///< pairs of shapes whose boxes may meet at a time; 0: from the model's size
  double margin;      ///< contacts are also made this far apart, beside the shapes' own margins [m]
  int points;         ///< points per pair of convex shapes: 4 or 8
  bool parent_child;  ///< true: shapes of a link and of the link that it hangs on touch too
} HeftColliderDef;

HEFT_DEF_FUNCTIONS(HeftColliderDef, heft_collider_def_default, heft_collider_def_init);
/// Table of the fields of a HeftColliderDef, without cookie and allocator.
HEFT_API HeftOptions heft_collider_options(void);

/// One contact point. Body a comes before body b.
typedef struct HeftContactPoint {
  int shape_a, shape_b;  ///< shapes of the model
  int body_a, body_b;    ///< their bodies
  int link_a, link_b;    ///< what moves with them: bodies welded together are one link; 0: nothing
  int dim;               ///< 1 frictionless, 3 sliding, 4 torsional too, 6 rolling too
  int pair;              ///< contact pair of the model that rules it, or -1
  HeftVec3 pos;          ///< halfway between the two surfaces
  HeftVec3 normal;       ///< unit, from a to b
  HeftVec3 tangent1;     ///< unit; a smooth function of the normal; turns with shape a, unless both
                         ///< are spheres
  HeftVec3 tangent2;     ///< normal × tangent1
  double gap;            ///< distance along the normal; negative: depth [m]
  double friction, kinetic;  ///< Coulomb coefficients
  double torsion, rolling;   ///< [m]
  double restitution;        ///< 0 to 1
  uint64_t feature;  ///< which feature of shape a meets which of b; the same while they meet
} HeftContactPoint;

/// What a call of heft_collider_collide() found. Contacts that a shape_gap or pair_gap of the model
/// keeps from carrying force (farther apart than margin - gap) are not listed.
typedef struct HeftContactPoints {
  int count;  ///< contacts
  const HeftContactPoint*
      point;             ///< sorted by (body_a, body_b, shapes, feature); until the next call
  int dropped;           ///< contacts beyond contact_capacity; the shallowest were left out
  int pairs;             ///< pairs of shapes that were looked at closely
  int64_t pairs_missed;  ///< pairs beyond pair_capacity that were not looked at
} HeftContactPoints;

/// The model must outlive the collider. *out is NULL on failure. def may be NULL (the default one),
/// error may be NULL.
HEFT_API HeftStatus heft_collider_create(HeftCollider** out, const HeftModel* model,
                                         const HeftColliderDef* def, HeftError* error);
/// NULL is allowed.
HEFT_API void heft_collider_destroy(HeftCollider* collider);
/// Memory taken [bytes].
HEFT_API size_t heft_collider_memory(const HeftCollider* collider);

/// Most touches that a call can give.
HEFT_API int heft_collider_contact_capacity(const HeftCollider* collider);

/// The poses of all bodies in the world (nbody).
HEFT_API void heft_collider_update(HeftCollider* collider, const HeftPose* body_poses);
/// The frames of all links in the world, as the dynamics keeps them: 16 numbers each, three columns
/// of the rotation and the position, padded to four. Faster than bodies one by one.
HEFT_API void heft_collider_update_links(HeftCollider* collider, const double* link_frames);

/// Returns true if a contact point may carry force. user: as given with the function. The answer
/// must depend on the contact point and on data of the user alone, so that a replay is the same.
typedef bool HeftContactFilter(void* user, const HeftContactPoint* point);

/// All contacts at the poses given last.
HEFT_API HeftContactPoints heft_collider_collide(HeftCollider* collider);
/// Removes the contact points of the last call for which the filter returns false, and returns the
/// others. Islands see only these.
HEFT_API HeftContactPoints heft_collider_filter(HeftCollider* collider, HeftContactFilter* filter,
                                                void* user);

// ---- islands

/// Groups of moving things that touch or are joined, directly or through others; the world joins
/// nothing. Links of one kinematic tree belong together. Islands are numbered by their lowest link;
/// each list is in ascending order. All arrays live until the next call.
typedef struct HeftIslands {
  int count;
  const int* link_island;    ///< nlink: the island of a link; -1 for the world
  const int* link_first;     ///< count + 1: where the links of an island begin in `link`
  const int* link;           ///< all links but the world, island by island
  const int* contact_first;  ///< count + 1
  const int* contact;        ///< contacts, island by island
  const int* joint_first;    ///< count + 1
  const int* joint;          ///< indices of `joined`, island by island
} HeftIslands;

/// Islands of the contacts found last and of `joined_count` further pairs of links that belong
/// together (constraints). joined may be NULL if there are none. At most as many as the model has
/// joints, equalities and tendons, plus contact_capacity.
HEFT_API HeftIslands heft_collider_islands(HeftCollider* collider, const int (*joined)[2],
                                           int joined_count);

// ---- queries

/// Which shapes a query looks at: those with (shape_category & category) != 0; category 0 means all
/// that the collider knows (shapes that can touch anything). body -1 or a body whose shapes are
/// left out.
typedef struct HeftQueryFilter {
  int category;
  int except_body;
} HeftQueryFilter;

HEFT_API HeftQueryFilter heft_query_filter_all(void);

typedef struct HeftRayHit {
  int shape;  ///< -1: nothing
  int body;
  double distance;  ///< along the ray [m]
  HeftVec3 pos;     ///< where it enters
  HeftVec3 normal;  ///< of the surface, outward
} HeftRayHit;

/// The first surface that a ray from `from` along the unit vector `direction` enters within
/// `max_distance` [m]. Shapes that hold the origin are not hit from inside.
HEFT_API HeftRayHit heft_collider_ray(const HeftCollider* collider, HeftVec3 from,
                                      HeftVec3 direction, double max_distance,
                                      HeftQueryFilter filter);

typedef struct HeftClosestPoint {
  int shape;  ///< -1: nothing within max_distance
  int body;
  double distance;  ///< to the surface; negative inside (not for triangles) [m]
  HeftVec3 pos;     ///< on the surface
  HeftVec3 normal;  ///< of the surface, outward
} HeftClosestPoint;

/// The surface closest to a point, within max_distance [m].
HEFT_API HeftClosestPoint heft_collider_closest(const HeftCollider* collider, HeftVec3 point,
                                                double max_distance, HeftQueryFilter filter);
/// Shapes that hold a point, in ascending order. Returns how many; at most `most` are written.
/// shapes
/// may be NULL if `most` is 0.
HEFT_API int heft_collider_inside(const HeftCollider* collider, HeftVec3 point,
                                  HeftQueryFilter filter, int max, int* shapes);
/// Shapes that overlap a box with half sizes `half`, placed by `pose`, in ascending order. shapes
/// may
/// be NULL if `most` is 0.
HEFT_API int heft_collider_overlap(HeftCollider* collider, HeftPose pose, HeftVec3 half,
                                   HeftQueryFilter filter, int max, int* shapes);

typedef struct HeftDistance {
  double distance;      ///< negative: depth; infinite for kinds that have none [m]
  HeftVec3 on_a, on_b;  ///< closest points, or deepest ones
  HeftVec3 normal;      ///< unit, from a to b
} HeftDistance;

/// Distance of two shapes of the model, whatever the rules say about contact between them. Not for
/// two planes, nor for a plane with a triangle mesh or height field, nor for two of those.
HEFT_API HeftDistance heft_collider_distance(HeftCollider* collider, int shape_a, int shape_b);

#ifdef __cplusplus
}
#endif
#endif
