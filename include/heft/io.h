// SPDX-License-Identifier: Apache-2.0
/// @file io.h
/// Models from files and to files: MJCF, URDF, the compiled form, and the meshes that they name.
///
/// - heft_load_file() looks at the content and picks the reader. A model that comes back is sound;
///   a file that is not is refused with its file, line and column.
/// - What a file says and Heft does not take over is told to the warning hook, each kind once with
///   its first place and how often it occurs; strict makes it an error. Nothing is dropped in
///   silence.
/// - Files are read only below root and the folders of packages; there is a limit on everything.
/// - Memory comes from the def's allocator. While a file is read, expat (XML) and qhull (convex
///   hulls) also use the C library's heap; they give everything back before the call returns.
/// - No locale, no global state: any number of threads may load at the same time.
#ifndef HEFT_IO_H
#define HEFT_IO_H

#include <heft/base.h>
#include <heft/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Limits against files that are broken or hostile. All are inclusive.
typedef struct HeftLoadLimits {
  size_t file_bytes;   ///< of one file
  size_t total_bytes;  ///< memory of one load, without the model itself
  int xml_depth;       ///< elements inside of elements
  int xml_attributes;  ///< of one element
  int xml_elements;    ///< of all files of one load, copies by replicate and attach included
  int name_bytes;      ///< of one name
  int bodies;          ///< of the model, copies included
  int mesh_triangles;  ///< of one mesh
  int include_depth;   ///< files that include files
} HeftLoadLimits;

/// Where a URDF's `package://name/...` lies.
typedef struct HeftPackage {
  const char* name;    ///< may hold slashes; the longest that fits counts
  const char* folder;  ///< where `package://name/` points to
} HeftPackage;

/// Told about something that the file says and the model does not hold. error holds file, line,
/// column and message; count says how often the same kind occurs in the load.
typedef void HeftWarningHook(void* user, const HeftError* error, int count);
/// Told now and then how far a load has come, from 0 to 1, and what it is busy with.
typedef void HeftProgressHook(void* user, double share, const char* what);

/// Where the bytes of files come from. The default reads from the disk.
typedef struct HeftFiles {
  /// Puts the file's bytes into memory of the allocator, followed by one zero byte that size does
  /// not count; the caller releases size + 1 bytes. path is what the model says, already joined
  /// with the folder of the file that says it. NULL with a message in error on failure.
  void* (*read)(void* user, const char* path, size_t limit, const HeftAllocator* allocator,
                size_t* size, HeftError* error);
  void* user;  ///< handed to read, not owned
} HeftFiles;

typedef enum HeftBase {
  HEFT_BASE_FIXED,    ///< the root link of a URDF is welded to the world
  HEFT_BASE_FLOATING  ///< it gets a free joint
} HeftBase;

/// How to load. heft_load_def_default() fills it.
typedef struct HeftLoadDef {
  HeftAllocator allocator;
  HeftLoadLimits limits;
  int strict;        ///< 1: what would be a warning is an error
  int hulls;         ///< 1: convex hulls for meshes that collide (default)
  HeftBase base;     ///< of a URDF
  const char* root;  ///< files are read only below it; NULL: the folder of the file itself
  const HeftPackage* packages;
  int package_count;
  const HeftFiles* files;      ///< NULL: the disk
  HeftWarningHook* warning;    ///< may be NULL
  HeftProgressHook* progress;  ///< may be NULL
  void* user;                  ///< handed to both
} HeftLoadDef;

HEFT_API HeftLoadDef heft_load_def_default(void);

/// Loads MJCF, URDF or a compiled model. *out is NULL on failure. error may be NULL.
HEFT_API HeftStatus heft_load_file(HeftModel** out, const char* path, const HeftLoadDef* def,
                                   HeftError* error);
/// The same from memory. name stands for the file in messages and tells where relative paths start.
HEFT_API HeftStatus heft_load_bytes(HeftModel** out, const void* bytes, size_t size,
                                    const char* name, const HeftLoadDef* def, HeftError* error);

#ifdef __cplusplus
}
#endif
#endif
