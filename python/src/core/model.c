// SPDX-License-Identifier: Apache-2.0
// heft._core.Model: a const model with its arrays as read-only views.
#include <stdlib.h>
#include <string.h>

#include "bind.h"
#include "core.h"
#include "signatures.h"
#include "tables.h"

static void destroy(void* model) { heft_model_destroy(model); }

static PyObject* open_model(PyTypeObject* type, HeftModel* model) {
  if (!PyType_Check((PyObject*)type) || !PyType_IsSubtype(type, core.model)) {
    PyErr_Format(PyExc_TypeError, "expected a class of models, got %R", (PyObject*)type);
    destroy(model);
    return NULL;
  }
  PyObject* memory = core_memory(model, destroy, NULL);
  allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
  Object* self = memory ? (Object*)allocate(type, 0) : NULL;
  if (!self) {
    Py_XDECREF(memory);
    return NULL;
  }
  core_open(self, memory);
  self->model = model;
  return (PyObject*)self;
}

static void model_dealloc(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  core_close((Object*)self);
  ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
  Py_DECREF(type);
}

// ---- loading

typedef struct Warnings {
  HeftError* error;
  int* count;
  int size, capacity;
} Warnings;

static void note_warning(void* user, const HeftError* error, int count) {
  Warnings* all = user;
  if (all->size == all->capacity) {
    const int room = all->capacity ? 2 * all->capacity : 8;
    HeftError* errors = realloc(all->error, (size_t)room * sizeof *errors);
    if (!errors) return;
    all->error = errors;
    int* counts = realloc(all->count, (size_t)room * sizeof *counts);
    if (!counts) return;
    all->count = counts;
    all->capacity = room;
  }
  all->error[all->size] = *error;
  all->count[all->size++] = count;
}

static PyObject* list_warnings(const Warnings* all) {
  PyObject* list = PyList_New(0);
  char text[900];
  for (int i = 0; list && i < all->size; ++i) {
    heft_error_format(&all->error[i], text, sizeof text);
    PyObject* one = Py_BuildValue("si", text, all->count[i]);
    if (!one || PyList_Append(list, one)) Py_CLEAR(list);
    Py_XDECREF(one);
  }
  return list;
}

// What a HeftLoadDef points to while a file is loaded.
typedef struct LoadText {
  HeftPackage* packages;
  HeftLinkPair* excludes;
  PyObject* files;  // dict, or NULL: the disk
  HeftFiles source;
} LoadText;

static int text_option(PyObject* value, const char* name, const char** out) {
  if (value == Py_None) return 0;
  *out = PyUnicode_Check(value) ? PyUnicode_AsUTF8AndSize(value, NULL) : NULL;
  if (!*out) PyErr_Format(PyExc_TypeError, "%s: expected a str, got %R", name, value);
  return *out ? 0 : -1;
}

static int packages_option(PyObject* value, LoadText* text, HeftLoadDef* def) {
  if (!PyDict_Check(value)) {
    PyErr_Format(PyExc_TypeError, "packages: expected a dict from names to folders, got %R", value);
    return -1;
  }
  text->packages = PyMem_Calloc((size_t)PyDict_Size(value) + 1, sizeof *text->packages);
  if (!text->packages) return -1;
  PyObject *key, *folder;
  Py_ssize_t place = 0;
  while (PyDict_Next(value, &place, &key, &folder)) {
    HeftPackage* package = &text->packages[def->package_count++];
    if (text_option(key, "packages", &package->name) ||
        text_option(folder, "packages", &package->folder))
      return -1;
  }
  def->packages = text->packages;
  return 0;
}

static int excludes_option(PyObject* value, LoadText* text, HeftLoadDef* def) {
  const Py_ssize_t count = PySequence_Size(value);
  text->excludes = count < 0 ? NULL : PyMem_Calloc((size_t)count + 1, sizeof *text->excludes);
  if (!text->excludes) return -1;
  for (Py_ssize_t i = 0; i < count; ++i) {
    PyObject* pair = PySequence_GetItem(value, i);  // lists and tuples keep their texts alive
    const int two = pair && PyTuple_Check(pair) && PyTuple_Size(pair) == 2;
    if (!two) PyErr_Format(PyExc_TypeError, "excludes: expected pairs of names of links");
    const int failed =
        !two || text_option(PyTuple_GetItem(pair, 0), "excludes", &text->excludes[i].link[0]) ||
        text_option(PyTuple_GetItem(pair, 1), "excludes", &text->excludes[i].link[1]);
    Py_XDECREF(pair);
    if (failed) return -1;
  }
  def->urdf_excludes = text->excludes;
  def->urdf_exclude_count = (int)count;
  return 0;
}

static int limits_option(PyObject* value, HeftLoadDef* def) {
  PyObject* limits = core_struct(STRUCT_LOAD_LIMITS, &def->limits);
  PyObject *key, *number;
  Py_ssize_t place = 0;
  int failed = !limits || !PyDict_Check(value);
  if (limits && failed) PyErr_Format(PyExc_TypeError, "limits: expected a dict, got %R", value);
  while (!failed && PyDict_Next(value, &place, &key, &number))
    failed = PyObject_SetAttr(limits, key, number) != 0;
  if (!failed)
    memcpy(&def->limits, core_struct_data(limits, STRUCT_LOAD_LIMITS, ""), sizeof def->limits);
  Py_XDECREF(limits);
  return failed ? -1 : 0;
}

static HeftStatus read_from_dict(void* user, const char* path, size_t limit,
                                 const HeftAllocator* allocator, void** bytes, size_t* size,
                                 HeftError* error) {
  const PyGILState_STATE lock = PyGILState_Ensure();
  HeftStatus status = HEFT_ERR_FILE;
  while (path[0] == '.' && path[1] == '/') path += 2;
  PyObject* found = PyDict_GetItemString(user, path);  // borrowed
  char* data = NULL;
  Py_ssize_t length = 0;
  if (!found || PyBytes_AsStringAndSize(found, &data, &length)) {
    PyErr_Clear();
    PyOS_snprintf(error->message, sizeof error->message, "'%.200s' is not among the given files",
                  path);
  } else if ((size_t)length > limit) {
    status = HEFT_ERR_LIMIT;
  } else {
    *bytes = allocator->allocate(allocator->user, (size_t)length + 1, 1);
    status = *bytes ? HEFT_OK : HEFT_ERR_MEMORY;
    if (*bytes) {
      memcpy(*bytes, data, (size_t)length);
      ((char*)*bytes)[length] = 0;
      *size = (size_t)length;
    }
  }
  PyGILState_Release(lock);
  return status;
}

static int load_option(const char* key, PyObject* value, HeftLoadDef* def, LoadText* text) {
  int number = 0;
  if (strcmp(key, "root") == 0) return text_option(value, key, &def->root);
  if (strcmp(key, "srdf") == 0) return text_option(value, key, &def->srdf);
  if (strcmp(key, "packages") == 0) return packages_option(value, text, def);
  if (strcmp(key, "excludes") == 0) return excludes_option(value, text, def);
  if (strcmp(key, "limits") == 0) return limits_option(value, def);
  if (strcmp(key, "height") == 0) return core_read_double(value, key, &def->urdf_height);
  if (strcmp(key, "gains") == 0) return core_read_vector(value, key, def->urdf_gains, 2);
  if (strcmp(key, "files") == 0) {
    text->files = value;
    text->source = (HeftFiles){.read = read_from_dict, .user = value};
    def->files = &text->source;
    return PyDict_Check(value) ? 0
                               : (PyErr_SetString(PyExc_TypeError, "files: expected a dict"), -1);
  }
  if (strcmp(key, "base") == 0) {
    if (core_read_enum(ENUM_BASE, value, key, &number)) return -1;
    def->base = (HeftBase)number;
    return 0;
  }
  if (strcmp(key, "servos") == 0) {
    if (core_read_enum(ENUM_URDF_SERVOS, value, key, &number)) return -1;
    def->urdf_servos = (HeftUrdfServos)number;
    return 0;
  }
  if (strcmp(key, "overlaps") == 0) {
    if (core_read_enum(ENUM_URDF_OVERLAPS, value, key, &number)) return -1;
    def->urdf_overlaps = (HeftUrdfOverlaps)number;
    return 0;
  }
  bool* flag = strcmp(key, "strict") == 0          ? &def->strict
               : strcmp(key, "hulls") == 0         ? &def->hulls
               : strcmp(key, "floor") == 0         ? &def->urdf_floor
               : strcmp(key, "place") == 0         ? &def->urdf_place
               : strcmp(key, "soft_contacts") == 0 ? &def->soft_contacts
                                                   : NULL;
  if (!flag) {
    PyErr_Format(PyExc_TypeError, "load: there is no option '%s'", key);
    return -1;
  }
  const int truth = PyObject_IsTrue(value);
  *flag = truth == 1;
  return truth < 0 ? -1 : 0;
}

// load(type, path or None, bytes or None, name, options) -> (model, warnings)
static PyObject* load(PyObject* module, PyObject* args) {
  (void)module;
  PyObject *type, *options;
  const char *path, *name;
  Py_buffer bytes = {0};
  if (!PyArg_ParseTuple(args, "Ozz*zO!", &type, &path, &bytes, &name, &PyDict_Type, &options))
    return NULL;
  HeftLoadDef def = heft_load_def_default();
  LoadText text = {0};
  Warnings warnings = {0};
  HeftModel* model = NULL;
  HeftError error = {0};
  HeftStatus status = HEFT_OK;
  PyObject *key, *value, *result = NULL;
  Py_ssize_t place = 0;
  int failed = 0;
  while (!failed && PyDict_Next(options, &place, &key, &value)) {
    const char* word = PyUnicode_AsUTF8AndSize(key, NULL);
    failed = !word || load_option(word, value, &def, &text);
  }
  if (!failed) {
    def.warning = note_warning;
    def.user = &warnings;
    Py_BEGIN_ALLOW_THREADS;
    status = path ? heft_model_load_file(&model, path, &def, &error)
                  : heft_model_load_bytes(&model, bytes.buf, (size_t)bytes.len, name, &def, &error);
    Py_END_ALLOW_THREADS;
    if (status != HEFT_OK) core_fail_load(status, &error);
  }
  if (model) {
    PyObject* made = open_model((PyTypeObject*)type, model);
    PyObject* list = made ? list_warnings(&warnings) : NULL;
    result = list ? Py_BuildValue("NN", made, list) : NULL;
    if (!result) Py_XDECREF(made);
  }
  free(warnings.error);
  free(warnings.count);
  PyMem_Free(text.packages);
  PyMem_Free(text.excludes);
  if (bytes.obj) PyBuffer_Release(&bytes);
  return result;
}

// unpack(type, bytes) -> model: the compiled form.
static PyObject* unpack(PyObject* module, PyObject* args) {
  (void)module;
  PyObject* type;
  Py_buffer bytes;
  if (!PyArg_ParseTuple(args, "Oy*", &type, &bytes)) return NULL;
  HeftModel* model = NULL;
  HeftError error = {0};
  HeftStatus status;
  Py_BEGIN_ALLOW_THREADS;
  status = heft_model_load(&model, bytes.buf, (size_t)bytes.len, NULL, &error);
  Py_END_ALLOW_THREADS;
  PyBuffer_Release(&bytes);
  return status == HEFT_OK ? open_model((PyTypeObject*)type, model)
                           : core_fail_load(status, &error);
}

PyMethodDef core_model_functions[] = {{"load", load, METH_VARARGS, "Loads a model."},
                                      {"unpack", unpack, METH_VARARGS, "Reads a compiled model."},
                                      {NULL, NULL, 0, NULL}};

// ---- methods

static PyObject* pack(PyObject* self, PyObject* unused) {
  (void)unused;
  const HeftModel* model = core_use(self);
  if (!model) return NULL;
  const size_t size = heft_model_save_size(model);
  PyObject* bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)size);
  if (bytes) heft_model_save(model, PyBytes_AsString(bytes));
  return bytes;
}

static PyObject* hash(PyObject* self, PyObject* unused) {
  (void)unused;
  const HeftModel* model = core_use(self);
  return model ? PyLong_FromUnsignedLongLong(heft_model_hash(model)) : NULL;
}

static PyObject* find(PyObject* self, PyObject* args) {
  const HeftModel* model = core_use(self);
  PyObject* kind;
  const char* name;
  int number, index;
  HeftError error = {0};
  if (!model || !PyArg_ParseTuple(args, "Os", &kind, &name) ||
      core_read_enum(ENUM_NAMED, kind, "kind", &number))
    return NULL;
  const HeftStatus status = heft_model_lookup(model, (HeftNamed)number, name, &index, &error);
  return status == HEFT_OK ? PyLong_FromLong(index) : core_fail(status, &error);
}

static PyObject* object_name(PyObject* self, PyObject* args) {
  const HeftModel* model = core_use(self);
  PyObject *kind, *which;
  int number;
  long long index;
  if (!model || !PyArg_ParseTuple(args, "OO", &kind, &which) ||
      core_read_enum(ENUM_NAMED, kind, "kind", &number) ||
      core_read_int(which, "index", 0, heft_model_named_count(model, (HeftNamed)number) - 1,
                    &index))
    return NULL;
  return PyUnicode_FromString(heft_model_name(model, (HeftNamed)number, (int)index));
}

static PyObject* names(PyObject* self, PyObject* kind) {
  const HeftModel* model = core_use(self);
  int number;
  if (!model || core_read_enum(ENUM_NAMED, kind, "kind", &number)) return NULL;
  const int count = heft_model_named_count(model, (HeftNamed)number);
  PyObject* list = PyList_New(count);
  for (int i = 0; list && i < count; ++i)
    PyList_SetItem(list, i, PyUnicode_FromString(heft_model_name(model, (HeftNamed)number, i)));
  return list;
}

// _attach(part, parent, pos, quat, prefix, world, keys) -> model
static PyObject* attach(PyObject* self, PyObject* args) {
  const HeftModel* model = core_use(self);
  HeftPartDef def = heft_part_def_default();
  PyObject *other, *parent, *pos, *quat;
  long long body;
  if (!model || !PyArg_ParseTuple(args, "O!OOOspp:_attach", core.model, &other, &parent, &pos,
                                  &quat, &def.prefix, &def.world, &def.keys))
    return NULL;
  const HeftModel* part = core_use(other);
  if (!part || core_read_int(parent, "parent", 0, model->nbody - 1, &body) ||
      core_read_vector(pos, "pos", &def.pos.x, 3) || core_read_vector(quat, "quat", &def.quat.w, 4))
    return NULL;
  def.parent = (int)body;
  HeftModel* made = NULL;
  HeftError error = {0};
  const HeftStatus status = heft_model_attach(&made, model, part, &def, &error);
  return status == HEFT_OK ? open_model(Py_TYPE(self), made) : core_fail(status, &error);
}

// _replace(array, row, values) -> model
static PyObject* replace(PyObject* self, PyObject* args) {
  const HeftModel* model = core_use(self);
  const char* array;
  int row;
  PyObject* given;
  const double* values;
  if (!model || !PyArg_ParseTuple(args, "siO:_replace", &array, &row, &given)) return NULL;
  const Py_ssize_t count = PyObject_Size(given);
  PyObject* kept = count < 0 ? NULL : core_doubles(given, "value", core_shape1(count), 1, &values);
  if (!kept) return NULL;
  HeftModel* made = NULL;
  HeftError error = {0};
  const HeftStatus status =
      heft_model_replace(&made, model, array, row, (int)count, values, &error);
  Py_DECREF(kept);
  return status == HEFT_OK ? open_model(Py_TYPE(self), made) : core_fail(status, &error);
}

// _builder() -> builder
static PyObject* builder(PyObject* self, PyObject* unused) {
  (void)unused;
  const HeftModel* model = core_use(self);
  if (!model) return NULL;
  HeftBuilder* made = NULL;
  HeftError error = {0};
  const HeftStatus status = heft_builder_from_model(&made, model, NULL, NULL, &error);
  return status == HEFT_OK ? core_new(CLASS_BUILDER, made, NULL) : core_fail(status, &error);
}

// overlaps(key=-1) -> [(body, body, depth)]
static PyObject* overlaps(PyObject* self, PyObject* args) {
  enum { PAIRS = 256 };
  const HeftModel* model = core_use(self);
  PyObject* which = NULL;
  long long key = -1;
  HeftOverlap pairs[PAIRS];
  HeftOverlapCounts counts;
  if (!model || !PyArg_ParseTuple(args, "|O:overlaps", &which) ||
      (which && core_read_int(which, "key", -1, model->nkey - 1, &key)))
    return NULL;
  HeftStatus status;
  Py_BEGIN_ALLOW_THREADS;
  status = heft_model_overlaps(model, (int)key, PAIRS, pairs, &counts, NULL);
  Py_END_ALLOW_THREADS;
  if (status != HEFT_OK) return core_fail(status, NULL);
  PyObject* list = PyList_New(counts.count);
  for (int i = 0; list && i < counts.count; ++i) {
    PyObject* one = Py_BuildValue("iid", pairs[i].body[0], pairs[i].body[1], pairs[i].depth);
    if (one)
      PyList_SetItem(list, i, one);
    else
      Py_CLEAR(list);
  }
  return list;
}

static void write_warning(void* user, const HeftError* error, int count) {
  note_warning(user, error, count);
}

// write(path) -> warnings
static PyObject* write_file(PyObject* self, PyObject* path) {
  const HeftModel* model = core_use(self);
  const char* text = model ? PyUnicode_AsUTF8AndSize(path, NULL) : NULL;
  if (!text) return NULL;
  Warnings warnings = {0};
  HeftError error = {0};
  HeftStatus status;
  Py_BEGIN_ALLOW_THREADS;
  status = heft_model_write_file(model, text, write_warning, &warnings, &error);
  Py_END_ALLOW_THREADS;
  PyObject* list = status == HEFT_OK ? list_warnings(&warnings) : core_fail(status, &error);
  free(warnings.error);
  free(warnings.count);
  return list;
}

static HeftStatus put(void* user, const char* name, const void* bytes, size_t size,
                      HeftError* error) {
  (void)error;
  PyObject* data = PyBytes_FromStringAndSize(bytes, (Py_ssize_t)size);
  const int failed = !data || PyDict_SetItemString(user, name, data);
  Py_XDECREF(data);
  return failed ? HEFT_ERR_MEMORY : HEFT_OK;
}

// files(format, mesh_folder=None) -> {name: bytes}; the model itself has the name ""
static PyObject* files(PyObject* self, PyObject* args) {
  const HeftModel* model = core_use(self);
  const char *format, *folder = NULL;
  if (!model || !PyArg_ParseTuple(args, "s|z:files", &format, &folder)) return NULL;
  const int is_urdf = strcmp(format, "urdf") == 0;
  if (!is_urdf && strcmp(format, "mjcf") != 0)
    return PyErr_Format(PyExc_ValueError, "format: expected 'mjcf' or 'urdf', got '%s'", format);
  HeftWriteDef def = heft_write_def_default();
  def.mesh_folder = folder;
  def.put = put;
  def.user = PyDict_New();
  if (!def.user) return NULL;
  HeftError error = {0};
  const HeftStatus status = is_urdf ? heft_model_write_urdf(model, &def, &error)
                                    : heft_model_write_mjcf(model, &def, &error);
  if (status == HEFT_OK) return def.user;
  Py_DECREF((PyObject*)def.user);
  return PyErr_Occurred() ? NULL : core_fail(status, &error);
}

static PyObject* get_size(PyObject* self, void* closure) {
  const HeftModel* model = core_use(self);
  HeftModelSize size;
  if (!model || heft_model_size(model, (int)(intptr_t)closure, &size) != HEFT_OK) return NULL;
  return PyLong_FromLong(size.value);
}

static const char of_model[] =
    "a model is constant; model.replace('body_mass', 'hand', 2.0) makes another one, and a world "
    "has set_material(), set_mass_factors() and others";

static PyObject* get_array(PyObject* self, void* closure) {
  const HeftModel* model = core_use(self);
  HeftModelArray array;
  if (!model || heft_model_array(model, (int)(intptr_t)closure, &array) != HEFT_OK) return NULL;
  const char format = array.type == HEFT_VALUE_DOUBLE  ? 'd'
                      : array.type == HEFT_VALUE_INT32 ? 'i'
                                                       : 'b';
  return core_view(
      ((Object*)self)->memory, array.data, format,
      array.columns == 1 ? core_shape1(array.rows) : core_shape2(array.rows, array.columns),
      of_model);
}

static PyObject* get_mass(PyObject* self, void* closure) {
  (void)closure;
  const HeftModel* model = core_use(self);
  return model ? PyFloat_FromDouble(heft_model_mass(model)) : NULL;
}

static PyObject* get_gravity(PyObject* self, void* closure) {
  (void)closure;
  const HeftModel* model = core_use(self);
  return model ? core_view(((Object*)self)->memory, model->physics.gravity, 'd', core_shape1(3),
                           of_model)
               : NULL;
}

static PyObject* get_time_step(PyObject* self, void* closure) {
  (void)closure;
  const HeftModel* model = core_use(self);
  return model ? PyFloat_FromDouble(model->physics.time_step) : NULL;
}

static PyObject* model_capsule(PyObject* self, PyObject* unused) {
  (void)unused;
  HeftModel* model = core_use(self);
  return model ? PyCapsule_New(model, "heft.Model", NULL) : NULL;
}

static PyMethodDef methods[] = {
    {"_capsule", model_capsule, METH_NOARGS, "The pointer, for heft._view."},
    {"pack", pack, METH_NOARGS, "The compiled form, as bytes."},
    {"hash", hash, METH_NOARGS, "64 bits that depend on every number of the model."},
    {"find", find, METH_VARARGS, "find(kind, name): index of an object; KeyError suggests a name."},
    {"name", object_name, METH_VARARGS, "name(kind, index): name of an object, '' if it has none."},
    {"names", names, METH_O, "names(kind): names of all objects of a kind."},
    {"files", files, METH_VARARGS,
     "files(format, mesh_folder=None): the model as 'mjcf' or 'urdf', {name: bytes}; '' is the "
     "model."},
    {"overlaps", overlaps, METH_VARARGS,
     "overlaps(key=-1): pairs of bodies that overlap in a keyframe (-1: in the pose of the file), "
     "as [(body, body, depth)], the deepest first, at most 256. Depths are in m."},
    {"_attach", attach, METH_VARARGS, "See Model.attach()."},
    {"_replace", replace, METH_VARARGS, "See Model.replace()."},
    {"_builder", builder, METH_NOARGS, "See Model.builder()."},
    {"_write", write_file, METH_O, "Writes a file; returns warnings."},
    {NULL, NULL, 0, NULL}};

// The order of both lists is that of heft_model_size() and heft_model_array().
enum {
#define SIZE_NUMBER(name, meaning) SIZE_##name,
  HEFT_MODEL_SIZE_LIST(SIZE_NUMBER)
#undef SIZE_NUMBER
};
enum {
#define ARRAY_NUMBER(type, name, count, width, unit, meaning) ARRAY_##name,
  HEFT_MODEL_ARRAY_LIST(ARRAY_NUMBER)
#undef ARRAY_NUMBER
};
static PyGetSetDef getset[] = {
#define SIZE_ROW(name, meaning) {#name, get_size, NULL, meaning, (void*)(intptr_t)SIZE_##name},
    HEFT_MODEL_SIZE_LIST(SIZE_ROW)
#undef SIZE_ROW
#define ARRAY_ROW(type, name, count, width, unit, meaning) \
  {#name, get_array, NULL, meaning, (void*)(intptr_t)ARRAY_##name},
        HEFT_MODEL_ARRAY_LIST(ARRAY_ROW)
#undef ARRAY_ROW
            {"mass", get_mass, NULL, "Mass of all bodies but the world [kg].", NULL},
    {"gravity", get_gravity, NULL, "Gravity [m/s²].", NULL},
    {"time_step", get_time_step, NULL, "Time step that the file states [s].", NULL},
    {NULL, NULL, NULL, NULL, NULL}};

static PyType_Slot slots[] = {
    {Py_tp_dealloc, (void*)model_dealloc},
    {Py_tp_methods, methods},
    {Py_tp_getset, getset},
    {Py_tp_doc, (void*)(uintptr_t) "A model: constant data of robots and environment."},
    {0, NULL}};
static PyType_Spec spec = {"heft._core.Model", sizeof(Object), 0,
                           Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};

int core_model_start(PyObject* module) {
  for (PyGetSetDef* one = getset; one->name; ++one)  // names() is a method
    if (strcmp(one->name, "names") == 0) one->name = "name_pool";
  core_sign("Model", methods);
  core.model = (PyTypeObject*)PyType_FromSpec(&spec);
  return core.model ? PyModule_AddObjectRef(module, "Model", (PyObject*)core.model) : -1;
}
