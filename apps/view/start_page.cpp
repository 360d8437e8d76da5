// SPDX-License-Identifier: Apache-2.0
// The start page: recent files at the left, pictures of robots and scenes that come with Heft at
// the right. A click opens one.
#include <algorithm>
#include <cstring>

#include "view/panel.h"

namespace {

const char* file_name(const char* path) {
  const char* slash = std::strrchr(path, '/');
  return slash ? slash + 1 : path;
}

void recent_files(Viewer* v) {
  if (ImGui::Button("Open a file (Ctrl + O)")) v->open_dialog = 1;
  tip("MJCF, URDF or .heft; a file can also be dropped on this window");
  if (ImGui::Button("Keys and mouse (?)")) v->help = !v->help;
  ImGui::Dummy(ImVec2(0, px(12)));
  ImGui::TextDisabled("Recent files");
  if (!v->memory.recent[0][0]) ImGui::TextWrapped("none yet");
  for (int i = 0; i < VIEWER_RECENT && v->memory.recent[i][0]; ++i) {
    ImGui::PushID(i);
    if (ImGui::Selectable(file_name(v->memory.recent[i]))) viewer_ask_open(v, v->memory.recent[i]);
    tip(v->memory.recent[i]);
    ImGui::PopID();
  }
}

void card(Viewer* v, int i, float width) {
  const HeftGalleryEntry* e = &v->def.gallery[i];
  const ImVec2 size(width, 0.625f * width);
  const unsigned texture = i < VIEWER_GALLERY ? v->thumbnail[i].texture : 0;
  ImGui::PushID(i);
  ImGui::BeginGroup();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  if (ImGui::InvisibleButton("open", size)) viewer_ask_entry(v, i);
  log_button(v, e->name);
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 end(at.x + size.x, at.y + size.y);
  if (texture) {
    const ImTextureID id = reinterpret_cast<ImTextureID>(static_cast<intptr_t>(texture));
    list->AddImageRounded(id, at, end, ImVec2(0, 1), ImVec2(1, 0), IM_COL32_WHITE, px(5));
  } else {
    list->AddRectFilled(at, end, ImGui::GetColorU32(ImGuiCol_FrameBg), px(5));
  }
  if (ImGui::IsMouseHoveringRect(at, end) && ImGui::IsWindowHovered()) v->entry_now = i;
  if (v->entry_now == i)
    list->AddRect(at, end, ImGui::GetColorU32(ImGuiCol_ButtonHovered), px(5), 0, px(2));
  ImGui::TextUnformatted(e->name);
  ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + width);
  ImGui::TextDisabled("%s", e->text);
  ImGui::PopTextWrapPos();
  ImGui::EndGroup();
  ImGui::PopID();
}

// The entries that act, or the others.
void cards(Viewer* v, bool acting) {
  const float gap = px(14), room = ImGui::GetContentRegionAvail().x;
  const int columns = std::max(1, static_cast<int>((room + gap) / (px(190) + gap)));
  const float width = (room + gap) / static_cast<float>(columns) - gap;
  if (!ImGui::BeginTable(acting ? "acts" : "scenes", columns, ImGuiTableFlags_SizingStretchSame))
    return;
  for (int i = 0; i < v->def.gallery_count; ++i) {
    if (v->def.gallery[i].acts != acting) continue;
    ImGui::TableNextColumn();
    card(v, i, std::min(width, ImGui::GetContentRegionAvail().x));
    ImGui::Dummy(ImVec2(0, px(8)));
  }
  ImGui::EndTable();
}

}  // namespace

void start_page(Viewer* v) {
  v->entry_now = -1;
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  place(0, 0, static_cast<double>(size.x), static_cast<double>(size.y));
  ImGui::Begin("start", nullptr, FIXED_PANEL | ImGuiWindowFlags_NoBackground);
  ImGui::BeginChild("recent", ImVec2(px(VIEWER_LEFT - 16), 0));
  ImGui::SetWindowFontScale(1.6f);
  ImGui::TextUnformatted("Heft");
  ImGui::SetWindowFontScale(1);
  ImGui::Dummy(ImVec2(0, px(6)));
  recent_files(v);
  ImGui::EndChild();
  ImGui::SameLine();
  ImGui::BeginChild("gallery");
  ImGui::TextDisabled("Robots that act: point at one to see it move, click to open it");
  cards(v, true);
  ImGui::TextDisabled("Scenes: pull what you like");
  cards(v, false);
  ImGui::EndChild();
  ImGui::End();
  if (v->entry_now != v->hovered_entry) v->hovered_since = v->now;
  v->hovered_entry = v->entry_now;
}
