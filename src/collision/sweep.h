// SPDX-License-Identifier: Apache-2.0
// Shapes that move within a step: boxes that hold their motion, the time at which a pair meets, and
// the check that no pair has passed through each other.
#ifndef HEFT_SRC_COLLISION_SWEEP_H
#define HEFT_SRC_COLLISION_SWEEP_H

#include "collision/collider.h"
#include "collision/time_of_impact.h"

/// Computes what is constant of shapes that move. To be called when the collider is made, and after
/// the masses of the model have changed.
void heft_collider_measure_mobility(HeftCollider* c);

/// Half of the least thickness of a shape; infinite for planes and triangle meshes [m].
double heft_geometry_half_thickness(const Geometry* g);

/// Nothing needs to be swept if no link moves its shapes by more than half of the margin in a step,
/// gravity included, and by more than a share of that without it: then contact points that are
/// found by their distance are enough, and their normals hardly change [m].
static inline double heft_collider_slow_travel(const HeftCollider* c) {
  return 0.5 * c->least_margin;
}
#define SLOW_SHARE 0.1

/// The next heft_collider_collide() finds contact points for a step in which the links (nlink) move
/// so, from the poses given last. Pairs that move farther than their margin have contact points if
/// they meet within the step, and none otherwise. These contact points have the normal of the time
/// at which they meet, and a gap by which g + h u_n >= 0 allows them to touch.
void heft_collider_sweep(HeftCollider* c, const StepMotion* links);

/// 1 if two slots move against each other by more than the margin. Needs heft_collider_sweep().
static inline int heft_collider_is_fast(const HeftCollider* c, int a, int b, double margin) {
  const ShapeMotion *x = &c->motion[a], *y = &c->motion[b];
  if (!(x->reach + y->reach > margin)) return 0;
  return heft_motion_approach(&c->slot[a].geometry, x, rows_to_pose(&c->pose[a]).pos,
                              &c->slot[b].geometry, y, rows_to_pose(&c->pose[b]).pos) > margin;
}
/// How far two slots come closer in the step along a normal from a to b, at a place at its start.
static inline double heft_collider_closing(const HeftCollider* c, int a, int b, HeftVec3 pos,
                                           HeftVec3 normal) {
  const HeftVec3 v = motion_velocity(&c->motion[a].motion, 0, pos);
  return heft_vec3_dot(normal, heft_vec3_sub(v, motion_velocity(&c->motion[b].motion, 0, pos)));
}
/// Shapes that are closer touch, or meet [m].
static inline double heft_collider_touching(const HeftCollider* c) {
  return 1e-3 * c->least_margin;
}
/// When two slots meet within the step; 0 if they touch at its start. *normal: as
/// heft_time_of_impact().
double heft_collider_impact(const HeftCollider* c, int a, int b, NarrowScratch* scratch,
                            HeftVec3* normal);
/// The pose of a slot at the time s of the step.
Rows heft_collider_pose_at(const HeftCollider* c, int slot, double s);
/// A slot with its motion.
static inline Mover heft_collider_mover(const HeftCollider* c, int slot) {
  return (Mover){&c->slot[slot].geometry, rows_to_pose(&c->pose[slot]), &c->motion[slot]};
}
/// Boxes of all moving shapes, from their motion.
void heft_collider_sweep_boxes(HeftCollider* c);
/// The contact points (up to MANIFOLD_MAX) of two slots at the time s of their ways, sorted by
/// feature. pair: as heft_collider_pair_of(). Returns how many there are (contacts.c).
int heft_collider_points_at(const HeftCollider* c, NarrowScratch* narrow, int a, int b, int pair,
                            double s, HeftContactPoint* out);
/// As heft_collider_points_at(), at the poses x and y of the two slots.
int heft_collider_points_between(const HeftCollider* c, NarrowScratch* narrow, int a, int b,
                                 int pair, const Rows* x, const Rows* y, HeftContactPoint* out);
/// Carries a contact point of the time s back to the start of the step.
void heft_collider_carry_back(const HeftCollider* c, int a, int b, double s, HeftContactPoint* p);

/// Compares the poses given last with those at the end of the step (as
/// heft_collider_update_links()). Finds pairs that get deeper into each other, on the way, than a
/// share of their thickness: stop[link] becomes the time at which a link meets the other of such a
/// pair, 1 if it is in none. Returns 1 if there are any. The contact points of the last call are
/// kept.
int heft_collider_find_passages(HeftCollider* c, const double* link_frames, double* stop);
/// When a pair that it found meets on its way: when it touches or, if it touches from the start,
/// when it is too deep.
double heft_collider_meeting(HeftCollider* c, int a, int b);

#endif
