// SPDX-License-Identifier: Apache-2.0
#ifndef HEFT_SRC_IO_READ_FILE_H
#define HEFT_SRC_IO_READ_FILE_H

#include <heft/base.h>

/// Why a file could not be opened, by errno, as the beginning of a sentence that ends with its
/// name.
const char* read_file_reason(int code);

/// Reads the file of a canonical path (canonical.h) without following a symbolic link; otherwise as
/// heft_file_read(). path: the name in messages.
HeftStatus read_file_without_links(void** bytes, size_t* size, const char* canonical,
                                   const char* path, size_t limit, const HeftAllocator* allocator,
                                   HeftError* error);

#endif
