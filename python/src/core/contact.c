// SPDX-License-Identifier: Apache-2.0
// heft._core.ContactProblem: contact problems as arrays, and their solution.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bind.h"
#include "signatures.h"
#include "tables.h"

typedef struct Problem {
  PyObject ob_base;
  HeftContactProblem problem;
  HeftContactProblemData data;  // of a problem that was read from text
  HeftConstraintBlock* constraints;
  int *block_start, *block_column;
  double* blocks;
  PyObject *bias, *warm;  // arrays
} Problem;

static PyTypeObject* problem_type;

static void clear(Problem* p) {
  if (p->data.memory) heft_contact_problem_release(&p->data);
  free(p->constraints);
  free(p->block_start);
  free(p->block_column);
  free(p->blocks);
  p->constraints = NULL;
  p->block_start = p->block_column = NULL;
  p->blocks = NULL;
  Py_CLEAR(p->bias);
  Py_CLEAR(p->warm);
  memset(&p->problem, 0, sizeof p->problem);
  memset(&p->data, 0, sizeof p->data);
}

static void problem_dealloc(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  clear((Problem*)self);
  ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
  Py_DECREF(type);
}

// ---- from arrays

static bool is_coupled(const double* w, int rows, const HeftConstraintBlock* a, int na,
                       const HeftConstraintBlock* b, int nb) {
  for (int i = 0; i < na; ++i)
    for (int j = 0; j < nb; ++j)
      if (w[(size_t)(a->row + i) * (size_t)rows + (size_t)(b->row + j)] != 0) return true;
  return a == b;
}

// The blocks of a dense operator that are not zero. -1: no memory.
static int make_blocks(Problem* p, const double* w, int count, int rows) {
  int total = 0;
  size_t numbers = 0;
  for (int pass = 0; pass < 2; ++pass) {
    if (pass) {
      p->block_start = calloc((size_t)count + 1, sizeof(int));
      p->block_column = calloc((size_t)total + 1, sizeof(int));
      p->blocks = calloc(numbers + 1, sizeof(double));
      if (!p->block_start || !p->block_column || !p->blocks) return -1;
      total = 0;
      numbers = 0;
    }
    for (int i = 0; i < count; ++i) {
      const HeftConstraintBlock* a = &p->constraints[i];
      const int na = heft_constraint_type_row_count(a->type);
      for (int j = 0; j < count; ++j) {
        const HeftConstraintBlock* b = &p->constraints[j];
        const int nb = heft_constraint_type_row_count(b->type);
        if (!is_coupled(w, rows, a, na, b, nb)) continue;
        if (pass) {
          p->block_column[total] = j;
          for (int k = 0; k < na; ++k)
            memcpy(p->blocks + numbers + (size_t)k * (size_t)nb,
                   w + (size_t)(a->row + k) * (size_t)rows + b->row, (size_t)nb * sizeof(double));
        }
        ++total;
        numbers += (size_t)(na * nb);
      }
      if (pass) p->block_start[i + 1] = total;
    }
  }
  return 0;
}

static int read_constraints(Problem* p, PyObject* types, const double* mu, int count, int* rows) {
  p->constraints = calloc((size_t)count + 1, sizeof *p->constraints);
  if (!p->constraints) return -1;
  *rows = 0;
  for (int i = 0; i < count; ++i) {
    int type = HEFT_CONSTRAINT_POINT;
    if (types != Py_None) {
      PyObject* one = PySequence_GetItem(types, i);
      const int failed = !one || core_read_enum(ENUM_CONSTRAINT_TYPE, one, "types", &type);
      Py_XDECREF(one);
      if (failed) return -1;
    }
    p->constraints[i] = (HeftConstraintBlock){.type = (HeftConstraintType)type,
                                              .row = *rows,
                                              .effector = {-1, -1},
                                              .mu = mu[i],
                                              .lower = (double)-INFINITY,
                                              .upper = (double)INFINITY};
    *rows += heft_constraint_type_row_count((HeftConstraintType)type);
  }
  return 0;
}

// ContactProblem(W, b, mu, types=None, warm=None, velocity_scale=0, compliance=0)
static int problem_init(PyObject* self, PyObject* args, PyObject* keywords) {
  Problem* p = (Problem*)self;
  static const char* const names[] = {"W",          "b", "mu", "types", "warm", "velocity_scale",
                                      "compliance", NULL};
  PyObject *w, *b, *mu, *types = Py_None, *warm = Py_None;
  double scale = 0, compliance = 0;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OOO|OOdd:ContactProblem", core_keywords(names),
                                   &w, &b, &mu, &types, &warm, &scale, &compliance))
    return -1;
  clear(p);
  const double *mus, *ws, *bias, *warms = NULL;
  PyObject* held_mu = core_doubles(mu, "mu", core_shape1(-1), 1, &mus);
  if (!held_mu) return -1;
  const int count = (int)PyObject_Size(held_mu);
  int rows, failed = -1;
  PyObject* held_w = NULL;
  if (types != Py_None && PySequence_Size(types) != count) {
    PyErr_Clear();
    PyErr_Format(PyExc_ValueError, "types: expected %d types, one for each mu", count);
  } else if (!read_constraints(p, types, mus, count, &rows) &&
             (held_w = core_doubles(w, "W", core_shape2(rows, rows), 1, &ws)) &&
             (p->bias = core_doubles(b, "b", core_shape1(rows), 1, &bias)) &&
             (warm == Py_None ||
              (p->warm = core_doubles(warm, "warm", core_shape1(rows), 1, &warms)))) {
    if (make_blocks(p, ws, count, rows)) {
      PyErr_NoMemory();
    } else {
      p->problem = (HeftContactProblem){.constraint_count = count,
                                        .row_count = rows,
                                        .constraints = p->constraints,
                                        .bias = bias,
                                        .warm = warms,
                                        .velocity_scale = scale,
                                        .compliance = compliance,
                                        .block_start = p->block_start,
                                        .block_column = p->block_column,
                                        .blocks = p->blocks};
      HeftError error = {0};
      const HeftStatus status = heft_contact_problem_check(&p->problem, &error);
      if (status != HEFT_OK)
        core_fail(status, &error);
      else
        failed = 0;
    }
  }
  Py_XDECREF(held_w);
  Py_DECREF(held_mu);
  if (failed) clear(p);
  return failed;
}

// ---- from text

static PyObject* from_text(PyObject* module, PyObject* args) {
  (void)module;
  Py_buffer text;
  const char* name = NULL;
  if (!PyArg_ParseTuple(args, "s*|z:contact_problem_parse", &text, &name)) return NULL;
  Problem* p = (Problem*)((allocfunc)PyType_GetSlot(problem_type, Py_tp_alloc))(problem_type, 0);
  HeftError error = {0};
  HeftStatus status = HEFT_ERR_MEMORY;
  if (p) {
    Py_BEGIN_ALLOW_THREADS;
    status = heft_contact_problem_parse(&p->data, text.buf, (size_t)text.len, name,
                                        heft_allocator_default(), &error);
    Py_END_ALLOW_THREADS;
    if (status == HEFT_OK) {
      p->problem = p->data.problem;
    } else {
      memset(&p->data, 0, sizeof p->data);
      core_fail_load(status, &error);
      Py_CLEAR(p);
    }
  }
  PyBuffer_Release(&text);
  return (PyObject*)p;
}

static const HeftContactProblem* problem_of(PyObject* self) {
  Problem* p = (Problem*)self;
  if (p->problem.constraints) return &p->problem;
  PyErr_SetString(core.closed, "this contact problem was never initialised");
  return NULL;
}

static PyObject* to_text(PyObject* self, PyObject* unused) {
  (void)unused;
  const HeftContactProblem* p = problem_of(self);
  if (!p) return NULL;
  const size_t size = heft_contact_problem_format(p, NULL, 0);
  if (!size) {
    PyErr_SetString(PyExc_ValueError, "this problem has constraints that the format does not have");
    return NULL;
  }
  char* text = malloc(size + 1);
  if (!text) return PyErr_NoMemory();
  heft_contact_problem_format(p, text, size + 1);
  PyObject* result = PyUnicode_FromStringAndSize(text, (Py_ssize_t)size);
  free(text);
  return result;
}

// ---- certificate

static PyObject* certify(PyObject* self, PyObject* args) {
  const HeftContactProblem* p = problem_of(self);
  PyObject *impulse, *velocity = Py_None;
  if (!p || !PyArg_ParseTuple(args, "O|O:certify", &impulse, &velocity)) return NULL;
  const double *r, *u = NULL;
  PyObject* held = core_doubles(impulse, "impulse", core_shape1(p->row_count), 0, &r);
  PyObject* held_u = NULL;
  double* scratch = held ? malloc((heft_contact_certify_scratch(p) + 1) * sizeof(double)) : NULL;
  PyObject* result = NULL;
  if (scratch &&
      (velocity == Py_None ||
       (held_u = core_doubles(velocity, "velocity", core_shape1(p->row_count), 0, &u)))) {
    const HeftContactCertificate certificate = heft_contact_certify(p, r, u, scratch);
    result = core_struct(STRUCT_CONTACT_CERTIFICATE, &certificate);
  }
  free(scratch);
  Py_XDECREF(held);
  Py_XDECREF(held_u);
  return result;
}

static PyObject* natural_map_error(PyObject* self, PyObject* impulse) {
  const HeftContactProblem* p = problem_of(self);
  if (!p) return NULL;
  const double* r;
  PyObject* held = core_doubles(impulse, "impulse", core_shape1(p->row_count), 1, &r);
  double* scratch = held ? malloc((heft_contact_certify_scratch(p) + 1) * sizeof(double)) : NULL;
  PyObject* result =
      scratch ? PyFloat_FromDouble(heft_contact_natural_map_error(p, r, scratch)) : NULL;
  free(scratch);
  Py_XDECREF(held);
  return result;
}

// ---- solution

static HeftContactSolver* make_solver(const HeftContactProblem* p, int method) {
  HeftContactSolverDef def = heft_contact_solver_def_default();
  def.constraint_capacity = p->constraint_count > 0 ? p->constraint_count : 1;
  def.row_capacity = p->row_count > 0 ? p->row_count : 1;
  def.block_capacity = p->block_start ? p->block_start[p->constraint_count] : 0;
  def.effector_capacity = def.constraint_capacity;
  def.method = (HeftContactMethod)method;
  HeftContactSolver* solver = NULL;
  HeftError error = {0};
  const HeftStatus status = heft_contact_solver_create(&solver, &def, &error);
  if (status != HEFT_OK) core_fail(status, &error);
  return solver;
}

// solve(termination, method) -> (impulse, velocity, result)
static PyObject* solve(PyObject* self, PyObject* args) {
  const HeftContactProblem* p = problem_of(self);
  PyObject *termination, *method;
  int number;
  if (!p || !PyArg_ParseTuple(args, "OO:_solve", &termination, &method) ||
      core_read_enum(ENUM_CONTACT_METHOD, method, "method", &number))
    return NULL;
  const HeftContactTermination* stop =
      core_struct_data(termination, STRUCT_CONTACT_TERMINATION, "termination");
  if (!stop) return NULL;
  HeftContactSolver* solver = make_solver(p, number);
  if (!solver) return NULL;
  void *r = NULL, *u = NULL;
  PyObject* impulse = core_array(core_shape1(p->row_count), "d", &r);
  PyObject* velocity = core_array(core_shape1(p->row_count), "d", &u);
  PyObject* result = NULL;
  if (impulse && velocity) {
    HeftContactResult report;
    Py_BEGIN_ALLOW_THREADS;
    report = heft_contact_solver_solve(solver, p, stop, r, u);
    Py_END_ALLOW_THREADS;
    if (!core_contract_broken())
      result = core_tuple(3, (PyObject*[]){core_take(&impulse), core_take(&velocity),
                                           core_struct(STRUCT_CONTACT_RESULT, &report)});
  }
  heft_contact_solver_destroy(solver);
  Py_XDECREF(impulse);
  Py_XDECREF(velocity);
  return result;
}

static PyObject* get_count(PyObject* self, void* closure) {
  const HeftContactProblem* p = problem_of(self);
  return p ? PyLong_FromLong(closure ? p->row_count : p->constraint_count) : NULL;
}

static PyMethodDef methods[] = {
    {"text", to_text, METH_NOARGS, "The problem in the text format of Siconos."},
    {"certify", certify, METH_VARARGS, "certify(impulse, velocity=None): error against the law."},
    {"natural_map_error", natural_map_error, METH_O,
     "natural_map_error(impulse): for comparison with the literature."},
    {"_solve", solve, METH_VARARGS, "See heft.solve()."},
    {NULL, NULL, 0, NULL}};
static PyGetSetDef getset[] = {
    {"constraint_count", get_count, NULL, "Number of constraint blocks.", NULL},
    {"row_count", get_count, NULL, "Number of rows.", (void*)1},
    {NULL, NULL, NULL, NULL, NULL}};
static PyMethodDef functions[] = {
    {"contact_problem_parse", from_text, METH_VARARGS,
     "contact_problem_parse(text, name=None): a problem in the text format of Siconos."},
    {NULL, NULL, 0, NULL}};

int core_contact_start(PyObject* module) {
  PyType_Slot slots[] = {{Py_tp_init, (void*)problem_init},
                         {Py_tp_dealloc, (void*)problem_dealloc},
                         {Py_tp_methods, methods},
                         {Py_tp_getset, getset},
                         {Py_tp_doc, (void*)(uintptr_t)core_sign_class(
                                         "ContactProblem", "A contact problem: u = W r + b.")},
                         {0, NULL}};
  core_sign("ContactProblem", methods);
  core_sign(NULL, functions);
  PyType_Spec spec = {"heft._core.ContactProblem", sizeof(Problem), 0, Py_TPFLAGS_DEFAULT, slots};
  problem_type = (PyTypeObject*)PyType_FromSpec(&spec);
  if (!problem_type || PyModule_AddObjectRef(module, "ContactProblem", (PyObject*)problem_type))
    return -1;
  return PyModule_AddFunctions(module, functions);
}
