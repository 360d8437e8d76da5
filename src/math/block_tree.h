// SPDX-License-Identifier: Apache-2.0
// In which order the nodes of a sparse matrix of blocks are eliminated: the tree of its supernodes,
// for the factors of block_lu.c and block_cholesky.c.
#ifndef HEFT_SRC_MATH_BLOCK_TREE_H
#define HEFT_SRC_MATH_BLOCK_TREE_H

#include "base/arena.h"

/// The pattern: node p is joined to adjacent[start[p] .. start[p + 1]), rising, itself included,
/// both ways. With cliques, adjacent[start[c] .. start[c + 1]) are all joined to each other.
typedef struct BlockGraph {
  int nodes;
  const int* start;
  const int* adjacent;
  int cliques;  ///< how many; 0: the lists are of nodes
} BlockGraph;

/// Children are right before their parents.
typedef struct BlockTree {
  BlockGraph graph;
  int supernodes;
  int* order;         ///< nodes in the order of elimination
  int* position;      ///< its inverse
  int* first;         ///< (supernodes + 1) first position of each supernode
  int* parent;        ///< of each supernode, -1 for roots
  int* subtree;       ///< the first supernode below each, itself if none is below it
  int* border_start;  ///< (supernodes + 1)
  int* border;        ///< nodes behind a supernode that it touches, by rising position
} BlockTree;

/// Orders the nodes, lower ranks first (NULL: all are equal). weight: scalars of each node, for an
/// order and supernodes by their cost (NULL: by blocks). The tree is allocated from the pool, the
/// rest of which serves as scratch. Returns 0 if memory does not suffice.
int block_tree_analyze(BlockTree* tree, Arena* pool, BlockGraph graph, const int* rank,
                       const int* weight);

#endif
