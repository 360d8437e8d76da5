// SPDX-License-Identifier: Apache-2.0
// Monkey test of the window: random keys, clicks, drags, wheels, sizes and files, determined by the
// seed. It never quits (Ctrl + Q), and saves no pictures, which would fill the disk.
#include <SDL.h>
#include <stdio.h>

#include "view/viewer.h"

// xorshift64*.
static uint32_t draw_number(uint64_t* seed) {
  *seed ^= *seed >> 12;
  *seed ^= *seed << 25;
  *seed ^= *seed >> 27;
  return (uint32_t)((*seed * 2685821657736338717u) >> 32);
}

static int below(uint64_t* seed, int max) { return (int)(draw_number(seed) % (uint32_t)max); }

static void press_key(uint64_t* seed) {
  static const SDL_Keycode keys[] = {
      SDLK_SPACE,  SDLK_RIGHT, SDLK_LEFT, SDLK_PLUS, SDLK_MINUS, SDLK_r, SDLK_k,  SDLK_h,
      SDLK_g,      SDLK_f,     SDLK_c,    SDLK_1,    SDLK_2,     SDLK_3, SDLK_4,  SDLK_5,
      SDLK_6,      SDLK_7,     SDLK_8,    SDLK_9,    SDLK_0,     SDLK_l, SDLK_j,  SDLK_s,
      SDLK_e,      SDLK_m,     SDLK_d,    SDLK_TAB,  SDLK_F1,    SDLK_o, SDLK_F5, SDLK_DOWN,
      SDLK_RETURN, SDLK_w,     SDLK_b,    SDLK_n,    SDLK_DELETE};
  SDL_Event e = {.type = SDL_KEYDOWN};
  e.key.keysym.sym = keys[below(seed, (int)(sizeof keys / sizeof *keys))];
  e.key.keysym.mod = (Uint16)(below(seed, 4) == 0 ? KMOD_SHIFT : 0);
  if (e.key.keysym.sym == SDLK_o) e.key.keysym.mod = KMOD_CTRL;
  SDL_PushEvent(&e);
  if (below(seed, 3) > 0) return;  // dialogs do not stay open long
  e.key.keysym.sym = SDLK_ESCAPE;
  e.key.keysym.mod = 0;
  SDL_PushEvent(&e);
}

static void move_mouse(Viewer* v, SDL_Window* window, uint64_t* seed) {
  const int x = below(seed, v->width + 1), y = below(seed, v->height + 1);
  SDL_Event e = {.type = SDL_MOUSEMOTION};
  SDL_WarpMouseInWindow(window, x, y);
  e.motion.x = x;
  e.motion.y = y;
  e.motion.xrel = x - v->mouse_x;
  e.motion.yrel = y - v->mouse_y;
  SDL_PushEvent(&e);
}

static void use_button(Viewer* v, uint64_t* seed) {
  SDL_Event e = {.type = below(seed, 2) ? SDL_MOUSEBUTTONDOWN : SDL_MOUSEBUTTONUP};
  e.button.button = (Uint8)(1 + below(seed, 3));
  e.button.clicks = (Uint8)(1 + below(seed, 2));
  e.button.x = v->mouse_x;
  e.button.y = v->mouse_y;
  SDL_PushEvent(&e);
}

static void drop_file(Viewer* v, uint64_t* seed) {
  char path[VIEWER_PATH];
  const int number = below(seed, 10);
  snprintf(path, sizeof path, "%.900s/monkey-%d.%s", v->def.folder ? v->def.folder : ".", number,
           number < 8 ? "xml" : "mcap");
  SDL_Event e = {.type = SDL_DROPFILE};
  e.drop.file = SDL_strdup(path);
  SDL_PushEvent(&e);
}

void monkey_play(Viewer* v, struct SDL_Window* window) {
  uint64_t* seed = &v->def.monkey;
  for (int i = below(seed, 4); i >= 0; --i) {
    const int what = below(seed, 1000);
    if (what < 500) {
      move_mouse(v, window, seed);
    } else if (what < 750) {
      use_button(v, seed);
    } else if (what < 950) {
      press_key(seed);
    } else if (what < 985) {
      SDL_Event e = {.type = SDL_MOUSEWHEEL};
      e.wheel.y = 1 - 2 * below(seed, 2);
      SDL_PushEvent(&e);
    } else if (what < 995) {
      SDL_SetWindowSize(window, 200 + below(seed, 440), 150 + below(seed, 330));
    } else {
      drop_file(v, seed);
    }
  }
}
