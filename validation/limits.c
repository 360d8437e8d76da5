// SPDX-License-Identifier: Apache-2.0
// Limits of equilibrium of statics textbooks: how much a rope around a drum holds, when a screw
// turns back, when a drawer jams. Each limit has a closed form for rigid bodies with Coulomb
// friction. A case bisects the quantity between half of the exact limit and twice it, and reports
// the border between holding and moving that the engine has.
//
// A body moves if it gains speed from 0.1 s to 0.3 s, or is then faster than 0.1 m/s; an engine
// whose bodies creep at a constant speed is not held to have moved. A body that is beyond its limit
// by a share e gains about e g 0.2 s, so that a gain of 1e-5 m/s shows e = 5e-6. Bisection ends at
// 1e-5 of the limit. Limits of errors are 1e-4, where the row gives no other reason.
//
// Sources: L. Euler, Remarques sur l'effet du frottement dans l'équilibre, 1762, and J. A.
// Eytelwein, Handbuch der Statik fester Körper, 1808 (rope); F. P. Beer, E. R. Johnston, Vector
// Mechanics for Engineers: Statics, chapter 8 (screw, collar on a pole, wedge, ladder, V-block); D.
// E. Whitney, Quasi-static assembly of compliantly supported rigid parts, ASME J. Dyn. Syst. 104,
// 1982 (jamming); P. B. Johnson, Leaning tower of lire, Am. J. Phys. 23, 1955 (overhang); R.
// Albert et al., Maximum angle of stability in wet and dry spherical granular media, Phys. Rev. E
// 56, 1997 (ball in a hollow).
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "validation/cases.h"

static const double g = CASE_GRAVITY;

enum { PUSHES = 2 };

/// A scene at one value of the quantity that is bisected.
typedef struct Setup {
  char text[12000];
  size_t used;
  int watched;  ///< body
  struct {
    int body;
    HeftVec3 force;
  } pushes[PUSHES];
  int push_count;
} Setup;

/// A limit of equilibrium.
typedef struct Limit {
  const char* what;
  double exact;
  void (*write)(Setup* s, double x);
  int holds_above;  ///< 1: it holds at values above the limit
  double tolerance;
} Limit;

static void put(Setup* s, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const size_t left = sizeof s->text - s->used;
  const int count = vsnprintf(s->text + s->used, left, format, arguments);
  va_end(arguments);
  s->used += count > 0 && (size_t)count < left ? (size_t)count : left;  // full: it does not fit
}

static void begin(Setup* s, double friction, double gravity) {
  memset(s, 0, sizeof *s);
  s->watched = 1;
  put(s,
      "<mujoco><compiler angle=\"radian\"/><option timestep=\"0.001\" gravity=\"0 0 %.17g\"/>"
      "<default><geom friction=\"%.17g\"/></default><worldbody>",
      -gravity, friction);
}

static void push(Setup* s, int body, HeftVec3 force) {
  s->pushes[s->push_count].body = body;
  s->pushes[s->push_count++].force = force;
}

#define FLOOR "<geom type=\"plane\" size=\"9 9 1\"/>"

// Of a point at an arm of 0.05 m [m/s].
static double speed_of(EngineBody body) {
  return heft_vec3_norm(body.vel) + 0.05 * heft_vec3_norm(body.omega);
}

static int holds(Run* run, const Limit* limit, double x) {
  static Setup s;
  EngineSettings settings = engine_settings();
  settings.tolerance = 1e-10;
  limit->write(&s, x);
  put(&s, "</worldbody></mujoco>");
  if (s.used >= sizeof s.text || !run_open_text(run, s.text, s.used, &settings)) return -1;
  for (int i = 0; i < s.push_count; ++i)
    run->engine->type->push(run->engine, s.pushes[i].body, s.pushes[i].force);
  run_step(run, 100);
  const double early = speed_of(run_body(run, s.watched));
  run_step(run, 200);
  const double late = speed_of(run_body(run, s.watched));
  run_close(run);
  return late - early < 1e-5 && late < 0.1;
}

// Reports the limit and returns it; NaN if there is none in the bracket.
static double find_limit(Run* run, const Limit* limit) {
  double held = limit->exact * (limit->holds_above ? 2 : 0.5);
  double moved = limit->exact * (limit->holds_above ? 0.5 : 2);
  if (holds(run, limit, held) != 1 || holds(run, limit, moved) != 0) {
    run_report_error(run, limit->what, limit->exact, (double)NAN, HUGE_VAL, limit->tolerance);
    return (double)NAN;
  }
  while (fabs(held - moved) > 1e-5 * limit->exact) {
    const double middle = 0.5 * (held + moved);
    *(holds(run, limit, middle) == 1 ? &held : &moved) = middle;
  }
  const double found = 0.5 * (held + moved);
  run_report_relative(run, limit->what, limit->exact, found, limit->tolerance);
  return found;
}

// ---- a rope around a drum

// A chain of NODES points on a drum, turned by `bend` at each of them; every point rubs on the
// drum. At the limit the tensions of neighbours satisfy T' - T = µ tan(bend/2) (T' + T), which
// tends to exp(µ angle). A ball outside of the drum touches it in the hinge of two links, so that
// friction has no arm.
enum { NODES = 24 };
static const double rope_friction = 0.3, bend = HEFT_PI / NODES;

static HeftVec3 on_circle(double radius, double angle) {
  return heft_vec3(radius * cos(angle), 0, radius * sin(angle));
}

static HeftVec3 tangent(double angle) { return heft_vec3(-sin(angle), 0, cos(angle)); }

static void put_link(Setup* s, HeftVec3 at, HeftVec3 mass_at) {
  put(s,
      "<body pos=\"%.17g 0 %.17g\"><inertial pos=\"%.17g 0 %.17g\" mass=\".01\" "
      "diaginertia=\"1e-6 1e-6 1e-6\"/>",
      at.x, at.z, mass_at.x, mass_at.z);
}

static void write_rope(Setup* s, double ratio) {
  const double drum = 0.1, ball = 0.002, end = 0.05;
  begin(s, rope_friction, 0);
  put(s, "<geom type=\"cylinder\" fromto=\"0 -.05 0 0 .05 0\" size=\"%.17g\"/>", drum);
  const HeftVec3 first = on_circle(drum, 0);
  put_link(s, first, heft_vec3_scale(-end, tangent(-bend / 2)));
  put(s, CASE_PLANAR);
  for (int i = 0; i < NODES; ++i) {
    const HeftVec3 from = on_circle(drum, bend * (i > 0 ? i - 1 : 0));
    const HeftVec3 here = on_circle(drum, bend * i), out = on_circle(ball, bend * i);
    const double length = i + 1 < NODES ? drum * sin(bend / 2) : end;
    put_link(s, heft_vec3_sub(here, from), heft_vec3_scale(length, tangent(bend * (i + 0.5))));
    put(s,
        "<joint axis=\"0 1 0\"/><geom type=\"sphere\" size=\"%.17g\" pos=\"%.17g 0 %.17g\" "
        "contype=\"2\" conaffinity=\"1\" mass=\"0\"/>",
        ball, out.x, out.z);
  }
  for (int i = 0; i <= NODES; ++i) put(s, "</body>");
  s->watched = NODES + 1;
  push(s, 1, heft_vec3_scale(-1, tangent(-bend / 2)));
  push(s, NODES + 1, heft_vec3_scale(ratio, tangent(bend * (NODES - 0.5))));
}

void case_capstan(Run* run) {
  const double share = rope_friction * tan(bend / 2);
  const Limit chain = {"ratio of tensions, half a turn, 24 points, µ = 0.3",
                       pow((1 + share) / (1 - share), NODES), write_rope, 0, 1e-4};
  const double found = find_limit(run, &chain);
  // The chain's exact ratio is above the rope's by µ π bend² / 12, which is 1.3e-3.
  run_report_relative(run, "the same against exp(µ π) of a rope", exp(rope_friction * HEFT_PI),
                      found, 2e-3);
}

// ---- a screw

// Three balls of a nut on a thread with three starts. The balls touch planes that are tangent to
// the thread at the mean radius; the nut turns about its axis and slides along it. It is heavy to
// turn, so that it leaves the points in which the planes are tangent by less than 0.03 rad, and
// shows an excess of 1.5e-4.
static const double lead = 0.3, screw_friction = 0.5, mean_radius = 0.05;

static void write_screw(Setup* s, double friction, double torque) {
  const double ball = 0.005, tilt = atan(lead), stiffness = 1e-6;
  begin(s, friction, g);
  for (int i = 0; i < 3; ++i) {
    // The plane's frame: turned about z to the ball, then tilted about the radius.
    const double angle = 2 * HEFT_PI * i / 3;
    const HeftQuat turn = heft_quat_from_axis_angle(heft_vec3(0, 0, 1), angle);
    const HeftQuat q = heft_quat_mul(turn, heft_quat_from_axis_angle(heft_vec3(1, 0, 0), tilt));
    const HeftVec3 normal = heft_quat_rotate(q, heft_vec3(0, 0, 1));
    const HeftVec3 at =
        heft_vec3_add_scaled(heft_quat_rotate(turn, heft_vec3(mean_radius, 0, 0)), -0.005, normal);
    put(s,
        "<geom type=\"box\" size=\".02 .04 .005\" pos=\"%.17g %.17g %.17g\" quat=\"%.17g %.17g "
        "%.17g %.17g\"/>",
        at.x, at.y, at.z, q.w, q.x, q.y, q.z);
  }
  put(s,
      "<body><inertial pos=\"0 0 0\" mass=\"1\" diaginertia=\".01 .01 .01\"/>"
      "<joint type=\"slide\" axis=\"0 0 1\"/><joint axis=\"0 0 1\" stiffness=\"%.17g\" "
      "springref=\"%.17g\"/>",
      stiffness, torque / stiffness);
  for (int i = 0; i < 3; ++i) {
    const HeftQuat turn = heft_quat_from_axis_angle(heft_vec3(0, 0, 1), 2 * HEFT_PI * i / 3);
    const HeftVec3 at =
        heft_quat_rotate(turn, heft_vec3(mean_radius, -ball * sin(tilt), ball * cos(tilt)));
    put(s,
        "<geom type=\"sphere\" size=\"%.17g\" pos=\"%.17g %.17g %.17g\" mass=\"0\" contype=\"2\" "
        "conaffinity=\"1\"/>",
        ball, at.x, at.y, at.z);
  }
  put(s, "</body>");
}

static void write_nut(Setup* s, double friction) { write_screw(s, friction, 0); }
static void write_raised(Setup* s, double torque) { write_screw(s, screw_friction, torque); }
static void write_lowered(Setup* s, double torque) { write_screw(s, screw_friction, -torque); }

void case_nut(Run* run) {
  const double angle = atan(screw_friction), tilt = atan(lead);
  const Limit limits[] = {
      {"friction below which a nut runs down, tan λ", lead, write_nut, 1, 3e-4},
      {"torque that raises 1 kg, m g r tan(φ + λ) [N m]", g * mean_radius * tan(angle + tilt),
       write_raised, 0, 3e-4},
      {"torque that lowers it, m g r tan(φ - λ) [N m]", g * mean_radius * tan(angle - tilt),
       write_lowered, 0, 3e-4},
  };
  for (int i = 0; i < 3; ++i) find_limit(run, &limits[i]);
}

// ---- jamming

// A collar on a pole, as a drawer or a peg in a hole: it jams if the load's arm is at least l /
// (2µ), whatever the width. The load acts on an arm of the collar. Were it the collar's own weight,
// then a fall without any contact force would be a second solution.
static void write_collar(Setup* s, double arm) {
  begin(s, 0.4, 0);
  put(s,
      "<geom type=\"box\" size=\".01 .05 1\"/>"
      "<body><inertial pos=\"0 0 0\" mass=\"1\" diaginertia=\"1e-2 1e-2 1e-2\"/>" CASE_PLANAR
      "<geom type=\"sphere\" size=\".005\" pos=\"-.015 0 .05\" mass=\"0\"/>"
      "<geom type=\"sphere\" size=\".005\" pos=\".015 0 -.05\" mass=\"0\"/>"
      "<body pos=\"%.17g 0 0\"><inertial pos=\"0 0 0\" mass=\"1e-6\" diaginertia=\"1e-9 1e-9 "
      "1e-9\"/></body></body>",
      arm);
  push(s, 2, heft_vec3(0, 0, -g));
}

void case_collar(Run* run) {
  const Limit limit = {"arm of the load that jams it, l / (2µ) [m]", 0.1 / (2 * 0.4), write_collar,
                       1, 1e-4};
  find_limit(run, &limit);
}

// ---- ladder, V-block, kerb, blocks, logs, wedge

// A ladder of 2 m, at an angle whose tangent is 1.05, rough at both ends.
static void write_ladder(Setup* s, double friction) {
  const double angle = atan(1.05), c = cos(angle), d = sin(angle);
  begin(s, friction, g);
  put(s,
      FLOOR
      "<geom type=\"box\" size=\".1 1 3\" pos=\"-.1 0 0\"/>"
      "<body pos=\"%.17g 0 %.17g\"><inertial pos=\"0 0 0\" mass=\"1\" diaginertia=\".3 .3 "
      ".01\"/>" CASE_PLANAR
      "<geom type=\"sphere\" size=\".02\" pos=\"%.17g 0 %.17g\" mass=\"0\"/>"
      "<geom type=\"sphere\" size=\".02\" pos=\"%.17g 0 %.17g\" mass=\"0\"/></body>",
      c, d, c, 0.02 - d, 0.02 - c, d);
}

// A round bar in a groove whose sides are at 45 degrees, pushed along it. A bar that slides is
// braked by √2 µ m g. One at rest may be wedged: friction across the groove presses the bar against
// both sides, and the largest push for which forces inside of all cones exist is √2 µ m g / √(1 -
// µ²). In between, rest and sliding are both solutions, and Heft's status is HEFT_STEP_NOT_UNIQUE;
// a bar that rests stays at rest.
static void write_groove(Setup* s, double force) {
  const double at = 0.1 * sqrt(2);
  begin(s, 0.3, g);
  for (int side = -1; side <= 1; side += 2)
    put(s, "<geom type=\"box\" size=\".2 1 .1\" pos=\"%.17g 0 %.17g\" quat=\"%.17g 0 %.17g 0\"/>",
        side * at, 0.0, cos(HEFT_PI / 8), -side * sin(HEFT_PI / 8));
  // The faces meet in z = 0 below the bar's axis, at a distance of R sqrt(2).
  put(s,
      "<body pos=\"0 0 %.17g\"><freejoint/><geom type=\"cylinder\" fromto=\"0 -.1 0 0 .1 0\" "
      "size=\".05\" mass=\"1\"/></body>",
      0.05 * sqrt(2));
  push(s, 1, heft_vec3(0, force, 0));
}

// A wheel against a kerb: it rises at m g sqrt(2 R h - h²) / (R - h).
static void write_kerb(Setup* s, double force) {
  begin(s, 1, g);
  put(s,
      FLOOR
      "<geom type=\"box\" size=\".2 .5 .015\" pos=\"%.17g 0 .015\"/>"
      "<body pos=\"0 0 .1\">" CASE_PLANAR "<geom type=\"sphere\" size=\".1\" mass=\"1\"/></body>",
      0.2 + sqrt(0.1 * 0.1 - 0.07 * 0.07));
  push(s, 1, heft_vec3(force, 0, 0));
}

// A block that is pushed at its middle tips at m g (w / 2) / (height / 2).
static void write_block(Setup* s, double force) {
  begin(s, 2, g);
  put(s, FLOOR
      "<body pos=\"0 0 .1\"><freejoint/><geom type=\"box\" size=\".05 .05 .1\" mass=\"1\"/>"
      "</body>");
  push(s, 1, heft_vec3(force, 0, 0));
}

// Four blocks of 0.2 m beyond the edge of a table, the i-th from the top ahead of the next by 0.1 m
// / i at the limit.
static void write_overhang(Setup* s, double reach) {
  const double share = reach / (0.1 * (1 + 0.5 + 1.0 / 3 + 0.25));
  begin(s, 1, g);
  put(s, "<geom type=\"box\" size=\"1 1 .5\" pos=\"-1 0 -.5\"/>");
  double end = reach;
  for (int i = 1; i <= 4; ++i) {
    put(s,
        "<body pos=\"%.17g 0 %.17g\"><freejoint/><geom type=\"box\" size=\".1 .05 .02\" "
        "mass=\"1\"/>"
        "</body>",
        end - 0.1, 0.02 + 0.04 * (4 - i));
    end -= share * 0.1 / i;
  }
}

// A log on two logs, at a slope: friction at a lower log's two points is equal, so that they roll
// apart below tan(45° - slope / 2). At 60° the lower ones touch each other.
static void write_heap(Setup* s, double friction, double slope) {
  const double c = 0.1 * cos(slope),
               at[3][2] = {{-c, 0.05}, {c, 0.05}, {0, 0.05 + 0.1 * sin(slope)}};
  begin(s, friction, g);
  put(s, FLOOR);
  for (int i = 0; i < 3; ++i)
    put(s,
        "<body pos=\"%.17g 0 %.17g\">" CASE_PLANAR
        "<geom type=\"sphere\" size=\".05\" mass=\"1\"/></body>",
        at[i][0], at[i][1]);
}

static void write_logs(Setup* s, double friction) { write_heap(s, friction, HEFT_PI / 3); }
static void write_flat_logs(Setup* s, double friction) { write_heap(s, friction, HEFT_PI / 4); }

// A ball on three or four that touch each other, at an angle θ above them: it sinks in below tan(θ
// / 2), as friction at a lower ball's two points is equal. The first of them is watched.
static void write_pile(Setup* s, double friction, int count) {
  const double r = 0.05, out = r / sin(HEFT_PI / count);
  begin(s, friction, g);
  put(s, FLOOR);
  for (int i = 0; i <= count; ++i) {
    const double angle = 2 * HEFT_PI * i / count, away = i < count ? out : 0;
    put(s,
        "<body pos=\"%.17g %.17g %.17g\"><freejoint/><geom type=\"sphere\" size=\"%g\" "
        "mass=\"1\"/></body>",
        away * cos(angle), away * sin(angle), i < count ? r : r + sqrt(4 * r * r - out * out), r);
  }
}

static void write_pile_of_four(Setup* s, double friction) { write_pile(s, friction, 3); }
static void write_pile_of_five(Setup* s, double friction) { write_pile(s, friction, 4); }

// A wedge of 0.5 kg is driven under a load of 1 kg that a guide holds: W tan(α + φ) + µ (W + w).
static const double wedge_angle = 0.2, wedge_friction = 0.3;

static void write_wedge(Setup* s, double force) {
  const double c = cos(wedge_angle), d = sin(wedge_angle);
  begin(s, wedge_friction, g);
  put(s,
      "<geom type=\"plane\" size=\"9 9 1\" contype=\"1\" conaffinity=\"0\"/>"
      "<body><inertial pos=\"0 0 .05\" mass=\".5\" diaginertia=\"1e-2 1e-2 1e-2\"/>" CASE_PLANAR
      "<geom type=\"sphere\" size=\".01\" pos=\"-.2 0 .01\" contype=\"0\" conaffinity=\"1\" "
      "mass=\"0\"/>"
      "<geom type=\"sphere\" size=\".01\" pos=\".2 0 .01\" contype=\"0\" conaffinity=\"1\" "
      "mass=\"0\"/>"
      "<geom type=\"box\" size=\".2 .1 .01\" pos=\"%.17g 0 %.17g\" quat=\"%.17g 0 %.17g 0\" "
      "contype=\"2\" conaffinity=\"0\" mass=\"0\"/></body>",
      -0.01 * d, 0.06 - 0.01 * c, cos(wedge_angle / 2), sin(wedge_angle / 2));
  // The face descends towards x, so that a push towards x raises the load.
  put(s,
      "<body pos=\"%.17g 0 %.17g\"><joint type=\"slide\" axis=\"0 0 1\"/><geom type=\"sphere\" "
      "size=\".02\" mass=\"1\" contype=\"0\" conaffinity=\"2\"/></body>",
      0.02 * d, 0.06 + 0.02 * c);
  push(s, 1, heft_vec3(force, 0, 0));
}

void case_equilibrium(Run* run) {
  const Limit limits[] = {
      {"ladder: friction that holds it, (1 - µ²) / (2µ) = tan θ", 0.4, write_ladder, 1, 1e-4},
      {"bar in a groove of 45°: push, µ m g √2 / √(1 - µ²) [N]",
       0.3 * g * sqrt(2) / sqrt(1 - 0.3 * 0.3), write_groove, 0, 1e-4},
      {"wheel at a kerb of 0.3 R: m g √(2Rh - h²) / (R - h) [N]",
       g * sqrt(0.1 * 0.1 - 0.07 * 0.07) / 0.07, write_kerb, 0, 1e-4},
      {"block: push that tips it, m g w / height [N]", g * 0.5, write_block, 0, 1e-4},
      {"four blocks: overhang, (L/2) (1 + 1/2 + 1/3 + 1/4) [m]", 0.1 * (1 + 0.5 + 1.0 / 3 + 0.25),
       write_overhang, 0, 1e-4},
      {"wedge: force that drives it, W tan(α + φ) + µ (W + w) [N]",
       g * tan(wedge_angle + atan(wedge_friction)) + wedge_friction * 1.5 * g, write_wedge, 0,
       1e-4},
  };
  for (int i = 0; i < (int)(sizeof limits / sizeof *limits); ++i) find_limit(run, &limits[i]);
}

// ---- slopes that grains hold

// A ball in the hollow of three fixed balls that touch each other, on a slope. Its weight leaves by
// the gap between two of them at the slope at which it acts in the plane of the two points, 1 / (2
// √2), and over one of them at 1 / √2, whatever friction does: below µ = 1.4 no third force could
// hold it.
static void put_hollow(Setup* s, double friction, double slope, int over) {
  const double r = 0.05, out = 2 * r / sqrt(3), c = 1 / sqrt(1 + slope * slope);
  begin(s, friction, 0);
  for (int i = 0; i < 3; ++i) {
    const double angle = 2 * HEFT_PI * i / 3;
    put(s, "<geom type=\"sphere\" size=\"%g\" pos=\"%.17g %.17g 0\"/>", r, out * cos(angle),
        out * sin(angle));
  }
  put(s,
      "<body pos=\"0 0 %.17g\"><freejoint/><geom type=\"sphere\" size=\"%g\" mass=\"1\"/></body>",
      2 * r * sqrt(2.0 / 3), r);
  push(s, 1, heft_vec3((over ? g : -g) * slope * c, 0, -g * c));
}

static void write_smooth_gap(Setup* s, double slope) { put_hollow(s, 0.1, slope, 0); }
static void write_rough_gap(Setup* s, double slope) { put_hollow(s, 1, slope, 0); }
static void write_over(Setup* s, double slope) { put_hollow(s, 0.5, slope, 1); }

void case_repose(Run* run) {
  const double gap = 1 / (2 * sqrt(2));
  const Limit limits[] = {
      {"ball in a hollow of three, µ = 0.1: slope, 1 / (2√2)", gap, write_smooth_gap, 0, 1e-4},
      {"the same, µ = 1", gap, write_rough_gap, 0, 1e-4},
      {"the same over a ball, µ = 0.5: slope, 1 / √2", 1 / sqrt(2), write_over, 0, 1e-4},
      {"three logs heaped at 60°: friction that holds them, tan 15°", tan(HEFT_PI / 12), write_logs,
       1, 1e-4},
      {"three logs heaped at 45°: friction that holds them, tan 22.5°", tan(HEFT_PI / 8),
       write_flat_logs, 1, 1e-4},
      {"pile of four balls: friction that holds it, tan(35.26° / 2)", tan(asin(1 / sqrt(3)) / 2),
       write_pile_of_four, 1, 1e-4},
      {"pile of five balls: friction that holds it, tan(45° / 2)", tan(HEFT_PI / 8),
       write_pile_of_five, 1, 1e-4},
  };
  for (int i = 0; i < (int)(sizeof limits / sizeof *limits); ++i) find_limit(run, &limits[i]);
}
