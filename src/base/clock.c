// SPDX-License-Identifier: Apache-2.0
// The monotonic clock. It may steer a step only through a deadline.
#define _POSIX_C_SOURCE 200809L
#include <heft/base.h>
#include <time.h>

uint64_t heft_clock_ns(void) {
  struct timespec now = {0, 0};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}
