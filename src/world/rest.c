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
static const int near_max = 64;           // constraints of an island

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
  return w->def.rest > 0 && island->count <= near_max &&
         island_was_slow(w, island, near_speed * w->weight_speed);
}

// Nothing moves, so every row moves by what was added to it.
static void stop_rows(Constraints* c, const Island* island) {
  for (int i = 0; i < island->count; ++i) {
    const Constraint* k = &c->list[island->order[i]];
    for (int r = k->row; r < k->row + k->rows; ++r) c->velocity[r] = c->push[r];
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

// Four hashes side by side, since each waits for its last number.
typedef struct Hashes {
  uint64_t names, numbers, velocities, impulses;
} Hashes;

static inline uint64_t mix(uint64_t hash, uint64_t word) {
  hash = (hash ^ word) * 0xBF58476D1CE4E5B9u;
  return hash ^ (hash >> 32);
}

static inline uint64_t mix_ints(uint64_t hash, int a, int b) {
  return mix(hash, (uint64_t)(uint32_t)a << 32 | (uint32_t)b);
}

static inline uint64_t mix_doubles(uint64_t hash, const double* x, int count) {
  for (int i = 0; i < count; ++i) {
    uint64_t word = 0;
    memcpy(&word, x + i, sizeof word);
    hash = mix(hash, word);
  }
  return hash;
}

static void mix_constraint(const Constraints* c, const Constraint* k, Hashes* h) {
  const double point[3] = {k->mu, k->mu_static, k->gap};
  const double others[4] = {k->mu_roll, k->mu_spin, k->lower, k->upper};
  h->names = mix_ints(h->names, (int)k->kind, (int)k->type);
  h->names = mix_ints(h->names, k->link[0], k->link[1]);
  h->numbers = mix_doubles(h->numbers, point, 3);
  if (k->type != HEFT_CONSTRAINT_POINT) {
    h->names = mix_ints(h->names, k->dof[0], k->dof[1]);
    h->names = mix_ints(h->names, k->dof[2], k->wire[0]);
    h->names = mix_ints(h->names, k->wire[1], 0);
    h->numbers = mix_doubles(h->numbers, others, 4);
  }
  h->velocities = mix_doubles(h->velocities, c->velocity + k->row, k->rows);
  h->impulses = mix_doubles(h->impulses, c->warm + k->row, k->rows);
}

// Everything that the solution of an island depends on. Where its bodies are tells how its
// constraints lie.
static uint64_t hash_island(const HeftWorld* w, const Island* island) {
  const Constraints* c = w->constraints;
  Hashes h = {1, 2, 3, 4};
  for (int i = 0; i < island->count; ++i) mix_constraint(c, &c->list[island->order[i]], &h);
  for (int i = 0; i < island->link_count; ++i) {
    const int k = island->links[i];
    h.velocities = mix_doubles(h.velocities, w->state->q + heft_link_q(w->model, k),
                               heft_link_q_count(w->model, k));
    h.numbers = mix_doubles(h.numbers, heft_factor_pivots(w->dynamics) + heft_link_dof(w->model, k),
                            heft_link_dof_count(w->model, k));
  }
  return heft_hash(&h, sizeof h, (uint64_t)island->count) | 1;  // never 0, which stands for none
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
    heft_rows_copy(k, c->warm + k->row, impulse + k->row);
  }
  stop_rows(c, island);
  return 1;
}

static int is_unchanged(const Constraints* c, const Island* island) {
  for (int i = 0; i < island->count; ++i) {
    const Constraint* k = &c->list[island->order[i]];
    if (memcmp(c->impulse + k->row, c->warm + k->row, (size_t)k->rows * sizeof(double)) != 0)
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
