// SPDX-License-Identifier: Apache-2.0
// heft._core.Replay: a recorded session, step by step.
//
// The world belongs to the replay. If users of the session added or removed an object, the replay
// goes on with another world and hands the former one over: the Python objects that were made for
// it own it from then on, so that arrays of NumPy on its memory stay valid.
//
//     World ──▶ Memory(HeftWorld) ──▶ Memory(HeftModel) ──▶ Memory(HeftReplay)
#include <heft/replay.h>

#include "bind.h"
#include "signatures.h"
#include "tables.h"

typedef struct Replay {
  Object base;
  World* lent;       // the Python object of the present world, or NULL
  PyObject* model;   // and of its model
  PyObject* memory;  // of the present world, also if the user closed `lent`
  HeftWorld* left;   // the world of `memory`, if the replay left it in the present step
  HeftModel* left_model;
} Replay;

static void destroy(void* replay) { heft_replay_destroy(replay); }
static void destroy_world(void* world) { heft_world_destroy(world); }
static void destroy_model(void* model) { heft_model_destroy(model); }

static HeftWorld* world_of(const Replay* r) {
  return r->memory ? ((Memory*)r->memory)->object : NULL;
}

// Without the interpreter's lock.
static void leave(void* user, HeftWorld* world, HeftModel* model) {
  Replay* r = user;
  if (!r->left && world == world_of(r)) {
    r->left = world;
    r->left_model = model;
    return;
  }
  heft_world_destroy(world);
  heft_model_destroy(model);
}

static void forget(Replay* r) {
  Py_CLEAR(r->lent);
  Py_CLEAR(r->model);
  Py_CLEAR(r->memory);
}

// The objects that were lent own the world that was left.
static void hand_over(Replay* r) {
  if (!r->left) return;
  ((Memory*)r->memory)->destroy = destroy_world;
  if (r->left_model) ((Memory*)((Object*)r->model)->memory)->destroy = destroy_model;
  r->left = NULL;
  r->left_model = NULL;
  forget(r);
}

static void replay_dealloc(PyObject* object) {
  PyTypeObject* type = Py_TYPE(object);
  forget((Replay*)object);
  core_close((Object*)object);
  ((freefunc)PyType_GetSlot(type, Py_tp_free))(object);
  Py_DECREF(type);
}

// A broken file has one exception, whatever is wrong in it.
static PyObject* fail(HeftStatus status, const HeftError* error) {
  const int outside = status == HEFT_ERR_MEMORY || status == HEFT_ERR_FILE;
  return core_fail(outside ? status : HEFT_ERR_SYNTAX, error);
}

// Replay(path)
static int replay_init(PyObject* object, PyObject* args, PyObject* keywords) {
  static const char* const names[] = {"path", NULL};
  Replay* r = (Replay*)object;
  PyObject* where;
  const char* path;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O:Replay", core_keywords(names), &where) ||
      core_read_text(where, "path", 0, &path))
    return -1;
  if (r->base.busy) return core_use(object) ? 0 : -1;
  HeftReplay* replay = NULL;
  HeftError error = {0};
  HeftStatus status;
  Py_BEGIN_ALLOW_THREADS;
  status = heft_replay_load(&replay, path, leave, r, &error);
  Py_END_ALLOW_THREADS;
  if (status != HEFT_OK) {
    fail(status, &error);
    return -1;
  }
  forget(r);
  return core_open(&r->base, core_memory(replay, destroy, NULL)) ? 0 : -1;
}

static PyObject* replay_world(PyObject* object, void* closure) {
  (void)closure;
  Replay* r = (Replay*)object;
  HeftReplay* replay = core_use(object);
  if (!replay) return NULL;
  HeftWorld* world = heft_replay_world(replay);
  if (world_of(r) != world) {
    forget(r);
    r->model = core_borrow(CLASS_MODEL, (void*)(uintptr_t)heft_world_model(world), object);
    if (r->model) ((Object*)r->model)->model = heft_world_model(world);
    r->lent = r->model ? (World*)core_borrow(CLASS_WORLD, world, r->model) : NULL;
    if (!r->lent) return NULL;
    r->memory = r->lent->base.memory;
    Py_INCREF(r->memory);
  } else if (!r->lent->base.object) {  // it was closed
    Py_INCREF(r->memory);
    core_open(&r->lent->base, r->memory);
  }
  Py_INCREF((PyObject*)r->lent);
  return (PyObject*)r->lent;
}

// _step() -> (report, None, or what differs)
static PyObject* replay_step(PyObject* object, PyObject* unused) {
  (void)unused;
  Replay* r = (Replay*)object;
  HeftReplay* replay = core_use(object);
  if (!replay) return NULL;
  if (r->lent && r->lent->base.busy) {
    core_use((PyObject*)r->lent);
    return NULL;
  }
  HeftStepReport report = {0};
  HeftError error = {0};
  HeftStatus status;
  r->base.busy = 1;
  if (r->lent) r->lent->base.busy = 1;
  Py_BEGIN_ALLOW_THREADS;
  status = heft_replay_step(replay, &report, &error);
  Py_END_ALLOW_THREADS;
  r->base.busy = 0;
  if (r->lent) r->lent->base.busy = 0;
  hand_over(r);
  if (status != HEFT_OK && status != HEFT_ERR_CHECKSUM) return fail(status, &error);
  PyObject* result = core_struct(STRUCT_STEP_REPORT, &report);
  return result ? Py_BuildValue("Nz", result, status == HEFT_OK ? NULL : error.message) : NULL;
}

#define NUMBER(name, function)                                \
  static PyObject* name(PyObject* object, void* closure) {    \
    (void)closure;                                            \
    const HeftReplay* replay = core_use(object);              \
    return replay ? PyLong_FromLong(function(replay)) : NULL; \
  }
NUMBER(get_steps, heft_replay_step_count)
NUMBER(get_done, heft_replay_steps_done)
NUMBER(get_different, heft_replay_different)

static PyObject* get_complete(PyObject* object, void* closure) {
  (void)closure;
  const HeftReplay* replay = core_use(object);
  return replay ? PyBool_FromLong(!heft_replay_cut_off(replay)) : NULL;
}

static PyMethodDef methods[] = {{"_step", replay_step, METH_NOARGS, "See heft.Replay."},
                                {NULL, NULL, 0, NULL}};
static PyGetSetDef getset[] = {
    {"_world", replay_world, NULL, "See heft.Replay.world.", NULL},
    {"steps", get_steps, NULL, "Number of steps of the session.", NULL},
    {"done", get_done, NULL, "Number of steps that were repeated.", NULL},
    {"different", get_different, NULL,
     "Number of states so far with other bits than the session had.", NULL},
    {"complete", get_complete, NULL, "False: the session was interrupted.", NULL},
    {NULL, NULL, NULL, NULL, NULL}};

int core_replay_start(PyObject* module) {
  PyType_Slot slots[] = {
      {Py_tp_init, (void*)replay_init},
      {Py_tp_dealloc, (void*)replay_dealloc},
      {Py_tp_methods, methods},
      {Py_tp_getset, getset},
      {Py_tp_doc, (void*)(uintptr_t)core_sign_class("Replay", "A recorded session.")},
      {0, NULL}};
  core_sign("Replay", methods);
  PyType_Spec spec = {"heft._core.Replay", sizeof(Replay), 0,
                      Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};
  PyObject* type = PyType_FromSpec(&spec);
  const int failed = !type || PyModule_AddObjectRef(module, "Replay", type);
  Py_XDECREF(type);
  return failed ? -1 : 0;
}
