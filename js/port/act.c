// SPDX-License-Identifier: Apache-2.0
// Robots that act: the acts of the experiments, which are plug-ins, in a world of JavaScript. Their set is the native one without
// files, since a module of WebAssembly loads no code.
#include <heft/plugin.h>
#include <stdio.h>
#include <string.h>

#include "act.h"
#include "experiments/act_plugin.h"
#include "plugin/shared_object.h"

HeftStatus heft_js_act_create(HeftPluginSet** out, const char* name, const char* options,
                              HeftError* error) {
  const Act* act = act_find(name);
  *out = NULL;
  if (!act) {
    char* text = error->message;
    int used = snprintf(text, sizeof error->message,
                        "the act '%.60s' is not in this package, which has:", name);
    for (int i = 0; act_at(i) && used > 0 && used < (int)sizeof error->message; ++i)
      used += snprintf(text + used, sizeof error->message - (size_t)used, "%s %s", i ? "," : "",
                       act_at(i)->name);
    return error->status = HEFT_ERR_NAME;
  }
  HeftStatus status = heft_plugin_set_create(out, NULL, error);
  if (status == HEFT_OK) status = heft_plugin_set_add(*out, act_plugin(act), options, error);
  if (status == HEFT_OK) return HEFT_OK;
  heft_plugin_set_destroy(*out);
  *out = NULL;
  return status;
}


// ---- files of plug-ins, which there are none

bool heft_file_stamp(const char* path, FileStamp* stamp) {
  (void)path, (void)stamp;
  return false;
}

bool heft_file_stamp_equal(const FileStamp* a, const FileStamp* b) {
  return a->size == b->size;
}

HeftStatus heft_shared_object_open(SharedObject* out, const char* path, HeftError* error) {
  (void)path, (void)error;
  *out = (SharedObject){0};
  return HEFT_ERR_UNSUPPORTED;
}

void heft_shared_object_close(SharedObject* object) { (void)object; }
