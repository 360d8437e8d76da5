// SPDX-License-Identifier: Apache-2.0
// A clone: a second world of the same model that goes on with the same bits.
#include <string.h>

#include "base/error.h"
#include "world/world_internal.h"

static void* take_bytes(const HeftAllocator* a, size_t size, HeftError* error) {
  void* bytes = a->allocate(a->user, size, _Alignof(double));
  if (!bytes) heft_error_set(error, HEFT_ERR_MEMORY, "no memory for %zu bytes", size);
  return bytes;
}

static void copy_data(void** to, void* const* from, int count) {
  if (count > 0) memcpy(to, from, (size_t)count * sizeof(void*));
}

HeftStatus heft_world_clone(HeftWorld** out, const HeftWorld* w, HeftError* error) {
  HEFT_REQUIRE(out && w, HEFT_ERR_ARGUMENT);
  HeftWorldDef def = w->def;
  def.allocator = w->memory.outer;
  def.time_step = w->step_length;
  def.contact_model = heft_world_contact_model(w);
  def.contact_options = heft_world_contact_options(w);
  HeftStatus status = heft_world_create(out, w->parameters.source, &def, error);
  if (status != HEFT_OK) return status;
  status = heft_parameters_copy(&(*out)->parameters, &w->parameters, &(*out)->def.allocator, error);
  if (status == HEFT_OK) {
    heft_world_parameters_changed(*out);
    (*out)->control = w->control;
    (*out)->control_user = w->control_user;
    (*out)->input.filter = w->input.filter;
    (*out)->input.filter_user = w->input.filter_user;
    (*out)->input.detector = w->input.detector;
    (*out)->input.detector_user = w->input.detector_user;
    status = heft_world_set_contact_law(*out, w->input.law, w->input.law_user, error);
  }
  if (status == HEFT_OK) {
    heft_world_identify(*out);
    copy_data((*out)->body_data, w->body_data, w->model->nbody);
    copy_data((*out)->shape_data, w->shape_data, w->model->nshape);
    const size_t size = heft_world_snapshot_size(w);
    void* bytes = take_bytes(&def.allocator, size, error);
    if (bytes) heft_world_snapshot(w, bytes);
    status = bytes ? heft_world_restore(*out, bytes, size) : HEFT_ERR_MEMORY;
    if (bytes) def.allocator.release(def.allocator.user, bytes, size);
  }
  if (status == HEFT_OK) return HEFT_OK;
  heft_world_destroy(*out);
  *out = NULL;
  return status;
}
