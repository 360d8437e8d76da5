// SPDX-License-Identifier: Apache-2.0
// Parts of a model that plain MJCF can express. Each function repeats the arithmetic of the reader
// and compares bits; where they differ, <custom> carries the numbers.
#include "io/mjcf_plain.h"

#include <stdio.h>
#include <string.h>

#include "io/bits.h"
#include "model/joint_kind.h"

int mjcf_joint_is_referred(const HeftModel* m, int j) {
  for (int a = 0; a < m->nactuator; ++a) {
    const HeftTransmission t = m->actuator_transmission[a];
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
    if (heft_sensor_type_object(m->sensor_type[s]) == HEFT_SENSOR_OF_JOINT &&
        m->sensor_object[s] == j)
      return 1;
  }
  return 0;
}

int mjcf_any_reference(const HeftModel* m) {
  return m->npair + m->nexclude + m->nequality + m->ntendon + m->nactuator + m->nsensor +
             m->ncamera + m->nlight >
         0;
}

// Neither a layer, softness, nor friction that depends on speed.
static int is_rigid(const HeftModel* m, int k) {
  const double *layer = m->material_layer + 3L * k, *slip = m->material_slip + 2L * k;
  return layer[0] == 0 && layer[1] == 0 && layer[2] == 0 && slip[0] == 0 && slip[1] == 0 &&
         m->material_soft[2L * k] == 0 && m->material_area[4L * k] == 0;
}

int mjcf_materials_are_plain(const HeftModel* m) {
  int next = 1;
  for (int k = 0; k < m->nmaterial; ++k) {
    if (m->material_kinetic[k] != m->material_friction[k] || m->material_restitution[k] != 0 ||
        !is_rigid(m, k))
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

// A <pair> has friction and no material: the reader uses the first material without a name that has
// the same numbers.
int mjcf_pair_finds(const HeftModel* m, int material) {
  for (int k = 0; k < m->nmaterial; ++k) {
    if (k > 0 && m->material_name[k] != 0) continue;
    if (m->material_friction[k] == m->material_friction[material] &&
        m->material_kinetic[k] == m->material_friction[material] &&
        m->material_torsion[k] == m->material_torsion[material] &&
        m->material_rolling[k] == m->material_rolling[material] &&
        m->material_restitution[k] == 0 && is_rigid(m, k) && is_rigid(m, material))
      return k == material;
  }
  return 0;
}

static int same(const double* x, int count) {
  for (int i = 1; i < count; ++i) {
    if (x[i] != x[0]) return 0;
  }
  return 1;
}

int mjcf_joint_parts(HeftJointType type, HeftJointType out[3]) {
  out[0] = type;
  switch (type) {
    case HEFT_JOINT_HINGE:
    case HEFT_JOINT_SLIDE:
    case HEFT_JOINT_BALL:
    case HEFT_JOINT_FREE:
      return 1;
    case HEFT_JOINT_PLANAR:
      out[0] = out[1] = HEFT_JOINT_SLIDE;
      out[2] = HEFT_JOINT_HINGE;
      return 3;
    case HEFT_JOINT_UNIVERSAL:
      out[0] = out[1] = HEFT_JOINT_HINGE;
      return 2;
    case HEFT_JOINT_CYLINDRICAL:
      out[0] = HEFT_JOINT_SLIDE;
      out[1] = HEFT_JOINT_HINGE;
      return 2;
    case HEFT_JOINT_FIXED:
    case HEFT_JOINT_TYPE_COUNT:
      break;
  }
  return 0;
}

int mjcf_dofs_differ(const HeftModel* m, int j) {
  const HeftJointType type = m->joint_type[j];
  const int d = m->joint_dof[j], q = m->joint_q[j];
  const int n = heft_joint_type_dof_count(type), nq = heft_joint_type_q_count(type);
  if (joint_rotation(type) < 0) return 0;
  for (int k = 0; k < n; ++k) {
    const double plain[2] = {0, 0}, *range = m->dof_range + 2L * (d + k);
    const int is_free = type == HEFT_JOINT_FREE;
    if (m->dof_limited[d + k] != (is_free ? 0 : m->dof_limited[d])) return 1;
    if (!bits_same(range, is_free ? plain : m->dof_range + 2L * d, 2)) return 1;
    if (range[0] != 0 || (m->dof_limited[d + k] && !(range[1] > 0))) return 1;
  }
  return !same(m->dof_damping + d, n) || !same(m->dof_stiffness + d, n) ||
         !same(m->dof_friction + d, n) || !same(m->dof_armature + d, n) ||
         !bits_same(m->q_spring + q, m->q_default + q, nq);
}

void mjcf_part_name(int j, int k, char* out, size_t size) {
  snprintf(out, size, "heft_part_%d_%d", j, k);
}

// A site of a body at a point, or -1.
static int site_at(const HeftModel* m, int body, const double* pos) {
  for (int s = 0; s < m->nsite; ++s) {
    if (m->site_body[s] == body && bits_same(m->site_pos + 3L * s, pos, 3)) return s;
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
    x = heft_pose_mul(x, heft_pose(heft_vec3_from(p), heft_quat_from(q)));
  }
  return x;
}

int mjcf_connect_has_sites(const HeftModel* m, int e, int site[2]) {
  const double* a = m->equality_anchor + 6L * e;
  for (int k = 0; k < 2; ++k) site[k] = site_at(m, m->equality_object[2L * e + k], a + 3L * k);
  return site[0] >= 0 && site[1] >= 0;
}

int mjcf_connect_is_plain(const HeftModel* m, int e) {
  const int one = m->equality_object[2L * e], two = m->equality_object[2L * e + 1];
  const double* a = m->equality_anchor + 6L * e;
  const HeftVec3 point = heft_pose_apply(file_pose(m, one), heft_vec3_from(a));
  const HeftVec3 other = heft_pose_apply_inverse(file_pose(m, two), point);
  return bits_same(&other.x, a + 3, 3);
}

void mjcf_weld_pose(const HeftModel* m, int e, double pose[7]) {
  const double *a = m->equality_anchor + 6L * e, *q = m->equality_quat + 4L * e;
  const HeftVec3 turned = heft_quat_rotate(heft_quat_from(q), heft_vec3(a[3], a[4], a[5]));
  const double x[7] = {a[0] - turned.x, a[1] - turned.y, a[2] - turned.z, q[0], q[1], q[2], q[3]};
  memcpy(pose, x, sizeof x);
}

static int weld_is_plain(const HeftModel* m, int e) {
  const double *a = m->equality_anchor + 6L * e, *q = m->equality_quat + 4L * e;
  double p[7];
  mjcf_weld_pose(m, e, p);
  const HeftVec3 turned =
      heft_quat_rotate(heft_quat_normalize(heft_quat_from(q)), heft_vec3(a[3], a[4], a[5]));
  const HeftVec3 again = heft_vec3_add(heft_vec3_from(p), turned);
  return bits_same(&again.x, a, 3);
}

int mjcf_anchors_are_plain(const HeftModel* m, int e) {
  int site[2];
  switch (m->equality_type[e]) {
    case HEFT_EQUALITY_CONNECT:
      return mjcf_connect_is_plain(m, e) || mjcf_connect_has_sites(m, e, site);
    case HEFT_EQUALITY_WELD:
      return weld_is_plain(m, e);
    case HEFT_EQUALITY_JOINT:
    case HEFT_EQUALITY_TENDON:
    case HEFT_EQUALITY_TYPE_COUNT:
      break;
  }
  return 1;
}

int mjcf_is_calibrated(const HeftModel* m, int s) {
  const int n = heft_sensor_type_value_count(m->sensor_type[s]);
  for (int i = 0; i < n; ++i) {
    const int at = m->sensor_address[s] + i;
    double row[4] = {0};
    const double none = 0;
    row[i] = 1;
    if (!bits_same(m->sensor_matrix + 4L * at, row, 4)) return 1;
    if (!bits_same(m->sensor_offset + at, &none, 1)) return 1;
  }
  return 0;
}

int mjcf_collides_as_triangles(const HeftModel* m, int s) {
  const int mesh = m->shape_type[s] == HEFT_SHAPE_MESH ? m->shape_mesh[s] : -1;
  return mesh >= 0 && m->mesh_hull_count[mesh] == 0 && m->mesh_field[mesh] == HEFT_FIELD_NONE &&
         (m->shape_category[s] != 0 || m->shape_collides[s] != 0);
}
