// SPDX-License-Identifier: Apache-2.0
// A model as MJCF. Attributes come from the same table as in the reader: what equals the table's
// default is left out. Numbers have the fewest digits that read back to the same bits, and
// everything is written in the form in which the reader takes it without arithmetic: radians,
// quaternions, full inertias, general actuators. Things without a name that others refer to get one
// that the reader takes away again.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io/mjcf.h"
#include "io/number.h"
#include "io/out.h"

// What stands where in the file: MJCF has bodies depth first, and what they carry with them.
typedef struct MjcfPlan {
  int explicit_materials;                     ///< contact materials stand in <custom>
  int *body, *shape, *site, *camera, *light;  ///< the model's index of each thing of the file
  int shapes, sites, cameras, lights;         ///< written so far
} MjcfPlan;

// ---- attributes, by the table

static void put_name_of(Out* o, MjcfKey key) {
  out_text(o, " ");
  out_text(o, mjcf_attributes[key].name);
  out_text(o, "=\"");
}

static void put_reals_always(Out* o, MjcfKey key, const double* x, int count) {
  put_name_of(o, key);
  for (int i = 0; i < count; ++i) {
    if (i > 0) out_text(o, " ");
    out_number(o, x[i]);
  }
  out_text(o, "\"");
}

// The table's default as numbers; how many there are.
static int default_numbers(MjcfKey key, double* out, int most) {
  const char* at = mjcf_attributes[key].fallback;
  if (!at) return 0;
  const char* stop = at + strlen(at);
  int count = 0;
  while (at < stop && count < most) {
    const char* next = number_read(at, stop, &out[count]);
    if (!next) break;
    ++count;
    at = *next == ' ' ? next + 1 : next;
  }
  return count;
}

static int is_default(MjcfKey key, const double* x, int count) {
  double d[10];
  return default_numbers(key, d, 10) >= count && number_same(d, x, count);
}

static void put_reals(Out* o, MjcfKey key, const double* x, int count) {
  if (!is_default(key, x, count)) put_reals_always(o, key, x, count);
}

static void put_real(Out* o, MjcfKey key, double x) { put_reals(o, key, &x, 1); }

static void put_int(Out* o, MjcfKey key, int x) {
  const double real = x;
  if (is_default(key, &real, 1)) return;
  char text[16];
  snprintf(text, sizeof text, "%d", x);
  put_name_of(o, key);
  out_text(o, text);
  out_text(o, "\"");
}

static void put_text_always(Out* o, MjcfKey key, const char* text) {
  put_name_of(o, key);
  out_escaped(o, text);
  out_text(o, "\"");
}

static void put_text(Out* o, MjcfKey key, const char* text) {
  const char* fallback = mjcf_attributes[key].fallback;
  if (!fallback || strcmp(fallback, text) != 0) put_text_always(o, key, text);
}

static void put_bool(Out* o, MjcfKey key, int x) { put_text(o, key, x ? "true" : "false"); }

static void put_quat(Out* o, MjcfKey key, const double* q) {
  static const double none[4] = {1, 0, 0, 0};
  if (!number_same(q, none, 4)) put_reals_always(o, key, q, 4);
}

// A range: given where it applies, and taken back where it does not.
static void put_range(Out* o, MjcfKey limited, MjcfKey range, int applies, const double* x) {
  if (applies || x[0] != 0 || x[1] != 0) put_reals_always(o, range, x, 2);
  if (!applies && (x[0] != 0 || x[1] != 0)) put_text_always(o, limited, "false");
}

// An angle in degrees that reads back to the same radians.
static void put_degrees(Out* o, MjcfKey key, double radians) {
  double best = radians / (HEFT_PI / 180);
  for (int side = -1; side <= 1; side += 2) {
    double x = radians / (HEFT_PI / 180);
    for (int step = 0; step < 8 && best * (HEFT_PI / 180) != radians; ++step) {
      if (x * (HEFT_PI / 180) == radians) best = x;
      x = nextafter(x, side * 1e9);
    }
  }
  put_real(o, key, best);
}

// ---- names

static const char* name_at(const Out* o, HeftNamed kind, int i) {
  return heft_model_name(o->m, kind, i);
}

static void put_thing(Out* o, HeftNamed kind, int i) {
  const char* name = name_at(o, kind, i);
  char made[64];
  if (!name[0] && !(kind == HEFT_NAMED_BODY && i == 0)) {
    snprintf(made, sizeof made, MJCF_NAMELESS "%d", i);
    name = made;
  }
  out_escaped(o, kind == HEFT_NAMED_BODY && i == 0 ? "world" : name);
}

static void put_reference(Out* o, MjcfKey key, HeftNamed kind, int i) {
  if (i < 0) return;
  put_name_of(o, key);
  put_thing(o, kind, i);
  out_text(o, "\"");
}

// Its own name; things that can be referred to always have one.
static void put_own_name(Out* o, MjcfKey key, HeftNamed kind, int i, int referred) {
  const char* name = name_at(o, kind, i);
  if (!name[0] && !referred) return;
  put_name_of(o, key);
  put_thing(o, kind, i);
  out_text(o, "\"");
}

static int joint_is_referred(const HeftModel* m, int j) {
  for (int a = 0; a < m->nactuator; ++a) {
    const int t = m->actuator_transmission[a];
    if ((t == HEFT_TRANSMISSION_JOINT || t == HEFT_TRANSMISSION_JOINT_IN_PARENT) &&
        m->actuator_target[a] == j)
      return 1;
  }
  for (int e = 0; e < m->nequality; ++e) {
    if (m->equality_type[e] == HEFT_EQUALITY_JOINT &&
        (m->equality_object[2L * e] == j || m->equality_object[2L * e + 1] == j))
      return 1;
  }
  for (int w = 0; w < m->nwrap; ++w) {
    if (m->wrap_type[w] == HEFT_WRAP_JOINT && m->wrap_object[w] == j) return 1;
  }
  for (int s = 0; s < m->nsensor; ++s) {
    if (heft_sensor_type_object((HeftSensorType)m->sensor_type[s]) == HEFT_SENSOR_OF_JOINT &&
        m->sensor_object[s] == j)
      return 1;
  }
  return 0;
}

// Whether something without a name must get one. Bodies, shapes, sites: simply if anything refers
// to any.
static int any_reference(const HeftModel* m) {
  return m->npair + m->nexclude + m->nequality + m->ntendon + m->nactuator + m->nsensor +
             m->ncamera + m->nlight >
         0;
}

// ---- materials

// Whether the reader would make this table of materials from the geoms' friction alone.
static int materials_are_plain(const HeftModel* m) {
  int next = 1;
  for (int k = 0; k < m->nmaterial; ++k) {
    if (m->material_kinetic[k] != m->material_friction[k] || m->material_restitution[k] != 0)
      return 0;
    if ((k == 0) != (strcmp(m->names + m->material_name[k], "default") == 0)) return 0;
    if (k > 0 && m->material_name[k] != 0) return 0;
    for (int i = 0; i < k; ++i) {
      if (m->material_friction[i] == m->material_friction[k] &&
          m->material_torsion[i] == m->material_torsion[k] &&
          m->material_rolling[i] == m->material_rolling[k])
        return 0;
    }
  }
  const double plain[3] = {1, 0.005, 0.0001};
  if (m->material_friction[0] != plain[0] || m->material_torsion[0] != plain[1] ||
      m->material_rolling[0] != plain[2])
    return 0;
  for (int s = 0; s < m->nshape; ++s) {
    if (m->shape_material[s] > next) return 0;
    next += m->shape_material[s] == next;
  }
  for (int p = 0; p < m->npair; ++p) {
    if (m->pair_material[p] > next) return 0;
    next += m->pair_material[p] == next;
  }
  return next == m->nmaterial;
}

// ---- assets

// A corner of each vertex, or -1. Returns 0 if two corners of one vertex lie apart in the image.
static int vertex_corners(const HeftModel* m, int k, int* out) {
  const double* image = m->corner_image + 2L * m->mesh_corner[k];
  const int* vertex = m->face_vertex + 3L * m->mesh_face[k];
  for (int v = 0; v < m->mesh_vertex_count[k]; ++v) out[v] = -1;
  for (int c = 0; c < 3 * m->mesh_face_count[k]; ++c) {
    int* known = &out[vertex[c]];
    if (*known < 0) *known = c;
    const double *a = image + 2L * *known, *b = image + 2L * c;
    if (a[0] != b[0] || a[1] != b[1]) return 0;
  }
  return 1;
}

// One pair for each vertex, as all readers of MJCF expect. A mesh with seams has more: then one for
// each corner, which Heft reads. The second number counts downwards.
static void put_texcoord(Out* o, int k) {
  const HeftModel* m = o->m;
  const HeftAllocator* a = &o->def->allocator;
  if (m->mesh_corner[k] < 0) return;
  const size_t size = (size_t)m->mesh_vertex_count[k] * sizeof(int);
  int* corner = a->allocate(a->user, size, sizeof(int));
  if (!corner) {
    out_fail(o, HEFT_ERR_MEMORY, "no memory to write mesh '%s'",
             heft_model_name(m, HEFT_NAMED_MESH, k));
    return;
  }
  const int by_vertex = vertex_corners(m, k, corner);
  const int count = by_vertex ? m->mesh_vertex_count[k] : 3 * m->mesh_face_count[k];
  put_name_of(o, MJ_mesh_texcoord);
  for (int i = 0; i < count; ++i) {
    const int c = by_vertex ? corner[i] : i;
    const double* p = m->corner_image + 2L * (m->mesh_corner[k] + (c < 0 ? 0 : c));
    if (i > 0) out_text(o, " ");
    out_number(o, p[0]);
    out_text(o, " ");
    out_number(o, 1 - p[1]);
  }
  out_text(o, "\"");
  a->release(a->user, corner, size);
}

static void put_mesh_lists(Out* o, int k) {
  const HeftModel* m = o->m;
  put_reals_always(o, MJ_mesh_vertex, m->vertex_pos + 3L * m->mesh_vertex[k],
                   3 * m->mesh_vertex_count[k]);
  if (m->mesh_face_count[k] == 0) return;
  put_name_of(o, MJ_mesh_face);
  for (int i = 0; i < 3 * m->mesh_face_count[k]; ++i) {
    if (i > 0) out_text(o, " ");
    out_number(o, m->face_vertex[3L * m->mesh_face[k] + i]);
  }
  out_text(o, "\"");
  put_texcoord(o, k);
}

static void write_assets(Out* o) {
  const HeftModel* m = o->m;
  static const char* const types[] = {"2d", "cube", "skybox"};
  static const char* const sources[] = {"none", "gradient", "checker", "flat"};
  static const char* const marks[] = {"none", "edge", "cross", "random"};
  if (m->ntexture + m->nappearance + m->nmesh + m->nheight_field == 0) return;
  out_begin(o, "asset");
  for (int k = 0; k < m->ntexture; ++k) {
    out_open(o, "texture");
    put_own_name(o, MJ_texture_name, HEFT_NAMED_TEXTURE, k, 1);
    put_text(o, MJ_texture_type, types[m->texture_type[k]]);
    put_text(o, MJ_texture_builtin, sources[m->texture_source[k]]);
    put_text(o, MJ_texture_mark, marks[m->texture_mark[k]]);
    if (m->texture_file[k]) put_text_always(o, MJ_texture_file, m->names + m->texture_file[k]);
    put_reals(o, MJ_texture_rgb1, m->texture_color + 3L * k, 3);
    put_reals(o, MJ_texture_rgb2, m->texture_color2 + 3L * k, 3);
    put_reals(o, MJ_texture_markrgb, m->texture_mark_color + 3L * k, 3);
    put_int(o, MJ_texture_width, m->texture_width[k]);
    put_int(o, MJ_texture_height, m->texture_height[k]);
    out_end_empty(o);
  }
  for (int k = 0; k < m->nappearance; ++k) {
    const double* light = m->appearance_light + 4L * k;
    out_open(o, "material");
    put_own_name(o, MJ_material_name, HEFT_NAMED_APPEARANCE, k, 1);
    put_reference(o, MJ_material_texture, HEFT_NAMED_TEXTURE, m->appearance_texture[k]);
    put_reals(o, MJ_material_texrepeat, m->appearance_repeat + 2L * k, 2);
    put_bool(o, MJ_material_texuniform, m->appearance_uniform[k]);
    put_real(o, MJ_material_emission, light[0]);
    put_real(o, MJ_material_specular, light[1]);
    put_real(o, MJ_material_shininess, light[2]);
    put_real(o, MJ_material_reflectance, light[3]);
    put_reals(o, MJ_material_rgba, m->appearance_color + 4L * k, 4);
    out_end_empty(o);
  }
  for (int k = 0; k < m->nmesh; ++k) {
    out_open(o, "mesh");
    put_own_name(o, MJ_mesh_name, HEFT_NAMED_MESH, k, 1);
    if (o->def->mesh_folder && m->mesh_face_count[k] > 0) {
      char file[600];
      out_mesh_name(o, k, file, sizeof file);
      put_text_always(o, MJ_mesh_file, file);
    } else {
      put_mesh_lists(o, k);
    }
    out_end_empty(o);
  }
  for (int k = 0; k < m->nheight_field; ++k) {
    const int rows = m->height_field_rows[k], columns = m->height_field_columns[k];
    double size[4];
    memcpy(size, m->height_field_size + 4L * k, sizeof size);
    if (size[2] == 0) size[2] = 1;  // flat: any height will do
    out_open(o, "hfield");
    put_own_name(o, MJ_hfield_name, HEFT_NAMED_HEIGHT_FIELD, k, 1);
    put_int(o, MJ_hfield_nrow, rows);
    put_int(o, MJ_hfield_ncol, columns);
    put_reals_always(o, MJ_hfield_size, size, 4);
    put_reals_always(o, MJ_hfield_elevation, m->height + m->height_field_height[k], rows * columns);
    out_end_empty(o);
  }
  out_end(o, "asset");
}

// ---- bodies

static int same(const double* x, int count) {
  for (int i = 1; i < count; ++i) {
    if (x[i] != x[0]) return 0;
  }
  return 1;
}

static int is_scalar(int type) { return type == HEFT_JOINT_HINGE || type == HEFT_JOINT_SLIDE; }

// The joints of MJCF that a joint becomes: itself, or one for each dof. 0: there are none.
static int joint_parts(int type, HeftJointType out[3]) {
  static const HeftJointType parts[][3] = {{HEFT_JOINT_SLIDE, HEFT_JOINT_SLIDE, HEFT_JOINT_HINGE},
                                           {HEFT_JOINT_HINGE, HEFT_JOINT_HINGE},
                                           {HEFT_JOINT_SLIDE, HEFT_JOINT_HINGE}};
  out[0] = (HeftJointType)type;
  if (type == HEFT_JOINT_FIXED) return 0;
  if (type < HEFT_JOINT_PLANAR) return 1;
  memcpy(out, parts[type - HEFT_JOINT_PLANAR], sizeof parts[0]);
  return heft_joint_type_dof_count((HeftJointType)type);
}

// Whether a ball or free joint says more than MJCF can: then its numbers stand in <custom>.
static int dofs_differ(const HeftModel* m, int j) {
  const int d = m->joint_dof[j], q = m->joint_q[j], type = m->joint_type[j];
  const int n = heft_joint_type_dof_count((HeftJointType)type),
            nq = heft_joint_type_q_count((HeftJointType)type);
  if (type != HEFT_JOINT_BALL && type != HEFT_JOINT_FREE) return 0;
  for (int k = 0; k < n; ++k) {
    const double plain[2] = {0, 0}, *range = m->dof_range + 2L * (d + k);
    const int is_free = type == HEFT_JOINT_FREE;
    if (m->dof_limited[d + k] != (is_free ? 0 : m->dof_limited[d])) return 1;
    if (!number_same(range, is_free ? plain : m->dof_range + 2L * d, 2)) return 1;
    if (range[0] != 0 || (m->dof_limited[d + k] && !(range[1] > 0))) return 1;
  }
  return !same(m->dof_damping + d, n) || !same(m->dof_stiffness + d, n) ||
         !same(m->dof_friction + d, n) || !same(m->dof_armature + d, n) ||
         !number_same(m->q_spring + q, m->q_default + q, nq);
}

static void part_name(int j, int k, char* out, size_t size) {
  snprintf(out, size, "heft_part_%d_%d", j, k);
}

static HeftVec3 part_axis(const HeftModel* m, int j, int k) {
  const HeftVec3 a = heft_vec3_from(m->joint_axis + 3L * j),
                 b = heft_vec3_from(m->joint_axis2 + 3L * j);
  if (k == 0 || m->joint_type[j] == HEFT_JOINT_CYLINDRICAL) return a;
  return k == 1 ? b : heft_vec3_cross(a, b);
}

// Part k of a joint, with the numbers of its dof; a whole joint is its own part 0.
static void write_part(Out* o, int j, int k, HeftJointType type, int parts) {
  static const char* const types[] = {"", "hinge", "slide", "ball", "free"};
  const HeftModel* m = o->m;
  const int d = m->joint_dof[j] + k, q = m->joint_q[j] + k;
  const HeftVec3 axis = part_axis(m, j, k);
  out_open(o, "joint");
  if (k == 0) {
    put_own_name(o, MJ_joint_name, HEFT_NAMED_JOINT, j,
                 parts > 1 || dofs_differ(m, j) || joint_is_referred(m, j));
  } else {
    char name[64];
    part_name(j, k, name, sizeof name);
    put_text_always(o, MJ_joint_name, name);
  }
  put_text(o, MJ_joint_type, types[type]);
  if (type != HEFT_JOINT_FREE) put_reals(o, MJ_joint_pos, m->joint_pos + 3L * j, 3);
  if (is_scalar(type)) {
    put_reals(o, MJ_joint_axis, &axis.x, 3);
    put_real(o, MJ_joint_ref, m->q_default[q]);
    put_real(o, MJ_joint_springref, m->q_spring[q]);
  }
  double range[2] = {m->dof_range[2L * d], m->dof_range[2L * d + 1]};
  if (type == HEFT_JOINT_BALL) range[0] = 0;
  const int limited = m->dof_limited[d] && (type != HEFT_JOINT_BALL || range[1] > 0);
  if (type != HEFT_JOINT_FREE) put_range(o, MJ_joint_limited, MJ_joint_range, limited, range);
  put_real(o, MJ_joint_stiffness, m->dof_stiffness[d]);
  put_real(o, MJ_joint_damping, m->dof_damping[d]);
  put_real(o, MJ_joint_frictionloss, m->dof_friction[d]);
  put_real(o, MJ_joint_armature, m->dof_armature[d]);
  if (k == 0)
    put_range(o, MJ_joint_actuatorfrclimited, MJ_joint_actuatorfrcrange, m->joint_force_limited[j],
              m->joint_force_range + 2L * j);
  out_end_empty(o);
}

static void write_joint(Out* o, int j) {
  HeftJointType types[3];
  const int parts = joint_parts(o->m->joint_type[j], types);
  for (int k = 0; k < parts; ++k) write_part(o, j, k, types[k], parts);
}

static void write_inertial(Out* o, int b) {
  const HeftModel* m = o->m;
  static const double none[6] = {0};
  if (m->body_mass[b] == 0 && number_same(m->body_moment + 6L * b, none, 6) &&
      number_same(m->body_com + 3L * b, none, 3))
    return;
  out_open(o, "inertial");
  put_reals_always(o, MJ_inertial_pos, m->body_com + 3L * b, 3);
  put_reals_always(o, MJ_inertial_mass, m->body_mass + b, 1);
  put_reals_always(o, MJ_inertial_fullinertia, m->body_moment + 6L * b, 6);
  out_end_empty(o);
}

static int size_count(int type) {
  switch (type) {
    case HEFT_SHAPE_SPHERE:
      return 1;
    case HEFT_SHAPE_CAPSULE:
    case HEFT_SHAPE_CYLINDER:
      return 2;
    case HEFT_SHAPE_MESH:
    case HEFT_SHAPE_HEIGHT_FIELD:
      return 0;
    default:
      return 3;
  }
}

static const char* shape_word(int type) {
  return type == HEFT_SHAPE_HEIGHT_FIELD ? "hfield" : heft_shape_type_name((HeftShapeType)type);
}

static void write_geom(Out* o, int s) {
  const HeftModel* m = o->m;
  const int k = m->shape_material[s], type = m->shape_type[s];
  double size[3];
  memcpy(size, m->shape_size + 3L * s, sizeof size);
  if (type == HEFT_SHAPE_PLANE && size[2] == 0) size[2] = 0.01;  // a grid that other viewers want
  out_open(o, "geom");
  put_own_name(o, MJ_geom_name, HEFT_NAMED_SHAPE, s,
               any_reference(m) || (o->plan->explicit_materials && k > 0));
  put_text(o, MJ_geom_type, shape_word(type));
  put_reals(o, MJ_geom_pos, m->shape_pos + 3L * s, 3);
  put_quat(o, MJ_geom_quat, m->shape_quat + 4L * s);
  if (size_count(type) > 0) put_reals_always(o, MJ_geom_size, size, size_count(type));
  if (type == HEFT_SHAPE_MESH) put_reference(o, MJ_geom_mesh, HEFT_NAMED_MESH, m->shape_mesh[s]);
  if (type == HEFT_SHAPE_HEIGHT_FIELD)
    put_reference(o, MJ_geom_hfield, HEFT_NAMED_HEIGHT_FIELD, m->shape_height_field[s]);
  put_int(o, MJ_geom_contype, m->shape_category[s]);
  put_int(o, MJ_geom_conaffinity, m->shape_collides[s]);
  put_int(o, MJ_geom_condim, m->shape_contact_dim[s]);
  put_int(o, MJ_geom_priority, m->shape_priority[s]);
  const double friction[3] = {m->material_friction[k], m->material_torsion[k],
                              m->material_rolling[k]};
  put_reals(o, MJ_geom_friction, friction, 3);
  put_real(o, MJ_geom_margin, m->shape_margin[s]);
  put_real(o, MJ_geom_gap, m->shape_gap[s]);
  put_int(o, MJ_geom_group, m->shape_group[s]);
  put_reference(o, MJ_geom_material, HEFT_NAMED_APPEARANCE, m->shape_appearance[s]);
  if (m->shape_appearance[s] >= 0) {
    put_reals_always(o, MJ_geom_rgba, m->shape_color + 4L * s, 4);
  } else {
    put_reals(o, MJ_geom_rgba, m->shape_color + 4L * s, 4);
  }
  out_end_empty(o);
}

static void write_site(Out* o, int s) {
  const HeftModel* m = o->m;
  out_open(o, "site");
  put_own_name(o, MJ_site_name, HEFT_NAMED_SITE, s, any_reference(m));
  put_text(o, MJ_site_type, heft_shape_type_name((HeftShapeType)m->site_type[s]));
  put_reals(o, MJ_site_pos, m->site_pos + 3L * s, 3);
  put_quat(o, MJ_site_quat, m->site_quat + 4L * s);
  put_reals(o, MJ_site_size, m->site_size + 3L * s, 3);
  put_int(o, MJ_site_group, m->site_group[s]);
  put_reals(o, MJ_site_rgba, m->site_color + 4L * s, 4);
  out_end_empty(o);
}

static const char* const follows[] = {"fixed", "track", "trackcom", "targetbody", "targetbodycom"};

static void write_camera(Out* o, int c) {
  const HeftModel* m = o->m;
  out_open(o, "camera");
  put_own_name(o, MJ_camera_name, HEFT_NAMED_CAMERA, c, m->nsensor > 0);
  put_text(o, MJ_camera_mode, follows[m->camera_follow[c]]);
  put_reference(o, MJ_camera_target, HEFT_NAMED_BODY, m->camera_target[c]);
  put_reals(o, MJ_camera_pos, m->camera_pos + 3L * c, 3);
  put_quat(o, MJ_camera_quat, m->camera_quat + 4L * c);
  put_degrees(o, MJ_camera_fovy, m->camera_fov[c]);
  out_end_empty(o);
}

static void write_light(Out* o, int l) {
  const HeftModel* m = o->m;
  out_open(o, "light");
  put_own_name(o, MJ_light_name, HEFT_NAMED_LIGHT, l, 0);
  put_text(o, MJ_light_mode, follows[m->light_follow[l]]);
  put_reference(o, MJ_light_target, HEFT_NAMED_BODY, m->light_target[l]);
  put_bool(o, MJ_light_directional, m->light_directional[l]);
  put_bool(o, MJ_light_castshadow, m->light_shadow[l]);
  put_bool(o, MJ_light_active, m->light_active[l]);
  put_reals(o, MJ_light_pos, m->light_pos + 3L * l, 3);
  put_reals(o, MJ_light_dir, m->light_dir + 3L * l, 3);
  put_reals(o, MJ_light_attenuation, m->light_attenuation + 3L * l, 3);
  put_degrees(o, MJ_light_cutoff, m->light_cutoff[l]);
  put_real(o, MJ_light_exponent, m->light_exponent[l]);
  put_reals(o, MJ_light_ambient, m->light_ambient + 3L * l, 3);
  put_reals(o, MJ_light_diffuse, m->light_diffuse + 3L * l, 3);
  put_reals(o, MJ_light_specular, m->light_specular + 3L * l, 3);
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
  put_own_name(o, MJ_body_name, HEFT_NAMED_BODY, b, fixed || any_reference(m));
  put_reals(o, MJ_body_pos, m->body_pos + 3L * b, 3);
  put_quat(o, MJ_body_quat, m->body_quat + 4L * b);
  put_real(o, MJ_body_gravcomp, 1 - m->body_gravity[b]);
  out_begin_content(o);
  write_parts(o, b);
}

// Bodies in the order of the plan; those that end before the next one begins are closed here.
static void write_bodies(Out* o) {
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

// ---- lists

// A pair says friction, not a material: the reader takes the first material without a name that has
// the numbers.
static int pair_finds(const HeftModel* m, int material) {
  for (int k = 0; k < m->nmaterial; ++k) {
    if (k > 0 && m->material_name[k] != 0) continue;
    if (m->material_friction[k] == m->material_friction[material] &&
        m->material_kinetic[k] == m->material_friction[material] &&
        m->material_torsion[k] == m->material_torsion[material] &&
        m->material_rolling[k] == m->material_rolling[material] && m->material_restitution[k] == 0)
      return k == material;
  }
  return 0;
}

static void write_contacts(Out* o) {
  const HeftModel* m = o->m;
  if (m->npair + m->nexclude == 0) return;
  out_begin(o, "contact");
  for (int p = 0; p < m->npair; ++p) {
    const int k = m->pair_material[p];
    const double friction[5] = {m->material_friction[k], m->material_friction[k],
                                m->material_torsion[k], m->material_rolling[k],
                                m->material_rolling[k]};
    out_open(o, "pair");
    put_own_name(o, MJ_pair_name, HEFT_NAMED_PAIR, p, !pair_finds(m, k));
    put_reference(o, MJ_pair_geom1, HEFT_NAMED_SHAPE, m->pair_shape[2L * p]);
    put_reference(o, MJ_pair_geom2, HEFT_NAMED_SHAPE, m->pair_shape[2L * p + 1]);
    put_int(o, MJ_pair_condim, m->pair_contact_dim[p]);
    put_reals_always(o, MJ_pair_friction, friction, 5);
    put_reals_always(o, MJ_pair_margin, m->pair_margin + p, 1);
    put_reals_always(o, MJ_pair_gap, m->pair_gap + p, 1);
    out_end_empty(o);
  }
  for (int e = 0; e < m->nexclude; ++e) {
    out_open(o, "exclude");
    put_own_name(o, MJ_exclude_name, HEFT_NAMED_EXCLUDE, e, 0);
    put_reference(o, MJ_exclude_body1, HEFT_NAMED_BODY, m->exclude_body[2L * e]);
    put_reference(o, MJ_exclude_body2, HEFT_NAMED_BODY, m->exclude_body[2L * e + 1]);
    out_end_empty(o);
  }
  out_end(o, "contact");
}

static void write_wrap(Out* o, int w) {
  const HeftModel* m = o->m;
  switch (m->wrap_type[w]) {
    case HEFT_WRAP_JOINT:
      out_open(o, "joint");
      put_reference(o, MJ_wrapjoint_joint, HEFT_NAMED_JOINT, m->wrap_object[w]);
      put_reals_always(o, MJ_wrapjoint_coef, m->wrap_value + w, 1);
      break;
    case HEFT_WRAP_SITE:
      out_open(o, "site");
      put_reference(o, MJ_wrapsite_site, HEFT_NAMED_SITE, m->wrap_object[w]);
      break;
    case HEFT_WRAP_PULLEY:
      out_open(o, "pulley");
      put_reals_always(o, MJ_wrappulley_divisor, m->wrap_value + w, 1);
      break;
    default:
      out_open(o, "geom");
      put_reference(o, MJ_wrapgeom_geom, HEFT_NAMED_SHAPE, m->wrap_object[w]);
      put_reference(o, MJ_wrapgeom_sidesite, HEFT_NAMED_SITE, m->wrap_side[w]);
  }
  out_end_empty(o);
}

static void write_tendons(Out* o) {
  const HeftModel* m = o->m;
  if (m->ntendon == 0) return;
  out_begin(o, "tendon");
  for (int t = 0; t < m->ntendon; ++t) {
    const char* kind = m->wrap_type[m->tendon_wrap[t]] == HEFT_WRAP_JOINT ? "fixed" : "spatial";
    out_open(o, kind);
    put_own_name(o, MJ_tendon_name, HEFT_NAMED_TENDON, t, 1);
    put_range(o, MJ_tendon_limited, MJ_tendon_range, m->tendon_limited[t],
              m->tendon_range + 2L * t);
    put_reals(o, MJ_tendon_springlength, m->tendon_spring + 2L * t, 2);
    put_real(o, MJ_tendon_stiffness, m->tendon_stiffness[t]);
    put_real(o, MJ_tendon_damping, m->tendon_damping[t]);
    put_real(o, MJ_tendon_frictionloss, m->tendon_friction[t]);
    put_real(o, MJ_tendon_armature, m->tendon_armature[t]);
    put_real(o, MJ_tendon_width, m->tendon_width[t]);
    put_reals(o, MJ_tendon_rgba, m->tendon_color + 4L * t, 4);
    out_begin_content(o);
    for (int w = m->tendon_wrap[t]; w < m->tendon_wrap[t] + m->tendon_wrap_count[t]; ++w)
      write_wrap(o, w);
    out_end(o, kind);
  }
  out_end(o, "tendon");
}

// A site of a body at a point, or -1.
static int site_at(const HeftModel* m, int body, const double* pos) {
  for (int s = 0; s < m->nsite; ++s) {
    if (m->site_body[s] == body && number_same(m->site_pos + 3L * s, pos, 3)) return s;
  }
  return -1;
}

static HeftPose file_pose(const HeftModel* m, int body) {
  HeftPose x = heft_pose_identity();
  int chain[4096], depth = 0;
  for (int b = body; b > 0 && depth < 4096; b = m->body_parent[b]) chain[depth++] = b;
  while (depth > 0) {
    const int b = chain[--depth];
    const double *p = m->body_pos + 3L * b, *q = m->body_quat + 4L * b;
    x = heft_pose_mul(x, heft_pose(heft_vec3(p[0], p[1], p[2]), heft_quat(q[0], q[1], q[2], q[3])));
  }
  return x;
}

static int connect_has_sites(const HeftModel* m, int e, int site[2]) {
  const double* a = m->equality_anchor + 6L * e;
  for (int k = 0; k < 2; ++k) site[k] = site_at(m, m->equality_object[2L * e + k], a + 3L * k);
  return site[0] >= 0 && site[1] >= 0;
}

// The reader's arithmetic, to see whether it comes to the same bits; if not, <custom> has them.
static int connect_is_plain(const HeftModel* m, int e) {
  const int one = m->equality_object[2L * e], two = m->equality_object[2L * e + 1];
  const double* a = m->equality_anchor + 6L * e;
  const HeftVec3 point = heft_pose_apply(file_pose(m, one), heft_vec3(a[0], a[1], a[2]));
  const HeftVec3 other = heft_pose_apply_inverse(file_pose(m, two), point);
  return number_same(&other.x, a + 3, 3);
}

static void weld_pose(const HeftModel* m, int e, double pose[7]) {
  const double *a = m->equality_anchor + 6L * e, *q = m->equality_quat + 4L * e;
  const HeftVec3 turned =
      heft_quat_rotate(heft_quat(q[0], q[1], q[2], q[3]), heft_vec3(a[3], a[4], a[5]));
  const double x[7] = {a[0] - turned.x, a[1] - turned.y, a[2] - turned.z, q[0], q[1], q[2], q[3]};
  memcpy(pose, x, sizeof x);
}

static int weld_is_plain(const HeftModel* m, int e) {
  const double *a = m->equality_anchor + 6L * e, *q = m->equality_quat + 4L * e;
  double p[7];
  weld_pose(m, e, p);
  const HeftVec3 turned = heft_quat_rotate(heft_quat_normalize(heft_quat(q[0], q[1], q[2], q[3])),
                                           heft_vec3(a[3], a[4], a[5]));
  const HeftVec3 again = heft_vec3_add(heft_vec3(p[0], p[1], p[2]), turned);
  return number_same(&again.x, a, 3);
}

static int anchors_are_plain(const HeftModel* m, int e) {
  int site[2];
  switch (m->equality_type[e]) {
    case HEFT_EQUALITY_CONNECT:
      return connect_is_plain(m, e) || connect_has_sites(m, e, site);
    case HEFT_EQUALITY_WELD:
      return weld_is_plain(m, e);
    default:
      return 1;
  }
}

static void write_connect(Out* o, int e) {
  const HeftModel* m = o->m;
  const int one = m->equality_object[2L * e], two = m->equality_object[2L * e + 1];
  const double* a = m->equality_anchor + 6L * e;
  int site[2];
  if (!connect_is_plain(m, e) && connect_has_sites(m, e, site)) {
    const int s1 = site[0], s2 = site[1];
    put_reference(o, MJ_connect_site1, HEFT_NAMED_SITE, s1);
    put_reference(o, MJ_connect_site2, HEFT_NAMED_SITE, s2);
    return;
  }
  put_reference(o, MJ_connect_body1, HEFT_NAMED_BODY, one);
  put_reference(o, MJ_connect_body2, HEFT_NAMED_BODY, two);
  put_reals_always(o, MJ_connect_anchor, a, 3);
}

static void write_weld(Out* o, int e) {
  const HeftModel* m = o->m;
  const double* a = m->equality_anchor + 6L * e;
  double pose[7];
  weld_pose(m, e, pose);
  put_reference(o, MJ_weld_body1, HEFT_NAMED_BODY, m->equality_object[2L * e]);
  put_reference(o, MJ_weld_body2, HEFT_NAMED_BODY, m->equality_object[2L * e + 1]);
  put_reals_always(o, MJ_weld_relpose, pose, 7);
  put_reals(o, MJ_weld_anchor, a + 3, 3);
}

static void write_equalities(Out* o) {
  static const char* const kinds[] = {"connect", "weld", "joint", "tendon"};
  const HeftModel* m = o->m;
  if (m->nequality == 0) return;
  out_begin(o, "equality");
  for (int e = 0; e < m->nequality; ++e) {
    const int joints = m->equality_type[e] == HEFT_EQUALITY_JOINT;
    out_open(o, kinds[m->equality_type[e]]);
    put_own_name(o, MJ_connect_name, HEFT_NAMED_EQUALITY, e, !anchors_are_plain(m, e));
    put_bool(o, MJ_connect_active, m->equality_active[e]);
    if (m->equality_type[e] == HEFT_EQUALITY_CONNECT) {
      write_connect(o, e);
    } else if (m->equality_type[e] == HEFT_EQUALITY_WELD) {
      write_weld(o, e);
    } else {
      const HeftNamed kind = joints ? HEFT_NAMED_JOINT : HEFT_NAMED_TENDON;
      put_reference(o, joints ? MJ_eqjoint_joint1 : MJ_eqtendon_tendon1, kind,
                    m->equality_object[2L * e]);
      put_reference(o, joints ? MJ_eqjoint_joint2 : MJ_eqtendon_tendon2, kind,
                    m->equality_object[2L * e + 1]);
      put_reals(o, MJ_eqjoint_polycoef, m->equality_poly + 5L * e, 5);
    }
    out_end_empty(o);
  }
  out_end(o, "equality");
}

static void put_transmission(Out* o, int a) {
  const HeftModel* m = o->m;
  const int target = m->actuator_target[a];
  switch (m->actuator_transmission[a]) {
    case HEFT_TRANSMISSION_JOINT:
      put_reference(o, MJ_general_joint, HEFT_NAMED_JOINT, target);
      break;
    case HEFT_TRANSMISSION_JOINT_IN_PARENT:
      put_reference(o, MJ_general_jointinparent, HEFT_NAMED_JOINT, target);
      break;
    case HEFT_TRANSMISSION_TENDON:
      put_reference(o, MJ_general_tendon, HEFT_NAMED_TENDON, target);
      break;
    case HEFT_TRANSMISSION_SITE:
      put_reference(o, MJ_general_site, HEFT_NAMED_SITE, target);
      put_reference(o, MJ_general_refsite, HEFT_NAMED_SITE, m->actuator_reference[a]);
      break;
    default:
      put_reference(o, MJ_general_cranksite, HEFT_NAMED_SITE, target);
      put_reference(o, MJ_general_slidersite, HEFT_NAMED_SITE, m->actuator_reference[a]);
      put_reals_always(o, MJ_general_cranklength, m->actuator_crank + a, 1);
  }
}

static void write_actuators(Out* o) {
  static const char* const dynamics[] = {"none", "integrator", "filter", "filterexact"};
  const HeftModel* m = o->m;
  if (m->nactuator == 0) return;
  out_begin(o, "actuator");
  for (int a = 0; a < m->nactuator; ++a) {
    const double gain[3] = {m->actuator_gain[a], m->actuator_gain_rate[2L * a],
                            m->actuator_gain_rate[2L * a + 1]};
    const double* bias = m->actuator_bias + 3L * a;
    const int affine = gain[1] != 0 || gain[2] != 0;
    out_open(o, "general");
    put_own_name(o, MJ_general_name, HEFT_NAMED_ACTUATOR, a, m->nsensor > 0);
    put_transmission(o, a);
    put_reals(o, MJ_general_gear, m->actuator_gear + 6L * a, 6);
    put_range(o, MJ_general_ctrllimited, MJ_general_ctrlrange, m->actuator_control_limited[a],
              m->actuator_control_range + 2L * a);
    put_range(o, MJ_general_forcelimited, MJ_general_forcerange, m->actuator_force_limited[a],
              m->actuator_force_range + 2L * a);
    put_range(o, MJ_general_actlimited, MJ_general_actrange, m->actuator_act_limited[a],
              m->actuator_act_range + 2L * a);
    put_bool(o, MJ_general_actearly, m->actuator_act_early[a]);
    put_text(o, MJ_general_dyntype, dynamics[m->actuator_activation[a]]);
    if (m->actuator_time[a] != 0) put_reals_always(o, MJ_general_dynprm, m->actuator_time + a, 1);
    if (affine) put_text_always(o, MJ_general_gaintype, "affine");
    put_reals_always(o, MJ_general_gainprm, gain, affine ? 3 : 1);
    if (bias[0] != 0 || bias[1] != 0 || bias[2] != 0) {
      put_text_always(o, MJ_general_biastype, "affine");
      put_reals_always(o, MJ_general_biasprm, bias, 3);
    }
    out_end_empty(o);
  }
  out_end(o, "actuator");
}

static HeftNamed named_frame(int frame) {
  static const HeftNamed kinds[] = {HEFT_NAMED_SITE, HEFT_NAMED_BODY, HEFT_NAMED_BODY,
                                    HEFT_NAMED_SHAPE, HEFT_NAMED_CAMERA};
  return kinds[frame];
}

static void put_sensor_object(Out* o, int s) {
  static const char* const frames[] = {"site", "xbody", "body", "geom", "camera"};
  const HeftModel* m = o->m;
  const int i = m->sensor_object[s];
  switch (heft_sensor_type_object((HeftSensorType)m->sensor_type[s])) {
    case HEFT_SENSOR_OF_JOINT:
      put_reference(o, MJ_sensor_joint, HEFT_NAMED_JOINT, i);
      break;
    case HEFT_SENSOR_OF_ACTUATOR:
      put_reference(o, MJ_sensor_actuator, HEFT_NAMED_ACTUATOR, i);
      break;
    case HEFT_SENSOR_OF_TENDON:
      put_reference(o, MJ_sensor_tendon, HEFT_NAMED_TENDON, i);
      break;
    case HEFT_SENSOR_OF_SITE:
      put_reference(o, MJ_sensor_site, HEFT_NAMED_SITE, i);
      break;
    case HEFT_SENSOR_OF_BODY:
      put_reference(o, MJ_sensor_body, HEFT_NAMED_BODY, i);
      break;
    case HEFT_SENSOR_OF_FRAME:
      put_text_always(o, MJ_sensor_objtype, frames[m->sensor_frame[s]]);
      put_reference(o, MJ_sensor_objname, named_frame(m->sensor_frame[s]), i);
      break;
    default:
      break;
  }
  if (m->sensor_reference[s] < 0) return;
  put_text_always(o, MJ_sensor_reftype, frames[m->sensor_reference_frame[s]]);
  put_reference(o, MJ_sensor_refname, named_frame(m->sensor_reference_frame[s]),
                m->sensor_reference[s]);
}

static int is_calibrated(const HeftModel* m, int s) {
  const int n = heft_sensor_type_value_count((HeftSensorType)m->sensor_type[s]);
  for (int i = 0; i < n; ++i) {
    const int at = m->sensor_address[s] + i;
    double row[4] = {0};
    const double none = 0;
    row[i] = 1;
    if (!number_same(m->sensor_matrix + 4L * at, row, 4)) return 1;
    if (!number_same(m->sensor_offset + at, &none, 1)) return 1;
  }
  return 0;
}

static void write_sensors(Out* o) {
  const HeftModel* m = o->m;
  if (m->nsensor == 0) return;
  out_begin(o, "sensor");
  for (int s = 0; s < m->nsensor; ++s) {
    out_open(o, heft_sensor_type_name((HeftSensorType)m->sensor_type[s]));
    put_own_name(o, MJ_sensor_name, HEFT_NAMED_SENSOR, s, is_calibrated(m, s));
    put_sensor_object(o, s);
    put_real(o, MJ_sensor_noise, m->sensor_noise[s]);
    put_real(o, MJ_sensor_cutoff, m->sensor_cutoff[s]);
    out_end_empty(o);
  }
  out_end(o, "sensor");
}

// Coordinates (or velocities) of a keyframe in the order of the file.
static void put_key(Out* o, MjcfKey key, const double* x, int velocities) {
  const HeftModel* m = o->m;
  int written = 0;
  put_name_of(o, key);
  for (int i = 0; i < m->nbody; ++i) {
    const int b = o->plan->body[i];
    for (int j = m->body_joint[b]; j < m->body_joint[b] + m->body_joint_count[b]; ++j) {
      const HeftJointType type = (HeftJointType)m->joint_type[j];
      const int first = velocities ? m->joint_dof[j] : m->joint_q[j];
      const int n = velocities ? heft_joint_type_dof_count(type) : heft_joint_type_q_count(type);
      for (int k = 0; k < n; ++k) {
        if (written++ > 0) out_text(o, " ");
        out_number(o, x[first + k]);
      }
    }
  }
  out_text(o, "\"");
}

static void write_keys(Out* o) {
  const HeftModel* m = o->m;
  if (m->nkey == 0) return;
  out_begin(o, "keyframe");
  for (int k = 0; k < m->nkey; ++k) {
    out_open(o, "key");
    put_own_name(o, MJ_key_name, HEFT_NAMED_KEY, k, 0);
    put_real(o, MJ_key_time, m->key_time[k]);
    if (m->nq > 0) put_key(o, MJ_key_qpos, m->key_q + (long)k * m->nq, 0);
    if (m->nv > 0) put_key(o, MJ_key_qvel, m->key_v + (long)k * m->nv, 1);
    if (m->nact > 0) put_reals_always(o, MJ_key_act, m->key_act + (long)k * m->nact, m->nact);
    if (m->nactuator > 0)
      put_reals_always(o, MJ_key_ctrl, m->key_control + (long)k * m->nactuator, m->nactuator);
    out_end_empty(o);
  }
  out_end(o, "keyframe");
}

// ---- what MJCF cannot say

// <element name="PREFIX and the thing's name or number"
static void open_custom(Out* o, const char* element, const char* prefix, HeftNamed kind, int i) {
  char number[64];
  const char* name = name_at(o, kind, i);
  const int material = kind == HEFT_NAMED_MATERIAL;
  snprintf(number, sizeof number, "%s%d", material ? "#" : MJCF_NAMELESS, i);
  out_open(o, element);
  out_text(o, " name=\"");
  out_text(o, prefix);
  out_escaped(o, name[0] ? name : number);
  out_text(o, "\"");
}

static void write_element(Out* o, const char* type, HeftNamed kind, int i) {
  out_open(o, "element");
  put_text_always(o, MJ_element_objtype, type);
  put_reference(o, MJ_element_objname, kind, i);
  out_end_empty(o);
}

static void write_materials(Out* o) {
  const HeftModel* m = o->m;
  for (int k = 1; k < m->nmaterial && o->plan->explicit_materials; ++k) {
    const double x[5] = {m->material_friction[k], m->material_kinetic[k], m->material_torsion[k],
                         m->material_rolling[k], m->material_restitution[k]};
    open_custom(o, "numeric", "heft_material_", HEFT_NAMED_MATERIAL, k);
    put_reals_always(o, MJ_numeric_data, x, 5);
    out_end_empty(o);
  }
  for (int k = 1; k < m->nmaterial && o->plan->explicit_materials; ++k) {
    int used = 0;
    for (int s = 0; s < m->nshape; ++s) used |= m->shape_material[s] == k;
    for (int p = 0; p < m->npair; ++p) used |= m->pair_material[p] == k && !pair_finds(m, k);
    if (!used) continue;
    open_custom(o, "tuple", "heft_material_", HEFT_NAMED_MATERIAL, k);
    out_begin_content(o);
    for (int s = 0; s < m->nshape; ++s) {
      if (m->shape_material[s] == k) write_element(o, "geom", HEFT_NAMED_SHAPE, s);
    }
    for (int p = 0; p < m->npair; ++p) {
      if (m->pair_material[p] == k && !pair_finds(m, k))
        write_element(o, "pair", HEFT_NAMED_PAIR, p);
    }
    out_end(o, "tuple");
  }
}

static void write_calibrations(Out* o) {
  const HeftModel* m = o->m;
  for (int s = 0; s < m->nsensor; ++s) {
    if (!is_calibrated(m, s)) continue;
    const int n = heft_sensor_type_value_count((HeftSensorType)m->sensor_type[s]);
    double x[20];
    for (int i = 0; i < n; ++i) {
      const int at = m->sensor_address[s] + i;
      memcpy(x + (long)n * i, m->sensor_matrix + 4L * at, (size_t)n * sizeof(double));
      x[n * n + i] = m->sensor_offset[at];
    }
    open_custom(o, "numeric", "heft_sensor_", HEFT_NAMED_SENSOR, s);
    put_reals_always(o, MJ_numeric_data, x, n * n + n);
    out_end_empty(o);
  }
}

static void write_anchors(Out* o) {
  const HeftModel* m = o->m;
  for (int e = 0; e < m->nequality; ++e) {
    if (anchors_are_plain(m, e)) continue;
    double x[10];
    memcpy(x, m->equality_anchor + 6L * e, 6 * sizeof(double));
    memcpy(x + 6, m->equality_quat + 4L * e, 4 * sizeof(double));
    open_custom(o, "numeric", "heft_anchors_", HEFT_NAMED_EQUALITY, e);
    put_reals_always(o, MJ_numeric_data, x, 10);
    out_end_empty(o);
  }
}

static void write_dofs(Out* o, int j) {
  const HeftModel* m = o->m;
  const HeftJointType type = (HeftJointType)m->joint_type[j];
  const int n = heft_joint_type_dof_count(type), d = m->joint_dof[j];
  double x[7 * 6 + 7];
  for (int k = 0; k < n; ++k) {
    x[k] = m->dof_damping[d + k];
    x[n + k] = m->dof_stiffness[d + k];
    x[2 * n + k] = m->dof_friction[d + k];
    x[3 * n + k] = m->dof_armature[d + k];
    x[4 * n + k] = m->dof_limited[d + k];
    x[5 * n + k] = m->dof_range[2L * (d + k)];
    x[6 * n + k] = m->dof_range[2L * (d + k) + 1];
  }
  const int nq = heft_joint_type_q_count(type);
  memcpy(x + 7L * n, m->q_spring + m->joint_q[j], (size_t)nq * sizeof(double));
  open_custom(o, "numeric", "heft_dofs_", HEFT_NAMED_JOINT, j);
  put_reals_always(o, MJ_numeric_data, x, 7 * n + nq);
  out_end_empty(o);
}

static void write_joint_tuple(Out* o, int j, int parts) {
  static const char* const prefix[] = {"heft_planar_", "heft_universal_", "heft_cylindrical_"};
  open_custom(o, "tuple", prefix[o->m->joint_type[j] - HEFT_JOINT_PLANAR], HEFT_NAMED_JOINT, j);
  out_begin_content(o);
  write_element(o, "joint", HEFT_NAMED_JOINT, j);
  for (int k = 1; k < parts; ++k) {
    char name[64];
    part_name(j, k, name, sizeof name);
    out_open(o, "element");
    put_text_always(o, MJ_element_objtype, "joint");
    put_text_always(o, MJ_element_objname, name);
    out_end_empty(o);
  }
  out_end(o, "tuple");
}

static void write_fixed_joint(Out* o, int j) {
  const HeftModel* m = o->m;
  const int b = m->joint_body[j];
  open_custom(o, "tuple", "heft_fixed_", HEFT_NAMED_JOINT, j);
  out_begin_content(o);
  out_open(o, "element");
  put_text_always(o, MJ_element_objtype, "body");
  put_reference(o, MJ_element_objname, HEFT_NAMED_BODY, b);
  put_int(o, MJ_element_prm, j - m->body_joint[b]);
  out_end_empty(o);
  out_end(o, "tuple");
}

static void write_order(Out* o, const char* kind, const int* order, int count) {
  int moved = 0;
  for (int i = 0; i < count; ++i) moved |= order[i] != i;
  if (!moved) return;
  out_open(o, "text");
  out_text(o, " name=\"heft_order_");
  out_text(o, kind);
  out_text(o, "\" data=\"");
  for (int i = 0; i < count; ++i) {
    if (i > 0) out_text(o, " ");
    out_number(o, order[i]);
  }
  out_text(o, "\"");
  out_end_empty(o);
}

static int has_custom(const Out* o) {
  const HeftModel* m = o->m;
  int needed = o->plan->explicit_materials || m->contact_model[0] != 0;
  HeftJointType types[3];
  for (int j = 0; j < m->njoint; ++j)
    needed |= joint_parts(m->joint_type[j], types) != 1 || dofs_differ(m, j);
  for (int s = 0; s < m->nsensor; ++s) needed |= is_calibrated(m, s);
  for (int e = 0; e < m->nequality; ++e) needed |= !anchors_are_plain(m, e);
  for (int i = 0; i < m->nbody; ++i) needed |= o->plan->body[i] != i;
  for (int i = 0; i < m->nshape; ++i) needed |= o->plan->shape[i] != i;
  for (int i = 0; i < m->nsite; ++i) needed |= o->plan->site[i] != i;
  for (int i = 0; i < m->ncamera; ++i) needed |= o->plan->camera[i] != i;
  for (int i = 0; i < m->nlight; ++i) needed |= o->plan->light[i] != i;
  return needed;
}

static void write_custom(Out* o) {
  const HeftModel* m = o->m;
  if (!has_custom(o)) return;
  out_begin(o, "custom");
  write_materials(o);
  write_calibrations(o);
  write_anchors(o);
  for (int j = 0; j < m->njoint; ++j) {
    HeftJointType types[3];
    const int parts = joint_parts(m->joint_type[j], types);
    if (parts > 1) write_joint_tuple(o, j, parts);
    if (parts == 0) write_fixed_joint(o, j);
    if (dofs_differ(m, j)) write_dofs(o, j);
  }
  if (m->contact_model[0]) {
    out_open(o, "text");
    put_text_always(o, MJ_text_name, "heft_contact_model");
    put_text_always(o, MJ_text_data, m->names + m->contact_model[0]);
    out_end_empty(o);
  }
  write_order(o, "body", o->plan->body, m->nbody);
  write_order(o, "geom", o->plan->shape, m->nshape);
  write_order(o, "site", o->plan->site, m->nsite);
  write_order(o, "camera", o->plan->camera, m->ncamera);
  write_order(o, "light", o->plan->light, m->nlight);
  out_end(o, "custom");
}

// ---- the whole file

// Bodies depth first, children in the order of the model. next and last are scratch.
static void order_bodies(const HeftModel* m, int* order, int* next, int* first) {
  for (int b = 0; b < m->nbody; ++b) next[b] = first[b] = -1;
  for (int b = m->nbody - 1; b > 0; --b) {
    next[b] = first[m->body_parent[b]];
    first[m->body_parent[b]] = b;
  }
  int count = 0, b = 0;
  while (b >= 0) {
    order[count++] = b;
    int after = first[b];
    while (after < 0 && b > 0) {
      after = next[b];
      b = m->body_parent[b];
    }
    b = after;
  }
}

static void write_document(Out* o) {
  const HeftModel* m = o->m;
  out_text(o, "<mujoco>");
  ++o->indent;
  out_open(o, "compiler");
  put_text_always(o, MJ_compiler_angle, "radian");
  put_text_always(o, MJ_compiler_autolimits, "true");
  put_text_always(o, MJ_compiler_inertiafromgeom, "false");
  out_end_empty(o);
  out_open(o, "option");
  put_reals_always(o, MJ_option_timestep, &m->physics.time_step, 1);
  put_reals_always(o, MJ_option_gravity, m->physics.gravity, 3);
  out_end_empty(o);
  write_assets(o);
  write_bodies(o);
  write_contacts(o);
  write_tendons(o);
  write_equalities(o);
  write_actuators(o);
  write_sensors(o);
  write_keys(o);
  write_custom(o);
  out_end(o, "mujoco");
  out_text(o, "\n");
}

HeftWriteDef heft_write_def_default(void) {
  return (HeftWriteDef){.allocator = heft_allocator_default()};
}

HeftStatus heft_write_mjcf(const HeftModel* model, const HeftWriteDef* def, HeftError* error) {
  const HeftModel* m = model;
  MjcfPlan plan = {.explicit_materials = !materials_are_plain(model)};
  Out o = {.m = model, .def = def, .error = error, .plan = &plan};
  const size_t count = 3 * (size_t)m->nbody + (size_t)m->nshape + (size_t)m->nsite +
                       (size_t)m->ncamera + (size_t)m->nlight;
  int* numbers = def->allocator.allocate(def->allocator.user, count * sizeof(int), 64);
  if (!numbers) return out_fail(&o, HEFT_ERR_MEMORY, "no memory to write the model%s", "");
  plan.body = numbers;
  plan.shape = plan.body + m->nbody;
  plan.site = plan.shape + m->nshape;
  plan.camera = plan.site + m->nsite;
  plan.light = plan.camera + m->ncamera;
  order_bodies(m, plan.body, plan.light + m->nlight, plan.light + m->nlight + m->nbody);
  write_document(&o);
  out_hand_over(&o, "");
  for (int k = 0; k < model->nmesh && def->mesh_folder && o.status == HEFT_OK; ++k) {
    if (model->mesh_face_count[k] > 0) out_mesh_file(&o, k);
  }
  def->allocator.release(def->allocator.user, numbers, count * sizeof(int));
  out_release(&o);
  return o.status;
}
