// SPDX-License-Identifier: Apache-2.0
// NumPy arrays by the buffer protocol: views of the library's memory, and numbers of arguments.
#include <math.h>
#include <string.h>

#include "core.h"

// ---- views

typedef struct View {
  PyObject ob_base;
  PyObject* memory;
  void* data;
  Py_ssize_t item;
  int count;
  const char* remedy;  // NULL: may be written
  Py_ssize_t shape[CORE_DIMENSIONS_MAX], strides[CORE_DIMENSIONS_MAX];
  char format[2];
} View;

static double nothing[1];  // where empty arrays point

static Py_ssize_t size_of(char format) {
  switch (format) {
    case 'd':
    case 'q':
    case 'Q':
      return 8;
    case 'i':
      return 4;
    default:
      return 1;
  }
}

static int view_buffer(PyObject* self, Py_buffer* buffer, int flags) {
  View* view = (View*)self;
  if ((flags & PyBUF_WRITABLE) && view->remedy) {
    PyErr_SetString(PyExc_BufferError, "this array is read-only");
    return -1;
  }
  memset(buffer, 0, sizeof *buffer);
  buffer->buf = view->data;
  buffer->itemsize = view->item;
  buffer->ndim = view->count;
  buffer->readonly = view->remedy != NULL;
  buffer->len = view->item;
  for (int i = 0; i < view->count; ++i) buffer->len *= view->shape[i];
  buffer->format = (flags & PyBUF_FORMAT) ? view->format : NULL;
  buffer->shape = view->shape;
  buffer->strides = view->strides;
  Py_INCREF(self);
  buffer->obj = self;
  return 0;
}

static void view_dealloc(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  Py_XDECREF(((View*)self)->memory);
  PyObject_Free(self);
  Py_DECREF(type);
}

static PyObject* view_remedy(PyObject* self, void* closure) {
  (void)closure;
  return PyUnicode_FromString(((View*)self)->remedy);
}

static PyGetSetDef view_getset[] = {{"remedy", view_remedy, NULL, NULL, NULL},
                                    {NULL, NULL, NULL, NULL, NULL}};
static PyType_Slot view_slots[] = {{Py_bf_getbuffer, (void*)view_buffer},
                                   {Py_tp_dealloc, (void*)view_dealloc},
                                   {Py_tp_getset, view_getset},
                                   {0, NULL}};
PyType_Spec core_view_spec = {"heft._core._View", sizeof(View), 0,
                              Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, view_slots};

PyObject* core_view(PyObject* memory, const void* data, char format, Shape shape,
                    const char* remedy) {
  View* view = PyObject_New(View, core.view);
  if (!view) return NULL;
  Py_INCREF(memory);
  view->memory = memory;
  view->data = data ? (void*)(uintptr_t)data : nothing;
  view->format[0] = format;
  view->format[1] = 0;
  view->item = size_of(format);
  view->count = shape.count;
  view->remedy = remedy;
  Py_ssize_t stride = view->item;
  for (int i = shape.count - 1; i >= 0; --i) {
    view->shape[i] = shape.size[i];
    view->strides[i] = stride;
    stride *= shape.size[i];
  }
  PyObject* array =
      PyObject_CallFunctionObjArgs(remedy ? core.constant : core.asarray, (PyObject*)view, NULL);
  Py_DECREF(view);
  return array;
}

// ---- new arrays

PyObject* core_array(Shape shape, const char* dtype, void** data) {
  PyObject* size = PyTuple_New(shape.count);
  if (!size) return NULL;
  for (int i = 0; i < shape.count; ++i) PyTuple_SetItem(size, i, PyLong_FromSsize_t(shape.size[i]));
  PyObject* array = PyObject_CallFunction(core.empty, "Ns", size, dtype);
  if (!array) return NULL;
  Py_buffer buffer;
  if (PyObject_GetBuffer(array, &buffer, PyBUF_C_CONTIGUOUS | PyBUF_WRITABLE)) {
    Py_DECREF(array);
    return NULL;
  }
  *data = buffer.buf;  // the array owns the memory and is not resized while it is referenced here
  PyBuffer_Release(&buffer);
  return array;
}

PyObject* core_vector(const double* numbers, Py_ssize_t count) {
  void* data;
  PyObject* array = core_array(core_shape1(count), "d", &data);
  if (array) memcpy(data, numbers, (size_t)count * sizeof(double));
  return array;
}

// ---- arguments

static PyObject* shape_text(const Py_ssize_t* size, int count) {
  PyObject* text = PyUnicode_FromString("(");
  for (int i = 0; text && i < count; ++i) {
    PyObject* more = size[i] < 0 ? PyUnicode_FromFormat("%Uany, ", text)
                                 : PyUnicode_FromFormat("%U%zd, ", text, size[i]);
    Py_DECREF(text);
    text = more;
  }
  if (!text) return NULL;
  const Py_ssize_t length = PyUnicode_GetLength(text);
  PyObject* cut = count > 1 ? PyUnicode_Substring(text, 0, length - 2)
                            : PyUnicode_Substring(text, 0, count ? length - 1 : length);
  Py_DECREF(text);
  if (!cut) return NULL;
  PyObject* closed = PyUnicode_FromFormat("%U)", cut);
  Py_DECREF(cut);
  return closed;
}

static int check_shape(const Py_buffer* buffer, const char* name, Shape shape) {
  int fits = buffer->ndim == shape.count;
  for (int i = 0; fits && i < shape.count; ++i)
    fits = shape.size[i] < 0 || buffer->shape[i] == shape.size[i];
  if (fits) return 0;
  PyObject* wanted = shape_text(shape.size, shape.count);
  PyObject* given = shape_text(buffer->shape, buffer->ndim);
  if (wanted && given)
    PyErr_Format(PyExc_ValueError, "%s: expected an array of shape %U, got shape %U", name, wanted,
                 given);
  Py_XDECREF(wanted);
  Py_XDECREF(given);
  return -1;
}

static int check_finite(const Py_buffer* buffer, const char* name) {
  const double* numbers = buffer->buf;
  const Py_ssize_t count = buffer->len / (Py_ssize_t)sizeof(double);
  for (Py_ssize_t i = 0; i < count; ++i)
    if (!isfinite(numbers[i])) {
      PyErr_Format(PyExc_ValueError, "%s: number %zd is %s; all numbers must be finite", name, i,
                   isnan(numbers[i]) ? "nan" : "infinite");
      return -1;
    }
  return 0;
}

// The argument as an array of doubles: text, objects and complex numbers are refused.
static PyObject* as_doubles(PyObject* argument, const char* name) {
  PyObject* array = PyObject_CallFunctionObjArgs(core.asarray, argument, NULL);
  if (!array) {
    PyErr_Clear();
    PyErr_Format(PyExc_TypeError, "%s: expected an array of numbers (float64)", name);
    return NULL;
  }
  PyObject* dtype = PyObject_GetAttrString(array, "dtype");
  PyObject* kind = dtype ? PyObject_GetAttrString(dtype, "kind") : NULL;
  const char* letter = kind ? PyUnicode_AsUTF8AndSize(kind, NULL) : NULL;
  PyObject* result = NULL;
  if (letter && strchr("biuf", letter[0]))
    result = PyObject_CallFunction(core.contiguous, "Os", array, "d");
  else if (letter)
    PyErr_Format(PyExc_TypeError, "%s: expected numbers (float64), got dtype %S", name, dtype);
  Py_XDECREF(kind);
  Py_XDECREF(dtype);
  Py_DECREF(array);
  return result;
}

PyObject* core_doubles(PyObject* argument, const char* name, Shape shape, int finite,
                       const double** data) {
  PyObject* array = as_doubles(argument, name);
  if (!array) return NULL;
  // NumPy makes one number an array of one dimension here, as a vector of one number would be.
  Py_buffer buffer;
  if (PyObject_GetBuffer(array, &buffer, PyBUF_C_CONTIGUOUS)) {
    Py_DECREF(array);
    return NULL;
  }
  const int wrong = check_shape(&buffer, name, shape) || (finite && check_finite(&buffer, name));
  *data = buffer.buf;
  PyBuffer_Release(&buffer);
  if (!wrong) return array;
  Py_DECREF(array);
  return NULL;
}

int core_read_vector(PyObject* argument, const char* name, double* out, Py_ssize_t count) {
  const double* numbers;
  PyObject* array = core_doubles(argument, name, core_shape1(count), 1, &numbers);
  if (!array) return -1;
  memcpy(out, numbers, (size_t)count * sizeof(double));
  Py_DECREF(array);
  return 0;
}

int core_read_int(PyObject* argument, const char* name, long long min, long long max,
                  long long* out) {
  PyObject* whole = PyBool_Check(argument) ? NULL : PyNumber_Index(argument);
  if (!whole) {
    PyErr_Clear();
    PyErr_Format(PyExc_TypeError, "%s: expected a whole number, got %R", name, argument);
    return -1;
  }
  int overflow;
  const long long value = PyLong_AsLongLongAndOverflow(whole, &overflow);
  Py_DECREF(whole);
  if (max < min) {
    PyErr_Format(PyExc_ValueError, "%s: got %R, but the model has none", name, argument);
    return -1;
  }
  if (overflow || value < min || value > max) {
    PyErr_Format(PyExc_ValueError, "%s: expected a whole number from %lld to %lld, got %R", name,
                 min, max, argument);
    return -1;
  }
  *out = value;
  return 0;
}

int core_read_index(PyObject* argument, const char* name, const HeftModel* model, HeftNamed kind,
                    long long min, long long* out) {
  if (!PyUnicode_Check(argument))
    return core_read_int(argument, name, min, heft_model_named_count(model, kind) - 1, out);
  const char* text = NULL;
  int index = -1;
  HeftError error = {0};
  if (core_read_text(argument, name, 0, &text)) return -1;
  const HeftStatus status = heft_model_lookup(model, kind, text, &index, &error);
  if (status != HEFT_OK) core_fail(status, &error);
  *out = index;
  return status != HEFT_OK ? -1 : 0;
}

int core_read_double(PyObject* argument, const char* name, double* out) {
  const double value = PyUnicode_Check(argument) ? -1 : PyFloat_AsDouble(argument);
  if (PyUnicode_Check(argument) || (value == -1 && PyErr_Occurred())) {
    PyErr_Clear();
    PyErr_Format(PyExc_TypeError, "%s: expected a number, got %R", name, argument);
    return -1;
  }
  *out = value;
  return 0;
}

int core_read_unsigned(PyObject* argument, const char* name, unsigned long long* out) {
  PyObject* whole = PyNumber_Index(argument);
  *out = whole ? PyLong_AsUnsignedLongLong(whole) : 0;
  Py_XDECREF(whole);
  if (!PyErr_Occurred()) return 0;
  PyErr_Clear();
  PyErr_Format(PyExc_ValueError, "%s: expected a whole number from 0 to 2**64 - 1, got %R", name,
               argument);
  return -1;
}

int core_read_text(PyObject* argument, const char* name, int optional, const char** out) {
  if (optional && argument == Py_None) return 0;
  Py_ssize_t length = 0;
  const char* text = PyUnicode_Check(argument) ? PyUnicode_AsUTF8AndSize(argument, &length) : NULL;
  if (!text) {
    PyErr_Clear();
    PyErr_Format(PyExc_TypeError, "%s: expected a str, got %R", name, argument);
    return -1;
  }
  if ((size_t)length != strlen(text)) {
    PyErr_Format(PyExc_ValueError, "%s: expected text without null characters", name);
    return -1;
  }
  *out = text;
  return 0;
}
