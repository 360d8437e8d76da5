// SPDX-License-Identifier: Apache-2.0
// From the caller's problem to the solvers' form (core.h), and back.
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "contact/core.h"

void core_take(Core* core, Arena* arena, CoreSize size) {
  const size_t n = (size_t)size.contacts, blocks = (size_t)size.blocks;
  // a slot has at most 8 doubles, and at most 4 per row if rows are few
  const size_t slots = 4 * n + 4 * (size_t)(size.rows / 5 + 1);
  const size_t movers = (size_t)size.movers;
  core->size = size;
  core->slot = arena_take(arena, n + 1, int);
  core->rows = arena_take(arena, n, unsigned char);
  core->pad = arena_take(arena, n, unsigned char);
  core->is_point = arena_take(arena, n, unsigned char);
  core->held = arena_take(arena, n, unsigned char);
  core->w = arena_take(arena, n, double);
  core->iw = arena_take(arena, n, double);
  core->length = arena_take(arena, n, double);
  core->soft = arena_take(arena, n, double);
  core->cone = arena_take(arena, n, Cone);
  core->local = arena_take(arena, n, Local);
  core->diagonal = arena_take(arena, 36 * n, double);
  core->r = arena_take(arena, slots, double);
  core->b = arena_take(arena, slots, double);
  core->warm = arena_take(arena, slots, double);
  core->z = arena_take(arena, slots > MOVER_PAD * movers ? slots : MOVER_PAD * movers, double);
  core->column_start = arena_take(arena, blocks ? n + 1 : 0, int);
  core->row_start = arena_take(arena, blocks ? n + 1 : 0, int);
  core->target = arena_take(arena, blocks, int);
  core->row_column = arena_take(arena, blocks, int);
  core->value_start = arena_take(arena, blocks, size_t);
  core->row_value = arena_take(arena, blocks, size_t);
  // rows of the source x pad of the target: 12 for points; more only where contacts have more rows
  core->value = arena_take(arena, blocks * (size.tall ? 48 : 12), double);
  core->mover = arena_take(arena, movers ? 2 * n : 0, int);
  core->y_row = arena_take(arena, movers ? n : 0, int);
  core->x = arena_take(arena, movers ? 12 * slots : 0, double);
  core->y = arena_take(arena, movers ? 2 * MOVER_PAD * (size_t)size.rows : 0, double);
  core->tree_of = arena_take(arena, movers, int);
  core->tree_first = arena_take(arena, movers + 1, int);
  core->tree_omega = arena_take(arena, movers, size_t);
  core->omega = arena_take(arena, movers * (size_t)size.tree_movers * 6 * MOVER_PAD, double);
}

// ---- slots

static void load_slots(Core* core, const HeftContactProblem* p) {
  int at = 0;
  core->plain = 1;
  for (int i = 0; i < p->contact_count; ++i) {
    const HeftContact* c = &p->contacts[i];
    const int rows = heft_contact_type_rows(c->type);
    core->slot[i] = at;
    core->rows[i] = (unsigned char)rows;
    core->pad[i] = rows > 4 ? 8 : 4;
    core->is_point[i] = c->type == HEFT_CONTACT_POINT;
    core->plain &= core->is_point[i];
    core->held[i] = c->mu_static > c->mu && rows >= 2;
    at += core->pad[i];
  }
  core->contacts = p->contact_count;
  core->slot[p->contact_count] = at;
  core->slots = at;
  memset(core->r, 0, sizeof(double) * (size_t)at);
  memset(core->b, 0, sizeof(double) * (size_t)at);
  memset(core->warm, 0, sizeof(double) * (size_t)at);
}

// ---- diagonal blocks

static void explicit_diagonals(Core* core, const HeftContactProblem* p) {
  const double* block = p->blocks;
  for (int i = 0; i < core->contacts; ++i) {
    const int rows = core->rows[i];
    for (int k = p->block_start[i]; k < p->block_start[i + 1]; ++k) {
      const int columns = core->rows[p->block_column[k]];
      for (int a = 0; a < rows && p->block_column[k] == i; ++a) {
        for (int b = 0; b < rows; ++b) core->diagonal[36 * i + 6 * a + b] = block[a * columns + b];
      }
      block += rows * columns;
    }
  }
}

typedef double V2 __attribute__((vector_size(16)));

// y (6) = Ω_abᵀ x for the block of Ω at `omega` with n columns: its rows, weighed by x.
HEFT_INLINE void omega_times(const double* omega, int n, const double* x, double* y) {
  V4 head = v4_load(omega) * x[0];
  V2 tail = (V2){omega[4], omega[5]} * x[0];
  for (int k = 1; k < 6; ++k) {
    const double* row = omega + k * n;
    head += v4_load(row) * x[k];
    tail += (V2){row[4], row[5]} * x[k];
  }
  v4_store(y, head);
  y[4] = tail[0];
  y[5] = tail[1];
}

HEFT_INLINE double dot6(const double* x, const double* y) {
  return ((x[0] * y[0] + x[1] * y[1]) + (x[2] * y[2] + x[3] * y[3])) + (x[4] * y[4] + x[5] * y[5]);
}

// Side s of contact i: y = Ω_aa X_aᵀ, its part of W_ii, and the part between both sides of one
// tree.
HEFT_INLINE void mover_side(Core* core, const HeftContactProblem* p, const HeftContact* c, int i,
                            int s) {
  const int m = c->mover[s], other = c->mover[1 - s], rows = core->rows[i];
  const HeftContactTree* tree = &p->trees[core->tree_of[m]];
  const int n = 6 * tree->mover_count, local = m - tree->mover_first;
  const double* omega = p->omega + tree->omega;
  const int both = other >= 0 && core->tree_of[other] == core->tree_of[m];
  double* diagonal = core->diagonal + 36 * i;
  for (int b = 0; b < rows; ++b) {
    const double* x = p->jacobian + 12 * (c->row + b) + 6 * s;
    double* y = core->y + (size_t)MOVER_PAD * (size_t)(2 * c->row + s * rows + b);
    y[6] = y[7] = 0;
    omega_times(omega + (6 * local) * n + 6 * local, n, x, y);
    for (int a = 0; a < rows; ++a)
      diagonal[6 * a + b] += dot6(p->jacobian + 12 * (c->row + a) + 6 * s, y);
    if (!both) continue;
    double across[6];
    omega_times(omega + (6 * local) * n + 6 * (other - tree->mover_first), n, x, across);
    for (int a = 0; a < rows; ++a)
      diagonal[6 * a + b] += dot6(p->jacobian + 12 * (c->row + a) + 6 * (1 - s), across);
  }
}

HEFT_INLINE void mover_diagonals(Core* core, const HeftContactProblem* p) {
  for (int i = 0; i < core->contacts; ++i) {
    const HeftContact* c = &p->contacts[i];
    core->y_row[i] = 2 * c->row;
    for (int k = 0; k < 6 * core->rows[i]; ++k) core->diagonal[36 * i + k] = 0;
    for (int s = 0; s < 2; ++s) {
      core->mover[2 * i + s] = c->mover[s];
      if (c->mover[s] >= 0) mover_side(core, p, c, i, s);
    }
  }
}

// ---- scaling of moments, softness, right-hand side

static double row_scale(const Core* core, int i, int a) { return a < 3 ? 1.0 : core->length[i]; }

static void scale_contact(Core* core, const HeftContactProblem* p, int i) {
  const int rows = core->rows[i], force_rows = rows < 3 ? rows : 3;
  double *diagonal = core->diagonal + 36 * i, force = 0, moment = 0;
  for (int a = 0; a < rows; ++a) *(a < force_rows ? &force : &moment) += diagonal[7 * a];
  core->w[i] = force / force_rows;
  if (!(core->w[i] > 0)) core->w[i] = 1e-300;  // nothing can move it: its impulse has no effect
  core->iw[i] = 1 / core->w[i];
  core->length[i] = rows > 3 && moment > 0 ? sqrt(core->w[i] * (rows - 3) / moment) : 1.0;
  for (int a = 0; a < rows && rows > 3; ++a) {
    for (int b = 0; b < rows; ++b)
      diagonal[6 * a + b] *= row_scale(core, i, a) * row_scale(core, i, b);
  }
  core->soft[i] = (p->compliance + p->memory) * core->w[i];
  for (int a = 0; a < rows; ++a) diagonal[7 * a] += core->soft[i];
  core->cone[i] = cone_make(&p->contacts[i], core->length[i]);
  if (core->held[i]) core->cone[i].mu[0] = p->contacts[i].mu_static;
}

static void load_right_side(Core* core, const HeftContactProblem* p) {
  double reference = p->velocity_scale;
  for (int i = 0; i < core->contacts; ++i) {
    const int row = p->contacts[i].row, at = core->slot[i];
    double sum = 0;
    for (int a = 0; a < core->rows[i]; ++a) {
      const double scale = row_scale(core, i, a), b = scale * p->bias[row + a];
      core->b[at + a] = b;
      sum += b * b;
      if (!p->warm) continue;
      core->warm[at + a] = p->warm[row + a] / scale;
      core->b[at + a] -= p->memory * core->w[i] * core->warm[at + a];
    }
    if (sum > reference * reference) reference = sqrt(sum);
  }
  core->reference = reference > 0 ? reference : 1;
}

// ---- the operator by columns

static void count_columns(Core* core, const HeftContactProblem* p) {
  const int n = core->contacts;
  memset(core->column_start, 0, sizeof(int) * (size_t)(n + 1));
  for (int k = 0; k < p->block_start[n]; ++k) core->column_start[p->block_column[k] + 1]++;
  for (int j = 0; j < n; ++j) core->column_start[j + 1] += core->column_start[j];
}

static void store_block(const Core* core, const double* block, int i, int j, double* out) {
  const int rows = core->rows[i], columns = core->rows[j], pad = core->pad[i];
  if (rows == 3 && columns == 3) {
    for (int b = 0; b < 3; ++b)
      v4_store(out + 4 * b, (V4){block[b], block[3 + b], block[6 + b], 0});
    return;
  }
  for (int b = 0; b < columns; ++b) {
    for (int a = 0; a < pad; ++a) {
      out[b * pad + a] =
          a < rows ? block[a * columns + b] * row_scale(core, i, a) * row_scale(core, j, b) : 0;
    }
  }
}

// Walks the rows; the blocks of one column come out in rising order of their row. During the walk
// column_start[j] is where the next block of column j goes; afterwards it is moved back.
static void load_columns(Core* core, const HeftContactProblem* p) {
  const int n = core->contacts;
  count_columns(core, p);
  size_t at = 0;
  for (int i = 0; i < n; ++i) {
    core->row_start[i] = p->block_start[i];
    for (int k = p->block_start[i]; k < p->block_start[i + 1]; ++k) {
      core->target[core->column_start[p->block_column[k]]++] = i;
      core->row_column[k] = p->block_column[k];
    }
  }
  core->row_start[n] = p->block_start[n];
  for (int j = n; j > 0; --j) core->column_start[j] = core->column_start[j - 1];
  core->column_start[0] = 0;
  for (int j = 0; j < n; ++j) {
    for (int k = core->column_start[j]; k < core->column_start[j + 1]; ++k) {
      core->value_start[k] = at;
      at += (size_t)core->rows[j] * core->pad[core->target[k]];
    }
  }
  const double* block = p->blocks;
  for (int i = 0; i < n; ++i) {
    for (int k = p->block_start[i]; k < p->block_start[i + 1]; ++k) {
      const int j = p->block_column[k], place = core->column_start[j]++;
      double* out = core->value + core->value_start[place];
      store_block(core, block, i, j, out);
      core->row_value[k] = core->value_start[place];
      for (int a = 0; a < core->rows[i] && i == j; ++a) out[a * core->pad[i] + a] += core->soft[i];
      block += core->rows[i] * core->rows[j];
    }
  }
  for (int j = n; j > 0; --j) core->column_start[j] = core->column_start[j - 1];
  core->column_start[0] = 0;
}

// Everyone reaches everyone: block (i, j) goes to the rows of i in the three columns of j.
static void load_dense(Core* core, const HeftContactProblem* p) {
  const int n = core->contacts, slots = core->slots;
  const double* block = p->blocks;
  for (int i = 0, k = 0; i < n; ++i) {
    core->row_start[i] = core->column_start[i] = k;
    for (int j = 0; j < n; ++j, ++k, block += 9) {
      double* out = core->value + 3 * (size_t)slots * (size_t)j + 4 * (size_t)i;
      core->target[k] = core->row_column[k] = j;
      core->row_value[k] = (size_t)(out - core->value);
      for (int b = 0; b < 3; ++b)
        v4_store(out + b * slots, (V4){block[b], block[3 + b], block[6 + b], 0});
      for (int b = 0; b < 3 && i == j; ++b) out[b * slots + b] += core->soft[i];
    }
  }
  core->row_start[n] = core->column_start[n] = n * n;
}

// The rows of one side as columns.
HEFT_INLINE void load_side(double* out, const double* rows, int count, int pad,
                           const double* scale) {
  if (count == 3) {
    for (int k = 0; k < 6; ++k) v4_store(out + 4 * k, (V4){rows[k], rows[12 + k], rows[24 + k], 0});
    return;
  }
  for (int k = 0; k < 6; ++k) {
    for (int a = 0; a < pad; ++a) out[k * pad + a] = a < count ? rows[12 * a + k] * scale[a] : 0;
  }
}

HEFT_INLINE void load_jacobians(Core* core, const HeftContactProblem* p) {
  for (int i = 0; i < core->contacts; ++i) {
    const int rows = core->rows[i], pad = core->pad[i], row = p->contacts[i].row;
    double* x = core->x + 12 * (size_t)core->slot[i];
    double scale[CONE_ROWS];
    for (int a = 0; a < rows && rows != 3; ++a) scale[a] = row_scale(core, i, a);
    for (int s = 0; s < 2; ++s) {
      if (core->mover[2 * i + s] < 0) continue;
      load_side(x + 6 * s * pad, p->jacobian + 12 * row + 6 * s, rows, pad, scale);
    }
    for (int k = 0; k < 2 * rows * MOVER_PAD && rows > 3; ++k) {
      core->y[2 * MOVER_PAD * row + k] *= row_scale(core, i, k / MOVER_PAD % rows);
    }
  }
}

static void load_trees(Core* core, const HeftContactProblem* p) {
  size_t at = 0;
  core->movers = p->mover_count;
  core->trees = p->tree_count;
  core->tree_first[0] = 0;
  for (int t = 0; t < p->tree_count; ++t) {
    const int first = p->trees[t].mover_first, count = p->trees[t].mover_count, n = 6 * count;
    const double* omega = p->omega + p->trees[t].omega;
    core->tree_first[t + 1] = first + count;
    core->tree_omega[t] = at;
    for (int m = 0; m < count; ++m) core->tree_of[first + m] = t;
    if (count == 1) continue;  // pushed through y
    for (int to = 0; to < count; ++to) {
      for (int from = 0; from < count; ++from) {
        for (int k = 0; k < 6; ++k, at += MOVER_PAD) {
          double* column = core->omega + at;
          for (int a = 0; a < 6; ++a) column[a] = omega[(6 * to + a) * n + 6 * from + k];
          column[6] = column[7] = 0;
        }
      }
    }
  }
}

HEFT_CONTACT_CLONES
void core_load(Core* core, const HeftContactProblem* p) {
  HEFT_ASSERT(p->contact_count <= core->size.contacts && p->row_count <= core->size.rows);
  HEFT_ASSERT(!p->block_start || p->block_start[p->contact_count] <= core->size.blocks);
  HEFT_ASSERT(p->block_start || p->mover_count <= core->size.movers);
  core->problem = p;
  core->by_movers = p->block_start == NULL;
  load_slots(core, p);
  if (core->by_movers) {
    load_trees(core, p);
    mover_diagonals(core, p);
  } else {
    explicit_diagonals(core, p);
  }
  for (int i = 0; i < core->contacts; ++i) scale_contact(core, p, i);
  load_right_side(core, p);
  core->dense = !core->by_movers && core->plain &&
                p->block_start[core->contacts] == core->contacts * core->contacts;
  if (core->by_movers) {
    load_jacobians(core, p);
  } else if (core->dense) {
    load_dense(core, p);
  } else {
    load_columns(core, p);
  }
  core->states = core->by_movers ? MOVER_PAD * core->movers : core->slots;
}

void core_factor(Core* core, double proximal) {
  core->proximal = proximal;
  for (int i = 0; i < core->contacts; ++i) {
    if (!core->is_point[i]) continue;
    const double *d = core->diagonal + 36 * i, alpha = proximal * core->w[i];
    const double g[9] = {d[0] + alpha, d[1],  d[2],  d[6],         d[7] + alpha,
                         d[8],         d[12], d[13], d[14] + alpha};
    local_make(&core->local[i], g, core->cone[i].mu[0]);
  }
}

void core_unpack(const Core* core, const HeftContactProblem* p, const double* slots, int impulse,
                 double* rows) {
  for (int i = 0; i < core->contacts; ++i) {
    for (int a = 0; a < core->rows[i]; ++a) {
      const double scale = row_scale(core, i, a);
      rows[p->contacts[i].row + a] =
          impulse ? slots[core->slot[i] + a] * scale : slots[core->slot[i] + a] / scale;
    }
  }
}
