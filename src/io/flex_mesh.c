// SPDX-License-Identifier: Apache-2.0
#include "io/flex_mesh.h"

#include <math.h>
#include <string.h>

#include "dynamics/deform/mesh.h"

// Operations for a vertex or a tetrahedron: most of them are in the builder, which looks for the
// surface.
enum { WORK_OF_VERTEX = 3000, WORK_OF_TETRAHEDRON = 1000 };

static int take(Load* load, Place from, int vertices, int tetrahedra, HeftTetrahedra* out) {
  *out = (HeftTetrahedra){.vertex_count = vertices, .tetrahedron_count = tetrahedra};
  if (!load_work(load, from,
                 WORK_OF_VERTEX * (double)vertices + WORK_OF_TETRAHEDRON * (double)tetrahedra))
    return 0;
  out->vertices = load_take(load, (size_t)vertices, 3 * sizeof(double));
  out->tetrahedra = load_take(load, (size_t)tetrahedra, 4 * sizeof(int));
  return out->vertices && out->tetrahedra;
}

// ---- grids

// The vertex of a lattice of heft_tetrahedra_box() as a vertex of the grid.
static int grid_of_box(const FlexGrid* g, int n) {
  const int x = n % g->count[0], rest = n / g->count[0];
  return flex_grid_number(g, x, rest % g->count[1], rest / g->count[1]);
}

int flex_mesh_grid(Load* load, Place from, const FlexGrid* g, HeftTetrahedra* out) {
  HeftTetrahedra box;
  HeftError error = {0};
  double half[3], cells = 6;
  int steps[3];
  for (int k = 0; k < 3; ++k) {
    steps[k] = g->count[k] - 1;
    half[k] = 0.5 * g->spacing[k] * steps[k];
    cells *= steps[k];
  }
  if (!load_work(load, from, WORK_OF_TETRAHEDRON * cells)) return 0;
  const HeftStatus status = heft_tetrahedra_box(&box, half, steps, &load->allocator, &error);
  if (status != HEFT_OK) {
    load_fail(load, status, from, "%s", error.message);
    return 0;
  }
  const int good = take(load, from, box.vertex_count, box.tetrahedron_count, out);
  for (int n = 0; good && n < box.vertex_count; ++n)
    memcpy(out->vertices + 3L * grid_of_box(g, n), box.vertices + 3L * n, 3 * sizeof(double));
  for (long i = 0; good && i < 4L * box.tetrahedron_count; ++i)
    out->tetrahedra[i] = grid_of_box(g, box.tetrahedra[i]);
  heft_tetrahedra_release(&box, &load->allocator);
  return good;
}

// ---- shells

// From the lattice point to its place: each coordinate of p is -1 to 1.
static void press(FlexType type, const double half[3], double p[3]) {
  const double flat = sqrt(p[0] * p[0] + p[1] * p[1]);
  if (type == FLEX_CYLINDER && flat > 0) {
    const double ring = fmax(fabs(p[0]), fabs(p[1])) / flat;
    p[0] *= ring;
    p[1] *= ring;
  } else if (type == FLEX_ELLIPSOID) {
    const double length = sqrt(flat * flat + p[2] * p[2]);
    for (int k = 0; k < 3; ++k) p[k] /= length;
  }
  for (int k = 0; k < 3; ++k) p[k] *= half[k];
}

/// The surface of a grid while its vertices get numbers.
typedef struct Shell {
  const FlexGrid* grid;
  FlexType type;
  int* number;  ///< of each point of the grid; 0: none yet
  HeftTetrahedra* out;
  int used;  ///< tetrahedra so far
} Shell;

static int* shell_number(Shell* s, const int at[3]) {
  return &s->number[flex_grid_number(s->grid, at[0], at[1], at[2])];
}

static void shell_vertex(Shell* s, const int at[3]) {
  int* number = shell_number(s, at);
  if (*number > 0) return;
  *number = s->out->vertex_count++;
  double half[3], p[3];
  for (int k = 0; k < 3; ++k) {
    half[k] = 0.5 * s->grid->spacing[k] * (s->grid->count[k] - 1);
    p[k] = 2.0 * at[k] / (s->grid->count[k] - 1) - 1;
  }
  press(s->type, half, p);
  memcpy(s->out->vertices + 3L * *number, p, sizeof p);
}

// The side `at` = 0 or its last value along `axis`; the other axes in rising order.
static void shell_side(Shell* s, int axis, int at, int filling) {
  const int a = axis == 0 ? 1 : 0, b = axis == 2 ? 1 : 2;
  int p[3];
  p[axis] = at;
  for (p[a] = 0; p[a] < s->grid->count[a]; ++p[a]) {
    for (p[b] = 0; p[b] < s->grid->count[b]; ++p[b]) {
      if (!filling) {
        shell_vertex(s, p);
        continue;
      }
      if (p[a] + 1 == s->grid->count[a] || p[b] + 1 == s->grid->count[b]) continue;
      int q[3] = {p[0], p[1], p[2]}, corner[4];
      for (int k = 0; k < 4; ++k) {  // around the square
        q[a] = p[a] + (k == 1 || k == 2);
        q[b] = p[b] + (k >= 2);
        corner[k] = *shell_number(s, q);
      }
      for (int k = 1; k < 3; ++k) {
        const int t[4] = {0, corner[0], corner[k], corner[k + 1]};
        memcpy(s->out->tetrahedra + 4L * s->used++, t, sizeof t);
      }
    }
  }
}

int flex_mesh_shell(Load* load, Place from, FlexType type, const FlexGrid* g, HeftTetrahedra* out) {
  double points = 1, inner = 1, squares = 0;
  for (int k = 0; k < 3; ++k) {
    points *= g->count[k];
    inner *= g->count[k] - 2;
    squares += 2.0 * (g->count[(k + 1) % 3] - 1) * (g->count[(k + 2) % 3] - 1);
  }
  if (!load_work(load, from, 10 * points + 2 * WORK_OF_TETRAHEDRON * squares)) return 0;
  Shell s = {.grid = g, .type = type, .out = out};
  s.number = load_take(load, (size_t)points, sizeof(int));
  if (!s.number || !take(load, from, (int)(points - inner) + 1, 2 * (int)squares, out)) return 0;
  out->vertex_count = 1;  // the centre is at the origin
  for (int filling = 0; filling < 2; ++filling) {
    for (int axis = 2; axis >= 0; --axis) {
      shell_side(&s, axis, 0, filling);
      shell_side(&s, axis, g->count[axis] - 1, filling);
    }
  }
  return 1;
}

// ---- stars

int flex_mesh_star(Load* load, Place from, const Mesh* mesh, const double origin[3],
                   HeftTetrahedra* out) {
  if (!take(load, from, mesh->vertex_count + 1, mesh->face_count, out)) return 0;
  memcpy(out->vertices, origin, 3 * sizeof(double));
  memcpy(out->vertices + 3, mesh->vertices, 3 * sizeof(double) * (size_t)mesh->vertex_count);
  out->tetrahedron_count = 0;
  const HeftVec3 o = heft_vec3_from(origin);
  for (int f = 0; f < mesh->face_count; ++f) {
    int t[4] = {0};
    HeftVec3 e[3];
    for (int k = 0; k < 3; ++k) {
      t[k + 1] = mesh->faces[3L * f + k] + 1;
      e[k] = heft_vec3_sub(heft_vec3_from(out->vertices + 3L * t[k + 1]), o);
    }
    if (!(heft_vec3_dot(heft_vec3_cross(e[0], e[1]), e[2]) > 1e-15)) continue;
    memcpy(out->tetrahedra + 4L * out->tetrahedron_count++, t, sizeof t);
  }
  return 1;
}

// ---- filled surfaces

int flex_mesh_fill(Load* load, Place from, const Mesh* mesh, double spacing, HeftTetrahedra* out) {
  HeftTetrahedra filled;
  HeftError error = {0};
  if (!load_work(
          load, from,
          heft_tetrahedra_fill_effort(mesh->vertices, mesh->faces, mesh->face_count, spacing)))
    return 0;
  const HeftStatus status =
      heft_tetrahedra_fill(&filled, mesh->vertices, mesh->vertex_count, mesh->faces,
                           mesh->face_count, spacing, &load->allocator, &error);
  if (status != HEFT_OK) {
    load_fail(load, status, from, "%s", error.message);
    return 0;
  }
  const int good = take(load, from, filled.vertex_count, filled.tetrahedron_count, out);
  if (good) {
    memcpy(out->vertices, filled.vertices, 3 * sizeof(double) * (size_t)filled.vertex_count);
    memcpy(out->tetrahedra, filled.tetrahedra, 4 * sizeof(int) * (size_t)filled.tetrahedron_count);
  }
  heft_tetrahedra_release(&filled, &load->allocator);
  return good;
}
