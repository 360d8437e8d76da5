// SPDX-License-Identifier: Apache-2.0
// Papers: R57, R58.
#include "plugin/instance.h"

#include <string.h>

#include "base/decimal.h"
#include "base/error.h"

enum { ROWS_MAX = 1000, SIZE_MAX_BYTES = 1 << 30, NAME_SIZE = 64 };

// ---- what a plug-in claims about itself

static bool rows_fit(HeftOptions rows, size_t size) {
  if (rows.count < 0 || rows.count > ROWS_MAX || (rows.count > 0 && !rows.option)) return false;
  for (int i = 0; i < rows.count; ++i) {
    const HeftOption* row = &rows.option[i];
    if (!row->name || !row->unit || !row->meaning || row->type != HEFT_VALUE_DOUBLE) return false;
    if (row->offset > size || size - row->offset < sizeof(double)) return false;
  }
  return true;
}

static bool defaults_fit(HeftOptions rows) {
  for (int i = 0; i < rows.count; ++i) {
    const HeftOption* row = &rows.option[i];
    if (!(row->default_value >= row->min && row->default_value <= row->max)) return false;
  }
  return true;
}

static HeftStatus check_parts(const HeftPlugin* plugin, HeftError* error) {
  const HeftContactLaw* law = plugin->contact_law;
  const HeftDetector* detector = plugin->detector;
  const bool fits = (!law || (law->name && law->name[0] && law->solve)) &&
                    (!detector || (detector->name && detector->name[0] && detector->collide));
  return fits ? HEFT_OK
              : heft_error_set(error, HEFT_ERR_VALUE,
                               "the contact law or the detector of plug-in %s has no name or no "
                               "function",
                               plugin->name);
}

HeftStatus heft_plugin_check(const HeftPlugin* plugin, HeftError* error) {
  const uint32_t expected = HEFT_DEF_COOKIE(HeftPlugin);
  if (plugin->cookie != expected) {
    const bool marked = (plugin->cookie >> 24) == (expected >> 24);
    return heft_error_set(error, marked ? HEFT_ERR_VERSION : HEFT_ERR_ARGUMENT,
                          marked ? "the plug-in was compiled with headers of another version of "
                                   "Heft; compile it again"
                                 : "the cookie of the plug-in is not HEFT_DEF_COOKIE(HeftPlugin)");
  }
  const char* name = plugin->name ? plugin->name : "without a name";
  if (!plugin->name || !plugin->name[0] || strlen(plugin->name) >= NAME_SIZE || !plugin->help)
    return heft_error_set(error, HEFT_ERR_VALUE, "the plug-in %.60s needs a name and a help", name);
  if (plugin->size > SIZE_MAX_BYTES)
    return heft_error_set(error, HEFT_ERR_LIMIT, "the data of plug-in %s is larger than 1 GiB",
                          name);
  if (!rows_fit(plugin->options, plugin->size) || !rows_fit(plugin->values, plugin->size))
    return heft_error_set(error, HEFT_ERR_VALUE,
                          "an option or a value of plug-in %s has no text or lies outside of its "
                          "data",
                          name);
  if (!defaults_fit(plugin->options))
    return heft_error_set(error, HEFT_ERR_VALUE,
                          "the default of an option of plug-in %s is outside of its range", name);
  const bool saves = plugin->save && plugin->load && plugin->save_size;
  if (!saves && (plugin->save || plugin->load || plugin->save_size))
    return heft_error_set(error, HEFT_ERR_VALUE,
                          "plug-in %s has some of save_size, save and load, but not all", name);
  const bool records = plugin->record && plugin->replay && plugin->record_size;
  if (!records && (plugin->record || plugin->replay || plugin->record_size))
    return heft_error_set(error, HEFT_ERR_VALUE,
                          "plug-in %s has some of record_size, record and replay, but not all",
                          name);
  return check_parts(plugin, error);
}

// ---- options

void heft_instance_set_defaults(PluginInstance* instance) {
  const HeftOptions rows = instance->plugin->options;
  for (int i = 0; i < rows.count; ++i)
    heft_options_set(rows, instance->self, rows.option[i].name, rows.option[i].default_value, NULL);
}

// One "name=value" in front of `end`.
static HeftStatus read_option(PluginInstance* instance, const char* text, const char* end,
                              HeftError* error) {
  char name[NAME_SIZE];
  double value = 0;
  const char* equals = memchr(text, '=', (size_t)(end - text));
  const size_t length = equals ? (size_t)(equals - text) : 0;
  if (!equals || length == 0 || length >= sizeof name ||
      heft_decimal_read(equals + 1, end, &value) != end)
    return heft_error_set(error, HEFT_ERR_SYNTAX,
                          "expected NAME=NUMBER as an option of plug-in %s, found '%.*s'",
                          instance->plugin->name, (int)(end - text < 80 ? end - text : 80), text);
  memcpy(name, text, length);
  name[length] = '\0';
  return heft_options_set(instance->plugin->options, instance->self, name, value, error);
}

HeftStatus heft_instance_read_options(PluginInstance* instance, const char* text,
                                      HeftError* error) {
  HeftStatus status = HEFT_OK;
  while (text && *text && status == HEFT_OK) {
    const char* end = strchr(text, ',');
    if (!end) end = text + strlen(text);
    status = read_option(instance, text, end, error);
    text = *end ? end + 1 : end;
  }
  return status;
}

void heft_instance_take_options(PluginInstance* instance, const PluginInstance* from) {
  const HeftOptions rows = from->plugin->options;
  for (int i = 0; i < rows.count; ++i) {
    const double value = heft_option_value(&rows.option[i], from->self);
    if (value == rows.option[i].default_value) continue;
    // an option that is gone, or out of its new range, keeps its default
    heft_options_set(instance->plugin->options, instance->self, rows.option[i].name, value, NULL);
  }
}

// ---- life

HeftStatus heft_instance_make(PluginInstance* instance, const HeftPlugin* plugin,
                              const HeftAllocator* allocator, HeftError* error) {
  const size_t size = plugin->size > 0 ? plugin->size : 1;
  *instance = (PluginInstance){.plugin = plugin};
  instance->self = allocator->allocate(allocator->user, size, 64);
  if (!instance->self)
    return heft_error_set(error, HEFT_ERR_MEMORY, "not enough memory for plug-in %s", plugin->name);
  memset(instance->self, 0, size);
  heft_instance_set_defaults(instance);
  return HEFT_OK;
}

void heft_instance_free(PluginInstance* instance, const HeftAllocator* allocator) {
  if (!instance->self) return;
  heft_instance_end(instance);
  const size_t size = instance->plugin->size > 0 ? instance->plugin->size : 1;
  allocator->release(allocator->user, instance->self, size);
  instance->self = NULL;
}

// All fields but the options become zero.
static void clear(PluginInstance* instance) {
  const HeftPlugin* plugin = instance->plugin;
  double value[ROWS_MAX];
  for (int i = 0; i < plugin->options.count; ++i)
    value[i] = heft_option_value(&plugin->options.option[i], instance->self);
  memset(instance->self, 0, plugin->size);
  for (int i = 0; i < plugin->options.count; ++i)
    memcpy((char*)instance->self + plugin->options.option[i].offset, &value[i], sizeof(double));
}

// What a plug-in gave as its reason, with its name.
static HeftStatus refusal(const HeftPlugin* plugin, HeftStatus status, const HeftError* reason,
                          HeftError* error) {
  return heft_error_set(error, status, "plug-in %s: %.400s", plugin->name,
                        reason->message[0] ? reason->message : heft_status_text(status));
}

HeftStatus heft_instance_build(const PluginInstance* instance, HeftBuilder* builder,
                               HeftError* error) {
  HeftError reason = {0};
  const HeftStatus status = instance->plugin->build(instance->self, builder, &reason);
  return status == HEFT_OK ? status : refusal(instance->plugin, status, &reason, error);
}

HeftStatus heft_instance_begin(PluginInstance* instance, HeftWorld* world, HeftError* error) {
  const HeftPlugin* plugin = instance->plugin;
  HeftError reason = {0};
  heft_instance_end(instance);
  clear(instance);
  if (plugin->bind) plugin->bind(instance->self, plugin->user);
  HeftStatus status = plugin->create ? plugin->create(instance->self, world, &reason) : HEFT_OK;
  instance->active = status == HEFT_OK;
  instance->world = world;
  if (status == HEFT_OK) status = heft_instance_give_parts(instance, &reason);
  if (status == HEFT_OK) return HEFT_OK;
  heft_instance_end(instance);
  return refusal(plugin, status, &reason, error);
}

HeftStatus heft_instance_give_parts(const PluginInstance* instance, HeftError* error) {
  const HeftPlugin* p = instance->plugin;
  HeftStatus status = HEFT_OK;
  if (p->contact_law)
    status = heft_world_set_contact_law(instance->world, p->contact_law, instance->self, error);
  if (status == HEFT_OK && p->detector)
    status = heft_world_set_detector(instance->world, p->detector, instance->self, error);
  return status;
}

// Another version of the plug-in may have replaced them.
static void take_parts(const PluginInstance* instance) {
  const HeftPlugin* p = instance->plugin;
  HeftWorld* w = instance->world;
  if (p->contact_law && heft_world_contact_law(w) == p->contact_law)
    heft_world_set_contact_law(w, NULL, NULL, NULL);
  if (p->detector && heft_world_detector(w) == p->detector)
    heft_world_set_detector(w, NULL, NULL, NULL);
}

void heft_instance_end(PluginInstance* instance) {
  if (instance->active) take_parts(instance);
  if (instance->active && instance->plugin->destroy) instance->plugin->destroy(instance->self);
  instance->active = false;
}

// ---- data

size_t heft_instance_save_size(const PluginInstance* instance) {
  const HeftPlugin* plugin = instance->plugin;
  return plugin->save_size ? plugin->save_size(instance->self) : plugin->size;
}

void heft_instance_save(const PluginInstance* instance, void* bytes) {
  const HeftPlugin* plugin = instance->plugin;
  if (plugin->save) {
    plugin->save(instance->self, bytes);
  } else {
    memcpy(bytes, instance->self, plugin->size);
  }
}

bool heft_instance_load(PluginInstance* instance, const void* bytes, size_t size) {
  const HeftPlugin* plugin = instance->plugin;
  if (plugin->load) return plugin->load(instance->self, bytes, size);
  if (size != plugin->size) return false;
  memcpy(instance->self, bytes, size);
  return true;
}
