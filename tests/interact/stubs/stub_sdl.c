// SPDX-License-Identifier: Apache-2.0
// Stands for SDL 2 with a joystick that pushes back along its y axis.
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "stub_hand.h"

#pragma GCC diagnostic ignored "-Wmissing-prototypes"

typedef struct Effect {
  uint16_t type;
  uint8_t direction_type;
  int32_t direction[3];
  uint32_t length;
  uint16_t delay, button, interval;
  int16_t level;
} Effect;

STUB int SDL_InitSubSystem(uint32_t systems) { return systems == 0x1200 ? 0 : -1; }
STUB void SDL_QuitSubSystem(uint32_t systems) { (void)systems; }
STUB int SDL_NumJoysticks(void) { return !stub_gone; }
STUB void* SDL_JoystickOpen(int index) {
  (void)index;
  for (int i = 0; i < 3; ++i) stub_pos[i] = stub_vel[i] = stub_force[i] = 0;
  stub_wish[1] = 0.02;  // towards the person: our -y
  return stub_pos;
}
STUB void SDL_JoystickClose(void* stick) { (void)stick; }
STUB int SDL_JoystickGetAttached(void* stick) {
  (void)stick;
  return !stub_gone;
}
STUB void SDL_JoystickUpdate(void) { stub_move(); }
STUB int16_t SDL_JoystickGetAxis(void* stick, int axis) {
  (void)stick;
  return (int16_t)(stub_pos[axis] / 0.1 * 32768);
}
STUB uint8_t SDL_JoystickGetButton(void* stick, int button) {
  (void)stick;
  return button == 2;
}
STUB const char* SDL_JoystickName(void* stick) {
  (void)stick;
  return "stub stick";
}
STUB void* SDL_HapticOpenFromJoystick(void* stick) { return stick; }
STUB void SDL_HapticClose(void* haptic) { (void)haptic; }
STUB int SDL_HapticUpdateEffect(void* haptic, int effect, Effect* e) {
  (void)haptic, (void)effect;
  if (e->type != 1 || e->direction_type != 1) return -1;
  const double size = 2.0 * e->level / 32767;
  for (int i = 0; i < 2; ++i) stub_force[i] = -size * e->direction[i] / 1000;
  return stub_gone ? -1 : 0;
}
STUB int SDL_HapticNewEffect(void* haptic, Effect* e) {
  return SDL_HapticUpdateEffect(haptic, 0, e) == 0 ? 3 : -1;
}
STUB int SDL_HapticRunEffect(void* haptic, int effect, uint32_t times) {
  (void)haptic, (void)times;
  return effect == 3 ? 0 : -1;
}
