// SPDX-License-Identifier: Apache-2.0
// Where the scene files lie.
#ifndef HEFT_APPS_SCENE_FOLDER_H
#define HEFT_APPS_SCENE_FOLDER_H

#include <stddef.h>

/// HEFT_SCENES, share/heft/scenes beside the installed command, or scenes/ of the source. NULL:
/// nowhere. The text is in out or lives as long as the program.
const char* scene_folder(char* out, size_t size);

#endif
