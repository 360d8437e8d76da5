// SPDX-License-Identifier: Apache-2.0
// The parts of the verb sweep. Each takes the arguments from its own name on and returns the exit
// code.
#ifndef HEFT_APPS_SWEEP_VERBS_H
#define HEFT_APPS_SWEEP_VERBS_H

#include <stddef.h>

int heft_sweep_check(int argc, char** argv);
int heft_sweep_collect(int argc, char** argv);
int heft_sweep_export(int argc, char** argv);
int heft_sweep_hash(int argc, char** argv);
int heft_sweep_merge(int argc, char** argv);
int heft_sweep_replay(int argc, char** argv);
int heft_sweep_run(int argc, char** argv);
int heft_sweep_serve(int argc, char** argv);
int heft_sweep_status(int argc, char** argv);
int heft_sweep_show(int argc, char** argv);

/// Options of a part: names with their values, and the other arguments in order.
typedef struct SweepOption {
  const char* name;    ///< "--out"
  const char** value;  ///< NULL: a flag
  int* flag;
} SweepOption;
/// Reads the arguments of a part. others gets at most `capacity` other arguments. Returns their
/// number; -1: wrong (reported), -2: help was printed.
int sweep_arguments(const char* part, const char* help, const SweepOption* options, int count,
                    int argc, char** argv, const char** others, int capacity);
/// sweep_arguments() for another verb.
int verb_arguments(const char* verb, const char* help, const SweepOption* options, int count,
                   int argc, char** argv, const char** others, int capacity);

/// The folder of results of a plan, if no other is named.
void sweep_default_folder(const char* plan, char* out, size_t size);
struct SweepInput;
/// Writes the virtual file and the chosen logs, if all chunks are there. 0: failed (reported).
int sweep_finish(const struct SweepInput* in, const char* folder, int quiet);

#endif
