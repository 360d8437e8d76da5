// SPDX-License-Identifier: Apache-2.0
// Contact points followed to other poses of their shapes.
//
// The narrow phase of the pair runs again at the new poses. A point is the one with the same
// feature: the lowest point of a rim is at another place of the rim, a corner is the same corner.
// Faces that slide past each other may change their features; such points are lost, and so are
// points of triangle meshes, of pieces of compounds and of distance shapes, which other files
// choose and merge. A normal may lean at a seam between neighbours of a link, which seams.c
// corrects where it sees them all. So points of such shapes are followed if their normal turns with
// one of the two shapes, as a face's normal does.
#include "collision/follow.h"

#include <string.h>

#include "collision/sweep.h"

static const double turn_max = 0.1;  // sine by which a normal turns at most
static const double same_turn = 1e-9;

static int is_plain(const Slot* s) {
  return s->solid < 0 && s->geometry.kind != KIND_FIELD && !kind_has_triangles(s->geometry.kind);
}

static Rows pose_of(const HeftCollider* c, const double* frames, int slot) {
  const Slot* s = &c->slot[slot];
  if (!s->moves) return c->pose[slot];
  const double* f = frames + 16L * s->link;
  Rows x;
  rows_place(f, 1, 4, f + 12, &c->in_link[slot], &x);
  return x;
}

static int same_direction(HeftVec3 a, HeftVec3 b, double sine) {
  const HeftVec3 d = heft_vec3_sub(a, b);
  return heft_vec3_dot(d, d) <= sine * sine;
}

// The smallest rotation of n to m, applied to t, which is normal to n.
static HeftVec3 turned(HeftVec3 t, HeftVec3 n, HeftVec3 m) {
  const double part = heft_vec3_dot(t, m) / (1 + heft_vec3_dot(n, m));
  return heft_vec3_add_scaled(t, -part, heft_vec3_add(n, m));
}

static const HeftContactPoint* point_of(const HeftContactPoint* list, int count, uint64_t feature) {
  for (int i = 0; i < count; ++i) {
    if (list[i].feature == feature) return &list[i];
  }
  return NULL;
}

// 1 if the normal n becomes m when a shape moves from one pose to the other.
static int turns_with(const Rows* from, const Rows* to, HeftVec3 n, HeftVec3 m) {
  const HeftVec3 own = heft_mat3_tmul_vec(rows_to_pose(from).rot, n);
  return same_direction(heft_mat3_mul_vec(rows_to_pose(to).rot, own), m, same_turn);
}

static void move(const HeftContactPoint* to, HeftContactPoint* p) {
  p->tangent1 = turned(p->tangent1, p->normal, to->normal);
  p->normal = to->normal;
  p->tangent2 = heft_vec3_cross(p->normal, p->tangent1);
  p->pos = to->pos;
}

void heft_collider_follow(const HeftCollider* c, const double* frames, int count,
                          HeftContactPoint* point, int* found) {
  const int a = c->shape_slot[point->shape_a], b = c->shape_slot[point->shape_b];
  const Slot *p = &c->slot[a], *q = &c->slot[b];
  HeftContactPoint list[MANIFOLD_MAX];
  memset(found, 0, (size_t)count * sizeof *found);
  if (!is_plain(p) || !is_plain(q) || point->area > 0) return;
  const int seams = p->has_neighbour || q->has_neighbour;
  const Rows x = pose_of(c, frames, a), y = pose_of(c, frames, b);
  const int now = heft_collider_points_between(c, c->narrow, a, b, point->pair, &x, &y, list);
  for (int i = 0; i < count; ++i) {
    const HeftContactPoint* to = point_of(list, now, point[i].feature);
    if (!to || !same_direction(to->normal, point[i].normal, turn_max)) continue;
    if (seams && !turns_with(&c->pose[a], &x, point[i].normal, to->normal) &&
        !turns_with(&c->pose[b], &y, point[i].normal, to->normal))
      continue;
    found[i] = 1;
    move(to, &point[i]);
  }
}
