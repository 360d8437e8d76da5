// SPDX-License-Identifier: Apache-2.0
#include "model_files.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { FILES_MAX = 2000, DEPTH_MAX = 12, PATH_SIZE = 4096 };

// The first element of an XML text behind declarations and comments, or NULL.
static const char* first_element(const char* text) {
  const char* at = text;
  while ((at = strchr(at, '<')) != NULL && (at[1] == '?' || at[1] == '!')) {
    const char* end = strstr(at, strncmp(at, "<!--", 4) == 0 ? "-->" : ">");
    if (!end) return NULL;
    at = end;
  }
  return at;
}

static int is_element(const char* at, const char* name) {
  const size_t length = strlen(name);
  return strncmp(at + 1, name, length) == 0 && strchr(" \t\r\n/>", at[1 + length]) != NULL;
}

ModelFormat model_format(const char* path) {
  char text[16384];
  struct stat info;
  if (stat(path, &info) != 0 || !S_ISREG(info.st_mode)) return MODEL_NONE;
  FILE* file = fopen(path, "rb");
  const size_t size = file ? fread(text, 1, sizeof text - 1, file) : 0;
  if (file) fclose(file);
  text[size] = '\0';
  if (size >= 8 && memcmp(text, "HEFTMODL", 8) == 0) return MODEL_COMPILED;
  const char* at = first_element(text);
  if (at && is_element(at, "robot")) return MODEL_URDF;
  return at && is_element(at, "mujoco") ? MODEL_MJCF : MODEL_NONE;
}

// ---- lists

static int add_one(ModelFiles* f, const char* path) {
  if (f->count == f->capacity) {
    const int more = f->capacity ? 2 * f->capacity : 64;
    char** grown = realloc(f->path, (size_t)more * sizeof *grown);
    if (!grown) return 0;
    f->path = grown;
    f->capacity = more;
  }
  const size_t length = strlen(path) + 1;
  char* copy = malloc(length);
  if (!copy) return 0;
  memcpy(copy, path, length);
  f->path[f->count++] = copy;
  return 1;
}

static int has_ending(const char* name) {
  static const char* const endings[] = {".urdf", ".xml", ".mjcf", ".heft"};
  const char* dot = strrchr(name, '.');
  for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; ++i) {
    if (strcmp(dot, endings[i]) == 0) return 1;
  }
  return 0;
}

static int add_folder(ModelFiles* f, const char* verb, const char* folder, int depth) {
  DIR* list = opendir(folder);
  if (!list) {
    fprintf(stderr, "heft %s: error: the folder '%s' cannot be read: %s\n", verb, folder,
            strerror(errno));
    return 0;
  }
  int good = 1;
  for (struct dirent* e = readdir(list); e && good; e = readdir(list)) {
    char path[PATH_SIZE];
    struct stat info;
    const int length = snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
    if (e->d_name[0] == '.' || length >= PATH_SIZE || lstat(path, &info) != 0) continue;
    if (S_ISDIR(info.st_mode)) {
      good = depth == DEPTH_MAX || add_folder(f, verb, path, depth + 1);
    } else if (has_ending(path) && model_format(path) != MODEL_NONE) {
      good = f->count < FILES_MAX && add_one(f, path);
      if (!good)
        fprintf(stderr, "heft %s: error: '%s' holds more than %d models\n", verb, folder,
                FILES_MAX);
    }
  }
  closedir(list);
  return good;
}

static int compare(const void* a, const void* b) {
  return strcmp(*(char* const*)a, *(char* const*)b);
}

int model_files_add(ModelFiles* f, const char* verb, const char* path) {
  struct stat info;
  const int first = f->count;
  if (stat(path, &info) != 0 || !S_ISDIR(info.st_mode)) return add_one(f, path);
  char folder[PATH_SIZE];
  snprintf(folder, sizeof folder, "%s", path);
  size_t length = strlen(folder);
  while (length > 1 && folder[length - 1] == '/') folder[--length] = '\0';
  if (!add_folder(f, verb, folder, 0)) return 0;
  qsort(f->path + first, (size_t)(f->count - first), sizeof *f->path, compare);
  return 1;
}

void model_files_free(ModelFiles* f) {
  for (int i = 0; i < f->count; ++i) free(f->path[i]);
  free(f->path);
  *f = (ModelFiles){0};
}
