// SPDX-License-Identifier: Apache-2.0
// The simple layout: a card in the corner that names the robot, shows how it bears on the ground
// and how strongly it is pulled, and leads to everything else.
#include <cmath>
#include <cstdio>
#include <cstring>

#include "view/panel.h"

namespace {

// "walk" of a robot that acts, "humanoid" of a file.
void title_of(const Viewer* v, char* out, size_t size) {
  const char* slash = std::strrchr(v->path, '/');
  const char* name = v->frame->plugin_count > 0 ? v->frame->plugin[0].name
                     : slash                    ? slash + 1
                                                : v->path;
  std::snprintf(out, size, "%.40s", name);
  char* dot = std::strrchr(out, '.');
  if (dot && dot != out) *dot = '\0';
}

void name_part(const Viewer* v) {
  char title[64];
  title_of(v, title, sizeof title);
  ImGui::SetWindowFontScale(1.4f);
  ImGui::TextUnformatted(title);
  ImGui::SetWindowFontScale(1);
  if (v->frame->plugin_count > 0) ImGui::TextWrapped("%s", v->frame->plugin[0].help);
}

void force_boxes(Viewer* v) {
  const unsigned forces = 1u << HEFT_SHOW_CONTACTS | 1u << HEFT_SHOW_FORCES,
                 cones = 1u << HEFT_SHOW_CONES;
  bool on = (v->show >> HEFT_SHOW_FORCES & 1u) != 0, cone = (v->show & cones) != 0;
  if (ImGui::Checkbox("forces", &on)) v->show = on ? v->show | forces : v->show & ~forces;
  tip("arrows of the contact forces, green where they stick and orange where they slip (1, 2)");
  ImGui::SameLine();
  if (ImGui::Checkbox("friction", &cone)) v->show ^= cones;
  tip("friction cones; the force is inside while a contact sticks (3)");
}

}  // namespace

void robot_rows(const Viewer* v) {
  const HeftViewFrame* f = v->frame;
  const double mass = heft_model_mass(v->model), weight = 9.81 * mass;
  HeftSample s = {};
  char text[64];
  row("mass", "%.4g kg", mass, "of all bodies that move");
  viewer_sample(v, v->history_count - 1, &s);
  const double force = static_cast<double>(s.value[HEFT_PLOT_GROUND_FORCE]);
  std::snprintf(text, sizeof text, "%.4g N, %.0f %%", force, weight > 0 ? 100 * force / weight : 0);
  text_row("on the ground", text,
           "force of all that moves on all that does not, and its share of the weight");
  int slips = 0;
  for (int i = 0; i < f->contact_count; ++i) slips += heft_vec3_norm(f->contact[i].slip) > 1e-4;
  std::snprintf(text, sizeof text, slips > 0 ? "%d, %d slip" : "%d", f->contact_count, slips);
  text_row("contacts", text, "contact points of this step");
  double needed = -1;
  for (int b = 1; b < v->model->nbody; ++b) needed = std::fmax(needed, f->friction_needed[b]);
  if (needed >= 0)
    row("friction needed", "%.1f %%", 100 * needed,
        "share of its friction without which something would slip");
  if (v->pulling) row("pulled by", "%.3g N", heft_vec3_norm(f->grab_force));
}

void robot_card(Viewer* v) {
  const float most = ImGui::GetIO().DisplaySize.y - px(VIEWER_BAR);
  const float tall = std::fmin(most, height_of("robot") > 0 ? height_of("robot") : px(330));
  begin_fixed("robot", 0, 0, static_cast<double>(px(VIEWER_CARD)), static_cast<double>(tall));
  file_part(v);
  ImGui::Separator();
  name_part(v);
  robot_rows(v);
  force_boxes(v);
  force_plot(v, px(100));
  trouble_part(v);
  ImGui::Separator();
  if (v->recording_count == 0) ImGui::TextWrapped("Drag a body to pull it.");
  ImGui::TextDisabled("Tab: all tools");
  ImGui::End();
}
