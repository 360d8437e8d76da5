// SPDX-License-Identifier: Apache-2.0
// A film: frames are piped to ffmpeg. Its messages go to a file without a name, so that a film that
// fails can report why.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>  // WEXITSTATUS
#include <string.h>

#include "view/memory.h"
#include "view/viewer.h"

struct Film {
  HeftAllocator allocator;
  FILE *pipe, *said;
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
  char command[2048], messages[32] = "/dev/null";
  if (strchr(path, '\'')) return NULL;
  FILE* said = tmpfile();
  if (said) snprintf(messages, sizeof messages, "/dev/fd/%d", fileno(said));
  snprintf(command, sizeof command,
           "ffmpeg -loglevel error -y -f rawvideo -pix_fmt rgb24 -s %dx%d -r %d -i - "
           "-vf 'crop=trunc(iw/2)*2:trunc(ih/2)*2' -pix_fmt yuv420p -crf 21 '%.1000s' 2>%s",
           width, height, fps, path, messages);
  Film* film = view_take(allocator, sizeof *film);
  if (film) {
    *film = (Film){.allocator = *allocator, .pipe = popen(command, "w"), .said = said};
    if (film->pipe) return film;
    view_give(allocator, film, sizeof *film);
  }
  if (said) fclose(said);
  return NULL;
}

int film_add(Film* film, const HeftImage* image) {
  const size_t bytes = (size_t)image->width * (size_t)image->height * 3;
  return fwrite(image->pixels, 1, bytes, film->pipe) == bytes;
}

// The last line that ffmpeg printed, "" if none.
static void last_line(FILE* said, char* out, size_t size) {
  char line[256];
  out[0] = '\0';
  if (!said) return;
  rewind(said);
  while (fgets(line, sizeof line, said)) {
    line[strcspn(line, "\r\n")] = '\0';
    if (line[0]) snprintf(out, size, "%s", line);
  }
  fclose(said);
}

int film_close(Film* film, char* why, size_t size) {
  char line[256];
  if (!film) return 0;
  const int code = pclose(film->pipe);
  last_line(film->said, line, sizeof line);
  // ffmpeg ends with code 0 although it could not write the end of a file: its text shows it
  const int good = code == 0 && !strstr(line, "rror writing") && !strstr(line, "rror closing");
  if (code != -1 && WIFEXITED(code) && WEXITSTATUS(code) == 127) {
    snprintf(why, size,
             "the program ffmpeg was not found; install it (Debian: apt install ffmpeg)");
  } else {
    snprintf(why, size, "ffmpeg says: %s; check the folder and the space on the disk",
             line[0] ? line : "nothing");
  }
  const HeftAllocator allocator = film->allocator;
  view_give(&allocator, film, sizeof *film);
  return good;
}
