// SPDX-License-Identifier: Apache-2.0
// The module heft._core.
#include "bind.h"
#include "signatures.h"
#include "tables.h"

Core core;
extern PyType_Spec core_memory_spec, core_view_spec;

static PyObject* empty_call(PyObject* module, PyObject* const* args, Py_ssize_t count) {
  (void)module;
  (void)args;
  (void)count;
  Py_RETURN_NONE;
}

static PyObject* version(PyObject* module, PyObject* unused) {
  (void)module;
  (void)unused;
  return PyUnicode_FromString(heft_version());
}

static PyObject* hash_bytes(PyObject* module, PyObject* args) {
  (void)module;
  Py_buffer bytes;
  unsigned long long seed = 0;
  if (!PyArg_ParseTuple(args, "y*|K", &bytes, &seed)) return NULL;
  const uint64_t hash = heft_hash(bytes.buf, (size_t)bytes.len, seed);
  PyBuffer_Release(&bytes);
  return PyLong_FromUnsignedLongLong(hash);
}

static PyObject* dtype(PyObject* module, PyObject* name) {
  (void)module;
  for (int i = 0; i < core_struct_count; ++i)
    if (PyUnicode_CompareWithASCIIString(name, core_structs[i].name) == 0)
      return core_struct_dtype(i);
  return PyErr_Format(PyExc_KeyError, "there is no struct %R", name);
}

static PyMethodDef functions[] = {
    {"version", version, METH_NOARGS, "Version of the library."},
    {"hash_bytes", hash_bytes, METH_VARARGS, "hash_bytes(bytes, seed=0): 64 bits."},
    {"dtype", dtype, METH_O, "dtype(name): a struct, as numpy.dtype() takes it."},
    {"_empty", (PyCFunction)(void (*)(void))empty_call, METH_FASTCALL,
     "Does nothing; measures the cost of a call."},
    {NULL, NULL, 0, NULL}};

static PyObject* attribute(const char* module, const char* name) {
  PyObject* found = PyImport_ImportModule(module);
  PyObject* value = found ? PyObject_GetAttrString(found, name) : NULL;
  Py_XDECREF(found);
  return value;
}

static int start(PyObject* module) {
  core_contract_watch();
  core.empty = attribute("numpy", "empty");
  core.asarray = attribute("numpy", "asarray");
  core.contiguous = attribute("numpy", "ascontiguousarray");
  core.constant = attribute("heft._arrays", "constant");
  core.make_error = attribute("heft._errors", "make_error");
  core.load_error = attribute("heft._errors", "make_load_error");
  core.closed = attribute("heft._errors", "ClosedError");
  core.enums = PyImport_ImportModule("heft._enums");
  core.no_arguments = PyTuple_New(0);
  if (!core.empty || !core.asarray || !core.contiguous || !core.constant || !core.make_error ||
      !core.load_error || !core.closed || !core.enums)
    return -1;
  core.memory = (PyTypeObject*)PyType_FromSpec(&core_memory_spec);
  core.view = (PyTypeObject*)PyType_FromSpec(&core_view_spec);
  if (!core.memory || !core.view) return -1;
  return core_structs_start(module) || core_model_start(module) || core_world_start(module) ||
                 core_batch_start(module) || core_contact_start(module) || core_log_start(module) ||
                 core_replay_start(module) || PyModule_AddFunctions(module, core_model_functions) ||
                 core_classes_start(module)
             ? -1
             : 0;
}

static PyModuleDef_Slot slots[] = {{Py_mod_exec, (void*)start}, {0, NULL}};
static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "heft._core", "Heft's library.", 0, functions, slots, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__core(void);  // NOLINT(readability-identifier-naming): Python asks for it
PyMODINIT_FUNC PyInit__core(void) {
  core_sign(NULL, functions);
  return PyModuleDef_Init(&definition);
}
