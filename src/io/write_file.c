// SPDX-License-Identifier: Apache-2.0
// Models to the disk.
#include <errno.h>
#include <heft/io.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

HeftWriteDef heft_write_def_default(void) {
  return (HeftWriteDef){.allocator = heft_allocator_default()};
}

enum { PATH_SIZE = 4096 };

typedef struct Disk {
  const char* path;        ///< of the MJCF file
  char folder[PATH_SIZE];  ///< in which it lies, with a slash at the end, or ""
  HeftWarningHook* warning;
  void* user;
} Disk;

static int write_bytes(const char* path, const void* bytes, size_t size) {
  FILE* file = fopen(path, "wb");
  if (!file) return 0;
  const int good = size == 0 || fwrite(bytes, 1, size, file) == size;
  return fclose(file) == 0 && good;
}

static int put_file(void* user, const char* name, const void* bytes, size_t size) {
  const Disk* disk = user;
  if (!name[0]) return write_bytes(disk->path, bytes, size);
  char path[PATH_SIZE + 700];
  snprintf(path, sizeof path, "%s%s", disk->folder, name);
  char* slash = strrchr(path, '/');
  if (slash) {
    *slash = '\0';
    if (mkdir(path, 0777) != 0 && errno != EEXIST) return 0;
    *slash = '/';
  }
  return write_bytes(path, bytes, size);
}

static HeftStatus fail(HeftError* error, HeftStatus status, const char* text, const char* path) {
  if (error) {
    *error = (HeftError){.status = status};
    snprintf(error->message, sizeof error->message, "%s '%.300s'", text, path);
  }
  return status;
}

static HeftStatus write_compiled(const HeftModel* model, const char* path, HeftError* error) {
  const HeftAllocator a = heft_allocator_default();
  const size_t size = heft_model_save_size(model);
  void* bytes = a.allocate(a.user, size, 64);
  if (!bytes) return fail(error, HEFT_ERR_MEMORY, "no memory to write", path);
  heft_model_save(model, bytes);
  const int good = write_bytes(path, bytes, size);
  a.release(a.user, bytes, size);
  return good ? HEFT_OK : fail(error, HEFT_ERR_FILE, "cannot write", path);
}

static int ends_with(const char* text, const char* end) {
  const size_t a = strlen(text), b = strlen(end);
  return a > b && strcmp(text + a - b, end) == 0;
}

static void pass_warning(void* user, const HeftError* error, int count) {
  const Disk* disk = user;
  if (disk->warning) disk->warning(disk->user, error, count);
}

HeftStatus heft_model_write_file(const HeftModel* model, const char* path, HeftError* error) {
  return heft_model_write_file_reported(model, path, NULL, NULL, error);
}

HeftStatus heft_model_write_file_reported(const HeftModel* model, const char* path,
                                          HeftWarningHook* warning, void* user, HeftError* error) {
  const size_t length = strlen(path);
  if (length >= PATH_SIZE) return fail(error, HEFT_ERR_LIMIT, "the path is too long:", path);
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
