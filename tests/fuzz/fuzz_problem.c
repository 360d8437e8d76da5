// SPDX-License-Identifier: Apache-2.0
// Any bytes as a contact problem in the text format of Siconos: refused with a reason, or the
// problem passes the check, comes back from the writer with the same bits, and every method of the
// solver ends; where one says that it solved the problem, the certificate agrees.
#include <heft/io.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/fuzz.h"

enum { CONTACTS = 12, EFFORT = 40 };

static void check_round_trip(const HeftContactProblem* p) {
  HeftContactProblemData again;
  const size_t size = heft_contact_problem_format(p, NULL, 0);
  if (size == 0) return;  // a kind that has no such format
  char* text = malloc(size + 1);
  if (heft_contact_problem_format(p, text, size + 1) != size) abort();
  if (heft_contact_problem_parse(&again, text, size, "again", heft_allocator_default(), NULL) !=
      HEFT_OK)
    abort();
  const HeftContactProblem* q = &again.problem;
  if (p->row_count != q->row_count || p->constraint_count != q->constraint_count) abort();
  if (memcmp(p->bias, q->bias, sizeof(double) * (size_t)p->row_count) != 0) abort();
  heft_contact_problem_release(&again);
  free(text);
}

static void solve(const HeftContactProblem* p, HeftContactMethod method) {
  HeftContactSolverDef def = heft_contact_solver_def_default();
  HeftContactSolver* solver = NULL;
  def.constraint_capacity = p->constraint_count > 0 ? p->constraint_count : 1;
  def.block_capacity = p->block_start[p->constraint_count];
  def.effector_capacity = p->constraint_count;
  def.row_capacity = p->row_count;
  def.method = method;
  if (heft_contact_solver_create(&solver, &def, NULL) != HEFT_OK) return;
  HeftContactTermination stop = heft_contact_termination_default();
  stop.effort_max = EFFORT;
  double* r = calloc(2 * (size_t)p->row_count + 1, sizeof *r);
  double* scratch = calloc(heft_contact_certify_scratch(p) + 1, sizeof *scratch);
  const HeftContactResult result = heft_contact_solver_solve(solver, p, &stop, r, r + p->row_count);
  const HeftContactCertificate c = heft_contact_certify(p, r, NULL, scratch);
  if (result.status == HEFT_CONTACT_SOLVED && !(c.relative <= 1.01 * stop.tolerance)) abort();
  free(r);
  free(scratch);
  heft_contact_solver_destroy(solver);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  HeftContactProblemData problem;
  HeftError error = {0};
  char* text = fuzz_copy(data, size);
  const HeftStatus status =
      heft_contact_problem_parse(&problem, text, size, "x", heft_allocator_default(), &error);
  if ((status == HEFT_OK) != !error.message[0]) abort();
  if (status == HEFT_OK) {
    if (heft_contact_problem_check(&problem.problem, NULL) != HEFT_OK) abort();
    check_round_trip(&problem.problem);
    if (problem.problem.constraint_count <= CONTACTS)
      solve(&problem.problem, (HeftContactMethod)(size % HEFT_CONTACT_METHOD_COUNT));
  }
  heft_contact_problem_release(&problem);
  free(text);
  return 0;
}
