// SPDX-License-Identifier: Apache-2.0
// Papers: R30, R32.
// Contact models where joints have rows of their own: all work is counted, bounds hold for the
// step, and a failure in one turn of the alternation is not forgotten in the next.
#include <stdlib.h>

#include "contact_scene.h"
#include "world/world_internal.h"

// The model micro_macro, with quadratic programs that fail when `failing` says so.
// NOLINTBEGIN(readability-identifier-naming, bugprone-suspicious-include)
#define heft_signed_quadratic scripted_quadratic
#define heft_contact_micro_macro scripted_micro_macro
#include "world/models/micro_macro.c"
// NOLINTEND(readability-identifier-naming, bugprone-suspicious-include)
#undef heft_signed_quadratic
#undef heft_contact_micro_macro

static int calls, failing;

int heft_signed_quadratic(int n, const double* h, const double* g, const unsigned char* bounded,
                          double* x, double* scratch);

int scripted_quadratic(int n, const double* h, const double* linear, const unsigned char* bounded,
                       double* x, double* scratch) {
  const int rounds = heft_signed_quadratic(n, h, linear, bounded, x, scratch);
  return ++calls == failing ? -1 : rounds;
}

// A leg under the body: a hinge with dry friction, and a box as foot on two such hinges.
static void add_leg(Scene* s, int body, HeftVec3 at, int material) {
  HeftBodyDef shin = heft_body_def_default(), foot = heft_body_def_default();
  HeftJointDef hip = heft_joint_def_default();
  shin.parent = body;
  shin.pos = at;
  shin.com = heft_vec3(0, 0, -0.1);
  shin.mass = 0.25;
  shin.inertia = (HeftSym3){1e-3, 1e-3, 1e-4, 0, 0, 0};
  hip.body = foot.parent = heft_builder_add_body(s->builder, &shin);
  hip.axis = heft_vec3(0, 1, 0);
  hip.friction[0] = 0.5;
  hip.damping[0] = 0.05;
  heft_builder_add_joint(s->builder, &hip);
  foot.pos = heft_vec3(0, 0, -0.25);
  foot.com = heft_vec3(0, 0, -0.04);
  foot.mass = 0.2;
  foot.inertia = (HeftSym3){3e-4, 3e-4, 3e-4, 0, 0, 0};
  const int sole = heft_builder_add_body(s->builder, &foot);
  for (int k = 0; k < 2; ++k) {
    HeftJointDef ankle = heft_joint_def_default();
    ankle.body = sole;
    ankle.axis = k ? heft_vec3(0, 1, 0) : heft_vec3(1, 0, 0);
    ankle.friction[0] = 0.2;
    ankle.damping[0] = 0.01;
    heft_builder_add_joint(s->builder, &ankle);
  }
  HeftShapeDef box = heft_shape_def_default();
  box.body = sole;
  box.type = HEFT_SHAPE_BOX;
  box.pos = heft_vec3(0, 0, -0.04);
  box.size[0] = 0.05;
  box.size[1] = 0.04;
  box.size[2] = 0.01;
  box.material = material;
  heft_builder_add_shape(s->builder, &box);
}

enum { LEGS = 6 };

// A body on six legs, tilted, that drops: dry friction of 18 joints, up to six feet.
static Scene hexapod(HeftContactModel model, int candidates) {
  Scene s = scene_open(heft_vec3(0, 0, -g), 0.001);
  const int material = add_material(&s, 0.6, 0);
  add_floor(&s, material);
  HeftBodyDef trunk = heft_body_def_default();
  HeftJointDef joint = heft_joint_def_default();
  trunk.pos = heft_vec3(0, 0, 0.36);
  trunk.quat = heft_quat_from_axis_angle(heft_vec3(0.78, 0.62, 0), 0.2);
  trunk.mass = 5;
  trunk.inertia = (HeftSym3){0.04, 0.15, 0.19, 0, 0, 0};
  joint.body = heft_builder_add_body(s.builder, &trunk);
  joint.type = HEFT_JOINT_FREE;
  heft_builder_add_joint(s.builder, &joint);
  for (int i = 0; i < LEGS; ++i)
    add_leg(&s, joint.body, heft_vec3(0.3 * (i % 3 - 1), i < 3 ? 0.2 : -0.2, 0), material);
  HeftWorldDef def = heft_world_def_default();
  def.contact_model = model;
  def.contact_options.candidates = candidates;
  scene_start_with(&s, &def);
  return s;
}

static int total_effort(const Scene* s) {
  int work[64] = {0}, sum = 0;
  const int count = heft_world_effort(s->world, work, 64);
  for (int i = 0; i < count && i < 64; ++i) sum += work[i];
  return sum;
}

// One choice a step: at most three releases for each foot and the first choice, whatever the joints
// do; every solve counts.
static void test_one_step_is_bounded_with_joints(void** state) {
  (void)state;
  Scene s = hexapod(HEFT_CONTACT_MODEL_FOOT_ONESTEP, 300);
  int most = 0, work = 0;
  for (int k = 0; k < 150; ++k) {
    const HeftStepReport r = heft_world_step(s.world);
    assert_true(r.trials <= 3 * LEGS + 1);
    if (r.trials > most) most = r.trials;
    const int effort = total_effort(&s);
    assert_true(effort >= r.trials);
    if (effort > work) work = effort;
  }
  assert_true(most > 1);
  assert_true(work > most);  // the joints, and the same choice again
  scene_close(&s);
}

// A search makes at most as many trials in a step as it is allowed, in all turns together, and
// comes back.
static void test_search_is_bounded_with_joints(void** state) {
  (void)state;
  enum { CANDIDATES = 2000 };
  Scene s = hexapod(HEFT_CONTACT_MODEL_FOOT_EXACT, CANDIDATES);
  int most = 0;
  for (int k = 0; k < 120; ++k) {
    const HeftStepReport r = heft_world_step(s.world);
    assert_true(r.trials <= CANDIDATES);
    if (r.trials > most) most = r.trials;
  }
  assert_true(most > 300);  // it searched
  scene_close(&s);
}

// A foot on the hexapod's ground that hangs on a hinge with dry friction.
static Scene hinged(HeftContactModel model) {
  Scene s = scene_open(heft_vec3(0, 0, -g), 0.001);
  const int material = add_material(&s, 0.6, 0);
  add_floor(&s, material);
  const int trunk = add_free(&s, HEFT_SHAPE_SPHERE, 0.05, 1, heft_vec3(0, 0, 0.3), material);
  add_leg(&s, trunk, heft_vec3(0, 0, 0), material);
  HeftWorldDef def = heft_world_def_default();
  def.contact_model = model;
  scene_start_with(&s, &def);
  return s;
}

// A model that asks for nothing and claims ten units of work in every turn.
static int turns;

static void do_nothing(ModelTask* t, const double* free, void* user) {
  (void)free;
  (void)user;
  ++turns;
  t->result->effort += 10;
}

static int solve_nothing(ModelTask* t) {
  for (int r = 0; r < t->contact_rows; ++r) t->impulse[r] = 0;
  heft_model_alternate(t, do_nothing, NULL);
  return 1;
}

static const ContactModel idle = {.model = HEFT_CONTACT_MODEL_MICRO_MACRO, .solve = solve_nothing};

static void test_work_is_added_up(void** state) {
  (void)state;
  Scene s = hinged(HEFT_CONTACT_MODEL_MICRO_MACRO);
  s.world->constraints->contact_model = &idle;
  turns = 0;
  heft_world_step(s.world);
  assert_true(turns > 1);
  assert_true(total_effort(&s) >= 10 * turns);
  scene_close(&s);
}

// The first quadratic program of a step fails, later ones succeed: the exact model solves the
// island.
static void test_failed_program_is_not_forgotten(void** state) {
  (void)state;
  for (int fails = 0; fails < 2; ++fails) {
    Scene s = hinged(HEFT_CONTACT_MODEL_MICRO_MACRO);
    s.world->constraints->contact_model = &scripted_micro_macro;
    for (int k = 0; k < 20; ++k) {
      calls = 0;
      failing = fails;
      const HeftStepReport r = heft_world_step(s.world);
      if (calls > 1) assert_int_equal(r.fallbacks, fails);
    }
    assert_true(calls > 1);
    scene_close(&s);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_one_step_is_bounded_with_joints),
      cmocka_unit_test(test_search_is_bounded_with_joints),
      cmocka_unit_test(test_work_is_added_up),
      cmocka_unit_test(test_failed_program_is_not_forgotten),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
