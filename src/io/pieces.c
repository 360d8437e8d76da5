// SPDX-License-Identifier: Apache-2.0
// Approximate convex decomposition, in the manner of [Mamou 2016] and [Wei 2022].
//
// Parts. The solid S of a mesh (solid.c) is cut by planes across the axes, so that a part is the
// intersection of S with a box B. Its piece is the convex hull of S ∩ B. The extreme points of
// S ∩ B lie on the surface of the mesh or are corners of B: a point inside of S and of a side or an
// edge of B lies between two others. So
//     hull(S ∩ B) = hull( {triangles of the mesh, clipped by B} ∪ {corners of B in S} ).    (1)
// All pieces together contain all of S. A corner that may or may not be in S counts as a point of
// S: this may only add to a piece.
//
// Order. The part whose hull is farthest from S is cut in two, until every hull is near enough, or
// there are eight times as many as wanted. Then neighbours are joined to the hull of both, where
// that is near enough, the pair that adds the least volume first. If there are still too many, the
// error that is allowed grows until there are few enough. If the work ends before that, the parts
// count that were there when there were just few enough.
//
// Bounds. Clipping rounds each coordinate at most six times to the lattice, so all points are known
// to `slack`. With it, the excess (piece_excess.c) and the distance that a limit of vertices leaves
// out (lattice_hull.c) are bounds that hold.
//
// Effort. Cutting may use up to half of the work, joining up to 70 %, simpler hulls up to 85 %; the
// rest is for bounds. A cut or a join that is not finished when the work is spent is taken back.
// Parts for whose hull nothing is left become boxes: these contain them, too, and cost next to
// nothing. So a mesh cannot use much more than its work, whatever it is.
//
// Everything is computed from whole numbers and from sums, products, quotients and roots in double,
// in a fixed order; the work is counted, not timed. So the pieces are the same on every machine.
#include "io/pieces.h"

#include <math.h>
#include <string.h>

// Lattice units: six roundings of half a unit on two axes, and the rounding of the vertices.
static const double slack = 6;
enum { POLYGON = 12, PARTS = 2000 };
static const double work_of_clip = 150;
static const double share_of_cuts = 0.5, share_of_joins = 0.7, share_of_hulls = 0.85;

typedef struct Part {
  CellBox box;
  int face_count;
  int* faces;       ///< of the mesh, that may touch the box
  int point_count;  ///< vertices of the hull
  LatticePoint* points;
  int32_t min[3], max[3];  ///< of the points, for joining
  int64_t volume;          ///< six times the hull's
  double excess;           ///< of the hull
  int whole;               ///< cannot be cut
} Part;

typedef struct Work {
  Region* result;
  const PieceDef* def;
  const PieceProgress* progress;
  Region region;
  Effort effort;
  Solid solid;
  HullSpace hull;
  CutSpace cut;
  Grow points;  ///< LatticePoint, of one part
  int* seen;    ///< vertex -> part in which it was used last
  int part_number;
  Grow parts;    ///< Part
  Grow few;      ///< Part: the parts when there were as many as may be
  double error;  ///< [lattice units]
  int no_memory;
} Work;

static int is_over(const Work* w) { return w->no_memory || effort_spent(&w->effort); }

static void* take_from(Work* w, Region* region, size_t count, size_t size) {
  void* memory = region_take(region, count, size);
  if (!memory) w->no_memory = 1;
  return memory;
}

static void* take(Work* w, size_t count, size_t size) {
  return take_from(w, &w->region, count, size);
}

static void add_point(Work* w, LatticePoint p) {
  LatticePoint* slot = grow_add(&w->points, sizeof p, &w->region);
  if (slot) {
    *slot = p;
  } else {
    w->no_memory = 1;
  }
}

// ---- points of a part

// The quotient, rounded to the nearest whole number; d > 0.
static int64_t divide(int64_t n, int64_t d) {
  const int64_t twice = 2 * n + d;
  const int64_t q = twice / (2 * d);
  return twice % (2 * d) < 0 ? q - 1 : q;
}

// The point of an edge on the plane x[axis] = at, which lies between p and q.
static LatticePoint meet(LatticePoint p, LatticePoint q, int axis, int at) {
  LatticePoint out;
  if (p.x[axis] > q.x[axis]) {
    out = p;
    p = q;
    q = out;
  }
  const int64_t d = (int64_t)q.x[axis] - p.x[axis], t = (int64_t)at - p.x[axis];
  for (int k = 0; k < 3; ++k)
    out.x[k] = (int32_t)(p.x[k] + divide(t * ((int64_t)q.x[k] - p.x[k]), d));
  out.x[axis] = at;
  return out;
}

// Keeps the part of a polygon on one side of a plane: side 1 above, -1 below.
static int clip(LatticePoint* polygon, int count, int axis, int at, int side) {
  LatticePoint in[POLYGON];
  memcpy(in, polygon, (size_t)count * sizeof *in);
  int kept = 0;
  for (int i = 0; i < count && kept + 2 <= POLYGON; ++i) {
    const LatticePoint p = in[i], q = in[(i + 1) % count];
    const int here = side * (p.x[axis] - at), there = side * (q.x[axis] - at);
    if (here >= 0) polygon[kept++] = p;
    if ((here > 0 && there < 0) || (here < 0 && there > 0)) polygon[kept++] = meet(p, q, axis, at);
  }
  return kept;
}

static int box_bound(const Work* w, const CellBox* b, int axis, int side) {
  return w->solid.cell * (side > 0 ? b->lo[axis] : b->hi[axis]);
}

// Adds the points of a face in a box. Returns 0 if it does not touch the box.
static int add_face(Work* w, const CellBox* box, int face) {
  LatticePoint polygon[POLYGON];
  const int* v = w->solid.faces + 3L * face;
  int count = 3, cut = 0;
  for (int k = 0; k < 3; ++k) polygon[k] = w->solid.vertices[v[k]];
  w->effort.work += 40;
  for (int axis = 0; axis < 3; ++axis) {
    for (int side = -1; side <= 1; side += 2) {
      const int at = box_bound(w, box, axis, side);
      int out = 0;
      for (int i = 0; i < count; ++i) out += side * (polygon[i].x[axis] - at) < 0;
      if (out == count) return 0;
      if (out == 0) continue;
      count = clip(polygon, count, axis, at, side);
      cut = 1;
      w->effort.work += work_of_clip;
    }
  }
  for (int i = 0; i < count; ++i) {
    if (!cut && w->seen[v[i]] == w->part_number) continue;
    if (!cut) w->seen[v[i]] = w->part_number;
    add_point(w, polygon[i]);
  }
  return 1;
}

static void add_corners(Work* w, const CellBox* box) {
  for (int i = 0; i < 8; ++i) {
    LatticePoint p;
    double x[3];
    for (int k = 0; k < 3; ++k) x[k] = p.x[k] = box_bound(w, box, k, i >> k & 1 ? 1 : -1);
    if (solid_contains(&w->solid, x) != 0) add_point(w, p);
  }
}

// A flat part becomes a thin plate: its sum with a small octahedron, which adds a quarter of the
// error on all sides.
static void thicken(Work* w) {
  const int count = w->points.count;
  const int half = (int)fmin(fmax(1, floor(w->error / 4)), w->solid.cell / 2.0);
  for (int i = 0; i < 6 * count && !w->no_memory; ++i) {
    LatticePoint p = GROW_AT(w->points, LatticePoint, i / 6);
    p.x[i % 3] += i % 2 ? half : -half;
    add_point(w, p);
  }
}

// Computes hull and volume of w->points. Returns 0 if there is no hull.
static int finish_part(Work* w, Part* part) {
  HullResult made = hull_make(&w->hull, w->points.items, w->points.count);
  if (made == HULL_FLAT && w->points.count > 0) {
    thicken(w);
    made = hull_make(&w->hull, w->points.items, w->points.count);
  }
  if (made == HULL_NO_MEMORY) w->no_memory = 1;
  if (made != HULL_MADE || w->no_memory) return 0;
  const int capacity = w->hull.alive / 2 + 2;
  int* corner = take(w, (size_t)capacity, sizeof(int));
  part->points = take(w, (size_t)capacity, sizeof(LatticePoint));
  if (!corner || !part->points) return 0;
  part->point_count = hull_vertices(&w->hull, corner, capacity);
  for (int i = 0; i < part->point_count; ++i)
    part->points[i] = GROW_AT(w->points, LatticePoint, corner[i]);
  part->volume = hull_volume(&w->hull);
  return 1;
}

// Makes the part of S in a box from faces that may touch it. Returns 0 if there is nothing in it,
// or if the work was spent before it was made.
static int make_part(Work* w, CellBox box, const int* faces, int face_count, Part* out) {
  if (!cut_shrink(&w->solid, &box)) return 0;
  *out = (Part){.box = box, .faces = take(w, (size_t)face_count, sizeof(int))};
  if (!out->faces) return 0;
  w->points.count = 0;
  ++w->part_number;
  for (int i = 0; i < face_count && !is_over(w); ++i) {
    if (add_face(w, &box, faces[i])) out->faces[out->face_count++] = faces[i];
  }
  add_corners(w, &box);
  if (is_over(w) || !finish_part(w, out)) return 0;
  const ExcessDef def = {
      .enough = w->error, .share = 0.25, .stop = (double)INFINITY, .tired = 0.9 * w->effort.max};
  out->excess = hull_excess(&w->solid, &w->hull, &def);
  return 1;
}

// ---- cutting

static void tell(const Work* w, double share) {
  if (w->progress && w->progress->tell) w->progress->tell(w->progress->user, share);
}

static void add_part(Work* w, Grow* parts, const Part* part) {
  Part* slot = grow_add(parts, sizeof *part, &w->region);
  if (slot) {
    *slot = *part;
  } else {
    w->no_memory = 1;
  }
}

// Returns 0 if no more can be cut.
static int cut_part(Work* w, int index) {
  Part old = GROW_AT(w->parts, Part, index);
  Cut cut;
  const int found = cut_choose(&w->cut, &w->hull, &w->solid, &old.box, &cut);
  if (found < 0) w->no_memory = 1;
  if (found <= 0) {
    GROW_AT(w->parts, Part, index).whole = 1;
    return !w->no_memory;
  }
  CellBox half[2] = {old.box, old.box};
  half[0].hi[cut.axis] = half[1].lo[cut.axis] = cut.at;
  Part made[2];
  int used = 0;
  for (int i = 0; i < 2; ++i) {
    used += make_part(w, half[i], old.faces, old.face_count, &made[used]);
    if (is_over(w)) return 0;  // a half may be unfinished: the part stays as it was
  }
  if (used > 0) GROW_AT(w->parts, Part, index) = made[0];
  if (used > 1) add_part(w, &w->parts, &made[1]);
  return !w->no_memory;
}

static int worst_part(const Work* w) {
  int worst = -1;
  for (int i = 0; i < w->parts.count; ++i) {
    const Part* p = &GROW_AT(w->parts, Part, i);
    if (p->whole || p->excess <= w->error) continue;
    if (worst < 0 || p->excess > GROW_AT(w->parts, Part, worst).excess) worst = i;
  }
  return worst;
}

static void keep_few(Work* w) {
  w->few.count = 0;
  for (int i = 0; i < w->parts.count; ++i) add_part(w, &w->few, &GROW_AT(w->parts, Part, i));
}

static void cut_all(Work* w) {
  const int most = w->def->max_pieces < PARTS / 8 ? 8 * w->def->max_pieces : PARTS;
  for (int i = worst_part(w); i >= 0 && w->parts.count < most && !is_over(w); i = worst_part(w)) {
    if (w->parts.count == w->def->max_pieces) keep_few(w);
    if (!cut_part(w, i)) break;
    tell(w, fmin(0.7, 0.7 * w->parts.count / most));
  }
}

// ---- joining

typedef enum PairState {
  PAIR_NEW,      ///< nothing is known
  PAIR_APART,    ///< the parts do not touch
  PAIR_WEIGHED,  ///< the volume is known
  PAIR_REFUSED   ///< and the hull of both is too far from the solid
} PairState;

typedef struct Pair {
  double added;  ///< volume of the joined hull less both volumes
  PairState state;
} Pair;

/// A triangle of pairs, and for each part the best of those with parts before it.
typedef struct Table {
  Pair* pair;
  int* best;  ///< part -> part before it, -1: none, -2: not known
} Table;

static Pair* pair_of(const Table* t, int i, int j) {
  const size_t high = (size_t)(i > j ? i : j), low = (size_t)(i > j ? j : i);
  return &t->pair[high * (high - 1) / 2 + low];
}

static void bound_part(Part* p) {
  for (int k = 0; k < 3; ++k) {
    p->min[k] = INT32_MAX;
    p->max[k] = 0;
    for (int i = 0; i < p->point_count; ++i) {
      const int32_t x = p->points[i].x[k];
      if (x < p->min[k]) p->min[k] = x;
      if (x > p->max[k]) p->max[k] = x;
    }
  }
}

static int are_near(const Work* w, const Part* a, const Part* b) {
  for (int k = 0; k < 3; ++k) {
    if (a->min[k] > b->max[k] + w->solid.cell || b->min[k] > a->max[k] + w->solid.cell) return 0;
  }
  return 1;
}

static void add_points(Work* w, const Part* p) {
  for (int i = 0; i < p->point_count; ++i) add_point(w, p->points[i]);
}

// The hull of two parts, in w->hull. Returns 0 if there is none: no memory, or the work is spent.
static int join_hull(Work* w, const Part* a, const Part* b) {
  w->points.count = 0;
  add_points(w, a);
  add_points(w, b);
  if (w->no_memory) return 0;
  const HullResult made = hull_make(&w->hull, w->points.items, w->points.count);
  if (made != HULL_MADE && made != HULL_SPENT) w->no_memory = 1;
  return made == HULL_MADE;
}

static void weigh_pair(Work* w, const Table* t, int i, int j) {
  Pair* pair = pair_of(t, i, j);
  const Part *a = &GROW_AT(w->parts, Part, i), *b = &GROW_AT(w->parts, Part, j);
  if (pair->state != PAIR_NEW) return;
  if (!are_near(w, a, b)) {
    pair->state = PAIR_APART;
  } else if (join_hull(w, a, b)) {
    pair->added = (double)(hull_volume(&w->hull) - a->volume - b->volume);
    pair->state = PAIR_WEIGHED;
  }
}

// The best partner of part i among those before it.
static void choose_partner(Work* w, const Table* t, int i) {
  t->best[i] = -1;
  for (int j = 0; j < i && !is_over(w); ++j) {
    weigh_pair(w, t, i, j);
    const Pair* pair = pair_of(t, i, j);
    if (pair->state != PAIR_WEIGHED) continue;
    if (t->best[i] < 0 || pair->added < pair_of(t, i, t->best[i])->added) t->best[i] = j;
  }
  w->effort.work += 5.0 * i;
}

// The pair that adds the least volume and is not refused.
static int best_pair(Work* w, const Table* t, int* first, int* second) {
  double least = (double)INFINITY;
  for (int i = 1; i < w->parts.count && !is_over(w); ++i) {
    if (t->best[i] == -2) choose_partner(w, t, i);
    if (t->best[i] < 0) continue;
    const Pair* pair = pair_of(t, i, t->best[i]);
    if (pair->added < least) least = pair->added, *first = t->best[i], *second = i;
  }
  w->effort.work += 5.0 * w->parts.count;
  return least < (double)INFINITY;
}

// Part `index` has changed: what is known of it is not true any more.
static void forget(const Work* w, const Table* t, int index) {
  for (int i = 0; i < w->parts.count; ++i) {
    if (i != index) pair_of(t, i, index)->state = PAIR_NEW;
    if (i >= index) t->best[i] = -2;
  }
}

// Replaces `first` by the hull in w->hull, and `second` by the last part.
static void join(Work* w, const Table* t, int first, int second, double excess) {
  Part joined = {.whole = 1};
  if (!finish_part(w, &joined)) return;
  joined.excess = excess;
  bound_part(&joined);
  GROW_AT(w->parts, Part, first) = joined;
  const int last = --w->parts.count;
  if (second != last) {
    GROW_AT(w->parts, Part, second) = GROW_AT(w->parts, Part, last);
    for (int i = 0; i < last; ++i) {
      if (i != second) *pair_of(t, i, second) = *pair_of(t, i, last);
      if (i >= second) t->best[i] = -2;
    }
  }
  forget(w, t, first);
}

// Joins parts while the result stays near enough, and there are more than `fewest`.
static void join_near(Work* w, const Table* t, double error, int fewest) {
  int i = 0, j = 0;
  const ExcessDef def = {.enough = error, .stop = error, .tired = w->effort.max};
  while (w->parts.count > fewest && !is_over(w) && best_pair(w, t, &i, &j)) {
    if (!join_hull(w, &GROW_AT(w->parts, Part, i), &GROW_AT(w->parts, Part, j))) return;
    const double excess = hull_excess(&w->solid, &w->hull, &def);
    if (excess <= error) {
      join(w, t, i, j, excess);
    } else {
      pair_of(t, i, j)->state = PAIR_REFUSED;
      t->best[j] = -2;
    }
  }
}

// Refused pairs may be allowed now; at the end also pairs of parts that do not touch.
static void ask_again(Work* w, const Table* t, int all) {
  w->effort.work += 2.0 * w->parts.count * w->parts.count;
  for (int i = 1; i < w->parts.count; ++i) {
    t->best[i] = -2;
    for (int j = 0; j < i; ++j) {
      Pair* pair = pair_of(t, i, j);
      if (pair->state == PAIR_REFUSED) pair->state = PAIR_WEIGHED;
      if (pair->state == PAIR_APART && all) pair->state = PAIR_NEW;
    }
  }
}

// Replaces w->points by the corners of their box.
static void box_points(Work* w) {
  LatticePoint low = GROW_AT(w->points, LatticePoint, 0), high = low;
  for (int i = 1; i < w->points.count; ++i) {
    for (int k = 0; k < 3; ++k) {
      const int32_t x = GROW_AT(w->points, LatticePoint, i).x[k];
      if (x < low.x[k]) low.x[k] = x;
      if (x > high.x[k]) high.x[k] = x;
    }
  }
  w->points.count = 0;
  for (int i = 0; i < 8; ++i)
    add_point(w, (LatticePoint){{i & 1 ? high.x[0] : low.x[0], i & 2 ? high.x[1] : low.x[1],
                                 i & 4 ? high.x[2] : low.x[2]}});
}

// If there are too many parts, the error grows until there are few enough.
static void join_all(Work* w) {
  const size_t n = (size_t)w->parts.count;
  const Table table = {take(w, n * (n - 1) / 2 + 1, sizeof(Pair)), take(w, n, sizeof(int))};
  if (!table.pair || !table.best) return;
  for (size_t i = 0; i < n; ++i) table.best[i] = -2;
  for (int i = 0; i < w->parts.count; ++i) bound_part(&GROW_AT(w->parts, Part, i));
  join_near(w, &table, w->error, 1);
  tell(w, 0.8);
  for (double error = w->error; w->parts.count > w->def->max_pieces && !is_over(w);) {
    error *= 1.25;
    ask_again(w, &table, error > w->solid.cell * SOLID_CELLS);
    join_near(w, &table, error, w->def->max_pieces);
    if (error > 4.0 * LATTICE_MAX) break;
  }
  if (w->parts.count > w->def->max_pieces) w->parts = w->few;
  tell(w, 0.85);
}

// ---- the result

static void store_hull(Work* w, Mesh* m) {
  const int vertices = w->hull.alive / 2 + 2, faces = w->hull.alive;
  int* corner = take(w, (size_t)vertices, sizeof(int));
  int* place = take(w, (size_t)w->hull.point_count, sizeof(int));
  *m = (Mesh){.vertices = take_from(w, w->result, 3 * (size_t)vertices, sizeof(double)),
              .faces = take_from(w, w->result, 3 * (size_t)faces, sizeof(int))};
  if (w->no_memory) return;
  m->vertex_count = hull_vertices(&w->hull, corner, vertices);
  for (int i = 0; i < m->vertex_count; ++i) {
    place[corner[i]] = i;
    for (int k = 0; k < 3; ++k)
      m->vertices[3L * i + k] = w->solid.origin[k] + w->solid.step * w->hull.points[corner[i]].x[k];
  }
  for (int i = 0; i < w->hull.faces.count; ++i) {
    const HullFace* f = &GROW_AT(w->hull.faces, HullFace, i);
    if (!f->alive) continue;
    int first = 0;  // the smallest corner
    for (int k = 1; k < 3; ++k) {
      if (place[f->v[k]] < place[f->v[first]]) first = k;
    }
    for (int k = 0; k < 3; ++k) m->faces[3L * m->face_count + k] = place[f->v[(first + k) % 3]];
    ++m->face_count;
  }
  mesh_sort_triangles(m->faces, m->face_count);
  m->hull = m->faces;
  m->hull_count = m->face_count;
}

// The hull of a part with as few vertices as the error allows, or of its box.
static int make_simple(Work* w, const Part* p) {
  const double error = 0.25 * w->error;
  const int most = w->def->max_vertices;
  w->effort.max = share_of_hulls * w->def->work;
  HullResult made = hull_make_simple(&w->hull, p->points, p->point_count, most, error);
  if (made == HULL_SPENT) {
    w->points.count = 0;
    add_points(w, p);
    box_points(w);
    w->effort.max = (double)INFINITY;  // eight points
    made = hull_make_simple(&w->hull, w->points.items, w->points.count, most, error);
  }
  w->effort.max = w->def->work;
  if (made != HULL_MADE) w->no_memory = 1;
  return !w->no_memory;
}

static void store_all(Work* w, Pieces* out) {
  out->piece = take_from(w, w->result, (size_t)w->parts.count, sizeof(Mesh));
  if (!out->piece) return;
  double excess = 0, missing = 0;
  for (int i = 0; i < w->parts.count && !w->no_memory; ++i) {
    const Part* p = &GROW_AT(w->parts, Part, i);
    if (!make_simple(w, p)) break;
    missing = fmax(missing, w->hull.missing);
    store_hull(w, &out->piece[out->count++]);
    const ExcessDef def = {.enough = fmax(0.5 * w->error, excess),
                           .share = 0.1,
                           .stop = (double)INFINITY,
                           .tired = share_of_hulls * w->def->work};
    excess = fmax(excess, hull_excess(&w->solid, &w->hull, &def));
    tell(w, 0.85 + 0.15 * i / w->parts.count);
  }
  out->cut_short |= w->effort.work > share_of_hulls * w->def->work;
  out->excess = w->solid.step * (excess + slack);
  out->missing = w->solid.step * (missing + slack);
  out->opening = w->solid.step * w->solid.cell * 2;
}

static int begin(Work* w, const Mesh* mesh) {
  const int made = solid_make(&w->solid, &w->region, &w->effort, mesh, w->def->error / 2);
  if (made < 0) w->no_memory = 1;
  if (made <= 0) return 0;
  w->error = w->def->error / w->solid.step;
  w->seen = take(w, (size_t)mesh->vertex_count, sizeof(int));
  int* faces = take(w, (size_t)mesh->face_count, sizeof(int));
  if (!w->seen || !faces || !cut_reserve(&w->cut, &w->solid)) w->no_memory = 1;
  if (w->no_memory) return 0;
  for (int i = 0; i < mesh->face_count; ++i) faces[i] = i;
  CellBox all = {{0, 0, 0}, {w->solid.cells[0], w->solid.cells[1], w->solid.cells[2]}};
  Part part;
  if (!make_part(w, all, faces, mesh->face_count, &part)) return 0;
  add_part(w, &w->parts, &part);
  return !w->no_memory;
}

int mesh_pieces(Region* region, const Mesh* mesh, const PieceDef* def,
                const PieceProgress* progress, Pieces* out) {
  Work w = {.result = region,
            .def = def,
            .progress = progress,
            .region = region_make(region->allocator),
            .effort = {.max = share_of_joins * def->work}};
  *out = (Pieces){0};
  w.hull.region = &w.region;
  w.hull.effort = &w.effort;
  const int good = begin(&w, mesh);
  if (good) {
    w.effort.max = share_of_cuts * def->work;
    cut_all(&w);
    out->cut_short = is_over(&w);
    w.effort.max = share_of_joins * def->work;
    join_all(&w);
    out->cut_short |= is_over(&w);
    store_all(&w, out);
  }
  out->work = w.effort.work;
  region_release(&w.region);
  return w.no_memory ? -1 : good;
}
