// SPDX-License-Identifier: Apache-2.0
#ifndef HEFT_APPS_VIEW_IMAGE_H
#define HEFT_APPS_VIEW_IMAGE_H

#include <heft/view.h>

enum { IMAGE_MAX = 16384 };  ///< pixels along one side of a texture

/// 1 on success; release with image_free().
int image_read_png(const char* path, const HeftAllocator* allocator, HeftImage* out,
                   HeftError* error);
void image_free(HeftImage* image, const HeftAllocator* allocator);

#endif
