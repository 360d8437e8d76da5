// SPDX-License-Identifier: Apache-2.0
// Multifrontal Cholesky factor ([Duff 1983], with half of its numbers) of a matrix of blocks of
// 3 x 3.
//
// A supernode s with m own rows and a border of b rows has a dense front, of which the lower
// triangle is held. Eliminating the own rows leaves L₁₁ (m x m), L₂₁ (b x m), and the contribution
// -L₂₁ L₂₁ᵀ to the border, which waits on a stack for the parent.
//
// A⁻¹ between some nodes C. With the columns E of the identity that belong to C,
//
//     A⁻¹_CC = Eᵀ L⁻ᵀ L⁻¹ E = Yᵀ Y,      Y = L⁻¹ E,
//
// only the forward half of a solution is needed. A column of Y is zero outside of the path from its
// node to the root. Nodes below s follow each other in the order of elimination, so that the
// columns which are not zero in the rows of s are a range, too. In these rows
//
//     Y_s = L₁₁⁻¹ R_s,      A⁻¹_CC += Y_sᵀ Y_s,      R_border -= L₂₁ Y_s,
//
// all of them products of dense matrices; R waits on the stack for the parent, and Y_s is not
// needed any more.
//
// Every sum runs over the same terms in the same order on every machine.
#include "math/block_cholesky.h"

#include <math.h>
#include <string.h>

#include "math/block_product.h"

enum {
  PANEL = PANEL_MAX,  // columns that are eliminated together
  STRIPE = 32,        // rows of a triangle that are multiplied together
  DEPTH = 64          // terms of a product, so that its factors stay in the cache
};

static int own_size(const BlockTree* t, int s) { return 3 * (t->first[s + 1] - t->first[s]); }

static int border_size(const BlockTree* t, int s) {
  return 3 * (t->border_start[s + 1] - t->border_start[s]);
}

// The child before `child` of the same parent s; the last one of all is s - 1. Returns -1 after the
// first one.
static int child_before(const BlockTree* t, int s, int child) {
  const int before = (child < 0 ? s : t->subtree[child]) - 1;
  return before >= t->subtree[s] ? before : -1;
}

// ---- columns of the identity

typedef struct Range {
  int first, end;  ///< of the given nodes
} Range;

// How many of the nodes precede a position.
static int nodes_before(const BlockTree* t, int count, const int* nodes, int position) {
  int low = 0, high = count;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (t->position[nodes[middle]] < position) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

// Those in a supernode and below it.
static Range range_below(const BlockTree* t, int count, const int* nodes, int s) {
  return (Range){nodes_before(t, count, nodes, t->first[t->subtree[s]]),
                 nodes_before(t, count, nodes, t->first[s + 1])};
}

static size_t columns_of(Range r) { return 3 * (size_t)(r.end - r.first); }

// ---- memory

static size_t larger(size_t a, size_t b) { return a > b ? a : b; }

// Numbers of L of a supernode.
static double weight_of(const BlockTree* t, int s) {
  return (double)own_size(t, s) * (own_size(t, s) + border_size(t, s));
}

// Subtrees that threads share: the heaviest is replaced by its children, as long as there are fewer
// than CHOLESKY_TASKS. They depend on the tree only.
static void find_tasks(const BlockTree* t, CholeskyRoom* room) {
  int count = 0, *root = room->root;
  for (int s = t->supernodes - 1; s >= 0 && count < CHOLESKY_TASKS; s = t->subtree[s] - 1)
    root[count++] = s;
  while (count > 0 && count < CHOLESKY_TASKS) {
    int heaviest = -1, children[CHOLESKY_TASKS], found = 0;
    double most = 0;
    for (int k = 0; k < count; ++k) {
      double weight = 0;
      for (int s = t->subtree[root[k]]; s <= root[k]; ++s) weight += weight_of(t, s);
      if (weight > most && t->subtree[root[k]] < root[k]) heaviest = k;
      most = weight > most ? weight : most;
    }
    if (heaviest < 0) break;
    int child = child_before(t, root[heaviest], -1);
    for (; child >= 0 && found < CHOLESKY_TASKS; child = child_before(t, root[heaviest], child))
      children[found++] = child;
    if (child >= 0 || count - 1 + found > CHOLESKY_TASKS) break;
    root[heaviest] = root[--count];
    for (int k = 0; k < found; ++k) root[count++] = children[k];
  }
  for (int i = 1; i < count; ++i) {  // rising
    for (int k = i; k > 0 && root[k - 1] > root[k]; --k) {
      const int other = root[k];
      root[k] = root[k - 1];
      root[k - 1] = other;
    }
  }
  room->tasks = count > 1 ? count : 0;
}

// The supernodes of a lane in order; each task is one step of the last lane, to its root.
typedef struct Walk {
  int s, end, task;  ///< task: the next one
} Walk;

static Walk begin_walk(const BlockTree* t, const CholeskyRoom* room, int lane) {
  if (lane == room->tasks) return (Walk){0, t->supernodes, 0};
  return (Walk){t->subtree[room->root[lane]], room->root[lane] + 1, CHOLESKY_TASKS};
}

// The task that begins at the present supernode, which becomes its root; -1: none.
static int enter_task(const BlockTree* t, const CholeskyRoom* room, Walk* w) {
  if (w->task >= room->tasks || t->subtree[room->root[w->task]] != w->s) return -1;
  w->s = room->root[w->task];
  return w->task++;
}

static void measure_lane(const BlockTree* t, const CholeskyRoom* room, int lane, int count,
                         const int* nodes, CholeskySize* size) {
  size_t top = 0, top_between = 0, stack = 0;  // tops of the stack of each kind
  for (Walk w = begin_walk(t, room, lane); w.s < w.end; ++w.s) {
    const int task = enter_task(t, room, &w), s = w.s;
    const size_t m = (size_t)own_size(t, s), b = (size_t)border_size(t, s),
                 k = columns_of(range_below(t, count, nodes, s));
    if (task < 0) {
      size->factor += m * (m + b);
      stack = larger(stack, larger(top + b * b, top_between + (m + b) * k));
      size->turned = larger(size->turned, m * larger(PANEL, larger(b, k)));
    }
    for (int child = task < 0 ? child_before(t, s, -1) : -1; child >= 0;
         child = child_before(t, s, child)) {
      const size_t own = (size_t)border_size(t, child);
      top -= own * own;
      top_between -= own * columns_of(range_below(t, count, nodes, child));
    }
    top += b * b;
    top_between += b * k;
    stack = larger(stack, larger(top, top_between));
  }
  size->stack[lane] = stack;
}

CholeskySize block_cholesky_size(const BlockTree* t, int count, const int* nodes) {
  CholeskySize size = {.factor = 0};
  CholeskyRoom room;
  find_tasks(t, &room);
  for (int k = 0; k <= room.tasks; ++k) measure_lane(t, &room, k, count, nodes, &size);
  return size;
}

void block_cholesky_room(CholeskyRoom* room, const BlockTree* t, CholeskySize size, Arena* arena) {
  room->pool = NULL;
  find_tasks(t, room);
  for (int k = 0; k <= room->tasks; ++k) {
    CholeskyLane* lane = &room->lane[k];
    lane->stack = arena_take(arena, size.stack[k], double);
    lane->turned = arena_take(arena, size.turned, double);
    lane->work = arena_take(arena, 12 * (size_t)t->graph.nodes, double);
    lane->sum = arena_take(arena, 3 * (size_t)t->graph.nodes, double);
    lane->where = arena_take(arena, t->graph.nodes, int);
    lane->place = arena_take(arena, t->graph.nodes, int);
  }
}

void block_cholesky_take(BlockCholesky* c, const BlockTree* t, const CholeskyRoom* room,
                         CholeskySize size, Arena* arena) {
  c->tree = t;
  c->room = room;
  c->at = arena_take(arena, t->supernodes, size_t);
  c->factor = arena_take(arena, size.factor, double);
  c->inverse = arena_take(arena, 3 * (size_t)t->graph.nodes, double);
}

// ---- a front

/// Rows of own nodes, then of the border: m numbers each; the rest of the border's rows is in c.
typedef struct Front {
  int m, b;
  double *l, *c;
} Front;

static void place_nodes(const BlockTree* t, int s, int* where) {
  int at = 0;
  for (int k = t->first[s]; k < t->first[s + 1]; ++k, at += 3) where[t->order[k]] = at;
  for (int k = t->border_start[s]; k < t->border_start[s + 1]; ++k, at += 3)
    where[t->border[k]] = at;
}

// The columns of own nodes: the transposed blocks of their rows.
static void add_matrix(const BlockTree* t, const Front* f, int s, const double* values,
                       const int* where) {
  for (int k = t->first[s]; k < t->first[s + 1]; ++k) {
    const int p = t->order[k];
    for (int j = t->graph.start[p]; j < t->graph.start[p + 1]; ++j) {
      const int q = t->graph.adjacent[j];
      if (t->position[q] < k) continue;
      const double* block = values + 9L * j;
      double* to = f->l + (size_t)where[q] * f->m + where[p];
      for (int a = 0; a < 3; ++a, to += f->m) {
        to[0] += block[a];
        to[1] += block[3 + a];
        to[2] += block[6 + a];
      }
    }
  }
}

static inline void add_three(double* to, const double* from) {
  to[0] += from[0];
  to[1] += from[1];
  to[2] += from[2];
}

// The lower triangle of what a child has left.
static void extend_add(const BlockTree* t, const Front* f, int child, const double* from,
                       const CholeskyLane* lane) {
  const int nodes = t->border_start[child + 1] - t->border_start[child], stride = 3 * nodes;
  const int* border = t->border + t->border_start[child];
  int* place = lane->place;
  int inside = 0;  // nodes that are own rows here
  for (int i = 0; i < nodes; ++i) {
    place[i] = lane->where[border[i]];
    inside += place[i] < f->m;
  }
  for (int i = 0; i < nodes; ++i) {
    for (int a = 0; a < 3; ++a, from += stride) {
      const int row = place[i] + a;
      double *left = f->l + (size_t)row * f->m, *right = f->c + (ptrdiff_t)(row - f->m) * f->b;
      int j = 0;
      for (; j <= i && j < inside; ++j) add_three(left + place[j], from + 3 * j);
      for (; j <= i; ++j) add_three(right + place[j] - f->m, from + 3 * j);
    }
  }
}

// to (columns x rows) := fromᵀ (rows x columns).
HEFT_INLINE void transpose(int rows, int columns, const double* from, int stride, double* to) {
  for (int i = 0; i < rows; ++i, from += stride) {
    for (int j = 0; j < columns; ++j) to[(size_t)j * rows + i] = from[j];
  }
}

// c (n x n, its lower triangle) -= a (n x k) b (k x n).
static void multiply_triangle(int n, int k, const double* a, int lda, const double* b, int ldb,
                              double* c, int ldc) {
  for (int l = 0; l < k; l += DEPTH) {
    const int terms = k - l < DEPTH ? k - l : DEPTH;
    for (int i = 0; i < n; i += STRIPE) {
      const int rows = n - i < STRIPE ? n - i : STRIPE;
      block_multiply_subtract(rows, i + rows, terms, a + (size_t)i * lda + l, lda,
                              b + (size_t)l * ldb, ldb, c + (size_t)i * ldc, ldc);
    }
  }
}

// Columns k0 .. k1, all rows from k0 on.
HEFT_SHARED_CLONES
static int factor_panel(int n, int m, int k0, int k1, double* l, double* inverse) {
  for (int k = k0; k < k1; ++k) {
    const double d = l[(size_t)k * m + k];
    if (!(d > 0 && d < HUGE_VAL)) return 0;
    double column[PANEL];  // of L, below the diagonal of the panel
    inverse[k] = 1 / sqrt(d);
    l[(size_t)k * m + k] = d * inverse[k];
    for (int i = k + 1; i < k1; ++i) column[i - k - 1] = l[(size_t)i * m + k] * inverse[k];
    for (int i = k + 1; i < n; ++i) {
      double* row = l + (size_t)i * m;
      row[k] *= inverse[k];
      subtract_row(row + k + 1, row[k], column, k1 - k - 1);
    }
  }
  return 1;
}

static int factor_front(const Front* f, double* inverse, double* turned) {
  const int m = f->m, b = f->b, n = m + b;
  for (int k0 = 0; k0 < m; k0 += PANEL) {
    const int k1 = k0 + PANEL < m ? k0 + PANEL : m, rest = m - k1;
    if (!factor_panel(n, m, k0, k1, f->l, inverse)) return 0;
    if (rest == 0) continue;
    double *below = f->l + (size_t)k1 * m, *border = f->l + (size_t)m * m;
    transpose(rest, k1 - k0, below + k0, m, turned);
    multiply_triangle(rest, k1 - k0, below + k0, m, turned, rest, below + k1, m);
    block_multiply_subtract(b, rest, k1 - k0, border + k0, m, turned, rest, border + k1, m);
  }
  if (b > 0) {
    const double* border = f->l + (size_t)m * m;
    transpose(b, m, border, m, turned);
    multiply_triangle(b, m, border, m, turned, b, f->c, b);
  }
  return 1;
}

// A factorisation, as threads see it.
typedef struct FactorWork {
  const BlockCholesky* c;
  const double* values;
  int failed[CHOLESKY_TASKS + 1];
} FactorWork;

static void factor_lane(void* arg, int worker, int index) {
  FactorWork* work = arg;
  const BlockCholesky* c = work->c;
  const BlockTree* t = c->tree;
  const CholeskyLane* lane = &c->room->lane[index];
  size_t top = 0;
  (void)worker;
  for (Walk w = begin_walk(t, c->room, index); w.s < w.end; ++w.s) {
    const int task = enter_task(t, c->room, &w), s = w.s;
    const int m = own_size(t, s), b = border_size(t, s);
    const size_t size = (size_t)m * (size_t)(m + b), left = (size_t)b * (size_t)b;
    const Front f = {m, b, c->factor + c->at[s], lane->stack + top};
    if (task >= 0) {
      memcpy(f.c, c->room->lane[task].stack, sizeof(double) * left);
      top += left;
      continue;
    }
    memset(f.l, 0, sizeof(double) * size);
    memset(f.c, 0, sizeof(double) * left);
    place_nodes(t, s, lane->where);
    add_matrix(t, &f, s, work->values, lane->where);
    for (int child = child_before(t, s, -1); child >= 0; child = child_before(t, s, child)) {
      top -= (size_t)border_size(t, child) * (size_t)border_size(t, child);
      extend_add(t, &f, child, lane->stack + top, lane);
    }
    work->failed[index] = !factor_front(&f, c->inverse + 3L * t->first[s], lane->turned);
    if (work->failed[index]) return;
    memmove(lane->stack + top, f.c, sizeof(double) * left);
    top += left;
  }
}

int block_cholesky_factor(const BlockCholesky* c, const double* values) {
  const BlockTree* t = c->tree;
  const int tasks = c->room->tasks;
  FactorWork work = {.c = c, .values = values};
  size_t used = 0;
  for (int s = 0; s < t->supernodes; ++s) {
    c->at[s] = used;
    used += (size_t)own_size(t, s) * (size_t)(own_size(t, s) + border_size(t, s));
  }
  heft_pool_run(c->room->pool, tasks, factor_lane, &work);
  for (int k = 0; k < tasks; ++k) {
    if (work.failed[k]) return 0;
  }
  factor_lane(&work, 0, tasks);
  return !work.failed[tasks];
}

// ---- solving

// The numbers of the nodes of a supernode, then of its border, `width` side by side.
HEFT_INLINE void gather(const BlockTree* t, int s, int width, const double* x, double* out) {
  const size_t bytes = sizeof(double) * 3 * (size_t)width;
  for (int k = t->first[s]; k < t->first[s + 1]; ++k, out += 3 * width)
    memcpy(out, x + 3L * width * t->order[k], bytes);
  for (int k = t->border_start[s]; k < t->border_start[s + 1]; ++k, out += 3 * width)
    memcpy(out, x + 3L * width * t->border[k], bytes);
}

HEFT_INLINE void scatter(const BlockTree* t, int s, int width, const double* from, int border,
                         double* x) {
  const size_t bytes = sizeof(double) * 3 * (size_t)width;
  for (int k = t->first[s]; k < t->first[s + 1]; ++k, from += 3 * width)
    memcpy(x + 3L * width * t->order[k], from, bytes);
  for (int k = t->border_start[s]; k < t->border_start[s + 1] && border; ++k, from += 3 * width)
    memcpy(x + 3L * width * t->border[k], from, bytes);
}

HEFT_INLINE double dot(const double* a, const double* b, int n) {
  V4 sum0 = v4_all(0), sum1 = v4_all(0);
  int j = 0;
  for (; j + 8 <= n; j += 8) {
    sum0 += v4_load(a + j) * v4_load(b + j);
    sum1 += v4_load(a + j + 4) * v4_load(b + j + 4);
  }
  double sum = v4_sum(sum0 + sum1);
  for (; j < n; ++j) sum += a[j] * b[j];
  return sum;
}

// x (own rows) := L₁₁⁻¹ x, then the border's rows -= L₂₁ x.
HEFT_SHARED_CLONES
static void forward(int m, int n, const double* l, const double* inverse, double* x) {
  for (int k = 0; k < m; ++k) x[k] = (x[k] - dot(l + (size_t)k * m, x, k)) * inverse[k];
  for (int i = m; i < n; ++i) x[i] -= dot(l + (size_t)i * m, x, m);
}

// x (own rows) := L₁₁⁻ᵀ (x - L₂₁ᵀ y).
HEFT_SHARED_CLONES
static void backward(int m, int n, const double* l, const double* inverse, double* x) {
  for (int i = m; i < n; ++i) subtract_row(x, x[i], l + (size_t)i * m, m);
  for (int k = m - 1; k >= 0; --k) {
    x[k] *= inverse[k];
    subtract_row(x, x[k], l + (size_t)k * m, k);
  }
}

// The work of a supernode on its own rows and its border's: m of n rows are its own.
typedef void Substitution(int m, int n, const double* l, const double* inverse, double* x);

static int is_zero(const double* x, int n) {
  int any = 0;
  for (int i = 0; i < n; ++i) any |= x[i] != 0;
  return !any;
}

// Solves for `width` right sides at once; each row of x has a number of every one.
static void substitute(const BlockCholesky* c, int width, Substitution* down, Substitution* up,
                       double* x) {
  const BlockTree* t = c->tree;
  double* own = c->room->lane[c->room->tasks].work;
  for (int s = 0; s < t->supernodes; ++s) {
    const int m = own_size(t, s), n = m + border_size(t, s);
    gather(t, s, width, x, own);
    if (is_zero(own, m * width)) continue;
    down(m, n, c->factor + c->at[s], c->inverse + 3L * t->first[s], own);
    scatter(t, s, width, own, 1, x);
  }
  for (int s = t->supernodes - 1; s >= 0; --s) {
    const int m = own_size(t, s), n = m + border_size(t, s);
    gather(t, s, width, x, own);
    up(m, n, c->factor + c->at[s], c->inverse + 3L * t->first[s], own);
    scatter(t, s, width, own, 0, x);
  }
}

int block_cholesky_dense(int n, double* l, double* inverse, double* turned) {
  const Front f = {n, 0, l, NULL};
  return factor_front(&f, inverse, turned);
}

void block_cholesky_dense_solve(int n, const double* l, const double* inverse, double* x) {
  forward(n, n, l, inverse, x);
  backward(n, n, l, inverse, x);
}

// The solution for one right side, as threads see it: a task sums what it subtracts from rows above
// it by itself.
typedef struct SolveWork {
  const BlockCholesky* c;
  double* x;
} SolveWork;

static double* row_of(const SolveWork* work, int lane, int node) {
  const CholeskyRoom* room = work->c->room;
  const int inside = lane == room->tasks ||
                     work->c->tree->position[node] < work->c->tree->first[room->root[lane] + 1];
  return (inside ? work->x : room->lane[lane].sum) + 3L * node;
}

static void forward_lane(void* arg, int worker, int index) {
  const SolveWork* work = arg;
  const BlockCholesky* c = work->c;
  const BlockTree* t = c->tree;
  const CholeskyLane* lane = &c->room->lane[index];
  double* own = lane->work;
  (void)worker;
  if (index < c->room->tasks) {
    const int root = c->room->root[index];
    for (int k = t->border_start[root]; k < t->border_start[root + 1]; ++k)
      memset(lane->sum + 3L * t->border[k], 0, 3 * sizeof(double));
  }
  for (Walk w = begin_walk(t, c->room, index); w.s < w.end; ++w.s) {
    if (enter_task(t, c->room, &w) >= 0) continue;
    const int s = w.s, m = own_size(t, s), n = m + border_size(t, s);
    const int *border = t->border + t->border_start[s], *node = t->order + t->first[s];
    for (int k = 0; k < m; k += 3) memcpy(own + k, work->x + 3L * node[k / 3], 3 * sizeof(double));
    if (is_zero(own, m)) continue;
    for (int k = m; k < n; k += 3)
      memcpy(own + k, row_of(work, index, border[(k - m) / 3]), 3 * sizeof(double));
    forward(m, n, c->factor + c->at[s], c->inverse + 3L * t->first[s], own);
    for (int k = 0; k < m; k += 3) memcpy(work->x + 3L * node[k / 3], own + k, 3 * sizeof(double));
    for (int k = m; k < n; k += 3)
      memcpy(row_of(work, index, border[(k - m) / 3]), own + k, 3 * sizeof(double));
  }
}

static void backward_lane(void* arg, int worker, int index) {
  const SolveWork* work = arg;
  const BlockCholesky* c = work->c;
  const BlockTree* t = c->tree;
  const CholeskyRoom* room = c->room;
  double* own = room->lane[index].work;
  const int first = index < room->tasks ? t->subtree[room->root[index]] : 0;
  (void)worker;
  for (int s = begin_walk(t, room, index).end - 1, task = room->tasks - 1; s >= first; --s) {
    if (index == room->tasks && task >= 0 && s == room->root[task]) {
      s = t->subtree[room->root[task--]];
      continue;
    }
    const int m = own_size(t, s), n = m + border_size(t, s);
    gather(t, s, 1, work->x, own);
    backward(m, n, c->factor + c->at[s], c->inverse + 3L * t->first[s], own);
    scatter(t, s, 1, own, 0, work->x);
  }
}

void block_cholesky_solve(const BlockCholesky* c, double* x) {
  const BlockTree* t = c->tree;
  const CholeskyRoom* room = c->room;
  SolveWork work = {c, x};
  heft_pool_run(room->pool, room->tasks, forward_lane, &work);
  for (int k = 0; k < room->tasks; ++k) {
    const int root = room->root[k];
    for (int j = t->border_start[root]; j < t->border_start[root + 1]; ++j)
      add_three(x + 3L * t->border[j], room->lane[k].sum + 3L * t->border[j]);
  }
  forward_lane(&work, 0, room->tasks);
  backward_lane(&work, 0, room->tasks);
  heft_pool_run(room->pool, room->tasks, backward_lane, &work);
}

HEFT_SHARED_CLONES
static void forward_four(int m, int n, const double* l, const double* inverse, double* x) {
  for (int i = 0; i < n; ++i, l += m) {
    V4 sum = v4_load(x + 4L * i);
    for (int j = 0; j < i && j < m; ++j) sum -= l[j] * v4_load(x + 4L * j);
    v4_store(x + 4L * i, i < m ? sum * inverse[i] : sum);
  }
}

HEFT_SHARED_CLONES
static void backward_four(int m, int n, const double* l, const double* inverse, double* x) {
  for (int i = n - 1; i >= 0; --i) {
    const double* row = l + (size_t)i * m;
    V4 own = v4_load(x + 4L * i);
    if (i < m) own = own * inverse[i];
    v4_store(x + 4L * i, own);
    for (int j = 0; j < i && j < m; ++j) v4_store(x + 4L * j, v4_load(x + 4L * j) - row[j] * own);
  }
}

void block_cholesky_solve_four(const BlockCholesky* c, double* x) {
  substitute(c, 4, forward_four, backward_four, x);
}

// ---- between some nodes

// y (n rows of k numbers): own rows := L₁₁⁻¹ y, border rows -= L₂₁ y.
static void forward_many(int m, int n, int k, const double* l, const double* inverse, double* y) {
  for (int k0 = 0; k0 < m; k0 += PANEL) {
    const int k1 = k0 + PANEL < m ? k0 + PANEL : m;
    for (int i = k0; i < k1; ++i) {
      double* row = y + (size_t)i * k;
      block_multiply_subtract(1, k, i - k0, l + (size_t)i * m + k0, m, y + (size_t)k0 * k, k, row,
                              k);
      for (int j = 0; j < k; ++j) row[j] *= inverse[i];
    }
    block_multiply_subtract(n - k1, k, k1 - k0, l + (size_t)k1 * m + k0, m, y + (size_t)k0 * k, k,
                            y + (size_t)k1 * k, k);
  }
}

// The rows of a child's border go where the parent has them, its columns keep their places.
static void add_columns(const BlockTree* t, int child, size_t columns, const double* from,
                        size_t stride, const int* where, double* to) {
  for (int i = t->border_start[child]; i < t->border_start[child + 1]; ++i) {
    double* row = to + (size_t)where[t->border[i]] * stride;
    for (int a = 0; a < 3; ++a, row += stride, from += columns) {
      for (size_t j = 0; j < columns; ++j) row[j] += from[j];
    }
  }
}

// From the negative lower triangle to the whole matrix.
static void mirror(int n, double* out) {
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j <= i; ++j)
      out[(size_t)j * n + i] = out[(size_t)i * n + j] = -out[(size_t)i * n + j];
  }
}

typedef struct BetweenWork {
  const BlockCholesky* c;
  int count;
  const int* nodes;
  double* out;
} BetweenWork;

static void between_lane(void* arg, int worker, int index) {
  const BetweenWork* work = arg;
  const BlockCholesky* c = work->c;
  const BlockTree* t = c->tree;
  const CholeskyLane* lane = &c->room->lane[index];
  const int size = 3 * work->count, *nodes = work->nodes, *where = lane->where;
  size_t top = 0;
  (void)worker;
  for (Walk w = begin_walk(t, c->room, index); w.s < w.end; ++w.s) {
    const int task = enter_task(t, c->room, &w), s = w.s;
    const Range range = range_below(t, work->count, nodes, s);
    const size_t k = columns_of(range);
    if (k == 0) continue;
    const int m = own_size(t, s), n = m + border_size(t, s);
    const size_t left = (size_t)(n - m) * k;
    double* y = lane->stack + top;
    if (task >= 0) {
      memcpy(y, c->room->lane[task].stack, sizeof(double) * left);
      top += left;
      continue;
    }
    memset(y, 0, sizeof(double) * (size_t)n * k);
    place_nodes(t, s, lane->where);
    for (int child = child_before(t, s, -1); child >= 0; child = child_before(t, s, child)) {
      const Range own = range_below(t, work->count, nodes, child);
      const size_t columns = columns_of(own);
      top -= columns * (size_t)border_size(t, child);
      add_columns(t, child, columns, lane->stack + top, k, where,
                  y + 3 * (size_t)(own.first - range.first));
    }
    for (int i = range.first; i < range.end; ++i) {
      if (t->position[nodes[i]] < t->first[s]) continue;
      for (int a = 0; a < 3; ++a)
        y[(size_t)(where[nodes[i]] + a) * k + 3 * (size_t)(i - range.first) + (size_t)a] = 1;
    }
    forward_many(m, n, (int)k, c->factor + c->at[s], c->inverse + 3L * t->first[s], y);
    transpose(m, (int)k, y, (int)k, lane->turned);
    double* block = work->out + (3L * range.first) * size + 3L * range.first;
    multiply_triangle((int)k, m, lane->turned, m, y, (int)k, block, size);
    memmove(lane->stack + top, y + (size_t)m * k, sizeof(double) * left);
    top += left;
  }
}

void block_cholesky_between(const BlockCholesky* c, int count, const int* nodes, double* out) {
  const int size = 3 * count;
  BetweenWork work = {c, count, nodes, out};
  memset(out, 0, sizeof(double) * (size_t)size * (size_t)size);
  heft_pool_run(c->room->pool, c->room->tasks, between_lane, &work);
  between_lane(&work, 0, c->room->tasks);
  mirror(size, out);
}
