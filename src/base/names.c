// SPDX-License-Identifier: Apache-2.0
// The suggested name is the one with the fewest edits: letters inserted, deleted or exchanged, or
// two neighbours swapped (Damerau). With w the word given and n a name,
//
//   d(i, j) = min of d(i-1, j) + 1, d(i, j-1) + 1, d(i-1, j-1) + (w_i ≠ n_j),
//             and d(i-2, j-2) + 1 where w_i w_{i-1} = n_{j-1} n_j,
//
// stored in three rows. A name is suggested if at most one letter plus a third of the letters of
// the shorter word differ: "panda" does not mean "lambda". Else all names that begin with the word
// are: "hrp2" may mean each of the models of that robot.
#include <heft/base.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/assert.h"

enum { LONGEST = 64, SHOWN = 24, NEAR = 12 };

static int min(int a, int b) { return a < b ? a : b; }

static int edits(const char* w, const char* n) {
  int row[3][LONGEST + 1];
  const int rows = (int)strlen(w), columns = (int)strlen(n);
  if (rows > LONGEST || columns > LONGEST) return LONGEST;
  for (int j = 0; j <= columns; ++j) row[0][j] = j;
  for (int i = 1; i <= rows; ++i) {
    int* now = row[i % 3];
    const int* last = row[(i + 2) % 3];
    now[0] = i;
    for (int j = 1; j <= columns; ++j) {
      now[j] = min(min(last[j], now[j - 1]) + 1, last[j - 1] + (w[i - 1] != n[j - 1]));
      if (i > 1 && j > 1 && w[i - 1] == n[j - 2] && w[i - 2] == n[j - 1])
        now[j] = min(now[j], row[(i + 1) % 3][j - 2] + 1);
    }
  }
  return row[rows % 3][columns];
}

static const char* nearest(const char* given, HeftNames names) {
  const char* best = NULL;
  int fewest = LONGEST;
  for (int i = 0; i < names.count; ++i) {
    const char* name = names.name(names.from, i);
    const int word = (int)strlen(given), length = (int)strlen(name),
              allowed = 1 + min(word, length) / 3;
    const int n = edits(given, name);
    if (!name[0] || n >= fewest || n > allowed) continue;
    fewest = n;
    best = name;
  }
  return best;
}

// Writes the names that begin with the word. Returns how many there are.
static int beginning(const char* given, HeftNames names, char* text, size_t size) {
  const size_t word = strlen(given);
  int count = 0;
  size_t length = 0;
  const char* last = "";
  for (int i = 0; i < names.count && word >= 3; ++i) {
    const char* name = names.name(names.from, i);
    if (strncmp(name, given, word) != 0) continue;
    last = name;
    if (++count > NEAR || length + strlen(name) + 40 > size) continue;
    length += (size_t)snprintf(text + length, size - length, "%s%s",
                               count > 1 ? ", " : "did you mean one of ", name);
  }
  if (count == 1) snprintf(text, size, "did you mean '%s'?", last);
  if (count > 1) snprintf(text + length, size - length, count > NEAR ? " ...?" : "?");
  return count;
}

static void list(HeftNames names, char* text, size_t size) {
  size_t length = 0;
  int shown = 0, left = 0;
  for (int i = 0; i < names.count; ++i) {
    const char* name = names.name(names.from, i);
    if (!name[0]) continue;
    if (shown == SHOWN || length + strlen(name) + 40 > size) {
      ++left;
      continue;
    }
    length += (size_t)snprintf(text + length, size - length, "%s%s",
                               shown++ ? ", " : "these exist: ", name);
  }
  if (shown == 0) snprintf(text, size, "there are none");
  if (left > 0) snprintf(text + length, size - length, " and %d more", left);
}

char* heft_names_hint(HeftNames names, const char* given, char* text, size_t size) {
  HEFT_REQUIRE(text && size > 0, text);
  text[0] = '\0';
  HEFT_REQUIRE(given && (names.name || names.count <= 0), text);
  const char* meant = nearest(given, names);
  if (meant)
    snprintf(text, size, "did you mean '%s'?", meant);
  else if (beginning(given, names, text, size) == 0)
    list(names, text, size);
  return text;
}
