// SPDX-License-Identifier: Apache-2.0
// The extension module heft._core: what its files share.
//
// Objects. A Memory owns one object of the library and keeps what that object needs. A Python
// object (Model, World, ...) holds a Memory and, while it is open, the pointer. A view, which is
// the source of a NumPy array, holds the Memory too: the array stays valid after the Python object
// is gone, and no reference leads back from an array to its Python object: there are no cycles.
//
//     World ──▶ Memory(HeftWorld) ──▶ Memory(HeftModel)
//       └──▶ array q ──▶ View ──┘
//
// The interpreter's lock (GIL) protects all of this. It is released while the library steps or
// loads; `busy` is then set, so that a second thread gets an exception instead of a race.
#ifndef HEFT_PYTHON_CORE_H
#define HEFT_PYTHON_CORE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <heft/heft.h>
#include <heft/io.h>
#include <stdbool.h>

enum { CORE_DIMENSIONS_MAX = 3 };

typedef struct Memory {
  PyObject ob_base;
  void* object;
  void (*destroy)(void* object);  // NULL: borrowed from `keep`
  PyObject* keep;                 // a Memory or another object that must live as long, or NULL
} Memory;

typedef struct Object {
  PyObject ob_base;
  void* object;            // NULL: closed
  PyObject* memory;        // Memory, or NULL if closed
  int busy;                // 1: another thread uses it without the lock
  int constant;            // 1: a part of another object, which must not be changed
  const HeftModel* model;  // sizes of its arrays, or NULL; kept alive by memory
  PyObject* model_object;  // heft.Model, or NULL
} Object;

typedef struct World {
  Object base;
  PyObject* arrays[8];  // cached NumPy arrays, see world.c
  PyObject* control;    // callback before each substep, or NULL
  PyObject* filter;     // contact filter, or NULL
  int failed;           // 1: a callback raised `error`
  PyObject* error[3];
} World;

// ---- module.c: what the module has for all

typedef struct Core {
  PyObject *empty, *asarray, *contiguous;              // of NumPy
  PyObject* constant;                                  // of heft._arrays
  PyObject *make_error, *load_error, *closed, *enums;  // of heft._errors and heft._enums
  PyObject* no_arguments;                              // an empty tuple
  PyTypeObject *memory, *view, *model, *world, *batch;
} Core;
extern Core core;

// ---- object.c

// A Memory that destroys `object` at its end. NULL on failure: the object is then destroyed.
PyObject* core_memory(void* object, void (*destroy)(void*), PyObject* keep);
// The object of the library. NULL, with an exception, if it is closed or busy.
void* core_use(PyObject* self);
// The same for a call that a callback of a step must not make.
void* core_use_alone(PyObject* self);
// The same for a call that changes the object.
void* core_use_to_change(PyObject* self);
// The same for an argument that must be of a type.
void* core_use_as(PyObject* argument, PyTypeObject* type, const char* name);
// Opens a Python object on a Memory, whose reference it takes. 0: memory was NULL.
int core_open(Object* self, PyObject* memory);
void core_close(Object* self);
// The attributes `model` and `closed`.
PyObject* core_get_model(PyObject* self, void* closure);
PyObject* core_get_closed(PyObject* self, void* closure);

// ---- array.c

typedef struct Shape {
  int count;
  Py_ssize_t size[CORE_DIMENSIONS_MAX];
} Shape;

static inline Shape core_shape1(Py_ssize_t n) { return (Shape){1, {n, 0, 0}}; }
static inline Shape core_shape2(Py_ssize_t n, Py_ssize_t m) { return (Shape){2, {n, m, 0}}; }
static inline Shape core_shape3(Py_ssize_t n, Py_ssize_t m, Py_ssize_t k) {
  return (Shape){3, {n, m, k}};
}

// A NumPy array on memory of the library. format: a letter of the module struct. remedy: NULL if
// Python may write it, otherwise what to do instead of writing, for the message; static.
PyObject* core_view(PyObject* memory, const void* data, char format, Shape shape,
                    const char* remedy);
// A new NumPy array of numbers; *data points into it.
PyObject* core_array(Shape shape, const char* dtype, void** data);
PyObject* core_vector(const double* numbers, Py_ssize_t count);

// Numbers of an argument as a C-contiguous array of doubles, with exactly this shape; *data points
// into it. Sizes of -1 take any. finite: NaN and infinity raise ValueError. NULL on failure.
PyObject* core_doubles(PyObject* argument, const char* name, Shape shape, int finite,
                       const double** data);
// Copies a vector of `count` finite numbers. -1 on failure.
int core_read_vector(PyObject* argument, const char* name, double* out, Py_ssize_t count);
// Whole numbers from `min` to `max`. -1 on failure.
int core_read_int(PyObject* argument, const char* name, long long min, long long max,
                  long long* out);
// The same for an index into a model, or the name of an object of a kind.
int core_read_index(PyObject* argument, const char* name, const HeftModel* model, HeftNamed kind,
                    long long min, long long* out);
int core_read_double(PyObject* argument, const char* name, double* out);
int core_read_unsigned(PyObject* argument, const char* name, unsigned long long* out);
// Text that lives as long as the argument; None, where it is allowed, leaves *out as it is.
int core_read_text(PyObject* argument, const char* name, int optional, const char** out);

// ---- error.c

// Raises the exception of a status; returns NULL. path: of a file that is loaded, or NULL.
PyObject* core_fail(HeftStatus status, const HeftError* error);
PyObject* core_fail_load(HeftStatus status, const HeftError* error);
// Raises if a call broke the contract of the library since the last time. 0: none did.
int core_contract_broken(void);
void core_contract_watch(void);
// Whether a signal handler raised; the lock must be held.
static inline int core_interrupted(void) { return PyErr_CheckSignals() != 0; }

// ---- structs.c

typedef enum FieldKind {
  FIELD_BOOL,
  FIELD_INT,
  FIELD_UNSIGNED,
  FIELD_LONG,
  FIELD_INT64,
  FIELD_UINT64,
  FIELD_SIZE,
  FIELD_DOUBLE,
  FIELD_FLOAT,
  FIELD_TEXT,    // char[n]
  FIELD_STRING,  // const char*, read only
  FIELD_STRUCT,
  FIELD_DOUBLES,  // const double* with a count: written from an array, which the object keeps
  FIELD_INTS,     // const int*, the same
  FIELD_STRUCTS,  // array of structs, the same
  FIELD_KEPT      // an array that the object keeps, read only
} FieldKind;

typedef struct Field {
  const char *name, *meaning;
  size_t offset, size;  // of the whole field [bytes]
  size_t count[2];      // FIELD_DOUBLES, INTS, STRUCTS: where the counts are; or 0
  FieldKind kind;
  int rows, columns;  // 0: a single value; columns 0: a vector
  int other;          // FIELD_INT: number of its enum, FIELD_STRUCT: of its struct; or -1
} Field;

typedef struct Struct {
  const char *name, *meaning;
  size_t size;
  const Field* fields;
  int count;
  void (*init)(void* object);  // defaults, or NULL: zeros
} Struct;

// Generated from the headers (tables.c).
extern const Struct core_structs[];
extern const int core_struct_count;
extern const char* const core_enums[];
extern const int core_enum_count;

// A Python object with a copy of a struct.
PyObject* core_struct(int number, const void* object);
// A list of such objects, from `count` structs one after another.
PyObject* core_struct_list(int number, const void* objects, int count);
// The struct in a Python object. NULL, with an exception, if it is another object.
void* core_struct_data(PyObject* object, int number, const char* name);
// Copies of the structs in a sequence, one after another; *data points into the object that is
// returned. NULL on failure.
PyObject* core_struct_array(PyObject* sequence, int number, const char* name, void** data,
                            int* count);
// Keeps an object as long as a struct, under a name. -1 on failure.
int core_struct_keep(PyObject* object, const char* name, PyObject* value);
// A NumPy dtype of a struct: new reference.
PyObject* core_struct_dtype(int number);
PyObject* core_enum(int number, int value);
// A member, its number or its name. -1 on failure.
int core_read_enum(int number, PyObject* value, const char* name, int* out);
int core_structs_start(PyObject* module);

// ---- the types

int core_model_start(PyObject* module);
int core_world_start(PyObject* module);
int core_batch_start(PyObject* module);
int core_contact_start(PyObject* module);
int core_log_start(PyObject* module);
int core_replay_start(PyObject* module);
// Opens a World on a HeftWorld; end NULL: borrowed from keep. -1 on failure.
int core_world_open(World* self, HeftWorld* world, void (*end)(void*), PyObject* keep,
                    PyObject* model_object);
void core_world_close(World* self);
// Fills a def from keywords; -1 on failure.
int core_world_def(HeftWorldDef* def, PyObject* options);
extern PyMethodDef core_model_functions[];

#endif
