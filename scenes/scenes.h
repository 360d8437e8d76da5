// SPDX-License-Identifier: Apache-2.0
// The scenes: one list of named models for tests, benchmarks and the command.
#ifndef HEFT_SCENES_SCENES_H
#define HEFT_SCENES_SCENES_H

#include <heft/model.h>
#include <stdint.h>

/// X(name, description).
#define SCENE_LIST(X)                                                                             \
  X(pendulum, "a rod on a hinge, swinging under gravity")                                         \
  X(top, "a heavy symmetric top on a ball joint")                                                 \
  X(tumbler, "a free body with three different moments of inertia (Dzhanibekov)")                 \
  X(spring, "a mass on a slide with a spring")                                                    \
  X(chain, "ten links in a row, joined by ball and hinge joints, floating freely")                \
  X(humanoid, "a humanoid of 35 degrees of freedom: two 6-dof legs, two 7-dof arms, 3-dof waist") \
  X(crowd, "thirty bodies with joints of every type, floating freely")                            \
  X(heap, "boxes, balls, capsules, cylinders and a box with a lid, falling onto a floor")         \
  X(walker, "a box on two legs with servos, muscles, tendons and sensors")

/// Creates the scene of a name; NULL if it is unknown or memory is exhausted. error may be NULL.
HeftModel* scene_create(const char* name, HeftError* error);

int scene_count(void);
const char* scene_name(int index);
const char* scene_text(int index);

/// Lets no shape of a model collide; contact pairs that the model lists are not affected.
void scene_disable_contact(HeftModel* model);

/// A random tree.
typedef struct RandomTreeDef {
  uint64_t seed;
  int bodies;    ///< without the world
  int floating;  ///< 1: one tree on a free joint; 0: any roots
  int passive;   ///< 1: with springs, dampers and armatures
} RandomTreeDef;
HeftModel* scene_random_tree(const RandomTreeDef* def, HeftError* error);

/// A random q (unit quaternions, angles in ±π) and v (each within ±speed).
void scene_random_state(const HeftModel* model, uint64_t seed, double speed, double* q, double* v);

#endif
