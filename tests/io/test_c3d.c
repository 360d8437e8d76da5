// SPDX-License-Identifier: Apache-2.0
// Papers: R76.
// C3D files that the test writes itself, with known answers: forces, moments and centres of
// pressure of plates of all types, markers, both kinds of numbers, three orders of bytes; and
// files that are wrong.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/c3d.h"

enum { INTEL = 84, DEC = 85, MIPS = 86, FILE_BYTES = 8 * 512 };

typedef struct Writer {
  unsigned char bytes[FILE_BYTES];
  size_t at;
  int processor, real;
} Writer;

static void put_word(Writer* w, int x) {
  const int high = w->processor == MIPS;
  w->bytes[w->at + !high] = (unsigned char)((unsigned)x >> 8);
  w->bytes[w->at + high] = (unsigned char)x;
  w->at += 2;
}

// A DEC number is four times as large by its bits, and has its high word first.
static void put_real(Writer* w, double x) {
  float f = (float)(w->processor == DEC ? 4 * x : x);
  uint32_t bits;
  memcpy(&bits, &f, sizeof bits);
  put_word(w, (int)(w->processor == INTEL ? bits & 65535 : bits >> 16));
  put_word(w, (int)(w->processor == INTEL ? bits >> 16 : bits & 65535));
}

static void put_number(Writer* w, double x) {
  if (w->real)
    put_real(w, x);
  else
    put_word(w, (int)floor(x + 0.5));
}

static void put_name(Writer* w, int group, const char* name) {
  w->bytes[w->at++] = (unsigned char)strlen(name);
  w->bytes[w->at++] = (unsigned char)group;
  memcpy(w->bytes + w->at, name, strlen(name));
  w->at += strlen(name);
}

static void put_group(Writer* w, int group, const char* name) {
  put_name(w, -group, name);
  put_word(w, 3);
  w->bytes[w->at++] = 0;
}

// Values are texts (type -1), words (2) or reals (4); sizes end with 0.
static void put_parameter(Writer* w, int group, const char* name, int type, const int* sizes,
                          const void* values) {
  put_name(w, group, name);
  const size_t link = w->at;
  w->at += 2;
  w->bytes[w->at++] = (unsigned char)type;
  int dimensions = 0, count = 1;
  for (; sizes[dimensions]; ++dimensions) {
    w->bytes[w->at + 1 + (size_t)dimensions] = (unsigned char)sizes[dimensions];
    count *= sizes[dimensions];
  }
  w->bytes[w->at] = (unsigned char)dimensions;
  w->at += 1 + (size_t)dimensions;
  for (int i = 0; i < count; ++i) {
    if (type == 2)
      put_word(w, ((const int*)values)[i]);
    else if (type == 4)
      put_real(w, ((const double*)values)[i]);
    else
      w->bytes[w->at++] = (unsigned char)((const char*)values)[i];
  }
  w->bytes[w->at++] = 0;
  const size_t end = w->at;
  w->at = link;
  put_word(w, (int)(end - link));
  w->at = end;
}

static void put_one(Writer* w, int group, const char* name, int value) {
  put_parameter(w, group, name, 2, (const int[]){1, 0}, &value);
}

// One plate of 400 mm by 600 mm whose middle is at (1, 2, 0) m, with z down and x to the north, the
// y axis of the laboratory: plate x = y, plate y = x.
static const double corners[12] = {1300, 2200, 0, 1300, 1800, 0, 700, 1800, 0, 700, 2200, 0};

typedef struct Sample {
  int type, channels, zero;  ///< zero: 1: the first two frames are without load
  double used;               ///< not 0: this many plates, as a real
  double origin[3], signal[8], matrix[36];
} Sample;

enum { FRAMES = 3, PER_FRAME = 2, SCALE = 50 };

static int coarse(const Sample* s, int channel) { return s->type < 3 && channel > 2; }

// Signals in hundredths of a newton or as they are, so that integers keep them.
static void write_file(Writer* w, const Sample* s, int processor, int real) {
  static const char labels[] = "HEAD  L_HAND";
  const int channels = s->channels, used[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  double scale[8];
  memset(w, 0, sizeof *w);
  w->processor = processor;
  w->real = real;
  for (int i = 0; i < 8; ++i) scale[i] = coarse(s, i) ? SCALE : 0.5;  // N mm are whole
  w->bytes[0] = 2;
  w->bytes[1] = 0x50;
  const int words[4] = {2, channels * PER_FRAME, 5, 5 + FRAMES - 1};
  w->at = 2;
  for (int i = 0; i < 4; ++i) put_word(w, words[i]);
  w->at = 12;
  put_real(w, real ? -0.1 : 0.1);
  put_word(w, 7);
  put_word(w, PER_FRAME);
  put_real(w, 100);
  w->bytes[512 + 2] = 5;
  w->bytes[512 + 3] = (unsigned char)processor;
  w->at = 516;
  put_group(w, 1, "POINT");
  put_parameter(w, 1, "LABELS", -1, (const int[]){6, 2, 0}, labels);
  put_parameter(w, 1, "UNITS", -1, (const int[]){2, 0}, "mm");
  put_parameter(w, 1, "SCALE", 4, (const int[]){1, 0}, (const double[]){real ? -0.1 : 0.1});
  put_group(w, 2, "ANALOG");
  put_parameter(w, 2, "SCALE", 4, (const int[]){channels, 0}, scale);
  put_parameter(w, 2, "GEN_SCALE", 4, (const int[]){1, 0}, (const double[]){1.0 / SCALE});
  put_parameter(w, 2, "OFFSET", 2, (const int[]){channels, 0}, (const int[8]){0});
  put_group(w, 3, "FORCE_PLATFORM");
  if (s->used != 0)
    put_parameter(w, 3, "USED", 4, (const int[]){1, 0}, &s->used);
  else
    put_one(w, 3, "USED", 1);
  put_one(w, 3, "TYPE", s->type);
  put_parameter(w, 3, "CHANNEL", 2, (const int[]){channels, 1, 0}, used);
  put_parameter(w, 3, "CORNERS", 4, (const int[]){3, 4, 1, 0}, corners);
  put_parameter(w, 3, "ORIGIN", 4, (const int[]){3, 1, 0}, s->origin);
  if (s->zero) put_parameter(w, 3, "ZERO", 2, (const int[]){2, 0}, (const int[]){5, 6});
  if (s->type == 4) put_parameter(w, 3, "CAL_MATRIX", 4, (const int[]){6, 6, 1, 0}, s->matrix);
  assert_true(w->at < 6 * 512);
  w->at = 6 * 512;
  for (int f = 0; f < FRAMES; ++f) {
    for (int p = 0; p < 2; ++p) {
      const double point[4] = {100 * p + 10 * f, -250, 1700, p == 1 && f == 1 ? -1 : 0};
      for (int k = 0; k < 4; ++k) put_number(w, real ? point[k] : k < 3 ? 10 * point[k] : point[k]);
    }
    for (int i = 0; i < PER_FRAME * channels; ++i) {
      const int k = i % channels;
      const double raw = (coarse(s, k) ? 1 : 2 * SCALE) * s->signal[k];
      put_number(w, raw);
    }
  }
}

static HeftC3d read_well(const Writer* w) {
  HeftC3d c3d;
  HeftError error = {0};
  if (heft_c3d_read(&c3d, w->bytes, w->at, "x.c3d", heft_allocator_default(), &error) != HEFT_OK)
    fail_msg("%s", error.message);
  return c3d;
}

static double number(const HeftC3dTable* t, int64_t row, const char* name) {
  for (int i = 0; i < t->columns; ++i)
    if (strcmp(t->name[i], name) == 0) return t->number[row * t->columns + i];
  fail_msg("there is no column %s", name);
  return 0;
}

static void is_near(double x, double wanted, double tolerance) {
  if (!(fabs(x - wanted) <= tolerance)) fail_msg("%.9g, expected %.9g", x, wanted);
}

// The force of the plate on the foot, in the plate's axes (z down): (20, -10, -80) N at 50 mm along
// its x, -30 mm along its y on the top, with a free moment of 4 N m about its z.
static const double f[3] = {20, -10, -80}, at[2] = {0.05, -0.03}, twist = 4;

static void known_answer(const Sample* s, double tolerance) {
  for (int processor = INTEL; processor <= MIPS; ++processor) {
    for (int real = 0; real < 2; ++real) {
      static Writer w;
      write_file(&w, s, processor, real);
      HeftC3d c = read_well(&w);
      assert_int_equal(c.plates, 1);
      assert_int_equal(c.points.rows, FRAMES);
      assert_int_equal(c.samples.rows, FRAMES * PER_FRAME);
      for (int64_t row = 0; row < c.samples.rows; ++row) {
        const HeftC3dTable* t = &c.samples;
        is_near(number(t, row, "time"), 0.005 * (double)row, 1e-12);
        is_near(number(t, row, "plate1.fx"), f[1], tolerance);
        is_near(number(t, row, "plate1.fy"), f[0], tolerance);
        is_near(number(t, row, "plate1.fz"), -f[2], tolerance);
        // x = 1 + y of the plate, y = 2 + x of the plate
        const double px = 1 + at[1], py = 2 + at[0];
        is_near(number(t, row, "plate1.px"), px, tolerance);
        is_near(number(t, row, "plate1.py"), py, tolerance);
        is_near(number(t, row, "plate1.pz"), 0, 1e-9);
        is_near(number(t, row, "plate1.tx"), -f[2] * py, tolerance);
        is_near(number(t, row, "plate1.ty"), f[2] * px, tolerance);
        is_near(number(t, row, "plate1.tz"), px * f[0] - py * f[1] - twist, tolerance);
      }
      is_near(number(&c.points, 2, "HEAD.x"), 0.02, 1e-8);
      is_near(number(&c.points, 2, "L_HAND.x"), 0.12, 1e-8);
      is_near(number(&c.points, 2, "L_HAND.y"), -0.25, 1e-8);
      is_near(number(&c.points, 0, "HEAD.z"), 1.7, 1e-7);
      assert_true(isnan(number(&c.points, 1, "L_HAND.x")));
      assert_false(isnan(number(&c.points, 1, "HEAD.x")));
      heft_c3d_release(&c);
    }
  }
}

// The sensor is 40 mm below the top, 10 mm beside the middle.
static void plates_of_all_types_agree(void** state) {
  (void)state;
  static const double origin[3] = {10, 0, -40};
  Sample s = {.type = 1, .channels = 6, .signal = {20, -10, -80, 60, -30, 4000}};
  memcpy(s.origin, origin, sizeof origin);
  known_answer(&s, 1e-4);
  // r = (0.06, -0.03, -0.04) m, r x f and the free moment in N mm
  s = (Sample){.type = 2, .channels = 6, .signal = {20, -10, -80, 2000, 4000, 4000}};
  memcpy(s.origin, origin, sizeof origin);
  known_answer(&s, 1e-4);
  for (int k = 0; k < 3; ++k) s.origin[k] = -origin[k];  // as some programs store it
  known_answer(&s, 1e-4);
  // f = C s with C(1, 2) = 0.5
  s = (Sample){.type = 4, .channels = 6, .signal = {11.25, -5, -40, 2, 4, 4}};
  memcpy(s.origin, origin, sizeof origin);
  for (int k = 0; k < 6; ++k) s.matrix[7 * k] = k < 3 ? 2 : 1000;
  s.matrix[6] = 0.5;
  known_answer(&s, 1e-4);
  // four sensors at 160 mm by 200 mm: Mx = 2, My = 3.2, Mz = 4.1 N m
  s = (Sample){.type = 3,
               .channels = 8,
               .signal = {3.75, 16.25, 0, -10, -20, -15, -15, -30},
               .origin = {160, 200, -40}};
  known_answer(&s, 1e-4);
}

static void a_plate_without_load_or_channels(void** state) {
  (void)state;
  static Writer w;
  const Sample s = {
      .type = 2, .channels = 6, .zero = 1, .signal = {20, -10, -80, 2000, 4000, 4000}};
  write_file(&w, &s, MIPS, 0);
  HeftC3d c = read_well(&w);
  is_near(number(&c.samples, 5, "plate1.fz"), 0, 1e-9);
  is_near(number(&c.samples, 5, "plate1.tx"), 0, 1e-9);
  assert_true(isnan(number(&c.samples, 5, "plate1.px")));
  is_near(number(&c.samples, 5, "channel3"), -80, 1e-4);
  heft_c3d_release(&c);
  write_file(&w, &s, INTEL, 1);
  for (size_t i = 512; i + 20 < w.at; ++i)
    if (memcmp(w.bytes + i, "CHANNEL", 7) == 0) w.bytes[i + 13] = 7;
  c = read_well(&w);
  assert_true(isnan(number(&c.samples, 0, "plate1.fz")));
  is_near(number(&c.points, 0, "HEAD.z"), 1.7, 1e-7);
  heft_c3d_release(&c);
}

static void refused(const Writer* w, size_t size, const char* words) {
  HeftC3d c3d;
  HeftError error = {0};
  unsigned char* copy = malloc(size + 1);  // so that a sanitizer sees its end
  memcpy(copy, w->bytes, size);
  if (heft_c3d_read(&c3d, copy, size, "bad.c3d", heft_allocator_default(), &error) == HEFT_OK)
    fail_msg("a file was read: %s", words);
  if (!strstr(error.message, words)) fail_msg("'%s' has no '%s'", error.message, words);
  assert_string_equal(error.file, "bad.c3d");
  assert_null(c3d.memory);
  free(copy);
}

// Sets the bytes at a place of a good file.
static void broken(size_t place, int value, const char* words) {
  static Writer w;
  const Sample s = {.type = 2, .channels = 6, .signal = {20, -10, -80, 2000, 4000, 4000}};
  write_file(&w, &s, INTEL, 1);
  w.bytes[place] = (unsigned char)value;
  refused(&w, w.at, words);
}

static void wrong_files_are_refused_with_a_reason(void** state) {
  (void)state;
  static Writer w;
  Sample s = {.type = 2, .channels = 6, .signal = {20, -10, -80, 2000, 4000, 4000}};
  broken(1, 0x51, "no C3D file");
  broken(0, 0, "block 0");
  broken(0, 200, "block 200");
  broken(512 + 3, 80, "processor 80");
  broken(4, 13, "as many in each sample");
  broken(18, 0, "as many in each sample");
  broken(23, 0xff, "frames a second");
  broken(16, 0, "from byte 0 on");
  broken(8, 200, "was the file cut?");
  broken(8, 4, "0 frames");
  write_file(&w, &s, INTEL, 1);
  refused(&w, w.at - 1, "was the file cut?");
  refused(&w, 511, "511 bytes");
  refused(&w, 0, "0 bytes");
  s.type = 9;
  write_file(&w, &s, INTEL, 1);
  refused(&w, w.at, "of type 9");
  s.type = 4;
  write_file(&w, &s, INTEL, 1);
  for (size_t i = 512; i + 10 < w.at; ++i)
    if (memcmp(w.bytes + i, "CAL_MATRIX", 10) == 0) w.bytes[i] = 'K';
  refused(&w, w.at, "CAL_MATRIX has 0 reals");
  s.type = 3;  // a type of eight channels that has six
  write_file(&w, &s, INTEL, 1);
  refused(&w, w.at, "channel 0 for signal 7");
  s.used = 1e30;  // no integer holds it
  write_file(&w, &s, INTEL, 1);
  refused(&w, w.at, "USED is 1000000000 plates");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(plates_of_all_types_agree),
                                     cmocka_unit_test(a_plate_without_load_or_channels),
                                     cmocka_unit_test(wrong_files_are_refused_with_a_reason)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
