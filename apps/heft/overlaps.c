// SPDX-License-Identifier: Apache-2.0
#include "overlaps.h"

#include <stdio.h>
#include <stdlib.h>

static const double depth_min = 5e-4;               // [m]; shapes that touch are no overlap
static const size_t memory_max = (size_t)96 << 20;  // [bytes]
enum { SHOWN = 12, PAIRS = 4000, PAIRS_DEAR = 200, POINTS_OF_PAIR = 4 };

void overlaps_clear(Overlaps* o) {
  o->count = o->more = o->looked = 0;
  o->unseen = 0;
  o->last[0] = o->last[1] = -1;
}

int overlaps_complete(const Overlaps* o) { return o->looked && o->unseen == 0; }

// The contact points of a pair of bodies follow each other.
static void add(Overlaps* o, const HeftContactPoint* p) {
  for (int i = 0; i < o->count; ++i) {
    Overlap* known = &o->pair[i];
    if (known->body[0] != p->body_a || known->body[1] != p->body_b) continue;
    if (-p->gap > known->depth) known->depth = -p->gap;
    return;
  }
  if (o->count == OVERLAPS_MAX) {
    o->more += o->last[0] != p->body_a || o->last[1] != p->body_b;
    o->last[0] = p->body_a;
    o->last[1] = p->body_b;
    return;
  }
  o->pair[o->count++] = (Overlap){
      .body = {p->body_a, p->body_b}, .shape = {p->shape_a, p->shape_b}, .depth = -p->gap};
}

// The deepest first; equal ones in the order of their bodies.
static int compare(const void* a, const void* b) {
  const Overlap *x = a, *y = b;
  if (x->depth != y->depth) return x->depth < y->depth ? 1 : -1;
  return x->body[0] != y->body[0] ? x->body[0] - y->body[0] : x->body[1] - y->body[1];
}

static void collide(HeftCollider* collider, HeftDynamics* dynamics, const HeftModel* m, int key,
                    HeftPose* poses, Overlaps* out) {
  heft_dynamics_kinematics(dynamics, key >= 0 ? m->key_q + (long)key * m->nq : m->q_default);
  for (int b = 0; b < m->nbody; ++b) poses[b] = heft_dynamics_body_pose(dynamics, b);
  heft_collider_update(collider, poses);
  const HeftContactPoints points = heft_collider_collide(collider);
  for (int i = 0; i < points.count; ++i) {
    if (-points.point[i].gap > depth_min) add(out, &points.point[i]);
  }
  out->unseen = points.pairs_missed;
  out->looked = 1;
  qsort(out->pair, (size_t)out->count, sizeof *out->pair, compare);
}

// Memory up to a limit: a model whose mass matrix is huge can be loaded, and is not looked at.
typedef struct Purse {
  HeftAllocator source;
  size_t left;
} Purse;

static void* take(void* user, size_t size, size_t alignment) {
  Purse* purse = user;
  if (size > purse->left) return NULL;
  void* memory = purse->source.allocate(purse->source.user, size, alignment);
  if (memory) purse->left -= size;
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

int overlaps_find(const HeftModel* m, int key, Overlaps* out) {
  HeftCollider* collider = NULL;
  HeftDynamics* dynamics = NULL;
  Purse purse = {heft_allocator_default(), memory_max};
  const HeftAllocator allocator = {take, give_back, &purse};
  HeftColliderDef def = heft_collider_def_default();
  def.allocator = &allocator;
  def.pair_capacity = most_pairs(m);
  def.contact_capacity = POINTS_OF_PAIR * def.pair_capacity;
  HeftPose* poses = calloc((size_t)m->nbody, sizeof *poses);
  overlaps_clear(out);
  const int good = poses && heft_dynamics_create(&dynamics, m, &allocator, NULL) == HEFT_OK &&
                   heft_collider_create(&collider, m, &def, NULL) == HEFT_OK;
  if (good) collide(collider, dynamics, m, key, poses, out);
  heft_collider_destroy(collider);
  heft_dynamics_destroy(dynamics);
  free(poses);
  return good;
}

// The name of a side of a pair: the body, or for the world the shape.
static const char* side(const HeftModel* m, const Overlap* o, int i) {
  const char* body = heft_model_name(m, HEFT_NAMED_BODY, o->body[i]);
  const char* shape = heft_model_name(m, HEFT_NAMED_SHAPE, o->shape[i]);
  if (o->body[i] == 0 && shape[0]) return shape;
  return body[0] ? body : (o->body[i] == 0 ? "world" : "(no name)");
}

void overlaps_name(Overlaps* o, const HeftModel* m) {
  for (int i = 0; i < o->count; ++i) {
    for (int k = 0; k < 2; ++k)
      snprintf(o->pair[i].name[k], sizeof o->pair[i].name[k], "%s", side(m, &o->pair[i], k));
  }
}

static int can_exclude(const HeftModel* m, const Overlap* o) {
  return o->body[0] > 0 && o->body[1] > 0 && heft_model_name(m, HEFT_NAMED_BODY, o->body[0])[0] &&
         heft_model_name(m, HEFT_NAMED_BODY, o->body[1])[0];
}

static void print_lines(const Overlaps* o, const HeftModel* m, int urdf) {
  int count = 0;
  for (int i = 0; i < o->count; ++i) count += can_exclude(m, &o->pair[i]);
  if (count == 0) return;
  fprintf(stderr,
          urdf
              ? "  if they are meant to overlap, add --exclude overlaps, or these lines to an SRDF "
                "file (--srdf):\n"
              : "  if they are meant to overlap, add these lines to <contact>:\n");
  for (int i = 0; i < o->count; ++i) {
    if (!can_exclude(m, &o->pair[i])) continue;
    fprintf(stderr,
            urdf ? "    <disable_collisions link1=\"%s\" link2=\"%s\" reason=\"Default\"/>\n"
                 : "    <exclude body1=\"%s\" body2=\"%s\"/>\n",
            side(m, &o->pair[i], 0), side(m, &o->pair[i], 1));
  }
}

static void report_unseen(const Overlaps* o, const char* path) {
  if (!o->looked)
    fprintf(stderr,
            "%s: note: bodies that overlap at the start were not looked for, which would take more "
            "than %zu MB\n",
            path, memory_max >> 20);
  if (o->unseen > 0)
    fprintf(stderr,
            "%s: note: %lld more pairs of shapes lie close together at the start and were not "
            "compared; shapes that are meant to lie in one another should not collide\n",
            path, o->unseen);
}

void overlaps_report(const Overlaps* o, const HeftModel* m, const char* path, int urdf) {
  report_unseen(o, path);
  if (o->count == 0) return;
  const int pairs = o->count + o->more;
  fprintf(stderr, "%s: warning: %d %s at the start; contact pushes them apart\n", path, pairs,
          pairs == 1 ? "pair of bodies overlaps" : "pairs of bodies overlap");
  const int shown = o->count < SHOWN ? o->count : SHOWN;
  for (int i = 0; i < shown; ++i)
    fprintf(stderr, "    '%s' and '%s' by %.1f mm\n", side(m, &o->pair[i], 0),
            side(m, &o->pair[i], 1), 1e3 * o->pair[i].depth);
  if (pairs > shown) fprintf(stderr, "    and %d more\n", pairs - shown);
  print_lines(o, m, urdf);
}
