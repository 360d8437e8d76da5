// SPDX-License-Identifier: Apache-2.0
// An entry is simulated in the thread of a HeftSimulation: as fast as possible until the time of
// its picture, then drawn once; or in real time while the mouse is on it.
#include "view/preview.h"

#include <SDL.h>
#include <epoxy/gl.h>
#include <string.h>

enum { WIDTH = 320, HEIGHT = 200 };  // [pixels]

static const double HOVER = 0.25, EVERY = 0.1;  // until it runs; between pictures [s]

static int gallery_count(const Viewer* v) {
  return v->def.gallery_count < VIEWER_GALLERY ? v->def.gallery_count : VIEWER_GALLERY;
}

void preview_close(Viewer* v) {
  ViewerPreview* p = &v->preview;
  heft_simulation_destroy(p->simulation);
  thumbnailer_close(p->thumbnailer);
  heft_model_destroy(p->model);
  *p = (ViewerPreview){.entry = -1};
}

void preview_delete_pictures(Viewer* v) {
  for (int i = 0; i < VIEWER_GALLERY; ++i) {
    if (v->thumbnail[i].texture) glDeleteTextures(1, &v->thumbnail[i].texture);
    v->thumbnail[i] = (ViewerThumbnail){0};
  }
}

static int load(Viewer* v, int entry) {
  ViewerPreview* p = &v->preview;
  const char* file = v->def.gallery[entry].file;
  char folder[VIEWER_PATH];
  preview_close(v);
  p->entry = entry;
  p->model = v->def.load ? v->def.load(v->def.user, file, NULL) : NULL;
  SDL_strlcpy(folder, file, sizeof folder);
  char* slash = strrchr(folder, '/');
  SDL_strlcpy(slash ? slash : folder, slash ? "" : ".", 2);
  if (p->model) p->thumbnailer = thumbnailer_open(&v->allocator, p->model, folder);
  return p->thumbnailer != NULL;
}

static void draw(Viewer* v, const HeftViewFrame* f) {
  ViewerPreview* p = &v->preview;
  thumbnailer_draw(p->thumbnailer, f ? f->q : NULL, f ? f->moved : NULL, WIDTH, HEIGHT,
                   v->memory.dark, &v->thumbnail[p->entry].texture);
}

// The entry as its file has it.
static void draw_first(Viewer* v, int entry) {
  v->thumbnail[entry].tried = true;
  if (load(v, entry)) draw(v, NULL);
  preview_close(v);
  if (entry + 1 == gallery_count(v)) viewer_log(v, "gallery complete");
}

static void start(Viewer* v, int entry, double factor) {
  const HeftGalleryEntry* e = &v->def.gallery[entry];
  HeftSimulationDef def = heft_simulation_def_default();
  v->thumbnail[entry].acted = true;
  if (!load(v, entry)) return;
  draw(v, NULL);
  def.allocator = v->allocator;
  def.timeline_bytes = (size_t)8 << 20;
  def.key = heft_model_find(v->preview.model, HEFT_NAMED_KEY, "home");
  def.running = def.deadline = 1;
  if (v->def.opens)
    def.plugins = v->def.opens(v->def.user, e->file, e->acts ? e->name : NULL, NULL);
  v->def.plugins = NULL;  // the next model has its own
  if (heft_simulation_create(&v->preview.simulation, v->preview.model, &def, NULL) == HEFT_OK)
    heft_simulation_factor(v->preview.simulation, factor);
}

// Where the mouse is: in real time.
static void run_hovered(Viewer* v) {
  ViewerPreview* p = &v->preview;
  if (p->entry != v->hovered_entry || !p->live) {
    start(v, v->hovered_entry, 1);
    p->live = 1;
    viewer_log(v, "preview %s", v->def.gallery[v->hovered_entry].name);
  }
  if (!p->simulation || v->now < p->next) return;
  p->next = v->now + EVERY;
  draw(v, heft_simulation_frame(p->simulation, NULL));
}

// Until the time of the picture, as fast as possible.
static int run_hidden(Viewer* v) {
  ViewerPreview* p = &v->preview;
  if (p->simulation) {
    const HeftViewFrame* f = heft_simulation_frame(p->simulation, NULL);
    if (f->time < v->def.gallery[p->entry].picture_time && !f->trouble[0]) return 1;
    draw(v, f);
  }
  preview_close(v);
  for (int i = 0; i < gallery_count(v); ++i) {
    if (v->thumbnail[i].acted || v->def.gallery[i].picture_time <= 0) continue;
    start(v, i, 128);
    return 1;
  }
  return 0;
}

int preview_work(Viewer* v) {
  for (int i = 0; i < gallery_count(v); ++i) {
    if (v->thumbnail[i].tried) continue;
    draw_first(v, i);
    return 1;
  }
  const int hovers = v->hovered_entry >= 0 && v->hovered_entry < gallery_count(v);
  if (hovers && v->now > v->hovered_since + HOVER) {
    run_hovered(v);
    return 1;
  }
  if (v->preview.live) preview_close(v);
  return run_hidden(v) || hovers;
}
