// SPDX-License-Identifier: Apache-2.0
// What the generated functions use (functions.c, written by python/python_bindings.py).
#ifndef HEFT_PYTHON_BIND_H
#define HEFT_PYTHON_BIND_H

#include "core.h"

// A class of objects that the library makes.
typedef struct Class {
  const char* name;                                                 // with the module in front
  int (*init)(PyObject* self, PyObject* args, PyObject* keywords);  // or NULL: made by others
  void (*destroy)(void* object);
  PyMethodDef* methods;
  PyGetSetDef* getset;
} Class;

extern const Class core_classes[];
extern const int core_class_count;
extern PyMethodDef core_functions[];
// Methods and functions that are written by hand.
extern PyMethodDef core_world_by_name[], core_collider_methods[], core_dynamics_methods[],
    core_biped_methods[], core_spline_methods[], core_control_functions[], core_option_functions[];
extern PyGetSetDef core_state_getset[];
int core_spline_init(PyObject* self, PyObject* args, PyObject* keywords);

// The type of a class, for arguments.
PyTypeObject* core_class(int number);
// Opens a Python object on an object that was made, which needs `from` (or NULL). -1 on failure.
int core_start(Object* self, int number, void* made, PyObject* from);
// A new Python object for an object that was made.
PyObject* core_new(int number, void* made, PyObject* from);
// A read-only Python object for a part of another, which lives as long.
PyObject* core_borrow(int number, void* object, PyObject* from);

PyObject* core_none(void);
// A tuple of new references; NULL if one is NULL.
PyObject* core_tuple(int count, PyObject* const* values);
// Takes the reference out of a place.
PyObject* core_take(PyObject** place);
// A new array with a copy of doubles.
PyObject* core_numbers(const void* numbers, Shape shape);
// A new array of `count` finite numbers from an argument, to be changed.
PyObject* core_copy(PyObject* argument, const char* name, Py_ssize_t count, double** data);
// Finite numbers of exactly this shape into a struct of doubles of `size` bytes. -1 on failure.
int core_read_shape(PyObject* argument, const char* name, void* out, Shape shape, size_t size);
// An argument that is changed must not be a part of another object. -1: it is.
int core_refuse_constant(PyObject* argument, const char* name);
// Names of arguments as PyArg_ParseTupleAndKeywords() takes them; it does not write to them.
static inline char** core_keywords(const char* const* names) { return (char**)(uintptr_t)names; }
void core_no_model(void);
int core_classes_start(PyObject* module);

#endif
