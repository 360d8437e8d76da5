// SPDX-License-Identifier: Apache-2.0
// Separating many free bodies: normals only, by Gauss-Seidel.
//
// Each contact point requires u = b + x · V >= 0, V being the twists of its two bodies, with an
// impulse r >= 0. An impulse changes V by y = Ω xᵀ, and u by w = x · y. One contact point after the
// other gets
//
//     r⁺ = max(0, r - u / w),        V += y (r⁺ - r),
//
// forwards and backwards through the list, until no impulse changes noticeably. From r = 0 every
// such step decreases ½ r W r + b r, so whenever it stops, no body has moved further than asked.
// This is the same as the contact solver does on one row. It is done here because a pile spends
// more time on handing that row over than on solving it, and a share of each depth is left for the
// next step anyway. It serves bodies that touch at single points, as balls do. Boxes that lie face
// to face tilt slightly if their four points are not solved together, and a pyramid then takes a
// thousand times longer to solve.
//
// x and b are divided by w beforehand. Numbers of the two bodies are stored as [a0 .. a3]
// [a4 a5 b4 b5][b0 .. b3], three vectors without a gap. Threads share the list by domains of bodies
// (base/domains.h). Neighbours in the list of a job often share a body and would wait for each
// other; so it is dealt out in four parts, and rows of different parts alternate.
#include "world/separate.h"

#include <math.h>
#include <string.h>

#include "base/domains.h"
#include "collision/contact_pair.h"
#include "math/simd.h"

enum { LARGE = 64, PARTS = 4, TWIST = 8, SWEEPS = 10 };
static const double enough = 0.03;  // of the largest impulse: smaller changes end the sweeps

typedef struct SeparationRow {
  double x[12], y[12];
  double b, r;
  int effector[2];
  int row;
  int unused;
} SeparationRow;

// The rows of one job.
typedef struct SeparationJob {
  SeparationRow* list;
  int count;
  double max, largest;  ///< change of an impulse in the last sweep, and impulse
} SeparationJob;

typedef struct Separation {
  const SolveRequest* request;
  const IslandSet* islands;
  const Island* island;
  const double* omega;
  Domains domains;
  SeparationJob job[JOBS_MAX];
  int first[JOBS_MAX + 1];  ///< where the constraints of each job begin in order
  int* order;
  double* twists;  ///< of the effectors; then zeros for static bodies, for each job others
  int back;        ///< 1: from the last row to the first
  int stage;
} Separation;

size_t heft_separate_scratch(int constraints, int effectors) {
  return TWIST * ((size_t)effectors + JOBS_MAX) + (size_t)constraints / 2 + 1;
}

static int same_shapes(const ConstraintSet* c, int a, int b) {
  return contact_same_pair(&c->contact_points.point[a], &c->contact_points.point[b]);
}

int heft_separate_fits(const ConstraintSet* c, const IslandSet* islands, const Island* island) {
  if (c->soft || island->has_nodes || island->count < LARGE ||
      island->effector_count != island->tree_count)
    return 0;
  if (sizeof(SeparationRow) * (size_t)island->count > 12 * sizeof(double) * (size_t)island->rows)
    return 0;
  for (int t = island->tree_first; t < island->tree_first + island->tree_count; ++t) {
    if (islands->tree_dofs[t] > 0 || islands->tree_directions[t] > 0) return 0;
  }
  for (int i = 0, last = -1; i < island->count; ++i) {
    const Constraint* k = &c->list[island->order[i]];
    if (k->kind != CONSTRAINT_CONTACT || (last >= 0 && same_shapes(c, last, k->source))) return 0;
    last = k->source;
  }
  return 1;
}

// ---- filling

HEFT_INLINE void v2_store(double* p, V2 v) { memcpy(p, &v, sizeof v); }

HEFT_INLINE V4 join(V2 a, V2 b) { return __builtin_shufflevector(a, b, 0, 1, 2, 3); }

typedef struct Sides {
  V4 a, tails, b;
} Sides;

HEFT_INLINE double sides_dot(Sides x, Sides y) {
  return v4_sum((x.a * y.a + x.b * y.b) + x.tails * y.tails);
}

HEFT_INLINE Sides sides_load(const double* x) {
  return (Sides){v4_load(x), v4_load(x + 4), v4_load(x + 8)};
}

HEFT_INLINE void sides_store(double* x, Sides s) {
  v4_store(x, s.a);
  v4_store(x + 4, s.tails);
  v4_store(x + 8, s.b);
}

// Ω x of one body: the rows of Ω, which is symmetric, weighed by x.
HEFT_INLINE void answer(const double* omega, const double* x, V4* head, V2* tail) {
  *head = v4_all(0);
  *tail = (V2){0, 0};
  for (int k = 0; k < 6; ++k) {
    *head += v4_load(omega + 6 * k) * x[k];
    *tail += v2_load(omega + 6 * k + 4) * x[k];
  }
}

// Returns 0 if neither side can move.
HEFT_INLINE int fill(const Separation* all, int job, const Constraint* k, SeparationRow* out) {
  static const double still[6] = {0};
  const double* x[2];
  V4 head[2] = {v4_all(0), v4_all(0)};
  V2 tail[2] = {{0, 0}, {0, 0}};
  for (int s = 0; s < 2; ++s) {
    const int moves = k->link[s] != 0;
    x[s] = moves ? all->request->set->axis[k->row] + 6L * s : still;
    out->effector[s] =
        moves ? all->islands->link_effector[k->link[s]] : all->island->effector_count + job;
    if (moves) answer(all->omega + 36L * out->effector[s], x[s], &head[s], &tail[s]);
  }
  const Sides along = {v4_load(x[0]), join(v2_load(x[0] + 4), v2_load(x[1] + 4)), v4_load(x[1])};
  const Sides moved = {head[0], join(tail[0], tail[1]), head[1]};
  const double w = sides_dot(along, moved);
  if (!(w > 0)) return 0;
  const double part = 1 / w;
  sides_store(out->x, (Sides){along.a * part, along.tails * part, along.b * part});
  sides_store(out->y, moved);
  out->b = all->request->velocity[k->row] * part;
  out->r = 0;
  out->row = k->row;
  return 1;
}

// ---- sweeps

// One contact point; returns the change of its impulse.
HEFT_INLINE double separate_one(SeparationRow* p, double* twists) {
  double *a = twists + (long)TWIST * p->effector[0], *b = twists + (long)TWIST * p->effector[1];
  const Sides v = {v4_load(a), join(v2_load(a + 4), v2_load(b + 4)), v4_load(b)};
  const double wanted = p->r - (p->b + sides_dot(sides_load(p->x), v));
  const double r = wanted > 0 ? wanted : 0, change = r - p->r;
  if (change == 0) return 0;
  const Sides y = sides_load(p->y);
  const V4 tails = v.tails + y.tails * change;
  p->r = r;
  v4_store(a, v.a + y.a * change);
  v4_store(b, v.b + y.b * change);
  v2_store(a + 4, __builtin_shufflevector(tails, tails, 0, 1));
  v2_store(b + 4, __builtin_shufflevector(tails, tails, 2, 3));
  return change;
}

HEFT_CLONES
static void separate_all(SeparationJob* job, int back, double* twists) {
  double max = 0, largest = 0;
  for (int i = 0; i < job->count; ++i) {
    SeparationRow* p = &job->list[back ? job->count - 1 - i : i];
    const double change = fabs(separate_one(p, twists));
    max = change > max ? change : max;
    largest = p->r > largest ? p->r : largest;
  }
  job->max = max;
  job->largest = largest;
}

HEFT_CLONES
static void fill_all(const Separation* all, int index, SeparationJob* job) {
  const int first = all->first[index], end = all->first[index + 1];
  const int share = (end - first + PARTS - 1) / PARTS;
  job->count = 0;
  for (int i = 0; i < share; ++i) {
    for (int at = first + i; at < end; at += share)
      job->count +=
          fill(all, index, &all->request->set->list[all->order[at]], &job->list[job->count]);
  }
}

static void fill_job(void* arg, int worker, int index) {
  Separation* all = arg;
  (void)worker;
  fill_all(all, index, &all->job[index]);
}

static void sweep_job(void* arg, int worker, int index) {
  Separation* all = arg;
  (void)worker;
  separate_all(&all->job[all->domains.stage[all->stage] + index], all->back, all->twists);
}

// Returns the largest change of an impulse, relative to the largest impulse.
static double sweep_all(Separation* all, HeftPool* pool) {
  const Domains* d = &all->domains;
  double max = 0, largest = 0;
  for (int k = 0; k < d->stages; ++k) {
    all->stage = all->back ? d->stages - 1 - k : k;
    heft_pool_run(pool, d->stage[all->stage + 1] - d->stage[all->stage], sweep_job, all);
  }
  for (int j = 0; j < d->jobs; ++j) {
    max = fmax(max, all->job[j].max);
    largest = fmax(largest, all->job[j].largest);
  }
  return largest > 0 ? max / largest : 0;
}

// ---- jobs

static int job_of(const Separation* all, int place) {
  const Constraint* k = &all->request->set->list[place];
  int body[2], domain[2];
  for (int s = 0; s < 2; ++s)
    body[s] = k->link[s] != 0 ? all->islands->link_effector[k->link[s]] : -1;
  heft_domains_of_pair(&all->domains, body, domain);
  return all->domains.job_of[domain[0]][domain[1]];
}

// Sorts the constraints of the island that do not wait by jobs, and gives each job its rows.
static void sort_jobs(Separation* all, SeparationRow* list) {
  const Island* island = all->island;
  const int* waiting = all->request->waiting;
  int next[JOBS_MAX + 1] = {0};
  for (int i = 0; i < island->count; ++i) {
    if (!waiting[island->order[i]]) ++next[job_of(all, island->order[i]) + 1];
  }
  all->first[0] = 0;
  for (int j = 0; j < all->domains.jobs; ++j) {
    next[j + 1] += next[j];
    all->first[j + 1] = next[j + 1];
    all->job[j].list = list + next[j];
  }
  for (int i = 0; i < island->count; ++i) {
    if (!waiting[island->order[i]])
      all->order[next[job_of(all, island->order[i])]++] = island->order[i];
  }
}

void heft_separate_solve(const SolveRequest* request, const IslandSet* islands,
                         const Island* island, const IslandProblem* problem, HeftPool* pool,
                         double* scratch, IslandResult* solved) {
  const HeftContactTermination* stop = &solved->stop;
  const int effort_max = stop->effort_max < SWEEPS ? stop->effort_max : SWEEPS;
  const size_t twists = TWIST * ((size_t)island->effector_count + JOBS_MAX);
  Separation all = {
      .request = request,
      .islands = islands,
      .island = island,
      .omega = problem->omega + island->omega_first,
      .domains = heft_domains_make(heft_domains_count(island->count), island->effector_count),
      .twists = scratch,
      .order = (int*)(scratch + twists)};
  HeftContactResult* result = &solved->result;
  sort_jobs(&all, (SeparationRow*)problem->jacobian[island->row_first]);
  heft_pool_run(pool, all.domains.jobs, fill_job, &all);
  memset(all.twists, 0, sizeof(double) * twists);
  result->status = HEFT_CONTACT_EFFORT_SPENT;
  while (result->effort < effort_max) {
    if (result->effort >= stop->effort_min && stop->deadline_ns &&
        heft_clock_ns() >= stop->deadline_ns) {
      result->status = HEFT_CONTACT_DEADLINE;
      break;
    }
    all.back = result->effort++ % 2;
    if (sweep_all(&all, pool) <= enough) break;
  }
  for (int i = 0; i < island->count; ++i)
    request->impulse[request->set->list[island->order[i]].row] = 0;
  for (int j = 0; j < all.domains.jobs; ++j) {
    const SeparationJob* job = &all.job[j];
    for (int i = 0; i < job->count; ++i) request->impulse[job->list[i].row] = job->list[i].r;
  }
}
