// SPDX-License-Identifier: Apache-2.0
// Continuous collision: pairs that are fast against their margin.
//
// A pair whose shapes approach each other by no more than the margin in a step is found before it
// touches, by its distance only, and has contact points with the normal of the start of the step.
// All other pairs are looked at along their way (time_of_impact.c). If they meet at the time s, the
// narrow phase runs at the poses of that time. A contact point found there, with the gap g at the
// place x, the normal n and the relative velocity w of the two points along n, per step, is carried
// back:
//
//   - body a feels it at x - s d_a, body b at x - s d_b, where d is the shift of the pivot. The
//     velocity of a body at that place, at the start, equals the velocity of its contact at the
//     time s;
//   - the gap of its row is G = g - s w. With the velocity w the row closes exactly when the shapes
//     meet, and the law G + w⁺ >= 0 makes the step end where they touch.
//
// For shapes that only shift, this is exact. If they turn, the place of contact moves in the
// step; so the ends of a step are compared with its start (passages.c).
#include "collision/sweep.h"

#include <string.h>

#include "collision/distance_shape.h"
#include "model/tree.h"

static const double late = 1e-6;  // of a step: too little for a motion after the impact

// ---- constants

static double hull_half_thickness(const Hull* h) {
  double least = HUGE_VAL;
  for (int f = 0; f < h->face_count; ++f) {
    double low = HUGE_VAL;
    for (int i = 0; i < h->vertex_count; ++i)
      low = fmin(low, h->nx[f] * h->x[i] + h->ny[f] * h->y[i] + h->nz[f] * h->z[i]);
    least = fmin(least, 0.5 * (h->offset[f] - low));
  }
  return least;
}

double heft_geometry_half_thickness(const Geometry* g) {
  if (g->kind == KIND_HULL) return hull_half_thickness(g->hull);
  if (g->kind == KIND_FIELD) return g->distance->thin;
  if (g->kind == KIND_TRIANGLE_MESH && g->triangle_mesh->thickness > 0)
    return 0.5 * g->triangle_mesh->thickness;
  if (g->kind == KIND_PLANE || g->kind == KIND_TRIANGLE_MESH) return HUGE_VAL;
  return fmin(g->half.x, fmin(g->half.y, g->half.z));
}

// |v| <= sqrt(2 T / m) and |ω| <= sqrt(2 T / I) for every link of a model with the energy T.
static double link_mobility(const Link* link, double radius) {
  const double* moment = link->inertia;
  const double least = fmin(moment[0], fmin(moment[1], moment[2]));
  if (!(link->mass > 0) || !(least > 0)) return HUGE_VAL;
  return 1 / sqrt(link->mass) + radius / sqrt(least);
}

static double radius_in_link(const HeftCollider* c, int slot) {
  const HeftVec3 pos = rows_to_pose(&c->in_link[slot]).pos;
  return heft_vec3_norm(pos) + heft_vec3_norm(c->slot[slot].geometry.half);
}

void heft_collider_measure_mobility(HeftCollider* c) {
  double gap = 0;
  c->mobility = 0;
  c->least_thin = HUGE_VAL;
  memset(c->link_radius, 0, (size_t)c->nlink * sizeof(double));
  for (int i = 0; i < c->slot_count; ++i) {
    const Slot* s = &c->slot[i];
    gap = fmax(gap, s->gap);
    c->least_thin = fmin(c->least_thin, s->thin);
    if (!s->moves) continue;
    c->link_radius[s->link] = fmax(c->link_radius[s->link], radius_in_link(c, i));
    c->mobility =
        fmax(c->mobility, link_mobility(&c->model->tree->link[s->link], c->link_radius[s->link]));
  }
  for (int i = 0; i < c->model->npair; ++i) gap = fmax(gap, c->model->pair_gap[i]);
  c->least_margin = fmax(c->margin - gap, 0);
}

// ---- boxes

static void sweep_box(HeftCollider* c, int item) {
  const int slot = c->moving[item];
  const Rows* x = &c->pose[slot];
  const double* half = c->half + 4L * slot;
  double lo[3], hi[3];
  for (int k = 0; k < 3; ++k) {
    const double reach = fabs(x->r[k][0]) * half[0] + fabs(x->r[k][1]) * half[1] +
                         fabs(x->r[k][2]) * half[2] + half[3];
    lo[k] = x->r[k][3] - reach;
    hi[k] = x->r[k][3] + reach;
  }
  if (2 * c->motion[slot].reach > c->least_margin)
    heft_motion_sweep_box(&c->motion[slot], rows_to_pose(x).pos, lo, hi);
  tree8_set(&c->moving_tree, item, lo, hi);
}

// Slots or items that a thread treats in one go.
enum { SLOT_RANGE = 64 };

static HeftPool* pool_of(const HeftCollider* c) { return c->share ? c->share->pool : NULL; }

static void sweep_box_range(void* arg, int first, int end) {
  for (int i = first; i < end; ++i) sweep_box(arg, i);
}

void heft_collider_sweep_boxes(HeftCollider* c) {
  heft_pool_run_ranges(pool_of(c), c->moving_count, SLOT_RANGE, sweep_box_range, c);
  c->sweeping = 1;
  c->drift_limit = HUGE_VAL;
  ++c->placing;
  heft_collider_renew_tree(c);
}

typedef struct Predicting {
  HeftCollider* c;
  const StepMotion* links;
} Predicting;

static void predict_range(void* arg, int first, int end) {
  const Predicting* p = arg;
  HeftCollider* c = p->c;
  for (int i = first; i < end; ++i) {
    const Slot* s = &c->slot[i];
    if (s->moves && s->whole == i)
      c->motion[i] = heft_shape_motion(&s->geometry, rows_to_pose(&c->pose[i]), &p->links[s->link]);
  }
}

void heft_collider_sweep(HeftCollider* c, const StepMotion* links) {
  Predicting predicting = {c, links};
  heft_pool_run_ranges(pool_of(c), c->slot_count + c->compound_count, SLOT_RANGE, predict_range,
                       &predicting);
  heft_collider_sweep_boxes(c);
  c->link_motion = links;
  c->predicted = 1;
}

// ---- pairs

double heft_collider_impact(const HeftCollider* c, int a, int b, NarrowScratch* scratch,
                            HeftVec3* normal) {
  const double thin = fmin(c->slot[a].thin, c->slot[b].thin);
  const double tolerance = fmax(fmin(heft_collider_touching(c), 1e-3 * thin), 1e-12);
  const Mover p = heft_collider_mover(c, a), q = heft_collider_mover(c, b);
  const double s = heft_time_of_impact(&p, &q, 0, tolerance, scratch, normal);
  return s < 1 - late ? s : NEVER;
}

Rows heft_collider_pose_at(const HeftCollider* c, int slot, double s) {
  return rows_of(heft_motion_pose(&c->motion[slot].motion, rows_to_pose(&c->pose[slot]), s));
}

void heft_collider_carry_back(const HeftCollider* c, int a, int b, double s, HeftContactPoint* p) {
  const StepMotion *x = &c->motion[a].motion, *y = &c->motion[b].motion;
  const HeftVec3 velocity =
      heft_vec3_sub(motion_velocity(y, s, p->pos), motion_velocity(x, s, p->pos));
  const HeftVec3 half = heft_vec3_scale(0.5 * p->gap, p->normal);  // between the surfaces
  const HeftVec3 on_a = heft_vec3_add_scaled(heft_vec3_sub(p->pos, half), -s, x->shift);
  const HeftVec3 on_b = heft_vec3_add_scaled(heft_vec3_add(p->pos, half), -s, y->shift);
  const double closing = -heft_vec3_dot(velocity, p->normal);
  p->gap += s * fmax(closing, 0);
  p->time = s;
  p->offset = heft_vec3_sub(on_b, on_a);
  p->pos = heft_vec3_scale(0.5, heft_vec3_add(on_a, on_b));
}
