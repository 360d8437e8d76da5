// SPDX-License-Identifier: Apache-2.0
// Momentum of whole trees: P = Σ m v_c, L = Σ (I ω + r × m v_c) about the tree's centre of mass, in
// two passes over the links: sums about the tree's origin O first, then moved to the centre of
// mass,
//     L_c = L_O - c × P,   I_c = I_O - m (|c|² 1 - c cᵀ).
#include "dynamics/tree_momentum.h"
#include "base/assert.h"

#include <string.h>

#include "dynamics/links.h"
#include "dynamics/workspace.h"

int heft_link_floats(const HeftModel* m, int k) {
  const Link* link = &m->tree->link[k];
  if (link->kind != LINK_FREE || link->soft == 2) return 0;
  for (int i = link->dof; i < link->dof + 6; ++i) {
    if (m->dof_damping[i] != 0 || m->dof_stiffness[i] != 0 || m->dof_armature[i] != 0) return 0;
  }
  return 1;
}

static HeftSym3 spin_of(const V4 spin[3]) {
  return (HeftSym3){spin[0][0], spin[1][1], spin[2][2], spin[1][0], spin[2][0], spin[2][1]};
}

static HeftSym3 sym3_sub(HeftSym3 a, HeftSym3 b) {
  return (HeftSym3){a.xx - b.xx, a.yy - b.yy, a.zz - b.zz, a.xy - b.xy, a.xz - b.xz, a.yz - b.yz};
}

static void add_link(const HeftDynamics* d, int k, TreeMomentum* sum) {
  const double mass = d->tree->link[k].mass;
  HEFT_ASSERT(!(mass < 0));
  const HeftVec3 com = vec3_from_v4(d->pose[k].pos), omega = vec3_from_v4(d->velocity[k].ang);
  const HeftVec3 velocity =
      heft_vec3_add(vec3_from_v4(d->velocity[k].lin), heft_vec3_cross(omega, com));
  const HeftVec3 linear = heft_vec3_scale(mass, velocity);
  const HeftSym3 spin = spin_of(d->spin[k]);
  sum->mass += mass;
  sum->com = heft_vec3_add_scaled(sum->com, mass, com);
  sum->linear = heft_vec3_add(sum->linear, linear);
  sum->angular = heft_vec3_add(
      sum->angular, heft_vec3_add(heft_sym3_mul_vec(spin, omega), heft_vec3_cross(com, linear)));
  sum->inertia = heft_sym3_add(sum->inertia, heft_sym3_add(spin, heft_sym3_point_mass(mass, com)));
}

void heft_tree_momentum(const HeftDynamics* d, TreeMomentum* out) {
  const HeftTree* t = d->tree;
  memset(out, 0, (size_t)t->nlink * sizeof *out);
  for (int k = 1; k < t->nlink; ++k) add_link(d, k, &out[t->link[k].root]);
  for (int k = 1; k < t->nlink; ++k) {
    TreeMomentum* m = &out[k];
    if (t->link[k].root != k || !(m->mass > 0)) continue;
    m->com = heft_vec3_scale(1 / m->mass, m->com);
    m->angular = heft_vec3_sub(m->angular, heft_vec3_cross(m->com, m->linear));
    m->inertia = sym3_sub(m->inertia, heft_sym3_point_mass(m->mass, m->com));
  }
}

static void act(HeftVec3 at, HeftVec3 force, HeftVec3 torque, HeftVec3* sum_force,
                HeftVec3* sum_moment) {
  *sum_force = heft_vec3_add(*sum_force, force);
  *sum_moment = heft_vec3_add(*sum_moment, heft_vec3_add(torque, heft_vec3_cross(at, force)));
}

// Weight that is not felt pulls up where it is missing.
static void act_lift(const HeftDynamics* d, int k, HeftVec3 com, HeftVec3 g, HeftVec3* force,
                     HeftVec3* torque) {
  const Link* link = &d->tree->link[k];
  const V4 at = d->pose[k].pos + v4_mul_mat(d->pose[k].rot, link->lift);
  act(heft_vec3_sub(vec3_from_v4(at), com), heft_vec3_scale(-link->lift_mass, g),
      heft_vec3(0, 0, 0), force, torque);
}

static void act_joint(const HeftDynamics* d, int k, HeftVec3 com, const double* tau,
                      HeftVec3* force, HeftVec3* torque) {
  const Link* link = &d->tree->link[k];
  const double* f = tau + link->dof;
  const HeftPose body = heft_dynamics_body_pose(d, link->body);
  const HeftVec3 arm = heft_vec3_sub(heft_vec3_sub(body.pos, heft_link_origin(d, k)), com);
  act(arm, heft_vec3_from(f), heft_mat3_mul_vec(body.rot, heft_vec3(f[3], f[4], f[5])), force,
      torque);
}

// The force along the slides of a node, in the world.
static HeftVec3 node_force(const HeftDynamics* d, int k, const double* tau) {
  const int dof = d->tree->link[k].dof;
  const Pair* axis = d->axis + dof;
  return vec3_from_v4(axis[0].lin * tau[dof] + axis[1].lin * tau[dof + 1] +
                      axis[2].lin * tau[dof + 2]);
}

// The next node after link k in the tree of a root, or the number of links.
static int next_node(const HeftTree* t, int root, int k) {
  if (!t->link[root].soft) return t->nlink;
  for (++k; k < t->nlink; ++k) {
    if (t->link[k].deformable >= 0 && t->link[k].root == root) return k;
  }
  return k;
}

HeftVec3 heft_tree_joint_force(const HeftDynamics* d, int root, const double* tau) {
  const HeftTree* t = d->tree;
  const double* at = tau + t->link[root].dof;
  HeftVec3 sum = heft_vec3_from(at);
  for (int k = next_node(t, root, root); k < t->nlink; k = next_node(t, root, k))
    sum = heft_vec3_add(sum, node_force(d, k, tau));
  return sum;
}

void heft_tree_force(const HeftDynamics* d, const TreeMomentum* momentum, const double* joint_force,
                     HeftVec3* force, HeftVec3* torque) {
  const HeftTree* t = d->tree;
  const double* gravity = d->model->physics.gravity;
  const HeftVec3 g = heft_vec3_from(gravity);
  for (int k = 1; k < t->nlink; ++k) {
    const int root = t->link[k].root;
    HEFT_ASSERT(root > 0 && root <= k);
    const HeftVec3 com = momentum[root].com;
    if (root == k) {
      force[k] = heft_vec3_add_scaled(force[k], momentum[k].mass, g);
      if (t->link[k].kind == LINK_FREE) act_joint(d, k, com, joint_force, &force[k], &torque[k]);
    }
    if (t->link[k].deformable >= 0)
      act(heft_vec3_sub(vec3_from_v4(d->pose[k].pos), com), node_force(d, k, joint_force),
          heft_vec3(0, 0, 0), &force[root], &torque[root]);
    if (t->floats) act_lift(d, k, com, g, &force[root], &torque[root]);
    if (!d->wrenches) continue;
    act(heft_vec3_neg(com), vec3_from_v4(d->external[k].lin), vec3_from_v4(d->external[k].ang),
        &force[root], &torque[root]);
  }
}

// x = A⁻¹ b for a symmetric positive 3x3 matrix, by its adjugate.
static HeftVec3 sym3_solve(HeftSym3 a, HeftVec3 b) {
  const HeftVec3 r0 = {a.xx, a.xy, a.xz}, r1 = {a.xy, a.yy, a.yz}, r2 = {a.xz, a.yz, a.zz};
  const HeftVec3 c0 = heft_vec3_cross(r1, r2), c1 = heft_vec3_cross(r2, r0),
                 c2 = heft_vec3_cross(r0, r1);
  const double determinant = heft_vec3_dot(r0, c0);
  const HeftVec3 x = heft_vec3_add(
      heft_vec3_add(heft_vec3_scale(b.x, c0), heft_vec3_scale(b.y, c1)), heft_vec3_scale(b.z, c2));
  return heft_vec3_scale(1 / determinant, x);
}

// Steiner's share of a mass and its momentum, both about a common centre of mass.
static void carry(const TreeMomentum* from, HeftVec3 to, TreeMomentum* sum) {
  const HeftVec3 arm = heft_vec3_sub(from->com, to);
  sum->linear = heft_vec3_add(sum->linear, from->linear);
  sum->angular =
      heft_vec3_add(sum->angular, heft_vec3_add(from->angular, heft_vec3_cross(arm, from->linear)));
  sum->inertia = heft_sym3_add(sum->inertia,
                               heft_sym3_add(from->inertia, heft_sym3_point_mass(from->mass, arm)));
}

TreeMomentum heft_momentum_join(const TreeMomentum* a, const TreeMomentum* b) {
  TreeMomentum sum = {.mass = a->mass + b->mass};
  HEFT_ASSERT(!(sum.mass < a->mass));
  sum.com = heft_vec3_scale(
      1 / sum.mass, heft_vec3_add_scaled(heft_vec3_scale(a->mass, a->com), b->mass, b->com));
  carry(a, sum.com, &sum);
  carry(b, sum.com, &sum);
  return sum;
}

HeftSpatial heft_rigid_motion(const TreeMomentum* momentum, HeftVec3 linear, HeftVec3 angular) {
  HEFT_ASSERT(momentum->mass > 0);
  return (HeftSpatial){.ang = sym3_solve(momentum->inertia, angular),
                       .lin = heft_vec3_scale(1 / momentum->mass, linear)};
}

// Adds a vector of the world to the numbers along the slides of a node.
static void add_along_slides(const HeftDynamics* d, int k, HeftVec3 x, double* out) {
  const Pair* axis = d->axis + d->tree->link[k].dof;
  const V4 own = v4_from_vec3(x);
  for (int i = 0; i < 3; ++i) out[i] += v4_dot3(axis[i].lin, own);
}

static void add_shift(double* base, HeftVec3 shift) {
  base[0] += shift.x;
  base[1] += shift.y;
  base[2] += shift.z;
}

void heft_tree_shift(const HeftDynamics* d, int root, HeftVec3 shift, double* q) {
  const HeftTree* t = d->tree;
  HEFT_ASSERT(root > 0 && t->link[root].kind == LINK_FREE);
  add_shift(q + t->link[root].q, shift);
  for (int k = next_node(t, root, root); k < t->nlink; k = next_node(t, root, k))
    add_along_slides(d, k, shift, q + t->link[k].q);
}

void heft_tree_add_shift(const HeftDynamics* d, int root, HeftVec3 velocity, double* v) {
  const HeftTree* t = d->tree;
  HEFT_ASSERT(root > 0 && t->link[root].kind == LINK_FREE);
  add_shift(v + t->link[root].dof, velocity);
  for (int k = next_node(t, root, root); k < t->nlink; k = next_node(t, root, k))
    add_along_slides(d, k, velocity, v + t->link[k].dof);
}

void heft_tree_apply_impulse(const HeftDynamics* d, int root, HeftSpatial motion, HeftVec3 at,
                             double* v) {
  const Link* link = &d->tree->link[root];
  HEFT_ASSERT(link->kind == LINK_FREE);
  const HeftPose body = heft_dynamics_body_pose(d, link->body);
  const HeftVec3 arm = heft_vec3_sub(body.pos, at);
  const HeftVec3 at_body = heft_vec3_add(motion.lin, heft_vec3_cross(motion.ang, arm));
  const HeftVec3 in_body = heft_mat3_tmul_vec(body.rot, motion.ang);
  const double change[6] = {at_body.x, at_body.y, at_body.z, in_body.x, in_body.y, in_body.z};
  for (int i = 0; i < 6; ++i) v[link->dof + i] += change[i];
  const HeftTree* t = d->tree;
  const HeftVec3 center = heft_vec3_sub(at, heft_link_origin(d, root));
  for (int k = next_node(t, root, root); k < t->nlink; k = next_node(t, root, k)) {
    const HeftVec3 from = heft_vec3_sub(vec3_from_v4(d->pose[k].pos), center);
    add_along_slides(d, k, heft_vec3_add(motion.lin, heft_vec3_cross(motion.ang, from)),
                     v + t->link[k].dof);
  }
}
