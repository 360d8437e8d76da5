// SPDX-License-Identifier: Apache-2.0
// Sparse LU of a matrix made of small blocks with a symmetric pattern.
#ifndef HEFT_SRC_MATH_BLOCK_LU_H
#define HEFT_SRC_MATH_BLOCK_LU_H

#include <stddef.h>
#include <stdint.h>

#include "math/block_tree.h"

typedef struct BlockLu {
  Arena pool;  // memory for everything below; what is behind the symbolic part serves the numbers
  BlockTree tree;
  const int* dim;  // of the nodes in the present matrix; 0: the node is left out
  // numbers
  size_t* rows_at;  // per supernode: its rows (own x (own + border)), then the border's columns
                    // (border x own)
  int* own_size;    // in scalars
  int* border_size;
  int* pivot_at;
  int* pivots;
  int* where;             // place of a node inside of the present front
  int *run_to, *run_end;  // scratch of find_runs()
  double* factor;
  double *stack, *x;
  size_t factor_room, stack_room;
} BlockLu;

/// Orders and analyses the pattern in `pool` (by value). Returns 0 if memory does not suffice.
int block_lu_analyze(BlockLu* lu, Arena pool, BlockGraph graph, int dim_max);
/// Factors the matrix whose block (p, q) is at values + offset[k], dim[p] x dim[q] row-major, for
/// the k at which graph.adjacent[k] = q in row p. Returns 0 if memory does not suffice or a pivot
/// vanishes.
int block_lu_factor(BlockLu* lu, const int* dim, const size_t* offset, const double* values);
/// x (node after node, at[p] where node p starts) := A⁻¹ x.
void block_lu_solve(const BlockLu* lu, const int* at, double* x);
/// Multiplications of the last factorisation, or before the first of one without open contacts: for
/// deciding what pays.
double block_lu_effort(const BlockLu* lu);

#endif
