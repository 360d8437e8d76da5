// SPDX-License-Identifier: Apache-2.0
// The data of an instance, as bytes for rewinding and replay:
//
//     goal (its pointers as offsets) | start and poses of the laboratory | memory of the controller |
//     fallen | self of the act
//
// If the robot falls, because it was pushed, its joints give way slowly instead of struggling: no
// act has a plan for that.
#include "experiments/act_plugin.h"

#include <stdio.h>
#include <string.h>

#include "experiments/acts.h"

enum { DATA_MAX = 2048, OPTIONS_MAX = 8, FALLEN_KP = 2 };
static const double fallen_kv = 0.1;

// Options and other data of the act stand first, so that the table of its options holds for the
// instance, too.
typedef struct Instance {
  _Alignas(64) char self[DATA_MAX];
  const Act* act;
  Lab lab;
  int fallen;
} Instance;

// ---- bytes

// A place in the laboratory or in the act's data, as a number: -1 is NULL.
static long offset_of(const Instance* a, const double* p) {
  if (!p) return -1;
  const long inside = (const char*)p - a->self;
  if (inside >= 0 && inside < DATA_MAX) return -2 - inside;
  return p - a->lab.start;
}

static const double* place_of(const Instance* a, long offset) {
  if (offset == -1) return NULL;
  return offset < -1 ? (const double*)(const void*)(a->self - 2 - offset) : a->lab.start + offset;
}

// Numbers of start, poses, posture and rate.
static size_t pose_numbers(const Instance* a) {
  return (size_t)(LAB_POSES_MAX + 3) * (size_t)a->lab.model->nq;
}

typedef struct Head {
  HeftBipedGoal goal;
  long posture, posture_velocity;  // offsets
  double memory[HEFT_WHOLE_BODY_MEMORY];
  int fallen;
} Head;

static size_t save_size(const void* self) {
  const Instance* a = self;
  return sizeof(Head) + pose_numbers(a) * sizeof(double) + a->act->size;
}

static void save(const void* self, void* bytes) {
  const Instance* a = self;
  Head head;
  memset(&head, 0, sizeof head);
  head.goal = a->lab.goal;
  head.posture = offset_of(a, a->lab.goal.posture);
  head.posture_velocity = offset_of(a, a->lab.goal.posture_velocity);
  head.goal.posture = head.goal.posture_velocity = NULL;
  head.fallen = a->fallen;
  if (a->lab.biped) heft_whole_body_memory(heft_biped_whole_body(a->lab.biped), head.memory);
  char* to = bytes;
  memcpy(to, &head, sizeof head);
  memcpy(to + sizeof head, a->lab.start, pose_numbers(a) * sizeof(double));
  memcpy(to + sizeof head + pose_numbers(a) * sizeof(double), a->self, a->act->size);
}

static bool load(void* self, const void* bytes, size_t size) {
  Instance* a = self;
  Head head;
  const char* from = bytes;
  if (size != save_size(a)) return false;
  memcpy(&head, from, sizeof head);
  const long max = (long)pose_numbers(a), low = -2 - (long)a->act->size;
  if (head.posture < low || head.posture >= max || head.posture_velocity < low ||
      head.posture_velocity >= max)
    return false;
  a->lab.goal = head.goal;
  a->lab.goal.posture = place_of(a, head.posture);
  a->lab.goal.posture_velocity = place_of(a, head.posture_velocity);
  a->fallen = head.fallen;
  if (a->lab.biped) heft_biped_set_memory(a->lab.biped, head.memory);
  memcpy(a->lab.start, from + sizeof head, pose_numbers(a) * sizeof(double));
  memcpy(a->self, from + sizeof head + pose_numbers(a) * sizeof(double), a->act->size);
  return true;
}

// ---- life

// Plans the act from its initial pose, and leaves the world in it.
static int open(Instance* a, HeftWorld* world) {
  a->lab = lab_make("");
  a->lab.guest = 1;
  a->lab.world = world;
  a->lab.model = (HeftModel*)heft_world_model(world);  // a guest does not change it
  return act_open(a->act, &a->lab, a->self);
}

// The world keeps its state: it may be in the middle of the act.
static HeftStatus create(Instance* a, const Act* act, HeftWorld* world, HeftError* error) {
  HeftState* before = NULL;
  a->act = act;
  const HeftStatus status = heft_state_create(&before, heft_world_model(world), NULL, error);
  if (status != HEFT_OK) return status;
  heft_state_copy(before, heft_world_state(world));
  const int opened = open(a, world);
  heft_world_set_state(world, before);
  heft_state_destroy(before);
  if (opened) return HEFT_OK;
  snprintf(error->message, sizeof error->message, "%.500s", a->lab.error);
  lab_release(&a->lab);
  return HEFT_ERR_VALUE;
}

static void destroy(void* self) { lab_release(&((Instance*)self)->lab); }

// From the initial pose, with the options that the user chose.
static void reset(void* self, HeftWorld* world) {
  Instance* a = self;
  const HeftOptions options = a->act->options;
  double value[OPTIONS_MAX];
  for (int i = 0; i < options.count; ++i) value[i] = heft_option_value(&options.option[i], a->self);
  memset(a->self, 0, sizeof a->self);
  for (int i = 0; i < options.count; ++i)
    heft_options_set(options, a->self, options.option[i].name, value[i], NULL);
  lab_release(&a->lab);
  a->fallen = 0;
  open(a, world);
}

static void before_step(void* self, HeftWorld* world) {
  Instance* a = self;
  (void)world;
  a->fallen |= !lab_upright(&a->lab);
  if (!a->fallen) {
    a->act->control(&a->lab, a->self);
    return;
  }
  a->lab.goal.posture = a->lab.start;
  a->lab.goal.posture_velocity = NULL;
  lab_servo(&a->lab, FALLEN_KP, fallen_kv);
}

static void after_step(void* self, const HeftWorld* world, const HeftStepReport* report) {
  Instance* a = self;
  (void)world;
  if (!a->fallen && a->act->observe) a->act->observe(&a->lab, a->self, report);
}

// ---- the tables

#define ACT_CREATE(act)                                                                   \
  static HeftStatus create_##act(void* self, HeftWorld* world, HeftError* error) {        \
    return create(self, &act_##act, world, error);                                        \
  }
ACT_LIST(ACT_CREATE)

typedef HeftStatus Create(void* self, HeftWorld* world, HeftError* error);

#define ACT_ROW(act) {&act_##act, create_##act},
static const struct {
  const Act* act;
  Create* create;
} table[] = {ACT_LIST(ACT_ROW)};

enum { ACTS = sizeof table / sizeof *table };

const Act* act_at(int i) { return i >= 0 && i < ACTS ? table[i].act : NULL; }

const Act* act_find(const char* name) {
  for (int i = 0; i < ACTS; ++i)
    if (strcmp(table[i].act->name, name) == 0) return table[i].act;
  return NULL;
}

const HeftPlugin* act_plugin(const Act* act) {
  static HeftPlugin plugin[ACTS];
  for (int i = 0; i < ACTS; ++i) {
    if (table[i].act != act || act->size > DATA_MAX || act->options.count > OPTIONS_MAX) continue;
    plugin[i] = (HeftPlugin){.cookie = HEFT_DEF_COOKIE(HeftPlugin),
                             .name = act->name,
                             .help = act->text,
                             .size = sizeof(Instance),
                             .options = act->options,
                             .create = table[i].create,
                             .destroy = destroy,
                             .reset = reset,
                             .before_step = before_step,
                             .after_step = after_step,
                             .save_size = save_size,
                             .save = save,
                             .load = load};
    return &plugin[i];
  }
  return NULL;
}
