// SPDX-License-Identifier: Apache-2.0
// Convex pieces of meshes, kept in $XDG_CACHE_HOME/heft/pieces (default ~/.cache/heft/pieces).
#ifndef HEFT_APPS_PIECE_CACHE_H
#define HEFT_APPS_PIECE_CACHE_H

#include <heft/io.h>

/// A store whose files are named by the SHA-256 of their keys. Without a folder it is empty.
extern const HeftPieceStore piece_cache;

#endif
