// SPDX-License-Identifier: Apache-2.0
// Whether plain MJCF can express a part of a model, or <custom> has to carry it.
#ifndef HEFT_SRC_IO_MJCF_PLAIN_H
#define HEFT_SRC_IO_MJCF_PLAIN_H

#include <heft/model.h>

/// Whether an actuator, equality, tendon or sensor refers to the joint by name.
int mjcf_joint_is_referred(const HeftModel* m, int j);
/// Whether the model has elements that refer to bodies, shapes or sites.
int mjcf_any_reference(const HeftModel* m);
/// Whether the reader would build this table of materials only from the friction of the geoms.
int mjcf_materials_are_plain(const HeftModel* m);
/// Whether a <pair> with the friction of the material gets that material again.
int mjcf_pair_finds(const HeftModel* m, int material);
/// The joints of MJCF that a joint of that type becomes, at most 3; returns how many. 0: a fixed
/// joint.
int mjcf_joint_parts(HeftJointType type, HeftJointType out[3]);
/// Whether a ball or free joint has values that differ between its dofs.
int mjcf_dofs_differ(const HeftModel* m, int j);
/// The name of part k >= 1 of joint j in the file.
void mjcf_part_name(int j, int k, char* out, size_t size);
/// Whether both anchors of a connect are sites; site gets their indices.
int mjcf_connect_has_sites(const HeftModel* m, int e, int site[2]);
/// Whether the reader computes the second anchor of a connect to the same bits.
int mjcf_connect_is_plain(const HeftModel* m, int e);
/// The attribute relpose of a weld: position [m] and quaternion.
void mjcf_weld_pose(const HeftModel* m, int e, double pose[7]);
/// Whether the reader computes the anchors of an equality to the same bits.
int mjcf_anchors_are_plain(const HeftModel* m, int e);
/// Whether a shape collides as the triangles of its mesh.
int mjcf_collides_as_triangles(const HeftModel* m, int s);
/// Whether a sensor has a calibration other than the identity.
int mjcf_is_calibrated(const HeftModel* m, int s);

#endif
