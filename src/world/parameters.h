// SPDX-License-Identifier: Apache-2.0
// Parameters of one world that differ from its shared model: the view and its private arrays.
#ifndef HEFT_SRC_WORLD_PARAMETERS_H
#define HEFT_SRC_WORLD_PARAMETERS_H

#include <heft/world.h>
#include <stdbool.h>

#include "model/match.h"

/// The memory of a world's view of its model. All pointers are NULL until a parameter is changed.
typedef struct Parameters {
  HeftModel view;           ///< the model as this world sees it
  const HeftModel* source;  ///< the shared model
  double* materials;      ///< 10 (nmaterial + npair + nshape): friction, kinetic, torsion, rolling,
                          ///< restitution, layer (3), slip (2)
  int* pair_material;     ///< npair
  int* shape_material;    ///< nshape
  double* masses;         ///< 9 nbody: mass, inertia (6), mass factor, inertia factor
  double* gains;          ///< 6 nactuator: gain, gain rate (2), bias (3)
  struct HeftTree* tree;  ///< of the changed masses
  bool gravity_set;       ///< true if gravity was changed
} Parameters;

/// Points the view to the shared model.
void heft_parameters_begin(Parameters* parameters, const HeftModel* model);
/// Releases the private arrays.
void heft_parameters_end(Parameters* parameters, const HeftAllocator* allocator);
/// A material of a model or view, as a struct.
HeftMaterial heft_material_read(const HeftModel* model, int material);
/// Each changes one entry of the view; values must have been checked. On failure nothing is
/// changed.
HeftStatus heft_parameters_set_material(Parameters* parameters, const HeftAllocator* allocator,
                                        int material, const HeftMaterial* value, HeftError* error);
HeftStatus heft_parameters_set_pair(Parameters* parameters, const HeftAllocator* allocator,
                                    int pair, const HeftMaterial* value, HeftError* error);
HeftStatus heft_parameters_set_shape(Parameters* parameters, const HeftAllocator* allocator,
                                     int shape, const HeftMaterial* value, HeftError* error);
HeftStatus heft_parameters_set_masses(Parameters* parameters, const HeftAllocator* allocator,
                                      int body, double mass, double inertia, HeftError* error);
HeftStatus heft_parameters_set_gains(Parameters* parameters, const HeftAllocator* allocator,
                                     int actuator, const HeftActuatorGains* gains,
                                     HeftError* error);
/// Copies all changed parameters of one world to another of the same model.
HeftStatus heft_parameters_copy(Parameters* to, const Parameters* from,
                                const HeftAllocator* allocator, HeftError* error);
/// Carries the changed parameters to a world of another model, for the elements that match.
HeftStatus heft_parameters_carry(Parameters* to, const Parameters* from, const ModelMatch* match,
                                 const HeftAllocator* allocator, HeftError* error);
/// Depends on every changed parameter; `seed` if there is none.
uint64_t heft_parameters_hash(const Parameters* parameters, uint64_t seed);

#endif
