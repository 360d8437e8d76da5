// SPDX-License-Identifier: Apache-2.0
// The name of a cached mesh is the SHA-256 of the version of this format, the name's ending, the
// file, and for glTF of the buffers that it names. A conversion writes to a folder of its own; when
// it is complete, its files are renamed into the cache, the OBJ file last. So a conversion that was
// ended leaves no half-written mesh, and two programs may convert the same mesh at the same time.
#include "mesh_cache.h"

#include <dirent.h>
#include <fcntl.h>
#include <heft/io.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cache_folder.h"
#include "fail.h"
#include "helper_program.h"
#include "sweep/sha256.h"

enum { PATH_SIZE = 2048, VERSION = 2 };
static const size_t file_max = (size_t)256 << 20;

// ---- the name

static HeftStatus add_file(Sha256* hash, const char* path, char** text, HeftError* error) {
  const HeftAllocator a = heft_allocator_default();
  void* bytes = NULL;
  size_t size = 0;
  const HeftStatus status = heft_file_read(&bytes, &size, path, file_max, &a, error);
  if (status != HEFT_OK) return status;
  const uint64_t length = size;
  sha256_add(hash, &length, sizeof length);
  sha256_add(hash, bytes, size);
  if (text) {
    *text = bytes;  // ends with a zero byte
  } else {
    a.release(a.user, bytes, size + 1);
  }
  return HEFT_OK;
}

// The buffers of a glTF file: every "uri" that is not data itself. A buffer that cannot be read is
// left to the converter, which reports it.
static void add_buffers(Sha256* hash, const char* path, const char* text) {
  const char* slash = strrchr(path, '/');
  const int folder = slash ? (int)(slash - path) + 1 : 0;
  int count = 0;
  for (const char* at = strstr(text, "\"uri\""); at && count < 64; at = strstr(at, "\"uri\"")) {
    char file[PATH_SIZE];
    HeftError ignored = {0};
    at += 5;
    at += strspn(at, " \t\r\n:");
    if (*at != '"' || strncmp(at + 1, "data:", 5) == 0) continue;
    const size_t length = strcspn(at + 1, "\"\\");
    snprintf(file, sizeof file, "%.*s%.*s", folder, path, length < 900 ? (int)length : 900, at + 1);
    add_file(hash, file, NULL, &ignored);
    ++count;
  }
}

static const char* ending(const char* path) {
  const char* dot = strrchr(path, '.');
  return dot ? dot : "";
}

static HeftStatus find_name(const char* path, char name[65], HeftError* error) {
  Sha256 hash = sha256_begin();
  char head[64];
  char* text = NULL;
  snprintf(head, sizeof head, "heft mesh %d %.20s", VERSION, ending(path));
  sha256_add(&hash, head, strlen(head));
  const HeftStatus status = add_file(&hash, path, &text, error);
  if (status != HEFT_OK) return status;
  if (strcmp(ending(path), ".gltf") == 0) add_buffers(&hash, path, text);
  free(text);
  sha256_text(&hash, name);
  return HEFT_OK;
}

// ---- the conversion

static void remove_folder(const char* folder) {
  DIR* list = opendir(folder);
  for (struct dirent* e = list ? readdir(list) : NULL; e; e = readdir(list)) {
    char path[PATH_SIZE];
    if (e->d_name[0] == '.') continue;
    snprintf(path, sizeof path, "%.1600s/%.255s", folder, e->d_name);
    unlink(path);
  }
  if (list) closedir(list);
  rmdir(folder);
}

// Moves all files of a folder into the cache, the OBJ file last.
static int move_files(const char* from, const char* to, const char* name) {
  char object[96], old[PATH_SIZE], new[PATH_SIZE];
  DIR* list = opendir(from);
  int good = list != NULL;
  snprintf(object, sizeof object, "%.64s.obj", name);
  for (struct dirent* e = list ? readdir(list) : NULL; e && good; e = readdir(list)) {
    if (e->d_name[0] == '.' || strcmp(e->d_name, object) == 0) continue;
    snprintf(old, sizeof old, "%.1600s/%.255s", from, e->d_name);
    snprintf(new, sizeof new, "%.1600s/%.255s", to, e->d_name);
    good = rename(old, new) == 0;
  }
  if (list) closedir(list);
  snprintf(old, sizeof old, "%.1600s/%s", from, object);
  snprintf(new, sizeof new, "%.1600s/%s", to, object);
  return good && rename(old, new) == 0;
}

// The last line that the converter wrote, without the name of the file before it.
static void read_reason(int file, const char* path, char* out, size_t size) {
  char text[600];
  const ssize_t length = pread(file, text, sizeof text - 1, 0);
  text[length > 0 ? length : 0] = '\0';
  text[strcspn(text, "\n")] = '\0';
  const size_t head = strlen(path);
  const char* reason = text;
  if (strncmp(text, path, head) == 0) reason += head;
  if (strncmp(reason, ": error: ", 9) == 0) reason += 9;
  snprintf(out, size, "%.300s", reason[0] ? reason : "no reason was given");
}

static HeftStatus explain(int code, int output, const char* path, HeftError* error) {
  char reason[320];
  if (code == HELPER_MISSING)
    return fail_with(
        error, HEFT_ERR_FILE,
        "Collada and glTF meshes need the program heft-mesh-convert, which was not found; "
        "install assimp (libassimp-dev) and build Heft again");
  if (code == HELPER_TIMEOUT)
    return fail_with(error, HEFT_ERR_FILE, "its conversion was ended after %d s", MESH_SECONDS);
  if (code < 0)
    return fail_with(error, HEFT_ERR_FILE, "heft-mesh-convert ended without a result (%d)", code);
  read_reason(output, path, reason, sizeof reason);
  return fail_with(error, HEFT_ERR_FILE, "it cannot be converted: %s", reason);
}

static HeftStatus convert(const char* path, const char* cache, const char* name, HeftError* error) {
  char work[PATH_SIZE], out[PATH_SIZE], said[PATH_SIZE];
  snprintf(work, sizeof work, "%.1500s/.work-XXXXXX", cache);
  if (!mkdtemp(work))
    return fail_with(error, HEFT_ERR_FILE, "the cache '%.300s' cannot be written", cache);
  snprintf(out, sizeof out, "%.1600s/%.64s.obj", work, name);
  snprintf(said, sizeof said, "%.1600s/.said", work);
  HeftStatus status = HEFT_OK;
  const int output = open(said, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  unlink(said);
  const int code = helper_program_run("heft-mesh-convert", path, out, MESH_SECONDS, output);
  if (code != 0) {
    status = explain(code, output, path, error);
  } else if (!move_files(work, cache, name)) {
    status = fail_with(error, HEFT_ERR_FILE, "the cache '%.300s' cannot be written", cache);
  }
  if (output >= 0) close(output);
  remove_folder(work);
  return status;
}

HeftStatus mesh_cache_find(const char* path, char* out, size_t size, int* converted,
                           HeftError* error) {
  char cache[PATH_SIZE], name[65];
  HeftStatus status = cache_folder("meshes", cache, sizeof cache, error);
  if (status == HEFT_OK) status = find_name(path, name, error);
  if (status != HEFT_OK) return status;
  *converted = 0;
  const int length = snprintf(out, size, "%.1600s/%.64s.obj", cache, name);
  if (length < 0 || (size_t)length >= size)
    return fail_with(error, HEFT_ERR_FILE, "the path of the cache is too long");
  if (access(out, R_OK) == 0) return HEFT_OK;
  *converted = 1;
  return convert(path, cache, name, error);
}
