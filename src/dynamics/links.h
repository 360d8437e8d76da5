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
/// A body of that link.
int heft_link_body(const HeftModel* model, int link);
/// The root of the tree of a dof.
int heft_dof_root(const HeftModel* model, int dof);
/// The frames of all links in the world (nlink x 16): three columns of the rotation and the
/// position, padded to four. Worked out now, kept until the next kinematics.
const double* heft_link_frames(HeftDynamics* dynamics);
/// Velocity of a link at the origin of its tree. Needs velocities.
HeftSpatial heft_link_velocity(const HeftDynamics* dynamics, int link);
/// Acceleration of a link at the origin of its tree, less gravity. Needs heft_rnea().
HeftSpatial heft_link_acceleration(const HeftDynamics* dynamics, int link);
/// Adds (moment, force) at the origin of its tree to the wrenches of a link.
void heft_add_link_wrench(HeftDynamics* dynamics, int link, const double wrench[6]);

#endif
