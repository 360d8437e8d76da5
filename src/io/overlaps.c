// SPDX-License-Identifier: Apache-2.0
// Bodies that overlap at the start: contact pushes them apart, which is seldom meant. The collision
// shapes of a pose are compared once, as a step does, with limits on memory and on pairs, so that a
// load stays short.
#include "io/overlaps.h"

#include <heft/collision.h>
#include <heft/dynamics.h>
#include <stdio.h>
#include <string.h>

#include "base/allocator.h"
#include "base/assert.h"
#include "base/error.h"
#include "io/context.h"

static const double depth_min = 5e-4;               // [m]; shapes that touch are no overlap
static const size_t memory_max = (size_t)96 << 20;  // [bytes]
enum { PAIRS = 4000, PAIRS_DEAR = 200, POINTS_OF_PAIR = 4, SHOWN = 3 };

// ---- pairs of bodies

typedef struct Found {
  HeftOverlap* pair;
  int capacity;
  int last[2];  ///< bodies of the pair that was counted last
  HeftOverlapCounts counts;
} Found;

// The contact points of a pair of bodies follow each other.
static void add(Found* f, const HeftContactPoint* p) {
  for (int i = 0; i < f->counts.count; ++i) {
    HeftOverlap* known = &f->pair[i];
    if (known->body[0] != p->body_a || known->body[1] != p->body_b) continue;
    if (-p->gap > known->depth) known->depth = -p->gap;
    return;
  }
  if (f->counts.count == f->capacity) {
    f->counts.more += f->last[0] != p->body_a || f->last[1] != p->body_b;
    f->last[0] = p->body_a;
    f->last[1] = p->body_b;
    return;
  }
  f->pair[f->counts.count++] = (HeftOverlap){
      .body = {p->body_a, p->body_b}, .shape = {p->shape_a, p->shape_b}, .depth = -p->gap};
}

// The deepest first; equal ones in the order of their bodies.
static int is_before(const HeftOverlap* a, const HeftOverlap* b) {
  if (a->depth != b->depth) return a->depth > b->depth;
  return a->body[0] != b->body[0] ? a->body[0] < b->body[0] : a->body[1] < b->body[1];
}

static void sort(HeftOverlap* pair, int count) {
  for (int i = 1; i < count; ++i) {
    const HeftOverlap moved = pair[i];
    int at = i;
    for (; at > 0 && is_before(&moved, &pair[at - 1]); --at) pair[at] = pair[at - 1];
    pair[at] = moved;
  }
}

// ---- one collision

// Memory up to a limit: a model whose mass matrix is huge can be loaded, and is not looked at.
typedef struct Purse {
  HeftAllocator source;
  size_t left;
  bool empty;  ///< the source had no memory
} Purse;

static void* take(void* user, size_t size, size_t alignment) {
  Purse* purse = user;
  if (size > purse->left) return NULL;
  void* memory = purse->source.allocate(purse->source.user, size, alignment);
  if (memory) purse->left -= size;
  purse->empty = !memory;
  return memory;
}

static void give_back(void* user, void* memory, size_t size) {
  Purse* purse = user;
  if (memory) purse->left += size;
  purse->source.release(purse->source.user, memory, size);
}

// Enough pairs to show that there are overlaps; pairs of surfaces that are not convex need a
// millisecond each.
static int most_pairs(const HeftModel* m) {
  for (int i = 0; i < m->nmesh; ++i)
    if (m->mesh_field[i] != HEFT_FIELD_NONE || m->mesh_hull_count[i] == 0) return PAIRS_DEAR;
  return PAIRS;
}

static void collide(HeftCollider* collider, HeftDynamics* dynamics, const HeftModel* m, int key,
                    HeftPose* poses, Found* out) {
  heft_dynamics_kinematics(dynamics, key >= 0 ? m->key_q + (long)key * m->nq : m->q_default);
  for (int b = 0; b < m->nbody; ++b) poses[b] = heft_dynamics_body_pose(dynamics, b);
  heft_collider_update(collider, poses);
  const HeftContactPoints points = heft_collider_collide(collider);
  for (int i = 0; i < points.count; ++i) {
    if (-points.point[i].gap > depth_min) add(out, &points.point[i]);
  }
  out->counts.unseen = points.pairs_missed;
  out->counts.looked = true;
  sort(out->pair, out->counts.count);
}

HeftStatus heft_model_overlaps(const HeftModel* m, int key, int capacity, HeftOverlap* pairs,
                               HeftOverlapCounts* counts, const HeftAllocator* allocator) {
  HEFT_REQUIRE(
      m && counts && key >= -1 && key < m->nkey && capacity >= 0 && (pairs || capacity == 0),
      HEFT_ERR_ARGUMENT);
  Purse purse = {.source = allocator_or_default(allocator), .left = memory_max};
  const HeftAllocator limited = {take, give_back, &purse};
  HeftColliderDef def = heft_collider_def_default();
  HeftCollider* collider = NULL;
  HeftDynamics* dynamics = NULL;
  def.allocator = &limited;
  def.pair_capacity = most_pairs(m);
  def.contact_capacity = POINTS_OF_PAIR * def.pair_capacity;
  const size_t size = (size_t)m->nbody * sizeof(HeftPose);
  HeftPose* poses = take(&purse, size, _Alignof(HeftPose));
  Found found = {.pair = pairs, .capacity = capacity, .last = {-1, -1}};
  if (poses && heft_dynamics_create(&dynamics, m, &limited, NULL) == HEFT_OK &&
      heft_collider_create(&collider, m, &def, NULL) == HEFT_OK)
    collide(collider, dynamics, m, key, poses, &found);
  heft_collider_destroy(collider);
  heft_dynamics_destroy(dynamics);
  if (poses) give_back(&purse, poses, size);
  *counts = found.counts;
  return purse.empty ? HEFT_ERR_MEMORY : HEFT_OK;
}

HeftStatus load_overlaps_find(const HeftModel* model, const HeftAllocator* allocator,
                              LoadOverlaps* out) {
  const int home = heft_model_find(model, HEFT_NAMED_KEY, "home");
  return heft_model_overlaps(model, home, OVERLAPS_MAX, out->pair, &out->counts, allocator);
}

// ---- what a load makes of them

static const char* body_name(const HeftModel* m, const HeftOverlap* o, int i) {
  const char* name = heft_model_name(m, HEFT_NAMED_BODY, o->body[i]);
  if (o->body[i] > 0) return name[0] ? name : "(no name)";
  const char* shape = heft_model_name(m, HEFT_NAMED_SHAPE, o->shape[i]);
  return shape[0] ? shape : "world";
}

int load_overlaps_excludes(const HeftModel* m, const LoadOverlaps* o,
                           HeftLinkPair out[OVERLAPS_MAX]) {
  int count = 0;
  for (int i = 0; i < o->counts.count; ++i) {
    const HeftOverlap* pair = &o->pair[i];
    if (pair->body[0] > 0 && pair->body[1] > 0)
      out[count++] = (HeftLinkPair){{body_name(m, pair, 0), body_name(m, pair, 1)}};
  }
  return count;
}

// "2 pairs of bodies overlap at the start; ...: 'a' and 'b' by 1.2 mm, 'a' and 'c' by 1.0 mm"
static void describe(const HeftModel* m, const LoadOverlaps* o, HeftError* out) {
  char* at = out->message;
  const char* end = out->message + sizeof out->message;
  const int pairs = o->counts.count + o->counts.more;
  at += snprintf(at, sizeof out->message,
                 "%d %s at the start; contact pushes them apart unless they are excluded:", pairs,
                 pairs == 1 ? "pair of bodies overlaps" : "pairs of bodies overlap");
  for (int i = 0; i < o->counts.count && i < SHOWN; ++i)
    at += snprintf(at, (size_t)(end - at), "%s '%.48s' and '%.48s' by %.1f mm", i > 0 ? "," : "",
                   body_name(m, &o->pair[i], 0), body_name(m, &o->pair[i], 1),
                   1e3 * o->pair[i].depth);
  if (pairs > SHOWN) snprintf(at, (size_t)(end - at), " and %d more", pairs - SHOWN);
}

HeftStatus load_overlaps_report(const HeftModel* m, const LoadOverlaps* o, const char* path,
                                const HeftLoadDef* def, HeftError* error) {
  HeftError warning = {.status = HEFT_ERR_UNSUPPORTED};
  if (def->overlaps) def->overlaps(def->user, m, o->pair, &o->counts, false);
  if (def->overlaps || o->counts.count == 0) return HEFT_OK;
  describe(m, o, &warning);
  heft_error_one_line(warning.message);
  load_set_place(&warning, (Place){.file = &(SourceFile){.path = path}});
  if (!def->strict) {
    if (def->warning) def->warning(def->user, &warning, o->counts.count + o->counts.more);
    return HEFT_OK;
  }
  if (error) *error = warning;
  return warning.status;
}
