// SPDX-License-Identifier: Apache-2.0
// A tree of boxes over triangles: each node halves its triangles at the median of their centres
// along its longest side.
//
// Distance. A box is farther than the nearest triangle found so far, or both of its halves are
// searched, the nearer one first. Whether a point is near needs less: a box that is near as a whole
// ends the search, as its triangles are in it.
//
// Winding [Barill 2018]. The solid angle of triangles that are far away is that of their area
// vector A at their centre c: A . (c - x) / |c - x|^3. Nodes nearer than twice their radius are
// searched, and triangles count exactly [van Oosterom 1983].
#include "validation/surface.h"

#include <math.h>
#include <stdlib.h>

enum { LEAF = 4, DEPTH = 64 };

// As fmin and fmax, but without a call.
static double less(double a, double b) { return a < b ? a : b; }
static double more(double a, double b) { return a > b ? a : b; }

static double component(HeftVec3 v, int k) { return k == 0 ? v.x : (k == 1 ? v.y : v.z); }

int surface_add(Surface* s, const HeftModel* m, int mesh) {
  const int added = m->mesh_face_count[mesh], total = s->count + added;
  HeftVec3(*corner)[3] = realloc(s->corner, (size_t)total * sizeof *corner);
  if (!corner) return 0;
  s->corner = corner;
  const double* vertex = m->vertex_pos + 3L * m->mesh_vertex[mesh];
  const int* face = m->face_vertex + 3L * m->mesh_face[mesh];
  for (int i = 0; i < 3 * added; ++i) {
    const double* p = vertex + 3L * face[i];
    corner[s->count + i / 3][i % 3] = heft_vec3_from(p);
  }
  s->count = total;
  return 1;
}

// ---- the tree

typedef struct Item {
  HeftVec3 centre;
  int index;
} Item;

static int compare(const Item* a, const Item* b, int axis) {
  const double x = component(a->centre, axis), y = component(b->centre, axis);
  return x != y ? (x > y) - (x < y) : (a->index > b->index) - (a->index < b->index);
}

// Places the items so that the one at `middle` is where sorting would place it, smaller ones
// before it [Hoare 1961].
static void divide(Item* item, int count, int middle, int axis) {
  int low = 0, high = count - 1;
  while (low < high) {
    const Item pivot = item[middle];
    int i = low, j = high;
    while (i <= j) {
      while (compare(&item[i], &pivot, axis) < 0) ++i;
      while (compare(&item[j], &pivot, axis) > 0) --j;
      if (i > j) break;
      const Item swap = item[i];
      item[i++] = item[j];
      item[j--] = swap;
    }
    if (j < middle) low = i;
    if (i > middle) high = j;
  }
}

static HeftVec3 area_vector(const HeftVec3 v[3]) {
  return heft_vec3_scale(0.5,
                         heft_vec3_cross(heft_vec3_sub(v[1], v[0]), heft_vec3_sub(v[2], v[0])));
}

static void bound(const Surface* s, const Item* item, int count, SurfaceNode* n) {
  HeftVec3 sum = heft_vec3(0, 0, 0), plain = sum;
  double weight = 0;
  n->area = sum;
  for (int k = 0; k < 3; ++k) n->low[k] = (double)INFINITY, n->high[k] = -(double)INFINITY;
  for (int i = 0; i < count; ++i) {
    const HeftVec3* v = s->corner[item[i].index];
    const HeftVec3 area = area_vector(v);
    const double w = heft_vec3_norm(area);
    for (int k = 0; k < 9; ++k) {
      n->low[k % 3] = less(n->low[k % 3], component(v[k / 3], k % 3));
      n->high[k % 3] = more(n->high[k % 3], component(v[k / 3], k % 3));
    }
    n->area = heft_vec3_add(n->area, area);
    sum = heft_vec3_add_scaled(sum, w, item[i].centre);
    plain = heft_vec3_add(plain, item[i].centre);
    weight += w;
  }
  n->centre = weight > 0 ? heft_vec3_scale(1 / weight, sum) : heft_vec3_scale(1.0 / count, plain);
  const HeftVec3 far = heft_vec3(more(n->high[0] - n->centre.x, n->centre.x - n->low[0]),
                                 more(n->high[1] - n->centre.y, n->centre.y - n->low[1]),
                                 more(n->high[2] - n->centre.z, n->centre.z - n->low[2]));
  n->radius = heft_vec3_norm(far);
}

static void build(Surface* s, Item* item, int first, int count) {
  SurfaceNode* n = &s->node[s->node_count++];
  *n = (SurfaceNode){.first = first};
  bound(s, item + first, count, n);
  if (count <= LEAF) {
    n->count = count;
    return;
  }
  int axis = 0;
  for (int k = 1; k < 3; ++k) {
    if (n->high[k] - n->low[k] > n->high[axis] - n->low[axis]) axis = k;
  }
  divide(item + first, count, count / 2, axis);
  build(s, item, first, count / 2);
  n->second = s->node_count;
  build(s, item, first + count / 2, count - count / 2);
}

int surface_finish(Surface* s) {
  if (s->count == 0) return 0;
  const size_t n = (size_t)s->count;
  Item* item = malloc(n * sizeof *item);
  HeftVec3(*sorted)[3] = malloc(n * sizeof *sorted);
  s->order = malloc(n * sizeof *s->order);
  s->area = malloc(n * sizeof *s->area);
  s->node = malloc(2 * n * sizeof *s->node);
  const int good = item && sorted && s->order && s->area && s->node;
  for (int i = 0; good && i < s->count; ++i) {
    const HeftVec3* v = s->corner[i];
    item[i] = (Item){heft_vec3_scale(1.0 / 3, heft_vec3_add(heft_vec3_add(v[0], v[1]), v[2])), i};
  }
  if (good) build(s, item, 0, s->count);
  double sum = 0;
  for (int i = 0; good && i < s->count; ++i) {
    s->order[i] = item[i].index;
    for (int k = 0; k < 3; ++k) sorted[i][k] = s->corner[item[i].index][k];
    s->area[i] = sum += heft_vec3_norm(area_vector(sorted[i]));
  }
  free(item);
  if (good) {
    free(s->corner);
    s->corner = sorted;
  } else {
    free(sorted);
  }
  return good;
}

void surface_release(Surface* s) {
  free(s->corner);
  free(s->order);
  free(s->area);
  free(s->node);
  *s = (Surface){0};
}

// ---- distance

// Nearest point by the regions of a triangle: inside, or the nearest of its three edges.
static double edge_distance(HeftVec3 x, HeftVec3 a, HeftVec3 b) {
  const HeftVec3 u = heft_vec3_sub(b, a), w = heft_vec3_sub(x, a);
  const double length = heft_vec3_dot(u, u);
  const double t = length > 0 ? less(1, more(0, heft_vec3_dot(u, w) / length)) : 0;
  const HeftVec3 rest = heft_vec3_add_scaled(w, -t, u);
  return heft_vec3_dot(rest, rest);
}

// The square of the distance.
static double face_distance(HeftVec3 x, const HeftVec3 v[3]) {
  const HeftVec3 n = heft_vec3_cross(heft_vec3_sub(v[1], v[0]), heft_vec3_sub(v[2], v[0]));
  const double size = heft_vec3_dot(n, n);
  int above = size > 0;
  for (int k = 0; k < 3 && above; ++k) {
    const HeftVec3 a = v[k], b = v[(k + 1) % 3];
    above &= heft_vec3_dot(n, heft_vec3_cross(heft_vec3_sub(b, a), heft_vec3_sub(x, a))) >= 0;
  }
  const double height = heft_vec3_dot(n, heft_vec3_sub(x, v[0]));
  if (above) return height * height / size;
  return less(edge_distance(x, v[0], v[1]),
              less(edge_distance(x, v[1], v[2]), edge_distance(x, v[2], v[0])));
}

static double box_distance(HeftVec3 x, const SurfaceNode* n) {
  double sum = 0;
  for (int k = 0; k < 3; ++k) {
    const double c = component(x, k), out = more(0, more(n->low[k] - c, c - n->high[k]));
    sum += out * out;
  }
  return sum;
}

// The square of the distance of the farthest corner.
static double farthest(HeftVec3 x, const SurfaceNode* n) {
  double sum = 0;
  for (int k = 0; k < 3; ++k) {
    const double c = component(x, k), out = more(n->high[k] - c, c - n->low[k]);
    sum += out * out;
  }
  return sum;
}

double surface_distance(const Surface* s, HeftVec3 x) {
  int stack[DEPTH], depth = 0;
  double least = (double)INFINITY;
  stack[depth++] = 0;
  while (depth > 0) {
    const int at = stack[--depth];
    const SurfaceNode* n = &s->node[at];
    if (box_distance(x, n) >= least) continue;
    for (int i = n->first; i < n->first + n->count; ++i)
      least = less(least, face_distance(x, s->corner[i]));
    if (n->count > 0) continue;
    const int nearer = box_distance(x, n + 1) <= box_distance(x, &s->node[n->second]);
    stack[depth++] = nearer ? n->second : at + 1;
    stack[depth++] = nearer ? at + 1 : n->second;
  }
  return sqrt(least);
}

int surface_is_near(const Surface* s, HeftVec3 x, double distance) {
  int stack[DEPTH], depth = 0;
  const double square = distance * distance;
  stack[depth++] = 0;
  while (depth > 0) {
    const int at = stack[--depth];
    const SurfaceNode* n = &s->node[at];
    if (farthest(x, n) <= square) return 1;
    for (int i = n->first; i < n->first + n->count; ++i) {
      if (face_distance(x, s->corner[i]) <= square) return 1;
    }
    if (n->count > 0) continue;
    const double one = box_distance(x, n + 1), two = box_distance(x, &s->node[n->second]);
    const int nearer = one <= two;
    if (more(one, two) <= square) stack[depth++] = nearer ? n->second : at + 1;
    if (less(one, two) <= square) stack[depth++] = nearer ? at + 1 : n->second;
  }
  return 0;
}

// ---- winding

static double solid_angle(HeftVec3 x, const HeftVec3 corner[3]) {
  HeftVec3 v[3];
  double r[3];
  for (int k = 0; k < 3; ++k) {
    v[k] = heft_vec3_sub(corner[k], x);
    r[k] = heft_vec3_norm(v[k]);
  }
  const double up = heft_vec3_dot(v[0], heft_vec3_cross(v[1], v[2]));
  const double down = r[0] * r[1] * r[2] + heft_vec3_dot(v[0], v[1]) * r[2] +
                      heft_vec3_dot(v[1], v[2]) * r[0] + heft_vec3_dot(v[2], v[0]) * r[1];
  return 2 * atan2(up, down);
}

double surface_winding(const Surface* s, HeftVec3 x) {
  int stack[DEPTH], depth = 0;
  double sum = 0;
  stack[depth++] = 0;
  while (depth > 0) {
    const int at = stack[--depth];
    const SurfaceNode* n = &s->node[at];
    const HeftVec3 away = heft_vec3_sub(n->centre, x);
    const double distance = heft_vec3_norm(away);
    if (distance > 2 * n->radius) {
      sum += heft_vec3_dot(n->area, away) / (distance * distance * distance);
      continue;
    }
    for (int i = n->first; i < n->first + n->count; ++i) sum += solid_angle(x, s->corner[i]);
    if (n->count > 0) continue;
    stack[depth++] = at + 1;
    stack[depth++] = n->second;
  }
  return sum / (4 * HEFT_PI);
}

// ---- random points

double surface_random(uint64_t* random) {
  *random = heft_hash(random, sizeof *random, *random);
  return (double)(*random >> 11) / 9007199254740992.0;
}

static int triangle_at(const Surface* s, double area) {
  int low = 0, high = s->count - 1;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (s->area[middle] <= area) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

HeftVec3 surface_sample(const Surface* s, uint64_t* random, int by_area) {
  const double share = surface_random(random);
  const int face =
      by_area ? triangle_at(s, share * s->area[s->count - 1]) : (int)(share * s->count);
  const HeftVec3* v = s->corner[face];
  double a = surface_random(random), b = surface_random(random);
  if (a + b > 1) a = 1 - a, b = 1 - b;
  const HeftVec3 x = heft_vec3_add_scaled(v[0], a, heft_vec3_sub(v[1], v[0]));
  return heft_vec3_add_scaled(x, b, heft_vec3_sub(v[2], v[0]));
}
