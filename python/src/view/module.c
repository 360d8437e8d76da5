// SPDX-License-Identifier: Apache-2.0
// The extension module heft._view: pictures of a world as arrays, and a window for a loop in
// Python. Models and worlds come from heft._core as capsules; their Python objects are kept.
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <heft/view.h>
#include <stdlib.h>
#include <string.h>

enum { MARKS = 4096, CONTACTS = 4096, PIXELS_MAX = 16384 };

static PyObject* make_error;

static PyObject* fail(HeftStatus status, const HeftError* error) {
  PyObject* made = PyObject_CallFunction(make_error, "issii", (int)status, error->message,
                                         error->file, error->line, error->column);
  if (!made) return NULL;
  PyErr_SetObject((PyObject*)Py_TYPE(made), made);
  Py_DECREF(made);
  return NULL;
}

// ---- pictures

typedef struct Renderer {
  PyObject ob_base;
  PyObject* keep;  // the model
  const HeftModel* model;
  HeftHeadless* headless;
  HeftRenderer* renderer;
  HeftPose* poses;
  int* tint;
  HeftMarks marks;
  HeftContact* contacts;
} Renderer;

static void renderer_clear(Renderer* r) {
  heft_renderer_destroy(r->renderer);
  heft_headless_destroy(r->headless);
  free(r->poses);
  free(r->tint);
  free(r->marks.mark);
  free(r->contacts);
  r->renderer = NULL;
  r->headless = NULL;
  r->poses = NULL;
  r->tint = NULL;
  r->marks.mark = NULL;
  r->contacts = NULL;
  Py_CLEAR(r->keep);
}

static void renderer_dealloc(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  renderer_clear((Renderer*)self);
  ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
  Py_DECREF(type);
}

// Renderer(model capsule, model, folder of textures or None, samples)
static int renderer_init(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)keywords;
  Renderer* r = (Renderer*)self;
  PyObject *capsule, *keep;
  const char* folder;
  int samples;
  if (!PyArg_ParseTuple(args, "OOzi", &capsule, &keep, &folder, &samples)) return -1;
  const HeftModel* model = PyCapsule_GetPointer(capsule, "heft.Model");
  if (!model) return -1;
  renderer_clear(r);
  Py_INCREF(keep);
  r->keep = keep;
  r->model = model;
  r->poses = calloc((size_t)model->nbody + 1, sizeof *r->poses);
  r->tint = calloc((size_t)model->nbody + 1, sizeof *r->tint);
  r->marks = (HeftMarks){.mark = calloc(MARKS, sizeof(HeftMark)), .max = MARKS};
  r->contacts = calloc(CONTACTS, sizeof *r->contacts);
  if (!r->poses || !r->tint || !r->marks.mark || !r->contacts) {
    PyErr_NoMemory();
    return -1;
  }
  HeftError error = {0};
  HeftRendererDef def = heft_renderer_def_default();
  def.folder = folder;
  def.samples = samples;
  HeftStatus status = heft_headless_create(&r->headless, &error);
  if (status == HEFT_OK) status = heft_renderer_create(&r->renderer, model, &def, &error);
  if (status == HEFT_OK) return 0;
  renderer_clear(r);
  fail(status, &error);
  return -1;
}

static int choose_camera(Renderer* r, PyObject* camera, const HeftDynamics* dynamics, double aspect,
                         HeftCamera* out) {
  *out = heft_renderer_camera(r->renderer, r->poses, aspect);
  if (camera == Py_None) return 0;
  if (PyLong_Check(camera)) {
    const long index = PyLong_AsLong(camera);
    if (index < 0 || index >= r->model->ncamera) {
      PyErr_Format(PyExc_ValueError, "camera: expected a number from 0 to %d, got %ld",
                   r->model->ncamera - 1, index);
      return -1;
    }
    *out = heft_model_camera(r->model, (int)index, dynamics);
    return 0;
  }
  // azimuth, elevation [rad], distance, target x, y, z [m]; None: as it is
  double* place[] = {&out->azimuth,  &out->elevation, &out->distance,
                     &out->target.x, &out->target.y,  &out->target.z};
  for (Py_ssize_t i = 0; i < 6; ++i) {
    PyObject* value = PySequence_GetItem(camera, i);
    if (!value) return -1;
    if (value != Py_None) *place[i] = PyFloat_AsDouble(value);
    Py_DECREF(value);
    if (PyErr_Occurred()) return -1;
  }
  return 0;
}

// Reads the last picture into bytes (height, width, 3), or its depths into floats (height, width).
static void read_picture(HeftRenderer* renderer, void* pixels, int width, int height, int depth) {
  HeftImage image = {width, height, pixels};
  if (depth) {
    heft_renderer_read_depth(renderer, pixels);
  } else {
    heft_renderer_read(renderer, &image);
  }
}

// draw(world capsule, pixels, width, height, camera, show, dark, depth)
static PyObject* renderer_draw(PyObject* self, PyObject* args) {
  Renderer* r = (Renderer*)self;
  PyObject *capsule, *camera;
  Py_buffer pixels;
  int width, height, dark, depth;
  unsigned show;
  if (!PyArg_ParseTuple(args, "Ow*iiOIpp", &capsule, &pixels, &width, &height, &camera, &show,
                        &dark, &depth))
    return NULL;
  HeftWorld* world = PyCapsule_GetPointer(capsule, "heft.World");
  PyObject* result = NULL;
  if (world && r->renderer && width > 0 && height > 0 && width <= PIXELS_MAX &&
      height <= PIXELS_MAX && pixels.len == (Py_ssize_t)width * height * (depth ? 4 : 3) &&
      heft_world_model(world) == r->model) {
    const HeftDynamics* dynamics = heft_world_dynamics(world);
    for (int i = 0; i < r->model->nbody; ++i) r->poses[i] = heft_dynamics_body_pose(dynamics, i);
    HeftPicture picture = heft_picture_default();
    picture.poses = r->poses;
    picture.dark = dark;
    if (depth) picture.ground = 0;  // no grid that the model does not have
    if (!choose_camera(r, camera, dynamics, (double)width / height, &picture.camera)) {
      int count = heft_world_contacts(world, r->contacts, CONTACTS);
      if (count > CONTACTS) count = CONTACTS;
      const HeftState* state = heft_world_state(world);
      const HeftSnapshot snapshot = {
          state->q, state->v, r->contacts, count, picture.camera.distance / 3, NULL};
      heft_marks_clear(&r->marks);
      heft_picture_show(&picture, &r->marks, r->model, dynamics, &snapshot, show, r->tint);
      picture.marks = &r->marks;
      HeftError error = {0};
      const HeftStatus status = heft_renderer_draw(r->renderer, &picture, width, height, 0, &error);
      if (status == HEFT_OK) {
        read_picture(r->renderer, pixels.buf, width, height, depth);
        Py_INCREF(Py_None);
        result = Py_None;
      } else {
        fail(status, &error);
      }
    }
  } else if (!PyErr_Occurred()) {
    PyErr_SetString(PyExc_ValueError, "render: the world has another model, or the size is wrong");
  }
  PyBuffer_Release(&pixels);
  return result;
}

static PyMethodDef renderer_methods[] = {
    {"draw", renderer_draw, METH_VARARGS, "Draws a world into pixels."}, {NULL, NULL, 0, NULL}};

// ---- the window

typedef struct Viewer {
  PyObject ob_base;
  HeftViewer* viewer;
} Viewer;

static void viewer_dealloc(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  heft_viewer_destroy(((Viewer*)self)->viewer);
  ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
  Py_DECREF(type);
}

// Viewer(model capsule, title, width, height, show)
static int viewer_init(PyObject* self, PyObject* args, PyObject* keywords) {
  (void)keywords;
  Viewer* v = (Viewer*)self;
  PyObject* capsule;
  HeftViewerDef def = heft_viewer_def_default();
  if (!PyArg_ParseTuple(args, "OziiI", &capsule, &def.path, &def.width, &def.height, &def.show))
    return -1;
  const HeftModel* model = PyCapsule_GetPointer(capsule, "heft.Model");
  if (!model) return -1;
  heft_viewer_destroy(v->viewer);
  v->viewer = NULL;
  HeftError error = {0};
  const HeftStatus status = heft_viewer_create(&v->viewer, model, &def, &error);
  if (status == HEFT_OK) return 0;
  fail(status, &error);
  return -1;
}

// sync(world capsule) -> bool
static PyObject* viewer_sync(PyObject* self, PyObject* capsule) {
  Viewer* v = (Viewer*)self;
  HeftWorld* world = PyCapsule_GetPointer(capsule, "heft.World");
  if (!world) return NULL;
  return PyBool_FromLong(v->viewer && heft_viewer_sync(v->viewer, world, NULL));
}

// wait() -> bool
static PyObject* viewer_wait(PyObject* self, PyObject* unused) {
  (void)unused;
  Viewer* v = (Viewer*)self;
  bool open = false;
  if (!v->viewer) return PyBool_FromLong(0);
  Py_BEGIN_ALLOW_THREADS;
  open = heft_viewer_wait(v->viewer);
  Py_END_ALLOW_THREADS;
  return PyErr_CheckSignals() ? NULL : PyBool_FromLong(open);
}

static PyObject* viewer_close(PyObject* self, PyObject* unused) {
  (void)unused;
  HeftViewer* viewer = ((Viewer*)self)->viewer;
  ((Viewer*)self)->viewer = NULL;
  Py_BEGIN_ALLOW_THREADS;
  heft_viewer_destroy(viewer);
  Py_END_ALLOW_THREADS;
  Py_RETURN_NONE;
}

static PyMethodDef viewer_methods[] = {
    {"sync", viewer_sync, METH_O, "Shows a world; False once the window is closed."},
    {"wait", viewer_wait, METH_NOARGS, "Waits for real time; False once the window is closed."},
    {"close", viewer_close, METH_NOARGS, "Closes the window."},
    {NULL, NULL, 0, NULL}};

// ---- module

// marks() -> names of all marks that can be shown, in the order of their bits
static PyObject* marks(PyObject* module, PyObject* unused) {
  (void)module;
  (void)unused;
  PyObject* list = PyList_New(HEFT_SHOW_COUNT);
  for (int i = 0; list && i < HEFT_SHOW_COUNT; ++i)
    PyList_SetItem(list, i, PyUnicode_FromString(heft_show_name((HeftShowIndex)i)));
  return list;
}

// write_png(path, pixels, width, height)
static PyObject* write_png(PyObject* module, PyObject* args) {
  (void)module;
  const char* path;
  Py_buffer pixels;
  int width, height;
  if (!PyArg_ParseTuple(args, "sy*ii", &path, &pixels, &width, &height)) return NULL;
  PyObject* result = NULL;
  if (width > 0 && height > 0 && width <= PIXELS_MAX && height <= PIXELS_MAX &&
      pixels.len == (Py_ssize_t)width * height * 3) {
    const HeftImage image = {width, height, pixels.buf};
    HeftError error = {0};
    const HeftStatus status = heft_image_write_png(&image, path, &error);
    if (status == HEFT_OK) {
      Py_INCREF(Py_None);
      result = Py_None;
    } else {
      fail(status, &error);
    }
  } else {
    PyErr_SetString(PyExc_ValueError, "pixels: expected an array (height, width, 3) of uint8");
  }
  PyBuffer_Release(&pixels);
  return result;
}

static PyMethodDef functions[] = {
    {"marks", marks, METH_NOARGS, "Names of the marks."},
    {"write_png", write_png, METH_VARARGS, "write_png(path, pixels, width, height)."},
    {NULL, NULL, 0, NULL}};

static int add_type(PyObject* module, const char* name, PyType_Spec* spec) {
  PyObject* type = PyType_FromSpec(spec);
  const int failed = !type || PyModule_AddObjectRef(module, name, type);
  Py_XDECREF(type);
  return failed ? -1 : 0;
}

static int start(PyObject* module) {
  PyObject* errors = PyImport_ImportModule("heft._errors");
  make_error = errors ? PyObject_GetAttrString(errors, "make_error") : NULL;
  Py_XDECREF(errors);
  if (!make_error) return -1;
  PyType_Slot renderer_slots[] = {{Py_tp_init, (void*)renderer_init},
                                  {Py_tp_dealloc, (void*)renderer_dealloc},
                                  {Py_tp_methods, renderer_methods},
                                  {0, NULL}};
  PyType_Spec renderer_spec = {"heft._view.Renderer", sizeof(Renderer), 0, Py_TPFLAGS_DEFAULT,
                               renderer_slots};
  PyType_Slot viewer_slots[] = {{Py_tp_init, (void*)viewer_init},
                                {Py_tp_dealloc, (void*)viewer_dealloc},
                                {Py_tp_methods, viewer_methods},
                                {0, NULL}};
  PyType_Spec viewer_spec = {"heft._view.Viewer", sizeof(Viewer), 0, Py_TPFLAGS_DEFAULT,
                             viewer_slots};
  return add_type(module, "Renderer", &renderer_spec) || add_type(module, "Viewer", &viewer_spec);
}

static PyModuleDef_Slot slots[] = {{Py_mod_exec, (void*)start}, {0, NULL}};
static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT,
                                        "heft._view",
                                        "Pictures and a window.",
                                        0,
                                        functions,
                                        slots,
                                        NULL,
                                        NULL,
                                        NULL};

PyMODINIT_FUNC PyInit__view(void);  // NOLINT(readability-identifier-naming): Python asks for it
PyMODINIT_FUNC PyInit__view(void) { return PyModuleDef_Init(&definition); }
