// SPDX-License-Identifier: Apache-2.0
// Papers: R64.
// Experiments have the values of their papers: friction, membrane, the threshold of sticking, and
// the same contact model for any experiment that asks for none.
#include <heft/io.h>
#include <string.h>

#include "experiments/acts.h"
#include "experiments/experiments.h"
#include "experiments/membrane.h"
#include "support/check.h"

static Lab opened(const Act* act, void* self) {
  Lab lab = lab_make(HEFT_MODEL_DIR);
  if (!act_open(act, &lab, self)) fail_msg("%s: %s", act->name, lab.error);
  return lab;
}

// [Sugihara 2006], IV-B: kinetic friction 0.4, and none of the coefficients below it.
static void test_friction_of_the_small_robot(void** state) {
  (void)state;
  double self[64] = {0};
  Lab lab = opened(&act_drop, self);
  heft_world_step(lab.world);
  const HeftModel* m = lab.model;
  const int sole = heft_model_find(m, HEFT_NAMED_SHAPE, "left_sole");
  const int floor = heft_model_find(m, HEFT_NAMED_SHAPE, "floor");
  assert_true(sole >= 0 && floor >= 0);
  assert_true(m->material_kinetic[m->shape_material[sole]] == 0.4);
  assert_true(m->material_kinetic[m->shape_material[floor]] == 0.4);
  lab_release(&lab);
}

// [Sugihara 2006], IV-C: static friction 1, kinetic 0.4, a membrane of 0.5 mm with k = 5512 N/m and
// c = 158 N s/m, λ in its own unit; and one ε in all experiments on it.
static void test_membrane(void** state) {
  (void)state;
  const Act* acts[2] = {&act_lambda, &act_slip};
  for (int i = 0; i < 2; ++i) {
    double self[64] = {0};
    if (i == 0) self[0] = 1, self[1] = setting_usual.slip_speed;
    if (i == 1) self[1] = 2;
    Lab lab = opened(acts[i], self);
    const HeftModel* m = lab.model;
    const int floor = heft_model_find(m, HEFT_NAMED_SHAPE, "floor");
    const int k = m->shape_material[floor];
    const double layer[3] = {5512, 158, 0.0005};
    assert_true(m->material_friction[k] == 1 && m->material_kinetic[k] == 0.4);
    assert_memory_equal(m->material_layer + 3L * k, layer, sizeof layer);
    const HeftContactOptions o = heft_world_contact_options(lab.world);
    assert_int_equal(heft_world_contact_model(lab.world), HEFT_CONTACT_MODEL_MICRO_MACRO);
    assert_true(o.lambda == 1 && o.unit_free == 0 && o.slip_speed == setting_usual.slip_speed);
    lab_release(&lab);
  }
}

static const LabClaim* claim_of(const Lab* lab, const char* words) {
  for (int i = 0; i < lab->claims; ++i)
    if (strstr(lab->claim[i].claim, words)) return &lab->claim[i];
  fail_msg("there is no claim on '%s'", words);
  return NULL;
}

// The robot sinks at λ = 4 too: the claim of the source does not hold for it.
static void test_sinking_is_not_taken_for_the_source(void** state) {
  (void)state;
  Lab lab = lab_make(HEFT_MODEL_DIR);
  lab.brief = 1;
  experiment_run(experiment_find("lambda"), &lab);
  assert_string_equal(lab.error, "");
  assert_int_equal(claim_of(&lab, "penetrates near 7")->verdict, LAB_DIFFERS);
  lab_release(&lab);
}

// A claim cites a paper only if the paper says so.
static void test_sources_of_claims(void** state) {
  (void)state;
  assert_string_equal(experiment_find("together")->source, "own requirement");
}

// Any experiment under any model.
static void test_forced_model(void** state) {
  (void)state;
  static const HeftContactModel models[2] = {HEFT_CONTACT_MODEL_PENALTY,
                                             HEFT_CONTACT_MODEL_FOOT_ONESTEP};
  for (int i = 0; i < 2; ++i) {
    Lab lab = lab_make(HEFT_MODEL_DIR);
    lab.brief = 1;
    lab_force(&lab, models[i], NULL);
    experiment_run(experiment_find("stand"), &lab);
    assert_string_equal(lab.error, "");
    assert_true(lab.claims > 0 && lab.steps == 0);  // no step of the exact model
    assert_int_equal(heft_world_contact_model(lab.world), models[i]);
    lab_release(&lab);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_friction_of_the_small_robot),
      cmocka_unit_test(test_membrane),
      cmocka_unit_test(test_sinking_is_not_taken_for_the_source),
      cmocka_unit_test(test_sources_of_claims),
      cmocka_unit_test(test_forced_model),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
