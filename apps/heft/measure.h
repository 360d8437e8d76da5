// SPDX-License-Identifier: Apache-2.0
// Measuring: the least time of many repeats, and instructions counted by valgrind.
#ifndef HEFT_APPS_MEASURE_H
#define HEFT_APPS_MEASURE_H

#include <stdint.h>

typedef void MeasureBody(void* context);

/// What this thread has used of a processor [ns]: on a busy machine long calls are interrupted.
uint64_t measure_cpu_ns(void);

/// Least nanoseconds per call over so many batches; a batch is long enough for the clock.
double measure_ns(MeasureBody* body, void* context, int batches);

/// Calls the body so many times; what measure_instructions() asks its child process to do.
void measure_repeat(MeasureBody* body, void* context, long repeats);

/// Instructions per call of `heft bench BENCH --case NAME --repeat N`, as `valgrind
/// --tool=callgrind` counts them: the difference between two runs with different N. Negative if
/// valgrind is not there.
double measure_instructions(const char* bench, const char* name, long repeats);

#endif
