// SPDX-License-Identifier: Apache-2.0
// Links as the world sees them: frames for the collider, velocities and impulses at the origins of
// their trees.
#ifndef HEFT_SRC_DYNAMICS_LINKS_H
#define HEFT_SRC_DYNAMICS_LINKS_H

#include <heft/dynamics.h>

#include "dynamics/workspace.h"

/// Links, the world included.
static inline int heft_link_count(const HeftModel* model) { return model->tree->nlink; }
/// The link that a body belongs to.
static inline int heft_body_link(const HeftModel* model, int body) {
  return model->tree->body_link[body];
}
/// 1 if the motion of a body is prescribed: it is a moved body, or welded to one.
static inline int heft_body_is_moved(const HeftModel* model, int body) {
  return model->nmoved > 0 && model->tree->link[model->tree->body_link[body]].kind == LINK_MOVED;
}
/// The link that forces on a body move: 0 for the world and for moved bodies.
static inline int heft_body_mobile_link(const HeftModel* model, int body) {
  return heft_body_is_moved(model, body) ? 0 : model->tree->body_link[body];
}
/// The root of a link's tree; 0 for the world.
static inline int heft_link_root(const HeftModel* model, int link) {
  return model->tree->link[link].root;
}
/// Parent link of a link; 0: the world.
static inline int heft_link_parent(const HeftModel* model, int link) {
  return model->tree->link[link].parent;
}
/// Its mass [kg].
static inline double heft_link_mass(const HeftModel* model, int link) {
  return model->tree->link[link].mass;
}
/// A body of that link.
static inline int heft_link_body(const HeftModel* model, int link) {
  return model->tree->link[link].body;
}
/// The first coordinate of a link's joints in q, and how many they have.
static inline int heft_link_q(const HeftModel* model, int link) {
  return model->tree->link[link].q;
}
static inline int heft_link_q_count(const HeftModel* model, int link) {
  return model->tree->link[link].q_count;
}
/// Their first degree of freedom in v, and how many they have.
static inline int heft_link_dof(const HeftModel* model, int link) {
  return model->tree->link[link].dof;
}
static inline int heft_link_dof_count(const HeftModel* model, int link) {
  return model->tree->link[link].dof_count;
}
/// The last dof that moves a link, and the dof before a dof on the way to the world; -1: none.
static inline int heft_link_last_dof(const HeftModel* model, int link) {
  const Link* k = &model->tree->link[link];
  return k->dof_count > 0 ? k->dof + k->dof_count - 1 : -1;
}
static inline int heft_dof_before(const HeftModel* model, int dof) {
  return model->tree->dof_parent[dof];
}
/// The motion of a unit velocity of a dof, at the origin of its tree. Needs the kinematics.
static inline HeftSpatial heft_dof_axis(const HeftDynamics* dynamics, int dof) {
  const Pair* axis = &dynamics->axis[dof];
  return heft_spatial(vec3_from_v4(axis->ang), vec3_from_v4(axis->lin));
}
/// One over each pivot of heft_dynamics_factor() (nv).
static inline const double* heft_factor_pivots(const HeftDynamics* dynamics) {
  return dynamics->inverse_d;
}
/// 1 if a dof is one of a free joint.
static inline int heft_dof_is_free(const HeftModel* model, int dof) {
  return model->tree->link[model->tree->dof_link[dof]].kind == LINK_FREE;
}
/// The deformable bodies of the model, NULL: none.
static inline Deform* heft_dynamics_deform(const HeftDynamics* dynamics) {
  return dynamics->deform;
}
/// 1 if a link is a node of a deformable body.
static inline int heft_link_is_node(const HeftModel* model, int link) {
  return model->tree->link[link].deformable >= 0;
}
/// The slides of a node in the world, as columns.
HeftMat3 heft_node_slides(const HeftModel* model, int link);
/// 1 if a link is a node of a deformable body, or holds some, or its tree does.
static inline int heft_link_deforms(const HeftModel* model, int link) {
  return model->tree->link[link].soft != 0;
}
/// The root of the tree of a dof.
static inline int heft_dof_root(const HeftModel* model, int dof) {
  return model->tree->link[model->tree->dof_link[dof]].root;
}
/// The origin of a link's tree in the world.
static inline HeftVec3 heft_link_origin(const HeftDynamics* dynamics, int link) {
  return vec3_from_v4(dynamics->origin[dynamics->tree->link[link].root]);
}
/// The frames of all links in the world (nlink x 16): three columns of the rotation and the
/// position, padded to four. Worked out now, kept until the next kinematics.
const double* heft_link_frames(HeftDynamics* dynamics);
/// Velocity of a link at the origin of its tree. Needs velocities.
static inline HeftSpatial heft_link_velocity(const HeftDynamics* dynamics, int link) {
  const Pair* velocity = &dynamics->velocity[link];
  return heft_spatial(vec3_from_v4(velocity->ang), vec3_from_v4(velocity->lin));
}
/// 1 if no link, with a ball of the given radius about its centre of mass (nlink; 0: it has none),
/// has a point that is faster than `limit` [m/s]. May be 0 for speeds from limit / sqrt(2) on.
/// Needs velocities.
int heft_links_are_slow(const HeftDynamics* dynamics, const double* radius, double limit);
/// Acceleration of a link at the origin of its tree, less gravity. Needs heft_dynamics_rnea().
HeftSpatial heft_link_acceleration(const HeftDynamics* dynamics, int link);
/// tau += Jᵀ of wrenches on links (nlink): moment and force at the origins of their trees, each
/// padded to four, aligned to 64 bytes. Those of heft_dynamics_add_wrench() are not among them.
void heft_link_wrenches_to_joints(HeftDynamics* dynamics, const double (*wrench)[8], double* tau);

/// The mass matrix with a symmetric matrix added to the moment of inertia of each link (nlink;
/// NULL: none), as heft_dynamics_crba().
void heft_dynamics_crba_stiffened(HeftDynamics* dynamics, const HeftSym3* stiff);
/// Adds stiffness (1 - along alongᵀ) at a point of a link, from the origin of its tree, to the mass
/// matrix.
void heft_dynamics_stiffen_point(HeftDynamics* dynamics, int link, HeftVec3 at, HeftVec3 along,
                                 double stiffness);

/// Makes the threads of a pool share the trees from now on; NULL: none. The bits stay the same.
static inline void heft_dynamics_use_pool(HeftDynamics* dynamics, HeftPool* pool) {
  dynamics->pool = pool;
  if (dynamics->deform) heft_deform_use_pool(dynamics->deform, pool);
}
/// Those threads.
static inline HeftPool* heft_dynamics_pool(const HeftDynamics* dynamics) { return dynamics->pool; }
/// How many dofs the tree of a root has.
static inline int heft_tree_dof_count(const HeftModel* model, int root) {
  return model->tree->tree_dofs[root];
}
/// F of effectors of one tree, Ω = F Fᵀ: 6 count rows, `stride` apart and zero beyond the dofs of
/// the tree, which are in ascending order; F = J M̂^-½ in the sense of delassus_effectors.c.
/// scratch: as for heft_dynamics_delassus_effectors() of one of them.
void heft_effector_factors(const HeftDynamics* dynamics, int count, const HeftEffector* effectors,
                           int stride, double* scratch, double* out);
/// 1 if the effector is a body that floats freely: Ω of such a tree needs no scratch.
int heft_effector_is_free_body(const HeftDynamics* dynamics, const HeftEffector* effector);

/// Reads the tree of the model again, after its masses have changed. The kinematics must be
/// computed
/// anew.
void heft_dynamics_refresh_tree(HeftDynamics* dynamics);

#endif
