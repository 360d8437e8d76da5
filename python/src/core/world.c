// SPDX-License-Identifier: Apache-2.0
// heft._core.World: one world. Arrays are views that are made once; a step costs one call.
#include <limits.h>
#include <math.h>
#include <string.h>

#include "bind.h"
#include "rays.h"
#include "signatures.h"
#include "tables.h"

static void destroy(void* world) { heft_world_destroy(world); }

// ---- options

// Sets fields of an object by a dict, as its table allows. what: name of the keyword.
static int set_fields(HeftOptions table, void* object, const char* what, PyObject* value) {
  if (!PyDict_Check(value)) {
    PyErr_Format(PyExc_TypeError, "%s: expected a dict, got %R", what, value);
    return -1;
  }
  PyObject *key, *number;
  Py_ssize_t place = 0;
  while (PyDict_Next(value, &place, &key, &number)) {
    const char* name = PyUnicode_Check(key) ? PyUnicode_AsUTF8AndSize(key, NULL) : "";
    double x;
    HeftError error = {0};
    if (!name || core_read_double(number, name, &x)) return -1;
    const HeftStatus status = heft_options_set(table, object, name, x, &error);
    if (status != HEFT_OK) {
      core_fail(status, &error);
      return -1;
    }
  }
  return 0;
}

static int world_option(HeftWorldDef* def, const char* name, PyObject* value) {
  int number;
  if (strcmp(name, "contact_options") == 0)
    return set_fields(heft_contact_model_options(), &def->contact_options, name, value);
  if (strcmp(name, "bounds") == 0)
    return set_fields(heft_step_bounds_options(), &def->bounds, name, value);
  if (strcmp(name, "integrator") == 0) {
    if (core_read_enum(ENUM_INTEGRATOR, value, name, &number)) return -1;
    def->integrator = (HeftIntegrator)number;
    return 0;
  }
  if (strcmp(name, "contact_model") == 0) {
    if (core_read_enum(ENUM_CONTACT_MODEL, value, name, &number)) return -1;
    def->contact_model = (HeftContactModel)number;
    return 0;
  }
  if (strcmp(name, "seed") == 0) {
    PyObject* whole = PyNumber_Index(value);
    def->seed = whole ? PyLong_AsUnsignedLongLong(whole) : 0;
    Py_XDECREF(whole);
    if (!PyErr_Occurred()) return 0;
    PyErr_Clear();
    PyErr_Format(PyExc_ValueError, "seed: expected a whole number from 0 to 2**64 - 1, got %R",
                 value);
    return -1;
  }
  double x;
  HeftError error = {0};
  if (core_read_double(value, name, &x)) return -1;
  const HeftStatus status = heft_options_set(heft_world_options(), def, name, x, &error);
  if (status == HEFT_ERR_NAME)
    PyErr_Format(PyExc_TypeError, "World: %s", error.message);
  else if (status != HEFT_OK)
    core_fail(status, &error);
  return status == HEFT_OK ? 0 : -1;
}

int core_world_def(HeftWorldDef* def, PyObject* options) {
  *def = heft_world_def_default();
  PyObject *key, *value;
  Py_ssize_t place = 0;
  while (options && PyDict_Next(options, &place, &key, &value)) {
    const char* name = PyUnicode_AsUTF8AndSize(key, NULL);
    if (!name || world_option(def, name, value)) return -1;
  }
  return 0;
}

// ---- life

static void forget(World* self) {
  for (size_t i = 0; i < sizeof self->arrays / sizeof self->arrays[0]; ++i)
    Py_CLEAR(self->arrays[i]);
}

void core_world_close(World* self) {
  forget(self);
  core_close(&self->base);
}

// Opens a World on a HeftWorld. destroy NULL: borrowed from keep. -1 on failure.
int core_world_open(World* self, HeftWorld* world, void (*end)(void*), PyObject* keep,
                    PyObject* model_object) {
  forget(self);
  if (!core_open(&self->base, core_memory(world, end, keep))) return -1;
  self->base.model = heft_world_model(world);
  Py_XDECREF(self->base.model_object);
  Py_INCREF(model_object);
  self->base.model_object = model_object;
  return 0;
}

static int world_init(PyObject* object, PyObject* args, PyObject* keywords) {
  World* self = (World*)object;
  PyObject* model_object;
  if (!PyArg_ParseTuple(args, "O:World", &model_object)) return -1;
  const HeftModel* model = core_use_as(model_object, core.model, "model");
  HeftWorldDef def;
  if (!model || core_world_def(&def, keywords)) return -1;
  if (self->base.busy) return core_use_alone(object) ? 0 : -1;
  HeftWorld* world = NULL;
  HeftError error = {0};
  HeftStatus status;
  PyObject* keep = ((Object*)model_object)->memory;
  Py_INCREF(keep);
  Py_BEGIN_ALLOW_THREADS;
  status = heft_world_create(&world, model, &def, &error);
  Py_END_ALLOW_THREADS;
  int failed = -1;
  if (status != HEFT_OK)
    core_fail(status, &error);
  else
    failed = core_world_open(self, world, destroy, keep, model_object);
  Py_DECREF(keep);
  return failed;
}

static int world_traverse(PyObject* object, visitproc visit, void* arg) {
  World* self = (World*)object;
  Py_VISIT(Py_TYPE(object));
  Py_VISIT(self->control);
  Py_VISIT(self->filter);
  Py_VISIT(self->base.model_object);
  return 0;
}

static int world_clear(PyObject* object) {
  World* self = (World*)object;
  Py_CLEAR(self->control);
  Py_CLEAR(self->filter);
  return 0;
}

static void world_dealloc(PyObject* object) {
  PyTypeObject* type = Py_TYPE(object);
  PyObject_GC_UnTrack(object);
  world_clear(object);
  core_world_close((World*)object);
  Py_CLEAR(((Object*)object)->model_object);
  ((freefunc)PyType_GetSlot(type, Py_tp_free))(object);
  Py_DECREF(type);
}

static PyObject* world_close(PyObject* object, PyObject* unused) {
  (void)unused;
  if (((Object*)object)->busy) return core_use_alone(object);
  core_world_close((World*)object);
  Py_RETURN_NONE;
}

// ---- stepping

// A step that was rolled back because the caller wrote a number that is not finite: says which.
static int blame(World* self, HeftWorld* world) {
  const struct {
    const char* name;
    const double* numbers;
    int count;
  } inputs[] = {{"controls", heft_world_controls(world), self->base.model->nactuator},
                {"joint_forces", heft_world_joint_forces(world), self->base.model->nv}};
  for (int k = 0; k < 2; ++k)
    for (int i = 0; i < inputs[k].count; ++i)
      if (!isfinite(inputs[k].numbers[i])) {
        PyErr_Format(PyExc_ValueError,
                     "%s[%d] is %s; all numbers must be finite, and the step was not taken",
                     inputs[k].name, i, isnan(inputs[k].numbers[i]) ? "nan" : "infinite");
        return -1;
      }
  return 0;
}

// Takes n steps, or fewer if one is rolled back or a callback raises. Signals are looked at every
// 20 ms.
static int take_steps(World* self, HeftWorld* world, long long n, HeftStepReport* report) {
  self->base.busy = 1;
  int failed = 0;
  while (n > 0 && !failed) {
    PyThreadState* state = PyEval_SaveThread();
    const uint64_t start = n > 1 ? heft_clock_ns() : 0;
    do {
      *report = heft_world_step(world);
      --n;
    } while (n > 0 && heft_step_taken(report->status) && heft_clock_ns() - start < 20000000 &&
             !self->failed);
    PyEval_RestoreThread(state);
    if (!heft_step_taken(report->status)) n = 0;
    failed = self->failed || (n > 0 && core_interrupted());
  }
  self->base.busy = 0;
  if (self->failed) {
    self->failed = 0;
    PyErr_Restore(self->error[0], self->error[1], self->error[2]);
    memset(self->error, 0, sizeof self->error);
    return -1;
  }
  return failed ? -1 : heft_step_taken(report->status) ? 0 : blame(self, world);
}

static PyObject* world_step(PyObject* object, PyObject* const* args, Py_ssize_t count,
                            PyObject* names) {
  HeftWorld* world = core_use_alone(object);
  if (!world) return NULL;
  long long n = 1;
  const Py_ssize_t named = names ? PyTuple_Size(names) : 0;
  if (count + named > 1 ||
      (named && PyUnicode_CompareWithASCIIString(PyTuple_GetItem(names, 0), "n"))) {
    PyErr_SetString(PyExc_TypeError, "step(n=1) takes one argument, the number of steps");
    return NULL;
  }
  if (count + named && core_read_int(args[0], "n", 0, INT64_MAX, &n)) return NULL;
  HeftStepReport report = {0};
  if (take_steps((World*)object, world, n, &report)) return NULL;
  return core_struct(STRUCT_STEP_REPORT, &report);
}

static PyObject* world_step_until(PyObject* object, PyObject* deadline) {
  HeftWorld* world = core_use_alone(object);
  if (!world) return NULL;
  unsigned long long until;
  if (core_read_unsigned(deadline, "deadline_ns", &until)) return NULL;
  HeftStepReport report;
  ((Object*)object)->busy = 1;
  Py_BEGIN_ALLOW_THREADS;
  report = heft_world_step_until(world, until);
  Py_END_ALLOW_THREADS;
  ((Object*)object)->busy = 0;
  return core_struct(STRUCT_STEP_REPORT, &report);
}

static PyObject* world_effort(PyObject* object, PyObject* unused) {
  (void)unused;
  const HeftWorld* world = core_use(object);
  if (!world) return NULL;
  int nothing;
  const int count = heft_world_effort(world, &nothing, 0);
  void* data;
  PyObject* array = core_array(core_shape1(count), "i4", &data);
  if (array && count) heft_world_effort(world, data, count);
  return array;
}

static PyObject* world_step_replay(PyObject* object, PyObject* effort) {
  HeftWorld* world = core_use_alone(object);
  const double* numbers;
  PyObject* array = world ? core_doubles(effort, "effort", core_shape1(-1), 1, &numbers) : NULL;
  if (!array) return NULL;
  const Py_ssize_t count = PyObject_Size(array);
  int* whole = PyMem_Malloc(((size_t)count + 1) * sizeof *whole);
  PyObject* result = NULL;
  if (whole) {
    for (Py_ssize_t i = 0; i < count; ++i) whole[i] = (int)numbers[i];
    const HeftStepReport report = heft_world_step_replay(world, whole, (int)count);
    result = core_struct(STRUCT_STEP_REPORT, &report);
    PyMem_Free(whole);
  } else {
    PyErr_NoMemory();
  }
  Py_DECREF(array);
  return result;
}

static PyObject* world_reset(PyObject* object, PyObject* args) {
  HeftWorld* world = core_use_alone(object);
  PyObject* key = Py_None;
  if (!world || !PyArg_ParseTuple(args, "|O:reset", &key)) return NULL;
  if (key == Py_None) {
    heft_world_reset(world);
  } else if (PyUnicode_Check(key)) {
    HeftError error = {0};
    const char* name = PyUnicode_AsUTF8AndSize(key, NULL);
    const HeftStatus status = name ? heft_world_reset_to_key(world, name, &error) : HEFT_OK;
    if (!name || status != HEFT_OK) return name ? core_fail(status, &error) : NULL;
  } else {
    long long index;
    if (core_read_int(key, "key", 0, ((Object*)object)->model->nkey - 1, &index)) return NULL;
    heft_world_set_key(world, (int)index);
  }
  Py_RETURN_NONE;
}

// ---- arrays

typedef enum ArrayName {
  ARRAY_Q,
  ARRAY_V,
  ARRAY_ACTIVATIONS,
  ARRAY_CONTROLS,
  ARRAY_JOINT_FORCES,
  ARRAY_MOVED,
  ARRAY_MOVED_COMMANDS,
  ARRAY_CONVEYORS
} ArrayName;

static const char set_whole[] =
    "a state is set as a whole and checked, as in world.q = q, or by world.joint(name).position = "
    "x";

static PyObject* make_array(World* self, HeftWorld* world, ArrayName name) {
  const HeftModel* m = self->base.model;
  const HeftState* state = heft_world_state(world);
  PyObject* memory = self->base.memory;
  switch (name) {
    case ARRAY_Q:
      return core_view(memory, state->q, 'd', core_shape1(m->nq), set_whole);
    case ARRAY_V:
      return core_view(memory, state->v, 'd', core_shape1(m->nv), set_whole);
    case ARRAY_ACTIVATIONS:
      return core_view(memory, state->act, 'd', core_shape1(m->nact), set_whole);
    case ARRAY_CONTROLS:
      return core_view(memory, heft_world_controls(world), 'd', core_shape1(m->nactuator), NULL);
    case ARRAY_JOINT_FORCES:
      return core_view(memory, heft_world_joint_forces(world), 'd', core_shape1(m->nv), NULL);
    case ARRAY_MOVED:
      return core_view(memory, state->moved, 'd', core_shape2(m->nmoved, 13),
                       "move_body() or moved_commands move such a body");
    case ARRAY_MOVED_COMMANDS:
      return core_view(memory, heft_world_prescribed_motion(world).body, 'd',
                       core_shape2(m->nmoved, sizeof(HeftMovedCommand) / sizeof(double)), NULL);
    case ARRAY_CONVEYORS:
      break;
  }
  return core_view(memory, heft_world_prescribed_motion(world).conveyor, 'd',
                   core_shape2(m->nconveyor, 6), NULL);
}

static PyObject* get_array(PyObject* object, void* closure) {
  World* self = (World*)object;
  PyObject** cached = &self->arrays[(intptr_t)closure];
  if (!*cached) {
    HeftWorld* world = core_use(object);
    if (!world) return NULL;
    *cached = make_array(self, world, (ArrayName)(intptr_t)closure);
  }
  Py_XINCREF(*cached);
  return *cached;
}

static int set_state(PyObject* object, PyObject* value, int velocities) {
  HeftWorld* world = core_use_alone(object);
  if (!world) return -1;
  const HeftModel* m = ((Object*)object)->model;
  const int count = velocities ? m->nv : m->nq;
  const double* numbers;
  PyObject* array =
      value ? core_doubles(value, velocities ? "v" : "q", core_shape1(count), 1, &numbers)
            : (PyErr_SetString(PyExc_AttributeError, "q and v cannot be deleted"), NULL);
  if (!array) return -1;
  HeftError error = {0};
  const HeftStatus status = velocities ? heft_world_set_v(world, 0, numbers, count, &error)
                                       : heft_world_set_q(world, 0, numbers, count, &error);
  Py_DECREF(array);
  if (status != HEFT_OK) core_fail(status, &error);
  return status == HEFT_OK ? 0 : -1;
}

static int set_q(PyObject* object, PyObject* value, void* closure) {
  (void)closure;
  return set_state(object, value, 0);
}

static int set_v(PyObject* object, PyObject* value, void* closure) {
  (void)closure;
  return set_state(object, value, 1);
}

static int set_inputs(PyObject* object, PyObject* value, void* closure) {
  HeftWorld* world = core_use(object);
  if (!world) return -1;
  const HeftModel* m = ((Object*)object)->model;
  const int forces = (intptr_t)closure == ARRAY_JOINT_FORCES;
  if (!value) {
    PyErr_SetString(PyExc_AttributeError, "controls and joint_forces cannot be deleted");
    return -1;
  }
  return core_read_vector(value, forces ? "joint_forces" : "controls",
                          forces ? heft_world_joint_forces(world) : heft_world_controls(world),
                          forces ? m->nv : m->nactuator);
}

static PyObject* get_sensors(PyObject* object, void* closure) {
  (void)closure;
  HeftWorld* world = core_use(object);
  if (!world) return NULL;
  return core_view(((Object*)object)->memory, heft_world_sensors(world), 'd',
                   core_shape1(((Object*)object)->model->nsensordata),
                   "a step computes the sensors; copy() gives an array to change");
}

static PyObject* get_time(PyObject* object, void* closure) {
  (void)closure;
  const HeftWorld* world = core_use(object);
  return world ? PyFloat_FromDouble(*heft_world_state(world)->time) : NULL;
}

// ---- contacts

static PyObject* get_contacts(PyObject* object, void* closure) {
  (void)closure;
  const HeftWorld* world = core_use(object);
  if (!world) return NULL;
  const int count = heft_world_contact_count(world);
  HeftContact* all = PyMem_Malloc(((size_t)count + 1) * sizeof *all);
  if (!all) return PyErr_NoMemory();
  heft_world_contacts(world, all, count);
  PyObject* list = core_struct_list(STRUCT_CONTACT, all, count);
  PyMem_Free(all);
  return list;
}

static PyObject* get_constraint_forces(PyObject* object, void* closure) {
  (void)closure;
  const HeftWorld* world = core_use(object);
  if (!world) return NULL;
  HeftConstraintForce nothing;
  const int count = heft_world_constraint_forces(world, &nothing, 0);
  HeftConstraintForce* all = PyMem_Malloc(((size_t)count + 1) * sizeof *all);
  if (!all) return PyErr_NoMemory();
  heft_world_constraint_forces(world, all, count);
  PyObject* list = core_struct_list(STRUCT_CONSTRAINT_FORCE, all, count);
  PyMem_Free(all);
  return list;
}

// ---- motion of the last step

static PyObject* get_step_motion(PyObject* object, void* closure) {
  (void)closure;
  const HeftWorld* world = core_use(object);
  if (!world) return NULL;
  const HeftModel* m = ((Object*)object)->model;
  const HeftStepMotion motion = heft_world_step_motion(world);
  const struct {
    const char* name;
    const double* values;
    int count;
  } array[] = {{"q_middle", motion.q_middle, m->nq},
               {"v_solved", motion.v_solved, m->nv},
               {"v_mean", motion.v_mean, m->nv},
               {"v_correction", motion.v_correction, m->nv}};
  PyObject* all = Py_BuildValue("{s:d}", "h", motion.h);
  for (int i = 0; all && i < 4; ++i) {
    void* data = NULL;
    PyObject* copy = core_array(core_shape1(array[i].count), "d", &data);
    if (copy) memcpy(data, array[i].values, (size_t)array[i].count * sizeof(double));
    if (!copy || PyDict_SetItemString(all, array[i].name, copy)) Py_CLEAR(all);
    Py_XDECREF(copy);
  }
  return all;
}

// ---- derivatives

// (info, array, array, array), or the exception of a status. Takes the references.
static PyObject* derivative_result(HeftStatus status, const HeftError* error,
                                   const HeftDerivative* info, PyObject* const array[3]) {
  PyObject* result = NULL;
  if (status != HEFT_OK) {
    core_fail(status, error);
  } else {
    PyObject* known = core_struct(STRUCT_DERIVATIVE, info);
    if (known) result = PyTuple_Pack(4, known, array[0], array[1], array[2]);
    Py_XDECREF(known);
  }
  for (int i = 0; i < 3; ++i) Py_DECREF(array[i]);
  return result;
}

// New arrays; 0 on failure.
static int derivative_arrays(const Shape shape[3], PyObject* array[3], double* data[3]) {
  int made = 0;
  for (; made < 3; ++made) {
    void* numbers = NULL;
    array[made] = core_array(shape[made], "d", &numbers);
    if (!array[made]) break;
    data[made] = numbers;
  }
  if (made == 3) return 1;
  while (made > 0) Py_DECREF(array[--made]);
  return 0;
}

static PyObject* world_derivative(PyObject* object, PyObject* unused) {
  (void)unused;
  HeftWorld* world = core_use_alone(object);
  if (!world) return NULL;
  const HeftModel* m = heft_world_model(world);
  const Shape shape[3] = {core_shape2(2L * m->nv, 2L * m->nv), core_shape2(2L * m->nv, m->nv),
                          core_shape2(2L * m->nv, m->nactuator)};
  PyObject* array[3];
  double* data[3];
  HeftDerivative info;
  HeftError error = {0};
  if (!derivative_arrays(shape, array, data)) return NULL;
  const HeftStatus status = heft_world_derivative(world, data[0], data[1], data[2], &info, &error);
  return derivative_result(status, &error, &info, array);
}

static PyObject* world_derivative_transposed(PyObject* object, PyObject* argument) {
  HeftWorld* world = core_use_alone(object);
  if (!world) return NULL;
  const HeftModel* m = heft_world_model(world);
  const Shape shape[3] = {core_shape1(2L * m->nv), core_shape1(m->nv), core_shape1(m->nactuator)};
  const double* end = NULL;
  PyObject *given = core_doubles(argument, "end", shape[0], 1, &end), *array[3];
  double* data[3];
  HeftDerivative info;
  HeftError error = {0};
  if (!given || !derivative_arrays(shape, array, data)) {
    Py_XDECREF(given);
    return NULL;
  }
  const HeftStatus status =
      heft_world_derivative_transposed(world, end, data[0], data[1], data[2], &info, &error);
  Py_DECREF(given);
  return derivative_result(status, &error, &info, array);
}

// The kinds and indices of parameters, from a sequence of pairs; NULL on failure.
static HeftStepParameter* read_parameters(PyObject* pairs, Py_ssize_t count) {
  HeftStepParameter* list = PyMem_Malloc((size_t)(count > 0 ? count : 1) * sizeof *list);
  if (!list) PyErr_NoMemory();
  for (Py_ssize_t i = 0; list && i < count; ++i) {
    PyObject* pair = PySequence_GetItem(pairs, i);
    int kind = 0, index = 0;
    const int good = pair && PyArg_ParseTuple(pair, "ii", &kind, &index);
    Py_XDECREF(pair);
    if (!good) {
      PyMem_Free(list);
      return NULL;
    }
    list[i] = (HeftStepParameter){(HeftStepParameterKind)kind, index};
  }
  return list;
}

// (info, matrix) of a list of pairs (kind, index).
static PyObject* world_derivative_by(PyObject* object, PyObject* pairs) {
  HeftWorld* world = core_use_alone(object);
  const Py_ssize_t count = world ? PySequence_Size(pairs) : -1;
  if (count < 0 || count > INT_MAX) return NULL;
  HeftStepParameter* list = read_parameters(pairs, count);
  if (!list) return NULL;
  void* data = NULL;
  PyObject* matrix =
      core_array(core_shape2(2L * heft_world_model(world)->nv, (long)count), "d", &data);
  PyObject *result = NULL, *known = NULL;
  HeftDerivative info;
  HeftError error = {0};
  if (matrix) {
    const HeftStatus status =
        heft_world_derivative_by(world, list, (int)count, data, NULL, NULL, &info, &error);
    if (status != HEFT_OK) {
      core_fail(status, &error);
    } else {
      known = core_struct(STRUCT_DERIVATIVE, &info);
    }
  }
  if (known) result = PyTuple_Pack(2, known, matrix);
  Py_XDECREF(known);
  Py_XDECREF(matrix);
  PyMem_Free(list);
  return result;
}

// (end, start) of the sensors.
static PyObject* world_derivative_sensors(PyObject* object, PyObject* unused) {
  (void)unused;
  HeftWorld* world = core_use_alone(object);
  if (!world) return NULL;
  const HeftModel* m = heft_world_model(world);
  void *end = NULL, *start = NULL;
  HeftError error = {0};
  PyObject *result = NULL, *by_end = core_array(core_shape2(m->nsensordata, 2L * m->nv), "d", &end);
  PyObject* by_start = by_end ? core_array(core_shape2(m->nsensordata, m->nv), "d", &start) : NULL;
  if (by_start) {
    const HeftStatus status = heft_world_derivative_sensors(world, end, start, &error);
    if (status != HEFT_OK) {
      core_fail(status, &error);
    } else {
      result = PyTuple_Pack(2, by_end, by_start);
    }
  }
  Py_XDECREF(by_start);
  Py_XDECREF(by_end);
  return result;
}

// ---- snapshots

static PyObject* world_snapshot(PyObject* object, PyObject* unused) {
  (void)unused;
  const HeftWorld* world = core_use(object);
  if (!world) return NULL;
  const size_t size = heft_world_snapshot_size(world);
  PyObject* bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)size);
  if (bytes) heft_world_snapshot(world, PyBytes_AsString(bytes));
  return bytes;
}

static PyObject* world_restore(PyObject* object, PyObject* snapshot) {
  HeftWorld* world = core_use_alone(object);
  Py_buffer bytes;
  if (!world || PyObject_GetBuffer(snapshot, &bytes, PyBUF_C_CONTIGUOUS)) return NULL;
  const HeftStatus status = heft_world_restore(world, bytes.buf, (size_t)bytes.len);
  PyBuffer_Release(&bytes);
  if (status == HEFT_OK) return core_none();
  HeftError error = {.status = status};
  PyOS_snprintf(error.message, sizeof error.message, "restore: %s; expected the bytes of %s",
                status == HEFT_ERR_VERSION
                    ? "the snapshot belongs to another model, other settings or parameters, or "
                      "another version of Heft"
                    : "these bytes are no snapshot, or are damaged",
                "snapshot() of a world like this one");
  return core_fail(status, &error);
}

static PyObject* world_hash(PyObject* object, PyObject* unused) {
  (void)unused;
  const HeftWorld* world = core_use(object);
  return world ? PyLong_FromUnsignedLongLong(heft_world_hash(world)) : NULL;
}

static PyObject* world_clone(PyObject* object, PyObject* unused) {
  (void)unused;
  World* self = (World*)object;
  const HeftWorld* world = core_use(object);
  if (!world) return NULL;
  HeftWorld* made = NULL;
  HeftError error = {0};
  const HeftStatus status = heft_world_clone(&made, world, &error);
  if (status != HEFT_OK) return core_fail(status, &error);
  PyTypeObject* type = Py_TYPE(object);
  World* other = (World*)((allocfunc)PyType_GetSlot(type, Py_tp_alloc))(type, 0);
  if (!other) {
    heft_world_destroy(made);
    return NULL;
  }
  heft_world_set_control_callback(made, NULL, NULL);  // they belong to the other object
  heft_world_set_contact_filter(made, NULL, NULL);
  if (core_world_open(other, made, destroy, ((Object*)self->base.model_object)->memory,
                      self->base.model_object))
    Py_CLEAR(other);
  return (PyObject*)other;
}

static PyObject* world_capsule(PyObject* object, PyObject* unused) {
  (void)unused;
  HeftWorld* world = core_use(object);
  return world ? PyCapsule_New(world, "heft.World", NULL) : NULL;
}

static PyObject* world_rays(PyObject* object, PyObject* args) {
  HeftWorld* world = core_use_alone(object);
  RaysCall call = {0};
  if (!world) return NULL;
  HeftError error = {0};
  HeftStatus status = HEFT_OK;
  const int wrong = core_rays_read(&call, args, ((Object*)object)->model, 1);
  if (!wrong)
    status = heft_world_rays(world, &call.rays, call.distance, call.shape, call.normal, &error);
  if (status != HEFT_OK) core_fail(status, &error);
  return core_rays_end(&call, !wrong && status == HEFT_OK);
}

// ---- callbacks

static void keep_error(World* self) {
  if (!self->failed) {
    self->failed = 1;
    PyErr_Fetch(&self->error[0], &self->error[1], &self->error[2]);
  } else {
    PyErr_Clear();
  }
}

static void call_control(void* user, HeftWorld* world, int substep) {
  World* self = user;
  (void)world;
  const PyGILState_STATE lock = PyGILState_Ensure();
  if (!self->failed && self->control) {
    self->base.busy = 2;  // the callback may read the world and write its inputs
    PyObject* result = PyObject_CallFunction(self->control, "Oi", (PyObject*)self, substep);
    self->base.busy = 1;
    if (!result) keep_error(self);
    Py_XDECREF(result);
  }
  PyGILState_Release(lock);
}

static bool call_filter(void* user, const HeftContactPoint* point) {
  World* self = user;
  const PyGILState_STATE lock = PyGILState_Ensure();
  int answer = 1;
  if (!self->failed && self->filter) {
    self->base.busy = 2;
    PyObject* given = core_struct(STRUCT_CONTACT_POINT, point);
    PyObject* result = given ? PyObject_CallFunctionObjArgs(self->filter, given, NULL) : NULL;
    self->base.busy = 1;
    answer = result ? PyObject_IsTrue(result) : -1;
    if (answer < 0) keep_error(self);
    Py_XDECREF(result);
    Py_XDECREF(given);
  }
  PyGILState_Release(lock);
  return answer != 0;
}

static int take_callable(PyObject** place, PyObject* value, const char* name) {
  if (value && value != Py_None && !PyCallable_Check(value)) {
    PyErr_Format(PyExc_TypeError, "%s: expected a callable or None, got %R", name, value);
    return -1;
  }
  PyObject* before = *place;
  *place = value == Py_None ? NULL : value;
  Py_XINCREF(*place);
  Py_XDECREF(before);
  return 0;
}

static int set_control(PyObject* object, PyObject* value, void* closure) {
  (void)closure;
  World* self = (World*)object;
  HeftWorld* world = core_use_alone(object);
  if (!world || take_callable(&self->control, value, "controller")) return -1;
  heft_world_set_control_callback(world, self->control ? call_control : NULL, self);
  return 0;
}

static int set_filter(PyObject* object, PyObject* value, void* closure) {
  (void)closure;
  World* self = (World*)object;
  HeftWorld* world = core_use_alone(object);
  if (!world || take_callable(&self->filter, value, "contact_filter")) return -1;
  heft_world_set_contact_filter(world, self->filter ? call_filter : NULL, self);
  return 0;
}

static PyObject* get_callable(PyObject* object, void* closure) {
  World* self = (World*)object;
  PyObject* value = closure ? self->filter : self->control;
  if (!value) Py_RETURN_NONE;
  Py_INCREF(value);
  return value;
}

// ---- the type

#define ARRAY(name, number, setter, meaning) \
  { name, get_array, setter, meaning, (void*)(intptr_t)(number) }
static PyGetSetDef getset[] = {
    ARRAY("q", ARRAY_Q, set_q, "Coordinates (nq). Read-only view; assign to set all of them."),
    ARRAY("v", ARRAY_V, set_v, "Velocities (nv). Read-only view; assign to set all of them."),
    ARRAY("activations", ARRAY_ACTIVATIONS, NULL,
          "States of the actuators (nact). Read-only view."),
    ARRAY(
        "controls", ARRAY_CONTROLS, set_inputs,
        "Controls of the actuators (nactuator), to be written. They stay until they are changed."),
    ARRAY("joint_forces", ARRAY_JOINT_FORCES, set_inputs,
          "External joint forces (nv) [N, N m], to be written. They stay until they are changed."),
    ARRAY("moved", ARRAY_MOVED, NULL,
          "Moved bodies (nmoved, 13): position, quaternion, angular and linear velocity."),
    ARRAY("moved_commands", ARRAY_MOVED_COMMANDS, NULL,
          "Commands of moved bodies (nmoved, 14), to be written: velocity 6, target 7, arrives."),
    ARRAY("conveyors", ARRAY_CONVEYORS, NULL,
          "Velocities of conveyors (nconveyor, 6) [m/s, rad/s], to be written."),
    {"sensors", get_sensors, NULL,
     "Values of all sensors (nsensordata). Read-only view; valid until the next change.", NULL},
    {"time", get_time, NULL, "Simulated time [s].", NULL},
    {"model", core_get_model, NULL, "The model of the world.", NULL},
    {"closed", core_get_closed, NULL, "True after close().", NULL},
    {"contacts", get_contacts, NULL, "Contacts of the last step, with their forces.", NULL},
    {"constraint_forces", get_constraint_forces, NULL,
     "Forces of joint limits, dry friction, equalities and tendon limits in the last step.", NULL},
    {"step_motion", get_step_motion, NULL,
     "The motion of the last step: a dict of h, q_middle, v_solved, v_mean, v_correction.", NULL},
    {"controller", get_callable, set_control,
     "A callable controller(world, substep) before each substep, or None.", NULL},
    {"contact_filter", get_callable, set_filter,
     "A callable contact_filter(point) -> bool; False leaves the contact point out. Or None.",
     (void*)1},
    {NULL, NULL, NULL, NULL, NULL}};

static PyMethodDef methods[] = {
    {"step", (PyCFunction)(void (*)(void))world_step, METH_FASTCALL | METH_KEYWORDS,
     "step(n=1): takes n steps and returns the report of the last."},
    {"step_until", world_step_until, METH_O,
     "step_until(deadline_ns): a step with a deadline on heft.clock_ns()."},
    {"effort", world_effort, METH_NOARGS, "Effort of the contact solver in the last step."},
    {"step_replay", world_step_replay, METH_O, "A step that spends the effort of an earlier one."},
    {"reset", world_reset, METH_VARARGS,
     "reset(key=None): back to the start, or to a keyframe by name or number."},
    {"_derivative", world_derivative, METH_NOARGS, "See heft.World.derivative()."},
    {"_derivative_by", world_derivative_by, METH_O, "See heft.World.derivative_by()."},
    {"_derivative_sensors", world_derivative_sensors, METH_NOARGS,
     "See heft.World.derivative_sensors()."},
    {"_derivative_transposed", world_derivative_transposed, METH_O,
     "See heft.World.derivative_transposed()."},
    {"snapshot", world_snapshot, METH_NOARGS, "Everything that decides the future, as bytes."},
    {"restore", world_restore, METH_O, "restore(snapshot): goes back to a snapshot."},
    {"hash", world_hash, METH_NOARGS, "64 bits that depend on every bit of the state."},
    {"clone", world_clone, METH_NOARGS, "A second world in the same state, without callbacks."},
    {"_rays", world_rays, METH_VARARGS, "See heft.World.rays()."},
    {"_capsule", world_capsule, METH_NOARGS, "The pointer, for heft._view."},
    {"close", world_close, METH_NOARGS, "Releases the world; later calls raise ClosedError."},
    {NULL, NULL, 0, NULL}};

int core_world_start(PyObject* module) {
  PyType_Slot slots[] = {{Py_tp_init, (void*)world_init},
                         {Py_tp_dealloc, (void*)world_dealloc},
                         {Py_tp_traverse, (void*)world_traverse},
                         {Py_tp_clear, (void*)world_clear},
                         {Py_tp_methods, methods},
                         {Py_tp_getset, getset},
                         {Py_tp_doc, (void*)(uintptr_t)core_sign_class(
                                         "World", "A world steps one model through time.")},
                         {0, NULL}};
  core_sign("World", methods);
  PyType_Spec spec = {"heft._core.World", sizeof(World), 0,
                      Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC, slots};
  core.world = (PyTypeObject*)PyType_FromSpec(&spec);
  return core.world ? PyModule_AddObjectRef(module, "World", (PyObject*)core.world) : -1;
}
