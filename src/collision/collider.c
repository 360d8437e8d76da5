// SPDX-License-Identifier: Apache-2.0
// Making a collider: which shapes take part, their geometry, and all memory in one block.
//
// The layout is written once and run twice: with an arena that measures, then with memory.
#include "collision/collider.h"

#include <string.h>

#include "base/allocator.h"
#include "base/assert.h"
#include "base/def.h"
#include "base/error.h"
#include "collision/blocked.h"
#include "collision/compound.h"
#include "collision/distance_shape.h"
#include "collision/seams.h"
#include "collision/skin.h"
#include "collision/sweep.h"
#include "model/field.h"
#include "model/tree.h"

void heft_collider_def_init(HeftColliderDef* def, uint32_t cookie) {
  if (!HEFT_DEF_STAMP(HeftColliderDef, def, cookie)) return;
  *def = (HeftColliderDef){.cookie = cookie, .points = 4};
}

// ---- geometry of meshes and height fields

typedef struct Made {
  const Hull* hull;
  const TriangleMesh* triangle_mesh;
  const DistanceShape* distance;
  HeftVec3 center, half;
} Made;

typedef struct Maker {
  const HeftModel* model;
  Arena* arena;
  Arena scratch;
  HeftError* error;
  HeftStatus status;
} Maker;

static void center_points(double* p, int count, Made* out) {
  double lo[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, hi[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
  for (int i = 0; i < count; ++i) {
    for (int k = 0; k < 3; ++k) {
      lo[k] = fmin(lo[k], p[3L * i + k]);
      hi[k] = fmax(hi[k], p[3L * i + k]);
    }
  }
  const double c[3] = {0.5 * (lo[0] + hi[0]), 0.5 * (lo[1] + hi[1]), 0.5 * (lo[2] + hi[2])};
  for (int i = 0; i < count; ++i) {
    for (int k = 0; k < 3; ++k) p[3L * i + k] -= c[k];
  }
  out->center = heft_vec3_from(c);
  out->half = heft_vec3(0.5 * (hi[0] - lo[0]), 0.5 * (hi[1] - lo[1]), 0.5 * (hi[2] - lo[2]));
}

// Only the vertices that triangles use, renumbered in ascending order. Returns how many.
static int gather_used(const HeftModel* m, int mesh, const int* triangles, int count, int* number,
                       double* vertices, int* renamed) {
  const int all = m->mesh_vertex_count[mesh];
  memset(number, 0, (size_t)all * sizeof *number);
  for (int i = 0; i < 3 * count; ++i) number[triangles[i]] = 1;
  int used = 0;
  for (int v = 0; v < all; ++v) {
    if (!number[v]) continue;
    number[v] = used;
    memcpy(vertices + 3L * used++, m->vertex_pos + 3L * (m->mesh_vertex[mesh] + v),
           3 * sizeof(double));
  }
  for (int i = 0; i < 3 * count; ++i) renamed[i] = number[triangles[i]];
  return used;
}

static void make_mesh(Maker* k, int mesh, Made* out) {
  const HeftModel* m = k->model;
  const int is_field = m->mesh_field[mesh] != HEFT_FIELD_NONE;
  const int convex = !is_field && m->mesh_hull_count[mesh] > 0;
  const int count = convex ? m->mesh_hull_count[mesh] : m->mesh_face_count[mesh];
  const int* triangles =
      convex ? m->hull_vertex + 3L * m->mesh_hull[mesh] : m->face_vertex + 3L * m->mesh_face[mesh];
  Arena scratch = k->scratch;
  int* number = arena_take(&scratch, m->mesh_vertex_count[mesh], int);
  double* vertices = arena_take(&scratch, 3L * m->mesh_vertex_count[mesh], double);
  int* renamed = arena_take(&scratch, 3L * count, int);
  const int used = gather_used(m, mesh, triangles, count, number, vertices, renamed);
  if (used < (convex ? 4 : 3) || (convex && count < 4)) {
    k->status = heft_error_set(k->error, HEFT_ERR_VALUE,
                               "mesh %d '%s' has %d vertices in use, expected 4 or more of a solid",
                               mesh, heft_model_name(m, HEFT_NAMED_MESH, mesh), used);
    return;
  }
  center_points(vertices, used, out);
  if (convex) {
    out->hull = heft_hull_make(k->arena, scratch, used, vertices, count, renamed);
  } else {
    out->triangle_mesh =
        heft_triangle_mesh_make(k->arena, scratch, used, vertices, count, renamed, 0);
    if (is_field)
      out->distance = heft_distance_shape_make(k->arena, heft_model_field(m, mesh), out->center,
                                               out->triangle_mesh);
  }
  if (k->arena->base && !k->arena->overflow && !out->hull && !out->triangle_mesh) {
    k->status = heft_error_set(
        k->error, HEFT_ERR_VALUE,
        "the convex hull of mesh %d '%s' is not closed: every edge must have two triangles", mesh,
        heft_model_name(m, HEFT_NAMED_MESH, mesh));
  }
}

static void field_triangles(int rows, int columns, int* out) {
  int t = 0;
  for (int r = 0; r + 1 < rows; ++r) {
    for (int c = 0; c + 1 < columns; ++c) {
      const int a = r * columns + c, b = a + 1, d = a + columns, e = d + 1;
      const int corners[6] = {a, b, e, a, e, d};
      memcpy(out + 3L * t, corners, sizeof corners);
      t += 2;
    }
  }
}

static void make_field(Maker* k, int field, Made* out) {
  const HeftModel* m = k->model;
  const int rows = m->height_field_rows[field], columns = m->height_field_columns[field];
  const double* size = m->height_field_size + 4L * field;
  const double* height = m->height + m->height_field_height[field];
  Arena scratch = k->scratch;
  double* vertices = arena_take(&scratch, 3L * rows * columns, double);
  int* triangles = arena_take(&scratch, 6L * (rows - 1) * (columns - 1), int);
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < columns; ++c) {
      const long i = (long)r * columns + c;
      vertices[3 * i] = size[0] * (2.0 * c / (columns - 1) - 1);
      vertices[3 * i + 1] = size[1] * (2.0 * r / (rows - 1) - 1);
      vertices[3 * i + 2] = height[i];
    }
  }
  field_triangles(rows, columns, triangles);
  center_points(vertices, rows * columns, out);
  // Its box reaches down to the bottom of the solid.
  const double deep = fmax(size[2] + size[3], 1e-9);
  for (int i = 0; i < rows * columns; ++i) vertices[3L * i + 2] += 0.5 * deep;
  out->center.z -= 0.5 * deep;
  out->half.z += 0.5 * deep;
  out->triangle_mesh = heft_triangle_mesh_make(k->arena, scratch, rows * columns, vertices,
                                               2 * (rows - 1) * (columns - 1), triangles, deep);
}

static size_t scratch_size(const HeftModel* m) {
  size_t max = 0;
  for (int i = 0; i < m->nmesh; ++i) {
    const int hulls = m->mesh_field[i] == HEFT_FIELD_NONE ? m->mesh_hull_count[i] : 0;
    const int count = hulls > 0 ? hulls : m->mesh_face_count[i];
    Arena a = arena_measure();
    arena_take(&a, m->mesh_vertex_count[i], int);
    arena_take(&a, 3L * m->mesh_vertex_count[i], double);
    arena_take(&a, 3L * count, int);
    const size_t hull = heft_hull_scratch(m->mesh_vertex_count[i], count);
    const size_t triangle_mesh = heft_triangle_mesh_scratch(count),
                 more = hull > triangle_mesh ? hull : triangle_mesh;
    if (a.used + more > max) max = a.used + more;
  }
  for (int i = 0; i < m->nheight_field; ++i) {
    const int rows = m->height_field_rows[i], columns = m->height_field_columns[i];
    Arena a = arena_measure();
    arena_take(&a, 3L * rows * columns, double);
    arena_take(&a, 6L * (rows - 1) * (columns - 1), int);
    const size_t all = a.used + heft_triangle_mesh_scratch(2 * (rows - 1) * (columns - 1));
    if (all > max) max = all;
  }
  Arena sorting = arena_measure();
  arena_take(&sorting, m->nshape + m->npair + m->nexclude, SortItem);
  arena_take(&sorting, m->nshape + m->npair + m->nexclude, SortItem);
  max = max > sorting.used ? max : sorting.used;
  const size_t skins = heft_skins_scratch(m);
  return (max > skins ? max : skins) + 2 * ARENA_ALIGNMENT;
}

// ---- slots

static Kind kind_of(const HeftModel* m, int shape) {
  switch (m->shape_type[shape]) {
    case HEFT_SHAPE_PLANE:
      return KIND_PLANE;
    case HEFT_SHAPE_SPHERE:
      return KIND_SPHERE;
    case HEFT_SHAPE_CAPSULE:
      return KIND_CAPSULE;
    case HEFT_SHAPE_CYLINDER:
      return KIND_CYLINDER;
    case HEFT_SHAPE_ELLIPSOID:
      return KIND_ELLIPSOID;
    case HEFT_SHAPE_BOX:
      return KIND_BOX;
    case HEFT_SHAPE_MESH:
      if (m->mesh_field[m->shape_mesh[shape]] != HEFT_FIELD_NONE) return KIND_FIELD;
      return m->mesh_hull_count[m->shape_mesh[shape]] > 0 ? KIND_HULL : KIND_TRIANGLE_MESH;
    case HEFT_SHAPE_HEIGHT_FIELD:
    case HEFT_SHAPE_TYPE_COUNT:
      break;
  }
  return KIND_TRIANGLE_MESH;
}

static int is_in_pair(const HeftModel* m, int shape) {
  for (int i = 0; i < 2 * m->npair; ++i) {
    if (m->pair_shape[i] == shape) return 1;
  }
  return 0;
}

static int is_in_exclude(const HeftModel* m, int body) {
  for (int i = 0; i < 2 * m->nexclude; ++i) {
    if (m->exclude_body[i] == body) return 1;
  }
  return 0;
}

static int takes_part(const HeftModel* m, int shape) {
  return m->shape_category[shape] != 0 || m->shape_collides[shape] != 0 || is_in_pair(m, shape);
}

static HeftPose columns_to_pose(const Columns* x) {
  HeftPose p;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) p.rot.m[i][j] = x->c[j][i];
  }
  p.pos = heft_vec3(x->c[3][0], x->c[3][1], x->c[3][2]);
  return p;
}

static HeftPose shape_in_body(const HeftModel* m, int shape) {
  const double *p = m->shape_pos + 3L * shape, *q = m->shape_quat + 4L * shape;
  return heft_pose(heft_vec3_from(p), heft_quat_normalize(heft_quat_from(q)));
}

static void read_material(Slot* s, const HeftModel* m) {
  s->law[0] = m->material_friction[s->material];
  s->law[1] = m->material_kinetic[s->material];
  s->law[2] = m->material_torsion[s->material];
  s->law[3] = m->material_rolling[s->material];
  s->law[4] = m->material_restitution[s->material];
  s->area = heft_material_has_area(m, s->material);
  s->soft = s->area || m->material_soft[2L * s->material] > 0;
}

static Rows shape_in_link(const HeftModel* m, int body, HeftPose in_body) {
  return rows_of(heft_pose_mul(columns_to_pose(&m->tree->body_in_link[body]), in_body));
}

static void fill_slot(HeftCollider* c, int at, int shape, const Made* meshes, const Made* fields) {
  const HeftModel* m = c->model;
  const int body = m->shape_body[shape], link = m->tree->body_link[body];
  const int mobile = m->tree->link[link].kind == LINK_MOVED ? 0 : link;
  Slot* s = &c->slot[at];
  *s = (Slot){.shape = shape,
              .body = body,
              .link = link,
              .priority = m->shape_priority[shape],
              .dim = m->shape_contact_dim[shape],
              .material = m->shape_material[shape],
              .margin = m->shape_margin[shape],
              .gap = m->shape_gap[shape],
              .moves = link != 0,
              .solid = -1,
              .whole = at};
  c->mask[at] = (Mask){m->shape_category[shape], m->shape_collides[shape]};
  c->rule[at] = (Rule){.category = m->shape_category[shape],
                       .collides = m->shape_collides[shape],
                       .link = mobile,
                       .parent_link = m->tree->link[mobile].parent,
                       .body = body,
                       .deformable = m->tree->link[mobile].deformable,
                       .holder = m->tree->link[mobile].deformable < 0
                                     ? -1
                                     : m->tree->bond_link[m->tree->link[mobile].deformable],
                       .has_exclude = (short)is_in_exclude(m, body),
                       .has_pair = (short)is_in_pair(m, shape)};
  read_material(s, m);
  Geometry* g = &s->geometry;
  g->kind = kind_of(m, shape);
  memcpy(g->size, m->shape_size + 3L * shape, sizeof g->size);
  HeftPose pose = shape_in_body(m, shape);
  if (g->kind == KIND_HULL || kind_has_triangles(g->kind)) {
    const Made* made = m->shape_type[shape] == HEFT_SHAPE_MESH
                           ? &meshes[m->shape_mesh[shape]]
                           : &fields[m->shape_height_field[shape]];
    g->hull = made->hull;
    g->triangle_mesh = made->triangle_mesh;
    g->distance = made->distance;
    g->half = made->half;
    pose.pos = heft_pose_apply(pose, made->center);
  }
  heft_geometry_bound(g);
  s->thin = heft_geometry_half_thickness(g);
  s->ball = geometry_radius(g);
  g->center = heft_vec3(0, 0, 0);
  c->in_body[at] = rows_of(pose);
  c->in_link[at] = shape_in_link(m, body, pose);
  c->pose[at] = c->in_link[at];
  double* half = c->half + 4L * at;
  half[0] = g->half.x, half[1] = g->half.y, half[2] = g->half.z;
  half[3] = s->margin + c->margin;
}

void heft_collider_refresh_parameters(HeftCollider* c) {
  for (int at = 0; at < c->slot_count; ++at) {
    Slot* s = &c->slot[at];
    s->material = c->model->shape_material[s->shape];
    read_material(s, c->model);
    if (s->link != 0)
      c->in_link[at] = shape_in_link(c->model, s->body, rows_to_pose(&c->in_body[at]));
  }
  for (int k = 0; k < c->compound_count; ++k) heft_compound_place_in_link(c, &c->compound[k]);
  ++c->placing;
  heft_collider_measure_mobility(c);
}

// Numbers all shapes that take part by (body, shape).
static void fill_slots(HeftCollider* c, Arena scratch, const Made* meshes, const Made* fields) {
  const HeftModel* m = c->model;
  SortItem* items = arena_take(&scratch, m->nshape, SortItem);
  SortItem* copy = arena_take(&scratch, m->nshape, SortItem);
  int count = 0;
  for (int s = 0; s < m->nshape; ++s) {
    c->shape_slot[s] = -1;
    if (takes_part(m, s)) items[count++] = (SortItem){(uint64_t)m->shape_body[s], (uint32_t)s};
  }
  heft_sort_items(items, copy, count);
  for (int i = 0; i < count; ++i) {
    c->shape_slot[items[i].value] = i;
    fill_slot(c, i, (int)items[i].value, meshes, fields);
  }
}

// Pieces of a compound are shapes and slots in a row.
static void fill_solids(HeftCollider* c) {
  for (int i = 0, count; i < c->slot_count; i += count) {
    count = heft_compound_length(c->model, c->slot[i].shape);
    for (int k = i; k < i + count && count > 1; ++k) c->slot[k].solid = i;
    c->has_pieces |= count > 1;
  }
}

static int pieces_from(const HeftCollider* c, int first) {
  int end = first + 1;
  while (end < c->slot_count && c->slot[end].solid == first) ++end;
  return end - first;
}

// Moving shapes, static shapes, and planes. A compound moves as a whole.
static void sort_slots(HeftCollider* c) {
  int moving = 0, standing = 0, plane = 0, compounds = 0;
  for (int i = 0, count; i < c->slot_count; i += count) {
    const Slot* s = &c->slot[i];
    count = s->moves ? pieces_from(c, i) : 1;
    if (s->geometry.kind == KIND_PLANE) {
      c->plane[plane++] = i;
    } else if (s->moves) {
      if (count > 1) heft_compound_fill(c, compounds++, i, count);
      c->moving_link[moving] = s->link;
      c->moving_body[moving] = s->body;
      c->moving[moving++] = c->slot[i].whole;
    } else {
      c->standing[standing++] = i;
    }
  }
}

static void fill_rules(HeftCollider* c, Arena scratch) {
  const HeftModel* m = c->model;
  const int max = m->nexclude + m->npair;
  SortItem* items = arena_take(&scratch, max, SortItem);
  SortItem* copy = arena_take(&scratch, max, SortItem);
  for (int i = 0; i < m->nexclude; ++i) {
    const uint64_t a = (uint64_t)m->exclude_body[2 * i], b = (uint64_t)m->exclude_body[2 * i + 1];
    items[i] = (SortItem){a < b ? a << 32 | b : b << 32 | a, 0};
  }
  heft_sort_items(items, copy, m->nexclude);
  for (int i = 0; i < m->nexclude; ++i) c->exclude[i] = items[i].key;
  c->exclude_count = m->nexclude;
  for (int i = 0; i < m->npair; ++i) {
    const uint64_t a = (uint64_t)c->shape_slot[m->pair_shape[2 * i]];
    const uint64_t b = (uint64_t)c->shape_slot[m->pair_shape[2 * i + 1]];
    items[i] = (SortItem){a < b ? a << 32 | b : b << 32 | a, (uint32_t)i};
    for (int k = 0; k < 2; ++k) {
      double* margin = &c->half[4L * (long)(k ? b : a) + 3];
      *margin = fmax(*margin, m->pair_margin[i] + c->margin);
    }
  }
  heft_sort_items(items, copy, m->npair);
  for (int i = 0; i < m->npair; ++i)
    c->explicits[i] = (Explicit){items[i].key, (int)items[i].value};
  c->explicit_count = m->npair;
}

static void fill_balls(HeftCollider* c) {
  for (int i = 0; i < c->moving_count; ++i) {
    const Geometry* g = &c->slot[c->moving[i]].geometry;
    const double margin = c->half[4L * c->moving[i] + 3];
    c->ball[4L * i + 3] = g->kind == KIND_SPHERE ? g->size[0] + margin : HUGE_VAL;
  }
}

// ---- memory

enum { CONTACTS_MIN = 64 };

typedef struct Counts {
  int slots, moving, standing, planes;
  int items;      ///< moving shapes, a compound counts as one
  int compounds;  ///< that move
  int contacts;   ///< contact points of a heap of these shapes
} Counts;

// Contact points for each shape of a heap, which has half of those with its neighbours. Heaps of
// balls have 3, heaps of boxes up to 5. Areas of contact have many (patch.c).
static int contacts_of(const HeftModel* m, int shape) {
  const HeftShapeType type = m->shape_type[shape];
  if (heft_material_has_area(m, m->shape_material[shape])) return 2 * MANIFOLD_MAX;
  if (type == HEFT_SHAPE_MESH && m->mesh_field[m->shape_mesh[shape]] != HEFT_FIELD_NONE)
    return MANIFOLD_MAX;
  return type == HEFT_SHAPE_SPHERE ? 4 : type == HEFT_SHAPE_CAPSULE ? 5 : 6;
}

// Heaps of free hulls have up to 8. The links of a robot do not lie in a heap, and few pieces of a
// compound touch.
static int more_contacts_of(const HeftModel* m, int shape) {
  const int body = m->shape_body[shape];
  const int free = m->body_joint_count[body] == 1 &&
                   m->joint_type[m->body_joint[body]] == HEFT_JOINT_FREE &&
                   m->tree->tree_dofs[m->tree->body_link[body]] == 6;
  return free && m->shape_type[shape] == HEFT_SHAPE_MESH ? 4 : 0;
}

// A pair has an area if one of its shapes has: on a floor with an area, every shape may have one.
static Counts count_shapes(const HeftModel* m) {
  Counts n = {0};
  int soft_floor = 0, end = 0;
  for (int s = 0; s < m->nshape; ++s)
    soft_floor |= takes_part(m, s) && !m->tree->body_link[m->shape_body[s]] &&
                  heft_material_has_area(m, m->shape_material[s]);
  for (int s = 0; s < m->nshape; ++s) {
    if (!takes_part(m, s)) continue;
    const int moves = m->tree->body_link[m->shape_body[s]] != 0;
    ++n.slots;
    if (m->shape_type[s] == HEFT_SHAPE_PLANE) {
      ++n.planes;
    } else if (moves) {
      const int inside = s < end, pieces = heft_compound_starts(m, s, &end);
      ++n.moving;
      n.items += pieces > 0 ? 2 - pieces : 1;
      n.compounds += pieces > 0;
      n.contacts += contacts_of(m, s) + (soft_floor ? MANIFOLD_MAX : 0);
      n.contacts += inside || pieces > 0 ? 0 : more_contacts_of(m, s);
    } else {
      ++n.standing;
    }
  }
  n.contacts += heft_skins_room(m);
  return n;
}

static void lay_out_islands(HeftCollider* c, Arena* arena) {
  const int links = c->nlink, contacts = c->contact_capacity, joined = c->joined_max;
  c->link_root = arena_take(arena, links, int);
  c->item_island = arena_take(arena, contacts > joined ? contacts : joined, int);
  c->island_of = arena_take(arena, links, int);
  c->link_first = arena_take(arena, links + 1, int);
  c->link_list = arena_take(arena, links, int);
  c->contact_first = arena_take(arena, links + 1, int);
  c->contact_list = arena_take(arena, contacts, int);
  c->joint_first = arena_take(arena, links + 1, int);
  c->joint_list = arena_take(arena, joined, int);
}

// Memory for the vertices of what meets distance shapes, of each thread.
static void take_vertex_gaps(const HeftModel* m, Arena* arena, NarrowScratch* narrow, int threads) {
  const int count = heft_distance_gaps_max(m);
  for (int k = 0; k < threads && count > 0; ++k) {
    VertexGap* gap = arena_take(arena, count, VertexGap);
    for (int v = 0; gap && !arena->overflow && v < count; ++v) gap[v] = (VertexGap){HUGE_VAL, 0, 0};
    if (gap && !arena->overflow) narrow[k].vertex_gap = gap;
  }
}

static void lay_out_compounds(HeftCollider* c, Arena* arena, Counts n) {
  const HeftModel* m = c->model;
  Tree unused;
  if (n.compounds == 0) return;
  c->compound = arena_take(arena, n.compounds, Compound);
  c->in_whole = arena_take(arena, n.slots, HeftVec3);
  c->placed = arena_take(arena, n.slots, int);
  c->wait = (int(*)[2])arena_take_bytes(arena, (size_t)c->pair_capacity, sizeof *c->wait);
  for (int s = 0, end = 0, k = 0; s < m->nshape; ++s) {
    const int pieces = heft_compound_starts(m, s, &end);
    if (pieces == 0) continue;
    heft_tree8_take(arena->base ? &c->compound[k].tree : &unused, arena, pieces);
    ++k;
  }
}

static void lay_out(HeftCollider* c, Arena* arena, Counts n) {
  const HeftModel* m = c->model;
  const int all = n.slots + n.compounds;
  c->slot = arena_take(arena, all, Slot);
  c->rule = arena_take(arena, all, Rule);
  c->mask = arena_take(arena, all, Mask);
  c->shape_slot = arena_take(arena, m->nshape, int);
  c->moving = arena_take(arena, n.items, int);
  c->standing = arena_take(arena, n.standing, int);
  c->plane = arena_take(arena, n.planes, int);
  c->moving_link = arena_take(arena, n.items, int);
  c->moving_body = arena_take(arena, n.items, int);
  if (n.items <= FEW) {
    c->allowed = arena_take(arena, n.items, uint64_t);
    c->met = arena_take(arena, n.items, uint64_t);
    c->neighbours = arena_take(arena, 1, Neighbours);
    c->plane_allowed = arena_take(arena, n.planes, uint64_t);
  }
  c->exclude = arena_take(arena, m->nexclude, uint64_t);
  c->explicits = arena_take(arena, m->npair, Explicit);
  c->in_link = arena_take(arena, all, Rows);
  c->in_body = arena_take(arena, all, Rows);
  c->pose = arena_take(arena, all, Rows);
  c->half = arena_take(arena, 4L * all, double);
  c->ball = arena_take(arena, 4L * n.items, double);
  c->motion = arena_take(arena, all, ShapeMotion);
  c->drift = arena_take(arena, all, double);
  c->touched = arena_take(arena, n.slots, uint8_t);
  c->link_radius = arena_take(arena, c->nlink, double);
  lay_out_compounds(c, arena, n);
  heft_tree8_take(&c->moving_tree, arena, n.items);
  heft_tree8_take(&c->standing_tree, arena, n.standing);
  c->pair = (int(*)[2])arena_take_bytes(arena, (size_t)c->pair_capacity, sizeof *c->pair);
  c->meets = arena_take(arena, c->pair_capacity, uint8_t);
  c->body_first = arena_take(arena, m->nbody + 1, int);
  Arena overlay = *arena;  // pairs are sorted before the first contact point is written
  c->pair_keys = arena_take(&overlay, c->pair_capacity, SortItem);
  c->pair_scratch = arena_take(&overlay, c->pair_capacity, SortItem);
  c->contact = arena_take(arena, c->contact_capacity, HeftContactPoint);
  if (overlay.used > arena->used) *arena = overlay;
  c->blocked = arena_take(arena, c->blocked_capacity, BlockedPoint);
  c->narrow = arena_take(arena, 1, NarrowScratch);
  take_vertex_gaps(m, arena, c->narrow, 1);
  c->separating_axis = arena_take(arena, SEPARATING_AXES, SeparatingAxis);
  lay_out_islands(c, arena);
}

static void set_limits(HeftCollider* c, const HeftColliderDef* def, Counts n) {
  const HeftModel* m = c->model;
  c->slot_count = n.slots;
  c->moving_count = n.items;
  c->compound_count = n.compounds;
  c->drift_limit = HUGE_VAL;
  c->standing_count = n.standing;
  c->plane_count = n.planes;
  c->nlink = m->tree->nlink;
  c->margin = def->margin;
  c->points = def->points == 8 ? 8 : 4;
  c->parent_child = def->parent_child != 0;
  const int usual = n.contacts + 16 > CONTACTS_MIN ? n.contacts + 16 : CONTACTS_MIN;
  c->contact_capacity = def->contact_capacity > 0 ? def->contact_capacity : usual;
  c->blocked_capacity = heft_blocked_room(c->contact_capacity);
  c->pair_capacity = def->pair_capacity > 0 ? def->pair_capacity : 256 + 24 * n.moving;
  c->joined_max = m->njoint + m->nequality + m->ntendon + c->contact_capacity;
}

static void place_standing(HeftCollider* c);

// Everything after the header, in the arena. Runs in a measuring pass as well.
static HeftStatus build(HeftCollider* c, Arena* arena, Arena scratch, Counts n, HeftError* error) {
  const HeftModel* m = c->model;
  lay_out(c, arena, n);
  Made* meshes = arena_take(arena, m->nmesh, Made);
  Made* fields = arena_take(arena, m->nheight_field, Made);
  Made unused;
  Maker maker = {.model = m, .arena = arena, .scratch = scratch, .error = error};
  for (int s = 0; s < m->nshape && maker.status == HEFT_OK; ++s) {
    // Each mesh and field once, at the first shape that uses it.
    if (!takes_part(m, s) || kind_of(m, s) < KIND_HULL) continue;
    const int is_mesh = m->shape_type[s] == HEFT_SHAPE_MESH;
    const int which = is_mesh ? m->shape_mesh[s] : m->shape_height_field[s];
    int seen = 0;
    for (int t = 0; t < s && !seen; ++t) {
      seen = takes_part(m, t) && m->shape_type[t] == m->shape_type[s] &&
             which == (is_mesh ? m->shape_mesh[t] : m->shape_height_field[t]);
    }
    if (seen) continue;
    Made* made = arena->base ? (is_mesh ? &meshes[which] : &fields[which]) : &unused;
    *made = (Made){0};
    (is_mesh ? make_mesh : make_field)(&maker, which, made);
  }
  if (!arena->base) heft_skins_make(c, arena, scratch);
  if (maker.status != HEFT_OK || !arena->base) return maker.status;
  HEFT_ASSERT(!arena->overflow);
  fill_slots(c, scratch, meshes, fields);
  fill_rules(c, scratch);
  heft_skins_make(c, arena, scratch);
  fill_solids(c);
  sort_slots(c);
  fill_balls(c);
  heft_seams_mark(c);
  heft_collider_measure_mobility(c);
  place_standing(c);
  if (n.items <= FEW) heft_collider_allow(c);
  return HEFT_OK;
}

static HeftStatus check_def(const HeftColliderDef* def, HeftError* error) {
  if (!(def->margin >= 0) || isinf(def->margin)) {
    return heft_error_set(error, HEFT_ERR_ARGUMENT, "margin is %g m, expected 0 or more",
                          def->margin);
  }
  if (def->points != 4 && def->points != 8) {
    return heft_error_set(error, HEFT_ERR_ARGUMENT, "points is %d, expected 4 or 8", def->points);
  }
  if (def->contact_capacity < 0 || def->pair_capacity < 0) {
    return heft_error_set(error, HEFT_ERR_ARGUMENT,
                          "contact_capacity is %d and pair_capacity is %d, expected 0 or more",
                          def->contact_capacity, def->pair_capacity);
  }
  return HEFT_OK;
}

// Pairs are sorted by one number of 20 + 22 + 22 bits (broad.c).
static HeftStatus check_size(const HeftModel* m, Counts n, HeftError* error) {
  if (m->nbody <= BODIES_MAX && n.slots + n.compounds <= SLOTS_MAX) return HEFT_OK;
  return heft_error_set(error, HEFT_ERR_VALUE,
                        "the model has %d bodies and %d shapes that can touch, expected up to %d "
                        "and %d",
                        m->nbody, n.slots, BODIES_MAX, SLOTS_MAX);
}

static HeftStatus create_with_scratch(HeftCollider** out, const HeftModel* model,
                                      const HeftColliderDef* def, const HeftAllocator* source,
                                      Arena scratch, HeftError* error) {
  HeftCollider plan = {.model = model, .allocator = *source};
  const Counts n = count_shapes(model);
  HeftStatus status = check_size(model, n, error);
  if (status != HEFT_OK) return status;
  set_limits(&plan, def, n);
  Arena measure = arena_measure();
  arena_take(&measure, 1, HeftCollider);
  HeftCollider throwaway = plan;
  status = build(&throwaway, &measure, scratch, n, error);
  if (status != HEFT_OK) return status;
  plan.memory_size = measure.used;
  void* memory = source->allocate(source->user, plan.memory_size, ARENA_ALIGNMENT);
  if (!memory) {
    return heft_error_set(error, HEFT_ERR_MEMORY, "no memory for a collider of %zu bytes",
                          plan.memory_size);
  }
  memset(memory, 0, plan.memory_size);
  Arena arena = arena_make(memory, plan.memory_size, NULL);
  HeftCollider* c = arena_take(&arena, 1, HeftCollider);
  *c = plan;
  status = build(c, &arena, scratch, n, error);
  if (status != HEFT_OK) {
    source->release(source->user, memory, plan.memory_size);
    return status;
  }
  *out = c;
  return HEFT_OK;
}

HeftStatus heft_collider_create(HeftCollider** out, const HeftModel* model,
                                const HeftColliderDef* def, HeftError* error) {
  HEFT_REQUIRE(out, HEFT_ERR_ARGUMENT);
  *out = NULL;
  HEFT_REQUIRE(model, HEFT_ERR_ARGUMENT);
  HeftStatus status = HEFT_DEF_CHECK(HeftColliderDef, heft_collider_def_default, def, error);
  if (status != HEFT_OK) return status;
  const HeftColliderDef settings = def ? *def : heft_collider_def_default();
  status = check_def(&settings, error);
  if (status != HEFT_OK) return status;
  const HeftAllocator source = allocator_or_default(settings.allocator);
  const size_t size = scratch_size(model);
  void* memory = source.allocate(source.user, size, ARENA_ALIGNMENT);
  if (!memory) {
    return heft_error_set(error, HEFT_ERR_MEMORY, "no memory to prepare a collider: %zu bytes",
                          size);
  }
  status =
      create_with_scratch(out, model, &settings, &source, arena_make(memory, size, NULL), error);
  source.release(source.user, memory, size);
  return status;
}

static void lay_out_share(ColliderShare* s, Arena* arena, const HeftCollider* c, int threads) {
  s->narrow = arena_take(arena, threads, NarrowScratch);
  take_vertex_gaps(c->model, arena, s->narrow, threads);
  s->separating_axis = arena_take(arena, (long)threads * SEPARATING_AXES, SeparatingAxis);
  s->list = arena_take(arena, c->contact_capacity, HeftContactPoint);
  s->place = arena_take(arena, c->pair_capacity, ListPlace);
  s->portion = arena_take(arena, c->pair_capacity, int);
  s->stop = arena_take(arena, (long)threads * c->nlink, double);
  s->pair = arena_take_bytes(arena, (size_t)threads * PAIRS_OF_TASK, sizeof *s->pair);
  s->blocks = arena_take(arena, (long)threads * heft_tree8_list_size(&c->moving_tree), int);
}

HeftStatus heft_collider_use_pool(HeftCollider* c, HeftPool* pool, HeftError* error) {
  const int threads = heft_pool_threads(pool);
  ColliderShare plan = {.pool = pool};
  Arena measure = arena_measure();
  arena_take(&measure, 1, ColliderShare);
  lay_out_share(&plan, &measure, c, threads);
  plan.memory_size = measure.used;
  void* memory = c->allocator.allocate(c->allocator.user, measure.used, ARENA_ALIGNMENT);
  if (!memory)
    return heft_error_set(error, HEFT_ERR_MEMORY, "no memory for %d threads of a collider",
                          threads);
  memset(memory, 0, measure.used);
  Arena arena = arena_make(memory, measure.used, NULL);
  ColliderShare* share = arena_take(&arena, 1, ColliderShare);
  *share = plan;
  lay_out_share(share, &arena, c, threads);
  c->share = share;
  return HEFT_OK;
}

void heft_collider_destroy(HeftCollider* collider) {
  if (!collider) return;
  const HeftAllocator source = collider->allocator;
  if (collider->share) source.release(source.user, collider->share, collider->share->memory_size);
  source.release(source.user, collider, collider->memory_size);
}

int heft_collider_contact_capacity(const HeftCollider* collider) {
  HEFT_REQUIRE(collider, 0);
  return collider->contact_capacity;
}

size_t heft_collider_memory(const HeftCollider* collider) {
  HEFT_REQUIRE(collider, 0);
  return collider->memory_size + (collider->share ? collider->share->memory_size : 0);
}

static void place_standing(HeftCollider* c) {
  for (int i = 0; i < c->standing_count; ++i) {
    const int s = c->standing[i];
    const Rows* x = &c->pose[s];
    const double* h = c->half + 4L * s;
    double lo[3], hi[3];
    for (int k = 0; k < 3; ++k) {
      const double reach =
          fabs(x->r[k][0]) * h[0] + fabs(x->r[k][1]) * h[1] + fabs(x->r[k][2]) * h[2] + h[3];
      lo[k] = x->r[k][3] - reach;
      hi[k] = x->r[k][3] + reach;
    }
    tree8_set(&c->standing_tree, i, lo, hi);
  }
  heft_tree8_order(&c->standing_tree);
}
