// SPDX-License-Identifier: Apache-2.0
// Pictures of the start page: first of every entry as its file has it, then of what happens in it,
// and a running simulation where the mouse is.
#ifndef HEFT_APPS_VIEW_PREVIEW_H
#define HEFT_APPS_VIEW_PREVIEW_H

#include "view/viewer.h"

/// Works for a part of a second on the pictures. 0: all are there, and the mouse is on none.
int preview_work(Viewer* v);
/// Ends the simulation of a preview. Call this before `opens` of HeftViewerDef.
void preview_close(Viewer* v);
void preview_delete_pictures(Viewer* v);

#endif
