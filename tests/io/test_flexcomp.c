// SPDX-License-Identifier: Apache-2.0
// <flexcomp> of MJCF becomes a deformable body: vertices with the numbers of MuJoCo, pins,
// material, mass; what Heft does not have is told or refused.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <heft/io.h>

#include "support/check.h"

typedef struct Told {
  char text[2000];
  int count;
} Told;

static void tell(void* user, const HeftError* error, int count) {
  Told* told = user;
  (void)count;
  const size_t used = strlen(told->text);
  snprintf(told->text + used, sizeof told->text - used, "%s\n", error->message);
  ++told->count;
}

static HeftModel* load(const char* inside, Told* told, HeftError* error) {
  char text[4000];
  HeftModel* m = NULL;
  HeftLoadDef def = heft_load_def_default();
  *told = (Told){.count = 0};
  def.warning = tell;
  def.user = told;
  snprintf(text, sizeof text, "<mujoco><worldbody>%s</worldbody></mujoco>", inside);
  const HeftStatus status = heft_model_load_bytes(&m, text, strlen(text), "x.xml", &def, error);
  assert_true((status == HEFT_OK) == (m != NULL));
  return m;
}

static HeftModel* load_well(const char* inside, Told* told) {
  HeftError error = {0};
  HeftModel* m = load(inside, told, &error);
  if (!m) fail_msg("%d: %s", error.line, error.message);
  return m;
}

#define ELASTIC "<elasticity young='2e4' poisson='0.3' damping='0.01'/>"

static double total_mass(const HeftModel* m) {
  double sum = 0;
  for (int b = 1; b < m->nbody; ++b) sum += m->body_mass[b];
  return sum;
}

static void a_grid_has_the_numbers_of_mujoco(void** state) {
  (void)state;
  Told told;
  HeftModel* m = load_well(
      "<geom type='plane' size='0 0 1'/><body name='a' pos='0 0 1'>"
      "<flexcomp name='pad' type='grid' dim='3' count='3 4 2' spacing='.1 .2 .3' pos='1 0 0' "
      "mass='2' radius='.01' rgba='1 .5 0 1'>" ELASTIC
      "<contact condim='4' friction='0.7'/><pin id='0 5' gridrange='2 3 0 2 3 1'/></flexcomp>"
      "</body><body name='b'><freejoint/><geom size='.1'/></body>",
      &told);
  assert_int_equal(told.count, 0);
  assert_int_equal(m->ndeformable, 1);
  assert_int_equal(m->nnode, 24);
  assert_int_equal(m->ntetrahedron, 6 * 2 * 3);
  assert_int_equal(m->nbody, 3 + 24);  // the bodies of the file come first
  assert_int_equal(m->nv, 6 + 3 * (24 - 4));
  assert_true(m->deformable_young[0] == 2e4 && m->deformable_poisson[0] == 0.3 &&
              m->deformable_damping[0] == 0.01 && m->deformable_color[1] == 0.5);
  assert_true(fabs(total_mass(m) - m->body_mass[2] - 2) < 1e-12);
  // vertex (x, y, z) is number (x * 4 + y) * 2 + z
  const int body = m->node_body[(1 * 4 + 3) * 2 + 1];
  assert_string_equal(heft_model_name(m, HEFT_NAMED_BODY, body), "pad_15");
  assert_true(fabs(m->body_pos[3 * body] - 1) < 1e-12);
  assert_true(fabs(m->body_pos[3 * body + 1] - 0.3) < 1e-12);
  assert_true(fabs(m->body_pos[3 * body + 2] - 1.15) < 1e-12);
  static const int pins[] = {0, 5, 22, 23};
  for (int n = 0, k = 0; n < 24; ++n) {
    const int pinned = k < 4 && pins[k] == n;
    k += pinned;
    assert_int_equal(m->body_joint_count[m->node_body[n]], pinned ? 0 : 3);
  }
  int shape = 0;
  while (m->shape_body[shape] != m->node_body[1]) ++shape;
  assert_true(m->shape_size[3 * shape] == 0.01 && m->shape_contact_dim[shape] == 4);
  assert_true(m->material_friction[m->shape_material[shape]] == 0.7);
  heft_model_destroy(m);
}

static double volume(const HeftModel* m) {
  double sum = 0;
  for (int t = 0; t < m->ntetrahedron; ++t) {
    HeftVec3 p[4];
    for (int k = 0; k < 4; ++k)
      p[k] = heft_vec3_from(m->node_rest + 3L * m->tetrahedron_node[4 * t + k]);
    sum += heft_vec3_dot(heft_vec3_sub(p[1], p[0]),
                         heft_vec3_cross(heft_vec3_sub(p[2], p[0]), heft_vec3_sub(p[3], p[0]))) /
           6;
  }
  return sum;
}

static void shells_fill_their_shapes(void** state) {
  (void)state;
  static const struct {
    const char* type;
    double volume, tolerance;
  } cases[] = {{"box", 0.4 * 0.4 * 0.4, 1e-12},
               {"cylinder", HEFT_PI * 0.2 * 0.2 * 0.4, 0.06},
               {"ellipsoid", 4 * HEFT_PI / 3 * 0.008, 0.12}};
  for (int i = 0; i < 3; ++i) {
    char text[500];
    Told told;
    snprintf(text, sizeof text,
             "<flexcomp name='f' type='%s' count='5 5 5' spacing='.1 .1 .1'>" ELASTIC "</flexcomp>",
             cases[i].type);
    HeftModel* m = load_well(text, &told);
    assert_int_equal(told.count, 0);
    assert_int_equal(m->nnode, 1 + 125 - 27);
    assert_int_equal(m->ntetrahedron, 6 * 16 * 2);
    assert_true(fabs(volume(m) / cases[i].volume - 1) < cases[i].tolerance);
    // the first corner of the lattice is vertex 1, the next one along y is vertex 2
    const double step = m->node_rest[3 * 2 + 1] - m->node_rest[3 * 1 + 1];
    if (i == 0) assert_true(fabs(step - 0.1) < 1e-12);
    heft_model_destroy(m);
  }
}

static void direct_meshes_leave_out_vertices(void** state) {
  (void)state;
  Told told;
  HeftModel* m = load_well(
      "<flexcomp name='f' type='direct' dim='3' scale='2 1 1' point='9 9 9 0 0 0 1 0 0 0 1 0 0 0 "
      "1' "
      "element='1 2 4 3'><plugin plugin='mujoco.elasticity.solid'><config key='young' "
      "value='1e3'/><config key='poisson' value='0.2'/></plugin><pin id='0 2'/></flexcomp>",
      &told);
  assert_int_equal(told.count, 0);
  assert_int_equal(m->nnode, 4);
  assert_true(m->node_rest[3] == 2 && m->deformable_young[0] == 1e3);
  assert_int_equal(m->body_joint_count[m->node_body[1]], 0);
  assert_int_equal(m->nv, 9);
  heft_model_destroy(m);
}

// A file of a tetrahedron of side 1; its surface is filled.
static HeftStatus read_corner(void* user, const char* path, size_t limit,
                              const HeftAllocator* allocator, void** out, size_t* size,
                              HeftError* error) {
  static const char text[] =
      "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
  (void)user, (void)path, (void)limit, (void)error;
  *size = sizeof text - 1;
  *out = allocator->allocate(allocator->user, sizeof text, 64);
  if (*out) memcpy(*out, text, sizeof text);
  return *out ? HEFT_OK : HEFT_ERR_MEMORY;
}

static HeftStatus load_filled(const char* spacing, HeftModel** m, HeftError* error) {
  static const HeftFiles files = {read_corner, NULL};
  char text[500];
  HeftLoadDef def = heft_load_def_default();
  def.files = &files;
  snprintf(text, sizeof text,
           "<mujoco><custom><numeric name='heft_fill_f' data='%s'/></custom><worldbody><flexcomp "
           "name='f' type='mesh' dim='3' file='a.obj'>" ELASTIC "</flexcomp></worldbody></mujoco>",
           spacing);
  *m = NULL;
  return heft_model_load_bytes(m, text, strlen(text), "x.xml", &def, error);
}

static void surfaces_are_filled(void** state) {
  (void)state;
  HeftModel* m;
  HeftError error = {0};
  if (load_filled("0.1", &m, &error) != HEFT_OK) fail_msg("%s", error.message);
  assert_true(m->ntetrahedron > 500);
  assert_true(fabs(6 * volume(m) - 1) < 0.06);
  heft_model_destroy(m);
  assert_int_equal(load_filled("0.001", &m, &error), HEFT_ERR_LIMIT);
  assert_int_equal(load_filled("0", &m, &error), HEFT_ERR_VALUE);
  assert_non_null(strstr(error.message, "the spacing is 0"));
}

// A link holds the pinned vertices, where it is in the file.
static void pins_hold_to_links(void** state) {
  (void)state;
  Told told;
  HeftModel* m = load_well(
      "<body name='arm' pos='1 0 0' euler='0 0 90'><joint/><geom size='.1'/><body name='foot' "
      "pos='1 0 0'><flexcomp name='sole' dim='3' count='2 2 2'>" ELASTIC
      "<pin gridrange='0 0 1 1 1 1'/></flexcomp></body></body>",
      &told);
  assert_int_equal(told.count, 0);
  assert_int_equal(m->nv, 1 + 12);
  for (int n = 0; n < 8; ++n) {
    const int parent = m->body_parent[m->node_body[n]];
    assert_string_equal(heft_model_name(m, HEFT_NAMED_BODY, parent), n & 1 ? "foot" : "world");
    if (!(n & 1)) assert_true(fabs(m->body_pos[3 * m->node_body[n] + 1] - 1) < 0.011);
  }
  heft_model_destroy(m);
}

static void strange_ones_are_told(void** state) {
  (void)state;
  static const struct {
    const char *text, *message;
    int refused;
  } cases[] = {
      {"<flexcomp name='f' count='3 3 1'/>", "it is a rope or a cloth", 0},
      {"<flexcomp name='f' type='disc' count='3 3 1'/>", "it is a rope or a cloth", 0},
      {"<flexcomp name='f' dim='3' count='2 2 2'/>", "no <elasticity young>", 0},
      {"<flexcomp name='f' dim='3' count='2 2 2' rigid='true'>" ELASTIC "</flexcomp>", "is rigid",
       0},
      {"<flexcomp name='f' dim='3' count='2 2 2' dof='radial'>" ELASTIC "</flexcomp>",
       "read as full", 0},
      {"<flexcomp name='f' dim='3' count='2 2 2'>" ELASTIC
       "<contact selfcollide='bvh'/></flexcomp>",
       "touches itself", 0},
      {"<flexcomp name='f' dim='3' count='2 2 2'><strange/>" ELASTIC "</flexcomp>",
       "<strange> in <flexcomp> is skipped", 0},
      {"<flexcomp dim='3' count='2 2 2'>" ELASTIC "</flexcomp>", "needs a name", 1},
      {"<flexcomp name='f' dim='3' count='2 2 1'>" ELASTIC "</flexcomp>",
       "<flexcomp count>: 1 was found", 1},
      {"<flexcomp name='f' dim='3' count='2000 2000 2000'>" ELASTIC "</flexcomp>",
       "raise the limit bodies", 1},
      {"<flexcomp name='f' dim='3' count='2 2 2' spacing='0 1 1'>" ELASTIC "</flexcomp>",
       "<flexcomp spacing>: 0 was found", 1},
      {"<flexcomp name='f' dim='3' count='2 2 2'>" ELASTIC "<pin id='8'/></flexcomp>",
       "<pin id>: 8 was found, expected a whole number from 0 to 7", 1},
      {"<flexcomp name='f' dim='3' count='2 2 2'>" ELASTIC "<pin grid='0 0'/></flexcomp>",
       "expected groups of 3", 1},
      {"<flexcomp name='f' type='box' count='2 2 2'>" ELASTIC "<pin grid='0 0 0'/></flexcomp>",
       "use id or range", 1},
      {"<flexcomp name='f' dim='3' count='2 2 2'><elasticity young='1' poisson='.5'/></flexcomp>",
       "Poisson's ratio is 0.5", 1},
      {"<flexcomp name='f' dim='3' type='direct' point='0 0 0'>" ELASTIC "</flexcomp>",
       "needs the attribute 'element'", 1},
      {"<flexcomp name='f' dim='3' type='direct' point='0 0 0' element='0 1 2 3'>" ELASTIC
       "</flexcomp>",
       "<flexcomp element>: 1 was found", 1},
      {"<flexcomp name='f' dim='3' type='gmsh'>" ELASTIC "</flexcomp>", "the attribute 'file'", 1},
      {"<flexcomp name='f' dim='3' type='gmsh' file='no.msh'>" ELASTIC "</flexcomp>", "no.msh", 1},
      {"<body mocap='true'><flexcomp name='f' dim='3' count='2 2 2'>" ELASTIC
       "<pin id='0'/></flexcomp></body>",
       "pins to a mocap body", 1},
      {"<flexcomp name='f' dim='3' count='2 2 2' mass='0'>" ELASTIC "</flexcomp>", "mass 0 kg", 1},
      {"<flexcomp name='f' dim='3' count='2 2 2' material='m'>" ELASTIC "</flexcomp>",
       "no material 'm'", 1},
      {"<flexcomp name='f' dim='3' count='2 2 2'>" ELASTIC "</flexcomp><body name='f_3'/>",
       "two bodies are named 'f_3'", 1},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    Told told;
    HeftError error = {0};
    HeftModel* m = load(cases[i].text, &told, &error);
    assert_int_equal(m == NULL, cases[i].refused);
    const char* found = cases[i].refused ? error.message : told.text;
    if (!strstr(found, cases[i].message))
      fail_msg("'%s' was found, expected '%s'", found, cases[i].message);
    if (!cases[i].refused) assert_int_equal(told.count, 1);
    heft_model_destroy(m);
  }
}

static HeftStatus keep_nothing(void* user, const char* name, const void* bytes, size_t size,
                               HeftError* error) {
  (void)user, (void)name, (void)bytes, (void)size, (void)error;
  return HEFT_OK;
}

// A format without elasticity must not drop it silently.
static void writers_tell(void** state) {
  (void)state;
  Told told;
  HeftError error = {0};
  HeftModel* m =
      load_well("<flexcomp name='f' dim='3' count='2 2 2'>" ELASTIC "</flexcomp>", &told);
  HeftWriteDef def = heft_write_def_default();
  def.put = keep_nothing;
  def.warning = tell;
  def.user = &told;
  assert_int_equal(heft_model_write_mjcf(m, &def, &error), HEFT_ERR_UNSUPPORTED);
  assert_non_null(strstr(error.message, "deformable body 'f'"));
  assert_int_equal(heft_model_write_urdf(m, &def, &error), HEFT_OK);
  assert_non_null(strstr(told.text, "URDF has no elasticity"));
  heft_model_destroy(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_grid_has_the_numbers_of_mujoco),
      cmocka_unit_test(shells_fill_their_shapes),
      cmocka_unit_test(direct_meshes_leave_out_vertices),
      cmocka_unit_test(surfaces_are_filled),
      cmocka_unit_test(pins_hold_to_links),
      cmocka_unit_test(strange_ones_are_told),
      cmocka_unit_test(writers_tell),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
