// SPDX-License-Identifier: Apache-2.0
// Papers: R52, R74.
// Plug-ins in the order in which they act, and their life with a world.
//
// The data of a set, for snapshots, is for each plug-in a header, the options, and the bytes of the
// instance:
//
//     u64 hash of the name, u64 data_version, u64 number of options, u64 size | f64 options | bytes
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/allocator.h"
#include "base/assert.h"
#include "base/decimal.h"
#include "base/error.h"
#include "base/hash.h"
#include "plugin/instance.h"
#include "plugin/shared_object.h"

enum { PLUGINS_MAX = 64, PATH_SIZE = 1024, HEADER = 4 };
static const uint64_t settle_ns = 100000000;

typedef struct Entry {
  PluginInstance instance;
  SharedObject file;     // handle NULL: a plug-in of the program
  char path[PATH_SIZE];  // "": a plug-in of the program
  FileStamp seen;        // the version of the file that was seen last, and when first [ns]
  uint64_t seen_ns;
  FileStamp tried;  // the version of the file that was loaded, or refused, last
} Entry;

struct HeftPluginSet {
  HeftAllocator allocator;
  HeftWorld* world;    // NULL: the plug-ins do not act
  uint64_t structure;  // of the model of the last world
  Entry entry[PLUGINS_MAX];
  int count;
};

HeftStatus heft_plugin_set_create(HeftPluginSet** out, const HeftAllocator* allocator,
                                  HeftError* error) {
  HEFT_REQUIRE(out, HEFT_ERR_ARGUMENT);
  *out = NULL;
  const HeftAllocator from = allocator_or_default(allocator);
  HeftPluginSet* set = from.allocate(from.user, sizeof *set, 64);
  if (!set) return heft_error_set(error, HEFT_ERR_MEMORY, "not enough memory for plug-ins");
  memset(set, 0, sizeof *set);
  set->allocator = from;
  *out = set;
  return HEFT_OK;
}

static void free_entry(HeftPluginSet* set, Entry* entry) {
  heft_instance_free(&entry->instance, &set->allocator);
  heft_shared_object_close(&entry->file);
}

void heft_plugin_set_destroy(HeftPluginSet* set) {
  if (!set) return;
  const HeftAllocator from = set->allocator;
  for (int i = set->count - 1; i >= 0; --i) free_entry(set, &set->entry[i]);
  from.release(from.user, set, sizeof *set);
}

// ---- adding

// One plug-in of a set may bring a contact law, and one a detector. own: the entry of the plug-in
// itself, or NULL.
static HeftStatus check_parts(const HeftPluginSet* set, const Entry* own, const HeftPlugin* plugin,
                              HeftError* error) {
  HEFT_REQUIRE(plugin, HEFT_ERR_ARGUMENT);
  for (int i = 0; i < set->count; ++i) {
    const HeftPlugin* other = set->entry[i].instance.plugin;
    const bool law = plugin->contact_law && other->contact_law;
    if (&set->entry[i] == own || (!law && !(plugin->detector && other->detector))) continue;
    return heft_error_set(error, HEFT_ERR_VALUE, "both plug-in %s and plug-in %s bring %s",
                          other->name, plugin->name, law ? "a contact law" : "a detector");
  }
  return HEFT_OK;
}

// Makes the instance of an entry whose plug-in is known, and creates it in the world if there is
// one. The entry is freed on failure.
static HeftStatus add_entry(HeftPluginSet* set, Entry* entry, const HeftPlugin* plugin,
                            const char* options, HeftError* error) {
  HeftStatus status = heft_plugin_check(plugin, error);
  if (status == HEFT_OK) status = check_parts(set, NULL, plugin, error);
  if (status == HEFT_OK)
    status = heft_instance_make(&entry->instance, plugin, &set->allocator, error);
  if (status == HEFT_OK) status = heft_instance_read_options(&entry->instance, options, error);
  if (status == HEFT_OK && set->world)
    status = heft_instance_begin(&entry->instance, set->world, error);
  if (status != HEFT_OK) {
    free_entry(set, entry);
    return status;
  }
  set->entry[set->count++] = *entry;
  return HEFT_OK;
}

static HeftStatus check_room(const HeftPluginSet* set, HeftError* error) {
  if (set->count < PLUGINS_MAX) return HEFT_OK;
  return heft_error_set(error, HEFT_ERR_LIMIT, "there are more than %d plug-ins", PLUGINS_MAX);
}

HeftStatus heft_plugin_set_add(HeftPluginSet* set, const HeftPlugin* plugin, const char* options,
                               HeftError* error) {
  HEFT_REQUIRE(set && plugin, HEFT_ERR_ARGUMENT);
  Entry entry = {0};
  const HeftStatus status = check_room(set, error);
  return status == HEFT_OK ? add_entry(set, &entry, plugin, options, error) : status;
}

HeftStatus heft_plugin_set_load(HeftPluginSet* set, const char* spec, HeftError* error) {
  HEFT_REQUIRE(set && spec, HEFT_ERR_ARGUMENT);
  Entry entry = {0};
  HeftStatus status = check_room(set, error);
  if (status != HEFT_OK) return status;
  const char* colon = strrchr(spec, ':');
  const size_t length = colon ? (size_t)(colon - spec) : strlen(spec);
  if (length == 0 || length >= sizeof entry.path)
    return heft_error_set(error, HEFT_ERR_SYNTAX,
                          "expected a plug-in as FILE or FILE:NAME=NUMBER,..., found '%.200s'",
                          spec);
  memcpy(entry.path, spec, length);
  status = heft_shared_object_open(&entry.file, entry.path, error);
  if (status != HEFT_OK) return status;
  entry.tried = entry.file.stamp;
  return add_entry(set, &entry, entry.file.plugin, colon ? colon + 1 : NULL, error);
}

// ---- scenes

HeftStatus heft_plugin_set_build(const HeftPluginSet* set, HeftModel** out, HeftError* error) {
  HEFT_REQUIRE(set && out, HEFT_ERR_ARGUMENT);
  HeftBuilder* builder = NULL;
  int count = 0;
  *out = NULL;
  HeftStatus status = heft_builder_create(&builder, &set->allocator, error);
  for (int i = 0; i < set->count && status == HEFT_OK; ++i) {
    const PluginInstance* p = &set->entry[i].instance;
    if (!p->plugin->build) continue;
    ++count;
    status = heft_instance_build(p, builder, error);
  }
  if (status == HEFT_OK && count == 0)
    status = heft_error_set(error, HEFT_ERR_NAME, "no plug-in builds a scene");
  if (status == HEFT_OK) status = heft_builder_finish(builder, out, error);
  heft_builder_destroy(builder);
  return status;
}

// ---- data

size_t heft_plugin_set_save_size(const HeftPluginSet* set) {
  HEFT_REQUIRE(set, 0);
  size_t size = 0;
  for (int i = 0; i < set->count; ++i) {
    const PluginInstance* p = &set->entry[i].instance;
    size += (HEADER + (size_t)p->plugin->options.count) * 8 + heft_instance_save_size(p);
  }
  return size;
}

static uint64_t name_hash(const HeftPlugin* plugin) {
  return heft_hash(plugin->name, strlen(plugin->name), 0);
}

void heft_plugin_set_save(const HeftPluginSet* set, void* bytes) {
  HEFT_REQUIRE_VOID(set && (bytes || set->count == 0));
  char* to = bytes;
  for (int i = 0; i < set->count; ++i) {
    const PluginInstance* p = &set->entry[i].instance;
    const HeftOptions options = p->plugin->options;
    const uint64_t header[HEADER] = {name_hash(p->plugin), (uint64_t)p->plugin->data_version,
                                     (uint64_t)options.count, heft_instance_save_size(p)};
    to = (char*)bytes_put_array((unsigned char*)to, header, HEADER, 8);
    for (int k = 0; k < options.count; ++k)
      to = (char*)bytes_put_double((unsigned char*)to,
                                   heft_option_value(&options.option[k], p->self));
    heft_instance_save(p, to);
    to += header[3];
  }
}

// Reads the data of one plug-in. Returns the number of bytes, 0 if they do not belong to it.
static size_t restore_one(PluginInstance* p, const char* from, size_t size) {
  const HeftOptions options = p->plugin->options;
  uint64_t header[HEADER];
  if (size < sizeof header) return 0;
  const unsigned char* values = bytes_get_array((const unsigned char*)from, header, HEADER, 8);
  const size_t front = sizeof header + (size_t)options.count * sizeof(double);
  if (header[0] != name_hash(p->plugin) || header[1] != (uint64_t)p->plugin->data_version ||
      header[2] != (uint64_t)options.count || size < front || header[3] > size - front)
    return 0;
  for (int k = 0; k < options.count; ++k) {
    const double value = bytes_get_double(&values);
    if (heft_options_set(options, p->self, options.option[k].name, value, NULL) != HEFT_OK)
      return 0;
  }
  return heft_instance_load(p, from + front, header[3]) ? front + header[3] : 0;
}

HeftStatus heft_plugin_set_restore(HeftPluginSet* set, const void* bytes, size_t size) {
  HEFT_REQUIRE(set && (bytes || size == 0), HEFT_ERR_ARGUMENT);
  const char* from = bytes;
  for (int i = 0; i < set->count; ++i) {
    const size_t used = restore_one(&set->entry[i].instance, from, size);
    if (used == 0) return HEFT_ERR_SYNTAX;
    from += used;
    size -= used;
  }
  return size == 0 ? HEFT_OK : HEFT_ERR_SYNTAX;
}

// ---- worlds

// Begins an instance in a world and returns to it the bytes that it had before, if they fit.
static HeftStatus begin_with(PluginInstance* p, HeftWorld* world, const void* bytes, size_t size,
                             HeftError* error) {
  HeftStatus status = heft_instance_begin(p, world, error);
  // load may have changed a part of the data before it found that the bytes do not fit
  if (status == HEFT_OK && bytes && !heft_instance_load(p, bytes, size))
    status = heft_instance_begin(p, world, error);
  return status;
}

// The data of an active instance, to be released by the caller; NULL if there is none.
static void* take_bytes(const HeftPluginSet* set, const PluginInstance* p, size_t* size) {
  *size = p->active ? heft_instance_save_size(p) : 0;
  void* bytes = *size > 0 ? set->allocator.allocate(set->allocator.user, *size, 64) : NULL;
  if (bytes) heft_instance_save(p, bytes);
  return bytes;
}

static void give_bytes(const HeftPluginSet* set, void* bytes, size_t size) {
  if (bytes) set->allocator.release(set->allocator.user, bytes, size);
}

// Two models with the same hash have the same bodies, joints and actuators under the same numbers;
// their masses or materials may differ.
static uint64_t structure_hash(const HeftModel* m) {
  static const HeftNamed kinds[] = {HEFT_NAMED_BODY,  HEFT_NAMED_JOINT,    HEFT_NAMED_SITE,
                                    HEFT_NAMED_SHAPE, HEFT_NAMED_ACTUATOR, HEFT_NAMED_SENSOR};
  const int sizes[] = {m->nq,    m->nv,     m->nbody,     m->njoint,
                       m->nsite, m->nshape, m->nactuator, m->nsensor};
  uint64_t hash = hash_array(sizes, sizeof sizes / sizeof *sizes, sizeof *sizes, 0);
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; ++k) {
    for (int i = heft_model_named_count(m, kinds[k]) - 1; i >= 0; --i) {
      const char* name = heft_model_name(m, kinds[k], i);
      hash = heft_hash(name, strlen(name), hash);
    }
  }
  return hash;
}

// True if the elements that both models have bear the same names: objects were added at the end of
// one of them.
static bool extends(const HeftModel* a, const HeftModel* b) {
  static const HeftNamed kinds[] = {HEFT_NAMED_BODY,  HEFT_NAMED_JOINT,    HEFT_NAMED_SITE,
                                    HEFT_NAMED_SHAPE, HEFT_NAMED_ACTUATOR, HEFT_NAMED_SENSOR};
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; ++k) {
    const int n = heft_model_named_count(a, kinds[k]), m = heft_model_named_count(b, kinds[k]);
    for (int i = 0; i < n && i < m; ++i)
      if (strcmp(heft_model_name(a, kinds[k], i), heft_model_name(b, kinds[k], i)) != 0)
        return false;
  }
  return true;
}

// Plug-ins with load() decide themselves whether data of another model fits.
static bool may_fit(const HeftPluginSet* set, const HeftPlugin* plugin, const HeftWorld* world) {
  if (!set->world) return false;
  return plugin->load || extends(heft_world_model(set->world), heft_world_model(world));
}

HeftStatus heft_plugin_set_attach(HeftPluginSet* set, HeftWorld* world, HeftError* error) {
  HEFT_REQUIRE(set && world, HEFT_ERR_ARGUMENT);
  const uint64_t hash = structure_hash(heft_world_model(world));
  const bool same_model = hash == set->structure;
  HeftStatus status = HEFT_OK;
  set->structure = hash;
  for (int i = 0; i < set->count && status == HEFT_OK; ++i) {
    PluginInstance* p = &set->entry[i].instance;
    size_t size = 0;
    const bool fits = same_model || may_fit(set, p->plugin, world);
    void* bytes = fits ? take_bytes(set, p, &size) : NULL;
    status = begin_with(p, world, bytes, size, error);
    give_bytes(set, bytes, size);
  }
  set->world = world;
  if (status != HEFT_OK) heft_plugin_set_detach(set);
  return status;
}

void heft_plugin_set_detach(HeftPluginSet* set) {
  HEFT_REQUIRE_VOID(set);
  for (int i = set->count - 1; i >= 0; --i) heft_instance_end(&set->entry[i].instance);
  set->world = NULL;
}

bool heft_plugin_set_attached(const HeftPluginSet* set) {
  HEFT_REQUIRE(set, false);
  return set->world != NULL;
}

// ---- steps

HeftStatus heft_plugin_set_reset(HeftPluginSet* set, HeftError* error) {
  HEFT_REQUIRE(set, HEFT_ERR_ARGUMENT);
  HeftStatus status = HEFT_OK;
  for (int i = 0; set->world && i < set->count && status == HEFT_OK; ++i) {
    PluginInstance* p = &set->entry[i].instance;
    status = heft_instance_begin(p, set->world, error);
    if (status == HEFT_OK && p->plugin->reset) p->plugin->reset(p->self, set->world);
  }
  if (status != HEFT_OK) heft_plugin_set_detach(set);
  return status;
}

// Replaces numbers that are not finite by 0. Returns the index of the first, or -1.
static int mend(double* number, int count) {
  int first = -1;
  for (int i = count - 1; i >= 0; --i) {
    if (isfinite(number[i])) continue;
    number[i] = 0;
    first = i;
  }
  return first;
}

static HeftStatus check_written(HeftWorld* world, const HeftPlugin* plugin, HeftError* error) {
  const HeftModel* m = heft_world_model(world);
  const int control = mend(heft_world_controls(world), m->nactuator);
  const int force = mend(heft_world_joint_forces(world), m->nv);
  if (control < 0 && force < 0) return HEFT_OK;
  return heft_error_set(error, HEFT_ERR_VALUE,
                        "plug-in %s wrote a number that is not finite to %s %d", plugin->name,
                        control >= 0 ? "control" : "joint force", control >= 0 ? control : force);
}

void heft_plugin_set_hands(HeftPluginSet* set, const HeftHand* hands, int count) {
  HEFT_REQUIRE_VOID(set && count >= 0 && (hands || count == 0));
  for (int i = 0; set->world && i < set->count; ++i) {
    const PluginInstance* p = &set->entry[i].instance;
    if (p->plugin->hands) p->plugin->hands(p->self, hands, count);
  }
}

static HeftStatus act(HeftPluginSet* set, const PluginInstance* p, HeftError* error) {
  if (!p->plugin->before_step) return HEFT_OK;
  p->plugin->before_step(p->self, set->world);
  return check_written(set->world, p->plugin, error);
}

HeftStatus heft_plugin_set_before_step(HeftPluginSet* set, HeftError* error) {
  HEFT_REQUIRE(set, HEFT_ERR_ARGUMENT);
  HeftStatus status = HEFT_OK;
  for (int i = 0; set->world && i < set->count && status == HEFT_OK; ++i)
    status = act(set, &set->entry[i].instance, error);
  return status;
}

// ---- records

size_t heft_plugin_set_record_size(const HeftPluginSet* set) {
  HEFT_REQUIRE(set, 0);
  size_t size = 0;
  for (int i = 0; i < set->count; ++i) {
    const PluginInstance* p = &set->entry[i].instance;
    if (p->active && p->plugin->record) size += sizeof(uint64_t) + p->plugin->record_size(p->self);
  }
  return size;
}

void heft_plugin_set_record(const HeftPluginSet* set, void* bytes) {
  HEFT_REQUIRE_VOID(set && (bytes || set->count == 0));
  char* to = bytes;
  for (int i = 0; i < set->count; ++i) {
    const PluginInstance* p = &set->entry[i].instance;
    if (!p->active || !p->plugin->record) continue;
    const uint64_t size = p->plugin->record_size(p->self);
    bytes_put((unsigned char*)to, size, sizeof size);
    p->plugin->record(p->self, to + sizeof size);
    to += sizeof size + size;
  }
}

// Repeats what one plug-in took. Returns the number of bytes, 0 if they do not belong to it.
static size_t replay_one(HeftPluginSet* set, const PluginInstance* p, const char* from,
                         size_t size) {
  uint64_t own;
  if (size < sizeof own) return 0;
  bytes_get_array((const unsigned char*)from, &own, 1, sizeof own);
  if (own > size - sizeof own || !p->plugin->replay(p->self, set->world, from + sizeof own, own))
    return 0;
  return sizeof own + own;
}

HeftStatus heft_plugin_set_replay(HeftPluginSet* set, const void* bytes, size_t size,
                                  HeftError* error) {
  HEFT_REQUIRE(set && (bytes || size == 0), HEFT_ERR_ARGUMENT);
  const char* from = bytes;
  HeftStatus status = HEFT_OK;
  for (int i = 0; set->world && i < set->count && status == HEFT_OK; ++i) {
    const PluginInstance* p = &set->entry[i].instance;
    if (!p->plugin->replay) {
      status = act(set, p, error);
      continue;
    }
    const size_t used = replay_one(set, p, from, size);
    if (used == 0)
      return heft_error_set(error, HEFT_ERR_SYNTAX,
                            "the record of the step does not fit plug-in %s", p->plugin->name);
    from += used;
    size -= used;
    status = check_written(set->world, p->plugin, error);
  }
  if (status != HEFT_OK || size == 0) return status;
  return heft_error_set(error, HEFT_ERR_SYNTAX,
                        "the record of the step is longer than that of the plug-ins");
}

void heft_plugin_set_after_step(HeftPluginSet* set, const HeftStepReport* report) {
  HEFT_REQUIRE_VOID(set && report);
  for (int i = 0; set->world && i < set->count; ++i) {
    const PluginInstance* p = &set->entry[i].instance;
    if (p->plugin->after_step) p->plugin->after_step(p->self, set->world, report);
  }
}

void heft_plugin_set_draw(const HeftPluginSet* set, const HeftPluginCanvas* canvas) {
  HEFT_REQUIRE_VOID(set && canvas);
  for (int i = 0; set->world && i < set->count; ++i) {
    const PluginInstance* p = &set->entry[i].instance;
    if (p->plugin->draw) p->plugin->draw(p->self, set->world, canvas);
  }
}

// ---- questions

int heft_plugin_set_count(const HeftPluginSet* set) {
  HEFT_REQUIRE(set, 0);
  return set->count;
}

static bool has(const HeftPluginSet* set, int i) { return set && i >= 0 && i < set->count; }

const HeftPlugin* heft_plugin_set_plugin(const HeftPluginSet* set, int i) {
  HEFT_REQUIRE(has(set, i), NULL);
  return set->entry[i].instance.plugin;
}

char* heft_plugin_set_spec(const HeftPluginSet* set, int i, char* text, size_t size) {
  HEFT_REQUIRE(text && size > 0, text);
  text[0] = '\0';
  HEFT_REQUIRE(has(set, i), text);
  const Entry* e = &set->entry[i];
  const HeftOptions options = e->instance.plugin->options;
  size_t used = 0;
  int wrote = snprintf(text, size, "%s", e->path[0] ? e->path : e->instance.plugin->name);
  for (int k = 0; k < options.count && wrote >= 0; ++k) {
    char number[HEFT_DECIMAL_SIZE];
    used += (size_t)wrote;
    if (used >= size) break;
    heft_decimal_write(heft_option_value(&options.option[k], e->instance.self), number);
    wrote = snprintf(text + used, size - used, "%c%s=%s", k > 0 ? ',' : ':', options.option[k].name,
                     number);
  }
  return text;
}

static bool has_row(HeftOptions rows, int k) { return k >= 0 && k < rows.count; }

double heft_plugin_set_option(const HeftPluginSet* set, int i, int k) {
  HEFT_REQUIRE(has(set, i) && has_row(set->entry[i].instance.plugin->options, k), 0);
  const PluginInstance* p = &set->entry[i].instance;
  return heft_option_value(&p->plugin->options.option[k], p->self);
}

HeftStatus heft_plugin_set_set_option(HeftPluginSet* set, int i, int k, double value,
                                      HeftError* error) {
  HEFT_REQUIRE(has(set, i) && has_row(set->entry[i].instance.plugin->options, k),
               HEFT_ERR_ARGUMENT);
  const PluginInstance* p = &set->entry[i].instance;
  const HeftOptions options = p->plugin->options;
  const HeftStatus status =
      heft_options_set(options, p->self, options.option[k].name, value, error);
  return status == HEFT_OK && p->active ? heft_instance_give_parts(p, error) : status;
}

double heft_plugin_set_value(const HeftPluginSet* set, int i, int k) {
  HEFT_REQUIRE(has(set, i) && has_row(set->entry[i].instance.plugin->values, k), 0);
  const PluginInstance* p = &set->entry[i].instance;
  return heft_option_value(&p->plugin->values.option[k], p->self);
}

// ---- hot reload

// Data goes from one version to the next if the author states that it has the same fields, or if
// the new version has a load() that decides.
static bool data_may_fit(const HeftPlugin* old, const HeftPlugin* now) {
  if (now->load || old->save) return now->load && old->save;
  return now->data_version == old->data_version && now->size == old->size;
}

static HeftStatus take_over(HeftPluginSet* set, const Entry* old, Entry* now, HeftError* error) {
  const HeftPlugin* plugin = now->file.plugin;
  HeftStatus status = heft_plugin_check(plugin, error);
  if (status == HEFT_OK) status = check_parts(set, old, plugin, error);
  if (status == HEFT_OK)
    status = heft_instance_make(&now->instance, plugin, &set->allocator, error);
  if (status != HEFT_OK || !set->world) {
    if (status == HEFT_OK) heft_instance_take_options(&now->instance, &old->instance);
    return status;
  }
  size_t size = 0;
  void* bytes = NULL;
  if (data_may_fit(old->instance.plugin, plugin)) bytes = take_bytes(set, &old->instance, &size);
  status = begin_with(&now->instance, set->world, bytes, size, error);
  give_bytes(set, bytes, size);
  // after the bytes: they may hold defaults of the old version
  if (status == HEFT_OK) {
    heft_instance_set_defaults(&now->instance);
    heft_instance_take_options(&now->instance, &old->instance);
  }
  return status;
}

static HeftStatus reload_one(HeftPluginSet* set, Entry* entry, HeftError* error) {
  Entry now = {0};
  memcpy(now.path, entry->path, sizeof now.path);
  HeftStatus status = heft_shared_object_open(&now.file, entry->path, error);
  if (status != HEFT_OK) return status;
  now.tried = now.file.stamp;
  status = take_over(set, entry, &now, error);
  if (status != HEFT_OK) {
    free_entry(set, &now);
    return status;
  }
  free_entry(set, entry);
  *entry = now;
  return HEFT_OK;
}

// True if the file has changed since the last attempt, and has been the same for a while: its
// writer has finished.
static bool has_new_version(Entry* e) {
  FileStamp stamp;
  if (!heft_file_stamp(e->path, &stamp) || heft_file_stamp_equal(&stamp, &e->tried)) return false;
  if (!heft_file_stamp_equal(&stamp, &e->seen)) {
    e->seen = stamp;
    e->seen_ns = heft_clock_ns();
    return false;
  }
  return heft_clock_ns() - e->seen_ns >= settle_ns;
}

HeftStatus heft_plugin_set_reload(HeftPluginSet* set, int* reloaded, HeftError* error) {
  HEFT_REQUIRE(set, HEFT_ERR_ARGUMENT);
  HeftStatus first = HEFT_OK;
  int count = 0;
  for (int i = 0; i < set->count; ++i) {
    Entry* e = &set->entry[i];
    if (!e->path[0] || !has_new_version(e)) continue;
    e->tried = e->seen;
    const HeftStatus status = reload_one(set, e, first == HEFT_OK ? error : NULL);
    if (first == HEFT_OK) first = status;
    count += status == HEFT_OK;
  }
  if (reloaded) *reloaded = count;
  return first;
}
