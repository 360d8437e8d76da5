// SPDX-License-Identifier: Apache-2.0
// A page of numbers about sweeps: one HTML file that needs nothing else, no script and no network.
// It appears under its name when it is complete, so that a browser never shows a half of it.
#ifndef HEFT_APPS_SWEEP_PAGE_H
#define HEFT_APPS_SWEEP_PAGE_H

#include "sweep_input.h"

typedef struct SweepPage SweepPage;

/// refresh: the browser loads the page again after so many seconds; 0: never. NULL: failed
/// (reported).
SweepPage* sweep_page_open(const char* verb, const char* path, double refresh);
/// Gives the page its name. 0: failed (reported).
int sweep_page_close(SweepPage* page);

void sweep_page_heading(SweepPage* page, const char* text);
__attribute__((format(printf, 2, 3))) void sweep_page_text(SweepPage* page, const char* format,
                                                           ...);
/// A bar of all chunks: those that are stored, in work, and in quarantine.
void sweep_page_bar(SweepPage* page, int64_t all, int64_t done, int64_t running, int64_t bad);
/// A table. heads has `columns` names; NULL: a list of names and values.
void sweep_page_table(SweepPage* page, const char* const* heads, int columns);
__attribute__((format(printf, 3, 4))) void sweep_page_row(SweepPage* page, const char* name,
                                                          const char* format, ...);
void sweep_page_cells(SweepPage* page, const char* const* cells, int columns);
void sweep_page_table_end(SweepPage* page);

/// Chunks in a folder of results.
typedef struct SweepStock {
  int64_t chunks, stored;
  int64_t recent;  ///< that were stored in the last minute
  int64_t bad;     ///< in quarantine
} SweepStock;
SweepStock sweep_page_stock(const SweepInput* input, const char* folder);
/// Chunks in quarantine, with their reasons.
void sweep_page_quarantine(SweepPage* page, const char* folder);
/// States, events, and for each result mean, range and histogram. 0: a file is wrong (reported).
int sweep_page_results(SweepPage* page, const SweepInput* input, const char* folder);

/// A time span in words.
void sweep_page_span(double seconds, char out[32]);

#endif
