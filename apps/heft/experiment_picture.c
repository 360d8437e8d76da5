// SPDX-License-Identifier: Apache-2.0
#include "experiment_picture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef HEFT_HAVE_VIEW

ExperimentPicture* experiment_picture_open(Lab* lab, const char* folder) {
  (void)lab;
  (void)folder;
  return NULL;
}

int experiment_picture_close(ExperimentPicture* picture, const char* folder, const char* name) {
  (void)picture;
  (void)folder;
  (void)name;
  return 1;
}

ExperimentPicture* experiment_film_open(Lab* lab, const char* models, const char* folder,
                                        const char* name) {
  (void)lab;
  (void)models;
  (void)folder;
  (void)name;
  return NULL;
}

int experiment_film_close(ExperimentPicture* film) {
  (void)film;
  return 1;
}

#else

#include <heft/view.h>

#include "picture.h"

enum { WIDTH = 420, HEIGHT = 480, MOMENTS_MAX = 6, MARKS = 4096 };
enum { FILM_WIDTH = 640, FILM_HEIGHT = 360, FILM_FPS = 20 };

struct ExperimentPicture {
  const char* folder;
  HeftHeadless* headless;
  HeftRenderer* renderer;  ///< while an instant is drawn; of a film, always
  int width, height;
  unsigned char* snapshot[MOMENTS_MAX];
  int count;
  FILE* pipe;  ///< of a film
  char path[1200];
  int good;  ///< 1: all pictures of the film were written
};

// The hand of a user and the force on it: 1 N is drawn as 5 mm.
static void mark_hand(HeftMarks* marks, const LabHand* hand) {
  if (!hand->present) return;
  heft_marks_add(marks, HEFT_MARK_SPHERE, hand->pos, heft_vec3(0, 0, 0), 0.03, 0xD84315FFu);
  const HeftVec3 arrow = heft_vec3_scale(0.005, hand->force);
  if (heft_vec3_norm(arrow) > 1e-3)
    heft_marks_add(marks, HEFT_MARK_ARROW, hand->pos, arrow, 0.012, 0xD84315FFu);
}

static void draw_into(ExperimentPicture* p, const Lab* lab, HeftImage* image) {
  const HeftModel* m = lab->model;
  const HeftDynamics* d = heft_world_dynamics(lab->world);
  const HeftState* s = heft_world_state(lab->world);
  HeftPose* poses = calloc((size_t)m->nbody, sizeof *poses);
  HeftMarks marks = {.mark = calloc(MARKS, sizeof(HeftMark)), .max = MARKS};
  const int count = heft_world_contact_count(lab->world);
  HeftContact* contacts = calloc((size_t)count + 1, sizeof *contacts);
  if (poses && marks.mark && contacts) {
    for (int b = 0; b < m->nbody; ++b) poses[b] = heft_dynamics_body_pose(d, b);
    for (int i = 0; i < count; ++i) contacts[i] = heft_world_contact(lab->world, i);
    HeftPicture picture = heft_picture_default();
    picture.camera = heft_renderer_camera(p->renderer, poses, (double)p->width / p->height);
    const HeftSnapshot snapshot = {s->q, s->v, contacts, count, 0.68 * picture.camera.distance,
                                   NULL};
    if (lab->camera[2] > 0) {
      picture.camera.azimuth = lab->camera[0] * HEFT_PI / 180;
      picture.camera.elevation = lab->camera[1] * HEFT_PI / 180;
      picture.camera.distance = lab->camera[2];
      picture.camera.target = heft_vec3_from(lab->camera + 3);
    }
    heft_marks_of_snapshot(&marks, m, d, &snapshot, 1u << HEFT_SHOW_FORCES);
    for (int i = 0; i < 2; ++i) mark_hand(&marks, &lab->hand[i]);
    picture.poses = poses;
    picture.marks = &marks;
    picture.groups = 0x7;
    HeftError error = {0};
    if (heft_renderer_draw(p->renderer, &picture, p->width, p->height, 0, &error) == HEFT_OK)
      heft_renderer_read(p->renderer, image);
  }
  free(poses);
  free(marks.mark);
  free(contacts);
}

// A renderer for each instant: it must not outlive its model, which the experiment may change.
static void draw(Lab* lab, void* user) {
  ExperimentPicture* p = user;
  HeftError error = {0};
  HeftRendererDef def = heft_renderer_def_default();
  if (p->count == MOMENTS_MAX) return;
  def.folder = p->folder;
  HeftImage image = {.pixels = calloc((size_t)WIDTH * HEIGHT, 3)};
  if (image.pixels && heft_renderer_create(&p->renderer, lab->model, &def, &error) == HEFT_OK) {
    draw_into(p, lab, &image);
    p->snapshot[p->count++] = image.pixels;
    image.pixels = NULL;
  }
  free(image.pixels);
  heft_renderer_destroy(p->renderer);
  p->renderer = NULL;
}

ExperimentPicture* experiment_picture_open(Lab* lab, const char* folder) {
  HeftError error = {0};
  ExperimentPicture* p = calloc(1, sizeof *p);
  if (!p || heft_headless_create(&p->headless, &error) != HEFT_OK) {
    free(p);
    return NULL;
  }
  p->folder = folder;
  p->width = WIDTH;
  p->height = HEIGHT;
  lab->picture = draw;
  lab->user = p;
  return p;
}

static int write_strip(const ExperimentPicture* p, const char* folder, const char* name) {
  char path[1200];
  HeftError error = {0};
  const size_t row = (size_t)WIDTH * 3;
  unsigned char* all = malloc(row * HEIGHT * (size_t)p->count);
  if (!all) return 0;
  for (int y = 0; y < HEIGHT; ++y)
    for (int i = 0; i < p->count; ++i)
      memcpy(all + ((size_t)y * (size_t)p->count + (size_t)i) * row,
             p->snapshot[i] + (size_t)y * row, row);
  snprintf(path, sizeof path, "%.1000s/%.80s.png", folder, name);
  const HeftImage image = {.pixels = all, .width = WIDTH * p->count, .height = HEIGHT};
  const int done = heft_image_write_png(&image, path, &error) == HEFT_OK;
  if (!done) fprintf(stderr, "heft experiment: error: %s\n", error.message);
  free(all);
  return done;
}

int experiment_picture_close(ExperimentPicture* p, const char* folder, const char* name) {
  if (!p) return 1;
  const int done = p->count == 0 || write_strip(p, folder, name);
  for (int i = 0; i < p->count; ++i) free(p->snapshot[i]);
  heft_headless_destroy(p->headless);
  free(p);
  return done;
}

// ---- films

// The next picture, when its time has come.
static void film(Lab* lab, void* user) {
  ExperimentPicture* p = user;
  HeftError error = {0};
  HeftRendererDef def = heft_renderer_def_default();
  if (!p->good || lab_time(lab) * FILM_FPS < p->count) return;
  def.folder = p->folder;
  def.samples = def.soft_shadows = def.reflections = 0;
  if (!p->renderer && heft_renderer_create(&p->renderer, lab->model, &def, &error) != HEFT_OK) {
    p->good = 0;
    return;
  }
  const size_t bytes = (size_t)FILM_WIDTH * FILM_HEIGHT * 3;
  HeftImage image = {.pixels = p->snapshot[0]};
  draw_into(p, lab, &image);
  p->good = fwrite(image.pixels, 1, bytes, p->pipe) == bytes;
  ++p->count;
}

ExperimentPicture* experiment_film_open(Lab* lab, const char* models, const char* folder,
                                        const char* name) {
  ExperimentPicture* p = experiment_picture_open(lab, models);
  if (!p) return NULL;
  p->width = FILM_WIDTH;
  p->height = FILM_HEIGHT;
  snprintf(p->path, sizeof p->path, "%.1000s/%.80s.mp4", folder, name);
  p->snapshot[0] = calloc((size_t)FILM_WIDTH * FILM_HEIGHT, 3);
  if (p->snapshot[0])
    p->pipe = picture_film_open("experiment", p->path, FILM_WIDTH, FILM_HEIGHT, FILM_FPS);
  p->good = p->pipe != NULL;
  lab->picture = film;
  return p;
}

int experiment_film_close(ExperimentPicture* p) {
  if (!p) return 1;
  const int good = picture_film_close("experiment", p->path, p->pipe, p->good);
  heft_renderer_destroy(p->renderer);
  free(p->snapshot[0]);
  heft_headless_destroy(p->headless);
  free(p);
  return good;
}

#endif
