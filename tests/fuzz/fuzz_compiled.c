// SPDX-License-Identifier: Apache-2.0
// Forged compiled models. The length and checksum always hold, or nothing would get past them; what
// is fuzzed is the validator and all that trusts it afterwards.
//
// The input's first byte chooses what the rest means:
//   even   a list of edits, seven bytes each, to the compiled form of a sound model (the next bits
//          choose which): place (2, little-endian, in words of four bytes), kind (1), value (4).
//          Such inputs stay meaningful when the layout of the compiled form changes.
//   odd    what follows the header, byte by byte.
// A model that is taken must be sound: it saves to the same bytes, and a world can use it.
#include <heft/model.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "model/validate.h"
#include "scenes/scenes.h"
#include "support/sample.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

enum { BASE_COUNT = 4, EDIT_SIZE = 7, MAX_EDITS = 64, MAX_BYTES = 1 << 16 };

typedef struct Bytes {
  unsigned char* at;
  size_t size, room;
} Bytes;

// What edits begin with: made once, kept until the end.
static Bytes base[BASE_COUNT];

static void keep(Bytes* out, HeftModel* model) {
  if (!model) abort();
  out->size = out->room = heft_model_save_size(model);
  out->at = malloc(out->size);
  if (!out->at) abort();
  heft_model_save(model, out->at);
  heft_model_destroy(model);
}

static void make_bases(void) {
  if (base[0].at) return;
  const RandomTreeDef tree = {.seed = 3, .bodies = 4, .passive = 1};
  keep(&base[0], sample_create(NULL, NULL));
  keep(&base[1], scene_create("pendulum", NULL));
  keep(&base[2], scene_create("top", NULL));
  keep(&base[3], scene_random_tree(&tree, NULL));
}

static void insert(Bytes* b, size_t at, size_t count) {
  if (count > b->room - b->size) return;
  memmove(b->at + at + count, b->at + at, b->size - at);
  memset(b->at + at, 0, count);
  b->size += count;
}

static void erase(Bytes* b, size_t at, size_t count) {
  if (count > b->size - at) return;
  memmove(b->at + at, b->at + at + count, b->size - at - count);
  b->size -= count;
}

static void edit(Bytes* b, size_t at, int kind, int32_t value) {
  static const double special[] = {0,    -0.0, 1,     -1,     0.5,   1e-9,   -1e-9, 1e9,
                                   -1e9, 1e-7, 1e-15, 1e-310, 1e300, 1e-160, 2,     3.14159};
  const size_t left = b->size - at;
  int32_t word = 0;
  if (left < 8) return;
  memcpy(&word, b->at + at, 4);
  const double number = kind == 4 ? value : kind == 5 ? value * 1e-3 : special[value & 15];
  switch (kind) {
    case 0:
      word = value;
      break;
    case 1:
      word = (int32_t)((uint32_t)word + (uint32_t)value);
      break;
    case 2:
      word ^= (int32_t)(1u << (value & 31));
      break;
    case 3:
      word = value % 64;
      break;
    case 4:
    case 5:
    case 6:
      memcpy(b->at + at, &number, 8);
      return;
    case 7:
      insert(b, at, (size_t)(value & 255));
      return;
    case 8:
      erase(b, at, (size_t)(value & 255));
      return;
    case 9: {  // a run of bytes from elsewhere
      const size_t from = COMPILED_HEADER_SIZE + (uint32_t)value / 16 % (b->size - 64) / 4 * 4;
      size_t count = 4 + 4 * (size_t)(value & 15);
      if (count > left) count = left;
      if (count > b->size - from) count = b->size - from;
      memmove(b->at + at, b->at + from, count);
      return;
    }
    default:
      return;
  }
  memcpy(b->at + at, &word, 4);
}

static void apply_edits(Bytes* b, const uint8_t* data, size_t size) {
  for (int i = 0; i < MAX_EDITS && size >= EDIT_SIZE; ++i, data += EDIT_SIZE, size -= EDIT_SIZE) {
    if (b->size < COMPILED_HEADER_SIZE + 128) return;
    const size_t words = (b->size - COMPILED_HEADER_SIZE) / 4;
    const size_t word = (size_t)(data[0] | data[1] << 8) % words;
    int32_t value;
    memcpy(&value, data + 3, 4);
    edit(b, COMPILED_HEADER_SIZE + 4 * word, data[2] % 10, value);
  }
}

static Bytes forge(const uint8_t* data, size_t size) {
  const Bytes* from = &base[data[0] / 2 % BASE_COUNT];
  const int raw = data[0] & 1;
  Bytes b = {.room = MAX_BYTES};
  b.at = malloc(MAX_BYTES);
  if (!b.at || from->size > MAX_BYTES) abort();
  memcpy(b.at, from->at, from->size);
  b.size = from->size;
  if (raw) {
    b.size = COMPILED_HEADER_SIZE + size - 1;
    memcpy(b.at + COMPILED_HEADER_SIZE, data + 1, size - 1);
  } else {
    apply_edits(&b, data + 1, size - 1);
  }
  return b;
}

static void check_sound(const HeftModel* model, const Bytes* b) {
  if (heft_model_validate(model, NULL) != HEFT_OK) abort();
  if (heft_model_save_size(model) != b->size) abort();
  unsigned char* again = malloc(b->size);
  if (!again) abort();
  heft_model_save(model, again);
  if (memcmp(again, b->at, b->size) != 0) abort();
  free(again);
  model_exercise(model, heft_model_hash(model) % 1024 == 0);  // fuzz_step is for worlds
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 1 || size > MAX_BYTES - COMPILED_HEADER_SIZE) return 0;
  make_bases();
  Bytes b = forge(data, size);
  compiled_seal(b.at, b.size);
  unsigned char* exact = malloc(b.size);  // so that reads beyond the end are seen
  if (!exact) abort();
  memcpy(exact, b.at, b.size);
  HeftModel* model = NULL;
  HeftError error = {0};
  const HeftStatus status = heft_model_load(&model, exact, b.size, NULL, &error);
  if ((status == HEFT_OK) != (model != NULL)) abort();
  if (status != HEFT_OK && !error.message[0]) abort();
  free(exact);
  if (model) check_sound(model, &b);
  heft_model_destroy(model);
  free(b.at);
  return 0;
}
