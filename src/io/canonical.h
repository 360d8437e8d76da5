// SPDX-License-Identifier: Apache-2.0
// The canonical form of a path: absolute, without links, "." and "..".
#ifndef HEFT_SRC_IO_CANONICAL_H
#define HEFT_SRC_IO_CANONICAL_H

enum { CANONICAL_SIZE = 4096 };

/// Writes the canonical form of the path of a file or folder that exists. Returns 0, and sets
/// errno, if there is none.
int canonical_path(const char* path, char out[CANONICAL_SIZE]);

#endif
