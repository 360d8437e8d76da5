// SPDX-License-Identifier: Apache-2.0
// Checks of the caller's obligations: pointers, indices, sizes, the order of calls.
//
//   HEFT_REQUIRE(condition, result)   public functions and the borders of rooms. Checked in every
//   HEFT_REQUIRE_VOID(condition)      build. If the condition is false, the assert hook is called
//                                     (base.h); if the hook returns, the function returns `result`:
//                                     HEFT_ERR_ARGUMENT, or a harmless value (0, -1, "", zeros, the
//                                     identity). Nothing has been written by then.
//   HEFT_ASSERT(condition)            inside a room. Checked in debug builds and wherever
//                                     HEFT_ASSERTS is set; elsewhere it is not evaluated. If the
//                                     hook returns, the function goes on.
//
// HEFT_REQUIRE is at the top of a function, before anything is read or written. Its condition must
// be cheap: a few comparisons, no loop.
#ifndef HEFT_SRC_BASE_ASSERT_H
#define HEFT_SRC_BASE_ASSERT_H

#include <heft/base.h>

#if defined(__GNUC__)
#define HEFT_COLD __attribute__((cold, noinline))
#define HEFT_IS_LIKELY(condition) __builtin_expect(!!(condition), 1)
#else
#define HEFT_COLD
#define HEFT_IS_LIKELY(condition) (condition)
#endif

/// Exported for the libraries heft_device and heft_io; no part of the public interface.
HEFT_API HEFT_COLD void heft_assert_failed(const char* condition, const char* file, int line);

#define HEFT_REQUIRE(condition, result)                   \
  do {                                                    \
    if (!HEFT_IS_LIKELY(condition)) {                     \
      heft_assert_failed(#condition, __FILE__, __LINE__); \
      return result;                                      \
    }                                                     \
  } while (0)

#define HEFT_REQUIRE_VOID(condition)                      \
  do {                                                    \
    if (!HEFT_IS_LIKELY(condition)) {                     \
      heft_assert_failed(#condition, __FILE__, __LINE__); \
      return;                                             \
    }                                                     \
  } while (0)

#if !defined(NDEBUG) || defined(HEFT_ASSERTS)
#define HEFT_ASSERTS_ON 1
#else
#define HEFT_ASSERTS_ON 0
#endif

#if HEFT_ASSERTS_ON
#define HEFT_ASSERT(condition) \
  ((condition) ? (void)0 : heft_assert_failed(#condition, __FILE__, __LINE__))
#else
#define HEFT_ASSERT(condition) ((void)sizeof((condition) ? 1 : 0))
#endif

#endif
