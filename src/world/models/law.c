// SPDX-License-Identifier: Apache-2.0
// Papers: R22, R58.
// A contact law of the user's (heft/law.h), as one of the contact models.
//
// The law gets the velocities that the contact points would have without its impulses. Joints and
// contact points are solved in turn (heft_model_alternate), so it is asked again until both agree;
// each time it starts from zero impulses and from the numbers that it stored in the last step. Its
// impulses are read into the world's only if all are finite. If one is not, the first of them makes
// the velocities of the step not finite, which rolls it back.
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "world/models/contact_model.h"

_Static_assert((int)HEFT_LAW_MEMORY == (int)MODEL_MEMORY,
               "a law stores what a contact model stores");

typedef struct LawCall {
  ModelTask* task;
  const HeftContactPoint** point;
  double *start, *mobility, *impulse, *all, *response;  // the last two: rows of the island
  double (*memory)[MODEL_MEMORY];
  double (*store)[MODEL_MEMORY];
  double error;  // that the law returned last
  int failed, broken;
} LawCall;

enum { ROWS = HEFT_CONSTRAINT_ROWS_MAX };

static void lay_out(LawCall* call, Arena* arena, int capacity) {
  const long rows = (long)ROWS * capacity;
  call->point = arena_take(arena, capacity, const HeftContactPoint*);
  call->start = arena_take(arena, rows, double);
  call->mobility = arena_take(arena, rows, double);
  call->impulse = arena_take(arena, rows, double);
  call->all = arena_take(arena, rows, double);
  call->response = arena_take(arena, rows, double);
  call->memory = arena_take_bytes(arena, (size_t)capacity, sizeof *call->memory);
  call->store = arena_take_bytes(arena, (size_t)capacity, sizeof *call->store);
}

static size_t count_scratch(int constraint_capacity, const HeftContactOptions* o) {
  LawCall call;
  Arena measure = arena_measure();
  (void)o;
  lay_out(&call, &measure, constraint_capacity);
  return (measure.used + sizeof(double) - 1) / sizeof(double);
}

static void respond(const HeftContactIsland* island, const double* impulse, double* velocity) {
  const LawCall* call = island->world;
  const HeftContactProblem* p = call->task->problem;
  memset(call->all, 0, (size_t)p->row_count * sizeof(double));
  memcpy(call->all, impulse, (size_t)island->rows * sizeof(double));
  heft_operator_apply(p, call->all, call->response, call->task->scratch->twist);
  for (int r = 0; r < island->rows; ++r) velocity[r] = call->response[r] - p->bias[r];
}

static void ask(ModelTask* t, const double* free, void* user) {
  LawCall* call = user;
  const size_t rows = (size_t)t->contact_rows, count = (size_t)t->contact_points;
  memset(call->impulse, 0, rows * sizeof(double));
  if (count > 0) memcpy(call->store, call->memory, count * sizeof *call->store);
  const HeftContactIsland island = {.model = t->model,
                                    .problem = t->problem,
                                    .time_step = t->h,
                                    .weight_speed = t->weight_speed,
                                    .count = t->contact_points,
                                    .rows = t->contact_rows,
                                    .point = call->point,
                                    .start = call->start,
                                    .free = free,
                                    .mobility = call->mobility,
                                    .memory = (const double(*)[MODEL_MEMORY])call->memory,
                                    .respond = respond,
                                    .impulse = call->impulse,
                                    .store = call->store,
                                    .world = call};
  call->error = count > 0 && !call->failed ? t->law->solve(t->law_user, &island) : 0;
  call->failed |= call->error < 0;
  for (size_t r = 0; r < rows; ++r) call->broken |= !isfinite(call->impulse[r]);
  for (size_t i = 0; i < count; ++i)
    for (int k = 0; k < MODEL_MEMORY; ++k) call->broken |= !isfinite(call->store[i][k]);
  for (size_t r = 0; r < rows; ++r) t->impulse[r] += call->broken ? 0 : call->impulse[r];
}

static int solve(ModelTask* t) {
  LawCall call = {.task = t};
  Arena arena = arena_make(t->scratch->numbers,
                           count_scratch(t->set->capacity, t->options) * sizeof(double), NULL);
  lay_out(&call, &arena, t->set->capacity);
  for (int i = 0; i < t->contact_points; ++i) {
    const HeftConstraintBlock* c = &t->problem->constraints[i];
    const size_t rows = (size_t)heft_constraint_type_row_count(c->type);
    double diagonal[ROWS];
    heft_operator_diagonal(t->problem, c, diagonal);
    call.point[i] = heft_model_contact_point(t, i);
    memcpy(call.start + c->row, heft_model_start(t, i), rows * sizeof(double));
    memcpy(call.mobility + c->row, diagonal, rows * sizeof(double));
    memcpy(call.memory[i], heft_model_memory(t, i), sizeof *call.memory);
  }
  memset(t->impulse, 0, (size_t)t->contact_rows * sizeof(double));
  heft_model_alternate(t, ask, &call);
  if (call.failed) return 0;
  if (!(call.error <= t->result->relative)) t->result->relative = call.error;  // NaN, too
  if (call.broken) {
    t->impulse[0] = (double)NAN;
    return 1;
  }
  for (int i = 0; i < t->contact_points; ++i)
    memcpy(heft_model_memory(t, i), call.store[i], sizeof *call.store);
  return 1;
}

const ContactModel heft_contact_law_rigid = {.model = HEFT_CONTACT_MODEL_FROM_FILE,
                                             .rebounds = 1,
                                             .corrects = 1,
                                             .scratch = count_scratch,
                                             .solve = solve};
const ContactModel heft_contact_law_yielding = {
    .model = HEFT_CONTACT_MODEL_FROM_FILE, .scratch = count_scratch, .solve = solve};
