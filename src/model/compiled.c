// SPDX-License-Identifier: Apache-2.0
// The compiled form: a header, the sizes, the physics, then every array of HEFT_MODEL_ARRAY_LIST
// back to back, all little-endian. The checksum covers everything after the header.
//
//   0  8 bytes  "HEFTMODL"
//   8  u32      version, raised whenever a list in model.h changes
//  12  u32      number of sizes, a second guard against other lists
//  16  u64      bytes after the header
//  24  u64      checksum of them
//
// Loading trusts nothing: the length must be the one that the sizes ask for, the checksum must
// hold, and the arrays go through the same validation as a built model.
#include <limits.h>
#include <string.h>

#include "base/allocator.h"
#include "base/assert.h"
#include "base/bytes.h"
#include "base/error.h"
#include "model/layout.h"
#include "model/tree.h"
#include "model/validate.h"

enum { VERSION = 11, HEADER_SIZE = 32, PHYSICS_SIZE = 9 };
static const char magic[8] = {'H', 'E', 'F', 'T', 'M', 'O', 'D', 'L'};

// How many sizes there are: an enumerator each, and one more.
#define SIZE_INDEX(name, meaning) SIZE_INDEX_##name,
enum { HEFT_MODEL_SIZE_LIST(SIZE_INDEX) SIZE_COUNT };
#undef SIZE_INDEX

enum { FIXED_SIZE = SIZE_COUNT * (int)sizeof(int) + (int)sizeof(HeftPhysics) };

// Bytes of the arrays, or -1 if the sizes are not sane.
static long long arrays_size(const HeftModel* m) {
  long long total = 0;
  if (m->nmoved < 0 || m->nmoved > INT_MAX / 7) return -1;  // a width is 7 nmoved
#define ADD(type, name, count, width, unit, meaning)                    \
  {                                                                     \
    const long long length = heft_model_array_length((count), (width)); \
    if (length < 0 || total > (1LL << 50)) return -1;                   \
    total += length * (long long)sizeof(type);                          \
  }
  HEFT_MODEL_ARRAY_LIST(ADD)
#undef ADD
  return total;
}

size_t heft_model_save_size(const HeftModel* model) {
  HEFT_REQUIRE(model, 0);
  return (size_t)HEADER_SIZE + FIXED_SIZE + (size_t)arrays_size(model);
}

_Static_assert(sizeof(HeftPhysics) == PHYSICS_SIZE * sizeof(double),
               "physics are stored as doubles");

void heft_model_save(const HeftModel* model, void* bytes) {
  HEFT_REQUIRE_VOID(model && bytes);
  const HeftModel* m = model;
  unsigned char* const start = (unsigned char*)bytes + HEADER_SIZE;
  unsigned char* cursor = start;
#define PUT_SIZE(name, meaning) cursor = bytes_put_array(cursor, &m->name, 1, sizeof m->name);
  HEFT_MODEL_SIZE_LIST(PUT_SIZE)
#undef PUT_SIZE
  cursor = bytes_put_array(cursor, &m->physics, PHYSICS_SIZE, sizeof(double));
#define PUT_ARRAY(type, name, count, width, unit, meaning)                                     \
  cursor = bytes_put_array(cursor, m->name, (size_t)heft_model_array_length((count), (width)), \
                           sizeof(type));
  HEFT_MODEL_ARRAY_LIST(PUT_ARRAY)
#undef PUT_ARRAY

  const uint64_t body = (uint64_t)(cursor - start);
  unsigned char* header = bytes_put_array((unsigned char*)bytes, magic, sizeof magic, 1);
  header = bytes_put(header, VERSION, 4);
  header = bytes_put(header, SIZE_COUNT, 4);
  header = bytes_put(header, body, 8);
  bytes_put(header, heft_hash(start, (size_t)body, VERSION), 8);
}

static HeftStatus check_header(const unsigned char* bytes, size_t size, HeftError* error) {
  if (size < (size_t)HEADER_SIZE + FIXED_SIZE || memcmp(bytes, magic, sizeof magic) != 0) {
    return heft_error_set(error, HEFT_ERR_SYNTAX, "this is not a compiled Heft model (%zu bytes)",
                          size);
  }
  uint32_t version[2];
  uint64_t check[2];
  bytes_get_array(bytes + 8, version, 2, 4);
  bytes_get_array(bytes + 16, check, 2, 8);
  if (version[0] != VERSION || version[1] != SIZE_COUNT) {
    return heft_error_set(error, HEFT_ERR_VERSION,
                          "compiled form %u.%u was found, this Heft reads %d.%d; compile the model "
                          "again from its source",
                          version[0], version[1], VERSION, SIZE_COUNT);
  }
  if (check[0] != size - HEADER_SIZE) {
    return heft_error_set(
        error, HEFT_ERR_SYNTAX,
        "the compiled model is cut or has bytes too many: %zu bytes after the header",
        size - HEADER_SIZE);
  }
  if (check[1] != heft_hash(bytes + HEADER_SIZE, size - HEADER_SIZE, VERSION)) {
    return heft_error_set(error, HEFT_ERR_CHECKSUM,
                          "the compiled model's checksum does not hold; copy or compile it again");
  }
  return HEFT_OK;
}

HeftStatus heft_model_load(HeftModel** out, const void* bytes, size_t size,
                           const HeftAllocator* allocator, HeftError* error) {
  return heft_model_load_within(out, bytes, size, allocator, heft_model_limits_default(), error);
}

HeftStatus heft_model_load_within(HeftModel** out, const void* bytes, size_t size,
                                  const HeftAllocator* allocator, HeftModelLimits limits,
                                  HeftError* error) {
  HEFT_REQUIRE(out, HEFT_ERR_ARGUMENT);
  *out = NULL;
  HEFT_REQUIRE(bytes || size == 0, HEFT_ERR_ARGUMENT);
  const HeftAllocator source = allocator_or_default(allocator);
  HeftStatus status = check_header(bytes, size, error);
  if (status != HEFT_OK) return status;

  HeftModel sizes = {0};
  const unsigned char* cursor = (const unsigned char*)bytes + HEADER_SIZE;
#define GET_SIZE(name, meaning) cursor = bytes_get_array(cursor, &sizes.name, 1, sizeof sizes.name);
  HEFT_MODEL_SIZE_LIST(GET_SIZE)
#undef GET_SIZE
  cursor = bytes_get_array(cursor, &sizes.physics, PHYSICS_SIZE, sizeof(double));
  const long long arrays = arrays_size(&sizes);
  if (arrays < 0 || (size_t)arrays != size - HEADER_SIZE - FIXED_SIZE) {
    return heft_error_set(error, HEFT_ERR_SYNTAX,
                          "the compiled model's sizes do not add up to its length");
  }

  HeftModel* m = NULL;
  status = heft_model_allocate(&m, &sizes, &source, error);
  if (status != HEFT_OK) return status;
#define GET_ARRAY(type, name, count, width, unit, meaning)                                     \
  cursor = bytes_get_array(cursor, m->name, (size_t)heft_model_array_length((count), (width)), \
                           sizeof(type));
  HEFT_MODEL_ARRAY_LIST(GET_ARRAY)
#undef GET_ARRAY
  status = heft_model_validate(m, error);
  if (status == HEFT_OK) status = heft_tree_create(&m->tree, m, limits, &source, error);
  if (status != HEFT_OK) {
    heft_model_destroy(m);
    return status;
  }
  *out = m;
  return HEFT_OK;
}
