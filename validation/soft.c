// SPDX-License-Identifier: Apache-2.0
// Papers: R7, R24, U10.
// Soft contact (docs/theory/soft-contact.md): the sink of loads, the laws of Hertz and of an
// elastic foundation, a box that two finger tips hold against a torque, and energy.
#include <heft/access.h>
#include <math.h>
#include <string.h>

#include "validation/cases.h"

static const double pi = 3.14159265358979323846;

enum { BODY = 1, SCENE_TEXT = 3000 };

static int open_text(Run* run, const char* text, double tolerance) {
  EngineSettings s = engine_settings();
  s.tolerance = tolerance;
  return run_open_text(run, text, strlen(text), &s);
}

// The sink of a ball of this mass on a plane whose material has these numbers.
static double sink_of(Run* run, const char* softness, double mass) {
  char text[SCENE_TEXT];
  snprintf(text, sizeof text,
           "<mujoco><option timestep='0.002'/><custom>"
           "<numeric name='heft_material_pad' data='0.5 0.5 0 0 0'/><numeric %s/>"
           "<tuple name='heft_material_pad'><element objtype='geom' objname='floor'/></tuple>"
           "</custom><worldbody><geom name='floor' type='plane' size='5 5 1'/><body pos='0 0 .1'>"
           "<freejoint/><geom type='sphere' size='.1' mass='%.17g'/></body></worldbody></mujoco>",
           softness, mass);
  if (!open_text(run, text, 1e-10)) return (double)NAN;
  run_step(run, 3000);
  const double sink = 0.1 - run_body(run, BODY).pos.z;
  run_close(run);
  return sink;
}

static void sinks(Run* run) {
  static const double stiffness[] = {1e3, 1e5, 1e7};
  char what[ROW_TEXT], softness[120];
  for (int i = 0; i < 3; ++i) {
    snprintf(softness, sizeof softness, "name='heft_soft_pad' data='%g %g'", stiffness[i],
             2 * sqrt(stiffness[i]));
    snprintf(what, sizeof what, "2 kg on a point of %g N/m: depth [m]", stiffness[i]);
    run_report_relative(run, what, 2 * CASE_GRAVITY / stiffness[i], sink_of(run, softness, 2),
                        1e-9);
  }
}

static void spheres(Run* run) {
  const double radius = 0.1, modulus = 1e6, layer = 1e5 / 0.01;
  char what[ROW_TEXT], softness[120];
  for (int i = 0; i < 4; ++i) {
    const double d = 0.0002 * (1 << i);
    snprintf(softness, sizeof softness, "name='heft_area_pad' data='%.17g %g 5 0.5'", modulus / pi,
             radius);
    snprintf(what, sizeof what, "Hertz, depth of %g of the radius: force [N]", d / radius);
    const double force = 4.0 / 3 * modulus * sqrt(radius * d) * d;
    const double sink = sink_of(run, softness, force / CASE_GRAVITY);
    run_report_relative(run, what, 4.0 / 3 * modulus * sqrt(radius * sink) * sink, force, 0.02);
  }
  for (int i = 0; i < 3; ++i) {
    const double d = 0.001 * (1 << i);
    snprintf(what, sizeof what, "elastic foundation, depth of %g of the radius [m]", d / radius);
    const double force = layer * pi * d * d * (3 * radius - d) / 3;
    run_report_relative(
        run, what, d,
        sink_of(run, "name='heft_area_pad' data='1e5 0.01 5 1'", force / CASE_GRAVITY), 1e-3);
  }
}

// ---- curved on curved

// The sink of a body on a slide that rests with its lowest point at the height 0 on a shape `below`
// whose material has these numbers.
static double curved_sink(Run* run, const char* softness, const char* below, const char* body) {
  char text[SCENE_TEXT];
  snprintf(text, sizeof text,
           "<mujoco><option timestep='0.002'/><custom>"
           "<numeric name='heft_material_pad' data='0.5 0.5 0 0 0'/>"
           "<numeric name='heft_area_pad' data='%s'/>"
           "<tuple name='heft_material_pad'><element objtype='geom' objname='pad'/></tuple>"
           "</custom><worldbody><geom name='pad' %s/><body pos='0 0 .1'>"
           "<joint type='slide' axis='0 0 1'/><geom %s/></body></worldbody></mujoco>",
           softness, below, body);
  if (!open_text(run, text, 1e-10)) return (double)NAN;
  run_step(run, 3000);
  const double sink = 0.1 - run_body(run, BODY).pos.z;
  run_close(run);
  return sink;
}

// Two balls: Hertz with 1/R = 1/R1 + 1/R2. A cylinder that lies on a floor: the area of the segment
// of its circle times its length is the volume of the overlap.
static void curves(Run* run) {
  const double modulus = 1e6, radius = 0.1, both = 0.06 * radius / (0.06 + radius);
  char what[ROW_TEXT], softness[120], body[120];
  for (int i = 0; i < 3; ++i) {
    const double d = 0.0002 * (1 << (2 * i)), force = 4.0 / 3 * modulus * sqrt(both * d) * d;
    snprintf(softness, sizeof softness, "%.17g %.17g 5 0.5", modulus / pi, both);
    snprintf(body, sizeof body, "type='sphere' size='.1' mass='%.17g'", force / CASE_GRAVITY);
    const double sink = curved_sink(run, softness, "type='sphere' size='.06' pos='0 0 -.06'", body);
    snprintf(what, sizeof what, "Hertz, ball on ball, depth of %g of R: force [N]", d / both);
    run_report_relative(run, what, 4.0 / 3 * modulus * sqrt(both * sink) * sink, force, 0.02);
  }
  for (int i = 0; i < 3; ++i) {
    const double d = 0.001 * (1 << i), chord = sqrt(2 * radius * d - d * d);
    const double segment = radius * radius * heft_atan2(chord, radius - d) - (radius - d) * chord;
    const double force = 1e5 / 0.01 * 0.3 * segment;
    snprintf(body, sizeof body, "type='cylinder' size='.1 .15' euler='90 0 0' mass='%.17g'",
             force / CASE_GRAVITY);
    snprintf(what, sizeof what, "cylinder on its side, foundation, %g of the radius [m]",
             d / radius);
    run_report_relative(run, what, d,
                        curved_sink(run, "1e5 0.01 5 1", "type='plane' size='5 5 1'", body), 0.02);
  }
}

// ---- a box between two finger tips, turned about the axis of the grip

static const double grip = 50, tip = 0.02, mu = 0.8;  // force [N], radius [m]

// The speed at which the box turns under a torque.
static double turning(Run* run, double torque) {
  static const char text[] =
      "<mujoco><option timestep='0.001' gravity='0 0 0'/><custom>"
      "<numeric name='heft_material_tip' data='0.8 0.8 0 0 0'/>"
      "<numeric name='heft_area_tip' data='1e6 0.005 5 1'/>"
      "<tuple name='heft_material_tip'><element objtype='geom' objname='left'/>"
      "<element objtype='geom' objname='right'/></tuple></custom><worldbody>"
      "<body pos='0 0 0'><freejoint/><geom type='box' size='.03 .03 .03' mass='.2' "
      "friction='.8 0 0'/></body>"
      "<body pos='-.0495 0 0'><joint type='slide' axis='1 0 0'/><geom name='left' type='sphere' "
      "size='.02' mass='.1'/></body>"
      "<body pos='.0495 0 0'><joint type='slide' axis='1 0 0'/><geom name='right' type='sphere' "
      "size='.02' mass='.1'/></body></worldbody></mujoco>";
  if (!open_text(run, text, 1e-9)) return (double)NAN;
  HeftWorld* world = run->engine->world;
  const HeftVec3 none = heft_vec3(0, 0, 0);
  heft_world_joint_forces(world)[6] = grip;
  heft_world_joint_forces(world)[7] = -grip;
  run_step(run, 1000);
  for (int n = 0; n < 300; ++n) {
    heft_world_apply_wrench(world, BODY, run_body(run, BODY).pos, none, heft_vec3(torque, 0, 0));
    run_step(run, 1);
  }
  const double speed = fabs(heft_world_state(world)->v[3]);
  run_close(run);
  return speed;
}

// Coulomb's torque of both patches, 8 µ F a / 15 each, found to a thousandth.
static void grips(Run* run) {
  const double layer = 1e6 / 0.005, d = sqrt(grip / (layer * pi * tip));
  const double a = sqrt(2 * tip * d - d * d), limit = 2 * 8.0 / 15 * mu * grip * a;
  double low = 0.9 * limit, high = 1.1 * limit;
  for (int k = 0; k < (run->full ? 8 : 5); ++k) {
    const double torque = 0.5 * (low + high);
    *(turning(run, torque) > 1e-6 ? &high : &low) = torque;
  }
  run_report_relative(run, "torque that turns a box held by two finger tips [N m]", limit,
                      0.5 * (low + high), 0.03);
}

// ---- energy

// Bodies fall on soft ones, come to rest and are shaken again. The largest energy beyond that of
// the start of a fall.
static void energies(Run* run) {
  static const char text[] =
      "<mujoco><option timestep='0.002'/><custom>"
      "<numeric name='heft_material_pad' data='.6 .6 0 0 0'/>"
      "<numeric name='heft_area_pad' data='1e6 0.02 1 1'/>"
      "<numeric name='heft_material_soft' data='.6 .6 0 0 0'/>"
      "<numeric name='heft_soft_soft' data='20000 20'/>"
      "<tuple name='heft_material_pad'><element objtype='geom' objname='floor'/></tuple>"
      "<tuple name='heft_material_soft'><element objtype='geom' objname='wall'/></tuple></custom>"
      "<worldbody><geom name='floor' type='plane' size='5 5 1'/>"
      "<geom name='wall' type='box' size='.05 1 .5' pos='.4 0 .5'/>"
      "<body pos='0 0 .4'><freejoint/><geom type='box' size='.1 .08 .05' mass='2'/></body>"
      "<body pos='.05 .02 .7'><freejoint/><geom type='sphere' size='.06' mass='1'/></body>"
      "<body pos='-.04 .03 1'><freejoint/><geom type='capsule' size='.04 .08' mass='1'/></body>"
      "</worldbody></mujoco>";
  const int steps = run->full ? 1000000 : 3000;
  if (!open_text(run, text, 1e-8)) return;
  double most = HUGE_VAL, gain = 0;
  for (int n = 0; n < steps && !run->engine->reason[0]; ++n) {
    if (n > 0 && n % 5000 == 0) {  // up again, with a push
      for (int body = 1; body <= 3; ++body) {
        EngineBody b = run_body(run, body);
        b.pos = heft_vec3(0.02 * body, -0.01 * body, 0.1 + 0.3 * body);
        b.vel = heft_vec3(0.3 * (n / 5000 % 7 - 3), 0.2 * (n / 5000 % 5 - 2), 0);
        run_place(run, body, b);
      }
      most = HUGE_VAL;
    }
    run_step(run, 1);
    const HeftStepReport* r = &run->engine->report;
    gain = fmax(gain, r->kinetic + r->potential - most);
    most = fmin(most, r->kinetic + r->potential + r->soft_energy);
    if (n % 20000 == 0) run_progress(run, n / (double)steps);
  }
  run_close(run);
  char what[ROW_TEXT];
  snprintf(what, sizeof what, "soft bodies, %d steps: energy that appears [J]", steps);
  run_report(run, what, 0, gain, 1e-8);
}

void case_soft(Run* run) {
  sinks(run);
  spheres(run);
  curves(run);
  grips(run);
  energies(run);
}
