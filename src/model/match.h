// SPDX-License-Identifier: Apache-2.0
// Match: which elements of a model correspond to which of another, changed model.
#ifndef HEFT_SRC_MODEL_MATCH_H
#define HEFT_SRC_MODEL_MATCH_H

#include <heft/model.h>

/// For each element of the first model its index in the second, -1: it is gone.
typedef struct ModelMatch {
  int *body, *joint, *shape, *material, *pair, *actuator, *equality, *tendon;
  void* memory;
  size_t size;
} ModelMatch;

/// HEFT_ERR_MEMORY on failure.
HeftStatus heft_model_match(ModelMatch* match, const HeftModel* from, const HeftModel* to,
                            const HeftAllocator* allocator, HeftError* error);
/// Copies `each` numbers of each element to the place of its match.
void heft_match_copy(const int* map, int count, const double* from, double* to, int each);
/// heft_match_copy() for `each` numbers of each dof.
void heft_match_copy_dofs(const ModelMatch* match, const HeftModel* from_model,
                          const HeftModel* to_model, const double* from, double* to, int each);
void heft_model_match_end(ModelMatch* match, const HeftAllocator* allocator);

#endif
