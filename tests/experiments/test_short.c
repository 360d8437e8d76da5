// SPDX-License-Identifier: Apache-2.0
// Every experiment in its short form: it runs, all its claims hold, the page of experiments has
// them, and it succeeds from perturbed starts too. HEFT_LONG=1 runs them in full, HEFT_SHORT=1 a
// few of them. test_bodies.c has three.
#include "support/experiment_claims.h"

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
  static const char* const elsewhere[] = {"greet", "share", "pillar"};
  for (int i = 0; i < 6; ++i)
    if (strcmp(few[i], name) == 0) return 1;
  for (int i = 0; i < 3; ++i)
    if (strcmp(elsewhere[i], name) == 0) return 0;
  return !few_will_do();
}

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
    lab.picture = take_picture;
    lab.user = &pictures;
    // Other tests run beside this one: times are judged in the long form only.
    check_experiment(e, &lab, getenv("HEFT_LONG") != NULL, !few_will_do());
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
      experiment_run(experiment_find(names[i]), &lab);
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
