// SPDX-License-Identifier: Apache-2.0
// A set of plug-ins that holds one act.
#ifndef HEFT_JS_PORT_ACT_H
#define HEFT_JS_PORT_ACT_H

#include <heft/plugin.h>

/// name: of an act; options: "steps=20", or "". HEFT_ERR_NAME: there is no such act.
HeftStatus heft_js_act_create(HeftPluginSet** out, const char* name, const char* options,
                              HeftError* error);

#endif
