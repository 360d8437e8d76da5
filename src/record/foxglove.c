// SPDX-License-Identifier: Apache-2.0
// An entity of a scene is fixed to the frame of its body, so that the shapes are sent once and the
// poses of the bodies move them. An entity replaces the one that has its id, so that the arrows of
// a step replace the arrows of the step before.
#include "record/foxglove.h"

#include <math.h>
#include <stdio.h>

#include "model/joint_kind.h"
#include "record/foxglove_schema.h"

enum { GROUPS_SHOWN = 3 };  // groups 0 to 2, as in MuJoCo and in the window

const char foxglove_scene_schema[] = FG_SCENE_UPDATE;
const char foxglove_transforms_schema[] = FG_TRANSFORMS;
const char foxglove_joints_schema[] = FG_JOINTS;

// ---- parts

static void put_time(HeftJsonText* t, const char* name, uint64_t time) {
  heft_json_text_say(t, "\"%s\":{\"sec\":%llu,\"nsec\":%llu}", name,
                     (unsigned long long)(time / 1000000000u),
                     (unsigned long long)(time % 1000000000u));
}

static void put_xyz(HeftJsonText* t, HeftVec3 v) {
  heft_json_text_put(t, "{\"x\":");
  heft_json_text_short(t, v.x);
  heft_json_text_put(t, ",\"y\":");
  heft_json_text_short(t, v.y);
  heft_json_text_put(t, ",\"z\":");
  heft_json_text_short(t, v.z);
}

static void put_quat(HeftJsonText* t, HeftQuat q) {
  put_xyz(t, heft_vec3(q.x, q.y, q.z));
  heft_json_text_put(t, ",\"w\":");
  heft_json_text_short(t, q.w);
  heft_json_text_put(t, "}");
}

static void put_pose(HeftJsonText* t, HeftVec3 pos, HeftQuat quat) {
  heft_json_text_put(t, "\"pose\":{\"position\":");
  put_xyz(t, pos);
  heft_json_text_put(t, "},\"orientation\":");
  put_quat(t, quat);
  heft_json_text_put(t, "}");
}

static void put_color(HeftJsonText* t, const double rgba[4]) {
  heft_json_text_say(t, "\"color\":{\"r\":%.3g,\"g\":%.3g,\"b\":%.3g,\"a\":%.3g}", rgba[0], rgba[1],
                     rgba[2], rgba[3]);
}

void foxglove_body(HeftJsonText* text, const HeftModel* model, int body) {
  const char* name = body == 0 ? "world" : heft_model_name(model, HEFT_NAMED_BODY, body);
  if (*name) {
    heft_json_text_quoted(text, name);
  } else {
    heft_json_text_say(text, "\"body %d\"", body);
  }
}

static void begin_entity(HeftJsonText* t, uint64_t time, const char* id) {
  heft_json_text_put(t, "{");
  put_time(t, "timestamp", time);
  heft_json_text_put(t, ",");
  put_time(t, "lifetime", 0);
  heft_json_text_put(
      t, ",\"frame_locked\":true,\"metadata\":[],\"lines\":[],\"texts\":[],\"models\":[],\"id\":");
  heft_json_text_quoted(t, id);
}

// ---- shapes

static int is_shown(const HeftModel* m, int shape, int body) {
  return m->shape_body[shape] == body && m->shape_group[shape] < GROUPS_SHOWN &&
         m->shape_color[4 * shape + 3] > 0;
}

static HeftVec3 shape_pos(const HeftModel* m, int shape) {
  return heft_vec3_from(&m->shape_pos[3 * shape]);
}

static HeftQuat shape_quat(const HeftModel* m, int shape) {
  const double* q = &m->shape_quat[4 * shape];
  return heft_quat_from(q);
}

// Begins an entry of an array of primitives: its place and its colour.
static void begin_primitive(HeftJsonText* t, const HeftModel* m, int shape, HeftVec3 offset,
                            int* count) {
  heft_json_text_put(t, (*count)++ ? ",{" : "{");
  put_pose(t, heft_vec3_add(shape_pos(m, shape), heft_quat_rotate(shape_quat(m, shape), offset)),
           shape_quat(m, shape));
  heft_json_text_put(t, ",");
  put_color(t, &m->shape_color[4 * shape]);
}

static void put_size(HeftJsonText* t, double x, double y, double z) {
  heft_json_text_put(t, ",\"size\":");
  put_xyz(t, heft_vec3(x, y, z));
  heft_json_text_put(t, "}");
}

static void put_cubes(HeftJsonText* t, const HeftModel* m, int shape, int* count) {
  static const double endless = 40, thin = 0.002;  // of a plane [m]
  const double* s = &m->shape_size[3 * shape];
  if (m->shape_type[shape] == HEFT_SHAPE_BOX) {
    begin_primitive(t, m, shape, heft_vec3(0, 0, 0), count);
    put_size(t, 2 * s[0], 2 * s[1], 2 * s[2]);
    heft_json_text_put(t, "}");
  } else if (m->shape_type[shape] == HEFT_SHAPE_PLANE) {
    begin_primitive(t, m, shape, heft_vec3(0, 0, -0.5 * thin), count);
    put_size(t, s[0] > 0 ? 2 * s[0] : endless, s[1] > 0 ? 2 * s[1] : endless, thin);
    heft_json_text_put(t, "}");
  }
}

static void put_spheres(HeftJsonText* t, const HeftModel* m, int shape, int* count) {
  const double* s = &m->shape_size[3 * shape];
  const HeftShapeType type = m->shape_type[shape];
  if (type == HEFT_SHAPE_ELLIPSOID) {
    begin_primitive(t, m, shape, heft_vec3(0, 0, 0), count);
    put_size(t, 2 * s[0], 2 * s[1], 2 * s[2]);
    heft_json_text_put(t, "}");
  }
  const int ends = type == HEFT_SHAPE_CAPSULE ? 2 : type == HEFT_SHAPE_SPHERE;
  for (int i = 0; i < ends; ++i) {
    begin_primitive(t, m, shape, heft_vec3(0, 0, ends == 2 ? (i ? s[1] : -s[1]) : 0), count);
    put_size(t, 2 * s[0], 2 * s[0], 2 * s[0]);
    heft_json_text_put(t, "}");
  }
}

static void put_cylinders(HeftJsonText* t, const HeftModel* m, int shape, int* count) {
  const double* s = &m->shape_size[3 * shape];
  if (m->shape_type[shape] != HEFT_SHAPE_CAPSULE && m->shape_type[shape] != HEFT_SHAPE_CYLINDER)
    return;
  begin_primitive(t, m, shape, heft_vec3(0, 0, 0), count);
  put_size(t, 2 * s[0], 2 * s[0], 2 * s[1]);
  heft_json_text_put(t, ",\"bottom_scale\":1,\"top_scale\":1}");
}

static void put_points(HeftJsonText* t, const double* x, int count) {
  heft_json_text_put(t, ",\"points\":[");
  for (int i = 0; i < count; ++i) {
    if (i > 0) heft_json_text_put(t, ",");
    put_xyz(t, heft_vec3_from(&x[3 * i]));
    heft_json_text_put(t, "}");
  }
  heft_json_text_put(t, "]");
}

static void put_mesh(HeftJsonText* t, const HeftModel* m, int shape, int* count) {
  const int mesh = m->shape_mesh[shape], faces = m->mesh_face_count[mesh];
  const int* corner = faces > 0 ? &m->face_vertex[3 * (size_t)m->mesh_face[mesh]]
                                : &m->hull_vertex[3 * (size_t)m->mesh_hull[mesh]];
  const int triangles = faces > 0 ? faces : m->mesh_hull_count[mesh];
  begin_primitive(t, m, shape, heft_vec3(0, 0, 0), count);
  put_points(t, &m->vertex_pos[3 * (size_t)m->mesh_vertex[mesh]], m->mesh_vertex_count[mesh]);
  heft_json_text_put(t, ",\"colors\":[],\"indices\":[");
  for (int i = 0; i < 3 * triangles; ++i) heft_json_text_say(t, "%s%d", i ? "," : "", corner[i]);
  heft_json_text_put(t, "]}");
}

// Two triangles for each cell.
static void put_height_field(HeftJsonText* t, const HeftModel* m, int shape, int* count) {
  const int f = m->shape_height_field[shape];
  const int rows = m->height_field_rows[f], columns = m->height_field_columns[f];
  const double *size = &m->height_field_size[4 * f],
               *height = &m->height[m->height_field_height[f]];
  begin_primitive(t, m, shape, heft_vec3(0, 0, 0), count);
  heft_json_text_put(t, ",\"points\":[");
  for (int i = 0; i < rows * columns; ++i) {
    const int row = i / columns, column = i % columns;
    const double x = -size[0] + 2 * size[0] * column / (columns - 1),
                 y = -size[1] + 2 * size[1] * row / (rows - 1);
    if (i > 0) heft_json_text_put(t, ",");
    put_xyz(t, heft_vec3(x, y, height[i]));
    heft_json_text_put(t, "}");
  }
  heft_json_text_put(t, "],\"colors\":[],\"indices\":[");
  for (int r = 0; r + 1 < rows; ++r) {
    for (int c = 0; c + 1 < columns; ++c) {
      const int a = r * columns + c, b = a + columns;
      heft_json_text_say(t, "%s%d,%d,%d,%d,%d,%d", r + c ? "," : "", a, a + 1, b + 1, a, b + 1, b);
    }
  }
  heft_json_text_put(t, "]}");
}

static void put_triangles(HeftJsonText* t, const HeftModel* m, int shape, int* count) {
  if (m->shape_type[shape] == HEFT_SHAPE_MESH) put_mesh(t, m, shape, count);
  if (m->shape_type[shape] == HEFT_SHAPE_HEIGHT_FIELD) put_height_field(t, m, shape, count);
}

static void put_kind(HeftJsonText* t, const HeftModel* m, int body, const char* name,
                     void (*put)(HeftJsonText*, const HeftModel*, int, int*)) {
  int count = 0;
  heft_json_text_say(t, ",\"%s\":[", name);
  for (int i = 0; i < m->nshape; ++i)
    if (is_shown(m, i, body)) put(t, m, i, &count);
  heft_json_text_put(t, "]");
}

void foxglove_scene(HeftJsonText* text, const HeftModel* model) {
  int count = 0;
  heft_json_text_put(text, "{\"deletions\":[],\"entities\":[");
  for (int b = 0; b < model->nbody; ++b) {
    int shapes = 0;
    char id[32];
    for (int i = 0; i < model->nshape; ++i) shapes += is_shown(model, i, b);
    if (shapes == 0) continue;
    if (count++ > 0) heft_json_text_put(text, ",");
    snprintf(id, sizeof id, "body %d", b);
    begin_entity(text, 0, id);
    heft_json_text_put(text, ",\"frame_id\":");
    foxglove_body(text, model, b);
    heft_json_text_put(text, ",\"arrows\":[]");
    put_kind(text, model, b, "cubes", put_cubes);
    put_kind(text, model, b, "spheres", put_spheres);
    put_kind(text, model, b, "cylinders", put_cylinders);
    put_kind(text, model, b, "triangles", put_triangles);
    heft_json_text_put(text, "}");
  }
  heft_json_text_put(text, "]}");
}

// ---- motion

void foxglove_transforms(HeftJsonText* text, const HeftWorld* world, uint64_t time) {
  const HeftModel* m = heft_world_model(world);
  const HeftDynamics* d = heft_world_dynamics(world);
  heft_json_text_put(text, "{\"transforms\":[");
  for (int i = 1; i < m->nbody; ++i) {
    const HeftPose pose = heft_dynamics_body_pose(d, i);
    heft_json_text_put(text, i > 1 ? ",{" : "{");
    put_time(text, "timestamp", time);
    heft_json_text_put(text, ",\"parent_frame_id\":\"world\",\"child_frame_id\":");
    foxglove_body(text, m, i);
    heft_json_text_put(text, ",\"translation\":");
    put_xyz(text, pose.pos);
    heft_json_text_put(text, "},\"rotation\":");
    put_quat(text, heft_quat_from_mat3(pose.rot));
    heft_json_text_put(text, "}");
  }
  heft_json_text_put(text, "]}");
}

void foxglove_joints(HeftJsonText* text, const HeftModel* model, const HeftState* state,
                     uint64_t time) {
  const HeftModel* m = model;
  int count = 0;
  heft_json_text_put(text, "{");
  put_time(text, "timestamp", time);
  heft_json_text_put(text, ",\"joints\":[");
  for (int j = 0; j < m->njoint; ++j) {
    const char* name = heft_model_name(m, HEFT_NAMED_JOINT, j);
    if (!joint_is_scalar(m->joint_type[j])) continue;
    heft_json_text_put(text, count++ ? ",{\"name\":" : "{\"name\":");
    if (*name) {
      heft_json_text_quoted(text, name);
    } else {
      heft_json_text_say(text, "\"joint %d\"", j);
    }
    heft_json_text_put(text, ",\"position\":");
    heft_json_text_short(text, state->q[m->joint_q[j]]);
    heft_json_text_put(text, ",\"velocity\":");
    heft_json_text_short(text, state->v[m->joint_dof[j]]);
    heft_json_text_put(text, "}");
  }
  heft_json_text_put(text, "]}");
}

// ---- forces

// Turns x to a direction.
static HeftQuat along(HeftVec3 direction) {
  const HeftVec3 x = {1, 0, 0}, d = heft_vec3_normalize(direction), turn = heft_vec3_cross(x, d);
  const double c = heft_vec3_dot(x, d);
  if (c < -0.999999) return heft_quat(0, 0, 0, 1);
  return heft_quat_normalize(heft_quat(1 + c, turn.x, turn.y, turn.z));
}

static void put_arrow(HeftJsonText* t, HeftVec3 from, HeftVec3 way, double thick,
                      const double rgba[4]) {
  const double length = heft_vec3_norm(way), head = fmin(3 * thick, 0.4 * length);
  heft_json_text_put(t, "{");
  put_pose(t, from, along(way));
  heft_json_text_put(t, ",");
  put_color(t, rgba);
  heft_json_text_put(t, ",\"shaft_length\":");
  heft_json_text_short(t, length - head);
  heft_json_text_put(t, ",\"shaft_diameter\":");
  heft_json_text_short(t, thick);
  heft_json_text_put(t, ",\"head_length\":");
  heft_json_text_short(t, head);
  heft_json_text_put(t, ",\"head_diameter\":");
  heft_json_text_short(t, 2 * thick);
  heft_json_text_put(t, "}");
}

void foxglove_forces(HeftJsonText* text, const HeftWorld* world, double length, uint64_t time) {
  static const double sticks[4] = {0.18, 0.7, 0.31, 1}, slips[4] = {0.94, 0.47, 0.09, 1};
  const HeftModel* m = heft_world_model(world);
  const double weight = fmax(1e-9, 9.81 * heft_model_mass(m));
  int count = 0;
  heft_json_text_put(text, "{\"deletions\":[],\"entities\":[");
  begin_entity(text, time, "contact forces");
  heft_json_text_put(text,
                     ",\"frame_id\":\"world\",\"cubes\":[],\"spheres\":[],\"cylinders\":[],"
                     "\"triangles\":[],\"arrows\":[");
  for (int i = 0; i < heft_world_contact_count(world); ++i) {
    const HeftContact c = heft_world_contact(world, i);
    const double force = heft_vec3_norm(c.force), most = 2 * length;
    if (!(force > 1e-6 * weight)) continue;
    if (count++ > 0) heft_json_text_put(text, ",");
    const HeftVec3 way = heft_vec3_scale(fmin(length / weight, most / force), c.force);
    put_arrow(text, c.pos, way, 0.012 * length, c.state == HEFT_CONTACT_SLIPPING ? slips : sticks);
  }
  heft_json_text_put(text, "]}]}");
}
