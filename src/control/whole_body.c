// SPDX-License-Identifier: Apache-2.0
// Whole-body inverse dynamics.
//
// The unknowns are the accelerations a of a robot's joints and the forces λ of its contacts:
//     min ½ Σ w (J a + J̇ v - ẍ)² + ½ ε |a|² + ½ ρ |λ|²,   λ in its friction cones,
// such that the rows of the free root, which no motor drives, hold exactly:
//     M_b a + h_b = G λ,   G the rows of Σ Jᵀ there.
// With H = Σ w JᵀJ + ε and g = Σ w Jᵀ (ẍ - J̇ v) the desired accelerations by themselves are
// a₀ = H⁻¹ g. The constraint moves them by H⁻¹ M_bᵀ W⁻¹ (G λ - d), d = h_b + M_b a₀,
// W = M_b H⁻¹ M_bᵀ, at the cost ½ (G λ - d)ᵀ W⁻¹ (G λ - d). With W = C Cᵀ the remaining
// problem distributes a wrench to contacts,
//     min ½ |C⁻¹ G λ - C⁻¹ d|² + ½ ρ |λ|²,
// which force_share.c solves. Torques follow from the other rows: τ = M a + h - Σ Jᵀ λ.
//
// The centre of mass needs no Jacobian of its own: the first three rows of M, for the free joint's
// translations, are the momentum of the whole tree, so J_com = M_{0..2} / m, and its bias comes
// from the same rows of h. Joints without a motor (flexible ankles) have no column: they are
// treated as rigid, and their springs carry the static load of the leg.
#include <heft/control.h>
#include <string.h>

#include "base/assert.h"
#include "base/def.h"
#include "control/chain.h"
#include "control/force_share.h"
#include "control/part.h"
#include "math/dense.h"

typedef struct SolePoint {
  int body;
  HeftVec3 point;
  HeftMat3 frame;  ///< columns: normal, two tangents
} SolePoint;

struct HeftWholeBody {
  HeftWholeBodyDef def;
  const HeftModel* model;
  HeftDynamics* dynamics;
  size_t memory_size;
  int dof, dof_count;          ///< of the robot's tree
  int columns;                 ///< driven dofs, and the dofs of the free root
  int root_dofs;               ///< 6 with a free root, else 0
  int* column_dof;             ///< columns: the dof
  double* v;                   ///< nv
  double* bias;                ///< nv: h
  double* mass;                ///< nv x nv
  double* jacobian;            ///< 6 x nv
  double* h;                   ///< columns x columns
  double* g;                   ///< columns
  double* a;                   ///< nv
  double* lift;                ///< 6 x columns: H⁻¹ M_bᵀ, row by row
  double* share;               ///< 6 x 3 contact_capacity
  double *mu, *weight;         ///< contact_capacity
  double* lambda;              ///< 3 contact_capacity
  SolePoint* sole_point;       ///< contact_capacity
  double y[FORCE_SHARE_ROWS];  ///< multipliers of the last problem, the start of the next
  int sole_points;
  int biased;  ///< heft_dynamics_rnea() was done
  double total_mass;
};

void heft_whole_body_def_init(HeftWholeBodyDef* def, uint32_t cookie) {
  if (!HEFT_DEF_STAMP(HeftWholeBodyDef, def, cookie)) return;
  *def = (HeftWholeBodyDef){.cookie = cookie,
                            .allocator = heft_allocator_default(),
                            .root = -1,
                            .contact_capacity = 24,
                            .force_weight = 1e-6,
                            .regularisation = 1e-5};
}

// ---- memory

static void place(void* part, Arena* arena) {
  HeftWholeBody* b = part;
  const int nv = b->model->nv, max = b->def.contact_capacity, n = b->dof_count;
  b->column_dof = arena_take(arena, n, int);
  b->v = arena_take(arena, nv, double);
  b->bias = arena_take(arena, nv, double);
  b->mass = arena_take(arena, (long)nv * nv, double);
  b->jacobian = arena_take(arena, 6L * nv, double);
  b->h = arena_take(arena, (long)n * n, double);
  b->g = arena_take(arena, n, double);
  b->a = arena_take(arena, nv, double);
  b->lift = arena_take(arena, 6L * n, double);
  b->share = arena_take(arena, 18L * max, double);
  b->mu = arena_take(arena, max, double);
  b->weight = arena_take(arena, max, double);
  b->lambda = arena_take(arena, 3L * max, double);
  b->sole_point = arena_take(arena, max, SolePoint);
}

static int find_root(const HeftModel* m, int root) {
  if (root >= 0) return root;
  for (int j = 0; j < m->njoint; ++j)
    if (m->joint_type[j] == HEFT_JOINT_FREE) return m->joint_body[j];
  return m->nbody > 1 ? 1 : -1;
}

// The dofs of a tree lie side by side, since its bodies do.
static void find_dofs(HeftWholeBody* b, int root) {
  const HeftModel* m = b->model;
  b->dof = m->nv;
  for (int i = 0; i < m->nv; ++i) {
    if (!chain_hangs_on(m, m->joint_body[m->dof_joint[i]], root)) continue;
    if (b->dof_count++ == 0) b->dof = i;
  }
  for (int i = root; i < m->nbody; ++i)
    if (chain_hangs_on(m, i, root)) b->total_mass += m->body_mass[i];
}

static int is_driven(const HeftModel* m, int dof) {
  for (int i = 0; i < m->nactuator; ++i)
    if (m->actuator_transmission[i] == HEFT_TRANSMISSION_JOINT &&
        m->actuator_target[i] == m->dof_joint[dof])
      return 1;
  return 0;
}

static void find_columns(HeftWholeBody* b) {
  const HeftModel* m = b->model;
  for (int i = b->dof; i < b->dof + b->dof_count; ++i) {
    const int free = m->joint_type[m->dof_joint[i]] == HEFT_JOINT_FREE;
    b->root_dofs += free;
    if (free || is_driven(m, i)) b->column_dof[b->columns++] = i;
  }
}

HeftStatus heft_whole_body_create(HeftWholeBody** out, const HeftModel* model,
                                  const HeftWholeBodyDef* def, HeftError* error) {
  HEFT_REQUIRE(out, HEFT_ERR_ARGUMENT);
  *out = NULL;
  HEFT_REQUIRE(model, HEFT_ERR_ARGUMENT);
  HeftStatus status = HEFT_DEF_CHECK(HeftWholeBodyDef, heft_whole_body_def_default, def, error);
  if (status != HEFT_OK) return status;
  HeftWholeBody made = {.model = model};
  made.def = def ? *def : heft_whole_body_def_default();
  made.def.root = find_root(model, made.def.root);
  if (made.def.root < 1 || made.def.root >= model->nbody)
    return heft_error_set(error, HEFT_ERR_VALUE, "the model has no body for a robot's root");
  find_dofs(&made, made.def.root);
  const HeftAllocator* allocator = &made.def.allocator;
  HeftWholeBody* b = part_make(allocator, &made, sizeof made, place, &made.memory_size,
                               "a whole-body controller", error);
  if (!b) return HEFT_ERR_MEMORY;
  find_columns(b);
  status = heft_dynamics_create(&b->dynamics, model, allocator, error);
  if (status != HEFT_OK) {
    heft_whole_body_destroy(b);
    return status;
  }
  *out = b;
  return HEFT_OK;
}

void heft_whole_body_destroy(HeftWholeBody* b) {
  if (!b) return;
  const HeftAllocator allocator = b->def.allocator;
  heft_dynamics_destroy(b->dynamics);
  allocator.release(allocator.user, b, b->memory_size);
}

// ---- the problem

void heft_whole_body_begin(HeftWholeBody* b, const double* q, const double* v) {
  HEFT_REQUIRE_VOID(b && q && v);
  const int n = b->columns;
  memcpy(b->v, v, (size_t)b->model->nv * sizeof(double));
  heft_dynamics_clear_wrenches(b->dynamics);
  heft_dynamics_kinematics(b->dynamics, q);
  heft_dynamics_velocities(b->dynamics, v);
  heft_dynamics_crba(b->dynamics);
  heft_dynamics_mass_matrix(b->dynamics, b->mass);
  memset(b->h, 0, (size_t)n * (size_t)n * sizeof(double));
  memset(b->g, 0, (size_t)n * sizeof(double));
  for (int i = 0; i < n; ++i) b->h[i * (n + 1)] = b->def.regularisation;
  b->sole_points = 0;
  b->biased = 0;
}

const HeftDynamics* heft_whole_body_dynamics(const HeftWholeBody* b) {
  HEFT_REQUIRE(b, NULL);
  return b->dynamics;
}
void heft_whole_body_memory(const HeftWholeBody* b, double* numbers) {
  HEFT_REQUIRE_VOID(b && numbers);
  memcpy(numbers, b->y, sizeof b->y);
}

void heft_whole_body_set_memory(HeftWholeBody* b, const double* numbers) {
  HEFT_REQUIRE_VOID(b && numbers);
  memcpy(b->y, numbers, sizeof b->y);
}

double heft_whole_body_mass(const HeftWholeBody* b) {
  HEFT_REQUIRE(b, 0);
  return b->total_mass;
}

HeftVec3 heft_whole_body_com(const HeftWholeBody* b, HeftVec3* velocity) {
  HEFT_REQUIRE(b, ((HeftVec3){0}));
  const HeftVec3 com = heft_dynamics_center_of_mass(b->dynamics, b->def.root);
  if (velocity)
    *velocity = heft_vec3_scale(1 / b->total_mass,
                                heft_dynamics_momentum(b->dynamics, b->def.root, com).lin);
  return com;
}

void heft_whole_body_add_wrench(HeftWholeBody* b, int on, HeftVec3 point, HeftVec3 force,
                                HeftVec3 torque) {
  HEFT_REQUIRE_VOID(b && on >= 0 && on < b->model->nbody && !b->biased);
  heft_dynamics_add_wrench(b->dynamics, on, point, force, torque);
}

// h and all J̇ v, once all wrenches are known.
static void need_bias(HeftWholeBody* b) {
  if (b->biased) return;
  heft_dynamics_rnea(b->dynamics, b->v, NULL, b->bias);
  b->biased = 1;
}

// H += w jᵀj, g += w jᵀ x for one row j over the dofs of the whole model.
static void want_row(HeftWholeBody* b, const double* row, double x, double w) {
  const int n = b->columns;
  if (w <= 0) return;
  for (int i = 0; i < n; ++i) {
    const double ji = row[b->column_dof[i]];
    if (ji == 0) continue;
    b->g[i] += w * ji * x;
    for (int k = 0; k <= i; ++k) b->h[i * n + k] += w * ji * row[b->column_dof[k]];
  }
}

static void want_rows(HeftWholeBody* b, const double* rows, HeftVec3 x, HeftVec3 w) {
  const int nv = b->model->nv;
  want_row(b, rows, x.x, w.x);
  want_row(b, rows + nv, x.y, w.y);
  want_row(b, rows + 2L * nv, x.z, w.z);
}

// The bias of h holds the wrenches too: they are no part of J̇ v, so they are added back.
void heft_whole_body_add_com_task(HeftWholeBody* b, HeftVec3 acc, HeftVec3 weight) {
  HEFT_REQUIRE_VOID(b && b->root_dofs == 6);
  need_bias(b);
  const HeftModel* m = b->model;
  const double *g = m->physics.gravity, share = 1 / b->total_mass;
  const double wanted[3] = {acc.x, acc.y, acc.z}, w[3] = {weight.x, weight.y, weight.z};
  double* outside = b->jacobian;  // wrenches at the joints
  memset(outside, 0, (size_t)m->nv * sizeof(double));
  heft_dynamics_wrenches_to_joints(b->dynamics, outside);
  for (int k = 0; k < 3; ++k) {
    const int dof = b->dof + k;
    const double drift = (b->bias[dof] + outside[dof]) * share + g[k];
    double* row = b->jacobian + 3L * m->nv;
    for (int i = 0; i < m->nv; ++i) row[i] = share * b->mass[(long)dof * m->nv + i];
    want_row(b, row, wanted[k] - drift, w[k]);
  }
}

void heft_whole_body_add_point_task(HeftWholeBody* b, int of, HeftVec3 point, HeftVec3 acc,
                                    HeftVec3 weight) {
  HEFT_REQUIRE_VOID(b && of >= 0 && of < b->model->nbody);
  need_bias(b);
  heft_dynamics_body_jacobian(b->dynamics, of, point, b->jacobian);
  const HeftVec3 drift = heft_dynamics_body_acceleration(b->dynamics, of, point).lin;
  want_rows(b, b->jacobian + 3L * b->model->nv, heft_vec3_sub(acc, drift), weight);
}

void heft_whole_body_add_rotation_task(HeftWholeBody* b, int of, HeftVec3 acc, HeftVec3 weight) {
  HEFT_REQUIRE_VOID(b && of >= 0 && of < b->model->nbody);
  need_bias(b);
  const HeftVec3 point = heft_dynamics_body_pose(b->dynamics, of).pos;
  heft_dynamics_body_jacobian(b->dynamics, of, point, b->jacobian);
  const HeftVec3 drift = heft_dynamics_body_acceleration(b->dynamics, of, point).ang;
  want_rows(b, b->jacobian, heft_vec3_sub(acc, drift), weight);
}

void heft_whole_body_add_dof_task(HeftWholeBody* b, int dof, double acc, double weight) {
  HEFT_REQUIRE_VOID(b && dof >= 0 && dof < b->model->nv);
  for (int i = 0; i < b->columns; ++i) {
    if (b->column_dof[i] != dof) continue;
    b->h[i * (b->columns + 1)] += weight;
    b->g[i] += weight * acc;
  }
}

int heft_whole_body_add_contact(HeftWholeBody* b, int on, HeftVec3 point, HeftVec3 normal,
                                double friction, double share) {
  HEFT_REQUIRE(b && on >= 0 && on < b->model->nbody && share > 0 && friction >= 0, -1);
  if (b->sole_points == b->def.contact_capacity) return -1;
  HeftVec3 t1, t2;
  heft_vec3_tangents(normal, &t1, &t2);
  const int i = b->sole_points++;
  b->sole_point[i] =
      (SolePoint){.body = on, .point = point, .frame = heft_mat3_from_columns(normal, t1, t2)};
  b->mu[i] = friction;
  b->weight[i] = b->def.force_weight / share;
  return i;
}

// ---- the solution

// The force at a dof of a unit force along an axis.
static double push(const double* jacobian, int nv, int dof, HeftVec3 axis) {
  return axis.x * jacobian[3L * nv + dof] + axis.y * jacobian[4L * nv + dof] +
         axis.z * jacobian[5L * nv + dof];
}

static void fill_shares(HeftWholeBody* b) {
  const int nv = b->model->nv, width = 3 * b->sole_points;
  for (int i = 0; i < b->sole_points; ++i) {
    const SolePoint* t = &b->sole_point[i];
    heft_dynamics_body_jacobian(b->dynamics, t->body, t->point, b->jacobian);
    for (int r = 0; r < b->root_dofs; ++r)
      for (int k = 0; k < 3; ++k)
        b->share[r * width + 3 * i + k] =
            push(b->jacobian, nv, b->dof + r, heft_mat3_column(t->frame, k));
  }
}

// C x = b in place, C lower triangular, for `many` right-hand sides side by side.
static void forward(int n, const double* c, int many, double* x) {
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < i; ++k)
      for (int j = 0; j < many; ++j) x[i * many + j] -= c[i * n + k] * x[k * many + j];
    for (int j = 0; j < many; ++j) x[i * many + j] /= c[i * (n + 1)];
  }
}

// W = M_b H⁻¹ M_bᵀ = C Cᵀ, lift = H⁻¹ M_bᵀ, d = h_b + M_b a₀ (a₀ in g). Returns 0 if singular.
static int root_rows(HeftWholeBody* b, double* c, double* d) {
  const int n = b->columns, nv = b->model->nv, rows = b->root_dofs;
  for (int r = 0; r < rows; ++r) {
    const double* m = b->mass + (long)(b->dof + r) * nv;
    double* x = b->lift + (long)r * n;
    d[r] = b->bias[b->dof + r];
    for (int i = 0; i < n; ++i) {
      x[i] = m[b->column_dof[i]];
      d[r] += x[i] * b->g[i];
    }
    heft_cholesky_solve(n, b->h, n, x);
  }
  for (int r = 0; r < rows; ++r) {
    const double* m = b->mass + (long)(b->dof + r) * nv;
    for (int s = 0; s < rows; ++s) {
      c[r * rows + s] = 0;
      for (int i = 0; i < n; ++i) c[r * rows + s] += m[b->column_dof[i]] * b->lift[s * n + i];
    }
  }
  return heft_cholesky_factor(rows, c, rows) == 0;
}

// Forces, and the remaining accelerations in g.
static int share_out(HeftWholeBody* b) {
  const int n = b->columns, rows = b->root_dofs, width = 3 * b->sole_points;
  double c[36], d[6], left[6];
  if (!root_rows(b, c, d)) return 0;
  fill_shares(b);
  forward(rows, c, width, b->share);
  forward(rows, c, 1, d);
  const ForceShare problem = {
      .count = b->sole_points, .rows = rows, .a = b->share, .b = d, .mu = b->mu, .r = b->weight};
  heft_force_share(&problem, b->y, b->lambda);
  for (int r = 0; r < rows; ++r) {
    left[r] = -d[r];
    for (int k = 0; k < width; ++k) left[r] += b->share[r * width + k] * b->lambda[k];
  }
  for (int r = rows - 1; r >= 0; --r) {  // Cᵀ
    for (int k = r + 1; k < rows; ++k) left[r] -= c[k * rows + r] * left[k];
    left[r] /= c[r * (rows + 1)];
  }
  for (int r = 0; r < rows; ++r)
    for (int i = 0; i < n; ++i) b->g[i] += b->lift[r * n + i] * left[r];
  return 1;
}

// τ = M a + h - Σ Jᵀ λ, and the forces of dampers.
static void find_torques(HeftWholeBody* b, double* tau) {
  const HeftModel* m = b->model;
  const int nv = m->nv;
  for (int i = b->root_dofs; i < b->columns; ++i) {
    const int dof = b->column_dof[i];
    double sum = b->bias[dof] + m->dof_damping[dof] * b->v[dof];
    for (int k = b->dof; k < b->dof + b->dof_count; ++k)
      sum += b->mass[(long)dof * nv + k] * b->a[k];
    tau[dof] = sum;
  }
  for (int t = 0; t < b->sole_points; ++t) {
    const HeftVec3 f = heft_whole_body_force(b, t);
    heft_dynamics_body_jacobian(b->dynamics, b->sole_point[t].body, b->sole_point[t].point,
                                b->jacobian);
    for (int i = b->root_dofs; i < b->columns; ++i)
      tau[b->column_dof[i]] -= push(b->jacobian, nv, b->column_dof[i], f);
  }
}

HeftStatus heft_whole_body_solve(HeftWholeBody* b, double* tau) {
  HEFT_REQUIRE(b && tau, HEFT_ERR_ARGUMENT);
  const int n = b->columns;
  need_bias(b);
  memset(tau, 0, (size_t)b->model->nv * sizeof(double));
  memset(b->a, 0, (size_t)b->model->nv * sizeof(double));
  if (heft_cholesky_factor(n, b->h, n) != 0) return HEFT_ERR_SINGULAR;
  heft_cholesky_solve(n, b->h, n, b->g);
  if (b->root_dofs > 0 && !share_out(b)) return HEFT_ERR_SINGULAR;
  for (int i = 0; i < n; ++i) b->a[b->column_dof[i]] = b->g[i];
  find_torques(b, tau);
  return HEFT_OK;
}

const double* heft_whole_body_acceleration(const HeftWholeBody* b) {
  HEFT_REQUIRE(b, NULL);
  return b->a;
}

HeftVec3 heft_whole_body_force(const HeftWholeBody* b, int contact) {
  HEFT_REQUIRE(b, ((HeftVec3){0}));
  HEFT_REQUIRE(contact >= 0 && contact < b->sole_points, ((HeftVec3){0}));
  return heft_mat3_mul_vec(b->sole_point[contact].frame, heft_vec3_from(b->lambda + 3L * contact));
}

void heft_model_torques_to_controls(const HeftModel* m, const double* tau, double* controls) {
  HEFT_REQUIRE_VOID(m && tau && controls);
  for (int i = 0; i < m->nactuator; ++i) {
    if (m->actuator_transmission[i] != HEFT_TRANSMISSION_JOINT) continue;
    const int joint = m->actuator_target[i];
    const int count = heft_joint_type_dof_count(m->joint_type[joint]);
    for (int k = 0; k < count; ++k) {
      const double gear = m->actuator_gear[6L * i + k];
      if (gear == 0) continue;
      double u = tau[m->joint_dof[joint] + k] / (gear * m->actuator_gain[i]);
      if (m->actuator_control_limited[i]) {
        const double* range = m->actuator_control_range + 2L * i;
        u = u < range[0] ? range[0] : u > range[1] ? range[1] : u;
      }
      controls[i] = u;
    }
  }
}
