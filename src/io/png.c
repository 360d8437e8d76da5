// SPDX-License-Identifier: Apache-2.0
// Heights from a PNG image by the simplified interface of libpng, which returns errors. The height
// is the grey value, or the red value of a coloured image, with all bits of the file. The first row
// of an image is at the top, at +y.
#include <png.h>
#include <string.h>

#include "io/image.h"

enum { MAX_PIXELS = 1 << 24, WORK_OF_PIXEL = 30 };

int image_is_png(const SourceFile* file) {
  static const unsigned char signature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
  return file->size >= sizeof signature && memcmp(file->text, signature, sizeof signature) == 0;
}

static void refuse(Load* load, Place from, const SourceFile* file, png_image* png) {
  const int memory = strstr(png->message, "memory") != NULL;
  load_fail(load, memory ? HEFT_ERR_MEMORY : HEFT_ERR_SYNTAX, from,
            "'%.150s' is a PNG image that cannot be read: %.64s", file->path, png->message);
  png_image_free(png);
}

double* image_read_heights(Load* load, Place from, const SourceFile* file, int* rows,
                           int* columns) {
  png_image png = {.version = PNG_IMAGE_VERSION};
  if (!png_image_begin_read_from_memory(&png, file->text, file->size)) {
    refuse(load, from, file, &png);
    return NULL;
  }
  if (png.width < 2 || png.height < 2 || png.height > MAX_PIXELS / png.width) {
    load_fail(load, HEFT_ERR_VALUE, from,
              "'%.150s' has %u x %u pixels, expected at least 2 each and at most %d in all",
              file->path, png.width, png.height, MAX_PIXELS);
    png_image_free(&png);
    return NULL;
  }
  // as the file has it: 8 or 16 bits, grey or coloured, with or without opacity
  png.format &= PNG_FORMAT_FLAG_LINEAR | PNG_FORMAT_FLAG_COLOR | PNG_FORMAT_FLAG_ALPHA;
  const size_t channels = PNG_IMAGE_PIXEL_CHANNELS(png.format),
               bytes = PNG_IMAGE_PIXEL_COMPONENT_SIZE(png.format);
  const size_t count = (size_t)png.width * png.height;
  load_work(load, from, WORK_OF_PIXEL * (double)count);
  unsigned char* pixels = load_take(load, count, channels * bytes);
  double* heights = load_take(load, count, sizeof(double));
  if (!pixels || !heights || !LOAD_OK(load)) {
    png_image_free(&png);
    return NULL;
  }
  if (!png_image_finish_read(&png, NULL, pixels, 0, NULL)) {
    refuse(load, from, file, &png);
    return NULL;
  }
  *rows = (int)png.height;
  *columns = (int)png.width;
  for (size_t i = 0; i < count; ++i) {
    const size_t row = png.height - 1 - i / png.width, column = i % png.width;
    const unsigned char* at = pixels + (row * png.width + column) * channels * bytes;
    uint16_t sample;
    memcpy(&sample, at, bytes == 2 ? 2 : 1);
    heights[i] = bytes == 2 ? sample : *at;
  }
  return heights;
}
