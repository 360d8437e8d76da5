// SPDX-License-Identifier: Apache-2.0
// HEFT_ASSERT checks what the caller owes us. It is compiled in debug builds and wherever
// HEFT_ASSERTS is set; elsewhere the condition is not evaluated. The hook decides what happens
// (base.h).
#ifndef HEFT_SRC_BASE_ASSERT_H
#define HEFT_SRC_BASE_ASSERT_H

#include <heft/base.h>

/// Exported for the libraries heft_device and heft_io; no part of the public interface.
HEFT_API void heft_assert_failed(const char* condition, const char* file, int line);

#if !defined(NDEBUG) || defined(HEFT_ASSERTS)
#define HEFT_ASSERT(condition) \
  ((condition) ? (void)0 : heft_assert_failed(#condition, __FILE__, __LINE__))
#else
#define HEFT_ASSERT(condition) ((void)sizeof((condition) ? 1 : 0))
#endif

#endif
