// SPDX-License-Identifier: Apache-2.0
// The god-object [Zilles 1995] as a ball [Ruspini 1997].
//
// The ball moves towards the goal in steps of at most half its radius, and after each step is moved
// out of the bodies that it entered, so that it cannot pass through them. Surfaces that it meets
// are stored as planes; the displacement is projected on the directions that they leave free: a
// plane, a crease, or none. A plane that the ball has left is removed.
//
// Friction. The spring between ball and hand pulls along the surface with k |d| and presses with
// k N, where d is the free part of the displacement and N the rest. The ball stays while
// |d| <= µ N, and otherwise moves by |d| - µ N: then the two have the ratio of Coulomb's law again.
#include "interact/proxy.h"

#include <math.h>

static const double slop = 1e-7;    // distance at which a surface is touched [m]
static const double still = 1e-10;  // a shorter displacement is none [m]

enum { MOVES = 32, PUSHES = 8 };

// ---- planes

static void drop(Proxy* p, int index) {
  for (int i = index; i + 1 < p->count; ++i) p->contact[i] = p->contact[i + 1];
  --p->count;
}

static void drop_left_behind(Proxy* p) {
  for (int i = p->count - 1; i >= 0; --i) {
    const ProxyContact* t = &p->contact[i];
    const double away = heft_vec3_dot(t->normal, heft_vec3_sub(p->pos, t->pos)) - p->radius;
    if (away > 10 * slop) drop(p, i);
  }
}

static void keep(Proxy* p, const ProxyContact* contact) {
  for (int i = p->count - 1; i >= 0; --i) {
    if (heft_vec3_dot(p->contact[i].normal, contact->normal) > 0.999) drop(p, i);
  }
  if (p->count == PROXY_CONTACTS) drop(p, 0);
  p->contact[p->count++] = *contact;
}

static double friction_of(const HeftModel* m, int shape) {
  return m->material_friction[m->shape_material[shape]];
}

// The surface of a rigid body or of a deformable one, whichever is closer. Nodes touch by spheres,
// which are parts of the skin.
static int find_closest(const Proxy* p, const ProxyScene* scene, ProxyContact* out,
                        double* distance) {
  const double reach = p->radius + slop;
  const HeftClosestPoint near =
      heft_collider_closest(scene->collider, p->pos, reach, heft_query_filter_all());
  const SkinPoint skin = skin_closest(&scene->skin, scene->poses, p->pos, reach);
  if (near.shape < 0 && skin.shape < 0) return 0;
  if (skin.shape >= 0 && (near.shape < 0 || skin.distance <= near.distance + still)) {
    *out = (ProxyContact){.shape = skin.shape,
                          .body = skin.corner[0],
                          .corner = {skin.corner[0], skin.corner[1], skin.corner[2]},
                          .weight = {skin.weight[0], skin.weight[1], skin.weight[2]},
                          .pos = skin.pos,
                          .normal = skin.normal};
    *distance = skin.distance;
  } else {
    const HeftVec3 away = heft_vec3_sub(p->pos, near.pos);
    *out = (ProxyContact){.shape = near.shape,
                          .body = near.body,
                          .corner = {-1, -1, -1},
                          .pos = near.pos,
                          .normal = near.distance > 1e-9 ? heft_vec3_normalize(away) : near.normal};
    *distance = near.distance;
  }
  out->friction = p->friction >= 0 ? p->friction : friction_of(scene->model, out->shape);
  return 1;
}

// Out of everything that the ball is in, the deepest first.
static void push_out(Proxy* p, const ProxyScene* scene) {
  for (int i = 0; i < PUSHES; ++i) {
    ProxyContact contact;
    double distance;
    if (!find_closest(p, scene, &contact, &distance)) break;
    keep(p, &contact);
    const double depth = p->radius - distance;
    if (depth <= 1e-12) break;
    p->pos = heft_vec3_add_scaled(p->pos, depth, contact.normal);
  }
  drop_left_behind(p);
}

// ---- the displacement

static int is_free(const Proxy* p, HeftVec3 way) {
  for (int i = 0; i < p->count; ++i) {
    if (heft_vec3_dot(p->contact[i].normal, way) < -1e-12) return 0;
  }
  return 1;
}

// The part of a displacement that the contacts leave free.
static HeftVec3 free_way(const Proxy* p, HeftVec3 way) {
  if (is_free(p, way)) return way;
  for (int i = 0; i < p->count; ++i) {
    const HeftVec3 n = p->contact[i].normal;
    const double into = heft_vec3_dot(way, n);
    if (into >= 0) continue;
    const HeftVec3 along = heft_vec3_add_scaled(way, -into, n);
    if (is_free(p, along)) return along;
  }
  for (int i = 0; i < p->count; ++i) {
    for (int j = i + 1; j < p->count; ++j) {
      const HeftVec3 crease =
          heft_vec3_normalize(heft_vec3_cross(p->contact[i].normal, p->contact[j].normal));
      const HeftVec3 along = heft_vec3_scale(heft_vec3_dot(way, crease), crease);
      if (is_free(p, along)) return along;
    }
  }
  return heft_vec3(0, 0, 0);
}

static double rub(const Proxy* p) {
  double max = 0;
  for (int i = 0; i < p->count; ++i) max = fmax(max, p->contact[i].friction);
  return max;
}

void proxy_follow(Proxy* p, const ProxyScene* scene, HeftVec3 goal) {
  const HeftVec3 was = p->pos;
  p->count = 0;
  push_out(p, scene);
  p->pushed = heft_vec3_sub(p->pos, was);
  for (int i = 0; i < MOVES; ++i) {
    const HeftVec3 way = heft_vec3_sub(goal, p->pos), open = free_way(p, way);
    const double pressed = heft_vec3_norm(heft_vec3_sub(way, open));
    const double length = heft_vec3_norm(open);
    const double slip = length - rub(p) * pressed;
    if (!(slip > still)) break;
    const double step = fmin(slip, 0.5 * p->radius);
    p->pos = heft_vec3_add_scaled(p->pos, step / length, open);
    push_out(p, scene);
  }
  // A surface that does not limit the motion is not touched.
  const HeftVec3 way = heft_vec3_sub(goal, p->pos);
  for (int i = p->count - 1; i >= 0; --i) {
    if (heft_vec3_dot(p->contact[i].normal, way) >= 0) drop(p, i);
  }
}
