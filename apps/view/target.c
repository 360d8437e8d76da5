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

static GLuint texture(int width, int height) {
  GLuint name = 0;
  glGenTextures(1, &name);
  glBindTexture(GL_TEXTURE_2D, name);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  return name;
}

// Into a buffer, or into an image.
static int attach(GLuint* frame, GLuint color, GLuint image, GLuint depth) {
  glGenFramebuffers(1, frame);
  glBindFramebuffer(GL_FRAMEBUFFER, *frame);
  if (color)
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, color);
  if (image) glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, image, 0);
  if (depth) glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, depth);
  return glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
}

static int build(Target* t) {
  const int several = t->samples > 1;
  if (several) t->color = buffer(GL_RGBA8, t->width, t->height, t->samples);
  t->image = texture(t->width, t->height);
  t->depth = buffer(GL_DEPTH_COMPONENT24, t->width, t->height, t->samples);
  if (!attach(&t->drawn, t->color, several ? 0 : t->image, t->depth)) return 0;
  t->resolved = t->drawn;
  if (several) t->resolved_depth = buffer(GL_DEPTH_COMPONENT24, t->width, t->height, 1);
  return !several || attach(&t->resolved, 0, t->image, t->resolved_depth);
}

HeftStatus target_size(Target* target, int width, int height, int samples, HeftError* error) {
  GLint max = 1, side = 0;
  if (target->width == width && target->height == height && target->drawn) return HEFT_OK;
  target_free(target);
  glGetIntegerv(GL_MAX_SAMPLES, &max);
  glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &side);
  if (width < 1 || height < 1 || width > side || height > side)
    return view_fail(error, HEFT_ERR_LIMIT, "a picture of %d x %d; this driver draws 1 to %d",
                     width, height, side);
  *target = (Target){.width = width, .height = height, .samples = samples < max ? samples : max};
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
  if (target->resolved_depth) glDeleteRenderbuffers(1, &target->resolved_depth);
  if (target->image) glDeleteTextures(1, &target->image);
  memset(target, 0, sizeof *target);
}

void target_resolve_depth(const Target* target) {
  if (target->resolved == target->drawn) return;
  glBindFramebuffer(GL_READ_FRAMEBUFFER, target->drawn);
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, target->resolved);
  glBlitFramebuffer(0, 0, target->width, target->height, 0, 0, target->width, target->height,
                    GL_DEPTH_BUFFER_BIT, GL_NEAREST);
}

void target_resolve(const Target* target) {
  if (target->resolved == target->drawn) return;
  glBindFramebuffer(GL_READ_FRAMEBUFFER, target->drawn);
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, target->resolved);
  glBlitFramebuffer(0, 0, target->width, target->height, 0, 0, target->width, target->height,
                    GL_COLOR_BUFFER_BIT, GL_NEAREST);
}
