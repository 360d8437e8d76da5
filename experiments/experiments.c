// SPDX-License-Identifier: Apache-2.0
#include "experiments/experiments.h"

#include <stddef.h>
#include <string.h>

#define EXPERIMENT_ROW(name, function, source, text) {name, source, text, function},
static const Experiment table[] = {EXPERIMENT_LIST(EXPERIMENT_ROW)};
#undef EXPERIMENT_ROW

const Experiment* experiment_at(int i) {
  return i >= 0 && i < (int)(sizeof table / sizeof *table) ? &table[i] : NULL;
}

const Experiment* experiment_find(const char* name) {
  for (int i = 0; experiment_at(i); ++i)
    if (strcmp(experiment_at(i)->name, name) == 0) return experiment_at(i);
  return NULL;
}

void experiment_run(const Experiment* e, Lab* lab) {
  e->run(lab);
  lab_claim_steps(lab);
}
