// SPDX-License-Identifier: Apache-2.0
// Rest: islands that do not move.
//
// Settling. Impulses are found to a tolerance, so a body at rest keeps a velocity of the size of
// rounding, and creeps. An island whose joints all were slower than the speed of rest before a step
// and are so after it, by about the same, has been pushed by nothing that counts: its velocities
// become zero.
//
// Sleeping. What the solver does to an island depends on what it is given, and on nothing else. If
// that has the same bits as in the last step, and the last step left everything as it was, the
// answer is known: the impulses of the last step. So an island at rest is looked at by one hash; it
// wakes by itself when anything about it changes, and the bits are those of a world that never
// sleeps. Contact models other than the exact one do not sleep.
#include <math.h>
#include <string.h>

#include "world/world_internal.h"

static const double near_speed = 1e-5;    // of gravity x time step
static const double steady_share = 0.01;  // of the speed of rest, that a step may add
static const int near_most = 64;          // constraints of an island

// ---- settling

static int is_slow(const double* v, int first, int count, double speed) {
  for (int i = first; i < first + count; ++i) {
    if (!(fabs(v[i]) <= speed)) return 0;
  }
  return 1;
}

// Slow before and after the step, and not on its way to be faster: what begins to slide by a hair's
// breadth is slow at first, too.
static int island_stays_slow(const HeftWorld* w, const Island* island, const double* v) {
  for (int i = 0; i < island->link_count; ++i) {
    const int first = heft_link_dof(w->model, island->links[i]);
    for (int n = first; n < first + heft_link_dof_count(w->model, island->links[i]); ++n) {
      const double before = w->before->v[n], change = v[n] - before;
      if (!(fabs(before) <= w->rest_speed && fabs(v[n]) <= w->rest_speed)) return 0;
      if (!(fabs(change) <= steady_share * w->rest_speed)) return 0;
    }
  }
  return 1;
}

// All joints of an island were no faster than this before the step.
static int island_was_slow(const HeftWorld* w, const Island* island, double speed) {
  for (int i = 0; i < island->link_count; ++i) {
    const int first = heft_link_dof(w->model, island->links[i]);
    if (!is_slow(w->before->v, first, heft_link_dof_count(w->model, island->links[i]), speed))
      return 0;
  }
  return 1;
}

int heft_rest_is_near(const HeftWorld* w, const Island* island) {
  return w->def.rest > 0 && island->count <= near_most &&
         island_was_slow(w, island, near_speed * w->weight_speed);
}

// Nothing moves, so every row moves by what was added to it.
static void stop_rows(Constraints* c, const Island* island) {
  for (int i = 0; i < island->count; ++i) {
    const Constraint* k = &c->list[island->order[i]];
    for (int r = k->row; r < k->row + heft_contact_type_rows(k->type); ++r)
      c->velocity[r] = c->push[r];
  }
}

void heft_rest_settle(HeftWorld* w, double* v) {
  Constraints* c = w->constraints;
  if (!(w->rest_speed > 0)) return;
  for (int i = 0; i < c->island_count; ++i) {
    Island* island = &c->island[i];
    if (island->count == 0 || !island_stays_slow(w, island, v)) continue;
    for (int n = 0; n < island->link_count; ++n) {
      const int first = heft_link_dof(w->model, island->links[n]);
      memset(v + first, 0, (size_t)heft_link_dof_count(w->model, island->links[n]) * sizeof *v);
    }
    stop_rows(c, island);
    island->settled = 1;
  }
}

// ---- sleeping

static uint64_t hash_doubles(const double* x, long count, uint64_t seed) {
  return count > 0 ? heft_hash(x, (size_t)count * sizeof *x, seed) : seed;
}

static uint64_t hash_constraint(const Constraints* c, const Constraint* k, uint64_t hash) {
  const int rows = heft_contact_type_rows(k->type);
  const double numbers[7] = {k->mu,    k->mu_static, k->mu_roll, k->mu_spin,
                             k->lower, k->upper,     k->gap};
  const int names[9] = {(int)k->kind, (int)k->type, k->link[0], k->link[1], k->dof[0],
                        k->dof[1],    k->dof[2],    k->wire[0], k->wire[1]};
  hash = heft_hash(names, sizeof names, hash);
  hash = hash_doubles(numbers, 7, hash);
  hash = hash_doubles(c->velocity + k->row, rows, hash);
  return hash_doubles(c->warm + k->row, rows, hash);
}

// Everything that the solution of an island depends on. Where its bodies are tells how its
// constraints lie.
static uint64_t hash_island(const HeftWorld* w, const Island* island) {
  const Constraints* c = w->constraints;
  uint64_t hash = (uint64_t)island->count;
  for (int i = 0; i < island->count; ++i)
    hash = hash_constraint(c, &c->list[island->order[i]], hash);
  for (int i = 0; i < island->link_count; ++i) {
    const int k = island->links[i], dof = heft_link_dof(w->model, k);
    hash =
        hash_doubles(w->state->q + heft_link_q(w->model, k), heft_link_q_count(w->model, k), hash);
    hash =
        hash_doubles(heft_factor_pivots(w->dynamics) + dof, heft_link_dof_count(w->model, k), hash);
  }
  return hash | 1;  // never 0, which stands for none
}

int heft_rest_asleep(const HeftWorld* w, Island* island, double* impulse) {
  Constraints* c = w->constraints;
  if (!w->def.sleep || c->model) return 0;
  const Dream* dream = &c->dream[island->links[0]];
  island->hash = 0;
  if (!island_was_slow(w, island, 0)) return 0;
  island->hash = hash_island(w, island);
  if (dream->hash != island->hash) return 0;
  island->proof = dream->proof;
  island->result = (HeftContactResult){.status = HEFT_CONTACT_SOLVED, .clamp = 1};
  for (int i = 0; i < island->count; ++i) {
    const Constraint* k = &c->list[island->order[i]];
    memcpy(impulse + k->row, c->warm + k->row,
           (size_t)heft_contact_type_rows(k->type) * sizeof(double));
  }
  stop_rows(c, island);
  return 1;
}

static int is_unchanged(const Constraints* c, const Island* island) {
  for (int i = 0; i < island->count; ++i) {
    const Constraint* k = &c->list[island->order[i]];
    if (memcmp(c->impulse + k->row, c->warm + k->row,
               (size_t)heft_contact_type_rows(k->type) * sizeof(double)) != 0)
      return 0;
  }
  return 1;
}

void heft_rest_fall_asleep(HeftWorld* w) {
  Constraints* c = w->constraints;
  if (!w->def.sleep || c->model) return;
  for (int i = 0; i < c->island_count; ++i) {
    const Island* island = &c->island[i];
    if (island->count == 0) continue;
    Dream* dream = &c->dream[island->links[0]];
    dream->hash = island->settled && is_unchanged(c, island) ? island->hash : 0;
    dream->proof = island->proof;
  }
}
