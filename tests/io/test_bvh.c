// SPDX-License-Identifier: Apache-2.0
// BVH files with known answers: a chain of joints in other orders of rotation, bones, axes with z
// up; and files that are wrong, with their line.
#include "io/bvh.h"

#include <stdlib.h>
#include <string.h>

#include "support/check.h"

#define TREE                                                                       \
  "HIERARCHY\nROOT Hips\n{\n OFFSET 0 5 0\n CHANNELS 6 Xposition Yposition "       \
  "Zposition Zrotation Xrotation Yrotation\n JOINT LeftArm\n {\n  OFFSET 2 0 0\n " \
  " CHANNELS 3 Zrotation Yrotation Xrotation\n  End Site\n  {\n   OFFSET 3 0 0\n " \
  " }\n }\n}\n"
#define MOTION "MOTION\nFrames: 2\nFrame Time: 0.01\n"

static HeftStatus take(const char* text, HeftC3d* out, HeftError* error) {
  char* copy = malloc(strlen(text));  // a byte behind the end is found by the sanitizer
  memcpy(copy, text, strlen(text));
  const HeftStatus status =
      heft_bvh_read(out, copy, strlen(text), "x.bvh", heft_allocator_default(), error);
  free(copy);
  return status;
}

static const double* column(const HeftC3d* c, int row, const char* name) {
  for (int i = 0; i < c->points.columns; ++i)
    if (strcmp(c->points.name[i], name) == 0)
      return c->points.number + (long)row * c->points.columns + i;
  fail_msg("there is no column %s", name);
  return NULL;
}

static void check_point(const HeftC3d* c, int row, const char* name, double x, double y, double z) {
  const double expected[3] = {x, y, z};
  CHECK_AT_MOST(relative_error(column(c, row, name), expected, 3), 1e-12);
}

// The file's x is y here, its y is z, its z is x. In the second frame the root turns by 90 degrees
// about the vertical, and then the arm about the axis that was ahead of it.
static void test_points(void** state) {
  (void)state;
  HeftC3d c;
  HeftError error = {0};
  if (take(TREE MOTION "1 2 3  0 0 0  0 0 0\n1 2 3  0 0 90  90 0 0", &c, &error) != HEFT_OK)
    fail_msg("%d: %s", error.line, error.message);
  assert_int_equal(c.points.rows, 2);
  assert_int_equal(c.points.columns, 1 + 2 * 9);
  CHECK_AT_MOST(fabs(*column(&c, 1, "time") - 0.01), 1e-15);
  check_point(&c, 0, "Hips.x", 3, 1, 2);
  check_point(&c, 0, "LeftArm.x", 3, 3, 2);
  check_point(&c, 0, "LeftArm:bone.x", 3, 3.1, 2);
  check_point(&c, 0, "LeftArm:front.x", 3.1, 3, 2);
  check_point(&c, 1, "LeftArm.x", 1, 1, 2);
  check_point(&c, 1, "LeftArm:bone.x", 1, 1, 2.1);
  check_point(&c, 1, "LeftArm:front.x", 1, 1.1, 2);
  heft_c3d_release(&c);
}

static void test_wrong_files(void** state) {
  (void)state;
  static const struct {
    const char* text;
    int line;
    const char* message;
  } wrong[] = {{"", 1, "found '', expected HIERARCHY"},
               {"HIERARCHY\nROOT a\n{\nOFFSET 0 x 0", 4, "found 'x', expected a number"},
               {"HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 7", 5, "7 channels, expected 0 to 6"},
               {"HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 1 Wrotation", 5, "found 'Wrotation'"},
               {"HIERARCHY\nROOT a { OFFSET 0 0 0 CHANNELS 0 } MOTION Frames: 1\nFrame Time: 1", 3,
                "nothing moves"},
               {TREE "MOTION\nFrames: 1\nFrame Time: 0\n", 18, "frame time is 0 s"},
               {TREE "MOTION\nFrames: 1000\nFrame Time: 0.01\n0 0 0", 18, "was it cut?"},
               {TREE MOTION "1 2 3  0 0 0  0 0 0\n1 2 3  0 0 nan  90 0 0", 20, "found 'nan'"},
               {TREE MOTION "1 2 3  0 0 0  0 0 0\n1 2 3000000000  0 0 0", 20, "below 1e9"},
               {TREE "}", 16, "found '}', expected MOTION"}};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    HeftC3d c;
    HeftError error = {0};
    if (take(wrong[i].text, &c, &error) == HEFT_OK) fail_msg("file %d was taken", (int)i);
    if (error.line != wrong[i].line || !strstr(error.message, wrong[i].message) || c.memory)
      fail_msg("file %d: %s:%d: %s", (int)i, error.file, error.line, error.message);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_points),
                                     cmocka_unit_test(test_wrong_files)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
