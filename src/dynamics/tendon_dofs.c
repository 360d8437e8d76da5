// SPDX-License-Identifier: Apache-2.0
// The dofs on which a tendon or a transmission depends.
//
// A dof that carries every body that a tendon passes moves the tendon as a whole, and its length
// stays: its moment arm is zero in exact arithmetic. Such dofs are skipped, so that a tendon
// inside a robot exerts no force on its floating base, not even by rounding.
#include <string.h>

#include "base/assert.h"
#include "dynamics/tendon.h"
#include "dynamics/workspace.h"

static void add_path(const HeftTree* t, int body, int* marks) {
  const int k = t->body_link[body];
  if (t->link[k].dof_count == 0) return;
  const int last = t->link[k].dof + t->link[k].dof_count - 1;
  HEFT_ASSERT(last >= 0 && last < t->nv);
  for (int i = 0; i <= t->dof_depth[last]; ++i) ++marks[t->path[t->row[last] + i]];
}

static int path_length(const HeftTree* t, int body) {
  const int k = t->body_link[body];
  return t->link[k].dof_count == 0 ? 0
                                   : t->dof_depth[t->link[k].dof + t->link[k].dof_count - 1] + 1;
}

// Leaves those that move some of the bodies, and not all.
static void keep_partial(const HeftModel* m, int bodies, int* marks) {
  for (int i = 0; i < m->nv; ++i) marks[i] = marks[i] > 0 && marks[i] < bodies;
}

// The body of a thing that a tendon passes, -1 for a pulley.
static int wrap_body(const HeftModel* m, int w) {
  if (m->wrap_type[w] == HEFT_WRAP_SITE) return m->site_body[m->wrap_object[w]];
  if (m->wrap_type[w] == HEFT_WRAP_SHAPE) return m->shape_body[m->wrap_object[w]];
  return -1;
}

static void mark_tendon(const HeftModel* m, int tendon, int* marks) {
  const int begin = m->tendon_wrap[tendon], end = begin + m->tendon_wrap_count[tendon];
  HEFT_ASSERT(begin < end);
  int bodies = 0;
  for (int w = begin; w < end; ++w) {
    if (m->wrap_type[w] == HEFT_WRAP_JOINT) {
      marks[m->joint_dof[m->wrap_object[w]]] = 1;
    } else if (wrap_body(m, w) >= 0) {
      add_path(m->tree, wrap_body(m, w), marks);
      ++bodies;
    }
  }
  if (m->wrap_type[begin] != HEFT_WRAP_JOINT) keep_partial(m, bodies, marks);
}

void heft_tendon_dofs(const HeftModel* m, int tendon, int* marks) {
  HEFT_ASSERT(tendon >= 0 && tendon < m->ntendon);
  memset(marks, 0, (size_t)m->nv * sizeof(int));
  if (m->tendon_wrap_count[tendon] > 0) mark_tendon(m, tendon, marks);
}

int heft_tendon_dofs_max(const HeftModel* m, int tendon) {
  const int begin = m->tendon_wrap[tendon], end = begin + m->tendon_wrap_count[tendon];
  int sum = 0;
  for (int w = begin; w < end && sum < m->nv; ++w) {
    if (m->wrap_type[w] == HEFT_WRAP_JOINT) {
      ++sum;
    } else if (wrap_body(m, w) >= 0) {
      sum += path_length(m->tree, wrap_body(m, w));
    }
  }
  return sum < m->nv ? sum : m->nv;
}

void heft_actuator_dofs(const HeftModel* m, int actuator, int* marks) {
  HEFT_ASSERT(actuator >= 0 && actuator < m->nactuator);
  const int target = m->actuator_target[actuator], reference = m->actuator_reference[actuator];
  memset(marks, 0, (size_t)m->nv * sizeof(int));
  switch (m->actuator_transmission[actuator]) {
    case HEFT_TRANSMISSION_TENDON:
      heft_tendon_dofs(m, target, marks);
      return;
    case HEFT_TRANSMISSION_SITE:
    case HEFT_TRANSMISSION_SLIDER_CRANK:
      add_path(m->tree, m->site_body[target], marks);
      if (reference >= 0) add_path(m->tree, m->site_body[reference], marks);
      keep_partial(m, 2, marks);
      return;
    case HEFT_TRANSMISSION_JOINT:
    case HEFT_TRANSMISSION_JOINT_IN_PARENT:
    case HEFT_TRANSMISSION_COUNT:
      for (int i = 0; i < heft_joint_type_dof_count(m->joint_type[target]); ++i)
        marks[m->joint_dof[target] + i] = 1;
      break;
  }
}

int heft_actuator_dofs_max(const HeftModel* m, int actuator) {
  const int target = m->actuator_target[actuator], reference = m->actuator_reference[actuator];
  switch (m->actuator_transmission[actuator]) {
    case HEFT_TRANSMISSION_TENDON:
      return heft_tendon_dofs_max(m, target);
    case HEFT_TRANSMISSION_SITE:
    case HEFT_TRANSMISSION_SLIDER_CRANK:
      return path_length(m->tree, m->site_body[target]) +
             (reference >= 0 ? path_length(m->tree, m->site_body[reference]) : 0);
    case HEFT_TRANSMISSION_JOINT:
    case HEFT_TRANSMISSION_JOINT_IN_PARENT:
    case HEFT_TRANSMISSION_COUNT:
      break;
  }
  return heft_joint_type_dof_count(m->joint_type[target]);
}

int heft_dofs_on_one_path(const HeftModel* m, int count, const int* dofs) {
  if (count == 0) return 1;
  const HeftTree* t = m->tree;
  const int last = dofs[count - 1];
  HEFT_ASSERT(last >= 0 && last < t->nv);
  for (int i = 0; i < count; ++i) {
    const int depth = t->dof_depth[dofs[i]];
    if (depth > t->dof_depth[last] || t->path[t->row[last] + depth] != dofs[i]) return 0;
  }
  return 1;
}
