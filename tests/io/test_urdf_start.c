// SPDX-License-Identifier: Apache-2.0
// A robot as it comes: where it stands, its servos and keyframes, pairs that do not collide, meshes
// that are missing, converted or have materials. All files are in memory.
#include <heft/heft.h>
#include <heft/io.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/check.h"

typedef struct Files {
  const char* name[8];
  const char* text[8];
  char warnings[4000];
  int warning_count, file_warnings;
} Files;

static HeftStatus give(void* user, const char* path, size_t limit, const HeftAllocator* allocator,
                       void** out, size_t* size, HeftError* error) {
  const Files* f = user;
  (void)limit;
  for (int i = 0; i < 8 && f->name[i]; ++i) {
    if (strcmp(path, f->name[i]) != 0) continue;
    *size = strlen(f->text[i]);
    *out = allocator->allocate(allocator->user, *size + 1, 64);
    memcpy(*out, f->text[i], *size + 1);
    return HEFT_OK;
  }
  snprintf(error->message, sizeof error->message, "there is no file '%s'", path);
  return error->status = HEFT_ERR_FILE;
}

static HeftStatus convert(void* user, const char* path, char* out, size_t size, HeftError* error) {
  (void)user;
  if (strstr(path, "broken")) {
    snprintf(error->message, sizeof error->message, "it has no triangles");
    return HEFT_ERR_FILE;
  }
  snprintf(out, size, "cache/%.*s.obj", (int)(strrchr(path, '.') - path), path);
  return HEFT_OK;
}

static void listen(void* user, const HeftError* error, int count) {
  Files* f = user;
  const size_t used = strlen(f->warnings);
  snprintf(f->warnings + used, sizeof f->warnings - used, "%s (%d)\n", error->message, count);
  ++f->warning_count;
  f->file_warnings += error->status == HEFT_ERR_FILE;
}

static HeftLoadDef def_of(Files* f, HeftFiles* files) {
  HeftLoadDef def = heft_load_def_default();
  *files = (HeftFiles){give, f};
  def.files = files;
  def.warning = listen;
  def.user = f;
  return def;
}

static HeftModel* load(const char* text, const HeftLoadDef* def) {
  HeftModel* m = NULL;
  HeftError error = {0};
  if (heft_model_load_bytes(&m, text, strlen(text), "robot.urdf", def, &error) != HEFT_OK)
    fail_msg("%d:%d: %s", error.line, error.column, error.message);
  return m;
}

static void expect_mistake(const char* text, const HeftLoadDef* def, const char* part) {
  HeftModel* m = NULL;
  HeftError error = {0};
  assert_int_not_equal(heft_model_load_bytes(&m, text, strlen(text), "robot.urdf", def, &error),
                       HEFT_OK);
  if (!strstr(error.message, part)) fail_msg("'%s' lacks '%s'", error.message, part);
}

static void expect_warning(const Files* f, const char* part) {
  if (!strstr(f->warnings, part)) fail_msg("'%s' lacks '%s'", f->warnings, part);
}

#define INERTIA "<inertial><mass value='2'/><inertia ixx='1' iyy='1' izz='1'/></inertial>"
#define SHAPE(pose, shape) "<collision><origin " pose "/><geometry>" shape "</geometry></collision>"
#define ONE_LINK(shapes) "<robot name='r'><link name='base'>" INERTIA shapes "</link></robot>"

// ---- names that the reader does not know

static void names_that_are_not_known_are_reported(void** state) {
  (void)state;
  Files f = {0};
  HeftFiles files;
  const HeftLoadDef def = def_of(&f, &files);
  HeftModel* m = load(
      "<robot name='r' xmlns:xacro='x'><heft decompose='0.01'/><link name='base' colour='red'>"
      "<inertial><mass value='2' unit='kg'/><inertia ixx='1' iyy='1' izz='1'/></inertial>"
      "<collision name='c'><geometry><sphere radius='1'/></geometry><verbose value='yes'>"
      "<deep within='it'/></verbose><heft frikcion='0.5'/></collision></link>"
      "<gazebo><link odd='1'/></gazebo></robot>",
      &def);
  heft_model_destroy(m);
  expect_warning(&f, "the attribute 'colour' of <link> is skipped; these exist: name, type");
  expect_warning(&f, "the attribute 'unit' of <mass> is skipped");
  expect_warning(&f, "'frikcion' of <heft> is skipped; did you mean 'friction'?");
  expect_warning(&f, "<verbose> in <collision> is skipped");
  expect_warning(&f, "<gazebo> in <robot> is skipped");
  assert_null(strstr(f.warnings, "deep"));       // belongs to what is skipped
  assert_null(strstr(f.warnings, "odd"));        // the same
  assert_null(strstr(f.warnings, "xacro"));      // another namespace
  assert_null(strstr(f.warnings, "<heft> in"));  // is read
}

// ---- height

static double base_height(const char* robot, double height) {
  Files f = {
      .name = {"cube.obj"},
      .text = {
          "v -1 -1 -1\nv 1 -1 -1\nv -1 1 -1\nv -1 -1 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"}};
  HeftFiles files;
  HeftLoadDef def = def_of(&f, &files);
  def.base = HEFT_BASE_FLOATING;
  def.urdf_place = true;
  def.urdf_height = height;
  HeftModel* m = load(robot, &def);
  assert_int_equal(m->nkey, 1);
  assert_string_equal(heft_model_name(m, HEFT_NAMED_KEY, 0), "home");
  const double z = m->key_q[2];
  assert_true(fabs(z - m->q_default[2]) < 1e-12);
  heft_model_destroy(m);
  return z;
}

static void the_lowest_point_of_every_shape_is_at_the_height(void** state) {
  (void)state;
  const double root = sqrt(0.5);
  const struct {
    const char* robot;
    double depth;
  } cases[] = {
      {ONE_LINK(SHAPE("xyz='5 0 -2'", "<sphere radius='0.5'/>")), 2.5},
      {ONE_LINK(SHAPE("xyz='0 0 1' rpy='0.785398163397448 0 0'", "<box size='1 1 1'/>")), root - 1},
      {ONE_LINK(SHAPE("rpy='0.785398163397448 0 0'", "<cylinder radius='0.2' length='2'/>")),
       root * 1.2},
      {ONE_LINK(SHAPE("rpy='0.785398163397448 0 0'", "<capsule radius='0.2' length='2'/>")),
       root + 0.2},
      {ONE_LINK(SHAPE("xyz='0 0 3' rpy='3.14159265358979 0 0'",
                      "<mesh filename='cube.obj' scale='1 1 2'/>")),
       -1},
      {ONE_LINK(SHAPE("xyz='0 0 -1'",
                      "<sphere radius='1'/>") "<visual><origin xyz='0 0 -9'/><geometry><sphere "
                                              "radius='1'/></geometry></visual>"),
       2},
      {ONE_LINK("<visual><origin xyz='0 0 -9'/><geometry><sphere radius='1'/></geometry></visual>"),
       10},
      {ONE_LINK(""), 0},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    for (int k = 0; k < 2; ++k) {
      const double height = 0.25 * k, z = base_height(cases[i].robot, height);
      if (fabs(z - height - cases[i].depth) > 1e-9)
        fail_msg("case %d: the base is at %.12g, expected %.12g", (int)i, z,
                 height + cases[i].depth);
    }
  }
}

// ---- an arm on a floor

#define ARM(limit) \
  "<robot name='r'><link name='base'>" SHAPE("xyz='0 0 -0.5'", "<box size='1 1 1'/>")     \
  "</link><link name='arm'><inertial><origin xyz='0.5 0 0'/><mass value='2'/>"            \
  "<inertia ixx='0.1' iyy='0.1' izz='0.1'/></inertial>"                                   \
  SHAPE("xyz='0.5 0 0'", "<box size='1 0.1 0.1'/>") "</link>"                             \
  "<link name='hand'>" INERTIA SHAPE("xyz='0 0 0'", "<sphere radius='0.1'/>") "</link>"   \
  "<joint name='shoulder' type='revolute'><origin xyz='0 0 0.5'/><parent link='base'/>"   \
  "<child link='arm'/><axis xyz='0 1 0'/>" limit "</joint>"                               \
  "<joint name='wrist' type='continuous'><origin xyz='1 0 0'/><parent link='arm'/>"       \
  "<child link='hand'/><axis xyz='1 0 0'/></joint></robot>"

static void a_fixed_robot_stands_on_the_floor_and_holds_its_pose(void** state) {
  (void)state;
  Files f = {.warning_count = 0};
  HeftFiles files;
  HeftLoadDef def = def_of(&f, &files);
  def.urdf_floor = true;
  def.urdf_servos = HEFT_URDF_SERVOS_BY_EFFORT;
  HeftModel* m = load(ARM("<limit lower='0.3' upper='1' effort='200'/>"), &def);
  assert_int_equal(m->nactuator, 2);
  assert_true(fabs(m->body_pos[3 * heft_model_find(m, HEFT_NAMED_BODY, "base") + 2] - 1) < 1e-12);
  const int floor = heft_model_find(m, HEFT_NAMED_SHAPE, "floor");
  assert_true(floor >= 0 && m->shape_type[floor] == HEFT_SHAPE_PLANE);
  const int servo = heft_model_find(m, HEFT_NAMED_ACTUATOR, "shoulder");
  assert_true(fabs(m->actuator_gain[servo] - 200 / 0.02) < 1e-9);
  assert_true(fabs(m->key_q[0] - 0.3) < 1e-15 && fabs(m->key_control[servo] - 0.3) < 1e-15);
  expect_warning(&f, "joint 'wrist' has no effort limit");
  HeftWorld* w = NULL;
  assert_int_equal(heft_world_create(&w, m, NULL, NULL), HEFT_OK);
  assert_int_equal(heft_world_set_key(w, 0), HEFT_OK);
  assert_true(heft_world_controls(w)[servo] == m->key_control[servo]);
  for (int i = 0; i < 1000; ++i) heft_world_step(w);
  assert_true(fabs(heft_world_state(w)->q[0] - 0.3) < 0.01);
  heft_world_destroy(w);
  heft_model_destroy(m);
}

static void gains_of_the_user_count(void** state) {
  (void)state;
  Files f = {.warning_count = 0};
  HeftFiles files;
  HeftLoadDef def = def_of(&f, &files);
  def.urdf_servos = HEFT_URDF_SERVOS_BY_GAINS;
  def.urdf_gains[0] = 50;
  def.urdf_gains[1] = 5;
  HeftModel* m = load(ARM("<limit lower='-1' upper='1' effort='20'/>"), &def);
  for (int a = 0; a < 2; ++a)
    assert_true(m->actuator_gain[a] == 50 && m->actuator_bias[3 * a + 1] == -50 &&
                m->actuator_bias[3 * a + 2] == -5);
  assert_true(m->joint_force_limited[0] == 1 && m->key_q[0] == 0);
  heft_model_destroy(m);
  def.urdf_gains[1] = -1;
  expect_mistake(ARM(""), &def, "urdf_gains");
}

static void settings_of_urdf_are_reported_for_other_files(void** state) {
  (void)state;
  Files f = {.warning_count = 0};
  HeftFiles files;
  HeftLoadDef def = def_of(&f, &files);
  def.urdf_floor = true;
  HeftModel* m = load("<mujoco><worldbody/></mujoco>", &def);
  expect_warning(&f, "are for URDF files");
  heft_model_destroy(m);
}

// ---- SRDF

static void states_become_keyframes_and_pairs_do_not_collide(void** state) {
  (void)state;
  Files f = {
      .name = {"r.srdf"},
      .text = {
          "<robot name='r'><virtual_joint name='v'/>"
          "<group_state name='bent' group='a'><joint name='shoulder' value='0.5'/></group_state>"
          "<group_state name='bent' group='b'><joint name='wrist' value='2'/></group_state>"
          "<disable_collisions link1='base' link2='hand' reason='Never'/></robot>"}};
  HeftFiles files;
  HeftLoadDef def = def_of(&f, &files);
  def.base = HEFT_BASE_FLOATING;
  def.srdf = "r.srdf";
  def.urdf_floor = true;
  def.urdf_servos = HEFT_URDF_SERVOS_BY_EFFORT;
  HeftModel* m = load(ARM("<limit lower='-2' upper='2' effort='20'/>"), &def);
  assert_int_equal(m->nkey, 2);
  assert_int_equal(m->nexclude, 1);
  const int key = heft_model_find(m, HEFT_NAMED_KEY, "bent");
  const double *q = m->key_q + (long)key * m->nq, *control = m->key_control + 2L * key;
  assert_true(q[7] == 0.5 && q[8] == 2 && control[0] == 0.5 && control[1] == 2);
  heft_model_destroy(m);
  f.text[0] =
      "<robot name='r'><group_state name='x'><joint name='sholder' "
      "value='1'/></group_state></robot>";
  expect_mistake(ARM(""), &def, "no joint named 'sholder'; did you mean 'shoulder'?");
  f.text[0] = "<robot name='r'><disable_collisions link1='base' link2='hnad'/></robot>";
  expect_mistake(ARM(""), &def, "no link named 'hnad'; did you mean 'hand'?");
}

static void excluded_links_must_exist(void** state) {
  (void)state;
  Files f = {.warning_count = 0};
  HeftFiles files;
  HeftLoadDef def = def_of(&f, &files);
  const HeftLinkPair pairs[] = {{{"base", "hand"}}, {{"base", "paw"}}};
  def.urdf_excludes = pairs;
  def.urdf_exclude_count = 1;
  HeftModel* m = load(ARM(""), &def);
  assert_int_equal(m->nexclude, 1);
  heft_model_destroy(m);
  def.urdf_exclude_count = 2;
  expect_mistake(ARM(""), &def, "no link named 'paw'");
}

// ---- overlaps

#define BOXES(kind) "<" kind "><geometry><box size='1 1 1'/></geometry></" kind ">"
#define LINK(name) "<link name='" name "'>" INERTIA BOXES("visual") BOXES("collision") "</link>"
#define ENDS(name) "<parent link='world'/><child link='" name "'/>"
#define TO(name) "<joint name='to_" name "' type='floating'>" ENDS(name) "</joint>"
#define TWO_BOXES \
  "<robot name='r'><link name='world'/>" LINK("a") LINK("b") TO("a") TO("b") "</robot>"

typedef struct Seen {
  int calls, excluded, pairs;
} Seen;

static void see(void* user, const HeftModel* model, const HeftOverlap* pairs,
                const HeftOverlapCounts* counts, bool excluded) {
  Seen* seen = user;
  ++seen->calls;
  seen->excluded += excluded;
  seen->pairs += counts->count;
  if (counts->count == 0) return;
  assert_true(counts->looked && pairs[0].depth > 0.9);
  assert_string_equal(heft_model_name(model, HEFT_NAMED_BODY, pairs[0].body[0]), "a");
}

static void links_that_overlap_are_reported_or_excluded(void** state) {
  (void)state;
  Files f = {.warning_count = 0};
  HeftFiles files;
  HeftLoadDef def = def_of(&f, &files);
  HeftModel* m = load(TWO_BOXES, &def);
  expect_warning(&f, "1 pair of bodies overlaps at the start");
  assert_int_equal(m->nexclude, 0);
  heft_model_destroy(m);
  def.strict = true;
  expect_mistake(TWO_BOXES, &def, "1 pair of bodies overlaps at the start");
  def.urdf_overlaps = HEFT_URDF_OVERLAPS_EXCLUDE;
  m = load(TWO_BOXES, &def);
  assert_int_equal(m->nexclude, 1);
  heft_model_destroy(m);
  def.urdf_overlaps = HEFT_URDF_OVERLAPS_ALLOW;
  heft_model_destroy(load(TWO_BOXES, &def));
  Seen seen = {0};
  def.urdf_overlaps = HEFT_URDF_OVERLAPS_EXCLUDE;
  def.overlaps = see;
  def.user = &seen;
  def.warning = NULL;
  heft_model_destroy(load(TWO_BOXES, &def));
  assert_true(seen.calls == 2 && seen.excluded == 1 && seen.pairs == 1);
}

// ---- meshes

#define SEEN(file) "<visual><geometry><mesh filename='" file "'/></geometry></visual>"
#define BOX SHAPE("xyz='0 0 0'", "<box size='1 1 1'/>")

static void a_missing_visual_is_replaced_by_collision_shapes(void** state) {
  (void)state;
  static const char* const robots[] = {
      ONE_LINK(SEEN("gone.stl") BOX), ONE_LINK(SEEN("package://nowhere/x.stl") BOX),
      ONE_LINK(SEEN("bad.obj") BOX), ONE_LINK(SEEN("x.fbx") BOX), ONE_LINK(SEEN("broken.dae") BOX)};
  for (size_t i = 0; i < sizeof robots / sizeof *robots; ++i) {
    Files f = {.name = {"bad.obj", "x.fbx"}, .text = {"v 0 0\n", ""}};
    HeftFiles files;
    HeftLoadDef def = def_of(&f, &files);
    def.convert = convert;
    HeftModel* m = load(robots[i], &def);
    assert_int_equal(m->nshape, 1);
    assert_int_equal(m->shape_group[0], 2);
    expect_warning(&f, "is drawn by its collision shapes");
    assert_true(f.file_warnings >= 2);
    heft_model_destroy(m);
    def.strict = true;
    expect_mistake(robots[i], &def, "because of strict");
  }
  Files f = {.warning_count = 0};
  HeftFiles files;
  const HeftLoadDef def = def_of(&f, &files);
  expect_mistake(ONE_LINK(SHAPE("xyz='0 0 0'", "<mesh filename='gone.stl'/>")), &def, "no file");
  HeftModel* m = load(ONE_LINK(BOX SEEN("gone.stl") SEEN("gone.stl")), &def);
  expect_warning(&f, "left out (2)");
  heft_model_destroy(m);
}

static const char painted[] =
    "mtllib paint.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nvt 0 0\nvt 1 1\nusemtl red\n"
    "f 1/1 3/2 2/1\nusemtl glass\nf 1 2 4\nusemtl red\nf 1/1 4/1 3/2\nf 2/1 3/1 4/2\n";

static void materials_of_a_mesh_become_parts(void** state) {
  (void)state;
  Files f = {.name = {"a.obj", "paint.mtl"},
             .text = {painted,
                      "newmtl red\nKd 1 0.25 0\nmap_Kd skin.png\nnewmtl glass\nKd 0 0 1\nd 0.5\n"}};
  HeftFiles files;
  const HeftLoadDef def = def_of(&f, &files);
  HeftModel* m =
      load(ONE_LINK(SEEN("a.obj") SHAPE("xyz='0 0 0'", "<mesh filename='a.obj'/>")), &def);
  assert_int_equal(m->nshape, 3);
  assert_int_equal(m->nmesh, 3);
  assert_int_equal(m->mesh_face_count[m->shape_mesh[0]], 3);
  assert_int_equal(m->mesh_face_count[m->shape_mesh[1]], 1);
  assert_int_equal(m->mesh_face_count[m->shape_mesh[2]], 4);
  assert_int_equal(m->mesh_vertex_count[m->shape_mesh[1]], 3);
  assert_true(m->shape_color[4 + 2] == 1 && m->shape_color[4 + 3] == 0.5);
  assert_int_equal(m->ntexture, 1);
  assert_string_equal(m->names + m->texture_file[0], "skin.png");
  assert_true(m->shape_appearance[0] >= 0 && m->shape_appearance[1] < 0);
  assert_int_equal(f.file_warnings, 0);
  heft_model_destroy(m);
  f.text[1] = NULL;
  f.name[1] = NULL;  // without its materials the mesh has the colour of the link
  m = load(ONE_LINK("<visual><geometry><mesh filename='a.obj'/></geometry><material name='m'>"
                    "<color rgba='0 1 0 1'/></material></visual>"),
           &def);
  assert_int_equal(m->nshape, 1);
  assert_true(m->shape_color[1] == 1 && m->shape_color[0] == 0);
  expect_warning(&f, "names materials in 'paint.mtl'");
  heft_model_destroy(m);
}

static void textures_of_links_are_kept(void** state) {
  (void)state;
  Files f = {.warning_count = 0};
  HeftFiles files;
  const HeftLoadDef def = def_of(&f, &files);
#define TEXTURED(file)                                                      \
  ONE_LINK(                                                                 \
      "<visual><geometry><box size='1 1 1'/></geometry><material name='m'>" \
      "<texture filename='" file "'/></material></visual>")
  HeftModel* m = load(TEXTURED("wood.png"), &def);
  assert_int_equal(m->ntexture, 1);
  assert_true(m->shape_appearance[0] >= 0);
  heft_model_destroy(m);
  m = load(TEXTURED("wood.jpg"), &def);
  assert_int_equal(m->ntexture, 0);
  expect_warning(&f, "'wood.jpg': textures are shown from PNG files; convert it to 'wood.png'");
  heft_model_destroy(m);
  f.name[0] = "wood.png";
  f.text[0] = "an image";
  m = load(TEXTURED("wood.jpg"), &def);
  assert_int_equal(m->ntexture, 1);
  assert_string_equal(m->names + m->texture_file[0], "wood.png");
  heft_model_destroy(m);
}

// The centre of mass lies along y in the link; the file, with y up, has it along -z.
static void meshes_with_y_up_are_turned_if_the_masses_say_so(void** state) {
  (void)state;
#define LONG \
  "<inertial><origin xyz='0 %s'/><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial>"
  static const char along_z[] =
      "# up_axis Y_UP\nv 0 0 0\nv 0.1 0 0\nv 0 0.1 0\nv 0 0 -2\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 "
      "4\n";
  static const char* const centre[] = {"1 0", "0 -1"};
  for (int turned = 0; turned < 2; ++turned) {
    Files f = {.name = {"cache/leg.obj"}, .text = {along_z}};
    HeftFiles files;
    char robot[1000];
    HeftLoadDef def = def_of(&f, &files);
    def.convert = convert;
    snprintf(robot, sizeof robot, "<robot name='r'><link name='leg'>" LONG "%s</link></robot>",
             centre[!turned], SEEN("leg.gltf"));
    HeftModel* m = load(robot, &def);
    double low[3] = {0, 0, 0}, high[3] = {0, 0, 0};
    for (int i = 0; i < m->nvertex; ++i) {
      for (int k = 0; k < 3; ++k) {
        low[k] = fmin(low[k], m->vertex_pos[3 * i + k]);
        high[k] = fmax(high[k], m->vertex_pos[3 * i + k]);
      }
    }
    assert_true(turned ? high[1] == 2 && low[2] == 0 : high[1] < 0.2 && low[2] == -2);
    if (turned) expect_warning(&f, "are turned to z up");
    heft_model_destroy(m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(names_that_are_not_known_are_reported),
      cmocka_unit_test(the_lowest_point_of_every_shape_is_at_the_height),
      cmocka_unit_test(a_fixed_robot_stands_on_the_floor_and_holds_its_pose),
      cmocka_unit_test(gains_of_the_user_count),
      cmocka_unit_test(settings_of_urdf_are_reported_for_other_files),
      cmocka_unit_test(states_become_keyframes_and_pairs_do_not_collide),
      cmocka_unit_test(excluded_links_must_exist),
      cmocka_unit_test(links_that_overlap_are_reported_or_excluded),
      cmocka_unit_test(a_missing_visual_is_replaced_by_collision_shapes),
      cmocka_unit_test(materials_of_a_mesh_become_parts),
      cmocka_unit_test(textures_of_links_are_kept),
      cmocka_unit_test(meshes_with_y_up_are_turned_if_the_masses_say_so),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
