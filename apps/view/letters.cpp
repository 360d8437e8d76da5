// SPDX-License-Identifier: Apache-2.0
// Letters by the font atlas of Dear ImGui, which needs neither a window nor a context.
#include "view/letters.h"

#include <imgui.h>

#include <cmath>
#include <cstring>
#include <filesystem>

void letters_add_font(ImFontAtlas* atlas, float size) {
  static const char* const files[] = {"/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
                                      "/usr/share/fonts/TTF/DejaVuSans.ttf",
                                      "/usr/share/fonts/dejavu-sans-fonts/DejaVuSans.ttf"};
  for (const char* file : files) {
    std::error_code error;
    if (std::filesystem::exists(file, error) && atlas->AddFontFromFileTTF(file, size)) return;
  }
  ImFontConfig config;
  config.SizePixels = std::floor(size);
  atlas->AddFontDefault(&config);
}

extern "C" int letters_make(Letters* letters, double size, const HeftAllocator* allocator) {
  ImFontAtlas atlas;
  unsigned char* pixels = nullptr;
  letters_add_font(&atlas, static_cast<float>(size));
  atlas.GetTexDataAsAlpha8(&pixels, &letters->width, &letters->height);
  letters->size = static_cast<size_t>(letters->width) * static_cast<size_t>(letters->height);
  letters->pixels =
      static_cast<unsigned char*>(allocator->allocate(allocator->user, letters->size, 16));
  if (!letters->pixels) return 0;
  std::memcpy(letters->pixels, pixels, letters->size);
  const ImFont* font = atlas.Fonts[0];
  letters->line = font->FontSize;
  for (int i = 0; i < LETTERS_COUNT; ++i) {
    const ImFontGlyph* g = font->FindGlyph(static_cast<ImWchar>(LETTERS_FIRST + i));
    letters->letter[i] = {
        {g->X0, g->Y0}, {g->X1, g->Y1}, {g->U0, g->V0}, {g->U1, g->V1}, g->AdvanceX};
  }
  return 1;
}

extern "C" void letters_free(Letters* letters, const HeftAllocator* allocator) {
  if (letters->pixels) allocator->release(allocator->user, letters->pixels, letters->size);
  letters->pixels = nullptr;
}

extern "C" const Letter* letters_of(const Letters* letters, char byte) {
  const int i = static_cast<unsigned char>(byte) - LETTERS_FIRST;
  return &letters->letter[i >= 0 && i < LETTERS_COUNT ? i : '?' - LETTERS_FIRST];
}
