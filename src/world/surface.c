// SPDX-License-Identifier: Apache-2.0
// The prescribed motion of surfaces: moved bodies and conveyors.
//
// The velocity of a row is u = J v + s. J v is the velocity of the links that joints move; s is the
// prescribed velocity of body b's surface, less body a's, along the row. All laws of contact are
// laws of u, so that they hold relative to the moving surface.
//
// Moved bodies. In a step of length h the point x of a body with the velocity ω, v of its origin p
// moves to p + h v + exp(h ω) (x - p). A free body that is carried moves by h times the velocity of
// its origin c and turns by exp(h ω'). It arrives where the platform carries it if its velocity is
//     ω' = ω,   v_c = v + (exp(h ω) - 1) (c - p) / h,
// the chord of the arc instead of its tangent; with the tangent it would creep outwards by
// h ω² r / 2 in unit time. So the surface moves as the rigid body that has this velocity at c, the
// origin of the free root of the other body's tree:  v_x = v_c + ω × (x - c). Without a free root
// c is the point x itself, and the tangent is used.
//
// Conveyors. The velocity of the surface in the frame of the shape is w + ω × x. A belt slides
// along its own surface: it has no part along the normal.
#include "world/surface.h"

#include "dynamics/links.h"

int heft_surface_moved(const HeftModel* m, int body) {
  if (!heft_body_is_moved(m, body)) return -1;
  return m->body_moved[heft_link_body(m, heft_body_link(m, body))];
}

int heft_surface_bodies(const HeftModel* m, const ConstraintSet* set, const Constraint* k,
                        int body[2]) {
  if (k->kind == CONSTRAINT_CONTACT) {
    const HeftContactPoint* point = &set->contact_points.point[k->source];
    body[0] = point->body_b;
    body[1] = point->body_a;
    return 1;
  }
  if (k->kind != CONSTRAINT_EQUALITY || k->dof[0] >= 0 || k->direction[0] >= 0) return 0;
  body[0] = m->equality_object[2L * (k->source / 6)];
  body[1] = m->equality_object[2L * (k->source / 6) + 1];
  return 1;
}

static int any_nonzero(const double* x, int count) {
  for (int i = 0; i < count; ++i) {
    if (x[i] != 0) return 1;
  }
  return 0;
}

// 1 if anything moves by prescription in this substep.
static int any_moves(const HeftState* state) {
  for (int i = 0; i < state->nmoved; ++i) {
    if (any_nonzero(state->moved + 13L * i + 7, 6)) return 1;
  }
  return any_nonzero(state->conveyor, 6 * state->nconveyor);
}

// ---- moved bodies

// The velocity of a moved body as a rigid motion, given at the point x. other: the body that it
// acts on.
static HeftSpatial carry(const StepInput* in, const HeftDynamics* dynamics, int moved, int other,
                         HeftVec3 x) {
  const HeftModel* m = in->model;
  const double* state = in->start->moved + 13L * moved;
  const HeftVec3 p = heft_vec3_from(state), ang = heft_vec3_from(state + 7);
  const HeftVec3 lin = heft_vec3_from(state + 10);
  const int link = heft_body_link(m, other), root = heft_link_root(m, link);
  if (root == 0 || !heft_dof_is_free(m, heft_link_dof(m, root)))
    return heft_spatial(ang, heft_vec3_add(lin, heft_vec3_cross(ang, heft_vec3_sub(x, p))));
  const HeftVec3 c = heft_dynamics_body_pose(dynamics, heft_link_body(m, root)).pos;
  const HeftVec3 arm = heft_vec3_sub(c, p);
  const HeftVec3 turned = heft_quat_rotate(heft_quat_exp(heft_vec3_scale(in->h, ang)), arm);
  const HeftVec3 chord = heft_vec3_scale(1 / in->h, heft_vec3_sub(turned, arm));
  const HeftVec3 at_c = heft_vec3_add(lin, chord);
  return heft_spatial(ang, heft_vec3_add(at_c, heft_vec3_cross(ang, heft_vec3_sub(x, c))));
}

// ---- conveyors

static HeftPose shape_pose(const HeftModel* m, const HeftDynamics* dynamics, int shape) {
  const double *pos = m->shape_pos + 3L * shape, *quat = m->shape_quat + 4L * shape;
  const HeftPose in_body = heft_pose(heft_vec3_from(pos), heft_quat_from(quat));
  return heft_pose_mul(heft_dynamics_body_pose(dynamics, m->shape_body[shape]), in_body);
}

// The velocity of the surface of a conveyor at the point x, along the surface.
static HeftSpatial convey(const StepInput* in, const HeftDynamics* dynamics, int shape, HeftVec3 x,
                          HeftVec3 normal) {
  const double* velocity = in->start->conveyor + 6L * in->model->shape_conveyor[shape];
  const HeftPose pose = shape_pose(in->model, dynamics, shape);
  const HeftVec3 ang = heft_mat3_mul_vec(pose.rot, heft_vec3_from(velocity + 3));
  const HeftVec3 lin = heft_vec3_add(heft_mat3_mul_vec(pose.rot, heft_vec3_from(velocity)),
                                     heft_vec3_cross(ang, heft_vec3_sub(x, pose.pos)));
  return heft_spatial(ang, heft_vec3_add_scaled(lin, -heft_vec3_dot(lin, normal), normal));
}

// ---- rows

// The motion of one side of a contact point.
static HeftSpatial contact_side(const StepInput* in, const HeftDynamics* dynamics,
                                const HeftContactPoint* point, int shape, int body, int other) {
  HeftSpatial motion = {{0, 0, 0}, {0, 0, 0}};
  const int moved = heft_surface_moved(in->model, body);
  if (moved >= 0) motion = carry(in, dynamics, moved, other, point->pos);
  if (in->model->shape_conveyor[shape] >= 0)
    motion = heft_spatial_add(motion, convey(in, dynamics, shape, point->pos, point->normal));
  return motion;
}

HeftSpatial heft_surface_velocity(const ConstraintSet* set, const StepInput* in,
                                  const HeftDynamics* dynamics, int index) {
  const HeftContactPoint* point = &set->contact_points.point[index];
  const HeftSpatial none = {{0, 0, 0}, {0, 0, 0}};
  if (!set->carried) return none;
  const HeftSpatial a =
      contact_side(in, dynamics, point, point->shape_a, point->body_a, point->body_b);
  const HeftSpatial b =
      contact_side(in, dynamics, point, point->shape_b, point->body_b, point->body_a);
  return heft_spatial(heft_vec3_sub(b.ang, a.ang), heft_vec3_sub(b.lin, a.lin));
}

// Rows are ordered as constraint_rows.c writes them: three translations, then rotations.
static void measure_contact(ConstraintSet* set, const StepInput* in, const HeftDynamics* dynamics,
                            const Constraint* k) {
  const HeftContactPoint* point = &set->contact_points.point[k->source];
  const HeftSpatial motion = heft_surface_velocity(set, in, dynamics, k->source);
  const HeftVec3 directions[3] = {point->normal, point->tangent1, point->tangent2};
  const HeftVec3 lin = motion.lin, ang = motion.ang;
  double* out = set->surface + k->row;
  for (int r = 0; r < k->rows && r < 3; ++r) out[r] = heft_vec3_dot(directions[r], lin);
  if (k->rows > 2) out[2] *= point->anisotropy;
  for (int r = 3; r < k->rows; ++r)
    out[r] = heft_vec3_dot(directions[k->rows == 4 || r == 5 ? 0 : r - 2], ang);
}

// Equalities have three rows along the axes of the world for the point, then three for the
// orientation. The anchors of both bodies are at one place, up to the error of the equality.
static void measure_equality(ConstraintSet* set, const StepInput* in, const HeftDynamics* dynamics,
                             const Constraint* k) {
  const HeftModel* m = in->model;
  const int e = k->source / 6, row = k->source % 6;
  double velocity = 0;
  for (int s = 0; s < 2; ++s) {
    const int body = m->equality_object[2L * e + s], other = m->equality_object[2L * e + 1 - s];
    const int moved = heft_surface_moved(m, body);
    if (moved < 0) continue;
    const HeftPose pose = heft_dynamics_body_pose(dynamics, body);
    const HeftVec3 anchor =
        heft_pose_apply(pose, heft_vec3_from(m->equality_anchor + 6L * e + 3L * s));
    const HeftSpatial motion = carry(in, dynamics, moved, other, anchor);
    const HeftVec3 part = row < 3 ? motion.lin : motion.ang;
    velocity += (s == 0 ? 1 : -1) * (row % 3 == 0 ? part.x : row % 3 == 1 ? part.y : part.z);
  }
  set->surface[k->row] = velocity;
}

void heft_surface_measure(ConstraintSet* set, const StepInput* in, const HeftDynamics* dynamics) {
  set->carried = any_moves(in->start);
  for (int i = 0; i < set->count && set->carried; ++i) {
    const Constraint* k = &set->list[i];
    int body[2];
    if (!heft_surface_bodies(in->model, set, k, body)) {
      for (int r = 0; r < k->rows; ++r) set->surface[k->row + r] = 0;
    } else if (k->kind == CONSTRAINT_CONTACT) {
      measure_contact(set, in, dynamics, k);
    } else {
      measure_equality(set, in, dynamics, k);
    }
  }
}

int heft_surface_carries(const ConstraintSet* set, const Island* island) {
  for (int i = 0; i < island->count && set->carried; ++i) {
    const Constraint* k = &set->list[island->order[i]];
    if (any_nonzero(set->surface + k->row, k->rows)) return 1;
  }
  return 0;
}
