// SPDX-License-Identifier: Apache-2.0
// Words in the picture: the marks that are text.
#ifndef HEFT_APPS_VIEW_LABELS_H
#define HEFT_APPS_VIEW_LABELS_H

#include <epoxy/gl.h>
#include <heft/view.h>

#include "view/letters.h"
#include "view/memory.h"

/// Made when the first word is drawn.
typedef struct Labels {
  Letters letters;
  double size;  ///< of the letters that there are [pixels]
  GLuint program, array, buffer, image;
  ViewList corners;  ///< of triangles
  ViewList order;    ///< of the words: the farthest first
} Labels;

/// Draws the words of a picture into the framebuffer that is bound, of this size.
HeftStatus labels_draw(Labels* labels, const HeftAllocator* allocator, const HeftPicture* picture,
                       int width, int height, HeftError* error);
void labels_free(Labels* labels, const HeftAllocator* allocator);

#endif
