// SPDX-License-Identifier: Apache-2.0
// Curves of the last seconds. Quantities of one unit may share a plot. Each plot has a vertical
// axis with round numbers, a time axis, a legend with the newest values, and a cursor: where the
// mouse is, all plots show the values of that time; a click goes back to it.
//
// The axis holds 98 of 100 values, from the 1st to the 99th percentile, and all of them if the rest
// is less than half as far again. Otherwise a single impact of 70 kN would make the weight of a
// robot a flat line. Peaks beyond the axis end at its edge in a colour of their own, and the legend
// has the largest.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>

#include "view/panel.h"

namespace {

constexpr double SECONDS = 5;
constexpr double LOWEST = 1e-16;  // of a logarithmic axis
constexpr int TICKS = 3;

// Plots beyond the list of the simulation show values of plug-ins.
const HeftFrameField* plugin_value(const Viewer* v, int quantity) {
  const int k = quantity - HEFT_PLOT_COUNT;
  return k >= 0 && k < v->frame->plugin_value_count ? &v->frame->plugin_value[k] : nullptr;
}

int quantity_count(const Viewer* v) { return HEFT_PLOT_COUNT + v->frame->plugin_value_count; }

const char* name_of(const Viewer* v, int quantity) {
  const HeftFrameField* value = plugin_value(v, quantity);
  return value ? value->name : heft_plot_name(static_cast<HeftPlot>(quantity));
}

const char* unit_of(const Viewer* v, int quantity) {
  const HeftFrameField* value = plugin_value(v, quantity);
  return value ? value->unit : heft_plot_unit(static_cast<HeftPlot>(quantity));
}

double value_of(const HeftSample& s, int quantity) {
  return static_cast<double>(
      quantity < HEFT_PLOT_COUNT ? s.value[quantity] : s.plugin_value[quantity - HEFT_PLOT_COUNT]);
}

bool has(const ViewerPlot& p, int quantity) { return (p.quantities >> quantity & 1u) != 0; }

int first_of(const Viewer* v, const ViewerPlot& p) {
  for (int k = 0; k < quantity_count(v); ++k) {
    if (has(p, k)) return k;
  }
  return -1;
}

ImU32 color_of(const Viewer* v, int index) {
  static const ImU32 dark[] = {IM_COL32(96, 176, 255, 255), IM_COL32(255, 176, 72, 255),
                               IM_COL32(120, 220, 130, 255), IM_COL32(240, 130, 180, 255)};
  static const ImU32 light[] = {IM_COL32(20, 90, 190, 255), IM_COL32(200, 90, 0, 255),
                                IM_COL32(20, 130, 50, 255), IM_COL32(170, 30, 110, 255)};
  const ImU32* colors = v->memory.dark ? dark : light;
  return colors[static_cast<unsigned>(index) % 4u];
}

// Of the parts of a curve beyond the axis.
ImU32 peak_color(const Viewer* v) {
  return v->memory.dark ? IM_COL32(255, 96, 88, 255) : IM_COL32(200, 20, 20, 255);
}

// ---- which quantities

// Quantities of another unit replace those that were shown.
void choose(Viewer* v, ViewerPlot* p, int quantity) {
  const int before = first_of(v, *p);
  const unsigned bit = 1u << quantity;
  const bool fits = before >= 0 && std::strcmp(unit_of(v, before), unit_of(v, quantity)) == 0;
  if (!fits) {
    p->quantities = bit;
    p->logarithmic = quantity == HEFT_PLOT_RESIDUAL;
  } else if (p->quantities != bit) {
    p->quantities ^= bit;
  }
  viewer_log(v, "plot %s", name_of(v, quantity));
}

void chooser(Viewer* v, ViewerPlot* p) {
  char title[96];
  const int first = first_of(v, *p);
  const bool several = (p->quantities & (p->quantities - 1)) != 0;
  const char* unit = unit_of(v, first);
  std::snprintf(title, sizeof title, unit[0] ? "%s [%s]" : "%s",
                several ? "several" : name_of(v, first), unit);
  ImGui::SetNextItemWidth(-1);
  if (!ImGui::BeginCombo("##quantities", title, ImGuiComboFlags_HeightLarge)) {
    tip("quantities of this plot; those of one unit can share it");
    return;
  }
  ImGui::Checkbox("logarithmic", &p->logarithmic);
  ImGui::Separator();
  for (int k = 0; k < quantity_count(v); ++k) {
    char label[96];
    std::snprintf(label, sizeof label, unit_of(v, k)[0] ? "%s [%s]##%d" : "%s%s##%d", name_of(v, k),
                  unit_of(v, k), k);
    if (ImGui::Selectable(label, has(*p, k), ImGuiSelectableFlags_DontClosePopups)) choose(v, p, k);
    if (plugin_value(v, k)) tip(plugin_value(v, k)->meaning);
  }
  ImGui::EndCombo();
}

// ---- axes

struct Axis {
  double low, high, step;  // of log10 if logarithmic
  bool logarithmic;
};

double on_axis(const Axis& a, double value) {
  const double x = a.logarithmic ? std::log10(std::max(value, LOWEST)) : value;
  return (x - a.low) / (a.high - a.low);
}

// 1, 2 or 5 times a power of ten, at least `least`.
double round_step(double least) {
  const double ten = std::pow(10, std::floor(std::log10(least)));
  const double m = least / ten;
  return ten * (m <= 1 ? 1 : m <= 2 ? 2 : m <= 5 ? 5 : 10);
}

// Values of a plot.
struct Range {
  double low, high;    // that the axis holds
  double least, most;  // of all values
};

// The smallest range from tick to tick that holds the values; at least `span` wide, so that noise
// does not fill it.
Axis axis_of(double low, double high, bool logarithmic, double span) {
  Axis a = {low, high, 1, logarithmic};
  if (logarithmic) {
    a.low = std::floor(std::log10(std::max(low, LOWEST)));
    a.high = std::max(a.low + 1, std::ceil(std::log10(std::max(high, LOWEST))));
    a.step = std::max(1.0, std::ceil((a.high - a.low) / TICKS));
    return a;
  }
  const double size = std::max({std::fabs(low), std::fabs(high), 1e-12});
  if (!(high - low > 1e-6 * size)) {
    const double middle = 0.5 * (low + high), half = middle == 0.0 ? 1 : 0.05 * size;
    a.low = low = middle - half;
    a.high = high = middle + half;
  }
  if (high - low < span) {
    const double middle = 0.5 * (low + high);
    low = middle - 0.5 * span;
    high = middle + 0.5 * span;
  }
  a.step = round_step((high - low) / TICKS);
  a.low = a.step * std::floor(low / a.step);
  a.high = a.step * std::ceil(high / a.step);
  return a;
}

void tick_text(const Axis& a, double x, char* out, size_t size) {
  if (a.logarithmic) {
    std::snprintf(out, size, "1e%.0f", x);
  } else if (std::fabs(x) < 1e-9 * a.step) {
    std::snprintf(out, size, "0");
  } else {
    const double most = std::max(std::fabs(a.low), std::fabs(a.high));
    const int decimals = std::max(0, -static_cast<int>(std::floor(std::log10(a.step) + 1e-9)));
    if (most < 1e5 && decimals <= 4) {
      std::snprintf(out, size, "%.*f", decimals, x);
    } else {
      std::snprintf(out, size, "%.2g", x);
    }
  }
}

// ---- a plot

// The samples of the run, or of the second one of two recorded runs.
using Sampler = int(const Viewer*, int, HeftSample*);

struct Canvas {
  ImVec2 low, high;    // corners of the area of the curves [points]; y grows downwards
  double first, last;  // times [s]
  ImDrawList* list;
};

float x_at(const Canvas& c, double time) {
  const double share = (time - c.first) / (c.last - c.first);
  return c.low.x + static_cast<float>(share) * (c.high.x - c.low.x);
}

float y_at(const Canvas& c, const Axis& a, double value) {
  return c.high.y -
         static_cast<float>(std::clamp(on_axis(a, value), 0.0, 1.0)) * (c.high.y - c.low.y);
}

void draw_axes(const Canvas& c, const Axis& a) {
  const ImU32 text = ImGui::GetColorU32(ImGuiCol_TextDisabled);
  const ImU32 line = ImGui::GetColorU32(ImGuiCol_Separator, 0.45f);
  const float half = 0.5f * ImGui::GetFontSize();
  char label[32];
  c.list->AddRectFilled(c.low, c.high, ImGui::GetColorU32(ImGuiCol_FrameBg, 0.6f));
  for (double x = a.low; x <= a.high + 0.01 * a.step; x += a.step) {
    const float y =
        c.high.y - static_cast<float>((x - a.low) / (a.high - a.low)) * (c.high.y - c.low.y);
    tick_text(a, x, label, sizeof label);
    const ImVec2 size = ImGui::CalcTextSize(label);
    c.list->AddLine(ImVec2(c.low.x, y), ImVec2(c.high.x, y), line);
    c.list->AddText(ImVec2(c.low.x - size.x - px(4), y - half), text, label);
  }
  const double apart = round_step(std::max(1.0, (c.last - c.first) / 6));
  for (double t = apart * std::ceil(c.first / apart); t <= c.last; t += apart) {
    const float x = x_at(c, t);
    std::snprintf(label, sizeof label, "%.0f s", t);
    const ImVec2 size = ImGui::CalcTextSize(label);
    c.list->AddLine(ImVec2(x, c.low.y), ImVec2(x, c.high.y), line);
    if (x + 0.5f * size.x <= c.high.x + px(6))
      c.list->AddText(ImVec2(x - 0.5f * size.x, c.high.y + px(1)), text, label);
  }
}

// Of all samples within one point of the width, the lowest and the highest are drawn.
// Lines one by one: a polyline of ImGui has gaps where it turns back.
void draw_curve(const Canvas& c, const Axis& a, const Viewer* v, Sampler* sampler, int quantity,
                int from, ImU32 color) {
  HeftSample s;
  ImVec2 before(-1, 0);
  float column = -1e9f, low = 0, high = 0;
  bool peak = false;
  const auto flush = [&] {
    if (column < -1e8f) return;
    const ImU32 shade = peak ? peak_color(v) : color;
    if (before.x >= 0) c.list->AddLine(before, ImVec2(column, low), shade, px(1.2));
    if (high > low) c.list->AddLine(ImVec2(column, low), ImVec2(column, high), shade, px(1.2));
    before = ImVec2(column, high);
  };
  for (int i = from; i < v->history_count && sampler(v, i, &s); ++i) {
    if (s.time > c.last) break;
    if (std::isnan(value_of(s, quantity))) continue;
    const float x = x_at(c, s.time), y = y_at(c, a, value_of(s, quantity));
    if (x - column >= 1) {
      flush();
      column = x;
      low = high = y;
      peak = false;
    }
    const double share = on_axis(a, value_of(s, quantity));
    peak |= share > 1.001 || share < -0.001;
    low = std::min(low, y);
    high = std::max(high, y);
  }
  flush();
}

// The first sample at a time or later.
int sample_at(const Viewer* v, double time) {
  HeftSample s;
  int low = 0, high = v->history_count - 1;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (viewer_sample(v, middle, &s) && s.time < time) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

// Colour of the curve `index` of a plot. Of two runs, each curve has two.
ImU32 curve_color(const Viewer* v, int index, int run) {
  return color_of(v, v->recording_count > 1 ? 2 * index + run : index);
}

// A text on a shade, so that it can be read on curves.
void shaded_text(const Canvas& c, ImVec2 at, ImU32 color, const char* text) {
  const ImVec2 size = ImGui::CalcTextSize(text);
  c.list->AddRectFilled(ImVec2(at.x - px(2), at.y), ImVec2(at.x + size.x + px(2), at.y + size.y),
                        ImGui::GetColorU32(ImGuiCol_WindowBg, 0.75f));
  c.list->AddText(at, color, text);
}

void draw_legend(const Canvas& c, const Viewer* v, const ViewerPlot& p, const HeftSample& s,
                 const HeftSample* other, const Range& range, const Axis& a) {
  ImVec2 at(c.low.x + px(5), c.low.y + px(2));
  char text[128], second[32];
  int index = 0;
  for (int k = 0; k < quantity_count(v); ++k) {
    if (!has(p, k)) continue;
    const double x = other ? value_of(*other, k) : 0;
    std::snprintf(second, sizeof second, std::isnan(x) ? "ended" : "%.4g", x);
    const float gap = px(8), behind = other ? gap + ImGui::CalcTextSize(second).x : 0;
    std::snprintf(text, sizeof text, "%s %.4g %s", name_of(v, k), value_of(s, k), unit_of(v, k));
    if (at.x + ImGui::CalcTextSize(text).x + behind >
        c.high.x)  // too narrow: the name is above, too
      std::snprintf(text, sizeof text, "%.4g %s", value_of(s, k), unit_of(v, k));
    shaded_text(c, at, curve_color(v, index, 0), text);
    if (other)
      shaded_text(c, ImVec2(at.x + ImGui::CalcTextSize(text).x + gap, at.y),
                  curve_color(v, index, 1), second);
    ++index;
    at.y += ImGui::GetFontSize() + px(1);
  }
  const bool above = on_axis(a, range.most) > 1.001;
  if (!above && !(on_axis(a, range.least) < -0.001)) return;
  std::snprintf(text, sizeof text, "%s %.3g %s", above ? "peak" : "least",
                above ? range.most : range.least, unit_of(v, first_of(v, p)));
  shaded_text(c, at, peak_color(v), text);
}

// A vertical line at a time, and the time in words.
void draw_cursor(const Canvas& c, double time, ImU32 color, bool words) {
  if (!(time >= c.first && time <= c.last)) return;
  const float x = x_at(c, time);
  char text[32];
  c.list->AddLine(ImVec2(x, c.low.y), ImVec2(x, c.high.y), color);
  if (!words) return;
  std::snprintf(text, sizeof text, "%.3f s", time);
  const float width = ImGui::CalcTextSize(text).x;
  const float left = x + width + px(6) > c.high.x ? x - width - px(3) : x + px(3);
  c.list->AddText(ImVec2(left, c.high.y - ImGui::GetFontSize() - px(2)), color, text);
}

void collect(const Viewer* v, const ViewerPlot& p, Sampler* sampler, int from, double last,
             std::vector<double>* values) {
  HeftSample s;
  for (int i = from; i < v->history_count && sampler(v, i, &s) && s.time <= last; ++i) {
    for (int k = 0; k < quantity_count(v); ++k) {
      const double x = has(p, k) ? value_of(s, k) : NAN;
      if (std::isfinite(x) && !(p.logarithmic && x <= 0)) values->push_back(x);
    }
  }
}

double percentile(std::vector<double>* values, double share) {
  const auto at = values->begin() + static_cast<std::ptrdiff_t>(
                                        share * static_cast<double>(values->size() - 1) + 0.5);
  std::nth_element(values->begin(), at, values->end());
  return *at;
}

Range range_of(const Viewer* v, const ViewerPlot& p, int from, double last) {
  std::vector<double> values;
  collect(v, p, viewer_sample, from, last, &values);
  if (v->recording_count > 1) collect(v, p, viewer_other_sample, from, last, &values);
  if (values.empty()) return {0, 0, 0, 0};
  const double low = percentile(&values, 0.01), high = percentile(&values, 0.99);
  const double least = *std::min_element(values.begin(), values.end()),
               most = *std::max_element(values.begin(), values.end());
  const double half = 0.5 * (high - low), more = 0.1 * (high - low);
  if (p.logarithmic || !(high > low)) return {least, most, least, most};
  return {least > low - half ? least : low - more, most < high + half ? most : high + more, least,
          most};
}

// Forces below a fiftieth of the weight are noise.
double least_span(const Viewer* v, const ViewerPlot& p) {
  const bool force = std::strcmp(unit_of(v, first_of(v, p)), "N") == 0;
  return force && !p.logarithmic ? 0.02 * 9.81 * heft_model_mass(v->model) : 0;
}

void curves(Viewer* v, const ViewerPlot* p, float rest, double first, double last) {
  const int from = sample_at(v, first);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, below = ImGui::GetFontSize() + px(3);
  ImGui::InvisibleButton("##curves", ImVec2(width, rest));
  const Range range = range_of(v, *p, from, last);
  const Axis a = axis_of(range.low, range.high, p->logarithmic, least_span(v, *p));
  const Canvas c = {ImVec2(at.x + px(52), at.y + px(4)),
                    ImVec2(at.x + width - px(2), at.y + rest - below), first, last,
                    ImGui::GetWindowDrawList()};
  if (ImGui::IsItemHovered()) {
    const double share =
        static_cast<double>((ImGui::GetMousePos().x - c.low.x) / (c.high.x - c.low.x));
    v->plot_cursor = c.first + std::clamp(share, 0.0, 1.0) * (c.last - c.first);
    v->plot_cursor_until = v->now + 0.2;
    const bool drags = v->recording_count > 0 && ImGui::IsMouseDown(0);
    if (drags || ImGui::IsMouseReleased(0)) heft_simulation_rewind(v->simulation, v->plot_cursor);
  }
  const bool looks = v->now < v->plot_cursor_until;
  HeftSample s = {}, other = {};
  const double now = v->recording_count > 0 ? v->frame->time : HUGE_VAL;  // the newest
  const int at_cursor = sample_at(v, looks ? v->plot_cursor : now);
  viewer_sample(v, at_cursor, &s);
  viewer_other_sample(v, at_cursor, &other);
  draw_axes(c, a);
  c.list->PushClipRect(c.low, c.high, true);
  int index = 0;
  for (int k = 0; k < quantity_count(v); ++k) {
    if (!has(*p, k)) continue;
    if (v->recording_count > 1)
      draw_curve(c, a, v, viewer_other_sample, k, from, curve_color(v, index, 1));
    draw_curve(c, a, v, viewer_sample, k, from, curve_color(v, index++, 0));
  }
  c.list->PopClipRect();
  if (!v->frame->running || v->recording_count > 0)
    draw_cursor(c, v->frame->time, ImGui::GetColorU32(ImGuiCol_TextDisabled), false);
  if (looks) draw_cursor(c, v->plot_cursor, ImGui::GetColorU32(ImGuiCol_Text), true);
  draw_legend(c, v, *p, s, v->recording_count > 1 ? &other : nullptr, range, a);
}

void one_plot(Viewer* v, ViewerPlot* p, float height, double first, double last) {
  if (first_of(v, *p) < 0) *p = ViewerPlot{1u << HEFT_PLOT_GROUND_FORCE, false};
  chooser(v, p);
  curves(v, p, height - ImGui::GetFrameHeightWithSpacing() - px(6), first, last);
}

// The times that the plots show: the last seconds, or all of a recorded run.
void plot_window(const Viewer* v, double* first, double* last) {
  HeftSample newest = {}, oldest = {};
  viewer_sample(v, v->history_count - 1, &newest);
  viewer_sample(v, 0, &oldest);
  *last = std::max(v->recording_count > 0 ? v->frame->time : newest.time, oldest.time + SECONDS);
  *first = *last - SECONDS;
  if (!v->recording_count || !v->whole_run) return;
  *first = v->frame->first;
  *last = std::max(v->frame->last, v->frame->first + 1e-3);
}

}  // namespace

void force_plot(Viewer* v, float height) {
  static const ViewerPlot force = {1u << HEFT_PLOT_GROUND_FORCE, false};
  double first, last;
  plot_window(v, &first, &last);
  curves(v, &force, height, first, last);
}

void plot_panel(Viewer* v, float top) {
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  if (!v->plots) return;
  const float room = size.y - px(VIEWER_BAR) - top, least = px(130);
  const int count = std::clamp(static_cast<int>(room / least), 0, static_cast<int>(VIEWER_PLOTS));
  if (count == 0) return;
  double first, last;
  plot_window(v, &first, &last);
  begin_fixed("plots", static_cast<double>(size.x - right_width()), static_cast<double>(top),
              static_cast<double>(right_width()), static_cast<double>(room));
  const float each = std::min(px(220), (room - px(12)) / static_cast<float>(count));
  for (int i = 0; i < count; ++i) {
    ImGui::PushID(i);
    one_plot(v, &v->plot[i], each, first, last);
    ImGui::PopID();
  }
  ImGui::End();
}
