// SPDX-License-Identifier: Apache-2.0
// Models to the disk: the model itself, and its meshes in a folder beside it.
#include <errno.h>
#include <heft/io.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/assert.h"
#include "base/def.h"
#include "base/error.h"

void heft_write_def_init(HeftWriteDef* def, uint32_t cookie) {
  if (!HEFT_DEF_STAMP(HeftWriteDef, def, cookie)) return;
  *def = (HeftWriteDef){.cookie = cookie, .allocator = heft_allocator_default()};
}

enum { PATH_SIZE = 4096 };

typedef struct Disk {
  const char* path;        ///< of the model
  char folder[PATH_SIZE];  ///< folder of path with a slash at the end, or ""
  HeftWarningHook* warning;
  void* user;
} Disk;

// Where the bytes go first: a name beside the file, so that a full disk keeps the file that is
// there. Devices, pipes and links are written as they are.
static FILE* open_beside(const char* path, char* beside, size_t size) {
  struct stat info;
  *beside = '\0';
  if (lstat(path, &info) == 0 && !S_ISREG(info.st_mode)) return fopen(path, "wb");
  snprintf(beside, size, "%s.part", path);
  remove(beside);  // of a program that was killed
  return fopen(beside, "wbx");
}

static HeftStatus write_bytes(const char* path, const void* bytes, size_t size, HeftError* error) {
  char beside[PATH_SIZE + 710];
  FILE* file = open_beside(path, beside, sizeof beside);
  int good = file && (size == 0 || fwrite(bytes, 1, size, file) == size);
  good = file && fclose(file) == 0 && good;
  if (good && (!*beside || rename(beside, path) == 0)) return HEFT_OK;
  if (file && *beside) remove(beside);
  return heft_error_set(error, HEFT_ERR_FILE,
                        "cannot write '%.300s'; check that its folder exists and can be written to",
                        path);
}

static HeftStatus put_file(void* user, const char* name, const void* bytes, size_t size,
                           HeftError* error) {
  const Disk* disk = user;
  if (!name[0]) return write_bytes(disk->path, bytes, size, error);
  char path[PATH_SIZE + 700];
  snprintf(path, sizeof path, "%s%s", disk->folder, name);
  char* slash = strrchr(path, '/');
  if (slash) {
    *slash = '\0';
    if (mkdir(path, 0777) != 0 && errno != EEXIST)
      return heft_error_set(error, HEFT_ERR_FILE, "cannot make the folder '%.300s' for meshes",
                            path);
    *slash = '/';
  }
  return write_bytes(path, bytes, size, error);
}

static HeftStatus write_compiled(const HeftModel* model, const char* path, HeftError* error) {
  const HeftAllocator a = heft_allocator_default();
  const size_t size = heft_model_save_size(model);
  void* bytes = a.allocate(a.user, size, 64);
  if (!bytes) return heft_error_set(error, HEFT_ERR_MEMORY, "no memory to write '%.300s'", path);
  heft_model_save(model, bytes);
  const HeftStatus status = write_bytes(path, bytes, size, error);
  a.release(a.user, bytes, size);
  return status;
}

static int ends_with(const char* text, const char* end) {
  const size_t a = strlen(text), b = strlen(end);
  return a > b && strcmp(text + a - b, end) == 0;
}

static void pass_warning(void* user, const HeftError* error, int count) {
  const Disk* disk = user;
  if (disk->warning) disk->warning(disk->user, error, count);
}

HeftStatus heft_model_write_file(const HeftModel* model, const char* path, HeftWarningHook* warning,
                                 void* user, HeftError* error) {
  HEFT_REQUIRE(model, heft_error_set(error, HEFT_ERR_ARGUMENT, "model must not be NULL"));
  HEFT_REQUIRE(path, heft_error_set(error, HEFT_ERR_ARGUMENT, "path must not be NULL"));
  if (error) *error = (HeftError){0};
  if (strlen(path) >= PATH_SIZE)
    return heft_error_set(error, HEFT_ERR_LIMIT, "the path '%.300s...' is too long", path);
  if (ends_with(path, ".heft")) return write_compiled(model, path, error);
  Disk disk = {.path = path, .warning = warning, .user = user};
  const char* slash = strrchr(path, '/');
  const char* base = slash ? slash + 1 : path;
  snprintf(disk.folder, sizeof disk.folder, "%.*s", (int)(base - path), path);
  const char* dot = strrchr(base, '.');
  char meshes[300];
  snprintf(meshes, sizeof meshes, "%.*s_meshes", dot ? (int)(dot - base) : (int)strlen(base), base);
  HeftWriteDef def = heft_write_def_default();
  def.mesh_folder = meshes;
  def.put = put_file;
  def.user = &disk;
  def.warning = pass_warning;
  return ends_with(path, ".urdf") ? heft_model_write_urdf(model, &def, error)
                                  : heft_model_write_mjcf(model, &def, error);
}
