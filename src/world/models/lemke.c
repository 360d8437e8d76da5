// SPDX-License-Identifier: Apache-2.0
// Lemke's method ([Lemke 1965]; [Cottle 1992], section 4.4).
//
// An artificial unknown z0 is added to every row: w - M z - z0 = q. It enters first, in exchange
// for the w of the most negative q, which makes all basic unknowns positive; from then on the
// complement of the unknown that left enters, until z0 leaves. The row with the smallest ratio of
// (q, B⁻¹) to the entering column leaves, in lexicographic order: no basis occurs twice, so that
// the method ends, also if many contacts share one load. For the matrices of contact with a faceted
// cone (copositive) it ends at a solution if there is one.
//
// The pivots determine the basis; the numbers of the tableau have accumulated rounding errors. So
// at the end the equations of the basis are solved again from M and q, and the result is tested. If
// it is no solution, the method starts again with other coefficients of z0, which leads to another
// path.
#include "world/models/lemke.h"

#include <math.h>
#include <string.h>

static const double tiny = 1e-9;   // of the size of a column: not a pivot
static const double tie = 1e-10;   // ratios that differ by less are equal
static const double gone = 1e-11;  // of the first z0: counts as zero
static const double good = 1e-7;   // of the size of q: the error of a solution
enum { PIVOTS_EACH = 40, ATTEMPTS = 3 };

// Columns of the tableau: w 0 .. n - 1, z n .. 2 n - 1, z0, q.
typedef struct Tableau {
  int n, width;
  double* cell;  ///< n rows of width numbers
  double* face;  ///< n: scratch for solving a basis
  int* basis;    ///< n: the column that each row belongs to
} Tableau;

size_t heft_lemke_scratch(int n) {
  const size_t size = (size_t)n;
  return size * (2 * size + 2) + 2 * size + 2;
}

static Tableau lay_out(int n, double* scratch) {
  Tableau t = {.n = n, .width = 2 * n + 2, .cell = scratch};
  t.face = scratch + (size_t)n * (size_t)t.width;
  t.basis = (int*)(t.face + n);
  return t;
}

static double* row_of(const Tableau* t, int row) {
  return t->cell + (size_t)row * (size_t)t->width;
}

// The coefficient of z0 in a row: equal for all rows at first, then varied.
static double cover(int attempt, int row) {
  const double golden = 0.6180339887498949 * row;
  return 1 + attempt * (golden - floor(golden));
}

static void fill(Tableau* t, const double* m, const double* q, int attempt) {
  for (int i = 0; i < t->n; ++i) {
    double* row = row_of(t, i);
    memset(row, 0, (size_t)t->width * sizeof *row);
    row[i] = 1;
    for (int j = 0; j < t->n; ++j) row[t->n + j] = -m[(size_t)i * (size_t)t->n + (size_t)j];
    row[2 * t->n] = -cover(attempt, i);
    row[2 * t->n + 1] = q[i];
    t->basis[i] = i;
  }
}

static void pivot(Tableau* t, int row, int column) {
  double* from = row_of(t, row);
  const double inverse = 1 / from[column];
  for (int j = 0; j < t->width; ++j) from[j] *= inverse;
  from[column] = 1;
  for (int i = 0; i < t->n; ++i) {
    double* to = row_of(t, i);
    const double factor = to[column];
    if (i == row || factor == 0) continue;
    for (int j = 0; j < t->width; ++j) to[j] -= factor * from[j];
    to[column] = 0;
  }
  t->basis[row] = column;
}

// Compares (q, B⁻¹) of two rows, each over its entry in the column: -1 if a comes first.
static int compare(const Tableau* t, int a, int b, int column) {
  const double *x = row_of(t, a), *y = row_of(t, b);
  const double over_x = 1 / x[column], over_y = 1 / y[column];
  for (int k = -1; k < t->n; ++k) {
    const int j = k < 0 ? t->width - 1 : k;
    const double left = x[j] * over_x, right = y[j] * over_y;
    if (fabs(left - right) <= tie * (fabs(left) + fabs(right)) + 1e-300) continue;
    return left < right ? -1 : 1;
  }
  return 0;
}

// The row that leaves; z0 if it may. -1: none, a ray.
static int leaving(const Tableau* t, int column) {
  int best = -1, artificial = -1;
  double size = 0;
  for (int i = 0; i < t->n; ++i) size = fmax(size, fabs(row_of(t, i)[column]));
  for (int i = 0; i < t->n; ++i) {
    if (!(row_of(t, i)[column] > tiny * size)) continue;
    if (t->basis[i] == 2 * t->n) artificial = i;
    if (best < 0 || compare(t, i, best, column) < 0) best = i;
  }
  if (best < 0 || artificial < 0 || artificial == best) return best;
  const double *x = row_of(t, artificial), *y = row_of(t, best);
  const double left = x[t->width - 1] / x[column], right = y[t->width - 1] / y[column];
  return left <= right + 1e-10 * fabs(right) ? artificial : best;
}

// The row of the most negative q, over its cover; of equals the last, which is the first of the
// dictionary.
static int worst_row(const Tableau* t) {
  int worst = -1;
  double min = 0;
  for (int i = 0; i < t->n; ++i) {
    const double* row = row_of(t, i);
    const double q = row[t->width - 1] / -row[2 * t->n];
    if (!(q < 0) || (worst >= 0 && q > min)) continue;
    worst = i;
    min = q;
  }
  return worst;
}

static int complement(const Tableau* t, int column) {
  return column < t->n ? column + t->n : column - t->n;
}

// The present value of z0.
static double artificial(const Tableau* t) {
  for (int i = 0; i < t->n; ++i) {
    if (t->basis[i] == 2 * t->n) return row_of(t, i)[t->width - 1];
  }
  return 0;
}

// Pivots until z0 has left, or is zero to rounding: if all ratios are equal it may stay in the
// basis at zero. Returns the number of pivots, or -1.
static int search(Tableau* t) {
  int row = worst_row(t), column = 2 * t->n;
  double first = 0;
  if (row < 0) return 0;
  for (int pivots = 1; pivots <= PIVOTS_EACH * (t->n + 1); ++pivots) {
    const int left = t->basis[row];
    pivot(t, row, column);
    if (pivots == 1) first = artificial(t);
    if (!(artificial(t) > gone * first)) return pivots;
    column = complement(t, left);
    row = leaving(t, column);
    if (row < 0) return -1;
  }
  return -1;
}

// Gauss with row pivots on a (size x (size + 1)), solution in the last column. 0: singular.
static int eliminate(double* a, int size) {
  const size_t width = (size_t)size + 1;
  for (int k = 0; k < size; ++k) {
    int best = k;
    for (int i = k + 1; i < size; ++i) {
      if (fabs(a[(size_t)i * width + (size_t)k]) > fabs(a[(size_t)best * width + (size_t)k]))
        best = i;
    }
    double *top = a + (size_t)k * width, *swap = a + (size_t)best * width;
    if (!(fabs(swap[k]) > 1e-12)) return 0;
    for (size_t j = 0; j < width && best != k; ++j) {
      const double x = top[j];
      top[j] = swap[j];
      swap[j] = x;
    }
    for (int i = k + 1; i < size; ++i) {
      double* row = a + (size_t)i * width;
      const double factor = row[k] / top[k];
      for (size_t j = (size_t)k; j < width && factor != 0; ++j) row[j] -= factor * top[j];
    }
  }
  for (int k = size - 1; k >= 0; --k) {
    double* row = a + (size_t)k * width;
    for (int j = k + 1; j < size; ++j) row[size] -= row[j] * a[(size_t)j * width + (size_t)size];
    row[size] /= row[k];
  }
  return 1;
}

// M_ZZ z_Z = -q_Z for the basic z, from M itself. The tableau is overwritten.
static void polish(Tableau* t, const double* m, const double* q, double* z) {
  int* chosen = t->basis;
  int size = 0;
  for (int i = 0; i < t->n; ++i) {
    if (z[i] > 0) chosen[size++] = i;
  }
  const size_t width = (size_t)size + 1;
  for (int i = 0; i < size; ++i) {
    const double* row = m + (size_t)chosen[i] * (size_t)t->n;
    for (int j = 0; j < size; ++j) t->cell[(size_t)i * width + (size_t)j] = row[chosen[j]];
    t->cell[(size_t)i * width + (size_t)size] = -q[chosen[i]];
  }
  if (!eliminate(t->cell, size)) return;
  double change = 0, max = 0;
  for (int i = 0; i < size; ++i) {
    t->face[i] = t->cell[(size_t)i * width + (size_t)size];
    change = fmax(change, fabs(t->face[i] - z[chosen[i]]));
    max = fmax(max, z[chosen[i]]);
  }
  if (!(change <= 1e-3 * max)) return;
  for (int i = 0; i < size; ++i) z[chosen[i]] = fmax(0, t->face[i]);
}

// 1 if z solves the problem: the largest |min(w_i, z_i)| is small relative to q.
static int is_solution(int n, const double* m, const double* q, const double* z) {
  double worst = 0, size = 0;
  for (int i = 0; i < n; ++i) {
    double w = q[i];
    for (int j = 0; j < n; ++j) w += m[(size_t)i * (size_t)n + (size_t)j] * z[j];
    worst = fmax(worst, fabs(fmin(w, z[i])));
    size = fmax(size, fabs(q[i]));
  }
  return worst <= good * size;
}

static int attempt_once(Tableau* t, const double* m, const double* q, double* z, int attempt) {
  const int n = t->n;
  fill(t, m, q, attempt);
  const int pivots = search(t);
  memset(z, 0, (size_t)n * sizeof *z);
  if (pivots <= 0) return pivots;
  for (int i = 0; i < n; ++i) {
    if (t->basis[i] >= n && t->basis[i] < 2 * n)
      z[t->basis[i] - n] = fmax(0, row_of(t, i)[t->width - 1]);
  }
  polish(t, m, q, z);
  return is_solution(n, m, q, z) ? pivots : -1;
}

int heft_lemke(int n, const double* m, const double* q, double* z, double* scratch) {
  Tableau t = lay_out(n, scratch);
  int pivots = -1;
  for (int attempt = 0; attempt < ATTEMPTS && pivots < 0; ++attempt)
    pivots = attempt_once(&t, m, q, z, attempt);
  return pivots;
}
