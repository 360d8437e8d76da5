// SPDX-License-Identifier: Apache-2.0
#include "support/scene.h"

#include <heft/io.h>
#include <string.h>

#include "support/check.h"

HeftModel* scene_model(const char* text) {
  HeftModel* model = NULL;
  HeftError error = {0};
  if (heft_model_load_bytes(&model, text, strlen(text), "scene", NULL, &error) != HEFT_OK)
    fail_msg("%d: %s", error.line, error.message);
  return model;
}

HeftWorld* scene_world(const HeftModel* model) {
  HeftWorld* world = NULL;
  HeftError error = {0};
  if (heft_world_create(&world, model, NULL, &error) != HEFT_OK) fail_msg("%s", error.message);
  return world;
}
