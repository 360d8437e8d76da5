// SPDX-License-Identifier: Apache-2.0
// A model as URDF. The root link is named "world" and is the world. Every body is a link with one
// joint to its parent. Values that URDF cannot express are left out, with a warning.
//
// The frame of a link is at its joint, and the zero of a joint is the pose of the file. If the
// anchor of a joint is not at the origin of its body, the frame is moved to the anchor. A body that
// is described at q_default is moved back to zero:
//
//     X_parent⁻¹ X_body = T(-a_parent) X_body T(a) J(-q_default)
//
// with a the anchor in the body's frame and J(q) the motion of the joint about it. A body with
// several dofs becomes a chain of massless links with one each.
//
// Orientations of URDF are three angles. They are computed from the quaternion; then neighbouring
// numbers are searched, so that most orientations read back to the same bits. The others differ in
// a few of the last bits.
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "io/bits.h"
#include "io/out.h"
#include "io/urdf_groups.h"

enum { NAME_SIZE = 300 };
static const double no_limit = 1e9;

__attribute__((format(printf, 3, 4))) static void warn(Out* o, int count, const char* format, ...);

// ---- names

static void link_name(const Out* o, int b, char* out) {
  const char* name = heft_model_name(o->m, HEFT_NAMED_BODY, b);
  snprintf(out, NAME_SIZE, "%s", b == 0 ? "world" : name);
  if (!out[0]) snprintf(out, NAME_SIZE, "body_%d", b);
}

// The link between two joints of a body: the first `k` have acted on it.
static void part_link_name(const Out* o, int b, int k, int parts, char* out) {
  link_name(o, b, out);
  const size_t used = strlen(out);
  if (k + 1 < parts) snprintf(out + used, NAME_SIZE - used, "_part_%d", k + 1);
}

static void part_joint_name(const Out* o, int j, int k, char* out) {
  const char* name = heft_model_name(o->m, HEFT_NAMED_JOINT, j);
  snprintf(out, NAME_SIZE, "%s", name);
  if (!name[0]) snprintf(out, NAME_SIZE, "joint_%d", j);
  const size_t used = strlen(out);
  if (k > 0) snprintf(out + used, NAME_SIZE - used, "_part_%d", k + 1);
}

// ---- numbers

static void put_value(Out* o, const char* key, const double* x, int count) {
  out_text(o, " ");
  out_text(o, key);
  out_text(o, "=\"");
  for (int i = 0; i < count; ++i) {
    if (i > 0) out_text(o, " ");
    out_number(o, x[i] == 0 ? 0 : x[i]);
  }
  out_text(o, "\"");
}

static void put_real(Out* o, const char* key, double x) { put_value(o, key, &x, 1); }

static void put_word(Out* o, const char* key, const char* text) {
  out_text(o, " ");
  out_text(o, key);
  out_text(o, "=\"");
  out_escaped(o, text);
  out_text(o, "\"");
}

// As the reader does.
static HeftQuat from_angles(const double a[3]) {
  const HeftQuat r = heft_quat_from_axis_angle(heft_vec3(1, 0, 0), a[0]),
                 p = heft_quat_from_axis_angle(heft_vec3(0, 1, 0), a[1]),
                 y = heft_quat_from_axis_angle(heft_vec3(0, 0, 1), a[2]);
  return heft_quat_mul(y, heft_quat_mul(p, r));
}

static void angles_of(HeftQuat q, double out[3]) {
  const HeftMat3 r = heft_quat_to_mat3(q);
  const double level = sqrt(r.m[0][0] * r.m[0][0] + r.m[1][0] * r.m[1][0]);
  out[1] = heft_atan2(-r.m[2][0], level);
  if (level > 1e-9) {
    out[0] = heft_atan2(r.m[2][1], r.m[2][2]);
    out[2] = heft_atan2(r.m[1][0], r.m[0][0]);
  } else {
    out[0] = 0;
    out[2] = heft_atan2(-r.m[0][1], r.m[1][1]);
  }
}

// The number `steps` last places away; zero is returned as it is.
static double beside(double x, int steps) {
  if (x == 0) return 0;
  for (; steps > 0; --steps) x = nextafter(x, (double)INFINITY);
  for (; steps < 0; ++steps) x = nextafter(x, -(double)INFINITY);
  return x;
}

static int fits(HeftQuat q, const double angles[3]) {
  const HeftQuat again = from_angles(angles);
  return bits_same(&again.w, &q.w, 4);
}

// Angles whose quaternion has the same bits, if there are some nearby: with few digits, as people
// write them, or within three last places of each.
static void refine(HeftQuat q, double angles[3]) {
  static const int steps[] = {0, 1, -1, 2, -2, 3, -3};
  double scale = 1, near[3];
  for (int digits = 0; digits <= 15; ++digits, scale *= 10) {
    for (int k = 0; k < 3; ++k) near[k] = floor(angles[k] * scale + 0.5) / scale;
    if (!fits(q, near)) continue;
    memcpy(angles, near, sizeof near);
    return;
  }
  HeftQuat turn[3][7];
  for (int k = 0; k < 3; ++k) {
    const HeftVec3 axis = heft_vec3(k == 0, k == 1, k == 2);
    for (int i = 0; i < 7; ++i)
      turn[k][i] = heft_quat_from_axis_angle(axis, beside(angles[k], steps[i]));
  }
  for (int i = 0; i < 343; ++i) {
    const int step[3] = {i % 7, i / 7 % 7, i / 49};
    const HeftQuat again =
        heft_quat_mul(turn[2][step[2]], heft_quat_mul(turn[1][step[1]], turn[0][step[0]]));
    if (!bits_same(&again.w, &q.w, 4)) continue;
    for (int k = 0; k < 3; ++k) angles[k] = beside(angles[k], steps[step[k]]);
    return;
  }
}

static void put_origin(Out* o, HeftVec3 pos, HeftQuat quat) {
  double angles[3];
  angles_of(quat, angles);
  refine(quat, angles);
  out_open(o, "origin");
  put_value(o, "xyz", &pos.x, 3);
  put_value(o, "rpy", angles, 3);
  out_end_empty(o);
}

// ---- links

static HeftVec3 last_anchor(const HeftModel* m, int b) {
  for (int j = m->body_joint[b] + m->body_joint_count[b] - 1; j >= m->body_joint[b]; --j) {
    if (m->joint_type[j] != HEFT_JOINT_FIXED) return heft_vec3_from(m->joint_pos + 3L * j);
  }
  return heft_vec3(0, 0, 0);
}

static void write_inertial(Out* o, int b) {
  static const char* const keys[] = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
  const HeftModel* m = o->m;
  const double zero[6] = {0}, *inertia = m->body_inertia + 6L * b;
  if (b == 0 || (m->body_mass[b] == 0 && bits_same(inertia, zero, 6))) return;
  const HeftVec3 com = heft_vec3_sub(heft_vec3_from(m->body_com + 3L * b), last_anchor(m, b));
  out_begin(o, "inertial");
  put_origin(o, com, heft_quat_identity());
  out_open(o, "mass");
  put_real(o, "value", m->body_mass[b]);
  out_end_empty(o);
  out_open(o, "inertia");
  for (int k = 0; k < 6; ++k) put_real(o, keys[k], inertia[k]);
  out_end_empty(o);
  out_end(o, "inertial");
}

static int shape_fits(HeftShapeType type) {
  return type != HEFT_SHAPE_PLANE && type != HEFT_SHAPE_ELLIPSOID &&
         type != HEFT_SHAPE_HEIGHT_FIELD;
}

static void write_geometry(Out* o, int s) {
  const HeftModel* m = o->m;
  const double* size = m->shape_size + 3L * s;
  const double whole[3] = {2 * size[0], 2 * size[1], 2 * size[2]};
  char file[600];
  out_begin(o, "geometry");
  switch (m->shape_type[s]) {
    case HEFT_SHAPE_BOX:
      out_open(o, "box");
      put_value(o, "size", whole, 3);
      break;
    case HEFT_SHAPE_SPHERE:
      out_open(o, "sphere");
      put_real(o, "radius", size[0]);
      break;
    case HEFT_SHAPE_MESH:
      out_mesh_name(o, m->shape_mesh[s], file, sizeof file);
      out_open(o, "mesh");
      put_word(o, "filename", file);
      break;
    case HEFT_SHAPE_PLANE:
    case HEFT_SHAPE_CAPSULE:
    case HEFT_SHAPE_CYLINDER:
    case HEFT_SHAPE_ELLIPSOID:
    case HEFT_SHAPE_HEIGHT_FIELD:
    case HEFT_SHAPE_TYPE_COUNT:
      out_open(o, m->shape_type[s] == HEFT_SHAPE_CAPSULE ? "capsule" : "cylinder");
      put_real(o, "radius", size[0]);
      put_real(o, "length", whole[1]);
      break;
  }
  out_end_empty(o);
  out_end(o, "geometry");
}

static void write_shape(Out* o, int s, const char* kind, HeftVec3 anchor) {
  const HeftModel* m = o->m;
  const double* q = m->shape_quat + 4L * s;
  out_begin(o, kind);
  put_origin(o, heft_vec3_sub(heft_vec3_from(m->shape_pos + 3L * s), anchor), heft_quat_from(q));
  write_geometry(o, s);
  if (strcmp(kind, "visual") == 0) {
    char name[32];
    snprintf(name, sizeof name, "color_%d", s);
    out_open(o, "material");
    put_word(o, "name", name);
    out_begin_content(o);
    out_open(o, "color");
    put_value(o, "rgba", m->shape_color + 4L * s, 4);
    out_end_empty(o);
    out_end(o, "material");
  }
  out_end(o, kind);
}

// Whether a reader shows collision shapes anyway: no shape is only visual, and all are in the group
// that the reader gives to collision shapes of a robot without visual shapes.
static int shows_collisions(const HeftModel* m) {
  for (int s = 0; s < m->nshape; ++s) {
    const int collides = m->shape_category[s] != 0 || m->shape_collides[s] != 0;
    if (!collides || m->shape_group[s] != URDF_SHOWN_GROUP) return 0;
  }
  return 1;
}

// A shape that collides is a collision; if its group is shown, it is a visual too.
static void write_shapes(Out* o, int b) {
  const HeftModel* m = o->m;
  const HeftVec3 anchor = last_anchor(m, b);
  const int shown = shows_collisions(m);
  for (int turn = 0; turn < 2; ++turn) {
    for (int s = 0; s < m->nshape; ++s) {
      if (m->shape_body[s] != b || !shape_fits(m->shape_type[s])) continue;
      if (m->shape_type[s] == HEFT_SHAPE_MESH && m->mesh_face_count[m->shape_mesh[s]] == 0)
        continue;
      const int collides = m->shape_category[s] != 0 || m->shape_collides[s] != 0;
      if (turn == 0 && (!collides || (m->shape_group[s] <= 2 && !shown)))
        write_shape(o, s, "visual", anchor);
      if (turn == 1 && collides) write_shape(o, s, "collision", anchor);
    }
  }
}

static int dof_count(const HeftModel* m, int b) {
  int count = 0;
  for (int j = m->body_joint[b]; j < m->body_joint[b] + m->body_joint_count[b]; ++j) {
    const HeftJointType type = m->joint_type[j];
    const int whole = type == HEFT_JOINT_FREE || type == HEFT_JOINT_PLANAR;
    count += whole ? 1 : heft_joint_type_dof_count(type);
  }
  return count;
}

static void write_link(Out* o, int b) {
  char name[NAME_SIZE];
  const int parts = dof_count(o->m, b);
  for (int k = 0; k + 1 < parts; ++k) {
    part_link_name(o, b, k, parts, name);
    out_open(o, "link");
    put_word(o, "name", name);
    out_end_empty(o);
  }
  link_name(o, b, name);
  out_open(o, "link");
  put_word(o, "name", name);
  out_begin_content(o);
  write_inertial(o, b);
  write_shapes(o, b);
  out_end(o, "link");
}

// ---- joints

/// One joint of URDF.
typedef struct Part {
  int joint, k;      ///< of the model, and which of its dofs; -1: a weld
  const char* type;  ///< in URDF
  HeftVec3 axis;
  int turns;
  HeftVec3 anchor;  ///< in the body's frame
} Part;

static void put_limits(Out* o, const Part* p) {
  const HeftModel* m = o->m;
  const int d = m->joint_dof[p->joint] + p->k;
  const int limited = m->dof_limited[d];
  const double* force = m->joint_force_range + 2L * p->joint;
  const int effort = m->joint_force_limited[p->joint] && p->k == 0;
  if (strcmp(p->type, "continuous") == 0 && !effort) return;
  out_open(o, "limit");
  if (strcmp(p->type, "continuous") != 0) {
    put_real(o, "lower", limited ? m->dof_range[2L * d] : -no_limit);
    put_real(o, "upper", limited ? m->dof_range[2L * d + 1] : no_limit);
  }
  put_real(o, "effort", effort ? fmax(fabs(force[0]), fabs(force[1])) : no_limit);
  put_real(o, "velocity", no_limit);
  out_end_empty(o);
}

// The joint that leads this one, where the coupling is linear; -1: none.
static int leader_of(const HeftModel* m, int j, double* factor, double* offset) {
  for (int e = 0; e < m->nequality; ++e) {
    const int* object = m->equality_object + 2L * e;
    const double* p = m->equality_poly + 5L * e;
    if (m->equality_type[e] != HEFT_EQUALITY_JOINT || object[0] != j || object[1] < 0) continue;
    if (!m->equality_active[e] || p[2] != 0 || p[3] != 0 || p[4] != 0) continue;
    *factor = p[1];
    *offset = p[0] + m->q_default[m->joint_q[j]] - p[1] * m->q_default[m->joint_q[object[1]]];
    return object[1];
  }
  return -1;
}

static void put_mimic(Out* o, const Part* p) {
  double factor = 1, offset = 0;
  char name[NAME_SIZE];
  const int leader = leader_of(o->m, p->joint, &factor, &offset);
  if (leader < 0) return;
  part_joint_name(o, leader, 0, name);
  out_open(o, "mimic");
  put_word(o, "joint", name);
  put_real(o, "multiplier", factor);
  put_real(o, "offset", offset);
  out_end_empty(o);
}

static void put_joint_numbers(Out* o, const Part* p) {
  const HeftModel* m = o->m;
  const int d = m->joint_dof[p->joint] + p->k;
  if (strcmp(p->type, "fixed") == 0 || strcmp(p->type, "floating") == 0) return;
  out_open(o, "axis");
  put_value(o, "xyz", &p->axis.x, 3);
  out_end_empty(o);
  if (strcmp(p->type, "planar") != 0) put_limits(o, p);
  if (m->dof_damping[d] != 0 || m->dof_friction[d] != 0) {
    out_open(o, "dynamics");
    put_real(o, "damping", m->dof_damping[d]);
    put_real(o, "friction", m->dof_friction[d]);
    out_end_empty(o);
  }
  put_mimic(o, p);
}

static void write_joint(Out* o, int b, const Part* p, int k, int parts, HeftVec3 pos,
                        HeftQuat quat) {
  char name[NAME_SIZE], parent[NAME_SIZE], child[NAME_SIZE];
  link_name(o, o->m->body_parent[b], parent);
  if (k > 0) part_link_name(o, b, k - 1, parts, parent);
  part_link_name(o, b, k, parts, child);
  if (p->joint >= 0) {
    part_joint_name(o, p->joint, p->k, name);
  } else {
    snprintf(name, sizeof name, "%.280s_fixed", child);
  }
  out_open(o, "joint");
  put_word(o, "name", name);
  put_word(o, "type", p->type);
  out_begin_content(o);
  put_origin(o, pos, quat);
  out_open(o, "parent");
  put_word(o, "link", parent);
  out_end_empty(o);
  out_open(o, "child");
  put_word(o, "link", child);
  out_end_empty(o);
  if (p->joint >= 0) put_joint_numbers(o, p);
  out_end(o, "joint");
}

// The joints of URDF that dof k of a joint, or all of it, becomes.
static Part part_of(const HeftModel* m, int j, int k) {
  const HeftJointType type = m->joint_type[j];
  const int d = m->joint_dof[j] + k;
  const HeftVec3 a = heft_vec3_from(m->joint_axis + 3L * j),
                 b = heft_vec3_from(m->joint_axis2 + 3L * j);
  const HeftVec3 units[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  Part p = {.joint = j, .k = k, .axis = a, .turns = 1};
  p.anchor = heft_vec3_from(m->joint_pos + 3L * j);
  switch (type) {
    case HEFT_JOINT_FREE:
      p.type = "floating";
      return p;
    case HEFT_JOINT_PLANAR:
      p.type = "planar";
      p.axis = heft_vec3_cross(a, b);
      return p;
    case HEFT_JOINT_SLIDE:
      p.turns = 0;
      break;
    case HEFT_JOINT_CYLINDRICAL:
      p.turns = k == 1;
      break;
    case HEFT_JOINT_UNIVERSAL:
      p.axis = k == 0 ? a : b;
      break;
    case HEFT_JOINT_BALL:
      p.axis = units[k];
      break;
    case HEFT_JOINT_FIXED:
    case HEFT_JOINT_HINGE:
    case HEFT_JOINT_TYPE_COUNT:
      break;
  }
  const int limited = m->dof_limited[d] && type != HEFT_JOINT_BALL;
  p.type = !p.turns ? "prismatic" : limited ? "revolute" : "continuous";
  return p;
}

// The pose of this link in the link before it, with the joint at zero.
static void write_moving_part(Out* o, int b, const Part* p, int k, int parts, HeftVec3 before) {
  const HeftModel* m = o->m;
  const int q = m->joint_q[p->joint] + p->k;
  const int whole = p->type[1] == 'l';  // floating, planar
  HeftVec3 pos = heft_vec3_sub(p->anchor, before);
  HeftQuat quat = heft_quat_identity();
  const int ball = m->joint_type[p->joint] == HEFT_JOINT_BALL;
  const double back = whole || ball ? 0 : -m->q_default[q];
  if (back != 0 && p->turns) quat = heft_quat_from_axis_angle(p->axis, back);
  if (back != 0 && !p->turns) pos = heft_vec3_add_scaled(pos, back, p->axis);
  if (k == 0) {
    const double* r = m->body_quat + 4L * b;
    const HeftQuat turn = heft_quat_from(r);
    const HeftVec3 origin =
        heft_vec3_sub(heft_vec3_from(m->body_pos + 3L * b), last_anchor(m, m->body_parent[b]));
    const int here = pos.x == 0 && pos.y == 0 && pos.z == 0;
    pos = here ? origin : heft_vec3_add(origin, heft_quat_rotate(turn, pos));
    quat = back != 0 && p->turns ? heft_quat_mul(turn, quat) : turn;
  }
  write_joint(o, b, p, k, parts, pos, quat);
}

static void write_joints(Out* o, int b) {
  const HeftModel* m = o->m;
  const int parts = dof_count(m, b);
  if (parts == 0) {
    const Part weld = {.joint = -1, .type = "fixed"};
    const double* r = m->body_quat + 4L * b;
    const HeftVec3 origin =
        heft_vec3_sub(heft_vec3_from(m->body_pos + 3L * b), last_anchor(m, m->body_parent[b]));
    write_joint(o, b, &weld, 0, 1, origin, heft_quat_from(r));
    return;
  }
  HeftVec3 before = heft_vec3(0, 0, 0);
  int at = 0;
  for (int j = m->body_joint[b]; j < m->body_joint[b] + m->body_joint_count[b]; ++j) {
    const HeftJointType type = m->joint_type[j];
    const int whole = type == HEFT_JOINT_FREE || type == HEFT_JOINT_PLANAR;
    const int count = whole ? 1 : heft_joint_type_dof_count(type);
    for (int k = 0; k < count; ++k) {
      const Part p = part_of(m, j, k);
      write_moving_part(o, b, &p, at++, parts, before);
      before = p.anchor;
    }
  }
}

// ---- values that URDF cannot express

static void warn(Out* o, int count, const char* format, ...) {
  HeftError error = {.status = HEFT_ERR_UNSUPPORTED};
  if (count == 0 || !o->def->warning) return;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(error.message, sizeof error.message, format, arguments);
  va_end(arguments);
  o->def->warning(o->def->user, &error, count);
}

static void warn_joints(Out* o) {
  const HeftModel* m = o->m;
  int springs = 0, armatures = 0, chains = 0, balls = 0, planes = 0, efforts = 0, fixed = 0,
      bouncing = 0;
  for (int d = 0; d < m->nv; ++d) {
    springs += m->dof_stiffness[d] != 0;
    armatures += m->dof_armature[d] != 0;
  }
  for (int b = 1; b < m->nbody; ++b) chains += dof_count(m, b) > 1;
  for (int j = 0; j < m->njoint; ++j) {
    const double *force = m->joint_force_range + 2L * j, *q = m->q_default + m->joint_q[j];
    const HeftJointType type = m->joint_type[j];
    balls += type == HEFT_JOINT_BALL;
    fixed += type == HEFT_JOINT_FIXED;
    bouncing += m->joint_restitution[j] != 0;
    efforts += m->joint_force_limited[j] && force[0] != -force[1];
    if (type != HEFT_JOINT_PLANAR) continue;
    const HeftVec3 axis = heft_vec3_from(m->joint_axis + 3L * j);
    HeftVec3 t1, t2;
    heft_vec3_tangents(part_of(m, j, 0).axis, &t1, &t2);
    planes += fabs(heft_vec3_dot(t1, axis) - 1) > 1e-9 || q[0] != 0 || q[1] != 0 || q[2] != 0 ||
              m->dof_limited[m->joint_dof[j]];
  }
  warn(o, springs, "URDF has no springs: the stiffness of joints is left out");
  warn(o, armatures, "URDF has no armature: the inertia of rotors is left out");
  warn(o, chains,
       "URDF has one degree of freedom in a joint: bodies with several become chains of massless "
       "links");
  warn(o, balls, "URDF has no ball joints: each becomes three hinges, which lock at a right angle");
  warn(o, fixed, "fixed joints of bodies that are welded or move anyway are left out");
  warn(o, planes,
       "planar joints of URDF have no limits and directions of their own: shifts and angle are "
       "counted otherwise");
  warn(o, bouncing, "URDF has no restitution at the limits of joints: it is left out");
  warn(o, efforts, "URDF has one effort for both directions: the larger one is written");
}

static void warn_shapes(Out* o) {
  const HeftModel* m = o->m;
  int left_out = 0, special = 0, both = 0;
  const int shown = shows_collisions(m);
  for (int s = 0; s < m->nshape; ++s) {
    const int collides = m->shape_category[s] != 0 || m->shape_collides[s] != 0;
    left_out += !shape_fits(m->shape_type[s]);
    both += collides && m->shape_group[s] <= 2 && !shown;
    special += collides && (m->shape_category[s] != 1 || m->shape_collides[s] != 1 ||
                            m->shape_contact_dim[s] != 3 || m->shape_priority[s] != 0 ||
                            m->shape_margin[s] != 0 || m->shape_gap[s] != 0);
  }
  warn(o, left_out,
       "URDF has boxes, spheres, cylinders and meshes: planes, ellipsoids and height fields are "
       "left out");
  warn(o, both,
       "shapes that collide and are seen stand in the file twice, as visual and collision");
  warn(o, special,
       "URDF has no settings of contact: which shapes touch, margins and the like are left out");
  warn(o, m->nmaterial > 1, "URDF has no contact materials: friction and restitution are left out");
  warn(o, m->nappearance + m->ntexture, "materials and textures are written as plain colours");
}

static int equalities_left(const HeftModel* m) {
  int left = 0;
  for (int e = 0; e < m->nequality; ++e) {
    const int* object = m->equality_object + 2L * e;
    double factor, offset;
    const int joint = m->equality_type[e] == HEFT_EQUALITY_JOINT && object[1] >= 0;
    left += !joint || leader_of(m, object[0], &factor, &offset) != object[1];
  }
  return left;
}

static void warn_rest(Out* o) {
  const HeftModel* m = o->m;
  const double* g = m->physics.gravity;
  int floats = 0;
  for (int b = 1; b < m->nbody; ++b) floats += m->body_gravity[b] != 1;
  warn(o, g[0] != 0 || g[1] != 0 || g[2] != -9.81 || m->physics.time_step != 0.001,
       "URDF has no gravity and no time step: both are left out");
  warn(o, m->physics.density > 0 || m->physics.viscosity > 0, "URDF has no fluid");
  warn(o, floats, "URDF has no bodies that feel less gravity than others");
  warn(o, m->contact_model[0] != 0, "URDF has no contact model");
  warn(o, m->ndeformable,
       "URDF has no elasticity: vertices of deformable bodies are links on slides, without forces "
       "between them");
  const struct {
    int count;
    const char* what;
  } rest[] = {{equalities_left(m), "constraints but those of one joint that follows another"},
              {m->ntendon, "tendons"},
              {m->nactuator, "actuators"},
              {m->nsensor, "sensors"},
              {m->nsite, "sites"},
              {m->npair, "contact pairs"},
              {m->nexclude, "contact excludes"},
              {m->nkey, "keyframes"},
              {m->ncamera, "cameras"},
              {m->nlight, "lights"}};
  for (size_t i = 0; i < sizeof rest / sizeof *rest; ++i)
    warn(o, rest[i].count, "URDF has no %s: they are left out", rest[i].what);
}

HeftStatus heft_model_write_urdf(const HeftModel* model, const HeftWriteDef* def,
                                 HeftError* error) {
  const HeftStatus given = out_check(model, def, error);
  if (given != HEFT_OK) return given;
  HeftWriteDef folder = *def;
  if (!folder.mesh_folder) folder.mesh_folder = "meshes";
  Out o = {.m = model, .def = &folder, .error = error};
  out_text(&o, "<robot name=\"heft\">");
  ++o.indent;
  for (int b = 0; b < model->nbody; ++b) write_link(&o, b);
  for (int b = 1; b < model->nbody; ++b) write_joints(&o, b);
  out_end(&o, "robot");
  out_text(&o, "\n");
  out_hand_over(&o, "");
  for (int k = 0; k < model->nmesh && o.status == HEFT_OK; ++k) {
    if (model->mesh_face_count[k] > 0) out_mesh_file(&o, k);
  }
  if (o.status == HEFT_OK) {
    warn_joints(&o);
    warn_shapes(&o);
    warn_rest(&o);
  }
  out_release(&o);
  return o.status;
}
