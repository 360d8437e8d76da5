// SPDX-License-Identifier: Apache-2.0
// Height fields from PNG images, made here byte by byte.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
// after the above
#include <heft/io.h>
#include <math.h>
#include <cmocka.h>

#include "io/png_bytes.h"

static HeftStatus give(void* user, const char* path, size_t limit, const HeftAllocator* allocator,
                       void** out, size_t* size, HeftError* error) {
  (void)path, (void)limit, (void)error;
  const Image* image = user;
  char* copy = allocator->allocate(allocator->user, image->size + 1, 64);
  memcpy(copy, image->bytes, image->size);
  copy[image->size] = '\0';
  *size = image->size;
  *out = copy;
  return HEFT_OK;
}

static HeftStatus load(Image* image, HeftModel** out, HeftError* error) {
  static const char text[] =
      "<mujoco><asset><hfield name='h' file='h.png' size='2 1 0.5 0.1'/></asset>"
      "<worldbody><geom type='hfield' hfield='h'/></worldbody></mujoco>";
  const HeftFiles files = {give, image};
  HeftLoadDef def = heft_load_def_default();
  def.files = &files;
  return heft_model_load_bytes(out, text, strlen(text), "x.xml", &def, error);
}

static void expect_heights(Image* image, int rows, int columns, const double* heights) {
  HeftModel* model = NULL;
  HeftError error = {0};
  if (load(image, &model, &error) != HEFT_OK) fail_msg("%s", error.message);
  assert_int_equal(model->height_field_rows[0], rows);
  assert_int_equal(model->height_field_columns[0], columns);
  for (int i = 0; i < rows * columns; ++i) {
    if (fabs(model->height[i] - heights[i]) > 1e-15)
      fail_msg("height %d is %.17g, expected %.17g", i, model->height[i], heights[i]);
  }
  heft_model_destroy(model);
}

static void test_grey_of_8_bits(void** state) {
  (void)state;
  Image image;
  const unsigned char pixels[6] = {0, 51, 102, 153, 204, 255};
  make_png(&image, 3, 2, 8, 0, pixels, 3);
  const double expected[6] = {0.3, 0.4, 0.5, 0, 0.1, 0.2};  // the lower row first
  expect_heights(&image, 2, 3, expected);
}

static void test_grey_of_16_bits(void** state) {
  (void)state;
  Image image;
  const unsigned char pixels[8] = {0, 0, 0, 1, 0, 2, 0, 4};
  make_png(&image, 2, 2, 16, 0, pixels, 4);
  const double expected[4] = {0.25, 0.5, 0, 0.125};  // all bits count
  expect_heights(&image, 2, 2, expected);
}

static void test_colours_are_their_red(void** state) {
  (void)state;
  Image image;
  const unsigned char pixels[16] = {0, 9, 9, 255, 100, 0, 0, 255, 200, 7, 7, 10, 50, 1, 2, 255};
  make_png(&image, 2, 2, 8, 6, pixels, 8);
  const double expected[4] = {0.5, 0.125, 0, 0.25};
  expect_heights(&image, 2, 2, expected);
}

static void expect_refused(Image* image, HeftStatus status, const char* text) {
  HeftModel* model = NULL;
  HeftError error = {0};
  const HeftStatus found = load(image, &model, &error);
  if (found != status || !strstr(error.message, text))
    fail_msg("%s: '%s'", heft_status_name(found), error.message);
  assert_null(model);
}

static void test_broken_images(void** state) {
  (void)state;
  Image image;
  const unsigned char pixels[6] = {0, 51, 102, 153, 204, 255};
  make_png(&image, 3, 2, 8, 0, pixels, 3);
  image.size -= 30;
  expect_refused(&image, HEFT_ERR_SYNTAX, "is a PNG image that cannot be read");
  make_png(&image, 3, 2, 8, 0, pixels, 3);
  image.bytes[20] ^= 1;  // its sizes, so that their checksum does not hold
  expect_refused(&image, HEFT_ERR_SYNTAX, "is a PNG image that cannot be read");
  make_png(&image, 1, 2, 8, 0, pixels, 1);
  expect_refused(&image, HEFT_ERR_VALUE, "has 1 x 2 pixels, expected at least 2 each");
  image.size = 0;
  put(&image, "no image", 8);
  expect_refused(&image, HEFT_ERR_UNSUPPORTED, "expected a PNG image or a binary height field");
}

// A small file that claims to be large must be refused before memory is taken for it.
static void test_large_image_is_refused(void** state) {
  (void)state;
  static const unsigned char signature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
  Image image = {.size = 0};
  put(&image, signature, 8);
  Image head = {.size = 0};
  put_u32(&head, 100000);
  put_u32(&head, 100000);
  const unsigned char rest[5] = {8, 0, 0, 0, 0};
  put(&head, rest, 5);
  put_chunk(&image, "IHDR", head.bytes, head.size);
  const unsigned char nothing[2] = {0x78, 1};
  put_chunk(&image, "IDAT", nothing, 2);
  put_chunk(&image, "IEND", NULL, 0);
  expect_refused(&image, HEFT_ERR_VALUE, "at most 16777216 in all");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_grey_of_8_bits),         cmocka_unit_test(test_grey_of_16_bits),
      cmocka_unit_test(test_colours_are_their_red),  cmocka_unit_test(test_broken_images),
      cmocka_unit_test(test_large_image_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
