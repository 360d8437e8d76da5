// SPDX-License-Identifier: Apache-2.0
// Forces of joint limits, dry friction, equalities and tendons in the last step: impulses divided
// by the length of the substep. They follow the contact points in the list of constraints.
#include "base/assert.h"
#include "base/kind_table.h"
#include "world/world_internal.h"

static const char* const kind_names[] = {
#define NAME(id, name) name,
    HEFT_CONSTRAINT_KIND_LIST(NAME)
#undef NAME
};

const char* heft_constraint_kind_name(HeftConstraintKind kind) {
  return (int)kind >= 0 && kind < HEFT_CONSTRAINT_KIND_COUNT ? kind_names[kind] : "unknown";
}

// How the source of a constraint is split into the index of its object and a component.
static HeftConstraintForce identify(const Constraint* k) {
  static const struct {
    HeftConstraintKind kind;
    int components;
  } kinds[] = {
      [CONSTRAINT_LIMIT] = {HEFT_CONSTRAINT_LIMIT, 2},
      [CONSTRAINT_DRY] = {HEFT_CONSTRAINT_DRY_FRICTION, 1},
      [CONSTRAINT_EQUALITY] = {HEFT_CONSTRAINT_EQUALITY, 6},
      [CONSTRAINT_TENDON_LIMIT] = {HEFT_CONSTRAINT_TENDON_LIMIT, 2},
      [CONSTRAINT_TENDON_DRY] = {HEFT_CONSTRAINT_TENDON_DRY_FRICTION, 1},
  };
  KIND_TABLE_COVERS(kinds, CONSTRAINT_KIND_COUNT);
  HEFT_ASSERT(k->kind != CONSTRAINT_CONTACT);
  const int components = kinds[k->kind].components > 0 ? kinds[k->kind].components : 1;
  return (HeftConstraintForce){.kind = kinds[k->kind].kind,
                               .index = k->source / components,
                               .component = k->source % components,
                               .gap = k->gap};
}

int heft_world_constraint_forces(const HeftWorld* w, HeftConstraintForce* out, int capacity) {
  HEFT_REQUIRE(w && capacity >= 0 && (out || capacity == 0), 0);
  const Constraints* c = w->constraints;
  const ConstraintSet* set = &c->set;
  const int first = set->contact_point_count, count = set->count > first ? set->count - first : 0;
  HEFT_ASSERT(first <= set->count);
  for (int i = 0; i < count && i < capacity; ++i) {
    const Constraint* k = &set->list[first + i];
    const RowCheck* check = &c->solution.check[first + i];
    out[i] = identify(k);
    out[i].force = c->solution.impulse[k->row] / w->input.h;
    out[i].bias = c->round.bias[k->row];
    out[i].weight = check->weight;
    out[i].residual = check->residual;
    out[i].scale = check->scale;
    out[i].middle = k->middle;
    if (heft_equality_is_turned(k))
      out[i].axis = heft_mat3_column(c->problem.turn[k->source / 3], k->source % 3);
  }
  return count;
}
