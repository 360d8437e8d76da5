// SPDX-License-Identifier: Apache-2.0
// A row is one message of each channel. A message may hold anything: the reader compares every
// count with the model, and refuses numbers that are not finite or beyond what a world accepts.
#include "run_read.h"

#include <errno.h>
#include <heft/heft.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "record/mcap.h"

enum { STATE, REPORT, CONTACTS, CONTROLS, SENSORS, PLUGINS, CHANNELS, NAME = 40 };

struct RunRead {
  HeftMcapReader* mcap;
  HeftModel* model;
  char model_path[1024], folder[1024];
  int channel[CHANNELS];  // -1: none
  HeftRecording recording;
  char field[HEFT_FRAME_FIELDS][NAME];  // names of values
  int field_count;
};

__attribute__((format(printf, 2, 3))) static int fail(HeftError* error, const char* format, ...) {
  va_list arguments;
  char text[sizeof error->message];
  va_start(arguments, format);
  // clang-tidy does not see va_start() here.
  vsnprintf(text, sizeof text, format, arguments);  // NOLINT(clang-analyzer-valist.Uninitialized)
  va_end(arguments);
  if (!error) return 0;
  *error = (HeftError){.status = HEFT_ERR_SYNTAX};
  memcpy(error->message, text, sizeof text);
  return 0;
}

// ---- values of plug-ins and sensors, as a list of numbers

typedef struct Fields {
  HeftFrameField* field;  // values; NULL: names are read
  char (*name)[NAME];
  int count;
} Fields;

static void add_field(Fields* f, const char* name, HeftJsonSpan value) {
  double x = 0;
  if (f->count == HEFT_FRAME_FIELDS) return;
  if (f->name) snprintf(f->name[f->count], NAME, "%.39s", name);
  if (f->field) f->field[f->count].value = heft_json_span_double(value, &x) ? x : 0;
  ++f->count;
}

// The numbers of one entry: itself, or the numbers of its array or object.
static void add_entry(Fields* f, const char* name, HeftJsonSpan value) {
  char part[24], full[80];
  HeftJsonSpan entries, inner, key;
  if (!heft_json_span_open(value, &entries)) {
    add_field(f, name, value);
    return;
  }
  const int object = *value.at == '{';
  for (int i = 0; heft_json_span_next(&entries, object ? &key : NULL, &inner); ++i) {
    snprintf(part, sizeof part, "%d", i);
    if (object && !heft_json_span_string(key, part, sizeof part)) return;
    snprintf(full, sizeof full, "%.39s %s", name, part);
    add_field(f, full, inner);
  }
}

static void add_fields(Fields* f, const HeftMcapMessage* m) {
  char name[NAME];
  HeftJsonSpan entries, key, value;
  if (!heft_json_span_open((HeftJsonSpan){m->data, m->data + m->size}, &entries)) return;
  while (heft_json_span_next(&entries, &key, &value))
    if (heft_json_span_string(key, name, sizeof name)) add_entry(f, name, value);
}

// ---- one row

static int message(RunRead* r, int kind, long row, HeftMcapMessage* out) {
  const char* what;
  return r->channel[kind] >= 0 &&
         heft_mcap_reader_message(r->mcap, r->channel[kind], row, out, &what);
}

static HeftJsonSpan whole(const HeftMcapMessage* m) {
  return (HeftJsonSpan){m->data, m->data + m->size};
}

static int within(const double* x, int count, double max) {
  for (int i = 0; i < count; ++i)
    if (!(fabs(x[i]) <= max)) return 0;
  return 1;
}

static int read_numbers(HeftJsonSpan object, const char* name, double* out, int count, double max) {
  HeftJsonSpan value;
  if (count == 0) return 1;
  return heft_json_span_field(object, name, &value) && heft_json_span_doubles(value, out, count) &&
         within(out, count, max);
}

static int read_state(RunRead* r, long row, HeftViewFrame* f) {
  const HeftModel* m = r->model;
  HeftMcapMessage msg;
  HeftJsonSpan value;
  if (!message(r, STATE, row, &msg)) return 0;
  const HeftJsonSpan all = whole(&msg);
  if (!heft_json_span_field(all, "time", &value) || !heft_json_span_double(value, &f->time))
    return 0;
  if (!read_numbers(all, "q", f->q, m->nq, HEFT_PLACE_MAX) ||
      !read_numbers(all, "v", f->v, m->nv, HEFT_SPEED_MAX) ||
      !read_numbers(all, "moved", f->moved, 13 * m->nmoved, HEFT_PLACE_MAX))
    return 0;
  heft_q_normalize(m, f->q);
  return within(f->q, m->nq, HEFT_PLACE_MAX);
}

static int name_is(HeftJsonSpan key, const char* word) {
  const size_t n = strlen(word);
  return (size_t)(key.end - key.at) == n + 2 && memcmp(key.at + 1, word, n) == 0;
}

static void read_report(RunRead* r, long row, HeftStepReport* out) {
  HeftMcapMessage msg;
  HeftJsonSpan entries, key, value;
  double x = 0;
  *out = (HeftStepReport){0};
  if (!message(r, REPORT, row, &msg) || !heft_json_span_open(whole(&msg), &entries)) return;
  while (heft_json_span_next(&entries, &key, &value)) {
    if (!heft_json_span_double(value, &x)) continue;
    const int n = fabs(x) < 1e9 ? (int)x : 0;
    if (name_is(key, "kinetic")) out->kinetic = x;
    if (name_is(key, "potential")) out->potential = x;
    if (name_is(key, "work")) out->work = x;
    if (name_is(key, "contacts")) out->contact_count = n;
    if (name_is(key, "residual")) out->residual = x;
    if (name_is(key, "relative")) out->relative = x;
    if (name_is(key, "cone")) out->cone = x;
    if (name_is(key, "gap_power")) out->gap_power = x;
    if (name_is(key, "penetration")) out->penetration = x;
    if (name_is(key, "energy_change")) out->energy_change = x;
    if (name_is(key, "inexact")) out->inexact = n;
    if (name_is(key, "dropped")) out->contact_dropped = n;
    if (name_is(key, "islands")) out->islands = n;
    if (name_is(key, "sweeps")) out->sweeps = n;
    if (name_is(key, "newton_steps")) out->newton_steps = n;
    if (name_is(key, "status") && n >= 0 && n < HEFT_STEP_STATUS_COUNT)
      out->status = (HeftStepStatus)n;
  }
}

static int read_vector(HeftJsonSpan value, HeftVec3* out) {
  HeftJsonSpan entries, key, entry;
  double x[3] = {0};
  if (!heft_json_span_open(value, &entries)) return 0;
  for (int i = 0; i < 3; ++i)
    if (!heft_json_span_next(&entries, &key, &entry) || !heft_json_span_double(entry, &x[i]))
      return 0;
  *out = heft_vec3_from(x);
  return within(x, 3, 1e12);
}

static int read_contact(const HeftModel* m, HeftJsonSpan object, HeftContact* out) {
  HeftJsonSpan entries, key, value;
  double a = -1, b = -1, state = 0;
  int good = 1;
  *out = (HeftContact){0};
  if (!heft_json_span_open(object, &entries)) return 0;
  while (good && heft_json_span_next(&entries, &key, &value)) {
    if (name_is(key, "shape_a")) good = heft_json_span_double(value, &a);
    if (name_is(key, "shape_b")) good = heft_json_span_double(value, &b);
    if (name_is(key, "state")) good = heft_json_span_double(value, &state);
    if (name_is(key, "gap")) good = heft_json_span_double(value, &out->gap);
    if (name_is(key, "pos")) good = read_vector(value, &out->pos);
    if (name_is(key, "normal")) good = read_vector(value, &out->normal);
    if (name_is(key, "force")) good = read_vector(value, &out->force);
    if (name_is(key, "torque")) good = read_vector(value, &out->torque);
    if (name_is(key, "slip")) good = read_vector(value, &out->slip);
    if (name_is(key, "area"))
      good = heft_json_span_double(value, &out->area) && out->area >= 0 && out->area <= 1e12;
  }
  if (!good || !(a >= 0 && a < m->nshape) || !(b >= 0 && b < m->nshape) ||
      !(state >= 0 && state < HEFT_CONTACT_STATE_COUNT))
    return 0;
  out->shape_a = (int)a;
  out->shape_b = (int)b;
  out->body_a = m->shape_body[out->shape_a];
  out->body_b = m->shape_body[out->shape_b];
  out->state = (HeftContactState)state;
  return 1;
}

static void read_contacts(RunRead* r, long row, HeftViewFrame* f, int capacity) {
  HeftMcapMessage msg;
  HeftJsonSpan list, entries, entry;
  f->contact_count = 0;
  if (!message(r, CONTACTS, row, &msg) || !heft_json_span_field(whole(&msg), "contacts", &list) ||
      !heft_json_span_open(list, &entries))
    return;
  while (f->contact_count < capacity && heft_json_span_next(&entries, NULL, &entry))
    if (read_contact(r->model, entry, &f->contact[f->contact_count])) ++f->contact_count;
}

static void read_controls(RunRead* r, long row, HeftViewFrame* f) {
  HeftMcapMessage msg;
  HeftJsonSpan entries, key, actuator, value;
  if (!message(r, CONTROLS, row, &msg) || !heft_json_span_open(whole(&msg), &entries)) return;
  for (int i = 0; i < r->model->nactuator && heft_json_span_next(&entries, &key, &actuator); ++i) {
    double x = 0;
    if (heft_json_span_field(actuator, "control", &value) && heft_json_span_double(value, &x))
      f->controls[i] = x;
    if (heft_json_span_field(actuator, "force", &value) && heft_json_span_double(value, &x))
      f->actuator_forces[i] = x;
  }
}

static void read_values(RunRead* r, long row, HeftViewFrame* f) {
  HeftMcapMessage msg;
  Fields fields = {.field = f->plugin_value};
  for (int i = 0; i < r->field_count; ++i) {
    f->plugin_value[i] = (HeftFrameField){.min = -1, .max = 1};
    memcpy(f->plugin_value[i].name, r->field[i], sizeof r->field[i]);
  }
  if (message(r, PLUGINS, row, &msg)) add_fields(&fields, &msg);
  if (message(r, SENSORS, row, &msg)) add_fields(&fields, &msg);
  f->plugin_value_count = r->field_count;
}

static int read_row(void* user, long row, HeftViewFrame* frame, int contact_capacity) {
  RunRead* r = user;
  if (!read_state(r, row, frame)) return 0;
  read_report(r, row, &frame->report);
  frame->report.time = frame->time;
  read_contacts(r, row, frame, contact_capacity);
  read_controls(r, row, frame);
  read_values(r, row, frame);
  return 1;
}

static double row_time(void* user, long row) {
  const RunRead* r = user;
  return 1e-9 * (double)heft_mcap_reader_time(r->mcap, r->channel[STATE], row);
}

// ---- opening

static int load_model(RunRead* r, HeftError* error) {
  const char* what = "";
  const HeftAllocator allocator = heft_allocator_default();
  HeftBytes bytes = {.allocator = &allocator};
  if (heft_mcap_reader_channel(r->mcap, "/session") >= 0)
    return fail(error, "this is a recorded session, which 'heft replay' repeats");
  if (!heft_mcap_reader_attachment(r->mcap, HEFT_MCAP_MODEL, &bytes, &what)) {
    heft_bytes_free(&bytes);
    return fail(error, "the log has no model (%s); write it with 'heft run --log' of this version",
                what);
  }
  const HeftStatus status = heft_model_load(&r->model, bytes.bytes, bytes.size, NULL, error);
  heft_bytes_free(&bytes);
  return status == HEFT_OK;
}

static void read_model_path(RunRead* r) {
  const char* what;
  const int channel = heft_mcap_reader_channel(r->mcap, "/model");
  HeftMcapMessage m;
  HeftJsonSpan value;
  if (heft_mcap_reader_count(r->mcap, channel) > 0 &&
      heft_mcap_reader_message(r->mcap, channel, 0, &m, &what) &&
      heft_json_span_field(whole(&m), "path", &value))
    heft_json_span_string(value, r->model_path, sizeof r->model_path);
  const char* slash = strrchr(r->model_path, '/');
  snprintf(r->folder, sizeof r->folder, "%.*s", slash ? (int)(slash - r->model_path) : 1,
           slash ? r->model_path : ".");
  if (r->folder[0]) r->recording.folder = r->folder;
}

// The rows are those that all channels have; a run that was interrupted may lack the last ones of
// some.
static int find_rows(RunRead* r, HeftError* error) {
  static const char* const topic[CHANNELS] = {"/state",    "/report",  "/contacts",
                                              "/controls", "/sensors", "/plugins"};
  long rows = -1;
  for (int i = 0; i < CHANNELS; ++i) {
    r->channel[i] = heft_mcap_reader_channel(r->mcap, topic[i]);
    if (i == STATE || r->channel[i] >= 0) {
      const long count = heft_mcap_reader_count(r->mcap, r->channel[i]);
      rows = rows < 0 || count < rows ? count : rows;
    }
  }
  if (rows <= 0) return fail(error, "the log has no rows");
  for (long i = 0; i < rows; ++i) {
    const uint64_t time = heft_mcap_reader_time(r->mcap, r->channel[STATE], i);
    if (time > UINT64_MAX / 4 ||
        (i > 0 && time < heft_mcap_reader_time(r->mcap, r->channel[STATE], i - 1)))
      return fail(error, "the times of the log are not in order: row %ld", i);
    for (int k = 0; k < CHANNELS; ++k)
      if (r->channel[k] >= 0 && heft_mcap_reader_time(r->mcap, r->channel[k], i) != time)
        return fail(error, "the rows of the log do not fit each other: row %ld of %s", i, topic[k]);
  }
  r->recording = (HeftRecording){.user = r, .row_count = rows, .time = row_time, .read = read_row};
  return 1;
}

static void name_fields(RunRead* r) {
  HeftMcapMessage m;
  Fields fields = {.name = r->field};
  if (message(r, PLUGINS, 0, &m)) add_fields(&fields, &m);
  if (message(r, SENSORS, 0, &m)) add_fields(&fields, &m);
  r->field_count = fields.count;
}

RunRead* run_read_open(FILE* file, HeftModel* model, HeftError* error) {
  const char* what = "";
  RunRead* r = calloc(1, sizeof *r);
  if (!r) {
    fclose(file);
    heft_model_destroy(model);
    fail(error, "there is not enough memory for the log");
    return NULL;
  }
  r->model = model;
  r->mcap = heft_mcap_reader_open(file, &what);
  if (!r->mcap) fail(error, "%s", what);
  if (!r->mcap || (!model && !load_model(r, error)) || !find_rows(r, error)) {
    run_read_close(r);
    return NULL;
  }
  read_model_path(r);
  name_fields(r);
  return r;
}

RunRead* run_read_open_path(const char* path, HeftError* error) {
  FILE* file = fopen(path, "rb");
  if (!file) fail(error, "%s", strerror(errno));
  RunRead* r = file ? run_read_open(file, NULL, error) : NULL;
  if (!r && error) snprintf(error->file, sizeof error->file, "%s", path);
  return r;
}

void run_read_close(RunRead* log) {
  if (!log) return;
  heft_mcap_reader_close(log->mcap);
  heft_model_destroy(log->model);
  free(log);
}

HeftModel* run_read_copy_model(const RunRead* log, HeftError* error) {
  HeftModel* model = NULL;
  const size_t size = heft_model_save_size(log->model);
  void* bytes = malloc(size);
  if (!bytes) {
    fail(error, "there is not enough memory for the model");
    return NULL;
  }
  heft_model_save(log->model, bytes);
  heft_model_load(&model, bytes, size, NULL, error);
  free(bytes);
  return model;
}

const HeftRecording* run_read_recording(const RunRead* log) { return &log->recording; }

int run_read_comparable(const RunRead* a, const RunRead* b, HeftError* error) {
  const HeftModel *x = a->model, *y = b->model;
  if (x->nbody != y->nbody || x->nq != y->nq || x->nv != y->nv || x->nmoved != y->nmoved)
    return fail(error,
                "two logs can be compared if they are of the same robot; the first has %d bodies "
                "and %d coordinates, the second %d and %d",
                x->nbody, x->nq, y->nbody, y->nq);
  for (int i = 1; i < x->nbody; ++i) {
    const char *p = heft_model_name(x, HEFT_NAMED_BODY, i),
               *q = heft_model_name(y, HEFT_NAMED_BODY, i);
    if (strcmp(p, q) != 0)
      return fail(error,
                  "two logs can be compared if they are of the same robot; body %d is '%.60s' in "
                  "the first and '%.60s' in the second",
                  i, p, q);
  }
  return 1;
}

int run_read_is_log(const char* path) {
  const size_t n = strlen(path);
  return n > 5 && strcmp(path + n - 5, ".mcap") == 0;
}
