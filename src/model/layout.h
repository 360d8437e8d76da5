// SPDX-License-Identifier: Apache-2.0
// How a model lies in memory: one block, the arrays of HEFT_MODEL_ARRAY_LIST in their order.
#ifndef HEFT_SRC_MODEL_LAYOUT_H
#define HEFT_SRC_MODEL_LAYOUT_H

#include <heft/model.h>

/// Allocates a model of the sizes given in `sizes` (only its n... fields are read). Its arrays are
/// not initialised: the loader writes them all, and they may be large.
HeftStatus heft_model_allocate(HeftModel** out, const HeftModel* sizes,
                               const HeftAllocator* allocator, HeftError* error);

/// Elements of an array, count x width; -1 if a factor is negative or the product too large to
/// address.
long long heft_model_array_length(int count, int width);

#endif
