// SPDX-License-Identifier: Apache-2.0
// Motion capture and force plates from C3D files. For the command; not installed.
#ifndef HEFT_SRC_IO_C3D_H
#define HEFT_SRC_IO_C3D_H

#include <heft/base.h>

/// Columns of numbers. The first is the time [s].
typedef struct HeftC3dTable {
  const char** name;
  int columns;
  int64_t rows;
  double* number;  ///< rows x columns
} HeftC3dTable;

/// A file in SI units and in axes with z up.
typedef struct HeftC3d {
  HeftC3dTable points;   ///< LABEL.x, LABEL.y, LABEL.z of each marker [m]; NAN: not seen
  HeftC3dTable samples;  ///< of plate k from 1: platek.fx, .fy, .fz, the force of the plate on the
                         ///< foot [N]; .tx, .ty, .tz about the origin of the laboratory [N m]; .px,
                         ///< .py, .pz, the centre of pressure [m], NAN without load; all NAN if
                         ///< the file lacks a channel of the plate. Then the
                         ///< analog channels by their labels, in the units of the file
  int plates;
  HeftAllocator allocator;
  struct RegionBlock* memory;
} HeftC3d;

/// Reads a file: integers or reals, in the order of bytes of Intel, DEC or MIPS, with force plates
/// of types 1 to 4. Any bytes are allowed as input. file: for messages. On failure *out is empty.
/// [out] out; [in] bytes[size]
HeftStatus heft_c3d_read(HeftC3d* out, const void* bytes, size_t size, const char* file,
                         HeftAllocator allocator, HeftError* error);
/// NULL is allowed.
void heft_c3d_release(HeftC3d* c3d);

#endif
