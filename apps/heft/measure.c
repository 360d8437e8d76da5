// SPDX-License-Identifier: Apache-2.0
// On a shared machine times vary: the minimum time is used, and instructions are counted.
#include "measure.h"

#include <heft/base.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "data_folder.h"

uint64_t measure_cpu_ns(void) {
  struct timespec t;
  if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t) != 0) return heft_clock_ns();
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

void measure_repeat(MeasureBody* body, void* context, long repeats) {
  for (long i = 0; i < repeats; ++i) body(context);
}

double measure_ns(MeasureBody* body, void* context, int batches) {
  long count = 1;
  for (;;) {  // find a batch of at least 200 µs
    const uint64_t start = heft_clock_ns();
    measure_repeat(body, context, count);
    if (heft_clock_ns() - start > 200000 || count > (1L << 24)) break;
    count *= 2;
  }
  double min = 1e300;
  for (int b = 0; b < batches; ++b) {
    const uint64_t start = heft_clock_ns();
    measure_repeat(body, context, count);
    const double ns = (double)(heft_clock_ns() - start) / (double)count;
    if (ns < min) min = ns;
  }
  return min;
}

double measure_command(const char* command, bool asked) {
  char whole[3000], line[512];
  snprintf(whole, sizeof whole,
           "valgrind --tool=callgrind --callgrind-out-file=/dev/null --instr-atstart=%s %s 2>&1",
           asked ? "no" : "yes", command);
  FILE* pipe = popen(whole, "r");
  if (!pipe) return -1;
  double count = -1;
  while (fgets(line, sizeof line, pipe)) {
    const char* at = strstr(line, "Collected :");
    if (at) sscanf(at + 11, "%lf", &count);
  }
  pclose(pipe);
  return count;
}

static double count_run(const char* self, const char* bench, const char* name, long repeats) {
  char command[1024];
  snprintf(command, sizeof command, "'%s' bench %s --case '%s' --repeat %ld", self, bench, name,
           repeats);
  return measure_command(command, false);
}

double measure_instructions(const char* bench, const char* name, long repeats) {
  char self[512];
  if (!program_path(self, sizeof self)) return -1;
  const double once = count_run(self, bench, name, repeats),
               twice = count_run(self, bench, name, 2 * repeats);
  return once > 0 && twice > once ? (twice - once) / (double)repeats : -1;
}

const char* measure_instructions_failure(void) {
  char self[512];
  if (!program_path(self, sizeof self) || access(self, X_OK) != 0)
    return "the file of this program was replaced during the run: run it again";
  return "valgrind did not run: it needs to be installed";
}
