// SPDX-License-Identifier: Apache-2.0
// Papers: U4.
// Forces that a log has: whether they move the bodies as they moved, and whether each of them obeys
// Coulomb's law at its contact.
#include <math.h>
#include <string.h>

#include "judge/referee_parts.h"

static const double friction_slack = 1e-3;   // relative, of coefficients
static const double friction_least = 1e-4;   // absolute: some engines have no smaller coefficient
static const double direction_slack = 0.05;  // [rad]
static const double apart_slack = 1e-3;      // [m/s]
static const double light = 1e-6;            // forces below this share of the weight are none

// ---- slip

static HeftVec3 point_velocity(const HeftDynamics* d, int body, HeftVec3 point) {
  return body > 0 ? heft_dynamics_body_velocity(d, body, point).lin : heft_vec3(0, 0, 0);
}

static HeftVec3 along(HeftVec3 v, HeftVec3 normal) {
  return heft_vec3_add_scaled(v, -heft_vec3_dot(v, normal), normal);
}

static double parting(const Referee* r, int row, int a, int b, HeftVec3 point, HeftVec3 normal) {
  return heft_vec3_dot(normal, heft_vec3_sub(point_velocity(r->d[row], b, point),
                                             point_velocity(r->d[row], a, point)));
}

int referee_row_of(const Referee* r, const HeftContactPoint* p) {
  return p >= r->point[1] && p < r->point[1] + REFEREE_POINTS;
}

int referee_touches(const Referee* r, const HeftContactPoint* p) {
  const double speed = parting(r, referee_row_of(r, p), p->body_a, p->body_b, p->pos, p->normal);
  return p->gap <= r->def.touch + r->h * fabs(speed);
}

// Displacement of the point of a body that is at a place when the step ends.
static HeftVec3 displacement(const Referee* r, int body, HeftVec3 point) {
  const HeftPose *before = &r->pose[!r->now][body], *after = &r->pose[r->now][body];
  const HeftVec3 inside = heft_pose_apply(heft_pose_inverse(*after), point);
  return heft_vec3_sub(point, heft_pose_apply(*before, inside));
}

void referee_slips(const Referee* r, int a, int b, HeftVec3 point, HeftVec3 normal,
                   HeftVec3 out[3]) {
  for (int k = 0; k < 2; ++k) {
    const HeftDynamics* d = r->d[k == 0 ? !r->now : r->now];
    out[k] = along(heft_vec3_sub(point_velocity(d, b, point), point_velocity(d, a, point)), normal);
  }
  const HeftVec3 moved = heft_vec3_sub(displacement(r, b, point), displacement(r, a, point));
  out[2] = along(heft_vec3_scale(1 / r->h, moved), normal);
}

double referee_turning(const Referee* r, int a, int b, HeftVec3 point) {
  const int bodies[2] = {a, b};
  double sum = 0;
  for (int k = 0; k < 2; ++k) {
    const int body = bodies[k];
    if (r->tree[body] == 0) continue;
    double spin = 0, speed = 0;  // the place moves with the body within the step
    for (int end = 0; end < 2; ++end) {
      const HeftSpatial twist = heft_dynamics_body_velocity(r->d[end], body, point);
      const double arm = heft_vec3_norm(heft_vec3_sub(point, r->pose[end][body].pos));
      spin = fmax(spin, heft_vec3_norm(twist.ang));
      speed = fmax(speed, heft_vec3_norm(twist.ang) * arm + heft_vec3_norm(twist.lin));
    }
    sum += r->h * spin * speed;
    if (r->tree[body] != body)  // joints above it turn, too
      sum += heft_vec3_norm(
          heft_vec3_sub(heft_dynamics_body_velocity(r->mixed, body, point).lin,
                        heft_dynamics_body_velocity(r->d[!r->now], body, point).lin));
  }
  return sum;
}

// The place of a contact, as far as a log leaves it open: bodies that meet within the step touch at
// places that are apart by up to half their approach, and the place moves with the faster body.
typedef struct PlaceRange {
  HeftVec3 apart, along;
} PlaceRange;

static PlaceRange place_range(const Referee* r, const RefereeContact* c) {
  const HeftVec3 none = heft_vec3(0, 0, 0),
                 moved =
                     heft_vec3_sub(displacement(r, c->b, c->pos), displacement(r, c->a, c->pos)),
                 go_a = heft_vec3_sub(r->pose[r->now][c->a].pos, r->pose[!r->now][c->a].pos),
                 go_b = heft_vec3_sub(r->pose[r->now][c->b].pos, r->pose[!r->now][c->b].pos);
  const int meets = heft_vec3_dot(moved, c->normal) < 0;
  const HeftVec3 go = heft_vec3_norm(go_a) > heft_vec3_norm(go_b) ? go_a : go_b;
  return (PlaceRange){meets ? heft_vec3_scale(0.5, moved) : none, heft_vec3_scale(0.5, go)};
}

// ---- momentum

// Joint forces of the contacts at one end of the step, with all places shifted by these shares of
// their ranges.
static void contact_forces(Referee* r, int end, double apart, double along, const RefereeRow* row,
                           double* out) {
  HeftDynamics* d = r->d[end];
  memset(out, 0, (size_t)r->m->nv * sizeof *out);
  heft_dynamics_clear_wrenches(d);
  for (int i = 0; i < row->contact_count; ++i) {
    const RefereeContact* c = &row->contact[i];
    const PlaceRange range = place_range(r, c);
    const HeftVec3 pos = heft_vec3_add_scaled(c->pos, along, range.along),
                   by = heft_vec3_scale(apart, range.apart);
    if (r->tree[c->b])
      heft_dynamics_add_wrench(d, c->b, heft_vec3_add(pos, by), c->force, c->torque);
    if (r->tree[c->a])
      heft_dynamics_add_wrench(d, c->a, heft_vec3_sub(pos, by), heft_vec3_neg(c->force),
                               heft_vec3_neg(c->torque));
  }
  heft_dynamics_wrenches_to_joints(d, out);
  heft_dynamics_clear_wrenches(d);
}

// The joint forces of the contacts lie between these: the widths of all readings are added.
static void hull_of_forces(Referee* r, const RefereeRow* row, double* low, double* high) {
  static const double shift[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
  double *g = r->work[2], *middle = r->work[3];
  const int nv = r->m->nv;
  contact_forces(r, 0, 0, 0, row, low);
  contact_forces(r, 1, 0, 0, row, g);
  for (int i = 0; i < nv; ++i) {
    middle[i] = g[i];
    high[i] = fmax(low[i], g[i]);
    low[i] = fmin(low[i], g[i]);
  }
  for (int k = 0; k < 4; ++k) {
    contact_forces(r, 1, shift[k][0], shift[k][1], row, g);
    for (int i = 0; i < nv; ++i) {
      low[i] += fmin(0, g[i] - middle[i]);
      high[i] += fmax(0, g[i] - middle[i]);
    }
  }
}

void referee_balance(Referee* r, const RefereeRow* row) {
  const int nv = r->m->nv;
  double *least = r->work[0], *most = r->work[1], *rest = r->work[2], largest = 0;
  hull_of_forces(r, row, least, most);
  for (int i = 0; i < nv; ++i) {
    const double low = least[i], high = most[i];
    rest[i] = r->lo[i] > high ? r->lo[i] - high : r->hi[i] < low ? r->hi[i] - low : 0;
    largest = fmax(largest, fabs(rest[i]) - 1e-9 * (fabs(low) + fabs(high)));
  }
  if (!(largest > 0)) return;
  referee_solve(r, rest);
  referee_accelerations(r, rest, r->lin_e);
  referee_accelerations(r, r->a, r->lin_a);
  for (int b = 1; b < r->m->nbody; ++b) {
    if (!r->tree[b] || r->lin_e[b] <= r->def.momentum * r->gravity) continue;
    const double allowed = referee_allowed(r, r->tree, b);
    if (r->lin_e[b] > allowed) referee_find(r, REFEREE_MOMENTUM, b, -1, r->lin_e[b], allowed);
  }
}

// ---- contacts

typedef struct Nearest {
  const HeftContactPoint* point;
  double distance;
} Nearest;

static void compare(Nearest* n, const HeftContactPoint* p, HeftVec3 pos, double touch) {
  const double distance = heft_vec3_norm(heft_vec3_sub(p->pos, pos));
  if (distance >= n->distance || p->gap > touch) return;
  n->distance = distance;
  n->point = p;
}

// The first point of two bodies, by bisection: points are in the order of their bodies.
static int first_of(const HeftContactPoint* p, int count, int a, int b) {
  int low = 0, high = count;
  while (low < high) {
    const int mid = (low + high) / 2;
    if (p[mid].body_a < a || (p[mid].body_a == a && p[mid].body_b < b))
      low = mid + 1;
    else
      high = mid;
  }
  return low;
}

// The contact point of the model's geometry closest to a place, between two bodies, or else between
// what is welded to them.
static const HeftContactPoint* geometry_at(const Referee* r, int a, int b, HeftVec3 pos) {
  Nearest n = {NULL, (double)INFINITY};
  const int x = a < b ? a : b, y = a < b ? b : a;
  for (int end = 0; end < 2; ++end)
    for (int i = first_of(r->point[end], r->point_count[end], x, y);
         i < r->point_count[end] && r->point[end][i].body_a == x && r->point[end][i].body_b == y;
         ++i)
      compare(&n, &r->point[end][i], pos, r->def.touch);
  for (int end = 0; end < 2 && !n.point; ++end)
    for (int i = 0; i < r->point_count[end]; ++i) {
      const int p = r->link[r->point[end][i].body_a], q = r->link[r->point[end][i].body_b];
      if ((p == r->link[a] && q == r->link[b]) || (p == r->link[b] && q == r->link[a]))
        compare(&n, &r->point[end][i], pos, r->def.touch);
    }
  return n.point;
}

// Least distance of the shapes of two bodies, and of what is welded to them, in this row.
static double distance_of(const Referee* r, int a, int b) {
  const HeftModel* m = r->m;
  double least = (double)INFINITY;
  for (int i = 0; i < m->nshape; ++i)
    for (int k = 0; k < m->nshape && r->link[m->shape_body[i]] == r->link[a]; ++k) {
      if (r->link[m->shape_body[k]] != r->link[b]) continue;
      if (m->shape_type[i] == HEFT_SHAPE_PLANE && m->shape_type[k] == HEFT_SHAPE_PLANE) continue;
      least = fmin(least, heft_collider_distance(r->collider, i, k).distance);
    }
  return isfinite(least) ? least : 0;
}

// Slip without full friction, and friction along the slip.
static void judge_slip(Referee* r, const RefereeContact* c, const HeftContactPoint* p,
                       const HeftVec3 slip[3], HeftVec3 friction, double pressed) {
  const double turning = referee_turning(r, c->a, c->b, c->pos);
  double speed = (double)INFINITY;
  for (int k = 1; k < 3; ++k) speed = fmin(speed, heft_vec3_norm(slip[k]));
  if (!(speed > r->def.creep + turning) || r->belt[c->a] || r->belt[c->b] || p->anisotropy != 1)
    return;
  const double used = heft_vec3_norm(friction), kinetic = fmin(p->kinetic, p->friction);
  if (used < (1 - friction_slack) * kinetic * pressed) {
    referee_find(r, REFEREE_CREEP, c->a, c->b, speed, r->def.creep + turning);
    return;
  }
  if (used <= friction_least * pressed) return;  // ice
  double angle = (double)INFINITY;
  for (int k = 0; k < 3; ++k) {
    const double cosine =
        -heft_vec3_dot(friction, slip[k]) / fmax(used * heft_vec3_norm(slip[k]), 1e-300);
    angle = fmin(angle, acos(fmax(-1, fmin(1, cosine))));
  }
  // a body that brakes or turns changes the direction within the step
  const double change = heft_vec3_norm(heft_vec3_sub(slip[1], slip[0])) / speed;
  if (angle > direction_slack + change + turning / speed)
    referee_find(r, REFEREE_DIRECTION, c->a, c->b, angle, direction_slack + change);
}

static void judge_contact(Referee* r, const RefereeContact* c) {
  const double weight = heft_model_mass(r->m) * r->gravity;
  const double pressed = heft_vec3_dot(c->force, c->normal);
  const HeftVec3 friction = along(c->force, c->normal);
  if (heft_vec3_norm(c->force) <= light * weight) return;
  if (pressed < -light * weight) referee_find(r, REFEREE_PULL, c->a, c->b, -pressed, 0);
  if (pressed <= light * weight) return;
  const HeftContactPoint* p = geometry_at(r, c->a, c->b, c->pos);
  if (!p) {
    const double gap = distance_of(r, c->a, c->b);
    double speed = 0;  // bodies that bounce within the step are apart at both ends
    for (int k = 0; k < 2; ++k)
      speed = fmax(speed, fabs(parting(r, k, c->a, c->b, c->pos, c->normal)));
    if (gap > r->def.touch + r->h * speed) referee_find(r, REFEREE_GAP, c->a, c->b, gap, 0);
    return;
  }
  const double mu = fmax(p->friction, p->kinetic) * fmax(1, p->anisotropy);
  const double ratio = heft_vec3_norm(friction) / pressed;
  if (ratio > mu * (1 + friction_slack) + friction_least)
    referee_find(r, REFEREE_CONE, c->a, c->b, ratio, mu * friction_slack);
  HeftVec3 slip[3];
  referee_slips(r, c->a, c->b, c->pos, c->normal, slip);
  judge_slip(r, c, p, slip, friction, pressed);
  const double before = parting(r, !r->now, c->a, c->b, c->pos, c->normal);  // normal velocities
  const HeftVec3 moved =
      heft_vec3_sub(displacement(r, c->b, c->pos), displacement(r, c->a, c->pos));
  const double after = fmin(parting(r, r->now, c->a, c->b, c->pos, c->normal),
                            heft_vec3_dot(c->normal, moved) / r->h);
  const double bounce = p->restitution * fmax(0, -before);
  const double open = apart_slack + referee_turning(r, c->a, c->b, c->pos) + 0.02 * fabs(before) +
                      r->h * r->gravity;
  if (after > bounce + open && !r->belt[c->a] && !r->belt[c->b])
    referee_find(r, REFEREE_APART, c->a, c->b, after - bounce, open);
}

void referee_laws(Referee* r, const RefereeRow* row) {
  for (int i = 0; i < row->contact_count; ++i) judge_contact(r, &row->contact[i]);
}
