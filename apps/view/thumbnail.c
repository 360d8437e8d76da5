// SPDX-License-Identifier: Apache-2.0
// Small pictures of models, for the start page: the model is loaded, drawn into the hidden buffer
// of the window in the size of the picture, and copied into a texture.
#include "view/thumbnail.h"

#include <epoxy/gl.h>
#include <string.h>

#include "view/memory.h"

// The pose of the keyframe "home", or of the file.
static void pose_bodies(HeftDynamics* dynamics, const HeftModel* m, HeftPose* poses) {
  const int key = heft_model_find(m, HEFT_NAMED_KEY, "home");
  heft_dynamics_kinematics(dynamics,
                           key < 0 ? m->q_default : m->key_q + (size_t)key * (size_t)m->nq);
  for (int b = 0; b < m->nbody; ++b) poses[b] = heft_dynamics_body_pose(dynamics, b);
}

static unsigned copy_picture(int width, int height) {
  unsigned texture = 0;
  glBindFramebuffer(GL_READ_FRAMEBUFFER, 0);
  glGenTextures(1, &texture);
  glBindTexture(GL_TEXTURE_2D, texture);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  glCopyTexImage2D(GL_TEXTURE_2D, 0, GL_RGB8, 0, 0, width, height, 0);
  return texture;
}

unsigned thumbnail_draw(const HeftAllocator* allocator, const HeftModel* model, const char* folder,
                        int width, int height, int dark) {
  HeftRenderer* renderer = NULL;
  HeftDynamics* dynamics = NULL;
  HeftRendererDef def = heft_renderer_def_default();
  HeftPicture picture = heft_picture_default();
  const size_t size = (size_t)model->nbody * sizeof(HeftPose);
  unsigned texture = 0;
  def.allocator = *allocator;
  def.folder = folder;
  HeftPose* poses = view_take(allocator, size);
  if (poses && heft_dynamics_create(&dynamics, model, allocator, NULL) == HEFT_OK &&
      heft_renderer_create(&renderer, model, &def, NULL) == HEFT_OK) {
    pose_bodies(dynamics, model, poses);
    picture.poses = poses;
    picture.dark = dark;
    picture.camera = heft_renderer_camera(renderer, poses, (double)width / height);
    if (heft_renderer_draw(renderer, &picture, width, height, 1, NULL) == HEFT_OK)
      texture = copy_picture(width, height);
  }
  heft_renderer_destroy(renderer);
  heft_dynamics_destroy(dynamics);
  view_give(allocator, poses, size);
  return texture;
}
