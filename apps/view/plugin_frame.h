// SPDX-License-Identifier: Apache-2.0
// Plug-ins in a frame: names, options and values as copies, and the marks that they draw.
#ifndef HEFT_APPS_VIEW_PLUGIN_FRAME_H
#define HEFT_APPS_VIEW_PLUGIN_FRAME_H

#include <heft/view.h>

/// Fills in all fields of a frame whose names begin with plugin, but plugin_reloads. plugins may be
/// NULL.
void plugin_frame_fill(const HeftPluginSet* plugins, HeftViewFrame* frame);
/// Values of the plug-ins in a sample.
void plugin_frame_sample(const HeftPluginSet* plugins, HeftSample* sample);

#endif
