// SPDX-License-Identifier: Apache-2.0
// Validation of a model's arrays. Each check is one line that states the value found and the value
// expected; the first failure ends the validation. The order matters: an index is checked before
// anything is looked up through it.
//
// Limits: numbers are finite and at most 1e9; masses are zero or at least 1e-9 kg; a moment of
// inertia is at most 1e15 kg m², as the largest ships have, and one that matter can have: principal
// moments not negative, none larger than the sum of the other two.
#include "model/validate.h"

#include <limits.h>
#include <math.h>

#include "base/error.h"
#include "model/field.h"
#include "model/joint_kind.h"

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
static const double largest_inertia = 1e15;
static const double largest_stiffness = 1e15;  // [N/m] of a contact point, and [N s/m]
static const double largest_modulus = 1e13;    // [Pa]: diamond has 1e12
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
#define CHECK_NAMES(kind, offsets, count, text) \
  TRY(check_name_offsets(m, m->offsets, m->count, error));
  HEFT_NAMED_LIST(CHECK_NAMES)
#undef CHECK_NAMES
  TRY(check_name_offsets(m, m->contact_model, 1, error));
  return check_name_offsets(m, m->texture_file, m->ntexture, error);
}

static int is_word(const char* text) {
  for (; *text; ++text) {
    const int letter = *text >= 'a' && *text <= 'z', digit = *text >= '0' && *text <= '9';
    if (!letter && !digit && *text != '_' && *text != '-') return 0;
  }
  return 1;
}

static HeftStatus check_physics(const HeftModel* m, HeftError* error) {
  REQUIRE(is_word(m->names + m->contact_model[0]),
          "the contact model is '%s', expected a word of small letters",
          m->names + m->contact_model[0]);
  REQUIRE(all_sane(m->physics.gravity, 3), "gravity must be finite");
  REQUIRE(m->physics.time_step > 0 && m->physics.time_step <= 10,
          "the time step is %g s, expected more than 0, at most 10", m->physics.time_step);
  REQUIRE(sane(m->physics.density) && m->physics.density >= 0 && sane(m->physics.viscosity) &&
              m->physics.viscosity >= 0 && all_sane(m->physics.wind, 3),
          "density is %g kg/m³ and viscosity %g Pa s, expected 0 or more and a finite wind",
          m->physics.density, m->physics.viscosity);
  return HEFT_OK;
}

static HeftStatus check_inertia(const HeftModel* m, int b, HeftError* error) {
  const char* name = name_of(m, m->body_name, b);
  const double mass = m->body_mass[b];
  REQUIRE(mass == 0 || (mass >= smallest_mass && mass <= largest_number),
          "body %d '%s': mass is %g kg, expected 0 or %g to %g", b, name, mass, smallest_mass,
          largest_number);
  const double* i = m->body_inertia + 6L * b;
  for (int k = 0; k < 6; ++k)
    REQUIRE(fabs(i[k]) <= largest_inertia,
            "body %d '%s': the moments of inertia must be finite, at most %g kg m²", b, name,
            largest_inertia);
  HeftVec3 e;
  HeftMat3 axes;
  heft_sym3_eigen((HeftSym3){i[0], i[1], i[2], i[3], i[4], i[5]}, &e, &axes);
  const double slack = 1e-6 * fabs(e.x) + 1e-18;
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

// The moved body that a body is, or is welded to; -1: it is none.
static int moved_base(const HeftModel* m, int body) {
  if (m->nmoved == 0) return -1;
  int b = body;
  while (b > 0 && m->body_moved[b] < 0 && m->body_joint_count[b] == 0) b = m->body_parent[b];
  return m->body_moved[b] >= 0 ? b : -1;
}

// A moved body has no joints. The links that it carries would need the acceleration of their base,
// which the recursions of the dynamics assume to be the world's.
static HeftStatus check_moved(const HeftModel* m, int b, int* moved, HeftError* error) {
  const char* name = name_of(m, m->body_name, b);
  const int base = m->body_joint_count[b] > 0 ? moved_base(m, m->body_parent[b]) : -1;
  REQUIRE(base < 0,
          "body %d '%s': it has joints and hangs on the moved body '%s'; give it a free joint and "
          "weld it to the moved body by an equality",
          b, name, name_of(m, m->body_name, base));
  if (m->body_moved[b] == -1) return HEFT_OK;
  REQUIRE(*moved < m->nmoved && m->body_moved[b] == *moved && m->moved_body[*moved] == b,
          "body %d '%s': its number among the moved bodies is %d, expected %d", b, name,
          m->body_moved[b], *moved);
  REQUIRE(m->body_parent[b] == 0 && m->body_joint_count[b] == 0,
          "body %d '%s': a moved body must hang on the world and have no joints", b, name);
  REQUIRE(all_sane(m->moved_velocity + 6L * *moved, 6),
          "body %d '%s': its velocity at the start must be finite", b, name);
  ++*moved;
  return HEFT_OK;
}

static HeftStatus check_bodies(const HeftModel* m, HeftError* error) {
  REQUIRE(m->body_parent[0] == -1 && m->body_joint_count[0] == 0,
          "body 0 must be the world: no parent, no joints");
  int joint = 0, moved = 0;
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
    TRY(check_moved(m, b, &moved, error));
  }
  REQUIRE(moved == m->nmoved, "%d bodies are moved, expected %d", moved, m->nmoved);
  REQUIRE(joint == m->njoint, "%d joints belong to bodies, but there are %d", joint, m->njoint);
  return HEFT_OK;
}

static HeftStatus check_joint_geometry(const HeftModel* m, int j, HeftError* error) {
  const char* name = name_of(m, m->joint_name, j);
  const double *a = m->joint_axis + 3L * j, *a2 = m->joint_axis2 + 3L * j;
  const HeftJointType type = m->joint_type[j];
  REQUIRE(all_sane(m->joint_pos + 3L * j, 3), "joint %d '%s': its anchor must be finite", j, name);
  REQUIRE(all_sane(a, 3) && all_sane(a2, 3), "joint %d '%s': each axis must be finite", j, name);
  if (joint_axis_count(type) == 0) return HEFT_OK;
  REQUIRE(is_unit(a, 3), "joint %d '%s': its axis must have unit length", j, name);
  if (joint_axis_count(type) == 1) return HEFT_OK;
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
  const HeftJointType type = m->joint_type[j];
  const int q = m->joint_q[j];
  const int count = heft_joint_type_q_count(type);
  REQUIRE(all_sane(m->q_default + q, count) && all_sane(m->q_spring + q, count),
          "joint %d '%s': its default and spring positions must be finite", j, name);
  if (joint_rotation(type) < 0) return HEFT_OK;
  const int quat = q + joint_rotation(type);
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
      const HeftJointType type = m->joint_type[j];
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
      const double* force = m->joint_force_range + 2L * j;
      REQUIRE(is_flag(m->joint_force_limited[j]) && all_sane(force, 2) && force[0] <= force[1],
              "joint %d '%s': its range of actuator forces is %g to %g, expected lowest to highest",
              j, name, force[0], force[1]);
      REQUIRE(m->joint_restitution[j] >= 0 && m->joint_restitution[j] <= 1,
              "joint %d '%s': restitution is %g, expected 0 to 1", j, name,
              m->joint_restitution[j]);
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
    REQUIRE(is_index(m->site_type[s], HEFT_SHAPE_TYPE_COUNT) &&
                all_sane(m->site_size + 3L * s, 3) && all_sane(m->site_color + 4L * s, 4),
            "site %d '%s': its zone must be a known shape of finite size and colour", s, name);
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
    const double *layer = m->material_layer + 3L * k, *slip = m->material_slip + 2L * k;
    REQUIRE(layer[0] >= 0 && layer[1] >= 0 && layer[2] >= 0 && layer[2] <= 1 && all_sane(layer, 3),
            "material %d '%s': its layer has stiffness %g, damping %g and thickness %g m, expected "
            "0 or more, and at most 1 m",
            k, name, layer[0], layer[1], layer[2]);
    REQUIRE(
        slip[0] >= 0 && slip[1] >= 0 && slip[1] <= 100 && all_sane(slip, 2),
        "material %d '%s': its Stribeck speed is %g m/s and its viscous term %g s/m, expected 0 "
        "or more, and at most 100 s/m",
        k, name, slip[0], slip[1]);
    const double *soft = m->material_soft + 2L * k, *area = m->material_area + 4L * k;
    REQUIRE(soft[0] >= 0 && soft[0] <= largest_stiffness && soft[1] >= 0 &&
                soft[1] <= largest_stiffness && (soft[0] > 0 || soft[1] == 0),
            "material %d '%s': a soft contact point has stiffness %g N/m and damping %g N s/m, "
            "expected 0 to %g, and no damping without stiffness",
            k, name, soft[0], soft[1], largest_stiffness);
    REQUIRE(area[0] >= 0 && area[0] <= largest_modulus && all_sane(area + 1, 3) &&
                (area[0] == 0 ? area[1] == 0 && area[2] == 0 && area[3] == 0
                              : area[1] > 0 && area[2] >= 0 && (area[3] == 1 || area[3] == 0.5)),
            "material %d '%s': area contact has modulus %g Pa, thickness %g m, dissipation %g s/m "
            "and exponent %g, expected more than 0 and at most %g, more than 0, 0 or more, and 1 "
            "or 0.5",
            k, name, area[0], area[1], area[2], area[3], largest_modulus);
  }
  return HEFT_OK;
}

// How many of a shape's sizes must be positive.
static int needed_sizes(HeftShapeType type) {
  switch (type) {
    case HEFT_SHAPE_SPHERE:
      return 1;
    case HEFT_SHAPE_CAPSULE:
    case HEFT_SHAPE_CYLINDER:
      return 2;
    case HEFT_SHAPE_ELLIPSOID:
    case HEFT_SHAPE_BOX:
      return 3;
    case HEFT_SHAPE_PLANE:
    case HEFT_SHAPE_MESH:
    case HEFT_SHAPE_HEIGHT_FIELD:
    case HEFT_SHAPE_TYPE_COUNT:
      break;
  }
  return 0;
}

static HeftStatus check_shapes(const HeftModel* m, HeftError* error) {
  int conveyor = 0;
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
    REQUIRE(m->shape_height_field[s] == -1 || is_index(m->shape_height_field[s], m->nheight_field),
            "shape %d '%s': height field %d does not exist", s, name, m->shape_height_field[s]);
    REQUIRE(m->shape_type[s] != HEFT_SHAPE_HEIGHT_FIELD || m->shape_height_field[s] >= 0,
            "shape %d '%s': a height field shape needs a height field", s, name);
    REQUIRE(m->shape_appearance[s] == -1 || is_index(m->shape_appearance[s], m->nappearance),
            "shape %d '%s': appearance %d does not exist", s, name, m->shape_appearance[s]);
    REQUIRE(all_sane(m->shape_pos + 3L * s, 3) && is_unit(m->shape_quat + 4L * s, 4),
            "shape %d '%s': its position must be finite and its quaternion of unit length", s,
            name);
    for (int k = 0; k < 3; ++k) {
      const double size = m->shape_size[3L * s + k];
      REQUIRE(sane(size) && size >= 0 && (k >= needed_sizes(m->shape_type[s]) || size > 0),
              "shape %d '%s' (%s): size %d is %g m, expected a positive length", s, name,
              heft_shape_type_name(m->shape_type[s]), k + 1, size);
    }
    const int dim = m->shape_contact_dim[s];
    REQUIRE(dim == 1 || dim == 3 || dim == 4 || dim == 6,
            "shape %d '%s': contact dimension %d, expected 1, 3, 4 or 6", s, name, dim);
    REQUIRE(sane(m->shape_margin[s]) && m->shape_margin[s] >= 0,
            "shape %d '%s': margin is %g m, expected 0 or more", s, name, m->shape_margin[s]);
    REQUIRE(sane(m->shape_gap[s]) && m->shape_gap[s] >= 0,
            "shape %d '%s': gap is %g m, expected 0 or more", s, name, m->shape_gap[s]);
    REQUIRE(m->shape_group[s] >= 0 && m->shape_group[s] <= 5,
            "shape %d '%s': group is %d, expected 0 to 5", s, name, m->shape_group[s]);
    REQUIRE(all_sane(m->shape_color + 4L * s, 4), "shape %d '%s': its colour must be finite", s,
            name);
    const int at = m->shape_conveyor[s];
    if (at == -1) continue;
    REQUIRE(at == conveyor && conveyor < m->nconveyor && m->conveyor_shape[at] == s,
            "shape %d '%s': its number among the conveyors is %d, expected %d", s, name, at,
            conveyor);
    REQUIRE(all_sane(m->conveyor_velocity + 6L * at, 6),
            "shape %d '%s': the velocity of its surface must be finite", s, name);
    ++conveyor;
  }
  REQUIRE(conveyor == m->nconveyor, "%d shapes are conveyors, expected %d", conveyor, m->nconveyor);
  return HEFT_OK;
}

static HeftStatus check_triangles(const HeftModel* m, int mesh, const int* triangles, int count,
                                  HeftError* error) {
  int bad = 0;  // all at once first: there may be a million, and hardly ever is one wrong
  for (long c = 0; c < 3L * count; ++c)
    bad |= (unsigned)triangles[c] >= (unsigned)m->mesh_vertex_count[mesh];
  for (long c = 0; c < 3L * count && bad; ++c) {
    REQUIRE(is_index(triangles[c], m->mesh_vertex_count[mesh]),
            "mesh %d '%s': a face names vertex %d of %d", mesh, name_of(m, m->mesh_name, mesh),
            triangles[c], m->mesh_vertex_count[mesh]);
  }
  return HEFT_OK;
}

// A run of `count` things from `first` within `total`, right after the run before it.
static int follows(int first, int count, int next, int total) {
  return first == next && count >= 0 && count <= total - next;
}

// *sample: where the samples of the mesh begin, and of the next one.
static HeftStatus check_field(const HeftModel* m, int mesh, int* sample, HeftError* error) {
  const int* grid = m->mesh_grid + 3L * mesh;
  const HeftFieldType type = m->mesh_field[mesh];
  REQUIRE(type >= 0 && type < HEFT_FIELD_TYPE_COUNT && m->mesh_sample[mesh] == *sample,
          "mesh %d '%s': its distance shape is unknown or its samples are not in order", mesh,
          name_of(m, m->mesh_name, mesh));
  REQUIRE(all_sane(m->mesh_field_size + (long)HEFT_FIELD_SIZES * mesh, HEFT_FIELD_SIZES),
          "mesh %d '%s': the numbers of its distance shape must be finite", mesh,
          name_of(m, m->mesh_name, mesh));
  if (type == HEFT_FIELD_NONE) return HEFT_OK;
  long long count = 0;
  if (type == HEFT_FIELD_GRID) {
    count = 1;
    for (int k = 0; k < 3; ++k) count *= grid[k] >= 2 && grid[k] <= 4096 ? grid[k] : 1 << 20;
  }
  REQUIRE(count <= m->nsample - *sample, "mesh %d '%s': it has fewer samples than its grid", mesh,
          name_of(m, m->mesh_name, mesh));
  *sample += (int)count;
  REQUIRE(m->mesh_face_count[mesh] > 0, "mesh %d '%s': its distance shape has no triangles", mesh,
          name_of(m, m->mesh_name, mesh));
  const HeftField field = heft_model_field(m, mesh);
  return heft_field_check(&field, error);
}

static HeftStatus check_meshes(const HeftModel* m, HeftError* error) {
  int vertex = 0, face = 0, hull = 0, corner = 0, sample = 0;
  for (int k = 0; k < m->nmesh; ++k) {
    TRY(check_field(m, k, &sample, error));
    REQUIRE(follows(m->mesh_vertex[k], m->mesh_vertex_count[k], vertex, m->nvertex) &&
                follows(m->mesh_face[k], m->mesh_face_count[k], face, m->nface) &&
                follows(m->mesh_hull[k], m->mesh_hull_count[k], hull, m->nhull),
            "mesh %d '%s': its vertices or faces are not in order", k, name_of(m, m->mesh_name, k));
    TRY(check_triangles(m, k, m->face_vertex + 3L * face, m->mesh_face_count[k], error));
    TRY(check_triangles(m, k, m->hull_vertex + 3L * hull, m->mesh_hull_count[k], error));
    if (m->mesh_corner[k] != -1) {
      REQUIRE(m->mesh_face_count[k] <= INT_MAX / 3 &&
                  follows(m->mesh_corner[k], 3 * m->mesh_face_count[k], corner, m->ncorner),
              "mesh %d '%s': its places in images are not in order", k,
              name_of(m, m->mesh_name, k));
      corner += 3 * m->mesh_face_count[k];
    }
    vertex += m->mesh_vertex_count[k];
    face += m->mesh_face_count[k];
    hull += m->mesh_hull_count[k];
  }
  REQUIRE(vertex == m->nvertex && face == m->nface && hull == m->nhull && corner == m->ncorner &&
              sample == m->nsample,
          "vertices or faces are left over that belong to no mesh");
  for (int v = 0; v < m->nvertex; ++v) {
    REQUIRE(all_sane(m->vertex_pos + 3L * v, 3), "vertex %d: its position must be finite", v);
  }
  for (int c = 0; c < m->ncorner; ++c) {
    REQUIRE(all_sane(m->corner_image + 2L * c, 2),
            "corner %d: its place in an image must be finite", c);
  }
  return HEFT_OK;
}

static HeftStatus check_height_fields(const HeftModel* m, HeftError* error) {
  int first = 0;
  for (int k = 0; k < m->nheight_field; ++k) {
    const char* name = name_of(m, m->height_field_name, k);
    const int rows = m->height_field_rows[k], columns = m->height_field_columns[k];
    REQUIRE(rows >= 2 && columns >= 2 && rows <= m->nheight / columns,
            "height field %d '%s': %d rows and %d columns, expected at least 2 each", k, name, rows,
            columns);
    REQUIRE(follows(m->height_field_height[k], rows * columns, first, m->nheight),
            "height field %d '%s': its heights are not in order", k, name);
    const double* size = m->height_field_size + 4L * k;
    REQUIRE(all_sane(size, 4) && size[0] > 0 && size[1] > 0 && size[2] >= 0 && size[3] >= 0,
            "height field %d '%s': its sizes are %g %g %g %g m, expected two positive, two not "
            "negative",
            k, name, size[0], size[1], size[2], size[3]);
    for (int i = first; i < first + rows * columns; ++i) {
      REQUIRE(m->height[i] >= 0 && m->height[i] <= size[2],
              "height field %d '%s': a height is %g m, expected 0 to %g", k, name, m->height[i],
              size[2]);
    }
    first += rows * columns;
  }
  REQUIRE(first == m->nheight, "heights are left over that belong to no height field");
  return HEFT_OK;
}

static HeftStatus check_looks(const HeftModel* m, HeftError* error) {
  for (int k = 0; k < m->ntexture; ++k) {
    const char* name = name_of(m, m->texture_name, k);
    REQUIRE(is_index(m->texture_type[k], HEFT_TEXTURE_TYPE_COUNT) &&
                is_index(m->texture_source[k], HEFT_TEXTURE_SOURCE_COUNT) &&
                is_index(m->texture_mark[k], HEFT_TEXTURE_MARK_COUNT),
            "texture %d '%s': its type, source or mark is unknown", k, name);
    REQUIRE(m->texture_width[k] >= 0 && m->texture_width[k] <= 1 << 16 &&
                m->texture_height[k] >= 0 && m->texture_height[k] <= 1 << 20,
            "texture %d '%s': %d x %d pixels are too many", k, name, m->texture_width[k],
            m->texture_height[k]);
    REQUIRE(all_sane(m->texture_color + 3L * k, 3) && all_sane(m->texture_color2 + 3L * k, 3) &&
                all_sane(m->texture_mark_color + 3L * k, 3),
            "texture %d '%s': its colours must be finite", k, name);
  }
  for (int k = 0; k < m->nappearance; ++k) {
    const char* name = name_of(m, m->appearance_name, k);
    REQUIRE(m->appearance_texture[k] == -1 || is_index(m->appearance_texture[k], m->ntexture),
            "appearance %d '%s': texture %d does not exist", k, name, m->appearance_texture[k]);
    REQUIRE(all_sane(m->appearance_color + 4L * k, 4) &&
                all_sane(m->appearance_light + 4L * k, 4) &&
                all_sane(m->appearance_repeat + 2L * k, 2) && is_flag(m->appearance_uniform[k]),
            "appearance %d '%s': its numbers must be finite", k, name);
  }
  return HEFT_OK;
}

static HeftStatus check_cameras_and_lights(const HeftModel* m, HeftError* error) {
  for (int k = 0; k < m->ncamera; ++k) {
    REQUIRE(is_index(m->camera_body[k], m->nbody) &&
                is_index(m->camera_follow[k], HEFT_FOLLOW_COUNT) && m->camera_target[k] >= -1 &&
                m->camera_target[k] < m->nbody && all_sane(m->camera_pos + 3L * k, 3) &&
                is_unit(m->camera_quat + 4L * k, 4) && m->camera_fov[k] > 0 &&
                m->camera_fov[k] < HEFT_PI,
            "camera %d '%s': its body, target, pose or opening angle is not sane", k,
            name_of(m, m->camera_name, k));
  }
  for (int k = 0; k < m->nlight; ++k) {
    REQUIRE(is_index(m->light_body[k], m->nbody) &&
                is_index(m->light_follow[k], HEFT_FOLLOW_COUNT) && m->light_target[k] >= -1 &&
                m->light_target[k] < m->nbody && is_flag(m->light_directional[k]) &&
                is_flag(m->light_shadow[k]) && is_flag(m->light_active[k]),
            "light %d '%s': its body, target or flags are not sane", k,
            name_of(m, m->light_name, k));
    REQUIRE(all_sane(m->light_pos + 3L * k, 3) && is_unit(m->light_dir + 3L * k, 3) &&
                all_sane(m->light_ambient + 3L * k, 3) && all_sane(m->light_diffuse + 3L * k, 3) &&
                all_sane(m->light_specular + 3L * k, 3) &&
                all_sane(m->light_attenuation + 3L * k, 3) && sane(m->light_cutoff[k]) &&
                sane(m->light_exponent[k]),
            "light %d '%s': its numbers must be finite and its direction of unit length", k,
            name_of(m, m->light_name, k));
  }
  return HEFT_OK;
}

static HeftStatus check_contacts(const HeftModel* m, HeftError* error) {
  for (int k = 0; k < m->npair; ++k) {
    const char* name = name_of(m, m->pair_name, k);
    REQUIRE(is_index(m->pair_shape[2L * k], m->nshape) &&
                is_index(m->pair_shape[2L * k + 1], m->nshape),
            "contact pair %d '%s': a shape does not exist", k, name);
    REQUIRE(is_index(m->pair_material[k], m->nmaterial),
            "contact pair %d '%s': material %d does not exist", k, name, m->pair_material[k]);
    const int dim = m->pair_contact_dim[k];
    REQUIRE(dim == 1 || dim == 3 || dim == 4 || dim == 6,
            "contact pair %d '%s': contact dimension %d, expected 1, 3, 4 or 6", k, name, dim);
    REQUIRE(sane(m->pair_margin[k]) && m->pair_margin[k] >= 0 && sane(m->pair_gap[k]) &&
                m->pair_gap[k] >= 0,
            "contact pair %d '%s': margin and gap must be 0 or more", k, name);
    const double first = m->material_friction[m->pair_material[k]], second = m->pair_friction2[k];
    REQUIRE(second == 0 || (second >= 1e-3 * first && second <= 1e3 * first && first > 0),
            "contact pair %d '%s': the second coefficient of friction is %g, expected 0 or at most "
            "1000 times more or less than the first, %g",
            k, name, second, first);
  }
  for (int k = 0; k < m->nexclude; ++k) {
    REQUIRE(is_index(m->exclude_body[2L * k], m->nbody) &&
                is_index(m->exclude_body[2L * k + 1], m->nbody),
            "contact exclude %d '%s': a body does not exist", k, name_of(m, m->exclude_name, k));
  }
  return HEFT_OK;
}

static int is_scalar_joint(const HeftModel* m, int j) {
  return is_index(j, m->njoint) && joint_is_scalar(m->joint_type[j]);
}

static HeftStatus check_equalities(const HeftModel* m, HeftError* error) {
  for (int k = 0; k < m->nequality; ++k) {
    const char* name = name_of(m, m->equality_name, k);
    const int one = m->equality_object[2L * k], two = m->equality_object[2L * k + 1];
    REQUIRE(
        is_index(m->equality_type[k], HEFT_EQUALITY_TYPE_COUNT) && is_flag(m->equality_active[k]),
        "equality %d '%s': its type is unknown", k, name);
    switch (m->equality_type[k]) {
      case HEFT_EQUALITY_JOINT:
        REQUIRE(is_scalar_joint(m, one) && (two == -1 || (is_scalar_joint(m, two) && two != one)),
                "equality %d '%s': it needs one or two different hinge or slide joints", k, name);
        break;
      case HEFT_EQUALITY_TENDON:
        REQUIRE(
            is_index(one, m->ntendon) && (two == -1 || (is_index(two, m->ntendon) && two != one)),
            "equality %d '%s': it needs one or two different tendons", k, name);
        break;
      case HEFT_EQUALITY_CONNECT:
      case HEFT_EQUALITY_WELD:
      case HEFT_EQUALITY_TYPE_COUNT:
        REQUIRE(is_index(one, m->nbody) && is_index(two, m->nbody) && one != two,
                "equality %d '%s': it needs two different bodies", k, name);
        break;
    }
    REQUIRE(all_sane(m->equality_anchor + 6L * k, 6) && is_unit(m->equality_quat + 4L * k, 4) &&
                all_sane(m->equality_poly + 5L * k, 5),
            "equality %d '%s': its numbers must be finite and its quaternion of unit length", k,
            name);
  }
  return HEFT_OK;
}

static HeftStatus check_wrap(const HeftModel* m, int tendon, int i, HeftError* error) {
  const char* name = name_of(m, m->tendon_name, tendon);
  const int first = m->tendon_wrap[tendon], last = first + m->tendon_wrap_count[tendon] - 1;
  const HeftWrapType type = m->wrap_type[i];
  const int object = m->wrap_object[i];
  REQUIRE(is_index(type, HEFT_WRAP_TYPE_COUNT) && sane(m->wrap_value[i]) &&
              (m->wrap_side[i] == -1 ||
               (type == HEFT_WRAP_SHAPE && is_index(m->wrap_side[i], m->nsite))),
          "tendon %d '%s': what it passes is unknown", tendon, name);
  REQUIRE((type == HEFT_WRAP_JOINT) == (m->wrap_type[first] == HEFT_WRAP_JOINT),
          "tendon %d '%s': joints do not go together with sites, pulleys and shapes", tendon, name);
  if (type == HEFT_WRAP_JOINT) {
    REQUIRE(is_scalar_joint(m, object), "tendon %d '%s': joint %d is no hinge or slide joint",
            tendon, name, object);
  } else if (type == HEFT_WRAP_SITE) {
    REQUIRE(is_index(object, m->nsite), "tendon %d '%s': site %d does not exist", tendon, name,
            object);
  } else if (type == HEFT_WRAP_PULLEY) {
    REQUIRE(m->wrap_value[i] > 0, "tendon %d '%s': a pulley divides by %g, expected more than 0",
            tendon, name, m->wrap_value[i]);
  } else {
    REQUIRE(is_index(object, m->nshape) && (m->shape_type[object] == HEFT_SHAPE_SPHERE ||
                                            m->shape_type[object] == HEFT_SHAPE_CYLINDER),
            "tendon %d '%s': shape %d is no sphere or cylinder", tendon, name, object);
    REQUIRE(i > first && i < last && m->wrap_type[i - 1] == HEFT_WRAP_SITE &&
                m->wrap_type[i + 1] == HEFT_WRAP_SITE,
            "tendon %d '%s': a shape must stand between two sites", tendon, name);
  }
  return HEFT_OK;
}

// The rate of a tendon follows only from the joint velocities.
static HeftStatus check_path(const HeftModel* m, int k, HeftError* error) {
  for (int i = m->tendon_wrap[k]; i < m->tendon_wrap[k] + m->tendon_wrap_count[k]; ++i) {
    const HeftWrapType type = m->wrap_type[i];
    const int object = m->wrap_object[i];
    const int body = type == HEFT_WRAP_SITE    ? m->site_body[object]
                     : type == HEFT_WRAP_SHAPE ? m->shape_body[object]
                                               : 0;
    REQUIRE(moved_base(m, body) < 0,
            "tendon %d '%s': it passes the moved body '%s', which is not supported", k,
            name_of(m, m->tendon_name, k), name_of(m, m->body_name, moved_base(m, body)));
  }
  return HEFT_OK;
}

static HeftStatus check_tendons(const HeftModel* m, HeftError* error) {
  int wrap = 0;
  for (int k = 0; k < m->ntendon; ++k) {
    const char* name = name_of(m, m->tendon_name, k);
    const int count = m->tendon_wrap_count[k];
    REQUIRE(follows(m->tendon_wrap[k], count, wrap, m->nwrap) && count > 0,
            "tendon %d '%s': it passes nothing", k, name);
    wrap += count;
    const double *range = m->tendon_range + 2L * k, *spring = m->tendon_spring + 2L * k;
    REQUIRE(is_flag(m->tendon_limited[k]) && all_sane(range, 2) && range[0] <= range[1],
            "tendon %d '%s': its range is %g to %g, expected shortest to longest", k, name,
            range[0], range[1]);
    REQUIRE(all_sane(spring, 2) && spring[0] <= spring[1],
            "tendon %d '%s': its spring rests from %g to %g, expected shortest to longest", k, name,
            spring[0], spring[1]);
    REQUIRE(sane(m->tendon_stiffness[k]) && m->tendon_stiffness[k] >= 0 &&
                sane(m->tendon_damping[k]) && m->tendon_damping[k] >= 0 &&
                sane(m->tendon_friction[k]) && m->tendon_friction[k] >= 0 &&
                sane(m->tendon_armature[k]) && m->tendon_armature[k] >= 0 &&
                sane(m->tendon_width[k]) && m->tendon_width[k] >= 0 &&
                all_sane(m->tendon_color + 4L * k, 4),
            "tendon %d '%s': stiffness, damping, friction, armature and width must be 0 or more", k,
            name);
  }
  REQUIRE(wrap == m->nwrap, "things are left over that no tendon passes");
  for (int k = 0; k < m->ntendon; ++k) {
    for (int i = m->tendon_wrap[k]; i < m->tendon_wrap[k] + m->tendon_wrap_count[k]; ++i)
      TRY(check_wrap(m, k, i, error));
    TRY(check_path(m, k, error));
  }
  return HEFT_OK;
}

static int target_count(const HeftModel* m, HeftTransmission transmission) {
  switch (transmission) {
    case HEFT_TRANSMISSION_JOINT:
    case HEFT_TRANSMISSION_JOINT_IN_PARENT:
      return m->njoint;
    case HEFT_TRANSMISSION_TENDON:
      return m->ntendon;
    case HEFT_TRANSMISSION_SITE:
    case HEFT_TRANSMISSION_SLIDER_CRANK:
    case HEFT_TRANSMISSION_COUNT:
      break;
  }
  return m->nsite;
}

static HeftStatus check_actuators(const HeftModel* m, HeftError* error) {
  int act = 0;
  for (int a = 0; a < m->nactuator; ++a) {
    const char* name = name_of(m, m->actuator_name, a);
    REQUIRE(is_index(m->actuator_transmission[a], HEFT_TRANSMISSION_COUNT) &&
                is_index(m->actuator_activation[a], HEFT_ACTIVATION_COUNT),
            "actuator %d '%s': its transmission or activation is unknown", a, name);
    const HeftTransmission type = m->actuator_transmission[a];
    const int reference = m->actuator_reference[a];
    REQUIRE(is_index(m->actuator_target[a], target_count(m, type)),
            "actuator %d '%s': its target %d does not exist", a, name, m->actuator_target[a]);
    const int crank = type == HEFT_TRANSMISSION_SLIDER_CRANK;
    REQUIRE(reference == -1
                ? !crank
                : is_index(reference, m->nsite) && (crank || type == HEFT_TRANSMISSION_SITE),
            "actuator %d '%s': its reference site %d does not exist or is not wanted", a, name,
            reference);
    REQUIRE(sane(m->actuator_crank[a]) &&
                (crank ? m->actuator_crank[a] > 0 : m->actuator_crank[a] >= 0),
            "actuator %d '%s': its rod is %g m long, expected more than 0", a, name,
            m->actuator_crank[a]);
    const int has_act = m->actuator_activation[a] != HEFT_ACTIVATION_NONE;
    REQUIRE(m->actuator_act[a] == (has_act ? act : -1),
            "actuator %d '%s': its activation is not in order", a, name);
    act += has_act;
    REQUIRE(all_sane(m->actuator_gear + 6L * a, 6) && sane(m->actuator_gain[a]) &&
                all_sane(m->actuator_gain_rate + 2L * a, 2) &&
                all_sane(m->actuator_bias + 3L * a, 3) && sane(m->actuator_time[a]) &&
                m->actuator_time[a] >= 0,
            "actuator %d '%s': gear, gain, bias and time constant must be finite", a, name);
    REQUIRE((m->actuator_activation[a] != HEFT_ACTIVATION_FILTER &&
             m->actuator_activation[a] != HEFT_ACTIVATION_FILTER_EXACT) ||
                m->actuator_time[a] > 0,
            "actuator %d '%s': a filter needs a positive time constant", a, name);
    const double *control = m->actuator_control_range + 2L * a,
                 *force = m->actuator_force_range + 2L * a, *range = m->actuator_act_range + 2L * a;
    REQUIRE(is_flag(m->actuator_act_limited[a]) && is_flag(m->actuator_act_early[a]) &&
                all_sane(range, 2) && range[0] <= range[1],
            "actuator %d '%s': its range of activation must run from lowest to highest", a, name);
    REQUIRE(is_flag(m->actuator_control_limited[a]) && is_flag(m->actuator_force_limited[a]) &&
                all_sane(control, 2) && all_sane(force, 2) && control[0] <= control[1] &&
                force[0] <= force[1],
            "actuator %d '%s': its ranges must run from lowest to highest", a, name);
  }
  REQUIRE(act == m->nact, "%d activations belong to actuators, but there are %d", act, m->nact);
  return HEFT_OK;
}

static int frame_count(const HeftModel* m, HeftFrame frame) {
  switch (frame) {
    case HEFT_FRAME_SITE:
      return m->nsite;
    case HEFT_FRAME_BODY:
    case HEFT_FRAME_INERTIAL:
      return m->nbody;
    case HEFT_FRAME_SHAPE:
      return m->nshape;
    case HEFT_FRAME_CAMERA:
      return m->ncamera;
    case HEFT_FRAME_COUNT:
      break;
  }
  return 0;
}

static int sensor_object_count(const HeftModel* m, int s) {
  switch (heft_sensor_type_object(m->sensor_type[s])) {
    case HEFT_SENSOR_OF_JOINT:
      return m->njoint;
    case HEFT_SENSOR_OF_ACTUATOR:
      return m->nactuator;
    case HEFT_SENSOR_OF_TENDON:
      return m->ntendon;
    case HEFT_SENSOR_OF_SITE:
      return m->nsite;
    case HEFT_SENSOR_OF_BODY:
      return m->nbody;
    case HEFT_SENSOR_OF_FRAME:
      return frame_count(m, m->sensor_frame[s]);
    case HEFT_SENSOR_OF_NOTHING:
      break;
  }
  return 0;
}

static int sensor_object_fits(const HeftModel* m, int s) {
  if (heft_sensor_type_object(m->sensor_type[s]) == HEFT_SENSOR_OF_NOTHING)
    return m->sensor_object[s] == -1;
  return is_index(m->sensor_object[s], sensor_object_count(m, s));
}

static HeftStatus check_calibration(const HeftModel* m, int s, HeftError* error) {
  const int count = heft_sensor_type_value_count(m->sensor_type[s]);
  REQUIRE(count <= m->nsensordata - m->sensor_address[s],
          "sensor %d '%s': more values than there are", s, name_of(m, m->sensor_name, s));
  for (int i = m->sensor_address[s]; i < m->sensor_address[s] + count; ++i) {
    const double* row = m->sensor_matrix + 4L * i;
    int beyond = 0;
    for (int k = count; k < 4; ++k) beyond |= row[k] != 0;
    REQUIRE(all_sane(row, 4) && sane(m->sensor_offset[i]) && !beyond,
            "sensor %d '%s': its calibration must be finite, and zero beyond its %d values", s,
            name_of(m, m->sensor_name, s), count);
  }
  return HEFT_OK;
}

static HeftStatus check_sensors(const HeftModel* m, HeftError* error) {
  int address = 0;
  for (int s = 0; s < m->nsensor; ++s) {
    const char* name = name_of(m, m->sensor_name, s);
    REQUIRE(is_index(m->sensor_type[s], HEFT_SENSOR_TYPE_COUNT),
            "sensor %d '%s': type %d is unknown", s, name, m->sensor_type[s]);
    REQUIRE(is_index(m->sensor_frame[s], HEFT_FRAME_COUNT) &&
                is_index(m->sensor_reference_frame[s], HEFT_FRAME_COUNT) &&
                (m->sensor_reference[s] == -1 ||
                 is_index(m->sensor_reference[s], frame_count(m, m->sensor_reference_frame[s]))),
            "sensor %d '%s': its reference does not exist", s, name);
    REQUIRE(sensor_object_fits(m, s), "sensor %d '%s': its object %d does not exist", s, name,
            m->sensor_object[s]);
    REQUIRE(m->sensor_address[s] == address, "sensor %d '%s': its address is not in order", s,
            name);
    REQUIRE(sane(m->sensor_noise[s]) && m->sensor_noise[s] >= 0 && sane(m->sensor_cutoff[s]) &&
                m->sensor_cutoff[s] >= 0,
            "sensor %d '%s': noise and cutoff must be 0 or more", s, name);
    TRY(check_calibration(m, s, error));
    address += heft_sensor_type_value_count(m->sensor_type[s]);
  }
  REQUIRE(address == m->nsensordata, "the sensors have %d values, expected %d", address,
          m->nsensordata);
  return HEFT_OK;
}

static HeftStatus check_keys(const HeftModel* m, HeftError* error) {
  for (int k = 0; k < m->nkey; ++k) {
    REQUIRE(sane(m->key_time[k]) && all_sane(m->key_q + (long)k * m->nq, m->nq) &&
                all_sane(m->key_v + (long)k * m->nv, m->nv) &&
                all_sane(m->key_act + (long)k * m->nact, m->nact) &&
                all_sane(m->key_control + (long)k * m->nactuator, m->nactuator) &&
                all_sane(m->key_moved + 7 * (long)k * m->nmoved, 7 * m->nmoved),
            "keyframe %d '%s': its numbers must be finite", k, name_of(m, m->key_name, k));
    for (int j = 0; j < m->njoint; ++j) {
      if (joint_rotation(m->joint_type[j]) < 0) continue;
      const int end = m->joint_q[j] + heft_joint_type_q_count(m->joint_type[j]);
      REQUIRE(is_unit(m->key_q + (long)k * m->nq + end - 4, 4),
              "keyframe %d '%s': the quaternion of joint %d '%s' must have unit length", k,
              name_of(m, m->key_name, k), j, name_of(m, m->joint_name, j));
    }
    for (int i = 0; i < m->nmoved; ++i) {
      REQUIRE(is_unit(m->key_moved + 7 * ((long)k * m->nmoved + i) + 3, 4),
              "keyframe %d '%s': the quaternion of the moved body '%s' must have unit length", k,
              name_of(m, m->key_name, k), name_of(m, m->body_name, m->moved_body[i]));
    }
  }
  return HEFT_OK;
}

// ---- deformable bodies

// 1 if a body moves in the world by three slides along its own axes, or is fixed to its parent; 0
// otherwise.
static int is_node_body(const HeftModel* m, int body) {
  const int joint = m->body_joint[body], count = m->body_joint_count[body];
  if (m->body_moved[body] >= 0 || (count != 0 && count != 3)) return 0;
  if (count != 0 && m->body_parent[body] != 0) return 0;
  for (int k = 0; k < count; ++k) {
    const double* axis = m->joint_axis + 3L * (joint + k);
    if (m->joint_type[joint + k] != HEFT_JOINT_SLIDE) return 0;
    for (int i = 0; i < 3; ++i) {
      if (axis[i] != (i == k)) return 0;
    }
  }
  const double* com = m->body_com + 3L * body;
  return com[0] == 0 && com[1] == 0 && com[2] == 0;
}

static double rest_volume(const double* rest, const int* corner) {
  const HeftVec3 o = heft_vec3_from(rest + 3L * corner[0]);
  HeftVec3 edge[3];
  for (int i = 0; i < 3; ++i) edge[i] = heft_vec3_sub(heft_vec3_from(rest + 3L * corner[i + 1]), o);
  return heft_vec3_dot(edge[0], heft_vec3_cross(edge[1], edge[2])) / 6;
}

static HeftStatus check_nodes(const HeftModel* m, int d, HeftError* error) {
  const char* name = name_of(m, m->deformable_name, d);
  const int first = m->deformable_node[d], count = m->deformable_node_count[d];
  int before = 0, free = -1;
  for (int i = first; i < first + count; ++i) {
    const int body = m->node_body[i];
    REQUIRE(is_index(body, m->nbody) && body > before,
            "deformable body '%s': node %d has the body %d, expected bodies in rising order", name,
            i - first, body);
    before = body;
    REQUIRE(is_node_body(m, body),
            "deformable body '%s': body %d of node %d must hang on the world by three slides along "
            "its axes, or on any body without joints",
            name, body, i - first);
    if (free < 0 && m->body_joint_count[body] > 0) free = body;
    for (int k = 0; k < 4 && m->body_joint_count[body] > 0; ++k)
      REQUIRE(m->body_quat[4L * body + k] == m->body_quat[4L * free + k],
              "deformable body '%s': the bodies of its nodes must have one orientation", name);
    REQUIRE(all_sane(m->node_rest + 3L * i, 3), "deformable body '%s': node %d is not finite", name,
            i - first);
  }
  return HEFT_OK;
}

static HeftStatus check_elements(const HeftModel* m, int d, HeftError* error) {
  const char* name = name_of(m, m->deformable_name, d);
  const int count = m->deformable_node_count[d];
  const double* rest = m->node_rest + 3L * m->deformable_node[d];
  for (int t = 0; t < m->deformable_tetrahedron_count[d]; ++t) {
    const int* corner = m->tetrahedron_node + 4L * (m->deformable_tetrahedron[d] + t);
    for (int i = 0; i < 4; ++i)
      REQUIRE(is_index(corner[i], count), "deformable body '%s': tetrahedron %d has the node %d",
              name, t, corner[i]);
    REQUIRE(rest_volume(rest, corner) > 1e-19,
            "deformable body '%s': tetrahedron %d has no positive volume", name, t);
  }
  for (int t = 0; t < m->deformable_skin_count[d]; ++t) {
    for (int i = 0; i < 3; ++i)
      REQUIRE(is_index(m->skin_node[3L * (m->deformable_skin[d] + t) + i], count),
              "deformable body '%s': surface triangle %d has a node that does not exist", name, t);
  }
  return HEFT_OK;
}

static HeftStatus check_deformables(const HeftModel* m, HeftError* error) {
  int node = 0, tetrahedron = 0, skin = 0;
  for (int d = 0; d < m->ndeformable; ++d) {
    const char* name = name_of(m, m->deformable_name, d);
    REQUIRE(m->deformable_node[d] == node && m->deformable_tetrahedron[d] == tetrahedron &&
                m->deformable_skin[d] == skin && m->deformable_node_count[d] >= 4 &&
                m->deformable_node_count[d] <= m->nnode - node &&
                m->deformable_tetrahedron_count[d] >= 1 &&
                m->deformable_tetrahedron_count[d] <= m->ntetrahedron - tetrahedron &&
                m->deformable_skin_count[d] >= 0 && m->deformable_skin_count[d] <= m->nskin - skin,
            "deformable body '%s': its nodes, tetrahedra and triangles must follow those before it",
            name);
    REQUIRE(m->deformable_young[d] > 0 && m->deformable_young[d] <= largest_modulus,
            "deformable body '%s': Young's modulus is %g Pa, expected 0 to %g", name,
            m->deformable_young[d], largest_modulus);
    REQUIRE(m->deformable_poisson[d] >= 0 && m->deformable_poisson[d] <= 0.49,
            "deformable body '%s': Poisson's ratio is %g, expected 0 to 0.49", name,
            m->deformable_poisson[d]);
    REQUIRE(m->deformable_damping[d] >= 0 && m->deformable_damping[d] <= 1e6,
            "deformable body '%s': its damping is %g s, expected 0 or more", name,
            m->deformable_damping[d]);
    REQUIRE(all_sane(m->deformable_color + 4L * d, 4), "deformable body '%s': its colour", name);
    TRY(check_nodes(m, d, error));
    TRY(check_elements(m, d, error));
    node += m->deformable_node_count[d];
    tetrahedron += m->deformable_tetrahedron_count[d];
    skin += m->deformable_skin_count[d];
  }
  REQUIRE(
      node == m->nnode && tetrahedron == m->ntetrahedron && skin == m->nskin,
      "the deformable bodies have %d nodes, %d tetrahedra and %d triangles, expected %d, %d, %d",
      node, tetrahedron, skin, m->nnode, m->ntetrahedron, m->nskin);
  return HEFT_OK;
}

HeftStatus heft_model_validate(const HeftModel* m, HeftError* error) {
  TRY(check_sizes_and_names(m, error));
  TRY(check_physics(m, error));
  TRY(check_bodies(m, error));
  TRY(check_joints(m, error));
  TRY(check_sites_and_materials(m, error));
  TRY(check_meshes(m, error));
  TRY(check_height_fields(m, error));
  TRY(check_looks(m, error));
  TRY(check_cameras_and_lights(m, error));
  TRY(check_shapes(m, error));
  TRY(check_contacts(m, error));
  TRY(check_tendons(m, error));
  TRY(check_equalities(m, error));
  TRY(check_actuators(m, error));
  TRY(check_sensors(m, error));
  TRY(check_deformables(m, error));
  return check_keys(m, error);
}
