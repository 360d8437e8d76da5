// SPDX-License-Identifier: Apache-2.0
// Arguments and results of bundles of rays, for a world and for a batch.
#include "rays.h"

int core_rays_read(RaysCall* call, PyObject* args, const HeftModel* m, Py_ssize_t worlds) {
  PyObject *except, *max, *directions, *origins;
  int frame, index, with_normals;
  long long passed;
  HeftRays* r = &call->rays;
  if (!PyArg_ParseTuple(args, "iiOOOOp:rays", &frame, &index, &except, &max, &directions, &origins,
                        &with_normals) ||
      core_read_int(except, "except_body", -1, m->nbody - 1, &passed) ||
      core_read_double(max, "max_distance", &r->max_distance) ||
      !(call->held[0] =
            core_doubles(directions, "directions", core_shape2(-1, 3), 1, &r->direction)))
    return -1;
  const Py_ssize_t n = PyObject_Size(call->held[0]);
  if (n > INT32_MAX / 4) {
    PyErr_Format(PyExc_ValueError, "directions: expected at most %d rays, got %zd", INT32_MAX / 4,
                 n);
    return -1;
  }
  if (origins != Py_None &&
      !(call->held[1] = core_doubles(origins, "origins", core_shape2(n, 3), 1, &r->from)))
    return -1;
  r->frame = (HeftNamed)frame;
  r->index = index;
  r->filter = (HeftQueryFilter){.category = 0, .except_body = (int)passed};
  r->count = (int)n;
  void *distance, *shape, *normal = NULL;
  call->result[0] = core_array(core_shape2(worlds, n), "d", &distance);
  call->result[1] = call->result[0] ? core_array(core_shape2(worlds, n), "i4", &shape) : NULL;
  if (!call->result[1]) return -1;
  call->distance = distance;
  call->shape = shape;
  if (!with_normals) return 0;
  call->result[2] = core_array(core_shape3(worlds, n, 3), "d", &normal);
  call->normal = normal;
  return call->result[2] ? 0 : -1;
}

PyObject* core_rays_end(RaysCall* call, int done) {
  PyObject* result = NULL;
  if (done && !PyErr_Occurred())
    result = PyTuple_Pack(3, call->result[0], call->result[1],
                          call->result[2] ? call->result[2] : Py_None);
  for (int i = 0; i < 3; ++i) Py_XDECREF(call->result[i]);
  for (int i = 0; i < 2; ++i) Py_XDECREF(call->held[i]);
  return result;
}
