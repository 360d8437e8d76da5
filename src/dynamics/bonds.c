// SPDX-License-Identifier: Apache-2.0
// Links that hold nodes of deformable bodies. Their motion t = (ω, u) is taken at the origin p of
// the bond, and trees have theirs at O: u = v_O + ω × (p - O), so that a wrench (m, f) at p is
// (m + (p - O) × f, f) at O.
#include "dynamics/bonds.h"
#include "base/assert.h"

#include <string.h>

#include "dynamics/delassus.h"

// p - O
static V4 arm_of(const HeftDynamics* d, int n) {
  const int root = d->tree->link[d->tree->bond_link[n]].root;
  HEFT_ASSERT(d->tree->bond_link[n] > 0 && root > 0);
  return v4_from_vec3(d->bond[n].pos) - d->origin[root];
}

static Pair wrench_at_origin(const HeftDynamics* d, int n, const BondVector* x) {
  const V4 moment = {x->x[0], x->x[1], x->x[2], 0}, force = {x->x[3], x->x[4], x->x[5], 0};
  return (Pair){moment + v4_cross(arm_of(d, n), force), force};
}

// The motion of the bond along one dof.
static BondVector motion_along(const HeftDynamics* d, V4 arm, int dof) {
  const Pair* axis = &d->axis[dof];
  const V4 u = axis->lin + v4_cross(axis->ang, arm);
  return (BondVector){{axis->ang[0], axis->ang[1], axis->ang[2], u[0], u[1], u[2]}};
}

/// The dofs before a link, root first, and itself.
typedef struct Path {
  const int* dof;
  int count;
} Path;

static Path path_of(const HeftTree* t, int link) {
  const int dof = last_dof(&t->link[link]);
  HEFT_ASSERT(dof >= 0 && dof < t->nv);
  return (Path){t->path + t->row[dof], t->dof_depth[dof] + 1};
}

static void find_poses(const HeftDynamics* d, HeftPose* out) {
  for (int n = 0; n < d->model->ndeformable; ++n) {
    const int body = heft_deform_bond_body(d->deform, n);
    out[n] = body >= 0 ? heft_dynamics_body_pose(d, body) : heft_pose_identity();
  }
}

static void find_twists(const HeftDynamics* d, const double* v, BondVector* out) {
  for (int n = 0; n < d->model->ndeformable; ++n) {
    BondVector sum = {{0}};
    out[n] = sum;
    if (d->tree->bond_link[n] == 0) continue;
    const Path path = path_of(d->tree, d->tree->bond_link[n]);
    const V4 arm = arm_of(d, n);
    for (int e = 0; e < path.count; ++e) {
      const BondVector own = motion_along(d, arm, path.dof[e]);
      for (int i = 0; i < 6; ++i) sum.x[i] += own.x[i] * v[path.dof[e]];
    }
    out[n] = sum;
  }
}

static void add_wrenches(const HeftDynamics* d, const BondVector* wrench, double* force) {
  for (int n = 0; n < d->model->ndeformable; ++n) {
    if (d->tree->bond_link[n] == 0) continue;
    const Path path = path_of(d->tree, d->tree->bond_link[n]);
    const V4 arm = arm_of(d, n);
    for (int e = 0; e < path.count; ++e) {
      const BondVector own = motion_along(d, arm, path.dof[e]);
      HEFT_ASSERT(path.dof[e] >= 0 && path.dof[e] < d->tree->nv);
      double sum = 0;
      for (int i = 0; i < 6; ++i) sum += own.x[i] * wrench[n].x[i];
      force[path.dof[e]] += sum;
    }
  }
}

void heft_bonds_evaluate(HeftDynamics* d, const double* q) {
  find_poses(d, d->bond);
  heft_deform_evaluate(d->deform, q, d->bond);
}

double heft_bonds_energy_at(HeftDynamics* d, const double* q) {
  heft_dynamics_kinematics(d, q);
  find_poses(d, d->bond_other);
  return heft_deform_energy_at(d->deform, q, d->bond_other);
}

void heft_bonds_add_force(HeftDynamics* d, const double* v, double* force) {
  find_twists(d, v, d->bond_twist[0]);
  heft_deform_add_force(d->deform, v, d->bond_twist[0], force, d->bond_wrench);
  add_wrenches(d, d->bond_wrench, force);
}

double heft_bonds_work(HeftDynamics* d, const double* v, const double* w) {
  find_twists(d, v, d->bond_twist[0]);
  find_twists(d, w, d->bond_twist[1]);
  return heft_deform_work(d->deform, v, d->bond_twist[0], w, d->bond_twist[1]);
}

void heft_bonds_stiffen(HeftDynamics* d) {
  const HeftTree* t = d->tree;
  for (int n = 0; n < d->model->ndeformable; ++n) {
    if (t->bond_link[n] == 0) continue;
    const Path path = path_of(t, t->bond_link[n]);
    const V4 arm = arm_of(d, n);
    double c[36];
    heft_deform_bond_matrix(d->deform, n, c);
    for (int e = 0; e < path.count; ++e) {
      const BondVector own = motion_along(d, arm, path.dof[e]);
      double wrench[6] = {0}, *row = d->factor_rows + t->row[path.dof[e]];
      for (int i = 0; i < 36; ++i) wrench[i / 6] += c[i] * own.x[i % 6];
      for (int f = 0; f <= e; ++f) {
        const BondVector other = motion_along(d, arm, path.dof[f]);
        for (int i = 0; i < 6; ++i) row[f] += other.x[i] * wrench[i];
      }
    }
  }
}

void heft_bonds_reduce(const HeftDynamics* d, double* x) {
  heft_deform_solve(d->deform, x, d->bond_wrench);
  add_wrenches(d, d->bond_wrench, x);
}

void heft_bonds_expand(const HeftDynamics* d, double* x) {
  find_twists(d, x, d->bond_twist[0]);
  heft_deform_write(d->deform, d->bond_twist[0], x);
}

Pair heft_bonds_row(const HeftDynamics* d, int n, const NodeRow* row) {
  if (d->tree->bond_link[n] == 0) return (Pair){v4_all(0), v4_all(0)};
  const BondVector wrench = heft_deform_bond_row(d->deform, n, row);
  return wrench_at_origin(d, n, &wrench);
}
