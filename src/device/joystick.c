// SPDX-License-Identifier: Apache-2.0
// Joysticks and wheels with force feedback through SDL 2: two axes, and a constant force in their
// plane. The stick is the place: full deflection is the edge of the workspace.
//
// Its axes: x to the right, y towards the person. A direction of SDL is where a force comes from.
#include <stddef.h>
#include <string.h>

#include "base/error.h"
#include "device/driver_list.h"
#include "device/shared_library.h"
#include "device/text.h"

enum { SDL_JOYSTICK = 0x200, SDL_HAPTIC = 0x1000, CONSTANT = 1, CARTESIAN = 1, BUTTONS = 16 };

static const double reach = 0.1;      // at full deflection [m]
static const double strongest = 2.0;  // force of the full level [N]

// SDL_HapticConstant, and room for the other effects of the union.
typedef struct Effect {
  uint16_t type;
  uint8_t direction_type;
  int32_t direction[3];
  uint32_t length;
  uint16_t delay, button, interval;
  int16_t level;
  uint16_t attack_length, attack_level, fade_length, fade_level;
  uint32_t more[24];
} Effect;

typedef struct Stick {
  void* library;
  struct {
    int (*init)(uint32_t systems);
    void (*quit)(uint32_t systems);
    int (*count)(void);
    void* (*open)(int index);
    void (*close)(void* stick);
    int (*attached)(void* stick);
    void (*update)(void);
    int16_t (*axis)(void* stick, int axis);
    uint8_t (*button)(void* stick, int button);
    const char* (*name)(void* stick);
    void* (*haptic)(void* stick);
    void (*haptic_close)(void* haptic);
    int (*new_effect)(void* haptic, Effect* effect);
    int (*update_effect)(void* haptic, int effect, Effect* data);
    int (*run_effect)(void* haptic, int effect, uint32_t times);
  } sdl;
  void *stick, *haptic;
  int effect;
  HeftVec3 pos, vel;
  uint64_t number, last_ns;
} Stick;

#define SYMBOL(name, field) \
  { name, offsetof(Stick, sdl.field) - offsetof(Stick, sdl), 0 }
static const Symbol symbols[] = {
    SYMBOL("SDL_InitSubSystem", init),
    SYMBOL("SDL_QuitSubSystem", quit),
    SYMBOL("SDL_NumJoysticks", count),
    SYMBOL("SDL_JoystickOpen", open),
    SYMBOL("SDL_JoystickClose", close),
    SYMBOL("SDL_JoystickGetAttached", attached),
    SYMBOL("SDL_JoystickUpdate", update),
    SYMBOL("SDL_JoystickGetAxis", axis),
    SYMBOL("SDL_JoystickGetButton", button),
    SYMBOL("SDL_JoystickName", name),
    SYMBOL("SDL_HapticOpenFromJoystick", haptic),
    SYMBOL("SDL_HapticClose", haptic_close),
    SYMBOL("SDL_HapticNewEffect", new_effect),
    SYMBOL("SDL_HapticUpdateEffect", update_effect),
    SYMBOL("SDL_HapticRunEffect", run_effect),
};

static Effect push(HeftVec3 force) {
  const double size = heft_vec3_norm(heft_vec3(force.x, force.y, 0));
  Effect e;
  memset(&e, 0, sizeof e);
  e.type = CONSTANT;
  e.direction_type = CARTESIAN;
  e.direction[0] = size > 0 ? (int32_t)(-1000 * force.x / size) : 1000;
  e.direction[1] = size > 0 ? (int32_t)(1000 * force.y / size) : 0;
  e.length = UINT32_MAX;
  e.level = (int16_t)(32767 * (size < strongest ? size / strongest : 1));
  return e;
}

static void start_effect(Stick* s) {
  s->effect = -1;
  s->haptic = s->sdl.haptic(s->stick);
  if (!s->haptic) return;
  Effect e = push(heft_vec3(0, 0, 0));
  s->effect = s->sdl.new_effect(s->haptic, &e);
  if (s->effect >= 0) s->sdl.run_effect(s->haptic, s->effect, UINT32_MAX);
}

// ---- address: [number][@library]

static HeftStatus stick_open(void* self, const char* address, HeftError* error) {
  static const char* const names[] = {"libSDL2-2.0.so.0", "libSDL2.so", NULL};
  Stick* s = self;
  const char* at = strchr(address, '@');
  double index = 0;
  const char* digits = address;
  text_number(&digits, &index);
  s->library = shared_open(at ? at + 1 : "", names, "SDL 2", symbols,
                           (int)(sizeof symbols / sizeof *symbols), &s->sdl, error);
  if (!s->library) return HEFT_ERR_FILE;
  const int ready = s->sdl.init(SDL_JOYSTICK | SDL_HAPTIC) == 0;
  const int there = ready && index >= 0 && (int)index < s->sdl.count();
  s->stick = there ? s->sdl.open((int)index) : NULL;
  if (!s->stick) {
    if (ready) s->sdl.quit(SDL_JOYSTICK | SDL_HAPTIC);
    shared_close(s->library);
    return heft_error_set(error, HEFT_ERR_FILE, "there is no joystick %d", (int)index);
  }
  start_effect(s);
  return HEFT_OK;
}

static void stick_close(void* self) {
  Stick* s = self;
  if (s->haptic) s->sdl.haptic_close(s->haptic);
  s->sdl.close(s->stick);
  s->sdl.quit(SDL_JOYSTICK | SDL_HAPTIC);
  shared_close(s->library);
}

static void stick_info(void* self, HeftDeviceInfo* info) {
  Stick* s = self;
  const char* name = s->sdl.name(s->stick);
  *info = (HeftDeviceInfo){.axes_sensed = 3,
                           .axes_driven = s->effect >= 0 ? 3 : 0,
                           .lowest = {-0.1, -0.1, -0.1},
                           .highest = {0.1, 0.1, 0.1},
                           .force_max = strongest,
                           .damping = 0.3,
                           .friction = 0.3,
                           .resolution = 1e-3,
                           .rate = 100};
  if (!name) name = "joystick";
  for (size_t i = 0; i + 1 < sizeof info->name && name[i]; ++i) info->name[i] = name[i];
}

static HeftDeviceRead stick_read(void* self, uint64_t now_ns, HeftDeviceSample* out) {
  Stick* s = self;
  s->sdl.update();
  if (!s->sdl.attached(s->stick)) return HEFT_DEVICE_LOST;
  const HeftVec3 pos = {reach * s->sdl.axis(s->stick, 0) / 32768,
                        -reach * s->sdl.axis(s->stick, 1) / 32768, 0};
  const double dt = s->last_ns ? (double)(int64_t)(now_ns - s->last_ns) * 1e-9 : 0;
  if (dt > 0) {
    const HeftVec3 rate = heft_vec3_scale(1 / dt, heft_vec3_sub(pos, s->pos));
    s->vel = heft_vec3_add_scaled(s->vel, dt / (dt + 0.02), heft_vec3_sub(rate, s->vel));
  }
  s->pos = pos;
  s->last_ns = now_ns;
  *out = (HeftDeviceSample){
      .time_ns = now_ns, .number = ++s->number, .pos = s->pos, .rot = {1, 0, 0, 0}, .vel = s->vel};
  for (int i = 0; i < BUTTONS; ++i)
    out->buttons |= (unsigned)(s->sdl.button(s->stick, i) != 0) << i;
  return HEFT_DEVICE_FRESH;
}

static bool stick_write(void* self, uint64_t now_ns, const HeftDeviceForce* f) {
  Stick* s = self;
  (void)now_ns;
  if (s->effect < 0) return 1;
  Effect e = push(f->force);
  return s->sdl.update_effect(s->haptic, s->effect, &e) == 0;
}

const HeftDriver heft_driver_joystick = {
    .name = "joystick",
    .text = "joysticks and wheels with force feedback, through SDL 2",
    .address = "[number][@library], 0@libSDL2-2.0.so.0",
    .size = sizeof(Stick),
    .open = stick_open,
    .close = stick_close,
    .info = stick_info,
    .read = stick_read,
    .write = stick_write,
};
