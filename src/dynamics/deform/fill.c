// SPDX-License-Identifier: Apache-2.0
// Tetrahedra inside a closed surface.
//
// 1. A lattice around the surface is divided into tetrahedra (mesh.c). Its cells are about as wide
//    as the spacing, so that the surface is a whole number of them long, wide and high: flat sides
//    of a part are sides of cells.
// 2. A tetrahedron is kept if its middle is inside: lines along x through the middles cross the
//    surface at points with a sign, and the sum of the signs beyond a point is its winding number.
//    Middles lie on few lines, because they are quarters of cells apart. If the sum of a whole line
//    is not zero, the surface has a hole.
// 3. Vertices of the kept surface move to the nearest point of the given one: all the way, half or
//    a quarter of it, whichever is the first that leaves all angles of the tetrahedra around them
//    within bounds. Vertices inside move to the mean of their neighbours if that makes the worst of
//    these angles better. This is repeated, because vertices make room for each other.
//
// The bounds hold for the result by construction: the lattice obeys them, and so does each move.
// All loops run in the order of the lattice: the same surface gives the same bits.
#include <math.h>
#include <string.h>

#include "base/allocator.h"
#include "base/assert.h"
#include "base/error.h"
#include "dynamics/deform/mesh.h"
#include "math/triangle.h"

enum { PASSES = 6, COUNT_MAX = 1 << 22 };
static const double work_max = 4e9;        // looks at a triangle
static const double worst_cosine = 0.984;  // of 10 and 170 degrees

typedef struct Fill {
  const double* x;  ///< of the surface
  const int* face;
  int face_count;
  double spacing;
  double h[3];  ///< sides of a cell
  int cells[3];
  HeftVec3 origin;     ///< of the lattice
  HeftTetrahedra box;  ///< the lattice
  double work;
  // scratch
  char* memory;
  size_t size;
  double* hit;                   ///< x of the crossings of a line (face_count)
  signed char* sign;             ///< theirs
  double* ball;                  ///< centre and radius of each triangle (face_count x 4)
  int *line, *of_line;           ///< tetrahedra of line l: of_line[line[l]] to of_line[line[l + 1]]
  int *number, *around, *first;  ///< of lattice vertices; tetrahedra around each kept vertex
  unsigned char* inside;         ///< 1: the tetrahedron is kept
  unsigned char* border;         ///< 1: the kept vertex is on the surface
} Fill;

static HeftVec3 corner_of(const Fill* f, int triangle, int k) {
  return heft_vec3_from(f->x + 3L * f->face[3L * triangle + k]);
}

// ---- inside or outside

static int line_count(const Fill* f) { return (4 * f->cells[1] + 1) * (4 * f->cells[2] + 1); }

// The middle of a tetrahedron in quarters of cells.
static void middle_of(const Fill* f, int t, int out[3]) {
  const int wide = f->cells[0] + 1, deep = f->cells[1] + 1;
  memset(out, 0, 3 * sizeof *out);
  for (int k = 0; k < 4; ++k) {
    const int n = f->box.tetrahedra[4L * t + k];
    out[0] += n % wide;
    out[1] += n / wide % deep;
    out[2] += n / wide / deep;
  }
}

static int line_of(const Fill* f, int t) {
  int at[3];
  middle_of(f, t, at);
  return at[1] * (4 * f->cells[2] + 1) + at[2];
}

// Sorts the tetrahedra by their lines.
static void sort_lines(Fill* f) {
  const int lines = line_count(f);
  for (int t = 0; t < f->box.tetrahedron_count; ++t) ++f->line[line_of(f, t) + 1];
  for (int l = 0; l < lines; ++l) f->line[l + 1] += f->line[l];
  for (int t = f->box.tetrahedron_count - 1; t >= 0; --t)
    f->of_line[--f->line[line_of(f, t) + 1]] = t;
  for (int l = 0; l < lines; ++l) f->line[l] = f->line[l + 1];
  f->line[lines] = f->box.tetrahedron_count;
}

// Twice the area of (a, b, p) seen along x. Vertices in rising order give the same bits for both
// triangles at an edge, so that a line between them crosses one of them.
static double side_of(const Fill* f, int a, int b, double y, double z) {
  const int turned = a > b;
  const double *p = f->x + 3L * (turned ? b : a), *q = f->x + 3L * (turned ? a : b);
  const double area = (q[1] - p[1]) * (z - p[2]) - (q[2] - p[2]) * (y - p[1]);
  const double sign = area >= 0 ? 1 : -1;
  return turned ? -sign : sign;
}

// The crossing of a line with a triangle: its sign, and x. 0: none.
static int cross_triangle(const Fill* f, int t, double y, double z, double* x) {
  const int* v = f->face + 3L * t;
  const double s = side_of(f, v[0], v[1], y, z);
  if (side_of(f, v[1], v[2], y, z) * s < 0 || side_of(f, v[2], v[0], y, z) * s < 0) return 0;
  const HeftVec3 a = corner_of(f, t, 0);
  const HeftVec3 n =
      heft_vec3_cross(heft_vec3_sub(corner_of(f, t, 1), a), heft_vec3_sub(corner_of(f, t, 2), a));
  if (n.x == 0) return 0;
  *x = a.x - (n.y * (y - a.y) + n.z * (z - a.z)) / n.x;
  return s > 0 ? 1 : -1;
}

// All crossings of a line. Returns their number, -1 if their signs do not cancel.
static int cross_line(Fill* f, double y, double z) {
  int count = 0, sum = 0;
  for (int t = 0; t < f->face_count; ++t) {
    const double *b = f->ball + 4L * t, dy = b[1] - y, dz = b[2] - z;
    if (dy * dy + dz * dz > b[3] * b[3]) continue;
    const int sign = cross_triangle(f, t, y, z, &f->hit[count]);
    if (sign == 0) continue;
    f->sign[count++] = (signed char)sign;
    sum += sign;
  }
  f->work += f->face_count;
  return sum == 0 ? count : -1;
}

// Marks the tetrahedra inside. Returns how many, -1 if the surface is not closed.
static int find_inside(Fill* f) {
  int kept = 0;
  for (int l = 0; l < line_count(f); ++l) {
    if (f->line[l] == f->line[l + 1]) continue;
    int at[3];
    middle_of(f, f->of_line[f->line[l]], at);
    const int count =
        cross_line(f, f->origin.y + 0.25 * f->h[1] * at[1], f->origin.z + 0.25 * f->h[2] * at[2]);
    if (count < 0) return -1;
    for (int i = f->line[l]; i < f->line[l + 1] && count > 0; ++i) {
      middle_of(f, f->of_line[i], at);
      const double x = f->origin.x + 0.25 * f->h[0] * at[0];
      int winding = 0;
      for (int k = 0; k < count; ++k) winding += f->hit[k] > x ? f->sign[k] : 0;
      f->inside[f->of_line[i]] = winding != 0;
      kept += winding != 0;
    }
  }
  return kept;
}

// ---- the kept part

// Numbers the vertices of kept tetrahedra; those that other tetrahedra use, too, are the border.
// Returns how many.
static int number_vertices(Fill* f) {
  int count = 0;
  for (int t = 0; t < f->box.tetrahedron_count; ++t) {
    for (int k = 0; k < 4; ++k) f->number[f->box.tetrahedra[4L * t + k]] |= f->inside[t] ? 1 : 2;
  }
  for (int v = 0; v < f->box.vertex_count; ++v) {
    const int use = f->number[v];
    f->number[v] = use & 1 ? count : -1;
    if (use & 1) f->border[count++] = use == 3;
  }
  return count;
}

static void keep_inside(Fill* f, HeftTetrahedra* out) {
  const double o[3] = {f->origin.x, f->origin.y, f->origin.z};
  const int wide = f->cells[0] + 1, deep = f->cells[1] + 1;
  for (int v = 0; v < f->box.vertex_count; ++v) {
    const int at[3] = {v % wide, v / wide % deep, v / wide / deep};
    for (int k = 0; k < 3 && f->number[v] >= 0; ++k)
      out->vertices[3L * f->number[v] + k] = o[k] + f->h[k] * at[k];
  }
  int kept = 0;
  for (int t = 0; t < f->box.tetrahedron_count; ++t) {
    if (!f->inside[t]) continue;
    for (int k = 0; k < 4; ++k)
      out->tetrahedra[4L * kept + k] = f->number[f->box.tetrahedra[4L * t + k]];
    ++kept;
  }
}

// Lists the tetrahedra around each vertex.
static void list_around(Fill* f, const HeftTetrahedra* m) {
  memset(f->first, 0, ((size_t)m->vertex_count + 1) * sizeof *f->first);
  for (long i = 0; i < 4L * m->tetrahedron_count; ++i) ++f->first[m->tetrahedra[i]];
  for (int v = 0, sum = 0; v <= m->vertex_count; ++v) {
    sum += f->first[v];
    f->first[v] = sum;
  }
  for (int i = 4 * m->tetrahedron_count - 1; i >= 0; --i)
    f->around[--f->first[m->tetrahedra[i]]] = i / 4;
}

// ---- angles

// Cosines of the angles between the faces of a tetrahedron, least and largest. Returns six times
// its volume.
static double cosines_of(const HeftTetrahedra* m, int t, double out[2]) {
  static const int side[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
  HeftVec3 p[4], n[4];
  for (int k = 0; k < 4; ++k) p[k] = heft_vec3_from(m->vertices + 3L * m->tetrahedra[4L * t + k]);
  for (int k = 0; k < 4; ++k) {
    const HeftVec3 normal = heft_vec3_cross(heft_vec3_sub(p[side[k][1]], p[side[k][0]]),
                                            heft_vec3_sub(p[side[k][2]], p[side[k][0]]));
    n[k] = heft_vec3_scale(1 / sqrt(heft_vec3_dot(normal, normal)), normal);
  }
  out[0] = 1;
  out[1] = -1;
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < i; ++j) {
      const double cosine = -heft_vec3_dot(n[i], n[j]);
      out[0] = fmin(out[0], cosine);
      out[1] = fmax(out[1], cosine);
    }
  }
  return heft_vec3_dot(heft_vec3_sub(p[1], p[0]),
                       heft_vec3_cross(heft_vec3_sub(p[2], p[0]), heft_vec3_sub(p[3], p[0])));
}

// The worst cosine of all tetrahedra around a vertex; 2 if one is flat or inside out.
static double worst_around(const Fill* f, const HeftTetrahedra* m, int v) {
  double worst = 0, c[2];
  for (int i = f->first[v]; i < f->first[v + 1]; ++i) {
    const double volume = cosines_of(m, f->around[i], c);
    if (!(volume > 1e-6 * f->h[0] * f->h[1] * f->h[2])) return 2;
    worst = fmax(worst, fmax(-c[0], c[1]));
  }
  return worst;
}

HeftTetrahedraQuality heft_tetrahedra_quality(const HeftTetrahedra* mesh) {
  HeftTetrahedraQuality q = {0};
  HEFT_REQUIRE(mesh && mesh->tetrahedron_count > 0, q);
  double least = 1, largest = -1;
  for (int t = 0; t < mesh->tetrahedron_count; ++t) {
    double c[2];
    q.volume += cosines_of(mesh, t, c) / 6;
    least = fmin(least, c[0]);
    largest = fmax(largest, c[1]);
  }
  q.min_angle = heft_acos(fmin(largest, 1));
  q.max_angle = heft_acos(fmax(least, -1));
  return q;
}

// ---- moves

static HeftVec3 nearest_point(Fill* f, HeftVec3 p) {
  HeftVec3 best = p;
  double reach = HUGE_VAL;
  for (int t = 0; t < f->face_count; ++t) {
    const double* b = f->ball + 4L * t;
    const HeftVec3 to = heft_vec3_sub(heft_vec3_from(b), p);
    const double far = reach + b[3];
    if (heft_vec3_dot(to, to) > far * far) continue;
    const HeftVec3 q =
        heft_triangle_closest(corner_of(f, t, 0), corner_of(f, t, 1), corner_of(f, t, 2), p);
    const double d = heft_vec3_norm(heft_vec3_sub(q, p));
    if (d >= reach) continue;
    reach = d;
    best = q;
  }
  f->work += f->face_count;
  return best;
}

static void set_vertex(HeftTetrahedra* m, int v, HeftVec3 p) {
  const double x[3] = {p.x, p.y, p.z};
  memcpy(m->vertices + 3L * v, x, sizeof x);
}

// Moves a vertex of the border to the surface, as far as the angles allow.
static void move_to_surface(Fill* f, HeftTetrahedra* m, int v) {
  const HeftVec3 p = heft_vec3_from(m->vertices + 3L * v);
  const HeftVec3 way = heft_vec3_sub(nearest_point(f, p), p);
  if (heft_vec3_norm(way) < 1e-9 * f->spacing) return;
  static const double share[] = {1, 0.5, 0.25};
  for (int k = 0; k < 3; ++k) {
    set_vertex(m, v, heft_vec3_add_scaled(p, share[k], way));
    if (worst_around(f, m, v) <= worst_cosine) return;
  }
  set_vertex(m, v, p);
}

// Moves a vertex inside to the mean of the corners of the tetrahedra around it, if that is better.
static void move_to_middle(Fill* f, HeftTetrahedra* m, int v) {
  const HeftVec3 p = heft_vec3_from(m->vertices + 3L * v);
  const double before = worst_around(f, m, v);
  HeftVec3 sum = {0, 0, 0};
  for (int i = f->first[v]; i < f->first[v + 1]; ++i) {
    for (int k = 0; k < 4; ++k)
      sum = heft_vec3_add(sum,
                          heft_vec3_from(m->vertices + 3L * m->tetrahedra[4L * f->around[i] + k]));
  }
  set_vertex(m, v, heft_vec3_scale(1.0 / (4 * (f->first[v + 1] - f->first[v])), sum));
  if (!(worst_around(f, m, v) < before)) set_vertex(m, v, p);
}

static void move_vertices(Fill* f, HeftTetrahedra* m) {
  for (int pass = 0; pass < PASSES; ++pass) {
    for (int v = 0; v < m->vertex_count; ++v) {
      if (f->border[v]) move_to_surface(f, m, v);
    }
    for (int v = 0; v < m->vertex_count; ++v) {
      if (!f->border[v]) move_to_middle(f, m, v);
    }
  }
}

// ---- all together

// The cells of a lattice around the surface, between its corners low and high; their number.
static double count_cells(Fill* f, double low[3], double high[3]) {
  double count = 1;
  memcpy(low, f->x + 3L * f->face[0], 3 * sizeof *low);
  memcpy(high, low, 3 * sizeof *high);
  for (long i = 0; i < 3L * f->face_count; ++i) {
    for (int k = 0; k < 3; ++k) {
      low[k] = fmin(low[k], f->x[3L * f->face[i] + k]);
      high[k] = fmax(high[k], f->x[3L * f->face[i] + k]);
    }
  }
  for (int k = 0; k < 3; ++k) {
    const double inner = fmax(1, floor((high[k] - low[k]) / f->spacing + 0.5));
    count *= inner + 2;
    f->cells[k] = inner < COUNT_MAX ? (int)inner + 2 : COUNT_MAX;
    f->h[k] = high[k] > low[k] ? (high[k] - low[k]) / inner : f->spacing;
  }
  return count;
}

// Looks at triangles for lines, of which there are at most nine in a row of cells, and for vertices
// of the border, which are fewer than the vertices of all cells at the sides of the lattice, twice.
static double count_looks(const Fill* f) {
  const double x = f->cells[0], y = f->cells[1], z = f->cells[2];
  return f->face_count * (9 * y * z + PASSES * 4 * (x * y + y * z + z * x));
}

double heft_tetrahedra_fill_effort(const double* vertices, const int* triangles, int triangle_count,
                                   double spacing) {
  static const double of_look = 5, of_cell = 20000;
  double low[3], high[3];
  HEFT_REQUIRE(vertices && triangles, HUGE_VAL);
  if (!(spacing > 0) || triangle_count < 1) return 0;  // refused at once
  Fill f = {.x = vertices, .face = triangles, .face_count = triangle_count, .spacing = spacing};
  const double cells = count_cells(&f, low, high);
  return of_look * count_looks(&f) + of_cell * cells;
}

static HeftStatus check_surface(const Fill* f, int vertex_count, HeftError* error) {
  if (vertex_count < 4 || f->face_count < 4 || vertex_count > COUNT_MAX ||
      f->face_count > COUNT_MAX)
    return heft_error_set(error, HEFT_ERR_LIMIT,
                          "a surface of %d vertices and %d triangles, expected 4 to %d of each",
                          vertex_count, f->face_count, COUNT_MAX);
  for (long i = 0; i < 3L * vertex_count; ++i) {
    if (!(fabs(f->x[i]) <= 1e9))
      return heft_error_set(error, HEFT_ERR_VALUE, "vertex %ld is %g, expected at most 1e9", i / 3,
                            f->x[i]);
  }
  for (long i = 0; i < 3L * f->face_count; ++i) {
    if (f->face[i] < 0 || f->face[i] >= vertex_count)
      return heft_error_set(error, HEFT_ERR_VALUE,
                            "triangle %ld has the vertex %d, expected 0 to %d", i / 3, f->face[i],
                            vertex_count - 1);
  }
  if (!(f->spacing > 0))
    return heft_error_set(error, HEFT_ERR_VALUE, "the spacing is %g m", f->spacing);
  return HEFT_OK;
}

// The lattice has a cell around the surface on each side. It is a little off its middle, so that
// symmetric surfaces have no edge on a line of middles.
static HeftStatus place_lattice(Fill* f, const HeftAllocator* a, HeftError* error) {
  static const double off[3] = {0.00137, 0.00071, 0.00193};
  double low[3], high[3], origin[3], half[3];
  const double count = count_cells(f, low, high);
  for (int k = 0; k < 3; ++k) {
    half[k] = 0.5 * f->h[k] * f->cells[k];
    origin[k] = 0.5 * (low[k] + high[k]) - half[k] + off[k] * f->h[k];
  }
  f->origin = heft_vec3_from(origin);
  if (!(count <= TETRAHEDRA_CELLS_MAX && count_looks(f) <= work_max))
    return heft_error_set(error, HEFT_ERR_LIMIT,
                          "%.3g cells of %g m for %d triangles are too much work; take a larger "
                          "spacing or fewer triangles",
                          count, f->spacing, f->face_count);
  return heft_tetrahedra_box(&f->box, half, f->cells, a, error);
}

static HeftStatus take_scratch(Fill* f, const HeftAllocator* a, HeftError* error) {
  const size_t faces = (size_t)f->face_count, vertices = (size_t)f->box.vertex_count,
               cells = (size_t)f->box.tetrahedron_count, lines = (size_t)line_count(f) + 1;
  f->size = faces * 5 * sizeof(double) + (lines + 5 * cells + 2 * vertices + 1) * sizeof(int) +
            faces + cells + vertices;
  f->memory = a->allocate(a->user, f->size, 64);
  if (!f->memory)
    return heft_error_set(error, HEFT_ERR_MEMORY, "no memory for a lattice of %zu cells", cells);
  memset(f->memory, 0, f->size);
  f->hit = (double*)(void*)f->memory;
  f->ball = f->hit + faces;
  f->line = (int*)(void*)(f->ball + 4 * faces);
  f->of_line = f->line + lines;
  f->around = f->of_line + cells;
  f->number = f->around + 4 * cells;
  f->first = f->number + vertices;
  f->sign = (signed char*)(f->first + vertices + 1);
  f->inside = (unsigned char*)f->sign + faces;
  f->border = f->inside + cells;
  for (int t = 0; t < f->face_count; ++t) {
    const HeftVec3 p[3] = {corner_of(f, t, 0), corner_of(f, t, 1), corner_of(f, t, 2)};
    const HeftVec3 c = heft_vec3_scale(1.0 / 3, heft_vec3_add(p[0], heft_vec3_add(p[1], p[2])));
    const double ball[4] = {c.x, c.y, c.z, 0};
    memcpy(f->ball + 4L * t, ball, sizeof ball);
    for (int k = 0; k < 3; ++k)
      f->ball[4L * t + 3] =
          fmax(f->ball[4L * t + 3], 1.000001 * heft_vec3_norm(heft_vec3_sub(p[k], c)));
  }
  return HEFT_OK;
}

static HeftStatus fill(Fill* f, HeftTetrahedra* out, const HeftAllocator* a, HeftError* error) {
  sort_lines(f);
  const int kept = find_inside(f);
  if (kept < 0)
    return heft_error_set(error, HEFT_ERR_VALUE,
                          "the surface is not closed: a line leaves it more or less often than it "
                          "enters; close its holes and let all triangles look outward");
  if (kept == 0)
    return heft_error_set(error, HEFT_ERR_VALUE,
                          "no tetrahedron of %g m is inside the surface; take a smaller spacing",
                          f->spacing);
  const int vertices = number_vertices(f);
  double border = 0;
  for (int v = 0; v < vertices; ++v) border += f->border[v];
  if (!(f->work + PASSES * border * f->face_count <= work_max))
    return heft_error_set(error, HEFT_ERR_LIMIT,
                          "%.0f vertices on a surface of %d triangles are too much work; take a "
                          "larger spacing or fewer triangles",
                          border, f->face_count);
  const HeftStatus status = heft_tetrahedra_take(out, vertices, kept, a, error);
  if (status != HEFT_OK) return status;
  keep_inside(f, out);
  list_around(f, out);
  move_vertices(f, out);
  return HEFT_OK;
}

HeftStatus heft_tetrahedra_fill(HeftTetrahedra* out, const double* vertices, int vertex_count,
                                const int* triangles, int triangle_count, double spacing,
                                const HeftAllocator* allocator, HeftError* error) {
  HEFT_REQUIRE(out && vertices && triangles, HEFT_ERR_ARGUMENT);
  *out = (HeftTetrahedra){0};
  const HeftAllocator a = allocator_or_default(allocator);
  Fill f = {.x = vertices, .face = triangles, .face_count = triangle_count, .spacing = spacing};
  HeftStatus status = check_surface(&f, vertex_count, error);
  if (status == HEFT_OK) status = place_lattice(&f, &a, error);
  if (status == HEFT_OK) status = take_scratch(&f, &a, error);
  if (status == HEFT_OK) status = fill(&f, out, &a, error);
  if (f.memory) a.release(a.user, f.memory, f.size);
  heft_tetrahedra_release(&f.box, &a);
  return status;
}
