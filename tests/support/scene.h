// SPDX-License-Identifier: Apache-2.0
// Models that a test describes in its own lines, as MJCF.
#ifndef HEFT_TESTS_SUPPORT_SCENE_H
#define HEFT_TESTS_SUPPORT_SCENE_H

#include <heft/world.h>

/// Loads a model; a mistake fails the test, with its line.
HeftModel* scene_model(const char* text);
/// Makes a world by default; a mistake fails the test.
HeftWorld* scene_world(const HeftModel* model);

#endif
