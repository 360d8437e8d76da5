// SPDX-License-Identifier: Apache-2.0
// Papers: R7, R24.
// Area contact ([Elandt 2019]; [Masterjohn 2022]): two shapes that are pressed into each other
// touch in a patch, and each part of it has a pressure of its own. Here the patch is seen along the
// normal n of the contact. The line through (s, t) of the plane across n is inside of both shapes
// over a length w(s, t), the depth there: by as much do the two surfaces yield. The patch is the
// set w >= 0, the shadow of the overlap, which is convex; w is concave on it. A patch is integrated
// by few points, each with its area and its depth:
//
//     ∫ f(w, x) dA ≈ Σ A_i f(w_i, x_i).
//
// Round shapes. From the centre c the border is found in eight directions; a map of the axes makes
// the extents equal, so that long patches are seen well, too. In polar coordinates of the map,
// dA = ½ R² dσ dφ with σ = (r / R)²: eight angles, and three points of Gauss in σ. A paraboloid
// w = δ (1 - σ) has its integral to rounding, its square root (the pressure of Hertz) to 0.4 %, and
// the friction torque about c to 1 %.
//
// Polyhedra. Above (s, t) each face is a plane: those that look along n bound the line from above,
// the others from below. w >= 0 means that each upper bound lies above each lower one, a half-plane
// for each pair of them; these are cut from a square, and a polygon is left. From its centroid c
// each edge makes a triangle, x = c + √σ (e(τ) - c), dA = area dσ dτ: two points of Gauss in σ and
// two in τ (one if there are more than eight edges). Forces, and torques of linear pressures, are
// exact, and the friction torque of an even pressure to 2 %.
//
// The patch is predicted for the end of the step: a is moved by the distance that the two close in
// the step, place by place, since bodies also turn. A body that arrives fast or rocks so meets the
// whole patch that it will have, and a force law at the end of the step (world/softness.c) sees no
// border.
//
// A point is named by its edge or direction and by its place on it, so that it keeps its name from
// step to step. Polygons begin with the edge farthest along a tangent that turns with a.
#include "collision/patch.h"

#include <math.h>

#include "collision/chord.h"
#include "collision/contact_frame.h"

enum { DIRECTIONS = 8, RINGS = 3, FACES_MAX = 64, CORNERS_MAX = 16, ROOM = CORNERS_MAX + 4 };
enum { STEPS = 80, CENTRINGS = 3 };  // of the searches for the border and the centre

static const double flat = 1e-12;      // rate of a face along the normal that counts as none
static const double trivial = 1e-6;    // of the area of a polygon
static const double off_centre = 0.2;  // of the distance to the border

typedef struct Pair {
  const Geometry *a, *b;
  const HeftPose* b_in_a;
  HeftVec3 n, e1, e2;          ///< normal and tangents, in a's frame
  HeftVec3 origin;             ///< of (s, t), in a's frame
  double way, along1, along2;  ///< a has moved by way + s along1 + t along2 along n
  double reach;                ///< the patch lies within so far of it
} Pair;

typedef struct Depth {
  double w, middle;  ///< depth, and the middle of the line inside of both
} Depth;

static HeftVec3 place(const Pair* p, double s, double t) {
  return heft_vec3_add_scaled(heft_vec3_add_scaled(p->origin, s, p->e1), t, p->e2);
}

static double closing_at(const Pair* p, double s, double t) {
  return p->way + s * p->along1 + t * p->along2;
}

// w at (s, t); negative if the line misses a shape.
static Depth depth_at(const Pair* p, double s, double t) {
  const HeftVec3 o = place(p, s, t);
  double x[2], y[2];
  if (!heft_geometry_chord(p->a, o, p->n, x) ||
      !heft_geometry_chord(p->b, heft_pose_apply_inverse(*p->b_in_a, o),
                           heft_mat3_tmul_vec(p->b_in_a->rot, p->n), y))
    return (Depth){.w = -HUGE_VAL};
  const double closing = closing_at(p, s, t);
  const double low = fmax(x[0] + closing, y[0]), high = fmin(x[1] + closing, y[1]);
  return (Depth){.w = high - low, .middle = 0.5 * (high + low)};
}

static void add_point(const Pair* p, double s, double t, double part, int name, Manifold* out,
                      double* area) {
  const Depth d = depth_at(p, s, t);
  if (!(d.w > 0) || !(part > 0) || out->count == MANIFOLD_MAX) return;
  const double closing = closing_at(p, s, t);
  area[out->count] = part;
  out->point[out->count++] =
      (Point){.pos = heft_vec3_add_scaled(place(p, s, t), d.middle - 0.5 * closing, p->n),
              .normal = p->n,
              .gap = closing - d.w,
              .feature = feature_pair(part_id(PART_SURFACE, name), part_id(PART_SURFACE, name))};
}

// ---- round shapes

// How far the patch extends from (s, t) along (ds, dt), by false position with halved weights; w is
// concave, and positive where it begins.
static double border(const Pair* p, double s, double t, double ds, double dt, double guess,
                     double far) {
  double low = 0, high = guess, at_low = depth_at(p, s, t).w, at_high = -HUGE_VAL;
  int side = 0;
  while (high < far) {
    at_high = depth_at(p, s + high * ds, t + high * dt).w;
    if (!(at_high > 0)) break;
    low = high;
    at_low = at_high;
    at_high = -HUGE_VAL;
    high *= 2;
  }
  for (int k = 0; k < STEPS && high - low > 1e-13 * high; ++k) {
    double r = 0.5 * (low + high);
    if (at_high > -HUGE_VAL) {
      const double secant = low + (high - low) * at_low / (at_low - at_high);
      if (secant > low && secant < high) r = secant;
    }
    const double w = depth_at(p, s + r * ds, t + r * dt).w;
    if (w > 0) {
      low = r;
      at_low = w;
      if (side > 0 && at_high > -HUGE_VAL) at_high *= 0.5;
      side = 1;
    } else {
      high = r;
      at_high = w;
      if (side < 0) at_low *= 0.5;
      side = -1;
      if (w == 0) return r;
    }
  }
  return 0.5 * (low + high);
}

// A place inside of the patch: the mean of the contact points that will be inside. Single ones may
// lie on its border.
static void begin_inside(const Pair* p, const Manifold* m, double c[2]) {
  int count = 0;
  c[0] = c[1] = 0;
  for (int k = 0; k < m->count; ++k) {
    const HeftVec3 off = heft_vec3_sub(m->point[k].pos, p->origin);
    const double s = heft_vec3_dot(off, p->e1), t = heft_vec3_dot(off, p->e2);
    if (!(m->point[k].gap < closing_at(p, s, t))) continue;
    ++count;
    c[0] += (s - c[0]) / count;
    c[1] += (t - c[1]) / count;
  }
}

// Puts c halfway between the borders along both axes. half: the distance to them. Returns how far
// it was moved, in parts of these distances.
static double centre(const Pair* p, double guess, double c[2], double half[2]) {
  double moved = 0;
  for (int k = 0; k < 2; ++k) {
    const double ahead = border(p, c[0], c[1], k == 0, k == 1, guess, p->reach),
                 behind = border(p, c[0], c[1], -(k == 0), -(k == 1), guess, p->reach);
    c[k] += 0.5 * (ahead - behind);
    half[k] = 0.5 * (ahead + behind);
    moved = fmax(moved, fabs(ahead - behind) / (ahead + behind));
  }
  return moved;
}

static void round_patch(const Pair* p, Manifold* out, double* area) {
  static const double c8 = 0.92387953251128675613, s8 = 0.38268343236508977173;  // of π / 8
  static const double pi = 3.14159265358979323846;
  const double cosine[DIRECTIONS] = {c8, s8, -s8, -c8, -c8, -s8, s8, c8},
               sine[DIRECTIONS] = {s8, c8, c8, s8, -s8, -c8, -c8, -s8};
  static const double sigma[RINGS] = {0.11270166537925831148, 0.5, 0.88729833462074168852},
                      weight[RINGS] = {5.0 / 18, 8.0 / 18, 5.0 / 18};
  const double guess = p->reach / 64;
  double c[2], half[2];
  begin_inside(p, out, c);
  out->count = 0;
  if (!(depth_at(p, c[0], c[1]).w > 0)) return;
  double moved = centre(p, guess, c, half);
  for (int k = 1; k < CENTRINGS && moved > off_centre; ++k) moved = centre(p, guess, c, half);
  for (int j = 0; j < DIRECTIONS; ++j) {
    const double ds = half[0] * cosine[j], dt = half[1] * sine[j];
    const double r = border(p, c[0], c[1], ds, dt, 1.01, p->reach / fmin(half[0], half[1]));
    const double sector = half[0] * half[1] * r * r * (pi / DIRECTIONS);
    for (int i = 0; i < RINGS; ++i) {
      const double at = r * sqrt(sigma[i]);
      add_point(p, c[0] + at * ds, c[1] + at * dt, weight[i] * sector, RINGS * j + i, out, area);
    }
  }
}

// ---- polyhedra

// above + s along1 + t along2 + rate z <= 0.
typedef struct FacePlane {
  double above, along1, along2, rate;
} FacePlane;

typedef struct Polygon {
  int count;
  double x[ROOM][2];
} Polygon;

static FacePlane face_plane(const Pair* p, HeftVec3 m, double above) {
  return (FacePlane){above, heft_vec3_dot(m, p->e1), heft_vec3_dot(m, p->e2),
                     heft_vec3_dot(m, p->n)};
}

static int face_count(const Geometry* g) {
  switch (g->kind) {
    case KIND_PLANE:
      return 1;
    case KIND_BOX:
      return 6;
    case KIND_HULL:
      return g->hull->face_count;
    case KIND_SPHERE:
    case KIND_CAPSULE:
    case KIND_CYLINDER:
    case KIND_ELLIPSOID:
    case KIND_TRIANGLE:
    case KIND_TRIANGLE_MESH:
    case KIND_FIELD:
    case KIND_COUNT:
      break;
  }
  return FACES_MAX + 1;
}

// The outward normal of a face and the height of the point o above it, in the shape's frame.
static HeftVec3 face_of(const Geometry* g, int f, HeftVec3 o, double* above) {
  HeftVec3 m = heft_vec3(0, 0, 1);
  double offset = 0;
  if (g->kind == KIND_BOX) {
    const double sign = f % 2 ? -1 : 1;
    m = heft_vec3(f / 2 == 0 ? sign : 0, f / 2 == 1 ? sign : 0, f / 2 == 2 ? sign : 0);
    offset = g->size[f / 2];
  } else if (g->kind == KIND_HULL) {
    m = heft_vec3(g->hull->nx[f], g->hull->ny[f], g->hull->nz[f]);
    offset = g->hull->offset[f];
  }
  *above = heft_vec3_dot(m, o) - offset;
  return m;
}

static double turn_at(const Polygon* q, int i) {
  const double *o = q->x[(i + q->count - 1) % q->count], *x = q->x[i],
               *y = q->x[(i + 1) % q->count];
  return (x[0] - o[0]) * (y[1] - o[1]) - (x[1] - o[1]) * (y[0] - o[0]);
}

// Drops the corners that enclose the least area, until there are few enough and none is trivial.
static void simplify(Polygon* q, double least_turn) {
  while (q->count > 3) {
    int least = 0;
    for (int i = 1; i < q->count; ++i) {
      if (turn_at(q, i) < turn_at(q, least)) least = i;
    }
    if (q->count <= CORNERS_MAX && turn_at(q, least) > least_turn) return;
    for (int i = least; i + 1 < q->count; ++i) {
      q->x[i][0] = q->x[i + 1][0];
      q->x[i][1] = q->x[i + 1][1];
    }
    --q->count;
  }
}

// The part of a convex polygon with a + b s + c t >= 0, which has at most one corner more.
static void cut(Polygon* q, double a, double b, double c) {
  if (q->count == ROOM) simplify(q, 0);
  const Polygon old = *q;
  double d[ROOM];
  int outside = 0;
  for (int i = 0; i < old.count; ++i) {
    d[i] = a + b * old.x[i][0] + c * old.x[i][1];
    outside += d[i] < 0;
  }
  if (outside == 0) return;
  q->count = 0;
  for (int i = 0; i < old.count; ++i) {
    const int k = (i + 1) % old.count;
    if (d[i] >= 0) {
      q->x[q->count][0] = old.x[i][0];
      q->x[q->count++][1] = old.x[i][1];
    }
    if ((d[i] < 0) != (d[k] < 0)) {
      const double share = d[i] / (d[i] - d[k]);
      for (int n = 0; n < 2; ++n)
        q->x[q->count][n] = old.x[i][n] + share * (old.x[k][n] - old.x[i][n]);
      ++q->count;
    }
  }
}

static int gather_faces(const Pair* p, FacePlane* out) {
  int count = 0;
  for (int side = 0; side < 2; ++side) {
    const Geometry* g = side ? p->b : p->a;
    const HeftVec3 o = side ? heft_pose_apply_inverse(*p->b_in_a, p->origin) : p->origin;
    for (int f = 0; f < face_count(g); ++f) {
      double above;
      HeftVec3 m = face_of(g, f, o, &above);
      if (side) m = heft_mat3_mul_vec(p->b_in_a->rot, m);
      out[count] = face_plane(p, m, above);
      if (!side) {
        out[count].above -= out[count].rate * p->way;
        out[count].along1 -= out[count].rate * p->along1;
        out[count].along2 -= out[count].rate * p->along2;
      }
      ++count;
    }
  }
  return count;
}

// The shadow of the overlap.
static Polygon outline(const Pair* p) {
  FacePlane face[2 * FACES_MAX];
  const int count = gather_faces(p, face);
  const double r = p->reach;
  Polygon q = {.count = 4, .x = {{r, -r}, {r, r}, {-r, r}, {-r, -r}}};
  for (int i = 0; i < count && q.count > 2; ++i) {
    const FacePlane* up = &face[i];
    if (fabs(up->rate) <= flat) cut(&q, -up->above, -up->along1, -up->along2);
    if (!(up->rate > flat)) continue;
    for (int k = 0; k < count && q.count > 2; ++k) {
      const FacePlane* low = &face[k];
      if (!(low->rate < -flat)) continue;
      const double u = -1 / up->rate, l = 1 / low->rate;  // upper z less lower z
      cut(&q, u * up->above + l * low->above, u * up->along1 + l * low->along1,
          u * up->along2 + l * low->along2);
    }
  }
  return q;
}

// The centroid of a polygon, and its area.
static double centroid(const Polygon* q, double c[2]) {
  const double* o = q->x[0];
  double area = 0;
  c[0] = c[1] = 0;
  for (int i = 1; i + 1 < q->count; ++i) {
    const double *x = q->x[i], *y = q->x[i + 1];
    const double part = 0.5 * ((x[0] - o[0]) * (y[1] - o[1]) - (x[1] - o[1]) * (y[0] - o[0]));
    area += part;
    for (int k = 0; k < 2; ++k) c[k] += part * (x[k] - o[k] + y[k] - o[k]) / 3;
  }
  for (int k = 0; k < 2; ++k) c[k] = area > 0 ? o[k] + c[k] / area : o[k];
  return area;
}

static int first_corner(const Polygon* q) {
  int first = 0;
  for (int i = 1; i < q->count; ++i) {
    if (q->x[i][0] > q->x[first][0]) first = i;
  }
  return first;
}

static void flat_patch(const Pair* p, Manifold* out, double* area) {
  static const double gauss[2] = {0.21132486540518711775, 0.78867513459481288225};
  Polygon q = outline(p);
  double c[2];
  out->count = 0;
  if (q.count < 3) return;
  simplify(&q, trivial * centroid(&q, c));
  if (!(centroid(&q, c) > 0)) return;
  const int along = q.count > CORNERS_MAX / 2 ? 1 : 2, first = first_corner(&q);
  for (int n = 0; n < q.count; ++n) {
    const double *x = q.x[(first + n) % q.count], *y = q.x[(first + n + 1) % q.count];
    const double triangle = 0.5 * ((x[0] - c[0]) * (y[1] - c[1]) - (x[1] - c[1]) * (y[0] - c[0]));
    for (int k = 0; k < 2 * along; ++k) {
      const double tau = along == 1 ? 0.5 : gauss[k % 2],
                   root = sqrt(gauss[along == 1 ? k : k / 2]);
      const double s = c[0] + root * (x[0] + tau * (y[0] - x[0]) - c[0]);
      const double t = c[1] + root * (x[1] + tau * (y[1] - x[1]) - c[1]);
      add_point(p, s, t, triangle / (2 * along), 4 * n + k, out, area);
    }
  }
}

// ---- both

// A tangent along the axis of a long shape, or one that turns with a.
static HeftVec3 first_tangent(const Geometry* a, const Geometry* b, const HeftPose* b_in_a,
                              HeftVec3 n) {
  for (int side = 0; side < 2; ++side) {
    const Geometry* g = side ? b : a;
    if (g->kind != KIND_CAPSULE && g->kind != KIND_CYLINDER) continue;
    const HeftVec3 z = heft_vec3(0, 0, 1), axis = side ? heft_mat3_mul_vec(b_in_a->rot, z) : z;
    const HeftVec3 across = heft_vec3_add_scaled(axis, -heft_vec3_dot(axis, n), n);
    const double length = heft_vec3_norm(across);
    if (length > 0.1) return heft_vec3_scale(1 / length, across);
  }
  return contact_tangent(n);
}

// A ball turns and its patch does not tilt; a cylinder that lies rocks only along its axis. So
// the slope is kept along the directions in which contact points lie.
static HeftVec3 slope_of_rest(HeftVec3 slope, HeftVec3 pos, const Manifold* m) {
  HeftVec3 far = heft_vec3(0, 0, 0);
  for (int k = 0; k < m->count; ++k) {
    const HeftVec3 off = heft_vec3_sub(m->point[k].pos, pos);
    if (heft_vec3_dot(off, off) > heft_vec3_dot(far, far)) far = off;
  }
  const double size = heft_vec3_dot(far, far);
  if (!(size > 0)) return heft_vec3(0, 0, 0);
  for (int k = 0; k < m->count; ++k) {
    const HeftVec3 across = heft_vec3_cross(far, heft_vec3_sub(m->point[k].pos, pos));
    if (heft_vec3_dot(across, across) > 0.01 * size * size) return slope;
  }
  return heft_vec3_scale(heft_vec3_dot(slope, far) / size, far);
}

void heft_patch(const Geometry* a, const Geometry* b, const HeftPose* b_in_a, HeftVec3 normal,
                HeftVec3 pos, Closing closing, Manifold* out, double area[MANIFOLD_MAX]) {
  const int polyhedra = face_count(a) <= FACES_MAX && face_count(b) <= FACES_MAX;
  const HeftVec3 slope = polyhedra ? closing.slope : slope_of_rest(closing.slope, pos, out);
  const double ra = heft_vec3_norm(a->half), rb = heft_vec3_norm(b->half);
  const HeftVec3 e1 = first_tangent(a, b, b_in_a, normal), e2 = heft_vec3_cross(normal, e1);
  const Pair p = {.a = a,
                  .b = b,
                  .b_in_a = b_in_a,
                  .n = normal,
                  .e1 = e1,
                  .e2 = e2,
                  .origin = pos,
                  .way = closing.way,
                  .along1 = heft_vec3_dot(slope, e1),
                  .along2 = heft_vec3_dot(slope, e2),
                  .reach = 2.5 * fmin(ra, rb)};
  if (polyhedra) {
    flat_patch(&p, out, area);
  } else {
    round_patch(&p, out, area);
  }
}
