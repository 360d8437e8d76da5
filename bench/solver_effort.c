// SPDX-License-Identifier: Apache-2.0
// The effort of the contact solver, for bench/tune_constants.py: one line per problem or scene with
// its name, whether it was solved, and the units of effort. Times do not matter here.
// usage: solver_effort EFFORT_MAX FILE...   .dat: a contact problem, solved from zero, and from the
//        answer of the file before where their names differ in the last digit only; .xml: a model,
//        stepped 200 times with its own time step
#include <heft/heft.h>
#include <heft/io.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 200 };

typedef struct Answer {
  char name[256];
  double *r, *u;
  int rows;
} Answer;

static HeftContactSolverDef def_for(const HeftContactProblem* p) {
  HeftContactSolverDef def = heft_contact_solver_def_default();
  def.constraint_capacity = p->constraint_count;
  def.block_capacity = p->block_start[p->constraint_count];
  def.effector_capacity = p->constraint_count;
  for (int i = 0; i < p->constraint_count; ++i)
    if (heft_constraint_type_row_count(p->constraints[i].type) > 3) def.row_capacity = p->row_count;
  return def;
}

static void report(const char* name, const char* start, int solved, long effort) {
  printf("%s %s %d %ld\n", name, start, solved, effort);
  fflush(stdout);
}

static int follows(const Answer* last, const char* name, int rows) {
  const size_t length = strlen(name);
  return last->rows == rows && length == strlen(last->name) && length > 5 &&
         strncmp(name, last->name, length - 5) == 0;
}

static void solve(const char* name, HeftContactProblem* p, int effort_max, Answer* last) {
  const HeftContactSolverDef def = def_for(p);
  HeftContactSolver* solver;
  HeftError err = {0};
  if (heft_contact_solver_create(&solver, &def, &err)) {
    fprintf(stderr, "%s: %s\n", name, err.message);
    exit(1);
  }
  HeftContactTermination stop = heft_contact_termination_default();
  stop.effort_max = effort_max;
  double *r = calloc((size_t)p->row_count, sizeof(double)),
         *u = calloc((size_t)p->row_count, sizeof(double));
  HeftContactResult result = heft_contact_solver_solve(solver, p, &stop, r, u);
  report(name, "cold", result.status == HEFT_CONTACT_SOLVED, result.effort);
  if (follows(last, name, p->row_count)) {
    p->warm = last->r;
    result = heft_contact_solver_solve(solver, p, &stop, u, NULL);
    report(name, "warm", result.status == HEFT_CONTACT_SOLVED, result.effort);
    p->warm = NULL;
  }
  heft_contact_solver_destroy(solver);
  free(last->r);
  free(u);
  last->r = r;
  last->rows = p->row_count;
  snprintf(last->name, sizeof last->name, "%s", name);
}

static void solve_file(const char* path, const char* name, int effort_max, Answer* last) {
  HeftContactProblemData data;
  HeftError err = {0};
  const HeftAllocator allocator = heft_allocator_default();
  void* bytes = NULL;
  size_t size = 0;
  if (heft_file_read(&bytes, &size, path, (size_t)1 << 30, &allocator, &err) ||
      heft_contact_problem_parse(&data, bytes, size, path, allocator, &err)) {
    free(bytes);
    return;  // a file of another kind
  }
  solve(name, &data.problem, effort_max, last);
  heft_contact_problem_release(&data);
  free(bytes);
}

static void step_file(const char* path, const char* name) {
  HeftModel* model = NULL;
  HeftWorld* world = NULL;
  HeftError err = {0};
  const HeftWorldDef def = heft_world_def_default();
  const HeftLoadDef load = heft_load_def_default();
  if (heft_model_load_file(&model, path, &load, &err) ||
      heft_world_create(&world, model, &def, &err)) {
    fprintf(stderr, "%s: %s\n", path, err.message);
    exit(1);
  }
  long effort = 0;
  int unsolved = 0;
  for (int k = 0; k < STEPS; ++k) {
    const HeftStepReport step = heft_world_step(world);
    effort += step.sweeps + 4 * step.newton_steps;
    unsolved += !(step.relative <= 2 * def.tolerance);
  }
  report(name, "steps", unsolved == 0, effort);
  heft_world_destroy(world);
  heft_model_destroy(model);
}

int main(int argc, char** argv) {
  Answer last = {.rows = -1};
  if (argc < 3) return 2;
  for (int i = 2; i < argc; ++i) {
    const char *slash = strrchr(argv[i], '/'), *name = slash ? slash + 1 : argv[i];
    const size_t length = strlen(name);
    if (length > 4 && strcmp(name + length - 4, ".xml") == 0) {
      step_file(argv[i], name);
    } else {
      solve_file(argv[i], name, atoi(argv[1]), &last);
    }
  }
  free(last.r);
  return 0;
}
