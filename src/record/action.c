// SPDX-License-Identifier: Apache-2.0
// Actions of users on a world. A page that plays and a replay call the same functions, so that a
// recorded session depends only on its actions.
#include <math.h>
#include "record/session_log.h"

#include "base/assert.h"
#include "base/error.h"

static int is_finite(HeftVec3 v) { return isfinite(v.x) && isfinite(v.y) && isfinite(v.z); }

static int is_positive(double x) { return x >= 0 && isfinite(x); }

static HeftStatus wrong_index(HeftError* error, const char* what, int index, int count) {
  return heft_error_set(error, HEFT_ERR_VALUE, "%s %d: there are %d, counted from 0", what, index,
                        count);
}

static HeftStatus set_number(double* numbers, int count, const char* what, const HeftAction* a,
                             HeftError* error) {
  if (a->index < 0 || a->index >= count) return wrong_index(error, what, a->index, count);
  if (!isfinite(a->value))
    return heft_error_set(error, HEFT_ERR_VALUE, "%s %d: the value is not finite", what, a->index);
  numbers[a->index] = a->value;
  return HEFT_OK;
}

static HeftStatus hold(HeftUserForces* f, const HeftAction* a) {
  f->held[a->slot] = *a;
  f->used |= 1U << a->slot;
  return HEFT_OK;
}

static HeftStatus pull(HeftUserForces* f, const HeftModel* m, const HeftAction* a,
                       HeftError* error) {
  if (a->index < 0 || a->index >= m->nbody) return wrong_index(error, "body", a->index, m->nbody);
  if (!is_finite(a->at) || !is_finite(a->target) || !is_positive(a->stiffness) ||
      !is_positive(a->damping) || !is_positive(a->force_max))
    return heft_error_set(
        error, HEFT_ERR_VALUE,
        "a pull needs finite numbers; stiffness, damping and limit are 0 or more");
  return hold(f, a);
}

// Fills a slot, or ends what it holds.
static HeftStatus use_slot(HeftUserForces* f, const HeftModel* m, const HeftAction* a,
                           HeftError* error) {
  if (a->slot < 0 || a->slot >= HEFT_ACTION_SLOTS)
    return wrong_index(error, "slot", a->slot, HEFT_ACTION_SLOTS);
  if (a->kind == HEFT_ACTION_PULL) return pull(f, m, a, error);
  if (a->kind == HEFT_ACTION_TRACK && is_finite(a->target) && a->slot > 0) return hold(f, a);
  if (a->kind == HEFT_ACTION_TRACK)
    return heft_error_set(error, HEFT_ERR_VALUE,
                          "a tracked point needs finite numbers, and a slot from 1 on");
  f->used &= ~(1U << a->slot);
  return HEFT_OK;
}

static HeftStatus apply_force(HeftWorld* world, const HeftModel* m, const HeftAction* a,
                              HeftError* error) {
  if (a->index < 0 || a->index >= m->nbody) return wrong_index(error, "body", a->index, m->nbody);
  if (!is_finite(a->at) || !is_finite(a->force))
    return heft_error_set(error, HEFT_ERR_VALUE, "a force needs finite numbers");
  heft_world_apply_wrench(world, a->index, a->at, a->force, (HeftVec3){0, 0, 0});
  return HEFT_OK;
}

HeftStatus heft_action_apply(const HeftAction* a, HeftWorld* world, HeftUserForces* forces,
                             HeftError* error) {
  HEFT_REQUIRE(a && world && forces, HEFT_ERR_ARGUMENT);
  const HeftModel* m = heft_world_model(world);
  switch (a->kind) {
    case HEFT_ACTION_CHANGE:
      if (heft_change_is_object(a->change.kind))
        return heft_error_set(error, HEFT_ERR_ARGUMENT, "the change makes another model");
      return heft_world_apply_change(world, &a->change, error);
    case HEFT_ACTION_CONTROL:
      return set_number(heft_world_controls(world), m->nactuator, "actuator", a, error);
    case HEFT_ACTION_JOINT_FORCE:
      return set_number(heft_world_joint_forces(world), m->nv, "dof", a, error);
    case HEFT_ACTION_PULL:
    case HEFT_ACTION_TRACK:
    case HEFT_ACTION_RELEASE:
      return use_slot(forces, m, a, error);
    case HEFT_ACTION_FORCE:
      return apply_force(world, m, a, error);
    case HEFT_ACTION_COUNT:
      break;
  }
  return heft_error_set(error, HEFT_ERR_VALUE, "there is no action of the kind %d", (int)a->kind);
}

void heft_user_forces_apply(const HeftUserForces* f, HeftWorld* world) {
  HEFT_REQUIRE_VOID(f && world);
  if (f->used == 0) return;
  const HeftMat3 same = heft_quat_to_mat3((HeftQuat){1, 0, 0, 0});
  const int bodies = heft_world_model(world)->nbody;
  for (int i = 0; i < HEFT_ACTION_SLOTS; ++i) {
    const HeftAction* a = &f->held[i];
    if (!(f->used & 1U << i) || a->kind != HEFT_ACTION_PULL) continue;
    if (a->index >= bodies) continue;  // a body may have been removed
    const HeftCoupling spring = {.body = a->index,
                                 .at = {same, a->at},
                                 .target = {same, a->target},
                                 .stiffness = a->stiffness,
                                 .damping = a->damping,
                                 .force_max = a->force_max};
    heft_world_add_coupling(world, &spring);
  }
}

int heft_user_forces_hands(const HeftUserForces* f, const HeftWorld* world,
                           HeftHand hands[HEFT_ACTION_SLOTS]) {
  HEFT_REQUIRE(f && world && hands, 0);
  const int bodies = heft_world_model(world)->nbody;
  int count = 0;
  for (int i = 0; i < HEFT_ACTION_SLOTS; ++i) {
    const HeftAction* a = &f->held[i];
    if (!(f->used & 1U << i)) continue;
    if (a->kind == HEFT_ACTION_TRACK)
      hands[count++] = (HeftHand){.pos = a->target, .present = 1, .body = -1 - i};
    if (a->kind == HEFT_ACTION_TRACK || a->index >= bodies) continue;
    const HeftPose pose = heft_dynamics_body_pose(heft_world_dynamics(world), a->index);
    const HeftVec3 point = heft_pose_apply(pose, a->at);
    HeftVec3 force = heft_vec3_scale(a->stiffness, heft_vec3_sub(a->target, point));
    const double size = heft_vec3_norm(force);
    if (a->force_max > 0 && size > a->force_max)
      force = heft_vec3_scale(a->force_max / size, force);
    hands[count++] = (HeftHand){.pos = a->target,
                                .present = 1,
                                .body = a->index,
                                .point = point,
                                .force = force,
                                .buttons = 1};
  }
  return count;
}
