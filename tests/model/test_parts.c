// SPDX-License-Identifier: Apache-2.0
// Hulls, height fields, pairs, excludes, equalities, tendons, looks: built, saved, loaded, and
// refused where they make no sense.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
// after the above
#include <heft/model.h>
#include <cmocka.h>

// Two boxes on hinges with a bit of everything. The callers change one def before it goes in.
typedef struct Parts {
  HeftMeshDef mesh;
  HeftHeightFieldDef field;
  HeftPairDef pair;
  HeftExcludeDef exclude;
  HeftEqualityDef equality;
  HeftTendonDef tendon;
  HeftWrap wraps[3];
  HeftActuatorDef actuator;
  HeftSensorDef sensor;
  HeftCameraDef camera;
  HeftLightDef light;
} Parts;

static const double vertices[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
static const int faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
static const double heights[6] = {0, 0.1, 0.2, 0.3, 0.2, 0};

static Parts parts_make(void) {
  Parts p = {.mesh = heft_mesh_def_default(),
             .field = heft_height_field_def_default(),
             .pair = heft_pair_def_default(),
             .exclude = heft_exclude_def_default(),
             .equality = heft_equality_def_default(),
             .tendon = heft_tendon_def_default(),
             .actuator = heft_actuator_def_default(),
             .sensor = heft_sensor_def_default(),
             .camera = heft_camera_def_default(),
             .light = heft_light_def_default()};
  p.mesh = (HeftMeshDef){.cookie = HEFT_DEF_COOKIE(HeftMeshDef),
                         .name = "tetra",
                         .vertex_count = 4,
                         .face_count = 4,
                         .hull_count = 4,
                         .vertices = vertices[0],
                         .faces = faces[0],
                         .hull = faces[0]};
  p.field.name = "hills";
  p.field.rows = 2;
  p.field.columns = 3;
  p.field.heights = heights;
  p.pair.shape[1] = 1;
  p.exclude.body[0] = 1;
  p.exclude.body[1] = 2;
  p.equality.type = HEFT_EQUALITY_JOINT;
  p.equality.object[1] = 1;
  p.wraps[0] = (HeftWrap){HEFT_WRAP_SITE, 0, 0, -1};
  p.wraps[1] = (HeftWrap){HEFT_WRAP_SHAPE, 0, 0, -1};
  p.wraps[2] = (HeftWrap){HEFT_WRAP_SITE, 1, 0, -1};
  p.tendon.wrap_count = 3;
  p.actuator.transmission = HEFT_TRANSMISSION_TENDON;
  p.sensor.type = HEFT_SENSOR_FRAME_POSITION;
  p.sensor.frame = HEFT_FRAME_CAMERA;
  p.camera.body = 1;
  p.light.target = 2;
  return p;
}

static HeftStatus parts_build(Parts* p, HeftModel** out, HeftError* error) {
  HeftBuilder* b = NULL;
  assert_int_equal(heft_builder_create(&b, NULL, error), HEFT_OK);
  for (int i = 0; i < 2; ++i) {
    HeftBodyDef body = heft_body_def_default();
    body.mass = 1;
    body.inertia = (HeftSym3){1, 1, 1, 0, 0, 0};
    HeftJointDef joint = heft_joint_def_default();
    HeftSiteDef site = heft_site_def_default();
    HeftShapeDef shape = heft_shape_def_default();
    joint.body = site.body = shape.body = heft_builder_add_body(b, &body);
    shape.size[0] = 0.1;
    heft_builder_add_joint(b, &joint);
    heft_builder_add_site(b, &site);
    heft_builder_add_shape(b, &shape);
  }
  HeftShapeDef ground = heft_shape_def_default();
  ground.type = HEFT_SHAPE_HEIGHT_FIELD;
  ground.height_field = heft_builder_add_height_field(b, &p->field);
  heft_builder_add_shape(b, &ground);
  heft_builder_add_mesh(b, &p->mesh);
  heft_builder_add_pair(b, &p->pair);
  heft_builder_add_exclude(b, &p->exclude);
  heft_builder_add_equality(b, &p->equality);
  p->tendon.wraps = p->wraps;
  heft_builder_add_tendon(b, &p->tendon);
  heft_builder_add_actuator(b, &p->actuator);
  heft_builder_add_camera(b, &p->camera);
  heft_builder_add_light(b, &p->light);
  heft_builder_add_sensor(b, &p->sensor);
  HeftTextureDef texture = heft_texture_def_default();
  texture.name = "wood";
  texture.file = "textures/wood.png";
  HeftAppearanceDef look = heft_appearance_def_default();
  look.name = "desk";
  look.texture = heft_builder_add_texture(b, &texture);
  heft_builder_add_appearance(b, &look);
  const HeftStatus status = heft_builder_finish(b, out, error);
  heft_builder_destroy(b);
  return status;
}

static void test_compiled_form_keeps_everything(void** state) {
  (void)state;
  HeftError error = {0};
  Parts p = parts_make();
  HeftModel *model = NULL, *loaded = NULL;
  assert_int_equal(parts_build(&p, &model, &error), HEFT_OK);
  assert_int_equal(model->nhull, 4);
  assert_int_equal(model->nwrap, 3);
  assert_true(model->height_field_size[2] == 0.3);
  assert_string_equal(model->names + model->texture_file[0], "textures/wood.png");
  assert_int_equal(heft_model_find(model, HEFT_NAMED_APPEARANCE, "desk"), 0);
  const size_t size = heft_model_save_size(model);
  void* bytes = malloc(size);
  heft_model_save(model, bytes);
  assert_int_equal(heft_model_load(&loaded, bytes, size, NULL, &error), HEFT_OK);
  assert_true(heft_model_hash(model) == heft_model_hash(loaded));
  free(bytes);
  heft_model_destroy(loaded);
  heft_model_destroy(model);
}

static void expect_refused(Parts* p, const char* part_of_message) {
  HeftError error = {0};
  HeftModel* model = NULL;
  assert_int_not_equal(parts_build(p, &model, &error), HEFT_OK);
  assert_null(model);
  if (!strstr(error.message, part_of_message))
    fail_msg("'%s' does not hold '%s'", error.message, part_of_message);
}

#define REFUSED(change, text) \
  do {                        \
    Parts p = parts_make();   \
    change;                   \
    expect_refused(&p, text); \
  } while (0)

static void test_nonsense_is_refused(void** state) {
  (void)state;
  static const int wild[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 4}};
  REFUSED(p.mesh.hull = wild[0], "vertex 4 of 4");
  REFUSED(p.field.rows = 1, "at least 2");
  REFUSED(p.pair.shape[0] = 9, "a shape does not exist");
  REFUSED(p.pair.contact_dim = 2, "contact dimension 2");
  REFUSED(p.exclude.body[1] = 3, "a body does not exist");
  REFUSED(p.equality.object[1] = 0, "two different");
  REFUSED(p.wraps[0].object = 7, "site 7 does not exist");
  REFUSED(p.wraps[0].type = HEFT_WRAP_SHAPE, "between two sites");
  REFUSED(p.wraps[1].type = HEFT_WRAP_JOINT, "do not go together");
  REFUSED(p.wraps[1].type = HEFT_WRAP_PULLEY, "divides by 0");
  REFUSED(p.tendon.wrap_count = 0, "passes nothing");
  REFUSED(p.tendon.stiffness = -1, "must be 0 or more");
  REFUSED(p.actuator.target = 1, "target 1 does not exist");
  REFUSED(p.actuator.reference = 0, "reference site");
  REFUSED(p.actuator.transmission = HEFT_TRANSMISSION_SLIDER_CRANK, "reference site -1");
  REFUSED(p.sensor.object = 1, "object 1 does not exist");
  REFUSED(p.sensor.reference = 2, "reference does not exist");
  REFUSED(p.camera.fov = 0, "opening angle");
  REFUSED(p.light.target = 3, "target");
}

// The same content has the same hash, in whatever order the kinds were added.
static void test_hash_does_not_depend_on_the_order_of_kinds(void** state) {
  (void)state;
  uint64_t hash[2];
  for (int turn = 0; turn < 2; ++turn) {
    HeftBuilder* b = NULL;
    HeftModel* model = NULL;
    assert_int_equal(heft_builder_create(&b, NULL, NULL), HEFT_OK);
    HeftSiteDef site = heft_site_def_default();
    site.name = "a";
    HeftShapeDef shape = heft_shape_def_default();
    shape.name = "bcd";
    shape.size[0] = 1;
    if (turn == 0) heft_builder_add_site(b, &site);
    heft_builder_add_shape(b, &shape);
    if (turn == 1) heft_builder_add_site(b, &site);
    assert_int_equal(heft_builder_finish(b, &model, NULL), HEFT_OK);
    hash[turn] = heft_model_hash(model);
    heft_model_destroy(model);
    heft_builder_destroy(b);
  }
  assert_true(hash[0] == hash[1]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_compiled_form_keeps_everything),
      cmocka_unit_test(test_nonsense_is_refused),
      cmocka_unit_test(test_hash_does_not_depend_on_the_order_of_kinds),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
