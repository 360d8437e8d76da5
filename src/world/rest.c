// SPDX-License-Identifier: Apache-2.0
// Rest: islands that do not move.
//
// Settling. Impulses are solved to a tolerance, so a body at rest keeps a velocity of the size of
// rounding, and creeps. If all joints of an island were slower than the speed of rest before a step
// and are so after it, by about the same, the forces on it balance: its velocities become zero.
//
// Sleeping. The solution of an island depends only on its inputs. If these have the same bits as in
// the last step, and the last step changed nothing, the solution is known: the impulses of the last
// step. One hash of the inputs decides. The island wakes when any input changes, and the bits are
// as in a world that never sleeps. Only the exact contact model sleeps.
#include "world/rest.h"

#include <math.h>
#include <string.h>

#include "dynamics/links.h"
#include "world/surface.h"

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

// Slow before and after the step, and not accelerating: a body that begins to slide is slow at
// first, too.
static int island_stays_slow(const StepInput* in, const Island* island, const double* v) {
  for (int i = 0; i < island->link_count; ++i) {
    const int first = heft_link_dof(in->model, island->links[i]);
    for (int n = first; n < first + heft_link_dof_count(in->model, island->links[i]); ++n) {
      const double before = in->start->v[n], change = v[n] - before;
      if (!(fabs(before) <= in->rest_speed && fabs(v[n]) <= in->rest_speed)) return 0;
      if (!(fabs(change) <= steady_share * in->rest_speed)) return 0;
    }
  }
  return 1;
}

// All joints of an island were no faster than this before the step.
static int island_was_slow(const StepInput* in, const Island* island, double speed) {
  for (int i = 0; i < island->link_count; ++i) {
    const int first = heft_link_dof(in->model, island->links[i]);
    if (!is_slow(in->start->v, first, heft_link_dof_count(in->model, island->links[i]), speed))
      return 0;
  }
  return 1;
}

int heft_rest_is_in_part(const StepInput* in, const Island* island) {
  int slow = 0, root = -1;
  if (!(in->def->rest > 0 && island->count <= near_max)) return 0;
  for (int i = 0; i < island->link_count; ++i) {
    const int link = island->links[i], own = heft_link_root(in->model, link);
    if (own != root && slow) return 1;
    if (own != root) slow = 1;
    root = own;
    slow = slow && is_slow(in->start->v, heft_link_dof(in->model, link),
                           heft_link_dof_count(in->model, link), near_speed * in->weight_speed);
  }
  return slow;
}

int heft_rest_is_near(const StepInput* in, const Island* island) {
  return in->def->rest > 0 && island->count <= near_max &&
         island_was_slow(in, island, near_speed * in->weight_speed);
}

// The velocity of a row at rest is its bias velocity.
static void stop_rows(const ConstraintSet* set, const Island* island, const double* bias,
                      double* velocity) {
  for (int i = 0; i < island->count; ++i) {
    const Constraint* k = &set->list[island->order[i]];
    for (int r = k->row; r < k->row + k->rows; ++r) velocity[r] = bias[r];
  }
}

typedef struct Settling {
  const StepInput* in;
  const IslandSet* islands;
  const ConstraintSet* set;
  const double* bias;
  IslandSolution* solution;
  double* v;
} Settling;

static void settle_range(void* arg, int first, int end) {
  const Settling* s = arg;
  const HeftModel* m = s->in->model;
  for (int i = first; i < end; ++i) {
    const Island* island = &s->islands->list[i];
    if (island->count == 0 || !island_stays_slow(s->in, island, s->v)) continue;
    if (heft_surface_carries(s->set, island)) continue;
    for (int n = 0; n < island->link_count; ++n) {
      const int dof = heft_link_dof(m, island->links[n]);
      memset(s->v + dof, 0, (size_t)heft_link_dof_count(m, island->links[n]) * sizeof *s->v);
    }
    stop_rows(s->set, island, s->bias, s->solution->velocity);
    s->solution->island[i].settled = 1;
  }
}

void heft_rest_settle(const StepInput* in, const IslandSet* islands, const ConstraintSet* set,
                      const double* bias, IslandSolution* solution, double* v, HeftPool* pool) {
  if (!(in->rest_speed > 0)) return;
  Settling settling = {in, islands, set, bias, solution, v};
  heft_pool_run_ranges(pool, islands->count, ISLAND_RANGE, settle_range, &settling);
}

// ---- sleeping

// Four independent hashes, so that the processor computes them in parallel.
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

static void mix_constraint(const ConstraintSet* set, const double* velocity, const Constraint* k,
                           Hashes* h) {
  const double point[3] = {k->mu, k->mu_static, k->gap};
  const double others[4] = {k->mu_roll, k->mu_spin, k->lower, k->upper};
  h->names = mix_ints(h->names, (int)k->kind, (int)k->type);
  h->names = mix_ints(h->names, k->link[0], k->link[1]);
  h->numbers = mix_doubles(h->numbers, point, 3);
  if (k->type != HEFT_CONSTRAINT_POINT) {
    h->names = mix_ints(h->names, k->dof[0], k->dof[1]);
    h->names = mix_ints(h->names, k->dof[2], k->direction[0]);
    h->names = mix_ints(h->names, k->direction[1], 0);
    h->numbers = mix_doubles(h->numbers, others, 4);
  }
  if (set->soft) h->numbers = mix_doubles(h->numbers, &k->softness, 1);
  h->velocities = mix_doubles(h->velocities, velocity + k->row, k->rows);
  h->impulses = mix_doubles(h->impulses, set->warm + k->row, k->rows);
}

// The poses of the moved bodies that a constraint acts on.
static uint64_t mix_moved(const StepInput* in, const ConstraintSet* set, const Constraint* k,
                          uint64_t hash) {
  int body[2];
  if (!heft_surface_bodies(in->model, set, k, body)) return hash;
  for (int s = 0; s < 2; ++s) {
    const int moved = heft_surface_moved(in->model, body[s]);
    if (moved >= 0) hash = mix_doubles(hash, in->start->moved + 13L * moved, 7);
  }
  return hash;
}

// Everything that the solution of an island depends on. The positions of its bodies determine the
// axes of its constraints.
static uint64_t hash_island(const StepInput* in, const HeftDynamics* dynamics, const Island* island,
                            const SolveRequest* request) {
  const ConstraintSet* set = request->set;
  Hashes h = {1, 2, 3, 4};
  for (int i = 0; i < island->count; ++i)
    mix_constraint(set, request->velocity, &set->list[island->order[i]], &h);
  for (int i = 0; i < island->count && in->model->nmoved > 0; ++i)
    h.numbers = mix_moved(in, set, &set->list[island->order[i]], h.numbers);
  for (int i = 0; i < island->link_count; ++i) {
    const int k = island->links[i];
    h.velocities = mix_doubles(h.velocities, in->start->q + heft_link_q(in->model, k),
                               heft_link_q_count(in->model, k));
    h.numbers = mix_doubles(h.numbers, heft_factor_pivots(dynamics) + heft_link_dof(in->model, k),
                            heft_link_dof_count(in->model, k));
  }
  return heft_hash(&h, sizeof h, (uint64_t)island->count) | 1;  // 0 means "not known"
}

int heft_rest_asleep(const StepInput* in, const HeftDynamics* dynamics, const Island* island,
                     const SleepCache* caches, const SolveRequest* request, IslandResult* result) {
  const ConstraintSet* set = request->set;
  const SleepCache* cache = &caches[island->links[0]];
  result->hash = 0;
  if (!island_was_slow(in, island, 0)) return 0;
  result->hash = hash_island(in, dynamics, island, request);
  if (cache->hash != result->hash) return 0;
  result->certificate = cache->certificate;
  for (int k = 0; k < ROW_KIND_COUNT; ++k) result->row[k] = (RowError){cache->row[k], -1};
  result->result = (HeftContactResult){.status = HEFT_CONTACT_SOLVED, .clamp = 1};
  for (int i = 0; i < island->count; ++i) {
    const Constraint* k = &set->list[island->order[i]];
    heft_rows_copy(k, set->warm + k->row, request->impulse + k->row);
  }
  stop_rows(set, island, request->bias, request->velocity);
  return 1;
}

static int is_unchanged(const ConstraintSet* set, const Island* island, const double* impulse) {
  for (int i = 0; i < island->count; ++i) {
    const Constraint* k = &set->list[island->order[i]];
    if (memcmp(impulse + k->row, set->warm + k->row, (size_t)k->rows * sizeof(double)) != 0)
      return 0;
  }
  return 1;
}

void heft_rest_fall_asleep(const IslandSet* islands, const ConstraintSet* set,
                           const IslandSolution* solution, SleepCache* caches) {
  for (int i = 0; i < islands->count; ++i) {
    const Island* island = &islands->list[i];
    const IslandResult* result = &solution->island[i];
    if (island->count == 0) continue;
    SleepCache* cache = &caches[island->links[0]];
    const int still = result->settled && !result->result.not_unique &&
                      is_unchanged(set, island, solution->impulse);
    cache->hash = still ? result->hash : 0;
    cache->certificate = result->certificate;
    for (int k = 0; k < ROW_KIND_COUNT; ++k) cache->row[k] = result->row[k].relative;
  }
}

void heft_rest_wake_all(SleepCache* cache, int nlink) {
  for (int k = 0; k < nlink; ++k) cache[k].hash = 0;
}
