// SPDX-License-Identifier: Apache-2.0
// Reading a plan: tables and keys are checked against the lists of plan.h; what is unknown or
// missing is an error with its place.
#include "sweep/plan.h"

#include <heft/io.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "sweep/sample.h"
#include "sweep/sha256.h"

// ---- the lists as tables

#define ROW4(name, text, of, unit, meaning) {text, of, unit, meaning},
#define ROW1(name, text, ...) text,
static const PlanRow quantities[] = {PLAN_QUANTITY_LIST(ROW4)};
static const PlanRow signals[] = {PLAN_SIGNAL_LIST(ROW4)};
static const char* const keeps[] = {PLAN_KEEP_LIST(ROW1)};
static const char* const whens[] = {PLAN_WHEN_LIST(ROW1)};
static const char* const shapes[] = {PLAN_SHAPE_LIST(ROW1)};
static const char* const methods[] = {PLAN_METHOD_LIST(ROW1)};

PlanRow plan_quantity(PlanQuantity quantity) { return quantities[quantity]; }
PlanRow plan_signal(PlanSignal signal) { return signals[signal]; }
const char* plan_keep_name(PlanKeep keep) { return keeps[keep]; }
const char* plan_when_name(PlanWhen when) { return whens[when]; }

static const char* row_name(const void* from, int i) { return ((const PlanRow*)from)[i].text; }
static const char* word_name(const void* from, int i) { return ((const char* const*)from)[i]; }

// ---- keys of the tables

static const char* const top_keys[] = {"model", "key",       "load",        "duration", "time_step",
                                       "seed",  "method",    "runs",        "repeat",   "chunk",
                                       "list",  "tolerance", "final_state", NULL};
static const char* const vary_keys[] = {"name",  "what",   "of",   "component", "shape",
                                        "min",   "max",    "mean", "deviation", "values",
                                        "count", "column", NULL};
static const char* const push_keys[] = {"name",  "body",    "time", "duration",
                                        "force", "heading", NULL};
static const char* const measure_keys[] = {"name", "what", "of", "component", "keep", NULL};
static const char* const event_keys[] = {"name",      "when",  "what", "of",  "other",
                                         "component", "value", "for",  "end", NULL};
static const char* const control_keys[] = {"hold",   "file",      "plugin",  "python",
                                           "period", "stiffness", "damping", NULL};
static const char* const log_keys[] = {"runs", NULL};
static const struct {
  const char* name;
  int listed;
  const char* const* keys;
} tables[] = {{"", 0, top_keys},     {"control", 0, control_keys}, {"event", 1, event_keys},
              {"log", 0, log_keys},  {"measure", 1, measure_keys}, {"push", 1, push_keys},
              {"vary", 1, vary_keys}};
enum { TABLES = (int)(sizeof tables / sizeof *tables) };

static const char* table_name(const void* from, int i) {
  (void)from;
  return tables[i].name;
}

static int word_count(const char* const* words) {
  int n = 0;
  while (words[n]) ++n;
  return n;
}

// ---- reading values

typedef struct PlanReader {
  Plan* plan;
  const TomlTable* table;
  HeftError* error;
  HeftStatus status;  ///< of the first failure
} PlanReader;

HeftStatus plan_fail(const Plan* p, int line, int column, HeftError* error, const char* format,
                     ...) {
  char text[400];
  va_list list;
  va_start(list, format);
  // clang-tidy does not see va_start() here.
  vsnprintf(text, sizeof text, format, list);  // NOLINT(clang-analyzer-valist.Uninitialized)
  va_end(list);
  return heft_error_set_at(error, HEFT_ERR_VALUE, p->path, line, column, "%s", text);
}

#define REFUSE(r, at, ...)                                                                   \
  do {                                                                                       \
    if ((r)->status == HEFT_OK)                                                              \
      (r)->status = plan_fail((r)->plan, (at)->line, (at)->column, (r)->error, __VA_ARGS__); \
  } while (0)

static const char* title(const TomlTable* t) { return t->name[0] ? t->name : "the plan"; }

static const TomlValue* find(PlanReader* r, const char* key, TomlType type, const char* wanted) {
  const TomlValue* value = toml_find(r->table, key);
  if (value && value->type != type) {
    REFUSE(r, value, "'%s' of %s: expected %s", key, title(r->table), wanted);
    return NULL;
  }
  return value;
}

static const char* get_text(PlanReader* r, const char* key) {
  const TomlValue* value = find(r, key, TOML_STRING, "a text in quotes");
  if (value && !value->text[0]) REFUSE(r, value, "'%s' of %s is empty", key, title(r->table));
  return value ? value->text : NULL;
}

static const char* need_text(PlanReader* r, const char* key) {
  const char* text = get_text(r, key);
  if (!text) REFUSE(r, r->table, "%s: the key '%s' is missing", title(r->table), key);
  return text ? text : "";
}

// A number from min to max.
static double get_number(PlanReader* r, const char* key, double usual, double min, double max) {
  const TomlValue* value = find(r, key, TOML_NUMBER, "a number");
  if (!value) return usual;
  if (!(value->number >= min && value->number <= max))
    REFUSE(r, value, "'%s' of %s is %g, expected %g to %g", key, title(r->table), value->number,
           min, max);
  return value->number;
}

static double get_whole(PlanReader* r, const char* key, double usual, double min, double max) {
  const double number = get_number(r, key, usual, min, max);
  const TomlValue* value = toml_find(r->table, key);
  if (value && number != floor(number))
    REFUSE(r, value, "'%s' of %s is %g, expected a whole number", key, title(r->table), number);
  return number >= min && number <= max ? number : usual;  // it will be converted
}

static double need_number(PlanReader* r, const char* key, double min, double max) {
  if (!toml_find(r->table, key))
    REFUSE(r, r->table, "%s: the key '%s' is missing", title(r->table), key);
  return get_number(r, key, min, min, max);
}

static int get_flag(PlanReader* r, const char* key) {
  const TomlValue* value = find(r, key, TOML_BOOL, "true or false");
  return value && value->number != 0;
}

static int choose(PlanReader* r, const TomlValue* at, const char* what, const char* text,
                  HeftNames names) {
  char hint[300];
  for (int i = 0; i < names.count; ++i)
    if (strcmp(names.name(names.from, i), text) == 0) return i;
  REFUSE(r, at, "%s: unknown %s '%.80s'; %s", title(r->table), what, text,
         heft_names_hint(names, text, hint, sizeof hint));
  return 0;
}

static int get_choice(PlanReader* r, const char* key, int usual, HeftNames names) {
  const char* text = get_text(r, key);
  return text ? choose(r, toml_find(r->table, key), key, text, names) : usual;
}

// The name of a column of the results: letters, digits, '_', '-', '.'.
static const char* get_name(PlanReader* r) {
  const char* name = need_text(r, "name");
  for (const char* c = name; *c && r->status == HEFT_OK; ++c)
    if (!((*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9') ||
          *c == '_' || *c == '-' || *c == '.'))
      REFUSE(r, toml_find(r->table, "name"),
             "the name '%.80s' of a column: expected letters, digits, '_', '-' and '.'", name);
  if (strlen(name) > 60) REFUSE(r, toml_find(r->table, "name"), "a name has at most 60 bytes");
  return name;
}

// The object of a quantity: needed, or not allowed.
static const char* get_object(PlanReader* r, PlanRow row) {
  if (row.of != OF_NOTHING) return need_text(r, "of");
  const TomlValue* value = toml_find(r->table, "of");
  if (value) REFUSE(r, value, "'%s' is of the whole world: leave out 'of'", row.text);
  return NULL;
}

// ---- the tables

static void check_grid(PlanReader* r, PlanVary* v) {
  v->values = find(r, "values", TOML_LIST, "a list of values in [ ]");
  const TomlType type = v->what == QUANTITY_KEY ? TOML_STRING : TOML_NUMBER;
  if (v->values) {
    v->count = v->values->count;
    if (v->count == 0)
      REFUSE(r, v->values, "%s: the list is empty", v->name);
    else if (v->values->items[0].type != type)
      REFUSE(r, v->values, "%s: expected a list of %s", v->name,
             type == TOML_STRING ? "names of keyframes" : "numbers");
    return;
  }
  if (type == TOML_STRING)
    REFUSE(r, r->table, "%s: a keyframe needs values = [\"home\", ...]", v->name);
  v->min = need_number(r, "min", -1e300, 1e300);
  v->max = need_number(r, "max", v->min, 1e300);
  v->count = (int)get_whole(r, "count", 0, 2, 1e6);
  if (v->count == 0 && r->status == HEFT_OK)
    REFUSE(r, r->table, "%s: a grid needs 'values', or 'min', 'max' and 'count'", v->name);
}

static void check_column(PlanReader* r, PlanVary* v) {
  const char* column = get_text(r, "column");
  char hint[300];
  const Csv* list = &r->plan->list_table;
  if (!r->plan->list) {
    REFUSE(r, r->table, "%s: a column needs list = \"FILE.csv\" at the top of the plan", v->name);
    return;
  }
  v->column = csv_find(list, column ? column : v->name);
  if (v->column < 0)
    REFUSE(r, r->table, "%s: the list has no column '%.80s'; %s", v->name,
           column ? column : v->name,
           heft_names_hint((HeftNames){word_name, list->name, list->columns},
                           column ? column : v->name, hint, sizeof hint));
}

static void check_range(PlanReader* r, PlanVary* v) {
  if (v->shape == SHAPE_NORMAL) {
    v->mean = need_number(r, "mean", -1e300, 1e300);
    v->deviation = need_number(r, "deviation", 0, 1e300);
    if (toml_find(r->table, "min") || toml_find(r->table, "max")) {
      v->min = need_number(r, "min", -1e300, v->mean);
      v->max = need_number(r, "max", v->mean, 1e300);
      if (r->status == HEFT_OK && v->min == v->max)
        REFUSE(r, r->table, "%s: min equals max; use a grid of one value", v->name);
    }
    return;
  }
  v->min = need_number(r, "min", v->shape == SHAPE_LOG ? 1e-300 : -1e300, 1e300);
  v->max = need_number(r, "max", v->min, 1e300);
}

// The objects of a variation: one name, or a list of names.
static void get_objects(PlanReader* r, PlanVary* v) {
  const TomlValue* value = toml_find(r->table, "of");
  const PlanRow row = quantities[v->what];
  if (!value || value->type != TOML_LIST || row.of == OF_NOTHING) {
    v->of = get_object(r, row);
    return;
  }
  if (value->count == 0 || value->items[0].type != TOML_STRING) {
    REFUSE(r, value, "'of' of vary: expected a name or a list of names");
    return;
  }
  v->of_all = value;
  v->of = value->items[0].text;
}

static void read_vary(PlanReader* r) {
  Plan* p = r->plan;
  if (p->vary_count == PLAN_VARY_MAX) {
    REFUSE(r, r->table, "a plan has at most %d variations", (int)PLAN_VARY_MAX);
    return;
  }
  PlanVary* v = &p->vary[p->vary_count++];
  *v = (PlanVary){.line = r->table->line, .column_at = r->table->column};
  v->name = get_name(r);
  need_text(r, "what");
  v->what =
      (PlanQuantity)get_choice(r, "what", 0, (HeftNames){row_name, quantities, QUANTITY_COUNT});
  get_objects(r, v);
  v->component = (int)get_whole(r, "component", 0, 0, 6);
  const int grid = toml_find(r->table, "values") || toml_find(r->table, "count");
  const int usual =
      grid ? SHAPE_GRID : (toml_find(r->table, "column") ? SHAPE_COLUMN : SHAPE_UNIFORM);
  v->shape = (PlanShape)get_choice(r, "shape", usual, (HeftNames){word_name, shapes, SHAPE_COUNT});
  if (grid && v->shape != SHAPE_GRID)
    REFUSE(r, r->table, "%s: 'values' and 'count' are of the shape grid", v->name);
  if (v->what == QUANTITY_TIME_STEP && v->shape != SHAPE_GRID)
    REFUSE(r, r->table, "%s: a time step is varied by a grid", v->name);
  if (r->status != HEFT_OK) return;
  if (v->shape == SHAPE_GRID)
    check_grid(r, v);
  else if (v->what == QUANTITY_KEY)
    REFUSE(r, r->table, "%s: a keyframe needs values = [\"home\", ...]", v->name);
  else if (v->shape == SHAPE_COLUMN)
    check_column(r, v);
  else
    check_range(r, v);
}

static void read_push(PlanReader* r) {
  Plan* p = r->plan;
  if (p->push_count == PLAN_PUSH_MAX) {
    REFUSE(r, r->table, "a plan has at most %d pushes", (int)PLAN_PUSH_MAX);
    return;
  }
  PlanPush* u = &p->push[p->push_count++];
  *u = (PlanPush){.line = r->table->line, .column_at = r->table->column};
  u->name = get_name(r);
  u->body = need_text(r, "body");
  u->time = get_number(r, "time", 0, 0, 1e9);
  u->duration = get_number(r, "duration", 0.1, 0, 1e9);
  u->force = get_number(r, "force", 0, -1e12, 1e12);
  u->heading = get_number(r, "heading", 0, -1e3, 1e3);
}

static void read_keeps(PlanReader* r, PlanMeasure* m) {
  const TomlValue* list = find(r, "keep", TOML_LIST, "a list such as [\"max\", \"final\"]");
  if (!list) m->keep = 1u << KEEP_FINAL;
  for (int i = 0; list && i < list->count && r->status == HEFT_OK; ++i) {
    const TomlValue* item = &list->items[i];
    if (item->type != TOML_STRING)
      REFUSE(r, item, "'keep' of measure: expected a list such as [\"max\", \"final\"]");
    else
      m->keep |=
          1u << choose(r, item, "part", item->text, (HeftNames){word_name, keeps, KEEP_COUNT});
  }
  if (list && list->count == 0) REFUSE(r, list, "'keep' of measure: the list is empty");
}

static void read_measure(PlanReader* r) {
  Plan* p = r->plan;
  if (p->measure_count == PLAN_MEASURE_MAX) {
    REFUSE(r, r->table, "a plan has at most %d measures", (int)PLAN_MEASURE_MAX);
    return;
  }
  PlanMeasure* m = &p->measure[p->measure_count++];
  *m = (PlanMeasure){.line = r->table->line, .column_at = r->table->column};
  m->name = get_name(r);
  need_text(r, "what");
  m->what = (PlanSignal)get_choice(r, "what", 0, (HeftNames){row_name, signals, SIGNAL_COUNT});
  m->of = get_object(r, signals[m->what]);
  m->component = (int)get_whole(r, "component", 0, 0, 6);
  read_keeps(r, m);
}

static void read_event(PlanReader* r) {
  Plan* p = r->plan;
  if (p->event_count == PLAN_EVENT_MAX) {
    REFUSE(r, r->table, "a plan has at most %d events", (int)PLAN_EVENT_MAX);
    return;
  }
  PlanEvent* e = &p->event[p->event_count++];
  *e = (PlanEvent){.line = r->table->line, .column_at = r->table->column};
  e->name = get_name(r);
  need_text(r, "when");
  e->when = (PlanWhen)get_choice(r, "when", 0, (HeftNames){word_name, whens, WHEN_COUNT});
  e->component = (int)get_whole(r, "component", 0, 0, 6);
  e->for_time = get_number(r, "for", 0, 0, 1e9);
  e->end = get_flag(r, "end");
  if (e->when == WHEN_BELOW || e->when == WHEN_ABOVE) {
    need_text(r, "what");
    e->what = (PlanSignal)get_choice(r, "what", 0, (HeftNames){row_name, signals, SIGNAL_COUNT});
    e->of = get_object(r, signals[e->what]);
    e->value = need_number(r, "value", -1e300, 1e300);
  } else {
    e->of = need_text(r, "of");
    e->other = e->when == WHEN_TOUCHES ? get_text(r, "other") : NULL;
  }
}

static void read_control(PlanReader* r) {
  PlanControl* c = &r->plan->control;
  c->line = r->table->line;
  c->column_at = r->table->column;
  c->hold = get_text(r, "hold");
  c->file = get_text(r, "file");
  c->plugin = get_text(r, "plugin");
  c->python = get_text(r, "python");
  c->period = get_number(r, "period", 0, 0, 1e9);
  c->stiffness = get_number(r, "stiffness", 0, 0, 1e12);
  c->damping = get_number(r, "damping", 0, 0, 1e12);
  if (c->python && c->plugin)
    REFUSE(r, r->table, "control: a plug-in or a Python policy, not both");
}

static void read_log(PlanReader* r) {
  const TomlValue* list = find(r, "runs", TOML_LIST, "a list of numbers of runs");
  for (int i = 0; list && i < list->count && r->status == HEFT_OK; ++i) {
    const TomlValue* item = &list->items[i];
    if (r->plan->log_count == PLAN_LOG_MAX)
      REFUSE(r, item, "at most %d runs have logs", (int)PLAN_LOG_MAX);
    else if (item->type != TOML_NUMBER || item->number != floor(item->number) || item->number < 0 ||
             item->number >= (double)r->plan->runs)
      REFUSE(r, item, "expected numbers of runs, 0 to %lld", (long long)r->plan->runs - 1);
    else
      r->plan->log[r->plan->log_count++] = (int64_t)item->number;
  }
}

// ---- files

void plan_file(const Plan* p, const char* name, char* out, size_t size) {
  const char* last = strrchr(name, '/');
  if (p->stored)
    snprintf(out, size, "%s/inputs/%s", p->folder, last ? last + 1 : name);
  else if (name[0] == '/')
    snprintf(out, size, "%s", name);
  else
    snprintf(out, size, "%s/%s", p->folder, name);
}

// The file of a plug-in without its options.
static const char* plugin_file(const char* spec, char* out, size_t size) {
  const char* slash = strrchr(spec, '/');
  const char* colon = strchr(slash ? slash : spec, ':');
  snprintf(out, size, "%.*s", colon ? (int)(colon - spec) : (int)strlen(spec), spec);
  return out;
}

int plan_files(const Plan* p, char path[4][2048], const char* name[4]) {
  char plugin[1024];
  const char* given[] = {
      p->list, p->control.file, p->control.python,
      p->control.plugin ? plugin_file(p->control.plugin, plugin, sizeof plugin) : NULL};
  int count = 0;
  for (int i = 0; i < 4; ++i) {
    if (!given[i]) continue;
    plan_file(p, given[i], path[count], sizeof path[count]);
    const char* last = strrchr(path[count], '/');
    name[count] = last ? last + 1 : path[count];
    ++count;
  }
  return count;
}

static void read_table_file(PlanReader* r, const char* name, Csv* out) {
  char path[2048];
  void* bytes = NULL;
  size_t size = 0;
  const HeftAllocator a = heft_allocator_default();
  plan_file(r->plan, name, path, sizeof path);
  HeftStatus status = heft_file_read(&bytes, &size, path, CSV_BYTES_MAX, &a, r->error);
  if (status == HEFT_OK) status = csv_read(out, bytes, size, path, r->error);
  if (bytes) a.release(a.user, bytes, size + 1);
  if (r->status == HEFT_OK) r->status = status;
}

// ---- the whole

static void check_keys(PlanReader* r) {
  const TomlTable* t = r->table;
  char hint[300];
  int kind = 0;
  while (kind < TABLES && strcmp(tables[kind].name, t->name) != 0) ++kind;
  if (kind == TABLES) {
    REFUSE(r, t, "unknown table '%s'; %s", t->name,
           heft_names_hint((HeftNames){table_name, NULL, TABLES}, t->name, hint, sizeof hint));
    return;
  }
  if (tables[kind].listed != t->listed)
    REFUSE(r, t, "the table '%s' is written %s%s%s", t->name, t->listed ? "[" : "[[", t->name,
           t->listed ? "]" : "]]");
  const char* const* keys = tables[kind].keys;
  for (int i = 0; i < t->count; ++i) {
    int k = 0;
    while (keys[k] && strcmp(keys[k], t->entries[i].key) != 0) ++k;
    if (!keys[k])
      REFUSE(r, &t->entries[i], "unknown key '%s' of %s; %s", t->entries[i].key, title(t),
             heft_names_hint((HeftNames){word_name, keys, word_count(keys)}, t->entries[i].key,
                             hint, sizeof hint));
  }
}

static void read_load(PlanReader* r) {
  const TomlValue* list = find(r, "load", TOML_LIST, "a list such as [\"--floor\"]");
  for (int i = 0; list && i < list->count; ++i) {
    if (list->items[i].type != TOML_STRING || i == PLAN_LOAD_MAX) {
      REFUSE(r, &list->items[i], "'load': expected at most %d texts", (int)PLAN_LOAD_MAX);
      return;
    }
    r->plan->load[r->plan->load_count++] = list->items[i].text;
  }
}

static void read_top(PlanReader* r) {
  Plan* p = r->plan;
  p->model = need_text(r, "model");
  p->key = get_text(r, "key");
  read_load(r);
  p->duration = need_number(r, "duration", 1e-9, 1e9);
  p->time_step = get_number(r, "time_step", 0, 1e-9, 10);
  p->seed = (uint64_t)get_whole(r, "seed", 0, 0, 9007199254740992.);
  p->method = (PlanMethod)get_choice(r, "method", 0, (HeftNames){word_name, methods, METHOD_COUNT});
  p->tolerance = get_number(r, "tolerance", 0, 1e-15, 1);
  p->final_state = get_flag(r, "final_state");
  p->list = get_text(r, "list");
  if (p->list && r->status == HEFT_OK) read_table_file(r, p->list, &p->list_table);
}

// Runs: points of the grid x rows of the list x repeat; without a grid and a list: runs.
static void count_runs(PlanReader* r) {
  Plan* p = r->plan;
  double points = 1;
  int grid = p->list != NULL;
  r->table = &p->toml.tables[0];
  if (p->list) points *= (double)p->list_table.rows;
  for (int i = 0; i < p->vary_count; ++i) {
    if (p->vary[i].shape != SHAPE_GRID) continue;
    grid = 1;
    points *= p->vary[i].count;
  }
  p->repeat = (int64_t)get_whole(r, "repeat", 1, 1, PLAN_RUNS_MAX);
  const double runs = get_whole(r, "runs", 0, 1, PLAN_RUNS_MAX);
  if (grid && runs > 0)
    REFUSE(r, toml_find(r->table, "runs"),
           "a grid or a list has its own number of runs; use 'repeat' for several of each");
  if (!grid && toml_find(r->table, "repeat"))
    REFUSE(r, toml_find(r->table, "repeat"), "'repeat' is for grids and lists; use 'runs'");
  if (!grid && runs == 0) REFUSE(r, r->table, "the plan: the key 'runs' is missing");
  points *= grid ? (double)p->repeat : runs;
  if (points > PLAN_RUNS_MAX)
    REFUSE(r, r->table, "the plan has %g runs, expected at most %g", points, PLAN_RUNS_MAX);
  if (r->status != HEFT_OK) return;
  p->runs = (int64_t)points;
  const int64_t share = p->runs / 100;
  const double usual = share < 1 ? 1 : (share > 1000 ? 1000 : (double)share);
  p->chunk = (int64_t)get_whole(r, "chunk", usual, 1, 1e6);
}

// Names of columns are unique; a measure has one column for each part that it keeps.
static void check_names(PlanReader* r) {
  const Plan* p = r->plan;
  for (int i = 0; i < p->vary_count; ++i)
    for (int k = 0; k < i; ++k)
      if (strcmp(p->vary[i].name, p->vary[k].name) == 0) {
        const TomlTable at = {.line = p->vary[i].line, .column = p->vary[i].column_at};
        REFUSE(r, &at, "two variations have the name '%s'", p->vary[i].name);
      }
  for (int i = 0; i < p->push_count; ++i)
    for (int k = 0; k < i; ++k)
      if (strcmp(p->push[i].name, p->push[k].name) == 0) {
        const TomlTable at = {.line = p->push[i].line, .column = p->push[i].column_at};
        REFUSE(r, &at, "two pushes have the name '%s'", p->push[i].name);
      }
}

static void read_tables(PlanReader* r) {
  static const struct {
    const char* name;
    void (*read)(PlanReader*);
  } readers[] = {{"vary", read_vary},
                 {"push", read_push},
                 {"measure", read_measure},
                 {"event", read_event},
                 {"control", read_control}};
  const Toml* t = &r->plan->toml;
  for (int i = 0; i < t->count; ++i) {
    r->table = &t->tables[i];
    check_keys(r);
    if (i == 0 && r->status == HEFT_OK) read_top(r);
    for (size_t k = 0; k < sizeof readers / sizeof *readers && r->status == HEFT_OK; ++k)
      if (strcmp(r->table->name, readers[k].name) == 0) readers[k].read(r);
  }
  if (r->status == HEFT_OK) count_runs(r);
  for (int i = 0; i < t->count && r->status == HEFT_OK; ++i) {
    r->table = &t->tables[i];
    if (strcmp(r->table->name, "log") == 0) read_log(r);
  }
  if (r->status == HEFT_OK) check_names(r);
}

// ---- the hash

static void hash_text(Sha256* h, const char* text) { sha256_add(h, text, strlen(text) + 1); }

static void hash_value(Sha256* h, const TomlValue* v) {
  const unsigned char type = (unsigned char)v->type;
  sha256_add(h, &type, 1);
  if (v->type == TOML_STRING) hash_text(h, v->text);
  if (v->type == TOML_NUMBER || v->type == TOML_BOOL) {
    unsigned char bytes[8];
    uint64_t bits;
    memcpy(&bits, &v->number, sizeof bits);
    for (int i = 0; i < 8; ++i) bytes[i] = (unsigned char)(bits >> (8 * i));
    sha256_add(h, bytes, sizeof bytes);
  }
  for (int i = 0; i < v->count; ++i) hash_value(h, &v->items[i]);
}

static HeftStatus hash_file(Sha256* h, const char* path, HeftError* error) {
  void* bytes = NULL;
  size_t size = 0;
  const HeftAllocator a = heft_allocator_default();
  const HeftStatus status = heft_file_read(&bytes, &size, path, CSV_BYTES_MAX, &a, error);
  if (status != HEFT_OK) return status;
  sha256_add(h, bytes, size);
  a.release(a.user, bytes, size + 1);
  return HEFT_OK;
}

// Comments, blanks and the path of the model do not count; the model has a hash of its own.
static HeftStatus hash_plan(Plan* p, HeftError* error) {
  char path[4][2048];
  const char* name[4];
  Sha256 h = sha256_begin();
  HeftStatus status = HEFT_OK;
  for (int i = 0; i < p->toml.count; ++i) {
    const TomlTable* t = &p->toml.tables[i];
    hash_text(&h, t->name);
    for (int k = 0; k < t->count; ++k) {
      if (i == 0 && strcmp(t->entries[k].key, "model") == 0) continue;
      hash_text(&h, t->entries[k].key);
      hash_value(&h, &t->entries[k].value);
    }
  }
  const int files = plan_files(p, path, name);
  for (int i = 0; i < files && status == HEFT_OK; ++i) {
    for (int k = 0; k < i; ++k)
      if (strcmp(name[i], name[k]) == 0 && strcmp(path[i], path[k]) != 0)
        return plan_fail(p, 1, 1, error, "two files of the plan have the same name '%.200s'",
                         name[i]);
    status = hash_file(&h, path[i], error);
  }
  sha256_text(&h, p->sha256);
  return status;
}

HeftStatus plan_read_bytes(Plan** out, const char* bytes, size_t size, const char* path, int stored,
                           HeftError* error) {
  *out = NULL;
  Plan* p = calloc(1, sizeof *p);
  if (!p) return heft_error_set(error, HEFT_ERR_MEMORY, "no memory for a plan");
  snprintf(p->path, sizeof p->path, "%s", path);
  const char* slash = strrchr(path, '/');
  snprintf(p->folder, sizeof p->folder, "%.*s", slash ? (int)(slash - path) : 1,
           slash ? (slash == path ? "/" : path) : ".");
  p->stored = stored;
  HeftStatus status = toml_read(&p->toml, bytes, size, path, error);
  PlanReader r = {.plan = p, .error = error, .status = status};
  if (r.status == HEFT_OK) read_tables(&r);
  if (r.status == HEFT_OK && p->control.file)
    read_table_file(&r, p->control.file, &p->control.table);
  status = r.status == HEFT_OK ? hash_plan(p, error) : r.status;
  if (status == HEFT_OK) status = sample_prepare(p, error);
  if (status == HEFT_OK)
    *out = p;
  else
    plan_destroy(p);
  return status;
}

HeftStatus plan_read(Plan** out, const char* path, HeftError* error) {
  void* bytes = NULL;
  size_t size = 0;
  const HeftAllocator a = heft_allocator_default();
  *out = NULL;
  HeftStatus status = heft_file_read(&bytes, &size, path, TOML_BYTES_MAX, &a, error);
  if (status != HEFT_OK) return status;
  status = plan_read_bytes(out, bytes, size, path, 0, error);
  a.release(a.user, bytes, size + 1);
  return status;
}

void plan_destroy(Plan* p) {
  if (!p) return;
  toml_release(&p->toml);
  csv_release(&p->list_table);
  csv_release(&p->control.table);
  free(p);
}

int64_t plan_chunk_count(const Plan* p) { return (p->runs + p->chunk - 1) / p->chunk; }

int64_t plan_chunk_first(const Plan* p, int64_t chunk) { return chunk * p->chunk; }

int plan_chunk_runs(const Plan* p, int64_t chunk) {
  const int64_t left = p->runs - chunk * p->chunk;
  return (int)(left < p->chunk ? left : p->chunk);
}
