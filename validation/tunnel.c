// SPDX-License-Identifier: Apache-2.0
// Tunnelling: bodies of many shapes, thrown at walls of many thicknesses with many speeds and
// steps. None may pass through; none that misses may be deflected.
//
// Every family opens a scene for each thickness and step, and throws its body many times with
// random directions, orientations and distances.
#include <heft/io.h>
#include <math.h>
#include <string.h>

#include "scenes/random.h"
#include "validation/cases.h"

static const double thicknesses[] = {0.0005, 0.002, 0.01, 0.03, 0.1};
static const double steps[] = {0.0005, 0.002, 0.005, 0.02};
static const double speeds[] = {1, 3, 10, 30, 100, 300};

enum {
  THICKNESSES = (int)(sizeof thicknesses / sizeof *thicknesses),
  STEPS = (int)(sizeof steps / sizeof *steps),
  SPEEDS = (int)(sizeof speeds / sizeof *speeds),
  STEPS_MAX = 800,
  THROWS = 65  ///< of the long form, for each family, thickness, step and speed
};

/// A family of throws.
typedef struct Family {
  const char *name, *assets, *body;  ///< MJCF: assets, and the shapes of the body that is thrown
  double radius;                     ///< of a ball around the body [m]
  double spin;                       ///< of the speed, at that radius
  double slant;                      ///< of the speed, along the wall
  const char* target;  ///< MJCF of the wall, at x = 0, @: half of its thickness; NULL: a box
  int free;            ///< 1: the wall is a body in flight
  int behind;          ///< 1: a fixed wall stands behind the free one
  int triangles;       ///< 1: meshes are sets of triangles; Heft alone
  int flat;            ///< 1: thrown with its x axis ahead, nearly
  int links;           ///< further bodies that hang on the one that is thrown
  int alone;           ///< 1: Heft alone
} Family;

#define GEM                                                                                       \
  "<mesh name=\"gem\" vertex=\".01 0 0 -.01 0 0 0 .012 0 0 -.012 0 0 0 .008 0 0 -.008 .006 .006 " \
  ".004 -.006 -.007 -.003\"/>"
// A wall of triangles, both sides, cut along both axes.
#define SHEET                                                                                      \
  "<mesh name=\"sheet\" scale=\"@ 1 1\" vertex=\"-1 -20 -20 -1 0 -20 -1 20 -20 -1 -20 0 -1 0 0 "   \
  "-1 20 0 -1 -20 20 -1 0 20 -1 20 20 1 -20 -20 1 0 -20 1 20 -20 1 -20 0 1 0 0 1 20 0 1 -20 20 1 " \
  "0 "                                                                                             \
  "20 1 20 20\" face=\"0 3 4 0 4 1 1 4 5 1 5 2 3 6 7 3 7 4 4 7 8 4 8 5 "                           \
  "9 13 12 9 10 13 10 14 13 10 11 14 12 16 15 12 13 16 13 17 16 13 14 17\"/>"

// A height field whose heights point against the throw: 21 x 21 points of different heights, from 0
// to half of the thickness.
#define HEIGHTS_1 "0 1 0 .6 .2 1 0 .3 .8 0 1 0 .5 1 .1 0 .9 .4 1 0 .7 "
#define HEIGHTS_2 ".5 0 .9 .1 1 .4 .7 0 .2 1 .6 .8 0 .3 1 .5 0 .9 .2 .6 0 "
#define HEIGHTS_4 HEIGHTS_1 HEIGHTS_2 HEIGHTS_1 HEIGHTS_2
#define FIELD                                                                                \
  "<hfield name=\"field\" nrow=\"21\" ncol=\"21\" size=\"20 20 @ @\" elevation=\"" HEIGHTS_4 \
      HEIGHTS_4 HEIGHTS_4 HEIGHTS_4 HEIGHTS_4 HEIGHTS_1 "\"/>"
#define FIELD_WALL \
  "<geom type=\"hfield\" hfield=\"field\" quat=\".70710678118654752 0 -.70710678118654752 0\"/>"
// A ball and a rod that hang together.
#define FLAIL                                                                              \
  "<geom type=\"sphere\" size=\".01\"/><body pos=\"0 0 .03\"><joint type=\"ball\"/><geom " \
  "type=\"capsule\" fromto=\"0 0 0 0 0 .04\" size=\".004\"/><body pos=\"0 0 .05\"><joint " \
  "type=\"hinge\" axis=\"0 1 0\"/><geom type=\"box\" size=\".008 .008 .008\"/></body></body>"

// A free plate that hardly turns, so that its sides can be told apart.
#define HEAVY_TURN(mass)                 \
  "<inertial pos=\"0 0 0\" mass=\"" mass \
  "\" diaginertia=\"1e4 1e4 1e4\"/>"     \
  "<geom type=\"box\" size=\"@ .5 .5\"/>"

static const Family families[] = {
    {"balls", "", "<geom type=\"sphere\" size=\".01\"/>", .radius = 0.01, .slant = 0.5},
    {"cubes", "", "<geom type=\"box\" size=\".01 .01 .01\"/>", .radius = 0.018, .spin = 0.05,
     .slant = 0.5},
    {"capsules", "", "<geom type=\"capsule\" size=\".005 .01\"/>", .radius = 0.015, .spin = 0.05,
     .slant = 0.5},
    {"cylinders", "", "<geom type=\"cylinder\" size=\".005 .01\"/>", .radius = 0.012, .spin = 0.05,
     .slant = 0.5},
    {"ellipsoids", "", "<geom type=\"ellipsoid\" size=\".004 .008 .012\"/>", .radius = 0.012,
     .spin = 0.05, .slant = 0.5},
    {"convex meshes", GEM, "<geom type=\"mesh\" mesh=\"gem\"/>", .radius = 0.012, .spin = 0.05,
     .slant = 0.5},
    {"balls on triangles", SHEET, "<geom type=\"sphere\" size=\".01\"/>", .radius = 0.01,
     .slant = 0.5, .triangles = 1, .target = "<geom type=\"mesh\" mesh=\"sheet\"/>"},
    {"cubes on triangles", SHEET, "<geom type=\"box\" size=\".01 .01 .01\"/>", .radius = 0.018,
     .spin = 0.05, .slant = 0.5, .triangles = 1, .target = "<geom type=\"mesh\" mesh=\"sheet\"/>"},
    {"spinning rods", "", "<geom type=\"capsule\" size=\".004 .15\"/>", .radius = 0.155, .spin = 1,
     .slant = 0.2},
    {"spinning slats", "", "<geom type=\"box\" size=\".15 .01 .002\"/>", .radius = 0.151, .spin = 1,
     .slant = 0.2},
    {"plates on plates", "", "<geom type=\"box\" size=\"@ .1 .07\"/>", .radius = 0.123, .flat = 1,
     .spin = 0.05},
    {"plates on free plates", "", "<geom type=\"box\" size=\"@ .1 .07\"/>", .radius = 0.123,
     .flat = 1, .spin = 0.02, .free = 1, .target = HEAVY_TURN("2")},
    {"balls on a plate before a wall", "", "<geom type=\"sphere\" size=\".01\"/>", .radius = 0.01,
     .free = 1, .behind = 1, .target = HEAVY_TURN(".2")},
    {"balls on height fields", FIELD, "<geom type=\"sphere\" size=\".01\"/>", .radius = 0.01,
     .slant = 0.5, .target = FIELD_WALL, .alone = 1},
    {"cubes on height fields", FIELD, "<geom type=\"box\" size=\".01 .01 .01\"/>", .radius = 0.018,
     .spin = 0.05, .slant = 0.5, .target = FIELD_WALL, .alone = 1},
    {"trees of three links", "", FLAIL, .radius = 0.1, .spin = 0.3, .slant = 0.3, .links = 2,
     .alone = 1},
};
enum { FAMILIES = (int)(sizeof families / sizeof *families) };

// ---- scenes

typedef struct Text {
  char text[6000];
  size_t used;
} Text;

// Appends MJCF, with a number in place of each @.
static void add_text(Text* t, const char* mjcf, double number) {
  for (; *mjcf && t->used + 32 < sizeof t->text; ++mjcf) {
    if (*mjcf == '@') {
      t->used += (size_t)snprintf(t->text + t->used, 32, "%.9g", number);
    } else {
      t->text[t->used++] = *mjcf;
    }
  }
  t->text[t->used] = '\0';
}

// Distance between the middles of the free wall and of the fixed one behind it.
static double distance_behind(double half) { return 2 * half + 0.005; }

static void write_scene(const Family* f, double half, Text* out) {
  static const char wall[] = "<geom type=\"box\" size=\"@ 20 20\"/>";
  const char* target = f->target ? f->target : wall;
  out->used = 0;
  add_text(out, "<mujoco><option gravity=\"0 0 0\"/><asset>", 0);
  add_text(out, f->assets, half);
  add_text(out, "</asset><worldbody><body pos=\"-5 0 0\"><freejoint/>", 0);
  add_text(out, f->body, half);
  add_text(out, "</body>", 0);
  if (f->free) add_text(out, "<body><freejoint/>", 0);
  add_text(out, target, half);
  if (f->free) add_text(out, "</body>", 0);
  if (f->behind) {
    add_text(out, "<geom type=\"box\" pos=\"@ 0 0\"", distance_behind(half));
    add_text(out, " size=\"@ 20 20\"/>", half);
  }
  add_text(out, "</worldbody></mujoco>", 0);
}

// ---- throws

static EngineBody throw_of(const Family* f, Random* r, double half, double speed, double step) {
  EngineBody b = {.quat = f->flat ? heft_quat_exp(random_vec3(r, 0.1)) : random_quat(r)};
  const double away = half + f->radius + 1e-4 + random_between(r, 0, 3) * speed * step;
  b.pos = heft_vec3(-away, random_between(r, -0.05, 0.05), random_between(r, -0.05, 0.05));
  b.vel = heft_vec3(speed, f->slant * speed * random_between(r, -1, 1),
                    f->slant * speed * random_between(r, -1, 1));
  b.omega = heft_vec3_scale(f->spin * speed / f->radius, random_vec3(r, 1));
  return b;
}

// 1 if the body is on the far side of a wall at `wall`, not beside it.
static int is_beyond(const EngineBody* body, const EngineBody* wall, double size) {
  const HeftVec3 p =
      heft_quat_rotate(heft_quat_conjugate(wall->quat), heft_vec3_sub(body->pos, wall->pos));
  return p.x > 0 && fabs(p.y) < size && fabs(p.z) < size;
}

// 1 if the body passes through.
static int passes(Run* run, const Family* f, Random* r, double half, double speed, double step) {
  EngineBody wall = {.quat = heft_quat_identity()};
  EngineBody body = throw_of(f, r, half, speed, step);
  const int count = (int)(fmin((-body.pos.x + f->radius) / (speed * step) + 12, STEPS_MAX));
  run_place(run, 1, body);
  if (f->free) run_place(run, 2, wall);
  for (int i = 0; i < count && run->engine->reason[0] == '\0'; ++i) {
    run_step(run, 1);
    body = run_body(run, 1);
    if (f->free) wall = run_body(run, 2);
    if (is_beyond(&body, &wall, f->free ? 0.3 : 19)) return 1;
    for (int k = 0; k < f->links; ++k) {
      const EngineBody link = run_body(run, 2 + k);
      if (is_beyond(&link, &wall, 19)) return 1;
    }
    if (f->behind && wall.pos.x > distance_behind(half)) return 1;
  }
  return 0;
}

// Opens the scene again, so that the joints of a tree start at rest in each throw.
static int open_again(Run* run, const Text* text, const EngineSettings* s) {
  run_close(run);
  return run_open_text(run, text->text, text->used, s);
}

static void throw_family(Run* run, const Family* f, Random* r, int done) {
  const int throws = run->full ? THROWS : 1;
  int passed = 0, all = 0;
  for (int t = 0; t < THICKNESSES; ++t) {
    for (int h = 0; h < STEPS; ++h) {
      Text text;
      EngineSettings s = engine_settings();
      s.step = steps[h];
      s.restitution = 0;
      s.tolerance = 1e-9;
      s.triangles = f->triangles;
      write_scene(f, 0.5 * thicknesses[t], &text);
      if (!run_open_text(run, text.text, text.used, &s)) return;
      for (int v = 0; v < SPEEDS; ++v) {
        for (int i = 0; i < throws; ++i, ++all) {
          if (f->links > 0 && !open_again(run, &text, &s)) return;
          passed += passes(run, f, r, 0.5 * thicknesses[t], speeds[v], steps[h]);
        }
      }
      run_close(run);
      run_progress(run, (done + (double)(t * STEPS + h) / (THICKNESSES * STEPS)) / (FAMILIES + 1));
    }
  }
  char what[ROW_TEXT];
  snprintf(what, sizeof what, "%s: passed through, of %d", f->name, all);
  run_report(run, what, 0, passed, 0);
}

// ---- bodies that miss

// How far the shapes of the families reach along y.
static double reach_of(int family, HeftQuat q) {
  const HeftMat3 m = heft_quat_to_mat3(q);
  const double x = fabs(m.m[1][0]), y = fabs(m.m[1][1]), z = fabs(m.m[1][2]);
  if (family == 0) return 0.01;
  if (family == 1) return 0.01 * (x + y + z);
  if (family == 2) return 0.005 + 0.01 * z;
  if (family == 3) return 0.01 * z + 0.005 * sqrt(x * x + y * y);
  return sqrt(0.004 * 0.004 * x * x + 0.008 * 0.008 * y * y + 0.012 * 0.012 * z * z);
}

enum { MISSING_FAMILIES = 5 };

// Bodies that fly past a box at a distance of 0.01 to 1 mm: the change of velocity.
static void miss(Run* run, Random* r) {
  const int throws = run->full ? THROWS : 2;
  double most = 0;
  int all = 0;
  for (int f = 0; f < MISSING_FAMILIES; ++f) {
    for (int h = 0; h < STEPS; ++h) {
      Text text = {.used = 0};
      EngineSettings s = engine_settings();
      s.step = steps[h];
      add_text(&text,
               "<mujoco><option gravity=\"0 0 0\"/><worldbody><body pos=\"-5 0 0\"><freejoint/>",
               0);
      add_text(&text, families[f].body, 0);
      add_text(&text, "</body><geom type=\"box\" size=\".05 .05 .05\"/></worldbody></mujoco>", 0);
      if (!run_open_text(run, text.text, text.used, &s)) return;
      for (int i = 0; i < throws * SPEEDS; ++i, ++all) {
        const double speed = speeds[i % SPEEDS];
        EngineBody b = {.quat = random_quat(r), .vel = heft_vec3(speed, 0, 0)};
        const double distance = 1e-5 * pow(100, random_unit(r));
        b.pos = heft_vec3(-0.07 - random_between(r, 0, 2) * speed * steps[h],
                          0.05 + reach_of(f, b.quat) + distance, random_between(r, -0.03, 0.03));
        run_place(run, 1, b);
        run_step(run, (int)fmin(0.2 / (speed * steps[h]) + 4, STEPS_MAX));
        const EngineBody after = run_body(run, 1);
        most = fmax(most, heft_vec3_norm(heft_vec3_sub(after.vel, b.vel)));
        most = fmax(most, heft_vec3_norm(after.omega));
      }
      run_close(run);
    }
  }
  char what[ROW_TEXT];
  snprintf(what, sizeof what, "bodies that miss: change of velocity, of %d [m/s]", all);
  run_report(run, what, 0, most, 0);
}

// ---- bodies that bounce

static void bounce(Run* run, double restitution) {
  double worst = 0;
  for (int h = 0; h < STEPS; ++h) {
    Text text;
    EngineSettings s = engine_settings();
    s.step = steps[h];
    s.restitution = restitution;
    write_scene(&families[0], 0.00025, &text);
    if (!run_open_text(run, text.text, text.used, &s)) return;
    for (int v = 0; v < SPEEDS; ++v) {
      const EngineBody b = {.pos = heft_vec3(-0.1 - 1.7 * speeds[v] * steps[h], 0, 0),
                            .quat = heft_quat_identity(),
                            .vel = heft_vec3(speeds[v], 0, 0)};
      run_place(run, 1, b);
      run_step(run, (int)(0.1 / (speeds[v] * steps[h])) + 6);
      const double out = -run_body(run, 1).vel.x / (restitution * speeds[v]);
      worst = fmax(worst, fabs(out - 1));
    }
    run_close(run);
  }
  char what[ROW_TEXT];
  snprintf(what, sizeof what, "e = %g: relative error of the speed after the impact", restitution);
  run_report(run, what, 0, worst, 1e-9);
}

void case_tunnel(Run* run) {
  Random r = {20261116};
  for (int i = 0; i < FAMILIES && run->engine->reason[0] == '\0'; ++i) {
    const int alone = families[i].triangles || families[i].alone;
    if (alone && run->engine->type != &engine_heft) continue;
    throw_family(run, &families[i], &r, i);
  }
  if (run->engine->reason[0]) return;
  miss(run, &r);
  bounce(run, 1);
  bounce(run, 0.5);
}
