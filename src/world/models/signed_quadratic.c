// SPDX-License-Identifier: Apache-2.0
// Papers: R37, U8.
// Block principal pivoting [Júdice 1994]. Unknowns are free or fixed at zero. The equations of the
// free ones are solved. Free unknowns that are negative become fixed, fixed unknowns whose gradient
// is negative become free: all at once as long as their number decreases, otherwise only the last
// of them (Murty's rule [Murty 1974]), which always ends for a positive matrix.
#include "world/models/signed_quadratic.h"

#include <math.h>
#include <string.h>

enum { PATIENCE = 3, ROUNDS_EACH = 20 };

size_t heft_signed_quadratic_scratch(int n) {
  const size_t size = (size_t)n;
  return size * size + 4 * size;
}

// Cholesky in place, lower triangle of a (size x size). 0: not positive.
static int factor(double* a, int size) {
  for (int j = 0; j < size; ++j) {
    double* row = a + (size_t)j * (size_t)size;
    for (int k = 0; k < j; ++k) {
      const double* above = a + (size_t)k * (size_t)size;
      double sum = row[k];
      for (int i = 0; i < k; ++i) sum -= row[i] * above[i];
      row[k] = sum / above[k];
    }
    double pivot = row[j];
    for (int i = 0; i < j; ++i) pivot -= row[i] * row[i];
    if (!(pivot > 0)) return 0;
    row[j] = sqrt(pivot);
  }
  return 1;
}

static void back_substitute(const double* a, int size, double* b) {
  for (int j = 0; j < size; ++j) {
    for (int k = 0; k < j; ++k) b[j] -= a[(size_t)j * (size_t)size + (size_t)k] * b[k];
    b[j] /= a[(size_t)j * (size_t)size + (size_t)j];
  }
  for (int j = size - 1; j >= 0; --j) {
    for (int k = j + 1; k < size; ++k) b[j] -= a[(size_t)k * (size_t)size + (size_t)j] * b[k];
    b[j] /= a[(size_t)j * (size_t)size + (size_t)j];
  }
}

typedef struct Work {
  int n, size;
  const double *h, *g;
  double *a, *b;  ///< equations of the free unknowns
  int* list;      ///< which they are
  unsigned char* held;
} Work;

static int solve_free(Work* w, double* x) {
  w->size = 0;
  for (int i = 0; i < w->n; ++i) {
    x[i] = 0;
    if (!w->held[i]) w->list[w->size++] = i;
  }
  for (int i = 0; i < w->size; ++i) {
    w->b[i] = w->g[w->list[i]];
    for (int j = 0; j < w->size; ++j)
      w->a[(size_t)i * (size_t)w->size + (size_t)j] =
          w->h[(size_t)w->list[i] * (size_t)w->n + (size_t)w->list[j]];
  }
  if (!factor(w->a, w->size)) return 0;
  back_substitute(w->a, w->size, w->b);
  for (int i = 0; i < w->size; ++i) x[w->list[i]] = w->b[i];
  return 1;
}

static int is_wrong(const Work* w, const double* x, int i, double tolerance) {
  if (!w->held[i]) return x[i] < 0;
  double pull = w->g[i];
  for (int j = 0; j < w->n; ++j) pull -= w->h[(size_t)i * (size_t)w->n + (size_t)j] * x[j];
  return pull > tolerance;
}

int heft_signed_quadratic(int n, const double* h, const double* g, const unsigned char* bounded,
                          double* x, double* scratch) {
  Work w = {.n = n, .h = h, .g = g, .a = scratch};
  w.b = w.a + (size_t)n * (size_t)n;
  w.list = (int*)(w.b + n);
  w.held = (unsigned char*)(w.b + 2L * n);
  double max = 0;
  int best = n + 1, patience = PATIENCE;
  memset(w.held, 0, (size_t)n);
  for (int i = 0; i < n; ++i) max = fmax(max, fabs(g[i]));
  for (int round = 1; round <= ROUNDS_EACH * (n + 1); ++round) {
    if (!solve_free(&w, x)) return -1;
    int wrong = 0, last = -1;
    unsigned char* flip = w.held + n;
    for (int i = 0; i < n; ++i) {
      flip[i] = bounded[i] && is_wrong(&w, x, i, 1e-13 * max);
      wrong += flip[i];
      if (flip[i]) last = i;
    }
    if (wrong == 0) return round;
    patience = wrong < best ? PATIENCE : patience - 1;
    best = wrong < best ? wrong : best;
    for (int i = 0; i < n; ++i) w.held[i] ^= flip[i] && (patience >= 0 || i == last);
  }
  return -1;
}
