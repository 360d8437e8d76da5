// SPDX-License-Identifier: Apache-2.0
// Signed distance shapes.
#ifndef HEFT_SRC_MODEL_FIELD_H
#define HEFT_SRC_MODEL_FIELD_H

#include <heft/model.h>

/// Half of the least thickness, roughly [m].
double heft_field_half_thickness(const HeftField* field);
/// Samples of a distance shape: only a grid has them.
static inline int heft_field_sample_count(const HeftField* field) {
  return field->type == HEFT_FIELD_GRID ? field->grid[0] * field->grid[1] * field->grid[2] : 0;
}
/// The distance shape of a mesh of a model; its type is HEFT_FIELD_NONE if the mesh has none.
HeftField heft_model_field(const HeftModel* model, int mesh);

#endif
