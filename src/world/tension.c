// SPDX-License-Identifier: Apache-2.0
// Geometric stiffness of the forces in a mechanism.
//
// The rows of a step have the directions of q_m. A link that turns by φ turns its forces with it: a
// force f at the point r of a link (from where its joint holds it) has the torque r × f, which
// changes by -K φ,
//
//     K = (f·r) 1 - (r fᵀ + f rᵀ) / 2        (its symmetric part),
//
// positive for tension, negative for pressure. A light rope under a load oscillates with hω >> 1 by
// this stiffness; with directions frozen over the step it explodes from hω = 1.5 on.
//
// A point of a tree is a sum over its path, Σ R_k d_k, of one vector for each link. So the second
// derivative of all positions along the forces has one block K_k for each link, and none between
// links: the sum over its own forces (constraints at their points, weight and centrifugal force at
// the centre of mass) and over the forces beyond its children, at their joints. The block is added
// to the link's moment of inertia, and M̂ keeps the sparsity of the tree.
//
// K is used in M̂ = M + h²θ² K and nowhere else. For θ = 1/2 the term h²θ² K (v⁺ - v) moves the
// force from q_m to the mean of q and q⁺: the implicit midpoint, which neither damps nor drives at
// any hω and lengthens the period by (hω)² / 12. The term -h K v on the right-hand side, which the
// literature has in addition (stable constrained dynamics; geometric stiffness), is backward Euler
// and would damp a wave to a tenth.
//
// Forces come from the step before, turned with their links by hω: without the turn the block would
// couple the roll of thin links, which has no inertia, to the lag of f. If the impulses of the step
// ask for clearly more or less K than it was solved with (a first step, a sudden load, an impact
// that is over), it is solved again. The positive part of K is taken, so M̂ stays positive. Links
// whose K̂ is below `onset` of their own inertia keep their inertia: robots at common steps are all
// below it. So do links that turn by radians in a step, where the direction of a force of the step
// before means nothing; spin_parts.c and taut.c divide most such steps.
//
// A straight piece of a tendon of length l under tension T has the stiffness T / l (1 - u uᵀ)
// across its direction u between two points. [k -k; -k k] <= [2k 0; 0 2k] keeps its two links
// apart.
#include "world/tension.h"

#include <math.h>
#include <string.h>

static const double onset = 0.05;  // of a link's inertia: smaller K̂, hω < 0.45, is left out
static const double far = 0.2;     // a link that turns by more in a step has no K [rad]
static const double clear = 0.5;   // of inertia and K̂: a larger difference is solved again

void heft_tension_place(Tension* x, Arena* arena, const HeftModel* m) {
  const int nlink = heft_link_count(m);
  x->anchor = arena_take(arena, nlink, V4);
  x->own = arena_take(arena, nlink, V4);
  x->forces = arena_take(arena, nlink, LinkForces);
  x->stiff = arena_take(arena, nlink, HeftSym3);
  x->size = arena_take(arena, nlink, double);
  x->inertia = arena_take(arena, nlink, double);
  x->pull_capacity = 2 * m->nwrap;
  x->pulled = arena_take(arena, m->nwrap > 0 ? nlink : 0, double);
  x->pulls = arena_take(arena, m->nwrap > 0 ? nlink : 0, double);
  x->pull = arena_take(arena, x->pull_capacity, Pull);
  x->asked = arena_take(arena, x->pull_capacity, Pull);
}

// ---- links

static double scale_of(const StepInput* in, const double* theta, int k) {
  const double ahead = in->h * theta[heft_link_dof(in->model, k)];
  return ahead * ahead;
}

// 1 if a link turns: fixed and moved links and nodes do not.
static int is_mobile(const HeftModel* m, int k) {
  return heft_link_dof_count(m, k) > 0 && !heft_link_deforms(m, k);
}

HEFT_INLINE void add_force(LinkForces* to, V4 r, V4 f) {
  to->force = to->force + f;
  for (int i = 0; i < 3; ++i) to->moment[i] = to->moment[i] + f * r[i];
}

// A force at a point, from the origin of the link's tree.
static void add_at(Tension* x, int k, HeftVec3 at, HeftVec3 f) {
  add_force(&x->forces[k], v4_from_vec3(at) - x->anchor[k], v4_from_vec3(f));
}

// K of a link.
HEFT_INLINE HeftSym3 stiffness_of(const V4 m[3]) {
  return (HeftSym3){.xx = m[1][1] + m[2][2],
                    .yy = m[0][0] + m[2][2],
                    .zz = m[0][0] + m[1][1],
                    .xy = -0.5 * (m[0][1] + m[1][0]),
                    .xz = -0.5 * (m[0][2] + m[2][0]),
                    .yz = -0.5 * (m[1][2] + m[2][1])};
}

static double size_of(const HeftSym3* k) { return k->xx + k->yy + k->zz; }

// At least the largest eigenvalue of K.
static double bound_of(const HeftSym3* k) {
  const double xy = fabs(k->xy), xz = fabs(k->xz), yz = fabs(k->yz);
  return fmax(k->xx + xy + xz, fmax(k->yy + xy + yz, k->zz + xz + yz));
}

// The positive part of h²θ² K of a link if it is larger than `least`, else zero.
static HeftSym3 positive_part(const Tension* x, int link, double scale, double least) {
  const HeftSym3 k = stiffness_of(x->forces[link].moment);
  if (!(scale * bound_of(&k) > least)) return (HeftSym3){0};
  HeftVec3 values;
  HeftMat3 axes;
  heft_sym3_eigen(k, &values, &axes);
  if (!(scale * values.x > least)) return (HeftSym3){0};
  const HeftSym3 part = {
      .xx = scale * values.x, .yy = scale * fmax(0, values.y), .zz = scale * fmax(0, values.z)};
  return heft_sym3_rotate(part, axes);
}

static double inertia_of(const Tension* x, const HeftModel* m, const HeftDynamics* d, int k) {
  const V4 arm = d->pose[k].pos - x->anchor[k];
  const int first = heft_link_dof(m, k), free = heft_dof_is_free(m, first);
  double armature = 0;
  for (int i = first; i < first + heft_link_dof_count(m, k) && !free; ++i)
    armature += m->dof_armature[i];
  return heft_link_mass(m, k) * v4_dot3(arm, arm) + armature +
         0.5 * (d->spin[k][0][0] + d->spin[k][1][1] + d->spin[k][2][2]);
}

static int turns_far(const HeftDynamics* d, int k, double h) {
  const V4 w = d->velocity[k].ang;
  return h * h * v4_dot3(w, w) > far * far;
}

// ---- forces

// Where the joints of a link hold it.
static V4 anchor_of(const HeftModel* m, const HeftDynamics* d, int k) {
  const Link* link = &m->tree->link[k];
  if (link->kind == LINK_FREE || link->joint_count == 0) return d->pose[k].pos;
  const double(*in_link)[4] = m->tree->body_in_link[link->body].c;
  const double* pos = m->joint_pos + 3L * link->joint;
  const V4 local = v4_load_aligned(in_link[0]) * pos[0] + v4_load_aligned(in_link[1]) * pos[1] +
                   v4_load_aligned(in_link[2]) * pos[2] + v4_load_aligned(in_link[3]);
  const LinkPose* pose = &d->pose[k];
  return pose->rot[0] * local[0] + pose->rot[1] * local[1] + pose->rot[2] * local[2] + pose->pos;
}

// The force of the step before has turned with its link.
static HeftVec3 turned(const HeftDynamics* d, int k, double age, HeftVec3 f) {
  return heft_vec3_add_scaled(f, age, heft_vec3_cross(vec3_from_v4(d->velocity[k].ang), f));
}

static void add_contact(Tension* x, const HeftDynamics* d, const TensionForces* of, double h,
                        const Constraint* k) {
  const HeftContactPoint* point = &of->set->contact_points.point[k->source];
  for (int s = 0; s < 2; ++s) {
    const int link = k->link[s];
    if (link == 0 || !is_mobile(d->model, link)) continue;
    HeftVec3 f = {0, 0, 0};
    for (int r = 0; r < k->rows && r < 3; ++r) {
      const double* axis = of->set->axis[k->row + r] + 6L * s + 3;
      f = heft_vec3_add_scaled(f, of->impulse[k->row + r] / h, heft_vec3_from(axis));
    }
    const HeftVec3 at = heft_vec3_add_scaled(point->pos, s == 0 ? 0.5 : -0.5, point->offset);
    add_at(x, link, heft_vec3_sub(at, heft_link_origin(d, link)), turned(d, link, of->age, f));
  }
}

// 1 for the first of the three rows of a point that two bodies share. Its arms are in its rows:
// a × e_x = (0, a_z, -a_y), a × e_y = (-a_z, 0, a_x).
static int is_point(const Constraint* k) {
  return k->kind == CONSTRAINT_EQUALITY && k->direction[0] < 0 && k->dof[0] < 0 &&
         k->source % 6 == 0;
}

static void add_point(Tension* x, const HeftDynamics* d, const TensionForces* of, double h,
                      const Constraint* k) {
  for (int s = 0; s < 2; ++s) {
    const int link = k->link[s];
    const double sign = s == 0 ? 1 : -1, *along = of->set->axis[k->row] + 6L * s,
                 *across = of->set->axis[k->row + 1] + 6L * s;
    if (link == 0 || !is_mobile(d->model, link)) continue;
    const HeftVec3 arm = heft_vec3_scale(sign, heft_vec3(across[2], -along[2], along[1]));
    const HeftVec3 f = heft_vec3_scale(sign / h, heft_vec3_from(of->impulse + k->row));
    add_at(x, link, arm, turned(d, link, of->age, f));
  }
}

// ---- tendons

static void add_end(Tension* x, const HeftDynamics* d, int site, HeftVec3 at, HeftVec3 pull,
                    Pull end) {
  end.link = heft_body_mobile_link(d->model, d->model->site_body[site]);
  if (end.link == 0 || x->asked_count >= x->pull_capacity) return;
  end.at = heft_vec3_sub(at, heft_link_origin(d, end.link));
  x->asked[x->asked_count++] = end;
  if (is_mobile(d->model, end.link)) add_at(x, end.link, end.at, pull);
}

static void add_piece(Tension* x, const HeftDynamics* d, int a, int b, double tension) {
  const HeftModel* m = d->model;
  const HeftVec3 from = heft_dynamics_site_pose(d, a).pos, to = heft_dynamics_site_pose(d, b).pos;
  const HeftVec3 gone = heft_vec3_sub(to, from);
  const double length = heft_vec3_norm(gone);
  if (!(length > 0) || !(tension > 0)) return;
  const int both =
      heft_body_mobile_link(m, m->site_body[a]) && heft_body_mobile_link(m, m->site_body[b]);
  const Pull end = {.along = heft_vec3_scale(1 / length, gone),
                    .stiffness = (both ? 2 : 1) * tension / length};
  add_end(x, d, a, from, heft_vec3_scale(tension, end.along), end);
  add_end(x, d, b, to, heft_vec3_scale(-tension, end.along), end);
}

static void add_tendon(Tension* x, const HeftDynamics* d, int tendon, double force) {
  const HeftModel* m = d->model;
  const int begin = m->tendon_wrap[tendon], end = begin + m->tendon_wrap_count[tendon];
  double scale = 1;
  for (int w = begin; w + 1 < end; ++w) {
    if (m->wrap_type[w] == HEFT_WRAP_PULLEY) scale = 1 / m->wrap_value[w];
    if (m->wrap_type[w] == HEFT_WRAP_SITE && m->wrap_type[w + 1] == HEFT_WRAP_SITE)
      add_piece(x, d, m->wrap_object[w], m->wrap_object[w + 1], scale * force);
  }
}

// ---- all links

static void add_constraints(Tension* x, const HeftDynamics* d, const TensionForces* of, double h) {
  for (int i = 0; i < of->set->count; ++i) {
    const Constraint* k = &of->set->list[i];
    if (k->kind == CONSTRAINT_CONTACT)
      add_contact(x, d, of, h, k);
    else if (is_point(k))
      add_point(x, d, of, h, k);
    else if (k->kind == CONSTRAINT_TENDON_LIMIT && k->source % 2 == 1)
      add_tendon(x, d, k->source / 2, of->impulse[k->row] / h);
  }
}

static void gather(Tension* x, const StepInput* in, const HeftDynamics* d,
                   const TensionForces* of) {
  const HeftModel* m = in->model;
  const int nlink = heft_link_count(m);
  for (int k = 1; k < nlink; ++k) {
    x->forces[k] = (LinkForces){0};
    add_force(&x->forces[k], d->pose[k].pos - x->anchor[k], x->own[k]);
  }
  if (x->pull_capacity > 0) memset(x->pulls, 0, (size_t)nlink * sizeof *x->pulls);
  x->asked_count = 0;
  add_constraints(x, d, of, in->h);
  for (int k = nlink - 1; k > 0; --k) {
    const int parent = heft_link_parent(m, k);
    if (parent > 0)
      add_force(&x->forces[parent], x->anchor[k] - x->anchor[parent], x->forces[k].force);
  }
  for (int i = 0; i < x->asked_count; ++i) {
    Pull* p = &x->asked[i];
    p->stiffness *= scale_of(in, of->theta, p->link);
    x->pulls[p->link] += p->stiffness;
  }
}

// RNEA has added the forces of the children.
void heft_tension_begin(Tension* x, const HeftDynamics* d) {
  const HeftModel* m = d->model;
  for (int k = heft_link_count(m) - 1; k > 0; --k) {
    x->anchor[k] = anchor_of(m, d, k);
    x->own[k] = is_mobile(m, k) ? -d->force[k].lin : v4_all(0);
  }
  for (int k = 1; k < heft_link_count(m); ++k) {
    const int parent = heft_link_parent(m, k);
    if (parent > 0 && is_mobile(m, k)) x->own[parent] = x->own[parent] + d->force[k].lin;
  }
}

void heft_tension_find(Tension* x, const StepInput* in, const HeftDynamics* d,
                       const TensionForces* of) {
  const HeftModel* m = in->model;
  x->any = 0;
  gather(x, in, d, of);
  Pull* asked = x->asked;
  x->asked = x->pull;
  x->pull = asked;
  x->pull_count = x->asked_count;
  for (int k = 1; k < heft_link_count(m); ++k) {
    x->stiff[k] = (HeftSym3){0};
    x->size[k] = 0;
    if (!is_mobile(m, k)) continue;
    x->inertia[k] = turns_far(d, k, in->h) ? HUGE_VAL : inertia_of(x, m, d, k);
    x->stiff[k] = positive_part(x, k, scale_of(in, of->theta, k), onset * x->inertia[k]);
    x->size[k] = size_of(&x->stiff[k]);
    x->any |= x->size[k] > 0;
  }
}

void heft_tension_mass_matrix(Tension* x, HeftDynamics* d) {
  heft_dynamics_crba_stiffened(d, x->any ? x->stiff : NULL);
  if (x->pull_capacity == 0) return;
  memset(x->pulled, 0, (size_t)heft_link_count(d->model) * sizeof *x->pulled);
  for (int i = 0; i < x->pull_count; ++i) {
    Pull* p = &x->pull[i];
    if (x->pulls[p->link] <= onset * heft_link_mass(d->model, p->link)) p->stiffness = 0;
    if (!(p->stiffness > 0)) continue;
    x->pulled[p->link] += p->stiffness;
    heft_dynamics_stiffen_point(d, p->link, p->at, p->along, p->stiffness);
  }
}

// 1 if the impulses of all constraints differ from the warm ones by less than a quarter.
static int is_steady(const TensionForces* of) {
  const ConstraintSet* set = of->set;
  for (int i = 0; i < set->count; ++i) {
    const Constraint* k = &set->list[i];
    double size = 0, change = 0;
    for (int r = k->row; r < k->row + k->rows; ++r) {
      size = fmax(size, fabs(set->warm[r]));
      change = fmax(change, fabs(of->impulse[r] - set->warm[r]));
    }
    if (change > 0.25 * size) return 0;
  }
  return 1;
}

// 1 if one of two amounts of stiffness is clearly larger, in relation to the inertia.
static int differs(double used, double asked, double inertia) {
  return fmax(used, asked) > fmin(used, asked) + clear * (inertia + fmin(used, asked));
}

int heft_tension_differs(Tension* x, const StepInput* in, const HeftDynamics* d,
                         const TensionForces* of) {
  const HeftModel* m = in->model;
  if (is_steady(of)) return 0;
  gather(x, in, d, of);
  for (int k = 1; k < heft_link_count(m); ++k) {
    if (x->pull_capacity > 0 && differs(x->pulled[k], x->pulls[k], heft_link_mass(m, k))) return 1;
    if (!is_mobile(m, k)) continue;
    const double least = x->size[k] > clear * x->inertia[k] ? 0 : onset * x->inertia[k];
    const HeftSym3 asked = positive_part(x, k, scale_of(in, of->theta, k), least);
    if (differs(x->size[k], size_of(&asked), x->inertia[k])) return 1;
  }
  return 0;
}

// ---- energy

static double pseudo_energy(const Tension* x, const HeftDynamics* d, int k) {
  const HeftVec3 w = vec3_from_v4(d->velocity[k].ang);
  return 0.5 * heft_vec3_dot(w, heft_sym3_mul_vec(x->stiff[k], w));
}

static double pull_energy(const HeftDynamics* d, const Pull* p) {
  const HeftSpatial v = heft_link_velocity(d, p->link);
  const HeftVec3 u = heft_vec3_add(v.lin, heft_vec3_cross(v.ang, p->at));
  const double along = heft_vec3_dot(u, p->along);
  return 0.5 * p->stiffness * (heft_vec3_dot(u, u) - along * along);
}

// The target of add_energy(): out[root], or the sum over the trees of first order.
typedef struct EnergySum {
  double* by_root;
  const int* first_order;
  double sum;
} EnergySum;

static void add_to(EnergySum* to, int root, double energy) {
  if (to->by_root) to->by_root[root] += energy;
  if (to->first_order && to->first_order[root]) to->sum += energy;
}

static void add_energy(const Tension* x, const HeftDynamics* d, double sign, EnergySum* to) {
  const HeftModel* m = d->model;
  for (int k = 1; k < heft_link_count(m) && x->any; ++k) {
    if (x->size[k] > 0) add_to(to, heft_link_root(m, k), sign * pseudo_energy(x, d, k));
  }
  for (int i = 0; i < x->pull_count; ++i) {
    const Pull* p = &x->pull[i];
    if (p->stiffness > 0) add_to(to, heft_link_root(m, p->link), sign * pull_energy(d, p));
  }
}

// The change of vᵀ K̂ v / 2.
static void add_change(const Tension* x, const StepInput* in, HeftDynamics* d, const double* v,
                       EnergySum* to) {
  if (!x->any && x->pull_count == 0) return;
  heft_dynamics_velocities(d, in->start->v);
  add_energy(x, d, -1, to);
  heft_dynamics_velocities(d, v);
  add_energy(x, d, 1, to);
}

void heft_tension_leave_out(const Tension* x, const StepInput* in, HeftDynamics* d, const double* v,
                            double* work) {
  EnergySum to = {.by_root = work};
  add_change(x, in, d, v, &to);
}

double heft_tension_work(const Tension* x, const StepInput* in, HeftDynamics* d, const double* v,
                         const int* first_order) {
  EnergySum to = {.first_order = first_order};
  add_change(x, in, d, v, &to);
  return -to.sum;
}

// ---- force

static void add_wrench(double* wrench, HeftVec3 torque, HeftVec3 force) {
  wrench[0] += torque.x;
  wrench[1] += torque.y;
  wrench[2] += torque.z;
  wrench[4] += force.x;
  wrench[5] += force.y;
  wrench[6] += force.z;
}

void heft_tension_force(const Tension* x, const StepInput* in, HeftDynamics* d, const double* v,
                        const double* restraint, double (*wrench)[8], double* out) {
  const HeftModel* m = in->model;
  const size_t size = (size_t)m->nv * sizeof(double);
  const double share = -1 / in->h;
  memset(out, 0, size);
  if (!x->any && x->pull_count == 0) return;
  memset(wrench, 0, (size_t)heft_link_count(m) * sizeof *wrench);
  for (int i = 0; i < m->nv; ++i)
    out[i] = v[i] - in->start->v[i] - (restraint ? in->h * restraint[i] : 0);
  heft_dynamics_velocities(d, out);
  for (int k = 1; k < heft_link_count(m) && x->any; ++k) {
    const HeftVec3 turn = heft_vec3_scale(share, heft_link_velocity(d, k).ang);
    if (x->size[k] > 0)
      add_wrench(wrench[k], heft_sym3_mul_vec(x->stiff[k], turn), heft_vec3(0, 0, 0));
  }
  for (int i = 0; i < x->pull_count; ++i) {
    const Pull* p = &x->pull[i];
    const HeftSpatial w = heft_link_velocity(d, p->link);
    const HeftVec3 u = heft_vec3_add(w.lin, heft_vec3_cross(w.ang, p->at));
    const HeftVec3 across = heft_vec3_add_scaled(u, -heft_vec3_dot(u, p->along), p->along);
    const HeftVec3 force = heft_vec3_scale(share * p->stiffness, across);
    if (p->stiffness > 0) add_wrench(wrench[p->link], heft_vec3_cross(p->at, force), force);
  }
  memset(out, 0, size);
  heft_link_wrenches_to_joints(d, (const double(*)[8])wrench, out);
}
