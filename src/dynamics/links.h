// SPDX-License-Identifier: Apache-2.0
// Links as the world sees them: frames for the collider, velocities and impulses at the origins of
// their trees.
#ifndef HEFT_SRC_DYNAMICS_LINKS_H
#define HEFT_SRC_DYNAMICS_LINKS_H

#include <heft/dynamics.h>

/// Links, the world included.
int heft_link_count(const HeftModel* model);
/// The link that a body belongs to.
int heft_body_link(const HeftModel* model, int body);
/// The root of a link's tree; 0 for the world.
int heft_link_root(const HeftModel* model, int link);
/// The link that a link hangs on; 0: the world.
int heft_link_parent(const HeftModel* model, int link);
/// Its mass [kg].
double heft_link_mass(const HeftModel* model, int link);
/// A body of that link.
int heft_link_body(const HeftModel* model, int link);
/// The first coordinate of a link's joints in q, and how many they have.
int heft_link_q(const HeftModel* model, int link);
int heft_link_q_count(const HeftModel* model, int link);
/// Their first degree of freedom in v, and how many they have.
int heft_link_dof(const HeftModel* model, int link);
int heft_link_dof_count(const HeftModel* model, int link);
/// One over each pivot of heft_factor() (nv).
const double* heft_factor_pivots(const HeftDynamics* dynamics);
/// 1 if a dof is one of a free joint.
int heft_dof_is_free(const HeftModel* model, int dof);
/// The root of the tree of a dof.
int heft_dof_root(const HeftModel* model, int dof);
/// The frames of all links in the world (nlink x 16): three columns of the rotation and the
/// position, padded to four. Worked out now, kept until the next kinematics.
const double* heft_link_frames(HeftDynamics* dynamics);
/// Velocity of a link at the origin of its tree. Needs velocities.
HeftSpatial heft_link_velocity(const HeftDynamics* dynamics, int link);
/// Acceleration of a link at the origin of its tree, less gravity. Needs heft_rnea().
HeftSpatial heft_link_acceleration(const HeftDynamics* dynamics, int link);
/// tau += Jᵀ of wrenches on links (nlink): moment and force at the origins of their trees, each
/// padded to four, aligned to 64 bytes. Those of heft_add_wrench() are not among them.
void heft_link_wrenches_to_joints(HeftDynamics* dynamics, const double (*wrench)[8], double* tau);

#endif
