// SPDX-License-Identifier: Apache-2.0
// Every experiment in its short form: it runs, all its claims hold, and it succeeds from perturbed
// starts too. HEFT_LONG=1 runs them in full, HEFT_SHORT=1 a few of them.
#include "experiments/experiments.h"

#include <stdlib.h>
#include <string.h>

#include "support/check.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || defined(HEFT_SANITIZED)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

// Sanitizers make everything many times slower: there a few experiments do, and claims about time
// are not judged. A second compiler, which gives the same bits, needs no more than a few either.
static int few_will_do(void) { return SANITIZED || getenv("HEFT_SHORT") != NULL; }

static int wanted(const char* name) {
  static const char* const few[] = {"stand", "drop", "lambda", "toes", "friction", "delassus"};
  for (int i = 0; i < 6; ++i)
    if (strcmp(few[i], name) == 0) return 1;
  return !few_will_do();
}

static int judged(const char* name) { return !SANITIZED || strcmp(name, "delassus") != 0; }

// Pictures are taken of a world that is open, with the argument of their function.
static void take_picture(Lab* lab, void* user) {
  assert_non_null(lab->world);
  ++*(int*)user;
}

static void claims_hold(void** state) {
  (void)state;
  int pictures = 0;
  for (int i = 0; experiment_at(i); ++i) {
    const Experiment* e = experiment_at(i);
    if (!wanted(e->name)) continue;
    Lab lab = lab_make(HEFT_MODEL_DIR);
    lab.brief = getenv("HEFT_LONG") == NULL;
    lab.picture = take_picture;
    lab.user = &pictures;
    e->run(&lab);
    if (lab.error[0]) fail_msg("%s: %s", e->name, lab.error);
    assert_true(lab.claims > 0);
    for (int k = 0; k < lab.claims && judged(e->name); ++k)
      if (lab.claim[k].verdict == LAB_FAILS)
        fail_msg("%s: %s: %s", e->name, lab.claim[k].claim, lab.claim[k].figure);
    lab_release(&lab);
  }
  assert_true(pictures > 0);
}

static void perturbed_starts_succeed(void** state) {
  (void)state;
  static const char* const names[] = {"stand", "walk", "pillar", "lift"};
  for (int i = 0; i < (few_will_do() ? 1 : 4); ++i) {
    for (uint64_t seed = 101; seed < 103; ++seed) {
      Lab lab = lab_make(HEFT_MODEL_DIR);
      lab.brief = 1;
      lab.seed = seed;
      experiment_find(names[i])->run(&lab);
      if (!lab.success) fail_msg("%s from start %d", names[i], (int)seed);
      lab_release(&lab);
    }
  }
}

static void names_are_found(void** state) {
  (void)state;
  assert_null(experiment_find("nothing"));
  assert_null(experiment_at(-1));
  assert_string_equal(experiment_find("walk")->name, "walk");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(names_are_found),
      cmocka_unit_test(claims_hold),
      cmocka_unit_test(perturbed_starts_succeed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
