// SPDX-License-Identifier: Apache-2.0
// (scale M + Σ Jᵀ E J) y = f by fronts [Duff 1983].
//
// A dense block per tree wastes most of its numbers: a contact of a foot moves the leg and the
// base, not the arms. Here limbs are eliminated one by one, from the leaves of the elimination tree
// to its root, each as a small dense front that also holds the columns it touches. The rest of a
// front after its pivots is added to its parent. The right-hand side is one more column of each
// front.
//
// M + JᵀEJ is positive definite and symmetric if no contact slips; then half of each front is
// eliminated (LDLᵀ). The coupling of friction to a changing normal impulse makes it unsymmetric,
// and all of it is eliminated (LU). Neither looks for pivots: the symmetric part is positive
// definite, and the line search of the caller notices a bad step.
//
// Bodies are treated as in joint space: with Ω = L Lᵀ and twists L y, M is 1 and J = X L. So a body
// that moves in fewer than six ways, whose Ω has no inverse, is no exception.
//
// Every sum has its terms in the same order on every machine.
#include "contact/newton/sparse.h"
#include "base/assert.h"

#include <math.h>
#include <string.h>

#include "contact/newton/newton_joints.h"

HEFT_INLINE double* row_of(const Sparse* s, const SparseFront* front, int i) {
  HEFT_ASSERT(i >= 0 && i < front->size);
  const size_t line = (size_t)front->line;
  return i < front->own ? s->factor + front->top + (size_t)i * line
                        : s->stack + front->rest + (size_t)(i - front->own) * line;
}

// Rows of a symmetric front begin at the group of four that holds the diagonal.
HEFT_INLINE int row_begin(int i, int half) { return half ? i / 4 * 4 : 0; }

HEFT_INLINE void begin_front(const Sparse* s, const SparseFront* front, double scale,
                             const double* in, int half) {
  for (int i = 0; i < front->size; ++i) {
    double* row = row_of(s, front, i);
    for (int j = row_begin(i, half); j < front->line; j += 4) v4_store(row + j, v4_all(0));
  }
  for (int k = 0; k < front->own; ++k) {
    double* row = row_of(s, front, k);
    HEFT_ASSERT(front->size < front->line);
    row[front->size] = in[s->unknown_of[front->first + k]];
    row[k] = scale;
  }
}

// ---- contacts

// front += Jᵀ E J of a contact.
HEFT_INLINE void add_rows(const Sparse* s, const SparseFront* front, const SparseContact* c,
                          const double* e, int rows, int half) {
  const int width = 4 * c->blocks, *offset = s->offset + c->block;
  const double* jacobian = s->jacobian + c->numbers;
  double* product = s->product;
  for (int a = 0; a < rows; ++a) {
    for (int j = 0; j < width; j += 4) {
      V4 sum = e[a * rows] * v4_load(jacobian + j);
      for (int b = 1; b < rows; ++b)
        sum += e[a * rows + b] * v4_load(jacobian + (size_t)b * width + j);
      v4_store(product + (size_t)a * width + j, sum);
    }
  }
  for (int k = c->column; k < c->column + c->columns; ++k) {
    double *to = row_of(s, front, s->row[k]), f[CONE_ROWS];
    const int at = s->at[k];
    HEFT_ASSERT(s->row[k] < front->size && at < width);
    for (int a = 0; a < rows; ++a) f[a] = jacobian[(size_t)a * width + at];
    for (int q = half ? at / 4 : 0; q < c->blocks; ++q) {
      HEFT_ASSERT(offset[q] % 4 == 0 && offset[q] < front->line);
      V4 sum = f[0] * v4_load(product + 4L * q);
      for (int a = 1; a < rows; ++a) sum += f[a] * v4_load(product + (size_t)a * width + 4L * q);
      v4_store(to + offset[q], v4_load(to + offset[q]) + sum);
    }
  }
}

HEFT_INLINE int any_of(const double* e, int count) {
  int any = 0;
  for (int k = 0; k < count; ++k) any |= e[k] != 0;
  return any;
}

HEFT_INLINE void add_contacts_to(const Sparse* s, const SparseFront* front, const Core* core,
                                 const double* e, int half) {
  for (int i = front->contact; i >= 0; i = s->contact[i].next) {
    const double* own = e + 36 * (size_t)i;
    const int rows = core->rows[i];
    if (!any_of(own, rows * rows)) continue;
    if (rows == 1) {
      add_rows(s, front, &s->contact[i], own, 1, half);
    } else if (rows == 3) {
      add_rows(s, front, &s->contact[i], own, 3, half);
    } else {
      add_rows(s, front, &s->contact[i], own, rows, half);
    }
  }
}

// ---- children

// The rest of a child, whose row is one run of the parent's columns, right side included.
HEFT_INLINE void add_straight(const double* from, int begin, int end, double* to) {
  int j = begin;
  for (; j + 4 <= end; j += 4) v4_store(to + j, v4_load(to + j) + v4_load(from + j));
  for (; j < end; ++j) to[j] += from[j];
}

HEFT_INLINE void add_child(const Sparse* s, const SparseFront* front, const SparseFront* child,
                           int half) {
  const int count = child->size - child->own, *place = s->place + child->border;
  const unsigned char* run = s->run + child->border;
  for (int i = 0; i < count; ++i) {
    const double* from = row_of(s, child, child->own + i) + child->own;
    HEFT_ASSERT(place[i] >= 0 && place[i] < front->size);
    double* to = row_of(s, front, place[i]);
    if (child->straight) {
      add_straight(from, half ? i : 0, count + 1, to + place[0]);
      continue;
    }
    for (int j = half ? i : 0; j < count;) {
      double* at = to + place[j];
      if (run[j] == 4) {
        v4_store(at, v4_load(at) + v4_load(from + j));
        j += 4;
      } else {
        *at += from[j++];
      }
    }
    to[front->size] += from[count];
  }
}

// ---- elimination

// row -= Σ f_q p_q, where the rows p are `line` apart.
HEFT_INLINE void subtract_rows(double* row, const double* p, int line, const double* f, int count,
                               int begin) {
  int j = begin;
  for (; j + 8 <= line; j += 8) {
    V4 a = v4_load(row + j), b = v4_load(row + j + 4);
    for (int q = 0; q < count; ++q) {
      a -= f[q] * v4_load(p + (size_t)q * line + j);
      b -= f[q] * v4_load(p + (size_t)q * line + j + 4);
    }
    v4_store(row + j, a);
    v4_store(row + j + 4, b);
  }
  for (; j < line; j += 4) {
    V4 a = v4_load(row + j);
    for (int q = 0; q < count; ++q) a -= f[q] * v4_load(p + (size_t)q * line + j);
    v4_store(row + j, a);
  }
}

// All rows behind the pivots first .. first + count, which have been eliminated from each other.
HEFT_INLINE void subtract_panel(const Sparse* s, const SparseFront* front, int first, int count,
                                int half, const double* inverse) {
  const double* p = row_of(s, front, first);
  const int line = front->line;
  for (int i = first + count; i < front->size; ++i) {
    double *row = row_of(s, front, i), f[4];
    for (int q = 0; q < count; ++q) {
      double c = half ? p[(size_t)q * line + i] : row[first + q];
      for (int y = 0; y < q && !half; ++y) c -= f[y] * p[(size_t)y * line + first + q];
      f[q] = c * inverse[q];
    }
    if (any_of(f, count))
      subtract_rows(row, p, line, f, count, half ? row_begin(i, 1) : (first + count) / 4 * 4);
  }
}

HEFT_INLINE int eliminate_front(const Sparse* s, const SparseFront* front, int half) {
  double* inverse = s->inverse + front->first;
  for (int first = 0; first < front->own; first += 4) {
    const int count = front->own - first < 4 ? front->own - first : 4;
    for (int k = first; k < first + count; ++k) {
      const double* p = row_of(s, front, k);
      if (!newton_is_pivot(p[k])) return 0;
      inverse[k] = 1 / p[k];
      for (int i = k + 1; i < first + count; ++i) {
        double* row = row_of(s, front, i);
        const double f = (half ? p[i] : row[k]) * inverse[k];
        if (f != 0)
          subtract_rows(row, p, front->line, &f, 1, half ? row_begin(i, 1) : (k + 1) / 4 * 4);
      }
    }
    if (count == 4) {
      subtract_panel(s, front, first, 4, half, inverse + first);
    } else if (count == 3) {
      subtract_panel(s, front, first, 3, half, inverse + first);
    } else if (count == 2) {
      subtract_panel(s, front, first, 2, half, inverse + first);
    } else {
      subtract_panel(s, front, first, 1, half, inverse + first);
    }
  }
  return 1;
}

HEFT_INLINE int eliminate_all(const Sparse* s, const Core* core, const double* e, double scale,
                              const double* in, int half) {
  size_t top = 0;
  for (int f = 0; f < s->fronts; ++f) {
    SparseFront* front = &s->front[f];
    front->rest = top;
    begin_front(s, front, scale, in, half);
    add_contacts_to(s, front, core, e, half);
    for (int c = front->child; c >= 0; c = s->front[c].next) {
      HEFT_ASSERT(c < f);
      add_child(s, front, &s->front[c], half);
      HEFT_ASSERT(top >= sparse_rest(&s->front[c]));
      top -= sparse_rest(&s->front[c]);
    }
    if (!eliminate_front(s, front, half)) return 0;
    memmove(s->stack + top, s->stack + front->rest, sizeof(double) * sparse_rest(front));
    front->rest = top;
    top += sparse_rest(front);
  }
  return 1;
}

HEFT_CLONES
static int eliminate_fronts_half(const Sparse* s, const Core* core, const double* e, double scale,
                                 const double* in) {
  return eliminate_all(s, core, e, scale, in, 1);
}

HEFT_CLONES
static int eliminate_fronts(const Sparse* s, const Core* core, const double* e, double scale,
                            const double* in) {
  return eliminate_all(s, core, e, scale, in, 0);
}

HEFT_CLONES
static void substitute_fronts(const Sparse* s) {
  double* x = s->piece;
  for (int f = s->fronts - 1; f >= 0; --f) {
    const SparseFront* front = &s->front[f];
    HEFT_ASSERT(front->line <= s->widest && front->first + front->own <= s->columns);
    const int* border = s->border + front->border;
    for (int k = 0; k < front->line; ++k)
      x[k] = k >= front->own && k < front->size ? s->x[border[k - front->own]] : 0;
    for (int k = front->own - 1; k >= 0; --k) {
      const double* row = row_of(s, front, k);
      V4 sum = v4_all(0);
      for (int j = k / 4 * 4; j < front->line; j += 4) sum += v4_load(row + j) * v4_load(x + j);
      x[k] = (row[front->size] - v4_sum(sum)) * s->inverse[front->first + k];
      s->x[front->first + k] = x[k];
    }
  }
}

// Rounding aside.
static int all_symmetric(const Core* core, const double* e) {
  for (int i = 0; i < core->constraints; ++i, e += 36) {
    const int n = core->rows[i];
    for (int a = 1; a < n; ++a) {
      for (int b = 0; b < a; ++b) {
        const double g = e[a * n + b], h = e[b * n + a];
        if (!(fabs(g - h) <= 1e-12 * (fabs(g) + fabs(h)))) return 0;
      }
    }
  }
  return 1;
}

// y := Lᵀ f of all bodies.
static void push_bodies(const Sparse* s, int bodies, const double* f, double* y) {
  for (int k = 0; k < 6 * bodies; ++k) {
    const double* root = s->root + 36L * (k / 6);
    double sum = 0;
    for (int r = k % 6; r < 6; ++r) sum += root[6 * r + k % 6] * f[k - k % 6 + r];
    y[k] = sum;
  }
}

// v := L y.
static void move_bodies(const Sparse* s, int bodies, const double* y, double* v) {
  for (int k = 0; k < 6 * bodies; ++k) {
    const double* root = s->root + 36L * (k / 6) + 6 * (k % 6);
    double sum = 0;
    for (int c = 0; c <= k % 6; ++c) sum += root[c] * y[k - k % 6 + c];
    v[k] = sum;
  }
}

int sparse_solve(Sparse* s, const Core* core, const double* e, double scale, const double* in,
                 double* out) {
  const int unknowns = core->by_joints ? core->dofs : 6 * core->effectors;
  HEFT_ASSERT(s->columns <= unknowns);
  double* y = core->by_joints ? out : s->move;
  if (!core->by_joints) {
    push_bodies(s, core->effectors, in, s->push);
    in = s->push;
  }
  const int regular = all_symmetric(core, e) ? eliminate_fronts_half(s, core, e, scale, in)
                                             : eliminate_fronts(s, core, e, scale, in);
  if (!regular) return 0;
  substitute_fronts(s);
  for (int k = 0; k < unknowns; ++k) y[k] = 0;
  for (int c = 0; c < s->columns; ++c) y[s->unknown_of[c]] = s->x[c];
  if (!core->by_joints) move_bodies(s, core->effectors, y, out);
  return 1;
}
