// SPDX-License-Identifier: Apache-2.0
// Bodies on surfaces that consist of parts: flush tiles, triangles of a height field and of a mesh;
// and a pile of foils that are thinner than the margin.
#include <math.h>

#include "scenes/random.h"
#include "validation/cases.h"

// ---- a cube that is thrown over seams
//
// The exact motion is a translation: friction acts against the velocity at the centre of pressure,
// which lies ahead of the centre of mass along the path, so that nothing turns the cube.

typedef struct Floor {
  const char *name, *scene;
  int triangles;
} Floor;

static const Floor floors[] = {{"tiles", "tiles.xml", 0},
                               {"height field", "tiles_field.xml", 0},
                               {"mesh", "tiles_mesh.xml", 1}};

enum { FLOORS = 3, CUBE = 1 };
static const double half = 0.05, throw_time = 0.5, look_every = 0.01;

typedef struct Throws {
  int count, snags;
  double worst;  ///< largest error of the velocity [m/s]
} Throws;

// Throws the cube once, at a random place, angle and speed. Looks at it every 10 ms.
static void throw_cube(Run* run, Random* random, double friction, Throws* out) {
  const double speed = random_between(random, 0.5, 3), angle = random_between(random, -0.5, 0.5);
  const double yaw = out->count % 3 == 0 ? 0 : random_between(random, -HEFT_PI, HEFT_PI);
  const double x = random_between(random, -0.2, 0.2), y = random_between(random, -0.2, 0.2);
  const double drop = random_between(random, 0, out->count % 2 ? 1e-6 : 1e-3);
  const double height = friction > 0 || out->count % 4 == 0 ? 0 : drop;
  const HeftVec3 along = heft_vec3(cos(angle), sin(angle), 0);
  run_place(run, CUBE,
            (EngineBody){.pos = heft_vec3(x, y, half + height),
                         .quat = heft_quat(cos(yaw / 2), 0, 0, sin(yaw / 2)),
                         .vel = heft_vec3_scale(speed, along)});
  const int steps = (int)(look_every / run->engine->step + 0.5);
  int snag = 0;
  for (int i = 1; i <= (int)(throw_time / look_every + 0.5); ++i) {
    run_step(run, steps);
    const EngineBody cube = run_body(run, CUBE);
    const double left = speed - friction * CASE_GRAVITY * look_every * i;
    const HeftVec3 exact = heft_vec3_scale(left > 0 ? left : 0, along);
    const double error = hypot(cube.vel.x - exact.x, cube.vel.y - exact.y);
    out->worst = fmax(out->worst, error);
    snag |= !(error < 0.1 * speed && cube.pos.z < half + height + 1e-3);
  }
  out->snags += snag;
  ++out->count;
}

static void throw_many(Run* run, const Floor* floor, double friction, double step, int count) {
  EngineSettings s = engine_settings();
  s.friction = friction;
  s.step = step;
  s.triangles = floor->triangles;
  if (!run_open(run, floor->scene, &s)) return;
  Random random = {2026};
  Throws throws = {0};
  while (throws.count < count && !run->engine->reason[0]) {
    throw_cube(run, &random, friction, &throws);
    run_progress(run, (double)throws.count / count);
  }
  run_close(run);
  char what[ROW_TEXT];
  snprintf(what, sizeof what, "%s, µ = %g, %g ms: snags in %d throws", floor->name, friction,
           1e3 * step, count);
  run_report(run, what, 0, throws.snags, 0);
  snprintf(what, sizeof what, "%s, µ = %g, %g ms: error of the velocity [m/s]", floor->name,
           friction, 1e3 * step);
  run_report(run, what, 0, throws.worst, friction > 0 ? 1e-8 : 1e-9);
}

void case_seams(Run* run) {
  static const double steps[] = {0.002, 0.0005, 0.001, 0.005};
  for (int i = 0; i < FLOORS; ++i) {
    for (int k = 0; k < (run->full ? 4 : 1); ++k) {
      throw_many(run, &floors[i], 0, steps[k], run->full ? 1000 : 20);
      throw_many(run, &floors[i], 0.3, steps[k], run->full ? 1000 : 20);
    }
  }
}

// ---- foils

void case_foils(Run* run) {
  enum { FOILS = 100 };
  static const double thickness = 5e-5;
  EngineSettings s = engine_settings();
  s.step = 0.002;
  s.tolerance = 1e-6;
  if (!run_open(run, "foils.xml", &s)) return;
  const int steps = (int)((run->full ? 10 : 0.1) / run->engine->step + 0.5);
  for (int i = 0; i < steps; ++i) {
    run_step(run, 1);
    run_progress(run, (double)i / steps);
  }
  double sunk = 0;
  for (int i = 0; i < FOILS; ++i)
    sunk = fmax(sunk, thickness * (0.5 + i) - run_body(run, 1 + i).pos.z);
  run_close(run);
  run_report(run, run->full ? "foils sink in 10 s [m]" : "foils sink in 0.1 s [m]", 0, sunk,
             0.1 * thickness);
}
