// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include "picture.h"

#include <heft/base.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "whole_file.h"

#ifdef HEFT_HAVE_VIEW
#include <heft/view.h>
#endif

struct Picture {
  const char *verb, *path;
  int width, height;
  FILE* svg;              ///< or NULL
  WholeFile file;         ///< of svg, unless it stays
  int stays;              ///< 1: svg is the file of a page, which goes on
  unsigned char* pixels;  ///< of a PNG, or NULL
};

static int ends_in(const char* path, const char* ending) {
  const size_t a = strlen(path), b = strlen(ending);
  return a > b && strcmp(path + a - b, ending) == 0;
}

static Picture* fail(Picture* p, const char* what) {
  fprintf(stderr, "heft %s: error: '%s': %s\n", p->verb, p->path, what);
  free(p->pixels);
  free(p);
  return NULL;
}

static void begin_svg(Picture* p) {
  fprintf(p->svg,
          "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d "
          "%d\" font-family=\"sans-serif\" shape-rendering=\"crispEdges\">\n",
          p->width, p->height, p->width, p->height);
}

Picture* picture_open_inline(FILE* out, int width, int height) {
  Picture* p = calloc(1, sizeof *p);
  if (!p) return NULL;
  *p = (Picture){.width = width, .height = height, .svg = out, .stays = 1};
  begin_svg(p);
  return p;
}

Picture* picture_open(const char* verb, const char* path, int width, int height) {
  Picture* p = calloc(1, sizeof *p);
  if (!p) {
    fprintf(stderr, "heft %s: error: not enough memory for '%s'\n", verb, path);
    return NULL;
  }
  *p = (Picture){.verb = verb, .path = path, .width = width, .height = height};
  if (ends_in(path, ".svg")) {
    p->svg = whole_file_open(&p->file, path);
    if (!p->svg) return fail(p, "the file cannot be written");
    begin_svg(p);
  } else if (ends_in(path, ".png")) {
#ifdef HEFT_HAVE_VIEW
    p->pixels = malloc(3 * (size_t)width * (size_t)height);
    if (!p->pixels) return fail(p, "not enough memory");
#else
    return fail(p, "PNG needs the library heft_view; use .svg");
#endif
  } else {
    return fail(p, "expected a file ending in .svg or .png");
  }
  picture_box(p, 0, 0, width, height, 0xffffff);
  return p;
}

static int clamp(double x, int max) { return x < 0 ? 0 : (x > max ? max : (int)(x + 0.5)); }

void picture_box(Picture* p, double x, double y, double width, double height, uint32_t color) {
  if (p->svg) {
    fprintf(p->svg, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"#%06x\"/>\n",
            x, y, width, height, (unsigned)color);
    return;
  }
  const int x0 = clamp(x, p->width), x1 = clamp(x + width, p->width);
  const int y0 = clamp(y, p->height), y1 = clamp(y + height, p->height);
  for (int row = y0; row < y1; ++row)
    for (int at = x0; at < x1; ++at) {
      unsigned char* pixel = p->pixels + 3 * ((size_t)row * (size_t)p->width + (size_t)at);
      for (int k = 0; k < 3; ++k) pixel[k] = (unsigned char)(color >> (16 - 8 * k));
    }
}

static void write_escaped(FILE* out, const char* text) {
  for (; *text; ++text) {
    if (*text == '<')
      fputs("&lt;", out);
    else if (*text == '&')
      fputs("&amp;", out);
    else
      fputc(*text, out);
  }
}

void picture_text(Picture* p, double x, double y, double size, PictureAnchor anchor, uint32_t color,
                  const char* text) {
  static const char* const names[] = {"start", "middle", "end"};
  if (p->svg) {
    fprintf(p->svg,
            "<text x=\"%.2f\" y=\"%.2f\" font-size=\"%.1f\" text-anchor=\"%s\" fill=\"#%06x\">", x,
            y, size, names[anchor], (unsigned)color);
    write_escaped(p->svg, text);
    fprintf(p->svg, "</text>\n");
    return;
  }
#ifdef HEFT_HAVE_VIEW
  HeftImage image = {p->width, p->height, p->pixels};
  const double width = 0.54 * size * (double)strlen(text);  // of the letters of the window
  const double left =
      x - (anchor == PICTURE_LEFT ? 0 : (anchor == PICTURE_MIDDLE ? width / 2 : width));
  heft_image_draw_text(&image, (int)left, (int)(y - 0.8 * size), size, color, text, NULL);
#endif
}

int picture_close(Picture* p) {
  int well = 1;
  if (p->svg) {
    fprintf(p->svg, "</svg>\n");
    well = p->stays ? !ferror(p->svg) : whole_file_close(&p->file, 1);
    if (!well && !p->stays)
      fprintf(stderr, "heft %s: error: '%s' is not complete\n", p->verb, p->path);
  }
#ifdef HEFT_HAVE_VIEW
  HeftError error = {0};
  const HeftImage image = {p->width, p->height, p->pixels};
  if (p->pixels && heft_image_write_png(&image, p->path, &error) != HEFT_OK) {
    fprintf(stderr, "heft %s: error: %s\n", p->verb, error.message);
    well = 0;
  }
#endif
  free(p->pixels);
  free(p);
  return well;
}

// Stations of the map "viridis" (van der Walt and Smith, CC0).
uint32_t picture_ramp(double share) {
  static const int stations[6][3] = {{68, 1, 84},    {65, 68, 135},  {42, 120, 142},
                                     {34, 168, 132}, {122, 209, 81}, {253, 231, 37}};
  const double at = 5 * (share < 0 ? 0 : (share > 1 ? 1 : share));
  const int k = at >= 5 ? 4 : (int)at;
  uint32_t color = 0;
  for (int i = 0; i < 3; ++i)
    color = color << 8 |
            (uint32_t)(stations[k][i] + (at - k) * (stations[k + 1][i] - stations[k][i]) + 0.5);
  return color;
}

// ---- films: raw frames are piped into ffmpeg

FILE* picture_film_open(const char* verb, const char* path, int width, int height, int fps) {
  char command[2048];
  if (strchr(path, '\'')) {
    fprintf(stderr, "heft %s: error: the name of a video must not contain quotes: '%s'\n", verb,
            path);
    return NULL;
  }
  if (system("command -v ffmpeg >/dev/null 2>&1") != 0) {
    fprintf(stderr, "heft %s: error: videos need the program ffmpeg (Debian: apt install ffmpeg)\n",
            verb);
    return NULL;
  }
  // ffmpeg ends with code 0 although it could not write the end of a file: its text shows it
  snprintf(command, sizeof command,
           "said=$(ffmpeg -loglevel error -y -f rawvideo -pix_fmt rgb24 -s %dx%d -r %d -i - "
           "-pix_fmt yuv420p -crf 21 '%.1000s' 2>&1); code=$?; [ -z \"$said\" ] || echo \"$said\" "
           ">&2; "
           "case $said in *'rror writing'* | *'rror closing'*) exit 1 ;; esac; exit $code",
           width, height, fps, path);
  signal(SIGPIPE, SIG_IGN);
  return popen(command, "w");
}

int picture_film_close(const char* verb, const char* path, FILE* pipe, int good) {
  if (!pipe) return 0;
  if (pclose(pipe) == 0 && good) return 1;
  fprintf(stderr, "heft %s: error: ffmpeg cannot write '%s'\n", verb, path);
  return 0;
}
