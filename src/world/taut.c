// SPDX-License-Identifier: Apache-2.0
// Going taut: how far the links of loops and the pieces of tendons turn in a step.
//
// A folded rope that a load pulls straight puts the energy of the load into the rotation of its
// links: 20 links of 10 g under 10 kg that fell by half a metre turn by 1900 rad/s. The rows of a
// step hold for small angles φ: a loop opens by its arm times φ³, a piece of a tendon of length l
// by l φ² / 2, and the correction of positions (correction.c) is too slow to close what radians
// open.
//
// If a link of a loop or a piece of a tendon turns too far at the velocities of the start or of the
// end, the step is not completed: step.c begins it again in parts.
#include "world/taut.h"

#include <math.h>

#include "dynamics/links.h"

enum { MORE_PARTS = 32, PARTS_MAX = 512 };

static const double link_turn = 0.1;    // of a link of a loop [rad]
static const double piece_turn = 0.05;  // of a piece of a tendon [rad]

int heft_taut_parts_max(const HeftModel* m, const HeftWorldDef* def) {
  if ((m->nequality == 0 && m->ntendon == 0) || def->spin_parts == 1) return def->spin_parts;
  return def->spin_parts < PARTS_MAX / MORE_PARTS ? MORE_PARTS * def->spin_parts : PARTS_MAX;
}

static double excess_of_loop(const HeftDynamics* d, const Constraint* k, double h) {
  double most = 0;
  for (int s = 0; s < 2; ++s) {
    const V4 w = d->velocity[k->link[s]].ang;
    if (k->link[s] > 0) most = fmax(most, v4_dot3(w, w));
  }
  return h * sqrt(most) / link_turn;
}

static HeftVec3 site_velocity(const HeftDynamics* d, int site, HeftVec3 at) {
  const int link = heft_body_mobile_link(d->model, d->model->site_body[site]);
  if (link == 0) return heft_vec3(0, 0, 0);
  const HeftSpatial v = heft_link_velocity(d, link);
  const HeftVec3 arm = heft_vec3_sub(at, heft_link_origin(d, link));
  return heft_vec3_add(v.lin, heft_vec3_cross(v.ang, arm));
}

static double excess_of_piece(const HeftDynamics* d, int a, int b, double h) {
  const HeftVec3 from = heft_dynamics_site_pose(d, a).pos, to = heft_dynamics_site_pose(d, b).pos;
  const HeftVec3 along = heft_vec3_sub(to, from);
  const HeftVec3 u = heft_vec3_sub(site_velocity(d, b, to), site_velocity(d, a, from));
  const double square = heft_vec3_dot(along, along);
  const HeftVec3 turn = heft_vec3_cross(along, u);
  if (!(square > 0)) return 0;
  return h * heft_vec3_norm(turn) / (square * piece_turn);
}

static double excess_of_tendon(const HeftDynamics* d, int tendon, double h) {
  const HeftModel* m = d->model;
  const int begin = m->tendon_wrap[tendon], end = begin + m->tendon_wrap_count[tendon];
  double most = 0;
  for (int w = begin; w + 1 < end; ++w) {
    if (m->wrap_type[w] == HEFT_WRAP_SITE && m->wrap_type[w + 1] == HEFT_WRAP_SITE)
      most = fmax(most, excess_of_piece(d, m->wrap_object[w], m->wrap_object[w + 1], h));
  }
  return most;
}

static double excess_at(const ConstraintSet* set, HeftDynamics* d, double h, const double* v) {
  double most = 0;
  int moved = 0;
  for (int i = set->contact_point_count; i < set->count; ++i) {
    const Constraint* k = &set->list[i];
    const int loop = k->kind == CONSTRAINT_EQUALITY && k->dof[0] < 0 && k->direction[0] < 0;
    const int tendon = k->kind == CONSTRAINT_TENDON_LIMIT && k->source % 2 == 1;
    if (!tendon && !(loop && k->source % 6 == 0)) continue;
    if (!moved) heft_dynamics_velocities(d, v);
    moved = 1;
    most = fmax(most, loop ? excess_of_loop(d, k, h) : excess_of_tendon(d, k->source / 2, h));
  }
  return most;
}

double heft_taut_excess(const ConstraintSet* set, const StepInput* in, HeftDynamics* d,
                        const double* v) {
  return fmax(excess_at(set, d, in->h, in->start->v), excess_at(set, d, in->h, v));
}
