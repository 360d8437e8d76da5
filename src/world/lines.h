// SPDX-License-Identifier: Apache-2.0
// Lines: everything in a model that has a length and pulls along it, which is tendons and what
// actuators act on. A line keeps its length and its moment ∂l/∂q in short form, by the dofs that
// can change it. Sums of coordinates (joints, fixed tendons) have arms that never change, and cost
// no more than their dofs.
#ifndef HEFT_SRC_WORLD_LINES_H
#define HEFT_SRC_WORLD_LINES_H

#include <heft/world.h>

typedef struct Line {
  int first, count;  ///< its dofs in Lines.dof, place and arm, ascending
  int straight;      ///< 1: a sum of coordinates, its arms are constant
  int source;        ///< tendon, or actuator
  int on_actuator;   ///< 1: source is an actuator
  int one_path;      ///< 1: its dofs lie on one path of a tree, and none of them belongs to a free
                     ///< joint: its stiffness may be taken implicitly
  int wanted;        ///< 1: somebody needs it in every step
} Line;

/// The lines of a world: tendons first, then the actuators that do not act on tendons.
typedef struct Lines {
  int count;
  int wanted_end;  ///< no line from here on is wanted
  Line* line;
  int* actuator_line;      ///< nactuator
  double* actuator_scale;  ///< nactuator: gear, where the line is a tendon; else 1
  double* length;          ///< count
  int* dof;
  int* place;  ///< coordinates of these dofs in q; straight lines only
  double* arm;
  double* moment_arm;  ///< nv: scratch
  int* marks;          ///< nv: scratch
  size_t memory_size;
} Lines;

HeftStatus heft_lines_create(HeftWorld* world, HeftError* error);
void heft_lines_destroy(HeftWorld* world);
/// Notes which lines somebody wants, when everybody has said so.
void heft_lines_settle(HeftWorld* world);
/// Lengths and arms of all wanted lines at the present kinematics, which are those of q.
void heft_lines_update(HeftWorld* world, const double* q);
/// Those of one line, wanted or not.
void heft_line_update(HeftWorld* world, int line, const double* q);
/// Σ arm v: how fast it grows.
double heft_line_speed(const Lines* lines, int line, const double* v);
/// tau += force · arm.
void heft_line_pull(const Lines* lines, int line, double force, double* tau);

#endif
