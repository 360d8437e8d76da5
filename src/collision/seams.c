// SPDX-License-Identifier: Apache-2.0
// Seams: where shapes of one link lie flush, such as the tiles of a floor, a body that slides over
// them must not be caught by their edges.
//
// A pair of shapes knows nothing of its neighbours. A box A that slides along the top of a tile B1
// towards the next tile B2 lies below the top of B2 by its penetration, say 1e-9 m, and ahead of
// the side of B2 by some millimetres. So the axis along which A and B2 are farthest apart is the
// direction of the slide: a contact with the side of B2, over a height of 1e-9 m. If A lies above
// the top instead, the closest points are on two edges, and the normal between them leans. Both
// stop A although no surface faces it there.
//
// The rule. F is the plane of a face of B1, with the outward normal f, that A touches with the
// normal f. Then A lies in front of F, apart from its penetration: A is convex, and f separates it
// from B1. If B2, on the same link, lies behind F up to a tolerance, then F separates A from B2 as
// well: A cannot reach B2 without passing F, and the contact with B1 prevents that. So of all
// normals by which A and B2 could touch, f is admissible, and any other one holds A in a direction
// in which no surface does. This also holds if not A but another shape of its link touches F, and A
// lies in front of F. A contact of A with B2 whose normal is not f therefore
//   - gets f as its normal, and its height over B2 as its gap, if A touches B2, or if its normal
//     leans by less than `lean`: then the point of A lies over B2, and B2 supports it;
//   - is removed otherwise: A lies beside B2.
//
// Contacts that stop a body stay. A wall, or a step that is higher than the tolerance, is not
// behind the floor's plane F, and the floor is not behind the plane of the wall. A plane F counts
// only if A touches it with its own normal: a body that tips over the last edge of a table touches
// the table with its own face, and its contacts remain as they are. If each of two shapes lies
// behind the plane of the other, both contacts remain.
//
// The tolerance is relative: 1e-4 of the smallest half size of A and B2. Penetration does not enter
// it. A body that rocks may penetrate B2 with its lowest point, and touch B1 with a higher one: A
// may be behind F by 2e-3 of that size more than its contact with B1 is deep. Shapes on different
// links may move against each other in the step, and have no seams.
#include "collision/seams.h"

#include "collision/contact_frame.h"
#include "collision/contact_pair.h"
#include "math/scalar.h"

static const double flush = 1e-4;       // of the smallest half size
static const double sunk = 2e-3;        // of the smallest half size
static const double lean = 0.05;        // sine
static const double same_face = 1e-12;  // squared sine below which normals are equal
enum { ROLES = 2 };

// A contact as seen from A, which touches B: contact points of a pair are adjacent.
typedef struct View {
  const HeftCollider* c;
  int first, end;  ///< contact points
  int a, b;        ///< slots
  double sign;     ///< of the contact's normal: 1 if it leads from B to A
} View;

void heft_seams_mark(HeftCollider* c) {
  int* shapes = c->link_root;  // of each link; islands are found later
  for (int k = 0; k < c->nlink; ++k) shapes[k] = 0;
  for (int i = 0; i < c->slot_count; ++i) ++shapes[c->slot[i].link];
  c->has_neighbours = 0;
  for (int i = 0; i < c->slot_count; ++i) {
    c->slot[i].has_neighbour = shapes[c->slot[i].link] > 1;
    c->has_neighbours |= c->slot[i].has_neighbour;
  }
}

static int end_of_pair(const HeftCollider* c, int first) {
  return contact_pair_end(c->contact, c->contact_count, first);
}

static View view_of(const HeftCollider* c, int first, int role) {
  const HeftContactPoint* p = &c->contact[first];
  const int a = c->shape_slot[p->shape_a], b = c->shape_slot[p->shape_b];
  return role == 0 ? (View){c, first, end_of_pair(c, first), b, a, 1}
                   : (View){c, first, end_of_pair(c, first), a, b, -1};
}

// A plane as A has only one normal.
static int counts(const HeftCollider* c, int a, int b) {
  return c->slot[b].has_neighbour && c->slot[a].geometry.kind != KIND_PLANE &&
         !heft_collider_detects(c, a, b);
}

// ---- geometry, in the world's frame

static HeftVec3 place(const HeftCollider* c, int slot) {
  const Rows* x = &c->pose[slot];
  return heft_vec3(x->r[0][3], x->r[1][3], x->r[2][3]);
}

double heft_collider_reach_beyond(const HeftCollider* c, int slot, HeftVec3 n, HeftVec3 p) {
  const Geometry* g = &c->slot[slot].geometry;
  const double start = heft_vec3_dot(n, heft_vec3_sub(place(c, slot), p));
  const HeftVec3 d = heft_mat3_tmul_vec(rows_to_pose(&c->pose[slot]).rot, n);
  if (g->kind == KIND_PLANE) return HUGE_VAL;
  if (kind_has_triangles(g->kind))
    return start + fabs(d.x) * g->half.x + fabs(d.y) * g->half.y + fabs(d.z) * g->half.z;
  return start + heft_vec3_dot(d, heft_geometry_support(g, d)) + g->radius;
}

// The smallest half size; of a triangle mesh, which may be flat, the largest.
static double size_of(const Geometry* g) {
  const HeftVec3 h = g->half;
  return g->kind == KIND_TRIANGLE_MESH ? heft_max(h.x, heft_max(h.y, h.z))
                                       : heft_min(h.x, heft_min(h.y, h.z));
}

static double tolerance_of(const HeftCollider* c, int a, int b) {
  return flush * heft_min(size_of(&c->slot[a].geometry), size_of(&c->slot[b].geometry));
}

typedef struct Face {
  HeftVec3 normal, point;
} Face;

// The face of B that A touches at contact point `at` with the normal of the face. Returns 0 if
// there is none.
static int touched_face(const View* v, int at, Face* out) {
  const HeftContactPoint* p = &v->c->contact[at];
  const Geometry* g = &v->c->slot[v->b].geometry;
  const HeftVec3 n = heft_vec3_scale(v->sign, p->normal);
  *out = (Face){n, heft_vec3_add_scaled(p->pos, -0.5 * p->gap, n)};
  if (g->kind == KIND_PLANE || g->kind == KIND_TRIANGLE_MESH) return 1;
  if (g->kind == KIND_FIELD) return 0;
  const HeftPose x = rows_to_pose(&v->c->pose[v->b]);
  Feature f;
  heft_geometry_feature(g, heft_mat3_tmul_vec(x.rot, n), &f);
  if (f.count < 3) return 0;
  out->normal = heft_mat3_mul_vec(x.rot, f.normal);
  out->point = heft_pose_apply(x, f.corner[0]);
  return contact_squared_sine(out->normal, n) <= same_face;
}

// ---- the rule

// How far B2 reaches in front of the face, if it is behind it up to the tolerance and A is in front
// of it, apart from the penetration; otherwise infinite.
static double hidden_behind(const View* seam, const Face* face, double depth) {
  const HeftCollider* c = seam->c;
  const double allowed = tolerance_of(c, seam->a, seam->b);
  const double rocks = sunk / flush * allowed;
  const double beyond = heft_collider_reach_beyond(c, seam->b, face->normal, face->point);
  if (!(beyond <= allowed)) return HUGE_VAL;
  const double below =
      heft_collider_reach_beyond(c, seam->a, heft_vec3_neg(face->normal), face->point);
  return below <= depth + rocks ? beyond : HUGE_VAL;
}

// Whether B1 is behind the plane of contact point `at` with B2.
static int hides(const View* seam, int at, int b1) {
  const HeftContactPoint* p = &seam->c->contact[at];
  const HeftVec3 n = heft_vec3_scale(seam->sign, p->normal);
  const HeftVec3 on_b = heft_vec3_add_scaled(p->pos, -0.5 * p->gap, n);
  return heft_collider_reach_beyond(seam->c, b1, n, on_b) <= tolerance_of(seam->c, seam->a, b1);
}

// The point of A's core that replaces p when the normal becomes f. A curved shape touches f with
// another point, and with p it would stop rolling.
static HeftVec3 facing_point(const HeftCollider* c, int a, HeftVec3 p, HeftVec3 f) {
  const Geometry* g = &c->slot[a].geometry;
  if (!heft_geometry_is_smooth(g)) return p;
  const HeftPose x = rows_to_pose(&c->pose[a]);
  Feature lowest;
  heft_geometry_feature(g, heft_vec3_neg(heft_mat3_tmul_vec(x.rot, f)), &lowest);
  if (lowest.count > 2) return p;
  HeftVec3 q = heft_pose_apply(x, lowest.corner[0]);
  if (lowest.count == 2) {
    const HeftVec3 e = heft_vec3_sub(heft_pose_apply(x, lowest.corner[1]), q);
    const double along = heft_vec3_dot(heft_vec3_sub(p, q), e) / heft_vec3_dot(e, e);
    q = heft_vec3_add_scaled(q, heft_clamp(along, 0, 1), e);
  }
  return q;
}

// The first tangent of a contact point for its new normal; a direction of friction turns with it.
static HeftVec3 tangent_on_face(const HeftCollider* c, const HeftContactPoint* p) {
  const double out = heft_vec3_dot(p->tangent1, p->normal);
  const HeftVec3 flat = heft_vec3_add_scaled(p->tangent1, -out, p->normal);
  if (p->anisotropy != 1 && fabs(out) < 0.99) return heft_vec3_normalize(flat);
  const HeftMat3 turn = rows_to_pose(&c->pose[c->shape_slot[p->shape_a]]).rot;
  return heft_mat3_mul_vec(turn, contact_tangent(heft_mat3_tmul_vec(turn, p->normal)));
}

void heft_contact_turn(const HeftCollider* c, HeftContactPoint* p, HeftVec3 normal) {
  p->normal = normal;
  p->time = 0;
  p->offset = heft_vec3(0, 0, 0);
  p->tangent1 = tangent_on_face(c, p);
  p->tangent2 = heft_vec3_cross(p->normal, p->tangent1);
}

// The point of A's core that is in contact, with the normal n towards A. If the shapes meet
// later in the step, the contact point has the places of both at its start.
static HeftVec3 core_point(const View* seam, const HeftContactPoint* p, HeftVec3 n) {
  const double radius = seam->c->slot[seam->a].geometry.radius;
  if (!(p->time > 0)) return heft_vec3_add_scaled(p->pos, 0.5 * p->gap + radius, n);
  const HeftVec3 on_a = heft_vec3_add_scaled(p->pos, 0.5 * seam->sign, p->offset);
  return heft_vec3_add_scaled(on_a, radius, n);
}

// Gives a contact point the normal of the face, as a point of A over B2; `beyond`: how far B2
// reaches in front of the face. Returns 0 if the point lies beside B2.
static int turn_to_face(const View* seam, HeftContactPoint* p, const Face* face, double beyond,
                        double sine2) {
  const Geometry* g = &seam->c->slot[seam->a].geometry;
  const HeftVec3 n = heft_vec3_scale(seam->sign, p->normal);
  const double touching = flush * size_of(g);
  if (!(p->gap <= touching || sine2 <= lean * lean)) return 0;
  const HeftVec3 core = facing_point(seam->c, seam->a, core_point(seam, p, n), face->normal);
  const double height = heft_vec3_dot(face->normal, heft_vec3_sub(core, face->point));
  p->gap = height - g->radius - beyond;
  p->pos = heft_vec3_add_scaled(core, -g->radius - 0.5 * p->gap, face->normal);
  heft_contact_turn(seam->c, p, heft_vec3_scale(seam->sign, face->normal));
  return 1;
}

// ---- contacts of two links

// Pairs by the higher of their links, which moves: an entry is 1 + 2 * (first contact point of the
// pair) + role, 0: none. The memory of islands serves for the list, since they are found later.
typedef struct Lists {
  int* head;         ///< links
  int* next[ROLES];  ///< contact points
} Lists;

static int* head_of(const HeftCollider* c, const Lists* lists, const View* v) {
  const int a = c->slot[v->a].link, b = c->slot[v->b].link;
  return &lists->head[a > b ? a : b];
}

static int enter_pair(const HeftCollider* c, const Lists* lists, int first) {
  int entered = 0;
  for (int role = 0; role < ROLES; ++role) {
    const View v = view_of(c, first, role);
    if (!counts(c, v.a, v.b)) continue;
    int* head = head_of(c, lists, &v);
    lists->next[role][first] = *head;
    *head = 1 + ROLES * first + role;
    ++entered;
  }
  return entered;
}

// Whether any pair can have seams.
static int any_counts(const HeftCollider* c) {
  int last_a = -1, last_b = -1;
  for (int i = 0; i < c->contact_count; ++i) {
    const HeftContactPoint* p = &c->contact[i];
    if (p->shape_a == last_a && p->shape_b == last_b) continue;
    last_a = p->shape_a;
    last_b = p->shape_b;
    const int a = c->shape_slot[last_a], b = c->shape_slot[last_b];
    if (counts(c, a, b) || counts(c, b, a)) return 1;
  }
  return 0;
}

// Returns the number of entries.
static int list_pairs(const HeftCollider* c, const Lists* lists) {
  int count = 0;
  for (int first = 0; first < c->contact_count; first = end_of_pair(c, first)) {
    const View v = view_of(c, first, 0);
    *head_of(c, lists, &v) = 0;
  }
  for (int first = 0; first < c->contact_count; first = end_of_pair(c, first))
    count += enter_pair(c, lists, first);
  return count;
}

// On static shapes, normals that miss the face only by rounding become its own: otherwise normals
// of neighbouring tiles would differ by the tilt of the body.
static void settle_on_face(const View* seam, int at) {
  HeftContactPoint* p = &seam->c->contact[at];
  Face face;
  if (!touched_face(seam, at, &face)) return;
  const double sine2 = contact_squared_sine(heft_vec3_scale(seam->sign, p->normal), face.normal);
  if (sine2 > 0) turn_to_face(seam, p, &face, 0, sine2);
}

// Compares one contact point of a seam with one of a face. Returns 0 if the first is to be removed.
static int compare(const View* seam, int at, const View* touch, int other) {
  HeftContactPoint* p = &seam->c->contact[at];
  const HeftVec3 n = heft_vec3_scale(seam->sign, p->normal);
  const HeftVec3 m = heft_vec3_scale(touch->sign, touch->c->contact[other].normal);
  Face face;
  if (contact_squared_sine(n, m) <= same_face || !touched_face(touch, other, &face)) return 1;
  const double sine2 = contact_squared_sine(n, face.normal);
  if (sine2 <= same_face) return 1;
  const double depth = heft_max(-touch->c->contact[other].gap, 0);
  const double beyond = hidden_behind(seam, &face, depth);
  if (beyond == HUGE_VAL || (sine2 > lean * lean && hides(seam, at, touch->b))) return 1;
  return turn_to_face(seam, p, &face, beyond, sine2);
}

static int same_links(const HeftCollider* c, const View* x, const View* y) {
  return c->slot[x->a].link == c->slot[y->a].link && c->slot[x->b].link == c->slot[y->b].link;
}

static int same(HeftVec3 a, HeftVec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

// Returns 0 if the contact point is to be removed.
static int smooth_point(const Lists* lists, const View* seam, int at) {
  const HeftCollider* c = seam->c;
  for (int entry = *head_of(c, lists, seam); entry > 0;) {
    const int first = (entry - 1) / ROLES, role = (entry - 1) % ROLES;
    entry = lists->next[role][first];
    const View touch = view_of(c, first, role);
    if (touch.b == seam->b || !same_links(c, seam, &touch)) continue;
    for (int k = touch.first; k < touch.end; ++k) {
      if (k > touch.first && same(c->contact[k].normal, c->contact[k - 1].normal)) continue;
      if (c->contact[k].gap < HUGE_VAL && !compare(seam, at, &touch, k)) return 0;
    }
  }
  return 1;
}

// Returns the number of contact points of a pair that are to be removed.
static int smooth_pair(const HeftCollider* c, const Lists* lists, int first) {
  if (c->contact[first].area > 0) return 0;
  int removed = 0;
  for (int role = 0; role < ROLES; ++role) {
    const View seam = view_of(c, first, role);
    if (!counts(c, seam.a, seam.b)) continue;
    for (int k = seam.first; k < seam.end; ++k) {
      if (!(c->contact[k].gap < HUGE_VAL)) continue;
      if (!c->slot[seam.b].moves) settle_on_face(&seam, k);
      if (smooth_point(lists, &seam, k)) continue;
      c->contact[k].gap = HUGE_VAL;
      ++removed;
    }
  }
  return removed;
}

void heft_seams_smooth(HeftCollider* c) {
  if (!c->has_neighbours || !any_counts(c)) return;
  const Lists lists = {c->link_root, {c->item_island, c->contact_list}};
  const int count = list_pairs(c, &lists);
  int removed = 0;
  for (int first = 0; count > 1 && first < c->contact_count; first = end_of_pair(c, first))
    removed += smooth_pair(c, &lists, first);
  if (removed == 0) return;
  int kept = 0;
  for (int i = 0; i < c->contact_count; ++i) {
    if (c->contact[i].gap < HUGE_VAL) c->contact[kept++] = c->contact[i];
  }
  c->contact_count = kept;
}
