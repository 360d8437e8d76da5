// SPDX-License-Identifier: Apache-2.0
// Functions of dynamics and control whose arrays depend on each other.
#include <stdlib.h>
#include <string.h>

#include "bind.h"
#include "tables.h"

// ---- dynamics

static void* aligned(size_t doubles) {
  const size_t size = (doubles * sizeof(double) + 63) / 64 * 64 + 64;
  return aligned_alloc(64, size);
}

// delassus(bodies (n), points (n, 3), frames (n, 3, 3), method) -> (3 n, 3 n)
static PyObject* delassus(PyObject* self, PyObject* args) {
  const HeftDynamics* dynamics = core_use(self);
  PyObject *bodies, *points, *frames, *how = NULL;
  int method = HEFT_DELASSUS_LTL;
  if (!dynamics || !PyArg_ParseTuple(args, "OOO|O:delassus", &bodies, &points, &frames, &how) ||
      (how && core_read_enum(ENUM_DELASSUS_METHOD, how, "method", &method)))
    return NULL;
  const double *body, *point, *frame;
  PyObject* held_points = core_doubles(points, "points", core_shape2(-1, 3), 1, &point);
  if (!held_points) return NULL;
  const int count = (int)PyObject_Size(held_points);
  const int nbody = ((Object*)self)->model->nbody;
  PyObject* held_bodies = core_doubles(bodies, "bodies", core_shape1(count), 1, &body);
  PyObject* held_frames =
      held_bodies ? core_doubles(frames, "frames", core_shape3(count, 3, 3), 1, &frame) : NULL;
  HeftDelassusPoint* given = held_frames ? calloc((size_t)count + 1, sizeof *given) : NULL;
  int fits = given != NULL;
  for (int i = 0; fits && i < count; ++i) {
    fits = body[i] >= 0 && body[i] < nbody;
    if (!fits) {
      PyErr_Format(PyExc_ValueError, "bodies: expected indices from 0 to %d", nbody - 1);
      break;
    }
    given[i].body = (int)body[i];
    given[i].point = heft_vec3_from(point + (ptrdiff_t)3 * i);
    memcpy(given[i].frame.m, frame + (ptrdiff_t)9 * i, sizeof given[i].frame.m);
  }
  double* scratch =
      fits ? aligned(heft_dynamics_delassus_scratch(dynamics, (HeftDelassusMethod)method, count))
           : NULL;
  void* out = NULL;
  PyObject* array =
      scratch ? core_array(core_shape2((Py_ssize_t)3 * count, (Py_ssize_t)3 * count), "d", &out)
              : NULL;
  if (array) {
    heft_dynamics_delassus(dynamics, (HeftDelassusMethod)method, count, given, scratch, out);
    if (core_contract_broken()) Py_CLEAR(array);
  }
  free(scratch);
  free(given);
  Py_XDECREF(held_points);
  Py_XDECREF(held_bodies);
  Py_XDECREF(held_frames);
  return array;
}

static PyObject* tendon_path(PyObject* self, PyObject* given) {
  const HeftDynamics* dynamics = core_use(self);
  long long tendon;
  if (!dynamics || core_read_int(given, "tendon", 0, ((Object*)self)->model->ntendon - 1, &tendon))
    return NULL;
  HeftVec3 nothing[1][2];
  const int count = heft_dynamics_tendon_path(dynamics, (int)tendon, nothing, 0);
  void* data;
  PyObject* array = core_array(core_shape3(count, 2, 3), "d", &data);
  if (array && count) heft_dynamics_tendon_path(dynamics, (int)tendon, data, count);
  return array;
}

PyMethodDef core_dynamics_methods[] = {
    {"delassus", delassus, METH_VARARGS,
     "delassus(bodies, points, frames, method='ltl'): J M⁻¹ Jᵀ of points [1/kg]."},
    {"tendon_path", tendon_path, METH_O, "tendon_path(tendon): segments (n, 2, 3) [m]."},
    {NULL, NULL, 0, NULL}};

// ---- bipeds

static PyObject* stand(PyObject* self, PyObject* given) {
  HeftBiped* biped = core_use(self);
  if (!biped) return NULL;
  double* q;
  PyObject* posture = core_copy(given, "q", ((Object*)self)->model->nq, &q);
  if (!posture) return NULL;
  HeftBipedGoal goal = {0};
  heft_biped_stand(biped, q, &goal);
  PyObject* made = core_contract_broken() ? NULL : core_struct(STRUCT_BIPED_GOAL, &goal);
  if (made && core_struct_keep(made, "posture", posture)) Py_CLEAR(made);  // goal points to it
  Py_DECREF(posture);
  return made;
}

PyMethodDef core_biped_methods[] = {
    {"stand", stand, METH_O,
     "stand(q): a goal to stand at q. goal.posture is a copy of q, to be written."},
    {NULL, NULL, 0, NULL}};

static PyObject* biped_def(PyObject* module, PyObject* given) {
  (void)module;
  const HeftModel* model = core_use_as(given, core.model, "model");
  if (!model) return NULL;
  const HeftBipedDef def = heft_biped_def_default(model);
  return core_struct(STRUCT_BIPED_DEF, &def);
}

static PyObject* compliance_def(PyObject* module, PyObject* given) {
  (void)module;
  const HeftModel* model = core_use_as(given, core.model, "model");
  if (!model) return NULL;
  const HeftComplianceDef def = heft_compliance_def_default(model);
  return core_struct(STRUCT_COMPLIANCE_DEF, &def);
}

static PyObject* estimator_def(PyObject* module, PyObject* given) {
  (void)module;
  const HeftModel* model = core_use_as(given, core.model, "model");
  if (!model) return NULL;
  const HeftEstimatorDef def = heft_estimator_def_default(model);
  return core_struct(STRUCT_ESTIMATOR_DEF, &def);
}

// ---- splines

static int start_spline(PyObject* self, HeftStatus status, HeftSpline* spline,
                        const HeftError* error) {
  if (status == HEFT_OK) return core_start((Object*)self, CLASS_SPLINE, spline, NULL);
  core_fail(status, error);
  return -1;
}

int core_spline_init(PyObject* self, PyObject* args, PyObject* keywords) {
  static const char* const names[] = {"times", "values", NULL};
  PyObject *times, *values;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OO:Spline", core_keywords(names), &times,
                                   &values))
    return -1;
  const double *t, *x;
  PyObject* held_t = core_doubles(times, "times", core_shape1(-1), 1, &t);
  if (!held_t) return -1;
  const int count = (int)PyObject_Size(held_t);
  PyObject* held_x = core_doubles(values, "values", core_shape2(count, -1), 1, &x);
  int failed = -1;
  if (held_x) {
    Py_buffer buffer;
    if (!PyObject_GetBuffer(held_x, &buffer, PyBUF_C_CONTIGUOUS)) {
      HeftSpline* spline = NULL;
      HeftError error = {0};
      const HeftStatus status =
          heft_spline_create(&spline, count, (int)buffer.shape[1], t, x, NULL, &error);
      PyBuffer_Release(&buffer);
      failed = start_spline(self, status, spline, &error);
    }
  }
  Py_DECREF(held_t);
  Py_XDECREF(held_x);
  return failed;
}

static PyObject* spline_read(PyObject* module, PyObject* given) {
  (void)module;
  const char* text = NULL;
  if (core_read_text(given, "text", 0, &text)) return NULL;
  HeftSpline* spline = NULL;
  HeftError error = {0};
  const HeftStatus status = heft_spline_read(&spline, text, strlen(text), NULL, &error);
  return status == HEFT_OK ? core_new(CLASS_SPLINE, spline, NULL) : core_fail_load(status, &error);
}

// ---- tallies

// The model is optional: without it, places have numbers instead of names.
static const HeftModel* model_of(PyObject* given, bool* ok) {
  if (!given || given == Py_None) return NULL;
  const HeftModel* model = core_use_as(given, core.model, "model");
  *ok = model != NULL;
  return model;
}

static PyObject* tally_text(PyObject* module, PyObject* args) {
  (void)module;
  PyObject *given = NULL, *of = NULL;
  char text[2000];
  if (!PyArg_ParseTuple(args, "O|O:step_tally_text", &given, &of)) return NULL;
  bool ok = true;
  const HeftStepTally* tally = core_struct_data(given, STRUCT_STEP_TALLY, "tally");
  const HeftModel* model = model_of(of, &ok);
  if (!tally || !ok) return NULL;
  return PyUnicode_FromString(heft_step_tally_text(tally, model, text, sizeof text));
}

static PyObject* report_text(PyObject* module, PyObject* args) {
  (void)module;
  PyObject *given = NULL, *of = NULL;
  char text[400];
  if (!PyArg_ParseTuple(args, "O|O:step_report_text", &given, &of)) return NULL;
  bool ok = true;
  const HeftStepReport* report = core_struct_data(given, STRUCT_STEP_REPORT, "report");
  const HeftModel* model = model_of(of, &ok);
  if (!report || !ok) return NULL;
  return PyUnicode_FromString(heft_step_report_text(report, model, text, sizeof text));
}

PyMethodDef core_control_functions[] = {
    {"biped_def", biped_def, METH_O, "biped_def(model): the settings of a biped, by names."},
    {"compliance_def", compliance_def, METH_O, "compliance_def(model): settings of compliance."},
    {"estimator_def", estimator_def, METH_O, "estimator_def(model): sensors of an estimator."},
    {"spline_read", spline_read, METH_O, "spline_read(text): a spline, one point per line."},
    {"step_report_text", report_text, METH_VARARGS,
     "step_report_text(report, model=None): how a step ended, in words."},
    {"step_tally_text", tally_text, METH_VARARGS,
     "step_tally_text(tally, model=None): how the steps of a run ended, in words."},
    {NULL, NULL, 0, NULL}};
