// SPDX-License-Identifier: Apache-2.0
// Parts that the panels share, in C++: sizes in points, places, tooltips.
#ifndef HEFT_APPS_VIEW_PANEL_H
#define HEFT_APPS_VIEW_PANEL_H

#include <imgui.h>

#include "view/viewer.h"

constexpr ImGuiWindowFlags FIXED_PANEL = ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize |
                                         ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoTitleBar |
                                         ImGuiWindowFlags_NoBringToFrontOnFocus;

/// A length in points, scaled as the text is.
float px(double x);
/// Width of the panels at the right.
float right_width();
/// Position and size of the next window.
void place(double x, double y, double width, double height, ImGuiCond when = ImGuiCond_Always);
/// Opens a fixed, opaque panel. If drawing is slow, its background is cleared instead of drawn.
void begin_fixed(const char* name, double x, double y, double width, double height);
/// A tooltip of the last item.
void tip(const char* text);
/// For tests that use the mouse: logs the position of the last item when its window appears.
void log_button(Viewer* v, const char* name);

// ---- plots.cpp
/// At the right, below `top`: the curves of the last seconds.
void plot_panel(Viewer* v, float top);

// ---- start_page.cpp
/// Fills the window while no model is open: recent files and the gallery.
void start_page(Viewer* v);

#endif
