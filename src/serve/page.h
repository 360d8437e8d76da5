// SPDX-License-Identifier: Apache-2.0
// Files of the page: which file of a folder a path of a request means.
#ifndef HEFT_SRC_SERVE_PAGE_H
#define HEFT_SRC_SERVE_PAGE_H

#include <stddef.h>

/// Writes the path of the file and its media type. "/" means index.html. 0: the path is not a plain
/// one, has an unknown ending, or leads out of the folder or to no file.
int page_find(const char* folder, const char* request, char* out, size_t size, const char** type);

#endif
