// SPDX-License-Identifier: Apache-2.0
// Triangles of the shapes. Round ones are surfaces of revolution: a profile of points (r, z) with
// normals, turned about z. Meshes get the normals that their files lack: a corner's normal is the
// mean of the faces around its vertex that lie within a crease angle of its own face, so that
// curved skins are smooth and edges stay sharp.
#include "view/geometry.h"

#include <string.h>

enum { PROFILE_MAX = 80 };
static const double CREASE = 0.75;  // cosine of 41 degrees

typedef struct ProfilePoint {
  double r, z, nr, nz;
} ProfilePoint;

typedef struct Profile {
  ProfilePoint point[PROFILE_MAX];
  int count;
} Profile;

Solids solids_make(const HeftAllocator* allocator, int fine) {
  return (Solids){*allocator, view_list(sizeof(Vertex)), view_list(sizeof(uint32_t)), fine};
}

void solids_free(Solids* solids) {
  view_list_free(&solids->vertices, &solids->allocator);
  view_list_free(&solids->indices, &solids->allocator);
}

int solids_failed(const Solids* solids) {
  return solids->vertices.failed || solids->indices.failed;
}

// ---- pieces

static uint32_t add_placed(Solids* s, HeftVec3 pos, HeftVec3 normal, const float place[2]) {
  Vertex* v = view_list_add(&s->vertices, &s->allocator, 1);
  if (v)
    *v = (Vertex){{(float)pos.x, (float)pos.y, (float)pos.z},
                  {(float)normal.x, (float)normal.y, (float)normal.z},
                  {place[0], place[1]}};
  return (uint32_t)s->vertices.count - 1;
}

static uint32_t add_vertex(Solids* s, HeftVec3 pos, HeftVec3 normal) {
  static const float nowhere[2] = {0, 0};
  return add_placed(s, pos, normal, nowhere);
}

static void add_triangle(Solids* s, uint32_t a, uint32_t b, uint32_t c) {
  uint32_t* i = view_list_add(&s->indices, &s->allocator, 3);
  if (!i) return;
  i[0] = a;
  i[1] = b;
  i[2] = c;
}

static Part begin(const Solids* s) { return (Part){.first = (uint32_t)s->indices.count}; }

static void widen(Part* p, HeftVec3 x) {
  p->low = heft_vec3(fmin(p->low.x, x.x), fmin(p->low.y, x.y), fmin(p->low.z, x.z));
  p->high = heft_vec3(fmax(p->high.x, x.x), fmax(p->high.y, x.y), fmax(p->high.z, x.z));
}

static HeftVec3 corner(const Solids* s, size_t index) {
  const float* p = VIEW_AT(s->vertices, Vertex, VIEW_AT(s->indices, uint32_t, index)).pos;
  return heft_vec3((double)p[0], (double)p[1], (double)p[2]);
}

static Part end(const Solids* s, Part p) {
  if (solids_failed(s)) return (Part){0};
  p.count = (uint32_t)s->indices.count - p.first;
  if (p.count == 0) return p;
  p.low = p.high = corner(s, p.first);
  for (uint32_t i = 0; i < p.count; ++i) widen(&p, corner(s, p.first + i));
  p.center = heft_vec3_scale(0.5, heft_vec3_add(p.low, p.high));
  for (uint32_t i = 0; i < p.count; ++i) {
    const double d = heft_vec3_norm(heft_vec3_sub(corner(s, p.first + i), p.center));
    p.radius = fmax(p.radius, d);
  }
  return p;
}

// ---- surfaces of revolution

static void profile_add(Profile* p, double r, double z, double nr, double nz) {
  if (p->count < PROFILE_MAX) p->point[p->count++] = (ProfilePoint){r, z, nr, nz};
}

// A quarter of a circle and more: from angle a to b above the equator, around height z.
static void profile_arc(Profile* p, double r, double z, double a, double b, int pieces) {
  if (pieces < 1) pieces = 1;
  for (int k = 0; k <= pieces; ++k) {
    double s, c;
    heft_sincos(a + (b - a) * k / pieces, &s, &c);
    profile_add(p, r * c, z + r * s, c, s);
  }
}

// Turned about z, scaled along the axes, normals with the inverse scale.
static void revolve(Solids* s, const Profile* p, HeftVec3 scale) {
  const int fine = s->fine < 4 ? 4 : s->fine;
  const uint32_t first = (uint32_t)s->vertices.count, row = (uint32_t)fine + 1;
  for (int i = 0; i < p->count; ++i) {
    const ProfilePoint* q = &p->point[i];
    for (int k = 0; k <= fine; ++k) {
      double sine, cosine;
      heft_sincos(2 * HEFT_PI * (k % fine) / fine, &sine, &cosine);
      const HeftVec3 at = {scale.x * q->r * cosine, scale.y * q->r * sine, scale.z * q->z};
      const HeftVec3 n = {q->nr * cosine / scale.x, q->nr * sine / scale.y, q->nz / scale.z};
      add_vertex(s, at, heft_vec3_normalize(n));
    }
  }
  for (uint32_t i = 0; i + 1 < (uint32_t)p->count; ++i) {
    const int low = p->point[i].r > 0, high = p->point[i + 1].r > 0;
    for (uint32_t k = 0; k + 1 < row; ++k) {
      const uint32_t a = first + i * row + k, b = a + row;
      if (low) add_triangle(s, a, a + 1, b);
      if (high) add_triangle(s, a + 1, b + 1, b);
    }
  }
}

static Part turned(Solids* s, const Profile* p, HeftVec3 scale) {
  const Part part = begin(s);
  revolve(s, p, scale);
  return end(s, part);
}

Part solid_sphere(Solids* s, HeftVec3 half) {
  Profile p = {.count = 0};
  profile_arc(&p, 1, 0, -HEFT_PI / 2, HEFT_PI / 2, s->fine / 2);
  p.point[0].r = p.point[p.count - 1].r = 0;
  return turned(s, &p, half);
}

Part solid_capsule(Solids* s, double radius, double half) {
  Profile p = {.count = 0};
  profile_arc(&p, radius, -half, -HEFT_PI / 2, 0, s->fine / 4);
  profile_arc(&p, radius, half, 0, HEFT_PI / 2, s->fine / 4);
  p.point[0].r = p.point[p.count - 1].r = 0;
  return turned(s, &p, heft_vec3(1, 1, 1));
}

Part solid_cylinder(Solids* s, double radius, double half) {
  // Edges are broken by a small chamfer: it catches the light as real edges do.
  const double c = 0.06 * fmin(radius, half), d = 0.70710678118654752;
  Profile p = {.count = 0};
  profile_add(&p, 0, -half, 0, -1);
  profile_add(&p, radius - c, -half, 0, -1);
  profile_add(&p, radius - c, -half, d, -d);
  profile_add(&p, radius, -half + c, d, -d);
  profile_add(&p, radius, -half + c, 1, 0);
  profile_add(&p, radius, half - c, 1, 0);
  profile_add(&p, radius, half - c, d, d);
  profile_add(&p, radius - c, half, d, d);
  profile_add(&p, radius - c, half, 0, 1);
  profile_add(&p, 0, half, 0, 1);
  return turned(s, &p, heft_vec3(1, 1, 1));
}

Part solid_funnel(Solids* s) {
  const double d = 0.70710678118654752;
  Profile p = {.count = 0};
  profile_add(&p, 0, 0, d, -d);
  profile_add(&p, 1, 1, d, -d);
  return turned(s, &p, heft_vec3(1, 1, 1));
}

Part solid_cone(Solids* s) {
  const double d = 0.70710678118654752;
  Profile p = {.count = 0};
  profile_add(&p, 0, 0, 0, -1);
  profile_add(&p, 1, 0, 0, -1);
  profile_add(&p, 1, 0, d, d);
  profile_add(&p, 0, 1, d, d);
  return turned(s, &p, heft_vec3(1, 1, 1));
}

// ---- flat ones

static void quad(Solids* s, HeftVec3 center, HeftVec3 u, HeftVec3 v) {
  const HeftVec3 n = heft_vec3_normalize(heft_vec3_cross(u, v));
  const uint32_t first = (uint32_t)s->vertices.count;
  for (int k = 0; k < 4; ++k) {
    const double a = k == 0 || k == 3 ? -1 : 1, b = k < 2 ? -1 : 1;
    add_vertex(s, heft_vec3_add_scaled(heft_vec3_add_scaled(center, a, u), b, v), n);
  }
  add_triangle(s, first, first + 1, first + 2);
  add_triangle(s, first, first + 2, first + 3);
}

// Half sizes along a pair of axes, at the end `sign` of the third; seen from outside.
static void box_face(Solids* s, const double half[3], double bevel, int axis, double sign) {
  double c[3] = {0}, u[3] = {0}, v[3] = {0};
  const int i = (axis + 1) % 3, j = (axis + 2) % 3;
  c[axis] = sign * half[axis];
  u[i] = sign * (half[i] - bevel);
  v[j] = half[j] - bevel;
  quad(s, heft_vec3_from(c), heft_vec3_from(u), heft_vec3_from(v));
}

// The chamfer between the faces at the ends a of axis i and b of axis j.
static void box_edge(Solids* s, const double half[3], double bevel, int i, double a, double b) {
  const int j = (i + 1) % 3, k = (i + 2) % 3;
  double c[3] = {0}, u[3] = {0}, v[3] = {0};
  c[i] = a * (half[i] - 0.5 * bevel);
  c[j] = b * (half[j] - 0.5 * bevel);
  u[i] = -0.5 * a * bevel;
  u[j] = 0.5 * b * bevel;
  v[k] = a * b * (half[k] - bevel);
  quad(s, heft_vec3_from(c), heft_vec3_from(u), heft_vec3_from(v));
}

static void box_corner(Solids* s, const double half[3], double bevel, const double sign[3]) {
  const HeftVec3 n = heft_vec3_normalize(heft_vec3_from(sign));
  uint32_t v[3];
  for (int k = 0; k < 3; ++k) {
    double p[3];
    for (int i = 0; i < 3; ++i) p[i] = sign[i] * (half[i] - (i == k ? 0 : bevel));
    v[k] = add_vertex(s, heft_vec3_from(p), n);
  }
  const int outward = sign[0] * sign[1] * sign[2] > 0;
  add_triangle(s, v[0], v[outward ? 1 : 2], v[outward ? 2 : 1]);
}

Part solid_box(Solids* s, HeftVec3 half) {
  const Part part = begin(s);
  const double h[3] = {half.x, half.y, half.z};
  const double bevel = 0.05 * fmin(h[0], fmin(h[1], h[2]));
  for (int axis = 0; axis < 3; ++axis) {
    for (int side = -1; side < 2; side += 2) {
      box_face(s, h, bevel, axis, side);
      box_edge(s, h, bevel, axis, side, -1);
      box_edge(s, h, bevel, axis, side, 1);
    }
  }
  for (int k = 0; k < 8; ++k) {
    const double sign[3] = {k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1};
    box_corner(s, h, bevel, sign);
  }
  return end(s, part);
}

Part solid_square(Solids* s) {
  const Part part = begin(s);
  quad(s, heft_vec3(0, 0, 0), heft_vec3(1, 0, 0), heft_vec3(0, 1, 0));
  return end(s, part);
}

// ---- meshes

typedef struct Skin {
  const double* pos;    // vertices
  const int* face;      // 3 a face
  const double* image;  // 2 a corner, or NULL
  int vertices, faces;
  HeftVec3* normal;  // of the faces, as long as twice their area
  int *first, *use;  // corners of each vertex: first[v] .. first[v + 1] of use
} Skin;

static HeftVec3 face_normal(const Skin* k, int f) {
  const int* v = &k->face[3 * f];
  const HeftVec3 a = heft_vec3_from(&k->pos[3 * v[0]]);
  return heft_vec3_cross(heft_vec3_sub(heft_vec3_from(&k->pos[3 * v[1]]), a),
                         heft_vec3_sub(heft_vec3_from(&k->pos[3 * v[2]]), a));
}

static void sort_corners(Skin* k) {
  for (int c = 0; c < 3 * k->faces; ++c) ++k->first[k->face[c] + 1];
  for (int v = 0; v < k->vertices; ++v) k->first[v + 1] += k->first[v];
  for (int c = 3 * k->faces - 1; c >= 0; --c) k->use[--k->first[k->face[c] + 1]] = c;
  // first[v + 1] went down to where v begins: put the table straight.
  for (int v = 0; v < k->vertices; ++v) k->first[v] = k->first[v + 1];
  k->first[k->vertices] = 3 * k->faces;
}

static HeftVec3 corner_normal(const Skin* k, int v, int face) {
  const HeftVec3 own = heft_vec3_normalize(k->normal[face]);
  HeftVec3 sum = {0, 0, 0};
  for (int i = k->first[v]; i < k->first[v + 1]; ++i) {
    const HeftVec3 n = k->normal[k->use[i] / 3];
    if (heft_vec3_dot(own, n) >= CREASE * heft_vec3_norm(n)) sum = heft_vec3_add(sum, n);
  }
  return heft_vec3_normalize(sum);
}

static int same_look(const Vertex* v, HeftVec3 n, const float place[2]) {
  const float* m = v->normal;
  return n.x * (double)m[0] + n.y * (double)m[1] + n.z * (double)m[2] > 0.999 &&
         v->place[0] == place[0] && v->place[1] == place[1];
}

// The vertices that one vertex of the mesh becomes: one for each different normal and place.
static void split_vertex(Solids* s, const Skin* k, int v, uint32_t* corners) {
  const uint32_t begin_at = (uint32_t)s->vertices.count;
  for (int i = k->first[v]; i < k->first[v + 1]; ++i) {
    const int c = k->use[i];
    const HeftVec3 n = corner_normal(k, v, c / 3);
    float place[2] = {0, 0};
    if (k->image) {
      place[0] = (float)k->image[2 * c];
      place[1] = (float)(1 - k->image[2 * c + 1]);
    }
    uint32_t at = begin_at;
    while (at < (uint32_t)s->vertices.count &&
           !same_look(&VIEW_AT(s->vertices, Vertex, at), n, place))
      ++at;
    if (at == (uint32_t)s->vertices.count) add_placed(s, heft_vec3_from(&k->pos[3 * v]), n, place);
    corners[c] = at;
  }
}

static Part add_skin(Solids* s, const double* pos, int vertices, const int* faces, int count,
                     const double* image) {
  const Part part = begin(s);
  const size_t normals = (size_t)count * sizeof(HeftVec3), ints = sizeof(int);
  const size_t size = normals + ((size_t)vertices + 2 + 3 * (size_t)count) * ints;
  unsigned char* memory = view_take(&s->allocator, size);
  uint32_t* corners = view_list_add(&s->indices, &s->allocator, 3 * (size_t)count);
  if (!memory || !corners) {
    view_give(&s->allocator, memory, size);
    s->indices.failed = 1;
    return (Part){0};
  }
  Skin k = {pos, faces, image, vertices, count, (HeftVec3*)(void*)memory, NULL, NULL};
  k.first = (int*)(void*)(memory + normals);
  k.use = k.first + vertices + 2;
  for (int f = 0; f < count; ++f) k.normal[f] = face_normal(&k, f);
  sort_corners(&k);
  for (int v = 0; v < vertices; ++v) split_vertex(s, &k, v, corners);
  view_give(&s->allocator, memory, size);
  return end(s, part);
}

Part solid_mesh(Solids* s, const HeftModel* m, int mesh) {
  const int corner = m->mesh_corner[mesh];
  return add_skin(s, &m->vertex_pos[3 * m->mesh_vertex[mesh]], m->mesh_vertex_count[mesh],
                  &m->face_vertex[3 * m->mesh_face[mesh]], m->mesh_face_count[mesh],
                  corner >= 0 ? &m->corner_image[2 * corner] : NULL);
}

Part solid_hull(Solids* s, const HeftModel* m, int mesh) {
  return add_skin(s, &m->vertex_pos[3 * m->mesh_vertex[mesh]], m->mesh_vertex_count[mesh],
                  &m->hull_vertex[3 * m->mesh_hull[mesh]], m->mesh_hull_count[mesh], NULL);
}

Part solid_surface(Solids* s, const double* pos, int vertices, const int* faces, int count) {
  return add_skin(s, pos, vertices, faces, count, NULL);
}

// ---- height fields

static HeftVec3 height_point(const HeftModel* m, int field, int row, int column) {
  const int rows = m->height_field_rows[field], columns = m->height_field_columns[field];
  const double* size = &m->height_field_size[4 * field];
  return heft_vec3(size[0] * (2.0 * column / (columns - 1) - 1),
                   size[1] * (2.0 * row / (rows - 1) - 1),
                   m->height[m->height_field_height[field] + row * columns + column]);
}

static HeftVec3 height_normal(const HeftModel* m, int field, int row, int column) {
  const int rows = m->height_field_rows[field], columns = m->height_field_columns[field];
  const HeftVec3 x0 = height_point(m, field, row, column > 0 ? column - 1 : 0),
                 x1 = height_point(m, field, row, column + 1 < columns ? column + 1 : column),
                 y0 = height_point(m, field, row > 0 ? row - 1 : 0, column),
                 y1 = height_point(m, field, row + 1 < rows ? row + 1 : row, column);
  return heft_vec3_normalize(heft_vec3_cross(heft_vec3_sub(x1, x0), heft_vec3_sub(y1, y0)));
}

Part solid_height_field(Solids* s, const HeftModel* m, int field) {
  const int rows = m->height_field_rows[field], columns = m->height_field_columns[field];
  const Part part = begin(s);
  const uint32_t first = (uint32_t)s->vertices.count, row = (uint32_t)columns;
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j)
      add_vertex(s, height_point(m, field, i, j), height_normal(m, field, i, j));
  }
  for (uint32_t i = 0; i + 1 < (uint32_t)rows; ++i) {
    for (uint32_t j = 0; j + 1 < row; ++j) {
      const uint32_t a = first + i * row + j;
      add_triangle(s, a, a + 1, a + row + 1);
      add_triangle(s, a, a + row + 1, a + row);
    }
  }
  return end(s, part);
}
