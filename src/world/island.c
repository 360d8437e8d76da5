// SPDX-License-Identifier: Apache-2.0
// Islands: constraints that hang together, solved apart from all others.
//
// For each island the movers are numbered tree by tree; each island gets its own share of every
// array, for all that is solved in a step. From then on islands have nothing in common, and threads
// may take one each: Ω of each tree is worked out, the rows are copied side by side, and the
// contact solver finds the impulses. The certificate is then made from the same problem by code of
// its own.
#include <math.h>
#include <string.h>

#include "world/apart.h"
#include "world/models/contact_model.h"
#include "world/world_internal.h"

// ---- grouping

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

// ---- numbering

// The trees of the island, by their roots.
static void number_trees(const HeftModel* m, Constraints* c, Island* island) {
  for (int i = 0; i < island->link_count; ++i) {
    const int k = island->links[i];
    if (heft_link_root(m, k) != k) continue;
    const int place = island->tree_first + island->tree_count++;
    c->root_place[k] = place;
    c->tree_links[place] = c->tree_dofs[place] = c->tree_wires[place] = 0;
  }
}

static void find_link(const HeftModel* m, Constraints* c, int link) {
  if (link == 0 || c->link_mover[link] >= 0) return;
  c->link_mover[link] = c->tree_links[c->root_place[heft_link_root(m, link)]]++;
  c->found_link[c->found_links++] = link;
}

static void find_dof(const HeftModel* m, Constraints* c, int dof) {
  if (dof < 0 || c->dof_mover[dof] >= 0) return;
  c->dof_mover[dof] = c->tree_dofs[c->root_place[heft_dof_root(m, dof)]]++;
  c->found_dof[c->found_dofs++] = dof;
}

static void find_wire(const HeftWorld* w, int wire) {
  Constraints* c = w->constraints;
  if (wire < 0 || w->wires->mover[wire] >= 0) return;
  w->wires->mover[wire] = c->tree_wires[c->root_place[w->wires->root[wire]]]++;
  c->found_wire[c->found_wires++] = wire;
}

// Where the movers of each tree begin: links first, then dofs by six, then wires by six.
static void lay_out_trees(Constraints* c, Island* island) {
  size_t omega = 0;
  for (int t = island->tree_first; t < island->tree_first + island->tree_count; ++t) {
    const int movers =
        c->tree_links[t] + heft_movers_of(c->tree_dofs[t]) + heft_movers_of(c->tree_wires[t]);
    c->trees[t] = (HeftContactTree){
        .mover_first = island->mover_count, .mover_count = movers, .omega = (int)omega};
    island->mover_count += movers;
    omega += 36 * (size_t)movers * (size_t)movers;
  }
}

// The numbers within a tree become numbers within the island.
static void settle_movers(const HeftModel* m, Constraints* c, const Island* island, int first_link,
                          int first_dof) {
  HeftMover* movers = c->movers + island->mover_first;
  for (int i = first_link; i < c->found_links; ++i) {
    const int link = c->found_link[i], t = c->root_place[heft_link_root(m, link)];
    c->link_mover[link] += c->trees[t].mover_first;
    movers[c->link_mover[link]] = (HeftMover){.body = heft_link_body(m, link)};
  }
  for (int i = first_dof; i < c->found_dofs; ++i) {
    const int dof = c->found_dof[i], t = c->root_place[heft_dof_root(m, dof)],
              place = c->dof_mover[dof];
    c->dof_lane[dof] = place % MOVER_DOFS;
    c->dof_mover[dof] = c->trees[t].mover_first + c->tree_links[t] + place / MOVER_DOFS;
    HeftMover* mover = &movers[c->dof_mover[dof]];
    if (c->dof_lane[dof] == 0) *mover = (HeftMover){.body = -1};
    mover->dof[mover->dof_count++] = dof;
  }
}

static void settle_wires(const HeftWorld* w, const Island* island, int first) {
  Constraints* c = w->constraints;
  const Wires* x = w->wires;
  for (int i = first; i < c->found_wires; ++i) {
    const int wire = c->found_wire[i], t = c->root_place[x->root[wire]], place = x->mover[wire];
    x->lane[wire] = place % MOVER_DOFS;
    x->mover[wire] = c->trees[t].mover_first + c->tree_links[t] + heft_movers_of(c->tree_dofs[t]) +
                     place / MOVER_DOFS;
    HeftMover* mover = &c->movers[island->mover_first + x->mover[wire]];
    if (x->lane[wire] == 0) *mover = (HeftMover){.body = -1};
    mover->direction[mover->direction_count++] = &x->direction[wire];
  }
}

static void number_movers(const HeftWorld* w, Island* island) {
  const HeftModel* m = w->model;
  Constraints* c = w->constraints;
  const int first_link = c->found_links, first_dof = c->found_dofs, first_wire = c->found_wires;
  for (int i = 0; i < island->count; ++i) {
    const Constraint* k = &c->list[island->order[i]];
    for (int s = 0; s < 2; ++s) find_link(m, c, k->link[s]);
    for (int s = 0; s < 3; ++s) find_dof(m, c, k->dof[s]);
    for (int s = 0; s < 2; ++s) find_wire(w, k->wire[s]);
    island->rows += k->rows;
  }
  lay_out_trees(c, island);
  settle_movers(m, c, island, first_link, first_dof);
  settle_wires(w, island, first_wire);
}

// Those of the step before.
static void forget_movers(const HeftWorld* w) {
  Constraints* c = w->constraints;
  for (int i = 0; i < c->found_wires; ++i) w->wires->mover[c->found_wire[i]] = -1;
  for (int i = 0; i < c->found_links; ++i) c->link_mover[c->found_link[i]] = -1;
  for (int i = 0; i < c->found_dofs; ++i) c->dof_mover[c->found_dof[i]] = -1;
  c->found_links = c->found_dofs = c->found_wires = 0;
}

// Lays out all islands one after the other. Those without constraints are empty.
static void lay_out(const HeftWorld* w) {
  Constraints* c = w->constraints;
  Island next = {0};
  for (int i = 0; i < c->island_count; ++i) {
    const int first = c->island_first[i];
    Island* island = &c->island[i];
    *island = next;
    island->order = c->order + first;
    island->count = c->island_first[i + 1] - first;
    island->links = c->islands.link + c->islands.link_first[i];
    island->link_count = c->islands.link_first[i + 1] - c->islands.link_first[i];
    if (island->count == 0) continue;
    number_trees(w->model, c, island);
    number_movers(w, island);
    next.contact_first += island->count;
    next.row_first += island->rows;
    next.tree_first += island->tree_count;
    next.mover_first += island->mover_count;
    const HeftContactTree* last = &c->trees[island->tree_first + island->tree_count - 1];
    next.omega_first +=
        (size_t)last->omega + 36 * (size_t)last->mover_count * (size_t)last->mover_count;
  }
}

void heft_constraints_group(HeftWorld* w) {
  Constraints* c = w->constraints;
  memset(c->active, 0, (size_t)heft_link_count(w->model) * sizeof(int));
  heft_wires_mark(w, c->active);
  heft_couplings_mark(w, c->active);
  c->island_count = 0;
  forget_movers(w);
  if (c->count == 0) return;
  const int joined = gather_joined(w, c->joined);
  c->islands = heft_collider_islands(c->collider, (const int(*)[2])c->joined, joined);
  const HeftIslands islands = c->islands;
  c->island_count = islands.count;
  memset(c->island_first, 0, (size_t)(islands.count + 1) * sizeof(int));
  for (int i = 0; i < c->count; ++i) {
    Constraint* k = &c->list[i];
    k->island = islands.link_island[constraint_link(w, k)];
    ++c->island_first[k->island + 1];
    heft_constraint_set_roots(w, k, 1, c->active);
  }
  for (int i = 0; i < islands.count; ++i) c->island_first[i + 1] += c->island_first[i];
  for (int i = 0; i < c->count; ++i) c->order[c->island_first[c->list[i].island]++] = i;
  for (int i = islands.count; i > 0; --i) c->island_first[i] = c->island_first[i - 1];
  c->island_first[0] = 0;
  lay_out(w);
}

// ---- the problem of one island

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

// Rows of a constraint between links. What cannot move leaves its place to the other.
static void place_link_rows(const Constraints* c, const Constraint* k, HeftContact* contact,
                            double (*out)[12]) {
  const double(*axis)[12] = (const double(*)[12])c->axis + k->row;
  const int first = k->link[0] != 0 ? 0 : 1, both = first == 0 && k->link[1] != 0;
  contact->mover[0] = c->link_mover[k->link[first]];
  if (both) {
    contact->mover[1] = c->link_mover[k->link[1]];
    memcpy(out, axis, (size_t)k->rows * sizeof *out);
    return;
  }
  for (int r = 0; r < k->rows; ++r) {
    for (int n = 0; n < 6; ++n) {
      out[r][n] = axis[r][6 * first + n];
      out[r][6 + n] = 0;
    }
  }
}

// The one row of a constraint along wires.
static void place_wire_row(const HeftWorld* w, const Constraint* k, HeftContact* contact,
                           double* out) {
  for (int s = 0; s < 2 && k->wire[s] >= 0; ++s) {
    contact->mover[s] = w->wires->mover[k->wire[s]];
    out[6 * s + w->wires->lane[k->wire[s]]] = w->constraints->axis[k->row][0];
  }
}

static void place_rows(const HeftWorld* w, const Constraint* k, HeftContact* contact,
                       double (*out)[12]) {
  const Constraints* c = w->constraints;
  if (k->wire[0] < 0 && k->dof[0] < 0) {
    place_link_rows(c, k, contact, out);
    return;
  }
  memset(out, 0, sizeof *out);
  if (k->wire[0] >= 0) {
    place_wire_row(w, k, contact, *out);
  } else {
    place_dof_row(c, k, c->axis[k->row], contact, *out);
  }
}

static const HeftContactTree* tree_of_mover(const HeftContactTree* trees, int count, int mover) {
  int low = 0, high = count - 1;
  while (low < high) {
    const int middle = (low + high + 1) / 2;
    if (trees[middle].mover_first <= mover) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return &trees[low];
}

// xᵀ Ω_ab y between two movers of a tree.
static double mobility(const double* omegas, const HeftContactTree* tree, int a, int b,
                       const double* x, const double* y) {
  const int size = 6 * tree->mover_count;
  const double* omega = omegas + tree->omega + (long)(6 * (a - tree->mover_first)) * size +
                        6 * (b - tree->mover_first);
  double sum = 0;
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j < 6; ++j) sum += x[i] * omega[(long)i * size + j] * y[j];
  }
  return sum;
}

// A loop may ask for what cannot move anyway: the third direction of a plane mechanism. Such a row
// has nothing to solve.
static int is_idle(const HeftContactProblem* p, const HeftContact* contact, const double* x) {
  double moves = 0, scale = 0;
  const HeftContactTree* tree[2] = {NULL, NULL};
  for (int s = 0; s < 2; ++s) {
    if (contact->mover[s] < 0) continue;
    const int mover = contact->mover[s];
    tree[s] = tree_of_mover(p->trees, p->tree_count, mover);
    moves += mobility(p->omega, tree[s], mover, mover, x + 6L * s, x + 6L * s);
    for (int i = 0; i < 6; ++i) {
      double unit[6] = {0};
      unit[i] = x[6 * s + i];
      scale += mobility(p->omega, tree[s], mover, mover, unit, unit);
    }
  }
  if (tree[0] && tree[0] == tree[1])
    moves += 2 * mobility(p->omega, tree[0], contact->mover[0], contact->mover[1], x, x + 6);
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

static HeftContactProblem empty_problem(const HeftWorld* w, const Island* island) {
  const Constraints* c = w->constraints;
  return (HeftContactProblem){.contacts = c->contacts + island->contact_first,
                              .bias = c->bias + island->row_first,
                              .warm = c->sorted_warm + island->row_first,
                              .velocity_scale = w->weight_speed,
                              .mover_count = island->mover_count,
                              .tree_count = island->tree_count,
                              .trees = c->trees + island->tree_first,
                              .omega = c->omega + island->omega_first,
                              .jacobian = c->jacobian[island->row_first]};
}

// Ω of the trees of an island, which stays as it is until the mass matrix is factored again.
static void work_out_mobility(const HeftWorld* w, Island* island, double* scratch) {
  Constraints* c = w->constraints;
  if (island->mobile) return;
  for (int t = island->tree_first; t < island->tree_first + island->tree_count; ++t) {
    const HeftContactTree* tree = &c->trees[t];
    heft_delassus_movers(w->dynamics, tree->mover_count,
                         c->movers + island->mover_first + tree->mover_first, scratch,
                         c->omega + island->omega_first + tree->omega);
  }
  island->mobile = 1;
}

void heft_islands_refactored(HeftWorld* w) {
  for (int i = 0; i < w->constraints->island_count; ++i) w->constraints->island[i].mobile = 0;
}

static HeftContactProblem build(const HeftWorld* w, Island* island, double* scratch) {
  Constraints* c = w->constraints;
  HeftContactProblem problem = empty_problem(w, island);
  work_out_mobility(w, island, scratch);
  HeftContact* contacts = c->contacts + island->contact_first;
  double *bias = c->bias + island->row_first, *warm = c->sorted_warm + island->row_first;
  double(*jacobian)[12] = c->jacobian + island->row_first;
  int row = 0, placed = 0;
  for (int i = 0; i < island->count; ++i) {
    const Constraint* k = &c->list[island->order[i]];
    HeftContact contact = law_of(k, row);
    const int rows = k->rows;
    place_rows(w, k, &contact, jacobian + row);
    for (int r = 0; r < rows; ++r) {
      bias[row + r] = c->velocity[k->row + r];
      warm[row + r] = c->cold ? 0 : c->warm[k->row + r];
    }
    if (k->waiting) continue;
    if (k->kind == CONSTRAINT_EQUALITY && is_idle(&problem, &contact, jacobian[row])) continue;
    c->source[island->contact_first + placed] = island->order[i];
    contacts[placed++] = contact;
    row += rows;
  }
  problem.contact_count = island->placed = placed;
  problem.row_count = island->rows = row;
  return problem;
}

// Impulses and velocities of the end, back at the rows of the list.
static void read_back(Constraints* c, const Island* island, double* impulse) {
  for (int i = 0; i < island->count; ++i) impulse[c->list[island->order[i]].row] = 0;
  for (int i = 0; i < island->placed; ++i) {
    const Constraint* k = &c->list[c->source[island->contact_first + i]];
    const int from = island->row_first + c->contacts[island->contact_first + i].row;
    for (int r = 0; r < k->rows; ++r) {
      impulse[k->row + r] = c->sorted_impulse[from + r];
      c->velocity[k->row + r] = c->sorted_velocity[from + r];
    }
  }
}

// ---- solving

// Where several points of a face carry a load, statics leaves open how they share it, and with it
// whether a block between two pads is held or turns away about one corner: both obey the laws. Real
// faces give way a little, and so share. So islands with many new touches are first solved as if
// all contacts yielded a little; the exact solution is then sought from there, and later steps go
// on from it. Only small islands, whatever the clock says, so that a step can be repeated.
static const double new_share = 0.25;  // of the constraints are new touches
static const double yielding = 0.01;   // HeftContactProblem::compliance
static const double yielding_tolerance = 1e-3;
enum { YIELDING_WORK = 60, YIELDING_MOST = 64 };

static int is_new(const Constraints* c, const Island* island) {
  int fresh = 0;
  if (island->count > YIELDING_MOST) return 0;
  for (int i = 0; i < island->count; ++i) fresh += c->list[island->order[i]].fresh;
  return fresh > 2 && fresh > new_share * island->count;
}

// Impulses to start from, into the warm ones.
static void start_yielding(Constraints* c, const Island* island, Worker* own,
                           const HeftContactProblem* problem, double* impulse) {
  HeftContactProblem soft = *problem;
  soft.compliance = yielding;
  const HeftContactStop stop = {.tolerance = yielding_tolerance, .work_max = YIELDING_WORK};
  heft_contact_solve(own->solver, &soft, &stop, impulse, NULL);
  memcpy(c->sorted_warm + island->row_first, impulse, (size_t)island->rows * sizeof(double));
}

// Where statics leaves forces open, those of least norm if they are asked for. Otherwise those of
// the last step, as near as the new load allows: the solver starts from them and mostly ends beside
// them; where it has gone much further than its first residual asked for, and so far that it
// counts, it is called back.
static const double far = 10, noticed = 1e-3;

static void choose_forces(const HeftWorld* w, const Island* island, Worker* own,
                          const HeftContactProblem* problem, double* impulse, double* velocity) {
  const HeftContactResult* result = &island->result;
  const double tolerance = island->stop.tolerance;
  if (w->def.least_forces)
    heft_contact_select(own->solver, problem, tolerance, impulse, velocity);
  else if (!w->constraints->cold && island->count <= YIELDING_MOST && result->work > 0 &&
           result->way > fmax(noticed, far * (result->start + tolerance)))
    heft_contact_select_near(own->solver, problem, tolerance, impulse, velocity);
}

typedef struct Task {
  HeftWorld* world;
  double* impulse;
  int certify;
} Task;

static void solve_exactly(const Task* task, Island* island, Worker* own,
                          const HeftContactProblem* problem, double* impulse, double* velocity) {
  Constraints* c = task->world->constraints;
  if (task->certify && !c->cold && is_new(c, island))
    start_yielding(c, island, own, problem, impulse);
  island->result = heft_contact_solve(own->solver, problem, &island->stop, impulse, velocity);
  // by the residual, not by the status: a step that is repeated has no clock that could stop it
  if (task->certify && island->result.relative <= island->stop.tolerance)
    choose_forces(task->world, island, own, problem, impulse, velocity);
}

// Rows that ask for the same thing twice, like those of a loop in a mechanism that moves in a
// plane, leave forces open. Large ones that cancel each other may grow there from step to step,
// until velocities are taken for solved that the impulses do not give: the certificate sees that.
// Such an island is solved again from nothing, with rows that yield by a hair's breadth, which
// keeps what cancels small; the better answer counts. What gives energy even then is not applied.
static const double hair = 1e-9;    // HeftContactProblem::compliance
static const double trusted = 100;  // times the residual that was asked for

static int is_wrong(const Island* island, const HeftContactProblem* problem) {
  const HeftContactCertificate* proof = &island->proof;
  const double scale =
      proof->relative > 0 ? proof->residual / proof->relative : problem->velocity_scale;
  const double said = fmax(island->result.relative, island->stop.tolerance);
  return !(proof->momentum <= said * scale) || !(proof->relative <= trusted * said);
}

// Not under a deadline; and a step that is repeated has work left only if it did so then.
static int may_try_again(const Island* island) {
  return island->stop.deadline_ns == 0 &&
         (island->stop.work_max == 0 || island->result.work < island->stop.work_max);
}

static void mistrust(const Task* task, Island* island, Worker* own,
                     const HeftContactProblem* problem, double* impulse, double* velocity) {
  double* first = task->world->constraints->sorted_warm + island->row_first;  // not needed any more
  const HeftContactCertificate old = island->proof;
  const HeftContactResult before = island->result;
  const size_t bytes = (size_t)island->rows * sizeof(double);
  if (!may_try_again(island) || !is_wrong(island, problem)) return;
  HeftContactProblem soft = *problem;
  soft.compliance = hair;
  soft.warm = NULL;
  memcpy(first, impulse, bytes);
  island->result = heft_contact_solve(own->solver, &soft, &island->stop, impulse, velocity);
  island->result.work += before.work;
  island->result.sweeps += before.sweeps;
  island->result.newtons += before.newtons;
  island->proof = heft_contact_certify(problem, impulse, velocity, own->scratch);
  const double enough = fmax(old.relative, trusted * island->stop.tolerance);
  if (island->proof.energy_change <= 0 && island->proof.relative <= enough) return;
  if (old.energy_change <= 0 && old.relative <= island->proof.relative) {
    memcpy(impulse, first, bytes);
    island->proof = old;
  } else if (!(island->proof.energy_change <= 0)) {
    memset(impulse, 0, bytes);
    memcpy(velocity, problem->bias, bytes);
    island->proof = heft_contact_certify(problem, impulse, velocity, own->scratch);
  }
}

static void solve_island(void* arg, int worker, int index) {
  const Task* task = arg;
  Constraints* c = task->world->constraints;
  Island* island = &c->island[index];
  if (island->count == 0 || (task->certify && !c->again[index])) return;
  island->asleep =
      task->certify && !c->cold && heft_rest_asleep(task->world, island, task->impulse);
  if (island->asleep) return;
  Worker* own = &c->workers[worker];
  if (!task->certify && heft_apart_fits(task->world, island)) {
    work_out_mobility(task->world, island, own->scratch);
    heft_apart_solve(task->world, island, own->scratch, task->impulse);
    return;
  }
  double *impulse = c->sorted_impulse + island->row_first,
         *velocity = c->sorted_velocity + island->row_first;
  const HeftContactProblem problem = build(task->world, island, own->scratch);
  const int other = task->certify && c->model &&
                    heft_contact_model_solve(task->world, island, own, &problem, impulse, velocity);
  if (!other) solve_exactly(task, island, own, &problem, impulse, velocity);
  if (task->certify)
    island->proof = heft_contact_certify(&problem, impulse, velocity, own->scratch);
  if (task->certify && !other) mistrust(task, island, own, &problem, impulse, velocity);
  read_back(c, island, task->impulse);
}

// Islands so large that all threads work on one of them, colour by colour.
enum { LARGE = 1024 };

static int is_large(const Constraints* c, const Island* island) {
  return c->pool && island->count >= LARGE;
}

static void solve_unless_large(void* arg, int worker, int index) {
  const Constraints* c = ((const Task*)arg)->world->constraints;
  if (!is_large(c, &c->island[index])) solve_island(arg, worker, index);
}

// Large islands one after the other, all others side by side.
static void solve_all(Constraints* c, Task* task) {
  for (int i = 0; i < c->island_count; ++i) {
    if (is_large(c, &c->island[i])) solve_island(task, 0, i);
  }
  c->sharing = 1;
  heft_pool_run(c->pool, c->island_count, solve_unless_large, task);
  c->sharing = 0;
}

static double larger(double a, double b) { return b > a ? b : a; }

static void add_to_report(HeftStepReport* report, const Island* island, double h) {
  const HeftContactCertificate* proof = &island->proof;
  report->islands += 1;
  report->sleeping += island->asleep;
  report->sweeps += island->result.sweeps;
  report->newtons += island->result.newtons;
  report->fallbacks += island->fell_back;
  report->residual = larger(report->residual, proof->residual);
  report->relative = larger(report->relative, proof->relative);
  report->cone = larger(report->cone, proof->cone / h);
  report->gap_power = larger(report->gap_power, proof->complementarity / h);
  if (!proof->finite) report->residual = report->relative = (double)INFINITY;
}

void heft_islands_solve(HeftWorld* w, const HeftContactStop* stop, BudgetStage stage,
                        double* impulse, HeftStepReport* report) {
  Constraints* c = w->constraints;
  Task task = {.world = w, .impulse = impulse, .certify = report != NULL};
  for (int i = 0; i < c->island_count; ++i) {
    c->island[i].result = (HeftContactResult){.work = 0};
    c->island[i].asleep = c->island[i].settled = c->island[i].fell_back = 0;
    c->island[i].hash = 0;
  }
  heft_budget_share(w, stop, stage);
  solve_all(c, &task);
  heft_budget_note(w, stage);
  for (int i = 0; i < c->island_count && report; ++i) {
    if (c->island[i].count > 0 && c->again[i])
      add_to_report(report, &c->island[i], w->def.time_step);
  }
}
