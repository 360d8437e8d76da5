// SPDX-License-Identifier: Apache-2.0
#include "contact/core/incidence.h"
#include "base/assert.h"
#include "math/invariant.h"

#include <string.h>

void incidence_take(Incidence* n, Arena* arena, int constraints, int effectors) {
  n->first = arena_take(arena, effectors + 2, int);
  n->entry = arena_take(arena, 2 * (size_t)constraints, int);
}

// first[m + 2] counts the entries of effector m, then first[m + 1] is where its next one goes: in
// the end that is where the entries of m + 1 begin.
void incidence_make(Incidence* n, const HeftContactProblem* p) {
  int* first = n->first;
  memset(first, 0, sizeof(int) * ((size_t)p->effector_count + 2));
  for (int i = 0; i < p->constraint_count; ++i) {
    for (int s = 0; s < 2; ++s) {
      const int m = p->constraints[i].effector[s];
      HEFT_ASSERT(m < p->effector_count);
      if (m >= 0) ++first[m + 2];
    }
  }
  for (int m = 0; m < p->effector_count; ++m) first[m + 2] += first[m + 1];
  for (int i = 0; i < p->constraint_count; ++i) {
    for (int s = 0; s < 2; ++s) {
      const int m = p->constraints[i].effector[s];
      if (m >= 0) n->entry[first[m + 1]++] = 2 * i + s;
    }
  }
  HEFT_ASSERT(heft_is_rising(first, p->effector_count) &&
              first[p->effector_count] <= 2 * p->constraint_count);
}
