// SPDX-License-Identifier: Apache-2.0
// Replaces SDL 2; the device is a joystick with force feedback. Axes: x to the right, y towards the
// user, full scale at 10 cm of the hand; full force is 2 N. A direction is the origin of a force.
#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include "hand.h"

#pragma GCC diagnostic ignored "-Wmissing-prototypes"

enum { JOYSTICK_AND_HAPTIC = 0x1200, CONSTANT = 1, CARTESIAN = 1, EFFECT = 3 };

typedef struct Effect {
  uint16_t type;
  uint8_t direction_type;
  int32_t direction[3];
  uint32_t length;
  uint16_t delay, button, interval;
  int16_t level;
} Effect;

MAKER int SDL_InitSubSystem(uint32_t systems) { return systems == JOYSTICK_AND_HAPTIC ? 0 : -1; }
MAKER void SDL_QuitSubSystem(uint32_t systems) { (void)systems; }
MAKER int SDL_NumJoysticks(void) { return !hand_gone; }
MAKER void* SDL_JoystickOpen(int index) {
  return index == 0 && hand_start("joystick") ? &hand : NULL;
}
MAKER void SDL_JoystickClose(void* stick) {
  (void)stick;
  hand_push(heft_vec3(0, 0, 0));
}
MAKER int SDL_JoystickGetAttached(void* stick) {
  (void)stick;
  return !hand_gone;
}
MAKER void SDL_JoystickUpdate(void) { hand_live(); }
MAKER int16_t SDL_JoystickGetAxis(void* stick, int axis) {
  const double place = axis == 0 ? hand_at.pos.x : axis == 1 ? -hand_at.pos.y : 0;
  (void)stick;
  return (int16_t)fmin(fmax(place / 0.1 * 32768, -32768), 32767);
}
MAKER uint8_t SDL_JoystickGetButton(void* stick, int button) {
  (void)stick;
  return button >= 0 && button < 32 && (hand_at.buttons >> button & 1u) != 0;
}
MAKER const char* SDL_JoystickName(void* stick) {
  (void)stick;
  return "emulated joystick";
}
MAKER void* SDL_HapticOpenFromJoystick(void* stick) { return stick; }
MAKER void SDL_HapticClose(void* haptic) { (void)haptic; }
MAKER int SDL_HapticUpdateEffect(void* haptic, int effect, Effect* e) {
  (void)haptic, (void)effect;
  if (e->type != CONSTANT || e->direction_type != CARTESIAN) return -1;
  const double push = -2.0 * e->level / 32767 / 1000;
  hand_push(heft_vec3(push * e->direction[0], -push * e->direction[1], 0));
  return hand_gone ? -1 : 0;
}
MAKER int SDL_HapticNewEffect(void* haptic, Effect* e) {
  return SDL_HapticUpdateEffect(haptic, EFFECT, e) == 0 ? EFFECT : -1;
}
MAKER int SDL_HapticRunEffect(void* haptic, int effect, uint32_t times) {
  (void)haptic, (void)times;
  return effect == EFFECT ? 0 : -1;
}
