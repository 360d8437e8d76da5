// SPDX-License-Identifier: Apache-2.0
// Transmissions: lengths and moment arms of tendons and of the targets of actuators.
#include "world/actuation/transmissions.h"
#include "base/assert.h"

#include "dynamics/tendon.h"
#include "model/joint_kind.h"

// ---- memory

static int on_tendon(const HeftModel* m, int a) {
  return m->actuator_transmission[a] == HEFT_TRANSMISSION_TENDON;
}

static void place(void* object, Arena* arena, const void* user) {
  Transmissions* all = object;
  const HeftModel* m = user;
  int count = m->ntendon;
  long dofs = 0;
  for (int i = 0; i < m->ntendon; ++i) dofs += heft_tendon_dofs_max(m, i);
  for (int a = 0; a < m->nactuator; ++a) {
    if (on_tendon(m, a)) continue;
    ++count;
    dofs += heft_actuator_dofs_max(m, a);
  }
  all->count = count;
  all->list = arena_take(arena, count, Transmission);
  all->of_actuator = arena_take(arena, m->nactuator, int);
  all->actuator_scale = arena_take(arena, m->nactuator, double);
  all->length = arena_take(arena, count, double);
  all->dof = arena_take(arena, dofs, int);
  all->place = arena_take(arena, dofs, int);
  all->arm = arena_take(arena, dofs, double);
  all->dense_arm = arena_take(arena, m->nv, double);
  all->marks = arena_take(arena, m->nv, int);
}

// ---- the dofs of each transmission

static int is_straight(const HeftModel* m, const Transmission* t) {
  if (!t->on_actuator) {
    return m->tendon_wrap_count[t->source] > 0 &&
           m->wrap_type[m->tendon_wrap[t->source]] == HEFT_WRAP_JOINT;
  }
  const HeftTransmission kind = m->actuator_transmission[t->source];
  return (kind == HEFT_TRANSMISSION_JOINT || kind == HEFT_TRANSMISSION_JOINT_IN_PARENT) &&
         joint_rotation(m->joint_type[m->actuator_target[t->source]]) < 0;
}

static void list_dofs(const HeftModel* m, Transmissions* all, Transmission* t, int first) {
  if (t->on_actuator) {
    heft_actuator_dofs(m, t->source, all->marks);
  } else {
    heft_tendon_dofs(m, t->source, all->marks);
  }
  t->first = first;
  t->straight = is_straight(m, t);
  t->one_path = 1;
  for (int i = 0; i < m->nv; ++i) {
    if (!all->marks[i]) continue;
    const int joint = m->dof_joint[i];
    HEFT_ASSERT(joint >= 0 && joint < m->njoint);
    all->dof[first + t->count] = i;
    all->place[first + t->count++] = m->joint_q[joint] + i - m->joint_dof[joint];
    HEFT_ASSERT(all->place[first + t->count - 1] < m->nq);
    t->one_path &= m->joint_type[joint] != HEFT_JOINT_FREE;
  }
  t->one_path &= heft_dofs_on_one_path(m, t->count, all->dof + first);
}

static void list_all(const HeftModel* m, Transmissions* all) {
  int count = 0, first = 0;
  for (int i = 0; i < m->ntendon; ++i) {
    all->list[count] = (Transmission){.source = i};
    list_dofs(m, all, &all->list[count], first);
    first += all->list[count++].count;
  }
  for (int a = 0; a < m->nactuator; ++a) {
    all->actuator_scale[a] = on_tendon(m, a) ? m->actuator_gear[6L * a] : 1;
    all->of_actuator[a] = on_tendon(m, a) ? m->actuator_target[a] : count;
    HEFT_ASSERT(all->of_actuator[a] >= 0 && all->of_actuator[a] < all->count);
    if (on_tendon(m, a)) {
      all->list[m->actuator_target[a]].wanted = 1;
      continue;
    }
    all->list[count] = (Transmission){.source = a, .on_actuator = 1, .wanted = 1};
    list_dofs(m, all, &all->list[count], first);
    first += all->list[count++].count;
  }
  HEFT_ASSERT(count <= all->count);
}

// ---- lengths

// An actuator has arms at its own dofs only.
static double measure(const Transmissions* all, const HeftDynamics* dynamics, const Transmission* t,
                      const double* q) {
  if (!t->on_actuator) return heft_dynamics_tendon_length(dynamics, t->source, q, all->dense_arm);
  for (int i = t->first; i < t->first + t->count; ++i) all->dense_arm[all->dof[i]] = 0;
  return heft_actuator_add_arms(dynamics, t->source, q, all->dense_arm);
}

static void read_arms(Transmissions* all, const HeftDynamics* dynamics, int index,
                      const double* q) {
  const Transmission* t = &all->list[index];
  HEFT_ASSERT(index >= 0 && index < all->count);
  all->length[index] = measure(all, dynamics, t, q);
  for (int i = t->first; i < t->first + t->count; ++i) all->arm[i] = all->dense_arm[all->dof[i]];
}

void heft_transmission_update(Transmissions* all, const HeftDynamics* dynamics, int index,
                              const double* q) {
  const Transmission* t = &all->list[index];
  HEFT_ASSERT(index >= 0 && index < all->count);
  if (!t->straight) {
    read_arms(all, dynamics, index, q);
    return;
  }
  double length = 0;
  for (int i = t->first; i < t->first + t->count; ++i) length += all->arm[i] * q[all->place[i]];
  all->length[index] = length;
}

void heft_transmissions_settle(Transmissions* all) {
  all->wanted_end = 0;
  for (int i = 0; i < all->count; ++i) {
    if (all->list[i].wanted) all->wanted_end = i + 1;
  }
}

void heft_transmissions_update(Transmissions* all, const HeftDynamics* dynamics, const double* q) {
  for (int i = 0; i < all->wanted_end; ++i) {
    if (all->list[i].wanted) heft_transmission_update(all, dynamics, i, q);
  }
}

double heft_transmission_speed(const Transmissions* all, int index, const double* v) {
  const Transmission* t = &all->list[index];
  HEFT_ASSERT(index >= 0 && index < all->count && t->first >= 0);
  double speed = 0;
  for (int i = t->first; i < t->first + t->count; ++i) speed += all->arm[i] * v[all->dof[i]];
  return speed;
}

void heft_transmission_pull(const Transmissions* all, int index, double force, double* tau) {
  const Transmission* t = &all->list[index];
  HEFT_ASSERT(index >= 0 && index < all->count && t->first >= 0);
  for (int i = t->first; i < t->first + t->count; ++i) tau[all->dof[i]] += force * all->arm[i];
}

Transmissions* heft_transmissions_create(const HeftModel* m, const HeftDynamics* dynamics,
                                         const HeftAllocator* allocator, HeftError* error) {
  Transmissions start = {.model = m};
  Transmissions* all =
      heft_block_create(&start, sizeof start, place, m, allocator, "transmissions", error);
  if (!all) return NULL;
  list_all(m, all);
  for (int i = 0; i < all->count; ++i) read_arms(all, dynamics, i, m->q_default);
  return all;
}
