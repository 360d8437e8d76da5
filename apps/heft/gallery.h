// SPDX-License-Identifier: Apache-2.0
// Robots that act and scenes that come with Heft, for the start page of the window.
#ifndef HEFT_APPS_GALLERY_H
#define HEFT_APPS_GALLERY_H

#include <heft/view.h>

enum { GALLERY_MAX = 64 };

/// Fills in the entries whose files were found; returns their number.
int gallery_fill(HeftGalleryEntry entry[GALLERY_MAX]);

#endif
