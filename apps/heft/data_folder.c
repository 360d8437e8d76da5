// SPDX-License-Identifier: Apache-2.0
// Folders of the files that are installed with Heft.
#define _XOPEN_SOURCE 700  // realpath
#include "data_folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int holds(const char* folder, const char* file) {
  char path[1200];
  snprintf(path, sizeof path, "%.1000s/%s", folder, file);
  return access(path, R_OK) == 0;
}

int program_path(char* out, size_t size) {
  const ssize_t length = readlink("/proc/self/exe", out, size - 1);
  if (length <= 0) return 0;
  out[length] = '\0';
  return 1;
}

int program_folder(char* out, size_t size) {
  if (!program_path(out, size)) return 0;
  char* slash = strrchr(out, '/');
  if (slash) *slash = '\0';
  return slash != NULL;
}

// Folder of installed files: next to the installed program, or in the source tree (HEFT_SOURCE_PATH
// leads there from the folder of a program that was built, so that no path of a machine is compiled
// in).
static const char* find(const char* name, const char* file, const char* source, char* out,
                        size_t size) {
  char self[512];
  if (!program_folder(self, sizeof self)) return NULL;
  snprintf(out, size, "%s/../share/heft/%s", self, name);
  if (holds(out, file)) return out;
  snprintf(out, size, "%s/%s/%s", self, HEFT_SOURCE_PATH, source);
  if (!holds(out, file)) return NULL;
  char* plain = realpath(out, NULL);  // without "..", for people who read it
  if (plain) snprintf(out, size, "%s", plain);
  free(plain);
  return out;
}

int module_path(const char* file, char* out, size_t size) {
  static const char* const folders[] = {HEFT_MODULE_PATH, "../lib/heft", NULL};
  char self[512];
  if (!program_folder(self, sizeof self)) return 0;
  for (int i = 0; folders[i]; ++i) {
    const int n = snprintf(out, size, "%s/%s/%s", self, folders[i], file);
    if (n > 0 && (size_t)n < size && access(out, R_OK) == 0) return 1;
  }
  return 0;
}

const char* scene_folder(char* out, size_t size) {
  const char* reported = getenv("HEFT_SCENES");
  if (reported) return holds(reported, "slope.xml") ? reported : NULL;
  return find("scenes", "slope.xml", "scenes", out, size);
}

int holds_robots(const char* folder) { return holds(folder, "hrp2_like.xml"); }

const char* robot_folder(char* out, size_t size) {
  const char* reported = getenv("HEFT_MODELS");
  if (reported && holds_robots(reported)) return reported;
  return find("models", "hrp2_like.xml", "models", out, size);
}

const char* page_folder(char* out, size_t size) {
  const char* reported = getenv("HEFT_PAGE");
  if (reported) return holds(reported, "index.html") ? reported : NULL;
  return find("web", "index.html", "build/web", out, size);
}
