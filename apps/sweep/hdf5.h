// SPDX-License-Identifier: Apache-2.0
// Tables of numbers as HDF5 files, written and read without libhdf5 (docs/decisions/110): columns
// are contiguous datasets in groups. The bytes depend only on the table: no times, no version of a
// library. A file is read back only if everything in front of its numbers is, byte for byte, what
// would be written for the expected table: there is no parser that a hostile file could attack.
#ifndef HEFT_APPS_SWEEP_HDF5_H
#define HEFT_APPS_SWEEP_HDF5_H

#include <stddef.h>
#include <stdint.h>

typedef enum Hdf5Type { HDF5_DOUBLE, HDF5_INT64, HDF5_UINT64 } Hdf5Type;

/// A dataset of rows x width numbers; width 1: rows numbers.
typedef struct Hdf5Column {
  const char *group, *name;    ///< columns of one group follow each other
  const char *unit, *meaning;  ///< attributes; "": none
  Hdf5Type type;
  int width;
} Hdf5Column;

/// A text at the root of a file.
typedef struct Hdf5Attribute {
  const char *name, *text;
} Hdf5Attribute;

typedef struct Hdf5Table {
  const Hdf5Column* columns;
  int column_count;
  const Hdf5Attribute* attributes;
  int attribute_count;
  int64_t rows;
} Hdf5Table;

/// A file in memory. Numbers are little-endian and 8 bytes long.
typedef struct Hdf5File {
  unsigned char* bytes;
  size_t size;
  size_t data;     ///< where the numbers begin
  size_t* offset;  ///< of the numbers of each column
} Hdf5File;

/// Makes a file whose numbers are zero. 0: no memory.
int hdf5_make(Hdf5File* out, const Hdf5Table* table);
void hdf5_release(Hdf5File* file);

/// The last bytes of a file of numbers, behind the end that its superblock states, so that readers
/// of HDF5 pass over them: the SHA-256 of all bytes before them.
enum { HDF5_SEAL = 32 };
void hdf5_seal(Hdf5File* file);
/// 1: the seal of these bytes is right.
int hdf5_is_sealed(const unsigned char* bytes, size_t size);

/// Parts of one table in several files, one behind the other.
typedef struct Hdf5Parts {
  int64_t count;
  int64_t rows;  ///< of each part but the last
  /// Writes the name of the file of a part, relative to the virtual file.
  void (*name)(const void* user, int64_t part, char* out, size_t size);
  const void* user;
} Hdf5Parts;

/// Makes a file whose columns are virtual datasets over the parts. Parts that are missing read as
/// NaN or -1. 0: no memory.
int hdf5_make_virtual(Hdf5File* out, const Hdf5Table* table, const Hdf5Parts* parts);

/// A number of a file, of its own type.
uint64_t hdf5_get(const Hdf5File* file, int column, int64_t at);
void hdf5_put(Hdf5File* file, int column, int64_t at, uint64_t bits);
void hdf5_put_double(Hdf5File* file, int column, int64_t at, double x);
double hdf5_get_double(const Hdf5File* file, const Hdf5Column* columns, int column, int64_t at);

#endif
