// SPDX-License-Identifier: Apache-2.0
// Gathering the constraints of a step.
//
// A touch between links a and b at the point x, with normal n from a to b, measures u = X_b V_b -
// X_a V_a with X = ((x - O) × f, f) for the directions f = n, t1, t2, and X = (f, 0) for spinning
// and rolling. Its normal row reads
//     gap > ε:  u_n + (gap - ε) / h >= 0      (it may close during the step, and no further)
//     else:     u_n >= 0,
// or, if it arrives within the step and fast enough to bounce, u_n + e u_n⁻ >= 0 (impacts.c).
// Limits are the same with one row along a dof; dry friction bounds an impulse by ± h times its
// force; loops keep the velocity of their points or frames equal. Errors of position are taken back
// by correction.c.
#include <math.h>
#include <string.h>

#include "world/world_internal.h"

Constraint* heft_constraints_add(Constraints* c, ConstraintKind kind, int source,
                                 HeftConstraintType type) {
  const int rows = heft_constraint_type_row_count(type);
  if (c->count == c->constraint_capacity || c->row_count + rows > c->row_capacity) return NULL;
  Constraint* added = &c->list[c->count++];
  *added = (Constraint){.kind = kind,
                        .source = source,
                        .type = type,
                        .rows = rows,
                        .dof = {-1, -1, -1},
                        .wire = {-1, -1},
                        .row = c->row_count};
  for (int r = added->row; r < added->row + rows; ++r) c->push[r] = c->warm[r] = 0;
  if (kind != CONSTRAINT_CONTACT) memset(c->axis[added->row], 0, (size_t)rows * sizeof *c->axis);
  c->row_count += rows;
  return added;
}

static void write_side(double* out, HeftVec3 arm, HeftVec3 along) {
  const HeftVec3 torque = heft_vec3_cross(arm, along);
  out[0] = torque.x;
  out[1] = torque.y;
  out[2] = torque.z;
  out[3] = along.x;
  out[4] = along.y;
  out[5] = along.z;
}

static void write_turning(double* out, HeftVec3 about) {
  out[0] = about.x;
  out[1] = about.y;
  out[2] = about.z;
  out[3] = out[4] = out[5] = 0;
}

// ---- touches

static HeftConstraintType contact_type(int dim) {
  switch (dim) {
    case 1:
      return HEFT_CONSTRAINT_FRICTIONLESS;
    case 4:
      return HEFT_CONSTRAINT_TORSIONAL;
    case 6:
      return HEFT_CONSTRAINT_FULL;
    default:
      return HEFT_CONSTRAINT_POINT;
  }
}

// Rows of one side of a touch: translations for the first three, turnings after them (two rolling
// directions, then spin; spin alone where there is no rolling). The world has no side: it does not
// move.
static void write_contact_side(const HeftWorld* w, const Constraint* k, int side, HeftVec3 pos,
                               const HeftVec3 directions[3]) {
  double(*axis)[12] = w->constraints->axis + k->row;
  if (k->link[side] == 0) return;
  const HeftVec3 arm = heft_vec3_sub(pos, heft_link_origin(w->dynamics, k->link[side]));
  for (int r = 0; r < k->rows && r < 3; ++r) write_side(axis[r] + 6L * side, arm, directions[r]);
  for (int r = 3; r < k->rows; ++r)
    write_turning(axis[r] + 6L * side, directions[k->rows == 4 ? 0 : r == 5 ? 0 : r - 2]);
}

static void write_contact_rows(const HeftWorld* w, const HeftContactPoint* contact_point,
                               const Constraint* k) {
  const HeftVec3 forth[3] = {contact_point->normal, contact_point->tangent1,
                             contact_point->tangent2};
  const HeftVec3 back[3] = {heft_vec3_neg(contact_point->normal),
                            heft_vec3_neg(contact_point->tangent1),
                            heft_vec3_neg(contact_point->tangent2)};
  write_contact_side(w, k, 0, contact_point->pos, forth);
  write_contact_side(w, k, 1, contact_point->pos, back);
}

// A remembered touch and one of now, in the order of the collider: by shapes, then by feature.
static int compare_shapes(const Remembered* a, const HeftContactPoint* b) {
  if (a->name[0] != b->body_a) return a->name[0] < b->body_a ? -1 : 1;
  if (a->name[1] != b->body_b) return a->name[1] < b->body_b ? -1 : 1;
  if (a->name[2] != b->shape_a) return a->name[2] < b->shape_a ? -1 : 1;
  if (a->name[3] != b->shape_b) return a->name[3] < b->shape_b ? -1 : 1;
  return 0;
}

static int compare_touches(const Remembered* a, const HeftContactPoint* b) {
  const int shapes = compare_shapes(a, b);
  if (shapes != 0) return shapes;
  return a->feature == b->feature ? 0 : a->feature < b->feature ? -1 : 1;
}

static void take_past(Constraints* c, Constraint* k, const Remembered* kept) {
  k->fresh = 0;
  heft_rows_copy(k, kept->impulse, c->warm + k->row);
  if (c->model) memcpy(c->memory[k->source], kept->memory, sizeof *c->memory);
}

// ε: what ten steps may open or close by velocities that the tolerance allows. The points of a face
// never fit to the last digit. Gaps of nanometres taken at their word would leave whole towers to
// the few points that close first: problems that no warm start helps, for nothing that anybody
// could see.
static double min_gap(const HeftWorld* w) {
  return 10 * w->def.tolerance * w->weight_speed * w->def.time_step;
}

static void gather_contacts(HeftWorld* w) {
  Constraints* c = w->constraints;
  const double min = min_gap(w);
  int old = 0;
  for (int i = 0; i < c->contact_points.count; ++i) {
    const HeftContactPoint* contact_point = &c->contact_points.point[i];
    Constraint* k =
        heft_constraints_add(c, CONSTRAINT_CONTACT, i, contact_type(contact_point->dim));
    if (!k) return;
    k->link[0] = contact_point->link_b;
    k->link[1] = contact_point->link_a;
    k->mu = contact_point->kinetic;
    k->mu_static = contact_point->friction;
    k->mu_spin = contact_point->torsion;
    k->mu_roll = contact_point->rolling;
    k->gap = contact_point->gap;
    write_contact_rows(w, contact_point, k);
    c->any_restitution |= contact_point->restitution > 0;
    if (contact_point->gap > min) c->push[k->row] = (contact_point->gap - min) / w->def.time_step;
    int order = 1;
    while (old < c->old_count && (order = compare_touches(&c->old_contact[old], contact_point)) < 0)
      ++old;
    k->fresh = 1;
    if (c->model) memset(c->memory[i], 0, sizeof *c->memory);
    if (order == 0 && c->old_contact[old].dim == contact_point->dim)
      take_past(c, k, &c->old_contact[old]);
  }
}

// ---- touches that go by another name
//
// Two boxes face to face change roles when rounding makes the other face the flatter one; all their
// touches then have new features, at the same places. Started from nothing, a heap would have to
// find its impulses anew. So a touch without a past takes that of the touch of the same shapes
// which was so near that it can be no other: three times nearer than any neighbour.

static const double clearly = 9;  // the square of three

static double square_between(const double a[3], const double b[3]) {
  const double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
  return x * x + y * y + z * z;
}

// The remembered touch first <= i < last that was at this place, or -1.
static int same_place(const Constraints* c, int first, int last,
                      const HeftContactPoint* contact_point) {
  const double pos[3] = {contact_point->pos.x, contact_point->pos.y, contact_point->pos.z};
  double nearest = HUGE_VAL, spacing = HUGE_VAL;
  int found = -1;
  for (int i = first; i < last; ++i) {
    const double square = square_between(c->old_contact[i].pos, pos);
    if (square < nearest) {
      nearest = square;
      found = i;
    }
  }
  for (int i = first; i < last && found >= 0; ++i) {
    if (i != found)
      spacing = fmin(spacing, square_between(c->old_contact[i].pos, c->old_contact[found].pos));
  }
  return found >= 0 && clearly * nearest <= spacing &&
                 c->old_contact[found].dim == contact_point->dim
             ? found
             : -1;
}

static void match_places(Constraints* c) {
  int first = 0;
  for (int i = 0; i < c->count; ++i) {
    Constraint* k = &c->list[i];
    if (k->kind != CONSTRAINT_CONTACT || !k->fresh) continue;
    const HeftContactPoint* contact_point = &c->contact_points.point[k->source];
    while (first < c->old_count && compare_shapes(&c->old_contact[first], contact_point) < 0)
      ++first;
    int last = first;
    while (last < c->old_count && compare_shapes(&c->old_contact[last], contact_point) == 0) ++last;
    const int found = same_place(c, first, last, contact_point);
    if (found >= 0) take_past(c, k, &c->old_contact[found]);
  }
}

// ---- joints

// What a dof may go within the step, and some more.
static double reach_of(const HeftWorld* w, double speed) {
  return w->def.time_step * (2 * fabs(speed) + 0.1);
}

// A limit within reach.
static void add_limit(HeftWorld* w, int dof, int upper, double gap, const double direction[3],
                      int count) {
  Constraints* c = w->constraints;
  Constraint* k =
      heft_constraints_add(c, CONSTRAINT_LIMIT, 2 * dof + upper, HEFT_CONSTRAINT_FRICTIONLESS);
  if (!k) return;
  for (int i = 0; i < count; ++i) {
    k->dof[i] = dof + i;
    c->axis[k->row][i] = direction[i];
  }
  k->gap = gap;
  if (gap > 0) c->push[k->row] = gap / w->def.time_step;
  c->warm[k->row] = c->old_joint[CONSTRAINT_LIMIT][k->source];
}

static void add_ball_limit(HeftWorld* w, int joint) {
  const HeftModel* m = w->model;
  const double* q = w->state->q + m->joint_q[joint];
  const int dof = m->joint_dof[joint];
  const HeftVec3 turn = heft_quat_log(heft_quat(q[0], q[1], q[2], q[3]));
  const double angle = heft_vec3_norm(turn);
  if (!(angle > 0)) return;
  const double inwards[3] = {-turn.x / angle, -turn.y / angle, -turn.z / angle};
  const double gap = m->dof_range[2L * dof + 1] - angle, *v = w->state->v + dof;
  const double speed = inwards[0] * v[0] + inwards[1] * v[1] + inwards[2] * v[2];
  if (gap <= reach_of(w, speed)) add_limit(w, dof, 1, gap, inwards, 3);
}

static void add_dof_limits(HeftWorld* w, int dof, double q) {
  static const double up[3] = {1, 0, 0}, down[3] = {-1, 0, 0};
  const double *range = w->model->dof_range + 2L * dof, reach = reach_of(w, w->state->v[dof]);
  if (q - range[0] <= reach) add_limit(w, dof, 0, q - range[0], up, 1);
  if (range[1] - q <= reach) add_limit(w, dof, 1, range[1] - q, down, 1);
}

static void gather_limits(HeftWorld* w) {
  const HeftModel* m = w->model;
  const double* q = w->state->q;
  for (int j = 0; j < m->njoint; ++j) {
    const int type = m->joint_type[j], dof = m->joint_dof[j];
    if (type == HEFT_JOINT_HINGE || type == HEFT_JOINT_SLIDE) {
      if (m->dof_limited[dof]) add_dof_limits(w, dof, q[m->joint_q[j]]);
    } else if (type == HEFT_JOINT_BALL) {
      if (m->dof_limited[dof]) add_ball_limit(w, j);
    } else if (type != HEFT_JOINT_FREE && type != HEFT_JOINT_FIXED) {
      for (int i = 0; i < heft_joint_type_dof_count((HeftJointType)type); ++i) {
        if (m->dof_limited[dof + i]) add_dof_limits(w, dof + i, q[m->joint_q[j] + i]);
      }
    }
  }
}

static void gather_dry_friction(HeftWorld* w) {
  Constraints* c = w->constraints;
  for (int i = 0; i < w->model->nv; ++i) {
    const double friction = w->model->dof_friction[i];
    if (friction == 0) continue;
    Constraint* k = heft_constraints_add(c, CONSTRAINT_DRY, i, HEFT_CONSTRAINT_BOX);
    if (!k) return;
    k->dof[0] = i;
    k->upper = w->def.time_step * friction;
    k->lower = -k->upper;
    c->axis[k->row][0] = 1;
    c->warm[k->row] = c->old_joint[CONSTRAINT_DRY][i];
  }
}

// ---- loops

static Constraint* add_equality_row(HeftWorld* w, int source, double error) {
  Constraints* c = w->constraints;
  Constraint* k = heft_constraints_add(c, CONSTRAINT_EQUALITY, source, HEFT_CONSTRAINT_BILATERAL);
  if (!k) return NULL;
  k->gap = error;
  c->warm[k->row] = c->old_joint[CONSTRAINT_EQUALITY][source];
  return k;
}

// A point of body 1 stays at a point of body 2: three rows along the world's axes.
static void add_connect(HeftWorld* w, int e, HeftVec3 point1, HeftVec3 point2) {
  const HeftModel* m = w->model;
  const int body1 = m->equality_object[2L * e], body2 = m->equality_object[2L * e + 1];
  const HeftVec3 error = heft_vec3_sub(point1, point2);
  const HeftVec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (int i = 0; i < 3; ++i) {
    Constraint* k = add_equality_row(w, 6 * e + i, heft_vec3_dot(error, axes[i]));
    if (!k) return;
    k->link[0] = heft_body_link(m, body1);
    k->link[1] = heft_body_link(m, body2);
    double* x = w->constraints->axis[k->row];
    write_side(x, heft_vec3_sub(point1, heft_dynamics_tree_origin(w->dynamics, body1)), axes[i]);
    write_side(x + 6, heft_vec3_sub(point2, heft_dynamics_tree_origin(w->dynamics, body2)),
               heft_vec3_neg(axes[i]));
  }
}

static void add_weld_turning(HeftWorld* w, int e, HeftMat3 wanted, HeftMat3 found) {
  const HeftModel* m = w->model;
  const int body1 = m->equality_object[2L * e], body2 = m->equality_object[2L * e + 1];
  // The turn that takes body 2 to where it belongs, undone by turning body 1 against it.
  const HeftVec3 error =
      heft_quat_log(heft_quat_from_mat3(heft_mat3_mul(wanted, heft_mat3_transpose(found))));
  const HeftVec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (int i = 0; i < 3; ++i) {
    Constraint* k = add_equality_row(w, 6 * e + 3 + i, heft_vec3_dot(error, axes[i]));
    if (!k) return;
    k->link[0] = heft_body_link(m, body1);
    k->link[1] = heft_body_link(m, body2);
    write_turning(w->constraints->axis[k->row], axes[i]);
    write_turning(w->constraints->axis[k->row] + 6, heft_vec3_neg(axes[i]));
  }
}

// Joint 1 follows a polynomial of joint 2.
static void add_coupling(HeftWorld* w, int e) {
  const HeftModel* m = w->model;
  const int j1 = m->equality_object[2L * e], j2 = m->equality_object[2L * e + 1];
  const double* p = m->equality_poly + 5L * e;
  const double y = w->state->q[m->joint_q[j1]] - m->q_default[m->joint_q[j1]];
  const double x = j2 >= 0 ? w->state->q[m->joint_q[j2]] - m->q_default[m->joint_q[j2]] : 0;
  const double value = p[0] + x * (p[1] + x * (p[2] + x * (p[3] + x * p[4])));
  const double slope = p[1] + x * (2 * p[2] + x * (3 * p[3] + x * 4 * p[4]));
  Constraint* k = add_equality_row(w, 6 * e, y - value);
  if (!k) return;
  k->dof[0] = m->joint_dof[j1];
  w->constraints->axis[k->row][0] = 1;
  if (j2 < 0) return;
  k->dof[1] = m->joint_dof[j2];
  w->constraints->axis[k->row][1] = -slope;
}

static void gather_equalities(HeftWorld* w) {
  const HeftModel* m = w->model;
  for (int e = 0; e < m->nequality; ++e) {
    if (!m->equality_active[e]) continue;
    const int type = m->equality_type[e];
    if (type == HEFT_EQUALITY_JOINT) add_coupling(w, e);
    if (type != HEFT_EQUALITY_CONNECT && type != HEFT_EQUALITY_WELD) continue;
    const HeftPose pose1 = heft_dynamics_body_pose(w->dynamics, m->equality_object[2L * e]);
    const HeftPose pose2 = heft_dynamics_body_pose(w->dynamics, m->equality_object[2L * e + 1]);
    const double *anchor = m->equality_anchor + 6L * e, *quat = m->equality_quat + 4L * e;
    add_connect(w, e, heft_pose_apply(pose1, heft_vec3_from(anchor)),
                heft_pose_apply(pose2, heft_vec3_from(anchor + 3)));
    if (type == HEFT_EQUALITY_CONNECT) continue;
    const HeftMat3 wanted =
        heft_mat3_mul(pose1.rot, heft_quat_to_mat3(heft_quat(quat[0], quat[1], quat[2], quat[3])));
    add_weld_turning(w, e, wanted, pose2.rot);
  }
}

// ---- all of them

void heft_constraints_gather(HeftWorld* w) {
  Constraints* c = w->constraints;
  c->count = c->row_count = c->any_restitution = 0;
  heft_collider_update_links(c->collider, heft_link_frames(w->dynamics));
  c->contact_points = heft_collider_collide(c->collider);
  gather_contacts(w);
  match_places(c);
  c->contact_point_count = c->count;
  gather_limits(w);
  gather_dry_friction(w);
  gather_equalities(w);
  heft_wires_gather(w);
}

// ---- how fast they are

// Adds the speeds of the rows of one side.
static void add_side_speeds(const HeftWorld* w, const Constraint* k, int side, double* speed) {
  if (k->link[side] == 0) return;
  const double(*axis)[12] = (const double(*)[12])w->constraints->axis + k->row;
  const HeftSpatial twist = heft_link_velocity(w->dynamics, k->link[side]);
  for (int r = 0; r < k->rows; ++r) {
    const double* x = axis[r] + 6L * side;
    speed[r] += x[0] * twist.ang.x + x[1] * twist.ang.y + x[2] * twist.ang.z + x[3] * twist.lin.x +
                x[4] * twist.lin.y + x[5] * twist.lin.z;
  }
}

static double wire_speed(const HeftJointDirection* along, const double* v) {
  double speed = 0;
  for (int i = 0; i < along->count; ++i) speed += along->arm[i] * v[along->dof[i]];
  return speed;
}

// The speed of a row along dofs or wires.
static double joint_speed(const HeftWorld* w, const Constraint* k, const double* v) {
  const double* axis = w->constraints->axis[k->row];
  double speed = 0;
  for (int i = 0; i < 2 && k->wire[i] >= 0; ++i)
    speed += axis[0] * wire_speed(&w->wires->direction[k->wire[i]], v);
  for (int i = 0; i < 3 && k->dof[i] >= 0; ++i) speed += axis[i] * v[k->dof[i]];
  return speed;
}

void heft_constraints_measure(HeftWorld* w, const double* v) {
  Constraints* c = w->constraints;
  heft_dynamics_velocities(w->dynamics, v);
  for (int i = 0; i < c->count; ++i) {
    const Constraint* k = &c->list[i];
    double speed[HEFT_CONSTRAINT_ROWS_MAX] = {0};
    if (k->dof[0] >= 0 || k->wire[0] >= 0) speed[0] = joint_speed(w, k, v);
    for (int side = 0; side < 2; ++side) add_side_speeds(w, k, side, speed);
    for (int r = 0; r < k->rows; ++r) c->velocity[k->row + r] = speed[r] + c->push[k->row + r];
  }
}
