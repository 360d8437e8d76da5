// SPDX-License-Identifier: Apache-2.0
// Convex pieces, for hashes.c.
#ifndef HEFT_TESTS_DETERMINISM_CUTS_H
#define HEFT_TESTS_DETERMINISM_CUTS_H

/// Prints the hashes of pieces of a mesh, one per line.
void print_cuts(void);

#endif
