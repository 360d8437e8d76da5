// SPDX-License-Identifier: Apache-2.0
// A user of heft_plugin: a plug-in of the program pushes a body, and a missing file is told.
#include <heft/model.h>
#include <heft/plugin.h>
#include <stdio.h>

static void push(void* self, HeftWorld* world) {
  (void)self;
  heft_world_joint_forces(world)[0] = 1;
}

int main(void) {
  static const HeftPlugin pusher = {.cookie = HEFT_DEF_COOKIE(HeftPlugin),
                                    .name = "pusher",
                                    .help = "pushes",
                                    .before_step = push};
  HeftError error = {0};
  HeftPluginSet* set = NULL;
  if (heft_plugin_set_create(&set, NULL, &error) != HEFT_OK ||
      heft_plugin_set_add(set, &pusher, "", &error) != HEFT_OK) {
    printf("%s\n", error.message);
    return 1;
  }
  const HeftStatus status = heft_plugin_set_load(set, "./none.so", &error);
  printf("%d plug-in; %s\n", heft_plugin_set_count(set), error.message);
  heft_plugin_set_destroy(set);
  return status != HEFT_ERR_FILE;
}
