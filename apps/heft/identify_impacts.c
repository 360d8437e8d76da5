// SPDX-License-Identifier: Apache-2.0
// heft identify --impacts: restitution and friction from impacts of a body in a plane, by the law
// of impact that predicts best what its fit has not seen.
#include <stdio.h>
#include <stdlib.h>

#include "identify.h"

enum { COLUMNS = 8 };

// Rows of the log: arms, velocities before and after. NULL: failed (reported).
static HeftImpact* read_impacts(Identify* id) {
  char room[COLUMNS * (LOG_NAME + 1)];
  const char* names[IDENTIFY_NAMES] = {0};
  HeftError error = {0};
  int column[COLUMNS];
  if (identify_split(id->impacts, room, sizeof room, names) != COLUMNS) {
    identify_wrong("--impacts needs eight columns: two arms, three velocities before, three after");
    return NULL;
  }
  for (int k = 0; k < COLUMNS; ++k) {
    column[k] = log_table_need(&id->log, names[k], id->path, &error);
    if (column[k] < 0) return identify_fail(&error), NULL;
  }
  HeftImpact* m = calloc((size_t)id->log.rows + 1, sizeof *m);
  double* x = m ? calloc((size_t)id->log.rows + 1, sizeof *x) : NULL;
  for (int k = 0; k < COLUMNS && x; ++k) {
    log_table_copy(&id->log, column[k], x, 1);
    for (long i = 0; i < id->log.rows; ++i)
      *(k == 0   ? &m[i].arm_away
        : k == 1 ? &m[i].arm_along
        : k < 5  ? &m[i].before[k - 2]
                 : &m[i].after[k - 5]) = x[i];
  }
  if (!x) identify_wrong("there is not enough memory");
  if (!x) free(m);
  free(x);
  return x ? m : NULL;
}

// Odd rows come first.
static void halve(HeftImpact* m, long rows) {
  HeftImpact* copy = malloc((size_t)rows * sizeof *copy);
  for (long i = 0; i < rows && copy; ++i) copy[i] = m[i];
  for (long i = 0; i < rows && copy; ++i)
    m[i] = copy[i < (rows + 1) / 2 ? 2 * i : 2 * (i - (rows + 1) / 2) + 1];
  free(copy);
}

// The law whose fit to one half predicts the other half best.
static int compare_laws(const Identify* id, const HeftImpact* m, HeftError* error) {
  const long rows = id->log.rows, half = (rows + 1) / 2;
  double likelihood[HEFT_IMPACT_LAWS];
  int best = -1;
  for (int law = 0; law < HEFT_IMPACT_LAWS; ++law) {
    HeftImpactFit fit;
    if (heft_identify_impacts((HeftImpactLaw)law, m, half, id->robust, &fit, error) != HEFT_OK)
      return -1;
    likelihood[law] = heft_impact_likelihood(&fit, m + half, rows - half);
    if (best < 0 || likelihood[law] > likelihood[best]) best = law;
  }
  if (id->json) return best;
  printf(
      "%s: %ld impacts\n\n  fitted to the odd rows, log density of an impact of the even rows:\n",
      id->path, rows);
  for (int law = 0; law < HEFT_IMPACT_LAWS; ++law)
    printf("    %-12s %8.3f%s\n", heft_impact_law_name((HeftImpactLaw)law), likelihood[law],
           law == best ? "   the best" : "");
  printf("\n  fitted to all rows:\n");
  return best;
}

int identify_impacts(Identify* id) {
  static const struct {
    const char *name, *unit;
  } parameters[HEFT_IMPACT_PARAMETERS] = {
      {"restitution", ""}, {"friction", ""}, {"gyration squared", "m²"}, {"restitution along", ""}};
  HeftError error = {0};
  HeftImpactFit fit;
  HeftImpact* m = read_impacts(id);
  if (!m) return 0;
  halve(m, id->log.rows);
  const int law = compare_laws(id, m, &error);
  const int well = law >= 0 && heft_identify_impacts((HeftImpactLaw)law, m, id->log.rows,
                                                     id->robust, &fit, &error) == HEFT_OK;
  for (int k = 0; well && k < HEFT_IMPACT_PARAMETERS; ++k) {
    char name[80];
    if (k == HEFT_IMPACT_RETURN && law != HEFT_IMPACT_TANGENTIAL) continue;
    snprintf(name, sizeof name, "%s, %s", parameters[k].name,
             heft_impact_law_name((HeftImpactLaw)law));
    identify_print(id, name, parameters[k].unit, &fit.estimate[k]);
  }
  if (!well) identify_wrong("%s: %s", id->path, error.message);
  free(m);
  return well;
}
