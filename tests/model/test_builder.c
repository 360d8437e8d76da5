// SPDX-License-Identifier: Apache-2.0
// The builder: every joint type, several joints, defaults, names, keyframes, what is copied, and
// what it says about mistakes in the order of calls.
#include <heft/model.h>
#include <heft/world.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"
#include "support/sample.h"

static HeftBuilder* builder(void) {
  HeftBuilder* b = NULL;
  HeftError error = {0};
  assert_int_equal(heft_builder_create(&b, NULL, &error), HEFT_OK);
  return b;
}

static HeftModel* finish(HeftBuilder* b) {
  HeftModel* model = NULL;
  HeftError error = {0};
  if (heft_builder_finish(b, &model, &error) != HEFT_OK) fail_msg("%s", error.message);
  assert_non_null(model);
  heft_builder_destroy(b);
  return model;
}

// Finishing fails with this status and these words.
static void refuse(HeftBuilder* b, HeftStatus status, const char* words, const char* more) {
  HeftModel* model = (HeftModel*)b;  // anything but NULL
  HeftError error = {0};
  assert_int_equal(heft_builder_finish(b, &model, &error), status);
  assert_null(model);
  assert_int_equal(error.status, status);
  if (!strstr(error.message, words) || !strstr(error.message, more))
    fail_msg("'%s' lacks '%s' or '%s'", error.message, words, more);
  heft_builder_destroy(b);
}

static HeftBodyDef solid(int parent) {
  HeftBodyDef def = heft_body_def_default();
  def.parent = parent;
  def.mass = 2;
  def.inertia = (HeftSym3){0.1, 0.2, 0.25, 0, 0, 0};
  return def;
}

static int add_solid(HeftBuilder* b, int parent) {
  const HeftBodyDef def = solid(parent);
  return heft_builder_add_body(b, &def);
}

static int add_joint(HeftBuilder* b, int body, HeftJointType type) {
  HeftJointDef def = heft_joint_def_default();
  def.body = body;
  def.type = type;
  return heft_builder_add_joint(b, &def);
}

static void assert_near3(const double* x, double a, double b, double c) {
  const double y[3] = {a, b, c};
  CHECK_AT_MOST(relative_error(x, y, 3), 1e-15);
}

// ---- an empty model

static void test_the_world_alone(void** state) {
  (void)state;
  HeftModel* m = finish(builder());
  assert_int_equal(m->nbody, 1);
  assert_int_equal(m->nmaterial, 1);
  assert_int_equal(m->njoint + m->nq + m->nv + m->nshape + m->nkey, 0);
  assert_int_equal(m->body_parent[0], -1);
  assert_string_equal(heft_model_name(m, HEFT_NAMED_BODY, 0), "world");
  assert_string_equal(heft_model_name(m, HEFT_NAMED_MATERIAL, 0), "default");
  assert_near3(m->physics.gravity, 0, 0, -9.81);
  assert_true(m->physics.time_step == 0.001);
  assert_true(heft_model_mass(m) == 0);
  model_exercise(m, 1);
  heft_model_destroy(m);
}

static void test_physics(void** state) {
  (void)state;
  HeftBuilder* b = builder();
  HeftPhysics physics = heft_builder_physics(b);
  assert_true(physics.time_step == 0.001);
  physics.gravity[2] = -1.62;
  physics.time_step = 0.0005;
  heft_builder_set_physics(b, physics);
  assert_true(heft_builder_physics(b).gravity[2] == -1.62);
  HeftModel* m = finish(b);
  assert_near3(m->physics.gravity, 0, 0, -1.62);
  assert_true(m->physics.time_step == 0.0005);
  heft_model_destroy(m);
}

static void test_destroy_nothing(void** state) {
  (void)state;
  heft_builder_destroy(NULL);
  heft_model_destroy(NULL);
  heft_state_destroy(NULL);
}

// ---- joints

static const struct {
  HeftJointType type;
  const char* name;
  int nq, nv;
} joint_types[] = {
    {HEFT_JOINT_FIXED, "fixed", 0, 0},         {HEFT_JOINT_HINGE, "hinge", 1, 1},
    {HEFT_JOINT_SLIDE, "slide", 1, 1},         {HEFT_JOINT_BALL, "ball", 4, 3},
    {HEFT_JOINT_FREE, "free", 7, 6},           {HEFT_JOINT_PLANAR, "planar", 3, 3},
    {HEFT_JOINT_UNIVERSAL, "universal", 2, 2}, {HEFT_JOINT_CYLINDRICAL, "cylindrical", 2, 2}};

static void test_every_joint_type(void** state) {
  (void)state;
  const int count = (int)(sizeof joint_types / sizeof *joint_types);
  assert_int_equal(count, HEFT_JOINT_TYPE_COUNT);
  for (int i = 0; i < count; ++i) {
    const HeftJointType type = joint_types[i].type;
    assert_string_equal(heft_joint_type_name(type), joint_types[i].name);
    HeftBuilder* b = builder();
    HeftJointDef def = heft_joint_def_default();
    def.body = add_solid(b, 0);
    def.type = type;
    for (int k = 0; k < 6; ++k) {
      def.damping[k] = 1 + k;
      def.stiffness[k] = 11 + k;
      def.friction[k] = 21 + k;
      def.armature[k] = 31 + k;
      def.limited[k] = k % 2;
      def.range[k][0] = -1 - k;
      def.range[k][1] = 1 + k;
    }
    assert_int_equal(heft_builder_add_joint(b, &def), 0);
    HeftModel* m = finish(b);
    assert_int_equal(m->njoint, 1);
    assert_int_equal(m->nq, joint_types[i].nq);
    assert_int_equal(m->nv, joint_types[i].nv);
    assert_int_equal(m->joint_type[0], type);
    assert_int_equal(m->joint_body[0], 1);
    assert_int_equal(m->body_joint[1], 0);
    assert_int_equal(m->body_joint_count[1], 1);
    for (int d = 0; d < m->nv; ++d) {
      assert_int_equal(m->dof_joint[d], 0);
      assert_true(m->dof_damping[d] == 1 + d && m->dof_stiffness[d] == 11 + d);
      assert_true(m->dof_friction[d] == 21 + d && m->dof_armature[d] == 31 + d);
      assert_int_equal(m->dof_limited[d], d % 2);
      assert_true(m->dof_range[2 * d] == -1 - d && m->dof_range[2 * d + 1] == 1 + d);
    }
    model_exercise(m, 1);
    heft_model_destroy(m);
  }
}

static void test_unknown_types(void** state) {
  (void)state;
  const int unknown[] = {-1, HEFT_JOINT_TYPE_COUNT, 1000};
  for (int i = 0; i < 3; ++i) {
    assert_string_equal(heft_joint_type_name((HeftJointType)unknown[i]), "unknown");
    assert_int_equal(heft_joint_type_q_count((HeftJointType)unknown[i]), 0);
    assert_int_equal(heft_joint_type_dof_count((HeftJointType)unknown[i]), 0);
    HeftBuilder* b = builder();
    add_joint(b, add_solid(b, 0), (HeftJointType)unknown[i]);
    refuse(b, HEFT_ERR_VALUE, "joint 0", "unknown");
  }
}

static void test_axes_become_unit_and_perpendicular(void** state) {
  (void)state;
  HeftBuilder* b = builder();
  HeftJointDef def = heft_joint_def_default();
  def.body = add_solid(b, 0);
  def.type = HEFT_JOINT_UNIVERSAL;
  def.axis = heft_vec3(0, 0, 1e-8);
  def.axis2 = heft_vec3(3, 4, 100);
  heft_builder_add_joint(b, &def);
  HeftModel* m = finish(b);
  assert_near3(m->joint_axis, 0, 0, 1);
  assert_near3(m->joint_axis2, 0.6, 0.8, 0);
  heft_model_destroy(m);
}

static void test_axes_that_say_nothing(void** state) {
  (void)state;
  const struct {
    HeftVec3 axis, axis2;
    const char* words;
  } cases[] = {{{0, 0, 0}, {1, 0, 0}, "axis must have unit length"},
               {{NAN, 0, 0}, {0, 1, 0}, "axis must"},
               {{1, 0, 0}, {2, 0, 0}, "second axis"},
               {{1, 0, 0}, {0, 0, 0}, "second axis"},
               {{1, 0, 0}, {0, INFINITY, 0}, "axis"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    HeftBuilder* b = builder();
    HeftJointDef def = heft_joint_def_default();
    def.name = "crank";
    def.body = add_solid(b, 0);
    def.type = HEFT_JOINT_PLANAR;
    def.axis = cases[i].axis;
    def.axis2 = cases[i].axis2;
    heft_builder_add_joint(b, &def);
    refuse(b, HEFT_ERR_VALUE, "joint 0 'crank'", cases[i].words);
  }
}

static void test_several_joints_of_one_body(void** state) {
  (void)state;
  HeftBuilder* b = builder();
  const int one = add_solid(b, 0), two = add_solid(b, one), three = add_solid(b, one);
  assert_int_equal(add_joint(b, one, HEFT_JOINT_BALL), 0);
  assert_int_equal(add_joint(b, one, HEFT_JOINT_SLIDE), 1);
  assert_int_equal(add_joint(b, three, HEFT_JOINT_HINGE), 2);
  assert_int_equal(add_joint(b, three, HEFT_JOINT_FIXED), 3);
  assert_int_equal(add_joint(b, three, HEFT_JOINT_CYLINDRICAL), 4);
  HeftModel* m = finish(b);
  const int first[] = {0, 0, 2, 2}, count[] = {0, 2, 0, 3};
  for (int i = 0; i < 4; ++i) {
    assert_int_equal(m->body_joint[i], first[i]);
    assert_int_equal(m->body_joint_count[i], count[i]);
  }
  const int q[] = {0, 4, 5, 6, 6}, dof[] = {0, 3, 4, 5, 5},
            body[] = {one, one, three, three, three};
  for (int j = 0; j < 5; ++j) {
    assert_int_equal(m->joint_q[j], q[j]);
    assert_int_equal(m->joint_dof[j], dof[j]);
    assert_int_equal(m->joint_body[j], body[j]);
  }
  assert_int_equal(m->nq, 8);
  assert_int_equal(m->nv, 7);
  assert_int_equal(m->body_parent[two], one);
  model_exercise(m, 1);
  heft_model_destroy(m);
}

// Where a model stands when nothing is said: free bodies where they were put, balls unturned.
static void test_default_and_spring_coordinates(void** state) {
  (void)state;
  HeftBuilder* b = builder();
  HeftBodyDef body = solid(0);
  body.pos = heft_vec3(1, 2, 3);
  body.quat = heft_quat(0, 0, 1.5, 0);
  const int flyer = heft_builder_add_body(b, &body), swinger = add_solid(b, 0),
            slider = add_solid(b, 0);
  add_joint(b, flyer, HEFT_JOINT_FREE);
  HeftJointDef ball = heft_joint_def_default();
  ball.body = swinger;
  ball.type = HEFT_JOINT_BALL;
  ball.q_default[2] = 5;  // not heard: the builder decides
  ball.q_spring[0] = ball.q_spring[1] = 2;
  heft_builder_add_joint(b, &ball);
  HeftJointDef slide = heft_joint_def_default();
  slide.body = slider;
  slide.type = HEFT_JOINT_SLIDE;
  slide.q_default[0] = 0.25;
  heft_builder_add_joint(b, &slide);
  HeftModel* m = finish(b);
  const double q[] = {1, 2, 3, 0, 0, 1, 0, 1, 0, 0, 0, 0.25};
  assert_int_equal(m->nq, 12);
  CHECK_AT_MOST(relative_error(m->q_default, q, 12), 0);
  CHECK_AT_MOST(relative_error(m->q_spring, q, 7), 0);
  const double turned[] = {sqrt(0.5), sqrt(0.5), 0, 0, 0.25};
  CHECK_AT_MOST(relative_error(m->q_spring + 7, turned, 5), 2e-16);
  heft_model_destroy(m);
}

static void test_spring_coordinates_that_are_no_numbers(void** state) {
  (void)state;
  for (int k = 1; k < 4; ++k) {
    HeftBuilder* b = builder();
    HeftJointDef ball = heft_joint_def_default();
    ball.body = add_solid(b, 0);
    ball.type = HEFT_JOINT_BALL;
    ball.q_spring[0] = 1;
    ball.q_spring[k] = NAN;  // only the first may say "the same as q_default"
    heft_builder_add_joint(b, &ball);
    refuse(b, HEFT_ERR_VALUE, "joint 0", "must be finite");
  }
}

// ---- bodies

static void test_inertia_in_a_frame_of_its_own(void** state) {
  (void)state;
  HeftBuilder* b = builder();
  HeftBodyDef def = heft_body_def_default();
  def.mass = 1;
  def.inertia = (HeftSym3){1, 2, 2.5, 0.1, 0.2, 0.3};
  def.inertia_quat = heft_quat_from_axis_angle(heft_vec3(0, 0, 1), HEFT_PI / 2);
  heft_builder_add_body(b, &def);
  HeftModel* m = finish(b);
  // The frame's x lies along the body's y, its y along the body's -x.
  const double expected[6] = {2, 1, 2.5, -0.1, -0.3, 0.2};
  CHECK_AT_MOST(relative_error(m->body_inertia + 6, expected, 6), 1e-15);
  heft_model_destroy(m);
}

static void test_quaternions_become_unit_or_are_refused(void** state) {
  (void)state;
  const double good[] = {0.51, 1, 1.99}, bad[] = {0, 0.49, 2.01, NAN, INFINITY};
  for (int i = 0; i < 3; ++i) {
    HeftBuilder* b = builder();
    HeftBodyDef def = solid(0);
    def.quat = def.inertia_quat = heft_quat(0, good[i], 0, 0);
    heft_builder_add_body(b, &def);
    HeftSiteDef site = heft_site_def_default();
    site.quat = def.quat;
    heft_builder_add_site(b, &site);
    HeftModel* m = finish(b);
    assert_true(m->body_quat[5] == 1 && m->site_quat[1] == 1);
    heft_model_destroy(m);
  }
  for (int i = 0; i < 5; ++i) {
    const HeftQuat q = heft_quat(bad[i], 0, 0, 0);
    HeftBodyDef def = solid(0);
    def.name = "arm";
    HeftBuilder* b = builder();
    def.quat = q;
    assert_int_equal(heft_builder_add_body(b, &def), -1);
    refuse(b, HEFT_ERR_VALUE, "body 'arm'", "far from 1");
    b = builder();
    def.quat = heft_quat_identity();
    def.inertia_quat = q;
    assert_int_equal(heft_builder_add_body(b, &def), -1);
    refuse(b, HEFT_ERR_VALUE, "body 'arm'", "far from 1");
    HeftSiteDef site = heft_site_def_default();
    site.name = "tip";
    site.quat = q;
    b = builder();
    assert_int_equal(heft_builder_add_site(b, &site), -1);
    refuse(b, HEFT_ERR_VALUE, "site 'tip'", "far from 1");
    HeftShapeDef shape = heft_shape_def_default();
    shape.name = "box";
    shape.quat = q;
    b = builder();
    assert_int_equal(heft_builder_add_shape(b, &shape), -1);
    refuse(b, HEFT_ERR_VALUE, "shape 'box'", "far from 1");
  }
}

static void test_many_bodies(void** state) {
  (void)state;
  HeftBuilder* b = builder();
  int parent = 0;
  for (int i = 1; i <= 500; ++i) {
    HeftBodyDef def = solid(i % 3 ? parent : 0);
    char name[32];
    snprintf(name, sizeof name, "body %d", i);
    def.name = name;  // gone after the call
    parent = heft_builder_add_body(b, &def);
    assert_int_equal(parent, i);
    add_joint(b, parent, i % 2 ? HEFT_JOINT_HINGE : HEFT_JOINT_BALL);
  }
  HeftModel* m = finish(b);
  assert_int_equal(m->nbody, 501);
  assert_int_equal(m->nv, 250 + 750);
  assert_string_equal(heft_model_name(m, HEFT_NAMED_BODY, 317), "body 317");
  assert_int_equal(heft_model_find(m, HEFT_NAMED_BODY, "body 499"), 499);
  CHECK_AT_MOST(fabs(heft_model_mass(m) - 1000), 0);
  heft_model_destroy(m);
}

// ---- defaults

static void test_defaults(void** state) {
  (void)state;
  const HeftBodyDef body = heft_body_def_default();
  assert_true(body.parent == 0 && body.mass == 0 && body.gravity == 1 && body.quat.w == 1 &&
              body.inertia_quat.w == 1 && !body.name);
  const HeftJointDef joint = heft_joint_def_default();
  assert_true(joint.type == HEFT_JOINT_HINGE && joint.axis.z == 1 && isnan(joint.q_spring[0]));
  const HeftMaterialDef material = heft_material_def_default();
  assert_true(material.friction == 1 && isnan(material.kinetic) && material.restitution == 0);
  const HeftShapeDef shape = heft_shape_def_default();
  assert_true(shape.type == HEFT_SHAPE_SPHERE && shape.mesh == -1 && shape.material == 0 &&
              shape.category == 1 && shape.collides == 1 && shape.contact_dim == 3);
  const HeftActuatorDef actuator = heft_actuator_def_default();
  assert_true(actuator.gear[0] == 1 && actuator.gain == 1 && actuator.bias[0] == 0 &&
              actuator.activation == HEFT_ACTIVATION_NONE);
}

static void test_kinetic_friction_follows_the_static_one(void** state) {
  (void)state;
  HeftBuilder* b = builder();
  HeftMaterialDef def = heft_material_def_default();
  def.friction = 0.3;
  assert_int_equal(heft_builder_add_material(b, &def), 1);
  def.kinetic = 0.2;
  assert_int_equal(heft_builder_add_material(b, &def), 2);
  HeftModel* m = finish(b);
  assert_true(m->material_kinetic[0] == m->material_friction[0]);
  assert_true(m->material_kinetic[1] == 0.3 && m->material_kinetic[2] == 0.2);
  heft_model_destroy(m);
}

// A model of nothing but defaults, with the least that must be said.
static void test_default_parts_make_a_model(void** state) {
  (void)state;
  HeftBuilder* b = builder();
  HeftBodyDef body = heft_body_def_default();
  body.mass = 1;
  body.inertia = (HeftSym3){1, 1, 1, 0, 0, 0};
  HeftJointDef joint = heft_joint_def_default();
  HeftSiteDef site = heft_site_def_default();
  HeftShapeDef shape = heft_shape_def_default();
  shape.size[0] = 0.1;
  HeftMeshDef mesh = heft_mesh_def_default();
  HeftActuatorDef actuator = heft_actuator_def_default();
  HeftSensorDef sensor = heft_sensor_def_default();
  HeftKeyDef key = heft_key_def_default();
  joint.body = heft_builder_add_body(b, &body);
  assert_int_equal(heft_builder_add_joint(b, &joint), 0);
  assert_int_equal(heft_builder_add_site(b, &site), 0);
  assert_int_equal(heft_builder_add_shape(b, &shape), 0);
  assert_int_equal(heft_builder_add_mesh(b, &mesh), 0);
  assert_int_equal(heft_builder_add_actuator(b, &actuator), 0);
  assert_int_equal(heft_builder_add_sensor(b, &sensor), 0);
  assert_int_equal(heft_builder_add_key(b, &key), 0);
  HeftModel* m = finish(b);
  assert_int_equal(m->shape_body[0], 0);
  assert_int_equal(m->actuator_act[0], -1);
  model_exercise(m, 1);
  heft_model_destroy(m);
}

// ---- the other parts

static void test_meshes_are_copied_and_counted_on(void** state) {
  (void)state;
  HeftBuilder* b = builder();
  double vertices[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
  int faces[6] = {0, 1, 2, 0, 2, 3};
  HeftMeshDef def = heft_mesh_def_default();
  def.vertices = vertices;
  def.faces = faces;
  def.vertex_count = 4;
  def.face_count = 2;
  assert_int_equal(heft_builder_add_mesh(b, &def), 0);
  memset(vertices, 0, sizeof vertices);
  vertices[0] = 9;
  faces[5] = 2;
  def.vertex_count = 3;
  assert_int_equal(heft_builder_add_mesh(b, &def), 1);
  HeftModel* m = finish(b);
  assert_int_equal(m->mesh_vertex[1], 4);
  assert_int_equal(m->mesh_face[1], 2);
  assert_int_equal(m->nvertex, 7);
  assert_int_equal(m->nface, 4);
  assert_true(m->vertex_pos[3] == 1 && m->vertex_pos[12] == 9);
  assert_int_equal(m->face_vertex[5], 3);
  assert_int_equal(m->face_vertex[11], 2);
  heft_model_destroy(m);
  for (int k = 0; k < 2; ++k) {
    b = builder();
    def = heft_mesh_def_default();
    def.name = "hole";
    *(k ? &def.vertex_count : &def.face_count) = -1;
    assert_int_equal(heft_builder_add_mesh(b, &def), -1);
    refuse(b, HEFT_ERR_ARGUMENT, "mesh 'hole'", "negative");
  }
}

static void test_activations_and_sensor_values_are_counted(void** state) {
  (void)state;
  HeftModel* m = sample_create(NULL, NULL);
  assert_non_null(m);
  assert_int_equal(m->nact, 2);
  assert_int_equal(m->actuator_act[0], -1);
  assert_int_equal(m->actuator_act[1], 0);
  assert_int_equal(m->actuator_act[2], 1);
  int address = 0;
  for (int s = 0; s < m->nsensor; ++s) {
    assert_int_equal(m->sensor_address[s], address);
    address += heft_sensor_type_value_count(m->sensor_type[s]);
  }
  assert_int_equal(m->nsensordata, address);
  heft_model_destroy(m);
}

// ---- keyframes

static HeftBuilder* with_two_joints(void) {
  HeftBuilder* b = builder();
  const int one = add_solid(b, 0), two = add_solid(b, one);
  add_joint(b, one, HEFT_JOINT_HINGE);
  add_joint(b, two, HEFT_JOINT_BALL);
  return b;
}

static void test_keyframes(void** state) {
  (void)state;
  HeftBuilder* b = with_two_joints();
  double q[5] = {0.5, 0, 2, 0, 0}, v[4] = {1, 2, 3, 4};
  HeftKeyDef key = heft_key_def_default();
  key.q = q;
  key.v = v;
  key.time = 3;
  key.name = "a";
  assert_int_equal(heft_builder_add_key(b, &key), 0);
  q[0] = 9;  // copied before
  key = heft_key_def_default();
  key.v = v;
  assert_int_equal(heft_builder_add_key(b, &key), 1);
  HeftModel* m = finish(b);
  const double first[5] = {0.5, 0, 1, 0, 0}, none[5] = {0, 1, 0, 0, 0};
  CHECK_AT_MOST(relative_error(m->key_q, first, 5), 0);  // the quaternion made unit
  CHECK_AT_MOST(relative_error(m->key_q + 5, none, 5), 0);
  CHECK_AT_MOST(relative_error(m->key_v + 4, v, 4), 0);
  assert_true(m->key_time[0] == 3 && m->key_time[1] == 0);
  HeftState* s = NULL;
  assert_int_equal(heft_state_create(&s, m, NULL, NULL), HEFT_OK);
  heft_state_set_key(s, m, 0);
  assert_true(*s->time == 3 && s->q[0] == 0.5 && s->v[3] == 4);
  heft_state_destroy(s);
  heft_model_destroy(m);
}

static void test_keyframes_that_are_no_numbers(void** state) {
  (void)state;
  for (int k = 0; k < 5; ++k) {
    HeftBuilder* b = with_two_joints();
    double q[5] = {0.5, 1, 0, 0, 0};
    q[k] = NAN;
    HeftKeyDef key = heft_key_def_default();
    key.name = "broken";
    key.q = q;
    heft_builder_add_key(b, &key);
    refuse(b, HEFT_ERR_VALUE, "keyframe 0 'broken'", "finite");
  }
}

// ---- names

static void test_names_are_optional_and_of_each_kind_once(void** state) {
  (void)state;
  HeftBuilder* b = builder();
  HeftBodyDef body = solid(0);
  body.name = "";
  heft_builder_add_body(b, &body);
  body.name = NULL;
  heft_builder_add_body(b, &body);
  body.name = "arm";
  HeftJointDef joint = heft_joint_def_default();
  joint.name = "arm";  // another kind may have the same name
  joint.body = heft_builder_add_body(b, &body);
  heft_builder_add_joint(b, &joint);
  HeftModel* m = finish(b);
  assert_string_equal(heft_model_name(m, HEFT_NAMED_BODY, 1), "");
  assert_string_equal(heft_model_name(m, HEFT_NAMED_BODY, 2), "");
  assert_int_equal(heft_model_find(m, HEFT_NAMED_BODY, "arm"), 3);
  assert_int_equal(heft_model_find(m, HEFT_NAMED_JOINT, "arm"), 0);
  heft_model_destroy(m);
}

static void test_names_used_twice(void** state) {
  (void)state;
  for (int kind = 0; kind < 9; ++kind) {
    HeftBuilder* b = builder();
    HeftBodyDef body = solid(0);
    HeftJointDef joint = heft_joint_def_default();
    HeftSiteDef site = heft_site_def_default();
    HeftMaterialDef material = heft_material_def_default();
    HeftShapeDef shape = heft_shape_def_default();
    HeftMeshDef mesh = heft_mesh_def_default();
    HeftActuatorDef actuator = heft_actuator_def_default();
    HeftSensorDef sensor = heft_sensor_def_default();
    HeftKeyDef key = heft_key_def_default();
    const char** const names[] = {&body.name,     &joint.name,  &site.name,
                                  &material.name, &shape.name,  &mesh.name,
                                  &actuator.name, &sensor.name, &key.name};
    const char* const kinds[] = {"bodies", "joints",    "sites",   "materials", "shapes",
                                 "meshes", "actuators", "sensors", "keyframes"};
    *names[kind] = "twin";
    shape.size[0] = 1;
    for (int i = 0; i < 2; ++i) {
      joint.body = heft_builder_add_body(b, &body);
      heft_builder_add_joint(b, &joint);
      heft_builder_add_site(b, &site);
      heft_builder_add_material(b, &material);
      heft_builder_add_shape(b, &shape);
      heft_builder_add_mesh(b, &mesh);
      heft_builder_add_actuator(b, &actuator);
      heft_builder_add_sensor(b, &sensor);
    }
    for (int i = 0; i < 2; ++i) heft_builder_add_key(b, &key);
    refuse(b, HEFT_ERR_NAME, kinds[kind], "'twin'");
  }
  HeftBuilder* b = builder();
  HeftBodyDef body = solid(0);
  body.name = "world";
  heft_builder_add_body(b, &body);
  refuse(b, HEFT_ERR_NAME, "bodies", "'world'");
}

static void test_long_names(void** state) {
  (void)state;
  char name[300];
  memset(name, 'n', sizeof name);
  name[255] = '\0';
  HeftBuilder* b = builder();
  HeftBodyDef body = solid(0);
  body.name = name;
  heft_builder_add_body(b, &body);
  HeftModel* m = finish(b);
  assert_int_equal(heft_model_find(m, HEFT_NAMED_BODY, name), 1);
  heft_model_destroy(m);
  name[255] = 'n';
  name[256] = '\0';
  b = builder();
  assert_int_equal(heft_builder_add_body(b, &body), -1);
  refuse(b, HEFT_ERR_LIMIT, "256 bytes", "at most 255");
}

// ---- mistakes in the order of calls

static void test_parents_come_first(void** state) {
  (void)state;
  const int wrong[] = {-1, 1, 7};
  for (int i = 0; i < 3; ++i) {
    HeftBuilder* b = builder();
    HeftBodyDef body = solid(wrong[i]);
    body.name = "arm";
    assert_int_equal(heft_builder_add_body(b, &body), -1);
    refuse(b, HEFT_ERR_ARGUMENT, "body 'arm'", "add parents first");
  }
}

static void test_joints_need_a_body(void** state) {
  (void)state;
  const int wrong[] = {-1, 0, 1};
  for (int i = 0; i < 3; ++i) {
    HeftBuilder* b = builder();
    assert_int_equal(add_joint(b, wrong[i], HEFT_JOINT_HINGE), -1);
    refuse(b, HEFT_ERR_ARGUMENT, "joint ''", "does not exist or is the world");
  }
}

static void test_joints_follow_their_bodies(void** state) {
  (void)state;
  HeftBuilder* b = builder();
  const int one = add_solid(b, 0), two = add_solid(b, 0);
  add_joint(b, two, HEFT_JOINT_HINGE);
  assert_int_equal(add_joint(b, one, HEFT_JOINT_HINGE), -1);
  refuse(b, HEFT_ERR_ARGUMENT, "joint ''", "in the order of their bodies");
}

// What is added after a keyframe has its described pose in it.
static void test_keyframes_grow(void** state) {
  (void)state;
  HeftBuilder* b = with_two_joints();
  HeftError error = {0};
  HeftModel* m = NULL;
  const double q[5] = {0.25, 1, 0, 0, 0}, v[4] = {3, 4, 5, 6};
  for (int k = 0; k < 3; ++k) {
    HeftKeyDef key = heft_key_def_default();
    key.q = k == 1 ? NULL : q;
    key.v = v;
    heft_builder_add_key(b, &key);
  }
  HeftActuatorDef actuator = heft_actuator_def_default();
  actuator.activation = HEFT_ACTIVATION_INTEGRATOR;
  heft_builder_add_actuator(b, &actuator);
  HeftBodyDef body = heft_body_def_default();
  body.mass = 1;
  body.inertia = (HeftSym3){1, 1, 1, 0, 0, 0};
  body.pos = heft_vec3(7, 8, 9);
  add_joint(b, heft_builder_add_body(b, &body), HEFT_JOINT_FREE);
  HeftBodyDef platform = heft_body_def_default();
  platform.moved = 1;
  platform.pos = heft_vec3(1, 2, 3);
  heft_builder_add_body(b, &platform);
  if (heft_builder_finish(b, &m, &error) != HEFT_OK) fail_msg("%s", error.message);
  assert_int_equal(m->nq, 12);
  for (int k = 0; k < 3; ++k) {
    const double *row = m->key_q + 12L * k, *speed = m->key_v + 10L * k;
    assert_true(row[0] == (k == 1 ? m->q_default[0] : 0.25) && row[5] == 7 && row[7] == 9);
    assert_true(row[8] == 1 && row[9] == 0);
    assert_true(speed[0] == 3 && speed[3] == 6 && speed[4] == 0 && speed[9] == 0);
    assert_true(m->key_act[k] == 0 && m->key_control[k] == 0);
    assert_true(m->key_moved[7L * k + 1] == 2 && m->key_moved[7L * k + 3] == 1);
  }
  heft_model_destroy(m);
  heft_builder_destroy(b);
}

static void test_the_first_mistake_is_kept(void** state) {
  (void)state;
  HeftBuilder* b = builder();
  HeftError error = {0};
  assert_int_equal(heft_builder_status(b, &error), HEFT_OK);
  assert_int_equal(error.status, HEFT_OK);
  assert_int_equal(add_joint(b, 5, HEFT_JOINT_HINGE), -1);
  assert_int_equal(heft_builder_status(b, &error), HEFT_ERR_ARGUMENT);
  assert_non_null(strstr(error.message, "body 5"));
  assert_int_equal(heft_builder_status(b, NULL), HEFT_ERR_ARGUMENT);
  // Nothing is taken any more, and the reason stays.
  assert_int_equal(add_solid(b, 0), -1);
  assert_int_equal(add_solid(b, 99), -1);
  const HeftSiteDef site = heft_site_def_default();
  const HeftMaterialDef material = heft_material_def_default();
  const HeftShapeDef shape = heft_shape_def_default();
  const HeftMeshDef mesh = heft_mesh_def_default();
  const HeftActuatorDef actuator = heft_actuator_def_default();
  const HeftSensorDef sensor = heft_sensor_def_default();
  const HeftKeyDef key = heft_key_def_default();
  assert_int_equal(heft_builder_add_site(b, &site), -1);
  assert_int_equal(heft_builder_add_material(b, &material), -1);
  assert_int_equal(heft_builder_add_shape(b, &shape), -1);
  assert_int_equal(heft_builder_add_mesh(b, &mesh), -1);
  assert_int_equal(heft_builder_add_actuator(b, &actuator), -1);
  assert_int_equal(heft_builder_add_sensor(b, &sensor), -1);
  assert_int_equal(heft_builder_add_key(b, &key), -1);
  refuse(b, HEFT_ERR_ARGUMENT, "body 5", "does not exist");
}

static void test_mistakes_without_an_error_to_write_to(void** state) {
  (void)state;
  HeftBuilder* b = builder();
  HeftModel* model = NULL;
  add_joint(b, 5, HEFT_JOINT_HINGE);
  assert_int_equal(heft_builder_finish(b, &model, NULL), HEFT_ERR_ARGUMENT);
  assert_null(model);
  heft_builder_destroy(b);
}

static void test_a_builder_can_go_on_after_a_model(void** state) {
  (void)state;
  HeftBuilder* b = builder();
  HeftModel *one = NULL, *two = NULL, *three = NULL;
  sample_fill(b);
  assert_int_equal(heft_builder_finish(b, &one, NULL), HEFT_OK);
  assert_int_equal(heft_builder_finish(b, &two, NULL), HEFT_OK);
  add_solid(b, 0);
  assert_int_equal(heft_builder_finish(b, &three, NULL), HEFT_OK);
  heft_builder_destroy(b);
  assert_true(heft_model_hash(one) == heft_model_hash(two));
  assert_true(heft_model_hash(one) != heft_model_hash(three));
  heft_model_destroy(one);
  heft_model_destroy(two);
  heft_model_destroy(three);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_the_world_alone),
      cmocka_unit_test(test_physics),
      cmocka_unit_test(test_destroy_nothing),
      cmocka_unit_test(test_every_joint_type),
      cmocka_unit_test(test_unknown_types),
      cmocka_unit_test(test_axes_become_unit_and_perpendicular),
      cmocka_unit_test(test_axes_that_say_nothing),
      cmocka_unit_test(test_several_joints_of_one_body),
      cmocka_unit_test(test_default_and_spring_coordinates),
      cmocka_unit_test(test_spring_coordinates_that_are_no_numbers),
      cmocka_unit_test(test_inertia_in_a_frame_of_its_own),
      cmocka_unit_test(test_quaternions_become_unit_or_are_refused),
      cmocka_unit_test(test_many_bodies),
      cmocka_unit_test(test_defaults),
      cmocka_unit_test(test_kinetic_friction_follows_the_static_one),
      cmocka_unit_test(test_default_parts_make_a_model),
      cmocka_unit_test(test_meshes_are_copied_and_counted_on),
      cmocka_unit_test(test_activations_and_sensor_values_are_counted),
      cmocka_unit_test(test_keyframes),
      cmocka_unit_test(test_keyframes_that_are_no_numbers),
      cmocka_unit_test(test_names_are_optional_and_of_each_kind_once),
      cmocka_unit_test(test_names_used_twice),
      cmocka_unit_test(test_long_names),
      cmocka_unit_test(test_parents_come_first),
      cmocka_unit_test(test_joints_need_a_body),
      cmocka_unit_test(test_joints_follow_their_bodies),
      cmocka_unit_test(test_keyframes_grow),
      cmocka_unit_test(test_the_first_mistake_is_kept),
      cmocka_unit_test(test_mistakes_without_an_error_to_write_to),
      cmocka_unit_test(test_a_builder_can_go_on_after_a_model),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
