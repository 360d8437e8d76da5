// SPDX-License-Identifier: Apache-2.0
/// @file io.h
/// Models from files and to files: MJCF, URDF, the compiled form, and the meshes that they name.
///
/// - heft_model_load_file() looks at the content and picks the reader. A model that comes back is
/// sound;
///   a file that is not is refused with its file, line and column.
/// - What a file says and Heft does not take over is told to the warning hook, each kind once with
///   its first place and how often it occurs; strict makes it an error. Nothing is dropped in
///   silence.
/// - Files are read only below root and the folders of packages; there is a limit on everything.
/// - Memory comes from the def's allocator. While a file is read, expat (XML), libpng (height
///   fields) and qhull (convex hulls) also use the C library's heap; they give everything back
///   before the call returns.
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
  int dofs;            ///< degrees of freedom of the model
  int mass_entries;    ///< numbers in its mass matrix, see HeftModelLimits
} HeftLoadLimits;

/// Where a URDF's `package://name/...` lies.
typedef struct HeftPackage {
  const char* name;  ///< may hold slashes, the longest that fits counts; "": every other package is
                     ///< a folder in this one
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
HEFT_API HeftStatus heft_model_load_file(HeftModel** out, const char* path, const HeftLoadDef* def,
                                         HeftError* error);
/// The same from memory. name stands for the file in messages and tells where relative paths start.
HEFT_API HeftStatus heft_model_load_bytes(HeftModel** out, const void* bytes, size_t size,
                                          const char* name, const HeftLoadDef* def,
                                          HeftError* error);

/// The bytes of one file, followed by a zero byte that size does not count, in memory of the
/// allocator: the caller releases size + 1 bytes. Regular files of at most `limit` bytes are read,
/// nothing else. NULL on failure, with the reason in error, which may be NULL.
HEFT_API void* heft_file_read(const char* path, size_t limit, const HeftAllocator* allocator,
                              size_t* size, HeftError* error);

// ---- writing

/// How to write a model. heft_write_def_default() fills it.
typedef struct HeftWriteDef {
  HeftAllocator allocator;  ///< for the text while it is made
  const char* mesh_folder;  ///< meshes become OBJ files in this folder beside the file; NULL: they
                            ///< stand in the file itself
  /// Takes one finished file: name "" is the model's, others are meshes, "FOLDER/NAME.obj".
  /// Returns 0 when it could not be stored.
  int (*put)(void* user, const char* name, const void* bytes, size_t size);
  HeftWarningHook* warning;  ///< told what the format cannot say; may be NULL
  void* user;                ///< handed to both
} HeftWriteDef;

HEFT_API HeftWriteDef heft_write_def_default(void);

/// Writes a model as MJCF. Numbers have as many digits as they need: read back, the model has the
/// same hash. What MJCF cannot say stands in <custom>, see heft_mjcf_custom().
HEFT_API HeftStatus heft_model_write_mjcf(const HeftModel* model, const HeftWriteDef* def,
                                          HeftError* error);
/// Writes a model as URDF. Its root link "world" is the world. What URDF cannot say is left out and
/// told to the warning hook; bodies whose joints are not at their origin have their frames moved.
/// Meshes always are files of their own.
HEFT_API HeftStatus heft_model_write_urdf(const HeftModel* model, const HeftWriteDef* def,
                                          HeftError* error);
/// Writes a model to the disk: the compiled form where the name ends in .heft, URDF where it ends
/// in .urdf, else MJCF; with meshes as OBJ files in a folder beside it that has the file's name and
/// ends in _meshes.
HEFT_API HeftStatus heft_model_write_file(const HeftModel* model, const char* path,
                                          HeftError* error);
/// The same; warning is told what the format cannot say, and may be NULL.
HEFT_API HeftStatus heft_model_write_file_reported(const HeftModel* model, const char* path,
                                                   HeftWarningHook* warning, void* user,
                                                   HeftError* error);

// ---- the table of MJCF attributes

typedef struct HeftMjcfAttribute {
  const char* element;  ///< the element that has it
  const char* place;    ///< where that element stands
  const char* name;     ///< the attribute
  const char* type;  ///< "real", "int", "bool", "tri", "word", "text", "name", or "" if it is not
                     ///< taken over
  int min, max;      ///< how many numbers
  const char* fallback;  ///< value where it is not given; NULL: none
  const char* meaning;   ///< or why it is not taken over
} HeftMjcfAttribute;

/// Row i of the table that the reader and the writer of MJCF use; 0 beyond its end. All strings are
/// static.
HEFT_API int heft_mjcf_attribute(int i, HeftMjcfAttribute* out);

/// A name in <custom> that carries what MJCF cannot say.
typedef struct HeftMjcfCustom {
  const char* element;  ///< "numeric", "text" or "tuple"
  const char* name;     ///< its attribute `name`; NAME stands for the name of something
  const char* meaning;
} HeftMjcfCustom;

/// Row i of the table of these; 0 beyond its end. All strings are static.
HEFT_API int heft_mjcf_custom(int i, HeftMjcfCustom* out);

#ifdef __cplusplus
}
#endif
#endif
