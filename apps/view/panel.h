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

/// A row of a table: a name, and its value.
void text_row(const char* name, const char* text, const char* meaning = nullptr);
void row(const char* name, const char* format, double value, const char* meaning = nullptr);
/// Buttons that lead elsewhere: the start page, another file, the list of keys.
void file_part(Viewer* v);
/// Error of the simulation, and steps that were not solved.
void trouble_part(const Viewer* v);
/// Height that a window of this name had in the last picture; 0: it was not there.
float height_of(const char* name);

// ---- robot_card.cpp
/// The simple layout: the name of the robot, its weight, and the force on the ground.
void robot_rows(const Viewer* v);
void robot_card(Viewer* v);

// ---- plots.cpp
/// The force on the ground in the last seconds, in the present window.
void force_plot(Viewer* v, float height);
/// At the right, below `top`: the curves of the last seconds.
void plot_panel(Viewer* v, float top);

// ---- start_page.cpp
/// Fills the window while no model is open: recent files and the gallery.
void start_page(Viewer* v);

#endif
