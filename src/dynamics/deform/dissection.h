// SPDX-License-Identifier: Apache-2.0
// Nested dissection of a mesh by its places.
#ifndef HEFT_SRC_DEFORM_DISSECTION_H
#define HEFT_SRC_DEFORM_DISSECTION_H

#include "math/block_tree.h"

/// Ranks of the nodes for block_tree_analyze(): nodes that separate others come after them. place:
/// three numbers per node; scratch: two ints per node.
void heft_dissect(const BlockGraph* graph, const double* place, int* rank, int* scratch);

#endif
