// SPDX-License-Identifier: Apache-2.0
// Small pictures of a model in a texture, for the start page.
#ifndef HEFT_APPS_VIEW_THUMBNAIL_H
#define HEFT_APPS_VIEW_THUMBNAIL_H

#include <heft/view.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Draws pictures of one model.
typedef struct Thumbnailer Thumbnailer;

/// folder: of the textures of the model. Needs a current OpenGL context. NULL on failure.
Thumbnailer* thumbnailer_open(const HeftAllocator* allocator, const HeftModel* model,
                              const char* folder);
void thumbnailer_close(Thumbnailer* t);
/// Draws the model with the coordinates q, or in the keyframe "home" or the pose of the file if q
/// is NULL, into the framebuffer of the window, and copies it into a texture: *texture, a new one
/// if it is 0. moved may be NULL. The camera follows the model from its first picture on.
void thumbnailer_draw(Thumbnailer* t, const double* q, const double* moved, int width, int height,
                      int dark, unsigned* texture);

#ifdef __cplusplus
}
#endif
#endif
