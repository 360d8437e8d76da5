// SPDX-License-Identifier: Apache-2.0
// Papers: R5.
// Kinematics: poses from the root outwards, then the motion axes and the inertias in world axes.
//
// Three loops, so that only the first has a chain of dependences from link to link:
//   relative   X(q) = E0 + s E1 + c E2, all sines and cosines at once               (tree.h)
//   pose       R_i = R_p R_rel, p_i = p_p + R_p p_rel
//   shape      S = (R a, R m + p × R a)   a, m: axis and arm in the link's frame
//              I = R diag(moments) Rᵀ
#include "base/assert.h"
#include "dynamics/workspace.h"

static HeftQuat read_unit_quat(const double* q) { return heft_quat_normalize(heft_quat_from(q)); }

// ---- hinges and slides

// Sines and cosines of hinges; slides have their shift in the sine.
static void turn_stages(HeftDynamics* d, int first, int end, const double* q) {
  const ChainStage* all = d->tree->stage;
  for (int n = first; n < end; ++n)
    d->angle[n] = all[n].is_hinge ? q[all[n].q] - all[n].q_origin : 0;
  heft_sincos_many(end - first, d->angle + first, d->sine + first, d->cosine + first);
  for (int n = first; n < end; ++n) {
    if (all[n].is_hinge) continue;
    d->sine[n] = q[all[n].q] - all[n].q_origin;
    d->cosine[n] = 0;
  }
}

HEFT_INLINE void stage_relative(const ChainStage* stage, double s, double c, Columns* out) {
  for (int j = 0; j < 4; ++j) {
    const V4 e0 = v4_load_aligned(stage->e0.c[j]), e1 = v4_load_aligned(stage->e1.c[j]);
    const V4 e2 = v4_load_aligned(stage->e2.c[j]);
    v4_store_aligned(out->c[j], (e0 + e1 * s) + e2 * c);
  }
}

HEFT_INLINE void compose(const LinkPose* above, const Columns* relative, LinkPose* out) {
  const V4 rot[3] = {above->rot[0], above->rot[1], above->rot[2]};
  const V4 pos = above->pos;
  for (int j = 0; j < 3; ++j) out->rot[j] = v4_mul_mat(rot, relative->c[j]);
  out->pos = pos + v4_mul_mat(rot, relative->c[3]);
}

// ---- all other joints, one after the other

static LinkPose link_pose_from(HeftPose x) {
  return (LinkPose){
      {v4_from_vec3(heft_mat3_column(x.rot, 0)), v4_from_vec3(heft_mat3_column(x.rot, 1)),
       v4_from_vec3(heft_mat3_column(x.rot, 2))},
      v4_from_vec3(x.pos)};
}

static HeftPose pose_from_link(const LinkPose* x) {
  return (HeftPose){heft_mat3_from_columns(vec3_from_v4(x->rot[0]), vec3_from_v4(x->rot[1]),
                                           vec3_from_v4(x->rot[2])),
                    vec3_from_v4(x->pos)};
}

static HeftPose pose_from_columns(const Columns* x) {
  return (HeftPose){heft_mat3_from_columns(heft_vec3_from(x->c[0]), heft_vec3_from(x->c[1]),
                                           heft_vec3_from(x->c[2])),
                    heft_vec3_from(x->c[3])};
}

// Turning by rot about a fixed anchor, in the body's frame: x -> anchor + rot (x - anchor).
static HeftPose turn_about(HeftVec3 anchor, HeftQuat rot) {
  const HeftMat3 r = heft_quat_to_mat3(rot);
  return (HeftPose){r, heft_vec3_sub(anchor, heft_mat3_mul_vec(r, anchor))};
}

static HeftPose shift_by(HeftVec3 axis, double distance) {
  return (HeftPose){heft_mat3_identity(), heft_vec3_scale(distance, axis)};
}

// Applies the joint to the body's pose and writes its axes: world direction and a world point that
// they pass through.
static HeftPose pass_joint(const HeftModel* m, int j, const double* q, HeftPose body, Pair* axis) {
  const HeftJointType type = m->joint_type[j];
  const double *at = q + m->joint_q[j], *zero = m->q_default + m->joint_q[j];
  const HeftVec3 anchor = heft_vec3_from(m->joint_pos + 3L * j);
  JointAxis axes[6];
  const int count = heft_joint_axes(m, j, axes);
  if (type == HEFT_JOINT_BALL) body = heft_pose_mul(body, turn_about(anchor, read_unit_quat(at)));
  for (int i = 0; i < count; ++i) {
    const HeftVec3 direction = heft_mat3_mul_vec(body.rot, axes[i].axis);
    const HeftVec3 through = heft_pose_apply(body, anchor);
    axis[i] = axes[i].turns ? (Pair){v4_from_vec3(direction),
                                     v4_from_vec3(heft_vec3_cross(through, direction))}
                            : (Pair){v4_all(0), v4_from_vec3(direction)};
    if (type == HEFT_JOINT_BALL) continue;
    const double distance = at[i] - zero[i];
    body = heft_pose_mul(
        body, axes[i].turns ? turn_about(anchor, heft_quat_from_axis_angle(axes[i].axis, distance))
                            : shift_by(axes[i].axis, distance));
  }
  return body;
}

// Moves axes that were written about the world's (or the old) origin to a new one that lies
// `offset` from it.
HEFT_INLINE void move_axes(Pair* axis, int count, V4 offset) {
  for (int i = 0; i < count; ++i) axis[i].lin = axis[i].lin - v4_cross(offset, axis[i].ang);
}

static void general_pose(HeftDynamics* d, int k, const double* q) {
  const HeftModel* m = d->model;
  const Link* link = &d->tree->link[k];
  HeftPose body =
      heft_pose_mul(pose_from_link(&d->pose[link->parent]), pose_from_columns(&link->before));
  int dof = link->dof;
  for (int j = link->joint; j < link->joint + link->joint_count; ++j) {
    body = pass_joint(m, j, q, body, d->axis + dof);
    dof += heft_joint_type_dof_count(m->joint_type[j]);
  }
  d->pose[k] = link_pose_from(heft_pose_mul(body, pose_from_columns(&link->after)));
}

// The pose of seven coordinates: position and quaternion, which need not be of unit length.
HEFT_INLINE LinkPose pose_of_coordinates(const double* at) {
  const double w = at[3], x = at[4], y = at[5], z = at[6];
  const double scale = 2 / (((w * w + x * x) + y * y) + z * z);
  const double xx = scale * x * x, yy = scale * y * y, zz = scale * z * z;
  const double xy = scale * x * y, xz = scale * x * z, yz = scale * y * z;
  const double wx = scale * w * x, wy = scale * w * y, wz = scale * w * z;
  return (LinkPose){
      {(V4){1 - (yy + zz), xy + wz, xz - wy, 0}, (V4){xy - wz, 1 - (xx + zz), yz + wx, 0},
       (V4){xz + wy, yz - wx, 1 - (xx + yy), 0}},
      (V4){at[0], at[1], at[2], 0}};
}

// A free body: from its pose in q to the link's frame, and the axes about the centre of mass, which
// will be the origin of the tree (start_tree).
HEFT_INLINE void free_pose(HeftDynamics* d, int k, const double* q) {
  const Link* link = &d->tree->link[k];
  const LinkPose body = pose_of_coordinates(q + link->q);
  compose(&body, &link->after, &d->pose[k]);
  const V4 from_com = body.pos - d->pose[k].pos;
  Pair* axis = d->axis + link->dof;
  for (int i = 0; i < 3; ++i) {
    axis[i] = (Pair){v4_all(0), (V4){i == 0, i == 1, i == 2, 0}};
    axis[i + 3] = (Pair){body.rot[i], v4_cross(from_com, body.rot[i])};
  }
}

// The root of a tree lies at its own origin.
HEFT_INLINE void start_tree(HeftDynamics* d, int k) {
  d->origin[k] = d->pose[k].pos;
  d->pose[k].pos = v4_all(0);
}

HEFT_INLINE void stage_axis(const ChainStage* stage, const LinkPose* pose, Pair* axis) {
  const V4 direction = v4_mul_mat(pose->rot, stage->axis);
  const V4 arm = v4_mul_mat(pose->rot, stage->arm);
  *axis = (Pair){direction, arm + v4_cross(pose->pos, direction)};
}

// Through all stages; the axis of the last one follows when the origin of the tree is known.
HEFT_INLINE void chain_pose(HeftDynamics* d, int k) {
  const Link* link = &d->tree->link[k];
  LinkPose pose = d->pose[link->parent];
  const int last = link->stage + link->dof_count - 1;
  HEFT_ASSERT(link->parent < k && last < d->tree->stage_count);
  for (int n = link->stage; n < last; ++n) {
    const LinkPose above = pose;
    compose(&above, &d->relative[n], &pose);
    stage_axis(&d->tree->stage[n], &pose, &d->axis[d->tree->stage[n].dof]);
  }
  compose(&pose, &d->relative[last], &d->pose[k]);
}

// R diag(moments) Rᵀ, by columns.
HEFT_INLINE void turn_inertia(const LinkPose* pose, const double* inertia, V4 out[3]) {
  const V4 scaled[3] = {pose->rot[0] * inertia[0], pose->rot[1] * inertia[1],
                        pose->rot[2] * inertia[2]};
  const double* r0 = (const double*)&pose->rot[0];
  const double* r1 = (const double*)&pose->rot[1];
  const double* r2 = (const double*)&pose->rot[2];
  for (int j = 0; j < 3; ++j) out[j] = v4_combine(scaled, r0[j], r1[j], r2[j]);
}

HEFT_CLONES static void kinematics_kernel(HeftDynamics* d, const TreeGroup* group,
                                          const double* q) {
  const HeftTree* t = d->tree;
  for (int n = group->stage; n < group[1].stage; ++n)
    stage_relative(&t->stage[n], d->sine[n], d->cosine[n], &d->relative[n]);
  for (int n = group->link; n < group[1].link; ++n) {
    const int k = t->breadth[n];
    HEFT_ASSERT(k > 0 && k < t->nlink);
    const Link* link = &t->link[k];
    if (link->kind == LINK_CHAIN) {
      chain_pose(d, k);
    } else if (link->kind == LINK_FREE) {
      free_pose(d, k, q);
    } else if (link->kind == LINK_MOVED) {
      continue;  // as heft_dynamics_set_moved() placed it
    } else {
      general_pose(d, k, q);
    }
    if (link->root == k) {
      if (link->kind != LINK_FREE)
        move_axes(d->axis + link->dof, link->dof_count - (link->kind == LINK_CHAIN),
                  d->pose[k].pos);
      start_tree(d, k);
    } else if (link->deformable >= 0) {
      d->pose[k].pos = d->pose[k].pos - d->origin[link->root];
    }
  }
  for (int k = group->link; k < group[1].link; ++k) {
    const Link* link = &t->link[k];
    const LinkPose pose = d->pose[k];
    if (link->kind == LINK_CHAIN) {
      const int last = link->dof_count - 1;
      stage_axis(&t->stage[link->stage + last], &pose, &d->axis[link->dof + last]);
    }
    turn_inertia(&pose, link->inertia, d->spin[k]);
  }
}

// Wrenches are kept about the origins of their trees; they stay where they are in the world when
// those move.
static void move_wrenches(HeftDynamics* d, const TreeGroup* group, double sign) {
  if (!d->wrenches) return;
  for (int k = group->link; k < group[1].link; ++k) {
    const V4 origin = d->origin[d->tree->link[k].root];
    d->external[k].ang = d->external[k].ang + v4_cross(origin, d->external[k].lin) * sign;
  }
}

typedef struct MotionWork {
  HeftDynamics* d;
  const double* numbers;  ///< q or v
} MotionWork;

static void kinematics_of_group(void* arg, int worker, int index) {
  const MotionWork* work = arg;
  HeftDynamics* d = work->d;
  const TreeGroup* group = &d->tree->group[index];
  (void)worker;
  turn_stages(d, group->stage, group[1].stage, work->numbers);
  move_wrenches(d, group, 1);
  kinematics_kernel(d, group, work->numbers);
  move_wrenches(d, group, -1);
}

void heft_dynamics_kinematics(HeftDynamics* d, const double* q) {
  HEFT_REQUIRE_VOID(d && q);
  MotionWork work = {d, q};
  run_groups(d, kinematics_of_group, &work);
}

// ---- moved bodies

// The frame of the link is the body's, and so is the origin of its tree. Its acceleration is zero:
// recursions carry the acceleration of the frame at O, less gravity.
static void place_moved(HeftDynamics* d, int number, HeftPose pose, HeftSpatial velocity) {
  const int k = d->tree->body_link[d->model->moved_body[number]];
  const HeftVec3 weight = heft_vec3_from(d->model->physics.gravity);
  const HeftVec3 turning = heft_vec3_add(weight, heft_vec3_cross(velocity.ang, velocity.lin));
  d->pose[k] = link_pose_from((HeftPose){pose.rot, {0, 0, 0}});
  d->origin[k] = v4_from_vec3(pose.pos);
  d->velocity[k] = (Pair){v4_from_vec3(velocity.ang), v4_from_vec3(velocity.lin)};
  d->acceleration[k] = (Pair){v4_all(0), v4_from_vec3(heft_vec3_neg(turning))};
}

void heft_dynamics_set_moved(HeftDynamics* d, const double* moved) {
  HEFT_REQUIRE_VOID(d);
  const HeftModel* m = d->model;
  for (int i = 0; i < m->nmoved; ++i) {
    const double* x = moved ? moved + 13L * i : NULL;
    const int body = m->moved_body[i];
    const double* pos = x ? x : m->body_pos + 3L * body;
    const double* quat = x ? x + 3 : m->body_quat + 4L * body;
    const HeftSpatial velocity =
        x ? heft_spatial(heft_vec3_from(x + 7), heft_vec3_from(x + 10)) : (HeftSpatial){0};
    place_moved(d, i, heft_pose(heft_vec3_from(pos), read_unit_quat(quat)), velocity);
  }
}

// ---- public functions

static HeftPose world_pose(const HeftDynamics* d, int link) {
  HeftPose x = pose_from_link(&d->pose[link]);
  x.pos = heft_vec3_add(x.pos, vec3_from_v4(d->origin[d->tree->link[link].root]));
  return x;
}

HeftPose heft_dynamics_body_pose(const HeftDynamics* d, int body) {
  HEFT_REQUIRE(d, heft_pose_identity());
  HEFT_REQUIRE(body >= 0 && body < d->model->nbody, heft_pose_identity());
  return heft_pose_mul(world_pose(d, d->tree->body_link[body]),
                       pose_from_columns(&d->tree->body_in_link[body]));
}

HeftPose heft_dynamics_site_pose(const HeftDynamics* d, int site) {
  HEFT_REQUIRE(d, heft_pose_identity());
  HEFT_REQUIRE(site >= 0 && site < d->model->nsite, heft_pose_identity());
  const double *pos = d->model->site_pos + 3L * site, *quat = d->model->site_quat + 4L * site;
  const HeftPose in_body = heft_pose(heft_vec3_from(pos), heft_quat_from(quat));
  return heft_pose_mul(heft_dynamics_body_pose(d, d->model->site_body[site]), in_body);
}

// The directions right, up and back of a camera at `eye` that looks at `target`; `before` if it
// looks straight up or down.
static HeftMat3 look_at(HeftVec3 eye, HeftVec3 target, HeftMat3 before) {
  const HeftVec3 back = heft_vec3_normalize(heft_vec3_sub(eye, target));
  const HeftVec3 right = heft_vec3_normalize(heft_vec3_cross(heft_vec3(0, 0, 1), back));
  if (!(heft_vec3_norm(right) > 0.5)) return before;
  return heft_mat3_from_columns(right, heft_vec3_cross(back, right), back);
}

HeftPose heft_dynamics_camera_pose(const HeftDynamics* d, int camera) {
  HEFT_REQUIRE(d, heft_pose_identity());
  const HeftModel* m = d->model;
  HEFT_REQUIRE(camera >= 0 && camera < m->ncamera, heft_pose_identity());
  const HeftPose body = heft_dynamics_body_pose(d, m->camera_body[camera]);
  const double *pos = m->camera_pos + 3L * camera, *quat = m->camera_quat + 4L * camera;
  const HeftPose local = heft_pose(heft_vec3_from(pos), heft_quat_from(quat));
  HeftPose pose = heft_pose_mul(body, local);
  const HeftFollow follow = m->camera_follow[camera];
  const int target = m->camera_target[camera];
  if (follow == HEFT_FOLLOW_TRACK || follow == HEFT_FOLLOW_TRACK_COM)
    pose = (HeftPose){.rot = local.rot, .pos = heft_vec3_add(body.pos, local.pos)};
  if ((follow == HEFT_FOLLOW_TARGET_BODY || follow == HEFT_FOLLOW_TARGET_BODY_COM) && target >= 0)
    pose.rot = look_at(pose.pos, heft_dynamics_body_pose(d, target).pos, pose.rot);
  return pose;
}

HeftVec3 heft_dynamics_tree_origin(const HeftDynamics* d, int body) {
  HEFT_REQUIRE(d, ((HeftVec3){0}));
  HEFT_REQUIRE(body >= 0 && body < d->model->nbody, ((HeftVec3){0}));
  return vec3_from_v4(d->origin[d->tree->link[d->tree->body_link[body]].root]);
}

// ---- velocities

HEFT_CLONES static void velocities_kernel(HeftDynamics* d, const TreeGroup* group,
                                          const double* v) {
  const HeftTree* t = d->tree;
  for (int k = group->link; k < group[1].link; ++k) {
    const Link* link = &t->link[k];
    if (link->kind == LINK_MOVED) continue;
    Pair velocity = d->velocity[link->parent];
    for (int i = link->dof; i < link->dof + link->dof_count; ++i)
      velocity = pair_add_scaled(velocity, d->axis[i], v[i]);
    d->velocity[k] = velocity;
  }
}

static void velocities_of_group(void* arg, int worker, int index) {
  const MotionWork* work = arg;
  (void)worker;
  velocities_kernel(work->d, &work->d->tree->group[index], work->numbers);
}

void heft_dynamics_velocities(HeftDynamics* d, const double* v) {
  HEFT_REQUIRE_VOID(d && v);
  MotionWork work = {d, v};
  d->velocity[0] = pair_zero();
  run_groups(d, velocities_of_group, &work);
}

HeftSpatial heft_dynamics_body_velocity(const HeftDynamics* d, int body, HeftVec3 point) {
  HEFT_REQUIRE(d, ((HeftSpatial){0}));
  HEFT_REQUIRE(body >= 0 && body < d->model->nbody, ((HeftSpatial){0}));
  const Pair v = d->velocity[d->tree->body_link[body]];
  const HeftSpatial at_origin = heft_spatial(vec3_from_v4(v.ang), vec3_from_v4(v.lin));
  return heft_spatial_move_motion(at_origin,
                                  heft_vec3_sub(point, heft_dynamics_tree_origin(d, body)));
}

// The recursions carry the acceleration of the frame at O, with weight as an acceleration upwards;
// the acceleration of a point adds what turning does: a_p = a + α × r + ω × (v + ω × r) + g.
HeftSpatial heft_dynamics_body_acceleration(const HeftDynamics* d, int body, HeftVec3 point) {
  HEFT_REQUIRE(d, ((HeftSpatial){0}));
  HEFT_REQUIRE(body >= 0 && body < d->model->nbody, ((HeftSpatial){0}));
  const int link = d->tree->body_link[body];
  const HeftVec3 r = heft_vec3_sub(point, heft_dynamics_tree_origin(d, body));
  const HeftVec3 spin = vec3_from_v4(d->velocity[link].ang);
  const HeftVec3 turn = vec3_from_v4(d->acceleration[link].ang);
  const HeftVec3 v = heft_vec3_add(vec3_from_v4(d->velocity[link].lin), heft_vec3_cross(spin, r));
  HeftVec3 a = vec3_from_v4(d->acceleration[link].lin);
  a = heft_vec3_add(a, heft_vec3_cross(turn, r));
  a = heft_vec3_add(a, heft_vec3_cross(spin, v));
  return heft_spatial(turn, heft_vec3_add(a, heft_vec3_from(d->model->physics.gravity)));
}

void heft_dynamics_body_jacobian(const HeftDynamics* d, int body, HeftVec3 point, double* out) {
  HEFT_REQUIRE_VOID(d);
  HEFT_REQUIRE_VOID(body >= 0 && body < d->model->nbody && out);
  const HeftTree* t = d->tree;
  const int nv = d->model->nv;
  for (int i = 0; i < 6 * nv; ++i) out[i] = 0;
  const Link* link = &t->link[t->body_link[body]];
  const HeftVec3 offset = heft_vec3_sub(point, heft_dynamics_tree_origin(d, body));
  for (int i = link->dof_count > 0 ? link->dof + link->dof_count - 1 : -1; i >= 0;
       i = t->dof_parent[i]) {
    const HeftSpatial s = heft_spatial_move_motion(
        heft_spatial(vec3_from_v4(d->axis[i].ang), vec3_from_v4(d->axis[i].lin)), offset);
    const double column[6] = {s.ang.x, s.ang.y, s.ang.z, s.lin.x, s.lin.y, s.lin.z};
    for (int r = 0; r < 6; ++r) out[(long)r * nv + i] = column[r];
  }
}
