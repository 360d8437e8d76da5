// SPDX-License-Identifier: Apache-2.0
// Papers: R63.
// A distance shape against any other shape.
//
// f_a and f_b are the signed distances of two shapes, with unit gradients n_a and n_b. Where the
// shapes are closest, or locally deepest, the gradients are opposite, and f_a + f_b is the gap: it
// is least across the normal and constant along it. So a contact point is a local minimum of
//     f_a + f_b   on   f_a = f_b,
// halfway between the surfaces, for shapes that are apart and for those that overlap alike.
//
// The search starts at points on the surfaces: the vertices of the triangles of a distance shape,
// the vertices of a mesh, corners and rims of convex shapes. Vertices in the middle of a flat part
// are no starts: contact points at its border and on the other shape imply theirs. Nor are vertices
// that have a neighbour which is clearly closer to the other shape. From a start the step goes
// against the gradient n_a + n_b, its length from the last two gradients [Barzilai 1988]. A minimum
// belongs to the start in whose neighbourhood it lies: a start that is led farther than the mean
// length of an edge is given up, as one that lies nearer finds the same minimum. So the contact
// point has the name of its start, which stays the same until the contact has moved by the length
// of an edge. Where surfaces fit together, as in a thread, the gradient vanishes everywhere and all
// starts stay where they are.
//
// At creases the gradients are not opposite. There the start itself is a contact point: a point of
// one surface, with the distance and the normal of the other.
#include "collision/distance_shape.h"

#include "base/assert.h"
#include "collision/ray.h"
#include "model/field.h"

enum { STEPS = 10 };
static const double opposite = -0.7;      // cosine of gradients at a contact of smooth surfaces
static const double same_normal = 0.95;   // cosine of normals that are reduced together
static const double neighbourhood = 1.1;  // of a cell: a minimum beyond belongs to another start
static const double gentle = 0.1;         // slope of surfaces that lie nearly flat on each other
static const double fitting = 1e-6;       // slope of surfaces that fit together
static const double same_place = 0.3;     // of a cell: contact points that are closer are one

DistanceShape* heft_distance_shape_make(Arena* arena, HeftField field, HeftVec3 center,
                                        const TriangleMesh* mesh) {
  DistanceShape* s = arena_take(arena, 1, DistanceShape);
  if (!s || arena->overflow || !mesh) return NULL;
  double sum = 0;
  for (int t = 0; t < mesh->triangle_count; ++t) {
    const int* v = mesh->triangle[t].vertex;
    for (int k = 0; k < 3; ++k)
      sum += heft_vec3_norm(heft_vec3_sub(mesh->vertex[v[k]], mesh->vertex[v[(k + 1) % 3]]));
  }
  *s = (DistanceShape){.field = field,
                       .center = center,
                       .cell = sum / (3.0 * mesh->triangle_count),
                       .thin = heft_field_half_thickness(&field)};
  return s;
}

static int larger(int a, int b) { return a > b ? a : b; }

int heft_distance_gaps_max(const HeftModel* m) {
  int most = 0, any = 0;
  for (int i = 0; i < m->nmesh; ++i) {
    any |= m->mesh_field[i] != HEFT_FIELD_NONE;
    most = larger(most, larger(m->mesh_vertex_count[i], m->mesh_face_count[i] / 8 + 1));
  }
  for (int i = 0; i < m->nheight_field; ++i)
    most = larger(most, m->height_field_rows[i] * m->height_field_columns[i]);
  return any ? most : 0;
}

double heft_geometry_signed_distance(const Geometry* g, HeftVec3 p, double reach,
                                     HeftVec3* normal) {
  HeftVec3 q;
  if (g->kind == KIND_FIELD) {
    const double d =
        heft_field_distance(&g->distance->field, heft_vec3_add(p, g->distance->center), normal);
    const double length = heft_vec3_norm(*normal);
    if (!(length > 1e-6)) {
      *normal = heft_vec3(0, 0, 1);
      return d;
    }
    *normal = heft_vec3_scale(1 / length, *normal);
    return d / length;
  }
  if (g->kind != KIND_TRIANGLE_MESH) return heft_geometry_closest(g, p, &q, normal);
  const double d = heft_triangle_mesh_closest(g, p, reach, &q, normal);
  if (!(d < HUGE_VAL)) return d;
  const HeftVec3 away = heft_vec3_sub(p, q);
  const int behind = heft_vec3_dot(away, *normal) < 0;
  if (d > 1e-9 && !behind) *normal = heft_vec3_scale(1 / d, away);
  return behind ? -d : d;
}

// ---- one pair

typedef struct DistancePair {
  const Geometry *a, *b;
  const HeftPose* x;  ///< of b in a
  double margin, reach, cell;
  double equal;  ///< gaps that differ by less are equal
  int max;
  Candidates found;
  VertexGap* vertex_gap;  ///< scratch, or NULL
  int from_b;             ///< the starts at hand are on b
  Point best;             ///< with the smallest gap of all, as it is at its start
} DistancePair;

typedef struct Both {
  double a, b;      ///< signed distances
  HeftVec3 na, nb;  ///< gradients, in a's frame
} Both;

static double at_b(const DistancePair* p, HeftVec3 place, HeftVec3* n) {
  const double d =
      heft_geometry_signed_distance(p->b, heft_pose_apply_inverse(*p->x, place), p->reach, n);
  *n = heft_mat3_mul_vec(p->x->rot, *n);
  return d;
}

static Both both_at(const DistancePair* p, HeftVec3 place) {
  Both v;
  v.a = heft_geometry_signed_distance(p->a, place, p->reach, &v.na);
  v.b = at_b(p, place, &v.nb);
  return v;
}

// Contact points that are nearly as deep as the deepest one count as equal when some are chosen, so
// that the choice does not follow the last digits of a body at rest.
static void reduce_found(DistancePair* p, Manifold* out) {
  Candidates* c = &p->found;
  double least = HUGE_VAL, gap[CANDIDATE_MAX];
  uint64_t feature[CANDIDATE_MAX];
  const int count = c->count;
  for (int i = 0; i < count; ++i) least = fmin(least, c->point[i].gap);
  for (int i = 0; i < count; ++i) {
    Point* point = &c->point[i];
    gap[i] = point->gap;
    feature[i] = point->feature;
    point->feature = (uint64_t)i;
    if (point->gap - least < p->equal) point->gap = least;
  }
  heft_manifold_reduce_groups(c, same_normal, p->max, out);
  for (int k = 0; k < out->count; ++k) {
    const uint64_t i = out->point[k].feature;
    out->point[k].gap = gap[i];
    out->point[k].feature = feature[i];
  }
}

// Two starts may have led to one place: the deeper one stays.
static void keep(DistancePair* p, Point point) {
  if (!(point.gap <= p->margin)) return;
  const double near = same_place * p->cell;
  for (int i = 0; i < p->found.count; ++i) {
    Point* other = &p->found.point[i];
    const HeftVec3 d = heft_vec3_sub(other->pos, point.pos);
    if (heft_vec3_dot(d, d) > near * near ||
        heft_vec3_dot(other->normal, point.normal) < same_normal)
      continue;
    if (point.gap < other->gap) *other = point;
    return;
  }
  if (p->found.count == CANDIDATE_MAX) {
    Manifold m;
    reduce_found(p, &m);
    p->found.count = m.count;
    for (int k = 0; k < m.count; ++k) p->found.point[k] = m.point[k];
  }
  p->found.point[p->found.count++] = point;
}

// To halfway between the surfaces.
static HeftVec3 halfway(HeftVec3 place, const Both* v) {
  const HeftVec3 n = heft_vec3_normalize(heft_vec3_sub(v->na, v->nb));
  return heft_vec3_add_scaled(place, 0.5 * (v->b - v->a), n);
}

// Goes down from a start. Returns 0 if it leaves the neighbourhood.
static int descend(const DistancePair* p, HeftVec3 start, HeftVec3* place, Both* value) {
  const double limit = neighbourhood * p->cell;
  HeftVec3 at = halfway(start, value), last = at, slope = {0, 0, 0};
  const HeftVec3 origin = at;
  Both best = both_at(p, at), v = best;
  HeftVec3 best_at = at;
  for (int k = 0; k < STEPS; ++k) {
    const HeftVec3 n = heft_vec3_normalize(heft_vec3_sub(v.na, v.nb));
    HeftVec3 g = heft_vec3_add(v.na, v.nb);
    g = heft_vec3_add_scaled(g, -heft_vec3_dot(g, n), n);
    const double size = heft_vec3_norm(g);
    if (!(size > 1e-10)) break;
    double length = p->cell;
    if (k > 0) {
      const HeftVec3 moved = heft_vec3_sub(at, last), turned = heft_vec3_sub(g, slope);
      const double curve = heft_vec3_dot(moved, turned), square = heft_vec3_dot(moved, moved);
      length = curve > 0 ? square / curve : 2 * sqrt(square) / size;
    }
    length = fmin(length, 0.5 * p->cell / size);
    last = at;
    slope = g;
    at = heft_vec3_add_scaled(at, -length, g);
    v = both_at(p, at);
    if (v.a + v.b < best.a + best.b) best = v, best_at = at;
    if (heft_vec3_norm(heft_vec3_sub(at, origin)) > limit) return 0;
    if (length * size < 1e-9 * p->cell) break;
  }
  *place = halfway(best_at, &best);
  *value = both_at(p, *place);
  return 1;
}

// The distance of a point of the shape at hand from the other one, and its normal there; in a's
// frame.
static double at_other(const DistancePair* p, HeftVec3 place, HeftVec3* n) {
  return p->from_b ? heft_geometry_signed_distance(p->a, place, p->reach, n) : at_b(p, place, n);
}

// start: on the surface of the shape at hand, in a's frame.
static void try_start(DistancePair* p, HeftVec3 start, uint64_t feature) {
  Both v = both_at(p, start);
  const double d = p->from_b ? v.a : v.b;
  if (!(d <= p->margin + 0.5 * p->cell)) return;
  const HeftVec3 n = p->from_b ? v.na : v.nb;
  const Point plain = {heft_vec3_add_scaled(start, -0.5 * d, n), p->from_b ? n : heft_vec3_neg(n),
                       d, feature};
  if (plain.gap < p->best.gap) p->best = plain;
  HeftVec3 place = start;
  const double facing = heft_vec3_dot(v.na, v.nb);
  const double slope = heft_vec3_norm(heft_vec3_add(v.na, v.nb));
  if (facing > opposite) {
    if (facing < 0 || d > 0) keep(p, plain);
    return;
  }
  if (slope < fitting || !descend(p, start, &place, &v)) {
    if (slope < gentle) keep(p, plain);
    return;
  }
  if (heft_vec3_dot(v.na, v.nb) > opposite) {
    keep(p, plain);
    return;
  }
  keep(p, (Point){place, heft_vec3_normalize(heft_vec3_sub(v.na, v.nb)), v.a + v.b, feature});
}

// ---- starts

static uint64_t name_of(const DistancePair* p, int part, int index) {
  const uint32_t id = part_id(part, index), other = part_id(PART_SURFACE, 0);
  return p->from_b ? feature_pair(other, id) : feature_pair(id, other);
}

typedef struct Starts {
  DistancePair* pair;
  const Geometry* g;
  int block_count;  ///< blocks of triangles near the other shape (VertexGap::block)
} Starts;

static HeftVec3 in_a(const DistancePair* p, HeftVec3 place) {
  return p->from_b ? heft_pose_apply(*p->x, place) : place;
}

// 1 if the triangle is the first with its corner k, which is not in the middle of a flat part.
static int is_start(const TriangleMesh* mesh, int triangle, int k) {
  const int v = mesh->triangle[triangle].vertex[k];
  return mesh->first[v] == 3 * triangle + k && !mesh->inner[v];
}

static void measure_vertices(void* user, const int* items, int count) {
  const Starts* s = user;
  const TriangleMesh* mesh = s->g->triangle_mesh;
  HeftVec3 n;
  for (int i = 0; i < 3 * count; ++i) {
    const int v = mesh->triangle[items[i / 3]].vertex[i % 3];
    if (!is_start(mesh, items[i / 3], i % 3)) continue;
    s->pair->vertex_gap[v].gap = at_other(s->pair, in_a(s->pair, mesh->vertex[v]), &n);
    s->pair->vertex_gap[v].blocked = 0;
  }
}

// A vertex that is clearly higher than a neighbour is no start.
static void block_vertices(void* user, const int* items, int count) {
  const Starts* s = user;
  const TriangleMesh* mesh = s->g->triangle_mesh;
  VertexGap* gap = s->pair->vertex_gap;
  for (int i = 0; i < 3 * count; ++i) {
    const int *t = mesh->triangle[items[i / 3]].vertex, v = t[i % 3], w = t[(i + 1) % 3];
    const double rise = gap[v].gap - gap[w].gap;
    const double size = gentle * heft_vec3_norm(heft_vec3_sub(mesh->vertex[v], mesh->vertex[w]));
    if (rise > size) gap[v].blocked = 1;
    if (rise < -size) gap[w].blocked = 1;
  }
}

static void start_at_triangles(void* user, const int* items, int count) {
  const Starts* s = user;
  const TriangleMesh* mesh = s->g->triangle_mesh;
  VertexGap* gap = s->pair->vertex_gap;
  for (int i = 0; i < 3 * count; ++i) {
    const int v = mesh->triangle[items[i / 3]].vertex[i % 3];
    if (!is_start(mesh, items[i / 3], i % 3)) continue;
    if (gap && gap[v].blocked) continue;
    if (gap && !(gap[v].gap <= s->pair->margin + 0.5 * s->pair->cell)) continue;
    try_start(s->pair, in_a(s->pair, mesh->vertex[v]), name_of(s->pair, PART_CORNER, v));
  }
}

static void forget_vertices(void* user, const int* items, int count) {
  const Starts* s = user;
  for (int i = 0; i < 3 * count; ++i) {
    const int v = s->g->triangle_mesh->triangle[items[i / 3]].vertex[i % 3];
    s->pair->vertex_gap[v].gap = HUGE_VAL;
    s->pair->vertex_gap[v].blocked = 0;
  }
}

// The other shape is near a ball around vertices, in the frame of the shape at hand. No function
// grows faster than a distance, up to a few hundredths.
static int is_near(void* user, HeftVec3 center, double radius) {
  const Starts* s = user;
  const DistancePair* p = s->pair;
  const Geometry* other = p->from_b ? p->a : p->b;
  const HeftVec3 place = in_a(p, center);
  const double reach = p->margin + p->cell + radius;
  const HeftVec3 q = p->from_b ? place : heft_pose_apply_inverse(*p->x, place);
  HeftVec3 n;
  if (other->kind == KIND_FIELD)
    return 0.95 * heft_field_distance(&other->distance->field,
                                      heft_vec3_add(q, other->distance->center), &n) <=
           reach;
  return heft_geometry_signed_distance(other, q, reach, &n) <= reach;
}

static void note_block(void* user, const int* items, int count) {
  Starts* s = user;
  (void)count;
  s->pair->vertex_gap[s->block_count++].block = (int)(items - s->g->triangle_mesh->tree.item);
}

static void visit_blocks(Starts* s, TreeMeet* tell) {
  const Tree* tree = &s->g->triangle_mesh->tree;
  for (int i = 0; i < s->block_count; ++i) {
    const int first = s->pair->vertex_gap[i].block, left = tree->level_size[0] - first;
    tell(s, tree->item + first, left < 8 ? left : 8);
  }
}

static void start_at_vertices(DistancePair* p, const Geometry* g) {
  Starts s = {p, g, 0};
  const Tree* tree = &g->triangle_mesh->tree;
  if (!p->vertex_gap) {
    heft_tree8_visit(tree, is_near, start_at_triangles, &s);
    return;
  }
  heft_tree8_visit(tree, is_near, note_block, &s);
  visit_blocks(&s, measure_vertices);
  visit_blocks(&s, block_vertices);
  visit_blocks(&s, start_at_triangles);
  visit_blocks(&s, forget_vertices);
}

static void start_at_hull(DistancePair* p, const Hull* h) {
  for (int i = 0; i < h->vertex_count; ++i)
    try_start(p, in_a(p, heft_vec3(h->x[i], h->y[i], h->z[i])), name_of(p, PART_CORNER, i));
}

static void start_at_feature(DistancePair* p, const Geometry* g, HeftVec3 direction) {
  Feature f;
  heft_geometry_feature(g, direction, &f);
  for (int k = 0; k < f.count; ++k)
    try_start(p, in_a(p, f.corner[k]), name_of(p, PART_CORNER, f.corner_id[k]));
}

// Round shapes: the point of the surface below the field, seen from points of the axis.
static void start_at_round(DistancePair* p, const Geometry* g) {
  const double half = g->kind == KIND_CAPSULE ? g->size[1] : 0;
  int count = half > 0 ? 2 + (int)fmin(2 * half / p->cell, 30) : 1;
  for (int i = 0; i < count; ++i) {
    const double z = count > 1 ? half * (2.0 * i / (count - 1) - 1) : 0;
    const HeftVec3 axis = in_a(p, heft_vec3(0, 0, z));
    HeftVec3 n;
    const double d =
        p->from_b ? heft_geometry_signed_distance(p->a, axis, p->reach, &n) : at_b(p, axis, &n);
    if (!(d < HUGE_VAL)) continue;
    try_start(p, heft_vec3_add_scaled(axis, -g->size[0], n), name_of(p, PART_EDGE, i));
  }
}

static void start_on(DistancePair* p, const Geometry* g) {
  switch (g->kind) {
    case KIND_FIELD:
    case KIND_TRIANGLE_MESH:
      start_at_vertices(p, g);
      return;
    case KIND_HULL:
      start_at_hull(p, g->hull);
      return;
    case KIND_BOX:
    case KIND_CYLINDER:
      start_at_feature(p, g, heft_vec3(0, 0, 1));
      start_at_feature(p, g, heft_vec3(0, 0, -1));
      return;
    case KIND_SPHERE:
    case KIND_CAPSULE:
      start_at_round(p, g);
      return;
    case KIND_PLANE:
    case KIND_ELLIPSOID:
    case KIND_TRIANGLE:
    case KIND_COUNT:
      return;
  }
}

void heft_distance_pair(const Geometry* a, const Geometry* b, const HeftPose* b_in_a, double margin,
                        int max, VertexGap* vertex_gap, Manifold* out) {
  HEFT_ASSERT(b->kind == KIND_FIELD);
  DistancePair p = {.a = a, .b = b, .x = b_in_a, .margin = margin, .max = max};
  p.cell = b->distance->cell;
  if (a->kind == KIND_FIELD) p.cell = fmin(p.cell, a->distance->cell);
  p.reach = 2 * margin + 8 * p.cell + 2 * b->distance->thin;
  p.vertex_gap = vertex_gap;
  p.equal = fmin(1e-3 * margin, 1e-3 * p.cell);
  p.best.gap = HUGE_VAL;
  p.found.count = 0;
  start_on(&p, a);
  p.from_b = 1;
  start_on(&p, b);
  if (p.found.count == 0 && p.best.gap <= margin) keep(&p, p.best);
  reduce_found(&p, out);
}
