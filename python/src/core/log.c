// SPDX-License-Identifier: Apache-2.0
// heft._core.Log: the log of a run in MCAP, for heft view, Foxglove and PlotJuggler.
#include <heft/run_log.h>

#include "bind.h"
#include "signatures.h"
#include "tables.h"

typedef struct Log {
  PyObject ob_base;
  HeftRunLog* log;  // NULL: closed
  const HeftModel* model;
  PyObject* memory;  // of the model
} Log;

static HeftStatus end(Log* self) {
  HeftRunLog* log = self->log;
  self->log = NULL;
  HeftStatus status;
  Py_BEGIN_ALLOW_THREADS;
  status = heft_run_log_close(log);
  Py_END_ALLOW_THREADS;
  Py_CLEAR(self->memory);
  return status;
}

static void log_dealloc(PyObject* object) {
  PyTypeObject* type = Py_TYPE(object);
  if (((Log*)object)->log) end((Log*)object);
  Py_CLEAR(((Log*)object)->memory);
  ((freefunc)PyType_GetSlot(type, Py_tp_free))(object);
  Py_DECREF(type);
}

// Log(path, model, model_path=None)
static int log_init(PyObject* object, PyObject* args, PyObject* keywords) {
  static const char* const names[] = {"path", "model", "model_path", NULL};
  Log* self = (Log*)object;
  PyObject *where, *given, *file = Py_None;
  const char* path = NULL;
  HeftRunLogDef def = heft_run_log_def_default();
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OO|O:Log", core_keywords(names), &where, &given,
                                   &file) ||
      core_read_text(where, "path", 0, &path) ||
      core_read_text(file, "model_path", 1, &def.model_path))
    return -1;
  const HeftModel* model = core_use_as(given, core.model, "model");
  if (!model) return -1;
  if (self->log) end(self);
  HeftError error = {0};
  const HeftStatus status = heft_run_log_open(&self->log, path, model, &def, &error);
  if (status != HEFT_OK) {
    core_fail(status, &error);
    return -1;
  }
  self->model = model;
  self->memory = ((Object*)given)->memory;
  Py_INCREF(self->memory);
  return 0;
}

static PyObject* log_write(PyObject* object, PyObject* args) {
  Log* self = (Log*)object;
  PyObject *given, *report = Py_None;
  if (!PyArg_ParseTuple(args, "O|O:write", &given, &report)) return NULL;
  if (!self->log) {
    PyErr_SetString(core.closed, "this log is closed, or was never opened");
    return NULL;
  }
  HeftWorld* world = core_use_as(given, core.world, "world");
  const HeftStepReport* last =
      world && report != Py_None ? core_struct_data(report, STRUCT_STEP_REPORT, "report") : NULL;
  if (!world || (report != Py_None && !last)) return NULL;
  if (heft_world_model(world) != self->model) {
    PyErr_SetString(PyExc_ValueError, "world: expected a world of the model of the log");
    return NULL;
  }
  const HeftStatus status = heft_run_log_write(self->log, world, last);
  return status == HEFT_OK ? core_none() : core_fail(status, NULL);
}

static PyObject* log_close(PyObject* object, PyObject* unused) {
  (void)unused;
  Log* self = (Log*)object;
  const HeftStatus status = self->log ? end(self) : HEFT_OK;
  return status == HEFT_OK ? core_none() : core_fail(status, NULL);
}

static PyObject* log_closed(PyObject* object, void* closure) {
  (void)closure;
  return PyBool_FromLong(!((Log*)object)->log);
}

// ---- reading

typedef struct Messages {
  PyObject* list;  // pairs (time, bytes)
  int failed;      // with an exception
} Messages;

static bool take_message(void* user, uint64_t time, const char* data, size_t size) {
  Messages* m = user;
  PyObject* pair = Py_BuildValue("Ky#", (unsigned long long)time, data, (Py_ssize_t)size);
  m->failed = !pair || PyList_Append(m->list, pair);
  Py_XDECREF(pair);
  return !m->failed;
}

// _read_log(path, channel) -> (pairs of time [ns] and bytes, whether the file is cut off)
static PyObject* read_log(PyObject* module, PyObject* args) {
  (void)module;
  const char *path, *channel;
  PyObject *where, *name;
  if (!PyArg_ParseTuple(args, "OO:_read_log", &where, &name) ||
      core_read_text(where, "path", 0, &path) || core_read_text(name, "channel", 0, &channel))
    return NULL;
  Messages m = {.list = PyList_New(0)};
  if (!m.list) return NULL;
  bool cut_off = false;
  HeftError error = {0};
  const HeftStatus status = heft_run_log_read(path, channel, take_message, &m, &cut_off, &error);
  if (status == HEFT_OK && !m.failed)
    return Py_BuildValue("NO", m.list, cut_off ? Py_True : Py_False);
  Py_DECREF(m.list);
  return m.failed ? NULL : core_fail(status, &error);
}

static PyMethodDef functions[] = {{"_read_log", read_log, METH_VARARGS, "See heft.read_log()."},
                                  {NULL, NULL, 0, NULL}};

static PyMethodDef methods[] = {
    {"write", log_write, METH_VARARGS,
     "write(world, report=None): one row; report is that of the step before."},
    {"close", log_close, METH_NOARGS, "Writes the index of the file and closes it."},
    {NULL, NULL, 0, NULL}};
static PyGetSetDef getset[] = {{"closed", log_closed, NULL, "True after close().", NULL},
                               {NULL, NULL, NULL, NULL, NULL}};

int core_log_start(PyObject* module) {
  PyType_Slot slots[] = {
      {Py_tp_init, (void*)log_init},
      {Py_tp_dealloc, (void*)log_dealloc},
      {Py_tp_methods, methods},
      {Py_tp_getset, getset},
      {Py_tp_doc, (void*)(uintptr_t)core_sign_class("Log", "The log of a run in MCAP.")},
      {0, NULL}};
  core_sign("Log", methods);
  core_sign(NULL, functions);
  PyType_Spec spec = {"heft._core.Log", sizeof(Log), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
                      slots};
  PyObject* type = PyType_FromSpec(&spec);
  const int failed = !type || PyModule_AddObjectRef(module, "Log", type) ||
                     PyModule_AddFunctions(module, functions);
  Py_XDECREF(type);
  return failed ? -1 : 0;
}
