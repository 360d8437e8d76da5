// SPDX-License-Identifier: Apache-2.0
// Where the files lie that Heft comes with.
#ifndef HEFT_APPS_DATA_FOLDER_H
#define HEFT_APPS_DATA_FOLDER_H

#include <stddef.h>

/// Scenes: HEFT_SCENES, share/heft/scenes beside the installed command, or scenes/ of the source.
/// NULL: nowhere. The text is in out or lives as long as the program.
const char* scene_folder(char* out, size_t size);
/// The same for the robots of our own; HEFT_MODELS may hold those of others instead.
const char* robot_folder(char* out, size_t size);
/// 1 if the robots of our own are there.
int holds_robots(const char* folder);

/// Where a module of ours is (lib/heft/FILE): 0 if it is not installed.
int module_path(const char* file, char* out, size_t size);

#endif
