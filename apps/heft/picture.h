// SPDX-License-Identifier: Apache-2.0
// Flat pictures of rectangles and text, as SVG or PNG by the ending of the file; films.
#ifndef HEFT_APPS_PICTURE_H
#define HEFT_APPS_PICTURE_H

#include <stdint.h>
#include <stdio.h>

typedef struct Picture Picture;

/// How a text lies at its place.
typedef enum PictureAnchor { PICTURE_LEFT, PICTURE_MIDDLE, PICTURE_RIGHT } PictureAnchor;

/// NULL: failed (reported); the ending is neither .svg nor .png, or there is no library for PNG.
Picture* picture_open(const char* verb, const char* path, int width, int height);
/// A picture as SVG inside of a page that is written to `out`, which stays open. NULL: no memory.
Picture* picture_open_inline(FILE* out, int width, int height);
/// A rectangle with its upper left corner at (x, y) [px]; color is 0xRRGGBB.
void picture_box(Picture* picture, double x, double y, double width, double height, uint32_t color);
/// A line of ASCII text; y is its base line, size the height of the letters [px].
void picture_text(Picture* picture, double x, double y, double size, PictureAnchor anchor,
                  uint32_t color, const char* text);
/// Ends the picture and writes its file. 0: failed (reported).
int picture_close(Picture* picture);
/// A colour for a share of 0 to 1, from dark blue over green to yellow; even in lightness.
uint32_t picture_ramp(double share);

/// A pipe to ffmpeg for pictures of RGB bytes, from top to bottom. NULL: failed (reported).
FILE* picture_film_open(const char* verb, const char* path, int width, int height, int fps);
/// pipe may be NULL. 0: the film is not complete, or not all was written to it (reported).
int picture_film_close(const char* verb, const char* path, FILE* pipe, int good);

#endif
