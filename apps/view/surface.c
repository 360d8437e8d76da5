// SPDX-License-Identifier: Apache-2.0
// A node becomes one vertex for each side of an edge that is sharp in the rest shape (geometry.c).
// The sides stay apart when the body deforms: the normal of a vertex is the mean of the triangles
// that use it, by their area.
#include "view/surface.h"

#include <string.h>

int surface_make(Surface* out, Solids* solids, const HeftModel* m, int deformable, Part* part) {
  const int node = m->deformable_node[deformable];
  const int* corner = &m->skin_node[3 * m->deformable_skin[deformable]];
  *out = (Surface){.vertex = (uint32_t)solids->vertices.count};
  *part = solid_surface(solids, &m->node_rest[3 * node], m->deformable_node_count[deformable],
                        corner, m->deformable_skin_count[deformable]);
  if (solids_failed(solids)) return 0;
  out->count = (uint32_t)solids->vertices.count - out->vertex;
  out->body = view_take(&solids->allocator, out->count * sizeof *out->body);
  if (!out->body) return 0;
  for (uint32_t i = 0; i < part->count; ++i) {
    const uint32_t vertex = VIEW_AT(solids->indices, uint32_t, part->first + i);
    out->body[vertex - out->vertex] = m->node_body[node + corner[i]];
  }
  return 1;
}

void surface_free(Surface* surface, const HeftAllocator* allocator) {
  view_give(allocator, surface->body, surface->count * sizeof *surface->body);
  *surface = (Surface){0};
}

static HeftVec3 vertex_place(const Surface* surface, const HeftPose* poses, uint32_t i) {
  return poses[surface->body[i]].pos;
}

// Adds the normal of a triangle, as long as twice its area, to its vertices.
static void add_normal(const Surface* surface, Solids* solids, const uint32_t corner[3],
                       const HeftPose* poses) {
  HeftVec3 p[3];
  for (int k = 0; k < 3; ++k) p[k] = vertex_place(surface, poses, corner[k] - surface->vertex);
  const HeftVec3 n = heft_vec3_cross(heft_vec3_sub(p[1], p[0]), heft_vec3_sub(p[2], p[0]));
  for (int k = 0; k < 3; ++k) {
    float* sum = VIEW_AT(solids->vertices, Vertex, corner[k]).normal;
    sum[0] += (float)n.x;
    sum[1] += (float)n.y;
    sum[2] += (float)n.z;
  }
}

static void find_bounds(const Surface* surface, Part* part, const HeftPose* poses) {
  part->low = heft_vec3(1e30, 1e30, 1e30);
  part->high = heft_vec3(-1e30, -1e30, -1e30);
  for (uint32_t i = 0; i < surface->count; ++i) {
    const HeftVec3 p = vertex_place(surface, poses, i);
    part->low = heft_vec3(fmin(part->low.x, p.x), fmin(part->low.y, p.y), fmin(part->low.z, p.z));
    part->high =
        heft_vec3(fmax(part->high.x, p.x), fmax(part->high.y, p.y), fmax(part->high.z, p.z));
  }
  part->center = heft_vec3_scale(0.5, heft_vec3_add(part->low, part->high));
  part->radius = 0.5 * heft_vec3_norm(heft_vec3_sub(part->high, part->low));
}

void surface_follow(const Surface* surface, Solids* solids, Part* part, const HeftPose* poses) {
  Vertex* vertex = &VIEW_AT(solids->vertices, Vertex, surface->vertex);
  for (uint32_t i = 0; i < surface->count; ++i) {
    const HeftVec3 p = vertex_place(surface, poses, i);
    const float pos[3] = {(float)p.x, (float)p.y, (float)p.z};
    memcpy(vertex[i].pos, pos, sizeof pos);
    memset(vertex[i].normal, 0, sizeof vertex[i].normal);
  }
  for (uint32_t i = 0; i + 2 < part->count; i += 3)
    add_normal(surface, solids, &VIEW_AT(solids->indices, uint32_t, part->first + i), poses);
  for (uint32_t i = 0; i < surface->count; ++i) {
    float* n = vertex[i].normal;
    const HeftVec3 unit = heft_vec3_normalize(heft_vec3((double)n[0], (double)n[1], (double)n[2]));
    n[0] = (float)unit.x;
    n[1] = (float)unit.y;
    n[2] = (float)unit.z;
  }
  find_bounds(surface, part, poses);
}

int surface_body(const Surface* surface, const HeftPose* poses, HeftVec3 point) {
  int best = -1;
  double nearest = 1e300;
  for (uint32_t i = 0; i < surface->count; ++i) {
    const double d = heft_vec3_norm(heft_vec3_sub(vertex_place(surface, poses, i), point));
    if (d >= nearest) continue;
    nearest = d;
    best = surface->body[i];
  }
  return best;
}
