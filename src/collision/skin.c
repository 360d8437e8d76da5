// SPDX-License-Identifier: Apache-2.0
// Skins: what is constant of them, and where they are.
#include <string.h>

#include "base/assert.h"
#include "collision/skin_sheet.h"
#include "model/tree.h"

// ---- making

int heft_skin_room(const HeftModel* m, int d) {
  const int most = 2 * m->deformable_skin_count[d];
  return most < SKIN_POINTS_MAX ? most : SKIN_POINTS_MAX;
}

int heft_skins_room(const HeftModel* m) {
  int sum = 0;
  for (int d = 0; d < m->ndeformable; ++d) sum += heft_skin_room(m, d);
  return sum;
}

// Pairs of a shape and a triangle, of all skins.
int heft_skin_pairs_room(const HeftModel* m) { return 1024 + 16 * m->nskin; }

typedef struct FaceKey {
  SortItem *items, *scratch;
} FaceKey;

static FaceKey take_keys(Arena* arena, int triangles) {
  return (FaceKey){arena_take(arena, 3L * triangles, SortItem),
                   arena_take(arena, 3L * triangles, SortItem)};
}

size_t heft_skins_scratch(const HeftModel* m) {
  Arena measure = arena_measure();
  take_keys(&measure, m->nskin);
  return measure.used;
}

static void lay_out(Skin* s, Arena* arena, int vertices, int triangles) {
  const size_t n = (size_t)vertices, t = (size_t)triangles;
  s->vertex_count = vertices;
  s->triangle_count = triangles;
  s->slot = arena_take(arena, n, int);
  s->link = arena_take(arena, n, int);
  s->in_link = arena_take(arena, n, HeftVec3);
  s->at = arena_take(arena, n, HeftVec3);
  s->shift = arena_take(arena, n, HeftVec3);
  s->triangle = arena_take(arena, t, Triangle);
  s->across = arena_take(arena, 3 * t, int);
  s->apex = arena_take(arena, t, int);
  s->touches = arena_take(arena, t, uint8_t);
  s->names.inner = arena_take(arena, n, unsigned char);
  s->bare.inner = arena_take(arena, n, unsigned char);
  heft_tree8_take(&s->tree, arena, triangles);
  s->met = (int(*)[2])arena_take(arena, 16 * t, int);
  s->blocks = arena_take(arena, heft_tree8_list_size(&s->tree), int);
}

// Three numbers below 2^21 in rising order, as one.
static uint64_t key_of_three(int a, int b, int c) {
  const int lo = a < b ? (a < c ? a : c) : (b < c ? b : c);
  const int hi = a > b ? (a > c ? a : c) : (b > c ? b : c);
  return (uint64_t)lo << 42 | (uint64_t)(a + b + c - lo - hi) << 21 | (uint64_t)hi;
}

static int find_face(const SortItem* items, int count, uint64_t key) {
  int low = 0, high = count;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (items[middle].key < key) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low < count && items[low].key == key ? (int)items[low].value : -1;
}

// The vertex behind each triangle: the fourth corner of its tetrahedron.
static void find_apices(Skin* s, const HeftModel* m, int d, const FaceKey* keys) {
  const int* corner = m->tetrahedron_node + 4L * m->deformable_tetrahedron[d];
  for (int t = 0; t < s->triangle_count; ++t) {
    const int* v = s->triangle[t].vertex;
    keys->items[t] = (SortItem){key_of_three(v[0], v[1], v[2]), (uint32_t)t};
    s->apex[t] = -1;
  }
  heft_sort_items(keys->items, keys->scratch, s->triangle_count);
  for (int i = 0; i < 4 * m->deformable_tetrahedron_count[d]; ++i) {
    const int *own = corner + 4L * (i / 4), skip = i % 4;
    const int t =
        find_face(keys->items, s->triangle_count,
                  key_of_three(own[(skip + 1) % 4], own[(skip + 2) % 4], own[(skip + 3) % 4]));
    if (t >= 0) s->apex[t] = own[skip];
  }
}

static void join_edges(Skin* s, const FaceKey* keys) {
  const int count = 3 * s->triangle_count;
  for (int e = 0; e < count; ++e) {
    const int a = s->triangle[e / 3].vertex[e % 3], b = s->triangle[e / 3].vertex[(e % 3 + 1) % 3];
    keys->items[e] = (SortItem){
        a < b ? (uint64_t)a << 32 | (uint64_t)b : (uint64_t)b << 32 | (uint64_t)a, (uint32_t)e};
    s->across[e] = -1;
  }
  heft_sort_items(keys->items, keys->scratch, count);
  for (int i = 0, end = 0; i < count; i = end) {
    const int first = (int)keys->items[i].value;
    for (end = i; end < count && keys->items[end].key == keys->items[i].key; ++end) {
      const int e = (int)keys->items[end].value;
      s->triangle[e / 3].edge[e % 3] = first;
    }
    if (end != i + 2) continue;
    const int other = (int)keys->items[i + 1].value;
    s->across[first] = other / 3;
    s->across[other] = first / 3;
  }
}

static void fill_vertices(HeftCollider* c, Skin* s, int d) {
  const HeftModel* m = c->model;
  s->face = -1;
  for (int i = 0; i < s->vertex_count; ++i) {
    const int body = m->node_body[m->deformable_node[d] + i], link = m->tree->body_link[body];
    const double* in_link = m->tree->body_in_link[body].c[3];
    s->slot[i] = -1;
    s->link[i] = link;
    s->in_link[i] = heft_vec3_from(in_link);
  }
  for (int slot = 0, i = 0; slot < c->slot_count; ++slot) {  // both rise with their bodies
    if (c->rule[slot].deformable != d) continue;
    while (m->node_body[m->deformable_node[d] + i] != c->slot[slot].body) ++i;
    HEFT_ASSERT(i < s->vertex_count);
    s->slot[i] = slot;
    s->names.inner[i] = 1;
    if (s->face < 0) s->face = slot;
    s->radius = fmax(s->radius, c->slot[slot].geometry.radius);
  }
}

// A triangle with a corner that a moving link holds, or with no corner that moves, takes no part.
static int takes_part(const HeftModel* m, const Skin* s, int d, const int* vertex) {
  int moves = 0;
  for (int k = 0; k < 3; ++k) {
    const int link = s->link[vertex[k]];
    moves |= link != 0;
    if (link != 0 && m->tree->link[link].deformable != d) return 0;
  }
  return moves && s->face >= 0;
}

void heft_skins_make(HeftCollider* c, Arena* arena, Arena scratch) {
  const HeftModel* m = c->model;
  Skin unused;
  c->skin_count = m->nskin > 0 ? m->ndeformable : 0;
  c->skin = arena_take(arena, c->skin_count, Skin);
  if (c->skin_count == 0) return;
  c->skin_point = arena_take(arena, heft_skins_room(m), HeftContactPoint);
  c->skin_pair = arena_take(arena, heft_skin_pairs_room(m), SortItem);
  c->skin_pair_scratch = arena_take(arena, heft_skin_pairs_room(m), SortItem);
  for (int d = 0; d < m->ndeformable; ++d) {
    Skin* s = arena->base && !arena->overflow ? &c->skin[d] : &unused;
    lay_out(s, arena, m->deformable_node_count[d], m->deformable_skin_count[d]);
    if (!arena->base || arena->overflow) continue;
    Arena own = scratch;
    const FaceKey keys = take_keys(&own, m->nskin);
    if (!keys.items || !keys.scratch) continue;  // the scratch has no room
    fill_vertices(c, s, d);
    for (int t = 0; t < s->triangle_count; ++t) {
      memcpy(s->triangle[t].vertex, m->skin_node + 3L * (m->deformable_skin[d] + t),
             sizeof s->triangle[t].vertex);
      s->triangle[t].region = t;
      s->touches[t] = (uint8_t)takes_part(m, s, d, s->triangle[t].vertex);
    }
    find_apices(s, m, d, &keys);
    join_edges(s, &keys);
  }
}

// ---- places

void heft_skins_place(HeftCollider* c, const double* frames, const HeftPose* bodies) {
  const HeftModel* m = c->model;
  for (int d = 0; d < c->skin_count; ++d) {
    Skin* s = &c->skin[d];
    for (int i = 0; i < s->vertex_count; ++i) {
      const int body = m->node_body[m->deformable_node[d] + i];
      if (bodies) {
        s->at[i] = bodies[body].pos;
        continue;
      }
      const double* f = frames + 16L * m->tree->body_link[body];
      const HeftVec3 p = s->in_link[i];
      s->at[i] = heft_vec3(f[12] + f[0] * p.x + f[4] * p.y + f[8] * p.z,
                           f[13] + f[1] * p.x + f[5] * p.y + f[9] * p.z,
                           f[14] + f[2] * p.x + f[6] * p.y + f[10] * p.z);
    }
  }
}

// Nodes shift; what holds others may turn.
static HeftVec3 shift_of(const HeftCollider* c, int link, HeftVec3 at) {
  if (!c->sweeping || !c->link_motion || link == 0) return heft_vec3(0, 0, 0);
  const HeftPose end = heft_motion_pose(&c->link_motion[link], (HeftPose){.pos = at}, 1);
  return heft_vec3_sub(end.pos, at);
}

static void add_to_box(double lo[3], double hi[3], HeftVec3 p, double reach) {
  const double x[3] = {p.x, p.y, p.z};
  for (int k = 0; k < 3; ++k) {
    lo[k] = fmin(lo[k], x[k] - reach);
    hi[k] = fmax(hi[k], x[k] + reach);
  }
}

static void clear_box(double lo[3], double hi[3]) {
  for (int k = 0; k < 3; ++k) {
    lo[k] = HUGE_VAL;
    hi[k] = -HUGE_VAL;
  }
}

static void add_vertex(const Skin* s, int vertex, double reach, double lo[3], double hi[3]) {
  add_to_box(lo, hi, s->at[vertex], reach);
  add_to_box(lo, hi, heft_vec3_add(s->at[vertex], s->shift[vertex]), reach);
}

static double margin_of(const HeftCollider* c, const Skin* s) {
  return c->half[4L * s->face + 3] + s->radius;
}

void heft_skin_place_box(const HeftCollider* c, Skin* s) {
  const double reach = margin_of(c, s);
  clear_box(s->lo, s->hi);
  for (int i = 0; i < s->vertex_count; ++i) {
    s->shift[i] = shift_of(c, s->link[i], s->at[i]);
    add_vertex(s, i, reach, s->lo, s->hi);
  }
}

void heft_skin_place_triangles(const HeftCollider* c, Skin* s) {
  const double reach = margin_of(c, s);
  for (int t = 0; t < s->triangle_count; ++t) {
    double lo[3], hi[3];
    clear_box(lo, hi);
    for (int k = 0; k < 3; ++k) add_vertex(s, s->triangle[t].vertex[k], reach, lo, hi);
    tree8_set(&s->tree, t, lo, hi);
  }
  if (!(s->tree.sorted_cost > 0)) {
    heft_tree8_order(&s->tree);
    return;
  }
  heft_tree8_refit(&s->tree);
  if (s->tree.cost > 1.25 * s->tree.sorted_cost) heft_tree8_order(&s->tree);
}

// ---- points of a skin

void heft_skin_shares(const HeftVec3* x, int count, HeftVec3 p, double out[3]) {
  const HeftVec3 u = heft_vec3_sub(x[1], x[0]), r = heft_vec3_sub(p, x[0]);
  out[0] = 1;
  out[1] = out[2] = 0;
  if (count == 1) return;
  const double uu = heft_vec3_dot(u, u), ur = heft_vec3_dot(u, r);
  if (count == 2) {
    out[1] = uu > 0 ? fmin(fmax(ur / uu, 0), 1) : 0;
    out[0] = 1 - out[1];
    return;
  }
  const HeftVec3 v = heft_vec3_sub(x[2], x[0]);
  const double vv = heft_vec3_dot(v, v), uv = heft_vec3_dot(u, v), vr = heft_vec3_dot(v, r);
  const double det = uu * vv - uv * uv;
  if (!(det > 0)) return;
  out[1] = fmax((vv * ur - uv * vr) / det, 0);
  out[2] = fmax((uu * vr - uv * ur) / det, 0);
  const double sum = out[1] + out[2];
  if (sum > 1) {
    out[1] /= sum;
    out[2] /= sum;
  }
  out[0] = fmax(1 - out[1] - out[2], 0);
}

// The vertices of a named feature of a skin; 0: it is none.
int heft_skin_corners(const Skin* s, uint32_t id, int out[3]) {
  const int part = (int)(id >> 30), index = (int)(id & (SKIN_MARK - 1));
  if (part == PART_SURFACE || !(id & SKIN_MARK)) return 0;
  if (part == PART_CORNER) {
    out[0] = index;
    return index < s->vertex_count;
  }
  const int t = part == PART_EDGE ? index / 3 : index;
  if (t >= s->triangle_count) return 0;
  if (part == PART_FACE) {
    memcpy(out, s->triangle[t].vertex, 3 * sizeof(int));
    return 3;
  }
  out[0] = s->triangle[t].vertex[index % 3];
  out[1] = s->triangle[t].vertex[(index % 3 + 1) % 3];
  return 2;
}

int heft_skin_side(const HeftCollider* c, const HeftContactPoint* point, int side, SkinSide* out) {
  const uint32_t id = (uint32_t)(side == 0 ? point->feature : point->feature >> 32);
  const int body = side == 0 ? point->body_b : point->body_a;
  const int d = c->model->tree->link[c->model->tree->body_link[body]].deformable;
  int corner[3];
  if (c->skin_count == 0 || d < 0) return 0;
  const Skin* s = &c->skin[d];
  const int count = heft_skin_corners(s, id, corner);
  if (count == 0) return 0;
  HeftVec3 x[3] = {{0, 0, 0}};
  const double half = side == 0 ? 0.5 : -0.5;
  const double gap = point->time > 0 ? 0 : point->gap;
  const HeftVec3 p = heft_vec3_add_scaled(heft_vec3_add_scaled(point->pos, half, point->offset),
                                          half * gap, point->normal);
  for (int k = 0; k < count; ++k) x[k] = s->at[corner[k]];
  heft_skin_shares(x, count, p, out->weight);
  for (int k = 0; k < 3; ++k) out->link[k] = k < count ? s->link[corner[k]] : 0;
  return 1;
}
