// SPDX-License-Identifier: Apache-2.0
// The model is drawn into the hidden buffer of the window in the size of the picture, and copied
// into a texture.
#include "view/thumbnail.h"

#include <epoxy/gl.h>
#include <string.h>

#include "view/memory.h"

struct Thumbnailer {
  HeftAllocator allocator;
  const HeftModel* model;
  HeftRenderer* renderer;
  HeftDynamics* dynamics;
  HeftPose* poses;
  HeftPicture picture;
  HeftVec3 at;  // of the first body in the last picture
  int drawn;
};

Thumbnailer* thumbnailer_open(const HeftAllocator* allocator, const HeftModel* model,
                              const char* folder) {
  HeftRendererDef def = heft_renderer_def_default();
  Thumbnailer* t = view_take(allocator, sizeof *t);
  if (!t) return NULL;
  t->allocator = def.allocator = *allocator;
  def.folder = folder;
  t->model = model;
  t->picture = heft_picture_default();
  t->poses = view_take(allocator, (size_t)model->nbody * sizeof *t->poses);
  if (t->poses && heft_dynamics_create(&t->dynamics, model, allocator, NULL) == HEFT_OK &&
      heft_renderer_create(&t->renderer, model, &def, NULL) == HEFT_OK)
    return t;
  thumbnailer_close(t);
  return NULL;
}

void thumbnailer_close(Thumbnailer* t) {
  if (!t) return;
  const HeftAllocator allocator = t->allocator;
  heft_renderer_destroy(t->renderer);
  heft_dynamics_destroy(t->dynamics);
  view_give(&allocator, t->poses, (size_t)t->model->nbody * sizeof *t->poses);
  view_give(&allocator, t, sizeof *t);
}

static const double* first_pose(const HeftModel* m) {
  const int key = heft_model_find(m, HEFT_NAMED_KEY, "home");
  return key < 0 ? m->q_default : m->key_q + (size_t)key * (size_t)m->nq;
}

// Around the first pose; then along with the first body, which may walk or fall.
static void aim(Thumbnailer* t, double aspect) {
  HeftCamera* c = &t->picture.camera;
  const HeftVec3 at = t->poses[t->model->nbody > 1 ? 1 : 0].pos;
  if (!t->drawn) {
    *c = heft_renderer_camera(t->renderer, t->poses, aspect);
  } else {
    c->target = heft_vec3_add(c->target, heft_vec3_sub(at, t->at));
  }
  t->at = at;
  t->drawn = 1;
}

static void copy_picture(int width, int height, unsigned* texture) {
  glBindFramebuffer(GL_READ_FRAMEBUFFER, 0);
  if (!*texture) glGenTextures(1, texture);
  glBindTexture(GL_TEXTURE_2D, *texture);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  glCopyTexImage2D(GL_TEXTURE_2D, 0, GL_RGB8, 0, 0, width, height, 0);
}

void thumbnailer_draw(Thumbnailer* t, const double* q, const double* moved, int width, int height,
                      int dark, unsigned* texture) {
  if (moved) heft_dynamics_set_moved(t->dynamics, moved);
  heft_dynamics_kinematics(t->dynamics, q ? q : first_pose(t->model));
  for (int b = 0; b < t->model->nbody; ++b) t->poses[b] = heft_dynamics_body_pose(t->dynamics, b);
  t->picture.poses = t->poses;
  t->picture.dark = dark;
  aim(t, (double)width / height);
  if (heft_renderer_draw(t->renderer, &t->picture, width, height, 1, NULL) == HEFT_OK)
    copy_picture(width, height, texture);
}
