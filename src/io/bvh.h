// SPDX-License-Identifier: Apache-2.0
// Motions of skeletons from BVH files. For the command; not installed.
#ifndef HEFT_SRC_IO_BVH_H
#define HEFT_SRC_IO_BVH_H

#include "io/c3d.h"

/// Reads a file as markers, with z up (files have y up): of each joint its origin, JOINT; and two
/// points at a tenth from it, JOINT:bone along the bone at rest, and JOINT:front, which lies ahead
/// at rest. Lengths are in the unit of the file, which states none. Any bytes are allowed as input.
/// file: for messages. On failure *out is empty.
/// [out] out; [in] bytes[size]
HeftStatus heft_bvh_read(HeftC3d* out, const char* bytes, size_t size, const char* file,
                         HeftAllocator allocator, HeftError* error);

#endif
