// SPDX-License-Identifier: Apache-2.0
// Structs of the library as Python objects: a copy of the struct, and a property for each field.
// The tables come from the headers (tables.c, written by python/python_bindings.py).
#include <stddef.h>
#include <string.h>

#include "core.h"
#include "signatures.h"

typedef struct Structure {
  PyObject ob_base;
  int number;
  PyObject* keep;  // dict of what pointers of the struct point to, or NULL
  double data[];   // aligned for every field
} Structure;

static PyTypeObject** types;     // (core_struct_count)
static PyObject** enum_members;  // tuple of members of each enum (core_enum_count)

static void* data_of(PyObject* self) { return ((Structure*)self)->data; }
static const Struct* struct_of(PyObject* self) { return &core_structs[((Structure*)self)->number]; }

// ---- enums

PyObject* core_enum(int number, int value) {
  PyObject* members = enum_members[number];
  if (value < 0 || value >= PyTuple_Size(members)) return PyLong_FromLong(value);
  PyObject* member = PyTuple_GetItem(members, value);
  Py_XINCREF(member);
  return member;
}

static int load_enums(void) {
  enum_members = PyMem_Calloc((size_t)core_enum_count, sizeof(void*));
  if (!enum_members) return -1;
  for (int i = 0; i < core_enum_count; ++i) {
    PyObject* class = PyObject_GetAttrString(core.enums, core_enums[i]);
    if (!class) return -1;
    enum_members[i] = PySequence_Tuple(class);
    Py_DECREF(class);
    if (!enum_members[i]) return -1;
  }
  return 0;
}

// ---- reading

static size_t text_length(const char* text, size_t size) {
  const char* end = memchr(text, 0, size);
  return end ? (size_t)(end - text) : size;
}

static PyObject* read_one(const Field* field, const char* at) {
  switch (field->kind) {
    case FIELD_BOOL:
      return PyBool_FromLong(*(const bool*)at);
    case FIELD_INT:
      return field->other >= 0 ? core_enum(field->other, *(const int*)at)
                               : PyLong_FromLong(*(const int*)at);
    case FIELD_UNSIGNED:
      return PyLong_FromUnsignedLong(*(const unsigned*)at);
    case FIELD_LONG:
      return PyLong_FromLong(*(const long*)at);
    case FIELD_INT64:
      return PyLong_FromLongLong(*(const int64_t*)at);
    case FIELD_UINT64:
      return PyLong_FromUnsignedLongLong(*(const uint64_t*)at);
    case FIELD_SIZE:
      return PyLong_FromSize_t(*(const size_t*)at);
    case FIELD_DOUBLE:
      return PyFloat_FromDouble(*(const double*)at);
    case FIELD_FLOAT:
      return PyFloat_FromDouble((double)*(const float*)at);
    case FIELD_TEXT:
      return PyUnicode_DecodeUTF8(at, (Py_ssize_t)text_length(at, field->size), "replace");
    case FIELD_STRING: {
      const char* text;
      memcpy(&text, at, sizeof text);
      return PyUnicode_FromString(text ? text : "");
    }
    case FIELD_STRUCT:
    case FIELD_DOUBLES:
    case FIELD_INTS:
    case FIELD_STRUCTS:
    case FIELD_KEPT:
      break;
  }
  return core_struct(field->other, at);
}

static const char* letter_of(FieldKind kind) {
  switch (kind) {
    case FIELD_BOOL:
      return "?";
    case FIELD_INT:
      return "i4";
    case FIELD_UNSIGNED:
      return "u4";
    case FIELD_LONG:
    case FIELD_INT64:
      return "i8";
    case FIELD_UINT64:
    case FIELD_SIZE:
      return "u8";
    case FIELD_FLOAT:
      return "f4";
    case FIELD_DOUBLE:
    case FIELD_TEXT:
    case FIELD_STRING:
    case FIELD_STRUCT:
    case FIELD_DOUBLES:
    case FIELD_INTS:
    case FIELD_STRUCTS:
    case FIELD_KEPT:
      break;
  }
  return "f8";
}

static Py_ssize_t count_of(const Field* field) {
  return field->rows ? (Py_ssize_t)field->rows * (field->columns ? field->columns : 1) : 1;
}

int core_struct_keep(PyObject* object, const char* name, PyObject* value) {
  Structure* self = (Structure*)object;
  if (!self->keep && !(self->keep = PyDict_New())) return -1;
  return PyDict_SetItemString(self->keep, name, value);
}

static PyObject* kept(PyObject* self, const char* name) {
  PyObject* keep = ((Structure*)self)->keep;
  PyObject* value = keep ? PyDict_GetItemString(keep, name) : NULL;
  if (!value) value = Py_None;
  Py_INCREF(value);
  return value;
}

static PyObject* read_field(PyObject* self, void* closure) {
  const Field* field = closure;
  const char* at = (const char*)data_of(self) + field->offset;
  if (field->kind >= FIELD_DOUBLES) return kept(self, field->name);
  if (!field->rows) return read_one(field, at);
  const Py_ssize_t count = count_of(field);
  const size_t item = field->size / (size_t)count;
  if (field->kind == FIELD_STRUCT || field->kind == FIELD_TEXT) {
    PyObject* all = PyTuple_New(count);
    Field one = *field;
    one.size = item;
    for (Py_ssize_t i = 0; all && i < count; ++i)
      PyTuple_SetItem(all, i, read_one(&one, at + (size_t)i * item));
    return all;
  }
  void* data;
  PyObject* array = core_array(
      field->columns ? core_shape2(field->rows, field->columns) : core_shape1(field->rows),
      letter_of(field->kind), &data);
  if (array) memcpy(data, at, field->size);
  return array;
}

// ---- writing

static int write_numbers(const Field* field, char* at, PyObject* value) {
  const Py_ssize_t count = count_of(field);
  const double* numbers;
  PyObject* array = core_doubles(value, field->name,
                                 !field->rows     ? core_shape1(1)
                                 : field->columns ? core_shape2(field->rows, field->columns)
                                                  : core_shape1(field->rows),
                                 0, &numbers);
  if (!array) return -1;
  const size_t item = field->size / (size_t)count;
  for (Py_ssize_t i = 0; i < count; ++i) {
    char* to = at + (size_t)i * item;
    if (field->kind == FIELD_DOUBLE)
      memcpy(to, &numbers[i], sizeof numbers[i]);
    else if (field->kind == FIELD_FLOAT)
      *(float*)to = (float)numbers[i];
    else if (field->kind == FIELD_BOOL)
      *(bool*)to = numbers[i] != 0;
    else if (numbers[i] >= -2147483648.0 && numbers[i] <= 2147483647.0)
      *(int*)to = (int)numbers[i];
    else
      PyErr_Format(PyExc_ValueError, "%s: a number does not fit", field->name);
  }
  Py_DECREF(array);
  return PyErr_Occurred() ? -1 : 0;
}

static int write_whole(const Field* field, char* at, PyObject* value) {
  if (field->kind == FIELD_UINT64 || field->kind == FIELD_SIZE) {
    PyObject* whole = PyNumber_Index(value);
    const unsigned long long number = whole ? PyLong_AsUnsignedLongLong(whole) : 0;
    Py_XDECREF(whole);
    if (PyErr_Occurred()) {
      PyErr_Clear();
      PyErr_Format(PyExc_ValueError, "%s: expected a whole number from 0 to 2**64 - 1, got %R",
                   field->name, value);
      return -1;
    }
    *(uint64_t*)at = number;
    return 0;
  }
  long long number;
  const bool wide = field->kind == FIELD_LONG || field->kind == FIELD_INT64;
  const long long min = wide ? INT64_MIN : field->kind == FIELD_UNSIGNED ? 0 : INT32_MIN;
  const long long max = wide ? INT64_MAX : field->kind == FIELD_UNSIGNED ? UINT32_MAX : INT32_MAX;
  if (field->kind == FIELD_INT && field->other >= 0 && enum_members[field->other])
    return core_read_enum(field->other, value, field->name, (int*)at);
  if (core_read_int(value, field->name, min, max, &number)) return -1;
  if (wide)
    *(int64_t*)at = number;
  else
    *(int*)at = (int)number;
  return 0;
}

int core_read_enum(int number, PyObject* value, const char* name, int* out) {
  PyObject* members = enum_members[number];
  if (PyUnicode_Check(value)) {  // the name of a member, in any case of its letters
    PyObject* upper = PyObject_CallMethod(value, "upper", NULL);
    for (Py_ssize_t i = 0; upper && i < PyTuple_Size(members); ++i) {
      PyObject* member = PyObject_GetAttrString(PyTuple_GetItem(members, i), "name");
      const int same = member ? PyUnicode_Compare(member, upper) == 0 : 0;
      Py_XDECREF(member);
      if (same) {
        Py_DECREF(upper);
        *out = (int)i;
        return 0;
      }
    }
    Py_XDECREF(upper);
    PyObject* class = (PyObject*)Py_TYPE(PyTuple_GetItem(members, 0));
    PyObject* names = PyObject_GetAttrString(class, "__members__");
    PyObject* list = names ? PySequence_List(names) : NULL;
    PyErr_Format(PyExc_ValueError, "%s: expected one of %S, got %R", name, list, value);
    Py_XDECREF(list);
    Py_XDECREF(names);
    return -1;
  }
  long long index;
  if (core_read_int(value, name, 0, PyTuple_Size(members) - 1, &index)) return -1;
  *out = (int)index;
  return 0;
}

static int write_text(const Field* field, char* at, PyObject* value) {
  Py_ssize_t length;
  const char* text = PyUnicode_Check(value) ? PyUnicode_AsUTF8AndSize(value, &length) : NULL;
  if (!text) {
    PyErr_Format(PyExc_TypeError, "%s: expected a str, got %R", field->name, value);
    return -1;
  }
  if ((size_t)length >= field->size) {
    PyErr_Format(PyExc_ValueError, "%s: expected at most %zd bytes of text, got %zd", field->name,
                 (Py_ssize_t)field->size - 1, length);
    return -1;
  }
  memset(at, 0, field->size);
  memcpy(at, text, (size_t)length);
  return 0;
}

static int write_string(PyObject* self, const Field* field, char* at, PyObject* value) {
  const char* text = NULL;
  if (core_read_text(value, field->name, 1, &text) || core_struct_keep(self, field->name, value))
    return -1;
  memcpy(at, &text, sizeof text);
  return 0;
}

// An array for a pointer of the struct: the copy is kept, and the counts are set.
static int write_pointer(PyObject* self, const Field* field, char* at, PyObject* value) {
  void* data = NULL;
  int count[2] = {0, 0};
  PyObject* array;
  if (field->kind == FIELD_STRUCTS) {
    array = core_struct_array(value, field->other, field->name, &data, &count[0]);
  } else {
    const double* numbers;
    array = core_doubles(value, field->name, core_shape2(-1, field->columns ? field->columns : -1),
                         1, &numbers);
    if (array && field->kind == FIELD_INTS) {
      PyObject* whole = PyObject_CallFunction(core.contiguous, "Os", array, "i4");
      Py_DECREF(array);
      array = whole;
    }
    Py_buffer buffer;
    if (!array || PyObject_GetBuffer(array, &buffer, PyBUF_C_CONTIGUOUS)) {
      Py_XDECREF(array);
      return -1;
    }
    data = buffer.buf;
    count[0] = (int)buffer.shape[0];
    count[1] = (int)buffer.shape[1];
    PyBuffer_Release(&buffer);
  }
  if (!array) return -1;
  const int failed = core_struct_keep(self, field->name, array);
  Py_DECREF(array);
  if (failed) return -1;
  memcpy(at, &data, sizeof data);
  char* base = data_of(self);
  memcpy(base + field->count[0], &count[0], sizeof count[0]);
  if (field->count[1]) memcpy(base + field->count[1], &count[1], sizeof count[1]);
  return 0;
}

PyObject* core_struct_array(PyObject* sequence, int number, const char* name, void** data,
                            int* count) {
  const Py_ssize_t length = PySequence_Size(sequence);
  const size_t size = core_structs[number].size;
  if (length < 0) {
    PyErr_Clear();
    return PyErr_Format(PyExc_TypeError, "%s: expected a sequence of heft.%s, got %R", name,
                        core_structs[number].name, sequence);
  }
  PyObject* bytes = core_array(core_shape1((Py_ssize_t)size * length), "u1", data);
  for (Py_ssize_t i = 0; bytes && i < length; ++i) {
    PyObject* one = PySequence_GetItem(sequence, i);
    const void* from = one ? core_struct_data(one, number, name) : NULL;
    if (from)
      memcpy((char*)*data + (size_t)i * size, from, size);
    else
      Py_CLEAR(bytes);
    Py_XDECREF(one);
  }
  *count = (int)length;
  return bytes;
}

static int write_struct(const Field* field, char* at, PyObject* value) {
  const size_t item = core_structs[field->other].size;
  if (!field->rows) {
    const void* data = core_struct_data(value, field->other, field->name);
    if (data) memcpy(at, data, item);
    return data ? 0 : -1;
  }
  if (PySequence_Size(value) != field->rows) {
    PyErr_Clear();
    PyErr_Format(PyExc_ValueError, "%s: expected a sequence of %d heft.%s", field->name,
                 field->rows, core_structs[field->other].name);
    return -1;
  }
  for (int i = 0; i < field->rows; ++i) {
    PyObject* one = PySequence_GetItem(value, i);
    const void* data = one ? core_struct_data(one, field->other, field->name) : NULL;
    if (data) memcpy(at + (size_t)i * item, data, item);
    Py_XDECREF(one);
    if (!data) return -1;
  }
  return 0;
}

static int write_field(PyObject* self, PyObject* value, void* closure) {
  const Field* field = closure;
  char* at = (char*)data_of(self) + field->offset;
  if (!value) {
    PyErr_Format(PyExc_AttributeError, "%s: a field cannot be deleted", field->name);
    return -1;
  }
  if (field->kind == FIELD_STRUCT) return write_struct(field, at, value);
  if (field->kind == FIELD_TEXT && !field->rows) return write_text(field, at, value);
  if (field->kind == FIELD_STRING) return write_string(self, field, at, value);
  if (field->kind >= FIELD_DOUBLES && field->kind < FIELD_KEPT)
    return write_pointer(self, field, at, value);
  if (field->kind == FIELD_KEPT || field->kind == FIELD_TEXT) {
    PyErr_Format(PyExc_AttributeError, "%s: this field is read-only", field->name);
    return -1;
  }
  if (field->rows) return write_numbers(field, at, value);
  if (field->kind == FIELD_DOUBLE || field->kind == FIELD_FLOAT) {
    double number;
    if (core_read_double(value, field->name, &number)) return -1;
    if (field->kind == FIELD_DOUBLE)
      *(double*)at = number;
    else
      *(float*)at = (float)number;
    return 0;
  }
  if (field->kind == FIELD_BOOL) {
    const int truth = PyObject_IsTrue(value);
    *(bool*)at = truth == 1;
    return truth < 0 ? -1 : 0;
  }
  return write_whole(field, at, value);
}

// ---- the types

static int number_of(PyTypeObject* type) {
  for (int i = 0; i < core_struct_count; ++i)
    if (type == types[i] || PyType_IsSubtype(type, types[i])) return i;
  return -1;
}

PyObject* core_struct(int number, const void* object) {
  Structure* made = PyObject_New(Structure, types[number]);
  if (!made) return NULL;
  made->number = number;
  made->keep = NULL;
  memcpy(made->data, object, core_structs[number].size);
  return (PyObject*)made;
}

PyObject* core_struct_list(int number, const void* objects, int count) {
  PyObject* list = PyList_New(count);
  for (int i = 0; list && i < count; ++i) {
    PyObject* one =
        core_struct(number, (const char*)objects + (size_t)i * core_structs[number].size);
    if (!one)
      Py_CLEAR(list);
    else
      PyList_SetItem(list, i, one);
  }
  return list;
}

static PyObject* struct_new(PyTypeObject* type, PyObject* args, PyObject* keywords) {
  const int number = number_of(type);
  if (number < 0 || PyTuple_Size(args)) {
    PyErr_SetString(PyExc_TypeError, "fields are given by their names: Material(friction=0.5)");
    return NULL;
  }
  Structure* made = PyObject_New(Structure, type);
  if (!made) return NULL;
  made->number = number;
  made->keep = NULL;
  memset(made->data, 0, core_structs[number].size);
  if (core_structs[number].init) core_structs[number].init(made->data);
  PyObject *key, *value;
  Py_ssize_t place = 0;
  while (keywords && PyDict_Next(keywords, &place, &key, &value))
    if (PyObject_SetAttr((PyObject*)made, key, value)) {
      Py_DECREF(made);
      return NULL;
    }
  return (PyObject*)made;
}

// As Python does it; the message names the fields.
static int struct_set(PyObject* self, PyObject* name, PyObject* value) {
  const int failed = PyObject_GenericSetAttr(self, name, value);
  const Struct* structure = struct_of(self);
  if (!failed || !PyErr_ExceptionMatches(PyExc_AttributeError)) return failed;
  for (int i = 0; i < structure->count; ++i)
    if (PyUnicode_CompareWithASCIIString(name, structure->fields[i].name) == 0) return failed;
  PyErr_Clear();
  PyObject* names = PyUnicode_FromString(structure->fields[0].name);
  for (int i = 1; names && i < structure->count; ++i) {
    PyObject* more = PyUnicode_FromFormat("%U, %s", names, structure->fields[i].name);
    Py_DECREF(names);
    names = more;
  }
  if (names)
    PyErr_Format(PyExc_AttributeError, "a %s has no field '%U'; these exist: %U", structure->name,
                 name, names);
  Py_XDECREF(names);
  return -1;
}

static void struct_dealloc(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  Py_XDECREF(((Structure*)self)->keep);
  PyObject_Free(self);
  Py_DECREF(type);
}

void* core_struct_data(PyObject* object, int number, const char* name) {
  if (PyObject_TypeCheck(object, types[number])) return data_of(object);
  PyObject* given = PyObject_GetAttrString((PyObject*)Py_TYPE(object), "__name__");
  if (given)
    PyErr_Format(PyExc_TypeError, "%s: expected a heft.%s, got %U", name, core_structs[number].name,
                 given);
  Py_XDECREF(given);
  return NULL;
}

static PyObject* struct_repr(PyObject* self) {
  const Struct* structure = struct_of(self);
  enum { SHOWN = 12 };  // fields; as_dict() has all
  const int count = structure->count <= SHOWN ? structure->count : SHOWN;
  PyObject* text = PyUnicode_FromFormat("%s(", structure->name);
  for (int i = 0; text && i < count; ++i) {
    PyObject* value = read_field(self, (void*)(uintptr_t)&structure->fields[i]);
    if (value && structure->fields[i].other >= 0 && structure->fields[i].kind == FIELD_INT) {
      PyObject* name = PyObject_GetAttrString(value, "name");  // of a member of an enum
      if (name) {
        Py_DECREF(value);
        value = name;
      } else {
        PyErr_Clear();
      }
    }
    PyObject* more = value ? PyUnicode_FromFormat("%U%s%s=%S", text, i ? ", " : "",
                                                  structure->fields[i].name, value)
                           : NULL;
    Py_XDECREF(value);
    Py_DECREF(text);
    text = more;
  }
  if (!text) return NULL;
  PyObject* closed = PyUnicode_FromFormat("%U%s)", text, count < structure->count ? ", ..." : "");
  Py_DECREF(text);
  return closed;
}

static PyObject* struct_dict(PyObject* self, PyObject* unused) {
  (void)unused;
  const Struct* structure = struct_of(self);
  PyObject* dict = PyDict_New();
  for (int i = 0; dict && i < structure->count; ++i) {
    PyObject* value = read_field(self, (void*)(uintptr_t)&structure->fields[i]);
    if (!value || PyDict_SetItemString(dict, structure->fields[i].name, value)) Py_CLEAR(dict);
    Py_XDECREF(value);
  }
  return dict;
}

static PyObject* struct_compare(PyObject* a, PyObject* b, int operation) {
  if ((operation != Py_EQ && operation != Py_NE) || Py_TYPE(a) != Py_TYPE(b))
    Py_RETURN_NOTIMPLEMENTED;
  const int same = memcmp(data_of(a), data_of(b), struct_of(a)->size) == 0;
  return PyBool_FromLong(same == (operation == Py_EQ));
}

static PyMethodDef struct_methods[] = {
    {"as_dict", struct_dict, METH_NOARGS, "All fields in a dict."}, {NULL, NULL, 0, NULL}};

static int start_one(PyObject* module, int number) {
  const Struct* structure = &core_structs[number];
  PyGetSetDef* fields = PyMem_Calloc((size_t)structure->count + 1, sizeof *fields);
  char* name = PyMem_Malloc(64);
  if (!fields || !name) return -1;  // both live as long as the type
  PyOS_snprintf(name, 64, "heft._core.%s", structure->name);
  for (int i = 0; i < structure->count; ++i)
    fields[i] =
        (PyGetSetDef){structure->fields[i].name, read_field, write_field,
                      structure->fields[i].meaning, (void*)(uintptr_t)&structure->fields[i]};
  PyType_Slot slots[] = {
      {Py_tp_new, (void*)struct_new},
      {Py_tp_dealloc, (void*)struct_dealloc},
      {Py_tp_setattro, (void*)struct_set},
      {Py_tp_repr, (void*)struct_repr},
      {Py_tp_richcompare, (void*)struct_compare},
      {Py_tp_hash, (void*)PyObject_HashNotImplemented},
      {Py_tp_methods, struct_methods},
      {Py_tp_getset, fields},
      {Py_tp_doc, (void*)(uintptr_t)core_sign_class(structure->name, structure->meaning)},
      {0, NULL}};
  PyType_Spec spec = {name, (int)(offsetof(Structure, data) + structure->size), 0,
                      Py_TPFLAGS_DEFAULT, slots};
  types[number] = (PyTypeObject*)PyType_FromSpec(&spec);
  if (!types[number]) return -1;
  return PyModule_AddObjectRef(module, structure->name, (PyObject*)types[number]);
}

int core_structs_start(PyObject* module) {
  types = PyMem_Calloc((size_t)core_struct_count, sizeof(void*));
  if (!types || load_enums()) return -1;
  core_sign("Material", struct_methods);  // of all structs
  for (int i = 0; i < core_struct_count; ++i)
    if (start_one(module, i)) return -1;
  return 0;
}

// ---- dtypes

static int append(PyObject* list, PyObject* item) {
  const int failed = !item || PyList_Append(list, item);
  Py_XDECREF(item);
  return failed;
}

// {'names': [...], 'formats': [...], 'offsets': [...], 'itemsize': n}, as numpy.dtype() takes it.
PyObject* core_struct_dtype(int number) {
  const Struct* structure = &core_structs[number];
  PyObject *names = PyList_New(0), *formats = PyList_New(0), *offsets = PyList_New(0);
  int failed = !names || !formats || !offsets;
  for (int i = 0; !failed && i < structure->count; ++i) {
    const Field* field = &structure->fields[i];
    if (field->kind >= FIELD_TEXT) continue;
    PyObject* format =
        !field->rows ? PyUnicode_FromString(letter_of(field->kind))
        : field->columns
            ? PyUnicode_FromFormat("(%d,%d)%s", field->rows, field->columns, letter_of(field->kind))
            : PyUnicode_FromFormat("(%d,)%s", field->rows, letter_of(field->kind));
    failed = append(names, PyUnicode_FromString(field->name)) || append(formats, format) ||
             append(offsets, PyLong_FromSize_t(field->offset));
  }
  PyObject* dtype =
      failed ? NULL
             : Py_BuildValue("{s:O,s:O,s:O,s:n}", "names", names, "formats", formats, "offsets",
                             offsets, "itemsize", (Py_ssize_t)structure->size);
  Py_XDECREF(names);
  Py_XDECREF(formats);
  Py_XDECREF(offsets);
  return dtype;
}
