// SPDX-License-Identifier: Apache-2.0
// What the world needs of a solver beside its public functions.
#ifndef HEFT_SRC_CONTACT_SOLVER_H
#define HEFT_SRC_CONTACT_SOLVER_H

#include <heft/contact.h>

/// Lets the next solves use no more memory than a solver of `bytes` has
/// (heft_contact_solver_bytes()); 0: all of its own. What fits decides the phases, so solvers of
/// different size give the same bits if they are bound to the same.
void heft_contact_solver_bind(HeftContactSolver* solver, size_t bytes);

/// heft_contact_certify() with the same bits, by the threads of the solver.
HeftContactCertificate heft_contact_solver_certify(const HeftContactSolver* solver,
                                                   const HeftContactProblem* problem,
                                                   const double* impulse, const double* velocity,
                                                   double* scratch);

#endif
