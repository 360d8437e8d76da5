// SPDX-License-Identifier: Apache-2.0
// How the rows of a step turn with the positions.
//
// A dof k that moves link b displaces it by the twist S_k, and its velocity at a fixed point by
// S_k × V_b + ψ_k (dynamics/rnea_derivatives.c). So the velocity f · (V_b(x) - V_a(x)) of a row
// along f at x changes by
//
//     f · (δV_b(x) - δV_a(x)) + f · ((ω_b - ω_a) × δx) + (w × f) · (V_b(x) - V_a(x)),
//
// δx and w: how the point moves and how its frame turns. They are functions of the relative pose of
// two shapes, with the curvature of both. The narrow phase gives them: it runs again with one link
// displaced to both sides along each of six twists (collision/follow.c). A rigid motion of both
// links carries point and frame along. An impulse F at x turns with them: its wrench changes by
// (δx × F, w × F).
#include <math.h>
#include <string.h>

#include "collision/contact_pair.h"
#include "collision/follow.h"
#include "dynamics/links.h"
#include "world/derivative.h"

static const double small_turn = 1e-5;   // of a link [rad]
static const double small_shift = 1e-6;  // [m]

enum { ON_B = 1, ON_A = 2 };

void heft_derivative_rows_place(DerivativeRows* x, Arena* arena, const DerivativeInput* in) {
  const ConstraintSet* set = x->set;
  const int nv = in->model->nv;
  x->in = in;
  x->turning = arena_take(arena, set->contact_point_count, ContactTurning);
  x->frames = arena_take(arena, 16L * heft_link_count(in->model), double);
  x->points = arena_take(arena, 2L * MANIFOLD_MAX, HeftContactPoint);
  x->turn = arena_take(arena, nv, Pair);
  x->list = arena_take(arena, nv, int);
  x->sides = arena_take(arena, nv, int);
  x->jacobian = arena_take(arena, (size_t)set->row_count * (size_t)nv, double);
}

// ---- dofs of a constraint

// Lists the dofs that move the links of a constraint. Returns their number.
static int list_dofs(DerivativeRows* x, const Constraint* k) {
  const HeftTree* t = x->in->model->tree;
  int count = 0;
  for (int s = 0; s < 2; ++s) {
    const Link* link = &t->link[k->link[s]];
    if (k->link[s] == 0 || link->dof_count == 0) continue;
    for (int i = link->dof + link->dof_count - 1; i >= 0; i = t->dof_parent[i]) {
      if (x->sides[i] == 0) x->list[count++] = i;
      x->sides[i] |= s == 0 ? ON_B : ON_A;
    }
  }
  return count;
}

static void unlist(DerivativeRows* x, int count) {
  for (int n = 0; n < count; ++n) x->sides[x->list[n]] = 0;
}

// ---- J

static void write_row(const DerivativeRows* x, const Constraint* k, int row, int count,
                      double* out) {
  const ConstraintSet* set = x->set;
  const HeftDynamics* d = x->in->dynamics;
  const double* axis = set->axis[row];
  for (int n = 0; n < count; ++n) {
    const int i = x->list[n];
    for (int s = 0; s < 2; ++s) {
      if (!(x->sides[i] & (s == 0 ? ON_B : ON_A))) continue;
      const double* a = axis + 6L * s;
      const V4 *ang = &d->axis[i].ang, *lin = &d->axis[i].lin;
      out[i] += a[0] * (*ang)[0] + a[1] * (*ang)[1] + a[2] * (*ang)[2] + a[3] * (*lin)[0] +
                a[4] * (*lin)[1] + a[5] * (*lin)[2];
    }
  }
  for (int s = 0; s < 3 && k->dof[s] >= 0; ++s) out[k->dof[s]] += axis[s];
  for (int s = 0; s < 2 && k->direction[s] >= 0; ++s) {
    const HeftJointDirection* along = &set->direction[k->direction[s]];
    for (int n = 0; n < along->count; ++n) out[along->dof[n]] += axis[0] * along->arm[n];
  }
}

// ---- contact points

static void displace(double* frame, HeftVec3 at, int axis, double amount) {
  const HeftVec3 along = {axis % 3 == 0, axis % 3 == 1, axis % 3 == 2};
  HeftVec3 pos = heft_vec3_from(frame + 12);
  if (axis >= 3) {
    pos = heft_vec3_add_scaled(pos, amount, along);
  } else {
    const HeftMat3 turn = heft_quat_to_mat3(heft_quat_from_axis_angle(along, amount));
    for (int c = 0; c < 3; ++c) {
      const HeftVec3 column = heft_mat3_mul_vec(turn, heft_vec3_from(frame + 4L * c));
      frame[4 * c] = column.x;
      frame[4 * c + 1] = column.y;
      frame[4 * c + 2] = column.z;
    }
    pos = heft_vec3_add(at, heft_mat3_mul_vec(turn, heft_vec3_sub(pos, at)));
  }
  frame[12] = pos.x;
  frame[13] = pos.y;
  frame[14] = pos.z;
}

// Follows the points of a pair with a link displaced; returns 0 if one is lost.
static int follow(DerivativeRows* x, int first, int count, int link, int axis, double amount,
                  HeftContactPoint* out) {
  const HeftContactPoint* start = x->set->contact_points.point + first;
  double kept[16], *frame = x->frames + 16L * link;
  int found[MANIFOLD_MAX], all = 1;
  memcpy(out, start, (size_t)count * sizeof *out);
  memcpy(kept, frame, sizeof kept);
  displace(frame, start->pos, axis, amount);
  heft_collider_follow(x->in->constraints->collider, x->frames, count, out, found);
  memcpy(frame, kept, sizeof kept);
  for (int i = 0; i < count; ++i) all &= found[i];
  return all;
}

static void put(double to[3][6], int column, HeftVec3 v) {
  to[0][column] = v.x;
  to[1][column] = v.y;
  to[2][column] = v.z;
}

static HeftVec3 take(const double from[3][6], const double twist[6]) {
  double out[3];
  for (int r = 0; r < 3; ++r) {
    out[r] = 0;
    for (int c = 0; c < 6; ++c) out[r] += from[r][c] * twist[c];
  }
  return heft_vec3_from(out);
}

// A twist at one point at another one: turns about `at` seen at `to`.
static HeftVec3 carried_shift(int axis, HeftVec3 at, HeftVec3 to) {
  const HeftVec3 along = {axis % 3 == 0, axis % 3 == 1, axis % 3 == 2};
  return axis >= 3 ? along : heft_vec3_cross(along, heft_vec3_sub(to, at));
}

static HeftVec3 carried_turn(int axis, HeftVec3 normal) {
  if (axis >= 3) return heft_vec3(0, 0, 0);
  const HeftVec3 along = {axis == 0, axis == 1, axis == 2};
  return heft_vec3_add_scaled(along, -heft_vec3_dot(along, normal), normal);
}

// The columns were found by turns about the first point of the pair: they are moved to `own`.
static void move_columns(ContactTurning* g, HeftVec3 from, HeftVec3 own) {
  for (int axis = 0; axis < 3; ++axis) {
    const HeftVec3 along = {axis == 0, axis == 1, axis == 2};
    const HeftVec3 shift = heft_vec3_cross(along, heft_vec3_sub(own, from));
    const double twist[6] = {0, 0, 0, -shift.x, -shift.y, -shift.z};
    const HeftVec3 moves = take(g->shift, twist), turns = take(g->turn, twist);
    for (int r = 0; r < 3; ++r) {
      g->shift[r][axis] += r == 0 ? moves.x : r == 1 ? moves.y : moves.z;
      g->turn[r][axis] += r == 0 ? turns.x : r == 1 ? turns.y : turns.z;
    }
  }
}

static void find_column(DerivativeRows* x, int first, int count, int link, int is_b, int axis) {
  const HeftContactPoint* start = x->set->contact_points.point + first;
  HeftContactPoint *ahead = x->points, *behind = x->points + MANIFOLD_MAX;
  const double amount = axis < 3 ? small_turn : small_shift;
  const int found = follow(x, first, count, link, axis, amount, ahead) &
                    follow(x, first, count, link, axis, -amount, behind);
  x->lost |= !found;
  for (int i = 0; i < count; ++i) {
    const HeftVec3 n = start[i].normal, rigid = carried_shift(axis, start->pos, start[i].pos);
    HeftVec3 shift = rigid, turn = heft_vec3(0, 0, 0);
    if (found) {
      const double rate = 0.5 / amount;
      shift = heft_vec3_scale(rate, heft_vec3_sub(ahead[i].pos, behind[i].pos));
      turn = heft_vec3_scale(rate,
                             heft_vec3_cross(n, heft_vec3_sub(ahead[i].normal, behind[i].normal)));
    }
    if (!is_b) {
      shift = heft_vec3_sub(rigid, shift);
      turn = heft_vec3_sub(carried_turn(axis, n), turn);
    }
    put(x->turning[first + i].shift, axis, shift);
    put(x->turning[first + i].turn, axis, turn);
  }
}

// The end of the points of a pair, or of those that are followed together.
static int pair_end(const DerivativeRows* x, int first) {
  const ConstraintSet* set = x->set;
  const int end = contact_pair_end(set->contact_points.point, set->contact_point_count, first);
  return end - first > MANIFOLD_MAX ? first + MANIFOLD_MAX : end;
}

static void find_turning(DerivativeRows* x) {
  const ConstraintSet* set = x->set;
  const HeftContactPoint* point = set->contact_points.point;
  const int total = set->contact_point_count;
  memcpy(x->frames, heft_link_frames(x->in->dynamics),
         16 * (size_t)heft_link_count(x->in->model) * sizeof(double));
  for (int first = 0, end = 0; first < total; first = end) {
    end = pair_end(x, first);
    const int is_b = point[first].link_b != 0,
              link = is_b ? point[first].link_b : point[first].link_a;
    for (int axis = 0; axis < 6; ++axis) find_column(x, first, end - first, link, is_b, axis);
    for (int i = first; i < end; ++i) move_columns(&x->turning[i], point[first].pos, point[i].pos);
  }
}

// ---- rows of equalities between bodies, along the directions in which they were solved

int heft_derivative_is_idle(const DerivativeInput* in, const Constraint* k) {
  const Constraints* c = in->constraints;
  return heft_equality_is_turned(k) && c->problem.idle[k - c->set.list];
}

// rows (of `wide` numbers) along the axes of the world turn to the directions of island_problem.c.
static void turn_triples(const DerivativeRows* x, size_t wide, double* rows) {
  const ConstraintSet* set = x->set;
  for (int i = set->contact_point_count; i < set->count; ++i) {
    const Constraint* k = &set->list[i];
    if (!heft_equality_is_turned(k) || k->source % 3 != 0) continue;
    const HeftMat3 turn = x->in->constraints->problem.turn[k->source / 3];
    double* to = rows + (size_t)k->row * wide;
    for (size_t c = 0; c < wide; ++c) {
      const HeftVec3 old = {to[c], to[wide + c], to[2 * wide + c]};
      for (int d = 0; d < 3; ++d)
        to[(size_t)d * wide + c] = heft_vec3_dot(heft_mat3_column(turn, d), old);
    }
  }
}

void heft_derivative_rows_find(DerivativeRows* x) {
  const ConstraintSet* set = x->set;
  const int nv = x->in->model->nv;
  memset(x->sides, 0, (size_t)nv * sizeof(int));
  heft_clear_rows(set->row_count, nv, x->jacobian);
  x->lost = 0;
  for (int i = 0; i < set->count; ++i) {
    const Constraint* k = &set->list[i];
    const int count = list_dofs(x, k);
    for (int r = k->row; r < k->row + k->rows; ++r)
      write_row(x, k, r, count, x->jacobian + (size_t)r * (size_t)nv);
    unlist(x, count);
  }
  turn_triples(x, (size_t)nv, x->jacobian);
  find_turning(x);
}

// ---- how a point of a constraint moves with a dof

// The twist of a dof at a point of the world.
static HeftSpatial twist_at(const HeftDynamics* d, int dof, HeftVec3 at) {
  const HeftVec3 ang = vec3_from_v4(d->axis[dof].ang), lin = vec3_from_v4(d->axis[dof].lin);
  const HeftVec3 arm = heft_vec3_sub(at, heft_link_origin(d, d->tree->dof_link[dof]));
  return heft_spatial(ang, heft_vec3_add(lin, heft_vec3_cross(ang, arm)));
}

// δx and w of a contact point by a dof.
static HeftSpatial turn_of_contact(const DerivativeRows* x, int index, int dof, HeftVec3 at) {
  const HeftSpatial s = twist_at(x->in->dynamics, dof, at);
  const double twist[6] = {s.ang.x, s.ang.y, s.ang.z, s.lin.x, s.lin.y, s.lin.z};
  if (x->sides[dof] == (ON_A | ON_B)) return s;
  const HeftSpatial b = {take(x->turning[index].turn, twist), take(x->turning[index].shift, twist)};
  if (x->sides[dof] == ON_B) return b;
  return heft_spatial(heft_vec3_sub(s.ang, b.ang), heft_vec3_sub(s.lin, b.lin));
}

// The velocity that a dof's change adds to a link, at a point that stays.
static HeftSpatial velocity_change(const DerivativeRows* x, int link, int dof, HeftVec3 at) {
  const HeftDynamics* d = x->in->dynamics;
  const Pair p = pair_add(pair_cross(d->axis[dof], d->velocity[link]), x->turn[dof]);
  const HeftVec3 ang = vec3_from_v4(p.ang), arm = heft_vec3_sub(at, heft_link_origin(d, link));
  return heft_spatial(ang, heft_vec3_add(vec3_from_v4(p.lin), heft_vec3_cross(ang, arm)));
}

static HeftSpatial velocity_at(const DerivativeRows* x, int link, HeftVec3 at) {
  const HeftDynamics* d = x->in->dynamics;
  if (link == 0) return heft_spatial(heft_vec3(0, 0, 0), heft_vec3(0, 0, 0));
  return heft_spatial_move_motion(heft_link_velocity(d, link),
                                  heft_vec3_sub(at, heft_link_origin(d, link)));
}

static HeftSpatial spatial_sub(HeftSpatial a, HeftSpatial b) {
  return heft_spatial(heft_vec3_sub(a.ang, b.ang), heft_vec3_sub(a.lin, b.lin));
}

// The direction of a row of a contact point, and whether it is a rotation.
static HeftVec3 direction_of(const HeftContactPoint* p, const Constraint* k, int r, int* rotates) {
  const HeftVec3 axes[3] = {p->normal, p->tangent1, p->tangent2};
  *rotates = r >= 3;
  if (r == 2) return heft_vec3_scale(p->anisotropy, p->tangent2);
  return axes[r < 3 ? r : k->rows == 4 || r == 5 ? 0 : r - 2];
}

static void turn_contact(DerivativeRows* x, int index, double* out) {
  const Constraint* k = &x->set->list[index];
  const HeftContactPoint* p = &x->set->contact_points.point[index];
  const long nv = x->in->model->nv;
  const int count = list_dofs(x, k);
  const HeftSpatial slip =
      spatial_sub(velocity_at(x, k->link[0], p->pos), velocity_at(x, k->link[1], p->pos));
  for (int n = 0; n < count; ++n) {
    const int i = x->list[n];
    const HeftSpatial moved = turn_of_contact(x, index, i, p->pos);
    HeftSpatial change = {{0, 0, 0}, heft_vec3_cross(slip.ang, moved.lin)};
    if (x->sides[i] & ON_B) {
      const HeftSpatial b = velocity_change(x, k->link[0], i, p->pos);
      change = heft_spatial(heft_vec3_add(change.ang, b.ang), heft_vec3_add(change.lin, b.lin));
    }
    if (x->sides[i] & ON_A) change = spatial_sub(change, velocity_change(x, k->link[1], i, p->pos));
    for (int r = 0; r < k->rows; ++r) {
      int rotates = 0;
      const HeftVec3 f = direction_of(p, k, r, &rotates), turned = heft_vec3_cross(moved.ang, f);
      out[(k->row + r) * nv + i] =
          rotates ? heft_vec3_dot(f, change.ang) + heft_vec3_dot(turned, slip.ang)
                  : heft_vec3_dot(f, change.lin) + heft_vec3_dot(turned, slip.lin);
    }
  }
  unlist(x, count);
}

// ---- equalities

static int is_point(const Constraint* k) {
  return k->kind == CONSTRAINT_EQUALITY && k->direction[0] < 0 && k->dof[0] < 0 &&
         k->source % 6 < 3;
}

static HeftVec3 point_of(const DerivativeRows* x, const Constraint* k, int side) {
  const HeftModel* m = x->in->model;
  const int e = k->source / 6;
  const HeftPose pose = heft_dynamics_body_pose(x->in->dynamics, m->equality_object[2L * e + side]);
  return heft_pose_apply(pose, heft_vec3_from(m->equality_anchor + 6L * e + 3L * side));
}

static double component(HeftVec3 v, int c) { return c == 0 ? v.x : c == 1 ? v.y : v.z; }

// Rows along the world's axes: points stay in their bodies.
static void turn_equality(DerivativeRows* x, const Constraint* k, double* out) {
  const int count = list_dofs(x, k), part = k->source % 6, along = part % 3;
  double* row = out + (size_t)k->row * (size_t)x->in->model->nv;
  for (int s = 0; s < 2; ++s) {
    if (k->link[s] == 0) continue;
    const HeftVec3 at =
        part < 3 ? point_of(x, k, s) : heft_link_origin(x->in->dynamics, k->link[s]);
    const HeftVec3 spin = heft_link_velocity(x->in->dynamics, k->link[s]).ang;
    for (int n = 0; n < count; ++n) {
      const int i = x->list[n];
      if (!(x->sides[i] & (s == 0 ? ON_B : ON_A))) continue;
      const HeftSpatial change = velocity_change(x, k->link[s], i, at);
      const HeftVec3 moved = twist_at(x->in->dynamics, i, at).lin;
      const HeftVec3 all =
          part < 3 ? heft_vec3_add(change.lin, heft_vec3_cross(spin, moved)) : change.ang;
      row[i] += (s == 0 ? 1 : -1) * component(all, along);
    }
  }
  unlist(x, count);
}

// The slope of the polynomial of an equality between joints changes by this.
static double slope_change(const HeftModel* m, int e, const double* q) {
  const double* p = m->equality_poly + 5L * e;
  const int at = m->joint_q[m->equality_object[2L * e + 1]];
  const double y = q[at] - m->q_default[at];
  return 2 * p[2] + y * (6 * p[3] + y * 12 * p[4]);
}

void heft_derivative_rows_turn(DerivativeRows* x, const double* v, double* out) {
  const ConstraintSet* set = x->set;
  const HeftModel* m = x->in->model;
  HeftDynamics* d = x->in->dynamics;
  heft_clear_rows(set->row_count, m->nv, out);
  heft_dynamics_velocities(d, v);
  heft_axis_turns(d, v, x->turn);
  for (int i = 0; i < set->contact_point_count; ++i) turn_contact(x, i, out);
  for (int i = set->contact_point_count; i < set->count; ++i) {
    const Constraint* k = &set->list[i];
    if (k->kind != CONSTRAINT_EQUALITY || k->direction[0] >= 0) continue;
    if (k->dof[0] < 0) {
      turn_equality(x, k, out);
    } else if (k->dof[1] >= 0) {
      out[(size_t)k->row * (size_t)m->nv + (size_t)k->dof[1]] =
          -slope_change(m, k->source / 6, x->q) * v[k->dof[1]];
    }
  }
  turn_triples(x, (size_t)m->nv, out);
}

// ---- impulses

// by_q [i][n] -= scale S_i · change, change: about the origin of the tree.
static void push(DerivativeRows* x, int count, int n, int side, HeftSpatial change, double scale,
                 double* by_q) {
  const long nv = x->in->model->nv;
  const V4 moment = v4_from_vec3(change.ang) * scale, force = v4_from_vec3(change.lin) * scale;
  for (int c = 0; c < count; ++c) {
    const int i = x->list[c];
    if (!(x->sides[i] & side)) continue;
    const Pair* s = &x->in->dynamics->axis[i];
    const V4 sum = s->ang * moment + s->lin * force;
    by_q[i * nv + n] -= sum[0] + sum[1] + sum[2];
  }
}

// A wrench about a point of the world, about the origin of the tree of a link.
static HeftSpatial about_origin(const DerivativeRows* x, int link, HeftVec3 at, HeftSpatial f) {
  const HeftVec3 arm = heft_vec3_sub(at, heft_link_origin(x->in->dynamics, link));
  return heft_spatial(heft_vec3_add(f.ang, heft_vec3_cross(arm, f.lin)), f.lin);
}

static HeftSpatial spatial_add(HeftSpatial a, HeftSpatial b) {
  return heft_spatial(heft_vec3_add(a.ang, b.ang), heft_vec3_add(a.lin, b.lin));
}

// Force and torque of a contact point.
static HeftSpatial force_of(const DerivativeRows* x, int index, const double* r) {
  const Constraint* k = &x->set->list[index];
  const HeftContactPoint* p = &x->set->contact_points.point[index];
  HeftSpatial f = {{0, 0, 0}, {0, 0, 0}};
  for (int n = 0; n < k->rows; ++n) {
    int rotates = 0;
    const HeftVec3 along = direction_of(p, k, n, &rotates);
    HeftVec3* sum = rotates ? &f.ang : &f.lin;
    *sum = heft_vec3_add_scaled(*sum, r[k->row + n], along);
  }
  return f;
}

// The points of a pair, from first to end: their wrenches change together.
static void push_pair(DerivativeRows* x, int first, int end, const double* r, double scale,
                      double* by_q) {
  const Constraint* k = &x->set->list[first];
  const HeftContactPoint* point = x->set->contact_points.point;
  HeftSpatial force[MANIFOLD_MAX];
  const int count = list_dofs(x, k);
  for (int c = first; c < end; ++c) force[c - first] = force_of(x, c, r);
  for (int n = 0; n < count; ++n) {
    HeftSpatial on_b = {{0, 0, 0}, {0, 0, 0}}, on_a = on_b;
    for (int c = first; c < end; ++c) {
      if (r[x->set->list[c].row] == 0) continue;
      const HeftSpatial f = force[c - first],
                        moved = turn_of_contact(x, c, x->list[n], point[c].pos);
      const HeftSpatial change = {
          heft_vec3_add(heft_vec3_cross(moved.lin, f.lin), heft_vec3_cross(moved.ang, f.ang)),
          heft_vec3_cross(moved.ang, f.lin)};
      if (k->link[0] > 0)
        on_b = spatial_add(on_b, about_origin(x, k->link[0], point[c].pos, change));
      if (k->link[1] > 0)
        on_a = spatial_add(on_a, about_origin(x, k->link[1], point[c].pos, change));
    }
    if (k->link[0] > 0) push(x, count, x->list[n], ON_B, on_b, scale, by_q);
    if (k->link[1] > 0) push(x, count, x->list[n], ON_A, on_a, -scale, by_q);
  }
  unlist(x, count);
}

static void push_point(DerivativeRows* x, const Constraint* k, const double* r, double scale,
                       double* by_q) {
  const int along = k->source % 3, count = list_dofs(x, k);
  const HeftVec3 f = {along == 0 ? r[k->row] : 0, along == 1 ? r[k->row] : 0,
                      along == 2 ? r[k->row] : 0};
  for (int s = 0; s < 2; ++s) {
    if (k->link[s] == 0) continue;
    const int side = s == 0 ? ON_B : ON_A;
    const HeftVec3 at = point_of(x, k, s);
    for (int n = 0; n < count; ++n) {
      const int i = x->list[n];
      if (!(x->sides[i] & side)) continue;
      const HeftVec3 moved = twist_at(x->in->dynamics, i, at).lin;
      const HeftSpatial change = {heft_vec3_cross(moved, f), {0, 0, 0}};
      push(x, count, i, side, about_origin(x, k->link[s], at, change), s == 0 ? scale : -scale,
           by_q);
    }
  }
  unlist(x, count);
}

void heft_derivative_rows_push(DerivativeRows* x, const double* r, double scale, double* by_q) {
  const ConstraintSet* set = x->set;
  const HeftModel* m = x->in->model;
  for (int first = 0, end = 0; first < set->contact_point_count; first = end) {
    end = pair_end(x, first);
    push_pair(x, first, end, r, scale, by_q);
  }
  for (int i = set->contact_point_count; i < set->count; ++i) {
    const Constraint* k = &set->list[i];
    if (k->kind != CONSTRAINT_EQUALITY || k->direction[0] >= 0) continue;
    if (is_point(k)) push_point(x, k, r, scale, by_q);
    if (k->dof[0] < 0 || k->dof[1] < 0) continue;
    const long at = k->dof[1];
    by_q[at * m->nv + at] += scale * r[k->row] * slope_change(m, k->source / 6, x->q);
  }
}

void heft_derivative_wrenches(StepMap* x, const double* impulse, double scale) {
  const ConstraintSet* set = &x->in.constraints->set;
  memset(x->wrench, 0, (size_t)heft_link_count(x->in.model) * sizeof *x->wrench);
  for (int i = 0; i < set->count; ++i) {
    const Constraint* k = &set->list[i];
    for (int s = 0; s < 2; ++s) {
      if (k->link[s] == 0) continue;
      double* to = x->wrench[k->link[s]];
      for (int r = k->row; r < k->row + k->rows; ++r) {
        const double *axis = set->axis[r] + 6L * s, share = scale * impulse[r];
        for (int c = 0; c < 3; ++c) {
          to[c] += axis[c] * share;
          to[4 + c] += axis[3 + c] * share;
        }
      }
    }
  }
}

// The rows of equalities at a pose.
void heft_derivative_pose(StepMap* x, DerivativeRows* rows, const double* q) {
  const DerivativeInput* in = &x->in;
  const ConstraintSet* set = &in->constraints->set;
  double(*axis)[12] = x->start_set.axis;
  Constraint* list = x->start_set.list;
  x->start_set = *set;
  x->start_set.axis = axis;
  x->start_set.list = list;
  memcpy(axis, set->axis, (size_t)set->row_count * sizeof *axis);
  memcpy(list, set->list, (size_t)set->count * sizeof *list);
  for (int i = 0; i < set->count; ++i) list[i].middle = list[i].kind == CONSTRAINT_EQUALITY;
  rows->q = q;
  heft_dynamics_kinematics(in->dynamics, q);
  heft_constraints_turn(&x->start_set, in->step, in->dynamics, in->drives, q);
  heft_derivative_rows_find(rows);
}
