// SPDX-License-Identifier: Apache-2.0
// From the arrays of a model back to the builder: the inverse of builder_fill.c.
//
// Each kind of element is added in its order, and a map from the old index to the new one is kept
// (-1: left out). An element is left out if one of those that it refers to is. Meshes, height
// fields, textures, appearances and materials have no body: they are left out if elements that are
// left out used them, and no others. The builder keeps the bits of unit vectors and quaternions, so
// a model that passes through it is the same model.
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/def.h"
#include "base/error.h"
#include "base/kind_table.h"
#include "model/builder.h"
#include "model/field.h"

typedef struct Copying {
  HeftBuilder* b;
  const HeftModel* m;
  const HeftPartDef* def;
  int moved;  // 1: its world lies elsewhere in the builder's world
  struct {
    int q, v, act, moved;
  } first;  // sizes of the builder before
  int *body, *joint, *site, *material, *shape, *mesh, *height_field, *texture, *appearance;
  int *camera, *tendon, *actuator;
} Copying;

// A name with the prefix, in a buffer of the caller. Names that are too long are refused by the
// builder.
static const char* named(const Copying* c, int offset, char out[600]) {
  const char* name = c->m->names + offset;
  if (offset == 0 || !c->def->prefix || !c->def->prefix[0]) return name;
  const size_t prefix = strlen(c->def->prefix), length = strlen(name);
  const size_t p = prefix < 299 ? prefix : 299, n = length < 300 ? length : 300;
  memcpy(out, c->def->prefix, p);
  memcpy(out + p, name, n);
  out[p + n] = '\0';
  return out;
}

// The pose of an element that hangs on the world, in the builder's world.
static void place(const Copying* c, int body, HeftVec3* pos, HeftQuat* quat) {
  if (body != 0 || !c->moved) return;
  *pos = heft_vec3_add(c->def->pos, heft_quat_rotate(c->def->quat, *pos));
  if (quat) *quat = heft_quat_mul(c->def->quat, *quat);
}

static int through(const int* map, int index) { return index < 0 ? index : map[index]; }

// 1 if an element on this body is wanted.
static int carried(const Copying* c, int body) {
  return c->body[body] >= 0 && (body > 0 || c->def->world);
}

// ---- what is used

// Materials and looks that no shape uses stay; if shapes are left out, so are theirs.
static void mark_used(const int* users, const Copying* c, int* map, int count) {
  for (int i = 0; i < count; ++i) map[i] = 0;
  for (int i = 0; i < c->m->nshape; ++i) {
    if (users[i] >= 0 && !carried(c, c->m->shape_body[i]) && map[users[i]] == 0) map[users[i]] = -1;
    if (users[i] >= 0 && carried(c, c->m->shape_body[i])) map[users[i]] = 1;
  }
}

static void choose(const Copying* c) {
  const HeftModel* m = c->m;
  mark_used(m->shape_mesh, c, c->mesh, m->nmesh);
  mark_used(m->shape_height_field, c, c->height_field, m->nheight_field);
  mark_used(m->shape_material, c, c->material, m->nmaterial);
  mark_used(m->shape_appearance, c, c->appearance, m->nappearance);
  for (int i = 0; i < m->npair; ++i)
    if (c->material[m->pair_material[i]] < 0) c->material[m->pair_material[i]] = 0;
  for (int i = 0; i < m->ntexture; ++i) c->texture[i] = 0;
  for (int i = 0; i < m->nappearance; ++i) {
    const int texture = m->appearance_texture[i];
    if (texture >= 0 && c->appearance[i] < 0 && c->texture[texture] == 0) c->texture[texture] = -1;
    if (texture >= 0 && c->appearance[i] >= 0) c->texture[texture] = 1;
  }
  if (c->def->world) return;
  // of a model without its world, only what its shapes use
  for (int i = 0; i < m->ntexture; ++i) c->texture[i] = c->texture[i] > 0 ? 1 : -1;
}

// ---- bodies and joints

static void copy_bodies(const Copying* c) {
  const HeftModel* m = c->m;
  char name[600];
  c->body[0] = c->def->parent;
  for (int i = 1; i < m->nbody; ++i) {
    c->body[i] = -1;
    if (c->body[m->body_parent[i]] < 0 || (c->def->without && c->def->without[i])) continue;
    HeftBodyDef d = heft_body_def_default();
    d.name = named(c, m->body_name[i], name);
    d.parent = c->body[m->body_parent[i]];
    d.pos = heft_vec3_from(m->body_pos + 3L * i);
    d.quat = heft_quat_from(m->body_quat + 4L * i);
    place(c, m->body_parent[i], &d.pos, &d.quat);
    d.mass = m->body_mass[i];
    d.com = heft_vec3_from(m->body_com + 3L * i);
    memcpy(&d.inertia, m->body_inertia + 6L * i, sizeof d.inertia);
    d.gravity = m->body_gravity[i];
    d.moved = m->body_moved[i] >= 0;
    if (d.moved)
      memcpy(d.moved_velocity, m->moved_velocity + 6L * m->body_moved[i], sizeof d.moved_velocity);
    c->body[i] = heft_builder_add_body(c->b, &d);
  }
}

static void copy_dofs(const HeftModel* m, int joint, HeftJointDef* d) {
  for (int k = 0; k < heft_joint_type_dof_count(d->type); ++k) {
    const int dof = m->joint_dof[joint] + k;
    d->damping[k] = m->dof_damping[dof];
    d->stiffness[k] = m->dof_stiffness[dof];
    d->friction[k] = m->dof_friction[dof];
    d->armature[k] = m->dof_armature[dof];
    d->limited[k] = m->dof_limited[dof];
    memcpy(d->range[k], m->dof_range + 2L * dof, sizeof d->range[k]);
  }
}

static void copy_joints(const Copying* c) {
  const HeftModel* m = c->m;
  char name[600];
  for (int i = 0; i < m->njoint; ++i) {
    c->joint[i] = -1;
    if (c->body[m->joint_body[i]] < 0) continue;
    HeftJointDef d = heft_joint_def_default();
    d.name = named(c, m->joint_name[i], name);
    d.body = c->body[m->joint_body[i]];
    d.type = m->joint_type[i];
    d.pos = heft_vec3_from(m->joint_pos + 3L * i);
    d.axis = heft_vec3_from(m->joint_axis + 3L * i);
    d.axis2 = heft_vec3_from(m->joint_axis2 + 3L * i);
    const size_t q = (size_t)heft_joint_type_q_count(d.type) * sizeof(double);
    memcpy(d.q_default, m->q_default + m->joint_q[i], q);
    memcpy(d.q_spring, m->q_spring + m->joint_q[i], q);
    if (c->moved && d.type == HEFT_JOINT_FREE) d.q_spring[0] = (double)NAN;
    copy_dofs(m, i, &d);
    d.force_limited = m->joint_force_limited[i];
    memcpy(d.force_range, m->joint_force_range + 2L * i, sizeof d.force_range);
    d.restitution = m->joint_restitution[i];
    c->joint[i] = heft_builder_add_joint(c->b, &d);
  }
}

static void copy_sites(const Copying* c) {
  const HeftModel* m = c->m;
  char name[600];
  for (int i = 0; i < m->nsite; ++i) {
    c->site[i] = -1;
    if (!carried(c, m->site_body[i])) continue;
    HeftSiteDef d = heft_site_def_default();
    d.name = named(c, m->site_name[i], name);
    d.body = c->body[m->site_body[i]];
    d.pos = heft_vec3_from(m->site_pos + 3L * i);
    d.quat = heft_quat_from(m->site_quat + 4L * i);
    place(c, m->site_body[i], &d.pos, &d.quat);
    d.type = m->site_type[i];
    memcpy(d.size, m->site_size + 3L * i, sizeof d.size);
    d.group = m->site_group[i];
    memcpy(d.color, m->site_color + 4L * i, sizeof d.color);
    c->site[i] = heft_builder_add_site(c->b, &d);
  }
}

// ---- surfaces and shapes

static int same_material(const HeftMaterialDef* a, const HeftMaterialDef* b) {
  const double kinetic = isnan(a->kinetic) ? a->friction : a->kinetic;
  return a->friction == b->friction && kinetic == b->kinetic && a->torsion == b->torsion &&
         a->rolling == b->rolling && a->restitution == b->restitution &&
         a->layer[0] == b->layer[0] && a->layer[1] == b->layer[1] && a->layer[2] == b->layer[2] &&
         a->slip[0] == b->slip[0] && a->slip[1] == b->slip[1] && a->soft[0] == b->soft[0] &&
         a->soft[1] == b->soft[1] && a->area[0] == b->area[0] && a->area[1] == b->area[1] &&
         a->area[2] == b->area[2] && a->area[3] == b->area[3];
}

// The builder's default material replaces the model's if both are the same.
static void copy_materials(const Copying* c) {
  const HeftModel* m = c->m;
  char name[600];
  for (int i = 0; i < m->nmaterial; ++i) {
    if (c->material[i] < 0) continue;
    HeftMaterialDef d = heft_material_def_default();
    d.name = named(c, m->material_name[i], name);
    d.friction = m->material_friction[i];
    d.kinetic = m->material_kinetic[i];
    d.torsion = m->material_torsion[i];
    d.rolling = m->material_rolling[i];
    d.restitution = m->material_restitution[i];
    memcpy(d.layer, m->material_layer + 3L * i, sizeof d.layer);
    memcpy(d.slip, m->material_slip + 2L * i, sizeof d.slip);
    memcpy(d.soft, m->material_soft + 2L * i, sizeof d.soft);
    memcpy(d.area, m->material_area + 4L * i, sizeof d.area);
    const int plain = i == 0 && same_material(&LIST_AT(c->b->materials, MaterialRecord, 0).def, &d);
    c->material[i] = plain ? 0 : heft_builder_add_material(c->b, &d);
  }
}

static void copy_meshes(const Copying* c) {
  const HeftModel* m = c->m;
  char name[600];
  for (int i = 0; i < m->nmesh; ++i) {
    if (c->mesh[i] < 0) continue;
    HeftMeshDef d = heft_mesh_def_default();
    d.name = named(c, m->mesh_name[i], name);
    d.vertex_count = m->mesh_vertex_count[i];
    d.vertices = m->vertex_pos + 3L * m->mesh_vertex[i];
    d.face_count = m->mesh_face_count[i];
    d.faces = m->face_vertex + 3L * m->mesh_face[i];
    d.hull_count = m->mesh_hull_count[i];
    d.hull = m->hull_vertex + 3L * m->mesh_hull[i];
    d.image = m->mesh_corner[i] >= 0 ? m->corner_image + 2L * m->mesh_corner[i] : NULL;
    d.field = heft_model_field(m, i);
    c->mesh[i] = heft_builder_add_mesh(c->b, &d);
  }
  for (int i = 0; i < m->nheight_field; ++i) {
    if (c->height_field[i] < 0) continue;
    HeftHeightFieldDef d = heft_height_field_def_default();
    d.name = named(c, m->height_field_name[i], name);
    d.rows = m->height_field_rows[i];
    d.columns = m->height_field_columns[i];
    memcpy(d.size, m->height_field_size + 4L * i, sizeof d.size);
    d.heights = m->height + m->height_field_height[i];
    c->height_field[i] = heft_builder_add_height_field(c->b, &d);
  }
}

static void copy_looks(const Copying* c) {
  const HeftModel* m = c->m;
  char name[600];
  for (int i = 0; i < m->ntexture; ++i) {
    if (c->texture[i] < 0) continue;
    HeftTextureDef d = heft_texture_def_default();
    d.name = named(c, m->texture_name[i], name);
    d.file = m->names + m->texture_file[i];
    d.type = m->texture_type[i];
    d.source = m->texture_source[i];
    d.mark = m->texture_mark[i];
    d.width = m->texture_width[i];
    d.height = m->texture_height[i];
    memcpy(d.color, m->texture_color + 3L * i, sizeof d.color);
    memcpy(d.color2, m->texture_color2 + 3L * i, sizeof d.color2);
    memcpy(d.mark_color, m->texture_mark_color + 3L * i, sizeof d.mark_color);
    c->texture[i] = heft_builder_add_texture(c->b, &d);
  }
  for (int i = 0; i < m->nappearance; ++i) {
    if (c->appearance[i] < 0) continue;
    HeftAppearanceDef d = heft_appearance_def_default();
    d.name = named(c, m->appearance_name[i], name);
    memcpy(d.color, m->appearance_color + 4L * i, sizeof d.color);
    memcpy(d.light, m->appearance_light + 4L * i, sizeof d.light);
    d.texture = through(c->texture, m->appearance_texture[i]);
    memcpy(d.repeat, m->appearance_repeat + 2L * i, sizeof d.repeat);
    d.uniform = m->appearance_uniform[i];
    c->appearance[i] = heft_builder_add_appearance(c->b, &d);
  }
}

static void copy_shapes(const Copying* c) {
  const HeftModel* m = c->m;
  char name[600];
  for (int i = 0; i < m->nshape; ++i) {
    c->shape[i] = -1;
    if (!carried(c, m->shape_body[i])) continue;
    HeftShapeDef d = heft_shape_def_default();
    d.name = named(c, m->shape_name[i], name);
    d.body = c->body[m->shape_body[i]];
    d.type = m->shape_type[i];
    d.pos = heft_vec3_from(m->shape_pos + 3L * i);
    d.quat = heft_quat_from(m->shape_quat + 4L * i);
    place(c, m->shape_body[i], &d.pos, &d.quat);
    memcpy(d.size, m->shape_size + 3L * i, sizeof d.size);
    d.mesh = through(c->mesh, m->shape_mesh[i]);
    d.height_field = through(c->height_field, m->shape_height_field[i]);
    d.appearance = through(c->appearance, m->shape_appearance[i]);
    d.material = c->material[m->shape_material[i]];
    d.category = m->shape_category[i];
    d.collides = m->shape_collides[i];
    d.contact_dim = m->shape_contact_dim[i];
    d.priority = m->shape_priority[i];
    d.group = m->shape_group[i];
    d.margin = m->shape_margin[i];
    d.gap = m->shape_gap[i];
    memcpy(d.color, m->shape_color + 4L * i, sizeof d.color);
    d.conveyor = m->shape_conveyor[i] >= 0;
    if (d.conveyor)
      memcpy(d.conveyor_velocity, m->conveyor_velocity + 6L * m->shape_conveyor[i],
             sizeof d.conveyor_velocity);
    c->shape[i] = heft_builder_add_shape(c->b, &d);
  }
}

// ---- cameras and lights

static int target_stays(const Copying* c, int target) { return target < 0 || c->body[target] >= 0; }

static void copy_cameras(const Copying* c) {
  const HeftModel* m = c->m;
  char name[600];
  for (int i = 0; i < m->ncamera; ++i) {
    c->camera[i] = -1;
    if (!carried(c, m->camera_body[i]) || !target_stays(c, m->camera_target[i])) continue;
    HeftCameraDef d = heft_camera_def_default();
    d.name = named(c, m->camera_name[i], name);
    d.body = c->body[m->camera_body[i]];
    d.pos = heft_vec3_from(m->camera_pos + 3L * i);
    d.quat = heft_quat_from(m->camera_quat + 4L * i);
    place(c, m->camera_body[i], &d.pos, &d.quat);
    d.fov = m->camera_fov[i];
    d.follow = m->camera_follow[i];
    d.target = through(c->body, m->camera_target[i]);
    c->camera[i] = heft_builder_add_camera(c->b, &d);
  }
}

static void copy_lights(const Copying* c) {
  const HeftModel* m = c->m;
  char name[600];
  for (int i = 0; i < m->nlight; ++i) {
    if (!carried(c, m->light_body[i]) || !target_stays(c, m->light_target[i])) continue;
    HeftLightDef d = heft_light_def_default();
    d.name = named(c, m->light_name[i], name);
    d.body = c->body[m->light_body[i]];
    d.pos = heft_vec3_from(m->light_pos + 3L * i);
    d.dir = heft_vec3_from(m->light_dir + 3L * i);
    place(c, m->light_body[i], &d.pos, NULL);
    if (c->moved && m->light_body[i] == 0) d.dir = heft_quat_rotate(c->def->quat, d.dir);
    d.follow = m->light_follow[i];
    d.target = through(c->body, m->light_target[i]);
    d.directional = m->light_directional[i];
    d.shadow = m->light_shadow[i];
    d.active = m->light_active[i];
    memcpy(d.ambient, m->light_ambient + 3L * i, sizeof d.ambient);
    memcpy(d.diffuse, m->light_diffuse + 3L * i, sizeof d.diffuse);
    memcpy(d.specular, m->light_specular + 3L * i, sizeof d.specular);
    memcpy(d.attenuation, m->light_attenuation + 3L * i, sizeof d.attenuation);
    d.cutoff = m->light_cutoff[i];
    d.exponent = m->light_exponent[i];
    heft_builder_add_light(c->b, &d);
  }
}

// ---- relations

static void copy_pairs(const Copying* c) {
  const HeftModel* m = c->m;
  char name[600];
  for (int i = 0; i < m->npair; ++i) {
    const int a = c->shape[m->pair_shape[2L * i]], b = c->shape[m->pair_shape[2L * i + 1]];
    if (a < 0 || b < 0) continue;
    HeftPairDef d = heft_pair_def_default();
    d.name = named(c, m->pair_name[i], name);
    d.shape[0] = a;
    d.shape[1] = b;
    d.material = c->material[m->pair_material[i]];
    d.contact_dim = m->pair_contact_dim[i];
    d.margin = m->pair_margin[i];
    d.gap = m->pair_gap[i];
    d.friction2 = m->pair_friction2[i];
    heft_builder_add_pair(c->b, &d);
  }
  for (int i = 0; i < m->nexclude; ++i) {
    HeftExcludeDef d = heft_exclude_def_default();
    d.name = named(c, m->exclude_name[i], name);
    d.body[0] = c->body[m->exclude_body[2L * i]];
    d.body[1] = c->body[m->exclude_body[2L * i + 1]];
    if (d.body[0] >= 0 && d.body[1] >= 0) heft_builder_add_exclude(c->b, &d);
  }
}

static const int* objects_of(const Copying* c, HeftEqualityType type) {
  const int* const objects[] = {c->body, c->body, c->joint, c->tendon};
  KIND_TABLE_COVERS(objects, HEFT_EQUALITY_TYPE_COUNT);
  return objects[type];
}

static void copy_equalities(const Copying* c) {
  const HeftModel* m = c->m;
  char name[600];
  for (int i = 0; i < m->nequality; ++i) {
    HeftEqualityDef d = heft_equality_def_default();
    d.name = named(c, m->equality_name[i], name);
    d.type = m->equality_type[i];
    int stays = 1;
    for (int k = 0; k < 2; ++k) {
      const int object = m->equality_object[2L * i + k];
      d.object[k] = through(objects_of(c, d.type), object);
      stays &= object < 0 || d.object[k] >= 0;
      d.anchor[k] = heft_vec3_from(m->equality_anchor + 6L * i + 3L * k);
      const int anchored = d.type == HEFT_EQUALITY_CONNECT || d.type == HEFT_EQUALITY_WELD;
      if (anchored && object == 0) place(c, 0, &d.anchor[k], NULL);
    }
    d.active = m->equality_active[i];
    d.quat = heft_quat_from(m->equality_quat + 4L * i);
    if (d.type == HEFT_EQUALITY_WELD && c->moved && m->equality_object[2L * i] == 0)
      d.quat = heft_quat_mul(c->def->quat, d.quat);
    if (d.type == HEFT_EQUALITY_WELD && c->moved && m->equality_object[2L * i + 1] == 0)
      d.quat = heft_quat_mul(d.quat, heft_quat_conjugate(c->def->quat));
    memcpy(d.poly, m->equality_poly + 5L * i, sizeof d.poly);
    if (stays) heft_builder_add_equality(c->b, &d);
  }
}

static int copy_wrap(const Copying* c, int i, HeftWrap* w) {
  const HeftModel* m = c->m;
  const int object = m->wrap_object[i];
  *w = (HeftWrap){.type = m->wrap_type[i], .object = -1, .value = m->wrap_value[i]};
  if (w->type == HEFT_WRAP_JOINT) w->object = through(c->joint, object);
  if (w->type == HEFT_WRAP_SITE) w->object = through(c->site, object);
  if (w->type == HEFT_WRAP_SHAPE) w->object = through(c->shape, object);
  w->side = through(c->site, m->wrap_side[i]);
  return (w->type == HEFT_WRAP_PULLEY || w->object >= 0) && (m->wrap_side[i] < 0 || w->side >= 0);
}

static void copy_tendon(const Copying* c, int i, HeftWrap* wraps) {
  const HeftModel* m = c->m;
  char name[600];
  HeftTendonDef d = heft_tendon_def_default();
  d.name = named(c, m->tendon_name[i], name);
  d.wrap_count = m->tendon_wrap_count[i];
  d.wraps = wraps;
  int stays = 1;
  for (int k = 0; k < d.wrap_count; ++k) stays &= copy_wrap(c, m->tendon_wrap[i] + k, &wraps[k]);
  d.limited = m->tendon_limited[i];
  memcpy(d.range, m->tendon_range + 2L * i, sizeof d.range);
  memcpy(d.spring, m->tendon_spring + 2L * i, sizeof d.spring);
  d.stiffness = m->tendon_stiffness[i];
  d.damping = m->tendon_damping[i];
  d.friction = m->tendon_friction[i];
  d.armature = m->tendon_armature[i];
  d.width = m->tendon_width[i];
  memcpy(d.color, m->tendon_color + 4L * i, sizeof d.color);
  c->tendon[i] = stays ? heft_builder_add_tendon(c->b, &d) : -1;
}

static const int* targets_of(const Copying* c, HeftTransmission transmission) {
  const int* const targets[] = {c->joint, c->tendon, c->site, c->joint, c->site};
  KIND_TABLE_COVERS(targets, HEFT_TRANSMISSION_COUNT);
  return targets[transmission];
}

static void copy_actuators(const Copying* c) {
  const HeftModel* m = c->m;
  char name[600];
  for (int i = 0; i < m->nactuator; ++i) {
    HeftActuatorDef d = heft_actuator_def_default();
    d.name = named(c, m->actuator_name[i], name);
    d.transmission = m->actuator_transmission[i];
    d.target = through(targets_of(c, d.transmission), m->actuator_target[i]);
    d.reference = through(c->site, m->actuator_reference[i]);
    d.crank = m->actuator_crank[i];
    memcpy(d.gear, m->actuator_gear + 6L * i, sizeof d.gear);
    d.activation = m->actuator_activation[i];
    d.time = m->actuator_time[i];
    d.gain = m->actuator_gain[i];
    memcpy(d.gain_rate, m->actuator_gain_rate + 2L * i, sizeof d.gain_rate);
    memcpy(d.bias, m->actuator_bias + 3L * i, sizeof d.bias);
    d.act_limited = m->actuator_act_limited[i];
    d.act_early = m->actuator_act_early[i];
    memcpy(d.act_range, m->actuator_act_range + 2L * i, sizeof d.act_range);
    d.control_limited = m->actuator_control_limited[i];
    d.force_limited = m->actuator_force_limited[i];
    memcpy(d.control_range, m->actuator_control_range + 2L * i, sizeof d.control_range);
    memcpy(d.force_range, m->actuator_force_range + 2L * i, sizeof d.force_range);
    const int stays = d.target >= 0 && (m->actuator_reference[i] < 0 || d.reference >= 0);
    c->actuator[i] = stays ? heft_builder_add_actuator(c->b, &d) : -1;
  }
}

static const int* frames_of(const Copying* c, HeftFrame frame) {
  if (frame == HEFT_FRAME_SITE) return c->site;
  if (frame == HEFT_FRAME_SHAPE) return c->shape;
  return frame == HEFT_FRAME_CAMERA ? c->camera : c->body;
}

static const int* measured_of(const Copying* c, const HeftSensorDef* d) {
  switch (heft_sensor_type_object(d->type)) {
    case HEFT_SENSOR_OF_JOINT:
      return c->joint;
    case HEFT_SENSOR_OF_ACTUATOR:
      return c->actuator;
    case HEFT_SENSOR_OF_TENDON:
      return c->tendon;
    case HEFT_SENSOR_OF_SITE:
      return c->site;
    case HEFT_SENSOR_OF_BODY:
      return c->body;
    case HEFT_SENSOR_OF_NOTHING:
    case HEFT_SENSOR_OF_FRAME:
      break;
  }
  return frames_of(c, d->frame);
}

static void copy_sensors(const Copying* c) {
  const HeftModel* m = c->m;
  char name[600];
  for (int i = 0; i < m->nsensor; ++i) {
    HeftSensorDef d = heft_sensor_def_default();
    d.name = named(c, m->sensor_name[i], name);
    d.type = m->sensor_type[i];
    d.frame = m->sensor_frame[i];
    d.reference_frame = m->sensor_reference_frame[i];
    d.object = through(measured_of(c, &d), m->sensor_object[i]);
    d.reference = through(frames_of(c, d.reference_frame), m->sensor_reference[i]);
    d.noise = m->sensor_noise[i];
    d.cutoff = m->sensor_cutoff[i];
    const int count = heft_sensor_type_value_count(d.type);
    for (int k = 0; k < count; ++k) {
      const long at = m->sensor_address[i] + k;
      memcpy(d.matrix + 4L * k, m->sensor_matrix + 4 * at, (size_t)count * sizeof(double));
      d.offset[k] = m->sensor_offset[at];
    }
    if ((m->sensor_object[i] < 0 || d.object >= 0) &&
        (m->sensor_reference[i] < 0 || d.reference >= 0))
      heft_builder_add_sensor(c->b, &d);
  }
}

// ---- keyframes

// Numbers of one keyframe of the builder.
typedef struct KeyNumbers {
  double *q, *v, *act, *control, *moved;
} KeyNumbers;

// Added numbers are at the end of each array, in their order.
static void copy_key_numbers(const Copying* c, int i, const KeyNumbers* to) {
  const HeftModel* m = c->m;
  double *q = to->q + c->first.q, *v = to->v + c->first.v, *act = to->act + c->first.act;
  double* moved = to->moved + 7L * c->first.moved;
  for (int j = 0; j < m->njoint; ++j) {
    if (c->joint[j] < 0) continue;
    const HeftJointType type = m->joint_type[j];
    const int nq = heft_joint_type_q_count(type), nv = heft_joint_type_dof_count(type);
    memcpy(q, m->key_q + (long)i * m->nq + m->joint_q[j], (size_t)nq * sizeof(double));
    memcpy(v, m->key_v + (long)i * m->nv + m->joint_dof[j], (size_t)nv * sizeof(double));
    q += nq;
    v += nv;
  }
  for (int j = 0; j < m->nactuator; ++j) {
    if (c->actuator[j] < 0) continue;
    to->control[c->actuator[j]] = m->key_control[(long)i * m->nactuator + j];
    if (m->actuator_act[j] >= 0) *act++ = m->key_act[(long)i * m->nact + m->actuator_act[j]];
  }
  for (int j = 0; j < m->nmoved; ++j) {
    if (c->body[m->moved_body[j]] < 0) continue;
    memcpy(moved, m->key_moved + 7 * ((long)i * m->nmoved + j), 7 * sizeof(double));
    moved += 7;
  }
}

static void copy_keys(const Copying* c) {
  const HeftModel* m = c->m;
  HeftBuilder* b = c->b;
  char name[600];
  const size_t count = (size_t)b->nq + (size_t)b->nv + (size_t)b->nact +
                       (size_t)b->actuators.count + 7 * (size_t)b->nmoved + 1;
  if (m->nkey == 0 || b->error.status != HEFT_OK) return;
  double* numbers = b->allocator.allocate(b->allocator.user, count * sizeof(double), 64);
  if (!numbers) {
    heft_error_set(&b->error, HEFT_ERR_MEMORY, "no memory for keyframes");
    return;
  }
  const KeyNumbers to = {numbers, numbers + b->nq, numbers + b->nq + b->nv,
                         numbers + b->nq + b->nv + b->nact,
                         numbers + b->nq + b->nv + b->nact + b->actuators.count};
  for (int i = 0; i < m->nkey; ++i) {
    memset(numbers, 0, count * sizeof(double));
    heft_builder_default_q(b, to.q);
    heft_builder_default_moved(b, to.moved);
    copy_key_numbers(c, i, &to);
    HeftKeyDef d = heft_key_def_default();
    d.name = named(c, m->key_name[i], name);
    d.time = m->key_time[i];
    d.q = to.q;
    d.v = to.v;
    d.act = to.act;
    d.control = to.control;
    d.moved = to.moved;
    heft_builder_add_key(b, &d);
  }
  b->allocator.release(b->allocator.user, numbers, count * sizeof(double));
}

// ---- all of it

static void copy_tendons(const Copying* c) {
  const HeftModel* m = c->m;
  int most = 1;
  for (int i = 0; i < m->ntendon; ++i)
    most = m->tendon_wrap_count[i] > most ? m->tendon_wrap_count[i] : most;
  const size_t size = (size_t)most * sizeof(HeftWrap);
  HeftWrap* wraps = c->b->allocator.allocate(c->b->allocator.user, size, 64);
  if (!wraps) {
    heft_error_set(&c->b->error, HEFT_ERR_MEMORY, "no memory for tendons");
    return;
  }
  for (int i = 0; i < m->ntendon; ++i) copy_tendon(c, i, wraps);
  c->b->allocator.release(c->b->allocator.user, wraps, size);
}

// A deformable body stays if all its nodes do.
static void copy_deformable(const Copying* c, int i, NodeRecord* nodes) {
  const HeftModel* m = c->m;
  char name[600];
  const int first = m->deformable_node[i], count = m->deformable_node_count[i];
  for (int k = 0; k < count; ++k) {
    memcpy(nodes[k].rest, m->node_rest + 3L * (first + k), sizeof nodes[k].rest);
    nodes[k].body = c->body[m->node_body[first + k]];
    if (nodes[k].body < 0) return;
  }
  DeformableRecord r = {.young = m->deformable_young[i],
                        .poisson = m->deformable_poisson[i],
                        .damping = m->deformable_damping[i],
                        .node_count = count,
                        .tetrahedron_count = m->deformable_tetrahedron_count[i],
                        .skin_count = m->deformable_skin_count[i]};
  memcpy(r.color, m->deformable_color + 4L * i, sizeof r.color);
  r.name = heft_builder_store_name(c->b, named(c, m->deformable_name[i], name));
  const DeformableParts parts = {nodes, m->tetrahedron_node + 4L * m->deformable_tetrahedron[i],
                                 m->skin_node + 3L * m->deformable_skin[i]};
  if (r.name >= 0) heft_builder_store_deformable(c->b, &r, &parts);
}

static void copy_deformables(const Copying* c) {
  const HeftAllocator* a = &c->b->allocator;
  const size_t size = (size_t)c->m->nnode * sizeof(NodeRecord);
  if (c->m->ndeformable == 0 || c->b->error.status != HEFT_OK) return;
  NodeRecord* nodes = a->allocate(a->user, size, 64);
  if (!nodes) {
    heft_error_set(&c->b->error, HEFT_ERR_MEMORY, "no memory for deformable bodies");
    return;
  }
  for (int i = 0; i < c->m->ndeformable; ++i) copy_deformable(c, i, nodes);
  a->release(a->user, nodes, size);
}

static void copy_all(Copying* c) {
  copy_bodies(c);
  copy_joints(c);
  choose(c);
  copy_sites(c);
  copy_materials(c);
  copy_meshes(c);
  copy_looks(c);
  copy_shapes(c);
  copy_cameras(c);
  copy_lights(c);
  copy_pairs(c);
  copy_tendons(c);
  copy_equalities(c);
  copy_actuators(c);
  copy_sensors(c);
  copy_deformables(c);
  if (c->def->keys) copy_keys(c);
}

static int* take(int** at, int count) {
  int* piece = *at;
  *at += count;
  return piece;
}

int heft_builder_add_model(HeftBuilder* b, const HeftModel* m, const HeftPartDef* def) {
  HEFT_REQUIRE(b && m, -1);
  HeftPartDef usual = heft_part_def_default();
  if (!def) def = &usual;
  if (b->error.status != HEFT_OK) return -1;
  if (HEFT_DEF_CHECK(HeftPartDef, heft_part_def_default, def, &b->error) != HEFT_OK) return -1;
  HEFT_REQUIRE(def->parent >= 0 && def->parent < b->bodies.count, -1);
  const HeftQuat q = def->quat;
  Copying c = {.b = b, .m = m, .def = def};
  c.moved = !(def->pos.x == 0 && def->pos.y == 0 && def->pos.z == 0 && q.w == 1 && q.x == 0 &&
              q.y == 0 && q.z == 0);
  const int first = b->bodies.count;
  c.first.q = b->nq;
  c.first.v = b->nv;
  c.first.act = b->nact;
  c.first.moved = b->nmoved;
  const size_t count = (size_t)m->nbody + (size_t)m->njoint + (size_t)m->nsite +
                       (size_t)m->nmaterial + (size_t)m->nshape + (size_t)m->nmesh +
                       (size_t)m->nheight_field + (size_t)m->ntexture + (size_t)m->nappearance +
                       (size_t)m->ncamera + (size_t)m->ntendon + (size_t)m->nactuator;
  int* memory = b->allocator.allocate(b->allocator.user, count * sizeof(int), 64);
  if (!memory) {
    heft_error_set(&b->error, HEFT_ERR_MEMORY, "no memory to add a model");
    return -1;
  }
  int* at = memory;
  c.body = take(&at, m->nbody);
  c.joint = take(&at, m->njoint);
  c.site = take(&at, m->nsite);
  c.material = take(&at, m->nmaterial);
  c.shape = take(&at, m->nshape);
  c.mesh = take(&at, m->nmesh);
  c.height_field = take(&at, m->nheight_field);
  c.texture = take(&at, m->ntexture);
  c.appearance = take(&at, m->nappearance);
  c.camera = take(&at, m->ncamera);
  c.tendon = take(&at, m->ntendon);
  c.actuator = take(&at, m->nactuator);
  copy_all(&c);
  b->allocator.release(b->allocator.user, memory, count * sizeof(int));
  return b->error.status == HEFT_OK ? first : -1;
}
