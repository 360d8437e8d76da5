// SPDX-License-Identifier: Apache-2.0
// The Newton system of an island of many trees as a sparse matrix.
#ifndef HEFT_SRC_CONTACT_NEWTON_SPARSE_H
#define HEFT_SRC_CONTACT_NEWTON_SPARSE_H

#include "contact/core/core.h"

/// A dense matrix: `own` pivots and the border of columns that they touch. The right-hand side is
/// the column behind the last.
typedef struct SparseFront {
  int first, own, size;  // first column; pivots; pivots and border
  int line;              // from row to row, a multiple of four
  int border;            // where its border begins in Sparse::border and Sparse::place
  int straight;          // its border is one run of columns of the parent, up to the last
  int child, next;       // first child; the next child of the same parent; -1: none
  int contact;           // first contact, -1: none
  size_t top;            // where its own rows begin in Sparse::factor
  size_t rest;           // where the others begin in Sparse::stack
} SparseFront;

/// The rows of a contact in the front that eliminates its first column.
typedef struct SparseContact {
  int next;             // the next contact of the same front, -1: none
  int columns, column;  // how many; where they begin in Sparse::unknown, ::row and ::at
  int blocks, block;    // groups of four columns of the front; where they begin in Sparse::offset
  size_t numbers;       // where its rows begin in Sparse::jacobian, 4 blocks apart
} SparseContact;

typedef struct Sparse {
  int columns, fronts, widest;  // widest: line of the widest front
  int* unknown_of;     // (columns) the unknown: a joint velocity y, or a number of y in a twist L y
  SparseFront* front;  // children before their parents
  int* border;         // columns
  int* place;          // ... where they are in the front of the parent
  unsigned char* run;  // ... 4: the next four follow each other there
  SparseContact* contact;   // (contacts)
  int *unknown, *row, *at;  // of a contact's columns: unknown, row of the front, place in its rows
  int* offset;              // of a contact's blocks: first column in the front
  double *jacobian, *factor;  // rows of contacts; own rows of fronts
  double* stack;              // what is left of fronts, until it is added to their parents
  double *x, *inverse;        // (columns) solution; 1 / pivots
  double* root;               // (36 per effector) L of Ω = L Lᵀ, if effectors are free bodies
  double *push, *move;        // (unknowns) the right-hand side and the solution
  double *product, *piece;    // scratch: E J of a contact; a piece of x
  double effort;              // multiplications of a factorisation
} Sparse;

/// Numbers of a front behind its own rows.
static inline size_t sparse_rest(const SparseFront* front) {
  return (size_t)(front->size - front->own) * (size_t)front->line;
}
/// Whether an island can be solved so: in joint space, or if all trees are free bodies.
int sparse_fits(const Core* core);
/// Orders the unknowns and loads the rows of all contacts, in memory of the pool. Returns 0 if it
/// does not suffice.
int sparse_prepare(Sparse* sparse, const Core* core, Arena pool);
/// out := (scale M + Σ Jᵀ E J)⁻¹ in, with E in e (36 per contact): joint velocities y, where M = 1,
/// or twists, where M = Ω⁻¹. Unknowns that no contact moves are zero. Returns 0 if a pivot
/// vanishes.
int sparse_solve(Sparse* sparse, const Core* core, const double* e, double scale, const double* in,
                 double* out);

#endif
