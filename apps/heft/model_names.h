// SPDX-License-Identifier: Apache-2.0
// Models by name: a model that is no file is looked for in the folders of HEFT_PATH, then among the
// scenes and robots that are installed with Heft. "humanoid", "humanoid.xml" and
// "scenes/humanoid.xml" name the same file.
#ifndef HEFT_APPS_MODEL_NAMES_H
#define HEFT_APPS_MODEL_NAMES_H

#include <stddef.h>

enum { MODEL_NAME_PATH = 1200 };

/// If `name` is no file, stores the path of the model of that name in out (MODEL_NAME_PATH bytes).
/// Returns the path: out, or name itself if there is no such model.
const char* model_name_find(const char* name, char* out);
/// Prints a hint to stderr about a name that is neither a file nor a model: the nearest name.
void model_name_hint(const char* name);
/// Prints the names and paths of all models.
void model_names_list(void);

#endif
