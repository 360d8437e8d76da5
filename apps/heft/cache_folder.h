// SPDX-License-Identifier: Apache-2.0
// Folders for results that can be computed again: $XDG_CACHE_HOME/heft/KIND (default
// ~/.cache/heft/KIND).
#ifndef HEFT_APPS_CACHE_FOLDER_H
#define HEFT_APPS_CACHE_FOLDER_H

#include <heft/base.h>

/// Stores the path of the folder, which is made if it does not exist. The path leaves room for 200
/// more bytes in 2048.
HeftStatus cache_folder(const char* kind, char* out, size_t size, HeftError* error);

#endif
