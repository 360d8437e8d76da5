// SPDX-License-Identifier: Apache-2.0
// Papers: R51.
// Looking at a point.
//
// The site's x axis x should point along d, from the site to the point. The missing rotation is the
// vector e along x × d, with the angle as length. The neck's joints, with axes s_i, make the
// rotation Σ s_i q̇_i; its part about x itself is free. So the smallest motion that turns x to d
// solves (Aᵀ A + ε) Δq = Aᵀ e, where A holds the axes without their parts along x.
#include <heft/control.h>
#include <string.h>

#include "base/allocator.h"
#include "base/assert.h"
#include "control/chain.h"
#include "control/part.h"
#include "math/dense.h"
#include "math/scalar.h"

enum { DOFS_MAX = 12 };
static const double ease = 1e-4;

struct HeftGaze {
  HeftAllocator allocator;
  const HeftModel* model;
  size_t memory_size;
  int site, base, count, dof[DOFS_MAX];
  double speed;
  double* jacobian;  ///< 6 x nv
  double* turn;      ///< nv
  double* next;      ///< nq
};

static void place(void* part, Arena* arena) {
  HeftGaze* g = part;
  g->jacobian = arena_take(arena, 6L * g->model->nv, double);
  g->turn = arena_take(arena, g->model->nv, double);
  g->next = arena_take(arena, g->model->nq, double);
}

static int find_base(const HeftModel* m, int site, int base) {
  const int body = m->site_body[site], chest = heft_model_find(m, HEFT_NAMED_BODY, "chest");
  if (base >= 0) return base;
  if (chest > 0 && chest != body && chain_hangs_on(m, body, chest)) return chest;
  return m->body_parent[body];
}

HeftStatus heft_gaze_create(HeftGaze** out, const HeftModel* model, int site, int base,
                            double speed, const HeftAllocator* allocator, HeftError* error) {
  HEFT_REQUIRE(out, HEFT_ERR_ARGUMENT);
  *out = NULL;
  HEFT_REQUIRE(model, HEFT_ERR_ARGUMENT);
  if (site < 0 || site >= model->nsite || base >= model->nbody || !(speed > 0))
    return heft_error_set(error, HEFT_ERR_VALUE,
                          "gaze needs a site of the model and a speed above zero");
  HeftGaze made = {.model = model, .site = site, .speed = speed};
  made.allocator = allocator_or_default(allocator);
  made.base = find_base(model, site, base);
  for (int i = 0; i < model->nv && made.count < DOFS_MAX; ++i)
    if (chain_moves(model, i, model->site_body[site], made.base)) made.dof[made.count++] = i;
  if (made.count == 0)
    return heft_error_set(error, HEFT_ERR_VALUE, "nothing turns the site against the base");
  HeftGaze* g =
      part_make(&made.allocator, &made, sizeof made, place, &made.memory_size, "gaze", error);
  if (!g) return HEFT_ERR_MEMORY;
  *out = g;
  return HEFT_OK;
}

void heft_gaze_destroy(HeftGaze* g) {
  if (g) g->allocator.release(g->allocator.user, g, g->memory_size);
}

// The least turn of the joints that makes the turn e of the site, as far as it is not about x.
static void find_turn(HeftGaze* g, HeftVec3 x, HeftVec3 e, double* turn) {
  double a[DOFS_MAX][3], h[DOFS_MAX * DOFS_MAX];
  const int n = g->count, nv = g->model->nv;
  for (int i = 0; i < n; ++i) {
    const double* j = g->jacobian + g->dof[i];
    const HeftVec3 s = heft_vec3(j[0], j[nv], j[2L * nv]);
    const HeftVec3 across = heft_vec3_add_scaled(s, -heft_vec3_dot(s, x), x);
    a[i][0] = across.x;
    a[i][1] = across.y;
    a[i][2] = across.z;
    turn[i] = heft_vec3_dot(across, e);
  }
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < n; ++k)
      h[i * n + k] =
          a[i][0] * a[k][0] + a[i][1] * a[k][1] + a[i][2] * a[k][2] + (i == k ? ease : 0);
  if (heft_cholesky_factor(n, h, n) == 0) heft_cholesky_solve(n, h, n, turn);
}

double heft_gaze_step(HeftGaze* g, const HeftDynamics* d, const double* q, HeftVec3 point,
                      double dt, double* posture) {
  HEFT_REQUIRE(g && d && q && posture && dt > 0, 0);
  const HeftModel* m = g->model;
  const HeftPose eye = heft_dynamics_site_pose(d, g->site);
  const HeftVec3 x = heft_mat3_column(eye.rot, 0);
  const HeftVec3 to = heft_vec3_normalize(heft_vec3_sub(point, eye.pos));
  const HeftVec3 e = heft_quat_log(heft_quat_between(x, to));
  double turn[DOFS_MAX];
  heft_dynamics_body_jacobian(d, m->site_body[g->site], eye.pos, g->jacobian);
  find_turn(g, x, e, turn);
  // From the present pose, but no faster from the last target than the speed allows.
  memset(g->turn, 0, (size_t)m->nv * sizeof(double));
  for (int i = 0; i < g->count; ++i) g->turn[g->dof[i]] = turn[i];
  heft_q_integrate(m, q, g->turn, 1, g->next);
  heft_q_difference(m, posture, g->next, g->turn);
  double wanted[DOFS_MAX];
  for (int i = 0; i < g->count; ++i) {
    const double max = g->speed * dt, way = g->turn[g->dof[i]];
    wanted[i] = heft_clamp(way, -max, max);
  }
  memset(g->turn, 0, (size_t)m->nv * sizeof(double));
  for (int i = 0; i < g->count; ++i) g->turn[g->dof[i]] = wanted[i];
  heft_q_integrate(m, posture, g->turn, 1, posture);
  chain_clamp(m, posture);
  return heft_vec3_norm(e);
}
