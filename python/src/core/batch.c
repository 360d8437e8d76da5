// SPDX-License-Identifier: Apache-2.0
// heft._core.Batch: many worlds of one model in threads.
//
// Parameters of the worlds (variations) and the conditions that end them are arrays that threads
// read without the interpreter's lock. Callables in Python run with the lock, one at a time.
//
// A long run can be interrupted: it goes on in a thread of its own, and the calling thread looks at
// the signals every 20 ms and stops the batch if a handler raises (Ctrl-C).
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L  // pthread_cond_timedwait(), clock_gettime()
#endif
#include <math.h>
#include <pthread.h>
#include <string.h>
#include <time.h>

#include "core.h"
#include "rays.h"
#include "signatures.h"
#include "tables.h"

// Kinds of parameters: X(name, numbers per world). All arrays are (count, numbers).
#define VARIATION_LIST(X)         \
  X(gravity, 3)                   \
  X(friction_scale, m->nmaterial) \
  X(restitution, m->nmaterial)    \
  X(mass_scale, m->nbody)         \
  X(gain_scale, m->nactuator)     \
  X(seed, 1)

typedef enum VariationKind {
#define VARIATION_ENTRY(name, width) VARIATION_##name,
  VARIATION_LIST(VARIATION_ENTRY)
#undef VARIATION_ENTRY
      VARIATION_COUNT
} VariationKind;

// A world ends if a number is below `min` or above `max`.
typedef enum EndKind { END_Q, END_V, END_HEIGHT, END_SENSOR, END_TIME, END_KIND_COUNT } EndKind;
typedef struct End {
  EndKind kind;
  int index;
  double min, max;
} End;

typedef struct Batch {
  Object base;
  PyObject* arrays[8];                  // cached
  PyObject* kept[VARIATION_COUNT];      // arrays of the variations
  const double* vary[VARIATION_COUNT];  // their numbers, or NULL
  End* ends;
  int end_count;
  PyObject *before, *after;  // callables, or NULL
  PyObject* world_class;     // for the callables
  World* lent;               // world that batch.world() gave last, or NULL
  int failed;
  PyObject* error[3];
} Batch;

static void destroy(void* batch) { heft_batch_destroy(batch); }

// ---- callbacks

static const double* row(const Batch* b, VariationKind kind, int index, int width) {
  return b->vary[kind] ? b->vary[kind] + (size_t)index * (size_t)width : NULL;
}

static HeftStatus vary_materials(const Batch* b, int index, HeftWorld* world, HeftError* error) {
  const HeftModel* m = b->base.model;
  const double* friction = row(b, VARIATION_friction_scale, index, m->nmaterial);
  const double* restitution = row(b, VARIATION_restitution, index, m->nmaterial);
  HeftStatus status = HEFT_OK;
  for (int i = 0; (friction || restitution) && i < m->nmaterial && status == HEFT_OK; ++i) {
    HeftMaterial material = {m->material_friction[i], m->material_kinetic[i],
                             m->material_torsion[i], m->material_rolling[i],
                             m->material_restitution[i]};
    if (friction) {
      material.friction *= friction[i];
      material.kinetic *= friction[i];
      material.torsion *= friction[i];
      material.rolling *= friction[i];
    }
    if (restitution) material.restitution = restitution[i];
    status = heft_world_set_material(world, i, &material, error);
  }
  return status;
}

static HeftStatus vary_gains(const Batch* b, int index, HeftWorld* world, HeftError* error) {
  const HeftModel* m = b->base.model;
  const double* scale = row(b, VARIATION_gain_scale, index, m->nactuator);
  HeftStatus status = HEFT_OK;
  for (int i = 0; scale && i < m->nactuator && status == HEFT_OK; ++i) {
    HeftActuatorGains gains = {.gain = scale[i] * m->actuator_gain[i]};
    for (int k = 0; k < 2; ++k) gains.gain_rate[k] = scale[i] * m->actuator_gain_rate[2 * i + k];
    for (int k = 0; k < 3; ++k) gains.bias[k] = scale[i] * m->actuator_bias[3 * i + k];
    status = heft_world_set_actuator_gains(world, i, &gains, error);
  }
  return status;
}

static HeftStatus setup(void* user, int index, HeftWorld* world, HeftError* error) {
  const Batch* b = user;
  const HeftModel* m = b->base.model;
  HeftStatus status = HEFT_OK;
  const double* gravity = row(b, VARIATION_gravity, index, 3);
  const double* mass = row(b, VARIATION_mass_scale, index, m->nbody);
  const double* seed = row(b, VARIATION_seed, index, 1);
  if (gravity) status = heft_world_set_gravity(world, heft_vec3_from(gravity), error);
  if (status == HEFT_OK) status = vary_materials(b, index, world, error);
  if (status == HEFT_OK) status = vary_gains(b, index, world, error);
  for (int i = 1; mass && i < m->nbody && status == HEFT_OK; ++i)
    status = heft_world_set_mass_factors(world, i, mass[i], mass[i], error);
  if (seed) heft_world_set_seed(world, (uint64_t)seed[0]);
  return status;
}

static void keep_error(Batch* b, HeftBatch* batch) {
  if (!b->failed) {
    b->failed = 1;
    PyErr_Fetch(&b->error[0], &b->error[1], &b->error[2]);
  } else {
    PyErr_Clear();
  }
  heft_batch_stop(batch);
}

// A World for the time of one callback.
static World* lend(const Batch* b, HeftWorld* world) {
  PyTypeObject* type = (PyTypeObject*)b->world_class;
  World* made = (World*)((allocfunc)PyType_GetSlot(type, Py_tp_alloc))(type, 0);
  if (made && core_world_open(made, world, NULL, b->base.memory, b->base.model_object))
    Py_CLEAR(made);
  return made;
}

static PyObject* call(Batch* b, PyObject* callable, int index, HeftWorld* world,
                      const HeftStepReport* report) {
  World* lent = lend(b, world);
  if (!lent) return NULL;
  PyObject* given = report ? core_struct(STRUCT_STEP_REPORT, report) : NULL;
  PyObject* result = report ? PyObject_CallFunction(callable, "iOO", index, lent, given)
                            : PyObject_CallFunction(callable, "iO", index, lent);
  Py_XDECREF(given);
  core_world_close(lent);
  Py_DECREF(lent);
  return result;
}

static void call_before(void* user, int index, HeftWorld* world) {
  Batch* b = user;
  const PyGILState_STATE lock = PyGILState_Ensure();
  if (!b->failed) {
    PyObject* result = call(b, b->before, index, world, NULL);
    if (!result) keep_error(b, b->base.object);
    Py_XDECREF(result);
  }
  PyGILState_Release(lock);
}

static bool has_ended(const End* end, HeftWorld* world) {
  const HeftState* state = heft_world_state(world);
  double x = 0;
  switch (end->kind) {
    case END_Q:
      x = state->q[end->index];
      break;
    case END_V:
      x = state->v[end->index];
      break;
    case END_HEIGHT:
      x = heft_dynamics_body_pose(heft_world_dynamics(world), end->index).pos.z;
      break;
    case END_SENSOR:
      x = heft_world_sensors(world)[end->index];
      break;
    case END_TIME:
    case END_KIND_COUNT:
      x = *state->time;
      break;
  }
  return x < end->min || x > end->max;
}

static bool check_after(void* user, int index, HeftWorld* world, const HeftStepReport* report) {
  Batch* b = user;
  for (int i = 0; i < b->end_count; ++i)
    if (has_ended(&b->ends[i], world)) return true;
  if (!b->after) return false;
  const PyGILState_STATE lock = PyGILState_Ensure();
  int answer = 0;
  if (!b->failed) {
    PyObject* result = call(b, b->after, index, world, report);
    answer = result ? PyObject_IsTrue(result) : -1;
    if (answer < 0) keep_error(b, b->base.object);
    Py_XDECREF(result);
  }
  PyGILState_Release(lock);
  return answer == 1;
}

// ---- runs

typedef struct Run {
  HeftBatch* batch;
  HeftRollout rollout;
  bool rows;       // a rollout, not only steps
  RaysCall* rays;  // rays instead of steps, or NULL
  HeftStatus status;
  HeftError error;
  pthread_mutex_t mutex;
  pthread_cond_t end;
  bool ended;
} Run;

static void run(Run* r) {
  const RaysCall* c = r->rays;
  if (c) {
    r->status = heft_batch_rays(r->batch, &c->rays, c->distance, c->shape, c->normal, &r->error);
    return;
  }
  r->status = r->rows ? heft_batch_rollout(r->batch, &r->rollout, &r->error)
                      : heft_batch_step(r->batch, r->rollout.steps, &r->error);
}

static void* run_thread(void* user) {
  Run* r = user;
  run(r);
  pthread_mutex_lock(&r->mutex);
  r->ended = true;
  pthread_cond_signal(&r->end);
  pthread_mutex_unlock(&r->mutex);
  return NULL;
}

static bool wait_run(Run* r) {
  struct timespec until;
  clock_gettime(CLOCK_MONOTONIC, &until);
  until.tv_nsec += 20000000;
  if (until.tv_nsec >= 1000000000) {
    until.tv_nsec -= 1000000000;
    until.tv_sec += 1;
  }
  pthread_mutex_lock(&r->mutex);
  if (!r->ended) pthread_cond_timedwait(&r->end, &r->mutex, &until);
  const bool ended = r->ended;
  pthread_mutex_unlock(&r->mutex);
  return ended;
}

// Runs beside this thread, which looks at signals. Returns 1 if a handler raised.
static int run_beside(Run* r, pthread_t thread) {
  int raised = 0;
  for (bool ended = false; !ended;) {
    Py_BEGIN_ALLOW_THREADS;
    ended = wait_run(r);
    Py_END_ALLOW_THREADS;
    if (!ended && !raised && core_interrupted()) {
      raised = 1;
      heft_batch_stop(r->batch);
    }
  }
  pthread_join(thread, NULL);
  return raised;
}

static void take_back(Batch* b) {
  if (!b->lent) return;
  core_world_close(b->lent);
  Py_CLEAR(b->lent);
}

// 0, or -1 with an exception.
static int run_batch(Batch* b, Run* r) {
  take_back(b);
  pthread_mutex_init(&r->mutex, NULL);
  pthread_condattr_t clock;  // not that of the date, which may be set back
  pthread_condattr_init(&clock);
  pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
  pthread_cond_init(&r->end, &clock);
  pthread_condattr_destroy(&clock);
  b->base.busy = 1;
  pthread_t thread;
  int raised = 0;
  const int64_t work = r->rays ? r->rays->rays.count / 16 : r->rollout.steps;
  const bool is_short = work * heft_batch_count(r->batch) < 256;
  if (is_short || pthread_create(&thread, NULL, run_thread, r)) {
    Py_BEGIN_ALLOW_THREADS;
    run(r);
    Py_END_ALLOW_THREADS;
  } else {
    raised = run_beside(r, thread);
  }
  b->base.busy = 0;
  pthread_cond_destroy(&r->end);
  pthread_mutex_destroy(&r->mutex);
  if (raised) return -1;
  if (b->failed) {
    b->failed = 0;
    PyErr_Restore(b->error[0], b->error[1], b->error[2]);
    memset(b->error, 0, sizeof b->error);
    return -1;
  }
  if (r->status != HEFT_OK) core_fail(r->status, &r->error);
  return r->status == HEFT_OK ? 0 : -1;
}

static PyObject* batch_step(PyObject* object, PyObject* args) {
  Batch* b = (Batch*)object;
  PyObject* n = NULL;
  long long steps = 1;
  if (!PyArg_ParseTuple(args, "|O:step", &n) || !core_use(object) ||
      (n && core_read_int(n, "n", 0, INT64_MAX, &steps)))
    return NULL;
  Run r = {.batch = b->base.object, .rollout = {.steps = steps}};
  if (run_batch(b, &r)) return NULL;
  Py_RETURN_NONE;
}

static PyObject* rows_of(int wanted, Py_ssize_t count, Py_ssize_t steps, Py_ssize_t width,
                         double** out) {
  void* data = NULL;
  PyObject* array;
  if (wanted) {
    array = core_array(core_shape3(count, steps, width), "d", &data);
    *out = data;
  } else {
    Py_INCREF(Py_None);
    array = Py_None;
  }
  return array;
}

// rollout(steps or None, controls or None, q, v, sensors) -> (q, v, sensors); None if not wanted
static PyObject* batch_rollout(PyObject* object, PyObject* args) {
  Batch* b = (Batch*)object;
  HeftBatch* batch = core_use(object);
  PyObject *given, *controls;
  int want_q, want_v, want_sensors;
  if (!batch ||
      !PyArg_ParseTuple(args, "OOppp:_rollout", &given, &controls, &want_q, &want_v, &want_sensors))
    return NULL;
  const Py_ssize_t count = heft_batch_count(batch);
  const HeftModel* m = b->base.model;
  long long steps = -1;
  if (given != Py_None && core_read_int(given, "steps", 0, INT32_MAX, &steps)) return NULL;
  Run r = {.batch = batch, .rows = true};
  PyObject* held = NULL;
  if (controls != Py_None) {
    held = core_doubles(controls, "controls", core_shape3(count, steps, m->nactuator), 1,
                        &r.rollout.controls);
    if (!held) return NULL;
    Py_buffer size;
    if (PyObject_GetBuffer(held, &size, PyBUF_C_CONTIGUOUS)) return NULL;
    steps = size.shape[1];
    PyBuffer_Release(&size);
  } else if (steps < 0) {
    PyErr_SetString(PyExc_ValueError, "rollout: expected controls or steps");
    return NULL;
  }
  r.rollout.steps = steps;
  PyObject* q = rows_of(want_q, count, (Py_ssize_t)steps, m->nq, &r.rollout.q);
  PyObject* v = rows_of(want_v, count, (Py_ssize_t)steps, m->nv, &r.rollout.v);
  PyObject* sensors =
      rows_of(want_sensors, count, (Py_ssize_t)steps, m->nsensordata, &r.rollout.sensors);
  PyObject* result = NULL;
  if (q && v && sensors && !run_batch(b, &r)) result = PyTuple_Pack(3, q, v, sensors);
  Py_XDECREF(q);
  Py_XDECREF(v);
  Py_XDECREF(sensors);
  Py_XDECREF(held);
  return result;
}

static PyObject* batch_rays(PyObject* object, PyObject* args) {
  Batch* b = (Batch*)object;
  HeftBatch* batch = core_use(object);
  RaysCall call = {0};
  if (!batch) return NULL;
  Run r = {.batch = batch, .rays = &call};
  const int wrong = core_rays_read(&call, args, b->base.model, heft_batch_count(batch));
  return core_rays_end(&call, !wrong && !run_batch(b, &r));
}

static PyObject* batch_stop(PyObject* object, PyObject* unused) {
  (void)unused;
  HeftBatch* batch = ((Object*)object)->object;  // also while it is busy
  if (!batch) return core_use(object);
  heft_batch_stop(batch);
  Py_RETURN_NONE;
}

// ---- states

// Marks of worlds from an array of numbers or truths (count); *out is NULL if `which` is None: all.
// 0, or -1 with an exception.
static int read_marks(PyObject* which, int count, bool** out) {
  *out = NULL;
  if (which == Py_None) return 0;
  const double* numbers;
  PyObject* array = core_doubles(which, "which", core_shape1(count), 1, &numbers);
  if (!array) return -1;
  *out = PyMem_Malloc((size_t)count * sizeof **out);
  for (int i = 0; *out && i < count; ++i) (*out)[i] = numbers[i] != 0;
  Py_DECREF(array);
  if (!*out) PyErr_NoMemory();
  return *out ? 0 : -1;
}

// reset(which or None, key)
static PyObject* batch_reset(PyObject* object, PyObject* args) {
  Batch* b = (Batch*)object;
  HeftBatch* batch = core_use(object);
  PyObject *which, *key;
  if (!batch || !PyArg_ParseTuple(args, "OO:_reset", &which, &key)) return NULL;
  long long index;
  if (core_read_int(key, "key", -1, b->base.model->nkey - 1, &index)) return NULL;
  take_back(b);
  bool* marks;
  if (read_marks(which, heft_batch_count(batch), &marks)) return NULL;
  HeftError error = {0};
  const HeftStatus status = heft_batch_reset(batch, marks, (int)index, &error);
  PyMem_Free(marks);
  if (status != HEFT_OK) return core_fail(status, &error);
  Py_RETURN_NONE;
}

// set_states(q or None, v or None, which or None): arrays (count, nq), (count, nv) and (count)
static PyObject* batch_set_states(PyObject* object, PyObject* args) {
  Batch* b = (Batch*)object;
  HeftBatch* batch = core_use(object);
  PyObject *q, *v, *which;
  if (!batch || !PyArg_ParseTuple(args, "OOO:set_states", &q, &v, &which)) return NULL;
  take_back(b);
  const int count = heft_batch_count(batch);
  const HeftModel* m = b->base.model;
  const double *qs = NULL, *vs = NULL;
  PyObject *held_q = NULL, *held_v = NULL;
  if (q != Py_None && !(held_q = core_doubles(q, "q", core_shape2(count, m->nq), 1, &qs)))
    return NULL;
  if (v != Py_None && !(held_v = core_doubles(v, "v", core_shape2(count, m->nv), 1, &vs))) {
    Py_XDECREF(held_q);
    return NULL;
  }
  HeftError error = {0};
  HeftStatus status = HEFT_OK;
  bool* marks;
  const int wrong = read_marks(which, count, &marks);
  for (int i = 0; !wrong && i < count && status == HEFT_OK; ++i)
    if (!marks || marks[i])
      status = heft_batch_set_state(batch, i, qs ? qs + (size_t)i * (size_t)m->nq : NULL,
                                    vs ? vs + (size_t)i * (size_t)m->nv : NULL, &error);
  PyMem_Free(marks);
  Py_XDECREF(held_q);
  Py_XDECREF(held_v);
  if (wrong) return NULL;
  if (status != HEFT_OK) return core_fail(status, &error);
  Py_RETURN_NONE;
}

static int read_index(PyObject* object, PyObject* given, HeftBatch* batch, int* out) {
  (void)object;
  long long index;
  if (core_read_int(given, "index", 0, heft_batch_count(batch) - 1, &index)) return -1;
  *out = (int)index;
  return 0;
}

static PyObject* batch_hash(PyObject* object, PyObject* given) {
  HeftBatch* batch = core_use(object);
  int index;
  if (!batch || read_index(object, given, batch, &index)) return NULL;
  take_back((Batch*)object);
  return PyLong_FromUnsignedLongLong(heft_batch_hash(batch, index));
}

static PyObject* batch_world(PyObject* object, PyObject* given) {
  Batch* b = (Batch*)object;
  HeftBatch* batch = core_use(object);
  int index;
  if (!batch || read_index(object, given, batch, &index)) return NULL;
  take_back(b);
  HeftError error = {0};
  HeftWorld* world = heft_batch_world(batch, index, &error);
  if (!world) return core_fail(error.status ? error.status : HEFT_ERR_VALUE, &error);
  b->lent = lend(b, world);
  Py_XINCREF((PyObject*)b->lent);
  return (PyObject*)b->lent;
}

static PyObject* batch_store(PyObject* object, PyObject* unused) {
  (void)unused;
  HeftBatch* batch = core_use(object);
  if (!batch) return NULL;
  heft_batch_store(batch);
  Py_RETURN_NONE;
}

// ---- arrays

typedef enum ArrayName {
  ARRAY_Q,
  ARRAY_V,
  ARRAY_TIME,
  ARRAY_SENSORS,
  ARRAY_CONTROLS,
  ARRAY_ENDED,
  ARRAY_STEPS,
  ARRAY_REPORTS
} ArrayName;

static const char from_steps[] =
    "steps and set_states(q, v) change it; copy() gives an array to change";

static PyObject* make_array(const Batch* b, HeftBatch* batch, ArrayName name) {
  const HeftModel* m = b->base.model;
  const Py_ssize_t n = heft_batch_count(batch);
  PyObject* memory = b->base.memory;
  switch (name) {
    case ARRAY_Q:
      return core_view(memory, heft_batch_q(batch), 'd', core_shape2(n, m->nq), from_steps);
    case ARRAY_V:
      return core_view(memory, heft_batch_v(batch), 'd', core_shape2(n, m->nv), from_steps);
    case ARRAY_TIME:
      return core_view(memory, heft_batch_time(batch), 'd', core_shape1(n), from_steps);
    case ARRAY_SENSORS:
      return core_view(memory, heft_batch_sensors(batch), 'd', core_shape2(n, m->nsensordata),
                       from_steps);
    case ARRAY_CONTROLS:
      return core_view(memory, heft_batch_controls(batch), 'd', core_shape2(n, m->nactuator), NULL);
    case ARRAY_ENDED:
      return core_view(memory, heft_batch_ended(batch), '?', core_shape1(n), from_steps);
    case ARRAY_STEPS:
      return core_view(memory, heft_batch_steps(batch), 'q', core_shape1(n), from_steps);
    case ARRAY_REPORTS:
      break;
  }
  return core_view(memory, heft_batch_reports(batch), 'B', core_shape2(n, sizeof(HeftStepReport)),
                   from_steps);
}

static PyObject* get_array(PyObject* object, void* closure) {
  Batch* b = (Batch*)object;
  PyObject** cached = &b->arrays[(intptr_t)closure];
  if (!*cached) {
    HeftBatch* batch = core_use(object);
    if (!batch) return NULL;
    *cached = make_array(b, batch, (ArrayName)(intptr_t)closure);
  }
  Py_XINCREF(*cached);
  return *cached;
}

static int set_controls(PyObject* object, PyObject* value, void* closure) {
  (void)closure;
  HeftBatch* batch = core_use(object);
  if (!batch) return -1;
  const HeftModel* m = ((Object*)object)->model;
  const Py_ssize_t n = heft_batch_count(batch);
  const double* numbers;
  PyObject* array =
      value ? core_doubles(value, "controls", core_shape2(n, m->nactuator), 1, &numbers)
            : (PyErr_SetString(PyExc_AttributeError, "controls cannot be deleted"), NULL);
  if (!array) return -1;
  memcpy(heft_batch_controls(batch), numbers, (size_t)n * (size_t)m->nactuator * sizeof *numbers);
  Py_DECREF(array);
  return 0;
}

static PyObject* get_count(PyObject* object, void* closure) {
  (void)closure;
  const HeftBatch* batch = core_use(object);
  return batch ? PyLong_FromLong(heft_batch_count(batch)) : NULL;
}

static PyObject* get_memory(PyObject* object, void* closure) {
  (void)closure;
  const HeftBatch* batch = core_use(object);
  return batch ? PyLong_FromSize_t(heft_batch_memory(batch)) : NULL;
}

// ---- life

static void batch_release(Batch* b) {
  take_back(b);
  for (int i = 0; i < 8; ++i) Py_CLEAR(b->arrays[i]);
  core_close(&b->base);
}

static PyObject* batch_close(PyObject* object, PyObject* unused) {
  (void)unused;
  if (((Object*)object)->busy) return core_use(object);
  batch_release((Batch*)object);
  Py_RETURN_NONE;
}

static int read_variation(Batch* b, const char* name, PyObject* value, int count) {
  const HeftModel* m = b->base.model;
  const struct {
    const char* name;
    int width;
  } kinds[] = {
#define VARIATION_ROW(name, width) {#name, width},
      VARIATION_LIST(VARIATION_ROW)
#undef VARIATION_ROW
  };
  for (int i = 0; i < VARIATION_COUNT; ++i)
    if (strcmp(name, kinds[i].name) == 0) {
      b->kept[i] = core_doubles(value, name, core_shape2(count, kinds[i].width), 1, &b->vary[i]);
      return b->kept[i] ? 0 : -1;
    }
  PyErr_Format(PyExc_TypeError, "Batch: there is no variation '%s'", name);
  return -1;
}

// Rows (kind, index, min, max); indices are checked here.
static int read_ends(Batch* b, PyObject* value) {
  const double* numbers;
  PyObject* array = core_doubles(value, "ends", core_shape2(-1, 4), 0, &numbers);
  if (!array) return -1;
  b->end_count = (int)PyObject_Size(array);
  b->ends = PyMem_Calloc((size_t)b->end_count + 1, sizeof *b->ends);
  const HeftModel* m = b->base.model;
  const int sizes[] = {m->nq, m->nv, m->nbody, m->nsensordata, 1};
  int failed = !b->ends;
  for (int i = 0; !failed && i < b->end_count; ++i) {
    const double* r = numbers + (ptrdiff_t)4 * i;
    failed = !(r[0] >= 0 && r[0] < END_KIND_COUNT) || !(r[1] >= 0 && r[1] < sizes[(int)r[0]]);
    if (!failed) b->ends[i] = (End){(EndKind)(int)r[0], (int)r[1], r[2], r[3]};
  }
  if (failed && !PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "ends: a row is out of range");
  Py_DECREF(array);
  return failed ? -1 : 0;
}

static int read_callables(Batch* b, PyObject* before, PyObject* after) {
  PyObject* given[] = {before, after};
  PyObject** place[] = {&b->before, &b->after};
  for (int i = 0; i < 2; ++i) {
    if (given[i] == Py_None) continue;
    if (!PyCallable_Check(given[i])) {
      PyErr_Format(PyExc_TypeError, "%s: expected a callable or None, got %R",
                   i ? "after" : "before", given[i]);
      return -1;
    }
    Py_INCREF(given[i]);
    *place[i] = given[i];
  }
  return 0;
}

static void batch_forget(Batch* b) {
  for (int i = 0; i < VARIATION_COUNT; ++i) {
    Py_CLEAR(b->kept[i]);
    b->vary[i] = NULL;
  }
  PyMem_Free(b->ends);
  b->ends = NULL;
  b->end_count = 0;
  Py_CLEAR(b->before);
  Py_CLEAR(b->after);
  Py_CLEAR(b->base.model_object);
  Py_CLEAR(b->world_class);
}

// Batch(model, count, threads, options, variations, ends or None, before, after, world_class)
static int batch_init(PyObject* object, PyObject* args, PyObject* keywords) {
  Batch* b = (Batch*)object;
  (void)keywords;
  PyObject *model_object, *number, *threads, *options, *variations, *ends, *before, *after, *class;
  if (!PyArg_ParseTuple(args, "OOOO!O!OOOO:Batch", &model_object, &number, &threads, &PyDict_Type,
                        &options, &PyDict_Type, &variations, &ends, &before, &after, &class))
    return -1;
  const HeftModel* model = core_use_as(model_object, core.model, "model");
  HeftBatchDef def = heft_batch_def_default();
  long long count, pool;
  if (!model || core_read_int(number, "count", 1, INT32_MAX, &count) ||
      core_read_int(threads, "threads", 1, 64, &pool) || core_world_def(&def.world, options))
    return -1;
  if (b->base.object) batch_release(b);
  batch_forget(b);
  b->base.model = model;
  Py_INCREF(model_object);
  b->base.model_object = model_object;
  Py_INCREF(class);
  b->world_class = class;
  PyObject *key, *value;
  Py_ssize_t place = 0;
  while (PyDict_Next(variations, &place, &key, &value)) {
    const char* name = PyUnicode_AsUTF8AndSize(key, NULL);
    if (!name || read_variation(b, name, value, (int)count)) return -1;
  }
  if ((ends != Py_None && read_ends(b, ends)) || read_callables(b, before, after)) return -1;
  def.count = (int)count;
  def.threads = (int)pool;
  def.user = b;
  def.setup = PyDict_Size(variations) ? setup : NULL;
  def.before = b->before ? call_before : NULL;
  def.after = b->after || b->end_count ? check_after : NULL;
  HeftBatch* batch = NULL;
  HeftError error = {0};
  HeftStatus status;
  Py_BEGIN_ALLOW_THREADS;
  status = heft_batch_create(&batch, model, &def, &error);
  Py_END_ALLOW_THREADS;
  if (status != HEFT_OK) {
    core_fail(status, &error);
    return -1;
  }
  return core_open(&b->base, core_memory(batch, destroy, ((Object*)model_object)->memory)) ? 0 : -1;
}

static int batch_traverse(PyObject* object, visitproc visit, void* arg) {
  Batch* b = (Batch*)object;
  Py_VISIT(Py_TYPE(object));
  Py_VISIT(b->before);
  Py_VISIT(b->after);
  Py_VISIT(b->base.model_object);
  Py_VISIT(b->world_class);
  Py_VISIT(b->lent);
  return 0;
}

static int batch_clear(PyObject* object) {
  Batch* b = (Batch*)object;
  Py_CLEAR(b->before);
  Py_CLEAR(b->after);
  take_back(b);
  return 0;
}

static void batch_dealloc(PyObject* object) {
  PyTypeObject* type = Py_TYPE(object);
  PyObject_GC_UnTrack(object);
  batch_release((Batch*)object);
  batch_forget((Batch*)object);
  ((freefunc)PyType_GetSlot(type, Py_tp_free))(object);
  Py_DECREF(type);
}

#define ARRAY(name, number, setter, meaning) \
  { name, get_array, setter, meaning, (void*)(intptr_t)(number) }
static PyGetSetDef getset[] = {
    ARRAY("q", ARRAY_Q, NULL, "Coordinates (count, nq) after the last step. Read-only view."),
    ARRAY("v", ARRAY_V, NULL, "Velocities (count, nv) after the last step. Read-only view."),
    ARRAY("time", ARRAY_TIME, NULL, "Times (count) [s]. Read-only view."),
    ARRAY("sensors", ARRAY_SENSORS, NULL, "Sensors (count, nsensordata). Read-only view."),
    ARRAY("controls", ARRAY_CONTROLS, set_controls, "Controls (count, nactuator), to be written."),
    ARRAY("ended", ARRAY_ENDED, NULL, "Whether each world has ended (count). Read-only view."),
    ARRAY("steps", ARRAY_STEPS, NULL, "Steps of each world since its reset. Read-only view."),
    ARRAY("_reports", ARRAY_REPORTS, NULL, "Bytes of the reports."),
    {"model", core_get_model, NULL, "The model of all worlds.", NULL},
    {"count", get_count, NULL, "Number of worlds.", NULL},
    {"memory", get_memory, NULL, "Memory of the batch [bytes].", NULL},
    {"closed", core_get_closed, NULL, "True after close().", NULL},
    {NULL, NULL, NULL, NULL, NULL}};

static PyMethodDef methods[] = {
    {"step", batch_step, METH_VARARGS, "step(n=1): n steps of every world that has not ended."},
    {"_rollout", batch_rollout, METH_VARARGS, "See heft.Batch.rollout()."},
    {"_rays", batch_rays, METH_VARARGS, "See heft.Batch.rays()."},
    {"stop", batch_stop, METH_NOARGS, "Ends a running step or rollout; from any thread."},
    {"_reset", batch_reset, METH_VARARGS, "See heft.Batch.reset()."},
    {"_set_states", batch_set_states, METH_VARARGS, "See heft.Batch.set_states()."},
    {"hash", batch_hash, METH_O, "hash(index): 64 bits that depend on the state of a world."},
    {"world", batch_world, METH_O,
     "world(index): one world, until the next call of a method of the batch."},
    {"store", batch_store, METH_NOARGS, "Stores the changes of the world that world() gave."},
    {"close", batch_close, METH_NOARGS, "Releases the batch; later calls raise ClosedError."},
    {NULL, NULL, 0, NULL}};

int core_batch_start(PyObject* module) {
  PyType_Slot slots[] = {{Py_tp_init, (void*)batch_init},
                         {Py_tp_dealloc, (void*)batch_dealloc},
                         {Py_tp_traverse, (void*)batch_traverse},
                         {Py_tp_clear, (void*)batch_clear},
                         {Py_tp_methods, methods},
                         {Py_tp_getset, getset},
                         {Py_tp_doc, (void*)(uintptr_t)core_sign_class(
                                         "Batch", "Many worlds of one model, in threads.")},
                         {0, NULL}};
  core_sign("Batch", methods);
  PyType_Spec spec = {"heft._core.Batch", sizeof(Batch), 0,
                      Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC, slots};
  core.batch = (PyTypeObject*)PyType_FromSpec(&spec);
  return core.batch ? PyModule_AddObjectRef(module, "Batch", (PyObject*)core.batch) : -1;
}
