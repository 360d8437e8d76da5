// SPDX-License-Identifier: Apache-2.0
// Mass properties of a mesh. A closed surface is a sum of tetrahedra from one point to each face,
// with the sign of the face's side ([Mirtich 1996] in its
// simplest form). For a tetrahedron (o, a, b, c) with o at the origin:
//     volume  V = a · (b × c) / 6,   centre (a + b + c) / 4,
//     ∫ x xᵀ  = V / 20 (a aᵀ + b bᵀ + c cᵀ + s sᵀ),  s = a + b + c.
// A triangle of area A has ∫ x xᵀ = A / 12 (a aᵀ + b bᵀ + c cᵀ + s sᵀ).
#include "io/mesh.h"

#include <math.h>
#include <string.h>

static HeftVec3 vertex(const Mesh* mesh, int i) { return heft_vec3_from(mesh->vertices + 3L * i); }

int mesh_image_number(double x, double* out) {
  static const double grain = 4294967296.0;  // 2^32
  if (!(fabs(x) <= 1e5)) return 0;
  *out = floor(x * grain + 0.5) / grain;
  return 1;
}

// Turns a triangle round: its last two corners change places.
static void swap_places(double* image, int face) {
  double* p = image + 6L * face;
  for (int k = 2; k < 4; ++k) {
    const double other = p[k];
    p[k] = p[k + 2];
    p[k + 2] = other;
  }
}

void mesh_scale(Mesh* mesh, const double scale[3]) {
  for (int i = 0; i < mesh->vertex_count; ++i) {
    for (int k = 0; k < 3; ++k)
      mesh->vertices[3L * i + k] = mesh->vertices[3L * i + k] * scale[k] + 0.0;  // -0 becomes 0
  }
  if (scale[0] * scale[1] * scale[2] >= 0) return;
  for (int f = 0; f < mesh->face_count; ++f) {
    const int swap = mesh->faces[3L * f + 1];
    mesh->faces[3L * f + 1] = mesh->faces[3L * f + 2];
    mesh->faces[3L * f + 2] = swap;
    if (mesh->image) swap_places(mesh->image, f);
  }
}

// Sums of volume (or area), first and second moments about a point.
typedef struct Sums {
  double volume;
  HeftVec3 first;
  HeftSym3 second;
} Sums;

static void add_outer(HeftSym3* s, double w, HeftVec3 v) {
  s->xx += w * v.x * v.x;
  s->yy += w * v.y * v.y;
  s->zz += w * v.z * v.z;
  s->xy += w * v.x * v.y;
  s->xz += w * v.x * v.z;
  s->yz += w * v.y * v.z;
}

static void add_piece(Sums* sums, double volume, double share, double weight, HeftVec3 a,
                      HeftVec3 b, HeftVec3 c) {
  const HeftVec3 s = heft_vec3_add(heft_vec3_add(a, b), c);
  sums->volume += volume;
  sums->first = heft_vec3_add_scaled(sums->first, volume * share, s);
  add_outer(&sums->second, volume * weight, a);
  add_outer(&sums->second, volume * weight, b);
  add_outer(&sums->second, volume * weight, c);
  add_outer(&sums->second, volume * weight, s);
}

static double triangle_area(HeftVec3 a, HeftVec3 b, HeftVec3 c) {
  return 0.5 * heft_vec3_norm(heft_vec3_cross(heft_vec3_sub(b, a), heft_vec3_sub(c, a)));
}

// The mean of the faces' centres, weighted by area: a point inside of anything round.
static HeftVec3 face_centre(const Mesh* m, const int* faces, int count) {
  HeftVec3 sum = {0, 0, 0};
  double area = 0;
  for (int f = 0; f < count; ++f) {
    const HeftVec3 a = vertex(m, faces[3L * f]), b = vertex(m, faces[3L * f + 1]),
                   c = vertex(m, faces[3L * f + 2]);
    const double w = triangle_area(a, b, c);
    sum = heft_vec3_add_scaled(sum, w / 3, heft_vec3_add(heft_vec3_add(a, b), c));
    area += w;
  }
  return area > 0 ? heft_vec3_scale(1 / area, sum) : sum;
}

double mesh_volume(const Mesh* m, const int* faces, int count) {
  const HeftVec3 o = face_centre(m, faces, count);
  double volume = 0;
  for (int f = 0; f < count; ++f) {
    const HeftVec3 a = heft_vec3_sub(vertex(m, faces[3L * f]), o),
                   b = heft_vec3_sub(vertex(m, faces[3L * f + 1]), o),
                   c = heft_vec3_sub(vertex(m, faces[3L * f + 2]), o);
    volume += heft_vec3_dot(a, heft_vec3_cross(b, c)) / 6;
  }
  return volume;
}

static HeftInertia inertia_of(const Sums* sums, HeftVec3 origin) {
  const HeftVec3 centre = heft_vec3_scale(1 / sums->volume, sums->first);
  HeftSym3 s = sums->second;
  add_outer(&s, -sums->volume, centre);
  return (HeftInertia){.mass = sums->volume,
                       .com = heft_vec3_add(origin, centre),
                       .inertia = {s.yy + s.zz, s.xx + s.zz, s.xx + s.yy, -s.xy, -s.xz, -s.yz}};
}

static Sums sum_faces(const Mesh* m, const int* faces, int count, MeshMass how, HeftVec3 o) {
  Sums sums = {0};
  for (int f = 0; f < count; ++f) {
    const HeftVec3 a = heft_vec3_sub(vertex(m, faces[3L * f]), o),
                   b = heft_vec3_sub(vertex(m, faces[3L * f + 1]), o),
                   c = heft_vec3_sub(vertex(m, faces[3L * f + 2]), o);
    if (how == MESH_MASS_SHELL) {
      add_piece(&sums, triangle_area(a, b, c), 1.0 / 3, 1.0 / 12, a, b, c);
    } else {
      const double volume = heft_vec3_dot(a, heft_vec3_cross(b, c)) / 6;
      add_piece(&sums, how == MESH_MASS_LEGACY ? fabs(volume) : volume, 0.25, 0.05, a, b, c);
    }
  }
  return sums;
}

// Volumes without a sign depend on the point they are counted from. MJCF's legacy rule: first from
// the middle of the faces, which gives the centre of mass, then again from there, which gives mass
// and moments.
int mesh_mass(const Mesh* m, MeshMass how, HeftInertia* out) {
  const int hull = how == MESH_MASS_CONVEX && m->hull_count > 0;
  const int* faces = hull ? m->hull : m->faces;
  const int count = hull ? m->hull_count : m->face_count;
  const HeftVec3 o = face_centre(m, faces, count);
  Sums sums = sum_faces(m, faces, count, how, o);
  if (!(sums.volume > 1e-18)) return 0;
  *out = inertia_of(&sums, o);
  if (how != MESH_MASS_LEGACY) return 1;
  sums = sum_faces(m, faces, count, how, out->com);
  sums.first = heft_vec3(0, 0, 0);
  *out = inertia_of(&sums, out->com);
  return 1;
}
