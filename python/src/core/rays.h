// SPDX-License-Identifier: Apache-2.0
// A bundle of rays that Python gives, and the arrays of its results.
#ifndef HEFT_PYTHON_RAYS_H
#define HEFT_PYTHON_RAYS_H

#include "core.h"

typedef struct RaysCall {
  HeftRays rays;
  double *distance, *normal;
  int* shape;
  PyObject *held[2], *result[3];
} RaysCall;

// Reads (kind and index of the frame, except_body, max_distance, directions, origins or None,
// whether normals are wanted) and makes arrays (worlds, rays). -1 with an exception;
// core_rays_end() follows in both cases.
int core_rays_read(RaysCall* call, PyObject* args, const HeftModel* model, Py_ssize_t worlds);
// Releases the call; the tuple (distance, shape, normal or None) if it was done.
PyObject* core_rays_end(RaysCall* call, int done);

#endif
