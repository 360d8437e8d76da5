// SPDX-License-Identifier: Apache-2.0
#include "gallery.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "data_folder.h"
#include "experiments/act_plugin.h"

typedef struct Scene {
  const char *name, *text;
} Scene;

static const Scene scenes[] = {
    {"humanoid", "a humanoid falls; hold its joints with H"},
    {"quadruped", "a robot dog under servos"},
    {"pyramid", "boxes, 15 layers"},
    {"kapla", "a tower of 102 planks"},
    {"heap", "shapes of many kinds fall on a heap"},
    {"boxes", "250 boxes that stand apart"},
    {"cradle", "Newton's cradle"},
    {"disk", "Euler's disk"},
    {"chain", "a hanging chain"},
    {"rocking", "a slender block rocks"},
    {"pinch", "a capsule between two jaws"},
    {"moved", "platform, lift, belt and turntable"},
};

typedef struct ActTime {
  const char* name;
  double time;
} ActTime;

// When an act is seen best [s]; the others after 3 s, scenes after 0.7 s.
static double picture_time_of(const char* name, bool acts) {
  static const ActTime times[] = {{"stand", 1.3}, {"walk", 2.35},  {"jump", 1.6}, {"stumble", 3.6},
                                  {"toes", 1.6},  {"vertices", 1}, {"slip", 2.6}};
  for (size_t i = 0; acts && i < sizeof times / sizeof *times; ++i) {
    if (strcmp(times[i].name, name) == 0) return times[i].time;
  }
  return acts ? 3 : 0.7;
}

static int add(HeftGalleryEntry* e, const char* name, const char* text, const char* folder,
               const char* file, bool acts) {
  snprintf(e->name, sizeof e->name, "%s", name);
  snprintf(e->text, sizeof e->text, "%s", text);
  snprintf(e->file, sizeof e->file, "%.900s/%.100s", folder, file);
  e->acts = acts;
  e->picture_time = picture_time_of(name, acts);
  return access(e->file, R_OK) == 0;
}

int gallery_fill(HeftGalleryEntry entry[GALLERY_MAX]) {
  char place[600], file[64];
  int n = 0;
  const char* folder = robot_folder(place, sizeof place);
  for (int i = 0; folder && act_at(i) && n < GALLERY_MAX; ++i)
    n += add(&entry[n], act_at(i)->name, act_at(i)->text, folder, act_at(i)->file, true);
  folder = scene_folder(place, sizeof place);
  for (size_t i = 0; folder && i < sizeof scenes / sizeof *scenes && n < GALLERY_MAX; ++i) {
    snprintf(file, sizeof file, "%s.xml", scenes[i].name);
    n += add(&entry[n], scenes[i].name, scenes[i].text, folder, file, false);
  }
  return n;
}
