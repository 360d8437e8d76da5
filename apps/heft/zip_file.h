// SPDX-License-Identifier: Apache-2.0
// Zip files whose members are stored as they are. The bytes depend on the members only.
#ifndef HEFT_APPS_ZIP_FILE_H
#define HEFT_APPS_ZIP_FILE_H

#include <stdint.h>
#include <stdio.h>

typedef struct ZipMember {
  const char* name;
  const void* bytes;
  size_t size;  ///< less than 2^31
} ZipMember;

/// Writes a whole zip file. 0, with errno: failed.
int zip_file_write(FILE* out, const ZipMember* members, int count);

#endif
