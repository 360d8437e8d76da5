// SPDX-License-Identifier: Apache-2.0
// A file is written under a name of its own and renamed when it is complete: two programs may cut
// the same mesh at the same time.
#include "piece_cache.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cache_folder.h"
#include "sweep/sha256.h"

enum { PATH_SIZE = 2048 };
static const size_t file_max = (size_t)64 << 20;

// The folder and the path of the file of a key. 0: there is no folder.
static int find_path(const void* key, size_t key_size, char folder[PATH_SIZE],
                     char path[PATH_SIZE]) {
  HeftError ignored = {0};
  char name[65];
  if (cache_folder("pieces", folder, PATH_SIZE, &ignored) != HEFT_OK) return 0;
  Sha256 hash = sha256_begin();
  sha256_add(&hash, key, key_size);
  sha256_text(&hash, name);
  snprintf(path, PATH_SIZE, "%.1900s/%.64s.pieces", folder, name);
  return 1;
}

static bool read_pieces(void* user, const void* key, size_t key_size,
                        const HeftAllocator* allocator, void** bytes, size_t* size) {
  (void)user;
  char folder[PATH_SIZE], path[PATH_SIZE];
  HeftError ignored = {0};
  const HeftAllocator own = heft_allocator_default();
  void* file = NULL;
  size_t length = 0;
  if (!find_path(key, key_size, folder, path)) return false;
  if (heft_file_read(&file, &length, path, file_max, &own, &ignored) != HEFT_OK) return false;
  *bytes = length > 0 ? allocator->allocate(allocator->user, length, 16) : NULL;
  *size = length;
  for (size_t i = 0; i < length && *bytes; ++i) ((char*)*bytes)[i] = ((const char*)file)[i];
  own.release(own.user, file, length + 1);
  return *bytes != NULL;
}

static void write_pieces(void* user, const void* key, size_t key_size, const void* bytes,
                         size_t size) {
  (void)user;
  char folder[PATH_SIZE], path[PATH_SIZE], work[PATH_SIZE];
  if (!find_path(key, key_size, folder, path)) return;
  snprintf(work, sizeof work, "%.1900s/.work-XXXXXX", folder);
  const int file = mkstemp(work);
  FILE* stream = file >= 0 ? fdopen(file, "wb") : NULL;
  if (!stream) {
    if (file >= 0) close(file);
    return;
  }
  int good = fwrite(bytes, 1, size, stream) == size;
  good = fclose(stream) == 0 && good;
  if (!good || rename(work, path) != 0) unlink(work);
}

const HeftPieceStore piece_cache = {.read = read_pieces, .write = write_pieces};
