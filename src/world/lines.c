// SPDX-License-Identifier: Apache-2.0
// Lines: lengths and moments of tendons and transmissions.
#include "world/lines.h"

#include <string.h>

#include "base/error.h"
#include "dynamics/tendon.h"
#include "world/world_internal.h"

// ---- memory

static int on_tendon(const HeftModel* m, int a) {
  return m->actuator_transmission[a] == HEFT_TRANSMISSION_TENDON;
}

static void place(Lines* l, Arena* arena, const HeftModel* m) {
  int lines = m->ntendon;
  long dofs = 0;
  for (int t = 0; t < m->ntendon; ++t) dofs += heft_tendon_dofs_max(m, t);
  for (int a = 0; a < m->nactuator; ++a) {
    if (on_tendon(m, a)) continue;
    ++lines;
    dofs += heft_actuator_dofs_max(m, a);
  }
  l->count = lines;
  l->line = arena_take(arena, lines, Line);
  l->actuator_line = arena_take(arena, m->nactuator, int);
  l->actuator_scale = arena_take(arena, m->nactuator, double);
  l->length = arena_take(arena, lines, double);
  l->dof = arena_take(arena, dofs, int);
  l->place = arena_take(arena, dofs, int);
  l->arm = arena_take(arena, dofs, double);
  l->moment_arm = arena_take(arena, m->nv, double);
  l->marks = arena_take(arena, m->nv, int);
}

// ---- the dofs of each line

static int joint_is_straight(const HeftModel* m, int joint) {
  return m->joint_type[joint] != HEFT_JOINT_BALL && m->joint_type[joint] != HEFT_JOINT_FREE;
}

static int is_straight(const HeftModel* m, const Line* line) {
  if (!line->on_actuator) {
    return m->tendon_wrap_count[line->source] > 0 &&
           m->wrap_type[m->tendon_wrap[line->source]] == HEFT_WRAP_JOINT;
  }
  const int way = m->actuator_transmission[line->source];
  return (way == HEFT_TRANSMISSION_JOINT || way == HEFT_TRANSMISSION_JOINT_IN_PARENT) &&
         joint_is_straight(m, m->actuator_target[line->source]);
}

static void list_dofs(const HeftModel* m, Lines* l, Line* line, int first) {
  if (line->on_actuator) {
    heft_actuator_dofs(m, line->source, l->marks);
  } else {
    heft_tendon_dofs(m, line->source, l->marks);
  }
  line->first = first;
  line->straight = is_straight(m, line);
  line->one_path = 1;
  for (int i = 0; i < m->nv; ++i) {
    if (!l->marks[i]) continue;
    const int joint = m->dof_joint[i];
    l->dof[first + line->count] = i;
    l->place[first + line->count++] = m->joint_q[joint] + i - m->joint_dof[joint];
    line->one_path &= m->joint_type[joint] != HEFT_JOINT_FREE;
  }
  line->one_path &= heft_dofs_on_one_path(m, line->count, l->dof + first);
}

static void list_lines(const HeftModel* m, Lines* l) {
  int count = 0, first = 0;
  for (int t = 0; t < m->ntendon; ++t) {
    l->line[count] = (Line){.source = t};
    list_dofs(m, l, &l->line[count], first);
    first += l->line[count++].count;
  }
  for (int a = 0; a < m->nactuator; ++a) {
    l->actuator_scale[a] = on_tendon(m, a) ? m->actuator_gear[6L * a] : 1;
    l->actuator_line[a] = on_tendon(m, a) ? m->actuator_target[a] : count;
    if (on_tendon(m, a)) {
      l->line[m->actuator_target[a]].wanted = 1;
      continue;
    }
    l->line[count] = (Line){.source = a, .on_actuator = 1, .wanted = 1};
    list_dofs(m, l, &l->line[count], first);
    first += l->line[count++].count;
  }
}

// ---- lengths

static double measure(const HeftWorld* w, const Line* line, const double* q, double* moment_arm) {
  return line->on_actuator ? heft_dynamics_actuator_length(w->dynamics, line->source, q, moment_arm)
                           : heft_dynamics_tendon_length(w->dynamics, line->source, q, moment_arm);
}

static void read_arms(HeftWorld* w, int index, const double* q) {
  Lines* l = w->lines;
  const Line* line = &l->line[index];
  l->length[index] = measure(w, line, q, l->moment_arm);
  for (int i = line->first; i < line->first + line->count; ++i)
    l->arm[i] = l->moment_arm[l->dof[i]];
}

void heft_line_update(HeftWorld* w, int index, const double* q) {
  Lines* l = w->lines;
  const Line* line = &l->line[index];
  if (!line->straight) {
    read_arms(w, index, q);
    return;
  }
  double length = 0;
  for (int i = line->first; i < line->first + line->count; ++i)
    length += l->arm[i] * q[l->place[i]];
  l->length[index] = length;
}

void heft_lines_settle(HeftWorld* w) {
  w->lines->wanted_end = 0;
  for (int i = 0; i < w->lines->count; ++i) {
    if (w->lines->line[i].wanted) w->lines->wanted_end = i + 1;
  }
}

void heft_lines_update(HeftWorld* w, const double* q) {
  for (int i = 0; i < w->lines->wanted_end; ++i) {
    if (w->lines->line[i].wanted) heft_line_update(w, i, q);
  }
}

double heft_line_speed(const Lines* l, int index, const double* v) {
  const Line* line = &l->line[index];
  double speed = 0;
  for (int i = line->first; i < line->first + line->count; ++i) speed += l->arm[i] * v[l->dof[i]];
  return speed;
}

void heft_line_pull(const Lines* l, int index, double force, double* tau) {
  const Line* line = &l->line[index];
  for (int i = line->first; i < line->first + line->count; ++i) tau[l->dof[i]] += force * l->arm[i];
}

// ---- life

HeftStatus heft_lines_create(HeftWorld* w, HeftError* error) {
  const HeftModel* m = w->model;
  const HeftAllocator* allocator = &w->def.allocator;
  Lines measured = {0};
  Arena sizes = arena_measure();
  arena_take(&sizes, 1, Lines);
  place(&measured, &sizes, m);
  Lines* l = allocator->allocate(allocator->user, sizes.used, ARENA_ALIGNMENT);
  if (!l)
    return heft_error_set(error, HEFT_ERR_MEMORY, "no memory for lines of %zu bytes", sizes.used);
  memset(l, 0, sizes.used);
  Arena arena = arena_make(l, sizes.used, NULL);
  arena_take(&arena, 1, Lines);
  place(l, &arena, m);
  l->memory_size = sizes.used;
  w->lines = l;
  list_lines(m, l);
  for (int i = 0; i < l->count; ++i) read_arms(w, i, m->q_default);
  return HEFT_OK;
}

void heft_lines_destroy(HeftWorld* w) {
  if (!w->lines) return;
  w->def.allocator.release(w->def.allocator.user, w->lines, w->lines->memory_size);
  w->lines = NULL;
}
