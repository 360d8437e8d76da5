// SPDX-License-Identifier: Apache-2.0
// Papers: R66.
// Walking on level ground, planned by the divergent component of motion.
//
// Kept at a constant height the centre of mass c and the centre of pressure p obey c̈ = ω² (c - p),
// ω = √(g/z). With ξ = c + ċ/ω this splits into ċ = ω (ξ - c), which follows ξ by itself, and
// ξ̇ = ω (ξ - p), which is unstable. So p is planned first: on the standing foot while the other
// swings, in a straight line from foot to foot while both stand. Then ξ is computed backwards from
// rest at the end, where the unstable equation is stable: over an interval h in which p moves with
// the constant velocity ṗ,
//     ξ₀ = p₀ + ṗ/ω + e^{-ωh} (ξ₁ - p₁ - ṗ/ω),
// and c forwards from rest at the beginning [Englsberger 2015].
#include <heft/control.h>
#include <string.h>

#include "base/assert.h"
#include "base/def.h"
#include "control/part.h"

enum { STEPS_MAX = 1000 };

typedef struct Footstep {
  int side;
  HeftVec3 from, to;
  double lifted, landed;  ///< [s]
} Footstep;

typedef struct Sample {
  HeftVec3 zmp, dcm, com, velocity;
} Sample;

struct HeftWalk {
  HeftWalkDef def;
  HeftBipedGoal stand;
  size_t memory_size;
  double omega, duration;
  int samples;
  Footstep* step;  ///< steps
  Sample* sample;  ///< samples
};

void heft_walk_def_init(HeftWalkDef* def, uint32_t cookie) {
  if (!HEFT_DEF_STAMP(HeftWalkDef, def, cookie)) return;
  *def = (HeftWalkDef){.cookie = cookie,
                       .allocator = heft_allocator_default(),
                       .steps = 10,
                       .length = 0.2,
                       .swing = 0.7,
                       .both = 0.2,
                       .lift = 0.05,
                       .start = 1.0,
                       .end = 1.5,
                       .first = 1,
                       .sample = 0.001};
}

// ---- where the feet go

static HeftVec3 mix(HeftVec3 a, HeftVec3 b, double share) {
  return heft_vec3_add(heft_vec3_scale(1 - share, a), heft_vec3_scale(share, b));
}

// The foot steps as far ahead of the other, and as far to the side, as a step is long; the last one
// comes beside it.
static void lay_steps(HeftWalk* w) {
  const HeftWalkDef* d = &w->def;
  const HeftVec3 ahead = heft_quat_rotate(w->stand.pelvis, heft_vec3(1, 0, 0)),
                 left = heft_quat_rotate(w->stand.pelvis, heft_vec3(0, 1, 0));
  HeftVec3 at[2] = {w->stand.foot[0].pos, w->stand.foot[1].pos};
  const HeftVec3 start[2] = {at[0], at[1]};
  double far[2] = {0, 0}, wide[2] = {0, 0};
  for (int i = 0; i < d->steps; ++i) {
    const int side = (d->first + i) % 2;
    Footstep* s = &w->step[i];
    s->side = side;
    s->from = at[side];
    far[side] = far[1 - side] + (i == d->steps - 1 ? 0 : d->length);
    wide[side] = wide[1 - side] + (i == d->steps - 1 ? 0 : d->side);
    s->to = heft_vec3_add_scaled(start[side], far[side], ahead);
    if (d->side != 0) s->to = heft_vec3_add_scaled(s->to, wide[side], left);
    at[side] = s->to;
    s->lifted = d->start + i * (d->swing + d->both);
    s->landed = s->lifted + d->swing;
  }
  w->duration = d->start + d->steps * (d->swing + d->both) + d->end;
}

// Where both feet stand at a time, and which step is under way or comes next.
static int feet_at(const HeftWalk* w, double time, HeftVec3 at[2]) {
  int i = 0;
  at[0] = w->stand.foot[0].pos;
  at[1] = w->stand.foot[1].pos;
  for (; i < w->def.steps && w->step[i].landed <= time; ++i) at[w->step[i].side] = w->step[i].to;
  return i;
}

// The centre of pressure waits between the feet, goes to the standing foot before a step, and to
// the next one while both stand.
static HeftVec3 zmp_at(const HeftWalk* w, double time) {
  const HeftWalkDef* d = &w->def;
  HeftVec3 at[2];
  const int i = feet_at(w, time, at);
  const HeftVec3 middle = mix(at[0], at[1], 0.5);
  if (i == d->steps) {  // back between the feet
    const double since = time - w->step[i - 1].landed, takes = d->both + 0.5 * d->end;
    const HeftVec3 last = at[1 - w->step[i - 1].side];
    return since >= takes ? middle : mix(last, middle, since / takes);
  }
  const Footstep* s = &w->step[i];
  const HeftVec3 stands = at[1 - s->side];
  if (time >= s->lifted) return stands;
  const double takes = i == 0 ? 0.5 * d->start : d->both, left = s->lifted - time;
  const HeftVec3 before = i == 0 ? middle : at[s->side];
  return left >= takes ? before : mix(stands, before, left / takes);
}

// ---- the plan

static void plan(HeftWalk* w) {
  const double h = w->def.sample, fade = heft_exp(-w->omega * h), omega = w->omega;
  const int last = w->samples - 1;
  for (int k = 0; k <= last; ++k) w->sample[k].zmp = zmp_at(w, k * h);
  w->sample[last].dcm = w->sample[last].zmp;
  for (int k = last - 1; k >= 0; --k) {
    const Sample* next = &w->sample[k + 1];
    Sample* s = &w->sample[k];
    const HeftVec3 lead = heft_vec3_scale(1 / (h * omega), heft_vec3_sub(next->zmp, s->zmp));
    const HeftVec3 over = heft_vec3_sub(next->dcm, heft_vec3_add(next->zmp, lead));
    s->dcm = heft_vec3_add_scaled(heft_vec3_add(s->zmp, lead), fade, over);
  }
  w->sample[0].com = w->sample[0].dcm;
  for (int k = 0; k < last; ++k) {
    const Sample* s = &w->sample[k];
    const HeftVec3 ahead = mix(s->dcm, w->sample[k + 1].dcm, 0.5);
    w->sample[k + 1].com = heft_vec3_add_scaled(ahead, fade, heft_vec3_sub(s->com, ahead));
  }
  for (int k = 0; k <= last; ++k) {
    Sample* s = &w->sample[k];
    s->velocity = heft_vec3_scale(omega, heft_vec3_sub(s->dcm, s->com));
  }
}

static void place(void* part, Arena* arena) {
  HeftWalk* w = part;
  w->step = arena_take(arena, w->def.steps, Footstep);
  w->sample = arena_take(arena, w->samples, Sample);
}

static int sound(const HeftWalkDef* d) {
  return d->steps > 0 && d->steps <= STEPS_MAX && d->swing > 0 && d->both > 0 && d->start > 0 &&
         d->end > 0 && d->sample > 0 && d->sample <= 0.01 && (d->first == 0 || d->first == 1);
}

HeftStatus heft_walk_create(HeftWalk** out, const HeftWalkDef* def, const HeftBipedGoal* stand,
                            double gravity, HeftError* error) {
  HEFT_REQUIRE(out, HEFT_ERR_ARGUMENT);
  *out = NULL;
  HEFT_REQUIRE(stand, HEFT_ERR_ARGUMENT);
  const HeftStatus status = HEFT_DEF_CHECK(HeftWalkDef, heft_walk_def_default, def, error);
  if (status != HEFT_OK) return status;
  HeftWalk made = {.def = def ? *def : heft_walk_def_default(), .stand = *stand};
  const double height = stand->com.z - 0.5 * (stand->foot[0].pos.z + stand->foot[1].pos.z);
  if (!sound(&made.def) || !(height > 0) || !(gravity > 0))
    return heft_error_set(error, HEFT_ERR_VALUE,
                          "a walk needs 1 to %d steps, times above zero, a first foot of 0 or 1, "
                          "and a centre of mass above the feet",
                          STEPS_MAX);
  made.omega = sqrt(gravity / height);
  const HeftWalkDef* d = &made.def;
  made.samples = 2 + (int)((d->start + d->end + d->steps * (d->swing + d->both)) / d->sample);
  HeftWalk* w = part_make(&d->allocator, &made, sizeof made, place, &made.memory_size,
                          "a plan of walking", error);
  if (!w) return HEFT_ERR_MEMORY;
  lay_steps(w);
  plan(w);
  *out = w;
  return HEFT_OK;
}

void heft_walk_destroy(HeftWalk* w) {
  if (w) w->def.allocator.release(w->def.allocator.user, w, w->memory_size);
}

double heft_walk_duration(const HeftWalk* w) {
  HEFT_REQUIRE(w, 0);
  return w->duration;
}

// ---- goals

static void swing_goal(const HeftWalk* w, const Footstep* s, double time, HeftFootGoal* foot) {
  const double takes = s->landed - s->lifted, share = (time - s->lifted) / takes;
  double along[3], up[3];
  const double early = share < 0.1 ? 0 : share > 0.9 ? 1 : (share - 0.1) / 0.8;
  heft_spline_smooth_step(early, along);
  heft_spline_smooth_step(share < 0.5 ? 2 * share : 2 - 2 * share, up);
  const HeftVec3 way = heft_vec3_sub(s->to, s->from);
  const double rate = 1 / (0.8 * takes), rise = (share < 0.5 ? 2 : -2) / takes;
  foot->pos = heft_vec3_add_scaled(s->from, along[0], way);
  foot->velocity = heft_vec3_scale(along[1] * rate, way);
  foot->acceleration = heft_vec3_scale(along[2] * rate * rate, way);
  foot->pos.z += w->def.lift * up[0];
  foot->velocity.z += w->def.lift * up[1] * rise;
  foot->acceleration.z += w->def.lift * up[2] * rise * rise;
  foot->load = 0;
}

// A foot is loaded and unloaded gradually while both stand.
static double load_of(const HeftWalk* w, int i, int side, double time) {
  const double ramp = w->def.both;
  double load = 1;
  if (i < w->def.steps && w->step[i].side == side)
    load = fmin(load, (w->step[i].lifted - time) / ramp);
  if (i > 0 && w->step[i - 1].side == side)
    load = fmin(load, (time - w->step[i - 1].landed) / ramp);
  return fmax(load, 0.02);
}

void heft_walk_goal(const HeftWalk* w, double time, HeftBipedGoal* goal, HeftVec3* zmp) {
  HEFT_REQUIRE_VOID(w && goal);
  const double t = !(time > 0) ? 0 : time > w->duration ? w->duration : time;
  const int k = (int)(t / w->def.sample + 0.5);
  const Sample* s = &w->sample[k < w->samples ? k : w->samples - 1];
  HeftVec3 at[2];
  const int i = feet_at(w, t, at);
  for (int side = 0; side < 2; ++side) {
    HeftFootGoal* foot = &goal->foot[side];
    *foot = w->stand.foot[side];
    foot->pos = at[side];
    foot->load = load_of(w, i, side, t);
    if (i < w->def.steps && w->step[i].side == side && t > w->step[i].lifted)
      swing_goal(w, &w->step[i], t, foot);
  }
  const HeftVec3 a = heft_vec3_scale(w->omega * w->omega, heft_vec3_sub(s->com, s->zmp));
  goal->com = heft_vec3(s->com.x, s->com.y, w->stand.com.z);
  goal->com_velocity = heft_vec3(s->velocity.x, s->velocity.y, 0);
  goal->com_acceleration = heft_vec3(a.x, a.y, 0);
  if (zmp) *zmp = s->zmp;
}
