// SPDX-License-Identifier: Apache-2.0
// The section <worldbody> of a written model: the tree of bodies with their joints, geoms, sites,
// cameras and lights.
#include <string.h>

#include "base/kind_table.h"
#include "io/bits.h"
#include "io/mjcf_plain.h"
#include "io/mjcf_put.h"
#include "io/mjcf_write.h"
#include "model/joint_kind.h"

static HeftVec3 part_axis(const HeftModel* m, int j, int k) {
  const HeftVec3 a = heft_vec3_from(m->joint_axis + 3L * j),
                 b = heft_vec3_from(m->joint_axis2 + 3L * j);
  if (k == 0 || joint_axis_count(m->joint_type[j]) < 2) return a;
  return k == 1 ? b : heft_vec3_cross(a, b);
}

// Part k of a joint, with the numbers of its dof; a whole joint is its own part 0.
static void write_part(Out* o, int j, int k, HeftJointType type, int parts) {
  const HeftModel* m = o->m;
  const int d = m->joint_dof[j] + k, q = m->joint_q[j] + k;
  const HeftVec3 axis = part_axis(m, j, k);
  out_open(o, "joint");
  if (k == 0) {
    mj_put_own_name(o, MJ_joint_name, HEFT_NAMED_JOINT, j,
                    parts > 1 || mjcf_dofs_differ(m, j) || m->joint_restitution[j] != 0 ||
                        mjcf_joint_is_referred(m, j));
  } else {
    char name[64];
    mjcf_part_name(j, k, name, sizeof name);
    mj_put_text_always(o, MJ_joint_name, name);
  }
  mj_put_text(o, MJ_joint_type, heft_joint_type_name(type));
  if (type != HEFT_JOINT_FREE) mj_put_reals(o, MJ_joint_pos, m->joint_pos + 3L * j, 3);
  if (joint_is_scalar(type)) {
    mj_put_reals(o, MJ_joint_axis, &axis.x, 3);
    mj_put_real(o, MJ_joint_ref, m->q_default[q]);
    mj_put_real(o, MJ_joint_springref, m->q_spring[q]);
  }
  double range[2] = {m->dof_range[2L * d], m->dof_range[2L * d + 1]};
  if (type == HEFT_JOINT_BALL) range[0] = 0;
  const int limited = m->dof_limited[d] && (type != HEFT_JOINT_BALL || range[1] > 0);
  if (type != HEFT_JOINT_FREE) mj_put_range(o, MJ_joint_limited, MJ_joint_range, limited, range);
  mj_put_real(o, MJ_joint_stiffness, m->dof_stiffness[d]);
  mj_put_real(o, MJ_joint_damping, m->dof_damping[d]);
  mj_put_real(o, MJ_joint_frictionloss, m->dof_friction[d]);
  mj_put_real(o, MJ_joint_armature, m->dof_armature[d]);
  if (k == 0)
    mj_put_range(o, MJ_joint_actuatorfrclimited, MJ_joint_actuatorfrcrange,
                 m->joint_force_limited[j], m->joint_force_range + 2L * j);
  out_end_empty(o);
}

static void write_joint(Out* o, int j) {
  HeftJointType types[3];
  const int parts = mjcf_joint_parts(o->m->joint_type[j], types);
  for (int k = 0; k < parts; ++k) write_part(o, j, k, types[k], parts);
}

static void write_inertial(Out* o, int b) {
  const HeftModel* m = o->m;
  static const double none[6] = {0};
  if (m->body_mass[b] == 0 && bits_same(m->body_inertia + 6L * b, none, 6) &&
      bits_same(m->body_com + 3L * b, none, 3))
    return;
  out_open(o, "inertial");
  mj_put_reals_always(o, MJ_inertial_pos, m->body_com + 3L * b, 3);
  mj_put_reals_always(o, MJ_inertial_mass, m->body_mass + b, 1);
  mj_put_reals_always(o, MJ_inertial_fullinertia, m->body_inertia + 6L * b, 6);
  out_end_empty(o);
}

static int size_count(HeftShapeType type) {
  switch (type) {
    case HEFT_SHAPE_SPHERE:
      return 1;
    case HEFT_SHAPE_CAPSULE:
    case HEFT_SHAPE_CYLINDER:
      return 2;
    case HEFT_SHAPE_MESH:
    case HEFT_SHAPE_HEIGHT_FIELD:
      return 0;
    case HEFT_SHAPE_PLANE:
    case HEFT_SHAPE_ELLIPSOID:
    case HEFT_SHAPE_BOX:
    case HEFT_SHAPE_TYPE_COUNT:
      break;
  }
  return 3;
}

static const char* shape_word(HeftShapeType type) {
  return type == HEFT_SHAPE_HEIGHT_FIELD ? "hfield" : heft_shape_type_name(type);
}

static void write_geom(Out* o, int s) {
  const HeftModel* m = o->m;
  const HeftShapeType type = m->shape_type[s];
  const int k = m->shape_material[s];
  double size[3];
  memcpy(size, m->shape_size + 3L * s, sizeof size);
  if (type == HEFT_SHAPE_PLANE && size[2] == 0)
    size[2] = 0.01;  // spacing of a grid that MuJoCo requires
  out_open(o, "geom");
  mj_put_own_name(o, MJ_geom_name, HEFT_NAMED_SHAPE, s,
                  mjcf_any_reference(m) || m->shape_conveyor[s] >= 0 ||
                      mjcf_collides_as_triangles(m, s) || (o->plan->explicit_materials && k > 0));
  const int is_field = type == HEFT_SHAPE_MESH && m->mesh_field[m->shape_mesh[s]] > 0;
  mj_put_text(o, MJ_geom_type, is_field ? "sdf" : shape_word(type));
  mj_put_reals(o, MJ_geom_pos, m->shape_pos + 3L * s, 3);
  mj_put_quat(o, MJ_geom_quat, m->shape_quat + 4L * s);
  if (size_count(type) > 0) mj_put_reals_always(o, MJ_geom_size, size, size_count(type));
  if (type == HEFT_SHAPE_MESH) mj_put_reference(o, MJ_geom_mesh, HEFT_NAMED_MESH, m->shape_mesh[s]);
  if (type == HEFT_SHAPE_HEIGHT_FIELD)
    mj_put_reference(o, MJ_geom_hfield, HEFT_NAMED_HEIGHT_FIELD, m->shape_height_field[s]);
  mj_put_int(o, MJ_geom_contype, m->shape_category[s]);
  mj_put_int(o, MJ_geom_conaffinity, m->shape_collides[s]);
  mj_put_int(o, MJ_geom_condim, m->shape_contact_dim[s]);
  mj_put_int(o, MJ_geom_priority, m->shape_priority[s]);
  const double friction[3] = {m->material_friction[k], m->material_torsion[k],
                              m->material_rolling[k]};
  mj_put_reals(o, MJ_geom_friction, friction, 3);
  mj_put_real(o, MJ_geom_margin, m->shape_margin[s]);
  mj_put_real(o, MJ_geom_gap, m->shape_gap[s]);
  mj_put_int(o, MJ_geom_group, m->shape_group[s]);
  mj_put_reference(o, MJ_geom_material, HEFT_NAMED_APPEARANCE, m->shape_appearance[s]);
  if (m->shape_appearance[s] >= 0) {
    mj_put_reals_always(o, MJ_geom_rgba, m->shape_color + 4L * s, 4);
  } else {
    mj_put_reals(o, MJ_geom_rgba, m->shape_color + 4L * s, 4);
  }
  out_end_empty(o);
}

static void write_site(Out* o, int s) {
  const HeftModel* m = o->m;
  out_open(o, "site");
  mj_put_own_name(o, MJ_site_name, HEFT_NAMED_SITE, s, mjcf_any_reference(m));
  mj_put_text(o, MJ_site_type, heft_shape_type_name(m->site_type[s]));
  mj_put_reals(o, MJ_site_pos, m->site_pos + 3L * s, 3);
  mj_put_quat(o, MJ_site_quat, m->site_quat + 4L * s);
  mj_put_reals(o, MJ_site_size, m->site_size + 3L * s, 3);
  mj_put_int(o, MJ_site_group, m->site_group[s]);
  mj_put_reals(o, MJ_site_rgba, m->site_color + 4L * s, 4);
  out_end_empty(o);
}

static const char* const follows[] = {HEFT_FOLLOW_LIST(KIND_TEXT)};

static void write_camera(Out* o, int c) {
  const HeftModel* m = o->m;
  out_open(o, "camera");
  mj_put_own_name(o, MJ_camera_name, HEFT_NAMED_CAMERA, c, m->nsensor > 0);
  mj_put_text(o, MJ_camera_mode, follows[m->camera_follow[c]]);
  mj_put_reference(o, MJ_camera_target, HEFT_NAMED_BODY, m->camera_target[c]);
  mj_put_reals(o, MJ_camera_pos, m->camera_pos + 3L * c, 3);
  mj_put_quat(o, MJ_camera_quat, m->camera_quat + 4L * c);
  mj_put_degrees(o, MJ_camera_fovy, m->camera_fov[c]);
  out_end_empty(o);
}

static void write_light(Out* o, int l) {
  const HeftModel* m = o->m;
  out_open(o, "light");
  mj_put_own_name(o, MJ_light_name, HEFT_NAMED_LIGHT, l, 0);
  mj_put_text(o, MJ_light_mode, follows[m->light_follow[l]]);
  mj_put_reference(o, MJ_light_target, HEFT_NAMED_BODY, m->light_target[l]);
  mj_put_bool(o, MJ_light_directional, m->light_directional[l]);
  mj_put_bool(o, MJ_light_castshadow, m->light_shadow[l]);
  mj_put_bool(o, MJ_light_active, m->light_active[l]);
  mj_put_reals(o, MJ_light_pos, m->light_pos + 3L * l, 3);
  mj_put_reals(o, MJ_light_dir, m->light_dir + 3L * l, 3);
  mj_put_reals(o, MJ_light_attenuation, m->light_attenuation + 3L * l, 3);
  mj_put_degrees(o, MJ_light_cutoff, m->light_cutoff[l]);
  mj_put_real(o, MJ_light_exponent, m->light_exponent[l]);
  mj_put_reals(o, MJ_light_ambient, m->light_ambient + 3L * l, 3);
  mj_put_reals(o, MJ_light_diffuse, m->light_diffuse + 3L * l, 3);
  mj_put_reals(o, MJ_light_specular, m->light_specular + 3L * l, 3);
  out_end_empty(o);
}

static void write_parts(Out* o, int b) {
  const HeftModel* m = o->m;
  for (int j = m->body_joint[b]; j < m->body_joint[b] + m->body_joint_count[b]; ++j)
    write_joint(o, j);
  if (b > 0) write_inertial(o, b);
  for (int s = 0; s < m->nshape; ++s) {
    if (m->shape_body[s] != b) continue;
    o->plan->shape[o->plan->shapes++] = s;
    write_geom(o, s);
  }
  for (int s = 0; s < m->nsite; ++s) {
    if (m->site_body[s] != b) continue;
    o->plan->site[o->plan->sites++] = s;
    write_site(o, s);
  }
  for (int c = 0; c < m->ncamera; ++c) {
    if (m->camera_body[c] != b) continue;
    o->plan->camera[o->plan->cameras++] = c;
    write_camera(o, c);
  }
  for (int l = 0; l < m->nlight; ++l) {
    if (m->light_body[l] != b) continue;
    o->plan->light[o->plan->lights++] = l;
    write_light(o, l);
  }
}

static void write_body(Out* o, int b) {
  const HeftModel* m = o->m;
  if (o->status != HEFT_OK) return;
  out_open(o, "body");
  int fixed = 0;
  for (int j = 0; j < m->body_joint_count[b]; ++j)
    fixed |= m->joint_type[m->body_joint[b] + j] == HEFT_JOINT_FIXED;
  mj_put_own_name(o, MJ_body_name, HEFT_NAMED_BODY, b,
                  fixed || m->body_moved[b] >= 0 || mjcf_any_reference(m));
  mj_put_reals(o, MJ_body_pos, m->body_pos + 3L * b, 3);
  mj_put_quat(o, MJ_body_quat, m->body_quat + 4L * b);
  mj_put_real(o, MJ_body_gravcomp, 1 - m->body_gravity[b]);
  mj_put_bool(o, MJ_body_mocap, m->body_moved[b] >= 0);
  out_begin_content(o);
  write_parts(o, b);
}

// Bodies in the order of the plan; those that end before the next one begins are closed here.
void mjcf_write_bodies(Out* o) {
  const HeftModel* m = o->m;
  out_begin(o, "worldbody");
  write_parts(o, 0);
  int open = 0;
  for (int i = 1; i < m->nbody; ++i) {
    const int b = o->plan->body[i];
    for (; open != m->body_parent[b]; open = m->body_parent[open]) out_end(o, "body");
    write_body(o, b);
    open = b;
  }
  for (; open > 0; open = m->body_parent[open]) out_end(o, "body");
  out_end(o, "worldbody");
}
