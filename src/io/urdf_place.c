// SPDX-License-Identifier: Apache-2.0
// Where a robot stands at the start.
//
// A URDF describes a mechanism with all joints at zero and its root link at the origin: feet may be
// below the floor, and zero may lie outside of the limits of a joint. A start pose gives every
// joint a coordinate within its limits. The robot is raised by
//   lift = height - min over shapes s of min over points x of s of z(x),
// where the minimum of a shape is its support in the direction -z, from the frame R, p of the
// shape:
//   sphere    p_z - r
//   capsule   p_z - |R_zz| h - r
//   cylinder  p_z - |R_zz| h - r sqrt(1 - R_zz²)
//   box       p_z - Σ |R_zi| a_i
//   mesh      min over vertices v of p_z + R_z v
#include <math.h>
#include <string.h>

#include "io/urdf.h"
#include "model/joint_kind.h"

// ---- poses

Pose* urdf_add_home(Urdf* u) {
  Pose* pose = LOAD_ADD(u->load, &u->poses, Pose);
  double* q = load_take(u->load, (size_t)u->joint_count + 1, sizeof *q);
  if (!pose || !q) return NULL;
  *pose = (Pose){.name = "home", .q = q};
  for (int j = 0; j < u->joint_count; ++j) {
    double range[2];
    if (!joint_is_scalar(u->joints[j].type) || !urdf_limits(u, &u->joints[j], range)) continue;
    q[j] = range[0] > 0 ? range[0] : (range[1] < 0 ? range[1] : 0);
  }
  return pose;
}

// A joint that mimics another one is where its equality puts it.
static void follow(Urdf* u, const Pose* pose) {
  for (int j = 0; j < u->joint_count; ++j) {
    const XmlNode* mimic = xml_child(u->joints[j].node, "mimic");
    const char* name = mimic && joint_is_scalar(u->joints[j].type) ? xml_get(mimic, "joint") : NULL;
    const int other = name ? urdf_find_joint(u, name) : -1;
    if (other < 0) continue;  // reported by urdf.c
    pose->q[j] = urdf_read_number(u, mimic, "offset", 0) +
                 urdf_read_number(u, mimic, "multiplier", 1) * pose->q[other];
  }
}

// The pose of a link relative to its parent, with its joint at q.
static HeftPose joint_pose(Urdf* u, const Joint* joint, double q) {
  HeftVec3 pos;
  HeftQuat quat;
  double axis[3] = {1, 0, 0};
  urdf_read_origin(u, joint->node, &pos, &quat);
  const HeftPose origin = heft_pose(pos, quat);
  if (!joint_is_scalar(joint->type)) return origin;
  const XmlNode* node = xml_child(joint->node, "axis");
  if (node) urdf_read_numbers(u, node, "xyz", 3, axis);
  const HeftVec3 a = heft_vec3_normalize(heft_vec3_from(axis));
  const HeftPose moved = joint->type == HEFT_JOINT_HINGE
                             ? heft_pose(heft_vec3(0, 0, 0), heft_quat_from_axis_angle(a, q))
                             : heft_pose(heft_vec3_scale(q, a), heft_quat(1, 0, 0, 0));
  return heft_pose_mul(origin, moved);
}

static void find_link_poses(Urdf* u, const double* q, HeftPose* out) {
  for (int i = 0; i < u->link_count; ++i) {
    const int link = u->order[i], j = u->links[link].parent_joint;
    out[link] = heft_pose(heft_vec3(0, 0, 0), heft_quat(1, 0, 0, 0));
    if (j >= 0)
      out[link] = heft_pose_mul(out[u->joints[j].parent], joint_pose(u, &u->joints[j], q[j]));
  }
}

// ---- the lowest point

static double lowest_vertex(const Mesh* mesh, HeftPose pose) {
  double low = HUGE_VAL;
  for (long v = 0; v < mesh->vertex_count; ++v)
    low = fmin(low, heft_pose_apply(pose, heft_vec3_from(mesh->vertices + 3 * v)).z);
  return low;
}

static double lowest_of(const Urdf* u, const HeftShapeDef* s, HeftPose pose) {
  const HeftVec3 up = heft_mat3_row(pose.rot, 2);
  const double z = pose.pos.z, tilt = fabs(up.z) < 1 ? fabs(up.z) : 1;
  switch (s->type) {
    case HEFT_SHAPE_SPHERE:
      return z - s->size[0];
    case HEFT_SHAPE_CAPSULE:
      return z - tilt * s->size[1] - s->size[0];
    case HEFT_SHAPE_CYLINDER:
      return z - tilt * s->size[1] - s->size[0] * sqrt(1 - tilt * tilt);
    case HEFT_SHAPE_BOX:
      return z - fabs(up.x) * s->size[0] - fabs(up.y) * s->size[1] - tilt * s->size[2];
    case HEFT_SHAPE_MESH:
      return lowest_vertex(&assets_mesh(&u->assets, s->mesh)->mesh, pose);
    case HEFT_SHAPE_PLANE:
    case HEFT_SHAPE_ELLIPSOID:
    case HEFT_SHAPE_HEIGHT_FIELD:
    case HEFT_SHAPE_TYPE_COUNT:
      break;
  }
  return z;
}

// The lowest point of all shapes that collide, or of all shapes if none does, or of the origins of
// all links if there are no shapes.
static double lowest_point(const Urdf* u, const HeftPose* links) {
  double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL};
  for (int i = 0; i < u->link_count; ++i) low[0] = fmin(low[0], links[i].pos.z);
  for (int i = 0; i < u->shapes.count; ++i) {
    const LinkShape* s = &GROW_AT(u->shapes, LinkShape, i);
    const HeftPose pose = heft_pose_mul(links[s->link], heft_pose(s->def.pos, s->def.quat));
    const double z = lowest_of(u, &s->def, pose);
    low[1 + (s->collides != 0)] = fmin(low[1 + (s->collides != 0)], z);
  }
  return isfinite(low[2]) ? low[2] : (isfinite(low[1]) ? low[1] : low[0]);
}

void urdf_place_robot(Urdf* u) {
  const HeftLoadDef* def = u->load->def;
  HeftPose* links = load_take(u->load, (size_t)u->link_count, sizeof *links);
  for (int i = 0; i < u->poses.count && LOAD_OK(u->load); ++i)
    follow(u, &GROW_AT(u->poses, Pose, i));
  if (!links || (!def->urdf_place && !def->urdf_floor)) return;
  for (int i = 0; i < u->poses.count && LOAD_OK(u->load); ++i) {
    Pose* pose = &GROW_AT(u->poses, Pose, i);
    find_link_poses(u, pose->q, links);
    pose->lift = (def->urdf_place ? def->urdf_height : 0) - lowest_point(u, links);
  }
  if (u->poses.count > 0) u->lift = GROW_AT(u->poses, Pose, 0).lift;
}

void urdf_add_floor(Urdf* u) {
  if (!u->load->def->urdf_floor || !LOAD_OK(u->load)) return;
  HeftShapeDef floor = heft_shape_def_default();
  floor.name = "floor";
  floor.type = HEFT_SHAPE_PLANE;
  floor.category = floor.collides = 1;
  heft_builder_add_shape(u->load->builder, &floor);
}

// ---- keyframes

// Coordinates of a pose in the order of the builder: links parents first, as urdf.c adds them.
static int pose_coordinates(const Urdf* u, const Pose* pose, double* out) {
  int count = 0;
  for (int i = 0; i < u->link_count; ++i) {
    const Link* link = &u->links[u->order[i]];
    const Joint* joint = link->parent_joint >= 0 ? &u->joints[link->parent_joint] : NULL;
    const int floating = !joint && u->load->def->base == HEFT_BASE_FLOATING && link->body != 0;
    const HeftJointType type = joint ? joint->type : HEFT_JOINT_FREE;
    if (!joint && !floating) continue;
    if (type == HEFT_JOINT_FREE) {
      const double height = link->pos.z + pose->lift - u->lift;
      const double free[7] = {link->pos.x,  link->pos.y,  height,      link->quat.w,
                              link->quat.x, link->quat.y, link->quat.z};
      memcpy(out + count, free, sizeof free);
    } else if (joint && joint_is_scalar(joint->type)) {
      out[count] = pose->q[link->parent_joint];
    }
    count += heft_joint_type_q_count(type);
  }
  return count;
}

void urdf_add_keys(Urdf* u) {
  Load* load = u->load;
  const int actuators = LOAD_OK(load) ? heft_builder_count(load->builder, HEFT_NAMED_ACTUATOR) : 0;
  for (int i = 0; i < u->poses.count && LOAD_OK(load); ++i) {
    const Pose* pose = &GROW_AT(u->poses, Pose, i);
    HeftKeyDef key = heft_key_def_default();
    double* q = load_take(load, 7 * ((size_t)u->joint_count + 1), sizeof *q);
    double* control = load_take(load, (size_t)actuators + 1, sizeof *control);
    if (!q || !control) return;
    pose_coordinates(u, pose, q);
    for (int j = 0; j < u->joint_count; ++j) {
      if (u->joints[j].servo >= 0) control[u->joints[j].servo] = pose->q[j];
    }
    key.name = pose->name;
    key.q = q;
    key.control = control;
    heft_builder_add_key(load->builder, &key);
  }
}
