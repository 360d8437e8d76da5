// SPDX-License-Identifier: Apache-2.0
// A contact sheet: one picture with a small picture and the name of every model.
#ifndef HEFT_APPS_SHEET_H
#define HEFT_APPS_SHEET_H

#ifdef HEFT_HAVE_VIEW

#include <heft/view.h>

#include "model_files.h"

/// Draws one model into `tile`, whose pixels and size are set. 0: failed; the reason is in error.
typedef int SheetDraw(void* user, const char* path, HeftImage* tile, HeftError* error);

typedef struct Sheet {
  const ModelFiles* files;
  int width, height;  ///< of a tile, without its name [pixels]
  int quiet;          ///< 1: no progress
  SheetDraw* draw;
  void* user;
} Sheet;

/// Draws all models and writes the sheet. A model that cannot be drawn gets a tile with the reason.
/// Returns the number of such models, or -1 if the sheet was not written (reported).
int sheet_write(const Sheet* sheet, const char* path);

#endif
#endif
