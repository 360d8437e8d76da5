// SPDX-License-Identifier: Apache-2.0
// Grey values of a PNG image: all bits of the file, the lowest row first.
#include <string.h>

#include "io/image.h"
#include "io/png_bytes.h"
#include "io/reader.h"

static void rows_are_turned_over(void** state) {
  (void)state;
  static const unsigned char pixels[6] = {10, 20, 30, 40, 50, 60};
  static const double expected[6] = {40, 50, 60, 10, 20, 30};
  Image image;
  Reader r;
  int rows = 0, columns = 0;
  make_png(&image, 3, 2, 8, 0, pixels, 3);
  reader_open_bytes(&r, "h.png", image.bytes, image.size);
  assert_true(image_is_png(&r.file));
  const double* h = image_read_heights(&r.load, reader_place(&r), &r.file, &rows, &columns);
  assert_non_null(h);
  assert_int_equal(rows, 2);
  assert_int_equal(columns, 3);
  assert_memory_equal(h, expected, sizeof expected);
  reader_close(&r);
}

static void sixteen_bits_and_red_count(void** state) {
  (void)state;
  static const unsigned char wide[8] = {0, 1, 0xff, 0xff, 0, 2, 0x12, 0x34};
  static const unsigned char red[12] = {7, 0, 0, 8, 9, 9, 1, 2, 3, 4, 5, 6};
  Image image;
  Reader r;
  int rows, columns;
  make_png(&image, 2, 2, 16, 0, wide, 4);
  reader_open_bytes(&r, "h.png", image.bytes, image.size);
  const double* h = image_read_heights(&r.load, reader_place(&r), &r.file, &rows, &columns);
  assert_non_null(h);
  assert_true(h[0] == 2 && h[1] == 0x1234 && h[2] == 1 && h[3] == 65535);
  reader_close(&r);
  make_png(&image, 2, 2, 8, 2, red, 6);
  reader_open_bytes(&r, "h.png", image.bytes, image.size);
  h = image_read_heights(&r.load, reader_place(&r), &r.file, &rows, &columns);
  assert_non_null(h);
  assert_true(h[0] == 1 && h[1] == 4 && h[2] == 7 && h[3] == 8);
  reader_close(&r);
}

static void broken_images_are_refused(void** state) {
  (void)state;
  static const unsigned char pixels[4] = {1, 2, 3, 4};
  Image image;
  Reader r;
  int rows, columns;
  make_png(&image, 2, 2, 8, 0, pixels, 2);
  image.bytes[50] ^= 0xff;
  reader_open_bytes(&r, "h.png", image.bytes, image.size);
  assert_null(image_read_heights(&r.load, reader_place(&r), &r.file, &rows, &columns));
  reader_expect_mistake(&r, HEFT_ERR_SYNTAX, "'h.png' is a PNG image that cannot be read");
  reader_close(&r);
  make_png(&image, 1, 4, 8, 0, pixels, 1);
  reader_open_bytes(&r, "h.png", image.bytes, image.size);
  assert_null(image_read_heights(&r.load, reader_place(&r), &r.file, &rows, &columns));
  reader_expect_mistake(&r, HEFT_ERR_VALUE, "1 x 4 pixels");
  reader_close(&r);
  image.bytes[0] = 'x';
  reader_open_bytes(&r, "h.png", image.bytes, image.size);
  assert_false(image_is_png(&r.file));
  reader_close(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rows_are_turned_over),
      cmocka_unit_test(sixteen_bits_and_red_count),
      cmocka_unit_test(broken_images_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
