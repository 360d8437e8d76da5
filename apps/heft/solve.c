// SPDX-License-Identifier: Apache-2.0
// heft solve: contact problems from files, by any method: a table of residual, effort and time.
#include <errno.h>
#include <heft/contact.h>
#include <heft/io.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "helper_program.h"
#include "json_rows.h"
#include "option_names.h"
#include "progress.h"
#include "verbs.h"

static const char* const METHODS[] = {"auto", "sweep", "accelerated", "newton"};
_Static_assert(sizeof METHODS / sizeof *METHODS == HEFT_CONTACT_METHOD_COUNT, "one name a method");
static const char* const STATUSES[] = {"solved", "effort", "deadline", "stalled"};

typedef struct Options {
  double tolerance;
  int effort, repeat, warm, first_method, last_method;
} Options;

static const char help[] =
    "usage: heft solve [OPTIONS] FILE...\n"
    "\n"
    "Solves contact problems with exact Coulomb friction and certifies the solutions. FILE "
    "is in the\n"
    "text format of Siconos or in FCLIB's HDF5; local or global, 2-D, 3-D or rolling. HDF5 "
    "needs the\n"
    "program heft-fclib-convert, which is built if libhdf5 is installed.\n"
    "\n"
    "  --tolerance X  relative residual to reach (default 1e-8)\n"
    "  --method NAME  auto, sweep, accelerated, newton, or all (default auto)\n"
    "  --effort N     max effort; a sweep counts 1, a Newton step as many sweeps as take the "
    "same\n"
    "                 time (default 100000)\n"
    "  --repeat N     solve N times and print the shortest time (default 1)\n"
    "  --warm         start each file from the solution of the previous file, if it has the "
    "same\n"
    "                 number of rows\n"
    "  --json         one JSON object on stdout instead\n"
    "\n"
    "Columns: residual is the max over the contacts, relative to the largest free velocity, "
    "computed\n"
    "by the certificate; natural is ||F|| / ||q|| as defined by Siconos.\n"
    "Exit code 1 if a file was not read or not solved.\n";

// ---- arguments

static int read_option(int argc, char** argv, int* at, Options* options) {
  const char* name = argv[*at];
  if (strcmp(name, "--warm") == 0) {
    options->warm = 1;
    return 1;
  }
  if (*at + 1 >= argc) return 0;
  const char* value = argv[++*at];
  if (strcmp(name, "--tolerance") == 0)
    options->tolerance = strtod(value, NULL);
  else if (strcmp(name, "--effort") == 0)
    options->effort = (int)strtol(value, NULL, 10);
  else if (strcmp(name, "--repeat") == 0)
    options->repeat = (int)strtol(value, NULL, 10);
  else if (strcmp(name, "--method") == 0) {
    options->first_method = strcmp(value, "all") == 0 ? 0 : -1;
    options->last_method = HEFT_CONTACT_METHOD_COUNT - 1;
    for (int m = 0; m < HEFT_CONTACT_METHOD_COUNT; ++m) {
      if (strcmp(value, METHODS[m]) == 0) options->first_method = options->last_method = m;
    }
    return options->first_method >= 0;
  } else {
    return 0;
  }
  return options->tolerance >= 0 && options->repeat > 0 && options->effort >= 0;
}

// ---- one file

static const size_t file_max = (size_t)1 << 32;  // bytes of a problem file

// The whole output of a program. NULL if memory is exhausted.
static char* read_stream(FILE* from, size_t* size) {
  size_t room = 1 << 16;
  char* text = malloc(room);
  *size = 0;
  while (text) {
    *size += fread(text + *size, 1, room - *size, from);
    if (*size < room) return text;
    char* larger = room < (size_t)1 << 32 ? realloc(text, 2 * room) : NULL;
    if (!larger) free(text);
    text = larger;
    room *= 2;
  }
  return NULL;
}

// The text of an HDF5 file, by heft-fclib-convert. NULL on failure (reported).
static char* read_fclib(char* path, size_t* size) {
  char program[1024];
  int ends[2], status = 0;
  char* text = NULL;
  helper_program("heft-fclib-convert", program, sizeof program);
  fflush(NULL);
  if (pipe(ends) != 0) return NULL;
  const pid_t child = fork();
  if (child == 0) {
    char output[] = "-";
    char* const arguments[] = {program, path, output, NULL};
    dup2(ends[1], STDOUT_FILENO);
    close(ends[0]);
    close(ends[1]);
    execvp(program, arguments);
    _exit(errno == ENOENT ? 127 : 126);
  }
  close(ends[1]);
  FILE* from = fdopen(ends[0], "rb");
  if (from && child > 0) text = read_stream(from, size);
  if (from) fclose(from);
  const int ended = child > 0 && waitpid(child, &status, 0) == child;
  if (ended && WIFEXITED(status) && WEXITSTATUS(status) == 0) return text;
  free(text);
  if (ended && WIFEXITED(status) && WEXITSTATUS(status) >= 126)
    fprintf(stderr,
            "heft solve: error: HDF5 needs the program heft-fclib-convert, which was not found "
            "beside heft "
            "or in PATH; install libhdf5-dev and build Heft again\n");
  else if (ended && WIFSIGNALED(status))
    fprintf(stderr, "heft solve: error: heft-fclib-convert ended by signal %d\n", WTERMSIG(status));
  return NULL;
}

static HeftContactSolverDef def_for(const HeftContactProblem* p) {
  HeftContactSolverDef def = heft_contact_solver_def_default();
  def.constraint_capacity = p->constraint_count > 0 ? p->constraint_count : 1;
  def.block_capacity = p->block_start[p->constraint_count];
  def.effector_capacity = p->constraint_count;
  for (int i = 0; i < p->constraint_count; ++i) {
    if (heft_constraint_type_row_count(p->constraints[i].type) > 3) def.row_capacity = p->row_count;
  }
  return def;
}

typedef struct Answer {
  double *r, *u, *warm, *scratch;
  int rows;  // of r
} Answer;

static int answer_resize(Answer* a, const HeftContactProblem* p, int warm) {
  const size_t rows = (size_t)p->row_count + 1;
  double* old = a->rows == p->row_count && warm ? a->r : NULL;
  if (!old) free(a->r);
  free(a->u);
  free(a->scratch);
  free(a->warm);
  a->warm = old;
  a->r = calloc(rows, sizeof(double));
  a->u = calloc(rows, sizeof(double));
  a->scratch = calloc(heft_contact_certify_scratch(p), sizeof(double));
  a->rows = p->row_count;
  return a->r && a->u && a->scratch;
}

static void write_row(const char* name, const HeftContactProblem* p, HeftContactMethod method,
                      const HeftContactResult* result, const HeftContactCertificate* c,
                      double natural, double ms, double tolerance) {
  json_row_begin(name);
  json_row_number("constraints", p->constraint_count);
  json_row_text("method", METHODS[method]);
  json_row_number("tolerance", tolerance);
  json_row_text("status", STATUSES[result->status]);
  json_row_number("residual", c->relative);
  json_row_number("natural", natural);
  json_row_number("cone", c->cone);
  json_row_number("sweeps", result->sweeps);
  json_row_number("newton_steps", result->newton_steps);
  json_row_number("time_ms", ms);
  json_row_end();
}

static int solve_by(const char* name, HeftContactProblem* p, HeftContactMethod method,
                    const Options* options, Answer* a) {
  HeftContactSolverDef def = def_for(p);
  HeftContactSolver* solver;
  HeftError err = {0};
  def.method = method;
  if (heft_contact_solver_create(&solver, &def, &err) != HEFT_OK) {
    fprintf(stderr, "heft solve: error: %s: %s\n", name, err.message);
    return 1;
  }
  HeftContactTermination stop = heft_contact_termination_default();
  stop.tolerance = options->tolerance;
  stop.effort_max = options->effort;
  HeftContactResult result = {0};
  double min = 1e300;
  for (int k = 0; k < options->repeat; ++k) {
    const uint64_t begin = heft_clock_ns();
    result = heft_contact_solver_solve(solver, p, &stop, a->r, a->u);
    const double time = 1e-6 * (double)(heft_clock_ns() - begin);
    if (time < min) min = time;
  }
  const HeftContactCertificate c = heft_contact_certify(p, a->r, a->u, a->scratch);
  const double natural = heft_contact_natural_map_error(p, a->r, a->scratch);
  write_row(name, p, method, &result, &c, natural, min, options->tolerance);
  printf("%-40s %5d %-11s %-8s %8.1e %8.1e %8.1e %7d %6d %11.4f\n", name, p->constraint_count,
         METHODS[method], STATUSES[result.status], c.relative, natural, c.cone, result.sweeps,
         result.newton_steps, min);
  fflush(stdout);
  heft_contact_solver_destroy(solver);
  return !(c.relative <= 1.01 * options->tolerance);
}

// FCLIB's HDF5, by its first bytes.
static int is_fclib(const char* bytes, size_t size) {
  return size > 8 && memcmp(bytes, "\x89HDF\r\n\x1a\n", 8) == 0;
}

static HeftStatus parse_fclib(HeftContactProblemData* out, char* path, HeftError* err) {
  size_t size = 0;
  char* text = read_fclib(path, &size);
  if (!text) {
    err->status = HEFT_ERR_FILE;
    snprintf(err->message, sizeof err->message, "%.300s: heft-fclib-convert cannot read this file",
             path);
    return HEFT_ERR_FILE;
  }
  const HeftStatus status =
      heft_contact_problem_parse(out, text, size, path, heft_allocator_default(), err);
  free(text);
  return status;
}

static HeftStatus parse_file(HeftContactProblemData* out, char* path, HeftError* err) {
  const HeftAllocator allocator = heft_allocator_default();
  size_t size = 0;
  void* bytes = NULL;
  const HeftStatus read = heft_file_read(&bytes, &size, path, file_max, &allocator, err);
  if (read != HEFT_OK) return read;
  const int fclib = is_fclib(bytes, size);
  const HeftStatus status =
      fclib ? HEFT_OK : heft_contact_problem_parse(out, bytes, size, path, allocator, err);
  allocator.release(allocator.user, bytes, size + 1);
  return fclib ? parse_fclib(out, path, err) : status;
}

static int solve_file(char* path, const Options* options, Answer* a) {
  const char* name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
  HeftContactProblemData data;
  HeftError err = {0};
  int failed = parse_file(&data, path, &err) != HEFT_OK;
  if (failed) {
    char line[900];
    fprintf(stderr, "heft solve: error: %s\n", heft_error_format(&err, line, sizeof line));
    return 1;
  }
  if (answer_resize(a, &data.problem, options->warm)) {
    data.problem.warm = a->warm;
    for (int m = options->first_method; m <= options->last_method; ++m) {
      failed |= solve_by(name, &data.problem, m, options, a);
    }
  } else {
    failed = 1;
    fprintf(stderr, "heft solve: error: %s: not enough memory\n", path);
  }
  heft_contact_problem_release(&data);
  return failed;
}

// 1: continue, 0: wrong (reported), 2: help requested. Files are moved to the front of argv.
static int read_arguments(int argc, char** argv, Options* options, int* files) {
  for (int k = 1; k < argc; ++k) {
    const int option = k;
    if (strcmp(argv[k], "--help") == 0) return 2;
    if (strncmp(argv[k], "--", 2) != 0) {
      argv[(*files)++] = argv[k];
    } else if (!read_option(argc, argv, &k, options)) {
      return option_names_wrong("solve", help, "", argv[option]);
    }
  }
  return 1;
}

// Returns the exit code.
static int solve_all(int argc, char** argv, Answer* answer) {
  Options options = {.tolerance = 1e-8, .effort = 100000, .repeat = 1};
  int failed = 0, files = 0;
  Progress progress = progress_begin();
  const int asked = read_arguments(argc, argv, &options, &files);
  if (asked == 2) printf("%s", help);
  if (asked != 1) return asked == 2 ? 0 : 2;
  for (int k = 0; k < files; ++k) {
    if (k == 0) {
      printf("%-40s %5s %-11s %-8s %8s %8s %8s %7s %6s %11s\n", "problem", "n", "method", "status",
             "residual", "natural", "cone", "sweeps", "newton", "time [ms]");
    }
    progress_show(&progress, argv[k], (double)k / files);
    failed |= solve_file(argv[k], &options, answer);
    progress_end(&progress);
  }
  if (files == 0) fprintf(stderr, "%s", help);
  return files == 0 ? 2 : failed;
}

int heft_verb_solve(int argc, char** argv) {
  Answer answer = {0};
  const int json = json_rows_asked(&argc, argv) && json_rows_begin("solve", NULL, "problems");
  int result = solve_all(argc, argv, &answer);
  if (json) result = json_rows_end(result);
  free(answer.r);
  free(answer.u);
  free(answer.warm);
  free(answer.scratch);
  return result;
}
