// SPDX-License-Identifier: Apache-2.0
// The panels, in C++ because Dear ImGui is. They show the data of the Viewer and store commands in
// it. No other file of the viewer but letters.cpp uses ImGui.
#include <SDL.h>
#include <backends/imgui_impl_opengl3.h>
#include <backends/imgui_impl_sdl.h>
#include <epoxy/gl.h>
#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "view/letters.h"
#include "view/panel.h"
#include "view/viewer.h"

namespace {

namespace fs = std::filesystem;

struct Entry {
  std::string name;
  bool folder;
};

struct Dialog {
  fs::path folder;
  std::vector<Entry> entries;
  char typed[VIEWER_PATH];
  bool read;
};

// ImGui has one context per program; so do its data here.
struct Desk {
  bool open = false;
  Dialog dialog{};
  bool solid = false;         // fixed panels are drawn by draw_boards()
  std::vector<ImVec4> board;  // corners of the opaque panels [points]
  ImVec2 mouse = ImVec2(-1, -1);
  bool button[3] = {false, false, false};  // left, right, middle
  float dock = 0;     // height that the tools at the right fill so far [points]
  float squeeze = 1;  // of the heights of the tools, so that all find room
};
Desk desk;
constexpr float BODY_HEIGHT = 210, SETTINGS_HEIGHT = 300, WORLD_HEIGHT = 300, JOINTS_HEIGHT = 300,
                DEVICES_HEIGHT = 400;
float scale_of_text = 1;

void draw_boards(const Viewer* v) {
  const ImVec4 color = ImGui::GetStyle().Colors[ImGuiCol_WindowBg];
  const double ratio = v->pixel_ratio;
  glEnable(GL_SCISSOR_TEST);
  glClearColor(color.x, color.y, color.z, 1);
  for (const ImVec4& b : desk.board) {
    const int left = static_cast<int>(ratio * static_cast<double>(b.x)),
              right = static_cast<int>(ratio * static_cast<double>(b.z)),
              top = v->height - static_cast<int>(ratio * static_cast<double>(b.y)),
              low = v->height - static_cast<int>(ratio * static_cast<double>(b.w));
    if (right <= left || top <= low) continue;
    glScissor(left, low, right - left, top - low);
    glClear(GL_COLOR_BUFFER_BIT);
  }
  glDisable(GL_SCISSOR_TEST);
}

const char* body_name(const Viewer* v, int body) {
  return body >= 0 && body < v->model->nbody ? heft_model_name(v->model, HEFT_NAMED_BODY, body)
                                             : "";
}

// ---- tools at the right, one below the other; the plots fill the rest

// Height that a tool would like [points of the unscaled text]; 0 while it is closed.
float plugin_height(const Viewer* v) {
  if (!v->experts || !v->def.plugins || !v->plugins_panel || !v->frame) return 0;
  float rows = 1.5f + static_cast<float>(v->frame->plugin_value_count);
  for (int i = 0; i < v->frame->plugin_count; ++i)
    rows += 2.2f + static_cast<float>(v->frame->plugin[i].option_count);
  return std::min(23 * rows, 280.0f);
}

bool shows_body(const Viewer* v) {
  return v->about_body && v->selected > 0 && v->selected < v->model->nbody;
}

float tools_height(const Viewer* v) {
  return plugin_height(v) + (shows_body(v) ? BODY_HEIGHT : 0) +
         (v->settings_panel ? SETTINGS_HEIGHT : 0) + (v->world_panel ? WORLD_HEIGHT : 0) +
         (v->sliders ? JOINTS_HEIGHT : 0) +
         (v->devices_panel && v->def.connect_users ? DEVICES_HEIGHT : 0);
}

void plan_tools(const Viewer* v) {
  const float room = ImGui::GetIO().DisplaySize.y - px(VIEWER_BAR), all = px(1) * tools_height(v);
  desk.dock = 0;
  desk.squeeze = all > 0 ? std::min(1.0f, (v->plots ? room - px(140) : room) / all) : 1;
}

// A tool with its title; *open becomes false when the user closes it.
void begin_tool(const char* name, float height, bool* open) {
  const float tall = desk.squeeze * px(1) * height,
              left = ImGui::GetIO().DisplaySize.x - right_width();
  place(static_cast<double>(left), static_cast<double>(desk.dock),
        static_cast<double>(right_width()), static_cast<double>(tall));
  desk.dock += tall;
  ImGui::Begin(name, open,
               ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoCollapse |
                   ImGuiWindowFlags_NoBringToFrontOnFocus);
}

// Width of a slider that leaves room for its name. A long name is above the slider, which then has
// none: returns the label of the slider.
std::string slider_label(const char* label) {
  const float room = ImGui::GetContentRegionAvail().x,
              wide = ImGui::CalcTextSize(label, nullptr, true).x +
                     ImGui::GetStyle().ItemInnerSpacing.x;
  const bool above = wide > 0.6f * room;
  if (above) ImGui::TextWrapped("%.*s", static_cast<int>(std::string(label).find("##")), label);
  ImGui::SetNextItemWidth(above ? -1 : std::min(0.52f * room, room - wide));
  return above ? "##" + std::string(label) : label;
}

// ---- time

// Goes on in the line behind the room that the widest text would fill from `left` on, so that
// buttons behind a text stay where they are while its numbers change.
void same_line_behind(float left, const char* widest, double gap = 8) {
  ImGui::SameLine(left + ImGui::CalcTextSize(widest).x, px(gap));
}

void play_buttons(Viewer* v) {
  const HeftViewFrame* f = v->frame;
  if (ImGui::Button("Restart")) heft_simulation_reset(v->simulation, v->def.key);
  tip("back to the start (R)");
  ImGui::SameLine();
  if (ImGui::Button(f->running ? "Pause" : " Run ", ImVec2(px(62), 0))) viewer_toggle_run(v);
  tip(f->running ? "stop the time (Space)" : "let the time run (Space)");
  if (v->experts) {
    ImGui::SameLine();
    if (ImGui::Button("Step")) heft_simulation_step(v->simulation, 1);
    tip("one step (Right; ten: Shift + Right)");
  }
  ImGui::SameLine();
  if (ImGui::Button("-")) viewer_change_factor(v, 0.5);
  tip("half as fast (-)");
  ImGui::SameLine();
  const float factor_left = ImGui::GetCursorPosX();
  if (f->factor >= 1) {
    ImGui::Text("%gx", f->factor);
  } else {
    ImGui::Text("1/%gx", 1 / f->factor);
  }
  tip("speed that is asked for, in real time");
  same_line_behind(factor_left, "1/16x");
  if (ImGui::Button("+")) viewer_change_factor(v, 2);
  tip("twice as fast (+)");
  ImGui::SameLine();
  const float left = ImGui::GetCursorPosX();
  const bool short_of = f->running && f->achieved < 0.97 * f->factor;
  ImGui::TextColored(short_of ? ImVec4(1, 0.55f, 0.2f, 1) : ImGui::GetStyle().Colors[ImGuiCol_Text],
                     f->running ? "runs %.2fx" : "paused", f->achieved);
  tip("speed that is reached, of real time; orange: the machine is too slow for what is asked");
  same_line_behind(left, "runs 00.00x", 20);
}

// Goes on in the line if a text of this width, and the button at its end, find room. 0: they do
// not.
bool flows(const char* text, double gap = 20) {
  const float end = ImGui::GetItemRectMax().x + px(gap) + ImGui::CalcTextSize(text).x;
  if (end > ImGui::GetIO().DisplaySize.x - px(86)) return false;
  ImGui::SameLine(0, px(gap));
  return true;
}

// At the right end of the bar.
void layout_button(Viewer* v) {
  ImGui::SameLine(ImGui::GetIO().DisplaySize.x - px(78));
  if (ImGui::Button(v->experts ? "Simple" : "Tools", ImVec2(px(70), 0))) viewer_toggle_experts(v);
  log_button(v, "layout");
  tip(v->experts ? "the robot, its force and the time only (Tab)"
                 : "all panels: marks, accuracy, plots, settings (Tab)");
}

// Which row of a recorded run is shown, and how far apart two runs are.
void recording_part(Viewer* v) {
  const HeftViewFrame* f = v->frame;
  const float left = ImGui::GetCursorPosX();
  const char* words = ImGui::GetIO().DisplaySize.x < px(1000) ? "" : "recorded run: ";
  char text[80], widest[80];
  std::snprintf(text, sizeof text, "%srow %ld of %ld", words, f->step + 1, f->row_count);
  std::snprintf(widest, sizeof widest, "%srow %ld of %ld", words, f->row_count, f->row_count);
  ImGui::TextUnformatted(text);
  tip("one row for each step that the log has");
  same_line_behind(left, widest, 20);
  bool whole = v->whole_run != 0, beside = v->beside != 0;
  if (ImGui::Checkbox("plot the whole run", &whole)) v->whole_run = whole;
  tip("off: the plots show the last five seconds");
  if (v->recording_count < 2 || !flows("[] beside")) return;
  if (ImGui::Checkbox("beside", &beside)) viewer_set_beside(v, beside);
  log_button(v, "beside");
  tip("the second run stands beside the first; off: as a ghost in its place");
  std::snprintf(text, sizeof text, "apart by %.3g m", f->ghost_distance);
  if (!flows(text)) return;
  ImGui::TextUnformatted(text);
  tip("largest distance of a body in the first run from the same body in the second");
}

// Which share of the steps the deadline cut, and how far these are from the contact law.
void deadline_part(const Viewer* v) {
  const HeftViewFrame* f = v->frame;
  char text[96];
  if (!f->running || f->recent_cut == 0) return;
  std::snprintf(text, sizeof text, "cut %ld of %ld steps, relative %.0e", f->recent_cut,
                f->recent_steps, f->recent_worst);
  if (!flows(text)) return;
  ImGui::TextColored(ImVec4(1, 0.55f, 0.2f, 1), "%s", text);
  tip("steps of the last second that were ended to keep the speed, before the contact forces met "
      "the tolerance, and the largest relative residual of these; Settings: keep the speed");
}

// The state as numbers, as far as there is room.
void state_part(const Viewer* v) {
  const HeftViewFrame* f = v->frame;
  char text[96];
  ImGui::Text("step %ld", f->step);
  tip("steps since the start");
  std::snprintf(text, sizeof text, "hash %016llx", static_cast<unsigned long long>(f->hash));
  if (!flows(text, 12)) return;
  ImGui::TextUnformatted(text);
  tip("hash of the state: the same on every machine, unless steps are cut");
  if (f->same == 0 && f->branched == 0) return;
  std::snprintf(text, sizeof text, "replayed: %ld equal, %ld different", f->same, f->branched);
  if (!flows(text)) return;
  ImGui::TextUnformatted(text);
  tip("snapshots that were reached again with the same hash, and with another");
}

void time_bar(Viewer* v) {
  const HeftViewFrame* f = v->frame;
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  begin_fixed("time", 0, size.y - px(VIEWER_BAR), size.x, px(VIEWER_BAR));
  play_buttons(v);
  if (v->recording_count > 0) {
    recording_part(v);
  } else if (v->experts) {
    state_part(v);
  }
  deadline_part(v);
  layout_button(v);
  float time = static_cast<float>(f->time);
  ImGui::SetNextItemWidth(-1);
  if (ImGui::SliderFloat("##time", &time, static_cast<float>(f->first),
                         static_cast<float>(std::max(f->last, f->first + 1e-3)), "%.3f s"))
    heft_simulation_rewind(v->simulation, static_cast<double>(time));
  tip("drag to go back (Left: 0.1 s, Shift + Left: 2 s)");
  ImGui::End();
}

// ---- left: marks and step report

void show_boxes(Viewer* v) {
  for (int i = 0; i < HEFT_SHOW_COUNT; ++i) {
    bool on = (v->show >> i & 1u) != 0;
    char label[64];
    std::snprintf(label, sizeof label, "%s##show%d", heft_show_name(static_cast<HeftShowIndex>(i)),
                  i);
    if (i % 2 == 1) ImGui::SameLine(px(125));
    if (ImGui::Checkbox(label, &on)) v->show ^= 1u << i;
    if (ImGui::IsItemHovered())
      ImGui::SetTooltip("%s (key %d)", heft_show_text(static_cast<HeftShowIndex>(i)), (i + 1) % 10);
  }
}

// How the last step ended, and how many steps since the start were not solved; details in tooltips,
// which do not move the rows below. Orange: this one was not.
void show_tally(const Viewer* v) {
  const HeftStepReport* r = &v->frame->report;
  const HeftStepTally* t = &v->frame->tally;
  const bool solved = r->status == HEFT_STEP_SOLVED, recorded = v->recording_count > 0;
  char text[2000];
  ImGui::PushStyleColor(
      ImGuiCol_Text, solved ? ImGui::GetStyleColorVec4(ImGuiCol_Text) : ImVec4(1, 0.6f, 0.1f, 1));
  row("relative", "%.2e", r->relative,
      "largest residual of a contact, relative to its velocities: solved below 1e-6");
  if (recorded || !solved) ImGui::TextWrapped("%s", heft_step_status_text(r->status));
  if (!recorded && !solved) tip(heft_step_report_text(r, v->model, text, sizeof text));
  if (!recorded)
    row("inexact steps", "%.0f", static_cast<double>(t->inexact),
        t->status[HEFT_STEP_SOLVED] < t->steps
            ? heft_step_tally_text(t, v->model, text, sizeof text)
            : "steps since the start above the tolerance");
  if (!recorded && t->dropped > 0)
    row("dropped points", "%.0f", static_cast<double>(t->dropped),
        "contact points since the start for which there was no place");
  ImGui::PopStyleColor();
}

// Pictures per second, and how good they are.
void frame_row(Viewer* v) {
  bool fine = !v->fast;
  row("frames", "%.0f /s", v->fps, "pictures per second");
  ImGui::SameLine(px(185));
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(px(2), 0));
  if (ImGui::Checkbox("fine", &fine)) {
    v->memory.quality = fine ? 1 : 0;
    v->ask.rebuild = 1;
  }
  ImGui::PopStyleVar();
  tip("smooth edges, soft shadows and reflections; slow without a graphics card");
}

void report(Viewer* v) {
  const HeftStepReport* r = &v->frame->report;
  row("residual", "%.2e m/s", r->residual,
      "how far the contact velocities are from exact Coulomb friction, checked independently");
  show_tally(v);
  row("cone violation", "%.2e N", r->cone, "force outside the friction cones");
  row("gap power", "%.2e W", r->gap_power, "power of normal forces at contacts that open");
  row("penetration", "%.2e m", r->penetration, "deepest overlap of two shapes");
  char text[64];
  std::snprintf(text, sizeof text, "%d, %d", r->sweeps, r->newton_steps);
  text_row("sweeps, Newton", text,
           "passes of the contact solver over all contacts, and linear systems that it solved");
  std::snprintf(text, sizeof text, "%.3g + %.4g J", r->kinetic, r->potential);
  text_row("energy", text, "kinetic energy, and potential energy of gravity and springs");
  row("energy defect", "%.2e J", r->energy_change,
      "change of energy in this step that no force explains");
  if (v->recording_count == 0) {
    std::snprintf(text, sizeof text, "%.0f, %.0f us", v->frame->step_p50, v->frame->step_p99);
    text_row("step p50, p99", text, "half and 99 of 100 of the steps take less time than this");
  }
  frame_row(v);
}

void key_part(Viewer* v) {
  if (v->model->nkey == 0) return;
  const char* now =
      v->def.key < 0 ? "pose of the file" : heft_model_name(v->model, HEFT_NAMED_KEY, v->def.key);
  ImGui::SetNextItemWidth(px(150));
  if (!ImGui::BeginCombo("keyframe", now)) return;
  for (int k = -1; k < v->model->nkey; ++k) {
    char name[128];
    std::snprintf(name, sizeof name, "%s##key%d",
                  k < 0 ? "pose of the file" : heft_model_name(v->model, HEFT_NAMED_KEY, k), k);
    if (ImGui::Selectable(name, k == v->def.key)) {
      v->def.key = k;
      heft_simulation_reset(v->simulation, k);
    }
  }
  ImGui::EndCombo();
}

// A button behind the last item, or in the next line if it does not fit.
bool flowing_button(const char* label) {
  const ImGuiStyle& style = ImGui::GetStyle();
  const float wide = ImGui::CalcTextSize(label).x + 2 * style.FramePadding.x,
              right = ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x;
  if (ImGui::GetItemRectMax().x + style.ItemSpacing.x + wide <= right) ImGui::SameLine();
  return ImGui::Button(label);
}

void tool_part(Viewer* v) {
  const bool acts = v->recording_count == 0;  // nothing of a recorded run can be changed
  if (ImGui::Button("Plots")) v->plots = !v->plots;
  tip("curves of the last five seconds (L)");
  if (acts) {
    if (flowing_button("Settings")) v->settings_panel = !v->settings_panel;
    tip("friction, gravity, time step, contact model (S)");
    if (flowing_button("World")) v->world_panel = !v->world_panel;
    tip("add and remove objects; gravity, friction, masses, gains (W)");
    log_button(v, "world");
    if (flowing_button("Joints")) v->sliders = !v->sliders;
    tip("sliders for actuators and joints (J)");
  }
  if (v->def.connect_users && acts) {
    if (flowing_button("Devices")) v->devices_panel = !v->devices_panel;
    tip("haptic devices: connect, record a session (E)");
  }
  if (v->def.plugins) {
    if (flowing_button("Plug-ins")) v->plugins_panel = !v->plugins_panel;
    tip("options and values of the plug-ins");
  }
  if (flowing_button("Picture")) v->ask.screenshot = 1;
  tip("save a picture of the window (P)");
  if (flowing_button(v->filming ? "Stop film" : "Film")) v->ask.film = 1;
  tip("film the window: start, stop (V)");
}

void left_panel(Viewer* v) {
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  begin_fixed("left", 0, 0, px(VIEWER_LEFT), size.y - px(VIEWER_BAR));
  file_part(v);
  tool_part(v);
  ImGui::Separator();
  key_part(v);
  show_boxes(v);
  ImGui::Separator();
  robot_rows(v);
  trouble_part(v);
  ImGui::Separator();
  report(v);
  ImGui::End();
}

// ---- the selected body

void vector_row(const char* name, HeftVec3 x, const char* unit) {
  ImGui::Text("%s", name);
  ImGui::SameLine(px(66));
  ImGui::Text("%.3f %.3f %.3f %s", x.x, x.y, x.z, unit);
}

void body_panel(Viewer* v) {
  bool open = true;
  const int b = v->selected;
  if (!shows_body(v)) return;
  begin_tool("Body", BODY_HEIGHT, &open);
  heft_dynamics_velocities(v->dynamics, v->frame->v);
  const HeftSpatial speed = heft_dynamics_body_velocity(v->dynamics, b, v->poses[b].pos);
  ImGui::Text("%s (body %d), parent %s", body_name(v, b), b,
              body_name(v, v->model->body_parent[b]));
  row("mass", "%.5g kg", v->model->body_mass[b]);
  vector_row("position", v->poses[b].pos, "m");
  vector_row("velocity", speed.lin, "m/s");
  vector_row("turning", speed.ang, "rad/s");
  HeftVec3 sum = heft_vec3(0, 0, 0);
  for (int i = 0; i < v->frame->contact_count; ++i) {
    const HeftContact* c = &v->frame->contact[i];
    if (c->body_b == b) sum = heft_vec3_add(sum, c->force);
    if (c->body_a == b) sum = heft_vec3_sub(sum, c->force);
  }
  vector_row("contact", sum, "N");
  for (int j = 0; j < v->model->body_joint_count[b]; ++j) {
    const int joint = v->model->body_joint[b] + j;
    ImGui::Text("joint %s: %s", heft_model_name(v->model, HEFT_NAMED_JOINT, joint),
                heft_joint_type_name(v->model->joint_type[joint]));
  }
  ImGui::End();
  v->about_body = open;
}

// ---- settings

bool slide(const char* name, double* value, double low, double high, const char* format,
           bool logarithmic) {
  float x = static_cast<float>(*value);
  ImGui::SliderFloat(slider_label(name).c_str(), &x, static_cast<float>(low),
                     static_cast<float>(high), format,
                     logarithmic ? ImGuiSliderFlags_Logarithmic : 0);
  *value = static_cast<double>(x);
  return ImGui::IsItemDeactivatedAfterEdit();
}

// "file" is the contact model of the model file.
bool choose_contact_model(HeftSimulationSettings* command) {
  bool chosen = false;
  if (!ImGui::BeginCombo(slider_label("contact model").c_str(),
                         heft_contact_model_name(command->contact_model)))
    return false;
  for (int i = 0; i < HEFT_CONTACT_MODEL_COUNT; ++i) {
    const HeftContactModel model = static_cast<HeftContactModel>(i);
    if (ImGui::Selectable(heft_contact_model_name(model), model == command->contact_model)) {
      command->contact_model = model;
      chosen = true;
    }
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", heft_contact_model_meaning(model));
  }
  ImGui::EndCombo();
  return chosen;
}

void settings_panel(Viewer* v) {
  bool open = v->settings_panel != 0, done = false;
  if (!open) return;
  begin_tool("Settings", SETTINGS_HEIGHT, &open);
  if (v->command.time_step <= 0) v->command.time_step = v->model->physics.time_step;
  done |= slide("friction", &v->command.friction, 0, 3, "x %.2f", false);
  done |= slide("gravity", &v->command.gravity, -1, 2, "x %.2f", false);
  bool own = v->command.restitution < 0;
  if (ImGui::Checkbox("restitution of the model", &own)) {
    v->command.restitution = own ? -1 : 0;
    done = true;
  }
  if (!own) done |= slide("restitution", &v->command.restitution, 0, 1, "%.2f", false);
  done |= slide("time step", &v->command.time_step, 1e-4, 2e-2, "%.4f s", true);
  done |= slide("tolerance", &v->command.tolerance, 1e-12, 1e-2, "%.1e", true);
  done |= slide("hold joints", &v->command.hold, 0, 4, "%.2f", false);
  done |= choose_contact_model(&v->command);
  bool keeps = v->frame->deadline != 0;
  if (ImGui::Checkbox("keep the speed", &keeps)) heft_simulation_set_deadline(v->simulation, keeps);
  log_button(v, "keep");
  tip("on: a step that takes too long for the speed is cut, and counted below; off: every step is "
      "solved to the tolerance, in slow motion if need be");
  bool ghost = v->frame->ghost != 0;
  if (ImGui::Checkbox("ghost: keeps the current settings", &ghost))
    heft_simulation_ghost(v->simulation, ghost);
  ImGui::TextWrapped("A change clears the timeline.");
  bool lamps = !v->sun;
  if (v->model->nlight > 0 && ImGui::Checkbox("lights of the model", &lamps)) v->sun = !lamps;
  if (done) viewer_apply_command(v);
  ImGui::End();
  v->settings_panel = open;
}

// ---- objects and parameters of the world

void object_buttons(Viewer* v) {
  if (ImGui::Button("Box")) viewer_add(v, HEFT_CHANGE_BOX, nullptr);
  tip("drop a box (B)");
  log_button(v, "box");
  ImGui::SameLine();
  if (ImGui::Button("Ball")) viewer_add(v, HEFT_CHANGE_BALL, nullptr);
  tip("drop a ball (N)");
  log_button(v, "ball");
  ImGui::SameLine();
  if (v->def.load_object) {
    if (ImGui::Button("File")) v->open_dialog = v->adds_file = 1;
    tip("add the bodies of a model file");
    ImGui::SameLine();
  }
  if (ImGui::Button("Remove")) viewer_remove(v);
  tip("remove the selected body, and all that hangs on it (Delete)");
  log_button(v, "remove");
}

// Friction and restitution of a material or a pair.
void surface_sliders(Viewer* v, const char* name, int i, double value[2], HeftChangeKind friction,
                     HeftChangeKind restitution) {
  char text[120];
  std::snprintf(text, sizeof text, "%.60s friction##f%d%d", name, static_cast<int>(friction), i);
  if (slide(text, &value[0], 0, 2, "%.3f", false)) viewer_set_parameter(v, friction, i, value[0]);
  if (friction == HEFT_CHANGE_FRICTION && i == 0) log_button(v, "friction");
  std::snprintf(text, sizeof text, "%.60s restitution##r%d%d", name, static_cast<int>(friction), i);
  if (slide(text, &value[1], 0, 1, "%.2f", false))
    viewer_set_parameter(v, restitution, i, value[1]);
}

void all_surfaces(Viewer* v) {
  const HeftModel* m = v->model;
  char other[40];
  for (int i = 0; i < m->nmaterial && i < VIEWER_PARAMETERS; ++i) {
    const char* name = heft_model_name(m, HEFT_NAMED_MATERIAL, i);
    std::snprintf(other, sizeof other, "surface %d", i);
    surface_sliders(v, name[0] ? name : other, i, v->world.material[i], HEFT_CHANGE_FRICTION,
                    HEFT_CHANGE_RESTITUTION);
  }
  for (int i = 0; i < m->npair && i < VIEWER_PARAMETERS; ++i) {
    const char* name = heft_model_name(m, HEFT_NAMED_PAIR, i);
    std::snprintf(other, sizeof other, "pair %d", i);
    surface_sliders(v, name[0] ? name : other, i, v->world.pair[i], HEFT_CHANGE_PAIR_FRICTION,
                    HEFT_CHANGE_PAIR_RESTITUTION);
  }
}

void world_panel(Viewer* v) {
  bool open = v->world_panel != 0;
  char text[120];
  if (!open || v->recording_count > 0) return;
  ViewerWorld* w = &v->world;
  begin_tool("World", WORLD_HEIGHT, &open);
  object_buttons(v);
  if (slide("gravity", &w->gravity, -1, 2, "x %.2f", false))
    viewer_set_parameter(v, HEFT_CHANGE_GRAVITY, 0, w->gravity);
  log_button(v, "gravity");
  all_surfaces(v);
  if (v->selected > 0 && v->selected < v->model->nbody) {
    if (w->mass_body != v->selected) w->mass = 1;
    w->mass_body = v->selected;
    std::snprintf(text, sizeof text, "mass of %.40s", body_name(v, v->selected));
    if (slide(text, &w->mass, 0.1, 10, "x %.2f", true))
      viewer_set_parameter(v, HEFT_CHANGE_MASS, v->selected, w->mass);
  }
  if (v->chosen_actuator >= 0 && v->chosen_actuator < v->model->nactuator) {
    if (w->gain_actuator != v->chosen_actuator) w->gain = 1;
    w->gain_actuator = v->chosen_actuator;
    std::snprintf(text, sizeof text, "gain of %.40s",
                  heft_model_name(v->model, HEFT_NAMED_ACTUATOR, v->chosen_actuator));
    if (slide(text, &w->gain, 0, 5, "x %.2f", false))
      viewer_set_parameter(v, HEFT_CHANGE_GAIN, v->chosen_actuator, w->gain);
  }
  ImGui::End();
  v->world_panel = open;
}

// ---- devices

void device_rows(const HeftServoView* d, const HeftUser* p, const Viewer* v) {
  const HeftGuardReport* g = &d->guard;
  const char* doing = !d->alive            ? "disconnected: searching"
                      : !p->input.present  ? "waiting for the user"
                      : p->state.holds     ? "holds"
                      : p->state.body >= 0 ? "touches"
                                           : "free";
  ImGui::Text("%s %s", doing, p->state.body > 0 ? body_name(v, p->state.body) : "");
  row("force", "%.2f N", heft_vec3_norm(d->given.force));
  row("max force", "%.2f N", g->force_peak);
  row("energy", "%.4f J", g->energy);
  row("min energy", "%.1e J", g->energy_lowest);
  ImGui::Text("%ld clamped, %ld rate-limited, %ld damped, %ld starved", g->clamped, g->slewed,
              g->interventions, g->starved);
}

// Lateness of the cycles of the servo: bars of a quarter of an octave, from 1 us.
void servo_rows(const HeftServoReport* r) {
  float bars[HEFT_SERVO_BINS];
  for (int i = 0; i < HEFT_SERVO_BINS; ++i)
    bars[i] = static_cast<float>(std::sqrt(static_cast<double>(r->late[i])));
  ImGui::Separator();
  ImGui::Text("servo: %ld cycles, %ld missed", r->ticks, r->missed);
  ImGui::Text("late %.0f us, 99 %% %.0f us, max %.0f us", 1e6 * r->late_median, 1e6 * r->late_p99,
              1e6 * r->late_max);
  ImGui::PlotHistogram("##late", bars, 44, 0, "late: 1 us to 2 ms", 0, FLT_MAX,
                       ImVec2(right_width(), px(50)));
  if (r->message[0]) ImGui::TextWrapped("%s", r->message);
}

void choose_device(Viewer* v) {
  const HeftDriver* chosen = heft_driver_at(v->driver);
  ImGui::SetNextItemWidth(px(120));
  if (ImGui::BeginCombo("##driver", chosen ? chosen->name : "")) {
    for (int i = 0; heft_driver_at(i); ++i) {
      if (ImGui::Selectable(heft_driver_at(i)->name, i == v->driver)) {
        v->driver = i;
        v->address[0] = '\0';
      }
      if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", heft_driver_at(i)->text);
    }
    ImGui::EndCombo();
  }
  ImGui::SameLine();
  if (ImGui::Button("Connect")) v->ask.connect = 1;
  log_button(v, "connect");
  if (!chosen || !chosen->address[0]) return;
  ImGui::SetNextItemWidth(-1);
  ImGui::InputTextWithHint("##address", chosen->address, v->address, sizeof v->address);
}

void record_button(Viewer* v) {
  const HeftViewFrame* f = v->frame;
  if (!v->def.recorder.begin) return;
  if (ImGui::Button(f->recording ? "Stop recording" : "Record (M)")) v->ask.record = 1;
  log_button(v, "record");
  if (!f->recording) return;
  ImGui::SameLine();
  ImGui::TextColored(ImVec4(1, 0.35f, 0.3f, 1), "%ld steps", f->recorded);
}

void one_device(Viewer* v, int i) {
  ImGui::PushID(i);
  ImGui::Separator();
  ImGui::TextUnformatted(v->users->name[i]);
  ImGui::SameLine(ImGui::GetContentRegionMax().x - px(80));
  if (ImGui::SmallButton("Disconnect")) v->ask.disconnect = i + 1;
  log_button(v, "disconnect");
  device_rows(&v->person[i], &v->frame->person[i], v);
  ImGui::PopID();
}

void devices_panel(Viewer* v) {
  bool open = v->devices_panel != 0;
  if (!open || !v->def.connect_users) return;
  begin_tool("Devices", DEVICES_HEIGHT, &open);
  choose_device(v);
  record_button(v);
  for (int i = 0; v->users && i < v->users->count; ++i) one_device(v, i);
  if (v->users) servo_rows(&v->person[0].servo);
  ImGui::End();
  v->devices_panel = open;
}

// ---- plug-ins

void plugin_option(Viewer* v, int plugin, int k, const HeftFrameField* o) {
  float x = static_cast<float>(o->value);
  char label[64];
  std::snprintf(label, sizeof label, "%s##option%d", o->name, k);
  char format[32];
  std::snprintf(format, sizeof format, "%%.4g %s", std::strchr(o->unit, '%') ? "" : o->unit);
  if (ImGui::SliderFloat(slider_label(label).c_str(), &x, static_cast<float>(o->min),
                         static_cast<float>(o->max), format))
    heft_simulation_plugin_option(v->simulation, plugin, k,
                                  std::clamp(static_cast<double>(x), o->min, o->max));
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", o->meaning);
}

void plugin_panel(Viewer* v) {
  const HeftViewFrame* f = v->frame;
  bool open = true;
  if (plugin_height(v) <= 0) return;
  begin_tool("Plug-ins", plugin_height(v), &open);
  for (int i = 0; i < f->plugin_count; ++i) {
    const HeftFramePlugin* p = &f->plugin[i];
    ImGui::PushID(i);
    if (i > 0) ImGui::Separator();
    ImGui::TextWrapped("%s: %s", p->name, p->help);
    for (int k = 0; k < p->option_count; ++k) plugin_option(v, i, k, &p->option[k]);
    ImGui::PopID();
  }
  if (f->plugin_value_count > 0) ImGui::Separator();
  for (int k = 0; k < f->plugin_value_count; ++k) {
    const HeftFrameField* x = &f->plugin_value[k];
    ImGui::Text("%s", x->name);
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", x->meaning);
    ImGui::SameLine(px(170));
    ImGui::Text("%.5g %s", x->value, x->unit);
  }
  ImGui::End();
  v->plugins_panel = open;
}

// ---- joints and actuators

void actuator_slider(Viewer* v, int i) {
  const HeftModel* m = v->model;
  const double* range = &m->actuator_control_range[2 * i];
  const bool limited = m->actuator_control_limited[i] != 0;
  float x = static_cast<float>(v->frame->controls[i]);
  char label[96];
  std::snprintf(label, sizeof label, "%s##a%d", heft_model_name(m, HEFT_NAMED_ACTUATOR, i), i);
  if (ImGui::SliderFloat(slider_label(label).c_str(), &x,
                         static_cast<float>(limited ? range[0] : -1),
                         static_cast<float>(limited ? range[1] : 1), "%.3f")) {
    heft_simulation_control(v->simulation, i, static_cast<double>(x));
    v->chosen_actuator = i;
    heft_simulation_choose(v->simulation, v->chosen_dof, v->chosen_actuator);
  }
}

void joint_slider(Viewer* v, int j) {
  const HeftModel* m = v->model;
  const HeftJointType type = m->joint_type[j];
  const int q = m->joint_q[j], dof = m->joint_dof[j];
  if (type != HEFT_JOINT_HINGE && type != HEFT_JOINT_SLIDE) return;
  const bool limited = m->dof_limited[dof] != 0;
  float x = static_cast<float>(v->frame->q[q]);
  char label[96];
  std::snprintf(label, sizeof label, "%s##j%d", heft_model_name(m, HEFT_NAMED_JOINT, j), j);
  if (ImGui::SliderFloat(slider_label(label).c_str(), &x,
                         static_cast<float>(limited ? m->dof_range[2 * dof] : -3.15),
                         static_cast<float>(limited ? m->dof_range[2 * dof + 1] : 3.15), "%.3f")) {
    if (v->frame->settings.hold <= 0) {
      v->command.hold = 1;
      viewer_apply_command(v);
    }
    heft_simulation_target(v->simulation, q, static_cast<double>(x));
    v->chosen_dof = dof;
    heft_simulation_choose(v->simulation, v->chosen_dof, v->chosen_actuator);
  }
}

void slider_panel(Viewer* v) {
  bool open = v->sliders != 0;
  if (!open) return;
  begin_tool("Joints", JOINTS_HEIGHT, &open);
  if (v->model->nactuator > 0 && ImGui::CollapsingHeader("actuator controls")) {
    for (int i = 0; i < v->model->nactuator; ++i) actuator_slider(v, i);
  }
  if (ImGui::CollapsingHeader("targets of the joint springs", ImGuiTreeNodeFlags_DefaultOpen)) {
    for (int j = 0; j < v->model->njoint; ++j) joint_slider(v, j);
  }
  ImGui::End();
  v->sliders = open;
}

// ---- opening files

void read_folder(Dialog* d) {
  std::error_code error;
  d->entries.clear();
  for (const fs::directory_entry& e : fs::directory_iterator(d->folder, error)) {
    const std::string name = e.path().filename().string();
    const std::string ending = e.path().extension().string();
    std::error_code ignored;
    const bool folder = e.is_directory(ignored);
    if (name.empty() || name[0] == '.') continue;
    if (!folder && ending != ".xml" && ending != ".urdf" && ending != ".heft" &&
        ending != ".mjcf" && ending != ".mcap")
      continue;
    d->entries.push_back({name, folder});
  }
  std::sort(d->entries.begin(), d->entries.end(), [](const Entry& a, const Entry& b) {
    return a.folder != b.folder ? a.folder : a.name < b.name;
  });
  d->read = true;
}

void ask_open(Viewer* v, const std::string& path) {
  if (v->adds_file && v->model) {
    viewer_add(v, HEFT_CHANGE_FILE, path.c_str());
  } else {
    viewer_ask_open(v, path.c_str());
  }
  v->open_dialog = v->adds_file = 0;
}

void entry_list(Viewer* v, Dialog* d) {
  fs::path next = d->folder;
  ImGui::BeginChild("entries", ImVec2(0, -ImGui::GetFrameHeightWithSpacing()), true);
  if (ImGui::Selectable("../")) next = d->folder.parent_path();
  for (const Entry& e : d->entries) {
    if (!ImGui::Selectable((e.folder ? e.name + "/" : e.name).c_str())) continue;
    if (e.folder) {
      next = d->folder / e.name;
    } else {
      ask_open(v, (d->folder / e.name).string());
    }
  }
  ImGui::EndChild();
  if (next != d->folder) {
    d->folder = next;
    d->read = false;
  }
}

void open_panel(Viewer* v) {
  bool open = v->open_dialog != 0;
  Dialog* d = &desk.dialog;
  std::error_code error;
  if (!open) {
    d->read = false;
    v->adds_file = 0;
    return;
  }
  if (d->folder.empty()) {
    const fs::path from =
        v->path[0] ? fs::absolute(v->path, error).parent_path() : fs::current_path(error);
    d->folder = from;
  }
  if (!d->read) read_folder(d);
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  place(0.5 * static_cast<double>(size.x - px(480)), 0.15 * static_cast<double>(size.y), px(480),
        px(360), ImGuiCond_Appearing);
  ImGui::Begin(v->adds_file ? "Add a model (MJCF, URDF, .heft)###open"
                            : "Open a model (MJCF, URDF, .heft)###open",
               &open, ImGuiWindowFlags_NoCollapse);
  ImGui::TextWrapped("%s", d->folder.string().c_str());
  entry_list(v, d);
  ImGui::SetNextItemWidth(-1);
  if (ImGui::InputTextWithHint("##typed", "or type a path and press Enter", d->typed,
                               sizeof d->typed, ImGuiInputTextFlags_EnterReturnsTrue))
    ask_open(v, d->typed);
  ImGui::End();
  if (!open) v->open_dialog = v->adds_file = 0;
}

// ---- messages and help

void error_panel(Viewer* v) {
  bool open = v->error[0] != '\0';
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  if (!open) return;
  place(0.5 * static_cast<double>(size.x - px(560)), 0.3 * static_cast<double>(size.y), px(560),
        px(150), ImGuiCond_Appearing);
  ImGui::Begin("Error", &open, ImGuiWindowFlags_NoCollapse);
  ImGui::TextWrapped("%s", v->error);
  ImGui::Separator();
  if (ImGui::Button("Close")) open = false;
  ImGui::SameLine();
  if (ImGui::Button("Copy")) ImGui::SetClipboardText(v->error);
  ImGui::End();
  if (!open) v->error[0] = '\0';
}

void help_panel(Viewer* v) {
  static const char* const lines[][2] = {
      {"drag a body", "pull it, with at most half its weight"},
      {"Shift + drag a body", "pull it without this limit"},
      {"Ctrl + click", "apply an impulse to a body"},
      {"click, double click", "select a body, show its data"},
      {"drag the background", "turn the camera (right button: anywhere)"},
      {"middle button, Shift", "and drag the background: move the camera"},
      {"wheel", "zoom"},
      {"Space", "run, pause"},
      {"Right, Shift + Right", "one step, ten steps"},
      {"Left, Shift + Left", "back 0.1 s, back 2 s"},
      {"+  -", "faster, slower"},
      {"R  K", "restart, next keyframe"},
      {"1 2 ... 9 0", "show contacts, forces, cones, ..."},
      {"F  C", "follow the selected body, reset the camera"},
      {"H  G", "hold the joints by springs, ghost for comparison"},
      {"L  J  S  E  W", "plots, joints, settings, devices, world"},
      {"B  N  Delete", "add a box, add a ball, remove the selected object"},
      {"M", "record a session of the devices (start, stop)"},
      {"P  V", "save a picture, film (start, stop)"},
      {"D", "dark or light"},
      {"Tab, Shift + Tab", "all tools or the simple layout, panels on or off"},
      {"Ctrl + O", "open a file (or drop it on the window)"},
      {"?  Esc", "this page, close it"},
      {"Ctrl + Q", "quit"},
  };
  bool open = v->help != 0;
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  if (!open) return;
  place(0.5 * static_cast<double>(size.x - px(480)), px(20), px(480), px(500), ImGuiCond_Appearing);
  ImGui::Begin("Keys and mouse", &open, ImGuiWindowFlags_NoCollapse);
  for (const auto& line : lines) {
    ImGui::Text("%s", line[0]);
    ImGui::SameLine(px(170));
    ImGui::Text("%s", line[1]);
  }
  ImGui::End();
  v->help = open;
}

void notice(const Viewer* v) {
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  ImDrawList* list = ImGui::GetForegroundDrawList();
  const bool recording = v->frame && v->frame->recording, red = v->filming || recording;
  const char* text = v->filming  ? "filming (V stops)"
                     : recording ? "recording the session (M stops)"
                                 : v->notice;
  if (!red && v->now > v->notice_until) return;
  const float wide = size.x - px(40);
  const ImVec2 area = ImGui::CalcTextSize(text, nullptr, false, wide);
  const ImVec2 at(0.5f * (size.x - area.x), size.y - px(v->panels ? 76 : 16) - area.y);
  list->AddRectFilled(ImVec2(at.x - px(8), at.y - px(4)),
                      ImVec2(at.x + area.x + px(8), at.y + area.y + px(4)),
                      red ? IM_COL32(180, 30, 30, 220) : IM_COL32(20, 24, 30, 200), px(5));
  list->AddText(nullptr, 0, at, IM_COL32(255, 255, 255, 255), text, nullptr, wide + 1);
}

// ---- what is not on the screen

// The first panel that is not all on the screen, or has an item beyond its edge that no scroll bar
// reaches.
bool find_outside(char* out, size_t size) {
  const ImGuiContext& g = *ImGui::GetCurrentContext();
  for (const ImGuiWindow* w : g.Windows) {
    if (!w->WasActive || w->Hidden || (w->Flags & ImGuiWindowFlags_Tooltip) != 0) continue;
    const bool child = (w->Flags & ImGuiWindowFlags_ChildWindow) != 0,
               fixed = (w->Flags & ImGuiWindowFlags_NoTitleBar) != 0 && !child;
    const ImVec2 end(w->Pos.x + w->Size.x, w->Pos.y + w->Size.y);
    const float left = w->InnerRect.GetWidth() - 2 * w->WindowPadding.x,
                high = w->InnerRect.GetHeight() - 2 * w->WindowPadding.y;
    const bool out_of_screen =
        !child && (w->Pos.x < -1 || w->Pos.y < -1 || end.x > g.IO.DisplaySize.x + 1 ||
                   end.y > g.IO.DisplaySize.y + 1);
    const bool wide = w->ContentSize.x > left + 1, tall = fixed && w->ContentSize.y > high + 1;
    if (!out_of_screen && !wide && !tall) continue;
    std::snprintf(out, size, "%s: %s", w->Name,
                  out_of_screen ? "not on the screen"
                  : wide        ? "too wide"
                                : "too tall");
    return true;
  }
  return false;
}

// For tests: in the log when it changes.
void log_outside(Viewer* v) {
  char now[sizeof v->outside] = "";
  find_outside(now, sizeof now);
  if (std::strcmp(now, v->outside) == 0) return;
  std::snprintf(v->outside, sizeof v->outside, "%s", now);
  viewer_log(v, "outside %s", now[0] ? now : "nothing");
}

void all_panels(Viewer* v) {
  if (v->model) {
    if (v->panels) {
      plan_tools(v);
      v->experts ? left_panel(v) : robot_card(v);
      time_bar(v);
      plugin_panel(v);
      body_panel(v);
      settings_panel(v);
      world_panel(v);
      devices_panel(v);
      slider_panel(v);
      plot_panel(v, desk.dock);
    }
  } else {
    start_page(v);
  }
  open_panel(v);
  help_panel(v);
  error_panel(v);
  notice(v);
}

}  // namespace

void text_row(const char* name, const char* text, const char* meaning) {
  ImGui::BeginGroup();
  ImGui::Text("%s", name);
  ImGui::SameLine(px(125));
  ImGui::Text("%s", text);
  ImGui::EndGroup();
  if (meaning) tip(meaning);
}

void row(const char* name, const char* format, double value, const char* meaning) {
  char text[64];
  std::snprintf(text, sizeof text, format, value);
  text_row(name, text, meaning);
}

void file_part(Viewer* v) {
  if (v->def.gallery_count > 0) {
    if (ImGui::Button("Home")) v->ask.close = 1;
    log_button(v, "home");
    tip("back to the start page");
    ImGui::SameLine();
  }
  if (ImGui::Button("Open")) v->open_dialog = 1;
  tip("open a model file (Ctrl + O), or drop it on the window");
  ImGui::SameLine();
  if (ImGui::Button("Help")) v->help = !v->help;
  tip("actions of keys and mouse (?)");
  if (!v->experts) return;
  ImGui::SameLine();
  if (ImGui::Button("Recent")) ImGui::OpenPopup("recent");
  tip("files that were open before");
  ImGui::SameLine();
  if (ImGui::Button(v->memory.dark ? "Light" : "Dark")) {
    v->memory.dark = !v->memory.dark;
    panels_look(0, v->memory.dark);
  }
  tip("colours of the window (D)");
  if (!ImGui::BeginPopup("recent")) return;
  for (int i = 0; i < VIEWER_RECENT && v->memory.recent[i][0]; ++i) {
    if (ImGui::Selectable(v->memory.recent[i])) viewer_ask_open(v, v->memory.recent[i]);
  }
  ImGui::EndPopup();
}

void trouble_part(const Viewer* v) {
  const HeftStepTally* t = &v->frame->tally;
  if (v->frame->trouble[0]) {
    ImGui::PushStyleColor(ImGuiCol_Text, ImVec4(1, 0.4f, 0.3f, 1));
    ImGui::TextWrapped("%s", v->frame->trouble);
    ImGui::PopStyleColor();
  }
  if (v->experts || v->recording_count > 0 || t->inexact == 0) return;
  ImGui::TextColored(ImVec4(1, 0.6f, 0.1f, 1), "%ld of %ld steps inexact", t->inexact, t->steps);
}

float height_of(const char* name) {
  const ImGuiWindow* w = ImGui::FindWindowByName(name);
  return w && w->WasActive ? w->ContentSize.y + 2 * w->WindowPadding.y : 0;
}

float px(double x) { return static_cast<float>(x) * scale_of_text; }

float right_width() { return std::clamp(0.25f * ImGui::GetIO().DisplaySize.x, px(230), px(340)); }

void place(double x, double y, double width, double height, ImGuiCond when) {
  ImGui::SetNextWindowPos(ImVec2(static_cast<float>(x), static_cast<float>(y)), when);
  ImGui::SetNextWindowSize(ImVec2(static_cast<float>(width), static_cast<float>(height)), when);
}

void tip(const char* text) {
  if (!ImGui::IsItemHovered()) return;
  ImGui::BeginTooltip();
  ImGui::PushTextWrapPos(px(420));
  ImGui::TextUnformatted(text);
  ImGui::PopTextWrapPos();
  ImGui::EndTooltip();
}

void log_button(Viewer* v, const char* name) {
  const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
  if (!v->def.log || !ImGui::IsWindowAppearing()) return;
  viewer_log(v, "button %s %.0f %.0f", name, 0.5 * static_cast<double>(low.x + high.x),
             0.5 * static_cast<double>(low.y + high.y));
}

void begin_fixed(const char* name, double x, double y, double width, double height) {
  place(x, y, width, height);
  if (desk.solid)
    desk.board.push_back(ImVec4(static_cast<float>(x), static_cast<float>(y),
                                static_cast<float>(x + width), static_cast<float>(y + height)));
  ImGui::Begin(name, nullptr,
               FIXED_PANEL | (desk.solid ? ImGuiWindowFlags_NoBackground : ImGuiWindowFlags_None));
}

extern "C" void panels_look(double scale, int dark) {
  if (!desk.open) return;
  if (scale > 0) {
    scale_of_text = static_cast<float>(scale);
    ImGui::GetStyle() = ImGuiStyle();
    ImGui::GetStyle().ScaleAllSizes(scale_of_text);
    ImGui::GetStyle().WindowRounding = px(4);
    ImGui::GetStyle().FrameRounding = px(3);
    ImGui::GetIO().Fonts->Clear();
    letters_add_font(ImGui::GetIO().Fonts, 13.5f * scale_of_text);
  }
  if (dark) {
    ImGui::StyleColorsDark();
  } else {
    ImGui::StyleColorsLight();
  }
  ImGui::GetStyle().Colors[ImGuiCol_WindowBg].w = 1;
}

extern "C" int panels_open(struct SDL_Window* window, void* context, double scale, int dark) {
  IMGUI_CHECKVERSION();
  ImGui::CreateContext();
  desk.open = true;
  ImGui::GetIO().IniFilename = nullptr;
  panels_look(scale, dark);
  return ImGui_ImplSDL2_InitForOpenGL(window, context) &&
         ImGui_ImplOpenGL3_Init("#version 330 core");
}

extern "C" void panels_covered(const Viewer* v, int covered[2]) {
  const bool any = desk.open && v->fast && v->panels && v->model;
  covered[0] = any && v->experts
                   ? static_cast<int>(v->pixel_ratio * static_cast<double>(px(VIEWER_LEFT)))
                   : 0;
  covered[1] = any ? static_cast<int>(v->pixel_ratio * static_cast<double>(px(VIEWER_BAR))) : 0;
}

extern "C" void panels_margins(const Viewer* v, double margin[3]) {
  const bool any = desk.open && v->panels && v->model;
  const bool right = any && (v->plots || tools_height(v) > 0);
  margin[0] = any && v->experts ? v->pixel_ratio * static_cast<double>(px(VIEWER_LEFT)) : 0;
  margin[1] = right ? v->pixel_ratio * static_cast<double>(right_width()) : 0;
  margin[2] = any ? v->pixel_ratio * static_cast<double>(px(VIEWER_BAR)) : 0;
}

extern "C" void panels_close(void) {
  if (!desk.open) return;
  ImGui_ImplOpenGL3_Shutdown();
  ImGui_ImplSDL2_Shutdown();
  ImGui::DestroyContext();
  desk = Desk();
}

// The mouse as the events report it. The backend of ImGui asks for its state at the time of the
// picture instead: if pictures are slow, or a remote desktop sends motion and clicks at once, a
// press would be seen where the mouse has gone since.
static void follow_mouse(const SDL_Event* event) {
  static const int index[4] = {-1, 0, 2, 1};
  if (event->type == SDL_MOUSEMOTION)
    desk.mouse = ImVec2(static_cast<float>(event->motion.x), static_cast<float>(event->motion.y));
  if (event->type != SDL_MOUSEBUTTONDOWN && event->type != SDL_MOUSEBUTTONUP) return;
  desk.mouse = ImVec2(static_cast<float>(event->button.x), static_cast<float>(event->button.y));
  if (event->button.button >= 1 && event->button.button <= 3)
    desk.button[index[event->button.button]] = event->type == SDL_MOUSEBUTTONDOWN;
}

extern "C" int panels_event(const SDL_Event* event) {
  ImGui_ImplSDL2_ProcessEvent(event);
  follow_mouse(event);
  const ImGuiIO& io = ImGui::GetIO();
  switch (event->type) {
    case SDL_MOUSEBUTTONDOWN:
    case SDL_MOUSEWHEEL:
      return io.WantCaptureMouse;
    case SDL_KEYDOWN:
      return io.WantTextInput;
    default:
      return 0;
  }
}

extern "C" void panels_draw(Viewer* v) {
  ImGui_ImplOpenGL3_NewFrame();
  ImGui_ImplSDL2_NewFrame();
  ImGui::GetIO().MousePos = desk.mouse;
  for (int i = 0; i < 3; ++i) ImGui::GetIO().MouseDown[i] = desk.button[i];
  ImGui::NewFrame();
  desk.solid = v->fast != 0;
  desk.board.clear();
  all_panels(v);
  if (v->def.log) log_outside(v);
  draw_boards(v);
  ImGui::Render();
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}
