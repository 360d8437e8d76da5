// SPDX-License-Identifier: Apache-2.0
// The validator: one wrong model for each of its checks. Each must be refused, by words that name
// the thing and say what was expected. Then, over all arrays there are: what is not finite is
// refused wherever it stands.
#include "model/validate.h"

#include <limits.h>
#include <string.h>

#include "support/check.h"
#include "support/sample.h"

static HeftModel* m;  // a sound model; each test spoils one number and puts it back

static int make_model(void** state) {
  (void)state;
  m = sample_create(NULL, NULL);
  return m ? 0 : -1;
}

static int destroy_model(void** state) {
  (void)state;
  heft_model_destroy(m);
  return 0;
}

static void check_sound(void) {
  HeftError error = {0};
  if (heft_model_validate(m, &error) != HEFT_OK) fail_msg("%s", error.message);
}

static void check_refused(const char* what, const char* thing, const char* expectation) {
  HeftError error = {0};
  const HeftStatus status = heft_model_validate(m, &error);
  if (status != HEFT_ERR_VALUE) fail_msg("%s: %s", what, heft_status_name(status));
  if (!strstr(error.message, thing) || !strstr(error.message, expectation))
    fail_msg("%s: '%s' lacks '%s' or '%s'", what, error.message, thing, expectation);
  assert_int_equal(heft_model_validate(m, NULL), HEFT_ERR_VALUE);
}

/// place = value must be refused, by words that hold thing and expectation; then it is undone.
#define REFUSED(place, value, thing, expectation)               \
  do {                                                          \
    const __typeof__(place) before = (place);                   \
    (place) = (value);                                          \
    check_refused(#place " = " #value, (thing), (expectation)); \
    (place) = before;                                           \
  } while (0)

/// The same for several wrong values of a number.
#define REFUSED_NUMBERS(place, thing, expectation) \
  do {                                             \
    REFUSED(place, NAN, thing, expectation);       \
    REFUSED(place, INFINITY, thing, expectation);  \
    REFUSED(place, -INFINITY, thing, expectation); \
    REFUSED(place, 1.1e9, thing, expectation);     \
    REFUSED(place, -1.1e9, thing, expectation);    \
  } while (0)

#define REFUSED_NEGATIVE(place, thing, expectation) \
  do {                                              \
    REFUSED(place, -1e-3, thing, expectation);      \
    REFUSED_NUMBERS(place, thing, expectation);     \
  } while (0)

static int named(HeftNamed kind, const char* name) {
  const int index = heft_model_find(m, kind, name);
  assert_true(index >= 0);
  return index;
}

static void test_the_sample_is_sound(void** state) {
  (void)state;
  check_sound();
  assert_int_equal(heft_model_validate(m, NULL), HEFT_OK);
}

static void test_sizes(void** state) {
  (void)state;
#define CHECK_SIZE(name, meaning)                        \
  REFUSED(m->name, -1, #name " is -1", "expected 0 to"); \
  REFUSED(m->name, INT_MAX, #name, "expected 0 to");     \
  REFUSED(m->name, INT_MIN, #name, "expected 0 to");
  HEFT_MODEL_SIZE_LIST(CHECK_SIZE)
#undef CHECK_SIZE
  REFUSED(m->nbody, 0, "at least", "world body");
  REFUSED(m->nmaterial, 0, "at least", "default material");
}

static void test_names(void** state) {
  (void)state;
  REFUSED(m->nname, 0, "name pool", "zero byte");
  REFUSED(m->names[0], 'x', "name pool", "begin and end with a zero byte");
  REFUSED(m->names[m->nname - 1], 'x', "name pool", "begin and end with a zero byte");
  int* const offsets[] = {m->body_name,     m->joint_name,  m->site_name,
                          m->material_name, m->shape_name,  m->mesh_name,
                          m->actuator_name, m->sensor_name, m->key_name};
  for (size_t i = 0; i < sizeof offsets / sizeof *offsets; ++i) {
    REFUSED(offsets[i][0], -1, "name", "outside of the name pool");
    REFUSED(offsets[i][0], m->nname, "name", "outside of the name pool");
  }
}

static void test_physics(void** state) {
  (void)state;
  for (int i = 0; i < 3; ++i) REFUSED_NUMBERS(m->physics.gravity[i], "gravity", "finite");
  REFUSED(m->physics.time_step, 0, "time step is 0 s", "more than 0");
  REFUSED(m->physics.time_step, -0.001, "time step is -0.001 s", "more than 0");
  REFUSED(m->physics.time_step, 10.5, "time step is 10.5 s", "at most 10");
  REFUSED(m->physics.time_step, NAN, "time step", "at most 10");
}

static void test_bodies(void** state) {
  (void)state;
  const int b = named(HEFT_NAMED_BODY, "hand");
  const char* name = "body 3 'hand'";
  assert_int_equal(b, 3);
  REFUSED(m->body_parent[b], b, name, "expected one before it");
  REFUSED(m->body_parent[b], b + 1, name, "expected one before it");
  REFUSED(m->body_parent[b], -1, name, "expected one before it");
  REFUSED(m->body_parent[0], 0, "body 0 must be the world", "no parent");
  REFUSED(m->body_parent[0], 5, "body 0 must be the world", "no parent");
  REFUSED(m->body_joint[b], m->body_joint[b] + 1, name, "do not follow");
  REFUSED(m->body_joint[b], -1, name, "do not follow");
  REFUSED(m->body_joint_count[b], -1, name, "do not follow");
  REFUSED(m->body_joint_count[b], INT_MAX, name, "do not follow");
  REFUSED(m->body_joint_count[b], 2, "body 4", "do not follow");
  for (int i = 0; i < 3; ++i) {
    REFUSED_NUMBERS(m->body_pos[3 * b + i], name, "position must be finite");
    REFUSED_NUMBERS(m->body_com[3 * b + i], name, "centre of mass must be finite");
  }
  REFUSED_NUMBERS(m->body_gravity[b], name, "share of gravity is");
  REFUSED(m->body_gravity[b], 1.5, name, "share of gravity is 1.5, expected at most 1");
  for (int i = 0; i < 4; ++i) {
    REFUSED(m->body_quat[4 * b + i], 1.5, name, "quaternion must have unit length");
    REFUSED(m->body_quat[4 * b + i], NAN, name, "quaternion must have unit length");
  }
}

// Two coefficients of friction are both above 0, and not too different.
static void test_second_friction(void** state) {
  (void)state;
  REFUSED(m->pair_friction2[0], -1, "'clap'", "second coefficient of friction is -1");
  REFUSED(m->pair_friction2[0], 2e3, "'clap'", "second coefficient of friction is 2000");
  REFUSED(m->pair_friction2[0], NAN, "'clap'", "second coefficient of friction");
}

// Moved bodies are numbered, hang on the world and have no joints; so are conveyors.
static void test_moved_bodies(void** state) {
  (void)state;
  const int lift = heft_model_find(m, HEFT_NAMED_BODY, "lift"), belt = m->conveyor_shape[0];
  REFUSED(m->body_moved[lift], 1, "'lift'", "its number among the moved bodies is 1, expected 0");
  REFUSED(m->body_moved[lift], -1, "0 bodies are moved", "expected 1");
  REFUSED(m->moved_body[0], 1, "'lift'", "number among the moved bodies");
  REFUSED(m->body_parent[lift], 1, "'lift'", "must hang on the world");
  REFUSED_NUMBERS(m->moved_velocity[3], "'lift'", "velocity at the start must be finite");
  REFUSED(m->key_moved[3], 2, "'bent'", "quaternion of the moved body 'lift'");
  REFUSED(m->shape_conveyor[belt], 2, "'rod'", "its number among the conveyors is 2, expected 0");
  REFUSED(m->shape_conveyor[belt], -1, "0 shapes are conveyors", "expected 1");
  REFUSED_NUMBERS(m->conveyor_velocity[2], "'rod'", "velocity of its surface must be finite");
}

// All joints belong to a body, and the world has none.
static void test_joints_of_bodies(void** state) {
  (void)state;
  const int last = m->nbody - 2;  // one without joints follows
  assert_true(m->body_joint_count[last] == 1 && m->body_joint_count[last + 1] == 0);
  m->body_joint[last + 1] = 8;
  REFUSED(m->body_joint_count[last], 0, "8 joints belong to bodies", "there are 9");
  m->body_joint[last + 1] = 9;
  // The first joint handed to the world: everything still adds up, but the world cannot move.
  m->body_joint_count[0] = 1;
  m->body_joint_count[1] = 0;
  m->body_joint[1] = 1;
  m->joint_body[0] = 0;
  check_refused("a joint of the world", "body 0 must be the world", "no joints");
  m->body_joint_count[0] = 0;
  m->body_joint_count[1] = 1;
  m->body_joint[1] = 0;
  m->joint_body[0] = 1;
  check_sound();
}

static void set_moment(int b, double xx, double yy, double zz, double xy) {
  const double inertia[6] = {xx, yy, zz, xy, 0, 0};
  memcpy(m->body_inertia + 6L * b, inertia, sizeof inertia);
}

static void test_inertias(void** state) {
  (void)state;
  const int b = 3;
  const char* name = "body 3 'hand'";
  REFUSED_NUMBERS(m->body_mass[b], name, "mass is");
  REFUSED(m->body_mass[b], -1, name, "mass is -1 kg, expected 0 or");
  REFUSED(m->body_mass[b], 1e-10, name, "expected 0 or 1e-09");
  static const double wrong[] = {NAN, INFINITY, -INFINITY, 1.1e15, -1.1e15};
  for (int i = 0; i < 6; ++i) {
    for (int k = 0; k < 5; ++k)
      REFUSED(m->body_inertia[6 * b + i], wrong[k], name,
              "moments of inertia must be finite, at most 1e+15");
  }
  double before[6];
  memcpy(before, m->body_inertia + 6L * b, sizeof before);
  set_moment(b, 2e10, 1e11, 1e11, 0);  // a ship
  assert_int_equal(heft_model_validate(m, NULL), HEFT_OK);
  set_moment(b, 1, 1, -0.1, 0);
  check_refused("negative moment", name, "none may be negative");
  set_moment(b, -1, -1, -1, 0);
  check_refused("negative moments", name, "none may be negative");
  set_moment(b, 1, 1, 1, 1.5);
  check_refused("products too large", name, "none may be negative");
  set_moment(b, 1, 2, 3.1, 0);
  check_refused("triangle", name, "sum of the others");
  set_moment(b, 3.1, 1, 2, 0);
  check_refused("triangle", name, "sum of the others");
  set_moment(b, 1, 2, 3, 0);  // a flat plate
  check_sound();
  set_moment(b, 0, 0, 0, 0);  // a point
  check_sound();
  memcpy(m->body_inertia + 6L * b, before, sizeof before);
}

static void test_joints(void** state) {
  (void)state;
  const int hinge = named(HEFT_NAMED_JOINT, "elbow"), ball = named(HEFT_NAMED_JOINT, "shoulder"),
            free = named(HEFT_NAMED_JOINT, "flight"), planar = named(HEFT_NAMED_JOINT, "table"),
            universal = named(HEFT_NAMED_JOINT, "neck");
  REFUSED(m->joint_type[hinge], -1, "joint 2 'elbow'", "type -1 is unknown");
  REFUSED(m->joint_type[hinge], HEFT_JOINT_TYPE_COUNT, "joint 2 'elbow'", "is unknown");
  REFUSED(m->joint_body[hinge], 2, "joint 2 'elbow'", "not in order");
  REFUSED(m->joint_q[hinge], 0, "joint 2 'elbow'", "not in order");
  REFUSED(m->joint_dof[hinge], 0, "joint 2 'elbow'", "not in order");
  REFUSED(m->joint_dof[hinge], INT_MAX, "joint 2 'elbow'", "not in order");
  const int joints[] = {hinge, ball, free, planar, universal};
  for (size_t k = 0; k < sizeof joints / sizeof *joints; ++k) {
    for (int i = 0; i < 3; ++i) {
      const int at = 3 * joints[k] + i;
      REFUSED_NUMBERS(m->joint_pos[at], "joint", "anchor must be finite");
      REFUSED_NUMBERS(m->joint_axis[at], "joint", "axis must");
      REFUSED_NUMBERS(m->joint_axis2[at], "joint", "axis must");
    }
  }
  REFUSED(m->joint_axis[3 * hinge + 1], 2, "joint 2 'elbow'", "axis must have unit length");
  REFUSED(m->joint_axis[3 * hinge + 1], 0, "joint 2 'elbow'", "axis must have unit length");
  REFUSED(m->joint_axis2[3 * planar], 1, "'table'", "second axis must have unit length");
  REFUSED(m->joint_axis2[3 * universal], 0.1, "'neck'", "perpendicular to the first");
  REFUSED(m->joint_force_limited[hinge], 2, "joint 2 'elbow'", "range of actuator forces");
  REFUSED(m->joint_restitution[hinge], -0.1, "joint 2 'elbow'",
          "restitution is -0.1, expected 0 to 1");
  REFUSED(m->joint_restitution[hinge], 1.1, "joint 2 'elbow'",
          "restitution is 1.1, expected 0 to 1");
  REFUSED(m->joint_restitution[hinge], NAN, "joint 2 'elbow'", "expected 0 to 1");
  REFUSED(m->joint_force_range[2 * hinge], 5, "joint 2 'elbow'", "expected lowest to highest");
  REFUSED_NUMBERS(m->joint_force_range[2 * hinge], "joint 2 'elbow'", "lowest to highest");
}

static void test_free_joints_hang_on_the_world(void** state) {
  (void)state;
  const char* words = "only joint of a body that hangs on the world";
  const int base = named(HEFT_NAMED_BODY, "base"), arm = named(HEFT_NAMED_BODY, "arm");
  REFUSED(m->joint_type[named(HEFT_NAMED_JOINT, "elbow")], HEFT_JOINT_FREE, "'elbow'", words);
  // Two joints on the base, the first of them free.
  m->body_joint_count[base] = 2;
  m->body_joint[arm] = 2;
  m->body_joint_count[arm] = 0;
  check_refused("two joints", "'flight'", words);
  m->body_joint_count[base] = 1;
  m->body_joint[arm] = 1;
  m->body_joint_count[arm] = 1;
  check_sound();
}

static void test_counts_of_coordinates(void** state) {
  (void)state;
  REFUSED(m->nq, m->nq - 1, "joint", "more coordinates than nq or nv");
  REFUSED(m->nv, m->nv - 1, "joint", "more coordinates than nq or nv");
  REFUSED(m->nq, m->nq + 1, "the joints have", "coordinates");
  REFUSED(m->nv, m->nv + 1, "the joints have", "degrees of freedom");
}

static void test_degrees_of_freedom_of_a_body(void** state) {
  (void)state;
  HeftBuilder* b = NULL;
  HeftModel* model = NULL;
  HeftError error = {0};
  assert_int_equal(heft_builder_create(&b, NULL, NULL), HEFT_OK);
  HeftBodyDef body = heft_body_def_default();
  body.name = "centipede";
  body.mass = 1;
  body.inertia = (HeftSym3){1, 1, 1, 0, 0, 0};
  HeftJointDef joint = heft_joint_def_default();
  joint.body = heft_builder_add_body(b, &body);
  for (int i = 0; i < 6; ++i) heft_builder_add_joint(b, &joint);
  assert_int_equal(heft_builder_finish(b, &model, &error), HEFT_OK);
  heft_model_destroy(model);
  heft_builder_add_joint(b, &joint);
  assert_int_equal(heft_builder_finish(b, &model, &error), HEFT_ERR_VALUE);
  assert_non_null(strstr(error.message, "body 1 'centipede'"));
  assert_non_null(strstr(error.message, "7 degrees of freedom, at most 6"));
  heft_builder_destroy(b);
}

static void test_dofs(void** state) {
  (void)state;
  const int j = named(HEFT_NAMED_JOINT, "elbow"), d = m->joint_dof[j];
  const char* name = "joint 2 'elbow'";
  REFUSED(m->dof_joint[d], 0, name, "is counted to joint 0");
  REFUSED_NEGATIVE(m->dof_damping[d], name, "damping is");
  REFUSED_NEGATIVE(m->dof_stiffness[d], name, "stiffness is");
  REFUSED_NEGATIVE(m->dof_friction[d], name, "dry friction is");
  REFUSED_NEGATIVE(m->dof_armature[d], name, "armature is");
  REFUSED(m->dof_armature[d], -2, name, "armature is -2, expected 0 or more");
  REFUSED(m->dof_limited[d], 2, name, "range");
  REFUSED_NUMBERS(m->dof_range[2 * d], name, "expected lowest to highest");
  REFUSED_NUMBERS(m->dof_range[2 * d + 1], name, "expected lowest to highest");
  REFUSED(m->dof_range[2 * d], 5, name, "its range is 5 to 1.5, expected lowest to highest");
}

static void test_coordinates(void** state) {
  (void)state;
  for (int i = 0; i < m->nq; ++i) {
    REFUSED_NUMBERS(m->q_default[i], "joint", "default and spring positions must be finite");
    REFUSED_NUMBERS(m->q_spring[i], "joint", "default and spring positions must be finite");
  }
  const int q = m->joint_q[named(HEFT_NAMED_JOINT, "shoulder")];
  REFUSED(m->q_default[q], 1.5, "joint 1 'shoulder'", "quaternions must have unit length");
  REFUSED(m->q_spring[q + 1], 0.5, "joint 1 'shoulder'", "quaternions must have unit length");
  REFUSED(m->q_spring[3], 0, "joint 0 'flight'", "quaternions must have unit length");
}

static void test_sites_and_materials(void** state) {
  (void)state;
  REFUSED(m->site_body[0], -1, "site 0 'tip'", "body -1 does not exist");
  REFUSED(m->site_body[0], m->nbody, "site 0 'tip'", "does not exist");
  REFUSED_NUMBERS(m->site_pos[2], "site 0 'tip'", "position must be finite");
  REFUSED(m->site_quat[0], 0, "site 0 'tip'", "quaternion of unit length");
  REFUSED(m->site_type[0], -1, "site 0 'tip'", "a known shape");
  REFUSED_NUMBERS(m->site_size[0], "site 0 'tip'", "finite size");
  REFUSED_NUMBERS(m->site_color[0], "site 0 'tip'", "colour");
  const int k = named(HEFT_NAMED_MATERIAL, "rubber");
  const char* name = "material 1 'rubber'";
  REFUSED(m->material_friction[k], -0.1, name, "friction is -0.1, expected 0 to 100");
  REFUSED(m->material_friction[k], 101, name, "friction is 101, expected 0 to 100");
  REFUSED(m->material_friction[k], NAN, name, "expected 0 to 100");
  REFUSED(m->material_kinetic[k], 1.3, name, "kinetic friction is 1.3, expected 0 to the static");
  REFUSED(m->material_kinetic[k], -0.1, name, "kinetic friction is -0.1");
  REFUSED(m->material_kinetic[k], NAN, name, "kinetic friction");
  REFUSED_NEGATIVE(m->material_torsion[k], name, "torsional and rolling friction");
  REFUSED_NEGATIVE(m->material_rolling[k], name, "torsional and rolling friction");
  REFUSED(m->material_restitution[k], -0.1, name, "restitution is -0.1, expected 0 to 1");
  REFUSED(m->material_restitution[k], 1.1, name, "restitution is 1.1, expected 0 to 1");
  REFUSED(m->material_restitution[k], NAN, name, "expected 0 to 1");
  REFUSED(m->material_layer[3L * k], -1, name, "its layer has stiffness -1");
  REFUSED(m->material_layer[3L * k + 2], 1.5, name, "expected 0 or more, and at most 1 m");
  REFUSED(m->material_slip[2L * k], -0.1, name, "its Stribeck speed is -0.1");
  REFUSED(m->material_slip[2L * k + 1], NAN, name, "expected 0 or more, and at most 100 s/m");
}

static void test_shapes(void** state) {
  (void)state;
  const int s = named(HEFT_NAMED_SHAPE, "palm");
  const char* name = "'palm'";
  REFUSED(m->shape_type[s], -1, name, "type -1 is unknown");
  REFUSED(m->shape_type[s], HEFT_SHAPE_TYPE_COUNT, name, "is unknown");
  REFUSED(m->shape_body[s], -1, name, "body -1 does not exist");
  REFUSED(m->shape_body[s], m->nbody, name, "does not exist");
  REFUSED(m->shape_material[s], -1, name, "material -1 does not exist");
  REFUSED(m->shape_material[s], m->nmaterial, name, "does not exist");
  REFUSED(m->shape_mesh[s], -2, name, "mesh -2 does not exist");
  REFUSED(m->shape_mesh[s], m->nmesh, name, "does not exist");
  REFUSED(m->shape_mesh[named(HEFT_NAMED_SHAPE, "thing")], -1, "'thing'", "needs a mesh");
  const int ground = named(HEFT_NAMED_SHAPE, "ground");
  REFUSED(m->shape_height_field[ground], -1, "'ground'", "needs a height field");
  REFUSED(m->shape_height_field[s], m->nheight_field, name, "does not exist");
  REFUSED(m->shape_height_field[s], -2, name, "height field -2 does not exist");
  REFUSED(m->shape_appearance[s], m->nappearance, name, "does not exist");
  REFUSED(m->shape_appearance[s], -2, name, "appearance -2 does not exist");
  REFUSED_NEGATIVE(m->shape_gap[s], name, "gap is");
  REFUSED_NUMBERS(m->shape_pos[3 * s + 1], name, "position must be finite");
  REFUSED(m->shape_quat[4 * s], 2, name, "quaternion of unit length");
  const int dims[] = {-1, 0, 2, 5, 7};
  for (int i = 0; i < 5; ++i)
    REFUSED(m->shape_contact_dim[s], dims[i], name, "expected 1, 3, 4 or 6");
  REFUSED_NEGATIVE(m->shape_margin[s], name, "margin is");
  for (int i = 0; i < 4; ++i)
    REFUSED_NUMBERS(m->shape_color[4 * s + i], name, "colour must be finite");
  REFUSED(m->shape_group[s], -1, name, "group is -1, expected 0 to 5");
  REFUSED(m->shape_group[s], 6, name, "group is 6, expected 0 to 5");
}

static void test_sizes_of_shapes(void** state) {
  (void)state;
  const struct {
    const char* name;
    int needed;
  } shapes[] = {{"floor", 0}, {"ball", 1}, {"bone", 2}, {"rod", 2}, {"skull", 3}, {"palm", 3}};
  for (size_t k = 0; k < sizeof shapes / sizeof *shapes; ++k) {
    const int s = named(HEFT_NAMED_SHAPE, shapes[k].name);
    for (int i = 0; i < 3; ++i) {
      double* size = &m->shape_size[3 * s + i];
      REFUSED_NEGATIVE(*size, shapes[k].name, "expected a positive length");
      if (i < shapes[k].needed) {
        REFUSED(*size, 0, shapes[k].name, "is 0 m, expected a positive length");
      } else {
        const double before = *size;
        *size = 0;
        check_sound();
        *size = before;
      }
    }
  }
}

static void test_meshes(void** state) {
  (void)state;
  const char* name = "mesh 0 'tetra'";
  REFUSED(m->mesh_vertex[0], 1, name, "not in order");
  REFUSED(m->mesh_face[0], 1, name, "not in order");
  REFUSED(m->mesh_vertex_count[0], -1, name, "not in order");
  REFUSED(m->mesh_face_count[0], -1, name, "not in order");
  REFUSED(m->mesh_vertex_count[0], INT_MAX, name, "not in order");
  REFUSED(m->mesh_face_count[0], m->nface + 1, name, "not in order");
  REFUSED(m->mesh_face_count[0], m->nface - 1, "left over", "belong to no mesh");
  REFUSED(m->face_vertex[4], -1, name, "names vertex -1 of 4");
  REFUSED(m->face_vertex[4], 4, name, "names vertex 4 of 4");
  REFUSED_NUMBERS(m->vertex_pos[5], "vertex 1", "must be finite");
}

static void test_hulls(void** state) {
  (void)state;
  const char* name = "mesh 0 'tetra'";
  REFUSED(m->mesh_hull[0], 1, name, "not in order");
  REFUSED(m->mesh_hull_count[0], -1, name, "not in order");
  REFUSED(m->mesh_hull_count[0], m->nhull + 1, name, "not in order");
  REFUSED(m->mesh_hull_count[0], m->nhull - 1, "left over", "belong to no mesh");
  REFUSED(m->hull_vertex[2], 4, name, "names vertex 4 of 4");
  REFUSED(m->hull_vertex[2], -1, name, "names vertex -1 of 4");
}

static void test_height_fields(void** state) {
  (void)state;
  const char* name = "height field 0 'hills'";
  const int wrong[] = {INT_MIN, -1, 0, 1, 7, INT_MAX};
  for (int i = 0; i < 6; ++i) {
    REFUSED(m->height_field_rows[0], wrong[i], name, "rows and");
    REFUSED(m->height_field_columns[0], wrong[i], name, "expected at least 2 each");
  }
  REFUSED(m->height_field_columns[0], 2, "heights are left over", "no height field");
  REFUSED(m->height_field_height[0], 1, name, "not in order");
  REFUSED(m->height_field_height[0], INT_MIN, name, "not in order");
  for (int i = 0; i < 4; ++i) REFUSED_NEGATIVE(m->height_field_size[i], name, "its sizes are");
  REFUSED(m->height_field_size[0], 0, name, "two positive");
  REFUSED(m->height_field_size[1], 0, name, "two positive");
  REFUSED_NEGATIVE(m->height[2], name, "a height is");
  REFUSED(m->height[2], 0.4, name, "a height is 0.4 m, expected 0 to 0.3");
}

static void test_looks(void** state) {
  (void)state;
  const char *texture = "texture 0 'wood'", *look = "appearance 0 'desk'";
  REFUSED(m->texture_type[0], HEFT_TEXTURE_TYPE_COUNT, texture, "unknown");
  REFUSED(m->texture_source[0], HEFT_TEXTURE_SOURCE_COUNT, texture, "unknown");
  REFUSED(m->texture_mark[0], -1, texture, "unknown");
  REFUSED(m->texture_width[0], -1, texture, "pixels");
  REFUSED(m->texture_width[0], INT_MAX, texture, "too many");
  REFUSED(m->texture_height[0], -1, texture, "pixels");
  REFUSED(m->texture_height[0], INT_MAX, texture, "too many");
  REFUSED_NUMBERS(m->texture_color[1], texture, "colours must be finite");
  REFUSED(m->appearance_texture[0], m->ntexture, look, "does not exist");
  REFUSED(m->appearance_texture[0], -2, look, "texture -2 does not exist");
  REFUSED_NUMBERS(m->appearance_light[3], look, "must be finite");
  REFUSED(m->appearance_uniform[0], 2, look, "must be finite");
}

static void test_cameras_and_lights(void** state) {
  (void)state;
  const char *camera = "camera 0 'eye'", *light = "light 0 'sun'";
  REFUSED(m->camera_body[0], m->nbody, camera, "body");
  REFUSED(m->camera_follow[0], HEFT_FOLLOW_COUNT, camera, "not sane");
  REFUSED(m->camera_target[0], -2, camera, "target");
  REFUSED(m->camera_target[0], m->nbody, camera, "target");
  REFUSED(m->camera_fov[0], 0, camera, "opening angle");
  REFUSED(m->camera_fov[0], 3.2, camera, "opening angle");
  REFUSED(m->camera_quat[0], 0, camera, "pose");
  REFUSED(m->light_body[0], -1, light, "body");
  REFUSED(m->light_follow[0], -1, light, "not sane");
  REFUSED(m->light_target[0], m->nbody, light, "target");
  REFUSED(m->light_directional[0], 2, light, "flags");
  REFUSED(m->light_shadow[0], -1, light, "flags");
  REFUSED(m->light_active[0], 2, light, "flags");
  REFUSED(m->light_dir[2], -2, light, "direction of unit length");
  REFUSED_NUMBERS(m->light_cutoff[0], light, "must be finite");
}

static void test_pairs_and_excludes(void** state) {
  (void)state;
  const char* name = "contact pair 0 'clap'";
  REFUSED(m->pair_shape[0], m->nshape, name, "a shape does not exist");
  REFUSED(m->pair_shape[1], -1, name, "a shape does not exist");
  REFUSED(m->pair_material[0], m->nmaterial, name, "does not exist");
  REFUSED(m->pair_contact_dim[0], 2, name, "expected 1, 3, 4 or 6");
  REFUSED_NEGATIVE(m->pair_margin[0], name, "margin and gap");
  REFUSED_NEGATIVE(m->pair_gap[0], name, "margin and gap");
  REFUSED(m->exclude_body[0], -1, "contact exclude 0 'sleeve'", "a body does not exist");
  REFUSED(m->exclude_body[1], m->nbody, "contact exclude 0 'sleeve'", "a body does not exist");
}

static void test_equalities(void** state) {
  (void)state;
  const int pin = named(HEFT_NAMED_EQUALITY, "pin"), gears = named(HEFT_NAMED_EQUALITY, "gears"),
            cords = named(HEFT_NAMED_EQUALITY, "cords");
  REFUSED(m->equality_type[pin], -1, "'pin'", "type is unknown");
  REFUSED(m->equality_type[pin], HEFT_EQUALITY_TYPE_COUNT, "'pin'", "type is unknown");
  REFUSED(m->equality_active[pin], 2, "'pin'", "unknown");
  REFUSED(m->equality_object[2 * pin], m->nbody, "'pin'", "two different bodies");
  REFUSED(m->equality_object[2 * pin + 1], -1, "'pin'", "two different bodies");
  REFUSED(m->equality_object[2 * pin + 1], m->equality_object[2 * pin], "'pin'", "two different");
  REFUSED(m->equality_object[2 * gears], m->njoint, "'gears'", "hinge or slide joints");
  REFUSED(m->equality_object[2 * gears], -1, "'gears'", "hinge or slide joints");
  REFUSED(m->equality_object[2 * gears], 0, "'gears'", "hinge or slide joints");  // a free joint
  REFUSED(m->equality_object[2 * gears + 1], -2, "'gears'", "one or two different");
  REFUSED(m->equality_object[2 * gears + 1], m->equality_object[2 * gears], "'gears'", "different");
  REFUSED(m->equality_object[2 * cords], m->ntendon, "'cords'", "different tendons");
  REFUSED(m->equality_object[2 * cords + 1], -2, "'cords'", "different tendons");
  REFUSED(m->equality_quat[4 * pin], 0, "'pin'", "quaternion of unit length");
  REFUSED_NUMBERS(m->equality_anchor[6 * pin + 5], "'pin'", "must be finite");
  REFUSED_NUMBERS(m->equality_poly[5 * gears + 4], "'gears'", "must be finite");
}

static void test_tendons(void** state) {
  (void)state;
  const int cord = named(HEFT_NAMED_TENDON, "cord"), belt = named(HEFT_NAMED_TENDON, "belt");
  const char* name = "tendon 0 'cord'";
  REFUSED(m->tendon_wrap[cord], 1, name, "passes nothing");
  REFUSED(m->tendon_wrap_count[cord], 0, name, "passes nothing");
  REFUSED(m->tendon_wrap_count[cord], -1, name, "passes nothing");
  REFUSED(m->tendon_wrap_count[belt], INT_MAX, "'belt'", "passes nothing");
  REFUSED(m->tendon_wrap_count[belt], 1, "left over", "no tendon passes");
  REFUSED(m->tendon_limited[cord], 2, name, "expected shortest to longest");
  REFUSED(m->tendon_range[0], 1, name, "its range is 1 to 0");
  REFUSED_NUMBERS(m->tendon_range[1], name, "expected shortest to longest");
  REFUSED(m->tendon_spring[0], 1, name, "its spring rests from 1 to -1");
  REFUSED_NEGATIVE(m->tendon_stiffness[cord], name, "must be 0 or more");
  REFUSED_NEGATIVE(m->tendon_damping[cord], name, "must be 0 or more");
  REFUSED_NEGATIVE(m->tendon_friction[cord], name, "must be 0 or more");
  REFUSED_NEGATIVE(m->tendon_armature[cord], name, "must be 0 or more");
  REFUSED_NEGATIVE(m->tendon_width[cord], name, "must be 0 or more");
  // Its way: site, shape, site, pulley, site, site; that of the belt: two joints.
  const int w = m->tendon_wrap[cord], joints = m->tendon_wrap[belt];
  REFUSED(m->wrap_type[w], -1, name, "unknown");
  REFUSED(m->wrap_type[w], HEFT_WRAP_TYPE_COUNT, name, "unknown");
  REFUSED_NUMBERS(m->wrap_value[w], name, "unknown");
  REFUSED(m->wrap_side[w], 0, name, "unknown");  // only a shape has a side
  REFUSED(m->wrap_side[w + 1], m->nsite, name, "unknown");
  REFUSED(m->wrap_side[w + 1], -2, name, "unknown");
  REFUSED(m->wrap_object[w], m->nsite, name, "does not exist");
  REFUSED(m->wrap_object[w], -1, name, "site -1 does not exist");
  REFUSED(m->wrap_object[w + 1], -1, name, "no sphere or cylinder");
  REFUSED(m->wrap_object[w + 1], m->nshape, name, "no sphere or cylinder");
  REFUSED(m->wrap_object[w + 1], 0, name, "shape 0 is no sphere or cylinder");  // the floor
  REFUSED(m->wrap_value[w + 3], 0, name, "divides by 0, expected more than 0");
  REFUSED(m->wrap_value[w + 3], -1, name, "divides by -1");
  REFUSED(m->wrap_type[w + 2], HEFT_WRAP_PULLEY, name, "between two sites");
  REFUSED(m->wrap_type[w + 5], HEFT_WRAP_JOINT, name, "do not go together");
  REFUSED(m->wrap_type[joints + 1], HEFT_WRAP_SITE, "tendon 1 'belt'", "do not go together");
  REFUSED(m->wrap_object[joints], 0, "tendon 1 'belt'", "joint 0 is no hinge or slide");
  REFUSED(m->wrap_object[joints], m->njoint, "tendon 1 'belt'", "is no hinge or slide");
}

static void test_references_of_actuators_and_sensors(void** state) {
  (void)state;
  const int motor = named(HEFT_NAMED_ACTUATOR, "elbow motor"),
            jet = named(HEFT_NAMED_ACTUATOR, "jet"), crank = named(HEFT_NAMED_ACTUATOR, "crank");
  REFUSED(m->actuator_reference[motor], 0, "'elbow motor'", "not wanted");
  REFUSED(m->actuator_reference[jet], m->nsite, "'jet'", "does not exist");
  REFUSED(m->actuator_reference[crank], -1, "'crank'", "reference site -1 does not exist");
  REFUSED(m->actuator_crank[crank], 0, "'crank'", "its rod is 0 m long, expected more than 0");
  REFUSED_NEGATIVE(m->actuator_crank[motor], "'elbow motor'", "its rod is");
  REFUSED(m->actuator_act_limited[motor], 2, "'elbow motor'", "range of activation");
  REFUSED(m->actuator_act_early[motor], 2, "'elbow motor'", "range of activation");
  REFUSED(m->actuator_act_range[0], 1, "'elbow motor'", "range of activation");
  REFUSED_NUMBERS(m->actuator_gain_rate[0], "'elbow motor'", "must be finite");
  const int turn = named(HEFT_NAMED_SENSOR, "tip turn");
  REFUSED(m->sensor_frame[turn], HEFT_FRAME_COUNT, "'tip turn'", "does not exist");
  REFUSED(m->sensor_frame[turn], -1, "'tip turn'", "does not exist");
  REFUSED(m->sensor_reference[turn], m->nsite, "'tip turn'", "reference does not exist");
  REFUSED(m->sensor_reference[turn], -2, "'tip turn'", "reference does not exist");
  REFUSED(m->sensor_reference_frame[turn], HEFT_FRAME_COUNT, "'tip turn'", "does not exist");
}

static void test_actuators(void** state) {
  (void)state;
  const int motor = named(HEFT_NAMED_ACTUATOR, "elbow motor"),
            muscle = named(HEFT_NAMED_ACTUATOR, "muscle"), jet = named(HEFT_NAMED_ACTUATOR, "jet");
  const char* name = "actuator 0 'elbow motor'";
  REFUSED(m->actuator_transmission[motor], -1, name, "is unknown");
  REFUSED(m->actuator_transmission[motor], HEFT_TRANSMISSION_COUNT, name, "is unknown");
  REFUSED(m->actuator_activation[motor], HEFT_ACTIVATION_COUNT, name, "is unknown");
  REFUSED(m->actuator_target[motor], m->njoint, name, "does not exist");
  REFUSED(m->actuator_target[motor], -1, name, "target -1 does not exist");
  REFUSED(m->actuator_target[jet], m->nsite, "'jet'", "does not exist");
  REFUSED(m->actuator_transmission[motor], HEFT_TRANSMISSION_TENDON, name, "does not exist");
  REFUSED(m->actuator_act[motor], 0, name, "not in order");
  REFUSED(m->actuator_act[muscle], -1, "'muscle'", "not in order");
  REFUSED(m->actuator_act[jet], 0, "'jet'", "not in order");
  REFUSED(m->nact, m->nact + 1, "2 activations belong to actuators", "there are 3");
  for (int i = 0; i < 6; ++i) REFUSED_NUMBERS(m->actuator_gear[i], name, "must be finite");
  for (int i = 0; i < 3; ++i) REFUSED_NUMBERS(m->actuator_bias[i], name, "must be finite");
  REFUSED_NUMBERS(m->actuator_gain[motor], name, "must be finite");
  REFUSED_NEGATIVE(m->actuator_time[motor], name, "must be finite");
  REFUSED(m->actuator_time[muscle], 0, "'muscle'", "a positive time constant");
  REFUSED(m->actuator_control_limited[motor], 2, name, "from lowest to highest");
  REFUSED(m->actuator_force_limited[motor], -1, name, "from lowest to highest");
  REFUSED(m->actuator_control_range[0], 11, name, "from lowest to highest");
  REFUSED(m->actuator_force_range[0], 11, name, "from lowest to highest");
  REFUSED_NUMBERS(m->actuator_control_range[1], name, "from lowest to highest");
  REFUSED_NUMBERS(m->actuator_force_range[1], name, "from lowest to highest");
}

static void test_sensors(void** state) {
  (void)state;
  const char* name = "sensor 0 'elbow angle'";
  REFUSED(m->sensor_type[0], -1, name, "type -1 is unknown");
  REFUSED(m->sensor_type[0], HEFT_SENSOR_TYPE_COUNT, name, "is unknown");
  REFUSED(m->sensor_object[0], m->njoint, name, "does not exist");
  REFUSED(m->sensor_object[0], -1, name, "object -1 does not exist");
  REFUSED(m->sensor_object[1], m->nactuator, "'motor force'", "does not exist");
  REFUSED(m->sensor_object[2], m->nsite, "'tip turn'", "does not exist");
  REFUSED(m->sensor_object[3], m->nsite, "'tip gyro'", "does not exist");
  REFUSED(m->sensor_address[1], 0, "'motor force'", "address is not in order");
  REFUSED_NEGATIVE(m->sensor_noise[0], name, "must be 0 or more");
  REFUSED_NEGATIVE(m->sensor_cutoff[0], name, "must be 0 or more");
  REFUSED(m->nsensordata, m->nsensordata + 1, "the sensors have", "values, expected");
}

static void test_keyframes(void** state) {
  (void)state;
  const int k = named(HEFT_NAMED_KEY, "bent");
  const char* name = "keyframe 0 'bent'";
  REFUSED_NUMBERS(m->key_time[k], name, "finite");
  REFUSED_NUMBERS(m->key_q[k], name, "finite");
  REFUSED_NUMBERS(m->key_v[k], name, "finite");
  REFUSED_NUMBERS(m->key_act[k], name, "finite");
  REFUSED_NUMBERS(m->key_control[k], name, "finite");
  REFUSED(m->key_q[3], 0, name, "'flight' must have unit length");
  REFUSED(m->key_q[m->nq + m->joint_q[1]], 3, "keyframe 1 'rest'", "'shoulder' must have unit");
}

// Whatever arrays there are, now or later: nothing that is not finite, nothing huge.
static void test_no_array_may_hold_what_is_not_finite(void** state) {
  (void)state;
  const double bad[] = {NAN, INFINITY, -INFINITY, 1e300};
  long tried = 0;
#define TRY_ARRAY(type, name, count, width, unit, meaning)            \
  if (_Generic((type)0, double : 1, default : 0)) {                   \
    double* at = (double*)(void*)m->name;                             \
    for (long i = 0; i < (long)(count) * (width); ++i) {              \
      const double before = at[i];                                    \
      for (size_t k = 0; k < sizeof bad / sizeof *bad; ++k) {         \
        at[i] = bad[k];                                               \
        if (heft_model_validate(m, NULL) == HEFT_OK)                  \
          fail_msg(#name "[%ld] = %g is taken for sound", i, bad[k]); \
        ++tried;                                                      \
      }                                                               \
      at[i] = before;                                                 \
    }                                                                 \
  }
  HEFT_MODEL_ARRAY_LIST(TRY_ARRAY)
#undef TRY_ARRAY
  assert_true(tried > 1000);
  check_sound();
}

#define ON_A_MODEL(test) cmocka_unit_test_setup_teardown(test, make_model, destroy_model)

int main(void) {
  const struct CMUnitTest tests[] = {
      ON_A_MODEL(test_the_sample_is_sound),
      ON_A_MODEL(test_sizes),
      ON_A_MODEL(test_names),
      ON_A_MODEL(test_physics),
      ON_A_MODEL(test_bodies),
      ON_A_MODEL(test_second_friction),
      ON_A_MODEL(test_moved_bodies),
      ON_A_MODEL(test_joints_of_bodies),
      ON_A_MODEL(test_inertias),
      ON_A_MODEL(test_joints),
      ON_A_MODEL(test_free_joints_hang_on_the_world),
      ON_A_MODEL(test_counts_of_coordinates),
      ON_A_MODEL(test_degrees_of_freedom_of_a_body),
      ON_A_MODEL(test_dofs),
      ON_A_MODEL(test_coordinates),
      ON_A_MODEL(test_sites_and_materials),
      ON_A_MODEL(test_shapes),
      ON_A_MODEL(test_sizes_of_shapes),
      ON_A_MODEL(test_meshes),
      ON_A_MODEL(test_hulls),
      ON_A_MODEL(test_height_fields),
      ON_A_MODEL(test_looks),
      ON_A_MODEL(test_cameras_and_lights),
      ON_A_MODEL(test_pairs_and_excludes),
      ON_A_MODEL(test_equalities),
      ON_A_MODEL(test_tendons),
      ON_A_MODEL(test_references_of_actuators_and_sensors),
      ON_A_MODEL(test_actuators),
      ON_A_MODEL(test_sensors),
      ON_A_MODEL(test_keyframes),
      ON_A_MODEL(test_no_array_may_hold_what_is_not_finite),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
