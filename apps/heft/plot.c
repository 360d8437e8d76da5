// SPDX-License-Identifier: Apache-2.0
#include "plot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "whole_file.h"

// Colours that users with colour blindness can distinguish (Okabe and Ito).
static const char* const colors[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                     "#e69f00", "#56b4e9", "#555555", "#f0e442"};
enum { COLORS = 8, COLUMNS_MAX = 350, LEFT = 66, RIGHT = 14, TOP = 30, BOTTOM = 44 };

typedef struct Axis {
  double low, high;
  int logarithmic;
} Axis;

typedef struct Frame {
  double x, y, width, height;  ///< of the area inside the axes [px]
  Axis across, up;
} Frame;

// ---- axes

static int usable(double v, int logarithmic) { return isfinite(v) && (!logarithmic || v > 0); }

static double scaled(const Axis* a, double v) {
  if (!a->logarithmic) return (v - a->low) / (a->high - a->low);
  return (log10(v) - log10(a->low)) / (log10(a->high) - log10(a->low));
}

static double to_x(const Frame* f, double v) { return f->x + f->width * scaled(&f->across, v); }
static double to_y(const Frame* f, double v) { return f->y + f->height * (1 - scaled(&f->up, v)); }

static void widen(Axis* a, double v) {
  if (!usable(v, a->logarithmic)) return;
  if (!(a->low <= v)) a->low = v;
  if (!(a->high >= v)) a->high = v;
}

// Adds a margin above and below; the range is never empty.
static void round_out(Axis* a, double share) {
  if (!(a->low <= a->high)) {
    a->low = a->logarithmic ? 0.1 : 0;
    a->high = 1;
  }
  if (a->logarithmic) {
    a->low = pow(10, floor(log10(a->low)));
    a->high = pow(10, ceil(log10(a->high)));
    if (a->low == a->high) a->high *= 10;
    return;
  }
  double room = share * (a->high - a->low);
  const double size = fmax(fabs(a->low), fabs(a->high));
  if (a->high - a->low <= 1e-9 * size) room = size > 0 ? 0.1 * size : 1;
  if (a->low == 0 && a->high == 0) room = 1;
  a->low -= room;
  a->high += room;
}

static void find_range(const PlotPanel* p, Frame* f) {
  f->across = (Axis){(double)NAN, (double)NAN, p->log_x};
  f->up = (Axis){(double)NAN, (double)NAN, p->log_y};
  for (int c = 0; c < p->curve_count; ++c) {
    for (size_t i = 0; i < p->curves[c].count; ++i) {
      if (!usable(p->curves[c].y[i], p->log_y)) continue;
      widen(&f->across, p->curves[c].x[i]);
      widen(&f->up, p->curves[c].y[i]);
    }
  }
  round_out(&f->across, 0);
  round_out(&f->up, 0.06);
  if (p->x_low != 0 || p->x_high != 0) f->across = (Axis){p->x_low, p->x_high, p->log_x};
  if (p->y_low != 0 || p->y_high != 0) f->up = (Axis){p->y_low, p->y_high, p->log_y};
}

// 1, 2 or 5 times a power of ten, about a fifth of the range.
static double tick_step(const Axis* a) {
  const double rough = (a->high - a->low) / 5, power = pow(10, floor(log10(rough)));
  const double digit = rough / power;
  return power * (digit < 1.5 ? 1 : digit < 3.5 ? 2 : digit < 7.5 ? 5 : 10);
}

// The next tick at or after v; NAN: none.
static double tick_from(const Axis* a, double v) {
  double tick;
  if (a->logarithmic) {
    const double decades = ceil(log10(a->high / a->low) - 1e-9), every = ceil(decades / 6);
    const double first = log10(a->low);
    tick = pow(10, first + every * ceil((log10(v) - first) / every - 1e-9));
  } else {
    const double step = tick_step(a);
    tick = step * ceil(v / step - 1e-9);
    if (fabs(tick) < 1e-9 * step) tick = 0;
  }
  return tick <= a->high * (1 + (a->high > 0 ? 1e-9 : -1e-9)) ? tick : (double)NAN;
}

static double tick_after(const Axis* a, double tick) {
  return tick_from(a, a->logarithmic ? tick * 1.5 : tick + 0.5 * tick_step(a));
}

// ---- text

static void put_escaped(FILE* out, const char* text) {
  for (; *text; ++text) {
    switch (*text) {
      case '&':
        fputs("&amp;", out);
        break;
      case '<':
        fputs("&lt;", out);
        break;
      case '>':
        fputs("&gt;", out);
        break;
      default:
        fputc(*text, out);
    }
  }
}

static void put_text(FILE* out, double x, double y, const char* more, const char* text) {
  if (!text) return;
  fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" %s>", x, y, more);
  put_escaped(out, text);
  fputs("</text>\n", out);
}

static void put_tick(FILE* out, double x, double y, const char* more, double value) {
  char text[32];
  snprintf(text, sizeof text, "%.6g", value);
  put_text(out, x, y, more, text);
}

// ---- one panel

static void draw_axes(FILE* out, const Frame* f) {
  const char* grid = "stroke=\"#dddddd\" stroke-width=\"1\"";
  for (double t = tick_from(&f->across, f->across.low); isfinite(t);
       t = tick_after(&f->across, t)) {
    fprintf(out, "<path d=\"M%.1f %.1fV%.1f\" %s/>\n", to_x(f, t), f->y, f->y + f->height, grid);
    put_tick(out, to_x(f, t), f->y + f->height + 14, "text-anchor=\"middle\"", t);
  }
  for (double t = tick_from(&f->up, f->up.low); isfinite(t); t = tick_after(&f->up, t)) {
    fprintf(out, "<path d=\"M%.1f %.1fH%.1f\" %s/>\n", f->x, to_y(f, t), f->x + f->width, grid);
    put_tick(out, f->x - 6, to_y(f, t) + 4, "text-anchor=\"end\"", t);
  }
  fprintf(out,
          "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"none\" "
          "stroke=\"#888888\"/>\n",
          f->x, f->y, f->width, f->height);
}

static void draw_labels(FILE* out, const Frame* f, const PlotPanel* p, double legend) {
  char turned[96];
  put_text(out, f->x, f->y - legend - 8, "font-weight=\"bold\"", p->title);
  put_text(out, f->x + f->width / 2, f->y + f->height + 32, "text-anchor=\"middle\"", p->x_label);
  const double x = f->x - 50, y = f->y + f->height / 2;
  snprintf(turned, sizeof turned, "text-anchor=\"middle\" transform=\"rotate(-90 %.1f %.1f)\"", x,
           y);
  put_text(out, x, y, turned, p->y_label);
}

static double inside(double v, double low, double high) { return fmax(low, fmin(v, high)); }

static int is_point(const PlotCurve* c, const Frame* f, size_t i) {
  return usable(c->x[i], f->across.logarithmic) && usable(c->y[i], f->up.logarithmic);
}

// Values far outside of a panel are clamped to just outside of it.
static double place_y(const Frame* f, double v) {
  return inside(to_y(f, v), f->y - 4 * f->height, f->y + 5 * f->height);
}

static void draw_dots(FILE* out, const Frame* f, const PlotCurve* c) {
  for (size_t i = 0; i < c->count; ++i) {
    if (is_point(c, f, i))
      fprintf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\" fill=\"%s\"/>\n", to_x(f, c->x[i]),
              place_y(f, c->y[i]), colors[c->color % COLORS]);
  }
}

// Of many points only the highest and the lowest of each pixel column are drawn.
static size_t share_of(const PlotCurve* c) {
  return c->count > 2 * COLUMNS_MAX ? c->count / COLUMNS_MAX : 1;
}

static void draw_line(FILE* out, const Frame* f, const PlotCurve* c) {
  const size_t share = share_of(c);
  int pen = 0;
  fprintf(out, "<path fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\"%s d=\"",
          colors[c->color % COLORS], c->style == PLOT_DASHED ? " stroke-dasharray=\"6 4\"" : "");
  for (size_t first = 0; first < c->count; first += share) {
    size_t low = first, high = first;
    for (size_t i = first; i < c->count && i < first + share; ++i) {
      if (is_point(c, f, i) && !(c->y[i] >= c->y[low])) low = i;
      if (is_point(c, f, i) && !(c->y[i] <= c->y[high])) high = i;
    }
    const size_t pair[2] = {low < high ? low : high, low < high ? high : low};
    for (int k = low == high; k < 2; ++k) {
      if (!is_point(c, f, pair[k])) {
        pen = 0;
        continue;
      }
      const double x = to_x(f, c->x[pair[k]]), y = place_y(f, c->y[pair[k]]);
      if (pen && c->style == PLOT_STEPS) fprintf(out, "H%.1f", x);
      fprintf(out, "%c%.1f %.1f", pen ? 'L' : 'M', x, y);
      pen = 1;
    }
  }
  fputs("\"/>\n", out);
}

static void draw_panel(FILE* out, const PlotPanel* p, Frame* f, int index, double legend) {
  find_range(p, f);
  draw_axes(out, f);
  draw_labels(out, f, p, legend);
  fprintf(out,
          "<clipPath id=\"c%d\"><rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>"
          "</clipPath>\n<g clip-path=\"url(#c%d)\">\n",
          index, f->x, f->y, f->width, f->height, index);
  for (int c = 0; c < p->curve_count; ++c) {
    if (p->curves[c].style == PLOT_POINTS) {
      draw_dots(out, f, &p->curves[c]);
    } else {
      draw_line(out, f, &p->curves[c]);
    }
  }
  fputs("</g>\n", out);
}

// ---- legends

enum { LINE = 16, ENTRIES_MAX = 16 };

// Layout of entries, line by line: x and y of the next entry.
typedef struct Legend {
  double left, right, x, y;
  int count;
  const char* seen[ENTRIES_MAX];
} Legend;

// Adds one entry, unless an entry of that name exists. If out is NULL, lines are only counted.
static void add_entry(FILE* out, Legend* l, const PlotCurve* curve) {
  if (!curve->name || l->count == ENTRIES_MAX) return;
  for (int i = 0; i < l->count; ++i)
    if (strcmp(l->seen[i], curve->name) == 0) return;
  l->seen[l->count++] = curve->name;
  const double width = 23 + 6.6 * (double)strlen(curve->name);
  if (l->x > l->left && l->x + width > l->right) {
    l->x = l->left;
    l->y += LINE;
  }
  if (out) {
    fprintf(out, "<path d=\"M%.1f %.1fh18\" stroke=\"%s\" stroke-width=\"3\"%s/>\n", l->x, l->y - 4,
            colors[curve->color % COLORS],
            curve->style == PLOT_DASHED ? " stroke-dasharray=\"6 4\"" : "");
    put_text(out, l->x + 23, l->y, "", curve->name);
  }
  l->x += width + 16;
}

// Entries of some panels. Returns their height.
static double draw_legend(FILE* out, const PlotPanel* panels, int count, double x, double y,
                          double width) {
  Legend l = {.left = x, .right = x + width, .x = x, .y = y};
  for (int p = 0; p < count; ++p)
    for (int c = 0; c < panels[p].curve_count; ++c) add_entry(out, &l, &panels[p].curves[c]);
  return l.count > 0 ? l.y - y + LINE : 0;
}

// ---- the whole figure

static double highest_legend(const Plot* plot, double width) {
  double max = 0;
  for (int i = 0; i < plot->panel_count && plot->panel_legends; ++i)
    max = fmax(max, draw_legend(NULL, &plot->panels[i], 1, 0, 0, width));
  return max;
}

static void draw(FILE* out, const Plot* plot) {
  const double width = plot->panel_width > 0 ? plot->panel_width : 430;
  const double inner = width - LEFT - RIGHT, legend = highest_legend(plot, inner);
  const double height = (plot->panel_height > 0 ? plot->panel_height : 260) + legend;
  const int columns = plot->columns < plot->panel_count ? plot->columns : plot->panel_count;
  const int rows = columns > 0 ? (plot->panel_count + columns - 1) / columns : 0;
  const double all_width = width * columns, title = plot->title ? 34 : 8;
  const int common = plot->panel_legends ? 0 : plot->panel_count;
  const double head = title + draw_legend(NULL, plot->panels, common, 0, 0, all_width - 24) + 6;
  const double foot = plot->note ? 24 : 4, all_height = head + height * rows + foot;
  fprintf(out,
          "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
          "viewBox=\"0 0 %.0f %.0f\" font-family=\"sans-serif\" font-size=\"12\" "
          "fill=\"#222222\">\n<rect width=\"%.0f\" height=\"%.0f\" fill=\"#ffffff\"/>\n",
          all_width, all_height, all_width, all_height, all_width, all_height);
  put_text(out, 12, 22, "font-size=\"16\" font-weight=\"bold\"", plot->title);
  draw_legend(out, plot->panels, common, 12, title + 10, all_width - 24);
  for (int i = 0; i < plot->panel_count; ++i) {
    const int line = i / columns;
    Frame frame = {.x = width * (i % columns) + LEFT,
                   .y = head + height * line + TOP + legend,
                   .width = inner,
                   .height = height - TOP - BOTTOM - legend};
    if (plot->panel_legends)
      draw_legend(out, &plot->panels[i], 1, frame.x, frame.y - legend + 8, inner);
    draw_panel(out, &plot->panels[i], &frame, i, legend);
  }
  put_text(out, 12, all_height - 9, "fill=\"#555555\"", plot->note);
  fputs("</svg>\n", out);
}

int plot_write(const char* path, const Plot* plot) {
  WholeFile file;
  FILE* out = whole_file_open(&file, path);
  if (!out) {
    fprintf(stderr, "heft: error: cannot write '%s'\n", path);
    return 0;
  }
  draw(out, plot);
  if (whole_file_close(&file, 1)) return 1;
  fprintf(stderr, "heft: error: cannot write '%s' completely; is the disk full?\n", path);
  return 0;
}
