// SPDX-License-Identifier: Apache-2.0
// Multifrontal LU [Duff 1983] of a matrix of small blocks.
//
// Ordering: minimum degree on the graph of nodes, with the elimination graph held as bit rows.
// Nodes that are eliminated one after the other with the same border become one supernode. Each
// supernode is a dense front of its own rows and of its border; eliminating the own rows leaves a
// dense contribution to the border, which waits on a stack for the parent. So nearly all arithmetic
// is products of dense matrices.
//
// Pivots are looked for among the own rows only. The matrices here are close to symmetric positive
// definite ones, so that is enough; the caller's line search notices if it ever is not.
//
// Every sum runs over the same terms in the same order on every machine, so bits do not depend on
// vector width.
#include "math/block_lu.h"

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "math/simd.h"

enum { PANEL = 16 };

// ---- dense kernels, row-major

// Four components everywhere: gcc stores eight in memory if the machine has four.

// to -= f from, n numbers.
HEFT_INLINE void subtract_row(double* to, double f, const double* from, int n) {
  int j = 0;
  for (; j + 4 <= n; j += 4) v4_store(to + j, v4_load(to + j) - f * v4_load(from + j));
  for (; j < n; ++j) to[j] -= f * from[j];
}

// to += from, n numbers.
HEFT_INLINE void add_row(double* to, const double* from, int n) {
  int j = 0;
  for (; j + 4 <= n; j += 4) v4_store(to + j, v4_load(to + j) + v4_load(from + j));
  for (; j < n; ++j) to[j] += from[j];
}

// Four rows of c, n columns: c -= a b, k terms.
HEFT_INLINE void multiply_four(int n, int k, const double* a, int lda, const double* b, int ldb,
                               double* c, int ldc) {
  const double *a0 = a, *a1 = a0 + lda, *a2 = a1 + lda, *a3 = a2 + lda;
  double *c0 = c, *c1 = c0 + ldc, *c2 = c1 + ldc, *c3 = c2 + ldc;
  int j = 0;
  for (; j + 8 <= n; j += 8) {
    V4 s0 = v4_load(c0 + j), s1 = v4_load(c1 + j), s2 = v4_load(c2 + j), s3 = v4_load(c3 + j);
    V4 t0 = v4_load(c0 + j + 4), t1 = v4_load(c1 + j + 4), t2 = v4_load(c2 + j + 4),
       t3 = v4_load(c3 + j + 4);
    const double* bj = b + j;
    for (int l = 0; l < k; ++l, bj += ldb) {
      const V4 x = v4_load(bj), y = v4_load(bj + 4);
      s0 -= a0[l] * x;
      t0 -= a0[l] * y;
      s1 -= a1[l] * x;
      t1 -= a1[l] * y;
      s2 -= a2[l] * x;
      t2 -= a2[l] * y;
      s3 -= a3[l] * x;
      t3 -= a3[l] * y;
    }
    v4_store(c0 + j, s0);
    v4_store(c1 + j, s1);
    v4_store(c2 + j, s2);
    v4_store(c3 + j, s3);
    v4_store(c0 + j + 4, t0);
    v4_store(c1 + j + 4, t1);
    v4_store(c2 + j + 4, t2);
    v4_store(c3 + j + 4, t3);
  }
  for (; j + 4 <= n; j += 4) {
    V4 s0 = v4_load(c0 + j), s1 = v4_load(c1 + j), s2 = v4_load(c2 + j), s3 = v4_load(c3 + j);
    const double* bj = b + j;
    for (int l = 0; l < k; ++l, bj += ldb) {
      const V4 x = v4_load(bj);
      s0 -= a0[l] * x;
      s1 -= a1[l] * x;
      s2 -= a2[l] * x;
      s3 -= a3[l] * x;
    }
    v4_store(c0 + j, s0);
    v4_store(c1 + j, s1);
    v4_store(c2 + j, s2);
    v4_store(c3 + j, s3);
  }
  for (; j < n; ++j) {
    double s0 = c0[j], s1 = c1[j], s2 = c2[j], s3 = c3[j];
    for (int l = 0; l < k; ++l) {
      const double x = b[(size_t)l * ldb + j];
      s0 -= a0[l] * x;
      s1 -= a1[l] * x;
      s2 -= a2[l] * x;
      s3 -= a3[l] * x;
    }
    c0[j] = s0;
    c1[j] = s1;
    c2[j] = s2;
    c3[j] = s3;
  }
}

// c (m x n) -= a (m x k) b (k x n).
HEFT_SHARED_CLONES
static void multiply_subtract(int m, int n, int k, const double* a, int lda, const double* b,
                              int ldb, double* c, int ldc) {
  int i = 0;
  for (; i + 4 <= m; i += 4)
    multiply_four(n, k, a + (size_t)i * lda, lda, b, ldb, c + (size_t)i * ldc, ldc);
  for (; i < m; ++i) {
    const double* ai = a + (size_t)i * lda;
    double* ci = c + (size_t)i * ldc;
    int j = 0;
    for (; j + 4 <= n; j += 4) {
      V4 s = v4_load(ci + j);
      for (int l = 0; l < k; ++l) s -= ai[l] * v4_load(b + (size_t)l * ldb + j);
      v4_store(ci + j, s);
    }
    for (; j < n; ++j) {
      double s = ci[j];
      for (int l = 0; l < k; ++l) s -= ai[l] * b[(size_t)l * ldb + j];
      ci[j] = s;
    }
  }
}

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
  for (int k0 = 0; k0 < m; k0 += PANEL) {
    const int k1 = k0 + PANEL < m ? k0 + PANEL : m;
    if (!factor_panel(m, k0, k1, u, n, pivot)) return 0;
    for (int k = k0; k < k1; ++k) {  // rows of the panel, right of it
      for (int i = k + 1; i < k1; ++i) {
        subtract_row(u + (size_t)i * n + k1, u[(size_t)i * n + k], u + (size_t)k * n + k1, n - k1);
      }
    }
    multiply_subtract(m - k1, n - k1, k1 - k0, u + (size_t)k1 * n + k0, n, u + (size_t)k0 * n + k1,
                      n, u + (size_t)k1 * n + k1, n);
    for (int k = k0; k < k1; ++k) {  // the border's columns of the panel: x U = l
      const double inverse = 1 / u[(size_t)k * n + k];
      for (int i = 0; i < b; ++i) {
        double* row = l + (size_t)i * m;
        const double f = row[k] * inverse;
        row[k] = f;
        subtract_row(row + k + 1, f, u + (size_t)k * n + k + 1, k1 - k - 1);
      }
    }
    multiply_subtract(b, m - k1, k1 - k0, l + k0, m, u + (size_t)k0 * n + k1, n, l + k1, m);
  }
  multiply_subtract(b, b, m, l, m, u + m, n, c, b);
  return 1;
}

// ---- ordering

static int count_bits(uint64_t x) { return __builtin_popcountll(x); }

static int degree_of(const uint64_t* row, int words) {
  int sum = 0;
  for (int k = 0; k < words; ++k) sum += count_bits(row[k]);
  return sum;
}

typedef struct Elimination {
  int words;
  uint64_t* bits;            // (nodes x words) neighbours that are still there
  int* degree;               // -1: eliminated
  int* size;                 // length of the border when it was eliminated
  int *found_start, *found;  // borders, one after the other
  size_t found_room;
} Elimination;

static void fill_bits(Elimination* e, const BlockGraph* graph) {
  memset(e->bits, 0, sizeof(uint64_t) * (size_t)graph->nodes * (size_t)e->words);
  for (int p = 0; p < graph->nodes; ++p) {
    uint64_t* row = e->bits + (size_t)p * (size_t)e->words;
    for (int k = graph->start[p]; k < graph->start[p + 1]; ++k) {
      const int q = graph->adjacent[k];
      if (q != p) row[q >> 6] |= (uint64_t)1 << (q & 63);
    }
    e->degree[p] = degree_of(row, e->words);
  }
}

HEFT_SHARED_CLONES
static void merge_neighbours(Elimination* e, int p, const int* border, int count) {
  const uint64_t* from = e->bits + (size_t)p * (size_t)e->words;
  for (int k = 0; k < count; ++k) {
    const int q = border[k];
    uint64_t* to = e->bits + (size_t)q * (size_t)e->words;
    for (int w = 0; w < e->words; ++w) to[w] |= from[w];
    to[q >> 6] &= ~((uint64_t)1 << (q & 63));
    to[p >> 6] &= ~((uint64_t)1 << (p & 63));
    e->degree[q] = degree_of(to, e->words);
  }
}

// Minimum degree, ties to the lowest node. Borders are written down as they are found. 0: no room.
static int eliminate_all(Elimination* e, int nodes, int* order) {
  size_t used = 0;
  for (int k = 0; k < nodes; ++k) {
    int p = -1;
    for (int q = 0; q < nodes; ++q) {
      if (e->degree[q] >= 0 && (p < 0 || e->degree[q] < e->degree[p])) p = q;
    }
    if (used + (size_t)e->degree[p] > e->found_room) return 0;
    order[k] = p;
    e->size[k] = e->degree[p];
    e->found_start[k] = (int)used;
    const uint64_t* row = e->bits + (size_t)p * (size_t)e->words;
    int* border = e->found + used;
    for (int w = 0; w < e->words; ++w) {
      for (uint64_t rest = row[w]; rest; rest &= rest - 1)
        e->found[used++] = 64 * w + __builtin_ctzll(rest);
    }
    e->degree[p] = -1;
    merge_neighbours(e, p, border, e->size[k]);
  }
  e->found_start[nodes] = (int)used;
  return 1;
}

static void sort_by_position(int* nodes, int count, const int* position) {
  for (int i = 1; i < count; ++i) {
    const int node = nodes[i];
    int j = i;
    for (; j > 0 && position[nodes[j - 1]] > position[node]; --j) nodes[j] = nodes[j - 1];
    nodes[j] = node;
  }
}

// ---- analysis

// Consecutive nodes whose borders are nested and equal in size form a supernode.
static void find_supernodes(BlockLu* lu, const Elimination* e) {
  const int n = lu->graph.nodes;
  int count = 0, used = 0;
  for (int k = 0; k < n; ++k) {
    const int* border = e->found + e->found_start[k];
    int joins = k > 0 && e->size[k - 1] == e->size[k] + 1;
    if (joins) {  // the last node must be in touch with this one first of all
      const int* last = e->found + e->found_start[k - 1];
      int nearest = n;
      for (int j = 0; j < e->size[k - 1]; ++j)
        nearest = lu->position[last[j]] < nearest ? lu->position[last[j]] : nearest;
      joins = nearest == k;
    }
    if (joins) used = lu->border_start[count - 1];
    if (!joins) {
      lu->first[count] = k;
      lu->border_start[count++] = used;
    }
    memmove(lu->border + used, border, sizeof(int) * (size_t)e->size[k]);
    used += e->size[k];
    sort_by_position(lu->border + lu->border_start[count - 1], e->size[k], lu->position);
  }
  lu->supernodes = count;
  lu->first[count] = n;
  lu->border_start[count] = used;
}

// Renumbers the supernodes so that children come right before their parents, as the stack needs.
static void postorder(BlockLu* lu, int* scratch, int* supernode_of, int* next, int* head) {
  const int count = lu->supernodes;
  int placed = 0;
  for (int s = 0; s < count; ++s) {
    for (int k = lu->first[s]; k < lu->first[s + 1]; ++k) supernode_of[lu->order[k]] = s;
    head[s] = -1;
  }
  head[count] = -1;
  for (int s = count - 1; s >= 0; --s) {  // children in rising order
    const int has = lu->border_start[s + 1] > lu->border_start[s];
    lu->parent[s] = has ? supernode_of[lu->border[lu->border_start[s]]] : -1;
    const int parent = has ? lu->parent[s] : count;
    next[s] = head[parent];
    head[parent] = s;
  }
  int at = head[count];
  while (at >= 0) {  // down to the first leaf, number it, go on with its brother or its parent
    while (head[at] >= 0) {
      const int child = head[at];
      head[at] = next[child];
      next[child] = at;  // the list, reversed
      at = child;
    }
    scratch[placed++] = at;
    at = next[at];  // the parent of a child, the next root of a root
  }
  HEFT_ASSERT(placed == count);
}

static int take_symbolic(BlockLu* lu, Arena* pool, int n) {
  lu->order = arena_take(pool, n, int);
  lu->position = arena_take(pool, n, int);
  lu->first = arena_take(pool, n + 1, int);
  lu->parent = arena_take(pool, n + 1, int);
  lu->border_start = arena_take(pool, n + 1, int);
  lu->rows_at = arena_take(pool, n, size_t);
  lu->own_size = arena_take(pool, n, int);
  lu->border_size = arena_take(pool, n, int);
  lu->pivot_at = arena_take(pool, n, int);
  lu->where = arena_take(pool, n, int);
  lu->run_to = arena_take(pool, n, int);
  lu->run_end = arena_take(pool, n, int);
  return !pool->overflow;
}

static int run_elimination(BlockLu* lu, Arena scratch, size_t border_room) {
  const int n = lu->graph.nodes;
  Elimination e = {.words = (n + 63) / 64, .found_room = border_room};
  e.bits = arena_take(&scratch, (size_t)n * (size_t)e.words, uint64_t);
  e.degree = arena_take(&scratch, n, int);
  e.size = arena_take(&scratch, n, int);
  e.found_start = arena_take(&scratch, n + 1, int);
  e.found = arena_take(&scratch, border_room, int);
  if (scratch.overflow) return 0;
  fill_bits(&e, &lu->graph);
  if (!eliminate_all(&e, n, lu->order)) return 0;
  for (int k = 0; k < n; ++k) lu->position[lu->order[k]] = k;
  find_supernodes(lu, &e);
  return 1;
}

// Puts the supernodes into the order found by postorder().
static int renumber(BlockLu* lu, Arena scratch) {
  const int count = lu->supernodes, n = lu->graph.nodes, borders = lu->border_start[count];
  int* sequence = arena_take(&scratch, count, int);
  int* supernode_of = arena_take(&scratch, n, int);
  int *next = arena_take(&scratch, count, int), *head = arena_take(&scratch, count + 1, int);
  int *order = arena_take(&scratch, n, int), *first = arena_take(&scratch, count + 1, int);
  int *start = arena_take(&scratch, count + 1, int), *border = arena_take(&scratch, borders, int);
  int *parent = arena_take(&scratch, count, int), *number = arena_take(&scratch, count, int);
  if (scratch.overflow) return 0;
  postorder(lu, sequence, supernode_of, next, head);
  int at = 0, used = 0;
  for (int k = 0; k < count; ++k) number[sequence[k]] = k;
  for (int k = 0; k < count; ++k) {
    const int s = sequence[k];
    first[k] = at;
    start[k] = used;
    parent[k] = lu->parent[s] < 0 ? -1 : number[lu->parent[s]];
    for (int j = lu->first[s]; j < lu->first[s + 1]; ++j) order[at++] = lu->order[j];
    for (int j = lu->border_start[s]; j < lu->border_start[s + 1]; ++j)
      border[used++] = lu->border[j];
  }
  first[count] = at;
  start[count] = used;
  memcpy(lu->order, order, sizeof(int) * (size_t)n);
  memcpy(lu->first, first, sizeof(int) * (size_t)(count + 1));
  memcpy(lu->border_start, start, sizeof(int) * (size_t)(count + 1));
  memcpy(lu->border, border, sizeof(int) * (size_t)borders);
  memcpy(lu->parent, parent, sizeof(int) * (size_t)count);
  for (int k = 0; k < n; ++k) lu->position[lu->order[k]] = k;
  for (int k = 0; k < count; ++k) {
    sort_by_position(lu->border + lu->border_start[k],
                     lu->border_start[k + 1] - lu->border_start[k], lu->position);
  }
  return 1;
}

int block_lu_analyze(BlockLu* lu, Arena pool, BlockGraph graph, int dim_max) {
  const int n = graph.nodes;
  lu->graph = graph;
  lu->dim = NULL;
  pool.overflow = 0;
  if (!take_symbolic(lu, &pool, n)) return 0;
  lu->pivots = arena_take(&pool, (size_t)n * (size_t)dim_max, int);
  lu->x = arena_take(&pool, (size_t)n * (size_t)dim_max, double);
  const size_t border_room = (pool.size - pool.used) / 16 / sizeof(int);
  lu->border = arena_take(&pool, border_room, int);
  if (pool.overflow || !run_elimination(lu, pool, border_room) || !renumber(lu, pool)) return 0;
  // half of the rest for the factor, a third for the stack
  const size_t rest = (pool.size - pool.used) / sizeof(double);
  lu->factor_room = rest / 16 * 10;
  lu->stack_room = rest / 16 * 5;
  for (int s = 0; s < lu->supernodes; ++s) {  // for block_lu_work() until there are numbers
    lu->own_size[s] = dim_max * (lu->first[s + 1] - lu->first[s]);
    lu->border_size[s] = dim_max * (lu->border_start[s + 1] - lu->border_start[s]);
  }
  lu->factor = arena_take(&pool, lu->factor_room, double);
  lu->stack = arena_take(&pool, lu->stack_room, double);
  return !pool.overflow;
}

// ---- numbers

static int place_nodes(BlockLu* lu, int s) {
  int at = 0;
  for (int k = lu->first[s]; k < lu->first[s + 1]; ++k) {
    lu->where[lu->order[k]] = at;
    at += lu->dim[lu->order[k]];
  }
  lu->own_size[s] = at;
  for (int k = lu->border_start[s]; k < lu->border_start[s + 1]; ++k) {
    lu->where[lu->border[k]] = at;
    at += lu->dim[lu->border[k]];
  }
  lu->border_size[s] = at - lu->own_size[s];
  return at;
}

// Where entry (row, column) of the present front stands.
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
  for (int k = lu->first[s]; k < lu->first[s + 1]; ++k) {
    const int p = lu->order[k];
    for (int j = lu->graph.start[p]; j < lu->graph.start[p + 1] && lu->dim[p]; ++j) {
      const int q = lu->graph.adjacent[j];
      if (lu->position[q] < lu->first[s] || !lu->dim[q]) continue;
      add_block(f, lu->where[p], lu->where[q], lu->dim[p], lu->dim[q], values + offset[j],
                lu->dim[q]);
      if (lu->position[q] < lu->first[s + 1]) continue;  // an own row itself
      int i = lu->graph.start[q], end = lu->graph.start[q + 1];
      while (i < end - 1 && lu->graph.adjacent[i] < p) {  // binary search for p in row q
        const int middle = (i + end) / 2;
        if (lu->graph.adjacent[middle] <= p) {
          i = middle;
        } else {
          end = middle;
        }
      }
      if (lu->graph.adjacent[i] == p) {
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
  for (int j = lu->border_start[s]; j < lu->border_start[s + 1]; ++j) {
    const int q = lu->border[j], to = lu->where[q], dim = lu->dim[q];
    if (dim == 0) continue;
    const int length = count > 0 ? at - (count > 1 ? lu->run_end[count - 2] : 0) : 0;
    if (count == 0 || lu->run_to[count - 1] + length != to || to == f->m) lu->run_to[count++] = to;
    at += dim;
    lu->run_end[count - 1] = at;
  }
  return count;
}

// Adds the contribution of child s to its parent's front; `where` is that of the parent.
HEFT_SHARED_CLONES
static void extend_add(const BlockLu* lu, const Front* f, int s, const double* c) {
  const int stride = lu->border_size[s], runs = find_runs(lu, f, s);
  for (int i = lu->border_start[s]; i < lu->border_start[s + 1]; ++i) {
    const int p = lu->border[i];
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
  for (int s = 0; s < lu->supernodes; ++s) {
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
      if (lu->parent[child] != s) {
        if (lu->parent[child] > s || lu->parent[child] < 0) break;  // waits for someone later
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

// Of the nodes of a supernode or of its border; width: right-hand sides, whose numbers stand side
// by side for each row.
HEFT_INLINE void gather(const BlockLu* lu, int s, const int* at, int width, const double* x,
                        double* own, int border) {
  const int from = border ? lu->border_start[s] : lu->first[s],
            to = border ? lu->border_start[s + 1] : lu->first[s + 1];
  const int* nodes = border ? lu->border : lu->order;
  for (int k = from; k < to; ++k) {
    const double* node = x + (long)width * at[nodes[k]];
    for (int a = 0; a < width * lu->dim[nodes[k]]; ++a) *own++ = node[a];
  }
}

HEFT_INLINE void scatter(const BlockLu* lu, int s, const int* at, int width, const double* own,
                         double* x, int border) {
  const int from = border ? lu->border_start[s] : lu->first[s],
            to = border ? lu->border_start[s + 1] : lu->first[s + 1];
  const int* nodes = border ? lu->border : lu->order;
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
  for (int s = 0; s < lu->supernodes; ++s) {
    double *own = work, *border = work + lu->own_size[s];
    gather(lu, s, at, 1, x, own, 0);
    gather(lu, s, at, 1, x, border, 1);
    forward(lu, s, own, border);
    scatter(lu, s, at, 1, own, x, 0);
    scatter(lu, s, at, 1, border, x, 1);
  }
  for (int s = lu->supernodes - 1; s >= 0; --s) {
    double *own = work, *border = work + lu->own_size[s];
    gather(lu, s, at, 1, x, own, 0);
    gather(lu, s, at, 1, x, border, 1);
    backward(lu, s, own, border);
    scatter(lu, s, at, 1, own, x, 0);
  }
}

// ---- four right-hand sides at once: four numbers side by side for each of one

// out - Σ a_j x_j
HEFT_INLINE V4 subtract_four(V4 out, const double* a, const double* x, int n) {
  for (int j = 0; j < n; ++j) out -= a[j] * v4_load(x + 4L * j);
  return out;
}

HEFT_SHARED_CLONES
static void forward_four(const BlockLu* lu, int s, double* x, double* y) {
  const int m = lu->own_size[s], b = lu->border_size[s], n = m + b;
  const double *u = lu->factor + lu->rows_at[s], *l = u + (size_t)m * n;
  const int* pivot = lu->pivots + lu->pivot_at[s];
  for (int k = 0; k < m; ++k) {
    const V4 t = v4_load(x + 4L * k);
    v4_store(x + 4L * k, v4_load(x + 4L * pivot[k]));
    v4_store(x + 4L * pivot[k], t);
  }
  for (int k = 0; k < m; ++k)
    v4_store(x + 4L * k, subtract_four(v4_load(x + 4L * k), u + (size_t)k * n, x, k));
  for (int i = 0; i < b; ++i)
    v4_store(y + 4L * i, subtract_four(v4_load(y + 4L * i), l + (size_t)i * m, x, m));
}

HEFT_SHARED_CLONES
static void backward_four(const BlockLu* lu, int s, double* x, const double* y) {
  const int m = lu->own_size[s], b = lu->border_size[s], n = m + b;
  const double* u = lu->factor + lu->rows_at[s];
  for (int k = m - 1; k >= 0; --k) {
    const double* row = u + (size_t)k * n;
    V4 sum = subtract_four(v4_load(x + 4L * k), row + m, y, b);
    sum = subtract_four(sum, row + k + 1, x + 4L * (k + 1), m - k - 1);
    v4_store(x + 4L * k, sum / row[k]);
  }
}

void block_lu_solve_four(const BlockLu* lu, const int* at, double* x, double* work) {
  for (int s = 0; s < lu->supernodes; ++s) {
    double *own = work, *border = work + 4L * lu->own_size[s];
    gather(lu, s, at, 4, x, own, 0);
    gather(lu, s, at, 4, x, border, 1);
    forward_four(lu, s, own, border);
    scatter(lu, s, at, 4, own, x, 0);
    scatter(lu, s, at, 4, border, x, 1);
  }
  for (int s = lu->supernodes - 1; s >= 0; --s) {
    double *own = work, *border = work + 4L * lu->own_size[s];
    gather(lu, s, at, 4, x, own, 0);
    gather(lu, s, at, 4, x, border, 1);
    backward_four(lu, s, own, border);
    scatter(lu, s, at, 4, own, x, 0);
  }
}

int block_lu_sign(const BlockLu* lu) {
  int sign = 1;
  for (int s = 0; s < lu->supernodes; ++s) {
    const int m = lu->own_size[s], n = m + lu->border_size[s];
    const double* u = lu->factor + lu->rows_at[s];
    const int* pivot = lu->pivots + lu->pivot_at[s];
    for (int k = 0; k < m; ++k) {
      if ((u[(size_t)k * n + k] < 0) != (pivot[k] != k)) sign = -sign;
    }
  }
  return sign;
}

double block_lu_effort(const BlockLu* lu) {
  double sum = 0;
  for (int s = 0; s < lu->supernodes; ++s) {
    const double m = lu->own_size[s], b = lu->border_size[s];
    sum += m * m * m / 3 + m * m * b + m * b * b;
  }
  return sum;
}
