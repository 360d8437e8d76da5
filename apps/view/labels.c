// SPDX-License-Identifier: Apache-2.0
// Each label is text on a dark background next to its point. Labels of near points cover labels of
// far points. A label that would cover another one moves down by a line.
#include "view/labels.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "view/color_map.h"
#include "view/program.h"

enum { TRIES = 12 };

static const char VERTEX[] =
    "#version 330 core\n"
    "layout(location = 0) in vec2 pos;\n"
    "layout(location = 1) in vec2 place;\n"
    "layout(location = 2) in vec4 tint;\n"
    "uniform vec2 size;\n"
    "out vec2 uv;\n"
    "out vec4 color;\n"
    "void main() {\n"
    "  uv = place;\n"
    "  color = tint;\n"
    "  gl_Position = vec4(2.0 * pos.x / size.x - 1.0, 1.0 - 2.0 * pos.y / size.y, 0.0, 1.0);\n"
    "}\n";

// Backgrounds have no texture coordinates: negative ones.
static const char FRAGMENT[] =
    "#version 330 core\n"
    "in vec2 uv;\n"
    "in vec4 color;\n"
    "uniform sampler2D image;\n"
    "out vec4 result;\n"
    "void main() {\n"
    "  float cover = uv.x < 0.0 ? 1.0 : texture(image, uv).r;\n"
    "  result = vec4(color.rgb, color.a * cover);\n"
    "}\n";

typedef struct Corner {
  float pos[2], place[2], color[4];
} Corner;

// A visible label: its rectangle [pixels].
typedef struct Word {
  int mark;
  double depth;
  float low[2], high[2];
} Word;

// ---- making

static int make_program(Labels* l, HeftError* error) {
  if (l->program) return 1;
  l->program = program_make(VERTEX, FRAGMENT, error);
  if (!l->program) return 0;
  l->corners = view_list(sizeof(Corner));
  l->order = view_list(sizeof(Word));
  glGenVertexArrays(1, &l->array);
  glGenBuffers(1, &l->buffer);
  glBindVertexArray(l->array);
  glBindBuffer(GL_ARRAY_BUFFER, l->buffer);
  for (GLuint k = 0; k < 3; ++k) {
    glEnableVertexAttribArray(k);
    glVertexAttribPointer(k, k < 2 ? 2 : 4, GL_FLOAT, GL_FALSE, sizeof(Corner),
                          (const void*)(k * 2 * sizeof(float)));
  }
  return 1;
}

static int make_letters(Labels* l, const HeftAllocator* a, double size, HeftError* error) {
  if (l->image && l->size == size) return 1;
  letters_free(&l->letters, a);
  if (!letters_make(&l->letters, size, a)) {
    view_fail(error, HEFT_ERR_MEMORY, "not enough memory for the font");
    return 0;
  }
  l->size = size;
  if (!l->image) glGenTextures(1, &l->image);
  glBindTexture(GL_TEXTURE_2D, l->image);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_R8, l->letters.width, l->letters.height, 0, GL_RED,
               GL_UNSIGNED_BYTE, l->letters.pixels);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  return 1;
}

void labels_free(Labels* l, const HeftAllocator* allocator) {
  if (l->program) glDeleteProgram(l->program);
  if (l->array) glDeleteVertexArrays(1, &l->array);
  if (l->buffer) glDeleteBuffers(1, &l->buffer);
  if (l->image) glDeleteTextures(1, &l->image);
  view_list_free(&l->corners, allocator);
  view_list_free(&l->order, allocator);
  letters_free(&l->letters, allocator);
  *l = (Labels){0};
}

// ---- layout

static float text_width(const Letters* l, const char* text) {
  float sum = 0;
  for (; *text; ++text) sum += letters_of(l, *text)->advance;
  return sum;
}

static int overlap(const Word* a, const Word* b) {
  return a->low[0] < b->high[0] && b->low[0] < a->high[0] && a->low[1] < b->high[1] &&
         b->low[1] < a->high[1];
}

// Near labels come first, and keep their positions.
static void find_room(const Labels* l, Word* word, size_t placed) {
  for (int k = 0; k < TRIES; ++k) {
    size_t i = 0;
    while (i < placed && !overlap(word, &VIEW_AT(l->order, Word, i))) ++i;
    if (i == placed) return;
    const float down = VIEW_AT(l->order, Word, i).high[1] - word->low[1] + 1;
    word->low[1] += down;
    word->high[1] += down;
  }
}

static void add_word(Labels* l, const HeftAllocator* a, Word word) {
  if (!view_list_add(&l->order, a, 1)) return;
  size_t k = l->order.count - 1;
  for (; k > 0 && VIEW_AT(l->order, Word, k - 1).depth > word.depth; --k)
    VIEW_AT(l->order, Word, k) = VIEW_AT(l->order, Word, k - 1);
  VIEW_AT(l->order, Word, k) = word;
}

static void find_words(Labels* l, const HeftAllocator* a, const HeftPicture* p, int width,
                       int height) {
  const float space = (float)(0.25 * l->size);
  l->order.count = 0;
  for (int i = 0; i < p->marks->count; ++i) {
    const HeftMark* m = &p->marks->mark[i];
    double x, y;
    if (m->kind != HEFT_MARK_TEXT) continue;
    const double depth = heft_camera_project(&p->camera, m->pos, (double)width / height, &x, &y);
    if (!(depth > 0 && fabs(x) < 1.1 && fabs(y) < 1.1)) continue;
    Word word = {.mark = i, .depth = depth};
    word.low[0] = (float)floor((0.5 + 0.5 * x) * width) + space;
    word.low[1] = (float)floor((0.5 - 0.5 * y) * height) - (float)floor(0.5 * l->size);
    word.high[0] = word.low[0] + text_width(&l->letters, m->text) + 2 * space;
    word.high[1] = word.low[1] + l->letters.line + 2;
    add_word(l, a, word);
  }
  for (size_t i = 0; i < l->order.count; ++i) find_room(l, &VIEW_AT(l->order, Word, i), i);
}

// ---- triangles

static void add_quad(Labels* l, const HeftAllocator* a, const float low[2], const float high[2],
                     const float from[2], const float to[2], const float color[4]) {
  static const int right[6] = {0, 1, 1, 0, 1, 0}, lower[6] = {0, 0, 1, 0, 1, 1};
  Corner* c = view_list_add(&l->corners, a, 6);
  for (int i = 0; c && i < 6; ++i) {
    c[i] = (Corner){{right[i] ? high[0] : low[0], lower[i] ? high[1] : low[1]},
                    {right[i] ? to[0] : from[0], lower[i] ? to[1] : from[1]},
                    {color[0], color[1], color[2], color[3]}};
  }
}

// A rectangle with cut corners.
static void add_board(Labels* l, const HeftAllocator* a, const Word* w) {
  static const float dark[4] = {0.08F, 0.095F, 0.12F, 0.68F}, none[2] = {-1, -1};
  const float cut = 2;
  const float strips[3][4] = {
      {w->low[0] + cut, w->low[1], w->high[0] - cut, w->low[1] + cut / 2},
      {w->low[0], w->low[1] + cut / 2, w->high[0], w->high[1] - cut / 2},
      {w->low[0] + cut, w->high[1] - cut / 2, w->high[0] - cut, w->high[1]}};
  for (int i = 0; i < 3; ++i) add_quad(l, a, strips[i], strips[i] + 2, none, none, dark);
}

static void add_letters(Labels* l, const HeftAllocator* a, const Word* w, const HeftMark* m) {
  float x = w->low[0] + (float)(0.25 * l->size);
  const float y = w->low[1] + 1;
  for (const char* c = m->text; *c; ++c) {
    const Letter* t = letters_of(&l->letters, *c);
    const float low[2] = {x + t->low[0], y + t->low[1]}, high[2] = {x + t->high[0], y + t->high[1]};
    add_quad(l, a, low, high, t->from, t->to, m->color);
    x += t->advance;
  }
}

// ---- the scale of colours

// A pressure for people: 12.5 kPa.
static void write_pressure(double x, char* out, size_t size) {
  if (x >= 1e6) {
    snprintf(out, size, "%.3g MPa", x / 1e6);
  } else if (x >= 1e3) {
    snprintf(out, size, "%.3g kPa", x / 1e3);
  } else {
    snprintf(out, size, "%.3g Pa", x);
  }
}

static void add_text(Labels* l, const HeftAllocator* a, float x, float y, const char* text) {
  HeftMark mark = {.color = {1, 1, 1, 1}};
  const float space = (float)(0.25 * l->size);
  snprintf(mark.text, sizeof mark.text, "%s", text);
  add_letters(l, a, &(Word){.low = {x - space, y - 1}}, &mark);
}

// A bar of colours with its numbers, in the middle of the height that no panel covers: beside the
// panels at the left or, if there are none but the card of the simple layout, at the right.
static void add_scale(Labels* l, const HeftAllocator* a, const HeftMark* m, const int covered[2],
                      const int picture[2]) {
  enum { STEPS = 64 };
  static const float none[2] = {-1, -1};
  const float size = (float)l->size, width = size, tall = 10 * size,
              y = 0.5F * ((float)(picture[1] - covered[1]) - tall);
  char text[32];
  write_pressure(m->size, text, sizeof text);
  const float wide =
      fmaxf(text_width(&l->letters, text) + 1.5F * size, text_width(&l->letters, m->text));
  const float x =
      covered[0] > 0 ? (float)covered[0] + size : (float)picture[0] - wide - 1.7F * size;
  add_board(l, a,
            &(Word){.low = {x - 0.5F * size, y - 2.7F * size},
                    .high = {x + wide + 0.7F * size, y + tall + 0.9F * size}});
  add_text(l, a, x, y - 2.3F * size, m->text);
  for (int i = 0; i < STEPS; ++i) {
    float color[4] = {0, 0, 0, 1};
    color_map(1 - (i + 0.5) / STEPS, color);
    const float low[2] = {x, y + tall * (float)i / STEPS},
                high[2] = {x + width, y + tall * (float)(i + 1) / STEPS};
    add_quad(l, a, low, high, none, none, color);
  }
  for (int i = 0; i <= 2; ++i) {
    write_pressure(0.5 * (2 - i) * m->size, text, sizeof text);
    add_text(l, a, x + 1.5F * size, y + 0.5F * tall * (float)i - 0.6F * size, text);
  }
}

static int has_words(const HeftMarks* marks) {
  for (int i = 0; marks && i < marks->count; ++i) {
    if (marks->mark[i].kind >= HEFT_MARK_TEXT) return 1;
  }
  return 0;
}

HeftStatus labels_draw(Labels* l, const HeftAllocator* allocator, const HeftPicture* picture,
                       int width, int height, HeftError* error) {
  static const double usual = 13.5;  // height of letters [pixels]
  if (!has_words(picture->marks)) return HEFT_OK;
  if (!make_program(l, error) ||
      !make_letters(l, allocator, usual * fmax(0.5, fmin(picture->text, 8)), error))
    return HEFT_ERR_UNSUPPORTED;
  find_words(l, allocator, picture, width, height);
  l->corners.count = 0;
  for (size_t i = l->order.count; i > 0; --i) {
    const Word* w = &VIEW_AT(l->order, Word, i - 1);
    add_board(l, allocator, w);
    add_letters(l, allocator, w, &picture->marks->mark[w->mark]);
  }
  for (int i = 0; i < picture->marks->count; ++i) {
    if (picture->marks->mark[i].kind == HEFT_MARK_SCALE)
      add_scale(l, allocator, &picture->marks->mark[i], picture->covered, (int[2]){width, height});
  }
  glViewport(0, 0, width, height);
  glDisable(GL_DEPTH_TEST);
  glEnable(GL_BLEND);
  glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE);
  glUseProgram(l->program);
  program_vec2(l->program, "size", width, height);
  glActiveTexture(GL_TEXTURE0);
  glBindTexture(GL_TEXTURE_2D, l->image);
  program_int(l->program, "image", 0);
  glBindVertexArray(l->array);
  glBindBuffer(GL_ARRAY_BUFFER, l->buffer);
  glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(l->corners.count * sizeof(Corner)), l->corners.at,
               GL_STREAM_DRAW);
  glDrawArrays(GL_TRIANGLES, 0, (GLsizei)l->corners.count);
  glBindVertexArray(0);
  glDisable(GL_BLEND);
  return HEFT_OK;
}
