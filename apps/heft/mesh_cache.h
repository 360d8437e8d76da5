// SPDX-License-Identifier: Apache-2.0
// Meshes of formats that the library does not read: converted by heft-mesh-convert when they are
// first used, and kept in $XDG_CACHE_HOME/heft/meshes (default ~/.cache/heft/meshes).
#ifndef HEFT_APPS_MESH_CACHE_H
#define HEFT_APPS_MESH_CACHE_H

#include <heft/base.h>

enum { MESH_SECONDS = 90 };  ///< longest time of a conversion

/// Stores the path of the OBJ file of a mesh. It is converted if the cache does not hold it; then
/// *converted is 1.
HeftStatus mesh_cache_find(const char* path, char* out, size_t size, int* converted,
                           HeftError* error);

#endif
