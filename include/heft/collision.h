// SPDX-License-Identifier: Apache-2.0
/// @file collision.h
/// Collision detection: contact points with position, normal and depth, identified from step to
/// step by the features that meet.
///
/// - A HeftCollider belongs to one const model. All its memory is taken when it is created; no
///   other function allocates, locks, prints or aborts. Use one per thread.
/// - Set the present poses (heft_collider_update()), then call heft_collider_collide() for contact
///   points, or a query. Results depend only on the model, the def and the poses, not on earlier
///   calls, and have the same bits with every compiler and machine.
/// - Points and directions are in the world's frame [m]. Distances are measured between nearby
///   points, so a world that lies far from its origin loses no more than the poses themselves do.
/// - A mesh with a convex hull (HeftModel.mesh_hull_count > 0) collides as its hull, one without as
///   its triangles, one-sided; a mesh with a distance shape (HeftModel.mesh_field) as that shape.
///   Planes are endless and solid below. Planes do not collide with each other, nor do height
///   fields.
#ifndef HEFT_COLLISION_H
#define HEFT_COLLISION_H

#include <heft/model.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Finds contacts of one model. Opaque.
typedef struct HeftCollider HeftCollider;

/// Settings of a collider.
typedef struct HeftColliderDef {
  uint32_t cookie;                 ///< set by heft_collider_def_default(); see HEFT_DEF_COOKIE
  const HeftAllocator* allocator;  ///< may be NULL: the default one; copied
  int contact_capacity;            ///< max number of contact points; 0: from the model
  int pair_capacity;  ///< max number of pairs with overlapping boxes; 0: from the model's size
  double margin;      ///< distance added to the margins of the shapes [m], >= 0
  int points;         ///< max number of points per pair of convex shapes: 4 or 8
  bool parent_child;  ///< true: shapes of a link and of its parent link collide too
} HeftColliderDef;

HEFT_DEF_FUNCTIONS(HeftColliderDef, heft_collider_def_default, heft_collider_def_init);
/// Table of the fields of a HeftColliderDef, without cookie and allocator.
HEFT_API HeftOptions heft_collider_options(void);

/// One contact point. Body a comes before body b.
typedef struct HeftContactPoint {
  int shape_a, shape_b;  ///< shapes of the model
  int body_a, body_b;    ///< their bodies
  int link_a, link_b;    ///< their links: bodies welded together are one link; 0: static or
                         ///< moved
  int dim;               ///< 1 frictionless, 3 sliding, 4 torsional too, 6 rolling too
  int pair;              ///< contact pair of the model that defines it, or -1
  HeftVec3 pos;          ///< halfway between the two surfaces [m]
  HeftVec3 normal;       ///< unit, from a to b
  HeftVec3 tangent1;     ///< unit; a smooth function of the normal; turns with shape a, unless both
                         ///< are spheres
  HeftVec3 tangent2;     ///< normal × tangent1
  double gap;            ///< distance along the normal; negative: depth [m]
  double friction, kinetic;  ///< Coulomb coefficients
  double torsion, rolling;   ///< [m]
  double restitution;        ///< 0 to 1
  uint64_t feature;   ///< which feature of shape a meets which of b; the same while they meet
  double anisotropy;  ///< coefficients along tangent2 are these times those along tangent1; 1
                      ///< unless a contact pair has pair_friction2
  double time;        ///< share of the step after which the shapes meet, if a world found that they
                      ///< meet at speed; 0: they are close now
  HeftVec3 offset;    ///< if time > 0: from the point of a that will meet b to the point of b that
                      ///< will meet a, with pos halfway between them; otherwise zero [m]
  double area;        ///< of the part of a patch that it represents, if a material has area contact
                      ///< (material_area); otherwise 0 [m²]
} HeftContactPoint;

/// Result of heft_collider_collide(). Contact points that carry no force because of a shape_gap or
/// pair_gap of the model (farther apart than margin - gap) are not listed.
typedef struct HeftContactPoints {
  int count;  ///< contacts
  const HeftContactPoint*
      point;             ///< sorted by (body_a, body_b, shapes, feature); until the next call
  int dropped;           ///< contact points beyond contact_capacity: first points that are far
                         ///< apart, then points of pairs that keep most
  int pairs;             ///< pairs of shapes that passed the broad phase
  int64_t pairs_missed;  ///< pairs beyond pair_capacity, which are not tested
} HeftContactPoints;

/// The model must outlive the collider. *out is NULL on failure. def may be NULL (the default one),
/// error may be NULL.
HEFT_API HeftStatus heft_collider_create(HeftCollider** out, const HeftModel* model,
                                         const HeftColliderDef* def, HeftError* error);
/// NULL is allowed.
HEFT_API void heft_collider_destroy(HeftCollider* collider);
/// Memory taken [bytes].
HEFT_API size_t heft_collider_memory(const HeftCollider* collider);

/// Max number of contact points of a call.
HEFT_API int heft_collider_contact_capacity(const HeftCollider* collider);

/// Sets the poses of all bodies in the world.
/// [in] body_poses[nbody]
HEFT_API void heft_collider_update(HeftCollider* collider, const HeftPose* body_poses);
/// Sets the frames of all links in the world, in the layout of the dynamics: three columns of the
/// rotation and the position, padded to four. Faster than poses of bodies.
/// [in] link_frames[links of the model][16]
HEFT_API void heft_collider_update_links(HeftCollider* collider, const double* link_frames);

/// Returns true if a contact point may carry force. user: as given with the function. The answer
/// must depend only on the contact point and on data of the user, so that a replay is the same.
typedef bool HeftContactFilter(void* user, const HeftContactPoint* point);

/// All contacts at the poses given last.
HEFT_API HeftContactPoints heft_collider_collide(HeftCollider* collider);
/// Removes the contact points of the last call for which the filter returns false, and returns the
/// others. Islands see only these.
HEFT_API HeftContactPoints heft_collider_filter(HeftCollider* collider, HeftContactFilter* filter,
                                                void* user);

// ---- detectors of the user

enum { HEFT_DETECTED_MAX = 32 };  ///< most contact points of a pair of shapes

/// Two shapes whose boxes meet and that may touch by the rules of the model. Their frames are the
/// model's; the origin of a mesh or height field is the middle of its bounding box.
typedef struct HeftDetectorPair {
  const HeftModel* model;  ///< the model as the world sees it
  int shape_a, shape_b;    ///< indices of the model; body a comes before body b
  HeftPose b_in_a;         ///< frame of b in the frame of a
  double margin;           ///< points farther apart are left out [m]
} HeftDetectorPair;

/// A contact point in the frame of shape a.
typedef struct HeftDetectedPoint {
  HeftVec3 pos;      ///< halfway between the two surfaces [m]
  HeftVec3 normal;   ///< unit, from a to b
  double gap;        ///< distance along the normal; negative: depth [m]
  uint64_t feature;  ///< below 2^63; the same in the next step for the same point, another for each
                     ///< point of a pair
} HeftDetectedPoint;

/// A detector of collisions: it computes the contact points of two shapes. Heft finds the pairs,
/// and it gives points their materials and tangents. Rays, distances and the search for fast bodies
/// that pass through each other within a step know only Heft's own shapes; pairs of a detector take
/// no part in this search. Points that are not finite, whose normal has no unit length, or that are
/// too many, are left out and count as dropped. All threads of a world call a detector at once: it
/// reads `user` and writes only its results, and the same inputs give the same bits.
typedef struct HeftDetector {
  const char* name;  ///< one word
  /// Returns true if the detector computes the contact points of these shapes, and Heft does not.
  /// NULL: it computes all.
  bool (*takes)(const void* user, const HeftModel* model, int shape_a, int shape_b);
  /// Writes contact points, at most HEFT_DETECTED_MAX. Returns their number.
  int (*collide)(const void* user, const HeftDetectorPair* pair, HeftDetectedPoint* out);
} HeftDetector;

// ---- islands

/// Islands: groups of moving links that are connected by contacts or constraints, directly or
/// through others. The world connects nothing. Links of one kinematic tree are in one island.
/// Islands are numbered by their lowest link; each list is in ascending order. All arrays are owned
/// by the collider and valid until the next call.
typedef struct HeftIslands {
  int count;                 ///< number of islands
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
/// [in] joined[joined_count]
HEFT_API HeftIslands heft_collider_islands(HeftCollider* collider, const int (*joined)[2],
                                           int joined_count);

// ---- queries

/// Shapes that a query includes: those with (shape_category & category) != 0; category 0: all that
/// can collide. except_body: a body whose shapes are skipped, or -1.
typedef struct HeftQueryFilter {
  int category;     ///< bits of shape_category; 0: all
  int except_body;  ///< a body that is skipped; -1: none
} HeftQueryFilter;

/// A filter that includes all shapes that can collide.
HEFT_API HeftQueryFilter heft_query_filter_all(void);

/// Where a ray meets a shape.
typedef struct HeftRayHit {
  int shape;        ///< -1: nothing
  int body;         ///< body of the shape
  double distance;  ///< along the ray [m]
  HeftVec3 pos;     ///< where it enters [m]
  HeftVec3 normal;  ///< of the surface, outward
} HeftRayHit;

/// The first surface that a ray from `from` along the unit vector `direction` enters within
/// `max_distance` [m]. Shapes that contain the origin of the ray are not hit.
HEFT_API HeftRayHit heft_collider_ray(const HeftCollider* collider, HeftVec3 from,
                                      HeftVec3 direction, double max_distance,
                                      HeftQueryFilter filter);

/// A bundle of rays in the frame of a body, site or camera of the model: a depth camera, a lidar,
/// feelers. Its arrays belong to the caller.
typedef struct HeftRays {
  HeftNamed frame;          ///< HEFT_NAMED_BODY, HEFT_NAMED_SITE or HEFT_NAMED_CAMERA
  int index;                ///< of the body, site or camera; body 0: the world
  HeftQueryFilter filter;   ///< shapes that the rays meet
  double max_distance;      ///< of each ray, above 0; may be infinite [m]
  int count;                ///< of rays, 0 or more
  const double* from;       ///< count x 3, in the frame; NULL: all start at its origin [m]
  const double* direction;  ///< count x 3: unit vectors in the frame
} HeftRays;

/// The point of a surface that is closest to a given one.
typedef struct HeftClosestPoint {
  int shape;        ///< -1: nothing within max_distance
  int body;         ///< body of the shape
  double distance;  ///< to the surface; negative inside (not for triangles) [m]
  HeftVec3 pos;     ///< on the surface [m]
  HeftVec3 normal;  ///< of the surface, outward
} HeftClosestPoint;

/// The surface closest to a point, within max_distance [m].
HEFT_API HeftClosestPoint heft_collider_closest(const HeftCollider* collider, HeftVec3 point,
                                                double max_distance, HeftQueryFilter filter);
/// Shapes that contain a point, in ascending order. Returns their count; at most `max` are written.
/// shapes may be NULL if `max` is 0.
/// [out] shapes[max]
HEFT_API int heft_collider_inside(const HeftCollider* collider, HeftVec3 point,
                                  HeftQueryFilter filter, int max, int* shapes);
/// Shapes that overlap a box with half sizes `half` at `pose`, in ascending order. Returns their
/// count; at most `max` are written. shapes may be NULL if `max` is 0.
/// [out] shapes[max]
HEFT_API int heft_collider_overlap(HeftCollider* collider, HeftPose pose, HeftVec3 half,
                                   HeftQueryFilter filter, int max, int* shapes);

/// Distance of two shapes, and where it is measured.
typedef struct HeftDistance {
  double distance;      ///< negative: depth; infinite for kinds that have none [m]
  HeftVec3 on_a, on_b;  ///< closest points, or deepest ones [m]
  HeftVec3 normal;      ///< unit, from a to b
} HeftDistance;

/// Distance of two shapes of the model, whatever the rules of contact between them. Not for two
/// planes, nor for a plane with a triangle mesh or height field, nor for two of those.
HEFT_API HeftDistance heft_collider_distance(HeftCollider* collider, int shape_a, int shape_b);

#ifdef __cplusplus
}
#endif
#endif
