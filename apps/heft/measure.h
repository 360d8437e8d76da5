// SPDX-License-Identifier: Apache-2.0
// Measuring: the minimum time of many repeats, and instructions counted by valgrind.
#ifndef HEFT_APPS_MEASURE_H
#define HEFT_APPS_MEASURE_H

#include <stdbool.h>
#include <stdint.h>

typedef void MeasureBody(void* context);

/// CPU time of this thread [ns]. On a busy machine long calls are interrupted.
uint64_t measure_cpu_ns(void);

/// Minimum time of a call over the batches [ns]. A batch is long enough for the clock.
double measure_ns(MeasureBody* body, void* context, int batches);

/// Calls the body repeatedly; the child process of measure_instructions() does this.
void measure_repeat(MeasureBody* body, void* context, long repeats);

/// Instructions of a shell command, as `valgrind --tool=callgrind` counts them. Negative if
/// valgrind is not installed or the command does not start. asked: from where it asks for it (by
/// valgrind/callgrind.h) on, not from its start.
double measure_command(const char* command, bool asked);

/// Instructions per call of `heft bench BENCH --case NAME --repeat N`: the difference between two
/// runs with different N. Negative if they cannot be counted.
double measure_instructions(const char* bench, const char* name, long repeats);

/// Why instructions could not be counted, for a message. The command counts instructions of its own
/// file, which a build may replace while it runs.
const char* measure_instructions_failure(void);

#endif
