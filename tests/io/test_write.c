// SPDX-License-Identifier: Apache-2.0
// Papers: R64.
// Models that no file describes: built by hand, written, read back, compared by their hash. What
// MJCF has no words for stands in <custom>; MuJoCo must accept it, and must see the same mechanism.
#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
// after the above
#include <heft/dynamics.h>
#include <heft/io.h>
#include <math.h>
#include <cmocka.h>

#include "scenes/scenes.h"
#include "support/sample.h"

typedef struct Text {
  char* bytes;
  size_t size;
} Text;

static HeftStatus keep(void* user, const char* name, const void* bytes, size_t size,
                       HeftError* error) {
  (void)error;
  Text* text = user;
  assert_string_equal(name, "");
  text->bytes = malloc(size + 1);
  memcpy(text->bytes, bytes, size);
  text->bytes[size] = '\0';
  text->size = size;
  return HEFT_OK;
}

static Text write_text(const HeftModel* model) {
  Text text = {0};
  HeftWriteDef def = heft_write_def_default();
  def.put = keep;
  def.user = &text;
  HeftError error = {0};
  if (heft_model_write_mjcf(model, &def, &error) != HEFT_OK)
    fail_msg("not written: %s", error.message);
  return text;
}

static HeftModel* read_text(const char* text, size_t size) {
  HeftLoadDef def = heft_load_def_default();
  HeftModel* model = NULL;
  HeftError error = {0};
  if (heft_model_load_bytes(&model, text, size, "again.xml", &def, &error) != HEFT_OK)
    fail_msg("not read: %d:%d: %s\n%s", error.line, error.column, error.message, text);
  return model;
}

static void expect_same(const HeftModel* a, const HeftModel* b, const char* text) {
  if (heft_model_hash(a) == heft_model_hash(b)) return;
#define SIZE(name, meaning) \
  if (a->name != b->name) print_message("  " #name ": %d, then %d\n", a->name, b->name);
  HEFT_MODEL_SIZE_LIST(SIZE)
#undef SIZE
  const HeftModel* m = a;
#define ARRAY(type, name, count, width, unit, meaning)                                 \
  if (memcmp(a->name, b->name, (size_t)(count) * (size_t)(width) * sizeof(type)) != 0) \
    print_message("  " #name " differs\n");
  if (a->nname == b->nname && a->nv == b->nv && a->nbody == b->nbody &&
      a->nmaterial == b->nmaterial) {
    HEFT_MODEL_ARRAY_LIST(ARRAY)
  }
#undef ARRAY
  fail_msg("the model is not the same after writing and reading\n%s", text);
}

static void expect_kept(const HeftModel* model) {
  const Text text = write_text(model);
  HeftModel* again = read_text(text.bytes, text.size);
  expect_same(model, again, text.bytes);
  heft_model_destroy(again);
  free(text.bytes);
}

// ---- whole models

static void test_scenes_are_kept(void** state) {
  (void)state;
  for (int i = 0; i < scene_count(); ++i) {
    HeftModel* model = scene_create(scene_name(i), NULL);
    assert_non_null(model);
    expect_kept(model);
    heft_model_destroy(model);
  }
}

// Trees of all joint types, bodies in any order.
static void test_random_trees_are_kept(void** state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    const RandomTreeDef def = {.seed = seed, .bodies = 12, .passive = (int)(seed & 1)};
    HeftModel* model = scene_random_tree(&def, NULL);
    assert_non_null(model);
    expect_kept(model);
    heft_model_destroy(model);
  }
}

// ---- everything that MJCF cannot say, in one model

static int add_body(HeftBuilder* b, const char* name, int parent, double x) {
  HeftBodyDef body = heft_body_def_default();
  body.name = name;
  body.parent = parent;
  body.pos = heft_vec3(x, 0.1 * x, 0.2);
  body.quat = heft_quat_normalize(heft_quat(1, 0.1, 0.2 * x, -0.3));
  body.mass = 1 + x;
  body.com = heft_vec3(0.01, 0.02, 0.03);
  body.inertia = (HeftSym3){0.2, 0.3, 0.4, 0.01, 0.02, 0.03};
  return heft_builder_add_body(b, &body);
}

static void add_joint(HeftBuilder* b, const char* name, HeftJointType type, int body) {
  HeftJointDef joint = heft_joint_def_default();
  joint.name = name;
  joint.type = type;
  joint.body = body;
  joint.pos = heft_vec3(0.1, 0, -0.1);
  joint.axis = heft_vec3(1, 2, 3);
  joint.axis2 = heft_vec3(0, 1, 0);
  const int turned = type == HEFT_JOINT_BALL || type == HEFT_JOINT_FREE;
  for (int k = 0; k < heft_joint_type_dof_count(type); ++k) {
    joint.damping[k] = 0.1 * (k + 1);
    joint.stiffness[k] = 0.2 * (k + 1);
    joint.friction[k] = 0.3 * (k + 1);
    joint.armature[k] = 0.01 * (k + 1);
    joint.limited[k] = k != 1;
    joint.range[k][0] = -1 - k;
    joint.range[k][1] = 1 + k;
    if (!turned) joint.q_default[k] = 0.1 * k;
    if (!turned) joint.q_spring[k] = -0.1 * k;
  }
  if (type == HEFT_JOINT_BALL) {
    const HeftQuat q = heft_quat_normalize(heft_quat(1, 0.2, 0.3, 0.4));
    memcpy(joint.q_spring, &q.w, 4 * sizeof(double));
  }
  heft_builder_add_joint(b, &joint);
}

static void add_shapes(HeftBuilder* b, int last) {
  HeftMaterialDef rubber = heft_material_def_default();
  rubber.name = "rubber";
  rubber.kinetic = 0.7;
  rubber.restitution = 0.5;
  rubber.layer[0] = 5512;
  rubber.layer[1] = 158;
  rubber.layer[2] = 0.0005;
  rubber.area[0] = 2e5;
  rubber.area[1] = 0.01;
  rubber.area[2] = 3;
  rubber.area[3] = 0.5;
  const int soft = heft_builder_add_material(b, &rubber);
  HeftMaterialDef bounce = heft_material_def_default();
  bounce.restitution = 0.9;
  bounce.slip[0] = 0.05;
  bounce.slip[1] = 0.125;
  bounce.soft[0] = 2e4;
  bounce.soft[1] = 30;
  const int bouncy = heft_builder_add_material(b, &bounce);
  HeftShapeDef shape = heft_shape_def_default();
  shape.size[0] = 0.1;
  HeftSiteDef site = heft_site_def_default();
  for (int body = last; body >= 0; --body) {  // against the order of the bodies
    char name[16];
    snprintf(name, sizeof name, "g%d", body);
    shape.name = name;
    shape.body = site.body = body;
    shape.material = body % 3 == 1 ? soft : 0;
    heft_builder_add_shape(b, &shape);
    site.name = body % 2 ? name : NULL;
    site.pos = heft_vec3(0.1, 0, 0.1 * body);
    heft_builder_add_site(b, &site);
  }
  HeftPairDef pair = heft_pair_def_default();
  pair.shape[0] = 0;
  pair.shape[1] = 2;
  pair.material = bouncy;
  heft_builder_add_pair(b, &pair);
  pair.name = "named";
  pair.shape[1] = 3;
  pair.material = soft;
  heft_builder_add_pair(b, &pair);
}

static void add_watchers(HeftBuilder* b) {
  HeftSensorDef sensor = heft_sensor_def_default();
  sensor.type = HEFT_SENSOR_GYRO;
  sensor.object = 1;
  for (int i = 0; i < 16; ++i) sensor.matrix[i] = 0.1 * i - 0.3;
  sensor.offset[1] = 0.25;
  heft_builder_add_sensor(b, &sensor);
  sensor.name = "turn";
  sensor.type = HEFT_SENSOR_FRAME_QUATERNION;
  sensor.frame = HEFT_FRAME_SHAPE;
  sensor.object = 2;
  sensor.reference = 1;
  sensor.reference_frame = HEFT_FRAME_BODY;
  heft_builder_add_sensor(b, &sensor);
  sensor = heft_sensor_def_default();
  sensor.object = 1;
  heft_builder_add_sensor(b, &sensor);
  for (int i = 3; i >= 0; i -= 3) {
    HeftCameraDef camera = heft_camera_def_default();
    camera.body = i;
    camera.follow = HEFT_FOLLOW_TARGET_BODY;
    camera.target = 2;
    heft_builder_add_camera(b, &camera);
    HeftLightDef light = heft_light_def_default();
    light.body = i;
    heft_builder_add_light(b, &light);
  }
}

static void add_ties(HeftBuilder* b) {
  HeftEqualityDef tie = heft_equality_def_default();
  tie.type = HEFT_EQUALITY_JOINT;
  tie.object[0] = 3;
  tie.object[1] = -1;
  tie.poly[1] = 0;
  heft_builder_add_equality(b, &tie);
  tie = heft_equality_def_default();
  tie.name = "pin";
  tie.type = HEFT_EQUALITY_CONNECT;
  tie.object[0] = 2;
  tie.object[1] = 4;
  tie.anchor[0] = heft_vec3(0.1, 0.2, 0.3);
  tie.anchor[1] = heft_vec3(-0.7, 0.11, 0.13);
  heft_builder_add_equality(b, &tie);
  tie.name = NULL;
  tie.type = HEFT_EQUALITY_WELD;
  tie.object[1] = 5;
  tie.quat = heft_quat_normalize(heft_quat(0.3, 0.1, 0.7, 0.2));
  heft_builder_add_equality(b, &tie);
  const HeftWrap sum[] = {{HEFT_WRAP_JOINT, 3, 0.5, -1}};
  const HeftWrap way[] = {{HEFT_WRAP_SITE, 1, 0, -1}, {HEFT_WRAP_SITE, 3, 0, -1}};
  HeftTendonDef tendon = heft_tendon_def_default();
  tendon.wraps = sum;
  tendon.wrap_count = 1;
  heft_builder_add_tendon(b, &tendon);
  tendon.wraps = way;
  tendon.wrap_count = 2;
  heft_builder_add_tendon(b, &tendon);
  HeftActuatorDef motor = heft_actuator_def_default();
  motor.target = 2;
  heft_builder_add_actuator(b, &motor);
  motor.transmission = HEFT_TRANSMISSION_SITE;
  motor.target = 2;
  motor.reference = 4;
  heft_builder_add_actuator(b, &motor);
}

// Two arms whose bodies were added in turns.
static HeftModel* build_everything(void) {
  HeftBuilder* b = NULL;
  assert_int_equal(heft_builder_create(&b, NULL, NULL), HEFT_OK);
  const int left = add_body(b, "left", 0, 0.1), right = add_body(b, "right", 0, 0.2);
  const int left2 = add_body(b, NULL, left, 0.3), right2 = add_body(b, "right2", right, 0.4);
  const int last = add_body(b, "last", left2, 0.5);
  heft_builder_set_contact_model(b, "penalty");
  add_joint(b, "table", HEFT_JOINT_PLANAR, left);
  add_joint(b, NULL, HEFT_JOINT_UNIVERSAL, right);
  add_joint(b, "sleeve", HEFT_JOINT_CYLINDRICAL, left2);
  add_joint(b, "elbow", HEFT_JOINT_HINGE, left2);
  add_joint(b, "ball", HEFT_JOINT_BALL, right2);
  add_joint(b, "bolt", HEFT_JOINT_FIXED, last);
  add_joint(b, "rail", HEFT_JOINT_SLIDE, last);
  add_joint(b, NULL, HEFT_JOINT_FIXED, last);
  add_shapes(b, last);
  add_watchers(b);
  add_ties(b);
  double q[32], v[32];
  for (int i = 0; i < 32; ++i) {
    q[i] = 0.01 * i;
    v[i] = 0.1 * i;
  }
  q[8] = q[9] = q[10] = q[11] = 0.5;  // the ball's quaternion
  HeftKeyDef key = heft_key_def_default();
  key.q = q;
  key.v = v;
  heft_builder_add_key(b, &key);
  HeftModel* model = NULL;
  HeftError error = {0};
  if (heft_builder_finish(b, &model, &error) != HEFT_OK) fail_msg("%s", error.message);
  heft_builder_destroy(b);
  return model;
}

static void test_everything_is_kept(void** state) {
  (void)state;
  HeftModel* model = build_everything();
  assert_string_equal(model->names + model->contact_model[0], "penalty");
  expect_kept(model);
  heft_model_destroy(model);
}

// Without <custom> the joints are those of MJCF; the bodies must move the same way. The numbers of
// bodies and coordinates are then those of the file.
static void test_joints_of_mjcf_move_alike(void** state) {
  (void)state;
  HeftModel* model = build_everything();
  const Text text = write_text(model);
  char* custom = strstr(text.bytes, "<custom>");
  assert_non_null(custom);
  strcpy(custom, "</mujoco>");
  HeftModel* plain = read_text(text.bytes, strlen(text.bytes));
  assert_int_equal(plain->nv, model->nv);
  assert_int_equal(plain->njoint, model->njoint + 2);
  HeftDynamics *one = NULL, *two = NULL;
  assert_int_equal(heft_dynamics_create(&one, model, NULL, NULL), HEFT_OK);
  assert_int_equal(heft_dynamics_create(&two, plain, NULL, NULL), HEFT_OK);
  heft_dynamics_kinematics(one, model->key_q);
  heft_dynamics_kinematics(two, plain->key_q);
  for (int b = 1; b < model->nbody; ++b) {
    const char* name = heft_model_name(model, HEFT_NAMED_BODY, b);
    const int other = name[0] ? heft_model_find(plain, HEFT_NAMED_BODY, name) : 2;
    assert_true(other > 0);
    const HeftPose x = heft_dynamics_body_pose(one, b), y = heft_dynamics_body_pose(two, other);
    for (int k = 0; k < 3; ++k) assert_true(fabs((&x.pos.x)[k] - (&y.pos.x)[k]) < 1e-14);
    for (int k = 0; k < 9; ++k)
      assert_true(fabs(x.rot.m[k / 3][k % 3] - y.rot.m[k / 3][k % 3]) < 1e-14);
  }
  heft_dynamics_destroy(one);
  heft_dynamics_destroy(two);
  heft_model_destroy(plain);
  heft_model_destroy(model);
  free(text.bytes);
}

static void test_mujoco_accepts_it(void** state) {
  (void)state;
  void* library = dlopen("libmujoco.so.2.2.2", RTLD_NOW | RTLD_LOCAL);
  if (!library) library = dlopen("libmujoco.so", RTLD_NOW | RTLD_LOCAL);
  void* (*load)(const char*, const void*, char*, int) = NULL;
  void (*destroy)(void*) = NULL;
  if (library) *(void**)&load = dlsym(library, "mj_loadXML");
  if (library) *(void**)&destroy = dlsym(library, "mj_deleteModel");
  if (!load || !destroy) {
    print_message("libmujoco is absent\n");
    skip();
  }
  HeftModel* model = build_everything();
  const Text text = write_text(model);
  char path[] = "heft_write_XXXXXX";
  const int file = mkstemp(path);
  assert_true(file >= 0);
  assert_int_equal(write(file, text.bytes, text.size), (ssize_t)text.size);
  close(file);
  char error[1000] = "";
  void* theirs = load(path, NULL, error, sizeof error);
  remove(path);
  if (!theirs) fail_msg("MuJoCo says: %s\n%s", error, text.bytes);
  destroy(theirs);
  heft_model_destroy(model);
  free(text.bytes);
}

// ---- custom data of a file

static void test_calibration_from_a_file(void** state) {
  (void)state;
  static const char text[] =
      "<mujoco><custom><numeric name='heft_sensor_gyro' data='2 0 0 0 1 0 0 0 1 .1 .2 .3'/>"
      "<text name='heft_contact_model' data='exact'/></custom>"
      "<worldbody><body><joint/><geom size='1'/><site name='s'/></body></worldbody>"
      "<sensor><clock/><gyro name='gyro' site='s'/></sensor></mujoco>";
  HeftModel* model = read_text(text, strlen(text));
  const double row[4] = {2, 0, 0, 0};
  assert_memory_equal(model->sensor_matrix + 4, row, sizeof row);
  assert_true(model->sensor_matrix[0] == 1 && model->sensor_offset[0] == 0);
  assert_true(model->sensor_offset[3] == 0.3);
  assert_string_equal(model->names + model->contact_model[0], "exact");
  heft_model_destroy(model);
}

// ---- places in an image

// Three triangles over five vertices; the places of one vertex, or of its corners.
static HeftModel* read_textured(const char* texcoord, const char* scale) {
  char text[1200];
  snprintf(text, sizeof text,
           "<mujoco><asset><texture name='t' type='2d' file='a.png'/>"
           "<material name='m' texture='t'/>"
           "<mesh name='s' scale='%s' vertex='0 0 0 1 0 0 0 1 0 0 0 1 1 1 1'"
           " face='0 2 1 0 1 3 0 3 2' texcoord='%s'/></asset>"
           "<worldbody><geom type='mesh' mesh='s' material='m' contype='0' conaffinity='0'/>"
           "</worldbody></mujoco>",
           scale, texcoord);
  return read_text(text, strlen(text));
}

static void test_places_in_images_are_kept(void** state) {
  (void)state;
  HeftModel* m = read_textured("0 0 .25 .5 .5 .75 1 1 .3 .3", "1 1 1");
  assert_int_equal(m->ncorner, 9);
  const double first[6] = {0, 1, .5, .25, .25, .5};  // of vertices 0 2 1, counted upwards
  assert_memory_equal(m->corner_image, first, sizeof first);
  expect_kept(m);
  heft_model_destroy(m);
  m = read_textured("0 0 .1 0 .2 0 .3 0 .4 0 .5 0 .6 0 .7 0 .8 0.125", "1 1 -1");  // a seam
  assert_int_equal(m->ncorner, 9);
  assert_true(fabs(m->corner_image[2] - .2) < 1e-9);  // turned round with its triangle
  assert_true(m->corner_image[15] == 0.875 && m->corner_image[17] == 1);
  expect_kept(m);
  heft_model_destroy(m);
}

// Images are for the eye: where no shape wears one nothing is kept.
static void test_places_without_an_image_are_left_out(void** state) {
  (void)state;
  static const char text[] =
      "<mujoco><asset><mesh name='s' vertex='0 0 0 1 0 0 0 1 0 0 0 1' texcoord='0 0 0 1 1 0 1 1'/>"
      "</asset><worldbody><geom type='mesh' mesh='s'/></worldbody></mujoco>";
  HeftModel* m = read_text(text, strlen(text));
  assert_int_equal(m->ncorner, 0);
  assert_int_equal(m->mesh_corner[0], -1);
  heft_model_destroy(m);
}

static void test_lights_all_around(void** state) {
  (void)state;
  static const char text[] = "<mujoco><worldbody><light type='point'/></worldbody></mujoco>";
  HeftModel* m = read_text(text, strlen(text));
  assert_true(m->light_cutoff[0] > 3.14);
  expect_kept(m);
  heft_model_destroy(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_scenes_are_kept),
      cmocka_unit_test(test_random_trees_are_kept),
      cmocka_unit_test(test_everything_is_kept),
      cmocka_unit_test(test_joints_of_mjcf_move_alike),
      cmocka_unit_test(test_mujoco_accepts_it),
      cmocka_unit_test(test_calibration_from_a_file),
      cmocka_unit_test(test_places_in_images_are_kept),
      cmocka_unit_test(test_places_without_an_image_are_left_out),
      cmocka_unit_test(test_lights_all_around),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
