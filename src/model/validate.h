// SPDX-License-Identifier: Apache-2.0
// One validator for all models, built or loaded: every index in range, every number finite.
#ifndef HEFT_SRC_MODEL_VALIDATE_H
#define HEFT_SRC_MODEL_VALIDATE_H

#include <heft/model.h>

/// Checks all arrays of a model, except the tree. The message states the object, the value found
/// and the value expected.
HeftStatus heft_model_validate(const HeftModel* model, HeftError* error);

#endif
