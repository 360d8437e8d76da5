// SPDX-License-Identifier: Apache-2.0
// Folders of the files that are installed with Heft.
#ifndef HEFT_APPS_DATA_FOLDER_H
#define HEFT_APPS_DATA_FOLDER_H

#include <stddef.h>

/// Path of this program, and its folder. 0 if it cannot be found.
int program_path(char* out, size_t size);
int program_folder(char* out, size_t size);

/// Scenes: HEFT_SCENES, share/heft/scenes beside the installed command, or scenes/ of the source.
/// NULL: not found. The text is in out or in the environment.
const char* scene_folder(char* out, size_t size);
/// scene_folder() for the robots of Heft; HEFT_MODELS may name another folder of them.
const char* robot_folder(char* out, size_t size);
/// 1 if the folder contains the robots of Heft.
int holds_robots(const char* folder);

/// Files of the page for browsers: HEFT_PAGE, share/heft/web beside the installed command, or
/// build/web of the source. NULL: not found.
const char* page_folder(char* out, size_t size);

/// Path of an installed module (lib/heft/FILE). 0 if it is not installed.
int module_path(const char* file, char* out, size_t size);

#endif
