// SPDX-License-Identifier: Apache-2.0
// The distance of two names is the least number of edits: letters inserted, left out, exchanged, or
// two neighbours swapped (Damerau). With w the word given and n a name,
//
//   d(i, j) = min of d(i-1, j) + 1, d(i, j-1) + 1, d(i-1, j-1) + (w_i ≠ n_j),
//             and d(i-2, j-2) + 1 where w_i w_{i-1} = n_{j-1} n_j,
//
// kept in three rows.
#include <heft/base.h>
#include <string.h>

#include "base/assert.h"

enum { LONGEST = 64 };

static int smaller(int a, int b) { return a < b ? a : b; }

static int edits(const char* w, const char* n, int rows, int columns) {
  int row[3][LONGEST + 1];
  for (int j = 0; j <= columns; ++j) row[0][j] = j;
  for (int i = 1; i <= rows; ++i) {
    int* now = row[i % 3];
    const int* last = row[(i + 2) % 3];
    now[0] = i;
    for (int j = 1; j <= columns; ++j) {
      now[j] = smaller(smaller(last[j], now[j - 1]) + 1, last[j - 1] + (w[i - 1] != n[j - 1]));
      if (i > 1 && j > 1 && w[i - 1] == n[j - 2] && w[i - 2] == n[j - 1])
        now[j] = smaller(now[j], row[(i + 1) % 3][j - 2] + 1);
    }
  }
  return row[rows % 3][columns];
}

int heft_name_distance(const char* given, const char* name) {
  HEFT_REQUIRE(given && name, -1);
  const size_t rows = strlen(given), columns = strlen(name);
  if (rows > LONGEST || columns > LONGEST || columns == 0) return -1;
  const int count = edits(given, name, (int)rows, (int)columns);
  return count <= 1 + (int)columns / 3 ? count : -1;
}
