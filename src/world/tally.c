// SPDX-License-Identifier: Apache-2.0
// The tally of a run: how many of its steps were solved, and what to do about the others.
#include <heft/world.h>
#include <stdio.h>

#include "base/assert.h"

void heft_step_tally_add(HeftStepTally* t, const HeftStepReport* r) {
  HEFT_REQUIRE_VOID(t && r);
  ++t->steps;
  t->rolled_back += !heft_step_taken(r->status);
  t->dropping += r->contact_dropped > 0;
  t->dropped += r->contact_dropped;
  t->restrained += r->restrained > 0;
  if (r->inexact == 0) return;
  ++t->inexact;
  if (t->inexact > 1 && r->relative <= t->worst) return;
  t->worst = r->relative;
  t->worst_time = r->time;
}

// Appends to a text of this size; what does not fit is left out.
#define APPEND(...)                                                           \
  do {                                                                        \
    const int n = snprintf(text + used, size - used, __VA_ARGS__);            \
    if (n > 0) used += (size_t)n < size - used ? (size_t)n : size - used - 1; \
  } while (0)

const char* heft_step_tally_text(const HeftStepTally* t, char* text, size_t size) {
  HEFT_REQUIRE(t && text && size > 0, "");
  size_t used = 0;
  text[0] = '\0';
  if (t->inexact == 0 && t->dropping == 0 && t->rolled_back == 0 && t->restrained == 0)
    APPEND("all %ld steps solved", t->steps);
  if (t->inexact > 0)
    APPEND(
        "%ld of %ld steps inexact, worst relative residual %.1e at %.4g s: raise effort_max or the "
        "tolerance, or shorten the time step",
        t->inexact, t->steps, t->worst, t->worst_time);
  if (t->dropping > 0)
    APPEND(
        "%s%ld contact points dropped in %ld of %ld steps: raise contact_capacity, or do not let "
        "shapes "
        "that lie in one another collide",
        used > 0 ? "; " : "", t->dropped, t->dropping, t->steps);
  if (t->restrained > 0)
    APPEND("%s%ld of %ld steps restrained, too fast a rotation: shorten the time step",
           used > 0 ? "; " : "", t->restrained, t->steps);
  if (t->rolled_back > 0)
    APPEND("%s%ld of %ld steps rolled back", used > 0 ? "; " : "", t->rolled_back, t->steps);
  return text;
}
