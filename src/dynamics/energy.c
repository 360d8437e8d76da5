// SPDX-License-Identifier: Apache-2.0
// Sums over bodies: centre of mass, momentum, energies, and the forces of joint springs.
#include "base/assert.h"
#include "dynamics/tree_momentum.h"
#include "model/joint_kind.h"

// 1 if link k is `root` or lies beyond it; root 0 means everything.
static int belongs(const HeftTree* t, int k, int root) {
  while (k > root) k = t->link[k].parent;
  return k == root;
}

static HeftVec3 world_com(const HeftDynamics* d, int k) {
  return vec3_from_v4(d->pose[k].pos + d->origin[d->tree->link[k].root]);
}

HeftVec3 heft_dynamics_center_of_mass(const HeftDynamics* d, int body) {
  HEFT_REQUIRE(d, ((HeftVec3){0}));
  HEFT_REQUIRE(body >= 0 && body < d->model->nbody, ((HeftVec3){0}));
  const int root = d->tree->body_link[body];
  double mass = 0;
  HeftVec3 sum = {0, 0, 0};
  for (int k = 1; k < d->tree->nlink; ++k) {
    if (!belongs(d->tree, k, root)) continue;
    mass += d->tree->link[k].mass;
    sum = heft_vec3_add_scaled(sum, d->tree->link[k].mass, world_com(d, k));
  }
  return mass > 0 ? heft_vec3_scale(1 / mass, sum) : sum;
}

HeftSpatial heft_dynamics_momentum(const HeftDynamics* d, int body, HeftVec3 about) {
  HEFT_REQUIRE(d, ((HeftSpatial){0}));
  HEFT_REQUIRE(body >= 0 && body < d->model->nbody, ((HeftSpatial){0}));
  const int root = d->tree->body_link[body];
  HeftSpatial sum = {{0, 0, 0}, {0, 0, 0}};
  for (int k = 1; k < d->tree->nlink; ++k) {
    if (!belongs(d->tree, k, root)) continue;
    const V4 velocity = d->velocity[k].lin + v4_cross(d->velocity[k].ang, d->pose[k].pos);
    const HeftVec3 linear = heft_vec3_scale(d->tree->link[k].mass, vec3_from_v4(velocity));
    const HeftVec3 spin = vec3_from_v4(v4_mul_mat_v4(d->spin[k], d->velocity[k].ang));
    const HeftVec3 arm = heft_vec3_sub(world_com(d, k), about);
    const HeftSpatial own = heft_spatial(heft_vec3_add(spin, heft_vec3_cross(arm, linear)), linear);
    sum = heft_spatial_add(sum, own);
  }
  return sum;
}

HEFT_CLONES static double kinetic_kernel(const HeftDynamics* d, const double* v) {
  double twice = 0;
  for (int k = 1; k < d->tree->nlink; ++k) {
    const V4 velocity = d->velocity[k].lin + v4_cross(d->velocity[k].ang, d->pose[k].pos);
    twice += d->tree->link[k].mass * v4_dot3(velocity, velocity);
    twice += v4_dot3(d->velocity[k].ang, v4_mul_mat_v4(d->spin[k], d->velocity[k].ang));
  }
  const double* armature = d->model->dof_armature;
  const int nv = d->tree->nv, whole = nv - nv % 4;
  V4 sums = v4_all(0);
  for (int i = 0; i < whole; i += 4)
    sums += v4_load(armature + i) * v4_load(v + i) * v4_load(v + i);
  for (int i = whole; i < nv; ++i) twice += armature[i] * v[i] * v[i];
  return 0.5 * (twice + v4_sum(sums));
}

double heft_dynamics_kinetic_energy(const HeftDynamics* d, const double* v) {
  HEFT_REQUIRE(d && v, 0);
  return kinetic_kernel(d, v);
}

void heft_tree_energies(const HeftDynamics* d, const double* v, double* kinetic, double* weight) {
  const HeftTree* t = d->tree;
  const double* g = d->model->physics.gravity;
  const HeftVec3 gravity = heft_vec3_from(g);
  for (int k = 0; k < t->nlink; ++k) kinetic[k] = weight[k] = 0;
  for (int k = 1; k < t->nlink; ++k) {
    const Link* link = &t->link[k];
    const V4 velocity = d->velocity[k].lin + v4_cross(d->velocity[k].ang, d->pose[k].pos);
    const double twice = link->mass * v4_dot3(velocity, velocity) +
                         v4_dot3(d->velocity[k].ang, v4_mul_mat_v4(d->spin[k], d->velocity[k].ang));
    const HeftVec3 com = world_com(d, k);
    const HeftVec3 lift = heft_vec3_add(com, vec3_from_v4(v4_mul_mat(d->pose[k].rot, link->lift)));
    kinetic[link->root] += 0.5 * twice;
    weight[link->root] +=
        link->lift_mass * heft_vec3_dot(gravity, lift) - link->mass * heft_vec3_dot(gravity, com);
  }
  for (int i = 0; i < t->nv; ++i)
    kinetic[t->link[t->dof_link[i]].root] += 0.5 * d->model->dof_armature[i] * v[i] * v[i];
}

double heft_weight_power(const HeftDynamics* d) {
  const HeftTree* t = d->tree;
  const double* g = d->model->physics.gravity;
  HeftVec3 sum = {0, 0, 0};
  for (int k = 1; k < t->nlink; ++k) {
    const Link* link = &t->link[k];
    const V4 arm = d->pose[k].pos + v4_mul_mat(d->pose[k].rot, link->lift);
    const V4 velocity = d->velocity[k].lin + v4_cross(d->velocity[k].ang, d->pose[k].pos);
    const V4 lifted = d->velocity[k].lin + v4_cross(d->velocity[k].ang, arm);
    sum = heft_vec3_add_scaled(sum, link->mass, vec3_from_v4(velocity));
    sum = heft_vec3_add_scaled(sum, -link->lift_mass, vec3_from_v4(lifted));
  }
  return heft_vec3_dot(sum, heft_vec3_from(g));
}

// ---- springs

// Hinges and slides: one number each.
static inline int is_single(const HeftModel* m, int joint) {
  return joint_is_scalar(m->joint_type[joint]);
}

static inline double single_stretch(const HeftModel* m, int joint, const double* q) {
  return q[m->joint_q[joint]] - m->q_spring[m->joint_q[joint]];
}

static int has_spring(const HeftModel* m, int j) {
  for (int i = 0; i < heft_joint_type_dof_count(m->joint_type[j]); ++i) {
    if (m->dof_stiffness[m->joint_dof[j] + i] > 0) return 1;
  }
  return 0;
}

// The stretch of any joint's coordinates against its rest, as a velocity that would lead there in
// unit time. Returns how many; 0 if it has no spring.
static int joint_stretch(const HeftModel* m, int j, const double* q, double* stretch) {
  if (!has_spring(m, j)) return 0;
  const HeftJointType type = m->joint_type[j];
  const int at = m->joint_q[j];
  const int count = heft_joint_type_dof_count(type);
  const int rotation = joint_rotation(type), plain = rotation >= 0 ? rotation : count;
  for (int i = 0; i < plain; ++i) stretch[i] = q[at + i] - m->q_spring[at + i];
  if (plain == count) return count;
  const double *rest = m->q_spring + at + plain, *now = q + at + plain;
  const HeftQuat turn =
      heft_quat_mul(heft_quat(rest[0], -rest[1], -rest[2], -rest[3]), heft_quat_from(now));
  const HeftVec3 angle = heft_quat_log(turn);
  stretch[plain] = angle.x;
  stretch[plain + 1] = angle.y;
  stretch[plain + 2] = angle.z;
  return count;
}

static int any_spring(const HeftModel* m) {
  for (int i = 0; i < m->nv; ++i) {
    if (m->dof_stiffness[i] > 0) return 1;
  }
  return 0;
}

void heft_model_spring_forces(const HeftModel* m, const double* q, double* tau) {
  HEFT_REQUIRE_VOID(m && q && tau);
  if (!any_spring(m)) return;
  for (int j = 0; j < m->njoint; ++j) {
    const double* stiffness = m->dof_stiffness + m->joint_dof[j];
    double* own = tau + m->joint_dof[j];
    if (is_single(m, j)) {
      if (stiffness[0] > 0) own[0] -= stiffness[0] * single_stretch(m, j, q);
      continue;
    }
    double stretch[6] = {0};
    const int count = joint_stretch(m, j, q, stretch);
    for (int i = 0; i < count; ++i) own[i] -= stiffness[i] * stretch[i];
  }
}

// Adds twice the energy of the spring of a joint.
static inline void add_spring(const HeftModel* m, int j, const double* q, double* twice) {
  const double* stiffness = m->dof_stiffness + m->joint_dof[j];
  if (is_single(m, j)) {
    const double by = single_stretch(m, j, q);
    if (stiffness[0] > 0) *twice += stiffness[0] * by * by;
    return;
  }
  double stretch[6] = {0};
  const int count = joint_stretch(m, j, q, stretch);
  for (int i = 0; i < count; ++i) *twice += stiffness[i] * stretch[i] * stretch[i];
}

static double spring_energy(const HeftModel* m, const double* q) {
  double twice = 0;
  if (!any_spring(m)) return 0;
  for (int j = 0; j < m->njoint; ++j) add_spring(m, j, q, &twice);
  return 0.5 * twice;
}

// First moments of the mass that feels gravity: mass times where it is.
HEFT_CLONES static void mass_moments(const HeftDynamics* d, double* out) {
  const HeftTree* t = d->tree;
  V4 sum = v4_all(0);
  for (int k = 1; k < t->nlink; ++k) {
    const Link* link = &t->link[k];
    const V4 com = d->pose[k].pos + d->origin[link->root];
    sum = sum + com * link->mass;
    if (link->lift_mass == 0) continue;
    sum = sum - (com + v4_mul_mat(d->pose[k].rot, link->lift)) * link->lift_mass;
  }
  v4_store(out, sum);
}

double heft_dynamics_potential_energy(const HeftDynamics* d, const double* q) {
  HEFT_REQUIRE(d && q, 0);
  const HeftModel* m = d->model;
  const double* g = m->physics.gravity;
  double first_moment[4];
  mass_moments(d, first_moment);
  return spring_energy(m, q) -
         (g[0] * first_moment[0] + g[1] * first_moment[1] + g[2] * first_moment[2]);
}

void heft_tree_add_springs(const HeftModel* m, const double* q, double* potential) {
  const HeftTree* t = m->tree;
  if (!any_spring(m)) return;
  for (int k = 1; k < t->nlink; ++k) {
    const Link* link = &t->link[k];
    double twice = 0;
    for (int j = link->joint; j < link->joint + link->joint_count; ++j) add_spring(m, j, q, &twice);
    potential[link->root] += 0.5 * twice;
  }
}
