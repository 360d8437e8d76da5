// SPDX-License-Identifier: Apache-2.0
// From the builder's records to the model's arrays: one function per kind of thing.
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "model/builder.h"

static void write3(double* out, HeftVec3 v) {
  out[0] = v.x;
  out[1] = v.y;
  out[2] = v.z;
}

static void write_unit_quat(double* out, HeftQuat q) {
  const HeftQuat u = heft_quat_normalize(q);
  out[0] = u.w;
  out[1] = u.x;
  out[2] = u.y;
  out[3] = u.z;
}

static void copy(double* out, const double* from, int count) {
  memcpy(out, from, (size_t)count * sizeof(double));
}

static void fill_bodies(const HeftBuilder* b, HeftModel* m) {
  int joint = 0;
  for (int i = 0; i < m->nbody; ++i) {
    const BodyRecord* r = &LIST_AT(b->bodies, BodyRecord, i);
    m->body_parent[i] = r->def.parent;
    write3(m->body_pos + 3L * i, r->def.pos);
    write_unit_quat(m->body_quat + 4L * i, r->def.quat);
    m->body_mass[i] = r->def.mass;
    write3(m->body_com + 3L * i, r->def.com);
    const HeftMat3 axes = heft_quat_to_mat3(heft_quat_normalize(r->def.inertia_quat));
    const HeftSym3 moment = heft_sym3_rotate(r->def.moment, axes);
    memcpy(m->body_moment + 6L * i, &moment, sizeof moment);
    m->body_gravity[i] = r->def.gravity;
    m->body_joint[i] = joint;
    while (joint < m->njoint && LIST_AT(b->joints, JointRecord, joint).def.body == i) ++joint;
    m->body_joint_count[i] = joint - m->body_joint[i];
    m->body_name[i] = r->name;
  }
}

static int has_angle_quat(HeftJointType type) {
  return type == HEFT_JOINT_BALL || type == HEFT_JOINT_FREE;
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
  if (has_angle_quat(def->type)) {
    double* at = m->q_spring + q + count - 4;
    write_unit_quat(at, heft_quat(at[0], at[1], at[2], at[3]));
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

static void fill_joints(const HeftBuilder* b, HeftModel* m) {
  int q = 0, dof = 0;
  for (int j = 0; j < m->njoint; ++j) {
    const JointRecord* r = &LIST_AT(b->joints, JointRecord, j);
    const HeftVec3 axis = heft_vec3_normalize(r->def.axis);
    const HeftVec3 axis2 =
        heft_vec3_add_scaled(r->def.axis2, -heft_vec3_dot(r->def.axis2, axis), axis);
    m->joint_type[j] = (int)r->def.type;
    m->joint_body[j] = r->def.body;
    m->joint_q[j] = q;
    m->joint_dof[j] = dof;
    write3(m->joint_pos + 3L * j, r->def.pos);
    write3(m->joint_axis + 3L * j, axis);
    write3(m->joint_axis2 + 3L * j, heft_vec3_normalize(axis2));
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
    write3(m->site_pos + 3L * i, r->def.pos);
    write_unit_quat(m->site_quat + 4L * i, r->def.quat);
    m->site_name[i] = r->name;
  }
  for (int i = 0; i < m->nmaterial; ++i) {
    const MaterialRecord* r = &LIST_AT(b->materials, MaterialRecord, i);
    m->material_friction[i] = r->def.friction;
    m->material_kinetic[i] = isnan(r->def.kinetic) ? r->def.friction : r->def.kinetic;
    m->material_torsion[i] = r->def.torsion;
    m->material_rolling[i] = r->def.rolling;
    m->material_restitution[i] = r->def.restitution;
    m->material_name[i] = r->name;
  }
}

static void fill_shapes(const HeftBuilder* b, HeftModel* m) {
  for (int i = 0; i < m->nshape; ++i) {
    const ShapeRecord* r = &LIST_AT(b->shapes, ShapeRecord, i);
    m->shape_type[i] = (int)r->def.type;
    m->shape_body[i] = r->def.body;
    write3(m->shape_pos + 3L * i, r->def.pos);
    write_unit_quat(m->shape_quat + 4L * i, r->def.quat);
    copy(m->shape_size + 3L * i, r->def.size, 3);
    m->shape_mesh[i] = r->def.mesh;
    m->shape_material[i] = r->def.material;
    m->shape_category[i] = r->def.category;
    m->shape_collides[i] = r->def.collides;
    m->shape_contact_dim[i] = r->def.contact_dim;
    m->shape_priority[i] = r->def.priority;
    m->shape_margin[i] = r->def.margin;
    m->shape_group[i] = r->def.group;
    copy(m->shape_color + 4L * i, r->def.color, 4);
    m->shape_name[i] = r->name;
  }
}

static void fill_meshes(const HeftBuilder* b, HeftModel* m) {
  int vertex = 0, face = 0;
  for (int i = 0; i < m->nmesh; ++i) {
    const MeshRecord* r = &LIST_AT(b->meshes, MeshRecord, i);
    m->mesh_vertex[i] = vertex;
    m->mesh_vertex_count[i] = r->def.vertex_count;
    m->mesh_face[i] = face;
    m->mesh_face_count[i] = r->def.face_count;
    m->mesh_name[i] = r->name;
    vertex += r->def.vertex_count;
    face += r->def.face_count;
  }
  if (m->nvertex > 0)
    memcpy(m->vertex_pos, b->vertices.items, (size_t)m->nvertex * 3 * sizeof(double));
  if (m->nface > 0) memcpy(m->face_vertex, b->faces.items, (size_t)m->nface * 3 * sizeof(int));
}

static void fill_actuators(const HeftBuilder* b, HeftModel* m) {
  int act = 0;
  for (int i = 0; i < m->nactuator; ++i) {
    const ActuatorRecord* r = &LIST_AT(b->actuators, ActuatorRecord, i);
    m->actuator_transmission[i] = (int)r->def.transmission;
    m->actuator_target[i] = r->def.target;
    copy(m->actuator_gear + 6L * i, r->def.gear, 6);
    m->actuator_activation[i] = (int)r->def.activation;
    m->actuator_time[i] = r->def.time;
    m->actuator_act[i] = r->def.activation == HEFT_ACTIVATION_NONE ? -1 : act++;
    m->actuator_gain[i] = r->def.gain;
    copy(m->actuator_bias + 3L * i, r->def.bias, 3);
    m->actuator_control_limited[i] = r->def.control_limited;
    copy(m->actuator_control_range + 2L * i, r->def.control_range, 2);
    m->actuator_force_limited[i] = r->def.force_limited;
    copy(m->actuator_force_range + 2L * i, r->def.force_range, 2);
    m->actuator_name[i] = r->name;
  }
}

static void fill_sensors(const HeftBuilder* b, HeftModel* m) {
  int address = 0;
  for (int i = 0; i < m->nsensor; ++i) {
    const SensorRecord* r = &LIST_AT(b->sensors, SensorRecord, i);
    m->sensor_type[i] = (int)r->def.type;
    m->sensor_object[i] = r->def.object;
    m->sensor_address[i] = address;
    m->sensor_noise[i] = r->def.noise;
    m->sensor_cutoff[i] = r->def.cutoff;
    m->sensor_name[i] = r->name;
    address += heft_sensor_type_value_count(r->def.type);
  }
}

// Quaternions close to unit length are made so; others stay as they are, for validation to refuse.
static void fill_key_q(HeftModel* m, int key, const double* q) {
  double* out = m->key_q + (long)key * m->nq;
  if (m->nq > 0) copy(out, q, m->nq);
  for (int j = 0; j < m->njoint; ++j) {
    const HeftJointType type = (HeftJointType)m->joint_type[j];
    if (!has_angle_quat(type)) continue;
    double* at = out + m->joint_q[j] + heft_joint_type_q_count(type) - 4;
    const double square = at[0] * at[0] + at[1] * at[1] + at[2] * at[2] + at[3] * at[3];
    if (square >= 0.25 && square <= 4) write_unit_quat(at, heft_quat(at[0], at[1], at[2], at[3]));
  }
}

static void fill_keys(const HeftBuilder* b, HeftModel* m) {
  const double* numbers = b->key_numbers.items;
  for (int i = 0; i < m->nkey; ++i) {
    const KeyRecord* r = &LIST_AT(b->keys, KeyRecord, i);
    m->key_time[i] = r->def.time;
    m->key_name[i] = r->name;
    fill_key_q(m, i, r->def.q ? numbers : m->q_default);  // the pointer only says: it was given
    copy(m->key_v + (long)i * m->nv, numbers + m->nq, m->nv);
    copy(m->key_act + (long)i * m->nact, numbers + m->nq + m->nv, m->nact);
    copy(m->key_control + (long)i * m->nactuator, numbers + m->nq + m->nv + m->nact, m->nactuator);
    numbers += m->nq + m->nv + m->nact + m->nactuator;
  }
}

void heft_builder_fill(const HeftBuilder* b, HeftModel* m) {
  fill_bodies(b, m);
  fill_joints(b, m);
  fill_sites_and_materials(b, m);
  fill_shapes(b, m);
  fill_meshes(b, m);
  fill_actuators(b, m);
  fill_sensors(b, m);
  fill_keys(b, m);
  memcpy(m->names, b->names.items, (size_t)m->nname);
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
  } kinds[] = {{"bodies", m->body_name, m->nbody},
               {"joints", m->joint_name, m->njoint},
               {"sites", m->site_name, m->nsite},
               {"materials", m->material_name, m->nmaterial},
               {"shapes", m->shape_name, m->nshape},
               {"meshes", m->mesh_name, m->nmesh},
               {"actuators", m->actuator_name, m->nactuator},
               {"sensors", m->sensor_name, m->nsensor},
               {"keyframes", m->key_name, m->nkey}};
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
