// SPDX-License-Identifier: Apache-2.0
// The file of a plug-in.
//
// A linker writes its result in place, and a process that has mapped the old file would execute the
// new bytes at the old addresses. So a copy in memory is mapped. Its descriptor stays open: dlopen
// treats a file of the same name as the same file, and the name of the copy is the number of its
// descriptor. A file counts as changed if its identity, size or time of change differ from the last
// attempt's.
#ifndef HEFT_SRC_PLUGIN_SHARED_OBJECT_H
#define HEFT_SRC_PLUGIN_SHARED_OBJECT_H

#include <heft/plugin.h>

/// Distinguishes one version of a file from another.
typedef struct FileStamp {
  uint64_t device, inode, size;
  int64_t changed_ns;
} FileStamp;

typedef struct SharedObject {
  void* handle;  ///< NULL: no file
  int copy;      ///< descriptor of the copy
  const HeftPlugin* plugin;
  FileStamp stamp;
} SharedObject;

/// Returns false if there is no such file.
bool heft_file_stamp(const char* path, FileStamp* stamp);
bool heft_file_stamp_equal(const FileStamp* a, const FileStamp* b);

/// Maps a copy of the file and finds its plug-in. *out is zero on failure.
HeftStatus heft_shared_object_open(SharedObject* out, const char* path, HeftError* error);
void heft_shared_object_close(SharedObject* object);

#endif
