// SPDX-License-Identifier: Apache-2.0
// How a model was loaded, as far as its options change the model: they belong to a recording.
#ifndef HEFT_APPS_LOADING_H
#define HEFT_APPS_LOADING_H

#include <heft/io.h>
#include <heft/mcap.h>

#include "json_span.h"

enum { LOADING_EXCLUDES = 512, LOADING_TEXT = 1 << 16 };

typedef struct Loading {
  int floating, floor, place, servos, exclude_overlaps;  ///< as in HeftLoadDef
  double height, gains[2];
  char srdf[4096];          ///< "": none
  char text[LOADING_TEXT];  ///< names of links
  size_t text_used;
  int exclude[LOADING_EXCLUDES][2];  ///< places in the text
  int exclude_count;
  int folders;  ///< 1: --root or --package was given; folders are not stored
} Loading;

/// Adds a pair of links. 0: there is no room.
int loading_exclude(Loading* loading, const char* first, const char* second);
/// An object of JSON.
void loading_write(const Loading* loading, HeftJsonText* text);
/// Reads any text. Returns NULL, or what is wrong.
const char* loading_read(Loading* loading, JsonSpan object);

#endif
