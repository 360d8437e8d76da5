// SPDX-License-Identifier: Apache-2.0
// Draws the edges of shapes, boxes and contacts through the functions of a HeftDraw.
#include <heft/draw.h>

#include "base/assert.h"
#include "collision/compound.h"

enum { RING = 32 };

typedef struct Pen {
  const HeftDraw* draw;
  HeftPose at;
  uint32_t color;
} Pen;

static void wire(const Pen* p, HeftVec3 a, HeftVec3 b) {
  p->draw->line(p->draw->user, heft_pose_apply(p->at, a), heft_pose_apply(p->at, b), p->color);
}

// A piece of the ellipse center + cos u + sin v, from angle `from` over `sweep` of full turns.
static void arc(const Pen* p, HeftVec3 center, HeftVec3 u, HeftVec3 v, double from, double sweep) {
  HeftVec3 last = {0, 0, 0};
  for (int k = 0; k <= RING; ++k) {
    double s, c;
    heft_sincos(2 * HEFT_PI * (from + sweep * k / RING), &s, &c);
    const HeftVec3 q = heft_vec3_add_scaled(heft_vec3_add_scaled(center, c, u), s, v);
    if (k > 0) wire(p, last, q);
    last = q;
  }
}

static void draw_box(const Pen* p, HeftVec3 half) {
  for (int i = 0; i < 8; ++i) {
    for (int axis = 1; axis < 8; axis *= 2) {
      if (i & axis) continue;
      const int j = i | axis;
      wire(p,
           heft_vec3(i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z),
           heft_vec3(j & 1 ? half.x : -half.x, j & 2 ? half.y : -half.y, j & 4 ? half.z : -half.z));
    }
  }
}

static void draw_ellipsoid(const Pen* p, double a, double b, double c) {
  const HeftVec3 o = {0, 0, 0}, x = {a, 0, 0}, y = {0, b, 0}, z = {0, 0, c};
  arc(p, o, x, y, 0, 1);
  arc(p, o, y, z, 0, 1);
  arc(p, o, z, x, 0, 1);
}

static void draw_cylinder(const Pen* p, double r, double h, int round) {
  const HeftVec3 x = {r, 0, 0}, y = {0, r, 0}, z = {0, 0, r};
  for (int k = 0; k < 2; ++k) {
    const HeftVec3 end = heft_vec3(0, 0, k ? h : -h);
    arc(p, end, x, y, 0, 1);
    if (round) {
      arc(p, end, x, z, k ? 0 : 0.5, 0.5);
      arc(p, end, y, z, k ? 0 : 0.5, 0.5);
    }
  }
  for (int k = 0; k < 8; ++k) {
    double s, c;
    heft_sincos(0.25 * HEFT_PI * k, &s, &c);
    wire(p, heft_vec3(r * c, r * s, -h), heft_vec3(r * c, r * s, h));
  }
}

static void draw_hull(const Pen* p, const Hull* h) {
  for (int f = 0; f < h->face_count; ++f) {
    for (int k = h->face_loop[f]; k < h->face_loop[f + 1]; ++k) {
      const int next = k + 1 < h->face_loop[f + 1] ? k + 1 : h->face_loop[f];
      const int a = h->loop_vertex[k], b = h->loop_vertex[next];
      if (a > b) continue;  // drawn from the other side
      wire(p, heft_vec3(h->x[a], h->y[a], h->z[a]), heft_vec3(h->x[b], h->y[b], h->z[b]));
    }
  }
}

static void draw_triangle_mesh(const Pen* p, const TriangleMesh* s) {
  for (int t = 0; t < s->triangle_count; ++t) {
    for (int k = 0; k < 3; ++k) {
      const int a = s->triangle[t].vertex[k], b = s->triangle[t].vertex[(k + 1) % 3];
      wire(p, s->vertex[a], s->vertex[b]);
    }
  }
}

static void draw_plane(const Pen* p) {
  for (int k = -5; k <= 5; ++k) {
    wire(p, heft_vec3(k, -5, 0), heft_vec3(k, 5, 0));
    wire(p, heft_vec3(-5, k, 0), heft_vec3(5, k, 0));
  }
}

static void draw_geometry(const Pen* p, const Geometry* g) {
  const double* s = g->size;
  switch (g->kind) {
    case KIND_PLANE:
      draw_plane(p);
      return;
    case KIND_SPHERE:
      draw_ellipsoid(p, s[0], s[0], s[0]);
      return;
    case KIND_CAPSULE:
      draw_cylinder(p, s[0], s[1], 1);
      return;
    case KIND_CYLINDER:
      draw_cylinder(p, s[0], s[1], 0);
      return;
    case KIND_ELLIPSOID:
      draw_ellipsoid(p, s[0], s[1], s[2]);
      return;
    case KIND_BOX:
      draw_box(p, heft_vec3_from(s));
      return;
    case KIND_HULL:
      draw_hull(p, g->hull);
      return;
    case KIND_TRIANGLE_MESH:
    case KIND_FIELD:
      draw_triangle_mesh(p, g->triangle_mesh);
      return;
    case KIND_TRIANGLE:
    case KIND_COUNT:
      return;
  }
}

static void draw_slot(const HeftDraw* draw, const HeftCollider* c, int slot, uint32_t color) {
  const Rows at = slot_pose(c, slot);
  const Pen pen = {draw, rows_to_pose(&at), color};
  draw_geometry(&pen, &c->slot[slot].geometry);
}

static int can_draw(const HeftDraw* draw) { return draw && draw->line && draw->point; }

void heft_draw_shape(const HeftDraw* draw, const HeftCollider* collider, int shape,
                     uint32_t color) {
  HEFT_REQUIRE_VOID(can_draw(draw) && collider);
  HEFT_REQUIRE_VOID(shape >= 0 && shape < collider->model->nshape);
  const int slot = collider->shape_slot[shape];
  if (slot >= 0) draw_slot(draw, collider, slot, color);
}

void heft_draw_shapes(const HeftDraw* draw, const HeftCollider* collider,
                      const HeftIslands* islands) {
  HEFT_REQUIRE_VOID(can_draw(draw) && collider);
  static const uint32_t palette[6] = {0xe6862aff, 0x4a90d9ff, 0x5cb85cff,
                                      0xd9534fff, 0x9b6fd0ff, 0xc8b400ff};
  for (int s = 0; s < collider->slot_count; ++s) {
    const int island = islands ? islands->link_island[collider->slot[s].link] : -1;
    uint32_t color = collider->slot[s].moves ? 0xffffffff : 0x808080ff;
    if (island >= 0) color = palette[island % 6];
    draw_slot(draw, collider, s, color);
  }
}

void heft_draw_boxes(const HeftDraw* draw, const HeftCollider* collider, uint32_t color) {
  HEFT_REQUIRE_VOID(can_draw(draw) && collider);
  const Tree* t = &collider->moving_tree;
  for (int i = 0; i < t->count; ++i) {
    double lo[3], hi[3], mid[3], half[3];
    tree8_get(t, i, lo, hi);
    for (int k = 0; k < 3; ++k) {
      mid[k] = 0.5 * (lo[k] + hi[k]);
      half[k] = 0.5 * (hi[k] - lo[k]);
    }
    Pen pen = {draw, heft_pose_identity(), color};
    pen.at.pos = heft_vec3_from(mid);
    draw_box(&pen, heft_vec3_from(half));
  }
}

void heft_draw_contacts(const HeftDraw* draw, const HeftContactPoints* contacts, double scale) {
  HEFT_REQUIRE_VOID(can_draw(draw) && contacts);
  for (int i = 0; i < contacts->count; ++i) {
    const HeftContactPoint* c = &contacts->point[i];
    const uint32_t color = c->gap < 0 ? 0xe02020ff : 0x20a020ff;
    draw->point(draw->user, c->pos, color);
    draw->line(draw->user, c->pos, heft_vec3_add_scaled(c->pos, scale, c->normal), color);
    draw->line(draw->user, c->pos, heft_vec3_add_scaled(c->pos, scale / 3, c->tangent1),
               0x2040e0ff);
  }
}
