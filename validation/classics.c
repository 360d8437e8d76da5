// SPDX-License-Identifier: Apache-2.0
// Motions of mechanics textbooks with answers in closed form: a plank on two rollers, a ball on a
// slope, billiard balls, bodies that leave their support, a top that precesses, a top that turns
// over, stick and slip; and balls that were measured.
//
// Sources: S. Timoshenko, Vibration Problems in Engineering, 1928 (plank); A. Sommerfeld, Mechanik,
// 1943 (balls, ladder, heavy top); J. H. Jellett, A Treatise on the Theory of Friction, 1872
// (invariant of the tippe top); J. P. den Hartog, Mechanical Vibrations, 1934 (stick and slip); A.
// H. Kharaz, D. A. Gorham, A. D. Salman, An experimental study of the elastic rebound of spheres,
// Powder Technology 120, 2001 (balls that hit glass).
#include <heft/access.h>
#include <math.h>
#include <string.h>

#include "validation/cases.h"

static const double g = CASE_GRAVITY;

static int open_literal(Run* run, const char* text, const EngineSettings* s) {
  return run_open_text(run, text, strlen(text), s);
}

// A scene with a place in the plane of x and z instead of its @.
static int open_placed(Run* run, const char* scene, double x, double z, const EngineSettings* s) {
  char text[1000];
  const char* at = strchr(scene, '@');
  snprintf(text, sizeof text, "%.*s%.17g 0 %.17g%s", (int)(at - scene), scene, x, z, at + 1);
  return open_literal(run, text, s);
}

// ---- a plank on two rollers that turn towards each other

#define ROLLER(x)                                                                              \
  "<body pos=\"" x                                                                             \
  " 0 -.06\"><inertial pos=\"0 0 0\" mass=\"1\" diaginertia=\"1e7 1e7 1e7\"/><joint axis=\"0 " \
  "1 0\"/><geom type=\"cylinder\" fromto=\"0 -.05 0 0 .05 0\" size=\".05\"/></body>"

// The share of the weight on a roller depends on the place of the plank, and so does friction. With
// rollers at ±a and the plank's middle c above them, x'' = -µ g x / (a - µ c).
void case_rollers(Run* run) {
  static const char scene[] =
      "<mujoco><option timestep=\"0.001\" gravity=\"0 0 -9.81\"/><default><geom friction=\".3\"/>"
      "</default><worldbody>" ROLLER("-.2") ROLLER(
          ".2") "<body pos=\".02 0 0\">" CASE_PLANAR
                "<geom type=\"box\" size=\".5 .04 .01\" mass=\"1\"/></body></worldbody></mujoco>";
  const double exact = 2 * HEFT_PI * sqrt((0.2 - 0.3 * 0.01) / (0.3 * g)), h = 0.001,
               spins[] = {20, -20};
  EngineSettings s = engine_settings();
  if (!open_literal(run, scene, &s)) return;
  run->engine->type->spin(run->engine, spins, 2);
  double before = 0.02, first = 0, last = 0;
  int crossings = 0;
  for (int i = 0; i < 6000 && crossings < 5; ++i) {
    run_step(run, 1);
    const double now = run_body(run, 3).pos.x;
    if (now * before < 0) {
      last = h * (i + before / (before - now));
      if (crossings++ == 0) first = last;
    }
    before = now;
  }
  run_close(run);
  // A step moves a plank by friction at its start; the relative error of a period is below (ω h)² =
  // 1.5e-5.
  run_report_relative(run, "plank on rollers: period, 2π √((a - µ c) / (µ g)) [s]", exact,
                      crossings == 5 ? (last - first) / 2 : (double)NAN, 2e-5);
}

// ---- a ball on a slope

// It rolls if µ >= (2/7) tan α.
void case_incline_roll(Run* run) {
  const double slope = 0.7, c = 1 / sqrt(1 + slope * slope), limit = slope * 2 / 7;
  for (int rolls = 1; rolls >= 0; --rolls) {
    EngineSettings s = engine_settings();
    settings_lean(&s, slope);
    s.friction = limit * (rolls ? 1 + 1e-6 : 0.9);
    if (!run_open(run, "roll.xml", &s)) return;
    run_step(run, 1000);
    const EngineBody ball = run_body(run, 1);
    run_close(run);
    if (rolls) {
      run_report_relative(run, "µ = (2/7) tan α (1 + 1e-6): speed after 1 s, 5/7 g sin α [m/s]",
                          g * slope * c * 5 / 7, ball.vel.x, 1e-9);
      run_report(run, "the same: slip [m/s]", 0, ball.vel.x - 0.125 * ball.omega.y, 1e-9);
    } else {
      run_report_relative(run, "90 % of it: speed after 1 s, g (sin α - µ cos α) [m/s]",
                          g * c * (slope - s.friction), ball.vel.x, 1e-9);
      run_report_relative(run, "the same: rim speed, 5/2 µ g cos α [m/s]", 2.5 * s.friction * g * c,
                          0.125 * ball.omega.y, 1e-9);
    }
  }
}

// ---- impacts of balls

// A cue ball hits another one at an angle. Friction throws the other one aside, by µ while it
// slips, by 2 v_t / (7 (1 + e) v_n) if it stops to slip.
static void throw_aside(Run* run, double angle, double mu, const char* what) {
  static const char scene[] =
      "<mujoco><option timestep=\"0.001\" gravity=\"0 0 0\"/><worldbody>"
      "<body><freejoint/><geom type=\"sphere\" size=\".03\" mass=\".2\"/></body>"
      "<body pos=\".06001 0 0\"><freejoint/><geom type=\"sphere\" size=\".03\" mass=\".2\"/></body>"
      "</worldbody></mujoco>";
  const double e = 0.9;
  EngineSettings s = engine_settings();
  s.friction = mu;
  s.restitution = e;
  if (!open_literal(run, scene, &s)) return;
  // Aimed so that the line of the centres is x when they touch.
  EngineBody cue = run_body(run, 1);
  cue.vel = heft_vec3(2 * cos(angle), 2 * sin(angle), 0);
  cue.pos.y = -1e-5 * tan(angle);
  run_place(run, 1, cue);
  run_step(run, 10);
  const EngineBody hit = run_body(run, 2);
  run_close(run);
  const double stick = 2 * tan(angle) / (7 * (1 + e));
  run_report(run, what, fmin(mu, stick), hit.vel.y / hit.vel.x, 1e-4);
}

// A ball of 0.125 m hits a floor: its state afterwards.
static int hit_floor(Run* run, double mu, double e, HeftVec3 vel, double spin, EngineBody* ball) {
  EngineSettings s = engine_settings();
  s.friction = mu;
  s.restitution = e;
  s.gravity[0] = s.gravity[1] = s.gravity[2] = 0;
  if (!run_open(run, "roll.xml", &s)) return 0;
  *ball = run_body(run, 1);
  ball->pos.z = 0.125 + 1e-5;
  ball->vel = vel;
  ball->omega = heft_vec3(0, spin, 0);
  run_place(run, 1, *ball);
  run_step(run, 10);
  *ball = run_body(run, 1);
  run_close(run);
  return 1;
}

// A ball that spins back. Friction takes µ (1 + e) of the normal speed, or the slip.
static void bounce_aside(Run* run, double mu, const char* what) {
  const double e = 0.5, down = 2, ahead = 1, spin = -8, slip = ahead - 0.125 * spin;
  EngineBody ball;
  if (!hit_floor(run, mu, e, heft_vec3(ahead, 0, -down), spin, &ball)) return;
  run_report_relative(run, what, ahead - fmin(mu * (1 + e) * down, slip * 2 / 7), ball.vel.x, 1e-9);
}

void case_billiards(Run* run) {
  throw_aside(run, 0.8, 0.06, "a thrown ball, slipping: tan of its angle, µ");
  throw_aside(run, 0.1, 0.06, "a thrown ball, gripping: 2 v_t / (7 (1 + e) v_n)");
  bounce_aside(run, 0.1, "back spin, slipping: speed after the bounce, v - µ (1 + e) v_n [m/s]");
  bounce_aside(run, 1, "back spin, gripping: (5 v + 2 r ω) / 7 [m/s]");
}

// Measured: balls of aluminium oxide hit thick glass at 3.9 m/s, at angles from the normal. The
// share of the tangential speed that is left was read from the printed figure by the authors of
// Lethe (to about 0.005); the last digits of its friction 0.092 and its restitution 0.98 move the
// answer by 0.002. A rigid ball keeps 1 - µ (1 + e) / tan(angle) if it slips, else 5/7; a real one
// that grips winds up along the surface and springs back, so that those rows have no limit.
void case_spheres(Run* run) {
  static const struct {
    double angle, kept;
    const char* what;
    double limit;
  } drops[] = {
      {60.02, 0.90142, "alumina on glass, slipping at 60°: tangential speed left, measured", 0.01},
      {49.694, 0.84761, "the same at 50°", 0.01},
      {39.382, 0.77148, "the same at 39°", 0.01},
      {20.012, 0.59691, "the same at 20°, where it grips and springs back (no limit)", HUGE_VAL},
      {9.496, 0.67257, "the same at 9° (no limit)", HUGE_VAL},
  };
  for (int i = 0; i < (int)(sizeof drops / sizeof *drops); ++i) {
    const double angle = drops[i].angle * HEFT_PI / 180, ahead = 3.9 * sin(angle);
    EngineBody ball;
    if (!hit_floor(run, 0.092, 0.98, heft_vec3(ahead, 0, -3.9 * cos(angle)), 0, &ball)) return;
    run_report(run, drops[i].what, drops[i].kept, ball.vel.x / ahead, drops[i].limit);
  }
}

// ---- bodies that leave their support

// The share of the first height at which a force of the world on body 1 vanishes, for five steps.
// Its direction is z or x.
static double height_when_free(Run* run, double z0, double base, int sideways) {
  double free_at = z0;
  for (int i = 0, free = 0; i < 20000; ++i) {
    HeftVec3 force = {0, 0, 0};
    if (free == 0) free_at = run_body(run, 1).pos.z;
    run_step(run, 1);
    if (!run->engine->type->force(run->engine, 0, 1, &force)) break;
    free = fabs(sideways ? force.x : force.z) < 1e-9 ? free + 1 : 0;
    if (free == 5) return (free_at - base) / (z0 - base);
  }
  return (double)NAN;
}

void case_leaving(Run* run) {
  static const char balls[] =
      "<mujoco><option timestep=\"0.001\" gravity=\"0 0 -9.81\"/><default><geom friction=\"0\"/>"
      "</default><worldbody><geom type=\"sphere\" size=\".4\"/><body pos=\"@\"><freejoint/>"
      "<geom type=\"sphere\" size=\".1\" mass=\"1\"/></body></worldbody></mujoco>";
  static const char ladder[] =
      "<mujoco><option timestep=\"0.0001\" gravity=\"0 0 -9.81\"/><default><geom friction=\"0\" "
      "mass=\"0\"/></default><worldbody><geom type=\"plane\" size=\"9 9 1\"/><geom type=\"box\" "
      "size=\".1 1 3\" pos=\"-.1 0 0\"/><body pos=\".52 0 .8860254037844386\"><inertial pos=\"0 0 "
      "0\" "
      "mass=\"1\" diaginertia=\".3333333333333333 .3333333333333333 .01\"/>" CASE_PLANAR
      "<geom type=\"sphere\" size=\".02\" pos=\".5 0 -.8660254037844386\"/>"
      "<geom type=\"sphere\" size=\".02\" pos=\"-.5 0 .8660254037844386\"/></body></worldbody>"
      "</mujoco>";
  const double start = 0.2, z0 = 0.5 * cos(start);
  EngineSettings s = engine_settings();
  // A force vanishes at the end of a step; in it the ball falls by 1.6 mm at most, and the ladder
  // by 0.2 mm.
  if (!open_placed(run, balls, 0.5 * sin(start), z0, &s)) return;
  const double ball = height_when_free(run, z0, 0, 0);
  run_close(run);
  run_report(run, "a ball leaves a smooth sphere at 2/3 of its height", 2.0 / 3, ball, 4e-3);
  if (!open_literal(run, ladder, &s)) return;
  const double end = height_when_free(run, 0.8860254037844386, 0.02, 1);
  run_close(run);
  run_report(run, "a smooth ladder leaves its wall at 2/3 of its height", 2.0 / 3, end, 1e-3);
}

// ---- a block on a wedge that moves away

void case_moving_wedge(Run* run) {
  static const char scene[] =
      "<mujoco><compiler angle=\"radian\"/><option timestep=\"0.001\" gravity=\"0 0 -9.81\"/>"
      "<default><geom friction=\"0\"/></default><worldbody>"
      "<body><inertial pos=\"0 0 0\" mass=\"2\" diaginertia=\"1 1 1\"/><joint type=\"slide\" "
      "axis=\"1 "
      "0 0\"/><geom type=\"box\" size=\"1 .1 .1\" euler=\"0 .5 0\"/></body>"
      "<body pos=\"@\">" CASE_PLANAR
      "<geom type=\"sphere\" size=\".1\" mass=\"1\"/></body>"
      "</worldbody></mujoco>";
  const double c = cos(0.5), d = sin(0.5);
  EngineSettings s = engine_settings();
  if (!open_placed(run, scene, 0.2 * d, 0.2 * c, &s)) return;
  run_step(run, 200);
  const EngineBody wedge = run_body(run, 1);
  run_close(run);
  run_report_relative(run,
                      "a block pushes its wedge: speed after 0.2 s, m g sc t / (M + m s²) [m/s]",
                      -0.2 * g * d * c / (2 + d * d), wedge.vel.x, 1e-9);
}

// ---- a heavy top

// Steady precession at Ω: I3 ω3 Ω - I1 Ω² cos θ = m g l, with moments about the support.
void case_top(Run* run) {
  static const char scene[] =
      "<mujoco><compiler angle=\"radian\"/><option timestep=\"0.0005\" gravity=\"0 0 -9.81\"/>"
      "<worldbody><body euler=\"0 .5 0\"><inertial pos=\"0 0 .1\" mass=\"1\" diaginertia=\".002 "
      ".002 "
      ".003\"/><joint type=\"ball\"/></body></worldbody></mujoco>";
  const double tilt = 0.5, rate = 2, I1 = 0.002 + 0.01, I3 = 0.003;
  const double spin = (g * 0.1 + I1 * rate * rate * cos(tilt)) / (I3 * rate);
  const double v[] = {-rate * sin(tilt), 0, spin};  // in the body's axes
  EngineSettings s = engine_settings();
  s.rk4 = 1;
  if (!open_literal(run, scene, &s)) return;
  run->engine->type->spin(run->engine, v, 3);
  run_step(run, 2000);
  const HeftVec3 axis = heft_quat_rotate(run_body(run, 1).quat, heft_vec3(0, 0, 1));
  run_close(run);
  run_report(run, "a top precesses at 2 rad/s: its direction after 1 s [rad]", rate,
             atan2(axis.y, axis.x), 1e-5);
  run_report(run, "the same: its tilt [rad]", tilt, acos(axis.z), 1e-6);
}

// ---- the tippe top

// A ball whose centre of mass is below its middle by `low` turns over while it spins. For any force
// of friction in the one contact point, L · (from the centre of mass to that point) is constant
// (Jellett).
void case_tippe(Run* run) {
  static const char scene[] =
      "<mujoco><compiler angle=\"radian\"/><option timestep=\"0.0001\" gravity=\"0 0 -9.81\"/>"
      "<default><geom friction=\".1\"/></default><worldbody><geom type=\"plane\" size=\"9 9 1\"/>"
      "<body pos=\"0 0 .02\" euler=\".1 0 0\"><inertial pos=\"0 0 -.003\" mass=\".02\" "
      "diaginertia=\"3.2e-6 3.2e-6 3.4e-6\"/><freejoint/><geom type=\"sphere\" "
      "size=\".02\"/></body>"
      "</worldbody></mujoco>";
  const double I1 = 3.2e-6, I3 = 3.4e-6, low = 0.003, R = 0.02;
  EngineSettings s = engine_settings();
  if (!open_literal(run, scene, &s)) return;
  EngineBody top = run_body(run, 1);
  top.omega = heft_vec3(0, 0, 180);
  run_place(run, 1, top);
  double first = 0, worst = 0, turned = 0;
  for (int i = 0; i < 60000; ++i) {
    const EngineBody b = run_body(run, 1);
    const HeftVec3 axis = heft_quat_rotate(b.quat, heft_vec3(0, 0, 1));
    const HeftVec3 L = heft_vec3_add_scaled(heft_vec3_scale(I1, b.omega),
                                            (I3 - I1) * heft_vec3_dot(axis, b.omega), axis);
    const double jellett = heft_vec3_dot(L, heft_vec3_add_scaled(heft_vec3(0, 0, -R), low, axis));
    if (i == 0) first = jellett;
    worst = fmax(worst, fabs(jellett / first - 1));
    turned = fmax(turned, acos(fmax(-1, fmin(1, axis.z))));
    run_step(run, 1);
  }
  run_close(run);
  run_report(run, "a tippe top turns over [degrees]", 180, turned * 180 / HEFT_PI, 20);
  run_report(run, "the same: change of Jellett's invariant, relative", 0, worst, 1e-2);
}

// ---- stick and slip

// A block on a belt, held by a spring; static above kinetic friction. With d = (µs - µk) m g / k
// the period is 2 d / V + (2 / ω) (π - atan(ω d / V)).
void case_stick_slip(Run* run) {
  static const char scene[] =
      "<mujoco><option timestep=\"0.0001\" gravity=\"0 0 -9.81\"/><worldbody><geom name=\"belt\" "
      "type=\"box\" size=\"9 1 .1\" pos=\"0 0 -.1\"/><body pos=\"0 0 .05\"><joint type=\"slide\" "
      "axis=\"1 0 0\" stiffness=\"100\"/><joint type=\"slide\" axis=\"0 0 1\"/><geom type=\"box\" "
      "size=\".05 .05 .05\" mass=\"1\"/></body></worldbody><custom><numeric "
      "name=\"heft_conveyor_belt\" data=\"0 0 0 0 0 0\"/>"
      "</custom></mujoco>";
  const double mus = 0.4, muk = 0.2, k = 100, V = 0.1, w = sqrt(k), d = (mus - muk) * g / k;
  EngineSettings s = engine_settings();
  s.friction = mus;
  s.kinetic = muk;
  if (!open_literal(run, scene, &s)) return;
  heft_world_set_conveyor(run->engine->world, "belt", heft_vec3(V, 0, 0), heft_vec3(0, 0, 0), NULL);
  const double period = 2 * d / V + 2 / w * (HEFT_PI - atan(w * d / V));
  double first = 0, last = 0, before = 0;
  int releases = 0;
  for (int i = 0; i < 60000 && releases < 6; ++i) {
    run_step(run, 1);
    const double v = run_body(run, 1).vel.x;
    // a release: the block falls behind the belt, whose speed it had
    if (before > V * (1 - 1e-6) && v <= V * (1 - 1e-6) && before < V * (1 + 1e-6)) {
      last = 1e-4 * i;
      if (releases++ == 0) first = last;
    }
    before = v;
  }
  run_close(run);
  run_report_relative(run, "a block sticks and slips on a belt: period [s]", period,
                      releases == 6 ? (last - first) / 5 : (double)NAN, 1e-3);
}

// ---- Andrews' squeezing mechanism

// Seven bodies, three closed loops, a spring of 4530 N/m and a motor of 0.033 N m: the crank turns
// by 15.9 rad in 30 ms. Data and solution at 30 ms: E. Hairer, G. Wanner, Solving Ordinary
// Differential Equations II, 1996, VII.7; F. Mazzia, C. Magherini, Test Set for Initial Value
// Problem Solvers, 2008, II-7 (fourteen digits).
#define PART(name, at, angle, mass, centre, inertia)            \
  "<body name=\"" name "\" pos=\"" at " 0\" euler=\"0 0 " angle \
  "\"><joint axis=\"0 0 "                                       \
  "1\"/><inertial pos=\"" centre " 0\" mass=\"" mass "\" diaginertia=\"1e-4 1e-4 " inertia "\"/>"
#define MEET(other, point) "<connect body1=\"" other "\" body2=\"2\" anchor=\"" point " 0\"/>"

// The angle of a body about z, next to another one.
static double angle_near(Run* run, int body, double near) {
  const HeftQuat q = run_body(run, body).quat;
  const double angle = 2 * atan2(q.z, q.w);
  return angle + 2 * HEFT_PI * round((near - angle) / (2 * HEFT_PI));
}

void case_squeezer(Run* run) {
  static const char scene[] =
      "<mujoco><compiler angle=\"radian\"/><option timestep=\"1e-5\" gravity=\"0 0 0\"/><worldbody>"
      "<site name=\"C\" pos=\".014 .072 0\"/>"
      "<body name=\"1\" euler=\"0 0 -0.0617138900142764496\"><joint axis=\"0 0 1\" stiffness=\"1e-9\" "
      "springref=\"3.3e7\"/><inertial pos=\".00092 0 0\" mass=\".04325\" diaginertia=\"1e-4 1e-4 "
      "2.194e-6\"/>" PART("2", ".007 0", "0", ".00365", "-.0115 0", "4.41e-7") "</body></body>" PART(
          "3", "-.03635 .03273", "0.455279819163070380", ".02373", ".01043 -.01874",
          "5.255e-6") "<site name=\"D\" pos=\".02 -.018 0\"/></body>" PART("5", "-.06934 -.00227",
                                                                          "0.487364979543842550",
                                                                          ".0705", ".02308 .00916",
                                                                          "1.169e-5")
          PART("4", ".04 0", "0.222668390165885885", ".00706", "0 -.00579", "5.667e-7") "</body></body>"
          PART("7", "-.06934 -.00227", "1.23054744454982119", ".05498", "-.00449 -.01228", "1.912e-5")
          PART("6", "0 -.04", "-0.222668390165885885", ".00706", ".00579 0", "5.667e-7")
      "</body></body></worldbody><equality>" MEET("3", "0 -.035") MEET("4", "0 -.02") MEET("6", ".02 0")
      "</equality><tendon><spatial stiffness=\"4530\" springlength=\".07785\"><site site=\"C\"/>"
      "<site site=\"D\"/></spatial></tendon></mujoco>";
  EngineSettings s = engine_settings();
  if (!open_literal(run, scene, &s)) return;
  double crank = -0.0617138900142764496;
  for (int i = 0; i < 3000; ++i) {
    run_step(run, 1);
    crank = angle_near(run, 1, crank);
  }
  const double three = angle_near(run, 3, 0), seven = angle_near(run, 6, 1);
  run_close(run);
  run_report_relative(run, "crank after 30 ms [rad]", 15.81077119629904, crank, 1e-4);
  run_report(run, "body with the spring [rad]", 0.04082224013073101, three, 1e-4);
  run_report(run, "right lever [rad]", 1.048080741042263, seven, 1e-4);
}
