// SPDX-License-Identifier: Apache-2.0
// Text in an image of pixels, without OpenGL.
#include <math.h>

#include "view/image.h"
#include "view/letters.h"
#include "view/memory.h"

// Mixes the colour into a pixel; cover is 0 to 255.
static void blend(HeftImage* image, long x, long y, uint32_t color, unsigned cover) {
  if (x < 0 || y < 0 || x >= image->width || y >= image->height) return;
  unsigned char* pixel = image->pixels + 3 * (y * image->width + x);
  for (int k = 0; k < 3; ++k) {
    const unsigned to = color >> (16 - 8 * k) & 255u;
    pixel[k] = (unsigned char)((pixel[k] * (255 - cover) + to * cover) / 255);
  }
}

// The mean of the atlas over the cells of a pixel: it may hold letters in a finer grid.
static unsigned cover_of(const Letters* l, double left, double right, double top, double bottom) {
  long sum = 0, count = 0;
  for (long v = lround(top); v < lround(bottom) || count == 0; ++v) {
    for (long u = lround(left); u < lround(right) || count == 0; ++u) {
      if (u >= 0 && v >= 0 && u < l->width && v < l->height) sum += l->pixels[v * l->width + u];
      ++count;
    }
  }
  return (unsigned)(sum / count);
}

static void draw_letter(HeftImage* image, const Letters* l, const Letter* t, double x, double y,
                        uint32_t color) {
  const double low[2] = {x + (double)t->low[0], y + (double)t->low[1]};
  const double size[2] = {(double)(t->high[0] - t->low[0]), (double)(t->high[1] - t->low[1])};
  const double from[2] = {(double)t->from[0] * l->width, (double)t->from[1] * l->height};
  const double to[2] = {(double)t->to[0] * l->width, (double)t->to[1] * l->height};
  if (!(size[0] > 0 && size[1] > 0)) return;
  const double step[2] = {(to[0] - from[0]) / size[0], (to[1] - from[1]) / size[1]};
  for (long v = 0; (double)v < size[1]; ++v) {
    for (long u = 0; (double)u < size[0]; ++u) {
      const double left = from[0] + (double)u * step[0], top = from[1] + (double)v * step[1];
      const unsigned cover = cover_of(l, left, left + step[0], top, top + step[1]);
      blend(image, lround(low[0]) + u, lround(low[1]) + v, color, cover);
    }
  }
}

HeftStatus heft_image_draw_text(HeftImage* image, int x, int y, double size, uint32_t color,
                                const char* text, HeftError* error) {
  const HeftAllocator allocator = heft_allocator_default();
  Letters letters = {0};
  if (!(size >= 4 && size <= 400))
    return view_fail(error, HEFT_ERR_ARGUMENT, "size is %g: expected 4 to 400 pixels", size);
  if (!letters_make(&letters, size, &allocator))
    return view_fail(error, HEFT_ERR_MEMORY, "not enough memory for the font");
  double at = x;
  for (; *text; ++text) {
    const Letter* t = letters_of(&letters, *text);
    draw_letter(image, &letters, t, at, y, color);
    at += (double)t->advance;
  }
  letters_free(&letters, &allocator);
  return HEFT_OK;
}
