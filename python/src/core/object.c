// SPDX-License-Identifier: Apache-2.0
// Memory, and the objects that use it.
#include "core.h"

PyObject* core_memory(void* object, void (*destroy)(void*), PyObject* keep) {
  Memory* memory = PyObject_New(Memory, core.memory);
  if (!memory) {
    if (destroy) destroy(object);
    return NULL;
  }
  memory->object = object;
  memory->destroy = destroy;
  Py_XINCREF(keep);
  memory->keep = keep;
  return (PyObject*)memory;
}

static void memory_dealloc(PyObject* self) {
  Memory* memory = (Memory*)self;
  PyTypeObject* type = Py_TYPE(self);
  if (memory->destroy && memory->object) memory->destroy(memory->object);
  Py_XDECREF(memory->keep);
  PyObject_Free(self);
  Py_DECREF(type);
}

void* core_use(PyObject* self) {
  Object* object = (Object*)self;
  if (object->object && object->busy != 1) return object->object;
  if (object->busy)
    PyErr_SetString(PyExc_RuntimeError, "another thread uses this object: use one per thread");
  else
    PyErr_SetString(core.closed, "this object is closed, or was never initialised");
  return NULL;
}

void* core_use_alone(PyObject* self) {
  if (((Object*)self)->busy != 2) return core_use_to_change(self);
  PyErr_SetString(PyExc_RuntimeError,
                  "a callback must not step, reset, restore, change or close its world: it reads "
                  "the state and writes controls, joint forces, wrenches and couplings");
  return NULL;
}

void* core_use_to_change(PyObject* self) {
  if (!((Object*)self)->constant) return core_use(self);
  PyErr_SetString(PyExc_TypeError,
                  "this object belongs to another one and is read-only: make one of your own");
  return NULL;
}

void* core_use_as(PyObject* argument, PyTypeObject* type, const char* name) {
  if (PyObject_TypeCheck(argument, type)) return core_use(argument);
  PyObject* wanted = PyObject_GetAttrString((PyObject*)type, "__name__");
  PyObject* given = PyObject_GetAttrString((PyObject*)Py_TYPE(argument), "__name__");
  if (wanted && given)
    PyErr_Format(PyExc_TypeError, "%s: expected a heft.%U, got %U", name, wanted, given);
  Py_XDECREF(wanted);
  Py_XDECREF(given);
  return NULL;
}

int core_open(Object* self, PyObject* memory) {
  if (!memory) return 0;
  core_close(self);
  self->memory = memory;
  self->object = ((Memory*)memory)->object;
  return 1;
}

void core_close(Object* self) {
  PyObject* memory = self->memory;
  self->object = NULL;
  self->memory = NULL;
  Py_XDECREF(memory);
}

PyObject* core_get_model(PyObject* self, void* closure) {
  (void)closure;
  if (!core_use(self)) return NULL;
  PyObject* model = ((Object*)self)->model_object;
  Py_INCREF(model);
  return model;
}

PyObject* core_get_closed(PyObject* self, void* closure) {
  (void)closure;
  return PyBool_FromLong(!((Object*)self)->object);
}

static PyType_Slot memory_slots[] = {{Py_tp_dealloc, (void*)memory_dealloc}, {0, NULL}};
PyType_Spec core_memory_spec = {"heft._core._Memory", sizeof(Memory), 0,
                                Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                                memory_slots};
