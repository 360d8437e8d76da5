// SPDX-License-Identifier: Apache-2.0
// A log as a table of named columns: a CSV file, or the channels of an MCAP file. Any bytes may
// arrive as a log.
#ifndef HEFT_APPS_LOG_TABLE_H
#define HEFT_APPS_LOG_TABLE_H

#include <heft/heft.h>

#include "sweep/csv.h"

enum { LOG_NAME = 80 };

typedef struct LogTable {
  char (*name)[LOG_NAME];  ///< columns
  int columns;
  double* number;  ///< rows x columns
  long rows;
  HeftModel* model;  ///< that an MCAP file contains, or NULL
} LogTable;

/// Reads a log. An MCAP file has the columns time, q0.., v0.., control.ACTUATOR, and SENSOR or
/// SENSOR.0, SENSOR.1.. for sensors of several values. 0: failed, with error.
int log_table_read(LogTable* out, const char* path, HeftError* error);
/// Reads a CSV file as it is. least: 1: a table without rows is an error. 0: failed, with error.
int log_table_read_csv(Csv* out, const char* path, int least, HeftError* error);
/// Reads all bytes of a file, to be released by free(). 0: failed, with error.
int log_table_read_bytes(const char* path, char** bytes, size_t* size, HeftError* error);
void log_table_release(LogTable* table);
/// Index of a column, -1: there is none.
int log_table_find(const LogTable* table, const char* name);
/// log_table_find(); if there is none, a message that suggests a similar name.
int log_table_need(const LogTable* table, const char* name, const char* path, HeftError* error);
/// Copies a column to out (rows), which has `stride` numbers per row.
void log_table_copy(const LogTable* table, int column, double* out, int stride);

#endif
