// SPDX-License-Identifier: Apache-2.0
// Inverse kinematics: a pose that meets targets.
//
// Gauss and Newton with a damping that falls with the error [Sugihara 2011]:
//     (Jᵀ W J + (E + ε) 1) Δq = Jᵀ W e,   E = ½ eᵀ W e,
// which always descends near a reachable target, and stays bounded near an unreachable one. Joints
// with springs, and those at a limit, have no column. The root's translations give the centre of
// mass: the first three rows of the mass matrix are m J_com.
#include <heft/control.h>
#include <string.h>

#include "base/allocator.h"
#include "base/assert.h"
#include "control/chain.h"
#include "control/part.h"
#include "math/dense.h"

enum { ROUNDS_MAX = 200 };
static const double ease = 1e-8, enough = 1e-12, step_max = 0.3;

struct HeftPoseSolver {
  HeftAllocator allocator;
  const HeftModel* model;
  HeftDynamics* dynamics;
  size_t memory_size;
  int root, free_dof;  ///< free_dof: first dof of a free root, or -1
  double total;        ///< mass of the robot
  int* moves;          ///< nv: 1 if the dof may move
  double *h, *mass;    ///< nv x nv
  double *g, *step;    ///< nv
  double* jacobian;    ///< 6 x nv
};

static void place(void* part, Arena* arena) {
  HeftPoseSolver* s = part;
  const long nv = s->model->nv;
  s->moves = arena_take(arena, nv, int);
  s->h = arena_take(arena, nv * nv, double);
  s->mass = arena_take(arena, nv * nv, double);
  s->g = arena_take(arena, nv, double);
  s->step = arena_take(arena, nv, double);
  s->jacobian = arena_take(arena, 6 * nv, double);
}

static void look_around(HeftPoseSolver* s) {
  const HeftModel* m = s->model;
  s->free_dof = -1;
  for (int i = m->nv - 1; i >= 0; --i) {
    const int joint = m->dof_joint[i];
    s->moves[i] = chain_hangs_on(m, m->joint_body[joint], s->root) && m->dof_stiffness[i] == 0;
    if (s->moves[i] && m->joint_type[joint] == HEFT_JOINT_FREE) s->free_dof = m->joint_dof[joint];
  }
  for (int i = s->root; i < m->nbody; ++i)
    if (chain_hangs_on(m, i, s->root)) s->total += m->body_mass[i];
}

HeftStatus heft_pose_solver_create(HeftPoseSolver** out, const HeftModel* model, int root,
                                   const HeftAllocator* allocator, HeftError* error) {
  HEFT_REQUIRE(out, HEFT_ERR_ARGUMENT);
  *out = NULL;
  HEFT_REQUIRE(model && root > 0 && root < model->nbody, HEFT_ERR_ARGUMENT);
  HeftPoseSolver made = {.model = model, .root = root};
  made.allocator = allocator_or_default(allocator);
  HeftPoseSolver* s = part_make(&made.allocator, &made, sizeof made, place, &made.memory_size,
                                "inverse kinematics", error);
  if (!s) return HEFT_ERR_MEMORY;
  look_around(s);
  const HeftStatus status = heft_dynamics_create(&s->dynamics, model, &s->allocator, error);
  if (status != HEFT_OK) {
    heft_pose_solver_destroy(s);
    return status;
  }
  *out = s;
  return HEFT_OK;
}

void heft_pose_solver_destroy(HeftPoseSolver* s) {
  if (!s) return;
  const HeftAllocator allocator = s->allocator;
  heft_dynamics_destroy(s->dynamics);
  allocator.release(allocator.user, s, s->memory_size);
}

// One row: h += w jᵀj, g += w jᵀe. Returns w e².
static double add_row(HeftPoseSolver* s, const double* j, double e, double w) {
  const int nv = s->model->nv;
  if (w <= 0) return 0;
  for (int i = 0; i < nv; ++i) {
    if (j[i] == 0 || !s->moves[i]) continue;
    s->g[i] += w * j[i] * e;
    for (int k = 0; k <= i; ++k)
      if (s->moves[k]) s->h[(long)i * nv + k] += w * j[i] * j[k];
  }
  return w * e * e;
}

static double add_rows(HeftPoseSolver* s, const double* rows, HeftVec3 e, HeftVec3 w) {
  const int nv = s->model->nv;
  return add_row(s, rows, e.x, w.x) + add_row(s, rows + nv, e.y, w.y) +
         add_row(s, rows + 2L * nv, e.z, w.z);
}

static double add_com(HeftPoseSolver* s, const HeftPoseTarget* t) {
  const int nv = s->model->nv;
  if (s->free_dof < 0) return 0;
  heft_dynamics_crba(s->dynamics);
  heft_dynamics_mass_matrix(s->dynamics, s->mass);
  double* rows = s->mass + (long)s->free_dof * nv;
  for (long i = 0; i < 3L * nv; ++i) rows[i] /= s->total;
  const HeftVec3 com = heft_dynamics_center_of_mass(s->dynamics, s->root);
  return add_rows(s, rows, heft_vec3_sub(t->pos, com), t->move);
}

static double add_target(HeftPoseSolver* s, const HeftPoseTarget* t) {
  if (t->body < 0) return add_com(s, t);
  const HeftPose pose = heft_dynamics_body_pose(s->dynamics, t->body);
  const HeftVec3 at = heft_pose_apply(pose, t->point);
  heft_dynamics_body_jacobian(s->dynamics, t->body, at, s->jacobian);
  double error = add_rows(s, s->jacobian + 3L * s->model->nv, heft_vec3_sub(t->pos, at), t->move);
  if (t->turn > 0) {
    const HeftQuat is = heft_quat_from_mat3(pose.rot);
    const HeftVec3 e = heft_quat_log(heft_quat_mul(t->quat, heft_quat_conjugate(is)));
    error += add_rows(s, s->jacobian, e, heft_vec3(t->turn, t->turn, t->turn));
  }
  return error;
}

// Error at q, with h and g of its square.
static double look(HeftPoseSolver* s, const HeftPoseTarget* targets, int count, const double* q) {
  const size_t nv = (size_t)s->model->nv;
  memset(s->h, 0, nv * nv * sizeof(double));
  memset(s->g, 0, nv * sizeof(double));
  heft_dynamics_kinematics(s->dynamics, q);
  double error = 0;
  for (int i = 0; i < count; ++i) error += add_target(s, &targets[i]);
  return error;
}

// One round from where look() was. Returns the largest change of a dof; 0: there is none.
static double advance(HeftPoseSolver* s, double error, double* q) {
  const int nv = s->model->nv;
  for (int i = 0; i < nv; ++i) s->h[(long)i * (nv + 1)] += s->moves[i] ? 0.5 * error + ease : 1;
  memcpy(s->step, s->g, (size_t)nv * sizeof(double));
  if (heft_cholesky_factor(nv, s->h, nv) != 0) return 0;
  heft_cholesky_solve(nv, s->h, nv, s->step);
  double longest = 0;
  for (int i = 0; i < nv; ++i) longest = fmax(longest, fabs(s->step[i]));
  if (longest < 1e-13) return 0;
  const double share = longest > step_max ? step_max / longest : 1;
  for (int i = 0; i < nv; ++i) s->step[i] *= share;
  heft_q_integrate(s->model, q, s->step, 1, q);
  chain_clamp(s->model, q);
  return longest;
}

// Joints that are at a limit and are driven into it have no column.
static void fix_limits(HeftPoseSolver* s, const double* q) {
  const HeftModel* m = s->model;
  const long nv = m->nv;
  for (int j = 0; j < m->njoint; ++j) {
    const int i = m->joint_dof[j];
    if (!joint_is_scalar(m->joint_type[j]) || !m->dof_limited[i]) continue;
    const double *range = m->dof_range + 2L * i, x = q[m->joint_q[j]];
    if (!(x <= range[0] && s->g[i] < 0) && !(x >= range[1] && s->g[i] > 0)) continue;
    s->g[i] = 0;
    for (long k = 0; k <= i; ++k) s->h[i * nv + k] = 0;
    for (long k = i; k < nv; ++k) s->h[k * nv + i] = 0;
  }
}

double heft_pose_solver_step(HeftPoseSolver* s, const HeftPoseTarget* targets, int count,
                             double* q) {
  HEFT_REQUIRE(s && q && count >= 0 && (targets || count == 0), 0);
  const double error = look(s, targets, count, q);
  fix_limits(s, q);
  advance(s, error, q);
  return sqrt(error);
}

double heft_pose_solver_solve(HeftPoseSolver* s, const HeftPoseTarget* targets, int count,
                              double* q) {
  HEFT_REQUIRE(s && q && count >= 0 && (targets || count == 0), 0);
  double error = look(s, targets, count, q);
  for (int round = 0; round < ROUNDS_MAX && error > enough; ++round) {
    if (!(advance(s, error, q) > 0)) break;
    error = look(s, targets, count, q);
  }
  return sqrt(error);
}
