// SPDX-License-Identifier: Apache-2.0
// Ω of effectors of one tree, for the contact solver: Ω_ab = Y_aᵀ D⁻¹ Y_b with Y = L⁻ᵀ Jᵀ
// (delassus_ltl.c), where the rows of J are the six velocities of a body, or up to six joint
// velocities or directions in joint space.
//
// Y of an effector has a row for every dof that it reaches, ascending: a body reaches its path,
// joints the paths of their dofs. The path of a dof within the path of a body is its beginning;
// within several paths its places are looked up.
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "dynamics/bonds.h"
#include "dynamics/delassus.h"
#include "dynamics/links.h"

enum { ROW = 8 };  // six numbers: lanes 0 to 2 and 4 to 6
static const int lane[6] = {0, 1, 2, 4, 5, 6};

typedef struct Half {
  double* y;   ///< rows of Y by place, ROW apart
  int* reach;  ///< dofs that it reaches, ascending
  int* place;  ///< by dof_local: where in reach; only of effectors that are no body
  int count;
  int is_path;
} Half;

// In scratch: the rows of Y, then is_path, the count, and the two lists.
static size_t half_size(const HeftDynamics* d) {
  const size_t rows = (size_t)d->tree->largest_tree;
  return rows * ROW + round_up_8(rows + 1);
}

static int* half_ints(const HeftDynamics* d, double* scratch, int effector) {
  const size_t rows = (size_t)d->tree->largest_tree;
  return (int*)(void*)(scratch + (size_t)effector * half_size(d) + rows * ROW);
}

static Half half_at(const HeftDynamics* d, double* scratch, int effector) {
  int* ints = half_ints(d, scratch, effector);
  return (Half){.y = scratch + (size_t)effector * half_size(d),
                .reach = ints + 2,
                .place = ints + 2 + d->tree->largest_tree,
                .count = ints[1],
                .is_path = ints[0]};
}

size_t heft_dynamics_delassus_effectors_scratch(const HeftDynamics* d, int count) {
  HEFT_REQUIRE(d && count >= 0, 0);
  const size_t rows = d->deform ? 6 * sizeof(NodeRow) / sizeof(double) : 0;
  return (size_t)count * (half_size(d) > rows ? half_size(d) : rows);
}

// The union of the paths of some dofs, ascending: paths are merged one after the other. Goes on
// where `count` ends, and returns the new count.
static int dofs_reach(const HeftTree* t, int dof_count, const int* dofs, int* reach, int count) {
  for (int i = 0; i < dof_count; ++i) {
    for (int dof = dofs[i]; dof >= 0; dof = t->dof_parent[dof]) {
      int at = count;
      while (at > 0 && reach[at - 1] > dof) --at;
      if (at > 0 && reach[at - 1] == dof) break;  // the rest of the path is there already
      memmove(reach + at + 1, reach + at, (size_t)(count - at) * sizeof(int));
      reach[at] = dof;
      ++count;
      HEFT_ASSERT(count <= t->largest_tree);
    }
  }
  return count;
}

HEFT_INLINE void subtract_scaled(double* y, V4 low, V4 high, double s) {
  v4_store_aligned(y, v4_load_aligned(y) - low * s);
  v4_store_aligned(y + 4, v4_load_aligned(y + 4) - high * s);
}

HEFT_CLONES static void half_solve(const HeftDynamics* d, const Half* half) {
  const HeftTree* t = d->tree;
  double* y = half->y;
  for (int n = half->count - 1; n > 0; --n) {
    const int k = half->reach[n], depth = t->dof_depth[k];
    HEFT_ASSERT(n == 0 || half->reach[n - 1] < k);
    const double* row = d->factor_rows + t->row[k];
    const int* path = t->path + t->row[k];
    const V4 low = v4_load_aligned(y + ROW * n), high = v4_load_aligned(y + ROW * n + 4);
    if (half->is_path) {
      for (int e = 0; e < n; ++e) subtract_scaled(y + ROW * e, low, high, row[e]);
    } else {
      for (int e = 0; e < depth; ++e)
        subtract_scaled(y + ROW * half->place[t->dof_local[path[e]]], low, high, row[e]);
    }
  }
}

// The dofs on the path of the body's last dof, root first.
static void start_body(const HeftDynamics* d, int body, Half* half) {
  const HeftTree* t = d->tree;
  const int dof = last_dof(&t->link[t->body_link[body]]);
  half->is_path = 1;
  half->count = t->dof_depth[dof] + 1;
  HEFT_ASSERT(half->count <= t->largest_tree);
  memcpy(half->reach, t->path + t->row[dof], (size_t)half->count * sizeof(int));
  for (int n = 0; n < half->count; ++n) {
    const Pair* axis = &d->axis[half->reach[n]];
    v4_store_aligned(half->y + ROW * n, axis->ang);
    v4_store_aligned(half->y + ROW * n + 4, axis->lin);
  }
}

static double* row_of(const HeftDynamics* d, const Half* half, int dof) {
  return half->y + ROW * half->place[d->tree->dof_local[dof]];
}

static void start_dofs(const HeftDynamics* d, const HeftEffector* effector, Half* half) {
  const HeftTree* t = d->tree;
  int count = dofs_reach(t, effector->dof_count, effector->dof, half->reach, 0);
  for (int i = 0; i < effector->direction_count; ++i)
    count = dofs_reach(t, effector->direction[i]->count, effector->direction[i]->dof, half->reach,
                       count);
  half->is_path = 0;
  half->count = count;
  HEFT_ASSERT(count <= t->largest_tree);
  for (int n = 0; n < count; ++n) half->place[t->dof_local[half->reach[n]]] = n;
  memset(half->y, 0, (size_t)(ROW * count) * sizeof(double));
  for (int i = 0; i < effector->dof_count; ++i) row_of(d, half, effector->dof[i])[lane[i]] = 1;
  for (int i = 0; i < effector->direction_count; ++i) {
    const HeftJointDirection* along = effector->direction[i];
    for (int n = 0; n < along->count; ++n) row_of(d, half, along->dof[n])[lane[i]] = along->arm[n];
  }
}

// ---- nodes of deformable bodies

// node_row_of() of a direction: a point of a triangle moves as the sum of three nodes.
static int skin_row_of(const HeftDynamics* d, const HeftJointDirection* along, NodeRow* row) {
  const HeftTree* t = d->tree;
  const int body = along->count > 0 ? t->link[t->dof_link[along->dof[0]]].deformable : -1;
  if (body < 0 || along->count > 3) return -1;
  for (int i = 0; i < along->count; ++i) {
    const NodeRow own = heft_deform_dof_row(d->deform, body, along->dof[i]);
    row->node[i] = own.node[0];
    row->weight[i] = along->arm[i];
    memcpy(row->direction, own.direction, sizeof row->direction);
  }
  return body;
}

// The deformable body of a row of an effector, -1: none; *row becomes what it acts on there. A node
// moves along the axes of the world and does not turn.
static int node_row_of(const HeftDynamics* d, const HeftEffector* effector, int k, NodeRow* row) {
  const HeftTree* t = d->tree;
  *row = (NodeRow){.node = {-1, -1, -1}};
  if (effector->body >= 0) {
    const int body = t->link[t->body_link[effector->body]].deformable;
    if (body < 0) return -1;
    const int node = heft_deform_node(d->deform, body, effector->body);
    *row = (NodeRow){
        .node = {k >= 3 ? node : -1, -1, -1}, .weight = {1}, .direction = {k == 3, k == 4, k == 5}};
    return body;
  }
  if (k < effector->direction_count) return skin_row_of(d, effector->direction[k], row);
  if (k >= effector->dof_count) return -1;
  const int body = t->link[t->dof_link[effector->dof[k]]].deformable;
  if (body >= 0) *row = heft_deform_dof_row(d->deform, body, effector->dof[k]);
  return body;
}

// Y of an effector on nodes: a force on a node acts on the link that holds others.
static void start_node_half(const HeftDynamics* d, const HeftEffector* effector, Half* half) {
  const HeftTree* t = d->tree;
  Pair wrench[6];
  int holder[6], dofs[12], count = 0;
  for (int k = 0; k < 6; ++k) {
    NodeRow row;
    const int body = node_row_of(d, effector, k, &row);
    holder[k] = body >= 0 && row.node[0] >= 0 ? t->bond_link[body] : 0;
    if (holder[k] > 0) {
      wrench[k] = heft_bonds_row(d, body, &row);
      dofs[count++] = last_dof(&t->link[holder[k]]);
    }
    if (k < effector->dof_count && body < 0) dofs[count++] = effector->dof[k];
  }
  HEFT_ASSERT(count <= 12);
  half->is_path = 0;
  half->count = dofs_reach(t, count, dofs, half->reach, 0);
  for (int n = 0; n < half->count; ++n) half->place[t->dof_local[half->reach[n]]] = n;
  memset(half->y, 0, (size_t)(ROW * half->count) * sizeof(double));
  for (int k = 0; k < 6; ++k) {
    NodeRow row;
    const int node = node_row_of(d, effector, k, &row) >= 0;
    if (k < effector->dof_count && !node) row_of(d, half, effector->dof[k])[lane[k]] = 1;
    if (holder[k] == 0) continue;
    for (int dof = last_dof(&t->link[holder[k]]); dof >= 0; dof = t->dof_parent[dof])
      row_of(d, half, dof)[lane[k]] =
          v4_dot3(d->axis[dof].ang, wrench[k].ang) + v4_dot3(d->axis[dof].lin, wrench[k].lin);
  }
}

// node: 1 if it acts on nodes of deformable bodies.
static void start_half(const HeftDynamics* d, const HeftEffector* effector, int node,
                       double* scratch, int index) {
  Half half = half_at(d, scratch, index);
  if (node) {
    start_node_half(d, effector, &half);
  } else if (effector->body >= 0) {
    start_body(d, effector->body, &half);
  } else {
    start_dofs(d, effector, &half);
  }
  half_solve(d, &half);
  int* ints = half_ints(d, scratch, index);
  ints[0] = half.is_path;
  ints[1] = half.count;
}

// Ω_ab by columns: rows 0 to 2 in `low`, 3 to 5 in `high`.
typedef struct EffectorBlock {
  V4 low[6], high[6];
} EffectorBlock;

// The sum over the dofs that both reach, found by going through two ascending lists; paths that
// have parted do not meet again.
HEFT_CLONES static void effectors_block(const HeftDynamics* d, const Half* a, const Half* b,
                                        EffectorBlock* out) {
  V4 l0 = v4_all(0), l1 = l0, l2 = l0, l3 = l0, l4 = l0, l5 = l0, h0 = l0, h1 = l0, h2 = l0,
     h3 = l0, h4 = l0, h5 = l0;
  const int paths = a->is_path && b->is_path;
  int i = 0, j = 0;
  while (i < a->count && j < b->count) {
    const int ka = a->reach[i], kb = b->reach[j];
    const double *ya = a->y + ROW * i, *yb = b->y + ROW * j;
    i += ka <= kb;
    j += kb <= ka;
    if (ka != kb && paths) break;
    if (ka != kb) continue;
    const double scale = d->inverse_d[ka];
    HEFT_ASSERT(!(scale <= 0));
    const V4 l = v4_load_aligned(ya) * scale, h = v4_load_aligned(ya + 4) * scale;
    l0 = l0 + l * yb[0], h0 = h0 + h * yb[0];
    l1 = l1 + l * yb[1], h1 = h1 + h * yb[1];
    l2 = l2 + l * yb[2], h2 = h2 + h * yb[2];
    l3 = l3 + l * yb[4], h3 = h3 + h * yb[4];
    l4 = l4 + l * yb[5], h4 = h4 + h * yb[5];
    l5 = l5 + l * yb[6], h5 = h5 + h * yb[6];
  }
  *out = (EffectorBlock){{l0, l1, l2, l3, l4, l5}, {h0, h1, h2, h3, h4, h5}};
}

static void write_block(const EffectorBlock* block, int a, int b, int size, double* out) {
  for (int j = 0; j < 6; ++j) {
    const double *low = (const double*)&block->low[j], *high = (const double*)&block->high[j];
    double *column = out + (long)(6 * a) * size + 6 * b + j,
           *row = out + (long)(6 * b + j) * size + 6L * a;
    for (int i = 0; i < 3; ++i) {
      column[(long)i * size] = row[i] = low[i];
      column[(long)(i + 3) * size] = row[i + 3] = high[i];
    }
  }
}

// ---- a single free body: the same numbers in the same order, in code of a fixed size

// Where the rows of the factor of a free link begin, each padded to four (ltl.c).
static const int free_row[6] = {0, 4, 8, 12, 16, 24};

HEFT_CLONES static void effectors_free_body(const HeftDynamics* d, int first, double* out) {
  const double *rows = d->factor_rows + d->tree->row[first], *inverse_d = d->inverse_d + first;
  V4 low[6], high[6];
  double y[6][8];
#pragma GCC unroll 6
  for (int k = 0; k < 6; ++k) {
    low[k] = d->axis[first + k].ang;
    high[k] = d->axis[first + k].lin;
  }
#pragma GCC unroll 6
  for (int k = 5; k > 0; --k) {
#pragma GCC unroll 6
    for (int e = 0; e < k; ++e) {
      const double a = rows[free_row[k] + e];
      low[e] = low[e] - low[k] * a;
      high[e] = high[e] - high[k] * a;
    }
  }
#pragma GCC unroll 6
  for (int k = 0; k < 6; ++k) {
    v4_store(y[k], low[k]);
    v4_store(y[k] + 4, high[k]);
    low[k] = low[k] * inverse_d[k];
    high[k] = high[k] * inverse_d[k];
  }
#pragma GCC unroll 6
  for (int j = 0; j < 6; ++j) {
    const int at = j < 3 ? j : j + 1;
    V4 l = v4_all(0), h = v4_all(0);
#pragma GCC unroll 6
    for (int k = 0; k < 6; ++k) {
      l = l + low[k] * y[k][at];
      h = h + high[k] * y[k][at];
    }
    double row[8];
    v4_store(row, l);
    v4_store(row + 3, h);
    for (int i = 0; i <= j; ++i) out[6 * i + j] = out[6 * j + i] = row[i];
  }
}

static int is_free_body(const HeftTree* t, const HeftEffector* effector) {
  if (effector->body < 0) return 0;
  const Link* link = &t->link[t->body_link[effector->body]];
  return link->kind == LINK_FREE;
}

int heft_effector_is_free_body(const HeftDynamics* d, const HeftEffector* effector) {
  return is_free_body(d->tree, effector);
}

// ---- all effectors

static int acts_on_nodes(const HeftDynamics* d, const HeftEffector* effector) {
  NodeRow row;
  for (int k = 0; k < 6; ++k) {
    if (node_row_of(d, effector, k, &row) >= 0) return 1;
  }
  return 0;
}

// (A_ff⁻¹)_ab between the nodes of every deformable body.
static void add_nodes(const HeftDynamics* d, int count, const HeftEffector* effectors,
                      NodeRow* rows, double* out) {
  for (int n = 0; n < d->model->ndeformable; ++n) {
    int any = 0;
    for (int k = 0; k < 6 * count; ++k) {
      if (node_row_of(d, &effectors[k / 6], k % 6, &rows[k]) == n) {
        any |= rows[k].node[0] >= 0;
      } else {
        memset(rows[k].node, -1, sizeof rows[k].node);
      }
    }
    if (any) heft_deform_delassus(d->deform, n, count, rows, out);
  }
}

void heft_dynamics_delassus_effectors(const HeftDynamics* d, int count,
                                      const HeftEffector* effectors, double* scratch, double* out) {
  HEFT_REQUIRE_VOID(d && count >= 0 && (count == 0 || (effectors && scratch && out)));
  if (count == 1 && is_free_body(d->tree, effectors)) {
    effectors_free_body(d, d->tree->link[d->tree->body_link[effectors->body]].dof, out);
    return;
  }
  const int deforms = d->deform && heft_deform_acts(d->deform);
  for (int m = 0; m < count; ++m) {
    const int node = deforms && acts_on_nodes(d, &effectors[m]);
    start_half(d, &effectors[m], node, scratch, m);
  }
  if (deforms) memset(out, 0, 36 * (size_t)count * (size_t)count * sizeof(double));
  for (int a = 0; a < count; ++a) {
    const Half half_a = half_at(d, scratch, a);
    for (int b = a; b < count && !(deforms && half_a.count == 0); ++b) {
      const Half half_b = half_at(d, scratch, b);
      EffectorBlock block;
      if (deforms && half_b.count == 0) continue;  // of a node that no link holds
      effectors_block(d, &half_a, &half_b, &block);
      write_block(&block, a, b, 6 * count, out);
    }
  }
  if (deforms) add_nodes(d, count, effectors, (NodeRow*)(void*)scratch, out);
}

// The rows of D^-½ Y, transposed, into six rows of zeros.
HEFT_CLONES
static void write_effector_factor(const HeftDynamics* d, const Half* half, int stride,
                                  double* out) {
  const long n = stride;
  for (int k = 0; k < 6; ++k) {
    for (int j = 0; j < stride; j += 4) v4_store(out + k * n + j, v4_all(0));
  }
  for (int e = 0; e < half->count; ++e) {
    const int dof = half->reach[e];
    const double root = sqrt(d->inverse_d[dof]), *y = half->y + ROW * e;
    double* column = out + d->tree->dof_local[dof];
    for (int k = 0; k < 6; ++k) column[k * n] = y[lane[k]] * root;
  }
}

void heft_effector_factors(const HeftDynamics* d, int count, const HeftEffector* effectors,
                           int stride, double* scratch, double* out) {
  for (int m = 0; m < count; ++m, out += 6L * stride) {
    start_half(d, &effectors[m], 0, scratch, 0);
    const Half half = half_at(d, scratch, 0);
    write_effector_factor(d, &half, stride, out);
  }
}
