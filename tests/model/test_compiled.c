// SPDX-License-Identifier: Apache-2.0
// The compiled form: what is saved is what is loaded; whatever was cut, flipped or forged is
// refused with a reason, or else is a sound model again. Run it with sanitizers to see the point.
#include <heft/model.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "model/validate.h"
#include "scenes/random.h"
#include "scenes/scenes.h"
#include "support/check.h"
#include "support/sample.h"

static HeftModel* m;
static unsigned char* saved;  // its compiled form
static size_t size;

static int save(HeftModel* model) {
  m = model;
  if (!m) return -1;
  size = heft_model_save_size(m);
  saved = malloc(size);
  if (!saved) return -1;
  heft_model_save(m, saved);
  return 0;
}

static int make(void** state) {
  (void)state;
  return save(sample_create(NULL, NULL));
}

// For tests that go through all bits.
static int make_small(void** state) {
  (void)state;
  return save(scene_create("pendulum", NULL));
}

static int destroy(void** state) {
  (void)state;
  free(saved);
  heft_model_destroy(m);
  return 0;
}

static HeftStatus load(const void* bytes, size_t count, HeftError* error) {
  HeftModel* loaded = (HeftModel*)saved;  // anything but NULL
  const HeftStatus status = heft_model_load(&loaded, bytes, count, NULL, error);
  assert_true((status == HEFT_OK) == (loaded != NULL));
  if (status != HEFT_OK && error) assert_true(strlen(error->message) > 10);
  heft_model_destroy(loaded);
  return status;
}

static void refuse(const void* bytes, size_t count, HeftStatus status, const char* words) {
  HeftError error = {0};
  assert_int_equal(load(bytes, count, &error), status);
  assert_int_equal(error.status, status);
  if (!strstr(error.message, words)) fail_msg("'%s' lacks '%s'", error.message, words);
  assert_int_equal(load(bytes, count, NULL), status);
}

// ---- there and back

static void check_round_trip(const HeftModel* model) {
  const size_t count = heft_model_save_size(model);
  unsigned char *bytes = malloc(count), *again = malloc(count);
  HeftModel* loaded = NULL;
  HeftError error = {0};
  heft_model_save(model, bytes);
  if (heft_model_load(&loaded, bytes, count, NULL, &error) != HEFT_OK)
    fail_msg("%s", error.message);
  assert_true(heft_model_hash(loaded) == heft_model_hash(model));
  assert_int_equal(heft_model_save_size(loaded), count);
  heft_model_save(loaded, again);
  assert_memory_equal(bytes, again, count);
#define SAME_SIZE(name, meaning) assert_int_equal(loaded->name, model->name);
  HEFT_MODEL_SIZE_LIST(SAME_SIZE)
#undef SAME_SIZE
  heft_model_destroy(loaded);
  free(bytes);
  free(again);
}

static void test_there_and_back(void** state) {
  (void)state;
  check_round_trip(m);
  for (int i = 0; i < scene_count(); ++i) {
    HeftModel* scene = scene_create(scene_name(i), NULL);
    assert_non_null(scene);
    check_round_trip(scene);
    heft_model_destroy(scene);
  }
  for (int i = 0; i < 20; ++i) {
    const RandomTreeDef def = {.seed = (uint64_t)i, .bodies = 1 + 2 * i, .passive = 1};
    HeftModel* tree = scene_random_tree(&def, NULL);
    assert_non_null(tree);
    check_round_trip(tree);
    heft_model_destroy(tree);
  }
}

static void test_any_address_will_do(void** state) {
  (void)state;
  unsigned char* moved = malloc(size + 8);
  for (size_t shift = 0; shift < 8; ++shift) {
    memset(moved, 0xEE, size + 8);
    memcpy(moved + shift, saved, size);
    assert_int_equal(load(moved + shift, size, NULL), HEFT_OK);
    memset(moved, 0xEE, size + 8);
    heft_model_save(m, moved + shift);
    assert_memory_equal(moved + shift, saved, size);
    for (size_t i = 0; i < size + 8; ++i)
      assert_true((i >= shift && i < shift + size) || moved[i] == 0xEE);
  }
  free(moved);
}

static void test_a_loaded_model_needs_its_bytes_no_more(void** state) {
  (void)state;
  HeftModel* loaded = NULL;
  unsigned char* bytes = malloc(size);
  memcpy(bytes, saved, size);
  assert_int_equal(heft_model_load(&loaded, bytes, size, NULL, NULL), HEFT_OK);
  memset(bytes, 0xFF, size);
  free(bytes);
  assert_true(heft_model_hash(loaded) == heft_model_hash(m));
  model_exercise(loaded, 1);
  heft_model_destroy(loaded);
}

// ---- the hash of a model

static void test_the_hash_sees_every_number(void** state) {
  (void)state;
  const uint64_t before = heft_model_hash(m);
#define TRY(type, name, count, width, unit, meaning)                            \
  for (long i = 0; i < (long)(count) * (width); ++i) {                          \
    unsigned char* byte = (unsigned char*)&m->name[i];                          \
    *byte ^= 1;                                                                 \
    if (heft_model_hash(m) == before) fail_msg(#name "[%ld] is not hashed", i); \
    *byte ^= 1;                                                                 \
  }
  HEFT_MODEL_ARRAY_LIST(TRY)
#undef TRY
  for (size_t i = 0; i < sizeof m->physics; ++i) {
    ((unsigned char*)&m->physics)[i] ^= 1;
    assert_true(heft_model_hash(m) != before);
    ((unsigned char*)&m->physics)[i] ^= 1;
  }
  assert_true(heft_model_hash(m) == before);
}

// ---- damage

static void test_every_length_but_the_right_one_is_refused(void** state) {
  (void)state;
  const size_t by = getenv("HEFT_SHORT") ? 17 : 1;  // 17 has no factor in common with alignments
  for (size_t count = 0; count < size; count += by) {
    unsigned char* part = malloc(count > 0 ? count : 1);  // its end is guarded by sanitizers
    memcpy(part, saved, count);
    assert_true(load(part, count, NULL) == HEFT_ERR_SYNTAX);
    if (count >= COMPILED_HEADER_SIZE) {  // even if the header agrees with the length
      compiled_seal(part, count);
      assert_true(load(part, count, NULL) == HEFT_ERR_SYNTAX);
    }
    free(part);
  }
  unsigned char* longer = calloc(1, size + 16);
  memcpy(longer, saved, size);
  for (size_t extra = 1; extra <= 16; ++extra) {
    refuse(longer, size + extra, HEFT_ERR_SYNTAX, "bytes too many");
    compiled_seal(longer, size + extra);
    refuse(longer, size + extra, HEFT_ERR_SYNTAX, "do not add up");
    memcpy(longer, saved, size);
  }
  free(longer);
  refuse(NULL, 0, HEFT_ERR_SYNTAX, "not a compiled Heft model");
}

// HEFT_SHORT=1 flips one bit in each 23, another one in each byte.
static void test_every_flipped_bit_is_refused(void** state) {
  (void)state;
  for (size_t bit = 0; bit < 8 * size; bit += getenv("HEFT_SHORT") ? 23 : 1) {
    saved[bit / 8] ^= (unsigned char)(1u << bit % 8);
    if (load(saved, size, NULL) == HEFT_OK) fail_msg("bit %zu was flipped unseen", bit);
    saved[bit / 8] ^= (unsigned char)(1u << bit % 8);
  }
  assert_int_equal(load(saved, size, NULL), HEFT_OK);
}

static void test_reasons(void** state) {
  (void)state;
  saved[0] ^= 1;
  refuse(saved, size, HEFT_ERR_SYNTAX, "not a compiled Heft model");
  saved[0] ^= 1;
  saved[COMPILED_VERSION_AT] ^= 64;
  refuse(saved, size, HEFT_ERR_VERSION, "compile the model again");
  saved[COMPILED_VERSION_AT] ^= 64;
  saved[COMPILED_VERSION_AT + 4] ^= 64;
  refuse(saved, size, HEFT_ERR_VERSION, "compile the model again");
  saved[COMPILED_VERSION_AT + 4] ^= 64;
  saved[COMPILED_LENGTH_AT] ^= 1;
  refuse(saved, size, HEFT_ERR_SYNTAX, "cut or has bytes too many");
  saved[COMPILED_LENGTH_AT] ^= 1;
  saved[COMPILED_CHECKSUM_AT] ^= 1;
  refuse(saved, size, HEFT_ERR_CHECKSUM, "checksum does not hold");
  saved[COMPILED_CHECKSUM_AT] ^= 1;
  saved[size - 2] ^= 1;
  refuse(saved, size, HEFT_ERR_CHECKSUM, "checksum does not hold");
  compiled_seal(saved, size);
  assert_int_equal(load(saved, size, NULL), HEFT_OK);  // a letter of the last name
  saved[size - 2] ^= 1;
}

// ---- forgery: the checksum holds

static long taken, turned_down;

// Refused, or a sound model that saves to the same bytes and can be used.
static void check_forged(unsigned char* bytes, int use) {
  HeftModel* loaded = NULL;
  HeftError error = {0};
  compiled_seal(bytes, size);
  const HeftStatus status = heft_model_load(&loaded, bytes, size, NULL, &error);
  if (status != HEFT_OK) {
    assert_null(loaded);
    assert_true(error.message[0] != '\0');
    turned_down++;
    return;
  }
  taken++;
  assert_int_equal(heft_model_validate(loaded, NULL), HEFT_OK);
  unsigned char* again = malloc(size);
  assert_int_equal(heft_model_save_size(loaded), size);
  heft_model_save(loaded, again);
  assert_memory_equal(again, bytes, size);
  free(again);
  if (use) model_exercise(loaded, 1);
  heft_model_destroy(loaded);
}

static void forge(unsigned char* bytes, size_t at, const void* value, size_t count, int use) {
  if (count > size - at) count = size - at;
  unsigned char before[8];
  memcpy(before, bytes + at, count);
  memcpy(bytes + at, value, count);
  check_forged(bytes, use);
  memcpy(bytes + at, before, count);
}

// Every number in turn takes every kind of wrong value. Whether an int or a double lies at a place
// is not asked: both are tried everywhere.
static void test_forged_numbers(void** state) {
  (void)state;
  taken = turned_down = 0;
  const size_t by = getenv("HEFT_SHORT") ? 20 : 4;
  for (size_t at = COMPILED_HEADER_SIZE; at < size; at += by) {
    int32_t old = 0;
    memcpy(&old, saved + at, size - at < 4 ? size - at : 4);
    const int32_t ints[] = {
        INT_MIN, -1, 0, INT_MAX, (int32_t)((uint32_t)old + 1), (int32_t)((uint32_t)old - 1)};
    const double doubles[] = {NAN, 0, -1, 1e-310, 1e9};
    for (size_t i = 0; i < sizeof ints / sizeof *ints; ++i)
      forge(saved, at, &ints[i], 4, i % 3 == 2);
    for (size_t i = 0; i < sizeof doubles / sizeof *doubles; ++i)
      forge(saved, at, &doubles[i], 8, i == 3);
  }
  assert_true(taken > 1000 && turned_down > 1000);
}

// Several at a time, at random: small changes of counts and indices that might agree by chance.
static void test_forged_at_random(void** state) {
  (void)state;
  Random r = {42};
  unsigned char* bytes = malloc(size);
  taken = turned_down = 0;
  for (int round = 0; round < 4000; ++round) {
    memcpy(bytes, saved, size);
    for (int edits = 1 + random_index(&r, 4); edits > 0; --edits) {
      const size_t words = (size - COMPILED_HEADER_SIZE) / 4;
      const size_t word = random_index(&r, 2) ? random_bits(&r) % words : random_bits(&r) % 60;
      const size_t at = COMPILED_HEADER_SIZE + 4 * word;
      int32_t value;
      memcpy(&value, bytes + at, 4);
      switch (random_index(&r, 4)) {
        case 0:
          value = (int32_t)random_bits(&r);
          break;
        case 1:
          value = random_index(&r, 64) - 8;
          break;
        case 2:
          value ^= (int32_t)(1u << random_index(&r, 32));
          break;
        default:
          value = (int32_t)((uint32_t)value + (uint32_t)random_index(&r, 5) - 2u);
      }
      memcpy(bytes + at, &value, 4);
    }
    check_forged(bytes, 1);
  }
  free(bytes);
  assert_true(taken > 100 && turned_down > 100);
}

static void test_noise_is_refused(void** state) {
  (void)state;
  Random r = {43};
  unsigned char noise[600];
  for (int round = 0; round < 2000; ++round) {
    for (size_t i = 0; i < sizeof noise; ++i) noise[i] = (unsigned char)random_bits(&r);
    const size_t count = random_bits(&r) % (sizeof noise + 1);
    if (round % 2 && count >= COMPILED_HEADER_SIZE) {
      memcpy(noise, saved, 16);  // the right beginning, length and checksum
      compiled_seal(noise, count);
    }
    assert_true(load(noise, count, NULL) != HEFT_OK);
  }
}

#define ON_SAVED(test) cmocka_unit_test_setup_teardown(test, make, destroy)
#define ON_SMALL(test) cmocka_unit_test_setup_teardown(test, make_small, destroy)

int main(void) {
  const struct CMUnitTest tests[] = {
      ON_SAVED(test_there_and_back),
      ON_SAVED(test_any_address_will_do),
      ON_SAVED(test_a_loaded_model_needs_its_bytes_no_more),
      ON_SAVED(test_the_hash_sees_every_number),
      ON_SMALL(test_every_length_but_the_right_one_is_refused),
      ON_SMALL(test_every_flipped_bit_is_refused),
      ON_SAVED(test_reasons),
      ON_SAVED(test_forged_numbers),
      ON_SAVED(test_forged_at_random),
      ON_SAVED(test_noise_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
