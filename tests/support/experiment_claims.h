// SPDX-License-Identifier: Apache-2.0
// An experiment in its short form: its claims hold, and the page of experiments has them with the
// verdict of this run; figures too, where the short form is the whole experiment and they are no
// times. HEFT_LONG=1: in full, so that the whole page is compared.
#ifndef HEFT_TESTS_SUPPORT_EXPERIMENT_CLAIMS_H
#define HEFT_TESTS_SUPPORT_EXPERIMENT_CLAIMS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/experiments.h"
#include "support/check.h"

static inline char* experiment_page(void) {
  FILE* f = fopen(HEFT_SOURCE_DIR "/docs/manual/experiments.md", "rb");
  char* text = calloc(1, 1 << 20);
  assert_non_null(f);
  assert_non_null(text);
  assert_true(fread(text, 1, (1 << 20) - 1, f) > 0);
  fclose(f);
  return text;
}

// The line of a section of the page that begins with `start`, or NULL.
static inline const char* page_row(const char* page, const char* name, const char* start) {
  char head[80];
  snprintf(head, sizeof head, "\n## %s\n", name);
  const char* section = strstr(page, head);
  const char* end = section ? strstr(section + 1, "\n## ") : NULL;
  const char* row = section ? strstr(section, start) : NULL;
  return row && (!end || row < end) ? row : NULL;
}

static inline int is_time(const char* figure) {
  return strstr(figure, " us") || strstr(figure, "CPU time");
}

static inline void page_has_claim(const char* page, const char* name, const Lab* lab,
                                  const LabClaim* c, int timed) {
  const int cited = c->where[0] == '[', differs = c->verdict != LAB_HOLDS;
  char start[600], row[1000];
  if (!cited && !differs) return;  // the page has claims of sources, and of ours those that differ
  const int sourced = strncmp(c->where, "ours", 4) != 0 && strcmp(c->where, "own requirement") != 0;
  snprintf(start, sizeof start, "\n| %s%s%s%s | ", c->claim, sourced ? " (" : "",
           sourced ? c->where : "", sourced ? ")" : "");
  const char* found = page_row(page, name, start);
  if (!found) fail_msg("%s: the page of experiments has no '%s'", name, c->claim);
  if (!timed && is_time(c->figure)) return;
  static const char* const verdicts[] = {": **fails** |", " |", ": **differs** |",
                                         ": **contradiction** |"};
  snprintf(row, sizeof row, "%s%s%s\n", start, c->figure, verdicts[c->verdict]);
  const char* end = strchr(found + 1, '\n');
  const char* mark = strstr(found, verdicts[c->verdict]);
  const char* bold = strstr(found, "** |");
  if (differs ? !mark || mark > end : bold && bold < end)
    fail_msg("%s: the page of experiments has another verdict on '%s'", name, c->claim);
  if (!lab->shortened && !is_time(c->figure) && strncmp(found, row, strlen(row)) != 0)
    fail_msg("%s: the page of experiments has another figure than '%s' for '%s'", name, c->figure,
             c->claim);
}

// timed: 1 if claims on times are judged too. compared: 1 if the page is compared.
static inline void check_experiment(const Experiment* e, Lab* lab, int timed, int compared) {
  lab->brief = getenv("HEFT_LONG") == NULL;
  experiment_run(e, lab);
  if (lab->error[0]) fail_msg("%s: %s", e->name, lab->error);
  assert_true(lab->claims > 0);
  for (int k = 0; k < lab->claims; ++k)
    if (lab->claim[k].verdict == LAB_FAILS && (timed || !is_time(lab->claim[k].figure)))
      fail_msg("%s: %s: %s", e->name, lab->claim[k].claim, lab->claim[k].figure);
  if (!compared) return;
  char* page = experiment_page();
  for (int k = 0; k < lab->claims; ++k) page_has_claim(page, e->name, lab, &lab->claim[k], timed);
  free(page);
}

#endif
