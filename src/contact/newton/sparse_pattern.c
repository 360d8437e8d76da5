// SPDX-License-Identifier: Apache-2.0
// Which unknowns are eliminated in which front (sparse.c).
//
// A contact joins all unknowns that it moves: six of each free body, or the dofs from a link to the
// root of its tree. Neighbouring dofs that are moved by the same contacts, a limb, are one node of
// the graph, with a weight. block_tree.c orders the nodes and finds the fronts. Each contact is
// added to the front that eliminates its first column, and its rows are kept there by groups of
// four columns of that front.
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "contact/newton/sparse.h"
#include "math/block_tree.h"
#include "math/invariant.h"

typedef struct Pattern {
  int unknowns, nodes;
  int *start, *moved;          // (contacts + 1) the unknowns that each contact moves
  int* node_of;                // (unknowns) -1: no contact moves it
  int *node_first, *weight;    // (nodes) first unknown; how many
  int *clique_start, *clique;  // (contacts + 1) the nodes that each contact joins
  int *column_of, *front_of;   // (unknowns) -1: none; (columns)
  BlockTree tree;
} Pattern;

int sparse_fits(const Core* core) {
  if (!core->by_effectors) return 0;
  for (int t = 0; t < core->trees && !core->by_joints; ++t) {
    if (core->tree_first[t + 1] - core->tree_first[t] != 1) return 0;
  }
  return 1;
}

// ---- the graph

static int moved_by_joints(const Core* core, int i, int* out) {
  int count = 0;
  for (int s = 0; s < 2; ++s) {
    const JointRows* part = core->part + 2 * i + s;
    HEFT_ASSERT(!part->rows || part->at + part->count <= core->dofs);
    for (int j = 0; part->rows && j < part->count; ++j) {
      int a = 0;
      while (a < core->rows[i] && part->rows[a * part->stride + j] == 0) ++a;
      if (a < core->rows[i]) out[count++] = part->at + j;
    }
  }
  return count;
}

static int moved_bodies(const Core* core, int i, int* out) {
  int count = 0;
  for (int s = 0; s < 2; ++s) {
    const int m = core->effector[2 * i + s];
    if (m < 0 || (s == 1 && m == core->effector[2 * i])) continue;
    for (int k = 0; k < 6; ++k) out[count++] = 6 * m + k;
  }
  return count;
}

static size_t most_moved(const Core* core) {
  size_t sum = 12 * (size_t)core->constraints;
  for (int k = 0; k < 2 * core->constraints && core->by_joints; ++k)
    sum += core->part[k].rows ? (size_t)core->part[k].count : 0;
  return sum;
}

static int find_moved(Pattern* p, const Core* core, Arena* pool) {
  int used = 0;
  p->unknowns = core->by_joints ? core->dofs : 6 * core->effectors;
  p->start = arena_take(pool, core->constraints + 1, int);
  p->moved = arena_take(pool, most_moved(core), int);
  if (pool->overflow) return 0;
  for (int i = 0; i < core->constraints; ++i) {
    p->start[i] = used;
    used += core->by_joints ? moved_by_joints(core, i, p->moved + used)
                            : moved_bodies(core, i, p->moved + used);
  }
  p->start[core->constraints] = used;
  HEFT_ASSERT((size_t)used <= most_moved(core) && heft_is_rising(p->start, core->constraints));
  return 1;
}

static uint64_t hash_of(int i) {
  const uint64_t x = ((uint64_t)i + 1) * 0x9E3779B97F4A7C15u;
  return (x ^ (x >> 29)) * 0xBF58476D1CE4E5B9u;
}

// Neighbours with the same sum of hashes are one node. If different contacts had the same sum, a
// node would be larger than it must be, and nothing else.
static int find_nodes(Pattern* p, const Core* core, Arena* pool) {
  Arena scratch;
  int tree = 0;
  p->node_of = arena_take(pool, p->unknowns, int);
  p->node_first = arena_take(pool, p->unknowns, int);
  p->weight = arena_take(pool, p->unknowns, int);
  scratch = *pool;
  uint64_t* hash = arena_take(&scratch, p->unknowns, uint64_t);
  if (scratch.overflow) return 0;
  memset(hash, 0, sizeof(uint64_t) * (size_t)p->unknowns);
  for (int i = 0; i < core->constraints; ++i) {
    for (int k = p->start[i]; k < p->start[i + 1]; ++k) hash[p->moved[k]] += hash_of(i);
  }
  p->nodes = 0;
  for (int d = 0; d < p->unknowns; ++d) {
    int begins = core->by_joints ? d == 0 : d % 6 == 0;
    for (; core->by_joints && core->joint_at[tree + 1] <= d; ++tree) begins = 1;
    p->node_of[d] = -1;
    if (hash[d] == 0) continue;
    if (begins || hash[d] != hash[d - 1]) {
      p->node_first[p->nodes] = d;
      p->weight[p->nodes++] = 0;
    }
    p->node_of[d] = p->nodes - 1;
    p->weight[p->nodes - 1]++;
  }
  HEFT_ASSERT(p->nodes <= p->unknowns);
  return 1;
}

// The unknowns of a node follow each other in the list of a contact.
static int find_cliques(Pattern* p, const Core* core, Arena* pool) {
  int used = 0;
  p->clique_start = arena_take(pool, core->constraints + 1, int);
  p->clique = arena_take(pool, p->start[core->constraints], int);
  if (pool->overflow) return 0;
  for (int i = 0; i < core->constraints; ++i) {
    p->clique_start[i] = used;
    for (int k = p->start[i]; k < p->start[i + 1]; ++k) {
      const int node = p->node_of[p->moved[k]];
      HEFT_ASSERT(node >= 0 && node < p->nodes);
      if (used == p->clique_start[i] || p->clique[used - 1] != node) p->clique[used++] = node;
    }
  }
  p->clique_start[core->constraints] = used;
  return 1;
}

// ---- fronts

static int number_columns(Sparse* s, Pattern* p, Arena* pool) {
  int column = 0;
  p->column_of = arena_take(pool, p->unknowns, int);
  p->front_of = arena_take(pool, p->unknowns, int);
  s->unknown_of = arena_take(pool, p->unknowns, int);
  if (pool->overflow) return 0;
  for (int k = 0; k < p->nodes; ++k) {
    const int node = p->tree.order[k];
    HEFT_ASSERT(node >= 0 && node < p->nodes);
    for (int j = 0; j < p->weight[node]; ++j) {
      s->unknown_of[column] = p->node_first[node] + j;
      p->column_of[p->node_first[node] + j] = column++;
    }
  }
  s->columns = column;
  HEFT_ASSERT(column <= p->unknowns);
  return 1;
}

// The nodes of a border rise by position, and so do their columns.
static int fill_border(const Sparse* s, const Pattern* p, int f, int at) {
  for (int k = p->tree.border_start[f]; k < p->tree.border_start[f + 1]; ++k) {
    const int node = p->tree.border[k], column = p->column_of[p->node_first[node]];
    HEFT_ASSERT(column >= 0 && column + p->weight[node] <= s->columns);
    for (int j = 0; j < p->weight[node]; ++j) s->border[at++] = column + j;
  }
  return at;
}

static int count_borders(const Pattern* p) {
  int sum = 0;
  for (int k = 0; k < p->tree.border_start[p->tree.supernodes]; ++k)
    sum += p->weight[p->tree.border[k]];
  return sum;
}

// Front f, its own columns from `first` on.
static void lay_front(Sparse* s, const Pattern* p, int f, int first, int border, size_t* factor) {
  SparseFront* front = &s->front[f];
  *front = (SparseFront){.first = first, .border = border, .child = -1, .next = -1, .contact = -1};
  for (int k = p->tree.first[f]; k < p->tree.first[f + 1]; ++k)
    front->own += p->weight[p->tree.order[k]];
  front->size = front->own + fill_border(s, p, f, border) - border;
  front->line = (front->size + 4) / 4 * 4;
  HEFT_ASSERT(front->own > 0 && front->size >= front->own && front->size < front->line);
  front->top = *factor;
  *factor += (size_t)front->own * (size_t)front->line;
  if (front->line > s->widest) s->widest = front->line;
  for (int k = 0; k < front->own; ++k) {
    const double rest = front->size - k;
    p->front_of[first + k] = f;
    s->effort += rest * rest;
  }
}

// Where a column is in a front; `from`: where the search in its border begins.
static int place_in(const Sparse* s, const SparseFront* front, int column, int* from) {
  HEFT_ASSERT(column >= front->first);
  if (column < front->first + front->own) return column - front->first;
  while (s->border[*from] != column) ++*from;
  HEFT_ASSERT(*from - front->border < front->size - front->own);
  return front->own + *from - front->border;
}

static void join_parent(Sparse* s, const Pattern* p, int f) {
  SparseFront* front = &s->front[f];
  const int count = front->size - front->own, *border = s->border + front->border;
  int* place = s->place + front->border;
  if (count == 0) return;
  HEFT_ASSERT(p->front_of[border[0]] > f);
  SparseFront* parent = &s->front[p->front_of[border[0]]];
  int from = parent->border;
  front->next = parent->child;
  parent->child = f;
  for (int k = 0; k < count; ++k) place[k] = place_in(s, parent, border[k], &from);
  for (int k = 0; k < count; ++k)
    s->run[front->border + k] = k + 3 < count && place[k + 3] == place[k] + 3 ? 4 : 1;
  front->straight =
      place[count - 1] == place[0] + count - 1 && place[count - 1] == parent->size - 1;
}

// Numbers of the stack: each front is put on top of its children and then replaces them.
static size_t stack_of(const Sparse* s) {
  size_t top = 0, most = 0;
  for (int f = 0; f < s->fronts; ++f) {
    const SparseFront* front = &s->front[f];
    const size_t own = sparse_rest(front);
    if (top + own > most) most = top + own;
    for (int c = front->child; c >= 0; c = s->front[c].next) top -= sparse_rest(&s->front[c]);
    top += own;
  }
  return most;
}

static int lay_fronts(Sparse* s, Pattern* p, Arena* pool) {
  const int count = p->tree.supernodes, borders = count_borders(p);
  size_t factor = 0;
  int first = 0, border = 0;
  s->fronts = count;
  s->widest = 0;
  s->effort = 0;
  s->front = arena_take(pool, count, SparseFront);
  s->border = arena_take(pool, borders, int);
  s->place = arena_take(pool, borders, int);
  s->run = arena_take(pool, borders, unsigned char);
  if (pool->overflow) return 0;
  for (int f = 0; f < count; ++f) {
    lay_front(s, p, f, first, border, &factor);
    first += s->front[f].own;
    border += s->front[f].size - s->front[f].own;
  }
  HEFT_ASSERT(first == s->columns && border == borders);
  for (int f = count - 1; f >= 0; --f) join_parent(s, p, f);
  s->factor = arena_take(pool, factor, double);
  s->stack = arena_take(pool, stack_of(s), double);
  s->x = arena_take(pool, s->columns, double);
  s->inverse = arena_take(pool, s->columns, double);
  s->piece = arena_take(pool, s->widest, double);
  s->product = arena_take(pool, CONE_ROWS * (size_t)s->widest, double);
  return !pool->overflow;
}

// ---- contacts

// The columns of a node follow each other in every front, so that a contact is laid out by nodes.
static void sort_nodes(const Pattern* p, int* node, int count) {
  for (int k = 1; k < count; ++k) {
    const int own = node[k], column = p->column_of[p->node_first[own]];
    int j = k;
    for (; j > 0 && p->column_of[p->node_first[node[j - 1]]] > column; --j) node[j] = node[j - 1];
    node[j] = own;
  }
}

// The columns of a node from `place` of the front on, behind the first `used` of the contact.
static void lay_node(const Sparse* s, const SparseContact* c, int unknown, int weight, int place,
                     int used, int* block) {
  int last = *block > c->block ? s->offset[*block - 1] : -1;
  for (int j = 0; j < weight; ++j, ++place) {
    const int to = c->column + used + j, first = place & ~3;
    if (first != last) s->offset[(*block)++] = last = first;
    s->unknown[to] = unknown + j;
    s->row[to] = place;
    s->at[to] = 4 * (*block - 1 - c->block) + place - first;
    HEFT_ASSERT(s->at[to] % 4 == place % 4);
  }
}

// Contact i, whose columns and blocks begin where the last one's ended.
static void lay_contact(Sparse* s, const Pattern* p, int i, int rows, int column, int* block,
                        size_t* numbers) {
  const int nodes = p->clique_start[i + 1] - p->clique_start[i];
  int* node = p->clique + p->clique_start[i];
  SparseContact* c = &s->contact[i];
  *c = (SparseContact){.next = -1, .column = column, .block = *block, .numbers = *numbers};
  if (nodes == 0) return;
  sort_nodes(p, node, nodes);
  SparseFront* front = &s->front[p->front_of[p->column_of[p->node_first[node[0]]]]];
  c->next = front->contact;
  front->contact = i;
  for (int k = 0, from = front->border; k < nodes; ++k) {
    const int first = p->node_first[node[k]], weight = p->weight[node[k]];
    lay_node(s, c, first, weight, place_in(s, front, p->column_of[first], &from), c->columns,
             block);
    c->columns += weight;
  }
  c->blocks = *block - c->block;
  HEFT_ASSERT(4 * c->blocks >= c->columns);
  *numbers += 4 * (size_t)c->blocks * (size_t)rows;
}

static size_t count_columns(const Pattern* p, int contacts) {
  size_t sum = 0;
  for (int k = 0; k < p->clique_start[contacts]; ++k) sum += (size_t)p->weight[p->clique[k]];
  return sum;
}

static int lay_contacts(Sparse* s, const Pattern* p, const Core* core, Arena* pool) {
  const int n = core->constraints;
  const size_t columns = count_columns(p, n);
  size_t numbers = 0;
  int block = 0, column = 0;
  s->contact = arena_take(pool, n, SparseContact);
  s->unknown = arena_take(pool, columns, int);
  s->row = arena_take(pool, columns, int);
  s->at = arena_take(pool, columns, int);
  s->offset = arena_take(pool, columns, int);
  if (pool->overflow) return 0;
  for (int i = 0; i < n; ++i) {
    lay_contact(s, p, i, core->rows[i], column, &block, &numbers);
    column += s->contact[i].columns;
  }
  HEFT_ASSERT((size_t)column == columns && (size_t)block <= columns);
  s->jacobian = arena_take(pool, numbers, double);
  s->root = arena_take(pool, core->by_joints ? 0 : 36 * (size_t)core->effectors, double);
  s->push = arena_take(pool, core->by_joints ? 0 : p->unknowns, double);
  s->move = arena_take(pool, core->by_joints ? 0 : p->unknowns, double);
  if (pool->overflow) return 0;
  memset(s->jacobian, 0, sizeof(double) * numbers);
  return 1;
}

// ---- numbers that stay for a solve

// A node of a contact, whose columns begin at k of it: they follow each other in its rows, too.
static void load_joints(const Sparse* s, const Core* core, int i, int k, int weight) {
  const SparseContact* c = &s->contact[i];
  const int unknown = s->unknown[c->column + k];
  const JointRows* part = core->part + 2 * i;
  if (!part->rows || unknown < part->at || unknown >= part->at + part->count) ++part;
  HEFT_ASSERT(part->rows && unknown >= part->at && unknown < part->at + part->count);
  const double* from = part->rows + unknown - part->at;
  if (weight > part->at + part->count - unknown) weight = part->at + part->count - unknown;
  double* to = s->jacobian + c->numbers + s->at[c->column + k];
  for (int a = 0; a < core->rows[i]; ++a, to += 4 * c->blocks, from += part->stride) {
    for (int j = 0; j < weight; ++j) to[j] = from[j];
  }
}

// X L.
static double row_of_body(const Sparse* sparse, const Core* core, int i, int a, int unknown) {
  const double* x = core->x + 12 * (size_t)core->slot[i] + a;
  const int pad = core->pad[i], m = unknown / 6, column = unknown % 6;
  HEFT_ASSERT(m >= 0 && m < core->effectors);
  const double* root = sparse->root + 36 * (size_t)m;
  double sum = 0;
  for (int s = 0; s < 2; ++s) {
    for (int k = column; k < 6 && core->effector[2 * i + s] == m; ++k)
      sum += x[6 * s * pad + k * pad] * root[6 * k + column];
  }
  return sum;
}

static void load_body(const Sparse* s, const Core* core, int i, int k) {
  const SparseContact* c = &s->contact[i];
  double* to = s->jacobian + c->numbers + s->at[c->column + k];
  for (int a = 0; a < core->rows[i]; ++a, to += 4 * c->blocks)
    *to = row_of_body(s, core, i, a, s->unknown[c->column + k]);
}

static void load_rows(const Sparse* s, const Pattern* p, const Core* core) {
  for (int i = 0; i < core->constraints; ++i) {
    int k = 0;
    for (int n = p->clique_start[i]; n < p->clique_start[i + 1]; ++n) {
      const int weight = p->weight[p->clique[n]];
      if (core->by_joints) load_joints(s, core, i, k, weight);
      for (int j = 0; j < weight && !core->by_joints; ++j) load_body(s, core, i, k + j);
      k += weight;
    }
  }
}

// L of a = L Lᵀ. A body that cannot move in all ways has columns of zeros.
static void factor_six(const double* a, double* l) {
  for (int k = 0; k < 36; ++k) l[k] = 0;
  for (int c = 0; c < 6; ++c) {
    double pivot = a[7 * c];
    for (int k = 0; k < c; ++k) pivot -= l[6 * c + k] * l[6 * c + k];
    if (!(pivot > 1e-14 * a[7 * c])) continue;
    const double root = sqrt(pivot);
    HEFT_ASSERT(root > 0);
    for (int r = c; r < 6; ++r) {
      double sum = a[6 * r + c];
      for (int k = 0; k < c; ++k) sum -= l[6 * r + k] * l[6 * c + k];
      l[6 * r + c] = sum / root;
    }
  }
}

static void load_roots(const Sparse* s, const Core* core) {
  const HeftContactProblem* p = core->problem;
  for (int t = 0; t < core->trees && !core->by_joints; ++t)
    factor_six(p->omega + p->trees[t].omega, s->root + 36 * (size_t)core->tree_first[t]);
}

int sparse_prepare(Sparse* s, const Core* core, Arena pool) {
  Pattern p = {0};
  pool.overflow = 0;
  if (!find_moved(&p, core, &pool) || !find_nodes(&p, core, &pool)) return 0;
  if (!find_cliques(&p, core, &pool)) return 0;
  const BlockGraph graph = {.nodes = p.nodes,
                            .start = p.clique_start,
                            .adjacent = p.clique,
                            .cliques = core->constraints};
  if (!block_tree_analyze(&p.tree, &pool, graph, NULL, p.weight)) return 0;
  if (!number_columns(s, &p, &pool) || !lay_fronts(s, &p, &pool)) return 0;
  if (!lay_contacts(s, &p, core, &pool)) return 0;
  load_roots(s, core);
  load_rows(s, &p, core);
  return 1;
}
