// SPDX-License-Identifier: Apache-2.0
// Papers: R62.
// Balance on two feet: computes tasks and contacts of the whole-body problem from a goal.
//
// Every task is ẍ = ẍ_d + k_v (ẋ_d - ẋ) + k_p (x_d - x); rotation errors are the logarithm of the
// missing rotation. For the centre of mass of a pendulum of height z, which falls with
// ω = √(g/z), any k_p > ω² holds it as long as the required centre of pressure lies within the
// feet. The distribution of the wrench to the corners of the soles respects their cones, so that
// the required ground forces are admissible.
#include <heft/control.h>
#include <string.h>

#include "base/assert.h"
#include "base/def.h"
#include "control/part.h"

struct HeftBiped {
  HeftBipedDef def;
  const HeftModel* model;
  HeftWholeBody* whole;
  size_t memory_size;
  HeftPose sole[2];     ///< the sole's frame in the foot's body
  double half[2][2];    ///< half sizes of the soles
  int* on_chest;        ///< nv: 1 if the dof is in the subtree of the chest
  double *error, *tau;  ///< nv
};

// ---- making one

static int body_named(const HeftModel* m, const char* name) {
  return heft_model_find(m, HEFT_NAMED_BODY, name);
}

void heft_biped_def_init(HeftBipedDef* def, uint32_t cookie, const HeftModel* m) {
  const bool ours = HEFT_DEF_STAMP(HeftBipedDef, def, m ? cookie : 0);
  HEFT_REQUIRE_VOID(m);
  if (!ours) return;
  *def = (HeftBipedDef){
      .cookie = cookie,
      .allocator = heft_allocator_default(),
      .pelvis = body_named(m, "pelvis"),
      .chest = body_named(m, "chest"),
      .foot = {body_named(m, "left_foot"), body_named(m, "right_foot")},
      .sole = {heft_model_find(m, HEFT_NAMED_SHAPE, "left_sole"),
               heft_model_find(m, HEFT_NAMED_SHAPE, "right_sole")},
      .friction = 0.4,
      .inset = 0.85,
      .com = {50, 14, 200},
      .height = {60, 16, 100},
      .turn = {100, 20, 20},
      .foot_swing = {400, 40, 100},
      .foot_stand = {100, 50, 1000},
      .arms = {100, 20, 1},
      .legs = {40, 12, 0.02},
  };
}

// The underside of the sole's box, as the foot's body sees it.
static int find_sole(HeftBiped* b, int side) {
  const HeftModel* m = b->model;
  const int s = b->def.sole[side];
  if (s < 0 || s >= m->nshape || m->shape_type[s] != HEFT_SHAPE_BOX) return 0;
  const double* size = m->shape_size + 3L * s;
  const HeftPose box =
      heft_pose(heft_vec3_from(m->shape_pos + 3L * s), heft_quat_from(m->shape_quat + 4L * s));
  const HeftPose down = heft_pose(heft_vec3(0, 0, -size[2]), heft_quat_identity());
  b->sole[side] = heft_pose_mul(box, down);
  b->half[side][0] = size[0];
  b->half[side][1] = size[1];
  return 1;
}

static void find_arms(HeftBiped* b) {
  const HeftModel* m = b->model;
  for (int i = 0; i < m->nv; ++i) {
    int body = m->body_parent[m->joint_body[m->dof_joint[i]]];
    while (body > b->def.chest && b->def.chest > 0) body = m->body_parent[body];
    b->on_chest[i] = b->def.chest > 0 && body == b->def.chest;
  }
}

static void place(void* part, Arena* arena) {
  HeftBiped* b = part;
  b->on_chest = arena_take(arena, b->model->nv, int);
  b->error = arena_take(arena, b->model->nv, double);
  b->tau = arena_take(arena, b->model->nv, double);
}

static HeftStatus check(const HeftModel* m, const HeftBipedDef* d, HeftError* error) {
  const int parts[3] = {d->pelvis, d->foot[0], d->foot[1]};
  for (int i = 0; i < 3; ++i)
    if (parts[i] < 1 || parts[i] >= m->nbody)
      return heft_error_set(error, HEFT_ERR_VALUE,
                            "a robot on two feet needs a pelvis and two feet; the model has no "
                            "bodies of these names, so say which they are");
  return HEFT_OK;
}

HeftStatus heft_biped_create(HeftBiped** out, const HeftModel* model, const HeftBipedDef* def,
                             HeftError* error) {
  HEFT_REQUIRE(out, HEFT_ERR_ARGUMENT);
  *out = NULL;
  HEFT_REQUIRE(model, HEFT_ERR_ARGUMENT);
  HeftStatus status = HEFT_DEF_CHECK(HeftBipedDef, heft_biped_def_default, def, error);
  if (status != HEFT_OK) return status;
  HeftBiped made = {.model = model};
  made.def = def ? *def : heft_biped_def_default(model);
  status = check(model, &made.def, error);
  if (status != HEFT_OK) return status;
  if (!find_sole(&made, 0) || !find_sole(&made, 1))
    return heft_error_set(error, HEFT_ERR_VALUE, "the soles of a robot on two feet must be boxes");
  const HeftAllocator* allocator = &made.def.allocator;
  HeftBiped* b = part_make(allocator, &made, sizeof made, place, &made.memory_size,
                           "a balance controller", error);
  if (!b) return HEFT_ERR_MEMORY;
  find_arms(b);
  HeftWholeBodyDef whole = heft_whole_body_def_default();
  whole.allocator = *allocator;
  whole.root = made.def.pelvis;
  status = heft_whole_body_create(&b->whole, model, &whole, error);
  if (status != HEFT_OK) {
    heft_biped_destroy(b);
    return status;
  }
  *out = b;
  return HEFT_OK;
}

void heft_biped_destroy(HeftBiped* b) {
  if (!b) return;
  const HeftAllocator allocator = b->def.allocator;
  heft_whole_body_destroy(b->whole);
  allocator.release(allocator.user, b, b->memory_size);
}

void heft_biped_set_memory(HeftBiped* b, const double* numbers) {
  HEFT_REQUIRE_VOID(b && numbers);
  heft_whole_body_set_memory(b->whole, numbers);
}

const HeftWholeBody* heft_biped_whole_body(const HeftBiped* b) {
  HEFT_REQUIRE(b, NULL);
  return b->whole;
}

// ---- goals

static HeftPose sole_pose(const HeftBiped* b, int side) {
  return heft_pose_mul(
      heft_dynamics_body_pose(heft_whole_body_dynamics(b->whole), b->def.foot[side]),
      b->sole[side]);
}

// The turn about the vertical that a rotation holds.
static HeftQuat heading(HeftMat3 r) {
  return heft_quat_from_axis_angle(heft_vec3(0, 0, 1), heft_atan2(r.m[1][0], r.m[0][0]));
}

void heft_biped_stand(HeftBiped* b, const double* q, HeftBipedGoal* goal) {
  HEFT_REQUIRE_VOID(b && q && goal);
  memset(b->error, 0, (size_t)b->model->nv * sizeof(double));
  heft_whole_body_begin(b->whole, q, b->error);
  const HeftDynamics* d = heft_whole_body_dynamics(b->whole);
  memset(goal, 0, sizeof *goal);
  goal->posture = q;
  goal->pelvis = heading(heft_dynamics_body_pose(d, b->def.pelvis).rot);
  goal->chest = goal->pelvis;
  HeftVec3 middle = heft_vec3(0, 0, 0);
  for (int side = 0; side < 2; ++side) {
    const HeftPose sole = sole_pose(b, side);
    HeftFootGoal* foot = &goal->foot[side];
    foot->pos = sole.pos;
    foot->quat = heading(sole.rot);
    foot->load = 1;
    middle = heft_vec3_add_scaled(middle, 0.5, sole.pos);
  }
  goal->com = heft_vec3(middle.x, middle.y, heft_whole_body_com(b->whole, NULL).z);
}

// ---- tasks

static HeftVec3 command(HeftGain k, HeftVec3 acceleration, HeftVec3 slow, HeftVec3 away) {
  HeftVec3 a = heft_vec3_add_scaled(acceleration, k.kv, slow);
  return heft_vec3_add_scaled(a, k.kp, away);
}

static HeftVec3 all(double w) { return heft_vec3(w, w, w); }

// The rotation, as a vector in the world, that is missing from `is` to `wanted`.
static HeftVec3 turn_missing(HeftMat3 is, HeftQuat wanted) {
  return heft_quat_log(heft_quat_mul(wanted, heft_quat_conjugate(heft_quat_from_mat3(is))));
}

static void want_turn(HeftBiped* b, int body, HeftMat3 is, HeftQuat wanted, HeftGain k) {
  const HeftDynamics* d = heft_whole_body_dynamics(b->whole);
  const HeftVec3 spin = heft_dynamics_body_velocity(d, body, heft_vec3(0, 0, 0)).ang;
  const HeftVec3 a = command(k, all(0), heft_vec3_neg(spin), turn_missing(is, wanted));
  heft_whole_body_add_rotation_task(b->whole, body, a, all(k.weight));
}

static void want_com(HeftBiped* b, const HeftBipedGoal* goal) {
  HeftVec3 v;
  const HeftVec3 com = heft_whole_body_com(b->whole, &v);
  const HeftVec3 slow = heft_vec3_sub(goal->com_velocity, v), away = heft_vec3_sub(goal->com, com);
  HeftVec3 a = command(b->def.com, goal->com_acceleration, slow, away);
  a.z = command(b->def.height, goal->com_acceleration, slow, away).z;
  heft_whole_body_add_com_task(
      b->whole, a, heft_vec3(b->def.com.weight, b->def.com.weight, b->def.height.weight));
}

static void want_foot(HeftBiped* b, int side, const HeftFootGoal* goal) {
  const HeftDynamics* d = heft_whole_body_dynamics(b->whole);
  const HeftPose sole = sole_pose(b, side);
  const int body = b->def.foot[side];
  const HeftGain k = goal->load > 0 ? b->def.foot_stand : b->def.foot_swing;
  const HeftVec3 v = heft_dynamics_body_velocity(d, body, sole.pos).lin;
  const HeftVec3 a = command(k, goal->acceleration, heft_vec3_sub(goal->velocity, v),
                             heft_vec3_sub(goal->pos, sole.pos));
  heft_whole_body_add_point_task(b->whole, body, sole.pos, a, all(k.weight));
  want_turn(b, body, sole.rot, goal->quat, k);
}

static void add_sole(HeftBiped* b, int side, double load) {
  const HeftPose sole = sole_pose(b, side);
  const double x = b->def.inset * b->half[side][0], y = b->def.inset * b->half[side][1];
  for (int k = 0; k < 4; ++k) {
    const HeftVec3 corner = heft_vec3(k % 2 ? x : -x, k / 2 ? y : -y, 0);
    heft_whole_body_add_contact(b->whole, b->def.foot[side], heft_pose_apply(sole, corner),
                                heft_vec3(0, 0, 1), b->def.friction, load);
  }
}

static void add_point_task(HeftBiped* b, const HeftPointTask* r) {
  const HeftDynamics* d = heft_whole_body_dynamics(b->whole);
  const HeftPose pose = heft_dynamics_body_pose(d, r->body);
  const HeftVec3 at = heft_pose_apply(pose, r->point);
  if (r->move.weight > 0) {
    const HeftVec3 v = heft_dynamics_body_velocity(d, r->body, at).lin;
    const HeftVec3 a =
        command(r->move, r->acceleration, heft_vec3_sub(r->velocity, v), heft_vec3_sub(r->pos, at));
    heft_whole_body_add_point_task(b->whole, r->body, at, a, all(r->move.weight));
  }
  if (r->turn.weight > 0) want_turn(b, r->body, pose.rot, r->quat, r->turn);
}

static void want_posture(HeftBiped* b, const HeftBipedGoal* goal, const double* q,
                         const double* v) {
  const HeftModel* m = b->model;
  heft_q_difference(m, q, goal->posture, b->error);
  for (int i = 0; i < m->nv; ++i) {
    if (m->joint_type[m->dof_joint[i]] == HEFT_JOINT_FREE) continue;
    const HeftGain k = b->on_chest[i] ? b->def.arms : b->def.legs;
    const double slow = (goal->posture_velocity ? goal->posture_velocity[i] : 0) - v[i];
    heft_whole_body_add_dof_task(b->whole, i, k.kp * b->error[i] + k.kv * slow, k.weight);
  }
}

HeftStatus heft_biped_torques(HeftBiped* b, const HeftBipedGoal* goal, const double* q,
                              const double* v, double* tau) {
  HEFT_REQUIRE(b && goal && q && v && tau && goal->posture, HEFT_ERR_ARGUMENT);
  HEFT_REQUIRE(goal->load_count <= HEFT_BIPED_EXTRA_MAX &&
                   goal->support_count <= HEFT_BIPED_EXTRA_MAX &&
                   goal->point_task_count <= HEFT_BIPED_EXTRA_MAX,
               HEFT_ERR_ARGUMENT);
  heft_whole_body_begin(b->whole, q, v);
  const HeftDynamics* d = heft_whole_body_dynamics(b->whole);
  for (int i = 0; i < goal->load_count; ++i) {
    const HeftLoad* load = &goal->load[i];
    heft_whole_body_add_wrench(b->whole, load->body, load->point, load->force, load->torque);
  }
  want_com(b, goal);
  want_turn(b, b->def.pelvis, heft_dynamics_body_pose(d, b->def.pelvis).rot, goal->pelvis,
            b->def.turn);
  if (b->def.chest > 0)
    want_turn(b, b->def.chest, heft_dynamics_body_pose(d, b->def.chest).rot, goal->chest,
              b->def.turn);
  for (int side = 0; side < 2; ++side) {
    want_foot(b, side, &goal->foot[side]);
    if (goal->foot[side].load > 0) add_sole(b, side, goal->foot[side].load);
  }
  for (int i = 0; i < goal->support_count; ++i) {
    const HeftSupport* s = &goal->support[i];
    heft_whole_body_add_contact(b->whole, s->body, s->point, s->normal, s->friction, s->share);
  }
  for (int i = 0; i < goal->point_task_count; ++i) add_point_task(b, &goal->point_task[i]);
  want_posture(b, goal, q, v);
  return heft_whole_body_solve(b->whole, tau);
}

HeftStatus heft_biped_step(HeftBiped* b, const HeftBipedGoal* goal, HeftWorld* world) {
  HEFT_REQUIRE(b && goal && world, HEFT_ERR_ARGUMENT);
  const HeftState* s = heft_world_state(world);
  const HeftStatus status = heft_biped_torques(b, goal, s->q, s->v, b->tau);
  if (status == HEFT_OK)
    heft_model_torques_to_controls(b->model, b->tau, heft_world_controls(world));
  return status;
}
