// SPDX-License-Identifier: Apache-2.0
// The description of a model that a controller gets: JSON with the names, units and ranges of all
// numbers of a state and of an answer.
#ifndef HEFT_SRC_LINK_DESCRIPTION_H
#define HEFT_SRC_LINK_DESCRIPTION_H

#include <heft/model.h>

typedef struct DescriptionTimes {
  double step;    ///< length of a step [s]
  double period;  ///< time between two states [s]
  bool free;      ///< the world does not wait
} DescriptionTimes;

/// Writes at most `size` bytes, without a zero at the end. Returns the size of the whole text. text
/// may be NULL if size is 0.
size_t description_write(const HeftModel* model, const DescriptionTimes* times, char* text,
                         size_t size);

#endif
