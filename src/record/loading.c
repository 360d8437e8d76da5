// SPDX-License-Identifier: Apache-2.0
// Folders (--root, --package) are not stored: a recording must not open folders of the machine that
// replays it.
#include <heft/io.h>
#include <math.h>
#include <string.h>
#include "record/session_log.h"

// Numbers of a recording with their ranges; whole: 1 if they have no fraction.
typedef struct Row {
  const char* name;
  double min, max;
  int whole;
} Row;

enum {
  FLOATING,
  FLOOR,
  PLACE,
  SERVOS,
  OVERLAPS,
  FOLDERS,
  HEIGHT,
  KP,
  KD,
  DECOMPOSE,
  PIECES,
  SOFT,
  ROWS
};
static const Row rows[ROWS] = {{"floating", 0, 1, 1},
                               {"floor", 0, 1, 1},
                               {"place", 0, 1, 1},
                               {"servos", 0, HEFT_URDF_SERVOS_BY_GAINS, 1},
                               {"exclude_overlaps", 0, 1, 1},
                               {"folders", 0, 1, 1},
                               {"height", -1e9, 1e9, 0},
                               {"kp", 0, 1e9, 0},
                               {"kd", 0, 1e9, 0},
                               {"decompose", -1e9, 1e9, 0},
                               {"pieces", 0, 1000, 1},
                               {"soft_contacts", 0, 1, 1}};

static int keep(HeftLoading* l, const char* name) {
  const size_t size = strlen(name) + 1;
  if (size > sizeof l->text - l->text_used) return -1;
  memcpy(l->text + l->text_used, name, size);
  l->text_used += size;
  return (int)(l->text_used - size);
}

int heft_loading_exclude(HeftLoading* l, const char* first, const char* second) {
  if (l->exclude_count == HEFT_LOADING_EXCLUDES) return 0;
  const int a = keep(l, first), b = a >= 0 ? keep(l, second) : -1;
  if (b < 0) return 0;
  l->exclude[l->exclude_count][0] = a;
  l->exclude[l->exclude_count++][1] = b;
  return 1;
}

void heft_loading_write(const HeftLoading* l, HeftJsonText* t) {
  const double value[ROWS] = {l->floating,         l->floor,     l->place,  l->servos,
                              l->exclude_overlaps, l->folders,   l->height, l->gains[0],
                              l->gains[1],         l->decompose, l->pieces, l->soft_contacts};
  heft_json_text_put(t, "{");
  for (int i = 0; i < ROWS; ++i) {
    heft_json_text_quoted(t, rows[i].name);
    heft_json_text_put(t, ":");
    heft_json_text_number(t, value[i]);
    heft_json_text_put(t, ",");
  }
  heft_json_text_put(t, "\"srdf\":");
  heft_json_text_quoted(t, l->srdf);
  heft_json_text_put(t, ",\"exclude\":[");
  for (int i = 0; i < l->exclude_count; ++i) {
    heft_json_text_put(t, i > 0 ? ",[" : "[");
    heft_json_text_quoted(t, l->text + l->exclude[i][0]);
    heft_json_text_put(t, ",");
    heft_json_text_quoted(t, l->text + l->exclude[i][1]);
    heft_json_text_put(t, "]");
  }
  heft_json_text_put(t, "]}");
}

// Older recordings have neither pieces nor soft contacts.
static int read_row(HeftJsonSpan object, const Row* row, double* out) {
  HeftJsonSpan value;
  *out = 0;
  if (row >= &rows[DECOMPOSE] && !heft_json_span_field(object, row->name, &value)) return 1;
  if (!heft_json_span_field(object, row->name, &value) || !heft_json_span_double(value, out))
    return 0;
  return *out >= row->min && *out <= row->max && (!row->whole || *out == floor(*out));
}

static int read_pair(HeftLoading* l, HeftJsonSpan pair) {
  char name[2][256];
  HeftJsonSpan entries, value;
  if (!heft_json_span_open(pair, &entries)) return 0;
  for (int i = 0; i < 2; ++i)
    if (!heft_json_span_next(&entries, NULL, &value) ||
        !heft_json_span_string(value, name[i], sizeof name[i]))
      return 0;
  return heft_loading_exclude(l, name[0], name[1]);
}

const char* heft_loading_read(HeftLoading* l, HeftJsonSpan object) {
  static const char wrong[] = "the recording has damaged options of loading";
  double value[ROWS];
  HeftJsonSpan list, entries, entry;
  memset(l, 0, sizeof *l);
  for (int i = 0; i < ROWS; ++i)
    if (!read_row(object, &rows[i], &value[i])) return wrong;
  l->floating = (int)value[FLOATING];
  l->floor = (int)value[FLOOR];
  l->place = (int)value[PLACE];
  l->servos = (int)value[SERVOS];
  l->exclude_overlaps = (int)value[OVERLAPS];
  l->folders = (int)value[FOLDERS];
  l->height = value[HEIGHT];
  l->gains[0] = value[KP];
  l->gains[1] = value[KD];
  l->decompose = value[DECOMPOSE];
  l->pieces = (int)value[PIECES];
  l->soft_contacts = (int)value[SOFT];
  if (!heft_json_span_field(object, "srdf", &entry) ||
      !heft_json_span_string(entry, l->srdf, sizeof l->srdf) ||
      !heft_json_span_field(object, "exclude", &list) || !heft_json_span_open(list, &entries))
    return wrong;
  while (heft_json_span_next(&entries, NULL, &entry))
    if (!read_pair(l, entry)) return wrong;
  return NULL;
}
