// SPDX-License-Identifier: Apache-2.0
// Papers: R5.
// Where bodies are: against the definition, body by body and joint by joint, without links, tables
// of sines or principal axes.
#include <heft/dynamics.h>
#include <stdlib.h>

#include "scenes/random.h"
#include "scenes/scenes.h"
#include "support/check.h"

static HeftPose about(HeftVec3 anchor, HeftQuat turn) {
  const HeftPose there = {heft_mat3_identity(), anchor};
  return heft_pose_mul(heft_pose_mul(there, heft_pose(heft_vec3(0, 0, 0), turn)),
                       heft_pose_inverse(there));
}

static HeftPose turned(HeftVec3 anchor, HeftVec3 axis, double angle) {
  return about(anchor, heft_quat_exp(heft_vec3_scale(angle, axis)));
}

static HeftPose shifted(HeftVec3 axis, double way) {
  return heft_pose(heft_vec3_scale(way, axis), heft_quat_identity());
}

// What the table of joint types in model.h says.
static HeftPose joint_pose(const HeftModel* m, int j, const double* q) {
  const double *at = q + m->joint_q[j], *zero = m->q_default + m->joint_q[j];
  const HeftVec3 p = heft_vec3_from(m->joint_pos + 3L * j),
                 a = heft_vec3_from(m->joint_axis + 3L * j);
  const HeftVec3 b = heft_vec3_from(m->joint_axis2 + 3L * j);
  switch (m->joint_type[j]) {
    case HEFT_JOINT_HINGE:
      return turned(p, a, at[0] - zero[0]);
    case HEFT_JOINT_SLIDE:
      return shifted(a, at[0] - zero[0]);
    case HEFT_JOINT_BALL:
      return about(p, heft_quat_from(at));
    case HEFT_JOINT_PLANAR:
      return heft_pose_mul(heft_pose_mul(shifted(a, at[0] - zero[0]), shifted(b, at[1] - zero[1])),
                           turned(p, heft_vec3_cross(a, b), at[2] - zero[2]));
    case HEFT_JOINT_UNIVERSAL:
      return heft_pose_mul(turned(p, a, at[0] - zero[0]), turned(p, b, at[1] - zero[1]));
    case HEFT_JOINT_CYLINDRICAL:
      return heft_pose_mul(shifted(a, at[0] - zero[0]), turned(p, a, at[1] - zero[1]));
    case HEFT_JOINT_FIXED:
    case HEFT_JOINT_FREE:
    case HEFT_JOINT_TYPE_COUNT:
      break;
  }
  return heft_pose_identity();
}

static HeftPose body_pose(const HeftModel* m, int body, const double* q) {
  if (body == 0) return heft_pose_identity();
  const int first = m->body_joint[body], count = m->body_joint_count[body];
  if (count == 1 && m->joint_type[first] == HEFT_JOINT_FREE) {
    const double* at = q + m->joint_q[first];
    return heft_pose(heft_vec3_from(at), heft_quat_from(at + 3));
  }
  HeftPose x = heft_pose_mul(
      body_pose(m, m->body_parent[body], q),
      heft_pose(heft_vec3_from(m->body_pos + 3L * body), heft_quat_from(m->body_quat + 4L * body)));
  for (int j = first; j < first + count; ++j) x = heft_pose_mul(x, joint_pose(m, j, q));
  return x;
}

static double compare(const HeftModel* m, HeftDynamics* d, const double* q) {
  double worst = 0;
  heft_dynamics_kinematics(d, q);
  for (int b = 0; b < m->nbody; ++b) {
    const HeftPose expected = body_pose(m, b, q), found = heft_dynamics_body_pose(d, b);
    for (int i = 0; i < 9; ++i)
      worst = fmax(worst, fabs((&expected.rot.m[0][0])[i] - (&found.rot.m[0][0])[i]));
    for (int i = 0; i < 3; ++i) worst = fmax(worst, fabs((&expected.pos.x)[i] - (&found.pos.x)[i]));
  }
  return worst;
}

static void bodies_are_where_the_definition_puts_them(void** state) {
  (void)state;
  double worst = 0, at_default = 0;
  for (uint64_t seed = 300; seed < 340; ++seed) {
    const RandomTreeDef def = {.seed = seed, .bodies = 25, .floating = seed % 2 == 0, .passive = 0};
    HeftModel* m = scene_random_tree(&def, NULL);
    HeftDynamics* d = NULL;
    assert_int_equal(heft_dynamics_create(&d, m, NULL, NULL), HEFT_OK);
    at_default = fmax(at_default, compare(m, d, m->q_default));
    double* q = calloc((size_t)(m->nq + m->nv), sizeof *q);
    scene_random_state(m, seed, 1, q, q + m->nq);
    worst = fmax(worst, compare(m, d, q));
    free(q);
    heft_dynamics_destroy(d);
    heft_model_destroy(m);
  }
  printf("poses of bodies: %.1e at random q, %.1e at q_default\n", worst, at_default);
  CHECK_AT_MOST(worst, 1e-12);
  CHECK_AT_MOST(at_default, 1e-12);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(bodies_are_where_the_definition_puts_them)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
