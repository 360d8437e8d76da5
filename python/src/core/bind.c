// SPDX-License-Identifier: Apache-2.0
// Classes of objects that the library makes, and values of the generated functions.
#include "bind.h"

#include "signatures.h"

#include <string.h>

#include "tables.h"

static PyTypeObject* types[CLASS_COUNT];   // of arguments
static PyTypeObject* chosen[CLASS_COUNT];  // of new objects: subclasses of the package

PyTypeObject* core_class(int number) { return types[number]; }

static void object_dealloc(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  core_close((Object*)self);
  Py_CLEAR(((Object*)self)->model_object);
  ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
  Py_DECREF(type);
}

static PyObject* object_close(PyObject* self, PyObject* unused) {
  (void)unused;
  core_close((Object*)self);
  Py_RETURN_NONE;
}

static int take_model(Object* self, PyObject* from) {
  if (!from) return 0;
  const Object* other = (const Object*)from;
  self->model = other->model;
  PyObject* model = PyObject_TypeCheck(from, core.model) ? from : other->model_object;
  Py_XINCREF(model);
  Py_XDECREF(self->model_object);
  self->model_object = model;
  return 0;
}

int core_start(Object* self, int number, void* made, PyObject* from) {
  PyObject* keep = from ? ((Object*)from)->memory : NULL;
  if (!core_open(self, core_memory(made, core_classes[number].destroy, keep))) return -1;
  if (number == CLASS_MODEL)
    self->model = made;
  else
    take_model(self, from);
  return 0;
}

static Object* allocate(int number) {
  PyTypeObject* type = chosen[number] ? chosen[number] : types[number];
  return (Object*)((allocfunc)PyType_GetSlot(type, Py_tp_alloc))(type, 0);
}

PyObject* core_new(int number, void* made, PyObject* from) {
  Object* self = allocate(number);
  if (!self) {
    core_classes[number].destroy(made);
    return NULL;
  }
  if (core_start(self, number, made, number == CLASS_MODEL ? NULL : from)) Py_CLEAR(self);
  return (PyObject*)self;
}

PyObject* core_borrow(int number, void* object, PyObject* from) {
  if (PyErr_Occurred()) return NULL;
  if (!object) return core_none();
  Object* self = allocate(number);
  if (!self) return NULL;
  if (!core_open(self, core_memory(object, NULL, ((Object*)from)->memory))) {
    Py_DECREF(self);
    return NULL;
  }
  take_model(self, from);
  self->constant = 1;
  return (PyObject*)self;
}

// ---- values

PyObject* core_none(void) { Py_RETURN_NONE; }

PyObject* core_take(PyObject** place) {
  PyObject* value = *place;
  *place = NULL;
  return value;
}

PyObject* core_tuple(int count, PyObject* const* values) {
  PyObject* tuple = PyTuple_New(count);
  int failed = !tuple;
  for (int i = 0; i < count; ++i) {
    failed |= !values[i];
    if (tuple && values[i])
      PyTuple_SetItem(tuple, i, values[i]);
    else
      Py_XDECREF(values[i]);
  }
  if (failed) Py_CLEAR(tuple);
  return tuple;
}

static size_t bytes_of(Shape shape) {
  size_t size = sizeof(double);
  for (int i = 0; i < shape.count; ++i) size *= (size_t)shape.size[i];
  return size;
}

PyObject* core_numbers(const void* numbers, Shape shape) {
  void* data;
  PyObject* array = core_array(shape, "d", &data);
  if (array) memcpy(data, numbers, bytes_of(shape));
  return array;
}

PyObject* core_copy(PyObject* argument, const char* name, Py_ssize_t count, double** data) {
  const double* numbers;
  PyObject* given = core_doubles(argument, name, core_shape1(count), 1, &numbers);
  if (!given) return NULL;
  void* out;
  PyObject* array = core_array(core_shape1(count), "d", &out);
  if (array) memcpy(out, numbers, (size_t)count * sizeof(double));
  *data = out;
  Py_DECREF(given);
  return array;
}

int core_read_shape(PyObject* argument, const char* name, void* out, Shape shape, size_t size) {
  const double* numbers;
  PyObject* array = core_doubles(argument, name, shape, 1, &numbers);
  if (!array) return -1;
  memcpy(out, numbers, size);
  Py_DECREF(array);
  return 0;
}

int core_refuse_constant(PyObject* argument, const char* name) {
  if (!((Object*)argument)->constant) return 0;
  PyErr_Format(PyExc_TypeError, "%s: this object belongs to another one and is read-only", name);
  return -1;
}

void core_no_model(void) {
  PyErr_SetString(core.closed, "the model of this object is not known: give it one that is open");
}

// ---- start

static PyMethodDef object_methods[] = {
    {"close", object_close, METH_NOARGS, "Releases the object; later calls raise ClosedError."},
    {NULL, NULL, 0, NULL}};
static PyGetSetDef object_getset[] = {
    {"closed", core_get_closed, NULL, "True after close().", NULL}, {NULL, NULL, NULL, NULL, NULL}};

static const char* short_name(const Class* class) { return strrchr(class->name, '.') + 1; }

static PyTypeObject* make_type(const Class* class) {
  const initproc init = class == &core_classes[CLASS_SPLINE] ? core_spline_init : class->init;
  PyType_Slot slots[] = {{Py_tp_dealloc, (void*)object_dealloc},
                         {Py_tp_methods, object_methods},
                         {Py_tp_getset, object_getset},
                         {Py_tp_doc, (void*)(uintptr_t)core_sign_class(short_name(class), "")},
                         {init ? Py_tp_init : 0, (void*)init},
                         {0, NULL}};
  PyType_Spec spec = {class->name, sizeof(Object), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
                      slots};
  return (PyTypeObject*)PyType_FromSpec(&spec);
}

static int add(PyTypeObject* type, const char* name, PyObject* descriptor) {
  const int failed = !descriptor || PyObject_SetAttrString((PyObject*)type, name, descriptor);
  Py_XDECREF(descriptor);
  return failed ? -1 : 0;
}

static PyObject* choose(PyObject* module, PyObject* args) {
  (void)module;
  const char* name;
  PyObject* type;
  if (!PyArg_ParseTuple(args, "sO", &name, &type)) return NULL;
  for (int i = 0; i < CLASS_COUNT; ++i)
    if (strcmp(short_name(&core_classes[i]), name) == 0) {
      Py_INCREF(type);
      chosen[i] = (PyTypeObject*)type;
    }
  Py_RETURN_NONE;
}

static PyMethodDef own[] = {
    {"_choose", choose, METH_VARARGS, "_choose(name, class): class of new objects."},
    {NULL, NULL, 0, NULL}};

int core_classes_start(PyObject* module) {
  core_sign("Dynamics", object_methods);  // of all classes
  types[CLASS_MODEL] = core.model;
  types[CLASS_WORLD] = core.world;
  types[CLASS_BATCH] = core.batch;
  for (int i = 0; i < CLASS_COUNT; ++i) {
    const Class* class = &core_classes[i];
    if (!types[i]) {
      types[i] = make_type(class);
      if (!types[i] || PyModule_AddObjectRef(module, short_name(class), (PyObject*)types[i]))
        return -1;
    }
    core_sign(short_name(class), class->methods);
    for (PyMethodDef* one = class->methods; one->ml_name; ++one)
      if (add(types[i], one->ml_name, PyDescr_NewMethod(types[i], one))) return -1;
    for (PyGetSetDef* one = class->getset; one->name; ++one)
      if (add(types[i], one->name, PyDescr_NewGetSet(types[i], one))) return -1;
  }
  static const struct {
    int number;
    PyMethodDef* methods;
  } more[] = {{CLASS_WORLD, core_world_by_name},
              {CLASS_COLLIDER, core_collider_methods},
              {CLASS_DYNAMICS, core_dynamics_methods},
              {CLASS_BIPED, core_biped_methods}};
  for (size_t k = 0; k < sizeof more / sizeof more[0]; ++k) {
    core_sign(short_name(&core_classes[more[k].number]), more[k].methods);
    for (PyMethodDef* one = more[k].methods; one->ml_name; ++one)
      if (add(types[more[k].number], one->ml_name, PyDescr_NewMethod(types[more[k].number], one)))
        return -1;
  }
  for (PyGetSetDef* one = core_state_getset; one->name; ++one)
    if (add(types[CLASS_STATE], one->name, PyDescr_NewGetSet(types[CLASS_STATE], one))) return -1;
  core_sign(NULL, core_functions);
  core_sign(NULL, core_control_functions);
  core_sign(NULL, core_option_functions);
  return PyModule_AddFunctions(module, core_functions) || PyModule_AddFunctions(module, own) ||
         PyModule_AddFunctions(module, core_control_functions) ||
         PyModule_AddFunctions(module, core_option_functions);
}
