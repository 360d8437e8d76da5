// SPDX-License-Identifier: Apache-2.0
#include "record/session_text.h"

#include <math.h>
#include <string.h>

#define NAME(kind, text) text,
static const char* const kind_names[HEFT_ACTION_COUNT] = {HEFT_ACTION_LIST(NAME)};
#undef NAME

enum { CONTACTS_MAX = 1 << 16 };

// ---- writing

static void put_number(HeftJsonText* t, const char* name, double x) {
  heft_json_text_say(t, ",\"%s\":", name);
  heft_json_text_number(t, x);
}

static void put_vector(HeftJsonText* t, const char* name, HeftVec3 v) {
  heft_json_text_put(t, ",");
  heft_json_text_array(t, name, (const double[]){v.x, v.y, v.z}, 3);
}

static void put_change(HeftJsonText* t, const HeftChange* c) {
  heft_json_text_quoted(t, heft_change_name(c->kind));
  heft_json_text_say(t, ",\"index\":%d", c->index);
  put_number(t, "value", c->value);
  put_number(t, "x", c->pos.x);
  put_number(t, "y", c->pos.y);
  put_number(t, "z", c->pos.z);
  heft_json_text_put(t, ",\"name\":");
  heft_json_text_quoted(t, c->name);
  heft_json_text_put(t, ",\"file\":");
  heft_json_text_quoted(t, c->file);
}

static int has_target(const HeftAction* a) {
  return a->kind == HEFT_ACTION_PULL || a->kind == HEFT_ACTION_TRACK;
}

static int has_slot(const HeftAction* a) { return has_target(a) || a->kind == HEFT_ACTION_RELEASE; }

static int has_index(const HeftAction* a) {
  return a->kind != HEFT_ACTION_RELEASE && a->kind != HEFT_ACTION_TRACK;
}

void session_text_action(HeftJsonText* t, const HeftAction* a, long step) {
  heft_json_text_say(t, "{\"step\":%ld,\"kind\":", step);
  if (a->kind == HEFT_ACTION_CHANGE) {
    put_change(t, &a->change);
    heft_json_text_put(t, "}");
    return;
  }
  heft_json_text_quoted(t, kind_names[a->kind]);
  if (has_index(a)) heft_json_text_say(t, ",\"index\":%d", a->index);
  if (has_slot(a)) heft_json_text_say(t, ",\"slot\":%d", a->slot);
  if (a->kind == HEFT_ACTION_CONTROL || a->kind == HEFT_ACTION_JOINT_FORCE)
    put_number(t, "value", a->value);
  if (a->kind == HEFT_ACTION_PULL || a->kind == HEFT_ACTION_FORCE) put_vector(t, "at", a->at);
  if (a->kind == HEFT_ACTION_FORCE) put_vector(t, "force", a->force);
  if (has_target(a)) put_vector(t, "target", a->target);
  if (a->kind == HEFT_ACTION_PULL) {
    put_number(t, "stiffness", a->stiffness);
    put_number(t, "damping", a->damping);
    if (a->force_max > 0) put_number(t, "force_max", a->force_max);
  }
  heft_json_text_put(t, "}");
}

// ---- reading

static int read_number(HeftJsonSpan object, const char* name, double* out) {
  HeftJsonSpan value;
  return heft_json_span_field(object, name, &value) && heft_json_span_double(value, out);
}

static int read_int(HeftJsonSpan object, const char* name, int* out) {
  double x;
  if (!read_number(object, name, &x) || !(fabs(x) < 1e9) || x != floor(x)) return 0;
  *out = (int)x;
  return 1;
}

static int read_vector(HeftJsonSpan object, const char* name, HeftVec3* out) {
  HeftJsonSpan value;
  double x[3];
  if (!heft_json_span_field(object, name, &value) || !heft_json_span_doubles(value, x, 3)) return 0;
  *out = (HeftVec3){x[0], x[1], x[2]};
  return 1;
}

static int read_text(HeftJsonSpan object, const char* name, char* out, size_t size) {
  HeftJsonSpan value;
  return heft_json_span_field(object, name, &value) && heft_json_span_string(value, out, size);
}

static int read_change(HeftJsonSpan o, HeftChange* c) {
  return read_int(o, "index", &c->index) && read_number(o, "value", &c->value) &&
         read_number(o, "x", &c->pos.x) && read_number(o, "y", &c->pos.y) &&
         read_number(o, "z", &c->pos.z) && read_text(o, "name", c->name, sizeof c->name) &&
         read_text(o, "file", c->file, sizeof c->file);
}

static int read_fields(HeftJsonSpan o, HeftAction* a) {
  int good = 1;
  if (a->kind == HEFT_ACTION_CHANGE) return read_change(o, &a->change);
  if (has_index(a)) good &= read_int(o, "index", &a->index);
  if (has_slot(a)) good &= read_int(o, "slot", &a->slot);
  if (a->kind == HEFT_ACTION_CONTROL || a->kind == HEFT_ACTION_JOINT_FORCE)
    good &= read_number(o, "value", &a->value);
  if (a->kind == HEFT_ACTION_PULL || a->kind == HEFT_ACTION_FORCE)
    good &= read_vector(o, "at", &a->at);
  if (a->kind == HEFT_ACTION_FORCE) good &= read_vector(o, "force", &a->force);
  if (has_target(a)) good &= read_vector(o, "target", &a->target);
  if (a->kind == HEFT_ACTION_PULL)
    good &= read_number(o, "stiffness", &a->stiffness) && read_number(o, "damping", &a->damping);
  if (a->kind == HEFT_ACTION_PULL)
    read_number(o, "force_max", &a->force_max);  // 0 if it is not there
  return good;
}

// Actions and kinds of changes have different names.
static int find_kind(const char* name, HeftAction* a) {
  for (int k = HEFT_ACTION_CHANGE + 1; k < HEFT_ACTION_COUNT; ++k) {
    a->kind = (HeftActionKind)k;
    if (strcmp(kind_names[k], name) == 0) return 1;
  }
  a->kind = HEFT_ACTION_CHANGE;
  for (int k = 0; k < HEFT_CHANGE_COUNT; ++k) {
    a->change.kind = (HeftChangeKind)k;
    if (strcmp(heft_change_name(a->change.kind), name) == 0) return 1;
  }
  return 0;
}

const char* session_text_read_action(HeftJsonSpan object, HeftAction* a, long* step) {
  char kind[40];
  double steps;
  memset(a, 0, sizeof *a);
  if (!read_number(object, "step", &steps) || !(steps >= 0 && steps < 2e9) ||
      !read_text(object, "kind", kind, sizeof kind))
    return "the session has a damaged action";
  *step = (long)steps;
  if (!find_kind(kind, a)) return "the session has an action that this version does not know";
  return read_fields(object, a) ? NULL : "the session has a damaged action";
}

// ---- parameters

void session_text_parameters(HeftJsonText* t, const HeftChange* changes, int count) {
  heft_json_text_put(t, "[");
  for (int i = 0; i < count; ++i) {
    heft_json_text_put(t, i > 0 ? ",{\"kind\":" : "{\"kind\":");
    heft_json_text_quoted(t, heft_change_name(changes[i].kind));
    heft_json_text_say(t, ",\"index\":%d", changes[i].index);
    put_number(t, "value", changes[i].value);
    heft_json_text_put(t, "}");
  }
  heft_json_text_put(t, "]");
}

const char* session_text_read_parameters(HeftJsonSpan list, HeftChange* changes, int* count) {
  static const char wrong[] = "the session has a damaged parameter";
  HeftJsonSpan entries, entry;
  HeftAction a;
  char kind[40];
  if (!heft_json_span_open(list, &entries)) return wrong;
  for (*count = 0; heft_json_span_next(&entries, NULL, &entry); ++*count) {
    memset(&a, 0, sizeof a);
    if (*count == HEFT_SESSION_PARAMETERS) return "the session has too many parameters";
    if (!read_text(entry, "kind", kind, sizeof kind) || !find_kind(kind, &a) ||
        a.kind != HEFT_ACTION_CHANGE || heft_change_is_object(a.change.kind) ||
        !read_int(entry, "index", &a.change.index) || !read_number(entry, "value", &a.change.value))
      return wrong;
    changes[*count] = a.change;
  }
  return NULL;
}

// ---- settings of a world

// Settings of a struct by its table. The time step has a field of its own; threads change no bits.
static void put_settings(HeftJsonText* t, HeftOptions options, const void* object, int* count) {
  for (int i = 0; i < options.count; ++i) {
    const HeftOption* o = &options.option[i];
    const double value = heft_option_value(o, object);
    if (value == o->default_value || strcmp(o->name, "time_step") == 0 ||
        strcmp(o->name, "threads") == 0)
      continue;
    heft_json_text_put(t, (*count)++ > 0 ? "," : "");
    heft_json_text_quoted(t, o->name);
    heft_json_text_put(t, ":");
    heft_json_text_number(t, value);
  }
}

void session_text_world(HeftJsonText* t, const HeftWorldDef* def) {
  int count = 0;
  heft_json_text_put(t, "{");
  put_settings(t, heft_world_options(), def, &count);
  put_settings(t, heft_contact_model_options(), &def->contact_options, &count);
  heft_json_text_put(t, "}");
}

const char* session_text_read_world(HeftJsonSpan object, HeftWorldDef* def) {
  static const char wrong[] = "the session has settings of the world that this version refuses";
  HeftJsonSpan entries, key, value;
  char name[64];
  double x;
  int index;
  if (!heft_json_span_open(object, &entries)) return wrong;
  while (heft_json_span_next(&entries, &key, &value)) {
    if (!heft_json_span_string(key, name, sizeof name) || !heft_json_span_double(value, &x))
      return wrong;
    const int contact =
        heft_options_find(heft_contact_model_options(), name, &index, NULL) == HEFT_OK;
    const HeftOptions table = contact ? heft_contact_model_options() : heft_world_options();
    void* const at = contact ? (void*)&def->contact_options : (void*)def;
    if (heft_options_set(table, at, name, x, NULL) != HEFT_OK) return wrong;
  }
  // A file may not ask for much memory or many threads.
  return def->contact_capacity <= CONTACTS_MAX && def->threads == 1 ? NULL : wrong;
}
