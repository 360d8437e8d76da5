// SPDX-License-Identifier: Apache-2.0
// A window for a loop of the caller's. The window has a thread of its own, which draws the frames
// of a passive simulation; the caller's thread fills them.
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/resource.h>

#include "view/memory.h"
#include "view/viewer.h"

// If the loop and the window want the same core, the loop gets it.
enum { BEHIND_THE_LOOP = 10 };

struct HeftViewer {
  HeftAllocator allocator;
  HeftViewerDef def;
  HeftModel *model, *shown;  // for the simulation; for the window, which destroys it
  HeftSimulation* simulation;
  pthread_t thread;
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  int opened;  // protected by the mutex, like status and error
  HeftStatus status;
  HeftError error;
  atomic_int quit, closed;
};

// ---- the thread of the window

static void tell_opened(void* user, HeftStatus status) {
  HeftViewer* v = user;
  pthread_mutex_lock(&v->mutex);
  if (!v->opened) v->status = status;
  v->opened = 1;
  pthread_cond_broadcast(&v->changed);
  pthread_mutex_unlock(&v->mutex);
}

static int must_end(void* user) { return atomic_load(&((HeftViewer*)user)->quit); }

static void* show(void* user) {
  HeftViewer* v = user;
  const PassiveHooks hooks = {v->simulation, tell_opened, must_end, v};
  HeftError error = {0};
  setpriority(PRIO_PROCESS, 0, BEHIND_THE_LOOP);  // of this thread and of those that OpenGL starts
  const HeftStatus status = viewer_run(v->shown, &v->def, &hooks, &error);
  atomic_store(&v->closed, 1);
  if (status != HEFT_OK) {
    pthread_mutex_lock(&v->mutex);
    v->error = error;
    pthread_mutex_unlock(&v->mutex);
    tell_opened(v, status);
  }
  return NULL;
}

// ---- the thread of the caller

static HeftStatus copy_model(const HeftModel* model, const HeftAllocator* allocator,
                             HeftModel** out, HeftError* error) {
  const size_t size = heft_model_save_size(model);
  void* bytes = view_take(allocator, size);
  if (!bytes) return view_fail(error, HEFT_ERR_MEMORY, "no memory for a window");
  heft_model_save(model, bytes);
  const HeftStatus status = heft_model_load(out, bytes, size, allocator, error);
  view_give(allocator, bytes, size);
  return status;
}

static HeftStatus prepare(HeftViewer* v, const HeftModel* model, HeftError* error) {
  HeftSimulationDef def = heft_simulation_def_default();
  def.allocator = v->allocator;
  HeftStatus status = copy_model(model, &v->allocator, &v->model, error);
  if (status == HEFT_OK)
    status = heft_simulation_create_passive(&v->simulation, v->model, &def, error);
  if (status == HEFT_OK) status = copy_model(model, &v->allocator, &v->shown, error);
  return status;
}

static void release(HeftViewer* v) {
  const HeftAllocator allocator = v->allocator;
  heft_simulation_destroy(v->simulation);
  heft_model_destroy(v->model);
  view_give(&allocator, v, sizeof *v);
}

// Starts the thread and waits until the window is open.
static HeftStatus open_window(HeftViewer* v, HeftError* error) {
  if (pthread_mutex_init(&v->mutex, NULL) != 0)
    return view_fail(error, HEFT_ERR_MEMORY, "no memory for a window");
  if (pthread_cond_init(&v->changed, NULL) != 0) {
    pthread_mutex_destroy(&v->mutex);
    return view_fail(error, HEFT_ERR_MEMORY, "no memory for a window");
  }
  HeftStatus status = HEFT_ERR_MEMORY;
  if (pthread_create(&v->thread, NULL, show, v) == 0) {
    pthread_mutex_lock(&v->mutex);
    while (!v->opened) pthread_cond_wait(&v->changed, &v->mutex);
    v->shown = NULL;  // the thread has read it: it belongs to the window now
    status = v->status;
    if (status != HEFT_OK && error) *error = v->error;
    pthread_mutex_unlock(&v->mutex);
    if (status == HEFT_OK) return HEFT_OK;
    pthread_join(v->thread, NULL);
  } else {
    view_fail(error, HEFT_ERR_MEMORY, "the thread of a window cannot be started");
  }
  pthread_cond_destroy(&v->changed);
  pthread_mutex_destroy(&v->mutex);
  return status;
}

HeftStatus heft_viewer_create(HeftViewer** out, const HeftModel* model, const HeftViewerDef* def,
                              HeftError* error) {
  const HeftViewerDef usual = heft_viewer_def_default();
  if (!def) def = &usual;
  *out = NULL;
  HeftViewer* v = view_take(&def->allocator, sizeof *v);
  if (!v) return view_fail(error, HEFT_ERR_MEMORY, "no memory for a window");
  v->allocator = def->allocator;
  v->def = *def;
  v->def.plugins = NULL;
  v->def.connect_users = NULL;
  v->def.load = NULL;
  v->def.recorder.begin = NULL;
  HeftStatus status = prepare(v, model, error);
  if (status == HEFT_OK) status = open_window(v, error);
  if (status != HEFT_OK) {
    heft_model_destroy(v->shown);
    release(v);
    return status;
  }
  *out = v;
  return HEFT_OK;
}

bool heft_viewer_sync(HeftViewer* viewer, HeftWorld* world, const HeftStepReport* report) {
  if (atomic_load(&viewer->closed)) return false;
  heft_simulation_sync(viewer->simulation, world, report);
  return true;
}

bool heft_viewer_wait(HeftViewer* viewer) {
  static const double slice = 0.05;  // after which a closed window is noticed [s]
  while (!atomic_load(&viewer->closed))
    if (heft_simulation_wait(viewer->simulation, slice)) return true;
  return false;
}

void heft_viewer_destroy(HeftViewer* viewer) {
  if (!viewer) return;
  atomic_store(&viewer->quit, 1);
  pthread_join(viewer->thread, NULL);
  pthread_cond_destroy(&viewer->changed);
  pthread_mutex_destroy(&viewer->mutex);
  release(viewer);
}
