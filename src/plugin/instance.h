// SPDX-License-Identifier: Apache-2.0
// One plug-in in one world: its data, and the calls of its functions.
#ifndef HEFT_SRC_PLUGIN_INSTANCE_H
#define HEFT_SRC_PLUGIN_INSTANCE_H

#include <heft/plugin.h>

typedef struct PluginInstance {
  const HeftPlugin* plugin;
  void* self;        ///< plugin->size bytes, at least 1
  bool active;       ///< created in the world
  HeftWorld* world;  ///< if active
} PluginInstance;

/// HEFT_OK if the struct was compiled with these headers and is complete.
HeftStatus heft_plugin_check(const HeftPlugin* plugin, HeftError* error);

/// Memory with the default options. HEFT_ERR_MEMORY on failure.
HeftStatus heft_instance_make(PluginInstance* instance, const HeftPlugin* plugin,
                              const HeftAllocator* allocator, HeftError* error);
void heft_instance_free(PluginInstance* instance, const HeftAllocator* allocator);
void heft_instance_set_defaults(PluginInstance* instance);
/// Writes options: "speed=0.4,height=1". text may be NULL.
HeftStatus heft_instance_read_options(PluginInstance* instance, const char* text, HeftError* error);
/// Options of another version of the plug-in, by name. An option at the default of its version gets
/// the default of this one.
void heft_instance_take_options(PluginInstance* instance, const PluginInstance* from);

/// Lets the plug-in, which must be able to, add to a scene.
HeftStatus heft_instance_build(const PluginInstance* instance, HeftBuilder* builder,
                               HeftError* error);
/// Creates the instance in a world, from zero except for its options.
HeftStatus heft_instance_begin(PluginInstance* instance, HeftWorld* world, HeftError* error);
void heft_instance_end(PluginInstance* instance);
/// The world uses the contact law and the detector of an active instance from the next step on.
HeftStatus heft_instance_give_parts(const PluginInstance* instance, HeftError* error);

/// The data of an instance as bytes: save() of the plug-in, or all of self.
size_t heft_instance_save_size(const PluginInstance* instance);
void heft_instance_save(const PluginInstance* instance, void* bytes);
bool heft_instance_load(PluginInstance* instance, const void* bytes, size_t size);

#endif
