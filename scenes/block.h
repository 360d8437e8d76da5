// SPDX-License-Identifier: Apache-2.0
// A block of tetrahedra, alone, on a floor or held by a body: for tests, the validation set and the
// comparison of bits.
#ifndef HEFT_SCENES_BLOCK_H
#define HEFT_SCENES_BLOCK_H

#include <heft/world.h>

#define BLOCK_YOUNG 1e6     ///< Young's modulus of all blocks [Pa]
#define BLOCK_DENSITY 1000  ///< [kg/m³]

/// A block, and what else is in its world.
typedef struct Block {
  double half[3];  ///< half its sides [m]
  int cells[3];    ///< six tetrahedra each
  HeftVec3 pos;
  HeftQuat quat;
  double gravity, step, poisson, damping, radius;
  int floor;            ///< 1: a plane below it
  int smooth;           ///< 1: without friction
  int uneven;           ///< 1: vertices inside are moved by up to a fifth of a cell
  int held;             ///< 1: the face at low x is bonded to the world, or to the holder
  int holder;           ///< 1: there is a body about that face
  HeftJointType joint;  ///< of the holder, along `axis`
  HeftVec3 axis;
  double stiffness;  ///< of that joint
  HeftQuat tilt;     ///< orientation of the holder
  double finer;      ///< above 0: cells are smaller in the middle of the face at high x, by sinh
  double ball;       ///< above 0: a body of 1 kg, whose slide along x is the first joint, touches
                     ///< that middle: a sphere of this radius
} Block;

/// A cube of 10 cm with three cells along each side, in a world without gravity.
Block block_cube(void);
/// That cube, a centimetre above a floor.
Block block_falling(void);
/// `b` as a beam of 40 cm by 10 cm by 10 cm with `cells` cells across, held at one end, without
/// Poisson's effect: the beam of the theory.
Block block_beam(Block b, int cells);
/// NULL on failure; error may be NULL.
HeftModel* block_model(const Block* b, HeftError* error);
/// Adds the body that holds a block to a builder. Returns its number.
int block_add_holder(HeftBuilder* builder, const Block* b);

/// Place of a node [m], and its first dof.
HeftVec3 block_node(const HeftWorld* world, int node);
int block_dof(const HeftModel* model, int node);
/// Adds a traction [Pa] on the face at high x (side 1) or low x (side -1) to the joint forces: each
/// node carries a third of the area of each triangle around it. Returns the area of the face [m²].
double block_load(const HeftModel* model, const Block* b, int side, HeftVec3 traction,
                  double* joint_forces);
/// How far the face at high x is below its place at rest, in the mean [m].
double block_sag(const HeftWorld* world, const Block* b);
/// The stretch along and across of a block under a tension on its rest area [Pa], of the law
/// 2 µ (F - R) + λ (det F - 1) cof F.
void block_stretch(const Block* b, double stress, double* along, double* across);
/// The sag of a beam under a load at its end [N] by Timoshenko's theory [m].
double block_theory_sag(const Block* b, double load);

#endif
