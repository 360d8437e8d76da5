// SPDX-License-Identifier: Apache-2.0
// Softness of contacts as MuJoCo describes it, mapped to stiffness and damping of contact materials
// if HeftLoadDef.soft_contacts asks for it.
#ifndef HEFT_SRC_IO_MJCF_SOFTNESS_H
#define HEFT_SRC_IO_MJCF_SOFTNESS_H

#include "io/mjcf.h"

/// Reads the numbers of a geom, or of a pair: solref is the first key of the two.
void soft_law_read(Mjcf* m, const Item* item, MjcfKey solref, SoftLaw* law);
/// A contact material of its own for a law, which joins Load.soft_laws.
int soft_law_material(Mjcf* m, const double friction[MATERIAL_NUMBERS], const SoftLaw* law);
/// The numbers of the contact of two geoms.
SoftLaw soft_law_mix(const SoftLaw* a, const SoftLaw* b);
/// Stores stiffness and damping in the materials of the laws (Load.soft_laws). The model is
/// finished.
void soft_laws_apply(Load* load, HeftModel* model);

#endif
