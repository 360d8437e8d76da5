// SPDX-License-Identifier: Apache-2.0
// Papers: R33, R76.
#include "measured_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fail.h"
#include "io/bvh.h"
#include "log_table.h"

// Times of a CSV file have to rise, as in a C3D file.
static HeftStatus check_times(const Csv* csv, HeftError* error) {
  if (strcmp(csv->name[0], "time") != 0)
    return fail_with(error, HEFT_ERR_NAME, "the first column is '%.60s', expected 'time' [s]",
                     csv->name[0]);
  for (int64_t i = 1; i < csv->rows; ++i) {
    const double *row = csv->number + i * csv->columns, before = row[-csv->columns];
    if (!(row[0] > before))
      return fail_with(error, HEFT_ERR_VALUE,
                       "row %lld has the time %g after %g, expected more; sort the rows",
                       (long long)i + 1, row[0], before);
  }
  return HEFT_OK;
}

HeftStatus measured_file_parse(MeasuredFile* out, const char* text, size_t size, const char* name,
                               HeftError* error) {
  memset(out, 0, sizeof *out);
  out->measured = (LabMeasured){.tables = 1, .name = "measured"};
  HeftStatus status = csv_read_gaps(&out->csv, text, size, name, error);
  if (status == HEFT_OK && (status = check_times(&out->csv, error)) != HEFT_OK)
    snprintf(error->file, sizeof error->file, "%s", name);
  if (status != HEFT_OK) csv_release(&out->csv);
  out->measured.table[0] = (HeftC3dTable){.name = out->csv.name,
                                          .columns = out->csv.columns,
                                          .rows = out->csv.rows,
                                          .number = out->csv.number};
  return status;
}

HeftStatus measured_file_read(MeasuredFile* out, const char* path, HeftError* error) {
  char* bytes = NULL;
  size_t size = 0;
  memset(out, 0, sizeof *out);
  if (!log_table_read_bytes(path, &bytes, &size, error)) return HEFT_ERR_FILE;
  HeftStatus status;
  if (size > 1 && bytes[1] == 0x50 && bytes[0] < 32) {
    status = heft_c3d_read(&out->c3d, bytes, size, path, heft_allocator_default(), error);
    out->measured = (LabMeasured){
        .table = {out->c3d.points, out->c3d.samples}, .tables = 2, .name = "measured"};
  } else if (size > 9 && memcmp(bytes, "HIERARCHY", 9) == 0) {
    status = heft_bvh_read(&out->c3d, bytes, size, path, heft_allocator_default(), error);
    out->measured = (LabMeasured){.table = {out->c3d.points}, .tables = 1, .name = "measured"};
  } else {
    status = measured_file_parse(out, bytes, size, path, error);
  }
  free(bytes);
  return status;
}

void measured_file_release(MeasuredFile* file) {
  csv_release(&file->csv);
  heft_c3d_release(&file->c3d);
  file->measured = (LabMeasured){0};
}
