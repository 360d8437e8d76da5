// SPDX-License-Identifier: Apache-2.0
// A file that is written whole or not at all: bytes go to a name beside it, which then becomes its
// name. If the disk is full or the program ends, the file that was there before stays.
//
// Devices and pipes are written as they are. A link is followed.
#ifndef HEFT_APPS_WHOLE_FILE_H
#define HEFT_APPS_WHOLE_FILE_H

#include <stdio.h>

enum { WHOLE_FILE_PATH = 4096 };

typedef struct WholeFile {
  FILE* file;
  char path[WHOLE_FILE_PATH];
  char temporary[WHOLE_FILE_PATH + 20];  ///< "": the file is a device or a pipe
} WholeFile;

/// Begins a file. NULL, with errno, if it cannot be written.
FILE* whole_file_open(WholeFile* w, const char* path);
/// Ends a file. It gets its name if `well`, and if all of it was written; else nothing of it is
/// left. Returns 1 if it has its name, 0 with errno if not.
int whole_file_close(WholeFile* w, int well);

#endif
