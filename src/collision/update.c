// SPDX-License-Identifier: Apache-2.0
// Present poses and boxes of the shapes, and the tree over those that move.
#include <string.h>

#include "base/assert.h"
#include "collision/collider.h"
#include "collision/skin.h"
#include "math/simd.h"

// The order of the tree is renewed when its groups have grown by a quarter, or after so many steps.
enum { STEPS_PER_ORDER = 256, PORTION = 128 };

// The box of a shape, and the centre of its ball. A sphere's box does not turn with it.
HEFT_INLINE void place_box(const Rows* x, const double* half, double* ball, Tree* tree, int item) {
  const int at = tree->place[item], round = ball[3] < HUGE_VAL;
  Box8* b = &tree->level[0][at >> 3];
  for (int k = 0; k < 3; ++k) {
    const double reach = round ? ball[3]
                               : fabs(x->r[k][0]) * half[0] + fabs(x->r[k][1]) * half[1] +
                                     fabs(x->r[k][2]) * half[2] + half[3];
    ball[k] = x->r[k][3];
    b->lo[k][at & 7] = x->r[k][3] - reach;
    b->hi[k][at & 7] = x->r[k][3] + reach;
  }
}

HEFT_CLONES static void update_moving(HeftCollider* c, const double* frames, int first, int end) {
  for (int i = first; i < end; ++i) {
    const int s = c->moving[i];
    const double* f = frames + 16L * c->moving_link[i];
    rows_place(f, 1, 4, f + 12, &c->in_link[s], &c->pose[s]);
    place_box(&c->pose[s], c->half + 4L * s, c->ball + 4L * i, &c->moving_tree, i);
  }
}

typedef struct Update {
  HeftCollider* c;
  const double* frames;
} Update;

static void update_range(void* arg, int first, int end) {
  const Update* update = arg;
  update_moving(update->c, update->frames, first, end);
}

static void update_from_links(HeftCollider* c, const double* frames) {
  Update update = {c, frames};
  heft_pool_run_ranges(c->share ? c->share->pool : NULL, c->moving_count, PORTION, update_range,
                       &update);
  for (int i = 0; i < c->plane_count; ++i) {
    const int s = c->plane[i];
    const double* f = frames + 16L * c->slot[s].link;
    if (c->slot[s].moves) rows_place(f, 1, 4, f + 12, &c->in_link[s], &c->pose[s]);
  }
}

void heft_collider_renew_tree(HeftCollider* c) {
  if (c->moving_count == 0) return;
  if (c->allowed) {  // few: their order does not matter
    heft_tree8_refit(&c->moving_tree);
    return;
  }
  if (c->steps_since_order++ % STEPS_PER_ORDER == 0) {
    heft_tree8_order(&c->moving_tree);
    return;
  }
  heft_tree8_refit(&c->moving_tree);
  if (c->moving_tree.cost > 1.25 * c->moving_tree.sorted_cost) heft_tree8_order(&c->moving_tree);
}

static void start_update(HeftCollider* c) {
  c->sweeping = c->predicted = 0;
  c->link_motion = NULL;
  c->drift_limit = HUGE_VAL;
  ++c->placing;
}

void heft_collider_update_links(HeftCollider* collider, const double* link_frames) {
  HEFT_REQUIRE_VOID(collider && link_frames);
  start_update(collider);
  update_from_links(collider, link_frames);
  heft_skins_place(collider, link_frames, NULL);
  heft_collider_renew_tree(collider);
}

HEFT_CLONES static void update_from_bodies(HeftCollider* c, const HeftPose* poses) {
  for (int i = 0; i < c->moving_count; ++i) {
    const int s = c->moving[i];
    const HeftPose* x = &poses[c->moving_body[i]];
    rows_place(&x->rot.m[0][0], 3, 1, &x->pos.x, &c->in_body[s], &c->pose[s]);
    place_box(&c->pose[s], c->half + 4L * s, c->ball + 4L * i, &c->moving_tree, i);
  }
  for (int i = 0; i < c->plane_count; ++i) {
    const int s = c->plane[i];
    const HeftPose* x = &poses[c->slot[s].body];
    if (!c->slot[s].moves) continue;
    rows_place(&x->rot.m[0][0], 3, 1, &x->pos.x, &c->in_body[s], &c->pose[s]);
  }
}

void heft_collider_update(HeftCollider* collider, const HeftPose* body_poses) {
  HEFT_REQUIRE_VOID(collider && body_poses);
  start_update(collider);
  update_from_bodies(collider, body_poses);
  heft_skins_place(collider, NULL, body_poses);
  heft_collider_renew_tree(collider);
}

// Row i of aᵀ b is the sum of a's entries in column i times b's rows; the position goes along as
// the fourth column.
HEFT_CLONES static void relative_rows(const Rows* a, const Rows* b, HeftPose* out) {
  V4 row[3];
  for (int k = 0; k < 3; ++k) {
    const V4 shift = {0, 0, 0, a->r[k][3]};
    row[k] = v4_load_aligned(b->r[k]) - shift;
  }
  double pos[3];
  for (int i = 0; i < 3; ++i) {
    const V4 sum = a->r[0][i] * row[0] + a->r[1][i] * row[1] + a->r[2][i] * row[2];
    for (int j = 0; j < 3; ++j) out->rot.m[i][j] = sum[j];
    pos[i] = sum[3];
  }
  out->pos = heft_vec3_from(pos);
}

HeftPose heft_rows_relative(const Rows* a, const Rows* b) {
  HeftPose out;
  relative_rows(a, b, &out);
  return out;
}
