// SPDX-License-Identifier: Apache-2.0
// The MJCF writer, one function for each section. o->plan must be set.
#ifndef HEFT_SRC_IO_MJCF_WRITE_H
#define HEFT_SRC_IO_MJCF_WRITE_H

#include "io/out.h"

/// The order of the file: MJCF has bodies depth first, and the elements of a body inside of it.
typedef struct MjcfPlan {
  int explicit_materials;                     ///< contact materials are in <custom>
  int *body, *shape, *site, *camera, *light;  ///< index in the model of each element of the file
  int shapes, sites, cameras, lights;         ///< written so far
} MjcfPlan;

void mjcf_write_assets(Out* o);
void mjcf_write_bodies(Out* o);
void mjcf_write_contacts(Out* o);
void mjcf_write_tendons(Out* o);
void mjcf_write_equalities(Out* o);
void mjcf_write_actuators(Out* o);
void mjcf_write_sensors(Out* o);
void mjcf_write_keys(Out* o);
void mjcf_write_custom(Out* o);

#endif
