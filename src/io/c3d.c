// SPDX-License-Identifier: Apache-2.0
// Papers: R33, R76.
// C3D files (www.c3d.org, the user guide of 2008). Blocks of 512 bytes: a header, parameters,
// frames.
//
//   header      byte 0 the block of the parameters, byte 1 0x50; then words of 16 bits: points,
//               analog numbers of a frame, first and last frame, gap, scale (real; negative: the
//               data is real), block of the data, analog samples of a frame, frames a second (real)
//   parameters  byte 3 the processor: 84 Intel, 85 DEC, 86 MIPS. Then records: length and letters
//               of the name, number of the group (negative: the record is the group), distance to
//               the next record; type (-1 text, 1, 2, 4 bytes), dimensions, values by columns
//   frame       points: x, y, z and a fourth number, which is negative where a point was not seen;
//               then the analog samples, one channel after the other
//
// Every distance and count is compared with the file before it is used.
#include "io/c3d.h"

#include <heft/spatial.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/assert.h"
#include "base/error.h"
#include "io/region.h"

enum { BLOCK = 512, NAME_MAX_BYTES = 64, DIMENSIONS = 7, PLATES_MAX = 32 };
enum { INTEL = 84, DEC = 85, MIPS = 86 };

typedef struct C3d {
  const unsigned char* bytes;
  size_t size;
  const char* file;
  HeftError* error;
  HeftStatus status;
  Region region;
  int processor;
  size_t begin, end;  ///< of the records of parameters
  int points, analog, channels, per_frame, real;
  int64_t frames;
  size_t data, frame_bytes;
  double scale, rate, length;  ///< length: of the file's unit [m]
  HeftMat3 turn;               ///< axes of the file to axes with z up
} C3d;

#define C3D_FAIL(c, code, ...) \
  ((c)->status = heft_error_set_at((c)->error, code, (c)->file, 0, 0, __VA_ARGS__), 0)

// ---- numbers

static unsigned word_at(const C3d* c, size_t at) {
  const unsigned char* b = c->bytes + at;
  return c->processor == MIPS ? b[0] * 256u + b[1] : b[1] * 256u + b[0];
}

static int int_at(const C3d* c, size_t at) {
  const int word = (int)word_at(c, at);
  return word < 32768 ? word : word - 65536;
}

// The exponent of DEC counts from 129 in place of 127, and its words of 16 bits are exchanged.
static double real_at(const C3d* c, size_t at) {
  const uint32_t first = word_at(c, at), second = word_at(c, at + 2);
  const int turned = c->processor != INTEL;
  const uint32_t bits = turned ? first << 16 | second : second << 16 | first;
  float x;
  if (c->processor == DEC && (bits >> 23 & 255) == 0) return 0;
  memcpy(&x, &bits, sizeof x);
  if (c->processor == DEC && (bits >> 23 & 255) == 255) {  // no infinity there, but a number
    const uint32_t less = bits - (2u << 23);
    memcpy(&x, &less, sizeof x);
    return (double)x;
  }
  return c->processor == DEC ? (double)x / 4 : (double)x;
}

// ---- parameters

typedef struct Parameter {
  int type, count;  ///< count: of values, 0: the file has no such parameter
  int size[DIMENSIONS];
  size_t at;  ///< of the first value
} Parameter;

typedef struct Record {
  size_t name, next, body;
  int length, group;
} Record;

static int signed_byte(unsigned char b) { return b < 128 ? b : b - 256; }

// Whether there is a record at *at, which then moves behind it.
static int next_record(const C3d* c, size_t* at, Record* out) {
  if (*at + 2 > c->end) return 0;
  const int length = signed_byte(c->bytes[*at]);
  out->length = length < 0 ? -length : length;
  out->group = signed_byte(c->bytes[*at + 1]);
  out->name = *at + 2;
  out->body = out->name + (size_t)out->length + 2;
  if (out->length == 0 || out->group == 0 || out->body > c->end) return 0;
  const unsigned distance = word_at(c, out->body - 2);
  out->next = distance == 0 ? c->end : out->body - 2 + distance;
  if (out->next < out->body || out->next > c->end) out->next = c->end;
  *at = out->next;
  return 1;
}

static int has_name(const C3d* c, const Record* r, const char* name) {
  for (int i = 0; i < r->length; ++i) {
    int letter = c->bytes[r->name + (size_t)i];
    if (letter >= 'a' && letter <= 'z') letter -= 'a' - 'A';
    if (!name[i] || letter != name[i]) return 0;
  }
  return name[r->length] == '\0';
}

static Parameter read_parameter(const C3d* c, const Record* r) {
  Parameter p = {0}, none = {0};
  if (r->body + 2 > r->next) return none;
  const int dimensions = c->bytes[r->body + 1];
  p.type = signed_byte(c->bytes[r->body]);
  p.at = r->body + 2 + (size_t)dimensions;
  if (dimensions > DIMENSIONS || p.at > r->next) return none;
  size_t count = 1;
  for (int i = 0; i < dimensions; ++i) {
    p.size[i] = c->bytes[r->body + 2 + (size_t)i];
    count *= (size_t)p.size[i];
    if (count > c->size) return none;
  }
  const size_t width = p.type == -1 || p.type == 1 ? 1 : p.type == 2 ? 2 : p.type == 4 ? 4 : 0;
  if (width == 0 || count * width > r->next - p.at) return none;
  p.count = (int)count;
  return p;
}

static Parameter find(const C3d* c, const char* group, const char* name) {
  Record r;
  int number = 0;
  for (size_t at = c->begin; number == 0 && next_record(c, &at, &r);)
    if (r.group < 0 && has_name(c, &r, group)) number = -r.group;
  for (size_t at = c->begin; number > 0 && next_record(c, &at, &r);)
    if (r.group == number && has_name(c, &r, name)) return read_parameter(c, &r);
  return (Parameter){0};
}

static double value(const C3d* c, const Parameter* p, int i, double otherwise) {
  if (i >= p->count) return otherwise;
  if (p->type == 4) return real_at(c, p->at + 4 * (size_t)i);
  if (p->type == 2) return int_at(c, p->at + 2 * (size_t)i);
  return p->type == 1 ? c->bytes[p->at + (size_t)i] : otherwise;
}

// A number that counts. Some programs write it as a real.
static int whole_value(const C3d* c, const Parameter* p, int i) {
  return (int)fmax(-1e9, fmin(1e9, value(c, p, i, 0)));
}

// Text i of a list, without blanks at its end; "" if there is none.
static void text(const C3d* c, const Parameter* p, int i, char out[NAME_MAX_BYTES]) {
  const int width = p->size[0];
  int length = 0;
  out[0] = '\0';
  if (p->type != -1 || width == 0 || i >= p->count / width) return;
  const unsigned char* from = c->bytes + p->at + (size_t)i * (size_t)width;
  while (length < width && length < NAME_MAX_BYTES - 1 && from[length]) ++length;
  while (length > 0 && from[length - 1] == ' ') --length;
  memcpy(out, from, (size_t)length);
  out[length] = '\0';
  heft_error_one_line(out);
}

// A list that continues in the parameters NAME2, NAME3.. after 255 entries each.
typedef struct List {
  const char *group, *name;
  int part;  ///< from 1; 0: none was looked for
  Parameter p;
} List;

// The parameter of entry *i, which becomes the index in it.
static const Parameter* part_of(const C3d* c, List* list, int* i) {
  const int part = *i / 255 + 1;
  char name[24];
  snprintf(name, sizeof name, part > 1 ? "%.12s%d" : "%.12s", list->name, part);
  if (part != list->part) list->p = find(c, list->group, name);
  list->part = part;
  *i %= 255;
  return &list->p;
}

// ---- header

static int locate_parameters(C3d* c) {
  if (c->size < BLOCK || c->bytes[1] != 0x50)
    return C3D_FAIL(c, HEFT_ERR_SYNTAX,
                    "the file is no C3D file: it has %zu bytes and byte 1 is 0x%02x, expected at "
                    "least 512 bytes and 0x50",
                    c->size, c->size > 1 ? c->bytes[1] : 0u);
  const size_t at = ((size_t)c->bytes[0] - 1) * BLOCK;
  if (c->bytes[0] == 0 || at + 4 > c->size)
    return C3D_FAIL(c, HEFT_ERR_SYNTAX,
                    "byte 0 has the block %u for the parameters, but the file has %zu blocks of "
                    "512 bytes",
                    c->bytes[0], c->size / BLOCK);
  c->processor = c->bytes[at + 3];
  if (c->processor < INTEL || c->processor > MIPS)
    return C3D_FAIL(c, HEFT_ERR_SYNTAX,
                    "byte %zu has the processor %d, expected 84 (Intel), 85 (DEC) or 86 (MIPS)",
                    at + 3, c->processor);
  c->begin = at + 4;
  c->end = at + (size_t)c->bytes[at + 2] * BLOCK;
  if (c->bytes[at + 2] == 0 || c->end > c->size) c->end = c->size;
  return 1;
}

static double positive(double a, double b) { return isfinite(a) && a > 0 ? a : b; }

// The header has 16 bits for the last frame; longer files have the numbers of frames elsewhere.
static int64_t count_frames(const C3d* c) {
  const int64_t first = word_at(c, 6), last = word_at(c, 8);
  const Parameter from = find(c, "TRIAL", "ACTUAL_START_FIELD"),
                  to = find(c, "TRIAL", "ACTUAL_END_FIELD"), more = find(c, "POINT", "LONG_FRAMES");
  if (from.type == 2 && from.count == 2 && to.type == 2 && to.count == 2)
    return (int64_t)word_at(c, to.at) - word_at(c, from.at) + 1 +
           65536 * ((int64_t)word_at(c, to.at + 2) - word_at(c, from.at + 2));
  if (last == 65535 && more.type == 4 && more.count > 0) {
    const double n = real_at(c, more.at);
    if (n > 65535 && n < 1e9) return (int64_t)n;
  }
  return last - first + 1;
}

static int read_header(C3d* c) {
  const Parameter rate = find(c, "POINT", "RATE"), scale = find(c, "POINT", "SCALE");
  c->points = (int)word_at(c, 2);
  c->analog = (int)word_at(c, 4);
  c->per_frame = (int)word_at(c, 18);
  c->scale = value(c, &scale, 0, real_at(c, 12));
  c->real = real_at(c, 12) < 0;
  c->rate = positive(value(c, &rate, 0, 0), real_at(c, 20));
  if (!(c->rate > 0) || !isfinite(c->rate))
    return C3D_FAIL(c, HEFT_ERR_VALUE, "POINT:RATE is %g frames a second, expected more than 0",
                    c->rate);
  if (c->analog > 0 && (c->per_frame == 0 || c->analog % c->per_frame != 0))
    return C3D_FAIL(
        c, HEFT_ERR_VALUE,
        "a frame has %d analog numbers in %d samples (bytes 4 and 18), expected as many "
        "in each sample",
        c->analog, c->per_frame);
  c->channels = c->analog > 0 ? c->analog / c->per_frame : 0;
  c->frame_bytes = (size_t)(4 * c->points + c->analog) * (c->real ? 4 : 2);
  if (c->frame_bytes == 0)
    return C3D_FAIL(c, HEFT_ERR_VALUE, "the file has neither markers nor analog channels");
  const unsigned block = word_at(c, 16);
  c->data = block > 0 ? ((size_t)block - 1) * BLOCK : 0;
  c->frames = count_frames(c);
  const size_t there = block > 0 && c->data < c->size ? (c->size - c->data) / c->frame_bytes : 0;
  if (c->frames < 1 || (uint64_t)c->frames > there)
    return C3D_FAIL(c, HEFT_ERR_SYNTAX,
                    "the header has %lld frames of %zu bytes from byte %zu on, but %zu bytes hold "
                    "%zu of them; was the file cut?",
                    (long long)c->frames, c->frame_bytes, c->data, c->size, there);
  return 1;
}

// ---- units and axes

static int read_length(C3d* c) {
  static const struct {
    const char* name;
    double length;
  } units[] = {{"mm", 1e-3}, {"", 1e-3}, {"cm", 1e-2}, {"dm", 0.1}, {"m", 1}, {"in", 0.0254}};
  const Parameter p = find(c, "POINT", "UNITS");
  char name[NAME_MAX_BYTES];
  text(c, &p, 0, name);
  for (size_t i = 0; i < sizeof units / sizeof *units; ++i) {
    if (strcmp(name, units[i].name) != 0) continue;
    c->length = units[i].length;
    return 1;
  }
  return C3D_FAIL(c, HEFT_ERR_UNSUPPORTED,
                  "POINT:UNITS is '%s', expected mm, cm, dm, m or in; change the parameter", name);
}

static int read_axis(const C3d* c, const char* name, HeftVec3* out) {
  const Parameter p = find(c, "POINT", name);
  char word[NAME_MAX_BYTES];
  text(c, &p, 0, word);
  const int letter = word[0] && word[1] ? word[1] : word[0];
  if (letter < 'X' || letter > 'Z') return 0;
  double v[3] = {0};
  v[letter - 'X'] = word[0] == '-' ? -1 : 1;
  *out = heft_vec3_from(v);
  return 1;
}

// Y_SCREEN is the vertical axis of the laboratory. Where it is z already, nothing turns.
static void read_axes(C3d* c) {
  HeftVec3 x, z;
  c->turn = heft_mat3_identity();
  if (!read_axis(c, "Y_SCREEN", &z) || z.z > 0) return;
  if (!read_axis(c, "X_SCREEN", &x) || heft_vec3_dot(x, z) != 0) return;
  c->turn = heft_mat3_transpose(heft_mat3_from_columns(x, heft_vec3_cross(z, x), z));
}

// ---- tables

static void put_vec3(HeftVec3 v, double* out) {
  out[0] = v.x;
  out[1] = v.y;
  out[2] = v.z;
}

static int take_table(C3d* c, HeftC3dTable* t, int columns, int64_t rows) {
  t->columns = columns;
  t->rows = rows;
  t->name = region_take(&c->region, (size_t)columns, sizeof *t->name);
  t->number = region_take(&c->region, (size_t)rows * (size_t)columns, sizeof(double));
  return (t->name && t->number) ||
         C3D_FAIL(c, HEFT_ERR_MEMORY, "no memory for %lld rows of %d", (long long)rows, columns);
}

static int name_column(C3d* c, HeftC3dTable* t, int column, const char* name, const char* end) {
  const size_t size = strlen(name) + strlen(end) + 1;
  char* out = region_take(&c->region, size, 1);
  if (!out) return C3D_FAIL(c, HEFT_ERR_MEMORY, "no memory for a name");
  snprintf(out, size, "%s%s", name, end);
  t->name[column] = out;
  return 1;
}

// Label i of points or channels; a number where the file has none.
static void label(const C3d* c, List* labels, const char* otherwise, int i,
                  char out[NAME_MAX_BYTES]) {
  int k = i;
  const Parameter* p = part_of(c, labels, &k);
  text(c, p, k, out);
  if (!out[0]) snprintf(out, NAME_MAX_BYTES, "%s%d", otherwise, i + 1);
}

static HeftVec3 place(const C3d* c, HeftVec3 v) {
  return heft_mat3_mul_vec(c->turn, heft_vec3_scale(c->length, v));
}

static HeftVec3 point_at(const C3d* c, size_t at) {
  const HeftVec3 unseen = {(double)NAN, (double)NAN, (double)NAN};
  double v[4];
  for (int k = 0; k < 4; ++k)
    v[k] = c->real ? real_at(c, at + 4 * (size_t)k) : int_at(c, at + 2 * (size_t)k);
  const double by = c->real ? 1 : fabs(c->scale);
  if (!(v[3] >= 0)) return unseen;
  const HeftVec3 p = place(c, heft_vec3_scale(by, heft_vec3_from(v)));
  return isfinite(p.x) && isfinite(p.y) && isfinite(p.z) ? p : unseen;
}

static int read_points(C3d* c, HeftC3dTable* t) {
  static const char* const ends[3] = {".x", ".y", ".z"};
  List labels = {.group = "POINT", .name = "LABELS"};
  char name[NAME_MAX_BYTES];
  if (!take_table(c, t, 1 + 3 * c->points, c->frames) || !name_column(c, t, 0, "time", ""))
    return 0;
  for (int i = 0; i < 3 * c->points; ++i) {
    label(c, &labels, "marker", i / 3, name);
    if (!name_column(c, t, 1 + i, name, ends[i % 3])) return 0;
  }
  const size_t width = c->real ? 16 : 8;
  for (int64_t f = 0; f < c->frames; ++f) {
    double* row = t->number + f * t->columns;
    row[0] = (double)f / c->rate;
    for (int i = 0; i < c->points; ++i) {
      const size_t at = c->data + (size_t)f * c->frame_bytes + (size_t)i * width;
      put_vec3(point_at(c, at), row + 1 + 3L * i);
    }
  }
  return 1;
}

// ---- analog channels

typedef struct Scaling {
  double offset, scale;
} Scaling;

static int is_unsigned(const C3d* c) {
  char word[NAME_MAX_BYTES];
  const Parameter p = find(c, "ANALOG", "FORMAT");
  text(c, &p, 0, word);
  return strcmp(word, "UNSIGNED") == 0;
}

static double analog_at(const C3d* c, const Scaling* by, int whole, int64_t sample, int channel) {
  const size_t frame = (size_t)(sample / c->per_frame), in = (size_t)(sample % c->per_frame);
  const size_t index = 4 * (size_t)c->points + in * (size_t)c->channels + (size_t)channel;
  const size_t at = c->data + frame * c->frame_bytes + index * (c->real ? 4 : 2);
  const double raw = c->real ? real_at(c, at) : whole ? (double)word_at(c, at) : int_at(c, at);
  const double x = (raw - by[channel].offset) * by[channel].scale;
  return isfinite(x) ? x : (double)NAN;
}

static Scaling* read_scaling(C3d* c, int whole) {
  const Parameter all = find(c, "ANALOG", "GEN_SCALE");
  Scaling* out = region_take(&c->region, (size_t)c->channels + 1, sizeof *out);
  List scale = {.group = "ANALOG", .name = "SCALE"}, offset = {.group = "ANALOG", .name = "OFFSET"};
  for (int i = 0; out && i < c->channels; ++i) {
    int k = i, n = i;
    out[i].scale = value(c, part_of(c, &scale, &k), k, 1) * value(c, &all, 0, 1);
    out[i].offset = value(c, part_of(c, &offset, &n), n, 0);
    if (whole && out[i].offset < 0) out[i].offset += 65536;
  }
  return out;
}

// ---- force plates
//
// Signals become force F and torque T about a point in the axes of the plate, whose z is down in
// most laboratories:
//   type 1      Fx Fy Fz Px Py Tz: about the centre of pressure (Px, Py) of the sensor
//   type 2      Fx Fy Fz Mx My Mz: about the sensor; ORIGIN goes from it to the middle of the top
//   type 4      as 2, after the matrix CAL_MATRIX
//   type 3      Fx12 Fx34 Fy14 Fy23 Fz1 to Fz4: sensors at (a, b), (-a, b), (-a, -b), (a, -b),
//               ORIGIN = (a, b, height); T = sum of their moments
// CORNERS 1 to 4 lie at (+,+), (-,+), (-,-), (+,-). Files have the force of the plate on the
// foot, so that it goes up.

typedef struct Plate {
  int type, channel[8];
  int absent;             ///< 1: the file lacks one of its channels
  double to_force[8][8];  ///< CAL_MATRIX, or 1
  HeftVec3 origin, middle;
  HeftMat3 turn;       ///< axes of the plate to axes with z up
  double torque_unit;  ///< [N m]
  double zero[8];      ///< signals without load
} Plate;

static int wanted_channels(int type) { return type == 3 ? 8 : 6; }

// The torques of types 1 and 2 have units of their own; else newtons times the unit of length.
static double torque_unit(const C3d* c, int channel) {
  char unit[NAME_MAX_BYTES];
  List units = {.group = "ANALOG", .name = "UNITS"};
  int k = channel;
  const Parameter* p = part_of(c, &units, &k);
  text(c, p, k, unit);
  if (strcmp(unit, "Nm") == 0 || strcmp(unit, "N.m") == 0) return 1;
  if (strcmp(unit, "Nmm") == 0 || strcmp(unit, "N.mm") == 0) return 1e-3;
  return c->length;
}

static int read_frame(C3d* c, Plate* p, int k) {
  const Parameter corners = find(c, "FORCE_PLATFORM", "CORNERS");
  HeftVec3 corner[4];
  if (corners.type != 4 || corners.count < 12 * (k + 1))
    return C3D_FAIL(c, HEFT_ERR_VALUE,
                    "FORCE_PLATFORM:CORNERS has %d reals, expected 12 for each of %d plates",
                    corners.type == 4 ? corners.count : 0, k + 1);
  for (int i = 0; i < 4; ++i) {
    double v[3];
    for (int a = 0; a < 3; ++a) v[a] = value(c, &corners, 12 * k + 3 * i + a, 0);
    corner[i] = place(c, heft_vec3_from(v));
    p->middle = heft_vec3_add_scaled(p->middle, 0.25, corner[i]);
  }
  const HeftVec3 x = heft_vec3_sub(heft_vec3_add(corner[0], corner[3]),
                                   heft_vec3_add(corner[1], corner[2])),
                 y = heft_vec3_sub(heft_vec3_add(corner[0], corner[1]),
                                   heft_vec3_add(corner[2], corner[3]));
  const HeftVec3 z = heft_vec3_cross(x, y);
  const double lengths = heft_vec3_norm(x) * heft_vec3_norm(y);
  if (!(heft_vec3_norm(z) > 0.5 * lengths) || !isfinite(lengths))
    return C3D_FAIL(c, HEFT_ERR_VALUE,
                    "the corners of force plate %d (FORCE_PLATFORM:CORNERS) form no rectangle",
                    k + 1);
  const HeftVec3 ex = heft_vec3_normalize(x), ez = heft_vec3_normalize(z);
  p->turn = heft_mat3_from_columns(ex, heft_vec3_cross(ez, ex), ez);
  return 1;
}

static int read_channels(C3d* c, Plate* p, int k) {
  const Parameter channels = find(c, "FORCE_PLATFORM", "CHANNEL"),
                  matrix = find(c, "FORCE_PLATFORM", "CAL_MATRIX"),
                  origin = find(c, "FORCE_PLATFORM", "ORIGIN");
  const int n = wanted_channels(p->type), row = channels.size[0];
  double v[3];
  for (int i = 0; i < n; ++i) {
    const int channel = i < row ? whole_value(c, &channels, row * k + i) : 0;
    if (channel < 1)
      return C3D_FAIL(c, HEFT_ERR_VALUE,
                      "FORCE_PLATFORM:CHANNEL has channel %d for signal %d of plate %d, expected 1 "
                      "or more",
                      channel, i + 1, k + 1);
    if (channel > c->channels) return p->absent = 1;
    p->channel[i] = channel - 1;
    p->to_force[i][i] = 1;
  }
  if (p->type == 4 && (matrix.type != 4 || matrix.count < 36 * (k + 1)))
    return C3D_FAIL(c, HEFT_ERR_VALUE,
                    "plate %d is of type 4, but FORCE_PLATFORM:CAL_MATRIX has %d reals, expected "
                    "36 for each plate",
                    k + 1, matrix.type == 4 ? matrix.count : 0);
  for (int i = 0; i < 36 && p->type == 4; ++i)
    p->to_force[i % 6][i / 6] = value(c, &matrix, 36 * k + i, 0);
  for (int a = 0; a < 3; ++a) v[a] = value(c, &origin, 3 * k + a, 0) * c->length;
  if (p->type != 1 && v[2] > 0) {  // some programs store the way from the top to the sensor
    v[2] = -v[2];
    if (p->type != 3) v[0] = -v[0], v[1] = -v[1];
  }
  p->origin = heft_vec3_from(v);
  p->torque_unit = p->type == 4 ? c->length : torque_unit(c, p->channel[5]);
  return 1;
}

static int read_plate(C3d* c, Plate* p, int k) {
  const Parameter types = find(c, "FORCE_PLATFORM", "TYPE");
  *p = (Plate){.type = whole_value(c, &types, k)};
  if (p->type < 1 || p->type > 4)
    return C3D_FAIL(c, HEFT_ERR_UNSUPPORTED,
                    "force plate %d is of type %d (FORCE_PLATFORM:TYPE), expected 1 to 4", k + 1,
                    p->type);
  return read_frame(c, p, k) && read_channels(c, p, k);
}

// The mean of the signals in the frames that ZERO states, without load.
static void read_zero(const C3d* c, const Scaling* by, int whole, Plate* p) {
  const Parameter zero = find(c, "FORCE_PLATFORM", "ZERO");
  const int64_t first = (int64_t)whole_value(c, &zero, 0) - word_at(c, 6),
                last = (int64_t)whole_value(c, &zero, 1) - word_at(c, 6);
  if (p->absent || zero.type != 2 || first < 0 || last < first || last >= c->frames) return;
  const int64_t begin = first * c->per_frame, end = (last + 1) * c->per_frame;
  for (int i = 0; i < wanted_channels(p->type); ++i) {
    double sum = 0;
    for (int64_t s = begin; s < end; ++s) sum += analog_at(c, by, whole, s, p->channel[i]);
    if (isfinite(sum)) p->zero[i] = sum / (double)(end - begin);
  }
}

// Force and torque about the middle of the top, in the axes of the plate.
static HeftSpatial in_plate(const Plate* p, const double* s) {
  const double unit = p->torque_unit, a = p->origin.x, b = p->origin.y;
  if (p->type == 3) {
    const HeftVec3 f = {s[0] + s[1], s[2] + s[3], s[4] + s[5] + s[6] + s[7]};
    const HeftVec3 t = {b * (s[4] + s[5] - s[6] - s[7]), a * (s[5] + s[6] - s[4] - s[7]),
                        b * (s[1] - s[0]) + a * (s[2] - s[3])};
    const HeftVec3 up = {0, 0, p->origin.z};
    return (HeftSpatial){heft_vec3_add(t, heft_vec3_cross(f, up)), f};
  }
  const HeftVec3 f = heft_vec3_from(s);
  if (p->type == 1) {
    const HeftVec3 at = {s[3] * unit - a, s[4] * unit - b, 0};
    return (HeftSpatial){heft_vec3_add(heft_vec3_cross(at, f), heft_vec3(0, 0, s[5] * unit)), f};
  }
  const HeftVec3 t = heft_vec3_scale(unit, heft_vec3_from(s + 3));
  return (HeftSpatial){heft_vec3_add(t, heft_vec3_cross(f, p->origin)), f};
}

// Force, torque about the origin of the laboratory and centre of pressure.
static void put_plate(const Plate* p, const double* analog, double* out) {
  double s[8] = {0}, signals[8];
  for (int i = 0; i < 9; ++i) out[i] = (double)NAN;
  if (p->absent) return;
  for (int i = 0; i < wanted_channels(p->type); ++i) signals[i] = analog[p->channel[i]];
  for (int i = 0; i < wanted_channels(p->type); ++i)
    for (int j = 0; j < wanted_channels(p->type); ++j)
      s[i] += p->to_force[i][j] * (signals[j] - p->zero[j]);
  const HeftSpatial w = in_plate(p, s);
  const HeftVec3 f = heft_mat3_mul_vec(p->turn, w.lin), t = heft_mat3_mul_vec(p->turn, w.ang);
  HeftVec3 at = {(double)NAN, (double)NAN, (double)NAN};
  if (fabs(w.lin.z) > 1)
    at = heft_vec3_add(
        p->middle, heft_mat3_mul_vec(p->turn, heft_vec3(-w.ang.y / w.lin.z, w.ang.x / w.lin.z, 0)));
  put_vec3(f, out);
  put_vec3(heft_vec3_add(t, heft_vec3_cross(p->middle, f)), out + 3);
  put_vec3(at, out + 6);
}

static int name_samples(C3d* c, HeftC3dTable* t, int plates) {
  static const char* const ends[9] = {".fx", ".fy", ".fz", ".tx", ".ty",
                                      ".tz", ".px", ".py", ".pz"};
  List labels = {.group = "ANALOG", .name = "LABELS"};
  char name[NAME_MAX_BYTES];
  if (!name_column(c, t, 0, "time", "")) return 0;
  for (int i = 0; i < 9 * plates; ++i) {
    snprintf(name, sizeof name, "plate%d", i / 9 + 1);
    if (!name_column(c, t, 1 + i, name, ends[i % 9])) return 0;
  }
  for (int i = 0; i < c->channels; ++i) {
    label(c, &labels, "channel", i, name);
    if (!name_column(c, t, 1 + 9 * plates + i, name, "")) return 0;
  }
  return 1;
}

static int read_samples(C3d* c, HeftC3d* out) {
  const Parameter used = find(c, "FORCE_PLATFORM", "USED");
  const int plates = c->channels > 0 ? whole_value(c, &used, 0) : 0, whole = is_unsigned(c);
  HeftC3dTable* t = &out->samples;
  Plate plate[PLATES_MAX];
  if (c->channels == 0) return take_table(c, t, 1, 0) && name_column(c, t, 0, "time", "");
  if (plates < 0 || plates > PLATES_MAX || plates > c->channels)
    return C3D_FAIL(
        c, HEFT_ERR_VALUE,
        "FORCE_PLATFORM:USED is %d plates, expected 0 to %d, and at most one for each of "
        "the %d channels",
        plates, (int)PLATES_MAX, c->channels);
  const Scaling* by = read_scaling(c, whole);
  if (!by) return C3D_FAIL(c, HEFT_ERR_MEMORY, "no memory for the scales of channels");
  if (!take_table(c, t, 1 + 9 * plates + c->channels, c->frames * c->per_frame) ||
      !name_samples(c, t, plates))
    return 0;
  for (int k = 0; k < plates; ++k) {
    if (!read_plate(c, &plate[k], k)) return 0;
    read_zero(c, by, whole, &plate[k]);
  }
  for (int64_t i = 0; i < t->rows; ++i) {
    double *row = t->number + i * t->columns, *analog = row + 1 + 9L * plates;
    row[0] = (double)i / (c->rate * c->per_frame);
    for (int k = 0; k < c->channels; ++k) analog[k] = analog_at(c, by, whole, i, k);
    for (int k = 0; k < plates; ++k) put_plate(&plate[k], analog, row + 1 + 9L * k);
  }
  out->plates = plates;
  return 1;
}

HeftStatus heft_c3d_read(HeftC3d* out, const void* bytes, size_t size, const char* file,
                         HeftAllocator allocator, HeftError* error) {
  HEFT_REQUIRE(out, HEFT_ERR_ARGUMENT);
  *out = (HeftC3d){.allocator = allocator};
  HEFT_REQUIRE(bytes || size == 0, HEFT_ERR_ARGUMENT);
  C3d c = {
      .bytes = bytes, .size = size, .file = file, .error = error, .region = region_make(allocator)};
  if (locate_parameters(&c) && read_header(&c) && read_length(&c)) {
    read_axes(&c);
    if (read_points(&c, &out->points)) read_samples(&c, out);
  }
  out->memory = c.region.block;
  if (c.status != HEFT_OK) heft_c3d_release(out);
  return c.status;
}

void heft_c3d_release(HeftC3d* c3d) {
  if (!c3d) return;
  Region region = {.allocator = c3d->allocator, .block = c3d->memory};
  region_release(&region);
  *c3d = (HeftC3d){.allocator = c3d->allocator};
}
