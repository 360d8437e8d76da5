// SPDX-License-Identifier: Apache-2.0
// From the builder's records to the model's arrays: one function per kind of element.
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "math/store.h"
#include "model/builder.h"
#include "model/field.h"
#include "model/joint_kind.h"

// A quaternion whose length is 1 up to rounding is stored unchanged: a model that is written and
// read again must not change its last bits.
static void write_unit_quat(double* out, HeftQuat q) {
  const double excess = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z - 1;
  const HeftQuat u = fabs(excess) <= 4e-15 ? q : heft_quat_normalize(q);
  out[0] = u.w;
  out[1] = u.x;
  out[2] = u.y;
  out[3] = u.z;
}

static HeftVec3 unit_vector(HeftVec3 v) {
  return fabs(heft_vec3_dot(v, v) - 1) <= 4e-15 ? v : heft_vec3_normalize(v);
}

static void copy(double* out, const double* from, int count) {
  memcpy(out, from, (size_t)count * sizeof(double));
}

static void fill_bodies(const HeftBuilder* b, HeftModel* m) {
  int joint = 0, moved = 0;
  for (int i = 0; i < m->nbody; ++i) {
    const BodyRecord* r = &LIST_AT(b->bodies, BodyRecord, i);
    m->body_parent[i] = r->def.parent;
    vec3_store(m->body_pos + 3L * i, r->def.pos);
    write_unit_quat(m->body_quat + 4L * i, r->def.quat);
    m->body_mass[i] = r->def.mass;
    vec3_store(m->body_com + 3L * i, r->def.com);
    const HeftMat3 axes = heft_quat_to_mat3(heft_quat_normalize(r->def.inertia_quat));
    HeftSym3 inertia = heft_sym3_rotate(r->def.inertia, axes);
    inertia = heft_sym3_add(inertia, (HeftSym3){0});  // -0 becomes 0: rotated by 1 it would, too
    memcpy(m->body_inertia + 6L * i, &inertia, sizeof inertia);
    m->body_gravity[i] = r->def.gravity;
    m->body_moved[i] = r->def.moved ? moved : -1;
    if (r->def.moved) {
      m->moved_body[moved] = i;
      copy(m->moved_velocity + 6L * moved++, r->def.moved_velocity, 6);
    }
    m->body_joint[i] = joint;
    while (joint < m->njoint && LIST_AT(b->joints, JointRecord, joint).def.body == i) ++joint;
    m->body_joint_count[i] = joint - m->body_joint[i];
    m->body_name[i] = r->name;
  }
}

// The coordinates that describe the pose of body_pos and body_quat.
static void fill_default_q(const HeftJointDef* def, HeftModel* m, int q) {
  double* out = m->q_default + q;
  if (def->type == HEFT_JOINT_BALL) {
    write_unit_quat(out, heft_quat_identity());
  } else if (def->type == HEFT_JOINT_FREE) {
    copy(out, m->body_pos + 3L * def->body, 3);
    copy(out + 3, m->body_quat + 4L * def->body, 4);
  } else {
    copy(out, def->q_default, heft_joint_type_q_count(def->type));
  }
}

static void fill_spring_q(const HeftJointDef* def, HeftModel* m, int q) {
  const int count = heft_joint_type_q_count(def->type);
  if (count == 0) return;
  copy(m->q_spring + q, isnan(def->q_spring[0]) ? m->q_default + q : def->q_spring, count);
  const int rotation = joint_rotation(def->type);
  if (rotation >= 0) {
    double* at = m->q_spring + q + rotation;
    write_unit_quat(at, heft_quat_from(at));
  }
}

static void fill_dofs(const HeftJointDef* def, HeftModel* m, int joint, int dof) {
  for (int k = 0; k < heft_joint_type_dof_count(def->type); ++k) {
    const int d = dof + k;
    m->dof_joint[d] = joint;
    m->dof_damping[d] = def->damping[k];
    m->dof_stiffness[d] = def->stiffness[k];
    m->dof_friction[d] = def->friction[k];
    m->dof_armature[d] = def->armature[k];
    m->dof_limited[d] = def->limited[k];
    copy(m->dof_range + 2L * d, def->range[k], 2);
  }
}

// The part of v across a unit axis, of unit length. A vector that is so already keeps its bits.
static HeftVec3 perpendicular(HeftVec3 v, HeftVec3 axis) {
  const double along = heft_vec3_dot(v, axis);
  return unit_vector(fabs(along) <= 4e-15 ? v : heft_vec3_add_scaled(v, -along, axis));
}

// Unused fields of a joint of this type have one value, so that they do not distinguish models.
static HeftJointDef without_unused(HeftJointDef def) {
  const HeftJointDef plain = heft_joint_def_default();
  if (joint_axis_count(def.type) < 1) def.axis = plain.axis;
  if (joint_axis_count(def.type) < 2) def.axis2 = plain.axis2;
  if (def.type == HEFT_JOINT_FREE || def.type == HEFT_JOINT_FIXED) def.pos = plain.pos;
  if (def.type == HEFT_JOINT_FREE || def.type == HEFT_JOINT_FIXED) def.restitution = 0;
  if (def.type == HEFT_JOINT_FIXED) def.force_limited = 0;
  if (def.type == HEFT_JOINT_FIXED)
    memcpy(def.force_range, plain.force_range, sizeof plain.force_range);
  return def;
}

static void fill_joints(const HeftBuilder* b, HeftModel* m) {
  int q = 0, dof = 0;
  for (int j = 0; j < m->njoint; ++j) {
    JointRecord record = LIST_AT(b->joints, JointRecord, j);
    record.def = without_unused(record.def);
    const JointRecord* r = &record;
    const HeftVec3 axis = unit_vector(r->def.axis);
    // twice: if the axes are nearly parallel, the error of the first projection is large
    const HeftVec3 axis2 = perpendicular(perpendicular(r->def.axis2, axis), axis);
    m->joint_type[j] = r->def.type;
    m->joint_body[j] = r->def.body;
    m->joint_q[j] = q;
    m->joint_dof[j] = dof;
    vec3_store(m->joint_pos + 3L * j, r->def.pos);
    vec3_store(m->joint_axis + 3L * j, axis);
    vec3_store(m->joint_axis2 + 3L * j, axis2);
    m->joint_force_limited[j] = r->def.force_limited;
    copy(m->joint_force_range + 2L * j, r->def.force_range, 2);
    m->joint_restitution[j] = r->def.restitution;
    m->joint_name[j] = r->name;
    fill_default_q(&r->def, m, q);
    fill_spring_q(&r->def, m, q);
    fill_dofs(&r->def, m, j, dof);
    q += heft_joint_type_q_count(r->def.type);
    dof += heft_joint_type_dof_count(r->def.type);
  }
}

static void fill_sites_and_materials(const HeftBuilder* b, HeftModel* m) {
  for (int i = 0; i < m->nsite; ++i) {
    const SiteRecord* r = &LIST_AT(b->sites, SiteRecord, i);
    m->site_body[i] = r->def.body;
    vec3_store(m->site_pos + 3L * i, r->def.pos);
    write_unit_quat(m->site_quat + 4L * i, r->def.quat);
    m->site_type[i] = r->def.type;
    copy(m->site_size + 3L * i, r->def.size, 3);
    m->site_group[i] = r->def.group;
    copy(m->site_color + 4L * i, r->def.color, 4);
    m->site_name[i] = r->name;
  }
  for (int i = 0; i < m->nmaterial; ++i) {
    const MaterialRecord* r = &LIST_AT(b->materials, MaterialRecord, i);
    m->material_friction[i] = r->def.friction;
    m->material_kinetic[i] = isnan(r->def.kinetic) ? r->def.friction : r->def.kinetic;
    m->material_torsion[i] = r->def.torsion;
    m->material_rolling[i] = r->def.rolling;
    m->material_restitution[i] = r->def.restitution;
    copy(m->material_layer + 3L * i, r->def.layer, 3);
    copy(m->material_slip + 2L * i, r->def.slip, 2);
    copy(m->material_soft + 2L * i, r->def.soft, 2);
    copy(m->material_area + 4L * i, r->def.area, 4);
    m->material_name[i] = r->name;
  }
}

static void fill_shapes(const HeftBuilder* b, HeftModel* m) {
  int conveyor = 0;
  for (int i = 0; i < m->nshape; ++i) {
    const ShapeRecord* r = &LIST_AT(b->shapes, ShapeRecord, i);
    m->shape_type[i] = r->def.type;
    m->shape_body[i] = r->def.body;
    vec3_store(m->shape_pos + 3L * i, r->def.pos);
    write_unit_quat(m->shape_quat + 4L * i, r->def.quat);
    copy(m->shape_size + 3L * i, r->def.size, 3);
    m->shape_mesh[i] = r->def.mesh;
    m->shape_height_field[i] = r->def.height_field;
    m->shape_material[i] = r->def.material;
    m->shape_category[i] = r->def.category;
    m->shape_collides[i] = r->def.collides;
    m->shape_contact_dim[i] = r->def.contact_dim;
    m->shape_priority[i] = r->def.priority;
    m->shape_margin[i] = r->def.margin;
    m->shape_gap[i] = r->def.gap;
    m->shape_appearance[i] = r->def.appearance;
    m->shape_group[i] = r->def.group;
    copy(m->shape_color + 4L * i, r->def.color, 4);
    m->shape_conveyor[i] = r->def.conveyor ? conveyor : -1;
    if (r->def.conveyor) {
      m->conveyor_shape[conveyor] = i;
      copy(m->conveyor_velocity + 6L * conveyor++, r->def.conveyor_velocity, 6);
    }
    m->shape_name[i] = r->name;
  }
}

static void fill_meshes(const HeftBuilder* b, HeftModel* m) {
  int vertex = 0, face = 0, hull = 0, corner = 0, sample = 0;
  for (int i = 0; i < m->nmesh; ++i) {
    const MeshRecord* r = &LIST_AT(b->meshes, MeshRecord, i);
    m->mesh_vertex[i] = vertex;
    m->mesh_vertex_count[i] = r->def.vertex_count;
    m->mesh_face[i] = face;
    m->mesh_face_count[i] = r->def.face_count;
    m->mesh_hull[i] = hull;
    m->mesh_hull_count[i] = r->def.hull_count;
    m->mesh_corner[i] = r->def.image && r->def.face_count > 0 ? corner : -1;
    if (r->def.image) corner += 3 * r->def.face_count;
    m->mesh_name[i] = r->name;
    m->mesh_field[i] = r->def.field.type;
    memcpy(m->mesh_field_size + (long)HEFT_FIELD_SIZES * i, r->def.field.size,
           sizeof r->def.field.size);
    memcpy(m->mesh_grid + 3L * i, r->def.field.grid, sizeof r->def.field.grid);
    m->mesh_sample[i] = sample;
    sample += heft_field_sample_count(&r->def.field);
    hull += r->def.hull_count;
    vertex += r->def.vertex_count;
    face += r->def.face_count;
  }
  if (m->nvertex > 0)
    memcpy(m->vertex_pos, b->vertices.items, (size_t)m->nvertex * 3 * sizeof(double));
  if (m->nsample > 0) memcpy(m->sample, b->samples.items, (size_t)m->nsample * sizeof(double));
  if (m->nface > 0) memcpy(m->face_vertex, b->faces.items, (size_t)m->nface * 3 * sizeof(int));
  if (m->nhull > 0) memcpy(m->hull_vertex, b->hulls.items, (size_t)m->nhull * 3 * sizeof(int));
  if (m->ncorner > 0)
    memcpy(m->corner_image, b->corners.items, (size_t)m->ncorner * 2 * sizeof(double));
}

static void fill_height_fields(const HeftBuilder* b, HeftModel* m) {
  int first = 0;
  if (m->nheight > 0) copy(m->height, b->heights.items, m->nheight);
  for (int i = 0; i < m->nheight_field; ++i) {
    const HeightFieldRecord* r = &LIST_AT(b->height_fields, HeightFieldRecord, i);
    const int count = r->def.rows * r->def.columns;
    double highest = 0;
    for (int k = 0; k < count; ++k) highest = fmax(highest, m->height[first + k]);
    m->height_field_height[i] = first;
    m->height_field_rows[i] = r->def.rows;
    m->height_field_columns[i] = r->def.columns;
    copy(m->height_field_size + 4L * i, r->def.size, 4);
    m->height_field_size[4L * i + 2] = highest;
    m->height_field_name[i] = r->name;
    first += count;
  }
}

static void fill_looks(const HeftBuilder* b, HeftModel* m) {
  for (int i = 0; i < m->ntexture; ++i) {
    const TextureRecord* r = &LIST_AT(b->textures, TextureRecord, i);
    m->texture_type[i] = r->def.type;
    m->texture_source[i] = r->def.source;
    m->texture_mark[i] = r->def.mark;
    m->texture_width[i] = r->def.width;
    m->texture_height[i] = r->def.height;
    copy(m->texture_color + 3L * i, r->def.color, 3);
    copy(m->texture_color2 + 3L * i, r->def.color2, 3);
    copy(m->texture_mark_color + 3L * i, r->def.mark_color, 3);
    m->texture_file[i] = LIST_AT(b->texture_files, int, i);
    m->texture_name[i] = r->name;
  }
  for (int i = 0; i < m->nappearance; ++i) {
    const AppearanceRecord* r = &LIST_AT(b->appearances, AppearanceRecord, i);
    copy(m->appearance_color + 4L * i, r->def.color, 4);
    copy(m->appearance_light + 4L * i, r->def.light, 4);
    m->appearance_texture[i] = r->def.texture;
    copy(m->appearance_repeat + 2L * i, r->def.repeat, 2);
    m->appearance_uniform[i] = r->def.uniform;
    m->appearance_name[i] = r->name;
  }
}

static void fill_cameras(const HeftBuilder* b, HeftModel* m) {
  for (int i = 0; i < m->ncamera; ++i) {
    const CameraRecord* r = &LIST_AT(b->cameras, CameraRecord, i);
    m->camera_body[i] = r->def.body;
    vec3_store(m->camera_pos + 3L * i, r->def.pos);
    write_unit_quat(m->camera_quat + 4L * i, r->def.quat);
    m->camera_fov[i] = r->def.fov;
    m->camera_follow[i] = r->def.follow;
    m->camera_target[i] = r->def.target;
    m->camera_name[i] = r->name;
  }
}

static void fill_lights(const HeftBuilder* b, HeftModel* m) {
  for (int i = 0; i < m->nlight; ++i) {
    const LightRecord* r = &LIST_AT(b->lights, LightRecord, i);
    m->light_body[i] = r->def.body;
    vec3_store(m->light_pos + 3L * i, r->def.pos);
    vec3_store(m->light_dir + 3L * i, unit_vector(r->def.dir));
    m->light_follow[i] = r->def.follow;
    m->light_target[i] = r->def.target;
    m->light_directional[i] = r->def.directional;
    m->light_shadow[i] = r->def.shadow;
    m->light_active[i] = r->def.active;
    copy(m->light_ambient + 3L * i, r->def.ambient, 3);
    copy(m->light_diffuse + 3L * i, r->def.diffuse, 3);
    copy(m->light_specular + 3L * i, r->def.specular, 3);
    copy(m->light_attenuation + 3L * i, r->def.attenuation, 3);
    m->light_cutoff[i] = r->def.cutoff;
    m->light_exponent[i] = r->def.exponent;
    m->light_name[i] = r->name;
  }
}

static void fill_contacts(const HeftBuilder* b, HeftModel* m) {
  for (int i = 0; i < m->npair; ++i) {
    const PairRecord* r = &LIST_AT(b->pairs, PairRecord, i);
    m->pair_shape[2L * i] = r->def.shape[0];
    m->pair_shape[2L * i + 1] = r->def.shape[1];
    m->pair_material[i] = r->def.material;
    m->pair_contact_dim[i] = r->def.contact_dim;
    m->pair_margin[i] = r->def.margin;
    m->pair_gap[i] = r->def.gap;
    m->pair_friction2[i] = r->def.friction2;
    m->pair_name[i] = r->name;
  }
  for (int i = 0; i < m->nexclude; ++i) {
    const ExcludeRecord* r = &LIST_AT(b->excludes, ExcludeRecord, i);
    m->exclude_body[2L * i] = r->def.body[0];
    m->exclude_body[2L * i + 1] = r->def.body[1];
    m->exclude_name[i] = r->name;
  }
}

static void fill_equalities(const HeftBuilder* b, HeftModel* m) {
  for (int i = 0; i < m->nequality; ++i) {
    const EqualityRecord* r = &LIST_AT(b->equalities, EqualityRecord, i);
    m->equality_type[i] = r->def.type;
    m->equality_object[2L * i] = r->def.object[0];
    m->equality_object[2L * i + 1] = r->def.object[1];
    m->equality_active[i] = r->def.active;
    vec3_store(m->equality_anchor + 6L * i, r->def.anchor[0]);
    vec3_store(m->equality_anchor + 6L * i + 3, r->def.anchor[1]);
    write_unit_quat(m->equality_quat + 4L * i, r->def.quat);
    copy(m->equality_poly + 5L * i, r->def.poly, 5);
    m->equality_name[i] = r->name;
  }
}

static void fill_deformables(const HeftBuilder* b, HeftModel* m) {
  for (int i = 0; i < m->ndeformable; ++i) {
    const DeformableRecord* r = &LIST_AT(b->deformables, DeformableRecord, i);
    m->deformable_node[i] = r->node;
    m->deformable_node_count[i] = r->node_count;
    m->deformable_tetrahedron[i] = r->tetrahedron;
    m->deformable_tetrahedron_count[i] = r->tetrahedron_count;
    m->deformable_skin[i] = r->skin;
    m->deformable_skin_count[i] = r->skin_count;
    m->deformable_young[i] = r->young;
    m->deformable_poisson[i] = r->poisson;
    m->deformable_damping[i] = r->damping;
    copy(m->deformable_color + 4L * i, r->color, 4);
    m->deformable_name[i] = r->name;
  }
  for (int i = 0; i < m->nnode; ++i) {
    const NodeRecord* r = &LIST_AT(b->nodes, NodeRecord, i);
    m->node_body[i] = r->body;
    copy(m->node_rest + 3L * i, r->rest, 3);
  }
  if (m->ntetrahedron > 0)
    memcpy(m->tetrahedron_node, b->tetrahedra.items, 4 * sizeof(int) * (size_t)m->ntetrahedron);
  if (m->nskin > 0) memcpy(m->skin_node, b->skins.items, 3 * sizeof(int) * (size_t)m->nskin);
}

static void fill_tendons(const HeftBuilder* b, HeftModel* m) {
  int wrap = 0;
  for (int i = 0; i < m->ntendon; ++i) {
    const TendonRecord* r = &LIST_AT(b->tendons, TendonRecord, i);
    m->tendon_wrap[i] = wrap;
    m->tendon_wrap_count[i] = r->def.wrap_count;
    m->tendon_limited[i] = r->def.limited;
    copy(m->tendon_range + 2L * i, r->def.range, 2);
    copy(m->tendon_spring + 2L * i, r->def.spring, 2);
    m->tendon_stiffness[i] = r->def.stiffness;
    m->tendon_damping[i] = r->def.damping;
    m->tendon_friction[i] = r->def.friction;
    m->tendon_armature[i] = r->def.armature;
    m->tendon_width[i] = r->def.width;
    copy(m->tendon_color + 4L * i, r->def.color, 4);
    m->tendon_name[i] = r->name;
    wrap += r->def.wrap_count;
  }
  for (int i = 0; i < m->nwrap; ++i) {
    const HeftWrap* w = &LIST_AT(b->wraps, HeftWrap, i);
    m->wrap_type[i] = w->type;
    m->wrap_object[i] = w->object;
    m->wrap_value[i] = w->value;
    m->wrap_side[i] = w->side;
  }
}

static void fill_actuators(const HeftBuilder* b, HeftModel* m) {
  int act = 0;
  for (int i = 0; i < m->nactuator; ++i) {
    const ActuatorRecord* r = &LIST_AT(b->actuators, ActuatorRecord, i);
    m->actuator_transmission[i] = r->def.transmission;
    m->actuator_target[i] = r->def.target;
    m->actuator_reference[i] = r->def.reference;
    m->actuator_crank[i] = r->def.crank;
    copy(m->actuator_gear + 6L * i, r->def.gear, 6);
    m->actuator_activation[i] = r->def.activation;
    m->actuator_time[i] = r->def.time;
    m->actuator_act[i] = r->def.activation == HEFT_ACTIVATION_NONE ? -1 : act++;
    m->actuator_gain[i] = r->def.gain;
    copy(m->actuator_gain_rate + 2L * i, r->def.gain_rate, 2);
    m->actuator_act_limited[i] = r->def.act_limited;
    copy(m->actuator_act_range + 2L * i, r->def.act_range, 2);
    m->actuator_act_early[i] = r->def.act_early;
    copy(m->actuator_bias + 3L * i, r->def.bias, 3);
    m->actuator_control_limited[i] = r->def.control_limited;
    copy(m->actuator_control_range + 2L * i, r->def.control_range, 2);
    m->actuator_force_limited[i] = r->def.force_limited;
    copy(m->actuator_force_range + 2L * i, r->def.force_range, 2);
    m->actuator_name[i] = r->name;
  }
}

static void fill_calibration(const HeftSensorDef* def, HeftModel* m, int address) {
  const int count = heft_sensor_type_value_count(def->type);
  for (int k = 0; k < count; ++k) {
    copy(m->sensor_matrix + 4L * (address + k), def->matrix + 4L * k, count);
    m->sensor_offset[address + k] = def->offset[k];
  }
}

static void fill_sensors(const HeftBuilder* b, HeftModel* m) {
  int address = 0;
  for (int i = 0; i < m->nsensor; ++i) {
    const SensorRecord* r = &LIST_AT(b->sensors, SensorRecord, i);
    m->sensor_type[i] = r->def.type;
    m->sensor_object[i] = r->def.object;
    m->sensor_frame[i] = r->def.frame;
    m->sensor_reference[i] = r->def.reference;
    m->sensor_reference_frame[i] = r->def.reference_frame;
    m->sensor_address[i] = address;
    m->sensor_noise[i] = r->def.noise;
    m->sensor_cutoff[i] = r->def.cutoff;
    m->sensor_name[i] = r->name;
    fill_calibration(&r->def, m, address);
    address += heft_sensor_type_value_count(r->def.type);
  }
}

// Quaternions close to unit length are made so; others stay as they are, for validation to refuse.
static void fill_key_q(HeftModel* m, int key, const double* q) {
  double* out = m->key_q + (long)key * m->nq;
  if (m->nq > 0) copy(out, q, m->nq);
  for (int j = 0; j < m->njoint; ++j) {
    const HeftJointType type = m->joint_type[j];
    if (joint_rotation(type) < 0) continue;
    double* at = out + m->joint_q[j] + heft_joint_type_q_count(type) - 4;
    const double square = at[0] * at[0] + at[1] * at[1] + at[2] * at[2] + at[3] * at[3];
    if (square >= 0.25 && square <= 4) write_unit_quat(at, heft_quat_from(at));
  }
}

static void fill_key_moved(HeftModel* m, int key, const double* poses) {
  for (int i = 0; i < m->nmoved; ++i) {
    const int body = m->moved_body[i];
    double* out = m->key_moved + 7 * ((long)key * m->nmoved + i);
    copy(out, m->body_pos + 3L * body, 3);
    copy(out + 3, m->body_quat + 4L * body, 4);
    if (!poses) continue;
    const double* given = poses + 7L * i;
    copy(out, given, 7);
    const HeftQuat quat = heft_quat(given[3], given[4], given[5], given[6]);
    const double square = quat.w * quat.w + quat.x * quat.x + quat.y * quat.y + quat.z * quat.z;
    if (square >= 0.25 && square <= 4) write_unit_quat(out + 3, quat);
  }
}

static void fill_keys(const HeftBuilder* b, HeftModel* m) {
  const double* numbers = b->key_numbers.items;
  for (int i = 0; i < m->nkey; ++i) {
    const KeyRecord* r = &LIST_AT(b->keys, KeyRecord, i);
    m->key_time[i] = r->def.time;
    m->key_name[i] = r->name;
    fill_key_q(m, i, r->def.q ? numbers : m->q_default);  // the pointer only means: it was given
    copy(m->key_v + (long)i * m->nv, numbers + m->nq, m->nv);
    copy(m->key_act + (long)i * m->nact, numbers + m->nq + m->nv, m->nact);
    copy(m->key_control + (long)i * m->nactuator, numbers + m->nq + m->nv + m->nact, m->nactuator);
    numbers += m->nq + m->nv + m->nact + m->nactuator;
    fill_key_moved(m, i, r->def.moved ? numbers : NULL);
    numbers += 7L * m->nmoved;
  }
}

// Names move from the order in which things were added to the order of the kinds, so that models
// with the same content have the same bytes, however they were built.
static int move_names(const char* from, char* to, int* offsets, int count, int used) {
  for (int i = 0; i < count; ++i) {
    if (offsets[i] == 0) continue;
    const int size = (int)strlen(from + offsets[i]) + 1;
    memcpy(to + used, from + offsets[i], (size_t)size);
    offsets[i] = used;
    used += size;
  }
  return used;
}

static void fill_names(const HeftBuilder* b, HeftModel* m) {
  const char* from = b->names.items;
  int used = 1;
#define MOVE(kind, offsets, count, text) \
  used = move_names(from, m->names, m->offsets, m->count, used);
  HEFT_NAMED_LIST(MOVE)
#undef MOVE
  used = move_names(from, m->names, m->texture_file, m->ntexture, used);
  if (!b->contact_model[0]) return;
  m->contact_model[0] = used;
  memcpy(m->names + used, b->contact_model, strlen(b->contact_model) + 1);
}

void heft_builder_fill(const HeftBuilder* b, HeftModel* m) {
  fill_bodies(b, m);
  fill_joints(b, m);
  fill_sites_and_materials(b, m);
  fill_shapes(b, m);
  fill_meshes(b, m);
  fill_height_fields(b, m);
  fill_looks(b, m);
  fill_cameras(b, m);
  fill_lights(b, m);
  fill_contacts(b, m);
  fill_equalities(b, m);
  fill_tendons(b, m);
  fill_actuators(b, m);
  fill_sensors(b, m);
  fill_keys(b, m);
  fill_deformables(b, m);
  fill_names(b, m);
}

// An open-addressed table of name offsets; returns 1 if the name was there already.
static int insert_name(int* table, int capacity, const char* names, int offset) {
  const char* name = names + offset;
  uint64_t slot = heft_hash(name, strlen(name), 0) & (uint64_t)(capacity - 1);
  while (table[slot] != 0) {
    if (strcmp(names + table[slot], name) == 0) return 1;
    slot = (slot + 1) & (uint64_t)(capacity - 1);
  }
  table[slot] = offset;
  return 0;
}

static HeftStatus check_unique(const HeftModel* m, const char* kind, const int* offsets, int count,
                               int* table, int capacity, HeftError* error) {
  memset(table, 0, (size_t)capacity * sizeof(int));
  for (int i = 0; i < count; ++i) {
    if (offsets[i] != 0 && insert_name(table, capacity, m->names, offsets[i])) {
      return heft_error_set(error, HEFT_ERR_NAME, "two %s are named '%s'; give each its own name",
                            kind, m->names + offsets[i]);
    }
  }
  return HEFT_OK;
}

HeftStatus heft_builder_check_names(const HeftBuilder* b, const HeftModel* m, HeftError* error) {
  const struct {
    const char* kind;
    const int* offsets;
    int count;
  } kinds[] = {
#define ROW(kind, array, number, text) {text, m->array, m->number},
      HEFT_NAMED_LIST(ROW)
#undef ROW
  };
  const size_t kind_count = sizeof kinds / sizeof *kinds;
  int largest = 0;
  for (size_t i = 0; i < kind_count; ++i)
    largest = kinds[i].count > largest ? kinds[i].count : largest;
  int capacity = 16;
  while (capacity < 2 * largest) capacity *= 2;
  int* table = b->allocator.allocate(b->allocator.user, (size_t)capacity * sizeof(int), 64);
  if (!table) return heft_error_set(error, HEFT_ERR_MEMORY, "no memory to compare names");
  HeftStatus status = HEFT_OK;
  for (size_t i = 0; i < kind_count && status == HEFT_OK; ++i) {
    status =
        check_unique(m, kinds[i].kind, kinds[i].offsets, kinds[i].count, table, capacity, error);
  }
  b->allocator.release(b->allocator.user, table, (size_t)capacity * sizeof(int));
  return status;
}
