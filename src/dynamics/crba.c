// SPDX-License-Identifier: Apache-2.0
// Papers: R8.
// Composite rigid bodies: the mass matrix, row by row along the paths of the tree ([Featherstone
// 2008], section 6.2).
//
// With I^c the inertia about O of a link and of everything beyond it,
//     M_de = S_e · (I^c S_d)   for every dof e on the path of d,
// and zero elsewhere. Row d is stored along its path (tree.h): four products of the row come out at
// a time.
#include "dynamics/composite.h"
#include "dynamics/links.h"

HEFT_INLINE V4 pair_products(Pair a, Pair b) { return a.ang * b.ang + a.lin * b.lin; }

HEFT_INLINE void write_row(const Pair* axis, const int* path, int length, Pair force, double* row) {
  for (int e = 0; e < length; e += 4) {
    const V4 a = pair_products(axis[path[e]], force), b = pair_products(axis[path[e + 1]], force);
    const V4 c = pair_products(axis[path[e + 2]], force),
             d = pair_products(axis[path[e + 3]], force);
    v4_store_aligned(row + e, v4_sums(a, b, c, d));
  }
}

HEFT_INLINE void write_dof(const HeftDynamics* d, int i) {
  const HeftTree* t = d->tree;
  const Pair force = composite_mul(&d->composite[t->dof_link[i]], d->axis[i]);
  const int row = t->row[i], length = t->dof_depth[i] + 1;
  HEFT_ASSERT(t->path[row + length - 1] == i);
  write_row(d->axis, t->path + row, length, force, d->mass_rows + row);
  d->mass_rows[row + length - 1] += d->model->dof_armature[i];
}

// The rows of a free link, whose first three axes are shifts along the world's: what these ask of a
// force is its components.
HEFT_INLINE void write_free(const HeftDynamics* d, const Link* link) {
  const Composite* all = &d->composite[link - d->tree->link];
  const double* armature = d->model->dof_armature + link->dof;
  double* rows = d->mass_rows + d->tree->row[link->dof];
  const Pair* axis = d->axis + link->dof;
  HEFT_ASSERT(link->kind == LINK_FREE && link->dof_count == 6);
  v4_store_aligned(rows, (V4){all->mass + armature[0], 0, 0, 0});
  v4_store_aligned(rows + 4, (V4){0, all->mass + armature[1], 0, 0});
  v4_store_aligned(rows + 8, (V4){0, 0, all->mass + armature[2], 0});
  double* row = rows + 12;
#pragma GCC unroll 3
  for (int i = 3; i < 6; ++i) {
    const Pair force = composite_mul(all, axis[i]);
    const V4 turns = v4_sums(pair_products(axis[3], force), pair_products(axis[4], force),
                             pair_products(axis[5], force), v4_all(0));
    v4_store_aligned(row, (V4){force.lin[0], force.lin[1], force.lin[2], turns[0]});
    if (i > 3) row[4] = turns[1];
    if (i > 4) row[5] = turns[2];
    row[i] += armature[i];
    row += i == 3 ? 4 : 8;
  }
}

HEFT_INLINE void add_sym3(V4 to[3], const HeftSym3* k) {
  to[0] = to[0] + (V4){k->xx, k->xy, k->xz, 0};
  to[1] = to[1] + (V4){k->xy, k->yy, k->yz, 0};
  to[2] = to[2] + (V4){k->xz, k->yz, k->zz, 0};
}

HEFT_CLONES static void crba_kernel(HeftDynamics* d, const TreeGroup* group,
                                    const HeftSym3* stiff) {
  const HeftTree* t = d->tree;
  for (int k = group->link; k < group[1].link; ++k)
    d->composite[k] = composite_of_link(t->link[k].mass, d->spin[k], d->pose[k].pos);
  for (int k = group->link; stiff && k < group[1].link; ++k)
    add_sym3(d->composite[k].inertia, &stiff[k]);
  for (int n = group[1].link - 1; n >= group->link; --n) {
    const int k = t->breadth[n], parent = t->link[k].parent;
    HEFT_ASSERT(parent < k);
    if (parent > 0) composite_add(&d->composite[parent], &d->composite[k]);
  }
  for (int n = group->eliminated; n < group[1].eliminated; ++n) write_dof(d, t->elimination[n]);
  for (int n = group->free; n < group[1].free; ++n) write_free(d, &t->link[t->free_link[n]]);
}

typedef struct CrbaWork {
  HeftDynamics* d;
  const HeftSym3* stiff;
} CrbaWork;

static void crba_of_group(void* arg, int worker, int index) {
  const CrbaWork* work = arg;
  (void)worker;
  crba_kernel(work->d, &work->d->tree->group[index], work->stiff);
}

void heft_dynamics_crba(HeftDynamics* d) { heft_dynamics_crba_stiffened(d, NULL); }

void heft_dynamics_crba_stiffened(HeftDynamics* d, const HeftSym3* stiff) {
  HEFT_REQUIRE_VOID(d);
  CrbaWork work = {d, stiff};
  run_groups(d, crba_of_group, &work);
}

// The velocity of a point of a link per unit of a dof.
static HeftVec3 point_axis(const Pair* axis, HeftVec3 at) {
  return heft_vec3_add(vec3_from_v4(axis->lin), heft_vec3_cross(vec3_from_v4(axis->ang), at));
}

void heft_dynamics_stiffen_point(HeftDynamics* d, int k, HeftVec3 at, HeftVec3 along,
                                 double stiffness) {
  const HeftTree* t = d->tree;
  const Link* link = &t->link[k];
  HEFT_ASSERT(k > 0 && k < t->nlink);
  const int last = link->dof + link->dof_count - 1, row = t->row[last];
  HEFT_ASSERT(last >= 0 && last < t->nv);
  for (int n = 0; n <= t->dof_depth[last]; ++n) {
    const int i = t->path[row + n];
    const HeftVec3 u = point_axis(&d->axis[i], at);
    const HeftVec3 f = heft_vec3_add_scaled(u, -heft_vec3_dot(u, along), along);
    for (int e = 0; e <= n; ++e) {
      const HeftVec3 other = point_axis(&d->axis[t->path[row + e]], at);
      d->mass_rows[t->row[i] + e] += stiffness * heft_vec3_dot(f, other);
    }
  }
}

void heft_dynamics_mass_matrix(const HeftDynamics* d, double* out) {
  HEFT_REQUIRE_VOID(d && out);
  const HeftTree* t = d->tree;
  const int nv = t->nv;
  for (long i = 0; i < (long)nv * nv; ++i) out[i] = 0;
  for (int i = 0; i < nv; ++i) {
    for (int e = 0; e <= t->dof_depth[i]; ++e) {
      const int j = t->path[t->row[i] + e];
      HEFT_ASSERT(j <= i);
      out[(long)i * nv + j] = out[(long)j * nv + i] = d->mass_rows[t->row[i] + e];
    }
  }
}
