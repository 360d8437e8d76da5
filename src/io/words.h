// SPDX-License-Identifier: Apache-2.0
// Words of a line, for text files of meshes and their materials.
#ifndef HEFT_SRC_IO_WORDS_H
#define HEFT_SRC_IO_WORDS_H

#include "io/context.h"

typedef struct Cursor {
  const char *at, *end;  ///< end of the line, or of the file
  const SourceFile* file;
  int line;
} Cursor;

static inline int is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/// The next word and its length; 0 at the end of the line.
static inline int next_word(Cursor* c, const char** word) {
  while (c->at < c->end && is_blank(*c->at)) ++c->at;
  *word = c->at;
  while (c->at < c->end && !is_blank(*c->at)) ++c->at;
  return (int)(c->at - *word);
}

/// The next word of a file in which lines mean nothing; end is the end of the file. The length is 0
/// there.
static inline int next_word_of_file(Cursor* c, const char** word) {
  while (c->at < c->end && (is_blank(*c->at) || *c->at == '\n')) c->line += *c->at++ == '\n';
  *word = c->at;
  while (c->at < c->end && !is_blank(*c->at) && *c->at != '\n') ++c->at;
  return (int)(c->at - *word);
}

/// All that is left of the line, without blanks around it, in memory of the load; NULL after a
/// mistake.
static inline const char* rest_of_line(Load* load, Cursor* c) {
  while (c->at < c->end && is_blank(*c->at)) ++c->at;
  const char* end = c->end;
  while (end > c->at && is_blank(end[-1])) --end;
  return load_text(load, c->at, (size_t)(end - c->at));
}

static inline Place place_of(const Cursor* c, const char* word) {
  const char* start = word;
  while (start > c->file->text && start[-1] != '\n') --start;
  return (Place){c->file, c->line, (int)(word - start) + 1};
}

#endif
