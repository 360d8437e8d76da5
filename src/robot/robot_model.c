// SPDX-License-Identifier: Apache-2.0
// The lists lie in one block, which is measured before it is taken. All texts together are shorter
// than the description that contains them.
#include "robot/robot_model.h"

#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/error.h"
#include "device/json.h"
#include "robot/packet.h"

enum { NUMBERS_MAX = LINK_DATAGRAM / 8 };  // a state must fit into a datagram

typedef struct Reader {
  HeftRobotJoint* joint;
  HeftRobotActuator* actuator;
  HeftRobotSensor* sensor;
  HeftRobotKey* key;
  double *q, *key_numbers;
  char* text;  // free bytes for texts
  size_t text_left;
} Reader;

static HeftStatus damaged(HeftError* error, const char* what) {
  return heft_error_set(error, HEFT_ERR_SYNTAX,
                        "the description of the simulation is damaged: %s; do both programs have "
                        "the same version of Heft?",
                        what);
}

// ---- values

static int count_elements(const char* list) {
  int count = 0;
  for (const char* at = json_first(list); at; at = json_next(at)) ++count;
  return count;
}

static bool read_count(const char* object, const char* name, int max, int* out) {
  double x = -1;
  if (!json_number(json_member(object, name), &x) || !(x >= 0 && x <= max) || x != (int)x)
    return false;
  *out = (int)x;
  return true;
}

// A place and a number of values that lie within `max`.
static bool read_range(const char* object, const char* at, const char* count, int max, int* first,
                       int* number) {
  return read_count(object, at, max, first) && read_count(object, count, max - *first, number);
}

static bool read_numbers(const char* list, double* out, int count) {
  const char* at = json_first(list);
  for (int i = 0; i < count; ++i, at = json_next(at))
    if (!at || !json_number(at, &out[i]) || !isfinite(out[i])) return false;
  return !at;
}

static const char* read_text(Reader* r, const char* object, const char* name) {
  char* text = r->text;
  if (!json_string(json_member(object, name), text, r->text_left)) return "";
  const size_t size = strlen(text) + 1;
  r->text += size;
  r->text_left -= size;
  return text;
}

// ---- lists

static void layout(Arena* arena, const HeftRobotModel* m, size_t text, Reader* r) {
  r->joint = arena_take(arena, m->joint_count, HeftRobotJoint);
  r->actuator = arena_take(arena, m->ncontrol, HeftRobotActuator);
  r->sensor = arena_take(arena, m->sensor_count, HeftRobotSensor);
  r->key = arena_take(arena, m->key_count, HeftRobotKey);
  r->q = arena_take(arena, m->nq, double);
  r->key_numbers = arena_take(arena, (size_t)m->key_count * (size_t)(m->nq + m->ncontrol), double);
  r->text = arena_take(arena, text, char);
  r->text_left = text;
}

static bool read_joints(Reader* r, const char* list, const HeftRobotModel* m) {
  HeftRobotJoint* j = r->joint;
  for (const char* at = json_first(list); at; at = json_next(at), ++j) {
    *j = (HeftRobotJoint){.name = read_text(r, at, "name"), .type = read_text(r, at, "type")};
    j->unit = read_text(r, at, "unit");
    if (!read_range(at, "q", "nq", m->nq, &j->q, &j->nq) ||
        !read_range(at, "v", "nv", m->nv, &j->v, &j->nv))
      return false;
  }
  return true;
}

static int find_joint(const Reader* r, const HeftRobotModel* m, const char* name) {
  for (int i = 0; *name && i < m->joint_count; ++i)
    if (strcmp(r->joint[i].name, name) == 0) return i;
  return -1;
}

static bool read_actuators(Reader* r, const char* list, const HeftRobotModel* m) {
  HeftRobotActuator* a = r->actuator;
  for (const char* at = json_first(list); at; at = json_next(at), ++a) {
    const char* range = json_member(at, "range");
    double ends[2] = {-(double)INFINITY, (double)INFINITY};
    if (range && !read_numbers(range, ends, 2)) return false;
    *a = (HeftRobotActuator){.name = read_text(r, at, "name"), .min = ends[0], .max = ends[1]};
    a->unit = read_text(r, at, "unit");
    a->joint = find_joint(r, m, read_text(r, at, "joint"));
  }
  return true;
}

static bool read_sensors(Reader* r, const char* list, const HeftRobotModel* m) {
  HeftRobotSensor* s = r->sensor;
  for (const char* at = json_first(list); at; at = json_next(at), ++s) {
    *s = (HeftRobotSensor){.name = read_text(r, at, "name"), .type = read_text(r, at, "type")};
    s->unit = read_text(r, at, "unit");
    if (!read_range(at, "at", "count", m->nsensor, &s->at, &s->count)) return false;
  }
  return true;
}

static bool read_keys(Reader* r, const char* list, const HeftRobotModel* m) {
  HeftRobotKey* k = r->key;
  double* numbers = r->key_numbers;
  for (const char* at = json_first(list); at; at = json_next(at), ++k) {
    *k = (HeftRobotKey){read_text(r, at, "name"), numbers, numbers + m->nq};
    if (!read_numbers(json_member(at, "q"), numbers, m->nq) ||
        !read_numbers(json_member(at, "controls"), numbers + m->nq, m->ncontrol))
      return false;
    numbers += m->nq + m->ncontrol;
  }
  return true;
}

static HeftStatus read_sizes(const char* text, HeftRobotModel* m, HeftError* error) {
  const char* actuators = json_member(text, "actuators");
  if (!read_count(text, "nq", NUMBERS_MAX, &m->nq) ||
      !read_count(text, "nv", NUMBERS_MAX, &m->nv) ||
      !read_count(text, "ncontrol", NUMBERS_MAX, &m->ncontrol) ||
      !read_count(text, "nsensor", NUMBERS_MAX, &m->nsensor) ||
      m->nq + m->nv + m->nsensor >= NUMBERS_MAX || m->ncontrol + m->nv >= NUMBERS_MAX)
    return damaged(error, "its sizes are wrong");
  if (!json_number(json_member(text, "step"), &m->step) ||
      !json_number(json_member(text, "period"), &m->period) || !(m->step > 0) || !(m->period > 0))
    return damaged(error, "its times are wrong");
  if (count_elements(actuators) != m->ncontrol) return damaged(error, "its actuators are wrong");
  m->joint_count = count_elements(json_member(text, "joints"));
  m->sensor_count = count_elements(json_member(text, "sensors"));
  m->key_count = count_elements(json_member(text, "keys"));
  // Each number of a keyframe needs two bytes of the text or more.
  const size_t in_keys = (size_t)m->key_count * (size_t)(m->nq + m->ncontrol);
  return in_keys > strlen(text) ? damaged(error, "its keyframes are wrong") : HEFT_OK;
}

static HeftStatus read_lists(Reader* r, const char* text, const HeftRobotModel* m,
                             HeftError* error) {
  if (!read_numbers(json_member(text, "q"), r->q, m->nq))
    return damaged(error, "its pose is wrong");
  if (!read_joints(r, json_member(text, "joints"), m)) return damaged(error, "a joint is wrong");
  if (!read_actuators(r, json_member(text, "actuators"), m))
    return damaged(error, "an actuator is wrong");
  if (!read_sensors(r, json_member(text, "sensors"), m)) return damaged(error, "a sensor is wrong");
  if (!read_keys(r, json_member(text, "keys"), m)) return damaged(error, "a keyframe is wrong");
  return HEFT_OK;
}

HeftStatus robot_model_read(RobotModel* out, const char* text, const HeftAllocator* allocator,
                            HeftError* error) {
  HeftRobotModel* m = &out->list;
  Reader r;
  Arena arena = arena_measure();
  *out = (RobotModel){0};
  if (!json_check(text)) return damaged(error, "it is no JSON");
  HeftStatus status = read_sizes(text, m, error);
  if (status != HEFT_OK) return status;
  layout(&arena, m, strlen(text) + 1, &r);
  out->size = arena.used;
  out->block = allocator->allocate(allocator->user, out->size, ARENA_ALIGNMENT);
  if (!out->block)
    return heft_error_set(error, HEFT_ERR_MEMORY, "no memory for the description of the robot");
  arena = arena_make(out->block, out->size, NULL);
  layout(&arena, m, strlen(text) + 1, &r);
  m->q = r.q;
  m->joint = r.joint;
  m->actuator = r.actuator;
  m->sensor = r.sensor;
  m->key = r.key;
  status = read_lists(&r, text, m, error);
  if (status != HEFT_OK) robot_model_release(out, allocator);
  return status;
}

void robot_model_release(RobotModel* model, const HeftAllocator* allocator) {
  if (model->block) allocator->release(allocator->user, model->block, model->size);
  *model = (RobotModel){0};
}
