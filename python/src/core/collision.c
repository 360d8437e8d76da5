// SPDX-License-Identifier: Apache-2.0
// Collider: poses, contact points, queries that return several shapes, lines for drawing.
#include <stdlib.h>
#include <string.h>

#include "bind.h"
#include "tables.h"

static PyObject* update(PyObject* self, PyObject* given) {
  HeftCollider* collider = core_use(self);
  const HeftDynamics* dynamics =
      collider ? core_use_as(given, core_class(CLASS_DYNAMICS), "dynamics") : NULL;
  if (!dynamics) return NULL;
  const HeftModel* m = ((Object*)self)->model;
  if (((Object*)given)->model != m) {
    PyErr_SetString(PyExc_ValueError, "dynamics: expected that of the same model");
    return NULL;
  }
  HeftPose* poses = malloc(((size_t)m->nbody + 1) * sizeof *poses);
  if (!poses) return PyErr_NoMemory();
  for (int i = 0; i < m->nbody; ++i) poses[i] = heft_dynamics_body_pose(dynamics, i);
  heft_collider_update(collider, poses);
  free(poses);
  return core_none();
}

static PyObject* collide(PyObject* self, PyObject* unused) {
  (void)unused;
  HeftCollider* collider = core_use(self);
  if (!collider) return NULL;
  const HeftContactPoints points = heft_collider_collide(collider);
  return core_struct_list(STRUCT_CONTACT_POINT, points.point, points.count);
}

static bool keep(void* user, const HeftContactPoint* point) {
  if (PyErr_Occurred()) return true;
  PyObject* given = core_struct(STRUCT_CONTACT_POINT, point);
  PyObject* answer = given ? PyObject_CallFunctionObjArgs(user, given, NULL) : NULL;
  const int truth = answer ? PyObject_IsTrue(answer) : -1;
  Py_XDECREF(answer);
  Py_XDECREF(given);
  return truth != 0;
}

static PyObject* filter(PyObject* self, PyObject* callable) {
  HeftCollider* collider = core_use(self);
  if (!collider) return NULL;
  if (!PyCallable_Check(callable))
    return PyErr_Format(PyExc_TypeError, "keep: expected a callable, got %R", callable);
  ((Object*)self)->busy = 1;
  const HeftContactPoints points = heft_collider_filter(collider, keep, callable);
  ((Object*)self)->busy = 0;
  if (PyErr_Occurred()) return NULL;
  return core_struct_list(STRUCT_CONTACT_POINT, points.point, points.count);
}

static int read_filter(PyObject* given, HeftQueryFilter* out) {
  *out = heft_query_filter_all();
  if (given == Py_None) return 0;
  const HeftQueryFilter* data = core_struct_data(given, STRUCT_QUERY_FILTER, "filter");
  if (data) *out = *data;
  return data ? 0 : -1;
}

static PyObject* list_shapes(const int* shapes, int count) {
  PyObject* all = PyList_New(count);
  for (int i = 0; all && i < count; ++i) PyList_SetItem(all, i, PyLong_FromLong(shapes[i]));
  return all;
}

static PyObject* inside(PyObject* self, PyObject* args) {
  const HeftCollider* collider = core_use(self);
  PyObject *point, *given = Py_None;
  double x[3];
  HeftQueryFilter which;
  if (!collider || !PyArg_ParseTuple(args, "O|O:inside", &point, &given) ||
      core_read_vector(point, "point", x, 3) || read_filter(given, &which))
    return NULL;
  const int max = ((Object*)self)->model->nshape;
  int* shapes = malloc(((size_t)max + 1) * sizeof *shapes);
  if (!shapes) return PyErr_NoMemory();
  const int count = heft_collider_inside(collider, heft_vec3_from(x), which, max, shapes);
  PyObject* all = list_shapes(shapes, count < max ? count : max);
  free(shapes);
  return all;
}

static PyObject* overlap(PyObject* self, PyObject* args) {
  HeftCollider* collider = core_use(self);
  PyObject *pose, *half, *given = Py_None;
  double x[3];
  HeftQueryFilter which;
  if (!collider || !PyArg_ParseTuple(args, "OO|O:overlap", &pose, &half, &given) ||
      core_read_vector(half, "half", x, 3) || read_filter(given, &which))
    return NULL;
  const HeftPose* at = core_struct_data(pose, STRUCT_POSE, "pose");
  if (!at) return NULL;
  const int max = ((Object*)self)->model->nshape;
  int* shapes = malloc(((size_t)max + 1) * sizeof *shapes);
  if (!shapes) return PyErr_NoMemory();
  const int count = heft_collider_overlap(collider, *at, heft_vec3_from(x), which, max, shapes);
  PyObject* all = list_shapes(shapes, count < max ? count : max);
  free(shapes);
  return all;
}

// ---- lines for drawing

typedef struct Lines {
  double* numbers;  // 6 per line
  uint32_t* color;
  size_t count, capacity;
} Lines;

static void add_line(void* user, HeftVec3 from, HeftVec3 to, uint32_t color) {
  Lines* lines = user;
  if (lines->count == lines->capacity) {
    const size_t room = lines->capacity ? 2 * lines->capacity : 256;
    double* numbers = realloc(lines->numbers, room * 6 * sizeof *numbers);
    if (!numbers) return;
    lines->numbers = numbers;
    uint32_t* colors = realloc(lines->color, room * sizeof *colors);
    if (!colors) return;
    lines->color = colors;
    lines->capacity = room;
  }
  const double row[6] = {from.x, from.y, from.z, to.x, to.y, to.z};
  memcpy(lines->numbers + 6 * lines->count, row, sizeof row);
  lines->color[lines->count++] = color;
}

static void add_point(void* user, HeftVec3 pos, uint32_t color) { add_line(user, pos, pos, color); }

// draw(kind, scale) -> (lines (n, 2, 3), colours (n)); kind: "shapes", "boxes", "contacts"
static PyObject* draw(PyObject* self, PyObject* args) {
  HeftCollider* collider = core_use(self);
  const char* kind;
  double scale = 0.1;
  if (!collider || !PyArg_ParseTuple(args, "s|d:draw", &kind, &scale)) return NULL;
  Lines lines = {0};
  const HeftDraw target = {add_line, add_point, &lines};
  if (strcmp(kind, "shapes") == 0) {
    heft_draw_shapes(&target, collider, NULL);
  } else if (strcmp(kind, "islands") == 0) {
    heft_collider_collide(collider);
    const HeftIslands islands = heft_collider_islands(collider, NULL, 0);
    heft_draw_shapes(&target, collider, &islands);
  } else if (strcmp(kind, "boxes") == 0) {
    heft_draw_boxes(&target, collider, 0xffffffff);
  } else if (strcmp(kind, "contacts") == 0) {
    const HeftContactPoints points = heft_collider_collide(collider);
    heft_draw_contacts(&target, &points, scale);
  } else {
    return PyErr_Format(PyExc_ValueError,
                        "kind: expected 'shapes', 'islands', 'boxes' or 'contacts', got '%s'",
                        kind);
  }
  void *rows, *colors;
  PyObject* array = core_array(core_shape3((Py_ssize_t)lines.count, 2, 3), "d", &rows);
  PyObject* color = core_array(core_shape1((Py_ssize_t)lines.count), "u4", &colors);
  if (array && color && lines.count) {
    memcpy(rows, lines.numbers, lines.count * 6 * sizeof(double));
    memcpy(colors, lines.color, lines.count * sizeof(uint32_t));
  }
  free(lines.numbers);
  free(lines.color);
  return core_tuple(2, (PyObject*[]){array, color});
}

PyMethodDef core_collider_methods[] = {
    {"update", update, METH_O, "update(dynamics): sets the poses of all bodies."},
    {"collide", collide, METH_NOARGS, "All contact points at the poses given last."},
    {"filter", filter, METH_O, "filter(keep): contact points for which keep(point) is true."},
    {"inside", inside, METH_VARARGS, "inside(point, filter=None): shapes that contain a point."},
    {"overlap", overlap, METH_VARARGS,
     "overlap(pose, half, filter=None): shapes that overlap a box."},
    {"draw", draw, METH_VARARGS, "draw(kind, scale=0.1): lines (n, 2, 3) and colours 0xRRGGBBAA."},
    {NULL, NULL, 0, NULL}};
