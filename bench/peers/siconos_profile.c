// SPDX-License-Identifier: Apache-2.0
// Heft and the solvers of the Siconos numerics library on the same problem files, in the same run,
// judged by the same certificate: a table of least times, and a performance profile (for how many
// of the problems is a solver within a factor of the fastest?) as text and, with --svg, as a
// drawing.
//   bench_siconos_profile [--tolerance X] [--limit MS] [--svg FILE] FILE...
#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <NonSmoothDrivers.h>
#include <SolverOptions.h>
#include <heft/io.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SOLVERS = 4, FILES_MAX = 128 };
static const char* const NAMES[SOLVERS] = {"Heft", "NSGS", "ADMM", "NSN_AC"};
static const int IDS[SOLVERS] = {0, SICONOS_FRICTION_3D_NSGS, SICONOS_FRICTION_3D_ADMM,
                                 SICONOS_FRICTION_3D_NSN_AC};
static const char* const COLOURS[SOLVERS] = {"#c03020", "#3060b0", "#309050", "#a060a0"};

typedef struct Case {
  const char *path, *name;
  HeftContactProblemData data;
  FrictionContactProblem* peer;
  double *r, *u, *scratch;
  double time[SOLVERS], residual[SOLVERS];  // [ms]
} Case;

static char* read_whole(const char* path, size_t* size) {
  FILE* file = fopen(path, "rb");
  if (!file) return NULL;
  fseek(file, 0, SEEK_END);
  *size = (size_t)ftell(file);
  rewind(file);
  char* text = malloc(*size + 1);
  *size = fread(text, 1, *size, file);
  fclose(file);
  return text;
}

static int load(Case* c, const char* path) {
  size_t size;
  char* text = read_whole(path, &size);
  c->path = path;
  c->name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
  if (!text || heft_contact_problem_parse(&c->data, text, size, path, heft_allocator_default(),
                                          NULL) != HEFT_OK) {
    free(text);
    return 0;
  }
  free(text);
  const HeftContactProblem* p = &c->data.problem;
  if (p->constraints[0].type != HEFT_CONSTRAINT_POINT) return 0;
  c->peer = frictionContact_new_from_filename(path);
  if (!c->peer || c->peer->numberOfContacts != p->constraint_count) return 0;
  c->r = calloc((size_t)p->row_count, sizeof(double));
  c->u = calloc((size_t)p->row_count, sizeof(double));
  c->scratch = calloc(heft_contact_certify_scratch(p), sizeof(double));
  return 1;
}

static double milliseconds(uint64_t since) { return 1e-6 * (double)(heft_clock_ns() - since); }

static void certify(Case* c, int solver, double time) {
  const double residual = heft_contact_certify(&c->data.problem, c->r, NULL, c->scratch).relative;
  if (c->time[solver] < 0 || time < c->time[solver]) c->time[solver] = time;
  c->residual[solver] = residual;
}

static void run_heft(Case* c, double tolerance, double limit) {
  const HeftContactProblem* p = &c->data.problem;
  HeftContactSolverDef def = heft_contact_solver_def_default();
  def.constraint_capacity = p->constraint_count;
  def.block_capacity = p->block_start[p->constraint_count];
  def.effector_capacity = p->constraint_count;
  HeftContactSolver* solver;
  if (heft_contact_solver_create(&solver, &def, NULL) != HEFT_OK) return;
  for (int k = 0; k < 5; ++k) {
    const uint64_t begin = heft_clock_ns();
    const HeftContactTermination stop = {.tolerance = tolerance,
                                         .effort_max = 10000000,
                                         .deadline_ns = begin + (uint64_t)(1e6 * limit)};
    heft_contact_solver_solve(solver, p, &stop, c->r, c->u);
    certify(c, 0, milliseconds(begin));
    if (c->time[0] > 200) break;
  }
  heft_contact_solver_destroy(solver);
}

// Siconos stops by its own measure; it is asked for more and more of it until the certificate
// agrees.
static void run_peer(Case* c, int solver, double tolerance, double limit) {
  const size_t rows = (size_t)c->data.problem.row_count;
  double asked = tolerance;
  for (int attempt = 0; attempt < 4; ++attempt, asked *= 0.1) {
    for (int k = 0; k < 3; ++k) {
      SolverOptions* options = solver_options_create(IDS[solver]);
      options->dparam[SICONOS_DPARAM_TOL] = asked;
      options->iparam[SICONOS_IPARAM_MAX_ITER] = solver == 3 ? 1000 : 20000;
      memset(c->r, 0, sizeof(double) * rows);
      memset(c->u, 0, sizeof(double) * rows);
      const uint64_t begin = heft_clock_ns();
      fc3d_driver(c->peer, c->r, c->u, options);
      const double time = milliseconds(begin);
      if (k == 0) c->time[solver] = -1;
      certify(c, solver, time);
      solver_options_delete(options);
      free(options);
      if (time > 200) break;
    }
    if (c->residual[solver] <= tolerance || c->time[solver] > limit) return;
  }
}

static int solved(const Case* c, int solver, double tolerance, double limit) {
  return c->time[solver] >= 0 && c->residual[solver] <= 1.01 * tolerance &&
         c->time[solver] <= limit;
}

static double share_within(const Case* cases, int count, int solver, double factor,
                           double tolerance, double limit) {
  int good = 0;
  for (int k = 0; k < count; ++k) {
    double best = 1e300;
    for (int s = 0; s < SOLVERS; ++s) {
      if (solved(&cases[k], s, tolerance, limit) && cases[k].time[s] < best)
        best = cases[k].time[s];
    }
    good += solved(&cases[k], solver, tolerance, limit) && cases[k].time[solver] <= factor * best;
  }
  return (double)good / count;
}

static void draw(const char* path, const Case* cases, int count, double tolerance, double limit) {
  FILE* out = fopen(path, "w");
  if (!out) return;
  fprintf(out,
          "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 560 340\" "
          "font-family=\"sans-serif\" "
          "font-size=\"12\">\n<rect width=\"560\" height=\"340\" fill=\"white\"/>\n"
          "<path d=\"M50 20V290H450\" stroke=\"black\" fill=\"none\"/>\n"
          "<text x=\"150\" y=\"325\">time / time of the fastest solver (1, 2, 4 ... 1024)</text>\n"
          "<text x=\"14\" y=\"220\" transform=\"rotate(-90 14 220)\">share of problems "
          "solved</text>\n");
  for (int k = 0; k <= 10; ++k)
    fprintf(out, "<text x=\"%d\" y=\"306\">%d</text>\n", 46 + 40 * k, 1 << k);
  for (int k = 0; k <= 4; ++k)
    fprintf(out, "<text x=\"20\" y=\"%d\">%d %%</text>\n", 294 - 66 * k, 25 * k);
  for (int s = 0; s < SOLVERS; ++s) {
    double factor = 1;
    fprintf(out, "<polyline fill=\"none\" stroke-width=\"2\" stroke=\"%s\" points=\"", COLOURS[s]);
    for (int k = 0; k <= 100; ++k, factor *= 1.0717734625362931) {
      fprintf(out, "%d,%.1f ", 50 + 4 * k,
              290 - 264 * share_within(cases, count, s, factor * 1.000001, tolerance, limit));
    }
    fprintf(out, "\"/>\n<text x=\"460\" y=\"%d\" fill=\"%s\">%s</text>\n", 60 + 20 * s, COLOURS[s],
            NAMES[s]);
  }
  fprintf(out, "</svg>\n");
  fclose(out);
}

int main(int argc, char** argv) {
  static Case cases[FILES_MAX];
  double tolerance = 1e-8, limit = 5000;
  const char* svg = NULL;
  int count = 0;
  for (int k = 1; k < argc; ++k) {
    if (strcmp(argv[k], "--tolerance") == 0 && k + 1 < argc)
      tolerance = strtod(argv[++k], NULL);
    else if (strcmp(argv[k], "--limit") == 0 && k + 1 < argc)
      limit = strtod(argv[++k], NULL);
    else if (strcmp(argv[k], "--svg") == 0 && k + 1 < argc)
      svg = argv[++k];
    else if (count < FILES_MAX && load(&cases[count], argv[k]))
      count++;
  }
  printf("least time in ms to a certified relative residual of %g; - : not reached\n%-38s %5s",
         tolerance, "problem", "n");
  for (int s = 0; s < SOLVERS; ++s) printf(" %10s", NAMES[s]);
  printf("\n");
  for (int k = 0; k < count; ++k) {
    Case* c = &cases[k];
    for (int s = 0; s < SOLVERS; ++s) c->time[s] = -1;
    run_heft(c, tolerance, limit);
    for (int s = 1; s < SOLVERS; ++s) run_peer(c, s, tolerance, limit);
    printf("%-38s %5d", c->name, c->data.problem.constraint_count);
    for (int s = 0; s < SOLVERS; ++s) {
      if (solved(c, s, tolerance, limit))
        printf(" %10.4f", c->time[s]);
      else
        printf(" %10s", "-");
    }
    printf("\n");
    fflush(stdout);
  }
  printf("\nshare of the %d problems solved within a factor of the fastest\n%-10s", count,
         "factor");
  for (int s = 0; s < SOLVERS; ++s) printf(" %10s", NAMES[s]);
  for (double factor = 1; factor < 3000; factor *= 4) {
    printf("\n%-10g", factor);
    for (int s = 0; s < SOLVERS; ++s)
      printf(" %9.0f%%", 100 * share_within(cases, count, s, factor, tolerance, limit));
  }
  printf("\n");
  if (svg) draw(svg, cases, count, tolerance, limit);
  return 0;
}
