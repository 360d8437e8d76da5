// SPDX-License-Identifier: Apache-2.0
#ifndef HEFT_APPS_VIEW_THUMBNAIL_H
#define HEFT_APPS_VIEW_THUMBNAIL_H

#include <heft/view.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A texture with a picture of a model; 0 on failure. folder: of its images. The caller deletes it.
/// Draws into the buffer that the window shows next.
unsigned thumbnail_draw(const HeftAllocator* allocator, const HeftModel* model, const char* folder,
                        int width, int height, int dark);

#ifdef __cplusplus
}
#endif
#endif
