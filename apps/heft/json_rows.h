// SPDX-License-Identifier: Apache-2.0
// --json of verbs that print tables: rows of named values in one JSON object. While it is being
// written, the text that a verb prints goes nowhere. Without json_rows_begin() all functions do
// nothing, so that a verb writes its rows without asking.
#ifndef HEFT_APPS_JSON_ROWS_H
#define HEFT_APPS_JSON_ROWS_H

/// Removes "--json" from the arguments. 1: it was there.
int json_rows_asked(int* argc, char** argv);
/// Begins the object; list is the name of the list of rows. name may be NULL: what is run, for the
/// key "name". Returns 0 on failure (reported), or if it has begun already.
int json_rows_begin(const char* verb, const char* name, const char* list);
/// Ends it; code is the exit code. Returns the code, or 1 if the output could not be written.
int json_rows_end(int code);

/// A row, its values, its end.
void json_row_begin(const char* name);
void json_row_text(const char* key, const char* value);
void json_row_number(const char* key, double value);
void json_row_end(void);

#endif
