// SPDX-License-Identifier: Apache-2.0
// Nodes of generated code, and the rules that simplify them.
#include "generate/graph.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int graph_open(Graph* g) {
  memset(g, 0, sizeof *g);
  for (int i = 0; i < GRAPH_HASH; ++i) g->head[i] = -1;
  g->node_capacity = 1 << 12;
  g->output_capacity = 1 << 10;
  g->node = calloc((size_t)g->node_capacity, sizeof *g->node);
  g->output = calloc((size_t)g->output_capacity, sizeof *g->output);
  g->section_count = 0;
  return g->node && g->output;
}

void graph_close(Graph* g) {
  free(g->node);
  free(g->output);
}

void graph_begin_section(Graph* g) {
  if (g->section_count < SECTIONS_MAX)
    g->section[g->section_count++] = (Section){g->node_count, g->output_count};
  g->section[g->section_count] = (Section){g->node_count, g->output_count};
}

// ---- nodes

static unsigned hash_of(const Node* n) {
  uint64_t h = heft_hash(n->arg, sizeof n->arg, (uint64_t)n->op);
  h = heft_hash(n->value, sizeof n->value, h + (uint64_t)n->lane);
  h = heft_hash(n->text, sizeof n->text, h + (uint64_t)n->section);
  return (unsigned)(h % GRAPH_HASH);
}

static bool is_same(const Node* a, const Node* b) {
  for (int i = 0; i < 4; ++i)
    if (a->value[i] != b->value[i]) return false;
  return a->op == b->op && a->width == b->width && a->lane == b->lane && a->section == b->section &&
         a->known == b->known && memcmp(a->arg, b->arg, sizeof a->arg) == 0 &&
         strcmp(a->text, b->text) == 0;
}

static int add_node(Graph* g, const Node* made) {
  const unsigned hash = hash_of(made);
  for (int i = g->head[hash]; i >= 0; i = g->node[i].next)
    if (is_same(&g->node[i], made)) return i;
  if (g->node_count == g->node_capacity) {
    Node* larger = realloc(g->node, 2 * sizeof *larger * (size_t)g->node_capacity);
    if (!larger) {
      g->failed = true;
      return 0;
    }
    g->node = larger;
    g->node_capacity *= 2;
  }
  g->node[g->node_count] = *made;
  g->node[g->node_count].next = g->head[hash];
  g->head[hash] = g->node_count;
  g->section[g->section_count].first_node = g->node_count + 1;
  return g->node_count++;
}

static Node make_node(const Graph* g, Operation op, int width) {
  return (Node){.op = op,
                .width = width,
                .arg = {-1, -1, -1, -1},
                .section = g->section_count - 1,
                .slot = -1};
}

static int make_const(Graph* g, int width, const double* value) {
  Node n = make_node(g, OP_CONST, width);
  n.section = -1;
  n.known = (1u << width) - 1;
  for (int i = 0; i < width; ++i) n.value[i] = value[i] == 0 ? 0 : value[i];
  return add_node(g, &n);
}

// The node in the present section: a vector of an earlier one is loaded.
static int here(Graph* g, int id) {
  Node* from = &g->node[id];
  if (from->section < 0 || from->section == g->section_count - 1) return id;
  if (from->slot < 0) from->slot = g->slot_count++;
  Node n = make_node(g, OP_LOAD, 4);
  n.lane = from->slot;
  n.known = from->known;
  memcpy(n.value, from->value, sizeof n.value);
  return add_node(g, &n);
}

static bool lane_is(const Node* n, int lane, double value) {
  return (n->known >> lane & 1) && n->value[lane] == value;
}

// Whether all components have one value; those that `other` makes zero do not count.
static bool all_are(const Node* n, double value, const Node* other) {
  for (int i = 0; i < n->width; ++i)
    if (!lane_is(n, i, value) && !(other && lane_is(other, i, 0))) return false;
  return true;
}

static bool is_built(const Node* n) { return n->op == OP_SET || n->op == OP_CONST; }

// If every component is zero on one side, the sum of two sets is a set.
static bool are_disjoint(const Node* a, const Node* b) {
  if (a->width != 4 || !is_built(a) || !is_built(b)) return false;
  for (int i = 0; i < 4; ++i)
    if (!lane_is(a, i, 0) && !lane_is(b, i, 0)) return false;
  return true;
}

static int negate(Graph* g, int a) {
  const Node* x = &g->node[a];
  if (x->op == OP_NEG) return x->arg[0];
  Node n = make_node(g, OP_NEG, x->width);
  n.arg[0] = a;
  n.known = x->known;
  for (int i = 0; i < n.width; ++i) n.value[i] = x->known >> i & 1 ? -x->value[i] : 0;
  if (n.known == (1u << n.width) - 1) return make_const(g, n.width, n.value);
  return add_node(g, &n);
}

// The components that are constants.
static void fold(Node* n, const Node* a, const Node* b) {
  for (int i = 0; i < n->width; ++i) {
    const bool both = (a->known & b->known) >> i & 1;
    const bool zero = n->op == OP_MUL ? lane_is(a, i, 0) || lane_is(b, i, 0)
                                      : n->op == OP_DIV && lane_is(a, i, 0);
    if (!both && !zero) continue;
    const double x = a->value[i], y = b->value[i];
    n->known |= 1u << i;
    n->value[i] = zero              ? 0
                  : n->op == OP_ADD ? x + y
                  : n->op == OP_SUB ? x - y
                  : n->op == OP_MUL ? x * y
                                    : x / y;
    if (n->value[i] == 0) n->value[i] = 0;
  }
}

static int combine(Graph* g, Operation op, int a, int b);

// The simpler form of a sum, or -1.
static int simplify_sum(Graph* g, Operation op, int a, int b) {
  const Node *x = &g->node[a], *y = &g->node[b];
  if (all_are(y, 0, NULL)) return a;
  if (all_are(x, 0, NULL)) return op == OP_ADD ? b : negate(g, b);
  if (y->op == OP_NEG) return combine(g, op == OP_ADD ? OP_SUB : OP_ADD, a, y->arg[0]);
  if (op == OP_ADD && x->op == OP_NEG) return combine(g, OP_SUB, b, x->arg[0]);
  if (op == OP_ADD && are_disjoint(x, y)) {
    int part[4];
    for (int i = 0; i < 4; ++i)
      part[i] = vec_lane(g, (Vec){lane_is(&g->node[a], i, 0) ? b : a}, i).node;
    return vec_set(g, (Num){part[0]}, (Num){part[1]}, (Num){part[2]}, (Num){part[3]}).node;
  }
  return -1;
}

// A constant vector of 0, 1 and -1 times a number: its components are that number.
static int select_lanes(Graph* g, const Node* unit, int all) {
  const double value[4] = {unit->value[0], unit->value[1], unit->value[2], unit->value[3]};
  const Num x = {g->node[all].arg[0]};
  Num part[4];
  for (int i = 0; i < 4; ++i) part[i] = num_mul(g, num_const(g, value[i]), x);
  return vec_set(g, part[0], part[1], part[2], part[3]).node;
}

static bool is_unit(const Node* n) {
  if (n->op != OP_CONST || n->width != 4) return false;
  int count = 0;
  for (int i = 0; i < 4; ++i) {
    if (n->value[i] != 0 && n->value[i] != 1 && n->value[i] != -1) return false;
    count += n->value[i] != 0;
  }
  return count == 1;
}

static int simplify_product(Graph* g, int a, int b) {
  const Node *x = &g->node[a], *y = &g->node[b];
  if (all_are(y, 1, x)) return a;
  if (all_are(x, 1, y)) return b;
  if (all_are(y, -1, x)) return negate(g, a);
  if (all_are(x, -1, y)) return negate(g, b);
  if (x->op == OP_NEG) return negate(g, combine(g, OP_MUL, x->arg[0], b));
  if (y->op == OP_NEG) return negate(g, combine(g, OP_MUL, a, y->arg[0]));
  if (is_unit(x) && y->op == OP_ALL) return select_lanes(g, x, b);
  if (is_unit(y) && x->op == OP_ALL) return select_lanes(g, y, a);
  return -1;
}

static int combine(Graph* g, Operation op, int a, int b) {
  a = here(g, a);
  b = here(g, b);
  Node n = make_node(g, op, g->node[a].width);
  n.arg[0] = a;
  n.arg[1] = b;
  fold(&n, &g->node[a], &g->node[b]);
  if (n.known == (1u << n.width) - 1) return make_const(g, n.width, n.value);
  int simple = -1;
  if (op == OP_ADD || op == OP_SUB) simple = simplify_sum(g, op, a, b);
  if (op == OP_MUL) simple = simplify_product(g, a, b);
  if (simple >= 0) return simple;
  if ((op == OP_ADD || op == OP_MUL) && a > b) {  // the order of two terms does not matter
    n.arg[0] = b;
    n.arg[1] = a;
  }
  return add_node(g, &n);
}

// ---- numbers

Num num_const(Graph* g, double value) { return (Num){make_const(g, 1, &value)}; }

Num num_leaf(Graph* g, const char* format, int index) {
  Node n = make_node(g, OP_LEAF, 1);
  snprintf(n.text, sizeof n.text, format, index);
  return (Num){add_node(g, &n)};
}

Num num_add(Graph* g, Num a, Num b) { return (Num){combine(g, OP_ADD, a.node, b.node)}; }
Num num_sub(Graph* g, Num a, Num b) { return (Num){combine(g, OP_SUB, a.node, b.node)}; }
Num num_mul(Graph* g, Num a, Num b) { return (Num){combine(g, OP_MUL, a.node, b.node)}; }
Num num_div(Graph* g, Num a, Num b) { return (Num){combine(g, OP_DIV, a.node, b.node)}; }
Num num_neg(Graph* g, Num a) { return (Num){negate(g, a.node)}; }

// ---- vectors

Vec vec_const(Graph* g, double x, double y, double z) {
  const double value[4] = {x, y, z, 0};
  return (Vec){make_const(g, 4, value)};
}

static Vec vec_all(Graph* g, Num a) {
  const double x = g->node[a.node].value[0], value[4] = {x, x, x, x};
  if (g->node[a.node].op == OP_CONST) return (Vec){make_const(g, 4, value)};
  if (g->node[a.node].op == OP_NEG)
    return (Vec){negate(g, vec_all(g, (Num){g->node[a.node].arg[0]}).node)};
  Node n = make_node(g, OP_ALL, 4);
  n.arg[0] = a.node;
  return (Vec){add_node(g, &n)};
}

static Vec make_set(Graph* g, Num x, Num y, Num z, Num w, int of_three) {
  Node n = make_node(g, OP_SET, 4);
  n.lane = of_three;
  const Num part[4] = {x, y, z, w};
  for (int i = 0; i < 4; ++i) {
    const Node* from = &g->node[part[i].node];
    n.arg[i] = part[i].node;
    n.known |= (from->known & 1) << i;
    n.value[i] = from->value[0];
  }
  if (n.known == 15) return (Vec){make_const(g, 4, n.value)};
  return (Vec){add_node(g, &n)};
}

Vec vec_set(Graph* g, Num x, Num y, Num z, Num w) { return make_set(g, x, y, z, w, 0); }
Vec vec_set3(Graph* g, Num x, Num y, Num z) { return make_set(g, x, y, z, num_const(g, 0), 1); }

Vec vec_add(Graph* g, Vec a, Vec b) { return (Vec){combine(g, OP_ADD, a.node, b.node)}; }
Vec vec_sub(Graph* g, Vec a, Vec b) { return (Vec){combine(g, OP_SUB, a.node, b.node)}; }
Vec vec_mul(Graph* g, Vec a, Vec b) { return (Vec){combine(g, OP_MUL, a.node, b.node)}; }
Vec vec_scale(Graph* g, Vec a, Num b) { return vec_mul(g, a, vec_all(g, b)); }

Num vec_lane(Graph* g, Vec a, int lane) {
  const int id = here(g, a.node);
  const Node* from = &g->node[id];
  if (from->known >> lane & 1) return num_const(g, from->value[lane]);
  if (from->op == OP_ALL) return (Num){from->arg[0]};
  if (from->op == OP_SET) return (Num){from->arg[lane]};
  if (from->op == OP_NEG) return num_neg(g, vec_lane(g, (Vec){from->arg[0]}, lane));
  Node n = make_node(g, OP_LANE, 1);
  n.arg[0] = id;
  n.lane = lane;
  return (Num){add_node(g, &n)};
}

Vec vec_next(Graph* g, Vec a) {
  static const int order[4] = {1, 2, 0, 3};
  const int id = here(g, a.node);
  const Node from = g->node[id];
  if (from.op == OP_NEG) return (Vec){negate(g, vec_next(g, (Vec){from.arg[0]}).node)};
  Node n = make_node(g, OP_NEXT, 4);
  n.arg[0] = id;
  for (int i = 0; i < 4; ++i) {
    n.known |= (from.known >> order[i] & 1) << i;
    n.value[i] = from.value[order[i]];
  }
  if (n.known == 15) return (Vec){make_const(g, 4, n.value)};
  if (from.op == OP_SET)
    return make_set(g, (Num){from.arg[1]}, (Num){from.arg[2]}, (Num){from.arg[0]},
                    (Num){from.arg[3]}, from.lane);
  return (Vec){add_node(g, &n)};
}

// ---- results

static void put(Graph* g, const char* format, int index, int node) {
  if (g->output_count == g->output_capacity) {
    Output* larger = realloc(g->output, 2 * sizeof *larger * (size_t)g->output_capacity);
    if (!larger) {
      g->failed = true;
      return;
    }
    g->output = larger;
    g->output_capacity *= 2;
  }
  Output* out = &g->output[g->output_count++];
  out->node = node;
  snprintf(out->target, sizeof out->target, format, index);
  g->section[g->section_count].first_output = g->output_count;
}

void graph_put_num(Graph* g, const char* format, int index, Num a) {
  put(g, format, index, a.node);
}
void graph_put_vec(Graph* g, const char* format, int index, Vec a) {
  put(g, format, index, here(g, a.node));
}
