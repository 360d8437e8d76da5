// SPDX-License-Identifier: Apache-2.0
// Labels in the picture: the marks that are text.
#ifndef HEFT_APPS_VIEW_LABELS_H
#define HEFT_APPS_VIEW_LABELS_H

#include <epoxy/gl.h>
#include <heft/view.h>

#include "view/letters.h"
#include "view/memory.h"

/// Created when the first label is drawn.
typedef struct Labels {
  Letters letters;
  double size;  ///< of the letters [pixels]
  GLuint program, array, buffer, image;
  ViewList corners;  ///< of triangles
  ViewList order;    ///< of the labels: the farthest first
} Labels;

/// Draws the labels of a picture into the bound framebuffer of this size.
HeftStatus labels_draw(Labels* labels, const HeftAllocator* allocator, const HeftPicture* picture,
                       int width, int height, HeftError* error);
void labels_free(Labels* labels, const HeftAllocator* allocator);

#endif
