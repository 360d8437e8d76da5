// SPDX-License-Identifier: Apache-2.0
// The context of the readers: memory, limits, the builder, the first mistake, the warnings. It is
// the lowest layer of io; readers use it, and load.c uses the readers.
#ifndef HEFT_SRC_IO_CONTEXT_H
#define HEFT_SRC_IO_CONTEXT_H

#include <heft/io.h>

#include "io/budget.h"
#include "io/name_table.h"
#include "io/region.h"

/// Settings of an MJCF file that count for all soft contacts; see mjcf_softness.h.
typedef struct SoftSettings {
  int elliptic;  ///< friction cones are round
  double impratio;
} SoftSettings;

/// A file in memory of the region; text ends with a zero byte.
typedef struct SourceFile {
  const char* path;  ///< shown in messages; relative paths in the file start at its folder
  const char* text;
  size_t size;
  void* owned;  ///< memory of HeftFiles.read, or NULL
  struct SourceFile* next;
  struct SourceFile* converted;  ///< the file from which HeftLoadDef.convert made it, or NULL; it
                                 ///< may name files in its own folder
} SourceFile;

/// A place in a file.
typedef struct Place {
  const SourceFile* file;  ///< may be NULL
  int line, column;        ///< from 1; 0: none
} Place;

/// A spring and damper of a joint by time constant and damping ratio; see mjcf_springdamper.c.
typedef struct SpringDamper {
  int dof, count;
  double time, ratio;
  Place place;
} SpringDamper;

typedef struct Warning {
  HeftError error;
  const char* key;  ///< warnings of the same key are counted, not repeated
  int count;
} Warning;

typedef struct Load {
  const HeftLoadDef* def;
  Budget budget;
  HeftAllocator allocator;  ///< of the budget; all memory of the load comes from it
  Region region;
  HeftBuilder* builder;
  HeftError* error;               ///< never NULL
  HeftStatus status;              ///< the first mistake; all readers stop at it
  Grow warnings;                  ///< Warning*
  NameTable warning_kinds;        ///< places in warnings, by key
  SourceFile* files;              ///< all files that were read
  NameTable file_names;           ///< of the same, by path; the owner is the SourceFile
  const char* root;               ///< canonical folder; NULL if files are not read from the disk
  Grow package_folders;           ///< const char*: canonical folders of packages that were found
  int elements;                   ///< XML elements so far
  int meshes_left, meshes_total;  ///< for progress
  double pieces_work;             ///< operations of all meshes that were cut so far
  Grow soft_laws;                 ///< SoftLaw, if HeftLoadDef.soft_contacts; see mjcf_softness.h
  SoftSettings soft_settings;
  Grow spring_dampers;  ///< SpringDamper
} Load;

/// Begins a load; load_close() ends it. It must stay where it is.
void load_open(Load* load, const HeftLoadDef* def, HeftError* error);
/// Stores the first mistake. Returns its status, so that a reader can `return load_fail(...)`.
__attribute__((format(printf, 4, 5))) HeftStatus load_fail(Load* load, HeftStatus status,
                                                           Place place, const char* format, ...);
/// After a mistake in a file that the model can do without: clears the mistake and stores it in
/// why. Returns 0 if the load cannot go on: there is no memory, or a limit of the whole load is
/// exceeded.
int load_forgive(Load* load, HeftError* why);
/// Warns about a value that the model cannot hold. Warnings with the same key are one kind; NULL:
/// the message is the key.
__attribute__((format(printf, 4, 5))) void load_warn(Load* load, Place place, const char* key,
                                                     const char* format, ...);
/// As load_warn(), for a file that is missing or cannot be read (HEFT_ERR_FILE).
__attribute__((format(printf, 4, 5))) void load_warn_file(Load* load, Place place, const char* key,
                                                          const char* format, ...);
/// count x size zeroed bytes of the region; NULL after a mistake.
void* load_take(Load* load, size_t count, size_t size);
char* load_text(Load* load, const char* text, size_t length);
__attribute__((format(printf, 2, 3))) const char* load_format(Load* load, const char* format, ...);
/// Charges operations of about a nanosecond to the budget. Returns 0 after a mistake, or if the
/// budget is spent; `from` is the place that asked for the work.
int load_work(Load* load, Place from, double operations);
/// Charges a search that compares `count` items one after the other.
static inline int load_search(Load* load, Place from, int count) {
  return load_work(load, from, 5.0 * count);
}
/// Adds a name that the table does not have. Returns 0 after a mistake.
int load_name(Load* load, NameTable* table, NameEntry entry);
/// Appends one item to a list; NULL after a mistake.
void* load_grow(Load* load, Grow* list, size_t item_size);

#define LOAD_NEW(load, type) ((type*)load_take((load), 1, sizeof(type)))
#define LOAD_ADD(load, list, type) ((type*)load_grow((load), (list), sizeof(type)))
#define LOAD_OK(load) ((load)->status == HEFT_OK)

/// Reads a file that is named at `from` (no file: by the user). Relative names start at the folder
/// of base, then folder (both may be NULL); package://name/rest goes through the def's packages.
/// NULL after a mistake.
const SourceFile* load_read(Load* load, Place from, const SourceFile* base, const char* folder,
                            const char* name);

/// As load_read(), for a mesh of a format that HeftLoadDef.convert converts.
const SourceFile* load_convert(Load* load, Place from, const SourceFile* base, const char* name);
/// The path of a file that the model names but that is read later, by others: relative to the
/// folder of `model` if it lies below it, else absolute. NULL after a mistake.
const char* load_locate(Load* load, Place from, const SourceFile* base, const SourceFile* model,
                        const char* name);

/// Writes file, line and column into an error; a long path is cut at the front.
void load_set_place(HeftError* error, Place place);
/// Calls the warning hook once for each kind of warning.
void load_report_warnings(const Load* load);
/// Releases all memory of the load: files, builder, region.
void load_close(Load* load);

#endif
