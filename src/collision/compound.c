// SPDX-License-Identifier: Apache-2.0
// Compounds in the broad phase: two levels.
//
// A robot whose meshes are cut into convex pieces has ten times as many shapes, but no more bodies.
// All pieces of a mesh move as one. So the trees and lists of the broad phase hold one box around
// them all, the *whole*, which has a slot of its own behind the slots of the shapes: it has a pose,
// a box and a motion like a shape, but no surface. The boxes of the pieces do not change in the
// frame of the whole: they are in a small tree that is built once. If the box of a whole meets the
// box of another shape or whole,
//
//   - the box of the other, turned into the frame of the whole, is looked up in the tree. Pieces
//     that it does not meet need no further work, not even a product for their pose;
//   - if the other is a whole, too, the box of each piece that was found is looked up in its tree.
//
// Boxes that are turned grow, so that no pair is missed. In a sweep they grow by how far the shapes
// move. Contact points come from pairs of pieces, as if there were no wholes; the pairs depend only
// on poses and motions.
#include "collision/compound.h"

#include <string.h>

#include "math/scalar.h"
#include "model/tree.h"

// ---- which shapes

static int same_numbers(const double* a, const double* b, int count) {
  return memcmp(a, b, (size_t)count * sizeof *a) == 0;
}

static int is_in_pair(const HeftModel* m, int shape) {
  for (int i = 0; i < 2 * m->npair; ++i) {
    if (m->pair_shape[i] == shape) return 1;
  }
  return 0;
}

static int is_convex_mesh(const HeftModel* m, int shape) {
  if (m->shape_type[shape] != HEFT_SHAPE_MESH) return 0;
  const int mesh = m->shape_mesh[shape];
  return m->mesh_field[mesh] == HEFT_FIELD_NONE && m->mesh_hull_count[mesh] > 0;
}

static int are_pieces(const HeftModel* m, int a, int b) {
  return is_convex_mesh(m, a) && is_convex_mesh(m, b) && m->shape_body[a] == m->shape_body[b] &&
         same_numbers(m->shape_pos + 3L * a, m->shape_pos + 3L * b, 3) &&
         same_numbers(m->shape_quat + 4L * a, m->shape_quat + 4L * b, 4) &&
         m->shape_category[a] == m->shape_category[b] &&
         m->shape_collides[a] == m->shape_collides[b] &&
         m->shape_priority[a] == m->shape_priority[b] &&
         m->shape_contact_dim[a] == m->shape_contact_dim[b] &&
         m->shape_material[a] == m->shape_material[b] && m->shape_margin[a] == m->shape_margin[b] &&
         m->shape_gap[a] == m->shape_gap[b] && !is_in_pair(m, a) && !is_in_pair(m, b);
}

int heft_compound_length(const HeftModel* m, int shape) {
  int end = shape + 1;
  if (m->shape_category[shape] == 0 && m->shape_collides[shape] == 0) return 1;
  while (end < m->nshape && are_pieces(m, shape, end)) ++end;
  return end - shape;
}

int heft_compound_starts(const HeftModel* m, int shape, int* end) {
  if (shape < *end || m->tree->body_link[m->shape_body[shape]] == 0) return 0;
  const int length = heft_compound_length(m, shape);
  *end = shape + length;
  return length > 1 ? length : 0;
}

// ---- the whole

static HeftVec3 centre_in_frame(const Rows* x) {
  const HeftPose p = rows_to_pose(x);
  return heft_mat3_tmul_vec(p.rot, p.pos);
}

static Rows shifted(const Rows* x, HeftVec3 by) {
  HeftPose p = rows_to_pose(x);
  p.pos = heft_vec3_add(p.pos, heft_mat3_mul_vec(p.rot, by));
  return rows_of(p);
}

void heft_compound_place_in_link(HeftCollider* c, const Compound* k) {
  const HeftVec3 back = heft_vec3_neg(c->in_whole[k->first]);
  c->in_link[k->whole] = shifted(&c->in_link[k->first], back);
}

void heft_compound_fill(HeftCollider* c, int index, int first, int count) {
  Compound* k = &c->compound[index];
  const int whole = c->slot_count + index;
  k->whole = whole, k->first = first, k->count = count;
  HeftVec3 lo = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, hi = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
  for (int i = first; i < first + count; ++i) {
    const HeftVec3 q = centre_in_frame(&c->in_body[i]), h = c->slot[i].geometry.half;
    lo = heft_vec3(fmin(lo.x, q.x - h.x), fmin(lo.y, q.y - h.y), fmin(lo.z, q.z - h.z));
    hi = heft_vec3(fmax(hi.x, q.x + h.x), fmax(hi.y, q.y + h.y), fmax(hi.z, q.z + h.z));
  }
  const HeftVec3 middle = heft_vec3_scale(0.5, heft_vec3_add(lo, hi));
  const HeftVec3 half = heft_vec3_scale(0.5, heft_vec3_sub(hi, lo));
  Slot* s = &c->slot[whole];
  *s = c->slot[first];
  s->geometry = (Geometry){.kind = KIND_BOX, .size = {half.x, half.y, half.z}};
  heft_geometry_bound(&s->geometry);
  s->whole = whole;
  s->ball = geometry_radius(&s->geometry);
  c->rule[whole] = c->rule[first];
  c->mask[whole] = c->mask[first];
  const double margin = c->half[4L * first + 3];
  const double sizes[4] = {half.x, half.y, half.z, margin};
  memcpy(c->half + 4L * whole, sizes, sizeof sizes);
  for (int i = first; i < first + count; ++i) {
    const HeftVec3 q = heft_vec3_sub(centre_in_frame(&c->in_body[i]), middle);
    const HeftVec3 h = c->slot[i].geometry.half;
    const double from[3] = {q.x - h.x - margin, q.y - h.y - margin, q.z - h.z - margin};
    const double to[3] = {q.x + h.x + margin, q.y + h.y + margin, q.z + h.z + margin};
    c->slot[i].whole = whole;
    c->in_whole[i] = q;
    tree8_set(&k->tree, i - first, from, to);
  }
  heft_tree8_order(&k->tree);
  c->in_body[whole] = shifted(&c->in_body[first], heft_vec3_neg(c->in_whole[first]));
  heft_compound_place_in_link(c, k);
  c->pose[whole] = c->in_link[whole];
}

// ---- pairs

typedef struct Expansion {
  HeftCollider* c;
  int count;  ///< pairs of shapes so far
  int64_t missed;
} Expansion;

void heft_compound_place_piece(HeftCollider* c, int slot) {
  if (c->slot[slot].whole == slot || c->placed[slot] == c->placing) return;
  c->placed[slot] = c->placing;
  c->pose[slot] = slot_pose(c, slot);
  if (!c->sweeping) return;
  const StepMotion* m = &c->motion[c->slot[slot].whole].motion;
  c->motion[slot] = heft_shape_motion(&c->slot[slot].geometry, rows_to_pose(&c->pose[slot]), m);
}

static void keep(Expansion* e, int a, int b) {
  if (e->count == e->c->pair_capacity) {
    ++e->missed;
    return;
  }
  heft_compound_place_piece(e->c, a);
  heft_compound_place_piece(e->c, b);
  int* pair = e->c->pair[e->count++];
  pair[0] = a < b ? a : b;
  pair[1] = a < b ? b : a;
}

// How far a slot may leave the box of its present pose.
static double stray(const HeftCollider* c, int slot) {
  if (!c->sweeping || !c->slot[slot].moves) return 0;
  const int whole = c->slot[slot].whole;
  const double drift = c->drift_limit < HUGE_VAL ? c->drift[whole] - c->drift_limit : 0;
  return c->motion[whole].reach + heft_max(drift, 0);
}

// The box of a slot in a frame, enlarged.
static void box_in_frame(const HeftCollider* c, int slot, const Rows* x, const Rows* frame,
                         double more, double lo[3], double hi[3]) {
  const double *h = c->half + 4L * slot, reach = h[3] + more;
  double d[3];
  for (int k = 0; k < 3; ++k) d[k] = x->r[k][3] - frame->r[k][3];
  for (int i = 0; i < 3; ++i) {
    double r[3];
    for (int j = 0; j < 3; ++j)
      r[j] =
          frame->r[0][i] * x->r[0][j] + frame->r[1][i] * x->r[1][j] + frame->r[2][i] * x->r[2][j];
    const double middle = frame->r[0][i] * d[0] + frame->r[1][i] * d[1] + frame->r[2][i] * d[2];
    const double half = fabs(r[0]) * h[0] + fabs(r[1]) * h[1] + fabs(r[2]) * h[2] + reach;
    lo[i] = middle - half;
    hi[i] = middle + half;
  }
}

// A shape or piece that looks up a tree of pieces.
typedef struct Asking {
  Expansion* e;
  const Compound *pieces, *others;  ///< others: NULL if a shape asks
  int slot;                         ///< that asks
  double more;
} Asking;

static void add_piece(void* user, const int* items, int count) {
  const Asking* a = user;
  for (int k = 0; k < count; ++k) keep(a->e, a->pieces->first + items[k], a->slot);
}

static void ask(Asking* a, const Rows* x) {
  double lo[3], hi[3];
  HeftCollider* c = a->e->c;
  box_in_frame(c, a->slot, x, &c->pose[a->pieces->whole], a->more, lo, hi);
  heft_tree8_query(&a->pieces->tree, lo, hi, add_piece, a);
}

static void ask_others(void* user, const int* items, int count) {
  const Asking* a = user;
  for (int k = 0; k < count; ++k) {
    const int piece = a->pieces->first + items[k];
    Asking other = {a->e, a->others, NULL, piece, a->more};
    const Rows x = slot_pose(a->e->c, piece);
    ask(&other, &x);
  }
}

static void expand_wholes(Expansion* e, const Compound* p, const Compound* q) {
  HeftCollider* c = e->c;
  Asking a = {e, p, q, q->whole, stray(c, p->whole) + stray(c, q->whole)};
  double lo[3], hi[3];
  box_in_frame(c, q->whole, &c->pose[q->whole], &c->pose[p->whole], a.more, lo, hi);
  heft_tree8_query(&p->tree, lo, hi, ask_others, &a);
}

static void expand_with_plane(Expansion* e, int plane, const Compound* p) {
  const HeftCollider* c = e->c;
  const HeftPose x = rows_to_pose(&c->pose[plane]), frame = rows_to_pose(&c->pose[p->whole]);
  const HeftVec3 up = heft_mat3_column(x.rot, 2), n = heft_mat3_tmul_vec(frame.rot, up);
  const double normal[3] = {n.x, n.y, n.z};
  const double d = heft_vec3_dot(up, heft_vec3_sub(x.pos, frame.pos)) + c->half[4L * plane + 3] +
                   stray(c, p->whole) + stray(c, plane);
  for (int at = 0; at < p->count; at += 64) {
    for (uint64_t met = heft_tree8_below(&p->tree, at, normal, d); met; met &= met - 1) {
      const int place = at + __builtin_ctzll(met);
      if (place < p->count) keep(e, plane, p->first + p->tree.item[place]);
    }
  }
}

static void expand(Expansion* e, int a, int b) {
  HeftCollider* c = e->c;
  if (a >= c->slot_count) {
    expand_wholes(e, &c->compound[a - c->slot_count], &c->compound[b - c->slot_count]);
  } else if (c->slot[a].geometry.kind == KIND_PLANE) {
    expand_with_plane(e, a, &c->compound[b - c->slot_count]);
  } else {
    Asking one = {e, &c->compound[b - c->slot_count], NULL, a, stray(c, a) + stray(c, b)};
    ask(&one, &c->pose[a]);
  }
}

int heft_compounds_expand(HeftCollider* c, int count, int64_t* missed) {
  if (c->compound_count == 0) return count;
  int kept = 0, waiting = 0;
  for (int i = 0; i < count; ++i) {
    const int a = c->pair[i][0], b = c->pair[i][1];
    if (b < c->slot_count) {
      c->pair[kept][0] = a, c->pair[kept++][1] = b;
    } else {
      c->wait[waiting][0] = a, c->wait[waiting++][1] = b;
    }
  }
  Expansion e = {.c = c, .count = kept};
  for (int i = 0; i < waiting; ++i) expand(&e, c->wait[i][0], c->wait[i][1]);
  *missed += e.missed;
  return e.count;
}
