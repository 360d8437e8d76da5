// SPDX-License-Identifier: Apache-2.0
// Letters as pictures: one image that holds them all, and where each lies in it.
#ifndef HEFT_APPS_VIEW_LETTERS_H
#define HEFT_APPS_VIEW_LETTERS_H

#include <heft/base.h>

#ifdef __cplusplus
struct ImFontAtlas;
/// The font that all text has, from the system or, where that has none, ImGui's own.
void letters_add_font(struct ImFontAtlas* atlas, float size);
extern "C" {
#endif

enum { LETTERS_FIRST = 32, LETTERS_COUNT = 95 };

typedef struct Letter {
  float low[2], high[2];  ///< corners, from the upper left of the line [pixels]
  float from[2], to[2];   ///< the same in the image, 0 to 1
  float advance;          ///< to the next letter [pixels]
} Letter;

typedef struct Letters {
  int width, height;
  unsigned char* pixels;  ///< how much of each is covered
  size_t size;
  float line;  ///< height of a line [pixels]
  Letter letter[LETTERS_COUNT];
} Letters;

/// Letters of a size [pixels]. 0 when memory is out.
int letters_make(Letters* letters, double size, const HeftAllocator* allocator);
void letters_free(Letters* letters, const HeftAllocator* allocator);
/// The letter for a byte of a text; '?' for those that there are none for.
const Letter* letters_of(const Letters* letters, char byte);

#ifdef __cplusplus
}
#endif
#endif
