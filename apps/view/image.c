// SPDX-License-Identifier: Apache-2.0
// PNG through libpng's simplified interface.
#include "view/image.h"

#include <png.h>
#include <stdio.h>
#include <string.h>

#include "view/memory.h"

HeftStatus heft_image_write_png(const HeftImage* image, const char* path, HeftError* error) {
  png_image png = {.version = PNG_IMAGE_VERSION,
                   .width = (png_uint_32)image->width,
                   .height = (png_uint_32)image->height,
                   .format = PNG_FORMAT_RGB};
  // First beside the file, so that a full disk keeps the one that is there; devices as they are.
  char beside[4200];
  const int device = strncmp(path, "/dev/", 5) == 0;
  snprintf(beside, sizeof beside, device ? "%.4100s" : "%.4100s.part", path);
  if (!device) remove(beside);  // of a program that was killed, or a link
  if (png_image_write_to_file(&png, beside, 0, image->pixels, 0, NULL) &&
      (device || rename(beside, path) == 0))
    return HEFT_OK;
  if (!device) remove(beside);
  return view_fail(error, HEFT_ERR_FILE, "'%.300s' cannot be written: %.100s", path, png.message);
}

int image_read_png(const char* path, const HeftAllocator* allocator, HeftImage* out,
                   HeftError* error) {
  png_image png = {.version = PNG_IMAGE_VERSION};
  memset(out, 0, sizeof *out);
  if (!png_image_begin_read_from_file(&png, path)) {
    view_fail(error, HEFT_ERR_FILE, "'%.300s' cannot be read: %.100s", path, png.message);
    return 0;
  }
  png.format = PNG_FORMAT_RGB;
  if (png.width > IMAGE_MAX || png.height > IMAGE_MAX) {
    png_image_free(&png);
    view_fail(error, HEFT_ERR_LIMIT, "'%.300s' is larger than %d pixels", path, IMAGE_MAX);
    return 0;
  }
  out->pixels = view_take(allocator, PNG_IMAGE_SIZE(png));
  if (!out->pixels || !png_image_finish_read(&png, NULL, out->pixels, 0, NULL)) {
    view_give(allocator, out->pixels, PNG_IMAGE_SIZE(png));
    out->pixels = NULL;
    png_image_free(&png);
    view_fail(error, HEFT_ERR_FILE, "'%.300s' cannot be read: %.100s", path, png.message);
    return 0;
  }
  out->width = (int)png.width;
  out->height = (int)png.height;
  return 1;
}

void image_free(HeftImage* image, const HeftAllocator* allocator) {
  view_give(allocator, image->pixels, (size_t)image->width * (size_t)image->height * 3);
  memset(image, 0, sizeof *image);
}
