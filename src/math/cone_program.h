// SPDX-License-Identifier: Apache-2.0
// Linear programs over friction cones, by an interior-point method: for the margins of contacts.
#ifndef HEFT_SRC_MATH_CONE_PROGRAM_H
#define HEFT_SRC_MATH_CONE_PROGRAM_H

#include "base/arena.h"

/// min cost · y + Σ half |box y| over y with along · y = 1, fixed_rows y = 0 and, for every cone,
/// s = cone y + shift: s_0 >= mu √(s_1² + s_2²). Its dual is a question about forces
/// (cone_program.c).
typedef struct ConeProgram {
  int unknowns, cones, boxes, fixed;
  const double* cost;        ///< unknowns
  const double* along;       ///< unknowns; NULL: y is free
  const double* cone;        ///< three rows of `unknowns` numbers per cone
  const double* shift;       ///< three numbers per cone; NULL: zeros
  const double* mu;          ///< cones
  const double* box;         ///< a row of `unknowns` numbers per box
  const double* half;        ///< boxes, >= 0
  const double* fixed_rows;  ///< a row of `unknowns` numbers for each
  double bound;              ///< of the sum of all normal forces, > 0
  double usual;              ///< size of a normal force, where the search begins, > 0
  double scale;              ///< values below this count as zero, > 0
} ConeProgram;

/// The answer, and its distance from the exact one.
typedef struct ConeAnswer {
  double value;  ///< cost of y, an upper bound of the largest a
  double gap;    ///< the largest a is at least value - gap
  int bounded;   ///< 1: it is `bound` that ends the growth of a, or nothing does
  int steps;     ///< Newton steps
} ConeAnswer;

/// Solves to a relative gap, or as far as rounding allows. The answer depends on the program only:
/// it has the same bits whatever was solved before. y: unknowns, the solution. force: three numbers
/// per cone, the forces of the dual: |f_t| <= mu f_0. If none is found, answer->value is an upper
/// bound all the same. Returns 0 if the scratch does not suffice or nothing was found.
int cone_program_solve(const ConeProgram* program, double tolerance, Arena scratch, double* y,
                       double* force, ConeAnswer* answer);
/// Bytes of scratch that a solution needs.
size_t cone_program_scratch(int unknowns, int cones, int boxes);

#endif
