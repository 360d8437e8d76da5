// SPDX-License-Identifier: Apache-2.0
// From the caller's problem to the solvers' form (core.h), and back.
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "contact/core/core.h"
#include "contact/core/packet.h"
#include "math/invariant.h"

void core_take(Core* core, Arena* arena, CoreSize size) {
  const size_t n = (size_t)size.constraints, blocks = (size_t)size.blocks;
  const size_t slots = core_slots_max(size);
  const size_t effectors = (size_t)size.effectors;
  core->size = size;
  core->slot = arena_take(arena, n + 1, int);
  core->source = arena_take(arena, n, int);
  core->rows = arena_take(arena, n, unsigned char);
  core->pad = arena_take(arena, n, unsigned char);
  core->is_point = arena_take(arena, n, unsigned char);
  core->held = arena_take(arena, n, unsigned char);
  core->w = arena_take(arena, n, double);
  core->iw = arena_take(arena, n, double);
  core->length = arena_take(arena, n, double);
  core->cone = arena_take(arena, n, Cone);
  core->local = arena_take(arena, n, Local);
  core->diagonal = arena_take(arena, 36 * n, double);
  core->r = arena_take(arena, slots, double);
  core->b = arena_take(arena, slots, double);
  core->warm = arena_take(arena, slots, double);
  core->soft = arena_take(arena, slots, double);
  core->z = arena_take(arena, core_states_max(size), double);
  core->column_start = arena_take(arena, blocks ? n + 1 : 0, int);
  core->row_start = arena_take(arena, blocks ? n + 1 : 0, int);
  core->target = arena_take(arena, blocks, int);
  core->row_column = arena_take(arena, blocks, int);
  core->value_start = arena_take(arena, blocks, size_t);
  core->row_value = arena_take(arena, blocks, size_t);
  // rows of the source x pad of the target: 12 for points; more only where contacts have more rows
  core->value = arena_take(arena, blocks * (size.wide ? 48 : 12) + size.dense, double);
  core->effector = arena_take(arena, effectors ? 2 * n : 0, int);
  const size_t by_twists = size.dofs > 0 ? 0 : effectors;
  core->coupled = arena_take(arena, by_twists ? n : 0, CoupledEffectors);
  core->x = arena_take(arena, by_twists ? 12 * slots : 0, double);
  const size_t reached = size.tree_effectors > 1 ? COUPLED_MAX + 1 : 2;
  core->y = arena_take(arena, by_twists ? reached * EFFECTOR_PAD * (size_t)size.rows : 0, double);
  core->joint_at = arena_take(arena, size.dofs > 0 ? effectors + 1 : 0, int);
  core->reach = arena_take(arena, size.dofs > 0 ? effectors : 0, int);
  core->part = arena_take(arena, size.dofs > 0 ? 2 * n : 0, JointRows);
  core->joint_rows = arena_take(arena, size.joint_numbers, double);
  const size_t groups = size.packets ? n / PACKET_SIZE : 0;
  core->packet = arena_take(arena, PACKET_DOUBLES * groups, double);
  core->packet_effector = arena_take(arena, 2 * PACKET_SIZE * groups, int);
  core->colouring.used = arena_take(arena, size.packets ? effectors : 0, uint64_t);
  core->colouring.colour = arena_take(arena, size.packets ? n : 0, unsigned char);
  core->tree_of = arena_take(arena, effectors, int);
  core->tree_first = arena_take(arena, effectors + 1, int);
  core->tree_omega = arena_take(arena, by_twists, size_t);
  const int omega = by_twists && size.dense == 0;
  core->omega = arena_take(arena, omega ? size.omega / 36 * 6 * EFFECTOR_PAD : 0, double);
}

// ---- slots

static const unsigned char ROWS_OF[HEFT_CONSTRAINT_TYPE_COUNT] = {
#define ROWS(name, rows, text) rows,
    HEFT_CONSTRAINT_TYPE_LIST(ROWS)
#undef ROWS
};

static void load_slots(Core* core, const HeftContactProblem* p) {
  int at = 0;
  core->plain = 1;
  core->holds = 0;
  core->constraints = core->colouring.places;
  for (int i = 0; i < core->constraints; ++i) {
    static const HeftConstraintBlock filler = {.type = HEFT_CONSTRAINT_POINT};
    const HeftConstraintBlock* c =
        core->source[i] >= 0 ? &p->constraints[core->source[i]] : &filler;
    HEFT_ASSERT(core->source[i] < p->constraint_count);
    const int rows = ROWS_OF[c->type];
    HEFT_ASSERT(rows >= 1 && rows <= CONE_ROWS);
    const int point = c->type == HEFT_CONSTRAINT_POINT;
    core->slot[i] = at;
    core->rows[i] = (unsigned char)rows;
    core->pad[i] = rows > 4 ? 8 : 4;
    core->is_point[i] = (unsigned char)point;
    core->plain &= point;
    core->held[i] = c->mu_static > c->mu && rows >= 2;
    core->holds |= core->held[i];
    at += rows > 4 ? 8 : 4;
  }
  core->slot[core->constraints] = at;
  core->slots = at;
  HEFT_ASSERT((size_t)at <= core_slots_max(core->size) &&
              core->constraints <= core->size.constraints);
  memset(core->r, 0, sizeof(double) * (size_t)at);
  memset(core->b, 0, sizeof(double) * (size_t)at);
  memset(core->warm, 0, sizeof(double) * (size_t)at);
}

// ---- diagonal blocks

static void explicit_diagonals(Core* core, const HeftContactProblem* p) {
  const double* block = p->blocks;
  for (int i = 0; i < core->constraints; ++i) {
    const int rows = core->rows[i];
    for (int k = p->block_start[i]; k < p->block_start[i + 1]; ++k) {
      const int columns = core->rows[p->block_column[k]];
      HEFT_ASSERT(p->block_column[k] >= 0 && p->block_column[k] < core->constraints);
      for (int a = 0; a < rows && p->block_column[k] == i; ++a) {
        for (int b = 0; b < rows; ++b) core->diagonal[36 * i + 6 * a + b] = block[a * columns + b];
      }
      block += rows * columns;
    }
  }
}

// ---- right-hand side

// b and the warm impulses of a contact. Returns |b|².
HEFT_INLINE double load_rows(Core* core, const HeftContactProblem* p, int i, int rows) {
  const int at = core->slot[i];
  if (core->source[i] < 0) {
    core->b[at] = 1;  // it opens
    return 0;
  }
  const int row = p->constraints[core->source[i]].row;
  HEFT_ASSERT(row >= 0 && row + rows <= p->row_count);
  double sum = 0;
  for (int a = 0; a < rows; ++a) {
    const double scale = rows > 3 ? core_row_scale(core, i, a) : 1.0, b = scale * p->bias[row + a];
    core->b[at + a] = b;
    sum += b * b;
    if (p->warm) core->warm[at + a] = rows > 3 ? p->warm[row + a] / scale : p->warm[row + a];
  }
  return sum;
}

static void load_right_side(Core* core, const HeftContactProblem* p) {
  double greatest = p->velocity_scale * p->velocity_scale;
  for (int i = 0; i < core->constraints; ++i) {
    const double square =
        core->is_point[i] ? load_rows(core, p, i, 3) : load_rows(core, p, i, core->rows[i]);
    if (square > greatest) greatest = square;
  }
  core->reference = greatest > 0 ? sqrt(greatest) : 1;
  HEFT_ASSERT(core->reference > 0);
}

// ---- the operator by columns

static void count_columns(Core* core, const HeftContactProblem* p) {
  const int n = core->constraints;
  memset(core->column_start, 0, sizeof(int) * (size_t)(n + 1));
  for (int k = 0; k < p->block_start[n]; ++k) core->column_start[p->block_column[k] + 1]++;
  for (int j = 0; j < n; ++j) core->column_start[j + 1] += core->column_start[j];
  HEFT_ASSERT(core->column_start[n] == p->block_start[n]);
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
      out[b * pad + a] = a < rows ? block[a * columns + b] * core_row_scale(core, i, a) *
                                        core_row_scale(core, j, b)
                                  : 0;
    }
  }
}

// Walks over the rows, so that the blocks of one column are sorted by row. During the walk
// column_start[j] is the place of the next block of column j; afterwards it is reset.
static void load_columns(Core* core, const HeftContactProblem* p) {
  const int n = core->constraints;
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
  HEFT_ASSERT(heft_is_rising(core->column_start, n));
  for (int j = 0; j < n; ++j) {
    for (int k = core->column_start[j]; k < core->column_start[j + 1]; ++k) {
      core->value_start[k] = at;
      at += (size_t)core->rows[j] * core->pad[core->target[k]];
    }
  }
  HEFT_ASSERT(at <= (size_t)core->size.blocks * (core->size.wide ? 48 : 12));
  const double* block = p->blocks;
  for (int i = 0; i < n; ++i) {
    for (int k = p->block_start[i]; k < p->block_start[i + 1]; ++k) {
      const int j = p->block_column[k], place = core->column_start[j]++;
      HEFT_ASSERT(core->target[place] == i);
      double* out = core->value + core->value_start[place];
      store_block(core, block, i, j, out);
      core->row_value[k] = core->value_start[place];
      for (int a = 0; a < core->rows[i] && i == j; ++a)
        out[a * core->pad[i] + a] += core->soft[core->slot[i] + a];
      block += core->rows[i] * core->rows[j];
    }
  }
  for (int j = n; j > 0; --j) core->column_start[j] = core->column_start[j - 1];
  core->column_start[0] = 0;
  HEFT_ASSERT(heft_is_rising(core->column_start, n) && core->column_start[n] == p->block_start[n]);
}

// All contacts are coupled: block (i, j) goes to the rows of i in the three columns of j.
static void load_dense(Core* core, const HeftContactProblem* p) {
  const int n = core->constraints, slots = core->slots;
  const double* block = p->blocks;
  for (int i = 0, k = 0; i < n; ++i) {
    core->row_start[i] = core->column_start[i] = k;
    for (int j = 0; j < n; ++j, ++k, block += 9) {
      HEFT_ASSERT(p->block_column[k] == j);
      double* out = core->value + 3 * (size_t)slots * (size_t)j + 4 * (size_t)i;
      core->target[k] = core->row_column[k] = j;
      core->row_value[k] = (size_t)(out - core->value);
      for (int b = 0; b < 3; ++b)
        v4_store(out + b * slots, (V4){block[b], block[3 + b], block[6 + b], 0});
      for (int b = 0; b < 3 && i == j; ++b) out[b * slots + b] += core->soft[4 * i + b];
    }
  }
  core->row_start[n] = core->column_start[n] = n * n;
}

// Contacts whose whole mobility is rounding, compared with others or with 1 / kg: any weight serves
// them, and others' weight keeps their impulses small.
static void lift_weights(Core* core) {
  double most = 1;
  for (int i = 0; i < core->constraints; ++i) most = core->w[i] > most ? core->w[i] : most;
  for (int i = 0; i < core->constraints; ++i) {
    if (core->w[i] >= CORE_FLAT * most) continue;
    core->w[i] = most;
    core->iw[i] = 1 / most;
    HEFT_ASSERT(core->w[i] > 0);
  }
}

void core_load(Core* core, const HeftContactProblem* p) {
  HEFT_ASSERT(p->constraint_count <= core->size.constraints && p->row_count <= core->size.rows);
  HEFT_ASSERT(!p->block_start || p->block_start[p->constraint_count] <= core->size.blocks);
  HEFT_ASSERT(p->block_start || p->effector_count <= core->size.effectors);
  core->problem = p;
  core->by_effectors = p->block_start == NULL;
  core->by_joints = core->by_effectors && core->size.dofs > 0;
  core->hanging = 0;
  core->proximal = 0;
  if (core->by_effectors) core_load_trees(core, p);
  colouring_make(&core->colouring, p,
                 core->by_effectors && core->size.packets ? core->tree_of : NULL, core->source);
  load_slots(core, p);
  if (core->by_joints) {
    core_load_joints(core, p);
  } else if (core->by_effectors) {
    core_load_effectors(core, p);
  } else {
    explicit_diagonals(core, p);
    for (int i = 0; i < core->constraints; ++i) core_scale_contact(core, p, i);
  }
  if (core->by_joints) lift_weights(core);
  load_right_side(core, p);
  if (core->by_effectors) {
    core->dense = core->size.dense > 0;
  } else {
    core->dense =
        core->plain && p->block_start[core->constraints] == core->constraints * core->constraints;
    if (core->dense)
      load_dense(core, p);
    else
      load_columns(core, p);
  }
  core->is_explicit = core->dense || !core->by_effectors;
  core->states = core->by_joints     ? core->dofs
                 : core->is_explicit ? core->slots
                                     : EFFECTOR_PAD * (core->effectors + 1);
  HEFT_ASSERT(heft_all_positive(core->w, core->constraints));
  HEFT_ASSERT((size_t)core->states <= core_states_max(core->size));
}

void core_factor_serial(Core* core, int first) {
  for (int i = first; i < core->constraints; ++i) {
    if (!core->is_point[i]) continue;
    const double *d = core->diagonal + 36 * i, alpha = core->proximal * core->w[i];
    HEFT_ASSERT(!(alpha <= 0));
    const double g[9] = {d[0] + alpha, d[1],  d[2],  d[6],         d[7] + alpha,
                         d[8],         d[12], d[13], d[14] + alpha};
    local_make(&core->local[i], g, core->cone[i].mu[0]);
  }
}

void core_factor(Core* core, double proximal) {
  HEFT_ASSERT(proximal > 0 && proximal <= 1);
  core->proximal = proximal;
  core_factor_serial(core, PACKET_SIZE * core->colouring.groups);
  packet_load(core);
}

void core_unpack(const Core* core, const HeftContactProblem* p, const double* slots, int impulse,
                 double* rows) {
  for (int i = 0; i < core->constraints; ++i) {
    const double* from = slots + core->slot[i];
    if (core->source[i] < 0) continue;
    double* to = rows + p->constraints[core->source[i]].row;
    HEFT_ASSERT(p->constraints[core->source[i]].row + core->rows[i] <= p->row_count);
    if (core->is_point[i]) {
      for (int a = 0; a < 3; ++a) to[a] = from[a];
      continue;
    }
    for (int a = 0; a < core->rows[i]; ++a) {
      const double scale = core_row_scale(core, i, a);
      to[a] = impulse ? from[a] * scale : from[a] / scale;
    }
  }
}
