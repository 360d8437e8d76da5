// SPDX-License-Identifier: Apache-2.0
// Violations planted in motions of Heft, in logs that have states only: at least 90 % are found.
// Those of each kind have sizes between just above the referee's tolerances and a hundred times as
// much, at random rows. HEFT_LONG=1: 1700 of them.
#include <heft/world.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judge/referee.h"
#include "support/check.h"
#include "support/scene.h"

enum { STEPS = 60, NQ = 14, NV = 12 };

static const char* const scenes[] = {
    // a block that rests, on friction 0.5; the same as it slides, and as it falls; two in a stack
    "<mujoco><option timestep='0.001'/><worldbody><geom type='plane' size='5 5 1' friction='0.5'/>"
    "<body pos='0 0 0.05'><freejoint/><geom type='box' size='0.05 0.05 0.05' mass='2'/></body>"
    "</worldbody></mujoco>",
    "<mujoco><option timestep='0.001'/><worldbody><geom type='plane' size='5 5 1' friction='0.5'/>"
    "<body pos='0 0 0.05'><freejoint/><geom type='box' size='0.05 0.05 0.05' mass='2'/></body>"
    "</worldbody><keyframe><key qvel='1 0 0 0 0 0'/></keyframe></mujoco>",
    "<mujoco><option timestep='0.001'/><worldbody><geom type='plane' size='5 5 1' friction='0.5'/>"
    "<body pos='0 0 0.5'><freejoint/><geom type='box' size='0.05 0.05 0.05' mass='2'/></body>"
    "</worldbody><keyframe><key qvel='1 0 0 3 2 1'/></keyframe></mujoco>",
    "<mujoco><option timestep='0.001'/><worldbody><geom type='plane' size='5 5 1' friction='0.5'/>"
    "<body pos='0 0 0.15'><freejoint/><geom type='box' size='0.05 0.05 0.05' mass='2'/></body>"
    "<body pos='0 0 0.05'><freejoint/><geom type='box' size='0.05 0.05 0.05' mass='2'/></body>"
    "</worldbody></mujoco>",
};
enum { SCENES = sizeof scenes / sizeof *scenes, REST = 0, SLIDE = 1, FLIGHT = 2, STACK = 3 };

// kind, scenes as bits, least and largest size
#define PLANTS(X)                                                                                  \
  X(CREEP, 1 << REST | 1 << STACK, 2e-5, 2e-3)           /* slips on: velocity [m/s] */            \
  X(DRIVE, 1 << REST | 1 << FLIGHT, 0.1, 10)             /* accelerates along the floor [m/s²] */ \
  X(GLIDE, 1 << SLIDE, 0.2, 4)                           /* brakes less: acceleration [m/s²] */   \
  X(RISE, 1 << REST | 1 << FLIGHT | 1 << STACK, 0.1, 10) /* falls slower, or rises [m/s²] */      \
  X(KICK, 1 << FLIGHT, 1e-2, 1)                          /* velocity changes in one row [m/s] */   \
  X(HOP, 1 << REST | 1 << STACK, 0.05, 2)                /* leaves the floor [m/s] */              \
  X(SPIN, 1 << FLIGHT, 0.3, 30)                          /* turns faster in one row [rad/s] */     \
  X(SINK, 1 << REST | 1 << STACK, 3e-3, 3e-2)            /* lies in the floor from a row on [m] */ \
  X(JUMP, 1 << REST | 1 << SLIDE | 1 << FLIGHT, 2e-3, 0.2) /* is elsewhere from a row on [m] */
enum {
#define NAME(name, where, least, most) name,
  PLANTS(NAME)
#undef NAME
      KINDS
};
static const struct {
  const char* name;
  int where;
  double least, most;
} plants[KINDS] = {
#define ROW(name, where, least, most) {#name, where, least, most},
    PLANTS(ROW)
#undef ROW
};

typedef struct Motion {
  HeftModel* m;
  double q[STEPS][NQ], v[STEPS][NV];
} Motion;

static double chance(unsigned* seed) {
  *seed = *seed * 1664525u + 1013904223u;
  return (double)(*seed >> 8) / (double)(1 << 24);
}

static void record(Motion* out, const char* text) {
  HeftWorld* w = NULL;
  HeftError error = {0};
  out->m = scene_model(text);
  assert_int_equal(heft_world_create(&w, out->m, NULL, &error), HEFT_OK);
  if (out->m->nkey > 0)
    assert_int_equal(heft_world_set_v(w, 0, out->m->key_v, out->m->nv, NULL), HEFT_OK);
  for (int i = 0; i < STEPS; ++i) {
    if (i > 0) heft_world_step(w);
    memcpy(out->q[i], heft_world_state(w)->q, (size_t)out->m->nq * sizeof(double));
    memcpy(out->v[i], heft_world_state(w)->v, (size_t)out->m->nv * sizeof(double));
  }
  heft_world_destroy(w);
}

// Changes the first body of a row, t seconds after the first changed one.
static void plant(int kind, double size, double t, double* q, double* v) {
  const int axis = kind == DRIVE || kind == GLIDE || kind == CREEP || kind == JUMP ? 0 : 2;
  switch (kind) {
    case CREEP:
    case KICK:
    case HOP:
      q[axis] += size * t, v[axis] += size;
      break;
    case DRIVE:
    case GLIDE:
    case RISE:
      q[axis] += 0.5 * size * t * t, v[axis] += size * t;
      break;
    case SPIN:
      v[5] += size;
      break;
    default:
      q[axis] += kind == SINK ? -size : size;
  }
}

static int is_found(const Motion* motion, int kind, double size, int from) {
  Referee* r = NULL;
  HeftError error = {0};
  RefereeDef def = referee_def_default();
  def.infer = 1;
  assert_int_equal(referee_create(&r, motion->m, &def, &error), HEFT_OK);
  for (int i = 0; i < STEPS; ++i) {
    double q[NQ], v[NV];
    memcpy(q, motion->q[i], sizeof q);
    memcpy(v, motion->v[i], sizeof v);
    if (kind < KINDS && i >= from) plant(kind, size, 1e-3 * (i - from), q, v);
    const RefereeRow row = {.time = 1e-3 * i, .q = q, .v = v, .contact_count = -1};
    assert_int_equal(referee_row(r, &row, &error), 1);
  }
  const int found = referee_report(r)->broken > 0;
  referee_destroy(r);
  return found;
}

static void planted_violations_are_found(void** state) {
  (void)state;
  static Motion motion[SCENES];
  const int trials = getenv("HEFT_LONG") ? 100 : 6;
  int all = 0, found = 0;
  unsigned seed = 1;
  for (int i = 0; i < SCENES; ++i) {
    record(&motion[i], scenes[i]);
    assert_int_equal(is_found(&motion[i], KINDS, 0, 0), 0);
  }
  for (int kind = 0; kind < KINDS; ++kind) {
    int of_kind = 0, count = 0;
    for (int i = 0; i < SCENES; ++i)
      for (int n = 0; n < trials && plants[kind].where >> i & 1; ++n) {
        const double ratio = plants[kind].most / plants[kind].least;
        const double size = plants[kind].least * pow(ratio, chance(&seed));
        const int from = 5 + (int)(30 * chance(&seed));
        of_kind += is_found(&motion[i], kind, size, from);
        ++count;
      }
    printf("%-6s %d of %d found\n", plants[kind].name, of_kind, count);
    all += count;
    found += of_kind;
  }
  printf("%d of %d planted violations are found\n", found, all);
  assert_true(found >= 0.9 * all);
  assert_int_equal(is_found(&motion[REST], HOP, 1, 20),
                   1);  // a cube that its landing lifts by 51 mm
  for (int i = 0; i < SCENES; ++i) heft_model_destroy(motion[i].m);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(planted_violations_are_found)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
