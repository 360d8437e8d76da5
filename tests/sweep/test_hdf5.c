// SPDX-License-Identifier: Apache-2.0
// Files of results as libhdf5 sees them: numbers, shapes, types, attributes, and virtual datasets
// with a part that is missing.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/check.h"
#include "sweep/hdf5.h"

#ifdef HEFT_HAVE_HDF5
#include <hdf5.h>

enum { COLUMNS = 5, PART = 4, ROWS = 10 };
static const Hdf5Column columns[COLUMNS] = {
    {"inputs", "friction", "", "a coefficient", HDF5_DOUBLE, 1},
    {"inputs", "mass", "kg", "", HDF5_DOUBLE, 1},
    {"results", "status", "", "", HDF5_INT64, 1},
    {"results", "q", "m, rad", "final coordinates", HDF5_DOUBLE, 3},
    {"results", "hash", "", "", HDF5_UINT64, 1}};
static const Hdf5Attribute attributes[] = {{"heft_version", "0.1.0"}, {"plan_sha256", "abc"}};

static double number_of(int column, int64_t row, int k) {
  return column == 2 ? (double)(-row) : (column == 4 ? (double)row : 100. * column + row + k / 8.);
}

static void write_file(const char* path, const Hdf5File* f) {
  FILE* file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(f->bytes, 1, f->size, file), f->size);
  fclose(file);
}

static void part_name(const void* user, int64_t part, char* out, size_t size) {
  (void)user;
  snprintf(out, size, "part-%d.h5", (int)part);
}

static void write_part(const char* folder, int part) {
  char path[200], name[40];
  const int64_t first = (int64_t)part * PART, rows = ROWS - first < PART ? ROWS - first : PART;
  const Hdf5Table table = {columns, COLUMNS, attributes, 2, rows};
  Hdf5File f;
  assert_true(hdf5_make(&f, &table));
  for (int c = 0; c < COLUMNS; ++c)
    for (int64_t row = 0; row < rows; ++row)
      for (int k = 0; k < columns[c].width; ++k) {
        const double x = number_of(c, first + row, k);
        if (columns[c].type == HDF5_DOUBLE)
          hdf5_put_double(&f, c, row * columns[c].width + k, x);
        else
          hdf5_put(&f, c, row, (uint64_t)(int64_t)x);
        assert_true(hdf5_get_double(&f, columns, c, row * columns[c].width + k) == x);
      }
  part_name(NULL, part, name, sizeof name);
  snprintf(path, sizeof path, "%s/%s", folder, name);
  write_file(path, &f);
  hdf5_release(&f);
}

// Reads a column by libhdf5 as doubles; missing rows have the fill value.
static void check_column(hid_t file, int c, int64_t first, int64_t rows, int64_t missing_from) {
  char path[100];
  double x[ROWS * 3];
  hsize_t size[2] = {0, 0};
  snprintf(path, sizeof path, "/%s/%s", columns[c].group, columns[c].name);
  const hid_t set = H5Dopen2(file, path, H5P_DEFAULT);
  assert_true(set >= 0);
  const hid_t space = H5Dget_space(set), type = H5Dget_type(set);
  assert_int_equal(H5Sget_simple_extent_ndims(space), columns[c].width > 1 ? 2 : 1);
  H5Sget_simple_extent_dims(space, size, NULL);
  assert_int_equal(size[0], rows);
  if (columns[c].width > 1) assert_int_equal(size[1], columns[c].width);
  const hid_t expected = columns[c].type == HDF5_DOUBLE
                             ? H5T_IEEE_F64LE
                             : (columns[c].type == HDF5_INT64 ? H5T_STD_I64LE : H5T_STD_U64LE);
  assert_true(H5Tequal(type, expected) > 0);
  assert_true(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, x) >= 0);
  for (int64_t row = 0; row < rows; ++row)
    for (int k = 0; k < columns[c].width; ++k) {
      const double y = x[row * columns[c].width + k];
      if (row < missing_from)
        assert_true(y == number_of(c, first + row, k));
      else if (columns[c].type == HDF5_DOUBLE)
        assert_true(isnan(y));
      else
        assert_true(columns[c].type == HDF5_UINT64 || y == -1);
    }
  if (columns[c].unit[0]) {
    char unit[32] = "";
    const hid_t attribute = H5Aopen(set, "unit", H5P_DEFAULT), text = H5Aget_type(attribute);
    assert_true(H5Aread(attribute, text, unit) >= 0);
    assert_int_equal(strncmp(unit, columns[c].unit, strlen(columns[c].unit)), 0);
    H5Tclose(text);
    H5Aclose(attribute);
  }
  H5Tclose(type);
  H5Sclose(space);
  H5Dclose(set);
}

static void test_files(void** state) {
  (void)state;
  char folder[] = "/tmp/heft-hdf5-test-XXXXXX", path[200];
  assert_non_null(mkdtemp(folder));
  for (int part = 0; part < 3; ++part) write_part(folder, part);
  for (int part = 0; part < 3; ++part) {
    snprintf(path, sizeof path, "%s/part-%d.h5", folder, part);
    const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    assert_true(file >= 0);
    for (int c = 0; c < COLUMNS; ++c)
      check_column(file, c, (int64_t)part * PART, part < 2 ? PART : 2, ROWS);
    assert_true(H5Aexists(file, "plan_sha256") > 0);
    H5Fclose(file);
  }
  Hdf5File f;
  const Hdf5Table table = {columns, COLUMNS, attributes, 2, ROWS};
  const Hdf5Parts parts = {3, PART, part_name, NULL};
  assert_true(hdf5_make_virtual(&f, &table, &parts));
  snprintf(path, sizeof path, "%s/all.h5", folder);
  write_file(path, &f);
  hdf5_release(&f);
  for (int round = 0; round < 2; ++round) {
    const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    assert_true(file >= 0);
    for (int c = 0; c < COLUMNS; ++c) check_column(file, c, 0, ROWS, round == 0 ? ROWS : 2 * PART);
    H5Fclose(file);
    char part[200];
    snprintf(part, sizeof part, "%s/part-2.h5", folder);
    unlink(part);
  }
  snprintf(path, sizeof path, "rm -r %s", folder);
  assert_int_equal(system(path), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_files)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

int main(void) {
  printf("libhdf5 was not found: the files of results are not read by it\n");
  return 77;
}

#endif
