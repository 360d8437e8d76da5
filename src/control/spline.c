// SPDX-License-Identifier: Apache-2.0
// Cubic splines through points in time.
//
// Between points i and i+1, a time h apart, the curve is the cubic with the values y and the slopes
// m at its ends. The second derivative is the same from both sides of an inner point if
//     m_{i-1}/h₋ + 2 m_i (1/h₋ + 1/h₊) + m_{i+1}/h₊
//         = 3 ((y_i - y_{i-1})/h₋² + (y_{i+1} - y_i)/h₊²);
// with m = 0 at both ends these are diagonally dominant equations along a line.
#include <heft/control.h>
#include <string.h>

#include "base/allocator.h"
#include "base/assert.h"
#include "base/decimal.h"
#include "control/part.h"

enum { CHANNELS_MAX = 4096, POINTS_MAX = 10000000 };

struct HeftSpline {
  HeftAllocator allocator;
  size_t memory_size;
  int count, channels;
  double *time, *value, *slope;
  double* sweep;  ///< count: of the elimination
};

void heft_spline_smooth_step(double s, double out[3]) {
  HEFT_REQUIRE_VOID(out);
  out[0] = s <= 0 ? 0 : s >= 1 ? 1 : s * s * s * (10 + s * (-15 + 6 * s));
  out[1] = s <= 0 || s >= 1 ? 0 : s * s * (30 + s * (-60 + 30 * s));
  out[2] = s <= 0 || s >= 1 ? 0 : s * (60 + s * (-180 + 120 * s));
}

static void place(void* part, Arena* arena) {
  HeftSpline* s = part;
  const long numbers = (long)s->count * s->channels;
  s->time = arena_take(arena, s->count, double);
  s->sweep = arena_take(arena, s->count, double);
  s->value = arena_take(arena, numbers, double);
  s->slope = arena_take(arena, numbers, double);
}

static void find_slopes(HeftSpline* s, int channel) {
  const int n = s->count, w = s->channels;
  const double *t = s->time, *y = s->value + channel;
  double* m = s->slope + channel;
  m[0] = m[(long)(n - 1) * w] = 0;
  s->sweep[0] = 0;
  for (int i = 1; i < n - 1; ++i) {
    const double before = 1 / (t[i] - t[i - 1]), after = 1 / (t[i + 1] - t[i]);
    const double y0 = y[(long)(i - 1) * w], y1 = y[(long)i * w], y2 = y[(long)(i + 1) * w];
    const double right = 3 * ((y1 - y0) * before * before + (y2 - y1) * after * after);
    const double pivot = 2 * (before + after) - before * s->sweep[i - 1];
    s->sweep[i] = after / pivot;
    m[(long)i * w] = (right - before * m[(long)(i - 1) * w]) / pivot;
  }
  for (int i = n - 3; i > 0; --i) m[(long)i * w] -= s->sweep[i] * m[(long)(i + 1) * w];
}

static HeftStatus make(HeftSpline** out, int count, int channels, const HeftAllocator* allocator,
                       HeftError* error) {
  HeftSpline made = {.count = count, .channels = channels};
  made.allocator = allocator_or_default(allocator);
  HeftSpline* s = part_make(&made.allocator, &made, sizeof made, place, &made.memory_size,
                            "a trajectory", error);
  if (!s) return HEFT_ERR_MEMORY;
  *out = s;
  return HEFT_OK;
}

// Looks at the points and fills the slopes in. Removes the spline if it is not sound.
static HeftStatus finish(HeftSpline** out, HeftError* error) {
  HeftSpline* s = *out;
  int sound = 1;
  for (int i = 0; i < s->count; ++i)
    sound &= isfinite(s->time[i]) && (i == 0 || s->time[i] > s->time[i - 1]);
  for (long i = 0; i < (long)s->count * s->channels; ++i) sound &= isfinite(s->value[i]);
  if (!sound) {
    heft_spline_destroy(s);
    *out = NULL;
    return heft_error_set(error, HEFT_ERR_VALUE,
                          "the times of a trajectory must rise, and its numbers be finite");
  }
  for (int k = 0; k < s->channels; ++k) find_slopes(s, k);
  return HEFT_OK;
}

HeftStatus heft_spline_create(HeftSpline** out, int count, int channels, const double* times,
                              const double* values, const HeftAllocator* allocator,
                              HeftError* error) {
  HEFT_REQUIRE(out, HEFT_ERR_ARGUMENT);
  *out = NULL;
  HEFT_REQUIRE(times && values, HEFT_ERR_ARGUMENT);
  if (count < 2 || count > POINTS_MAX || channels < 1 || channels > CHANNELS_MAX)
    return heft_error_set(error, HEFT_ERR_VALUE,
                          "a trajectory has at least two points and one channel");
  const HeftStatus status = make(out, count, channels, allocator, error);
  if (!*out) return status;
  memcpy((*out)->time, times, (size_t)count * sizeof(double));
  memcpy((*out)->value, values, (size_t)count * (size_t)channels * sizeof(double));
  return finish(out, error);
}

// ---- from text

typedef struct Reader {
  const char *at, *end;
  int line;
} Reader;

static int read_number(Reader* r, double* out) {
  const char* after = heft_decimal_read(r->at, r->end, out);
  if (!after) return 0;
  r->at = after;
  return 1;
}

static int is_gap(char c) { return c == ' ' || c == '\t' || c == ',' || c == ';' || c == '\r'; }

// The numbers of the next line that has some, at most `most` into out. Returns how many, 0 at the
// end, -1 if something is no number.
static int read_line(Reader* r, double* out, int max) {
  while (r->at < r->end) {
    int count = 0, skip = 0;
    ++r->line;
    for (; r->at < r->end && *r->at != '\n'; skip ? ++r->at : 0) {
      if (skip) continue;
      if (is_gap(*r->at)) {
        ++r->at;
        continue;
      }
      double x = 0;
      const char c = *r->at;
      if (count == 0 && (c == '#' || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '"'))
        skip = 1;
      else if (!read_number(r, &x) || (r->at < r->end && !is_gap(*r->at) && *r->at != '\n'))
        return -1;
      else if (count++ < max)
        out[count - 1] = x;
    }
    if (r->at < r->end) ++r->at;
    if (count > 0) return count;
  }
  return 0;
}

static HeftStatus bad_line(const Reader* r, HeftError* error, const char* what) {
  return heft_error_set_at(error, HEFT_ERR_VALUE, NULL, r->line, 1, "%s", what);
}

// How many lines and how many numbers on each.
static HeftStatus survey(const char* text, size_t size, int* count, int* width, HeftError* error) {
  Reader r = {.at = text, .end = text + size};
  double none = 0;
  for (int n; (n = read_line(&r, &none, 0)) != 0; ++*count) {
    if (n < 0) return bad_line(&r, error, "a number was expected");
    if (*width == 0) *width = n;
    if (n != *width) return bad_line(&r, error, "this line has more or fewer numbers than others");
  }
  if (*count < 2 || *width < 2 || *count > POINTS_MAX || *width > CHANNELS_MAX)
    return bad_line(&r, error, "a trajectory has at least two lines of a time and a value");
  return HEFT_OK;
}

HeftStatus heft_spline_read(HeftSpline** out, const char* text, size_t size,
                            const HeftAllocator* allocator, HeftError* error) {
  HEFT_REQUIRE(out, HEFT_ERR_ARGUMENT);
  *out = NULL;
  HEFT_REQUIRE(text, HEFT_ERR_ARGUMENT);
  int count = 0, width = 0;
  HeftStatus status = survey(text, size, &count, &width, error);
  if (status == HEFT_OK) status = make(out, count, width - 1, allocator, error);
  if (!*out) return status;
  Reader r = {.at = text, .end = text + size};
  double row[CHANNELS_MAX];
  for (int i = 0; i < count; ++i) {
    (void)read_line(&r, row, width);
    (*out)->time[i] = row[0];
    memcpy((*out)->value + (long)i * (width - 1), row + 1, (size_t)(width - 1) * sizeof(double));
  }
  return finish(out, error);
}

void heft_spline_destroy(HeftSpline* s) {
  if (s) s->allocator.release(s->allocator.user, s, s->memory_size);
}

int heft_spline_channels(const HeftSpline* s) {
  HEFT_REQUIRE(s, 0);
  return s->channels;
}
double heft_spline_end(const HeftSpline* s) {
  HEFT_REQUIRE(s, 0);
  return s->time[s->count - 1];
}

// ---- looking up

static int find(const HeftSpline* s, double time) {
  int low = 0, high = s->count - 1;
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    if (s->time[middle] <= time)
      low = middle;
    else
      high = middle;
  }
  return low;
}

void heft_spline_at(const HeftSpline* s, double time, double* value, double* velocity,
                    double* acceleration) {
  HEFT_REQUIRE_VOID(s);
  const int i = find(s, time), w = s->channels;
  const double h = s->time[i + 1] - s->time[i];
  const double x = (time - s->time[i]) / h, u = x < 0 ? 0 : x > 1 ? 1 : x;
  const int inside = x >= 0 && x <= 1;
  for (int k = 0; k < w; ++k) {
    const double y0 = s->value[(long)i * w + k], y1 = s->value[(long)(i + 1) * w + k];
    const double m0 = h * s->slope[(long)i * w + k], m1 = h * s->slope[(long)(i + 1) * w + k];
    const double c = 3 * (y1 - y0) - 2 * m0 - m1, d = 2 * (y0 - y1) + m0 + m1;
    if (value) value[k] = y0 + u * (m0 + u * (c + u * d));
    if (velocity) velocity[k] = inside ? (m0 + u * (2 * c + 3 * d * u)) / h : 0;
    if (acceleration) acceleration[k] = inside ? (2 * c + 6 * d * u) / (h * h) : 0;
  }
}
