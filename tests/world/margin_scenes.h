// SPDX-License-Identifier: Apache-2.0
// Random stances with a load: slopes, ladders, cards, grasps, feet, tables, nuts, ropes, stacks.
// Some have a limit in closed form. Motors with constant commands make grips and tensions.
#ifndef HEFT_TESTS_WORLD_MARGIN_SCENES_H
#define HEFT_TESTS_WORLD_MARGIN_SCENES_H

#include <heft/math.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "scenes/random.h"

enum { MARGIN_TEXT = 20000, MARGIN_KINDS = 11, MARGIN_MOTORS = 4 };

typedef struct MarginScene {
  const char* kind;
  char text[MARGIN_TEXT];
  int used;
  char body[16];
  HeftVec3 point, force, torque;  // point: in the frame of the body
  double limit;                   // in closed form [factor]; 0: none
  double control[MARGIN_MOTORS];
  const char* input;   // of `heft hold --limit`, without the load; NULL: none
  double input_limit;  // in closed form: it holds above this
} MarginScene;

static const double margin_g = 9.81;

__attribute__((format(printf, 2, 3))) static inline void margin_put(MarginScene* s,
                                                                    const char* format, ...) {
  va_list list;
  va_start(list, format);
  s->used += vsnprintf(s->text + s->used, MARGIN_TEXT - (size_t)s->used, format, list);
  va_end(list);
}

static inline void margin_begin(MarginScene* s, double mu, HeftVec3 gravity) {
  margin_put(s,
             "<mujoco><option timestep='0.001' gravity='%.17g %.17g %.17g'/><default><geom "
             "friction='%.17g 0 0'/></default><worldbody>",
             gravity.x, gravity.y, gravity.z, mu);
}

static inline void margin_floor(MarginScene* s) {
  margin_put(s, "<geom type='plane' size='9 9 1'/>");
}

// The end of a scene without motors.
static inline void margin_end(MarginScene* s) { margin_put(s, "</worldbody></mujoco>"); }

static inline HeftVec3 margin_level(void) { return heft_vec3(0, 0, -margin_g); }

/// A horizontal unit vector.
static inline HeftVec3 margin_direction(Random* r) {
  const double angle = random_between(r, 0, 2 * HEFT_PI);
  return heft_vec3(cos(angle), sin(angle), 0);
}

static inline void margin_box(MarginScene* s, const char* name, HeftVec3 at, HeftVec3 half,
                              double mass) {
  margin_put(s,
             "<body name='%s' pos='%.17g %.17g %.17g'><freejoint/><geom type='box' size='%.17g "
             "%.17g %.17g' mass='%.17g'/></body>",
             name, at.x, at.y, at.z, half.x, half.y, half.z, mass);
}

// |m g + a d| = µ N in the plane of the slope; the load acts at the base, below the centre of mass.
static inline void margin_slope(MarginScene* s, Random* r) {
  const double mu = random_between(r, 0.3, 0.9), steep = random_between(r, 0, 0.8) * atan(mu),
               mass = random_between(r, 0.2, 5), half = 0.05;
  const HeftVec3 d = margin_direction(r);
  margin_begin(s, mu, heft_vec3(margin_g * sin(steep), 0, -margin_g * cos(steep)));
  margin_floor(s);
  margin_box(s, "box", heft_vec3(0, 0, half), heft_vec3(0.2, 0.2, half), mass);
  s->force = d;
  s->point = heft_vec3(half * tan(steep), 0, -half);
  const double down = mass * margin_g * sin(steep), most = mu * mass * margin_g * cos(steep);
  s->limit = -down * d.x + sqrt(most * most - down * down * d.y * d.y);
  s->input = "friction";
  s->input_limit = tan(steep) / mu;
}

// A tall box is pushed at a height: about its edge, or across the floor.
static inline void margin_tall(MarginScene* s, Random* r) {
  const double mu = random_between(r, 0.3, 0.9), mass = random_between(r, 0.2, 5),
               half = random_between(r, 0.1, 0.3), width = random_between(r, 0.03, 0.1),
               at = random_between(r, -1, 1) * half;
  margin_begin(s, mu, margin_level());
  margin_floor(s);
  margin_box(s, "box", heft_vec3(0, 0, half), heft_vec3(width, width, half), mass);
  s->force = heft_vec3(1, 0, 0);
  s->point = heft_vec3(0, 0, at);
  s->limit = mass * margin_g * fmin(mu, width / (half + at));
}

// A ladder at a smooth wall, pressed down at its top. With the wall's force µ (W + L) at a height
// z: µ (W + L) z = W b / 2 + L b for a foot at the distance b. It never slips if µ z >= b.
static inline void margin_ladder(MarginScene* s, Random* r) {
  const double length = random_between(r, 1, 4), mass = random_between(r, 2, 20), ball = 0.03;
  const double angle = random_between(r, 0.9, 1.2), b = length * cos(angle),
               z = length * sin(angle) + ball, mu = random_between(r, 0.55, 0.95) * b / z,
               weight = mass * margin_g;
  margin_begin(s, mu, margin_level());
  margin_put(s, "<geom type='plane' size='9 9 1' friction='%.17g 0 0' priority='1'/>", mu);
  margin_put(s,
             "<geom type='box' pos='%.17g 0 3' size='.5 2 3' friction='0 0 0' priority='1'/>"
             "<body name='ladder' pos='%.17g 0 %.17g'><freejoint/><inertial pos='0 0 0' "
             "mass='%.17g' diaginertia='9 9 .5'/>",
             0.5 + ball, -b / 2, z - length * sin(angle) / 2, mass);
  for (int k = 0; k < 4; ++k)
    margin_put(s, "<geom type='sphere' size='.03' mass='0' pos='%.17g %.17g %.17g'/>",
               (k < 2 ? -0.5 : 0.5) * b, k % 2 ? 0.25 : -0.25,
               (k < 2 ? -0.5 : 0.5) * length * sin(angle));
  margin_put(s, "</body>");
  snprintf(s->body, sizeof s->body, "ladder");
  s->point = heft_vec3(b / 2, 0, length * sin(angle) / 2);
  s->force = heft_vec3(0, 0, -1);
  s->limit = weight * (mu * z - b / 2) / (b - mu * z);
  s->input = "friction";
  s->input_limit = b / 2 / (mu * z);
}

// Two cards lean on each other; one is pressed down where they meet. With half the load L on each:
// H h = (W + L) b / 2 and H = µ (W + L / 2).
static inline void margin_cards(MarginScene* s, Random* r) {
  const double b = random_between(r, 0.02, 0.06), h = random_between(r, 0.08, 0.12), ball = 0.002,
               mass = random_between(r, 0.002, 0.05), weight = mass * margin_g,
               mu = random_between(r, 0.55, 0.9) * b / (h + ball);
  margin_begin(s, mu, margin_level());
  margin_put(s, "<geom type='plane' size='9 9 1' friction='%.17g 0 0' priority='1'/>", mu);
  for (int k = 0; k < 2; ++k) {
    const double side = k ? 1 : -1;
    margin_put(s,
               "<body name='%s' pos='%.17g 0 %.17g'><freejoint/><inertial pos='0 0 0' "
               "mass='%.17g' diaginertia='%.17g %.17g %.17g'/>",
               k ? "right" : "card", side * (ball + b / 2), ball + h / 2, mass, mass * 1e-3,
               mass * 1e-3, mass * 1e-3);
    for (int i = 0; i < 4; ++i)
      margin_put(s,
                 "<geom type='sphere' size='%.17g' mass='0' friction='20 0 0' pos='%.17g %.17g "
                 "%.17g'/>",
                 ball, side * (i < 2 ? 0.5 : -0.5) * b, i % 2 ? 0.03 : -0.03,
                 (i < 2 ? -0.5 : 0.5) * h);
    margin_put(s, "</body>");
  }
  snprintf(s->body, sizeof s->body, "card");
  s->point = heft_vec3(ball + b / 2, 0, h / 2);  // between the balls
  s->force = heft_vec3(0, 0, -1);
  const double arm = b + ball, height = h + ball;
  // moments about the feet: the cards meet at a distance b + ball and a height h + ball from them;
  // the weight acts at b / 2
  s->limit = weight * (mu * height - b / 2) / (arm / 2 - mu * height / 2);
  s->input = "friction";
  s->input_limit = b / 2 / (mu * height);
}

// Two jaws press a capsule with a force: |m g + a d| = 2 µ F in their plane.
static inline void margin_pinch(MarginScene* s, Random* r) {
  const double mu = random_between(r, 0.3, 0.9), grip = random_between(r, 2, 20),
               mass = random_between(r, 0.1, 0.8) * 2 * mu * grip / margin_g,
               angle = random_between(r, 0, 2 * HEFT_PI);
  margin_begin(s, mu, margin_level());
  for (int k = 0; k < 2; ++k)
    margin_put(s,
               "<body pos='%.17g 0 .5'><joint name='jaw %d' type='slide' axis='1 0 0'/><geom "
               "type='box' size='.01 .03 .03' mass='.1'/></body>",
               k ? 0.014 : -0.014, k);
  margin_put(
      s,
      "<body name='object' pos='0 0 .5'><freejoint/><geom type='capsule' size='.004 .01' "
      "mass='%.17g'/></body></worldbody><actuator><motor name='a' joint='jaw 0'/><motor name='b' "
      "joint='jaw 1' gear='-1'/></actuator><keyframe><key name='start' ctrl='%.17g "
      "%.17g'/></keyframe></mujoco>",
      mass, grip, grip);
  snprintf(s->body, sizeof s->body, "object");
  s->force = heft_vec3(0, cos(angle), sin(angle));
  s->control[0] = s->control[1] = grip;
  s->input = "control.a,control.b";
  s->input_limit = mass * margin_g / (2 * mu);
  const double weight = mass * margin_g, most = 2 * mu * grip;
  s->limit = weight * s->force.z + sqrt(most * most - pow(weight * s->force.y, 2));
}

// Three round fingers press a ball. A vertical load is in closed form, others are not.
static inline void margin_fingers(MarginScene* s, Random* r) {
  const double mu = random_between(r, 0.4, 0.9), grip = random_between(r, 2, 20), ball = 0.04,
               tip = 0.02, weight = random_between(r, 0.1, 0.8) * 3 * mu * grip;
  const int vertical = random_index(r, 2);
  margin_begin(s, mu, margin_level());
  for (int k = 0; k < 3; ++k) {
    const double c = cos(2 * HEFT_PI * k / 3), d = sin(2 * HEFT_PI * k / 3);
    margin_put(s,
               "<body pos='%.17g %.17g .5'><joint name='finger %d' type='slide' axis='%.17g %.17g "
               "0'/><geom type='sphere' size='%.17g' mass='.1'/></body>",
               (ball + tip) * c, (ball + tip) * d, k, -c, -d, tip);
  }
  margin_put(s,
             "<body name='ball' pos='0 0 .5'><freejoint/><geom type='sphere' size='%.17g' "
             "mass='%.17g'/></body></worldbody><actuator><motor name='a' joint='finger 0'/><motor "
             "name='b' joint='finger 1'/><motor name='c' joint='finger "
             "2'/></actuator><keyframe><key name='start' "
             "ctrl='%.17g %.17g %.17g'/></keyframe></mujoco>",
             ball, weight / margin_g, grip, grip, grip);
  for (int k = 0; k < 3; ++k) s->control[k] = grip;
  s->input = "control.a,control.b,control.c";
  s->input_limit = weight / (3 * mu);
  snprintf(s->body, sizeof s->body, "ball");
  const double up = random_index(r, 2) ? 1 : -1;
  if (vertical) {
    s->force = heft_vec3(0, 0, up);
    s->limit = 3 * mu * grip + up * weight;
  } else {
    s->force = heft_vec3(0, 0, 0.2 * up);
    s->torque = heft_vec3_scale(ball, random_direction(r));
  }
}

// A body on two soles, pushed anywhere.
static inline void margin_feet(MarginScene* s, Random* r) {
  const double mu = random_between(r, 0.2, 0.9), high = random_between(r, 0.3, 1),
               wide = random_between(r, 0.06, 0.15), mass = random_between(r, 1, 40);
  margin_begin(s, mu, margin_level());
  margin_floor(s);
  margin_put(s,
             "<body name='trunk' pos='0 0 %.17g'><freejoint/><inertial pos='0 0 0' mass='%.17g' "
             "diaginertia='2 2 1'/>",
             high, mass);
  for (int k = 0; k < 2; ++k)
    margin_put(s, "<geom type='box' size='.1 .04 .02' mass='0' pos='%.17g %.17g %.17g'/>",
               k ? random_between(r, -0.1, 0.1) : 0, k ? wide : -wide, 0.02 - high);
  margin_put(s, "</body>");
  snprintf(s->body, sizeof s->body, "trunk");
  s->force = margin_direction(r);
  s->force.z = random_between(r, -0.3, 0.3);
  s->point = random_vec3(r, 0.1);
}

// A table of six feet on a slope, pushed anywhere.
static inline void margin_table(MarginScene* s, Random* r) {
  const double mu = random_between(r, 0.4, 0.9), steep = random_between(r, 0, 0.2), high = 0.5;
  margin_begin(s, mu, heft_vec3(margin_g * sin(steep), 0, -margin_g * cos(steep)));
  margin_floor(s);
  margin_put(s,
             "<body name='table' pos='0 0 %.17g'><freejoint/><inertial pos='0 0 0' mass='%.17g' "
             "diaginertia='1 1 1'/>",
             high, random_between(r, 1, 20));
  for (int k = 0; k < 6; ++k)
    margin_put(s, "<geom type='sphere' size='.02' mass='0' pos='%.17g %.17g %.17g'/>",
               random_between(r, 0.3, 0.5) * cos(k * HEFT_PI / 3),
               random_between(r, 0.3, 0.5) * sin(k * HEFT_PI / 3), 0.02 - high);
  margin_put(s, "</body>");
  snprintf(s->body, sizeof s->body, "table");
  s->force = margin_direction(r);
  s->force.z = random_between(r, -0.3, 0.3);
  s->point = random_vec3(r, 0.2);
}

// A nut of three balls on planes that are tangent to a thread, turned about its axis: it is raised
// by m g r tan(φ + λ) and lowered by m g r tan(φ - λ).
static inline void margin_nut(MarginScene* s, Random* r) {
  const double mu = random_between(r, 0.3, 0.9), tilt = random_between(r, 0.1, 0.9) * atan(mu),
               mass = random_between(r, 0.2, 3), radius = 0.05, ball = 0.005;
  const int raises = random_index(r, 2);
  margin_begin(s, mu, margin_level());
  for (int k = 0; k < 3; ++k) {
    const HeftQuat turn = heft_quat_from_axis_angle(heft_vec3(0, 0, 1), 2 * HEFT_PI * k / 3);
    const HeftQuat q = heft_quat_mul(turn, heft_quat_from_axis_angle(heft_vec3(1, 0, 0), tilt));
    const HeftVec3 normal = heft_quat_rotate(q, heft_vec3(0, 0, 1)),
                   at = heft_vec3_add_scaled(heft_quat_rotate(turn, heft_vec3(radius, 0, 0)),
                                             -0.005, normal);
    margin_put(s,
               "<geom type='box' size='.02 .04 .005' pos='%.17g %.17g %.17g' quat='%.17g %.17g "
               "%.17g %.17g'/>",
               at.x, at.y, at.z, q.w, q.x, q.y, q.z);
  }
  margin_put(s,
             "<body name='nut'><inertial pos='0 0 0' mass='%.17g' diaginertia='.01 .01 .01'/>"
             "<joint type='slide' axis='0 0 1'/><joint axis='0 0 1'/>",
             mass);
  for (int k = 0; k < 3; ++k) {
    const HeftQuat turn = heft_quat_from_axis_angle(heft_vec3(0, 0, 1), 2 * HEFT_PI * k / 3);
    const HeftVec3 at =
        heft_quat_rotate(turn, heft_vec3(radius, -ball * sin(tilt), ball * cos(tilt)));
    margin_put(s,
               "<geom type='sphere' size='%.17g' pos='%.17g %.17g %.17g' mass='0' contype='2' "
               "conaffinity='1'/>",
               ball, at.x, at.y, at.z);
  }
  margin_put(s, "</body>");
  snprintf(s->body, sizeof s->body, "nut");
  s->torque = heft_vec3(0, 0, raises ? 1 : -1);
  s->limit = mass * margin_g * radius * tan(atan(mu) + (raises ? tilt : -tilt));
  s->input = "friction";
  s->input_limit = tan(tilt) / mu;
}

static inline void margin_link(MarginScene* s, const char* name, HeftVec3 at, HeftVec3 mass_at) {
  margin_put(s,
             "<body name='%s' pos='%.17g 0 %.17g'><inertial pos='%.17g 0 %.17g' mass='.01' "
             "diaginertia='1e-6 1e-6 1e-6'/>",
             name, at.x, at.z, mass_at.x, mass_at.z);
}

static inline HeftVec3 margin_circle(double radius, double angle) {
  return heft_vec3(radius * cos(angle), 0, radius * sin(angle));
}

// A chain of balls around a drum, with a tension at both ends. The pull at the last link grows to
// the tension times ((1 + µ tan β/2) / (1 - µ tan β/2))ⁿ for n balls at angles β.
static inline void margin_rope(MarginScene* s, Random* r) {
  const int n = 4 + random_index(r, 8);
  const double mu = random_between(r, 0.1, 0.5), bend = random_between(r, 1, 3) / n, drum = 0.1,
               ball = 0.002, end = 0.05, tension = random_between(r, 1, 20),
               share = mu * tan(bend / 2);
  char name[16];
  margin_begin(s, mu, heft_vec3(0, 0, 0));
  margin_put(s, "<geom type='cylinder' fromto='0 -.05 0 0 .05 0' size='%.17g'/>", drum);
  // the first link hangs from the first ball, backwards
  const HeftVec3 back = heft_vec3(-sin(-bend / 2), 0, cos(-bend / 2));
  margin_link(s, "first", margin_circle(drum, 0), heft_vec3_scale(-end, back));
  margin_put(s,
             "<joint type='slide' axis='1 0 0'/><joint type='slide' axis='0 0 1'/><joint axis='0 1 "
             "0'/><site name='a'/>");
  for (int i = 0; i < n; ++i) {
    const HeftVec3 from = margin_circle(drum, bend * (i > 0 ? i - 1 : 0)),
                   here = margin_circle(drum, bend * i), out = margin_circle(ball, bend * i);
    const double turn = bend * (i + 0.5), length = i + 1 < n ? drum * sin(bend / 2) : end;
    snprintf(name, sizeof name, i + 1 < n ? "link %d" : "last", i);
    margin_link(s, name, heft_vec3_sub(here, from),
                heft_vec3_scale(length, heft_vec3(-sin(turn), 0, cos(turn))));
    margin_put(s,
               "<joint axis='0 1 0'/><geom type='sphere' size='%.17g' pos='%.17g 0 %.17g' "
               "contype='2' conaffinity='1' mass='0'/>",
               ball, out.x, out.z);
  }
  const double turn = bend * (n - 0.5);
  const HeftVec3 on = heft_vec3(-sin(turn), 0, cos(turn));
  margin_put(s, "<site name='b'/>");
  for (int i = 0; i <= n; ++i) margin_put(s, "</body>");
  margin_put(
      s,
      "</worldbody><actuator><general site='a' gear='%.17g 0 %.17g 0 0 0'/><general site='b' "
      "gear='%.17g 0 %.17g 0 0 0'/></actuator><keyframe><key name='start' ctrl='%.17g "
      "%.17g'/></keyframe></mujoco>",
      -back.x, -back.z, on.x, on.z, tension, tension);
  snprintf(s->body, sizeof s->body, "last");
  s->control[0] = s->control[1] = tension;
  s->force = on;
  s->limit = tension * (pow((1 + share) / (1 - share), n) - 1);
}

// A stack of boxes, one of which is pushed.
static inline void margin_stack(MarginScene* s, Random* r) {
  const double mu = random_between(r, 0.3, 0.9), a = random_between(r, 0.05, 0.2),
               b = random_between(r, 0.05, 0.2), c = random_between(r, 0.03, 0.1);
  const int count = 2 + random_index(r, 3), pushed = random_index(r, count);
  margin_begin(s, mu, margin_level());
  margin_floor(s);
  for (int k = 0; k < count; ++k) {
    char name[16];
    snprintf(name, sizeof name, "box %d", k);
    margin_box(s, name, heft_vec3(0, 0, (2 * k + 1) * c), heft_vec3(a, b, c),
               random_between(r, 0.5, 2));
  }
  snprintf(s->body, sizeof s->body, "box %d", pushed);
  s->force = margin_direction(r);
  s->force.z = random_between(r, -0.2, 0.2);
  s->point = random_vec3(r, 0.5 * c);
}

/// Scene `number` of a seed: kinds follow each other.
static inline void margin_scene_write(MarginScene* s, uint64_t seed, int number) {
  static const struct {
    const char* name;
    void (*write)(MarginScene*, Random*);
  } kinds[MARGIN_KINDS] = {
      {"slope", margin_slope}, {"tall box", margin_tall}, {"ladder", margin_ladder},
      {"cards", margin_cards}, {"pinch", margin_pinch},   {"fingers", margin_fingers},
      {"feet", margin_feet},   {"table", margin_table},   {"nut", margin_nut},
      {"rope", margin_rope},   {"stack", margin_stack}};
  Random r = {seed * 1000003u + (uint64_t)number};
  const int kind = number % MARGIN_KINDS;
  *s = (MarginScene){.kind = kinds[kind].name, .body = "box"};
  kinds[kind].write(s, &r);
  if (kind != 4 && kind != 5 && kind != 9) margin_end(s);
}

#endif
