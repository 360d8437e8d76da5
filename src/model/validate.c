// SPDX-License-Identifier: Apache-2.0
// Validation of a model's arrays. Each check is one line that says what was found and what was
// expected; the first failure ends the walk. The order matters: an index is checked before anything
// is looked up through it.
//
// Limits: numbers are finite and at most 1e9; masses are zero or at least 1e-9 kg; a moment of
// inertia must be one that matter can have: principal moments not negative, none larger than the
// sum of the other two.
#include "model/validate.h"

#include <math.h>

#include "base/error.h"

#define REQUIRE(condition, ...)                                                  \
  do {                                                                           \
    if (!(condition)) return heft_error_set(error, HEFT_ERR_VALUE, __VA_ARGS__); \
  } while (0)

#define TRY(call)                                 \
  do {                                            \
    const HeftStatus try_status = (call);         \
    if (try_status != HEFT_OK) return try_status; \
  } while (0)

static const double largest_number = 1e9;
static const double smallest_mass = 1e-9;
static const double unit_tolerance = 1e-6;
enum { LARGEST_COUNT = 1 << 24, DOFS_PER_BODY = 6 };

static int sane(double x) { return fabs(x) <= largest_number; }

static int all_sane(const double* x, int count) {
  for (int i = 0; i < count; ++i) {
    if (!sane(x[i])) return 0;
  }
  return 1;
}

static int is_unit(const double* x, int count) {
  double square = 0;
  for (int i = 0; i < count; ++i) square += x[i] * x[i];
  return fabs(square - 1) <= unit_tolerance;
}

static int is_index(int i, int count) { return i >= 0 && i < count; }
static int is_flag(int i) { return i == 0 || i == 1; }

static const char* name_of(const HeftModel* m, const int* offsets, int i) {
  return m->names + offsets[i];
}

static HeftStatus check_name_offsets(const HeftModel* m, const int* offsets, int count,
                                     HeftError* error) {
  for (int i = 0; i < count; ++i)
    REQUIRE(is_index(offsets[i], m->nname), "a name lies outside of the name pool");
  return HEFT_OK;
}

static HeftStatus check_sizes_and_names(const HeftModel* m, HeftError* error) {
#define CHECK_SIZE(name, meaning)                                                              \
  REQUIRE(m->name >= 0 && m->name <= LARGEST_COUNT, #name " is %d, expected 0 to %d", m->name, \
          LARGEST_COUNT);
  HEFT_MODEL_SIZE_LIST(CHECK_SIZE)
#undef CHECK_SIZE
  REQUIRE(m->nbody >= 1, "a model has at least the world body");
  REQUIRE(m->nmaterial >= 1, "a model has at least the default material");
  REQUIRE(m->nname >= 1 && m->names[0] == '\0' && m->names[m->nname - 1] == '\0',
          "the name pool must begin and end with a zero byte");
  TRY(check_name_offsets(m, m->body_name, m->nbody, error));
  TRY(check_name_offsets(m, m->joint_name, m->njoint, error));
  TRY(check_name_offsets(m, m->site_name, m->nsite, error));
  TRY(check_name_offsets(m, m->material_name, m->nmaterial, error));
  TRY(check_name_offsets(m, m->shape_name, m->nshape, error));
  TRY(check_name_offsets(m, m->mesh_name, m->nmesh, error));
  TRY(check_name_offsets(m, m->actuator_name, m->nactuator, error));
  TRY(check_name_offsets(m, m->sensor_name, m->nsensor, error));
  return check_name_offsets(m, m->key_name, m->nkey, error);
}

static HeftStatus check_physics(const HeftModel* m, HeftError* error) {
  REQUIRE(all_sane(m->physics.gravity, 3), "gravity must be finite");
  REQUIRE(m->physics.time_step > 0 && m->physics.time_step <= 10,
          "the time step is %g s, expected more than 0, at most 10", m->physics.time_step);
  return HEFT_OK;
}

static HeftStatus check_inertia(const HeftModel* m, int b, HeftError* error) {
  const char* name = name_of(m, m->body_name, b);
  const double mass = m->body_mass[b];
  REQUIRE(mass == 0 || (mass >= smallest_mass && mass <= largest_number),
          "body %d '%s': mass is %g kg, expected 0 or %g to %g", b, name, mass, smallest_mass,
          largest_number);
  const double* i = m->body_moment + 6L * b;
  REQUIRE(all_sane(i, 6), "body %d '%s': the moments of inertia must be finite", b, name);
  HeftVec3 e;
  HeftMat3 axes;
  heft_sym3_eigen((HeftSym3){i[0], i[1], i[2], i[3], i[4], i[5]}, &e, &axes);
  const double slack = 1e-6 * fabs(e.x);
  REQUIRE(e.z >= -slack,
          "body %d '%s': principal moments of inertia %g, %g, %g kg m²; none may be negative", b,
          name, e.x, e.y, e.z);
  REQUIRE(e.x <= e.y + e.z + slack,
          "body %d '%s': principal moments of inertia %g, %g, %g kg m²; matter cannot have one "
          "larger than the sum of "
          "the others",
          b, name, e.x, e.y, e.z);
  return HEFT_OK;
}

static HeftStatus check_bodies(const HeftModel* m, HeftError* error) {
  REQUIRE(m->body_parent[0] == -1 && m->body_joint_count[0] == 0,
          "body 0 must be the world: no parent, no joints");
  int joint = 0;
  for (int b = 0; b < m->nbody; ++b) {
    const char* name = name_of(m, m->body_name, b);
    REQUIRE(b == 0 || is_index(m->body_parent[b], b),
            "body %d '%s': its parent is body %d, expected one before it", b, name,
            m->body_parent[b]);
    REQUIRE(m->body_joint[b] == joint && m->body_joint_count[b] >= 0 &&
                m->body_joint_count[b] <= m->njoint - joint,
            "body %d '%s': its joints do not follow those of the body before it", b, name);
    joint += m->body_joint_count[b];
    REQUIRE(all_sane(m->body_pos + 3L * b, 3),
            "body %d '%s': its position must be finite, at most %g m", b, name, largest_number);
    REQUIRE(is_unit(m->body_quat + 4L * b, 4), "body %d '%s': its quaternion must have unit length",
            b, name);
    REQUIRE(all_sane(m->body_com + 3L * b, 3), "body %d '%s': its centre of mass must be finite", b,
            name);
    // Above 1 the lift of a link could be a couple, which no force at a point replaces (tree.h).
    REQUIRE(sane(m->body_gravity[b]) && m->body_gravity[b] <= 1,
            "body %d '%s': its share of gravity is %g, expected at most 1", b, name,
            m->body_gravity[b]);
    TRY(check_inertia(m, b, error));
  }
  REQUIRE(joint == m->njoint, "%d joints belong to bodies, but there are %d", joint, m->njoint);
  return HEFT_OK;
}

static HeftStatus check_joint_geometry(const HeftModel* m, int j, HeftError* error) {
  const char* name = name_of(m, m->joint_name, j);
  const double *a = m->joint_axis + 3L * j, *a2 = m->joint_axis2 + 3L * j;
  const int type = m->joint_type[j];
  REQUIRE(all_sane(m->joint_pos + 3L * j, 3), "joint %d '%s': its anchor must be finite", j, name);
  REQUIRE(all_sane(a, 3) && all_sane(a2, 3), "joint %d '%s': each axis must be finite", j, name);
  if (type == HEFT_JOINT_FIXED || type == HEFT_JOINT_BALL || type == HEFT_JOINT_FREE)
    return HEFT_OK;
  REQUIRE(is_unit(a, 3), "joint %d '%s': its axis must have unit length", j, name);
  if (type != HEFT_JOINT_PLANAR && type != HEFT_JOINT_UNIVERSAL) return HEFT_OK;
  REQUIRE(is_unit(a2, 3) && fabs(a[0] * a2[0] + a[1] * a2[1] + a[2] * a2[2]) <= unit_tolerance,
          "joint %d '%s': its second axis must have unit length and be perpendicular to the first",
          j, name);
  return HEFT_OK;
}

static HeftStatus check_dof(const HeftModel* m, int d, int j, HeftError* error) {
  const char* name = name_of(m, m->joint_name, j);
  REQUIRE(m->dof_joint[d] == j, "joint %d '%s': degree of freedom %d is counted to joint %d", j,
          name, d, m->dof_joint[d]);
  REQUIRE(sane(m->dof_damping[d]) && m->dof_damping[d] >= 0,
          "joint %d '%s': damping is %g, expected 0 or more", j, name, m->dof_damping[d]);
  REQUIRE(sane(m->dof_stiffness[d]) && m->dof_stiffness[d] >= 0,
          "joint %d '%s': stiffness is %g, expected 0 or more", j, name, m->dof_stiffness[d]);
  REQUIRE(sane(m->dof_friction[d]) && m->dof_friction[d] >= 0,
          "joint %d '%s': dry friction is %g, expected 0 or more", j, name, m->dof_friction[d]);
  REQUIRE(sane(m->dof_armature[d]) && m->dof_armature[d] >= 0,
          "joint %d '%s': armature is %g, expected 0 or more", j, name, m->dof_armature[d]);
  const double* range = m->dof_range + 2L * d;
  REQUIRE(is_flag(m->dof_limited[d]) && all_sane(range, 2) && range[0] <= range[1],
          "joint %d '%s': its range is %g to %g, expected lowest to highest", j, name, range[0],
          range[1]);
  return HEFT_OK;
}

static HeftStatus check_coordinates(const HeftModel* m, int j, HeftError* error) {
  const char* name = name_of(m, m->joint_name, j);
  const int type = m->joint_type[j], q = m->joint_q[j];
  const int count = heft_joint_type_q_count((HeftJointType)type);
  REQUIRE(all_sane(m->q_default + q, count) && all_sane(m->q_spring + q, count),
          "joint %d '%s': its default and spring positions must be finite", j, name);
  if (type != HEFT_JOINT_BALL && type != HEFT_JOINT_FREE) return HEFT_OK;
  const int quat = q + count - 4;
  REQUIRE(is_unit(m->q_default + quat, 4) && is_unit(m->q_spring + quat, 4),
          "joint %d '%s': its default and spring quaternions must have unit length", j, name);
  return HEFT_OK;
}

static HeftStatus check_joints(const HeftModel* m, HeftError* error) {
  int q = 0, dof = 0;
  for (int b = 0; b < m->nbody; ++b) {
    const int count = m->body_joint_count[b], first_dof = dof;
    for (int j = m->body_joint[b]; j < m->body_joint[b] + count; ++j) {
      const char* name = name_of(m, m->joint_name, j);
      REQUIRE(is_index(m->joint_type[j], HEFT_JOINT_TYPE_COUNT),
              "joint %d '%s': type %d is unknown", j, name, m->joint_type[j]);
      const HeftJointType type = (HeftJointType)m->joint_type[j];
      REQUIRE(m->joint_body[j] == b && m->joint_q[j] == q && m->joint_dof[j] == dof,
              "joint %d '%s': its body or addresses are not in order", j, name);
      REQUIRE(
          type != HEFT_JOINT_FREE || (count == 1 && m->body_parent[b] == 0),
          "joint %d '%s': a free joint must be the only joint of a body that hangs on the world", j,
          name);
      const int q_count = heft_joint_type_q_count(type),
                dof_count = heft_joint_type_dof_count(type);
      REQUIRE(q_count <= m->nq - q && dof_count <= m->nv - dof,
              "joint %d '%s': more coordinates than nq or nv", j, name);
      TRY(check_joint_geometry(m, j, error));
      TRY(check_coordinates(m, j, error));
      for (int d = dof; d < dof + dof_count; ++d) TRY(check_dof(m, d, j, error));
      q += q_count;
      dof += dof_count;
    }
    REQUIRE(dof - first_dof <= DOFS_PER_BODY,
            "body %d '%s': its joints have %d degrees of freedom, at most %d are needed", b,
            name_of(m, m->body_name, b), dof - first_dof, DOFS_PER_BODY);
  }
  REQUIRE(q == m->nq && dof == m->nv,
          "the joints have %d coordinates and %d degrees of freedom, expected %d and %d", q, dof,
          m->nq, m->nv);
  return HEFT_OK;
}

static HeftStatus check_sites_and_materials(const HeftModel* m, HeftError* error) {
  for (int s = 0; s < m->nsite; ++s) {
    const char* name = name_of(m, m->site_name, s);
    REQUIRE(is_index(m->site_body[s], m->nbody), "site %d '%s': body %d does not exist", s, name,
            m->site_body[s]);
    REQUIRE(all_sane(m->site_pos + 3L * s, 3) && is_unit(m->site_quat + 4L * s, 4),
            "site %d '%s': its position must be finite and its quaternion of unit length", s, name);
  }
  for (int k = 0; k < m->nmaterial; ++k) {
    const char* name = name_of(m, m->material_name, k);
    const double mu = m->material_friction[k], kinetic = m->material_kinetic[k];
    REQUIRE(mu >= 0 && mu <= 100, "material %d '%s': friction is %g, expected 0 to 100", k, name,
            mu);
    REQUIRE(kinetic >= 0 && kinetic <= mu,
            "material %d '%s': kinetic friction is %g, expected 0 to the static %g", k, name,
            kinetic, mu);
    REQUIRE(m->material_torsion[k] >= 0 && sane(m->material_torsion[k]) &&
                m->material_rolling[k] >= 0 && sane(m->material_rolling[k]),
            "material %d '%s': torsional and rolling friction must be 0 or more", k, name);
    REQUIRE(m->material_restitution[k] >= 0 && m->material_restitution[k] <= 1,
            "material %d '%s': restitution is %g, expected 0 to 1", k, name,
            m->material_restitution[k]);
  }
  return HEFT_OK;
}

// How many of a shape's sizes must be positive.
static int needed_sizes(int type) {
  switch (type) {
    case HEFT_SHAPE_SPHERE:
      return 1;
    case HEFT_SHAPE_CAPSULE:
    case HEFT_SHAPE_CYLINDER:
      return 2;
    case HEFT_SHAPE_ELLIPSOID:
    case HEFT_SHAPE_BOX:
      return 3;
    default:
      return 0;
  }
}

static HeftStatus check_shapes(const HeftModel* m, HeftError* error) {
  for (int s = 0; s < m->nshape; ++s) {
    const char* name = name_of(m, m->shape_name, s);
    REQUIRE(is_index(m->shape_type[s], HEFT_SHAPE_TYPE_COUNT), "shape %d '%s': type %d is unknown",
            s, name, m->shape_type[s]);
    REQUIRE(is_index(m->shape_body[s], m->nbody), "shape %d '%s': body %d does not exist", s, name,
            m->shape_body[s]);
    REQUIRE(is_index(m->shape_material[s], m->nmaterial),
            "shape %d '%s': material %d does not exist", s, name, m->shape_material[s]);
    REQUIRE(m->shape_mesh[s] == -1 || is_index(m->shape_mesh[s], m->nmesh),
            "shape %d '%s': mesh %d does not exist", s, name, m->shape_mesh[s]);
    REQUIRE(m->shape_type[s] != HEFT_SHAPE_MESH || m->shape_mesh[s] >= 0,
            "shape %d '%s': a mesh shape needs a mesh", s, name);
    REQUIRE(all_sane(m->shape_pos + 3L * s, 3) && is_unit(m->shape_quat + 4L * s, 4),
            "shape %d '%s': its position must be finite and its quaternion of unit length", s,
            name);
    for (int k = 0; k < 3; ++k) {
      const double size = m->shape_size[3L * s + k];
      REQUIRE(sane(size) && size >= 0 && (k >= needed_sizes(m->shape_type[s]) || size > 0),
              "shape %d '%s' (%s): size %d is %g m, expected a positive length", s, name,
              heft_shape_type_name((HeftShapeType)m->shape_type[s]), k + 1, size);
    }
    const int dim = m->shape_contact_dim[s];
    REQUIRE(dim == 1 || dim == 3 || dim == 4 || dim == 6,
            "shape %d '%s': contact dimension %d, expected 1, 3, 4 or 6", s, name, dim);
    REQUIRE(sane(m->shape_margin[s]) && m->shape_margin[s] >= 0,
            "shape %d '%s': margin is %g m, expected 0 or more", s, name, m->shape_margin[s]);
    REQUIRE(m->shape_group[s] >= 0 && m->shape_group[s] <= 5,
            "shape %d '%s': group is %d, expected 0 to 5", s, name, m->shape_group[s]);
    REQUIRE(all_sane(m->shape_color + 4L * s, 4), "shape %d '%s': its colour must be finite", s,
            name);
  }
  return HEFT_OK;
}

static HeftStatus check_meshes(const HeftModel* m, HeftError* error) {
  int vertex = 0, face = 0;
  for (int k = 0; k < m->nmesh; ++k) {
    const char* name = name_of(m, m->mesh_name, k);
    REQUIRE(m->mesh_vertex[k] == vertex && m->mesh_face[k] == face &&
                m->mesh_vertex_count[k] >= 0 && m->mesh_face_count[k] >= 0 &&
                m->mesh_vertex_count[k] <= m->nvertex - vertex &&
                m->mesh_face_count[k] <= m->nface - face,
            "mesh %d '%s': its vertices or faces are not in order", k, name);
    for (int f = face; f < face + m->mesh_face_count[k]; ++f) {
      for (int c = 0; c < 3; ++c) {
        const int v = m->face_vertex[3L * f + c];
        REQUIRE(is_index(v, m->mesh_vertex_count[k]), "mesh %d '%s': a face names vertex %d of %d",
                k, name, v, m->mesh_vertex_count[k]);
      }
    }
    vertex += m->mesh_vertex_count[k];
    face += m->mesh_face_count[k];
  }
  REQUIRE(vertex == m->nvertex && face == m->nface,
          "vertices or faces are left over that belong to no mesh");
  for (int v = 0; v < m->nvertex; ++v) {
    REQUIRE(all_sane(m->vertex_pos + 3L * v, 3), "vertex %d: its position must be finite", v);
  }
  return HEFT_OK;
}

static HeftStatus check_actuators(const HeftModel* m, HeftError* error) {
  int act = 0;
  for (int a = 0; a < m->nactuator; ++a) {
    const char* name = name_of(m, m->actuator_name, a);
    REQUIRE(is_index(m->actuator_transmission[a], HEFT_TRANSMISSION_COUNT) &&
                is_index(m->actuator_activation[a], HEFT_ACTIVATION_COUNT),
            "actuator %d '%s': its transmission or activation is unknown", a, name);
    const int targets = m->actuator_transmission[a] == HEFT_TRANSMISSION_JOINT  ? m->njoint
                        : m->actuator_transmission[a] == HEFT_TRANSMISSION_SITE ? m->nsite
                                                                                : 0;
    REQUIRE(is_index(m->actuator_target[a], targets),
            "actuator %d '%s': its target %d does not exist", a, name, m->actuator_target[a]);
    const int has_act = m->actuator_activation[a] != HEFT_ACTIVATION_NONE;
    REQUIRE(m->actuator_act[a] == (has_act ? act : -1),
            "actuator %d '%s': its activation is not in order", a, name);
    act += has_act;
    REQUIRE(all_sane(m->actuator_gear + 6L * a, 6) && sane(m->actuator_gain[a]) &&
                all_sane(m->actuator_bias + 3L * a, 3) && sane(m->actuator_time[a]) &&
                m->actuator_time[a] >= 0,
            "actuator %d '%s': gear, gain, bias and time constant must be finite", a, name);
    REQUIRE(m->actuator_activation[a] != HEFT_ACTIVATION_FILTER || m->actuator_time[a] > 0,
            "actuator %d '%s': a filter needs a positive time constant", a, name);
    const double *control = m->actuator_control_range + 2L * a,
                 *force = m->actuator_force_range + 2L * a;
    REQUIRE(is_flag(m->actuator_control_limited[a]) && is_flag(m->actuator_force_limited[a]) &&
                all_sane(control, 2) && all_sane(force, 2) && control[0] <= control[1] &&
                force[0] <= force[1],
            "actuator %d '%s': its ranges must run from lowest to highest", a, name);
  }
  REQUIRE(act == m->nact, "%d activations belong to actuators, but there are %d", act, m->nact);
  return HEFT_OK;
}

static int sensor_object_count(const HeftModel* m, int type) {
  switch (type) {
    case HEFT_SENSOR_JOINT_POSITION:
    case HEFT_SENSOR_JOINT_VELOCITY:
      return m->njoint;
    case HEFT_SENSOR_ACTUATOR_FORCE:
      return m->nactuator;
    default:
      return m->nsite;
  }
}

static HeftStatus check_sensors(const HeftModel* m, HeftError* error) {
  int address = 0;
  for (int s = 0; s < m->nsensor; ++s) {
    const char* name = name_of(m, m->sensor_name, s);
    REQUIRE(is_index(m->sensor_type[s], HEFT_SENSOR_TYPE_COUNT),
            "sensor %d '%s': type %d is unknown", s, name, m->sensor_type[s]);
    REQUIRE(is_index(m->sensor_object[s], sensor_object_count(m, m->sensor_type[s])),
            "sensor %d '%s': its object %d does not exist", s, name, m->sensor_object[s]);
    REQUIRE(m->sensor_address[s] == address, "sensor %d '%s': its address is not in order", s,
            name);
    REQUIRE(sane(m->sensor_noise[s]) && m->sensor_noise[s] >= 0 && sane(m->sensor_cutoff[s]) &&
                m->sensor_cutoff[s] >= 0,
            "sensor %d '%s': noise and cutoff must be 0 or more", s, name);
    address += heft_sensor_type_value_count((HeftSensorType)m->sensor_type[s]);
  }
  REQUIRE(address == m->nsensordata, "the sensors have %d values, expected %d", address,
          m->nsensordata);
  return HEFT_OK;
}

static int has_quat(int joint_type) {
  return joint_type == HEFT_JOINT_BALL || joint_type == HEFT_JOINT_FREE;
}

static HeftStatus check_keys(const HeftModel* m, HeftError* error) {
  for (int k = 0; k < m->nkey; ++k) {
    REQUIRE(sane(m->key_time[k]) && all_sane(m->key_q + (long)k * m->nq, m->nq) &&
                all_sane(m->key_v + (long)k * m->nv, m->nv) &&
                all_sane(m->key_act + (long)k * m->nact, m->nact) &&
                all_sane(m->key_control + (long)k * m->nactuator, m->nactuator),
            "keyframe %d '%s': its numbers must be finite", k, name_of(m, m->key_name, k));
    for (int j = 0; j < m->njoint; ++j) {
      if (!has_quat(m->joint_type[j])) continue;
      const int end = m->joint_q[j] + heft_joint_type_q_count((HeftJointType)m->joint_type[j]);
      REQUIRE(is_unit(m->key_q + (long)k * m->nq + end - 4, 4),
              "keyframe %d '%s': the quaternion of joint %d '%s' must have unit length", k,
              name_of(m, m->key_name, k), j, name_of(m, m->joint_name, j));
    }
  }
  return HEFT_OK;
}

HeftStatus heft_model_validate(const HeftModel* m, HeftError* error) {
  TRY(check_sizes_and_names(m, error));
  TRY(check_physics(m, error));
  TRY(check_bodies(m, error));
  TRY(check_joints(m, error));
  TRY(check_sites_and_materials(m, error));
  TRY(check_meshes(m, error));
  TRY(check_shapes(m, error));
  TRY(check_actuators(m, error));
  TRY(check_sensors(m, error));
  return check_keys(m, error);
}
