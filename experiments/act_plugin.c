// SPDX-License-Identifier: Apache-2.0
// Papers: R52.
// The data of an instance, as bytes for rewinding and replay:
//
//     goal (its pointers as offsets), memory of the controller, fallen |
//     start and poses of the laboratory | compliance | self of the act
//
// A browser repeats what a native program recorded and the reverse, so pointers, whose size
// differs, are not among the bytes.
//
// If the robot falls, because it was pushed, its joints give way slowly instead of struggling: no
// act has a plan for that.
#include "experiments/act_plugin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/acts.h"

enum { DATA_MAX = 8192, FALLEN_KP = 2 };
static const double fallen_kv = 0.1;

// Options and other data of the act stand first, so that the table of its options holds for the
// instance, too.
typedef struct Instance {
  _Alignas(64) char self[DATA_MAX];
  const Act* act;
  Lab lab;
  HeftState* start;  // the initial state of the act
  int fallen;
} Instance;

// ---- bytes

// A place in the laboratory or in the act's data, as a number: -1 is NULL.
static int64_t offset_of(const Instance* a, const double* p) {
  if (!p) return -1;
  const ptrdiff_t inside = (const char*)p - a->self;
  if (inside >= 0 && inside < DATA_MAX) return -2 - inside;
  return p - a->lab.start;
}

static const double* place_of(const Instance* a, int64_t offset) {
  if (offset == -1) return NULL;
  return offset < -1 ? (const double*)(const void*)(a->self + (-2 - offset))
                     : a->lab.start + offset;
}

// Numbers of start, poses, posture and rate.
static size_t pose_numbers(const Instance* a) {
  return (size_t)(LAB_POSES_MAX + 3) * (size_t)a->lab.model->nq;
}

// The goal before and behind its pointers.
enum {
  GOAL_FIRST = offsetof(HeftBipedGoal, posture),
  GOAL_REST = offsetof(HeftBipedGoal, point_task_count),
  GOAL_SIZE = GOAL_FIRST + (int)sizeof(HeftBipedGoal) - GOAL_REST
};

typedef struct Head {
  _Alignas(8) char goal[GOAL_SIZE];
  int64_t posture, posture_velocity;         // offsets
  double memory[2][HEFT_WHOLE_BODY_MEMORY];  // of the robot, and of a second one
  int fallen;
  int nq, nv, nbody;  // of the model; the robot comes first, objects behind it may come and go
} Head;

static void put_goal(Head* head, const HeftBipedGoal* goal) {
  memcpy(head->goal, goal, GOAL_FIRST);
  memcpy(head->goal + GOAL_FIRST, (const char*)goal + GOAL_REST, GOAL_SIZE - GOAL_FIRST);
}

static HeftBipedGoal take_goal(const Head* head) {
  HeftBipedGoal goal = {.posture = NULL};
  memcpy(&goal, head->goal, GOAL_FIRST);
  memcpy((char*)&goal + GOAL_REST, head->goal + GOAL_FIRST, GOAL_SIZE - GOAL_FIRST);
  return goal;
}

// Bytes of the compliance: offset and velocity of each dof.
static size_t compliance_size(const Instance* a) {
  return a->lab.compliance ? 2 * (size_t)a->lab.model->nv * sizeof(double) : 0;
}

static size_t save_size(const void* self) {
  const Instance* a = self;
  return sizeof(Head) + pose_numbers(a) * sizeof(double) + compliance_size(a) + a->act->size;
}

static void save(const void* self, void* bytes) {
  const Instance* a = self;
  Head head;
  memset(&head, 0, sizeof head);
  put_goal(&head, &a->lab.goal);
  head.posture = offset_of(a, a->lab.goal.posture);
  head.posture_velocity = offset_of(a, a->lab.goal.posture_velocity);
  head.fallen = a->fallen;
  head.nq = a->lab.model->nq;
  head.nv = a->lab.model->nv;
  head.nbody = a->lab.model->nbody;
  if (a->lab.biped) heft_whole_body_memory(heft_biped_whole_body(a->lab.biped), head.memory[0]);
  if (a->lab.second) heft_whole_body_memory(heft_biped_whole_body(a->lab.second), head.memory[1]);
  char* to = bytes;
  const size_t poses = pose_numbers(a) * sizeof(double), half = compliance_size(a) / 2;
  memcpy(to, &head, sizeof head);
  memcpy(to + sizeof head, a->lab.start, poses);
  to += sizeof head + poses;
  if (half > 0) {
    memcpy(to, heft_compliance_offset(a->lab.compliance), half);
    memcpy(to + half, heft_compliance_velocity(a->lab.compliance), half);
  }
  memcpy(to + 2 * half, a->self, a->act->size);
}

static size_t smaller(int a, int b) { return (size_t)(a < b ? a : b); }

static bool load_compliance(Instance* a, const char* from, int nv) {
  const size_t own = (size_t)a->lab.model->nv, both = smaller(nv, a->lab.model->nv);
  if (!a->lab.compliance) return true;
  double* numbers = calloc(2 * own + 1, sizeof(double));
  if (!numbers) return false;
  memcpy(numbers, from, both * sizeof(double));
  memcpy(numbers + own, from + (size_t)nv * sizeof(double), both * sizeof(double));
  heft_compliance_set_offset(a->lab.compliance, numbers, numbers + own);
  free(numbers);
  return true;
}

// A place among poses of another length.
static int64_t renumber(int64_t offset, int from, int to) {
  if (offset < 0 || from == to) return offset;
  return offset % from < to ? offset / from * to + offset % from : -1;
}

// True if the numbers of a goal are in range: its lists, and the bodies that they name.
static bool goal_fits(const HeftBipedGoal* goal, const HeftModel* m) {
  const int count[3] = {goal->point_task_count, goal->load_count, goal->support_count};
  for (int k = 0; k < 3; ++k) {
    if (count[k] < 0 || count[k] > HEFT_BIPED_EXTRA_MAX) return false;
    for (int i = 0; i < count[k]; ++i) {
      const int body = k == 0   ? goal->point_task[i].body
                       : k == 1 ? goal->load[i].body
                                : goal->support[i].body;
      if (body < 0 || body >= m->nbody) return false;
    }
  }
  return true;
}

// True if a posture of nq numbers begins at an offset: a row of the poses, or inside the act's
// data.
static bool place_fits(const Instance* a, int64_t offset, int nq) {
  if (offset >= -1) return offset < 0 || (offset % nq == 0 && offset / nq < LAB_POSES_MAX + 3);
  const int64_t inside = -2 - offset;
  return inside % (int64_t)sizeof(double) == 0 && inside <= (int64_t)a->act->size &&
         (size_t)a->lab.model->nq * sizeof(double) <= a->act->size - (size_t)inside;
}

static bool range_fits(const ActPart* part, const char* at) {
  int number = 0;
  if (part->size == sizeof number) memcpy(&number, at, sizeof number);
  if (part->size == 1) number = *(const unsigned char*)at;
  return number >= part->min && number <= part->max;
}

// Checks one part of the act's data. Elements have other numbers in another model, where those that
// begin has found hold.
static bool take_part(const Instance* a, const ActPart* part, char* data, bool same_model) {
  char* at = data + part->offset;
  if (part->kind == ACT_PART_RANGE) return range_fits(part, at);
  if (part->kind == ACT_PART_GOAL) {
    HeftBipedGoal goal;
    memcpy(&goal, at, sizeof goal);
    goal.posture = goal.posture_velocity = NULL;
    memcpy(at, &goal, sizeof goal);
    return goal_fits(&goal, a->lab.model);
  }
  if (same_model && memcmp(at, a->self + part->offset, part->size) != 0) return false;
  memcpy(at, a->self + part->offset, part->size);
  return true;
}

static bool data_fits(const Instance* a, char* data, bool same_model) {
  for (int i = 0; i < a->act->options.count; ++i) {
    const HeftOption* option = &a->act->options.option[i];
    const double value = heft_option_value(option, data);
    if (!(value >= option->min && value <= option->max)) return false;
  }
  for (int i = 0; i < a->act->parts.count; ++i)
    if (!take_part(a, &a->act->parts.part[i], data, same_model)) return false;
  return true;
}

static bool head_fits(const Instance* a, const Head* head, const HeftBipedGoal* goal) {
  return head->nq > 0 && head->nq <= 1000000 && head->nv >= 0 && head->nv <= head->nq &&
         goal_fits(goal, a->lab.model) && place_fits(a, head->posture, head->nq) &&
         place_fits(a, head->posture_velocity, head->nq);
}

// Everything is checked before anything changes.
static bool load(void* self, const void* bytes, size_t size) {
  Instance* a = self;
  Head head;
  _Alignas(64) char data[DATA_MAX];
  const char* from = bytes;
  const int own = a->lab.model->nq;
  const size_t rows = LAB_POSES_MAX + 3;
  if (size < sizeof head) return false;
  memcpy(&head, from, sizeof head);
  const HeftBipedGoal goal = take_goal(&head);
  if (!head_fits(a, &head, &goal)) return false;
  const size_t poses = rows * (size_t)head.nq * sizeof(double);
  const size_t compliance = a->lab.compliance ? 2 * (size_t)head.nv * sizeof(double) : 0;
  if (size != sizeof head + poses + compliance + a->act->size) return false;
  memcpy(data, from + size - a->act->size, a->act->size);
  const HeftModel* m = a->lab.model;
  if (!data_fits(a, data, head.nq == m->nq && head.nv == m->nv && head.nbody == m->nbody))
    return false;
  a->lab.goal = goal;
  a->lab.goal.posture = place_of(a, renumber(head.posture, head.nq, own));
  a->lab.goal.posture_velocity = place_of(a, renumber(head.posture_velocity, head.nq, own));
  a->fallen = head.fallen;
  if (a->lab.biped) heft_biped_set_memory(a->lab.biped, head.memory[0]);
  if (a->lab.second) heft_biped_set_memory(a->lab.second, head.memory[1]);
  from += sizeof head;
  for (size_t row = 0; row < rows; ++row)
    memcpy(a->lab.start + row * (size_t)own, from + row * (size_t)head.nq * sizeof(double),
           smaller(head.nq, own) * sizeof(double));
  from += poses;
  memcpy(a->self, data, a->act->size);
  return load_compliance(a, from, head.nv);
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

static void destroy(void* self) {
  Instance* a = self;
  lab_release(&a->lab);
  heft_state_destroy(a->start);
  a->start = NULL;
}

// The world keeps its state: it may be in the middle of the act.
static HeftStatus create(Instance* a, const Act* act, HeftWorld* world, HeftError* error) {
  HeftState* before = NULL;
  a->act = act;
  HeftStatus status = heft_state_create(&before, heft_world_model(world), NULL, error);
  if (status == HEFT_OK)
    status = heft_state_create(&a->start, heft_world_model(world), NULL, error);
  if (status == HEFT_OK) {
    heft_state_copy(before, heft_world_state(world));
    if (!open(a, world)) {
      snprintf(error->message, sizeof error->message, "%.500s", a->lab.error);
      status = HEFT_ERR_VALUE;
    }
    heft_state_copy(a->start, heft_world_state(world));
    heft_world_set_state(world, before);
  }
  heft_state_destroy(before);
  if (status != HEFT_OK) destroy(a);
  return status;
}

static void reset(void* self, HeftWorld* world) {
  heft_world_set_state(world, ((const Instance*)self)->start);
}

static void see_hands(void* self, const HeftHand* hands, int count) {
  Instance* a = self;
  int users = 0;
  a->lab.tracked_bits = 0;
  for (int i = 0; i < count; ++i) {
    const int point = -2 - hands[i].body;
    if (point < 0 && users < LAB_USERS) a->lab.person[users++] = hands[i];
    if (point < 0 || point >= LAB_TRACKED) continue;
    a->lab.tracked[point] = hands[i].pos;
    a->lab.tracked_bits |= 1U << point;
  }
  while (users < LAB_USERS) a->lab.person[users++] = (HeftHand){.body = -1};
}

static void before_step(void* self, HeftWorld* world) {
  Instance* a = self;
  (void)world;
  a->fallen |= !a->act->may_lie && !lab_upright(&a->lab);
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

#define ACT_CREATE(act)                                                            \
  static HeftStatus create_##act(void* self, HeftWorld* world, HeftError* error) { \
    return create(self, &act_##act, world, error);                                 \
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
    if (strcmp(table[i].act->name, name) == 0 ||
        (table[i].act->experiment && strcmp(table[i].act->experiment, name) == 0))
      return table[i].act;
  return NULL;
}

const HeftPlugin* act_plugin(const Act* act) {
  static HeftPlugin plugin[ACTS];
  for (int i = 0; i < ACTS; ++i) {
    if (table[i].act != act || act->size > DATA_MAX) continue;
    plugin[i] = (HeftPlugin){.cookie = HEFT_DEF_COOKIE(HeftPlugin),
                             .name = act->name,
                             .help = act->text,
                             .size = sizeof(Instance),
                             .options = act->options,
                             .values = act->values,
                             .create = table[i].create,
                             .destroy = destroy,
                             .reset = reset,
                             .before_step = before_step,
                             .after_step = after_step,
                             .save_size = save_size,
                             .save = save,
                             .load = load,
                             .hands = see_hands};
    return &plugin[i];
  }
  return NULL;
}
