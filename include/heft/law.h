// SPDX-License-Identifier: Apache-2.0
/// @file law.h
/// A law of contact of the user's, which replaces the contact models of a world
/// (heft_world_set_contact_law()). A plug-in may bring one along (heft/plugin.h):
/// `heft run scene --contact-model ./mine.so`.
#ifndef HEFT_LAW_H
#define HEFT_LAW_H

#include <heft/collision.h>
#include <heft/contact.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { HEFT_LAW_MEMORY = 4 };  ///< numbers that a law stores for each contact point

/// Bodies that contact connects in a step, as a contact law sees them. Arrays belong to the world.
/// Velocities and impulses have the rows of the contact points: of each, the normal comes first,
/// then tangent1 and tangent2 if it has friction.
typedef struct HeftContactIsland {
  const HeftModel* model;                ///< the model as the world sees it
  const HeftContactProblem* problem;     ///< of the exact law; its first `count` blocks are the
                                         ///< contact points, with their rows and coefficients
  double time_step;                      ///< [s]
  double weight_speed;                   ///< speed that gravity adds in a step [m/s]
  int count;                             ///< contact points
  int rows;                              ///< their rows
  const HeftContactPoint* const* point;  ///< (count)
  const double* start;                   ///< (rows): at the start of the step [m/s]
  const double* free;  ///< (rows): at its end without impulses of contact points; normal rows with
                       ///< gap / time_step, so that a point may close if its gap is positive [m/s]
  const double* mobility;                   ///< (rows): diagonal of W, see respond [1/kg]
  const double (*memory)[HEFT_LAW_MEMORY];  ///< (count): what the law stored for a point in the
                                            ///< last step; zero for a new one
  /// velocity (rows) = W impulse (rows): the velocities that impulses add.
  void (*respond)(const struct HeftContactIsland* island, const double* impulse, double* velocity);
  double* impulse;                   ///< (rows): the result; zero before [N s]
  double (*store)[HEFT_LAW_MEMORY];  ///< (count): the numbers to be stored; `memory` before
  void* world;                       ///< of Heft
} HeftContactIsland;

/// A law of contact: it computes impulses of contact points. Joint limits, loops and dry friction
/// stay exact: where they act on the same bodies, the law is asked several times in a step, until
/// both agree. Steps are certified against the exact law, too. Impulses that are not finite roll a
/// step back (HEFT_STEP_NOT_FINITE). Threads of a world call the law at once, for islands in any
/// order: it reads `user` and writes only its results, and the same inputs give the same bits.
typedef struct HeftContactLaw {
  const char* name;  ///< one word
  bool yields;       ///< true: bodies sink into each other, as on springs; depth is not corrected,
                     ///< and nothing bounces but by the law. false: contact points are rigid, and
                     ///< `free` contains restitution
  /// Writes island->impulse, and island->store if the law has a state. Returns the error of its own
  /// equations, relative to the velocities of the island: the step is solved if it is at most the
  /// tolerance of the world. Negative: the law cannot solve this island, and the exact one does.
  double (*solve)(const void* user, const HeftContactIsland* island);
} HeftContactLaw;

#ifdef __cplusplus
}
#endif
#endif
