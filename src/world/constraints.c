// SPDX-License-Identifier: Apache-2.0
// Constraints: their memory, their islands, their solution.
//
// For each island the movers are numbered tree by tree, Ω of each tree is worked out, the rows are
// copied side by side, and the contact solver finds the impulses. The certificate is then made from
// the same problem by code of its own.
#include "world/constraints.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "world/world_internal.h"

enum {
  ROWS_PER_TOUCH = 6,
  MOVER_DOFS = 6,
  FACTOR_BYTES = 1 << 20,
  FACTOR_BYTES_EACH = 8192,
  CORRECTION_WORK = 40
};

static const double correction_share = 0.2;       // of a depth is taken back in a step
static const double correction_speed = 1;         // and no faster than this [m/s]
static const double correction_tolerance = 1e-3;  // a share is taken back in every step anyway
static const double correction_slop = 1e-9;       // depths below this are left alone [m]

// ---- memory

static void place(Constraints* c, Arena* arena, const HeftWorld* w) {
  const HeftModel* m = w->model;
  const int nlink = heft_link_count(m), n = c->constraint_max, rows = c->row_max;
  c->list = arena_take(arena, n, Constraint);
  c->axis = arena_take_bytes(arena, (size_t)rows, sizeof *c->axis);
  c->push = arena_take(arena, rows, double);
  c->warm = arena_take(arena, rows, double);
  c->impulse = arena_take(arena, rows, double);
  c->velocity = arena_take(arena, rows, double);
  c->correction = arena_take(arena, rows, double);
  c->order = arena_take(arena, n, int);
  c->island_first = arena_take(arena, nlink + 1, int);
  c->contacts = arena_take(arena, n, HeftContact);
  c->source = arena_take(arena, n, int);
  c->bias = arena_take(arena, rows, double);
  c->sorted_warm = arena_take(arena, rows, double);
  c->sorted_impulse = arena_take(arena, rows, double);
  c->sorted_velocity = arena_take(arena, rows, double);
  c->jacobian = arena_take_bytes(arena, (size_t)rows, sizeof *c->jacobian);
  c->movers = arena_take(arena, c->mover_max, HeftMover);
  c->trees = arena_take(arena, nlink, HeftContactTree);
  c->roots = arena_take(arena, nlink, int);
  c->tree_links = arena_take(arena, nlink, int);
  c->tree_dofs = arena_take(arena, nlink, int);
  c->tree_wires = arena_take(arena, nlink, int);
  c->found_link = arena_take(arena, nlink, int);
  c->found_dof = arena_take(arena, m->nv, int);
  c->found_wire = arena_take(arena, w->wires->count, int);
  c->joined =
      arena_take_bytes(arena, (size_t)(m->nequality + w->wires->count) + 1, sizeof *c->joined);
  c->root_place = arena_take(arena, nlink, int);
  c->link_mover = arena_take(arena, nlink, int);
  c->dof_mover = arena_take(arena, m->nv, int);
  c->dof_lane = arena_take(arena, m->nv, int);
  c->omega = arena_take(arena, c->omega_max, double);
  c->scratch = arena_take(arena, c->scratch_max, double);
  c->old_touch = arena_take(arena, n, Remembered);
  c->old_joint[CONSTRAINT_LIMIT] = arena_take(arena, 2L * m->nv, double);
  c->old_joint[CONSTRAINT_DRY] = arena_take(arena, m->nv, double);
  c->old_joint[CONSTRAINT_EQUALITY] = arena_take(arena, 6L * m->nequality, double);
  c->old_joint[CONSTRAINT_TENDON_LIMIT] = arena_take(arena, 2L * m->ntendon, double);
  c->old_joint[CONSTRAINT_TENDON_DRY] = arena_take(arena, m->ntendon, double);
  c->active = arena_take(arena, nlink, int);
}

// How many movers so many dofs or directions take.
static int by_six(int count) { return (count + MOVER_DOFS - 1) / MOVER_DOFS; }

// Movers that a tree can have: its links, its dofs by six, its wires by six. Counted in c->active
// (links), c->link_mover (dofs) and c->tree_wires.
static void count_movers(const HeftWorld* w, Constraints* c, int* tree_most) {
  const HeftModel* m = w->model;
  const int nlink = heft_link_count(m);
  int *links = c->active, *dofs = c->link_mover, *wires = c->tree_wires;
  memset(links, 0, (size_t)nlink * sizeof(int));
  memset(dofs, 0, (size_t)nlink * sizeof(int));
  memset(wires, 0, (size_t)nlink * sizeof(int));
  for (int i = 0; i < w->wires->count; ++i) ++wires[w->wires->root[i]];
  for (int k = 1; k < nlink; ++k) ++links[heft_link_root(m, k)];
  for (int i = 0; i < m->nv; ++i) ++dofs[heft_dof_root(m, i)];
  for (int root = 1; root < nlink; ++root) {
    if (links[root] == 0) continue;
    const int movers = links[root] + by_six(dofs[root]) + by_six(wires[root]);
    c->mover_max += movers;
    c->omega_max += 36 * (size_t)movers * (size_t)movers;
    if (movers > *tree_most) *tree_most = movers;
  }
}

static HeftStatus create_solver(HeftWorld* w, int tree_most, HeftError* error) {
  Constraints* c = w->constraints;
  HeftContactSolverDef solver = heft_contact_solver_def_default();
  solver.contact_max = c->constraint_max;
  solver.row_max = c->row_max;
  solver.mover_max = c->mover_max;
  solver.tree_mover_max = tree_most;
  solver.factor_bytes = FACTOR_BYTES + (size_t)c->constraint_max * FACTOR_BYTES_EACH;
  solver.allocator = w->def.allocator;
  return heft_contact_solver_create(&c->solver, &solver, error);
}

// The certificate's scratch for the largest problem there can be.
static size_t certificate_scratch(const Constraints* c) {
  const HeftContactProblem largest = {
      .contact_count = c->constraint_max, .row_count = c->row_max, .mover_count = c->mover_max};
  return heft_contact_certify_scratch(&largest);
}

// Everything that follows from the model alone, on three borrowed arrays.
static HeftStatus measure_sizes(HeftWorld* w, Constraints* sizes, int* tree_most,
                                HeftError* error) {
  const HeftModel* m = w->model;
  const HeftAllocator* allocator = &w->def.allocator;
  const size_t size = 3 * (size_t)heft_link_count(m) * sizeof(int);
  int* counts = allocator->allocate(allocator->user, size, ARENA_ALIGNMENT);
  if (!counts)
    return heft_error_set(error, HEFT_ERR_MEMORY,
                          "no memory to measure the constraints of a world");
  sizes->active = counts;
  sizes->link_mover = counts + heft_link_count(m);
  sizes->tree_wires = counts + 2L * heft_link_count(m);
  count_movers(w, sizes, tree_most);
  allocator->release(allocator->user, counts, size);
  const int touches = heft_collider_contact_max(sizes->collider);
  const int others = 3 * m->nv + 6 * m->nequality + 3 * m->ntendon + 1;
  sizes->constraint_max = touches + others;
  sizes->row_max = ROWS_PER_TOUCH * touches + others;
  sizes->scratch_max = heft_delassus_movers_scratch(w->dynamics, *tree_most);
  if (certificate_scratch(sizes) > sizes->scratch_max)
    sizes->scratch_max = certificate_scratch(sizes);
  return HEFT_OK;
}

static HeftStatus allocate_all(HeftWorld* w, const Constraints* sizes, HeftError* error) {
  const HeftModel* m = w->model;
  const HeftAllocator* allocator = &w->def.allocator;
  Constraints measured = *sizes;
  Arena measure = arena_measure();
  arena_take(&measure, 1, Constraints);
  place(&measured, &measure, w);
  Constraints* c = allocator->allocate(allocator->user, measure.used, ARENA_ALIGNMENT);
  if (!c)
    return heft_error_set(error, HEFT_ERR_MEMORY, "no memory for constraints of %zu bytes",
                          measure.used);
  memset(c, 0, measure.used);
  *c = *sizes;
  Arena arena = arena_make(c, measure.used, NULL);
  arena_take(&arena, 1, Constraints);
  place(c, &arena, w);
  c->memory_size = measure.used;
  for (int k = 0; k < heft_link_count(m); ++k) c->link_mover[k] = c->root_place[k] = -1;
  for (int i = 0; i < m->nv; ++i) c->dof_mover[i] = -1;
  w->constraints = c;
  return HEFT_OK;
}

HeftStatus heft_constraints_create(HeftWorld* w, HeftError* error) {
  HeftColliderDef def = heft_collider_def_default();
  def.allocator = &w->def.allocator;
  def.contact_max = w->def.contact_max;
  def.margin = w->def.margin;
  Constraints sizes = {0};
  HeftStatus status = heft_collider_create(&sizes.collider, w->model, &def, error);
  if (status != HEFT_OK) return status;
  int tree_most = 1;
  status = measure_sizes(w, &sizes, &tree_most, error);
  if (status == HEFT_OK) status = allocate_all(w, &sizes, error);
  if (status != HEFT_OK) {
    heft_collider_destroy(sizes.collider);
    return status;
  }
  return create_solver(w, tree_most, error);
}

void heft_constraints_destroy(HeftWorld* w) {
  Constraints* c = w->constraints;
  if (!c) return;
  heft_contact_solver_destroy(c->solver);
  heft_collider_destroy(c->collider);
  w->def.allocator.release(w->def.allocator.user, c, c->memory_size);
  w->constraints = NULL;
}

static void forget_joints(HeftWorld* w) {
  double* const* old = w->constraints->old_joint;
  memset(old[CONSTRAINT_LIMIT], 0, 2 * (size_t)w->model->nv * sizeof(double));
  memset(old[CONSTRAINT_DRY], 0, (size_t)w->model->nv * sizeof(double));
  memset(old[CONSTRAINT_EQUALITY], 0, 6 * (size_t)w->model->nequality * sizeof(double));
  memset(old[CONSTRAINT_TENDON_LIMIT], 0, 2 * (size_t)w->model->ntendon * sizeof(double));
  memset(old[CONSTRAINT_TENDON_DRY], 0, (size_t)w->model->ntendon * sizeof(double));
}

void heft_constraints_forget(HeftWorld* w) {
  Constraints* c = w->constraints;
  c->count = c->row_count = c->touch_count = c->old_count = 0;
  forget_joints(w);
}

void heft_constraints_remember(HeftWorld* w) {
  Constraints* c = w->constraints;
  c->old_count = 0;
  forget_joints(w);
  for (int i = 0; i < c->count; ++i) {
    const Constraint* k = &c->list[i];
    if (k->kind != CONSTRAINT_TOUCH) {
      c->old_joint[k->kind][k->source] = c->impulse[k->row];
      continue;
    }
    const HeftTouch* touch = &c->touches.contact[k->source];
    Remembered* kept = &c->old_touch[c->old_count++];
    *kept = (Remembered){.name = {touch->body_a, touch->body_b, touch->shape_a, touch->shape_b},
                         .dim = touch->dim,
                         .feature = touch->feature};
    memcpy(kept->impulse, c->impulse + k->row,
           (size_t)heft_contact_type_rows(k->type) * sizeof(double));
  }
}

// ---- islands

static int constraint_link(const HeftWorld* w, const Constraint* k) {
  if (k->dof[0] >= 0) return heft_dof_root(w->model, k->dof[0]);
  if (k->wire[0] >= 0) return w->wires->root[k->wire[0]];
  return k->link[0] != 0 ? k->link[0] : k->link[1];
}

// The other end of a constraint that can tie trees together: loops between bodies, couplings
// between joints, tendons. -1 if it has none.
static int other_link(const HeftWorld* w, const Constraint* k) {
  if (k->wire[0] >= 0) return k->wire[1] >= 0 ? w->wires->root[k->wire[1]] : -1;
  if (k->kind != CONSTRAINT_EQUALITY || k->source % 6 != 0) return -1;
  return k->dof[1] >= 0 ? heft_dof_root(w->model, k->dof[1]) : k->link[1];
}

// Trees that are tied together beside what touches. A tendon is counted once.
static int gather_joined(const HeftWorld* w, int (*joined)[2]) {
  const Constraints* c = w->constraints;
  int count = 0;
  for (int i = c->touch_count; i < c->count; ++i) {
    const Constraint* k = &c->list[i];
    const int other = other_link(w, k);
    if (other < 0 || (i > 0 && k->wire[0] >= 0 && c->list[i - 1].wire[0] == k->wire[0])) continue;
    joined[count][0] = constraint_link(w, k);
    joined[count++][1] = other;
  }
  return count;
}

void heft_constraints_group(HeftWorld* w) {
  Constraints* c = w->constraints;
  const int nlink = heft_link_count(w->model);
  const int joined = gather_joined(w, c->joined);
  c->islands = heft_collider_islands(c->collider, (const int(*)[2])c->joined, joined);
  const HeftIslands islands = c->islands;
  c->island_count = islands.count;
  memset(c->active, 0, (size_t)nlink * sizeof(int));
  memset(c->island_first, 0, (size_t)(islands.count + 1) * sizeof(int));
  for (int i = 0; i < c->count; ++i) {
    Constraint* k = &c->list[i];
    k->island = islands.link_island[constraint_link(w, k)];
    ++c->island_first[k->island + 1];
    for (int s = 0; s < 2; ++s) c->active[heft_link_root(w->model, k->link[s])] = 1;
    for (int s = 0; s < 3; ++s) {
      if (k->dof[s] >= 0) c->active[heft_dof_root(w->model, k->dof[s])] = 1;
    }
    for (int s = 0; s < 2 && k->wire[s] >= 0; ++s) c->active[w->wires->root[k->wire[s]]] = 1;
  }
  heft_wires_mark(w, c->active);
  for (int i = 0; i < islands.count; ++i) c->island_first[i + 1] += c->island_first[i];
  for (int i = 0; i < c->count; ++i) c->order[c->island_first[c->list[i].island]++] = i;
  for (int i = islands.count; i > 0; --i) c->island_first[i] = c->island_first[i - 1];
  c->island_first[0] = 0;
}

// ---- one island

typedef struct Island {
  const int* order;  ///< its constraints
  int count;
  const int* links;  ///< its links, ascending
  int link_count;
  int tree_count, mover_count;
  int found_links, found_dofs, found_wires;
} Island;

// The trees of the island, by their roots.
static void number_trees(const HeftModel* m, Constraints* c, Island* island) {
  for (int i = 0; i < island->link_count; ++i) {
    const int k = island->links[i];
    if (heft_link_root(m, k) != k) continue;
    c->root_place[k] = island->tree_count;
    c->roots[island->tree_count] = k;
    c->tree_links[island->tree_count] = c->tree_dofs[island->tree_count] = 0;
    c->tree_wires[island->tree_count] = 0;
    ++island->tree_count;
  }
}

static void find_link(const HeftModel* m, Constraints* c, Island* island, int link) {
  if (link == 0 || c->link_mover[link] >= 0) return;
  c->link_mover[link] = c->tree_links[c->root_place[heft_link_root(m, link)]]++;
  c->found_link[island->found_links++] = link;
}

static void find_dof(const HeftModel* m, Constraints* c, Island* island, int dof) {
  if (dof < 0 || c->dof_mover[dof] >= 0) return;
  c->dof_mover[dof] = c->tree_dofs[c->root_place[heft_dof_root(m, dof)]]++;
  c->found_dof[island->found_dofs++] = dof;
}

static void find_wire(const HeftWorld* w, Island* island, int wire) {
  Constraints* c = w->constraints;
  if (wire < 0 || w->wires->mover[wire] >= 0) return;
  w->wires->mover[wire] = c->tree_wires[c->root_place[w->wires->root[wire]]]++;
  c->found_wire[island->found_wires++] = wire;
}

static void place_wires(const HeftWorld* w, const Island* island) {
  Constraints* c = w->constraints;
  const Wires* x = w->wires;
  for (int i = 0; i < island->found_wires; ++i) {
    const int wire = c->found_wire[i], t = c->root_place[x->root[wire]], place = x->mover[wire];
    x->lane[wire] = place % MOVER_DOFS;
    x->mover[wire] =
        c->trees[t].mover_first + c->tree_links[t] + by_six(c->tree_dofs[t]) + place / MOVER_DOFS;
    HeftMover* mover = &c->movers[x->mover[wire]];
    if (x->lane[wire] == 0) *mover = (HeftMover){.body = -1};
    mover->direction[mover->direction_count++] = &x->direction[wire];
  }
}

// Numbers what is pushed, tree by tree: links first, then dofs by six, then wires by six. The
// numbers within a tree are found first, then moved to where the tree begins.
static void number_movers(const HeftWorld* w, Constraints* c, Island* island) {
  const HeftModel* m = w->model;
  for (int i = 0; i < island->count; ++i) {
    const Constraint* k = &c->list[island->order[i]];
    for (int s = 0; s < 2; ++s) find_link(m, c, island, k->link[s]);
    for (int s = 0; s < 3; ++s) find_dof(m, c, island, k->dof[s]);
    for (int s = 0; s < 2; ++s) find_wire(w, island, k->wire[s]);
  }
  size_t omega = 0;
  for (int t = 0; t < island->tree_count; ++t) {
    const int movers = c->tree_links[t] + by_six(c->tree_dofs[t]) + by_six(c->tree_wires[t]);
    c->trees[t] = (HeftContactTree){
        .mover_first = island->mover_count, .mover_count = movers, .omega = (int)omega};
    island->mover_count += movers;
    omega += 36 * (size_t)movers * (size_t)movers;
  }
  for (int i = 0; i < island->found_links; ++i) {
    const int link = c->found_link[i], t = c->root_place[heft_link_root(m, link)];
    c->link_mover[link] += c->trees[t].mover_first;
    c->movers[c->link_mover[link]] = (HeftMover){.body = heft_link_body(m, link)};
  }
  for (int i = 0; i < island->found_dofs; ++i) {
    const int dof = c->found_dof[i], t = c->root_place[heft_dof_root(m, dof)],
              place = c->dof_mover[dof];
    c->dof_lane[dof] = place % MOVER_DOFS;
    c->dof_mover[dof] = c->trees[t].mover_first + c->tree_links[t] + place / MOVER_DOFS;
    HeftMover* mover = &c->movers[c->dof_mover[dof]];
    if (c->dof_lane[dof] == 0) *mover = (HeftMover){.body = -1};
    mover->dof[mover->dof_count++] = dof;
  }
  place_wires(w, island);
}

static void forget_movers(const HeftWorld* w, Constraints* c, const Island* island) {
  for (int i = 0; i < island->found_wires; ++i) w->wires->mover[c->found_wire[i]] = -1;
  for (int i = 0; i < island->found_links; ++i) c->link_mover[c->found_link[i]] = -1;
  for (int i = 0; i < island->found_dofs; ++i) c->dof_mover[c->found_dof[i]] = -1;
  for (int t = 0; t < island->tree_count; ++t) c->root_place[c->roots[t]] = -1;
}

// A row along dofs: their numbers go to the lanes of the one or two movers that hold them.
static void place_dof_row(const Constraints* c, const Constraint* k, const double* axis,
                          HeftContact* contact, double* out) {
  for (int s = 0; s < 3; ++s) {
    if (k->dof[s] < 0) continue;
    const int mover = c->dof_mover[k->dof[s]];
    const int side = contact->mover[0] < 0 || contact->mover[0] == mover ? 0 : 1;
    contact->mover[side] = mover;
    out[6 * side + c->dof_lane[k->dof[s]]] = axis[s];
  }
}

static void place_row(const HeftWorld* w, const Constraint* k, int row, HeftContact* contact,
                      double* out) {
  const Constraints* c = w->constraints;
  memset(out, 0, 12 * sizeof(double));
  for (int s = 0; s < 2 && k->wire[s] >= 0; ++s) {
    contact->mover[s] = w->wires->mover[k->wire[s]];
    out[6 * s + w->wires->lane[k->wire[s]]] = c->axis[row][0];
  }
  if (k->wire[0] >= 0) return;
  if (k->dof[0] >= 0) {
    place_dof_row(c, k, c->axis[row], contact, out);
    return;
  }
  int side = 0;
  for (int s = 0; s < 2; ++s) {  // what cannot move leaves its place to the other
    if (k->link[s] == 0) continue;
    contact->mover[side] = c->link_mover[k->link[s]];
    memcpy(out + 6L * side++, c->axis[row] + 6L * s, 6 * sizeof(double));
  }
}

static const HeftContactTree* tree_of_mover(const Constraints* c, const Island* island, int mover) {
  int low = 0, high = island->tree_count - 1;
  while (low < high) {
    const int middle = (low + high + 1) / 2;
    if (c->trees[middle].mover_first <= mover) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return &c->trees[low];
}

// xᵀ Ω_ab y between two movers of a tree.
static double mobility(const Constraints* c, const HeftContactTree* tree, int a, int b,
                       const double* x, const double* y) {
  const int size = 6 * tree->mover_count;
  const double* omega = c->omega + tree->omega + (long)(6 * (a - tree->mover_first)) * size +
                        6 * (b - tree->mover_first);
  double sum = 0;
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j < 6; ++j) sum += x[i] * omega[(long)i * size + j] * y[j];
  }
  return sum;
}

// A loop may ask for what cannot move anyway: the third direction of a plane mechanism. Such a row
// has nothing to solve.
static int is_idle(const Constraints* c, const Island* island, const HeftContact* contact,
                   const double* x) {
  double moves = 0, scale = 0;
  const HeftContactTree* tree[2] = {NULL, NULL};
  for (int s = 0; s < 2; ++s) {
    if (contact->mover[s] < 0) continue;
    const int mover = contact->mover[s];
    tree[s] = tree_of_mover(c, island, mover);
    moves += mobility(c, tree[s], mover, mover, x + 6L * s, x + 6L * s);
    for (int i = 0; i < 6; ++i) {
      double unit[6] = {0};
      unit[i] = x[6 * s + i];
      scale += mobility(c, tree[s], mover, mover, unit, unit);
    }
  }
  if (tree[0] && tree[0] == tree[1])
    moves += 2 * mobility(c, tree[0], contact->mover[0], contact->mover[1], x, x + 6);
  return !(moves > 1e-12 * scale);
}

static HeftContact law_of(const Constraint* k, int row) {
  return (HeftContact){.type = k->type,
                       .row = row,
                       .mover = {-1, -1},
                       .mu = k->mu,
                       .mu_static = k->mu_static,
                       .mu_roll = k->mu_roll,
                       .mu_spin = k->mu_spin,
                       .lower = k->lower,
                       .upper = k->upper};
}

static HeftContactProblem build(HeftWorld* w, Island* island) {
  Constraints* c = w->constraints;
  const double* g = w->model->physics.gravity;
  for (int t = 0; t < island->tree_count; ++t) {
    heft_delassus_movers(w->dynamics, c->trees[t].mover_count, c->movers + c->trees[t].mover_first,
                         c->scratch, c->omega + c->trees[t].omega);
  }
  int row = 0, placed = 0;
  for (int i = 0; i < island->count; ++i) {
    const Constraint* k = &c->list[island->order[i]];
    HeftContact contact = law_of(k, row);
    for (int r = 0; r < heft_contact_type_rows(k->type); ++r) {
      place_row(w, k, k->row + r, &contact, c->jacobian[row + r]);
      c->bias[row + r] = c->velocity[k->row + r];
      c->sorted_warm[row + r] = c->warm[k->row + r];
    }
    if (k->kind == CONSTRAINT_EQUALITY && is_idle(c, island, &contact, c->jacobian[row])) continue;
    c->source[placed] = island->order[i];
    c->contacts[placed++] = contact;
    row += heft_contact_type_rows(k->type);
  }
  const double weight = sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]) * w->def.time_step;
  return (HeftContactProblem){.contact_count = placed,
                              .row_count = row,
                              .contacts = c->contacts,
                              .bias = c->bias,
                              .warm = c->sorted_warm,
                              .velocity_scale = weight,
                              .mover_count = island->mover_count,
                              .tree_count = island->tree_count,
                              .trees = c->trees,
                              .omega = c->omega,
                              .jacobian = &c->jacobian[0][0]};
}

static void read_back(Constraints* c, const Island* island, int placed, double* impulse) {
  for (int i = 0; i < island->count; ++i) impulse[c->list[island->order[i]].row] = 0;
  for (int i = 0; i < placed; ++i) {
    const Constraint* k = &c->list[c->source[i]];
    memcpy(impulse + k->row, c->sorted_impulse + c->contacts[i].row,
           (size_t)heft_contact_type_rows(k->type) * sizeof(double));
  }
}

static void add_to_report(HeftStepReport* report, const HeftContactResult* result,
                          const HeftContactCertificate* proof, double h) {
  report->sweeps += result->sweeps;
  report->newtons += result->newtons;
  report->residual = fmax(report->residual, proof->residual);
  report->relative = fmax(report->relative, proof->relative);
  report->cone = fmax(report->cone, proof->cone / h);
  report->gap_power = fmax(report->gap_power, proof->complementarity / h);
  if (!proof->finite) report->residual = report->relative = (double)INFINITY;
}

// report may be NULL: then nothing is certified.
static void solve_island(HeftWorld* w, int index, const HeftContactStop* stop, double* impulse,
                         HeftStepReport* report) {
  const HeftIslands* islands = &w->constraints->islands;
  Constraints* c = w->constraints;
  const int first = c->island_first[index];
  Island island = {.order = c->order + first,
                   .count = c->island_first[index + 1] - first,
                   .links = islands->link + islands->link_first[index],
                   .link_count = islands->link_first[index + 1] - islands->link_first[index]};
  if (island.count == 0) return;
  number_trees(w->model, c, &island);
  number_movers(w, c, &island);
  const HeftContactProblem problem = build(w, &island);
  const HeftContactResult result =
      heft_contact_solve(c->solver, &problem, stop, c->sorted_impulse, c->sorted_velocity);
  read_back(c, &island, problem.contact_count, impulse);
  forget_movers(w, c, &island);
  if (!report) return;
  const HeftContactCertificate proof =
      heft_contact_certify(&problem, c->sorted_impulse, c->sorted_velocity, c->scratch);
  add_to_report(report, &result, &proof, w->def.time_step);
}

// What the impulses of all constraints do to the joint velocities: M̂⁻¹ Jᵀ r.
static void apply_impulses(HeftWorld* w, const double* impulse, double* v) {
  Constraints* c = w->constraints;
  double* change = w->force;
  memset(change, 0, (size_t)w->model->nv * sizeof(double));
  heft_clear_wrenches(w->dynamics);
  for (int i = 0; i < c->count; ++i) {
    const Constraint* k = &c->list[i];
    for (int r = k->row; r < k->row + heft_contact_type_rows(k->type); ++r) {
      for (int s = 0; s < 3; ++s) {
        if (k->dof[s] >= 0) change[k->dof[s]] += c->axis[r][s] * impulse[r];
      }
      for (int s = 0; s < 2 && k->wire[s] >= 0; ++s) {
        const HeftDirection* along = &w->wires->direction[k->wire[s]];
        for (int n = 0; n < along->count; ++n)
          change[along->dof[n]] += c->axis[r][0] * along->arm[n] * impulse[r];
      }
      for (int s = 0; s < 2; ++s) {
        if (k->link[s] == 0) continue;
        double wrench[6];
        for (int n = 0; n < 6; ++n) wrench[n] = c->axis[r][6 * s + n] * impulse[r];
        heft_add_link_wrench(w->dynamics, k->link[s], wrench);
      }
    }
  }
  heft_wrenches_to_joints(w->dynamics, change);
  heft_clear_wrenches(w->dynamics);
  heft_solve(w->dynamics, change);
  for (int i = 0; i < w->model->nv; ++i) v[i] += change[i];
}

void heft_constraints_solve(HeftWorld* w, double* v, HeftStepReport* report) {
  Constraints* c = w->constraints;
  report->contact_count = c->touches.count;
  report->contact_dropped = c->touches.dropped;
  if (c->count == 0) return;
  heft_constraints_measure(w, v);
  const HeftContactStop stop = {.tolerance = w->def.tolerance, .work_max = w->def.work_max};
  for (int i = 0; i < c->island_count; ++i) solve_island(w, i, &stop, c->impulse, report);
  apply_impulses(w, c->impulse, v);
}

// ---- moving apart

// What has a gap, and may end inside.
static int has_gap(const Constraint* k) {
  return k->kind == CONSTRAINT_TOUCH || k->kind == CONSTRAINT_LIMIT ||
         k->kind == CONSTRAINT_TENDON_LIMIT;
}

// How deep a touch or a limit will be after the step, counted negative; 0 if it will not be.
static double depth_after(const HeftWorld* w, const Constraint* k) {
  const Constraints* c = w->constraints;
  const double speed = c->velocity[k->row] - c->push[k->row];
  return fmin(0, k->gap + w->def.time_step * speed);
}

// The same problem without friction: rows that would end inside are pushed out by a share of their
// depth, the others may close as far as they are open.
static void pose_correction(HeftWorld* w) {
  Constraints* c = w->constraints;
  const double h = w->def.time_step;
  for (int i = 0; i < c->count; ++i) {
    Constraint* k = &c->list[i];
    const double speed = c->velocity[k->row] - c->push[k->row], depth = depth_after(w, k);
    c->warm[k->row] = 0;
    if (has_gap(k)) {
      k->type = HEFT_CONTACT_FRICTIONLESS;
      c->velocity[k->row] =
          depth < 0 ? fmax(correction_share * depth / h, -correction_speed) : k->gap / h + speed;
    } else {
      k->lower = k->upper = 0;
      c->velocity[k->row] = 0;
    }
  }
}

void heft_constraints_correct(HeftWorld* w, const double* v, double* shift,
                              HeftStepReport* report) {
  Constraints* c = w->constraints;
  memset(shift, 0, (size_t)w->model->nv * sizeof(double));
  if (c->count == 0) return;
  heft_constraints_measure(w, v);
  double deepest = 0;
  for (int i = 0; i < c->count; ++i) {
    const Constraint* k = &c->list[i];
    if (!has_gap(k)) continue;
    deepest = fmin(deepest, depth_after(w, k));
    if (k->kind == CONSTRAINT_TOUCH) report->penetration = fmax(report->penetration, -k->gap);
  }
  if (deepest > -correction_slop) return;
  pose_correction(w);
  const HeftContactStop stop = {.tolerance = correction_tolerance, .work_max = CORRECTION_WORK};
  for (int i = 0; i < c->island_count; ++i) solve_island(w, i, &stop, c->correction, NULL);
  apply_impulses(w, c->correction, shift);
}
