// SPDX-License-Identifier: Apache-2.0
// Limits for a program that parses an untrusted file by a large library.
#ifndef HEFT_APPS_RESOURCES_H
#define HEFT_APPS_RESOURCES_H

#include <sys/resource.h>

// Sanitizers map more memory than any limit would allow.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif

/// Limits the process to one minute of CPU time and 4 GB.
static inline void limit_resources(void) {
  const struct rlimit seconds = {60, 60};
  setrlimit(RLIMIT_CPU, &seconds);
#ifndef SANITIZED
  const struct rlimit bytes = {(rlim_t)4 << 30, (rlim_t)4 << 30};
  setrlimit(RLIMIT_AS, &bytes);
#endif
}

#endif
