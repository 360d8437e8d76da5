// SPDX-License-Identifier: Apache-2.0
// Sparse Cholesky factor A = L Lᵀ of a symmetric positive definite matrix of blocks of 3 x 3.
#ifndef HEFT_SRC_MATH_BLOCK_CHOLESKY_H
#define HEFT_SRC_MATH_BLOCK_CHOLESKY_H

#include <stddef.h>

#include "base/pool.h"
#include "math/block_tree.h"

enum { CHOLESKY_TASKS = 4 };

/// Scratch of one thread.
typedef struct CholeskyLane {
  double* stack;   ///< what supernodes leave to their parents
  double* turned;  ///< transposed matrices
  double* work;    ///< 12 numbers per node
  double* sum;     ///< three numbers per node
  int* where;      ///< per node: its place in the present front
  int* place;      ///< per node of a border: its place in the front of the parent
} CholeskyLane;

/// Memory that the factors of one tree share; nothing in it outlives a call.
typedef struct CholeskyRoom {
  HeftPool* pool;            ///< shares the tasks; the caller sets it. Bits do not depend on it.
  int tasks;                 ///< subtrees that do not depend on each other
  int root[CHOLESKY_TASKS];  ///< of these, rising
  CholeskyLane lane[CHOLESKY_TASKS + 1];  ///< of each task, and last of what is above them
} CholeskyRoom;

typedef struct BlockCholesky {
  const BlockTree* tree;
  const CholeskyRoom* room;
  size_t* at;       ///< per supernode: its columns of L, (own + border) x own
  double* factor;   ///< of all supernodes
  double* inverse;  ///< 1 / L_kk, by position
} BlockCholesky;

/// Doubles that the arrays of lanes and BlockCholesky.factor need. nodes: those between
/// which block_cholesky_between() will compute A⁻¹, or more, by rising position.
typedef struct CholeskySize {
  size_t stack[CHOLESKY_TASKS + 1], turned, factor;
} CholeskySize;
CholeskySize block_cholesky_size(const BlockTree* tree, int count, const int* nodes);

/// Allocates the room for the given sizes.
void block_cholesky_room(CholeskyRoom* room, const BlockTree* tree, CholeskySize size,
                         Arena* arena);
/// Allocates a factor.
void block_cholesky_take(BlockCholesky* c, const BlockTree* tree, const CholeskyRoom* room,
                         CholeskySize size, Arena* arena);

/// Factors the matrix whose block k of the pattern is at values + 9 k, row-major. Returns 0 if it
/// is not positive definite.
int block_cholesky_factor(const BlockCholesky* c, const double* values);
/// x (three numbers per node) := A⁻¹ x.
void block_cholesky_solve(const BlockCholesky* c, double* x);
/// block_cholesky_solve() for four right-hand sides, whose numbers are side by side.
void block_cholesky_solve_four(const BlockCholesky* c, double* x);
/// out (3 count)², row-major: the blocks of A⁻¹ between the nodes, which are given by rising
/// position.
void block_cholesky_between(const BlockCholesky* c, int count, const int* nodes, double* out);

/// The dense factor of an n x n matrix, row-major, of which the lower triangle is given: l becomes
/// L, `inverse` (n) 1 / L_kk. turned: scratch, PANEL_MAX n numbers. Returns 0 if it is not positive
/// definite.
enum { PANEL_MAX = 16 };
int block_cholesky_dense(int n, double* l, double* inverse, double* turned);
/// x := A⁻¹ x by such a factor.
void block_cholesky_dense_solve(int n, const double* l, const double* inverse, double* x);

#endif
