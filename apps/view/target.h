// SPDX-License-Identifier: Apache-2.0
// The target of drawing: a framebuffer with several samples per pixel, and one with their mean.
#ifndef HEFT_APPS_VIEW_TARGET_H
#define HEFT_APPS_VIEW_TARGET_H

#include <epoxy/gl.h>
#include <heft/base.h>

typedef struct Target {
  int width, height, samples;
  GLuint drawn, resolved;  ///< framebuffers; the same with one sample
  GLuint color, depth;     ///< buffers; with one sample there is no color
  GLuint image;            ///< texture: the mean of the samples
  GLuint resolved_depth;   ///< buffer: one of the samples; with one sample there is none
} Target;

/// Creates a target of this size, or keeps the existing one.
HeftStatus target_size(Target* target, int width, int height, int samples, HeftError* error);
void target_free(Target* target);
/// The mean of the samples.
void target_resolve(const Target* target);
/// The depth of one of the samples.
void target_resolve_depth(const Target* target);

#endif
