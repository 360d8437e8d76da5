// SPDX-License-Identifier: Apache-2.0
// The operator given by effectors, in the form of the solvers (core.h): coupled effectors and
// columns of each contact, W_ii, and the scales that follow from it.
//
// An impulse d of contact i changes the twists of all effectors of its trees, V_m += Y_m d with
// Y_m = Σ_s Ω_ms X_sᵀ, s running over its sides in that tree. These columns are stored if they
// are few (free bodies; mechanisms with up to COUPLED_MAX contacting links): an impulse is then
// applied by one product. Otherwise the wrench Xᵀ d is multiplied by the tree's Ω. In both cases
// W_ii = Σ X_s Y_s.
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/share.h"
#include "contact/core/core.h"

void core_load_trees(Core* core, const HeftContactProblem* p) {
  core->effectors = p->effector_count;
  core->trees = p->tree_count;
  core->tree_first[0] = 0;
  for (int t = 0; t < p->tree_count; ++t) {
    const int first = p->trees[t].effector_first, count = p->trees[t].effector_count;
    HEFT_ASSERT(first == core->tree_first[t] && count >= 1);
    core->tree_first[t + 1] = first + count;
    for (int m = 0; m < count; ++m) core->tree_of[first + m] = t;
  }
  HEFT_ASSERT(core->tree_first[p->tree_count] == p->effector_count);
}

// Ω of all trees by blocks of columns, for contacts of large trees.
static void load_omegas(Core* core, const HeftContactProblem* p) {
  double* column = core->omega;
  for (int t = 0; t < p->tree_count; ++t) {
    const int count = p->trees[t].effector_count, n = 6 * count;
    const double* omega = p->omega + p->trees[t].omega;
    core->tree_omega[t] = (size_t)(column - core->omega);
    for (int block = 0; block < count * count && count > 1; ++block) {
      const double* from = omega + 6 * (block / count) * n + 6 * (block % count);
      for (int k = 0; k < 6; ++k, column += EFFECTOR_PAD) {
        for (int a = 0; a < 6; ++a) column[a] = from[a * n + k];
        column[6] = column[7] = 0;
      }
    }
  }
  HEFT_ASSERT((size_t)(column - core->omega) <= core->size.omega / 36 * 6 * EFFECTOR_PAD);
}

// ---- columns

// Six numbers are stored as the first four and the last four.
HEFT_INLINE void store_column(double* y, V4 first_four, V4 last_four, int add) {
  const V4 rest = V4_SHUFFLE(last_four, v4_all(0), 2, 3, 4, 5);
  v4_store(y, add ? v4_load(y) + first_four : first_four);
  v4_store(y + 4, add ? v4_load(y + 4) + rest : rest);
}

// y = Ω_ab x for each row of x (12 apart), or added to y. By symmetry: the rows of Ω_ba at `omega`,
// n apart, weighed by x.
HEFT_INLINE void make_columns(const double* omega, int n, const double* x, int rows, int add,
                              double* y) {
  for (int b = 0; b < rows; ++b, x += 12, y += EFFECTOR_PAD) {
    V4 head = v4_load(omega) * x[0], tail = v4_load(omega + 2) * x[0];
    for (int k = 1; k < 6; ++k) {
      head += v4_load(omega + k * n) * x[k];
      tail += v4_load(omega + k * n + 2) * x[k];
    }
    store_column(y, head, tail, add);
  }
}

// As make_columns() for three rows, which share what they read.
HEFT_INLINE void make_three_columns(const double* omega, int n, const double* x, int add,
                                    double* y) {
  V4 head = v4_load(omega), tail = v4_load(omega + 2);
  V4 h0 = head * x[0], h1 = head * x[12], h2 = head * x[24];
  V4 t0 = tail * x[0], t1 = tail * x[12], t2 = tail * x[24];
#pragma GCC unroll 5
  for (int k = 1; k < 6; ++k) {
    omega += n;
    head = v4_load(omega);
    tail = v4_load(omega + 2);
    h0 += head * x[k], h1 += head * x[12 + k], h2 += head * x[24 + k];
    t0 += tail * x[k], t1 += tail * x[12 + k], t2 += tail * x[24 + k];
  }
  store_column(y, h0, t0, add);
  store_column(y + 8, h1, t1, add);
  store_column(y + 16, h2, t2, add);
}

// The columns for the effectors first .. first + count - 1 of one tree, by both sides if both are
// in it.
HEFT_INLINE void fill_columns(const Core* core, const HeftContactProblem* p,
                              const HeftConstraintBlock* c, int rows, int first, int count,
                              double* y) {
  const int of = core->tree_of[first];
  const HeftContactTree* tree = &p->trees[of];
  const int n = 6 * tree->effector_count;
  HEFT_ASSERT(first >= tree->effector_first &&
              first + count <= tree->effector_first + tree->effector_count);
  for (int s = 0, add = 0; s < 2; ++s) {
    if (c->effector[s] < 0 || core->tree_of[c->effector[s]] != of) continue;
    const double* omega = p->omega + tree->omega + 6 * (c->effector[s] - tree->effector_first) * n +
                          6 * (first - tree->effector_first);
    const double* x = p->jacobian + 12 * c->row + 6 * s;
    for (int m = 0; m < count; ++m) {
      double* out = y + EFFECTOR_PAD * rows * m;
      if (rows == 3) {
        make_three_columns(omega + 6 * m, n, x, add, out);
      } else {
        make_columns(omega + 6 * m, n, x, rows, add, out);
      }
    }
    add = 1;
  }
}

static inline int joined(const Core* core, const HeftConstraintBlock* c) {
  return c->effector[0] >= 0 && c->effector[1] >= 0 &&
         core->tree_of[c->effector[0]] == core->tree_of[c->effector[1]];
}

// The coupled effectors of a contact; its columns start at y.
HEFT_INLINE CoupledEffectors reach_of(const Core* core, const HeftConstraintBlock* c, int y) {
  CoupledEffectors coupled = {.y = y};
  const int sides = joined(core, c) ? 1 : 2;
  for (int s = 0, room = COUPLED_MAX; s < sides; ++s) {
    if (c->effector[s] < 0) continue;
    const int tree = core->tree_of[c->effector[s]], first = core->tree_first[tree],
              count = core->tree_first[tree + 1] - first;
    HEFT_ASSERT(count >= 1);
    coupled.first[s] = first;
    coupled.count[s] = count == 1 || count <= room ? count : HANGS;
    room -= count;
  }
  return coupled;
}

// ---- one contact

// X by columns, as it is in the problem.
HEFT_INLINE void load_x(const Core* core, const HeftContactProblem* p, int i, int rows) {
  const HeftConstraintBlock* c = &p->constraints[core->source[i]];
  const int pad = rows > 4 ? 8 : 4;
  for (int s = 0; s < 2; ++s) {
    const double* from = p->jacobian + 12 * c->row + 6 * s;
    double* out = core->x + 12 * (size_t)core->slot[i] + 6 * s * pad;
    if (c->effector[s] < 0) continue;
    for (int k = 0; k < 6; ++k) {
      for (int a = 0; a < pad; ++a) out[k * pad + a] = a < rows ? from[12 * a + k] : 0;
    }
  }
}

// As load_x() for a point: transposes three rows of four numbers, three times. Static sides are
// transposed too; they are not used.
HEFT_INLINE void load_point_x(const Core* core, const HeftContactProblem* p, int i) {
  const double* from = p->jacobian + 12 * p->constraints[core->source[i]].row;
  double* out = core->x + 12 * (size_t)core->slot[i];
  const V4 zero = v4_all(0);
#pragma GCC unroll 3
  for (int k = 0; k < 12; k += 4, out += 16) {
    const V4 a = v4_load(from + k), b = v4_load(from + 12 + k), c = v4_load(from + 24 + k);
    const V4 ab0 = V4_SHUFFLE(a, b, 0, 4, 2, 6), ab1 = V4_SHUFFLE(a, b, 1, 5, 3, 7);
    const V4 c0 = V4_SHUFFLE(c, zero, 0, 4, 2, 6), c1 = V4_SHUFFLE(c, zero, 1, 5, 3, 7);
    v4_store(out, V4_SHUFFLE(ab0, c0, 0, 1, 4, 5));
    v4_store(out + 4, V4_SHUFFLE(ab1, c1, 0, 1, 4, 5));
    v4_store(out + 8, V4_SHUFFLE(ab0, c0, 2, 3, 6, 7));
    v4_store(out + 12, V4_SHUFFLE(ab1, c1, 2, 3, 6, 7));
  }
}

// W_ii += X_s Y_s, X by columns. For three rows, W_ii's rows are symmetric to its columns.
HEFT_INLINE void add_diagonal(const double* x, int rows, const double* y, double* diagonal) {
  const int pad = rows > 4 ? 8 : 4;
  for (int b = 0; b < rows; ++b, y += EFFECTOR_PAD) {
    if (rows == 3) {
      v4_store(diagonal + 6 * b,
               v4_load(diagonal + 6 * b) + (((v4_load(x) * y[0] + v4_load(x + 4) * y[1]) +
                                             (v4_load(x + 8) * y[2] + v4_load(x + 12) * y[3])) +
                                            (v4_load(x + 16) * y[4] + v4_load(x + 20) * y[5])));
      continue;
    }
    for (int a = 0; a < rows; ++a) {
      double sum = 0;
      for (int k = 0; k < 6; ++k) sum += x[k * pad + a] * y[k];
      diagonal[6 * a + b] += sum;
    }
  }
}

// Fills the columns and the diagonal of contact i. Returns where the next contact's columns start.
HEFT_INLINE int load_coupled(Core* core, const HeftContactProblem* p, int i, int rows, int y_at) {
  const HeftConstraintBlock* c = &p->constraints[core->source[i]];
  const CoupledEffectors coupled = reach_of(core, c, y_at);
  double *diagonal = core->diagonal + 36 * i, own[EFFECTOR_PAD * CONE_ROWS];
  for (int k = 0; k < 6 * rows; k += 6) {
    v4_store(diagonal + k, v4_all(0));
    diagonal[k + 4] = diagonal[k + 5] = 0;
  }
  core->coupled[i] = coupled;
  for (int s = 0; s < 2; ++s) {
    core->effector[2 * i + s] = c->effector[s];
    if (c->effector[s] < 0) continue;
    const int run = s == 1 && joined(core, c) ? 0 : s, first = coupled.first[run];
    const double* y = own;
    if (coupled.count[run] == HANGS) {
      core->hanging = 1;
      fill_columns(core, p, c, rows, c->effector[s], 1, own);
    } else {
      const int start = run == s ? y_at : coupled.y;
      double* columns = core->y + (size_t)EFFECTOR_PAD * (size_t)start;
      if (run == s) {
        fill_columns(core, p, c, rows, first, coupled.count[s], columns);
        y_at += rows * coupled.count[s];
      }
      y = columns + EFFECTOR_PAD * rows * (c->effector[s] - first);
      HEFT_ASSERT(c->effector[s] >= first && c->effector[s] < first + coupled.count[run]);
    }
    add_diagonal(core->x + 12 * (size_t)core->slot[i] + 6 * s * (rows > 4 ? 8 : 4), rows, y,
                 diagonal);
  }
  HEFT_ASSERT(y_at - coupled.y <= (COUPLED_MAX + 1) * rows);
  return y_at;
}

// 1 for a point between two free bodies, or a free and a static one: each side is coupled only with
// itself.
static inline int is_free(const Core* core, const HeftContactProblem* p,
                          const HeftConstraintBlock* c) {
  for (int s = 0; s < 2; ++s) {
    if (c->effector[s] >= 0 && p->trees[core->tree_of[c->effector[s]]].effector_count > 1) return 0;
  }
  return c->effector[0] != c->effector[1];
}

HEFT_INLINE V4 diagonal_column(const double* x, const double* y) {
  return ((v4_load(x) * y[0] + v4_load(x + 4) * y[1]) +
          (v4_load(x + 8) * y[2] + v4_load(x + 12) * y[3])) +
         (v4_load(x + 16) * y[4] + v4_load(x + 20) * y[5]);
}

HEFT_INLINE int load_free_coupled(Core* core, const HeftContactProblem* p, int i, int y_at) {
  const HeftConstraintBlock* c = &p->constraints[core->source[i]];
  CoupledEffectors coupled = {.y = y_at};
  V4 d0 = v4_all(0), d1 = d0, d2 = d0;
  for (int s = 0; s < 2; ++s) {
    const int m = c->effector[s];
    core->effector[2 * i + s] = m;
    if (m < 0) continue;
    const double* x = core->x + 12 * (size_t)core->slot[i] + 24 * s;
    double* y = core->y + (size_t)EFFECTOR_PAD * (size_t)y_at;
    make_three_columns(p->omega + p->trees[core->tree_of[m]].omega, 6,
                       p->jacobian + 12 * c->row + 6 * s, 0, y);
    d0 += diagonal_column(x, y);
    d1 += diagonal_column(x, y + EFFECTOR_PAD);
    d2 += diagonal_column(x, y + 2 * EFFECTOR_PAD);
    coupled.first[s] = m;
    coupled.count[s] = 1;
    y_at += 3;
  }
  core->coupled[i] = coupled;
  double* diagonal = core->diagonal + 36 * i;
  v4_store(diagonal, d0);
  v4_store(diagonal + 6, d1);
  v4_store(diagonal + 12, d2);
  return y_at;
}

static const Cone POINT = {.type = HEFT_CONSTRAINT_POINT,
                           .rows = 3,
                           .groups = 1,
                           .first = {1},
                           .size = {2},
                           .upper = HUGE_VAL};

HEFT_INLINE void scale_point(Core* core, const HeftContactProblem* p, int i) {
  double* d = core->diagonal + 36 * i;
  const double w = core_weight((d[0] + d[7] + d[14]) * (1.0 / 3)), soft = p->compliance * w,
               normal = p->softness ? soft + p->softness[core->source[i]] : soft;
  HEFT_ASSERT(w > 0 && !(normal < 0));
  core->w[i] = w;
  core->iw[i] = 1 / w;
  core->length[i] = 1;
  v4_store(core->soft + core->slot[i], (V4){normal, soft, soft, soft});
  d[0] += normal;
  d[7] += soft;
  d[14] += soft;
  core->cone[i] = POINT;
  const HeftConstraintBlock* c = &p->constraints[core->source[i]];
  core->cone[i].mu[0] = core->held[i] ? c->mu_static : c->mu;
}

// Scales rows of moments: in W_ii, and in the effect of an impulse.
static void scale_other(Core* core, const HeftContactProblem* p, int i, int y_end) {
  const int rows = core->rows[i];
  HEFT_ASSERT(y_end >= core->coupled[i].y);
  core_scale_contact(core, p, i);
  double* x = core->x + 12 * (size_t)core->slot[i];
  for (int k = 0; k < 12 && rows > 3; ++k) {
    for (int a = 3; a < rows; ++a) x[k * core->pad[i] + a] *= core->length[i];
  }
  for (int k = core->coupled[i].y; k < y_end && rows > 3; ++k) {
    const double scale = core_row_scale(core, i, (k - core->coupled[i].y) % rows);
    for (int a = 0; a < EFFECTOR_PAD; ++a) core->y[EFFECTOR_PAD * (size_t)k + (size_t)a] *= scale;
  }
}

// A filler: it has no effector, is open, and has no impulse.
static void load_filler(Core* core, int i, int y_at) {
  double* d = core->diagonal + 36 * i;
  for (int k = 0; k < 15; ++k) d[k] = k % 7 == 0;
  core->coupled[i] = (CoupledEffectors){.y = y_at};
  core->effector[2 * i] = core->effector[2 * i + 1] = -1;
  core->w[i] = core->iw[i] = core->length[i] = 1;
  v4_store(core->soft + core->slot[i], v4_all(0));
  core->cone[i] = POINT;
}

HEFT_CLONES
static void load_all_contacts(Core* core, const HeftContactProblem* p) {
  int y_at = 0;
  for (int i = 0; i < core->constraints; ++i) {
    if (core->source[i] < 0) {
      load_filler(core, i, y_at);
    } else if (core->is_point[i]) {
      load_point_x(core, p, i);
      y_at = is_free(core, p, &p->constraints[core->source[i]])
                 ? load_free_coupled(core, p, i, y_at)
                 : load_coupled(core, p, i, 3, y_at);
      scale_point(core, p, i);
    } else {
      load_x(core, p, i, core->rows[i]);
      y_at = load_coupled(core, p, i, core->rows[i], y_at);
      scale_other(core, p, i, y_at);
    }
  }
  HEFT_ASSERT(y_at <= (core->size.tree_effectors > 1 ? COUPLED_MAX + 1 : 2) * core->size.rows);
}

// ---- W of points

// Which half of its effector's rows each side of a contact acts on: a node of a deformable body has
// three rows, and the other three are zero.
enum { LOW_ROWS, HIGH_ROWS, ALL_ROWS };

static unsigned char* halves_of(const Core* core) {  // core->y has served W_ii
  return (unsigned char*)(void*)core->y;
}

static void find_halves(const Core* core, const HeftContactProblem* p) {
  for (int k = 0; k < 2 * core->constraints; ++k) {
    const double* x = p->jacobian + 12L * p->constraints[core->source[k / 2]].row + 6L * (k % 2);
    int used[2] = {0, 0};
    for (int a = 0; a < 18; ++a) used[a / 3 % 2] |= x[12 * (a / 6) + a % 6] != 0;
    halves_of(core)[k] = used[0] && used[1] ? ALL_ROWS : used[1] ? HIGH_ROWS : LOW_ROWS;
  }
}

// The block between side s of i and side t of j, three columns. w += X_i Ω X_jᵀ
HEFT_INLINE void add_point_block(const Core* core, const HeftContactProblem* p, int i, int s, int j,
                                 int t, V4 w[3]) {
  const int m = core->effector[2 * i + s], from = core->effector[2 * j + t],
            own = halves_of(core)[2 * i + s], other = halves_of(core)[2 * j + t];
  const HeftContactTree* tree = &p->trees[core->tree_of[m]];
  const int first = tree->effector_first, n = 6 * tree->effector_count;
  const double *omega = p->omega + tree->omega + 6L * (from - first) * n + 6L * (m - first),
               *x = core->x + 12 * (size_t)core->slot[i] + 24 * s,
               *z = p->jacobian + 12L * p->constraints[core->source[j]].row + 6L * t;
  double y[3 * EFFECTOR_PAD];
  if (own == ALL_ROWS || other == ALL_ROWS) {
    make_three_columns(omega, n, z, 0, y);
    for (int b = 0; b < 3; ++b) w[b] += diagonal_column(x, y + (size_t)EFFECTOR_PAD * b);
    return;
  }
  omega += 3 * other * n + 2 * own;  // reads rows 0 to 3, or 2 to 5
  z += 3 * other;
  const V4 o0 = v4_load(omega), o1 = v4_load(omega + n), o2 = v4_load(omega + 2L * n);
#pragma GCC unroll 3
  for (int b = 0; b < 3; ++b)
    v4_store(y + 4 * b, o0 * z[12 * b] + o1 * z[12 * b + 1] + o2 * z[12 * b + 2]);
  if (own == LOW_ROWS) {
    const V4 x0 = v4_load(x), x1 = v4_load(x + 4), x2 = v4_load(x + 8);
#pragma GCC unroll 3
    for (int b = 0; b < 3; ++b) w[b] += (x0 * y[4 * b] + x1 * y[4 * b + 1]) + x2 * y[4 * b + 2];
  } else {
    const V4 x0 = v4_load(x + 12), x1 = v4_load(x + 16), x2 = v4_load(x + 20);
#pragma GCC unroll 3
    for (int b = 0; b < 3; ++b) w[b] += x0 * y[4 * b + 1] + (x1 * y[4 * b + 2] + x2 * y[4 * b + 3]);
  }
}

// The three columns of W of each contact from `first` to end - 1, from its own rows on.
HEFT_CLONES
static void load_dense_points(Core* core, int first, int end) {
  const size_t slots = (size_t)core->slots;
  for (int j = first; j < end; ++j) {
    double* out = core->value + 3 * slots * (size_t)j;
    for (int i = j; i < core->constraints; ++i) {
      V4 w[3] = {v4_all(0), v4_all(0), v4_all(0)};
      for (int k = 0; k < 4; ++k) {
        const int m = core->effector[2 * i + k / 2], from = core->effector[2 * j + k % 2];
        if (m >= 0 && from >= 0 && core->tree_of[m] == core->tree_of[from])
          add_point_block(core, core->problem, i, k / 2, j, k % 2, w);
      }
      for (size_t b = 0; b < 3; ++b) v4_store(out + core->slot[i] + b * slots, w[b]);
    }
    double* own = out + core->slot[j];
    for (int a = 0; a < 3; ++a) own[(size_t)a * slots + (size_t)a] += core->soft[core->slot[j] + a];
  }
}

// The rows before them, since W is symmetric.
HEFT_CLONES
static void mirror_dense_points(Core* core, int first, int end) {
  const size_t slots = (size_t)core->slots;
  for (int j = first; j < end; ++j) {
    double* out = core->value + 3 * slots * (size_t)j;
    for (int i = 0; i < j; ++i) {
      const double* w = core->value + 3 * slots * (size_t)i + core->slot[j];
      for (size_t b = 0; b < 3; ++b) {
        const V4 row = {w[b], w[slots + b], w[2 * slots + b], 0};
        v4_store(out + core->slot[i] + b * slots, row);
      }
    }
  }
}

enum { COLUMN_RANGE = 8 };

static void dense_range(void* arg, int first, int end) { load_dense_points(arg, first, end); }
static void mirror_range(void* arg, int first, int end) { mirror_dense_points(arg, first, end); }

void core_load_effectors(Core* core, const HeftContactProblem* p) {
  load_all_contacts(core, p);
  if (core->size.dense > 0) {
    HEFT_ASSERT(core->plain &&
                core->size.dense >= 3 * (size_t)core->slots * (size_t)core->constraints);
    find_halves(core, p);
    const Share share = {core->run, core->run_user};
    share_ranges(share, core->constraints, COLUMN_RANGE, dense_range, core);
    share_ranges(share, core->constraints, COLUMN_RANGE, mirror_range, core);
  } else if (core->hanging) {
    load_omegas(core, p);
  }
}
