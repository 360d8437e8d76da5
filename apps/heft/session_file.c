// SPDX-License-Identifier: Apache-2.0
#include "session_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct SessionFile {
  const char* path;
  HeftSessionPlugins plugins;
  HeftSessionLog* log;
};

static const char* spec(const void* set, int index, char* text, size_t size) {
  return heft_plugin_set_spec(set, index, text, size);
}

static size_t start_size(const void* set) { return heft_plugin_set_save_size(set); }

static void start(const void* set, void* bytes) { heft_plugin_set_save(set, bytes); }

static size_t input_size(const void* set) { return heft_plugin_set_record_size(set); }

static void input(const void* set, void* bytes) { heft_plugin_set_record(set, bytes); }

SessionFile* session_file_open(const char* path, const HeftSessionInfo* info,
                               const HeftPluginSet* plugins) {
  HeftSessionInfo all = *info;
  SessionFile* file = calloc(1, sizeof *file);
  if (!file) {
    fprintf(stderr, "heft: error: not enough memory for the recording '%s'\n", path);
    return NULL;
  }
  file->path = path;
  if (plugins) {
    file->plugins = (HeftSessionPlugins){.user = plugins,
                                         .count = heft_plugin_set_count(plugins),
                                         .spec = spec,
                                         .start_size = start_size,
                                         .start = start,
                                         .input_size = input_size,
                                         .input = input};
    all.plugins = &file->plugins;
  }
  file->log = heft_session_log_open(path, &all);
  if (file->log) return file;
  fprintf(stderr, "heft: error: %s: %s\n", path, strerror(errno));
  free(file);
  return NULL;
}

void session_file_step(SessionFile* file, HeftSession* session, const HeftStepReport* report) {
  heft_session_log_step(file->log, session, report);
}

void session_file_action(SessionFile* file, const HeftAction* action) {
  heft_session_log_action(file->log, -1, action);
}

void session_file_change(SessionFile* file, const HeftChange* change) {
  const HeftAction action = {.kind = HEFT_ACTION_CHANGE, .change = *change};
  session_file_action(file, &action);
}

int session_file_close(SessionFile* file) {
  if (!file) return 1;
  const int well = heft_session_log_close(file->log);
  if (!well)
    fprintf(stderr, "heft: error: cannot write %s completely; is the disk full?\n", file->path);
  free(file);
  return well;
}
