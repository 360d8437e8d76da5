// SPDX-License-Identifier: Apache-2.0
// Stored settings of the viewer: lines of "name value" in the user's data folder (XDG).
#include <SDL.h>
#include <stdio.h>
#include <string.h>

#include "view/viewer.h"

static void read_line(Memory* m, const char* line) {
  const char* space = strchr(line, ' ');
  if (!space) return;
  const char* value = space + 1;
  const size_t n = (size_t)(space - line);
  const int number = SDL_atoi(value);
  if (strncmp(line, "width", n) == 0 && number >= 200 && number < 16384) m->width = number;
  if (strncmp(line, "height", n) == 0 && number >= 150 && number < 16384) m->height = number;
  if (strncmp(line, "dark", n) == 0) m->dark = number != 0;
  if (strncmp(line, "quality", n) == 0 && number >= -1 && number <= 1) m->quality = number;
  if (strncmp(line, "scale", n) == 0 && number >= 0 && number <= 400) m->scale = number / 100.0;
  if (strncmp(line, "recent", n) != 0) return;
  for (int i = 0; i < VIEWER_RECENT; ++i) {
    if (m->recent[i][0]) continue;
    SDL_strlcpy(m->recent[i], value, sizeof m->recent[i]);
    return;
  }
}

static void read_file(Viewer* v) {
  char* folder = SDL_GetPrefPath(NULL, "heft");
  if (!folder) return;
  snprintf(v->memory_path, sizeof v->memory_path, "%.900sview.txt", folder);
  SDL_free(folder);
  size_t size = 0;
  char* text = SDL_LoadFile(v->memory_path, &size);
  if (!text) return;
  for (char *line = text, *end; *line; line = end) {
    end = line + strcspn(line, "\n");
    if (*end) *end++ = '\0';
    read_line(&v->memory, line);
  }
  SDL_free(text);
}

void memory_read(Viewer* v) {
  Memory* m = &v->memory;
  read_file(v);
  v->kept = *m;
  if (v->def.width > 0) m->width = v->def.width;
  if (v->def.height > 0) m->height = v->def.height;
  if (v->def.dark >= 0) m->dark = v->def.dark;
  if (v->def.text_scale > 0) m->scale = v->def.text_scale;
  v->begun = *m;
}

static int changed(int now, int begun, int kept) { return now != begun ? now : kept; }

void memory_write(const Viewer* v) {
  const Memory *m = &v->memory, *b = &v->begun, *k = &v->kept;
  char text[VIEWER_RECENT * VIEWER_PATH + 512];
  if (!v->memory_path[0]) return;
  int n = snprintf(text, 512, "width %d\nheight %d\ndark %d\nquality %d\nscale %d\n",
                   changed(m->width, b->width, k->width), changed(m->height, b->height, k->height),
                   changed(m->dark, b->dark, k->dark), m->quality, (int)(100 * k->scale + 0.5));
  for (int i = 0; i < VIEWER_RECENT && m->recent[i][0]; ++i)
    n += snprintf(text + n, sizeof text - (size_t)n, "recent %s\n", m->recent[i]);
  SDL_RWops* file = SDL_RWFromFile(v->memory_path, "wb");
  if (!file) return;
  SDL_RWwrite(file, text, 1, (size_t)n);
  SDL_RWclose(file);
}

void memory_opened(Viewer* v, const char* path) {
  Memory* m = &v->memory;
  char kept[VIEWER_PATH];
  SDL_strlcpy(kept, path, sizeof kept);
  int at = 0;
  while (at < VIEWER_RECENT - 1 && m->recent[at][0] && strcmp(m->recent[at], kept) != 0) ++at;
  memmove(m->recent[1], m->recent[0], (size_t)at * sizeof m->recent[0]);
  SDL_strlcpy(m->recent[0], kept, sizeof m->recent[0]);
}
