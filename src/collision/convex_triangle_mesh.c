// SPDX-License-Identifier: Apache-2.0
// Papers: R63.
// A convex shape on a triangle mesh, two triangle meshes, a triangle mesh on a plane.
//
// Each triangle by itself has edges that the surface does not have: where it goes on flat or rises,
// a body that slides along must not be caught by them. So a contact with a triangle points along
// the triangle's normal unless it lies on a ridge, and there it points between the normals of the
// two triangles that meet. Points on edges inside of a flat region are no corners and are skipped;
// the others are grouped by direction and reduced like any contact polygon, so that a box on ten
// thousand coplanar triangles has the same four points as on a plane.
//
// Two meshes: each triangle of the first near the second is a convex shape. It is met from its
// front only, and its names come from its mesh. A face may be below the other by a quarter of the
// thickness of the thinner mesh, which is twice the volume over the area, to be a contact of that
// face: beyond, it may as well be on the other side of a thin wall.
#include "base/assert.h"
#include "collision/narrow.h"
#include "collision/triangle_mesh.h"

static const double looks_at = 0.5;         // cosine of triangles that look at each other
static const double along_face = 0.9;       // cosine of a depth along the normal of a face
static const double backwards = 0.1;        // sine by which a contact may point behind a triangle
static const double same_direction = 0.95;  // cosine of normals that are reduced together

typedef struct MeshQuery {
  const Geometry* a;
  const TriangleMesh* triangle_mesh;
  const HeftPose* x;
  double margin, reach;  // reach: how deep a face contact may be to be taken at sight
  int max;
  NarrowScratch* scratch;
  const TriangleMesh* own_mesh;  // of which a is the triangle `own`; NULL: a is a convex shape
  const Triangle* own;
  int facet;  // 1: nothing below the triangle by more than `reach` is pushed out
  // of the triangle at hand, in a's frame:
  const Triangle* t;
  HeftVec3 corner[3], normal;
  Geometry triangle;
} MeshQuery;

Geometry heft_triangle_geometry(const HeftVec3 corner[3]) {
  HeftVec3 lo = corner[0], hi = corner[0];
  for (int k = 1; k < 3; ++k) {
    const HeftVec3 c = corner[k];
    lo = heft_vec3(fmin(lo.x, c.x), fmin(lo.y, c.y), fmin(lo.z, c.z));
    hi = heft_vec3(fmax(hi.x, c.x), fmax(hi.y, c.y), fmax(hi.z, c.z));
  }
  return (Geometry){.kind = KIND_TRIANGLE,
                    .corner = corner,
                    .center = heft_vec3_scale(0.5, heft_vec3_add(lo, hi)),
                    .half = heft_vec3_scale(0.5, heft_vec3_sub(hi, lo))};
}

static void load_triangle(MeshQuery* m, const Triangle* t) {
  m->t = t;
  for (int k = 0; k < 3; ++k)
    m->corner[k] = heft_pose_apply(*m->x, m->triangle_mesh->vertex[t->vertex[k]]);
  m->normal = heft_mat3_mul_vec(m->x->rot, t->normal);
  m->triangle = heft_triangle_geometry(m->corner);
}

// How far p lies outside of edge k, in the triangle's plane.
static double outside_edge(const MeshQuery* m, int k, HeftVec3 p) {
  const HeftVec3 e = heft_vec3_sub(m->corner[(k + 1) % 3], m->corner[k]);
  const HeftVec3 out = heft_vec3_normalize(heft_vec3_cross(e, m->normal));
  return heft_vec3_dot(out, heft_vec3_sub(p, m->corner[k]));
}

static int above_triangle(const MeshQuery* m, HeftVec3 p, double slack) {
  for (int k = 0; k < 3; ++k) {
    if (outside_edge(m, k, p) > slack) return 0;
  }
  return 1;
}

// From a name within a triangle to a feature within its mesh. Returns 0 for points on edges and
// corners in the middle of a flat region.
static int rename_part(const TriangleMesh* mesh, const Triangle* t, uint32_t* id) {
  const int part = (int)(*id >> 30), k = (int)(*id & 3);
  uint32_t to = part_id(PART_FACE, t->region);
  if (part == PART_CORNER) {
    if (mesh->inner[t->vertex[k]]) return 0;
    to = part_id(PART_CORNER, t->vertex[k]);
  } else if (part == PART_EDGE) {
    if (t->crease[k] == CREASE_FLAT) return 0;
    to = part_id(PART_EDGE, t->edge[k]);
  }
  *id = to;
  return 1;
}

// A triangle of another mesh is met from its front only.
static int rename_point(const MeshQuery* m, Point* p) {
  uint32_t id = (uint32_t)p->feature, own = (uint32_t)(p->feature >> 32);
  if (!rename_part(m->triangle_mesh, m->t, &id)) return 0;
  if (m->own) {
    if (heft_vec3_dot(p->normal, m->own->normal) < -backwards) return 0;
    if (!rename_part(m->own_mesh, m->own, &own)) return 0;
  }
  p->feature = feature_pair(own, id);
  return 1;
}

// A point of that name and direction may have come from the triangle next door: the deeper one
// stays.
static void settle(Candidates* c, int from, const MeshQuery* m) {
  int count = from;
  for (int i = from; i < c->count; ++i) {
    Point p = c->point[i];
    if (!rename_point(m, &p)) continue;
    int twin = -1;
    for (int k = 0; k < count && twin < 0; ++k) {
      if (c->point[k].feature == p.feature &&
          heft_vec3_dot(c->point[k].normal, p.normal) > same_direction) {
        twin = k;
      }
    }
    if (twin < 0) {
      c->point[count++] = p;
    } else if (p.gap < c->point[twin].gap) {
      c->point[twin] = p;
    }
  }
  c->count = count;
}

// Contact along the normal of the triangle: the part of a above the triangle. Returns the number of
// points, including those that the manifold does not need.
static int touch_face(MeshQuery* m, HeftVec3 lowest, double gap) {
  Candidates* c = &m->scratch->candidates;
  const HeftPose here = heft_pose_identity();
  const HeftVec3 n = heft_vec3_neg(m->normal);
  const int before = c->count;
  const double min =
      heft_manifold_clip(m->a, &m->triangle, &here, n, lowest, gap + m->a->radius, m->margin, c);
  int found = c->count - before;
  const double slack = 1e-6 * heft_vec3_norm(m->triangle.half);
  if (!(min <= gap + m->a->radius + slack) && gap <= m->margin &&
      above_triangle(m, lowest, slack)) {
    const HeftVec3 pos = heft_vec3_add_scaled(lowest, m->a->radius + 0.5 * gap, n);
    candidate_add(c, pos, n, gap, feature_pair(part_id(PART_SURFACE, 0), part_id(PART_FACE, 0)));
    ++found;
  }
  settle(c, before, m);
  return found;
}

typedef enum Verdict { AS_FOUND, ALONG_FACE, NOT_OURS } Verdict;

// Whether a contact at the point p of the triangle may point along `away` (from the soup outward).
static Verdict judge(const MeshQuery* m, HeftVec3 p, HeftVec3 away) {
  const double slack = 1e-7 * heft_vec3_norm(m->triangle.half);
  int on_edge = 0;
  for (int k = 0; k < 3; ++k) {
    if (outside_edge(m, k, p) < -slack) continue;
    on_edge = 1;
    if (m->t->crease[k] != CREASE_RIDGE) return ALONG_FACE;
    const HeftVec3 e = heft_vec3_sub(m->corner[(k + 1) % 3], m->corner[k]);
    const HeftVec3 other = heft_mat3_mul_vec(m->x->rot, m->t->other[k]);
    if (heft_vec3_dot(heft_vec3_cross(e, m->normal), away) < 0) return ALONG_FACE;
    const HeftVec3 beyond = heft_vec3_cross(other, e);  // out of the neighbour, across the edge
    const double same = heft_vec3_dot(other, m->normal);
    if (same < 1 && heft_vec3_dot(beyond, away) < -1e-12 * heft_vec3_norm(e)) return NOT_OURS;
  }
  return on_edge ? AS_FOUND : ALONG_FACE;
}

// A triangle of another mesh is a small part of its surface: unless it looks at the triangle at
// hand, it is not the part that lies on it.
static int faces_triangle(const MeshQuery* m) {
  return !m->own || heft_vec3_dot(m->own->normal, m->normal) < -looks_at;
}

// ---- triangles that are apart
//
// Most triangles whose boxes meet are too far from each other for a contact point. A plane between
// them shows it for a twentieth of the price: the plane of either triangle, or one through an edge,
// perpendicular to it. A contact point joins a point of one triangle with one of the other, which
// are either within the margin, or, if the triangles look at each other, up to `reach` apart along
// the normal of the triangle at hand. So the triangle of the first mesh must be less than the
// margin outside of each edge of the triangle at hand, and less than `reach` behind it; the
// triangle at hand less than `reach` outside of each edge of the first one and behind it.
static const double rounding = 1 + 1e-6;
static const double beside = 1e-3;  // of the size: beyond an edge by more, none is above the face

static void heights(const HeftVec3 corner[3], HeftVec3 on, HeftVec3 along, double* lo, double* hi) {
  *lo = HUGE_VAL;
  *hi = -HUGE_VAL;
  for (int k = 0; k < 3; ++k) {
    const double height = heft_vec3_dot(heft_vec3_sub(corner[k], on), along);
    *lo = height < *lo ? height : *lo;
    *hi = height > *hi ? height : *hi;
  }
}

// How far one triangle lies beyond an edge of another with this normal; negative if beyond none.
static double beyond_edge(const HeftVec3 corner[3], const HeftVec3 of[3], HeftVec3 normal) {
  double most = -HUGE_VAL;
  for (int k = 0; k < 3; ++k) {
    double lo, hi;
    const HeftVec3 e = heft_vec3_sub(of[(k + 1) % 3], of[k]);
    heights(corner, of[k], heft_vec3_cross(e, normal), &lo, &hi);
    if (lo > 0) lo /= heft_vec3_norm(e);
    most = lo > most ? lo : most;
  }
  return most;
}

// How two triangles lie to each other: heights of the one of the first mesh over the plane of the
// one at hand, and the other way round.
typedef struct Between {
  double own_lo, own_hi, lo, hi;
  double beyond;  ///< how far the triangle of the first mesh lies beyond an edge of the one at hand
} Between;

static Between between(const MeshQuery* m) {
  const HeftVec3* own = m->a->corner;
  Between b;
  heights(own, m->corner[0], m->normal, &b.own_lo, &b.own_hi);
  heights(m->corner, own[0], m->own->normal, &b.lo, &b.hi);
  b.beyond = beyond_edge(own, m->corner, m->normal);
  return b;
}

static int are_apart(const MeshQuery* m, const Between* b) {
  const double margin = rounding * m->margin, reach = rounding * m->reach;
  return b->own_lo > margin || b->own_hi < -reach || b->lo > margin || b->hi < -reach ||
         b->beyond > margin || beyond_edge(m->corner, m->a->corner, m->own->normal) > reach;
}

static void touch_triangle(MeshQuery* m) {
  const int meshes = m->own && m->triangle_mesh->deep == 0;
  const Between b = meshes ? between(m) : (Between){.beyond = -HUGE_VAL};
  if (meshes && are_apart(m, &b)) return;
  const HeftVec3 down = heft_vec3_neg(m->normal);
  const HeftVec3 lowest = heft_geometry_support(m->a, down);
  const double gap = heft_vec3_dot(heft_vec3_sub(lowest, m->corner[0]), m->normal) - m->a->radius;
  if (!(gap <= m->margin)) return;
  const int above = !(b.beyond > beside * heft_vec3_norm(m->triangle.half));
  if (above && gap >= -m->reach && faces_triangle(m) && touch_face(m, lowest, gap) > 0) return;
  const HeftPose here = heft_pose_identity();
  Nearness near;
  if (!heft_nearness(m->a, &m->triangle, &here, m->margin + m->a->radius, &m->scratch->epa,
                     &near)) {
    if (m->triangle_mesh->deep > 0 && gap < -m->reach) touch_face(m, lowest, gap);
    return;
  }
  const HeftVec3 away = heft_vec3_neg(near.normal);
  const double front = heft_vec3_dot(away, m->normal);
  if (front < 0 && near.gap > 0 && m->triangle_mesh->deep == 0) return;  // behind the surface
  Verdict verdict = front < 0 ? ALONG_FACE : judge(m, near.on_b, away);
  if (m->own && near.gap <= 0 && verdict == ALONG_FACE && front > 0 && front < along_face)
    verdict = AS_FOUND;
  if (verdict == NOT_OURS) return;
  if (verdict == ALONG_FACE) {
    if (!m->facet || gap >= -m->reach) touch_face(m, lowest, gap);
    return;
  }
  Candidates* c = &m->scratch->candidates;
  const int before = c->count;
  const HeftVec3 middle = heft_vec3_scale(0.5, heft_vec3_add(near.on_a, near.on_b));
  heft_manifold_of_features(m->a, &m->triangle, &here, near.normal, middle, near.gap, m->margin, c);
  settle(c, before, m);
}

static void make_room(Candidates* c, int max) {
  if (c->count < CANDIDATE_MAX - 24) return;
  Manifold m;
  heft_manifold_reduce_groups(c, same_direction, max, &m);
  c->count = m.count;
  for (int k = 0; k < m.count; ++k) c->point[k] = m.point[k];
}

// The box of a in the mesh's frame.
static void box_in_triangle_mesh(const Geometry* a, const HeftPose* x, double margin, double lo[3],
                                 double hi[3]) {
  const HeftVec3 c = heft_pose_apply_inverse(*x, a->center);
  const double center[3] = {c.x, c.y, c.z};
  for (int k = 0; k < 3; ++k) {
    const double reach = fabs(x->rot.m[0][k]) * a->half.x + fabs(x->rot.m[1][k]) * a->half.y +
                         fabs(x->rot.m[2][k]) * a->half.z + margin;
    lo[k] = center[k] - reach;
    hi[k] = center[k] + reach;
  }
}

static void touch_triangles(void* user, const int* items, int count) {
  MeshQuery* m = user;
  for (int i = 0; i < count; ++i) {
    make_room(&m->scratch->candidates, m->max);
    load_triangle(m, &m->triangle_mesh->triangle[items[i]]);
    touch_triangle(m);
  }
}

void heft_convex_triangle_mesh(const Geometry* a, const Geometry* b, const HeftPose* x,
                               double margin, int max, NarrowScratch* scratch, Manifold* out) {
  HEFT_ASSERT(b->kind == KIND_TRIANGLE_MESH);
  double lo[3], hi[3];
  MeshQuery m = {.a = a,
                 .triangle_mesh = b->triangle_mesh,
                 .x = x,
                 .margin = margin,
                 .max = max,
                 .scratch = scratch};
  m.reach = 0.25 * fmin(a->half.x, fmin(a->half.y, a->half.z));
  box_in_triangle_mesh(a, x, margin, lo, hi);
  scratch->candidates.count = 0;
  heft_tree8_query(&b->triangle_mesh->tree, lo, hi, touch_triangles, &m);
  heft_manifold_reduce_groups(&scratch->candidates, same_direction, max, out);
}

// ---- one triangle of a surface that deforms

void heft_convex_facet(const Geometry* a, const Facet* own, const Facet* b, double margin, int max,
                       NarrowScratch* scratch, Manifold* out) {
  const HeftPose here = heft_pose_identity();
  MeshQuery m = {.a = a,
                 .triangle_mesh = b->mesh,
                 .x = &here,
                 .margin = margin,
                 .reach = own ? fmin(own->reach, b->reach) : b->reach,
                 .max = max,
                 .scratch = scratch,
                 .facet = 1,
                 .t = &b->triangle,
                 .corner = {b->corner[0], b->corner[1], b->corner[2]},
                 .normal = b->triangle.normal};
  if (own) {
    m.own_mesh = own->mesh;
    m.own = &own->triangle;
  }
  m.triangle = heft_triangle_geometry(m.corner);
  scratch->candidates.count = 0;
  touch_triangle(&m);
  heft_manifold_reduce_groups(&scratch->candidates, same_direction, max, out);
}

// ---- two meshes

// The triangles of the mesh a near the mesh b.
typedef struct MeshPair {
  MeshQuery query;
  Geometry triangle;  ///< of a
  HeftVec3 corner[3];
} MeshPair;

static void touch_mesh(void* user, const int* items, int count) {
  MeshPair* p = user;
  const TriangleMesh* own = p->query.own_mesh;
  for (int i = 0; i < count; ++i) {
    const Triangle* t = &own->triangle[items[i]];
    double lo[3], hi[3];
    for (int k = 0; k < 3; ++k) p->corner[k] = own->vertex[t->vertex[k]];
    p->triangle = heft_triangle_geometry(p->corner);
    p->query.own = t;
    box_in_triangle_mesh(&p->triangle, p->query.x, p->query.margin, lo, hi);
    heft_tree8_query(&p->query.triangle_mesh->tree, lo, hi, touch_triangles, &p->query);
  }
}

void heft_mesh_mesh(const Geometry* a, const Geometry* b, const HeftPose* x, double margin, int max,
                    NarrowScratch* scratch, Manifold* out) {
  HEFT_ASSERT(a->kind == KIND_TRIANGLE_MESH && b->kind == KIND_TRIANGLE_MESH);
  MeshPair p = {.query = {.triangle_mesh = b->triangle_mesh,
                          .x = x,
                          .margin = margin,
                          .max = max,
                          .scratch = scratch,
                          .own_mesh = a->triangle_mesh}};
  p.query.a = &p.triangle;
  p.query.reach =
      fmax(0.25 * fmin(a->triangle_mesh->thickness, b->triangle_mesh->thickness), 2 * margin);
  const HeftPose back = heft_pose_inverse(*x);
  double lo[3], hi[3];
  box_in_triangle_mesh(b, &back, margin, lo, hi);
  scratch->candidates.count = 0;
  heft_tree8_query(&a->triangle_mesh->tree, lo, hi, touch_mesh, &p);
  heft_manifold_reduce_groups(&scratch->candidates, same_direction, max, out);
}

// ---- a plane and a mesh

typedef struct PlaneQuery {
  const TriangleMesh* mesh;
  const HeftPose* x;
  double margin;
  int max;
  Candidates* found;
} PlaneQuery;

static int reaches_plane(void* user, HeftVec3 center, double radius) {
  const PlaneQuery* q = user;
  return heft_pose_apply(*q->x, center).z <= q->margin + radius;
}

static void touch_plane(void* user, const int* items, int count) {
  const PlaneQuery* q = user;
  for (int i = 0; i < 3 * count; ++i) {
    const int t = items[i / 3], k = i % 3, v = q->mesh->triangle[t].vertex[k];
    if (q->mesh->first[v] != 3 * t + k || q->mesh->inner[v]) continue;
    HeftVec3 p = heft_pose_apply(*q->x, q->mesh->vertex[v]);
    const double gap = p.z;
    if (!(gap <= q->margin)) continue;
    p.z = 0.5 * gap;
    make_room(q->found, q->max);
    candidate_add(q->found, p, heft_vec3(0, 0, 1), gap,
                  feature_pair(part_id(PART_FACE, 0), part_id(PART_CORNER, v)));
  }
}

void heft_plane_mesh(const Geometry* b, const HeftPose* x, double margin, int max,
                     NarrowScratch* scratch, Manifold* out) {
  HEFT_ASSERT(b->kind == KIND_TRIANGLE_MESH);
  PlaneQuery q = {b->triangle_mesh, x, margin, max, &scratch->candidates};
  scratch->candidates.count = 0;
  heft_tree8_visit(&b->triangle_mesh->tree, reaches_plane, touch_plane, &q);
  heft_manifold_reduce(&scratch->candidates, max, out);
}
