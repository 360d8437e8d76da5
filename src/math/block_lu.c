// SPDX-License-Identifier: Apache-2.0
// Multifrontal LU [Duff 1983] of a matrix of small blocks.
//
// block_tree.c orders the nodes and finds supernodes. Each supernode is a dense front of its own
// rows and of its border; eliminating the own rows leaves a dense contribution to the border, which
// waits on a stack for the parent. So nearly all arithmetic is products of dense matrices.
//
// Pivots are looked for among the own rows only. The matrices here are close to symmetric positive
// definite ones, so that is enough; the caller's line search notices if it ever is not.
//
// Every sum runs over the same terms in the same order on every machine, so bits do not depend on
// vector width.
#include "math/block_lu.h"
#include "base/assert.h"

#include <math.h>
#include <string.h>

#include "math/block_product.h"

enum { PANEL = 16 };

static void swap_rows(double* a, double* b, int n) {
  for (int k = 0; k < n; ++k) {
    const double t = a[k];
    a[k] = b[k];
    b[k] = t;
  }
}

// Columns k0 .. k1 of the own rows: pivoting, elimination inside of the panel. Returns 0 on a
// vanishing pivot.
HEFT_INLINE int factor_panel(int m, int k0, int k1, double* u, int ldu, int* pivot) {
  for (int k = k0; k < k1; ++k) {
    int best = k;
    for (int i = k + 1; i < m; ++i) {
      if (fabs(u[(size_t)i * ldu + k]) > fabs(u[(size_t)best * ldu + k])) best = i;
    }
    pivot[k] = best;
    HEFT_ASSERT(best >= k && best < m);
    if (best != k) swap_rows(u + (size_t)k * ldu, u + (size_t)best * ldu, ldu);
    const double p = u[(size_t)k * ldu + k];
    if (!(fabs(p) > 0) || !(fabs(p) < HUGE_VAL)) return 0;
    const double inverse = 1 / p;
    for (int i = k + 1; i < m; ++i) {
      double* row = u + (size_t)i * ldu;
      const double f = row[k] * inverse;
      row[k] = f;
      subtract_row(row + k + 1, f, u + (size_t)k * ldu + k + 1, k1 - k - 1);
    }
  }
  return 1;
}

// One front: own rows u (m x (m + b)), border columns l (b x m), contribution c (b x b) -= l u12.
HEFT_SHARED_CLONES
static int factor_front(int m, int b, double* u, double* l, double* c, int* pivot) {
  const int n = m + b;
  HEFT_ASSERT(m >= 0 && b >= 0);
  for (int k0 = 0; k0 < m; k0 += PANEL) {
    const int k1 = k0 + PANEL < m ? k0 + PANEL : m;
    HEFT_ASSERT(k1 > k0 && k1 <= m);
    if (!factor_panel(m, k0, k1, u, n, pivot)) return 0;
    for (int k = k0; k < k1; ++k) {  // rows of the panel, right of it
      for (int i = k + 1; i < k1; ++i) {
        subtract_row(u + (size_t)i * n + k1, u[(size_t)i * n + k], u + (size_t)k * n + k1, n - k1);
      }
    }
    block_multiply_subtract(m - k1, n - k1, k1 - k0, u + (size_t)k1 * n + k0, n,
                            u + (size_t)k0 * n + k1, n, u + (size_t)k1 * n + k1, n);
    for (int k = k0; k < k1; ++k) {  // the border's columns of the panel: x U = l
      const double inverse = 1 / u[(size_t)k * n + k];
      for (int i = 0; i < b; ++i) {
        double* row = l + (size_t)i * m;
        const double f = row[k] * inverse;
        row[k] = f;
        subtract_row(row + k + 1, f, u + (size_t)k * n + k + 1, k1 - k - 1);
      }
    }
    block_multiply_subtract(b, m - k1, k1 - k0, l + k0, m, u + (size_t)k0 * n + k1, n, l + k1, m);
  }
  block_multiply_subtract(b, b, m, l, m, u + m, n, c, b);
  return 1;
}

// ---- analysis

static int take_numbers(BlockLu* lu, Arena* pool, int n, int dim_max) {
  lu->rows_at = arena_take(pool, n, size_t);
  lu->own_size = arena_take(pool, n, int);
  lu->border_size = arena_take(pool, n, int);
  lu->pivot_at = arena_take(pool, n, int);
  lu->where = arena_take(pool, n, int);
  lu->run_to = arena_take(pool, n, int);
  lu->run_end = arena_take(pool, n, int);
  lu->pivots = arena_take(pool, (size_t)n * (size_t)dim_max, int);
  lu->x = arena_take(pool, (size_t)n * (size_t)dim_max, double);
  return !pool->overflow;
}

int block_lu_analyze(BlockLu* lu, Arena pool, BlockGraph graph, int dim_max) {
  lu->dim = NULL;
  pool.overflow = 0;
  if (!take_numbers(lu, &pool, graph.nodes, dim_max)) return 0;
  if (!block_tree_analyze(&lu->tree, &pool, graph, NULL, NULL)) return 0;
  // half of the rest for the factor, a third for the stack
  const size_t rest = (pool.size - pool.used) / sizeof(double);
  lu->factor_room = rest / 16 * 10;
  lu->stack_room = rest / 16 * 5;
  for (int s = 0; s < lu->tree.supernodes; ++s) {  // for block_lu_work() until there are numbers
    lu->own_size[s] = dim_max * (lu->tree.first[s + 1] - lu->tree.first[s]);
    lu->border_size[s] = dim_max * (lu->tree.border_start[s + 1] - lu->tree.border_start[s]);
  }
  lu->factor = arena_take(&pool, lu->factor_room, double);
  lu->stack = arena_take(&pool, lu->stack_room, double);
  return !pool.overflow;
}

// ---- numbers

static int place_nodes(BlockLu* lu, int s) {
  int at = 0;
  for (int k = lu->tree.first[s]; k < lu->tree.first[s + 1]; ++k) {
    lu->where[lu->tree.order[k]] = at;
    at += lu->dim[lu->tree.order[k]];
  }
  lu->own_size[s] = at;
  for (int k = lu->tree.border_start[s]; k < lu->tree.border_start[s + 1]; ++k) {
    lu->where[lu->tree.border[k]] = at;
    at += lu->dim[lu->tree.border[k]];
  }
  lu->border_size[s] = at - lu->own_size[s];
  return at;
}

// The place of entry (row, column) in the present front.
typedef struct Front {
  int m, b;
  double *u, *l, *c;
} Front;

static inline double* front_row(const Front* f, int row, int column) {
  if (row < f->m) return f->u + (size_t)row * (f->m + f->b) + column;
  if (column < f->m) return f->l + (size_t)(row - f->m) * f->m + column;
  return f->c + (size_t)(row - f->m) * f->b + column - f->m;
}

static void add_block(const Front* f, int row, int column, int rows, int columns,
                      const double* block, int stride) {
  for (int a = 0; a < rows; ++a) {
    double* to = front_row(f, row + a, column);
    const double* from = block + a * stride;
    if (columns == 3) {
      to[0] += from[0];
      to[1] += from[1];
      to[2] += from[2];
      continue;
    }
    for (int b = 0; b < columns; ++b) to[b] += from[b];
  }
}

// The entries of the matrix whose earlier node is eliminated here: row p right of the diagonal,
// column p below it.
static void add_matrix(const BlockLu* lu, const Front* f, int s, const size_t* offset,
                       const double* values) {
  for (int k = lu->tree.first[s]; k < lu->tree.first[s + 1]; ++k) {
    const int p = lu->tree.order[k];
    for (int j = lu->tree.graph.start[p]; j < lu->tree.graph.start[p + 1] && lu->dim[p]; ++j) {
      const int q = lu->tree.graph.adjacent[j];
      if (lu->tree.position[q] < lu->tree.first[s] || !lu->dim[q]) continue;
      add_block(f, lu->where[p], lu->where[q], lu->dim[p], lu->dim[q], values + offset[j],
                lu->dim[q]);
      if (lu->tree.position[q] < lu->tree.first[s + 1]) continue;  // an own row itself
      int i = lu->tree.graph.start[q], end = lu->tree.graph.start[q + 1];
      while (i < end - 1 && lu->tree.graph.adjacent[i] < p) {  // binary search for p in row q
        const int middle = (i + end) / 2;
        if (lu->tree.graph.adjacent[middle] <= p) {
          i = middle;
        } else {
          end = middle;
        }
      }
      if (lu->tree.graph.adjacent[i] == p) {
        add_block(f, lu->where[q], lu->where[p], lu->dim[q], lu->dim[p], values + offset[i],
                  lu->dim[p]);
      }
    }
  }
}

// Columns of a child's border that follow each other in the parent's front, too. Returns how many
// such runs there are; run[k] is where run k ends in the child, lu->run_to[k] where it starts in
// the front.
static int find_runs(const BlockLu* lu, const Front* f, int s) {
  int count = 0, at = 0;
  for (int j = lu->tree.border_start[s]; j < lu->tree.border_start[s + 1]; ++j) {
    const int q = lu->tree.border[j], to = lu->where[q], dim = lu->dim[q];
    if (dim == 0) continue;
    const int length = count > 0 ? at - (count > 1 ? lu->run_end[count - 2] : 0) : 0;
    if (count == 0 || lu->run_to[count - 1] + length != to || to == f->m) lu->run_to[count++] = to;
    at += dim;
    lu->run_end[count - 1] = at;
  }
  return count;
}

// Adds the contribution of child s to its parent's front; `where` is the parent's.
HEFT_SHARED_CLONES
static void extend_add(const BlockLu* lu, const Front* f, int s, const double* c) {
  const int stride = lu->border_size[s], runs = find_runs(lu, f, s);
  for (int i = lu->tree.border_start[s]; i < lu->tree.border_start[s + 1]; ++i) {
    const int p = lu->tree.border[i];
    for (int a = 0; a < lu->dim[p]; ++a, c += stride) {
      const int row = lu->where[p] + a;
      double* left =
          row < f->m ? f->u + (size_t)row * (f->m + f->b) : f->l + (size_t)(row - f->m) * f->m;
      double* right = row < f->m ? left + f->m : f->c + (size_t)(row - f->m) * f->b;
      for (int k = 0, from = 0; k < runs; from = lu->run_end[k++]) {
        const int to = lu->run_to[k];
        add_row(to < f->m ? left + to : right + to - f->m, c + from, lu->run_end[k] - from);
      }
    }
  }
}

int block_lu_factor(BlockLu* lu, const int* dim, const size_t* offset, const double* values) {
  size_t used = 0, top = 0;
  int pivots = 0;
  lu->dim = dim;
  for (int s = 0; s < lu->tree.supernodes; ++s) {
    // children are the last supernodes on the stack whose parent is s
    const int n = place_nodes(lu, s), m = lu->own_size[s], b = lu->border_size[s];
    const size_t need = (size_t)m * (size_t)(n + b), contribution = (size_t)b * (size_t)b;
    if (used + need > lu->factor_room || top + contribution > lu->stack_room) return 0;
    const Front f = {m, b, lu->factor + used, lu->factor + used + (size_t)m * n, lu->stack + top};
    memset(f.u, 0, sizeof(double) * need);
    memset(f.c, 0, sizeof(double) * contribution);
    lu->rows_at[s] = used;
    lu->pivot_at[s] = pivots;
    add_matrix(lu, &f, s, offset, values);
    size_t base = top;
    for (int child = s - 1; child >= 0 && base > 0; --child) {
      if (lu->tree.parent[child] != s) {
        if (lu->tree.parent[child] > s || lu->tree.parent[child] < 0)
          break;   // waits for someone later
        continue;  // inside of a child: already used
      }
      base -= (size_t)lu->border_size[child] * (size_t)lu->border_size[child];
      extend_add(lu, &f, child, lu->stack + base);
    }
    if (!factor_front(m, b, f.u, f.l, f.c, lu->pivots + pivots)) return 0;
    memmove(lu->stack + base, f.c, sizeof(double) * contribution);
    top = base + contribution;
    used += need;
    pivots += m;
  }
  return 1;
}

// ---- solving

// Of the nodes of a supernode or of its border; width: right-hand sides, whose numbers are side by
// side for each row.
HEFT_INLINE void gather(const BlockLu* lu, int s, const int* at, int width, const double* x,
                        double* own, int border) {
  const int from = border ? lu->tree.border_start[s] : lu->tree.first[s],
            to = border ? lu->tree.border_start[s + 1] : lu->tree.first[s + 1];
  const int* nodes = border ? lu->tree.border : lu->tree.order;
  for (int k = from; k < to; ++k) {
    const double* node = x + (long)width * at[nodes[k]];
    for (int a = 0; a < width * lu->dim[nodes[k]]; ++a) *own++ = node[a];
  }
}

HEFT_INLINE void scatter(const BlockLu* lu, int s, const int* at, int width, const double* own,
                         double* x, int border) {
  const int from = border ? lu->tree.border_start[s] : lu->tree.first[s],
            to = border ? lu->tree.border_start[s + 1] : lu->tree.first[s + 1];
  const int* nodes = border ? lu->tree.border : lu->tree.order;
  for (int k = from; k < to; ++k) {
    double* node = x + (long)width * at[nodes[k]];
    for (int a = 0; a < width * lu->dim[nodes[k]]; ++a) node[a] = *own++;
  }
}

static void forward(const BlockLu* lu, int s, double* x, double* y) {
  const int m = lu->own_size[s], b = lu->border_size[s], n = m + b;
  const double *u = lu->factor + lu->rows_at[s], *l = u + (size_t)m * n;
  const int* pivot = lu->pivots + lu->pivot_at[s];
  for (int k = 0; k < m; ++k) {
    const double t = x[k];
    x[k] = x[pivot[k]];
    x[pivot[k]] = t;
  }
  for (int k = 0; k < m; ++k) {
    double sum = x[k];
    for (int j = 0; j < k; ++j) sum -= u[(size_t)k * n + j] * x[j];
    x[k] = sum;
  }
  for (int i = 0; i < b; ++i) {
    double sum = y[i];
    for (int j = 0; j < m; ++j) sum -= l[(size_t)i * m + j] * x[j];
    y[i] = sum;
  }
}

static void backward(const BlockLu* lu, int s, double* x, const double* y) {
  const int m = lu->own_size[s], b = lu->border_size[s], n = m + b;
  const double* u = lu->factor + lu->rows_at[s];
  for (int k = m - 1; k >= 0; --k) {
    const double* row = u + (size_t)k * n;
    double sum = x[k];
    for (int j = 0; j < b; ++j) sum -= row[m + j] * y[j];
    for (int j = k + 1; j < m; ++j) sum -= row[j] * x[j];
    x[k] = sum / row[k];
  }
}

void block_lu_solve(const BlockLu* lu, const int* at, double* x) {
  double* work = lu->x;
  for (int s = 0; s < lu->tree.supernodes; ++s) {
    double *own = work, *border = work + lu->own_size[s];
    gather(lu, s, at, 1, x, own, 0);
    gather(lu, s, at, 1, x, border, 1);
    forward(lu, s, own, border);
    scatter(lu, s, at, 1, own, x, 0);
    scatter(lu, s, at, 1, border, x, 1);
  }
  for (int s = lu->tree.supernodes - 1; s >= 0; --s) {
    double *own = work, *border = work + lu->own_size[s];
    gather(lu, s, at, 1, x, own, 0);
    gather(lu, s, at, 1, x, border, 1);
    backward(lu, s, own, border);
    scatter(lu, s, at, 1, own, x, 0);
  }
}

double block_lu_effort(const BlockLu* lu) {
  double sum = 0;
  for (int s = 0; s < lu->tree.supernodes; ++s) {
    const double m = lu->own_size[s], b = lu->border_size[s];
    sum += m * m * m / 3 + m * m * b + m * b * b;
  }
  return sum;
}
