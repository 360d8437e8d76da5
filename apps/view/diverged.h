// SPDX-License-Identifier: Apache-2.0
// After a step that was rolled back because numbers grew too large: which joint, and what moved it.
#ifndef HEFT_APPS_VIEW_DIVERGED_H
#define HEFT_APPS_VIEW_DIVERGED_H

#include <heft/plugin.h>
#include <heft/world.h>

/// A sentence with the joint, its value and its velocity, and the force on it with its source: an
/// actuator and who wrote its control, a joint force, or the mouse (hand: its force [N]). plugins
/// may be NULL.
void diverged_text(HeftWorld* world, const HeftPluginSet* plugins, HeftStepStatus status,
                   double hand, char* out, size_t size);

#endif
