// SPDX-License-Identifier: Apache-2.0
// Ordering: minimum degree on the graph of nodes, with the elimination graph held as bit rows.
// Nodes that are eliminated one after the other with the same border become one supernode. A caller
// that knows separators of the graph gives them ranks (nested dissection). One whose nodes differ
// in size gives their weights: then degrees are sums of weights, and a supernode absorbs the one
// before it wherever one front costs less than two, zeros included.
#include "math/block_tree.h"

#include <string.h>

#include "base/assert.h"
#include "math/invariant.h"
#include "math/simd.h"

// ---- ordering

static int count_bits(uint64_t x) { return __builtin_popcountll(x); }

HEFT_INLINE int degree_of(const uint64_t* row, int words, const int* weight) {
  int sum = 0;
  if (!weight) {
    for (int k = 0; k < words; ++k) sum += count_bits(row[k]);
    return sum;
  }
  for (int k = 0; k < words; ++k) {
    for (uint64_t rest = row[k]; rest; rest &= rest - 1)
      sum += weight[64 * k + __builtin_ctzll(rest)];
  }
  return sum;
}

enum { ZEROS = 5 };  // one block of so many may be zero in a supernode, if nodes have ranks

typedef struct Elimination {
  int words;
  uint64_t* bits;  // (nodes x words) neighbours that are still there
  int* degree;
  const int* rank;           // nodes of lower rank go first, NULL: all are equal
  const int* weight;         // of each node, NULL: 1
  int* left;                 // nodes that are still there, rising
  int* size;                 // length of the border when it was eliminated
  int *found_start, *found;  // borders, one after the other
  size_t found_room;
} Elimination;

// The bits of each clique are collected in the row of bits behind the nodes' rows.
static void fill_cliques(Elimination* e, const BlockGraph* graph) {
  uint64_t* all = e->bits + (size_t)graph->nodes * (size_t)e->words;
  memset(e->bits, 0, sizeof(uint64_t) * (size_t)(graph->nodes + 1) * (size_t)e->words);
  for (int c = 0; c < graph->cliques; ++c) {
    const int *member = graph->adjacent + graph->start[c],
              count = graph->start[c + 1] - graph->start[c];
    HEFT_ASSERT(count >= 0 && heft_all_within(member, count, 0, graph->nodes));
    for (int k = 0; k < count; ++k) all[member[k] >> 6] |= (uint64_t)1 << (member[k] & 63);
    for (int k = 0; k < count; ++k) {
      uint64_t* row = e->bits + (size_t)member[k] * (size_t)e->words;
      for (int w = 0; w < e->words; ++w) row[w] |= all[w];
    }
    for (int k = 0; k < count; ++k) all[member[k] >> 6] = 0;
  }
  for (int p = 0; p < graph->nodes; ++p) {
    uint64_t* row = e->bits + (size_t)p * (size_t)e->words;
    row[p >> 6] &= ~((uint64_t)1 << (p & 63));
    e->degree[p] = degree_of(row, e->words, e->weight);
  }
}

static void fill_bits(Elimination* e, const BlockGraph* graph) {
  memset(e->bits, 0, sizeof(uint64_t) * (size_t)graph->nodes * (size_t)e->words);
  for (int p = 0; p < graph->nodes; ++p) {
    uint64_t* row = e->bits + (size_t)p * (size_t)e->words;
    for (int k = graph->start[p]; k < graph->start[p + 1]; ++k) {
      const int q = graph->adjacent[k];
      HEFT_ASSERT(q >= 0 && q < graph->nodes);
      if (q != p) row[q >> 6] |= (uint64_t)1 << (q & 63);
    }
    e->degree[p] = degree_of(row, e->words, e->weight);
  }
}

HEFT_SHARED_CLONES
static void merge_neighbours(Elimination* e, int p, const int* border, int count) {
  const uint64_t* from = e->bits + (size_t)p * (size_t)e->words;
  for (int k = 0; k < count; ++k) {
    const int q = border[k];
    HEFT_ASSERT(q != p);
    uint64_t* to = e->bits + (size_t)q * (size_t)e->words;
    for (int w = 0; w < e->words; ++w) to[w] |= from[w];
    to[q >> 6] &= ~((uint64_t)1 << (q & 63));
    to[p >> 6] &= ~((uint64_t)1 << (p & 63));
    e->degree[q] = degree_of(to, e->words, e->weight);
  }
}

static int goes_before(const Elimination* e, int q, int p) {
  if (e->rank && e->rank[q] != e->rank[p]) return e->rank[q] < e->rank[p];
  return e->degree[q] < e->degree[p];
}

// Takes the node that goes before all others from those that are left; ties to the lowest.
static int take_next(Elimination* e, int count) {
  int best = 0;
  for (int k = 1; k < count; ++k) {
    if (goes_before(e, e->left[k], e->left[best])) best = k;
  }
  const int p = e->left[best];
  HEFT_ASSERT(p >= 0);
  memmove(e->left + best, e->left + best + 1, sizeof(int) * (size_t)(count - 1 - best));
  return p;
}

// Minimum degree in each rank. Borders are written down as they are found. 0: no room.
static int eliminate_all(Elimination* e, int nodes, int* order) {
  size_t used = 0;
  for (int k = 0; k < nodes; ++k) e->left[k] = k;
  for (int k = 0; k < nodes; ++k) {
    const int p = take_next(e, nodes - k);
    const uint64_t* row = e->bits + (size_t)p * (size_t)e->words;
    const int size = degree_of(row, e->words, NULL);
    HEFT_ASSERT(size < nodes - k || size == 0);
    if (used + (size_t)size > e->found_room) return 0;
    order[k] = p;
    e->size[k] = size;
    e->found_start[k] = (int)used;
    int* border = e->found + used;
    for (int w = 0; w < e->words; ++w) {
      for (uint64_t rest = row[w]; rest; rest &= rest - 1)
        e->found[used++] = 64 * w + __builtin_ctzll(rest);
    }
    merge_neighbours(e, p, border, size);
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

// The node whose position follows first in a border, n if the border is empty.
static int nearest_of(const BlockTree* tree, const Elimination* e, int k) {
  const int* border = e->found + e->found_start[k];
  int nearest = tree->graph.nodes;
  for (int j = 0; j < e->size[k]; ++j)
    nearest = tree->position[border[j]] < nearest ? tree->position[border[j]] : nearest;
  return nearest;
}

// Puts every node right after the nodes that it is nearest to, so that those which can form a
// supernode follow each other. The factor has the same numbers. 0: no room.
static int postorder_nodes(BlockTree* tree, Elimination* e, Arena scratch) {
  const int n = tree->graph.nodes;
  int *head = arena_take(&scratch, n + 1, int), *next = arena_take(&scratch, n, int);
  int *order = arena_take(&scratch, n, int), *size = arena_take(&scratch, n, int);
  int* start = arena_take(&scratch, n, int);
  if (scratch.overflow) return 0;
  for (int k = 0; k <= n; ++k) head[k] = -1;
  for (int k = n - 1; k >= 0; --k) {
    const int parent = nearest_of(tree, e, k);
    HEFT_ASSERT(parent > k && parent <= n);
    next[k] = head[parent];
    head[parent] = k;
  }
  int at = head[n], placed = 0;
  while (at >= 0) {  // as postorder()
    while (head[at] >= 0) {
      const int child = head[at];
      head[at] = next[child];
      next[child] = at;
      at = child;
    }
    order[placed] = tree->order[at];
    size[placed] = e->size[at];
    start[placed++] = e->found_start[at];
    at = next[at];
  }
  HEFT_ASSERT(placed == n);
  memcpy(tree->order, order, sizeof(int) * (size_t)n);
  memcpy(e->size, size, sizeof(int) * (size_t)n);
  memcpy(e->found_start, start, sizeof(int) * (size_t)n);
  for (int k = 0; k < n; ++k) tree->position[tree->order[k]] = k;
  HEFT_ASSERT(heft_all_within(tree->order, n, 0, n));
  return 1;
}

// Returns whether node k joins the supernode of `own` nodes right before it, the last of which is
// nearest to k. Without zeros, their borders are nested and equal in size. If zeros are allowed,
// they may be a share of the blocks: a few large fronts are faster than many small ones.
static int joins(const Elimination* e, int k, int own, long* zeros) {
  const long more = (long)own * (e->size[k] + 1 - e->size[k - 1]) + *zeros;
  const long blocks = (long)(own + 1) * (own + 2) / 2 + (long)(own + 1) * e->size[k];
  HEFT_ASSERT(own > 0 && blocks > 0);
  if (more > *zeros && !(e->rank && ZEROS * more <= blocks)) return 0;
  *zeros = more;
  return 1;
}

// Consecutive nodes whose borders are nested form a supernode.
static void find_supernodes(BlockTree* tree, const Elimination* e) {
  const int n = tree->graph.nodes;
  int count = 0, used = 0;
  long zeros = 0;
  for (int k = 0; k < n; ++k) {
    const int* border = e->found + e->found_start[k];
    if (k > 0 && nearest_of(tree, e, k - 1) == k &&
        joins(e, k, k - tree->first[count - 1], &zeros)) {
      used = tree->border_start[count - 1];
    } else {
      tree->first[count] = k;
      tree->border_start[count++] = used;
      zeros = 0;
    }
    memmove(tree->border + used, border, sizeof(int) * (size_t)e->size[k]);
    used += e->size[k];
    sort_by_position(tree->border + tree->border_start[count - 1], e->size[k], tree->position);
  }
  tree->supernodes = count;
  tree->first[count] = n;
  tree->border_start[count] = used;
  HEFT_ASSERT(heft_is_rising(tree->first, count) && heft_is_rising(tree->border_start, count));
}

// ---- supernodes by cost

// Operations of a front with `own` pivots and `size` rows: elimination, and the passage of its
// border to the parent; 200 for everything else.
static double front_cost(int own, int size) {
  const double rest = size - own, n = size;
  double cost = 200 + 2 * rest * rest;
  for (int k = 0; k < own; ++k) cost += 0.35 * (n - k) * (n - k) + 3 * (n - k);
  return cost;
}

static int weight_of_border(const Elimination* e, int k) {
  int sum = 0;
  for (int j = 0; j < e->size[k]; ++j) sum += e->weight[e->found[e->found_start[k] + j]];
  return sum;
}

// The nodes are in postorder. Each begins a supernode; it absorbs the supernode right before it if
// that one's border begins inside of it and one front costs no more than two. own, wide: weights of
// the own nodes and of the border of the supernode that ends at a position; begin: its first one.
static void merge_supernodes(const BlockTree* tree, const Elimination* e, int* own, int* wide,
                             int* begin) {
  for (int k = 0; k < tree->graph.nodes; ++k) {
    own[k] = e->weight[tree->order[k]];
    wide[k] = weight_of_border(e, k);
    begin[k] = k;
    for (int c = k - 1; c >= 0; c = begin[k] - 1) {
      const int next = nearest_of(tree, e, c), both = own[c] + own[k];
      HEFT_ASSERT(next > c);
      if (next < begin[k] || next > k) break;
      if (front_cost(both, both + wide[k]) >
          front_cost(own[c], own[c] + wide[c]) + front_cost(own[k], own[k] + wide[k]))
        break;
      own[k] = both;
      begin[k] = begin[c];
    }
  }
}

// Supernodes of nodes with weights. 0: no room.
static int find_weighted(BlockTree* tree, const Elimination* e, Arena scratch) {
  const int n = tree->graph.nodes;
  int *own = arena_take(&scratch, n, int), *wide = arena_take(&scratch, n, int);
  int *begin = arena_take(&scratch, n, int), count = 0, used = 0;
  if (scratch.overflow) return 0;
  merge_supernodes(tree, e, own, wide, begin);
  for (int k = n - 1; k >= 0; k = begin[k] - 1) ++count;
  tree->supernodes = count;
  tree->first[count] = n;
  for (int k = n - 1, s = count - 1; k >= 0; k = begin[k] - 1) tree->first[s--] = begin[k];
  HEFT_ASSERT(tree->first[0] == 0);
  for (int s = 0; s < count; ++s) {
    const int last = tree->first[s + 1] - 1;
    tree->border_start[s] = used;
    memcpy(tree->border + used, e->found + e->found_start[last],
           sizeof(int) * (size_t)e->size[last]);
    sort_by_position(tree->border + used, e->size[last], tree->position);
    used += e->size[last];
  }
  tree->border_start[count] = used;
  HEFT_ASSERT(heft_is_rising(tree->first, count) && heft_is_rising(tree->border_start, count));
  return 1;
}

// ---- numbers of supernodes

// Renumbers the supernodes so that children come right before their parents, as the stack needs.
static void postorder(BlockTree* tree, int* scratch, int* supernode_of, int* next, int* head) {
  const int count = tree->supernodes;
  int placed = 0;
  for (int s = 0; s < count; ++s) {
    for (int k = tree->first[s]; k < tree->first[s + 1]; ++k) supernode_of[tree->order[k]] = s;
    head[s] = -1;
  }
  head[count] = -1;
  for (int s = count - 1; s >= 0; --s) {  // children in rising order
    const int has = tree->border_start[s + 1] > tree->border_start[s];
    tree->parent[s] = has ? supernode_of[tree->border[tree->border_start[s]]] : -1;
    const int parent = has ? tree->parent[s] : count;
    HEFT_ASSERT(parent > s);
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

static int run_elimination(BlockTree* tree, const int* rank, const int* weight, Arena scratch,
                           size_t border_room) {
  const int n = tree->graph.nodes;
  Elimination e = {
      .words = (n + 63) / 64, .rank = rank, .weight = weight, .found_room = border_room};
  e.bits = arena_take(&scratch, (size_t)(n + 1) * (size_t)e.words, uint64_t);
  e.degree = arena_take(&scratch, n, int);
  e.size = arena_take(&scratch, n, int);
  e.left = arena_take(&scratch, n, int);
  e.found_start = arena_take(&scratch, n + 1, int);
  e.found = arena_take(&scratch, border_room, int);
  if (scratch.overflow) return 0;
  if (tree->graph.cliques > 0) {
    fill_cliques(&e, &tree->graph);
  } else {
    fill_bits(&e, &tree->graph);
  }
  if (!eliminate_all(&e, n, tree->order)) return 0;
  for (int k = 0; k < n; ++k) tree->position[tree->order[k]] = k;
  if ((rank || weight) && !postorder_nodes(tree, &e, scratch)) return 0;
  if (weight) return find_weighted(tree, &e, scratch);
  find_supernodes(tree, &e);
  return 1;
}

// Puts the supernodes into the order found by postorder().
static int renumber(BlockTree* tree, Arena scratch) {
  const int count = tree->supernodes, n = tree->graph.nodes, borders = tree->border_start[count];
  int* sequence = arena_take(&scratch, count, int);
  int* supernode_of = arena_take(&scratch, n, int);
  int *next = arena_take(&scratch, count, int), *head = arena_take(&scratch, count + 1, int);
  int *order = arena_take(&scratch, n, int), *first = arena_take(&scratch, count + 1, int);
  int *start = arena_take(&scratch, count + 1, int), *border = arena_take(&scratch, borders, int);
  int *parent = arena_take(&scratch, count, int), *number = arena_take(&scratch, count, int);
  if (scratch.overflow) return 0;
  postorder(tree, sequence, supernode_of, next, head);
  int at = 0, used = 0;
  for (int k = 0; k < count; ++k) number[sequence[k]] = k;
  for (int k = 0; k < count; ++k) {
    const int s = sequence[k];
    first[k] = at;
    start[k] = used;
    parent[k] = tree->parent[s] < 0 ? -1 : number[tree->parent[s]];
    for (int j = tree->first[s]; j < tree->first[s + 1]; ++j) order[at++] = tree->order[j];
    for (int j = tree->border_start[s]; j < tree->border_start[s + 1]; ++j)
      border[used++] = tree->border[j];
  }
  first[count] = at;
  HEFT_ASSERT(at == n);
  start[count] = used;
  HEFT_ASSERT(used == borders);
  memcpy(tree->order, order, sizeof(int) * (size_t)n);
  memcpy(tree->first, first, sizeof(int) * (size_t)(count + 1));
  memcpy(tree->border_start, start, sizeof(int) * (size_t)(count + 1));
  memcpy(tree->border, border, sizeof(int) * (size_t)borders);
  memcpy(tree->parent, parent, sizeof(int) * (size_t)count);
  for (int k = 0; k < n; ++k) tree->position[tree->order[k]] = k;
  for (int k = 0; k < count; ++k) {
    sort_by_position(tree->border + tree->border_start[k],
                     tree->border_start[k + 1] - tree->border_start[k], tree->position);
  }
  return 1;
}

// The subtree below a supernode is right before it.
static void find_subtrees(BlockTree* tree) {
  for (int s = 0; s < tree->supernodes; ++s) tree->subtree[s] = s;
  for (int s = 0; s < tree->supernodes; ++s) {
    const int parent = tree->parent[s];
    HEFT_ASSERT(parent < 0 || parent > s);
    if (parent >= 0 && tree->subtree[s] < tree->subtree[parent])
      tree->subtree[parent] = tree->subtree[s];
  }
}

static int take_tree(BlockTree* tree, Arena* pool, int n) {
  tree->order = arena_take(pool, n, int);
  tree->position = arena_take(pool, n, int);
  tree->first = arena_take(pool, n + 1, int);
  tree->parent = arena_take(pool, n + 1, int);
  tree->subtree = arena_take(pool, n + 1, int);
  tree->border_start = arena_take(pool, n + 1, int);
  return !pool->overflow;
}

int block_tree_analyze(BlockTree* tree, Arena* pool, BlockGraph graph, const int* rank,
                       const int* weight) {
  tree->graph = graph;
  if (!take_tree(tree, pool, graph.nodes)) return 0;
  const size_t border_room = (pool->size - pool->used) / 16 / sizeof(int), used = pool->used;
  tree->border = arena_take(pool, border_room, int);
  if (pool->overflow || !run_elimination(tree, rank, weight, *pool, border_room)) return 0;
  if (!renumber(tree, *pool)) return 0;
  pool->used = used;  // what the borders do not need is free again
  tree->border = arena_take(pool, tree->border_start[tree->supernodes], int);
  find_subtrees(tree);
  return 1;
}
