// SPDX-License-Identifier: Apache-2.0
#include "model_names.h"

#include <dirent.h>
#include <heft/base.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "data_folder.h"
#include "experiments/act_plugin.h"
#include "model_files.h"

enum { FOLDERS = 24, NAMES = 1024 };

typedef struct Folders {
  char path[FOLDERS][600];
  int count;
} Folders;

static void add_folder(Folders* f, const char* path, size_t length) {
  if (f->count == FOLDERS || length == 0 || length >= sizeof f->path[0]) return;
  memcpy(f->path[f->count], path, length);
  f->path[f->count++][length] = '\0';
}

// HEFT_PATH, then the scenes and the robots of Heft.
static void find_folders(Folders* f) {
  char room[600];
  f->count = 0;
  for (const char* path = getenv("HEFT_PATH"); path && *path;) {
    const size_t length = strcspn(path, ":");
    add_folder(f, path, length);
    path += length + (path[length] == ':');
  }
  const char* scenes = scene_folder(room, sizeof room);
  if (scenes) add_folder(f, scenes, strlen(scenes));
  const char* robots = robot_folder(room, sizeof room);
  if (robots) add_folder(f, robots, strlen(robots));
}

static int is_file(const char* path) {
  struct stat info;
  return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

static const char* const endings[] = {"", ".xml", ".urdf", ".mjcf", ".heft"};

static int find_in(const char* folder, const char* name, char* out) {
  for (size_t e = 0; e < sizeof endings / sizeof *endings; ++e) {
    const int n = snprintf(out, MODEL_NAME_PATH, "%s/%s%s", folder, name, endings[e]);
    if (n > 0 && n < MODEL_NAME_PATH && is_file(out) && model_format(out) != MODEL_NONE) return 1;
  }
  return 0;
}

const char* model_name_find(const char* name, char* out) {
  struct stat info;
  Folders folders;
  if (stat(name, &info) == 0 || name[0] == '/' || name[0] == '.' || strstr(name, "..")) return name;
  find_folders(&folders);
  for (int i = 0; i < folders.count; ++i) {
    if (find_in(folders.path[i], name, out)) return out;
    // "scenes/x" in the folder ".../scenes"
    const char *slash = strchr(name, '/'), *last = strrchr(folders.path[i], '/');
    const char* base = last ? last + 1 : folders.path[i];
    if (slash && strlen(base) == (size_t)(slash - name) &&
        strncmp(base, name, (size_t)(slash - name)) == 0 &&
        find_in(folders.path[i], slash + 1, out))
      return out;
  }
  return name;
}

// ---- all names

typedef struct ModelNames {
  char name[NAMES][80];
  int folder[NAMES];
  int count;
} ModelNames;

static int compare(const void* a, const void* b) { return strcmp(a, b); }

static void read_folder(ModelNames* n, const char* folder, int index) {
  DIR* list = opendir(folder);
  const int first = n->count;
  for (struct dirent* e = list ? readdir(list) : NULL; e && n->count < NAMES; e = readdir(list)) {
    char path[MODEL_NAME_PATH];
    const char* dot = strrchr(e->d_name, '.');
    const size_t length = dot ? (size_t)(dot - e->d_name) : 0;
    snprintf(path, sizeof path, "%.600s/%.255s", folder, e->d_name);
    if (length == 0 || length >= sizeof n->name[0] || model_format(path) == MODEL_NONE) continue;
    memcpy(n->name[n->count], e->d_name, length);
    n->name[n->count][length] = '\0';
    n->folder[n->count++] = index;
  }
  if (list) closedir(list);
  qsort(n->name + first, (size_t)(n->count - first), sizeof n->name[0], compare);
}

static ModelNames* read_names(const Folders* folders) {
  ModelNames* n = calloc(1, sizeof *n);
  for (int i = 0; n && i < folders->count; ++i) read_folder(n, folders->path[i], i);
  return n;
}

// Robots that act may be meant too.
static void add_acts(ModelNames* n) {
  for (int i = 0; act_at(i) && n->count < NAMES; ++i)
    snprintf(n->name[n->count++], sizeof n->name[0], "%s", act_at(i)->name);
}

static const char* name_at(const void* from, int index) {
  return ((const ModelNames*)from)->name[index];
}

// Words that people try, and what there is of that kind; NULL: none.
static const char* model_of_kind(const char* word) {
  static const char* const kinds[][2] = {
      {"dog", "quadruped"}, {"spot", "quadruped"}, {"go2", "quadruped"}, {"robot", "walk"},
      {"biped", "walk"},    {"g1", "hrp2_like"},   {"h1", "hrp2_like"},  {"human", "avatar"},
      {"person", "avatar"}, {"gripper", "pinch"},  {"grasp", "pinch"},   {"hand", "pinch"},
      {"tower", "kapla"},   {"incline", "ramp"}};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i)
    if (strcmp(word, kinds[i][0]) == 0) return kinds[i][1];
  return NULL;
}

void model_name_hint(const char* name) {
  Folders folders;
  char hint[300];
  if (is_file(name) || strchr(name, '/')) return;
  find_folders(&folders);
  ModelNames* n = read_names(&folders);
  if (!n) return;
  add_acts(n);
  heft_names_hint((HeftNames){name_at, n, n->count}, name, hint, sizeof hint);
  if (model_of_kind(name)) snprintf(hint, sizeof hint, "did you mean '%s'?", model_of_kind(name));
  const int near = strncmp(hint, "did you mean", 12) == 0;
  fprintf(stderr, "%s: note: %s\n", name,
          near ? hint : "'heft info --list' prints the models that are found by name");
  free(n);
}

void model_names_list(void) {
  Folders folders;
  find_folders(&folders);
  ModelNames* n = read_names(&folders);
  for (int i = 0; n && i < n->count; ++i)
    printf("%-20s %s\n", n->name[i], folders.path[n->folder[i]]);
  free(n);
}
