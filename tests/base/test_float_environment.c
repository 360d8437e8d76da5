// SPDX-License-Identifier: Apache-2.0
// A thread whose arithmetic is another one gets no world, with a message that says what to do.
#include <fenv.h>
#include <heft/heft.h>
#include <string.h>
#ifdef __SSE2__
#include <float.h>
#include <xmmintrin.h>
#endif

#include "base/float_environment.h"
#include "support/check.h"
#include "support/sample.h"

static HeftModel* model;

static int begin(void** state) {
  (void)state;
  model = sample_create(NULL, NULL);
  return model == NULL;
}

static int end(void** state) {
  (void)state;
  heft_model_destroy(model);
  return 0;
}

// The message of a world's creation, "" if it succeeded.
static const char* creation(void) {
  static char text[sizeof((HeftError*)0)->message];
  HeftWorld* world = NULL;
  HeftError error = {0};
  const HeftStatus status = heft_world_create(&world, model, NULL, &error);
  assert_true(status == HEFT_OK ? world != NULL : world == NULL);
  if (status != HEFT_OK) assert_int_equal(status, HEFT_ERR_UNSUPPORTED);
  heft_world_destroy(world);
  memcpy(text, error.message, sizeof text);
  return text;
}

static void the_usual_arithmetic_is_taken(void** state) {
  (void)state;
  assert_null(heft_float_environment_fault());
  assert_string_equal(creation(), "");
}

static void other_rounding_is_refused(void** state) {
  (void)state;
  static const int modes[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
  for (int i = 0; i < 3; ++i) {
    if (fesetround(modes[i]) != 0) skip();
    const char* text = creation();
    fesetround(FE_TONEAREST);
    assert_non_null(strstr(text, "fesetround(FE_TONEAREST)"));
  }
  assert_string_equal(creation(), "");
}

#ifdef __SSE2__
#ifdef _WIN32
#define ADVICE "_controlfp(_DN_SAVE, _MCW_DN)"
static void follow_advice(void) { _controlfp(_DN_SAVE, _MCW_DN); }
#else
#define ADVICE "fesetenv(FE_DFL_ENV)"
static void follow_advice(void) { assert_int_equal(fesetenv(FE_DFL_ENV), 0); }
#endif
#endif

static void flushing_is_refused(void** state) {
  (void)state;
#ifdef __SSE2__
  enum { FTZ = 0x8000, DAZ = 0x40 };
  static const unsigned bits[] = {FTZ, DAZ, FTZ | DAZ};
  const unsigned usual = _mm_getcsr();
  for (int i = 0; i < 3; ++i) {
    _mm_setcsr(usual | bits[i]);
    const char* text = creation();
    _mm_setcsr(usual);
    assert_non_null(strstr(text, ADVICE));
  }
  // what the message says helps
  _mm_setcsr(usual | FTZ | DAZ);
  follow_advice();
  const char* text = creation();
  _mm_setcsr(usual);
  assert_string_equal(text, "");
#else
  skip();
#endif
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_usual_arithmetic_is_taken),
                                     cmocka_unit_test(other_rounding_is_refused),
                                     cmocka_unit_test(flushing_is_refused)};
  return cmocka_run_group_tests(tests, begin, end);
}
