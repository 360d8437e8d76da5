// SPDX-License-Identifier: Apache-2.0
#include "view/target.h"

#include <string.h>

#include "view/memory.h"

static GLuint buffer(GLenum format, int width, int height, int samples) {
  GLuint name = 0;
  glGenRenderbuffers(1, &name);
  glBindRenderbuffer(GL_RENDERBUFFER, name);
  if (samples > 1) {
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, format, width, height);
  } else {
    glRenderbufferStorage(GL_RENDERBUFFER, format, width, height);
  }
  return name;
}

static int attach(GLuint* frame, GLuint color, GLuint depth) {
  glGenFramebuffers(1, frame);
  glBindFramebuffer(GL_FRAMEBUFFER, *frame);
  glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, color);
  if (depth) glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, depth);
  return glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
}

static int build(Target* t) {
  t->color = buffer(GL_RGBA8, t->width, t->height, t->samples);
  t->depth = buffer(GL_DEPTH_COMPONENT24, t->width, t->height, t->samples);
  if (!attach(&t->drawn, t->color, t->depth)) return 0;
  t->resolved = t->drawn;
  if (t->samples <= 1) return 1;
  t->resolved_color = buffer(GL_RGBA8, t->width, t->height, 1);
  return attach(&t->resolved, t->resolved_color, 0);
}

HeftStatus target_size(Target* target, int width, int height, int samples, HeftError* error) {
  GLint most = 1, side = 0;
  if (target->width == width && target->height == height && target->drawn) return HEFT_OK;
  target_free(target);
  glGetIntegerv(GL_MAX_SAMPLES, &most);
  glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &side);
  if (width < 1 || height < 1 || width > side || height > side)
    return view_fail(error, HEFT_ERR_LIMIT, "a picture of %d x %d; this driver draws 1 to %d",
                     width, height, side);
  *target = (Target){.width = width, .height = height, .samples = samples < most ? samples : most};
  if (build(target)) return HEFT_OK;
  target_free(target);
  return view_fail(error, HEFT_ERR_UNSUPPORTED, "the driver cannot draw into %d x %d pixels", width,
                   height);
}

void target_free(Target* target) {
  if (target->resolved && target->resolved != target->drawn)
    glDeleteFramebuffers(1, &target->resolved);
  if (target->drawn) glDeleteFramebuffers(1, &target->drawn);
  if (target->color) glDeleteRenderbuffers(1, &target->color);
  if (target->depth) glDeleteRenderbuffers(1, &target->depth);
  if (target->resolved_color) glDeleteRenderbuffers(1, &target->resolved_color);
  memset(target, 0, sizeof *target);
}

void target_resolve(const Target* target) {
  if (target->resolved == target->drawn) return;
  glBindFramebuffer(GL_READ_FRAMEBUFFER, target->drawn);
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, target->resolved);
  glBlitFramebuffer(0, 0, target->width, target->height, 0, 0, target->width, target->height,
                    GL_COLOR_BUFFER_BIT, GL_NEAREST);
}
