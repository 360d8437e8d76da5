// SPDX-License-Identifier: Apache-2.0
// Matching the elements of two models.
//
// An element with a name is the one with that name. Elements without names are compared by what
// they are: a body by its parent, place, mass and joints, a shape by its body, type and size, an
// actuator by its target, an equality by its objects. Models are changed by leaving out some
// elements and adding others at the end, so the search begins behind the last match, and for models
// with few changes needs time proportional to their size.
#include "model/match.h"
#include "base/assert.h"

#include <string.h>

#include "base/error.h"
#include "base/kind_table.h"

typedef struct Matching {
  const HeftModel *a, *b;  // from, to
  const ModelMatch* match;
} Matching;

// 1 if element i of the first model and element k of the second, both without a name, are the same.
typedef int Equal(const Matching* m, int i, int k);

static const char* name_of(const HeftModel* m, const int* offsets, int i) {
  return m->names + offsets[i];
}

static int find_name(const HeftModel* m, const int* offsets, int count, const char* name, int at) {
  for (int n = 0; n < count; ++n) {
    const int k = at + n < count ? at + n : at + n - count;
    HEFT_ASSERT(k >= 0 && k < count);
    if (strcmp(name_of(m, offsets, k), name) == 0) return k;
  }
  return -1;
}

static int find_equal(const Matching* m, const int* offsets, int count, int i, int at,
                      Equal* equal) {
  for (int k = at; k < count; ++k)
    if (offsets[k] == 0 && equal(m, i, k)) return k;
  return -1;
}

static void match_kind(const Matching* m, const int* a_names, int a_count, const int* b_names,
                       int b_count, int* map, Equal* equal) {
  int at = 0;
  for (int i = 0; i < a_count; ++i) {
    map[i] = a_names[i] != 0 ? find_name(m->b, b_names, b_count, name_of(m->a, a_names, i), at)
                             : find_equal(m, b_names, b_count, i, at, equal);
    if (map[i] >= 0) at = map[i] + 1 < b_count ? map[i] + 1 : 0;
    HEFT_ASSERT(map[i] < b_count);
  }
}

static int same(const double* a, const double* b, int count) {
  return memcmp(a, b, (size_t)count * sizeof(double)) == 0;
}

static int through(const int* map, int index) { return index < 0 ? index : map[index]; }

// ---- kinds

static int body_equal(const Matching* m, int i, int k) {
  const HeftModel *a = m->a, *b = m->b;
  if (i == 0 || k == 0) return i == k;
  if (m->match->body[a->body_parent[i]] != b->body_parent[k] ||
      a->body_joint_count[i] != b->body_joint_count[k] || a->body_mass[i] != b->body_mass[k] ||
      !same(a->body_pos + 3L * i, b->body_pos + 3L * k, 3) ||
      !same(a->body_quat + 4L * i, b->body_quat + 4L * k, 4) ||
      !same(a->body_inertia + 6L * i, b->body_inertia + 6L * k, 6))
    return 0;
  for (int n = 0; n < a->body_joint_count[i]; ++n)
    if (a->joint_type[a->body_joint[i] + n] != b->joint_type[b->body_joint[k] + n]) return 0;
  return 1;
}

// Joints belong to their body, in its order.
static void match_joints(const Matching* m) {
  for (int i = 0; i < m->a->njoint; ++i) {
    const int from = m->a->joint_body[i], to = m->match->body[from];
    const int n = i - m->a->body_joint[from];
    const int fits = to >= 0 && n < m->b->body_joint_count[to];
    const int k = fits ? m->b->body_joint[to] + n : -1;
    m->match->joint[i] = fits && m->b->joint_type[k] == m->a->joint_type[i] ? k : -1;
  }
}

static int shape_equal(const Matching* m, int i, int k) {
  const HeftModel *a = m->a, *b = m->b;
  return m->match->body[a->shape_body[i]] == b->shape_body[k] &&
         a->shape_type[i] == b->shape_type[k] &&
         same(a->shape_size + 3L * i, b->shape_size + 3L * k, 3) &&
         same(a->shape_pos + 3L * i, b->shape_pos + 3L * k, 3);
}

static int material_equal(const Matching* m, int i, int k) {
  const HeftModel *a = m->a, *b = m->b;
  if (a->nmaterial == b->nmaterial) return i == k;  // their numbers may have been changed
  return a->material_friction[i] == b->material_friction[k] &&
         a->material_kinetic[i] == b->material_kinetic[k] &&
         a->material_torsion[i] == b->material_torsion[k] &&
         a->material_rolling[i] == b->material_rolling[k] &&
         a->material_restitution[i] == b->material_restitution[k] &&
         same(a->material_layer + 3L * i, b->material_layer + 3L * k, 3) &&
         same(a->material_slip + 2L * i, b->material_slip + 2L * k, 2) &&
         same(a->material_soft + 2L * i, b->material_soft + 2L * k, 2) &&
         same(a->material_area + 4L * i, b->material_area + 4L * k, 4);
}

static int pair_equal(const Matching* m, int i, int k) {
  for (int n = 0; n < 2; ++n)
    if (m->match->shape[m->a->pair_shape[2L * i + n]] != m->b->pair_shape[2L * k + n]) return 0;
  return 1;
}

static int tendon_equal(const Matching* m, int i, int k) {
  const HeftModel *a = m->a, *b = m->b;
  if (a->tendon_wrap_count[i] != b->tendon_wrap_count[k] ||
      !same(a->tendon_range + 2L * i, b->tendon_range + 2L * k, 2))
    return 0;
  for (int n = 0; n < a->tendon_wrap_count[i]; ++n) {
    const int x = a->tendon_wrap[i] + n, y = b->tendon_wrap[k] + n;
    if (a->wrap_type[x] != b->wrap_type[y] || a->wrap_value[x] != b->wrap_value[y]) return 0;
    if (a->wrap_type[x] == HEFT_WRAP_JOINT &&
        m->match->joint[a->wrap_object[x]] != b->wrap_object[y])
      return 0;
  }
  return 1;
}

static int equality_equal(const Matching* m, int i, int k) {
  const HeftModel *a = m->a, *b = m->b;
  const HeftEqualityType type = a->equality_type[i];
  const int* const maps[] = {m->match->body, m->match->body, m->match->joint, m->match->tendon};
  KIND_TABLE_COVERS(maps, HEFT_EQUALITY_TYPE_COUNT);
  if (type != b->equality_type[k]) return 0;
  for (int n = 0; n < 2; ++n)
    if (through(maps[type], a->equality_object[2L * i + n]) != b->equality_object[2L * k + n])
      return 0;
  return same(a->equality_anchor + 6L * i, b->equality_anchor + 6L * k, 6);
}

static int actuator_equal(const Matching* m, int i, int k) {
  const HeftModel *a = m->a, *b = m->b;
  const HeftTransmission type = a->actuator_transmission[i];
  if (type != b->actuator_transmission[k] ||
      a->actuator_activation[i] != b->actuator_activation[k] ||
      !same(a->actuator_gear + 6L * i, b->actuator_gear + 6L * k, 6))
    return 0;
  switch (type) {
    case HEFT_TRANSMISSION_JOINT:
    case HEFT_TRANSMISSION_JOINT_IN_PARENT:
      return m->match->joint[a->actuator_target[i]] == b->actuator_target[k];
    case HEFT_TRANSMISSION_TENDON:
      return m->match->tendon[a->actuator_target[i]] == b->actuator_target[k];
    case HEFT_TRANSMISSION_SITE:
    case HEFT_TRANSMISSION_SLIDER_CRANK:
    case HEFT_TRANSMISSION_COUNT:
      break;
  }
  return m->match->body[a->site_body[a->actuator_target[i]]] == b->site_body[b->actuator_target[k]];
}

// A name may have passed to another kind of element.
static void drop_others(const Matching* m) {
  for (int i = 0; i < m->a->nactuator; ++i) {
    const int k = m->match->actuator[i];
    if (k >= 0 && m->a->actuator_activation[i] != m->b->actuator_activation[k])
      m->match->actuator[i] = -1;
  }
  for (int i = 0; i < m->a->nequality; ++i) {
    const int k = m->match->equality[i];
    if (k >= 0 && m->a->equality_type[i] != m->b->equality_type[k]) m->match->equality[i] = -1;
  }
}

#define MATCH(kind, count)                                                                \
  match_kind(&m, from->kind##_name, from->count, to->kind##_name, to->count, match->kind, \
             kind##_equal)

HeftStatus heft_model_match(ModelMatch* match, const HeftModel* from, const HeftModel* to,
                            const HeftAllocator* allocator, HeftError* error) {
  const int counts[8] = {from->nbody, from->njoint,    from->nshape,    from->nmaterial,
                         from->npair, from->nactuator, from->nequality, from->ntendon};
  int** const maps[8] = {&match->body, &match->joint,    &match->shape,    &match->material,
                         &match->pair, &match->actuator, &match->equality, &match->tendon};
  size_t count = 0;
  for (int i = 0; i < 8; ++i) count += (size_t)counts[i];
  match->size = count * sizeof(int);
  match->memory = allocator->allocate(allocator->user, match->size, 64);
  if (!match->memory) return heft_error_set(error, HEFT_ERR_MEMORY, "no memory to match models");
  int* at = match->memory;
  for (int i = 0; i < 8; ++i) {
    *maps[i] = at;
    at += counts[i];
  }
  const Matching m = {from, to, match};
  MATCH(body, nbody);
  match->body[0] = 0;
  match_joints(&m);
  MATCH(shape, nshape);
  MATCH(material, nmaterial);
  MATCH(pair, npair);
  MATCH(tendon, ntendon);
  MATCH(equality, nequality);
  MATCH(actuator, nactuator);
  drop_others(&m);
  return HEFT_OK;
}

void heft_match_copy(const int* map, int count, const double* from, double* to, int each) {
  for (int i = 0; i < count; ++i)
    if (map[i] >= 0)
      memcpy(to + (long)each * map[i], from + (long)each * i, (size_t)each * sizeof(double));
}

void heft_match_copy_dofs(const ModelMatch* match, const HeftModel* a, const HeftModel* b,
                          const double* from, double* to, int each) {
  for (int i = 0; i < a->njoint; ++i) {
    const int k = match->joint[i];
    const int count = each * heft_joint_type_dof_count(a->joint_type[i]);
    if (k >= 0)
      memcpy(to + (long)each * b->joint_dof[k], from + (long)each * a->joint_dof[i],
             (size_t)count * sizeof(double));
  }
}

void heft_model_match_end(ModelMatch* match, const HeftAllocator* allocator) {
  if (match->memory) allocator->release(allocator->user, match->memory, match->size);
  match->memory = NULL;
}
