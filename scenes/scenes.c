// SPDX-License-Identifier: Apache-2.0
// The list of scenes by name.
#include "scenes.h"

#include <string.h>

#include "parts.h"

static const struct {
  const char *name, *text;
  void (*build)(HeftBuilder* builder);
} scenes[] = {
#define ROW(name, text) {#name, text, scene_build_##name},
    SCENE_LIST(ROW)
#undef ROW
};

int scene_count(void) { return (int)(sizeof scenes / sizeof *scenes); }
const char* scene_name(int index) { return scenes[index].name; }
const char* scene_text(int index) { return scenes[index].text; }

HeftModel* scene_create(const char* name, HeftError* error) {
  for (int i = 0; i < scene_count(); ++i) {
    if (strcmp(scenes[i].name, name) != 0) continue;
    HeftBuilder* builder = NULL;
    HeftModel* model = NULL;
    if (heft_builder_create(&builder, NULL, error) != HEFT_OK) return NULL;
    scenes[i].build(builder);
    heft_builder_finish(builder, &model, error);
    heft_builder_destroy(builder);
    return model;
  }
  return NULL;
}
