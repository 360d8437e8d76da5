// SPDX-License-Identifier: Apache-2.0
// The readers of model files, one for each format. Each fills the builder of its context and
// returns the status of the context.
#ifndef HEFT_SRC_IO_READERS_H
#define HEFT_SRC_IO_READERS_H

#include "io/context.h"

HeftStatus load_mjcf(Load* load, const SourceFile* file);
HeftStatus load_urdf(Load* load, const SourceFile* file);
/// Sets stiffness and damping of the joints that have a springdamper (mjcf_springdamper.c).
void spring_dampers_apply(Load* load, HeftModel* model);

#endif
