// SPDX-License-Identifier: Apache-2.0
// Steps that catch a biped that is pushed.
//
// Kept at a constant height, the divergent component of motion ξ = c + ċ/ω of the centre of mass c
// obeys ξ̇ = ω (ξ - p) with the centre of pressure p (walk.c). While one foot is at s, p stays
// in its sole, so that at the end of a swing of duration T, t after its beginning,
//     ξ_T = p + e^{ω (T - t)} (ξ - p).
// A foot that lands at u has caught the robot if ξ_T - u is the offset b with which the gait goes
// on. For steps of length L and width w that repeat, ξ rises from s + b to s + b e^{ωT}, so
//     b = L / (e^{ωT} - 1) along,    b = w / (e^{ωT} + 1) across, towards the swinging foot.
// So a measured ξ decides where the foot lands, for each T; of all T that one is taken whose
// landing is within reach, near to the planned step, and leaves the smallest error of b [Khadiv
// 2020]. It is decided anew in every step of control until shortly before the foot lands. The
// feedback
//     p = s + k (ξ - ξ_planned),  k > 1,
// clamped to the sole, removes small errors before the step must.
#include <heft/control.h>
#include <math.h>

#include "base/assert.h"

enum { TIMES = 36 };                 // durations that are compared
static const double loaded = 60;     // a foot that carries more has landed [N]
static const double sure = 0.01;     // ξ is that far inside of the feet, or the robot steps [m]
static const double calm = 0.03;     // the same, to stand after a step [m]
static const double frozen = 0.05;   // the landing stays as it is from then on [s]
static const double press = 0.015;   // of the goal of a landing foot below the other one [m]
static const double fastest = 2;     // mean speed of a swinging foot [m/s]
static const double hardest = 60;    // acceleration of its goal [m/s²]
static const double waver = 0.1;     // cost of crossing, or not, against the plan
static const double hasty = 8;       // change of its duration in time [1]
static const double crouched = 0.9;  // of the height, so that the legs reach far enough
static const double untidy = 0.5;    // time of standing before the feet are put side by side [s]
static const double apart = 0.145;   // of feet side by side [m]
static const double past = 0.26;     // of feet one behind the other [m]

typedef struct Plane {
  double x, y;  // along the heading, to its left
} Plane;

typedef struct Landing {
  Plane at;      // relative to the standing foot; y towards the swinging one
  double takes;  // duration of the swing [s]
  double cost;
  bool cross;
} Landing;

static double clamp(double x, double min, double max) { return x < min ? min : x > max ? max : x; }
static double sign_of(int side) { return side ? -1 : 1; }

static Plane to_plane(const HeftStepper* s, HeftVec3 v) {
  const HeftVec3 r = heft_quat_rotate(heft_quat_conjugate(s->heading), v);
  return (Plane){r.x, r.y};
}

static HeftVec3 from_plane(const HeftStepper* s, Plane p) {
  return heft_quat_rotate(s->heading, heft_vec3(p.x, p.y, 0));
}

HeftStepper heft_stepper_make(const HeftBipedGoal* stand, double gravity, const double half[2]) {
  HeftStepper s = {.swing = 0.4,
                   .swing_min = 0.24,
                   .swing_max = 0.6,
                   .both = 0.03,
                   .lift = 0.05,
                   .length = 0.15,
                   .gain = 2.5,
                   .ahead = 0.5,
                   .aside = 0.5,
                   .across = 0.35};
  HEFT_REQUIRE(stand && half && gravity > 0, s);
  s.heading = stand->pelvis;
  for (int k = 0; k < 2; ++k) {
    s.foot[k] = stand->foot[k].pos;
    s.half[k] = 0.8 * half[k];
  }
  s.width = fabs(to_plane(&s, heft_vec3_sub(s.foot[0], s.foot[1])).y);
  s.height = crouched * (stand->com.z - 0.5 * (s.foot[0].z + s.foot[1].z));
  s.omega = sqrt(gravity / (s.height > 0.01 ? s.height : 0.01));
  s.at = s.to = s.foot[0];
  return s;
}

// ---- what the feet reach

// How far a point is outside of the hull of both soles; negative inside. The hull is the sum of the
// line between the feet and one sole.
static double outside_at(const HeftStepper* s, Plane from, Plane way, double share) {
  const double x = fabs(from.x - share * way.x) - s->half[0],
               y = fabs(from.y - share * way.y) - s->half[1];
  return fmax(x, y);
}

static double outside(const HeftStepper* s, HeftVec3 point) {
  const Plane from = to_plane(s, heft_vec3_sub(point, s->foot[0])),
              way = to_plane(s, heft_vec3_sub(s->foot[1], s->foot[0]));
  double low = 0, high = 1;
  for (int i = 0; i < 40; ++i) {  // convex in the share
    const double a = low + (high - low) / 3, b = high - (high - low) / 3;
    if (outside_at(s, from, way, a) < outside_at(s, from, way, b))
      high = b;
    else
      low = a;
  }
  return outside_at(s, from, way, 0.5 * (low + high));
}

// Offsets b of steps that repeat.
static Plane offset(const HeftStepper* s) {
  const double grown = heft_exp(s->omega * (s->swing + s->both));
  return (Plane){(s->walking ? s->length : 0) / (grown - 1), s->width / (grown + 1)};
}

// ---- the next landing

// The wanted landing within reach, with the feet side by side or crossed.
static Plane within(const HeftStepper* s, Plane want, bool cross) {
  Plane u = {clamp(want.x, -s->ahead, s->ahead), clamp(want.y, apart, s->aside)};
  if (!cross) return u;
  u.y = clamp(want.y, -s->across, apart);
  if (fabs(u.x) < past) u.x = u.x < 0 ? -past : past;
  return u;
}

static double square(double x) { return x * x; }

static Landing landing(const HeftStepper* s, Plane dcm, double takes, bool cross) {
  const Plane b = offset(s), usual = {s->walking ? s->length : 0, s->width};
  const double near = 0.05;  // share of the planned step in the landing
  const Plane want = {(near * usual.x + dcm.x - b.x) / (1 + near),
                      (near * usual.y + dcm.y + b.y) / (1 + near)};
  const Plane u = within(s, want, cross);
  const double missed = square(dcm.x - b.x - u.x) + square(dcm.y + b.y - u.y),
               far = square(u.x - usual.x) + square(u.y - usual.y);
  return (Landing){u, takes, 30 * missed + far + square(0.5 * (takes - s->swing)), cross};
}

// The price of a landing beyond that: the foot must be fast enough, and a change of mind costs.
static double effort(const HeftStepper* s, int side, const Landing* l, double since) {
  if (s->phase != HEFT_STEP_SWING) return 0;
  const Plane at = to_plane(s, heft_vec3_sub(s->at, s->foot[1 - side]));
  const double x = l->at.x - at.x, y = sign_of(side) * l->at.y - at.y;
  const double late = sqrt(x * x + y * y) - fastest * (l->takes - since);
  return (late > 0 ? 100 * square(late) : 0) + (l->cross != s->crossing ? waver * s->share : 0);
}

// The best landing of a side, with the centre of pressure at p relative to the standing foot.
static Landing plan(const HeftStepper* s, int side, Plane dcm, Plane p, double since) {
  const double first = fmax(s->swing_min, since + frozen), last = fmax(s->swing_max, first);
  Landing best = {.cost = (double)INFINITY};
  for (int i = 0; i < TIMES; ++i) {
    const double takes = first + (last - first) * i / (TIMES - 1);
    const double grown = heft_exp(s->omega * (takes - since));
    const Plane end = {p.x + grown * (dcm.x - p.x), sign_of(side) * (p.y + grown * (dcm.y - p.y))};
    for (int cross = 0; cross < 2; ++cross) {
      Landing l = landing(s, end, takes, cross);
      l.cost += effort(s, side, &l, since);
      if (l.cost < best.cost) best = l;
    }
  }
  return best;
}

// ---- phases

static void enter(HeftStepper* s, HeftStepPhase phase) {
  s->phase = phase;
  s->since = 0;
}

static void lift_foot(HeftStepper* s, int side) {
  enter(s, HEFT_STEP_SWING);
  s->side = side;
  ++s->steps;
  s->takes = s->swing;
  s->share = 0;
  s->crossing = false;
  s->at = s->to = s->foot[side];
  s->velocity = s->acceleration = heft_vec3(0, 0, 0);
}

// Centre of pressure on the sole of one foot, relative to it.
static Plane on_sole(const HeftStepper* s, Plane p) {
  return (Plane){clamp(p.x, -s->half[0], s->half[0]), clamp(p.y, -s->half[1], s->half[1])};
}

// The pressure that leads ξ back to its plan, on the foot beside the swinging one, and ξ.
static Plane pressure(const HeftStepper* s, int side, HeftVec3 dcm, double since, Plane* is) {
  const Plane b = offset(s);
  const double grown = heft_exp(s->omega * since);
  *is = to_plane(s, heft_vec3_sub(dcm, s->foot[1 - side]));
  return on_sole(
      s, (Plane){s->gain * (is->x - grown * b.x), s->gain * (is->y - sign_of(side) * grown * b.y)});
}

static void decide(HeftStepper* s, HeftVec3 dcm, double dt) {
  Plane is;
  const Plane p = pressure(s, s->side, dcm, s->since, &is);
  if (s->since + frozen >= s->takes) return;
  const Landing best = plan(s, s->side, is, p, s->since);
  s->takes = clamp(best.takes, s->takes - hasty * dt, s->takes + hasty * dt);
  s->crossing = best.cross;
  const HeftVec3 way = from_plane(s, (Plane){best.at.x, sign_of(s->side) * best.at.y});
  s->to = heft_vec3_add(s->foot[1 - s->side], way);
}

// The foot to lift from both: the one whose landing costs less.
static int better_side(const HeftStepper* s, HeftVec3 dcm) {
  double cost[2];
  for (int side = 0; side < 2; ++side) {
    Plane is;
    const Plane p = pressure(s, side, dcm, 0, &is);
    cost[side] = plan(s, side, is, p, 0).cost;
  }
  return cost[1] < cost[0];
}

// A robot that stands will step, to walk or to put its feet side by side.
static bool restless(const HeftStepper* s) {
  const Plane way = to_plane(s, heft_vec3_sub(s->foot[0], s->foot[1]));
  return s->walking || (s->since > untidy && fmax(fabs(way.x), fabs(way.y - s->width)) > 0.05);
}

// Before the first step ξ must be beside the standing foot.
static bool shifted(const HeftStepper* s, HeftVec3 dcm) {
  const Plane is = to_plane(s, heft_vec3_sub(dcm, s->foot[1 - s->side]));
  return s->since > 3 || (fabs(is.y) < offset(s).y + 0.01 && fabs(is.x) < 0.02);
}

static bool side_by_side(const HeftStepper* s) {
  const Plane way = to_plane(s, heft_vec3_sub(s->foot[0], s->foot[1]));
  return way.y > 0.9 * apart && way.y < 0.45 && fabs(way.x) < 0.4;
}

static void change_phase(HeftStepper* s, const HeftStepperInput* in, HeftVec3 dcm) {
  const double out = outside(s, dcm);
  switch (s->phase) {
    case HEFT_STEP_STAND:
      if (out > -sure)
        lift_foot(s, better_side(s, dcm));
      else if (restless(s) && shifted(s, dcm))
        lift_foot(s, s->side);
      break;
    case HEFT_STEP_BOTH:
      if (s->since < s->both) break;
      if (!s->walking && out < -calm && side_by_side(s))
        enter(s, HEFT_STEP_STAND);
      else
        lift_foot(s, 1 - s->side);
      break;
    case HEFT_STEP_SWING:
      if (s->share > 0.6 && in->load[s->side] > loaded) {
        s->foot[s->side] = in->sole[s->side];
        enter(s, HEFT_STEP_BOTH);
      }
      break;
    case HEFT_STEP_PHASE_COUNT:
      break;
  }
}

// ---- goals

// The swinging foot goes to its landing with the least jerk in the time that is left:
// the third derivative is 60 Δx/r³ - 36 v/r² - 9 a/r. Its height follows the share of the swing.
static void swing(HeftStepper* s, double dt) {
  const double left = fmax(0.9 * s->takes - s->since, 0.04), rest = fmax(s->takes - s->since, dt);
  HeftVec3 way = heft_vec3_sub(s->to, s->at);
  way.z = 0;
  HeftVec3 jerk = heft_vec3_scale(60 / (left * left * left), way);
  jerk = heft_vec3_add_scaled(jerk, -36 / (left * left), s->velocity);
  jerk = heft_vec3_add_scaled(jerk, -9 / left, s->acceleration);
  jerk.z = 0;
  s->acceleration = heft_vec3_add_scaled(s->acceleration, dt, jerk);
  s->acceleration.z = 0;
  const double hard = heft_vec3_norm(s->acceleration);
  if (hard > hardest) s->acceleration = heft_vec3_scale(hardest / hard, s->acceleration);
  s->velocity = heft_vec3_add_scaled(s->velocity, dt, s->acceleration);
  s->velocity.z = 0;
  s->at = heft_vec3_add_scaled(s->at, dt, s->velocity);
  const double rate = s->share < 1 ? (1 - s->share) / rest : 0;
  s->share = fmin(s->share + dt * rate, 1);
  double up[3];
  heft_spline_smooth_step(s->share < 0.5 ? 2 * s->share : 2 - 2 * s->share, up);
  const double sunk = s->share * s->share;
  s->at.z = s->foot[1 - s->side].z + s->lift * up[0] - press * s->share * sunk;
  s->velocity.z = (s->lift * up[1] * (s->share < 0.5 ? 2 : -2) - 3 * press * sunk) * rate;
  if (s->since > s->takes) {  // the ground is lower than it was
    s->velocity.z = -0.2;
    s->at.z -= fmin(0.2 * (s->since - s->takes), 0.05);
  }
}

static void set_feet(const HeftStepper* s, HeftBipedGoal* goal) {
  for (int side = 0; side < 2; ++side) {
    HeftFootGoal* foot = &goal->foot[side];
    *foot = (HeftFootGoal){.pos = s->foot[side], .quat = s->heading, .load = 1};
    if (s->phase == HEFT_STEP_BOTH) {
      const double share = clamp(s->since / s->both, 0.05, 1);
      foot->load = side == s->side ? share : clamp(1 - share, 0.05, 1);
    }
    if (s->phase != HEFT_STEP_SWING || side != s->side) continue;
    foot->pos = s->at;
    foot->velocity = s->velocity;
    foot->acceleration = s->acceleration;
    foot->load = 0;
  }
}

// The pressure that the goal asks for [m].
static HeftVec3 wanted_pressure(const HeftStepper* s, HeftVec3 dcm) {
  Plane is;
  if (s->phase == HEFT_STEP_SWING || s->phase == HEFT_STEP_BOTH) {
    const int side = s->phase == HEFT_STEP_BOTH ? 1 - s->side : s->side;
    const double since = s->phase == HEFT_STEP_BOTH ? 0 : s->since;
    const Plane p = pressure(s, side, dcm, since, &is);
    return heft_vec3_add(s->foot[1 - side], from_plane(s, p));
  }
  HeftVec3 to = heft_vec3_scale(0.5, heft_vec3_add(s->foot[0], s->foot[1]));
  if (restless(s)) {
    const Plane beside = {0, sign_of(s->side) * offset(s).y};
    to = heft_vec3_add(s->foot[1 - s->side], from_plane(s, beside));
  }
  return heft_vec3_add_scaled(to, s->gain, heft_vec3_sub(dcm, to));
}

void heft_stepper_step(HeftStepper* s, const HeftStepperInput* in, double dt, HeftBipedGoal* goal) {
  HEFT_REQUIRE_VOID(s && in && goal && dt > 0 && (s->side == 0 || s->side == 1));
  const HeftVec3 dcm = heft_vec3_add_scaled(in->com, 1 / s->omega, in->velocity);
  for (int side = 0; side < 2; ++side) {  // a foot that slips takes its place along
    if (s->phase == HEFT_STEP_SWING && side == s->side) continue;
    const HeftVec3 away = heft_vec3_sub(in->sole[side], s->foot[side]);
    s->foot[side] = heft_vec3_add_scaled(s->foot[side], fmin(5 * dt, 1), away);
  }
  s->since += dt;
  change_phase(s, in, dcm);
  if (s->phase == HEFT_STEP_SWING) {
    decide(s, dcm, dt);
    swing(s, dt);
  }
  const HeftVec3 p = wanted_pressure(s, dcm);
  HeftVec3 a = heft_vec3_scale(s->omega * s->omega, heft_vec3_sub(in->com, p));
  a.z = 0;
  goal->com = heft_vec3(in->com.x, in->com.y, s->foot[1 - s->side].z + s->height);
  goal->com_velocity = heft_vec3(in->velocity.x, in->velocity.y, 0);
  goal->com_acceleration = a;
  goal->pelvis = goal->chest = s->heading;
  set_feet(s, goal);
}
