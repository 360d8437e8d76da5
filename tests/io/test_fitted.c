// SPDX-License-Identifier: Apache-2.0
// Shapes that are fitted to meshes, springs by time constant and damping ratio, and files beside an
// included file: against closed forms.
#include <heft/io.h>
#include <math.h>
#include <string.h>

#include "support/check.h"

static HeftModel* load(const char* text, const HeftFiles* files) {
  HeftLoadDef def = heft_load_def_default();
  HeftModel* model = NULL;
  HeftError error = {0};
  def.files = files;
  if (heft_model_load_bytes(&model, text, strlen(text), "main/a.xml", &def, &error) != HEFT_OK)
    fail_msg("%s:%d: %s", error.file, error.line, error.message);
  return model;
}

// A cuboid of 0.6 x 0.7 x 0.4: it is its own box of inertia, and its own bounding box.
#define CUBOID                                                                                  \
  "<asset><mesh name='m' vertex='.7 -.15 .8 .7 -.15 1.2 .7 .55 .8 .7 .55 1.2 1.3 -.15 .8 "      \
  "1.3 -.15 1.2 1.3 .55 .8 1.3 .55 1.2' face='0 1 3 0 3 2 4 6 7 4 7 5 0 4 5 0 5 1 2 3 7 2 7 6 " \
  "0 2 6 0 6 4 1 5 7 1 7 3'/></asset>"

static void shapes_have_the_moments_of_the_mesh(void** state) {
  (void)state;
  HeftModel* m =
      load("<mujoco>" CUBOID
           "<worldbody><geom type='box' mesh='m' pos='1 0 0'/><geom type='ellipsoid' mesh='m'/>"
           "<geom type='cylinder' mesh='m'/><geom type='capsule' mesh='m' fitscale='2'/>"
           "<geom type='sphere' mesh='m'/></worldbody></mujoco>",
           NULL);
  const double b[3] = {0.2, 0.3, 0.35};  // half lengths, the shortest first
  const double size[5][3] = {{b[0], b[1], b[2]},
                             {b[0], b[1], b[2]},
                             {0.25, 0.35, 0},
                             {2 * 0.25, 2 * (0.35 - 0.125), 0},
                             {0.85 / 3, 0, 0}};
  assert_int_equal(m->nshape, 5);
  for (int i = 0; i < 5; ++i) {
    for (int k = 0; k < 3; ++k) CHECK_AT_MOST(fabs(m->shape_size[3 * i + k] - size[i][k]), 1e-12);
    CHECK_AT_MOST(fabs(m->shape_pos[3 * i] - (i == 0 ? 2 : 1)), 1e-12);
    CHECK_AT_MOST(fabs(m->shape_pos[3 * i + 1] - 0.2), 1e-12);
    CHECK_AT_MOST(fabs(m->shape_pos[3 * i + 2] - 1), 1e-12);
  }
  // the shortest side lies along the mesh's z
  const double* q = m->shape_quat;
  const HeftVec3 x = heft_quat_rotate((HeftQuat){q[0], q[1], q[2], q[3]}, heft_vec3(1, 0, 0));
  CHECK_AT_MOST(fabs(fabs(x.z) - 1), 1e-12);
  heft_model_destroy(m);
}

static void shapes_hold_all_vertices(void** state) {
  (void)state;
  HeftModel* m =
      load("<mujoco><compiler fitaabb='true'/>" CUBOID
           "<worldbody><geom type='box' mesh='m'/><geom type='cylinder' mesh='m'/>"
           "<geom type='capsule' mesh='m'/><geom type='sphere' mesh='m'/></worldbody></mujoco>",
           NULL);
  const double radius = hypot(0.2, 0.3);
  const double size[4][3] = {
      {0.2, 0.3, 0.35}, {radius, 0.35, 0}, {radius, 0.35, 0}, {hypot(radius, 0.35), 0, 0}};
  for (int i = 0; i < 4; ++i)
    for (int k = 0; k < 3; ++k) CHECK_AT_MOST(fabs(m->shape_size[3 * i + k] - size[i][k]), 2e-8);
  heft_model_destroy(m);
}

// A hinge with inertia I, and a rod on two hinges: the inertia of the second is what it feels while
// the first gives way, 1 / (M⁻¹)₂₂.
static void springs_follow_from_time_and_ratio(void** state) {
  (void)state;
  HeftModel* m = load(
      "<mujoco><worldbody><body><joint axis='0 1 0' springdamper='0.1 0.5' stiffness='7'/>"
      "<inertial pos='0 0 0' mass='1' diaginertia='2 2 2'/>"
      "<body><joint axis='0 1 0' springdamper='0.2 1'/>"
      "<inertial pos='0 0 0' mass='1' diaginertia='3 3 3'/></body></body></worldbody></mujoco>",
      NULL);
  // M = [5 3; 3 3], M⁻¹ = [3 -3; -3 5] / 6
  const double first = 2, second = 6.0 / 5;
  CHECK_AT_MOST(fabs(m->dof_stiffness[0] - (first / (0.05 * 0.05))), 1e-9);
  CHECK_AT_MOST(fabs(m->dof_damping[0] - (2 * first / 0.1)), 1e-10);
  CHECK_AT_MOST(fabs(m->dof_stiffness[1] - (second / 0.04)), 1e-10);
  CHECK_AT_MOST(fabs(m->dof_damping[1] - (2 * second / 0.2)), 1e-10);
  heft_model_destroy(m);
}

// main/a.xml includes main/parts/b.xml, which names c.xml (beside it) and d.xml (beside a.xml; the
// one beside b.xml does not count).
static HeftStatus read_part(void* user, const char* path, size_t limit,
                            const HeftAllocator* allocator, void** out, size_t* size,
                            HeftError* error) {
  static const struct {
    const char *path, *text;
  } files[] = {
      {"main/parts/b.xml",
       "<mujoco><body><include file='c.xml'/><include file='d.xml'/>"
       "<geom size='1'/></body></mujoco>"},
      {"main/parts/c.xml", "<mujoco><site name='c'/></mujoco>"},
      {"main/d.xml", "<mujoco><site name='d'/></mujoco>"},
      {"main/parts/d.xml", "<mujoco><site name='wrong'/></mujoco>"},
  };
  (void)user, (void)limit, (void)error;
  for (size_t i = 0; i < sizeof files / sizeof *files; ++i) {
    if (strcmp(files[i].path, path) != 0) continue;
    *size = strlen(files[i].text);
    char* bytes = allocator->allocate(allocator->user, *size + 1, 1);
    if (!bytes) return HEFT_ERR_MEMORY;
    memcpy(bytes, files[i].text, *size + 1);
    *out = bytes;
    return HEFT_OK;
  }
  return HEFT_ERR_FILE;
}

static void files_lie_beside_the_model_or_the_included_file(void** state) {
  (void)state;
  const HeftFiles files = {read_part, NULL};
  HeftModel* m =
      load("<mujoco><worldbody><include file='parts/b.xml'/></worldbody></mujoco>", &files);
  assert_true(heft_model_find(m, HEFT_NAMED_SITE, "c") >= 0);
  assert_true(heft_model_find(m, HEFT_NAMED_SITE, "d") >= 0);
  assert_true(heft_model_find(m, HEFT_NAMED_SITE, "wrong") < 0);
  heft_model_destroy(m);
}

// The armature is all inertia but 1e-9: kv = 2 ratio √(kp m) = 2 √(50 · 0.02).
static void a_ratio_of_damping_is_for_servos_of_positions(void** state) {
  (void)state;
  HeftModel* m = load(
      "<mujoco><default><position kp='50' dampratio='1'/><joint armature='0.02'/></default>"
      "<worldbody><body><joint name='a'/><inertial pos='0 0 0' mass='1' diaginertia='1e-9 1e-9 "
      "1e-9'/></body></worldbody><actuator><position joint='a'/><velocity joint='a' kv='5'/>"
      "<motor joint='a'/></actuator></mujoco>",
      NULL);
  CHECK_AT_MOST(fabs(m->actuator_bias[2] + 2), 1e-6);
  assert_true(m->actuator_bias[5] == -5);
  assert_true(m->actuator_bias[8] == 0);
  heft_model_destroy(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(shapes_have_the_moments_of_the_mesh),
      cmocka_unit_test(shapes_hold_all_vertices),
      cmocka_unit_test(springs_follow_from_time_and_ratio),
      cmocka_unit_test(a_ratio_of_damping_is_for_servos_of_positions),
      cmocka_unit_test(files_lie_beside_the_model_or_the_included_file),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
