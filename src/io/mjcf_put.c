// SPDX-License-Identifier: Apache-2.0
// Writing one MJCF attribute by the table: a value that equals the default of the table is left
// out.
#include "io/mjcf_put.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/decimal.h"
#include "io/bits.h"

void mj_put_name_of(Out* o, MjcfKey key) {
  out_text(o, " ");
  out_text(o, mjcf_attributes[key].name);
  out_text(o, "=\"");
}

void mj_put_reals_always(Out* o, MjcfKey key, const double* x, int count) {
  mj_put_name_of(o, key);
  for (int i = 0; i < count; ++i) {
    if (i > 0) out_text(o, " ");
    out_number(o, x[i]);
  }
  out_text(o, "\"");
}

// Stores the default of the table as numbers; returns how many.
static int default_numbers(MjcfKey key, double* out, int max) {
  const char* at = mjcf_attributes[key].fallback;
  if (!at) return 0;
  const char* stop = at + strlen(at);
  int count = 0;
  while (at < stop && count < max) {
    const char* next = heft_decimal_read(at, stop, &out[count]);
    if (!next) break;
    ++count;
    at = *next == ' ' ? next + 1 : next;
  }
  return count;
}

static int is_default(MjcfKey key, const double* x, int count) {
  double d[10];
  return default_numbers(key, d, 10) >= count && bits_same(d, x, count);
}

void mj_put_reals(Out* o, MjcfKey key, const double* x, int count) {
  if (!is_default(key, x, count)) mj_put_reals_always(o, key, x, count);
}

void mj_put_real(Out* o, MjcfKey key, double x) { mj_put_reals(o, key, &x, 1); }

void mj_put_int(Out* o, MjcfKey key, int x) {
  const double real = x;
  if (is_default(key, &real, 1)) return;
  char text[16];
  snprintf(text, sizeof text, "%d", x);
  mj_put_name_of(o, key);
  out_text(o, text);
  out_text(o, "\"");
}

void mj_put_text_always(Out* o, MjcfKey key, const char* text) {
  mj_put_name_of(o, key);
  out_escaped(o, text);
  out_text(o, "\"");
}

void mj_put_text(Out* o, MjcfKey key, const char* text) {
  const char* fallback = mjcf_attributes[key].fallback;
  if (!fallback || strcmp(fallback, text) != 0) mj_put_text_always(o, key, text);
}

void mj_put_bool(Out* o, MjcfKey key, int x) { mj_put_text(o, key, x ? "true" : "false"); }

void mj_put_quat(Out* o, MjcfKey key, const double* q) {
  static const double none[4] = {1, 0, 0, 0};
  if (!bits_same(q, none, 4)) mj_put_reals_always(o, key, q, 4);
}

void mj_put_range(Out* o, MjcfKey limited, MjcfKey range, int applies, const double* x) {
  if (applies || x[0] != 0 || x[1] != 0) mj_put_reals_always(o, range, x, 2);
  if (!applies && (x[0] != 0 || x[1] != 0)) mj_put_text_always(o, limited, "false");
}

void mj_put_degrees(Out* o, MjcfKey key, double radians) {
  double best = radians / (HEFT_PI / 180);
  for (int side = -1; side <= 1; side += 2) {
    double x = radians / (HEFT_PI / 180);
    for (int step = 0; step < 8 && best * (HEFT_PI / 180) != radians; ++step) {
      if (x * (HEFT_PI / 180) == radians) best = x;
      x = nextafter(x, side * 1e9);
    }
  }
  mj_put_real(o, key, best);
}

void mj_put_element_name(Out* o, HeftNamed kind, int i) {
  const char* name = heft_model_name(o->m, kind, i);
  char made[64];
  if (kind == HEFT_NAMED_BODY && i == 0) {
    name = "world";
  } else if (!name[0]) {
    snprintf(made, sizeof made, MJCF_NAMELESS "%d", i);
    name = made;
  } else if (strncmp(name, MJCF_NAMELESS, sizeof MJCF_NAMELESS - 1) == 0) {
    out_text(o, MJCF_NAMELESS MJCF_NAMED);
  }
  out_escaped(o, name);
}

void mj_put_reference(Out* o, MjcfKey key, HeftNamed kind, int i) {
  if (i < 0) return;
  mj_put_name_of(o, key);
  mj_put_element_name(o, kind, i);
  out_text(o, "\"");
}

void mj_put_own_name(Out* o, MjcfKey key, HeftNamed kind, int i, int referred) {
  const char* name = heft_model_name(o->m, kind, i);
  if (!name[0] && !referred) return;
  mj_put_name_of(o, key);
  mj_put_element_name(o, kind, i);
  out_text(o, "\"");
}
