// SPDX-License-Identifier: Apache-2.0
#include "sheet.h"

#ifdef HEFT_HAVE_VIEW

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MARGIN = 4, NAME_SIZE = 14, NAME_HEIGHT = 20, SIDE_MAX = 16384 };
static const uint32_t dark = 0x202428, light = 0xF0F0F0, red = 0xFF9080;

typedef struct Grid {
  int columns, rows, width, height;  ///< width and height of a cell
} Grid;

// As many columns as make the sheet about half as wide again as it is high.
static Grid make_grid(const Sheet* s) {
  Grid g = {.width = s->width + MARGIN, .height = s->height + NAME_HEIGHT + MARGIN};
  const double square = sqrt(1.5 * s->files->count * g.height / g.width);
  g.columns = square < 1 ? 1 : (int)ceil(square);
  if (g.columns > s->files->count) g.columns = s->files->count;
  g.rows = (s->files->count + g.columns - 1) / g.columns;
  return g;
}

static void fill(HeftImage* image, uint32_t color) {
  for (long i = 0; i < 3L * image->width * image->height; ++i)
    image->pixels[i] = (unsigned char)(color >> (16 - 8 * (i % 3)));
}

static void copy_tile(HeftImage* sheet, const HeftImage* tile, int x, int y) {
  for (int row = 0; row < tile->height; ++row)
    memcpy(sheet->pixels + 3 * ((long)(y + row) * sheet->width + x),
           tile->pixels + 3L * row * tile->width, 3 * (size_t)tile->width);
}

// The number of leading characters, up to a slash, that all paths share.
static size_t shared_length(const ModelFiles* f) {
  size_t length = strlen(f->path[0]);
  for (int i = 1; i < f->count; ++i) {
    size_t k = 0;
    while (k < length && f->path[i][k] == f->path[0][k]) ++k;
    length = k;
  }
  while (length > 0 && f->path[0][length - 1] != '/') --length;
  return length;
}

static void write_name(HeftImage* sheet, const Sheet* s, const char* name, int x, int y) {
  // about half the size of the letters for each: what does not fit is cut off in front
  const size_t room = (size_t)(2.05 * s->width / NAME_SIZE), length = strlen(name);
  char text[300];
  if (length > room && room > 3 && room < sizeof text) {
    snprintf(text, sizeof text, "...%s", name + (length - room + 3));
  } else {
    snprintf(text, sizeof text, "%.290s", name);
  }
  heft_image_draw_text(sheet, x + 2, y + 2, NAME_SIZE, light, text, NULL);
}

// The reason in lines that fit.
static void write_reason(HeftImage* tile, const char* reason) {
  const size_t room = (size_t)(1.8 * tile->width / NAME_SIZE);
  int y = 8;
  fill(tile, dark);
  while (*reason && y + NAME_HEIGHT < tile->height) {
    char line[256];
    size_t length = strlen(reason);
    if (length > room) {
      length = room;
      while (length > 1 && reason[length] != ' ') --length;
      if (length == 1) length = room;
    }
    snprintf(line, sizeof line, "%.*s", (int)(length < 250 ? length : 250), reason);
    heft_image_draw_text(tile, 8, y, NAME_SIZE, red, line, NULL);
    reason += length;
    while (*reason == ' ') ++reason;
    y += NAME_HEIGHT;
  }
}

static void show_progress(const Sheet* s, int i) {
  if (s->quiet || !isatty(STDERR_FILENO)) return;
  fprintf(stderr, "\r%4d of %d  %-60.60s", i + 1, s->files->count, s->files->path[i]);
  if (i + 1 == s->files->count) fprintf(stderr, "\r%75s\r", "");
  fflush(stderr);
}

static int draw_all(const Sheet* s, const Grid* g, HeftImage* sheet, HeftImage* tile) {
  const size_t shared = shared_length(s->files);
  int failed = 0;
  for (int i = 0; i < s->files->count; ++i) {
    const int x = MARGIN + i % g->columns * g->width, y = MARGIN + i / g->columns * g->height;
    const char* path = s->files->path[i];
    HeftError error = {0};
    show_progress(s, i);
    tile->width = s->width;
    tile->height = s->height;
    if (!s->draw(s->user, path, tile, &error)) {
      ++failed;
      tile->width = s->width;
      tile->height = s->height;
      write_reason(tile, error.message[0] ? error.message : "it cannot be drawn");
    }
    copy_tile(sheet, tile, x, y);
    write_name(sheet, s, path + shared, x, y + s->height);
  }
  return failed;
}

int sheet_write(const Sheet* s, const char* path) {
  const Grid g = make_grid(s);
  HeftError error = {0};
  HeftImage sheet = {.width = g.columns * g.width + MARGIN, .height = g.rows * g.height + MARGIN};
  if (sheet.width > SIDE_MAX || sheet.height > SIDE_MAX) {
    fprintf(stderr,
            "heft render: error: a sheet of %d models would be %d x %d pixels; choose a "
            "smaller --size\n",
            s->files->count, sheet.width, sheet.height);
    return -1;
  }
  HeftImage tile = {.pixels = malloc(3 * (size_t)s->width * (size_t)s->height)};
  sheet.pixels = malloc(3 * (size_t)sheet.width * (size_t)sheet.height);
  int failed = -1;
  if (!tile.pixels || !sheet.pixels) {
    fprintf(stderr, "heft render: error: not enough memory for the sheet\n");
  } else {
    fill(&sheet, dark);
    failed = draw_all(s, &g, &sheet, &tile);
    if (heft_image_write_png(&sheet, path, &error) != HEFT_OK) {
      fprintf(stderr, "heft render: error: %s\n", error.message);
      failed = -1;
    }
  }
  free(tile.pixels);
  free(sheet.pixels);
  return failed;
}

#endif
