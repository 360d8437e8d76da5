// SPDX-License-Identifier: Apache-2.0
// Papers: R40, R44.
// The guard limits the force of every driver before it reaches the user's hand.
//
// The ledger. A force f that is held from one sample to the next does the work f · Δx on the hand,
// exactly. The energy that the coupling has absorbed is
//
//     E += -f · Δx + f⁺ · Δa + b |Δx|² / Δt + f_c |Δx|
//
// Δa is the displacement of the anchor of the spring: energy that a moving robot supplies through
// the spring is the robot's. Its side of the spring is integrated implicitly, so it works with f⁺,
// the force after the displacement. b and f_c are damping and friction of the device, which
// dissipate energy before it reaches the hand; |Δx|²/Δt never exceeds the integral of v² (Cauchy
// and Schwarz), so the device is never credited with more than it dissipated. Both count while a
// force is held; the parts of the interval in which a contact began are kept for a robot that
// retreats at that moment.
//
// A spring of stiffness K that is stretched by s = a - x holds V = K s²/2, and with f = K s
//
//     ΔE - ΔV = K |Δa|²/2 - K |Δx|²/2 + b |Δx|²/T + f_c |Δx|,
//
// so E >= V >= 0 without any control if b > K T / 2 [Colgate 1997], for any motion of the robot.
//
// Passivity control [Hannaford 2002]. Before a force is sent, the next entry is predicted
// with the present velocity. If the ledger would become negative, damping is added: f ← f - α v,
// α = deficit / (T v²), bounded for the mass of the handle.
#include <heft/device.h>
#include <math.h>

#include "base/assert.h"
#include "math/vec3_limit.h"

static const double idle_reset = 5e-3;  // without force for so long, the next touch begins [s]
static const double jump_speed = 20.0;  // no hand is faster [m/s]
static const double jump_reach = 0.01;  // nor leaps farther between two samples [m]
static const double sure =
    0.8;  // share of the predicted dissipation of the device that is credited
static const double slack = 1e-7;        // the ledger may be short of this [J]
static const double control_mass = 0.1;  // bounds the damping if the mass is unknown [kg]

HeftGuardDef heft_guard_def_default(void) {
  return (HeftGuardDef){
      .slew = 3000, .watchdog = 0.05, .ramp = 0.25, .damping = -1, .friction = -1, .passivity = 1};
}

static double given_or(double value, double other, double last) {
  return value > 0 ? value : other > 0 ? other : last;
}

HeftGuard heft_guard_make(const HeftGuardDef* def, const HeftDeviceInfo* info) {
  HEFT_REQUIRE(info, ((HeftGuard){0}));
  HeftGuard g = {.def = def ? *def : heft_guard_def_default()};
  HeftGuardDef* d = &g.def;
  d->force_max = given_or(d->force_max, info->force_max, 3);
  d->torque_max = given_or(d->torque_max, info->torque_max, 0.1);
  d->speed_max = given_or(d->speed_max, info->speed_max, 2);
  if (d->damping < 0) d->damping = info->damping;
  if (d->friction < 0) d->friction = info->friction;
  return g;
}

void heft_guard_restart(HeftGuard* g, uint64_t now_ns) {
  HEFT_REQUIRE_VOID(g);
  g->start_ns = now_ns;
  g->given = (HeftDeviceForce){0};
  g->mean_velocity = heft_vec3(0, 0, 0);
  g->report.energy = 0;
}

// ---- samples

static int is_sound(const HeftDeviceSample* s) {
  const double turn =
      s->rot.w * s->rot.w + s->rot.x * s->rot.x + s->rot.y * s->rot.y + s->rot.z * s->rot.z;
  return vec3_finite(s->pos) && vec3_finite(s->vel) && vec3_finite(s->spin) && turn > 0.25 &&
         turn < 4 && heft_vec3_norm(s->pos) < 100 && isfinite(s->grip);
}

static void enter(HeftGuard* g, const HeftDeviceSample* s, double dt) {
  const HeftVec3 f = g->given.force, way = heft_vec3_sub(s->pos, g->last.pos);
  const double far = heft_vec3_norm(way);
  const HeftVec3 turn = heft_quat_log(heft_quat_mul(s->rot, heft_quat_conjugate(g->last.rot)));
  double taken = -heft_vec3_dot(f, way) - heft_vec3_dot(g->given.torque, turn);
  const double dissipated = g->def.damping * far * far / dt + g->def.friction * far;
  const int held = heft_vec3_norm(f) > 0;
  if (!held) g->dissipated = dissipated;
  g->report.energy += taken + (held ? dissipated : 0);
  g->mean_velocity = heft_vec3_scale(1 / dt, way);
}

bool heft_guard_sample(HeftGuard* g, uint64_t now_ns, const HeftDeviceSample* s) {
  HEFT_REQUIRE(g && s, false);
  if (!is_sound(s)) {
    ++g->report.not_finite;
    return false;
  }
  const double dt = g->seen ? (double)(int64_t)(now_ns - g->sample_ns) * 1e-9 : 0;
  if (g->seen) {
    const double far = heft_vec3_norm(heft_vec3_sub(s->pos, g->last.pos));
    if (far > jump_reach + jump_speed * fmax(dt, 0)) {
      ++g->report.jumps;
      heft_guard_restart(g, now_ns);
    } else if (dt > 0) {
      enter(g, s, dt);
    }
  } else {
    heft_guard_restart(g, now_ns);
  }
  g->last = *s;
  g->sample_ns = now_ns;
  g->seen = 1;
  return true;
}

// ---- forces

static int force_finite(const HeftDeviceForce* f) {
  return vec3_finite(f->force) && vec3_finite(f->torque) && isfinite(f->grip);
}

static void scale_all(HeftDeviceForce* f, double share) {
  f->force = heft_vec3_scale(share, f->force);
  f->torque = heft_vec3_scale(share, f->torque);
  f->grip *= share;
}

static double speed_share(HeftGuard* g) {
  const double speed = heft_vec3_norm(g->last.vel), max = g->def.speed_max;
  if (!(speed > max)) return 1;
  ++g->report.too_fast;
  return fmax(0, 2 - speed / max);
}

static double ramp_share(const HeftGuard* g, uint64_t now_ns) {
  const double since = (double)(int64_t)(now_ns - g->start_ns) * 1e-9;
  if (!(g->def.ramp > 0) || since >= g->def.ramp) return 1;
  return since > 0 ? since / g->def.ramp : 0;
}

// A robot that draws back takes the energy of the spring with it, and no more than is there: the
// share of the force that it may.
static double drawn_share(HeftGuard* g, double back) {
  const double short_of = back - (g->report.energy + slack);
  if (!(back > 0 && short_of > 0)) return 1;
  const double lent = fmin(g->dissipated, short_of);
  g->dissipated -= lent;
  g->report.energy += lent;
  return fmax(g->report.energy + slack, 0) / back;
}

// The way of the last interval is the best guess for the next: velocities that devices report are
// filtered and come late.
static void keep_passive(HeftGuard* g, double period, HeftVec3 moved, HeftVec3* force) {
  if (!g->def.passivity) return;
  const double speed = heft_vec3_norm(g->mean_velocity), size = heft_vec3_norm(*force);
  const double back = -heft_vec3_dot(*force, moved);
  const double drawn = fmin(drawn_share(g, back), 1);
  const double dissipated = sure * (g->def.damping * speed + g->def.friction) * speed * period;
  const double wanted = heft_vec3_dot(*force, g->mean_velocity) * period + back;
  const double have = g->report.energy + dissipated;
  const double spent = wanted > 0 && wanted > have ? fmax(have, 0) / wanted : 1;
  if (drawn >= 1 && spent >= 1) return;
  *force = heft_vec3_scale(fmin(drawn, spent), *force);
  ++g->report.interventions;
  if (spent >= 1 || have >= 0 || !(speed > 1e-6)) return;
  const double max =
      fmin(0.5 * control_mass / period, size / speed);  // brakes no harder than asked
  const double alpha = fmin(-have / (period * speed * speed), max);
  *force = heft_vec3_add_scaled(*force, -alpha, g->mean_velocity);
}

static void limit(HeftVec3* force, double max, long* count) {
  const double size = heft_vec3_norm(*force);
  if (!(size > max)) return;
  *force = heft_vec3_scale(max / size, *force);
  if (count) ++*count;
}

// A force may shrink at once and turn at its size, but grow only so fast; one that turns back grows
// from zero. So nothing is left of a force that the ledger does not permit.
static void limit_growth(HeftGuard* g, double period, HeftVec3* force) {
  const int back = heft_vec3_dot(*force, g->given.force) < 0;
  const double old = back ? 0 : heft_vec3_norm(g->given.force);
  if (g->def.slew > 0) limit(force, old + g->def.slew * period, &g->report.slewed);
}

static void note_idle(HeftGuard* g, double period) {
  const int any = heft_vec3_norm(g->given.force) > 0 || heft_vec3_norm(g->given.torque) > 0;
  g->idle = any ? 0 : g->idle + period;
  if (g->idle >= idle_reset) g->report.energy = 0;
}

static HeftDeviceForce guarded(HeftGuard* g, uint64_t now_ns, double period,
                               const HeftDeviceForce* command, HeftVec3 moved) {
  HeftDeviceForce f = *command;
  if (!force_finite(command)) {
    ++g->report.not_finite;
    return (HeftDeviceForce){0};
  }
  if (!g->seen || (double)(int64_t)(now_ns - g->sample_ns) * 1e-9 > g->def.watchdog) {
    ++g->report.starved;
    heft_guard_restart(g, now_ns);
    return (HeftDeviceForce){0};
  }
  scale_all(&f, speed_share(g) * ramp_share(g, now_ns));
  keep_passive(g, period, moved, &f.force);
  limit(&f.force, g->def.force_max, &g->report.clamped);
  limit(&f.torque, g->def.torque_max, NULL);
  limit_growth(g, period, &f.force);
  return f;
}

HeftDeviceForce heft_guard_force(HeftGuard* g, uint64_t now_ns, const HeftDeviceForce* command,
                                 const HeftSpatial* moved) {
  HEFT_REQUIRE(g && command, ((HeftDeviceForce){0}));
  const HeftSpatial still = {{0, 0, 0}, {0, 0, 0}};
  const int known = moved && vec3_finite(moved->lin) && vec3_finite(moved->ang);
  const HeftSpatial way = known ? *moved : still;
  const double since = g->force_ns > 0 ? (double)(int64_t)(now_ns - g->force_ns) * 1e-9 : 1e-3;
  const double period = fmin(fmax(since, 1e-4), 0.01);
  ++g->report.forces;
  g->given = guarded(g, now_ns, period, command, way.lin);
  g->report.energy +=
      heft_vec3_dot(g->given.force, way.lin) + heft_vec3_dot(g->given.torque, way.ang);
  g->report.energy_lowest = fmin(g->report.energy_lowest, g->report.energy);
  g->force_ns = now_ns;
  g->report.force_peak = fmax(g->report.force_peak, heft_vec3_norm(g->given.force));
  note_idle(g, period);
  return g->given;
}

// ---- the stiffness that a device can render

double heft_device_stiffness_bound(const HeftDeviceInfo* info, double period, double damping) {
  HEFT_REQUIRE(info, 0);
  double max = period > 0 ? 2 * (info->damping - damping) / period : 0;
  if (info->resolution > 0) max = fmin(max, 2 * info->friction / info->resolution);
  return fmax(max, 0);
}
