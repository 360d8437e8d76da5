// SPDX-License-Identifier: Apache-2.0
// Memory of a model: sizes in, one block with all arrays out.
#include "model/layout.h"

#include "base/arena.h"
#include "base/assert.h"
#include "base/error.h"
#include "base/hash.h"
#include "model/tree.h"

long long heft_model_array_length(int count, int width) {
  if (count < 0 || width < 0) return -1;
  const long long length = (long long)count * width;
  return length > (1LL << 40) ? -1 : length;
}

// Walks the list of arrays over an arena; a measuring arena yields only the size.
static int place_arrays(HeftModel* m, Arena* arena) {
#define PLACE(type, name, count, width, unit, meaning)                  \
  {                                                                     \
    const long long length = heft_model_array_length((count), (width)); \
    if (length < 0) return 0;                                           \
    m->name = arena_take(arena, length, type);                          \
  }
  HEFT_MODEL_ARRAY_LIST(PLACE)
#undef PLACE
  return !arena->overflow;
}

HeftStatus heft_model_allocate(HeftModel** out, const HeftModel* sizes,
                               const HeftAllocator* allocator, HeftError* error) {
  *out = NULL;
  HeftModel measured = *sizes;
  Arena measure = arena_measure();
  if (!place_arrays(&measured, &measure)) {
    return heft_error_set(error, HEFT_ERR_LIMIT,
                          "the model's sizes are negative or too large to address");
  }
  HeftModel* model = allocator->allocate(allocator->user, sizeof *model, ARENA_ALIGNMENT);
  void* memory = model ? allocator->allocate(allocator->user, measure.used, ARENA_ALIGNMENT) : NULL;
  if (!memory) {
    if (model) allocator->release(allocator->user, model, sizeof *model);
    return heft_error_set(error, HEFT_ERR_MEMORY, "no memory for a model of %zu bytes",
                          measure.used);
  }
  *model = *sizes;
  Arena arena = arena_make(memory, measure.used, NULL);
  place_arrays(model, &arena);
  HEFT_ASSERT(arena.used <= measure.used);
  model->tree = NULL;
  model->allocator = *allocator;
  model->memory = memory;
  model->memory_size = measure.used;
  *out = model;
  return HEFT_OK;
}

void heft_model_destroy(HeftModel* model) {
  if (!model) return;
  const HeftAllocator allocator = model->allocator;
  heft_tree_destroy(model->tree, &allocator);
  allocator.release(allocator.user, model->memory, model->memory_size);
  allocator.release(allocator.user, model, sizeof *model);
}

uint64_t heft_model_hash(const HeftModel* model) {
  HEFT_REQUIRE(model, 0);
  const HeftModel* m = model;
  uint64_t hash = 0;
#define HASH_SIZE(name, meaning) hash = hash_array(&m->name, 1, sizeof m->name, hash);
  HEFT_MODEL_SIZE_LIST(HASH_SIZE)
#undef HASH_SIZE
#define HASH_ARRAY(type, name, count, width, unit, meaning) \
  hash = hash_array(m->name, (size_t)heft_model_array_length((count), (width)), sizeof(type), hash);
  HEFT_MODEL_ARRAY_LIST(HASH_ARRAY)
#undef HASH_ARRAY
  return hash_array(&m->physics, sizeof m->physics / sizeof(double), sizeof(double), hash);
}

double heft_model_mass(const HeftModel* model) {
  HEFT_REQUIRE(model, 0);
  double mass = 0;
  for (int b = 1; b < model->nbody; ++b) mass += model->body_mass[b];
  return mass;
}
