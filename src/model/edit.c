// SPDX-License-Identifier: Apache-2.0
// Changed models. A model is constant; a change makes another one through a builder, which checks
// and derives everything again.
#include <heft/builder.h>
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/error.h"

HeftStatus heft_builder_from_model(HeftBuilder** out, const HeftModel* m, const HeftPartDef* def,
                                   const HeftAllocator* allocator, HeftError* error) {
  HEFT_REQUIRE(out, heft_error_set(error, HEFT_ERR_ARGUMENT, "out must not be NULL"));
  *out = NULL;
  HEFT_REQUIRE(m, heft_error_set(error, HEFT_ERR_ARGUMENT, "model must not be NULL"));
  HeftStatus status = heft_builder_create(out, allocator, error);
  if (status != HEFT_OK) return status;
  heft_builder_set_physics(*out, m->physics);
  heft_builder_set_contact_model(*out, m->names + m->contact_model[0]);
  heft_builder_add_model(*out, m, def);
  status = heft_builder_status(*out, error);
  if (status == HEFT_OK) return status;
  heft_builder_destroy(*out);
  *out = NULL;
  return status;
}

HeftStatus heft_model_attach(HeftModel** out, const HeftModel* m, const HeftModel* part,
                             const HeftPartDef* def, HeftError* error) {
  HEFT_REQUIRE(out, heft_error_set(error, HEFT_ERR_ARGUMENT, "out must not be NULL"));
  *out = NULL;
  HEFT_REQUIRE(m && part, heft_error_set(error, HEFT_ERR_ARGUMENT, "an argument is NULL"));
  HeftBuilder* b = NULL;
  HeftStatus status = heft_builder_from_model(&b, m, NULL, &m->allocator, error);
  if (status != HEFT_OK) return status;
  heft_builder_add_model(b, part, def);
  status = heft_builder_finish(b, out, error);
  heft_builder_destroy(b);
  return status;
}

// A model with memory of its own.
static HeftStatus copy_model(HeftModel** out, const HeftModel* m, HeftError* error) {
  const HeftAllocator* a = &m->allocator;
  const size_t size = heft_model_save_size(m);
  void* bytes = a->allocate(a->user, size, 64);
  if (!bytes) return heft_error_set(error, HEFT_ERR_MEMORY, "no memory to change a model");
  heft_model_save(m, bytes);
  const HeftStatus status = heft_model_load(out, bytes, size, a, error);
  a->release(a->user, bytes, size);
  return status;
}

// The array of real numbers of that name; its row must exist and have `count` numbers.
static HeftStatus find_row(const HeftModel* m, const char* name, int row, int count,
                           const double* values, HeftModelArray* out, HeftError* error) {
  const int index = heft_model_array_find(name);
  if (index < 0) return heft_error_set(error, HEFT_ERR_NAME, "a model has no array '%.60s'", name);
  heft_model_array(m, index, out);
  if (out->type != HEFT_VALUE_DOUBLE)
    return heft_error_set(error, HEFT_ERR_ARGUMENT,
                          "'%s' holds no real numbers; such arrays follow from the objects", name);
  if (row < 0 || row >= out->rows)
    return heft_error_set(error, HEFT_ERR_ARGUMENT, "'%s' has %d rows, and %d was asked for", name,
                          out->rows, row);
  if (row == 0 && strncmp(name, "material_", 9) == 0)
    return heft_error_set(
        error, HEFT_ERR_ARGUMENT,
        "material 0 is the default material of every model; give the shape another");
  if (count != out->columns)
    return heft_error_set(error, HEFT_ERR_ARGUMENT, "a row of '%s' has %d numbers, %d were given",
                          name, out->columns, count);
  for (int i = 0; i < count; ++i) {
    if (isnan(values[i]))
      return heft_error_set(error, HEFT_ERR_ARGUMENT, "'%s': a number is not a number", name);
  }
  return HEFT_OK;
}

HeftStatus heft_model_replace(HeftModel** out, const HeftModel* m, const char* array, int row,
                              int count, const double* values, HeftError* error) {
  HEFT_REQUIRE(out, heft_error_set(error, HEFT_ERR_ARGUMENT, "out must not be NULL"));
  *out = NULL;
  HEFT_REQUIRE(m && array && values,
               heft_error_set(error, HEFT_ERR_ARGUMENT, "an argument is NULL"));
  HeftModel* copy = NULL;
  HeftBuilder* b = NULL;
  HeftModelArray to;
  HeftStatus status = find_row(m, array, row, count, values, &to, error);
  if (status == HEFT_OK) status = copy_model(&copy, m, error);
  if (status == HEFT_OK) status = find_row(copy, array, row, count, values, &to, error);
  if (status == HEFT_OK) {
    double* numbers = (double*)(uintptr_t)to.data;  // of the copy
    memcpy(numbers + (long)row * count, values, (size_t)count * sizeof(double));
    status = heft_builder_from_model(&b, copy, NULL, &m->allocator, error);
  }
  if (status == HEFT_OK) status = heft_builder_finish(b, out, error);
  heft_builder_destroy(b);
  heft_model_destroy(copy);
  return status;
}
