// SPDX-License-Identifier: Apache-2.0
// The tree of bodies of an MJCF model: the parts of its reader and their shared types.
#ifndef HEFT_SRC_IO_MJCF_TREE_H
#define HEFT_SRC_IO_MJCF_TREE_H

#include "io/mjcf.h"

/// A geom that was read and is not yet in the builder.
typedef struct GeomPart {
  HeftShapeDef shape;
  HeftInertia inertia;  ///< in the body's frame
  const Item* item;
  GeomInfo info;
} GeomPart;

// ---- elements in order (mjcf_flatten.c)

/// From the frame of the item to the frame of its body.
void mj_place_item(const Item* item, HeftVec3* pos, HeftQuat* quat);
/// Whether the frame of the item is the frame of its body, bit for bit.
int mj_is_plain_frame(const Item* item);
/// A new use of a unit; NULL after a mistake.
Scope* mj_add_scope(Mjcf* m, Unit* unit, const char* prefix, const char* suffix);
/// Appends an Item for each element in parent; `around` gives pose, class and scope.
void mj_flatten(Mjcf* m, const XmlNode* parent, const Item* around, Grow* items);

// ---- geoms (mjcf_geom.c)

enum { MJ_GEOM_TYPE_COUNT = 9 };
/// The shape types in the order of the words of the attribute `type`.
extern const HeftShapeType mj_geom_types[MJ_GEOM_TYPE_COUNT];
/// Reads `fromto`: two ends give the pose and the half length. Returns 0 if it is not given.
int mj_read_ends(Mjcf* m, const Item* item, MjcfKey key, HeftShapeType type, HeftVec3* pos,
                 HeftQuat* quat, double size[3]);
void mj_read_geom(Mjcf* m, Item* item, GeomPart* part);
void mj_add_geom(Mjcf* m, GeomPart* part, int body);
/// Sizes and pose of a shape that is fitted to a mesh (mjcf_fit.c).
void mj_fit_shape(Mjcf* m, const Item* item, MeshAsset* asset, HeftShapeDef* shape);

// ---- inertia (mjcf_inertia.c)

static inline HeftSym3 mj_diagonal(double x, double y, double z) {
  return (HeftSym3){x, y, z, 0, 0, 0};
}

HeftInertia mj_scale_inertia(HeftInertia i, double factor);
/// Sets mass, centre of mass and moments of a body.
void mj_weigh_body(Mjcf* m, const Item* item, const Grow* items, const GeomPart* parts, int count,
                   HeftBodyDef* def);

// ---- joints, sites, cameras, lights

int mj_is_joint(const Item* item);
/// Adds the joint of item *at; *at becomes the last item that belongs to it. count: joints of the
/// body.
void mj_add_joint(Mjcf* m, Grow* items, int* at, int body, int parent, int count);
/// Keeps the springdamper of a joint, if it has one, until the model is complete.
void mj_read_springdamper(Mjcf* m, const Item* item, int dof, int count);
void mj_add_site(Mjcf* m, Item* item, int body);
void mj_add_camera(Mjcf* m, Item* item, int body);
void mj_add_light(Mjcf* m, Item* item, int body);
/// Adds a deformable body; all other bodies must be there.
void mj_add_flexcomp(Mjcf* m, Item* item, int body);

#endif
