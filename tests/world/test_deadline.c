// SPDX-License-Identifier: Apache-2.0
// Steps with a deadline: what the clock leaves out is noted, so that a step is repeated with the
// same bits; forces beyond a limit are told; limits of servos settle.
#include <math.h>
#include <stdio.h>

#include "described.h"
#include "scenes/random.h"
#include "stage.h"

// A trunk on four legs with flat feet, moved by stiff servos with small force limits.
#define LEG(name, x, y)                                                                        \
  "<body pos='" x " " y " 0'><joint name='" name                                               \
  "1' axis='0 1 0'/>"                                                                          \
  "<geom type='capsule' size='0.02' fromto='0 0 0 0 0 -0.2' mass='0.5'/>"                      \
  "<body pos='0 0 -0.2'><joint name='" name                                                    \
  "2' axis='0 1 0' range='-1 1' limited='true'"                                                \
  " frictionloss='0.1'/><geom type='capsule' size='0.02' fromto='0 0 0 0 0 -0.2' mass='0.3'/>" \
  "<geom type='box' size='0.04 0.03 0.01' pos='0 0 -0.2' mass='0.2'/></body></body>"
#define SERVO(name)                                       \
  "<general joint='" name                                 \
  "' gainprm='900' biastype='affine' biasprm='0 -900 -9'" \
  " forcelimited='true' forcerange='-9 9'/>"
static const char* const walker =
    "<mujoco><compiler angle='radian'/><option timestep='0.002'/><worldbody>"
    "<geom type='plane' size='5 5 1'/><body pos='0 0 0.45'><freejoint/>"
    "<geom type='box' size='0.2 0.12 0.05' mass='5'/>" LEG("a", "0.15", "0.1")
        LEG("b", "0.15", "-0.1") LEG("c", "-0.15", "0.1")
            LEG("d", "-0.15", "-0.1") "</body></worldbody><actuator>" SERVO("a1") SERVO("a2")
                SERVO("b1") SERVO("b2") SERVO("c1") SERVO("c2") SERVO("d1")
                    SERVO("d2") "</actuator></mujoco>";

// A heavy box on a light one, at rest, and a finger that presses on it.
static const char* const stack =
    "<mujoco><option timestep='0.001'/><worldbody><geom type='plane' size='5 5 1'/>"
    "<body pos='0 0 0.1'><freejoint/><geom type='box' size='0.1 0.1 0.1' mass='1'/></body>"
    "<body pos='0 0 0.3'><freejoint/><geom type='box' size='0.1 0.1 0.1' mass='1000'/></body>"
    "<body pos='0 0 0.45'><joint name='press' type='slide' axis='0 0 -1' damping='1'/>"
    "<joint name='push' type='slide' axis='1 0 0' damping='1'/>"
    "<geom type='sphere' size='0.02' mass='0.1'/></body></worldbody>"
    "<actuator><general joint='press' gainprm='300' biastype='affine' biasprm='0 -100 -5'/>"
    "<general joint='push' gainprm='20' biastype='affine' biasprm='0 -30 -5'/>"
    "</actuator></mujoco>";

static void move_controls(const Stage* a, const Stage* b, int step, Random* seed) {
  if (step % 50 != 0) return;
  for (int i = 0; i < a->model->nactuator; ++i) {
    const double to = random_between(seed, -1, 1);
    heft_world_controls(a->world)[i] = heft_world_controls(b->world)[i] = to;
  }
}

static void make_elastic(const Stage* s) {
  for (int i = 0; i < s->model->nmaterial; ++i) {
    HeftMaterial material = heft_world_material(s->world, i);
    material.restitution = 0.7;
    assert_int_equal(heft_world_set_material(s->world, i, &material, NULL), HEFT_OK);
  }
}

// The finger presses more and less, from side to side.
static void press(const Stage* s, int step) {
  heft_world_controls(s->world)[0] = 0.2 + 0.2 * sin(0.02 * step);
  heft_world_controls(s->world)[1] = 0.05 * sin(0.013 * step);
}

// A step that may spend what it spent before has the same bits.
static void effort_repeats_a_step(void** state) {
  (void)state;
  Stage a = stage_on(described(stack), NULL), b = stage_on(described(stack), NULL);
  int work[256];
  for (int i = 0; i < 3000; ++i) {
    press(&a, i);
    press(&b, i);
    heft_world_step(a.world);
    heft_world_step_replay(b.world, work, heft_world_effort(a.world, work, 256));
    assert_true(heft_world_hash(a.world) == heft_world_hash(b.world));
  }
  stage_close(&a);
  stage_close(&b);
}

// Deadlines from long ago to a step's length: whatever they leave out, a replay gives the bits.
static void late_steps_are_repeated(void** state) {
  (void)state;
  for (int k = 0; k < 4; ++k) {
    const int elastic = k % 2, is_stack = k / 2;
    const char* text = is_stack ? stack : walker;
    Stage a = stage_on(described(text), NULL), b = stage_on(described(text), NULL);
    if (elastic) make_elastic(&a);
    if (elastic) make_elastic(&b);
    int work[256], stops = 0, late = 0, cut = 0;
    Random seed = {7};
    for (int i = 0; i < 1500; ++i) {
      move_controls(&a, &b, i, &seed);
      const uint64_t time = i % 7 == 0 ? 0 : (uint64_t)random_between(&seed, 1e4, 3e5);
      const HeftStepReport r = heft_world_step_until(a.world, heft_clock_ns() + time);
      const int count = heft_world_effort(a.world, work, 256);
      assert_true(count <= 256);
      for (int n = 0; n < count; ++n) stops += work[n] < 0;
      const HeftStepReport same = heft_world_step_replay(b.world, work, count);
      late += r.status == HEFT_STEP_INEXACT;
      cut += r.cut;
      assert_int_equal(r.status, same.status);
      assert_int_equal(r.inexact, same.inexact);
      assert_true(r.relative == same.relative);
      assert_true(heft_world_hash(a.world) == heft_world_hash(b.world));
    }
    printf("%s, restitution %g: %d steps cut, %d inexact, %d passes or rounds left out\n",
           is_stack ? "stack" : "walker", elastic ? 0.7 : 0.0, cut, late, stops);
    assert_true(cut > 100 && (is_stack || (late > 0 && stops > 0)));
    stage_close(&a);
    stage_close(&b);
  }
}

// Steps that the deadline did not cut have the bits of steps without one.
static void uncut_steps_are_plain(void** state) {
  (void)state;
  Stage a = stage_on(described(walker), NULL), b = stage_on(described(walker), NULL);
  int work[256], cut = 0, plain = 0;
  Random seed = {11};
  make_elastic(&a);
  make_elastic(&b);
  for (int i = 0; i < 1500; ++i) {
    move_controls(&a, &b, i, &seed);
    const uint64_t time = i % 5 == 0 ? 0 : (uint64_t)random_between(&seed, 1e4, 3e7);
    const HeftStepReport r = heft_world_step_until(a.world, heft_clock_ns() + time);
    const int count = heft_world_effort(a.world, work, 256);
    cut += r.cut;
    plain += !r.cut;
    const HeftStepReport same =
        r.cut ? heft_world_step_replay(b.world, work, count) : heft_world_step(b.world);
    assert_int_equal(same.cut, 0);
    assert_int_equal(r.status, same.status);
    assert_true(heft_world_hash(a.world) == heft_world_hash(b.world));
  }
  printf("deadline: %d steps cut, %d as without it\n", cut, plain);
  assert_true(cut > 100 && plain > 100);
  stage_close(&a);
  stage_close(&b);
}

// Without a deadline the limits settle: no force exceeds its limit, and every step is solved.
static void limits_settle(void** state) {
  (void)state;
  Stage a = stage_on(described(walker), NULL);
  Random seed = {3};
  int limited = 0;
  for (int i = 0; i < 1500; ++i) {
    move_controls(&a, &a, i, &seed);
    const HeftStepReport r = heft_world_step(a.world);
    assert_int_equal(r.status, HEFT_STEP_SOLVED);
    for (int k = 0; k < a.model->nactuator; ++k) {
      const double force = heft_world_actuator_force(a.world, k);
      CHECK_AT_MOST(fabs(force), 9 * (1 + 1e-8));
      limited += fabs(force) > 8.999;
    }
  }
  assert_true(limited > 100);
  stage_close(&a);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(effort_repeats_a_step), cmocka_unit_test(late_steps_are_repeated),
      cmocka_unit_test(uncut_steps_are_plain), cmocka_unit_test(limits_settle)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
