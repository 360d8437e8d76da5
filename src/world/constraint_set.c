// SPDX-License-Identifier: Apache-2.0
// The constraint set: appending to it, and measuring the velocities of its rows.
#include "world/constraint_set.h"
#include "base/assert.h"

#include <string.h>

#include "dynamics/links.h"

Constraint* heft_constraint_set_put(ConstraintSet* set, int index, int row, ConstraintKind kind,
                                    int source, HeftConstraintType type) {
  const int rows = heft_constraint_type_row_count(type);
  HEFT_ASSERT(index >= 0 && index < set->capacity && row >= 0 && row + rows <= set->row_capacity);
  Constraint* put = &set->list[index];
  *put = (Constraint){.kind = kind,
                      .source = source,
                      .type = type,
                      .rows = rows,
                      .skin = {-1, -1},
                      .dof = {-1, -1, -1},
                      .direction = {-1, -1},
                      .row = row};
  for (int r = row; r < row + rows; ++r) set->bias[r] = set->warm[r] = 0;
  return put;
}

Constraint* heft_constraint_set_add(ConstraintSet* set, ConstraintKind kind, int source,
                                    HeftConstraintType type) {
  const int rows = heft_constraint_type_row_count(type);
  if (set->count == set->capacity || set->row_count + rows > set->row_capacity) return NULL;
  Constraint* added =
      heft_constraint_set_put(set, set->count++, set->row_count, kind, source, type);
  memset(set->axis[added->row], 0, (size_t)rows * sizeof *set->axis);
  set->row_count += rows;
  HEFT_ASSERT(set->count <= set->capacity && set->row_count <= set->row_capacity);
  return added;
}

int heft_constraint_set_link(const ConstraintSet* set, const HeftModel* m, const Constraint* k) {
  if (k->dof[0] >= 0) return heft_dof_root(m, k->dof[0]);
  if (k->direction[0] >= 0) return set->direction_root[k->direction[0]];
  return k->link[0] != 0 ? k->link[0] : k->link[1];
}

void heft_constraint_set_roots(const ConstraintSet* set, const HeftModel* m, const Constraint* k,
                               int value, int* out) {
  for (int s = 0; s < 2; ++s) {
    if (k->link[s] != 0) out[heft_link_root(m, k->link[s])] = value;
  }
  for (int s = 0; s < 3 && k->dof[s] >= 0; ++s) out[heft_dof_root(m, k->dof[s])] = value;
  for (int s = 0; s < 2 && k->direction[s] >= 0; ++s)
    out[set->direction_root[k->direction[s]]] = value;
}

void heft_constraint_set_place(const ConstraintSet* set, const HeftModel* m, int index,
                               int place[2]) {
  const Constraint* k = &set->list[index];
  HEFT_ASSERT(index >= 0 && index < set->count && k->kind < CONSTRAINT_KIND_COUNT);
  place[0] = k->source;
  place[1] = -1;
  switch (k->kind) {
    case CONSTRAINT_CONTACT:
      place[0] = set->contact_points.point[k->source].shape_a;
      place[1] = set->contact_points.point[k->source].shape_b;
      break;
    case CONSTRAINT_LIMIT:
      place[0] = m->dof_joint[k->source / 2];
      break;
    case CONSTRAINT_DRY:
      place[0] = m->dof_joint[k->source];
      break;
    case CONSTRAINT_EQUALITY:
      place[0] = k->source / 6;
      if (k->direction[0] >= 0) place[0] = m->equality_object[2L * place[0]];
      break;
    case CONSTRAINT_TENDON_LIMIT:
      place[0] = k->source / 2;
      break;
    case CONSTRAINT_TENDON_DRY:
    case CONSTRAINT_KIND_COUNT:
      break;
  }
}

// ---- velocities

// The velocity of a side of a contact point.
static HeftSpatial side_twist(const ConstraintSet* set, const HeftDynamics* dynamics,
                              const Constraint* k, int side) {
  HeftSpatial sum = {{0, 0, 0}, {0, 0, 0}};
  if (k->skin[side] < 0) return heft_link_velocity(dynamics, k->link[side]);
  const SkinSide* skin = &set->skin[k->skin[side]];
  for (int i = 0; i < 3; ++i) {
    if (skin->link[i] == 0) continue;
    const HeftSpatial own = heft_link_velocity(dynamics, skin->link[i]);
    sum.ang = heft_vec3_add_scaled(sum.ang, skin->weight[i], own.ang);
    sum.lin = heft_vec3_add_scaled(sum.lin, skin->weight[i], own.lin);
  }
  return sum;
}

// Adds the velocities of the rows of one side.
static void add_side_speeds(const ConstraintSet* set, const HeftDynamics* dynamics,
                            const Constraint* k, int side, double* speed) {
  if (k->link[side] == 0) return;
  const double(*axis)[12] = (const double(*)[12])set->axis + k->row;
  const HeftSpatial twist = side_twist(set, dynamics, k, side);
  for (int r = 0; r < k->rows; ++r) {
    const double* x = axis[r] + 6L * side;
    speed[r] += x[0] * twist.ang.x + x[1] * twist.ang.y + x[2] * twist.ang.z + x[3] * twist.lin.x +
                x[4] * twist.lin.y + x[5] * twist.lin.z;
  }
}

static double direction_speed(const HeftJointDirection* along, const double* v) {
  double speed = 0;
  for (int i = 0; i < along->count; ++i) speed += along->arm[i] * v[along->dof[i]];
  return speed;
}

// The velocity of a row along dofs or tendon directions.
static double joint_speed(const ConstraintSet* set, const Constraint* k, const double* v) {
  const double* axis = set->axis[k->row];
  double speed = 0;
  for (int i = 0; i < 2 && k->direction[i] >= 0; ++i)
    speed += axis[0] * direction_speed(&set->direction[k->direction[i]], v);
  for (int i = 0; i < 3 && k->dof[i] >= 0; ++i) speed += axis[i] * v[k->dof[i]];
  return speed;
}

typedef struct Measuring {
  const ConstraintSet* set;
  const HeftDynamics* dynamics;
  const double *bias, *v;
  double* velocity;
  int first;  ///< constraint of the range's 0
} Measuring;

static void measure_range(void* arg, int first, int end) {
  const Measuring* m = arg;
  for (int i = m->first + first; i < m->first + end; ++i) {
    const Constraint* k = &m->set->list[i];
    HEFT_ASSERT(k->rows >= 1 && k->rows <= HEFT_CONSTRAINT_ROWS_MAX &&
                k->row + k->rows <= m->set->row_count);
    double speed[HEFT_CONSTRAINT_ROWS_MAX] = {0};
    if (k->dof[0] >= 0 || k->direction[0] >= 0) speed[0] = joint_speed(m->set, k, m->v);
    for (int side = 0; side < 2; ++side) add_side_speeds(m->set, m->dynamics, k, side, speed);
    if (m->set->carried) {
      for (int r = 0; r < k->rows; ++r) speed[r] += m->set->surface[k->row + r];
    }
    for (int r = 0; r < k->rows; ++r)
      m->velocity[k->row + r] = m->bias ? speed[r] + m->bias[k->row + r] : speed[r];
  }
}

void heft_constraint_set_measure_from(const ConstraintSet* set, int first, HeftDynamics* dynamics,
                                      const double* bias, const double* v, double* velocity) {
  Measuring measuring = {set, dynamics, bias, v, velocity, first};
  HEFT_ASSERT(first >= 0 && first <= set->count);
  heft_dynamics_velocities(dynamics, v);
  heft_pool_run_ranges(heft_dynamics_pool(dynamics), set->count - first, CONSTRAINT_RANGE,
                       measure_range, &measuring);
}

void heft_constraint_set_measure(const ConstraintSet* set, HeftDynamics* dynamics,
                                 const double* bias, const double* v, double* velocity) {
  heft_constraint_set_measure_from(set, 0, dynamics, bias, v, velocity);
}
