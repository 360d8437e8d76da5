// SPDX-License-Identifier: Apache-2.0
// Values of options that view and render share.
#include "picture_options.h"

#ifdef HEFT_HAVE_VIEW

#include <heft/view.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "names.h"

int picture_read_number(const char* text, double min, double* out) {
  char* end = NULL;
  const double x = strtod(text, &end);
  if (end == text || *end || !isfinite(x) || x < min) return 0;
  *out = x;
  return 1;
}

int picture_read_size(const char* text, const int min[2], int* width, int* height) {
  char* end = NULL;
  const long w = strtol(text, &end, 10);
  const long h = *end == 'x' ? strtol(end + 1, &end, 10) : 0;
  if (w < min[0] || h < min[1] || w > 16384 || h > 16384 || *end) return 0;
  *width = (int)w;
  *height = (int)h;
  return 1;
}

// The bit of a name of this length; 0: unknown.
static unsigned show_bit(const char* text, size_t length) {
  for (int i = 0; i < HEFT_SHOW_COUNT; ++i) {
    const char* name = heft_show_name((HeftShowIndex)i);
    if (strlen(name) == length && strncmp(name, text, length) == 0) return 1u << i;
  }
  return 0;
}

static const char* show_name(const void* from, int index) {
  (void)from;
  return heft_show_name((HeftShowIndex)index);
}

static int show_wrong(const char* verb, const char* text, size_t length) {
  char given[64];
  snprintf(given, sizeof given, "%.*s", (int)(length < 60 ? length : 60), text);
  return names_wrong(verb, "unknown name for --show:", given,
                     (Names){show_name, NULL, HEFT_SHOW_COUNT});
}

int picture_read_show(const char* verb, const char* text, unsigned* show) {
  while (*text) {
    const size_t length = strcspn(text, ",");
    const unsigned bit = show_bit(text, length);
    if (!bit) return show_wrong(verb, text, length);
    *show |= bit;
    text += length + (text[length] == ',');
  }
  return 1;
}

unsigned picture_bare_show(const HeftModel* m) {
  int bodies = 0, bare = 0;
  unsigned char* shaped = calloc((size_t)m->nbody, 1);
  if (!shaped) return 0;
  for (int s = 0; s < m->nshape; ++s) shaped[m->shape_body[s]] = 1;
  for (int b = 1; b < m->nbody; ++b) {
    if (m->body_joint_count[b] == 0 || m->body_mass[b] <= 0) continue;
    ++bodies;
    bare += !shaped[b];
  }
  free(shaped);
  return bodies > 0 && bare > 0.75 * bodies ? 1u << HEFT_SHOW_SKELETON : 0;
}

#endif
