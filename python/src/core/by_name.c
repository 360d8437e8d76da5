// SPDX-License-Identifier: Apache-2.0
// Joints and sensors of a world by name, with the number of values that each has.
#include "bind.h"
#include "tables.h"

typedef struct Target {
  HeftWorld* world;
  const char* name;
  int count;
} Target;

// Finds a joint or sensor, and the count of its values. -1 on failure.
static int find(PyObject* self, PyObject* given, HeftNamed kind, int velocities, Target* out) {
  out->world = core_use(self);
  if (!out->world ||
      core_read_text(given, kind == HEFT_NAMED_SENSOR ? "sensor" : "joint", 0, &out->name))
    return -1;
  const HeftModel* m = ((Object*)self)->model;
  int index;
  HeftError error = {0};
  const HeftStatus status = heft_model_lookup(m, kind, out->name, &index, &error);
  if (status != HEFT_OK) {
    core_fail(status, &error);
    return -1;
  }
  if (kind == HEFT_NAMED_SENSOR)
    out->count = heft_sensor_type_value_count(m->sensor_type[index]);
  else if (velocities)
    out->count = heft_joint_type_dof_count(m->joint_type[index]);
  else
    out->count = heft_joint_type_q_count(m->joint_type[index]);
  return 0;
}

static PyObject* read_joint(PyObject* self, PyObject* name, int velocities) {
  Target t;
  if (find(self, name, HEFT_NAMED_JOINT, velocities, &t)) return NULL;
  void* data;
  PyObject* array = core_array(core_shape1(t.count), "d", &data);
  HeftError error = {0};
  if (!array) return NULL;
  const HeftStatus status = velocities
                                ? heft_world_joint_velocity(t.world, t.name, data, t.count, &error)
                                : heft_world_joint_position(t.world, t.name, data, t.count, &error);
  if (status == HEFT_OK) return array;
  Py_DECREF(array);
  return core_fail(status, &error);
}

static PyObject* write_joint(PyObject* self, PyObject* args, int velocities) {
  PyObject *name, *value;
  Target t;
  if (!PyArg_ParseTuple(args, "OO", &name, &value) ||
      find(self, name, HEFT_NAMED_JOINT, velocities, &t))
    return NULL;
  const double* numbers;
  PyObject* array = core_doubles(value, velocities ? "v" : "q", core_shape1(t.count), 1, &numbers);
  if (!array) {  // a single number for a joint of one dof
    double number;
    if (t.count != 1 || !PyFloat_Check(value)) return NULL;
    PyErr_Clear();
    number = PyFloat_AsDouble(value);
    array = core_vector(&number, 1);
    if (!array || core_read_vector(array, "q", &number, 1)) return NULL;
    numbers = &number;
  }
  HeftError error = {0};
  const HeftStatus status =
      velocities ? heft_world_set_joint_velocity(t.world, t.name, numbers, t.count, &error)
                 : heft_world_set_joint_position(t.world, t.name, numbers, t.count, &error);
  Py_DECREF(array);
  return status == HEFT_OK ? core_none() : core_fail(status, &error);
}

static PyObject* joint_position(PyObject* self, PyObject* name) {
  return read_joint(self, name, 0);
}
static PyObject* joint_velocity(PyObject* self, PyObject* name) {
  return read_joint(self, name, 1);
}
static PyObject* set_joint_position(PyObject* self, PyObject* args) {
  return write_joint(self, args, 0);
}
static PyObject* set_joint_velocity(PyObject* self, PyObject* args) {
  return write_joint(self, args, 1);
}

static PyObject* sensor(PyObject* self, PyObject* name) {
  Target t;
  if (find(self, name, HEFT_NAMED_SENSOR, 0, &t)) return NULL;
  void* data;
  PyObject* array = core_array(core_shape1(t.count), "d", &data);
  HeftError error = {0};
  if (!array) return NULL;
  const HeftStatus status = heft_world_sensor(t.world, t.name, data, t.count, &error);
  if (status == HEFT_OK) return array;
  Py_DECREF(array);
  return core_fail(status, &error);
}

PyMethodDef core_world_by_name[] = {
    {"joint_position", joint_position, METH_O, "joint_position(joint): its coordinates."},
    {"joint_velocity", joint_velocity, METH_O, "joint_velocity(joint): its velocities."},
    {"set_joint_position", set_joint_position, METH_VARARGS, "set_joint_position(joint, q)."},
    {"set_joint_velocity", set_joint_velocity, METH_VARARGS, "set_joint_velocity(joint, v)."},
    {"sensor", sensor, METH_O, "sensor(sensor): its values."},
    {NULL, NULL, 0, NULL}};

// ---- states

static PyObject* get_state(PyObject* self, void* closure) {
  const HeftState* state = core_use(self);
  if (!state) return NULL;
  PyObject* memory = ((Object*)self)->memory;
  switch ((intptr_t)closure) {
    case 0:
      return core_view(memory, state->time, 'd', core_shape1(1), NULL);
    case 1:
      return core_view(memory, state->q, 'd', core_shape1(state->nq), NULL);
    case 2:
      return core_view(memory, state->v, 'd', core_shape1(state->nv), NULL);
    case 3:
      return core_view(memory, state->act, 'd', core_shape1(state->nact), NULL);
    default:
      return core_view(memory, state->moved, 'd', core_shape2(state->nmoved, 13), NULL);
  }
}

PyGetSetDef core_state_getset[] = {
    {"time", get_state, NULL, "Time (1) [s], to be written.", (void*)0},
    {"q", get_state, NULL, "Coordinates (nq), to be written.", (void*)1},
    {"v", get_state, NULL, "Velocities (nv), to be written.", (void*)2},
    {"act", get_state, NULL, "Activations (nact), to be written.", (void*)3},
    {"moved", get_state, NULL, "Moved bodies (nmoved, 13), to be written.", (void*)4},
    {NULL, NULL, NULL, NULL, NULL}};
