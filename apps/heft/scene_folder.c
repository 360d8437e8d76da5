// SPDX-License-Identifier: Apache-2.0
#include "scene_folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int holds_scenes(const char* folder) {
  char path[1200];
  snprintf(path, sizeof path, "%s/slope.xml", folder);
  return access(path, R_OK) == 0;
}

const char* scene_folder(char* out, size_t size) {
  const char* told = getenv("HEFT_SCENES");
  if (told) return holds_scenes(told) ? told : NULL;
  char self[512];
  const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
  if (length > 0) {
    self[length] = '\0';
    char* slash = strrchr(self, '/');
    if (slash) *slash = '\0';
    snprintf(out, size, "%s/../share/heft/scenes", self);
    if (holds_scenes(out)) return out;
  }
  return holds_scenes(HEFT_SCENE_DIR) ? HEFT_SCENE_DIR : NULL;
}
