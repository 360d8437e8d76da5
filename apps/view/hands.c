// SPDX-License-Identifier: Apache-2.0
// Actions of the mouse and the keys.
#include <SDL.h>
#include <string.h>

#include "interact/hand.h"
#include "view/moves.h"
#include "view/viewer.h"

// ---- positions

static double aspect(const Viewer* v) { return (double)v->width / (v->height > 0 ? v->height : 1); }

static HeftVec3 ray_at(const Viewer* v, int x, int y) {
  const double px = 2 * (x + 0.5) * v->pixel_ratio / v->width - 1,
               py = 1 - 2 * (y + 0.5) * v->pixel_ratio / v->height;
  return heft_camera_ray(&v->picture.camera, px, py, aspect(v));
}

static HeftPick pick_at(const Viewer* v, int x, int y) {
  return heft_renderer_pick(v->renderer, &v->picture, heft_camera_eye(&v->picture.camera),
                            ray_at(v, x, y));
}

// The point under the mouse at the depth of the grabbed point.
static HeftVec3 point_at(const Viewer* v, int x, int y) {
  const HeftPose eye = heft_camera_pose(&v->picture.camera);
  const HeftVec3 way = ray_at(v, x, y);
  const double cosine = -heft_vec3_dot(way, heft_mat3_column(eye.rot, 2));
  return heft_vec3_add_scaled(eye.pos, v->grab_depth / (cosine > 1e-3 ? cosine : 1e-3), way);
}

// ---- mouse

// A pull never exceeds a share of the weight, unless Shift is held.
static void limit_pull(Viewer* v) {
  v->strong = (SDL_GetModState() & KMOD_SHIFT) != 0;
  v->grab.force_max = v->strong ? 0 : hand_gentle_force(v->model, v->grab.body);
}

static void take(Viewer* v, const HeftPick* pick) {
  const HeftPose eye = heft_camera_pose(&v->picture.camera);
  v->grab = (HeftGrab){.body = pick->body,
                       .point = heft_pose_apply_inverse(v->poses[pick->body], pick->pos),
                       .target = pick->pos};
  v->grab_depth = -heft_vec3_dot(heft_vec3_sub(pick->pos, eye.pos), heft_mat3_column(eye.rot, 2));
  v->pulling = 1;
  limit_pull(v);
}

static void let_go(Viewer* v) {
  if (!v->pulling) return;
  v->pulling = 0;
  v->grab.body = -1;
  heft_simulation_grab(v->simulation, &v->grab);
  viewer_log(v, "released");
}

static void tap(Viewer* v, const HeftPick* pick, int x, int y) {
  const double impulse = 0.4 * hand_tree_mass(v->model, pick->body);
  heft_simulation_apply_impulse(v->simulation, pick->body, pick->pos,
                                heft_vec3_scale(impulse, ray_at(v, x, y)));
  viewer_notice(v, "impulse on %s: %.3g N s",
                heft_model_name(v->model, HEFT_NAMED_BODY, pick->body), impulse);
  viewer_log(v, "tap body %d", pick->body);
}

static void press(Viewer* v, const SDL_MouseButtonEvent* b) {
  const SDL_Keymod mod = SDL_GetModState();
  v->mouse_down = b->button;
  v->mouse_moved = 0;
  if (b->button != SDL_BUTTON_LEFT || mod & KMOD_ALT) return;
  const HeftPick pick = pick_at(v, b->x, b->y);
  if (b->clicks >= 2) {
    viewer_select(v, pick.body);
    v->about_body = pick.body > 0;
    viewer_log(v, "double click body %d", pick.body);
    return;
  }
  if (pick.body <= 0 || !body_moves(v->model, pick.body)) return;
  if (mod & KMOD_CTRL) {
    tap(v, &pick, b->x, b->y);
  } else {
    take(v, &pick);
  }
}

static void release(Viewer* v, const SDL_MouseButtonEvent* b) {
  if (b->button != v->mouse_down) return;
  v->mouse_down = 0;
  if (!v->mouse_moved && b->button == SDL_BUTTON_LEFT && b->clicks < 2)
    viewer_select(v, pick_at(v, b->x, b->y).body);
  let_go(v);
}

static void move(Viewer* v, const SDL_MouseMotionEvent* m) {
  const double height = v->height / v->pixel_ratio;
  const double dx = m->xrel / height, dy = m->yrel / height;
  v->mouse_x = m->x;
  v->mouse_y = m->y;
  if (!v->mouse_down) return;
  if (m->xrel != 0 || m->yrel != 0) v->mouse_moved = 1;
  if (v->pulling) {
    const int fresh = v->mouse_moved && v->grab.body > 0;
    v->grab.target = point_at(v, m->x, m->y);
    limit_pull(v);
    if (fresh) heft_simulation_grab(v->simulation, &v->grab);
    return;
  }
  const int shift = (SDL_GetModState() & KMOD_SHIFT) != 0;
  if (v->mouse_down == SDL_BUTTON_MIDDLE || (shift && v->mouse_down == SDL_BUTTON_LEFT)) {
    heft_camera_pan(&v->picture.camera, dx, dy);
  } else {
    heft_camera_orbit(&v->picture.camera, dx, dy);
  }
}

// ---- keys

static void next_key(Viewer* v) {
  if (v->model->nkey == 0) return;
  v->def.key = v->def.key + 1 < v->model->nkey ? v->def.key + 1 : -1;
  heft_simulation_reset(v->simulation, v->def.key);
  viewer_notice(v, "keyframe: %s",
                v->def.key < 0 ? "the pose of the file"
                               : heft_model_name(v->model, HEFT_NAMED_KEY, v->def.key));
}

static void toggle_follow(Viewer* v) {
  v->follow = v->follow > 0 ? -1 : (v->selected > 0 ? v->selected : 1);
  if (v->follow >= v->model->nbody) v->follow = -1;
  if (v->follow > 0) v->follow_at = v->poses[v->follow].pos;
  viewer_notice(v, v->follow > 0 ? "the camera follows %s" : "the camera is fixed",
                v->follow > 0 ? heft_model_name(v->model, HEFT_NAMED_BODY, v->follow) : "");
}

static void toggle_hold(Viewer* v) {
  v->command.hold = v->command.hold > 0 ? 0 : 1;
  viewer_apply_command(v);
  viewer_notice(v, v->command.hold > 0 ? "springs hold the joints" : "the joints are free");
}

static void toggle_ghost(Viewer* v) {
  heft_simulation_ghost(v->simulation, !v->frame->ghost);
  viewer_notice(v, v->frame->ghost ? "ghost removed"
                                   : "ghost with the current settings: change settings to compare");
}

static void toggle_show(Viewer* v, SDL_Keycode key) {
  const int index = key == SDLK_0 ? 9 : (int)(key - SDLK_1);
  if (index < 0 || index > 9) return;
  v->show ^= 1u << index;
  viewer_log(v, "show %u", v->show);
  viewer_notice(v, "%s: %s", heft_show_text((HeftShowIndex)index),
                v->show >> index & 1u ? "shown" : "hidden");
}

// Keys that need a model.
static void time_key(Viewer* v, SDL_Keycode key, int shift) {
  switch (key) {
    case SDLK_SPACE:
      viewer_toggle_run(v);
      return;
    case SDLK_RIGHT:
      heft_simulation_step(v->simulation, shift ? 10 : 1);
      return;
    case SDLK_LEFT:
      heft_simulation_rewind(v->simulation, v->frame->time - (shift ? 2 : 0.1));
      return;
    case SDLK_PLUS:
    case SDLK_EQUALS:
    case SDLK_KP_PLUS:
      viewer_change_factor(v, 2);
      return;
    case SDLK_MINUS:
    case SDLK_KP_MINUS:
      viewer_change_factor(v, 0.5);
      return;
    case SDLK_BACKSPACE:
    case SDLK_r:
      heft_simulation_reset(v->simulation, v->def.key);
      return;
    case SDLK_k:
      next_key(v);
      return;
    case SDLK_h:
      toggle_hold(v);
      return;
    case SDLK_g:
      toggle_ghost(v);
      return;
    case SDLK_f:
      toggle_follow(v);
      return;
    case SDLK_c:
      v->ask.new_camera = 1;
      return;
    default:
      toggle_show(v, key);
      return;
  }
}

static void escape(Viewer* v) {
  if (v->help || v->open_dialog || v->error[0]) {
    v->help = v->open_dialog = 0;
    v->error[0] = '\0';
  } else {
    viewer_select(v, -1);
    v->about_body = 0;
  }
}

static void window_key(Viewer* v, SDL_Keycode key, int shift, int ctrl) {
  if (ctrl) {
    if (key == SDLK_o) v->open_dialog = 1;
    if (key == SDLK_q) v->ask.quit = 1;
    return;
  }
  switch (key) {
    case SDLK_F1:
      v->help = !v->help;
      return;
    case SDLK_QUESTION:
    case SDLK_SLASH:
      if (key == SDLK_QUESTION || shift) v->help = !v->help;
      return;
    case SDLK_ESCAPE:
      escape(v);
      return;
    case SDLK_TAB:
      if (shift) {
        v->panels = !v->panels;
      } else {
        viewer_toggle_experts(v);
      }
      return;
    case SDLK_p:
    case SDLK_F12:
      v->ask.screenshot = 1;
      return;
    case SDLK_v:
      v->ask.film = 1;
      return;
    case SDLK_l:
      v->plots = !v->plots;
      return;
    case SDLK_j:
      v->sliders = !v->sliders;
      return;
    case SDLK_s:
      v->settings_panel = !v->settings_panel;
      return;
    case SDLK_w:
      v->world_panel = !v->world_panel;
      return;
    case SDLK_b:
      viewer_add(v, HEFT_CHANGE_BOX, NULL);
      return;
    case SDLK_n:
      viewer_add(v, HEFT_CHANGE_BALL, NULL);
      return;
    case SDLK_DELETE:
      viewer_remove(v);
      return;
    case SDLK_e:
      v->devices_panel = !v->devices_panel;
      return;
    case SDLK_m:
      v->ask.record = 1;
      return;
    case SDLK_d:
      v->memory.dark = !v->memory.dark;
      panels_look(0, v->memory.dark);
      return;
    default:
      if (v->model) time_key(v, key, shift);
      return;
  }
}

// Shift, while a body is pulled.
static void change_limit(Viewer* v, SDL_Keycode key) {
  if (!v->pulling || v->grab.body <= 0 || (key != SDLK_LSHIFT && key != SDLK_RSHIFT)) return;
  limit_pull(v);
  heft_simulation_grab(v->simulation, &v->grab);
}

void hands_event(Viewer* v, const SDL_Event* event) {
  if (event->type == SDL_KEYDOWN || event->type == SDL_KEYUP)
    change_limit(v, event->key.keysym.sym);
  if (event->type == SDL_KEYDOWN) {
    const SDL_Keymod mod = event->key.keysym.mod;
    window_key(v, event->key.keysym.sym, (mod & KMOD_SHIFT) != 0, (mod & KMOD_CTRL) != 0);
  }
  if (!v->model) return;
  if (event->type == SDL_MOUSEBUTTONDOWN) press(v, &event->button);
  if (event->type == SDL_MOUSEBUTTONUP) release(v, &event->button);
  if (event->type == SDL_MOUSEMOTION) move(v, &event->motion);
  if (event->type == SDL_MOUSEWHEEL && event->wheel.y != 0)
    heft_camera_zoom(&v->picture.camera, event->wheel.y > 0 ? 0.88 : 1 / 0.88);
}
