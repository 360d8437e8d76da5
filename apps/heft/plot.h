// SPDX-License-Identifier: Apache-2.0
// Figures as SVG: panels side by side and below each other, each with axes, ticks, a grid and
// curves; one legend for all, or one in each. A figure is text, so that browsers can show it,
// documents can include it and tests can compare it.
#ifndef HEFT_APPS_PLOT_H
#define HEFT_APPS_PLOT_H

#include <stddef.h>

/// How the points of a curve are drawn.
typedef enum PlotStyle {
  PLOT_LINE,    ///< joined
  PLOT_STEPS,   ///< each value lasts until the next
  PLOT_POINTS,  ///< dots
  PLOT_DASHED,  ///< joined by dashes: a reference
  PLOT_STYLE_COUNT
} PlotStyle;

/// A curve. Points that are not finite break it.
typedef struct PlotCurve {
  const char* name;    ///< for the legend; curves of the same colour share an entry; NULL: none
  const double *x, *y; /**< count each; the caller's */
  size_t count;
  int color;  ///< 0 to 7, repeats after that
  PlotStyle style;
} PlotCurve;

typedef struct PlotPanel {
  const char *title, *x_label, *y_label;  ///< may be NULL
  const PlotCurve* curves;
  int curve_count;
  int log_x, log_y;     ///< 1: logarithmic; values that are not positive are skipped
  double y_low, y_high; /**< both 0: from the curves */
  double x_low, x_high; /**< both 0: from the curves */
} PlotPanel;

typedef struct Plot {
  const char* title;  ///< may be NULL
  const char* note;   ///< a line below; may be NULL
  const PlotPanel* panels;
  int panel_count;
  int columns;                   ///< panels side by side, >= 1
  int panel_width, panel_height; /**< of a panel with its labels [px]; 0: 430 x 260 */
  int panel_legends;             ///< 1: each panel has a legend of its own curves
} Plot;

/// Writes the figure. Returns 0 on failure (reported on stderr).
int plot_write(const char* path, const Plot* plot);

#endif
