// SPDX-License-Identifier: Apache-2.0
// Papers: U4.
// From row to row: what must act on each dof, and what the rows show without forces.
//
// With a = (v⁺ - v) / h, contacts must give the joint forces M a + b - τ, where τ are springs,
// dampers, actuators and known wrenches. Both ends of the step are computed; the interval of
// inertia forces and the interval of τ are added, so that any mixture of a scheme lies inside.
// Unknown forces that act on one dof widen its interval: a joint at its limit by a half line, dry
// friction by ±f, an actuator without a known force by its force range. Dofs of loops and tendons
// are open.
#include "judge/referee.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "judge/referee_parts.h"

static const double value_max = 1e9;  // beyond it, squares would not be finite
static const double step_min = 1e-9;  // of times [s]
// Shares of a body's acceleration that may be unexplained: places and axes move within a step.
static const double steady_share = 0.02, impact_share = 0.1;
static const double reach = 10;          // times `touch`: points that a step may bring to touch
static const double range_slack = 1e-3;  // of joint ranges [m, rad]

static const struct {
  const char *word, *unit, *meaning;
} kinds[REFEREE_KIND_COUNT] = {
#define KIND(id, word, unit, meaning) {word, unit, meaning},
    REFEREE_LIST(KIND)
#undef KIND
};

const char* referee_word(RefereeKind kind) { return kinds[kind].word; }
const char* referee_unit(RefereeKind kind) { return kinds[kind].unit; }
const char* referee_meaning(RefereeKind kind) { return kinds[kind].meaning; }

RefereeDef referee_def_default(void) {
  return (RefereeDef){
      .touch = 1e-3, .overlap = 2e-3, .creep = 1e-5, .momentum = 2e-3, .motion = 1e-3};
}

const RefereeReport* referee_report(const Referee* r) { return &r->report; }

void referee_find(Referee* r, RefereeKind kind, int a, int b, double value, double open) {
  RefereeReport* out = &r->report;
  RefereeFinding* f = NULL;
  for (int i = 0; i < out->finding_count && !f; ++i)
    if (out->finding[i].kind == kind && out->finding[i].a == a && out->finding[i].b == b)
      f = &out->finding[i];
  if (!r->broken && ++out->broken == 1) out->broken_first = r->time[r->now];
  if (!(r->broken >> kind & 1)) ++out->broken_law[kind];
  r->broken |= 1 << kind;
  if (!f && out->finding_count == REFEREE_FINDINGS) {
    ++out->more;
    return;
  }
  const double time = r->time[r->now];
  if (!f) {
    f = &out->finding[out->finding_count++];
    *f = (RefereeFinding){.kind = kind, .a = a, .b = b, .first = time};
  }
  ++f->rows;
  f->sum += value;
  f->confidence = fmax(f->confidence, value / (value + open));
  if (value > f->worst) {
    f->worst = value;
    f->at = time;
  }
}

// ---- memory

static void find_trees(Referee* r) {
  const HeftModel* m = r->m;
  for (int b = 1; b < m->nbody; ++b) {
    const int parent = m->body_parent[b];
    const int joined = m->body_joint_count[b] > 0, moved = m->body_moved[b] >= 0;
    r->link[b] = joined || moved ? b : r->link[parent];
    r->tree[b] = r->tree[parent] ? r->tree[parent] : joined ? b : 0;
  }
  for (int i = 0; i < m->nconveyor; ++i) r->belt[m->shape_body[m->conveyor_shape[i]]] = 1;
}

static void open_branch(Referee* r, int body) {
  for (int b = body; b > 0; b = r->m->body_parent[b])
    for (int j = 0; j < r->m->body_joint_count[b]; ++j) {
      const int joint = r->m->body_joint[b] + j;
      for (int k = 0; k < heft_joint_type_dof_count(r->m->joint_type[joint]); ++k)
        r->open[r->m->joint_dof[joint] + k] = 1;
    }
}

// Dofs on which loops, tendons or deformable bodies act.
static void find_open(Referee* r) {
  const HeftModel* m = r->m;
  for (int i = 0; i < m->nequality; ++i)
    for (int k = 0; k < 2; ++k) {
      const int object = m->equality_object[2L * i + k];
      const HeftEqualityType type = m->equality_type[i];
      if (type == HEFT_EQUALITY_CONNECT || type == HEFT_EQUALITY_WELD) open_branch(r, object);
      if (type == HEFT_EQUALITY_JOINT && object >= 0) r->open[m->joint_dof[object]] = 1;
    }
  for (int i = 0; i < m->nv && (m->ntendon > 0 || m->ndeformable > 0); ++i) r->open[i] = 1;
  for (int i = 0; i < m->nv; ++i) r->report.open_dofs += r->open[i];
}

static HeftStatus take_memory(Referee* r) {
  const size_t nv = (size_t)r->m->nv + 1, nq = (size_t)r->m->nq + 1, nb = (size_t)r->m->nbody;
  double** rows[] = {&r->v[0], &r->v[1],    &r->lo,      &r->hi,      &r->free_lo, &r->free_hi,
                     &r->a,    &r->work[0], &r->work[1], &r->work[2], &r->work[3]};
  int good = 1;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
    good &= (*rows[i] = calloc(nv, sizeof(double))) != NULL;
  for (int i = 0; i < 2; ++i) {
    good &= (r->q[i] = calloc(nq, sizeof(double))) != NULL;
    good &= (r->pose[i] = calloc(nb, sizeof *r->pose[i])) != NULL;
    good &= (r->point[i] = calloc(REFEREE_POINTS, sizeof *r->point[i])) != NULL;
  }
  good &= (r->reached = calloc(nq, sizeof(double))) != NULL;
  good &= (r->lin_e = calloc(nb, sizeof(double))) != NULL;
  good &= (r->lin_a = calloc(nb, sizeof(double))) != NULL;
  good &= (r->arm = calloc(6 * nv, sizeof(double))) != NULL;
  good &= (r->mass = calloc(nv * nv, sizeof(double))) != NULL;
  good &= (r->link = calloc(nb, sizeof(int))) != NULL;
  good &= (r->tree = calloc(nb, sizeof(int))) != NULL;
  good &= (r->island = calloc(nb, sizeof(int))) != NULL;
  good &= (r->open = calloc(nv, sizeof(int))) != NULL;
  good &= (r->belt = calloc(nb, sizeof(int))) != NULL;
  good &= (r->overlap = calloc(REFEREE_POINTS, sizeof *r->overlap)) != NULL;
  good &= (r->reach = reach_create(r->m)) != NULL;
  return good ? HEFT_OK : HEFT_ERR_MEMORY;
}

HeftStatus referee_create(Referee** out, const HeftModel* m, const RefereeDef* def,
                          HeftError* error) {
  HeftColliderDef settings = heft_collider_def_default();
  settings.margin = reach * def->touch;
  settings.points = 8;
  settings.contact_capacity = REFEREE_POINTS;
  *out = NULL;
  Referee* r = calloc(1, sizeof *r);
  if (!r) return heft_error_set(error, HEFT_ERR_MEMORY, "no memory for the referee");
  r->m = m;
  r->def = *def;
  HeftStatus status = take_memory(r);
  if (status != HEFT_OK) heft_error_set(error, status, "no memory for the referee");
  for (int i = 0; i < 2 && status == HEFT_OK; ++i)
    status = heft_dynamics_create(&r->d[i], m, NULL, error);
  if (status == HEFT_OK) status = heft_dynamics_create(&r->mixed, m, NULL, error);
  if (status == HEFT_OK) status = heft_collider_create(&r->collider, m, &settings, error);
  if (status != HEFT_OK) {
    referee_destroy(r);
    return status;
  }
  r->gravity = heft_vec3_norm(heft_vec3_from(m->physics.gravity));
  if (!(r->gravity > 0)) r->gravity = 1;
  find_trees(r);
  find_open(r);
  *out = r;
  return HEFT_OK;
}

void referee_destroy(Referee* r) {
  if (!r) return;
  double* const rows[] = {r->v[0], r->v[1],    r->lo,      r->hi,      r->free_lo, r->free_hi,
                          r->a,    r->work[0], r->work[1], r->work[2], r->work[3], r->q[0],
                          r->q[1], r->lin_e,   r->lin_a,   r->arm,     r->mass,    r->reached};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) free(rows[i]);
  for (int i = 0; i < 2; ++i) {
    free(r->pose[i]);
    free(r->point[i]);
    heft_dynamics_destroy(r->d[i]);
  }
  heft_dynamics_destroy(r->mixed);
  free(r->link);
  free(r->tree);
  free(r->island);
  free(r->open);
  free(r->belt);
  free(r->overlap);
  heft_collider_destroy(r->collider);
  reach_destroy(r->reach);
  free(r);
}

// ---- a row by itself

static void place(Referee* r, const RefereeRow* row) {
  const int now = r->now;
  HeftDynamics* d = r->d[now];
  heft_dynamics_set_moved(d, row->moved);
  heft_dynamics_kinematics(d, r->q[now]);
  heft_dynamics_velocities(d, r->v[now]);
  heft_dynamics_set_moved(r->mixed, row->moved);
  heft_dynamics_kinematics(r->mixed, r->q[now]);
  heft_dynamics_velocities(r->mixed, r->v[!now]);
  for (int b = 0; b < r->m->nbody; ++b) r->pose[now][b] = heft_dynamics_body_pose(d, b);
  heft_collider_update(r->collider, r->pose[now]);
  const HeftContactPoints found = heft_collider_collide(r->collider);
  r->point_count[now] = found.count < REFEREE_POINTS ? found.count : REFEREE_POINTS;
  memcpy(r->point[now], found.point, (size_t)r->point_count[now] * sizeof *found.point);
}

static double depth_at_start(const Referee* r, int a, int b) {
  for (int i = 0; i < r->overlap_count; ++i)
    if (r->overlap[i].a == a && r->overlap[i].b == b) return r->overlap[i].depth;
  return 0;
}

static void judge_overlap(Referee* r) {
  const HeftContactPoint* p = r->point[r->now];
  const int count = r->point_count[r->now];
  for (int i = 0; i < count; ++i) {  // points of a pair follow each other
    double depth = -p[i].gap;
    const int a = p[i].body_a, b = p[i].body_b;
    for (; i + 1 < count && p[i + 1].body_a == a && p[i + 1].body_b == b; ++i)
      depth = fmax(depth, -p[i + 1].gap);
    if (r->report.rows == 0 && depth > 0 && r->overlap_count < REFEREE_POINTS)
      r->overlap[r->overlap_count++] = (RefereeOverlap){a, b, depth};
    if (r->report.rows == 0) continue;
    depth -= depth_at_start(r, a, b);
    if (depth > r->def.overlap) referee_find(r, REFEREE_OVERLAP, a, b, depth, 0);
  }
}

static void judge_joints(Referee* r, const RefereeRow* row) {
  const HeftModel* m = r->m;
  for (int i = 0; i < m->nv; ++i) {
    const int joint = m->dof_joint[i];
    const HeftJointType type = m->joint_type[joint];
    if ((type != HEFT_JOINT_HINGE && type != HEFT_JOINT_SLIDE) || !m->dof_limited[i]) continue;
    const double x = r->q[r->now][m->joint_q[joint]];
    const double beyond = fmax(m->dof_range[2L * i] - x, x - m->dof_range[2L * i + 1]);
    if (beyond > range_slack) referee_find(r, REFEREE_RANGE, i, -1, beyond, 0);
  }
  for (int i = 0; i < m->nactuator && row->actuator; ++i) {
    if (!m->actuator_force_limited[i]) continue;
    const double *range = m->actuator_force_range + 2L * i, f = row->actuator[i];
    const double beyond = fmax(range[0] - f, f - range[1]);
    if (beyond > 1e-6 * fmax(fabs(range[0]), fabs(range[1])))
      referee_find(r, REFEREE_LIMIT, i, -1, beyond, 0);
  }
}

// ---- a step

// Displacements beyond the displacements by both velocities.
static void judge_motion(Referee* r) {
  const HeftModel* m = r->m;
  const double *v0 = r->v[!r->now], *v1 = r->v[r->now];
  double* moved = r->work[0];
  if (!r->known[0] || !r->known[1]) return;
  heft_q_difference(m, r->q[!r->now], r->q[r->now], moved);
  for (int b = 1; b < m->nbody; ++b) {
    double square = 0;
    if (r->tree[b] == 0) continue;
    for (int j = 0; j < m->body_joint_count[b]; ++j) {
      const int joint = m->body_joint[b] + j;
      for (int k = 0; k < heft_joint_type_dof_count(m->joint_type[joint]); ++k) {
        const int i = m->joint_dof[joint] + k;
        const double x = moved[i] / r->h, low = fmin(v0[i], v1[i]), high = fmax(v0[i], v1[i]);
        // axes that turn within the step; a scheme of a lower order
        const double open = 0.1 * (fabs(v0[i]) + fabs(v1[i])) + 0.5 * (high - low);
        const double beyond = fmax(0, fmax(low - x, x - high) - open);
        square += beyond * beyond;
      }
    }
    const double beyond = sqrt(square) * r->h;
    double turning = 0;  // of a body that spins, the axes of its velocity
    const HeftSpatial twist = heft_dynamics_body_velocity(r->d[r->now], b, r->pose[r->now][b].pos);
    turning = r->h * r->h * heft_vec3_norm(twist.ang) * heft_vec3_norm(twist.ang);
    if (beyond > r->def.motion + turning) referee_find(r, REFEREE_MOTION, b, -1, beyond, turning);
  }
}

static void add_pushes(const Referee* r, HeftDynamics* d, const HeftPose* pose,
                       const double* push) {
  heft_dynamics_clear_wrenches(d);
  for (int b = 1; b < r->m->nbody && push; ++b) {
    const double* w = push + 6L * b;
    if (r->tree[b] == 0) continue;
    const HeftVec3 com = heft_pose_apply(pose[b], heft_vec3_from(r->m->body_com + 3L * b));
    heft_dynamics_add_wrench(d, b, com, heft_vec3_from(w), heft_vec3_from(w + 3));
  }
}

// Dampers and actuators at one end of the step, springs at q.
static void passive_forces(Referee* r, int end, const double* q, const RefereeRow* row,
                           double* out) {
  const HeftModel* m = r->m;
  memset(out, 0, (size_t)m->nv * sizeof *out);
  heft_model_spring_forces(m, q, out);
  heft_dynamics_fluid_forces(r->d[end], r->v[end], out);
  for (int i = 0; i < m->nv; ++i) out[i] -= m->dof_damping[i] * r->v[end][i];
  for (int k = 0; k < m->nactuator && row->actuator; ++k) {
    heft_dynamics_actuator_length(r->d[end], k, r->q[end], r->arm);
    for (int i = 0; i < m->nv; ++i) out[i] += row->actuator[k] * r->arm[i];
  }
}

static void widen_by_limits(Referee* r) {
  const HeftModel* m = r->m;
  for (int i = 0; i < m->nv; ++i) {
    const int joint = m->dof_joint[i];
    const HeftJointType type = m->joint_type[joint];
    r->lo[i] -= m->dof_friction[i];
    r->hi[i] += m->dof_friction[i];
    if (r->open[i]) {
      r->lo[i] = -(double)INFINITY;
      r->hi[i] = (double)INFINITY;
    }
    if (!m->dof_limited[i]) continue;
    if (type != HEFT_JOINT_HINGE && type != HEFT_JOINT_SLIDE) {  // a cone of rotations
      r->lo[i] = -(double)INFINITY;
      r->hi[i] = (double)INFINITY;
      continue;
    }
    const double near = range_slack + 2 * r->h * fmax(fabs(r->v[0][i]), fabs(r->v[1][i]));
    const double *range = m->dof_range + 2L * i, x0 = r->q[0][m->joint_q[joint]],
                 x1 = r->q[1][m->joint_q[joint]];
    if (fmin(x0, x1) < range[0] + near) r->lo[i] = -(double)INFINITY;
    if (fmax(x0, x1) > range[1] - near) r->hi[i] = (double)INFINITY;
  }
}

// Actuators whose forces the log does not have.
static void widen_by_actuators(Referee* r) {
  const HeftModel* m = r->m;
  for (int k = 0; k < m->nactuator; ++k) {
    const double all = (double)INFINITY;
    const double* range = m->actuator_force_range + 2L * k;
    const double low = m->actuator_force_limited[k] ? range[0] : -all,
                 high = m->actuator_force_limited[k] ? range[1] : all;
    heft_dynamics_actuator_length(r->d[r->now], k, r->q[r->now], r->arm);
    for (int i = 0; i < m->nv; ++i) {
      const double arm = r->arm[i];
      if (arm == 0) continue;
      r->lo[i] -= arm > 0 ? arm * high : arm * low;
      r->hi[i] -= arm > 0 ? arm * low : arm * high;
    }
  }
}

// Bounds of the forces of springs, dampers and actuators. An implicit scheme evaluates springs
// where the velocity of the end leads from the start. It may move positions by a mean velocity:
// then this lies beyond both ends, by much for stiff springs.
static void passive_range(Referee* r, const RefereeRow* row, double* least, double* most) {
  const int now = r->now, nv = r->m->nv;
  const double* at[3] = {r->q[!now], r->q[now], r->reached};
  double* one = r->hi;
  heft_q_integrate(r->m, r->q[!now], r->v[now], r->h, r->reached);
  for (int k = 0; k < 3; ++k) {
    passive_forces(r, k == 0 ? !now : now, at[k], row, one);
    for (int i = 0; i < nv; ++i) {
      least[i] = k == 0 ? one[i] : fmin(least[i], one[i]);
      most[i] = k == 0 ? one[i] : fmax(most[i], one[i]);
    }
  }
}

static void needed_forces(Referee* r, const RefereeRow* row) {
  const int nv = r->m->nv;
  double *inertia[2] = {r->work[0], r->work[1]}, *least = r->work[2], *most = r->work[3];
  for (int i = 0; i < nv; ++i) r->a[i] = (r->v[r->now][i] - r->v[!r->now][i]) / r->h;
  passive_range(r, row, least, most);
  for (int end = 0; end < 2; ++end) {
    add_pushes(r, r->d[end], r->pose[end], row->push);
    heft_dynamics_rnea(r->d[end], r->v[end], r->a, inertia[end]);
    heft_dynamics_clear_wrenches(r->d[end]);
  }
  for (int i = 0; i < nv; ++i) {
    r->free_lo[i] = fmin(inertia[0][i], inertia[1][i]) - most[i];
    r->free_hi[i] = fmax(inertia[0][i], inertia[1][i]) - least[i];
    if (r->open[i]) {
      r->free_lo[i] = -(double)INFINITY;
      r->free_hi[i] = (double)INFINITY;
    }
    r->lo[i] = r->free_lo[i];
    r->hi[i] = r->free_hi[i];
  }
  if (r->m->nactuator > 0 && !row->actuator) {
    widen_by_actuators(r);
    memcpy(r->free_lo, r->lo, (size_t)nv * sizeof(double));
    memcpy(r->free_hi, r->hi, (size_t)nv * sizeof(double));
    ++r->report.without_forces;
  }
  widen_by_limits(r);
}

void referee_solve(Referee* r, double* x) {
  HeftDynamics* d = r->d[r->now];
  heft_dynamics_crba(d);
  if (heft_dynamics_factor(d, NULL) == HEFT_OK)
    heft_dynamics_solve(d, x);
  else
    memset(x, 0, (size_t)r->m->nv * sizeof *x);
}

void referee_accelerations(Referee* r, const double* a, double* out) {
  const HeftModel* m = r->m;
  HeftDynamics* d = r->d[r->now];
  heft_dynamics_velocities(d, a);
  for (int b = 1; b < m->nbody; ++b) {
    const HeftVec3 com = heft_pose_apply(r->pose[r->now][b], heft_vec3_from(m->body_com + 3L * b));
    const HeftSpatial x = heft_dynamics_body_velocity(d, b, com);
    const HeftVec3 w = heft_mat3_mul_vec(heft_mat3_transpose(r->pose[r->now][b].rot), x.ang);
    const double* i = m->body_inertia + 6L * b;
    const double turning = i[0] * w.x * w.x + i[1] * w.y * w.y + i[2] * w.z * w.z +
                           2 * (i[3] * w.x * w.y + i[4] * w.x * w.z + i[5] * w.y * w.z);
    out[b] = sqrt(heft_vec3_dot(x.lin, x.lin) +
                  (m->body_mass[b] > 0 ? fmax(0, turning) / m->body_mass[b] : 0));
  }
  heft_dynamics_velocities(d, r->v[r->now]);
}

double referee_allowed(const Referee* r, const int* group, int body) {
  double a = 0;
  for (int b = 1; b < r->m->nbody; ++b)
    if (group[b] == group[body]) a = fmax(a, r->lin_a[b]);
  return r->def.momentum * r->gravity + (a < r->gravity ? steady_share : impact_share) * a;
}

// ---- islands

static int root_of(const int* island, int b) {
  while (island[b] != b) b = island[b];
  return b;
}

static void unite_islands(Referee* r) {
  for (int b = 0; b < r->m->nbody; ++b) r->island[b] = b;
  for (int end = 0; end < 2; ++end)
    for (int i = 0; i < r->point_count[end]; ++i) {
      const HeftContactPoint* p = &r->point[end][i];
      const int a = r->tree[p->body_a], b = r->tree[p->body_b];
      if (a == 0 || b == 0 || a == b || !referee_touches(r, p)) continue;
      const int x = root_of(r->island, a), y = root_of(r->island, b);
      r->island[x > y ? x : y] = x < y ? x : y;
    }
  for (int b = 1; b < r->m->nbody; ++b)
    r->island[b] = r->tree[b] ? root_of(r->island, r->tree[b]) : 0;
}

// The work of contacts, joint limits and dry friction on an island is not positive: it is the
// needed force times the mean velocity.
static void judge_energy(Referee* r) {
  const HeftModel* m = r->m;
  double *low = r->lin_e, *size = r->lin_a;
  memset(low, 0, (size_t)m->nbody * sizeof *low);
  memset(size, 0, (size_t)m->nbody * sizeof *size);
  for (int i = 0; i < m->nv; ++i) {
    const int body = m->joint_body[m->dof_joint[i]], island = r->island[body];
    const double move = r->h * 0.5 * (r->v[0][i] + r->v[1][i]);
    if (!isfinite(r->free_lo[i]) || !isfinite(r->free_hi[i])) size[island] = (double)INFINITY;
    if (!isfinite(size[island])) continue;
    low[island] += fmin(r->free_lo[i] * move, r->free_hi[i] * move);
    size[island] += fmax(fabs(r->free_lo[i]), fabs(r->free_hi[i])) * fabs(move);
  }
  for (int i = 0; i < r->point_count[r->now]; ++i) {  // belts and moved bodies do work
    const HeftContactPoint* p = &r->point[r->now][i];
    const int a = p->body_a, b = p->body_b;
    if ((r->belt[a] || r->belt[b] || m->body_moved[a] >= 0 || m->body_moved[b] >= 0))
      size[r->island[a]] = size[r->island[b]] = (double)INFINITY;
  }
  for (int b = 1; b < m->nbody; ++b) {
    double floor = 0;
    for (int k = b; k < m->nbody; ++k)
      floor += r->island[k] == b ? 1e-6 * m->body_mass[k] * r->gravity : 0;
    if (r->island[b] == b && low[b] > 0.02 * size[b] + floor + 1e-12)
      referee_find(r, REFEREE_ENERGY, b, -1, low[b], 0.02 * size[b]);
  }
}

static void judge_step(Referee* r, const RefereeRow* row) {
  ++r->report.steps;
  judge_motion(r);
  if (!r->known[0] || !r->known[1]) return;
  needed_forces(r, row);
  unite_islands(r);
  judge_energy(r);
  if (row->contact_count >= 0 && !r->def.infer) {
    referee_balance(r, row);
    referee_laws(r, row);
  } else {
    ++r->report.inferred;
    referee_reach(r);
  }
}

// ---- rows

static int sound(const double* x, long count) {
  for (long i = 0; i < count && x; ++i)
    if (!(fabs(x[i]) <= value_max)) return 0;
  return 1;
}

static int sound_contacts(const Referee* r, const RefereeRow* row) {
  for (int i = 0; i < row->contact_count; ++i) {
    const RefereeContact* c = &row->contact[i];
    const double x[12] = {c->pos.x,    c->pos.y,    c->pos.z,    c->normal.x,
                          c->normal.y, c->normal.z, c->force.x,  c->force.y,
                          c->force.z,  c->torque.x, c->torque.y, c->torque.z};
    if (c->a < 0 || c->b < 0 || c->a >= r->m->nbody || c->b >= r->m->nbody || c->a == c->b ||
        !sound(x, 12) || fabs(heft_vec3_norm(c->normal) - 1) > 1e-3)
      return 0;
  }
  return 1;
}

static int check_row(const Referee* r, const RefereeRow* row, HeftError* error) {
  const HeftModel* m = r->m;
  const char* wrong = NULL;
  if (!sound(row->q, m->nq)) wrong = "coordinates";
  if (!sound(row->v, m->nv)) wrong = "velocities";
  if (!sound(row->moved, 13L * m->nmoved)) wrong = "poses of moved bodies";
  if (!sound(row->actuator, m->nactuator)) wrong = "forces of actuators";
  if (!sound(row->push, 6L * m->nbody)) wrong = "pushes";
  if (!sound_contacts(r, row)) wrong = "contacts (bodies, unit normals, numbers)";
  if (!sound(&row->time, 1)) wrong = "time";
  if (!wrong && r->report.rows > 0 && !(row->time >= r->report.last + step_min))
    wrong = "time, which must rise,";
  if (wrong)
    heft_error_set(error, HEFT_ERR_VALUE, "row %lld at %.9g s: the %s cannot be used",
                   (long long)r->report.rows + 1, row->time, wrong);
  return !wrong;
}

int referee_row(Referee* r, const RefereeRow* row, HeftError* error) {
  const HeftModel* m = r->m;
  if (!check_row(r, row, error)) return 0;
  r->now = !r->now;
  const int now = r->now, first = r->report.rows == 0;
  r->broken = 0;
  r->time[now] = row->time;
  r->h = first ? 0 : r->time[now] - r->time[!now];
  memcpy(r->q[now], row->q, (size_t)m->nq * sizeof(double));
  heft_q_normalize(m, r->q[now]);
  r->known[now] = row->v != NULL || !first;
  if (row->v) {
    memcpy(r->v[now], row->v, (size_t)m->nv * sizeof(double));
  } else if (!first) {
    heft_q_difference(m, r->q[!now], r->q[now], r->v[now]);
    for (int i = 0; i < m->nv; ++i) r->v[now][i] /= r->h;
  }
  place(r, row);
  judge_overlap(r);
  judge_joints(r, row);
  if (!first) judge_step(r, row);
  if (first) r->report.first = row->time;
  r->report.last = row->time;
  ++r->report.rows;
  return 1;
}
