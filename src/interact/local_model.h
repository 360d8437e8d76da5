// SPDX-License-Identifier: Apache-2.0
#ifndef HEFT_SRC_INTERACT_LOCAL_MODEL_H
#define HEFT_SRC_INTERACT_LOCAL_MODEL_H

#include <heft/interact.h>

/// Turn and way of what is touched up to now, as the model has it.
HeftSpatial local_moved(const HeftLocalModel* model, uint64_t now_ns);

#endif
