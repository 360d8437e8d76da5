// SPDX-License-Identifier: Apache-2.0
// A film: frames are piped to ffmpeg.
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "view/memory.h"
#include "view/viewer.h"

struct Film {
  HeftAllocator allocator;
  FILE* pipe;
};

static int exists(const char* path) {
  FILE* f = fopen(path, "rb");
  if (f) fclose(f);
  return f != NULL;
}

void film_name(const char* folder, const char* ending, char* out, size_t size) {
  for (int i = 1; i < 100000; ++i) {
    snprintf(out, size, "%.800s%sheft-%d.%s", folder ? folder : "", folder ? "/" : "", i, ending);
    if (!exists(out)) return;
  }
}

Film* film_open(const HeftAllocator* allocator, const char* path, int width, int height, int fps) {
  char command[2048];
  if (strchr(path, '\'')) return NULL;
  snprintf(command, sizeof command,
           "ffmpeg -loglevel error -y -f rawvideo -pix_fmt rgb24 -s %dx%d -r %d -i - "
           "-vf 'crop=trunc(iw/2)*2:trunc(ih/2)*2' -pix_fmt yuv420p -crf 21 '%.1000s' 2>/dev/null",
           width, height, fps, path);
  Film* film = view_take(allocator, sizeof *film);
  if (!film) return NULL;
  film->allocator = *allocator;
  film->pipe = popen(command, "w");
  if (film->pipe) return film;
  view_give(allocator, film, sizeof *film);
  return NULL;
}

int film_add(Film* film, const HeftImage* image) {
  const size_t bytes = (size_t)image->width * (size_t)image->height * 3;
  return fwrite(image->pixels, 1, bytes, film->pipe) == bytes;
}

int film_close(Film* film) {
  if (!film) return 0;
  const int good = pclose(film->pipe) == 0;
  const HeftAllocator allocator = film->allocator;
  view_give(&allocator, film, sizeof *film);
  return good;
}
